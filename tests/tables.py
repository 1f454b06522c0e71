"""Records for tests in a compact notation, and short ways to read a verdict.

Seats are single words. Hands are written `"0: AH 7C 2D | 1: LJ KH 9S"`, plays and bids `"0 7C, 1 9S; 3 3H, 0 AH"`; a semicolon
is only for the eye (the end of a trick). Places are JSON Pointers, as in findings.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from copy import deepcopy
from typing import Any

from handrec.findings import Finding, Verdict
from handrec.games import find
from handrec.record import Record
from handrec.referee import check

Data = dict[str, Any]


# --- writing records ------------------------------------------------------------------------------------------------


def game(key: str, players: int | str, *deals: Data, options: Mapping[str, Any] | None = None, **fields: Any) -> Data:
    """A record; `players` is their number (seats "0", "1", ...) or their seats. Deals out of a game unless `status` is given."""
    seats = [str(seat) for seat in range(players)] if isinstance(players, int) else players.split()
    record: Data = {"format": "handrec", "version": "1.0", "game": key, "status": "excerpt", **fields}
    return {**record, "options": dict(options or {}), "players": [{"seat": seat} for seat in seats], "deals": list(deals)}


def deal(
    *,
    hands: str | None = None,
    turn: str | None = None,
    bids: str = "",
    plays: str = "",
    then: Iterable[Data] = (),
    **fields: Any,
) -> Data:
    """A deal; its events are the card turned, the bids, the plays, and `then` whatever else happened."""
    turned = [{"do": "turn", "card": turn}] if turn else []
    written = {} if hands is None else {"hands": cards_by_seat(hands)}
    return {**written, **fields, "events": [*turned, *bids_of(bids), *plays_of(plays), *then]}


def cards_by_seat(text: str) -> dict[str, list[str]]:
    """`"0: AH 7C | 1: LJ"` as hands."""
    parts = (part.split(":") for part in text.split("|"))
    return {seat.strip(): cards.split() for seat, cards in parts}


def _pairs(text: str) -> list[tuple[str | None, str]]:
    words = (part.split() for part in re.split(r"[,;]", text) if part.strip())
    return [(word[0], word[1]) if len(word) == 2 else (None, word[0]) for word in words]


def bids_of(text: str) -> list[Data]:
    """`"0 1, 1 board"` as bid events."""
    return [{"do": "bid", "by": by, "bid": number(bid)} for by, bid in _pairs(text)]


def plays_of(text: str) -> list[Data]:
    """`"0 7C, 1 9S"` as plays; without a seat, nobody is named."""
    return [{"do": "play", "by": by, "card": card} if by else {"do": "play", "card": card} for by, card in _pairs(text)]


def number(word: str) -> int | str:
    """A bid as it is recorded: a whole number, or a word."""
    return int(word) if re.fullmatch(r"-?\d+", word) else word


def by_seat(text: str) -> dict[str, Any]:
    """`"1 0 board -3"` as a mapping by seat 0, 1, 2, 3; `-` leaves a seat out."""
    return {str(seat): number(word) for seat, word in enumerate(text.split()) if word != "-"}


def sheet(bids: str, tricks: str, scores: str = "", totals: str = "", **fields: Any) -> Data:
    """A deal of which only the score sheet is left."""
    claimed = {"bids": bids, "tricks": tricks, "scores": scores, "totals": totals}
    return {**fields, "events": [], "claimed": {key: by_seat(text) for key, text in claimed.items() if text}}


# --- changing records -----------------------------------------------------------------------------------------------


def _spot(data: Data, pointer: str) -> tuple[Any, Any]:
    *path, last = pointer.split("/")[1:]
    for part in path:
        data = data[int(part)] if isinstance(data, list) else data[part]
    return data, int(last) if isinstance(data, list) else last


def put(data: Data, pointer: str, value: Any) -> Data:
    """A copy of the record with another value at a place."""
    copy = deepcopy(data)
    where, key = _spot(copy, pointer)
    where[key] = value
    return copy


def drop(data: Data, pointer: str) -> Data:
    """A copy of the record without what stands at a place."""
    copy = deepcopy(data)
    where, key = _spot(copy, pointer)
    del where[key]
    return copy


def insert(data: Data, pointer: str, value: Any) -> Data:
    """A copy of the record with something more put before a place of a list."""
    copy = deepcopy(data)
    where, key = _spot(copy, pointer)
    where.insert(key, value)
    return copy


def swap(data: Data, first: int, second: int, deal: int = 0) -> Data:
    """A copy of the record with two events of a deal in each other's place."""
    copy = deepcopy(data)
    events = copy["deals"][deal]["events"]
    events[first], events[second] = events[second], events[first]
    return copy


