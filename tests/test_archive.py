"""Archives: whatever goes in comes out unchanged, verdicts are the referee's, and a foul file ends in findings."""

from __future__ import annotations

import gc
import json
import re
import subprocess
import sys
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Sequence
from functools import cache
from io import BytesIO
from itertools import count, islice
from pathlib import Path
from random import Random
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

pa = pytest.importorskip("pyarrow", reason="pyarrow is not installed: pip install 'handrec[archive]'")
pq = pytest.importorskip("pyarrow.parquet")

from handrec import api, games, writing  # noqa: E402
from handrec.api import Unreadable  # noqa: E402
from handrec.archive import LAYOUT, SCHEMA, VERDICTS, Cut, Heads, batches, read, verdicts, write  # noqa: E402
from handrec.archive.layout import DEAL  # noqa: E402
from handrec.cli import run  # noqa: E402
from handrec.dealing import deal_game  # noqa: E402
from handrec.explanations import check  # noqa: E402
from handrec.formats import Reading, by_key  # noqa: E402
from handrec.game import Game  # noqa: E402
from handrec.judging import Judge  # noqa: E402
from handrec.record import FIRST, LATEST, Deal, Record  # noqa: E402
from handrec.report import FORMATS  # noqa: E402
from handrec.sieve.sift import sift  # noqa: E402
from tests.dealing import GAMES  # noqa: E402
from tests.sieving import batch as some_records  # noqa: E402

ROOT = Path(__file__).parents[1]


def the(key: str) -> Game:
    """A game."""
    game = games.find(key)
    assert game is not None
    return game


def fixtures() -> list[Record]:
    """Every record among the fixtures that can be read."""
    found = []
    for path in sorted((ROOT / "fixtures").rglob("*.json")):
        try:
            found.append(api.load(path))
        except Unreadable:
            continue
    return found


@cache
def bridge(many: int) -> tuple[Record, ...]:
    """Single deals of bridge."""
    return tuple(deal_game(the("bridge"), 4, seed, numbers=[1]) for seed in range(many))


def packed(records: Iterable[Record]) -> bytes:
    """The bytes of an archive."""
    return b"".join(write(records))


@cache
def packed_bridge(many: int) -> bytes:
    """The bytes of an archive of single deals of bridge."""
    return packed(bridge(many))


def readings(data: bytes) -> list[Reading]:
    """What an archive reads as."""
    return list(read(BytesIO(data), "some.parquet"))


def lines(records: Sequence[Record]) -> list[bytes]:
    """Records as canonical lines."""
    return [writing.canonical(writing.plain(record)) for record in records]


def same_again(records: list[Record]) -> None:
    """Records must come back as they went in, with the digests of their deals, and with the same verdicts."""
    data = packed(records)
    back = [reading.record for reading in readings(data)]
    assert lines([record for record in back if record]) == lines(records)
    for one, other in zip(records, back, strict=True):
        assert other is not None
        every = range(len(one.deals))
        assert [writing.digest(one, place) for place in every] == [writing.digest(other, place) for place in every]
    told = [row for batch in batches(BytesIO(data)) for row in verdicts(batch).to_pylist()]
    for row in told:
        codes = [code for code in row["codes"].split() if code != "FMT021"]  # of the form, which the record itself does not have
        assert codes == [finding.code for finding in check(records[row["record"]], Judge(games.find)).primary]
        assert row["deals"] == len(records[row["record"]].deals)
    assert sorted(row["record"] for row in told) == list(range(len(records)))


# --- in and out -----------------------------------------------------------------------------------------------------


@pytest.mark.some(1)
@settings(max_examples=4, deadline=None, suppress_health_check=list(HealthCheck))
@pytest.mark.parametrize("game", GAMES, ids=lambda game: game.key)
@given(seed=st.integers(0, 10**6))
def test_dealt_and_changed_records_come_back(game: Game, seed: int) -> None:
    """Games with random options, planted faults and random changes: the same records, digests and verdicts."""
    same_again(some_records(game, seed, 1, 5))


@pytest.mark.parametrize("every", [6, pytest.param(1, marks=pytest.mark.long)])
def test_every_fixture_comes_back(every: int) -> None:
    """Clean and broken fixtures of all games in one archive; a warning of form stays with its record."""
    records = [record for record in fixtures() if record.version in (FIRST, LATEST)]
    assert len(records) > 280
    same_again(records[::every])
    later = next(record for record in fixtures() if record.version not in (FIRST, LATEST))
    data = packed([later])
    assert [finding.code for finding in readings(data)[0].findings] == ["FMT014"]
    (batch,) = batches(BytesIO(data))
    assert verdicts(batch).column("codes").to_pylist() == ["FMT014"]


