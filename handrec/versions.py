"""Which version of the record what it holds asks for."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from typing import Any, get_args

from handrec.record import FIRST, KINDS, LATEST, NOTED, Bid, Comment, Deal, Event, GameClaims, Play, Transfer, Withdraw

_OWN = frozenset(get_args(get_args(Event)[0]))
_FIRST = frozenset(each.model for each in KINDS.values() if each.since == FIRST)

#: What `FIRST` does not have in events of its kinds: where in the event, and whether it is there. Of plays, of which there are
#: so many, see below.
_NEWER: dict[type[Any], tuple[tuple[str, Callable[[Any], bool]], ...]] = {
    Bid: (("/bid", lambda event: event.bid == "?"),),
    Withdraw: (("/bid", lambda event: event.bid is not None), ("", lambda event: event.card is event.bid is None)),
    Transfer: (("/of_trick", lambda event: event.of_trick is not None),),
}


def newer(deals: Iterable[Deal], claimed: GameClaims | None = None, comments: Iterable[Comment] | None = None) -> Iterator[str]:
    """What only a version after the first has, as JSON Pointers into the record: fields, values and events."""
    # Of the three, only the last can be there and false: so any that is there makes the whole something else than None.
    for place, deal in enumerate(deals):
        yield from (f"/deals/{place}/{field}" for field in ("board", "vulnerable") if getattr(deal, field) is not None)
        if deal.claimed is not None and deal.claimed.sides is not None:
            yield f"/deals/{place}/claimed/sides"
        yield from (f"/deals/{place}{where}" for where in _kinds_of(deal.comments))
        for spot, event in enumerate(deal.events):
            if type(event) is Play:
                if (event.trick or event.marked or event.unordered) is not None:
                    yield from (f"/deals/{place}/events/{spot}/{field}" for field in NOTED if getattr(event, field) is not None)
            elif type(event) not in _FIRST:
                yield f"/deals/{place}/events/{spot}"
            elif type(event) in _NEWER:
                yield from (f"/deals/{place}/events/{spot}{where}" for where, there in _NEWER[type(event)] if there(event))
    if claimed is not None and claimed.sides is not None:
        yield "/claimed/sides"
    yield from _kinds_of(comments)


def _kinds_of(comments: Iterable[Comment] | None) -> Iterator[str]:
    return (f"/comments/{place}/kind" for place, each in enumerate(comments or ()) if each.kind is not None)


def brought(deals: Iterable[Deal]) -> Iterator[tuple[str, Any]]:
    """The events of kinds that are not the record's own, each with its JSON Pointer into the record."""
    for place, deal in enumerate(deals):
        if not _OWN.issuperset(map(type, deal.events)):
            yield from ((f"/deals/{place}/events/{at}", event) for at, event in enumerate(deal.events) if type(event) not in _OWN)


def minor(version: str) -> int:
    """The second part of a version."""
    return int(version.partition(".")[2])


def version_of(deals: Iterable[Deal], claimed: GameClaims | None = None, comments: Iterable[Comment] | None = None) -> str:
    """The first version that has all fields of some deals, of what is claimed of the game, and of comments on it."""
    return FIRST if next(newer(deals, claimed, comments), None) is None else LATEST
