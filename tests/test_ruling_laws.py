"""Laws profiles: bridge by hand-made deals, whist's choices, a house's own laws in the record, and laws that are none."""

from __future__ import annotations

from dataclasses import replace
from random import Random
from typing import Any

import pytest

from handrec.game import Game
from handrec.games import find
from handrec.record import Record
from handrec.report.ruling import text
from handrec.ruling import LAWS, Laws, NoSuch, RevokeRuling, Step, asked, laws_of, rule
from tests.ruling_cases import CASES, Case, played
from tests.ruling_cases import record as as_record
from tests.tables import Data, cut, drop, game, insert
from tests.test_ruling import accuse, killer, only, ruled, spades, words

#: All cards of a suit from high to low.
CLUBS, DIAMONDS, HEARTS, SPADES = ([rank + suit for rank in "AKQJT98765432"] for suit in "CDHS")


def tricks(*rows: str, first: str = "W") -> list[Data]:
    """Plays: each row is a trick, its cards clockwise from the leader, who is named before them: `"W: AS KD 2C 3H"`."""
    events = []
    for row in rows:
        leader, cards = row.split(":")
        seats = "NESW" * 2
        start = seats.index(leader)
        events += [{"do": "play", "by": seats[start + place], "card": card} for place, card in enumerate(cards.split())]
    return events


def bridge(strain: str, hands: dict[str, list[str]], plays: list[Data], *more: Data) -> Data:
    """A deal of bridge with S as declarer: W leads, N is dummy."""
    events = [{"do": "contract", "by": "S", "bid": strain}, *plays, *more]
    return game("bridge", "N E S W", {"number": 1, "dealer": "S", "hands": hands, "events": events}, status="stopped")


def checks(ruling: RevokeRuling) -> list[Step]:
    """The exemptions that were gone through."""
    return [step for step in ruling.steps if step.at.startswith("64B")]


def in_rows(leader: str, count: int, **hands: list[str]) -> tuple[str, ...]:
    """So many tricks led by one seat, everybody playing the hand from the left."""
    order = ("NESW" * 2)["NESW".index(leader) :][:4]
    return tuple(f"{leader}: " + " ".join(hands[seat][place] for seat in order) for place in range(count))


#: S holds 2S and eleven hearts and the ace of clubs; W twelve spades and 2C. Without trump W wins the first twelve tricks.
NT = {"W": [*SPADES[:12], "2C"], "N": DIAMONDS, "E": [*CLUBS[1:12], "AH", "KH"], "S": [*HEARTS[2:], "2S", "AC"]}


def no_trump(south: list[str], *more: Data, north: list[str] = NT["N"], east: list[str] = NT["E"]) -> Data:
    """S plays these cards in turn to W's twelve spades and 2C."""
    return bridge("NT", NT, tricks(*in_rows("W", 13, W=NT["W"], N=north, E=east, S=south)), *more)


#: S revokes in trick 1, and again in trick 2, following at last in trick 3; AC wins trick 13.
ONCE = [*HEARTS[2:3], "2S", *HEARTS[3:], "AC"]


def test_64a2_one_trick_if_the_side_won_one_later() -> None:
    """W won the revoke trick; S won trick 13 with AC: one trick goes over, 1 becomes 0."""
    ruling = only(no_trump(ONCE))
    assert (ruling.verdict, ruling.reason) == ("upheld", "1 trick from N/S to E/W")
    assert ruling.before.tricks == {"N/S": 1, "E/W": 12}
    assert ruling.outcomes[0].after is not None
    assert ruling.outcomes[0].after.tricks == {"N/S": 0, "E/W": 13}
    assert [each.at for each in ruling.rules] == ["BR-44C", "61A", "63A1", "64A2"]
    assert [(each.at, each.applies) for each in checks(ruling)] == [(f"64B{number}", False) for number in range(1, 9)]
    assert (ruling.dates.happened, ruling.dates.established) == ("1.4", "2.2 (N played)")
    assert ruling.equity.startswith("64C")
    assert "Double dummy is not computed" in ruling.equity