@pytest.mark.parametrize("game", GAMES, ids=lambda game: game.key)
def test_a_deal_stands_in_columns_or_in_text(game: Game) -> None:
    """What is dealt stands in columns, a deal with something else in it in text, and none in both."""
    records = [deal_game(game, min(4, max(game.players)), seed, numbers=[1, 2]) for seed in range(5)]
    events = records[2].deals[1].events
    del events[next(place for place, event in enumerate(events) if event.do == "play")]
    (batch,) = batches(BytesIO(packed(records)))
    for row, deals in enumerate(batch.column("deals").to_pylist()):
        for place, deal in enumerate(deals):
            absent = {name for name, value in deal.items() if value is None} - {"trump"}
            assert absent == ({*DEAL} - {"text", "trump"} if (row, place) == (2, 1) else {"text"})


def test_odd_records_come_back() -> None:
    """What nobody deals: no deals, names, comments, doubts, empty lists and objects, foreign games, other orders of cards."""
    record = bridge(1)[0]
    deal = record.deals[0]
    shuffled = {seat: Random(1).sample(cards, len(cards)) for seat, cards in reversed((deal.hands or {}).items())}
    questioned = [event.model_copy(update={"questioned": True}) if event.do == "play" else event for event in deal.events]
    data = writing.plain(record)
    odd = [
        {"deals": []},
        {"players": [{"seat": seat, "name": f"{seat}’s\n\u202e name"} for seat in "NESW"]},
        {"comments": [{"text": "one"}], "extensions": {"x": [None, {"y": [1, True, None, {}]}]}},
        {"extensions": {}, "options": {}, "status": "complete"},
        {"game": "poker", "id": "\x00"},
        {"options": {"speed": [1, {"b": 2, "a": 1}]}},
        {"deals": [data["deals"][0] | {"claimed": {}}, data["deals"][0] | {"aside": {}, "comments": []}]},
        {"deals": [data["deals"][0] | {"claimed": {"tricks": {}, "totals": {"N": 0}, "bids": {}}, "number": 4}]},
        {"deals": [data["deals"][0] | {"status": "complete", "leader": "N"}]},
    ]
    records = [Record.model_validate(data | each) for each in odd]
    records += [record.model_copy(update={"deals": [deal.model_copy(update={"hands": shuffled})]})]
    records += [record.model_copy(update={"deals": [deal.model_copy(update={"events": questioned})]})]
    same_again(records)


def test_records_keep_their_order_and_games_their_row_groups() -> None:
    """Records of several games come back as they were mixed; each row group has one game."""
    records = [deal_game(game, min(4, max(game.players)), seed, numbers=[1]) for seed in range(3) for game in GAMES]
    data = packed(records)
    assert lines([reading.record for reading in readings(data) if reading.record]) == lines(records)
    file = pq.ParquetFile(BytesIO(data))
    groups = [set(file.read_row_group(group).column("game").to_pylist()) for group in range(file.num_row_groups)]
    assert sorted(game for group in groups for game in group) == sorted(game.key for game in GAMES)
    meta = json.loads(file.metadata.metadata[b"handrec"])
    assert (meta["layout"], meta["records"], meta["deals"]) == (LAYOUT, len(records), len(records))
    assert [game for game, _ in meta["games"]] == sorted(game.key for game in GAMES)


def test_the_same_records_give_the_same_bytes() -> None:
    """Nothing of the time, the machine or chance is in an archive."""
    assert packed(fixtures()[:40]) == packed(fixtures()[:40])


def test_the_layout_is_described() -> None:
    """Every column stands in the description."""
    described = (ROOT / "handrec/archive/layout.py").read_text("utf-8")
    for name in (*SCHEMA.names, *DEAL):
        assert f"\n{name} " in described


def passed_out(**claimed: int) -> Record:
    """A board that all four passed, with scores that are claimed for sides."""
    record = bridge(1)[0]
    seats = ("N", "E", "S", "W", "N", "E", "S", "W")
    turn = seats.index(record.deals[0].dealer or "N")
    calls = [{"do": "bid", "by": seat, "bid": "pass"} for seat in seats[turn : turn + 4]]
    sides = {side: {"score": score} for side, score in claimed.items()}
    fields = record.deals[0].model_dump(include={"hands", "number", "board", "dealer", "vulnerable"})
    return record.model_copy(update={"deals": [Deal.model_validate(fields | {"events": calls, "claimed": {"sides": sides}})]})


