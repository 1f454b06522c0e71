"""Rulings: what is shown, when it could be known, whether the claim was in time, what follows and how the score stands then."""

from __future__ import annotations

import json
from copy import deepcopy
from functools import cache, lru_cache
from itertools import product
from math import comb
from pathlib import Path
from random import Random
from time import process_time
from typing import Any

import pytest

from handrec import api, inference, referee
from handrec.dealing import deal_game
from handrec.explanations.weighed import Weighing
from handrec.game import Game, compose
from handrec.games import find
from handrec.record import Record
from handrec.report.ruling import text
from handrec.ruling import NoSuch, RevokeRuling, asked, books, rule
from handrec.writing import digest
from tests.tables import Data, deal, drop, insert, killer_hand, spades_hand

BROKEN = Path(__file__).parents[1] / "fixtures" / "broken"


def ruled(
    data: Data, *claims: str, laws: Any = None, of: int | None = None, noticed: str | None = None
) -> tuple[RevokeRuling, ...]:
    """The rulings on a record, or on claims such as `2@4` (`of` their deal)."""
    record, known, weighing = _weighed(json.dumps(data))
    wanted = [asked(record, claim, of, noticed) for claim in claims] or None
    return rule(record, known, wanted, laws, weighing if wanted else None)


@lru_cache(maxsize=64)
def _weighed(data: str) -> tuple[Record, Game, Weighing]:
    """A record with its game, searched once however often it is asked about."""
    record = Record.model_validate(json.loads(data))
    known = find(record.game)
    assert known is not None
    return record, known, Weighing(record, known)


def only(data: Data, *claims: str, **how: Any) -> RevokeRuling:
    """The one ruling."""
    (ruling,) = ruled(data, *claims, **how)
    return ruling


def accuse(by: str, of: str, **more: Any) -> Data:
    """An accusation."""
    return {"do": "accuse", "by": by, "of": of, **more}


def take(by: str, of: str, tricks: int, **more: Any) -> Data:
    """Books taken."""
    return {"do": "transfer", "by": by, "of": of, "tricks": tricks, **more}


def accused(data: Data, **how: Any) -> RevokeRuling:
    """The ruling on the one accusation of a record."""
    (ruling,) = [each for each in ruled(data, **how) if each.claim.source == "accusation"]
    return ruling


def words(ruling: RevokeRuling) -> str:
    """All the facts in one text."""
    return "\n".join(fact.words for fact in ruling.facts)


# --- three-player Spades ----------------------------------------------------------------------------------------------


def spades(*more: Data, **fields: Any) -> Data:
    """SP-D11 without its sheet."""
    return drop(spades_hand(*more, status="stopped", **fields), "/deals/0/claimed")


def test_sp_d11_every_choice_and_its_scores_sp_23() -> None:
    """None to three books: with two the hand stands as in the worked example, 6, 4 and 3 tricks, 60, 40 and -50."""
    ruling = only(spades(accuse("0", "2"), take("0", "2", 2)))
    assert (ruling.verdict, ruling.shown, ruling.reason) == ("upheld", True, "up to 3 books to 0")
    assert ruling.before.tricks == {"0": 4, "1": 4, "2": 5}
    assert ruling.before.scores == {"0": -60, "1": 40, "2": 50}
    assert [sum(move.tricks for move in each.moves) for each in ruling.outcomes] == [0, 1, 2, 3]
    two = ruling.outcomes[2]
    assert [each.taken for each in ruling.outcomes] == [False, False, True, False]
    assert two.after is not None
    assert (two.after.tricks, two.after.scores) == ({"0": 6, "1": 4, "2": 3}, {"0": 60, "1": 40, "2": -50})


def test_a_claim_in_time_by_the_dates_sp_22() -> None:
    """Claimed after the last card of trick 4, it is in time, though nobody could prove it before trick 6."""
    dates = only(spades(accuse("0", "2"))).dates
    assert (dates.happened, dates.claimed, dates.provable["all"]) == ("4.2", "after 4.3", "6.2")
    assert "5.1" in dates.claimable
    assert dates.provable["2"] == "4.2"


