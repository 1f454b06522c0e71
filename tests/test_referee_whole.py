"""The referee on a whole record: who is named sits at the table, deals follow each other, and the sheet adds up to its end."""

from __future__ import annotations

from typing import Any, Literal

import pytest

import handrec
from handrec import fast, referee, writing
from handrec.dealing import deal_game
from handrec.findings import Verdict
from handrec.game import Table
from handrec.game.table import NO_PAST, Past
from handrec.games import find
from handrec.limits import MAX_STRANGERS
from handrec.record import KINDS, Closed, Kind, Maybe, Record, Seat, Shares
from tests.tables import Data, codes, deal, faults, game, killer_hand, levels, plays_of, put, reasons, sheet, spades_hand, verdict

SEATS = "N E S W"
KBABS: Any = find("kbabs")
BATARDE: Any = find("batarde")
SPADES: Any = find("spades3")
#: How many cards each hand has, deal by deal, in a game of four.
LADDER, RUBBER = KBABS.cards(4), BATARDE.cards(4)


def found(told: Verdict) -> list[tuple[str, str]]:
    """Codes and places of what is wrong."""
    return [(finding.code, finding.pointer) for finding in faults(told)]


def named(*deals: Data, **fields: Any) -> list[tuple[str, int | None]]:
    """Where a name is told that is no seat or side, and in which deal."""
    record = game(fields.pop("key", "bridge"), SEATS, *({"events": []} | each for each in deals), **fields)
    return [(finding.pointer, finding.deal) for finding in faults(verdict(record)) if finding.code == "FMT012"]


# --- seats and sides -------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("event", "place"),
    [
        ({"do": "penalty", "of": "X", "points": 5}, "of"),
        ({"do": "accuse", "by": "N", "of": "X"}, "of"),
        ({"do": "transfer", "by": "N", "of": "X", "tricks": 1}, "of"),
        ({"do": "claim", "by": "N", "tricks": {"N": 2, "X": 1}}, "tricks/X"),
        ({"do": "play", "by": "X", "card": "7C"}, "by"),
    ],
)
@pytest.mark.parametrize("more", [0, 2])
def test_whoever_an_event_names_sits_at_the_table(event: Data, place: str, more: int) -> None:
    """Whether it did something or something was done to it, and whatever else happened."""
    before = plays_of("N 2C, E 3C")[:more]
    assert named({"events": [*before, event]}) == [(f"/deals/0/events/{more}/{place}", 1)]


@pytest.mark.parametrize(
    ("claimed", "place"),
    [({"winners": ["N", "X"]}, "winners/1"), ({"scores": {"X": 3}}, "scores/X"), ({"bids": {"X": 3}}, "bids/X")],
)
def test_whoever_is_claimed_to_have_done_something_sits_at_the_table(claimed: Data, place: str) -> None:
    """What is claimed is looked through, as what happened is."""
    assert named({"claimed": claimed}, key="kbabs") == [(f"/deals/0/claimed/{place}", 1)]


@pytest.mark.parametrize("fields", [{"dealer": "X"}, {"vulnerable": "NX"}])
def test_a_name_that_is_none_is_told_in_the_deal_it_stands_in(fields: Data) -> None:
    """By the deal's number, or by its place where it has none."""
    (place,) = fields
    for number, due in ((7, 7), (None, 2)):
        second = fields if number is None else {"number": number, **fields}
        assert named({}, second) == [(f"/deals/1/{place}", due)]


def test_a_name_in_the_claims_of_the_game_is_told_once() -> None:
    """Where it stands first."""
    stranger = {"totals": {"N": 1, "X": 2}, "winners": ["X"]}
    assert named({}, claimed=stranger, status="stopped") == [("/claimed/totals/X", None)]


@pytest.mark.parametrize("more", [0, 1])
def test_so_many_names_are_told_and_then_that_there_are_more(more: int) -> None:
    """As many as the limit says; only one beyond it is too many."""
    events = [{"do": "play", "by": f"X{place}", "card": "7C"} for place in range(MAX_STRANGERS + more)]
    assert codes(verdict(game("whist", SEATS, {"events": events}))) == ["FMT012"] * MAX_STRANGERS + ["FMT002"] * more


def test_a_deal_in_order_hides_no_stranger_in_the_next() -> None:
    """The first deal is replayed by the fast path, the second cannot be."""
    data = killer_hand()
    data["deals"].append({"number": 13, "events": [], "leader": "X"})
    assert found(handrec.check(Record.model_validate(data))) == [("FMT012", "/deals/1/leader")]


