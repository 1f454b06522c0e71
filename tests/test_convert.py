"""Conversion: nothing is lost between lossless formats, what another format loses is listed exactly, sheets are read as typed."""

from __future__ import annotations

import csv
import gzip
import io
import json
import lzma
import re
from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from random import Random
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from handrec import check, formats, games, load
from handrec.convert import packed, target, targets, written
from handrec.dealing import deal_game
from handrec.formats import Format, sheet
from handrec.formats.strict import MAX_FINDINGS
from handrec.record import Record
from handrec.report.losses import data as losses
from handrec.report.sheet import sheet_csv
from tests.dealing import GAMES, any_options, some_deals
from tests.differing import copied, dealt

ROOT = Path(__file__).parents[1]
FIXTURES = sorted((ROOT / "fixtures").rglob("*.handrec.json"))
CLEAN = [path for path in FIXTURES if "clean" in path.relative_to(ROOT).parts]
LOSSLESS = ("json", "jsonl", "hrt")
SHEETS = ("csv", "tsv")
NAMES = ("a.json", "a.jsonl", "a.jsonl.gz", "a.jsonl.xz", "a.hrt")


def kind_of(key: str) -> Format:
    """The format of a key."""
    kind = targets()[key]
    assert isinstance(kind, Format)
    return kind


def through(record: Record, name: str) -> Record:
    """The record after it was written to a file of this name, and read."""
    kind = target(name)
    assert isinstance(kind, Format)
    text, rows = written(record, kind)
    assert rows == ()
    (reading,) = formats.read(b"".join(packed([text], name)), name)
    assert reading.record is not None
    return reading.record


# --- round trips ----------------------------------------------------------------------------------------------------


@settings(max_examples=30, deadline=None, derandomize=True)
@given(st.integers(0, 10_000), st.sampled_from(NAMES), st.sampled_from(NAMES))
def test_a_game_goes_from_format_to_format_and_comes_back_the_same(seed: int, one: str, other: str) -> None:
    record = dealt(seed, 1)
    there = through(through(record, one), other)
    assert copied(there) == copied(record)
    assert there == record


@pytest.mark.some(20)
@pytest.mark.parametrize("path", [*CLEAN, *FIXTURES[::6]], ids=lambda path: path.name)
def test_fixtures_survive(path: Path) -> None:
    reading = next(formats.read(path.read_bytes(), path.name))
    if reading.record is not None:
        assert copied(through(through(reading.record, "a.hrt"), "a.jsonl.xz")) == copied(reading.record)


def test_packing_writes_no_time_and_unpacks_as_others_do() -> None:
    texts = ["one\n", "two\n"]
    for name, unpack in (("a.gz", gzip.decompress), ("a.xz", lzma.decompress), ("a.jsonl", bytes)):
        data = b"".join(packed(iter(texts), name))
        assert unpack(data) == b"one\ntwo\n"
        assert data == b"".join(packed(iter(texts), name))
    assert b"".join(packed(texts, "a.gz"))[4:8] == b"\0" * 4  # where gzip keeps the time


# --- losses ---------------------------------------------------------------------------------------------------------


def stated(record: Record) -> Any:
    """Plain values with the statuses that hold when none is said."""
    data = {"status": "complete"} | copied(record)
    return data | {"deals": [{"status": "complete"} | deal for deal in data["deals"]]}


def things(data: Any, path: str = "") -> Iterator[tuple[str, str]]:
    """Every single thing that plain values say, by path; a hand, a list of cards and an event are one thing each."""
    parts = path.split("/")
    whole = isinstance(data, list) and data and all(isinstance(part, str) for part in data) and parts[-1] != "winners"
    if path in ("/options", "/extensions") and not data:
        return
    if parts[-2:-1] in (["events"], ["comments"]) or (parts[1:2] in (["players"], ["extensions"]) and len(parts) == 3):
        whole = True
    if isinstance(data, dict) and data and not whole:
        for key, value in data.items():
            yield from things(value, f"{path}/{key}")
    elif isinstance(data, list) and data and not whole and path != "/claimed/winners":
        for place, value in enumerate(data):
            yield from things(value, f"{path}/{place}")
    elif data != [] or parts[-1] not in ("events", "deals"):
        yield path, json.dumps(data, sort_keys=True)


