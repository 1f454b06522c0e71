"""Which bid was probably meant by one that a game does not know."""

from __future__ import annotations

import re
from difflib import SequenceMatcher
from functools import lru_cache
from typing import TYPE_CHECKING, Any

from handrec.record import Contract

if TYPE_CHECKING:
    from handrec.game.table import Table

#: Numbers as people write them.
NUMBERS = ["zero", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten", "eleven", "twelve", "thirteen"]
#: Calls as people write them.
SPOKEN = {
    **dict.fromkeys(("p", "-", "--", "passes", "passed", "no", "np", "nb"), "pass"),
    **dict.fromkeys(("d", "db", "dbl", "double", "doubles"), "x"),
    **dict.fromkeys(("r", "rd", "rdbl", "redouble", "redoubles"), "xx"),
    **dict.fromkeys(("nil", "null", "none"), "0"),
    **{word: str(number) for number, word in enumerate(NUMBERS)},
}
#: Words so alike may be taken for each other; so many that are equally alike are named.
ALIKE, NAMED = 0.5, 2


def meant_bid(table: Table, seat: Any, bid: Any) -> str:
    """The bid that was meant, in words: what the sheet or the contract says, or the one that is most alike."""
    phase: Any = table.game.phase_of.get("bid")
    known = tuple(map(str, phase.sayable(table) if phase is not None else ()))
    sheet = (table.deal.claimed and table.deal.claimed.bids) or {}
    said = {str(sheet.get(table.seats[seat] if isinstance(seat, int) else seat))}
    said |= {str(event.bid).rstrip("x") for event in table.deal.events if type(event) is Contract}
    return _likely(str(bid).lower(), known, frozenset(said))


@lru_cache(maxsize=500)  # the same word is asked about each time that a deal is replayed
def _likely(text: str, tokens: tuple[str, ...], said: frozenset[str]) -> str:
    """Which of the bids that there are was probably meant, if of them these are said elsewhere."""
    text = SPOKEN.get(text) or re.sub("^([0-9])(sa|n|no.?trumps?)$", r"\1nt", text)
    known = {token.lower(): token for token in tokens}
    alike = {token: SequenceMatcher(None, text, token).ratio() for token in known}
    stated = [token for token in alike if known[token] in said and alike[token] >= ALIKE]
    turned = [token for token in (text[1:] + text[:1], text[-1:] + text[:-1]) if token in known][:1]  # H6 for 6H
    best = max(alike.values(), default=0)
    likely = [text] if text in known else turned or stated or [token for token in alike if alike[token] == best >= ALIKE]
    return f" (did you mean {' or '.join(known[token] for token in likely)}?)" if 0 < len(likely) <= NAMED else ""
