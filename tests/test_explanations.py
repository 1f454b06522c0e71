"""What is told of faulty records: slips of the pen as slips, deeds as they are written, and both where nobody can tell."""

from __future__ import annotations

import re
from copy import deepcopy
from itertools import chain, product
from pathlib import Path
from random import Random
from typing import Any

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from handrec import check, games, load, referee
from handrec.explanations import ACTS, SLIPS
from handrec.explanations.written import WrittenDeal
from handrec.findings import Finding, Verdict
from handrec.judging import Judge
from handrec.record import Record
from tests import calling_slips, planting
from tests.commands import Handrec
from tests.confusion import ACCUSING, IRREGULAR, accusations, as_deed, slips
from tests.planting import AT_SIGHT, TABLES, dealt, without
from tests.tables import deal, drop, game, killer_hand, put

Data = dict[str, Any]

FIXTURES = Path(__file__).parents[1] / "fixtures"
SLIPPED = sorted((FIXTURES / "broken/slips").glob("*.json"))

#: The deal that all fixtures of slips are made of; where its plays are: five tricks of four, after the card turned and the bids.
TRUTH: Data = load(FIXTURES / "clean/one-deal.handrec.json").model_dump(mode="json", exclude_unset=True, by_alias=True)
SEATS = [player["seat"] for player in TRUTH["players"]]


def place(trick: int, seat: str) -> int:
    """Where a seat's play to a trick of the deal stands."""
    events = TRUTH["deals"][0]["events"]
    return next(place for place in range(1 + 4 * trick, 5 + 4 * trick) if events[place]["by"] == seat)


def with_cards(cards: dict[tuple[int, str], str], data: Data = TRUTH) -> Data:
    """The deal with other cards at some plays, given by trick and seat."""
    data = deepcopy(data)
    for at, card in cards.items():
        data["deals"][0]["events"][place(*at)]["card"] = card
    return data


def told(data: Data) -> Verdict:
    """The verdict on a record in plain data."""
    return check(Record.model_validate(data))


def taken_apart(data: Data) -> WrittenDeal:
    """The one deal of a record as the referee saw it."""
    record = Record.model_validate(data)
    verdict, (table,) = Judge(games.find).examined(record)
    return WrittenDeal(record.deals[0], table, [*verdict.findings])


def counted(verdict: Verdict) -> list[str]:
    """The codes of what is counted."""
    return [finding.code for finding in verdict.faults]


def only(verdict: Verdict, code: str) -> Finding:
    """The one finding that is counted."""
    assert counted(verdict) == [code], [finding.message for finding in verdict.faults]
    return verdict.faults[0]


def near(finding: Finding) -> dict[str, int]:
    """The slips that are told beside a deed, with what they cost more."""
    return {each.act: each.cost for each in finding.near}


def short(plays: str, **fields: Any) -> Data:
    """A deal of a few tricks by four players, spades trump; seat 0 leads."""
    many = len(plays.split(";"))
    bids = "0 0, 1 0, 2 0, 3 1"
    return game("kbabs", 4, deal(number=14 - many, dealer="3", cards=many, turn="KS", bids=bids, plays=plays, **fields))


#: W discards a heart on the club led while holding a club, which it plays to the last trick.
REVOKE = {(3, "W"): "6H", (5, "W"): "5C"}


# --- the worked cases -------------------------------------------------------------------------------------------------


def test_a_revoke_with_the_hands_known_is_told_as_written() -> None:
    """A deed costs 2, an exchange of the player's own cards across rows 3: it is told beside it, and does not tie."""
    finding = only(told(with_cards(REVOKE)), "REV001")
    assert (finding.seat, finding.trick) == ("W", 3)
    assert near(finding) == {"plays-across": 1}


def test_a_revoke_without_hands_ties_with_a_card_that_was_not_seen() -> None:
    """5H on clubs, 5C never seen: nobody can tell a revoke from one character misread."""
    finding = only(told(short("0 KC, 1 5H, 2 2C, 3 3C; 0 AC, 1 9C, 2 4C, 3 6C")), "REV001")
    assert (finding.seat, finding.trick) == ("1", 1)
    assert near(finding)["card"] == 0


