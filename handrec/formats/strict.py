"""JSON read strictly: keys that stand twice, fractions, NaN, depth and broken text are found, each with its place.

Most texts are clean. So the standard library parses each one, with hooks that only notice that something is wrong; the
slow walk over the tokens is kept for texts where something is, and for places that somebody asks for.
"""

from __future__ import annotations

import json
import re
from codecs import BOM_UTF8
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from itertools import islice
from typing import Any, TypeAlias

from handrec.findings import Finding, Location
from handrec.limits import MAX_BYTES, MAX_DEPTH, MAX_FINDINGS, MAX_NUMBER, mib
from handrec.referee.form import FORM

_STRING = r'"(?:[^"\\]++|\\.)*+"?'
_TOKEN = re.compile(rf'{_STRING}|[\[\]{{}},:]|[^\s\[\]{{}},:"]+', re.DOTALL)
_MARK = re.compile(rf"{_STRING}|[\[\]{{}}]", re.DOTALL)
_NO_MARK = bytes(set(range(256)) - set(b"[]{}"))
_ONE_KIND = bytes.maketrans(b"{}", b"[]")
_DIGITS = bytes.maketrans(b"123456789", b"000000000")
#: So many characters are looked through for the line in which one of them stands: there may be millions of empty lines.
BLOCK = 1024
_SURROGATE = re.compile(r"\\u[dD][89a-fA-F]")

#: What the standard library says of bad syntax, in our words; those that expect something also say what they found.
_SYNTAX = {
    "Expecting value": "a value is expected",
    "Expecting property name enclosed in double quotes": "a key in double quotes is expected",
    "Expecting ':' delimiter": "a colon is expected",
    "Expecting ',' delimiter": "a comma or a closing bracket is expected",
    "Extra data": "the end is expected",
    "Unexpected UTF-8 BOM (decode using utf-8-sig)": "a second byte order mark stands here",
    "Unterminated string starting at": "the text that begins here has no closing quote",
    "Invalid control character at": "a control character stands unescaped in a text",
}


#: Where a value stands and, for lists and objects, what is inside. Bare numbers for the rest keep a big text's tree small.
Node: TypeAlias = "int | tuple[int, dict[str, Node] | list[Node]]"


def clip(text: str, limit: int = 60) -> str:
    """The text, cut to a length fit for a message, and without half characters that could not be written."""
    short = text if len(text) <= limit else text[: limit - 1] + "…"
    return short.encode("utf-8", "backslashreplace").decode()


def shown(text: str) -> str:
    """A piece of a text as a message shows it: not too long, in quotes, and in ASCII."""
    return ascii(text if len(text) <= 20 else text[:20] + "...")


def not_utf8(error: UnicodeDecodeError) -> str:
    """Why bytes are no text, and what to do: most are in a code page of Windows."""
    return f"byte 0x{error.object[error.start]:02X} is not UTF-8 here ({error.reason}); save it as UTF-8"


def pointer(path: Sequence[str | int]) -> str:
    """The JSON Pointer of a path; overlong keys are cut, so that a pointer never carries a whole file."""
    return "".join("/" + clip(str(step), 80).replace("~", "~0").replace("/", "~1") for step in path)


