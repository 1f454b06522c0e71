"""Slips of single cards and calls at sight: which of several is told, at which place, in which words, and what beside it."""

from __future__ import annotations

from copy import deepcopy
from random import Random
from typing import Any

import pytest

from handrec import check
from handrec.explanations import auctions, calls, cards
from handrec.explanations.pen import Reach
from handrec.explanations.pen.calls import called
from handrec.findings import Finding, Verdict
from handrec.record import Record
from tests.games.test_batarde_rules import auction, say
from tests.planting import dealt, without
from tests.tables import Data, bids_of, deal, drop, game, plays_of
from tests.test_explanations import TRUTH, place, short, taken_apart, with_cards


def told(data: Data) -> Verdict:
    """The verdict on a record in plain data."""
    return check(Record.model_validate(data))


def counted(data: Data) -> list[tuple[str, str]]:
    """What is counted: codes, and pointers within the deal."""
    return [(finding.code, finding.pointer.removeprefix("/deals/0")) for finding in told(data).faults]


def only(data: Data) -> Finding:
    """The one finding that is counted."""
    (finding,) = told(data).faults
    return finding


def beside(finding: Finding) -> list[str]:
    """The slips that are told beside a finding, in their order."""
    return [near.words for near in finding.near]


# --- auctions of bridge ----------------------------------------------------------------------------------------------


def board(words: str, contract: str | None = None, plays: str = "", **fields: Any) -> Data:
    """A board that N dealt; a call is its seat's in turn unless another is written before it, `S:pass`."""
    said = [
        f"{'NESW'[spot % 4]} {word}" if ":" not in word else word.replace(":", " ") for spot, word in enumerate(words.split())
    ]
    events = bids_of(", ".join(said))
    if contract:
        level, by = contract.split()
        events.append({"do": "contract", "bid": level, "by": by})
    events += plays_of(plays)
    return game("bridge", "N E S W", {"dealer": "N", "status": "stopped", **fields, "events": events})


#: E bids too little over 1S, and the contract is that of the bid after it.
TOO_LOW = board("1S 1H 2S pass pass pass", "2S N")


def test_two_calls_under_other_seats_that_are_no_neighbours_are_two_faults() -> None:
    """Calls that change places stand next to each other; one slip does not set two to other seats that stand apart."""
    assert counted(board("1H S:pass pass N:pass")) == [("BID001", "/events/1/by"), ("BID001", "/events/3/by")]


def test_a_pass_is_likelier_than_a_bid_misread_and_that_than_another_call() -> None:
    """Of the calls that may stand in one's place a pass comes first, then those that differ by a character."""
    words = beside(only(TOO_LOW))
    assert words == [f"{call} for E's 1H" for call in ("pass", "2H", "X", "1NT", "2C", "2D")]


@pytest.mark.parametrize(
    ("data", "likelier", "other"),
    [
        (board("7NT 7S pass pass pass"), "N's 7NT and E's 7S exchanged", "X for E's 7S"),
        (board("7NT 7NT pass pass pass"), "E's 7NT written twice", "X for E's 7NT"),
        (board("pass X 7NT pass pass pass"), "E's X and S's 7NT exchanged", "2NT for N's pass"),
    ],
)
def test_calls_exchanged_or_doubled_are_likelier_than_a_call_altogether_misread(data: Data, likelier: str, other: str) -> None:
    """Words that stand there, in another place or once too often, are nearer than one of which nothing stands there."""
    words = beside(only(data))
    assert words.index(likelier) < words.index(other)


def test_a_wrong_first_lead_may_be_a_call_that_made_another_declarer() -> None:
    """W leads to trick 1, as if S had bid hearts first: any call that N may have made instead explains it."""
    plays = "W 5C, N 6C, E 7C, S 8C; S 2D, W 3D, N 4D, E 5D"
    finding = only(board("1H pass 2H pass pass pass", plays=plays))
    assert (finding.code, finding.trick) == ("PLY004", 1)
    assert beside(finding)[0] == "pass for N's 1H"


def test_a_call_is_explained_whatever_else_is_wrong_with_the_board() -> None:
    """That the vulnerability is not the board's is another matter."""
    data = board("1S 1H 2S pass pass pass", "2S N", board=1, vulnerable="all")
    low, other = told(data).faults
    assert (low.code, other.code) == ("BID023", "DEA012")
    assert beside(low) == beside(only(TOO_LOW))


