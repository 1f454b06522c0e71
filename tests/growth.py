"""What `handrec check` costs as an input grows: a table of dimensions, each with an input of size n, and how to measure one.

`lines` counts the lines of Python that are executed, by function: the same on every machine, whatever else it does. What C does
behind one line (looking through a list, parsing) it does not see: for that there is `cost`, time and memory of a fresh process.
`python tests/growth.py [WORD ...]` prints the table, of all dimensions or those whose names have one of the words.
"""

from __future__ import annotations

import contextlib
import gzip
import io
import json
import lzma
import os
import subprocess
import sys
import tempfile
import time
from collections import Counter
from collections.abc import Callable, Iterator
from copy import deepcopy
from functools import cache
from math import inf
from pathlib import Path
from types import CodeType, FrameType
from typing import Any, NamedTuple

if __name__ == "__main__":
    sys.path.insert(0, str(Path(__file__).parents[1]))

import handrec
from handrec import Record, Verdict, allowance, games, referee
from handrec.dealing import deal_game
from handrec.phases.out_of_turn import EXPLAINED

#: How much more than linear growth may be.
MOST = 1.3

Data = dict[str, Any]
PLAYERS = {"kbabs": 4, "bastard": 3, "batarde": 4, "spades3": 3, "bugami": 3, "bridge": 4, "hearts": 4, "oh_hell": 4, "whist": 4}


class Dimension(NamedTuple):
    """What grows: `make(n)` is the input, in a file called so; `few` is the n from which lines are counted, `many` seconds.

    `arguments` come before the name of the file.
    """

    make: Callable[[int], bytes]
    few: int = 24
    many: int = 1000
    file: str = "x.json"
    arguments: tuple[str, ...] = ("check", "--no-progress")


# --- inputs


@cache
def _dealt(key: str) -> Data:
    game = games.find(key)
    assert game is not None
    return deal_game(game, PLAYERS[key], 7, numbers=[13 if key == "kbabs" else 1]).model_dump(
        mode="json", exclude_unset=True, by_alias=True
    )


def record(key: str, change: Callable[[Data], object]) -> bytes:
    """A record of one deal of a game, with a change."""
    data = deepcopy(_dealt(key))
    change(data)
    return json.dumps(data).encode()