@pytest.mark.some(17)
@pytest.mark.parametrize("key", SHEETS)
@pytest.mark.parametrize("path", CLEAN, ids=lambda path: path.name)
def test_what_is_listed_is_what_plain_dicts_differ_in(path: Path, key: str) -> None:
    """Neither more nor less: each thing of the record that the sheet read back does not say, under the same pointer."""
    record = load(path)
    kind = kind_of(key)
    text, rows = written(record, kind)
    back = next(kind.read(text.encode(), "x")).record
    assert back is not None
    before, after = (dict(things(stated(one))) for one in (record, back))
    listed = losses("x", rows)
    assert Counter(row["pointer"] for row in listed) == Counter(place for place in before if before[place] != after.get(place))
    assert not set(after) - set(before)  # a sheet invents nothing
    for row in listed:
        assert json.dumps(row["value"], sort_keys=True) == before[row["pointer"]]
        assert ("becomes" in row) == (row["pointer"] in after)


def test_a_loss_that_is_no_whole_thing_is_told_with_what_it_becomes() -> None:
    """Two comments become one, and their authors are not said."""
    data = copied(load(ROOT / "fixtures/clean/partial/score-sheet-only.handrec.json"))
    data["deals"][0]["comments"] = [{"text": "late", "by": "Ann"}, {"text": "=1+1"}]
    data["players"][0]["name"] = "\u202eeve"
    told = losses("x", written(Record.model_validate(data), kind_of("csv"))[1])
    assert {row["pointer"]: row.get("becomes") for row in told} == {
        "/deals/0/comments/0": None,
        "/deals/0/comments/1": {"text": "late; =1+1"},
        "/players/0/name": "\\u202eeve",
        "/id": None,
        "/provenance/kind": None,
        "/provenance/tool": None,
    }


# --- sheets ---------------------------------------------------------------------------------------------------------


def sheet_of(text: str | bytes, game: str | None = "kbabs") -> Record:
    """The record of a sheet that can be read."""
    (reading,) = sheet.read(text if isinstance(text, bytes) else text.encode(), "s.csv", game)
    assert reading.record is not None, [finding.message for finding in reading.findings]
    return reading.record


def faults(text: str | bytes, game: str | None = "kbabs") -> list[str]:
    """What cannot be read of a sheet: line, column, and why."""
    (reading,) = sheet.read(text if isinstance(text, bytes) else text.encode(), "s.csv", game)
    assert reading.record is None
    placed = map(reading.placed, reading.findings)
    return [f"{finding.location}: {finding.message.removeprefix('cannot be read: ')}" for finding in placed]


TYPED = "deal,dealer,Ann bid,Ann tricks,Ann points,Ann total,Bo bid,Bo tricks,Bo points,Bo total"


def test_a_typed_sheet_is_checked() -> None:
    """The bids, the tricks and the totals of a hand-typed sheet, and the finding where one is wrong."""
    good = f"handrec,kbabs\n{TYPED}\n1,Bo,3,3,19,19,0,10,-100,-100\n2,Ann,0,2,-4,15,board,10,60,-40\n"
    found = {finding.pointer for finding in check(sheet_of(good)).findings}
    bad = {finding.pointer for finding in check(sheet_of(good.replace(",15,board", ",16,board"))).findings}
    assert bad - found == {"/deals/1/claimed/totals/Ann"}


@pytest.mark.parametrize("path", [path for path in CLEAN if "rubber" not in path.name], ids=lambda path: path.name)
def test_both_sheets_of_a_clean_record_are_clean(path: Path) -> None:
    """The sheet of what was written down, and the official one, which is recomputed and does not name its game."""
    record = load(path)
    assert check(sheet_of(sheet.write(record), None)).findings == ()
    verdict = check(record)
    (reading,) = sheet.read(sheet_csv(record, verdict).encode(), "s.csv", record.game, record.options)
    assert reading.record is not None
    codes = {finding.code for finding in check(reading.record).findings}
    assert codes <= {"FMT021"}  # the official sheet says nothing of the game's status
    if verdict.winners is not None:
        assert reading.record.claimed is not None
        seats = dict(zip([player.seat for player in reading.record.players], record.players, strict=True))
        assert [seats[seat].seat for seat in reading.record.claimed.winners or ()] == list(verdict.winners)


