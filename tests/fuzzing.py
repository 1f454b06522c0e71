"""What must hold whatever the input: every reader, every command, every way to judge, in process and within a budget.

`finds` says what does not hold of one input; `smaller` makes the input of a find as small as it gets; `hunt` goes on until the
time is over. The inputs are those of `tests.spoiling`.
"""

from __future__ import annotations

import csv
import gzip
import io
import json
import lzma
import os
import re
import resource
import signal
import sys
import zlib
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import chdir, contextmanager, redirect_stderr, redirect_stdout, suppress
from pathlib import Path
from random import Random
from tempfile import TemporaryDirectory
from time import monotonic, process_time
from typing import Any, NamedTuple
from unicodedata import category
from xml.etree import ElementTree

import pytest

from handrec import api, formats, games, referee, writing
from handrec.archive import write as archived
from handrec.cli import audit, run
from handrec.convert import written
from handrec.findings import Verdict
from handrec.game import compose
from handrec.game.table import Past
from handrec.record import Record
from tests.auditing import Here
from tests.distorting import holders
from tests.sieving import Ways
from tests.spoiling import KNOWN, Input, an_input

# --- what is called ---------------------------------------------------------------------------------------------------

#: Every command, with how its output is to be read. A is the input, B another (the input as it was before its last change, or
#: itself), O a new file; words in capitals stand for any of those below.
CALLS: dict[str, str] = {
    "check A": "plain",
    "check A -v --color always": "coloured",
    "check A -q": "plain",
    "check A -f json": "json",
    "check A -f jsonl": "jsonl",
    "check A -f sarif": "json",
    "check A -f github": "github",
    "check A -f junit": "xml",
    "check A -f markdown": "markdown",
    "check A --fit -f json": "json",
    "check A --diff": "plain",
    "check A --diff --unsafe-fixes -f json": "json",
    "check A --unsafe-fixes": "plain",
    "check A --fix": "plain",
    "check A --fix --unsafe-fixes -f jsonl": "jsonl",
    "check A --select CODE --ignore CODE -f json": "json",
    "check A --write-baseline O": "plain",
    "check A --baseline B": "plain",
    "check - --from FORMAT -f json": "json",
    "check @A": "plain",
    "replay A": "plain",
    "replay A -f json": "json",
    "replay A -f html": "html",
    "replay A --deal NUMBER --trick NUMBER --as SEAT": "plain",
    "view A -o -": "html",
    "view A B -o -": "html",
    "view A --anonymise --record 1 -o -": "html",
    "ruling A": "plain",
    "ruling A -f json": "json",
    "ruling A -f markdown": "markdown",
    "ruling A --claim SEAT@NUMBER --deal NUMBER --noticed MOMENT --laws LAWS": "plain",
    "infer A": "plain",
    "infer A -f json --plays": "json",
    "infer A --deal NUMBER --at MOMENT --as SEAT": "plain",
    "score A": "plain",
    "score A -f json": "json",
    "score A --sheet": "plain",
    "score A --sheet -f markdown": "markdown",
    "score A --sheet -f csv": "sheet",
    "score A --sheet -f tsv": "sheet",
    "diff A B": "plain",
    "diff A B -f json": "json",
    "diff A B -f markdown": "markdown",
    "diff B A -f json-patch": "json",
    "diff A B -f merge-patch --facts": "json",
    "diff A B A --reconcile -o O": "plain",
    "convert A --to json": "json",
    "convert A --to jsonl": "jsonl",
    "convert A --to hrt": "plain",
    "convert A --to csv --allow-lossy": "sheet",
    "convert A --to tsv --allow-lossy --report O": "sheet",
    "convert A --to markdown": "markdown",
    "convert A --to html": "html",
    "convert A --to parquet -o O": "plain",
    "convert A --from csv --game GAME --to json": "json",
    "audit A": "plain",
    "audit A -f json --no-sieve": "json",
    "audit A -f markdown --by player": "markdown",
    "audit A -f html --top 1": "html",
    "audit A B --db O -q": "plain",
    "audit A -o out.jsonl -q": "plain",
    "audit A --resume B": "plain",
    "audit - --resume B": "plain",
    "migrate A --diff": "plain",
    "migrate A --to 1.1": "plain",
    "fmt A --check": "plain",
    "fmt A --diff": "plain",
    "fmt A": "plain",
    "fmt -": "plain",
    "digest A": "plain",
    "explain CODE": "plain",
    "--show-config": "plain",
}

