"""The fast path and the referee give the same verdict, whatever is wrong with a record; and it is the fast path that gives it."""

from __future__ import annotations

import gc
import json
import sqlite3
from collections.abc import Callable, Iterator
from contextlib import closing
from dataclasses import replace
from pathlib import Path
from random import Random
from types import SimpleNamespace
from typing import Any

import pytest
from pydantic import ValidationError

from handrec import api, fast, games, referee, rulebook
from handrec.audit.judge import judge
from handrec.audit.pieces import Chunk, Piece
from handrec.audit.store import Store
from handrec.cli import run
from handrec.dealing import CannotDeal, deal_game
from handrec.fast import in_c
from handrec.fast import plan as plans
from handrec.fast.formula import Program
from handrec.findings import PlayedTrick
from handrec.game import Game, Table, compose
from handrec.games import find
from handrec.judging import Judge
from handrec.record import Record
from handrec.referee import check
from handrec.report import audit
from tests import toy_whist
from tests.dealing import FAULTS, GAMES, WHOLE, any_options, some_deals
from tests.test_agreement import the

ROOT = Path(__file__).parents[1]
CLEAN = sorted((ROOT / "fixtures/clean").glob("*-4-players.handrec.json"))
FIXTURES = sorted(path for path in (ROOT / "fixtures").rglob("*") if path.suffix in (".json", ".jsonl", ".hrt", ".pbn", ".lin"))

Events = list[dict[str, Any]]


def swapped(events: Events, place: int, rng: Random) -> None:
    """A play and the event after it in the wrong order."""
    events[place : place + 2] = reversed(events[place : place + 2])


def dropped(events: Events, place: int, rng: Random) -> None:
    """A play left out."""
    del events[place]


def doubled(events: Events, place: int, rng: Random) -> None:
    """A play written down twice."""
    events.insert(place, dict(events[place]))


def another(events: Events, place: int, rng: Random) -> None:
    """The card of another event, or one that nobody knows."""
    events[place]["card"] = rng.choice(["??", "?S", *(event["card"] for event in events if "card" in event)])


def unnamed(events: Events, place: int, rng: Random) -> None:
    """A play that does not say whose it is."""
    events[place].pop("by", None)


def misnamed(events: Events, place: int, rng: Random) -> None:
    """A play under another's name."""
    events[place]["by"] = rng.choice([event["by"] for event in events if "by" in event])


def taken_back(events: Events, place: int, rng: Random) -> None:
    """A card taken back, and played again or another instead."""
    play = events[place]
    if "by" in play:
        events[place + 1 : place + 1] = [{**play, "do": "withdraw"}, dict(rng.choice([play, rng.choice(events)]))]


def ended(events: Events, place: int, rng: Random) -> None:
    """The play breaks off."""
    del events[place:]


CHANGES: tuple[Callable[[Events, int, Random], None], ...] = (
    swapped, dropped, doubled, another, unnamed, misnamed, taken_back, ended,
)  # fmt: skip


def changed(record: Record, rng: Random) -> Record | None:
    """The record with up to two of its plays changed, None if that is no record."""
    data = record.model_dump(mode="json", exclude_unset=True, by_alias=True)
    for _ in range(rng.randrange(1, 3)):
        deal = rng.choice(data["deals"])
        plays = [place for place, event in enumerate(deal["events"]) if event["do"] == "play"]
        if plays:
            rng.choice(CHANGES)(deal["events"], rng.choice(plays), rng)
        if rng.random() < 0.1:
            deal["hands"].pop(rng.choice(list(deal["hands"])), None)
    try:
        return Record.model_validate(data)
    except ValidationError:
        return None


