"""The Auction section, of which a record keeps only the text: whether its calls can be, and come to the contract stated."""

from __future__ import annotations

import re
from itertools import takewhile

from handrec.formats.auction import DOUBLE, PASS, REDOUBLE, outcome
from handrec.formats.pbn.games import Game, Tag
from handrec.formats.pbn.play import PIECE, SEATS
from handrec.formats.strict import shown

_CALLS = {"PASS": PASS, "P": PASS, "X": DOUBLE, "XX": REDOUBLE}
_BID = re.compile("[1-7](?:[CDHS]|NT?)", re.IGNORECASE)


def compare(game: Game, bid: str | None, declarer: str | None, passed: bool) -> None:
    """Note whatever the auction says against itself, the dealer, the contract and the declarer of a game.

    Nothing is compared where the players did not keep to the rules (`^`), or the auction is not told to its end.
    """
    tag = game.tags.get("auction")
    if tag is None or tag.value.strip().upper() not in SEATS:
        return
    found = _calls(game, tag)
    if not found:
        return
    first, calls, spots = found
    dealer = game.value("dealer").upper()
    if dealer in SEATS and dealer != SEATS[first]:
        game.fault(spots[0], f"the first call is {SEATS[first]}'s, but the dealer is {dealer}")
        return
    said, fault = outcome(calls)
    if fault:
        game.fault(spots[fault[0]], fault[1])
    elif said and not said.level and bid:
        game.fault(game.at("contract"), f"the contract is {bid}, but all passed")
    elif said and said.level and passed:
        game.fault(game.at("contract"), f"the deal is said to be passed out, but the auction came to {said.bid}")
    elif said and said.level and bid:
        full = re.sub("N(?!T)", "NT", bid)
        maker = SEATS[(first + said.declarer) % len(SEATS)]
        if full[0].isdigit() and full != said.bid:
            game.fault(game.at("contract"), f"the contract is {full}, but the auction came to {said.bid}")
        elif declarer not in (None, maker) and not game.value("declarer").startswith("^"):
            game.fault(game.at("declarer"), f"the declarer is {declarer}, but the auction makes it {maker}")


def _calls(game: Game, tag: Tag) -> tuple[int, list[str], list[int]] | None:
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
