"""`handrec page`: the folder that it writes, what it needs for that, and the command that the page calls.

What is fetched stands in here as a few bytes, since nothing of it is run; `tests/browser/test_page_browser.py` runs the page.
"""

from __future__ import annotations

import io
import json
import re
import shlex
import shutil
import subprocess
import sys
import tarfile
import zipfile
from collections.abc import Callable
from hashlib import sha256
from pathlib import Path
from typing import Any

import pydantic_core
import pytest

from handrec import writing
from handrec.cli import browser, run
from handrec.page import folders, packages
from handrec.page.runtime import NEEDED, archive, wheel
from tests.commands import REVOKE, fixture

ROOT = Path(__file__).parents[1]
EXAMPLE = ROOT / "handrec" / "page" / "example.hrt"


def runtime(folder: Path, said: bytes = b"as fetched") -> str:
    """A folder with the two files of a runtime, as small as can be."""
    folder.mkdir(exist_ok=True)
    with tarfile.open(folder / archive(), "w:gz") as packed:
        for name in NEEDED:
            about = tarfile.TarInfo(f"package/{name}")
            about.size = len(said)
            packed.addfile(about, io.BytesIO(said))
    with zipfile.ZipFile(folder / wheel(), "w") as packed:
        packed.writestr("pydantic_core/__init__.py", said)
    return str(folder)


#: What packs handrec, which takes most of the time that a page takes; but for the test of it, a few bytes stand in for it.
PACKED = packages.packed


@pytest.fixture(autouse=True)
def packed(monkeypatch: pytest.MonkeyPatch) -> None:
    """Nothing is packed."""
    monkeypatch.setattr(packages, "packed", lambda: b"as packed")


@pytest.fixture
def site(tmp_path: Path) -> Path:
    """A page."""
    assert run(["page", "-o", str(tmp_path / "site"), "--runtime", runtime(tmp_path / "runtime")]) == 0
    return tmp_path / "site"


def held(folder: Path) -> dict[str, bytes]:
    """All files in a folder."""
    return {path.relative_to(folder).as_posix(): path.read_bytes() for path in folder.rglob("*") if path.is_file()}


def used(folder: Path) -> set[str]:
    """What the page there loads."""
    island = re.search(r'<script type="application/json" id="page">(.*?)</script>', (folder / "index.html").read_text("utf-8"))
    assert island is not None
    return {*json.loads(island[1])["files"]}


def test_all_that_the_page_loads_is_there_and_nothing_is_loaded_from_elsewhere(site: Path) -> None:
    """Every file that it names lies in the folder; it names no address but in words, and its size is told."""
    files = held(site)
    assert used(site) == {name for name in files if "/" in name and not name.endswith(folders.LIST)}
    index = files["index.html"].decode()
    assert f"{sum(len(files[name]) for name in used(site)) / 1e6:.0f} MB, loaded once" in index
    for name in re.findall(r'(?:href|src)="([^"]*)"', index):
        assert name in files or name == "data:,"
    own = (data.decode() for name, data in files.items() if name.endswith((".html", ".css", "page.js", "worker.js", "sw.js")))
    assert {*re.findall(r"https?://[^\s<]*", "".join(own))} == {"http://localhost:8000/"}
    assert "$" not in index
    assert "$" not in files["README.md"].decode()


def test_folders_are_named_by_what_is_in_them(site: Path) -> None:
    """The name has the hash of a list, which has the hash of each file: oracle, `sha256` of what lies there."""
    for kind in ("pyodide", "handrec"):
        (folder,) = site.glob(f"{kind}-*")
        listed = (folder / folders.LIST).read_bytes()
        assert folder.name == f"{kind}-{sha256(listed).hexdigest()[:16]}"
        assert json.loads(listed) == {
            path.name: sha256(path.read_bytes()).hexdigest() for path in folder.iterdir() if path.name != folders.LIST
        }


