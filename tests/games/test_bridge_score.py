"""The score of bridge: every contract with every result, what is claimed for a side, rubber and Chicago."""

from __future__ import annotations

from itertools import product
from typing import Any

import pytest

from handrec import check
from handrec.findings import Verdict
from handrec.game import compose
from handrec.games import find
from handrec.record import Record
from handrec.repair import applied, derivable
from handrec.ruling import rule
from tests.tables import Data, deal, faults, game, insert, put, reasons

STRAINS = ("C", "D", "H", "S", "NT")

# --- an independent reckoning, from tables that are written out -----------------------------------------------------

#: Points of one odd trick to seven: undoubled, doubled, redoubled.
ODD = {
    "C": ((20, 40, 60, 80, 100, 120, 140), (40, 80, 120, 160, 200, 240, 280), (80, 160, 240, 320, 400, 480, 560)),
    "D": ((20, 40, 60, 80, 100, 120, 140), (40, 80, 120, 160, 200, 240, 280), (80, 160, 240, 320, 400, 480, 560)),
    "H": ((30, 60, 90, 120, 150, 180, 210), (60, 120, 180, 240, 300, 360, 420), (120, 240, 360, 480, 600, 720, 840)),
    "S": ((30, 60, 90, 120, 150, 180, 210), (60, 120, 180, 240, 300, 360, 420), (120, 240, 360, 480, 600, 720, 840)),
    "NT": ((40, 70, 100, 130, 160, 190, 220), (80, 140, 200, 260, 320, 380, 440), (160, 280, 400, 520, 640, 760, 880)),
}
#: Of an overtrick, by strain, doubles and vulnerability.
OVER = {"C": 20, "D": 20, "H": 30, "S": 30, "NT": 30}
OVER_DOUBLED = {(1, False): 100, (1, True): 200, (2, False): 200, (2, True): 400}
#: Of one undertrick to thirteen, by doubles and vulnerability.
UNDER = {
    (0, False): (50, 100, 150, 200, 250, 300, 350, 400, 450, 500, 550, 600, 650),
    (0, True): (100, 200, 300, 400, 500, 600, 700, 800, 900, 1000, 1100, 1200, 1300),
    (1, False): (100, 300, 500, 800, 1100, 1400, 1700, 2000, 2300, 2600, 2900, 3200, 3500),
    (1, True): (200, 500, 800, 1100, 1400, 1700, 2000, 2300, 2600, 2900, 3200, 3500, 3800),
    (2, False): (200, 600, 1000, 1600, 2200, 2800, 3400, 4000, 4600, 5200, 5800, 6400, 7000),
    (2, True): (400, 1000, 1600, 2200, 2800, 3400, 4000, 4600, 5200, 5800, 6400, 7000, 7600),
}


def reckoned(level: int, strain: str, risk: int, tricks: int, vulnerable: bool) -> int:
    """The score of the declaring side."""
    more = tricks - 6 - level
    if more < 0:
        return -UNDER[risk, vulnerable][-more - 1]
    score = odd = ODD[strain][risk][level - 1]
    score += more * (OVER_DOUBLED[risk, vulnerable] if risk else OVER[strain])
    score += (500 if vulnerable else 300) if odd >= 100 else 50
    score += {6: 750 if vulnerable else 500, 7: 1500 if vulnerable else 1000}.get(level, 0)
    return score + (0, 50, 100)[risk]


def scored(bid: str, by: str | None = "S", sides: Data | None = None, options: Data | None = None, **fields: Any) -> Data:
    """A board of which only the contract and what is claimed for the sides are recorded."""
    event = {"do": "contract", "bid": bid} | ({} if by is None else {"by": by})
    board = {"number": 1, "events": [event], "status": "claimed", **fields}
    if sides is not None:
        board["claimed"] = {"sides": sides}
    return game("bridge", "N E S W", board) | {"version": "1.1", "options": options or {}}


def verdict(data: Data) -> Verdict:
    return check(Record.model_validate(data))


