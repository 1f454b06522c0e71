"""Cards turned, led, played and claimed: what the referee tells of each, where, and what stays open."""

from __future__ import annotations

from random import Random
from typing import Any

import pytest

import handrec
from handrec import games
from handrec.dealing import deal_game
from handrec.game import Game
from handrec.phases.turn_up import LastDealt
from tests.tables import (
    Data,
    by_seat,
    cards_by_seat,
    codes,
    deal,
    faults,
    game,
    killer_hand,
    levels,
    plays_of,
    put,
    reasons,
    swap,
    verdict,
)

# --- the row of a Bastard, card by card -----------------------------------------------------------------------------

HANDS = (
    "0: 8S 6S 4S 3S KH JH 5H 4H 2H 8D AC 7C 5C | 1: AS KS JS 9S 5S AH 6H 9D 4D 3D 2D 6C 4C"
    " | 2: QS QH 7H AD QD 7D 6D 5D KC QC JC TC 8C"
)
STACK = ["TS", "KD", "2C", "9C", "JD", "TH", "3H", "9H", "7S", "2S", "3C", "8H", "TD"]
IN_ORDER = "bid 2 4, bid 0 3, bid 1 3, turn TS, 2 QD, 0 8D, 1 9D, turn KD, 2 AD, 0 6S, 1 2D, turn 2C, 2 KC, 0 AC, 1 6C"

BASIC_HANDS = (
    "0: AS KS JS QH 9H 8H 6H 2H KD JD TD 9D 7D TC 5C 2C | 1: QS TS 9S 6S 5S 3S 2S KH JH TH 6D 5D KC QC JC 9C"
    " | 2: 8S 7S 4S AH 7H 5H 4H AD QD 8D 4D 2D 8C 6C 4C 3C"
)
BIDDEN = "bid 0 5, bid 1 15, bid 2 6, turn 7C, turn 3H, turn 3D"


def happened(text: str) -> list[Data]:
    """`"bid 0 5, turn 7C, 0 9H"` as events."""
    found: list[Data] = []
    for words in (part.split() for part in text.split(",")):
        if words[0] == "bid":
            found.append({"do": "bid", "by": words[1], "bid": int(words[2])})
        else:
            found += [{"do": "turn", "card": words[1]}] if words[0] == "turn" else plays_of(" ".join(words))
    return found


def mega(text: str, **fields: Any) -> Data:
    """Three tricks of Mega Bastard, in which a card is turned before each trick and makes trump for it."""
    played = {"number": 1, "dealer": "1", "status": "stopped", "hands": cards_by_seat(HANDS), "aside": {"stack": STACK}, **fields}
    known = {name: value for name, value in played.items() if value is not None}
    return game("bastard", 3, {**known, "events": happened(text)}, options={"mega": True})


def as_dealt() -> list[str]:
    """The pack of these hands: one card at a time from the dealer's left, the stack below them."""
    hands = cards_by_seat(HANDS)
    return [hands[seat][spot] for spot in range(13) for seat in "201"] + STACK


def told(data: Data) -> list[tuple[str, int | None, str, str]]:
    """What is wrong: code, trick, place among the events of the first deal, and the words of it."""
    return [(f.code, f.trick, f.pointer.removeprefix("/deals/0"), f.message) for f in faults(verdict(data))]


TURNINGS: dict[str, tuple[str, str, int | None, int, str]] = {
    "not at all": (
        IN_ORDER.replace(" turn KD,", ""),
        "DEA011", 2, 7, "KD was due to be turned by then, and was not",
    ),
    "after the lead": (
        IN_ORDER.replace("turn KD, 2 AD,", "2 AD, turn KD,"),
        "DEA011", 2, 7, "KD was due to be turned by then, and was not",
    ),
    "with the card before it": (
        IN_ORDER.replace(" turn 2C,", "").replace("turn KD,", "turn KD, turn 2C,"),
        "DEA011", 2, 8, "2C was turned too early",
    ),
    "during the trick before": (
        IN_ORDER.replace(" turn KD,", "").replace("2 QD,", "2 QD, turn KD,"),
        "DEA011", 1, 5, "KD was turned before the trick was over",
    ),
    "before the first lead": (
        IN_ORDER.replace(" turn KD,", "").replace("turn TS,", "turn TS, turn KD,"),
        "DEA011", None, 4, "KD was turned too early",
    ),
    "before the last bid": (
        IN_ORDER.replace(" turn TS,", "").replace("bid 1 3,", "turn TS, bid 1 3,"),
        "DEA011", None, 2, "TS somebody was still to bid",
    ),
}  # fmt: skip


