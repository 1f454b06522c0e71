"""Cards that go to another hand or a kitty, cards that are shown, boards and sides: through every surface of a record."""

from __future__ import annotations

import json
from collections.abc import Callable
from functools import cache
from random import Random
from typing import Any

import pytest
from test_archive import packed, readings

from handrec import explanations, formats, games, referee, writing
from handrec.convert import written
from handrec.dealing import deal_game
from handrec.diff import compare
from handrec.digests import digests, names
from handrec.game import Game
from handrec.judging import Judge
from handrec.record import KINDS, Exchange, Record
from handrec.report.events import in_words
from handrec.report.story import story
from handrec.sides import seats_of, side_of
from handrec.view import ShownRecord, page, page_data
from handrec.view.anonymous import anonymous
from tests import toy_hearts, toy_kitty
from tests.test_fast import raised

Data = dict[str, Any]
pytestmark = pytest.mark.usefixtures("toys")
TOYS = {game.key: game for game in (toy_hearts.GAME, toy_kitty.GAME)}


@cache
def dealt(key: str = "toykitty") -> Record:
    """Two deals, not to be changed."""
    game: Game = TOYS[key]
    return deal_game(game, game.players[0], 1, numbers=[1, 2])


def altered(change: Callable[[Data], object], key: str = "toykitty") -> Record:
    """Such a record with something changed in its first deal."""
    data = writing.plain(dealt(key))
    change(data["deals"][0])
    return Record.model_validate(data)


def boards(**more: Any) -> Record:
    """A deal of bridge that is a board, with what was written down of a side."""
    game = games.find("bridge")
    assert game is not None
    data = writing.plain(deal_game(game, 4, 1, numbers=[3])) | {"version": "1.1"}
    data["deals"][0] |= {"board": 3, "vulnerable": "EW"}
    data["deals"][0].setdefault("claimed", {})["sides"] = {"NS": {"tricks": 9, "score": -100, "imps": "-2.5"}}
    data["deals"][0] |= more
    return Record.model_validate(data)


def codes(record: Record) -> list[tuple[str, str]]:
    return [(finding.code, finding.pointer) for finding in referee.check(record, games.find).findings]


# --- the referee ---


def test_a_kitty_is_played_from_the_hand_that_took_it() -> None:
    record = dealt()
    took, laid = record.deals[0].events[:2]
    assert isinstance(took, Exchange)
    assert isinstance(laid, Exchange)
    assert (took.by, took.of, laid.by, laid.into) == (laid.by, "kitty", took.by, "kitty")
    played = {event.card for event in record.deals[0].events if event.do == "play" and event.by == took.by}
    hand = {*(record.deals[0].hands or {})[took.by]} | {*(took.cards or ())}
    assert played == hand - {*(laid.cards or ())}
    assert codes(record) == []


@pytest.mark.parametrize("lacking", ["hands", "aside", "hands aside"])
def test_what_was_dealt_follows_where_it_is_not_recorded(lacking: str) -> None:
    def change(deal: Data) -> None:
        for part in lacking.split():
            del deal[part]

    record = altered(change)
    assert codes(record) == []
    table, whole = (referee.replay(each, toy_kitty.GAME)[0] for each in (record, dealt()))
    assert table.dealt == whole.dealt
    assert table.hands == whole.hands != whole.dealt


def test_where_only_the_number_of_cards_is_known_nobody_is_accused() -> None:
    def change(deal: Data) -> None:
        for event in deal["events"][:2]:
            del event["cards"]
            event["count"] = 3
        del deal["aside"]

    verdict = referee.check(altered(change), games.find)
    assert [finding.code for finding in verdict.findings if finding.pointer.startswith("/deals/0")] == []
    assert any("not all recorded" in reason for level in verdict.levels for reason in level.reasons)


