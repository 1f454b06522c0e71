"""What is told at sight, under which heading, and beside what: slips with all that follows from them, and with nothing else."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from copy import deepcopy
from dataclasses import replace
from itertools import combinations
from random import Random

import pytest

import handrec
from handrec import allowance, check, games, referee
from handrec.allowance import Allowance
from handrec.dealing import deal_game
from handrec.explanations import tried
from handrec.explanations.acts import ACTS, SLIPS, price
from handrec.explanations.costs import costs, inexplicable, key_of
from handrec.explanations.misfit import Misfit
from handrec.explanations.sight import _dealt_in_turn, _gone_with
from handrec.explanations.tried import _candidates
from handrec.explanations.weighed import Weighing, differences
from handrec.explanations.written import Slip, WrittenDeal
from handrec.findings import Finding, Verdict
from handrec.judging import Judge
from handrec.record import Deal, Record
from tests import planting
from tests.confusion import accusations
from tests.growth import DIMENSIONS
from tests.planting import TABLES, dealt, rows_of, without
from tests.tables import Data, deal, drop, game, insert, put, sheet, swap
from tests.test_explanations import counted, near, short, slid, taken_apart, told, with_cards
from tests.test_referee_whole import two_hands


def following(verdict: Verdict) -> dict[str, set[tuple[str, str]]]:
    """What follows from each finding that is counted, as code and pointer, by its pointer."""
    found = {each.pointer: set[tuple[str, str]]() for each in verdict.faults}
    for each in verdict.findings:
        if each.because is not None:
            found[each.because[1]].add((each.code, each.pointer))
    return found


# --- the dealer ---------------------------------------------------------------------------------------------------------


def sequel(key: str) -> Data:
    """Three deals of a game, one after the other, without a sheet."""
    rules = games.find(key)
    assert rules
    record = deal_game(rules, 4, 1, numbers=[3, 4, 5])
    return without(record.model_dump(mode="json", exclude_unset=True, by_alias=True), hands=True, claims=False)


def misdealt(data: Data, index: int) -> Data:
    """The record with the seat to the left of the dealer written for the dealer of a deal."""
    seats = [player["seat"] for player in data["players"]]
    dealer = data["deals"][index]["dealer"]
    return put(data, f"/deals/{index}/dealer", seats[(seats.index(dealer) + 1) % len(seats)])


def exchanged(data: Data, index: int, row: int) -> Data:
    """The record with the last two cards of a row of a deal in each other's place."""
    first, second = planting.rows_of({**data, "deals": data["deals"][index:]})[row][-2:]
    events = data["deals"][index]["events"]
    one, other = (f"/deals/{index}/events/{place}/card" for place in (first, second))
    return put(put(data, one, events[second]["card"]), other, events[first]["card"])


@pytest.mark.parametrize("index", range(3))
def test_turns_that_are_right_with_the_due_dealer_follow_from_the_dealer(index: int) -> None:
    """Also in the first deal, whose dealer nobody contradicts but the next deal's: it is told where it stands."""
    verdict = told(misdealt(sequel("kbabs"), index))
    events = f"/deals/{index}/events"
    assert counted(verdict) == ["DEA006"]
    assert following(verdict) == {f"/deals/{index}/dealer": {("BID001", f"{events}/1"), ("PLY004", f"{events}/5/by")}}


@pytest.mark.parametrize("index", range(3))
def test_where_a_card_shows_who_dealt_the_dealer_is_miswritten(index: int) -> None:
    """Whist: the card turned is in the hand of the dealer, so all that is wrong is one slip, in the deal in which it stands."""
    verdict = told(misdealt(sequel("whist"), index))
    (finding,) = verdict.faults
    assert (finding.code, finding.pointer, finding.facts["act"]) == ("REC012", f"/deals/{index}/dealer", "dealer")
    follows = [each for each in verdict.findings if each is not finding]
    assert {"DEA006", "DEA007", "PLY004"} == {each.code for each in follows}
    assert {each.because for each in follows} == {("REC012", finding.pointer)}


@pytest.mark.parametrize("key", ["kbabs", "spades3", "bugami", "bastard", "oh_hell"])
def test_a_dealer_who_may_be_miswritten_is_told_beside_a_bid_and_a_lead_out_of_turn(key: str) -> None:
    """In one deal nobody else tells who dealt; the deals before and after may."""
    data = without(dealt(key, 3) or {}, hands=True, claims=False)
    verdict = told(misdealt(data, 0))
    deeds = [finding for finding in verdict.faults if finding.code in ("BID001", "PLY004")]
    assert deeds
    assert all("dealer" in near(finding) for finding in deeds)


