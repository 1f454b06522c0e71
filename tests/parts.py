"""The long tests in parts, each of them one command that ends within the hour: `pytest -m long --part NAME`.

A long test belongs to the first part whose pattern is found in its name, and `rest` takes what is left: the parts together are
all long tests, and no test is in two of them. `python -m tests.parts` prints their names.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import NamedTuple

from handrec import games


class Part(NamedTuple):
    """The tests whose names have a pattern; what would take more than an hour is dealt out to several runs, test by test."""

    pattern: str
    runs: int = 1

    def names(self, part: str) -> list[str]:
        """What its runs are called."""
        return [part] if self.runs == 1 else [f"{part}-{number + 1}" for number in range(self.runs)]


#: What takes longest has a part for each game: the names of these tests, by the word that their file and their parts begin with.
BY_GAME = {"search": "planted_acts", "deeds": "100_deeds", "live": "in_many_games"}
#: How many runs it takes in each game; in La Bâtarde a call can be made in hundreds of ways.
RUNS = {"live-batarde": 2, "deeds-batarde": 6}

PARTS = {
    "dealt": Part(r"/test_long\.py", 2),
    "agreement": Part(r"/test_agreement\.py", 3),
    "growth-lines": Part(r"/test_growth\.py.*its_share"),
    "growth-budget": Part(r"/test_growth\.py.*(budget|without_events|pointers)"),
    "growth-time": Part(r"/test_growth\.py.*processor_time", 5),
    "kills": Part(r"/test_kills\.py"),
    "fuzz": Part(r"/test_fuzz\.py"),
    "proofs": Part(r"/test_(inference_brute|infer)\.py"),
    **{
        f"{what}-{key}": Part(rf"/test_{what}\.py.*{name}.*\[{key}\b", RUNS.get(f"{what}-{key}", 1))
        for what, name in BY_GAME.items()
        for key in games.names()
    },
    "slips": Part(r"/test_(search|deeds|search_brute|slid_rows|confusion|explained_sight)\.py"),
    "two-slips": Part(r"/test_two_slips\.py"),
    "versions": Part(r"/test_(reconcile|diff)\.py"),
    "readings": Part(r"/test_(readings|misstated_options|heading)\.py"),
    "tables": Part(r"/test_(live|env|sampling|feeding|openspiel_live|enter|follow)\.py"),
    "rulings": Part(r"/test_(ruling\w*|calling_slips|legal_calls)\.py"),
    "archives": Part(r"/test_(archive|sieve|audit_workers|audit_archives|engines)\.py"),
    "games": Part(r"^tests/games/"),
    "browser": Part(r"^tests/browser/"),
    "rest": Part(""),
}

NAMES = [name for part, value in PARTS.items() for name in value.names(part)]


def parts_of(tests: Sequence[str]) -> list[str]:
    """The part that each of the long tests belongs to, in their order."""
    met = dict.fromkeys(PARTS, 0)
    found = []
    for test in tests:
        part = next(part for part, value in PARTS.items() if re.search(value.pattern, test))
        names = PARTS[part].names(part)
        found.append(names[met[part] % len(names)])
        met[part] += 1
    return found


if __name__ == "__main__":
    print(*NAMES, sep="\n")