def test_calls_of_another_game_are_none_of_bridge() -> None:
    """In La Bâtarde nobody passes: that three passes would make a contract of three calls that rise explains nothing."""
    data = game("batarde", 3, deal(dealer="0", cards=5, bids="0 1C, 1 2C, 2 3C", status="stopped"))
    assert counted(data) == [("BID001", "/events/0")]


def test_a_miswritten_call_is_told_at_its_word() -> None:
    """The contract stated and the score are those of 2NT, and not of the 2C that E is said to have called."""
    points = {"N": -120, "S": -120, "E": 120, "W": 120}
    claimed = {"tricks": {"N": 5, "E": 8, "S": 0, "W": 0}, "scores": points}
    data = board("1S 2C pass pass pass", "2NT E", board=1, status="claimed", claimed=claimed)
    assert counted(data) == [("REC011", "/events/1/bid")]


@pytest.mark.parametrize(
    ("words", "said"),
    [
        ("1H pass W:pass", ["S's pass left out"]),
        ("1H pass pass", [f"{seat}'s pass left out" for seat in "ESW"]),
    ],
)
def test_one_call_that_is_left_out_is_told_with_its_seat(words: str, said: list[str]) -> None:
    """Whose call it was is known, of one."""
    plays = "E 5C, S 6C, W 7C, N 8C"
    assert beside(only(board(words, plays=plays))) == said


@pytest.mark.parametrize(
    ("words", "readable"),
    [
        ("1H pass pass pass", True),
        ("", False),
        ("pass " * (auctions.LONGEST + 1), True),  # one that was written twice
        ("pass " * (auctions.LONGEST + 2), False),
    ],
    ids=["whole", "none", "one too many", "two too many"],
)
def test_whose_turn_calls_were_is_read_of_one_auction(words: str, readable: bool) -> None:
    """Of calls, no more of them than there may be."""
    assert auctions.WrittenCalls(taken_apart(board(words))).readable == readable


def test_whose_turn_calls_were_is_not_read_where_one_was_taken_back_or_nobody_dealt() -> None:
    """A call that was taken back is none of the auction, and without a dealer nobody's turn is known."""
    back = board("1H 1S")
    back["deals"][0]["events"].append({"do": "withdraw", "by": "E", "bid": "1S"})
    for data in (back, drop(board("1H pass"), "/deals/0/dealer")):
        assert not auctions.WrittenCalls(taken_apart(data)).readable


def test_a_dealer_is_miswritten_where_all_call_from_another_seat_on() -> None:
    """Where one of the calls was taken back nothing is told of it."""
    data = board("E:1H S:pass W:2H N:pass")
    assert [slip.fields for slip in auctions.misdealt(taken_apart(data))] == [{"dealer": "E"}]
    data["deals"][0]["events"].append({"do": "withdraw", "by": "N", "bid": "pass"})
    assert [*auctions.misdealt(taken_apart(data))] == []


# --- auctions of numbers and modes -----------------------------------------------------------------------------------


def meant(data: Data) -> list[list[int | str]]:
    """The calls of each auction with one call in another's place, as they are looked for."""
    written = taken_apart(data)
    undone = [slip.undone(written.deal) for slip in calls.miswritten(written)]
    return [[event.bid for event in each.events if event.do == "bid"] for each in undone]


def test_a_call_is_miswritten_for_another_than_itself() -> None:
    """The numbers add up to the cards, and a call comes after the lead: that a call is as written explains neither."""
    data = auction("0 2D, 1 1D, 2 1D, 3 1D", status="stopped")
    data["deals"][0]["events"] += [*plays_of("0 RH"), *bids_of("1 1D")]
    assert {code for code, _ in counted(data)} == {"BID003", "BID007"}
    found = meant(data)
    assert ["2D", "0D", "1D", "1D", "1D"] in found
    assert ["2D", "1D", "1D", "1D", "1D"] not in found