class Split(Closed):
    """An event of a game from outside, which may leave out who gets what."""

    do: Literal["split"] = "split"
    by: Seat
    shares: Maybe[Shares] = None


@pytest.mark.parametrize(("told", "wrong"), [({}, []), ({"shares": {"N": 1}}, []), ({"shares": {"X": 1}}, ["FMT012"])])
def test_an_event_from_outside_names_only_seats_that_are_the_table_s(
    monkeypatch: pytest.MonkeyPatch, told: Data, wrong: list[str]
) -> None:
    """What it leaves out names nobody."""
    monkeypatch.setitem(KINDS, "split", Kind(Split))
    record = Record.model_validate(game("whist", SEATS, {"events": []}))
    deals = [record.deals[0].model_copy(update={"events": [Split.model_validate({"by": "N", **told})]})]
    found = codes(referee.check(record.model_copy(update={"deals": deals}), find))
    assert [code for code in found if code != "PLY007"] == wrong  # of the kinds of event that the game has, it is none


# --- one deal after another ------------------------------------------------------------------------------------------


def numbered(*deals: tuple[int | None, int | None], status: str) -> list[tuple[Any, ...]]:
    """What is wrong with deals of which number and cards are on record: codes, places and what is due."""
    each: list[Data] = [{"number": number, "cards": cards, "events": []} for number, cards in deals]
    known = [{key: value for key, value in one.items() if value is not None} for one in each]
    told = faults(verdict(game("kbabs", SEATS, *known, status=status)))
    return [(finding.code, finding.pointer, finding.facts["due"]) for finding in told]


@pytest.mark.parametrize(("numbers", "wrong"), [((1, 5, 6), {1: 2}), ((1, 5, 3), {1: 2}), ((1, 5, 4), {1: 2, 2: 3})])
def test_after_a_wrong_number_the_next_may_follow_on_it_or_on_what_was_due(
    numbers: tuple[int, ...], wrong: dict[int, int]
) -> None:
    """So that one slip in a game that begins with its first deal is told once."""
    told = numbered(*((number, None) for number in numbers), status="stopped")
    assert sorted(told) == [("DEA010", f"/deals/{place}/number", due) for place, due in wrong.items()]


@pytest.mark.parametrize(
    ("cards", "told"), [(None, ("DEA010", "/deals/0/number", len(LADDER))), (2, ("DEA005", "/deals/0/cards", 0))]
)
def test_a_deal_out_of_a_game_that_has_none_of_its_number(cards: int | None, told: tuple[Any, ...]) -> None:
    """Its number is wrong, or where cards were dealt, the game has none for it."""
    assert numbered((len(LADDER) + 1, cards), status="excerpt") == [told]


def test_a_game_with_a_deal_too_many_is_told_once() -> None:
    """Not again by the cards of that deal."""
    deals = [*enumerate(LADDER, 1), (len(LADDER) + 1, 2)]
    assert numbered(*deals, status="complete") == [("SCO005", "/deals", len(LADDER))]


@pytest.mark.parametrize(("scoring", "again"), [("rubber", False), ("chicago", True)])
def test_after_a_deal_passed_out_the_left_deals_in_a_rubber_and_the_same_again_in_chicago(scoring: str, again: bool) -> None:
    """So a wrong dealer is told in both."""
    passed = deal(dealer="N", bids="N pass, E pass, S pass, W pass")
    for dealer in "NE":
        data = game("bridge", SEATS, passed, {"dealer": dealer, "events": []}, options={"scoring": scoring}, status="stopped")
        assert codes(verdict(data)) == ([] if (dealer == "N") == again else ["DEA006"])


# --- totals and winners ----------------------------------------------------------------------------------------------


@pytest.mark.parametrize(("total", "wrong"), [(10, []), (15, [("SCO002", "/deals/0/claimed/totals/0")])])
def test_a_total_is_the_sum_of_a_score_that_only_the_sheet_tells(total: int, wrong: list[tuple[str, str]]) -> None:
    """Where nothing is on record by which the score is wrong, what is written down has to add up."""
    one = {"number": 1, "events": [], "claimed": {"scores": {"0": 10}, "totals": {"0": total}}}
    assert found(verdict(game("kbabs", 4, one, status="stopped"))) == wrong


def ended(totals: str, winners: str, **options: Any) -> Data:
    """A game of kbabs of which nothing is known but what was written down at its end."""
    deals = [{"number": number, "events": []} for number in range(1, len(LADDER) + 1)]
    claimed = {"totals": dict(zip(SEATS.split(), map(int, totals.split()), strict=True)), "winners": winners.split()}
    return game("kbabs", SEATS, *deals, status="complete", options=options, claimed=claimed)


