"""handrec replays recorded deals of trick-taking card games, checks every play, and recomputes every score.

>>> import handrec
>>> record = handrec.loads('''{"format": "handrec", "version": "1.0", "game": "kbabs", "status": "excerpt",
...     "players": [{"seat": "N"}, {"seat": "E"}],
...     "deals": [{"dealer": "E", "cards": 2, "events": [
...         {"do": "turn", "card": "4C"},
...         {"do": "bid", "by": "N", "bid": 1}, {"do": "bid", "by": "E", "bid": 0},
...         {"do": "play", "by": "N", "card": "7H"}, {"do": "play", "by": "E", "card": "9S"},
...         {"do": "play", "by": "N", "card": "2D"}, {"do": "play", "by": "E", "card": "KH"}]}]}''')
>>> verdict = handrec.check(record)
>>> verdict.ok
False
>>> for finding in verdict.findings:
...     print(finding.code, finding.rule, finding.place)
...     print(finding.message)
REV001 KB-5.2 deal 1, trick 1, E
E played 9S on a lead of 7H while holding KH
"""

from __future__ import annotations

TYPE_CHECKING = False  # by its name, type checkers take it for true; to import `typing` takes as long as Python to start
if TYPE_CHECKING:
    from handrec.api import Unreadable, check, check_all, dump, dumps, load, loads
    from handrec.findings import Finding, Verdict
    from handrec.live import resume, sample, table
    from handrec.record import Record

__version__ = "0.1.0"
__all__ = [
    "Finding",
    "Record",
    "Unreadable",
    "Verdict",
    "__version__",
    "check",
    "check_all",
    "dump",
    "dumps",
    "load",
    "loads",
    "resume",
    "sample",
    "table",
]

_LIVE = ("resume", "sample", "table")


if not TYPE_CHECKING:  # which would take any name for one that is there

    def __getattr__(name):
        """Load a public name when it is first used, so that `import handrec` costs next to nothing."""
        if name in __all__:
            from importlib import import_module

            globals()[name] = getattr(import_module("handrec.live" if name in _LIVE else "handrec.api"), name)
            return globals()[name]
        raise AttributeError(f"module 'handrec' has no attribute {name!r}")

    def __dir__():
        return sorted(__all__)
