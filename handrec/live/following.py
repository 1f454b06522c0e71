"""Many tables followed by lines of JSON: a line says what happens at a table, or asks something of it, and gets one answer.

`handrec help live` has the table of all words. A line that changes a table is numbered, and kept with its answer before that is
given (`handrec.live.state`); a line that comes again is answered as before. Tables that are used are kept ready; the others are
laid again from the state when they are needed. So what is in memory is bounded, however many tables there are.
"""

from __future__ import annotations

import json
from collections import OrderedDict
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from pydantic import ValidationError

from handrec import ruling, writing
from handrec.api import check
from handrec.dealing import seats_for
from handrec.formats import json as form
from handrec.formats.strict import clip
from handrec.limits import MAX_DEALS, MAX_EVENTS, MAX_PLAYERS, MIB
from handrec.live.answers import Applied, Legal, Refused
from handrec.live.lines import ENVELOPE, No, malformed, read, take_envelope, word_of
from handrec.live.snapshot import BadSnapshot, resume
from handrec.live.state import Answered, Behind, NotKept, State
from handrec.live.tables import CannotPlay, LiveTable
from handrec.record import FIRST, FORMAT, Deal, Play, Record
from handrec.report import ruling as shown
from handrec.report.checked import Checked
from handrec.report.json import record as as_json

#: Bytes that tables which are kept ready may take together; about what one takes, and each of its lines (measured).
READY = 512 * MIB
TABLE, LINE = 30_000, 500
#: A snapshot is written after so many lines at the earliest.
EARLIEST = 64
#: So many plays are remembered by their text.
PLAYS = 10_000


@dataclass
class Ready:
    """A table that is kept ready: its game, if one is open; the numbers of its last line and of the one with which the game was
    opened, or with which what is kept begins; how far the last snapshot goes."""

    live: LiveTable | None = None
    n: int = 0
    since: int = 0
    at: int = 0

    @property
    def weight(self) -> int:
        """About how many bytes it takes."""
        return TABLE + LINE * (self.n - self.since)


