"""A kind of event that comes from outside, with its game: everything that takes any record takes it as it stands.

The toy Handover passes cards before the lead. Nothing in the package knows that kind of event but by its own file.
"""

from __future__ import annotations

import importlib
import json
import os
import subprocess
import sys
from collections.abc import Callable
from functools import cache
from importlib.metadata import EntryPoint, EntryPoints
from pathlib import Path
from random import Random
from typing import Any, Literal

import pytest
from jsonschema import Draft202012Validator

from handrec import fast, formats, games, referee, writing
from handrec.cli import run
from handrec.dealing import deal_game
from handrec.diff import compare
from handrec.digests import digests, names
from handrec.judging import Judge
from handrec.record import KINDS, OWN, Card, Closed, Deal, Record, Seat, kind
from handrec.repair import applied, legal
from handrec.report.events import in_words
from handrec.schema import record_schema
from handrec.view import ShownRecord, page_data
from handrec.view.anonymous import anonymous
from tests import toy_handover
from tests.test_fast import changed, raised

ROOT = Path(__file__).parents[1]
Data = dict[str, Any]
pytestmark = pytest.mark.usefixtures("toys")


@cache
def dealt(seed: int = 1) -> Record:
    """Two deals with the cards passed, not to be changed."""
    return deal_game(toy_handover.GAME, 4, seed, numbers=[1, 2])


def altered(change: Callable[[Data], None], seed: int = 1) -> Record:
    """Such a record with something changed in its first deal."""
    data = writing.plain(dealt(seed))
    change(data["deals"][0])
    return Record.model_validate(data)


def codes(record: Record) -> list[tuple[str, str]]:
    """What is wrong with a record, and where."""
    return [(finding.code, finding.pointer) for finding in referee.check(record, games.find).findings]


def reading(data: Any) -> formats.Reading:
    """What is read of plain data written as JSON, spaced so that no quick reader takes it."""
    (found,) = formats.read(json.dumps(data, indent=1).encode(), "a.json")
    return found


# --- the referee and the dealer ---


@pytest.mark.parametrize("seed", range(6))
def test_what_is_dealt_passes_both_judges(seed: int) -> None:
    """Each seat passes three of its own cards to the left, and plays from the hand that it then has; nothing is found."""
    record = dealt(seed)
    for deal in record.deals:
        assert deal.hands is not None
        hands = {seat: {*cards} for seat, cards in deal.hands.items()}
        passed = [event for event in deal.events if isinstance(event, toy_handover.Handover)]
        assert [(event.by, event.to) for event in passed] == [("N", "E"), ("E", "S"), ("S", "W"), ("W", "N")]
        assert all(len({*event.cards}) == 3 and hands[event.by].issuperset(event.cards) for event in passed)
        for event in passed:
            hands[event.by] -= {*event.cards}
            hands[event.to] |= {*event.cards}
        plays: dict[str, set[str]] = {seat: set() for seat in hands}
        for each in deal.events:
            if each.do == "play" and each.by:
                plays[each.by].add(each.card)
        assert plays == hands
    assert codes(record) == []
    many: list[bool] = []
    referee.check(record, games.find, lambda table: many.append(fast.replayed(table)) or many[-1])
    assert many == [True, True]


def test_a_card_passed_that_is_not_held_is_found() -> None:
    def change(deal: Data) -> None:
        deal["events"][0]["cards"][1] = deal["hands"]["S"][0]

    assert ("PLY001", "/deals/0/events/0/cards/1") in codes(altered(change))


def test_a_card_played_that_was_passed_on_is_found() -> None:
    """Without the handover the plays are not of the hands, and the referee says so."""

    def change(deal: Data) -> None:
        deal["events"] = [event for event in deal["events"] if event["do"] != "handover"]

    found = codes(altered(change))
    assert len([code for code, _ in found if code in ("PLY001", "PLY003")]) >= 3


def test_a_pass_that_is_missing_or_goes_elsewhere_is_found() -> None:
    assert ("PLY005", "/deals/0") in codes(altered(lambda deal: deal["events"].pop(2)))
    assert ("PLY020", "/deals/0/events/2") in codes(altered(lambda deal: deal["events"][2].update(to="N")))