#: Calls that write the file that they are given.
WRITING = ("check A --fix", "check A --fix --unsafe-fixes -f jsonl", "fmt A", "migrate A --to 1.1")

#: What words in capitals stand for.
WORDS: dict[str, tuple[str, ...]] = {
    "CODE": ("REV", "SCO001", "", "PLY,DEA", "KB-5.3", "\x1b[31m", "fuzz"),
    "FORMAT": tuple(formats.SUFFIXES),
    "NUMBER": ("1", "2", "3", "13", "4096", "1000000000000"),
    "SEAT": ("N", "E", "P1", "P2", "bastard", "public", "<b>fuzz</b>", "\u202e"),
    "MOMENT": ("0", "1", "6.1", "1.2", "99.9", "over", "next", "round", "1e9", "-1", "x"),
    "LAWS": ("kbabs", "bridge-2007", "hearts-all", "none", "fuzz\x07"),
    "GAME": ("kbabs", "batarde", "spades3", "fuzz"),
}

#: Seconds of processor time that a call may take besides what the input's size allows: several times what any has taken here.
CAPS = {"check": 4.0, "infer": 20.0}
#: So long may search whatever searches.
SEARCHING = 60.0
#: What each event and each byte may cost, many times over: other people work on the same machine.
EVENT, BYTE, MARGIN = 100e-6, 2e-6, 10
#: No process may take more memory than this (bytes).
MEMORY = 8 << 30


class Find(NamedTuple):
    """What does not hold: of which call, in short (the same for the same fault), and told in full."""

    call: str
    what: str
    told: str = ""

    @property
    def kind(self) -> tuple[str, str]:
        """What makes two finds the same fault: the command, not how it was asked, and what came of it."""
        return self.call.split()[0], self.what


class TooLong(BaseException):
    """More processor time than there is; nothing that is called may catch it."""


class Said(NamedTuple):
    """What came of a call."""

    code: int
    out: str
    err: str


@contextmanager
def at_most(seconds: float) -> Iterator[None]:
    """What is done here ends with TooLong after so much processor time."""

    def over(*_: Any) -> None:
        raise TooLong(f"more than {seconds:.1f} s")

    before = signal.signal(signal.SIGVTALRM, over)
    signal.setitimer(signal.ITIMER_VIRTUAL, seconds)
    try:
        yield
    finally:
        signal.setitimer(signal.ITIMER_VIRTUAL, 0)
        signal.signal(signal.SIGVTALRM, before)


@contextmanager
def workshop() -> Iterator[Ways]:
    """A process in which inputs can be tried: no settings from outside, workers in process, a limit to memory."""
    with pytest.MonkeyPatch.context() as patch:
        for name in [name for name in os.environ if name.startswith("HANDREC_")]:
            patch.delenv(name)
        for name in ("NO_COLOR", "FORCE_COLOR", "GITHUB_ACTIONS"):
            patch.delenv(name, raising=False)
        patch.setattr(audit, "_engine", lambda options: Here())
        limits = resource.getrlimit(resource.RLIMIT_AS)
        resource.setrlimit(resource.RLIMIT_AS, (MEMORY, limits[1]))
        try:
            yield Ways(patch)
        finally:
            resource.setrlimit(resource.RLIMIT_AS, limits)


def called(arguments: Sequence[str], stdin: bytes = b"") -> Said:
    """Run the command line; what it prints must be text that UTF-8 can hold."""
    out, err = (io.TextIOWrapper(io.BytesIO(), "utf-8", newline="") for _ in range(2))
    before = sys.stdin
    sys.stdin = io.TextIOWrapper(io.BytesIO(stdin))
    try:
        with redirect_stdout(out), redirect_stderr(err):
            code = run(list(arguments))
    finally:
        sys.stdin = before
    told = []
    for stream in (out, err):
        stream.flush()
        told.append(stream.buffer.getvalue().decode())  # type: ignore[attr-defined]
    return Said(code, *told)


