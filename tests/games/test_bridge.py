"""Contract bridge, the play of the cards: every rule obeyed, and every rule broken."""

from __future__ import annotations

import re
from typing import Any

import pytest

from tests.tables import Data, codes, cut, deal, drop, faults, game, insert, legal, levels, places, put, reasons, verdict

HANDS = (
    "N: AS KS 5S 4S AH 7H 3H QD 8D 2D KC 6C 2C | E: QS JS 6S KH QH 8H 4H AD 7D 3D QC 7C 3C"
    "| S: TS 9S 3S 2S JH 9H 2H KD JD 4D AC 8C 4C | W: 8S 7S TH 6H 5H TD 9D 6D 5D JC TC 9C 5C"
)
#: South declares, West leads, North is dummy: South, North, North and East win. Events 1 to 16.
PLAYS = "W JC, N 2C, E 3C, S AC; S 2S, W 7S, N KS, E 6S; N AS, E JS, S 3S, W 8S; N 4S, E QS, S TS, W 5D"
#: The rest: nine more tricks, to North, South, East, East, South, South, South, North and East.
REST = (
    "; E KH, S 2H, W 5H, N AH; N 5S, E 3D, S 9S, W 6D; S 4D, W TD, N QD, E AD; E QH, S 9H, W 6H, N 3H; E 8H, S JH, W TH, N 7H"
    "; S KD, W 9D, N 2D, E 7D; S JD, W 5C, N 8D, E 4H; S 4C, W 9C, N KC, E 7C; N 6C, E QC, S 8C, W TC"
)


def table(plays: str = PLAYS, bid: str | int = "4S", by: str = "S", hands: str | None = HANDS, **fields: Any) -> Data:
    """A deal of bridge, its contract at event 0; its play is broken off unless `status` says otherwise."""
    played = deal(hands=hands, plays=plays, **{"status": "claimed", **fields})
    return insert(game("bridge", "N E S W", played), "/deals/0/events/0", {"do": "contract", "by": by, "bid": bid})


def found(data: Data) -> list[tuple[Any, ...]]:
    """Code, rule, trick, seat and place within the deal of all that is wrong."""
    return [(code, rule, trick, seat, spot[8:]) for code, rule, _, trick, seat, spot in places(faults(verdict(data)))]


def cards(text: str) -> set[str]:
    return set(text.split())


def winners(data: Data) -> str:
    return " ".join(trick.winner or "-" for trick in verdict(data).deals[0].played)


# --- sound play -----------------------------------------------------------------------------------------------------


def test_a_deal_played_to_the_end() -> None:
    told = verdict(table(PLAYS + REST, status="complete"))
    assert told.findings == ()
    assert levels(told) == "ppp??"
    assert winners(table(PLAYS + REST)) == "S N N E N S E E S S S N E"
    assert told.deals[0].tricks == {"N": 4, "E": 4, "S": 5, "W": 0}
    assert told.deals[0].order == "S"


def test_cards_without_their_players_are_the_players_in_turn() -> None:
    bare = re.sub(r"[NESW] ", "", PLAYS)
    assert winners(table(bare)) == "S N N E"
    assert levels(verdict(table(bare))) == "ppp??"


@pytest.mark.parametrize(("bid", "winner"), [("7D", "S"), ("NT", "E"), ("1H", "E"), ("2C", "N")])
def test_the_highest_trump_wins_or_else_the_highest_card_of_the_suit_led(bid: str, winner: str) -> None:
    """BR-44E. East leads the queen of hearts; South has diamonds, North clubs left."""
    hands = "N: 2C 9S | E: QH 2H | S: 2D 9C | W: 3H AH"
    data = table("E QH, S 2D, W 3H, N 2C", bid, by="N", hands=hands)
    assert winners(data) == winner


# --- BR-41: the opening lead ----------------------------------------------------------------------------------------


def test_the_player_to_the_declarers_left_leads() -> None:
    assert found(table(by="S", leader="W")) == []
    assert found(table(by="S", leader="N")) == [("TRK003", "BR-41", None, None, "/leader")]