def test_boards_that_were_passed_out_stand_in_columns() -> None:
    """The referee judges them from there, whether something is wrong with them or not."""
    records = [*bridge(3), passed_out(NS=0, EW=0), passed_out(NS=50, EW=-50)]
    same_again(records)
    data = packed(records)
    assert [row["deals"][0]["text"] for row in pq.read_table(BytesIO(data)).to_pylist()] == [None] * len(records)
    told = [row["codes"] for batch in batches(BytesIO(data)) for row in verdicts(batch).to_pylist()]
    assert told == ["", "", "", "", "SCO001"]


@pytest.mark.parametrize("column", ["plays", "leaders", "script"])
def test_plays_and_script_of_a_board_agree(column: str) -> None:
    """A board of which one column says that nobody played, and another one that somebody did, is none."""
    cells = pq.read_table(BytesIO(packed([passed_out(NS=0)]))).to_pylist()[0]["deals"][0]
    found = readings(changed(packed_bridge(3), deal_change(**{column: cells[column]})))
    assert [reading.record is None for reading in found] == [False, column != "leaders", False]


@pytest.mark.parametrize("layout", [2, 3])
def test_archives_of_the_layouts_before_are_read(layout: int) -> None:
    """Their columns are those of today; what may stand there is less."""
    meta = {b"handrec": json.dumps({"format": "handrec archive", "layout": layout}).encode()}
    data = foul_file(lambda table: table.replace_schema_metadata(meta))
    assert lines([reading.record for reading in readings(data) if reading.record]) == lines(bridge(2))


def test_archives_of_layout_1_are_read() -> None:
    """One that an earlier version wrote: the same records, the same verdicts."""
    old = ROOT / "fixtures/archives/layout-1.parquet"
    due = [api.loads(line) for line in old.with_suffix(".jsonl").read_text("utf-8").splitlines()]
    found = [reading.record for reading in readings(old.read_bytes())]
    assert len(due) > 15
    assert lines([record for record in found if record]) == lines(due)
    told = {row["record"]: row["codes"] for batch in batches(str(old)) for row in verdicts(batch).to_pylist()}
    codes = [[finding.code for finding in check(record, Judge(games.find)).primary] for record in due]
    assert [told[number].split() for number in range(len(due))] == codes
    assert sum(not each for each in codes) > 5
    assert sum(map(bool, codes)) > 2


# --- batches --------------------------------------------------------------------------------------------------------


def test_columns_of_an_archive_are_sifted_as_they_are() -> None:
    """The sieve runs on what a batch is cut into, and does not pass the fault that was planted."""
    records = [*bridge(20), deal_game(the("bridge"), 4, 3, numbers=[1], inject="REV001")]
    (batch,) = batches(BytesIO(packed(records)))
    (part,) = Cut(batch, Heads(games.find)).parts
    assert sift(part.columns).fine.tolist() == [True] * 20 + [False]


def test_batches_of_engines_are_taken() -> None:
    """Engines have other types for the same columns, columns of their own, and cut batches where they like."""
    records = [*bridge(6), deal_game(the("kbabs"), 4, 2, numbers=[1, 2], inject="REV001")]
    table = pq.read_table(BytesIO(packed(records)))
    whole = [row for batch in batches(BytesIO(packed(records))) for row in verdicts(batch).to_pylist()]
    plain = [pa.large_string() if pa.types.is_string(kind) else kind for kind in DEAL.values()]
    loose = pa.list_(pa.struct([pa.field(name, kind) for name, kind in zip(DEAL, plain, strict=True)]))
    place = table.schema.get_field_index("deals")
    table = table.set_column(place, "deals", table.column("deals").cast(loose)).append_column("spare", pa.nulls(len(records)))
    cut = [row for batch in table.to_batches(max_chunksize=2) for row in verdicts(batch).to_pylist()]
    assert cut == whole
    assert [row["codes"] for row in cut] == [""] * 6 + ["REV001"]
    assert json.loads(cut[-1]["findings"])[0]["trick"] is not None
    assert verdicts(table.to_batches()[0].slice(0, 0)).schema == VERDICTS
    with pytest.raises(ValueError, match="text"):
        verdicts(table.drop_columns(["text"]).to_batches()[0])


# --- bounded memory -------------------------------------------------------------------------------------------------


@pytest.fixture
def small_windows(monkeypatch: pytest.MonkeyPatch) -> int:
    """Windows that are quickly full."""
    for room in ("write", "read"):
        monkeypatch.setattr(sys.modules[f"handrec.archive.{room}"], "WINDOW", 128)
    return 128