class LiveTables:
    """Tables by their names, each laid from the state when it is needed.

    With `note`, what is illegal happens anyway, and is told. `closed` is given the name of a table, the number of the line with
    which its game was opened, and its record, before the game is closed; an OSError that it raises keeps it open.
    """

    def __init__(
        self, state: State, *, note: bool = False, closed: Callable[[str, int, Record], None] | None = None, ready: int = READY
    ) -> None:
        self.state, self.note, self.closed, self.most = state, note, closed, ready
        self.ready: OrderedDict[str, Ready] = OrderedDict()
        self.weight = 0
        self.plays: dict[str, Play] = {}

    def answer(self, data: bytes) -> str:
        """The answer to a line: one line of JSON, with its newline."""
        envelope: dict[str, Any] = {}
        try:
            said = read(data)
            take_envelope(said, envelope)
            found = self._asked(envelope, said) if "ask" in said else self._done(envelope, said)
        except No as no:
            found = _refused(no)
        except OSError as error:
            found = _refused(No("TAB006", why=str(error.strerror or error).lower()))
        except Exception as error:  # a fault of ours must not end what goes on at other tables
            self._drop(envelope.get("table", ""))
            found = _refused(No("INT001", why=type(error).__name__))
        envelope = {key: envelope[key] for key in ENVELOPE if key in envelope}
        return writing.visible(json.dumps(envelope | found, ensure_ascii=False, separators=(",", ":"))) + "\n"

    def names(self) -> list[str]:
        """The names of all tables."""
        return self.state.places()

    def record(self, name: str) -> tuple[int, Record] | None:
        """The record of the game that is open at a table, if one is, after the number of the line that opened it.

        Raises `No` if what is kept of it is damaged.
        """
        table = self._at(name)
        return None if table.live is None else (table.since, table.live.record)

    # --- what is asked ---

    def _asked(self, envelope: dict[str, Any], said: dict[str, Any]) -> dict[str, Any]:
        """The answer to a question, which changes nothing and is not kept."""
        if "n" in envelope:
            raise malformed("/n", "what is asked has no number")
        word, given = word_of(said, "ask")
        table = self._at(envelope["table"])
        live = _game(table, envelope["table"])
        envelope["n"] = table.n
        try:
            return {"ok": True, word: ANSWERS[word](live, **given)}
        except ruling.NoSuch as error:
            raise malformed("", str(error)) from None

    # --- what happens ---

    def _done(self, envelope: dict[str, Any], said: dict[str, Any]) -> dict[str, Any]:
        """The answer to what happens, which is kept."""
        name, line = envelope["table"], json.dumps(said, sort_keys=True, separators=(",", ":"))
        opens = said.get("do") == "open"
        while True:
            table = self._at(name)
            n = envelope.get("n", table.n + 1)
            if n <= table.n:
                return self._again(name, n, line)
            if n > table.n + 1:
                raise No("TAB003", "/n", due=table.n + 1, found=n)
            if not opens:
                _game(table, name)
            elif table.live is not None:
                raise No("TAB002", table=name)
            found = self._tried(table, name, said)
            if opens and table.live is None:
                return found  # there is no game whose line this would be
            try:
                self._keep(table, name, n, said.get("do"), Answered(line, json.dumps(found, ensure_ascii=False), found["ok"]))
            except (Behind, NotKept) as error:
                self._drop(name)
                if isinstance(error, NotKept):
                    raise
                continue
            envelope["n"] = n
            return found

    def _again(self, name: str, n: int, line: str) -> dict[str, Any]:
        """The answer that a line had."""
        known = self.state.answered(name, n)
        if known is None or known.line != line:
            why = "it is not kept since the game was closed" if known is None else "it said something else"
            raise No("TAB004", "/n", found=n, table=name, why=why)
        found: dict[str, Any] = json.loads(known.answer)
        return found

    def _tried(self, table: Ready, name: str, said: dict[str, Any]) -> dict[str, Any]:
        """What comes of what happens; a game that is closed is given away first."""
        try:
            word, _ = word_of(said, "do")
            if word == "close" and self.closed is not None and table.live is not None:
                self.closed(name, table.since, table.live.record)
            return self._happens(table, name, said, self.note)
        except No as no:
            return _refused(no)

    def _happens(self, table: Ready, name: str, said: dict[str, Any], forced: bool) -> dict[str, Any]:
        """Change a table as a line says; the answer."""
        word, given = said["do"], {key: value for key, value in said.items() if key != "do"}
        if word == "open":
            table.live = _laid(name, given)
            return {"ok": True, "seats": list(table.live.seats)}
        live = table.live
        assert live is not None
        if word == "close":
            table.live = None
            return {"ok": True}
        if word == "undo":
            return {"ok": True, "undone": _undone(live.undo())}
        if word in ("note", "end"):
            done = live.note(**given) if word == "note" else live.end(**given)
            return done.plain()
        return self._event(live, said, forced).plain()

    def _event(self, live: LiveTable, said: dict[str, Any], forced: bool) -> Applied | Refused:
        """An event of the deal on the table, or the beginning of the next deal."""
        event = {key: value for key, value in said.items() if key != "force"}
        if type(force := said.get("force", False)) is not bool:
            raise malformed("/force", "it should be true or false")
        if event["do"] == "deal":
            if len(live.stated.deals) >= MAX_DEALS:
                raise No("FMT002", what="the number of deals", limit=MAX_DEALS)
        elif live.playing is not None and len(live.playing.deal.events) >= MAX_EVENTS:
            raise No("FMT002", what="the number of events of a deal", limit=MAX_EVENTS)
        happens = live.force if forced or force else live.apply
        return happens(self._shared(event) if event["do"] == "play" else event)

    def _shared(self, stated: dict[str, Any]) -> Any:
        """A play: one for all tables at which it is made; or what is stated, if that is none."""
        text = json.dumps(stated)
        if text not in self.plays:
            try:
                play = Play.model_validate(stated)
            except ValidationError:
                return stated
            if len(self.plays) >= PLAYS:
                self.plays.clear()
            self.plays[text] = play
        return self.plays[text]

    # --- tables that are ready, and those that are kept ---

    def _at(self, name: str) -> Ready:
        """A table as it is now, whoever was last to change it."""
        last = self.state.last(name)
        if (table := self.ready.get(name)) is not None and table.n == last:
            self.ready.move_to_end(name)
            return table
        self._drop(name)
        table = self._again_laid(name) if last else Ready()
        self.ready[name] = table
        self._weigh(table.weight)
        return table

    def _again_laid(self, name: str) -> Ready:
        """A table of what is kept of it: its last snapshot, and what happened since."""
        last, kept = self.state.kept(name)
        table = Ready(None, last, kept.since, max(kept.since, kept.at))
        try:
            if kept.snapshot is not None:
                table.live = resume(kept.snapshot)
                for deal in table.live.stated.deals:
                    events = deal.events
                    events[:] = [self._shared(writing.plain_event(each)) if type(each) is Play else each for each in events]
            for line in kept.lines:
                if not self._happens(table, name, json.loads(line), True)["ok"]:
                    raise No("TAB007", table=name, why="a line of it cannot be taken again")
        except No:
            raise
        except Exception as error:  # whatever somebody has written into the file
            raise No("TAB007", table=name, why=clip(str(error), 200)) from None
        return table

    def _keep(self, table: Ready, name: str, n: int, word: Any, said: Answered) -> None:
        """Have a line kept, and from time to time a snapshot with it."""
        afresh = said.taken and word in ("open", "close")
        since, at = (n, n) if afresh else (table.since, table.at)
        is_due = table.live is not None and n - at >= max(EARLIEST, at - since)
        snapshot = table.live.snapshot() if is_due and table.live is not None else None
        self.state.put(name, n, said, snapshot=snapshot, afresh=afresh)
        before = table.weight
        table.n, table.since, table.at = n, since, n if is_due else at
        self._weigh(table.weight - before)

    def _weigh(self, more: int) -> None:
        """Tables weigh so much more; those that were not used for the longest time are put away if that is too much."""
        self.weight += more
        while self.weight > self.most and len(self.ready) > 1:
            self.weight -= self.ready.popitem(last=False)[1].weight

    def _drop(self, name: str) -> None:
        """Put a table away."""
        if (table := self.ready.pop(name, None)) is not None:
            self.weight -= table.weight