# --- what must hold of a call -----------------------------------------------------------------------------------------


def invisible(text: str, spared: str = "\n") -> str:
    """The first character that could move a cursor or hide; "" if there is none. All kinds of space there are can be seen."""
    return next((char for char in text if not char.isprintable() and char not in spared and category(char) != "Zs"), "")


def _parses_jsonl(text: str) -> None:
    for line in text.splitlines():
        json.loads(line)


def _is_github(text: str) -> None:
    lines = [line for line in text.split("\n") if line.startswith("::")]
    assert all(line.startswith(("::error ", "::warning ", "::notice ")) for line in lines), lines
    assert not any("::error::" in line for line in text.split("\n") if not line.startswith("::"))


def _has_no_markup(text: str) -> None:
    assert "<b>fuzz" not in text, "markup came through"


def _has_no_link(text: str) -> None:
    _has_no_markup(text)
    assert "[f](javascript:" not in text, "a link came through"


def _has_no_formula(text: str) -> None:
    for row in csv.reader(io.StringIO(text), delimiter="\t" if "\t" in text else ","):
        for cell in row:
            assert not cell.startswith(("=", "+", "-", "@", "\t", "\r")) or re.fullmatch("-?[0-9]*", cell), cell


#: How the output of a call is read: it fails if it cannot be.
READ_AS: dict[str, Callable[[str], object]] = {
    "plain": lambda text: None,
    "coloured": lambda text: None,
    "sheet": _has_no_formula,
    "json": json.loads,
    "jsonl": _parses_jsonl,
    "xml": ElementTree.fromstring,
    "github": _is_github,
    "html": _has_no_markup,
    "markdown": _has_no_link,
}


def wrong_with(said: Said, kind: str) -> Iterator[tuple[str, str]]:
    """What does not hold of what came of a call: in short, and told."""
    if said.code not in (0, 1, 2):
        yield f"exit code {said.code}: {said.err.split('(HANDREC')[0][-120:].strip()}", said.err[-500:]
    elif "INT0" in said.out + said.err or "internal error" in said.err or "Traceback" in said.err:
        yield "internal", (said.out + said.err)[-500:]
    shown = re.sub(r"\x1b\[[0-9;]*m", "", said.out) if kind == "coloured" else said.out
    for stream, spared in ((shown, "\n\t" if kind in ("sheet", "html") else "\n"), (said.err, "\n")):
        if char := invisible(stream, spared):
            yield f"character {ord(char):x}", ascii(stream[max(0, stream.index(char) - 60) :][:200])
    if said.code in (0, 1) and said.out:
        try:
            READ_AS[kind](said.out)
        except Exception as error:
            yield f"not {kind}", f"{error!r}: {said.out[-300:]!r}"


def tried(call: str, files: dict[str, str], allowed: float, rng: Random, stdin: bytes) -> Iterator[Find]:
    """What does not hold of one call upon the files that lie here."""
    words = [part for word in call.split() for part in (*re.split("(@)", word), " ")]
    told = "".join(files.get(word) or (rng.choice(WORDS[word]) if word in WORDS else word) for word in words)
    arguments, shown, given = told.split(" ")[:-1], ascii(told), Path(files["A"])
    for name in ("out", "out.jsonl"):
        Path(name).unlink(missing_ok=True)
    before, started = given.read_bytes(), process_time()
    try:
        with at_most(allowed):
            said = called(arguments, stdin)
    except TooLong as error:
        yield Find(call, "too long", f"{shown}: {error}")
        return
    except Exception as error:
        yield Find(call, f"raises {type(error).__name__}", f"{shown}: {error!r}")
        return
    SECONDS[call] = max(SECONDS.get(call, 0), process_time() - started)
    for what, why in wrong_with(said, CALLS[call]):
        yield Find(call, what, f"{shown}: {why}")
    if (
        Path("out").exists()
        and b"\0" not in (data := Path("out").read_bytes())
        and (char := invisible(data.decode("utf-8", "replace")))
    ):
        yield Find(call, f"character {ord(char):x} in a file", f"{shown}: {data[:300]!r}")
    if call in WRITING:
        yield from _kept(call, given, before, arguments)
    elif given.read_bytes() != before:
        yield Find(call, "writes its input", shown)


