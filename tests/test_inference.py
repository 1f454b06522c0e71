"""Public proof, by hand: cases small enough to see through, and what the checker must not be told."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from handrec import games
from handrec.game import compose
from handrec.inference import DealCase, Observation, Position, accepts, by_game, checker, dates, prove, small


def bridge_case(plays: list[Any], cards: str, hand: Any, hands: dict[str, str] | None = None, **more: Any) -> DealCase:
    """A deal of two or more seats at no trumps."""
    game = games.find("bridge")
    assert game is not None
    known = {seat: dealt.split() for seat, dealt in (hands or {}).items()}
    return small(plays, hand=hand, cards=cards.split(), hands=known, **by_game(game, contract="3NT"), **more)


def verdicts(case: DealCase, view: str = "public") -> list[str]:
    """The verdict on every act at the end."""
    moment = Position(case, len(case.events), view)
    return [moment.verdict(act) for act in case.acts()]


UNREAD = {"N": "4H KS", "E": "AS 3H"}


def unread(hands: dict[str, str], size: dict[str, int]) -> DealCase:
    """North leads the four of hearts, East plays a card that nobody could read; then the king of spades, three of hearts."""
    game = games.find("bridge")
    assert game is not None
    mask = by_game(game, contract="NT")["order"](1).pack.mask
    blank = Observation("play", "E", mask(["AS", "2H", "3H", "5H"]), unseen=True)
    plays = [("N", "4H"), blank, ("N", "KS"), ("E", "3H")]
    return bridge_case(plays, "AS KS 2H 3H 4H 5H", size, hands, seats="NE", turns=lambda trick: trick)


def test_an_unread_card_may_have_been_the_one_that_is_missed() -> None:
    """East had nothing left but the three of hearts: the unread card is open, and in no view was it wrong to discard."""
    case = unread(UNREAD, {"N": 2, "E": 2})
    assert {view: verdicts(case, view)[-1] for view in case.views} == {
        "public": "legal-proved",
        "N": "legal-proved",
        "E": "legal-proved",
        "open": "legal-proved",
    }
    case = unread({"N": "4H KS", "E": "AS 3H 5H"}, {"N": 2, "E": 3})
    assert {verdicts(case, view)[-1] for view in ("E", "open")} == {"consistent"}


def test_an_unread_card_in_a_hand_without_it_is_a_contradiction() -> None:
    """East, with 3H and 5H, cannot have shown a spade later."""
    case = unread({"E": "5H 2H"}, {"N": 2, "E": 2})
    assert set(verdicts(case, "E")) == {"impossible"}


def test_back_end_trumps_are_broken_by_what_turns_out_to_be_trump() -> None:
    """BA-7: AS in the first trick was a trump, as the card turned after it shows; so a trump can be led."""
    bastard = games.find("bastard")
    assert bastard is not None
    game, wrong = compose(bastard, {"demon": True, "back_end": True, "trump_break": "must_be_broken"})
    assert not wrong
    terms = by_game(game, turned=("2S", "3H", "KD"))
    plays = [("N", "AS"), ("E", "KS"), ("N", "QS")]
    case = small(
        plays, seats="NE", hand={"N": 3, "E": 1}, cards=["AS", "KS", "QS", "4H"], hands={"N": ["AS", "QS", "4H"]}, **terms
    )
    assert verdicts(case, "N")[-1] == "legal-proved"


def test_a_promise_of_a_part_of_the_hand() -> None:
    """East, with one card, promises the ace of hearts: it may be either ace until it is shown."""
    game = games.find("bridge")
    assert game is not None
    heart = by_game(game, contract="NT")["order"](1).pack.mask(["AH"])
    promise = Observation("promise", "E", groups=((heart, 1),))
    assert verdicts(bridge_case([promise], "AH AS", 1, seats="NE")) == ["consistent"]
    for shown, verdict in (("AH", "legal-proved"), ("AS", "illegal-proved")):
        case = bridge_case([promise, ("E", shown)], "AH AS", 1, seats="NE")
        assert verdicts(case)[0] == verdict
        assert accepts(case.statement("public"), prove(case, 0).certificate)
    two = Observation("promise", "E", groups=((heart, 2),))
    assert verdicts(bridge_case([two], "AH AS", 1, seats="NE")) == ["illegal-proved"]


def test_a_card_played_twice_contradicts_itself() -> None:
    """Nobody can play the ace of hearts again, neither its player nor another."""
    for again in "NE":
        plays = [("N", "AH"), ("E", "2H"), (again, "AH")]
        case = bridge_case(plays, "AH KH 2H 3H", 2, seats="NE")
        assert set(verdicts(case)) == {"impossible"}
        assert accepts(case.statement("public"), prove(case, 0).certificate)


def test_a_conditional_verdict_that_ends_in_a_contradiction_is_withdrawn() -> None:
    """West's discard is illegal if the others were legal, until a card comes twice."""
    plays = [("N", "AH"), ("E", "2S"), ("W", "3S"), ("N", "KH"), ("E", "4H")]
    case = bridge_case([*plays, ("W", "4H")], "AH KH 4H 2S 3S 5H", 2, seats="NEW")
    found = {each.act: each for each in dates(case)}
    assert all(each.impossible == 6 for each in found.values())
    assert all(each.withdrawn == 6 for each in found.values() if each.conditional and each.illegal is None)


def test_who_has_the_last_hearts() -> None:
    """Four hearts are unseen when both opponents have discarded on one, and the stock has room for two: one of them reneged."""
    plays = [("N", "AH"), ("E", "2S"), ("W", "3S")]
    case = bridge_case(plays, "AH KH QH JH TH 2S 3S 4S 5S", {"N": 1, "E": 3, "W": 3}, seats="NEW")
    moment = Position(case, 3)
    assert verdicts(case) == ["legal-proved", "illegal-proved-if-others-legal", "illegal-proved-if-others-legal"]
    assert moment.suspects() == (frozenset("E"), frozenset("W"))
    assert moment.guilty() == ()
    assert (moment.holders(), moment.count(), moment.witness()) == (None, 0, None)
    assert moment.count(legal=False) == 6 * 5 // 2 * 4 * 3 // 2


def test_the_checker_is_small_and_knows_nothing_of_the_house() -> None:
    """At most 60 lines, and nothing of the package in it."""
    text = Path(str(checker.__file__)).read_text("utf-8")
    assert len(text.splitlines()) <= 60
    assert "import handrec" not in text
    assert "from handrec" not in text


@pytest.mark.parametrize(
    "change", [{"moment": 9}, {"moment": -1}, {"act": 0}, {"verdict": "consistent"}, {"because": []}, {"verdict": []}]
)
def test_what_is_no_proof_shows_nothing(change: dict[str, Any]) -> None:
    """A certificate that was changed, or is none, is refused."""
    case = bridge_case([("N", "AH"), ("E", "2S"), ("N", "KH"), ("E", "3H")], "AH KH 3H 2S", 2, seats="NE")
    proof = prove(case, 1)
    assert proof.verdict == "illegal-proved"
    assert accepts(case.statement("public"), proof.certificate)
    assert not accepts(case.statement("public"), {**proof.certificate, **change})
    assert not accepts({}, proof.certificate)
