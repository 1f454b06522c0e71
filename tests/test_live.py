"""The table while the game is played: the same referee, asked earlier.

What is compared with what: a game fed event by event with `check` of the whole; what `legal` lists with what `apply` takes, of
all that can be written; a refusal with what the referee finds in the record in which it happened all the same; what a seat sees
at two tables that differ only in cards it does not see.
"""

from __future__ import annotations

import json
from collections.abc import Hashable, Iterable, Iterator
from functools import cache
from itertools import islice
from pathlib import Path
from random import Random
from typing import Any
from weakref import ref

import pytest

import handrec
from handrec import games
from handrec.dealing import CannotDeal, deal_game
from handrec.findings import Finding
from handrec.game import compose
from handrec.judging import Judge
from handrec.live import Applied, BadSnapshot, LiveTable, Refused
from handrec.live.reading import form_of
from handrec.live.tables import LATER, CannotPlay
from handrec.phases.open_bids import OpenBids
from handrec.record import Announce, Bid, Play, Record, Turn
from tests import toy_whist
from tests.dealing import some_deals, the

FIXTURES = Path(__file__).parents[1] / "fixtures"
CLEAN = sorted((FIXTURES / "clean").glob("*.json"))
BROKEN = sorted(path for path in (FIXTURES / "broken").glob("*/*.json") if path.parent.name != "form")
GAMES = games.names()
JUDGE = Judge(games.find)


def begun(record: Record) -> LiveTable:
    """A table for the players of a record."""
    players = [player.model_dump(exclude_none=True) for player in record.players]
    status = "excerpt" if record.status == "excerpt" else None
    return handrec.table(record.game, players, record.options, id=record.id, status=status)


def beginnings(record: Record) -> Iterator[tuple[dict[str, Any], list[Any]]]:
    """How each deal of a record begins, and what happens in it."""
    for deal in record.deals:
        yield {"do": "deal", **form_of(deal), "status": deal.status}, list(deal.events)


def fed(record: Record, forced: bool = False) -> LiveTable:
    """A table at which all of a record has happened, by force where it must be and may be."""
    table = begun(record)
    for beginning, events in beginnings(record):
        for event in (beginning, *events):
            answer = table.apply(event)
            if forced and not answer.ok:
                answer = table.force(event)
            assert answer.ok, (record.id, answer)
    told = json.loads(handrec.dumps(record))
    answer = table.end(
        **{name: told[name] for name in ("claimed", "comments", "provenance", "extensions", "status") if name in told}
    )
    assert answer.ok, answer
    return table


@cache
def dealt(key: str, seed: int, many: int = 2) -> Record:
    """Some deals of a game under options by chance."""
    game, rng = games.find(key), Random(seed)
    assert game is not None
    options = {option.key: rng.choice(option.values) for option in game.options if option.values and rng.random() < 0.3}
    if compose(game, options)[1]:
        options = {}
    players = rng.choice([count for count in game.players if 2 <= count <= 6])
    try:
        return deal_game(game, players, seed, options=options, numbers=some_deals(game, players, options, rng, many))
    except CannotDeal:
        return deal_game(game, players, seed, numbers=some_deals(game, players, {}, rng, many))


# --- the same referee ---


@pytest.mark.some(14)
@pytest.mark.parametrize("path", CLEAN, ids=lambda path: path.name)
def test_a_clean_record_is_taken_event_by_event(path: Path) -> None:
    """Nothing is refused, and the record and its verdict are those of the whole."""
    record = handrec.load(path)
    table = fed(record)
    assert table.record == record
    assert table.verdict == handrec.check(record)


@pytest.mark.some(20)
@pytest.mark.parametrize("path", BROKEN, ids=lambda path: path.name)
def test_what_happened_anyway_is_judged_as_in_the_record(path: Path) -> None:
    """Whatever is wrong with a record, it can be taken down by force; only a table that cannot be laid is refused."""
    record = handrec.load(path)
    verdict = handrec.check(record)
    told = [finding.message for finding in verdict.findings if finding.code in ("DEA004", "FMT012")]
    if told:
        with pytest.raises((CannotPlay, AssertionError)):
            fed(record, forced=True)
    else:
        assert fed(record, forced=True).verdict == verdict