def test_where_other_deals_tell_who_dealt_the_dealer_is_not_miswritten() -> None:
    """All bid and led from the wrong seat in a deal whose dealer is the one whose turn it was."""
    data = sequel("kbabs")
    seats = [player["seat"] for player in data["players"]]
    wrong = dict(zip(seats, [*seats[1:], seats[0]], strict=True))
    for event in data["deals"][1]["events"]:
        if "by" in event:
            event["by"] = wrong[event["by"]]
    deeds = [finding for finding in told(data).faults if finding.code in ("BID001", "PLY004")]
    assert deeds
    assert not any("dealer" in near(finding) for finding in deeds)


@pytest.mark.parametrize("wrong", [False, True])
def test_a_slip_in_another_deal_does_not_follow_from_a_dealer(wrong: bool) -> None:
    """It is told whether a dealer is wrong or not."""
    data = exchanged(sequel("kbabs"), 2, 4)
    assert counted(told(misdealt(data, 1) if wrong else data)) == ["DEA006"] * wrong + ["REC002"]


def test_a_slip_in_the_deal_of_a_wrong_dealer_does_not_follow_from_it() -> None:
    """Two cards of a row stand in each other's place whoever dealt."""
    assert counted(told(exchanged(misdealt(sequel("kbabs"), 1), 1, 4))) == ["DEA006", "REC002"]


@pytest.mark.parametrize("slips", [0, 1])
def test_a_slip_elsewhere_makes_no_call_follow_from_a_dealer(slips: int) -> None:
    """With the due dealer as much is wrong in the deal, however many slips there are in another."""
    data = exchanged(misdealt(sequel("kbabs"), 1), 2, 4) if slips else misdealt(sequel("kbabs"), 1)
    data["deals"][1]["events"][1:5] = [data["deals"][1]["events"][place] for place in (2, 1, 4, 3)]
    fair = put(data, "/deals/1/dealer", sequel("kbabs")["deals"][1]["dealer"])
    assert counted(told(fair)) == ["BID001", "BID001"] + ["REC002"] * slips
    assert counted(told(data)) == ["DEA006", "BID001"] + ["REC002"] * slips


def test_a_call_out_of_turn_under_either_dealer_does_not_follow_from_the_dealer() -> None:
    """If 1 had dealt, who was due, two calls would be out of turn instead of one: rather 1 dealt the deal before."""
    first, second = deal(number=3, dealer="0"), deal(number=4, dealer="2", bids="3 1, 0 1, 2 1, 1 1", status="stopped")
    data = game("kbabs", 4, first, second)
    verdict = told(data)
    assert [(each.code, each.seat) for each in verdict.faults] == [("DEA006", "0"), ("BID001", "2")]
    assert counted(told(put(data, "/deals/1/dealer", "1"))) == ["BID001", "BID001"]


def test_where_another_thing_is_wrong_too_the_dealer_of_the_deal_before_is_told_beside() -> None:
    """0 dealt, and then 2: the dealer of either deal may be wrong, whatever the totals are."""
    deals = [sheet("1 1 1 1", "13 0 0 0", number=1, dealer="0"), sheet("1 1 1 1", "12 0 0 0", number=2, dealer="2")]
    verdict = told(game("kbabs", 4, *deals, status="stopped", claimed={"totals": {"0": 500}}))
    assert counted(verdict) == ["SCO002", "DEA006"]
    _, dealer = verdict.faults
    assert [near.words for near in dealer.near] == ["1 for 0 as dealer of deal 1"]


@pytest.mark.parametrize("numbered", [True, False])
def test_a_dealer_is_told_in_the_deal_before_where_its_calls_are_wrong_and_there_alone(numbered: bool) -> None:
    """All called as if 1 had dealt deal 3, as the dealer of deal 4 tells too: then it is that deal's that is wrong."""
    first = deal(number=3, dealer="0", bids="2 1, 3 1, 0 1, 1 1", status="stopped")
    second = deal(number=4, dealer="2", status="stopped")
    for each in (first, second) if not numbered else ():
        del each["number"]
    verdict = told(game("kbabs", 4, first, second, **({} if numbered else {"status": "stopped"})))
    (dealer,) = verdict.faults
    assert (dealer.code, dealer.pointer, dealer.near) == ("DEA006", "/deals/0/dealer", ())
    assert dealer.deal == (3 if numbered else 1)
    assert {each.code for each in verdict.findings if each.because} == {"BID001"}


@pytest.mark.parametrize("index", range(3))
@pytest.mark.parametrize("other", "NESW")
def test_a_dealer_in_turn_is_not_miswritten(index: int, other: str) -> None:
    """Of three deals, dealt by S, W and N: the dealer before it or after it tells so, whoever else may have dealt."""
    data, key = sequel("kbabs"), games.find("kbabs")
    assert key
    assert [each["dealer"] for each in data["deals"]] == ["S", "W", "N"]
    slip = Slip(ACTS["dealer"], (), "", fields={"dealer": other})
    record, spent = Record.model_validate(data), Allowance(0)
    assert _dealt_in_turn(record, key, index, slip, spent) is (other != "SWN"[index])
    assert spent.left == -sum(allowance.price(each) for each in record.deals[max(0, index - 1) : index + 2])