def test_64b1_nothing_if_the_side_won_no_trick() -> None:
    """S throws AC away and E wins trick 13: no trick to give."""
    south = [HEARTS[2], "2S", "AC", *HEARTS[3:]]
    ruling = only(no_trump(south, east=["AH", "KH", *CLUBS[1:12]]))
    assert ruling.before.tricks == {"N/S": 0, "E/W": 13}
    assert (ruling.verdict, ruling.outcomes) == ("upheld", ())
    assert [each.at for each in checks(ruling) if each.applies] == ["64B1"]
    assert ruling.equity


def test_64a1_two_tricks_if_the_offender_won_that_one() -> None:
    """S ruffs a spade holding one and wins twelve tricks: that trick and one more go over, 12 becomes 10."""
    hands = {"W": [*SPADES[:12], "2H"], "N": CLUBS, "E": DIAMONDS, "S": [*HEARTS[:12], "2S"]}
    west = ["2H", *SPADES[1:12]]
    later = in_rows("S", 12, S=[*HEARTS[1:12], "2S"], W=west, N=CLUBS[1:], E=DIAMONDS[1:])
    ruling = only(bridge("H", hands, tricks("W: AS AC AD AH", *later)))
    assert ruling.before.tricks == {"N/S": 12, "E/W": 1}
    assert ruling.reason == "2 tricks from N/S to E/W"
    assert ruling.outcomes[0].after is not None
    assert ruling.outcomes[0].after.tricks == {"N/S": 10, "E/W": 3}
    assert ruling.rules[-1].at == "64A1"


def test_64a1_one_trick_if_the_offender_won_only_that_one() -> None:
    """S ruffs a spade holding one and wins nothing more: only that trick can go over."""
    east = [*SPADES[2:4], "2H", *SPADES[4:12], "AC", "KC"]
    hands = {"W": ["AS", "KS", *HEARTS[1:12]], "N": DIAMONDS, "E": east, "S": ["AH", "2S", *CLUBS[2:]]}
    later = in_rows("W", 11, W=HEARTS[1:12], N=DIAMONDS[2:], E=east[2:], S=CLUBS[2:])
    ruling = only(bridge("H", hands, tricks("W: AS AD QS AH", "S: 2S KS KD JS", *later)))
    assert ruling.before.tricks == {"N/S": 1, "E/W": 12}
    assert ruling.reason == "1 trick from N/S to E/W"
    assert ruling.outcomes[0].after is not None
    assert ruling.outcomes[0].after.tricks == {"N/S": 0, "E/W": 13}


def test_64b2_again_in_the_same_suit() -> None:
    """S follows only in trick 3: the second revoke costs nothing, the first one its trick."""
    first, second = ruled(no_trump([HEARTS[2], HEARTS[3], "2S", *HEARTS[4:], "AC"]), "S@1", "S@2")
    assert (first.claim.trick, first.reason) == (1, "1 trick from N/S to E/W")
    assert (second.claim.trick, second.outcomes) == (2, ())
    assert [each.at for each in checks(second) if each.applies] == ["64B2"]
    assert second.aside == ("S did not follow suit in trick 1 (played QH)",)


def test_64b3_a_card_of_dummys() -> None:
    """N is dummy: what declarer calls from it is no revoke that costs."""
    north = ["2S", *DIAMONDS[1:]]
    hands = {**NT, "N": north, "S": [*HEARTS[2:], "AD", "AC"]}
    plays = tricks(*in_rows("W", 13, W=NT["W"], N=["KD", "2S", *DIAMONDS[2:]], E=NT["E"], S=hands["S"]))
    ruling = only(bridge("NT", hands, plays))
    assert (ruling.claim.of, ruling.outcomes) == ("N", ())
    assert [each.at for each in checks(ruling) if each.applies] == ["64B3"]
    assert ruling.facts[1].source == "dummy"


