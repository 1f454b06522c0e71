"""Many files converted into a folder: each becomes one of its name, all of them or none, and none takes the place of another."""

from __future__ import annotations

import os
from collections.abc import Iterable, Iterator
from contextlib import suppress
from functools import partial
from itertools import chain, groupby
from pathlib import Path, PurePath
from tempfile import TemporaryDirectory
from typing import Any

from handrec import writing
from handrec.cli.common import Read
from handrec.cli.errors import CommandError, naming_file
from handrec.cli.inputs import is_, is_archive
from handrec.convert import Presentation, joined, packed
from handrec.formats import SUFFIXES, Format
from handrec.report.safe import safe

_PIECE = 2**20


def ready(folder: Path) -> None:
    """See that a folder can be written to, or made."""
    there = folder if folder.exists() else folder.parent
    if os.path.lexists(folder) and not folder.is_dir():
        raise CommandError(f"{safe(folder, 300)} is no folder")
    for mode, why in ((os.F_OK, "no such file or directory"), (os.W_OK, "permission denied")):
        if not os.access(f"{there}/.", mode):
            raise CommandError(f"{safe(folder, 300)}: {why}")


def put_each(made: Iterator[tuple[Read, Any]], folder: Path, kind: Format | Presentation, paths: Iterable[str]) -> int:
    """Write the texts of each file that was read to a file of its name, in folders as they were below the paths given.

    Where the format holds one record a file, several of one file are numbered. Returns how many files were written. Raises
    `CommandError`, and has written nothing, if two would have one name, or one is there already.
    """
    roots = [Path(path) for path in paths if is_("is_dir", path) or is_archive(path)]
    whence: dict[str, str] = {}
    with TemporaryDirectory(prefix=writing.TEMPORARY) as held:
        names: list[PurePath] = []
        for path, group in groupby(made, key=lambda pair: pair[0].path):
            for name, parts in _files(path, (part for _, part in group), kind, roots):
                if (other := whence.setdefault(str(name).casefold(), path)) and len(whence) == len(names):
                    both = f"{safe(other, 300)} and {safe(path, 300)}"
                    raise CommandError(f"{both} would both become {safe(folder / name, 300)}; nothing was written")
                with (Path(held) / str(len(names))).open("wb") as file:
                    file.writelines(parts)
                names.append(name)
        _place(folder, names, Path(held))
    return len(names)


def _files(
    path: str, parts: Iterator[Any], kind: Format | Presentation, roots: list[Path]
) -> Iterator[tuple[PurePath, Iterable[bytes]]]:
    """The files that one becomes: their names, and their bytes."""
    stem = _stem(path, kind, roots)
    suffix = kind.suffixes[0]
    if isinstance(kind, Format) and kind.pack:
        yield stem.with_name(stem.name + suffix), kind.pack(parts)
    elif kind.many:
        yield stem.with_name(stem.name + suffix), packed(joined(parts, kind))
    else:
        first, second = next(parts), next(parts, None)
        several = chain([first], [] if second is None else [second], parts)
        for number, text in enumerate(several, 1):
            numbered = stem.name + ("" if second is None else f"-{number}")
            yield stem.with_name(numbered + suffix), packed(joined([text], kind))


def _stem(path: str, kind: Format | Presentation, roots: list[Path]) -> PurePath:
    """The name of a file without its suffix, with the folders in which it lies below one of the paths given."""
    file = PurePath(path if path != "<stdin>" else "stdin")
    root = next((root for root in roots if file.is_relative_to(root)), file.parent)
    name = file.name
    endings = sorted(chain.from_iterable(SUFFIXES.values()), key=len, reverse=True)
    ending = next((each for each in endings if name.lower().endswith(each)), "")
    name = name[: len(name) - len(ending)] or name
    if kind.key != "json":
        name = name.removesuffix(".handrec") or name
    return file.relative_to(root).with_name(name)


def _place(folder: Path, names: list[PurePath], held: Path) -> None:
    """Put the files where they belong, all or none."""
    there = next((name for name in names if os.path.lexists(folder / name)), None)
    if there is not None:
        raise CommandError(f"{safe(folder / there, 300)} exists already; nothing was written")
    done: list[Path] = []
    made: list[Path] = []
    try:
        for place, name in enumerate(names):
            path = folder / name
            with naming_file(str(path)), (held / str(place)).open("rb") as file:
                missing = [each for each in (path.parent, *path.parent.parents) if not each.exists()]
                for each in reversed(missing):
                    each.mkdir()
                    made.append(each)
                writing.write(path, iter(partial(file.read, _PIECE), b""), clobber=False)
            done.append(path)
    except BaseException:
        for path in done:
            path.unlink(missing_ok=True)
        for each in reversed(made):
            with suppress(OSError):
                each.rmdir()
        raise