def universe(table: LiveTable) -> list[Any]:
    """All that can be written of the kinds that must wait for their turn: cards, bids up to the hand and one more, words."""
    at, kinds = table.playing, table.game.phase_of
    assert at is not None
    besides, seats = set(table.legal().besides), at.seats[: at.count]
    found: list[Any] = [Play(by=seat, card=card) for seat in at.seats for card in at.pack.cards]
    if "turn" in kinds:
        found += [Turn(card=card) for card in at.pack.cards]
    if "bid" in kinds:
        words = dict.fromkeys([*kinds["bid"].sayable(at), *range(at.size + 2)])
        found += [Bid(by=seat, bid=word) for seat in seats for word in words]
        if isinstance(kinds["bid"], OpenBids):
            found += [Bid(by=seat, bid=word, blind=True) for seat in seats for word in words]
    for kind in kinds:
        what = kind.partition("announce:")[2]
        if what and kind not in besides:
            found += [Announce(by=seat, what=what) for seat in seats]
            if what == "guess":
                found += [Announce(by=seat, what=what, card=card) for seat in seats for card in at.pack.cards]
    return found


def positions(key: str, seed: int, share: float) -> Iterator[tuple[LiveTable, Random]]:
    """A table at some moments of a game that is dealt: of one deal or of two."""
    record, rng = dealt(key, seed, 1 + seed % 2), Random(seed)
    table = begun(record)
    for beginning, events in beginnings(record):
        assert table.apply({name: value for name, value in beginning.items() if name not in LATER}).ok
        for event in events:
            if rng.random() < share:
                yield table, rng
            assert event in table.legal().events or event.do not in ("bid", "play", "turn")
            assert table.apply(event).ok
        if rng.random() < share:
            yield table, rng


def looked_up(event: Any) -> Hashable:
    """An event as what can be looked up: there are thousands of calls, and to compare models takes long."""
    return event.do, *map(str, vars(event).values())


def legal_is_what_is_taken(some: Iterable[tuple[LiveTable, Random]], undue: float = 1) -> tuple[int, int]:
    """At some moments of a game all that can be written is tried, of the kinds that are not due a share: moments, and tries."""
    moments = tried = 0
    for table, rng in some:
        legal, before = {*map(looked_up, table.legal().events)}, table.snapshot()
        due = {event.do for event in table.legal().events}
        moments += 1
        for event in universe(table):
            if event.do not in due and rng.random() >= undue:
                continue
            taken = table.apply(event)
            assert taken.ok == (looked_up(event) in legal), (table.record.game, table.record.id, event, taken)
            if taken.ok:
                assert table.undo() == event
            tried += 1
        assert table.snapshot() == before
    return moments, tried


@pytest.mark.parametrize(
    ("options", "bids"),
    [
        ({}, [Bid(by="P2", bid=11, blind=True)]),
        ({"blind_raise": "forbidden"}, [Bid(by="P2", bid=11, blind=True)]),
        ({"bid_order": "free"}, [Bid(by="P1", bid=4)]),
        ({"bid_order": "free", "bemo_mode": "standalone"}, []),
    ],
)
def test_bids_out_of_the_ordinary_are_listed(options: dict[str, Any], bids: list[Bid]) -> None:
    """Blind ones that are raised and stay blind, and all there are where nobody waits for a turn."""
    table, hands = handrec.table("spades3", 3, options, status="excerpt"), next(beginnings(dealt("spades3", 1)))[0]["hands"]
    for event in ({"do": "deal", "number": 1, "dealer": "P1", "cards": 13, "hands": hands}, *bids):
        assert table.apply(event).ok
    legal = table.legal()
    for event in universe(table):
        if event.do != "play":
            assert table.apply(event).ok == (event in legal.events), event
            while table.deal is not None and len(table.deal.events) > len(bids):
                table.undo()


