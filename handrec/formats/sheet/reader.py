"""Score sheets to records: a file is one sheet, and each cell of it that cannot be read is told by line and column."""

from __future__ import annotations

import re
from codecs import BOM_UTF8, BOM_UTF16_LE
from collections.abc import Iterator, Mapping
from typing import Any

from handrec.findings import Finding
from handrec.formats import Reading
from handrec.formats.json import load
from handrec.formats.sheet.cells import Cell, CellRow, UnreadableCell, rows, unguarded
from handrec.formats.sheet.columns import FRONT, LINES, PARTS, REMARKS, SYNONYMS
from handrec.formats.strict import Places, clip, decode, not_utf8
from handrec.limits import MAX_BYTES, MAX_FINDINGS, mib
from handrec.record import FIRST, FORMAT
from handrec.referee.form import FORM

#: As many as a record can have.
MAX_PLAYERS, MAX_DEALS = 64, 4096

_NUMBER = re.compile(r"[+-]?[0-9]{1,10}")
_SEAT = r"[A-Za-z0-9_-]{1,16}"
_LABEL = re.compile(rf"(.*?) ?\(({_SEAT})\)", re.DOTALL)


def read(data: bytes, name: str, game: str | None = None, options: Mapping[str, Any] | None = None) -> Iterator[Reading]:
    """The one record of a sheet; `game` and `options` are those of sheets that do not say."""
    if data.startswith(BOM_UTF16_LE):  # what a spreadsheet calls Unicode text
        data = data.decode("utf-16", "replace").encode("utf-8", "replace")
    places = _CellPlaces(name)
    findings: list[Finding] = []

    def fault(code: str, at: int, **facts: Any) -> None:
        findings.append(Finding(FORM[code], facts, location=places.at(at)))

    if len(data) > MAX_BYTES:
        fault("FMT002", 0, what="the size of a record", limit=mib(MAX_BYTES))
        yield Reading(None, tuple(findings), places)
        return
    if data.startswith(BOM_UTF8):  # spreadsheets write it, and this is no fault of a sheet
        data = data.removeprefix(BOM_UTF8)
    try:
        places.text = data.decode()
    except UnicodeDecodeError as error:
        places.text = data[: error.start].decode()
        fault("FMT005", len(places.text), why=not_utf8(error))
        yield Reading(None, tuple(findings), places)
        return
    sheet = _Sheet(places.spots, game, dict(options or {}))
    try:
        sheet.read([row for row in rows(places.text) if any(cell.text.strip() for cell in row)])
    except UnreadableCell as unread:
        sheet.faults.append(unread)
    for at, why in sheet.faults[:MAX_FINDINGS]:
        fault("FMT001", at, why=why)
    if sheet.faults:
        yield Reading(None, tuple(findings), places)
        return
    record, amiss = load(sheet.record())
    yield Reading(record, (*findings, *amiss), places)


class _CellPlaces(Places):
    """Where the cells that hold parts of a record begin, by JSON Pointer."""

    def __init__(self, path: str) -> None:
        super().__init__(path)
        self.spots: dict[str, int] = {}

    def __call__(self, pointer: str) -> Any:
        while pointer and pointer not in self.spots:
            pointer = pointer.rpartition("/")[0]
        return self.at(self.spots.get(pointer, 0))