def cut(data: Data, events: int, deal: int = 0, status: str = "in_progress") -> Data:
    """A copy of the record with only the first events of a deal, which goes on; what is claimed of it goes too."""
    copy = deepcopy(data)
    part = copy["deals"][deal]
    part["events"], part["status"] = part["events"][:events], status
    part.pop("claimed", None)
    return copy


# --- reading verdicts -----------------------------------------------------------------------------------------------


def verdict(data: Data) -> Verdict:
    """The referee's verdict on a record: the one place where tests call the referee."""
    return check(Record.model_validate(data), find)


def bare(told: Verdict) -> Verdict:
    """The verdict without the other readings of the rules, which are told of a record that is checked by itself."""
    return told._replace(findings=tuple(finding._replace(readings=()) for finding in told.findings))


def faults(told: Verdict) -> list[Finding]:
    """What is wrong: every finding but remarks."""
    return [finding for finding in told.findings if finding.severity != "info"]


def remarks(told: Verdict) -> list[Finding]:
    """The findings that are only remarks."""
    return [finding for finding in told.findings if finding.severity == "info"]


def codes(told: Verdict) -> list[str]:
    """The codes of what is wrong, in the verdict's order."""
    return [finding.code for finding in faults(told)]


def places(findings: Iterable[Finding]) -> list[tuple[Any, ...]]:
    """Findings as (code, rule id, deal, trick, seat, pointer)."""
    return [(f.code, f.rule, f.deal, f.trick, f.seat, f.pointer) for f in findings]


def levels(told: Verdict) -> str:
    """The levels L2 to L6 in five letters: p passed, F failed, ? not checkable."""
    letters = {"passed": "p", "failed": "F", "not checkable": "?"}
    return "".join(letters[level.status] for level in told.levels if level.key >= "L2")


def reasons(told: Verdict, key: str) -> str:
    """Why a level could not be checked."""
    return "; ".join(next(level for level in told.levels if level.key == key).reasons)


def legal(data: Data, place: int, deal: int = 0) -> set[str]:
    """The cards that the player of the play at `events[place]` could have played: those the referee lets pass."""
    events = data["deals"][deal]["events"]
    seat = events[place]["by"]
    gone = {event["card"] for event in events[:place] if event["do"] == "play" and event["by"] == seat}
    hand = [card for card in data["deals"][deal]["hands"][seat] if card not in gone]
    start = cut(data, place + 1, deal)
    return {card for card in hand if not _at(put(start, f"/deals/{deal}/events/{place}/card", card), "REV", deal, place)}


def legal_bids(data: Data, place: int, bids: Iterable[int | str], deal: int = 0) -> list[int | str]:
    """Which of these bids could have been made at `events[place]`."""
    start = cut(data, place + 1, deal)
    return [bid for bid in bids if not _at(put(start, f"/deals/{deal}/events/{place}/bid", bid), "BID", deal, place)]


def _at(data: Data, family: str, deal: int, place: int) -> bool:
    here = f"/deals/{deal}/events/{place}"
    return any(f.code.startswith(family) and f.pointer.startswith(here) for f in faults(verdict(data)))


# --- hands that several tests play ----------------------------------------------------------------------------------


def killer_hand(**fields: Any) -> Data:
    """The whole hand KB-D8 with its score sheet: event 0 turns, 1 to 4 bid, 5 to 16 play; `fields` are the record's."""
    claimed = {
        "trump": "H",
        "bids": by_seat("1 1 1 1"),
        "winners": ["3", "0", "2"],
        "tricks": by_seat("1 0 1 1"),
        "scores": by_seat("11 -1 11 11"),
    }
    played = deal(
        number=11,
        dealer="3",
        hands="0: AH 7C 2D | 1: LJ KH 9S | 2: BJ 4H QC | 3: 3H AC 5D",
        turn="TH",
        bids="0 1, 1 1, 2 1, 3 1",
        plays="0 7C, 1 9S, 2 QC, 3 AC; 3 3H, 0 AH, 1 KH, 2 4H; 0 2D, 1 LJ, 2 BJ, 3 5D",
        claimed=claimed,
    )
    return game("kbabs", 4, played, **fields)


