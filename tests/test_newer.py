"""Record 1.1: what it adds to 1.0 is refused there and kept wherever a record goes; what is noted of a play is no fact of it."""

from __future__ import annotations

import json
from collections.abc import Callable
from copy import deepcopy
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from jsonschema import Draft202012Validator
from test_archive import packed, readings
from test_schema import OTHER, loads, nodes, some
from test_writing import newer_documents

from handrec import check, games, writing
from handrec.dealing import deal_game
from handrec.diff import compare
from handrec.digests import digests
from handrec.formats import formats, read
from handrec.formats import json as format_json
from handrec.formats.json import load
from handrec.formats.quick import quick
from handrec.games.bridge import GAME as BRIDGE
from handrec.migrate import first, lost
from handrec.record import FIRST, LATEST, NOTED, OPTIONAL, SINCE, Closed, Newer, Play, Record
from handrec.schema import record_schema, text
from handrec.sieve.codec import Codec
from handrec.sieve.shape import Shape
from handrec.versions import newer, version_of

Data = dict[str, Any]
SCHEMAS = {version: Draft202012Validator(record_schema(version)) for version in (FIRST, LATEST)}
NOTES = ({"trick": 7}, {"marked": "revoke"}, {"trick": 1, "marked": "lead"}, {"trick": 9, "unordered": True})
BAD: tuple[Data, ...] = (
    {"trick": 0}, {"trick": None}, {"trick": "7"}, {"marked": "shown"}, {"marked": True}, {"unordered": 1},
)  # fmt: skip


def dealt(version: str = LATEST, *notes: tuple[int, Data]) -> Data:
    """A deal of bridge as 1.0 can have it, with something noted of plays, by their numbers from 0."""
    game = games.find("bridge")
    assert game is not None
    record = deal_game(game, 4, 5, numbers=[1])
    data = first(writing.plain(record), lost(record)) | {"version": version}
    plays = [event for event in data["deals"][0]["events"] if event["do"] == "play"]
    for place, note in notes:
        plays[place] |= note
    return data


def typed(first: int = 0) -> Data:
    """A deal of bridge in which each trick has a number; all but the first `first` of them say what is so."""
    return dealt(LATEST, *((4 * place, {"trick": place + 1}) for place in range(first, 13)))


def put(**event: Any) -> Callable[[Data], object]:
    return lambda data: data["deals"][0]["events"].insert(0, event)


#: What 1.1 adds: where a record has it, and what puts it there.
ADDED: dict[str, Callable[[Data], object]] = {
    "/deals/0/board": lambda data: data["deals"][0].update(board=1),
    "/deals/0/vulnerable": lambda data: data["deals"][0].update(vulnerable="NS"),
    "/deals/0/claimed/sides": lambda data: data["deals"][0].update(claimed={"sides": {"NS": {"tricks": 9}}}),
    "/deals/0/comments/1/kind": lambda data: data["deals"][0].update(comments=[{"text": "a"}, {"text": "", "kind": "alert"}]),
    "/deals/0/events/0/bid": put(do="bid", by="N", bid="?"),
    "/deals/0/events/0": put(do="withdraw", by="N"),
    "/deals/0/events/0/of_trick": put(do="transfer", by="N", of="E", tricks=1, of_trick=1),
    "/deals/0/events/0/trick": put(do="play", card="AS", trick=1),
    "/claimed/sides": lambda data: data.update(claimed={"sides": {}}),
    "/comments/0/kind": lambda data: data.update(comments=[{"text": "", "kind": "explanation"}]),
}
#: Further things that stand at the same places.
MORE: tuple[Callable[[Data], object], ...] = (
    put(do="exchange", by="N", to="E", cards=["AS"]), put(do="show", by="N", cards=[]), put(do="exchange", by="N", into="kitty"),
)  # fmt: skip


def lines(data: Data) -> bytes:
    return json.dumps(data, separators=(",", ":")).encode()


def noted(record: Record) -> list[Data]:
    return [{field: getattr(event, field) for field in NOTED} for event in record.deals[0].events if type(event) is Play]


# --- the schema and the loader ---


