"""One record out of many: versions of games with slips planted in them, of which it is known what is true.

A few truths of each kind and game show every run that true majorities are found, and nothing else; `pytest -m long -rP
tests/test_reconcile.py` takes six hundred of each kind and prints the figures. Some of the truths are whole games.
"""

from __future__ import annotations

from collections import Counter
from itertools import permutations
from random import Random
from typing import Any

import pytest

from handrec.diff import CannotSeat, Difference, compare, reconcile, vote
from handrec.diff.choices import linked
from handrec.explanations import check
from handrec.games import find
from handrec.judging import Judge
from handrec.repair import plain
from tests.planting import TABLES
from tests.reconciling import KINDS, Case, case, outcome
from tests.tables import Data, put
from tests.test_diff import HANDS, PLAYS, record, rows, small

GAMES = sorted(TABLES)


# --- with slips planted ---


def counted(kind: str, key: str, seeds: range) -> Counter[str]:
    """What comes of many truths of one kind."""
    return sum((outcome(case(kind, key, seed)) for seed in seeds), Counter())


def holds(found: Counter[str]) -> bool:
    """Whether 95 in 100 true majorities are found, none that is false, and no record is worse than its best source."""
    return 20 * found["found"] >= 19 * found["true"] > 0 == found["false"] + found["worse"]


@pytest.mark.some(1)
@pytest.mark.parametrize("kind", KINDS)
def test_true_majorities_are_found(kind: str) -> None:
    """In six games, a whole one among them."""
    found = sum((counted(kind, key, range(5 if key == "bugami" else 6, 7)) for key in GAMES), Counter())
    assert holds(found), found
    assert not found["refused"]
    assert found["right"] >= found["cases"] - 1  # where two of three are wrong in one place, nothing may tell


@pytest.mark.long
@pytest.mark.parametrize("key", GAMES)
@pytest.mark.parametrize("kind", KINDS)
def test_true_majorities_are_found_in_many(kind: str, key: str) -> None:
    """In a hundred truths, five of them whole games: six hundred of each kind."""
    found = counted(kind, key, range(100))
    print(
        f"{kind:9}{key:9}",
        *(f"{what} {found[what]}" for what in ("cases", "true", "found", "false", "worse", "right", "refused")),
    )
    assert holds(found), found
    assert found["refused"] <= 0.05 * found["cases"]


# --- in whatever order they come ---


def told(difference: Difference, order: tuple[int, ...]) -> Any:
    """All that is said of some records, in terms of the order in which they were first given."""
    at = [order.index(who) for who in range(len(order))]
    lines = [
        (
            row.path,
            row.place,
            row.what,
            [row.values[who] for who in at],
            sorted(order[who] for who in row.majority or ()),
            [row.votes[who] for who in at],
        )
        for row in difference.rows
    ]
    versions = vote(difference, find)
    needs = [
        [
            version.verdict.faults,
            None if version.changes is None else [(c.row.path, c.row.values[c.source]) for c in version.changes],
            version.edits,
        ]
        for version in (versions[who] for who in at)
    ]
    agreed, choices = reconcile(difference, find)
    made = [(choice.row.path, choice.row.values[choice.source], choice.reason) for choice in choices]
    bare = {key: value for key, value in plain(agreed).items() if key != "extensions"}
    return lines, needs, made, bare


def the_order_does_not_matter(one: Case, orders: int) -> None:
    """The same is said of all shuffled versions, but for their letters; or of none, if their seats cannot be matched."""
    records, many = one.records, len(one.versions)

    def said(order: tuple[int, ...]) -> Any:
        try:
            return told(compare([records[who] for who in order], find), order)
        except CannotSeat:
            return None

    first = said(tuple(range(many)))
    others = [*permutations(range(many))][1:]
    for order in Random(many).sample(others, min(orders, len(others))):
        assert said(order) == first, order


@pytest.mark.some(1)
@pytest.mark.parametrize("key", GAMES)
def test_the_order_of_the_records_does_not_matter(key: str) -> None:
    """Of single deals: rows, votes, what each version needs, and the reconciled record."""
    the_order_does_not_matter(case("order", key, 10), 2)
    the_order_does_not_matter(case("seats", key, 15), 2)


@pytest.mark.long
@pytest.mark.parametrize("key", GAMES)
def test_the_order_of_many_records_does_not_matter(key: str) -> None:
    """The same of more, a whole game among them."""
    for seed in (4, *range(20, 35)):
        the_order_does_not_matter(case("order", key, seed), 3)
        the_order_does_not_matter(case("seats", key, seed), 2)


# --- who votes, and what a majority is ---


def majorities(*versions: Data) -> list[tuple[str, str, tuple[int, ...] | None]]:
    """Where versions disagree, what about, and who are more than half."""
    return [(row.place, row.what, row.majority) for row in compare([record(data) for data in versions], find).rows]


def without(data: Data, *places: int) -> Data:
    """The record without some of its events."""
    events = data["deals"][0]["events"]
    return put(data, "/deals/0/events", [event for place, event in enumerate(events) if place not in places])