#: The longest that each call has taken here, in seconds; and the number of the input that it took them for.
SECONDS: dict[str, float] = {}
SLOWEST: dict[str, int] = {}


def _kept(call: str, path: Path, before: bytes, arguments: Sequence[str]) -> Iterator[Find]:
    """What a call that writes leaves behind: as it was, if not laid out alone; and a second time there is nothing to do."""
    after = path.read_bytes()
    orig = path.with_name(f"{path.name}.orig")
    if after != before:
        if not call.startswith("fmt") and (not orig.exists() or orig.read_bytes() != before):
            yield Find(call, "the file as it was is not kept", str(path))
        elif call.startswith("fmt") and [*map(_plain, _records(before, path.name))] != [*map(_plain, _records(after, path.name))]:
            yield Find(call, "the layout changes the record", str(path))
        elif call.startswith("fmt") and (called(arguments).code or path.read_bytes() != after):
            yield Find(call, "a second time something else is written", str(path))
    for each in (orig, path):
        each.unlink(missing_ok=True)
    path.write_bytes(before)


# --- what must hold of a record ---------------------------------------------------------------------------------------


def _records(data: bytes, name: str) -> list[Record]:
    return [reading.record for reading in formats.read(data, name) if reading.record is not None]


def _plain(record: Record) -> dict[str, Any]:
    return writing.plain(record)


def _same_written(record: Record) -> None:
    """What is written is read back the same, in every format that loses nothing; laid out, it is laid out already."""
    text = writing.dumps(record)
    assert _plain(api.loads(text)) == _plain(record), "JSON"
    assert writing.dumps(api.loads(text)) == text, "laid out twice"
    assert _plain(api.loads(writing.line(record), "a.jsonl")) == _plain(record), "JSON Lines"
    assert not written(record, formats.by_key("hrt"))[1], "hrt"
    [back] = _records(b"".join(archived([record])), "a.parquet")
    assert _plain(back) == _plain(record), "parquet"


def _outline(verdict: Verdict) -> Any:
    """What a verdict says but for names: codes with their places, and how each level stands."""
    found = sorted(
        (finding.code, finding.pointer.count("/"), str(finding.deal), str(finding.trick)) for finding in verdict.findings
    )
    return found, [(level.key, level.status) for level in verdict.levels]


def _same_called_otherwise(record: Record) -> None:
    """The verdict is the same where the seats have other names, the fields another order, and people say more.

    North keeps its name, by which the number of a board says who deals.
    """
    seats = [player.seat for player in record.players]
    named = {seat: "N" if seat == "N" else f"Z{place}" for place, seat in enumerate(seats)}
    if "bastard" in seats or len(named) < len(seats):
        return
    data = writing.renamed(_plain(record), lambda seat: named.get(seat, seat))
    other = Record.model_validate(_turned(data | {"extensions": {"fuzz": 1}}))
    other = other.model_copy(update={"status": record.status})  # one that is not stated is told by readers
    assert _outline(referee.check(other, games.find)) == _outline(referee.check(record, games.find))


def _turned(data: Any) -> Any:
    if isinstance(data, dict):
        return {key: _turned(value) for key, value in reversed(data.items())}
    return [_turned(each) for each in data] if isinstance(data, list) else data


def _same_again(record: Record) -> None:
    """Each deal, replayed again and again among those before it, is found as it was: no replay leaves anything behind."""
    game = games.find(record.game)
    if game is None or not referee.check(record, games.find).deals:
        return
    composed = compose(game, record.options)[0]
    tables = referee.replay(record, composed)
    for index, table in [*enumerate(tables)] * 2:
        again = referee.replayed(record, composed, index, record.deals[index], Past(tables, index))
        found, before = ([(each.code, each.pointer) for each in one.findings] for one in (again, table))
        assert (found, again.moved, again.doubts) == (before, table.moved, table.doubts)