@pytest.mark.parametrize(
    ("totals", "winners", "tie", "message"),
    [
        ("5 6 7 8", "W", "shared", None),
        ("5 6 7 8", "N", "shared", "won by N, but W won it (N 5, E 6, S 7, W 8)"),
        ("8 8 8 5", "N E S", "shared", None),
        ("8 8 8 5", "N", "shared", "won by N, but E N S won it (N 8, E 8, S 8, W 5)"),
        ("8 8 8 5", "N", "play_off", None),
        ("8 8 8 5", "N E S", "play_off", None),
        ("8 8 8 5", "N E", "play_off", "won by E N, but E N S won it (N 8, E 8, S 8, W 5)"),
        ("8 8 8 5", "W", "play_off", "won by W, but E N S won it (N 8, E 8, S 8, W 5)"),
        ("8 8 8 5", "", "play_off", "won by none, but E N S won it (N 8, E 8, S 8, W 5)"),
    ],
)
def test_who_won_follows_from_the_totals_written_down(totals: str, winners: str, tie: str, message: str | None) -> None:
    """Those who tie share the game, or one of them wins the play-off."""
    told = verdict(ended(totals, winners, tie=tie))
    assert [finding.message for finding in faults(told)] == ([f"the game is recorded as {message}"] if message else [])
    assert "the totals cannot be recomputed, so the winner cannot be checked" in reasons(told, "L6")


@pytest.mark.parametrize("stated", ["in the end", "after the last deal"])
def test_a_winner_by_a_total_that_is_wrong_is_not_wrong_besides(stated: str) -> None:
    """Who had least is written down with five hundred points, and as the winner."""
    data = writing.plain(deal_game(KBABS, 4, 1, options={"ladder": "down"}))
    least = min(data["claimed"]["totals"].items(), key=lambda each: each[1])[0]
    where = "/claimed" if stated == "in the end" else f"/deals/{len(data['deals']) - 1}/claimed"
    data = put(data, "/claimed/winners", [least])
    assert found(verdict(data)) == [("SCO003", "/claimed/winners")]
    assert found(verdict(put(data, f"{where}/totals/{least}", 500))) == [("SCO002", f"{where}/totals/{least}")]


def test_a_winner_of_whom_no_total_tells_is_open() -> None:
    """Nothing is written down but who won."""
    data = ended("0 0 0 0", "W")
    del data["claimed"]["totals"]
    told = verdict(data)
    assert found(told) == []
    assert "the totals cannot be recomputed, so the winner cannot be checked" in reasons(told, "L6")


@pytest.mark.parametrize(("scope", "wrong"), [("hand", ["SCO002"]), ("rubber", [])])
def test_totals_that_count_otherwise_in_the_end_are_open_where_it_is_not_known_how(scope: str, wrong: list[str]) -> None:
    """Whether any hand of the rubber was méchouned or chouned, by which all totals are doubled, is not on record."""
    deals: list[Data] = [{"number": number, "events": []} for number in range(1, len(RUBBER) + 1)]
    deals[-1]["claimed"] = {"totals": {"N": 5}}
    data = game("batarde", SEATS, *deals, status="complete", options={"mechoune_scope": scope}, claimed={"totals": {"N": 10}})
    told = verdict(data)
    assert codes(told) == wrong
    assert ("the totals as they count in the end cannot be recomputed" in reasons(told, "L6")) == (not wrong)


def test_of_totals_that_are_not_all_written_down_nothing_is_told_of_the_end() -> None:
    """They are doubled in the end, which cannot be reckoned of some of them."""
    data = writing.plain(deal_game(BATARDE, 4, 1, options={"mechoune_scope": "rubber"}))
    last = len(data["deals"]) - 1
    totals = data["deals"][last]["claimed"]["totals"]
    assert {seat: 2 * points for seat, points in totals.items()} == data["claimed"]["totals"]
    told = verdict(put(data, f"/deals/{last}/claimed/totals", {"N": totals["N"]}))
    assert (found(told), levels(told)) == ([], "ppppp")


# --- replaying -------------------------------------------------------------------------------------------------------


def two_hands() -> Data:
    """Two deals of Spades: seat 2 reneges in the first, is accused in time, and loses two books for it in the second."""
    first, second = (spades_hand({"do": "accuse", "by": "0", "of": "2", "trick": 4}), spades_hand())
    data = game("spades3", 3, first["deals"][0], second["deals"][0] | {"number": 2, "dealer": "0"})
    for each in data["deals"]:
        del each["claimed"]
    data["deals"][1]["events"].append({"do": "transfer", "by": "0", "of": "2", "tricks": 2, "of_deal": 1})
    return data