@pytest.mark.parametrize("lacking", ["N", "NS", "NESW"])
def test_hands_that_are_not_recorded_follow_from_plays_and_passes(lacking: str) -> None:
    """What a seat plays of another's cards was dealt to the other."""

    def change(deal: Data) -> None:
        for seat in lacking:
            del deal["hands"][seat]

    record = altered(change)
    assert codes(record) == []
    table, whole = (referee.replay(each, toy_handover.GAME)[0] for each in (record, dealt()))
    assert table.dealt == whole.dealt
    assert table.hands == whole.hands != whole.dealt


def test_a_play_that_breaks_off_is_no_fault() -> None:
    def change(deal: Data) -> None:
        deal["status"] = "stopped"
        del deal["events"][30:], deal["claimed"]

    assert [code for code, where in codes(altered(change)) if where.startswith("/deals/0")] == []


def passed_otherwise(data: Data, rng: Random) -> None:
    """One thing in one of the passes is changed."""
    deal = rng.choice(data["deals"])
    passes = [event for event in deal["events"] if event["do"] == "handover"]
    event, other = rng.sample(passes, 2)
    match rng.randrange(5):
        case 0:
            event["cards"][rng.randrange(3)] = rng.choice(rng.choice([*deal["hands"].values()]))
        case 1:
            event["cards"].pop()
        case 2:
            event["cards"], other["cards"] = other["cards"], event["cards"]
        case 3:
            event[rng.choice(["by", "to"])] = rng.choice("NESW")
        case 4:
            deal["events"].remove(event)


def test_both_judges_say_the_same_of_broken_records() -> None:
    quick = Judge(games.find, failed=raised)
    seen = set()
    for seed in range(15):
        rng = Random(seed)
        data = writing.plain(dealt(seed % 5))
        passed_otherwise(data, rng)
        for record in (Record.model_validate(data), changed(dealt(seed % 5), rng)):
            if record is not None:
                found = referee.check(record, games.find)
                assert quick.verdict(record) == found
                seen |= {finding.code for finding in found.findings}
    assert seen >= {"PLY001", "PLY005", "PLY020"}
    assert "INT001" not in seen


def test_a_seat_that_nobody_has_is_told_in_every_field() -> None:
    assert codes(altered(lambda deal: deal["events"][0].update(to="X"))) == [("FMT012", "/deals/0/events/0/to")]


# --- reading and writing ---


@pytest.mark.parametrize("key", [kind.key for kind in formats.formats() if kind.key in ("json", "jsonl", "hrt")])
def test_it_is_written_and_read_back(key: str) -> None:
    record = reading(writing.plain(dealt())).record
    form = next(form for form in formats.formats() if form.key == key)
    (found,) = formats.read(form.write(record).encode(), f"a{form.suffixes[0]}")
    assert (found.findings, found.record) == ((), record)


def test_the_typed_notation_has_a_line_for_it() -> None:
    """Cards in any spelling; and what is typed under `%hrt 1` needs 1.1, as a typed number does."""
    text = next(form for form in formats.formats() if form.key == "hrt").write(dealt())
    line = next(line for line in text.splitlines() if line.startswith("handover"))
    event = dealt().deals[0].events[0]
    assert isinstance(event, toy_handover.Handover)
    assert line == f"handover N to E {' '.join(event.cards)}"
    one, two, three = event.cards
    typed = text.replace("%hrt 1.1", "%hrt 1").replace(line, f"Handover n E {one}, {two.lower()} {three}")
    (found,) = formats.read(typed.encode(), "a.hrt")
    assert found.record is not None
    assert (found.findings, found.record.version, found.record.deals) == ((), "1.1", dealt().deals)


def test_it_says_1_1_and_in_1_0_it_is_refused() -> None:
    data = writing.plain(dealt())
    assert data["version"] == "1.1"
    found = reading(data | {"version": "1.0"})
    assert found.record is None
    assert (found.findings[0].code, found.findings[0].pointer) == ("FMT007", "/deals/0/events/0")
    assert "only since 1.1" in found.findings[0].message


@pytest.mark.parametrize("version", ["1.0", "1.1"])
def test_a_record_of_another_game_is_refused_as_before_the_kind_was_known(version: str) -> None:
    """Whether somebody imported the toy Handover is no matter: the same words as for a kind that nobody brings."""
    bridge = games.find("bridge")
    assert bridge is not None
    data = writing.plain(deal_game(bridge, 4, 1, numbers=[1])) | {"version": version}
    event = {"do": "handover", "by": "N", "to": "E", "cards": ["AS"]}
    told = []
    for do in ("handover", "handovf"):
        found = reading(data | {"deals": [{**data["deals"][0], "events": [event | {"do": do}, *data["deals"][0]["events"]]}]})
        assert found.record is None
        told.append([(each.code, each.pointer, each.message.replace("handovf", "handover")) for each in found.findings])
    assert told[0] == told[1] != []


