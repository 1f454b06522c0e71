"""Rulings as a table: what follows by the laws, read off the laws and written down before there was code that rules so.

A hand is written as each seat's thirteen cards in the order in which it plays them, suit first: `"HQ S2 HJT9"`; whoever
wins a trick leads to the next. West leads to South's contract, North is dummy. The laws are those of bridge but where a
case names others; "64A2" is a paragraph of them, and every paragraph that applies is listed.
"""

# ruff: noqa: E501

from __future__ import annotations

from dataclasses import dataclass

from tests.tables import Data, game

Hands = dict[str, str]
SEATS = "NESW"

#: What no record tells, by the words in which a ruling says so.
UNKNOWN = "When it was noticed is not in the record"
NAMED = "Whether a card of the next trick was named"
FACED = "Cards that lay face up"
HANDS = "When the four hands were back in the board"
ROUND = "When the round ended"
TURNED = "When a trick was turned"
CUT = "When the cards were cut"
MIXED = "When the tricks were mixed"
ASSUMED = (UNKNOWN, NAMED, FACED, HANDS, ROUND, TURNED, CUT, MIXED)


@dataclass(frozen=True)
class Case:
    """A claim on a hand, and what the laws say of it.

    `noticed` is the card after which attention was drawn, or a moment after the play (`over`, `next`, `round`), or None if
    that is not known; `cut` the card after which the record ends. `steps` are the paragraphs that apply; `moved` the tricks
    that move for this revoke, `in_all` those of its side on the board if others have moved before it, `after` how the
    tricks stand then. `wins` is who wins the trick as corrected, "?" if it hangs on a choice. `taken` are cards taken back:
    (the card after which, seat, card withdrawn). `claims` is a claim that ends the play: its seat and how many tricks
    North and South get of those left.
    """

    name: str
    hands: Hands
    claim: str
    steps: str
    moved: int = 0
    after: tuple[int, int] | None = None  # North and South, East and West
    noticed: str | None = None
    assumed: tuple[str, ...] = ()
    laws: str = "bridge-2017"
    strain: str = "NT"
    in_all: int | None = None
    wins: str | None = None
    equity: bool | None = None  # whether 64C is named; as in `steps`, if an established revoke is ruled on
    cut: str | None = None
    taken: tuple[tuple[str, str, str], ...] = ()
    claims: tuple[str, int] | None = None
    next_deal: tuple[str, ...] = ()  # who has called on the next deal before attention was drawn there
    choices: tuple[str, ...] = ()  # the words of the choices, where the laws give one
    verdict: str = "upheld"


def cards(text: str) -> list[str]:
    """`"HQ S2 HJT"` as cards."""
    return [rank + word[0] for word in text.split() for rank in word[1:]]


def played(case: Case) -> list[tuple[str, str]]:
    """Seat and card of every play in order: the winner of a trick leads to the next."""
    left = {seat: cards(text) for seat, text in case.hands.items()}
    leader, found = SEATS.index("W"), []
    for trick in range(13):
        row = [(seat, left[seat][trick]) for seat in (SEATS * 2)[leader : leader + 4]]
        found += row
        led = row[0][1][1]
        best = max(
            row, key=lambda play: ((play[1][1] == case.strain) * 2 + (play[1][1] == led), "23456789TJQKA".index(play[1][0]))
        )
        leader = SEATS.index(best[0])
    return found


def spot(label: str) -> int:
    """How many cards had been played when this one lay: `2.1` is the fifth."""
    trick, card = label.split(".")
    return (int(trick) - 1) * 4 + int(card)


