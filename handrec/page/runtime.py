"""What handrec does not carry of the page: Python for browsers, and the compiled part of pydantic, from their registries."""

from __future__ import annotations

import tarfile
import zipfile
import zlib
from importlib.metadata import version
from io import BytesIO
from pathlib import Path

from handrec.page.folders import Files

#: The release of Pyodide that the page is tested with, and what its wheels are called after: its Python, and its platform.
PYODIDE = "314.0.7"
PYTHON = "3.14"
PLATFORM = "pyemscripten_2026_0_wasm32"

#: What the page needs of it.
NEEDED = ("pyodide.mjs", "pyodide.asm.mjs", "pyodide.asm.wasm", "python_stdlib.zip", "pyodide-lock.json")


class Lacking(ValueError):
    """The runtime is not there, or not whole; the text says what to do."""


def archive() -> str:
    """The name of the file with Pyodide."""
    return f"pyodide-{PYODIDE}.tgz"


def wheel() -> str:
    """The name of the file with the compiled part of pydantic: of the release that is installed here."""
    tag = f"cp{PYTHON.replace('.', '')}"
    return f"pydantic_core-{version('pydantic_core')}-{tag}-{tag}-{PLATFORM}.whl"


def commands(folder: str) -> tuple[str, str]:
    """What fetches the two files into a folder that is there."""
    return (
        f"npm pack pyodide@{PYODIDE} --pack-destination {folder}",
        f"python3 -m pip download --no-deps --only-binary :all: --python-version {PYTHON} --platform {PLATFORM} "
        f"-d {folder} pydantic-core=={version('pydantic_core')}",
    )


def fetched(folder: Path) -> Files:
    """The files that the page loads, from the two that were fetched into a folder. Raises `Lacking`."""
    lacking = [name for name in (archive(), wheel()) if not (folder / name).is_file()]
    if lacking:
        raise Lacking(f"there is no {' and no '.join(lacking)} in it")
    return {**_members(folder / archive()), wheel(): _whole(folder / wheel())}


def _members(path: Path) -> Files:
    found = {}
    try:
        with tarfile.open(path) as packed:
            for name in NEEDED:
                inside = packed.extractfile(f"package/{name}")
                if inside is None:
                    raise KeyError(name)
                found[name] = inside.read()
    except (tarfile.TarError, KeyError, EOFError, OSError, zlib.error) as error:
        raise Lacking(f"{path.name} is not whole, or is something else: {error}") from None
    return found


def _whole(path: Path) -> bytes:
    data = path.read_bytes()
    try:
        with zipfile.ZipFile(BytesIO(data)) as packed:
            bad = packed.testzip()
    except (zipfile.BadZipFile, NotImplementedError, EOFError, OSError, zlib.error) as error:
        raise Lacking(f"{path.name} is not whole, or is something else: {error}") from None
    if bad is not None:
        raise Lacking(f"{path.name} is not whole: {bad} is damaged")
    return data
