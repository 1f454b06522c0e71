"""The typed notation: a game as a scorekeeper writes it down in a text editor, one thing a line. Nothing of a record is lost.

Words stand apart by spaces or commas; capitals matter only in words that a game has for bids. After ` #` a line is free. `[]`
says "there were really none"; a line that is not written says "not recorded". A name or text of several words stands in
`"quotes"` (as in JSON), and so does any word that would be taken for something else.

    %hrt 1                       the first line; each further one begins another record
    game spades3                 then in any order, and only what is known:
    options bemo_mode=standalone spades_broken
    seats N=Ann E="Bo Li" S W    clockwise, before the first deal
    status excerpt               or stopped, in_progress, complete; without it, the deals tell, and what they tell is said
    id … schema … source … kind … recorder … date … tool … about … (or provenance [])
    extension NAME {json}        anything of your own
    note …                       anything else: a note on the game, or further down on a deal

    deal 1 dealer N cards 13 leader E status claimed     a deal begins; each part may be left out; board 1 vulnerable NS too
    hand N AS 10h ♦7 ?? ♣KQ10    cards in any order; ?? was not seen; or S.H.D.C as in AK3.T92.-.Q85432x
    aside stock 5H BJ            cards that nobody was dealt, by the game's name for them; `pack` is the whole pack
    turn 7H                      a card is turned up
    bid E 3  S pass  W 4H        or, for the seats in turn, bid E: 3 pass 4H
    blind N 5                    a bid before the cards were looked at; a raise is a later bid
    contract 4H by S             where the auction is not recorded
    look N S   mechoune W   choune W   bemo N   big_bemo N   guess N 7H  E   sips N 2   announce WHAT N
    1 E 5H 2H JH! KH             trick 1, led by E, then in turn; ! was questioned. Number and leader may be left out
    2 N AS 3S W: KS 2S           where it was not that seat's turn, the seat and a colon
    play N AH 2C                 the same without a number; one that is typed is kept: there a trick begins, whole or short
    withdraw E 3H                and the trick goes on in another line, with its number or without; a call: withdraw E bid 1H
    exchange N to E AS 2C 3C     cards change hands; S into kitty 2C 3C; S from kitty count 3; seen before cards that all saw
    show S for meld KS QS        cards of a hand are laid open, and stay in it
    accuse N of E trick 5 deal 2         ruling E upheld trick 5 by "the table"
    transfer N from E 2 trick 5 deal 2   penalty E 10 for renege
    claim N  N 3  E 0            who takes how many of the tricks left
    trump H                      and what was written down as the outcome (the recorded bids: claimed bids N 3 …):
    winners N N E …    tricks N 4  E 3    scores N 31  E -16    totals N 62  E -1
    side NS tricks 9 score -100 imps -3 matchpoints 12.5
    note @ East took that back   @: at the event just written, @14: at the deal's 14th; by "Ann" before the text
    alert @3 "5+ hearts"         the call was alerted, with what was said if anything was; explanation: the same without an alert
    {"do": "bid", …}             any event as in JSON; events [] if nothing happened; what a game brings has a line of its own
    final totals N 62  E -1      the whole game; final winners N
"""

from __future__ import annotations

from codecs import BOM_UTF8

from handrec.formats import Format
from handrec.formats.hrt.reader import OPENS, read
from handrec.formats.hrt.writer import write

__all__ = ["FORMAT", "read", "write"]


def sniff(head: bytes) -> bool:
    """Whether a file begins like a record in this notation, perhaps after comments."""
    lines = head.removeprefix(BOM_UTF8).splitlines()
    first = next((line for line in lines if line.strip()[:1] not in (b"", b"#")), b"")
    return OPENS.match(first) is not None


FORMAT = Format("hrt", "Typed notation", read, sniff, write, many=True)
