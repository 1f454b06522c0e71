"""What a search may offer, how far it is said to have come, and what no slip undone may erase: small deals, each for one rule."""

from __future__ import annotations

from collections import Counter
from copy import deepcopy
from types import SimpleNamespace

import pytest

from handrec import games
from handrec.cards import FRENCH_54
from handrec.explanations.decided import Decided, Examined, erases, less_decided, lost
from handrec.explanations.parts import DEAR, LEAST, Part
from handrec.explanations.pen import Reach, slips
from handrec.explanations.pen.heads import cards_handed
from handrec.explanations.search import BROKEN_OFF, BUDGET, FINDINGS, Search, likely, search_in
from handrec.explanations.written import Slip, WrittenDeal
from handrec.findings import Finding
from handrec.game import Look, Table
from handrec.judging import Judge
from handrec.record import Deal, Play, Record
from tests.planting import dealt
from tests.tables import Data, cut, deal, drop, game, insert, killer_hand, put, swap

#: Of each part of a deal the codes found, and what explains it best: costs, and slips in words.
Told = list[tuple[list[str], list[tuple[int, list[str]]]]]


def told(data: Data) -> Told:
    """What explains a deal best, part by part."""
    parts = search(data).parts()
    return [(codes(part), [(each.cost, [slip.words for slip in each.slips]) for each in part.best]) for part in parts]


def codes(part: Part) -> list[str]:
    """What is explained together."""
    return sorted(finding.code for finding in part.findings)


def examined(data: Data) -> Examined:
    """The verdict on a record with its tables."""
    return Judge(games.find).examined(Record.model_validate(data))


def search(data: Data, budget: int = BUDGET) -> Search:
    """The search for what explains the first deal of a record, not begun."""
    record, (verdict, tables) = Record.model_validate(data), examined(data)
    found = games.find(record.game)
    assert found
    return search_in(record, found, 0, verdict, tables, budget)


def without_claims(data: Data) -> Data:
    """The record of a deal of which nothing is claimed."""
    return drop(data, "/deals/0/claimed")


# --- what is decided ---------------------------------------------------------------------------------------------------


def test_two_plays_fewer_leave_their_trick_undecided() -> None:
    """Of one play that is gone no trick is lost, for it may have stood twice; of two what was decided of them is."""
    whole = cut(killer_hand(), 17, status="stopped")
    (before,), (after,) = examined(whole)[1], examined(cut(whole, 15, status="stopped"))[1]
    assert before.doubts.keys() == after.doubts.keys()
    assert lost(before, after) == {Decided("L5", None, 3), *(Decided("L4", seat, 3) for seat in "0123")}
    assert erases(before, after)
    assert not erases(before, before)


def test_a_trick_whose_winner_cannot_be_told_any_more_is_lost() -> None:
    """Though whether its cards could be played was not known before either, nor who won another."""
    unseen = put(cut(killer_hand(), 17, status="stopped"), "/deals/0/hands/1", ["??"] * 3)
    unseen = put(unseen, "/deals/0/events/14/card", "??")
    (before,), (after,) = examined(unseen)[1], examined(put(unseen, "/deals/0/events/6/card", "??"))[1]
    assert (before.doubts.keys(), before.unjudged) == (after.doubts.keys(), after.unjudged)
    assert lost(before, after) == {Decided("L5", None, 1)}
    assert erases(before, after)


def test_what_was_passed_across_deals_is_so_still() -> None:
    """Of a whole game all is, and of the same deals as an excerpt nothing across them, though each is as it was."""
    cards, deals = FRENCH_54.cards, []
    for dealer in (0, 1):
        order = [str((dealer + 1 + step) % 54) for step in range(54)]
        held = [*zip(order, cards[4:] + cards[:4], strict=True)]
        bids = ", ".join(f"{seat} 0" for seat in order)
        plays = ", ".join(f"{seat} {card}" for seat, card in held)
        hands = " | ".join(f"{seat}: {card}" for seat, card in held)
        deals.append(deal(dealer=str(dealer), hands=hands, bids=bids, plays=plays))
    whole = examined(game("kbabs", 54, *deals, status="complete"))
    part = examined(game("kbabs", 54, *deals))
    assert not any(erases(one, other) for one, other in zip(whole[1], part[1], strict=True))
    assert less_decided(whole, part)
    assert not less_decided(whole, whole)
    assert not less_decided(part, whole)


