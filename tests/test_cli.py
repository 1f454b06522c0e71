"""The command line: exit codes, what goes to standard output and what to standard error, and that nothing ends in a traceback."""

from __future__ import annotations

import gzip
import io
import json
import os
import re
import signal
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from handrec.cli import common as cli_common
from handrec.cli import run
from handrec.cli.app import app
from handrec.cli.progress import Progress

ROOT = Path(__file__).parents[1]
CLEAN = "clean/kbabs-1-player.handrec.json"
REVOKE = "broken/kbabs/KB-5.2-REV001.handrec.json"
NOTE = "broken/kbabs/KB-5.9-CLM005.handrec.json"
WARNING = "broken/form/FMT015-byte-order-mark.json"
TRUNCATED = "broken/form/FMT001-truncated.json"
HOSTILE = "broken/form/PLY007-hostile-names.json"

COMMANDS = tuple(command.name or command.callback.__name__ for command in app.registered_commands if command.callback)
READERS = ("check", "replay", "ruling", "infer", "score", "fmt", "digest")

Handrec = Callable[..., tuple[int, str, str]]


@pytest.fixture
def handrec(capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Handrec:
    """Run the command line in an empty directory; returns exit code, standard output and standard error."""
    monkeypatch.chdir(tmp_path)
    for name in ("NO_COLOR", "FORCE_COLOR", "GITHUB_ACTIONS"):
        monkeypatch.delenv(name, raising=False)

    def call(*arguments: str, stdin: bytes | None = None) -> tuple[int, str, str]:
        with monkeypatch.context() as patch:
            if stdin is not None:
                patch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(stdin)))
            code = run([str(argument) for argument in arguments])
        said = capsys.readouterr()
        assert "Traceback" not in said.err
        return code, said.out, said.err

    return call


def fixture(name: str) -> str:
    """The path of a fixture."""
    return str(ROOT / "fixtures" / name)


def written(name: str, content: str | bytes = "") -> str:
    """A file in the current directory."""
    Path(name).write_bytes(content if isinstance(content, bytes) else content.encode())
    return name


# --- help -----------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("command", ["check", "replay", "view", "ruling", "infer", "score"])
def test_a_dash_as_output_is_standard_output(handrec: Handrec, command: str) -> None:
    """Never a file called so."""
    said = handrec(command, fixture(REVOKE))
    assert handrec(command, fixture(REVOKE), "-o", "-") == said
    assert said[1]
    assert not Path("-").exists()


@pytest.mark.parametrize("command", COMMANDS)
@pytest.mark.parametrize("flag", ["-h", "--help"])
def test_every_command_has_help_with_an_example(handrec: Handrec, command: str, flag: str) -> None:
    """Help says what the command does, shows how, fits 80 columns, and has no word of Python in it."""
    code, out, err = handrec(command, flag)
    assert (code, err) == (0, "")
    assert out.startswith(f"Usage: handrec {command} ")
    assert re.search(rf"^  Examples?:\n    handrec {command.replace('verify', 'check')} ", out, re.MULTILINE)
    assert max(map(len, out.splitlines())) <= 80
    assert not re.search(r"<str>|<int|list\[", out)


def test_help_names_every_command_in_a_whole_sentence(handrec: Handrec) -> None:
    """No summary is cut short, and the alias stays hidden."""
    code, out, _ = handrec("--help")
    assert code == 0
    listed = dict(re.findall(r"^  ([a-z]+) {2,}(\S.*)$", out.split("Commands:")[1], re.MULTILINE))
    assert set(listed) == set(COMMANDS) - {"verify"}
    assert all(text.endswith(".") and not text.endswith("...") for text in listed.values())


@pytest.mark.parametrize("name", ["NO_COLOR", "FORCE_COLOR", "GITHUB_ACTIONS"])
def test_help_is_plain_everywhere(handrec: Handrec, monkeypatch: pytest.MonkeyPatch, name: str) -> None:
    """Neither a workflow nor a colour setting changes the help."""
    plain = handrec("check", "--help")
    monkeypatch.setenv(name, "1")
    assert handrec("check", "--help") == plain
    assert "\x1b" not in plain[1]