@pytest.mark.parametrize("hands", [True, False])
def test_a_lead_written_as_a_card_that_is_played_again_is_miswritten(hands: bool) -> None:
    """8H heads a row of clubs and is played again, 8C never is: the clubs were led."""
    finding = only(told(with_cards({(4, "E"): "8H"}, without(TRUTH, hands, claims=hands))), "REC003")
    assert (finding.facts["found"], finding.facts["due"], finding.facts["cost"]) == ("8H", "8C", 2)
    assert finding.seat is None


def test_three_who_did_not_follow_show_that_the_lead_is_miswritten() -> None:
    """A slip against three deeds, and the next lead shows that one of the three won."""
    verdict = told(short("0 5H, 1 6C, 2 7C, 3 8C; 3 AH, 0 9H, 1 2H, 2 3H; 3 9D, 0 2D, 1 3D, 2 4D"))
    finding = only(verdict, "REC003")
    assert (finding.facts["found"], finding.facts["due"]) == ("5H", "5C")
    assert {"REV001", "PLY004"} == {each.code for each in verdict.findings if each.because}


@pytest.mark.parametrize(("card", "cost"), [("AC", 2), ("6H", 3)])
def test_a_card_not_held_that_its_holder_plays_too_is_miswritten(card: str, cost: int) -> None:
    """All hands known and one card left over: that one was played; both characters wrong cost one more."""
    finding = only(told(with_cards({(3, "E"): card})), "REC003")
    assert (finding.facts["due"], finding.facts["cost"], finding.facts["or"]) == ("KC", cost, [])


def test_a_card_that_nobody_holds_is_miswritten_in_the_play_or_in_the_hand() -> None:
    """KD is played by E and stands in no hand, KC stands in E's and is never played: the card or the hand is wrong."""
    data = with_cards({(3, "E"): "KD"})
    del data["deals"][0]["aside"]
    assert only(told(data), "REC003").facts["or"] == ["hand-card"]


def test_several_cards_left_over_are_each_told() -> None:
    """In a deal broken off, a card not held may stand for any that is left: none of them is sure."""
    data = with_cards({(1, "E"): "6H"})
    data["deals"][0].update(events=data["deals"][0]["events"][:13], status="stopped")
    del data["deals"][0]["claimed"]
    finding = only(told(data), "REC003")
    assert finding.facts["due"] == "6S"
    assert {*finding.facts["or"]} >= {"hand-cards"}


@pytest.mark.parametrize(("other", "act"), [((1, "E"), "plays-in-row"), ((4, "E"), "plays-across")])
def test_two_cards_shown_by_each_other_are_exchanged_in_the_play_or_in_the_hands(other: tuple[int, str], act: str) -> None:
    """In one trick the row costs 2 and the hands 3; in different tricks both cost 3: a guess either way."""
    cards = {at: TRUTH["deals"][0]["events"][place(*at)]["card"] for at in ((1, "N"), other)}
    swapped = dict(zip(cards, reversed(cards.values()), strict=True))
    facts = only(told(with_cards(swapped)), "REC002").facts
    assert (facts["act"], facts["or"]) == (act, ["hand-cards"])


def slid(trick: int, data: Data = TRUTH) -> Data:
    """The deal with the cards of a trick one column on."""
    data = deepcopy(data)
    for event in data["deals"][0]["events"][1 + 4 * trick : 5 + 4 * trick]:
        event["by"] = SEATS[(SEATS.index(event["by"]) + 1) % 4]
    return data


def test_a_rotated_row_with_the_hands_known_is_told_with_its_owners() -> None:
    """Whose the cards are is read off the hands: nobody led out of turn, nobody revoked."""
    for trick in range(1, 6):
        finding = only(told(slid(trick)), "REC001")
        assert (finding.trick, finding.facts["cost"], finding.facts["columns"]) == (trick, 2, 3)
        assert not any(each.code.startswith(ACCUSING) for each in told(slid(trick)).faults)


def test_a_rotated_last_row_without_hands_is_dearer_as_a_lead_out_of_turn() -> None:
    """Row 2 against a lead out of turn 3: told at the lead, as what would explain it for less."""
    finding = only(told(short("0 AC, 1 5C, 2 6C, 3 7C; 1 AD, 2 2D, 3 3D, 0 4D")), "PLY004")
    assert near(finding)["rows"] == -1