class Places:
    """Where things stand in a text: called with a JSON Pointer, it gives the place of that value.

    Where there is no such value, the nearest value around it is meant; the whole text, if it could not be parsed.
    """

    def __init__(self, path: str, text: str = "", line: int = 1, parsed: bool = False) -> None:
        self.path, self.text, self.line = path, text, line
        self.parsed = parsed

    def __call__(self, pointer: str) -> Location:
        """The place of a value, or of the nearest one around it."""
        node = self._tree
        for step in pointer.split("/")[1:]:
            found = _inside(node, step.replace("~1", "/").replace("~0", "~") if "~" in step else step)
            if found is None:
                break
            node = found
        return self.at(node if isinstance(node, int) else node[0])

    def at(self, offset: int) -> Location:
        """The place of a character; lines and columns count from 1."""
        block = offset - offset % BLOCK
        before, start = self._lines[offset // BLOCK]
        before += self.text.count("\n", block, offset)
        start = max(start, self.text.rfind("\n", block, offset) + 1)
        return Location(self.path, self.line + before, offset - start + 1)

    @cached_property
    def _lines(self) -> list[tuple[int, int]]:
        """How many lines end before each block of the text, and where the line begins in which it does."""
        found = [(0, 0)]
        for block in range(0, len(self.text), BLOCK):
            before, start = found[-1]
            end = block + BLOCK
            found.append((before + self.text.count("\n", block, end), max(start, self.text.rfind("\n", block, end) + 1)))
        return found

    @cached_property
    def _tree(self) -> Node:
        top: list[Node] = []
        inside: list[Any] = [top]
        for path, offset, token, is_key in walk(self.text) if self.parsed else ():
            if is_key:
                continue
            node: Node = (offset, {} if token == "{" else []) if token in "[{" else offset
            around = inside[len(path)]
            if isinstance(around, dict):
                around[clip(str(path[-1]), 80)] = node
            else:
                around.append(node)
            if isinstance(node, tuple):
                inside[len(path) + 1 :] = [node[1]]
        return top[0] if top else 0


def _inside(node: Node, step: str) -> Node | None:
    if isinstance(node, int):
        return None
    inside = node[1]
    if isinstance(inside, dict):
        return inside.get(step)
    number = len(step) < 10 and step.isascii() and step.isdecimal()
    return inside[int(step)] if number and int(step) < len(inside) else None


def walk(text: str) -> Iterator[tuple[list[str | int], int, str, bool]]:
    """Every key and value of well-formed JSON in order: its path (one list, which moves on), offset, token, and whether
    it is a key. A key has the path of its value."""
    path: list[str | int] = []
    is_key = False
    for match in _TOKEN.finditer(text):
        token = match[0]
        if token in "]}":
            path.pop()
            is_key = False
        elif token == ",":
            last = path[-1]
            if isinstance(last, int):
                path[-1] = last + 1
            else:
                is_key = True
        elif token == ":":
            is_key = False
        else:
            if is_key:
                path[-1] = json.loads(token) if "\\" in token else token[1:-1]
            yield path, match.start(), token, is_key
            if token == "{":
                path.append("")
                is_key = True
            elif token == "[":
                path.append(0)


@dataclass
class Decoded:
    """A text as decoded: its value (None if it could not be parsed: see `places.parsed`), and what is wrong with it."""

    places: Places
    value: Any = None
    findings: list[Finding] = field(default_factory=list)

    def fault(self, code: str, offset: int, path: Sequence[str | int] = (), **facts: Any) -> None:
        """Adds a finding at a place of the text."""
        self.findings.append(Finding(FORM[code], facts, pointer(path), location=self.places.at(offset)))


def decode(data: bytes, path: str, line: int = 1) -> Decoded:
    """Decode the bytes of one JSON value, which begin in the given line of a file.

    Bad syntax, broken UTF-8 and anything over a limit end the reading; other faults are all collected, and the value holds
    0 for a bad number and the last of several values for a key.
    """
    decoded = Decoded(Places(path, line=line))
    if len(data) > MAX_BYTES:
        decoded.fault("FMT002", 0, what="the size of a record", limit=mib(MAX_BYTES))
        return decoded
    if data.startswith(BOM_UTF8):
        decoded.fault("FMT015", 0)
        data = data.removeprefix(BOM_UTF8)
    try:
        text = data.decode()
    except UnicodeDecodeError as error:
        before = data[: error.start].decode()
        decoded.places = Places(path, before, line)
        decoded.fault("FMT005", len(before), why=not_utf8(error))
        return decoded
    decoded.places = Places(path, text, line)
    deep = _too_deep(data, text)
    if deep is not None:
        decoded.fault("FMT002", deep, what="the depth of nesting", limit=MAX_DEPTH)
        return decoded
    _parse(text, decoded, number_hook=may_overflow(data))
    return decoded


def may_overflow(data: bytes) -> bool:
    """Whether there are so many digits in a row that they may be a number beyond the largest."""
    return b"0" * 16 in data.translate(_DIGITS)


def is_shallow(data: bytes) -> bool:
    """Whether nesting is not too deep, beyond doubt."""
    # Each round removes the innermost pairs. What is left after all rounds is too deep, unbalanced, or brackets in texts.
    marks = data.translate(_ONE_KIND, _NO_MARK)
    for _ in range(MAX_DEPTH):
        if not marks:
            return True
        marks = marks.replace(b"[]", b"")
    return not marks


def _too_deep(data: bytes, text: str) -> int | None:
    """The offset of the first bracket that opens one level too many."""
    depth = 0
    for match in () if is_shallow(data) else _MARK.finditer(text):
        depth += 1 if match[0] in "[{" else -1 if match[0] in "]}" else 0
        if depth > MAX_DEPTH:
            return match.start()
    return None


def _parse(text: str, decoded: Decoded, *, number_hook: bool) -> None:
    doubts: set[str] = set()

    def bad_number(_: str) -> int:
        doubts.add("number")
        return 0

    def number(digits: str) -> int:
        return int(digits) if _is_moderate(digits) else bad_number(digits)

    def unique(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
        found = dict(pairs)
        if len(found) < len(pairs):
            doubts.add("key")
        return found

    try:
        decoded.value = json.loads(
            text,
            object_pairs_hook=unique,
            parse_float=bad_number,
            parse_constant=bad_number,
            parse_int=number if number_hook else None,
        )
    except json.JSONDecodeError as error:
        decoded.fault("FMT001", error.pos, why=_syntax(error, text))
        return
    except RecursionError:
        decoded.fault("FMT002", 0, what="the depth of nesting", limit=MAX_DEPTH)
        return
    decoded.places.parsed = True
    if doubts or _SURROGATE.search(text):
        for code, offset, path, facts in islice(_faults(text), MAX_FINDINGS):
            decoded.fault(code, offset, path, **facts)


def _syntax(error: json.JSONDecodeError, text: str) -> str:
    if not text.strip():
        return "it is empty"
    why = _SYNTAX.get(error.msg) or clip(error.msg.strip(": ").lower())
    if why.endswith("expected"):
        found = text[error.pos : error.pos + 1]
        why += f", not {found!r}" if found else ", but the text ends here"
    return why


def _faults(text: str) -> Iterator[tuple[str, int, Sequence[str | int], dict[str, str]]]:
    """Everything the hooks noticed, with its place: code, offset, path, facts."""
    seen: dict[int, set[str]] = {}
    for path, offset, token, is_key in walk(text):
        if token == "{":
            seen[len(path) + 1] = set()
        elif token[0] == '"':
            if _SURROGATE.search(token) and not _is_text(json.loads(token)):
                yield "FMT005", offset, path, {"why": f"{clip(token)} has half of a surrogate pair"}
            if is_key:
                key, keys = str(path[-1]), seen[len(path)]
                if key in keys:
                    yield "FMT003", offset, path, {"key": clip(key)}
                keys.add(key)
        elif token not in ("[", "true", "false", "null") and not _is_moderate(token):
            yield "FMT004", offset, path, {"value": clip(token)}


def _is_moderate(token: str) -> bool:
    return re.fullmatch("-?[0-9]{1,16}", token) is not None and abs(int(token)) <= MAX_NUMBER


def _is_text(text: str) -> bool:
    try:
        text.encode()
    except UnicodeEncodeError:
        return False
    return True
