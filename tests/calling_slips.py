"""Slips of the pen in auctions of bridge, planted one at a time in whole boards, with the truth known.

`plants(slip, many)` gives so many boards with one slip each, as plain data, and the truth: hands, calls, contract, play and score
as they were. Some formats write calls without names, one after the other from the dealer's: there a call too few or too many
sets all that follow it to other seats (`_of_row`). Who plants knows nothing of how it is read.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from copy import deepcopy
from functools import cache
from random import Random
from typing import Any

from handrec import games
from handrec.dealing import deal_game
from handrec.phases.bidding import CALLS
from handrec.record import Record

Data = dict[str, Any]
SEATS = "NESW"
PASS = "pass"


@cache
def board(seed: int) -> Data:
    """A whole board as plain data, not to be changed: the number, and with it dealer and vulnerability, goes by the seed."""
    record = deal_game(games.find("bridge"), 4, seed, numbers=[1 + seed % 32])
    data: Data = record.model_dump(mode="json", exclude_unset=True, by_alias=True)
    return data


SLIPS: dict[str, Callable[[Data, Random], bool]] = {}


def slip(function: Callable[[Data, Random], bool]) -> Callable[[Data, Random], bool]:
    """A slip under its function's name; it is given a deal to change, and says whether there is room for it."""
    SLIPS[function.__name__] = function
    return function


def _calls(deal: Data) -> list[int]:
    return [place for place, event in enumerate(deal["events"]) if event["do"] == "bid"]


def _words(deal: Data) -> list[str]:
    return [deal["events"][place]["bid"] for place in _calls(deal)]


def _move(deal: Data, first: int, by: int) -> None:
    """The calls from an event on are set to other seats."""
    for place in _calls(deal):
        if place >= first:
            event = deal["events"][place]
            event["by"] = SEATS[(SEATS.index(event["by"]) + by) % 4]


@slip
def left_out(deal: Data, rng: Random) -> bool:
    """A call is left out."""
    del deal["events"][rng.choice(_calls(deal))]
    return True


@slip
def left_out_of_row(deal: Data, rng: Random) -> bool:
    """A call is left out, and those after it are set to the seats before theirs."""
    place = rng.choice(_calls(deal))
    del deal["events"][place]
    _move(deal, place, -1)
    return True


@slip
def twice(deal: Data, rng: Random) -> bool:
    """A call is written twice."""
    place = rng.choice(_calls(deal))
    deal["events"].insert(place, deepcopy(deal["events"][place]))
    return True


@slip
def twice_in_row(deal: Data, rng: Random) -> bool:
    """A call is written twice, and those after it are set to the seats after theirs."""
    place = rng.choice(_calls(deal))
    deal["events"].insert(place, deepcopy(deal["events"][place]))
    _move(deal, place + 1, 1)
    return True


@slip
def words_exchanged(deal: Data, rng: Random) -> bool:
    """Two calls next to each other stand in each other's column."""
    at = rng.choice(_calls(deal)[:-1])
    one, other = deal["events"][at : at + 2]
    one["bid"], other["bid"] = other["bid"], one["bid"]
    return True


@slip
def calls_exchanged(deal: Data, rng: Random) -> bool:
    """Two calls next to each other are written in the other order, each with its seat."""
    at = rng.choice(_calls(deal)[:-1])
    deal["events"][at : at + 2] = deal["events"][at : at + 2][::-1]
    return True


@slip
def miswritten(deal: Data, rng: Random) -> bool:
    """A call is written for another, whatever it was."""
    event = deal["events"][rng.choice(_calls(deal))]
    event["bid"] = rng.choice([call for call in CALLS if call != event["bid"]])
    return True


@slip
def misread(deal: Data, rng: Random) -> bool:
    """A bid is misread by its level or its strain; a double as a redouble."""
    event = deal["events"][rng.choice(_calls(deal))]
    found = event["bid"]
    near = [
        call
        for call in CALLS
        if call != found and (call[0] == found[0] or (call[0].isdigit() and found[0].isdigit() and call[1:] == found[1:]))
    ]
    event["bid"] = rng.choice(near or [found])
    return bool(near)


