"""The 1,000 deals of DDS's `list1000.txt`, which were really played: nothing is wrong with them, and what is put wrong is found.

The list is not part of the project; without it these tests are skipped. The oracle below shares no code with handrec.
"""

from __future__ import annotations

import random
from collections import Counter
from functools import cache
from itertools import chain, islice
from pathlib import Path

import pytest

from handrec.findings import Finding
from handrec.formats import dds
from handrec.games import find
from handrec.referee import check, replay

PATH = Path(__file__).parents[1].parent / "shared/data/dds_list1000.txt"
pytestmark = pytest.mark.skipif(not PATH.exists(), reason=f"the list of real deals is not at {PATH}")
COUNT = 1000
MUTANTS = 200  # of each kind and seed, each in a deal of its own

Deal = tuple[list[str], list[str]]  # the words of a PBN line, the cards of a PLAY line


# --- the oracle: strings and sets -----------------------------------------------------------------------------------


def oracle(deal: Deal) -> tuple[list[set[str]], list[int], int | None]:
    """What could be played each time, tricks by seat, and the first play that was illegal; after it nothing is told."""
    words, cards = deal
    text = " ".join(words[5:]).strip('"')
    hands: dict[int, set[str]] = {}
    for turn, hand in enumerate(text[2:].split()):
        hands[("NESW".index(text[0]) + turn) % 4] = {
            s + r for s, ranks in zip("SHDC", hand.split("."), strict=True) for r in ranks
        }
    trump, seat = "SHDC-"[int(words[3])], int(words[4])
    could, won, trick = [], [0] * 4, []
    for place, card in enumerate(cards):
        led = trick[0][1][0] if trick else ""
        could.append({c for c in hands[seat] if c[0] == led} or set(hands[seat]))
        if card not in could[-1]:
            return could, won, place
        hands[seat].remove(card)
        trick.append((seat, card))
        seat = (seat + 1) % 4
        if len(trick) == 4:
            suit = trump if any(c[0] == trump for _, c in trick) else trick[0][1][0]
            seat = max((p for p in trick if p[1][0] == suit), key=lambda p: "23456789TJQKA".index(p[1][1]))[0]
            won[seat] += 1
            trick = []
    return could, won, None


# --- the list -------------------------------------------------------------------------------------------------------


@cache
def lines() -> tuple[str, ...]:
    return tuple(PATH.read_text("ascii").splitlines())


def line(deal: int, kind: int) -> int:
    """Where a deal, from 0, has its PBN line (0), its PLAY line (5), its TRACE line (6)."""
    return 1 + 7 * deal + kind


def deal_of(text: list[str] | tuple[str, ...], deal: int) -> Deal:
    played = text[line(deal, 5)].split()[2].strip('"')
    return text[line(deal, 0)].split(), [played[i : i + 2] for i in range(0, len(played), 2)]


def put(text: list[str], deal: int, cards: list[str], counted: bool = True) -> None:
    """Another play list for a deal, with its count or with the old one."""
    count = len(cards) if counted else text[line(deal, 5)].split()[1]
    text[line(deal, 5)] = f'PLAY {count} "{"".join(cards)}" '


def judged(text: list[str]) -> dict[int, list[Finding]]:
    """For every deal in which anything is wrong, from 0, what it is, with its place."""
    found: dict[int, list[Finding]] = {}
    for deal, reading in enumerate(dds.read("\n".join(text).encode(), PATH.name)):
        verdict = check(reading.record, find) if reading.record else None
        findings = [*reading.findings, *(reading.placed(finding) for finding in (verdict.findings if verdict else ()))]
        if findings:
            found[deal] = findings
    return found


# --- nothing is wrong -----------------------------------------------------------------------------------------------


def test_every_deal_is_replayed_and_nothing_is_found() -> None:
    readings = list(dds.read("\n".join(lines()).encode(), PATH.name))
    assert len(readings) == COUNT
    levels: Counter[tuple[str, str]] = Counter()
    for reading in readings:
        assert reading.record
        verdict = check(reading.record, find)
        assert (reading.findings, verdict.findings) == ((), ())
        plays = [event for event in reading.record.deals[0].events if event.do == "play"]
        assert sum(len(trick.plays) for trick in verdict.deals[0].played) == len(plays) - len(plays) % 4
        levels.update((level.key, level.status) for level in verdict.levels)
    assert [levels[key, "passed"] for key in ("L0", "L1", "L2", "L3", "L4")] == [COUNT] * 5