def wrong(data: Data) -> list[tuple[str, str | None, str | None, Any, Any]]:
    """Code, rule, side, found and due of all that is wrong."""
    found = faults(verdict(data))
    return [(each.code, each.rule, each.seat, each.facts.get("found"), each.facts.get("due")) for each in found]


def sides(data: Data) -> dict[str, Any]:
    """What the sides of the first deal have."""
    return {side: tuple(result) for side, result in verdict(data).deals[0].sides.items()}


@pytest.mark.some(4)
@pytest.mark.parametrize("level", range(1, 8))
def test_every_contract_with_every_result(level: int) -> None:
    """All 2,940 scores, a seventh at a time; and the other side has as much less."""
    count = 0
    for strain, risk, tricks, vulnerable in product(STRAINS, range(3), range(14), (False, True)):
        data = scored(f"{level}{strain}{'x' * risk}", "E", {"EW": {"tricks": tricks}}, vulnerable="EW" if vulnerable else "NS")
        due = reckoned(level, strain, risk, tricks, vulnerable)
        assert sides(data) == {"NS": (13 - tricks, -due), "EW": (tricks, due)}, data
        count += 1
    assert count == 2940 / 7


@pytest.mark.parametrize(
    ("bid", "tricks", "free", "vulnerable"),
    [
        ("3NT", 9, 400, 600),
        ("4S", 10, 420, 620),
        ("4S", 11, 450, 650),
        ("6NT", 12, 990, 1440),
        ("7NTxx", 13, 2280, 2980),
        ("2Sx", 8, 470, 670),
        ("1Cxx", 8, 430, 630),
        ("1NTx", 4, -500, -800),
        ("5Dx", 7, -800, -1100),
        ("3Hxx", 7, -600, -1000),
        ("1NT", 7, 90, 90),
        ("7Cxx", 0, -7000, -7600),
    ],
)
def test_scores_that_players_know(bid: str, tricks: int, free: int, vulnerable: int) -> None:
    told = [sides(scored(bid, "S", {"NS": {"tricks": tricks}}, vulnerable=who))["NS"][1] for who in ("none", "all")]
    assert told == [free, vulnerable]


def test_the_lines_of_a_score() -> None:
    data = scored("6Cxx", "N", {"NS": {"tricks": 13}}, vulnerable="NS")
    lines = {"odd": 480, "overtricks": 400, "game": 500, "part": 0, "slam": 750, "insult": 100, "undertricks": 0}
    told = verdict(data).deals[0]
    assert told.lines["N"] == told.lines["S"] == lines
    assert told.lines["E"] == {key: -points for key, points in lines.items()}
    assert told.stakes == "6Cxx by N vulnerable"


def test_a_board_passed_out_scores_nothing() -> None:
    data = scored("pass", None, {"NS": {"score": 0}}, vulnerable="NS")
    assert sides(data) == {"NS": (None, 0), "EW": (None, 0)}
    assert wrong(data) == []
    assert wrong(put(data, "/deals/0/claimed/sides/NS/score", 50)) == [("SCO001", "BR-77a", "NS", 50, 0)]


@pytest.mark.parametrize("scoring", ["duplicate", "rubber", "chicago"])
def test_a_deal_passed_out_scores_nothing_whatever_came_before(scoring: str) -> None:
    data = scored("pass", None, {"NS": {"score": 50}}, {"scoring": scoring}) | {"status": "excerpt"}
    assert sides(data) == {"NS": (None, 0), "EW": (None, 0)}
    assert wrong(data) == [("SCO001", "BR-77a", "NS", 50, 0)]


# --- what is claimed --------------------------------------------------------------------------------------------------


def test_a_wrong_score_is_one_finding() -> None:
    data = scored("4S", "S", {"NS": {"tricks": 10, "score": 480}, "EW": {"tricks": 3, "score": -480}}, vulnerable="NS")
    assert wrong(data) == [("SCO001", "BR-77a", "NS", 480, 620)]
    assert wrong(put(put(data, "/deals/0/claimed/sides/NS/score", 620), "/deals/0/claimed/sides/EW/score", -620)) == []