def test_two_hands_exchanged_and_a_deal_written_from_another_seat() -> None:
    """N's and S's hands in each other's place, and all four one seat round: one slip each."""
    data, hands = deepcopy(TRUTH), TRUTH["deals"][0]["hands"]
    data["deals"][0]["hands"] = {**hands, "N": hands["S"], "S": hands["N"]}
    assert only(told(data), "REC008").facts["act"] == "hands"
    data["deals"][0]["hands"] = {seat: hands[SEATS[(place + 1) % 4]] for place, seat in enumerate(SEATS)}
    assert only(told(data), "REC008").facts["act"] == "turned"


def two_tricks(second: str, winners: list[str]) -> Data:
    """Two tricks; seat 3 wins the first."""
    hands = "0: 5C 3H | 1: 6C 4H | 2: 7C AH | 3: 8C 2H"
    return short(f"0 5C, 1 6C, 2 7C, 3 8C; {second}", hands=hands, claimed={"winners": winners})


def test_a_wrong_winner_is_a_slip_of_the_sheet_where_the_true_one_leads() -> None:
    """The cards say who won, and the next lead agrees."""
    only(told(two_tricks("3 2H, 0 3H, 1 4H, 2 AH", ["2", "2"])), "TRK001")


def test_a_wrong_winner_who_leads_was_given_the_trick_by_the_table() -> None:
    """The table gave the trick to the wrong side: nobody led out of turn."""
    verdict = told(two_tricks("2 AH, 3 2H, 0 3H, 1 4H", ["2", "2"]))
    finding = only(verdict, "TRK001")
    (lead,) = [each for each in verdict.findings if each.because]
    assert lead.code == "PLY004"
    assert lead.because == (finding.code, finding.pointer)


def test_a_revoke_in_the_log_of_a_server_is_told_as_written() -> None:
    """A machine wrote the cards as they fell: never a slip."""
    data = with_cards(REVOKE)
    data["provenance"] = {"kind": "server", "tool": "a server"}
    finding = only(told(data), "REV001")
    assert (finding.seat, finding.severity) == ("W", "error")


def test_a_revoke_and_a_miswritten_card_elsewhere_are_told_apart() -> None:
    """Two things went wrong: each is told, and neither follows from the other."""
    verdict = told(with_cards({**REVOKE, (2, "E"): "KH"}))
    assert sorted(counted(verdict)) == ["REC003", "REV001"]
    assert {each.because[0] for each in verdict.findings if each.because} == {"REC003"}


def test_parts_of_a_claim_that_do_not_add_up_accuse_nobody() -> None:
    """A number written wrong: a slip of the sheet, whichever part it is."""
    data = deepcopy(TRUTH)
    data["deals"][0]["claimed"]["tricks"]["N"] += 1
    assert counted(told(data))
    assert all(code.startswith(("TRK", "SCO")) for code in counted(told(data)))


# --- every slip that can be told ---------------------------------------------------------------------------------------


def test_every_slip_has_a_record_that_shows_it() -> None:
    """A code of the table of acts without a broken fixture is not read at sight."""
    assert {path.name[:6] for path in SLIPPED} == {*SLIPS}


@pytest.mark.parametrize("path", SLIPPED, ids=lambda path: path.name[:6])
def test_a_slip_is_told_once_and_nobody_is_accused(path: Path) -> None:
    """The fixtures differ from a clean deal in one slip; what the referee finds follows from it, and the slip has no seat."""
    verdict = check(load(path))
    finding = only(verdict, path.name[:6])
    assert finding.seat is None
    assert finding.facts["act"] in ACTS
    assert [each for each in verdict.findings if each.because] == [each for each in verdict.findings if each is not finding]
    raw = referee.check(load(path), games.find)
    assert {(each.code, each.pointer) for each in raw.faults} == {
        (each.code, each.pointer) for each in verdict.findings if each.because
    }


@pytest.mark.some(8)
@pytest.mark.parametrize("code", SLIPS)
def test_every_slip_can_be_explained(code: str, handrec: Handrec) -> None:
    """`handrec explain` knows every code and says its sentence."""
    returned, said, _ = handrec("explain", code)
    assert returned == 0
    assert " ".join(SLIPS[code].sentence.split()) in " ".join(said.split())