def test_a_claim_too_late_sp_22() -> None:
    """When the next trick has been led, the renege stands shown and the claim is void."""
    ruling = only(insert(spades(), "/deals/0/events/18", accuse("0", "2", trick=4)))
    assert (ruling.verdict, ruling.shown, ruling.outcomes) == ("rejected", True, ())
    assert "too late" in ruling.reason
    assert only(insert(spades(), "/deals/0/events/15", accuse("0", "2", trick=4))).verdict == "upheld"


@pytest.mark.parametrize(
    ("noticed", "verdict"), [("4.2", "upheld"), ("4.3", "upheld"), ("5.1", "rejected"), ("13.3", "rejected")]
)
def test_when_a_claim_was_noticed_decides(noticed: str, verdict: str) -> None:
    """What the record does not hold, the caller can say."""
    assert only(spades(), "2@4", noticed=noticed).verdict == verdict


def test_a_false_claim_costs_nothing_sp_24() -> None:
    """The play was legal, and the source knows no penalty for saying that it was not."""
    ruling = accused(insert(spades(), "/deals/0/events/9", accuse("0", "1")))
    assert (ruling.verdict, ruling.shown, ruling.outcomes) == ("rejected", False, ())


def test_the_second_claimant_gets_nothing_sp_23() -> None:
    """Who claims first takes the books; the second one's claim is right, and worth nothing."""
    first, second = ruled(spades(accuse("0", "2"), accuse("1", "2")))
    assert (first.verdict, second.verdict) == ("upheld", "upheld")
    assert len(first.outcomes) == 4
    assert [each.moves for each in second.outcomes] == [()]
    assert second.reason == "no book to be taken"
    assert "0 had accused 2 of it before" in words(second)


def test_without_a_claim_each_opponent_may_be_the_claimant() -> None:
    """A renege that nobody claimed is shown, with what a claim in time would have given to either."""
    ruling = only(spades())
    assert (ruling.claim.source, ruling.verdict) == ("found", "upheld")
    assert {move.by for each in ruling.outcomes for move in each.moves} == {"0", "1"}
    assert any("Nobody claims" in line for line in ruling.assumed)
    assert any(each.at == "SP-24" for each in ruling.rules)


def turned(data: Data, by: int, number: int) -> Data:
    """The deal of a record with every seat moved on, and its number."""
    seats = {str(seat): str((seat + by) % 3) for seat in range(3)}
    moved = deepcopy(data["deals"][0])
    for event in moved["events"]:
        event |= {key: seats[event[key]] for key in ("by", "of") if key in event}
    hands = {seats[seat]: cards for seat, cards in moved["hands"].items()}
    return {**moved, "hands": hands, "dealer": seats[moved["dealer"]], "number": number}


@cache
def three_hands() -> str:
    """Three deals in a row, in each of which another seat reneges; 0 claims the first one."""
    data = spades(accuse("0", "2"))
    data["deals"] = [turned(data, 0, 1), *(turned(spades(), number, number + 1) for number in (1, 2))]
    return api.dumps(Record.model_validate(data))


def test_books_in_instalments_agree_with_the_referee_sp_23() -> None:
    """Every way to spread three books over three deals, no other, and each with the referee's scores for that record."""
    record = api.loads(three_hands())
    spades3 = find("spades3")
    assert spades3 is not None
    ruling = next(each for each in rule(record, spades3) if each.claim.source == "accusation")
    told = {tuple((move.deal, move.tricks) for move in each.moves): each.after for each in ruling.outcomes}
    legal = 0
    for taken in (*product(range(4), repeat=3), (4, 0, 0), (0, 4, 0)):
        data = record.model_dump(by_alias=True, exclude_unset=True)
        for number, many in enumerate(taken, 1):
            if many:
                data["deals"][number - 1]["events"] = [
                    *data["deals"][number - 1]["events"],
                    take("0", "2", many, **({"of_deal": 1} if number > 1 else {})),
                ]
        verdict = referee.check(Record.model_validate(data), find)
        plan = tuple((number, many) for number, many in enumerate(taken, 1) if many)
        if any(finding.code.startswith("CLM00") and finding.severity == "error" for finding in verdict.findings):
            assert plan not in told
            continue
        legal += 1
        after = told[plan]
        assert after is not None
        assert after.totals == verdict.totals
        assert (after.tricks, after.scores) == (verdict.deals[0].tricks, verdict.deals[0].scores)
    assert legal == len(told) == 20


