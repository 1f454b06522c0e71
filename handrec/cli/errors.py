"""What the user is told when a command cannot do what it was asked."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from contextlib import contextmanager


class CommandError(Exception):
    """The command cannot do what it was asked: said in one line, exit code 2."""


def unknown(what: str, word: str, known: Iterable[str], else_: str = "") -> CommandError:
    """The trouble that nothing is called so, with the nearest name there is, or what else to say."""
    from difflib import get_close_matches

    from handrec.report.safe import safe

    by_lower = {name.lower(): name for name in known}
    near = get_close_matches(word.lower(), by_lower, 1, 0.6)
    return CommandError(
        f"there is no {what} {safe(word) or 'of no name'}" + (f"; did you mean {by_lower[near[0]]}?" if near else else_)
    )


def reason(error: Exception) -> str:
    """Why a file could not be read or written, in words."""
    return (getattr(error, "strerror", None) or str(error)).lower()


@contextmanager
def naming_file(name: object) -> Iterator[None]:
    """Make it trouble, told with the name of a file, if this cannot be read or written."""
    from handrec.report.safe import safe

    try:
        yield
    except FileExistsError:
        raise CommandError(f"{safe(name, 300)} exists already; nothing was written") from None
    except OSError as error:
        raise CommandError(f"{safe(name, 300)}: {reason(error)}") from None