def test_a_score_at_the_other_vulnerability_is_told_as_such() -> None:
    for who, found, words in [("NS", 420, "; as if not vulnerable it is right"), ("EW", 620, "; as if vulnerable it is right")]:
        [finding] = faults(verdict(scored("4S", "S", {"NS": {"tricks": 10, "score": found}}, vulnerable=who)))
        assert finding.message.endswith(words), finding.message
    [finding] = faults(verdict(scored("4S", "S", {"NS": {"tricks": 10, "score": 421}}, vulnerable="NS")))
    assert finding.message == (
        "NS is recorded with 421 points for 4S by S vulnerable with 10 tricks, but that makes 620 (odd +120 game +500)"
    )


@pytest.mark.parametrize(
    ("bid", "tricks", "lacks", "rule"),
    [
        ("1C", 8, 20, "BR-77b"),
        ("3NT", 9, 300, "BR-77c"),
        ("6H", 12, 500, "BR-77d"),
        ("2Cx", 8, 50, "BR-77a"),  # the part score, or the insult
        ("4Hxx", 10, 100, "BR-77e"),
    ],
)
def test_a_line_left_out_is_named(bid: str, tricks: int, lacks: int, rule: str) -> None:
    data = scored(bid, "S", {"NS": {"tricks": tricks}}, vulnerable="none")
    due = sides(data)["NS"][1]
    data["deals"][0]["claimed"]["sides"]["NS"]["score"] = due - lacks
    assert wrong(data) == [("SCO001", rule, "NS", due - lacks, due)]


def test_undertricks_belong_to_the_other_side() -> None:
    data = scored("4S", "S", {"EW": {"tricks": 5, "score": 150}}, vulnerable="NS")
    assert wrong(data) == [("SCO001", "BR-77f", "EW", 150, 200)]


def test_vulnerability_by_the_number_of_the_board() -> None:
    table = "ONEBNEBOEBONBONE"  # none, NS, EW, both, as it is engraved on boards
    sides_of = {"O": (400, 400), "N": (600, 400), "E": (400, 600), "B": (600, 600)}
    for number in range(1, 33):
        told = [sides(scored("3NT", by, {"NS": {"tricks": n}}, board=number)) for by, n in (("N", 9), ("E", 4))]
        assert (told[0]["NS"][1], told[1]["EW"][1]) == sides_of[table[(number - 1) % 16]]


def test_where_the_vulnerability_is_not_known() -> None:
    data = scored("3NT", "S", {"NS": {"tricks": 9, "score": 400}})
    assert (wrong(data), sides(data)["NS"]) == ([], (9, None))
    assert "deal 1: NS's score cannot be recomputed" in reasons(verdict(data), "L5")
    assert wrong(put(data, "/deals/0/claimed/sides/NS/score", 430)) == [("SCO001", "BR-77a", "NS", 430, [400, 600])]
    same = scored("1NT", "S", {"NS": {"tricks": 7, "score": 90}})  # a part score made is the same at both
    assert (wrong(same), sides(same)["NS"]) == ([], (7, 90))


def test_where_the_contract_is_not_told_in_full() -> None:
    for bid, by in [("S", "S"), ("4S", None)]:
        data = scored(bid, by, {"NS": {"tricks": 9, "score": -17}}, vulnerable="all")
        assert (wrong(data), sides(data)) == ([], {"NS": (9, None), "EW": (4, None)})
        assert "deal 1: NS's score cannot be recomputed" in reasons(verdict(data), "L5")


def test_where_the_tricks_are_not_known_a_score_must_be_one_of_the_contract() -> None:
    data = scored("4S", "S", {"NS": {"score": 620}}, vulnerable="all")
    assert (wrong(data), sides(data)["NS"]) == ([], (None, None))
    assert "deal 1: NS's score cannot be recomputed" in reasons(verdict(data), "L5")
    assert [row[:4] for row in wrong(put(data, "/deals/0/claimed/sides/NS/score", 420))] == [("SCO001", "BR-77a", "NS", 420)]


