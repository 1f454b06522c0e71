"""The command line: what goes in, what comes out and where, that it is safe, and the same everywhere."""

from __future__ import annotations

import gzip
import json
import os
import re
import shlex
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

from tests.commands import CLEAN, HOSTILE, REVOKE, ROOT, TRUNCATED, Handrec, fixture, written

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
    assert "@a: " not in handrec("check", written("@a", "{}"))[2]  # a file that is called so is that file


def test_a_place_of_an_invisible_seat_is_shown_in_markdown(handrec: Handrec) -> None:
    """A ruling by a bell: no bell rings."""
    out = handrec("convert", fixture("hostile/ruling-by-a-bell.handrec.json"), "--to", "markdown")[1]
    assert "| deal 1, \\u{7} | PLY007 |" in out
    assert "\x07" not in out


def test_what_ends_a_line_of_a_list(handrec: Handrec) -> None:
    """A line feed, after a carriage return or not: what else separates lines elsewhere may stand in names."""
    names = ["a\u2028b.json", "c\x85\x0b\x1c.json", "d.json"]
    for name in names:
        written(name, Path(fixture(CLEAN)).read_bytes())
    Path("list").write_bytes("\r\n".join(names).encode())
    code, out, err = handrec("check", "@list")
    assert (code, err) == (0, "")
    assert out.startswith("Checked 3 records")


def test_a_directory_is_searched_in_order(handrec: Handrec) -> None:
    """Subdirectories too, links to files but not to directories, whatever the names are made of; links to nowhere are told."""
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
    for name in ("d/nowhere.txt", "d/.#z.json"):
        Path(name).symlink_to("nowhere")
    Path("d/loop.json").symlink_to("loop.json")
    code, out, err = handrec("check", "d", "-q")
    assert [line.split(":")[0] for line in out.splitlines()] == [
        "d/a b.json", "d/l.json", "d/new\\u{a}line\\u{1b}[31m.json", "d/sub/c.jsonl", "d/z.JSON"
    ]  # fmt: skip
    assert (code, [line.split(":")[1] for line in err.splitlines()]) == (2, [" d/dangling.json", " d/loop.json"])


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
    assert code == 2
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


#: One command after another in one process, each as if it had been started alone.
ONE_BY_ONE = """
import sys
from handrec.cli import main
for line in sys.argv[1:]:
    sys.argv = ["handrec", *line.split()]
    try:
        main()
    except SystemExit as end:
        print(end.code)
"""


def test_output_is_the_same_in_every_locale() -> None:
    """Bytes do not depend on the hash seed, the locale or the encoding of the terminal."""
    check = "check -v fixtures/clean fixtures/broken/form"
    commands = [check, f"replay fixtures/{REVOKE}", f"score --sheet fixtures/{CLEAN}", "explain"]
    line = shlex.join([sys.executable, "-c", ONE_BY_ONE, *commands])
    outputs = {
        shell(line, PYTHONHASHSEED=seed, LC_ALL=locale, LANG=locale, PYTHONIOENCODING=encoding, TZ=zone).stdout
        for seed, locale, encoding, zone in [
            ("0", "C", "ascii", "UTC"),
            ("1", "C.UTF-8", "", "Asia/Tokyo"),
            ("2", "tr_TR", "latin-1", ""),
        ]
    }
    assert len(outputs) == 1
    (output,) = outputs
    assert "✗ REV001".encode() in output
    assert re.findall(rb"^\d$", output, re.MULTILINE) == [b"1", b"0", b"0", b"0"]