def test_of_numbers_that_nothing_supports_the_lowest_do() -> None:
    """The numbers add up to 13: of all that would mend that in the place of 2's call no more are looked for than are needed."""
    data = auction("0 3D, 1 5D, 2 1D, 3 4D", cards=13)
    data["deals"][0]["claimed"] = {"trump": "H"}
    found = {str(words[2]) for words in meant(data) if str(words[2]).endswith("D")} - {"1D"}
    assert "0D" in found
    assert len(found) == calls.LOWEST


def test_the_next_number_is_looked_for_though_higher_ones_stand() -> None:
    """Nothing but 3, between what 0 imposed and what 0 imposes next in the lowest mode, explains the calls that come late."""
    data = auction("0 2AT, 1 4AT, 2 1AT, 3 0AT, 0 4NT, 1 0NT, 2 0NT, 3 0NT", cards=13)
    assert counted(data) == [("REC011", "/events/3/bid")]


def test_one_more_than_what_stands_is_looked_for_though_less_was_imposed() -> None:
    """0 imposed spades with 1, to which 1 called 2: whoever was to impose a lower mode had to call 3."""
    data = auction("0 1S, 1 2S, 2 2H, 3 1AT", status="stopped")
    data["deals"][0]["events"] += plays_of("0 RH")
    assert ["1S", "2S", "3AT", "1AT"] in meant(data)


def test_a_call_is_miswritten_for_one_in_what_the_sheet_says_was_played() -> None:
    """9S is no call with five cards, and 2S would be the nearest; but the sheet has hearts."""
    data = auction("0 2D, 1 1D, 2 9S")
    data["deals"][0]["claimed"] = {"trump": "H"}
    finding = only(data)
    assert (finding.code, finding.facts["found"], finding.facts["due"]) == ("REC011", "9S", "one in H")


@pytest.mark.parametrize("before", [[], [{"do": "turn", "card": "4S"}]], ids=["first", "after a card turned too soon"])
def test_the_bid_of_who_made_none_is_the_one_that_stands_in_its_turn(before: list[Data]) -> None:
    """Seat 1 bids twice, the second time in the turn of seat 2, who never does: of the first nothing is told."""
    events = [*before, *bids_of("0 H, 1 S, 1 C"), *plays_of("0 2C, 1 3C, 2 4C")]
    verdict = told(game("bugami", 3, deal(dealer="2", then=events, status="stopped")))
    (finding,) = [finding for finding in verdict.faults if finding.code == "REC011"]
    assert finding.pointer == f"/deals/0/events/{len(before) + 2}/by"
    assert finding.facts["or"] == []


def test_a_call_that_was_lost_is_looked_for_before_a_word_and_behind_it() -> None:
    """Méchoune stands between the second call and the third, choune after that."""
    written = taken_apart(auction("0 1S, 1 2S", say("1", "mechoune"), "2 3S", say("2", "choune")))
    slips = [slip for slip in called(written, Reach(events=frozenset({3}))) if slip.words.endswith("left out")]
    assert {[place for place, _ in slip.events or ()].index(None) for slip in slips} == {2, 3, 4}


# --- cards in each other's place, or miswritten ----------------------------------------------------------------------


def test_the_last_card_of_a_trick_and_the_first_of_the_next_may_stand_in_each_others_place() -> None:
    """3 takes the first trick with the ace and leads the two of diamonds, which are written the other way round."""
    hands = "0: KC 3D 9C | 1: 5C 4D 8D | 2: 2C 5D 6D | 3: AC 2D 7D"
    finding = only(short("0 KC, 1 5C, 2 2C, 3 2D; 3 AC, 0 3D, 1 4D, 2 5D; 2 6D, 3 7D, 0 9C, 1 8D", hands=hands))
    assert (finding.code, finding.message) == ("REC002", "2D (trick 1) and AC (trick 2) stand in each other's place")


def test_a_lead_in_another_row_is_told_where_others_seem_to_revoke() -> None:
    """3 leads the ace of clubs to the second trick, and the two of diamonds to the third: the others cannot all have revoked."""
    hands = "0: KC 3C 9D | 1: 5C 4C 8D | 2: 2C 6C 6D | 3: QC AC 2D"
    rows = "0 KC, 1 5C, 2 2C, 3 QC; 0 3C, 1 4C, 2 6C, 3 AC; 3 2D, 0 9D, 1 8D, 2 6D"
    assert told(short(rows, hands=hands)).ok
    finding = only(short("0 KC, 1 5C, 2 2C, 3 QC; 0 9D, 1 4C, 2 6C, 3 AC; 3 2D, 0 3C, 1 8D, 2 6D", hands=hands))
    assert (finding.code, finding.message) == ("REC002", "9D (trick 2) and 3C (trick 3) stand in each other's place")


