"""The values of options that are not named one by one: the least and the most, what is over that, and what is of another kind."""

from __future__ import annotations

import pytest

from handrec import games
from handrec.findings import Citation
from handrec.game import Option, compose
from handrec.referee import rules_of

OPTIONS = {(game.key, option.key): option for game in games.catalogue() for option in game.options}
OPEN = {place: option for place, option in OPTIONS.items() if option.accepts is not None}
MODES = ["AT", "S", "H", "D", "C", "NT"]
SCORE = {"when": "no_tricks", "points": 50, "mode": "plus"}

#: Of each option the values at its bounds, and values beyond them.
BOUNDS: dict[tuple[str, str], tuple[list[object], list[object]]] = {
    ("bastard", "sandbags"): (
        [None, {"every": 1, "penalty": 1000}, {"every": 1000, "penalty": 1}],
        [{"every": 1001, "penalty": 1}, {"every": 1, "penalty": 0}, {"every": True, "penalty": 1}, {"every": 1, "cost": 1}],
    ),
    ("bastard", "game_end"): ([None, {"hands": 1}, {"target": 1000}], [{"hands": 0}, {"target": 1001}, {"deals": 1}, {}]),
    ("batarde", "deal_schedule"): (
        ["standard", [1], [24] * 1000],
        ["usual", [], [24] * 1001, [0], [25], [True], [5, "5"], (5,)],
    ),
    ("batarde", "normal_order"): (["TNJMFVCDR"], ["TNJMFVCD", "TNJMFVCDDR", [*"TNJMFVCDR"]]),
    ("batarde", "trump_order"): (["TNJMFVCDR"], ["TNJMFVCD", "TNJMFVCDDR", [*"TNJMFVCDR"]]),
    ("batarde", "suit_hierarchy"): ([MODES, MODES[::-1]], [MODES[1:], [*MODES, "S"], [*MODES[1:], 1], tuple(MODES), "ATSHDCNT"]),
    ("bugami", "removed_ranks"): ([["A", "K", "2"]], [["A", "K"], ["A", "K", "K"], ["A", "K", "2", "2"], ["A", "K", "2", "X"]]),
    ("bugami", "special_scores"): (
        [[], [SCORE] * 20, [SCORE | {"points": 10**6}], [SCORE | {"points": -(10**6)}], [SCORE | {"mode": "instead"}]],
        [[SCORE] * 21, [SCORE | {"points": 10**6 + 1}], [SCORE | {"points": -(10**6) - 1}], [SCORE, {}], [SCORE, None], SCORE],
    ),
    ("bugami", "target"): ([1, 10**6], [0, -1, 10**6 + 1, True]),
    ("hearts", "target"): ([1, 10**6], [0, -1, 10**6 + 1, True]),
    ("kbabs", "sips"): (
        [None, {}, {"1": 1, "99": 1000}],
        [{"0": 1}, {"100": 1}, {"01": 1}, {"1": 0}, {"1": 1001}, {"1": True}, {"١": 1}, [1, 2]],
    ),
    ("oh_hell", "longest"): ([1, 17], [0, 18, True]),
    ("spades3", "d_after_seat"): ([None, "N", "N" * 16], ["", "N" * 17, 1]),
    ("whist", "target"): ([1, 10**6], [0, -1, 10**6 + 1, True]),
}