def record(case: Case, accused: bool = False) -> Data:
    """The record of a case; with `accused`, the claim stands in it as an accusation by the left-hand opponent."""
    hands = {seat: sorted(cards(text)) for seat, text in case.hands.items()}
    events: list[Data] = []
    for place, (seat, card) in enumerate(played(case)):
        for label, by, gone in case.taken:
            if spot(label) == place and by == seat:
                events += [{"do": "play", "by": seat, "card": gone}, {"do": "withdraw", "by": seat, "card": gone}]
        events.append({"do": "play", "by": seat, "card": card})
        if case.noticed and "." in case.noticed and accused and spot(case.noticed) == place + 1:
            events.append(accusation(case))
        if case.cut and spot(case.cut) == place + 1:
            break
    status: Data = {"status": "in_progress"} if case.cut else {}
    if case.claims is not None:
        rest = 13 - spot(case.cut or "13.4") // 4
        by, north = case.claims
        events.append({"do": "claim", "by": by, "tricks": {"N": north, "E": rest - north, "S": 0, "W": 0}})
        status = {"status": "claimed"}
    contract = {"do": "contract", "by": "S", "bid": case.strain}
    deals = [{"number": 1, "dealer": "S", "hands": hands, "events": [contract, *events], **status}]
    if case.next_deal:
        calls = [{"do": "contract", "by": seat, "bid": "1H"} for seat in case.next_deal]
        after = [{**accusation(case), "of_deal": 1}] if accused else []
        deals.append({"number": 2, "events": [*calls, *after], "status": "in_progress"})
    return game("bridge", "N E S W", *deals, status="stopped")


def accusation(case: Case) -> Data:
    """The claim as an accusation."""
    seat, trick = case.claim.split("@")
    return {"do": "accuse", "by": SEATS[(SEATS.index(seat) + 1) % 4], "of": seat, "trick": int(trick)}


def but(hands: Hands, **other: str) -> Hands:
    """The same hands with other cards, or the same cards in another order."""
    return {**hands, **other}


# --- the hands ----------------------------------------------------------------------------------------------------------

