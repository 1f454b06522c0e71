"""Readings: where the rules can be read in more than one way, under which reading would a record be right?

Every documented reading is a value of an option. A finding is told together with the single changes under which it would
not arise. A change is tried only where it can reach the finding: what differs is seen by comparing the two games, once for
all records, and suits, ranks and bids are compared for the deal. Plays with which nothing is wrong are not judged again.

`fit` looks for sets of option values under which a record has no findings at all, fewest changes first: a table that always
played a house rule should be told which.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from copy import copy
from dataclasses import fields
from functools import cached_property
from itertools import combinations, product
from typing import Any, NamedTuple

from handrec import referee
from handrec.allowance import Allowance
from handrec.explanations import SLIPS, unlooked
from handrec.explanations.costs import LIFTED, inexplicable, takes_back, too_tangled
from handrec.findings import Finding, Verdict
from handrec.game import BrokenOff, Game, Look, Table, compose
from handrec.game.table import NO_PAST
from handrec.game.value import Sight, never
from handrec.record import Deal, Record
from handrec.referee import after_play, before_play, carried_into, check, judged, replay
from handrec.referee.scores import judge_deal

#: How many readings are tried before `fit` gives up.
LIMIT = 3000

OptionValues = dict[str, Any]


class OtherReading(NamedTuple):
    """A reading besides the one in force: in words, as options, the game under them, and what differs in that."""

    words: str
    options: OptionValues
    game: Game
    changed: frozenset[str]


#: What the play of a deal hangs on by itself.
PLAYED = ("pack", "cards", "aside", "dealing", "placing", "order", "play", "partners")
#: The kinds of event of the bidding, and its rules: play and score hang on them only by what stands when the first card is led.
BIDDING = ("bid", "contract", "announce", "turn", "BID")
PLAY = (*PLAYED, "contract", "turn", "BID")
SCORING = ("score", "carries", "final", "winners", "over", "tie_break", "SCO")
SCORED = (*PLAYED, *BIDDING, "transfer", "score", "carries")
#: What faults of a code, or of a family of codes, hang on besides their own rules: fields of a game, or the kinds of event
#: that its phases take.
PARTS: dict[str, tuple[str, ...]] = {
    "DEA": ("pack", "cards", "aside", "dealing", "placing", "turn"),
    "DEA009": ("pack", "order", "contract", "turn", "BID"),
    "BID": ("cards", *BIDDING),
    "PLY": PLAY,
    "PLY009": (*PLAY, "exchange"),
    "REV": PLAY,
    "TRK": PLAY,
    "SCO": SCORED,
    "SCO002": (*SCORED, "final"),
    "SCO003": (*SCORED, "final", "winners", "tie_break"),
    "SCO004": BIDDING,
    "SCO005": (*SCORED, "over"),
    "CLM": (*PLAY, "transfer", "penalty", "accuse", "REV"),
}

#: The faults for which it matters how many cards are due, also where a deal tells how many there were.
SCHEDULE = ("DEA003", "DEA005", "DEA010", "SCO005")

#: The faults of a trick that was led by the wrong seat, or whose row has its cards in the wrong order.
LEADS = ("PLY003", "PLY004")

#: The kinds of event whose phases matter only where there is such an event.
RARE = {"transfer", "penalty", "accuse", "ruling"}

#: What of a game is told, not played by; `rules` and `phases` are compared one by one.
ASIDE = {"key", "title", "summary", "source", "definitions", "options", "settings", "rules", "phases"}


def others_of(game: Game, options: Mapping[str, Any], players: int) -> tuple[OtherReading, ...]:
    """Every reading besides that of these options, by one change of them; worked out once for all records."""
    base, found = compose(game, options)[0], list[OtherReading]()
    if players not in base.others:
        for key, value in game.other_values(options):
            changed = {**options, key: value}
            other, problems = compose(game, changed)
            if not problems and players in other.players and other.extras == base.extras:
                found.append(OtherReading(f"{key}: {_word(value)}", changed, other, differing(base, other, players)))
        base.others[players] = tuple(found)
    others: tuple[OtherReading, ...] = base.others[players]
    return others


def differing(base: Game, other: Game, players: int) -> frozenset[str]:
    """What differs between two readings of a game: fields, kinds of event of phases, codes of rules.

    Of fields that only say what so many players and cards make of them, that is compared.
    """
    sizes = range(1, len(base.pack(players)) // players + 1)

    def of(game: Game, name: str) -> Any:
        value = getattr(game, name)
        if name in ("pack", "cards"):
            return value(players)
        return [value(players, size) for size in sizes] if name in ("aside", "dealing") else value

    phases = [phase for phase in (*base.phases, *other.phases) if phase not in base.phases or phase not in other.phases]
    rules = [rule for rule in (*base.rules, *other.rules) if rule not in base.rules or rule not in other.rules]
    changed = {each.name for each in fields(Game) if each.name not in ASIDE and of(base, each.name) != of(other, each.name)}
    changed |= {kind for phase in phases for kind in phase.kinds} | {rule.code for rule in rules}
    return frozenset(changed)


def with_readings(
    verdict: Verdict, record: Record, game: Game, tables: Sequence[Table] = (), allowance: Allowance | None = None
) -> Verdict:
    """The verdict, with the readings under which each fault would not arise, nor another in its place.

    `game` is the record's, without options; `tables` are those of its deals as the referee left them: deals of which there is
    none are replayed. A reading is tried on the deals alone in which it can reach a fault, on all for what is wrong with them
    together; those of a deal are not, which are beyond the `allowance`.
    """
    faults = [finding for finding in verdict.faults if finding.code not in SLIPS]
    if not faults or not verdict.deals:
        return verdict
    allowance = allowance or Allowance()
    refused = allowance.refused
    known = _Refereed(record, compose(game, record.options)[0], verdict, tables)
    lifted: dict[Any, list[str]] = {}
    by_deal: dict[int | None, list[Finding]] = {}
    for finding in faults:
        by_deal.setdefault(_deal_of(finding, known.game), []).append(finding)
    beyond: set[int | None] = {*inexplicable(record, verdict, tables), *([None] if too_tangled(tables) else [])}
    for index, mine in by_deal.items():
        if index in beyond or not allowance.any_left():
            continue
        if index is not None:  # what is found only once a slip is put right, no reading can lift
            written = _pointers(known.table(index))
            mine = [finding for finding in mine if finding.pointer in written]
        kinds = [(finding.code, known.taken_as(finding)) for finding in mine]
        deals = record.deals if index is None else [record.deals[index]]
        for other in others_of(game, record.options, len(record.players)):
            known.alike.clear()
            reached = {kind: known.reaches(index, other, *kind) for kind in dict.fromkeys(kinds)}
            about = [finding for finding, kind in zip(mine, kinds, strict=True) if reached[kind]]
            if about and not allowance.affords(deals):
                break
            places = known.places(index, other, about) if about else set()
            for finding in about:
                if finding.pointer not in places:
                    lifted.setdefault(_key(finding), []).append(other.words)
    if lifted:
        findings = tuple(finding._replace(readings=tuple(lifted.get(_key(finding), ()))) for finding in verdict.findings)
        verdict = verdict._replace(findings=findings)
    if allowance.refused == refused:
        return verdict
    return referee.with_form(verdict, (unlooked("/deals", what="other readings of the rules"),))


def _deal_of(finding: Finding, game: Game) -> int | None:
    """The deal that a fault is of by itself; None if it hangs on others too: on what is carried, claimed or added up."""
    alone = finding.level != "L6" and not finding.code.startswith("CLM")
    return finding.deal_index if alone and not (game.carries and finding.code.startswith("SCO")) else None


class _Refereed:
    """A record as it was refereed, and what of that stands under another reading."""

    def __init__(self, record: Record, game: Game, verdict: Verdict, tables: Sequence[Table]) -> None:
        self.record, self.game, self.verdict, self.tables = record, game, verdict, dict(enumerate(tables))
        self.kinds = {event.do for deal in record.deals for event in deal.events}
        self.bids: dict[int, list[Table]] = {}
        self.alike: dict[str, bool] = {}  # what is the same under the reading that is being tried, in the deals in question

    @cached_property
    def sized(self) -> bool:
        """Whether the record tells of every deal how many cards were dealt."""
        return all(self.table(index).sized for index in range(len(self.record.deals)))

    def table(self, index: int) -> Table:
        """The table of a deal."""
        if index not in self.tables:
            self.tables[index] = self._judged(self.record, self.game, index)
        return self.tables[index]

    def taken_as(self, finding: Finding) -> str:
        """The kind of event on whose being taken so a fault hangs; none if it does not hang on that."""
        event = self._event(finding) if finding.code.startswith(("BID", "PLY007")) else None
        return "" if event is None else f"announce:{event.what}" if event.do == "announce" else str(event.do)

    def reaches(self, index: int | None, other: OtherReading, code: str, kind: str) -> bool:
        """Whether a fault of a code, at a kind of event if it hangs on that, may hang on what another reading changes."""
        deals = range(len(self.record.deals)) if index is None else [index]
        parts = ("cards", "BID", kind) if kind else PARTS.get(code) or PARTS.get(code[:3], ())
        if code == "SCO005" and self.game.over is never:  # the score ends nothing
            parts = ("cards", "over")
        parts = (*parts, "REV") if "play" in parts and self._led_wrongly(deals) else parts
        hits = {each for each in other.changed if each.startswith((code, *parts))} - (RARE - self.kinds)
        if "cards" in hits and code not in SCHEDULE and self._sized(deals):
            hits.discard("cards")
        if "order" in hits and "pack" not in hits:
            if "order" not in self.alike:
                self.alike["order"] = all(_order_alike(self.game, other.game, self.table(each)) for each in deals)
            hits -= {"order"} if self.alike["order"] else set()
        if not code.startswith(("BID", "SCO")) and "contract" not in self.game.phase_of:  # bids decide nothing of the play
            hits = {each for each in hits if not each.startswith("BID")}
        if hits and not code.startswith(("BID", "SCO004")) and all(each.startswith(BIDDING) for each in hits):
            return not self._bids_alike(deals, other.game, code.startswith("SCO"))
        return bool(hits)

    def _led_wrongly(self, deals: Sequence[int]) -> bool:
        """Whether a trick was led out of turn: whether the lead or the order of its row is wrong hangs on what may be led."""
        return any(finding.code in LEADS for index in deals for finding in self.table(index).findings)

    def _sized(self, deals: Sequence[int]) -> bool:
        """Whether the record tells how many cards were dealt, so that it does not matter here how many are due."""
        return self.sized if len(deals) == len(self.record.deals) else all(self.table(index).sized for index in deals)

    def _event(self, finding: Finding) -> Any:
        """The event at which a fault stands, if it does."""
        deal, event = finding.deal_index, finding.event_index
        return None if deal is None or event is None else self.record.deals[deal].events[event]

    def _opened(self, index: int, game: Game) -> Table:
        """The table of a deal when the first card is led, under a reading."""
        known = self.bids.setdefault(index, [])
        for table in known:
            if (table.game.phases, table.game.rules) == (game.phases, game.rules):
                return table
        known.append(before_play(self.record, game, index))
        return known[-1]

    def _bids_alike(self, deals: Sequence[int], game: Game, scored: bool) -> bool:
        """Whether the same stands under another reading when the first cards are led: for the play, or for the score too."""
        key = "scores" if scored else "bids"
        if key not in self.alike:
            self.alike[key] = all(self._alike(index, game, scored) for index in deals)
        return self.alike[key]

    def _alike(self, index: int, game: Game, scored: bool) -> bool:
        two, over = self._opened(index, game), self.table(index)
        kinds = [event.do for event in self.record.deals[index].events]
        if "play" in kinds and any(kind in ("bid", "contract", "announce") for kind in kinds[kinds.index("play") :]):
            return False
        if (two.contract, two.declarer, two.turned) != (over.contract, over.declarer, over.turned[: len(two.turned)]):
            return False
        if not scored:
            return True
        one = self._opened(index, self.game)
        bids = any(one.bids) and one.bids == two.bids
        return bids and _facts(one, self.game) == _facts(two, game) and _facts(over, self.game) == _facts(over, game)

    def places(self, index: int | None, other: OtherReading, about: list[Finding]) -> set[str]:
        """Where faults stand under another reading, in one deal or in the whole record, as far as they are asked for."""
        read, asked = self.record.model_copy(update={"options": other.options}), {finding.pointer for finding in about}
        over = self._over(range(len(read.deals)) if index is None else [index], other, about)
        if index is None:
            return _found_again(
                asked, read.deals, lambda look: referee.verdict(read, other.game, over or replay(read, other.game, look=look))
            )
        if all(finding.code.startswith("BID") for finding in about) and asked <= _pointers(self._opened(index, self.game)):
            return _pointers(self._opened(index, other.game))
        if all(finding.code.startswith(("PLY", "REV")) and self._event(finding) for finding in about):
            return _pointers(after_play(read, other.game, index, max(finding.event_index or 0 for finding in about)))
        if not over:
            return _found_again(asked, [read.deals[index]], lambda look: self._judged(read, other.game, index, look))
        judge_deal(over[0], carried_into(read, other.game, index, self.verdict))
        return _pointers(over[0])

    def _over(self, deals: Sequence[int], other: OtherReading, about: list[Finding]) -> list[Table]:
        """The tables of deals, to be scored again, if another reading changes nothing before that; else none."""
        rest = other.changed - ({"cards"} if self._sized(deals) else set())
        if all(finding.code.startswith("SCO") for finding in about) and self._bids_alike(deals, other.game, True):
            rest = frozenset(each for each in rest if not each.startswith(BIDDING))
        if not all(each.startswith(SCORING) for each in rest):
            return []
        tables, gone = [copy(self.table(index)) for index in deals], {finding.pointer for finding in about}
        for table in tables:
            table.game, table.doubts = other.game, {}
            table.findings = [each for each in table.findings if each.pointer not in gone and not each.code.startswith("SCO")]
        return tables

    def _judged(self, record: Record, game: Game, index: int, look: Look | None = None) -> Table:
        carried = carried_into(record, game, index, self.verdict)
        return judged(record, game, index, record.deals[index], NO_PAST, carried, look=look)


def _found_again(asked: set[str], deals: Iterable[Deal], judged: Callable[[Look | None], Table | Verdict]) -> set[str]:
    """Where faults stand when these deals are judged, or only where it is asked for, once there is one in each such place."""
    found = set[str]()

    def look(finding: Finding) -> None:
        if finding.code != LIFTED:
            found.add(finding.pointer)
        if asked <= found:
            raise BrokenOff

    try:
        return _pointers(judged(None if takes_back(deals) else look))
    except BrokenOff:
        return asked


def _pointers(judged: Table | Verdict) -> set[str]:
    return {finding.pointer for finding in judged.findings}


def _facts(table: Table, game: Game) -> Any:
    """What the phases tell the score."""
    return [phase.facts(table, seat) for phase in game.that("facts") for seat in range(table.count)]


def _order_alike(base: Game, other: Game, table: Table) -> bool:
    """Whether suits and ranks are the same under two readings, in every trick of a deal."""
    events, turned = table.deal.events, tuple(table.turned)
    first = next((place for place, event in enumerate(events) if event.do == "play"), len(events))
    turns = [place for place, event in enumerate(events) if event.do == "turn"]
    begun = sum(place < first for place in turns) if turns else len(turned)
    return all(
        base.order(sight) == other.order(sight)
        for many in range(begun, len(turned) + 1)
        for trick in {max(1, many), many + 1, table.size}
        for done in (False, True)
        for sight in [Sight(turned[:many], table.contract, trick, table.undealt, done, table.count)]
    )


def fit(record: Record, game: Game, most: int = 3) -> list[OptionValues]:
    """The smallest sets of option values under which a record has no findings, fewest changes first.

    None contains another; at most `most` options are changed. Empty if there is none, and [{}] if nothing need change.
    """
    if check(record, lambda key: game).ok:
        return [{}]
    found: list[OptionValues] = []
    choices: dict[str, list[Any]] = {}
    for key, value in game.other_values(record.options):
        choices.setdefault(key, []).append(value)
    tried = 0
    for many in range(1, most + 1):
        for keys in combinations(choices, many):
            for values in product(*(choices[key] for key in keys)):
                reading = dict(zip(keys, values, strict=True))
                if any(smaller.items() <= reading.items() for smaller in found):
                    continue
                tried += 1
                if tried > LIMIT:
                    return found
                verdict = _under(record, game, reading)
                if verdict is not None and verdict.ok:
                    found.append(reading)
    return found


def _under(record: Record, game: Game, changes: OptionValues) -> Verdict | None:
    """The verdict on the record read in another way; None if the options do not go together."""
    options = {**record.options, **changes}
    if compose(game, options)[1]:
        return None
    return check(record.model_copy(update={"options": options}), lambda key: game)


def _key(finding: Finding) -> Any:
    return finding.code, finding.pointer, finding.seat


def _word(value: Any) -> str:
    return str(value).lower() if isinstance(value, bool) else str(value)
