"""Records to text: a game of PBN 2.1, laid out as the standard has it for export.

First the tags that must be there, then those that the standard knows, then others in the order in which they came, each
group in its order; then the comments on the deal, the calls in four columns from the dealer, and the play in a column for each
seat from the one that has the opening lead. Each section is followed by its notes.

A tag that nobody stated, but that other programs look for, says what follows from the calls and the play (contract, declarer,
result); it is named in `RecordDerived`, so that it is not read as if somebody had. What PBN has no tag for stands in tags of our
own (see `handrec.formats.pbn.tags`): it is found by reading what was written. Events that PBN does not know are left out.

No line is longer than 255 characters, but for a tag with a long value, or a word. Files are in UTF-8: the standard means Latin-1,
but programs of today read UTF-8 and stop at Latin-1; of ASCII, which is nearly all that is written, both are the same.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Iterator, Sequence
from functools import cached_property
from itertools import pairwise
from typing import Any

from handrec.cards import FRENCH_52, RANKS
from handrec.formats import Unwritable
from handrec.formats.boards import LONGEST, SEATS
from handrec.formats.pbn.calls import Heard, heard
from handrec.formats.pbn.lines import Section, braced, tag_of, tags_of
from handrec.formats.pbn.play import SUITS, TRICKS, winners
from handrec.formats.pbn.reader import read
from handrec.formats.pbn.remarks import CALL, CARD
from handrec.formats.pbn.tags import (
    DERIVED,
    MANDATORY,
    NAMES,
    OF_DEAL,
    OF_RECORD,
    OTHER,
    REST,
    SCORES,
    SPELLED,
    SUPPLEMENTAL,
    VULNERABLE,
    in_sides,
    side_of,
)
from handrec.formats.strict import decode
from handrec.game import Sight
from handrec.games import bridge
from handrec.phases.bidding import PASS
from handrec.phases.bidding import UNKNOWN as NOT_KNOWN
from handrec.record import Comment, Deal, Play, Provenance, Record
from handrec.writing import plain

_CALL = re.compile("[1-7](?:[CDHS]|NT)|XX?")
_CONTRACT = re.compile("([1-7]?)(C|D|H|S|NT?)(x{0,2})", re.IGNORECASE)


def write(record: Record) -> str:
    """The record as a game of PBN for each deal; raises `Unwritable` unless it is of bridge, with the seats N, E, S, W."""
    if record.game != "bridge" and not record.deals and "GameCode" in _kept(record):
        return tags_of(_kept(record)) + "\n"
    if record.game != "bridge":
        raise Unwritable(f"it is a game of {record.game}, not of bridge")
    if {player.seat for player in record.players} != {*SEATS}:
        raise Unwritable(f"its seats are not {', '.join(SEATS)}")
    if not record.deals:
        raise Unwritable("it has no deals")
    return "".join(_written(record.model_copy(update={"deals": [deal]})) for deal in record.deals)


def _written(record: Record) -> str:
    """A record of one deal."""
    for as_kept in (True, False):
        text = _Game(record, {}, as_kept).text()
        back = next(read(text.encode(), "pbn")).record
        if back and _same(record.deals[0], back.deals[0]):
            break
    more = _more(record, back) if back else {}
    return _Game(record, more, as_kept).text() if more else text


def join(texts: Iterable[str]) -> Iterator[str]:
    """The games of a file, after the lines that say what it is."""
    yield "% PBN 2.1\n% EXPORT\n"
    yield from texts


def _kept(record: Record) -> dict[str, str]:
    """The tags that the reader kept as they were."""
    kept = record.extensions.get("pbn")
    tags = kept.items() if isinstance(kept, dict) else ()
    return {name: text for name, text in tags if isinstance(text, str) and re.fullmatch(r"\w+", name, re.ASCII)}


def _same(deal: Deal, back: Deal) -> bool:
    """Whether a deal that was read back has the cards and events that were written."""
    hands = [{seat: sorted(cards) for seat, cards in (each.hands or {}).items()} for each in (deal, back)]
    return deal.events == back.events and hands[0] == hands[1]


def _more(record: Record, back: Record) -> dict[str, Any]:
    """What the record states and what was read back does not; of its deal, also what only the latter states."""
    ours, theirs = plain(record) | {"status": record.status}, plain(back)
    more = {field: ours.get(field) for field in OF_RECORD if (ours.get(field) or {}) != (theirs.get(field) or {})}
    if _filed(record):
        more = {field: value for field, value in more.items() if field not in ("id", "provenance")}
    more["extensions"] = {name: value for name, value in record.extensions.items() if name != "pbn"}
    deal, found = ({"status": "complete"} | each["deals"][0] for each in (ours, theirs))
    differing = {field: deal.get(field) for field in OF_DEAL if deal.get(field) != found.get(field)}
    if record.deals[0].events != back.deals[0].events or _by_event(deal) == _by_event(found):
        differing.pop("comments", None)  # they say the same in another order, or are on other events
    if differing:
        more["deal"] = differing
    more |= {field: _readable(more[field] or {}) for field in ("extensions", "options", "deal") if more.get(field)}
    return {field: value for field, value in more.items() if value != {}}


def _readable(values: dict[str, Any]) -> dict[str, Any]:
    """Of some values those that can be read again as JSON: a number may be too large for that."""
    return {name: value for name, value in values.items() if not decode(json.dumps(value).encode(), "").findings}


def _by_event(deal: dict[str, Any]) -> list[dict[str, Any]]:
    """The comments of a deal in the order of its events."""
    return sorted(deal.get("comments", ()), key=lambda comment: int(comment.get("event", 0)))


def _filed(record: Record) -> bool:
    """Whether id and provenance say only in which file a record stood, and where: in the next file that is other."""
    source = record.provenance.source if record.provenance else None
    if source is None:
        return record.id is None and record.provenance is None
    by_file = record.provenance == Provenance(source=source, kind="archive")
    return by_file and re.fullmatch(re.escape(source) + "#[0-9]+", record.id or "") is not None


# --- words ----------------------------------------------------------------------------------------------------------


# --- a game ---------------------------------------------------------------------------------------------------------

Turn = tuple[int, int, Play]  # whose turn it was, the number of the event, and the event


class _Game:
    """A record of one deal, as it is written; `more` is what PBN has no tag for.

    A tag that the reader kept because there is more in it than it could read is written `as_kept`, or as the record has it now.
    """

    def __init__(self, record: Record, more: dict[str, Any], as_kept: bool) -> None:
        self.record, self.deal, self.more, self.as_kept = record, record.deals[0], more, as_kept
        self.kept = {SPELLED.get(name.lower(), name): text for name, text in _kept(record).items()}
        events = _standing(self.deal)
        self.calls = _writable([(number, event) for number, event in events if event.do == "bid" and event.by in SEATS])
        self.plays = [(number, event) for number, event in events if event.do == "play"]
        while self.plays and not _known(self.plays[-1][1].card):  # a dash at the end would be no card
            self.plays.pop()
        self.claim = next((each for each in events if each[1].do == "claim"), None)
        self.contract = next((each for each in events if each[1].do == "contract" and _contract(each[1].bid)), None)
        self.derived: list[str] = []

    @cached_property
    def said(self) -> dict[int, list[Comment]]:
        """The comments by the numbers of the events that are written, 0 for those at none of them."""
        places = {number for number, _ in self.calls} | {number for row, _ in self.rows for _, number, _ in row}
        places |= {self.contract[0]} if self.contract else set()
        places |= {self.claim[0]} if self.claim and self.divided else set()
        said: dict[int, list[Comment]] = {}
        for comment in self.deal.comments or ():
            said.setdefault(comment.event if comment.event in places else 0, []).append(comment)
        return said

    # --- what follows ---

    @cached_property
    def heard(self) -> Heard | None:
        """What the calls came to."""
        return heard([(call.by, str(call.bid)) for _, call in self.calls])

    @cached_property
    def strain(self) -> str | None:
        """The strain of the contract, as far as it is known."""
        if self.contract:
            return bridge.strain(str(self.contract[1].bid))
        return self.heard.strain or None if self.heard else None

    @cached_property
    def declarer(self) -> str | None:
        """Who declares, as far as it is known."""
        if self.contract and self.contract[1].by in SEATS:
            return str(self.contract[1].by)
        same = self.heard and self.strain and self.heard.strain == self.strain
        return self.heard.declarer if self.heard and same and "Declarer" not in self.kept else None

    @cached_property
    def first(self) -> str:
        """The seat of the first column: the one with the opening lead."""
        if self.declarer:
            return SEATS[(SEATS.index(self.declarer) + 1) % len(SEATS)]
        leads = [self.deal.leader, *(play.by for _, play in self.plays[:1])]
        return next((seat for seat in leads if seat in SEATS), SEATS[0])

    @cached_property
    def rows(self) -> list[tuple[list[Turn], list[int]]]:
        """The plays trick by trick, each with the seats that may have had the lead to it; the last may have no plays."""
        rows: list[tuple[list[Turn], list[int]]] = [([], [SEATS.index(self.first)])]
        for number, play in self.plays:
            row, due = rows[-1]
            seat = SEATS.index(play.by) if play.by in SEATS else None
            if row and (play.trick or seat in [turn[0] for turn in row]):
                rows.append(([], self.winners(row, due)))
                row, due = rows[-1]
            if len(rows) > TRICKS or (seat is None and not row and len(due) > 1):
                break
            if seat is None:
                seat = (row[-1][0] + 1) % len(SEATS) if row else due[0]
            row.append((seat, number, play))
            if len(row) == len(SEATS):
                rows.append(([], self.winners(row, due)))
        return rows

    def winners(self, row: Sequence[Turn], due: list[int]) -> list[int]:
        """The seats that may have won a trick."""
        order = bridge.order(Sight((), self.strain, 1, 0))
        cards = {seat: FRENCH_52.index.get(play.card, -1) for seat, _, play in row}
        leads = due if row[0][2].unordered else [row[0][0]]
        return winners([cards.get(seat, -1) for seat in range(len(SEATS))], 0, leads, order)

    def won(self, side: str) -> int | None:
        """How many tricks a side has won, None if one of the winners is not certain, or a card is none of its seat's."""
        winners = [due for _, due in self.rows[1:]]
        hands = {seat: cards for seat, cards in (self.deal.hands or {}).items() if cards and all(map(_known, cards))}
        cards = [(SEATS[seat], play.card) for row, _ in self.rows for seat, _, play in row]
        if any(len(due) > 1 for due in winners) or not all(card in hands.get(seat, (card,)) for seat, card in cards):
            return None
        return sum(SEATS[due[0]] in side for due in winners)

    @property
    def divided(self) -> bool:
        """Whether a result is written that says how a claim divides the tricks that are left."""
        return self.result != "" and self.declarer is not None and self.won(side_of(self.declarer)) is not None

    # --- tags ---

    def text(self) -> str:
        """The game, up to the empty line after it."""
        first, then = (self.kept, self.stated()) if self.as_kept else (self.stated(), self.kept)
        known = {name: first.get(name) or then.get(name, "") for name in (*MANDATORY, *SUPPLEMENTAL)}
        tables = {name: text for name, text in self.kept.items() if name.lower().endswith("table") and name != "Table"}
        kept = {name: tag_of(name, self.kept[name]) for name in ("Auction", "Play") if name in self.kept}
        sections = {"Auction": self.auction(), "Play": self.play()}
        sections = sections | kept if self.as_kept else kept | {name: text for name, text in sections.items() if text}
        others = {name: text for name, text in self.kept.items() if name not in (*known, *tables, *kept, DERIVED, REST)}
        others |= {DERIVED: " ".join(self.derived)} if self.derived else {}
        others |= {REST: json.dumps(self.more, ensure_ascii=False, separators=(",", ":"))} if self.more else {}
        tags = {name: text for name, text in known.items() if text or name in MANDATORY or name in self.kept} | others
        about = self.said.get(self.contract[0], []) if self.contract else []
        lines = [tag_of(name, text) + (self.comments(about) if name == "Contract" else "") for name, text in tags.items()]
        lines.append(self.comments(self.said.get(0, [])))
        return "".join([*lines, *(sections.get(name, "") for name in ("Auction", "Play"))]) + tags_of(tables) + "\n"

    def comments(self, said: Iterable[Comment]) -> str:
        """Comments, each in a line."""
        return "".join(f"{text.rstrip()}\n" for text in map(braced, (comment.text for comment in said)) if text)

    def stated(self) -> dict[str, str]:
        """What the record says of the tags that are its own."""
        deal = self.deal
        names = {NAMES[player.seat]: player.name.strip() for player in self.record.players if player.name}
        board = deal.board or deal.number
        tags = {
            **names,
            "Board": str(board) if board else "",
            "Dealer": deal.dealer if deal.dealer in SEATS else "",
            "Vulnerable": VULNERABLE.get(deal.vulnerable or "", ""),
            "Deal": self.hands(),
            "Contract": self.bid(),
            "Declarer": self.declared(),
            "Result": self.result,
        }
        for tag, name in SCORES.items():
            tags[tag] = in_sides(self.sides(name))
        return {name: text for name, text in tags.items() if text}

    def sides(self, name: str) -> dict[str, int | str]:
        """What was written down for the sides."""
        sides = self.deal.claimed.sides if self.deal.claimed and self.deal.claimed.sides else {}
        found = {side: getattr(sides[side], name) for side in OTHER if side in sides}
        return {side: value for side, value in found.items() if value is not None}

    def hands(self) -> str:
        """The hands, a dash for one that is not known; of the last cards of a deal, only those."""
        hands = {seat: cards for seat, cards in (self.deal.hands or {}).items() if seat in SEATS and cards}
        seen = {seat: [card for card in cards if _known(card)] for seat, cards in hands.items()}
        ending = all(len(seen[seat]) < len(cards) == TRICKS for seat, cards in hands.items()) and any(seen.values())
        whole = [seat for seat, cards in seen.items() if ending or (cards and len(cards) == len(hands[seat]))]
        return "N:" + " ".join(_hand(seen[seat]) if seat in whole else "-" for seat in SEATS) if whole else ""

    def bid(self) -> str:
        """The contract."""
        if not self.contract:
            if self.heard is None or "Contract" in self.kept:
                return ""
            self.derived.append("Contract")
            return self.heard.bid.upper() or "Pass"
        return _contract(self.contract[1].bid)

    def declared(self) -> str:
        """Who declares."""
        if self.declarer and not (self.contract and self.contract[1].by):
            self.derived.append("Declarer")
        return self.declarer or ""

    @cached_property
    def result(self) -> str:
        """The tricks of the declarer, which is what other programs look for; of sides where that does not tell all."""
        tricks = self.sides("tricks")
        side = side_of(self.declarer) if self.declarer else None
        if tricks:
            alone = side in tricks and (len(tricks) == 1 or sum(map(int, tricks.values())) == TRICKS)
            return str(tricks[side]) if side and alone else in_sides(tricks)
        won, left = self.won(side) if side else None, TRICKS - len(self.rows) + 1
        claimed = self.claim[1].tricks if self.claim else {}
        if side is None or won is None or "Result" in self.kept or sum(claimed.values()) != left:
            return ""
        self.derived.append("Result")
        return str(won + sum(many for seat, many in claimed.items() if seat in side))

    # --- sections ---

    def auction(self) -> str:
        """The calls, in four columns from the dealer."""
        if not self.calls:
            return ""
        section, cells = Section(CALL, self.said), list[list[str]]()
        start = turn = SEATS.index(self.deal.dealer if self.deal.dealer in SEATS else self.calls[0][1].by)
        passes = next((place for place, (_, call) in enumerate(reversed(self.calls)) if call.bid != PASS), len(self.calls))
        silent = not any(number in self.said for number, _ in self.calls[-3:-1])
        turns = [SEATS.index(call.by) for _, call in self.calls[-3:]]
        in_turn = all((one + 1) % len(SEATS) == other for one, other in pairwise(turns))
        short = passes == 3 < len(self.calls) and silent and in_turn
        for number, call in self.calls[:-3] if short else self.calls:
            place = SEATS.index(call.by)
            cells += [["^S"]] * ((place - turn) % len(SEATS))
            cells.append(section.cell(number, _called(call.bid)))
            turn = (place + 1) % len(SEATS)
        if short:
            cells += [["^S"]] * ((turns[0] - turn) % len(SEATS))
            cells.append(section.cell(self.calls[-1][0], "AP"))
        elif passes < (3 if passes < len(self.calls) else 4):
            cells.append(["+" if self.going_on else "*"])
        rows = (cells[place : place + len(SEATS)] for place in range(0, len(cells), len(SEATS)))
        return section.text("Auction", SEATS[start], rows, 5)

    @property
    def going_on(self) -> bool:
        """Whether the auction is what is in progress."""
        return self.deal.status == "in_progress" and not self.plays

    def play(self) -> str:
        """The play, in a column for each seat."""
        calling = self.calls and self.heard is None and not self.contract
        over = len(self.plays) >= len(SEATS) * TRICKS
        claimed = not over and (self.deal.status == "claimed" or (self.claim is not None and self.divided))
        goes_on = self.deal.status == "in_progress" and not calling
        if not (self.plays or claimed or goes_on):
            return ""
        section, first = Section(CARD, self.said), SEATS.index(self.first)
        columns = [(first + step) % len(SEATS) for step in range(len(SEATS))]
        rows = [self.trick(section, columns, row, due) for row, due in self.rows if row]
        row, due = self.rows[-1]
        if goes_on and row:
            waiting = next(seat for seat in _clockwise(row[0][0]) if seat not in [turn[0] for turn in row])
            rows[-1][columns.index(waiting)] = ["+"]
        elif goes_on:
            rows.append([["+"] if [seat] == due else ["-"] for seat in columns] if len(due) == 1 else [["+"]])
        if claimed:
            rows.append([section.cell(self.claim[0] if self.claim else None, "*")])
        return section.text("Play", self.first, rows, 3)

    def trick(self, section: Section, columns: Sequence[int], row: Sequence[Turn], due: Sequence[int]) -> list[list[str]]:
        """The cards of a trick; a lead that was not that seat's is marked."""
        cells = {seat: ["-"] for seat in columns}
        for place, (seat, number, play) in enumerate(row):
            marks = ["^R"] if play.marked == "revoke" else []
            if play.marked == "lead" or (not place and not play.unordered and len(due) == 1 and seat != due[0]):
                marks = ["^L"]
            card = play.card[1] + play.card[0] if _known(play.card) else "-"
            cells[seat] = section.cell(number, *(marks if card != "-" else []), card)
        return [cells[seat] for seat in columns]


