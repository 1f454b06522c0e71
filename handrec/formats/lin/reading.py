"""The record of a board: its calls, contract, plays and claim put in their order, and what is certain of its result."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from functools import lru_cache
from operator import itemgetter
from typing import Any, NamedTuple

from handrec import fast
from handrec.findings import Finding, Location
from handrec.formats import Reading
from handrec.formats.boards import SEATS as PLAYERS
from handrec.formats.boards import excerpt, nearest
from handrec.formats.lin.board import SEATS, Board, Kept, Note, Spot
from handrec.formats.lin.pairs import IGNORE, Pair, squeezed, unbroken
from handrec.formats.strict import Places, shown
from handrec.game import Table
from handrec.games.bridge import GAME
from handrec.limits import MAX_TEXT
from handrec.record import Deal, Player, Record
from handrec.referee import replay

#: A result such as `4SWx-4`, or with the doubling before the declarer; or only a contract with its declarer.
RESULT = re.compile(r"([1-7])(NT?|[SHDC])(?:(x{0,2})([NESW])|([NESW])(x{1,2}))(=|[+-][0-9]{1,2})?|pass|p", IGNORE)

#: A score that was given, an average (`A50`, `AVE+`, `60%`) or one that was adjusted; or none: not played, not known.
GIVEN = re.compile(r"(a(ve?|vg|verage)?|adj(usted)?)[+=-]{0,2}|a?[0-9]{2}%?|n/?p|not?played|\?+|-+|0", IGNORE)

PlacedEvent = tuple[dict[str, Any], int]  # and where it stands


class LinContract(NamedTuple):
    """A contract such as `3NTx`, `pass` if all passed; its declarer if known."""

    bid: str
    by: str | None


#: The board was passed out.
PASSED = LinContract("pass", None)


class StatedResult(NamedTuple):
    """What a result says: contract, declarer's tricks (None: not said), and where it stands."""

    contract: LinContract
    tricks: int | None
    at: int


def reading(board: Board, places: Places) -> Iterator[Reading]:
    """The board's record, if there is one, and everything wrong with it; nothing for a board that says nothing."""
    built = _Built(board) if board.begun else None
    record = built.record(places.path) if built else None

    def locate(pointer: str) -> Location:
        spots = {f"/deals/0/hands/{seat}": hand[0][1] for seat, hand in board.hands.items()}
        for seat, hand in board.hands.items():
            spots |= {f"/deals/0/hands/{seat}/{place}": at for place, (_, at) in enumerate(hand)}
        if built:
            spots |= {f"/deals/0/events/{place}": at for place, (_, at) in enumerate(built.events)}
            spots |= {f"/deals/0/comments/{place}": note.at for place, note in enumerate(built.notes)}
            spots |= {"/deals/0/claimed": built.stated.at} if built.stated else {}
        at = nearest(pointer, spots)
        return places.at(board.at if at is None else at)

    if record or board.defects:
        deal = (board.number or 1) if record else None
        defects = sorted(board.defects, key=itemgetter(0))
        found = [Finding(fault, facts, deal=deal, location=places.at(at)) for at, fault, facts in defects]
        yield Reading(record, tuple(found), locate)


