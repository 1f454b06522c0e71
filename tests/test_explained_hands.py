"""Which slips of hands and of cards set aside are told of a faulty deal, and which are undone in a search."""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterable, Iterator
from copy import deepcopy
from pathlib import Path
from typing import Any

import pytest

from handrec import check, games, load
from handrec.cards import UNKNOWN
from handrec.explanations import hands as at_sight
from handrec.explanations.parts import facts
from handrec.explanations.pen import Reach
from handrec.explanations.pen import hands as pen
from handrec.explanations.search import search_in
from handrec.explanations.written import Slip, WrittenDeal
from handrec.findings import Finding
from handrec.judging import Judge
from handrec.record import Deal, Record
from tests.planting import dealt, without
from tests.searching import parts_of
from tests.tables import game

Data = dict[str, Any]

#: Five tricks of four with all that was set aside: event 0 turns a card, 1 to 4 bid, and four plays make a trick from 5 on.
TRUTH: Data = load(Path(__file__).parents[1] / "fixtures/clean/one-deal.handrec.json").model_dump(
    mode="json", exclude_unset=True, by_alias=True
)


def right(tricks: int = 5, aside: bool = True) -> tuple[Data, Data]:
    """A right record, broken off after some tricks or whole, and its deal; with or without what was set aside."""
    data = deepcopy(TRUTH)
    part = data["deals"][0]
    if tricks < 5:
        part.update(events=part["events"][: 5 + 4 * tricks], status="stopped")
        del part["claimed"]
    if not aside:
        del part["aside"]
    return data, part


def hand(part: Data, seat: str, cards: str) -> None:
    """Another hand is written down for a seat."""
    part["hands"][seat] = cards.split()


def play(part: Data, trick: int, seat: str, card: str) -> None:
    """Another card is written down for a play."""
    row = part["events"][1 + 4 * trick : 5 + 4 * trick]
    next(event for event in row if event["by"] == seat)["card"] = card


def slips(data: Data) -> list[Finding]:
    """The slips that are told of a record."""
    return [finding for finding in check(Record.model_validate(data)).findings if finding.code.startswith("REC")]


def told(data: Data) -> list[tuple[Any, ...]]:
    """The slips that are told of a record: the code, whose hand it is, what was found there and what was due."""
    return [(each.code, *(each.facts.get(name) for name in ("owner", "found", "due"))) for each in slips(data)]


def written_of(data: Data) -> WrittenDeal:
    """The deal of a record as those who look for slips get it."""
    record = Record.model_validate(data)
    game = games.find(record.game)
    assert game
    verdict, tables = Judge(games.find).examined(record)
    return search_in(record, game, 0, verdict, tables).written


def bridge(tricks: int) -> Data:
    """A deal of bridge, broken off after some tricks."""
    data = deepcopy(dealt("bridge", 0))
    assert data
    part = data["deals"][0]
    first = next(place for place, event in enumerate(part["events"]) if event["do"] == "play")
    part.update(events=part["events"][: first + 4 * tricks], status="stopped")
    part.pop("claimed", None)
    return data


# --- at sight: one card -----------------------------------------------------------------------------------------------


def test_a_card_played_that_lies_aside_is_no_evidence_of_a_hand() -> None:
    """Of two such plays both are told as miswritten: their seats hold what they were written for."""
    data, part = right()
    play(part, 2, "N", "5D")
    play(part, 3, "W", "4C")
    assert [(code, *cards) for code, _, *cards in told(data)] == [("REC003", "5D", "9D"), ("REC003", "4C", "5C")]


def test_a_card_that_a_hand_never_plays_is_wrong_though_another_seems_unplayed_too() -> None:
    """N plays a card twice, for one that it holds; that its hand has another for the one it plays last is told all the same."""
    data, part = right(aside=False)
    play(part, 4, "N", "9D")
    hand(part, "N", "9S 8S 4H 9D 2C")
    assert ("REC007", "N", "8S", "8H") in told(data)


@pytest.mark.parametrize("turned", ["turned and set aside", "turned"])
def test_a_hand_lacks_the_card_that_stands_nowhere(turned: str) -> None:
    """Though it was not played yet: all others are dealt, set aside or turned up on record."""
    data, part = right(2)
    part["hands"]["N"].remove("8H")
    if turned == "turned":
        del part["aside"]["turnup"]
    (finding,) = slips(data)
    assert (finding.code, finding.pointer, finding.message) == ("REC007", "/deals/0/hands/N", "N's hand lacks 8H")


