"""Cards, packs and orders: which cards exist, which suit each belongs to, and which beats which.

A card is a short string (`AS`, `TD`, `BJ`); inside a pack it is one bit, and a hand is the sum of its bits. An `Order`
holds everything a trick needs to know about ranks and trumps as tables, so that rules need no special cases.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from functools import cached_property

#: The canonical spelling of any card of any pack: rank, suit, and a pack letter where two packs are mixed; `?` is unseen.
CARD_PATTERN = r"^[2-9A-Z?]{2}[a-z]?$"
UNKNOWN = "??"

#: The letters of court cards in German and French packs, and what those say who write `0` or `1` for a ten.
OTHER_RANKS = {"B": "J", "V": "J", "D": "Q", "R": "K", "0": "T", "1": "T"}
COMPASS = {"N": "North", "E": "East", "S": "South", "W": "West"}
_RANK_WORDS = dict(
    zip(
        "23456789TJQKA",
        ["two", "three", "four", "five", "six", "seven", "eight", "nine", "ten", "jack", "queen", "king", "ace"],
        strict=True,
    )
)
_SUIT_WORDS = {"S": "spade", "H": "heart", "D": "diamond", "C": "club"}

#: What telephones put after a sign, unseen, to say how it is drawn.
SELECTORS = "\ufe0e\ufe0f"
#: Signs of suits, to be read as letters.
SYMBOLS = str.maketrans(dict(zip("♠♥♦♣♤♡♢♧", "SHDC" * 2, strict=True)) | dict.fromkeys(SELECTORS))


def is_known(card: str) -> bool:
    """Whether a card's rank and suit are both stated (`AS`, not `??`, `?S` or `T?`)."""
    return "?" not in card


def fits(card: str, token: str) -> bool:
    """Whether a known card could be the one a possibly half-known token stands for (`TS` fits `?S`, `T?`, `??`)."""
    return all(mark in ("?", letter) for letter, mark in zip(card, token.ljust(len(card), "?"), strict=False))


def respell(text: str) -> str | None:
    """The canonical spelling of a card written in another common way, or None.

    Ten as `10`, suit symbols, lower case, and a symbol before the rank (`♠A`) are understood.
    """
    plain = text.strip().translate(SYMBOLS)
    if not 2 <= len(plain) <= 4 or not plain.isascii():
        return None
    plain = plain.replace("10", "T")
    token = plain[:2].upper() + plain[2:].lower()
    if text.strip()[0] in "♠♥♦♣♤♡♢♧":
        token = token[1] + token[0] + token[2:]
    return token if re.fullmatch(CARD_PATTERN, token) else None


def meant(text: str) -> str:
    """What somebody may have meant who wrote this for a card, in words; nothing if nobody can tell."""
    word = re.sub(r"[\s_-]+", "", text[:40]).lower()
    if "joker" in word:
        big, little = "BJ for the Big Joker", "LJ for the Little Joker"
        return big if "big" in word else little if "little" in word or "small" in word else f"{big}, {little}"
    if found := re.fullmatch("1([shdc])", word):
        suit = found[1].upper()
        return f"A{suit} for an ace, T{suit} for a ten"
    return ""


def in_words(text: str) -> str | None:
    """The card that is called so in English, such as `AH` for "ace of hearts", "10 hearts" or a drawn card; None if none is."""
    if len(text) == 1:
        text = unicodedata.name(text, "").removeprefix("PLAYING CARD ")
    rank, _, suit = re.sub(r"[\s_-]+(of[\s_-]+)?", " ", text.strip().lower()).partition(" ")
    ranks = {word: letter for letter, word in _RANK_WORDS.items()} | {letter.lower(): letter for letter in _RANK_WORDS}
    suits = {word: letter for letter, word in _SUIT_WORDS.items()} | {letter.lower(): letter for letter in _SUIT_WORDS}
    suit = suit.translate(SYMBOLS).lower()
    found = (ranks.get(rank.replace("10", "t").replace("knave", "jack")), suits.get(suit.removesuffix("s") or suit))
    return "".join(filter(None, found)) if all(found) else None


