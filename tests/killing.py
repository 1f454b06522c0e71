"""Commands that write, ended at every step they take on a disk.

By SIGKILL, a closed pipe, SIGTERM, Ctrl-C, or a full disk.

`python -m tests.killing` prints the table of kills; `--kills N` says how many of each command, `--how` by what. A server
process has all that a command needs loaded, and forks: the child takes its steps (creating, writing half of something and the
rest, bringing to the disk, naming, renaming, removing; instructions of SQLite) and ends at a step that it was told. What then
lies there is compared with what lay there before, and with what lies there when nothing happens; then the command is run again.
"""

from __future__ import annotations

import argparse
import errno
import gzip
import json
import os
import random
import shutil
import signal
import sqlite3
import sys
import tempfile
from collections.abc import Callable, Iterable, Iterator
from contextlib import closing, redirect_stderr, redirect_stdout
from io import StringIO
from pathlib import Path
from typing import IO, Any, NamedTuple

from handrec import audit, cli, writing
from handrec.dealing import deal_game
from handrec.games import find
from handrec.migrate import MIGRATIONS
from tests.auditing import Inline

#: What is counted as a step, of what Python tells before it does it; of those that open, only those to write.
STEPS = {"open", "os.link", "os.rename", "os.remove", "os.chmod", "os.truncate", "os.mkdir"}
#: Instructions of SQLite that are one step.
INSTRUCTIONS = 500

Files = dict[str, bytes]


class Command(NamedTuple):
    """A command that writes: what it is given, and whether what it appends to is a journal, which may lie there in part."""

    line: str
    files: Callable[[], Files]
    journal: str = ""
    links: bool = True

    @property
    def name(self) -> str:
        """What it is called in the table."""
        return self.line if self.links else f"{self.line} (no hard links)"


def record(seed: int, inject: str | None = None, deals: int = 2) -> Any:
    """Some deals of KBABS."""
    game = find("kbabs")
    assert game is not None
    return deal_game(game, 3, seed, numbers=list(range(1, deals + 1)), inject=inject)


def squeezed() -> Files:
    """Files that are not laid out."""
    return {f"{seed}.json": writing.line(record(seed)).encode() for seed in range(4)}


def faulty() -> Files:
    """Files in which scores are wrong."""
    one = {f"{seed}.json": writing.dumps(record(seed, "SCO001")).encode() for seed in range(3)}
    lines = "".join(writing.line(record(seed, "SCO001")) for seed in range(3))
    return {**one, "more.jsonl": lines.encode(), "notes.txt": b"mine"}


def mended() -> Files:
    """Files that were mended before, beside what they were, and have a wrong score again."""
    name = json.dumps({"handrec.fixes": []})
    texts = {f"{seed}.json": writing.dumps(record(seed, "SCO001")).rstrip()[:-1] for seed in range(3)}
    again = {file: f'{text.rstrip()},\n  "extensions": {name}\n}}\n'.encode() for file, text in texts.items()}
    return again | {f"{file}.orig": b"as it was" for file in texts}


def earlier() -> Files:
    """Files of a version before the first."""
    texts = {f"{seed}.json": writing.dumps(record(seed)) for seed in range(4)}
    return {name: text.replace('"version": "1.0"', '"version": "0.5"').encode() for name, text in texts.items()}


def archive() -> Files:
    """Some records, a few faulty, in several files."""
    return {f"{part}.jsonl": many(part) for part in range(3)} | {"notes.txt": b"mine"}


def many(part: int) -> bytes:
    """Some lines."""
    return "".join(writing.line(record(seed, "SCO001" if seed % 3 else None, 1)) for seed in range(part, part + 6)).encode()


def tables() -> Files:
    """Two versions of a record."""
    return {"a.json": writing.dumps(record(1, deals=1)).encode(), "b.json": writing.dumps(record(2, deals=1)).encode()}