def test_64b4_attention_after_the_next_call() -> None:
    """A defender has bid on the next deal: no trick moves. The offender's own call does not end it."""
    data = no_trump(ONCE)
    for caller, applies in (("N", False), ("E", True)):
        after = {"number": 2, "events": [{"do": "contract", "by": caller, "bid": "1H"}, accuse("W", "S", trick=1, of_deal=1)]}
        ruling = only({**data, "deals": [*data["deals"], {**after, "status": "in_progress"}]})
        assert {each.at: each.applies for each in checks(ruling)}["64B4"] is applies
        assert {each.at: each.applies for each in checks(ruling)}["64B5"] is None
        assert bool(ruling.outcomes) is not applies


def test_64b6_the_twelfth_trick() -> None:
    """W leads AC to trick 12; S throws a heart and shows QC in trick 13."""
    hands = {"W": [*SPADES[:11], "AC", "KC"], "N": DIAMONDS, "E": [*CLUBS[3:], "3S", "2S", "AH"], "S": [*HEARTS[1:], "QC"]}
    east = ["3S", "2S", *CLUBS[3:12], "2C", "AH"]
    plays = tricks(*in_rows("W", 13, W=hands["W"], N=DIAMONDS, E=east, S=hands["S"]))
    ruling = only(bridge("NT", hands, plays))
    assert ruling.claim.trick == 12
    assert {each.at for each in checks(ruling) if each.applies} == {"64B1", "64B6"}


def test_64b7_both_sides() -> None:
    """E has the three of spades and does not follow either: nothing moves, whoever's revoke is asked about."""
    hands = {"W": [*SPADES[:11], "QC", "2C"], "N": DIAMONDS, "E": [*CLUBS[3:12], "KC", "3S", "AH", "KH"], "S": NT["S"]}
    east, south = ["AH", "3S", *CLUBS[3:12], "KH", "KC"], [HEARTS[2], "2S", *HEARTS[3:], "AC"]
    plays = tricks(*in_rows("W", 11, W=hands["W"], N=DIAMONDS, E=east, S=south), "W: QC 3D KH 2H", "W: 2C 2D KC AC")
    rulings = ruled(bridge("NT", hands, plays), "E@1", "S@1")
    assert {each.claim.of for each in rulings} == {"E", "S"}
    for ruling in rulings:
        assert ruling.outcomes == ()
        assert "64B7" in {each.at for each in checks(ruling) if each.applies}


def test_62_a_revoke_taken_back_costs_nothing() -> None:
    """Corrected before it was established: upheld, and no trick moves."""
    data = no_trump(["2S", *HEARTS[2:], "AC"])
    taken = insert(data, "/deals/0/events/4", {"do": "withdraw", "by": "S", "card": "QH"})
    taken = insert(taken, "/deals/0/events/4", {"do": "play", "by": "S", "card": "QH"})
    ruling = only(taken)
    assert (ruling.verdict, ruling.reason) == ("upheld", "taken back: nothing follows")
    assert (ruling.claim.of, ruling.claim.trick, ruling.dates.established) == ("S", 1, "")
    assert [each.at for each in ruling.steps if each.applies] == ["62A"]
    assert "S took back a card that could not be played while holding 2S" in words(ruling)
    assert only(taken, laws="skat-isko").reason == "taken back, as the table allowed: nothing follows"


def test_62_a_card_taken_back_and_not_yet_replaced() -> None:
    """The record ends when QH has been taken back: S can only play 2S, and W wins the trick."""
    data = no_trump(ONCE)
    back = {"do": "withdraw", "by": "S", "card": "QH"}
    data["deals"][0] |= {"events": [*data["deals"][0]["events"][:5], back], "status": "in_progress"}
    ruling = only(data)
    assert ruling.reason == "taken back: nothing follows"
    assert [(each.words, each.put_right) for each in ruling.outcomes] == [("S plays 2S for QH: W wins trick 1", True)]