@pytest.mark.parametrize("around", [False, True])
def test_whether_the_dealer_may_be_miswritten_the_deals_around_tell(around: bool) -> None:
    """1 dealt, and 0 and 1 call out of turn, as they would not if 3 had dealt; but 0 dealt before, and 2 after."""
    deals = [deal(number=number, dealer=dealer, status="stopped") for number, dealer in ((3, "0"), (4, "1"), (5, "2"))]
    deals[1] = deal(number=4, dealer="1", bids="0 1, 1 1, 2 1, 3 1", status="stopped")
    verdict = told(game("kbabs", 4, *(deals if around else deals[1:2])))
    assert [(call.code, call.seat) for call in verdict.faults] == [("BID001", "0"), ("BID001", "1")]
    assert [[near.words for near in call.near] for call in verdict.faults] == [[] if around else ["1 for 3 as dealer"]] * 2


def test_of_what_goes_with_another_dealer_no_slip_is_gone_that_explains_what_stays() -> None:
    """A slip that explains what stays wrong with that dealer stays, and so does one that explains nothing."""
    (finding,) = told(slid(2)).faults
    slips = [finding._replace(pointer=f"/deals/0/events/{place}") for place in range(3)]
    stays, goes, none = map(key_of, slips)
    explained = {(slips[0].code, slips[0].pointer): {("REV001", "a")}, (slips[1].code, slips[1].pointer): {("REV001", "b")}}
    left, written = {("REV001", "a")}, {("REV001", "a"), ("REV001", "b")}
    assert _gone_with(slips, explained, left, written) == {goes}
    assert _gone_with(slips, explained, set(), written) == {stays, goes, none}


# --- the slips of a deal ------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("many", [1, 3, 4, 9, 10, 13])
def test_nine_slips_of_a_deal_are_told(many: int) -> None:
    """Each costs another replay; what is not tried stays as the referee found it, two cards that were not held a row."""
    data = without(dealt("bridge", 0) or {}, hands=True, claims=False)
    for row in planting.rows_of(data)[:many]:
        events = data["deals"][0]["events"]
        one, other = events[row[1]], events[row[2]]
        one["card"], other["card"] = other["card"], one["card"]
    assert counted(told(data)) == ["REC002"] * min(many, 9) + ["PLY001", "PLY001"] * max(many - 9, 0)


@pytest.mark.parametrize(
    ("acts", "codes"),
    [
        (("sheet", "card"), ("REC003",)),
        (("hands", "card"), ("REC008", "REC003")),
        (("turned", "rows"), ("REC008", "REC001")),
        (("rows", "card"), ("REC001", "REC003")),
        (("row_lost", "hand_card"), ("REC004",)),
        (("hand_given", "play_lost"), ("REC007", "REC004")),
        (("turn_up", "card"), ("REC003",)),
        (("row_lost", "card"), ("REC004", "REC003")),
        (("row_lost", "name"), ("REC004",)),
        (("last_row", "card"), ("REC004", "REC003")),
        (("rows", "play_lost"), ("REC001", "REC004")),
    ],
    ids=" and ".join,
)
@pytest.mark.some(2)
@pytest.mark.parametrize("seeds", [4, pytest.param(20, marks=pytest.mark.long)])
def test_two_slips_of_a_deal_that_hide_each_other_are_told(seeds: int, acts: tuple[str, str], codes: tuple[str, ...]) -> None:
    """One is seen only when the other is undone, or is told elsewhere then, or as a number that could not be checked before."""
    told_of, many = 0, 0
    for key in sorted(TABLES):
        rng = Random(f"{key} {acts}")
        for seed in range(seeds):
            data = deepcopy(dealt(key, seed))
            if data is None or not planting.plays_of(data) or not all(planting.ACTS[each](data, rng) for each in acts):
                continue
            verdict, many = told(data), many + 1
            told_of += {*codes} <= {*counted(verdict)} and not accusations(verdict)
    print(*acts, told_of, "of", many)
    assert many >= 15
    assert told_of >= 2 * many / 3


@pytest.mark.parametrize("many", [100, pytest.param(5000, marks=pytest.mark.long)])
def test_no_place_is_told_of_two_slips_and_what_follows_follows_from_what_is_told(many: int) -> None:
    """Up to four acts of the pen in a deal, of any game, with hands and claims or without, and plays with names or without."""
    rng, tried = Random(f"together {many}"), 0
    while tried < many:
        data = planting.spoilt(rng)
        if data is None:
            continue
        tried += 1
        findings = told(data).findings
        places = [(each.code, each.pointer) for each in findings if each.code in SLIPS]
        assert len({*places}) == len(places), data
        assert {each.because for each in findings} - {None} <= {(each.code, each.pointer) for each in findings}, data
        not_held = [each for each in findings if each.code in ("PLY001", "PLY002")]
        assert all(each.unexplained is (each.because is None) for each in not_held), data
        assert not any(each.near for each in findings if each.because is not None), data