def test_a_deal_that_is_replayed_again_leaves_those_before_it_as_they_were() -> None:
    """Books that are taken for a renege of the first deal can be taken each time, and no more of them in one replay."""
    data = two_hands()
    second = data["deals"][1]
    third = {**second, "number": 3, "dealer": "1"}
    record = Record.model_validate(put(data, "/deals", [*data["deals"], third]))
    tables = referee.replay(record, SPADES)
    assert [each.code for each in tables[1].findings if each.code == "CLM007"] == []
    (more,) = [each for each in tables[2].findings if each.code == "CLM007"]  # of three books one was left
    for _ in range(3):
        for index in (2, 1):
            again = referee.replayed(record, SPADES, index, record.deals[index], Past(tables, index))
            assert again.findings == tables[index].findings
            assert again.moved == tables[index].moved
    assert "1 were left of 3" in more.message


def test_what_the_table_saw_is_kept_only_where_it_is_asked_for() -> None:
    """In a deal with a revoke as well."""
    record = Record.model_validate(spades_hand())
    (one,), carried = record.deals, referee.carried_into(record, SPADES, 0, verdict(spades_hand()))
    (table,) = referee.replay(record, SPADES)
    assert "REV001" in [finding.code for finding in table.findings]
    assert table.trace is None
    assert referee.replayed(record, SPADES, 0, one, NO_PAST).trace is None
    assert referee.judged(record, SPADES, 0, one, NO_PAST, carried).trace is None
    assert len(referee.replay(record, SPADES, trace=True)[0].trace or ()) == 39


def test_each_deal_is_tried_quickly_and_once() -> None:
    """Also those after the first that has to be replayed slowly."""
    good = killer_hand()["deals"][0]
    bad = put(killer_hand(), "/deals/0/events/5/card", "2D")["deals"][0]
    record = Record.model_validate(game("kbabs", 4, good, bad | {"number": 12}, good | {"number": 13}, bad | {"number": 14}))
    tried: list[tuple[int, bool]] = []

    def quick(table: Table) -> bool:
        tried.append((table.index, fast.replayed(table)))
        return tried[-1][1]

    told = referee.check(record, find, quick)
    assert [index for index, _ in tried] == [0, 1, 2, 3]
    assert told == referee.check(record, find)


def test_before_the_play_bids_have_been_made_and_no_card_has_been_led() -> None:
    """As if the deal had ended when the first card was led."""
    record = Record.model_validate(killer_hand())
    table = referee.before_play(record, KBABS, 0)
    assert [made and made.value for made in table.bids] == [1, 1, 1, 1]
    assert table.turned == ["TH"]
    assert table.tricks == []


def test_an_earlier_deal_is_known_when_books_are_taken_for_it() -> None:
    """Whether there was a renege is seen there: at most three are due for one."""
    told = verdict(two_hands())
    assert not [code for code in codes(told) if code.startswith("CLM")]
    assert "is not in this record" not in reasons(told, "L5")
    (wrong,) = [each for each in faults(verdict(put(two_hands(), "/deals/1/events/42/tricks", 4))) if each.code == "CLM007"]
    assert wrong.pointer == "/deals/1/events/42/tricks"


def test_while_a_deal_is_played_the_rules_can_look_at_those_before_it() -> None:
    """As they can while a deal is replayed."""
    record = Record.model_validate(two_hands())
    past = Past(referee.replay(record, SPADES))
    assert [*referee.begun(record, SPADES, 1, record.deals[1], past.upto(1)).past] == [past[0]]


def test_what_is_wrong_stands_in_the_order_of_the_record_with_the_slips_among_it() -> None:
    """Deal by deal and place by place, at one place by their codes, whichever follows from which."""
    (first,) = put(killer_hand(), "/deals/0/events/15/card", "3D")["deals"]
    second = sheet("1", "1", "5", number=14)
    told = handrec.check(Record.model_validate(game("kbabs", 4, first, second)))
    card = "/deals/0/events/15/card"
    assert found(told) == [("PLY001", card), ("REC003", card), ("SCO001", "/deals/1/claimed/scores/0")]
    assert [finding.because for finding in faults(told)] == [("REC003", card), None, None]


def test_what_is_wrong_stands_in_the_order_of_the_deals_whatever_numbers_they_state() -> None:
    """A deal with too high a number comes before the next all the same."""
    deals = ({"number": number, "events": []} for number in (1, 5, 4))
    found = verdict(game("kbabs", "N E S W", *deals, status="stopped")).findings
    assert [finding.pointer for finding in found] == ["/deals/1/number", "/deals/2/number"]