def test_an_opening_lead_by_another() -> None:
    data = table("N 2C, E 3C, S AC, W JC; S 2S, W 7S, N KS, E 6S")
    assert [row[:1] + row[2:] for row in found(data)] == [("PLY004", 1, "N", "/events/1/by")]


# --- BR-44A: clockwise, each in turn --------------------------------------------------------------------------------


def test_a_play_out_of_turn() -> None:
    data = table("W JC, E 3C, N 2C, S AC; S 2S, W 7S, N KS, E 6S")
    assert found(data) == [("PLY003", "BR-44A", 1, "E", "/events/2/by")]


def test_dummys_cards_are_played_by_dummys_seat() -> None:
    assert found(table("W JC, N 2C, E 3C, S AC")) == []
    assert found(table("W JC, S 2C, E 3C, S AC; S 2S, W 7S, S KS, E 6S")) == []


# --- BR-44C: follow suit --------------------------------------------------------------------------------------------


def test_a_revoke() -> None:
    data = put(put(table(), "/deals/0/events/6/card", "5D"), "/deals/0/events/16/card", "7S")
    assert found(data) == [("REV001", "BR-44C", 2, "W", "/events/6/card")]
    [revoke] = faults(verdict(data))
    assert revoke.facts["could"] == ["8S", "7S"]
    assert revoke.message == "W played 5D on a lead of 2S while holding 8S 7S"
    assert levels(verdict(data))[2] == "F"


def test_what_may_be_played() -> None:
    data = table()
    assert legal(data, 1) == cards("8S 7S TH 6H 5H TD 9D 6D 5D JC TC 9C 5C")  # any card is led
    assert legal(data, 2) == {"KC", "6C", "2C"}  # who can follow follows
    assert legal(data, 16) == cards("TH 6H 5H TD 9D 6D 5D TC 9C 5C")  # who cannot plays anything


def test_a_hand_without_the_suit_led_may_ruff_or_discard() -> None:
    for card in ("2S", "9C"):
        told = verdict(table(f"E QH, S {card}, W 3H, N 2C", by="N", hands="N: 2C 9S | E: QH 2H | S: 2S 9C | W: 3H AH"))
        assert [code for code in codes(told) if code.startswith("REV")] == []


# --- BR-44E, BR-44G: who wins leads ---------------------------------------------------------------------------------


def test_the_winner_leads_to_the_next_trick() -> None:
    data = table("W JC, N 2C, E 3C, S AC; N KS, E 6S, S 2S, W 7S; N AS, E JS, S 3S, W 8S")
    assert found(data) == [("PLY004", "BR-44G", 2, "N", "/events/5/by")]


def test_a_lead_from_the_wrong_hand_is_dummys_under_whichever_name() -> None:
    """Declarer won and leads a card of dummy's: dummy leads out of turn, and what was won before was won by declarer."""
    for name in "NS":
        data = table(f"W JC, N 2C, E 3C, S AC; {name} KS, E 6S, S 2S, W 7S")
        [finding] = faults(verdict(data))
        assert (finding.code, finding.rule, finding.trick, finding.seat) == ("PLY004", "BR-44G", 2, "N")


def test_only_declarer_plays_cards_of_dummys() -> None:
    """East's name at a card of dummy's is the wrong one; and declarer in its own turn plays none of them."""
    named, own = put(table(), "/deals/0/events/2/by", "E"), put(table(), "/deals/0/events/4/card", "AS")
    assert found(named) == [("PLY003", "BR-44A", 1, "E", "/events/2/by")]
    assert found(own) == [("PLY001", "C-6d", 1, "S", "/events/4/card")]


def test_winners_claimed_are_compared() -> None:
    whole = table(PLAYS + REST, status="complete", claimed={"winners": list("SNNENSEESSSNE")})
    assert levels(verdict(whole)) == "pppp?"
    assert found(put(whole, "/deals/0/claimed/winners/3", "S")) == [("TRK001", "BR-44E", 4, "S", "/claimed/winners/3")]


# --- BR-18: contracts -----------------------------------------------------------------------------------------------