@pytest.mark.some(6)
@pytest.mark.parametrize("seeds", [2, pytest.param(60, marks=pytest.mark.long)])
@pytest.mark.parametrize(
    "acts", [*combinations(("hands", "plays_in_row", "suit", "rows", "card", "row_reversed"), 2)], ids=" ".join
)
def test_what_follows_from_a_wrong_dealer_is_gone_with_the_right_one(acts: tuple[str, str], seeds: int) -> None:
    """Two slips of a deal bring to light what the right dealer would not take away."""
    tried = 0
    for seed in range(seeds):
        truth, rng = dealt("batarde", seed), Random(seed)
        if truth is None or not planting.plays_of(truth):
            continue
        data = without(truth, hands=True, claims=rng.random() < 0.5)
        if not all(planting.ACTS[act](data, rng) for act in ("dealer", *acts)):
            continue
        tried += 1
        follow = [(each.code, each.pointer) for each in told(data).findings if each.because and each.because[0] == "DEA006"]
        data["deals"][0]["dealer"] = truth["deals"][0]["dealer"]
        assert not {*follow} & {(each.code, each.pointer) for each in told(data).findings}, data
    assert tried > seeds / 4


def test_what_follows_from_rows_is_listed_at_its_own_row_where_another_slip_hides_them() -> None:
    """All hands of a board are turned, and rows slid: each finding of a row follows from the last row told before it."""
    rng, late = Random("turned and rows"), 0
    for seed in range(12):
        data = deepcopy(dealt("bridge", seed) or {})
        assert planting.ACTS["turned"](data, rng)
        assert planting.ACTS["rows"](data, rng)
        findings = told(data).findings
        rows = {each.pointer: each.trick for each in findings if each.code == "REC001"}
        follow = [each for each in findings if each.because and each.because[1] in rows and each.trick]
        if "REC008" not in {each.code for each in findings} or len(rows) < 2:
            continue
        for each in follow:
            before = [trick for trick in rows.values() if trick and each.trick and trick <= each.trick]
            assert rows[each.because[1] if each.because else ""] == max(before, default=min(rows.values()))
        late += any(rows[each.because[1]] != min(rows.values()) for each in follow if each.because)
    assert late >= 3


def test_a_trump_that_only_the_sheet_contradicts_is_a_number_of_the_sheet() -> None:
    """No other card was turned up: all winners are those of the suit that was, and one revoke is no reason to doubt it."""
    data = without(dealt("kbabs", 1) or {}, hands=False, claims=True)
    trump = data["deals"][0]["claimed"]["trump"]
    other = put(data, "/deals/0/claimed/trump", "S" if trump != "S" else "H")
    assert counted(told(other)) == ["DEA009"]


def test_what_follows_from_rows_that_slid_is_listed_at_its_own_row() -> None:
    """One habit of the writer's, told at each row; nobody has to look for a play of trick 4 at trick 2."""
    found = following(told(slid(2, slid(4))))
    assert [*found] == ["/deals/0/events/9", "/deals/0/events/17"]
    assert [{pointer.split("/")[4] for _, pointer in each} for each in found.values()] == [
        {"9", "10", "11", "12"},
        {"17", "18", "19", "20"},
    ]


def test_what_does_not_agree_with_a_ruling_is_no_consequence_of_a_slip_elsewhere() -> None:
    """Accusation and ruling are of a trick in which nothing is wrong, whatever was written for N's card to another."""
    data = with_cards({(3, "E"): "AC"})
    said = ({"do": "accuse", "by": "N", "of": "S", "trick": 1}, {"do": "ruling", "of": "S", "trick": 1, "verdict": "upheld"})
    data["deals"][0]["events"] += said
    verdict = told(data)
    assert sorted(counted(verdict)) == ["CLM003", "REC003"]
    assert [each.because for each in verdict.findings if each.code == "CLM002"] == [None]


@pytest.mark.parametrize(("tricks", "found"), [({"N": 3, "E": 2}, ["REC002"]), ({"N": 2, "E": 2}, ["REC002", "CLM001"])])
def test_a_claim_hides_no_slip(tricks: Data, found: list[str]) -> None:
    """What is wrong with it stands with the slip undone as well."""
    data = exchanged(without(dealt("bridge", 0) or {}, hands=True, claims=False), 0, 2)
    data["deals"][0]["events"][planting.rows_of(data)[7][-1] + 1 :] = [{"do": "claim", "by": "N", "tricks": tricks}]
    assert counted(told(data)) == found


