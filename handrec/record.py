"""The record: one shape for every game, closed and versioned (format "handrec", versions "1.0" and "1.1").

Three things are kept apart everywhere: a field that is *absent* was not recorded; `"??"` is a card that exists but was
not seen; an empty list says that there really were none. `null` is no value of any field.

Events are the truth, in the order in which they happened, each with its actor. Whatever follows from them (who won a
trick, how many, the score, the totals) may be recorded only under `claimed`, where it is compared and never trusted.

The kinds of event stand below, each with all that any part of the program needs to know of it: see `kind`. A game from
outside may bring kinds of its own, which only its own records may have, and these say 1.1: the schemas do not know them.

A record that uses nothing of version 1.1 may say 1.0. Version 1.1 has, of a deal, the `board` and who is `vulnerable`; of sides
what was written down for them; of comments, that a call was alerted or explained; calls that are not known (`"?"`) or taken back;
the trick for whose sake others change hands; the events `exchange` and `show`. It has of a play: `trick`,
the number typed before a row of cards, which stands on the first play of the row and on no other, so that a play with
`trick` begins a row, whole or not; there too `unordered`, where the cards of the row stand by seats because it is not known
who led; and `marked`, what whoever wrote the card down noted about it, "revoke" or "lead" (out of turn). A mark is a remark
of the transcriber: nobody was accused at the table, and nobody ruled. None of these is a fact of play.

How the events of a game are typed, `handrec explain GAME` says: see `Game.notation`.
"""

# No `from __future__ import annotations`: pydantic would work out the type of each field from its text.
from collections.abc import Callable
from dataclasses import dataclass, replace
from functools import cached_property
from string import Formatter
from typing import TYPE_CHECKING, Annotated, Any, Generic, Literal, Optional, TypeVar, Union, cast, get_origin

from pydantic import BaseModel, ConfigDict, Field

from handrec.cards import CARD_PATTERN
from handrec.limits import MAX_DEALS, MAX_EVENTS, MAX_PLAYERS

FORMAT = "handrec"
#: The first version that was published, and the last.
FIRST, LATEST = "1.0", "1.1"

T = TypeVar("T")
if TYPE_CHECKING:
    Maybe = Optional[T]  # absent in the record is None in Python; a JSON null is refused
else:

    class Maybe(Generic[T]):
        """Keeps `None` out of the schema: at run time the field has its plain type and the default None."""

        def __class_getitem__(cls, item: Any) -> Any:
            return item


BIG = 1_000_000_000

#: Marks a field, or a value, that `FIRST` does not have; and one that may be absent only since then.
SINCE: dict[str, Any] = {"since": LATEST}
OPTIONAL: dict[str, Any] = {"optional": LATEST}

# The last word of each says what a value is, for those who write it down, read it or say it.
Seat = Annotated[str, Field(pattern=r"^[A-Za-z0-9_-]{1,16}$", description="A seat's short name, such as N or P3"), "seat"]
Card = Annotated[str, Field(pattern=CARD_PATTERN, description="Rank and suit (AS, TD, BJ); ? where unseen (??, ?S, T?)"), "card"]
Word = Annotated[str, Field(pattern=r"^[A-Za-z0-9_+.-]{1,32}$"), "word"]
Text = Annotated[str, Field(max_length=1000), "text"]
Key = Annotated[str, Field(pattern=r"^[A-Za-z_][A-Za-z0-9_]{0,63}$")]
Name = Annotated[Key, "name"]
Count = Annotated[int, Field(ge=0, le=1000), "number"]
Ordinal = Annotated[int, Field(ge=1, le=1_000_000), "number"]
Points = Annotated[int, Field(ge=-BIG, le=BIG), "number"]
Cards = Annotated[list[Card], Field(max_length=256), "cards"]
Shares = Annotated[dict[Seat, Count], "shares"]
Unknown = Annotated[Literal["?"], Field(description="A call that nobody wrote down", json_schema_extra=SINCE)]
_Number = Annotated[int, Field(ge=-1000, le=1000)]
BidValue = Annotated[_Number | Word, "bid"]
Call = Annotated[_Number | Word | Unknown, "bid"]
#: A side is called by its seats in the order of the players: `NS`, or `North+South` where a seat has more than one letter.
Side = Annotated[
    str,
    Field(
        pattern=r"^([A-Za-z0-9_-]{1,64}|[A-Za-z0-9_-]{1,16}([+][A-Za-z0-9_-]{1,16}){1,63})$",
        description="A side's name: its seats, such as NS or P1+P3",
    ),
    "side",
]
Decimal = Annotated[str, Field(pattern=r"^-?[0-9]{1,9}\.[0-9]{1,4}$")]


