"""A record as a page that can be looked at: one HTML file that asks nobody for anything.

What it shows is worked out here, from the referee and from inference; the page's script only shows it. What records say
reaches the page as data, is put there as text, and cannot become markup or script.
"""

from __future__ import annotations

import json
from base64 import b64encode
from collections.abc import Sequence
from hashlib import sha256
from html import escape
from importlib.resources import files
from string import Template

from handrec import writing
from handrec.report.safe import MESSAGE, safe
from handrec.view.data import ShownRecord, page_data
from handrec.view.transcript import transcript

__all__ = ["MARK", "ShownRecord", "hashes", "inert", "is_page", "link", "page", "page_data"]

#: Nothing is loaded from anywhere, and no style or script runs but the page's own.
POLICY = "default-src 'none'; script-src '{script}'; style-src '{style}'; img-src data:; base-uri 'none'; form-action 'none'"


#: What stands in the head of every page, and says that it is one of these.
MARK = '<meta name="generator" content="handrec view">'


def page(shown: Sequence[ShownRecord], start: str = "", *, watched: bool = False, notice: Sequence[str] = ()) -> str:
    """The page of one record, or of two beside each other, as one HTML document; a link to a card says where it starts.

    One that is `watched` loads itself again and again, since it is written anew as its record is edited; `notice` are lines
    that stand above all else.
    """
    data = {**page_data(shown), "start": start, "watched": watched, "notice": [safe(line, MESSAGE) for line in notice]}
    style, script = _style(), _script()
    title = " and ".join(record["name"] for record in data["records"])
    heading = " · ".join(dict.fromkeys(record["game"] for record in data["records"]))
    originals = [_island(f"record-{place}", writing.dumps(one.record)) for place, one in enumerate(shown)]
    return Template(_file("page.html")).substitute(
        mark=MARK,
        policy=POLICY.format(script=_hash(script), style=_hash(style)),
        title=escape(f"{title} – handrec"),
        heading=escape(heading),
        style=style,
        script=script,
        data=inert(json.dumps(data, separators=(",", ":"))),
        records="\n".join(originals),
        transcript=transcript(data),
    )


def hashes() -> tuple[str, str]:
    """What a policy calls the script and the style of every page."""
    return _hash(_script()), _hash(_style())


def is_page(head: bytes) -> bool:
    """Whether a file that begins so (1,024 bytes are enough) is such a page."""
    return head.startswith(b"<!doctype html>") and MARK.encode() in head


def link(number: int, nth: int = 1, trick: int | None = None) -> str:
    """The link within a page to a deal, the nth of its number, or to the end of a trick of it."""
    return f"#d{number}" + (f"-{nth}" if nth > 1 else "") + (f".t{trick}" if trick else "")


def _style() -> str:
    return _file("view.css")


def _script() -> str:
    return "".join(map(_file, ("stand.js", "draw.js", "view.js")))


def _file(name: str) -> str:
    return files(__package__).joinpath(name).read_text("utf-8")


def _island(name: str, text: str) -> str:
    return f'<script type="application/json" id="{name}">{inert(text)}</script>'


def inert(text: str) -> str:
    """JSON that is no HTML, whatever is in it."""
    return text.replace("<", "\\u003c").replace(">", "\\u003e").replace("&", "\\u0026")


def _hash(text: str) -> str:
    return "sha256-" + b64encode(sha256(text.encode()).digest()).decode()