@pytest.mark.parametrize(
    ("change", "found"),
    [
        (lambda deal: deal["events"][0]["cards"].__setitem__(0, deal["hands"]["P2"][0]), ("PLY001", "/0/cards/0")),
        (lambda deal: deal["events"][1].update(into="stock"), ("PLY020", "/1")),
        (lambda deal: deal["events"].insert(0, {"do": "exchange", "by": "P1"}), ("PLY020", "/0")),
        (lambda deal: deal["events"].insert(0, {"do": "show", "by": "P1", "cards": ["AS"]}), ("PLY007", "/0")),
    ],
)
def test_what_is_not_as_it_should_be_is_found_there(change: Callable[[Data], object], found: tuple[str, str]) -> None:
    assert (found[0], f"/deals/0/events{found[1]}") in codes(altered(change))


@pytest.mark.parametrize(
    "event", [{"do": "exchange", "by": "N", "to": "E", "cards": ["AS"]}, {"do": "show", "by": "N", "cards": []}]
)
def test_a_game_that_has_no_such_event_says_so(event: Data) -> None:
    data = writing.plain(boards())
    data["deals"][0]["events"].insert(0, event)
    assert ("PLY007", "/deals/0/events/0") in codes(Record.model_validate(data))


# --- sides ---


def test_a_side_is_called_by_its_seats_in_the_order_of_the_players() -> None:
    table = ("N", "E", "S", "W")
    assert seats_of("NS", table) == ["N", "S"]
    assert seats_of("SN", table) == ["SN"]
    assert seats_of("P1+P3", ("P1", "P2", "P3")) == ["P1", "P3"]
    assert seats_of("P1", ("P1", "P2")) == ["P1"]
    assert [side for side in ("NS", "EW", "N", "SN", "NN", "NX", "N+S", "all") if seats_of(side, table)[0] in table] == [
        "NS", "EW", "N",
    ]  # fmt: skip
    assert side_of("SN", table) == "NS"
    assert side_of(["P3", "P1"], ("P1", "P2", "P3")) == "P1+P3"


@pytest.mark.parametrize(
    ("more", "where"),
    [({"vulnerable": "NX"}, "vulnerable"), ({"claimed": {"sides": {"SN": {"tricks": 1}}}}, "claimed/sides/SN")],
)
def test_a_side_that_is_none_of_the_tables_is_named(more: Data, where: str) -> None:
    assert codes(boards(**more)) == [("FMT012", f"/deals/0/{where}")]


@pytest.mark.parametrize("side", ["none", "all", "NS"])
def test_a_side_of_the_table_is_no_fault(side: str) -> None:
    assert "FMT012" not in [code for code, _ in codes(boards(vulnerable=side))]


# --- every surface ---


def every() -> list[Record]:
    hidden = altered(lambda deal: deal["events"][1].pop("cards") and deal["events"][1].update(count=3))
    seen = altered(lambda deal: deal["events"][0].update(seen=True))
    alerted = boards(
        comments=[{"text": "", "kind": "alert", "event": 1}, {"text": "both majors", "kind": "explanation", "event": 1}]
    )
    other = boards(number=7)
    return [
        dealt(),
        dealt("toyhearts"),
        hidden,
        seen,
        boards(),
        alerted,
        other,
        boards(vulnerable="none", claimed={"trump": "S"}),
    ]


@pytest.mark.parametrize("key", ["json", "jsonl", "hrt"])
def test_formats_keep_it(key: str) -> None:
    for record in every():
        text, lost = written(record, formats.by_key(key))
        assert lost == ()
        (found,) = formats.by_key(key).read(text.encode(), f"a.{key}")
        assert (found.findings, found.record) == ((), record)


def test_an_archive_keeps_it_in_columns_and_as_text() -> None:
    assert [reading.record for reading in readings(packed(every()))] == every()


