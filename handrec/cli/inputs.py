"""What the command line is given to read: files, directories, archives of files, lists of files, standard input."""

from __future__ import annotations

import re
import sys
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import BinaryIO, NamedTuple

from handrec.cli.errors import CommandError, reason
from handrec.limits import MAX_FILE, MAX_STREAM, mib

#: What a directory, or an archive of files, is searched for; a file that is named may be called anything.
SUFFIXES = (".json", ".jsonl", ".jsonl.gz", ".jsonl.xz", ".parquet", ".hrt", ".pbn", ".ptn", ".lin", ".rbn")

#: What the names of archives of files end in.
ARCHIVES = (".zip", ".tar", ".tar.gz", ".tgz", ".tar.xz")


#: What a baseline of `check` says that it is, and how one begins: it lies beside records, and is none.
BASELINE = "handrec.baseline"
BEGINS = re.compile(rb'\s*\{\s*"format"\s*:\s*"%b"' % re.escape(BASELINE.encode()))


class Source(NamedTuple):
    """A file's name and its bytes, or why it could not be read; `empty` is a directory without records.

    Where files are not read whole, `path` is one to be read as it comes, or `url` says where it is; there are no bytes. `found`
    is a file that nobody named: it was found in a directory.
    """

    name: str
    data: bytes = b""
    trouble: str | None = None
    empty: bool = False
    path: Path | None = None
    url: str | None = None
    found: bool = False


def sources(paths: Iterable[str], stdin_name: str = "<stdin>", whole: bool = True, remote: bool = False) -> Iterator[Source]:
    """The sources that the paths name, in their order; directories recursively, sorted, links to directories not followed.

    An archive of files that is named is read as a directory is, its files in its own order; of those in directories none is.
    `-` is standard input, and `@list` a file that names one path a line. Only where `remote` are URLs opened. Raises
    `CommandError` if a URL needs a package that is not installed.
    """
    told = False
    for path in paths:
        if path == "-":
            yield Source(stdin_name, trouble="standard input can be read only once") if told else _standard_input(stdin_name)
            told = True
        elif path.startswith("@") and not is_("exists", path):
            listing = _file(Path(path[1:]))
            if listing.trouble:
                yield listing
            for line in listing.data.decode("utf-8", "surrogateescape").split("\n"):  # other separators are parts of names
                if line.strip():
                    yield from _named(line.removesuffix("\r"), whole, remote)
        else:
            yield from _named(path, whole, remote)


def is_(what: str, path: str) -> bool:
    """Whether a path exists or is a directory; one that no file can have is neither."""
    try:
        return bool(getattr(Path(path), what)())
    except (OSError, ValueError):
        return False


def is_archive(path: str) -> bool:
    """Whether a path names an archive of files."""
    return path.lower().endswith(ARCHIVES)


def _named(path: str, whole: bool, remote: bool) -> Iterator[Source]:
    if "://" in path and (remote or not is_("exists", path)):
        from handrec.formats.lin.links import is_link

        if is_link(path):  # which is the record, and is not opened
            yield Source(path.partition("?")[0], path.encode("utf-8", "surrogateescape"))
        else:
            yield from _at(path) if remote else [Source(path, trouble="only handrec audit opens URLs")]
        return
    folder = is_("is_dir", path)
    if not folder and not is_archive(path):
        yield _file(Path(path), whole)
        return
    found = False
    for source in _within(Path(path), whole) if folder else _packed(Path(path)):
        found = True
        yield source
    if not found:
        yield Source(path, trouble=f"there is no record in this {'directory' if folder else 'archive'}", empty=True)


def _at(url: str) -> Iterator[Source]:
    """What a URL names; one that ends in a slash names a directory."""
    from handrec.audit import urls
    from handrec.formats import Missing

    try:
        found = urls.within(url, SUFFIXES) if url.endswith("/") else [url]
        for each in found:
            urls.size(each)  # so it is known in time whether it is there
            yield Source(each, url=each)
        if not found:
            yield Source(url, trouble="there is no record in this directory", empty=True)
    except Missing as error:
        raise CommandError(str(error)) from None
    except OSError as error:
        yield Source(url, trouble=reason(error))


def _within(folder: Path, whole: bool) -> Iterator[Source]:
    try:
        entries = sorted(folder.iterdir(), key=lambda path: path.name)
    except OSError as error:
        yield Source(str(folder), trouble=reason(error))
        return
    for entry in entries:
        try:
            is_folder, is_file = entry.is_dir() and not entry.is_symlink(), entry.is_file()
            # As is said when it is opened; but a hidden one is how an editor marks that a file is being edited.
            leads_nowhere = entry.is_symlink() and not entry.exists() and not entry.name.startswith(".")
        except OSError as error:
            yield Source(str(entry), trouble=reason(error))
            continue
        if is_folder and not entry.name.startswith("."):
            yield from _within(entry, whole)
        elif (is_file or leads_nowhere) and entry.name.lower().endswith(SUFFIXES) and not _is_baseline(entry):
            yield _file(entry, whole)._replace(found=True)


def _is_baseline(path: Path) -> bool:
    """Whether a file found beside records lists findings that are known already."""
    if not path.name.lower().endswith(".json"):
        return False
    try:
        with path.open("rb") as file:
            return BEGINS.match(file.read(100)) is not None
    except OSError:  # which is said when it is read
        return False


def _packed(path: Path) -> Iterator[Source]:
    from handrec.cli.packed import members  # only where there is an archive

    try:
        for name, data, trouble in members(path, SUFFIXES):
            yield Source(name, data, trouble)
    except (OSError, ValueError) as error:
        yield Source(str(path), trouble=reason(error))


def _file(path: Path, whole: bool = True) -> Source:
    try:
        with path.open("rb") as file:
            if not whole and path.is_file():
                return Source(str(path), path=path)
            return _read(str(path), file, MAX_FILE if path.is_file() else MAX_STREAM)
    except (OSError, ValueError) as error:
        return Source(str(path), trouble=reason(error))


def _standard_input(name: str) -> Source:
    if sys.stdin is None:
        return Source(name, trouble="standard input is closed")
    try:
        return _read(name, sys.stdin.buffer, MAX_STREAM)
    except OSError as error:
        return Source(name, trouble=reason(error))


def _read(name: str, file: BinaryIO, most: int) -> Source:
    data = file.read(most + 1)
    if len(data) <= most:
        return Source(name, data)
    advice = "" if most == MAX_FILE else ", the limit for what is no file: write it to one"
    return Source(name, trouble=f"it is larger than {mib(most)}{advice}")
