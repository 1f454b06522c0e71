"""The command line: the only room that prints, reads arguments, or exits.

Exit codes: 0 nothing wrong · 1 findings or differences · 2 usage, unreadable input or nothing to check · 3 internal error
· 130 interrupted · 141 closed pipe. What a command needs is imported when it runs, so that `--help` is quick.
"""

from __future__ import annotations

import os
import sys


def main() -> None:
    """Run the command line and exit."""
    sys.exit(run())


def run(arguments: list[str] | None = None) -> int:
    """Run the command line; returns the exit code."""
    import signal

    from handrec.cli.app import app

    if hasattr(signal, "SIGPIPE") and arguments is None:
        signal.signal(signal.SIGPIPE, signal.SIG_DFL)
    try:
        code = app(args=arguments, standalone_mode=False, prog_name="handrec")
        sys.stdout.flush()
        return int(code or 0)
    except KeyboardInterrupt:
        return 130
    except BrokenPipeError:
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return 141
    except Exception as error:  # the border: our own faults must not pass for findings
        return _trouble(error)


def _trouble(error: Exception) -> int:
    """Say what went wrong: the user's mistake with its hint and exit code 2, ours in one line and exit code 3."""
    kind = type(error).__name__
    if kind == "Abort":
        return 130
    if hasattr(error, "exit_code") and hasattr(error, "show"):
        error.show()
        return int(error.exit_code)
    if kind == "Trouble":
        print(f"handrec: {error}", file=sys.stderr)
        return 2
    if os.environ.get("HANDREC_DEBUG"):
        raise error
    print(f"handrec: internal error: {kind}: {ascii(str(error))[:200]} (HANDREC_DEBUG=1 shows where)", file=sys.stderr)
    return 3