@pytest.mark.parametrize(("where", "change"), ADDED.items(), ids=[*ADDED])
def test_what_the_draft_adds_is_found_at_its_place(where: str, change: Callable[[Data], object]) -> None:
    """Each field, value and event that 1.0 has not makes a record 1.1, and is named in a record that says otherwise."""
    data = dealt(LATEST)
    change(data)
    record = Record.model_validate(data)
    assert loads(data)
    assert {*newer(record.deals, record.claimed, record.comments)} == {where}
    assert version_of(record.deals, record.claimed, record.comments) == LATEST
    assert SCHEMAS[LATEST].is_valid(data)
    assert not SCHEMAS[FIRST].is_valid(data | {"version": FIRST})
    assert [finding.pointer for finding in load(data | {"version": FIRST})[1]] == [where]


@pytest.mark.parametrize("change", MORE)
def test_a_new_kind_of_event_is_found_at_its_place(change: Callable[[Data], object]) -> None:
    test_what_the_draft_adds_is_found_at_its_place("/deals/0/events/0", change)


def test_a_call_taken_back_is_found_at_its_place() -> None:
    test_what_the_draft_adds_is_found_at_its_place("/deals/0/events/0/bid", put(do="withdraw", by="N", bid="1H"))


def test_nothing_is_newer_but_what_is_tried_here() -> None:
    """Every field that says so stands above, or is within what does."""
    newer = {
        (part.__name__, name)
        for part in Closed.__subclasses__()
        for name, field in part.model_fields.items()
        if field.json_schema_extra in (SINCE, OPTIONAL)
    }
    assert newer == {
        *(("Play", name) for name in NOTED), ("Withdraw", "bid"), ("Withdraw", "card"), ("Transfer", "of_trick"),
        ("Comment", "kind"), ("DealClaims", "sides"), ("GameClaims", "sides"), ("Deal", "board"), ("Deal", "vulnerable"),
    }  # fmt: skip
    assert {part.__name__ for part in Newer.__subclasses__()} == {"Exchange", "Show", "SideClaims"}


def test_the_schema_of_the_draft_is_a_schema_and_1_0_knows_nothing_of_it() -> None:
    Draft202012Validator.check_schema(record_schema(LATEST))
    assert record_schema(LATEST)["$id"] == "urn:handrec:record:1.1"
    for name in (*NOTED, "since"):
        assert (f'"{name}":' in json.dumps(record_schema(LATEST)["$defs"]["Play"])) is (name in NOTED)
    assert record_schema(FIRST)["$defs"]["Play"]["properties"].keys().isdisjoint(NOTED)
    assert '"since"' not in text(FIRST)


@pytest.mark.some(15)
@pytest.mark.parametrize("version", ["1.0", "1.000", "1.1", "1.01"])
@pytest.mark.parametrize("note", [*NOTES, {"unordered": False}, *BAD])
def test_schema_and_loader_agree_on_the_new_fields(version: str, note: Data) -> None:
    """They are fields of 1.1 and of no record that says 1.0; a value that is none is refused there too."""
    data = dealt(version, (9, note))
    closed = version in ("1.0", "1.000")
    assert loads(data) is SCHEMAS[FIRST if closed else LATEST].is_valid(data) is (not closed and note not in BAD)


@some
@given(newer_documents, st.sampled_from(["1.0", "1.1"]), st.data())
def test_schema_and_loader_agree_on_what_is_wrong_in_the_draft(document: Data, version: str, data: Any) -> None:
    """With a field dropped, renamed, added or of another value, a document is valid exactly when it loads."""
    document = deepcopy(document) | {"version": version}
    path = data.draw(st.sampled_from(nodes(document)))
    holder: Any = document
    for step in path[:-1]:
        holder = holder[step]
    change = data.draw(st.sampled_from(["nothing", "drop", "replace", "add"]))
    if change == "replace" or (change == "add" and isinstance(holder, list)):
        holder[path[-1]] = data.draw(OTHER)
    elif change == "add":
        holder[data.draw(st.sampled_from([*NOTED, "by", "bid", "board", "sides", "kind"]))] = data.draw(OTHER)
    elif change == "drop":
        del holder[path[-1]]
    says = document.get("version")
    schema = SCHEMAS[LATEST if isinstance(says, str) and says not in ("1.0", "") else FIRST]
    assert schema.is_valid(document) == loads(document), document


