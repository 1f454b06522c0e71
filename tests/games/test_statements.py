"""What the rules permit or define: nothing breaks such a sentence, but a referee could forget it."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from handrec import check, games
from handrec.dealing import deal_game
from tests.games.kbabs_hands import hand
from tests.tables import codes, deal, game, legal, legal_bids, verdict

FOUR = "0: {} | 1: {} | 2: AC QC | 3: 3C 4C"


def could(hands: str, lead: str, turn: str | None = "TH") -> set[str]:
    """What seat 1 may play to a lead of seat 0, with two cards each."""
    first, second = hands.split("|")
    card = second.split()[0]
    data = hand(hands=FOUR.format(first.strip(), second.strip()), turn=turn, plays=f"0 {lead}, 1 {card}", status="in_progress")
    place = next(spot for spot, event in enumerate(data["deals"][0]["events"]) if event["do"] == "play") + 1
    return legal(data, place)


@pytest.mark.parametrize(
    ("cards", "lead", "turn", "may"),
    [
        pytest.param("9H 2C|LJ 5D", "9H", "TH", {"LJ"}, id="kb-3.2-a-joker-is-a-trump"),
        pytest.param("9H 2C|LJ 5D", "9H", "BJ", {"LJ", "5D"}, id="kb-3.2-without-trumps-it-is-of-no-other-suit"),
        pytest.param("9H 2C|AH 3H", "9H", "TH", {"AH", "3H"}, id="kb-5.5-no-duty-to-rise"),
        pytest.param("9D 2C|AH 3S", "9D", "TH", {"AH", "3S"}, id="kb-5.6-no-duty-to-trump"),
    ],
)
def test_what_may_be_played(cards: str, lead: str, turn: str, may: set[str]) -> None:
    """KB-3.2, KB-5.5, KB-5.6: jokers belong to trumps, nobody has to rise, nobody has to trump."""
    assert could(cards, lead, turn) == may


@pytest.mark.parametrize(("others", "free"), [("0 0 0", [0]), ("0 1 0", [1, "board"]), ("1 1 0", [0, 1, "board"])])
def test_kb_4_5_one_card_each(others: str, free: list[int | str]) -> None:
    """With one card each, the dealer's bids are those that do not make one trick of all bids."""
    bids = ", ".join(f"{seat} {bid}" for seat, bid in enumerate(others.split())) + ", 3 0"
    data = hand(hands="0: 2C | 1: 3C | 2: 4C | 3: 5C", bids=bids, status="in_progress")
    assert legal_bids(data, 4, [0, 1, "board"]) == free


def test_kb_5_8_looking_back_is_not_refereed() -> None:
    """There is no event for looking at an older trick, and so nothing to find."""
    kbabs = games.find("kbabs")
    assert kbabs is not None
    assert not any(rule.id == "KB-5.8" for rule in kbabs.rules)
    assert any(statement.id == "KB-5.8" for statement in kbabs.definitions)


@settings(max_examples=25, deadline=None)
@given(seed=st.integers(0, 2**32), players=st.integers(1, 9))
def test_kb_6_4_somebody_misses_in_every_hand(seed: int, players: int) -> None:
    """Bids never add up to the tricks, so in each hand somebody loses points."""
    kbabs = games.find("kbabs")
    assert kbabs is not None
    (result,) = check(deal_game(kbabs, players, seed, numbers=[1 + seed % (54 // players)])).deals
    assert min(result.scores.values()) < 0


def test_lb_6_lb_7_undealt_cards_stay_unseen() -> None:
    """Nothing is turned up; and a table may agree on another ladder."""
    turned = game("batarde", 3, deal(dealer="2", cards=5, turn="RS", status="in_progress"), options={"deal_schedule": [5, 6]})
    assert codes(verdict(turned)) == ["PLY007"]
    assert codes(verdict(game("batarde", 3, deal(dealer="2", cards=5, number=1, status="in_progress")))) == ["DEA005"]


@pytest.mark.parametrize("call", ["0H", "5AT", "3NT", "2C"])
def test_lb_11_lb_12_lb_15_any_first_call(call: str) -> None:
    """The first call may name any number in any of the six modes, and so imposes it."""
    data = game("batarde", 4, deal(dealer="3", cards=5, bids=f"0 {call}", status="in_progress"))
    assert codes(verdict(data)) == []


def test_lb_23_any_card_may_be_led() -> None:
    """The leader is bound by nothing, trumps and all."""
    hands = "0: FS TC | 1: NH JH | 2: TH MH | 3: VH CH"
    for card in ("FS", "TC"):
        data = game(
            "batarde",
            4,
            deal(dealer="3", cards=2, hands=hands, bids="0 1S, 1 1S, 2 1S, 3 0S", plays=f"0 {card}", status="in_progress"),
        )
        assert codes(verdict(data)) == []


def test_sp_8_bids_may_add_up_to_anything() -> None:
    """No bid is forbidden for the sum of all."""
    for bids in ("0 5, 1 4, 2 4", "0 0, 1 0, 2 0", "0 13, 1 13, 2 13"):
        assert codes(verdict(game("spades3", 3, deal(dealer="2", bids=bids, status="in_progress")))) == []


def test_bg_2_players_may_choose_the_same_suit() -> None:
    """Each player has a bid-card of every suit."""
    data = game("bugami", 3, deal(dealer="2", bids="0 S, 1 S, 2 S", status="in_progress"))
    assert codes(verdict(data)) == []


@settings(max_examples=20, deadline=None)
@given(seed=st.integers(0, 2**32), variant=st.sampled_from(["mega", "ultra", "demon"]))
def test_ba_com_3_ba_com_4_the_bastards_card_does_two_things(seed: int, variant: str) -> None:
    """With Nuisance, from trick 2 on, its card is played and makes trump (Mega), or makes its rank high or low."""
    bastard = games.find("bastard")
    assert bastard is not None
    record = deal_game(bastard, 3, seed, options={variant: True, "nuisance": True}, numbers=[1])
    first = next(event.card for event in record.deals[0].events if event.do == "turn")
    for trick in check(record).deals[0].played[1:]:
        shown = next(card for seat, card in trick.plays if seat == "bastard")
        trump, led = (shown if variant == "mega" else first)[1], trick.plays[0][1][1]
        ranks = [rank for rank in "23456789TJQKA" if variant == "mega" or rank != shown[0]]
        ranks = {"mega": ranks, "ultra": [*ranks, shown[0]], "demon": [shown[0], *ranks]}[variant]
        best = max(trick.plays, key=lambda play: (play[1][1] == trump, play[1][1] == led, ranks.index(play[1][0])))
        assert trick.winner == best[0]
