"""What runs the unit of work: processes of this machine, or the workers of a Dask cluster. None of them can be relied on."""

from __future__ import annotations

import logging
import multiprocessing
import os
import signal
import threading
from collections import deque
from collections.abc import Iterable, Iterator
from concurrent.futures import ProcessPoolExecutor
from concurrent.futures.process import BrokenProcessPool
from importlib import import_module
from typing import Any, Protocol

from handrec.audit.judge import judge, lost
from handrec.audit.pieces import Chunk
from handrec.audit.result import Result, merged

#: A piece over which the engine breaks is tried so often; it may not be its fault.
TRIES = 2


class Engine(Protocol):
    """Takes chunks and gives futures; it is `broken` by a worker that dies, and may then be renewed."""

    width: int
    broken: tuple[type[BaseException], ...]

    def submit(self, chunk: Chunk) -> Any:
        """The future of what comes of a chunk."""

    def renew(self) -> None:
        """Begin anew; futures that are not done are lost."""

    def close(self) -> None:
        """End it, whatever is still under way."""


class Local:
    """Processes of this machine, `jobs` of them."""

    broken: tuple[type[BaseException], ...] = (BrokenProcessPool,)

    def __init__(self, jobs: int, quick: bool = True) -> None:
        self.width, self.quick = jobs, quick
        self.pool = self._pool()

    def _pool(self) -> ProcessPoolExecutor:
        return ProcessPoolExecutor(self.width, multiprocessing.get_context("spawn"), _alone)

    def submit(self, chunk: Chunk) -> Any:
        """The future of what comes of a chunk; BrokenProcessPool if a process has died."""
        return self.pool.submit(judge, chunk, self.quick)

    def renew(self) -> None:
        """Begin with new processes."""
        self.close()
        self.pool = self._pool()

    def close(self) -> None:
        """End the processes, when what they have begun is done."""
        self.pool.shutdown(wait=True, cancel_futures=True)


def _alone() -> None:
    """In a worker: leave interruptions to the process that began it, and end when that one does."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    parent = multiprocessing.parent_process()
    assert parent is not None

    def wait() -> None:
        parent.join()
        os._exit(1)

    threading.Thread(target=wait, daemon=True).start()


class Dask:
    """The workers of a Dask cluster: that of the scheduler, or one of `jobs` workers on this machine. Needs distributed.

    OSError if the scheduler is not there, ModuleNotFoundError if Dask is not.
    """

    def __init__(self, scheduler: str | None, jobs: int, quick: bool = True) -> None:
        distributed: Any = import_module("distributed")
        logging.getLogger("distributed").setLevel(logging.CRITICAL)  # what becomes of workers is no news to the user
        self.cluster: Any = None
        if scheduler is None:
            self.cluster = distributed.LocalCluster(
                n_workers=jobs, threads_per_worker=1, dashboard_address=None, silence_logs=logging.CRITICAL
            )
        try:
            self.client = distributed.Client(self.cluster or scheduler, timeout=10)
        except ValueError as error:  # an address that is none
            raise OSError(str(error)) from None
        self.width, self.quick = max(jobs, len(self.client.ncores())), quick
        self.broken: tuple[type[BaseException], ...] = (distributed.KilledWorker,)

    def submit(self, chunk: Chunk) -> Any:
        """The future of what comes of a chunk, on any worker."""
        return self.client.submit(judge, chunk, self.quick, pure=False)

    def renew(self) -> None:
        """The cluster has done so already."""

    def close(self) -> None:
        """Leave the cluster; one that was started here ends."""
        self.client.close()
        if self.cluster:
            self.cluster.close()


def run(chunks: Iterable[Chunk], engine: Engine) -> Iterator[tuple[Chunk, Result]]:
    """Have all chunks judged, some at a time, and give what came of them in their order."""
    waiting: deque[tuple[Chunk, Any]] = deque()
    for chunk in chunks:
        waiting.append((chunk, _submitted(engine, chunk)))
        if len(waiting) > 2 * engine.width:
            yield _first(engine, waiting)
    while waiting:
        yield _first(engine, waiting)


def _submitted(engine: Engine, chunk: Chunk) -> Any:
    """The future of a chunk; None if the engine is broken, which will show when its turn comes."""
    try:
        return engine.submit(chunk)
    except engine.broken:
        return None


def _first(engine: Engine, waiting: deque[tuple[Chunk, Any]]) -> tuple[Chunk, Result]:
    """What came of the first chunk that waits. If a worker died, its pieces go one by one, and the others wait anew."""
    chunk, future = waiting.popleft()
    try:
        if future is not None:
            return chunk, future.result()
    except engine.broken:
        pass
    engine.renew()
    result = merged(_piece(engine, chunk._replace(pieces=(piece,))) for piece in chunk.pieces)
    for place, (other, old) in enumerate(waiting):
        done = old is not None and old.done() and not old.cancelled() and old.exception() is None
        waiting[place] = other, old if done else _submitted(engine, other)
    return chunk, result


def _piece(engine: Engine, chunk: Chunk) -> Result:
    """What comes of a chunk of one piece, also where no worker survives it: rows are halved until one alone is lost."""
    for _ in range(TRIES):
        try:
            result: Result = engine.submit(chunk).result()
            return result
        except engine.broken:
            engine.renew()
    (piece,) = chunk.pieces
    halves = [_piece(engine, chunk._replace(pieces=(half,))) for half in piece.halves]
    return merged(halves) if halves else lost(piece)