class Closed(BaseModel):
    """A part of the record: no field but those named, no value of another type."""

    model_config = ConfigDict(extra="forbid", frozen=True, strict=True)


class Newer(Closed):
    """A part that `FIRST` does not have."""

    model_config = ConfigDict(json_schema_extra=SINCE)


class BadKind(ValueError):
    """A kind of event is declared in a way that no event can have."""


@dataclass(frozen=True)
class Kind:
    """A kind of event: what there is to know of it besides its fields.

    `line` is how the typed notation writes it, after its name, a list of cards or shares last; without one, the notation has a
    way of its own or writes JSON.
    `words` is what is said of it after the name of who did it; what stands in square brackets is said only if its fields are
    there. `noted` are fields that are no facts. Of a `secret` event the cards are seen only by the seats that it names, unless it
    says that they were `seen`. The cards of one that `moves` go from the hand of `by` to that of `to`, if it says to whom: see
    `between`. `shown` if a replay says it in its words.
    """

    model: type[Closed]
    line: str = ""
    words: str = ""
    noted: tuple[str, ...] = ()
    secret: bool = False
    moves: bool = False
    shown: bool = True
    since: str = FIRST

    @cached_property
    def values(self) -> dict[str, str]:
        """What the value of each field is, but for `do`: a "seat", "card", "number", "flag" …; a "word" if one of a few."""
        found: dict[str, str] = {}
        for name, field in self.model.model_fields.items():
            plain = "flag" if field.annotation is bool else "word" if get_origin(field.annotation) is Literal else ""
            found[name] = next((part for part in field.metadata if isinstance(part, str)), plain)
            if not found[name]:
                raise BadKind(f"{self.model.__name__}.{name} has a type that no event has: {field.annotation!r}")
        del found["do"]
        return found

    def of(self, *values: str) -> tuple[str, ...]:
        """The fields that have such values."""
        return tuple(name for name, value in self.values.items() if value in values)

    @cached_property
    def seats(self) -> tuple[str, ...]:
        """The fields that name a seat at the table."""
        return self.of("seat")

    @cached_property
    def shares(self) -> tuple[str, ...]:
        """The fields that hold something for each of some seats."""
        return self.of("shares")

    @cached_property
    def line_fields(self) -> tuple[tuple[str, str, str, bool], ...]:
        """The fields of its line in the typed notation: name, value, the word before it, and whether it must be there."""
        due = {name: field.is_required() for name, field in self.model.model_fields.items()}
        parts = [(mark.strip(), name) for mark, name, _, _ in Formatter().parse(self.line) if name]
        return tuple((name, self.values[name], mark, due[name]) for mark, name in parts)

    def hides(self, event: Any) -> bool:
        """Whether the cards of an event are seen only by the seats that it names."""
        return self.secret and not getattr(event, "seen", None)

    def between(self, event: Any) -> tuple[str | None, str | None]:
        """From whose hand to whose the cards of an event go; None where it is no hand but cards set aside."""
        comes = type(event) is Exchange and event.of is not None and event.to is None
        return (None, event.by) if comes else (event.by, event.to)

    def seats_of(self, event: Any) -> list[str]:
        """The seats that an event names."""
        named = [seat for field in self.seats if (seat := getattr(event, field)) is not None]
        return [*named, *(seat for field in self.shares for seat in getattr(event, field) or ())]

    def cards_of(self, event: Any) -> list[str]:
        """The cards that an event names."""
        found = [getattr(event, field) or [] for field in self.of("card", "cards")]
        return [card for each in found for card in ([each] if isinstance(each, str) else each)]

    def renamed(self, event: dict[str, Any], name: Callable[[str], str]) -> dict[str, Any]:
        """An event, as plain values, with other names for the seats."""
        named: dict[str, Any] = {field: name(event[field]) for field in self.seats if field in event}
        if self.shares:
            named |= {field: {name(seat): many for seat, many in event[field].items()} for field in self.shares if field in event}
        return event | named