def test_62_what_is_not_known_of_a_hand_forces_nothing() -> None:
    """S has shown 2S and not AS, which would win: without the hand, nobody can tell which card it may be."""
    case = next(case for case in CASES if case.name == "62A: who wins it hangs on the card chosen")
    south = case.hands["S"].replace("SA2", "S2A")
    data = cut(as_record(replace(case, hands={**case.hands, "S": south}, cut=None)), 9)
    said = [only(each, "S@1", noticed="1.4").outcomes[0].words for each in (data, drop(data, "/deals/0/hands"))]
    assert said[0] == "S plays AS or 2S for QH: who wins trick 1 hangs on what is played now"
    assert said[1] == "S plays 2S or another that could be played, for QH"


def test_62_a_revoke_not_yet_established_is_to_be_corrected() -> None:
    """The play stands after trick 1: nobody of S's side has played to the next."""
    data = no_trump(ONCE)
    data["deals"][0] |= {"events": data["deals"][0]["events"][:5], "status": "in_progress"}
    ruling = only(data)
    assert (ruling.reason, ruling.dates.established) == ("not established: it is to be corrected", "")


def test_63_a_claim_establishes_it_too() -> None:
    """S claims before anybody of that side plays again."""
    data = no_trump(ONCE)
    claim = {"do": "claim", "by": "S", "tricks": {"N": 1, "E": 0, "S": 0, "W": 11}}
    data["deals"][0] |= {"events": [*data["deals"][0]["events"][:5], claim], "status": "claimed"}
    ruling = only(data)
    assert ruling.dates.established == "when S claimed"
    assert (ruling.before.tricks, ruling.reason) == ({"N/S": 1, "E/W": 12}, "1 trick from N/S to E/W")


def test_it_can_be_counted_out_before_it_is_shown() -> None:
    """Nobody's hand is on record. When three cards of the last trick are seen, the fourth is known before it falls."""
    data = no_trump([*HEARTS[2:], "AC", "2S"])
    del data["deals"][0]["hands"]
    first = ruled(data)[0]
    assert first.dates.provable["all"] == "13.3"
    assert any(fact.source == "counting" and fact.place == "13.3" for fact in first.facts)
    assert any(fact.source == "later play" and fact.place == "13.4" for fact in first.facts)


@pytest.mark.some(1)
@pytest.mark.parametrize("seed", [*range(2), *(pytest.param(seed, marks=pytest.mark.long) for seed in range(2, 40))])
def test_no_trick_moves_twice_whatever_is_asked(seed: int) -> None:
    """As many tricks move as can be given to all who ask, every one of them tried by hand."""
    rng = Random(seed)
    cards = [rank + suit for suit in "CDHS" for rank in "23456789TJQKA"]
    rulings = list[RevokeRuling]()
    while not rulings:
        rng.shuffle(cards)
        hands = {seat: cards[place * 13 : place * 13 + 13] for place, seat in enumerate("NESW")}
        case = Case(
            "", {seat: " ".join(card[1] + card[0] for card in hand) for seat, hand in hands.items()}, "S@1", "", strain="H"
        )
        laws = {"name": "x", "title": "x", **BOTH_ACTS}
        claims = [each for each in ruled(as_record(case), laws=laws) if each.claim.of in "NS"]
        rulings = [each for each in claims if each.verdict == "upheld"]  # and not one that a slip of the pen explains
    won = [trick for trick, winner in enumerate(winners(case), 1) if winner in "NS"]
    moved = 0
    for place, ruling in enumerate(rulings):
        moved += sum(move.tricks for outcome in ruling.outcomes for move in outcome.moves)
        asked = []
        for earlier in rulings[: place + 1]:
            trick = earlier.claim.trick or 0
            own = winners(case)[trick - 1] == earlier.claim.of
            asked += [{trick}] if own else []
            asked += [{each for each in won if each >= trick}]
        assert moved == given(asked)


