"""The record of a board: contract, claim and result put together with the play, and what of them contradicts the others."""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import lru_cache
from operator import itemgetter
from typing import Any, NamedTuple

from handrec.findings import Finding, Location
from handrec.formats import Reading
from handrec.formats.boards import PASS, auction_result, excerpt, nearest
from handrec.formats.boards import SEATS as PLAYERS
from handrec.formats.lin.board import SEATS, Board, Spot
from handrec.formats.lin.pairs import IGNORE, Pair, squeezed, unbroken
from handrec.formats.strict import Places, shown
from handrec.games.bridge import GAME
from handrec.record import Deal, Player, Record
from handrec.referee import replay

#: A result such as `4SWx-4`, or with the doubling before the declarer.
RESULT = re.compile(r"([1-7])(NT?|[SHDC])(?:(x{0,2})([NESW])|([NESW])(x{1,2}))(=|[+-][0-9]{1,2})|pass|p", IGNORE)

PlacedEvent = tuple[dict[str, Any], int]  # and where it stands


class LinContract(NamedTuple):
    """A contract such as `3NTx`, empty if all passed; its declarer if known, and where it stands."""

    bid: str
    by: str | None
    at: int

    def __str__(self) -> str:
        return f"{self.bid} by {self.by or 'somebody'}" if self.bid else "four passes"


def reading(board: Board, places: Places) -> Iterator[Reading]:
    """The board's record, if there is one, and everything wrong with it; nothing for a board that says nothing."""
    record, events = None, []
    if board.begun:
        (stated, tricks), auction = _stated(board), _auction(board)
        contract = auction or stated
        events = _events(board, contract)
        made = _made(board, contract.by, events) if contract and contract.by and (board.claim or stated) else None
        if auction and stated and (stated.bid != auction.bid or auction.by not in (None, stated.by)):
            board.note(stated.at, f"the result is of {stated}, but the auction came to {auction}", "FMT017")
        elif stated and made is not None and made != tricks:
            side = "NS" if contract and contract.by in ("N", "S") else "EW"
            board.fault(stated.at, GAME.rule("TRK002"), seat=side, found=tricks, due=made)
        record = _record(board, events, places.path)

    def locate(pointer: str) -> Location:
        spots = {f"/deals/0/hands/{seat}": hand[0][1] for seat, hand in board.hands.items()}
        for seat, hand in board.hands.items():
            spots |= {f"/deals/0/hands/{seat}/{place}": at for place, (_, at) in enumerate(hand)}
        spots |= {f"/deals/0/events/{place}": at for place, (_, at) in enumerate(events)}
        at = nearest(pointer, spots)
        return places.at(board.at if at is None else at)

    if record or board.defects:
        deal = (board.number or 1) if record else None
        defects = sorted(board.defects, key=itemgetter(0))
        found = [Finding(fault, facts, deal=deal, location=places.at(at)) for at, fault, facts in defects]
        yield Reading(record, tuple(found), locate)


def _auction(board: Board) -> LinContract | None:
    """What the calls came to. An auction that cannot be, or has no contract though cards were played, is a defect."""
    calls = [call for call, _ in board.calls]
    said, fault = auction_result(calls)
    if fault:
        board.note(board.calls[fault[0]][1], fault[1], "FMT017")
    elif calls and board.plays and not board.doubtful and not (said and said.level):
        when = "though all passed" if said else "before the auction is over"
        board.note(board.plays[0][1], f"a card is played {when}", "FMT017")
        said = said or auction_result([*calls, PASS, PASS, PASS])[0]  # it was over by then, whoever wrote down how
    if said is None or board.doubtful:
        return None
    if not said.level:
        return LinContract("", None, board.calls[0][1])
    declarer = SEATS[(SEATS.index(board.dealer) + said.declarer) % 4] if board.dealer else None
    return LinContract(said.bid, declarer, max(at for call, at in board.calls if call[0].isdigit()))