def test_books_not_in_later_hands_where_the_table_says_so_sp_23() -> None:
    """The option that keeps books to their own hand leaves the choices of that hand."""
    data = api.loads(three_hands()).model_dump(by_alias=True, exclude_unset=True)
    data["options"] = {"renege_books_later_hand": False}
    ruling = accused(data)
    assert [[(move.deal, move.tricks) for move in each.moves] for each in ruling.outcomes] == [[], [(1, 1)], [(1, 2)], [(1, 3)]]


def test_a_claim_in_a_later_hand_is_late_sp_22() -> None:
    """The trick was turned long ago."""
    data = api.loads(three_hands()).model_dump(by_alias=True, exclude_unset=True)
    data["deals"][1]["events"].insert(20, accuse("1", "2", trick=4, of_deal=1))
    late = next(each for each in ruled(data) if each.claim.by == "1")
    assert (late.claim.deal, late.verdict, late.dates.claimed) == (1, "rejected", "after 6.2 of deal 2")


#: A house's laws that name more books than the game has.
THOUSAND = {"name": "ours", "title": "x", "penalty": [{"kind": "books", "n": 1000}], "choice_of": "claimant"}


def test_more_books_than_there_are_change_nothing_sp_23() -> None:
    """The referee's limit holds for the sum over all hands as well, whatever a house's laws name."""
    spades3 = find("spades3")
    assert spades3 is not None
    mine, own = (rule(api.loads(three_hands()), spades3, laws=laws)[0] for laws in (THOUSAND, None))
    assert mine.outcomes == own.outcomes
    assert len(mine.outcomes) == 20


def test_what_is_not_reckoned_is_said(monkeypatch: pytest.MonkeyPatch) -> None:
    """Beyond a limit the ways to take books are left out, and the ruling says so."""
    monkeypatch.setattr(books, "LIMIT", 6 * 3 * 3)  # ways, deals, claims
    spades3 = find("spades3")
    assert spades3 is not None
    ruling = rule(api.loads(three_hands()), spades3)[0]
    assert [each.after is None for each in ruling.outcomes] == [False] * 6 + [True]
    assert ruling.outcomes[-1].words == "0 has more ways to take books than the 6 reckoned here"
    assert "0 has more ways to take books" in text(ruling)
    assert ruling.outcomes[-2].words == "0 takes 3 in deal 1"
    assert ruling.reason == "up to 3 books to 0"


def test_many_hands_and_a_thousand_books_are_ruled_on_soon() -> None:
    """Three books over fifteen hands are all there is to spread, and it takes no longer than that."""
    data = api.loads(three_hands()).model_dump(by_alias=True, exclude_unset=True)
    data["deals"] = [data["deals"][0], *(turned(spades(), 0, number) for number in range(2, 16))]
    start = process_time()
    ruling = only(data, "2@4", of=1, laws=THOUSAND)
    assert process_time() - start < 8
    assert len(ruling.outcomes) == comb(15 + 3, 3)