#: W wins twelve spades; S throws a heart on the first one, holding 2S, follows to the second, and wins trick 13 with AC.
ONE = {"N": "DAKQJT98765432", "E": "CKQJT9876543 HAK", "S": "HQ S2 HJT98765432 CA", "W": "SAKQJT9876543 C2"}
#: The same, but S throws AC away and E wins trick 13.
NONE_LATER = but(ONE, E="HAK CKQJT9876543", S="HQ S2 CA HJT98765432")
#: The same, but S follows to the third spade only.
TWICE = but(ONE, S="HQJ S2 HT98765432 CA")
#: N is dummy, holds 2S and throws KD on the first spade.
DUMMY = but(ONE, N="DK S2 DQJT98765432", S="DA HQJT98765432 CA")
#: Hearts: S ruffs the first spade, holding 2S, and wins all but the last trick.
RUFF = {"N": "CAKQJT98765432", "E": "DAKQJT98765432", "S": "HAKQJT9876543 S2", "W": "SA H2 SKQJT9876543"}
#: Hearts: S ruffs the first spade, holding 2S, and wins nothing more.
RUFF_ONLY = {"N": "DAKQJT98765432", "E": "SQJ H2 ST9876543 CAK", "S": "HA S2 CQJT98765432", "W": "SAK HKQJT9876543"}
#: S throws AH on a diamond, holding 2D; dummy wins the trick, and N and S all the others.
IN_DUMMY = {"N": "DAKQJT987654 H2 S2", "E": "CAKQJT98765432", "S": "HA D2 HKQJT9876543", "W": "D3 SAKQJT9876543"}
#: The same, but dummy leads 2S to the second trick and W wins all the others.
IN_DUMMY_ONLY = but(IN_DUMMY, N="DA S2 DKQJT987654 H2", S="HAKQJT9876543 D2")
#: E throws KC on the first of W's eight spades, holding four; S wins the last five tricks.
EAST = {"N": "DAKQJT98765432", "E": "CK S6543 CQJT C7 H32 C98", "S": "S2 H456789T CA HAKQJ", "W": "SAKQJT987 C2 C3456"}
#: W wins four spades, S the rest; E throws KC on the fourth, holding 3S.
EAST_LAST = {"N": EAST["N"], "E": "S654 CK C7 H32 CQJT98 S3", "S": "S2 H456 CA HAKQJT987", "W": "SAKQJ C2 C3456 ST987"}
#: The same, but E throws KC on S's first heart, holding two; E and W have won their four tricks before.
EAST_AFTER = but(EAST_LAST, E="S6543 C7 CK H32 CQJT98")
#: Clubs: E ruffs S's ace of hearts, holding two, and wins tricks 6 to 11.
EAST_RUFF = {"N": EAST["N"], "E": "S6543 C7 CK CQJT98 H32", "S": "S2 H456 CA HA H789TJ HQK", "W": "SAKQJ C2 ST C3456 S987"}
#: Hearts: E ruffs W's ace of spades, holding 2S; S wins the other twelve tricks.
EAST_RUFF_ONLY = {"N": "S3KQJT987654 CA D2", "E": "H2 S2 CKQJT9876543", "S": "C2 HAKQJT9876543", "W": "SA DAKQJT9876543"}
#: S wins tricks 1 to 12; E throws 2H on KC, holding clubs, and QC on AH, holding hearts; W wins trick 13.
EAST_TWICE = {"N": EAST["N"], "E": "C4 H2 CQ H43 CJT98765 S3", "S": "CAK HAKQJT98765 S2", "W": "C23 SKQJT987654 SA"}
#: The same, but W wins the last two tricks.
EAST_TWICE_TWO = but(EAST_TWICE, E="C4 H2 CQ H43 CJT9876 S3 C5", S="CAK HAKQJT9876 S2 H5", W="C23 SQJT987654 SAK")
#: W and E both throw a club on AH, holding hearts; E wins trick 13, and E and W four before.
BOTH_OF_SIDE = {"N": EAST["N"], "E": "S6543 C6 C7 H3 C89TJQK", "S": "S2 H567 CA HAKQJT98 C3", "W": "SAKQJ C2 C4 H42 ST987 C5"}
#: Hearts: S ruffs a spade and a diamond, holding one of each, and wins nothing else.
RUFF_TWICE = {
    "N": "S3K D34 SQJT987654",
    "E": "D5 CA D6 CK CQJ DKQJT987",
    "S": "HA C2 HK C3 S2 D2 C456789T",
    "W": "SA H2 DA H3 HQJT987654",
}
#: W wins eleven spades, S has two, follows to the third and the fourth only, and wins the last two tricks.
TWO_LEFT = {"N": EAST["N"], "E": "CKQJT987654 H432", "S": "HQA S23 HKJT9876 CA H5", "W": "SAKQJT987654 C32"}
#: The same, but S's first heart was taken back, and the second one was not.
FIRST_TAKEN_BACK = but(TWO_LEFT, S="S2 HQ S3 HAKJT9876 CA H5")
#: Trick 12: W leads AC, S throws 2H, holding QC; N and S win nothing.
TWELVE = {"N": EAST["N"], "E": "S32 CJT98765432 HA", "S": "HKQJT98765432 CQ", "W": "SAKQJT987654 CAK"}
#: Hearts. Trick 12: W leads AC, S ruffs, holding QC, which then wins trick 13; W has won trick 11.
TWELVE_RUFF = {
    "N": "C2 SKQJT987654 C3 S3",
    "E": "D4 H52 CKJT9876 D2 C54",
    "S": "H3AKQJT9876 S2 H4 CQ",
    "W": "DAKQJT98765 SA CA D3",
}
#: W wins eleven spades; E and S both throw a heart on the first, holding one; S wins the last two tricks.
BOTH_SIDES = {"N": EAST["N"], "E": "HA S3 CJT987654 HK CK C3", "S": "HQ S2 HJT9876543 CA H2", "W": "SAKQJT987654 C2Q"}
#: The same, but S throws a heart on the second spade too.
BOTH_SIDES_TWO_TO_ONE = but(BOTH_SIDES, S="HQJ S2 HT9876543 CA H2")
#: The same, but S's heart was taken back, and E's was not.
BOTH_SIDES_ONE_TAKEN_BACK = but(BOTH_SIDES, S="S2 HQJT9876543 CA H2")
#: W leads KS; S throws a heart, holding ace and two.
HIGH_OR_LOW = {"N": EAST["N"], "E": TWO_LEFT["E"], "S": "HQ SA2 HAKJT98765 CA", "W": "SKQJT9876543 C32"}
#: E throws 3H on W's club, holding KC, which was taken back in trick 1 and lies face up.
FACED_CARD = but(EAST_LAST, E="S6543 H3 H2 CKQJT987")
#: E throws KC on the first spade, was stopped, and plays 6S.
EAST_TAKEN_BACK = but(EAST_LAST, E="S6543 C7 H32 CKQJT98")

