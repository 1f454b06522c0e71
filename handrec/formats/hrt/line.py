"""A line, word by word: what stands where, and what to say when something else should."""

from __future__ import annotations

import json
import re
from typing import Any, NoReturn

from handrec.formats.hrt.words import KINDS, NONE, Found, LineWord, Seats, UnreadableLine, cannot, run
from handrec.formats.strict import clip, decode
from handrec.limits import MAX_WORDS

_STRING = re.compile(r'"(?:[^"\\]++|\\.)*+"?')
_SIMPLE = re.compile(r'"[^"\\\x00-\x1f]*"')
_BARE = re.compile(r'[=:]|[^\s,=:"\[{][^\s,=:"]*')
_GAP = re.compile(r"[\s,]*")
_BLANK = re.compile(r"<[^<>]+>")
_COMMENT = re.compile(r"\s#.*")
_JSON = json.JSONDecoder()
#: How deep a value may be nested, so that the record it stands in is no deeper than JSON may be.
_DEPTH = 30


class LineReader:
    """A line while it is read, word by word. `start` is its place in the whole text; it may have so many words at most."""

    def __init__(self, text: str, start: int = 0, seats: Seats | None = None, most: int = MAX_WORDS) -> None:
        self.text, self.start, self.seats, self.left = text, start, seats or Seats(), most
        self.place = 0
        self._next: tuple[int, LineWord | None] | None = None

    def peek(self) -> LineWord | None:
        """The next word, None at the end of the line or where a comment begins."""
        if self._next is None:
            self._next = self._scan()
        return self._next[1]

    def take(self) -> LineWord | None:
        """The next word, which is then done with."""
        word = self.peek()
        assert self._next is not None
        self.place, self._next = self._next[0], None
        self.left -= 1
        if self.left < 0:
            raise UnreadableLine(("FMT002", self.start, {"what": "the number of words in a record", "limit": f"{MAX_WORDS:,}"}))
        return word

    def _scan(self) -> tuple[int, LineWord | None]:
        gap = _GAP.match(self.text, self.place)
        begin = gap.end() if gap else self.place
        if begin == len(self.text) or (self.text[begin] == "#" and (begin == 0 or begin > self.place)):
            return begin, None
        at = self.start + begin
        if self.text[begin] == '"':
            match = _STRING.match(self.text, begin)
            assert match is not None
            return match.end(), LineWord(match[0], at, self._decoded(match[0], begin), quoted=True)
        if self.text[begin] in "[{":
            try:
                end = _JSON.raw_decode(self.text, begin)[1]
            except (ValueError, RecursionError):
                end = len(self.text)
        else:
            match = _BARE.match(self.text, begin)
            assert match is not None
            end = match.end()
        return end, LineWord(self.text[begin:end], at, self.text[begin:end])

    def _decoded(self, text: str, begin: int) -> Any:
        if _SIMPLE.fullmatch(text):
            return text[1:-1]
        decoded = decode(text.encode(), "")
        if decoded.findings:
            begin += self.start - 1
            places = ((finding, finding.location.column if finding.location else 1) for finding in decoded.findings)
            raise UnreadableLine(*((finding.code, begin + column, dict(finding.facts)) for finding, column in places))
        return decoded.value

    @property
    def here(self) -> int:
        """The place of the next word, or of the end of the line."""
        word = self.peek()
        return word.at if word else self.start + len(self.text.rstrip())

    def expected(self, due: str, hint: str = "") -> NoReturn:
        """Say that something else should stand here."""
        word = self.peek()
        if word is not None and _BLANK.fullmatch(word.text):
            raise UnreadableLine(("FMT020", word.at, {"blank": clip(word.text[1:-1].replace("-", " "))}))
        found = f"found {clip(word.text, 30)}{hint}" if word else "but the line ends here"
        raise cannot(self.here, f"{due} is expected, {found}")

    def mark(self, *marks: str) -> bool:
        """Whether the next word is one of some marks; if so, it is done with."""
        word = self.peek()
        found = word is not None and word.key in marks and word.key != ""
        if found:
            self.take()
        return found

    def last(self) -> bool:
        """Whether the next word is the last."""
        self.peek()
        assert self._next is not None
        return not _COMMENT.sub("", self.text[self._next[0] :]).strip()

    def before(self, mark: str) -> bool:
        """Whether the word after the next is a certain mark."""
        self.peek()
        assert self._next is not None
        gap = _GAP.match(self.text, self._next[0])
        return gap is not None and self.text[gap.end() : gap.end() + 1] == mark

    def second(self) -> str:
        """The word after the next as it stands; nothing if there is none."""
        self.peek()
        assert self._next is not None
        return next(iter(self.text[self._next[0] :].replace(",", " ").split()), "")

    def end(self, else_: str = "") -> None:
        """See that nothing is left of the line."""
        if self.peek() is not None:
            self.expected(f"{else_}the end of the line")

    def get(self, kind: str) -> Found:
        """The next word as a value of a kind; a text may be several words."""
        if kind == "text":
            return self.words()
        read, due = KINDS[kind]
        word = self.peek()
        value = None if word is None else read(word, self.seats)
        if value is None:
            self.expected(f"a seat ({self.seats})" if kind == "seat" and self.seats.names else due)
        assert word is not None
        self.take()
        return Found(word.at, value)

    def cards(self) -> Found:
        """The cards to the end of the line, one by one, or suit by suit: `♠AK10`, `AK10.92.-.Q85432`."""
        at, found = self.here, list[Found]()
        if self.mark(NONE):
            self.end()
            return Found(at, [], True)
        while (word := self.peek()) is not None:
            some = [] if word.quoted else run(word)
            found += some or [self.get("card")]
            if some:
                self.take()
        if not found:
            self.expected(f"a card such as AS (or {NONE} for none)")
        return Found(at, found, True)

    def words(self) -> Found:
        """A text: in quotes, or all that stands to the end of the line or to a comment."""
        begin = len(self.text) - len(self.text[self.place :].lstrip())
        raw = _COMMENT.sub("", self.text[self.place :]).strip()
        if not raw:
            self.expected("a text (in quotes if it has # in it)")
        if raw[0] == '"':
            word = self.take()
            assert word is not None
            return Found(word.at, word.said)
        self.place, self._next = len(self.text), None
        return Found(self.start + begin, raw)

    def json(self) -> Found:
        """A value in JSON; a bare word is a text."""
        word = self.peek()
        if word is None:
            self.expected("a value")
        value: Any = word.said
        if not word.quoted and re.match(r"[\[{0-9-]|(true|false|null)$", word.text):
            value = self._decoded(word.text, word.at - self.start)
        if _deeper(value, _DEPTH):
            raise UnreadableLine(("FMT002", word.at, {"what": "the depth of nesting", "limit": _DEPTH}))
        self.take()
        return Found(word.at, value)


def _deeper(value: Any, limit: int) -> bool:
    inside = list(value.values()) if isinstance(value, dict) else value if isinstance(value, list) else None
    return inside is not None and (limit == 0 or any(_deeper(part, limit - 1) for part in inside))