@pytest.mark.some(2)
@pytest.mark.parametrize("key", GAMES)
def test_legal_is_what_is_taken(key: str) -> None:
    """What is listed as legal is taken, and nothing else, and a refusal leaves the table as it was.

    Always so of the first thing that happens in a deal: what is wrong then may look like what is only not on record.
    """
    assert legal_is_what_is_taken(islice(positions(key, 0, 1), 1))[1] > 10
    assert sum(legal_is_what_is_taken(positions(key, seed, 0.012))[1] for seed in range(2)) > 100


@pytest.mark.parametrize(("seat", "many"), [("S", 0), ("W", 0), ("N", 1)])
def test_a_pass_out_of_turn_is_no_board_that_was_passed_out(seat: str, many: int) -> None:
    """BR-17: at the table nobody has passed unseen."""
    table = handrec.table("bridge", 4)
    assert table.apply({"do": "deal", "dealer": "N"}).ok
    assert all(table.apply({"do": "bid", "by": by, "bid": "pass"}).ok for by in "N"[:many])
    refused = table.apply({"do": "bid", "by": seat, "bid": "pass"})
    assert isinstance(refused, Refused)
    assert refused.code == "BID001"
    assert table.force({"do": "bid", "by": seat, "bid": "pass"}).ok
    assert [finding.code for finding in JUDGE.verdict(table.record).findings] == ["BID001"]
    assert table.legal().turn


@pytest.mark.long
@pytest.mark.parametrize("first", range(1000, 1100, 50))
@pytest.mark.parametrize("key", GAMES)
def test_legal_is_what_is_taken_in_many_games(key: str, first: int) -> None:
    """The same at every moment of a hundred games, fifty at a time: of cards while bids are due, and the like, one in eight."""
    counts = [legal_is_what_is_taken(positions(key, seed, 1), 1 / 8) for seed in range(first, first + 50)]
    moments, tried = (sum(each) for each in zip(*counts, strict=True))
    print(f"{key}: {moments} moments, {tried} tries")
    assert tried > 10_000


def kinds(events: Iterable[Any]) -> set[str]:
    """What happens in some events, as `Legal.besides` has it."""
    return {event.do if event.do != "announce" else f"announce:{event.what}" for event in events}


def refusals_are_findings(key: str, seed: int, share: float, many: int) -> int:
    """Refusals at some moments of a game, each the same as a finding of the referee: how many."""
    refused = 0
    for table, rng in positions(key, seed, share):
        for event in rng.sample(universe(table), many):
            answer = table.apply(event)
            if answer.ok:
                table.undo()
                continue
            assert isinstance(answer, Refused)
            refused += 1
            assert table.force(event).ok
            found = [(finding.code, finding.rule) for finding in JUDGE.verdict(table.record).findings]
            table.undo()
            if answer.code == "LIV001":  # nothing of the kind that is due has happened: a record may not have it
                assert table.deal is not None
                due = kinds(answer.legal.events) - {*answer.legal.besides}
                if any(other.do == "announce" and other.card is None for other in answer.legal.events):
                    due -= {"announce:guess"}  # who is not said to have guessed has let it be
                assert not due & kinds(table.deal.events), (key, seed, event)
            else:
                assert (answer.code, answer.rule) in found, (key, seed, event, answer.message)
    return refused


@pytest.mark.parametrize("key", GAMES)
def test_nothing_is_wrong_while_a_game_is_played(key: str) -> None:
    """What is still to come is not missing: at any moment the record of a legal game is clean."""
    for table, _ in positions(key, 1, 0.3):
        assert JUDGE.verdict(table.record).findings == (), (key, table.deal)


@pytest.mark.some(5)
@pytest.mark.parametrize("key", GAMES)
def test_a_refusal_names_what_the_referee_finds(key: str) -> None:
    """In the record in which it happened all the same."""
    assert sum(refusals_are_findings(key, seed, 0.03, 25) for seed in range(2)) > 20