def test_a_game_that_would_have_ended_earlier_says_so_sp_25() -> None:
    """With two books 0 makes a third perfect bid in a row: 400 + 60 + 100 points end the game; with none or three it goes on."""
    sheet = {"bids": {"0": 0, "1": 4, "2": 4}, "tricks": {"0": 0, "1": 6, "2": 7}}
    data = spades(accuse("0", "2"))
    others = [{"number": number, "events": [], "claimed": sheet} for number in (1, 2, 4)]
    data["deals"] = [*others[:2], turned(data, 0, 3), others[2]]
    ruling = accused(data)
    after = {sum(move.tricks for move in each.moves): each.after for each in ruling.outcomes}
    ends = {many: standing and (standing.totals or {}).get("0") for many, standing in after.items()}
    assert ends == {0: 400 - 60 + 200, 1: 400 - 60 + 200, 2: 560 + 200 + 50, 3: 461 + 200}
    assert {many: standing and standing.ended for many, standing in after.items()} == {0: None, 1: None, 2: 3, 3: None}


# --- Killer Back Alley Bridge Substitute --------------------------------------------------------------------------------

#: 3 plays 5D to a lead of clubs while holding AC: event 8.
RENEGE = "0 7C, 1 9S, 2 QC, 3 5D; 2 4H, 3 3H, 0 AH, 1 KH; 0 2D, 1 LJ, 2 BJ, 3 AC"


def killer(*more: Data, **fields: Any) -> Data:
    """A hand in which 3 reneges in trick 1, and what happened after it; points before are none."""
    hand = deepcopy(killer_hand(status="stopped", **fields))
    hand["deals"][0] = deal(
        number=1,
        dealer="3",
        hands="0: AH 7C 2D | 1: LJ KH 9S | 2: BJ 4H QC | 3: 3H AC 5D",
        turn="TH",
        bids="0 1, 1 1, 2 1, 3 1",
        plays=RENEGE,
        then=more,
    )
    return hand


def test_37_points_are_suggested_kb_5_9() -> None:
    """The table decides; 37 points off the total are suggested."""
    ruling = only(killer(accuse("0", "3", trick=1)))
    assert ruling.verdict == "upheld"
    assert ruling.before.totals == {"0": 11, "1": -1, "2": -1, "3": -1}
    (outcome,) = ruling.outcomes
    assert outcome.points == {"3": 37}
    assert outcome.after is not None
    assert outcome.after.totals == {"0": 11, "1": -1, "2": -1, "3": -38}
    assert "suggested" in outcome.words


def test_what_the_table_took_is_the_other_choice_kb_5_9() -> None:
    """A penalty on record is shown beside the suggested one; without it the totals are those before it."""
    fine = {"do": "penalty", "of": "3", "points": 20, "reason": "renege"}
    ruling = only(killer(accuse("0", "3", trick=1), fine))
    assert ruling.before.totals == {"0": 11, "1": -1, "2": -1, "3": -1}
    assert [(each.points, each.taken) for each in ruling.outcomes] == [({"3": 37}, False), ({"3": 20}, True)]
    assert ruling.outcomes[1].after is not None
    assert ruling.outcomes[1].after.totals == {"0": 11, "1": -1, "2": -1, "3": -21}


def test_an_agreed_penalty_is_no_choice_kb_5_9() -> None:
    """Where the table agreed on 37 points, it is 37 points."""
    fine = {"do": "penalty", "of": "3", "points": 20, "reason": "renege"}
    ruling = only(killer(accuse("0", "3", trick=1), fine, options={"renege_penalty": 37}))
    assert [each.words for each in ruling.outcomes] == ["37 points off 3 (as agreed)"]


def test_a_false_accusation_costs_the_accuser_kb_5_9() -> None:
    """2 followed suit: the points are 0's to lose."""
    ruling = accused(killer(accuse("0", "2", trick=1)))
    assert (ruling.verdict, ruling.shown) == ("rejected", False)
    assert ruling.reason == "the play was legal: 37 points off 0 (suggested; the table decides)"
    assert ruling.outcomes[0].points == {"0": 37}
    assert "2 held BJ 4H QC; it could play QC" in words(ruling)