HANDS = (
    "N: AS KS 5S 4S AH 7H 3H QD 8D 2D KC 6C 2C | E: QS JS 6S KH QH 8H 4H AD 7D 3D QC 7C 3C"
    "| S: TS 9S 3S 2S JH 9H 2H KD JD 4D AC 8C 4C | W: 8S 7S TH 6H 5H TD 9D 6D 5D JC TC 9C 5C"
)
#: South, North: nine tricks; East: four.
PLAYS = (
    "W JC, N 2C, E 3C, S AC; S 2S, W 7S, N KS, E 6S; N AS, E JS, S 3S, W 8S; N 4S, E QS, S TS, W 5D"
    "; E KH, S 2H, W 5H, N AH; N 5S, E 3D, S 9S, W 6D; S 4D, W TD, N QD, E AD; E QH, S 9H, W 6H, N 3H; E 8H, S JH, W TH, N 7H"
    "; S KD, W 9D, N 2D, E 7D; S JD, W 5C, N 8D, E 4H; S 4C, W 9C, N KC, E 7C; N 6C, E QC, S 8C, W TC"
)


def played(claims: Data, bid: str = "3S", **fields: Any) -> Data:
    """A deal that was played to the end: South and North have nine tricks."""
    told = deal(hands=HANDS, plays=PLAYS, **{"vulnerable": "none", "claimed": {"sides": claims}, **fields})
    data = insert(game("bridge", "N E S W", told), "/deals/0/events/0", {"do": "contract", "by": "S", "bid": bid})
    return data | {"version": "1.1"}


def test_tricks_of_a_side_are_counted() -> None:
    data = played({"NS": {"tricks": 9, "score": 140}})
    assert (wrong(data), sides(data)) == ([], {"NS": (9, 140), "EW": (4, -140)})
    assert wrong(played({"NS": {"tricks": 10, "score": 140}})) == [("TRK002", "C-6g", "NS", 10, 9)]


def test_a_score_that_follows_from_tricks_miscounted_is_no_fault_of_its_own() -> None:
    assert wrong(played({"NS": {"tricks": 10, "score": 170}})) == [("TRK002", "C-6g", "NS", 10, 9)]
    assert wrong(played({"NS": {"tricks": 10, "score": 170}, "EW": {"tricks": 3, "score": -170}})) == [
        ("TRK002", "C-6g", "NS", 10, 9)
    ]
    assert len(wrong(played({"NS": {"tricks": 10, "score": 180}}))) == 2


def test_the_tricks_of_both_sides_are_those_of_the_deal() -> None:
    data = scored("3S", "S", {"NS": {"tricks": 9}, "EW": {"tricks": 5}}, vulnerable="none")
    assert wrong(data) == [("TRK004", "C-6g", None, 14, 13)]


def test_a_claim_ends_the_play() -> None:
    data = played({"NS": {"tricks": 9, "score": 140}}, status="claimed")
    data["deals"][0]["events"][-8:] = [{"do": "claim", "by": "S", "tricks": {"S": 1, "N": 0, "E": 1, "W": 0}}]
    assert (wrong(data), sides(data)["NS"]) == ([], (9, 140))


def test_scores_of_seats_are_those_of_their_sides() -> None:
    data = played({})
    data["deals"][0]["claimed"] = {"scores": {"N": 140, "E": -140, "S": 140, "W": -140}}
    assert wrong(data) == []
    assert wrong(put(data, "/deals/0/claimed/scores/E", 140)) == [("SCO001", "BR-77a", "E", 140, -140)]


def test_sides_are_those_of_the_table() -> None:
    for data, place in [
        (scored("3S", "S", vulnerable="NE"), "/deals/0/vulnerable"),
        (scored("3S", "S", {"SN": {"tricks": 9}}, vulnerable="none"), "/deals/0/claimed/sides/SN"),
        (scored("3S", "S") | {"claimed": {"sides": {"N": {"score": 9}}}}, "/claimed/sides/N"),
    ]:
        [finding] = faults(verdict(data))
        assert (finding.code, finding.pointer) == ("FMT012", place)