# --- two slips ----------------------------------------------------------------------------------------------------------


def keys(findings: tuple[Finding, ...] | list[Finding]) -> set[tuple[str, int | None, int | None, str | None]]:
    """Findings by code, deal, trick and seat: places may have moved."""
    return {(each.code, each.deal, each.trick, each.seat) for each in findings}


def two_slips(seed: int) -> tuple[Data, Data, Data, tuple[str, str]] | None:
    """One deal with two slips in different tricks, and with each of them alone."""
    rng = Random(seed)
    key = rng.choice(sorted(TABLES))
    truth = dealt(key, seed % 12)
    if truth is None:
        return None
    first, second = "plays_in_row", rng.choice(("card", "hand_card", "row_reversed", "plays_in_row"))
    one, other = deepcopy(truth), deepcopy(truth)
    if not planting.ACTS[first](one, rng) or not planting.ACTS[second](other, rng):
        return None
    both = deepcopy(truth)
    for part in (one, other):
        for at, event in enumerate(part["deals"][0]["events"]):
            if event != truth["deals"][0]["events"][at]:
                if both["deals"][0]["events"][at] != truth["deals"][0]["events"][at]:
                    return None
                both["deals"][0]["events"][at] = event
        for seat, cards in part["deals"][0]["hands"].items():
            if cards != truth["deals"][0]["hands"][seat]:
                both["deals"][0]["hands"][seat] = cards
    return both, one, other, (first, second)


def test_what_follows_from_a_slip_goes_with_that_slip_alone() -> None:
    """Of two slips in one deal, each listed consequence is gone from the record in which only the other slip was made."""
    tried = found = 0
    for seed in range(50):
        made = two_slips(seed)
        if made is None:
            continue
        both, *alone, _ = made
        verdict = told(both)
        raw = [keys(referee.check(Record.model_validate(part), games.find).findings) for part in alone]
        tried += 1
        for slip in slips(verdict):
            mine = [each for each in verdict.findings if each.because == (slip.code, slip.pointer)]
            if mine:
                assert any(not keys(mine) & rest for rest in raw), (seed, slip.message, [each.message for each in mine])
                found += 1
    assert tried > 25
    assert found > tried


def test_two_slips_in_different_tricks_are_both_told() -> None:
    """Of two independent slips in a deal both are told in nine of ten records; a deed that hangs on both is hardly ever told."""
    both_told = accused = tried = 0
    for seed in range(50):
        made = two_slips(seed)
        if made is None:
            continue
        verdict, acts = told(made[0]), made[3]
        acts_told = [each.facts["act"] for each in slips(verdict)]
        tried += 1
        accused += any(each.code.startswith(IRREGULAR) for each in accusations(verdict))
        both_told += len(acts_told) > 1 and all({*acts_told} & planting.TOLD[act] for act in acts)
    assert tried > 25
    assert both_told >= 0.9 * tried, (both_told, tried)
    assert accused <= 0.02 * tried, (accused, tried)


def test_slips_in_different_deals_are_told_apart() -> None:
    """Each deal's slip is told in its own deal, whatever is wrong in others."""
    path = FIXTURES / "clean/kbabs-4-players.handrec.json"
    truth = load(path).model_dump(mode="json", exclude_unset=True, by_alias=True)
    for seed in range(12):
        rng, data, planted = Random(seed), deepcopy(truth), {}
        for at in sorted(rng.sample(range(4, 10), 2)):
            single = {**truth, "deals": [deepcopy(truth["deals"][at])]}
            act = rng.choice(("plays_in_row", "hand_card", "row_reversed", "play_doubled", "suit"))
            if planting.ACTS[act](single, rng):
                data["deals"][at] = single["deals"][0]
                planted[truth["deals"][at]["number"]] = act
        verdict = told(data)
        assert {each.deal for each in slips(verdict)} == {*planted}
        for number, act in planted.items():
            assert {each.facts["act"] for each in slips(verdict) if each.deal == number} & planting.TOLD[act]


# --- what always holds ----------------------------------------------------------------------------------------------------