COMMANDS = (
    Command("fmt .", squeezed),
    Command("check -q --fix .", faulty),
    Command("check -q --fix 0.json 1.json 2.json", mended),
    Command("migrate .", earlier),
    Command("check . -o report.txt", faulty),
    Command("check -q . --write-baseline known.json", faulty),
    Command("convert 0.jsonl 1.jsonl 2.jsonl -o all.jsonl.gz", archive),
    Command("convert 0.jsonl 1.jsonl -o all.parquet", archive),
    Command("convert 0.jsonl -o all.jsonl --report losses.json", archive),
    Command("score . -o scores.txt", faulty),
    Command("replay a.json -o a.txt", tables),
    Command("ruling a.json -o a.txt", tables),
    Command("infer a.json -o a.txt", tables),
    Command("view a.json -o a.html", tables),
    Command("diff a.json b.json --reconcile -o c.json", tables),
    Command("deal kbabs -n 3 --deals 1 -o new.jsonl", dict),
    Command("schema --write .", dict),
    Command("audit . --jobs 1 -o found.jsonl", archive),
    Command("audit . --jobs 1 -o found.parquet", archive),
    Command("audit . --jobs 1 --db found.sqlite", archive),
    Command("audit . --jobs 1 --resume state", archive, journal="state"),
    Command("audit . --jobs 1 --resume state --db found.sqlite -o found.html", archive, journal="state"),
    Command("check -q --fix .", faulty, links=False),
    Command("convert 0.jsonl 1.jsonl 2.jsonl -o all.jsonl.gz", archive, links=False),
    Command("audit . --jobs 1 --db found.sqlite", archive, links=False),
)


SIGNALS = {"kill": signal.SIGKILL, "pipe": signal.SIGPIPE, "term": signal.SIGTERM, "int": signal.SIGINT}

#: The exit codes that are right, by how a command ends: by a signal, or by itself.
CODES = {"kill": -signal.SIGKILL, "pipe": -signal.SIGPIPE, "term": 143, "int": 130, "full": 2}
#: Those that leave no time to tidy up, which is left to the next run.
SUDDEN = ("kill", "pipe")


# --- in the child ------------------------------------------------------------------------------------------------------