@dataclass(frozen=True)
class Pack:
    """All the cards of a game; a card's place in `cards` is its bit.

    Within a suit the cards stand from low to high in the game's usual order, so that the highest bit of a suit is its
    highest card; cards above every suit (jokers) stand last.
    """

    name: str
    cards: tuple[str, ...]
    index: dict[str, int] = field(init=False, repr=False, compare=False)

    def __post_init__(self) -> None:
        object.__setattr__(self, "index", {card: place for place, card in enumerate(self.cards)})

    def __hash__(self) -> int:
        return hash((self.name, self.cards))

    def __len__(self) -> int:
        return len(self.cards)

    @cached_property
    def full(self) -> int:
        """The mask of every card."""
        return (1 << len(self.cards)) - 1

    def mask(self, cards: Iterable[str]) -> int:
        """The mask of some cards of this pack; KeyError if one is not in it."""
        total = 0
        for card in cards:
            total |= 1 << self.index[card]
        return total

    def suit(self, letter: str) -> int:
        """The mask of the cards whose printed suit is `letter`."""
        if letter not in self._suits:
            self._suits[letter] = self.mask(card for card in self.cards if card[1] == letter)
        return self._suits[letter]

    @cached_property
    def _suits(self) -> dict[str, int]:
        return {}

    def names(self, mask: int) -> tuple[str, ...]:
        """The cards of a mask, in pack order from high to low."""
        return tuple(self.cards[place] for place in reversed(tuple(bits(mask))))

    def suggest(self, token: str) -> str | None:
        """The card of this pack that a foreign token was probably meant to be, such as `AS` for `SA`."""
        other = OTHER_RANKS.get(token[:1], "") + token[1:]
        for candidate in (token[1::-1] + token[2:], respell(token) or "", other):
            if candidate in self.index:
                return candidate
        return None


def bits(mask: int) -> Iterator[int]:
    """The places of the set bits of a mask, from low to high."""
    while mask:
        low = mask & -mask
        yield low.bit_length() - 1
        mask ^= low


@dataclass(frozen=True)
class Order:
    """How the cards of a pack relate while one trick is played: suits, trumps, and what beats what.

    `suit[c]` is the mask of the suit that card c *plays as*; `beats[c]` the mask of cards that take the trick from c
    while c is winning it; `trumps` the mask of the trump suit, 0 if there is none.
    """

    pack: Pack
    name: str
    suits: tuple[int, ...]
    trumps: int
    suit: tuple[int, ...] = field(repr=False)
    beats: tuple[int, ...] = field(repr=False)

    @classmethod
    def of(cls, pack: Pack, name: str, suits: Iterable[Sequence[str]], trump: int | None = None) -> Order:
        """The order given by the suits, each from low to high, of which number `trump` is the trump suit."""
        ranked = [[pack.index[card] for card in cards] for cards in suits]
        masks = [sum(1 << card for card in cards) for cards in ranked]
        trumps = 0 if trump is None else masks[trump]
        suit, beats = [0] * len(pack), [0] * len(pack)
        for cards, mask in zip(ranked, masks, strict=True):
            above = mask
            for card in cards:
                above ^= 1 << card
                suit[card] = mask
                beats[card] = above | (0 if mask == trumps else trumps)
        return cls(pack, name, tuple(masks), trumps, tuple(suit), tuple(beats))

    def winner(self, cards: Sequence[int]) -> int:
        """The place in `cards` (bit numbers in order of play) of the card that takes the trick."""
        beats, best = self.beats, cards[0]
        for card in cards:
            if beats[best] >> card & 1:
                best = card
        return cards.index(best)

    def suit_name(self, card: int) -> str:
        """The letter of the suit a card plays as: that of the suit's first card, `J` for jokers by themselves."""
        return self.pack.cards[next(bits(self.suit[card]))][1]


RANKS = "23456789TJQKA"
SUITS = "CDHS"

FRENCH_52 = Pack("52", tuple(rank + suit for suit in SUITS for rank in RANKS))
FRENCH_54 = Pack("54", (*FRENCH_52.cards, "LJ", "BJ"))


def by_suit(ranks: str = RANKS, suits: str = SUITS) -> tuple[tuple[str, ...], ...]:
    """The cards of each suit, low to high as the ranks are given."""
    return tuple(tuple(rank + suit for rank in ranks) for suit in suits)