class _Built:
    """What the parts of a board's record are: its events and comments, and the pairs that are kept."""

    def __init__(self, board: Board) -> None:
        self.board, self.stated = board, stated(board)
        calls = board.calls if board.dealer else []  # otherwise nobody knows who made them
        auction = None if board.doubtful else came_to([call for call, _ in board.calls], board.dealer)
        self.passed = auction is not None and auction.bid == "pass"
        self.contract = self.stated.contract if self.stated and not (auction and board.dealer) else auction
        turn = SEATS.index(board.dealer) if board.dealer else 0
        self.events: list[PlacedEvent] = [
            ({"do": "bid", "by": SEATS[(turn + place) % 4], "bid": call}, at) for place, (call, at) in enumerate(calls)
        ]
        if self.stated:
            self.events.append((_contract(self.stated.contract), self.stated.at))
        elif self.contract and not self.passed and not calls:
            self.events.append((_contract(self.contract), board.calls[0][1]))
        self.first = len(self.events)  # the place of what comes after the calls
        self.events += [({"do": "play", "card": card}, at) for card, at in board.plays]
        self.claimed = self._claim()
        self.unseated = [] if board.dealer else _pairs_of_calls(board)
        told = [*board.alerts, *board.explanations] if board.dealer else []
        self.notes = sorted([*told, *board.comments], key=lambda note: (self._event(note.after), note.kind is None))

    def _claim(self) -> bool:
        """Put the claim among the events, if it can be; whether it was."""
        board = self.board
        if not (board.claim and self.contract and self.contract.by):
            return False
        claimed, at, before = board.claim
        table = played(board_hands(board), self.contract, [card for card, _ in board.plays[:before]])
        won = won_by(table, self.contract.by)
        if won is None:
            return False
        left = table.size - len(table.tricks)
        if not won <= claimed <= won + left:
            why = f"declarer cannot take {claimed} tricks in all: {won} are won and {left} are left"
            board.note(at, why, "FMT017")
            return False
        if left:
            declarer = self.contract.by
            other = PLAYERS[(PLAYERS.index(declarer) + 1) % 4]
            tricks = {declarer: claimed - won, other: won + left - claimed}
            self.events.insert(self.first + before, ({"do": "claim", "by": declarer, "tricks": tricks}, at))
        return left > 0

    def _event(self, after: int) -> int:
        """How many events there are after so many calls, cards and claims; a contract belongs to what follows."""
        board = self.board
        calls = len(board.calls)
        if after <= calls:
            return after if board.dealer else 0
        beyond = board.claim is not None and not self.claimed and after - calls > board.claim[2]
        return self.first + after - calls - beyond

    def _kept(self) -> list[list[Any]]:
        """The pairs that are kept: those that hold for several boards, those before the hands, and those after."""
        board, claim = self.board, self.board.claim
        heads = [[tag, unbroken(pair.value)] for tag, pair in board.sheet.items() if unbroken(pair.value)]
        told = [pair for pair in heads if pair[0] != "pn" or not _are_all_names(pair[1])]
        kept = [*self.unseated, *board.kept]
        if claim and not self.claimed:
            kept.append(Kept("mc", str(claim[0]), len(board.calls) + claim[2]))
        if board.result and not self.stated:
            kept.append(Kept("rs", board.result[0], 0))
        kept.sort(key=lambda each: -1 if each.after is None else each.after)
        return told + [[e.tag, e.value] if e.after is None else [e.tag, e.value, self._event(e.after)] for e in kept]

    def record(self, name: str) -> Record:
        """The record of the board in the file of this name."""
        board, kept = self.board, self._kept()
        over = len(board.plays) >= 52 or (self.passed and not board.plays)
        deal = {
            "number": board.number,
            "board": board.number,
            "dealer": board.dealer,
            "vulnerable": board.vulnerable,
            "status": "complete" if over else "claimed" if board.claim else "stopped",
            "hands": board_hands(board) or None,
            "events": [event for event, _ in self.events],
            "claimed": self._claims(),
            "comments": [_comment(note, self._event(note.after)) for note in self.notes] or None,
        }
        names = _names(board)
        players = [Player(seat=seat, name=names.get(seat)) if seat in names else Player(seat=seat) for seat in PLAYERS]
        return excerpt(name, board.count, [Deal.model_validate(_known(deal))], {"lin": kept} if kept else {}, players)

    def _claims(self) -> dict[str, Any] | None:
        if not self.stated or self.stated.tricks is None or not self.stated.contract.by:
            return None
        return {"sides": {side(self.stated.contract.by): {"tricks": self.stated.tricks}}}


def came_to(calls: Sequence[str], dealer: str | None) -> LinContract | None:
    """What calls come to as they stand, whether or not they may be made; None without a bid or four passes.

    What is called after three passes over a bid counts no more.
    """
    best, risk, owner, passes = "", "", 0, 0
    first: dict[tuple[str, int], int] = {}  # who named a strain first, by strain and side
    for place, call in enumerate(calls):
        if call == "?" or passes == (3 if best else 4):
            break
        passes = passes + 1 if call == "pass" else 0
        if call[0].isdigit():
            best, risk, owner = call, "", place
            first.setdefault((call[1:], place % 2), place)
        elif call != "pass":
            risk = call.lower()
    if "?" in calls or not (best or passes == 4):
        return None
    turn = first[best[1:], owner % 2] if best else 0
    return LinContract(best + risk, SEATS[(SEATS.index(dealer) + turn) % 4] if dealer else None) if best else PASSED