def test_an_accusation_that_comes_late_hides_no_slip() -> None:
    """Nobody may accuse of an earlier deal's trick, whatever was written for a card of this one."""
    data = exchanged(without(dealt("spades3", 0) or {}, hands=True, claims=False), 0, 6)
    assert counted(told(data)) == ["REC002"]
    late = insert(
        data, f"/deals/0/events/{planting.rows_of(data)[9][-1] + 1}", {"do": "accuse", "by": "P1", "of": "P2", "trick": 2}
    )
    assert counted(told(late)) == ["REC002", "CLM006"]


@pytest.mark.parametrize("key", ["kbabs", "oh_hell", "spades3", "bugami"])
def test_a_play_left_out_is_told_beside_a_call_that_stands_too_late(key: str) -> None:
    """Where the call stands among the events, it stands one further on if the play is put in; it is wrong all the same."""
    data = without(dealt(key, 2) or {}, hands=True, claims=False)
    events, rows = data["deals"][0]["events"], planting.rows_of(data)
    call = max(place for place, event in enumerate(events) if event["do"] == "bid")
    late = insert(data, f"/deals/0/events/{rows[4][-1] + 1}", events[call])
    (found,) = counted(told(late))
    assert found.startswith("BID")
    assert counted(told(drop(late, f"/deals/0/events/{rows[2][1]}"))) == ["REC004", found]


def test_wrong_numbers_are_told_alike_whatever_else_is_wrong() -> None:
    """A board with another trump than the sheet has: only the sheet contradicts it, whoever is said to be vulnerable."""
    data = without(dealt("bridge", 0) or {}, hands=False, claims=True)
    (board,) = data["deals"]
    board["events"] = [event for event in board["events"] if event["do"] != "contract"]
    for event in board["events"]:
        if event["do"] == "play":
            del event["by"]
    last = [event for event in board["events"] if event["do"] == "bid" and event["bid"][0].isdigit()][-1]
    assert (last["bid"], board["claimed"]["trump"], board["vulnerable"]) == ("4H", "H", "none")
    last["bid"] = "4S"
    numbers = counted(told(data))
    assert {code[:3] for code in numbers} == {"DEA", "TRK"}
    assert counted(told(put(data, "/deals/0/vulnerable", "NS"))) == [*numbers, "DEA012"]


def test_a_deed_is_told_with_the_slips_that_would_explain_it_and_no_others() -> None:
    """The last row may have slid, which explains its lead; of what 1 played to the first trick it explains nothing.

    Had 0 led the five of hearts, nobody need have followed with a club.
    """
    revoke, lead = told(
        short("0 KC, 1 5H, 2 2C, 3 3C; 0 QC, 1 9C, 2 4C, 3 6C; 0 AC, 1 JC, 2 8C, 3 7C; 1 AD, 2 2D, 3 3D, 0 4D")
    ).faults
    assert (revoke.code, lead.code) == ("REV001", "PLY004")
    assert near(revoke) == {"card": 0, "plays-in-row": 0, "card-both": 1, "plays-across": 1}
    assert {"rows"} <= near(lead).keys()


#: 1 does not follow to clubs, once and again, and to diamonds, and has both suits after all.
REVOKES = "0 KC, 1 5H, 2 2C, 3 3C; 0 AC, 1 6H, 2 4C, 3 6C; 0 AD, 1 7H, 2 2D, 3 3D; 0 QC, 1 9C, 2 7C, 3 8C; 0 KD, 1 4D, 2 5D, 3 6D"


@pytest.mark.parametrize(("tricks", "cost"), [([], 0), ([1], 2), ([2], 2), ([1, 2], 3), ([1, 3], 4), ([1, 2, 3], 5)])
def test_a_revoke_again_in_the_same_suit_costs_less(tricks: list[int], cost: int) -> None:
    """One mistake about the hand: 2, and 1 for each further one of the same player in the same suit."""
    written = taken_apart(short(REVOKES))
    revokes = [finding for finding in written.findings if finding.code == "REV001"]
    assert [finding.trick for finding in revokes] == [1, 2, 3]
    assert sum(costs(written, [finding for finding in revokes if finding.trick in tricks])) == cost


def test_a_revoke_on_a_joker_led_is_one_in_the_suit_that_it_plays_as() -> None:
    """Spades are trump, and so is the joker: seat 1, who has one after all, was wrong about trumps once."""
    written = taken_apart(short("0 LJ, 1 5H, 2 2S, 3 3S; 0 AS, 1 6H, 2 4S, 3 6S; 0 QS, 1 9S, 2 7S, 3 8S"))
    assert [(finding.trick, finding.facts["led"]) for finding in written.findings] == [(1, "LJ"), (2, "AS")]
    assert sum(costs(written, written.findings)) == 3


# --- the heading --------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("many", range(7))
def test_a_pack_is_another_one_if_four_of_its_cards_are_none_of_the_games(many: int) -> None:
    """Fewer are miswritten one by one."""
    ranks = [*"789TJQ"[:many], *"23456789"[many:]]
    plays = [f"{place % 4} {rank}{'P' if place < many else 'H'}" for place, rank in enumerate(ranks)]
    verdict = told(short(f"{', '.join(plays[:4])}; {', '.join(plays[4:])}"))
    assert ("REC013" in counted(verdict)) is (many >= 4)


