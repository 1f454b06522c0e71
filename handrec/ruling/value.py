"""What a ruling consists of: the claim, the facts found, the four dates, the rules, the verdict, what follows from it."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Literal

from handrec.explanations.weighed import Weighed
from handrec.ruling.laws import Laws

Decision = Literal["upheld", "rejected", "cannot be decided"]


@dataclass(frozen=True)
class RevokeClaim:
    """That a seat did not play as it had to: in a trick of a deal, or in any before the claim if `trick` is None.

    `source`: asked for by the caller, an accusation in the record, a mark that its transcriber made, or found by the replay.
    `by` is who claims, if known. `noticed` is the last card before attention was drawn (`8.1`: the first of trick 8), or a
    moment after the play (`over`, `next`, `round`), and `when` its place in time: the deal's place in the record, and how
    many of its events had happened; None if that is not known. `deal` is the deal's number and
    `index` its place in the record, which may have two of one number; None if it is not known, or not in the record. `what` says
    what it is of a deed that is no renege by the laws.
    """

    of: str
    trick: int | None
    deal: int
    by: str | None = None
    noticed: str | None = None
    when: tuple[int, int] | None = None
    source: Literal["asked", "accusation", "mark", "found"] = "asked"
    index: int | None = None
    what: str = ""


@dataclass(frozen=True)
class Fact:
    """Something that the record shows, where (`5.2`: the second card of trick 5), and by what."""

    words: str
    source: str
    place: str = ""


@dataclass(frozen=True)
class RevokeDates:
    """When it happened, when it could be proved, when it was established, until when it could be claimed; "" if not told.

    `provable` is by view: "all", and each seat with its own hand; None where it never could be.
    """

    happened: str = ""
    provable: Mapping[str, str | None] = field(default_factory=dict)
    established: str = ""
    claimable: str = ""
    claimed: str = ""


@dataclass(frozen=True)
class Cited:
    """A paragraph or rule, where it stands, and what it says."""

    at: str
    citation: str
    sentence: str


@dataclass(frozen=True)
class Step:
    """A step of the procedure: its topic in the laws, where they say it, what is asked, the answer, and why.

    `applies` is None if the record does not tell.
    """

    topic: str
    at: str
    what: str
    applies: bool | None
    why: str


@dataclass(frozen=True)
class Move:
    """Tricks that change hands, in a deal: from a seat or side to another."""

    of: str
    by: str
    tricks: int
    deal: int


@dataclass(frozen=True)
class GameStanding:
    """How a deal and the game stand; None what cannot be told. Tricks of partners are added up under `N/S`.

    `ended` is the deal with which the game would have ended, if the record goes on after it.
    """

    tricks: Mapping[str, int] | None = None
    scores: Mapping[str, int] | None = None
    totals: Mapping[str, int] | None = None
    winners: tuple[str, ...] | None = None
    ended: int | None = None


@dataclass(frozen=True)
class RulingOutcome:
    """One thing that may be done: in words, tricks moved, points taken (negative: given), how it stands then.

    `taken` says that this is what the record itself has; `put_right` that nothing is paid, and a card is changed for another.
    `after` is None where the score does not follow from tricks or points alone, or where the play goes on.
    """

    words: str
    moves: tuple[Move, ...] = ()
    points: Mapping[str, int] = field(default_factory=dict)
    after: GameStanding | None = None
    taken: bool = False
    put_right: bool = False


@dataclass(frozen=True)
class RevokeRuling:
    """A claim settled as far as the record allows.

    `shown` is whether the record shows the offence (None: it leaves it open); `verdict` whether the claim is upheld, which
    it is not if it came too late; `reason` says it in a few words. `steps` is the procedure of the laws as far as it was
    gone through. `before` is how it stands without any consequence, `outcomes` what may follow. `assumed` are the things
    that no record tells; `profiles` what each shipped profile would give, where the game's source says nothing. `weighed` is the
    offence as it is written beside what would explain it if the record is wrong; None where the referee finds none.
    """

    claim: RevokeClaim
    laws: Laws
    record: str | None
    digest: str
    players: Mapping[str, str | None]
    verdict: Decision
    shown: bool | None
    reason: str
    facts: tuple[Fact, ...]
    assumed: tuple[str, ...]
    dates: RevokeDates
    rules: tuple[Cited, ...]
    steps: tuple[Step, ...]
    before: GameStanding
    outcomes: tuple[RulingOutcome, ...]
    equity: str = ""
    aside: tuple[str, ...] = ()
    profiles: Mapping[str, str] = field(default_factory=dict)
    weighed: Weighed | None = None
