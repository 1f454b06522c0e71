"""Diff: its laws over dealt games of every kind, and what is a difference and what is none."""

from __future__ import annotations

import copy
from collections.abc import Iterator
from contextlib import suppress
from functools import cache
from itertools import combinations, pairwise, permutations, product
from random import Random
from time import process_time
from typing import Any

import jsonpatch
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from pydantic import ValidationError

from handrec import dumps, loads
from handrec.diff import Settling, compare, json_patch, merge_patch, reconcile, vote
from handrec.diff.align import GAP, align
from handrec.diff.leaves import gather, spread
from handrec.games import find
from handrec.record import Record
from handrec.repair import ABSENT, plain
from handrec.writing import canonical
from tests.dealing import GAMES
from tests.differing import change_a_fact, copied, dealt, mutated, other_player
from tests.tables import deal, game

some = settings(max_examples=10, deadline=None, suppress_health_check=list(HealthCheck))
seeds = st.integers(0, 40)
changes = st.integers(0, 100_000)


def record(data: dict[str, Any]) -> Record:
    """Plain values as a record."""
    return Record.model_validate(data)


def mirrored(rows: Any) -> list[Any]:
    """The rows with what each record states the other way round."""
    return [(row.path, row.deal, row.leaves[::-1], row.votes[::-1]) for row in rows]


def merged(target: Any, patch: Any) -> Any:
    """A merge patch applied, as RFC 7386 section 2 describes it."""
    if not isinstance(patch, dict):
        return patch
    target = dict(target) if isinstance(target, dict) else {}
    for name, value in patch.items():
        if value is None:
            target.pop(name, None)
        else:
            target[name] = merged(target.get(name), value)
    return target


# --- laws ---


def barer(whole: Any) -> Iterator[tuple[tuple[Any, ...], list[Record]]]:
    """Records of plain values: as they are, and with one list or object empty, or not there, if that makes a record.

    Of deals and players the first alone is changed, and nothing within an event.
    """

    def within(part: Any, path: tuple[Any, ...]) -> Iterator[tuple[tuple[Any, ...], list[Record]]]:
        for step, inner in list(part.items() if isinstance(part, dict) else enumerate(part[:1])):
            if not isinstance(inner, dict | list):
                continue
            versions = [record(copy.deepcopy(whole))]
            part[step] = type(inner)()
            with suppress(ValidationError):
                versions.append(record(copy.deepcopy(whole)))
            if isinstance(part, dict):
                del part[step]
                with suppress(ValidationError):
                    versions.append(record(copy.deepcopy(whole)))
            part[step] = inner
            yield (*path, step), versions
            if step != "events":
                yield from within(inner, (*path, step))

    yield from within(whole, ())


@pytest.mark.some(1)
@pytest.mark.parametrize("seed", range(len(GAMES)), ids=lambda seed: GAMES[seed].key)
@pytest.mark.parametrize("share", range(14))
def test_of_any_part_nothing_may_be_on_record(seed: int, share: int) -> None:
    """Whatever one record has, and the other has empty or has not: both are heard, of a deal with a fault."""
    compared, data = set[tuple[Any, ...]](), copied(dealt(seed, 1))
    other_player(data["deals"][0], Random(seed))
    every = dict(barer(data))
    parts = [*every][share::14]
    for path in parts:
        for two in pairwise([*every[path], every[path][0]]):
            difference = compare(two, find)
            if not difference.same:
                vote(difference, find)
                Settling(difference, find).settle()
                compared.add(path)
    sheet = ("deals", 0, "claimed")
    matter = {("deals",), ("deals", 0, "events"), ("deals", 0, "hands"), sheet, (*sheet, "tricks")}
    assert matter <= {*every}
    assert matter & {*parts} <= compared
    assert compared


@some
@given(seeds)
def test_a_record_does_not_differ_from_itself(seed: int) -> None:
    """Nor from itself written down and read again."""
    one = dealt(seed)
    again = loads(dumps(one))
    assert compare([one, again], find).same
    assert compare([one, again, one]).same
    assert json_patch(plain(one), plain(again)) == []
    assert merge_patch(plain(one), plain(again)) == {}