def test_digests_hang_on_who_is_vulnerable_and_not_on_the_board_or_what_seats_are_called() -> None:
    record = boards()
    assert [*names(record)] == [*names(boards(board=19))] != [*names(boards(vulnerable="none"))]
    assert [*digests(record)] == [*digests(boards(board=19))] != [*digests(boards(vulnerable="none"))]
    called = {"N": "North", "E": "East", "S": "South", "W": "West"}
    renamed = Record.model_validate(writing.renamed(writing.plain(record), called.__getitem__))
    assert renamed.deals[0].vulnerable == "East+West"
    assert [*(renamed.deals[0].claimed.sides or ())] == ["North+South"] if renamed.deals[0].claimed else False
    assert [*names(renamed)] == [*names(record)]
    assert [*digests(renamed)] == [*digests(record)]
    assert (
        Record.model_validate(writing.renamed(writing.plain(renamed), dict(zip(called.values(), called, strict=True)).get))
        == record
    )


def test_boards_and_sides_are_facts_and_comments_of_any_kind_are_none() -> None:
    one = boards(comments=[{"text": "", "kind": "alert", "event": 1}])
    for change, what in (
        ({"board": 4}, "board"),
        ({"vulnerable": "NS"}, "vulnerable"),
        ({"claimed": {"sides": {"NS": {"tricks": 9, "score": -50, "imps": "-2.5"}}}}, "claimed NS score"),
    ):
        other = boards(**{"claimed": {"sides": {"NS": {"tricks": 9, "score": -100, "imps": "-2.5"}}}, **change})
        base = boards(claimed={"sides": {"NS": {"tricks": 9, "score": -100, "imps": "-2.5"}}})
        assert [(row.what, row.note) for row in compare([base, other], games.find, facts=True).rows] == [(what, False)]
    rows = compare([one, boards()], games.find).rows
    assert [(row.what, row.note) for row in rows] == [("comment", True)]
    assert compare([one, boards()], games.find, facts=True).same


def test_sides_are_compared_by_their_seats_wherever_the_first_sits() -> None:
    record = boards()
    data = writing.plain(record)
    turned = data | {"players": data["players"][1:] + data["players"][:1]}
    turned["deals"] = [data["deals"][0] | {"claimed": data["deals"][0]["claimed"] | {"sides": {"SN": {"tricks": 9}}}}]
    turned["deals"][0]["vulnerable"] = "EW"
    mine = data | {"deals": [data["deals"][0] | {"claimed": data["deals"][0]["claimed"] | {"sides": {"NS": {"tricks": 9}}}}]}
    assert compare([*map(Record.model_validate, (mine, turned))], games.find, facts=True).same


def test_a_record_without_its_people_has_sides_of_seats_still() -> None:
    called = {"N": "Ann", "E": "Bob", "S": "Cid", "W": "Dan"}
    named = Record.model_validate(writing.renamed(writing.plain(boards()), called.__getitem__))
    bare = anonymous(named)
    assert bare.deals[0].vulnerable == "P2+P4"
    assert not [name for name in called.values() if name in writing.line(bare)]


def test_the_page_shows_a_kitty_to_its_taker_alone_unless_all_saw_it() -> None:
    for record, hides in ((dealt(), True), (every()[3], False)):
        deal = page_data([ShownRecord("a", record, referee.check(record, games.find), toy_kitty.GAME)])["records"][0]["deals"][0]
        took, laid = deal["steps"][:2]
        assert took["say"].startswith("takes from the kitty: ")
        assert laid["say"].startswith("lays into the kitty: ")
        assert ("unseen" in took, laid["unseen"]) == (hides, "lays into the kitty: 3 cards")
        assert [*took["hands"]] == [*laid["hands"]] == [took["by"]]
        hand = {*deal["hands"][took["by"]]}
        assert {*took["hands"][took["by"]]} == hand | {*took["cards"]}
        assert {*laid["hands"][took["by"]]} == (hand | {*took["cards"]}) - {*laid["cards"]}