def test_two_who_leave_a_card_out_here_do_not_agree_if_one_has_it_elsewhere() -> None:
    """2's 5H stands at its place, before its turn, or nowhere: three say three things, and it is not struck out."""
    early = small(plays=PLAYS.replace("1 3H, 2 5H", "2 5H, 1 3H"))
    found = majorities(small(), early, small(plays=PLAYS.replace("2 5H, ", "")))
    assert {(what, majority) for _, what, majority in found} == {("play", None)}
    agreed, _ = reconcile(compare([record(small()), record(early), record(without(small(), 5))], find), find)
    assert rows(plain(agreed), small(), facts=True) == []


def test_a_card_written_twice_is_no_partner_of_one_that_is_lost() -> None:
    """A has 2's 5H twice, B not at all, C once: once it was played, and no vote counts for two plays."""
    twice = small(plays=PLAYS.replace("2 5H,", "2 5H, 2 5H,"))
    lost = small(plays=PLAYS.replace("2 5H, ", ""))
    assert majorities(twice, lost, small()) in (
        [("deal 16, trick 1, seat 2", "play", (0, 2)), ("deal 16, trick 1, seat 2", "play", (1, 2))],
        [("deal 16, trick 1, seat 2", "play", (1, 2)), ("deal 16, trick 1, seat 2", "play", (0, 2))],
    )


def test_what_could_stand_in_two_places_stands_in_its_trick() -> None:
    """One has 0's cards to two tricks exchanged, another lacks the second of them: 0's AH was played to the first."""
    plays = ["1 3H, 2 5H, 0 AH", "1 9S, 2 TC, 0 7C", "1 KH, 2 BJ, 0 2D"]
    exchanged = [plays[0].replace("AH", "7C"), plays[1].replace("7C", "AH"), plays[2]]
    found = majorities(*(small(plays="; ".join(each)) for each in (plays, exchanged, [plays[0], plays[2]])))
    assert [(place, majority) for place, _, majority in found] == [
        ("deal 16, trick 1, seat 0", (0, 2)),
        ("deal 16, trick 2, seat 1", (0, 1)),
        ("deal 16, trick 2, seat 2", (0, 1)),
        ("deal 16, trick 2, seat 0", None),
    ]


def test_the_same_card_in_two_tricks_is_no_majority() -> None:
    """One exchanged two cards of South's, another two rows: both have the ace of hearts later, not in the same trick."""
    found = outcome(case("together", "kbabs", 69))
    assert not found["false"], found


def test_a_call_in_three_places_is_a_majority_nowhere() -> None:
    """Those who leave it out in one place have it in two others."""
    bids = ("1 1, 2 0, 0 1", "2 0, 1 1, 0 1", "2 0, 0 1, 1 1")
    found = majorities(*(small(bids=each) for each in bids))
    assert not any(majority for place, _, majority in found if place.endswith("seat 1"))


def test_a_record_that_breaks_off_is_silent_on_what_follows() -> None:
    """Two that end with the first trick do not outvote one that goes on; one that lacks a single card does speak."""
    short = put(small(plays=PLAYS.split(";")[0]), "/deals/0/status", "stopped")
    difference = compare([record(short), record(small()), record(short)], find)
    assert all(row.majority is None and sum(row.votes) == 1 for row in difference.rows)
    agreed, choices = reconcile(difference, find)
    assert [choice.row for choice in choices] == [*difference.rows]
    assert {choice.reason for choice in choices} == {"only"}
    assert rows(plain(agreed), small(), facts=True) == []
    lost = small(plays=PLAYS.replace(", 0 2D", ""))
    assert majorities(small(), small(), lost) == [("deal 16, trick 3, seat 0", "play", (0, 1))]
    assert compare([record(lost), record(lost), record(small())], find).rows[0].votes == (True, True, True)
    doubled = small(plays=PLAYS + "; 1 KH, 2 BJ, 0 2D")
    assert {majority for _, _, majority in majorities(small(), doubled, small())} == {(0, 2)}


def test_a_record_that_breaks_off_speaks_of_what_came_before() -> None:
    """Two have another card in a hand, and one of them ends with the first trick."""
    other = small(hands=HANDS.replace("KH", "QH"))
    short = put(
        {**other, "deals": [{**other["deals"][0], "events": other["deals"][0]["events"][:7]}]}, "/deals/0/status", "stopped"
    )
    assert ("deal 16, seat 1", "hand", (1, 2)) in majorities(small(), other, short)


def test_who_has_not_the_deal_or_has_not_seen_the_card_does_not_vote() -> None:
    """Neither for nor against: of two that speak, both must agree."""
    none = {**small(), "deals": []}
    assert majorities(none, small(), small()) == [("deal 16", "deal", (1, 2))]
    (row,) = compare([record(none), record(small()), record(none)], find).rows
    assert (row.votes, row.standing) == ((False, True, False), "only")
    other = small(plays=PLAYS.replace("2 5H", "2 TC"))
    assert majorities(none, small(), other)[1:] == [("deal 16, trick 1, seat 2", "play", None)]
    unseen = small(plays=PLAYS.replace("2 5H", "2 ??"), hands=HANDS.replace("5H", "??"))
    assert {majority for _, _, majority in majorities(unseen, small(), small())} == {(1, 2)}
    assert {majority for _, _, majority in majorities(unseen, small(), other)} == {(1, 2), None}
    assert {majority for _, _, majority in majorities(unseen, unseen, small())} == {None}