@some
@given(seeds, changes, changes)
def test_the_order_of_two_records_does_not_matter(seed: int, left: int, right: int) -> None:
    """The same rows, with their sides exchanged."""
    one = mutated(dealt(seed), left)
    other = mutated(dealt(seed), right)
    there, back = compare([one, other], find), compare([other, one], find)
    assert mirrored(there.rows) == [(row.path, row.deal, row.leaves, row.votes) for row in back.rows]
    assert there.alike == back.alike


@some
@given(seeds, changes, changes)
def test_a_patch_leads_from_one_record_to_the_other(seed: int, left: int, right: int) -> None:
    """Exactly, as another implementation applies it; also where hands are only sorted otherwise."""
    one, other = plain(mutated(dealt(seed), left)), plain(mutated(dealt(seed), right))
    untouched = copy.deepcopy(one)
    assert canonical(jsonpatch.apply_patch(one, json_patch(one, other))) == canonical(other)
    assert canonical(merged(one, merge_patch(one, other))) == canonical(other)
    assert one == untouched


@some
@given(seeds, changes)
def test_what_differs_can_be_taken_over(seed: int, left: int) -> None:
    """A record with every differing place as the other has it says the same as the other."""
    from handrec.diff.vote import Change, changed

    one, other = dealt(seed), mutated(dealt(seed), left)
    difference = compare([one, other], find)
    taken = changed(difference, 0, [Change(row, 1) for row in difference.rows])
    assert taken is not None
    assert compare([taken, other], find).same


def planted(seed: int) -> tuple[Record, Record]:
    """A record, and the same with one error."""
    rng, right = Random(seed), dealt(seed % (20 if seed < 100 else 200), 1)
    data = copied(right)
    change_a_fact(data, rng)
    return right, record(data)


def the_majority_finds_the_error(seed: int) -> None:
    """Of three records, two are right: every difference is the third's, and together they give the right one."""
    right, wrong = planted(seed)
    place = seed % 3
    three = [right, right, right]
    three[place] = wrong
    difference = compare(three, find)
    assert difference.rows, seed
    for row in difference.rows:
        assert row.majority == tuple(who for who in range(3) if who != place), (seed, row)
    agreed, choices = reconcile(difference, find)
    assert compare([agreed, right], find, facts=True).same, seed
    assert {choice.reason for choice in choices} == {"majority"}


def test_a_majority_of_three_finds_the_error() -> None:
    """In each of some random triples."""
    for seed in range(15):
        the_majority_finds_the_error(seed)


@pytest.mark.long
def test_a_majority_of_three_finds_the_error_in_many() -> None:
    """In each of 1,000 more."""
    for seed in range(40, 1040):
        the_majority_finds_the_error(seed)


WORDS = st.lists(st.tuples(st.sampled_from("NE"), st.sampled_from("123")), max_size=6)


def price(one: tuple[str, str], other: tuple[str, str]) -> int | None:
    """Alike, by the same seat, or neither."""
    return 0 if one == other else 2 if one[0] == other[0] else None


@settings(max_examples=40, deadline=None)
@given(WORDS, WORDS)
def test_no_alignment_is_cheaper(one: list[tuple[str, str]], other: list[tuple[str, str]]) -> None:
    """The cost is the least there is, by trying everything."""

    @cache
    def least(i: int, j: int) -> int:
        if i == len(one) or j == len(other):
            return GAP * (len(one) - i + len(other) - j)
        costs = [GAP + least(i + 1, j), GAP + least(i, j + 1)]
        both = price(one[i], other[j])
        return min(costs + ([] if both is None else [both + least(i + 1, j + 1)]))

    columns = align([one, other], str, price)
    assert [column[0] for column in columns if 0 in column] == list(range(len(one)))
    assert [column[1] for column in columns if 1 in column] == list(range(len(other)))
    costs = [GAP if len(column) < 2 else price(one[column[0]], other[column[1]]) for column in columns]
    assert None not in costs
    assert sum(cost for cost in costs if cost) == least(0, 0)