@pytest.fixture(params=["c", "python"], autouse=True)
def loop(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> str:
    """Everything here is tried with the loop in C, where it could be built, and with the loop in Python."""
    if request.param == "c" and in_c._tricks is None:
        pytest.skip("the loop in C was not built: there is no compiler")
    if request.param == "python":
        monkeypatch.setattr(in_c, "_tricks", None)
    monkeypatch.setattr(plans, "_known", {})
    return str(request.param)


def raised(way: str, error: Exception) -> None:
    """A fast way that fails is an error here."""
    raise error


def judged(record: Record) -> None:
    """Both ways, and what they say."""
    assert Judge(find, failed=raised).verdict(record) == check(record, find)


def taken(record: Record) -> int:
    """How many deals of a record the fast path takes, each by itself."""
    many: list[bool] = []

    def counted(table: Table) -> bool:
        many.append(fast.replayed(table))
        return many[-1]

    check(record, find, counted)
    assert len(many) == len(record.deals)
    return sum(many)


def drawn(game: Game, rng: Random) -> Record:
    """Some deals under any options."""
    players = rng.choice([count for count in game.players if count < 8])
    options = any_options(game, rng)
    return deal_game(game, players, rng.randrange(10**6), options=options, numbers=some_deals(game, players, options, rng))


def test_rows_with_their_numbers_are_taken_and_others_are_not() -> None:
    """Numbers typed before rows, as PBN has them, change nothing if they are those of the tricks; else the referee says so."""
    bridge = find("bridge")
    assert bridge
    data = deal_game(bridge, 4, 1, numbers=[1]).model_dump(mode="json", exclude_unset=True, by_alias=True)
    data["version"] = "1.1"
    plays = [event for event in data["deals"][0]["events"] if event["do"] == "play"]
    for number, play in enumerate(plays[::4], 1):
        play["trick"] = number
    for place, number, clean in ((0, 1, True), (4, 3, False), (4, 10**6, False), (5, 2, False), (51, 13, False)):
        before, plays[place]["trick"] = plays[place].get("trick"), number
        record = Record.model_validate(data)
        assert taken(record) == clean
        judged(record)
        if before is None:
            del plays[place]["trick"]
        else:
            plays[place]["trick"] = before


def unnamed(record: Record) -> Record:
    """The record with plays that do not say whose they are."""
    data = record.model_dump(mode="json", exclude_unset=True, by_alias=True)
    for play in (event for deal in data["deals"] for event in deal["events"] if event["do"] == "play"):
        play.pop("by", None)
    return Record.model_validate(data)


def test_plays_without_seats_are_those_of_who_was_dealt_the_cards_unless_one_is_taken_back() -> None:
    record = unnamed(deal_game(the("bridge"), 4, 1, numbers=[1]))
    assert taken(record)
    judged(record)
    data = record.model_dump(mode="json", exclude_unset=True, by_alias=True)
    events = data["deals"][0]["events"]
    first = next(place for place, event in enumerate(events) if event["do"] == "play")
    events.insert(first, {"do": "withdraw", "by": "N", "card": data["deals"][0]["hands"]["N"][0]})
    spoilt = Record.model_validate(data)
    assert not taken(spoilt)
    judged(spoilt)


@pytest.mark.some(11)
@pytest.mark.parametrize("many", [2, pytest.param(10, marks=pytest.mark.long)])
@pytest.mark.parametrize("game", GAMES, ids=lambda game: game.key)
def test_the_fast_path_says_what_the_referee_says(game: Game, many: int) -> None:
    """On clean records, all of which it takes but where somebody sits in who is no player, and on some with plays changed."""
    for seed in range(many):
        rng = Random(seed)
        record = drawn(game, rng)
        assert taken(record) == (0 if compose(game, record.options or {})[0].extras else len(record.deals))
        judged(record)
        judged(unnamed(record))
        for _ in range(5):
            odd = changed(record, rng)
            if odd is not None:
                judged(odd)
                judged(unnamed(odd))


@pytest.mark.parametrize("game", GAMES, ids=lambda game: game.key)
def test_both_say_the_same_of_what_happens_besides_the_plays(game: Game) -> None:
    """An event left out or written down twice, a play too many, who did not deal, another size, cards set aside elsewhere."""
    record = deal_game(game, 4 if 4 in game.players else 3, 3, numbers=[2])
    data = record.model_dump(mode="json", exclude_unset=True, by_alias=True)
    deal = data["deals"][0]
    events = deal["events"]
    plays = [event for event in events if event["do"] == "play"]
    odd = [{"events": [*events, plays[-1]]}]
    odd += [{"dealer": player["seat"], "leader": plays[0]["by"]} for player in data["players"]]
    aside = deal.get("aside", {})
    odd += [{"cards": 1}, {"aside": aside | {"nowhere": ["AS"]}}, *({"aside": {**aside, place: []}} for place in aside)]
    for place, event in enumerate(events):
        if event["do"] == "turn":
            odd += [{"aside": {}, "events": [*events[:place], event | {"card": plays[0]["card"]}, *events[place + 1 :]]}]
        if event not in plays:
            odd += [{"events": [*events[:place], *events[place + 1 :]]}, {"events": [*events[:place], event, *events[place:]]}]
    for change in odd:
        judged(Record.model_validate(data | {"deals": [deal | change]}))
    for told in ({}, *({name: cards for name, cards in aside.items() if name != place} for place in aside)):
        one = Record.model_validate(data | {"deals": [deal | {"aside": told}]})
        assert taken(one) == 1
        judged(one)


@pytest.mark.some(4)
@pytest.mark.parametrize("game", GAMES, ids=lambda game: game.key)
def test_deals_in_order_are_taken(game: Game) -> None:
    """All deals of games as they are dealt, excerpts and whole games, at every number of players."""
    for players in game.players[:6]:
        for numbers in ([1, 2], None) if players < 5 else ([1, 2],):
            record = deal_game(game, players, 7, numbers=numbers)
            assert taken(record) == len(record.deals)
            judged(record)


def claimed(record: Record, place: int, odd: str, rng: Random) -> Record:
    """The first deal of a record, its play ended after so many cards by a claim; with something odd about it, if it is said."""
    data = record.model_dump(mode="json", exclude_unset=True, by_alias=True)
    data["deals"], data["status"] = data["deals"][:1], "excerpt"
    deal, seats = data["deals"][0], [player["seat"] for player in data["players"]]
    plays = [at for at, event in enumerate(deal["events"]) if event["do"] == "play"]
    del deal["events"][plays[place] :]
    data.pop("claimed", None)
    deal.pop("claimed", None)
    left = len(plays) // len(seats) - place // len(seats) + (odd == "too many")
    tricks = dict.fromkeys(rng.sample(seats, 2), 0)
    for _ in range(left):
        tricks[rng.choice([*tricks])] += 1
    claim = {"do": "claim", "by": "Stranger" if odd == "stranger" else rng.choice(seats), "tricks": tricks}
    deal |= {"status": {"complete": "complete", "stopped": "stopped"}.get(odd, "claimed")}
    deal["events"] += [] if odd == "stopped" else [claim]
    if odd == "later":
        deal["events"].append({"do": "play", "by": seats[0], "card": deal["hands"][seats[0]][0]})
    if odd == "card" and place:
        deal["events"][-2]["card"] = rng.choice(deal["hands"][rng.choice(seats)])
    return Record.model_validate(data)


ODD = ("too many", "stranger", "complete", "stopped", "later", "card")


@pytest.mark.some(11)
@pytest.mark.parametrize("game", GAMES, ids=lambda game: game.key)
def test_a_play_that_a_claim_ends_is_taken(game: Game) -> None:
    """After whole tricks and in the middle of one; before the first, or with anything odd about it, the referee says what."""
    rng = Random(7)
    for seed in range(2):
        record = deal_game(game, 4 if 4 in game.players else 3, seed, numbers=[3])
        many = sum(event.do == "play" for event in record.deals[0].events)
        for place in (0, 1, 4, *(rng.randrange(many) for _ in range(4))):
            one = claimed(record, place, "", rng)
            assert taken(one) == (place > 0)
            judged(one)
            assert taken(unnamed(one)) == taken(one) or game.key != "bridge"
            judged(unnamed(one))
            for odd in ODD:
                judged(claimed(record, place, odd, rng))


#: Ways to name a seat in a deal besides its plays.
NAMED: dict[str, Callable[[dict[str, Any], str], object]] = {
    "dealer": lambda deal, seat: deal.update(dealer=seat),
    "leader": lambda deal, seat: deal.update(leader=seat),
    "winners": lambda deal, seat: deal["claimed"].update(winners=[*"NES", seat]),
    **{
        sheet: lambda deal, seat, sheet=sheet: deal["claimed"].setdefault(sheet, {}).setdefault(seat, 0)
        for sheet in ("bids", "tricks", "scores", "totals")
    },
    "accuser": lambda deal, seat: deal["events"].append({"do": "accuse", "by": seat, "of": "N"}),
    "accused at once": lambda deal, seat: deal["events"].insert(0, {"do": "accuse", "by": "N", "of": seat}),
    "accused": lambda deal, seat: deal["events"].append({"do": "accuse", "by": "N", "of": seat}),
    "side": lambda deal, seat: deal["claimed"].update(sides={seat: {"tricks": 0}}),
}
#: What may be named so in a game without sides; elsewhere, all four seats.
TRUE = {"dealer": {"E"}, "leader": {"S"}, "side": set[str]()}


def in_order(key: str, deal: dict[str, Any], where: str, seat: str) -> bool:
    """Whether a deal of a game for four is taken where a seat is named; the form of its record is not looked at."""
    changed = json.loads(json.dumps(deal))
    NAMED[where](changed, seat)
    seats = [{"seat": seat} for seat in "NESW"]
    data = {"format": "handrec", "version": "1.1", "game": key, "players": seats, "deals": [changed]}
    record = Record.model_validate(data)
    return fast.replayed(referee._set(record, the(key), 0, record.deals[0]))


def dealt(key: str, number: int) -> dict[str, Any]:
    """A deal of a game for four as plain data."""
    (deal,) = deal_game(the(key), 4, 1, numbers=[number]).model_dump(mode="json", exclude_unset=True, by_alias=True)["deals"]
    found: dict[str, Any] = deal
    return found


@pytest.mark.parametrize("where", NAMED)
def test_a_stranger_is_left_to_the_referee_wherever_it_is_named(where: str) -> None:
    """And so are a dealer and a leader who are not those of the deal; any seat of the table may be named elsewhere."""
    deal, named = dealt("kbabs", 13), (*"NESW", "X")
    assert {seat for seat in named if in_order("kbabs", deal, where, seat)} == TRUE.get(where, {*"NESW"})


def test_a_board_that_was_passed_out_is_taken_if_nobody_is_said_to_lead() -> None:
    """Nobody plays to it; whoever is said to have led, or is a stranger and said to have won, is the referee's to tell."""
    board = dealt("bridge", 1)
    board |= {"events": [{"do": "bid", "by": seat, "bid": "pass"} for seat in "NESW"], "claimed": {"winners": []}}
    assert board.pop("leader", "E") == "E"
    for where in ("tricks", "scores", "winners"):
        assert [in_order("bridge", board, where, seat) for seat in ("N", "X")] == [True, False], where
    assert [in_order("bridge", board, "side", side) for side in ("NS", "NX")] == [True, False]
    assert [in_order("bridge", board, "leader", seat) for seat in ("E", "N", "X")] == [False] * 3
    for card in ("??", board["hands"]["E"][0]):
        played = board | {"events": [*board["events"], {"do": "play", "by": "E", "card": card}]}
        assert not in_order("bridge", played, "tricks", "N")


@pytest.mark.parametrize("quick", [True, False], ids=["fast", "referee"])
@pytest.mark.parametrize("game", GAMES, ids=lambda game: game.key)
def test_what_a_record_was_judged_by_is_freed_at_once(game: Game, quick: bool) -> None:
    """Tables that held each other would wait for the garbage collector, which goes through all records that there are."""
    record, judge = deal_game(game, 4 if 4 in game.players else 3, 1, numbers=[1, 2]), Judge(games.find, quick)
    assert judge.verdict(record).ok
    gc.disable()
    gc.freeze()  # what is there already need not be looked through
    try:
        judge.verdict(record)
        assert not gc.collect()
    finally:
        gc.enable()


def test_a_game_from_outside_is_taken_too() -> None:
    """A game whose file stands elsewhere, with phases and rules of its own, needs no word here."""
    record = deal_game(toy_whist.GAME, 4, 1, numbers=[1, 2])
    quick = Judge(lambda key: toy_whist.GAME, failed=raised)
    many: list[bool] = []
    assert check(record, quick.find, lambda table: many.append(fast.replayed(table)) or many[-1]) == check(record, quick.find)
    assert many == [True, True]


def test_a_seat_that_no_player_has_is_left_to_the_referee() -> None:
    """And so is a game whose rules cannot be written down."""
    bastard = find("bastard")
    assert bastard is not None
    record = deal_game(bastard, 3, 1, numbers=[1], options={"nuisance": True})
    assert taken(record) == 0
    odd = replace(rulebook.FOLLOW_SUIT, narrow=lambda view, legal: legal & view.led or legal)
    bridge = find("bridge")
    assert bridge is not None
    assert fast.plan_of(replace(bridge, rules=(odd,)), ("N", "E", "S", "W")) is None


def test_the_loop_is_the_one_that_is_tried(loop: str) -> None:
    """All games are taken by the loop in C where it was built; but for those whose cards are too many for a word."""
    for game in variants():
        if not game.extras:
            seats = tuple(map(str, range(max(game.players))))
            known = fast.plan_of(game, seats)
            assert known is not None
            assert isinstance(known.loop, in_c.InC) == (loop == "c" and len(known.pack) <= 64), game


# --- rules written down ---------------------------------------------------------------------------------------------


def variants() -> Iterator[Game]:
    """Every game under every value of each of its options."""
    for game in games.catalogue():
        values = [(option, value) for option in game.options for value in option.values if value != option.default]
        for options in [{}, *({option.key: value} for option, value in values)]:
            composed, problems = compose(game, options)
            if not problems:
                yield composed


def seen(rng: Random, leading: bool) -> dict[str, Any]:
    """What a play rule might see: any masks at all."""
    suits = [0x1FFF << 13 * suit for suit in range(4)]
    view = {"hand": rng.getrandbits(54) & rng.getrandbits(54), "trumps": rng.choice([0, rng.choice(suits), 3 << 52])}
    view |= {"lead": 0, "led": 0, "rising": 0} if leading else {"lead": 1 << rng.randrange(54), "led": rng.choice(suits)}
    view |= {} if leading else {"rising": rng.getrandbits(54)}
    return view | {"leading": leading, "broken": rng.random() < 0.5, "first": rng.random() < 0.2}


@pytest.mark.parametrize("leading", [True, False])
def test_a_program_leaves_what_the_rules_leave(leading: bool) -> None:
    """Of all rules of all games under all options, on random masks; few programs are all there are."""
    rng, programs, many = Random(3), set(), 0
    for game in variants():
        *lines, result = Program(game.play_rules, leading).python()
        many += 1
        programs.add((*lines, result))
        source = "\n".join(["def legal(hand, lead, led, rising, trumps, leading, broken, first):", *lines, f"return {result}"])
        space: dict[str, Any] = {}
        exec(source.replace("\n", "\n    "), space)
        for _ in range(40):
            view = seen(rng, leading)
            legal = view["hand"]
            for rule in game.play_rules:
                assert rule.narrow is not None
                legal = rule.narrow(SimpleNamespace(**view), legal)
            assert space["legal"](**{name: int(value) for name, value in view.items()}) == legal, (game.key, game.settings, view)
    assert many >= 70
    assert 1 < len(programs) < 8


def test_the_rules_in_c_are_up_to_date(request: pytest.FixtureRequest) -> None:
    """`rules.h` is what the rules of today write down; `--update` makes it so."""
    due, path = "".join(f"{line}\n" for line in in_c.header(games.catalogue())), ROOT / "handrec/fast/rules.h"
    if request.config.getoption("--update"):
        path.write_text(due, "ascii")
    assert path.read_text("ascii") == due


@pytest.mark.parametrize("wrong", [0, 3, 7, 12, 14, 15])
def test_the_loop_in_c_refuses_what_does_not_go_together(wrong: int, loop: str) -> None:
    """Places out of range, tables that are too small, no tuple where one is due: an error, never a wrong word of memory."""
    if loop == "python":
        return
    bridge = find("bridge")
    assert bridge is not None
    known = fast.plan_of(bridge, ("N", "E", "S", "W"))
    assert known is not None
    assert isinstance(known.loop, in_c.InC)
    turns = [tuple((first + step) % 4 for step in range(4)) for first in range(4)]
    right: list[Any] = [
        bytes(104),
        0,
        1,
        13,
        0,
        0,
        [0] * 4,
        turns,
        bytes(832),
        0,
        [0] * 4,
        [],
        0,
        1,
        known.loop.pairs,
        ("N", "E", "S", "W"),
        PlayedTrick,
    ]
    assert in_c._tricks.take(*right) == (0, 1, 0, 0)
    odd: dict[int, Any] = {0: "text", 3: "13", 7: [(9, 9, 9, 9)] * 3, 12: 99, 14: (), 15: ("N",)}
    given = [odd[wrong] if place == wrong else each for place, each in enumerate(right)]
    with pytest.raises((ValueError, TypeError, OverflowError)):
        in_c._tricks.take(*given)


# --- failures -------------------------------------------------------------------------------------------------------


@pytest.fixture
def broken_path(monkeypatch: pytest.MonkeyPatch) -> None:
    """A fast path that fails."""

    def fail(*given: object) -> bool:
        raise ZeroDivisionError("planted")

    monkeypatch.setattr(fast, "replayed", fail)


@pytest.mark.usefixtures("broken_path")
def test_a_failure_changes_no_verdict_and_is_told() -> None:
    """To Python programs by a warning."""
    record = api.load(CLEAN[0])
    with pytest.warns(RuntimeWarning, match="the fast path failed"):
        assert api.check(record) == check(record, find)


@pytest.mark.usefixtures("broken_path")
def test_a_failure_is_told_once_by_the_command(capsys: pytest.CaptureFixture[str]) -> None:
    """In text and in machine formats, once, and counted at the end; nothing else changes."""
    tries = sum(len(api.load(path).deals) for path in CLEAN[:3])
    for how in ("text", "json", "jsonl", "sarif"):
        assert run(["check", "-v", "-f", how, *map(str, CLEAN[:3])]) == 0
        shown = capsys.readouterr()
        assert shown.out.lower().count("a fast way of judging failed") == 1
        assert f"failed {tries} times (fast path: ZeroDivisionError)" in shown.err


@pytest.mark.usefixtures("broken_path")
def test_an_audit_tells_of_a_failure(tmp_path: Path) -> None:
    """In text, in JSON and in the database; the numbers are the same."""
    store, many = Store(), 0
    for path in CLEAN[:3]:
        store.add(judge(Chunk(0, (Piece(str(path), 1, "json", path.read_bytes()),))))
        many += len(api.load(path).deals)
    store.finish()
    told = store.audit(None, 10)
    assert f"failed {many} times (fast path: ZeroDivisionError); the referee judged instead" in "".join(audit.text(told))
    assert json.loads("".join(audit.data(told)))["failures"] == {"fast path: ZeroDivisionError": many}
    assert told.totals["faulty"] == 0
    store.keep(tmp_path / "a.sqlite")
    store.close()
    with closing(sqlite3.connect(tmp_path / "a.sqlite")) as base:
        assert base.execute("SELECT * FROM failures").fetchall() == [("fast path: ZeroDivisionError", many)]


@pytest.mark.long
@pytest.mark.parametrize(
    ("game", "code"), [pair for pair in FAULTS if pair[1] not in WHOLE], ids=lambda each: getattr(each, "key", each)
)
def test_the_fast_path_leaves_every_fault_as_it_is(game: Game, code: str) -> None:
    """On records with one fault of the catalogue."""
    for seed in range(1):
        try:
            judged(deal_game(game, max(3, min(game.players)), seed, inject=code, numbers=[1, 2]))
        except CannotDeal:
            continue
