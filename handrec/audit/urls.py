"""Inputs that are no files of this machine: whatever fsspec opens. It comes with Dask, and is asked only where a URL is given."""

from __future__ import annotations

import io
from contextlib import suppress
from importlib import import_module
from typing import Any, BinaryIO, cast

from handrec.formats import Missing

#: What file systems call that which tells a file from the same file changed, where their keys do not.
STAMPS = (
    "ETag",
    "etag",
    "md5Hash",
    "Content-MD5",
    "Digest",
    "mtime",
    "LastModified",
    "Last-Modified",
    "last_modified",
    "updated",
)


def found(url: str) -> tuple[Any, str]:
    """The file system of a URL, and the path there. Raises `Missing` if a package is, OSError if there is no such system."""
    try:
        core: Any = import_module("fsspec.core")
    except ModuleNotFoundError:
        raise Missing("a URL needs fsspec: pip install 'handrec[dask]'") from None
    try:
        system, path = core.url_to_fs(url)
    except ImportError as error:
        raise Missing(f"{url.split('://')[0]}:// needs a package that is not installed ({_line(error)})") from None
    except Exception as error:  # each file system has its own
        raise OSError(_line(error)) from None
    return system, path


def within(url: str, suffixes: tuple[str, ...]) -> list[str]:
    """The URLs of all files below a directory that have such a name, sorted."""
    system, _ = found(url)
    return sorted(system.unstrip_protocol(path) for path in _asked(url, "find") if path.lower().endswith(suffixes))


def size(url: str) -> int:
    """The number of its bytes, 0 where that is not told."""
    return int(_asked(url, "size") or 0)


def stamp(url: str) -> str:
    """What changes when it does, as far as its file system can tell."""
    info = _asked(url, "info")
    return " ".join([str(_asked(url, "ukey")), *(f"{name}={info[name]}" for name in STAMPS if name in info)])


def open_url(url: str) -> BinaryIO:
    """It, open to be read. OSError if it cannot be, ConnectionError if it can no longer be read."""
    return cast(BinaryIO, io.BufferedReader(_Remote(_asked(url, "open"))))


class _Remote(io.RawIOBase):
    """A file of a file system, which may read bytes and not much else, and fail in any way."""

    def __init__(self, file: Any) -> None:
        self.file = file

    def readable(self) -> bool:
        return True

    def seekable(self) -> bool:
        return True

    def seek(self, offset: int, whence: int = 0) -> int:
        return int(self._asked("seek", offset, whence))

    def readinto(self, buffer: Any) -> int:
        data = self._asked("read", len(buffer))
        buffer[: len(data)] = data
        return len(data)

    def close(self) -> None:
        super().close()
        with suppress(Exception):  # there is nothing more to be had of it
            self.file.close()

    def _asked(self, what: str, *given: int) -> Any:
        try:
            return getattr(self.file, what)(*given)
        except Exception as error:  # each file system has its own
            raise ConnectionError(_line(error)) from None


def _asked(url: str, what: str) -> Any:
    system, path = found(url)
    try:
        return getattr(system, what)(path)
    except FileNotFoundError:
        raise FileNotFoundError("no such file or directory") from None
    except Exception as error:
        raise OSError(_line(error)) from None


def _line(error: Exception) -> str:
    return (str(error).splitlines() or [type(error).__name__])[0][:200]