@pytest.mark.some(3)
@pytest.mark.parametrize("many", [2, pytest.param(4, marks=pytest.mark.long)])
@pytest.mark.parametrize("key", sorted(TABLES))
def test_no_slip_has_a_seat_and_nobody_is_accused_of_one(key: str, many: int) -> None:
    """Of one slip that can be read at sight, the hands known, no player is accused; no slip is told of a player."""
    for act in AT_SIGHT:
        for _, record in planting.plants(key, act, many, hands=True, claims=True):
            verdict = check(record)
            assert all(each.seat is None for each in slips(verdict))
            assert as_deed(record) or not accusations(verdict), (act, record.id, [each.message for each in accusations(verdict)])


def rotated(data: Data, turn: int) -> Data:
    """The record with every seat named as the one so many places on, and so seated."""
    seats = [player["seat"] for player in data["players"]]
    to = {seat: f"x{seats.index(seat)}" for seat in seats}

    def renamed(value: Any) -> Any:
        if isinstance(value, dict):
            return {to.get(each, each): renamed(inner) for each, inner in value.items()}
        if isinstance(value, list):
            return [renamed(inner) for inner in value]
        return to.get(value, value) if isinstance(value, str) else value

    changed: Data = renamed(data)
    changed["players"] = changed["players"][turn:] + changed["players"][:turn]
    return changed


@pytest.mark.some(3)
@pytest.mark.parametrize("key", sorted(set(TABLES) - {"bridge"}))
def test_what_is_told_turns_with_the_seats(key: str) -> None:
    """Seats named otherwise and the table turned: the same slips are told at the same places, of the seats' new names."""
    for act in ("plays_in_row", "rows", "hands", "hand_given", "play_lost", "card"):
        for _, record in planting.plants(key, act, 2, hands=True, claims=False):
            data = record.model_dump(mode="json", exclude_unset=True, by_alias=True)
            plain = check(record)
            for turn in range(1, len(data["players"])):
                other = told(rotated(data, turn))
                assert [(each.code, each.facts["act"], each.trick) for each in slips(plain)] == [
                    (each.code, each.facts["act"], each.trick) for each in slips(other)
                ], (act, record.id, turn)


@pytest.mark.some(3)
@pytest.mark.parametrize("key", sorted(TABLES))
def test_a_record_cut_short_after_an_illegal_play_hides_nothing_that_the_whole_shows(key: str) -> None:
    """What the referee says of plays up to a revoke it says of the whole record too."""
    for planted, record in planting.deeds(key, 8, hands=True, claims=False):
        if not planted.code.startswith("REV"):
            continue
        whole = referee.check(record, games.find)
        data = record.model_dump(mode="json", exclude_unset=True, by_alias=True)
        for finding in [each for each in whole.faults if each.code == planted.code]:
            short = deepcopy(data)
            end = int(finding.pointer.split("/")[4]) + 1
            short["deals"][0].update(events=short["deals"][0]["events"][:end], status="stopped")
            short["status"] = "excerpt"
            part = referee.check(Record.model_validate(short), games.find)
            assert keys(part.faults) <= keys(whole.faults)
            assert keys([finding]) <= keys(part.faults)


#: What a hostile hand does to a list or a mapping of a record.
CHANGES = ("drop", "double", "swap", "seat", "card", "number", "reverse")


def mutated(data: Data, changes: list[tuple[str, int, int]]) -> Data:
    """The record with some things changed at random places, whatever comes of it."""
    data = deepcopy(data)
    record = data["deals"][0]
    events, seats, pack = record["events"], [player["seat"] for player in data["players"]], planting.pack_of(data)
    for kind, one, other in changes:
        if not events:
            break
        at, to = one % len(events), other % len(events)
        if kind == "drop":
            events.pop(at)
        elif kind == "double":
            events.insert(to, deepcopy(events[at]))
        elif kind == "swap":
            events[at], events[to] = events[to], events[at]
        elif kind == "seat" and "by" in events[at]:
            events[at]["by"] = seats[other % len(seats)]
        elif kind == "card" and "card" in events[at]:
            events[at]["card"] = pack[other % len(pack)]
        elif kind == "number" and record.get("claimed", {}).get("tricks"):
            record["claimed"]["tricks"][seats[one % len(seats)]] = other % 20
        elif kind == "reverse" and record.get("hands"):
            hand = record["hands"][seats[one % len(seats)]]
            hand[:] = [*hand[: other % (len(hand) + 1)], pack[one % len(pack)]]
    return data