def test_without_a_command_the_help_is_shown(handrec: Handrec) -> None:
    """That is a use that was not meant: standard error, exit code 2."""
    code, out, err = handrec()
    assert (code, out) == (2, "")
    assert "Commands:" in err


@pytest.mark.parametrize("flag", ["-V", "--version"])
def test_version(handrec: Handrec, flag: str) -> None:
    """The version names the tool, the schema and Python."""
    code, out, _ = handrec(flag)
    assert code == 0
    assert re.fullmatch(r"handrec \d+\.\d+\.\d+ \(schema 1\.0, python 3\.\d+\.\d+\S*\)\n", out)


# --- wrong use ------------------------------------------------------------------------------------------------------

WRONG = [
    ("audit . --db -", "- is standard output, and this needs a file"),
    ("chek", "No such command 'chek'. Did you mean 'check'"),
    ("check", "Missing argument 'PATH'"),
    ("check --frmat x a", "No such option: --frmat"),
    ("check -f txt a", "Invalid value for '--format' / '-f': 'txt' is not one of 'text', 'json'"),
    ("check --fail-on x a", "'x' is not one of 'error', 'warning', 'never'."),
    ("check --from jso CLEAN", "handrec: there is no format jso; did you mean json?"),
    ("check --from x CLEAN", "handrec: there is no format x; there are "),
    ("check --select RVE CLEAN", "handrec: there is no code beginning with RVE; did you mean REV?"),
    ("check --ignore REV,XQ9 CLEAN", "handrec: there is no code beginning with XQ9"),
    ("check nofile.json", "handrec: nofile.json: no such file or directory"),
    ("check @nolist", "handrec: nolist: no such file or directory"),
    ("replay", "Missing argument 'FILE'"),
    ("replay CLEAN CLEAN", "unexpected extra argument"),
    ("replay --deal 0 CLEAN", "greater than or equal to 1"),
    ("replay --deal x CLEAN", "valid integer"),
    ("replay --deal 999 CLEAN", "handrec: there is no deal 999 to replay"),
    ("replay --deal 50 --trick 99 CLEAN", "handrec: there is no trick 99 in deal 50 to replay"),
    ("replay --as Q CLEAN", "handrec: there is no seat Q in this record (P1)"),
    ("replay --as p1 CLEAN", "handrec: there is no seat p1; did you mean P1?"),
    ("explain REV01", "handrec: there is no code, rule, game or option REV01; did you mean REV001?"),
    ("explain xyzzy", "handrec: there is no code, rule, game or option xyzzy (--list shows everything)"),
    ("explain kbabs.laddr", "did you mean kbabs.ladder?"),
    ("deal", "Missing argument 'GAME'"),
    ("deal kbab", "handrec: there is no game kbab; did you mean kbabs?"),
    ("deal kbabs --option", "requires an argument"),
    ("deal kbabs --option ladder", "handrec: an option is given as NAME=VALUE, not ladder"),
    ("deal kbabs --option laddr=down", "handrec: there is no option of kbabs called laddr; did you mean ladder?"),
    ("deal kbabs --option ladder=dwn", "handrec: option ladder cannot be dwn; it can be full, down, up"),
    ("deal kbabs --option ladder=up --option ladder=up", "handrec: option ladder is given twice"),
    ("deal kbabs --players 0", "greater than or equal to 1"),
    ("deal kbabs --players 55", "is for 1 to 54 players, not 55"),
    ("deal kbabs --deals 27", "handrec: a game of kbabs with 4 players has 26 deals at most"),
    ("deal kbabs --deals 14 --option ladder=down", "has 13 deals at most"),
    ("deal kbabs --number 99", "handrec: a game of kbabs with 4 players has 26 deals at most"),
    ("deal bridge --deals 5000", "handrec: a game of bridge with 4 players has 4096 deals at most"),
    ("deal kbabs --number 0", "greater than or equal to 1"),
    ("deal kbabs --number 1 --deals 1", "handrec: --deals and --number exclude each other"),
    ("deal kbabs --inject FMT001", "handrec: FMT001 cannot be planted in kbabs; these can: "),
    ("deal bridge --inject SCO001", "handrec: SCO001 cannot be planted in bridge; these can: "),
    ("deal kbabs -n 0", "greater than or equal to 1"),
    ("schema --check .", "handrec: there is no record-1.0.schema.json in ."),
    ("schema --write a --check a", "handrec: --write and --check exclude each other"),
    ("schema --write nowhere", "handrec: nowhere/record-1.0.schema.json: no such file or directory"),
    ("schema --check CLEAN", "not a directory"),
]


