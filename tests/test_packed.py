"""Archives of files read as folders are, and hostile ones: nothing leads out of them, and nothing fills the memory."""

from __future__ import annotations

import gzip
import io
import lzma
import re
import tarfile
import tracemalloc
from collections.abc import Callable
from pathlib import Path
from zipfile import ZIP_DEFLATED, ZipFile, ZipInfo

import pytest

from handrec.cli import run
from handrec.cli.inputs import sources
from handrec.limits import ALWAYS

BOARD = '[Board "1"]\n[Dealer "N"]\n[Vulnerable "None"]\n[Declarer "S"]\n[Contract "3NT"]\n[Result "9"]\n[Score "NS 400"]\n\n'
WRONG = BOARD.replace("400", "430")

Files = list[tuple[str, bytes]]
Make = Callable[[Path, Files], Path]


def zipped(path: Path, files: Files) -> Path:
    """A zip of these files."""
    with ZipFile(path / "games.zip", "w", ZIP_DEFLATED) as archive, pytest.MonkeyPatch.context() as patch:
        patch.setattr("warnings.warn", lambda *args, **kwargs: None)  # of a name that is there twice
        for name, data in files:
            archive.writestr(name, data)
    return path / "games.zip"


def tarred(path: Path, files: Files) -> Path:
    """A tar of these files."""
    with tarfile.open(path / "games.tar", "w") as archive:
        for name, data in files:
            info = tarfile.TarInfo(name)
            info.size = len(data)
            archive.addfile(info, io.BytesIO(data))
    return path / "games.tar"


def tar_gz(path: Path, files: Files) -> Path:
    """The same, packed."""
    plain = tarred(path, files)
    plain.with_name("games.tar.gz").write_bytes(gzip.compress(plain.read_bytes()))
    return plain.with_name("games.tar.gz")


def tar_xz(path: Path, files: Files) -> Path:
    """The same, packed otherwise."""
    plain = tarred(path, files)
    plain.with_name("games.tar.xz").write_bytes(lzma.compress(plain.read_bytes()))
    return plain.with_name("games.tar.xz")


KINDS = pytest.mark.parametrize("make", [zipped, tarred, tar_gz, tar_xz])


def troubles(path: Path) -> list[tuple[str, str | None]]:
    """What is read of an archive, and what is not."""
    return [(source.name.removeprefix(f"{path.parent}/"), source.trouble) for source in sources([str(path)])]