def test_records_are_written_as_they_come(small_windows: int) -> None:
    """Bytes come before all records have come: no more than a window of them is held."""
    record, taken = bridge(1)[0], []

    def endless() -> Iterator[Record]:
        for number in count():
            taken.append(number)
            yield record

    assert len(list(islice((part for part in write(endless()) if part), 2))) == 2
    assert len(taken) <= 2 * small_windows


def test_records_are_read_as_they_are_wanted(small_windows: int) -> None:
    """No batch has more than a window of deals and a record; the first record comes before the last is read."""
    one, game = bridge(1)[0], deal_game(the("kbabs"), 4, 1)
    data = packed([one] * (3 * small_windows) + [game] * 20)
    sizes = [sum(len(deals) for deals in batch.column("deals").to_pylist()) for batch in batches(BytesIO(data))]
    assert sum(sizes) == 3 * small_windows + 20 * len(game.deals)
    assert max(sizes) < small_windows + len(game.deals)
    assert len(sizes) >= 6
    damaged = data[: len(data) // 2] + b"\0" * 200 + data[len(data) // 2 + 200 :]
    assert next(iter(read(BytesIO(damaged), "some.parquet"))).record == one


def test_nothing_is_held_of_an_archive_that_was_read() -> None:
    """Not by the library either, which keeps for good the error by which it is stopped before it reads the data."""
    data = packed(bridge(3))
    assert [reading.record for reading in read(BytesIO(data), "some.parquet")] == [*bridge(3)]
    gc.collect()
    before = Counter(type(each).__name__ for each in gc.get_objects())
    for _ in range(5):
        assert len([*read(BytesIO(data), "some.parquet")]) == 3
    gc.collect()
    held = Counter(type(each).__name__ for each in gc.get_objects()) - before
    assert {name: many for name, many in held.items() if name in ("traceback", "frame", "ParquetFile", "FileMetaData")} == {}


@pytest.mark.long
def test_memory_does_not_grow_with_the_archive(tmp_path: Path) -> None:
    """Ten times the deals take no more memory, there and back."""
    one = writing.line(bridge(1)[0])
    most = {}
    for many in (10_000, 100_000):
        name = tmp_path / f"{many}.jsonl"
        with name.open("w") as file:
            for number in range(many):
                file.write(one.replace('"bridge-4-0"', f'"{number}"', 1))
        for source, target in ((f"{many}.jsonl", f"{many}.parquet"), (f"{many}.parquet", f"{many}.back.jsonl")):
            code = f"from handrec.cli import run\nrun(['convert', '{source}', '-o', '{target}'])\n"
            code += "lines = open('/proc/self/status').read().splitlines()\n"  # what getrusage says may be the parent's
            code += "print(next(int(line.split()[1]) for line in lines if line.startswith('VmHWM')) // 1024)"
            ran = subprocess.run([sys.executable, "-c", code], cwd=tmp_path, capture_output=True, text=True, check=True)
            most[target] = int(ran.stdout)
        assert (tmp_path / f"{many}.back.jsonl").read_bytes() == name.read_bytes()
    print(most)
    assert most["100000.parquet"] < 1.2 * most["10000.parquet"]
    assert most["100000.back.jsonl"] < 1.2 * most["10000.back.jsonl"]


# --- foul files -----------------------------------------------------------------------------------------------------


def changed(data: bytes, change: Callable[[dict[str, Any]], Any], row: int = 1) -> bytes:
    """An archive in which something was done to one row, written by another hand."""
    table = pq.read_table(BytesIO(data))
    rows = table.to_pylist()
    change(rows[row])
    loose = pa.schema([field.with_nullable(True) for field in table.schema], pq.read_metadata(BytesIO(data)).metadata)
    out = BytesIO()
    pq.write_table(pa.Table.from_pylist(rows, schema=loose), out, row_group_size=2)
    return out.getvalue()


def deal_change(**values: Any) -> Callable[[dict[str, Any]], Any]:
    """A change of columns of the first deal."""
    return lambda row: row["deals"][0].update(values)


def script_change(**values: Any) -> Callable[[dict[str, Any]], Any]:
    """A change of the script of the first deal."""
    return lambda row: row["deals"][0].update(script=json.dumps(json.loads(row["deals"][0]["script"]) | values))


def text_change(**values: Any) -> Callable[[dict[str, Any]], Any]:
    """A change of the text of a row, which is an excerpt."""
    return lambda row: row.update(status="excerpt", text=json.dumps(json.loads(row["text"]) | values))


FOUL: dict[str, Callable[[dict[str, Any]], Any]] = {
    "no such game": lambda row: row.update(game="poker"),
    "a status that the text denies": text_change(status=None),
    "players elsewhere": text_change(players=[{"seat": seat} for seat in "WNES"]),
    "another game": lambda row: row.update(game="kbabs"),
    "options": lambda row: row.update(options='{"speed":1}'),
    "options twice": lambda row: row.update(options='{"a":1,"a":1}'),
    "seats": lambda row: row.update(seats="N E S"),
    "other seats": lambda row: row.update(seats="N E S W W"),
    "no seats": lambda row: row.update(seats=None),
    "no text": lambda row: row.update(text=None),
    "text": lambda row: row.update(text="[1]"),
    "text of deals": lambda row: row.update(text='{"deals":[],"format":"handrec","version":"1.0"}'),
    "text twice": lambda row: row.update(text='{"format":"handrec","version":"1.0","version":"1.0"}'),
    "text is none": lambda row: row.update(text="{" * 100),
    "no deals": lambda row: row.update(deals=None),
    "no deal": lambda row: row.update(deals=[None]),
    "a long id": lambda row: row.update(id="x" * 1001),
    "status": lambda row: row.update(status="lost"),
    "claimed": lambda row: row.update(claimed='{"totals":7}'),
    "deals": lambda row: row.update(deals=row["deals"] * 5000),
    "short plays": deal_change(plays=bytes(64)),
    "wrong cards": deal_change(hands=b"\xfe" * 52),
    "cards that nothing shows": deal_change(shown=b"\0"),
    "more cards than can be shown": deal_change(shown=b"\0" * 1000),
    "too few winners": deal_change(winners=b""),
    "no leaders": deal_change(leaders=b""),
    "wrong leaders": deal_change(leaders=b"\x09" * 13),
    "no plays": deal_change(plays=None),
    "hand size": deal_change(cards=14),
    "no hand size": deal_change(cards=-3),
    "huge hand size": deal_change(cards=32767),
    "some leaders": lambda row: row["deals"][0].update(leaders=row["deals"][0]["leaders"][:-1] + b"\xff"),
    "some winners": deal_change(winners=b"\0" * 12 + b"\xff"),
    "dealer": deal_change(dealer=77),
    "number": deal_change(number=-5),
    "trump": deal_change(trump="no such\ttrump"),
    "totals": deal_change(totals=b"\1" * 32),
    "points beyond all": deal_change(totals=b"\0" * 7 + b"\x80" + b"\0" * 24),
    "text, too": deal_change(text="{}"),
    "a text that is none": lambda row: row["deals"][0].update({**dict.fromkeys(DEAL), "text": "[" * 50}),
    "a text that is no deal": lambda row: row["deals"][0].update({**dict.fromkeys(DEAL), "text": "7"}),
    "script": deal_change(script="x"),
    "no script": deal_change(script=None),
    "script is a list": deal_change(script="[]"),
    "too many plays": script_change(events=[60]),
    "plays without end": script_change(events=[10**15]),
    "too few plays": script_change(events=[3]),
    "plays backwards": script_change(events=[60, -8]),
    "no events": script_change(events=[]),
    "an event that is none": script_change(events=[None, 52]),
    "events that are none": script_change(events=7),
    "a kind that is none": script_change(events=[{"do": "contract", "by": "#0", "bid": [1]}, 52]),
    "a seat that is none": script_change(events=[{"do": "contract", "by": "N", "bid": "H"}, 52]),
    "a card that is none": script_change(events=[{"do": "turn", "card": "*"}, 52]),
    "a play in the script": script_change(events=[{"do": "play", "card": "AS"}, 51]),
    "a field that is none": script_change(colour="red"),
    "bids that are none": script_change(bids={"#0": None}),
    "bids that are no numbers": script_change(bids={"#0": True}),
    "a key twice": deal_change(script='{"events":[3],"events":[52]}'),
    "too many events": script_change(events=[52, *[{"do": "announce", "by": "#0", "what": "look"}] * 20_000]),
}


@pytest.mark.some(10)
@pytest.mark.parametrize("name", FOUL)
def test_a_foul_row_is_a_finding_with_its_place(name: str) -> None:
    """The other rows are read all the same, and the foul one is told with its number."""
    records = bridge(4)
    told = readings(changed(packed_bridge(4), FOUL[name]))
    assert lines([reading.record for reading in told if reading.record]) == lines([records[0], *records[2:]])
    (foul,) = (reading for reading in told if reading.record is None)
    place = foul.placed(foul.findings[0]).location
    assert place is not None
    assert str(place).startswith("some.parquet:2")
    assert len(str(foul.findings[0].message)) < 400


@pytest.mark.some(5)
@pytest.mark.parametrize("name", FOUL)
def test_a_foul_row_harms_no_verdict_on_others(name: str) -> None:
    """Verdicts come for every row of a foul batch."""
    data = changed(packed_bridge(4), FOUL[name])
    told = [row for batch in batches(BytesIO(data)) for row in verdicts(batch).to_pylist()]
    assert [row["codes"] for row in told if row["record"] != 1] == ["", "", ""]
    (foul,) = (row["codes"] for row in told if row["record"] == 1)
    (reading,) = (each for each in readings(data) if each.record is None)
    assert foul.split() == [finding.code for finding in reading.findings]


def test_options_that_the_text_denies_are_not_judged_by() -> None:
    """The deals of a record are read by its columns; a text that says that it has no options is of another record."""
    record = deal_game(the("bastard"), 3, 1, options={"demon": True}, numbers=[1])
    data = changed(packed([record]), lambda row: row.update(text=json.dumps(json.loads(row["text"]) | {"options": None})), 0)
    assert [row["codes"] for batch in batches(BytesIO(data)) for row in verdicts(batch).to_pylist()] == ["FMT001"]
    assert [reading.record for reading in readings(data)] == [None]


#: What is bid in a script, or claimed to be, and what is written there instead.
BIDS = {
    "another bid": (r'("bid":)\d+', r"\g<1>1"),
    "a bid too high": (r'("bid":)\d+', r"\g<1>14"),
    "a word": (r'("bid":)\d+', r'\g<1>"board"'),
    "no word of the game": (r'("bid":)\d+', r'\g<1>"ship"'),
    "no word": (r'("bid":)\d+', r'\g<1>"a ship"'),
    "no number": (r'("bid":)\d+', r"\g<1>007"),
    "a huge number": (r'("bid":)\d+', r"\g<1>99999999999999999999"),
    "another one claimed": (r'"bids":{"#0":', r"\g<0>1"),
    "true claimed": (r'("bids":{"#0":)\d+', r"\g<1>true"),
    "nobody's claimed": (r'"bids":{"#0"', r'"bids":{"#7"'),
    "nothing claimed": (r'"bids":{[^}]*},', r""),
    "claimed twice": (r'"bids":{', r'"bids":{"#0":1,'),
    "more is claimed": (r'"bids":', r'"trump":{},"bids":'),
    "depths claimed": (r'("bids":{"#0":)\d+', r"\g<1>" + "[" * 5000),
}


@pytest.mark.some(10)
@pytest.mark.parametrize("name", BIDS)
@pytest.mark.parametrize("row", [0, 2])
def test_scripts_that_differ_in_bids_alone_are_judged_as_they_are_read(name: str, row: int) -> None:
    """Also where another one has been taken before, of which all but the bids is known."""
    records = [deal_game(the("kbabs"), 4, 5, numbers=[1])] * 3
    data = changed(
        packed(records), lambda each: each["deals"][0].update(script=re.sub(*BIDS[name], each["deals"][0]["script"])), row
    )
    told = [each["codes"] for batch in batches(BytesIO(data)) for each in verdicts(batch).to_pylist()]
    found = [
        reading.findings if reading.record is None else [*check(reading.record, Judge(games.find)).primary]
        for reading in readings(data)
    ]
    assert told == [" ".join(finding.code for finding in some) for some in found]
    assert [bool(codes) for codes in told] == [place == row and name != "nothing claimed" for place in range(3)]


@pytest.mark.parametrize("cards", [-1, 0, 100])
def test_one_broken_deal_breaks_its_record_alone(cards: int) -> None:
    """Of a record of many deals one has a size that no hand has."""
    records = [deal_game(the("kbabs"), 4, seed, numbers=[1, 2, 3]) for seed in range(3)]
    data = changed(packed(records), lambda row: row["deals"][2].update(cards=cards))
    told = [row["codes"] for batch in batches(BytesIO(data)) for row in verdicts(batch).to_pylist()]
    assert told == ["", "FMT001", ""]
    assert [reading.record is None for reading in readings(data)] == [False, True, False]


@pytest.mark.parametrize("column", ["game", "options", "seats"])
def test_a_row_that_lacks_a_column_harms_no_verdict_on_others(column: str) -> None:
    """Not even where it is the first of them."""
    data = changed(packed_bridge(4), lambda row: row.update({column: None}), 0)
    told = [row["codes"] for batch in batches(BytesIO(data)) for row in verdicts(batch).to_pylist()]
    assert told == ["FMT001", "", "", ""]


def test_numbers_that_no_rule_can_reckon_with_go_to_the_referee() -> None:
    """A bid that is beyond every table is no reason to fail over the other rows."""
    records = [deal_game(the("spades3"), 3, seed, numbers=[1]) for seed in range(3)]

    def bid_more(row: dict[str, Any]) -> None:
        deal = row["deals"][0]
        deal["script"] = re.sub('"bid":[0-9]+', '"bid":29', deal["script"])

    data = changed(packed(records), bid_more)
    told = [row["codes"] for batch in batches(BytesIO(data)) for row in verdicts(batch).to_pylist()]
    assert [bool(codes) for codes in told] == [False, True, False]
    assert "BID002" in told[1]


def test_a_file_that_lacks_rows_says_so() -> None:
    """What an archive says of itself is compared with what is there."""
    data = BytesIO(packed_bridge(4))
    table, meta = pq.read_table(data), pq.read_metadata(data).metadata
    out = BytesIO()
    pq.write_table(table.slice(0, 3).replace_schema_metadata(meta), out)
    *fine, last = readings(out.getvalue())
    assert len(fine) == 3
    assert "says that they are 4" in last.findings[0].message


@pytest.mark.parametrize(("numbers", "fine"), [([0, 0, 1, 2], 3), ([0, 2, 3, 4], 4), ([-1, 0, 1, 2], 3), ([3, 2, 1, 0], 4)])
def test_numbers_of_records_are_looked_at(numbers: list[int], fine: int) -> None:
    """A number that stands twice or is missing is told; another order is put right."""
    data = packed_bridge(4)
    for row, number in enumerate(numbers):
        data = changed(data, lambda each, number=number: each.update(record=number), row)
    told = readings(data)
    assert sum(reading.record is not None for reading in told) == fine
    assert all(reading.findings for reading in told if reading.record is None)
    assert (fine == 4 and numbers[0] == 3) or any(reading.record is None for reading in told)


def foul_file(change: Callable[[Any], Any]) -> bytes:
    """An archive whose table was changed as a whole."""
    out = BytesIO()
    data = BytesIO(packed_bridge(2))
    table = pq.read_table(data).replace_schema_metadata(pq.read_metadata(data).metadata)
    pq.write_table(change(table), out)
    return out.getvalue()


@pytest.mark.parametrize(
    ("data", "why"),
    [
        (b"", "Parquet"),
        (b"PAR1", "Parquet"),
        (b"PAR1" + b"\0" * 100 + b"PAR1", ""),
        (b"PAR1" + b"\xff" * 100 + b"PAR1", ""),
        (foul_file(lambda table: table.replace_schema_metadata({})), "metadata"),
        (foul_file(lambda table: table.replace_schema_metadata({b"handrec": b"[" * 5000})), ""),
        (
            foul_file(lambda table: table.replace_schema_metadata({b"handrec": b'{"format":"handrec archive","layout":5}'})),
            "layout 5",
        ),
        (foul_file(lambda table: table.drop_columns(["text"])), "text is missing"),
        (foul_file(lambda table: table.set_column(0, "record", pa.array(["a", "b"]))), "another type"),
        (foul_file(lambda table: table.append_column("game", pa.array(["a", "b"]))), "twice"),
    ],
)
def test_a_file_that_is_no_archive_is_one_finding(data: bytes, why: str) -> None:
    """It says in a line what is the matter."""
    (told,) = readings(data)
    assert told.record is None
    assert why in told.findings[0].message
    assert "\n" not in told.findings[0].message


@settings(max_examples=60, deadline=None)
@given(seed=st.integers(0, 10**9))
def test_damaged_bytes_end_in_records_or_findings(seed: int) -> None:
    """Whatever bytes are changed, or cut off, there is no exception, and no record that is not the one that was written."""
    rng, data = Random(seed), bytearray(DAMAGED)
    for _ in range(rng.randrange(1, 6)):
        data[rng.randrange(len(data))] = rng.randrange(256)
    del data[rng.choice([len(data), len(data), rng.randrange(len(data))]) :]
    told = readings(data)
    found = [writing.line(reading.record) for reading in told if reading.record is not None]
    foul = [reading for reading in told if reading.record is None]
    assert found == UNHARMED or (foul and set(found) <= set(UNHARMED))
    assert all(reading.findings for reading in foul)


@pytest.mark.parametrize("name", ["footer-repeats-too-many", "footer-defines-too-few"])
def test_a_damaged_footer_never_ends_the_process(name: str) -> None:
    """What a file tells of its columns may contradict itself so that the library, asked for it, ends the process."""
    path = ROOT / f"fixtures/hostile/{name}.parquet"
    done = subprocess.run([sys.executable, "-m", "handrec", "check", path], capture_output=True, text=True, check=False)
    assert (done.returncode, done.stderr) == (2, "")
    assert "histogram size mismatch" in done.stdout


DAMAGED = packed_bridge(3)
UNHARMED = [writing.line(record) for record in bridge(3)]


# --- the command line -----------------------------------------------------------------------------------------------


def test_convert_and_check(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """JSON Lines into an archive and back give the same bytes; an archive is checked as any file."""
    records = [*bridge(3), deal_game(the("kbabs"), 4, 1, numbers=[1, 2], inject="REV001")]
    source, archive, back = tmp_path / "in.jsonl", tmp_path / "a.parquet", tmp_path / "back.jsonl"
    source.write_text("".join(map(writing.line, records)))
    assert run(["convert", str(source), "-o", str(archive)]) == 0
    assert run(["convert", str(archive), "-o", str(back)]) == 0
    assert [json.loads(line) for line in back.read_text().splitlines()] == [
        json.loads(line) for line in source.read_text().splitlines()
    ]
    capsys.readouterr()
    assert run(["check", str(archive)]) == 1
    shown = capsys.readouterr().out
    assert "REV001" in shown
    assert "a.parquet:4" in shown
    assert run(["convert", str(source), "--to", "parquet"]) == 2
    assert "-o" in capsys.readouterr().err
    assert run(["convert", str(source), "-o", str(archive)]) == 2


@cache
@cache
def sound_and_faulty(seeds: int) -> list[Record]:
    """Some records of each game, not to be changed; and bridge, which has no faults here."""
    records = [record for game in GAMES for seed in range(seeds) for record in some_records(game, seed, 1, 2)]
    return [*records, deal_game(the("kbabs"), 3, 5), *bridge(3)]


@pytest.mark.some(1)
@pytest.mark.parametrize("seeds", [1, pytest.param(2, marks=pytest.mark.long)])
@pytest.mark.parametrize("how", sorted(FORMATS))
def test_check_tells_the_same_of_records_that_it_does_not_read(
    how: str, seeds: int, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """What the sieve passes is counted and named as if it had been read, in every format."""
    from handrec.formats import parquet

    records = sound_and_faulty(seeds)
    archive = tmp_path / "a.parquet"
    archive.write_bytes(packed(records))
    archives, told, read_again = sys.modules["handrec.archive.read"], [], []
    usual = archives.readings
    for one in (parquet.sift, None):
        monkeypatch.setattr(parquet, "FORMAT", parquet.FORMAT._replace(sift=one))
        by_key.cache_clear()
        many: list[int] = []
        monkeypatch.setattr(archives, "readings", lambda cut, rows, many=many: many.append(int(rows.sum())) or usual(cut, rows))
        code = run(["--no-config", "check", "-v", "-f", how, str(archive)])
        shown = capsys.readouterr()
        told.append((code, re.sub(r"in [0-9.]+ m?s", "", shown.out), shown.err))
        read_again.append(sum(many))
    assert told[0] == told[1]
    assert told[0][0] == 1
    assert read_again[1] == len(records)
    assert (read_again[0] < len(records)) == (how not in ("json", "jsonl"))
    by_key.cache_clear()


def test_without_pyarrow_the_way_to_it_is_named(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """One line, and nothing is written."""
    archive = tmp_path / "a.parquet"
    archive.write_bytes(packed_bridge(1))
    for name in [name for name in sys.modules if name.startswith(("handrec.archive", "pyarrow"))]:
        monkeypatch.delitem(sys.modules, name)
    monkeypatch.setitem(sys.modules, "pyarrow", None)
    (tmp_path / "in.jsonl").write_text(writing.line(bridge(1)[0]))
    for command in (["check", str(archive)], ["convert", str(tmp_path / "in.jsonl"), "-o", str(tmp_path / "b.parquet")]):
        assert run(command) == 2
        assert capsys.readouterr().err == "handrec: an archive needs numpy and pyarrow: pip install 'handrec[archive]'\n"
    assert sorted(path.name for path in tmp_path.iterdir()) == ["a.parquet", "in.jsonl"]
