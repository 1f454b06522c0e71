"""The table of acts: what a pen does to a record and what a player does at a table, and what each costs.

An explanation of a faulty record is a set of acts; the cheapest tells the simplest story. The costs are orders of likelihood,
learnt from real archives: a number added up wrongly is likelier than a card misread, one row that slid into other columns
is likelier than four cards misread, and a player who revokes is as likely as a card misread. An act that is read at sight has
the fault under which it is told.
"""

from __future__ import annotations

from typing import NamedTuple

from handrec.findings import Fault


class Act(NamedTuple):
    """An act, its cost, why it costs that, and how it is told where it is read at sight."""

    key: str
    cost: int
    why: str
    fault: Fault | None = None


def _slip(code: str, name: str, sentence: str, says: str) -> Fault:
    return Fault(code, name, "L2", sentence, says + "{others}")


ROW = _slip("REC001", "row-off", "A card stands in the row and the column of the seat that played it.",
    "the cards of this row are not those of the seats they stand under: {owners}")  # fmt: skip
PLAYS = _slip("REC002", "plays-exchanged", "Each play stands where it was made.",
    "{one} and {other} stand in each other's place")  # fmt: skip
CARD = _slip("REC003", "card-miswritten", "The card written is the card played.",
    "{found} stands where {due} was played")  # fmt: skip
LOST = _slip("REC004", "play-lost", "Every card played is written down.",
    "{owner}'s card to trick {trick} is not written down: it was {card}")  # fmt: skip
DOUBLED = _slip("REC005", "play-doubled", "A card played is written down once.",
    "{owner}'s {card} is written down twice, in tricks {tricks}")  # fmt: skip
NAME = _slip("REC006", "name-miswritten", "The name at a card is that of the seat that played it.",
    "{card} is written down as {found}'s, and is {owner}'s")  # fmt: skip
HAND = _slip("REC007", "hand-card", "Each hand is written down card by card as it was dealt.",
    "{owner}'s hand {what}")  # fmt: skip
HANDS = _slip("REC008", "hands-exchanged", "Each hand stands under its own seat.",
    "the hands of {owners} stand under {found}")  # fmt: skip
SUITS = _slip("REC009", "suits-exchanged", "Each suit of a hand stands in its own place.",
    "the suits of {owner}'s hand stand in other places than their own: {suits}")  # fmt: skip
SUIT = _slip("REC010", "suit-of-other-hand", "Each suit stands in the hand that held it.",
    "the {suit} of {owners} stand in each other's hand")  # fmt: skip
#: No card is wrong, but the auction: its level is that of the calls.
CALL = Fault("REC011", "call-miswritten", "L3", "The call written is the call made.",
    "{what}{others}")  # fmt: skip
LINE = _slip("REC012", "line-miswritten", "What is stated of a deal is what was dealt and called.",
    "{what}")  # fmt: skip
HEADING = _slip("REC013", "heading-miswritten", "The heading says what was played, and who sat where.",
    "{what}")  # fmt: skip

#: Every act by its key. Where several lines of the pen cost the same and are told alike they are one act.
ACTS: dict[str, Act] = {
    act.key: act
    for act in (
        Act("sheet", 1, "numbers are added up in the head and copied late"),
        Act("card", 2, "one character of a card is misread", CARD),
        Act("card-both", 3, "both characters of a card are wrong: rarely misread", CARD),
        Act("play-lost", 2, "a card or a row is passed over in copying, the last above all: it falls by itself", LOST),
        Act("play-doubled", 2, "a line or a card is copied twice", DOUBLED),
        Act("name", 2, "the seat at one card is misread", NAME),
        Act("plays-in-row", 2, "two cards of a row change places", PLAYS),
        Act("plays-across", 3, "two cards of different rows change places: they stand further apart", PLAYS),
        Act("transposed", 2, "a card of a row is written before or after its turn", PLAYS),
        Act("rows", 2, "rows slide by a column where their leader is not thought of: one habit, however many rows", ROW),
        Act("heading", 2, "the heading of the play names another seat than the leader"),
        Act("rows-exchanged", 3, "two rows change places", PLAYS),
        Act("turned", 2, "the whole deal, or its whole play, is written from another seat", HANDS),
        Act("hand-card", 2, "a card of a hand is left out, doubled, misread, or given to another hand", HAND),
        Act("suits", 2, "the suits of a hand are written in another order", SUITS),
        Act("suit", 2, "the same suit of two hands changes places", SUIT),
        Act("hands", 2, "two hands change places", HANDS),
        Act("hand-cards", 3, "a card of each of two hands change places: two cards are wrong", HAND),
        Act("hand", 3, "a hand is misprinted as a whole", HAND),
        Act("calls-front", 1, "passes in front of the first bid are taken for granted"),
        Act("double", 1, "the double is left out of the contract"),
        Act("call", 2, "a call is lost, doubled, misread, set to another seat, or exchanged with the next", CALL),
        Act("contract", 2, "contract, declarer, board or vulnerability is misread", LINE),
        Act("dealer", 2, "the dealer is misread", LINE),
        Act("dealer-of-board", 1, "the dealer is misread, and the number of the board says another"),
        Act("turn-up", 3, "the card that makes trump is looked at by everybody", LINE),
        Act("dealers-card", 2, "the card that is turned up is misread, and is none of the dealer's hand", LINE),
        Act("game", 2, "the heading names another game: a line copied from another record", HEADING),
        Act("players", 2, "two players stand in each other's place", HEADING),
        Act("option", 2, "the heading misstates an option or variant; never more than a guess"),
        Act("revoke", 2, "a player does not play as the cards on the table demand"),
        Act("revoke-again", 1, "the same player again in the same suit: one mistake about the hand"),
        Act("trick-given", 2, "the table gives a trick to the wrong side; its winner and the next lead follow"),
        Act("out-of-turn", 3, "a lead, play or call out of turn, and nobody marked it"),
        Act("marked", 1, "a deed that the record itself marks"),
    )
}

#: What is stated of a deal, and contradicts the rest: only a slip explains it, that of the line where it is told, which
#: costs what this act costs, or one in what contradicts it.
STATED = {"BID028": "contract", "BID029": "contract", "BID033": "calls-front", "DEA006": "dealer-of-board", "DEA012": "contract"}
#: What a slip of the sheet explains, or what follows from another slip.
NUMBERS = ("TRK", "SCO", "DEA009")

#: Acts of copying cards, which a machine that writes as the cards fall does not do.
COPYING = frozenset(key for key, act in ACTS.items() if act.fault and key not in ("play-lost", "play-doubled"))


def price(key: str, kind: str | None) -> int:
    """What a slip costs in a record of this provenance: more where a machine wrote, less where it was done from memory."""
    cost = ACTS[key].cost
    if kind == "server" and key in COPYING:
        return cost + 2
    return max(2, cost - 1) if kind in ("memory", "photo") and cost > 1 else cost


#: Every fault of the pen by its code.
SLIPS: dict[str, Fault] = {act.fault.code: act.fault for act in ACTS.values() if act.fault}


def misread(one: str, other: str) -> Act:
    """The act of writing one card for another, by how many characters differ; a card with a pack's mark has more."""
    differ = sum(a != b for a, b in zip(one, other, strict=False)) + abs(len(one) - len(other))
    return ACTS["card" if differ == 1 else "card-both"]
