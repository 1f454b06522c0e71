"""What may be trusted: settings that lie about, paths that are empty, files in another encoding, and what is no record."""

from __future__ import annotations

import json
import os
import xml.etree.ElementTree as xml
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
import typer

from handrec.cli import config
from handrec.cli.app import app
from handrec.cli.config import NEVER
from tests.auditing import Inline
from tests.commands import CLEAN, NOTE, REVOKE, Handrec, fixture, written


@pytest.fixture(autouse=True)
def inline(monkeypatch: pytest.MonkeyPatch) -> None:
    """Audits need no other process."""
    monkeypatch.setattr("handrec.audit.Local", Inline)


# --- settings ---------------------------------------------------------------------------------------------------------

HIDES = '[check]\nignore = "REV"\n'
SAID = "ignore REV in ../handrec.toml"


@pytest.fixture
def above(handrec: Handrec, monkeypatch: pytest.MonkeyPatch) -> Callable[[str], Path]:
    """Write settings into the directory above the working directory."""
    Path("club/here").mkdir(parents=True)
    monkeypatch.chdir("club/here")

    def put(text: str) -> Path:
        Path("../handrec.toml").write_text(text, "utf-8")
        return Path("../handrec.toml")

    return put


def told_json(out: str) -> tuple[Any, ...]:
    """What the JSON report says: how many are clean, how many silenced, how much is left out, and where that is set."""
    summary = json.loads(out)["summary"]
    return summary["clean"], summary["silenced"], summary["left_out"], summary["settings"]


def test_what_settings_hide_is_counted_and_their_file_named(handrec: Handrec, above: Callable[[str], Path]) -> None:
    """A record is not clean because a file says that its findings are not to be told; every report says which file."""
    above(HIDES)
    files = fixture(CLEAN), fixture(REVOKE)
    code, out, err = handrec("check", *files)
    assert (code, err) == (0, "")
    assert out.splitlines()[:2] == [
        "Checked 2 records (11 deals): 1 clean, 1 whose findings were all left out.",
        f"Left out: 1 finding ({SAID}).",
    ]
    assert handrec("check", "-q", *files)[1] == f"Left out: 1 finding ({SAID}).\n"
    for kind in ("github", "markdown", "sarif", "junit", "json", "jsonl"):
        assert SAID in handrec("check", "-f", kind, *files)[1]
    assert told_json(handrec("check", "-f", "json", *files)[1]) == (1, 1, 1, [SAID])
    lines = [json.loads(line) for line in handrec("check", "-f", "jsonl", *files)[1].splitlines()]
    assert [(line["left_out"], line["settings"]) for line in lines] == [(0, [SAID]), (1, [SAID])]
    suite = xml.fromstring(handrec("check", "-f", "junit", *files)[1])
    assert [suite.get(count) for count in ("tests", "failures", "skipped")] == ["2", "0", "1"]
    assert [len(case.findall("skipped")) for case in suite.iter("testcase")] == [0, 1]


def test_the_command_line_and_a_baseline_hide_as_openly(handrec: Handrec) -> None:
    """What is left out is counted, whoever asked for that; a remark that is left out leaves a record clean."""
    assert (
        "0 clean, 1 whose findings were all left out.\nLeft out: 1 finding.\n"
        in handrec("check", "--select", "SCO", fixture(REVOKE))[1]
    )
    assert told_json(handrec("check", "--ignore", "CLM", "-f", "json", fixture(NOTE))[1]) == (1, 0, 1, [])
    assert told_json(handrec("check", "--ignore", "CLM", "-f", "json", fixture(REVOKE))[1]) == (0, 0, 0, [])
    handrec("check", fixture(REVOKE), "--write-baseline", "known")
    code, out, _ = handrec("check", "-f", "json", fixture(REVOKE), "--baseline", "known")
    assert (code, told_json(out)) == (0, (0, 1, 1, []))


def test_what_settings_say_that_hides_nothing_is_not_told(handrec: Handrec, above: Callable[[str], Path]) -> None:
    """What is usual, what the command line overrules, and what is set for another command."""
    above('[check]\nignore = ""\nfail-on = "error"\nverbose = true\n[audit]\nfail-on = "never"\n')
    assert "Left out" not in handrec("check", fixture(CLEAN))[1]
    above(HIDES)
    assert "Left out" not in handrec("check", "--ignore", "", fixture(CLEAN))[1]
    assert f"Left out: 0 findings ({SAID})." in handrec("verify", fixture(CLEAN))[1]


