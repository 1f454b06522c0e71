"""The table of a game that is being played, event by event."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from copy import copy
from typing import TYPE_CHECKING, Any
from weakref import ref

from handrec import games, referee
from handrec.api import check
from handrec.dealing import seats_for
from handrec.findings import DealResult, Finding, PlayedTrick, Verdict
from handrec.formats import json as form
from handrec.game import Game, Table, compose
from handrec.game.table import Past
from handrec.judging import Judge
from handrec.live.answers import Applied, Legal, Refused
from handrec.live.offered import instead_of, legal_now
from handrec.live.reading import form_of, read_deal, read_event
from handrec.record import FIRST, FORMAT, Deal, Record
from handrec.referee.form import FORM, check_seats
from handrec.referee.game import is_over, judge_order
from handrec.referee.scores import Carried, judge_deal, start
from handrec.versions import version_of

if TYPE_CHECKING:
    from handrec.live.seat import SeatView

#: Fields of a deal that are written down when it is over, and so play no part while it is played.
LATER = ("status", "claimed", "comments")

#: Fields of a record that are written down when the game is over.
AT_THE_END = ("claimed", "comments", "provenance", "extensions", "status")

JUDGE = Judge(games.find)


class CannotPlay(ValueError):
    """There is no such table: an unknown game or option, or too many players; the text says why."""


def table(
    game: str | Game,
    players: int | Sequence[str] | Sequence[Mapping[str, str]],
    options: Mapping[str, object] | None = None,
    *,
    id: str | None = None,
    status: str | None = None,
) -> LiveTable:
    """A table at which a game begins.

    `players` is how many, who get the usual seats; their names, in clockwise order; or seats with names, as a record has them.
    `status` "excerpt" is for deals out of a longer game. Raises `CannotPlay` with the reason if that cannot be played.
    """
    data: dict[str, Any] = {"format": FORMAT, "version": FIRST, "game": game if isinstance(game, str) else game.key}
    data |= {"id": id} if id is not None else {}
    data |= {"options": dict(options)} if options else {}
    data |= {"players": _seated(players), "status": status or "in_progress", "deals": []}
    record, findings = form.load(data)
    if record is None:
        raise CannotPlay(findings[0].message)
    return LiveTable(record, None if isinstance(game, str) else game)


def _seated(players: int | Sequence[Any]) -> list[dict[str, str]]:
    if isinstance(players, int):
        return [{"seat": seat} for seat in seats_for(players)]
    seats = zip(seats_for(len(players)), players, strict=True)
    return [{"seat": seat, "name": named} if isinstance(named, str) else dict(named) for seat, named in seats]


class LiveTable:
    """A game while it is played: the record so far, and the deal on the table."""

    def __init__(self, record: Record, game: Game | None = None, *, ended: bool = False) -> None:
        """A table at which the deals of a record have been played, whatever the referee thinks of them; `ended` if none follows.

        Raises `CannotPlay` if no table of a game is laid for such a record.
        """
        found = game or games.find(record.game)
        if found is None:
            raise CannotPlay(f"no game {record.game} is known")
        self.game_stated = found  # without the options of this table
        self.game, faults = compose(found, record.options)
        if faults:
            code, facts = faults[0]
            raise CannotPlay(Finding(FORM[code], facts).message)
        self._head = record.model_copy(update={"deals": []})
        if wrong := check_seats(self._head, self.game):
            raise CannotPlay(wrong[0].message)
        self.seats = tuple(player.seat for player in record.players)
        self._deals: list[Deal] = []  # as they are stated, with their events
        self._past: list[Table] = []  # the deals that are over, as they are judged
        self._results: list[DealResult] = []
        self._carried: list[Carried] = [start(self.game, len(self.seats), record.status != "excerpt" or not self.game.carries)]
        self._left: set[int] = set()  # deals that were left before they were over
        self._table: Table | None = None
        self._ended = False
        self._legal: ref[Legal] | None = None  # what may come next, as long as somebody holds it: there may be much of it
        self._last: tuple[Table, DealResult, Carried] | None = None  # the last deal as it was judged since the last change
        for deal in record.deals:
            self._begin(deal.model_copy(update={"events": [*deal.events]}))
        self._ended = ended

    # --- what there is ---

    @property
    def stated(self) -> Record:
        """The record so far with nothing in it that was not stated, as the status of deals that are over."""
        return self._head.model_copy(update={"deals": list(self._deals)})

    @property
    def ended(self) -> bool:
        """Whether it was said that the game is over."""
        return self._ended

    @property
    def playing(self) -> Table | None:
        """The deal on the table as the referee sees it; None before the first."""
        return self._table

    @property
    def record(self) -> Record:
        """The record so far."""
        deals = [self._written(place) for place in range(len(self._deals))]
        found = self._head.model_copy(update={"deals": deals})
        return found.model_copy(update={"version": version_of(deals, found.claimed, found.comments)})

    @property
    def verdict(self) -> Verdict:
        """The verdict on the record so far, as `handrec.check` gives it."""
        return check(self.record, self._find)

    @property
    def results(self) -> tuple[DealResult, ...]:
        """The results of the deals so far, with the totals after each; of the deal on the table when all has been played."""
        found = list(self._results)
        if self._table is not None and self._deal_over():
            found.append(self._last_judged()[1])
        return tuple(found)

    @property
    def over(self) -> bool:
        """Whether the game is over: by its score, or since all deals have been played."""
        results = self.results
        schedule = self.game.cards(len(self.seats))
        if self._ended or (not isinstance(schedule, int) and self._head.status != "excerpt" and len(results) >= len(schedule)):
            return True
        return bool(results) and self._head.status != "excerpt" and is_over(self.game, results[-1], len(results))

    @property
    def deal(self) -> Deal | None:
        """The deal on the table as it stands; None before the first."""
        return self._written(len(self._deals) - 1) if self._deals else None

    def legal(self) -> Legal:
        """All that may happen next: found once for every moment, as long as somebody holds it."""
        found = self._legal() if self._legal is not None else None
        if found is None:
            found = Legal() if self._table is None or self._ended else legal_now(self._table, self._may_be)
            if not (found.turn or found.events or found.untold) and (self._ended or self._deal_over()):
                over = self.over
                found = Legal(besides=found.besides, deal=not over, over=over)
            self._legal = ref(found)
        return found

    def as_seat(self, seat: str) -> SeatView:
        """What a seat sees. Raises KeyError if there is no such seat."""
        from handrec.live.seat import seen_by

        return seen_by(self, seat)

    def ruling(self, claim: str | None = None, laws: str | Mapping[str, Any] | None = None) -> tuple[Any, ...]:
        """What `handrec ruling` would say now: on a claim such as "E@5", or on all that is on record."""
        from handrec import ruling

        record = self.record
        return ruling.rule(record, self.game_stated, [ruling.asked(record, claim)] if claim else None, laws)

    # --- what happens ---

    def apply(self, event: Mapping[str, Any] | Any) -> Applied | Refused:
        """Take what happens, if it is legal: an event as a record has it, or `{"do": "deal", …}` with the fields of a deal.

        Or else say why not; then the table is as it was.
        """
        return self._happens(event, False)

    def force(self, event: Mapping[str, Any] | Any) -> Applied | Refused:
        """Take what happened, legal or not. Only what cannot be written down at all is refused."""
        return self._happens(event, True)

    def note(self, **fields: Any) -> Applied | Refused:
        """Write down of the deal on the table what its sheet says: `claimed`, `comments`, `status`."""
        if not self._deals or not fields.keys() <= {*LATER}:
            what = next(iter(fields.keys() - {*LATER}), "note")
            return self._malformed(f"/{what}", "there is no deal" if not self._deals else "it cannot be noted")
        place = len(self._deals) - 1
        deal, wrong = read_deal({**form_of(self._deals[place]), **fields}, self._head, self.game)
        if deal is None:
            return Refused(tuple(wrong), self.legal())
        deal.events.extend(self._deals[place].events)
        self._deals[place] = deal
        self._changed()
        return Applied(deal_over=self._deal_over())

    def end(self, **fields: Any) -> Applied | Refused:
        """The game is over: what its sheet says besides may be written down, as `status`, `claimed`, `comments`."""
        wrong = next(iter(fields.keys() - {*AT_THE_END}), None)
        if wrong is not None:
            return self._malformed(f"/{wrong}", "it cannot be noted")
        status = fields.get("status") or ("complete" if self.over else "stopped")
        status = self._head.status if self._head.status == "excerpt" else status
        data = form_of(self._head) | fields | {"status": status, "deals": []}
        head, findings = form.load(data)
        if head is not None and (strange := check_seats(head, self.game)):
            findings, head = strange, None
        if head is None:
            return Refused(tuple(findings), self.legal())
        self._head, self._ended = head, True
        self._changed()
        return Applied(deal_over=True)

    def undo(self) -> Any:
        """Take back the last event, or the deal if nothing has happened in it; None if there is nothing to take back."""
        self._changed()
        if self._ended:
            self._ended = False
            if self._head.status in ("complete", "stopped"):
                self._head = self._head.model_copy(update={"status": "in_progress"})
        if not self._deals:
            return None
        if self._deals[-1].events:
            event = self._deals[-1].events.pop()
            self._rebuild(getattr(event, "of_deal", None) is not None)
            return event
        deal = self._deals.pop()
        self._table = None
        self._left.discard(len(self._deals) - 1)
        if self._deals:
            self._past.pop()
            self._results.pop()
            self._carried.pop()
            self._rebuild()
        return deal

    def snapshot(self) -> bytes:
        """The table as bytes, which `handrec.resume` makes a table of again."""
        from handrec.live.snapshot import snapshot

        return snapshot(self)

    # --- within ---

    def _find(self, key: str) -> Game | None:
        """The game of a name: the one that is played, which need not be known by name, or another."""
        return self.game_stated if key == self.game_stated.key else games.find(key)

    def _happens(self, event: Any, forced: bool) -> Applied | Refused:
        if isinstance(event, Deal):
            event = form_of(event) | {"do": "deal"}
        if isinstance(event, Mapping) and event.get("do") == "deal":
            return self._deal({key: value for key, value in event.items() if key != "do"}, forced)
        if self._table is None or self._ended:
            return self._malformed("", "the game is over" if self._ended else "no deal has begun")
        read, wrong = read_event(event, self._head, self.game, self.seats)
        if read is None:
            return Refused(tuple(wrong), self.legal())
        before, instead = self._legal, None if forced else instead_of(self._table, read)
        found, earlier = self._take(read)
        errors = [finding for finding in found if finding.severity == "error"]
        if instead is not None and not errors:
            errors = self._untimely(instead)
        if errors and not forced:
            self._deals[-1].events.pop()
            self._rebuild(getattr(read, "of_deal", None) is not None)
            self._legal = before
            return Refused(tuple(errors), self.legal())
        trick = self._played_out() if read.do in ("play", "turn") else None
        return Applied((*found, *earlier), trick, self._deal_over())

    def _played_out(self) -> PlayedTrick | None:
        """The trick that the last event ended."""
        table = self._table
        if table is None or table.state is None or not table.state.over:
            return None
        return next((trick for phase in self.game.that("played_out") if (trick := phase.played_out(table))), None)

    def _untimely(self, legal: Legal) -> list[Finding]:
        """What would be wrong with the deal if it were left after an event that may not come now, and is not without it."""
        deal, index = self._deals[-1], len(self._deals) - 1
        ends: list[list[Finding]] = []
        for events in (deal.events[:-1], deal.events):
            table = self._laid(list(events))
            for phase in self.game.that("close"):
                phase.close(table)
            ends.append(table.findings)
        before, after = ends
        if new := [finding for finding in after if finding.severity == "error" and finding not in before]:
            return new
        due = " or ".join(dict.fromkeys(event.do for event in legal.events)) or "nothing"
        whose = f" by {' or '.join(legal.turn)}" if legal.turn else ""
        facts, seat = {"what": deal.events[-1].do, "due": due + whose}, getattr(deal.events[-1], "by", None)
        place = f"/deals/{index}/events/{len(deal.events) - 1}"
        return [Finding(FORM["LIV001"], facts, place, deal.number or index + 1, seat=seat)]

    def _take(self, event: Any) -> tuple[list[Finding], list[Finding]]:
        """Take an event: what is wrong with it, and what it shows of those before."""
        table, deal = self._table, self._deals[-1]
        assert table is not None
        self._changed()
        place = len(deal.events)
        if all(table.whole[: table.count]) and event.do != "withdraw":  # whoever asked what may come has had the trick gathered
            begun = len(table.findings)
            deal.events.append(event)
            referee.take_event(table, place, event)
            return table.findings[begun:], []
        before = {(finding.code, finding.pointer) for finding in table.findings}
        deal.events.append(event)
        after = self._rebuild().findings
        here = f"/deals/{len(self._deals) - 1}/events/{place}"
        new = [finding for finding in after if (finding.code, finding.pointer) not in before]
        own = [finding for finding in new if finding.pointer == here or finding.pointer.startswith(f"{here}/")]
        return own, [finding for finding in new if finding not in own]

    def _may_be(self, event: Any) -> bool:
        """Whether an event would be taken without a fault; tried at another table."""
        events = [*self._deals[-1].events, event]
        here = f"/deals/{len(self._deals) - 1}/events/{len(events) - 1}"
        findings = self._laid(events).findings
        return not any(f.severity == "error" and (f.pointer == here or f.pointer.startswith(f"{here}/")) for f in findings)

    def _laid(self, events: list[Any]) -> Table:
        """A table of the last deal, at which these events have happened, and more are to come."""
        deal = self._deals[-1].model_copy(update={"events": events, "status": "in_progress"})
        return referee.begun(self._head, self.game, len(self._deals) - 1, deal, Past(self._past))

    def _changed(self) -> None:
        """What was found out about the deal on the table holds no longer."""
        self._legal = self._last = None

    def _rebuild(self, all_deals: bool = False) -> Table:
        """The table of the last deal anew; where an event concerns deals before, those too."""
        index = len(self._deals) - 1
        self._changed()
        if all_deals:
            self._past, self._results, self._carried = [], [], self._carried[:1]
            for place in range(index):
                self._close(place)
        self._table = self._laid(self._deals[index].events)
        return self._table

    def _deal(self, fields: dict[str, Any], forced: bool) -> Applied | Refused:
        """The next deal begins."""
        if self._ended:
            return self._malformed("", "the game is over")
        deal, wrong = read_deal(fields, self._head, self.game)
        if deal is None:
            return Refused(tuple(wrong), self.legal())
        begun, wrong = len(self._deals), []
        if self._table is not None and not self._deal_over() and not {"status"} & self._deals[-1].model_fields_set:
            legal = self.legal()
            why = f"the deal is not over: it is {' or '.join(legal.turn)}'s turn" if legal.turn else "the deal is not over"
            wrong = [Finding(self.game.rule("PLY005").fault, {"what": why}, f"/deals/{begun}", begun)]
        elif self.over:
            wrong = [Finding(self.game.rule("SCO005").fault, {"found": begun + 1, "due": begun}, f"/deals/{begun}")]
        if wrong and not forced:
            return Refused(tuple(wrong), self.legal())
        found = [*wrong, *self._judge_order(deal)]
        table = self._begin(deal)
        found += [finding for finding in table.findings if finding not in found]
        errors = [finding for finding in found if finding.severity == "error"]
        if errors and not forced:
            self.undo()
            return Refused(tuple(errors), self.legal())
        return Applied(tuple(found))

    def _judge_order(self, deal: Deal) -> list[Finding]:
        """What is wrong with a deal as the next one: its number, its dealer, its cards."""
        pack, schedule = self.game.pack(len(self.seats)), self.game.cards(len(self.seats))
        new = referee.laid(self.game, pack, self.seats, len(self._deals), deal, self._head, schedule)
        tables = [*map(copy, self._past), *([copy(self._table)] if self._table is not None else []), new]
        findings: list[Finding] = []
        for table in tables:
            table.findings, table.doubts = [], {}
        judge_order(self._head, self.game, tables, findings)
        return [*new.findings, *findings]

    def _begin(self, deal: Deal) -> Table:
        """Lay the table of the next deal, with the events it has; the deal before is over."""
        if last := len(self._deals):
            if not self._deal_over():
                self._left.add(last - 1)
            self._close(last - 1)
        self._deals.append(deal)
        return self._rebuild()

    def _close(self, place: int) -> None:
        """A deal is over: judge it as it is written down."""
        table, result, carried = self._last_judged() if place == len(self._deals) - 1 else self._judged(place)
        self._past.append(table)
        self._results.append(result)
        self._carried.append(carried)

    def _last_judged(self) -> tuple[Table, DealResult, Carried]:
        """The last deal, as it is judged when it is over."""
        if self._last is None:
            self._last = self._judged(len(self._deals) - 1)
        return self._last

    def _judged(self, index: int) -> tuple[Table, DealResult, Carried]:
        """A deal as it is judged when it is over, and what the seats carry on from it."""
        deal = self._written(index, over=True)
        table = referee.replayed(self._head, self.game, index, deal, Past(self._past, index), quick=JUDGE.replayed)
        result, carried = judge_deal(table, self._carried[index])
        before = self._results[index - 1].totals if index else dict.fromkeys(self.seats, 0)
        totals = None
        if before is not None and len(result.scores) == len(self.seats):
            totals = {seat: before[seat] + result.scores[seat] - result.penalties.get(seat, 0) for seat in self.seats}
        return table, result._replace(totals=totals), carried

    def _deal_over(self) -> bool:
        """Whether nothing more must happen in the deal."""
        table = self._table
        if table is None:
            return True
        play = table.state
        over = table.unplayed or table.claimed_rest or (play is not None and play.number + play.over > table.size)
        return over and not any(phase.offers(table) for phase in self.game.phases)

    def _written(self, index: int, over: bool = False) -> Deal:
        """A deal as it is written down: with its status, if that was not stated."""
        deal = self._deals[index]
        stated = {name: getattr(deal, name) for name in deal.model_fields_set}
        if index == len(self._deals) - 1 and not over and not self._deal_over():
            stated["status"] = stated.get("status", "stopped") if self._ended else "in_progress"
        elif "status" not in stated and any(event.do == "claim" for event in deal.events):
            stated["status"] = "claimed"
        elif "status" not in stated and index in self._left:
            stated["status"] = "stopped"
        return Deal.model_construct(_fields_set={*stated}, **stated | {"events": list(deal.events)})

    def _malformed(self, where: str, why: str) -> Refused:
        return Refused((Finding(FORM["FMT007"], {"where": where or "the event", "why": why}, where),), self.legal())
