"""This checkout beside an older one: `python tests/bench/against.py OTHER`, ratios of rounds in turn, each in its own process.

The same records, dealt by this checkout and written down, are read by each; timed is `check`, one record at a time, in seconds of
the processor: clean deals and whole games, and the same with a fault in one deal. `--python` has this checkout take tricks in
Python also where it could in C.
"""

from __future__ import annotations

import argparse
import json
import subprocess
import sys
import tempfile
from pathlib import Path
from statistics import median

from tabulate import tabulate

ROOT = Path(__file__).parents[2]

#: Games, and how many play.
PLAYED = {"bridge": 4, "kbabs": 4, "spades3": 3, "batarde": 4, "bastard": 3, "bugami": 3}

CHILD = """
import json, sys
from time import process_time
sys.path.insert(0, sys.argv[1])
import handrec
assert handrec.__file__.startswith(sys.argv[1]), handrec.__file__
if sys.argv[3] == "python":
    from handrec.fast import in_c
    in_c._tricks = None
taken = {}
for name, texts in json.load(open(sys.argv[2])).items():
    records = [handrec.loads(text) for text in texts]
    deals = sum(len(record.deals) for record in records)
    for record in records[:3]:
        handrec.check(record)
    best = float("inf")
    for _ in range(12):
        before = process_time()
        for record in records:
            handrec.check(record)
        best = min(best, process_time() - before)
    taken[name] = best / deals
print(json.dumps(taken))
"""


def texts(many: int) -> dict[str, list[str]]:
    """The records of each race, as text."""
    sys.path.insert(0, str(ROOT))
    from handrec import dumps
    from handrec.dealing import deal_game
    from handrec.games import find

    found: dict[str, list[str]] = {}
    for key, players in PLAYED.items():
        game = find(key)
        assert game is not None
        found[f"{key}, one deal"] = [dumps(deal_game(game, players, seed, numbers=[1])) for seed in range(many)]
        if key != "bridge":
            found[f"{key}, whole game"] = [dumps(deal_game(game, players, seed)) for seed in range(max(2, many // 15))]
    return found


def main() -> None:
    """Read the arguments, race, and print the table."""
    parser = argparse.ArgumentParser(description="this checkout beside an older one")
    parser.add_argument("other", type=Path, help="a folder with the older checkout")
    parser.add_argument("--deals", type=int, default=30, help="records of one deal of each game (30)")
    parser.add_argument("--rounds", type=int, default=5, help="rounds (5)")
    parser.add_argument("--python", action="store_true", help="tricks in Python, not in C")
    options = parser.parse_args()
    rounds: list[tuple[dict[str, float], dict[str, float]]] = []
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "texts.json"
        path.write_text(json.dumps(texts(options.deals)), "utf-8")
        for _ in range(options.rounds):
            times = []
            for where, how in ((options.other.resolve(), ""), (ROOT, "python" if options.python else "")):
                command = [sys.executable, "-c", CHILD, str(where), str(path), how]
                done = subprocess.run(command, cwd=folder, capture_output=True, text=True, check=True)
                times.append(json.loads(done.stdout))
            rounds.append((times[0], times[1]))
    table = []
    for name in rounds[0][0]:
        before, now = (median(each[side][name] for each in rounds) for side in (0, 1))
        ratios = sorted(each[0][name] / each[1][name] for each in rounds)
        table.append(
            [
                name,
                f"{before * 1e6:,.0f} µs",
                f"{now * 1e6:,.0f} µs",
                f"{median(ratios):.3g}",
                f"{ratios[0]:.3g} - {ratios[-1]:.3g}",
            ]
        )
    print(tabulate(table, ["check", "before, a deal", "now", "ratio", "min - max"], disable_numparse=True))


if __name__ == "__main__":
    main()
