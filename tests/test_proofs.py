"""Proofs in words and as certificates, voids and dates, in deals of a few cards that can be seen through."""

from __future__ import annotations

from copy import deepcopy
from typing import Any

import pytest

from handrec.dealing import deal_game
from handrec.findings import Rule
from handrec.game import compose
from handrec.inference import DealCase, Observation, Position, accepts, by_game, dates, observed, prove, small
from handrec.inference.voids import Void, voids
from handrec.inference.words import words
from handrec.record import Record
from handrec.referee import replay
from tests.dealing import the
from tests.tables import Data, deal, game, plays_of

BRIDGE = the("bridge")
NO_TRUMPS = by_game(BRIDGE, contract="NT")
PACK = NO_TRUMPS["order"](1).pack
FOLLOW = BRIDGE.play_rules[0]
assert isinstance(FOLLOW, Rule)


def mask(cards: str) -> int:
    return PACK.mask(cards.split())


def table(plays: list[Any], cards: str, hand: int | dict[str, int], seats: str = "NE", each: str = "", **hands: str) -> DealCase:
    """A deal without trumps; `each` tells how many cards a trick has, the last digit for all others; if not, one of each seat."""
    turns = (lambda trick: int(each[:trick][-1])) if each else None
    return small(
        plays,
        seats=seats,
        hand=hand,
        cards=cards.split(),
        hands={seat: dealt.split() for seat, dealt in hands.items()},
        turns=turns,
        **NO_TRUMPS,
    )


def promise(seat: str, *groups: tuple[str, int]) -> Observation:
    """A bid that says how many of these cards its hand has."""
    return Observation("promise", seat, groups=tuple((mask(cards), many) for cards, many in groups))


def unread(seat: str, cards: str, trick: int | None = None, **more: Any) -> Observation:
    """A card played that nobody could read, one of these."""
    return Observation("play", seat, mask(cards), unseen=True, trick=trick, **more)


def observe(data: Data) -> DealCase:
    """The case of a record's only deal."""
    record = Record.model_validate(data)
    return observed(replay(record, compose(the(record.game), record.options)[0], trace=True)[0])


# --- deals ----------------------------------------------------------------------------------------------------------------

LED = ("N", "AH")
TOO_MANY = table([promise("E", ("AH", 2))], "AH AS", 1)
AGAINST_EACH_OTHER = table([promise("E", ("AH KH", 1), ("AS KS", 1)), promise("N", ("AH KH", 2), ("AS KS", 0))], "AH KH AS KS", 2)
OVER = table(
    [promise("E", ("AS KS QS", 1), ("AH KH QH JH", 2)), ("E", "AH"), ("E", "KH"), ("E", "QH")],
    "AH KH QH JH AS KS QS", {"E": 3, "N": 4}, each="1",
)  # fmt: skip
NOWHERE_ELSE = table([LED, ("E", "2S")], "AH KH QH 2S", {"N": 1, "E": 3})
#: Only one of the two hearts that are left can have been the card that nobody read.
UNREAD = table(
    [LED, unread("E", "KH QH 2S", 1), ("N", "JH"), ("E", "3S"), ("N", "4S")], "AH KH QH JH 2S 3S 4S", {"N": 3, "E": 4}, each="12"
)
OPEN = table([LED, Observation("open", "E", mask("KH 2S")), ("E", "2S"), ("W", "3S")], "AH KH 2S 3S 4S 5S", 2, "NEW")
#: East's king lies open from the start; that it had the ace too is known in its own view alone.
SEEN_FIRST = table(
    [Observation("open", "E", mask("KH")), ("N", "QH"), ("E", "2S")], "AH KH QH 2S", {"N": 1, "E": 3}, E="AH KH 2S"
)
#: North's second and third card are the hearts that nobody else has.
HEARTS_OF_NORTH = table(
    [LED, ("E", "2S"), unread("N", "KH", 2), unread("N", "QH", 3)], "AH KH QH 2S 3S 4S", {"N": 3, "E": 2}, each="2"
)
BOTH_ACES = table([promise("E", ("AH", 1))], "AH AS 2D", {"E": 2, "N": 1}, N="2D")
BOTH_HEARTS = table([promise("E", ("AH KH", 2)), ("N", "2D")], "AH KH 2D", {"E": 2, "N": 1})
#: The only heart was shown by North: the card that nobody read was none, whatever it looked like.
THREE_SUITS = table([LED, unread("E", "AH", 1), ("N", "2S")], "AH 2S KH KD KC QC", 3, each="1")
TWO_SUITS = table([LED, unread("E", "AH", 1), ("N", "2S")], "AH 2S KD QD KC QC", 3, each="1")
NOT_IN_THE_PACK = table([LED, ("E", "2S")], "AH KH", 1)
TWICE = table([LED, ("E", "2H"), ("N", "KH"), ("E", "3S"), ("N", "QH"), ("E", "2H"), ("N", "JH")], "AH KH QH JH 2H 3S 4S 5S", 4)
#: It is West's heart that both missed; then North shows it, too.
SHOWN_TWICE = table(
    [LED, ("E", "2S"), ("W", "3S"), ("N", "KH"), ("E", "4S"), ("W", "4H"), ("N", "4H"), ("E", "5S")],
    "AH KH 4H 5H 2S 3S 4S 5S", {"N": 3, "E": 3, "W": 2}, "NEW",
)  # fmt: skip
UNTOLD = table([LED, ("E", "2S")], "AH KH 2S 3S", 2)