@settings(max_examples=25, deadline=None)
@given(st.lists(st.lists(st.tuples(st.sampled_from("NE"), st.sampled_from("123")), max_size=4), min_size=3, max_size=3))
def test_no_alignment_of_three_is_cheaper(three: list[list[tuple[str, str]]]) -> None:
    """All pairs together pay the least there is, by trying everything; in whatever order the three come."""

    def paid(parts: list[tuple[str, str] | None]) -> int | None:
        pairs = [pair for pair in combinations(parts, 2) if pair != (None, None)]
        costs = [GAP if None in pair else price(*pair) for pair in pairs]
        return None if None in costs else sum(costs)

    @cache
    def least(*at: int) -> int:
        found = []
        for step in product((0, 1), repeat=3):
            to = [place + one for place, one in zip(at, step, strict=True)]
            if any(step) and all(place <= len(parts) for place, parts in zip(to, three, strict=True)):
                cost = paid([parts[place] if one else None for parts, place, one in zip(three, at, step, strict=True)])
                found += [] if cost is None else [cost + least(*to)]
        return min(found, default=0)

    columns = align(three, str, price)
    costs = [paid([three[who][column[who]] if who in column else None for who in range(3)]) for column in columns]
    assert None not in costs
    assert sum(cost for cost in costs if cost) == least(0, 0, 0)
    for order in permutations(range(3)):
        other = align([three[who] for who in order], str, price)
        assert sorted(str(sorted((order[at], place) for at, place in column.items())) for column in other) == sorted(
            str(sorted(column.items())) for column in columns
        )


def test_many_different_sequences_are_aligned_in_good_time() -> None:
    """Two dozen, each of which lacks another part of forty: each part has a column of its own."""
    parts = [("NESW"[place % 4], str(place)) for place in range(40)]
    many = [parts[:gone] + parts[gone + 1 :] for gone in range(24)]
    start = process_time()
    columns = align(many, str, lambda one, other: None if one[0] != other[0] else 0 if one == other else 2)
    assert process_time() - start < 20
    assert [{many[who][place] for who, place in column.items()} for column in columns] == [{part} for part in parts]


# --- what is no difference ---

HANDS = "0: AH 7C 2D | 1: 3H KH 9S | 2: 5H TC BJ"
PLAYS = "1 3H, 2 5H, 0 AH; 0 7C, 1 9S, 2 TC; 1 KH, 2 BJ, 0 2D"


def small(**fields: Any) -> dict[str, Any]:
    """A deal of three cards, legal if nothing is changed."""
    stated = {"hands": HANDS, "turn": "6S", "bids": "1 1, 2 0, 0 1", "plays": PLAYS, "number": 16, "dealer": "0", "cards": 3}
    return game("kbabs", 3, deal(**{**stated, **fields}))


def rows(*records: dict[str, Any], **how: Any) -> list[tuple[Any, ...]]:
    """Where records differ: place, what, and what each states."""
    return [(row.place, row.what, *row.values) for row in compare(list(map(record, records)), find, **how).rows]


def test_the_order_of_cards_and_keys_is_no_difference() -> None:
    """A hand is a set, an object has no order."""
    other = small(hands="2: BJ TC 5H | 0: 2D AH 7C | 1: 9S KH 3H")
    other["deals"][0] = dict(reversed(other["deals"][0].items()))
    assert rows(small(), other) == []


def test_a_play_without_a_seat_is_by_the_one_in_turn() -> None:
    """The referee's replay says whose it was; without the referee it is not known."""
    other = small(plays="3H, 5H, AH; 7C, 9S, TC; KH, BJ, 2D")
    assert rows(small(), other) == []
    assert not compare([record(small()), record(other)]).same
    wrong = small(plays="3H, 5H, AH; 7C, 9S, TC; KH, 2 BJ, 1 2D")
    assert [(place, what) for place, what, *_ in rows(small(), wrong)] == [("deal 16, trick 3", "play")]


def test_a_default_need_not_be_stated() -> None:
    """Of an option, if the game is known, and of a status."""
    other = small(status="complete")
    other["options"] = {"ladder": "down_up"} if _default("ladder") == "down_up" else {"ladder": _default("ladder")}
    assert rows(small(), other) == []
    other["options"] = {"ladder": "down" if _default("ladder") != "down" else "up"}
    assert [row[1] for row in rows(small(), other)] == ["option ladder"]


