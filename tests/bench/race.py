"""How contestants are timed: all of them in turn, round after round, so that they meet the same weather; then ratios.

Seconds are those of the processor, of this process and of the processes that it started and that have ended.
"""

from __future__ import annotations

import gc
import os
import resource
import subprocess
import sys
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from statistics import median
from typing import Any, NamedTuple

from tabulate import tabulate

ROOT = Path(__file__).parents[2]

#: Does the work once, and returns the seconds that it took.
Run = Callable[[], float]


class Runner(NamedTuple):
    """A contestant: one run does `many` of a unit, in which there are so many `moves` (cards, calls, plies), if that is told."""

    name: str
    run: Run
    many: int
    unit: str = "deals"
    moves: int = 0


class Result(NamedTuple):
    """How a contestant did: the seconds of each round."""

    runner: Runner
    seconds: list[float]

    @property
    def rate(self) -> float:
        """So many a second, in the middle."""
        return self.runner.many / median(self.seconds)

    def beside(self, other: Result) -> float:
        """How many times as quick as another: the middle of the rounds' ratios."""
        pairs = zip(other.seconds, self.seconds, strict=True)
        return median(theirs / mine for theirs, mine in pairs) * self.runner.many / other.runner.many


def clock() -> float:
    """Seconds of the processor so far, of this process and of those that it has seen the end of."""
    used = [resource.getrusage(who) for who in (resource.RUSAGE_SELF, resource.RUSAGE_CHILDREN)]
    return sum(each.ru_utime + each.ru_stime for each in used)


def timed(work: Callable[[], object]) -> Run:
    """Do some work, and keep nothing of what it returns."""

    def run() -> float:
        before = clock()
        work()
        return clock() - before

    return run


def each(function: Callable[[Any], object], things: Sequence[Any]) -> Run:
    """Call a function for each thing."""

    def work() -> None:
        for thing in things:
            function(thing)

    return timed(work)


def environment(checkout: Path, folder: Path) -> dict[str, str]:
    """What a process is started with that has handrec from a checkout: its compiled modules stand in the folder."""
    kept = {name: value for name, value in os.environ.items() if name != "PYTHONDONTWRITEBYTECODE"}
    return kept | {"PYTHONPATH": str(checkout), "PYTHONPYCACHEPREFIX": str(folder / "compiled")}


def python(checkout: Path, folder: Path, *words: str) -> Callable[[], str]:
    """Run Python on some words in the folder; what it printed. To return 1, as commands do that found faults, is no failure."""
    command, known = [sys.executable, *words], environment(checkout, folder)

    def run() -> str:
        done = subprocess.run(command, cwd=folder, env=known, capture_output=True, text=True, check=False)
        if done.returncode not in (0, 1):
            raise ChildProcessError(f"{' '.join(words)}: {done.returncode}\n{done.stderr}")
        return done.stdout

    return run


@contextmanager
def kernel(checkout: Path, folder: Path, *words: str) -> Iterator[tuple[Run, int]]:
    """A process that has handrec from a checkout and does a part of `kernels.py` whenever asked; and how many one run does."""
    command = [sys.executable, str(Path(__file__).with_name("kernels.py")), str(checkout), *words]
    known = environment(checkout, folder)
    with subprocess.Popen(command, cwd=folder, env=known, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True) as process:
        asked, answers = process.stdin, process.stdout
        assert asked is not None
        assert answers is not None

        def answer() -> str:
            line = answers.readline()
            if not line:
                raise ChildProcessError(f"{' '.join(words)}: it ended")
            return line

        def run() -> float:
            asked.write("\n")
            asked.flush()
            return float(answer())

        yield run, int(answer())


def race(runners: Sequence[Runner], rounds: int) -> list[Result]:
    """Time every contestant once a round, after a round that does not count."""
    results = [Result(runner, []) for runner in runners]
    for runner in runners:
        runner.run()
    gc.collect()
    gc.freeze()
    for _ in range(rounds):
        for runner, seconds in results:
            seconds.append(runner.run())
    gc.unfreeze()
    return results


def table(heads: Sequence[str], rows: Sequence[Sequence[str]], style: str, notes: Sequence[str] = ()) -> str:
    """A table of text (`simple`) or of Markdown (`github`), numbers at the right, and notes under it."""
    sides = ["left" if column == 0 else "right" for column in range(len(heads))]
    body = tabulate(rows, heads, tablefmt=style, disable_numparse=True, colalign=sides if rows else None)
    return "\n".join([body, *(f"- {note}" if style == "github" else f"  {note}" for note in notes)]) + "\n"


def shown(title: str, results: Sequence[Result], style: str, notes: Sequence[str] = ()) -> str:
    """A race as a table: who, the rate in the middle and its range, moves a second, and the ratio to the first."""
    rows = []
    for result in results:
        runner, rates = result.runner, sorted(result.runner.many / seconds for seconds in result.seconds)
        moves = f"{result.rate * runner.moves / runner.many:,.0f}" if runner.moves else ""
        ratio = result.beside(results[0])
        rows.append([runner.name, *numbers(result.rate, rates[0], rates[-1]), runner.unit, moves, f"{ratio:.3g}"])
    return table([title, "a second", "least", "most", "of", "moves a second", "ratio"], rows, style, notes)


def numbers(*rates: float) -> list[str]:
    """Rates as they are printed."""
    return [f"{rate:,.0f}" for rate in rates]
