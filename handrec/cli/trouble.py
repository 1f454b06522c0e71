"""What the user is told when a command cannot do what it was asked."""

from __future__ import annotations

from collections.abc import Iterable


class Trouble(Exception):
    """The command cannot do what it was asked: said in one line, exit code 2."""


def unknown(what: str, word: str, known: Iterable[str], else_: str = "") -> Trouble:
    """The trouble that nothing is called so, with the nearest name there is, or what else to say."""
    from difflib import get_close_matches

    from handrec.report.safe import safe

    by_lower = {name.lower(): name for name in known}
    near = get_close_matches(word.lower(), by_lower, 1, 0.6)
    return Trouble(
        f"there is no {what} {safe(word) or 'of no name'}" + (f"; did you mean {by_lower[near[0]]}?" if near else else_)
    )
