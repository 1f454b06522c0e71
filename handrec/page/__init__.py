"""The page that runs handrec itself in a browser: a folder of files that any web server can hand out.

It is made of three things: Python for the browser (Pyodide, from the npm registry), the compiled part of pydantic (from PyPI),
and handrec with the rest of what it needs, as they are installed here. What a visitor pastes there stays there: the page asks for
its own files and for nothing else.
"""

from __future__ import annotations

import json
import re
from html import escape
from importlib.resources import files
from string import Template

from handrec import __version__, view
from handrec.limits import MAX_BYTES
from handrec.page import folders, packages
from handrec.page.folders import Files

__all__ = ["FIRST", "Files", "folders", "is_ours", "site"]

#: What stands in each file at the top of the folder, and says that it is one of these.
_MARK = re.compile(rb'generator(: |" content=")handrec-page\b')
#: The file that is written first, and says that a folder is one of these.
FIRST = "README.md"

#: Nothing is loaded but from where the page is. Pages of `view` are shown in a frame, from memory: they are under this policy
#: too, so it knows their script and style.
POLICY = (
    "default-src 'none'; connect-src 'self'; worker-src 'self'; img-src 'self' data:; frame-src blob:; "
    "script-src 'self' 'wasm-unsafe-eval' '{script}'; style-src 'self' '{style}'; base-uri 'none'; form-action 'none'"
)


def site(python: Files, formats: dict[str, str]) -> Files:
    """All files of the page, by their paths in its folder, in the order in which they are to be written.

    `python` is what it runs on (see `runtime`), `formats` what records can be converted to, with the endings of files.
    Raises `packages.Unlisted`.
    """
    python = folders.named("pyodide", python)
    own = folders.named("handrec", {"handrec.zip": packages.packed(), **_static("page.js", "page.css", "worker.js")})
    loaded = [path for path in (*python, *own) if not path.endswith(folders.LIST)]
    size = sum(len((python | own)[path]) for path in loaded)
    words = {"version": __version__, "size": f"{size / 1e6:.0f} MB"}
    script, style = view.hashes()
    index = Template(_text("index.html")).substitute(
        words,
        policy=POLICY.format(script=script, style=style),
        style=_path("page.css", loaded),
        script=_path("page.js", loaded),
        formats="".join(f'<option data-suffix="{escape(suffix)}">{escape(key)}</option>' for key, suffix in formats.items()),
        data=view.inert(json.dumps({"files": loaded, "size": size, "most": MAX_BYTES, "example": _text("example.hrt")})),
    )
    return {
        FIRST: Template(_text(FIRST)).substitute(words).encode(),
        **python,
        **own,
        "sw.js": _static("sw.js")["sw.js"],
        "index.html": index.encode(),
    }


def is_ours(data: bytes) -> bool:
    """Whether a file at the top of a folder was written there as a part of such a page."""
    return _MARK.search(data[:1024]) is not None


def _path(name: str, among: list[str]) -> str:
    return next(path for path in among if path.endswith(f"/{name}"))


def _static(*names: str) -> Files:
    return {name: files(__package__).joinpath(name).read_bytes() for name in names}


def _text(name: str) -> str:
    return files(__package__).joinpath(name).read_text("utf-8")