def _default(key: str) -> Any:
    kbabs = find("kbabs")
    assert kbabs is not None
    return next(option.default for option in kbabs.options if option.key == key)


def test_bids_made_at_the_same_moment_have_no_order() -> None:
    """In Bugami they do not, in Killer Back Alley Bridge Substitute they do."""
    bids = [{"do": "bid", "by": seat, "bid": bid} for seat, bid in (("0", "H"), ("1", "S"), ("2", "turnip"))]
    one, other = (game("bugami", 3, {"number": 1, "events": told}) for told in (bids, bids[::-1]))
    assert rows(one, other) == []
    assert rows(small(), small(bids="2 0, 1 1, 0 1")) != []


def test_a_comment_goes_with_its_event() -> None:
    """One that is about the same play is the same, though a bid before it is missing."""
    said = [{"text": "hm", "event": 6, "by": "Ann"}]
    fewer = [{"text": "hm", "event": 5, "by": "Ann"}]
    assert rows(small(comments=said), small(comments=fewer, bids="1 1, 2 0")) == [
        ("deal 16, seat 0", "bid", {"do": "bid", "by": "0", "bid": 1}, ABSENT)
    ]
    assert [row[1] for row in rows(small(comments=said), small(comments=fewer))] == ["comment", "comment"]


# --- what is one ---


def play(seat: str, card: str) -> dict[str, str]:
    """A play as the record has it."""
    return {"do": "play", "by": seat, "card": card}


def test_a_missing_play_is_one_difference() -> None:
    """What comes after it is not another."""
    fewer = PLAYS.replace("1 9S, ", "")
    assert rows(small(), small(plays=fewer)) == [("deal 16, trick 2, seat 1", "play", play("1", "9S"), ABSENT)]
    more = PLAYS.replace("2 5H,", "2 5H, 2 5H,")
    assert [row[:2] for row in rows(small(), small(plays=more))] == [("deal 16, trick 1, seat 2", "play")]


def test_each_thing_that_differs_is_named() -> None:
    """From the game to the notes, each in its place."""
    one = small(claimed={"scores": {"0": 5}, "winners": ["0", "0", "2"]}, comments=[{"text": "a"}], aside={"rest": ["6S"]})
    other = small(
        claimed={"scores": {"0": 6}, "winners": ["0", "1", "2"]}, leader="1", hands=HANDS.replace("AH", "QH"),
        bids="1 1, 2 1, 0 1", plays=PLAYS.replace("AH", "QH"),
    )  # fmt: skip
    one["claimed"] = {"totals": {"1": 3}, "winners": ["1", "0"]}
    other["claimed"] = {"totals": {"1": 4}, "winners": ["0", "1"]}
    one["players"][1]["name"] = "Ann"
    one["id"], other["provenance"], other["extensions"] = "x", {"tool": "pen"}, {"club": 1}
    assert [row[:2] for row in rows(one, other)] == [
        ("deal 16", "leader"),
        ("deal 16, seat 0", "hand"),
        ("deal 16", "aside rest"),
        ("deal 16, seat 2", "bid"),
        ("deal 16, trick 1, seat 0", "play"),
        ("deal 16, seat 0", "claimed score"),
        ("deal 16, trick 2", "claimed winner"),
        ("deal 16", "comment"),
        ("seat 1", "claimed total"),
        ("seat 1", "name"),
        ("", "provenance tool"),
        ("", "extension club"),
        ("", "id"),
    ]
    assert [row[1] for row in rows(one, other, facts=True)][-2:] == ["claimed winner", "claimed total"]


def test_deals_are_matched_by_number_else_by_what_happened() -> None:
    """A deal that is left out leaves the others where they are."""
    whole = plain(dealt(0, 3))
    fewer = {**whole, "deals": whole["deals"][::2]}
    numbers = [deal["number"] for deal in whole["deals"]]
    assert [row[:2] for row in rows(whole, fewer)] == [(f"deal {numbers[1]}", "deal")]
    swapped = {**whole, "deals": whole["deals"][::-1]}
    assert rows(whole, swapped) == []
    bare = [{**part, "deals": [{k: v for k, v in d.items() if k != "number"} for d in part["deals"]]} for part in (whole, fewer)]
    assert [row[1] for row in rows(*bare)] == ["deal"]


