"""The Auction section, of which a record keeps only the text: what its calls came to, and whether that is what is stated."""

from __future__ import annotations

import re
from itertools import takewhile
from typing import NamedTuple

from handrec.formats.boards import DOUBLE, PASS, REDOUBLE, SEATS, auction_result
from handrec.formats.pbn.games import PbnGame, Tag
from handrec.formats.pbn.play import PIECE
from handrec.formats.strict import shown

_CALLS = {"PASS": PASS, "P": PASS, "X": DOUBLE, "XX": REDOUBLE}
_BID = re.compile("[1-7](?:[CDHS]|NT?)", re.IGNORECASE)


class Heard(NamedTuple):
    """What an auction came to: a contract such as `3NTx` (empty if all passed), its declarer, and where its bid stands.

    `opened` if the first call that is written is no pass.
    """

    bid: str
    declarer: str | None
    at: int
    opened: bool = False

    @property
    def strain(self) -> str:
        """The strain of the contract."""
        return self.bid[1:].rstrip("x")


def heard(game: PbnGame) -> Heard | None:
    """What the auction of a game came to; what it says against itself or the dealer is noted.

    None where the players did not keep to the rules (`^`), or the auction is not told to its end.
    """
    tag = game.tags.get("auction")
    if tag is None or tag.value.strip().upper() not in SEATS:
        return None
    found = _calls(game, tag)
    if not found:
        return None
    first, calls, spots = found
    dealer = game.value("dealer").upper()
    if dealer in SEATS and dealer != SEATS[first]:
        game.fault(spots[0], f"the first call is {SEATS[first]}'s, but the dealer is {dealer}", "FMT017")
        return None
    said, fault = auction_result(calls)
    if fault:
        game.fault(spots[fault[0]], fault[1], "FMT017")
    if said is None or not said.level:
        return None if said is None else Heard("", None, spots[0])
    last = max(spot for spot, call in zip(spots, calls, strict=True) if call[0].isdigit())
    return Heard(said.bid, SEATS[(first + said.declarer) % len(SEATS)], last, calls[0] != PASS)


def compare(game: PbnGame, said: Heard, bid: str | None, declarer: str | None, passed: bool) -> None:
    """Note where the contract and the declarer that are stated are not those of the auction."""
    if bid and not said.bid:
        game.fault(game.at("contract"), f"the contract is {bid}, but all passed", "FMT017")
    elif passed and said.bid:
        why = f"the deal is said to be passed out, but the auction came to {said.bid}"
        game.fault(game.at("contract"), why, "FMT017")
    elif bid and said.bid:
        full = re.sub("N(?!T)", "NT", bid)
        if full[0].isdigit() and f"{full}x" == said.bid:
            why = f"the contract is {full}, but the auction came to {said.bid}"
            game.habits["double"] = (game.at("contract"), f"the contract leaves out the double of {said.bid}", why)
        elif full[0].isdigit() and full != said.bid:
            game.fault(game.at("contract"), f"the contract is {full}, but the auction came to {said.bid}", "FMT017")
        elif declarer not in (None, said.declarer) and not game.value("declarer").startswith("^"):
            _other_declarer(game, said, str(declarer))


def _other_declarer(game: PbnGame, said: Heard, declarer: str) -> None:
    """The passes in front are left out if that makes the declarer, and nobody else had the lead; else the two disagree."""
    first, assumed = game.value("play").upper(), SEATS.index(said.declarer or "N")
    many = (SEATS.index(declarer) - assumed) % len(SEATS)
    leader = SEATS[(SEATS.index(declarer) + 1) % len(SEATS)]
    why = f"the declarer is {declarer}, but the auction makes it {said.declarer}"
    if said.opened and first in ("", leader):
        passes = f"{many} passes" if many > 1 else "a pass"
        habit = f"the auction leaves out {passes} in front"
        game.habits["passes"] = (game.at("declarer"), habit, why)
    else:
        game.fault(game.at("declarer"), why, "FMT017")


def _calls(game: PbnGame, tag: Tag) -> tuple[int, list[str], list[int]] | None:
    """Who called first, the calls, and where they stand; None if there are none, or not all of them are sure."""
    calls: list[str] = []
    spots: list[int] = []
    first = SEATS.index(tag.value.strip().upper())
    for word in tag.words:
        for match in PIECE.finditer(word.text):
            piece, at = match[0].upper(), word.at + match.start()
            call = _CALLS.get(piece) or (piece if _BID.fullmatch(piece) else None)
            if piece[0] in "$!?=":
                continue
            if piece in ("*", "+"):
                return (first, calls, spots) if calls else None
            if piece == "-" and not calls:
                first = (first + 1) % len(SEATS)
            elif piece == "AP":
                passes = sum(1 for _ in takewhile(lambda call: call == PASS, reversed(calls)))
                due = (3 if len(calls) > passes else 4) - passes
                return first, calls + [PASS] * due, spots + [at] * due
            elif call is None:
                if piece[0] not in "^-":
                    game.fault(at, f"{shown(match[0])} is no call")
                return None
            else:
                calls.append(call + "T" if call[-1] == "N" else call)
                spots.append(at)
    return (first, calls, spots) if calls else None