#: What a record is judged by that names no option.
USUAL: dict[str, dict[str, object]] = {
    "bastard": {
        **dict.fromkeys(("mega", "ultra", "demon", "nuisance", "back_end", "ultimate"), False),
        "mega_rank_trick1": True, "nuisance_trump": "first_card_for_hand", "back_end_nuisance_lead": "flip_to_lead",
        "bastard_self_effect": True, "ultimate_same_rank": "cancel", "ultimate_guess": True, "trump_break": "none", "bid_min": 0,
        "guess_seen_card": "allowed", "guess_pass": True, "sandbags": None, "dealer_rotation": "left", "game_end": None,
    },
    "batarde": {
        "deal_schedule": "standard", "normal_order": "RDCVFMJNT", "trump_order": "FMJRDCVNT", "identical_cards": "bid",
        "suit_hierarchy": MODES, "mark_change": "forbidden", "overcall_basis": "proposer", "zero_impose": True,
        "mechoune_by": "any", "choune_by": "proposer", "mechoune_scope": "hand", "overruff": "must_if_able", "tie": "shared",
    },
    "bridge": {
        "boards": "duplicate", "scoring": "duplicate", "chicago": "dealer", "match": "by_tables", "matchpoints": "two_one",
    },
    "bugami": {
        "removed_ranks": ["9", "8", "7"], "turnip_doublets": False, "double_rounding": "after_floor", "special_scores": [],
        "target": 500, "tie": "shared",
    },
    "hearts": {
        "passing": "left_right_across_none", "first_lead": "two_of_clubs", "queen_breaks": False, "queen_alone": "led",
        "hearts_broken": True, "first_trick": "no_points", "jack_of_diamonds": False, "no_tricks": False, "target": 100,
    },
    "kbabs": {
        "ladder": "full", "scoring": "square", "linear_miss": "linear", "ultimate": False, "tie": "shared",
        "renege_penalty": "as_recorded", "big_joker_forces": "highest_trump", "sips": None,
    },
    "oh_hell": {"longest": 10, "ladder": "down_up", "hook": True, "missed": "nothing"},
    "spades3": {
        "d_hand": "dead", "d_after_seat": None, "dealer_rotation": "left", "two_of_clubs": "low",
        "bid_order": "clockwise_dealer_last", "blind_raise": "converts_to_open", "bemo_mode": "side", "bemo_both": False,
        "spades_broken": False, "failed_exact_overtricks": False, "perfect_restart": True, "overtrick_penalty": "cumulative",
        "overtrick_beyond_20": "none", "renege_max_books": 3, "renege_books_later_hand": True, "tie": "shared",
    },
    "whist": {"target": 5},
}  # fmt: skip

#: What is of another kind wherever it stands.
STRANGE = (1.5, "1" * 17, b"1", [[]], [{}], {"": None}, {"hands": "1"}, {"every": 1, "penalty": None}, [None] * 3, ["9", [], {}])


def test_every_open_option_has_its_bounds_here() -> None:
    """One that is added is asked too."""
    assert BOUNDS.keys() == OPEN.keys()


@pytest.mark.parametrize("place", BOUNDS, ids="-".join)
def test_values_up_to_the_bounds_are_taken_and_no_others(place: tuple[str, str]) -> None:
    """What is of another kind is refused like the rest: nothing that a record can say breaks off the refereeing."""
    within, beyond = BOUNDS[place]
    assert [value for value in within if not OPEN[place].allows(value)] == []
    assert [value for value in [*beyond, *STRANGE] if OPEN[place].allows(value)] == []


@pytest.mark.parametrize("option", OPTIONS.values(), ids=map("-".join, OPTIONS))
def test_what_is_named_or_shown_is_a_value(option: Option) -> None:
    """The default, each choice and each example; and none is shown twice, or as an example that is the default."""
    shown = [*option.values]
    assert [value for value in (option.default, *shown) if not option.allows(value)] == []
    assert len({*map(repr, shown)}) == len(shown)
    assert option.default not in option.examples


def test_what_a_record_is_judged_by_that_names_no_option() -> None:
    """And one that names the usual value of every option is judged by the same game."""
    for game in games.catalogue():
        plain = compose(game, {})[0]
        assert plain.settings == USUAL[game.key]
        named, problems = compose(game, USUAL[game.key])
        assert (problems, named) == ([], plain)


def test_an_option_that_makes_another_game_is_no_other_reading_of_this_one() -> None:
    """The variants of the Bastard and of the score of bridge; every other option that has names for its values is one."""
    variants = {("bastard", key) for key in ("mega", "ultra", "demon", "nuisance", "back_end", "ultimate")}
    variants |= {("bridge", "scoring"), ("bridge", "chicago")}
    named = {place for place, option in OPTIONS.items() if len(option.choices) > (option.default in option.choices)}
    assert {(game.key, key) for game in games.catalogue() for key, _ in game.other_values({})} == named - variants


def test_whatever_a_game_says_it_says_by_some_source() -> None:
    """Rules, definitions and options."""
    for game in games.catalogue():
        said = [*rules_of(game), *game.definitions, *game.options]
        assert [each for each in said if not isinstance(getattr(each, "citation", None), Citation)] == [], game.key