@pytest.mark.parametrize(("text", "code", "trick", "place", "words"), TURNINGS.values(), ids=TURNINGS)
def test_an_untimely_turn_is_told_where_it_was_due_or_came(
    text: str, code: str, trick: int | None, place: int, words: str
) -> None:
    """A card that is late is told at the play before which it was due, one too early where it was turned."""
    assert told(mega(text)) == [(code, trick, f"/events/{place}", words)]


def test_cards_turned_in_time_are_no_matter() -> None:
    """The record from which the others differ is clean."""
    assert told(mega(IN_ORDER)) == []


EXCHANGED = [STACK[1], STACK[0], *STACK[2:]]


def test_of_pack_and_row_that_differ_the_turns_decide() -> None:
    """Cards were turned as the pack has them: so only the row that is written down is wrong."""
    data = mega(IN_ORDER, pack=as_dealt(), aside={"stack": EXCHANGED})
    assert [(code, place) for code, _, place, _ in told(data)] == [("DEA008", "/aside/stack")]
    assert levels(verdict(data))[1:3] == "pp"


@pytest.mark.parametrize(("spot", "words"), [(0, "stack (so does the card turned) TS "), (11, "stack TS ")])
def test_of_pack_and_row_it_is_said_which_agrees_with_the_card_turned(spot: int, words: str) -> None:
    """If it was turned where the two differ; a card that nobody saw says nothing."""
    row = [*STACK]
    row[spot], row[12] = row[12], row[spot]
    [(_, _, place, said)] = told(mega(IN_ORDER.split(", turn KD")[0], pack=as_dealt(), aside={"stack": row}))
    assert (place, said.startswith(f"the recorded pack gives {words}")) == ("/aside/stack", True)


def test_the_pack_tells_which_cards_lie_in_a_row_that_is_not_written_down() -> None:
    """The last card of the pack was turned in the second's place: it was due eleven tricks later."""
    data = mega(IN_ORDER.replace("turn KD", "turn TD"), pack=as_dealt(), aside=None)
    assert told(data) == [("DEA011", 2, "/events/7", "TD was turned too early")]
    assert told(mega(IN_ORDER.replace("turn KD", "turn TD"), aside=None)) == []


def test_a_card_turned_that_nobody_could_read_leaves_what_is_known_of_the_row() -> None:
    """Of the second card the row tells the suit, and that is trump, whatever the turn leaves open."""
    row = [STACK[0], "?D", *STACK[2:]]
    data = mega(IN_ORDER.replace("turn KD", "turn ??"), aside={"stack": row})
    assert told(data) == []
    assert "trump" not in reasons(verdict(data), "L5")
    assert "trump" in reasons(verdict(put(data, "/deals/0/aside/stack/1", "??")), "L5")


TRICKS = (
    "2 QD, 0 8D, 1 9D;2 AD, 0 6S, 1 2D; 2 KC, 0 AC, 1 6C; 0 KH, 1 AH, 2 7H; 1 4D, 2 6D, 0 5H; 2 5D, 0 4H, 1 3D; 0 4S, 1 JS, 2 QS;"
    "2 7D, 0 7C, 1 4C; 2 QH, 0 JH, 1 6H; 2 JC, 0 5C, 1 KS; 1 AS, 2 TC, 0 3S; 2 8C, 0 2H, 1 9S; 0 8S, 1 5S, 2 QC"
)


@pytest.mark.parametrize("gone", [2, 5, 12])
def test_a_trick_of_which_only_a_card_taken_back_is_left_lacks_every_card(gone: int) -> None:
    """The deal is whole but for that trick: of each player a card is missing from it, also where a card is turned next."""
    rows = [f"turn {STACK[number]}, {row}" for number, row in enumerate(TRICKS.split(";"))]
    turn, _, _, last = rows[gone - 1].split(",")
    events = [happened(row) for row in rows]
    (play,) = happened(last)
    events[gone - 1] = [*happened(turn), play, {"do": "withdraw", "by": play["by"], "card": play["card"]}]
    data = mega("bid 2 4, bid 0 3, bid 1 3", status="complete")
    data["deals"][0]["events"] += [event for row in events for event in row]
    lacking = [(fault.trick, fault.seat) for fault in faults(verdict(data)) if fault.code == "PLY005"]
    assert sorted(lacking, key=str) == [(gone, "0"), (gone, "1"), (gone, "2")]


