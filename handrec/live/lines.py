"""What a line says that `follow` is given: where it belongs, its word, and what can be wrong with it."""

from __future__ import annotations

import re
from difflib import get_close_matches
from typing import Any

from handrec.findings import Fault, Finding
from handrec.formats.strict import clip, decode
from handrec.limits import MAX_BYTES, mib
from handrec.record import KINDS
from handrec.referee.form import FORM

#: What can be wrong with a line, besides its form and what it says of the game.
FAULTS = {
    fault.code: fault
    for fault in (
        Fault("TAB001", "no-game", "L0", "A game is opened before anything happens in it.", "no game is open at {table}"),
        Fault("TAB002", "game-open", "L0", "A table has one game at a time.", "a game is open at {table}, and is not closed"),
        Fault("TAB003", "gap", "L0", "The lines of a table are numbered from 1 without a gap.", "line {due} is due, not {found}"),
        Fault("TAB004", "other-line", "L0", "A number stands for one line.", "line {found} of {table} was another: {why}"),
        Fault("TAB005", "unplayable", "L0", "A game is one that is known, with its options and its players.", "{why}"),
        Fault("TAB006", "not-kept", "L0", "What is answered is kept first.", "nothing was done: {why}"),
        Fault("TAB007", "damaged", "L0", "What is kept of a table is whole.", "what is kept of {table} is damaged: {why}"),
    )
}  # fmt: skip

#: What a line may have besides its word, and what a word may have with it; events have what they have in a record.
ENVELOPE = ("table", "n", "id")
NAME = r"[A-Za-z0-9_][A-Za-z0-9._-]{0,79}"
OPEN = ("game", "players", "options", "status", "record", "snapshot")
DO = {
    "open": OPEN,
    "undo": (),
    "note": ("claimed", "comments", "status"),
    "end": ("claimed", "comments", "provenance", "extensions", "status"),
    "close": (),
}
ASK = {"legal": (), "view": ("seat",), "ruling": ("claim", "deal", "laws"), "verdict": (), "record": (), "snapshot": ()}


class No(Exception):
    """A line is not taken: what is wrong with it."""

    def __init__(self, code: str, pointer: str = "", **facts: Any) -> None:
        self.findings: tuple[Finding, ...] = (Finding(FAULTS.get(code) or FORM[code], facts, pointer),)

    @classmethod
    def of(cls, findings: list[Finding]) -> No:
        """What was found wrong with it elsewhere."""
        no = cls("FMT007", where="", why="")
        no.findings = tuple(findings)
        return no

    def __str__(self) -> str:
        return self.findings[0].message


def malformed(where: str, why: str) -> No:
    """What is wrong with the form of a line."""
    return No("FMT007", where, where=where or "the line", why=why)


def read(data: bytes) -> dict[str, Any]:
    """What a line says. Raises `No` if it is no object in JSON."""
    if len(data) > MAX_BYTES:
        raise No("FMT002", what="the length of a line", limit=mib(MAX_BYTES))
    decoded = decode(data, "line")
    if wrong := [finding for finding in decoded.findings if finding.severity == "error"]:
        raise No.of(wrong)
    if not isinstance(decoded.value, dict):
        raise malformed("", "it should be an object")
    return decoded.value


def take_envelope(said: dict[str, Any], envelope: dict[str, Any]) -> None:
    """Take out of a line what it says of itself, which its answer says again. Raises `No` at the first of it that is wrong."""
    given = {key: said.pop(key) for key in ENVELOPE if key in said}
    if isinstance(given.get("id"), dict | list):
        raise malformed("/id", "it should be a text, a number, true, false or null")
    envelope |= {key: given[key] for key in ("id",) if key in given}
    if not isinstance(name := given.get("table"), str) or not re.fullmatch(NAME, name):
        raise malformed("/table", "it should be a name: 1 to 80 of A-Z a-z 0-9 . _ -, the first no dot or hyphen")
    envelope["table"] = name
    if "n" in given:
        if type(n := given["n"]) is not int or n < 1:
            raise malformed("/n", "it should be a whole number, 1 or more")
        envelope["n"] = n
    if ("do" in said) == ("ask" in said):
        raise malformed("", "it should have do or ask, one of the two")


def word_of(said: dict[str, Any], kind: str) -> tuple[str, dict[str, Any]]:
    """The word of a line, and what is given with it. Raises `No` if there is no such word, or it does not have that."""
    word, given = said[kind], {key: value for key, value in said.items() if key != kind}
    known = ASK if kind == "ask" else DO
    if isinstance(word, str) and word in known:
        if other := next((key for key in given if key not in known[word]), None):
            fields = ", ".join(known[word]) or "none"
            raise malformed(f"/{clip(other)}", f"{word} has no such field (it has: {fields})")
        return word, given
    events = () if kind == "ask" else ("deal", *KINDS)
    if not isinstance(word, str) or word not in events:
        near = get_close_matches(word[:60], [*known, *events], 1) if isinstance(word, str) else []
        hint = f'did you mean "{near[0]}"?' if near else f"there are: {', '.join([*known, *events])}"
        raise malformed(f"/{kind}", f"no such word ({hint})")
    return word, given
