"""Slips in the heading: the name of another game, players in each other's place, another pack. One error, nobody accused."""

from __future__ import annotations

import json
import re
from contextlib import suppress
from dataclasses import replace
from itertools import permutations
from pathlib import Path
from random import Random
from typing import Any

import pytest

from handrec import check, formats, games, judging
from handrec.cli.common import Read, judged
from handrec.explanations import heading
from handrec.findings import Finding, Verdict
from handrec.formats import hrt
from handrec.formats.hrt.building import RecordBuilder
from handrec.game import Look
from handrec.record import Claim, Deal, Play, Record
from tests.planting import ACTS, TABLES, dealt, without
from tests.typed_slips import typed

ROOT = Path(__file__).parents[1]
CLEAN = sorted((ROOT / "fixtures/clean").rglob("*.json"))
KEYS = sorted(TABLES)
#: A deal of each game, under its own options.
OF_GAME = {key: next(path for path in CLEAN if json.loads(path.read_text("utf-8"))["game"] == key) for key in KEYS}
#: Records in which a card or a call is taken back, with which what was wrong with it is lifted.
TAKEN_BACK = [path for path in sorted((ROOT / "fixtures").rglob("*.json")) if b'"withdraw"' in path.read_bytes()]


def errors(text: str, name: str) -> list[Finding]:
    """The errors that are told of the records in a text."""
    readings = formats.read(text.encode(), name)
    verdicts = [judged(Read(name, place, reading)) for place, reading in enumerate(readings, 1)]
    return [each for verdict in verdicts for each in verdict.primary if each.severity == "error"]


def called(path: Path, key: str, excerpt: bool, form: str) -> str:
    """A record under the name of another game, in JSON or typed; an excerpt of it if wanted."""
    data = json.loads(path.read_text("utf-8"))
    if excerpt:
        data |= {"status": "excerpt", "deals": data["deals"][1:3] or data["deals"]}
        data.pop("claimed", None)
    if form == "hrt":
        return re.sub("^game .*$", f"game {key}", hrt.write(Record.model_validate(data)), flags=re.MULTILINE)
    return json.dumps(data | {"game": key})


@pytest.mark.some(50)
@pytest.mark.parametrize(("key", "other"), [*permutations(KEYS, 2)])
@pytest.mark.parametrize(("excerpt", "form"), [(False, "hrt"), (True, "json")])
def test_a_game_under_the_name_of_another_is_one_error(key: str, other: str, excerpt: bool, form: str) -> None:
    """It names both, at the line of the game."""
    (error,) = errors(called(OF_GAME[key], other, excerpt, form), f"a.{form}")
    assert (error.code, error.pointer, error.seat) == ("REC013", "/game", None)
    assert f"{other} stands where {key} was played" in error.message


@pytest.mark.parametrize(("name", "other"), [("bridge-scored", "whist"), ("hearts-moon", "kbabs"), ("hearts-moon", "oh_hell")])
def test_one_thing_that_no_other_game_has_is_enough(name: str, other: str) -> None:
    """An event, or the size of all hands, in a record of few deals."""
    (error,) = errors(called(ROOT / f"fixtures/clean/{name}.handrec.json", other, False, "json"), "a.json")
    assert (error.code, error.pointer) == ("REC013", "/game")


#: A single deal of hearts in which everybody can follow to the end is good bridge, and whist but for its numbers.
ALIKE = {("hearts-moon.handrec.json", "bridge"), ("hearts-moon.handrec.json", "whist")}


@pytest.mark.long
@pytest.mark.parametrize("path", CLEAN, ids=lambda path: path.stem)
def test_whatever_was_played_is_one_error_under_another_name(path: Path) -> None:
    """All clean fixtures, whole and as excerpts, in both notations."""
    key = json.loads(path.read_text("utf-8"))["game"]
    for other in (other for other in KEYS if other != key and (path.name, other) not in ALIKE):
        for excerpt in (False, True):
            for form in ("hrt", "json"):
                assert len(errors(called(path, other, excerpt, form), f"a.{form}")) == 1