# A line a case, however long it is.
# fmt: off

# --- the table ----------------------------------------------------------------------------------------------------------

ESTABLISHED = (
    # 64A1 and 64A2, both sides of every word
    Case("64A2: W won the trick, and S won one later", ONE, "S@1", "63A1 64A2", 1, (0, 13), assumed=(UNKNOWN,)),
    Case("64B1: W won the trick, and N and S none later", NONE_LATER, "S@1", "63A1 64B1", assumed=(UNKNOWN,)),
    Case("64A1: the offender won it, and his side eleven later", RUFF, "S@1", "63A1 64A1", 2, (10, 3), strain="H", assumed=(UNKNOWN,)),
    Case("64A1: the offender won it, and his side none later", RUFF_ONLY, "S@1", "63A1 64A1", 1, (0, 13), strain="H", assumed=(UNKNOWN,)),
    Case("64A2: dummy won it, which is not the offender, and more later", IN_DUMMY, "S@1", "63A1 64A2", 1, (12, 1), assumed=(UNKNOWN,)),
    Case("64A2: dummy won it, and none later", IN_DUMMY_ONLY, "S@1", "63A1 64A2", 1, (0, 13), assumed=(UNKNOWN,)),
    Case("64A2: the offender's partner won it, and more later", EAST, "E@1", "63A1 64A2", 1, (6, 7), assumed=(UNKNOWN, FACED)),
    Case("64A2: the offender's partner won it, and none later", EAST_LAST, "E@4", "63A1 64A2", 1, (10, 3), assumed=(UNKNOWN, FACED)),
    Case("64B1: tricks won before never move", EAST_AFTER, "E@6", "63A1 64B1", assumed=(UNKNOWN, FACED)),
    Case("64A1: a defender won it, and more later", EAST_RUFF, "E@6", "63A1 64A1", 2, (5, 8), strain="C", assumed=(UNKNOWN, FACED)),
    Case("64A1: a defender won it, and none later", EAST_RUFF_ONLY, "E@1", "63A1 64A1", 1, (13, 0), strain="H", assumed=(UNKNOWN, FACED)),
    Case("2007 moves as many: the offender won it", RUFF, "S@1", "63A1 64A1", 2, (10, 3), strain="H", laws="bridge-2007", assumed=(UNKNOWN,)),
    Case("2007 moves as many: the offender did not", ONE, "S@1", "63A1 64A2", 1, (0, 13), laws="bridge-2007", assumed=(UNKNOWN,)),
    Case("no revoke: S followed suit", ONE, "S@2", "", verdict="rejected"),
    # tricks are counted once over the board
    Case("two revokes, one trick won later: the first", EAST_TWICE, "E@2", "63A1 64A2", 1, (13, 0), assumed=(UNKNOWN, FACED)),
    Case("two revokes, one trick won later: the second moves none", EAST_TWICE, "E@3", "63A1 64A2", 0, in_all=1, assumed=(UNKNOWN, FACED)),
    Case("two revokes, two tricks won later: the first", EAST_TWICE_TWO, "E@2", "63A1 64A2", 1, (12, 1), assumed=(UNKNOWN, FACED)),
    Case("two revokes, two tricks won later: the second", EAST_TWICE_TWO, "E@3", "63A1 64A2", 1, (13, 0), in_all=2, assumed=(UNKNOWN, FACED)),
    Case("two revokes of partners in one trick: the first", BOTH_OF_SIDE, "W@6", "63A1 64A2", 1, (9, 4), assumed=(UNKNOWN, FACED)),
    Case("64B2 is of one player: the partner's counts, but nothing is left", BOTH_OF_SIDE, "E@6", "63A1 64A2", 0, in_all=1, assumed=(UNKNOWN, FACED)),
    Case("two ruffs: the first takes both tricks", RUFF_TWICE, "S@1", "63A1 64A1", 2, (0, 13), strain="H", assumed=(UNKNOWN,)),
    Case("two ruffs: for the second nothing is left", RUFF_TWICE, "S@3", "63A1 64A1", 0, in_all=2, strain="H", assumed=(UNKNOWN,)),
)

