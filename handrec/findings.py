"""What can be found wrong, the rule it breaks, where it stands, and the verdict that gathers it all.

A `Fault` is a kind of finding with a stable code; a `Rule` is a fault of a game, with the sentence it means and the work
it comes from. Findings carry facts, not prose: `Finding.message` renders them last.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, replace
from typing import Any, Literal, NamedTuple

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


@dataclass(frozen=True)
class Work:
    """A source document: what it is called, who wrote it, and how sure its own text is."""

    title: str
    author: str
    note: str = ""


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
    """A kind of finding: its code is never renumbered, `says` is a template over the finding's facts."""

    code: str
    name: str
    level: str
    sentence: str
    says: str
    severity: Severity = "error"


@dataclass(frozen=True)
class Rule(Fault):
    """A rule of a game: sentence and citation first, then exactly one of `narrow` and `check`.

    `narrow(view, legal)` leaves the cards that may be played; `check(view)` is true where the rule is broken. Both must
    run on ints and on arrays (see `handrec.masks`). `on` names the moment a check belongs to; rules whose moment is the
    referee's own comparison of what is recorded with what is due have `on="record"`.
    """

    id: str = ""
    citation: Citation | None = None
    on: Literal["record", "bid", "bids", "play"] = "record"
    narrow: Callable[[Any, Mask], Mask] | None = None
    check: Callable[[Any], Truth] | None = None
    needs_hand: tuple[str, ...] = ()  # the kinds of bid that cannot be judged without the hand

    def __post_init__(self) -> None:
        if (self.narrow is None) == (self.check is None):
            raise ValueError(f"rule {self.code} needs exactly one of narrow and check")

    def of(self, id: str, citation: Citation, sentence: str | None = None, **changes: Any) -> Rule:
        """This rule as one game has it, under that game's id, citation and words."""
        return replace(self, id=id, citation=citation, sentence=sentence or self.sentence, **changes)


@dataclass(frozen=True)
class Location:
    """Where in a file a finding stands; line and column count from 1, 0 where the file has no such place."""

    path: str
    line: int = 0
    column: int = 0

    def __str__(self) -> str:
        return ":".join(str(part) for part in (self.path, self.line, self.column) if part)


@dataclass(frozen=True, slots=True)
class Finding:
    """One thing found wrong: the fault, the facts, and its two places (for machines and for people).

    `readings` are the changes of options, such as `overruff: free`, under which it would not be a fault.
    """

    fault: Fault
    facts: Mapping[str, Any] = field(default_factory=dict)
    pointer: str = ""
    deal: int | None = None
    trick: int | None = None
    seat: str | None = None
    location: Location | None = None
    readings: tuple[str, ...] = ()

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
        return self.fault.id or None if isinstance(self.fault, Rule) else None

    @property
    def level(self) -> str:
        """The level of checking that found it."""
        return self.fault.level

    @property
    def message(self) -> str:
        """The facts as one sentence. Facts come from the record: make the text safe before showing it."""
        return self.fault.says.format_map(_Words({"trick": self.trick, **self.facts}))

    @property
    def place(self) -> str:
        """The place as card players say it: "deal 7, trick 5, E"."""
        parts = [f"deal {self.deal}"] if self.deal is not None else []
        if self.trick is not None:
            parts.append(f"trick {self.trick}")
        if self.seat:
            parts.append(f"seat {self.seat}" if self.seat.isdigit() else self.seat)
        return ", ".join(parts)


class _Words(dict[str, Any]):
    """Facts as words: lists with commas, nothing as "none"."""

    def __getitem__(self, key: str) -> Any:
        value = dict.get(self, key)
        if isinstance(value, list | tuple):
            return " ".join(str(item) for item in value) or "none"
        return "none" if value is None else value

    def __missing__(self, key: str) -> str:
        return "none"


@dataclass(frozen=True, slots=True)
class Level:
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


class DealResult(NamedTuple):
    """What the referee made of one deal; every mapping is by seat, None or absent where it could not be worked out.

    `lines` are the parts of each score by name, `notes` what else a scorecard shows of a seat, `carried` what a seat takes
    along to the next deal.
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

    @property
    def scores(self) -> dict[str, int]:
        """The points of each seat in this deal: the sum of its lines."""
        return {seat: sum(lines.values()) for seat, lines in self.lines.items()}


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
        """What was found wrong: all findings but remarks (severity info)."""
        return tuple(finding for finding in self.findings if finding.severity != "info")

    @property
    def ok(self) -> bool:
        """Whether nothing wrong was found. Unchecked levels do not count."""
        return not self.faults
