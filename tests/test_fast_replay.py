"""The fast path where few deals lead: plays beside what else happens, boards passed out, and games from outside."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from typing import Any

import pytest

from handrec import fast
from handrec.dealing import deal_game
from handrec.findings import Fault, Verdict
from handrec.game import Game, Phase, Table
from handrec.games import find
from handrec.judging import Judge
from handrec.phases.tricks import Tricks
from handrec.record import Record
from handrec.referee import check
from tests.dealing import GAMES, the
from tests.tables import Data
from tests.test_fast import raised

SIGNED = Fault("TOY001", "unsigned", "L2", "The sheet is signed.", "nobody has signed the sheet")


def dealt(game: Game, number: int = 1, players: int = 4, seed: int = 1, **options: Any) -> tuple[Data, Data]:
    """A record with one deal of a game as plain data, nothing being claimed of it, and that deal."""
    record = deal_game(game, players if players in game.players else 3, seed, options=options, numbers=[number])
    data: Data = record.model_dump(mode="json", exclude_unset=True, by_alias=True)
    data.pop("claimed", None)
    (deal,) = data["deals"]
    deal.pop("claimed", None)
    return data, deal


def places(deal: Data, do: str = "play") -> list[int]:
    """Where the events of a kind stand."""
    return [place for place, event in enumerate(deal["events"]) if event["do"] == do]


def judged(data: Data, game: Game | None = None) -> tuple[Verdict, bool]:
    """What is said of a record, which the fast path and the referee must agree on; and whether the deal was taken."""
    record, known, took = Record.model_validate(data), find if game is None else lambda key: game, list[bool]()

    def quick(table: Table) -> bool:
        took.append(fast.replayed(table))
        return took[-1]

    due = check(record, known)
    assert Judge(known, failed=raised).verdict(record) == due
    assert check(record, known, quick) == due
    return due, took == [True]


def codes(verdict: Verdict) -> set[str]:
    """The codes of what was found."""
    return {finding.code for finding in verdict.findings}


# --- what happens besides the plays ---------------------------------------------------------------------------------


@pytest.mark.parametrize("left", [1, 2, 3])
@pytest.mark.parametrize("game", GAMES, ids=lambda game: game.key)
def test_what_is_played_after_the_rest_is_claimed_is_too_much(game: Game, left: int) -> None:
    """However few tricks were left when they were claimed, also if all of them were played."""
    data, deal = dealt(game, 3)
    seat, many = data["players"][0]["seat"], len(data["players"])
    claim = {"do": "claim", "by": seat, "tricks": {seat: left}}
    deal["events"].insert(places(deal)[-left * many], claim)
    for deal["status"] in ("complete", "claimed"):
        verdict, took = judged(data)
        assert "PLY006" in codes(verdict)
        assert not took


def test_what_follows_a_deal_of_one_card_each_stands_where_it_is_written() -> None:
    """An accusation after the only trick, before which more has happened than cards are played."""
    kbabs = the("kbabs")
    schedule = kbabs.cards(4)
    assert not isinstance(schedule, int)
    data, deal = dealt(kbabs, 1 + schedule.index(1))
    deal["events"].append({"do": "accuse", "by": "N", "of": "E"})
    verdict, took = judged(data)
    (finding,) = verdict.findings
    assert (finding.code, finding.pointer) == ("CLM002", f"/deals/0/events/{len(deal['events']) - 1}")
    assert took


def test_a_guess_out_of_turn_is_told_while_more_guesses_may_come() -> None:
    """The deal goes on, so who has not guessed yet has not been left out of the record."""
    data, deal = dealt(the("bastard"), players=3)
    first, _, last = places(deal, "announce")
    deal["events"] = [*deal["events"][:first], deal["events"][last]]
    data["status"] = deal["status"] = "in_progress"
    assert "BID013" in codes(judged(data)[0])
    deal["status"] = "stopped"
    assert "BID013" not in codes(judged(data)[0])


def test_a_claim_in_the_first_trick_is_in_order_where_nothing_comes_before_the_lead() -> None:
    """Hearts, in a deal in which nothing is passed."""
    data, deal = dealt(the("hearts"), 4)
    del deal["events"][1:]
    deal["events"].append({"do": "claim", "by": "N", "tricks": {"N": 13}})
    deal["status"] = "claimed"
    verdict, took = judged(data)
    assert not verdict.findings
    assert took


def test_four_cards_of_a_board_are_one_trick_whoever_won_it() -> None:
    """Where no call says what is trump and no card whose it is, the trick is the one that is written down, and it is over."""
    data, deal = dealt(the("bridge"))
    plays = [deal["events"][place] for place in places(deal)[:4]]
    deal |= {"events": [{"do": "play", "card": play["card"]} for play in plays], "status": "stopped"}
    verdict, _ = judged(data)
    (trick,) = verdict.deals[0].played
    assert trick.plays == tuple((play["by"], play["card"]) for play in plays)
    assert not verdict.findings


# --- boards that were passed out ------------------------------------------------------------------------------------


def passed_out(*more: Data, status: str = "complete") -> Data:
    """A board of bridge at which all pass, and what happens all the same."""
    data, deal = dealt(the("bridge"))
    calls = [{"do": "bid", "by": seat, "bid": "pass"} for seat in "NESW"]
    data["deals"] = [{key: deal[key] for key in ("number", "dealer", "cards", "hands") if key in deal}]
    data["deals"][0] |= {"events": [*calls, *more], "status": status, "dealer": "N"}
    return data


PASSED: dict[str, tuple[tuple[Data, ...], set[str]]] = {
    "nothing": ((), set()),
    "unknown": (({"do": "announce", "by": "N", "what": "unheard"},), {"PLY007"}),
    "claim": (({"do": "claim", "by": "N", "tricks": {"N": 3}},), {"CLM001"}),
    "accusation": (({"do": "accuse", "by": "N", "of": "E"},), {"CLM002"}),
}


@pytest.mark.parametrize("what", PASSED)
def test_what_happens_after_all_have_passed_is_not_passed_over(what: str) -> None:
    """What the game does not know, a claim, an accusation."""
    more, due = PASSED[what]
    verdict, took = judged(passed_out(*more))
    assert codes(verdict) == due
    assert took == (not more)


@pytest.mark.parametrize("status", ["complete", "claimed", "stopped"])
@pytest.mark.parametrize("many", [1, 3])
def test_nobody_plays_after_all_have_passed(many: int, status: str) -> None:
    """However few cards are on record, and however the board is said to have ended."""
    data = passed_out(status=status)
    deal = data["deals"][0]
    deal["events"] += [{"do": "play", "by": seat, "card": deal["hands"][seat][0]} for seat in "ESW"[:many]]
    verdict, took = judged(data)
    assert "BID030" in codes(verdict)
    assert not took


# --- cards that are turned while the game is played -----------------------------------------------------------------

#: The Bastards without a seat of their own in which each trick has a card turned for it.
STACKED: tuple[Data, ...] = ({"mega": True}, {"ultra": True}, {"demon": True}, {"mega": True, "ultra": True})


@pytest.mark.parametrize("options", STACKED, ids=" ".join)
def test_each_trick_goes_by_its_own_card(options: Data) -> None:
    """Whether each is turned on record, or all that is on record is how they lie."""
    for seed in range(3):
        data, deal = dealt(the("bastard"), players=3, seed=seed, **options)
        verdict, took = judged(data)
        assert took
        assert not verdict.findings
        deal["events"] = [event for event in deal["events"] if event["do"] != "turn"]
        unturned, took = judged(data)
        assert took
        assert [trick.winner for trick in unturned.deals[0].played] == [trick.winner for trick in verdict.deals[0].played]


def test_a_first_trick_before_which_nothing_is_turned_may_be_out_of_order() -> None:
    """In Back End, where the first card is turned when it is over."""
    data, deal = dealt(the("bastard"), players=3, ultra=True, back_end=True)
    _, second, third = places(deal)[:3]
    events = deal["events"]
    events[second], events[third] = events[third], events[second]
    verdict, took = judged(data)
    assert "PLY003" in codes(verdict)
    assert not took


# --- games from outside ---------------------------------------------------------------------------------------------


def having(key: str, *phases: Phase, **parts: Any) -> Game:
    """A game with more phases, before its own, and with other parts to how it is played."""
    game = the(key)
    own = [replace(each, **parts) if type(each) is Tricks else each for each in game.phases]
    return replace(game, phases=(*phases, *own))


class OpenedUnsigned(Phase):
    """A sheet that is looked at before the first event."""

    def open(self, table: Table) -> None:
        """Nobody has signed it."""
        table.fault(SIGNED)


class LaidUnsigned(Phase):
    """A sheet that is looked at in the end, or, where all that comes before the first lead is laid down, with that."""

    def lay(self, table: Table, place: int) -> int:
        """Nobody has signed it."""
        self.close(table)
        return place

    def close(self, table: Table) -> None:
        """Nobody has signed it."""
        table.fault(SIGNED)


class ClosedUnsigned(Phase):
    """A sheet that is looked at in the end."""

    def close(self, table: Table) -> None:
        """Nobody has signed it."""
        table.fault(SIGNED)


class AskedBefore(Phase):
    """A sheet that is looked at when the play is over, and before its tricks are counted."""

    def close(self, table: Table) -> None:
        """It is signed when they are."""
        if not table.counted:
            table.fault(SIGNED)


class Misdealt(Phase):
    """Somebody may say that a deal is none."""

    kinds = ("announce:misdeal",)

    def take(self, table: Table, place: int, event: Any) -> None:
        """Then nothing more of it is looked at."""
        table.stop(f"deal {table.number}: it is said to be misdealt")


@pytest.mark.parametrize("sheet", [OpenedUnsigned, LaidUnsigned, ClosedUnsigned])
def test_a_phase_has_its_say_once(sheet: Callable[[], Phase]) -> None:
    """Before a deal in which nothing else comes before the lead, and after it; of a board that was passed out, too."""
    game = having("hearts", sheet())
    verdict, took = judged(dealt(game, 4)[0], game)
    assert took
    assert [finding.code for finding in verdict.findings] == ["TOY001"]
    game = having("bridge", sheet())
    assert [finding.code for finding in judged(passed_out(), game)[0].findings] == ["TOY001"]


@pytest.mark.parametrize(("many", "status"), [(52, "complete"), (52, "stopped"), (6, "stopped"), (6, "claimed")])
def test_tricks_are_counted_when_the_play_closes_and_not_before(many: int, status: str) -> None:
    """However the deal is said to have ended."""
    game = having("hearts", AskedBefore())
    data, deal = dealt(game, 4)
    del deal["events"][many:]
    deal["status"] = status
    if status == "claimed":
        deal["events"].append({"do": "claim", "by": "N", "tricks": {"N": 12}})
    verdict, took = judged(data, game)
    assert codes(verdict) == {"TOY001"}
    assert took == (many == 52)


def test_nothing_is_taken_at_a_table_that_has_stopped() -> None:
    game = having("hearts", Misdealt())
    data, deal = dealt(game, 4)
    deal["events"].insert(0, {"do": "announce", "by": "N", "what": "misdeal"})
    verdict, took = judged(data, game)
    assert not verdict.deals[0].played
    assert not took


def first_goes_back(table: Table, leader: int, trick: int) -> list[int]:
    """The seats in turn where the first trick goes the other way round."""
    seats = table.clockwise(leader)
    return [seats[0], *reversed(seats[1:])] if trick == 1 else seats


def test_a_first_trick_that_goes_the_other_way_is_followed_by_others_that_do_not() -> None:
    """And who plays to the second as to the first plays out of turn."""
    game = having("whist", turns=first_goes_back)
    data, deal = dealt(game)
    verdict, took = judged(data, game)
    assert took
    assert not verdict.findings
    events, second = deal["events"], places(deal)[4:8]
    one, other = second[1], second[3]
    events[one], events[other] = events[other], events[one]
    verdict, took = judged(data, game)
    assert "PLY003" in codes(verdict)
    assert not took