#: The one table of the kinds of event, by what their `do` says.
KINDS: dict[str, Kind] = {}
#: The names of those that are the record's own; all others are brought by games from outside.
OWN: tuple[str, ...] = ()

Model = TypeVar("Model", bound=Closed)


def kind(
    line: str = "",
    words: str = "",
    noted: tuple[str, ...] = (),
    *,
    secret: bool = False,
    moves: bool = False,
    shown: bool = True,
    since: str = FIRST,
) -> Callable[[type[Model]], type[Model]]:
    """Makes a class a kind of event, as `Kind` says; also one from outside, which its game must import.

    The class is a `Closed` part with a field `do`, whose default is the name of the kind; its other fields have the types above
    (`Maybe` where they may be absent), are true or false, or have one of a few words. A kind that is declared twice in the same
    way is one, and its class the first. Raises ValueError if a field has another type, if another kind has that name already, or
    if cards move and it does not say from whom to whom.
    """

    def enter(model: type[Model]) -> type[Model]:
        do, entered = model.model_fields["do"].default, Kind(model, line, words, noted, secret, moves, shown, since)
        if not {"by", "to"} <= {*entered.seats} and moves:
            raise BadKind(f"cards of {do!r} cannot move without the seats by and to")
        known = KINDS.setdefault(do, entered)
        if known is not entered:
            if replace(known, model=model) != entered or known.model.model_json_schema() != model.model_json_schema():
                raise BadKind(f"there is another kind of event {do!r} already: {known.model!r}")
            return cast(type[Model], known.model)
        if OWN:
            for part in (Deal, Record):  # they were made when fewer kinds were known
                part.model_rebuild(force=True)
        return model

    return enter


@kind(words="bids {bid}[ {blind}]", shown=False)
class Bid(Closed):
    """A bid or call. A later bid by the same seat is a raise or another call, where the game has them."""

    do: Literal["bid"] = "bid"
    by: Seat
    bid: Call
    blind: Maybe[bool] = None


@kind(words="announces {what}[ {card}][ {count}]", shown=False)
class Announce(Closed):
    """Something said or done that is no bid: mechoune, choune, bemo, guess, look, sips."""

    do: Literal["announce"] = "announce"
    by: Seat
    what: Word
    card: Maybe[Card] = None
    count: Maybe[Count] = None


@kind("{bid} by {by}", "contract {bid}", shown=False)
class Contract(Closed):
    """The outcome of an auction whose calls are not recorded."""

    do: Literal["contract"] = "contract"
    by: Maybe[Seat] = None
    bid: BidValue


@kind("{card} by {by}", "turned {card}", shown=False)
class Turn(Closed):
    """A card set aside is turned face up."""

    do: Literal["turn"] = "turn"
    card: Card
    by: Maybe[Seat] = None


#: What was noted of a play, and is no fact of it.
NOTED = ("trick", "unordered", "marked")


@kind(words="plays {card}", noted=NOTED, shown=False)
class Play(Closed):
    """A card is played. Without `by` it was played by whoever's turn it was; `questioned` marks a doubt at the table."""

    do: Literal["play"] = "play"
    by: Maybe[Seat] = None
    card: Card
    questioned: Maybe[bool] = None
    trick: Maybe[Ordinal] = Field(
        default=None, description="The number typed before the row that begins here", json_schema_extra=SINCE
    )
    unordered: Maybe[bool] = Field(
        default=None,
        description="Whether the row that begins here is in order of seats, not of play",
        json_schema_extra=SINCE,
    )
    marked: Maybe[Literal["revoke", "lead"]] = Field(
        default=None, description="A transcriber's mark: a revoke, a lead out of turn", json_schema_extra=SINCE
    )


@kind("{by} bid {bid} {card}", "takes back[ {card}][ {bid}]", shown=False)
class Withdraw(Closed):
    """The seat takes back the card it has just played to the trick, to play another."""

    do: Literal["withdraw"] = "withdraw"
    by: Seat
    card: Maybe[Card] = Field(default=None, json_schema_extra=OPTIONAL)
    bid: Maybe[BidValue] = Field(default=None, description="Or the call it has just made", json_schema_extra=SINCE)


@kind("{by} of {of} trick {trick} deal {of_deal}", "accuses {of}[, trick {trick}][, deal {of_deal}]", shown=False)
class Accuse(Closed):
    """A seat says that another did not play as it had to in a trick of this deal, or of an earlier one."""

    do: Literal["accuse"] = "accuse"
    by: Seat
    of: Seat
    trick: Maybe[Ordinal] = None
    of_deal: Maybe[Ordinal] = None