#: The laws of bridge, of which only the number of tricks is left.
BOTH_ACTS = {
    "duty": "follow",
    "penalty": [{"kind": "tricks", "n": 1, "n_if_won": 2, "cap": "won_from_revoke_on"}],
}


def winners(case: Case) -> list[str]:
    """Who won each trick: the leader of the next, or of the last one reckoned by rank."""
    plays = played(case)
    return [seat for seat, _ in plays[4::4]] + [best(plays[48:], case.strain)]


def best(row: list[tuple[str, str]], strain: str) -> str:
    """Who wins a trick."""
    led = row[0][1][1]
    ranks = "23456789TJQKA"
    return max(row, key=lambda play: (2 * (play[1][1] == strain) + (play[1][1] == led), ranks.index(play[1][0])))[0]


def given(asked: list[set[int]]) -> int:
    """To how many of those that ask for one of some tricks one can be given, no trick twice (augmenting paths)."""
    holder: dict[int, int] = {}

    def seek(who: int, tried: set[int]) -> bool:
        for trick in asked[who] - tried:
            tried.add(trick)
            if trick not in holder or seek(holder[trick], tried):
                holder[trick] = who
                return True
        return False

    return sum(seek(who, set()) for who in range(len(asked)))


# --- a transcriber's mark -------------------------------------------------------------------------------------------------


def marked(place: int, **fields: Any) -> Data:
    """ONCE, in a record of 1.1, with a card marked as a revoke by whoever wrote it down."""
    data = {**no_trump(ONCE), "version": "1.1", **fields}
    data["deals"][0]["events"][place]["marked"] = "revoke"
    return data


def test_a_mark_is_a_remark_of_the_transcriber() -> None:
    """What it says is looked at, and nobody at the table is said to have claimed it or ruled."""
    ruling = only(marked(4))
    assert (ruling.claim.source, ruling.verdict, ruling.reason) == ("mark", "upheld", "1 trick from N/S to E/W")
    assert "the transcriber marked QH as a revoke: a remark, and no ruling of the table" in words(ruling)
    assert any(each.startswith("Nobody claims it in this record") for each in ruling.assumed)
    assert "marked by the transcriber: a revoke by S in trick 1" in text(ruling)
    assert "ruled" not in words(ruling)


def test_a_mark_may_be_wrong_or_undecided() -> None:
    """A card that could be played is no revoke for being marked; where the hand is not known, the mark proves nothing."""
    legal = next(each for each in ruled(marked(8)) if each.claim.source == "mark")
    assert (legal.claim.of, legal.claim.trick, legal.verdict, legal.shown) == ("S", 2, "rejected", False)
    hidden = drop(marked(4), "/deals/0/hands")
    hidden["deals"][0] |= {"events": hidden["deals"][0]["events"][:5], "status": "in_progress"}
    assert (only(hidden).claim.source, only(hidden).verdict) == ("mark", "cannot be decided")


def test_a_ruling_that_names_nobody_at_the_card_itself_is_a_mark() -> None:
    """So it was written before there were marks; one that says who ruled, or that follows an accusation, is a ruling."""
    ruled_upheld = {"do": "ruling", "of": "S", "trick": 1, "verdict": "upheld"}
    mark = insert(no_trump(ONCE), "/deals/0/events/5", ruled_upheld)
    assert only(mark).claim.source == "mark"
    assert "the table ruled" not in words(only(mark))
    said = insert(no_trump(ONCE), "/deals/0/events/5", {**ruled_upheld, "by": "the Director"})
    assert only(said).claim.source == "found"
    assert "the Director ruled: upheld" in words(only(said))
    followed = insert(mark, "/deals/0/events/5", accuse("W", "S", trick=1))
    assert only(followed).claim.source == "accusation"
    assert "the table ruled: upheld" in words(only(followed))


