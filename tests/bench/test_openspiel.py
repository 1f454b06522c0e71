"""OpenSpiel and handrec agree: on every card that may be played, on the first that may not, and on who takes each trick."""

from __future__ import annotations

import re
from random import Random

import pytest

from handrec.findings import Finding
from handrec.game import compose
from handrec.record import Record
from handrec.referee import check, replay
from tests.bench.spiel import Likeness, Played, likenesses, played

pyspiel = pytest.importorskip("pyspiel", reason="OpenSpiel is not installed: pip install 'handrec[bench]'")

DEALS = 60


def faults(record: Record, like: Likeness) -> list[Finding]:
    """What the referee finds in a record."""
    return list(check(record, lambda key: like.game).findings)


@pytest.mark.some(2)
@pytest.mark.parametrize("name", likenesses())
def test_every_play_and_every_trick(name: str) -> None:
    """What OpenSpiel played is legal; the same cards could be played at each turn; the same seats took the tricks."""
    like = likenesses()[name]
    for seed in range(DEALS):
        deal = played(like, seed)
        record = deal.record()
        assert faults(record, like) == []
        (table,) = replay(record, compose(like.game, {})[0], trace=True)
        assert table.trace is not None
        assert [set(table.pack.names(seen.legal)) for seen in table.trace] == [set(legal) for legal in deal.legal]
        winners = [trick.winner for trick in table.tricks]
        assert winners[:-1] == [seat for seat, _ in deal.plays[4::4]]
        last = {"bridge": re.findall(r"Won by (\w)", deal.told)}.get(name)
        assert last is None or winners == last


@pytest.mark.some(2)
@pytest.mark.parametrize("name", likenesses())
def test_the_first_illegal_play(name: str) -> None:
    """A card that OpenSpiel refuses is the one fault, where it was played; one that nobody else held included."""
    like, refused = likenesses()[name], 0
    for seed in range(DEALS * 2):
        deal, rng = played(like, seed), Random(seed)
        wrong = _wrong(deal, rng)
        if wrong is None:
            continue
        place, card = wrong
        seat = deal.plays[place][0]
        found = faults(deal.record([*deal.plays[:place], (seat, card)]), like)
        assert [(fault.pointer, fault.seat) for fault in found] == [(f"/deals/0/events/{place + 1}/card", seat)]
        assert found[0].code in {"REV001", "REV005", "PLY001"}
        assert not _accepts(deal, place, card)
        refused += 1
    assert refused > DEALS


def _wrong(deal: Played, rng: Random) -> tuple[int, str] | None:
    """A play that OpenSpiel does not allow: of the seat's own cards, or of another's."""
    places = list(range(len(deal.plays)))
    rng.shuffle(places)
    anybodys = rng.random() < 0.3
    for place in places:
        seat = deal.plays[place][0]
        held = [card for other, card in deal.plays[place:] if other == seat or anybodys]
        wrong = [card for card in held if card not in deal.legal[place]]
        if wrong:
            return place, rng.choice(wrong)
    return None


def _accepts(deal: Played, place: int, card: str) -> bool:
    """Whether OpenSpiel takes a card at a place."""
    state = deal.before.clone()
    for action in deal.actions[:place]:
        state.apply_action_with_legality_check(action)
    number = deal.actions[[card for _, card in deal.plays].index(card)]
    try:
        state.apply_action_with_legality_check(number)
    except pyspiel.SpielError:
        return False
    return True