def test_one_record_cannot_be_compared() -> None:
    """That is the caller's mistake."""
    with pytest.raises(ValueError, match="two records"):
        compare([record(small())])


# --- the rules' vote ---


def test_the_rules_say_which_version_can_be_right() -> None:
    """And what the other needs: the one card, though a note differs as well."""
    other = small(plays=PLAYS.replace("0 AH; 0 7C", "0 7C; 0 AH"), claimed={"bids": {"0": 1}})
    difference = compare([record(small()), record(other)], find)
    right, wrong = vote(difference, find)
    assert (right.verdict.ok, right.changes, right.edits) == (True, (), ())
    assert not wrong.verdict.ok
    assert wrong.changes is not None
    assert {(change.row.place, change.row.what, change.source) for change in wrong.changes} == {
        ("deal 16, trick 1, seat 0", "play", 0),
        ("deal 16, trick 2, seat 0", "play", 0),
    }


def test_what_no_other_version_has_is_sought_elsewhere() -> None:
    """Both lack the same play: the repair finds it."""
    fewer = PLAYS.replace(", 0 2D", "")
    difference = compare([record(small(plays=fewer)), record(small(plays=fewer, leader="1"))], find)
    for version in vote(difference, find):
        assert not version.verdict.ok
        assert version.changes is None
        assert version.edits


@some
@given(seeds, changes)
def test_with_the_changes_named_nothing_is_wrong(seed: int, left: int) -> None:
    """Whatever was changed, the changes bring a version to where the referee finds nothing."""
    from handrec.diff.vote import changed
    from handrec.referee import check

    one, other = dealt(seed, 1), mutated(dealt(seed, 1), left)
    difference = compare([one, other], find)
    if difference.same or check(other, find).ok:
        return
    version = vote(difference, find)[1]
    if version.changes is not None:
        mended = changed(difference, 1, version.changes)
        assert mended is not None
        assert check(mended, find).ok
        for change in version.changes if len(version.changes) < 3 else ():
            fewer = changed(difference, 1, [each for each in version.changes if each is not change])
            assert fewer is None or not check(fewer, find).ok


# --- one record out of many ---


def test_each_disputed_value_says_where_it_is_from() -> None:
    """Majority, the only one who says anything, and what the rules are for."""
    one = small(claimed={"scores": {"0": 1}})
    two = small(plays=PLAYS.replace("3H", "9D"), leader="1")
    three = small(plays=PLAYS.replace("2 5H", "2 TC"))
    one["id"], two["provenance"] = "x", {"tool": "pen"}
    agreed, choices = reconcile(compare(list(map(record, (one, two, three))), find), find, ["one", "two", "three"])
    assert [(choice.row.place, choice.row.what, choice.source, choice.reason) for choice in choices] == [
        ("deal 16", "leader", 1, "only"),
        ("deal 16, trick 1, seat 1", "play", 0, "majority"),
        ("deal 16, trick 1, seat 2", "play", 0, "majority"),
        ("deal 16, seat 0", "claimed score", 0, "only"),
    ]
    told = agreed.extensions["handrec.reconciled"]
    assert told["from"] == [{"name": "one", "id": "x"}, {"name": "two", "provenance": {"tool": "pen"}}, {"name": "three"}]
    assert told["choices"][1] == {
        "pointer": "/deals/0/events/4",
        "place": "deal 16, trick 1, seat 1: play",
        "reason": "majority",
        "for": ["one", "three"],
        "others": {"two": {"value": play("1", "9D")}},
    }
    assert agreed.provenance is not None
    assert agreed.id is None
    assert loads(dumps(agreed)) == agreed
    assert rows(plain(agreed), small(claimed={"scores": {"0": 1}}, leader="1"), facts=True) == []