def test_the_schemas_do_not_know_it() -> None:
    for version in ("1.0", "1.1"):
        schema = record_schema(version)
        assert "handover" not in json.dumps(schema).lower()
        assert not Draft202012Validator(schema).is_valid(writing.plain(dealt()))


def test_a_name_is_given_once() -> None:
    class Play(Closed):
        do: Literal["play"] = "play"

    class Handover(Closed):
        do: Literal["handover"] = "handover"

    for model in (Play, Handover):
        with pytest.raises(ValueError, match=f"another kind of event '{model.__name__.lower()}' already"):
            kind()(model)
    assert (KINDS["play"].model.__name__, KINDS["handover"].model) == ("Play", toy_handover.Handover)


def test_cards_that_move_need_a_giver_and_a_taker() -> None:
    class Thrown(Closed):
        do: Literal["thrown"] = "thrown"
        by: Seat

    with pytest.raises(ValueError, match="by and to"):
        kind(moves=True)(Thrown)
    assert "thrown" not in KINDS


def test_a_field_of_another_type_is_refused() -> None:
    """What its value is could not be told, and a seat in it would be forgotten."""

    class Given(Closed):
        do: Literal["given"] = "given"
        by: Seat | None = None

    with pytest.raises(ValueError, match=r"Given\.by has a type"):
        kind()(Given)
    assert "given" not in KINDS


