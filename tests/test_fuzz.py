"""Nothing breaks it: what once did, through every command; a hunt for what still does; and that the hunt finds what is planted.

`pytest -m fuzz --minutes 60` hunts, on every core there is, with a seed that is printed at the end; `--seed S` replays it, and
`--seed S:N` the input of number N alone. What is found is written to a folder that the failure names, as small as it gets: put
it into `fixtures/hostile`, and mend what it breaks.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator, Sequence
from itertools import count
from pathlib import Path
from pkgutil import resolve_name
from random import Random
from time import process_time
from typing import Any

import pytest

from tests.fuzzing import CALLS, QUICK, SECONDS, SLOW, SLOWEST, Caught, Find, case, finds, hunt, workshop
from tests.sieving import Ways
from tests.spoiling import FIXTURES, Input

HOSTILE = sorted(path for path in (FIXTURES / "hostile").rglob("*") if path.is_file() and path.suffix != ".other")

#: Workers share the numbers of the inputs among them.
WORKER = int(os.environ.get("PYTEST_XDIST_WORKER", "gw0").removeprefix("gw"))
WORKERS = int(os.environ.get("PYTEST_XDIST_WORKER_COUNT", "1"))


@pytest.fixture
def ways() -> Iterator[Ways]:
    with workshop() as ways:
        yield ways


def broken_by(path: Path, ways: Ways, calls: Sequence[str]) -> list[Find]:
    """What a file breaks, alone and beside the one with which it broke something."""
    other = path.with_name(f"{path.name}.other")
    return [
        *finds(
            Input(_name(path), path.read_bytes(), None, other.read_bytes() if other.exists() else None), Random(0), ways, calls
        )
    ]


@pytest.mark.some(5)
@pytest.mark.parametrize("path", HOSTILE, ids=lambda path: path.name)
def test_what_once_broke_it_breaks_it_no_more(path: Path, ways: Ways) -> None:
    """Each is the smallest input of a find, and goes through all commands; those that search wait, if it did not break them."""
    assert broken_by(path, ways, tuple(CALLS) if path.parent.name == "searches" else QUICK) == []


@pytest.mark.long
@pytest.mark.parametrize("path", [path for path in HOSTILE if path.parent.name != "searches"], ids=lambda path: path.name)
def test_what_once_broke_it_breaks_no_search(path: Path, ways: Ways) -> None:
    """The same for the commands that search."""
    assert broken_by(path, ways, SLOW) == []


def _name(path: Path) -> str:
    """A file as the fuzzer calls it: only what tells the format stays of its name."""
    return "handrec.toml" if path.suffix == ".toml" else "a" + "".join(path.suffixes)


@pytest.mark.fuzz
@pytest.mark.parametrize("worker", range(WORKERS))
def test_nothing_breaks_it(worker: int, request: pytest.FixtureRequest, ways: Ways, record_property: Any) -> None:
    """Inputs of every kind, until the time is over."""
    seed, _, number = str(request.config.getoption("--seed")).partition(":")
    numbers = [int(number)] * (worker == 0) if number else count(worker, WORKERS)
    minutes = float(request.config.getoption("--minutes"))
    tries, caught = hunt(seed, numbers, minutes, ways)
    record_property("fuzz", f"seed {seed}: {tries:,} inputs in {minutes:g} minutes, {len(caught)} finds; {slowest()}")
    assert not caught, "\n".join([f"replay with --seed {seed}:NUMBER; inputs in {kept(seed, caught)}:", *map(told, caught)])
    assert tries


def slowest() -> str:
    """Which calls took longest, each with the number of the input, in words."""
    calls = sorted(SECONDS, key=SECONDS.__getitem__, reverse=True)[:3]
    return "longest were " + ", ".join(f"{call} ({SECONDS[call]:.1f} s, {SLOWEST[call]})" for call in calls)


def told(one: Caught) -> str:
    """A find in a line."""
    return f"{one.number}: {one.find.call}: {one.find.what}: {one.find.told}"


def kept(seed: str, caught: list[Caught]) -> Path:
    """The folder in which the inputs of what was found now lie."""
    folder = Path.cwd() / ".fuzz" / seed
    for one in caught:
        here = folder / str(one.number)
        here.mkdir(parents=True, exist_ok=True)
        (here / one.given.name).write_bytes(one.given.data)
        if one.given.other is not None:
            (here / f"b{one.given.name[1:]}").write_bytes(one.given.other)
    return folder


# --- the hunt finds what is planted -----------------------------------------------------------------------------------

Plant = Callable[[Any], Callable[..., Any]]


def raising(error: type[Exception], when: Callable[..., object]) -> Plant:
    """The function, but for an error on some arguments."""

    def planted(original: Any) -> Callable[..., Any]:
        def function(*given: Any) -> Any:
            if when(*given):
                raise error("planted")
            return original(*given)

        return function

    return planted


def looping(when: Callable[..., object]) -> Plant:
    """The function, but that it never ends on some arguments."""

    def planted(original: Any) -> Callable[..., Any]:
        def function(*given: Any) -> Any:
            while when(*given):
                pass
            return original(*given)

        return function

    return planted


def giving(change: Callable[[Any], Any]) -> Plant:
    """The function, but for what it gives."""
    return lambda original: lambda *given: change(original(*given))


#: Crashes, loops and false verdicts, each where a slip of ours could make it: what is replaced, and by what.
PLANTED: dict[str, tuple[str, Plant]] = {
    "an accusation of an earlier deal crashes": (
        "handrec.phases.conduct._accused",
        raising(IndexError, lambda *given: given[3].of_deal),
    ),
    "a bid below nothing cannot be typed": (
        "handrec.formats.hrt.writer._bid",
        raising(ValueError, lambda bid: isinstance(bid, int) and bid < 0),
    ),
    "a board without a number crashes": (
        "handrec.formats.pbn.games._board",
        raising(ValueError, lambda game: not game.value("Board").isdecimal()),
    ),
    "a stranger has no digest": (
        "handrec.writing.facts",
        raising(
            KeyError,
            lambda record, at: {e.by for e in record.deals[at].events if e.do == "bid"} - {p.seat for p in record.players},
        ),
    ),
    "many reasons are never condensed": ("handrec.report.checked.condensed", looping(lambda reasons: len(reasons) > 4)),
    "an open brace is never closed": ("handrec.formats.pbn.games._cut", looping(lambda text: text.count("{") > text.count("}"))),
    "strangers pass the fast path": ("handrec.fast._seated", giving(lambda seated: True)),
    "claims pass the sieve": ("handrec.sieve.sift._Sieve._compare", lambda original: lambda sieve: None),
    "claimed tricks are not compared": ("handrec.referee.scores._trick_counts", lambda original: lambda *given: None),
    "claimed winners are not compared": ("handrec.referee.scores._winners", lambda original: lambda *given: None),
}


@pytest.mark.long
@pytest.mark.parametrize("plant", PLANTED)
def test_what_is_planted_is_found(plant: str, request: pytest.FixtureRequest, ways: Ways) -> None:
    """Within ten minutes of processor time; and where it is not planted, the same input breaks nothing."""
    place, change = PLANTED[plant]
    module, _, name = place.rpartition(".")
    whose, started, seed = resolve_name(module), process_time(), request.config.getoption("--seed")
    for number in count():
        assert process_time() < started + 600, f"not found with seed {seed}"
        with pytest.MonkeyPatch.context() as patch:
            patch.setattr(whose, name, change(getattr(whose, name)))
            caught = next(case(seed, number, ways), None)
        if caught and caught.find.kind not in [other.find.kind for other in case(seed, number, ways)]:
            print(f"{plant}: after {process_time() - started:.0f} s and {number + 1} inputs, seed {seed}: {told(caught)[:150]}")
            return