@pytest.mark.parametrize("format", ["text", "json", "markdown", "html"])
def test_an_audit_names_the_file_that_makes_its_findings_count_for_nothing(
    handrec: Handrec, above: Callable[[str], Path], format: str
) -> None:
    """In each of its formats."""
    above('[audit]\nfail-on = "never"\n')
    code, out, _ = handrec("audit", "--jobs", "1", "-f", format, fixture(REVOKE))
    assert code == 0
    assert "fail-on never in ../handrec.toml" in out


def test_settings_of_strangers_are_not_read(
    handrec: Handrec, above: Callable[[str], Path], monkeypatch: pytest.MonkeyPatch
) -> None:
    """A file whose owner, or whose directory's owner, is neither the user nor root: said once, and the next one counts."""
    path = above(HIDES).resolve()
    (path.parent / "pyproject.toml").write_text('[tool.handrec.check]\nignore = "REV"\n', "utf-8")
    (path.parent.parent / "handrec.toml").write_text('[check]\nignore = "SCO"\n', "utf-8")
    stat, strange = Path.stat, {path.parent}

    def owned(asked: Path, **how: Any) -> os.stat_result:
        found = list(stat(asked, **how))
        found[4] = os.geteuid() + 1 if asked in strange else os.geteuid()
        return os.stat_result(found)

    monkeypatch.setattr(Path, "stat", owned)
    for who in ({path.parent}, {path, path.parent / "pyproject.toml"}):
        strange = who
        code, out, err = handrec("check", fixture(REVOKE))
        assert (code, "REV001 error" in out) == (1, True)
        assert err == f"handrec: {path} is not read: it is not yours, nor root's, or its directory is not\n"
        assert "Left out: 0 findings (ignore SCO in ../../handrec.toml)." in out
    strange = set()
    assert handrec("check", fixture(REVOKE))[0] == 0


def test_nothing_connects_or_names_files_from_settings(handrec: Handrec, above: Callable[[str], Path]) -> None:
    """Every option that names a file, an engine or a scheduler, or silences a command, is refused in a file."""
    command = typer.main.get_command(app)
    places = ("FILE", "DIR", "STATE", "ADDRESS", "PATH")
    tried = 0
    for name, each in command.commands.items():  # type: ignore[attr-defined]
        for option in each.params if name != "verify" else ():
            key = option.opts[0].removeprefix("--")
            if option.param_type_name != "option" or not (option.metavar in places or key in ("engine", "quiet", "facts")):
                continue
            tried += 1
            above(f'[{name}]\n{key} = "x"\n')
            code, _, err = handrec("check", fixture(CLEAN))
            assert (code, f"there is no option of {name} {key}" in err) == (2, True), key
    assert tried > 15
    assert {"engine", "scheduler", "resume", "db", "out", "output", "report", "stdin-filename"} <= NEVER


# --- paths ------------------------------------------------------------------------------------------------------------


#: Arguments that are none.
NO_PATHS = ("what", "game", "topic")


def paths_asked_for() -> list[tuple[str, list[str]]]:
    """Every command with each of the paths it takes, empty."""
    found: list[tuple[str, list[str]]] = []
    for name, each in typer.main.get_command(app).commands.items():  # type: ignore[attr-defined]
        found += [(name, [""]) for place in each.params if place.param_type_name == "argument" and place.name not in NO_PATHS]
        for option in each.params:
            if option.param_type_name == "option" and option.metavar in ("FILE", "DIR", "STATE"):
                given = ["kbabs"] if name == "deal" else [] if name == "schema" else [fixture(CLEAN)]
                found.append((name, [*given, option.opts[0], ""]))
    return found


@pytest.mark.parametrize(("command", "given"), paths_asked_for(), ids=lambda each: each if isinstance(each, str) else "")
def test_an_empty_path_is_refused(handrec: Handrec, command: str, given: list[str]) -> None:
    """It would be the working directory, in which a command would read, or write, everything."""
    before = written("a.json", Path(fixture(REVOKE)).read_bytes().replace(b"  ", b""))
    text = Path(before).read_bytes()
    code, out, err = handrec(command, *given)
    assert (code, out) == (2, "")
    assert "an empty path names nothing" in err
    assert Path(before).read_bytes() == text
    assert [path.name for path in Path().iterdir()] == ["a.json"]