def _game(table: Ready, name: str) -> LiveTable:
    """The game that is open at a table. Raises `No` if there is none."""
    if table.live is None:
        raise No("TAB001", table=name)
    return table.live


def _laid(name: str, given: dict[str, Any]) -> LiveTable:
    """The table of a game that is opened: from its beginning, or as far as a record or a snapshot goes. Raises `No`."""
    whole = [key for key in ("record", "snapshot") if key in given]
    if whole and len(given) > 1:
        raise malformed(f"/{whole[0]}", "it stands alone")
    try:
        if "snapshot" in given:
            return resume(json.dumps(given["snapshot"]))
        data = given["record"] if whole else {"format": FORMAT, "version": FIRST, "id": name, **given}
        if isinstance(data, dict):
            data = {"status": "in_progress", "deals": [], **data}
            if not whole and "players" in data:
                data["players"] = _seated(data["players"])
        record, findings = form.load(data)
        if record is None:
            raise No.of([finding for finding in findings if finding.severity == "error"])
        return LiveTable(record)
    except (CannotPlay, BadSnapshot) as error:
        raise No("TAB005", why=str(error)) from None


def _seated(players: Any) -> Any:
    """Players as a record has them, of their number or their names; anything else as it is. Raises `No` for a number of none."""
    if type(players) is int:
        if not 1 <= players <= MAX_PLAYERS:
            raise malformed("/players", f"it should be how many play, from 1 to {MAX_PLAYERS}, or their names, clockwise")
        return [{"seat": seat} for seat in seats_for(players)]
    if isinstance(players, list) and all(isinstance(player, str) for player in players):
        return [{"seat": seat, "name": player} for seat, player in zip(seats_for(len(players)), players, strict=True)]
    return players


def _view(live: LiveTable, seat: Any = None) -> dict[str, Any]:
    if seat not in live.seats:
        raise No("FMT012", "/seat", found=clip(str(seat)), seats=", ".join(live.seats))
    return live.as_seat(seat).plain()


def _rulings(live: LiveTable, claim: Any = None, deal: Any = None, laws: Any = None) -> list[dict[str, Any]]:
    record, number = live.record, deal
    if not isinstance(claim, str | None) or not isinstance(laws, str | None) or not (deal is None or type(deal) is int):
        raise malformed("", "claim and laws should be texts, deal a number")
    if claim and deal is None and record.deals:
        number = record.deals[-1].number or len(record.deals)
    claims = [ruling.asked(record, claim, number)] if claim else None
    return [shown.view(each) for each in ruling.rule(record, live.game_stated, claims, laws)]


def _verdict(live: LiveTable) -> dict[str, Any]:
    record = live.record
    return as_json(Checked(record.id or "", "", check(record)))


#: What is answered to each question.
ANSWERS: dict[str, Callable[..., Any]] = {
    "legal": lambda live: live.legal().plain(),
    "view": _view,
    "ruling": _rulings,
    "verdict": _verdict,
    "record": lambda live: writing.plain(live.record),
    "snapshot": lambda live: json.loads(live.snapshot()),
}


def _undone(what: Any) -> dict[str, Any] | None:
    """What was taken back: an event, or a deal."""
    if what is None:
        return None
    return {"do": "deal", **writing.plain_deal(what)} if isinstance(what, Deal) else writing.plain_event(what)


def _refused(no: No) -> dict[str, Any]:
    """The answer to a line that is not taken; what may happen instead it does not say, for nothing of it was tried."""
    found = Refused(no.findings, Legal()).plain()
    del found["legal"]
    return found
