"""How quick handrec is, as ratios measured in the same run: `python tests/bench/bench.py`. Nothing is asserted."""

from __future__ import annotations

import json
import subprocess
import sys
import tempfile
from collections.abc import Callable
from functools import partial
from pathlib import Path
from statistics import median
from time import perf_counter

ROOT = Path(__file__).parents[2]
sys.path.insert(0, str(ROOT))

from handrec import check, dumps, inference, loads  # noqa: E402
from handrec.cards import RANKS  # noqa: E402
from handrec.dealer import deal_game  # noqa: E402
from handrec.game import Game, compose  # noqa: E402
from handrec.games import find  # noqa: E402
from handrec.record import Record  # noqa: E402
from handrec.referee import replay  # noqa: E402

STARTS = 15  # runs of a process
ROUNDS = 7  # runs of a function
GAMES = {"kbabs": 12, "bridge": 40}
INFERRED = 10_000  # deals whose proofs are dated; another number can be given: bench.py 500


def start(*arguments: str) -> float:
    """Seconds that a Python process takes."""
    before = perf_counter()
    subprocess.run([sys.executable, *arguments], cwd=ROOT, stdout=subprocess.DEVNULL, check=True)
    return perf_counter() - before


def work(function: Callable[[], object]) -> float:
    """Seconds that a call takes."""
    before = perf_counter()
    function()
    return perf_counter() - before


def rivals(runs: int, ours: Callable[[], float], theirs: Callable[[], float]) -> tuple[float, float]:
    """The median seconds of two things, run in turn so that both meet the same weather."""
    ours(), theirs()
    pairs = [(ours(), theirs()) for _ in range(runs)]
    return median(pair[0] for pair in pairs), median(pair[1] for pair in pairs)


def plain_replay(record: Record) -> int:
    """The revokes of a record by the simplest referee there is: sets of cards, follow suit, highest trump or card led wins.

    Jokers count as trumps above the ace; they have no other rights here.
    """
    revokes = 0
    for deal in record.deals:
        hands = {seat: set(cards) for seat, cards in (deal.hands or {}).items()}
        turned = [event.card for event in deal.events if event.do == "turn"]
        contracts = [event.bid for event in deal.events if event.do == "contract"]
        trump = turned[0][1] if turned else str(contracts[0]).strip("1234567xX") if contracts else "NT"
        plays = [event for event in deal.events if event.do == "play"]
        for first in range(0, len(plays), len(hands)):
            best, led, rank = "", "", -1
            for play in plays[first : first + len(hands)]:
                card, hand = play.card, hands[play.by or ""]
                suit = trump if card[1] == "J" else card[1]
                led = led or suit
                revokes += suit != led and any((trump if other[1] == "J" else other[1]) == led for other in hand)
                hand.discard(card)
                height = 20 + "LB".index(card[0]) if card[1] == "J" else RANKS.index(card[0])
                height += 100 * (suit == trump) if suit in (led, trump) else -100
                if height > rank:
                    best, rank = play.by or "", height
            assert best
    return revokes


def starts() -> None:
    """Starting up, against importing what it is built on."""
    ours, theirs = rivals(STARTS, lambda: start("-m", "handrec", "--help"), lambda: start("-c", "import typer"))
    tell("handrec --help", ours, "import typer", theirs)
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "one.json"
        path.write_text(dumps(deal("bridge", 1)), "utf-8")
        both = "import typer, pydantic; pydantic.BaseModel"
        ours, theirs = rivals(STARTS, lambda: start("-m", "handrec", "check", str(path)), lambda: start("-c", both))
    tell("handrec check, one record", ours, "import typer, pydantic", theirs)


def deal(key: str, seed: int) -> Record:
    """A game from a seed."""
    game = find(key)
    assert game is not None
    return deal_game(game, 4, seed, numbers=[1, 2, 3, 4])


def referee(key: str, number: int) -> None:
    """Deals a second of the whole referee, against a replay that only follows suit."""
    records = [deal(key, seed) for seed in range(number)]
    deals = sum(len(record.deals) for record in records)
    assert all(check(record).ok for record in records)
    ours, theirs = rivals(
        ROUNDS, lambda: work(lambda: [*map(check, records)]), lambda: work(lambda: [*map(plain_replay, records)])
    )
    tell(f"referee, {key}: {deals / ours:,.0f} deals/s", ours, f"follow suit with sets: {deals / theirs:,.0f} deals/s", theirs)


def loading() -> None:
    """Strict loading, against a parser that accepts anything."""
    texts = [dumps(deal("bridge", seed)) for seed in range(GAMES["bridge"])]
    size = sum(map(len, texts)) / 1e6
    ours, theirs = rivals(ROUNDS, lambda: work(lambda: [*map(loads, texts)]), lambda: work(lambda: [*map(json.loads, texts)]))
    tell(f"strict loading: {size / ours:.1f} MB/s", ours, f"json.loads: {size / theirs:.1f} MB/s", theirs)


def inferring(key: str, number: int) -> None:
    """Every verdict of a deal without hands at every card, as an onlooker, against the referee's check of the same deals."""
    game = find(key)
    assert game is not None
    ours = theirs = 0.0
    for seed in range(number):
        record = without_hands(deal_game(game, 4, seed, numbers=[1]))
        theirs += work(partial(check, record))
        ours += work(partial(dated, game, record))
    tell(f"proofs, {key}: {ours / number * 1000:.1f} ms/deal, {number:,} deals", ours, "the referee on the same deals", theirs)


def dated(game: Game, record: Record) -> None:
    """All dates of a deal."""
    for table in replay(record, compose(game, record.options)[0], trace=True):
        inference.dates(inference.observed(table))


def without_hands(record: Record) -> Record:
    """The record as an onlooker could have made it."""
    deals = [deal.model_copy(update={"hands": None, "aside": None}) for deal in record.deals]
    return record.model_copy(update={"deals": deals})


def tell(name: str, ours: float, rival: str, theirs: float) -> None:
    """A line of the table."""
    print(f"{name:38} {ours * 1000:9.1f} ms  {rival:40} {theirs * 1000:9.1f} ms  {ours / theirs:7.2f}")


if __name__ == "__main__":
    print(f"{'handrec':38} {'median':>12}  {'rival':40} {'median':>12}  {'ratio':>7}")
    starts()
    for key, number in GAMES.items():
        referee(key, number)
    loading()
    inferring("kbabs", int(sys.argv[1]) if len(sys.argv) > 1 else INFERRED)
