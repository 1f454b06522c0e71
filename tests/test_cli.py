"""The command line: help, wrong use, exit codes, and that nothing ends in a traceback."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

import pytest

from handrec import cli
from handrec.cli import common as cli_common
from tests.commands import CLEAN, COMMANDS, NOTE, READERS, REVOKE, TRUNCATED, WARNING, Handrec, fixture, written

# --- help -----------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("command", ["check", "replay", "ruling", "infer", "score"])
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
    cli._command.cache_clear()  # built anew, under that setting
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
    assert re.fullmatch(r"handrec \d+\.\d+\.\d+ \(schema 1\.1, python 3\.\d+\.\d+\S*\)\n", out)


# --- wrong use ------------------------------------------------------------------------------------------------------

WRONG = [
    ("audit . --db -", "- is standard output, and this needs a file"),
    ("chek", "No such command 'chek'. Did you mean 'check'"),
    ("check", "Missing argument 'PATH'"),
    ("check --frmat x a", "No such option: --frmat"),
    ("check -f txt a", "Invalid value for '--format' / '-f': 'txt' is not one of 'text', 'line', 'json'"),
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
    ("deal bridge --inject SCO002", "handrec: SCO002 cannot be planted in bridge; these can: "),
    ("deal kbabs -n 0", "greater than or equal to 1"),
    ("schema --check .", "handrec: there is no record-1.1.schema.json in ."),
    ("schema --write a --check a", "handrec: --write and --check exclude each other"),
    ("schema --write nowhere", "handrec: nowhere/record-1.1.schema.json: no such file or directory"),
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
    Path("d/veiled").mkdir()
    written("d/a.json", "{}")
    written("d/b.json", Path(fixture(CLEAN)).read_bytes())
    opened, listed, looked_at = Path.open, Path.iterdir, Path.is_dir

    def refuse(path: Path, *rest: Any, **named: Any) -> Any:
        if path.name == "a.json":
            raise PermissionError(13, "Permission denied")
        return opened(path, *rest, **named)

    def shut(path: Path) -> Any:
        if path.name == "shut":
            raise PermissionError(13, "Permission denied")
        return listed(path)

    def veiled(path: Path) -> bool:
        if path.name == "veiled":
            raise PermissionError(13, "Permission denied")
        return looked_at(path)

    monkeypatch.setattr(Path, "open", refuse)
    monkeypatch.setattr(Path, "iterdir", shut)
    monkeypatch.setattr(Path, "is_dir", veiled)
    code, out, err = handrec("check", "d")
    assert code == 2
    assert err.splitlines() == [f"handrec: d/{name}: permission denied" for name in ("a.json", "shut", "veiled")]
    assert out.startswith("Checked 1 record (9 deals): 1 clean.")


def test_an_empty_place_can_be_meant(handrec: Handrec) -> None:
    """With --allow-empty, nothing to check is no error; a path that is not there still is one."""
    Path("empty").mkdir()
    assert handrec("check", "empty", "--allow-empty") == (0, "No record was checked.\n", "")
    assert handrec("check", "nofile", "--allow-empty")[0] == 2


def test_an_internal_error_is_told_from_findings(handrec: Handrec, monkeypatch: pytest.MonkeyPatch) -> None:
    """Exit code 3 and one line; the traceback only if asked for."""
    monkeypatch.setattr("handrec.cli.check.Checked", lambda *given: 1 // 0)
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
    checked = cli_common.checked
    failing = iter([True, False])
    monkeypatch.setattr(cli_common, "checked", lambda *given: 1 // 0 if next(failing) else checked(*given))
    code, out, _ = handrec("check", fixture(CLEAN), fixture(CLEAN))
    assert (code, out.count("INT001 error"), out.splitlines()[-2][:27]) == (3, 1, "Checked 2 records (9 deals)")


# --- check ----------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("arguments", "code"),
    [
        (f"{CLEAN}", 0),
        (f"{REVOKE}", 1),
        (f"{TRUNCATED}", 2),
        (f"{TRUNCATED} --fail-on never --ignore FMT", 2),
        (f"{TRUNCATED} {CLEAN}", 1),
        ("broken/form/FMT006-version.json", 2),
        ("broken/form/FMT007-unknown-field.json", 1),
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
        ("broken/bridge -qq", 1),
        ("clean/partial -qq", 0),
    ],
)
@pytest.mark.parametrize("command", ["check", "verify"])
def test_exit_code_of_check(handrec: Handrec, command: str, arguments: str, code: int) -> None:
    """0 nothing wrong, 1 findings of the severity asked for, 2 trouble."""
    words = [fixture(word) if "/" in word else word for word in arguments.split()]
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