def test_spreadsheets_write_in_many_ways() -> None:
    """Commas, semicolons, tabs, byte order marks, `sep=`, ends of lines, quotes, empty lines and columns: the same sheet."""
    plain = f'{TYPED},remarks\n1,Bo,3,3,19,19,0,10,-4,-4,"a ""b"""\n'
    record = sheet_of(plain)
    rows = list(csv.reader(io.StringIO(plain)))
    for mark in ",;\t":
        out = io.StringIO()
        csv.writer(out, delimiter=mark, quoting=csv.QUOTE_ALL, lineterminator="\r\n").writerows([*rows, [""] * 11])
        text = out.getvalue()
        for data in (text.encode(), text.encode("utf-8-sig"), text.encode("utf-16"), f"sep={mark}\r\n{text}".encode()):
            assert sheet_of(data) == record
    assert sheet_of(plain.replace("-4", "−4").replace(",3,3", ", +3 ,3")) == record
    assert sheet_of(plain.replace("points", "Score").replace("tricks", "books").replace(",0,", ",0 ,")) == record


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ("", "s.csv:1:1: a line of headings is expected, such as deal,dealer,N bid,N tricks,N points,N total"),
        ("deal,A bid,wibble\n1,2,3", "s.csv:1:12: no column wibble is known"),
        ("deal,A bid,A bid\n", "s.csv:1:12: column A bid stands here for the second time"),
        ("deal,A tricks\n1,2\n2,x", "s.csv:3:3: a whole number is expected, not x"),
        ("deal;A tricks\r\n1;1,0", "s.csv:2:3: a whole number is expected, not 1,0"),
        ("deal,A tricks\n1,2.0", "s.csv:2:3: a whole number is expected, not 2.0"),
        ("deal,A tricks\n1,2,3", "s.csv:2:5: this stands in a column without heading"),
        ("deal,,A tricks\n1,2,3", "s.csv:2:3: this stands in a column without heading"),
        ("deal," + ",".join(f"A{n} bid" for n in range(65)), "s.csv:1:1: there are columns for 65 players; 64 are the most"),
        ("deal,dealer,A bid\n1,Eve,2", "s.csv:2:3: no player is called Eve (there are: A)"),
        ('deal,A bid\n1,"2', "s.csv:2:3: the cell that begins here has no closing quote"),
        ('deal,A bid\n1,"2"3', "s.csv:2:6: a cell ends with its closing quote, but '3' follows"),
        ("line,deal,A bid\nbonus,1,2", "s.csv:2:1: a line is a deal, a penalty or the total, not bonus"),
        ("line,deal,A points\npenalty,1,2", "s.csv:2:1: a penalty stands below its deal, but there is none before it"),
        ("line,A bid,remarks\ntotal,,Winner: Eve", "s.csv:2:8: the winner is no player's name (there are: A)"),
        ("handrec,kbabs,{x\ndeal,A bid", "s.csv:1:15: options are JSON in quotes"),
        ("handrec,kbabs,[]\ndeal,A bid", "s.csv:1:15: /options: should be an object, not a list"),
        ("deal,A bid\n1,a b", "s.csv:2:3: /deals/0/claimed/bids/A"),
        ("deal,A total\n1,9999999999", "s.csv:2:3: /deals/0/claimed/totals/A: should be at most"),
        ("deal,A bid\n" + "1,2\n" * 5000, "s.csv:4098:1: a sheet has at most 4,096 deals"),
        (b"deal,A bid\n1,\xff", "s.csv:2:3: text is not valid Unicode: byte 0xFF is not UTF-8 here"),
    ],
)
def test_what_cannot_be_read_is_told_by_line_and_column(text: str | bytes, found: str) -> None:
    first, *_ = faults(text)
    assert first.startswith(found)


