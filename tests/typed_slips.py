"""Slips of one line in whole typed games, and how they are told: as one error, at its line, with what was meant.

`python -m tests.typed_slips [SEED]` prints the figures, a game a line, and each slip that is told otherwise.

Whole games are dealt and typed; then one line is changed as fingers and eyes go wrong, six times in each of ten ways, so that
something is found. The oracle is the text before the slip: what stood there must be named as the cure, as a word by itself.
"""

from __future__ import annotations

import re
import sys
from collections.abc import Callable, Iterator
from random import Random
from typing import Any, NamedTuple

from handrec import games
from handrec.cli.common import Read, judged
from handrec.dealing import deal_game
from handrec.findings import Finding
from handrec.formats import hrt
from handrec.report.checked import message

#: How many play, under which options, and the seed of a short game.
GAMES: dict[str, tuple[int, dict[str, Any], int]] = {
    "kbabs": (4, {"ladder": "down"}, 1),
    "batarde": (4, {}, 1),
    "bastard": (3, {}, 1),
    "spades3": (3, {}, 1),
    "bugami": (3, {}, 1),
    "bridge": (4, {}, 1),
    "hearts": (4, {}, 1),
    "oh_hell": (4, {"ladder": "down"}, 1),
    "whist": (4, {}, 1),
}
EACH = 6
SEATS, NAMES = "NESW", ("Ann", "Bo", "Cy", "Di")
CARD = r"(?<!\w)(?:[2-9TJQKARDVCFMN][SHDC][sm]?|[BL]J)(?!\w)"
SEAT = r"\b[NESW]\b(?!=)"
HEAD = ("%hrt", "game", "seats", "status")
WITH_CARDS = ("hand", "play", "aside", "turn", "guess")
#: What is said of plays and cards passed that are missing, or passed to another: no card was played against the rules.
LACKING = ("PLY005", "PLY009")
NUMBERS = ["zero", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten", "eleven", "twelve", "thirteen"]


class TypedSlip(NamedTuple):
    """A line that is changed: which (from 0), what stands there instead, and the words that stood there."""

    place: int
    text: str
    meant: tuple[str, ...]


class ToldSlip(NamedTuple):
    """A slip, and the errors that are found: whether it is just one, at its line or with its line named, and with the cure.

    `blamed` if a player is said to have played a card against the rules: every card of the game was played by them.
    """

    kind: str
    slip: TypedSlip
    errors: list[Finding]
    one: bool
    placed: bool
    cured: bool
    blamed: bool


def typed(key: str) -> list[str]:
    """The lines of a whole game with names, as somebody types it who leaves out what nobody writes down."""
    players, options, seed = GAMES[key]
    record = deal_game(games.find(key), players, seed, options=options)  # type: ignore[arg-type]
    text = "".join(line for line in hrt.write(record).splitlines(True) if not line.startswith(("id ", "kind ", "tool ")))
    for player, seat in zip(record.players, SEATS, strict=False):
        text = re.sub(rf"\b{player.seat}\b", seat, text)
    seats = " ".join(f"{seat}={name}" for seat, name in zip(SEATS[:players], NAMES, strict=False))
    return re.sub("^seats .*$", f"seats {seats}", text, flags=re.MULTILINE).rstrip("\n").split("\n")


def found(lines: list[str]) -> list[Finding]:
    """The errors in some lines, slips told as slips."""
    readings = hrt.read("\n".join([*lines, ""]).encode(), "g.hrt")
    verdicts = [judged(Read("g.hrt", place, reading)) for place, reading in enumerate(readings, 1)]
    return [each for verdict in verdicts for each in verdict.primary if each.severity == "error"]


class Typist:
    """Makes slips in the lines of a game."""

    def __init__(self, lines: list[str], seats: str, rng: Random) -> None:
        self.lines, self.seats, self.rng = lines, seats, rng

    def some(self, pattern: str, firsts: tuple[str, ...] = (), but: tuple[str, ...] = ()) -> tuple[int, str, re.Match[str]]:
        """Something in a line that begins with one of some words, or with none of others."""
        while True:
            place = self.rng.randrange(len(self.lines))
            line = self.lines[place]
            first = line.split(" ")[0]
            among = [*re.finditer(pattern, line)] if line and first not in but and (not firsts or first in firsts) else []
            if among:
                return place, line, self.rng.choice(among)

    def misspelt(self, word: str) -> str:
        """A word with a letter too few, too many, in another's place, or wrong."""
        at, way = self.rng.randrange(len(word)), self.rng.randrange(4)
        if way == 2 and len(word) > 1:
            at = min(at, len(word) - 2)
            return word[:at] + word[at + 1] + word[at] + word[at + 2 :]
        other = "" if way == 0 and len(word) > 1 else word[at] * 2 if way == 1 else self.rng.choice("abcdefghijklmnopqrstuvwxyz")
        return word[:at] + other + word[at + 1 :]

    def seat_letter(self) -> TypedSlip:
        """Another seat's letter, or the key beside it."""
        place, line, spot = self.some(SEAT, but=HEAD)
        beside = {"N": "MB", "E": "RF", "S": "DA", "W": "QV"}[spot[0]][0]
        new = self.rng.choice([*(seat for seat in self.seats if seat != spot[0]), beside])
        return TypedSlip(place, _with(line, spot, new), (spot[0],))

    def suit(self) -> TypedSlip:
        """A card, or a bid, in another suit."""
        place, line, spot = self.some(CARD.replace("|[BL]J", ""), (*WITH_CARDS, "bid"))
        new = self.rng.choice([suit for suit in "SHDC" if suit != spot[0][1]])
        return TypedSlip(place, _with(line, spot, spot[0][0] + new + spot[0][2:]), (spot[0],))

    def missing_card(self) -> TypedSlip:
        """A card passed over."""
        place, line, spot = self.some(CARD, WITH_CARDS)
        return TypedSlip(place, re.sub(" +", " ", _with(line, spot, "")).rstrip(), (spot[0],))

    def card_too_many(self) -> TypedSlip:
        """A card typed twice, or one that belongs elsewhere."""
        place, line, spot = self.some(CARD, WITH_CARDS)
        card = spot[0] if self.rng.random() < 0.5 else self.some(CARD, WITH_CARDS)[2][0]
        return TypedSlip(place, _with(line, spot, f"{spot[0]} {card}"), (card,))

    def number(self) -> TypedSlip:
        """Another digit, one twice, or a sign too many or too few."""
        place, line, spot = self.some(r"(?<![\w.])-?\d+\b", but=("%hrt", "options"))
        text = spot[0]
        at = self.rng.choice([at for at, char in enumerate(text) if char.isdigit()])
        other = self.rng.choice([digit for digit in "0123456789" if digit != text[at]])
        new = self.rng.choice([f"{text[:at]}{other}{text[at + 1 :]}"] * 5 + [text[:at] + text[at] + text[at:]])
        new = self.rng.choice([new] * 6 + [text[1:] if text[0] == "-" else f"-{text}"])
        return TypedSlip(place, _with(line, spot, new), (text,))

    def status(self) -> TypedSlip:
        """The status misspelt, another one, or one there is not."""
        place = next(at for at, line in enumerate(self.lines) if line.startswith("status"))
        word = self.lines[place].split(" ")[1]
        others = [each for each in ("complete", "stopped", "in_progress", "excerpt", "finished", "claimed") if each != word]
        way = self.rng.randrange(4)
        if way == 0:
            return TypedSlip(place, f"{self.misspelt('status')} {word}", ("status",))
        return TypedSlip(place, f"status {self.rng.choice(others) if way == 1 else self.misspelt(word)}", (word,))

    def players_name(self) -> TypedSlip:
        """A name in the place of a seat, perhaps misspelt; or the line of players with a name that went wrong."""
        names = dict(zip(self.seats, NAMES, strict=False))
        if self.rng.random() < 0.35:
            place, seat = next(at for at, line in enumerate(self.lines) if line.startswith("seats")), self.rng.choice(self.seats)
            name = names[seat]
            new = self.rng.choice([f"{seat}={name} Lee", name, f'{seat}="{name}', f"{seat}={name}={name}"])
            return TypedSlip(place, self.lines[place].replace(f"{seat}={name}", new), (name,))
        place, line, spot = self.some(SEAT, but=HEAD)
        name = self.misspelt(names[spot[0]]) if self.rng.random() < 0.3 else names[spot[0]]
        return TypedSlip(place, _with(line, spot, name.lower() if self.rng.random() < 0.3 else name), (spot[0],))

    def order(self) -> TypedSlip:
        """Two words side by side in each other's place."""
        place, line, _ = self.some(r"\S+ +\S+", but=("%hrt", "game", "options"))
        words = [*re.finditer(r"\S+", line)]
        at = self.rng.randrange(0 if len(words) == 2 else 1, len(words) - 1)
        one, other = words[at], words[at + 1]
        new = f"{line[: one.start()]}{other[0]}{line[one.end() : other.start()]}{one[0]}{line[other.end() :]}"
        return TypedSlip(place, new, (one[0], other[0]))

    def bid_word(self) -> TypedSlip:
        """A bid misspelt, or in letters; or the word before the bids."""
        place, line, spot = self.some(r"\b[NESW] +(\S+)", ("bid", "blind"))
        first, word = line.split(" ")[0], spot[1]
        if self.rng.random() < 0.2:
            return TypedSlip(place, line.replace(first, self.misspelt(first), 1), (first,))
        letters = [NUMBERS[int(word)]] if word.isdigit() and int(word) < len(NUMBERS) else []
        likely = [*letters, f"{word}t", f"{word}s", word.replace("1", "l").replace("0", "o")]
        new = self.rng.choice(likely) if word.isdigit() else self.misspelt(word)
        return TypedSlip(place, line[: spot.start(1)] + new + line[spot.end(1) :], (word,))

    def blank(self) -> TypedSlip:
        """Two words run together, or one cut in two."""
        if self.rng.random() < 0.5:
            place, line, spot = self.some(r"(?<=\S) +(?=\S)", but=("%hrt", "options"))
            before, after = line[: spot.start()].split(" ")[-1], line[spot.end() :].split(" ")[0]
            return TypedSlip(place, _with(line, spot, ""), (before, after))
        place, line, spot = self.some(r"\S{2,}", but=("%hrt", "options"))
        at = self.rng.randrange(spot.start() + 1, spot.end())
        return TypedSlip(place, f"{line[:at]} {line[at:]}", (spot[0],))


KINDS: dict[str, Callable[[Typist], TypedSlip]] = {
    "seat letter": Typist.seat_letter,
    "suit": Typist.suit,
    "missing card": Typist.missing_card,
    "one card too many": Typist.card_too_many,
    "number": Typist.number,
    "status": Typist.status,
    "player's name": Typist.players_name,
    "order": Typist.order,
    "bid word": Typist.bid_word,
    "blank": Typist.blank,
}


def _with(line: str, spot: re.Match[str], new: str) -> str:
    return line[: spot.start()] + new + line[spot.end() :]


def kinds(lines: list[str]) -> dict[str, Callable[[Typist], TypedSlip]]:
    """The kinds of slip that can be made in these lines: none of bids where nobody bids."""
    bids = any(line.startswith(("bid ", "blind ")) for line in lines)
    return {kind: make for kind, make in KINDS.items() if bids or kind != "bid word"}


def told(key: str, seed: int = 0) -> Iterator[ToldSlip]:
    """How slips in a game are told, so many of each kind; those that leave no error are passed over."""
    lines = typed(key)
    assert found(lines) == []
    typist = Typist(lines, SEATS[: GAMES[key][0]], Random(f"{key} {seed}"))
    for kind, make in kinds(lines).items():
        seen = set[TypedSlip]()
        many = 0
        while many < EACH:
            slip = make(typist)
            if slip.text == lines[slip.place] or slip in seen:
                continue
            seen.add(slip)
            errors = found([*lines[: slip.place], slip.text, *lines[slip.place + 1 :]])
            if errors:
                many += 1
                yield _judged(kind, slip, errors)


def _judged(kind: str, slip: TypedSlip, errors: list[Finding]) -> ToldSlip:
    said, line = message(errors[0]), slip.place + 1
    at = errors[0].location.line if errors[0].location else 0
    placed = at == line or re.search(rf"\bline {line}\b", said) is not None
    cured = all(re.search(rf"(?<![\w-]){re.escape(word)}(?!\w)", said) for word in slip.meant)
    blamed = any(error.code.startswith(("REV", "PLY00")) and error.code not in LACKING for error in errors)
    return ToldSlip(kind, slip, errors, len(errors) == 1, placed, cured, blamed)


if __name__ == "__main__":
    seed = int(sys.argv[1]) if sys.argv[1:] else 0
    for key in GAMES:
        every = [*told(key, seed)]
        for each in every:
            if not (each.one and each.placed and each.cured) or each.blamed:
                print(f"  {each.kind}, line {each.slip.place + 1}: {each.slip.text!r} for {' '.join(each.slip.meant)}")
                for error in each.errors[:3]:
                    print(f"      {error.location}: {error.code} {message(error)}")
        one, placed, cured = (sum(getattr(each, name) for each in every) for name in ("one", "placed", "cured"))
        print(f"{key:8} {len(every)} slips: one error {one}, at its line {placed}, the cure named {cured}")