OTHERS = "If the others were legal, the 2 unseen spades would have only 1 place (E by its bid 1) if this bid was legal too."
PROOFS = {
    "a bid of more than a hand": (TOO_MANY, "public", 0, "illegal-proved",
        "The 2 unseen cards would have other numbers of places than there are if this bid was legal too."),
    "one of two bids": (AGAINST_EACH_OTHER, "public", 0, "illegal-proved-if-others-legal", OTHERS),
    "the other one": (AGAINST_EACH_OTHER, "public", 1, "illegal-proved-if-others-legal", OTHERS),
    "more shown than is left": (table([promise("E", ("AH", 1)), ("E", "AS")], "AH AS", 1), "public", 0, "illegal-proved",
        "E had AS, but its bid says 0 of them."),
    "more shown than said": (OVER, "public", 0, "illegal-proved", "E had AH KH QH, but its bid says 2 of them."),
    "cards of one hand alone": (NOWHERE_ELSE, "public", 1, "illegal-proved",
        "Of the 2 unseen hearts none can lie elsewhere: E held all 2 at 1.2."),
    "a card played before": (UNREAD, "public", 3, "illegal-proved",
        "The 2 unseen hearts would have only 1 place (E's ?? at 1.2 1) if this play was legal too."),
    "a card on the table": (OPEN, "public", 2, "illegal-proved", "E showed KH at 1.1, so it was in its hand at 1.2."),
    "a card that could not be played": (
        table([LED, unread("E", "AS 2H", 1, tiers=((FOLLOW, mask("AS")),)), ("N", "2H")], "AH AS 2H", {"N": 2, "E": 1}, each="1"),
        "public", 1, "illegal-proved", "Of the 1 unseen AS none can lie elsewhere: E held it at 1.2."),
    "a lead": (UNTOLD, "public", 0, "legal-proved", "None of the cards that could be N's forbids it."),
    "a hand played out": (table([LED, ("E", "2S")], "AH KH QH 2S", 1), "public", 1, "legal-proved",
        "All cards of E are known, and none forbids it."),
    "no heart to follow with": (HEARTS_OF_NORTH, "public", 1, "legal-proved",
        "Had E held one of the unseen hearts at 1.2, the 2 unseen spades would have only 1 place (the stock 1)."),
    "a bid that only can be true": (BOTH_ACES, "N", 0, "legal-proved",
        "Had E held 2 or more of the unseen AH as dealt, the 1 unseen AS would have no place. "
        "Had E held 2 or more of the unseen AS as dealt, the 1 unseen AH would have no place."),
    "a bid of all there is": (BOTH_HEARTS, "public", 0, "legal-proved",
        "Had E held 3 or more of the unseen hearts as dealt, there would be more of its cards than it had."),
    "a bid of what all have seen": (
        table([promise("E", ("AH KH", 1)), ("N", "AH"), ("E", "KH")], "AH KH 2S 3S", {"E": 2, "N": 2}),
        "public", 0, "legal-proved", "E had 1 of AH KH, which have all been seen."),
    "a bid of a card that all have seen": (
        table([promise("E", ("AH", 0)), ("N", "AH")], "AH KH 2S 3S", {"E": 2, "N": 2}),
        "public", 0, "legal-proved", "E had none of AH, which has been seen."),
    "what cannot be told": (UNTOLD, "public", 1, "consistent", ""),
    "cards of three suits": (THREE_SUITS, "public", 0, "impossible", "The 4 unseen cards have only 3 places (N 1, E 2)."),
    "cards of two suits": (TWO_SUITS, "public", 0, "impossible",
        "The 4 unseen diamonds and clubs have only 3 places (N 1, E 2)."),
    "a card of another pack": (NOT_IN_THE_PACK, "public", 0, "impossible", "There are not as many places as cards."),
    "a hand that shows more than it had": (table([LED, ("E", "2S"), ("N", "KH")], "AH KH 2S 3S", {"N": 1, "E": 2}),
        "public", 0, "impossible", "N showed 2 cards, but had 1."),
    "of two cards that which all have seen": (SEEN_FIRST, "E", 2, "illegal-proved",
        "E showed KH, so it was in its hand at 1.2."),
    "a card that comes again": (TWICE, "public", 0, "impossible", "E showed 2H at 1.2, and again at 3.2."),
}  # fmt: skip


