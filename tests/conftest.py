"""Options of the test suite, and the command line to be tested."""

from __future__ import annotations

import gc
import io
import os
import sys
from collections import defaultdict
from collections.abc import Iterator
from importlib.metadata import EntryPoint, EntryPoints
from pathlib import Path
from random import SystemRandom
from typing import Any

import pytest

from handrec import games, repair
from handrec.cli import mend, run
from tests import parts, repairing
from tests.commands import Handrec

#: The games that somebody outside the package has written, a file each.
TOYS = {f"toy{name.replace('_', '')}": f"tests.toy_{name}" for name in ("whist", "handover", "hearts", "oh_hell", "kitty")}

#: A script as users write it, which is there for a checker of types.
collect_ignore = ["typed/user.py"]


def pytest_addoption(parser: pytest.Parser) -> None:
    """`--update` writes down anew what fixtures are expected to say; long tests have parts; the fuzzer has a time and a seed."""
    parser.addoption("--update", action="store_true", help="write the expected output of fixtures anew")
    parser.addoption("--part", choices=parts.NAMES, metavar="NAME", help="a part of the long tests (-m long)")
    parser.addoption("--minutes", type=float, default=1, help="how long to fuzz (-m fuzz)")
    seed = os.environ.setdefault("FUZZ_SEED", str(SystemRandom().randrange(10**6)))  # workers are told it by this
    parser.addoption("--seed", default=seed, help="what to fuzz with; SEED:N the input N alone")


def pytest_configure(config: pytest.Config) -> None:
    """Who asks for a part asks for long tests, and for the figures that they print."""
    if config.getoption("part"):
        config.option.markexpr = "long"
        config.option.reportchars += "P"


def pytest_terminal_summary(terminalreporter: Any) -> None:
    """What the fuzzer did, also where all is well: the seed must be known."""
    for report in [*terminalreporter.getreports("passed"), *terminalreporter.getreports("failed")]:
        for line in [value for name, value in report.user_properties if name == "fuzz"]:
            terminalreporter.write_line(line)


@pytest.hookimpl(tryfirst=True)
def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    """Of a test marked `some(n)` n cases, spread evenly over all, run at once; the others are `long`.

    Of what is long `--part` keeps one part.
    """
    cases = defaultdict[Any, list[pytest.Item]](list)
    for item in items:
        if item.get_closest_marker("some") and not item.get_closest_marker("long"):
            cases[item.function if isinstance(item, pytest.Function) else item].append(item)
    for many in cases.values():
        (wanted,) = many[0].iter_markers("some")
        quick = min(wanted.args[0], len(many))
        chosen = {number * len(many) // quick for number in range(quick)}
        for number, item in enumerate(many):
            if number not in chosen:
                item.add_marker(pytest.mark.long)
    if part := config.getoption("part"):
        long = [item for item in items if item.get_closest_marker("long")]
        wanted = {item for item, other in zip(long, parts.parts_of([item.nodeid for item in long]), strict=True) if other == part}
        config.hook.pytest_deselected(items=[item for item in items if item not in wanted])
        items[:] = [item for item in items if item in wanted]


def pytest_collection_finish() -> None:
    """What is collected stays until the end: nothing of it need be looked through each time that memory is cleared."""
    gc.collect()
    gc.freeze()
    gc.set_threshold(200_000, 20, 100)


@pytest.fixture(autouse=True)
def repairs_are_watched(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> None:
    """No repair, offered or written by whichever test, leaves less to be checked than there was.

    But for the fuzzer's: of a trick that is not finished, the watch asks for more than repairs do.
    """
    if request.node.get_closest_marker("fuzz"):
        return
    monkeypatch.setattr(repair.mend, "repairs", repairing.repairs)
    monkeypatch.setattr(mend, "repairs", repairing.repairs)
    monkeypatch.setattr(mend, "spliced", repairing.watched_text(repair.spliced))


@pytest.fixture
def toys(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """The toy games are installed beside the package, as far as the package can see."""
    here = EntryPoints(EntryPoint(key, f"{module}:GAME", "handrec.games") for key, module in TOYS.items())
    monkeypatch.setattr(games, "_points", lambda: here)
    games.forget()
    yield
    monkeypatch.undo()
    games.forget()


@pytest.fixture
def handrec(capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Handrec:
    """Run the command line in an empty directory; returns exit code, standard output and standard error."""
    monkeypatch.chdir(tmp_path)
    for name in ("NO_COLOR", "FORCE_COLOR", "GITHUB_ACTIONS"):
        monkeypatch.delenv(name, raising=False)

    def call(*arguments: str, stdin: bytes | None = None) -> tuple[int, str, str]:
        with monkeypatch.context() as patch:
            if stdin is not None:
                patch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(stdin)))
            code = run([str(argument) for argument in arguments])
        said = capsys.readouterr()
        assert "Traceback" not in said.err
        return code, said.out, said.err

    return call