def test_a_card_set_aside_is_not_given_to_a_hand_that_does_not_play_it() -> None:
    """N and S lack a card each; what lies aside was played by S."""
    data = bridge(1)
    part = data["deals"][0]
    (aside,) = (event["card"] for event in part["events"] if event["do"] == "play" and event["by"] == "S")
    part["hands"]["S"].remove(aside)
    part["hands"]["N"].remove("AS")
    part["aside"] = {"stock": [aside]}
    assert ("REC007", "N", None, aside) not in told(data)


# --- at sight: cards that go from hand to hand ------------------------------------------------------------------------


def passed() -> tuple[Data, Data]:
    """A deal of hearts in which N passes 9S TC 2C to E, which passes KH QH AD to S; E and S play them all."""
    data = without(dealt("hearts", 0) or {}, hands=True, claims=False)
    part = data["deals"][0]
    for event, cards in zip(part["events"], (["9S", "TC", "2C"], ["KH", "QH", "AD"]), strict=False):
        assert {*event["cards"]} == {*cards}
        event["cards"] = cards
    return data, part


def passed_as(part: Data, giver: str, due: str, found: str) -> None:
    """A card that a seat passes is miswritten in its hand and where it is passed."""
    event = next(event for event in part["events"] if event["by"] == giver)
    for cards in (part["hands"][giver], event["cards"]):
        cards[cards.index(due)] = found


def test_cards_miswritten_in_the_hand_and_where_they_are_passed_are_each_told_of_the_hand() -> None:
    """Who took them played another for each; the other cards that came to it were played as they were passed."""
    data, part = passed()
    passed_as(part, "N", "2C", "2S")
    passed_as(part, "E", "AD", "AS")
    assert sorted(told(data)) == [("REC007", "E", "AS", "AD"), ("REC007", "N", "2S", "2C")]


def test_only_a_card_that_its_taker_did_not_play_is_miswritten_where_it_is_passed() -> None:
    """Neither what the taker played nor what another seat took is proposed."""
    data, part = passed()
    passed_as(part, "N", "2C", "2S")
    proposed = [slip.words for slip in at_sight.passed_on(written_of(data))]
    assert proposed == ["N's hand has 2S where 2C was dealt"]


def test_cards_passed_by_the_seat_whose_pass_is_missing_are_told_as_its_own() -> None:
    """S's pass stands under E, which passed already."""
    data = deepcopy(dealt("hearts", 0))
    assert data
    event = data["deals"][0]["events"][2]
    assert event["by"] == "S"
    event["by"] = "E"
    (finding,) = slips(data)
    assert (finding.code, finding.pointer) == ("REC006", "/deals/0/events/2/by")
    assert (finding.facts["found"], finding.facts["owner"]) == ("E", "S")


def test_two_cards_set_aside_in_each_others_place_are_told_by_the_order_in_which_they_were_turned() -> None:
    """The cards of the widow are turned one after the other."""
    data = deepcopy(dealt("bastard", 0))
    assert data
    lying = data["deals"][0]["aside"]["widow"]
    second, third = lying[1:3]
    lying[1:3] = third, second
    (finding,) = slips(data)
    assert (finding.code, finding.pointer) == ("REC002", "/deals/0/aside/widow/1")
    assert (finding.facts["one"], finding.facts["other"]) == (third, second)


# --- at sight: cards in another's hand --------------------------------------------------------------------------------


@pytest.mark.parametrize("first", ["N", "E", "S", "W"])
def test_a_card_given_to_the_wrong_hand_is_told_the_same_whoever_is_named_first(first: str) -> None:
    """E is written with the ace that W plays: it is that card, or all the hearts of both."""
    data, part = right(1)
    hand(part, "E", "6S 9H KC 9C 8C AH")
    hand(part, "W", "6H AC 5C 3C")
    seats = [player["seat"] for player in data["players"]]
    turn = seats.index(first)
    data["players"] = data["players"][turn:] + data["players"][:turn]
    (finding,) = slips(data)
    assert finding.pointer == "/deals/0/hands/E/5"
    assert finding.message == "E's hand has AH, which is W's (or: the hearts stand in each other's hand)"


#: After three tricks S has played a club that stands in W's hand; what it has for it was not played yet.
HALF_EXCHANGED = "AH AC JC 5C 3C"


@pytest.mark.parametrize(
    ("hand_of_s", "never"),
    [("8H 2S 5H TD 6H", "8H"), ("TS 2S 5H TD 6H", "TS")],
    ids=["one that stands in a third hand too", "one of a suit that its holder did not follow"],
)
def test_what_cannot_be_the_other_card_of_an_exchange_is_not_told(hand_of_s: str, never: str) -> None:
    """W did not follow the spade led to the first trick; N is written with 8H."""
    data, part = right(3, aside=False)
    hand(part, "S", hand_of_s)
    hand(part, "W", HALF_EXCHANGED)
    (finding,) = slips(data)
    assert (finding.facts["act"], finding.facts["owner"], finding.facts["due"]) == ("hand-cards", "S", "JC")
    assert "6H" in finding.message
    assert never not in finding.message