CLAIM = {"do": "claim", "by": "0", "tricks": by_seat("5 5 5")}
FOURTH: dict[str, tuple[list[Data], str, list[tuple[int | None, int]]]] = {
    "before the first lead": (happened(f"{BIDDEN}, turn AC, 0 9H, 1 JH, 2 5H"), "stopped", [(None, 6)]),
    "after a trick": (happened(f"{BIDDEN}, 0 9H, 1 JH, 2 5H, turn AC"), "stopped", [(2, 9)]),
    "after a claim": ([*happened(f"{BIDDEN}, 0 9H, 1 JH, 2 5H"), CLAIM, *happened("turn AC")], "claimed", []),
}


@pytest.mark.parametrize(("events", "status", "early"), FOURTH.values(), ids=FOURTH)
def test_the_hidden_card_is_turned_when_the_play_is_over(
    events: list[Data], status: str, early: list[tuple[int | None, int]]
) -> None:
    """The fourth card of the widow stays hidden while there are tricks to come, whether somebody guesses it or not."""
    played: Data = {"number": 1, "dealer": "2", "status": status, "hands": cards_by_seat(BASIC_HANDS), "events": events}
    data = game("bastard", 3, {**played, "aside": {"widow": ["7C", "3H", "3D", "AC"]}})
    assert told(data) == [("DEA011", trick, f"/events/{place}", "AC was turned too early") for trick, place in early]


# --- the card turned up for trump -----------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("key", "players", "options", "number", "lies"),
    [("kbabs", 1, {}, 2, True), ("kbabs", 1, {}, 1, False), ("oh_hell", 3, {"longest": 17}, 1, True)],
)
def test_a_single_card_left_over_is_turned(key: str, players: int, options: Data, number: int, lies: bool) -> None:
    """Where one card is left over it makes trump, and must be on record; where none is, none can be."""
    data = game(key, players, deal(number=number, dealer="0", status="stopped"), options=options)
    assert ("the card turned is not recorded" in reasons(verdict(data), "L2")) == lies


@pytest.mark.parametrize("seed", range(4))
def test_another_players_card_shown_in_whist_keeps_trump(seed: int) -> None:
    """The fault that is planted is that the dealer does not hold the card, and nothing else."""
    whist = games.find("whist")
    assert isinstance(whist, Game)
    record = deal_game(whist, 4, seed, numbers=[1]).model_dump(mode="json", exclude_unset=True, by_alias=True)
    (planted,) = (phase.plants["DEA007"] for phase in whist.phases if isinstance(phase, LastDealt))
    before = record["deals"][0]["events"][0]["card"]
    assert codes(verdict(record)) == []
    assert planted.apply(record, Random(seed), whist)
    after = record["deals"][0]["events"][0]["card"]
    assert after != before
    assert after[1] == before[1]
    assert codes(verdict(record)) == ["DEA007"]


# --- who plays, and to which trick ----------------------------------------------------------------------------------

HEARTS = (
    "N: QS 8S AH JH 9H 8H 5H AD QD TD 8D 6D 9C | E: JS 5S 3S 4H KD JD 9D 4D 8C 7C 6C 5C 4C"
    " | S: AS KS 6S 2S 7H 2H 7D AC KC JC TC 3C 2C | W: TS 9S 7S 4S KH QH TH 6H 3H 5D 3D 2D QC"
)


def typed(key: str, seats: int | str, first: str, rows: list[tuple[int, str]], **fields: Any) -> Data:
    """A deal whose rows of cards have numbers before them; `first` is what stands before the first row, as bids."""
    options = fields.pop("options", None)
    played = deal(number=fields.pop("number", 1), bids=first, **fields)
    for number, row in rows:
        plays = plays_of(row)
        plays[0]["trick"] = number
        played["events"] += plays
    return game(key, seats, played, options=options, version="1.1")


