"""How quick handrec is beside its rivals, as ratios measured in one run: `python tests/bench/bench.py`.

Contestants of a race run in turn, round after round, on the same deals; times are seconds of the processor. A rival is
timed only after it has come to what the referee comes to. Nothing is asserted about speed. Machines differ: compare
ratios within a table, and no figures across tables.
"""

from __future__ import annotations

import argparse
import multiprocessing
import os
import resource
import subprocess
import sys
import tempfile
from collections.abc import Callable, Iterator
from functools import partial
from pathlib import Path
from statistics import median
from time import perf_counter, process_time

from tabulate import tabulate

ROOT = Path(__file__).parents[2]
sys.path.insert(0, str(ROOT))

from tests.bench import contestants  # noqa: E402
from tests.bench.contestants import Field  # noqa: E402
from tests.bench.race import race, shown  # noqa: E402
from tests.planting import TABLES as PLANTED  # noqa: E402


def _faulty(key: str, many: int, folder: Path) -> Field:
    return contestants.faulty(key, many)


RACES: dict[str, tuple[str, Callable[[int, Path], Field]]] = {
    "bridge": ("bridge, card play, the same deals", lambda many, folder: contestants.same_deals("bridge", many * 10)),
    "spades": ("spades, card play, the same deals", lambda many, folder: contestants.same_deals("spades", many)),
    "hearts": ("hearts, card play, the same deals", lambda many, folder: contestants.same_deals("hearts", many)),
    "oh_hell": ("oh hell, card play, the same deals", lambda many, folder: contestants.same_deals("oh_hell", many)),
    **{f"faulty-{key}": (f"faulty deals of {key}", partial(_faulty, key)) for key in PLANTED},
    "reading": ("reading a record of one deal", contestants.reading),
    "end-to-end": ("from bytes to verdicts", lambda many, folder: contestants.end_to_end(many * 20, folder)),
    "proofs": ("what the table could know", lambda many, folder: contestants.proofs("kbabs", max(1, many // 4))),
}
#: How a file is judged, and how it is made.
WAYS: dict[str, tuple[Callable[[Path], int], Callable[[int], Iterator[bytes]]]] = {
    "JSONL, referee": (contestants.through_referee, contestants.lines_of),
    "JSONL, judge": (contestants.through_judge, contestants.lines_of),
    "Parquet, sieve": (contestants.through_archive, contestants.archive_of),
}
STARTS = {
    "handrec --help": ("-m", "handrec", "--help"),
    "import typer": ("-c", "import typer"),
    "handrec check, one record": ("-m", "handrec", "check", "fixtures/broken/kbabs/KB-5.2-REV001.handrec.json"),
    "import typer, pydantic": ("-c", "import typer, pydantic; pydantic.BaseModel"),
}


def starts(rounds: int, style: str) -> str:
    """Starting up, beside importing what it is built on: seconds on the clock.

    With compiled modules, as a package that was installed has them; the round that does not count compiles them.
    """
    taken: dict[str, list[float]] = {name: [] for name in STARTS}
    with tempfile.TemporaryDirectory() as folder:
        environment = {**os.environ, "PYTHONPYCACHEPREFIX": folder}
        environment.pop("PYTHONDONTWRITEBYTECODE", None)
        for _ in range(rounds + 1):
            for name, arguments in STARTS.items():
                before = perf_counter()
                command = [sys.executable, *arguments]
                subprocess.run(command, cwd=ROOT, env=environment, stdout=subprocess.DEVNULL, check=False)
                taken[name].append(perf_counter() - before)
    bare = median(taken["import typer"][1:])
    table = [[name, f"{median(some[1:]) * 1000:,.0f} ms", f"{median(some[1:]) / bare:.3g}"] for name, some in taken.items()]
    return tabulate(table, ["starting up", "median", "ratio"], tablefmt=style, disable_numparse=True) + "\n"


def child(way: str, path: Path, first: Path, many: int) -> tuple[float, int]:
    """Seconds of the processor a record, and the most memory used in KiB, of a process that judges a file of so many records."""
    code = f"from tests.bench.bench import alone; alone({way!r}, {str(path)!r}, {str(first)!r}, {many})"
    said = subprocess.run([sys.executable, "-c", code], cwd=ROOT, capture_output=True, text=True, check=True).stdout.split()
    return float(said[0]), int(said[1])


def alone(way: str, path: str, first: str, many: int) -> None:
    """Judge a file of so many records, and print what it took; another goes before it, so that all is imported."""
    judge, _ = WAYS[way]
    assert judge(Path(first)) == 0
    before = process_time()
    assert judge(Path(path)) == 0
    print((process_time() - before) / many, most_memory())


def most_memory() -> int:
    """The most memory that this process has used, in KiB. What `getrusage` says may be its parent's."""
    try:
        status = Path("/proc/self/status").read_text("ascii")
    except OSError:
        return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    return next(int(line.split()[1]) for line in status.splitlines() if line.startswith("VmHWM"))


def kept(many: int, style: str) -> str:
    """The share of clean complete records that the fast path keeps, by game, by the usual rules and under any options."""
    table = []
    for key in PLANTED:
        found = [contestants.kept(key, many, agreed) for agreed in (False, True)]
        table.append([key, *(f"{whole / clean:.1%} of {clean}" for whole, clean in found)])
    heads = ["kept by the fast path", "the usual rules", "any options"]
    return tabulate(table, heads, tablefmt=style, disable_numparse=True) + "\n"


def growth(most: int, style: str) -> str:
    """How time and memory grow with the number of records, each way in a process of its own, each file on disk."""
    sizes = [10**power for power in range(3, 8) if 10**power <= most]
    table = []
    with tempfile.TemporaryDirectory() as folder:
        for way, (_, make) in WAYS.items():
            found: list[tuple[float, int]] = []
            for size in sizes:
                path = Path(folder) / f"{make.__name__}{size}"
                if not path.exists():
                    with path.open("wb") as file:
                        file.writelines(make(size))
                found.append(child(way, path, Path(folder) / f"{make.__name__}{sizes[0]}", size))
            for size, (seconds, memory) in zip(sizes, found, strict=True):
                ratio = seconds / found[min(1, len(found) - 1)][0]
                table.append([way, f"{size:,}", f"{seconds * 1e6:,.0f} µs", f"{ratio:.3g}", f"{memory / 1024:,.0f} MiB"])
    heads = ["a file, to verdicts", "records", "time a record", "beside 10,000", "most memory"]
    return tabulate(table, heads, tablefmt=style, disable_numparse=True) + "\n"


def cores(many: int, rounds: int, style: str) -> str:
    """The same work in one process and in two: seconds on the clock."""
    table = []
    with tempfile.TemporaryDirectory() as folder, multiprocessing.get_context("spawn").Pool(2) as pool:
        for way, (judge, make) in WAYS.items():
            path = Path(folder) / make.__name__
            path.write_bytes(b"".join(make(many)))
            pool.map(judge, [path, path])
            one, two = [], []
            for _ in range(rounds):
                before = perf_counter()
                pool.apply(judge, (path,))
                pool.apply(judge, (path,))
                between = perf_counter()
                pool.map(judge, [path, path], chunksize=1)
                one.append(between - before)
                two.append(perf_counter() - between)
            gain = median(alone / together for alone, together in zip(one, two, strict=True))
            table.append([way, f"{gain:.3g}"])
    return tabulate(table, ["two processes beside one", "ratio"], tablefmt=style, disable_numparse=True) + "\n"


def tables(options: argparse.Namespace, style: str) -> Iterator[str]:
    """All tables asked for, as they come."""
    with tempfile.TemporaryDirectory() as folder:
        for key, (title, field) in RACES.items():
            if options.only in (None, key):
                runners, notes = field(options.deals, Path(folder))
                results = race(runners, options.rounds)
                yield shown(title, results, notes, style) if results else "\n".join(notes) + "\n"
    others: dict[str, Callable[[], str]] = {
        "kept": partial(kept, options.deals, style),
        "starts": partial(starts, options.rounds, style),
        "growth": partial(growth, options.most, style),
        "cores": partial(cores, options.deals * 5, options.rounds, style),
    }
    for key, other in others.items():
        if options.only in (None, key):
            yield other()


def main() -> None:
    """Read the arguments, and print one table after the other."""
    parser = argparse.ArgumentParser(description="handrec beside its rivals, in one run.")
    parser.add_argument("--deals", type=int, default=200, help="deals of a race (200)")
    parser.add_argument("--rounds", type=int, default=9, help="rounds of a race (9)")
    parser.add_argument("--most", type=int, default=10_000, help="the largest file of the growth table, up to 10000000 (10000)")
    parser.add_argument("--only", choices=[*RACES, "kept", "starts", "growth", "cores"], help="one table alone")
    parser.add_argument("--markdown", action="store_true", help="tables in Markdown")
    options = parser.parse_args()
    for table in tables(options, "github" if options.markdown else "simple"):
        print(table, flush=True)


if __name__ == "__main__":
    main()