EXEMPT = (
    Case("64B2: the first in the suit", TWICE, "S@1", "63A1 64A2", 1, (0, 13), assumed=(UNKNOWN,)),
    Case("64B2: again in the suit, the first established", TWICE, "S@2", "63A1 64B2", assumed=(UNKNOWN,)),
    Case("64B2: again, with more tricks won later", TWO_LEFT, "S@2", "63A1 64B2", assumed=(UNKNOWN,)),
    Case("64B2 not: the first was corrected, so not established", FIRST_TAKEN_BACK, "S@2", "63A1 64A2", 1, (1, 12), taken=(("1.3", "S", "QH"),), assumed=(UNKNOWN,)),
    Case("64B2 not: another suit", RUFF_TWICE, "S@3", "63A1 64A1", 0, in_all=2, strain="H", noticed="over"),
    Case("64B3: a card of dummy's", DUMMY, "N@1", "63A1 64B3", assumed=(UNKNOWN,)),
    Case("64B3: a penalty card (and none won later)", FACED_CARD, "E@5", "63A1 64B1 64B3", taken=(("1.2", "E", "KC"),), assumed=(UNKNOWN,)),
    Case("64B3 not: the card held was in the hand", EAST, "E@1", "63A1 64A2", 1, (6, 7), noticed="over", assumed=(FACED,)),
    Case("64B4: the other side has called", ONE, "S@1", "63A1 64B4", next_deal=("N", "E"), assumed=(ROUND,)),
    Case("64B4 not: only the offending side has called", ONE, "S@1", "63A1 64A2", 1, (0, 13), next_deal=("N",), assumed=(ROUND,)),
    Case("64B4: said by the caller", ONE, "S@1", "63A1 64B4", noticed="next", assumed=(ROUND,)),
    Case("64B4 of a defender's revoke: N has called", EAST, "E@1", "63A1 64B4", next_deal=("N",), assumed=(FACED, ROUND)),
    Case("64B5: the round is over", ONE, "S@1", "63A1 64B5", noticed="round"),
    Case("64B5 not: the deal is over", ONE, "S@1", "63A1 64A2", 1, (0, 13), noticed="over"),
    Case("64B6: trick twelve, noticed when the hands were back", TWELVE_RUFF, "S@12", "63A1 64B6", strain="H", noticed="over"),
    Case("64B6: trick twelve, not known when", TWELVE, "S@12", "63A1 64B1 64B6", assumed=(UNKNOWN,)),
    Case("64B6 by the laws of 2007", TWELVE_RUFF, "S@12", "63A1 64B6", strain="H", noticed="over", laws="bridge-2007"),
    Case("64B6 and 62D not: trick four is not the twelfth", EAST_LAST, "E@4", "63A1 64A2", 1, (10, 3), noticed="13.4", assumed=(FACED,)),
    Case("64B7: both sides, both established: E's", BOTH_SIDES, "E@1", "63A1 64B7", assumed=(UNKNOWN, FACED)),
    Case("64B7: both sides, both established: S's", BOTH_SIDES, "S@1", "63A1 64B7", assumed=(UNKNOWN,)),
    Case("64B7 not: only E's was established", BOTH_SIDES_ONE_TAKEN_BACK, "E@1", "63A1 64A2", 1, (3, 10), taken=(("1.3", "S", "QH"),), assumed=(UNKNOWN, FACED)),
    Case("64B7 of 2007 does not ask whether it was established", BOTH_SIDES_ONE_TAKEN_BACK, "E@1", "63A1 64B7", taken=(("1.3", "S", "QH"),), laws="bridge-2007", assumed=(UNKNOWN, FACED)),
    Case("64B1 of 2007", NONE_LATER, "S@1", "63A1 64B1", noticed="over", laws="bridge-2007"),
    Case("64B2 of 2007", TWO_LEFT, "S@2", "63A1 64B2", noticed="over", laws="bridge-2007"),
    Case("64B3 of 2007", DUMMY, "N@1", "63A1 64B3", noticed="over", laws="bridge-2007"),
    Case("64B4 of 2007", ONE, "S@1", "63A1 64B4", next_deal=("N", "E"), laws="bridge-2007", assumed=(ROUND,)),
    Case("64B5 of 2007", ONE, "S@1", "63A1 64B5", noticed="round", laws="bridge-2007"),
    Case("64B7 of 2007: both established", BOTH_SIDES, "S@1", "63A1 64B7", laws="bridge-2007", assumed=(UNKNOWN,)),
)