def test_all_see_whose_lead_it_is_once_a_trick_is_played() -> None:
    """In hearts only who leads first is hidden; who leads to the second trick has won the first before everybody's eyes."""
    table = handrec.table("hearts", [{"seat": seat} for seat in "NESW"], {"passing": "none"}, status="excerpt")
    assert table.apply({"do": "deal", "number": 1, "dealer": "E", "hands": cards_by_seat(HEARTS)}).ok
    assert {seat: table.as_seat(seat).turn for seat in "NESW"} == {"N": (), "E": (), "S": ("S",), "W": ()}
    for play in plays_of("S 2C, W QC, N 9C, E 6C"):
        assert table.apply(play).ok
    assert {seat: table.as_seat(seat).turn for seat in "NESW"} == dict.fromkeys("NESW", ("W",))


def test_a_heart_may_be_thrown_to_the_second_trick_when_the_first_is_not_on_record() -> None:
    """Points are forbidden in the first trick alone, and the first that is on record is the second."""
    rows = [(2, "N 9C, E 4C, S 3C, W QH"), (3, "N 6D, E 9D, S 7D, W 2D"), (4, "E JS, S 2S, W 4S, N 8S")]
    data = typed("hearts", "N E S W", "", rows, dealer="E", status="stopped", hands=HEARTS, options={"passing": "none"})
    assert [(code, trick, place) for code, trick, place, _ in told(data)] == [("PLY005", 1, "/events/0")]


@pytest.mark.parametrize(("left_out", "found"), [(None, []), (5, ["PLY005"])])
def test_hearts_may_have_been_broken_in_a_trick_that_is_not_on_record(left_out: int | None, found: list[str]) -> None:
    """Nobody leads them too early after it: it is not certain when they were broken."""
    rows = [
        (1, "S 2C, W QC, N 9C, E 6C"),
        (2, "W 7S, N 8S, E 5S, S 2S"),
        (3, "N QD, E JD, S 7D, W 3D"),
        (4, "N QS, E 3S, S KS, W TS"),
        (5, "S AS, W 9S, N 8H, E JS"),
        (6, "S 2H, W 6H, N 9H, E 4H"),
        (7, "N TD, E 4D, S JC, W 5D"),
    ]
    kept = [row for row in rows if row[0] != left_out]
    data = typed("hearts", "N E S W", "", kept, dealer="E", status="stopped", hands=HEARTS, options={"passing": "none"})
    assert codes(verdict(data)) == found
    assert ("when trumps were broken" in reasons(verdict(data), "L4")) == bool(found)


def test_no_more_tricks_are_missing_than_cards_are() -> None:
    """After one trick that is missing all other cards are there: a later number that is too high is a slip of the pen."""
    hands = "0: AC KC QC JC TC | 1: AD KD QD JD TD | 2: AH KH QH JH TH | 3: AS KS QS JS TS"
    rows = [
        (1, "0 AC, 1 AD, 2 AH, 3 AS"),
        (3, "2 QH, 3 QS, 0 QC, 1 QD"),
        (5, "2 JH, 3 JS, 0 JC, 1 JD"),
        (6, "2 TH, 3 TS, 0 TC, 1 TD"),
    ]
    data = typed("kbabs", 4, "0 0, 1 0, 2 1, 3 0", rows, number=9, dealer="3", hands=hands, turn="2H")
    assert [(code, trick, place) for code, trick, place, _ in told(data)] == [
        ("PLY005", 2, "/events/9"),
        ("FMT019", 4, "/events/13/trick"),
    ]


def test_who_plays_before_the_turn_has_played() -> None:
    """One fault: the card stands, and those passed over play after it."""
    data = swap(killer_hand(), 6, 7)
    assert [(f.code, f.trick, f.seat, f.pointer) for f in faults(verdict(data))] == [("PLY003", 1, "2", "/deals/0/events/6/by")]


def test_a_card_played_twice_in_turn_takes_the_turn() -> None:
    """At the table the fault is told, and the next seat plays to the same trick."""
    whole = killer_hand()
    table = handrec.table("kbabs", whole["players"], status="excerpt")
    start = {name: value for name, value in whole["deals"][0].items() if name not in ("events", "claimed")}
    assert table.apply({"do": "deal", **start}).ok
    events = whole["deals"][0]["events"]
    for event in events[:10]:
        assert table.apply(event).ok
    again = table.force({**events[10], "card": "7C"})
    assert [finding.code for finding in again.findings] == ["PLY002"]
    assert table.legal().turn == ("1",)