@pytest.mark.parametrize(("case", "view", "act", "verdict", "why"), PROOFS.values(), ids=PROOFS)
def test_a_verdict_is_given_with_a_reason_and_a_proof(case: DealCase, view: str, act: int, verdict: str, why: str) -> None:
    """The reason can be counted with the cards in hand; the certificate is accepted, if anything is proved."""
    proof = prove(case, act, view=view)
    assert proof.verdict == verdict
    found = words(case, proof)
    assert found is not None
    assert found.startswith(why)
    assert bool(found) == bool(why)
    assert accepts(case.statement(view), proof.certificate) == (verdict != "consistent")


# --- certificates -----------------------------------------------------------------------------------------------------------


def test_a_deal_must_give_each_seat_its_number_of_cards() -> None:
    """A card moved from one hand to the other makes the step no deal."""
    case = table([LED], "AH KH QH JH", 2)
    certificate = prove(case, 0).certificate
    assert accepts(case.statement("public"), certificate)
    moved = deepcopy(certificate)
    hands = moved["because"][0]["deal"]
    hands["N"].append(hands["E"].pop())
    assert not accepts(case.statement("public"), moved)


def test_no_certificate_speaks_of_a_play_that_is_not_judged() -> None:
    """Whether a card that nobody read was rightly played cannot be judged, and the statement says nothing of it."""
    certificate = prove(UNREAD, 0).certificate
    assert certificate["verdict"] == "legal-proved"
    assert accepts(UNREAD.statement("public"), certificate)
    assert not accepts(UNREAD.statement("public"), {**certificate, "act": 1})
    assert "barred" not in UNREAD.statement("public")["events"][1]


def test_a_card_that_lies_open_is_not_gone_yet() -> None:
    """What East laid down it still held: no certificate can call its discard legal."""
    certificate = {**prove(OPEN, 0).certificate, "act": 2}
    assert not accepts(OPEN.statement("public"), certificate)
    assert not accepts(
        OPEN.statement("public"), {**certificate, "because": [*certificate["because"], {"none": {"cards": [], "places": []}}]}
    )
    assert Position(OPEN, 4).may_be_illegal(2)


def test_a_play_promises_nothing() -> None:
    """Only of a bid there are groups of cards."""
    assert BOTH_HEARTS.promised(BOTH_HEARTS.events[1]) == ()
    assert BOTH_HEARTS.promised(BOTH_HEARTS.events[0]) == ((mask("AH KH"), 2), (mask("2D"), 0))


def test_a_play_that_is_not_judged_breaks_no_rule() -> None:
    """None is named, as none may be guessed."""
    assert Position(UNREAD, 5).clauses(1) == ()


def test_the_rule_that_was_broken_first_is_named() -> None:
    """East held a heart in any case: then its diamond broke the rule to follow, and none about trumps, though it may have one."""
    case = small(
        [("N", "RH"), ("E", "DD")], seats="NE", hand={"N": 2, "E": 3}, cards=["RH", "DH", "CH", "MS", "DD"],
        **by_game(the("batarde"), contract="S"),
    )  # fmt: skip
    assert prove(case, 1).verdict == "illegal-proved"
    assert [rule.code for rule in Position(case, 2).clauses(1)] == ["REV001"]
    less = small(
        [("N", "RH"), ("E", "DD")], seats="NE", hand={"N": 2, "E": 2}, cards=["RH", "DH", "MS", "DD"],
        **by_game(the("batarde"), contract="S"),
    )  # fmt: skip
    assert [rule.code for rule in Position(less, 2).clauses(1)] == ["REV001", "REV003"]