def test_two_reneges_and_their_two_fines_kb_5_9() -> None:
    """Each renege has its own fine, in their order."""
    fines = [{"do": "penalty", "of": "3", "points": points, "reason": "renege"} for points in (37, 50)]
    data = killer(accuse("0", "3", trick=1), *fines)
    again = deepcopy(data["deals"][0])
    data["deals"].append({**again, "number": 2, "events": [*again["events"][:-3], accuse("1", "3", trick=1)]})
    first, second = ruled(data)
    assert [each.points for each in first.outcomes if each.taken] == [{"3": 37}]
    assert [each.points for each in second.outcomes if each.taken] == [{"3": 50}]
    assert first.before.totals == {"0": 22, "1": -2, "2": -2, "3": -52}
    assert second.before.totals == {"0": 22, "1": -2, "2": -2, "3": -39}


def test_the_play_after_the_big_joker_is_a_renege_too_kb_5_3() -> None:
    """Any card that could not be played is one, with the words of the rule it broke."""
    data = api.load(BROKEN / "kbabs" / "KB-5.3-REV002.handrec.json")
    ruling = rule(data, find("kbabs"))[0]  # type: ignore[arg-type]
    assert ruling.verdict == "upheld"
    assert ruling.rules[0].at == "KB-5.3"
    assert "did not play the highest trump while holding" in words(ruling)


def test_an_accusation_before_the_play_is_not_about_it() -> None:
    """Who accuses in trick 1 does not mean what was played in trick 2."""
    data = insert(killer(), "/deals/0/events/7", accuse("0", "3", trick=1))
    accusation = accused(data)
    assert accusation.verdict == "rejected"


# --- the same of every game ----------------------------------------------------------------------------------------------

#: A fixture with an illegal play for each game, its seat, its trick, and another seat.
RENEGES = [
    ("kbabs/KB-5.2-REV001", "any time"),
    ("kbabs/KB-5.3-REV002", "any time"),
    ("spades3/SP-13-REV001", "in the trick"),
    ("bridge/BR-44C-REV001", "until the next deal"),
    ("batarde/LB-24-REV001", "any time"),
    ("batarde/LB-25b-REV003", "any time"),
    ("batarde/LB-26-REV004", "any time"),
    ("bastard/BA-8-REV001", "any time"),
    ("bastard/BA-7-REV005", "any time"),
    ("bugami/BG-7-REV001", "any time"),
]


def reneged(name: str) -> tuple[Data, str, int, int, str]:
    """A fixture: its data, who reneged in which trick at which event, and somebody else."""
    record = api.load(BROKEN / f"{name}.handrec.json")
    finding = next(each for each in api.check(record).findings if each.code.startswith("REV"))
    data = record.model_dump(by_alias=True, exclude_unset=True, mode="json")
    for index, each in enumerate(data["deals"]):
        for event, made in zip(each["events"], record.deals[index].events, strict=True):
            event["do"] = made.do
    assert finding.seat is not None
    assert finding.trick is not None
    other = next(player.seat for player in record.players if player.seat != finding.seat)
    index = int(finding.pointer.split("/")[2])
    data["deals"] = [data["deals"][index]]
    return data, finding.seat, finding.trick, int(finding.pointer.split("/")[4]), other


@pytest.mark.some(2)
@pytest.mark.parametrize(("name", "until"), RENEGES)
def test_in_time_late_false_twice_and_later(name: str, until: str) -> None:
    """Each game's own laws: at once, at the end, of somebody else, by a second seat, in a later deal."""
    data, seat, trick, place, other = reneged(name)
    lead = next(
        (each for each in range(place + 1, len(data["deals"][0]["events"])) if data["deals"][0]["events"][each]["do"] != "play"),
        len(data["deals"][0]["events"]),
    )
    at_once = insert(data, f"/deals/0/events/{place + 1}", accuse(other, seat, trick=trick))
    accusation = accused(at_once)
    assert (accusation.verdict, accusation.shown) == ("upheld", True)
    at_the_end = insert(data, f"/deals/0/events/{lead}", accuse(other, seat, trick=trick))
    (late,) = ruled(at_the_end)
    assert (late.verdict, late.shown) == ("rejected" if until == "in the trick" else "upheld", True)
    twice = insert(at_once, f"/deals/0/events/{place + 2}", accuse(other, seat, trick=trick))
    assert [each.verdict for each in ruled(twice)] == ["upheld", "upheld"]
    innocent = insert(data, f"/deals/0/events/{lead}", accuse(seat, other, trick=trick))
    false = accused(innocent)
    assert (false.verdict, false.shown) == ("rejected", False)
    number = data["deals"][0].get("number", 1)
    after = {"number": number + 1, "events": [accuse(other, seat, trick=trick, of_deal=number)], "status": "in_progress"}
    later = {**data, "status": "excerpt", "deals": [{**data["deals"][0], "number": number}, after]}
    (in_later,) = ruled(later)
    assert (in_later.claim.deal, in_later.shown) == (number, True)
    assert in_later.verdict == ("rejected" if until == "in the trick" else "upheld")


