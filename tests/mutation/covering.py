"""Which test runs which lines of handrec, and how long it takes; noted by `coverage` while the whole suite runs."""

from __future__ import annotations

import json
import os
import re
from collections import defaultdict
from collections.abc import Generator, Iterable
from functools import cache
from pathlib import Path
from typing import Any

import pytest

ROOT = Path(__file__).parents[2]


class Covering:
    """Notes for each test what it runs, as a plugin of pytest: `-p tests.mutation.covering`, its folder in HANDREC_COVERED."""

    def __init__(self, folder: Path) -> None:
        import coverage

        self.folder, self.seconds = folder, defaultdict[str, float](float)
        folder.mkdir(parents=True, exist_ok=True)
        self.coverage = coverage.Coverage(
            data_file=folder / f"lines.{os.getpid()}", source=[str(ROOT / "handrec")], config_file=False
        )
        self.coverage.start()

    @pytest.hookimpl(wrapper=True)
    def pytest_runtest_protocol(self, item: pytest.Item) -> Generator[None, Any, Any]:
        """Note under the test's name what runs until it is over."""
        self.coverage.switch_context(item.nodeid)
        result = yield
        self.coverage.switch_context("")
        return result

    @pytest.hookimpl(wrapper=True)
    def pytest_runtest_makereport(self, item: pytest.Item) -> Generator[None, pytest.TestReport, pytest.TestReport]:
        """Note how long it took, where it ran: the process that gives the tests to others only hears of it."""
        report = yield
        self.seconds[report.nodeid] += report.duration
        return report

    def pytest_unconfigure(self) -> None:
        """Write down what was noted."""
        self.coverage.stop()
        if not self.seconds:
            return  # in the process that gives the tests to others
        self.coverage.save()
        (self.folder / f"seconds.{os.getpid()}.json").write_text(json.dumps(self.seconds))


def pytest_configure(config: pytest.Config) -> None:
    """Where a folder is named, note what runs."""
    if "HANDREC_COVERED" in os.environ:
        config.pluginmanager.register(Covering(Path(os.environ["HANDREC_COVERED"])))


class Covered:
    """What was noted: the tests that run some lines of a file, the nearest first and of these the quickest."""

    def __init__(self, folder: Path) -> None:
        from coverage import CoverageData

        parts = [CoverageData(str(path)) for path in sorted(folder.glob("lines.*"))]
        assert parts, f"nothing is noted in {folder}: run `python -m tests.mutation cover` first"
        for part in parts:
            part.read()
        self.parts, self.lines = parts, dict[str, dict[int, set[str]]]()
        self.seconds = dict[str, float]()
        for path in folder.glob("seconds.*.json"):
            for test, seconds in json.loads(path.read_text()).items():
                self.seconds[test] = max(seconds, self.seconds.get(test, 0))

    def tests(self, path: Path, lines: Iterable[int]) -> list[str]:
        """The tests that run any of the lines; of what runs when the file is loaded, those that run anything of it."""
        name = str(path)
        if name not in self.lines:
            found = self.lines[name] = defaultdict(set)
            for part in self.parts:
                for line, tests in part.contexts_by_lineno(name).items():
                    found[line] |= {*tests} - {""}
        known = self.lines[name]
        tests = set().union(*(known.get(line, ()) for line in lines)) or set().union(*known.values())
        return sorted(tests & {*self.seconds}, key=lambda test: (_far(test.partition("::")[0], path), self.seconds[test], test))


@cache
def _far(test: str, path: Path) -> int:
    """How far a file of tests is from a file: 0 if it has its name or imports it, 1 if it imports its folder, else 2.

    What runs a line need not look at what it does: of `fast` every command runs all, and the referee judges what it gives up.
    """
    *folders, name = path.relative_to(ROOT).with_suffix("").parts
    if name == "__init__":  # the folder itself
        name = folders.pop()
    folder = ".".join(folders)
    text = (ROOT / test).read_text()
    if name in Path(test).stem.split("_") or re.search(rf"{folder}\.{name}\b|from {folder} import .*\b{name}\b", text):
        return 0
    return 1 if re.search(rf"{folder}\b", text) else 2
