"""`handrec page`: a folder that a web server hands out, and that runs handrec in the browser."""

from __future__ import annotations

import sys
from pathlib import Path

from handrec import writing
from handrec.cli.errors import CommandError, naming_file
from handrec.convert import targets
from handrec.page import FIRST, folders, is_ours, site
from handrec.page.packages import Unlisted
from handrec.page.runtime import Lacking, commands, fetched
from handrec.report.safe import safe

#: Formats that need what no page loads.
NOT_THERE = {"parquet"}


def run(output: str, runtime: str | None) -> int:
    """Write the page, or write it anew where one stands."""
    if output == "-":
        raise CommandError("- is standard output, and this needs a folder")
    if runtime is None:
        raise CommandError(f"the page needs a runtime, which handrec does not carry: name its folder.{_how(output, 'runtime')}")
    formats = {key: kind.suffixes[0] for key, kind in targets().items() if key not in NOT_THERE}
    try:
        with naming_file(runtime):
            python = fetched(Path(runtime))
    except Lacking as error:
        raise CommandError(f"{safe(runtime, 300)}: {safe(str(error), 400)}.{_how(output, runtime)}") from None
    try:
        files = site(python, formats)
    except Unlisted as error:
        raise CommandError(str(error)) from None
    with naming_file(output):
        _write(Path(output), files)
    size = sum(map(len, files.values()))
    print(f"wrote {safe(output, 300)}: {size / 1e6:.0f} MB; README.md there says how it is served", file=sys.stderr)
    return 0


def _how(output: str, given: str) -> str:
    """How the runtime is fetched, command by command."""
    from shlex import quote

    npm, pip = commands(quote(given))
    lines = [f"mkdir -p {quote(given)}", npm, pip, f"handrec page -o {quote(output)} --runtime {quote(given)}"]
    return " These commands fetch it, from the npm registry and from PyPI:" + "".join(f"\n  {line}" for line in lines)


def _write(folder: Path, files: folders.Files) -> None:
    """Write the files where nothing stands, or a page: what it loads first, itself last; then what is not used any more goes.

    Broken off, it leaves the page as it was, or the new one, and the next run does the rest.
    """
    folder.mkdir(exist_ok=True)
    writing.sweep(folder.absolute())
    standing = {path.name for path in folder.iterdir()}
    if standing and FIRST not in standing:
        raise CommandError(f"{safe(folder, 300)} holds something else than a page of handrec's; nothing was written")
    for name in files:
        if "/" not in name:
            _ours(folder / name)
    for name, data in files.items():
        path = folder / name
        path.parent.mkdir(exist_ok=True)
        if path.parent != folder:
            writing.sweep(path.parent.absolute())
        if not path.is_file() or path.read_bytes() != data:
            writing.write(path, [data])
    folders.forgotten(folder, {name.partition("/")[0] for name in files})


def _ours(path: Path) -> None:
    """Refuse to write over a file that no page has."""
    hindrance = writing.hindrance(path)
    if hindrance is None and path.exists() and not is_ours(path.read_bytes()):
        hindrance = "it is not a page's; nothing was written"
    if hindrance is not None:
        raise CommandError(f"{safe(path, 300)}: {hindrance}")