# --- other profiles -------------------------------------------------------------------------------------------------------


def test_whist_lets_the_adversaries_choose() -> None:
    """Three tricks, three points off the offender, or three to the others, each with its score; in the trick it is put right."""
    assert only(spades(accuse("0", "2")), laws="whist-classic").reason == "not established: it is to be corrected"
    ruling = only(insert(spades(), "/deals/0/events/16", accuse("0", "2", trick=4)), laws="whist-classic")
    assert ruling.reason == "the adversaries choose"
    after = [each.after for each in ruling.outcomes]
    assert [each and each.tricks for each in after] == [
        {"0": 7, "1": 4, "2": 2},
        {"0": 4, "1": 4, "2": 5},
        {"0": 4, "1": 4, "2": 5},
    ]
    assert [each and each.totals for each in after] == [
        {"0": 61, "1": 40, "2": -50},
        {"0": -60, "1": 40, "2": 47},
        {"0": -57, "1": 43, "2": 50},
    ]


def test_a_wrong_accusation_costs_three_books_in_some_clubs() -> None:
    """By the club rule the accuser pays the accused."""
    data = insert(spades(), "/deals/0/events/9", accuse("0", "1"))
    ruling = next(each for each in ruled(data, laws="spades-3books") if each.claim.by == "0")
    assert ruling.verdict == "rejected"
    assert ruling.outcomes[0].words == "3 books from 0 to 1"
    assert ruling.outcomes[0].after is not None
    assert ruling.outcomes[0].after.tricks == {"0": 1, "1": 7, "2": 5}


def test_only_what_the_offender_has_can_be_taken() -> None:
    """3 took no trick in the hand, so none of three can move."""
    ruling = only(killer(accuse("0", "3", trick=1)), laws="spades-3books")
    assert ruling.outcomes[0].words == "no book moves from 3 to 0"


def test_one_penalty_a_hand() -> None:
    """By skat's order the second offence in a hand costs nothing more."""
    first, second = ruled(no_trump([HEARTS[2], HEARTS[3], "2S", *HEARTS[4:], "AC"]), "S@1", "S@2", laws="skat-isko")
    assert first.outcomes[0].words == "S's side loses the game at the simple level"
    assert second.reason == "paid for already: one penalty a hand"


@pytest.mark.some(4)
@pytest.mark.parametrize("name", LAWS)
def test_every_shipped_profile_rules_on_every_game(name: str) -> None:
    """A profile is data: each gives a ruling on each, with its own words."""
    for data in (spades(accuse("0", "2")), killer(accuse("0", "3", trick=1)), no_trump(ONCE)):
        ruling = only(data, laws=name)
        assert (ruling.laws.name, ruling.shown) == (name, True)
        assert ruling.reason


def of_record(data: Data, laws: Any = None) -> Laws:
    """The laws that a record is ruled by."""
    return laws_of(Record.model_validate(data), laws)


OWN = {
    "name": "our-club",
    "title": "Four books, two for a wrong claim",
    "trick": "book",
    "claim_deadline": "end_of_deal",
    "penalty": [{"kind": "tricks", "n": 4}],
    "false_claim": [{"kind": "tricks", "n": 2}],
}


def test_profiles_of_the_first_form_mean_what_they_meant() -> None:
    """Exemptions had fields of their own, and one act established."""
    first = {
        "name": "ours",
        "title": "x",
        "establish_on": "own_side_next",
        "correctable_until": "own_side_next",
        "repeat_same_suit": "exempt",
        "both_sides": "equity",
        "per": "hand",
        "exempt": ["no_trick_won"],
    }
    now = Laws.model_validate(first)
    assert now.establish_on == ["own_side_next", "own_side_claims"]
    assert now.exempt == ["no_trick_won", "repeat_same_suit", "both_sides", "once"]
    assert Laws.model_validate({"name": "ours", "title": "x", "both_sides": "cancel", "per": "revoke"}).exempt == ["cancelled"]
    for bad in ({"per": "trick"}, {"both_sides": 7}, {"both_sides": ["each"]}, {"establish_on": "never"}, {"exempt": "none"}):
        with pytest.raises(NoSuch):
            of_record(spades(extensions={"handrec.laws": {**first, **bad}}))