CORRECTED = (
    # 62A and 63A1: the same revoke, noticed one card earlier or later
    Case("62A: noticed in the trick", ONE, "S@1", "62A", noticed="1.4", wins="W", assumed=(NAMED,)),
    Case("62A: only the other side has played on", ONE, "S@1", "62A", noticed="2.1", wins="W", assumed=(NAMED,)),
    Case("63A1: the offender's partner has played on", ONE, "S@1", "63A1 64A2", 1, (0, 13), noticed="2.2"),
    Case("62A: a defender's, before the trick is full", EAST, "E@1", "62A", noticed="1.3", wins="W", assumed=(NAMED,)),
    Case("62A: a defender's, the trick is full", EAST, "E@1", "62A", noticed="1.4", wins="W", assumed=(NAMED,)),
    Case("63A1: the defender's partner has led", EAST, "E@1", "63A1 64A2", 1, (6, 7), noticed="2.1", assumed=(FACED,)),
    Case("62A: the winner as corrected is another", RUFF, "S@1", "62A", noticed="1.4", strain="H", wins="W", assumed=(NAMED,)),
    Case("62A: who wins it hangs on the card chosen", HIGH_OR_LOW, "S@1", "62A", noticed="1.4", cut="1.4", wins="?", assumed=(NAMED,)),
    Case("62A: the record ends there", ONE, "S@1", "62A", cut="1.4", wins="W", assumed=(UNKNOWN, NAMED)),
    Case("62A: declarer's, corrected at the table", FIRST_TAKEN_BACK, "S@1", "62A", taken=(("1.3", "S", "QH"),)),
    Case("62A: a defender's, corrected at the table", EAST_TAKEN_BACK, "E@1", "62A", taken=(("1.2", "E", "KC"),)),
    Case("62A by the laws of 2007", ONE, "S@1", "62A", noticed="2.1", wins="W", laws="bridge-2007", assumed=(NAMED,)),
    # 62C3: both sides in one trick
    Case("62A: both sides, nobody has played on: E's", BOTH_SIDES, "E@1", "62A", noticed="1.4", wins="W", assumed=(NAMED,)),
    Case("62A: both sides, nobody has played on: S's", BOTH_SIDES, "S@1", "62A", noticed="1.4", wins="W", assumed=(NAMED,)),
    Case("62C3: W has played on, so E's is established and yet corrected", BOTH_SIDES, "E@1", "62C3 63A1 64B8", noticed="2.1", wins="W", assumed=(NAMED,)),
    Case("62C3: W has played on, S's is not established", BOTH_SIDES, "S@1", "62A 62C3", noticed="2.1", wins="W", assumed=(NAMED,)),
    Case("62C3 not: N has played on too", BOTH_SIDES, "E@1", "63A1 64B7", noticed="2.2", assumed=(FACED,)),
    Case("62C3 not: one side only revoked", EAST, "E@1", "63A1 64A2", 1, (6, 7), noticed="2.1", assumed=(FACED,)),
    Case("62C3 is not in the laws of 2007: E's stands", BOTH_SIDES, "E@1", "63A1 64B7", noticed="2.1", laws="bridge-2007", assumed=(FACED,)),
    Case("62C3 is not in the laws of 2007: S's is corrected", BOTH_SIDES, "S@1", "62A", noticed="2.1", wins="W", laws="bridge-2007", assumed=(NAMED,)),
    # 62D: trick twelve
    Case("62D: established, the hands not yet back", TWELVE_RUFF, "S@12", "62D 63A1", 0, (11, 2), noticed="13.4", strain="H", wins="W", assumed=(HANDS,)),
    Case("62D: nothing is changed by it", TWELVE, "S@12", "62D 63A1", 0, (0, 13), noticed="13.4", wins="W", assumed=(HANDS,)),
    Case("62A on trick twelve", TWELVE_RUFF, "S@12", "62A", 0, (11, 2), noticed="12.4", strain="H", wins="W", assumed=(NAMED,)),
    Case("62D by the laws of 2007", TWELVE_RUFF, "S@12", "62D 63A1", 0, (11, 2), noticed="13.4", strain="H", wins="W", laws="bridge-2007", assumed=(HANDS,)),
    # 63A3 and 63A4: claims
    Case("63A3: the offender has claimed", ONE, "S@1", "63A3 64A2", 1, (0, 13), cut="1.4", claims=("S", 1), noticed="over"),
    Case("63A3: the offender's partner has claimed", EAST, "E@1", "63A3 64A2", 1, (5, 8), cut="1.4", claims=("W", 4), noticed="over", assumed=(FACED,)),
    Case("62A: noticed before the claim", ONE, "S@1", "62A", cut="1.4", claims=("S", 1), noticed="1.4", wins="W", assumed=(NAMED,)),
    Case("63A4 not yet: the other side has claimed", ONE, "S@1", "62A", cut="1.4", claims=("W", 1), noticed="over", wins="W", assumed=(NAMED,)),
    Case("63A4: the offending side has called on the next deal", ONE, "S@1", "63A4 64A2", 1, (0, 13), cut="1.4", claims=("W", 1), next_deal=("N",), assumed=(ROUND,)),
    Case("63A4 not yet: only the other side has called", ONE, "S@1", "62A", cut="1.4", claims=("W", 1), next_deal=("E",), wins="W", assumed=(NAMED, ROUND)),
    Case("63A4 and 64B4: both sides have called", ONE, "S@1", "63A4 64B4", cut="1.4", claims=("W", 1), next_deal=("N", "E"), assumed=(ROUND,)),
    Case("63A4 and 64B4, said by the caller", ONE, "S@1", "63A4 64B4", cut="1.4", claims=("W", 1), noticed="next", assumed=(ROUND,)),
    Case("63A4 and 64B5: the round is over", ONE, "S@1", "63A4 64B5", cut="1.4", claims=("W", 1), noticed="round"),
    Case("63A3 of 2007: the offender has claimed", ONE, "S@1", "63A3 64A2", 1, (0, 13), cut="1.4", claims=("S", 1), noticed="over", laws="bridge-2007"),
    Case("63A3 of 2007: agreeing establishes it at once", ONE, "S@1", "63A3 64A2", 1, (0, 13), cut="1.4", claims=("W", 1), noticed="over", laws="bridge-2007"),
)

