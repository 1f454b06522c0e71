"""Three-player Spades: for every rule a record that breaks it and nothing else, and one that obeys it.

Most records are one legal hand with one thing changed, or only bidding, or only sheets.
"""

from __future__ import annotations

from typing import Any
from unittest.mock import ANY

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from handrec import check
from handrec.dealing import deal_game
from handrec.game import compose
from handrec.games import find
from handrec.games.spades3 import GAME, PACK
from handrec.referee import rules_of
from tests.tables import (
    Data,
    by_seat,
    codes,
    cut,
    deal,
    drop,
    faults,
    game,
    insert,
    levels,
    places,
    put,
    reasons,
    remarks,
    sheet,
    spades_hand,
    verdict,
)

Place = tuple[Any, ...]
Case = tuple[Data, Place]
EVENTS = "/deals/0/events"


def at(pointer: str, what: str, seat: str | None = None, trick: int | None = None, deal: int | None = 1) -> Place:
    """The finding expected at a place of the first deal; `what` is its code and rule id."""
    code, rule = what.split()
    where = pointer if deal is None or pointer.startswith("/deals") else f"/deals/0{pointer}"
    return (code, rule, deal, trick, seat, where)


def legal_hand(**fields: Any) -> Data:
    """A whole legal hand: 0 to 2 bid, 3 to 41 play; seat 0 wins the first four tricks."""
    played = deal(
        number=1,
        dealer="2",
        hands="0: QH JH TH 5H 3H KD TD 7D 5D AC QC 8C 2C | 1: 2S 9S 6S 5S AH KH 8H 6H 4H 8D 6D KC JC"
        " | 2: BJ 8S 3S 9H QD JD 9D 4D TC 7C 5C 4C 3C",
        aside={"discard": ["LJ", "AS", "KS", "QS", "JS", "TS", "7S", "4S", "7H", "AD", "3D", "9C", "6C"]},
        bids="0 5, 1 4, 2 4",
        plays="0 TD, 1 8D, 2 4D; 0 JH, 1 6H, 2 9H; 0 AC, 1 KC, 2 3C; 0 QC, 1 JC, 2 4C; 0 3H, 1 AH, 2 QD; 1 4H, 2 5C, 0 TH;"
        "0 7D, 1 6D, 2 9D; 2 JD, 0 KD, 1 9S; 1 KH, 2 BJ, 0 QH; 2 TC, 0 8C, 1 2S; 1 5S, 2 8S, 0 2C; 2 7C, 0 5H, 1 6S;"
        "1 8H, 2 3S, 0 5D",
        claimed={
            "trump": "S", "bids": by_seat("5 4 4"), "winners": list("0000102121212"), "tricks": by_seat("5 4 4"),
            "scores": by_seat("50 40 40"), "totals": by_seat("50 40 40"),
        },
    )  # fmt: skip
    return game("spades3", 3, played, **{"status": "stopped", **fields})


LEGAL = legal_hand()
BARE = drop(LEGAL, "/deals/0/claimed")


def said(text: str) -> list[Data]:
    """`"0 blind 5, 0 look, 0 6, 1 bemo"` as events."""
    events: list[Data] = []
    for part in filter(None, text.split(",")):
        by, *words = part.split()
        number = words[-1].lstrip("-").isdigit()
        event = {"do": "bid", "by": by, "bid": int(words[-1])} if number else {"do": "announce", "by": by, "what": words[-1]}
        events.append(event | ({"blind": True} if words[0] == "blind" else {}))
    return events


def bidding(text: str, late: str = "", **options: Any) -> Data:
    """Only bidding, perhaps with something said after the first card; seat 2 dealt."""
    lead = [{"do": "play", "by": "0", "card": "4C"}, *said(late)] if late else []
    return game("spades3", 3, deal(number=1, dealer="2", status="in_progress", then=[*said(text), *lead]), options=options)


def accuse(by: str, of: str, **fields: Any) -> Data:
    """A claim that somebody reneged."""
    return {"do": "accuse", "by": by, "of": of, **fields}