@pytest.mark.parametrize(("line", "said"), WRONG, ids=[line for line, _ in WRONG])
def test_wrong_use_is_said_clearly(handrec: Handrec, line: str, said: str) -> None:
    """Exit code 2, the reason on standard error, no data on standard output, and nothing written."""
    code, out, err = handrec(*[fixture(CLEAN) if word == "CLEAN" else word for word in line.split()])
    assert code == 2
    assert said in err
    assert out in ("", "No record was checked.\n")
    assert list(Path().iterdir()) == []


@pytest.mark.parametrize("command", READERS)
def test_what_cannot_be_read_is_trouble(handrec: Handrec, command: str) -> None:
    """Missing files, directories without records, paths that no file can have: 2, and the reason for each."""
    Path("empty").mkdir()
    Path("none").mkdir()
    written("none/readme.txt", "hello")
    for path, said in [
        ("nofile", "nofile: no such file or directory"),
        ("empty", "empty: there is no record in this directory"),
        ("none", "none: there is no record in this directory"),
        ("x" * 300, "file name too long"),
        ("a\0b", "null byte"),
    ]:
        code, _, err = handrec(command, path)
        assert code == 2
        assert said in err
        assert err.count("\n") == 1


def test_a_file_that_may_not_be_read(handrec: Handrec, monkeypatch: pytest.MonkeyPatch) -> None:
    """What the system refuses is said in its words; the other files are still checked."""
    Path("d").mkdir()
    Path("d/shut").mkdir()
    written("d/a.json", "{}")
    written("d/b.json", Path(fixture(CLEAN)).read_bytes())
    opened, listed = Path.open, Path.iterdir

    def refuse(path: Path, *rest: Any, **named: Any) -> Any:
        if path.name == "a.json":
            raise PermissionError(13, "Permission denied")
        return opened(path, *rest, **named)

    def shut(path: Path) -> Any:
        if path.name == "shut":
            raise PermissionError(13, "Permission denied")
        return listed(path)

    monkeypatch.setattr(Path, "open", refuse)
    monkeypatch.setattr(Path, "iterdir", shut)
    code, out, err = handrec("check", "d")
    assert code == 2
    assert err == "handrec: d/a.json: permission denied\nhandrec: d/shut: permission denied\n"
    assert out.startswith("Checked 1 record (9 deals): 1 clean.")


def test_an_empty_place_can_be_meant(handrec: Handrec) -> None:
    """With --allow-empty, nothing to check is no error; a path that is not there still is one."""
    Path("empty").mkdir()
    assert handrec("check", "empty", "--allow-empty") == (0, "No record was checked.\n", "")
    assert handrec("check", "nofile", "--allow-empty")[0] == 2