class Steps:
    """Counts steps, and ends the process, in its way, before one of them."""

    def __init__(self, last: int, how: str) -> None:
        self.count, self.last, self.how = 0, last, how

    def __call__(self, inside: bool = False) -> None:
        """A step; `inside` of SQLite only death can come."""
        if inside and self.how != "kill":
            return
        self.count += 1
        if self.count == self.last:
            self.end()

    def end(self) -> None:
        """What happens."""
        if self.how == "full":
            raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))
        os.kill(os.getpid(), SIGNALS[self.how])

    def hook(self, event: str, given: tuple[Any, ...]) -> None:
        """Is told what Python is about to do."""
        if event not in STEPS or (event == "open" and not (given[2] or 0) & (os.O_WRONLY | os.O_RDWR)):
            return
        if event == "os.remove" and self.how not in SUDDEN:  # taking away its own is how it ends well
            return
        if not str(given[0]).startswith("/dev/"):
            self()

    def torn(self, file: IO[Any]) -> Any:
        """A file that is written in halves."""
        real = file.write

        def write(data: Any) -> int:
            self()
            real(data[: len(data) // 2])
            file.flush()
            self()
            real(data[len(data) // 2 :])
            file.flush()
            return len(data)

        return Torn(file, write)

    def install(self, links: bool) -> None:
        """From now on steps are counted."""
        opened, fdopened, fsync, connect = Path.open, os.fdopen, os.fsync, sqlite3.connect

        def open_path(path: Path, mode: str = "r", *given: Any, **named: Any) -> Any:
            file = opened(path, mode, *given, **named)
            return self.torn(file) if "w" in mode else file

        def open_handle(handle: int, mode: str = "r", *given: Any, **named: Any) -> Any:
            file = fdopened(handle, mode, *given, **named)
            return self.torn(file) if "+" in mode else file

        def sync(handle: int) -> None:
            self()
            fsync(handle)

        def connected(*given: Any, **named: Any) -> sqlite3.Connection:
            base = connect(*given, **named)
            base.set_progress_handler(lambda: self(inside=True), INSTRUCTIONS)
            return base

        def no_link(*given: Any) -> None:
            raise PermissionError(errno.EPERM, os.strerror(errno.EPERM))

        Path.open, os.fdopen, os.fsync, sqlite3.connect = open_path, open_handle, sync, connected  # type: ignore
        if not links:
            Path.hardlink_to = no_link  # type: ignore
        sys.addaudithook(self.hook)


class Torn:
    """A file with another way to write."""

    def __init__(self, file: IO[Any], write: Callable[[Any], int]) -> None:
        self.file, self.write = file, write

    def __getattr__(self, name: str) -> Any:
        return getattr(self.file, name)

    def __enter__(self) -> Torn:
        return self

    def __exit__(self, *given: object) -> None:
        self.file.close()

    def __iter__(self) -> Iterator[Any]:
        return iter(self.file)


class Ended(NamedTuple):
    """How a run ended: the exit code, or minus the signal; what it said on standard error; how many steps it took."""

    code: int
    said: str
    steps: int


def started(command: Command, folder: Path, last: int = 0, how: str = "kill") -> Ended:
    """Run a command in a folder, by a process that takes no step after the last."""
    with tempfile.TemporaryFile() as said, tempfile.TemporaryFile() as out, tempfile.TemporaryFile() as counted:
        child = os.fork()
        if not child:
            code = 99
            try:
                os.dup2(out.fileno(), 1)
                os.dup2(said.fileno(), 2)
                os.chdir(folder)
                sys.stdout, sys.stderr = os.fdopen(1, "w"), os.fdopen(2, "w")
                sys.argv = ["handrec", *command.line.split()]
                signal.signal(signal.SIGINT, signal.default_int_handler)  # who runs the tests may have had it ignored
                writing.sweep.cache_clear()
                steps = Steps(last, how)
                steps.install(command.links)
                try:
                    cli.main()
                except SystemExit as end:
                    code = int(end.code or 0)
                steps.how = ""
                sys.stderr.flush()
                os.write(counted.fileno(), str(steps.count).encode())
            finally:
                os._exit(code)
        _, status = os.waitpid(child, 0)
        for file in (said, counted):
            file.seek(0)
        return Ended(os.waitstatus_to_exitcode(status), said.read().decode(), int(counted.read() or 0))


# --- in the server -----------------------------------------------------------------------------------------------------


def contents(folder: Path) -> Files:
    """What lies in a folder, by name: bytes; of what is packed or a database, what it says."""
    return {path.name: told(path) for path in folder.iterdir()}


def told(path: Path) -> bytes:
    """What a file says."""
    data = path.read_bytes()
    if path.suffix == ".sqlite" and data:
        with closing(sqlite3.connect(path)) as base:
            return "\n".join(base.iterdump()).encode()
    return gzip.decompress(data) if path.suffix == ".gz" and data else data


class Kills(NamedTuple):
    """What came of ending a command at some steps: of how many there are, at how many, and what was wrong with it."""

    steps: int
    kills: int
    wrong: list[str]


def ended(command: Command, kills: int, how: str = "kill", seed: int = 0) -> Kills:
    """End a command at so many of its steps, at different ones as long as there are some, and look what is lost."""
    with tempfile.TemporaryDirectory() as name:
        root = Path(name)
        before = command.files()
        whole = fresh(root / "whole", before)
        ended_well = started(command, whole, 0, how)
        after = contents(whole)
        steps = ended_well.steps
        wrong = [f"steps: {ended_well}"] if steps < 1 or ended_well.code not in (0, 1) or "Traceback" in ended_well.said else []
        points = [
            point for _ in range(-(-kills // max(1, steps))) for point in random.Random(seed).sample(range(1, steps + 1), steps)
        ]
        for point in points[:kills]:
            shutil.rmtree(root / "killed", ignore_errors=True)
            folder = fresh(root / "killed", before)
            end = started(command, folder, point, how)
            differ = {name for name, _ in contents(folder).items() ^ after.items()} - {command.journal}
            if how in ("full", "pipe") and end.code == ended_well.code and not differ:
                continue  # it found another way, as where a hard link is refused, or pipes are of no concern
            what = [*what_is_wrong(command, before, after, folder, end, how)]
            if end.code not in (0, 1) and not what:
                again = started(command, folder)
                what = [*what_is_left(command, after, folder, again, ended_well)]
            wrong += [f"{how} at step {point} of {steps}: {each}" for each in what]
        return Kills(steps, min(kills, len(points)), wrong)


def fresh(folder: Path, files: Files) -> Path:
    """A folder with these files."""
    folder.mkdir()
    for name, data in files.items():
        (folder / name).write_bytes(data)
    return folder


def what_is_wrong(command: Command, before: Files, after: Files, folder: Path, end: Ended, how: str) -> Iterator[str]:
    """What is not as it should be when a command was ended."""
    if end.code != CODES[how]:
        yield f"it ended with {end.code}: {end.said[-300:]}"
    if "Traceback" in end.said:
        yield f"it said {end.said[-300:]}"
    if how == "full" and "no space left on device" not in end.said:
        yield f"it did not say why: {end.said[-300:]}"
    scraps = [path.name for path in folder.iterdir() if path.name.startswith(writing.TEMPORARY)]
    if how not in SUDDEN and scraps:
        yield f"it left {scraps}"
    found = {name: data for name, data in contents(folder).items() if name not in scraps}
    for name, data in before.items():
        if found.get(name) not in (data, after.get(name)):
            yield f"{name} is neither what it was nor what it was to be"
        if not command.line.startswith("fmt") and data not in found.values():
            yield f"what was in {name} is lost"
    for name, data in found.items():
        kept = name not in before and data in before.values() and name in after
        taken = how in SUDDEN and not command.links and not data
        if name not in before and name != command.journal and data != after.get(name) and not kept and not taken:
            yield f"{name} is there, and not whole"


def what_is_left(command: Command, after: Files, folder: Path, again: Ended, well: Ended) -> Iterator[str]:
    """What is not as it should be when it was run again."""
    found = contents(folder)
    if (
        "Traceback" in again.said
        or again.code not in (well.code, 0, 2)
        or (again.code == 2 and "exists already" not in again.said)
    ):
        yield f"run again, it ended with {again.code}: {again.said[-300:]}"
    missing = {*after} - {*found} if again.code != 2 else set()
    if strange := {*found} - {*after}:
        yield f"run again, it left {strange}"
    if missing:
        yield f"run again, it did not write {missing}"
    for name, data in found.items():
        if name != command.journal and name in after and data != after[name]:
            yield f"run again, it wrote something else to {name}"


def ready(commands: Iterable[Command]) -> None:
    """Load what commands need, so that each child has it: each is run once, without being ended."""
    audit.Local = Inline  # type: ignore
    MIGRATIONS["0.5"] = lambda data: {**data, "version": "1.0"}
    here = Path.cwd()
    for command in commands:
        with tempfile.TemporaryDirectory() as folder, redirect_stdout(StringIO()), redirect_stderr(StringIO()):
            os.chdir(folder)
            fresh(Path(folder) / "inside", command.files())
            os.chdir("inside")
            try:
                cli.run(command.line.split())
            finally:
                os.chdir(here)


def main(given: list[str] | None = None) -> int:
    """Print what came of each command; returns 1 if something was lost."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--kills", type=int, default=50)
    parser.add_argument("--how", choices=[*CODES], nargs="*", default=["kill"])
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--only", nargs="*", default=[""], help="commands whose names end so")
    parser.add_argument("--json", action="store_true")
    asked = parser.parse_args(given)
    commands = [each for each in COMMANDS if each.name.endswith(tuple(asked.only))]
    ready(commands)
    results = []
    for how in asked.how:
        for command in commands:
            came = ended(command, asked.kills, how, asked.seed)
            results.append({"command": command.name, "how": how, **came._asdict()})
            if not asked.json:
                print(f"| `{command.name}` | {how} | {came.steps} | {came.kills} | {len(came.wrong)} |", flush=True)
                for each in came.wrong:
                    print(f"    {each}")
    if asked.json:
        print(json.dumps(results))
    return int(any(result["wrong"] for result in results))


if __name__ == "__main__":
    sys.exit(main())