@pytest.mark.parametrize("tricks", [14, 20, 1000])
def test_more_tricks_than_there_are(tricks: int) -> None:
    """Whatever stands there, it is told and harms nothing."""
    told = verdict(scored("7NTxx", "S", {"EW": {"tricks": tricks, "score": 100}}, vulnerable="all"))
    assert all(result.score is None for result in told.deals[0].sides.values())


# --- rubber -----------------------------------------------------------------------------------------------------------


def rubber(deals: list[tuple[Any, ...]], scoring: str = "rubber", status: str = "complete", **options: Any) -> Data:
    """A rubber: of each deal the contract, who declares, the tricks of that side, and what else happens."""
    found = []
    for number, (bid, by, tricks, *more) in enumerate(deals, 1):
        events = [{"do": "contract", "bid": bid} | ({"by": by} if by else {}), *more]
        side = "NS" if by in ("N", "S") else "EW"
        found.append({"number": number, "dealer": "NESW"[(number - 1) % 4], "events": events, "status": "claimed"})
        if by:
            found[-1]["claimed"] = {"sides": {side: {"tricks": tricks}}}
    head = game("bridge", "N E S W", *found)
    return head | {"version": "1.1", "options": {"scoring": scoring, **options}, "status": status}


def course(data: Data) -> list[tuple[int, int]]:
    """What NS and EW score deal by deal."""
    return [(result.scores["N"], result.scores["E"]) for result in verdict(data).deals]


def honours(by: str, count: int) -> Data:
    return {"do": "announce", "by": by, "what": "honours", "count": count}


def test_a_rubber() -> None:
    """Two part scores make a game; then the side is vulnerable; the other wins one, too; 500 for the rubber."""
    data = rubber(
        [
            ("2S", "N", 9),  # 60 below, 30 above
            ("1NT", "S", 7),  # 40 below: game
            ("4H", "N", 8),  # down two, vulnerable
            ("3NTx", "E", 10, honours("W", 150)),  # 200 below, an overtrick 100, the insult 50
            ("4S", "W", 9),  # down one, vulnerable
            ("6C", "N", 12),  # 120 below, the slam 750, the rubber 500
        ]
    )
    assert course(data) == [(90, 0), (40, 0), (0, 200), (0, 500), (100, 0), (1370, 0)]
    told = verdict(data)
    assert wrong(data) == []
    assert (told.totals, told.winners) == ({"N": 1600, "E": 700, "S": 1600, "W": 700}, ("N", "S"))


def test_a_rubber_won_in_two_games_counts_700() -> None:
    assert course(rubber([("3NT", "E", 9), ("4S", "W", 10)])) == [(0, 100), (0, 820)]


def test_a_game_of_the_others_ends_a_part_score() -> None:
    data = rubber([("2S", "N", 8), ("3NT", "E", 9), ("1S", "N", 9), ("2S", "N", 8), ("1C", "S", 7), ("5D", "S", 11)])
    carried = [(result.carried["N"]["part"], result.carried["N"]["games"]) for result in verdict(data).deals]
    assert carried == [(60, 0), (0, 0), (30, 0), (90, 0), (0, 1), (0, 2)]
    assert course(data)[-1] == (600, 0)


def test_a_rubber_ends_with_two_games() -> None:
    assert [row[0] for row in wrong(rubber([("3NT", "E", 9), ("4S", "W", 10), ("1C", "N", 7)]))] == ["SCO005"]
    assert [row[0] for row in wrong(rubber([("3NT", "E", 9)]))] == ["SCO005"]


def test_a_rubber_left_unfinished() -> None:
    one = rubber([("3NT", "E", 9), ("2S", "N", 8)], status="stopped")
    assert verdict(one).totals == {"N": 160, "E": 400, "S": 160, "W": 400}  # 100 for the part score, 300 for the game
    even = rubber([("3NT", "E", 9), ("3NT", "N", 9)], status="stopped")
    assert verdict(even).totals == {"N": 100, "E": 100, "S": 100, "W": 100}