@pytest.mark.parametrize(("many", "likely"), [(31, False), (32, True), (40, True)])
def test_of_another_game_that_was_meant_one_error_in_32_is_left(many: int, likely: bool) -> None:
    """A revoke at bridge, under the name of a game that has none of its cards, broken off after so many errors."""
    data = without(dealt("bridge", 1, "REV001") or {}, hands=False, claims=False)
    data |= {"game": "batarde", "status": "excerpt"}
    (board,) = data["deals"]
    board["status"] = "stopped"
    board["events"] = board["events"][:-15]
    while len(referee.check(Record.model_validate(data), games.find).faults) > many:
        board["events"].pop()
    (finding,) = told(data).faults
    assert ("batarde stands where bridge was played" in finding.message) is likely


def test_of_three_who_sit_in_another_order_one_pair_is_told() -> None:
    """Whichever two of three change places, they sit the same way round."""
    data = deepcopy(dealt("spades3", 1) or {})
    data["players"][:2] = data["players"][1::-1]
    (finding,) = told(data).faults
    assert finding.pointer == "/players"
    assert finding.message.count("stand in each other's place") == 1


def test_a_game_that_is_looked_up_elsewhere_is_never_told_to_be_another_of_its_own_name() -> None:
    """A house where kbabs has no options: that a record names one is its own error, and no other kbabs was meant."""
    data = without(dealt("kbabs", 1) or {}, hands=True, claims=False) | {"options": {"scoring": "square"}}
    rules = games.find("kbabs")
    assert rules
    house = replace(rules, options=())
    verdict = check(Record.model_validate(data), lambda key: house if key == house.key else games.find(key))
    assert [(each.code, each.pointer) for each in verdict.faults] == [("FMT009", "/options/scoring")]
    assert told(data).ok


# --- in which order slips are tried -----------------------------------------------------------------------------------


def test_dear_slips_are_tried_last_but_for_rows_exchanged() -> None:
    """Those explain what is wrong in two rows, of which each could be explained for less by something else."""
    for act in ("rows_exchanged", "rows"):
        ((_, record),) = planting.plants("kbabs", act, 1, True, True)
        verdict, (table,) = Judge(games.find).examined(record)
        prices = [price(slip.act.key, None) for slip in _candidates(WrittenDeal(record.deals[0], table, [*verdict.findings]))]
        assert prices == ([3, 2] if act == "rows_exchanged" else sorted(prices))
        assert {2, 3} <= {*prices}


def test_nobody_looks_for_further_slips_than_are_tried(monkeypatch: pytest.MonkeyPatch) -> None:
    """What is cheap is tried before others are looked for."""

    def nobody(_: WrittenDeal) -> Iterator[Slip]:
        raise AssertionError
        yield

    cheap = Slip(ACTS["card"], (), "")
    monkeypatch.setattr(tried, "LOOKERS", (lambda _: iter([cheap]), nobody))
    assert next(_candidates(taken_apart(TWO))) is cheap


def test_a_slip_of_a_deal_in_which_tricks_are_taken_for_an_earlier_one_is_told() -> None:
    """That nobody claimed them there is told, however often the deal is judged, and does not follow from the slip."""
    for only in (False, True):
        data = two_hands()
        first = data["deals"][0]
        first["events"] = [event for event in first["events"] if event["do"] != "accuse"]
        second = data["deals"][1]
        if only:  # nothing else happened
            second |= {"events": second["events"][-1:], "status": "stopped"}
            second["hands"]["0"][0] = "2C"
        else:
            second["events"][6]["card"] = "2C"
        found = [each.code for each in told(data).faults if each.deal_index == 1]
        assert {"CLM007", "REC007" if only else "REC003"} <= {*found}


def test_books_are_taken_by_right_whichever_slips_are_tried() -> None:
    """Two cards are exchanged, which is found at the third try: each tries with as many books as there were to take."""
    data = two_hands()
    events = data["deals"][1]["events"]
    events[5]["card"], events[36]["card"] = events[36]["card"], events[5]["card"]
    assert "CLM007" not in counted(told(data))
    assert [each.pointer for each in told(data).faults if each.code == "REC002"] == ["/deals/1/events/36/card"]


# --- contradictions -----------------------------------------------------------------------------------------------------


EVENTS = "/deals/0/events"
HANDS = "0: AC 3H | 1: 6C 4H | 2: 7C AH | 3: 8C 2H"
PLAYS = "0 AC, 1 6C, 2 7C, 3 8C; 0 3H, 1 4H, 2 AH, 3 2H"