@slip
def other_seat(deal: Data, rng: Random) -> bool:
    """A call is written under another seat."""
    event = deal["events"][rng.choice(_calls(deal))]
    event["by"] = rng.choice([seat for seat in SEATS if seat != event["by"]])
    return True


@slip
def pass_too_many(deal: Data, rng: Random) -> bool:
    """A pass is written after the last."""
    last = _calls(deal)[-1]
    by = SEATS[(SEATS.index(deal["events"][last]["by"]) + 1) % 4]
    deal["events"].insert(last + 1, {"do": "bid", "by": by, "bid": PASS})
    return True


@slip
def pass_too_few(deal: Data, rng: Random) -> bool:
    """The last pass is not written."""
    del deal["events"][_calls(deal)[-1]]
    return True


@slip
def passes_at_the_end(deal: Data, rng: Random) -> bool:
    """The last three passes are taken for granted."""
    del deal["events"][_calls(deal)[-3] : _calls(deal)[-1] + 1]
    return True


@slip
def passes_in_front(deal: Data, rng: Random) -> bool:
    """The passes in front of the first bid are taken for granted."""
    words = _words(deal)
    opened = next((place for place, word in enumerate(words) if word != PASS), 0)  # a board passed out has none
    del deal["events"][:opened]
    return opened > 0


def _stated(deal: Data) -> Data:
    event: Data = next(event for event in deal["events"] if event["do"] == "contract")
    return event


@slip
def contract(deal: Data, rng: Random) -> bool:
    """The level or the strain of the contract is misread."""
    event = _stated(deal)
    found, risk = event["bid"].rstrip("x"), event["bid"].count("x")
    near = [call for call in CALLS[3:] if call != found and (call[0] == found[0] or call[1:] == found[1:])]
    event["bid"] = rng.choice(near) + "x" * risk
    return True


@slip
def doubled(deal: Data, rng: Random) -> bool:
    """The double is left out of the contract, or put in."""
    event = _stated(deal)
    event["bid"] = event["bid"].rstrip("x") if event["bid"].endswith("x") else event["bid"] + "x"
    return True


@slip
def declarer(deal: Data, rng: Random) -> bool:
    """The declarer is misread."""
    event = _stated(deal)
    event["by"] = rng.choice([seat for seat in SEATS if seat != event["by"]])
    return True


@slip
def dealer(deal: Data, rng: Random) -> bool:
    """The dealer is misread."""
    deal["dealer"] = rng.choice([seat for seat in SEATS if seat != deal["dealer"]])
    return True


@slip
def vulnerable(deal: Data, rng: Random) -> bool:
    """The vulnerability is misread."""
    deal["vulnerable"] = rng.choice([sides for sides in ("none", "NS", "EW", "all") if sides != deal["vulnerable"]])
    return True


@slip
def board_number(deal: Data, rng: Random) -> bool:
    """The number of the board is misread."""
    deal["board"] = rng.choice([number for number in range(1, 33) if (number - deal["board"]) % 16])
    return True


#: Slips in the heading and the contract: which line is wrong, as a pointer into the deal shows it.
LINES = {"contract": "/bid", "doubled": "/bid", "declarer": "/by", "dealer": "/dealer", "vulnerable": "/vulnerable"}


def plants(kind: str, many: int, first: int = 0, contract: bool = True, claims: bool = True) -> Iterator[tuple[Data, Record]]:
    """So many boards with a slip of a kind, and the truth of each; with or without a line for the contract, and claims."""
    made, seed = 0, first
    while made < many:
        rng, truth = Random(f"{kind} {seed}"), deepcopy(board(seed % 400))
        seed += 1
        deal = truth["deals"][0]
        if not contract:
            deal["events"] = [event for event in deal["events"] if event["do"] != "contract"]
        if not claims:
            del deal["claimed"]
        data = deepcopy(truth)
        if SLIPS[kind](data["deals"][0], rng) and data != truth:
            made += 1
            yield truth, Record.model_validate(data)