def test_words() -> None:
    told = [
        ({"do": "exchange", "by": "N", "to": "E", "cards": ["AS", "2C"]}, "passes to E: AS 2C"),
        ({"do": "exchange", "by": "N", "into": "kitty", "count": 3}, "lays into the kitty (3 cards)"),
        ({"do": "exchange", "by": "N", "of": "widow", "seen": True, "cards": ["AS"]}, "takes from the widow: AS (seen)"),
        ({"do": "exchange", "by": "N"}, "exchange"),
        ({"do": "show", "by": "N", "what": "meld", "cards": ["KS", "QS"]}, "shows KS QS (meld)"),
        ({"do": "withdraw", "by": "N", "bid": "1H"}, "takes back 1H"),
        ({"do": "bid", "by": "N", "bid": "?"}, "bids ?"),
        ({"do": "transfer", "by": "N", "of": "E", "tricks": 1, "of_trick": 5}, "takes 1 trick from E, trick 5"),
    ]
    assert [in_words(KINDS[event["do"]].model.model_validate(event)) for event, _ in told] == [words for _, words in told]


def test_json_of_1_0_is_told_where_it_says_more() -> None:
    data = json.loads(writing.line(dealt())) | {"version": "1.0"}
    (found,) = formats.read(json.dumps(data).encode(), "a.json")
    assert [(each.code, each.pointer) for each in found.findings] == [
        ("FMT007", f"/deals/{deal}/events/{event}") for deal in (0, 1) for event in (0, 1)
    ]


def test_the_page_and_the_story_say_who_is_vulnerable_and_what_was_alerted() -> None:
    said = [
        {"text": "", "kind": "alert", "event": 1},
        {"text": "<b>both", "kind": "explanation", "event": 1},
        {"text": "x", "event": 1},
    ]
    record = boards(comments=said)
    game = games.find("bridge")
    assert game is not None
    shown = ShownRecord("a", record, referee.check(record, games.find), game)
    deal = page_data([shown])["records"][0]["deals"][0]
    assert deal["vulnerable"] == [1, 3]
    assert deal["steps"][0]["say"].endswith("; alert; explanation: <b>both")
    assert [comment["text"] for comment in deal["comments"]] == ["alert", "explanation: <b>both", "x"]
    text = page([shown])
    assert ", vulnerable E and W" in text
    assert "<b>both" not in text.split("<section>")[1]
    for who, seats in (("none", []), ("all", [0, 1, 2, 3])):
        other = boards(vulnerable=who)
        (found,) = page_data([ShownRecord("a", other, referee.check(other, games.find), game)])["records"][0]["deals"]
        assert found["vulnerable"] == seats
    assert "> explanation: " in story("a", record, referee.check(record, games.find), game)


@pytest.mark.parametrize("key", ["toykitty", "toyhearts"])
def test_whatever_is_wrong_with_an_exchange_is_explained_or_told_and_nothing_fails(key: str) -> None:
    """Slips are looked for also where cards go to no hand, or are not known: every way to judge comes to its end."""
    judge = Judge(games.find, failed=raised)
    seen = set[str]()
    for seed in range(30):
        rng = Random(seed)

        def change(deal: Data, rng: Random = rng) -> None:
            for _ in range(rng.randrange(1, 3)):
                event = rng.choice([event for event in deal["events"][:5] if event["do"] == "exchange"] or [{}])
                field = rng.choice(["to", "into", "of", "cards", "count", "by"])
                event.pop(field, None) if field != "by" else None
                if rng.random() < 0.6:
                    event[field] = {
                        "by": rng.choice([*deal["hands"]]), "to": rng.choice([*deal["hands"]]), "into": "kitty", "of": "kitty",
                        "count": rng.randrange(5), "cards": rng.sample(next(iter(deal["hands"].values())), 3),
                    }[field]  # fmt: skip

        record = altered(change, key)
        verdict = explanations.check(record, judge)
        seen |= {finding.code for finding in verdict.findings}
        assert judge.verdict(record) == referee.check(record, games.find)
    assert seen >= {"PLY020"}
    assert "INT001" not in seen