def test_a_field_of_the_draft_in_a_record_of_1_0_is_told_at_its_place() -> None:
    data = dealt("1.0", (9, {"trick": 3, "marked": "revoke"}))
    spot = next(place for place, event in enumerate(data["deals"][0]["events"]) if "marked" in event)
    (reading,) = read(json.dumps(data).encode(), "a.json")
    assert reading.record is None
    assert [(finding.code, finding.pointer, finding.message) for finding in map(reading.placed, reading.findings)] == [
        ("FMT007", where, f"{where}: this is not in version 1.0, only since 1.1")
        for where in (f"/deals/0/events/{spot}/trick", f"/deals/0/events/{spot}/marked")
    ]
    place = reading.placed(reading.findings[0]).location
    assert place is not None
    assert json.dumps(data)[place.column - 1 :].startswith("3,") if place.column else False


@pytest.mark.parametrize(("version", "codes"), [("1.0", []), ("1.1", []), ("1.2", ["FMT014"]), ("2.0", ["FMT006"])])
def test_which_versions_are_read_without_a_word(version: str, codes: list[str]) -> None:
    (reading,) = read(json.dumps(dealt(version)).encode(), "a.json")
    assert [finding.code for finding in reading.findings] == codes


# --- nothing loses it ---


@pytest.mark.parametrize("note", NOTES)
def test_the_quick_reader_reads_the_draft_and_leaves_a_closed_record_to_the_strict_one(note: Data) -> None:
    data = lines(dealt(LATEST, (9, note)))
    seen = quick(data)
    assert seen is not None
    assert seen == Record.model_validate_json(data)
    assert noted(seen)[9] == dict.fromkeys(NOTED) | note
    assert quick(lines(dealt("1.0", (9, note)))) is None
    assert format_json.reading(lines(dealt("1.0", (9, note))), "a.jsonl").record is None


def test_what_writes_says_the_first_version_that_has_all_it_writes() -> None:
    """A record that needs nothing of 1.1 stays what it was; one made in Python that does is 1.1, and can be read."""
    for version in ("1.0", "1.1"):
        assert json.loads(writing.line(Record.model_validate(dealt(version))))["version"] == version
    for written in ("1.0", "1.000"):
        record = Record.model_validate(dealt(written, (9, {"trick": 3})))
        for told in (writing.line(record), writing.dumps(record)):
            (reading,) = read(told.encode(), "a.json")
            assert reading.record is not None
            assert (reading.findings, reading.record.version, noted(reading.record)[9]["trick"]) == ((), "1.1", 3)


@pytest.mark.parametrize("note", NOTES)
@pytest.mark.parametrize("place", [0, 4, 9])
def test_an_archive_keeps_it(note: Data, place: int) -> None:
    records = [Record.model_validate(each) for each in (dealt(LATEST, (place, note)), typed(), dealt("1.0"))]
    assert [reading.record for reading in readings(packed(records))] == records


@pytest.mark.parametrize("note", NOTES)
def test_the_typed_notation_keeps_it(note: Data) -> None:
    for data in (dealt(LATEST, (9, note)), typed()):
        record = Record.model_validate(data)
        (reading,) = read(next(kind for kind in formats() if kind.key == "hrt").write(record).encode(), "a.hrt")
        assert (reading.findings, reading.record) == ((), record)


# --- it is no fact of play, and what it says is seen ---


@pytest.mark.parametrize("note", NOTES)
def test_digests_and_facts_do_not_hang_on_it(note: Data) -> None:
    bare, told = (Record.model_validate(each) for each in (dealt("1.0"), dealt(LATEST, (9, note))))
    assert writing.digest(bare, 0) == writing.digest(told, 0)
    assert [*digests(bare)] == [*digests(told)]
    assert compare([bare, told], games.find, facts=True).same
    other = Record.model_validate(dealt(LATEST, (9, {"trick": 8})))
    assert [row.note for row in compare([told, other], games.find).rows if row.path[0] == "deals"] == [True]
    assert compare([told, other], games.find, facts=True).same


def test_what_was_noted_of_a_play_stands_in_no_column() -> None:
    """A deal in which something was noted of a play has no row, so that columns lose nothing of it."""

    def has_row(data: Data) -> bool:
        record = Record.model_validate(data)
        seats = tuple(player.seat for player in record.players)
        return Codec(Shape(BRIDGE, 4, 13), seats).row(record.deals[0]) is not None

    assert has_row(dealt("1.0"))
    assert has_row(dealt(LATEST))
    for data in (typed(), *(dealt(LATEST, (4, note)) for note in NOTES)):
        assert not has_row(data)
    assert check(Record.model_validate(typed())).findings == ()
