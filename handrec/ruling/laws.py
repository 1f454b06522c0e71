"""Laws of reneging as data: when it is established, until when it can be claimed, what it costs, what is exempt.

A record names its laws in `extensions["handrec.laws"]`, by the name of a shipped profile or as a whole profile of its own.
Without that, a game has the profile that names it, or else `none`: facts only.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Annotated, Any, Literal

from pydantic import BaseModel, ConfigDict, Field, ValidationError

from handrec.record import Record, Text
from handrec.ruling.profiles import PROFILES

#: Where a record keeps the laws that were agreed on.
EXTENSION = "handrec.laws"

#: The moments that laws speak of. What the record cannot tell (when a trick was turned, when cards were mixed) is taken as
#: the latest it can have been.
Established = Literal["at_once", "trick_turned", "own_side_next", "tricks_mixed"]
Deadline = Literal["trick_turned", "tricks_mixed", "end_of_deal", "next_deal", "end_of_game", "none"]
Kind = Literal["books", "tricks", "points_off", "points_on", "set", "lose_game", "all_points"]
Exemption = Literal[
    "no_trick_won", "repeat_same_suit", "open_card", "deadline", "round_over", "last_but_one", "both_sides", "corrected"
]
Topic = Literal[Exemption, "renege", "established", "penalty", "won_by_offender", "false_claim", "unclaimed", "equity"]
Number = Annotated[int, Field(ge=0, le=1000)]


class NoSuch(ValueError):
    """Laws, a deal, a seat or a trick that there is not; the text says in one line what is the matter."""


class _Part(BaseModel):
    model_config = ConfigDict(extra="forbid", frozen=True)


class Penalty(_Part):
    """What an offence costs: `n` tricks, books or points; `n_if_won` instead where the offender's own card won that trick.

    `books` are taken by the claimant, as many as wanted up to `n`, at once or in instalments; `tricks` move at once, no more
    of either than the offender's side holds, or has won from that trick on (`cap`).
    """

    kind: Kind
    n: Number = 0
    n_if_won: Number | None = None
    cap: Literal["held", "won_from_revoke_on"] = "held"


class Paragraph(_Part):
    """Where the laws say something: the number of the paragraph or the game's rule, and what it says in a sentence."""

    at: Annotated[str, Field(max_length=40)]
    says: Annotated[str, Field(max_length=300)] = ""


class Laws(_Part):
    """The laws by which a renege is ruled on.

    `duty`: whether only failing to follow suit is an offence, or every breach of what must be played. `penalty` are the
    forms between which `choice_of` chooses; `per` revoke or once a hand. Until `correctable_until` a card may be taken back.
    `already_decided`: whether a result stands that was certain before; `level_cap`: the level at which a game is lost.
    `paragraphs` cites the source by topic.
    """

    name: Annotated[str, Field(pattern=r"^[a-z0-9][a-z0-9-]{0,39}$")]
    title: Annotated[str, Field(max_length=120)]
    source: Annotated[str, Field(max_length=200)] = ""
    games: Annotated[list[str], Field(max_length=20)] = []
    revoke: Literal["revoke", "renege"] = "renege"
    trick: Literal["trick", "book"] = "trick"
    duty: Literal["follow", "any"] = "any"
    establish_on: Established = "at_once"
    correctable_until: Established = "at_once"
    claim_deadline: Deadline = "none"
    penalty: Annotated[list[Penalty], Field(max_length=6)] = []
    choice_of: Literal["nobody", "claimant", "adversaries", "table"] = "nobody"
    per: Literal["revoke", "hand"] = "revoke"
    repeat_same_suit: Literal["counts", "exempt"] = "counts"
    both_sides: Literal["each", "cancel", "equity"] = "each"
    already_decided: Literal["nothing", "stands"] = "nothing"
    level_cap: Literal["none", "simple"] = "none"
    false_claim: Annotated[list[Penalty], Field(max_length=2)] = []
    equity: Literal["none", "director"] = "none"
    exempt: Annotated[list[Exemption], Field(max_length=8)] = []
    paragraphs: dict[Topic, Paragraph] = {}
    note: Text = ""

    def checks(self) -> list[Exemption]:
        """The exemptions to be gone through, in the order of the laws."""
        flags: dict[Exemption, bool] = {
            "repeat_same_suit": self.repeat_same_suit == "exempt",
            "both_sides": self.both_sides != "each",
        }
        order: tuple[Exemption, ...] = Exemption.__args__  # type: ignore[attr-defined]
        return [each for each in order if each in self.exempt or flags.get(each)]


#: The shipped profiles by name.
LAWS: dict[str, Laws] = {name: Laws.model_validate({"name": name, **profile}) for name, profile in PROFILES.items()}


def laws_of(record: Record, wanted: str | Mapping[str, Any] | Laws | None = None) -> Laws:
    """The laws to rule by: those wanted, else those in the record, else the game's own. Raises `NoSuch`."""
    if isinstance(wanted, Laws):
        return wanted
    if wanted is None:
        wanted = record.extensions.get(EXTENSION)
    if wanted is None:
        return next((laws for laws in LAWS.values() if record.game in laws.games), LAWS["none"])
    if isinstance(wanted, str):
        if wanted not in LAWS:
            raise NoSuch(f"no laws are called {wanted[:60]} (there are: {', '.join(LAWS)})")
        return LAWS[wanted]
    return _own(wanted)


def _own(profile: Any) -> Laws:
    """A house's own laws, written out in the record."""
    try:
        return Laws.model_validate(profile)
    except ValidationError as error:
        first = error.errors(include_url=False, include_input=False)[0]
        place = ".".join(str(part)[:40] for part in first["loc"][:4])
        raise NoSuch(f"the laws in the record are not a profile: {place or 'they'}: {first['msg'][:120]}") from None
    except RecursionError:
        raise NoSuch("the laws in the record are not a profile: too deeply nested") from None