# --- what is no record ------------------------------------------------------------------------------------------------

NO_RECORDS = {
    "noise": bytes((37 * number * number + 11) % 256 for number in range(2000)),
    "utf-16": Path(fixture(CLEAN)).read_text("utf-8").encode("utf-16"),
    "utf-16 without a mark": Path(fixture(CLEAN)).read_text("utf-8").encode("utf-16-be"),
    "code page": Path(fixture(CLEAN)).read_text("utf-8").replace('"format"', '"ä": 1, "format"').encode("cp1252"),
    "another document": b'{"name": "left-pad", "version": "1.0.0"}',
    "a list": b"[]",
    "nothing": b"",
}
ONE_RECORD = {
    **{name: [name] for name in ("replay", "ruling", "infer", "fmt", "digest", "score", "check", "migrate")},
    "view": ["view", "-o", "page.html"],
    "convert": ["convert", "-o", "out.hrt"],
    "diff": ["diff", fixture(CLEAN)],
    "audit": ["audit", "--jobs", "1"],
}


@pytest.mark.parametrize("command", ONE_RECORD)
def test_where_nothing_could_be_checked_it_is_trouble(handrec: Handrec, command: str) -> None:
    """What is no record at all: exit code 2 from every command, and the reason."""
    for what, data in NO_RECORDS.items():
        code, out, err = handrec(*ONE_RECORD[command], written("a.json", data))
        assert code == 2, what
        assert "FMT00" in out + err or "UTF-16" in err or command == "diff", what
        assert [path.name for path in Path().iterdir()] == ["a.json"]


@pytest.mark.parametrize("command", ["check", "replay", "score", "fmt", "digest", "audit", "migrate", "convert"])
def test_where_something_was_judged_what_is_no_record_is_a_finding(handrec: Handrec, command: str) -> None:
    """The rest was done: exit code 1."""
    one = Path(fixture(CLEAN)).read_text("utf-8")
    lines = json.dumps(json.loads(one)) + "\n" + NO_RECORDS["another document"].decode() + "\n"
    assert handrec(*ONE_RECORD[command], written("a.jsonl", lines))[0] == 1


@pytest.mark.parametrize("name", ["a.json", "a.jsonl", "a.hrt", "a.pbn", "a.lin", "a.txt", "a"])
@pytest.mark.parametrize("encoding", ["utf-16", "utf-16-be", "utf-16-le"])
def test_utf_16_is_to_be_saved_as_utf_8(handrec: Handrec, name: str, encoding: str) -> None:
    """Whatever it is called, one finding says so; in an audit and on standard input too."""
    data = '{"format": "handrec",\n"version": "1.0"}\n'.encode(encoding)
    said = "FMT005 error  text is not valid Unicode: it is UTF-16; save it as UTF-8"
    code, out, _ = handrec("check", written(name, data))
    assert (code, out.splitlines()[0], out.count("FMT")) == (2, f"{name}:1:1: {said}", 1)
    if name == "a.json":
        assert said in handrec("check", "-", stdin=data)[1]
        assert "it is UTF-16; save it as UTF-8" in handrec("audit", "--jobs", "1", "--out", "a.txt", "-q", name)[1] + (
            handrec("audit", "--jobs", "1", "--out", "f.jsonl", name)[2] + Path("f.jsonl").read_text()
        )
        assert handrec("fmt", name)[2] == f"handrec: {name}: it is UTF-16; save it as UTF-8\n"


@pytest.mark.parametrize(("name", "text"), [("a.json", '{"ä": 1}'), ("a.hrt", "%hrt 1\nseats N=Zoë"), ("a.csv", "deal,Zoë\n1,2")])
def test_a_code_page_is_to_be_saved_as_utf_8(handrec: Handrec, name: str, text: str) -> None:
    """The byte, and what to do."""
    out = handrec("check", written(name, text.encode("cp1252")))[1]
    assert "is not UTF-8 here" in out
    assert "; save it as UTF-8" in out


def test_settings_that_are_told_are_those_that_hide() -> None:
    """Each is an option of some command that can be set."""
    commands = config._commands()
    assert all(any(key in config.options(command) for command in commands.values()) for key in config.HIDING)