@KINDS
def test_an_archive_is_checked_as_a_folder_is(make: Make, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    packed = gzip.compress(b"\n")
    files = [
        ("a.pbn", BOARD.encode()),
        ("sub/b.pbn", WRONG.encode()),
        ("notes.txt", b"?"),
        (".git/c.pbn", b"?"),
        ("d.jsonl.gz", packed),
    ]
    path = make(tmp_path, [*files, ("__MACOSX/a.pbn", b"?"), ("sub/._b.pbn", b"\0")])
    assert troubles(path) == [(f"{path.name}/{name}", None) for name in ("a.pbn", "sub/b.pbn", "d.jsonl.gz")]
    assert run(["check", str(path)]) == 1
    out, err = capsys.readouterr()
    assert f"{path}/sub/b.pbn:7:9: SCO001" in out
    assert "Checked 2 records (2 deals): 1 clean, 1 with findings (1 error)." in out
    assert not err


@KINDS
def test_an_archive_is_converted_as_a_folder_is(make: Make, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = make(tmp_path, [("a.pbn", BOARD.encode()), ("sub/b.pbn", BOARD.encode())])
    assert run(["convert", str(path), "-o", str(tmp_path / "out") + "/", "--to", "json", "--allow-lossy"]) == 0
    assert sorted(str(each.relative_to(tmp_path)) for each in (tmp_path / "out").rglob("*.json")) == [
        "out/a.json",
        "out/sub/b.json",
    ]
    assert run(["convert", str(path), "-o", str(tmp_path / "all.pbn")]) == 0
    assert (tmp_path / "all.pbn").read_text("latin-1").count("[Board ") == 2


@KINDS
@pytest.mark.parametrize(
    "name", ["../evil.pbn", "sub/../../evil.pbn", "/tmp/evil.pbn", "..\\evil.pbn", "C:\\evil.pbn", "C:evil.pbn", "a\n/../x.pbn"]
)
def test_a_name_that_leads_out_is_not_read(make: Make, name: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = make(tmp_path, [("good.pbn", BOARD.encode()), (name, BOARD.encode())])
    (good, bad) = troubles(path)
    assert good == (f"{path.name}/good.pbn", None)
    assert bad[1] == "its name leads out of the archive"
    before = sorted(tmp_path.rglob("*"))
    assert run(["convert", str(path), "-o", str(tmp_path / "out") + "/", "--to", "json", "--allow-lossy"]) == 2
    assert sorted(tmp_path.rglob("*")) == before
    assert not Path("/tmp/evil.pbn").exists()


@KINDS
def test_a_name_that_is_there_twice_is_read_once_and_told(make: Make, tmp_path: Path) -> None:
    path = make(tmp_path, [("a.pbn", BOARD.encode()), ("./a.pbn", WRONG.encode())])
    assert troubles(path) == [(f"{path.name}/a.pbn", None), (f"{path.name}/a.pbn", "it stands in the archive twice")]


@pytest.mark.parametrize("make", [zipped, tar_gz, tar_xz])
def test_a_bomb_is_not_unpacked(make: Make, tmp_path: Path) -> None:
    path = make(tmp_path, [("a.pbn", BOARD.encode()), ("b.pbn", b" " * (3 * ALWAYS))])
    tracemalloc.start()
    found = troubles(path)
    peak = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    assert found[0] == (f"{path.name}/a.pbn", None)
    (name, why) = found[1]
    assert name == path.name
    assert re.fullmatch("more than 1[0-9] MiB unpacked, the limit for this archive: unpack it, and name the folder", why or "")
    assert peak < 2.5 * ALWAYS


def test_a_zip_that_lies_about_sizes(tmp_path: Path) -> None:
    """The directory says that a file has a byte, and it has 30 MiB."""
    path = zipped(tmp_path, [("b.pbn", b" " * (3 * ALWAYS))])
    data = path.read_bytes()
    path.write_bytes(data.replace((3 * ALWAYS).to_bytes(4, "little"), (1).to_bytes(4, "little")))
    assert troubles(path) == [(f"{path.name}/b.pbn", "it is damaged in the archive")]


@pytest.mark.parametrize("kind", [tarfile.SYMTYPE, tarfile.LNKTYPE, tarfile.CHRTYPE, tarfile.FIFOTYPE])
def test_what_is_no_file_in_a_tar_is_not_read(kind: bytes, tmp_path: Path) -> None:
    with tarfile.open(tmp_path / "games.tar", "w") as archive:
        info = tarfile.TarInfo("a.pbn")
        info.type, info.linkname = kind, "/etc/passwd"
        archive.addfile(info)
    link = kind in (tarfile.SYMTYPE, tarfile.LNKTYPE)
    why = "it is a link, and links are not followed" if link else "it is no plain file"
    assert troubles(tmp_path / "games.tar") == [("games.tar/a.pbn", why)]


def test_a_link_in_a_zip_is_not_read(tmp_path: Path) -> None:
    with ZipFile(tmp_path / "games.zip", "w") as archive:
        info = ZipInfo("a.pbn")
        info.external_attr = 0o120777 << 16
        archive.writestr(info, "/etc/passwd")
    assert troubles(tmp_path / "games.zip") == [("games.zip/a.pbn", "it is a link, and links are not followed")]


@KINDS
def test_a_damaged_archive_is_trouble(make: Make, tmp_path: Path) -> None:
    """Cut anywhere, or with a byte turned: never more than a word about it."""
    path = make(tmp_path, [("a.pbn", BOARD.encode()), ("b.pbn", BOARD.encode() * 3)])
    data = path.read_bytes()
    cuts = range(0, len(data), max(1, len(data) // 40))
    for broken in [*(data[:cut] for cut in cuts), *(data[:at] + bytes([data[at] ^ 255]) + data[at + 1 :] for at in cuts)]:
        path.write_bytes(broken)
        for source in sources([str(path)]):
            assert source.trouble is None or source.trouble.isprintable()
    path.write_bytes(b"")
    assert [why for _, why in troubles(path)] in (
        ["the archive is damaged or cut off here"],
        ["there is no record in this archive"],
    )


def test_files_in_an_archive_are_not_written(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert run(["deal", "kbabs", "--seed", "1", "-o", str(tmp_path / "a.json")]) == 0
    text = (tmp_path / "a.json").read_text().replace(" ", "").replace("\n", "")
    path = zipped(tmp_path, [("a.json", text.encode())])
    before = path.read_bytes()
    capsys.readouterr()
    assert run(["fmt", str(path)]) == 2
    assert "it stands in an archive, which is not written anew" in capsys.readouterr().err
    assert path.read_bytes() == before


@pytest.mark.parametrize("command", ["score", "audit", "digest"])
def test_other_commands_read_archives(command: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = tar_gz(tmp_path, [("a.pbn", BOARD.encode()), ("b.pbn", BOARD.encode())])
    assert run([command, str(path)]) == 0
    assert capsys.readouterr().out


def test_an_archive_without_records(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = zipped(tmp_path, [("readme.txt", b"")])
    assert run(["check", str(path)]) == 2
    assert "there is no record in this archive" in capsys.readouterr().err
    assert run(["check", str(tmp_path / "none.zip")]) == 2
    assert "none.zip: no such file" in capsys.readouterr().err