@pytest.mark.long
@pytest.mark.parametrize("key", GAMES)
def test_a_refusal_names_what_the_referee_finds_in_many_games(key: str) -> None:
    """The same at every moment of two hundred games."""
    refused = sum(refusals_are_findings(key, seed, 1, 10) for seed in range(1000, 1200))
    print(f"{key}: {refused} refusals")
    assert refused > 1000


def again(table: LiveTable) -> Any:
    """A card of the last trick's leader that it played before, and it is not its turn."""
    at = table.playing
    plays = at.plays[1] if at is not None else []
    last = at is not None and at.state is not None and at.state.number == at.size and len(at.state.plays) == 1
    return next(play for play in plays if play.by == plays[-1].by) if last else None


def of_the_row(deep: bool) -> Any:
    """When a card of the row is to be played: the last one that lies there, or one that was played before."""

    def event(table: LiveTable) -> Any:
        own = [each.card for each in table.legal().events if each.by == "bastard"]
        played = [play.card for play in table.playing.plays[1] if play.by == "bastard"] if table.playing is not None else []
        row = (table.deal.aside or {})["stack"] if table.deal is not None else []
        return Play(by="bastard", card=row[-1] if deep else played[0]) if own and played and own[0] != row[-1] else None

    return event


def turned_below(table: LiveTable) -> Any:
    """When the first of several cards is to be turned: the one below it."""
    lying = (table.deal.aside or {}).get("widow", []) if table.deal is not None else []
    due = [event.card for event in table.legal().events if event.do == "turn"]
    return Turn(card=lying[1]) if due and due == lying[:1] else None


@pytest.mark.parametrize(
    ("key", "seed", "made", "code"),
    [
        ("bastard", 1030, turned_below, "DEA007"),
        ("batarde", 1, lambda table: Announce(by=table.seats[0], what="mechoune"), "BID012"),
        ("hearts", 1, again, "PLY002"),
        ("bastard", 0, of_the_row(False), "DEA007"),
        ("bastard", 0, of_the_row(True), "DEA007"),
    ],
    ids=["below", "word", "again", "row-again", "row-deep"],
)
def test_what_happened_last_is_judged_as_at_the_table(key: str, seed: int, made: Any, code: str) -> None:
    """What comes too early, and what is wrong in two ways, is refused as `check` tells it of the record."""
    table, event = next((table, event) for table, _ in positions(key, seed, 1) if (event := made(table)) is not None)
    refused = table.apply(event)
    assert isinstance(refused, Refused)
    assert table.force(event).ok
    assert {refused.code} == {finding.code for finding in JUDGE.verdict(table.record).findings if finding.level != "L6"} == {code}


def test_what_may_come_is_found_once_for_whoever_holds_it() -> None:
    """And is kept by no table: in hearts, what may be passed on is a megabyte."""
    table, _ = next(positions("hearts", 1, 1))
    held = table.legal()
    assert table.legal() is held
    assert not table.apply({"do": "play", "by": "N", "card": "2C"}).ok
    assert table.legal() is held
    gone = ref(held)
    assert table.apply(held.events[0]).ok
    assert table.legal() is not held
    del held
    assert gone() is None


# --- what is taken back, kept, and taken up again ---


@pytest.mark.some(3)
@pytest.mark.parametrize("key", GAMES)
def test_events_are_taken_back_one_by_one(key: str) -> None:
    """Back to the beginning, and the table is at each moment as it was on the way there."""
    record = dealt(key, 3)
    table, states = begun(record), []
    for beginning, events in beginnings(record):
        for event in (beginning, *events):
            states.append(table.snapshot())
            assert table.apply(event).ok
    for number, before in enumerate(reversed(states)):
        assert table.undo() is not None
        assert table.snapshot() == before
        if number % 20 == 0 and table.deal is not None:
            assert table.legal() == handrec.resume(before).legal()
    assert table.undo() is None