@kind(
    "{by} from {of} {tricks} trick {of_trick} deal {of_deal}",
    "takes {tricks:trick} from {of}[, trick {of_trick}][, deal {of_deal}]",
    shown=False,
)
class Transfer(Closed):
    """Tricks change hands: `by` takes them from `of`, in this deal or for a renege of an earlier one."""

    do: Literal["transfer"] = "transfer"
    by: Seat
    of: Seat
    tricks: Count
    of_deal: Maybe[Ordinal] = None
    of_trick: Maybe[Ordinal] = Field(default=None, description="The trick for whose sake", json_schema_extra=SINCE)


@kind("{of} {points} for {reason} by {by}", "penalty of {points} for {of}[ ({reason})]", shown=False)
class Penalty(Closed):
    """Points taken from a seat's total, by the table or by someone in charge."""

    do: Literal["penalty"] = "penalty"
    by: Maybe[Seat] = None
    of: Seat
    points: Points
    reason: Maybe[Word] = None


@kind("{by}  {tricks}", "claims: {tricks}", shown=False)
class Claim(Closed):
    """A seat ends the play by stating who takes how many of the tricks that are left."""

    do: Literal["claim"] = "claim"
    by: Seat
    tricks: Shares


@kind(
    "{of} {verdict} trick {trick} deal {of_deal} by {by}",
    "ruling on {of}[, trick {trick}][, deal {of_deal}]: {verdict}",
    noted=("by",),
    shown=False,
)
class Ruling(Closed):
    """What was ruled at the table about a seat's conduct."""

    do: Literal["ruling"] = "ruling"
    by: Maybe[Text] = None
    of: Seat
    trick: Maybe[Ordinal] = None
    of_deal: Maybe[Ordinal] = None
    verdict: Literal["upheld", "rejected", "undecided"]


@kind(
    "{by} to {to} into {into} from {of} count {count} seen {seen} {cards}",
    "[passes to {to}][lays into the {into}][takes from the {of}][: {cards}][ ({count:card})][ ({seen})]",
    secret=True,
    moves=True,
    since=LATEST,
)
class Exchange(Newer):
    """Cards leave a hand for another (`to`) or for those set aside (`into` a kitty, a widow), or come to it from there (`of`).

    Just one of the three is there. `count` says how many where the cards are not known, `seen` that everybody saw them.
    """

    do: Literal["exchange"] = "exchange"
    by: Seat
    to: Maybe[Seat] = None
    into: Maybe[Name] = None
    of: Maybe[Name] = None
    count: Maybe[Count] = None
    seen: Maybe[bool] = None
    cards: Maybe[Cards] = None


@kind("{by} for {what} {cards}", "shows {cards}[ ({what})]", since=LATEST)
class Show(Newer):
    """A seat lays cards of its hand open, which stay in it: a meld, or a hand that is faced."""

    do: Literal["show"] = "show"
    by: Seat
    what: Maybe[Word] = None
    cards: Cards


class _Known:
    """Any kind of event that is known when the record's class is made; in the schema the record's own."""

    @classmethod
    def __get_pydantic_core_schema__(cls, source: Any, handler: Any) -> Any:
        known = [each.model for each in KINDS.values()]
        return handler.generate_schema(Annotated[Union[tuple(known)], Field(discriminator="do")])  # noqa: UP007

    @classmethod
    def __get_pydantic_json_schema__(cls, schema: Any, handler: Any) -> Any:
        return handler({**schema, "choices": {do: each for do, each in schema["choices"].items() if do in OWN}})


Event = Annotated[
    Bid | Announce | Contract | Turn | Play | Withdraw | Accuse | Transfer | Penalty | Claim | Ruling | Exchange | Show, _Known
]

OWN = tuple(KINDS)


class Comment(Closed):
    """Free text by anyone, at a deal, and at an event of it (counted from 1)."""

    text: Text
    by: Maybe[Text] = None
    event: Maybe[Annotated[int, Field(ge=1, le=MAX_EVENTS)]] = None
    kind: Maybe[Literal["alert", "explanation"]] = Field(
        default=None, description="At a call: that it was alerted, or what it was said to mean", json_schema_extra=SINCE
    )