@pytest.mark.parametrize("until", ["end_of_deal", "tricks_mixed", "trick_turned"])
def test_the_next_deal_is_too_late(until: str) -> None:
    """In the deal itself, when its last card lies, the claim is in time; as the first event of the next one it is not."""
    data = two_hands(1, 2)
    data["deals"] = [{**data["deals"][1], "number": 1}, {**data["deals"][0], "number": 2}]
    if until == "trick_turned":  # of the trick that nobody led to after it
        data["deals"][0]["events"] = [event for event in data["deals"][0]["events"] if event["do"] != "play"] + [
            event for event in data["deals"][0]["events"] if event["do"] == "play"
        ][:12]
        data["deals"][0]["status"] = "in_progress"
    laws = {"name": "ours", "title": "x", "claim_deadline": until, "penalty": [{"kind": "points_off", "n": 5}]}
    end = len(data["deals"][0]["events"])
    in_time = accused(insert(data, f"/deals/0/events/{end}", accuse("0", "2", trick=4)), laws=laws)
    assert (in_time.verdict, in_time.reason) == ("upheld", "5 points off 2")
    late = accused(insert(data, "/deals/1/events/0", accuse("0", "2", trick=4, of_deal=1)), laws=laws)
    assert (late.verdict, late.shown, late.reason) == ("rejected", True, "claimed too late, so nothing follows")


def test_after_the_next_deal_it_is_too_late_even_if_nobody_called_there_on_record() -> None:
    """Of the next deal only the sheet is left; a claim in the one after it comes too late."""
    data = two_hands(1, 2)
    data["deals"] = [
        {**data["deals"][1], "number": 1},
        {"number": 2, "events": [], "claimed": {"tricks": {"0": 4, "1": 4, "2": 5}}, "status": "claimed"},
        {"number": 3, "events": [], "status": "in_progress"},
    ]
    laws = {"name": "ours", "title": "x", "claim_deadline": "next_deal", "penalty": [{"kind": "points_off", "n": 5}]}
    for place, verdict in ((1, "upheld"), (2, "rejected")):
        data_ = insert(data, f"/deals/{place}/events/0", accuse("0", "2", trick=4, of_deal=1))
        assert accused(data_, laws=laws).verdict == verdict


@pytest.mark.some(4)
@pytest.mark.parametrize(("name", "until"), RENEGES)
def test_without_hands_it_is_shown_later_or_never(name: str, until: str) -> None:
    """While the card itself has not been shown, the record cannot decide; when it has, it can."""
    data, seat, trick, place, _ = reneged(name)
    hidden = drop(data, "/deals/0/hands") if "hands" in data["deals"][0] else data
    hidden["deals"][0].pop("pack", None)
    hidden["deals"][0].pop("claimed", None)
    whole = only(hidden, f"{seat}@{trick}")
    assert (whole.verdict, whole.shown) == ("upheld", True)
    early = deepcopy(hidden)
    early["deals"][0]["events"] = early["deals"][0]["events"][: place + 1]
    early["deals"][0]["status"] = "in_progress"
    early["status"] = "excerpt"
    undecided = only(early, f"{seat}@{trick}")
    assert (undecided.verdict, undecided.shown, undecided.reason) == ("cannot be decided", None, "not shown by this record")
    assert undecided.outcomes == ()
    assert "if " + seat + " held one of" in words(undecided)