# --- at sight: whole hands --------------------------------------------------------------------------------------------


def test_the_suits_of_a_hand_are_put_right_by_the_other_hands_before_a_card_is_played() -> None:
    """What it is written with stands in theirs."""
    data = bridge(0)
    to = str.maketrans("CDHS", "DCSH")
    north = data["deals"][0]["hands"]["N"]
    data["deals"][0]["hands"]["N"] = [card[0] + card[1].translate(to) for card in north]
    (finding,) = slips(data)
    assert (finding.code, finding.pointer) == ("REC009", "/deals/0/hands/N")
    assert {*finding.facts["suits"].split(", ")} == {
        "clubs as diamonds",
        "diamonds as clubs",
        "hearts as spades",
        "spades as hearts",
    }


def test_the_suits_of_a_hand_are_put_right_by_the_cards_that_it_plays() -> None:
    """The other hands leave many orders of the suits, the plays one."""
    data, part = right(3, aside=False)
    hand(part, "W", "AC 6C AH 5H 3H")
    (finding,) = slips(data)
    assert (finding.code, finding.pointer) == ("REC009", "/deals/0/hands/W")
    assert finding.facts["suits"] == "clubs as hearts, hearts as clubs"


@pytest.mark.parametrize(("cards", "whole"), [("9S 8D 6H 9D 2C", False), ("9S 8D 6H 7D 2C", True)])
def test_a_hand_is_misprinted_as_a_whole_if_more_than_two_of_its_cards_are_wrong(cards: str, whole: bool) -> None:
    """N plays 9S 8H 4H 9D 2C."""
    data, part = right(aside=False)
    hand(part, "N", cards)
    assert ("hand" in [each.facts["act"] for each in slips(data)]) is whole


# --- in a search ------------------------------------------------------------------------------------------------------


def stated(deal: Deal) -> tuple[Hashable, dict[str, list[str]] | None]:
    """What a deal states, with the cards set aside."""
    return facts(deal), deal.aside


def restoring(
    way: Callable[[WrittenDeal, Reach], Iterable[Slip]], data: Data, where: Reach, truth: Data = TRUTH
) -> Iterator[Slip]:
    """The slips of a way that make the truth of a deal."""
    written, due = written_of(data), stated(Record.model_validate(truth).deals[0])
    return (slip for slip in way(written, where) if stated(slip.undone(written.deal)) == due)


@pytest.mark.parametrize("reached", [{0}, {1}, {0, 1}], ids=str)
def test_a_card_given_to_another_hand_is_undone_once_whichever_of_the_two_is_reached(reached: set[int]) -> None:
    """N is written with E's card."""
    data, part = right()
    hand(part, "N", "9S 8H 4H 9D 2C 9H")
    hand(part, "E", "6S KC 9C 8C")
    where = Reach(hands=frozenset(reached), cards=frozenset({"9H"}))
    assert len([*restoring(pen.cards_of_hands, data, where)]) == 1


@pytest.mark.parametrize(
    ("cards", "card", "words"),
    [
        ("9S 8H 4H 9D 2C TH", "TH", "N's hand has TH too many"),
        ("9S 4H 9D 2C", "8H", "N's hand lacks 8H"),
        ("9S TH 4H 9D 2C", "TH", "N's hand has TH where 8H was dealt"),
    ],
)
def test_a_card_of_a_hand_is_said_to_be_too_many_or_missing_or_written_for_another(cards: str, card: str, words: str) -> None:
    """Each is undone, and told as what it was."""
    data, part = right()
    hand(part, "N", cards)
    where = Reach(hands=frozenset({0}), cards=frozenset({card}))
    assert [slip.words for slip in restoring(pen.cards_of_hands, data, where)] == [words]


def test_a_card_of_no_pack_is_put_right_where_its_seat_plays_it_too() -> None:
    """It is miswritten in the hand, and so again in the play."""
    data, part = right()
    hand(part, "E", "6S 9H XC 9C 8C")
    play(part, 3, "E", "XC")
    where = Reach(hands=frozenset({1}), cards=frozenset({"XC"}))
    assert [slip.words for slip in restoring(pen.cards_of_hands, data, where)] == ["E's hand has XC where KC was dealt"]
    (explained,) = parts_of(Record.model_validate(data))
    assert facts(Record.model_validate(TRUTH).deals[0]) in [facts(each.deal) for each in explained.best]


