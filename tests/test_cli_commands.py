"""The command line: score, explain, schema, fmt, deal, digest; and progress."""

from __future__ import annotations

import gzip
import io
import json
import re
import sys
from pathlib import Path
from typing import Any

import pytest

from handrec.cli import files
from handrec.cli.progress import Progress
from tests.commands import CLEAN, NOTE, REVOKE, Handrec, fixture, written

# --- the other commands ---------------------------------------------------------------------------------------------


def test_score_compares(handrec: Handrec) -> None:
    """0 if every number agrees, 1 if one differs, and it says which."""
    assert handrec("score", fixture(CLEAN)) == (0, "kbabs-1-1: kbabs, 9 deals\n  every number recorded agrees\n", "")
    code, out, _ = handrec("score", fixture("broken/kbabs/KB-6.1-SCO001.handrec.json"))
    assert code == 1
    assert "  SCO001  deal " in out
    code, out, _ = handrec("score", fixture("clean"), "--sheet")
    assert code == 0
    assert max(map(len, out.splitlines())) <= 80


def test_explain(handrec: Handrec) -> None:
    """Names in any case; the list is a line each; JSON is one document; everything fits 80 columns."""
    assert handrec("explain", "rev001") == handrec("explain", "REV001")
    code, out, _ = handrec("explain", "REV001", "KB-5.2", "kbabs", "ladder", "L4")
    assert code == 0
    assert "Follow the suit led" in out
    listed = handrec("explain", "--list")[1]
    assert {"REV001", "KB-5.2", "kbabs.ladder", "FMT001"} <= {line.split()[0] for line in listed.splitlines()}
    assert max(map(len, (out + listed).splitlines())) <= 80
    assert json.loads(handrec("explain", "REV001", "-f", "json")[1])[0]["code"] == "REV001"
    assert json.loads(handrec("explain", "-f", "json")[1])
    code, out, _ = handrec("explain")
    assert code == 0
    assert out.endswith("handrec explain NAME... tells more; --list shows every name.\n")


def test_schema(handrec: Handrec) -> None:
    """What is written is what is printed, and agrees with itself; an older copy is not overwritten."""
    out = handrec("schema")[1]
    assert handrec("schema", "--write", ".") == (0, "", "wrote record-1.1.schema.json\n")
    assert Path("record-1.1.schema.json").read_text("utf-8") == out
    assert handrec("schema", "--check", ".") == (0, "", "")
    assert handrec("schema", "--write", ".") == (0, "", "")
    written("record-1.1.schema.json", b"\xff")
    assert handrec("schema", "--check", ".") == (1, "record-1.1.schema.json is not the schema of version 1.1\n", "")
    assert handrec("schema", "--write", ".")[0] == 2
    assert Path("record-1.1.schema.json").read_bytes() == b"\xff"


def test_fmt(handrec: Handrec) -> None:
    """It writes once and then finds nothing to do; --check and --diff write nothing."""
    clean = Path(fixture(CLEAN)).read_text("utf-8")
    squeezed = json.dumps(json.loads(clean))
    written("a b.json", squeezed)
    assert handrec("fmt", "--check", ".") == (1, "would lay out a b.json\n", "1 file would be laid out anew\n")
    code, out, _ = handrec("fmt", "--diff", "a b.json")
    assert (code, out.startswith("--- a b.json\n+++ a b.json\n@@ ")) == (1, True)
    assert Path("a b.json").read_text("utf-8") == squeezed
    assert handrec("fmt", "a b.json") == (0, "", "1 file laid out anew\n")
    assert Path("a b.json").read_text("utf-8") == clean
    assert handrec("fmt", "a b.json") == handrec("fmt", "--check", "a b.json") == (0, "", "")
    assert handrec("fmt", "-", stdin=json.dumps(json.loads(clean), indent=1).encode()) == (0, clean, "")


def test_fmt_writes_no_file_that_has_changed_since_it_was_read(handrec: Handrec, monkeypatch: pytest.MonkeyPatch) -> None:
    """What somebody wrote in the meantime is not lost, and that is said."""
    written("a.json", json.dumps(json.loads(Path(fixture(CLEAN)).read_text("utf-8"))))
    lay_out = files._laid_out

    def slow(*given: Any) -> str | None:
        new = lay_out(*given)
        written("a.json", "theirs")
        return new

    monkeypatch.setattr(files, "_laid_out", slow)
    assert handrec("fmt", "a.json") == (2, "", "handrec: a.json: it has changed since it was read; nothing was written\n")
    assert Path("a.json").read_text() == "theirs"
    assert [path.name for path in Path().iterdir()] == ["a.json"]


