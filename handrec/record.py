"""The record: one shape for every game, closed and versioned (format "handrec", version "1.0", and the draft of "1.1").

Three things are kept apart everywhere: a field that is *absent* was not recorded; `"??"` is a card that exists but was
not seen; an empty list says that there really were none. `null` is no value of any field.

Events are the truth, in the order in which they happened, each with its actor. Whatever follows from them (who won a
trick, how many, the score, the totals) may be recorded only under `claimed`, where it is compared and never trusted.

Version 1.1 is a draft until its schema is published; a record that uses nothing of it says 1.0. It has of a play: `trick`,
the number typed before a row of cards, which stands on the first play of the row and on no other, so that a play with
`trick` begins a row, whole or not; there too `unordered`, where the cards of the row stand by seats because it is not known
who led; and `marked`, what whoever wrote the card down noted about it, "revoke" or "lead" (out of turn). A mark is a remark
of the transcriber: nobody was accused at the table, and nobody ruled. None of these is a fact of play.

How each game is written
------------------------
*Killer Back Alley Bridge Substitute*: `turn` shows the card that makes trump (`"?H"` where only its suit is known);
`bid` is a number, `"board"` or `"rainbow"`; then `play`. `announce` with `what: "sips"` and a `count` is a drink,
`penalty` takes points from a total, `accuse` names a seat and a trick.

*Bastard family*: `bid` numbers; the cards set aside stand in `aside.widow` (W1 to W4) or `aside.stack` (B1 to B13), as
far as they are known, and `turn` says when each was faced: W1, W2, W3 after the bids, or one card of the stack before (or
in Back End after) the plays of each trick. The Bastard of Nuisance is the actor `"bastard"`: its card is a `play`.
A guess is `announce`, `what: "guess"`, with a `card`, or without one to decline.

*La Bâtarde*: each call is a `bid` such as `"3H"`, `"2AT"`, `"0NT"`, with the pack's mark where two are used: `"4Sm"`,
`"3NTs"`. A call that imposes and one that approves are told apart by what stood before. `announce` with
`what: "mechoune"` interrupts the auction, `what: "choune"` stands before the first card. Cards of two packs carry their
mark: `"DHm"`, `"RSs"`. A record without its auction states the result with `contract`.

*Three-player Spades*: `announce`, `what: "look"` says when a seat looked at its cards; `bid` is a number, with
`blind: true` if made before the look; a raise is a later `bid` by the same seat. `announce` with `what: "bemo"` or
`"big_bemo"` is the side bid. The dead hand stands in `aside.discard`. A renege is claimed with `accuse`, and books are
moved with `transfer`, at once or later, also in a later deal (`of_deal`).

*Three-player Bugami*: simultaneous bids are `bid` events in any order before the turnip is faced: `"H"`, `"Hx2"` (with
Doublets) or `"turnip"`; `turn` faces the turnip, which stands in `aside.turnip`.

*Contract bridge* (card play): `contract` by the declarer, such as `"4H"`, `"3NTx"`, or only the strain; dummy's cards are
played by dummy's seat. `claim` divides the tricks that were not played.
"""

# No `from __future__ import annotations`: pydantic would work out the type of each field from its text.
from collections.abc import Iterable, Iterator
from typing import TYPE_CHECKING, Annotated, Any, Generic, Literal, Optional, TypeVar

from pydantic import BaseModel, ConfigDict, Field

from handrec.cards import CARD_PATTERN

FORMAT = "handrec"
#: The last version that was published, and the one after it, which is not yet.
VERSION, DRAFT = "1.0", "1.1"

T = TypeVar("T")
if TYPE_CHECKING:
    Maybe = Optional[T]  # absent in the record is None in Python; a JSON null is refused
else:

    class Maybe(Generic[T]):
        """Keeps `None` out of the schema: at run time the field has its plain type and the default None."""

        def __class_getitem__(cls, item: Any) -> Any:
            return item


BIG = 1_000_000_000
MOST_EVENTS = 20_000

Seat = Annotated[str, Field(pattern=r"^[A-Za-z0-9_-]{1,16}$", description="A seat's short name, such as N or P3")]
Card = Annotated[str, Field(pattern=CARD_PATTERN, description="Rank and suit (AS, TD, BJ); ? where unseen (??, ?S, T?)")]
Word = Annotated[str, Field(pattern=r"^[A-Za-z0-9_+.-]{1,32}$")]
Text = Annotated[str, Field(max_length=1000)]
Key = Annotated[str, Field(pattern=r"^[A-Za-z_][A-Za-z0-9_]{0,63}$")]
Count = Annotated[int, Field(ge=0, le=1000)]
Ordinal = Annotated[int, Field(ge=1, le=1_000_000)]
Points = Annotated[int, Field(ge=-BIG, le=BIG)]
Cards = Annotated[list[Card], Field(max_length=256)]
BidValue = Annotated[int, Field(ge=-1000, le=1000)] | Word


#: Marks a field that `VERSION` does not have.
SINCE: dict[str, Any] = {"since": DRAFT}


class Closed(BaseModel):
    """A part of the record: no field but those named, no value of another type."""

    model_config = ConfigDict(extra="forbid", frozen=True, strict=True)


class Bid(Closed):
    """A bid or call. A later bid by the same seat is a raise or another call, where the game has them."""

    do: Literal["bid"] = "bid"
    by: Seat
    bid: BidValue
    blind: Maybe[bool] = None


class Announce(Closed):
    """Something said or done that is no bid: mechoune, choune, bemo, guess, look, sips."""

    do: Literal["announce"] = "announce"
    by: Seat
    what: Word
    card: Maybe[Card] = None
    count: Maybe[Count] = None