def _stated(board: Board) -> tuple[LinContract | None, int | None]:
    """The contract, and declarer's tricks, of the board's result; what is no result is a defect."""
    result, title, results = board.result, board.sheet.get("vg"), board.sheet.get("rs")
    if not result and title and results and board.number:
        listed = _listed(results, title)
        result = listed.get((board.number, board.room or "")) or listed.get((board.number, ""))
    text, at = result or ("", 0)
    match = RESULT.fullmatch(text)
    if match and not match[1]:
        return LinContract("", None, at), None
    tricks = int(match[1]) + 6 + int(match[7].replace("=", "0")) if match else -1
    if match and 0 <= tricks <= 13:
        strain = match[2].upper().replace("T", "").replace("N", "NT")
        risk, declarer = match[3] or match[6] or "", match[4] or match[5]
        return LinContract(f"{match[1]}{strain}{risk.lower()}", declarer.upper(), at), tricks
    if text:
        board.note(at, f"{shown(text)} is no result")
    return None, None


@lru_cache(4)
def _listed(results: Pair, title: Pair) -> dict[tuple[int, str], Spot]:
    """The results by board and room ("" if there is but one); nothing if it is not certain which is whose."""
    span = re.fullmatch(r"(?:[^,]*,){3}\s*([0-9]{1,4})\s*,\s*([0-9]{1,4})\s*(?:,.*)?", unbroken(title.value))
    entries, at = [], results.at
    for part in results.value.split(","):
        text, places = squeezed(part, at)
        entries.append((text, places[0]))
        at += len(part) + 1
    boards, many = range(int(span[1]), int(span[2]) + 1) if span else range(0), len(entries)
    for rooms in ("o", "c"), ("",):
        due = len(boards) * len(rooms)
        if many == due or (many == due + 1 and not entries[-1][0]):
            return dict(zip([(board, room) for board in boards for room in rooms], entries, strict=False))
    return {}


def _events(board: Board, contract: LinContract | None) -> list[PlacedEvent]:
    """The contract, if there is one, and the plays."""
    plays: list[PlacedEvent] = [({"do": "play", "card": card}, at) for card, at in board.plays]
    if not contract or not contract.bid:
        return plays
    return [(_known({"do": "contract", "by": contract.by, "bid": contract.bid}), contract.at), *plays]


def _made(board: Board, declarer: str, events: list[PlacedEvent]) -> int | None:
    """Declarer's tricks in all, if they are certain; a claim is put among the events, or is a defect if it cannot be."""
    claimed, at, before = board.claim or (None, 0, len(board.plays))
    end = len(events) - len(board.plays) + before
    table = replay(_record(board, events[:end], ""), GAME)[0]
    if table.stopped or not all(trick.winner for trick in table.tricks):
        return None
    seat, left = PLAYERS.index(declarer), table.size - len(table.tricks)
    won = table.won[seat] + table.won[seat - 2]
    if claimed is None:
        return None if left else won
    if not won <= claimed <= won + left:
        board.note(at, f"declarer cannot take {claimed} tricks in all: {won} are won and {left} are left", "FMT017")
        return None
    if left:
        tricks = {declarer: claimed - won, PLAYERS[(seat + 1) % 4]: won + left - claimed}
        events.insert(end, ({"do": "claim", "by": declarer, "tricks": tricks}, at))
    return claimed


def _record(board: Board, events: list[PlacedEvent], name: str) -> Record:
    """The record of a board with these events."""
    deal = {
        "number": board.number,
        "dealer": board.dealer,
        "status": "complete" if len(board.plays) >= 52 else "claimed" if board.claim else "stopped",
        "hands": {seat: [card for card, _ in board.hands[seat]] for seat in PLAYERS if seat in board.hands} or None,
        "events": [event for event, _ in events],
    }
    kept: dict[str, Any] = {"auction": " ".join(board.auction)} if board.auction else {}
    kept |= {tag: texts[0] if len(texts) == 1 else texts for tag, texts in board.kept.items()}
    names = _names(board)
    players = [Player(seat=seat, name=names.get(seat)) if seat in names else Player(seat=seat) for seat in PLAYERS]
    return excerpt(name, board.count, [Deal.model_validate(_known(deal))], {"lin": kept} if kept else {}, players)


def _known(data: dict[str, Any]) -> dict[str, Any]:
    """Without what is not known."""
    return {key: value for key, value in data.items() if value is not None}


def _names(board: Board) -> dict[str, str]:
    """Who sits where: of eight names the second four are the closed room's; without a room they are nobody's."""
    names = [unbroken(name)[:1000] for name in board.sheet["pn"].value.split(",", 8)[:8]] if "pn" in board.sheet else []
    if len(names) > 4:
        names = {"o": names[:4], "c": names[4:]}.get(board.room or "", [])
    return {seat: name for seat, name in zip(SEATS, names, strict=False) if name}