def test_a_revoke_that_alone_is_found_is_no_slip() -> None:
    """A card of the suit led is played one trick late, and nothing else is wrong: somebody may have done that."""
    hands = "0: KC 3C 9D | 1: 5C 4C 8D | 2: 2C 6C 6D | 3: QC AC 2D"
    verdict = told(short("0 KC, 1 5C, 2 2C, 3 QC; 0 3C, 1 8D, 2 6C, 3 AC; 3 2D, 0 9D, 1 4C, 2 6D", hands=hands))
    assert [finding.code for finding in verdict.faults] == ["REV001"]


def test_a_lead_is_miswritten_for_a_card_of_the_suit_that_most_show() -> None:
    """Two play clubs and one, who has none, a diamond on what is written as a heart; and a nine of clubs has won."""
    data = short("0 5H, 1 6C, 2 9C, 3 8D; 2 AH, 3 9H, 0 TH, 1 2H")
    finding = only(data)
    assert (finding.code, finding.facts["found"], finding.facts["due"]) == ("REC003", "5H", "5C")


@pytest.mark.parametrize(("card", "trick"), [("2C", 3), ("3C", 3)])
def test_a_card_that_no_hand_has_is_miswritten_or_left_out_of_the_hand(card: str, trick: int) -> None:
    """Whichever card it is, the first of the pack like any other."""
    data = deepcopy(TRUTH)
    del data["deals"][0]["aside"]
    holder, spare = {"2C": ("N", "7C"), "3C": ("W", "7C")}[card]
    hands, events = data["deals"][0]["hands"], data["deals"][0]["events"]
    hands[holder] = [spare if each == card else each for each in hands[holder]]
    for event in events:
        event.update({"card": spare} if event.get("card") == card else {})
    assert not told(data).faults
    finding = only(with_cards({(trick, "E"): card}, data))
    assert (finding.code, finding.facts["due"], finding.facts["or"]) == ("REC003", "KC", ["hand-card"])


def test_two_exchanges_of_a_seats_cards_do_not_hide_a_third_that_is_miswritten() -> None:
    """E's cards of two tricks stand in others' places: that of a third is miswritten for the one that is left over."""
    cards = {(1, "E"): "AH", (1, "W"): "6S", (2, "E"): "9D", (2, "N"): "9H", (3, "E"): "KD"}
    verdict = told(with_cards(cards))
    assert sorted(finding.code for finding in verdict.faults) == ["REC002", "REC002", "REC003"]
    assert next(finding for finding in verdict.faults if finding.code == "REC003").facts["due"] == "KC"


@pytest.mark.parametrize(("seat", "card", "before"), [("W", "AH", (2, "S")), ("N", "9S", (3, "W"))])
def test_a_card_written_twice_is_told_where_it_stands_again(seat: str, card: str, before: tuple[int, str]) -> None:
    """The later of the two is the one too many, where the turns say so."""
    data, spot = deepcopy(TRUTH), place(*before) + 1
    data["deals"][0]["events"].insert(spot, {"do": "play", "by": seat, "card": card})
    assert counted(data) == [("REC005", f"/events/{spot}")]


# --- cards that are left out -----------------------------------------------------------------------------------------


def lacking(trick: int, seat: str, data: Data = TRUTH) -> Data:
    """The deal without a seat's card to a trick."""
    data, card = deepcopy(data), TRUTH["deals"][0]["events"][place(trick, seat)]["card"]
    data["deals"][0]["events"] = [event for event in data["deals"][0]["events"] if event.get("card") != card]
    return data


def bare() -> Data:
    """The deal without its dealer, bids and sheet: who led first nobody knows."""
    data = deepcopy(TRUTH)
    part = data["deals"][0]
    del part["dealer"], part["claimed"]
    part["events"] = [event for event in part["events"] if event["do"] != "bid"]
    return data


