"""Laws of reneging as data: when it is established, until when it can be claimed, what it costs, what is exempt.

A record names its laws in `extensions["handrec.laws"]`, by the name of a shipped profile or as a whole profile of its own.
Without that, a game has the profile that names it, or else `none`: facts only.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from importlib.resources import files
from typing import Annotated, Any, Literal

from pydantic import BaseModel, ConfigDict, Field, ValidationError, model_validator

from handrec.record import Record, Text

#: Where a record keeps the laws that were agreed on.
EXTENSION = "handrec.laws"

#: The acts and moments that establish a renege: it is one when the first of them has come. What the record cannot tell
#: (when a trick was turned, when cards were mixed or cut) is taken as the latest it can have been. `own_side_agrees` is a
#: claim of the other side that stands, at once; `claim_agreed` the same when it can no longer be contested.
Established = Literal[
    "at_once",
    "trick_turned",
    "own_side_next",
    "card_named",
    "own_side_claims",
    "own_side_agrees",
    "claim_agreed",
    "tricks_mixed",
]
Deadline = Literal["trick_turned", "tricks_mixed", "end_of_deal", "cards_cut", "next_deal", "end_of_game", "none"]
PenaltyKind = Literal["books", "tricks", "points_off", "points_on", "set", "lose_game", "all_points"]
#: What is put right even though it is established: a renege of either side in one trick to which only one has played on;
#: one in the last trick but one, before the hands are back.
Correction = Literal["both_in_trick", "hands_not_back"]
#: What an established renege is forgiven for, in the words of `handrec.ruling.procedure`.
Exemption = Literal[
    "no_trick_won",
    "repeat_same_suit",
    "open_card",
    "deadline",
    "round_over",
    "last_but_one",
    "both_sides",
    "both_sides_reneged",
    "corrected",
    "cancelled",
    "once",
]
#: What else follows where a penalty is paid.
Besides = Literal["neither_can_win", "cannot_win"]
Topic = Literal[
    Established,
    Correction,
    Exemption,
    Besides,
    "renege",
    "unestablished",
    "penalty_card",
    "others_withdraw",
    "own_side_withdraws",
    "established",
    "penalty",
    "won_by_offender",
    "unclaimed",
    "false_claim",
    "equity",
    "equity_repeated",
    "equity_both_sides",
]
Amount = Annotated[int, Field(ge=0, le=1000)]


class NoSuch(ValueError):
    """Laws, a deal, a seat or a trick that there is not; the text says in one line what is the matter."""


class _Part(BaseModel):
    model_config = ConfigDict(extra="forbid", frozen=True)


class PenaltyRule(_Part):
    """What an offence costs: `n` tricks, books or points; `n_if_won` instead where the offender's own card won that trick.

    `books` are taken by the claimant, as many as wanted up to `n`, at once or in instalments; `tricks` move at once, no more
    of either than the offender's side holds, or has won from that trick on (`cap`).
    """

    kind: PenaltyKind
    n: Amount = 0
    n_if_won: Amount | None = None
    cap: Literal["held", "won_from_revoke_on"] = "held"


class Paragraph(_Part):
    """Where the laws say something: the number of the paragraph or the game's rule, and what it says in a sentence."""

    at: Annotated[str, Field(max_length=40)]
    says: Annotated[str, Field(max_length=300)] = ""


