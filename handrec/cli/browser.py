"""A command carried out for the page in a browser: on one file, which is put where nothing else is, and what came of it."""

from __future__ import annotations

import re
import shlex
import tempfile
from contextlib import chdir, redirect_stderr, redirect_stdout
from io import BytesIO, TextIOWrapper
from pathlib import Path

from handrec.cli import run

#: The most bytes of a file's name: what every file system allows, with something to spare for names made of it.
LONGEST = 200


#: The exit code, what was printed, what was complained of, and the files that were written.
Outcome = tuple[int, bytes, bytes, list[tuple[str, bytes]]]


def carried_out(command: str, options: str, name: str, data: bytes | memoryview) -> Outcome:
    """Carry out a command with options, words as in a shell, on a file of this name, which stands last."""
    out, err = (TextIOWrapper(BytesIO(), encoding="utf-8", errors="backslashreplace", newline="") for _ in range(2))
    given, called = bytes(data), _called(name)
    with tempfile.TemporaryDirectory() as folder, chdir(folder), redirect_stdout(out), redirect_stderr(err):
        Path(called).write_bytes(given)
        try:
            code = run([*shlex.split(command), *shlex.split(options), called])
        except ValueError as error:  # a quotation mark without its other
            print(f"handrec: options: {str(error).lower()}", file=err)
            code = 2
        written = {str(path): path.read_bytes() for path in sorted(Path().rglob("*")) if path.is_file()}
    for stream in (out, err):
        stream.flush()
    files = [(path, now) for path, now in written.items() if (path, now) != (called, given)]
    return code, out.buffer.getvalue(), err.buffer.getvalue(), files


def _called(name: str) -> str:
    """A name that a file can have and that is no option, list or folder, whatever the visitor's file was called."""
    plain = re.sub(r"[\x00-\x1f/\\\ud800-\udfff]", "_", name).encode()[-LONGEST:].decode(errors="ignore")
    return plain.lstrip("-@. ") or "record"