@pytest.mark.parametrize(("bid", "order"), [("4H", "H"), ("3NTx", "NT"), ("7Nxx", "NT"), ("S", "S"), ("NT", "NT"), ("1CX", "C")])
def test_contracts(bid: str, order: str) -> None:
    told = verdict(cut(table(bid=bid), 5))
    assert (codes(told), told.deals[0].order) == ([], order)


@pytest.mark.parametrize("bid", ["8H", "0S", "4", "H4", "4Hxxx", "3SA", "Pass", "4h", 4, -1])
def test_what_is_no_contract(bid: str | int) -> None:
    told = verdict(cut(table(bid=bid), 5))
    assert found(cut(table(bid=bid), 5)) == [("BID002", "BR-18", None, "S", "/events/0/bid")]
    assert told.deals[0].order is None
    assert levels(told)[2] == "?"  # without trump no play can be judged


def test_without_a_contract() -> None:
    told = verdict(drop(table(), "/deals/0/events/0"))
    assert codes(told) == []
    assert levels(told)[1:3] == "??"
    assert "the contract is not recorded" in reasons(told, "L3")


# --- BR-68: claims --------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(("tricks", "right"), [({"S": 9}, True), ({"N": 4, "E": 5}, True), ({"S": 10}, False), ({"S": 8}, False)])
def test_a_claim_divides_the_tricks_that_are_left(tricks: dict[str, int], right: bool) -> None:
    data = table(then=[{"do": "claim", "by": "S", "tricks": tricks}])
    assert found(data) == ([] if right else [("CLM001", "BR-68", None, "S", "/events/17/tricks")])
    won = {"N": 2, "E": 1, "S": 1, "W": 0}
    expected = {seat: number + tricks.get(seat, 0) for seat, number in won.items()} if right else None
    assert verdict(data).deals[0].tricks == expected


# --- BR-1, BR-6: pack, players, hands -------------------------------------------------------------------------------


def test_the_pack_and_the_hands() -> None:
    assert found(put(table(), "/deals/0/hands/W/0", "BJ"))[0] == ("DEA001", "BR-1", None, "W", "/hands/W/0")
    twice = put(cut(table(), 1), "/deals/0/hands/W/2", "AS")
    assert found(twice) == [("DEA002", "C-6b", None, "W", "/hands/W/2")]
    short = drop(table(), "/deals/0/hands/W/2")
    assert found(short) == [("DEA003", "BR-6", None, "W", "/hands/W")]


def test_three_players() -> None:
    data = drop(drop(table(plays=""), "/players/3"), "/deals/0/hands/W")
    assert [row[:2] for row in found(data)] == [("DEA004", "BR-1")]


def test_a_card_not_held_and_a_card_played_twice() -> None:
    assert found(put(table(), "/deals/0/events/16/card", "2H")) == [("PLY001", "C-6d", 4, "W", "/events/16/card")]
    assert found(put(table(), "/deals/0/events/16/card", "7S"))[0] == ("PLY002", "C-6d", 4, "W", "/events/16/card")


# --- hands that are not known ---------------------------------------------------------------------------------------


def test_an_unknown_hand_is_judged_by_what_it_plays_later() -> None:
    hidden = drop(table(), "/deals/0/hands/W")
    told = verdict(hidden)
    assert (codes(told), levels(told)[2]) == ([], "?")
    assert "W's hand is not known in full" in reasons(told, "L4")
    revoke = put(put(hidden, "/deals/0/events/6/card", "5D"), "/deals/0/events/16/card", "7S")
    assert found(revoke) == [("REV001", "BR-44C", 2, "W", "/events/6/card")]


def test_all_hands_unknown() -> None:
    told = verdict(table(hands=None))
    assert codes(told) == []
    assert levels(told) == "?p???"
    assert winners(table(hands=None)) == "S N N E"
    whole = verdict(table(PLAYS + REST, hands=None, status="complete"))
    assert (codes(whole), levels(whole)[2]) == ([], "p")  # who plays all thirteen cards has shown the hand