@pytest.mark.some(4)
@pytest.mark.parametrize(("name", "until"), RENEGES)
def test_the_dates_are_those_of_the_proof(name: str, until: str) -> None:
    """Since when it could be proved is what the room that proves says, for all and for each seat."""
    data, seat, trick, place, _ = reneged(name)
    record = Record.model_validate(data)
    known = find(record.game)
    assert known is not None
    table = referee.replay(record, compose(known, record.options)[0], trace=True)[0]
    case = inference.observed(table)
    told = only(data, f"{seat}@{trick}").dates.provable
    assert set(told) == {"all", *case.hands}
    for view, when in told.items():
        dates = inference.dates(case, "public" if view == "all" else view)
        own = next(each for each in dates if case.events[each.act].place == place and case.events[each.act].kind == "play")
        assert when == (None if own.illegal is None else case.when(own.illegal))


@pytest.mark.parametrize("name", ["batarde/LB-24-REV001", "bastard/BA-8-REV001", "bugami/BG-7-REV001"])
def test_where_the_source_says_nothing_there_are_facts_and_a_table(name: str) -> None:
    """No penalty is made up: each shipped profile says what it would give."""
    data, seat, trick, _, _ = reneged(name)
    ruling = only(data, f"{seat}@{trick}")
    assert (ruling.laws.name, ruling.reason, ruling.outcomes) == ("none", "the source names no penalty", ())
    assert set(ruling.profiles) == {"whist-classic", "skat-isko", "spades-3books", "spades-set", "hearts-all", "euchre-2"}
    assert ruling.profiles["euchre-2"] == "2 points to the others"


def test_a_deal_that_is_not_on_record_cannot_be_decided() -> None:
    """An accusation of an earlier deal that the excerpt leaves out."""
    data = {**killer(accuse("0", "3", trick=1, of_deal=7)), "status": "excerpt"}
    accusation = accused(data)
    assert (accusation.verdict, accusation.reason) == ("cannot be decided", "deal 7 is not in this record")


def two_hands(first: int | None, second: int | None) -> Data:
    """Two hands in a row with these numbers, of which only in the second 2 reneges."""
    clean = BROKEN.parent / "clean" / "spades3-whole-game.handrec.json"
    legal = api.load(clean).model_dump(by_alias=True, exclude_unset=True)
    (hand,) = spades()["deals"]
    seats = {player["seat"]: str(place) for place, player in enumerate(legal["players"])}
    played = [{**event, "by": seats[event["by"]]} for event in legal["deals"][0]["events"]]
    hands = {seats[seat]: cards for seat, cards in legal["deals"][0]["hands"].items()}
    dealer = seats[legal["deals"][0]["dealer"]]
    deals = [{"hands": hands, "dealer": dealer, "events": played}, {key: hand[key] for key in hand if key != "number"}]
    numbered = [{**each, **({"number": n} if n else {})} for each, n in zip(deals, (first, second), strict=True)]
    return {**spades(), "status": "excerpt", "deals": numbered}


@pytest.mark.parametrize(("first", "second"), [(1, 1), (2, None), (7, 7)])
def test_two_deals_of_one_number_are_told_apart(first: int | None, second: int | None) -> None:
    """What is found in the second is ruled on by its own cards, and named by its own digest."""
    data = two_hands(first, second)
    record = Record.model_validate(data)
    ruling = only(data)
    assert (ruling.claim.index, ruling.claim.deal, ruling.verdict) == (1, second or 2, "upheld")
    assert ruling.digest == digest(record, 1)
    assert "trick 4: 1 led 7H; 2 played LJ and won" in words(ruling)
    assert {move.deal for each in ruling.outcomes for move in each.moves} == {second or 2}
    told = insert(data, "/deals/1/events/15", accuse("0", "2"))
    assert accused(told).digest == digest(Record.model_validate(told), 1)
    assert (accused(told).verdict, accused(told).dates.claimed) == ("upheld", "after 4.3")