@pytest.mark.parametrize("key", KEYS)
def test_players_in_each_others_place_are_one_error(key: str) -> None:
    """Whether each card stands under its own seat, as in JSON, or in the column of its seat, as it is typed."""
    truth = dealt(key, 1)
    assert truth is not None
    seats = [player["seat"] for player in truth["players"]]
    order = [seats[1], seats[0], *seats[2:]]
    players = [truth["players"][seats.index(seat)] for seat in order]
    typed = re.sub("^seats .*$", f"seats {' '.join(order)}", hrt.write(Record.model_validate(truth)), flags=re.MULTILINE)
    for text, name in ((json.dumps(truth | {"players": players}), "a.json"), (typed, "a.hrt")):
        (error,) = errors(text, name)
        assert (error.code, error.pointer, error.seat) == ("REC013", "/players", None)
        assert "stand in each other's place among the players" in error.message


def test_another_pack_is_one_error() -> None:
    """A game that nobody here knows, played with cards of its own."""
    truth: Any = dealt("kbabs", 1)
    text = re.sub(r'"(.)[SH]"', r'"\1P"', re.sub(r'"(.)D"', r'"\1E"', json.dumps(truth)))
    (error,) = errors(text, "a.json")
    assert (error.code, error.pointer) == ("REC013", "/game")
    assert re.search(r"\b2\d of its \d\d cards are not in the pack of kbabs", error.message)


def test_a_revoke_is_still_told_beside_a_wrong_heading() -> None:
    """What is wrong under the other heading, too, does not follow from the heading."""
    data: Any = None
    for seed in range(1, 20):
        data = data or dealt("bridge", seed, "REV001")
    told = check(Record.model_validate(data | {"game": "batarde"}))
    assert [each.code for each in told.faults] == ["REC013"]
    assert "only 1 error would be left" in told.faults[0].message
    assert [each.code for each in check(Record.model_validate(data)).faults] == ["REV001"]


def test_what_slips_in_a_deal_explain_is_not_put_on_the_heading() -> None:
    """Two hands exchanged, a row that slid: the heading is right."""
    for path in sorted((ROOT / "fixtures/broken/slips").glob("REC0*.json")):
        codes = {each.code for each in check(Record.model_validate_json(path.read_text("utf-8"))).primary}
        assert codes == {path.name[:6]}


def lines_of(key: str) -> tuple[list[str], int]:
    """A typed game, and which of its lines names the players."""
    lines = typed(key)
    return lines, next(place for place, line in enumerate(lines) if line.startswith("seats"))


def told(lines: list[str]) -> list[Finding]:
    return errors("\n".join([*lines, ""]), "a.hrt")


@pytest.mark.some(4)
@pytest.mark.parametrize("key", [key for key in KEYS if key != "whist"])
def test_a_player_too_many_or_too_few_is_one_error(key: str) -> None:
    """At the line of the players, not at every trick."""
    lines, place = lines_of(key)
    head, tail = lines[:place], lines[place + 1 :]
    fewer = re.sub(r" (\w)=\w+$", "", lines[place])
    for line, said in ((lines[place] + " X=Xi", "X stands among the players"), (fewer, "is not among the players")):
        (error,) = told([*head, line, *tail])
        assert said in error.message
        assert error.location is not None
        assert error.location.line == place + 1


@pytest.mark.parametrize("key", ["kbabs", "bridge"])
def test_a_missing_line_of_players_is_one_error(key: str) -> None:
    lines, place = lines_of(key)
    (error,) = told([*lines[:place], *lines[place + 1 :]])
    assert "the line seats is expected" in error.message


@pytest.mark.parametrize(
    ("key", "one", "other", "said"), [("kbabs", "deal 2 ", "deal2 ", "deal 2"), ("spades3", "deal 2 ", "dea l 2 ", "deal")]
)
def test_a_line_that_begins_a_deal_misspelt_is_one_error(key: str, one: str, other: str, said: str) -> None:
    """What stands below it does not seem to stand there for the second time."""
    lines, _ = lines_of(key)
    (error,) = told([line.replace(one, other) if line.startswith(one) else line for line in lines])
    assert f"did you mean {said}?" in error.message


