"""What is beyond a limit is refused before it costs anything, and the message names the limit."""

from __future__ import annotations

import json
import zlib
from base64 import b64encode
from importlib import import_module
from pathlib import Path

import pytest

from handrec import limits
from handrec.audit import journal
from handrec.cli import baseline, inputs
from handrec.limits import mib
from tests.commands import CLEAN, REVOKE, ROOT, Handrec, fixture, written


def test_the_limits_are_told() -> None:
    """The numbers of its table are those that hold."""
    lines = (ROOT / "handrec/help/levels.md").read_text().split("## Limits\n")[1].split("\n## ")[0].splitlines()
    rows = {cells[1].strip(): cells[2] for line in lines if len(cells := line.split("|")) == 4}
    told = {
        "a record": [
            *(mib(limits.MAX_BYTES), limits.MAX_DEPTH, limits.MAX_DEALS, limits.MAX_EVENTS, limits.MAX_FINDINGS),
            limits.MAX_STRANGERS,
        ],
        "a file of lines": [limits.MAX_FINDINGS],
        "a file that is not read line by line or as an archive": [mib(limits.MAX_FILE)],
        "standard input, and what is no file": [mib(limits.MAX_STREAM)],
        "what is packed": [
            limits.MAX_RATIO,
            *map(mib, (limits.ALWAYS, limits.MAX_UNPACKED, limits.MAX_GROUP_BYTES)),
        ],
        "typed notation; sheets; PBN; LIN; DDS, RBN": [
            limits.MAX_WORDS,
            limits.MAX_CELLS,
            limits.MAX_GAME,
            limits.MAX_LIN_VALUE,
            limits.MAX_DDS_LINE,
        ],
        "settings; a baseline; a line of an audit's journal": [
            mib(limits.MAX_SETTINGS),
            limits.MAX_KEY_PARTS,
            *map(mib, (limits.MAX_BASELINE, limits.MAX_JOURNAL_LINE, limits.MAX_RESULT)),
        ],
    }
    for row, numbers in told.items():
        for number in numbers:
            assert (f"{number:,}" if isinstance(number, int) else number) in rows[row]


def test_strangers_are_told_up_to_a_limit(handrec: Handrec) -> None:
    """Names that are no seats are told one by one, and of more than a hundred it is told that there are more, and where."""
    record = json.loads(Path(fixture(CLEAN)).read_text())
    most = limits.MAX_STRANGERS
    for many in (most, most + 1, 10 * most):
        deal = record["deals"][0] | {"claimed": {"totals": {f"x{number}": 0 for number in range(many)}}}
        written("x.json", json.dumps(record | {"deals": [deal]}))
        code, out, _ = handrec("check", "x.json")
        assert (code, out.count("FMT012"), out.count("FMT002")) == (1, most, int(many > most))
        found = json.loads(handrec("check", "-f", "json", "x.json")[1])["records"][0]["findings"]
        beyond = [each["pointer"] for each in found if each["code"] == "FMT002"]
        assert beyond == [f"/deals/0/claimed/totals/x{most}"] * (many > most)


@pytest.mark.parametrize(
    ("settings", "said"),
    [
        ("a" + ".a" * 100_000 + " = 1", "a key in it has more than 32 parts"),
        ("[" + "'a' . " * 1000 + "a]", "a key in it has more than 32 parts"),
        ("color = " + "1" * 5000, "it is no TOML"),
        ("color = 0x" + "f" * 50_000, "is a number beyond 9,007,199,254,740,991"),
        (" " * 2**20 + "\n", "it is larger than 1 MiB"),
    ],
)
def test_settings_have_limits(handrec: Handrec, settings: str, said: str) -> None:
    """Keys of very many parts, numbers of very many digits, files of very many bytes."""
    written("handrec.toml", settings)
    code, _, err = handrec("check", fixture(CLEAN))
    assert code == 2
    assert said in err
    assert "sys." not in err


def test_keys_and_sentences_that_only_look_long_are_read(handrec: Handrec) -> None:
    """Dots in other tables' texts are no parts of a key."""
    words = ". ".join(["word by word"] * 100)
    written("pyproject.toml", f'[project]\ndescription = "{words}"\n[tool.handrec]\ncolor = "never"\n')
    assert handrec("check", fixture(CLEAN))[0] == 0


def test_what_is_no_file_ends_at_a_limit(handrec: Handrec, monkeypatch: pytest.MonkeyPatch) -> None:
    """Of standard input and of devices no more is read than may be held."""
    monkeypatch.setattr(inputs, "MAX_STREAM", 2**20)
    for path, stdin in (("-", b"\n" * (2**20 + 1)), ("/dev/zero", None)):
        code, _, err = handrec("check", path, stdin=stdin)
        assert code == 2
        assert "it is larger than 1 MiB, the limit for what is no file: write it to one" in err