def test_deals_are_counted_where_many_hands_lack_a_suit() -> None:
    """Three hands without the last heart share six other cards, two each, and the heart lies with nobody: 6!/(2!·2!·2!)."""
    case = table(
        [LED, ("E", "2S"), ("W", "3S"), ("S", "4S")], "AH KH 2S 3S 4S 5S 6S 7S 8S 9S TS", {"N": 1, "E": 3, "W": 3, "S": 3}, "NEWS"
    )
    assert Position(case, 4).count() == 90


# --- dates and moments ------------------------------------------------------------------------------------------------------


def test_a_contradiction_dates_from_the_card_that_made_it() -> None:
    """What is played after that changes nothing; a card that came before it is judged so since then."""
    assert [each.impossible for each in dates(TWICE)] == [6, 6, 6, 6, 6, 6, 7]


def test_a_suspicion_that_was_proved_is_not_withdrawn() -> None:
    """West showed its heart before the contradiction; East's discards were not proved to be wrong when suspicion ended."""
    found = {each.act: each for each in dates(SHOWN_TWICE)}
    assert (found[2].conditional, found[2].illegal, found[2].withdrawn, found[2].impossible) == (3, 6, None, 7)
    assert (found[1].conditional, found[1].illegal, found[1].withdrawn, found[1].impossible) == (3, None, 6, 7)


def test_what_is_gone_forbids_nothing() -> None:
    """A card that was played is in no hand: it makes no later play illegal, not even if it comes again."""
    assert next(each for each in dates(TWICE) if each.act == 3).shown is None
    plays = "1 2C, 2 5C, 0 7C; 0 AC, 1 9H, 2 4C; 0 3C, 1 KH, 2 TH"
    played = observe(game("kbabs", 3, deal(turn="6S", plays=plays, number=16, dealer="0", cards=3)))
    for case in (TWICE, played):
        gone = set[str]()
        for event in case.statement("public")["events"]:
            assert gone.isdisjoint(event.get("barred", ()))
            gone |= set(event.get("shows", ())) if event["do"] == "play" else set()
        assert any("barred" in event and event["barred"] for event in case.statement("public")["events"])


def test_a_seat_holds_what_it_did_not_play() -> None:
    """Though another seat shows the same card."""
    case = table([LED, Observation("open", "E", mask("KH 2S")), ("N", "KH"), ("E", "2S")], "AH KH 2S 3S", 2, each="1")
    position = Position(case, 4)
    assert position.contradictory
    assert position.case.names(position.in_hand("E")) == ("KH",)


def test_what_a_game_needs_to_be_known_is_asked_for() -> None:
    """Without the card turned nobody knows the trumps of a hand."""
    with pytest.raises(ValueError, match=r"suits and ranks of trick 1 are not known"):
        by_game(the("kbabs"))["order"](1)


# --- voids ------------------------------------------------------------------------------------------------------------------

VOIDS = {
    "only of seats with cards left": (
        table([LED, ("E", "2S"), ("W", "3S")], "AH KH QH 2S 3S 4S 5S 6S", {"N": 1, "E": 2, "W": 1}, "NEW"),
        [Void("E", "H", 2, 1)],
    ),
    "not of what nobody read": (
        table([LED, ("E", "2S"), unread("E", "5S 6S", 2)], "AH KH QH 2S 3S 4S 5S 6S", {"N": 2, "E": 3}, each="2"),
        [Void("E", "H", 2, 1)],
    ),
    "since counting tells it, before the discard that shows it again": (
        table(
            [promise("W", ("AH KH QH", 2), ("2S 3S 4S 5S", 0)), LED, ("E", "2S")],
            "AH KH QH 2S 3S 4S 5S", {"N": 1, "E": 3, "W": 2}, "NEW",
        ),
        [Void("E", "H", 2, None), Void("W", "S", 1, 0)],
    ),
    "since the bid, though it speaks of a part of the hand": (
        table([promise("W", ("AH KH QH", 2)), LED, ("E", "2S")], "AH KH QH 2S 3S 4S 5S", {"N": 1, "E": 3, "W": 2}, "NEW"),
        [Void("E", "H", 2, None), Void("W", "S", 1, 0)],
    ),
    "since the last card of the suit": (
        table(
            [promise("W", ("QH", 1), ("AH KH 3S 4S 5S", 0)), LED, ("E", "KH")],
            "AH KH QH 3S 4S 5S", {"N": 1, "E": 2, "W": 1}, "NEW",
        ),
        [Void("E", "H", 3, None), Void("W", "S", 1, 0)],
    ),
}  # fmt: skip