def test_a_whole_deal_contradicts_itself_by_plays_too_few_or_too_many_of_a_seat() -> None:
    """Where some have no name, who lacks one may have played it there; who has one too many has that anyhow."""
    whole = with_cards({})
    events = whole["deals"][0]["events"]
    nameless = {**whole, "deals": [{**whole["deals"][0], "events": [*events[:-1], {"do": "play", "card": events[-1]["card"]}]}]}
    other = next(event["by"] for event in events[6:9] if event["by"] != events[-1]["by"])
    many = [(drop(data, f"{EVENTS}/5"), data, put(data, f"{EVENTS}/5/by", other)) for data in (whole, nameless)]
    found = [[Misfit(written.table).of(written.deal) for written in map(taken_apart, three)] for three in many]
    # Under another seat it is a card not held, one too many there, and one too few here.
    assert found == [[1, 0, 3], [0, 0, 2]]


@pytest.mark.parametrize(
    ("hands", "plays", "many"),
    [
        (HANDS, PLAYS, 0),
        (HANDS, PLAYS.replace("6C", "5C"), 1),  # not held
        (HANDS.replace("6C", "??"), PLAYS, 0),  # nobody knows what else was held
        (HANDS.replace("6C", "??"), PLAYS.replace("6C", "5C"), 0),
        (HANDS, PLAYS.replace("6C", "??"), 0),
        (HANDS, PLAYS.replace("6C", "6P"), 1),  # a card of no pack
        (HANDS, PLAYS.replace("6C", "6P").replace("7C", "7P"), 2),
        (HANDS.replace("6C", "6P"), PLAYS, 1),
    ],
)
def test_a_deal_contradicts_itself_by_cards_that_are_not_held(hands: str, plays: str, many: int) -> None:
    """A hand of which a card is not known may hold any; what is no card of the pack is held by nobody."""
    written = taken_apart(short(plays, hands=hands))
    assert Misfit(written.table).of(written.deal) == many


# --- where to look ------------------------------------------------------------------------------------------------------

#: Two tricks after the card turned and four bids; the second is written without names.
TWO = short("0 AC, 1 6C, 2 7C, 3 8C; 3H, 4H, AH, 2H")


def places(data: Data, other: Data, origin: Sequence[int | None] | None = None) -> list[tuple[str, str, str]]:
    """The places in which the deal of a record is otherwise than another."""
    record = Record.model_validate(data)
    rules = games.find(record.game)
    assert rules
    weighing = Weighing(record, rules)
    written = WrittenDeal(record.deals[0], weighing.examined[1][0], [])
    meant = Deal.model_validate(other["deals"][0])
    return [*differences(written, meant, [*range(len(meant.events))] if origin is None else origin)][:1]


@pytest.mark.parametrize(
    ("other", "said"),
    [
        (put(TWO, f"{EVENTS}/2/bid", 1), ("1's call", "0", "1")),
        (put(TWO, f"{EVENTS}/6/card", "5C"), ("1's card to trick 1", "6C", "5C")),
        (put(TWO, f"{EVENTS}/10/card", "5H"), ("1's card to trick 2", "4H", "5H")),
        (put(TWO, f"{EVENTS}/6/by", "2"), ("who played 6C to trick 1", "1", "2")),
        (put(TWO, f"{EVENTS}/2/by", "2"), ("who said 0", "1", "2")),
        (swap(TWO, 6, 7), ("card 2 to trick 1", "1 6C", "2 7C")),
        (swap(TWO, 1, 4), ("event 2", "0 0", "3 1")),
    ],
)
def test_a_place_that_tells_accounts_apart_is_named_with_what_it_says(other: Data, said: tuple[str, str, str]) -> None:
    """Whose card or call, or who, or which of the row."""
    assert places(TWO, other) == [said]


@pytest.mark.parametrize(
    ("place", "said"),
    [(5, "0 AC, after 3 1"), (6, "1 6C, after 0 AC"), (0, "0 0, first of all")],
)
def test_what_may_have_been_left_out_is_named_with_what_it_follows(place: int, said: str) -> None:
    """The first event follows nothing."""
    whole = TWO if place else drop(TWO, f"{EVENTS}/0")
    many = len(whole["deals"][0]["events"])
    origin = [*range(place), None, *range(place, many - 1)]
    assert places(drop(whole, f"{EVENTS}/{place}"), whole, origin) == [(f"whether there was one more: {said}", "no", "yes")]