def test_what_lies_elsewhere_stays_as_it_is_if_a_card_set_aside_is_put_right() -> None:
    """A card of the stock is miswritten; the one turned up is not."""
    data, part = right()
    part["aside"]["stock"][0] = "9S"
    (slip,) = restoring(pen.set_aside, data, Reach(cards=None))
    assert slip.aside == TRUTH["deals"][0]["aside"]


def test_a_suit_of_two_hands_is_exchanged_only_if_a_card_of_it_bears_on_what_is_found() -> None:
    """It matters where 9C lies, which is E's."""
    data, _ = right()
    where = Reach(hands=frozenset(range(4)), cards=frozenset({"9C"}))
    swaps = {slip.words for slip in pen.between_hands(written_of(data), where) if slip.act.key == "suit"}
    assert swaps == {f"the clubs of {pair} exchanged" for pair in ("N and E", "E and S", "E and W")}


@pytest.mark.parametrize("known", [True, False])
def test_a_misprinted_hand_is_what_the_others_leave_only_if_these_are_known(known: bool) -> None:
    """W's hand is written in one line with S's, and under W no card is."""
    data = bridge(0)
    truth, found = deepcopy(data), data["deals"][0]["hands"]
    found["N"] = [*found["E"][:6], *found["N"][6:]]
    if not known:
        found["S"] += found["W"]
        found["W"] = [UNKNOWN] * 13
    where = Reach(hands=frozenset({0}), cards=None)
    proposed = [slip for slip in pen.whole_hands(written_of(data), where) if slip.act.key == "hand"]
    assert len(proposed) == known
    assert len([*restoring(pen.whole_hands, data, where, truth)]) == known


def test_the_suits_of_a_hand_may_stand_in_every_order_but_their_own() -> None:
    """Of four suits there are twenty-three others, of each of which the hand is another."""
    data = bridge(0)
    north, where = data["deals"][0]["hands"]["N"], Reach(hands=frozenset({0}), cards=None)
    orders = [slip.hands for slip in pen.whole_hands(written_of(data), where) if slip.act.key == "suits"]
    assert len(orders) == 23
    assert all(hands is not None and {*hands["N"]} != {*north} for hands in orders)


def test_a_card_of_a_hand_that_stands_with_those_set_aside_is_given_back() -> None:
    """The hand lacks it, and they are one too many."""
    data, part = right()
    hand(part, "E", "6S KC 9C 8C")
    part["aside"]["stock"].append("9H")
    (finding,) = check(Record.model_validate(data)).faults
    assert (finding.code, finding.message) == ("REC007", "E's hand lacks 9H, which stands in the stock")


def test_a_card_set_aside_that_is_written_for_another_is_one_slip() -> None:
    """LJ lay in the stock, and 9S is N's."""
    data, part = right()
    part["aside"]["stock"][0] = "9S"
    (explained,) = parts_of(Record.model_validate(data))
    assert [[slip.words for slip in each.slips] for each in explained.best] == [["9S in the stock for LJ"]]


def test_suits_of_a_hand_in_wrong_places_are_told_where_it_clashes_with_cards_set_aside_alone() -> None:
    """Nobody else holds 7D or 8C, which lie in the discard."""
    hands = {"P1": ["KS", "QS", "5S", "4S", "3S", "KH", "QH", "6H", "5H", "4H", "BJ", "7D", "8C"]}
    used = {*hands["P1"], "7C", "8D", "7D", "8C"}
    rules = games.find("spades3")
    assert rules
    rest = [card for card in rules.pack(3).cards if card not in used]
    hands |= {"P2": rest[:13], "P3": rest[13:26]}
    discard = [*rest[26:], "7D", "8C"]
    data = game("spades3", "P1 P2 P3", {"number": 1, "dealer": "P3", "hands": hands, "aside": {"discard": discard}, "events": []})
    data["deals"][0]["status"] = "stopped"
    (finding,) = check(Record.model_validate(data)).faults
    assert (finding.code, finding.facts["owner"]) == ("REC009", "P1")


def test_a_card_of_no_pack_that_is_set_aside_hides_no_slip_of_a_hand() -> None:
    """It is told for itself."""
    data, part = right()
    part["aside"]["stock"][-1] = "9P"
    hand(part, "N", " ".join(["QC" if card == "9D" else card for card in part["hands"]["N"]]))
    assert ("REC007", "N", "QC", "9D") in told(data)
    codes = [finding.code for finding in check(Record.model_validate(data)).findings]
    assert "DEA001" in codes
    assert "INT001" not in codes