def test_a_sheet_of_too_many_cells_is_not_read_to_its_end(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("handrec.formats.sheet.cells.MAX_CELLS", 100)
    assert faults("deal,A bid\n" + "," * 200) == ["s.csv:2:99: a sheet has at most 100 cells"]


def test_a_sheet_without_a_game_says_how_to_name_it() -> None:
    assert "--game GAME" in faults("deal,A bid\n1,2\n", None)[0]


def test_no_cell_is_a_formula_and_none_is_changed_by_that() -> None:
    """Names and remarks that a spreadsheet would run are text there, and come back as they were."""
    data = copied(load(ROOT / "fixtures/clean/partial/score-sheet-only.handrec.json"))
    hostile = ["=cmd|' /C calc'!A0", "+1,5", "@x\n-y", '"=q"']
    for player, name in zip(data["players"], hostile, strict=True):
        player["name"] = name
    data["deals"][0]["comments"] = [{"text": "\t=1"}]
    for key, mark in (("csv", ","), ("tsv", "\t")):
        text, rows = written(Record.model_validate(data), kind_of(key))
        cells = [cell for row in csv.reader(io.StringIO(text), delimiter=mark) for cell in row]
        assert not [cell for cell in cells if cell.lstrip()[:1] in "=+-@" and cell and not re.fullmatch(r"-?\d+", cell)]
        assert {row.what for row in rows} == {"id", "provenance kind", "provenance tool", "comment"}  # a tab is made visible


@pytest.mark.some(2)
@pytest.mark.parametrize("many", [200, pytest.param(1000, marks=pytest.mark.long)])
@pytest.mark.parametrize("key", ["json", "jsonl", "csv", "tsv", "dds", "pbn", "lin", "parquet"])
def test_any_bytes_are_a_record_or_a_located_finding(key: str, many: int) -> None:
    """Random strings for each format: any bytes or ASCII alone, and every other one written over a part of a sound file."""
    rng, sound = Random(key), sound_bytes(key)
    for number in range(many):
        data = rng.randbytes(rng.randrange(rng.choice((5, 200))))
        if number % 4 > 1:
            data = bytes(byte % 128 for byte in data)  # else what is text would be refused for its encoding, and no further
        place = rng.randrange(len(sound))
        judge(sound[:place] + data + sound[place + len(data) :] if number % 2 else data, key)


def sound_bytes(key: str) -> bytes:
    """A sound file of a format; the typed notation has tests of its own."""
    kind = formats.chosen(b"", "x", key)
    if key == "dds":
        return b"".join((ROOT / "fixtures/bridge/three-deals.txt").read_bytes().splitlines(keepends=True)[:8])  # its first deal
    if key == "pbn":
        return (ROOT / "fixtures/bridge/club.pbn").read_bytes()[:700]
    if key == "lin":
        return (ROOT / "fixtures/bridge/club-evening.lin").read_bytes()[:700]
    if kind.pack:
        pytest.importorskip("pyarrow", reason="pyarrow is not installed: pip install 'handrec[archive]'")
        return b"".join(kind.pack([load(SCORES)]))
    return written(load(SCORES), kind)[0].encode()


@pytest.mark.parametrize("many", [200, pytest.param(1000, marks=pytest.mark.long)])
@pytest.mark.parametrize("key", [*LOSSLESS[:2], *SHEETS])
def test_any_mutated_text_is_a_record_or_a_located_finding(key: str, many: int) -> None:
    rng = Random(key)
    texts = [written(load(path), kind_of(key))[0] for path in CLEAN[-12:-4]]
    for _ in range(many):
        text = rng.choice(texts)
        cut = rng.randrange(max(1, len(text) - 400))
        text = text[:300] + text[cut : cut + 600] if key in SHEETS else text[: cut + 300][-900:]
        for _ in range(rng.randrange(1, 4)):
            place = rng.randrange(len(text) + 1)
            part = rng.choice(["", '"', ",", "\n", "\t", "{", "-9", "é", "\x00", ";", text[place - 5 : place]])
            text = text[:place] + part + text[place + rng.randrange(6) :]
        judge(text.encode(), key)


def judge(data: bytes, key: str) -> None:
    """What is read is a record, or is told with its place."""
    told = list(formats.chosen(data, "x", key).read(data, "x"))
    assert told or key != "parquet"
    for reading in told:
        found = [reading.placed(finding) for finding in reading.findings]
        assert reading.record is not None or any(finding.severity == "error" for finding in found)
        assert all(finding.location and finding.location.line for finding in found)
        assert len(found) <= MAX_FINDINGS + 2
        if reading.record is not None and games.find(reading.record.game):
            check(reading.record)


@settings(max_examples=25, deadline=None, derandomize=True)
@given(st.integers(0, 10_000))
def test_a_sheet_holds_all_that_was_claimed(seed: int) -> None:
    """Of any game dealt, with any options, nothing is lost that is claimed for a player."""
    rng = Random(seed)
    game = GAMES[seed % len(GAMES)]
    players = rng.choice([count for count in game.players if 2 < count <= 6])
    options = any_options(game, rng)
    record = deal_game(game, players, seed, options=options, numbers=some_deals(game, players, options, rng, 2))
    _, rows = written(record, kind_of("csv"))
    seats = {player.seat for player in record.players}
    assert any(deal.claimed and deal.claimed.tricks for deal in record.deals)
    assert not [row.path for row in rows if "claimed" in row.path and row.path[-1] in seats]


# --- the command ----------------------------------------------------------------------------------------------------

SCORES = ROOT / "fixtures/clean/partial/score-sheet-only.handrec.json"
PLAYED = ROOT / "fixtures/clean/kbabs-1-player.handrec.json"


@pytest.mark.parametrize("command", ["convert", "migrate"])
def test_help_shows_how(handrec: Any, command: str) -> None:
    code, out, err = handrec(command, "--help")
    assert (code, err) == (0, "")
    assert f"\n    handrec {command} " in out
    assert max(map(len, out.splitlines())) <= 80


def test_a_lossless_conversion_writes_the_file(handrec: Any) -> None:
    assert handrec("convert", PLAYED, "-o", "a.hrt") == (0, "", "wrote a.hrt\n")
    assert handrec("convert", "a.hrt", "-o", "a.jsonl.gz") == (0, "", "wrote a.jsonl.gz\n")
    assert handrec("convert", "a.jsonl.gz", "--to", "json") == (0, PLAYED.read_text("utf-8"), "")
    assert handrec("convert", "-", "-o", "-", "--to", "json", stdin=Path("a.hrt").read_bytes())[1] == PLAYED.read_text("utf-8")


def test_a_lossy_conversion_is_refused_and_says_what_is_lost(handrec: Any) -> None:
    code, out, err = handrec("convert", SCORES, "-o", "a.csv")
    assert (code, out, list(Path().iterdir())) == (1, "", [])
    assert "  id: score-sheet-only is lost\n" in err
    assert "csv does not hold 3 things" in err
    assert max(map(len, err.splitlines())) <= 80
    code, _, err = handrec("convert", SCORES, "-o", "a.csv", "--allow-lossy", "--report", "l.json")
    assert code == 0
    assert "is lost" not in err
    report = json.loads(Path("l.json").read_text("utf-8"))
    assert (report["format"], report["view"], report["written"]) == ("csv", False, True)
    assert [loss["pointer"] for loss in report["losses"]] == ["/provenance/kind", "/provenance/tool", "/id"]
    assert handrec("check", "a.csv")[0] == 0


def test_a_refused_conversion_to_standard_output_writes_nothing(handrec: Any) -> None:
    code, out, _ = handrec("convert", SCORES, "--to", "tsv")
    assert (code, out) == (1, "")


def test_nothing_is_overwritten(handrec: Any) -> None:
    Path("a.hrt").write_text("mine", "utf-8")
    for arguments in (("-o", "a.hrt"), ("-o", "b.hrt", "--report", "a.hrt")):
        code, _, err = handrec("convert", PLAYED, *arguments)
        assert (code, err) == (2, "handrec: a.hrt exists already; nothing was written\n")
    assert [path.read_text("utf-8") for path in Path().iterdir()] == ["mine"]


def test_many_records_want_a_format_that_holds_many(handrec: Any) -> None:
    for name in ("a.json", "a.csv", "a.html"):
        code, _, err = handrec("convert", PLAYED, SCORES, "-o", name, "--allow-lossy")
        assert code == 2
        assert "name a .jsonl file" in err
    for name in ("a.jsonl", "a.hrt"):
        assert handrec("convert", PLAYED, SCORES, "-o", name)[0] == 0
        read = [reading.record for reading in formats.read(Path(name).read_bytes(), name)]
        assert read == [load(PLAYED), load(SCORES)]
    assert sorted(path.name for path in Path().iterdir()) == ["a.hrt", "a.jsonl"]


def test_what_is_no_record_is_told_and_nothing_is_written(handrec: Any) -> None:
    Path("two.jsonl").write_bytes(SCORES.read_bytes().replace(b"\n", b"") + b"\n{\n")
    code, _, err = handrec("convert", "two.jsonl", "-o", "a.hrt")
    assert code == 1
    assert err.startswith("two.jsonl:2:2: FMT001 ")
    assert not Path("a.hrt").exists()
    assert handrec("convert", "nofile", SCORES, "-o", "a.hrt")[0] == 2
    assert not Path("a.hrt").exists()


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        ((), "standard output has no name: say which with --to (jsonl, "),
        (("-o", "a.doc"), "the name a.doc does not tell the format: say which with --to"),
        (("--to", "cvs"), "there is no format to convert to called cvs; did you mean csv?"),
        (("--to", "parket"), "there is no format to convert to called parket; did you mean parquet?"),
        (("--to", "json", "--game", "kbab"), "there is no game kbab; did you mean kbabs?"),
        (("--to", "json", "--option", "x=1"), "--option goes with --game GAME"),
        (("--to", "json", "--game", "kbabs", "--option", "lader=up"), "did you mean ladder?"),
        (("-o", "no/a.json"), "no/a.json: no such file or directory"),
        (("-o", "a" * 260 + ".json"), "aaa.json: file name too long"),
        (("-o", "a.json.gz", "--to", "json"), "a.json.gz: only jsonl is packed, json is not"),
        (("-o", "a.XZ", "--to", "hrt"), "a.XZ: only jsonl is packed, hrt is not"),
        (("-o", "a.jsonl", "--report", "./a.jsonl"), "the records and the report of what is lost cannot go to the same place"),
        (("--to", "json", "--report", "-"), "the records and the report of what is lost cannot go to the same place"),
    ],
)
def test_wrong_use_is_said_in_one_line(handrec: Any, arguments: tuple[str, ...], said: str) -> None:
    code, out, err = handrec("convert", SCORES, *arguments)
    assert (code, out) == (2, "")
    assert said in err
    assert err.count("\n") == 1
    assert list(Path().iterdir()) == []