@pytest.mark.parametrize("key", sorted(TABLES))
def test_a_row_that_slid_and_its_winner_are_two_slips(key: str) -> None:
    """The winner of a row that nobody can have played comes to light when the row stands right; nobody is accused."""
    told = Counter[str]()
    for seed in range(12):
        rng, data = Random(f"{key} {seed}"), deepcopy(dealt(key, seed))
        if data is None or not data["deals"][0]["claimed"].get("winners"):
            continue
        deal, rows = data["deals"][0], rows_of(data)
        trick = rng.randrange(1, len(rows) - 1) if len(rows) > 2 else 0
        plays = [deal["events"][place] for place in rows[trick]]
        seats = [play["by"] for play in plays]
        for play, seat in zip(plays, [*seats[1:], seats[0]], strict=True):
            play["by"] = seat
        winners = deal["claimed"]["winners"]
        winners[trick] = rng.choice([seat for seat in seats if seat != winners[trick]])
        verdict = check(Record.model_validate(data))
        both = {each.code for each in verdict.faults} >= {"REC001", "TRK001"}
        told["accused" if accusations(verdict) else "told" if both else "open"] += 1
    assert told["told"] >= 0.75 * told.total(), told
    assert told.total() >= 6


@pytest.mark.long
def test_a_revoke_is_told_beside_the_cards_exchanged_where_the_winner_tells_of_them() -> None:
    """Two cards of a seat in each other's row: by what is written there another wins, and the sheet and the next lead say who."""
    told = Counter[bool]()
    for key in sorted(TABLES):
        for seed in range(40):
            rng, data = Random(f"{key} {seed}"), deepcopy(dealt(key, seed))
            if data is None:
                continue
            events, rows = data["deals"][0]["events"], rows_of(data)
            seat = rng.choice([player["seat"] for player in data["players"]])
            mine = [place for row in rows for place in row if events[place]["by"] == seat]
            if len(mine) < 2:
                continue
            one, other = sorted(rng.sample(mine, 2))
            events[one]["card"], events[other]["card"] = events[other]["card"], events[one]["card"]
            faults = check(Record.model_validate(data)).faults
            revokes = [each for each in faults if each.code == "REV001" and each.seat == seat]
            won = next(trick for trick, row in enumerate(rows, 1) if one in row)
            if len(revokes) == 1 and any(each.code == "TRK001" and each.trick == won for each in faults):
                told[any("exchanged" in each.words for each in revokes[0].near)] += 1
    assert told.total() >= 10
    assert told[True] >= 0.8 * told.total(), told


@pytest.mark.parametrize(
    ("dimension", "many", "explained"),
    [("plays kbabs alone", 60, True), ("plays kbabs alone", 200, False), ("plays kbabs alone", 4, True)]
    + [("plays whist alone", many, False) for many in (4, 8)],
)
def test_more_findings_than_a_slip_makes_are_told_as_they_are(dimension: str, many: int, explained: bool) -> None:
    """A card that is played again and again: every time is told, and no slip is looked for beyond a hundred times, or where more
    than three things are wrong in two events; then that is told too."""
    record = handrec.loads(DIMENSIONS[dimension].make(many))
    found, told = referee.check(record, games.find).findings, check(record).findings
    assert Counter(finding.code for finding in found)["PLY002"] == many - 1
    assert {(finding.code, finding.pointer) for finding in found} <= {(finding.code, finding.pointer) for finding in told}
    assert any(finding.code in SLIPS for finding in told) is explained
    said = [(finding.pointer, finding.deal, finding.severity) for finding in told if finding.code == "FMT022"]
    assert said == ([] if explained else [("/deals/0", found[-1].deal, "info")])


@pytest.mark.parametrize(("events", "most"), [(0, 8), (5, 8), (6, 9), (40, 60), (85, 127), (86, 128), (500, 128)])
def test_how_much_no_slip_explains_hangs_on_the_events(events: int, most: int) -> None:
    """Three findings in two events, eight in any case, and never more than 128."""
    data = deepcopy(dealt("whist", 0)) or {}
    data["deals"][0]["events"] = (data["deals"][0]["events"] * 10)[:events]
    record = Record.model_validate(data)
    verdict = check(record)
    for many in (most, most + 1):
        findings = (Finding(SLIPS["REC003"], pointer="/deals/0"),) * many
        assert inexplicable(record, verdict._replace(findings=findings), ()) == ({0} if many > most else set())


@pytest.mark.parametrize("junk", [0, 200])
def test_what_is_told_of_a_deal_is_so_beside_one_that_nothing_explains(junk: int) -> None:
    """A wrong dealer, from whom the turns of that deal follow: nobody is blamed for them, however bad another deal is."""
    data = deal_game(games.find("kbabs"), 4, 1, numbers=[9, 10, 11]).model_dump(mode="json", exclude_unset=True)  # type: ignore[arg-type]
    seats, deals = [player["seat"] for player in data["players"]], data["deals"]
    deals[1]["dealer"] = seats[seats.index(deals[1]["dealer"]) - 3]
    deals[2]["events"] += [deals[2]["events"][-1]] * junk
    found = check(Record.model_validate(data)).findings
    assert [(finding.code, finding.because is None) for finding in found if finding.deal == 10] == [
        ("DEA006", True),
        ("BID001", False),
        ("PLY004", False),
    ]
    assert sum(finding.deal == 11 for finding in found) >= junk
    assert [finding.deal for finding in found if finding.code == "FMT022"] == [11] * bool(junk)
