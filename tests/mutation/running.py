"""Runs the tests against mutants, each in a child of a process in which all that is not handrec is loaded already."""

from __future__ import annotations

import os
import signal
import sys
import time
from importlib.abc import Loader, MetaPathFinder
from importlib.machinery import ModuleSpec, SourceFileLoader
from importlib.util import spec_from_file_location
from pathlib import Path
from types import CodeType
from typing import Any, Literal

Outcome = Literal["killed", "timeout", "survived", "not run"]

#: Tests of so many seconds, and no more than so many, are tried first; if all pass, then others up to the second number. It is
#: counted as they took while it was noted which lines they run, which makes them several times as slow.
FIRST, THEN, MANY = 8.0, 30.0, 400

#: So many times as long as the tests should take, and so many seconds more, a mutant may run.
LONGER, MORE = 5, 30

#: What pytest says when all tests have passed, and when there were none.
PASSED, NONE = 0, 5


class Unsound(RuntimeError):
    """A test fails although nothing is changed: what it says of mutants means nothing."""


class _Mutated(SourceFileLoader):
    """Loads a module from other source than its file's."""

    def __init__(self, name: str, path: str, source: bytes) -> None:
        super().__init__(name, path)
        self.source = source

    def get_code(self, fullname: str) -> CodeType:
        """The code of the mutant; nothing is kept of it on the disk."""
        return compile(self.source, self.path, "exec", dont_inherit=True)


class _Finder(MetaPathFinder):
    def __init__(self, name: str, path: Path, source: bytes) -> None:
        self.name, self.path, self.source = name, path, source

    def find_spec(self, name: str, path: Any, target: Any = None) -> ModuleSpec | None:
        """The mutant, if this is the module."""
        if name != self.name:
            return None
        loader: Loader = _Mutated(name, str(self.path), self.source)
        places = [str(self.path.parent)] if self.path.name == "__init__.py" else None
        return spec_from_file_location(name, self.path, loader=loader, submodule_search_locations=places)


def module_of(path: Path, root: Path) -> str:
    """The name under which a file is imported."""
    parts = path.relative_to(root).with_suffix("").parts
    return ".".join(parts[:-1] if parts[-1] == "__init__" else parts)


def load_all_else() -> None:
    """Import what the tests need that is not handrec."""
    import hypothesis.stateful
    import jsonpatch
    import jsonschema
    import numpy
    import pyarrow.parquet
    import pydantic
    import pytest
    import rfc8785
    import tabulate
    import typer.testing

    assert not any(name.split(".")[0] == "handrec" for name in sys.modules), "handrec is loaded before its mutant is"
    del hypothesis, jsonpatch, jsonschema, numpy, pyarrow, pydantic, pytest, rfc8785, tabulate, typer


#: Tests that are known to pass where nothing is changed.
_SOUND = set[str]()


def outcome(
    path: Path, root: Path, source: bytes, tests: list[str], seconds: dict[str, float], more: float = MORE, every: bool = False
) -> tuple[Outcome, int, str]:
    """What the tests, in this order, make of a mutant, how many of them were asked, and which one killed it.

    The first of them are asked, some ten seconds' worth, or `every` one. Raises Unsound if the test by which it is killed fails
    without it too.
    """
    told, spent = list[str](), 0.0
    batches = list[list[str]]()
    for test in tests if every else tests[:MANY]:
        spent += seconds.get(test, 1.0)
        if told and spent > (THEN if batches else FIRST):
            if batches and not every:
                break
            batches.append(told)
            told, spent = [], 0.0
        told.append(test)
    batches.append(told)
    asked = 0
    for batch in filter(None, batches):
        asked += len(batch)
        limit = LONGER * sum(seconds.get(test, 1.0) for test in batch) + more
        code, failed = _run(path, root, source, batch, limit)
        if code is None:
            return "timeout", asked, ""
        if code not in (PASSED, NONE):
            telling = failed if failed in batch else batch[0]
            if telling not in _SOUND and _run(path, root, path.read_bytes(), [telling], limit + THEN)[0] != PASSED:
                raise Unsound(telling)
            _SOUND.add(telling)
            return "killed", asked, telling
    return ("survived" if asked else "not run"), asked, ""


class _First:
    """Notes the first test that fails, as a plugin of pytest."""

    failed = ""

    def pytest_runtest_logreport(self, report: Any) -> None:
        """Note it."""
        if report.failed and not self.failed:
            self.failed = report.nodeid


def _run(path: Path, root: Path, source: bytes, tests: list[str], limit: float) -> tuple[int | None, str]:
    """The exit code of pytest in a child of its own, None if that had to be stopped, and the first test that failed."""
    reading, writing = os.pipe()
    child = os.fork()
    if not child:
        os.setsid()
        os.close(reading)
        sink = os.open(os.devnull, os.O_RDWR)
        for stream in (0, 1, 2):
            os.dup2(sink, stream)
        try:
            sys.meta_path.insert(0, _Finder(module_of(path, root), path, source))
            import pytest

            # Plain asserts: else pytest loads a file whose doctest it is to run by itself, as it lies on the disk, and no mutant.
            options = ["-x", "-q", "-n0", "--assert=plain", "-p", "no:cacheprovider", "-p", "no:randomly", "--no-header"]
            first = _First()
            code = pytest.main([*options, "-m", "", *tests], plugins=[first])
            os.write(writing, first.failed.encode()[:4096])
            os._exit(code)
        except BaseException:
            os._exit(70)
    os.close(writing)
    until = time.monotonic() + limit
    try:
        while time.monotonic() < until:
            done, status = os.waitpid(child, os.WNOHANG)
            if done:
                return os.waitstatus_to_exitcode(status), os.read(reading, 4096).decode()
            time.sleep(0.02)
        os.killpg(child, signal.SIGKILL)
        os.waitpid(child, 0)
        return None, ""
    finally:
        os.close(reading)