# --- cards handed on ---------------------------------------------------------------------------------------------------


def test_each_card_that_is_passed_may_be_written_for_another() -> None:
    """For any of the pack that is not passed with it; where cards lie aside, are shown, or played, nothing is handed on."""
    data = deepcopy(dealt("hearts", 0))
    assert data
    events = data["deals"][0]["events"]
    passed = {place: event["cards"] for place, event in enumerate(events) if event["do"] == "exchange"}
    (table,) = examined(data)[1]
    written = WrittenDeal(Record.model_validate(data).deals[0], table, [])
    found = [
        (place, fields["cards"]) for slip in cards_handed(written, Reach()) for place, fields in (slip.changed or {}).items()
    ]
    assert passed
    assert Counter(place for place, _ in found) == {place: len(cards) * (52 - len(cards)) for place, cards in passed.items()}
    assert all(len({*cards} - {*passed[place]}) == 1 for place, cards in found)


# --- findings and where they stand -------------------------------------------------------------------------------------

#: A card and a bid, each written twice.
CARD_TWICE = insert(killer_hand(), "/deals/0/events/7", {"do": "play", "by": "1", "card": "9S"})
BID_TWICE = insert(killer_hand(), "/deals/0/events/3", {"do": "bid", "by": "1", "bid": 1})


@pytest.mark.parametrize(
    ("data", "mine", "slip"),
    [
        pytest.param(put(CARD_TWICE, "/deals/0/claimed/scores/2", 21), "PLY002", "9S written twice", id="a score"),
        pytest.param(put(CARD_TWICE, "/deals/0/claimed/winners/2", "1"), "PLY002", "9S written twice", id="a winner"),
        pytest.param(put(CARD_TWICE, "/deals/0/hands/3", ["3H", "AC"]), "PLY002", "9S written twice", id="a hand"),
        pytest.param(put(BID_TWICE, "/deals/0/hands/3", ["3H", "AC"]), "BID005", "1's 1 written twice", id="a hand by number"),
        pytest.param(
            insert(CARD_TWICE, "/deals/0/events/8", {"do": "bid", "by": "1", "bid": 1}), "PLY002", "9S written twice", id="a bid"
        ),
    ],
)
def test_what_is_wrong_elsewhere_stays_where_it_is_with_an_event_taken_out(data: Data, mine: str, slip: str) -> None:
    """Whether it stands after the event or in no event at all, it is found as before, and another explains it."""
    assert ([mine], [(2, [slip])]) in told(data)


def test_a_play_without_a_name_is_that_of_the_seat_whose_turn_it_was() -> None:
    """Though all others have their names: what explains it is what explains it with its name."""
    named = put(cut(killer_hand(), 17, status="stopped"), "/deals/0/events/8/card", "AD")
    nameless = drop(named, "/deals/0/events/8/by")
    assert [each.seat for each in search(nameless).written.plays] == [0, 1, 2, 3, 3, 0, 1, 2, 0, 1, 2, 3]
    assert told(nameless) == told(named) != []


# --- what belongs together ---------------------------------------------------------------------------------------------


def test_a_slip_that_costs_one_more_than_what_it_removes_tells_that_it_belongs_together() -> None:
    """The table gave the trick to another seat, which then led: that costs 2; that two cards are exchanged costs 3."""
    data = swap(killer_hand(), 6, 14)
    data["deals"][0]["claimed"] = {"winners": data["deals"][0]["claimed"]["winners"]}
    assert told(data) == [(["PLY004", "TRK001"], [(2, [])])]


def test_a_card_that_two_seats_play_explains_neither() -> None:
    """That 3's 5D is miswritten for 7C would leave 7C played twice, which nobody does, though 0 is told not to have held it."""
    exchanged = put(put(killer_hand(), "/deals/0/hands/0/1", "5D"), "/deals/0/hands/3/2", "7C")
    data = without_claims(put(put(exchanged, "/deals/0/events/0/card", "AS"), "/deals/0/events/11/card", "AD"))
    parts = search(data, 400).parts()
    assert [codes(part) for part in parts] == [["PLY001"]] * 3
    for each in (each for part in parts for each in part.explanations):
        played = Counter(event.card for event in each.deal.events if type(event) is Play)
        assert max(played.values()) == 1