#: Where events are put: before the first play, amid the plays, at the end; before the first play of a deal of which neither hands
#: nor claims are known; and in one in which nothing else happens.
SPOTS = {
    "bidding": lambda plays, end: plays[0],
    "play": lambda plays, end: plays[len(plays) // 2 + 1],
    "end": lambda plays, end: end,
    "unclaimed": lambda plays, end: plays[0],
    "alone": lambda plays, end: 0,
}


class At(NamedTuple):
    """A table: its seats, of which two are `a` and `b`, a card that `a` played, and the pack."""

    seats: list[str]
    card: str
    pack: list[str]

    @property
    def a(self) -> str:
        """The first seat."""
        return self.seats[0]

    @property
    def b(self) -> str:
        """The second."""
        return self.seats[1]


def events(key: str, spot: str, made: Callable[[At, int], list[Data]]) -> Callable[[int], bytes]:
    """Events in a deal of a game; `made` gives those of a number."""
    game = games.find(key)
    assert game is not None
    pack = list(game.pack(PLAYERS[key]).cards)

    def make(n: int) -> bytes:
        def change(data: Data) -> None:
            deal, data["version"] = data["deals"][0], "1.1"
            plays = [place for place, event in enumerate(deal["events"]) if event["do"] == "play"]
            seats = [player["seat"] for player in data["players"]]
            card = next(deal["events"][place]["card"] for place in plays if deal["events"][place].get("by") == seats[0])
            at, table = SPOTS[spot](plays, len(deal["events"])), At(seats, card, pack)
            if spot in ("unclaimed", "alone"):
                data["deals"][0] = deal = {name: deal[name] for name in deal if name not in ("claimed", "hands")}
                data.pop("claimed", None)
            if spot == "alone":
                deal["events"] = []
            deal["events"][at:at] = [event for number in range(n) for event in made(table, number)]

        return record(key, change)

    return make


#: What may be said or done again and again in a deal.
EVENTS: dict[str, Callable[[At, int], list[Data]]] = {
    "bids": lambda t, n: [{"do": "bid", "by": t.a, "bid": 1}],
    "calls": lambda t, n: [{"do": "bid", "by": (t.a, t.b)[n % 2], "bid": "2S"}],
    "passes": lambda t, n: [{"do": "bid", "by": t.seats[n % len(t.seats)], "bid": "pass"}],
    "numbers in turn": lambda t, n: [{"do": "bid", "by": t.seats[n % len(t.seats)], "bid": n % 14}],
    "words in turn": lambda t, n: [
        {"do": "bid", "by": t.seats[n % len(t.seats)], "bid": ("1m", "board", "1n", "X", "3S", "?")[n % 6]}
    ],
    "calls taken back": lambda t, n: [{"do": do, "by": t.a, "bid": "1C"} for do in ("bid", "withdraw")],
    "contracts": lambda t, n: [{"do": "contract", "by": t.a, "bid": "3NT"}],
    "raises": lambda t, n: [{"do": "bid", "by": t.a, "bid": n % 1000}],
    "plays": lambda t, n: [{"do": "play", "by": t.a, "card": t.card}],
    "cards in turn": lambda t, n: [{"do": "play", "by": t.seats[n % len(t.seats)], "card": t.pack[n % len(t.pack)]}],
    "cards turned and played": lambda t, n: [{"do": "turn", "card": t.card}, {"do": "play", "by": t.a, "card": t.card}],
    "plays and claims": lambda t, n: [{"do": "play", "by": t.a, "card": t.card}, {"do": "claim", "by": t.a, "tricks": {t.a: 1}}],
    "unseen plays": lambda t, n: [{"do": "play", "card": "??"}],
    "withdrawals": lambda t, n: [{"do": "play", "by": t.a, "card": t.card}, {"do": "withdraw", "by": t.a, "card": t.card}],
    "accusations": lambda t, n: [{"do": "accuse", "by": t.a, "of": t.b}],
    "accusations of tricks": lambda t, n: [{"do": "accuse", "by": t.a, "of": t.b, "trick": n + 1}],
    "accusations in deals": lambda t, n: [{"do": "accuse", "by": t.a, "of": t.b, "of_deal": n + 1}],
    "rulings": lambda t, n: [{"do": "ruling", "of": t.b, "trick": 2, "verdict": "upheld"}],
    "penalties": lambda t, n: [{"do": "penalty", "of": t.a, "points": 3}],
    "claims": lambda t, n: [{"do": "claim", "by": t.a, "tricks": {t.a: 1, t.b: 0}}],
    "transfers": lambda t, n: [{"do": "transfer", "by": t.a, "of": t.b, "tricks": 1}],
    "turns": lambda t, n: [{"do": "turn", "card": t.card}],
    "guesses": lambda t, n: [{"do": "announce", "by": t.a, "what": "guess", "card": t.card}],
    "words": lambda t, n: [{"do": "announce", "by": t.a, "what": ("mechoune", "choune", "look", "bemo")[n % 4]}],
}


def out_of_turn(n: int) -> bytes:
    """Deals of each of which another may have dealt than is written down: all bid in turn, but from the wrong seat on."""

    def change(data: Data) -> None:
        seats = [player["seat"] for player in data["players"]]
        begun = [{"do": "bid", "by": seat, "bid": 0} for seat in [*seats[2:], *seats[:2]]]
        turned = ({"dealer": seats[place % len(seats)], "events": begun, "status": "stopped", "cards": 13} for place in range(n))
        data["deals"] = [{"number": place + 1, **deal} for place, deal in enumerate(turned)]

    return record("kbabs", change)


def reneges(n: int) -> bytes:
    """Claims of a renege that come too late, and books taken for it, in every deal of many."""

    def change(data: Data) -> None:
        a, b = (player["seat"] for player in data["players"][:2])
        acts = [
            {"do": "accuse", "by": a, "of": b, "of_deal": 1},
            {"do": "transfer", "by": a, "of": b, "tricks": 1},
            {"do": "transfer", "by": b, "of": a, "tricks": 1, "of_deal": 1},
        ]
        data["deals"] = [{"number": number + 1, "cards": 17, "events": acts} for number in range(n)]

    return record("spades3", change)


def within(path: str, made: Callable[[int], Any], key: str = "kbabs") -> Callable[[int], bytes]:
    """A field of a record, or of its deal, that grows."""

    def make(n: int) -> bytes:
        def change(data: Data) -> None:
            holder, *steps = (data["deals"][0] if path.startswith("deal.") else data), *path.removeprefix("deal.").split(".")
            for step in steps[:-1]:
                holder = holder.setdefault(step, {})
            old = holder.get(steps[-1])
            new = made(n)
            holder[steps[-1]] = {**old, **new} if isinstance(old, dict) else [*old, *new] if isinstance(old, list) else new

        return record(key, change)

    return make


def names(n: int) -> list[str]:
    """So many names."""
    return [f"o{number}" for number in range(n)]


def text(head: str, line: str, tail: str = "") -> Callable[[int], bytes]:
    """A head and many lines, in which `#` is the number of the line."""
    return lambda n: (head + "".join(line.replace("#", str(number)) for number in range(n)) + tail).encode()


def after(pack: Callable[[bytes], bytes], line: bytes) -> Callable[[int], bytes]:
    """A record and then many lines, packed."""
    return lambda n: pack(record("kbabs", lambda data: None) + line * n)


def same_deals(n: int, key: str = "kbabs", faulty: bool = False) -> bytes:
    """One deal again and again."""

    def change(data: Data) -> None:
        deal = data["deals"][0]
        if faulty:  # a card that is played twice
            deal["events"].append(deal["events"][-1])
        data["deals"] = [deal] * n

    return record(key, change)


def baseline(n: int) -> bytes:
    """A list of known findings."""
    known = [json.dumps({"record": "r", "code": "REV001", "at": f"/{number}"}) for number in range(n)]
    return json.dumps({"format": "handrec.baseline", "version": 1, "findings": known}).encode()


HRT = "%hrt 1\ngame kbabs\nseats N E\n"
PBN = '[Board "1"]\n'
LIN = "qx|o1|md|3SAHKDC,,|"
CSV = 'handrec,kbabs,"{}",in_progress\ndeal,cards,dealer,Ann (N) bid\n'

#: The dimensions in which an input can grow.
DIMENSIONS: dict[str, Dimension] = {
    **{
        # up to 100 calls are heard to explain one, so that only then what is added is always the same
        f"{what} {key} {spot}": Dimension(events(key, spot, made), 100 if what == "calls" else 24, 2000)
        for key in PLAYERS
        for what, made in EVENTS.items()
        for spot in SPOTS
    },
    "deals": Dimension(same_deals, 24, 400),
    "deals with faults": Dimension(lambda n: same_deals(n, faulty=True), 24, 400),
    "deals with reneges": Dimension(reneges, 12, 400),
    "deals begun by another": Dimension(out_of_turn, 12, 400),
    "deals empty": Dimension(within("deals", lambda n: [{}] * n), 40, 1000),
    "players": Dimension(within("players", lambda n: [{"seat": name} for name in names(n)]), 100, 10_000),
    "name": Dimension(within("id", lambda n: "a" * n), 1000, 1_000_000),
    "options": Dimension(within("options", lambda n: dict.fromkeys(names(n), 1)), 40, 1500),
    "comments": Dimension(within("deal.comments", lambda n: [{"text": "a"}] * n), 100, 250),
    "unknown fields": Dimension(within("deal", lambda n: dict.fromkeys(names(n), 1)), 40, 10_000),
    "unknown seats": Dimension(within("deal.hands", lambda n: {name: [] for name in names(n)}), 40, 3000),
    "places of cards": Dimension(within("deal.aside", lambda n: {name: ["7H"] for name in names(n)}), 40, 2000),
    "winners": Dimension(within("claimed.winners", lambda n: names(n)), 40, 3000),
    "totals": Dimension(within("claimed.totals", lambda n: dict.fromkeys(names(n), 1)), 40, 3000),
    "extensions": Dimension(within("extensions", lambda n: dict.fromkeys(names(n), 1)), 100, 100_000),
    "list entries": Dimension(within("extensions.list", lambda n: [1] * n), 100, 400_000),
    "bad cards": Dimension(within("deal.events", lambda n: [{"do": "play", "card": "1D"}] * n), 40, 2000),
    "cards respelled": Dimension(within("deal.events", lambda n: [{"do": "play", "card": "10D"}] * n), 40, 2000),
    "numbers": Dimension(within("extensions.list", lambda n: [10**20] * n), 40, 20_000),
    "keys twice": Dimension(text("{", '"a": 1, ', '"a": 1}'), 100, 40_000),
    "brackets": Dimension(text("", "["), 100, 1_000_000),
    "spaces": Dimension(after(bytes, b" "), 1000, 4_000_000),
    "bad lines": Dimension(text("", "x\n"), 16, 5000, "x.jsonl"),
    "blank lines": Dimension(after(lambda data: data, b"\n"), 1000, 4_000_000, "x.jsonl"),
    "blank lines packed": Dimension(after(gzip.compress, b"\n"), 1000, 2_000_000, "x.jsonl.gz"),
    "blank lines packed with xz": Dimension(after(lzma.compress, b"\n"), 1000, 2_000_000, "x.jsonl.xz"),
    "hrt blank lines": Dimension(text(HRT, "\n"), 1000, 1_000_000, "x.hrt"),
    "hrt records": Dimension(text("", HRT), 10, 1000, "x.hrt"),
    "hrt bad lines": Dimension(text(HRT, "zzz\n"), 16, 2000, "x.hrt"),
    "hrt plays": Dimension(text(HRT + "deal 1\nN: ", "7H "), 100, 4000, "x.hrt"),
    "hrt notes": Dimension(text(HRT + "deal 1\n", "note a\n"), 100, 250, "x.hrt"),
    "hrt commas": Dimension(text(HRT + "note ", ", "), 100, 100_000, "x.hrt"),
    "pbn games": Dimension(text("", PBN + "\n"), 10, 1000, "x.pbn"),
    "pbn blank lines": Dimension(text(PBN, "\n"), 1000, 1_000_000, "x.pbn"),
    "pbn tags": Dimension(text(PBN, '[T# "1"]\n'), 100, 4000, "x.pbn"),
    "pbn comments": Dimension(text(PBN, "{a}\n"), 100, 4000, "x.pbn"),
    "pbn calls": Dimension(text(PBN + '[Auction "N"]\n', "Pass "), 100, 20_000, "x.pbn"),
    "pbn rows": Dimension(text(PBN + '[Play "N"]\n', "S2 S3 S4 S5\n"), 100, 4000, "x.pbn"),
    "pbn garbage": Dimension(text(PBN, "zz\n"), 100, 5000, "x.pbn"),
    "lin boards": Dimension(text("", LIN + "pg||\n"), 10, 1000, "x.lin"),
    "lin blank lines": Dimension(text(LIN, "\n"), 1000, 1_000_000, "x.lin"),
    "lin pairs": Dimension(text(LIN, "an|x|"), 100, 4000, "x.lin"),
    "lin cards": Dimension(text(LIN, "pc|SA|"), 100, 4000, "x.lin"),
    "lin calls": Dimension(text(LIN, "mb|p|"), 100, 4000, "x.lin"),
    "dds lines": Dimension(text("NUMBER 1\n", 'PLAY 4 "SASK"\n'), 100, 4000, "x.txt"),
    "csv rows": Dimension(text(CSV, "1,3,N,1\n"), 10, 1000, "x.csv"),
    "csv blank lines": Dimension(text(CSV, "\n"), 1000, 200_000, "x.csv"),
    "csv cells": Dimension(text(CSV + "1,3", ","), 100, 50_000, "x.csv"),
    "baseline": Dimension(baseline, 100, 40_000, "b.json", ("check", "--no-progress", "one.json", "--baseline")),
    "toml entries": Dimension(text("[check]\nignore = [", '"DUP", ', "]\n"), 40, 20_000, "handrec.toml", ("check", "one.json")),
    "toml keys": Dimension(text("", "a.b# = 1\n"), 100, 10_000, "handrec.toml", ("check", "one.json")),
    "toml parts": Dimension(text("a", ".a", " = 1\n"), 100, 100_000, "handrec.toml", ("check", "one.json")),
    "toml digits": Dimension(text("color = ", "1", "\n"), 100, 100_000, "handrec.toml", ("check", "one.json")),
}


# --- measures


def command(dimension: Dimension, n: int, folder: Path) -> list[str]:
    """Write the input of a size into a folder, and say how it is checked there."""
    (folder / dimension.file).write_bytes(dimension.make(n))
    (folder / "one.json").write_bytes(record("kbabs", lambda data: None))
    return [*dimension.arguments, *([dimension.file] if dimension.file != "handrec.toml" else [])]


Lines = Counter[CodeType]


@contextlib.contextmanager
def counted() -> Iterator[Lines]:
    """Count the lines of Python that are executed meanwhile, loops within a line included, by the code that they are of."""
    found = Lines()

    def line(frame: FrameType, event: str, _: Any) -> Callable[..., Any]:
        found[frame.f_code] += 1
        return line

    before = sys.gettrace()
    sys.settrace(line)
    try:
        yield found
    finally:
        sys.settrace(before)


def lines(dimension: Dimension, n: int, folder: Path) -> Lines:
    """The lines of Python that it takes to check an input of a size, in this process."""
    from handrec.cli import run

    arguments, nowhere = command(dimension, n, folder), io.StringIO()
    with contextlib.chdir(folder), contextlib.redirect_stdout(nowhere), contextlib.redirect_stderr(nowhere), counted() as found:
        run(arguments)
    return found


def excess(dimension: Dimension, folder: Path) -> dict[str, float]:
    """The functions that grow like the square, by name, and by how many lines a pair of units.

    What is added from n to 2n is set beside what is added from 2n to 4n: twice as much is linear, and `MOST` times that allowed.
    A square grows by 4.2 n² more than that for each line a pair; less than one is some memory that is filled. What seems to grow
    so is looked at again at larger sizes: from some number on another explanation is tried, from another none any more, and these
    are steps, which are passed once.
    """
    over = _excess(dimension, folder)
    for times in (4, 16):
        if over:
            again = _excess(dimension._replace(few=times * dimension.few), folder)
            over = {name: many for name, many in again.items() if name in over}
    return over


def _excess(dimension: Dimension, folder: Path) -> dict[str, float]:
    """The functions that seem to grow like the square at one size."""
    lines(dimension, dimension.few, folder)  # what is worked out once is worked out before
    n = dimension.few
    one, two, four = (lines(dimension, n * times, folder) for times in (1, 2, 4))
    found = {f"{code.co_qualname} ({Path(code.co_filename).name})": (one[code], two[code], four[code]) for code in four}
    over = {name: ((c - b) - MOST * 2 * (b - a)) / (4.2 * n * n) for name, (a, b, c) in found.items()}
    return {name: many for name, many in over.items() if many > 0.9}


#: Runs a command and writes down the most memory that it had: what the system tells of a child counts what its parent had, too.
MEASURED = """
import re, runpy, sys
from pathlib import Path
to = Path(sys.argv.pop(1))
try:
    runpy.run_module("handrec", run_name="__main__", alter_sys=True)
finally:
    to.write_text(re.search(r"VmHWM:\\s*([0-9]+) kB", Path("/proc/self/status").read_text())[1])
"""


def cost(dimension: Dimension, n: int, folder: Path) -> tuple[float, int, int]:
    """Processor seconds and bytes of memory of a fresh process that checks an input of a size, and the input's bytes unpacked."""
    memory = folder / "memory.kb"
    arguments = [sys.executable, "-c", MEASURED, str(memory), *command(dimension, n, folder)]
    path = {"PYTHONPATH": str(Path(__file__).parents[1])}
    with subprocess.Popen(
        arguments, cwd=folder, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, env=os.environ | path
    ) as run:
        _, status, used = os.wait4(run.pid, 0)
        run.returncode = os.waitstatus_to_exitcode(status)
    data = (folder / dimension.file).read_bytes()
    unpack: dict[str, Callable[[bytes], bytes]] = {".gz": gzip.decompress, ".xz": lzma.decompress}
    unpacked = unpack.get(Path(dimension.file).suffix, bytes)(data)
    return used.ru_utime + used.ru_stime, int(memory.read_text()) * 1024, len(unpacked)


#: What an event and a byte may cost, in seconds, where the referee takes so long for an event of a clean game.
EVENT, BYTE, CLEAN = 100e-6, 2e-6, 8e-6


@cache
def clean_game() -> tuple[bytes, int]:
    """A whole game in which nothing is wrong, and its events."""
    game = games.find("kbabs")
    assert game is not None
    record = deal_game(game, PLAYERS["kbabs"], 7)
    return handrec.dumps(record).encode(), sum(len(deal.events) for deal in record.deals)


def budget(data: bytes, dealt: bool = False) -> float:
    """What a record may cost, where the referee of the clean game takes 1; that a deal is `dealt` may count as an event of it."""
    deals = json.loads(data)["deals"]
    events = sum(len(deal.get("events", ())) for deal in deals) + dealt * len(deals)
    return (EVENT * events + BYTE * len(data)) / (CLEAN * clean_game()[1])


def only_referee(record: Record) -> Verdict:
    """What is found in a record, and nothing of what would explain it."""
    return referee.check(record, games.find)


def seconds(check: Callable[[Record], Verdict], data: bytes) -> float:
    """Processor seconds that it takes to read and check a record in this process."""
    began = time.process_time()
    check(handrec.loads(data))
    return time.process_time() - began


@contextlib.contextmanager
def started_with(start: float) -> Iterator[None]:
    """What is there from the start to explain what is wrong is so much."""
    before, allowance.START = allowance.START, start
    try:
        yield
    finally:
        allowance.START = before


def share(data: bytes) -> float:
    """How much of its budget it takes to check a record, beside a clean game and its referee, with nothing from the start.

    The least of some tries of both, fewer if they are within it: what else goes on beside only adds to a try.
    """
    (clean, _), may, taken = clean_game(), budget(data), inf
    beside = [seconds(only_referee, clean) for _ in range(3)]  # the first loads what it needs
    with started_with(0):
        for _ in range(9):
            EXPLAINED.clear()  # what a try has found out is not known to the next
            taken = min(taken, seconds(handrec.check, data))
            beside.append(seconds(only_referee, clean))
            if taken / min(beside) / may <= 1:
                break
    return taken / min(beside) / may


def share_of_lines(data: bytes, start: float = 0, dealt: bool = False) -> float:
    """The same in lines of Python, which are as many on every machine; with so much from the `start`, `dealt` as for a budget."""
    lines, clean = [], clean_game()[0]
    with started_with(start):
        for check, each in ((only_referee, clean), (handrec.check, data)):
            check(handrec.loads(clean))  # what is loaded at first is not counted
            EXPLAINED.clear()
            with counted() as found:
                check(handrec.loads(each))
            lines.append(found.total())
    return lines[1] / lines[0] / budget(data, dealt)


def share_of_run(dimension: Dimension, n: int, arguments: tuple[str, ...], folder: Path, many: int = 20) -> float:
    """How much of its budget each further record takes, in lines of Python, when a file of many is checked by the command.

    Each has one deal with n events too many. What is remembered of one record is not known to the next, as they would differ.
    """
    from handrec.cli import common

    line, checked = deals_of(dimension, n, 1) + b"\n", common.Inputs.checked

    def forgetful(inputs: common.Inputs, record: Record, readings: bool) -> Verdict:
        EXPLAINED.clear()
        return checked(inputs, record, readings)

    common.Inputs.checked = forgetful  # type: ignore[method-assign]
    try:
        return _added(lambda times: line * many * times, arguments, folder / "records.jsonl") / (many * budget(line))
    finally:
        common.Inputs.checked = checked  # type: ignore[method-assign]


def share_of_deals(deal: bytes, data: bytes, arguments: tuple[str, ...], folder: Path, many: int = 150) -> float:
    """The same of each further deal of one record, `data` without its deals; a deal is dealt, so it counts as one event."""
    empty = data.rstrip().removesuffix(b"}") + b', "deals": ['

    def record_of(times: int) -> bytes:
        return empty + b", ".join([deal] * many * times) + b"]}"

    may = budget(record_of(2), dealt=True) - budget(record_of(1), dealt=True)
    return _added(record_of, arguments, folder / "record.handrec.json") / may


def _added(made: Callable[[int], bytes], arguments: tuple[str, ...], path: Path) -> float:
    """How many lines the command takes more for a file twice as large, where the referee takes 1 for a clean game."""
    from handrec.cli import run

    taken = []
    with started_with(0), contextlib.redirect_stdout(io.StringIO()), contextlib.chdir(path.parent):
        for times in (1, 1, 2):  # what is loaded at first is not counted
            path.write_bytes(made(times))
            with counted() as found:
                run(["check", *arguments, path.name])
            taken.append(found.total())
    only_referee(handrec.loads(clean_game()[0]))
    with counted() as found:
        only_referee(handrec.loads(clean_game()[0]))
    return (taken[2] - taken[1]) / found.total()


def deals_of(dimension: Dimension, each: int, deals: int) -> bytes:
    """So many deals, in each of which so much of what grows is."""
    data = json.loads(dimension.make(each))
    data["deals"] = [{**data["deals"][0], "number": number + 1} for number in range(deals)]
    return json.dumps(data).encode()


def main(words: list[str]) -> None:
    """Print the table."""
    print(
        "| dimension | n | bytes | grows more than linearly | µs a unit | µs a byte | memory, MB |\n|---|---|---|---|---|---|---|"
    )
    for name, dimension in DIMENSIONS.items():
        if words and not any(word in name for word in words):
            continue
        with tempfile.TemporaryDirectory() as folder:
            here = Path(folder)
            over = max(excess(dimension, here).items(), key=lambda each: each[1], default=("linear", 0))[0]
            start, small = cost(dimension, 1, here)[0], cost(dimension, dimension.many, here)
            seconds, memory, size = cost(dimension, 2 * dimension.many, here)
            unit, byte = (seconds - small[0]) / dimension.many * 1e6, (seconds - start) / size * 1e6
            print(
                f"| {name} | {2 * dimension.many:,} | {size:,} | {over} | {unit:.2f} | {byte:.2f} | {memory / 1e6:.0f} |",
                flush=True,
            )


if __name__ == "__main__":
    main(sys.argv[1:])