@pytest.mark.parametrize(("many", "due"), [(200, (7871, 63)), pytest.param(COUNT, (37491, 270), marks=pytest.mark.long)])
def test_the_referee_agrees_with_the_oracle_and_with_the_solver(many: int, due: tuple[int, int]) -> None:
    game = find("bridge")
    assert game
    plays = whole = 0
    for deal, reading in enumerate(islice(dds.read("\n".join(lines()).encode(), PATH.name), many)):
        could, won, wrong = oracle(deal_of(lines(), deal))
        assert wrong is None
        assert reading.record
        [table] = replay(reading.record, game, trace=True)
        assert table.trace
        legal = [{card[1] + card[0] for card in table.names(mask)} for mask in (seen.legal for seen in table.trace)]
        assert legal == could
        plays += len(could)
        tricks = check(reading.record, find).deals[0].tricks
        assert (tricks is not None) == (len(could) == 52)
        if tricks:
            whole += 1
            assert list(tricks.values()) == won
            leader, trace = int(lines()[line(deal, 0)].split()[4]), lines()[line(deal, 6)].split()
            assert won[(leader + 1) % 4] + won[(leader + 3) % 4] == int(trace[-1])  # the declaring side's, at the end
    print(f"{plays} plays, {whole} deals played to the end")
    assert (plays, whole) == due


# --- what is put wrong is found -------------------------------------------------------------------------------------


def mutants(seed: int, at_least: int) -> tuple[random.Random, list[str]]:
    """A list of some of the deals with so many cards played, to be changed."""
    rng = random.Random(seed)
    deals = [deal for deal in range(COUNT) if len(deal_of(lines(), deal)[1]) >= at_least]
    chosen = (lines()[line(deal, 0) : line(deal + 1, 0)] for deal in rng.sample(deals, MUTANTS))
    return rng, [f"NUMBER {MUTANTS}", *chain.from_iterable(chosen)]


def agree(text: list[str]) -> tuple[int, Counter[int]]:
    """Exactly those deals of a list that are illegal by the oracle have findings, the first where the oracle has its first.

    How many of them stayed legal, and how many findings the others have.
    """
    found = judged(text)
    wrong = {deal: place for deal in range(MUTANTS) if (place := oracle(deal_of(text, deal))[2]) is not None}
    assert set(found) == set(wrong)
    for deal, place in wrong.items():
        first = min(((f.location.line, f.location.column) for f in found[deal] if f.location), default=None)
        played = line(deal, 5)
        assert first == (played + 1, text[played].index('"') + 2 + 2 * place), (deal, place, found[deal])
    return MUTANTS - len(wrong), Counter(len(findings) for findings in found.values())


@pytest.mark.some(1)
@pytest.mark.parametrize("seed", [0, pytest.param(1, marks=pytest.mark.long), pytest.param(2, marks=pytest.mark.long)])
def test_two_cards_swapped(seed: int) -> None:
    rng, text = mutants(seed, 4)
    for deal in range(MUTANTS):
        _, cards = deal_of(text, deal)
        one, other = rng.sample(range(len(cards)), 2)
        cards[one], cards[other] = cards[other], cards[one]
        put(text, deal, cards)
    legal, sizes = agree(text)
    print(f"{MUTANTS} swaps, {legal} legal by chance, the others found; findings: {sorted(sizes.items())}")
    assert legal < MUTANTS // 4


@pytest.mark.parametrize("seed", [0, pytest.param(1, marks=pytest.mark.long), pytest.param(2, marks=pytest.mark.long)])
def test_a_trick_rotated(seed: int) -> None:
    rng, text = mutants(seed, 4)
    for deal in range(MUTANTS):
        _, cards = deal_of(text, deal)
        start = 4 * rng.randrange(len(cards) // 4)
        cards[start : start + 4] = [*cards[start + 1 : start + 4], cards[start]]
        put(text, deal, cards)
    legal, sizes = agree(text)
    print(f"{MUTANTS} rotations, all found; findings: {sorted(sizes.items())}")
    assert legal == 0


@pytest.mark.parametrize("counted", [True, False])
@pytest.mark.parametrize("seed", [0, pytest.param(1, marks=pytest.mark.long), pytest.param(2, marks=pytest.mark.long)])
def test_a_play_list_cut_short(seed: int, counted: bool) -> None:
    rng, text = mutants(seed, 2)
    silent = set()
    for deal in range(MUTANTS):
        _, cards = deal_of(text, deal)
        kept = rng.randrange(len(cards)) if rng.random() < 0.5 else max(0, len(cards) - rng.randint(1, 6))
        put(text, deal, cards[:kept], counted)
        # The trace stops at 49 numbers: of the last trick it bears no witness, and a claim looks the same.
        if counted and kept >= 48:
            silent.add(deal)
    found = judged(text)
    assert set(found) == set(range(MUTANTS)) - silent
    assert {tuple(f.code for f in findings) for findings in found.values()} == {("FMT001",)}
    print(
        f"{MUTANTS} lists cut, {len(silent)} only in the last trick with the count adjusted, the others found, one finding each"
    )