class Laws(_Part):
    """The laws by which a renege is ruled on; `handrec.ruling.procedure` goes through them in this order.

    `duty`: whether only failing to follow suit is an offence, or every breach of what must be played. Until the first of
    `establish_on` a card may be taken back; `correct` is what is put right even later. `claim_deadline`: until when it can be
    claimed. `exempt` are the exemptions, in the order of the laws. `penalty` are the forms between which `choice_of`
    chooses; `besides` is what follows with any of them. `already_decided`: whether a result stands that was certain before;
    `level_cap`: the level at which a game is lost. `paragraphs` cites the source by topic.
    """

    name: Annotated[str, Field(pattern=r"^[a-z0-9][a-z0-9-]{0,39}$")]
    title: Annotated[str, Field(max_length=120)]
    source: Annotated[str, Field(max_length=200)] = ""
    games: Annotated[list[str], Field(max_length=20)] = []
    revoke: Literal["revoke", "renege"] = "renege"
    trick: Literal["trick", "book"] = "trick"
    duty: Literal["follow", "any"] = "any"
    establish_on: Annotated[list[Established], Field(min_length=1, max_length=8)] = ["at_once"]
    correct: Annotated[list[Correction], Field(max_length=2)] = []
    claim_deadline: Deadline = "none"
    exempt: Annotated[list[Exemption], Field(max_length=11)] = []
    penalty: Annotated[list[PenaltyRule], Field(max_length=6)] = []
    choice_of: Literal["nobody", "claimant", "adversaries", "table"] = "nobody"
    besides: Annotated[list[Besides], Field(max_length=2)] = []
    already_decided: Literal["nothing", "stands"] = "nothing"
    level_cap: Literal["none", "simple"] = "none"
    false_claim: Annotated[list[PenaltyRule], Field(max_length=2)] = []
    equity: Literal["none", "director"] = "none"
    paragraphs: dict[Topic, Paragraph] = {}
    note: Text = ""

    @model_validator(mode="before")
    @classmethod
    def _as_it_was_written(cls, given: Any) -> Any:
        """Read a profile of the first form, in which exemptions had fields of their own and one act established."""
        if not isinstance(given, dict):
            return given
        kept = {key: value for key, value in given.items() if key not in FIRST_FORM and key != "correctable_until"}
        more = [FIRST_FORM[key][given[key]] for key in FIRST_FORM if _word(given.get(key)) in FIRST_FORM[key]]
        if more and isinstance(given.get("exempt", []), list):
            kept["exempt"] = [*given.get("exempt", []), *(each for each in more if each)]
        if isinstance(given.get("establish_on"), str):
            kept["establish_on"] = [given["establish_on"]]
            kept["establish_on"] += ["own_side_claims"] if given["establish_on"] == "own_side_next" else []
        return {**kept, **{key: given[key] for key in FIRST_FORM if key in given and _word(given[key]) not in FIRST_FORM[key]}}

    @property
    def correctable(self) -> bool:
        """Whether a card may be taken back at all."""
        return self.establish_on != ["at_once"]

    def at(self, *topics: str) -> str:
        """Where the laws speak of the first of these topics of which they do; "" if of none."""
        return next((self.paragraphs[topic].at for topic in topics if topic in self.paragraphs), "")


#: What the fields of the first form of a profile are called among the exemptions.
FIRST_FORM: dict[str, dict[str, str]] = {
    "repeat_same_suit": {"counts": "", "exempt": "repeat_same_suit"},
    "both_sides": {"each": "", "cancel": "cancelled", "equity": "both_sides"},
    "per": {"revoke": "", "hand": "once"},
}


def _word(value: Any) -> str:
    return value if isinstance(value, str) else ""


def _shipped() -> Iterator[Laws]:
    """The profiles in `profiles.json`; one that is `like` a shared part has it too, its own paragraphs besides the others'.

    The sentences there are paraphrases; the paragraphs named are the authority. Where a source has no numbers, its name stands.
    """
    data = json.loads(files(__package__).joinpath("profiles.json").read_text("utf-8"))
    for name, profile in data["profiles"].items():
        shared = data["shared"].get(profile.pop("like", ""), {})
        paragraphs = {**shared.get("paragraphs", {}), **profile.get("paragraphs", {})}
        yield Laws.model_validate({"name": name, **shared, **profile, "paragraphs": paragraphs})


#: The shipped profiles by name.
LAWS: dict[str, Laws] = {laws.name: laws for laws in _shipped()}


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