def tricks_in_turn(*blocks: tuple[str, str], first: str = "0") -> str:
    """Plays of a game of three without trump: each block is a seat and the cards of the tricks that it wins in a row.

    Nobody minds the rules: only who leads and who wins is as it should be.
    """
    leader, plays = int(first), []
    for seat, text in blocks:
        cards = sorted(text.split(), key=lambda card: (card[1], "23456789TJQKA".index(card[0])))
        while cards:
            suits = [card[1] for card in cards]
            best = max(range(len(cards)), key=lambda place: (suits.count(suits[place]), place))  # the top of the longest suit
            trick = [cards.pop(best)]
            pair = cards.pop(best - 1)
            trick += [pair, cards.pop(0)]
            winner = int(seat)
            if leader != winner:  # the lead is followed by a higher card of its suit
                assert pair[1] == trick[0][1]
            turn = [(leader + step) % 3 for step in range(3)]
            given = {winner: trick[0], **dict(zip([s for s in turn if s != winner], trick[1:], strict=True))}
            plays.append(", ".join(f"{s} {given[s]}" for s in turn))
            leader = winner
    return "; ".join(plays)


def bugs_taken(tricks: int, bugs: int, bid: str = "H", turnip: str = "4S", last: bool = False, **fields: Any) -> Data:
    """A deal of Bugami in which seat 0 wins so many tricks with so many hearts in them, the card on the table not counted.

    It wins the last one if `last` says so. The other two bid spades; event 3 faces the turnip.
    """
    pack = [rank + suit for suit in "HCDS" for rank in "AKQJT65432" if rank + suit != turnip]
    hearts, others = pack[: 9 + (turnip[1] != "H")], pack[9 + (turnip[1] != "H") :]
    spare = 3 * tricks - bugs
    own = (("0", " ".join(hearts[:bugs] + others[:spare])),) if tricks else ()
    rest = (("1", " ".join(hearts[bugs:] + others[spare:])),) if tricks < 13 else ()
    first = "1" if last and rest else "0" if own else "1"
    plays = tricks_in_turn(*(rest + own if first == "1" and own else own + rest), first=first)
    played = deal(bids=f"0 {bid}, 1 S, 2 S", plays=plays, dealer="2" if first == "0" else "0", **fields)
    played["events"].insert(3, {"do": "turn", "card": turnip})
    return played


def spades_hand(*more: Data, **fields: Any) -> Data:
    """The whole hand SP-D11 with its sheet: 0 to 2 bid, 3 to 41 play; seat 2 reneges with event 13, in trick 4.

    `more` stands after that trick, at event 15 on. Without it nobody has claimed, and the sheet is that of the play.
    """
    played = deal(
        number=1,
        dealer="2",
        hands="0: 2S AS KS JS 3S 9H 6H QD TD 5D KC JC 4C | 1: QS TS 9S 8S TH 7H 5H AD 8D 7D QC 9C 7C"
        " | 2: BJ LJ 6S 4S AH 3H JD 6D 3D AC TC 5C 3C",
        aside={"discard": ["7S", "5S", "KH", "QH", "JH", "8H", "4H", "KD", "9D", "4D", "8C", "6C", "2C"]},
        bids="0 6, 1 4, 2 5",
        plays="0 KC, 1 9C, 2 3C; 0 KS, 1 8S, 2 BJ; 2 TC, 0 4C, 1 QC; 1 7H, 2 LJ, 0 9H; 2 6S, 0 3S, 1 TS; 1 TH, 2 AH, 0 6H;"
        "2 AC, 0 JC, 1 7C; 2 4S, 0 JS, 1 QS; 1 7D, 2 3D, 0 5D; 1 9S, 2 5C, 0 AS; 0 QD, 1 8D, 2 6D; 0 2S, 1 AD, 2 3H;"
        "0 TD, 1 5H, 2 JD",
        claimed={"trump": "S", "winners": list("0212122110002"), "tricks": by_seat("4 4 5"), "scores": by_seat("-60 40 50")},
    )
    played["events"][15:15] = more
    return game("spades3", 3, played, **fields)
