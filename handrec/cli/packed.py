"""Archives of files, read as folders are: zip, and tar plain or packed.

Nothing is unpacked to a disk, and an archive within one is not opened. Whatever an archive says of itself may be a trap. A
member is read into memory, no further than the limit of the whole archive; one whose name leads out of the archive, or is there
twice, and links, are not read: that is said. So the name of a member that is read stands below that of its archive, and may be
the name of a file below some folder.
"""

from __future__ import annotations

import gzip
import lzma
import stat
import struct
import sys
import tarfile
import zlib
from collections.abc import Callable, Iterator
from functools import partial
from pathlib import Path, PurePosixPath, PureWindowsPath
from typing import IO, Any, BinaryIO, NamedTuple
from zipfile import BadZipFile, ZipFile, ZipInfo

from handrec.limits import ALWAYS, MAX_DIRECTORY, MAX_FILE, MAX_RATIO, mib

#: What unpacks a tar, by the end of its name; what is none of these is a zip.
TARS: dict[str, Callable[[BinaryIO], Any]] = {
    ".tar": lambda file: file,
    ".tar.gz": gzip.open,
    ".tgz": gzip.open,
    ".tar.xz": lzma.open,
}

_DAMAGED = (
    tarfile.TarError, BadZipFile, zlib.error, lzma.LZMAError, struct.error, EOFError, ValueError, OverflowError, RuntimeError,
    NotImplementedError,
)  # fmt: skip

#: What Apple's archives hold besides files of theirs.
FORKS, FORK = "__MACOSX", "._"


class Member(NamedTuple):
    """A file in an archive: its name, with that of the archive in front, and its bytes, or why it is not read."""

    name: str
    data: bytes = b""
    trouble: str | None = None


class _TooLarge(Exception):
    """More comes out of an archive than it may hold."""


class _Counted:
    """A file of which no more than so many bytes are read in all, and no more at a time."""

    def __init__(self, file: Any, most: int, at_a_time: int) -> None:
        self.file, self.left, self.at_a_time = file, most, at_a_time

    def read(self, size: int = -1) -> bytes:
        """Some bytes. Raises `_TooLarge`."""
        most = min(self.left, self.at_a_time)
        data: bytes = self.file.read(min(size, most + 1) if size >= 0 else most + 1)
        if len(data) > most:
            raise _TooLarge
        self.left -= len(data)
        return data

    def __getattr__(self, name: str) -> Any:
        return getattr(self.file, name)


def members(path: Path, suffixes: tuple[str, ...]) -> Iterator[Member]:
    """The files in an archive whose names end so, in its order. Raises OSError if it cannot be opened."""
    with path.open("rb") as file:
        most = min(max(ALWAYS, MAX_RATIO * path.stat().st_size), MAX_FILE)
        found = _tarred if path.name.lower().endswith((*TARS,)) else _zipped
        left, seen = most, set[str]()
        try:
            for name, size, why, read in found(file, path.name.lower(), most):
                inside = PurePosixPath(name.replace("\\", "/"))
                if not inside.name.lower().endswith(suffixes) or _is_hidden(inside):
                    continue
                whole = f"{path}/{inside}"
                why = "its name leads out of the archive" if _leads_out(inside) else why
                why = "it stands in the archive twice" if whole in seen and not why else why
                seen.add(whole)
                if why is None and size <= left:
                    data, why = _read(read, left)
                    left -= len(data)
                elif why is None:
                    raise _TooLarge
                yield Member(str(path / inside.name) if _leads_out(inside) else whole, b"" if why else data, why)
        except _TooLarge:
            yield Member(
                str(path), trouble=f"more than {mib(most)} unpacked, the limit for this archive: unpack it, and name the folder"
            )
        except _DAMAGED:
            yield Member(str(path), trouble="the archive is damaged or cut off here")


def _is_hidden(name: PurePosixPath) -> bool:
    """Whether it lies in a folder that is not searched, or is no file that anybody made."""
    return (
        FORKS in name.parts
        or name.name.startswith(FORK)
        or any(part.startswith(".") and part != ".." for part in name.parts[:-1])
    )


def _leads_out(name: PurePosixPath) -> bool:
    """Whether a name, here or elsewhere, may be that of a file that does not lie below."""
    foreign = PureWindowsPath(name)
    return ".." in name.parts or bool(foreign.anchor) or name.is_absolute() or any(character < " " for character in str(name))


def _read(read: Callable[[], IO[bytes] | None], left: int) -> tuple[bytes, str | None]:
    """The bytes of a member, or why they cannot be read."""
    try:
        file = read()
        data = file.read(left + 1) if file is not None else b""
    except (*_DAMAGED, OSError):
        return b"", "it is damaged in the archive"
    if len(data) > left:
        raise _TooLarge
    return data, None


#: A member: its name, how large it says it is, why it is not to be read, and what opens it.
Entry = tuple[str, int, "str | None", Callable[[], "IO[bytes] | None"]]


def _zipped(file: BinaryIO, name: str, most: int) -> Iterator[Entry]:
    with ZipFile(_Counted(file, sys.maxsize, MAX_DIRECTORY)) as archive:
        for info in archive.infolist():
            if not info.is_dir():
                yield info.filename, info.file_size, _why_not(info), partial(archive.open, info)


def _why_not(info: ZipInfo) -> str | None:
    if stat.S_ISLNK(info.external_attr >> 16):
        return "it is a link, and links are not followed"
    return "it is encrypted" if info.flag_bits & 1 else None


def _tarred(file: BinaryIO, name: str, most: int) -> Iterator[Entry]:
    unpack = next(unpack for suffix, unpack in TARS.items() if name.endswith(suffix))
    stream: Any = _Counted(unpack(file), most, MAX_DIRECTORY)
    with tarfile.open(fileobj=stream, mode="r|") as archive:
        for info in archive:
            archive.members = []  # type: ignore[attr-defined]  # it would keep them all
            if not info.isdir():
                odd = "it is a link, and links are not followed" if info.issym() or info.islnk() else "it is no plain file"
                why = None if info.isreg() and not info.issparse() else odd
                yield info.name, info.size, why, partial(archive.extractfile, info)