def test_a_card_more_than_a_seat_has_is_no_deed() -> None:
    """Though the referee leaves it at that it was out of turn: of three cards nobody plays four."""
    data = drop(without_claims(killer_hand()), "/deals/0/hands")
    (part,) = search(insert(data, "/deals/0/events/7", {"do": "play", "by": "1", "card": "2C"}), 400).parts()
    assert codes(part) == ["PLY003"]
    for each in part.explanations:
        assert {*Counter(event.by for event in each.deal.events if type(event) is Play).values()} == {3}
    assert all(each.slips for each in part.explanations)


def test_a_call_that_nobody_may_make_says_nothing_of_the_plays_around_it() -> None:
    """Of a card that stands before and after it either may be the one that is written twice."""
    data = insert(CARD_TWICE, "/deals/0/events/7", {"do": "bid", "by": "1", "bid": 1})
    (part,) = [part for part in search(data).parts() if codes(part) == ["PLY002"]]
    assert [(each.cost, each.origin[6]) for each in part.best] == [(2, 6), (2, 7)]
    assert part.only is None


# --- deeds beside a slip -----------------------------------------------------------------------------------------------

#: A card written twice, and a second bid of one player.
WITH_DEED = insert(CARD_TWICE, "/deals/0/events/5", {"do": "bid", "by": "3", "bid": 2})


@pytest.mark.parametrize(
    ("mine", "wanted", "explains"),
    [
        pytest.param({"PLY002"}, 2, True, id="the deed is explained elsewhere"),
        pytest.param({"PLY002", "BID005"}, 2, False, id="the deed costs more than is wanted"),
        pytest.param({"PLY002", "BID005"}, 3, True, id="it may be wanted"),
    ],
)
@pytest.mark.parametrize("times", [1, 2])
def test_a_deed_that_is_left_counts_once_and_only_in_its_part(times: int, mine: set[str], wanted: int, explains: bool) -> None:
    """However often the referee shows it."""
    begun = search(WITH_DEED)
    judge = begun.judge

    def shown(deal: Deal, look: Look | None = None) -> Table:
        def again(finding: Finding) -> None:
            for _ in range(times if look else 0):
                assert look
                look(finding)

        return judge(deal, again if look else None)

    begun.judge, begun.wanted = shown, wanted
    begun.mine = {key for key, finding in begun.root.findings.items() if finding.code in mine}
    assert {finding.code for finding in begun.root.findings.values()} == {"PLY002", "BID005"}
    twice = next(slip for slip in likely(begun.written) if slip.words == "9S written twice")
    node = begun._judged(begun.root, twice, twice.undone(begun.written.deal), last=True, alone=False)
    assert (node is not None) is explains


# --- how far it is said to have come -----------------------------------------------------------------------------------

#: Three cards that their seats did not hold.
THREE = put(
    put(put(killer_hand(), "/deals/0/events/11/card", "AD"), "/deals/0/events/12/card", "6D"), "/deals/0/events/16/card", "9C"
)


@pytest.mark.parametrize(("wanted", "more"), [(4, False), (5, False), (6, True), (7, True)])
def test_where_two_more_slips_may_follow_not_all_is_tried(wanted: int, more: bool) -> None:
    """The last slip must touch what each finding hangs on; before it one must be touched, and three are not all tried."""
    begun = search(THREE)
    slip = Slip(next(likely(begun.written)).act, (), "KH", changed={11: {"card": "KH"}})
    node = begun._judged(begun.root, slip, slip.undone(begun.written.deal), last=False, alone=False)
    assert node
    assert node.price == LEAST
    assert len(node.findings) == 2
    begun.wanted, begun.narrowed = wanted, False
    assert len(begun._candidates(node).besides) == (0 if more else 1)
    assert begun.narrowed is more