def test_a_deal_with_another_number_is_found_by_its_cards() -> None:
    """It is one deal, misnumbered, and no other."""
    assert majorities(small(), small(number=15), small()) == [("deal 15", "number", (0, 2))]


# --- what is one choice ---

EXCHANGED = PLAYS.replace("0 AH", "0 2D").replace("BJ, 0 2D", "BJ, 0 AH")


def test_linked_rows_are_one_choice() -> None:
    """Two cards exchanged look worse one at a time; they are taken together, though the best record has other faults."""
    exchanged = small(plays=EXCHANGED, claimed={"winners": ["0", "1", "2"]})
    miscounted = small(claimed={"winners": ["1", "0", "0"]})
    difference = compare([record(exchanged), record(miscounted)], find)
    faults = [len(check(each, Judge(find)).faults) for each in difference.records]
    assert 0 < faults[0] < faults[1]
    assert [len(link) for link in linked(difference.rows)] == [2, 3]
    agreed, choices = reconcile(difference, find)
    assert [choice.row for choice in choices] == [*difference.rows]
    assert [(choice.row.what, choice.source, choice.reason) for choice in choices] == [
        *[("play", 1, "rules")] * 2,
        *[("claimed winner", 0, "rules")] * 3,
    ]
    assert check(agreed, Judge(find)).ok
    needs = [{change.row.what for change in version.changes or ()} for version in vote(difference, find)]
    assert needs == [{"play"}, {"claimed winner"}]


def test_a_card_given_to_another_hand_is_one_choice_with_the_hand_that_lacks_it() -> None:
    """Hands that differ in one card are linked, those that differ in others are not."""
    given = small(hands="0: AH 7C | 1: 3H KH 9S 2D | 2: 5H TC BJ")
    rows_ = compare([record(small()), record(given)], find).rows
    assert [len(link) for link in linked(rows_)] == [2]
    both = small(hands="0: AH 7C 3D | 1: 3H KH 4D | 2: 5H TC BJ")
    assert [len(link) for link in linked(compare([record(small()), record(both)], find).rows)] == [1, 1]


def test_a_hand_is_not_linked_with_plays_of_cards_that_all_give_to_it() -> None:
    """It differs in another card."""
    other = small(plays=EXCHANGED, hands="0: AH 8C 2D | 1: 3H KH 9S | 2: 5H TC BJ")
    assert [len(link) for link in linked(compare([record(small()), record(other)], find).rows)] == [1, 2]


def test_a_hand_in_another_order_is_the_same_hand() -> None:
    """So two of three have it, though no two wrote the same."""
    hands = [f"0: {cards} | 1: 3H KH 9S | 2: 5H TC BJ" for cards in ("AH 7C 2D", "2D AH 7C", "AH 7C 3D")]
    difference = compare([record(small(hands=each)) for each in hands], find)
    assert [(row.what, row.majority) for row in difference.rows] == [("hand", (0, 1))]
    assert [len(version.changes or ()) for version in vote(difference, find)] == [0, 0, 1]


def test_the_rules_are_for_a_choice_only_if_every_other_is_worse() -> None:
    """Who leads is said by one record otherwise than by the other, but nothing is wrong with either: nothing is said."""
    one, other = small(comments=[{"text": "a"}], aside={"rest": ["6S"]}), small(aside={"rest": ["QS"]})
    _, choices = reconcile(compare([record(one), record(other)], find), find)
    assert {choice.reason for choice in choices if choice.row.what.startswith("aside")} == {"best"}


def test_what_only_one_says_is_left_out_if_it_is_wrong() -> None:
    """The two best records do not say who led; the third says it wrong."""
    wrong = small(leader="0")
    agreed, choices = reconcile(compare([record(small()), record(small()), record(wrong)], find), find)
    assert [(choice.row.what, choice.reason) for choice in choices] == [("leader", "best")]
    assert check(agreed, Judge(find)).ok


def test_plays_are_not_left_out_to_have_nothing_found_wrong() -> None:
    """A revoke that one record tells stays, though the other, which has the hands alone, has no fault."""
    revoke = small(plays=PLAYS.replace("0 AH", "0 2D").replace("0 2D; 0 7C", "0 7C; 0 2D").replace("BJ, 0 2D", "BJ, 0 AH"))
    hands = put(small(), "/deals/0/events", [])
    agreed, _ = reconcile(compare([record(revoke), record(hands)], find), find)
    assert len(agreed.deals[0].events) == len(revoke["deals"][0]["events"])


def test_a_record_is_written_wherever_one_of_them_is_one() -> None:
    """More comments than a record may have come together: those of one record stand."""
    one, other = (small(comments=[{"text": f"{who} {place}"} for place in range(600)]) for who in "ab")
    difference = compare([record(one), record(other)], find)
    for judged in (None, find):
        agreed, _ = reconcile(difference, judged)
        assert len(agreed.deals[0].comments) == 600
