"""Readings: a finding says under which other reading it is none, and `fit` names the house rules a table played."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any, NamedTuple

import pytest

from handrec import Record, Verdict, check, check_all, games, load, readings, referee
from handrec.cli import run
from handrec.dealing import CannotDeal, deal_game
from handrec.explanations import SLIPS
from handrec.findings import Finding
from handrec.game import Game, Look
from handrec.readings import fit, others_of
from handrec.record import Play, Withdraw
from tests.planting import ACTS, TABLES, dealt, deeds, plants
from tests.tables import bare

BROKEN = Path(__file__).parents[1] / "fixtures" / "broken"


def found_game(key: str) -> Game:
    """A game that must be there."""
    game = games.find(key)
    assert game is not None
    return game


def unsaid(record: Record) -> Record:
    """The record of a table that did not write its options down."""
    return record.model_copy(update={"options": {}})


@pytest.mark.some(2)
@pytest.mark.parametrize("options", [{"scoring": "linear"}, {"ladder": "up"}, {"ladder": "up", "scoring": "linear"}, {}])
def test_fit_finds_the_options_that_were_played(options: dict[str, str]) -> None:
    """The fewest changes under which nothing is wrong are those the table played by."""
    game = found_game("kbabs")
    assert options in fit(unsaid(deal_game(game, 6, 5, options=options)), game)


def test_fit_holds_no_set_within_another() -> None:
    """A set of changes is listed only if no part of it is enough."""
    game = found_game("kbabs")
    sets = fit(unsaid(deal_game(game, 9, 2, options={"ladder": "down"})), game)
    assert sets
    assert not any(one is not two and one.items() <= two.items() for one in sets for two in sets)


def test_fit_has_no_excuse_for_a_revoke() -> None:
    """Where no reading helps, none is offered."""
    game = found_game("kbabs")
    assert fit(deal_game(game, 4, 1, numbers=[5, 6], inject="REV001"), game) == []


def test_a_finding_names_the_reading_under_which_it_is_none() -> None:
    """A score reckoned the linear way is right under linear scoring, and says so."""
    record = unsaid(deal_game(found_game("kbabs"), 6, 5, options={"scoring": "linear"}))
    findings = check(record).findings
    assert findings
    assert {finding.readings for finding in findings} == {("scoring: linear",)}


def test_of_a_deal_with_more_findings_than_are_explained_no_readings_are_told() -> None:
    """Those of the other deals are."""
    record = unsaid(deal_game(found_game("kbabs"), 6, 5, options={"scoring": "linear"}))
    wrong = {finding.deal_index for finding in check(record).findings}
    assert len(wrong) > 1
    first = record.deals[min(map(int, wrong))]
    events = [*first.events, *[first.events[-1]] * 200]
    deals = [deal if deal is not first else deal.model_copy(update={"events": events}) for deal in record.deals]
    found = check(record.model_copy(update={"deals": deals})).findings
    named = {finding.deal_index for finding in found if finding.readings}
    assert any(finding.code.startswith("SCO") and finding.deal_index == min(wrong) for finding in found)
    assert named == wrong - {min(wrong)}


def test_a_game_that_went_on_too_long_names_how_it_was_scored() -> None:
    """Where penalties for overtricks are scored apart nobody had reached the end before; so where less is scored otherwise."""
    game = found_game("spades3")
    record = unsaid(deal_game(game, 3, 0, options={"overtrick_penalty": "separate"}))
    bare = [deal.model_copy(update={"claimed": None}) for deal in record.deals]
    record = record.model_copy(update={"deals": bare, "claimed": None})
    verdict = check(record)
    (finding,) = verdict.findings
    assert finding.code == "SCO005"
    assert "overtrick_penalty: separate" in finding.readings
    assert [finding.readings] == in_full(record, verdict)


def test_a_revoke_names_none() -> None:
    """Following suit is read in one way only."""
    record = deal_game(found_game("kbabs"), 4, 1, numbers=[5, 6], inject="REV001")
    assert [finding.readings for finding in check(record).findings] == [()]


def test_cards_passed_where_none_are_to_be_name_the_other_ways_of_passing() -> None:
    """Hearts played with passing to the left, and written down as played without."""
    record = deal_game(found_game("hearts"), 4, 1, options={"passing": "left"}, numbers=[1])
    findings = check(record.model_copy(update={"options": {"passing": "none"}})).faults
    assert {finding.code for finding in findings} == {"PLY009"}
    assert {finding.readings for finding in findings} == {("passing: left_right_across_none", "passing: left")}


# --- the quick way beside the slow one ------------------------------------------------------------------------------


def in_full(record: Record, verdict: Verdict) -> list[tuple[str, ...]]:
    """The readings of each finding: every option tried on the whole record, whatever it may concern.

    What is found only where a slip is put right has none: the record is as it was written under every reading. And that a
    wrong dealer is written down is not lifted where first calls and leads are then called out of turn.
    """
    found: list[list[str]] = [[] for _ in verdict.findings]
    written = {finding.pointer for finding in referee.check(record, games.find).findings}
    for key, value in found_game(record.game).other_values(record.options):
        read = record.model_copy(update={"options": {**record.options, key: value}})
        told = referee.check(read, games.find)
        places = {finding.pointer for finding in told.findings}
        places |= {f"/deals/{finding.deal_index}/dealer" for finding in told.findings if finding.code in ("BID001", "PLY004")}
        for finding, words in zip(verdict.findings, found, strict=True):
            fault = finding in verdict.faults and finding.pointer in written and finding.code not in SLIPS
            if told.deals and fault and finding.pointer not in places:
                words.append(f"{key}: {str(value).lower() if isinstance(value, bool) else value}")
    return list(map(tuple, found))


def compared(records: Iterator[Record]) -> tuple[int, int]:
    """How many records with faults were compared, and how many faults have readings."""
    faulty = lifted = 0
    for record in records:
        verdict = check(record)
        if verdict.ok or not verdict.deals:
            continue
        told = [finding.readings for finding in verdict.findings]
        assert told == in_full(record, verdict), (record.game, record.options, verdict.findings)
        faulty, lifted = faulty + 1, lifted + sum(map(bool, told))
    return faulty, lifted


def misread(key: str, codes: list[str | None], whole: bool) -> Iterator[Record]:
    """Deals made under one reading and set down as played under another, some with a fault of a player; `whole` games too."""
    game = found_game(key)
    for players, number, options in TABLES[key]:
        for other in others_of(game, options, players):
            for seed, code in enumerate(codes):
                for played, stated in ((other.options, options), (options, other.options)):
                    try:
                        record = deal_game(game, players, seed, options=played, numbers=[number], inject=code)
                    except CannotDeal:
                        continue
                    yield record.model_copy(update={"options": stated})
            for played, stated in ((other.options, options), (options, other.options)) if whole else ():
                yield deal_game(game, players, 5, options=played).model_copy(update={"options": stated})


def planted(key: str, many: int, every: int = 1) -> Iterator[Record]:
    """Records with one slip, of `every` so many acts, or one deed, as much of it on record as a clerk may leave."""
    for act in [*ACTS][::every]:
        yield from (record for _, record in plants(key, act, many, hands=True, claims=True))
        yield from (record for _, record in plants(key, act, many, hands=False, claims=True, whole=False))
    yield from (record for _, record in deeds(key, many * 10, hands=True, claims=True))


#: The games that can be read in more than one way.
READ = [key for key in sorted(TABLES) if key != "bridge" and [*found_game(key).other_values({})]]


@pytest.mark.some(1)
@pytest.mark.parametrize("key", sorted(TABLES))
def test_the_readings_told_of_fixtures_are_those_found_by_trying_all(key: str) -> None:
    """Every other record in which a rule of the game is broken."""
    assert compared(load(path) for path in sorted((BROKEN / key).glob("*.json"))[::2])[0] > 2


@pytest.mark.some(1)
@pytest.mark.parametrize("key", sorted(TABLES))
def test_the_readings_told_of_plants_are_those_found_by_trying_all(key: str) -> None:
    """Slips of all kinds, and some deeds."""
    assert compared(planted(key, 1, every=4))[0] > 8


@pytest.mark.some(1)
@pytest.mark.parametrize("key", READ)
def test_the_readings_told_of_a_misread_game_are_those_found_by_trying_all(key: str) -> None:
    """Here many a fault is none under another reading."""
    assert compared(misread(key, [None], False))[1] > 1


def test_a_rule_of_calls_reaches_what_follows_from_a_call() -> None:
    """A méchoune bars a call; under the other rule of overcalls the call that was méchouned does not stand, and so bars none."""
    record = deal_game(found_game("batarde"), 4, 8, numbers=[5], inject="BID009")
    verdict = check(record)
    assert [(finding.code, finding.readings) for finding in verdict.findings] == [("BID009", ("overcall_basis: highest",))]
    assert in_full(record, verdict) == [("overcall_basis: highest",)]


def test_what_may_be_led_decides_who_led() -> None:
    """Two rows exchanged, and not told as that: where hearts need not be broken, the seat that was due led its heart, and nobody
    revoked with it."""
    record = deal_game(found_game("hearts"), 4, 3, numbers=[4])
    deal, events = record.deals[0], list(record.deals[0].events)
    events[12:16], events[40:44] = events[40:44], events[12:16]
    record = record.model_copy(update={"deals": [deal.model_copy(update={"events": events})]})
    verdict = readings.with_readings(referee.check(record, games.find), record, found_game("hearts"))
    told = {finding.pointer: finding.readings for finding in verdict.findings if finding.readings}
    lifted = ("hearts_broken: false",)
    assert told == {"/deals/0/events/13/card": lifted, "/deals/0/events/15/card": lifted}
    assert [finding.readings for finding in verdict.findings] == in_full(record, verdict)


@pytest.mark.long
@pytest.mark.parametrize("key", READ)
def test_the_readings_told_are_those_found_by_trying_all(key: str) -> None:
    """Every fault that a player can make, at every reading; and many slips."""
    game = found_game(key)
    codes = sorted({rule.code for rule in game.rules} | {code for phase in game.phases for code in phase.breakable})
    assert compared(load(path) for path in sorted((BROKEN / key).glob("*.json")))[0] > 5
    assert compared(misread(key, [None, *codes], True))[1] > 10
    assert compared(planted(key, 10))[0] > 300


# --- where readings are tried -----------------------------------------------------------------------------------------


class Tried(NamedTuple):
    """What is replayed for another reading: which way, the deal, and how much of that."""

    way: str
    deal: int | None
    share: float


@pytest.fixture
def tried(monkeypatch: pytest.MonkeyPatch) -> list[Tried]:
    """What is replayed for the sake of other readings, as it goes."""
    done: list[Tried] = []

    def noting(name: str, place: int) -> None:
        inner = getattr(readings, name)

        def noted(*given: Any) -> Any:
            index = given[place] if place else None
            events = len(given[0].deals[index].events) if name == "after_play" else 1
            done.append(Tried(name, index, min(1, (given[-1] + 1) / events) if name == "after_play" else 1))
            return inner(*given)

        monkeypatch.setattr(readings, name, noted)

    for name, place in (("judged", 2), ("before_play", 2), ("after_play", 2), ("replay", 0)):
        noting(name, place)
    return done


def faulty_game() -> Record:
    """A whole game of La Bâtarde, played by a reading that allows low ruffs."""
    game = found_game("batarde")
    record = deal_game(game, 3, 4, options={"overruff": "free"})
    return record.model_copy(update={"options": {}})


def test_a_reading_is_tried_only_on_the_deals_where_faults_stand(tried: list[Tried]) -> None:
    """A whole game in which some ruffs are too low."""
    record = faulty_game()
    faults = check(record).faults
    deals = {int(finding.pointer.split("/")[2]) for finding in faults}
    assert {finding.readings for finding in faults} == {("overruff: free",)}
    assert 0 < len(deals) < len(record.deals)
    assert {each.deal for each in tried} == deals
    assert "replay" not in {each.way for each in tried}


@pytest.mark.some(3)
@pytest.mark.parametrize("key", sorted(TABLES))
def test_few_readings_are_tried_of_what_a_player_or_a_clerk_does(key: str, tried: list[Tried]) -> None:
    """So that a faulty deal costs little more than looking for slips does: on the whole one replay or less is for readings."""
    records = [record for act in ("card", "rows", "transposed") for _, record in plants(key, act, 5, hands=True, claims=True)]
    records += [record for _, record in deeds(key, 10, hands=True, claims=True)]
    for record in records:
        check(record)
    replays = [each.share for each in tried if each.way != "before_play"]
    assert sum(replays) <= len(records)
    assert len(replays) <= len(records) or key == "hearts"  # five of its readings may decide whose lead a trick was


def test_no_reading_is_tried_where_none_is_shown(tmp_path: Path, tried: list[Tried], capsys: pytest.CaptureFixture[str]) -> None:
    """An audit, a quiet check, and many records at once say what is wrong, and nothing of other readings."""
    path = BROKEN / "batarde" / "LB-25b-REV004.handrec.json"
    record = load(path)
    due = bare(check(record))
    assert tried
    tried.clear()
    assert list(check_all([record])) == [due]
    assert run(["check", "-q", str(path)]) == 1
    assert "REV004" in capsys.readouterr().out
    assert run(["audit", "--jobs", "1", "--no-progress", str(path)]) == 1
    assert "REV004" in capsys.readouterr().out
    assert tried == []
    assert run(["check", str(path)]) == 1
    assert "(legal under overruff: free)" in capsys.readouterr().out
    assert tried


# --- what differs ---------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("key", "options", "words", "changed"),
    [
        ("kbabs", {}, "ladder: up", {"cards"}),
        ("kbabs", {}, "scoring: linear", {"score"}),
        ("kbabs", {}, "tie: play_off", {"tie_break"}),
        ("batarde", {}, "overruff: free", {"REV004"}),
        ("bastard", {"mega": True}, "nuisance_trump: every_card", set()),
        ("bastard", {"nuisance": True}, "nuisance_trump: every_card", {"order"}),
        ("bastard", {"mega": True, "ultra": True}, "mega_rank_trick1: false", {"order"}),
        ("bastard", {}, "dealer_rotation: any", {"DEA006", "rotates"}),
        ("spades3", {}, "overtrick_penalty: separate", {"score"}),
    ],
)
def test_what_differs_between_two_readings_is_seen(key: str, options: dict[str, Any], words: str, changed: set[str]) -> None:
    """It is worked out from the games themselves: a variant in which a reading says nothing is played alike."""
    [other] = [each for each in others_of(found_game(key), options, 3) if each.words == words]
    assert other.changed == changed


@pytest.mark.parametrize(("code", "lifted"), [("PLY009", True), ("PLY003", False)])
def test_a_reading_lifts_what_is_not_found_at_the_end(code: str, lifted: bool) -> None:
    """It may be found while the deals are judged; of anything else that is enough."""
    place, verdict = "/deals/0/events/0", check(Record.model_validate(dealt("hearts", 0)))
    shown = Finding(games.find("hearts").rule(code), {}, place)  # type: ignore[union-attr]

    def judged(look: Look | None) -> Verdict:
        assert look is not None
        look(shown)
        return verdict

    assert (place not in readings._found_again({place}, [], judged)) is lifted


def test_where_a_card_is_taken_back_a_reading_is_judged_to_the_end() -> None:
    """What was wrong with it is lifted then."""
    deal = Record.model_validate(dealt("hearts", 0)).deals[0]
    play = next(event for event in deal.events if type(event) is Play)
    back = deal.model_copy(update={"events": [*deal.events, Withdraw(do="withdraw", by=play.by or "", card=play.card)]})
    looks, verdict = list[Look | None](), check(Record.model_validate(dealt("hearts", 0)))

    def judged(look: Look | None) -> Verdict:
        looks.append(look)
        return verdict

    for deals in ([deal], [deal, back]):
        readings._found_again({""}, deals, judged)
    assert [look is None for look in looks] == [False, True]