class _Sheet:
    """A sheet while it is read: the record's parts, and what is wrong, with places."""

    def __init__(self, spots: dict[str, int], game: str | None, options: dict[str, Any]) -> None:
        self.spots, self.game, self.options = spots, game, options
        self.faults: list[UnreadableCell] = []
        self.status: str | None = None
        self.front: dict[str, int] = {}  # the column of each part of a deal
        self.parts: dict[str, dict[str, int]] = {}  # the columns of each player's parts, by seat
        self.players: list[dict[str, str]] = []
        self.called: dict[str, list[str]] = {}  # the seats that are meant by whatever a player is called
        self.headed: dict[int, str] = {}  # what each column with a heading holds
        self.deals: list[dict[str, Any]] = []
        self.final: dict[str, Any] = {}

    def fault(self, cell: Cell, why: str) -> None:
        """Note that a cell cannot be read."""
        self.faults.append(UnreadableCell(cell.at, why))

    @property
    def names(self) -> str:
        """What the players are called, for messages."""
        return clip(", ".join(self.called), 200)

    def read(self, rows: list[CellRow]) -> None:
        """Read the lines that have something in them."""
        if rows and rows[0][0].text.lower().startswith("sep="):  # by which a spreadsheet says what stands between cells
            del rows[0]
        if rows and rows[0][0].value.lower() == FORMAT:
            self.opening(rows.pop(0))
        if not rows:
            raise UnreadableCell(0, "a line of headings is expected, such as deal,dealer,N bid,N tricks,N points,N total")
        self.headings(rows[0])
        if self.game is None:
            raise UnreadableCell(0, "the game is not named: begin with a line handrec,GAME, or convert with --game GAME")
        for row in rows[1:]:
            self.line(row)

    def opening(self, row: CellRow) -> None:
        """The first line: game, options, status."""
        game, options, status = [*row[1:], *[Cell(row[-1].at, "")] * 3][:3]
        for pointer, cell in (("/game", game), ("/options", options), ("/status", status)):
            self.spots[pointer] = cell.at
        for cell in row[4:]:
            if cell.value:
                self.fault(cell, "the first line ends with the status")
        self.game = game.value or self.game
        self.status = status.value or None
        if options.value:
            decoded = decode(options.value.encode(), "")
            if decoded.findings:
                self.fault(options, f"options are JSON in quotes, such as {{}}: {decoded.findings[0].message}")
            self.options = decoded.value

    def headings(self, row: CellRow) -> None:
        """Which column holds what, and who plays."""
        labels: dict[str, dict[str, int]] = {}
        for place, cell in enumerate(row):
            name, _, last = cell.value.rpartition(" ")
            part = SYNONYMS.get(last.lower(), last.lower())
            into, key = (labels.setdefault(name, {}), part) if name and part in PARTS else (self.front, part)
            if not cell.value:
                continue
            if into is self.front and (name or key not in (*FRONT, REMARKS)):
                known = ", ".join((*FRONT, REMARKS))
                self.fault(cell, f"no column {clip(cell.value)} is known (there are: {known}; NAME {', NAME '.join(PARTS)})")
            elif key in into:
                self.fault(cell, f"column {clip(cell.value)} stands here for the second time")
            into[key] = place
        if not labels:
            raise UnreadableCell(row[0].at, "a line of headings is expected, such as deal,dealer,N bid,N tricks,N points,N total")
        if len(labels) > MAX_PLAYERS:
            raise UnreadableCell(row[0].at, f"there are columns for {len(labels):,} players; {MAX_PLAYERS} are the most")
        self.headed = {place: part for columns in (self.front, *labels.values()) for part, place in columns.items()}
        for label, columns in labels.items():
            self.player(label, columns, row[min(columns.values())])
        plain = set(self.called)  # a heading or seat means one player, whoever else has it for a name
        for player in self.players:
            for name in dict.fromkeys(player.values()):
                if name and name not in plain:
                    self.called.setdefault(name, []).append(player["seat"])

    def player(self, label: str, columns: dict[str, int], cell: Cell) -> None:
        """A player, who is called by name and seat, by seat, or by a name that can be no seat."""
        match, player = _LABEL.fullmatch(label), {"seat": label}
        if match:
            player = {"seat": match[2], "name": match[1]}
        elif not re.fullmatch(_SEAT, label):
            player = {"seat": f"P{len(self.players) + 1}", "name": label}
        seat = player["seat"]
        if seat in self.parts:
            self.fault(cell, f"seat {seat} stands here for the second time")
        self.spots[f"/players/{len(self.players)}"] = cell.at
        self.players.append(player)
        self.parts[seat] = columns
        for name in (label, match[2]) if match else (label,):
            self.called[name] = [seat]

    def line(self, row: CellRow) -> None:
        """A line: a deal, the penalties of one, or the totals of the game."""
        first = self.cell(row, "line")
        kind = first.value.lower() or "deal"
        number = self.cell(row, "deal")
        if "line" not in self.front and SYNONYMS.get(number.value.lower(), number.value.lower()) in ("penalty", "total"):
            first, kind, number = number, number.value.lower(), Cell(number.at, "")
        kind = SYNONYMS.get(kind, kind)
        due = LINES.get(kind, LINES["deal"])
        for place, cell in enumerate(row):
            if cell.value and place not in self.headed:
                self.fault(cell, "this stands in a column without heading")
            elif cell.value and cell is not first and self.headed[place] not in due:
                self.fault(cell, f"a {kind} line has no {self.headed[place]} (it has: {', '.join(due)})")
        if kind == "deal":
            self.deal(row, number)
        elif kind == "total":
            self.total(row, first)
        elif kind != "penalty":
            self.fault(first, f"a line is a deal, a penalty or the total, not {clip(first.value)}")
        elif not self.deals:
            self.fault(first, "a penalty stands below its deal, but there is none before it")
        else:
            self.penalty(row, number)

    def deal(self, row: CellRow, number: Cell) -> None:
        """A deal's line."""
        if len(self.deals) == MAX_DEALS:
            raise UnreadableCell(row[0].at, f"a sheet has at most {MAX_DEALS:,} deals")
        pointer, deal = f"/deals/{len(self.deals)}", dict[str, Any]()
        self.deals.append(deal)
        self.spots[pointer] = row[0].at
        for field, cell in (("number", number), ("cards", self.cell(row, "cards"))):
            if cell.value:
                deal[field] = self.number(cell, f"{pointer}/{field}")
        dealer, trump = self.cell(row, "dealer"), self.cell(row, "trump")
        if dealer.value:
            self.spots[f"{pointer}/dealer"] = dealer.at
            deal["dealer"] = self.seat(dealer, dealer.value)
        claimed = self.claims(row, f"{pointer}/claimed")
        if trump.value:
            claimed["trump"] = trump.value
            self.spots[f"{pointer}/claimed/trump"] = trump.at
        if claimed:
            deal["claimed"] = claimed
        self.comment(deal, self.cell(row, REMARKS), pointer)

    def penalty(self, row: CellRow, number: Cell) -> None:
        """Points taken in the deal above; the totals are those after it, and a remark is on the last of the penalties."""
        pointer, deal = f"/deals/{len(self.deals) - 1}", self.deals[-1]
        above = str(deal.get("number", len(self.deals)))
        if number.value and number.value.lstrip("+0") != above:
            self.fault(number, f"a penalty stands below its deal, but this is below deal {above}, not {clip(number.value)}")
        claims = self.claims(row, f"{pointer}/claimed")
        scores = claims.pop("scores", {})
        for seat, points in scores.items():
            events = deal.setdefault("events", [])
            self.spots[f"{pointer}/events/{len(events)}"] = row[self.parts[seat]["points"]].at
            events.append({"do": "penalty", "of": seat, "points": -points})
        for name, values in claims.items():
            deal.setdefault("claimed", {}).setdefault(name, {}).update(values)
        self.comment(deal, self.cell(row, REMARKS), pointer, {"event": len(deal["events"])} if scores else {})

    def total(self, row: CellRow, first: Cell) -> None:
        """The line of the whole game: totals and winners."""
        if "/claimed" in self.spots:
            self.fault(first, "the total stands here for the second time")
        self.spots["/claimed"] = first.at
        self.final |= self.claims(row, "/claimed")
        remarks = self.cell(row, REMARKS)
        text = unguarded(remarks.text)
        names = "|".join(re.escape(name) for name in sorted(self.called, key=len, reverse=True))
        match = re.match(rf"\s*Winners?: ((?>{names})(?:, (?>{names}))*+)(?:; |$)", text)
        if match:
            self.final["winners"] = [self.seat(remarks, name) for name in re.findall(names, match[1])]
            self.spots["/claimed/winners"] = remarks.at
            text = text[match.end() :]
        elif re.match(r"\s*Winners?:", text):
            self.fault(remarks, f"the winner is no player's name (there are: {self.names})")
        self.comment(self.final, Cell(remarks.at, text), "")

    def seat(self, cell: Cell, name: str) -> str | None:
        """The seat of the one player who is called so; that there is none, or another, is a fault of the cell."""
        seats = self.called.get(name, [])
        if not seats:
            self.fault(cell, f"no player is called {clip(name)} (there are: {self.names})")
        elif len(seats) > 1:
            self.fault(cell, f"{clip(name)} may be any of {clip(', '.join(seats), 200)}: write it as in the headings")
        return seats[0] if seats else None

    def comment(self, part: dict[str, Any], cell: Cell, pointer: str, of: Mapping[str, int] | None = None) -> None:
        """Remarks, as a comment."""
        if cell.value:
            comments = part.setdefault("comments", [])
            self.spots[f"{pointer}/comments/{len(comments)}"] = cell.at
            comments.append({"text": unguarded(cell.text), **(of or {})})

    def claims(self, row: CellRow, pointer: str) -> dict[str, Any]:
        """What is written down for each player."""
        claims: dict[str, Any] = {}
        for seat, columns in self.parts.items():
            for part, place in columns.items():
                cell = row[place] if place < len(row) else Cell(0, "")
                if cell.value:
                    where = f"{pointer}/{PARTS[part]}/{seat}"
                    is_word = part == "bid" and not _NUMBER.fullmatch(cell.value.replace("−", "-"))
                    self.spots[where] = cell.at
                    claims.setdefault(PARTS[part], {})[seat] = cell.value if is_word else self.number(cell, where)
        return claims

    def cell(self, row: CellRow, name: str) -> Cell:
        """A cell of a line, empty if there is none."""
        place = self.front.get(name, len(row))
        return row[place] if place < len(row) else Cell(row[-1].at, "")

    def number(self, cell: Cell, pointer: str) -> int:
        """A whole number; 0 for what is none, which is a fault."""
        self.spots[pointer] = cell.at
        text = cell.value.replace("−", "-")
        if _NUMBER.fullmatch(text):
            return int(text)
        self.fault(cell, f"a whole number is expected, not {clip(cell.value)}")
        return 0

    def record(self) -> dict[str, Any]:
        """The record's plain values."""
        comments = {"comments": self.final.pop("comments")} if "comments" in self.final else {}
        return {
            "format": FORMAT,
            "version": FIRST,
            "game": self.game,
            "options": self.options,
            "players": self.players,
            **({"status": self.status} if self.status else {}),
            "deals": self.deals,
            **({"claimed": self.final} if self.final else {}),
            **comments,
        }
