"""Audits: whoever does the work, wherever the archive lies, and whatever becomes of a worker, the report is the same."""

from __future__ import annotations

import json
import os
import re
import signal
import subprocess
import sys
import time
from collections import Counter
from collections.abc import Callable
from importlib.util import find_spec
from pathlib import Path
from typing import Any

import pytest

from handrec import writing
from handrec.audit import Input, Result, chunks, judge
from handrec.audit.result import merged
from handrec.cli import run
from handrec.cli.inputs import sources
from handrec.dealing import deal_game
from handrec.record import Record
from tests.auditing import FIXTURES, ROOT, archives, chunks_of_lines, cut, dealt, find, lines, regrouped, rows


@pytest.fixture(scope="module")
def archive(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A file of some chunks."""
    path = tmp_path_factory.mktemp("archive") / "games.jsonl"
    path.write_bytes(chunks_of_lines())
    return path


@pytest.fixture(scope="module")
def both(tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, Path]:
    """Some chunks of deals with faults, and deals that stand twice, as lines, and as an archive of several row groups."""
    records = [deal_game(find("bridge"), 4, seed, numbers=[1], inject="REV001" if seed % 5 == 0 else None) for seed in range(16)]
    records = [
        each.model_copy(update={"extensions": {"much": str(number) * 60_000}}) for number, each in enumerate(records + records)
    ]
    folder = tmp_path_factory.mktemp("both")
    source, archive = folder / "games.jsonl", folder / "games.parquet"
    source.write_bytes(lines(*map(writing.plain, records)))
    regrouped(archive, records, 4)
    assert len(cut(Input("a", source))) > 1
    assert len(cut(Input("a", archive))) > 1
    return source, archive


@pytest.fixture
def audited(capsys: pytest.CaptureFixture[str]) -> Callable[..., str]:
    """What an audit prints, which must end with this code; its workers are processes of their own."""

    def call(*arguments: str | Path, code: int = 1) -> str:
        assert run(["audit", *map(str, arguments)]) == code
        said = capsys.readouterr()
        assert "Traceback" not in said.err
        assert "\r" not in said.err
        return said.out

    return call


def audited_apart(*arguments: str | Path, code: int = 1, **environment: str) -> str:
    """What an audit in a process of its own prints; it must end with this code."""
    done = subprocess.run(
        [sys.executable, "-m", "handrec", "audit", *map(str, arguments)],
        capture_output=True,
        text=True,
        check=False,
        cwd=ROOT,
        env={**os.environ, **environment},
    )
    assert done.returncode == code, done.stderr
    assert "Traceback" not in done.stderr
    assert "\r" not in done.stderr
    return done.stdout


# --- one worker, two, or none ---------------------------------------------------------------------------------------


def test_jobs_sieve_and_kills_change_no_byte(archive: Path, tmp_path: Path, audited: Callable[..., str]) -> None:
    """One worker, two, none but the referee, and an audit killed twice and resumed: the same, to the byte."""
    state = tmp_path / "audit.state"
    once = audited(archive, "--jobs", "1", "--out", tmp_path / "1.jsonl", "--db", tmp_path / "1.sqlite")
    twice = audited(archive, "--jobs", "2", "--no-sieve", "--out", tmp_path / "2.jsonl", "--db", tmp_path / "2.sqlite")
    for reached in (2, 5):
        kill_at(reached, state, archive)
    again = audited(archive, "--jobs", "2", "--resume", state, "--out", tmp_path / "3.jsonl", "--db", tmp_path / "3.sqlite")
    assert once == twice == again
    for kind in ("jsonl", "sqlite"):
        assert len({(tmp_path / f"{which}.{kind}").read_bytes() for which in "123"}) == 1
    with archive.open("ab") as file:
        file.write(b"{}\n")
    audited(archive, "--resume", state, code=2)


def kill_at(reached: int, state: Path, archive: Path) -> None:
    """Begin or resume an audit, and kill it when so many chunks are in its journal."""
    command = [sys.executable, "-m", "handrec", "audit", str(archive), "--jobs", "1", "--resume", str(state)]
    process = subprocess.Popen(command, cwd=ROOT, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    while process.poll() is None and not (state.exists() and state.read_bytes().count(b"\n") > reached):
        time.sleep(0.002)
    process.kill()
    assert process.wait() == -signal.SIGKILL
    assert reached <= state.read_bytes().count(b"\n") - 1 < 12


@pytest.mark.some(1)
@pytest.mark.parametrize("kind", ["jsonl", pytest.param("parquet", marks=pytest.mark.long)])
def test_a_record_over_which_a_worker_dies_stops_nothing(kind: str, tmp_path: Path) -> None:
    """A game whose rules fail, and one that kills whoever looks at it: a finding each, and exit code 3; no other row is lost."""
    folder = tmp_path / "installed"
    (folder / "traps-1.dist-info").mkdir(parents=True)
    (folder / "traps-1.dist-info" / "METADATA").write_text("Name: traps\nVersion: 1\n")
    points = "[handrec.games]\nfailing = failing:GAME\ndeadly = deadly:GAME\n"
    (folder / "traps-1.dist-info" / "entry_points.txt").write_text(points)
    (folder / "failing.py").write_text("raise ValueError('a bug')")
    (folder / "deadly.py").write_text("import os, signal\nos.kill(os.getpid(), signal.SIGKILL)")
    good, bad = dealt("bridge", 1), dealt("bridge", 2, "REV001")
    games = [good, {**good, "game": "failing"}, {**good, "game": "deadly"}, bad]
    path = tmp_path / f"games.{kind}"
    if kind == "jsonl":
        path.write_bytes(lines(*games))
    else:  # all rows in one group
        regrouped(path, [Record.model_validate(each) for each in games], len(games))
    traps = {"PYTHONPATH": f"{folder}{os.pathsep}{ROOT}"}
    told = audited_apart(path, "--jobs", "2", "-o", tmp_path / "found.jsonl", code=3, **traps)
    found = [(one["line"], one["code"]) for one in rows(tmp_path / "found.jsonl")]
    assert found == [(2, "INT001"), (3, "INT001"), (4, "REV001"), (2, "DUP002")]
    assert "Audited 4 records" in told


def test_a_closed_pipe_ends_it_quietly() -> None:
    """As with every command, the exit code is that of a closed pipe."""
    reading, writing_ = os.pipe()
    os.close(reading)
    command = [sys.executable, "-m", "handrec", "audit", str(sorted((FIXTURES / "clean").rglob("*.json"))[0])]
    done = subprocess.run(command, stdout=writing_, stderr=subprocess.PIPE, check=False, cwd=ROOT)
    os.close(writing_)
    assert done.returncode in (-signal.SIGPIPE, 141)
    assert b"Traceback" not in done.stderr


@pytest.mark.long
@pytest.mark.skipif(not (find_spec("distributed") and find_spec("pyarrow")), reason="needs the extras `dask` and `archive`")
@pytest.mark.parametrize("kind", ["lines", "file", "url"])
def test_dask_changes_no_byte(kind: str, archive: Path, tmp_path: Path) -> None:
    """A cluster of this machine, also when one of its workers is killed in mid-run; each worker opens an archive itself."""
    path: str | Path = archive
    if kind != "lines":
        path = tmp_path / "games.parquet"
        records = [
            deal_game(find("bridge"), 4, seed, numbers=[1], inject="REV001" if seed % 5 == 0 else None) for seed in range(50)
        ]
        regrouped(path, records * 22, 1)
        path = path.as_uri() if kind == "url" else path
    alone = audited_apart(path, "--out", tmp_path / "1.jsonl")
    assert audited_apart(path, "--engine", "dask", "--jobs", "2", "--out", tmp_path / "2.jsonl") == alone
    assert (tmp_path / "1.jsonl").read_bytes() == (tmp_path / "2.jsonl").read_bytes()
    state = tmp_path / "state"
    command = [sys.executable, "-m", "handrec", "audit", str(path), "--engine", "dask", "--jobs", "2", "--resume", str(state)]
    process = subprocess.Popen(command, cwd=ROOT, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
    while process.poll() is None and not (state.exists() and state.read_bytes().count(b"\n") > 2):
        time.sleep(0.002)
    workers = [each for child in children(process.pid) for each in children(child)] or children(process.pid)
    assert process.poll() is None
    assert workers
    os.kill(workers[0], signal.SIGKILL)
    said, _ = process.communicate(timeout=600)
    assert process.returncode == 1
    assert said == alone


def children(process: int) -> list[int]:
    """The processes that a process has begun and that run Dask's workers."""
    found = []
    for path in Path("/proc").glob("[0-9]*/stat"):
        try:
            parent = int(path.read_text().rsplit(")", 1)[1].split()[1])
            if parent == process and b"spawn_main" in (path.parent / "cmdline").read_bytes():
                found.append(int(path.parent.name))
        except OSError:
            continue
    return found


# --- files and URLs -------------------------------------------------------------------------------------------------


@archives
@pytest.mark.long
@pytest.mark.skipif(not find_spec("fsspec"), reason="needs the extra `dask`")
def test_every_way_to_an_archive_gives_the_same_bytes(
    both: tuple[Path, Path], tmp_path: Path, audited: Callable[..., str]
) -> None:
    """Lines and archive, as a file and as a URL, by one worker and two, resumed: the same, to the byte, but for its name.

    Rows have no columns of text.
    """
    source, archive = both
    url, state = archive.as_uri(), tmp_path / "state"
    told, found = [], []
    for number, (path, *rest) in enumerate(
        [(source, "--jobs", "1"), (archive, "--jobs", "2", "--resume", state), (archive, "--resume", state), (url, "--jobs", "1")]
    ):
        out = tmp_path / f"{number}.jsonl"
        told.append(audited(path, *rest, "-o", out))
        found.append(re.sub('"column":[0-9]+', '"column":1', out.read_text("utf-8").replace(str(path), "games")))
    assert told[1] == told[2]
    assert len({text.split("Worst")[0] for text in told}) == 1
    assert found[0] == found[1] == found[2] == found[3]
    assert Counter(json.loads(line)["code"] for line in found[0].splitlines()) == {"REV001": 8, "DUP001": 16}


@archives
@pytest.mark.skipif(not find_spec("fsspec"), reason="needs the extra `dask`")
def test_urls_are_read_as_files_are(both: tuple[Path, Path], tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """Whatever fsspec opens is cut and judged; what changes in it changes its identity; what is not there is told in a line."""
    import fsspec

    _, archive = both
    memory = fsspec.filesystem("memory")
    memory.pipe("/games/a.parquet", archive.read_bytes())
    memory.pipe("/games/b.jsonl", lines(dealt("bridge", 1)))
    found = [Input(each.url, url=each.url) for each in sources(["memory://games/"], whole=False, remote=True) if each.url]
    assert [each.name for each in found] == ["memory:///games/a.parquet", "memory:///games/b.jsonl"]
    url = found[0]
    assert url.size == archive.stat().st_size
    assert told_without_names(merged(map(judge, cut(url)))) == told_without_names(merged(map(judge, cut(Input("a", archive)))))
    assert judge(cut(found[1])[0])["totals"][0] == 1
    before = url.identity
    assert url.identity == before
    memory.pipe("/games/a.parquet", b"PAR1")
    assert url.identity != before
    assert [row[5] for row in judge(cut(url)[0])["findings"]] == ["FMT001"]
    memory.rm("/games", recursive=True)
    for path, why in (
        ("memory://games/a.parquet", "no such file or directory"),
        ("memory://none/", "there is no record in this directory"),
        ((tmp_path / "no.parquet").as_uri(), "no such file or directory"),
        ("strange://x/a.parquet", "protocol not known"),
    ):
        assert run(["audit", path]) == 2
        said = capsys.readouterr().err
        assert said.startswith(f"handrec: {path}: {why}")
        assert said.count("\n") == 1


def stored(files: dict[str, bytes], gone: list[str]) -> None:
    """A file system `blocks` of these files, which are fetched block by block; those that are gone fail in the middle."""
    import fsspec
    from fsspec.spec import AbstractBufferedFile, AbstractFileSystem

    class Blocks(AbstractBufferedFile):  # type: ignore[misc]  # fsspec has no types
        def _fetch_range(self, start: int, end: int) -> bytes:
            if self.path in gone and start > 2000:
                raise RuntimeError("the store has gone away")
            return files[self.path][start:end]

    class Store(AbstractFileSystem):  # type: ignore[misc]
        protocol = "blocks"
        cachable = False

        def info(self, path: str, **kwargs: Any) -> dict[str, Any]:
            return {"name": path, "size": len(files[path]), "type": "file"}

        def _open(self, path: str, *args: Any, **kwargs: Any) -> Any:
            return Blocks(self, path, block_size=1000)

    fsspec.register_implementation("blocks", Store, clobber=True)


@archives
@pytest.mark.skipif(not find_spec("fsspec"), reason="needs the extra `dask`")
def test_files_that_are_fetched_block_by_block_are_read(both: tuple[Path, Path]) -> None:
    """As those of S3 and other stores are: they read bytes, and not much else that a file of this machine does."""
    files = {"a.parquet": both[1].read_bytes(), "b.jsonl": lines(*(dealt("bridge", seed) for seed in range(9)))}
    stored(files, gone=[])
    for name, data in files.items():
        found = merged(map(judge, cut(Input(name, url=f"blocks://{name}"))))
        assert told_without_names(found) == told_without_names(merged(map(judge, cut(Input(name, data=data)))))
        assert found["totals"][0] >= 9


@archives
@pytest.mark.skipif(not find_spec("fsspec"), reason="needs the extra `dask`")
def test_a_store_that_goes_away_is_no_fault_of_a_record(both: tuple[Path, Path]) -> None:
    """What has come is judged; that the rest did not is said of the file, or is INT001 where a worker was to read it."""
    files = {"c.parquet": both[1].read_bytes(), "d.jsonl": lines(*(dealt("bridge", seed) for seed in range(9)))}
    gone: list[str] = []
    stored(files, gone)
    inputs = [Input(name, url=f"blocks://{name}") for name in files]
    archive = cut(inputs[0])
    gone += files
    complaints: list[tuple[str, str]] = []
    found = merged(map(judge, chunks(inputs[1:], lambda *said: complaints.append(said))))
    assert complaints == [("d.jsonl", "the store has gone away")]
    assert not found["findings"]
    assert list(chunks(inputs[:1], lambda *said: complaints.append(said))) == []
    assert complaints[1:] == [("c.parquet", "the store has gone away")]
    rows = [row for chunk in archive for row in judge(chunk)["findings"]]
    assert {row[5] for row in rows} == {"INT001"}
    assert "the store has gone away" in rows[0][-1]


def told_without_names(result: Result) -> Any:
    """What came of something, but for the file's name."""
    shown = [row[3:-1] for row in result["findings"]]
    return [result["totals"], result["tallies"], shown, [block[1:] for block in result["deals"]]]


@pytest.mark.parametrize(("missing", "url"), [("fsspec", "s3://x/a.parquet"), ("s3fs", "s3://x/a.parquet")])
def test_what_a_url_needs_is_named(
    missing: str, url: str, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """One line says which package is not installed."""
    for name in [name for name in sys.modules if name.split(".")[0] == missing]:
        monkeypatch.delitem(sys.modules, name)
    monkeypatch.setitem(sys.modules, missing, None)
    assert run(["audit", url]) == 2
    said = capsys.readouterr().err
    assert "fsspec" in said if missing == "fsspec" or not find_spec("fsspec") else "s3fs" in said
    assert said.count("\n") == 1
