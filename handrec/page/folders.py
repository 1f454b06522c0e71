"""Folders that are named by what is in them, so that a page and what it loads can be exchanged file by file, and never mixed.

Each has a list of its files with their hashes; its own name has the hash of the list. So a folder that is not used any more is
known to be one of these, and each file in it, before anything is taken away.
"""

from __future__ import annotations

import json
import re
from contextlib import suppress
from hashlib import sha256
from pathlib import Path

Files = dict[str, bytes]

#: The list of the files of a folder.
LIST = "contents.json"
_NAME = re.compile(r"(?:pyodide|handrec)-([0-9a-f]{16})")


def named(kind: str, files: Files) -> Files:
    """The files by their paths in a folder of this kind, its list first."""
    listed = json.dumps({name: _hash(data) for name, data in files.items()}, indent=1).encode() + b"\n"
    folder = f"{kind}-{_hash(listed)[:16]}"
    return {f"{folder}/{name}": data for name, data in {LIST: listed, **files}.items()}


def forgotten(around: Path, kept: set[str]) -> None:
    """Take away folders of these that are not `kept`: the files that they list, if they are as they were, and no others."""
    for folder in sorted(around.iterdir()):
        known = _NAME.fullmatch(folder.name)
        if known is None or folder.name in kept or folder.is_symlink():
            continue
        with suppress(OSError, ValueError, AttributeError):  # then it stays
            listed = (folder / LIST).read_bytes()
            if _hash(listed).startswith(known[1]):
                _emptied(folder, {Path(name).name: hashed for name, hashed in json.loads(listed).items()})
        with suppress(OSError):  # something is in it
            folder.rmdir()


def _emptied(folder: Path, listed: dict[str, str]) -> None:
    for name, hashed in listed.items():
        path = folder / name
        if path.is_file() and not path.is_symlink() and _hash(path.read_bytes()) == hashed:
            path.unlink()
    if [path.name for path in folder.iterdir()] == [LIST]:
        (folder / LIST).unlink()


def _hash(data: bytes) -> str:
    return sha256(data).hexdigest()
