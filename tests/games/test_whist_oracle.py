"""Whist: games dealt here, with revokes or without, worked out once more by its rules in plain Python, and by no part of handrec.

As reckoned here: 52 cards, thirteen each; the dealer's last card is shown, its suit is trump. The dealer's left
leads. A card of the suit led is played if one is held. The highest trump wins, or else the highest card of the suit led; who wins
leads. A side scores a point for each trick above six; the side that first has five points has won. The deal passes to the left.
"""

from __future__ import annotations

from random import Random
from typing import Any

import pytest

from handrec import games
from handrec.record import Record
from handrec.referee import check, replay

WHIST = games.find("whist")
SEATS = "NESW"
RANKS = "23456789TJQKA"
Deal = dict[str, Any]


def played(chance: Random, number: int, dealer: int, careless: float) -> tuple[Deal, list[set[str]], list[int], list[str]]:
    """A deal: the record of it, what could be played at each turn, the places of revokes, and who won each trick."""
    pack = [rank + suit for rank in RANKS for suit in "SHDC"]
    chance.shuffle(pack)
    hands = {seat: pack[place * 13 : place * 13 + 13] for place, seat in enumerate(SEATS)}
    shown = chance.choice(hands[SEATS[dealer]])
    deal = {"number": number, "dealer": SEATS[dealer], "hands": {seat: [*held] for seat, held in hands.items()}}
    events: list[Any] = [{"do": "turn", "card": shown}]
    could, revokes, winners, leader = [], [], [], (dealer + 1) % 4
    for _ in range(13):
        trick: list[tuple[str, str]] = []
        for turn in range(4):
            seat = SEATS[(leader + turn) % 4]
            same = [card for card in hands[seat] if trick and card[1] == trick[0][1][1]]
            could.append({*(same or hands[seat])})
            card = chance.choice(hands[seat] if chance.random() < careless else same or hands[seat])
            if card not in could[-1]:
                revokes.append(len(events))
            hands[seat].remove(card)
            trick.append((seat, card))
            events.append({"do": "play", "by": seat, "card": card})
        best = max(trick, key=lambda each: (each[1][1] == shown[1], each[1][1] == trick[0][1][1], RANKS.index(each[1][0])))
        winners.append(best[0])
        leader = SEATS.index(best[0])
    return {**deal, "events": events}, could, revokes, winners


def game(seed: int) -> None:
    """A game from its first deal to the end, written down with its results: handrec says the same of every play and number."""
    chance = Random(seed)
    careless, target = chance.choice([0, 0, 0.02, 0.3]), chance.choice([5, 5, 7, 10])
    deals, legal, broken, points = [], [], [], {"NS": 0, "EW": 0}
    dealer = chance.randrange(4)
    while max(points.values()) < target:
        deal, could, revokes, winners = played(chance, len(deals) + 1, (dealer + len(deals)) % 4, careless)
        tricks = {side: sum(winner in side for winner in winners) for side in points}
        scores = {side: max(0, many - 6) for side, many in tricks.items()}
        points = {side: points[side] + scores[side] for side in points}
        sheet = {side: {"tricks": tricks[side], "score": scores[side]} for side in points}
        totals = {seat: points[side] for side in points for seat in side}
        deal["claimed"] = {"winners": winners, "sides": sheet, "totals": totals}
        legal.append(could)
        broken += [f"/deals/{len(deals)}/events/{place}/card" for place in revokes]
        deals.append(deal)
    data: Deal = {"format": "handrec", "version": "1.1", "game": "whist", "options": {"target": target} if target != 5 else {}}
    best = max(points, key=lambda side: points[side])
    claimed = {"totals": totals, "winners": [seat for seat in SEATS if seat in best]}
    data |= {"players": [{"seat": seat} for seat in SEATS], "status": "complete", "deals": deals, "claimed": claimed}
    record = Record.model_validate(data)
    verdict = check(record, games.find)
    assert [(finding.code, finding.pointer) for finding in verdict.findings] == [("REV001", place) for place in broken]
    assert WHIST is not None
    for table, could in zip(replay(record, WHIST, trace=True), legal, strict=True):
        assert [{*table.names(seen.legal)} for seen in table.trace or ()] == could
    statuses = {level.key: level.status for level in verdict.levels}
    assert statuses.pop("L4") == ("failed" if broken else "passed")
    assert {*statuses.values()} == {"passed"}
    wrong(chance, data, broken)


def wrong(chance: Random, data: Deal, broken: list[str]) -> None:
    """One number or winner of the sheet is another than it was: that, too, is found, and nothing else besides the revokes."""
    deal = chance.randrange(len(data["deals"]))
    claimed = data["deals"][deal]["claimed"]
    what = chance.choice(["winners", "tricks", "score"])
    if what == "winners":
        trick = chance.randrange(13)
        claimed["winners"][trick] = chance.choice([seat for seat in SEATS if seat != claimed["winners"][trick]])
        code, place = "TRK001", f"/deals/{deal}/claimed/winners/{trick}"
    else:
        side = chance.choice(["NS", "EW"])
        claimed["sides"][side][what] += chance.choice([1, 2])
        code, place = {"tricks": "TRK002", "score": "SCO001"}[what], f"/deals/{deal}/claimed/sides/{side}/{what}"
    verdict = check(Record.model_validate(data), games.find)
    due = [*(("REV001", revoke) for revoke in broken), (code, place)]
    if what == "tricks" and any(revoke.startswith(f"/deals/{deal}/") for revoke in broken):
        due.pop()  # tricks may have been moved for the revoke: nobody can tell, and that is said
        assert {level.key: level.status for level in verdict.levels}["L5"] == "not checkable"
    assert sorted((each.code, each.pointer) for each in verdict.findings if each.severity == "error") == sorted(due)


@pytest.mark.parametrize("many", [60, pytest.param(3000, marks=pytest.mark.long)])
def test_whole_games_with_and_without_revokes(many: int) -> None:
    for seed in range(many):
        game(seed)