def test_laws_travel_in_the_record() -> None:
    """By name or written out, in the record's extensions; what the caller asks for goes before."""
    assert of_record(spades()).name == "spades3"
    assert of_record(spades(extensions={"handrec.laws": "spades-set"})).name == "spades-set"
    assert of_record(spades(extensions={"handrec.laws": "spades-set"}), "euchre-2").name == "euchre-2"
    ruling = only(spades(accuse("0", "2"), extensions={"handrec.laws": OWN}))
    assert (ruling.laws.name, ruling.reason) == ("our-club", "4 books from 2 to 0")


@pytest.mark.parametrize(
    "bad",
    [
        "no-such-laws",
        "",
        7,
        [],
        None,
        True,
        {"name": "x"},
        {**OWN, "penalty": [{"kind": "flogging"}]},
        {**OWN, "penalty": [{"kind": "tricks", "n": -1}]},
        {**OWN, "penalty": [{"kind": "tricks", "n": 10**9}]},
        {**OWN, "unknown": 1},
        {**OWN, "name": "../../etc/passwd"},
        {**OWN, "paragraphs": {"renege": {"at": "x" * 1000}}},
        {**OWN, "title": "\ud800"},
        {**OWN, "exempt": ["deadline"] * 100},
    ],
)
def test_laws_that_are_none_are_refused_in_one_line(bad: Any) -> None:
    """Whatever stands there ends in one line that says what is wrong."""
    if bad is None:
        assert of_record(spades(extensions={"handrec.laws": None})).name == "spades3"  # nothing is said
        return
    with pytest.raises(NoSuch) as refused:
        of_record(spades(extensions={"handrec.laws": bad}))
    assert "\n" not in str(refused.value)
    assert len(str(refused.value)) < 400


@pytest.mark.parametrize(
    ("claim", "of", "noticed", "said"),
    [
        ("9@4", None, None, "no seat 9"),
        ("2@14", None, None, "no trick 14"),
        ("2@0", None, None, "no trick 0"),
        ("2@4", 2, None, "no deal 2"),
        ("2", None, None, "SEAT@TRICK"),
        ("2@4", None, "4", "TRICK.CARD"),
        ("2@4", None, "later", "over, next, round"),
        ("2@4", None, "14.1", "no card 14.1"),
        ("2@4", None, "4.1", "cannot have been noticed"),
    ],
)
def test_claims_about_what_is_not_there(claim: str, of: int | None, noticed: str | None, said: str) -> None:
    """No such seat, trick, deal or moment."""
    record = Record.model_validate(spades())
    spades3 = find("spades3")
    assert isinstance(spades3, Game)
    with pytest.raises(NoSuch, match=said):
        rule(record, spades3, [asked(record, claim, of, noticed)])


def test_what_is_not_over_was_not_noticed_after_it() -> None:
    """A record that ends in the middle of a deal does not tell what was played after."""
    with pytest.raises(NoSuch, match="deal 1 does not end on this record"):
        only(cut(spades(), 20), "2@4", noticed="over")


def test_the_deal_must_be_said_if_there_are_several() -> None:
    """A claim of one of several deals."""
    data = spades()
    data["deals"].append({**data["deals"][0], "number": 2})
    with pytest.raises(NoSuch, match="2 deals"):
        asked(Record.model_validate(data), "2@4")
    assert asked(Record.model_validate(data), "2@4", 2).deal == 2


def test_a_ruling_is_a_value() -> None:
    """The same record gives the same ruling."""
    one, other = (only(no_trump(ONCE)) for _ in range(2))
    assert isinstance(one, RevokeRuling)
    assert one == other