def cards_of(data: Data) -> list[str]:
    """The card of each event."""
    return [str(event.get("card")) for event in data["deals"][0]["events"]]


def left_out(data: Data) -> tuple[str, str, int]:
    """A card that is told as left out, whose it was, and in which trick."""
    (finding,) = [finding for finding in told(data).faults if finding.code == "REC004"]
    return finding.facts["card"], finding.facts["owner"], finding.trick or 0


@pytest.mark.parametrize(("trick", "seat"), [(2, "N"), (3, "E"), (3, "W"), (4, "E"), (5, "N"), (5, "E"), (5, "S"), (5, "W")])
def test_a_card_left_out_of_any_trick_is_told_there(trick: int, seat: str) -> None:
    """In tricks after the first too, whether anybody leads after it or not."""
    card = TRUTH["deals"][0]["events"][place(trick, seat)]["card"]
    assert left_out(lacking(trick, seat)) == (card, seat, trick)
    assert len(told(lacking(trick, seat)).faults) == 1


def test_a_card_left_out_where_a_seat_has_several_is_the_one_that_lets_the_next_lead() -> None:
    """In a deal broken off N has more than one card left; that S led trick 3 tells which was played to trick 2."""
    data = deepcopy(TRUTH)
    data["deals"][0].update(events=data["deals"][0]["events"][:17], status="stopped")
    del data["deals"][0]["claimed"]
    assert left_out(lacking(2, "N", data)) == ("9D", "N", 2)
    assert only(lacking(2, "E", data)).facts["or"] == ["play-lost", "play-lost"]


def test_a_card_written_after_its_turn_is_not_left_out_where_nobody_has_played_fewer() -> None:
    """3 led to trick 2, and its lead stands at the end of the row: all have played two cards, whatever 3 has left."""
    hands = "0: 5C 2D 2H 3H 9H | 1: 6C 3D 4H 5H TH | 2: 7C 4D 6H 7H JH | 3: 8C KC AD KD QD"
    plays = "0 5C, 1 6C, 2 7C, 3 8C; 0 2D, 1 3D, 2 4D, 3 AD"
    bids = "0 0, 1 0, 2 0, 3 3"
    played = deal(number=9, dealer="3", cards=5, hands=hands, turn="KS", bids=bids, plays=plays, status="stopped")
    finding = only(game("kbabs", 4, played))
    assert (finding.code, finding.trick) == ("PLY004", 2)
    assert beside(finding) == ["the cards of trick 2 written in another order"]


@pytest.mark.parametrize(("trick", "seat", "after"), [(1, "E", "9S"), (2, "S", "9H"), (3, "N", "5C"), (4, "W", "TS")])
def test_a_card_left_out_is_told_beside_the_card_before_it_though_nobody_knows_who_led(trick: int, seat: str, after: str) -> None:
    """Without a dealer the trick that lacks a card shows in which row it belongs."""
    data = lacking(trick, seat, bare())
    assert counted(data) == [("REC004", f"/events/{cards_of(data).index(after)}")]


@pytest.mark.parametrize(("trick", "leader", "seat", "next_"), [(2, "N", "E", "TD"), (3, "S", "W", "2C"), (5, "S", "W", "8H")])
def test_a_card_left_out_after_one_that_nobody_saw_belongs_before_the_first_that_is_known(
    trick: int, leader: str, seat: str, next_: str
) -> None:
    """The lead of the trick is unknown, so the place of the second card is told by the third."""
    data = lacking(trick, seat, bare())
    spot = cards_of(data).index(TRUTH["deals"][0]["events"][place(trick, leader)]["card"])
    data["deals"][0]["events"][spot]["card"] = "??"
    card = TRUTH["deals"][0]["events"][place(trick, seat)]["card"]
    assert left_out(data) == (card, seat, trick)
    assert counted(data) == [("REC004", f"/events/{cards_of(data).index(next_) - 1}")]


def test_a_card_left_out_is_looked_for_in_its_own_trick_alone() -> None:
    """Three winners that are written wrong, of other tricks, do not keep it from being told."""
    data = lacking(4, "S", bare())
    data["deals"][0]["claimed"] = {"winners": ["W", "E", "N", "S", "N"]}
    assert [code for code, _ in counted(data)].count("TRK001") == 3
    assert left_out(data) == ("TS", "S", 4)


