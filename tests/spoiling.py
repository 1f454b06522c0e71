"""Inputs for the fuzzer: records in every format, spoiled fixtures, bytes, and files that lie beside records.

The same `Random` gives the same input.
"""

from __future__ import annotations

import gzip
import json
import lzma
import re
from collections.abc import Callable
from contextlib import closing
from functools import cache
from pathlib import Path
from random import Random
from tempfile import TemporaryDirectory
from typing import NamedTuple

from handrec import __version__, audit, formats
from handrec.archive import write as archived
from handrec.audit.journal import identity
from tests.distorting import ANYWHERE, Data, dealt, distorted, valid

FIXTURES = Path(__file__).parents[1] / "fixtures"
#: What lies beside an input that is no record.
KNOWN = FIXTURES / "clean/one-deal.handrec.json"


class Input(NamedTuple):
    """A file's name and bytes; the codes that must be found in it, where they are known; what to compare it with."""

    name: str
    data: bytes
    due: tuple[str, ...] | None = None
    other: bytes | None = None


# --- records in every format ------------------------------------------------------------------------------------------


def _json(records: list[Data], rng: Random) -> bytes:
    return json.dumps(records[0], indent=rng.choice([None, 1]), ensure_ascii=rng.random() < 0.5).encode("utf-8", "surrogatepass")


def _lines(records: list[Data], rng: Random) -> bytes:
    return b"".join(json.dumps(record).encode() + rng.choice([b"\n", b"\n\n", b"\r\n"]) for record in records)


def _by(key: str) -> Callable[[list[Data], Random], bytes]:
    def written(records: list[Data], rng: Random) -> bytes:
        kind, record = formats.by_key(key), valid(records[0])
        assert kind.write is not None
        return kind.write(record).encode() if record else _json(records, rng)

    return written


def _parquet(records: list[Data], rng: Random) -> bytes:
    return b"".join(archived([record for data in records if (record := valid(data))]))


#: How records are put down, by how the file is called; what holds one record is given the first.
WRITERS: dict[str, Callable[[list[Data], Random], bytes]] = {
    "a.handrec.json": _json,
    "a.jsonl": _lines,
    "a.jsonl.gz": lambda records, rng: gzip.compress(_lines(records, rng), mtime=0),
    "a.jsonl.xz": lambda records, rng: lzma.compress(_lines(records, rng), preset=0),
    "a.hrt": _by("hrt"),
    "a.csv": _by("csv"),
    "a.tsv": _by("tsv"),
    "a.parquet": _parquet,
}


def true_record(rng: Random) -> Input:
    """A record as it was dealt: nothing is found in it, or exactly what was planted."""
    data, due = dealt(rng)
    name = rng.choice(["a.handrec.json", "a.handrec.json", "a.jsonl", "a.hrt", "a.parquet"])
    return Input(name, WRITERS[name]([data], rng), due)


def distorted_record(rng: Random) -> Input:
    """Records with a few things changed."""
    record = dealt(rng)[0]
    name = rng.choice(list(WRITERS) if rng.random() < 0.3 else ["a.handrec.json"])
    many = 1 if name in ("a.handrec.json", "a.hrt", "a.csv", "a.tsv") else rng.randrange(1, 4)
    before = WRITERS[name]([record] * many, rng)
    return Input(name, WRITERS[name]([distorted(record, rng, rng.choice([1, 1, 2, 4])) for _ in range(many)], rng), None, before)


# --- fixtures and bytes -----------------------------------------------------------------------------------------------

#: Pieces of text that mean something to one format or another.
TOKENS = (
    *(bytes([char]) for char in b'"{[]}:,|\n\r\t%;-+*=?!#\\\0\xff\xc3'),
    *(b"\xed\xa0\x80", b"\xef\xbb\xbf", b"\\ud800", b"1e999", b"NaN", b"-0", b"1.0", b"null", b"true", b"9" * 30, b"9" * 5000),
    *(b"[" * 40, b'{"a":' * 40, b"[" * 100_000, b'"x":1,"x":2,', b"\x1b[31m", "\u202e\u2028é".encode(), b"\r\n" * 50),
    *b"AS 10D pass AP md| pc| mc|14| [Play [Contract $1 ^S {c} PBN: W: =1+1 <b>fuzz</b> ::error::fuzz".split(),
)