@pytest.mark.parametrize("right_first", [True, False])
def test_where_two_disagree_the_rules_decide(right_first: bool) -> None:
    """Whichever comes first; so it is, too, with what nothing tells apart."""
    right, wrong = small(leader="1"), small(leader="1", plays=PLAYS.replace("2 5H", "2 TC"))
    two = [right, wrong] if right_first else [wrong, right]
    agreed, choices = reconcile(compare(list(map(record, two)), find), find)
    assert [choice.reason for choice in choices] == ["rules"]
    assert rows(plain(agreed), right, facts=True) == []
    untold, choices = reconcile(compare(list(map(record, two))))
    assert [choice.reason for choice in choices] == ["best"]
    assert rows(plain(untold), plain(reconcile(compare([record(right), record(wrong)]))[0]), facts=True) == []


def test_a_comment_finds_its_event_in_the_reconciled_record() -> None:
    """A bid that only one has stands before the event that the other's comment is about, and counts."""
    said = {"comments": [{"text": "hm", "event": 5, "by": "Ann"}]}
    agreed, _ = reconcile(compare([record(small()), record(small(bids="1 1, 2 0", **said))], find), find)
    (comment,) = agreed.deals[0].comments
    assert (comment.event, agreed.deals[0].events[5]) == (6, record(small(**said)).deals[0].events[5])


def test_a_seat_may_be_called_as_a_field_is() -> None:
    """Names are no comments, whatever the seat is called and whatever is written there."""
    data = {**small(), "players": [{"seat": seat, "name": "the event"} for seat in ("comments", "events", "event")]}
    data["deals"] = []
    other = {**data, "id": "x"}
    agreed, _ = reconcile(compare([record(data), record(other)], find), find)
    assert [(player.seat, player.name) for player in agreed.players] == [(p["seat"], p["name"]) for p in data["players"]]


@pytest.mark.parametrize("seat", ["events", "comments", "hands", "aside", "pack", "status", "claimed", "deal"])
@pytest.mark.parametrize("excerpt", [False, True])
def test_the_total_of_a_seat_is_a_fact_whatever_the_seat_is_called(seat: str, excerpt: bool) -> None:
    """What is claimed of the whole game is nothing of a deal, though a seat there may stand where a field of a deal does."""
    data = {**game("spades3", f"{seat} b c"), "status": "excerpt" if excerpt else "complete"}
    one, other = (record({**data, "claimed": {"totals": {seat: points, "b": 7}}}) for points in (1, 2))
    (row,) = compare([one, other], find).rows
    assert (row.what, row.note, row.seat, row.values, row.votes) == ("claimed total", False, seat, (1, 2), (True, True))
    agreed, _ = reconcile(compare([other, other, one], find))
    assert agreed.claimed
    assert agreed.claimed.totals == other.claimed.totals  # type: ignore[union-attr]


def test_many_comments_on_many_events_are_gathered_quickly() -> None:
    """The columns of the events are found once, not for each comment."""
    events = [{"do": "play", "card": "??"}] * 4000
    data = {**small(), "deals": [{"number": 1, "events": events, "comments": [{"text": "hm", "event": 4000}] * 1000}]}
    leaves = spread([record(data)])[0]
    start = process_time()
    (gathered,) = gather(leaves)["deals"]
    assert process_time() - start < 1
    assert gathered["comments"] == data["deals"][0]["comments"]


@some
@given(seeds, st.lists(changes, min_size=2, max_size=4))
def test_what_is_reconciled_can_be_written_and_read(seed: int, others: list[int]) -> None:
    """Any versions give a record, and each pointer leads to what stands there."""
    from handrec.repair.edits import value_at

    records = [mutated(dealt(seed, 1), other) for other in others]
    difference = compare(records, find)
    agreed, choices = reconcile(difference)
    assert loads(dumps(agreed)) == agreed
    data = plain(agreed)
    (told,) = (value["choices"] for key, value in agreed.extensions.items() if key == "handrec.reconciled")
    for choice, said in zip(choices, told, strict=True):
        leaf = choice.row.leaves[choice.source]
        assert ("pointer" in said) == (leaf is not None)
        if leaf is not None and len(choice.row.path) > 2 and choice.row.what != "comment":
            assert value_at(data, said["pointer"]) == leaf.value
