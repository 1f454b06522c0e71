"""Links to a board, as the viewer of Bridge Base has them: nothing is fetched, since the link itself is the record.

A link says `lin=` and a board in LIN; or it says it in parts: `n e s w` are hands, `nn en sn wn` names, `d` is the dealer, `v`
who is vulnerable, `b` the board's number, `a` the auction and `p` the play, in which `(…)` explains a call and `{…}` is a
comment, and `c` declarer's tricks after a claim. The parts are put together as LIN, so all links are read as LIN is.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from itertools import accumulate
from urllib.parse import quote

from handrec.findings import Location
from handrec.formats.lin.board import SEATS
from handrec.formats.lin.pairs import IGNORE, RANK
from handrec.formats.strict import Places, shown

VIEWER = "https://www.bridgebase.com/tools/handviewer.html"
#: How a link begins that has a board in it.
LINK = re.compile(
    r"https?://[^\s?#]{1,300}\?(?:[^\s#]*&(?:amp;)?)?lin=|https?://[^\s?#]{0,300}handviewer[^\s?#]{0,300}\?", re.IGNORECASE
)
#: A link on a line of its own, also as a shortcut has it; and one within a page.
ON_LINE = re.compile(r"^[ \t]*(?:URL=)?(https?://[^\r\n]*)", re.IGNORECASE | re.MULTILINE)
IN_PAGE = re.compile(r"""["'](https?://[^"'<>]*)["']""", re.IGNORECASE)
OPENS = re.compile(r"\ufeff?\s*(?:<|\[InternetShortcut\]|(?:URL=)?https?://)", re.IGNORECASE)

ENCODED = re.compile(r"%u([0-9a-f]{4})|((?:%[0-9a-f]{2})+)|\+|%.{0,2}|[^%+]+", re.IGNORECASE | re.DOTALL)
CONTROL = re.compile("[\x00-\x08\x0b\x0c\x0e-\x1f\x7f\ud800-\udfff]")
AUCTION = re.compile(r"\(([^()]*)\)|\{([^{}]*)\}|([^(){}]+)|.", re.DOTALL)
PLAY = re.compile(rf"(?P<space>\s+)|\{{([^{{}}]*)\}}|([SHDC](?:{RANK}))|.", IGNORE | re.DOTALL)


def is_link(text: str) -> bool:
    """Whether a text is a link that has a board in it."""
    return LINK.match(text) is not None


def sniff(head: str) -> bool:
    """Whether a file begins as one with links does, and has one."""
    return OPENS.match(head) is not None and LINK.search(head) is not None


def link_to(text: str) -> str:
    """The link that shows a board, of its LIN."""
    return f"{VIEWER}?lin={quote(text.strip(), safe='')}"


def links_in(text: str) -> Iterator[Link]:
    """The links in a file that have a board in them."""
    pattern = IN_PAGE if text.lstrip("\ufeff \t\r\n").startswith("<") else ON_LINE
    for match in pattern.finditer(text):
        said = match[1] if "|" in match[1] else match[1].split()[0]
        if is_link(said):
            yield Link(said, match.start(1))


class Link:
    """A link as LIN: its text, where in the file each character of it stands, and what of the link cannot be read."""

    def __init__(self, url: str, start: int) -> None:
        self.parts: list[str] = []
        self.spots: list[int] = []
        self.defects: list[tuple[int, str]] = []  # each with its place in the text
        begin = url.index("?") + 1
        self.start = start
        self.fields: dict[str, tuple[str, int]] = {}
        for match in re.finditer("[^&]+", url[begin:].partition("#")[0]):
            name, equals, value = match[0].partition("=")
            at = start + begin + match.start() + len(name) + len(equals)
            self.fields.setdefault(name.removeprefix("amp;").lower(), (value, at))
        if "lin" in self.fields:
            self._add(*self._decoded("lin"))
        else:
            self._put_together()
        self.text = "".join(self.parts)

    def places(self, name: str, text: str) -> Places:
        """Where what stands in its text stands in the file of this name, which has a text of its own."""
        return _Spots(name, text, [*self.spots, self.spots[-1] if self.spots else self.start])

    def _put_together(self) -> None:
        names = [f"{seat.lower()}n" for seat in SEATS]
        if any(name in self.fields for name in names):
            self._pair("pn", *names, without=",")
        hands = [seat.lower() for seat in SEATS]
        if any(name in self.fields for name in (*hands, "d")):
            dealer, at = self.fields.get("d", ("", self.start))
            if dealer.lower() not in ("", *hands):
                self._defect(f"{shown(dealer)} is no dealer")
            self._literal(f"md|{hands.index(dealer.lower()) + 1 if dealer.lower() in hands else 0}", at)
            self._values(hands, ",")
            self._literal("|", at)
        for tag, name in (("ah", "b"), ("sv", "v")):
            if name in self.fields:
                self._pair(tag, name)
        self._auction()
        self._play()
        if "c" in self.fields:
            self._pair("mc", "c")

    def _auction(self) -> None:
        text, spots = self._decoded("a", "|")
        for match in AUCTION.finditer(text):
            place = match.start(match.lastindex or 0)
            tag = {1: "an", 2: "nt"}.get(match.lastindex or 0, "mb")
            said = match[match.lastindex or 0]
            if tag == "mb" and match.end() == len(text):
                said = said.removesuffix("?")  # what the reader of the link is asked
            if said.strip() or tag == "an":
                self._literal(f"{tag}|", spots[place])
                self._add(said, spots[place : place + len(said)])
                self._literal("|", spots[place])

    def _play(self) -> None:
        text, spots = self._decoded("p", "|")
        for match in PLAY.finditer(text):
            if match.lastgroup == "space":
                continue
            place = match.start(match.lastindex or 0)
            self._literal("nt|" if match.lastindex == 2 else "pc|", spots[place])
            self._add(match[match.lastindex or 0], spots[place : match.end()])
            self._literal("|", spots[place])
            if not match.lastindex:
                break  # what follows it is not certain

    def _pair(self, tag: str, *names: str, without: str = "") -> None:
        self._literal(f"{tag}|", self.fields.get(names[0], ("", self.start))[1])
        self._values([*names], without)
        self._literal("|", self.spots[-1])

    def _values(self, names: list[str], without: str = "") -> None:
        for place, name in enumerate(names):
            self._literal("," if place else "", self.spots[-1])
            self._add(*self._decoded(name, without + "|"))

    def _defect(self, why: str) -> None:
        self.defects.append((len(self.spots), why))

    def _literal(self, text: str, at: int) -> None:
        self._add(text, [at] * len(text))

    def _add(self, text: str, spots: list[int]) -> None:
        self.parts.append(text)
        self.spots += spots[: len(text)]

    def _decoded(self, name: str, without: str = "") -> tuple[str, list[int]]:
        """The value of a field, and where each character of it stands; `without` are those that it cannot have here."""
        raw, at = self.fields.get(name, ("", self.start))
        parts: list[str] = []
        spots: list[int] = []
        for match in ENCODED.finditer(raw):
            text, place = match[0], at + match.start()
            if match[1]:
                text = chr(int(match[1], 16))
            elif text == "+":
                text = " "
            elif match[2]:
                text, many = _of_bytes(bytes.fromhex(text.replace("%", "")))
                spots += [place + 3 * byte for byte in many]
            elif text.startswith("%"):
                self._defect(f"{shown(text)} stands for no character")
            spots += [] if match[2] else range(place, place + len(text))
            parts.append(text)
        text = "".join(parts)
        if control := CONTROL.search(text):
            self._defect(f"{shown(control[0])} is no character of a text")
            text = CONTROL.sub("\ufffd", text)
        for mark in without:
            if mark in text:
                self._defect(f"{shown(mark)} cannot stand in {name}")
                text = text.replace(mark, "/")
        return text, spots


class _Spots(Places):
    """Where things stand in the file, by where they stand in a text made of a part of it."""

    def __init__(self, path: str, text: str, spots: list[int]) -> None:
        super().__init__(path, text)
        self.spots = spots

    def at(self, offset: int) -> Location:
        """The place in the file of a character of the text."""
        return super().at(self.spots[min(offset, len(self.spots) - 1)])


def _of_bytes(data: bytes) -> tuple[str, list[int]]:
    """Bytes as text, and at which of them each character begins."""
    try:
        text = data.decode()
    except UnicodeDecodeError:
        return data.decode("latin-1"), [*range(len(data))]
    return text, [*accumulate((len(character.encode()) for character in text[:-1]), initial=0)]