def test_a_report_can_go_to_standard_output(handrec: Any) -> None:
    code, out, err = handrec("convert", SCORES, "-o", "a.csv", "--report", "-")
    assert (code, json.loads(out)["written"], len(json.loads(out)["losses"])) == (1, False, 3)
    assert "is lost" not in err
    assert handrec("convert", PLAYED, "-o", "a.jsonl", "--report", "-")[1:] == (
        '{"format":"jsonl","losses":[],"view":false,"written":true}\n',
        "wrote a.jsonl\n",
    )
    assert [path.name for path in Path().iterdir()] == ["a.jsonl"]


def test_where_the_report_cannot_be_written_nothing_is_or_what_was_is_said(handrec: Any) -> None:
    code, _, err = handrec("convert", PLAYED, "-o", "a.hrt", "--report", "no/r.json")
    assert (code, err) == (2, "handrec: no/r.json: no such file or directory\n")
    assert list(Path().iterdir()) == []
    code, _, err = handrec("convert", PLAYED, "-o", "a.hrt", "--report", "r" * 260)
    assert (code, err) == (2, f"wrote a.hrt\nhandrec: {'r' * 260}: file name too long\n")
    assert [path.name for path in Path().iterdir()] == ["a.hrt"]


def test_the_markdown_view_tells_the_whole_game_and_is_no_record(handrec: Any) -> None:
    code, text, err = handrec("convert", ROOT / "fixtures/broken/kbabs/KB-5.2-REV001.handrec.json", "--to", "markdown")
    assert (code, "reading only" in err) == (0, True)
    record = load(ROOT / "fixtures/broken/kbabs/KB-5.2-REV001.handrec.json")
    assert re.search(r"^\| deal \d+, trick \d+, \w+ +\| REV001 ", text, re.MULTILINE)
    heads = re.findall(r"^#.*", text, re.MULTILINE)
    assert heads[1:3] == ["## Scorecard", "## Findings"]
    assert len(heads) == 3 + len(record.deals)
    for deal in record.deals:
        for event in deal.events:
            assert event.do != "play" or f" {event.card} " in text
    told = [line.count("|") - line.count("\\|") for line in text.split("## Deal")[1].splitlines() if line.startswith("| ")]
    assert len(set(told)) == 2  # the table of hands and that of tricks, each of one width


def test_the_page_is_written_too(handrec: Any) -> None:
    assert handrec("convert", PLAYED, "-o", "a.html")[0] == 0
    assert Path("a.html").read_text("utf-8").lstrip().lower().startswith("<!doctype html>")


def test_a_hostile_record_is_shown_harmlessly(handrec: Any) -> None:
    hostile = ROOT / "fixtures/broken/form/PLY007-hostile-names.json"
    for key in ("markdown", "csv", "hrt", "jsonl"):
        _, out, err = handrec("convert", hostile, "--to", key, "--allow-lossy")
        assert out
        assert not re.search(r"[\x00-\x08\x0b-\x1f\x7f\u202e]", out + err)
        assert key != "markdown" or not re.search(r"(?<!\\)<", out)
