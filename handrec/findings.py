"""What can be found wrong, the rule it breaks, where it stands, and the verdict that gathers it all.

A `Fault` is a kind of finding: a stable code, the id of the rule that is broken, the sentence it means, the work it comes
from. A `Rule` is a fault with the functions that find it. Findings carry facts, not prose: `Finding.message` renders them
last. Findings and verdicts are data: they carry the fault, never the rule, and so they pickle, hash and compare by value;
who wants the rule asks the game for it (`Game.rule(code, id)`).
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, fields, replace
from functools import cached_property, lru_cache
from typing import Any, Literal, NamedTuple

from handrec.limits import MAX_REMEMBERED
from handrec.masks import Mask, Truth

Severity = Literal["error", "warning", "info"]
Standing = Literal["stated", "inferred", "outside", "house", "uncertain"]
Status = Literal["passed", "failed", "not checkable"]

#: The levels of checking, each reported on its own.
LEVELS: dict[str, str] = {
    "L0": "readable",
    "L1": "schema",
    "L2": "card arithmetic",
    "L3": "turn order and bidding",
    "L4": "legality of every play",
    "L5": "winners, tricks, scores",
    "L6": "across deals",
}


#: When a check is made, in words, by the moment it belongs to.
CHECKED: dict[str, str] = {
    "record": "what is written down, against what follows from the rest",
    "bid": "each bid by itself, when it is made",
    "bids": "the last bid, together with all the others",
}


class Work(NamedTuple):
    """A source document: what it is called, who wrote it, how sure its own text is, and its address if it has one."""

    title: str
    author: str
    note: str = ""
    url: str = ""


@dataclass(frozen=True)
class Citation:
    """Where a rule stands: the work, the section, and whether the source states it or we had to decide."""

    work: Work
    section: str
    standing: Standing = "stated"

    def __str__(self) -> str:
        return f"{self.work.title}, {self.section} ({self.standing})"


@dataclass(frozen=True)
class Fault:
    """A kind of finding: its code is never renumbered, `says` is a template over the finding's facts.

    `id` and `citation` are those of the rule that is broken; faults of form have none. `needs_hand` are the kinds of bid that
    cannot be judged without the hand.
    """

    code: str
    name: str
    level: str
    sentence: str
    says: str
    severity: Severity = "error"
    id: str = ""
    citation: Citation | None = None
    needs_hand: tuple[str, ...] = ()


@dataclass(frozen=True)
class Rule(Fault):
    """A rule of a game: sentence and citation first, then how it is decided, in exactly one of three ways.

    A play rule narrows: `narrow(view, legal)` leaves the cards that may be played. A checked rule is true or false of what it
    sees: `check(view)` is true where it is broken. Both must run on ints and on arrays (see `handrec.masks`). A duty hangs on
    all that went before, and so whoever replays that part of the deal judges it: `judged_by` says in words who that is.
    `on` names the moment of a check or a play rule. Where a code has several duties, `about` are the wrongs that this one is
    about, of those that its judge tells apart.
    """

    on: Literal["record", "bid", "bids", "play"] = "record"
    narrow: Callable[[Any, Mask], Mask] | None = None
    check: Callable[[Any], Truth] | None = None
    judged_by: str = ""
    about: tuple[str, ...] = ()

    def __post_init__(self) -> None:
        if (self.narrow is not None) + (self.check is not None) + bool(self.judged_by) != 1:
            raise ValueError(f"rule {self.code} needs exactly one of narrow, check and judged_by")

    @property
    def decided(self) -> str:
        """How it is decided, in words."""
        if self.narrow is not None:
            return "narrows the cards that may be played"
        return f"judged by: {self.judged_by}" if self.judged_by else f"checked: {CHECKED[self.on]}"

    @cached_property
    def fault(self) -> Fault:
        """What a finding carries of this rule: all of it but the functions."""
        return Fault(**{each.name: getattr(self, each.name) for each in fields(Fault)})

    def of(self, id: str, citation: Citation, sentence: str | None = None, **changes: Any) -> Rule:
        """This rule as one game has it, under that game's id, citation and words."""
        return replace(self, id=id, citation=citation, sentence=sentence or self.sentence, **changes)


class Location(NamedTuple):
    """Where in a file a finding stands; line and column count from 1, 0 where the file has no such place."""

    path: str
    line: int = 0
    column: int = 0

    def __str__(self) -> str:
        return ":".join(str(part) for part in (self.path, self.line, self.column) if part)


class Near(NamedTuple):
    """A slip of the pen that would leave nothing of a finding: its act, what it costs, and what was written for what.

    `cost` is what it costs more than the finding as it stands: where that is not above 0, nobody can tell which it was.
    """

    act: str
    cost: int
    words: str