def _due(record: Record, due: tuple[str, ...]) -> None:
    """Exactly these findings, by any way, and as slips of the pen where they can be."""
    found = [finding.code for finding in referee.check(record, games.find).findings if finding.severity != "info"]
    assert found == [*due], found
    assert api.check(record).ok == (not due)


def of_record(record: Record, due: tuple[str, ...] | None, ways: Ways, allowed: float) -> Iterator[Find]:
    """What does not hold of a record that was read."""
    checks: dict[str, Callable[[], object]] = {
        "written": lambda: _same_written(record),
        "ways": lambda: ways.agree([record]),
        "renamed": lambda: _same_called_otherwise(record),
        "replayed": lambda: _same_again(record),
    }
    if due is not None:
        checks["due"] = lambda: _due(record, due)
    for name, check in checks.items():
        try:
            with at_most(allowed):
                check()
        except TooLong as error:
            yield Find(name, "too long", str(error))
        except Exception as error:
            yield Find(name, f"{type(error).__name__} {str(error)[:40] if len(str(error)) < 40 else ''}", repr(error)[:1500])


# --- one input --------------------------------------------------------------------------------------------------------


def unpacked(data: bytes) -> int:
    """How many bytes there are when they are unpacked, as far as they can be."""
    with suppress(OSError, EOFError, zlib.error):
        return len(gzip.decompress(data))
    with suppress(lzma.LZMAError):
        return len(lzma.decompress(data))
    return len(data)


def _leads_away(listing: bytes) -> bool:
    """Whether a list may name something outside of the directory in which an input is tried."""
    return any(line.strip().startswith((b"/", b"~")) or b".." in line for line in listing.splitlines())


#: Files that are no records but lie beside them.
BESIDE = (".toml", ".state", ".baseline")


#: Calls that search, or draw a page: an input is tried with one of them for several of the others.
SLOW = tuple(call for call in CALLS if re.search("unsafe|--fit|view|html|ruling|diff [AB]", call))
QUICK = tuple(call for call in CALLS if call not in SLOW)


def finds(given: Input, rng: Random, ways: Ways, calls: Sequence[str] = tuple(CALLS)) -> Iterator[Find]:
    """What does not hold of one input, in these calls and altogether."""
    size, events, records = unpacked(given.data), 0, []
    try:
        with at_most(CAPS["check"] + MARGIN * BYTE * size):
            records = _records(given.data, given.name)
            events = sum(len(deal.events) for record in records for deal in record.deals)
    except TooLong as error:
        yield Find("read", "too long", str(error))
    except Exception as error:
        yield Find("read", f"raises {type(error).__name__}", repr(error)[:500])
    more = MARGIN * (EVENT * events + BYTE * size)
    if given.due is not None and len(records) != 1:
        yield Find("read", "is no record", given.name)
    for record in records[:3]:
        yield from of_record(record, given.due, ways, CAPS["check"] * 3 + more)
    files = {"A": given.name, "B": f"b{given.name[1:]}", "O": "out"}
    there = {"A": given.data, "B": given.data if given.other is None else given.other}
    if Path(given.name).suffix in BESIDE:
        files, there = {"A": KNOWN.name, "B": given.name, "O": "out"}, {"A": KNOWN.read_bytes(), "B": given.data}
    with TemporaryDirectory(prefix="fuzz-") as folder, chdir(folder):
        for letter, data in there.items():
            Path(files[letter]).write_bytes(data)
        for call in calls:
            if call == "check @A" and _leads_away(there["A"]):
                continue
            slow = SEARCHING if call in SLOW else CAPS.get(call.split()[0], CAPS["check"])
            yield from tried(call, files, slow + more, rng, there["A"])


def some_calls(rng: Random) -> tuple[str, ...]:
    """The calls that an input is tried with: now and then all there are."""
    return tuple(CALLS) if rng.random() < 0.003 else (*rng.sample(QUICK, 3), *rng.sample(SLOW, rng.random() < 0.15))