class SideClaims(Newer):
    """What was written down for a side: its tricks, points, and what these came to when compared with other tables."""

    tricks: Maybe[Count] = None
    score: Maybe[Points] = None
    imps: Maybe[Points | Decimal] = None
    matchpoints: Maybe[Points | Decimal] = None


class DealClaims(Closed):
    """What the scorekeeper wrote down for a deal: compared with the recomputation, never trusted."""

    trump: Maybe[Word] = None
    bids: Maybe[dict[Seat, BidValue]] = None
    winners: Maybe[Annotated[list[Seat], Field(max_length=256)]] = None
    tricks: Maybe[Shares] = None
    scores: Maybe[dict[Seat, Points]] = None
    totals: Maybe[dict[Seat, Points]] = None
    sides: Maybe[dict[Side, SideClaims]] = Field(
        default=None, description="Where partners take tricks and score together", json_schema_extra=SINCE
    )


class Deal(Closed):
    """One distribution of the cards and what was done with it."""

    number: Maybe[Ordinal] = Field(default=None, description="The deal's place in its game, from 1")
    board: Maybe[Ordinal] = Field(
        default=None, description="The board's number, which may set the dealer", json_schema_extra=SINCE
    )
    dealer: Maybe[Seat] = None
    vulnerable: Maybe[Side] = Field(
        default=None, description="none, all, or the side that is vulnerable", json_schema_extra=SINCE
    )
    leader: Maybe[Seat] = Field(default=None, description="Who leads to the first trick")
    cards: Maybe[Annotated[int, Field(ge=1, le=256)]] = Field(default=None, description="Cards in each hand")
    status: Literal["complete", "claimed", "stopped", "in_progress"] = "complete"
    pack: Maybe[Cards] = Field(default=None, description="The shuffled pack, in the order in which it was dealt")
    hands: Maybe[dict[Seat, Cards]] = Field(default=None, description="The hands as dealt; an absent seat's is not recorded")
    aside: Maybe[dict[Key, Cards]] = Field(default=None, description="Cards not dealt to a seat, by the game's name for them")
    events: Annotated[list[Event], Field(max_length=MAX_EVENTS)] = []
    claimed: Maybe[DealClaims] = None
    comments: Maybe[Annotated[list[Comment], Field(max_length=1000)]] = None


class Player(Closed):
    """A seat at the table and who sat there."""

    seat: Seat
    name: Maybe[Text] = None


class GameClaims(Closed):
    """What the scorekeeper wrote down for the whole game."""

    totals: Maybe[dict[Seat, Points]] = None
    winners: Maybe[list[Seat]] = None
    sides: Maybe[dict[Side, SideClaims]] = Field(default=None, json_schema_extra=SINCE)


class Provenance(Closed):
    """Where the record comes from."""

    source: Maybe[Text] = None
    kind: Maybe[Literal["server", "scoresheet", "memory", "photo", "archive", "generated", "other"]] = None
    recorder: Maybe[Text] = None
    date: Maybe[Annotated[str, Field(pattern=r"^[0-9]{4}(-[0-9][0-9](-[0-9][0-9])?)?$")]] = None
    tool: Maybe[Text] = None
    note: Maybe[Text] = None


class Record(Closed):
    """A recorded game, or deals out of one.

    The schema says what a record looks like. Whether the cards add up and the plays are legal, it cannot say: that is
    for the referee. `players` stand in clockwise order. `status` is "excerpt" for deals taken out of a longer game.
    """

    format: Literal["handrec"]
    version: Annotated[str, Field(pattern=r"^1\.[0-9]{1,3}$")]
    schema_: Maybe[Text] = Field(default=None, alias="$schema")
    id: Maybe[Text] = None
    game: Key
    options: dict[Key, Any] = {}
    players: Annotated[list[Player], Field(min_length=1, max_length=MAX_PLAYERS)]
    status: Literal["complete", "stopped", "in_progress", "excerpt"] = "complete"
    deals: Annotated[list[Deal], Field(max_length=MAX_DEALS)]
    claimed: Maybe[GameClaims] = None
    comments: Maybe[Annotated[list[Comment], Field(max_length=1000)]] = None
    provenance: Maybe[Provenance] = None
    extensions: dict[str, Any] = Field(default={}, description="Anything else; kept as it is, without meaning here")