def test_a_game_whose_kind_has_a_name_that_is_taken_is_no_game(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    """It is named, and the others go on; but two games may declare one kind in the same words."""
    source = Path(toy_handover.__file__).read_text("utf-8")
    (tmp_path / "same_hearts.py").write_text(source, "utf-8")
    (tmp_path / "other_hearts.py").write_text(source.replace('"passes {cards} to {to}"', '"gives {cards} to {to}"'), "utf-8")
    monkeypatch.syspath_prepend(str(tmp_path))
    assert importlib.import_module("same_hearts").Handover is toy_handover.Handover
    taken = EntryPoint("toyhandover", "other_hearts:GAME", "handrec.games")
    monkeypatch.setattr(games, "_points", lambda: EntryPoints([taken]))
    games.forget()
    with pytest.warns(RuntimeWarning, match="there is another kind of event 'handover' already"):
        assert games.find("toyhandover") is None


def test_a_kind_called_like_a_line_of_the_notation_is_written_as_json(monkeypatch: pytest.MonkeyPatch) -> None:
    """A line that begins with `note` is a note, whatever kinds there are."""

    class Note(Closed):
        do: Literal["note"] = "note"
        card: Card

    monkeypatch.setattr(toy_handover.Passing, "kinds", ("handover", "note"))
    try:
        kind("{card}", "notes {card}")(Note)
        data = writing.plain(dealt())
        data["deals"][0]["events"].append({"do": "note", "card": "AS"})
        record = Record.model_validate(data)
        text = next(form for form in formats.formats() if form.key == "hrt").write(record)
        assert '{"do":"note","card":"AS"}' in text
    finally:
        del KINDS["note"]
        for part in (Deal, Record):
            part.model_rebuild(force=True)


# --- what is said of it ---


def test_digests_and_names_hang_on_what_was_passed_and_not_on_what_seats_are_called() -> None:
    def change(deal: Data) -> None:
        deal["events"][0]["cards"].reverse()

    record, other = dealt(), altered(change)
    assert next(names(record)) != next(names(other))
    assert next(digests(record)).played != next(digests(other)).played
    called = json.loads(writing.line(record))
    text = json.dumps(called)
    for seat in "NESW":
        text = text.replace(f'"{seat}"', f'"seat-{seat}"')
    renamed = Record.model_validate_json(text)
    assert [*names(renamed)] == [*names(record)]
    assert [*digests(renamed)] == [*digests(record)]


def test_a_difference_in_a_pass_is_shown(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    def change(deal: Data) -> None:
        deal["events"][1]["cards"][0] = "??"

    record, other = dealt(), altered(change)
    (row,) = compare([record, other], games.find).rows
    assert (row.what, row.place, row.note) == ("handover", "deal 1, E", False)
    for name, each in (("a.json", record), ("b.json", other)):
        (tmp_path / name).write_text(writing.dumps(each), "utf-8")
    assert run(["diff", str(tmp_path / "a.json"), str(tmp_path / "b.json")]) == 1
    event: Any = record.deals[0].events[1]
    shown = " ".join(capsys.readouterr().out.split())
    assert f"{' '.join(event.cards)} to S / ?? {' '.join(event.cards[1:])} to S" in shown


def test_the_page_says_it_and_hands_the_cards_over() -> None:
    """The hands are as dealt; each pass shows the two hands after it, and who may see the cards."""
    record = dealt()
    deal = page_data([ShownRecord("a", record, referee.check(record, games.find), toy_handover.GAME)])["records"][0]["deals"][0]
    hands: dict[int, set[str]] = {seat: {*cards} for seat, cards in enumerate(deal["hands"])}
    assert hands == {seat: {*(record.deals[0].hands or {})["NESW"[seat]]} for seat in range(4)}
    assert deal["gathered"] == []
    for place, step in enumerate(deal["steps"][:4]):
        to = (place + 1) % 4
        hands[place] -= {*step["cards"]}
        hands[to] |= {*step["cards"]}
        assert {seat: {*cards} for seat, cards in step["hands"].items()} == {seat: hands[seat] for seat in (place, to)}
        assert (step["unseen"], sorted(step["seen_by"])) == (f"passes 3 cards to {'NESW'[to]}", sorted([place, to]))
        assert step["say"].startswith("passes ")
        assert step["say"].endswith(f" to {'NESW'[to]}")
        assert "♠" in step["say"] or "♥" in step["say"] or "♦" in step["say"] or "♣" in step["say"]


def test_a_record_without_its_people_names_no_seat_in_it() -> None:
    text = writing.line(dealt())
    for seat, name in zip("NESW", ("Ann", "Bob", "Cid", "Dan"), strict=True):
        text = text.replace(f'"{seat}"', f'"{name}"')
    bare = anonymous(Record.model_validate_json(text))
    assert [(event.by, event.to) for event in bare.deals[0].events if isinstance(event, toy_handover.Handover)] == [
        ("P1", "P2"), ("P2", "P3"), ("P3", "P4"), ("P4", "P1"),
    ]  # fmt: skip
    assert not [name for name in ("Ann", "Bob", "Cid", "Dan") if name in writing.line(bare)]


@pytest.mark.long
@pytest.mark.parametrize("change", [("to", "W"), ("cards", 0)])
def test_a_slip_in_it_is_mended(change: tuple[str, Any]) -> None:
    """Another seat's name, another card: the smallest edits that make the deal right have what was passed."""

    def slip(deal: Data) -> None:
        if change[0] == "to":
            deal["events"][0]["to"] = change[1]
        else:
            deal["events"][0]["cards"][change[1]] = deal["hands"]["S"][0]

    record = altered(slip)
    assert dealt().deals in [applied(record, edits).deals for edits in legal(record, toy_handover.GAME)]


def test_words_for_the_records_own_kinds() -> None:
    """What is in brackets is said where it is there; numbers are counted; a secret says how many cards."""
    told = [
        ({"do": "bid", "by": "N", "bid": 3, "blind": True}, "bids 3 blind"),
        ({"do": "bid", "by": "N", "bid": 3, "blind": False}, "bids 3"),
        ({"do": "announce", "by": "N", "what": "big_bemo"}, "announces big bemo"),
        ({"do": "announce", "by": "N", "what": "sips", "count": 0}, "announces sips 0"),
        ({"do": "transfer", "by": "N", "of": "E", "tricks": 1}, "takes 1 trick from E"),
        ({"do": "transfer", "by": "N", "of": "E", "tricks": 2, "of_deal": 3}, "takes 2 tricks from E, deal 3"),
        ({"do": "penalty", "of": "E", "points": 5, "reason": "false_accusation"}, "penalty of 5 for E (false accusation)"),
        ({"do": "claim", "by": "N", "tricks": {"N": 2, "E": 0}}, "claims: N 2, E 0"),
        ({"do": "ruling", "of": "E", "trick": 2, "verdict": "upheld"}, "ruling on E, trick 2: upheld"),
        ({"do": "handover", "by": "N", "to": "E", "cards": ["AS", "TD"]}, "passes AS TD to E"),
    ]
    assert [in_words(KINDS[event["do"]].model.model_validate(event)) for event, _ in told] == [words for _, words in told]
    assert in_words(toy_handover.Handover(by="N", to="E", cards=["AS"]), hidden=True) == "passes 1 card to E"
    assert {do for do, _ in KINDS.items() if KINDS[do].shown} == {*KINDS} - {*OWN} | {"exchange", "show"}


# --- installed as a package of its own ---


def installed(tmp_path: Path) -> Callable[..., subprocess.CompletedProcess[str]]:
    """The toy Handover lies on the path with an entry point, and handrec is run in processes of its own."""
    site = tmp_path / "site"
    (site / "toyhandover-1.dist-info").mkdir(parents=True)
    (site / "toyhandover-1.dist-info/METADATA").write_text("Metadata-Version: 2.1\nName: toyhandover\nVersion: 1\n", "utf-8")
    (site / "toyhandover-1.dist-info/entry_points.txt").write_text(
        "[handrec.games]\ntoyhandover = hearts_of_mine:GAME\n", "utf-8"
    )
    (site / "hearts_of_mine.py").write_text(Path(toy_handover.__file__).read_text("utf-8"), "utf-8")
    paths = os.pathsep.join([str(site), str(ROOT)])

    def handrec(*arguments: object) -> subprocess.CompletedProcess[str]:
        command = [sys.executable, "-m", "handrec", *map(str, arguments)]
        return subprocess.run(
            command, capture_output=True, text=True, cwd=tmp_path, env={**os.environ, "PYTHONPATH": paths}, check=False
        )

    return handrec


Ran = Callable[..., str]


@pytest.fixture
def ran(tmp_path: Path) -> Ran:
    """Runs a command in a process of its own, which has not met the game yet and must end well, and gives what it says."""
    handrec = installed(tmp_path)

    def call(*arguments: object) -> str:
        done = handrec(*arguments)
        assert done.returncode == 0, (arguments, done.stdout, done.stderr)
        return done.stdout

    return call


def test_a_process_finds_its_kinds_of_event(ran: Ran) -> None:
    """When it meets a record of the game, whatever the format is that it comes in."""
    ran("deal", "toyhandover", "--deals", "2", "--seed", "3", "-o", "a.handrec.json")
    assert "1 clean" in ran("check", "a.handrec.json")
    ran("convert", "a.handrec.json", "--to", "hrt", "-o", "a.hrt")
    assert "1 clean" in ran("check", "a.hrt")


@pytest.mark.long
def test_every_command_takes_it(ran: Ran, tmp_path: Path) -> None:
    """The same for all that can be done with a record."""
    ran("deal", "toyhandover", "--deals", "2", "--seed", "3", "-o", "a.handrec.json")
    ran("convert", "a.handrec.json", "--to", "hrt", "-o", "a.hrt")
    assert "\nhandover N to E " in (tmp_path / "a.hrt").read_text("utf-8")
    assert "1 clean" in ran("check", "a.hrt")
    ran("convert", "a.hrt", "--to", "json", "-o", "b.handrec.json")
    assert (tmp_path / "b.handrec.json").read_bytes() == (tmp_path / "a.handrec.json").read_bytes()
    ran("diff", "a.handrec.json", "a.hrt")
    shown = ran("replay", "a.handrec.json")
    cards = json.loads((tmp_path / "a.handrec.json").read_text("utf-8"))["deals"][0]["events"][0]["cards"]
    assert f"N passes {' '.join(cards)} to E" in " ".join(shown.split())
    (third,) = json.loads(ran("replay", "a.handrec.json", "--deal", "1", "--trick", "3", "-f", "json"))
    assert not {*cards} & {*third["hands"]["N"]}
    assert {*json.loads((tmp_path / "a.handrec.json").read_text("utf-8"))["deals"][0]["hands"]["N"]} > {*cards}
    hidden = " ".join(ran("replay", "a.handrec.json", "--as", "S").split())
    assert "N passes 3 cards to E" in hidden
    assert f"N passes {' '.join(cards)}" not in hidden
    ran("view", "a.handrec.json", "-o", "a.html")
    assert "passes 3 cards to E" in (tmp_path / "a.html").read_text("utf-8")
    ran("score", "a.handrec.json")
    ran("infer", "a.handrec.json", "--deal", "1")