def side(seat: str) -> str:
    """The side of a seat."""
    return "NS" if seat in "NS" else "EW"


def stated(board: Board) -> StatedResult | None:
    """What the board's result says: its own, or that of its room among all results; what is no result is a defect."""
    result, title, results = board.result, board.sheet.get("vg"), board.sheet.get("rs")
    if not result and title and results and board.number:
        listed = _listed(results, title)
        result = listed.get((board.number, board.room or "")) or listed.get((board.number, ""))
    text, at = result or ("", 0)
    match = RESULT.fullmatch(text)
    if match and not match[1]:
        return StatedResult(PASSED, None, at)
    tricks = int(match[1]) + 6 + int((match[7] or "=").replace("=", "0")) if match else -1
    if match and 0 <= tricks <= 13:
        strain = match[2].upper().replace("T", "").replace("N", "NT")
        risk, declarer = match[3] or match[6] or "", match[4] or match[5]
        contract = LinContract(f"{match[1]}{strain}{risk.lower()}", declarer.upper())
        return StatedResult(contract, tricks if match[7] else None, at)
    if text and not GIVEN.fullmatch(text):
        board.note(at, f"{shown(text)} is no result")
    return None


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


def played(hands: Mapping[str, Sequence[str]], contract: LinContract, cards: Sequence[str]) -> Table:
    """The table after these cards were played to a contract."""
    events = [_contract(contract), *({"do": "play", "card": card} for card in cards)]
    deal = Deal.model_validate({"status": "stopped", "events": events, **({"hands": dict(hands)} if hands else {})})
    return replay(excerpt("", 1, [deal], {}), GAME, quick=fast.replayed)[0]


def won_by(table: Table, seat: str) -> int | None:
    """How many tricks the side of a seat has won, if that is certain."""
    if table.stopped or not all(trick.winner for trick in table.tricks):
        return None
    place = PLAYERS.index(seat)
    return table.won[place] + table.won[place - 2]


def board_hands(board: Board) -> dict[str, list[str]]:
    """The hands that a board gives, clockwise from North."""
    return {seat: [card for card, _ in board.hands[seat]] for seat in PLAYERS if seat in board.hands}


def _pairs_of_calls(board: Board) -> list[Kept]:
    """Calls of nobody knows whom, with what was said of them, as pairs."""
    kept = []
    alerts = {note.after: note for note in board.alerts}
    explained: dict[int, list[Note]] = {}
    for note in board.explanations:
        explained.setdefault(note.after, []).append(note)
    for number, (call, _) in enumerate(board.calls, 1):
        alert = alerts.get(number)
        kept.append(Kept("mb", written_call(call) + ("!" if alert else ""), number))
        told = [alert] if alert and (alert.text or number in explained) else []
        kept += [Kept("an", note.text, number) for note in (*told, *explained.get(number, []))]
    return kept


def written_call(call: str) -> str:
    """A call as LIN has it: `p d r`, bids with `N` for no trump."""
    return {"pass": "p", "X": "d", "XX": "r"}.get(call, call.removesuffix("T") if call[1:] == "NT" else call)


def _contract(contract: LinContract) -> dict[str, Any]:
    return _known({"do": "contract", "by": contract.by, "bid": contract.bid})


def _comment(note: Note, event: int) -> dict[str, Any]:
    return _known({"text": note.text, "kind": note.kind, "event": event or None})


def _known(data: dict[str, Any]) -> dict[str, Any]:
    """Without what is not known."""
    return {key: value for key, value in data.items() if value is not None}


def _are_all_names(names: str) -> bool:
    """Whether the players of a record tell all names that there are."""
    parts = names.split(",")
    return len(parts) <= 4 and all(len(name) <= MAX_TEXT for name in parts)


def _names(board: Board) -> dict[str, str]:
    """Who sits where: of eight names the second four are the closed room's; without a room they are nobody's."""
    names = [unbroken(name)[:MAX_TEXT] for name in board.sheet["pn"].value.split(",", 8)[:8]] if "pn" in board.sheet else []
    if len(names) > 4:
        names = {"o": names[:4], "c": names[4:]}.get(board.room or "", [])
    return {seat: name for seat, name in zip(SEATS, names, strict=False) if name}
