"""Whether columns say what the texts beside them say. Of deals that differ in cards and numbers alone, one is looked at."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import numpy as np
from pydantic import TypeAdapter

from handrec.archive.parts import Broken, Cut, Part, strict
from handrec.archive.records import plain_of
from handrec.record import BIG, Deal, DealClaims, Event, Play, Record
from handrec.sieve import Odd, Plain
from handrec.sieve.columns import NONE, NOTHING, Array

#: What both columns and texts tell of a deal.
TWICE = ("dealer", "turned", "contract", "declarer", "bids", "kinds", "blind", "guesses")

#: Parts of a text, and what stands for a play that columns tell.
EVENT: TypeAdapter[Any] = TypeAdapter(Event)
CLAIMS: TypeAdapter[DealClaims] = TypeAdapter(DealClaims)
PLAY = Play(card="??")

#: So many kinds of deals are remembered for each head.
MOST = 10_000


def doubtful(cut: Cut, passed: Array, bares: list[Record | None], which: Array) -> Iterator[int]:
    """The rows among those that pass of which columns and texts differ, or columns hold what no record can."""
    for part in cut.parts:
        rows = part.columns.record
        yield from rows[~_in_bounds(part)].tolist()
        spots = np.flatnonzero(passed[rows])
        if len(spots):
            yield from rows[spots[~_alike(part, spots)]].tolist()
    yield from _out_of_step(cut, passed, bares, which)


def _in_bounds(part: Part) -> Array:
    """(n,) bool: no number is one that a record cannot have."""
    columns, fine = part.columns, part.number <= 1_000_000
    for numbers in (columns.said_scores, part.said_totals):
        fine &= ((numbers >= -BIG) & (numbers <= BIG) | (numbers == NOTHING)).all(axis=1)
    for seats in (columns.said_winners, columns.leaders):
        unsaid = seats == NONE
        fine &= unsaid.all(axis=1) | ~unsaid.any(axis=1)
    return fine & ((columns.said_tricks >= -1) & (columns.said_tricks <= 1000)).all(axis=1)


def _alike(part: Part, spots: Array) -> Array:
    """(spots,) bool: columns and texts of the deal say the same."""
    rest, known = part.rest.dictionary_encode(), part.head.alike
    texts, kinds = rest.dictionary.to_pylist(), np.ascontiguousarray(_kinds(part)[spots])
    cells = np.concatenate([kinds, rest.indices.to_numpy()[spots, None].astype("<i4").view(np.uint8)], axis=1)
    lines = np.ascontiguousarray(cells).view(np.dtype((np.void, cells.shape[1]))).reshape(-1)
    _, first, number = np.unique(lines, return_index=True, return_inverse=True)
    codes = rest.indices.to_numpy()[spots[first]].tolist()
    keys = [(part.columns.shape.size, kinds[place].tobytes(), texts[code]) for place, code in zip(first, codes, strict=True)]
    plain, same = plain_of(part), np.zeros(len(keys), bool)
    for place, key in enumerate(keys):
        found = known.get(key)
        same[place] = _same(part, int(spots[first[place]]), key[2], plain) if found is None else found
    if len(known) > MOST:
        known.clear()
    known.update(zip(keys, same.tolist(), strict=True))
    return same[number.reshape(-1)]


def _kinds(part: Part) -> Array:
    """(n, …) bytes: what columns and texts both tell, and where cards lie aside that may be turned."""
    columns = part.columns
    told = [*(getattr(columns, name) for name in TWICE), *columns.facts.values(), part.aside]
    flat = [each.reshape(len(part), -1) for each in told]
    return np.concatenate([np.ascontiguousarray(each).view(np.uint8) for each in flat if each.size], axis=1)


def _same(part: Part, spot: int, text: str, plain: Plain) -> bool:
    """Whether what happens in a deal besides the plays, as its text has it, gives its columns."""
    columns = part.columns
    try:
        rest = value(text)
        bids = rest.get("claimed", {})
        if not rest.keys() <= {"events", "claimed", "cards"} or rest.get("cards", plain.shape.size) != plain.shape.size:
            return False
        if not bids.keys() <= {"bids"} or any(event["do"] == "play" for event in rest["events"] if type(event) is not int):
            return False  # plays that are told in full may be other ones than the columns have
        counts = [event for event in rest["events"] if type(event) is int]
        if min(counts, default=0) < 1 or sum(counts) != plain.shape.starts[-1]:
            return False
        events: list[Any] = []
        for event in rest["events"]:
            events += [PLAY] * event if type(event) is int else [EVENT.validate_python(event)]
        claimed = CLAIMS.validate_python(bids)
        dealer = plain.seats[columns.dealer[spot]] if columns.dealer[spot] >= 0 else None
        deal = Deal.model_construct(dealer=dealer, aside=_aside(part, spot), events=events, claimed=claimed)
        said = plain.said(deal)
    except (Broken, Odd, LookupError, TypeError, AttributeError, ValueError):
        return False
    told = {name: getattr(columns, name)[spot].tolist() for name in said if name != "facts"}
    return said == told | {"facts": {name: column[spot].tolist() for name, column in columns.facts.items()}}


def value(text: str) -> Any:
    """The value of a text: read strictly, but for one that comes out the same when it is written again."""
    try:
        import orjson

        found = orjson.loads(text)
        if orjson.dumps(found) == text.encode():
            return found
    except (ModuleNotFoundError, ValueError):
        pass
    return strict(text)


def _aside(part: Part, spot: int) -> dict[str, list[str]]:
    shape, found, start = part.columns.shape, {}, 0
    for name, many in shape.aside.items():
        there = part.aside[spot, start : start + many].tolist()
        start += many
        if many and there != [NONE] * many:
            found[name] = [shape.pack.cards[card] for card in there]
    return found


def _out_of_step(cut: Cut, passed: Array, bares: list[Record | None], which: Array) -> Iterator[int]:
    """The rows in which it is not as it should be which deals are the first, or follow one that is known."""
    excerpt = np.array([each is not None and each.status == "excerpt" for each in bares], bool)[which]
    chains: dict[int, list[tuple[int, int, bool, bool]]] = {}
    for number, part in enumerate(cut.parts):
        columns, rows = part.columns, part.columns.record
        first = (part.place == 0) & ~(excerpt[rows] & bool(part.head.game.carries))
        alone = cut.counts[rows] == 1
        yield from rows[passed[rows] & ((columns.first != first) | alone & (columns.past != first))].tolist()
        some = np.flatnonzero(passed[rows] & ~alone)
        told = (rows[some], part.place[some], first[some], columns.past[some])
        for row, place, begins, past in zip(*(each.tolist() for each in told), strict=True):
            chains.setdefault(row, []).append((place, number, begins, past))
    for row, chain in chains.items():
        before, known = -1, False
        for _, number, begins, past in sorted(chain):
            known = begins or (number == before and known)
            before = number
            if past != known:
                yield row