@pytest.mark.parametrize("missing", [None, "folder", archive(), wheel()])
def test_what_is_missing_is_named_with_the_commands_that_fetch_it(
    missing: str | None, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """Exit code 2, one command a line, for the folder that was named; nothing is written."""
    monkeypatch.chdir(tmp_path)
    if missing not in (None, "folder"):
        (Path(runtime(Path("my runtime"))) / missing).unlink()
    assert run(["page", "-o", "site", *([] if missing is None else ["--runtime", "my runtime"])]) == 2
    said, *commands = capsys.readouterr().err.splitlines()
    where = "runtime" if missing is None else "my runtime"
    mkdir, npm, pip, again = map(shlex.split, commands)
    assert mkdir == ["mkdir", "-p", where]
    assert npm == ["npm", "pack", archive().replace("pyodide-", "pyodide@").removesuffix(".tgz"), "--pack-destination", where]
    assert pip[-3:] == ["-d", where, f"pydantic-core=={pydantic_core.__version__}"]
    assert again == ["handrec", "page", "-o", "site", "--runtime", where]
    assert missing in (None, "folder") or missing in said
    assert not Path("site").exists()


@pytest.mark.parametrize("name", [archive(), wheel()])
@pytest.mark.parametrize("how", ["cut", "other", "empty"])
def test_a_runtime_that_is_not_whole_is_refused(name: str, how: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """Cut off, something else, or empty: it is said which file, and nothing is written."""
    path = Path(runtime(tmp_path / "runtime")) / name
    path.write_bytes({"cut": path.read_bytes()[:-40], "other": b"something else", "empty": b""}[how])
    assert run(["page", "-o", str(tmp_path / "site"), "--runtime", str(tmp_path / "runtime")]) == 2
    assert f"{name} is not whole" in capsys.readouterr().err
    assert not (tmp_path / "site").exists()


def test_written_again_a_page_takes_the_place_of_the_earlier_one_and_of_nothing_else(site: Path, tmp_path: Path) -> None:
    """The same again changes no byte; another runtime takes the place of the earlier; files of somebody else stay."""
    before = held(site)
    again = ["page", "-o", str(site), "--runtime", str(tmp_path / "runtime")]
    assert run(again) == 0
    assert held(site) == before
    (earlier,) = site.glob("pyodide-*")
    (site / "CNAME").write_text("mine")
    (site / "handrec-notes").mkdir()
    (site / "handrec-notes" / "mine.txt").write_text("mine")
    runtime(tmp_path / "runtime", b"a newer one")
    assert run(again) == 0
    assert not earlier.exists()
    own = {name for name in held(site) if name in before or name.startswith("pyodide-")}
    assert held(site).keys() - own == {"CNAME", "handrec-notes/mine.txt"}
    assert used(site) <= held(site).keys()


def test_what_was_changed_in_a_folder_that_is_not_used_any_more_stays(site: Path, tmp_path: Path) -> None:
    """Only what the list names, and as it names it, is taken away; what a crafted list names elsewhere is not."""
    (earlier,) = site.glob("pyodide-*")
    (earlier / "mine.txt").write_text("mine")
    (earlier / "pyodide.mjs").write_text("changed")
    (site / "CNAME").write_text("mine")
    crafted = json.dumps({"../CNAME": sha256(b"mine").hexdigest()}).encode()
    folder = site / f"handrec-{sha256(crafted).hexdigest()[:16]}"
    folder.mkdir()
    (folder / folders.LIST).write_bytes(crafted)
    assert run(["page", "-o", str(site), "--runtime", runtime(tmp_path / "runtime", b"a newer one")]) == 0
    assert held(earlier).keys() == {folders.LIST, "mine.txt", "pyodide.mjs"}
    assert (site / "CNAME").read_text() == "mine"


def test_broken_off_at_any_step_the_page_is_the_earlier_one_or_the_new_one(
    site: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """What the page loads is there and whole, whenever it stops; the next run does the rest and leaves nothing behind."""
    monkeypatch.setattr("os.fsync", lambda handle: None)  # which takes long
    earlier, arguments = held(site), ["page", "-o", "", "--runtime", runtime(tmp_path / "runtime", b"a newer one")]

    def written(name: str, last: int = 0) -> tuple[int, Path]:
        folder = tmp_path / name
        shutil.rmtree(folder, ignore_errors=True)
        for path, data in earlier.items():
            (folder / path).parent.mkdir(parents=True, exist_ok=True)
            (folder / path).write_bytes(data)
        writing.sweep.cache_clear()
        with pytest.MonkeyPatch.context() as patch:
            steps = counted(patch, last)
            assert run([*arguments[:2], str(folder), *arguments[3:]]) == (130 if last else 0)
        return len(steps), folder

    count, whole = written("whole")
    assert count > 20
    seen = set()
    for last in range(1, count + 1):
        _, folder = written("broken", last)
        assert all((folder / name).is_file() for name in used(folder))
        for name in used(folder):
            assert (folder / name).read_bytes() == {**earlier, **held(whole)}[name]
        seen.add((folder / "index.html").read_bytes())
        writing.sweep.cache_clear()
        assert run([*arguments[:2], str(folder), *arguments[3:]]) == 0
        assert held(folder) == held(whole)
        assert {path.name for path in folder.iterdir()} == {path.name for path in whole.iterdir()}
    assert seen == {earlier["index.html"], held(whole)["index.html"]}


def counted(patch: pytest.MonkeyPatch, last: int) -> list[str]:
    """What is made, named and taken away from now on; it is interrupted before the last step."""
    steps: list[str] = []

    def counting(name: str, does: Callable[..., Any]) -> Callable[..., Any]:
        def step(path: Path, *given: Any, **named: Any) -> Any:
            steps.append(f"{name} {path}")
            if len(steps) == last:
                raise KeyboardInterrupt
            return does(path, *given, **named)

        return step

    for name in ("mkdir", "replace", "unlink", "rmdir"):
        patch.setattr(Path, name, counting(name, getattr(Path, name)))
    return steps


@pytest.mark.parametrize("name", ["README.md", "index.html", "sw.js", "notes.txt"])
def test_what_is_no_page_is_not_written_over(name: str, site: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """A folder with something else in it, or a page of which a file was exchanged, stays as it is."""
    other = tmp_path / "other"
    other.mkdir()
    (other / name).write_text("made by handrec page\n")
    before = held(other)
    again = ["--runtime", str(tmp_path / "runtime")]
    assert run(["page", "-o", str(other), *again]) == 2
    assert held(other) == before
    if (site / name).exists():
        (site / name).write_text("made by handrec page\n")
        before = held(site)
        assert run(["page", "-o", str(site), *again]) == 2
        assert held(site) == before
        (site / name).unlink()
        (site / name).symlink_to(tmp_path / "elsewhere")
        assert run(["page", "-o", str(site), *again]) == 2
        assert not (tmp_path / "elsewhere").exists()
    assert "nothing was written" in capsys.readouterr().err


@pytest.mark.parametrize("output", ["-", "", "a-file", "none/site"])
def test_what_can_be_no_folder_is_refused(
    output: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """Standard output, no name, a file, a folder in none."""
    monkeypatch.chdir(tmp_path)
    Path("a-file").write_text("mine")
    assert run(["page", "-o", output, "--runtime", runtime(tmp_path / "runtime")]) == 2
    assert capsys.readouterr().err
    assert {path.name for path in tmp_path.iterdir()} == {"a-file", "runtime"}
    assert Path("a-file").read_text() == "mine"


#: What is asked of the packed package where there is nothing else but the compiled part of pydantic.
ASKED = (
    ("check -v", ""),
    ("check -f text", ""),
    ("check -f sarif", ""),
    ("check", "--nonsense"),
    ("check", "--help"),
    ("ruling", ""),
    ("infer", "--deal 11"),
    ("view -o -", ""),
    ("convert --to jsonl", ""),
    ("convert --to markdown", "-o said.md --allow-lossy"),
    ("score", "--sheet"),
    ("replay", "--deal 11"),
    ("explain kbabs", ""),
)


def test_what_is_packed_is_enough(tmp_path: Path) -> None:
    """handrec from the archive alone, without site-packages, says what it says here; the same files make the same archive."""
    archived = PACKED()
    assert PACKED() == archived
    with zipfile.ZipFile(io.BytesIO(archived)) as packed:
        packed.extractall(tmp_path / "packed")
    assert not [path for path in (tmp_path / "packed").rglob("*") if path.suffix in (".so", ".pyc", ".c")]
    for needed in packages.NEEDED:
        assert [*(tmp_path / "packed").glob(f"{needed.replace('-', '_')}-*.dist-info/**/LICENSE*")], needed
    core = Path(pydantic_core.__file__).parent
    (tmp_path / "compiled").mkdir()
    (tmp_path / "compiled" / core.name).symlink_to(core)
    asking = f"""
import sys
sys.path[1:1] = [{str(tmp_path / "packed")!r}, {str(tmp_path / "compiled")!r}]
from handrec.cli.browser import carried_out
data = {EXAMPLE.read_bytes()!r}
for command, options in {ASKED!r}:
    print(repr(carried_out(command, options, "example.hrt", data)))
import handrec
assert handrec.__file__.startswith({str(tmp_path)!r})
"""
    alone = subprocess.run([sys.executable, "-S", "-I", "-c", asking], capture_output=True, text=True, check=False)
    assert alone.stderr == ""
    here = [browser.carried_out(command, options, "example.hrt", EXAMPLE.read_bytes()) for command, options in ASKED]
    assert [eval(line) for line in alone.stdout.splitlines()] == here
    assert [code for code, *_ in here] == [1, 1, 1, 2, 0, 0, 1, 0, 0, 0, 0, 0, 2]


def test_a_command_says_what_it_says_in_a_shell(tmp_path: Path) -> None:
    """Exit code, output and complaints are those of the command in a process of its own, in the folder of the file."""
    data = Path(fixture(REVOKE)).read_bytes()
    (tmp_path / "a.json").write_bytes(data)
    for command, options in (("check", "-v"), ("ruling", "--nonsense")):
        arguments = [sys.executable, "-m", "handrec", *command.split(), *options.split(), "a.json"]
        said = subprocess.run(arguments, cwd=tmp_path, capture_output=True, check=False, env={"PYTHONPATH": str(ROOT)})
        assert browser.carried_out(command, options, "a.json", data) == (said.returncode, said.stdout, said.stderr, [])


def test_files_that_a_command_writes_come_back() -> None:
    """The file that was given too, if it was changed, and what it was before."""
    data = (ROOT / "fixtures/broken/kbabs/KB-6.1-SCO001.handrec.json").read_bytes()
    code, _, _, files = browser.carried_out("check --fix", "", "a.json", data)
    assert code == 0
    assert [name for name, _ in files] == ["a.json", "a.json.orig"]
    assert dict(files)["a.json.orig"] == data
    assert browser.carried_out("check", "", "a.json", dict(files)["a.json"])[0] == 0


@pytest.mark.parametrize(
    ("name", "called"),
    [
        ("", "record"),
        ("-", "record"),
        ("..", "record"),
        ("--help", "help"),
        ("@list", "list"),
        ("../../etc/passwd", "_.._etc_passwd"),
        ("C:\\games\\a.hrt", "C:_games_a.hrt"),
        ("https://example.org/a.hrt", "https:__example.org_a.hrt"),
        ("a\0b\n.hrt", "a_b_.hrt"),
        ("\ud800.hrt", "_.hrt"),
        ("é" * 300 + ".hrt", "é" * 98 + ".hrt"),
        ("🂡" * 100 + ".hrt", "🂡" * 49 + ".hrt"),
        ("Züge 1 & <b>.hrt", "Züge 1 & <b>.hrt"),
    ],
)
def test_a_file_may_be_called_anything(name: str, called: str) -> None:
    """What a visitor's file is called is neither an option nor a path, and does not change what is found."""
    code, said, trouble, files = browser.carried_out("check", "", name, EXAMPLE.read_bytes())
    assert (code, trouble, files) == (1, b"", [])
    assert said.decode().startswith(f"{called}:9:8: REV001 ")


def test_options_that_are_no_words_are_told() -> None:
    """A quotation mark without its other is a mistake of the visitor's, not ours."""
    assert browser.carried_out("check", "--select 'REV", "a.hrt", b"") == (
        2,
        b"",
        b"handrec: options: no closing quotation\n",
        [],
    )


def test_the_example_is_that_of_the_readme() -> None:
    """What the page offers to try is what the README explains."""
    assert f"```hrt evening.hrt\n{EXAMPLE.read_text('utf-8')}```" in (ROOT / "README.md").read_text("utf-8")