def test_fmt_leaves_alone_what_it_cannot_lay_out(handrec: Handrec) -> None:
    """Links, packed files and what is no record stay as they are, and the files after them are still laid out."""
    squeezed = json.dumps(json.loads(Path(fixture(CLEAN)).read_text("utf-8"))).encode()
    written("a.json", squeezed)
    Path("link.json").symlink_to("a.json")
    written("p.jsonl.gz", gzip.compress(squeezed))
    written("broken.json", '{"format"')
    code, out, err = handrec("fmt", "link.json", "p.jsonl.gz", "broken.json", "a.json")
    assert code == 2
    assert out.startswith("broken.json:1:10: FMT001 ")
    assert err.splitlines() == [
        "handrec: link.json: will not write through a symbolic link",
        "handrec: p.jsonl.gz: only JSON and JSON Lines that are not packed are laid out",
        "1 file laid out anew",
    ]
    assert handrec("fmt", "broken.json")[0] == 2  # nothing that could be checked
    assert handrec("fmt", "broken.json", "a.json")[0] == 1


def test_deal(handrec: Handrec) -> None:
    """The same seed gives the same game; what is dealt is clean, or has exactly the fault that was asked for."""
    once = handrec("deal", "kbabs", "--seed", "7", "--deals", "2", "--option", "ladder=down")
    assert once == handrec("deal", "kbabs", "--seed", "7", "--deals", "2", "--option", "ladder=down")
    assert once != handrec("deal", "kbabs", "--seed", "8", "--deals", "2", "--option", "ladder=down")
    assert handrec("check", "-q", "-", stdin=once[1].encode()) == (0, "", "")
    faulty = handrec("deal", "bridge", "--inject", "rev001", "--number", "3")[1]
    code, out, _ = handrec("check", "-q", "-", stdin=faulty.encode())
    assert (code, out.count("\n"), "REV001" in out) == (1, 1, True)
    assert len(handrec("deal", "bridge", "-n", "3", "--number", "1")[1].splitlines()) == 3


def test_what_is_dealt_can_be_read_by_the_name_it_has(handrec: Handrec) -> None:
    """Several games go into a file that holds many; a name that says another format is refused, and nothing is written."""
    for count, name, lines in (("2", "many.jsonl", 2), ("1", "one.jsonl", 1), ("2", "many", 2), ("1", "one.json", 0)):
        assert handrec("deal", "bridge", "-n", count, "--number", "1", "-o", name)[0] == 0
        assert handrec("check", "-q", name) == (0, "", "")
        assert not lines or len(Path(name).read_text().splitlines()) == lines
    for count, name in (("2", "a.json"), ("1", "a.pbn"), ("1", "a.JSONL.gz"), ("1", "a.hrt")):
        code, _, told = handrec("deal", "bridge", "-n", count, "--number", "1", "-o", name)
        assert (code, told.count("\n")) == (2, 1)
        assert not Path(name).exists()


def test_digest_is_of_the_facts(handrec: Handrec) -> None:
    """However a deal is written down, it has one digest."""
    lines = handrec("digest", fixture(CLEAN))[1]
    assert len(lines.splitlines()) == 9
    assert all(re.fullmatch(r"hr1:[0-9a-f]{64}  kbabs-1-1  deal \d+", line) for line in lines.splitlines())
    squeezed = json.dumps(json.loads(Path(fixture(CLEAN)).read_text("utf-8")))
    assert handrec("digest", written("x.json", squeezed))[1] == lines


LIN = (
    "pn|Ann,Bo,Cy,Di|st||md|4SAKQJ5432HAKDACA2,S76HQJT9DKQJ9CKQJ,ST98H8765DT87CT98,|ah|Board 10|sv|b|rs|4SS+1|\n"
    "mb|p|mb|2C|mb|p|mb|2D|mb|p|mb|2S|mb|p|mb|4S|mb|p|mb|p|mb|p|\npc|HQ|pc|H5|pc|H2|pc|HA|pc|SA|pc|S6|mc|11|\n"
)
PBN = """[Board "10"]
[Dealer "E"]
[Vulnerable "All"]
[Deal "E:.432.65432.76543 AKQJ5432.AK.A.A2 76.QJT9.KQJ9.KQJ T98.8765.T87.T98"]
[Declarer "S"]
[Contract "4S"]
[Result "11"]
[Auction "E"]
Pass 2C Pass 2D Pass 2S Pass 4S AP
[Play "W"]
HQ H5 H2 HA
S6 - - SA
*
"""


