"""handrec and what it needs, as they are installed here, in one archive for the browser: Python alone, nothing compiled."""

from __future__ import annotations

import zipfile
from collections.abc import Iterator
from importlib.metadata import PackageNotFoundError, distribution
from io import BytesIO
from pathlib import Path

#: What handrec needs, but for the compiled part of pydantic. Typer's looks (rich) are never used.
NEEDED = (
    "annotated-doc",
    "annotated-types",
    "pydantic",
    "shellingham",
    "tabulate",
    "typer",
    "typing-extensions",
    "typing-inspection",
)

#: Endings of files that are of no use there: what is compiled or to be compiled, and what an installer wrote down.
LEFT_OUT = (".pyc", ".so", ".pyd", ".c", ".h", ".pyi", "RECORD", "INSTALLER", "REQUESTED", "direct_url.json")


class Unlisted(ValueError):
    """A package does not say which files are its own."""


def packed() -> bytes:
    """The archive: the same bytes from the same files. Raises `Unlisted`."""
    packages = {name: path for needed in NEEDED for name, path in _installed(needed)} | dict(_own())
    whole = BytesIO()
    with zipfile.ZipFile(whole, "w", zipfile.ZIP_DEFLATED, compresslevel=9) as archive:
        for name, path in sorted(packages.items()):
            archive.writestr(zipfile.ZipInfo(name), path.read_bytes(), zipfile.ZIP_DEFLATED)
    return whole.getvalue()


def _own() -> Iterator[tuple[str, Path]]:
    """The files of handrec, however it was installed."""
    package = Path(__file__).parents[1]
    for path in package.rglob("*"):
        if path.is_file() and not path.name.endswith(LEFT_OUT):
            yield path.relative_to(package.parent).as_posix(), path


def _installed(name: str) -> Iterator[tuple[str, Path]]:
    """The files of another package, its licence among them."""
    try:
        listed = distribution(name).files
    except PackageNotFoundError:
        listed = None
    if not listed:
        raise Unlisted(f"nothing says which files {name} is made of: install it with pip")
    for path in listed:
        if ".." not in path.parts and not path.name.endswith(LEFT_OUT):
            yield path.as_posix(), Path(str(path.locate()))