@pytest.mark.parametrize("key", GAMES)
def test_a_table_is_taken_up_again(key: str) -> None:
    """From a snapshot at any moment, all goes on as it would have."""
    record, rng = dealt(key, 5), Random(5)
    table = begun(record)
    for beginning, events in beginnings(record):
        for event in (beginning, *events):
            if rng.random() < 0.1:
                other = handrec.resume(table.snapshot())
                assert (other.record, other.legal(), other.results) == (table.record, table.legal(), table.results)
                table = other
            assert table.apply(event).ok
    assert table.end(status=record.status).ok
    again = handrec.resume(table.snapshot())
    assert again.legal() == table.legal()
    assert again.verdict == table.verdict


def test_a_card_that_is_turned_later_is_not_turned_when_a_table_is_taken_up_again() -> None:
    """Where the first one is due after the first trick."""
    for table, _ in positions("bastard", 1123, 1):
        assert handrec.resume(table.snapshot()).legal() == table.legal(), table.deal


@pytest.mark.parametrize(
    "data",
    [
        b"",
        b"[]",
        b"\xff",
        b"[" * 100_000,
        b'{"format": "handrec-table"}',
        b'{"format": "handrec-table", "version": "2", "record": {}}',
        b'{"format": "handrec-table", "version": "1", "record": {"format": "handrec"}}',
        b'{"format": "handrec-table", "version": "1", "record": {"format": "handrec", "version": "1.0", "game": "chess", '
        b'"players": [{"seat": "N"}], "deals": []}}',
    ],
)
def test_no_snapshot(data: bytes) -> None:
    """Whatever is no snapshot is told to be none."""
    with pytest.raises(BadSnapshot):
        handrec.resume(data)


# --- what a seat sees ---


def two_tables(key: str, seed: int) -> tuple[LiveTable, LiveTable, list[Any], str] | None:
    """Two tables that differ in two cards which a seat does not see before the end of some events; those; and the seat."""
    record, rng = dealt(key, seed, 1), Random(seed)
    beginning, events = next(beginnings(record))
    watcher = rng.choice(record.players).seat
    many = rng.randrange(len(events) + 1)
    shown = {getattr(event, "card", None) for event in events[:many]}
    hands = {**beginning["hands"], **beginning.get("aside", {})}
    hidden = [(name, card) for name, cards in hands.items() for card in cards if name != watcher and card not in shown]
    if len({name for name, _ in hidden}) < 2:
        return None
    (one, first), (other, second) = rng.sample(hidden, 2)
    if one == other:
        return None
    changed = json.loads(json.dumps(beginning))
    for name, card, instead in ((one, first, second), (other, second, first)):
        place = changed["hands"] if name in changed["hands"] else changed["aside"]
        place[name] = [instead if held == card else held for held in place[name]]
    left, right = begun(record), begun(record)
    left.apply(beginning)
    if not right.apply(changed).ok:
        return None
    return left, right, events[:many], watcher


def nothing_leaks(key: str, seed: int) -> bool:
    """Whether there was something to compare, which was the same."""
    tables = two_tables(key, seed)
    if tables is None:
        return False
    left, right, events, watcher = tables
    for event in events:
        assert left.as_seat(watcher) == right.as_seat(watcher), (key, seed, event)
        answers = left.apply(event), right.apply(event)
        if not answers[1].ok:
            return False  # what another played shows that it is another deal
        if left.as_seat(watcher).open != right.as_seat(watcher).open:
            return False  # a hand lies open in which the tables differ
    assert left.as_seat(watcher) == right.as_seat(watcher), (key, seed)
    own = [event for event in universe(left) if getattr(event, "by", None) == watcher]
    for event in Random(seed).sample(own, min(len(own), 30)):
        first, second = left.apply(event), right.apply(event)
        assert first.ok == second.ok, (key, seed, event, first, second)
        for table, answer in ((left, first), (right, second)):
            if answer.ok:
                table.undo()
    return True


