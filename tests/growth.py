"""What `handrec check` costs as an input grows: a table of dimensions, each with an input of size n, and how to measure one.

`steps` counts the lines of Python that are executed, and by which function: the same on every machine, whatever else it does.
What C does behind one line (looking through a list, parsing) it does not see; that is what `cost` is for, processor time and
memory of a fresh process. `python tests/growth.py [WORD ...]` prints the table.
"""

from __future__ import annotations

import contextlib
import io
import sys
from collections import Counter
from collections.abc import Callable, Iterator
from types import CodeType, FrameType
from typing import Any

Steps = Counter[CodeType]


@contextlib.contextmanager
def counted(steps: Steps) -> Iterator[None]:
    """Count the lines of Python that are executed meanwhile, by the code that they are of."""

    def line(frame: FrameType, event: str, _: Any) -> Callable[..., Any]:
        steps[frame.f_code] += 1
        return line

    before = sys.gettrace()
    sys.settrace(line)
    try:
        yield
    finally:
        sys.settrace(before)


def steps(arguments: list[str]) -> Steps:
    """The lines of Python that a command takes."""
    from handrec.cli import run

    found: Steps = Counter()
    with contextlib.redirect_stdout(io.StringIO()), contextlib.redirect_stderr(io.StringIO()), counted(found):
        run(arguments)
    return found
