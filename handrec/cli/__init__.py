"""The command line: the only room that prints, reads arguments, or exits.

Exit codes: 0 nothing wrong · 1 findings or differences · 2 usage, unreadable input or nothing to check · 3 internal error
· 130 interrupted · 141 closed pipe · 143 ended. What a command needs is imported when it runs, so that `--help` is quick.
"""

from __future__ import annotations

import io
import os
import sys
from functools import cache
from typing import Any


def main() -> None:
    """Run the command line and exit."""
    import gc
    import signal

    gc.set_threshold(100_000)  # what is loaded at the start is no garbage, and would be looked through some eighty times
    os.environ.setdefault("PYDANTIC_DISABLE_PLUGINS", "__all__")  # to look for some, it goes through all that is installed
    if sys.stdout is None:
        sys.exit(_say("standard output is closed"))
    if hasattr(signal, "SIGPIPE"):
        signal.signal(signal.SIGPIPE, signal.SIG_DFL)
    signal.signal(signal.SIGTERM, lambda number, frame: sys.exit(128 + number))  # not without tidying up
    for stream in (sys.stdout, sys.stderr):
        if isinstance(stream, io.TextIOWrapper):  # the same bytes in every locale
            stream.reconfigure(encoding="utf-8", errors="backslashreplace")
    sys.exit(run())


def run(arguments: list[str] | None = None) -> int:
    """Run the command line; returns the exit code."""
    try:
        given = sys.argv[1:] if arguments is None else arguments
        code = _command(given[0] if given else None)(args=given, obj=given, standalone_mode=False, prog_name="handrec")
        sys.stdout.flush()
        return int(code or 0)
    except KeyboardInterrupt:
        return 130
    except BrokenPipeError:
        _close_output()
        return 141
    except OSError as error:  # files say so themselves: this is the output
        _close_output()
        return _say(f"standard output: {(error.strerror or str(error)).lower()}")
    except Exception as error:  # the border: our own faults must not pass for findings
        return _trouble(error)


@cache
def _command(name: str | None) -> Any:
    """The command line for this first argument, built once for all calls of a process.

    Where that names a command, it has no other: to build them all takes as long as to judge a record.
    """
    from typer.main import get_command

    from handrec.cli.app import with_command

    return get_command(with_command(name))


def _close_output() -> None:
    """Send what is still to be written nowhere, or Python would fail over it once more at the end."""
    os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())


def _say(words: str, code: int = 2) -> int:
    print(f"handrec: {words}", file=sys.stderr)
    return code


def _trouble(error: Exception) -> int:
    """Say what went wrong: the user's mistake with its hint and exit code 2, ours in one line and exit code 3."""
    kind = type(error).__name__
    if kind == "Abort":
        return 130
    if hasattr(error, "exit_code") and hasattr(error, "show"):
        if hasattr(error, "message"):
            error.message = error.message.replace("Value error, ", "")
        error.show()
        return int(error.exit_code)
    if kind == "CommandError":
        return _say(str(error))
    if os.environ.get("HANDREC_DEBUG"):
        raise error
    return _say(f"internal error: {kind}: {ascii(str(error))[:200]} (HANDREC_DEBUG=1 shows where)", 3)