def test_books_in_another_deal_of_the_same_number_cannot_be_said() -> None:
    """A transfer there could not tell for which of the two it is: what the ruling has is not all, and it says so."""
    data = two_hands(1, 1)
    data["deals"] = data["deals"][::-1]
    data["deals"][0]["events"].insert(15, accuse("0", "2"))
    ruling = accused(data)
    assert [[(move.deal, move.tricks) for move in each.moves] for each in ruling.outcomes] == [
        [],
        [(1, 1)],
        [(1, 2)],
        [(1, 3)],
        [],
    ]
    assert ruling.outcomes[-1].words.startswith("0 has more ways")


def test_a_number_that_two_deals_have_decides_nothing() -> None:
    """Neither an accusation that names no more than the number, nor a claim that is asked about."""
    data = two_hands(1, 1)
    record, spades3 = Record.model_validate(data), find("spades3")
    assert spades3 is not None
    with pytest.raises(NoSuch, match="2 deals are numbered 1: it cannot be decided which of them is meant"):
        rule(record, spades3, [asked(record, "2@4", 1)])
    data["deals"].append({"number": 2, "events": [accuse("0", "2", trick=4, of_deal=1)], "status": "in_progress"})
    accusation = accused(data)
    assert (accusation.verdict, accusation.reason) == ("cannot be decided", "2 deals are numbered 1")
    assert [each.claim.index for each in ruled(data)] == [None, 1]


def test_an_accusation_without_a_trick() -> None:
    """It means the renege that there was; if there was none, every play of the seat was legal."""
    assert ruled(killer(accuse("0", "3")))[0].claim.trick == 1
    none = accused(killer(accuse("0", "2")))
    assert (none.verdict, none.claim.trick, none.shown) == ("rejected", None, False)
    assert "every card that 2 played in deal 1 could be played" in words(none)


@pytest.mark.some(2)
@pytest.mark.parametrize(
    ("key", "players", "code"),
    [
        ("kbabs", 4, "REV001"),
        ("kbabs", 4, "REV002"),
        ("spades3", 3, "REV001"),
        ("bridge", 4, "REV001"),
        ("batarde", 4, "REV003"),
        ("batarde", 4, "REV004"),
        ("bastard", 3, "REV001"),
        ("bugami", 3, "REV001"),
    ],
)
@pytest.mark.parametrize("seeds", [range(1), pytest.param(range(1, 9), marks=pytest.mark.long)], ids=["one", "eight"])
def test_what_is_ruled_on_part_of_a_record_is_true_of_the_whole(key: str, players: int, code: str, seeds: range) -> None:
    """Hands left out and the play cut short: a ruling may say that it cannot be decided, and never what is not so."""
    known = find(key)
    assert known is not None
    for seed in seeds:
        record, rng = deal_game(known, players, seed, numbers=[1], inject=code), Random(seed)
        truth = {(each.seat, each.trick) for each in api.check(record).findings if each.code == code}
        whole, number = record.deals[0], record.deals[0].number or 1
        assert len(truth) == 1
        for cut in (len(whole.events), rng.randrange(8, len(whole.events)), rng.randrange(8, len(whole.events))):
            hands = {seat: hand for seat, hand in (whole.hands or {}).items() if rng.random() < 0.4}
            left_out = {"claimed": None, "pack": None, "hands": hands or None, "status": "in_progress"}
            part = whole.model_copy(update={**left_out, "events": whole.events[:cut]})
            shortened = record.model_copy(update={"deals": [part], "status": "excerpt"})
            for seat, trick in (*truth, (record.players[0].seat, 1)):
                (ruling,) = rule(shortened, known, [asked(shortened, f"{seat}@{trick}", number)])
                assert ruling.shown in (None, (seat, trick) in truth)
                if cut == len(whole.events):
                    assert ruling.shown is not None or key in ("batarde", "bastard")