def books(by: str, of: str, tricks: int, **fields: Any) -> Data:
    """Books taken from somebody."""
    return {"do": "transfer", "by": by, "of": of, "tricks": tricks, **fields}


def pack_in_order(after: str, dealer: str = "2") -> list[str]:
    """The pack as it was dealt, the discard pile lying to the left of a seat."""
    piles = {**LEGAL["deals"][0]["hands"], "D": LEGAL["deals"][0]["aside"]["discard"]}
    ring = [seat for player in "012" for seat in ([player, "D"] if player == after else [player])]
    start = ring.index(dealer) + 1
    turns = ring[start:] + ring[:start]
    return [piles[turns[place % 4]][place // 4] for place in range(52)]


BY_PACK = put(put(drop(BARE, "/deals/0/hands"), "/options", {"d_after_seat": "1"}), "/deals/0/pack", pack_in_order("1"))
WRONG_PACK = put(put(BARE, "/options", {"d_after_seat": "2"}), "/deals/0/pack", pack_in_order("1"))
MISPLACED = put(put(BY_PACK, "/deals/0/aside/discard/0", "QH"), "/deals/0/events", [])
OPEN_RENEGE = put(cut(BARE, 6), f"{EVENTS}/5/card", "??")
WINNERS = {"winners": list("0000102121212"), "tricks": by_seat("5 4 4")}


def sheets(*rows: tuple[str, str, str], **fields: Any) -> Data:
    """The first deals of a game, of which bids, tricks and scores are left."""
    rows_in_order = [sheet(*row, number=place) for place, row in enumerate(rows, 1)]
    return game("spades3", 3, *rows_in_order, **{"status": "stopped", **fields})


BEMO_SHEET = {**WINNERS, "bids": by_seat("5+bemo 4 4"), "scores": by_seat("150 40 40")}
BEMO = game("spades3", 3, {"number": 1, "events": [], "claimed": BEMO_SHEET}, status="stopped")
PERFECT = sheets(*(("5 4 4", "5 4 4", points) for points in ("50 40 40", "50 40 40", "150 140 140")))
OVER = sheets(("3 3 3", "9 4 0", "36 31 -30"), ("3 3 3", "9 1 3", "-64 -30 30"))
WHOLE = sheets(
    *(("9 4 0", "9 4 0", points) for points in ("200 40 200", "200 40 200", "300 140 300")),
    status="complete",
    claimed={"totals": by_seat("700 220 700"), "winners": ["0", "2"]},
)
LED_WRONG = deal_game(GAME, 3, 1, numbers=[1], inject="PLY004").model_dump(exclude_unset=True, by_alias=True)

BROKEN: dict[str, Case] = {
    "four-players": (game("spades3", 4), at("/players", "DEA004 SP-1", deal=None)),
    "two-of-hearts": (put(cut(BARE, 3), "/deals/0/hands/0/0", "2H"), at("/hands/0/0", "DEA001 SP-1", "0")),
    "trump": (put(LEGAL, "/deals/0/claimed/trump", "H"), at("/claimed/trump", "DEA009 SP-1")),
    "discard-pile-short": (drop(BARE, "/deals/0/aside/discard/0"), at("/aside/discard", "DEA003 SP-3")),
    "hand-short": (drop(cut(BARE, 3), "/deals/0/hands/1/0"), at("/hands/1", "DEA003 SP-3", "1")),
    "pack-dealt-otherwise": (WRONG_PACK, at("/hands/0", "DEA008 SP-4", ANY)),
    "pack-and-discard-pile": (MISPLACED, at("/aside/discard", "DEA008 SP-4", ANY)),
    "dealer-again": (
        game(
            "spades3",
            3,
            deal(number=1, dealer="2", status="in_progress"),
            deal(number=2, dealer="2", status="in_progress"),
            status="stopped",
        ),
        at("/deals/1/dealer", "DEA006 SP-5", "2", deal=2),
    ),
    "no-bid": (drop(BARE, f"{EVENTS}/1"), at("", "BID006 SP-6", "1")),
    "bid-14": (bidding("0 14, 1 3, 2 3"), at("/events/0/bid", "BID002 SP-6", "0")),
    "bid-below-none": (bidding("0 -1, 1 3, 2 3"), at("/events/0/bid", "BID002 SP-6", "0")),
    "blind-after-looking": (bidding("0 look, 0 blind 5"), at("/events/1/blind", "BID018 SP-6", "0")),
    "blind-after-open": (bidding("0 4, 1 4, 2 4, 1 blind 5"), at("/events/3/blind", "BID018 SP-6", "1")),
    "blind-after-bemo": (bidding("0 blind 4, 0 bemo, 0 blind 5"), at("/events/2/blind", "BID018 SP-6", "0")),
    "open-before-looking": (bidding("0 5, 0 look"), at("/events/0", "BID018 SP-6", "0")),
    "dealer-first": (bidding("2 3, 0 4, 1 4"), at("/events/0", "BID001 SP-7", "2")),
    "blind-after-anothers-unknown-blind": (bidding("1 blind 15, 2 blind 9, 0 4"), at("/events/0/bid", "BID002 SP-6", "1")),
    "blind-after-early-bemo": (bidding("0 bemo, 0 blind 4, 0 look"), at("/events/0", "BID019 SP-11", "0")),
    "blind-after-anothers-open": (bidding("0 3, 1 blind 4, 2 4"), at("/events/1", "BID001 SP-7", "1")),
    "lowered": (bidding("0 4, 1 4, 2 4, 0 3"), at("/events/3/bid", "BID017 SP-9", "0")),
    "same-again": (bidding("0 blind 5, 0 look, 0 5"), at("/events/2/bid", "BID017 SP-9", "0")),
    "raised-late": (bidding("0 4, 1 4, 2 4", "0 5"), at("/events/4", "BID007 SP-9", "0")),
    "first-bid-late": (bidding("0 4, 1 4", "2 5"), at("/events/3", "BID007 SP-9", "2")),
    "sheet-bid": (put(LEGAL, "/deals/0/claimed/bids/1", 3), at("/claimed/bids/1", "SCO004 SP-9", "1")),
    "sheet-blind": (put(LEGAL, "/deals/0/claimed/bids/1", "blind4"), at("/claimed/bids/1", "SCO004 SP-9", "1")),
    "bemo-twice": (bidding("0 4, 1 4, 2 4, 0 bemo, 0 bemo"), at("/events/4", "BID019 SP-11", "0")),
    "bemo-after-big-bemo": (bidding("0 4, 1 4, 2 4, 0 big_bemo, 0 bemo"), at("/events/4", "BID019 SP-11", "0")),
    "bemo-late": (bidding("0 4, 1 4, 2 4", "1 bemo"), at("/events/4", "BID019 SP-11", "1")),
    "bemo-before-looking": (bidding("0 blind 4, 0 bemo, 0 look"), at("/events/1", "BID019 SP-11", "0")),
    "blind-raise-forbidden": (
        bidding("0 blind 4, 0 look, 0 5", blind_raise="forbidden"),
        at("/events/2/bid", "BID020 SP-10", "0"),
    ),
    "number-beside-bemo": (bidding("0 bemo, 0 5", bemo_mode="standalone"), at("/events/1", "BID005 SP-11", "0")),
    "bemo-beside-number": (bidding("0 5, 0 bemo", bemo_mode="standalone"), at("/events/1", "BID019 SP-11", "0")),
    "first-leader": (put(BARE, "/deals/0/leader", "1"), at("/leader", "TRK003 SP-12")),
    "wrong-leader": (LED_WRONG, ("PLY004", "SP-12", 1, ANY, ANY, ANY)),
    "out-of-turn": (
        game("spades3", 3, deal(number=1, dealer="2", plays="0 4C, 2 5C, 1 6C", status="in_progress")),
        at("/events/1/by", "PLY003 SP-12", "2", 1),
    ),
    "spade-led": (
        put(put(cut(spades_hand(), 4), f"{EVENTS}/3/card", "KS"), "/options", {"spades_broken": True}),
        at("/events/3/card", "REV005 SP-12", "0", 1),
    ),
    "renege": (spades_hand(status="stopped"), at("/events/13/card", "REV001 SP-13", "2", 4)),
    "winner": (put(LEGAL, "/deals/0/claimed/winners/1", "2"), at("/claimed/winners/1", "TRK001 SP-14", "2", 2)),
    "claim-too-late": (insert(BARE, f"{EVENTS}/9", accuse("0", "1", trick=1)), at("/events/9", "CLM006 SP-22", "0", 2)),
    "tricks": (put(LEGAL, "/deals/0/claimed/tricks/1", 5), at("/claimed/tricks/1", "TRK002 SP-23", "1")),
    "books-for-nothing": (insert(BARE, f"{EVENTS}/9", books("0", "1", 1)), at("/events/9/tricks", "CLM007 SP-23", "0")),
    "books-of-another": (
        put(OPEN_RENEGE, EVENTS, [*OPEN_RENEGE["deals"][0]["events"], accuse("0", "2"), accuse("1", "2"), books("1", "2", 1)]),
        at("/events/8/by", "CLM008 SP-23", "1"),
    ),
    "ruling": (
        insert(BARE, f"{EVENTS}/9", {"do": "ruling", "of": "1", "trick": 1, "verdict": "upheld"}),
        at("/events/9/verdict", "CLM003 SP-24"),
    ),
    "total": (put(LEGAL, "/deals/0/claimed/totals/1", 41), at("/claimed/totals/1", "SCO002 SP-25", "1")),
    "stops-too-soon": (put(drop(WHOLE, "/claimed"), "/deals", WHOLE["deals"][:2]), at("/deals", "SCO005 SP-25", deal=None)),
    "goes-on": (
        insert(drop(WHOLE, "/claimed"), "/deals/3", sheet("3 3 3", "3 5 5", number=4)),
        at("/deals/3", "SCO005 SP-25", deal=None),
    ),
    "champion": (put(WHOLE, "/claimed/winners", ["0"]), at("/claimed/winners", "SCO003 SP-25", deal=None)),
    "score-of-the-bid": (
        put(drop(LEGAL, "/deals/0/claimed/totals"), "/deals/0/claimed/scores/0", 60),
        at("/claimed/scores/0", "SCO001 SP-15", "0"),
    ),
    "overtricks-forgotten": (put(OVER, "/deals/0/claimed/scores/0", 30), at("/claimed/scores/0", "SCO001 SP-16", "0")),
    "bemo-forgotten": (put(BEMO, "/deals/0/claimed/scores/0", 50), at("/claimed/scores/0", "SCO001 SP-17", "0")),
    "run-forgotten": (
        put(PERFECT, "/deals/2/claimed/scores/0", 50),
        at("/deals/2/claimed/scores/0", "SCO001 SP-18", "0", deal=3),
    ),
    "overbooks-forgotten": (
        put(OVER, "/deals/1/claimed/scores/0", 36),
        at("/deals/1/claimed/scores/0", "SCO001 SP-19", "0", deal=2),
    ),
}


@pytest.mark.parametrize("name", BROKEN)
def test_one_rule_broken_is_one_finding(name: str) -> None:
    """One thing wrong is one finding: of the right kind and rule, at the right place."""
    record, expected = BROKEN[name]
    assert places(faults(verdict(record))) == [expected]


def test_every_rule_has_a_record_that_breaks_it() -> None:
    """No rule of the game, under any option, without a record that breaks it; a false claim is only remarked on."""
    composed = [compose(GAME, {option.key: choice})[0] for option in GAME.options for choice in option.choices]
    rules = {(rule.code, getattr(rule, "id", "")) for each in composed for rule in rules_of(each)}
    assert rules - {expected[:2] for _, expected in BROKEN.values()} == {("CLM002", "SP-22")}


BLIND_SHEET = {"bids": by_seat("5 4 4"), "scores": by_seat("50 80 40")}
BLIND_ON_SHEET = put(LEGAL, EVENTS, [*said("1 blind 4, 0 5, 2 4"), *LEGAL["deals"][0]["events"][3:]])
BLIND_ON_SHEET = put(BLIND_ON_SHEET, "/deals/0/claimed", BLIND_SHEET)

OBEYED: dict[str, Data] = {
    "whole-hand": LEGAL,
    "pack": BY_PACK,
    "pack-beside-hands": put(put(BARE, "/options", {"d_after_seat": "1"}), "/deals/0/pack", pack_in_order("1")),
    "pack-discard-first": put(put(BARE, "/options", {"d_after_seat": "2"}), "/deals/0/pack", pack_in_order("2")),
    "pack-not-placed": put(BARE, "/deals/0/pack", pack_in_order("1")),
    "blind-any-order": bidding("2 blind 3, 1 blind 4, 0 4"),
    "raises-any-time": bidding("0 4, 0 5, 1 3, 0 6, 2 3, 1 4"),
    "bemo-raised": bidding("0 4, 0 bemo, 1 4, 0 big_bemo, 2 4"),
    "bemo-and-blind": bidding("1 blind 0, 1 look, 1 big_bemo, 0 3, 2 3"),
    "both": bidding("0 4, 1 4, 2 4, 0 big_bemo, 0 bemo", bemo_both=True),
    "free-order": bidding("2 3, 1 blind 4, 0 4", bid_order="free"),
    "stays-blind": bidding("0 blind 4, 0 look, 0 blind 5, 1 3, 2 3", blind_raise="stays_blind"),
    "raised-unseen": bidding("0 blind 4, 0 blind 5, 0 look, 1 3, 2 3", blind_raise="forbidden"),
    "standalone": bidding("0 bemo, 1 3, 0 big_bemo, 2 3", bemo_mode="standalone"),
    "sheet-without-blind": BLIND_ON_SHEET,
    "bemo": BEMO,
    "run": PERFECT,
    "overbooks": OVER,
    "whole": WHOLE,
}  # fmt: skip


@pytest.mark.parametrize("name", OBEYED)
def test_what_is_allowed_passes(name: str) -> None:
    """Records that obey every rule."""
    assert places(faults(verdict(OBEYED[name]))) == []


def test_a_claim_is_answered_sp_22() -> None:
    """Of a claim in time it is said whether it was right; a false one costs nothing."""
    told = verdict(insert(BARE, f"{EVENTS}/6", accuse("0", "1")))
    assert (codes(told), places(remarks(told))) == ([], [("CLM002", "SP-22", 1, 1, "0", f"{EVENTS}/6")])
    assert not remarks(told)[0].facts["upheld"]
    told = verdict(spades_hand(accuse("1", "2"), status="stopped"))
    assert codes(told) == ["REV001"]
    assert remarks(told)[0].facts["upheld"]


@pytest.mark.parametrize(
    ("more", "found", "tricks"),
    [
        ([accuse("0", "2"), books("0", "2", 1), books("0", "2", 2)], [], "7 4 2"),
        ([accuse("0", "2"), books("0", "2", 2), books("0", "2", 2)], ["CLM007"], "7 4 2"),
        ([accuse("1", "2"), accuse("0", "2"), books("0", "2", 2)], ["CLM008"], "4 4 5"),
        ([accuse("1", "0"), accuse("0", "2"), books("0", "2", 2)], [], "6 4 3"),
        ([books("0", "2", 2), accuse("0", "2")], ["CLM007"], "4 4 5"),
        ([books("0", "2", 2)], ["CLM007"], "4 4 5"),
    ],
)
def test_books_sp_23(more: list[Data], found: list[str], tricks: str) -> None:
    """The first claimant takes up to three books, at once or in parts, after claiming; what goes beyond does not count."""
    told = verdict(drop(spades_hand(*more, status="stopped"), "/deals/0/claimed"))
    assert codes(told) == ["REV001", *found]
    assert told.deals[0].tricks == by_seat(tricks)


def two_hands(tricks: int, **options: Any) -> Data:
    """The hand with the renege, for which two books are taken there, and a second hand in which more are taken."""
    first = drop(spades_hand(accuse("0", "2"), books("0", "2", 2)), "/deals/0/claimed")["deals"][0]
    events = [*said("0 5, 1 4, 2 4"), *BARE["deals"][0]["events"][3:], books("0", "2", tricks, of_deal=1)]
    second = {**BARE["deals"][0], "number": 2, "events": events}
    del second["dealer"]
    return game("spades3", 3, first, second, status="stopped", options=options)


@pytest.mark.parametrize(("later", "found", "tricks", "points"), [(True, [], "6 4 3", -40), (False, ["CLM007"], "5 4 4", 40)])
def test_books_in_a_later_hand_sp_23(later: bool, found: list[str], tricks: str, points: int) -> None:
    """Books of an older renege change the tricks of the hand in which they are taken, unless the table plays otherwise."""
    told = verdict(two_hands(1, renege_books_later_hand=later))
    assert codes(told) == ["REV001", *found]
    assert told.deals[1].tricks == by_seat(tricks)
    assert told.deals[1].scores["2"] == points


def test_no_more_than_three_books_over_all_hands_sp_23() -> None:
    """With two taken before, one is left."""
    told = verdict(two_hands(2))
    assert codes(told) == ["REV001", "CLM007"]
    assert told.deals[1].tricks == by_seat("6 4 3")


def test_books_of_a_deal_that_is_not_on_record_sp_23() -> None:
    """Whether there is a right to them cannot be told; the books are counted as they were taken."""
    record = put(two_hands(1), "/status", "excerpt")
    told = verdict(drop(record, "/deals/0"))
    assert (codes(told), levels(told)[3]) == ([], "?")
    assert told.deals[0].tricks == by_seat("6 4 3")


def test_books_are_not_more_than_there_are_sp_23() -> None:
    """An offender who has won one trick has no second to give."""
    record = drop(spades_hand(accuse("0", "2"), status="stopped"), "/deals/0/claimed")
    rest = {"do": "claim", "by": "0", "tricks": {"0": 12, "2": 1}}
    second = deal(number=2, dealer="0", bids="1 4, 2 4, 0 4", then=[rest, books("0", "2", 2, of_deal=1)], status="claimed")
    told = verdict(insert(record, "/deals/1", second))
    assert codes(told) == ["REV001", "CLM007"]
    assert told.deals[1].tricks == by_seat("13 0 0")


def asked_in_vain(again: int) -> Data:
    """Two books asked of an offender who has none, and in the deal after it some of one who has three."""
    record = drop(spades_hand(accuse("0", "2"), status="stopped"), "/deals/0/claimed")
    deals = []
    for number, dealer, tricks, asked in ((2, "0", {"0": 13}, 2), (3, "1", {"0": 10, "2": 3}, again)):
        rest = {"do": "claim", "by": "0", "tricks": tricks}
        left = (int(dealer) + 1) % 3
        bids = ", ".join(f"{(left + step) % 3} 4" for step in range(3))
        more = [rest, books("0", "2", asked, of_deal=1)]
        deals.append(deal(number=number, dealer=dealer, bids=bids, then=more, status="claimed"))
    return put(record, "/deals", [*record["deals"], *deals])


@pytest.mark.parametrize(
    ("again", "found", "tricks"),
    [(3, ["CLM007"], "13 0 0"), (2, ["CLM007"], "12 0 1"), (4, ["CLM007", "CLM007"], "13 0 0")],
)
def test_books_that_did_not_move_are_not_counted_sp_23(again: int, found: list[str], tricks: str) -> None:
    """Asking for more than there are is one fault; what did not move can be taken later, and no more than that."""
    told = verdict(asked_in_vain(again))
    assert codes(told) == ["REV001", *found]
    assert [result.tricks for result in told.deals[1:]] == [by_seat("13 0 0"), by_seat(tricks)]


def test_more_asked_than_the_right_gives_and_the_offender_has_is_one_fault_sp_23() -> None:
    """Four asked where three are due and one is there: as many move as may, and the asking is told once."""
    record = drop(spades_hand(accuse("0", "2"), status="stopped"), "/deals/0/claimed")
    rest = {"do": "claim", "by": "0", "tricks": {"0": 12, "2": 1}}
    second = deal(number=2, dealer="0", bids="1 4, 2 4, 0 4", then=[rest, books("0", "2", 4, of_deal=1)], status="claimed")
    told = verdict(insert(record, "/deals/1", second))
    assert codes(told) == ["REV001", "CLM007"]
    assert told.deals[1].tricks == by_seat("13 0 0")


def test_books_that_moved_perhaps_leave_it_open_how_many_are_left_sp_23() -> None:
    """Where it is not known how many the offender had, nobody is charged for asking again."""
    record = put(asked_in_vain(3), "/deals/1/events", [books("0", "2", 2, of_deal=1)])
    told = verdict(record)
    assert codes(told) == ["REV001"]
    assert "how many books of 2 could be taken cannot be told" in reasons(told, "L5")


def test_books_that_moved_and_such_as_moved_perhaps_are_gone_both_sp_23() -> None:
    """Of three books one moved, and one perhaps: whether there are two left is open, and that there is one is not."""
    first, _, moved = asked_in_vain(1)["deals"]  # of an offender who has three
    perhaps = {"number": 4, "dealer": "2", "events": [books("0", "2", 1, of_deal=1)]}
    for many in (1, 2):
        last = {"number": 5, "dealer": "0", "events": [books("0", "2", many, of_deal=1)]}
        told = verdict(put(asked_in_vain(1), "/deals", [first, moved, perhaps, last]))
        assert "CLM007" not in codes(told)
        assert told.deals[1].tricks == by_seat("11 0 2")
        open_ = "deal 5: how many books of 2 could be taken cannot be told"
        assert (open_ in reasons(told, "L5")) is (many == 2)


def test_a_sheet_may_follow_a_wrong_transfer_sp_23() -> None:
    """A sheet that counts books taken without right is not wrong a second time."""
    record = put(spades_hand(books("0", "2", 2), status="stopped"), "/deals/0/claimed/tricks", by_seat("6 4 3"))
    record = put(record, "/deals/0/claimed/scores", by_seat("60 40 -50"))
    assert codes(verdict(record)) == ["REV001", "CLM007"]


# --- options, parts of records, invariants --------------------------------------------------------------------------


@pytest.mark.parametrize("option", GAME.options, ids=lambda option: option.key)
def test_options_take_their_values_and_no_others(option: Any) -> None:
    """Every value of every option is taken, and any other refused."""
    for value in option.choices:
        assert codes(verdict(bidding("", **{option.key: value}))) == []
    assert codes(verdict(bidding("", **{option.key: 99}))) == ["FMT010"]


@pytest.mark.parametrize(
    ("options", "bids", "tricks", "points"),
    [
        ({}, ["2", "3"], [12, 12], [-100, 39]),
        ({"failed_exact_overtricks": True}, ["2", "3"], [12, 12], [-190, 39]),
        ({"failed_exact_overtricks": True}, ["blind3", "3"], [12, 12], [-21, -61]),
        ({"overtrick_beyond_20": "per_ten"}, ["3", "3", "3", "3"], [11, 11, 11, 11], [38, -62, -62, -62]),
        ({}, ["3", "3", "3", "3"], [11, 11, 11, 11], [38, -62, -62, 38]),
        ({"perfect_restart": True}, ["4"] * 7, [4, 4, 4, 5, 4, 4, 4], [40, 40, 140, 41, 40, 40, 140]),
        ({"perfect_restart": False}, ["4"] * 7, [4, 4, 4, 5, 4, 4, 4], [40, 40, 140, 41, 40, 40, 90]),
    ],
)
def test_options_of_the_score(options: Data, bids: list[str], tricks: list[int], points: list[int]) -> None:
    """What the options of the score make of a seat's hands in a row."""
    rows = [
        sheet(f"{bid} 3 3", f"{took} {(13 - took) // 2} {13 - took - (13 - took) // 2}")
        for bid, took in zip(bids, tricks, strict=True)
    ]
    told = verdict(game("spades3", 3, *rows, status="stopped", options=options))
    assert [result.scores["0"] for result in told.deals] == points


def test_two_of_clubs_high_sp_a3() -> None:
    """With the option, the two of clubs takes a trick of clubs."""
    record = game("spades3", 3, deal(dealer="2", plays="0 AC, 1 2C, 2 KC; 1 3D", status="in_progress"))
    assert verdict(record).deals[0].played[0].winner == "0"
    assert verdict(put(record, "/options", {"two_of_clubs": "high"})).deals[0].played[0].winner == "1"


@pytest.mark.parametrize(("tie", "found"), [("shared", []), ("play_on", ["SCO005"])])
def test_ties_sp_25(tie: str, found: list[str]) -> None:
    """A tie that overbooks do not settle is shared, or played on."""
    assert codes(verdict({**drop(WHOLE, "/claimed"), "options": {"tie": tie}})) == found


def test_standalone_bemo_scores_by_itself_sp_11() -> None:
    """A Bemo in place of a number has no other points, and ends a run of perfect bids."""
    rows = [sheet("5 4 4", "5 4 4"), sheet("5 4 4", "5 4 4"), {"events": [], "claimed": {**WINNERS, "bids": by_seat("bemo 4 4")}}]
    told = verdict(game("spades3", 3, *rows, status="stopped", options={"bemo_mode": "standalone"}))
    assert told.deals[2].scores == by_seat("100 140 140")
    assert told.deals[2].carried["0"]["run"] == 0


def test_what_is_carried_is_not_known_in_an_excerpt() -> None:
    """Scores that hang on deals not on record are not checkable; those that can not be are wrong all the same."""
    excerpt = game("spades3", 3, sheet("4 4 4", "4 4 5", "140 40 41"))
    assert levels(verdict(excerpt))[3] == "?"
    assert "cannot be recomputed" in reasons(verdict(excerpt), "L5")
    assert codes(verdict(put(excerpt, "/deals/0/claimed/scores/0", 141))) == ["SCO001"]


def test_bemo_without_the_play_is_not_checkable_sp_17() -> None:
    """Whether the first four tricks were won cannot be told from the number of tricks."""
    told = verdict(game("spades3", 3, sheet("4+bemo 4 4", "5 4 4", "141 40 40"), status="stopped"))
    assert (codes(told), levels(told)[3]) == ([], "?")


@settings(max_examples=15, deadline=None)
@given(seed=st.integers(0, 2**32))
def test_invariants_of_dealt_games(seed: int) -> None:
    """Tricks make thirteen, hands and discard pile the pack; at most one automatic win; overbooks never fall."""
    record = deal_game(GAME, 3, seed, numbers=[1, 2])
    told = check(record)
    assert told.findings == ()
    before = dict.fromkeys(("P1", "P2", "P3"), 0)
    for played, result in zip(record.deals, told.deals, strict=False):
        assert sum((result.tricks or {}).values()) == 13
        assert sorted([*played.aside["discard"], *(card for hand in played.hands.values() for card in hand)]) == sorted(
            PACK.cards
        )  # type: ignore[index, union-attr]
        assert sum(numbers["automatic"] for numbers in result.carried.values()) <= 1
        after = {seat: numbers["overbooks"] for seat, numbers in result.carried.items()}
        assert all(after[seat] >= before[seat] for seat in after)
        before = after


@settings(max_examples=30, deadline=None)
@given(taken=st.lists(st.integers(0, 4), max_size=4))
def test_tricks_make_thirteen_after_transfers(taken: list[int]) -> None:
    """However many books are taken, rightly or not, there are thirteen tricks, and nobody has fewer than none."""
    record = spades_hand(accuse("0", "2"), *(books("0", "2", many) for many in taken), status="stopped")
    tricks = verdict(record).deals[0].tricks or {}
    assert sum(tricks.values()) == 13
    assert min(tricks.values()) >= 2


def test_the_game_is_found() -> None:
    """The game is there under its key."""
    assert find("spades3") is GAME


@pytest.mark.parametrize(("claimed", "what"), [({"bids": by_seat("5 4 4")}, "the order of the bids is"), ({}, "bids are")])
def test_bids_that_are_not_on_record_are_a_doubt(claimed: Data, what: str) -> None:
    """Of bids on the sheet only their order is lacking."""
    played = LEGAL["deals"][0]
    data = put(LEGAL, "/deals/0", {**played, "claimed": claimed, "events": played["events"][3:]})
    assert f"deal 1: {what} not recorded" in reasons(verdict(data), "L3")