def test_totals_of_a_rubber_are_compared() -> None:
    data = rubber([("3NT", "E", 9), ("4S", "W", 10)])
    data["claimed"] = {"totals": {"N": 0, "E": 920, "S": 0, "W": 920}, "winners": ["E", "W"]}
    assert wrong(data) == []
    assert [row[0] for row in wrong(put(data, "/claimed/totals/E", 720))] == ["SCO002"]
    assert [row[0] for row in wrong(put(data, "/claimed/winners", ["N", "S"]))] == ["SCO003"]


def test_totals_of_sides_are_compared() -> None:
    data = rubber([("3NT", "E", 9), ("4S", "W", 10)])
    data["claimed"] = {"sides": {"NS": {"score": 0}, "EW": {"score": 920}}}
    assert wrong(data) == []
    assert [row[:4] for row in wrong(put(data, "/claimed/sides/EW/score", 720))] == [("SCO002", "BR-83", "EW", 720)]


def test_honours_are_held_in_one_hand() -> None:
    data = played({}, "3S")
    data["options"] = {"scoring": "rubber"}
    data["deals"][0]["events"].append(honours("N", 100))
    assert wrong(data) == [("SCO007", "BR-81", "N", 100, 0)]


# --- Chicago ----------------------------------------------------------------------------------------------------------


def test_four_deals_of_chicago() -> None:
    """Nobody is vulnerable, then the dealer's side twice, then all; a part score counts towards a game."""
    data = rubber(
        [
            ("2S", "N", 8),  # 60 towards game
            ("4H", "E", 10),  # East deals: vulnerable, 120 and 500; the part score is gone
            ("4H", "E", 9),  # South deals: East is not vulnerable
            ("1NT", "W", 7),  # 40, and 100 for a part score in the fourth deal
        ],
        "chicago",
    )
    assert course(data) == [(60, 0), (0, 620), (50, 0), (0, 140)]
    assert (wrong(data), verdict(data).winners) == ([], ("E", "W"))


def test_chicago_with_the_second_and_third_deal_switched() -> None:
    deals = [("1C", "N", 7), ("4H", "E", 10), ("4H", "S", 10), ("4H", "S", 9)]
    assert [row[0] for row in course(rubber(deals, "chicago"))] == [20, 0, 620, -0]
    assert course(rubber(deals, "chicago"))[1:] == [(0, 620), (620, 0), (0, 100)]
    assert course(rubber(deals, "chicago", chicago="others"))[1:] == [(0, 420), (420, 0), (0, 100)]


def test_a_deal_of_chicago_that_is_passed_out_is_dealt_again() -> None:
    data = rubber([("1C", "N", 7), ("pass", None, 0), ("4H", "E", 10), ("4H", "S", 9), ("2C", "N", 8)], "chicago")
    for place, dealer in enumerate("NEESW"):
        data["deals"][place]["dealer"] = dealer
    assert course(data) == [(20, 0), (0, 0), (0, 620), (0, 100), (140, 0)]
    assert wrong(data) == []
    assert [row[0] for row in wrong(put(data, "/deals/2/dealer", "S"))] == ["DEA006"]


# --- rulings ----------------------------------------------------------------------------------------------------------


def test_a_ruling_tells_the_points_with_and_without() -> None:
    """West discards at trick 2 with spades in hand: a trick goes to North and South, who have nine."""
    data = put(put(played({}, vulnerable="NS"), "/deals/0/events/6/card", "5D"), "/deals/0/events/16/card", "7S")
    known = find("bridge")
    assert known is not None
    [ruling] = rule(Record.model_validate(data), known)
    assert (ruling.before.tricks, ruling.before.scores) == ({"N/S": 9, "E/W": 4}, {"N/S": 140, "E/W": -140})
    [after] = [each.after for each in ruling.outcomes if each.moves]
    assert after is not None
    assert (after.tricks, after.scores) == ({"N/S": 10, "E/W": 3}, {"N/S": 170, "E/W": -170})