@pytest.mark.parametrize("key", ["bugami", "spades3"])
def test_a_bid_under_another_seat_is_one_error(key: str) -> None:
    """A seat bids twice, and another does not: it is the pen."""
    lines, _ = lines_of(key)
    place = next(place for place, line in enumerate(lines) if line.startswith("bid "))
    (one, first), (other, second), *_ = re.findall(r"([NESW]) +(\S+)", lines[place])
    wrong = lines[place].replace(f"{other} {second}", f"{one} {second}", 1)
    (error,) = told([*lines[:place], wrong, *lines[place + 1 :]])
    assert (error.code, error.seat) == ("REC011", None)
    assert f"was {other}'s" in error.message
    assert first


def test_players_are_tried_without_looking_for_cures(monkeypatch: pytest.MonkeyPatch) -> None:
    """Where a seat is lost and much else is wrong, each line is cured once, not for every line of players that is tried."""
    cured, cure = list[object](), RecordBuilder.cure
    monkeypatch.setattr(RecordBuilder, "cure", lambda *given: cured.append(given) or cure(*given))
    spoilt = (ROOT / "fixtures/hostile/seat-lost-in-a-spoilt-line.hrt").read_bytes()
    assert errors(spoilt.decode("utf-8", "replace"), "a.hrt")
    assert 0 < len(cured) <= spoilt.count(b"\n")


@pytest.mark.long
@pytest.mark.parametrize("many", [150, pytest.param(3000, marks=pytest.mark.long)])
def test_a_heading_fits_as_judging_to_the_end_tells(many: int, monkeypatch: pytest.MonkeyPatch) -> None:
    """A record that is not replayed further than needed, with up to two slips, a wrong name of its game or wrong seats."""
    told, rng, fits = list[tuple[bool, bool]](), Random(f"headings {many}"), heading._fits

    def both(judge: judging.Judge, record: Record, most: int) -> bool:
        found = fits(judge, record, most)
        told.append((found, len(heading._errors(judge.verdict(record))) <= most))
        return found

    monkeypatch.setattr(heading, "_fits", both)
    for number in range(many):
        truth = (
            dealt(rng.choice(KEYS), rng.randrange(40)) if number % 5 else json.loads(rng.choice(TAKEN_BACK).read_text("utf-8"))
        )
        data = without(truth or {}, hands=rng.random() < 0.6, claims=rng.random() < 0.6)
        for act in ("heading", *rng.sample(sorted(ACTS), rng.randrange(3))):
            with suppress(IndexError, ValueError):  # after other acts there may be nothing left to do it to
                ACTS[act](data, rng)
        if rng.random() < 0.5:
            data |= {"game": rng.choice(KEYS), "options": {}}
        if rng.random() < 0.3:
            rng.shuffle(data["players"])
        check(Record.model_validate(data))
    assert all(found is due for found, due in told)
    assert sum(found for found, _ in told) >= many // 20
    assert len(told) >= 2 * many


@pytest.mark.parametrize(
    ("code", "severity", "fits"), [("PLY009", "error", True), ("PLY003", "warning", True), ("PLY003", "error", False)]
)
def test_a_warning_and_what_is_lifted_at_the_end_break_nothing_off(code: str, severity: Any, fits: bool) -> None:
    """Cards passed the wrong way by a wrong number are no fault when all deals are looked at."""
    record = Record.model_validate(dealt("hearts", 0))
    shown = Finding(replace(games.find("hearts").rule(code), severity=severity), {}, "/deals/0/events/0")  # type: ignore[union-attr]

    class Shown(judging.Judge):
        def verdict(self, record: Record, look: Look | None = None) -> Verdict:
            assert look is not None
            look(shown)
            return super().verdict(record)

    assert heading._fits(Shown(games.find), record, 0) is fits


def test_only_plays_are_put_in_another_order_of_the_seats() -> None:
    """Whoever claims the rest need not be whose turn it is."""
    plays = [Play(by=by, card=card) for by, card in (("N", "AS"), ("E", "2S"))]
    claim = Claim(by="S", tricks={"S": 12})
    events = heading._in_order(Deal(events=[*plays, claim]), ["N", "E", "S", "W"], ["N", "S", "E", "W"])
    assert [(event.do, event.by) for event in events] == [("play", "N"), ("play", "S"), ("claim", "S")]
