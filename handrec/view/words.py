"""Cards, calls and events in words and signs, for people who see the page and for those who hear it."""

from __future__ import annotations

import re
from typing import Any

from handrec.cards import Pack
from handrec.report.events import in_words
from handrec.report.safe import NAME, safe

#: A suit's sign, told to be text and not a picture, and its name.
SIGNS = {"S": "♠\ufe0e", "H": "♥\ufe0e", "D": "♦\ufe0e", "C": "♣\ufe0e"}
SUITS = {"S": "spades", "H": "hearts", "D": "diamonds", "C": "clubs", "J": "jokers"}

_FRENCH = {"J": "jack", "Q": "queen", "K": "king", "A": "ace"}
_FRENCH |= zip("23456789T", ("two", "three", "four", "five", "six", "seven", "eight", "nine", "ten"), strict=True)
_COURT = {"R": "king", "D": "queen", "C": "knight", "V": "jack", "F": "fool"}
_COURT |= {"M": "musician", "J": "juggler", "N": "dog", "T": "cat"}
_JOKERS = {"BJ": ("B", "✦", "big joker"), "LJ": ("L", "✧", "little joker")}
_PACKS = {"m": "marked", "s": "simple"}

#: What stands on a card: rank, suit's letter, pack's mark; and the card in words.
Face = tuple[str, str, str, str]


def face(token: str, pack: Pack) -> Face:
    """A card as it is drawn and spoken: rank, letter of its suit (`J` a joker, `?` unseen), mark of its pack, words."""
    if token in _JOKERS:
        rank, _, words = _JOKERS[token]
        return rank, "J", "", words
    rank, suit, mark = token[0], token[1], token[2:]
    names = _FRENCH if {card[0] for card in pack.cards if card not in _JOKERS} <= set(_FRENCH) else _COURT
    if rank not in names or suit not in SIGNS:
        return rank, suit if suit in SIGNS else "?", mark, "a card that is not known" if "?" in token else safe(token)
    words = f"{names[rank]} of {SUITS[suit]}" + (f", {_PACKS.get(mark, mark)} pack" if mark else "")
    return "10" if rank == "T" and names is _FRENCH else rank, suit, mark, words


def text(token: str, pack: Pack) -> str:
    """A card in signs, such as `A♠`."""
    if token in _JOKERS:
        return "".join(_JOKERS[token][:2])
    rank, suit, mark, _ = face(token, pack)
    return f"{rank}{SIGNS.get(suit, suit)}{mark}"


def signed(sentence: str, pack: Pack) -> str:
    """A sentence with the cards of a pack that it names in signs."""
    return re.sub(r"\b[2-9A-Z]{2}[ms]?\b", lambda found: text(found[0], pack) if found[0] in pack.index else found[0], sentence)


def rank(token: str, pack: Pack) -> str:
    """A card's rank, jokers with their sign."""
    return "".join(_JOKERS[token][:2]) if token in _JOKERS else face(token, pack)[0]


def call(bid: Any) -> str:
    """A bid or contract as players write it: `3♥`, `2AT`, `♥x2`; other words as they are."""
    found = re.fullmatch(r"(\d*)([SHDC])(?![A-Z])(.*)", str(bid))
    return safe(bid, NAME) if found is None else safe(f"{found[1]}{SIGNS[found[2]][0]}{found[3]}", NAME)


def trump(name: str | None) -> str | None:
    """The trumps of an order, by its name; None if they are not known."""
    if name is None:
        return None
    mode, mark = name.rstrip("ms") or name, name[len(name.rstrip("ms")) :]
    words = {"NT": "no trump", "AT": "all trumps"}.get(mode) or f"{SIGNS.get(mode, safe(mode))} {SUITS.get(mode, '')}".strip()
    return words + (f", {_PACKS[mark]} pack higher" if mark in _PACKS else "")


def event(event: Any, pack: Pack, *, hidden: bool = False) -> str:
    """An event as said after the name of who did it; with `hidden`, only how many cards it names."""
    return in_words(event, lambda card: text(card, pack), call, hidden=hidden)