@pytest.mark.parametrize(("case", "found"), VOIDS.values(), ids=VOIDS)
def test_a_void_is_told(case: DealCase, found: list[Void]) -> None:
    """The seat, the suit, since when, and what shows it."""
    assert list(voids(Position(case, len(case.events)))) == found


# --- what a record shows ----------------------------------------------------------------------------------------------------


def test_dummy_is_laid_down_after_the_first_lead() -> None:
    """From then on all can see it, and each card that is played from it leaves it; no card of the trick is passed over."""
    case = observe(deal_game(BRIDGE, 4, 3, numbers=[1]).model_dump(mode="json", exclude_unset=True, by_alias=True))
    (dummy,) = {event.seat for event in case.events if event.kind == "open"}
    assert dummy is not None
    held = {case.when(moment): Position(case, moment).in_hand(dummy).bit_count() for moment in range(1, 6)}
    assert held == {"1.1": 13, "1.2": 12, "1.3": 12, "1.4": 12}


def test_the_number_of_a_deal_tells_how_many_cards_it_has() -> None:
    """In a game that goes up and down: then nothing is in doubt."""
    case = observe(game("kbabs", 3, deal(turn="6S", plays="1 3H, 2 5H, 0 7C", number=16, dealer="0", status="stopped")))
    assert case.doubts == ()
    assert set(case.sizes.values()) == {3}


def test_a_card_turned_and_a_bid_are_seen_once() -> None:
    """A seat that plays the lowest card there is has shown all its cards, and its bid can be judged."""
    played = deal(
        turn="6S", bids="1 0, 2 0, 3 rainbow, 0 1", number=10, dealer="0", cards=4, status="stopped",
        plays="1 3S, 2 5S, 3 7S, 0 AS; 0 AC, 1 9C, 2 4C, 3 2C",
    )  # fmt: skip
    case = observe(game("kbabs", 4, played))
    assert [event.kind for event in case.events] == ["turn", "promise", *["play"] * 8]
    assert case.events[1].seat == "3"


def test_a_card_taken_back_is_in_the_hand() -> None:
    """Seat 2 showed a heart and played a club instead: that was wrong at once."""
    then = [*plays_of("1 3H, 2 5H"), {"do": "withdraw", "by": "2", "card": "5H"}, *plays_of("2 7C, 0 9H")]
    case = observe(game("kbabs", 3, deal(turn="6S", number=16, dealer="0", cards=3, status="stopped", then=then)))
    (act,) = [spot for spot, event in enumerate(case.events) if case.names(event.cards) == ("7C",)]
    proof = prove(case, act)
    assert (proof.verdict, words(case, proof)) == ("illegal-proved", "2 showed 5H at 1.2, so it was in its hand at 1.3.")
    assert dates(case)[1].illegal == act + 1


def test_after_a_card_nobody_read_the_lowest_card_is_still_to_come() -> None:
    """Seat 1 kept the two of clubs, the lowest of the pack, when clubs were led."""
    plays = "1 3H, 2 ?H, 0 2H; 1 9H, 2 4H, 0 TH; 0 AC, 1 9D, 2 4C; 0 3D, 1 2C, 2 TD"
    case = observe(game("kbabs", 3, deal(turn="6S", plays=plays, number=15, dealer="0", cards=4)))
    (act,) = [spot for spot, event in enumerate(case.events) if case.names(event.cards) == ("9D",)]
    proof = prove(case, act)
    assert (proof.verdict, words(case, proof)) == ("illegal-proved", "1 showed 2C at 4.2, so it was in its hand at 3.2.")


@pytest.mark.parametrize("options", [(), ("mega",), ("demon",), ("demon", "back_end")])
def test_a_row_on_record_lies_open_as_it_would_be_turned(options: tuple[str, ...]) -> None:
    """If no turning is recorded, each card is seen when it is due, and none before."""
    record = deal_game(the("bastard"), 3, 3, options=dict.fromkeys(options, True), numbers=[1])
    data = record.model_dump(mode="json", exclude_unset=True, by_alias=True)
    turned = observe(data).events
    data["deals"][0]["events"] = [event for event in data["deals"][0]["events"] if event["do"] != "turn"]
    lying = observe(data).events
    assert [(event.kind, event.seat, event.cards) for event in lying] == [
        (event.kind, event.seat, event.cards) for event in turned
    ]
    assert any(event.kind == "turn" for event in lying)
