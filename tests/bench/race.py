"""How contestants are timed: all of them in turn, round after round, so that they meet the same weather; then ratios."""

from __future__ import annotations

import gc
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from statistics import median
from time import process_time

from tabulate import tabulate


@dataclass(frozen=True)
class Runner:
    """A contestant: one call does `many` of a unit. The first of a race is what others are compared with."""

    name: str
    run: Callable[[], object]
    many: int
    unit: str = "deals"


@dataclass(frozen=True)
class Result:
    """How a contestant did: seconds of processor time of each round."""

    runner: Runner
    seconds: tuple[float, ...]

    @property
    def rates(self) -> list[float]:
        """Deals a second, from slow to quick."""
        return sorted(self.runner.many / second for second in self.seconds)


def race(runners: Sequence[Runner], rounds: int) -> list[Result]:
    """Time every contestant once a round, and keep nothing of what they return."""
    for runner in runners:
        runner.run()
    gc.collect()
    gc.freeze()
    seconds: list[list[float]] = [[] for _ in runners]
    for _ in range(rounds):
        for runner, kept in zip(runners, seconds, strict=True):
            before = process_time()
            runner.run()
            kept.append(process_time() - before)
    gc.unfreeze()
    return [Result(runner, tuple(kept)) for runner, kept in zip(runners, seconds, strict=True)]


def rows(results: Sequence[Result]) -> list[list[str]]:
    """A line for each: name, median and range of deals a second, ratio to the first (median of the rounds' ratios)."""
    first = results[0]
    table = []
    for each in results:
        pairs = zip(first.seconds, each.seconds, strict=True)
        ratio = median(one / other * each.runner.many / first.runner.many for one, other in pairs)
        rate = f"{median(each.rates):,.0f}"
        table.append([each.runner.name, rate, f"{each.rates[0]:,.0f} - {each.rates[-1]:,.0f}", each.runner.unit, f"{ratio:.3g}"])
    return table


def shown(title: str, results: Sequence[Result], notes: Sequence[str], style: str) -> str:
    """A race as a table of text (`simple`) or of Markdown (`github`), and what could not take part."""
    heads = [title, "a second", "min - max", "of", "ratio"]
    body = tabulate(
        rows(results), heads, tablefmt=style, disable_numparse=True, colalign=("left", "right", "right", "left", "right")
    )
    return "\n".join([body, *(f"- {note}" if style == "github" else f"  {note}" for note in notes)]) + "\n"