def cut(data: bytes, rng: Random) -> bytes:
    """A piece is gone."""
    start = rng.randrange(len(data) + 1)
    return data[:start] + data[start + rng.choice([1, 2, 10, 100, len(data)]) :]


def doubled(data: bytes, rng: Random) -> bytes:
    """A piece stands twice."""
    start = rng.randrange(len(data) + 1)
    piece = data[start : start + rng.choice([1, 5, 50, 500])]
    return data[:start] + piece * rng.choice([2, 2, 10]) + data[start + len(piece) :]


def put_in(data: bytes, rng: Random) -> bytes:
    """A token more, or in place of something."""
    start = rng.randrange(len(data) + 1)
    return data[:start] + rng.choice(TOKENS) + data[start + rng.choice([0, 1, 4]) :]


def flipped(data: bytes, rng: Random) -> bytes:
    """A byte is another."""
    start = rng.randrange(len(data) + 1)
    return data[:start] + bytes([rng.randrange(256)]) + data[start + 1 :]


def lines_mixed(data: bytes, rng: Random) -> bytes:
    """A line is gone, stands twice, or stands elsewhere."""
    lines = data.splitlines(keepends=True)
    line = lines.pop(rng.randrange(len(lines))) if lines else b""
    for _ in range(rng.randrange(3)):
        lines.insert(rng.randrange(len(lines) + 1), line)
    return b"".join(lines)


def reworded(data: bytes, rng: Random) -> bytes:
    """A word or number is another: one of the same text, or a token."""
    words = [*re.finditer(rb"\w+", data)]
    if not words:
        return data
    start, end = rng.choice(words).span()
    return data[:start] + rng.choice([rng.choice(words)[0], rng.choice(TOKENS)]) + data[end:]


def recoded(data: bytes, rng: Random) -> bytes:
    """The text is written in another way."""
    text = data.decode("utf-8", "replace")
    coding = rng.choice(["utf-16", "utf-16-le", "utf-32", "cp1252", "utf-8-sig", "shift-jis"])
    return rng.choice([text.encode(coding, "replace"), data.replace(b"\n", b"\r\n"), data.replace(b"\n", b"\r"), data.swapcase()])


SPOILERS: tuple[Callable[[bytes, Random], bytes], ...] = (
    *(cut, doubled, put_in, put_in, flipped, lines_mixed, lines_mixed, recoded, reworded, reworded, reworded),
)


def spoiled(data: bytes, rng: Random, many: int) -> bytes:
    """The bytes with so much done to them."""
    for _ in range(many):
        data = rng.choice(SPOILERS)(data, rng)
    return data


@cache
def fixtures() -> dict[str, list[tuple[str, bytes]]]:
    """The fixtures that are read, small enough to be read often, by how they are called."""
    found: dict[str, list[tuple[str, bytes]]] = {}
    for path in sorted(FIXTURES.rglob("*")):
        known = path.suffix in (".json", ".jsonl", ".hrt", ".pbn", ".lin", ".parquet") or path.name == "three-deals.txt"
        if known and (path.stat().st_size < 20_000 or path.suffix == ".parquet"):
            found.setdefault(path.suffix, []).append((path.name, path.read_bytes()))
    return found


def a_fixture(rng: Random, *suffixes: str) -> tuple[str, bytes]:
    """A fixture; each format as often as any other."""
    name, data = rng.choice(fixtures()[rng.choice(suffixes or tuple(fixtures()))])
    return f"a{Path(name).suffix}", data