# --- claims ---------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("sheet", "wrong"),
    [
        ({"tricks": by_seat("1 0 1 1"), "scores": by_seat("11 -1 11 11")}, []),
        ({"scores": by_seat("11 -1 11 12")}, ["/scores/3"]),
        ({"tricks": by_seat("1 1 0 1")}, ["/tricks/1", "/tricks/2"]),
    ],
)
def test_a_deal_claimed_before_a_card_is_led_is_scored_by_the_claim(sheet: Data, wrong: list[str]) -> None:
    """All tricks are divided as claimed, so that the sheet is compared as if they had been played."""
    data = killer_hand()
    data["deals"][0]["events"][5:] = [{"do": "claim", "by": "0", "tricks": by_seat("1 0 1 1")}]
    data["deals"][0] |= {"status": "claimed", "claimed": sheet}
    assert [finding.pointer.removeprefix("/deals/0/claimed") for finding in faults(verdict(data))] == wrong
    assert levels(verdict(data))[3] == ("F" if wrong else "p")


def claims(*tricks: str) -> list[str]:
    """What is found where two tricks of three are played and the last is claimed, once or more."""
    record = killer_hand()
    (played,) = record["deals"]
    said = [{"do": "claim", "by": str(seat), "tricks": by_seat(each)} for seat, each in enumerate(tricks)]
    changed = {**played, "events": [*played["events"][:13], *said], "status": "claimed"}
    del changed["claimed"]
    return codes(verdict({**record, "deals": [changed]}))


@pytest.mark.parametrize(
    ("tricks", "wrong"),
    [
        (("1 0 0 0",), []),
        (("1 0 0 0", "0 1 0 0"), ["CLM001"]),
        (("1 1 0 0", "0 1 0 0"), ["CLM001"]),  # the first divides nothing, for it divides too much
        (("1 1 0 0", "0 2 0 0"), ["CLM001", "CLM001"]),
    ],
)
def test_what_is_left_is_divided_once(tricks: tuple[str, ...], wrong: list[str]) -> None:
    """A second claim divides nothing that one before it has divided."""
    assert claims(*tricks) == wrong


def test_a_card_taken_back_that_nobody_read_hides_no_revoke() -> None:
    """Whatever it was, it is in the hand again."""
    record = killer_hand()
    (played,) = record["deals"]
    tries = [{"do": do, "by": "3", "card": card} for do, card in (("play", "??"), ("withdraw", "??"), ("play", "5D"))]
    changed = {**played, "events": [*played["events"][:8], *tries], "status": "stopped"}
    del changed["claimed"]
    assert codes(verdict({**record, "deals": [changed]})) == ["REV001"]


@pytest.mark.parametrize(("cards", "due"), [("AH KH 4H 3H", "0"), ("2D KH 4H 3H", "1")])
def test_who_wins_a_row_whoever_led_is_known(cards: str, due: str) -> None:
    """Its cards stand by seats, and who led is not recorded; the highest trump takes it all the same."""
    record = killer_hand()
    (played,) = record["deals"]
    row: list[Data] = [{"do": "play", "by": str(seat), "card": card} for seat, card in enumerate(cards.split())]
    row[0] |= {"trick": 2, "unordered": True}
    changed = {**played, "events": [*played["events"][:5], played["events"][5] | {"trick": 1}, *played["events"][6:9], *row]}
    del changed["hands"]
    for winner in "0123":
        stated = changed | {"status": "stopped", "claimed": {"winners": ["3", winner]}}
        assert codes(verdict({**record, "deals": [stated]})) == ([] if winner == due else ["TRK001"])


def test_of_a_card_that_nobody_read_no_hand_is_remembered() -> None:
    """What could have been played is not shown with it."""
    record = put(killer_hand(), "/deals/0/events/6/card", "??")
    kbabs = games.find("kbabs")
    assert kbabs is not None
    (table,) = handrec.referee.replay(handrec.Record.model_validate(record), kbabs, trace=True)
    assert [(seen.hand, seen.legal) for seen in table.trace or () if seen.card < 0] == [(0, 0)]