class Contract(Closed):
    """The outcome of an auction whose calls are not recorded."""

    do: Literal["contract"] = "contract"
    by: Maybe[Seat] = None
    bid: BidValue


class Turn(Closed):
    """A card set aside is turned face up."""

    do: Literal["turn"] = "turn"
    card: Card
    by: Maybe[Seat] = None


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


#: What was noted of a play, and is no fact of it.
NOTED = ("trick", "unordered", "marked")


class Withdraw(Closed):
    """The seat takes back the card it has just played to the trick, to play another."""

    do: Literal["withdraw"] = "withdraw"
    by: Seat
    card: Card


class Accuse(Closed):
    """A seat says that another did not play as it had to in a trick of this deal, or of an earlier one."""

    do: Literal["accuse"] = "accuse"
    by: Seat
    of: Seat
    trick: Maybe[Ordinal] = None
    of_deal: Maybe[Ordinal] = None


class Transfer(Closed):
    """Tricks change hands: `by` takes them from `of`, in this deal or for a renege of an earlier one."""

    do: Literal["transfer"] = "transfer"
    by: Seat
    of: Seat
    tricks: Count
    of_deal: Maybe[Ordinal] = None


class Penalty(Closed):
    """Points taken from a seat's total, by the table or by someone in charge."""

    do: Literal["penalty"] = "penalty"
    by: Maybe[Seat] = None
    of: Seat
    points: Points
    reason: Maybe[Word] = None


class Claim(Closed):
    """A seat ends the play by stating who takes how many of the tricks that are left."""

    do: Literal["claim"] = "claim"
    by: Seat
    tricks: dict[Seat, Count]


class Ruling(Closed):
    """What was ruled at the table about a seat's conduct."""

    do: Literal["ruling"] = "ruling"
    by: Maybe[Text] = None
    of: Seat
    trick: Maybe[Ordinal] = None
    of_deal: Maybe[Ordinal] = None
    verdict: Literal["upheld", "rejected", "undecided"]


Event = Annotated[
    Bid | Announce | Contract | Turn | Play | Withdraw | Accuse | Transfer | Penalty | Claim | Ruling,
    Field(discriminator="do"),
]


#: The fields of each kind of event that name a seat at the table; who made a ruling need not sit there.
SEATS: dict[type, tuple[str, ...]] = {
    kind: tuple(name for name in ("by", "of") if name in kind.model_fields and (kind, name) != (Ruling, "by"))
    for kind in (Bid, Announce, Contract, Turn, Play, Withdraw, Accuse, Transfer, Penalty, Claim, Ruling)
}


class Comment(Closed):
    """Free text by anyone, at a deal, and at an event of it (counted from 1)."""

    text: Text
    by: Maybe[Text] = None
    event: Maybe[Annotated[int, Field(ge=1, le=MOST_EVENTS)]] = None


class DealClaims(Closed):
    """What the scorekeeper wrote down for a deal: compared with the recomputation, never trusted."""

    trump: Maybe[Word] = None
    bids: Maybe[dict[Seat, BidValue]] = None
    winners: Maybe[Annotated[list[Seat], Field(max_length=256)]] = None
    tricks: Maybe[dict[Seat, Count]] = None
    scores: Maybe[dict[Seat, Points]] = None
    totals: Maybe[dict[Seat, Points]] = None


class Deal(Closed):
    """One distribution of the cards and what was done with it."""

    number: Maybe[Ordinal] = Field(default=None, description="The deal's place in its game, from 1")
    dealer: Maybe[Seat] = None
    leader: Maybe[Seat] = Field(default=None, description="Who leads to the first trick")
    cards: Maybe[Annotated[int, Field(ge=1, le=256)]] = Field(default=None, description="Cards in each hand")
    status: Literal["complete", "claimed", "stopped", "in_progress"] = "complete"
    pack: Maybe[Cards] = Field(default=None, description="The shuffled pack, in the order in which it was dealt")
    hands: Maybe[dict[Seat, Cards]] = Field(default=None, description="The hands as dealt; an absent seat's is not recorded")
    aside: Maybe[dict[Key, Cards]] = Field(default=None, description="Cards not dealt to a seat, by the game's name for them")
    events: Annotated[list[Event], Field(max_length=MOST_EVENTS)] = []
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
    players: Annotated[list[Player], Field(min_length=1, max_length=64)]
    status: Literal["complete", "stopped", "in_progress", "excerpt"] = "complete"
    deals: Annotated[list[Deal], Field(max_length=4096)]
    claimed: Maybe[GameClaims] = None
    comments: Maybe[Annotated[list[Comment], Field(max_length=1000)]] = None
    provenance: Maybe[Provenance] = None
    extensions: dict[str, Any] = Field(default={}, description="Anything else; kept as it is, without meaning here")


def drafted(deals: Iterable[Deal]) -> Iterator[str]:
    """The fields of some deals that only a version not yet published has, as JSON Pointers into the record."""
    # Of the three, only the last can be there and false: so any that is there makes the whole something else than None.
    for place, deal in enumerate(deals):
        for spot, event in enumerate(deal.events):
            if type(event) is Play and (event.trick or event.marked or event.unordered) is not None:
                yield from (f"/deals/{place}/events/{spot}/{field}" for field in NOTED if getattr(event, field) is not None)


def minor(version: str) -> int:
    """The second part of a version."""
    return int(version.partition(".")[2])


def version_of(deals: Iterable[Deal]) -> str:
    """The first version that has all fields of some deals."""
    return VERSION if next(drafted(deals), None) is None else DRAFT