def test_tricks_that_may_have_moved_for_a_revoke_are_no_miscount() -> None:
    revoke = {"NS": {"tricks": 10, "score": 170}}
    data = put(put(played(revoke, vulnerable="NS"), "/deals/0/events/6/card", "5D"), "/deals/0/events/16/card", "7S")
    assert [row[0] for row in wrong(data)] == ["REV001"]
    assert "deal 1: whether tricks were moved for a revoke is not recorded" in reasons(verdict(data), "L5")
    many = put(data, "/deals/0/claimed/sides/NS", {"tricks": 12, "score": 230})
    assert sorted(row[0] for row in wrong(many)) == ["REV001", "TRK002"]


# --- from deal to deal ------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("scoring", ["rubber", "chicago"])
def test_what_a_side_can_bring_into_a_deal(scoring: str) -> None:
    """Part scores that contracts come to without a game, at most one game of a rubber, and up to three deals of Chicago."""
    bridge = find("bridge")
    assert bridge is not None
    below = {points for strain in ODD.values() for risk in strain for points in risk}
    parts = {0}
    while more := {part + points for part in parts for points in below if part + points < 100} - parts:
        parts |= more
    games = {"games": {0, 1}, "their_games": {0, 1}} if scoring == "rubber" else {"deal": {0, 1, 2, 3}}
    carries = compose(bridge, {"scoring": scoring})[0].carries
    assert {carry.key: {*carry.values} for carry in carries} == {"part": parts, "their_part": parts} | games


def test_boards_are_won_by_points_in_all_only_where_that_is_agreed() -> None:
    """Otherwise another table tells."""
    board = scored("1NT", sides={"NS": {"tricks": 7, "score": 90}, "EW": {"tricks": 6, "score": -90}})
    for match in ("by_tables", "imps", "matchpoints", "total"):
        told = verdict(board | {"options": {"match": match}, "status": "complete"})
        assert (told.winners, reasons(told, "L6")) == (
            (("N", "S"), "") if match == "total" else (None, "who wins is told by other tables, and not by one alone")
        )


def test_who_deals_follows_from_no_deal_before_but_at_rubber_and_chicago() -> None:
    """At duplicate each board says so by its number, and of boards whose numbers bind nobody anybody may deal."""
    deals = [{"dealer": "N", "events": []}, {"dealer": "N", "events": []}]
    for options, found in (({"boards": "free"}, []), ({"scoring": "rubber"}, ["DEA006"]), ({"scoring": "chicago"}, ["DEA006"])):
        record = game("bridge", "N E S W", *deals, options=options, status="stopped")
        assert [finding.code for finding in faults(verdict(record))] == found, options


@pytest.mark.parametrize("scoring", ["rubber", "chicago"])
def test_the_number_of_a_board_says_nothing_where_the_score_tells_who_is_vulnerable(scoring: str) -> None:
    """Whoever numbers deals so does no wrong; at duplicate the same deal is wrong, and free boards are worth a word."""
    deal = {"dealer": "E", "board": 2, "vulnerable": "none", "events": []}
    for options, found in (({"scoring": scoring}, []), ({}, ["error"]), ({"boards": "free"}, ["warning"])):
        told = verdict(game("bridge", "N E S W", deal, options=options, status="excerpt"))
        assert [finding.severity for finding in told.findings if finding.because is None] == found, options


# --- repairs ----------------------------------------------------------------------------------------------------------


def test_what_follows_for_sides_is_written_by_a_fix() -> None:
    """A miscount, the score that follows from it, and what mirrors both on the other side."""
    known = find("bridge")
    assert known is not None
    right = {"NS": {"tricks": 9, "score": 140}, "EW": {"tricks": 4, "score": -140}}
    for claims in (
        {"NS": {"tricks": 10, "score": 170}, "EW": {"tricks": 3, "score": -170}},
        {"NS": {"tricks": 9, "score": 150}, "EW": {"tricks": 4, "score": -150}},
        {"NS": {"tricks": 4, "score": 140}, "EW": {"tricks": 9, "score": -140}},
    ):
        record = Record.model_validate(played(claims))
        assert applied(record, derivable(record, known)) == Record.model_validate(played(right))
