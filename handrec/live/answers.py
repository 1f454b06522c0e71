"""What a table answers: an event has happened, or it is refused; and what may happen next."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Literal

from handrec.findings import Finding, PlayedTrick
from handrec.writing import plain_event


@dataclass(frozen=True)
class Legal:
    """What may happen next.

    `turn` are the seats that must act now: one, or where all bid in secret those that have not. `events` are what may legally
    come, cards included; `untold` plays of which it cannot be told whether they are legal, since the hand is not known.
    `besides` are the kinds of event that may come at any time, and are judged by what they say. `deal` whether the next deal may
    begin; `over` whether the game is.
    """

    turn: tuple[str, ...] = ()
    events: tuple[Any, ...] = ()
    untold: tuple[Any, ...] = ()
    besides: tuple[str, ...] = ()
    deal: bool = False
    over: bool = False

    @property
    def cards(self) -> tuple[str, ...]:
        """The cards that may be played now."""
        return tuple(dict.fromkeys(event.card for event in self.events if event.do == "play"))

    def plain(self) -> dict[str, Any]:
        """The same as JSON values."""
        return {
            "turn": list(self.turn),
            "events": [plain_event(event) for event in self.events],
            "untold": [plain_event(event) for event in self.untold],
            "besides": list(self.besides),
            "deal": self.deal,
            "over": self.over,
        }


@dataclass(frozen=True)
class Applied:
    """An event has happened.

    `findings` are what is wrong with it, if it was forced, remarks on it, and what it brought to light of events before; `trick`
    is the trick that it ended; `deal_over` whether nothing more must happen in the deal.
    """

    findings: tuple[Finding, ...] = ()
    trick: PlayedTrick | None = None
    deal_over: bool = False
    ok: Literal[True] = True

    def plain(self) -> dict[str, Any]:
        """The same as JSON values."""
        found: dict[str, Any] = {"ok": True, "findings": [_finding(finding) for finding in self.findings]}
        if self.trick is not None:
            found["trick"] = {"number": self.trick.number, "winner": self.trick.winner}
        return found | {"deal_over": self.deal_over}


@dataclass(frozen=True)
class Refused:
    """An event that was not taken: why, and what could have been done instead. The table is as it was."""

    findings: tuple[Finding, ...]
    legal: Legal
    ok: Literal[False] = False

    @property
    def code(self) -> str:
        """The stable code of what is wrong."""
        return self.findings[0].code

    @property
    def rule(self) -> str | None:
        """The id of the rule that would be broken; None for faults of form."""
        return self.findings[0].rule

    @property
    def sentence(self) -> str:
        """The rule's sentence."""
        return self.findings[0].fault.sentence

    @property
    def citation(self) -> str | None:
        """Where the rule stands."""
        found = self.findings[0].fault.citation
        return None if found is None else str(found)

    @property
    def message(self) -> str:
        """What is wrong, in words."""
        return self.findings[0].message

    def plain(self) -> dict[str, Any]:
        """The same as JSON values."""
        first, *others = (_finding(finding) for finding in self.findings)
        return {"ok": False, **first, "besides": others, "legal": self.legal.plain()}


def _finding(finding: Finding) -> dict[str, Any]:
    cited = finding.fault.citation
    return {
        "code": finding.code,
        "rule": finding.rule,
        "severity": finding.severity,
        "message": finding.message,
        "sentence": finding.fault.sentence,
        "citation": None if cited is None else str(cited),
        "pointer": finding.pointer,
        "seat": finding.seat,
        "trick": finding.trick,
    }