@pytest.mark.some(2)
@pytest.mark.parametrize("key", GAMES)
def test_a_seat_sees_nothing_that_is_hidden(key: str) -> None:
    """Two deals that differ in cards a seat does not see look the same to it, and answer it alike."""
    assert sum(nothing_leaks(key, seed) for seed in range(12)) >= 1


@pytest.mark.long
@pytest.mark.parametrize("key", GAMES)
def test_a_seat_sees_nothing_that_is_hidden_in_many_games(key: str) -> None:
    """The same in a thousand."""
    compared = sum(nothing_leaks(key, seed) for seed in range(1000, 2000))
    print(f"{key}: {compared} pairs")
    assert compared > 50


def test_who_leads_by_a_card_that_nobody_has_seen() -> None:
    """In hearts only its holder knows whose lead it is, until the card is led; whose turn it is to pass cards all know."""
    record = dealt("hearts", 1, 1)
    (beginning, events), table = next(beginnings(record)), begun(record)
    assert table.apply(beginning).ok
    seen = []
    for event in events[:6]:
        turn = table.legal().turn
        seen.append({seat: table.as_seat(seat).turn == turn for seat in table.seats})
        assert all(table.as_seat(seat).turn == turn for seat in turn)
        assert table.apply(event).ok
    lead = next(place for place, event in enumerate(events) if event.do == "play")
    assert lead > 0
    assert seen[lead] == {seat: seat == events[lead].by for seat in table.seats}
    assert all(all(each.values()) for place, each in enumerate(seen) if place != lead)


def test_secret_bids_and_the_dummy() -> None:
    """A secret bid shows that it was made; a dummy lies open from the first lead on, and its partner plays it."""
    record = dealt("bugami", 1, 1)
    beginning, events = next(beginnings(record))
    table = begun(record)
    table.apply(beginning)
    table.apply(events[0])
    other = next(seat for seat in table.seats if seat != events[0].by)
    assert table.as_seat(other).events == ({"do": "bid", "by": events[0].by},)
    assert table.as_seat(events[0].by).events[0]["bid"] == events[0].bid

    record = handrec.load(FIXTURES / "clean" / "bridge-4-deals.handrec.json")
    beginning, events = next(beginnings(record))
    table = begun(record)
    table.apply(beginning)
    for event in events:
        at = table.playing
        pair = None if at is None else table.game.proxy(at)
        if event.do == "play" and pair is not None:
            declarer, dummy = (table.seats[place] for place in pair)
            lies = table.as_seat(events[1].by).open
            assert set(lies) == ({dummy} if at is not None and at.state is not None and at.tricks else set(lies))
            if table.legal().turn == (dummy,) and lies:
                assert not table.as_seat(dummy).legal.events
                assert {card.card for card in table.as_seat(declarer).legal.events} == set(table.legal().cards)
        assert table.apply(event).ok


# --- unknown hands ---


def test_where_no_hand_is_known() -> None:
    """Of no card it can be told that it is legal; a revoke comes to light when the suit is played later."""
    table = handrec.table("kbabs", 2, status="excerpt")
    assert table.apply({"do": "deal", "number": 26, "dealer": "P2", "cards": 2}).ok
    for event in (
        {"do": "turn", "card": "4C"},
        {"do": "bid", "by": "P1", "bid": 1},
        {"do": "bid", "by": "P2", "bid": 0},
        {"do": "play", "by": "P1", "card": "7H"},
    ):
        assert table.apply(event).ok
    legal = table.legal()
    assert legal.turn == ("P2",)
    assert not legal.events
    assert {event.card for event in legal.untold} == set(table.game.pack(2).cards) - {"4C", "7H"}
    answer = table.apply({"do": "play", "by": "P2", "card": "9S"})
    assert isinstance(answer, Applied)
    assert answer.trick is not None
    assert (answer.trick.winner, answer.findings) == ("P1", ())
    assert table.apply({"do": "play", "by": "P1", "card": "2D"}).ok
    shown = table.apply({"do": "play", "by": "P2", "card": "KH"})
    assert isinstance(shown, Applied)
    assert [finding.code for finding in shown.findings] == ["REV001"]
    assert shown.findings[0].message == "P2 played 9S on a lead of 7H while holding KH"
    assert shown.deal_over