class Caught(NamedTuple):
    """A find, with the input of which number it is, as small as it got."""

    number: int
    given: Input
    find: Find


def case(seed: str, number: int, ways: Ways) -> Iterator[Caught]:
    """What does not hold of the input of this number."""
    rng = Random(f"{seed}:{number}")
    try:
        given = an_input(rng)
    except Exception as error:  # a record that cannot be dealt or written down
        yield Caught(number, Input("a", b""), Find("input", f"raises {type(error).__name__}", repr(error)))
        return
    for find in finds(given, rng, ways, some_calls(rng)):
        yield Caught(number, given, find)


def hunt(seed: str, numbers: Iterable[int], minutes: float, ways: Ways, many: int = 20) -> tuple[int, list[Caught]]:
    """Try the inputs of these numbers until the time is over, or so many faults are found; how many, and one input of each."""
    end, caught, tries = monotonic() + 60 * minutes, dict[tuple[str, str], Caught](), 0
    for number in numbers:
        if monotonic() > end or len(caught) >= many:
            break
        tries += 1
        before = SECONDS.copy()
        for one in case(seed, number, ways):
            if one.find.kind not in caught:
                caught[one.find.kind] = one._replace(given=smaller(one.given, one.find, ways))
        SLOWEST.update({call: number for call, seconds in SECONDS.items() if seconds > before.get(call, 0)})
    return tries, list(caught.values())


# --- making finds small -----------------------------------------------------------------------------------------------

#: Seconds for which a find is made smaller.
PATIENCE = 30


def smaller(given: Input, find: Find, ways: Ways) -> Input:
    """The input with as much of it left out as can be, so that the same still does not hold."""
    end = monotonic() + PATIENCE
    calls = (find.call,) if find.call in CALLS else ()

    def still(data: bytes) -> bool:
        other = given._replace(data=data)
        return any(one.kind == find.kind for seed in range(3) for one in finds(other, Random(seed), ways, calls))

    if find.what == "too long" or not still(given.data):  # words that were chosen matter: it stays as it is
        return given
    for pieces in (_of_json, _of_lines, _of_bytes):
        given = given._replace(data=_without(given.data, pieces, still, end))
    return given


Cut = Callable[[bytes], Iterator[bytes]]


def _without(data: bytes, cuts: Cut, still: Callable[[bytes], bool], end: float) -> bytes:
    """The data after all cuts that can be made, one after another, until nothing more can be cut."""
    cutting = True
    while cutting and monotonic() < end:
        cutting = False
        for shorter in cuts(data):
            if monotonic() > end:
                break
            if len(shorter) < len(data) and still(shorter):
                data, cutting = shorter, True
                break
    return data


def _of_json(data: bytes) -> Iterator[bytes]:
    """The document without one of its parts, the largest first, or half of a list."""
    try:
        document = json.loads(data)
    except (ValueError, RecursionError):
        return
    yield json.dumps(document).encode()
    for holder, key in sorted(holders(document), key=lambda pair: -len(repr(pair[0][pair[1]]))):
        value = holder[key]
        if isinstance(value, list) and len(value) > 3:
            for half in (value[: len(value) // 2], value[len(value) // 2 :]):
                holder[key] = half
                yield json.dumps(document).encode()
                holder[key] = value
        rest = list(holder.items()) if isinstance(holder, dict) else list(holder)
        del holder[key]
        yield json.dumps(document).encode()
        holder.clear()
        holder.update(rest) if isinstance(holder, dict) else holder.extend(rest)


def _of_lines(data: bytes) -> Iterator[bytes]:
    """The text without some of its lines."""
    yield from (b"".join(part) for part in _of(data.splitlines(keepends=True)))


def _of_bytes(data: bytes) -> Iterator[bytes]:
    """The bytes without some."""
    yield from map(bytes, _of(data))


def _of(whole: Any) -> Iterator[Any]:
    size = len(whole)
    while size := size // 2:
        for start in range(0, len(whole), size):
            yield [*whole[:start], *whole[start + size :]]