WHIST = "whist-classic"
POINTS = ("3 points off N/S", "3 points to E/W")
OTHER_LAWS = (
    Case("72: three tricks, or three points off or on", IN_DUMMY, "S@1", "72 73 82", 3, (10, 3), laws=WHIST, assumed=(UNKNOWN, TURNED, CUT), choices=("3 tricks from N/S to E/W", *POINTS)),
    Case("72: no more tricks than there are", ONE, "S@1", "72 73 82", 1, (0, 13), laws=WHIST, noticed="over", assumed=(TURNED, CUT), choices=("1 trick from N/S to E/W", *POINTS)),
    Case("72: for every revoke, but no trick twice: the first", BOTH_OF_SIDE, "W@6", "72 73 82", 3, (11, 2), laws=WHIST, noticed="over", assumed=(TURNED, CUT)),
    Case("72: for every revoke, but no trick twice: the second", BOTH_OF_SIDE, "E@6", "72 73 82", 2, (13, 0), in_all=5, laws=WHIST, noticed="over", assumed=(TURNED, CUT)),
    Case("73: in the trick it can be put right", ONE, "S@1", "76", laws=WHIST, noticed="1.4", wins="W", assumed=(TURNED, CUT)),
    Case("73: the trick is turned when the other side leads", ONE, "S@1", "72 73 82", 1, (0, 13), laws=WHIST, noticed="2.1", assumed=(TURNED, CUT)),
    Case("73: the offender's partner has led", EAST, "E@1", "72 73 82", 3, (8, 5), laws=WHIST, noticed="2.1", assumed=(TURNED, CUT)),
    Case("78: the cards have been cut", ONE, "S@1", "73 78", laws=WHIST, noticed="next", assumed=(TURNED, CUT), verdict="rejected"),
    Case("78: the next deal has begun", ONE, "S@1", "73 78", laws=WHIST, next_deal=("N",), assumed=(TURNED, CUT), verdict="rejected"),
    Case("81: both sides are punished: S", BOTH_SIDES, "S@1", "72 73 81 82", 2, (0, 13), laws=WHIST, noticed="over", assumed=(TURNED, CUT)),
    Case("81: both sides are punished: E", BOTH_SIDES, "E@1", "72 73 81 82", 3, (5, 8), laws=WHIST, noticed="over", assumed=(TURNED, CUT)),
    Case("euchre: one on each side cancel", BOTH_SIDES, "S@1", "established cancelled", laws="euchre-2", noticed="over", assumed=(TURNED, CUT)),
    Case("euchre: two against one, the first is cancelled", BOTH_SIDES_TWO_TO_ONE, "S@1", "established cancelled", laws="euchre-2", noticed="over", assumed=(TURNED, CUT)),
    Case("euchre: two against one, the second is not", BOTH_SIDES_TWO_TO_ONE, "S@2", "established penalty", laws="euchre-2", noticed="over", assumed=(TURNED, CUT), choices=("2 points to E/W",)),
    Case("euchre: the cards have been cut", ONE, "S@1", "established deadline", laws="euchre-2", noticed="next", assumed=(TURNED, CUT), verdict="rejected"),
    Case("hearts: two who revoke pay in full, each: S", BOTH_SIDES, "S@1", "established 24", laws="hearts-all", noticed="over", assumed=(TURNED, MIXED), choices=("S takes every loss of the hand",)),
    Case("hearts: two who revoke pay in full, each: E", BOTH_SIDES, "E@1", "established 24", laws="hearts-all", noticed="over", assumed=(TURNED, MIXED), choices=("E takes every loss of the hand",)),
    Case("hearts: the tricks have been mixed", ONE, "S@1", "established 26", laws="hearts-all", noticed="next", assumed=(TURNED, MIXED), verdict="rejected"),
    Case("skat: the game is lost, the card stands", ONE, "S@1", "4.1.2 4.1.4", laws="skat-isko", noticed="1.4", choices=("S's side loses the game at the simple level",)),
    Case("skat: once a game", TWICE, "S@2", "4.1.2 once", laws="skat-isko", noticed="over"),
    Case("skat: the deal is over", ONE, "S@1", "4.1.2 deadline", laws="skat-isko", noticed="next", verdict="rejected"),
    Case("hearts: once a hand", TWICE, "S@2", "established once", laws="hearts-all", noticed="over", assumed=(TURNED, MIXED)),
    Case("three books, and no trick twice: the second", BOTH_OF_SIDE, "E@6", "established penalty", 2, (13, 0), in_all=5, laws="spades-3books", noticed="over", assumed=(TURNED,)),
)

CASES = (*ESTABLISHED, *EXEMPT, *CORRECTED, *OTHER_LAWS)