# --- wrong input ---


@pytest.mark.parametrize(
    ("event", "code"),
    [
        ({}, "FMT007"),
        ({"do": "dance"}, "FMT007"),
        ({"do": "play", "by": "P1"}, "FMT007"),
        ({"do": "play", "by": "P1", "card": 7}, "FMT007"),
        ({"do": "play", "by": "P9", "card": "7H"}, "FMT012"),
        ({"do": "play", "by": "P1", "card": "ZZ"}, "PLY004"),
        ({"do": "announce", "by": "P1", "what": "dance"}, "PLY007"),
        ({"do": "deal", "dealer": "P9"}, "FMT012"),
        ({"do": "deal", "cards": 1, "number": 27, "dealer": "P2"}, "PLY005"),
        ({"do": "deal", "events": [{"do": "turn", "card": "4C"}]}, "FMT007"),
        ("play", "FMT007"),
        (None, "FMT007"),
    ],
)
def test_what_cannot_be_taken(event: Any, code: str) -> None:
    """It is refused with a code and a place, and the table is as it was."""
    table = handrec.table("kbabs", 2, status="excerpt")
    hands = {"P1": ["7H", "2D"], "P2": ["9S", "KH"]}
    assert table.apply({"do": "deal", "number": 26, "dealer": "P1", "cards": 2, "hands": hands}).ok
    for each in ({"do": "turn", "card": "4C"}, {"do": "bid", "by": "P2", "bid": 1}, {"do": "bid", "by": "P1", "bid": 0}):
        assert table.apply(each).ok
    before = table.snapshot()
    answer = table.apply(event)
    assert isinstance(answer, Refused)
    assert answer.code == code
    assert isinstance(answer.findings[0], Finding)
    assert json.loads(json.dumps(answer.plain()))["code"] == code
    assert table.snapshot() == before


def test_a_deal_after_the_last_is_refused() -> None:
    """It is told how many there are, and which one it would be."""
    record = deal_game(the("whist"), 4, 0)
    table = begun(record)
    for beginning, events in beginnings(record):
        for event in (beginning, *events):
            assert table.apply(event).ok
    assert table.over
    answer = table.apply(beginning)
    assert isinstance(answer, Refused)
    (beyond,) = [finding for finding in answer.findings if finding.code == "SCO005"]
    assert (beyond.facts["found"], beyond.facts["due"]) == (len(record.deals) + 1, len(record.deals))


def test_no_such_table() -> None:
    """Said in words: no such game, no such option, too many players."""
    for arguments, words in (
        (("chess", 2), "no game chess is known"),
        (("kbabs", 2, {"laddr": "up"}), "no option laddr"),
        (("spades3", 4), "4 players"),
        (("kbabs", [{"seat": "N"}, {"seat": "N"}]), "stands twice"),
    ):
        with pytest.raises(CannotPlay, match=words):
            handrec.table(*arguments)  # type: ignore[arg-type]


def test_a_ruling_at_the_table() -> None:
    """What would be said of a revoke now is what is said of it in the record."""
    record = handrec.load(FIXTURES / "broken" / "bridge" / "BR-44C-REV001.handrec.json")
    table = fed(record, forced=True)
    assert [each.verdict for each in table.ruling()]
    assert [each.shown for each in table.ruling("E@1")]


def test_a_game_that_nobody_offers_by_name_is_judged() -> None:
    """An author may lay a table of a game before it is installed."""
    table = handrec.table(toy_whist.GAME, 4, status="excerpt")
    assert table.apply({"do": "deal", "dealer": "N"}).ok
    assert table.verdict.findings == ()
    assert [finding.code for finding in handrec.check(table.record).findings] == ["FMT008"]
    assert table.ruling() == ()