def test_lines_that_are_no_records_are_counted_beyond_a_limit(handrec: Handrec) -> None:
    """No record among them is passed over, all are counted and keep their numbers, and programs are told how many there are."""
    record, revoke = (
        json.dumps({key: value for key, value in json.loads(Path(fixture(name)).read_text()).items() if key != "id"})
        for name in (CLEAN, REVOKE)
    )
    escaped = record.replace('"handrec"', '"\\u0068andrec"', 1)
    wrong = record.replace('"version": "1.0"', '"version": 1', 1)
    lines = [*["x", "{}", '{"format": "handrec"}', "[]"] * 500, record, "x", "", "x", escaped, "x", wrong, revoke, "x"]
    written("x.jsonl", "\n".join(lines))
    code, out, _ = handrec("check", "x.jsonl")
    assert code == 1
    assert "Checked 2,008 records (20 deals): 2 clean, 2,006 with findings (2,006 errors)." in out
    assert "L1 in 2,005 records, " in out
    told = [line for line in out.splitlines() if line.startswith("x.jsonl:")]
    due = ["1001:1: FMT001", "2002:1: FMT001", "2006:1: FMT001", "2007:34: FMT006", "2008:917: REV001", "2009:1: FMT001"]
    assert [" ".join(line.split()[:2]) for line in told[1000:]] == [f"x.jsonl:{each}" for each in due]
    assert "no line from here to line 2,000 is a record (lines: 1,000; of a file 1,000 such are told one by one)" in told[1000]
    assert "no line from here to line 2,004 is a record (lines: 2; " in told[1001]
    found = json.loads(handrec("check", "-f", "json", "x.jsonl")[1])
    assert found["summary"]["records"] == found["summary"]["errors"] + 2 == 2008
    rest = found["records"][1000:]
    assert [one["name"] for one in rest] == [f"x.jsonl#{place}" for place in (1001, 2001, 2002, 2004, 2005, 2006, 2007, 2008)]
    assert [each["facts"].get("lines") for one in rest for each in one["findings"]] == [1000, 2, 1, None, None, 1]
    assert (
        "1 with findings (1 error), 2,005 whose findings were all left out." in handrec("check", "--ignore", "FMT", "x.jsonl")[1]
    )


def test_a_baseline_ends_at_a_limit(handrec: Handrec, monkeypatch: pytest.MonkeyPatch) -> None:
    """Also where it is a device that never ends."""
    monkeypatch.setattr(baseline, "MAX_BASELINE", 2**20)
    code, _, err = handrec("check", fixture(CLEAN), "--baseline", "/dev/zero")
    assert code == 2
    assert "it is larger than 1 MiB" in err


@pytest.mark.parametrize(
    ("body", "said"),
    [
        (b64encode(zlib.compress(b" " * 100_000)), "what came of a chunk is larger than"),
        (b64encode(zlib.compress(b"{")), "it is damaged"),
        (b64encode(b"no zlib"), "it is damaged"),
        (b"no base64", "it is damaged"),
        (b"x" * 10_000, "a line of it is larger than"),
    ],
)
def test_a_line_of_a_journal_is_what_a_chunk_can_make(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, body: bytes, said: str
) -> None:
    """A body whose checksum is right and that is something else, or unpacks beyond all measure, is told and not unpacked."""
    monkeypatch.setattr(journal, "MAX_RESULT", 2**14)
    monkeypatch.setattr(journal, "MAX_JOURNAL_LINE", 2**13)
    path, about = tmp_path / "journal", {"format": "handrec audit"}
    path.write_bytes(journal._line(json.dumps(about).encode()) + journal._line(body))
    opened = journal.Journal(path, about)
    with pytest.raises(journal.Unusable, match=said):
        list(opened.results())
    opened.close()


def test_an_archive_is_refused_before_it_unpacks_beyond_its_ratio(handrec: Handrec, monkeypatch: pytest.MonkeyPatch) -> None:
    """A cell of megabytes in a file of kilobytes is no record that anybody wrote."""
    record = json.loads(Path(fixture(CLEAN)).read_text())
    written("x.json", json.dumps(record | {"extensions": {"a": "a" * 3_000_000}}))
    assert handrec("convert", "x.json", "-o", "x.parquet")[0] == 0
    assert handrec("check", "x.parquet")[0] == 0
    monkeypatch.setattr(import_module("handrec.archive.read"), "ALWAYS", 2**20)
    code, out, _ = handrec("check", "x.parquet")
    assert code == 2
    assert "row group 0 has more than 1 MiB unpacked, the limit for its" in out