class Finding(NamedTuple):
    """One thing found wrong: the fault, the facts, and its two places (for machines and for people).

    `readings` are the changes of options, such as `overruff: free`, under which it would not be a fault. `because` is the slip
    of the pen that it follows from, as its code and its pointer: undo that slip, and this is gone. It counts as no fault.
    Facts that any finding may have: `hint`, words on what was probably meant; `against`, the pointer of what contradicts it,
    which is told by its line, `against_line`, where the finding has a place in a file.
    `near` are the slips that would explain it as well, or nearly; `unexplained` if no slip that can be read at sight explains
    what cannot have happened.
    """

    fault: Fault
    facts: Mapping[str, Any] = {}
    pointer: str = ""
    deal: int | None = None
    trick: int | None = None
    seat: str | None = None
    location: Location | None = None
    readings: tuple[str, ...] = ()
    because: tuple[str, str] | None = None
    near: tuple[Near, ...] = ()
    unexplained: bool = False

    def __hash__(self) -> int:
        return hash(
            (self.fault, self.pointer, self.deal, self.trick, self.seat, self.location, self.readings, self.because, self.near)
        )

    @property
    def severity(self) -> Severity:
        """How much it weighs: errors and warnings are faults, info is a remark."""
        return self.fault.severity

    @property
    def code(self) -> str:
        """The stable code, three letters and three digits."""
        return self.fault.code

    @property
    def rule(self) -> str | None:
        """The id of the game's rule that was broken, such as `KB-5.3`; None for faults of form."""
        return self.fault.id or None

    @property
    def level(self) -> str:
        """The level of checking that found it."""
        return self.fault.level

    @property
    def message(self) -> str:
        """The facts as one sentence. Facts come from the record: make the text safe before showing it."""
        text = self.fault.says.format_map(_Words({"trick": self.trick, **self.facts})) + str(self.facts.get("hint", ""))
        return f"{text} (see line {self.facts['against_line']})" if "against_line" in self.facts else text

    def following(self, cause: tuple[str, str]) -> Finding:
        """The same as what follows from another finding: that explains it, so nothing else is named that would."""
        return self._replace(because=cause, near=(), unexplained=False)

    @property
    def deal_index(self) -> int | None:
        """Which deal of the record the pointer leads into, from 0; None if into none."""
        return _index(self.pointer, "deals", 1)

    @property
    def event_index(self) -> int | None:
        """Which event of its deal the pointer leads to, from 0; None if to none."""
        return _index(self.pointer, "events", 3)

    @property
    def place(self) -> str:
        """The place as card players say it: "deal 7, trick 5, E"."""
        parts = [f"deal {self.deal}"] if self.deal is not None else []
        if self.trick is not None:
            parts.append(f"trick {self.trick}")
        if self.seat:
            parts.append(f"seat {self.seat}" if self.seat.isdigit() else self.seat)
        return ", ".join(parts)


@lru_cache(MAX_REMEMBERED)
def _index(pointer: str, field: str, at: int) -> int | None:
    """The number behind a field of a pointer, if it stands there."""
    steps = pointer.split("/")
    return int(steps[at + 1]) if steps[at : at + 1] == [field] and "".join(steps[at + 1 : at + 2]).isdecimal() else None


class _Words(dict[str, Any]):
    """Facts as words: lists with commas, nobody as "somebody", nothing else as "none"."""

    def __getitem__(self, key: str) -> Any:
        value = dict.get(self, key)
        if isinstance(value, list | tuple):
            return " ".join(str(item) for item in value) or "none"
        return self.__missing__(key) if value is None else value

    def __missing__(self, key: str) -> str:
        return "somebody" if key == "seat" else "none"


class Level(NamedTuple):
    """The outcome of one level: passed, failed, or not checkable; `reasons` say what could not be checked, and why."""

    key: str
    status: Status
    reasons: tuple[str, ...] = ()

    @property
    def name(self) -> str:
        """What the level checks, in words."""
        return LEVELS[self.key]


class PlayedTrick(NamedTuple):
    """A trick as it was played: (seat, card) in order of play, and the seat that took it (None: cannot be told)."""

    number: int
    plays: tuple[tuple[str, str], ...]
    winner: str | None


class SideResult(NamedTuple):
    """The tricks and the points of a side in a deal, each None where it could not be worked out."""

    tricks: int | None
    score: int | None


class DealResult(NamedTuple):
    """What the referee made of one deal; every mapping is by seat, None or absent where it could not be worked out.

    `lines` are the parts of each score by name, `notes` what else a scorecard shows of a seat, `carried` what a seat takes
    along to the next deal. Where partners play together each has the points of the side; `sides` are the results by side, and
    `stakes` what was played for, in words.
    """

    number: int
    cards: int
    dealer: str | None
    order: str | None
    bids: Mapping[str, str]
    tricks: Mapping[str, int] | None
    lines: Mapping[str, Mapping[str, int]]
    penalties: Mapping[str, int]
    totals: Mapping[str, int] | None
    played: tuple[PlayedTrick, ...] = ()
    notes: Mapping[str, Mapping[str, str]] = {}
    carried: Mapping[str, Mapping[str, int]] = {}
    sides: Mapping[str, SideResult] = {}
    stakes: str = ""

    @property
    def scores(self) -> dict[str, int]:
        """The points of each seat in this deal: the sum of its lines."""
        return {seat: sum(lines.values()) for seat, lines in self.lines.items()}

    def __hash__(self) -> int:
        return hash((self.number, self.cards, self.dealer, self.order, self.played))


class Verdict(NamedTuple):
    """What the referee found in one record."""

    record: str | None
    game: str | None
    options: Mapping[str, Any]
    levels: tuple[Level, ...]
    findings: tuple[Finding, ...]
    deals: tuple[DealResult, ...] = ()
    totals: Mapping[str, int] | None = None
    winners: tuple[str, ...] | None = None

    @property
    def faults(self) -> tuple[Finding, ...]:
        """What was found wrong: all findings but remarks (severity info), and but what follows from a slip of the pen."""
        return tuple(finding for finding in self.primary if finding.severity != "info")

    @property
    def primary(self) -> tuple[Finding, ...]:
        """The findings that follow from no other: faults and remarks, as they are counted and shown."""
        return tuple([finding for finding in self.findings if finding.because is None])

    @property
    def ok(self) -> bool:
        """Whether nothing wrong was found. Unchecked levels do not count."""
        return not self.findings or not self.faults

    def __hash__(self) -> int:
        return hash((self.record, self.game, self.levels, self.findings, self.deals, self.winners))