def _standing(deal: Deal) -> list[tuple[int, Any]]:
    """The events with their numbers, but for calls and cards that were taken back, and the taking back."""
    events: list[tuple[int, Any]] = []
    for number, event in enumerate(deal.events, 1):
        if event.do != "withdraw":
            events.append((number, event))
            continue
        name, value = ("card", event.card) if event.card else ("bid", event.bid)
        for each in reversed(events):
            if getattr(each[1], name, None) == value and each[1].by == event.by:
                events.remove(each)
                break
    return events


def _writable(calls: list[tuple[int, Any]]) -> list[tuple[int, Any]]:
    """The calls that can be written: of those that nobody wrote down, the ones between others."""
    there = [(number, call) for number, call in calls if call.bid == NOT_KNOWN or _called(call.bid) != "-"]
    known = [place for place, (_, call) in enumerate(there) if call.bid != NOT_KNOWN]
    return there[known[0] : known[-1] + 1][:LONGEST] if known else []


def _known(card: str) -> bool:
    return len(card) == 2 and card[0] in RANKS and card[1] in SUITS


def _hand(cards: Iterable[str]) -> str:
    held = sorted(cards, key=lambda card: RANKS.index(card[0]), reverse=True)
    ranks = ("".join(card[0] for card in held if card[1] == suit) for suit in SUITS)
    return ".".join(ranks)


def _clockwise(seat: int) -> Iterator[int]:
    return ((seat + step) % len(SEATS) for step in range(len(SEATS)))


def _contract(bid: int | str) -> str:
    """A contract as it is written; empty if it is none."""
    match = _CONTRACT.fullmatch(str(bid))
    if match is None:
        return "Pass" if bid == PASS else ""
    return f"{match[1]}{'NT' if match[2].upper()[0] == 'N' else match[2].upper()}{match[3].upper()}"


def _called(bid: int | str) -> str:
    """A call; a dash for one that is not known."""
    if bid == PASS:
        return "Pass"
    return str(bid) if _CALL.fullmatch(str(bid)) else "-"