@pytest.mark.parametrize(
    ("data", "cost", "complete"),
    [
        pytest.param(put(killer_hand(), "/deals/0/events/12/card", "6D"), 5, DEAR, id="no slip leaves room for two more"),
        pytest.param(without_claims(put(killer_hand(), "/deals/0/events/14/card", "KH")), 4, 5, id="some do"),
    ],
)
def test_of_three_slips_it_is_never_said_that_all_were_tried(data: Data, cost: int, complete: int) -> None:
    """Three cost 6; where there was no room for so many, nothing else is to be tried. A machine seldom copies wrongly."""
    (part,) = search({**data, "provenance": {"kind": "server"}}).parts()
    assert part.only
    assert (part.only.cost, part.complete) == (cost, complete)


def test_when_the_budget_is_spent_no_slips_are_thought_of(monkeypatch: pytest.MonkeyPatch) -> None:
    """Of hundreds of plays beyond the end each is a part of its own, and has tens of thousands of slips that touch it."""
    data = deepcopy(dealt("bridge", 3))
    assert data is not None
    events = data["deals"][0]["events"]
    plays = [event for event in events if event["do"] == "play"]
    events += plays * 3
    asked = list[int]()
    monkeypatch.setattr("handrec.explanations.search.slips", lambda *given: asked.append(1) or slips(*given))
    beyond = search(data, 300)
    beyond.parts()
    assert beyond.left <= 0
    assert len(asked) <= 1


@pytest.mark.some(2)
@pytest.mark.parametrize("budget", [100, 300])
@pytest.mark.parametrize("key", ["bridge", "kbabs", "whist"])
def test_when_the_budget_is_spent_nothing_is_confirmed(key: str, budget: int) -> None:
    """Where five plays of another deal stand, not all is tried: nothing is sure, and as long a look again makes nothing surer."""
    data, other = deepcopy(dealt(key, 5)), dealt(key, 6)
    assert data
    assert other
    plays = [event for event in other["deals"][0]["events"] if event["do"] == "play"]
    events = data["deals"][0]["events"]
    first = next(place for place, event in enumerate(events) if event["do"] == "play")
    events[first : first + 5] = plays[:5]
    cut_short, costs = search(without_claims(data), budget), list[float]()
    judge = cut_short.judge

    def counted(judged: Deal, look: Look | None) -> Table:
        costs.append(BROKEN_OFF)
        table = judge(judged, look)
        costs[-1] = 1 + len(table.findings) / FINDINGS
        return table

    cut_short.judge = counted
    parts = cut_short.parts()
    assert sum(len(part.best) == 1 and bool(part.best[0].slips) for part in parts) > 1
    assert not any(part.settled or part.complete for part in parts)
    assert budget / 2 < sum(costs) < budget + max(costs)


@pytest.mark.parametrize(("beside", "complete"), [((12, 7), (12, 7)), ((12, 0), (9, 0)), ((0, 7), (0, 5)), ((3, 0), (3, 0))])
def test_a_part_is_surer_beside_another_only_if_each_is_explained_there(
    beside: tuple[int, int], complete: tuple[int, int], monkeypatch: pytest.MonkeyPatch
) -> None:
    """All was tried up to 9 for the one, 5 for the other; what was tried beside each other counts, unless one fails there."""
    one, other = (SimpleNamespace(best=[SimpleNamespace(cost=cost)], complete=tried) for cost, tried in ((1, 9), (2, 5)))
    found = search(killer_hand())
    monkeypatch.setattr(found, "_beside", lambda part, explanation: beside[part is other])
    found._confirm([one, other])  # type: ignore[list-item]
    assert (one.complete, other.complete) == complete


@pytest.mark.parametrize("asked", [True, False])
def test_two_parts_are_looked_at_beside_each_other_if_that_is_asked(asked: bool, monkeypatch: pytest.MonkeyPatch) -> None:
    """In the deal that comes of another's explanation it is not."""
    data = put(put(killer_hand(), "/deals/0/events/6/card", "9X"), "/deals/0/events/13/card", "2X")
    found, confirmed = search(data), list[int]()
    monkeypatch.setattr(found, "_confirm", lambda parts: confirmed.append(len(parts)))
    assert [codes(part) for part in found.parts(confirm=asked)] == [["DEA001"], ["DEA001"]]
    assert confirmed == [2] * asked