@given(
    key=st.sampled_from(sorted(TABLES)),
    seed=st.integers(0, 11),
    hands=st.booleans(),
    changes=st.lists(st.tuples(st.sampled_from(CHANGES), st.integers(0, 200), st.integers(0, 200)), max_size=12),
)
@example("bastard", 1, False, [("drop", 0, 0), ("drop", 1, 0), ("drop", 2, 0), ("drop", 2, 0)])  # one who sits there plays a card
@settings(max_examples=100, deadline=None)
def test_every_record_ends_in_a_verdict(key: str, seed: int, hands: bool, changes: list[tuple[str, int, int]]) -> None:
    """Whatever is written, if only it is of the schema: slips are told without failing, and consequences have a slip."""
    truth = dealt(key, seed)
    if truth is None:
        return
    verdict = told(mutated(without(truth, hands, claims=True), changes))
    places = {(each.code, each.pointer) for each in verdict.primary}
    for finding in verdict.findings:
        assert finding.because is None or finding.because in places
        assert not finding.code.startswith("REC") or finding.seat is None
        assert re.fullmatch(r"[A-Z]{3}\d{3}", finding.code)
        assert finding.message


@pytest.mark.parametrize("key", sorted(TABLES))
def test_a_deed_is_told_with_its_code_and_its_player(key: str) -> None:
    """A deed at sight: as it is written, never as a slip alone."""
    for planted, record in planting.deeds(key, 6, hands=True, claims=True):
        verdict = check(record)
        assert planted.code in counted(verdict), record.id
        assert all(each.seat for each in verdict.faults if each.code.startswith(IRREGULAR))


def test_every_act_of_the_pen_decides_something() -> None:
    """Each line of the table that is read at sight tells some slip that was planted, or stands beside some deed."""
    told: set[str] = set()
    board: Any = dealt("bridge", 0)
    north, east, *others = board["players"]
    whist: Any = deepcopy(dealt("whist", 0))
    turned = next(event for event in whist["deals"][0]["events"] if event["do"] == "turn")
    turned["card"] = turned["card"][0] + ("H" if turned["card"][1] != "H" else "S")
    planted = [
        *(
            planting.plants(key, act, 2, hands=True, claims=True)
            for key, act in product(("batarde", "bridge", "kbabs"), planting.ACTS)
        ),
        calling_slips.plants("board_number", 4),
        planting.plants("kbabs", "turn_up", 8, hands=False, claims=True),
        [({}, Record.model_validate(whist))],
        [({}, Record.model_validate(board | wrong)) for wrong in ({"game": "batarde"}, {"players": [east, north, *others]})],
    ]
    for _, record in chain.from_iterable(planted):
        for finding in check(record).findings:
            told |= {finding.facts["act"]} if finding.code.startswith("REC") else set()
            told |= {near.act for near in finding.near}
    assert {act.key for act in ACTS.values() if act.fault} - told == set()


@pytest.mark.some(4)
@pytest.mark.parametrize("seed", range(20))
@pytest.mark.parametrize("key", ["bridge", "kbabs", "hearts"])
def test_of_a_card_played_twice_the_other_place_is_told_where_that_fits_as_well(key: str, seed: int) -> None:
    """One seat, one suit: sometimes the tricks tell which of the two is the slip, and sometimes nothing does."""
    data = without(dealt(key, seed) or {}, True, seed % 2 == 0)
    rng, plays = Random(seed), [event for event in data["deals"][0]["events"] if event["do"] == "play"]
    pairs = [(one, other) for one in plays for other in plays if one is not other and one["by"] == other["by"]]
    true, slip = rng.choice([(one, other) for one, other in pairs if one["card"][1] == other["card"][1]])
    card, lost = true["card"], slip["card"]
    slip["card"] = card
    said = only(told(data), "REC003").message
    true["card"] = lost
    assert (f"{card} written for {lost} in trick" in said) == told(data).ok


def test_an_empty_hand_is_a_hand_that_is_known() -> None:
    """It has no card; one that is not on record may have any."""
    data = put(killer_hand(), "/deals/0/hands/0", [])
    assert taken_apart(data).own[0] == 0
    assert taken_apart(drop(data, "/deals/0/hands/0")).own[0] is None