@pytest.mark.parametrize(("trick", "seat"), [(2, "N"), (3, "S"), (5, "S")])
def test_a_lead_left_out_is_told_where_it_belongs_though_nobody_knows_who_led_first(trick: int, seat: str) -> None:
    """Who won the trick before led this one, whoever seems to."""
    data = lacking(trick, seat, bare())
    assert left_out(data) == (TRUTH["deals"][0]["events"][place(trick, seat)]["card"], seat, trick)
    assert [code for code, _ in counted(data)] == ["REC004"]


@pytest.mark.parametrize("seed", [0, 3])
@pytest.mark.parametrize("key", ["kbabs", "bridge", "whist", "hearts", "oh_hell", "spades3", "bugami", "batarde", "bastard"])
def test_a_card_left_out_of_plays_without_names_accuses_nobody(key: str, seed: int) -> None:
    """The hands tell whose the cards after it are, though each seems to be the next seat's."""
    data = without(dealt(key, seed) or {}, hands=True, claims=False)
    events = data["deals"][0]["events"]
    plays = [event for event in events if event["do"] == "play"]
    gone = Random(seed).choice(plays[:-1])
    owner = gone["by"]
    events.remove(gone)
    for play in plays:
        play.pop("by", None)
    finding = only(data)
    assert (finding.code, finding.facts["card"], finding.facts["owner"]) == ("REC004", gone["card"], owner)


def test_a_card_written_twice_by_two_seats_may_be_miswritten_in_either_place() -> None:
    """Where no hand is known, what was meant in the one place may have been meant in the other."""
    finding = only(short("0 KC, 1 5C, 2 2C, 3 3C; 0 AC, 1 9C, 2 5C, 3 6C"))
    assert (finding.code, finding.pointer) == ("REC003", "/deals/0/events/6/card")
    assert finding.message.endswith("; 5C written for 4C in trick 2)")


@pytest.mark.parametrize("cards", [None, 13])
def test_a_number_is_miswritten_whether_the_number_of_cards_is_on_record_or_not(cards: int | None) -> None:
    """No number that can be called is left out of what may have been meant."""
    calls_of = auction("0 3D, 1 2D, 2 1D, 3 3D, 0 4S, 1 0S, 2 0S, 3 0S")
    data = deepcopy(calls_of)
    data["deals"][0].pop("cards", None)
    if cards is not None:
        data["deals"][0]["cards"] = cards
    assert counted(data) == [("REC011", "/events/3/bid")]


def test_a_card_miswritten_for_one_that_stands_elsewhere_is_told_with_its_place() -> None:
    """8H is played to trick 5 as well: whoever looks at the one looks at the other."""
    finding = only(with_cards({(4, "E"): "8H"}))
    assert finding.facts["against"] == f"/deals/0/events/{place(5, 'N')}"


def test_a_card_without_a_name_is_its_holders_and_one_with_a_name_is_whose_it_says() -> None:
    """A play is left out, some have no name, and one stands under the name of a seat that did not hold it."""
    data = lacking(4, "W")
    events = data["deals"][0]["events"]
    for event in events[13:]:
        event.pop("by", None)
    events[5]["by"], owner = "W", events[5]["by"]
    assert owner != "W"
    seats = {each.place: each.seat for each in cards._by_hands(taken_apart(data)).plays}
    names = [player["seat"] for player in data["players"]]
    truth = [event["by"] for event in lacking(4, "W")["deals"][0]["events"][5:]]
    assert [names[seat] for seat in seats.values()] == ["W", *truth[1:]]


def test_a_hand_is_not_doubted_for_a_card_of_its_own() -> None:
    """Though it was not played out."""
    data = without(dealt("whist", 0) or {}, hands=True, claims=False)
    data["deals"][0] |= {"events": data["deals"][0]["events"][:21], "status": "stopped"}
    stopped = taken_apart(data)
    assert len(stopped.plays) > 16
    assert [cards._in_hands(stopped, each) for each in stopped.plays] == [[]] * len(stopped.plays)