def test_a_board_has_one_digest_in_lin_and_in_pbn(handrec: Handrec) -> None:
    """Cards in order of play and cards by seats are the same facts; so is a record of either that names no seat."""
    [lin, pbn] = (handrec("digest", written(name, text))[1] for name, text in (("a.lin", LIN), ("a.pbn", PBN)))
    assert lin.split()[0] == pbn.split()[0]
    assert handrec("convert", "a.pbn", "-o", "a.jsonl")[0] == 0
    data = json.loads(Path("a.jsonl").read_text("utf-8"))
    assert data["version"] == "1.1"
    for event in data["deals"][0]["events"]:
        if event["do"] == "play":
            del event["by"]
    assert handrec("digest", written("b.json", json.dumps(data)))[1].split()[0] == pbn.split()[0]
    other = LIN.replace("pc|S6|", "pc|S7|")
    assert handrec("digest", written("c.lin", other))[1].split()[0] != pbn.split()[0]
    assert handrec("diff", "--facts", "a.lin", "a.pbn")[0] == 0


# --- progress -------------------------------------------------------------------------------------------------------


def test_progress_shows_after_a_second_and_leaves_no_trace() -> None:
    """At most ten updates a second, and the line is blank at the end."""
    stream = io.StringIO()
    seconds = iter([0.0, *(step * 0.04 for step in range(1, 51))])
    progress = Progress(stream, lambda: next(seconds))
    assert list(progress.follow(range(50))) == list(range(50))
    updates = [part for part in stream.getvalue().split("\r") if part.strip()]
    assert updates[0].startswith("25 records checked")
    assert len(updates) == 9
    assert stream.getvalue().endswith("\r" + " " * len(updates[-1]) + "\r")


@pytest.mark.parametrize(
    ("arguments", "terminal", "told"),
    [("", True, True), ("", False, False), ("--no-progress", True, False), ("-q", True, False), ("-f json", True, False)],
)
def test_progress_is_for_terminals_and_text(
    handrec: Handrec, monkeypatch: pytest.MonkeyPatch, arguments: str, terminal: bool, told: bool
) -> None:
    """Whoever reads the output with a program never meets it."""
    monkeypatch.setattr("handrec.cli.progress.PATIENCE", -1.0)
    monkeypatch.setattr(type(sys.stderr), "isatty", lambda stream: terminal)
    code, out, err = handrec("check", *arguments.split(), "--color", "never", fixture(CLEAN))
    assert code == 0
    assert ("\r1 record checked" in err) == told
    assert err == "" or err.endswith(" \r")
    assert "\r" not in out


def test_of_a_directory_only_what_can_be_laid_out_is(handrec: Handrec) -> None:
    """Records typed by hand, archives, other documents and baselines are passed over; what is named is still refused."""
    squeezed = json.dumps(json.loads(Path(fixture(CLEAN)).read_text("utf-8")))
    written("a.json", squeezed)
    written("game.hrt", "%hrt 1\n")
    written("package.json", '{"name": "club", "files": []}')
    written("list.json", "[1, 2]")
    written("cut.json", '{"format": "handrec"')
    written("p.jsonl.gz", gzip.compress(squeezed.encode()))
    handrec("check", fixture(REVOKE), "--write-baseline", "known.json")
    for command in (("fmt", "--check"), ("migrate", "--diff")):
        code, out, err = handrec(*command, ".")
        assert code == 1
        for name in ("game.hrt", "package.json", "list.json", "p.jsonl.gz", "known.json"):
            assert name not in out + err
        assert "cut.json:1:21: FMT001" in out + err
    assert handrec("check", ".", "-q")[1].count("known.json") == 0
    assert handrec("fmt", "game.hrt")[0] == handrec("fmt", "known.json")[0] == 2
    Path("typed").mkdir()
    Path("game.hrt").rename("typed/game.hrt")
    assert handrec("fmt", "typed") == (2, "", "handrec: there was no record to lay out\n")


def test_rules_are_listed_as_people_count(handrec: Handrec) -> None:
    """SP-2 stands before SP-10."""
    rules = re.findall(r"^    SP-(\d+):", handrec("explain", "spades3")[1], re.MULTILINE)
    assert rules == sorted(rules, key=int)
    assert len(rules) > 20


def test_findings_can_be_counted_and_the_exit_code_be_0(handrec: Handrec) -> None:
    """The most frequent code first, each with its records; --exit-zero hides no trouble."""
    code, out, _ = handrec("check", fixture(REVOKE), fixture(REVOKE), fixture(NOTE), "--statistics")
    assert (code, out.splitlines()[:2]) == (
        1,
        ["2  REV001 error    revoke, in 2 records", "1  CLM005 note     penalty-unusual, in 1 record"],
    )
    assert out.splitlines()[2].startswith("Checked 3 records")
    for command in ("check", "audit"):
        assert handrec(command, fixture(REVOKE), "--exit-zero")[0] == 0
        assert handrec(command, "nofile", "--exit-zero")[0] == 2
    assert handrec("check", fixture(REVOKE), "--statistics", "-f", "json")[0] == 2
    assert handrec("audit", fixture(CLEAN), "-q", "--output", "a.json")[0] == 0
    assert Path("a.json").exists()
