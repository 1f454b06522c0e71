"""Python's garbage collector, paused where very many records are held at a time: they have no cycles that it could free."""

from __future__ import annotations

import gc
from collections.abc import Iterator
from contextlib import contextmanager


@contextmanager
def paused() -> Iterator[None]:
    """No search for garbage meanwhile: with thousands of new records at hand, it would take as long as the work itself."""
    was = gc.isenabled()
    gc.disable()
    try:
        yield
    finally:
        if was:
            gc.enable()