def test_an_internal_error_is_told_from_findings(handrec: Handrec, monkeypatch: pytest.MonkeyPatch) -> None:
    """Exit code 3 and one line; the traceback only if asked for."""
    monkeypatch.setattr("handrec.cli.check.judged_all", lambda *given: 1 // 0)
    code, _, err = handrec("check", fixture(CLEAN))
    assert (code, err) == (
        3,
        "handrec: internal error: ZeroDivisionError: 'integer division or modulo by zero' (HANDREC_DEBUG=1 shows where)\n",
    )
    monkeypatch.setenv("HANDREC_DEBUG", "1")
    with pytest.raises(ZeroDivisionError):
        handrec("check", fixture(CLEAN))


def test_a_record_that_the_referee_fails_on_hides_no_other(handrec: Handrec, monkeypatch: pytest.MonkeyPatch) -> None:
    """It is a finding, the next record has its turn, and the exit code is 3."""
    checked = cli_common.check
    failing = iter([True, False])
    monkeypatch.setattr(cli_common, "check", lambda record: 1 // 0 if next(failing) else checked(record))
    code, out, _ = handrec("check", fixture(CLEAN), fixture(CLEAN))
    assert (code, out.count("INT001 error"), out.splitlines()[-2][:27]) == (3, 1, "Checked 2 records (9 deals)")


# --- check ----------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("arguments", "code"),
    [
        (f"{CLEAN}", 0),
        (f"{REVOKE}", 1),
        (f"{TRUNCATED}", 1),
        (f"{WARNING}", 0),
        (f"{WARNING} --fail-on warning", 1),
        (f"{NOTE} --fail-on warning", 0),
        (f"{REVOKE} --fail-on never", 0),
        (f"{REVOKE} --select SCO", 0),
        (f"{REVOKE} --select rev", 1),
        (f"{REVOKE} --select REV001,SCO", 1),
        (f"{REVOKE} --ignore REV", 0),
        (f"{REVOKE} --select REV --ignore REV001", 0),
        (f"{CLEAN} {REVOKE}", 1),
        (f"{REVOKE} nofile", 2),
        ("broken -qq", 1),
        ("clean -qq", 0),
    ],
)
@pytest.mark.parametrize("command", ["check", "verify"])
def test_exit_code_of_check(handrec: Handrec, command: str, arguments: str, code: int) -> None:
    """0 nothing wrong, 1 findings of the severity asked for, 2 trouble."""
    words = [fixture(word) if "/" in word or word in ("broken", "clean") else word for word in arguments.split()]
    assert handrec(command, *words)[0] == code


def test_quiet_and_verbose(handrec: Handrec) -> None:
    """-q leaves the findings, -qq nothing at all, -v adds every level."""
    path = fixture(REVOKE)
    finding = handrec("check", "-q", path)[1]
    assert finding.count("\n") == 1
    assert handrec("check", "-qq", path) == (1, "", "")
    assert handrec("check", path)[1].startswith(finding + "Checked 1 record")
    levels = handrec("check", "-v", path)[1].removeprefix(finding).splitlines()
    assert [re.sub(r".*: (L\d) .*", r"\1", line) for line in levels[:7]] == [f"L{number}" for number in range(7)]


@pytest.mark.parametrize("format", ["text", "json", "jsonl", "sarif", "github", "junit", "markdown"])
def test_an_output_file_holds_what_would_be_printed(handrec: Handrec, format: str) -> None:
    """With -o, the report goes to the file, and a word about it to standard error."""
    code, out, _ = handrec("check", fixture(REVOKE), "-f", format)
    assert handrec("check", fixture(REVOKE), "-f", format, "-o", "report") == (code, "", "wrote report\n")
    assert Path("report").read_bytes() == out.encode()


@pytest.mark.parametrize("command", ["check {} -o {}", "score {} -o {}", "deal bridge --number 1 -o {1}"])
def test_output_never_overwrites(handrec: Handrec, command: str) -> None:
    """What stands is left alone: files, directories, links; a missing directory is not made."""
    written("exists", "precious")
    Path("folder").mkdir()
    Path("link").symlink_to("exists")
    Path("dangling").symlink_to("nowhere")
    for name, said in [
        ("exists", "exists exists already; nothing was written"),
        ("folder", "folder exists already; nothing was written"),
        ("link", "link exists already; nothing was written"),
        ("dangling", "dangling: will not write through a symbolic link"),
        ("nodir/file", "nodir/file: no such file or directory"),
    ]:
        assert handrec(*command.format(fixture(CLEAN), name).split()) == (2, "", f"handrec: {said}\n")
    assert Path("exists").read_text() == "precious"
    assert sorted(path.name for path in Path().iterdir()) == ["dangling", "exists", "folder", "link"]


# --- inputs ---------------------------------------------------------------------------------------------------------


def test_standard_input(handrec: Handrec) -> None:
    """`-` is standard input, under the name it is given, and only once."""
    record = Path(fixture(TRUNCATED)).read_bytes()
    assert handrec("check", "-", "-q", stdin=record)[1].startswith("<stdin>:2:30: FMT001 error")
    assert handrec("check", "-", "-q", "--stdin-filename", "a b.json", stdin=record)[1].startswith("a b.json:2:30: FMT001")
    code, out, err = handrec("check", "-", "-", stdin=Path(fixture(CLEAN)).read_bytes())
    assert (code, err) == (2, "handrec: <stdin>: standard input can be read only once\n")
    assert out.startswith("Checked 1 record")


def test_standard_input_closed(handrec: Handrec, monkeypatch: pytest.MonkeyPatch) -> None:
    """Python has no standard input then."""
    monkeypatch.setattr(sys, "stdin", None)
    assert handrec("check", "-")[::2] == (2, "handrec: <stdin>: standard input is closed\n")


def test_a_list_of_paths(handrec: Handrec) -> None:
    """A path a line, empty lines skipped; a list does not name lists, so it cannot name itself."""
    written("list", f"{fixture(CLEAN)}\n\n  \nnofile\n@list\na\0b\n")
    code, out, err = handrec("check", "@list")
    assert code == 2
    assert err.splitlines() == [
        "handrec: nofile: no such file or directory",
        "handrec: @list: no such file or directory",
        "handrec: a\\u{0}b: embedded null byte",
    ]
    assert out.startswith("Checked 1 record")
    assert handrec("check", "@a", written("@a", "{}"))[0] == 1  # a file that is called so is that file


def test_a_directory_is_searched_in_order(handrec: Handrec) -> None:
    """Subdirectories too, links to files but not to directories, whatever the names are made of."""
    for folder in ("d/sub", "d/.hidden", "elsewhere"):
        Path(folder).mkdir(parents=True)
    names = [
        "d/a b.json",
        "d/new\nline\x1b[31m.json",
        "d/sub/c.jsonl",
        "d/z.JSON",
        "d/.hidden/h.json",
        "d/no.txt",
        "elsewhere/e.json",
    ]
    for name in names:
        written(name, "x")
    Path("d/link").symlink_to("../elsewhere")
    Path("d/l.json").symlink_to("../elsewhere/e.json")
    Path("d/dangling.json").symlink_to("nowhere")
    out = handrec("check", "d", "-q")[1]
    assert [line.split(":")[0] for line in out.splitlines()] == [
        "d/a b.json", "d/l.json", "d/new\\u{a}line\\u{1b}[31m.json", "d/sub/c.jsonl", "d/z.JSON"
    ]  # fmt: skip


@pytest.mark.parametrize("packed", [False, True])
def test_a_bad_line_hides_no_good_one(handrec: Handrec, packed: bool) -> None:
    """Every record of a file is checked, and the bad one is found in its line."""
    good = handrec("deal", "kbabs", "-p", "3", "-n", "3", "--deals", "1")[1].splitlines()
    text = "\n".join([good[0], '{"bad', *good[1:]]).encode()
    name = written("b.jsonl.gz", gzip.compress(text)) if packed else written("b.jsonl", text)
    code, out, _ = handrec("check", name)
    assert code == 1
    assert out.startswith(f"{name}:2:2: FMT001 error  ")
    assert "Checked 4 records (3 deals): 3 clean, 1 with findings (1 error)." in out
    code, out, err = handrec("digest", name)
    assert (code, len(out.splitlines()), err.count("FMT001")) == (1, 3, 1)
    code, out, _ = handrec("score", name)
    assert (code, out.count("totals"), out.count("FMT001")) == (1, 3, 1)
    code, out, err = handrec("replay", name)
    assert (code, out.count("Deal 1 "), err.count("FMT001")) == (1, 3, 1)


def test_a_bad_first_line_hides_no_good_one(handrec: Handrec) -> None:
    """A file called .jsonl is one, whatever its first line is."""
    good = handrec("deal", "kbabs", "-p", "3", "-n", "2", "--deals", "1")[1]
    code, out, _ = handrec("check", written("b.jsonl", b'{"bad\n' + good.encode()))
    assert (code, out.count("FMT001")) == (1, 1)
    assert "Checked 3 records (2 deals): 2 clean, 1 with findings (1 error)." in out


def test_a_truncated_archive(handrec: Handrec) -> None:
    """What is left of it is said to be damaged."""
    packed = gzip.compress(Path(fixture(CLEAN)).read_bytes() * 20)
    code, out, _ = handrec("check", written("c.jsonl.gz", packed[:100]), "-q")
    assert code == 1
    assert "FMT001 error  cannot be read: the packed file is damaged or cut off here" in out


# --- output is safe and the same everywhere -------------------------------------------------------------------------

SHOWN = [
    *(f"check -f {name}" for name in ("text", "json", "jsonl", "sarif", "github", "junit", "markdown")),
    "check -v",
    "replay",
    "replay -f json",
    "score",
    "score --sheet",
    *(f"score -f {name}" for name in ("markdown", "csv", "tsv", "json")),
    "digest",
    "fmt --diff",
    "fmt --check",
]


@pytest.mark.parametrize("command", SHOWN)
def test_hostile_names_are_harmless(handrec: Handrec, command: str) -> None:
    """Names in the record and of the file: no control character, no mark that turns the writing round."""
    record = Path(fixture(HOSTILE)).read_bytes()
    code, out, err = handrec(*command.split(), written("evil\x1b[31m\u202e\n.json", record))
    assert code in (0, 1)
    assert not re.search("[\x00-\x08\x0b-\x1f\x7f-\x9f\u202e]", out + err)
    assert out


@pytest.mark.parametrize(
    "line", ["check {}", "check -f {} x", "check --from {} x", "explain {}", "deal {}", "deal kbabs --option {}=1", "{}", "--{}"]
)
def test_hostile_arguments_are_harmless(handrec: Handrec, line: str) -> None:
    """What is typed is shown as safely as what is read."""
    code, out, err = handrec(*[word.format("\x1b[31m\x07") for word in line.split()])
    assert code == 2
    assert not re.search("[\x00-\x08\x0b-\x1f\x7f]", out + err)


@pytest.mark.parametrize("command", ["replay", "score"])
def test_json_is_one_document(handrec: Handrec, command: str) -> None:
    """A list, however many records there are; what cannot be read is said elsewhere."""
    out = handrec(command, fixture("clean"), "-f", "json")[1]
    assert len(json.loads(out)) > 5
    assert json.loads(handrec(command, fixture("broken/form"), "-f", "json")[1])


@pytest.mark.parametrize(
    ("arguments", "environment", "coloured"),
    [
        ("", {}, False),
        ("", {"FORCE_COLOR": "1"}, True),
        ("", {"FORCE_COLOR": "1", "NO_COLOR": "1"}, False),
        ("", {"FORCE_COLOR": "1", "NO_COLOR": ""}, True),
        ("--color never", {"FORCE_COLOR": "1"}, False),
        ("--color always", {"NO_COLOR": "1", "TERM": "dumb"}, True),
        ("", {"TERM": "dumb"}, False),
    ],
)
@pytest.mark.parametrize("command", ["check", "replay"])
def test_colour(
    handrec: Handrec, monkeypatch: pytest.MonkeyPatch, command: str, arguments: str, environment: dict[str, str], coloured: bool
) -> None:
    """The option, then NO_COLOR, then FORCE_COLOR, then the terminal; in a file never."""
    for name, value in environment.items():
        monkeypatch.setenv(name, value)
    assert ("\x1b[" in handrec(command, *arguments.split(), fixture(REVOKE))[1]) == coloured
    handrec("check", *arguments.split(), fixture(REVOKE), "-o", "file")
    assert "\x1b" not in Path("file").read_text()


def test_a_terminal_that_is_dumb_has_no_colour(handrec: Handrec, monkeypatch: pytest.MonkeyPatch) -> None:
    """Only a terminal that can show colours gets them."""
    monkeypatch.setattr(type(sys.stdout), "isatty", lambda stream: True)
    monkeypatch.setenv("TERM", "dumb")
    assert "\x1b[" not in handrec("check", fixture(REVOKE))[1]
    monkeypatch.setenv("TERM", "xterm")
    assert "\x1b[31m" in handrec("check", fixture(REVOKE))[1]


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
    assert handrec("schema", "--write", ".") == (0, "", "wrote record-1.0.schema.json\n")
    assert Path("record-1.0.schema.json").read_text("utf-8") == out
    assert handrec("schema", "--check", ".") == (0, "", "")
    assert handrec("schema", "--write", ".") == (0, "", "")
    written("record-1.0.schema.json", b"\xff")
    assert handrec("schema", "--check", ".") == (1, "record-1.0.schema.json is not the schema of this version\n", "")
    assert handrec("schema", "--write", ".")[0] == 2
    assert Path("record-1.0.schema.json").read_bytes() == b"\xff"


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
    assert handrec("fmt", "broken.json")[0] == 1


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


def test_digest_is_of_the_facts(handrec: Handrec) -> None:
    """However a deal is written down, it has one digest."""
    lines = handrec("digest", fixture(CLEAN))[1]
    assert len(lines.splitlines()) == 9
    assert all(re.fullmatch(r"hr1:[0-9a-f]{64}  kbabs-1-1  deal \d+", line) for line in lines.splitlines())
    squeezed = json.dumps(json.loads(Path(fixture(CLEAN)).read_text("utf-8")))
    assert handrec("digest", written("x.json", squeezed))[1] == lines


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


# --- in processes of their own --------------------------------------------------------------------------------------


def shell(line: str, **environment: str) -> subprocess.CompletedProcess[bytes]:
    """Run a line of bash in which `handrec` is the command line."""
    start = f'set -o pipefail; handrec() {{ "{sys.executable}" -m handrec "$@"; }}\n'
    env = {**os.environ, "PYTHONPATH": str(ROOT), **environment}
    return subprocess.run(["bash", "-c", start + line], cwd=ROOT, env=env, capture_output=True, timeout=60, check=False)


@pytest.mark.skipif(os.name != "posix", reason="a POSIX shell is needed")
@pytest.mark.parametrize(
    ("line", "code", "said"),
    [
        ("handrec check -v fixtures fixtures fixtures | head -1 >/dev/null", 141, b""),
        ("handrec deal bridge -n 1000 | head -1 >/dev/null", 141, b""),
        ("handrec check - <&-", 2, b"handrec: <stdin>: standard input is closed\n"),
        ("handrec explain >&-", 2, b"handrec: standard output is closed\n"),
        ("handrec explain >/dev/full", 2, b"handrec: standard output: no space left on device\n"),
        ("handrec deal bridge --number 1 | handrec check -q -", 0, b""),
    ],
)
def test_pipes(line: str, code: int, said: bytes) -> None:
    """Closed pipes and full disks end quietly, with a code of their own."""
    if "/dev/full" in line and not Path("/dev/full").exists():
        pytest.skip("there is no /dev/full here")
    done = shell(line)
    assert (done.returncode, done.stderr) == (code, said)


@pytest.mark.skipif(os.name != "posix", reason="signals are those of POSIX")
def test_an_interrupt_is_130() -> None:
    """Ctrl-C while it waits for input: no traceback."""
    process = subprocess.Popen(
        [sys.executable, "-m", "handrec", "check", "-"],
        env={**os.environ, "PYTHONPATH": str(ROOT)},
        stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.PIPE,
        preexec_fn=lambda: signal.signal(signal.SIGINT, signal.SIG_DFL),  # who runs the tests may have had it ignored
    )  # fmt: skip
    time.sleep(2)
    process.send_signal(signal.SIGINT)
    out, err = process.communicate(timeout=30)
    assert (process.returncode, out, err) == (130, b"", b"")


def test_output_is_the_same_in_every_locale() -> None:
    """Bytes do not depend on the hash seed, the locale or the encoding of the terminal."""
    files = "fixtures/clean fixtures/broken/form"
    line = f"handrec check -v {files}; handrec replay fixtures/{REVOKE}; handrec score --sheet fixtures/{CLEAN}; handrec explain"
    outputs = {
        shell(line, PYTHONHASHSEED=seed, LC_ALL=locale, LANG=locale, PYTHONIOENCODING=encoding, TZ=zone).stdout
        for seed, locale, encoding, zone in [
            ("0", "C", "ascii", "UTC"),
            ("1", "C.UTF-8", "", "Asia/Tokyo"),
            ("2", "tr_TR", "latin-1", ""),
        ]
    }
    assert len(outputs) == 1
    assert "✗ REV001".encode() in outputs.pop()