def spoiled_fixture(rng: Random) -> Input:
    """A fixture of any format, its bytes spoiled; text is packed now and then, and a packed file spoiled too."""
    name, data = a_fixture(rng)
    data = spoiled(data, rng, rng.choice([1, 1, 2, 5]))
    if name.endswith((".json", ".jsonl")) and rng.random() < 0.1:
        name, data = rng.choice([("a.jsonl.gz", gzip.compress(data, mtime=0)), ("a.jsonl.xz", lzma.compress(data, preset=0))])
        data = spoiled(data, rng, rng.choice([0, 1]))
    return Input(name, data)


def distorted_fixture(rng: Random) -> Input:
    """A fixture in JSON with a few things changed."""
    while True:
        name, data = a_fixture(rng, ".json")
        try:
            record = json.loads(data)
        except ValueError:
            continue
        if isinstance(record, dict):
            return Input(name, _json([distorted(record, rng, rng.choice([1, 2, 4]))], rng), None, data)


def spoiled_record(rng: Random) -> Input:
    """A record in any format, its bytes spoiled."""
    found = distorted_record(rng)
    return found._replace(data=spoiled(found.data, rng, rng.choice([1, 2, 4])))


def odd_bytes(rng: Random) -> Input:
    """Bytes of any kind, under the name of any format."""
    name = rng.choice([*WRITERS, "a.pbn", "a.lin", "a.txt", "a.json", "a"])
    pieces = [
        rng.choice(TOKENS) if rng.random() < 0.7 else rng.randbytes(rng.randrange(20)) for _ in range(rng.choice([0, 1, 5, 30]))
    ]
    return Input(
        name,
        rng.choice([b"", b"%hrt 1\n", b"PAR1", b"\x1f\x8b\x08\0", b"\xfd7zXZ\0", b"% PBN 2.1\n", b"deal,", b"{"])
        + b"".join(pieces),
    )


# --- files beside the records -----------------------------------------------------------------------------------------

SETTINGS = b"""format = "json"
ignore = ["REV", "SCO001"]
[check]
fail-on = "warning"
quiet = 1
[replay]
format = "text"
"""


def settings(rng: Random) -> Input:
    """A settings file, whole or spoiled."""
    return Input("handrec.toml", spoiled(SETTINGS, rng, rng.choice([0, 1, 2, 4])))


def baseline(rng: Random) -> Input:
    """A baseline, spoiled or distorted."""
    known = {"record": "a", "code": "REV001", "at": "/deals/0", "trick": 1, "seat": "N"}
    whole = {"format": "handrec.baseline", "version": 1, "findings": [known, known]}
    whole = distorted(whole, rng, rng.randrange(3), ANYWHERE)
    return Input("a.baseline", spoiled(json.dumps(whole).encode(), rng, rng.choice([0, 0, 1])))


def journal(rng: Random) -> Input:
    """The journal of an audit of `KNOWN` on standard input: its checksums right, its bodies distorted."""
    inputs = [audit.Input("<stdin>", data=KNOWN.read_bytes())]
    result = json.loads(json.dumps(audit.judge(next(audit.chunks(inputs, lambda name, why: None)))))
    result = distorted(result, rng, rng.randrange(3), ANYWHERE)
    with TemporaryDirectory() as folder:
        path = Path(folder) / "a.state"
        with closing(audit.Journal(path, identity(inputs, __version__))) as kept:
            kept.put(result)
        return Input(path.name, spoiled(path.read_bytes(), rng, rng.choice([0, 0, 1])))


#: Where inputs come from, with how often.
SOURCES: dict[Callable[[Random], Input], int] = {
    true_record: 3,
    distorted_record: 8,
    distorted_fixture: 3,
    spoiled_fixture: 8,
    spoiled_record: 1,
    odd_bytes: 1,
    settings: 1,
    baseline: 1,
    journal: 1,
}


def an_input(rng: Random) -> Input:
    """Any input."""
    [source] = rng.choices([*SOURCES], [*SOURCES.values()])
    return source(rng)
