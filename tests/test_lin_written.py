"""LIN written: what comes back is what was written, what LIN cannot hold is named, and others read what we write."""

from __future__ import annotations

import json
import logging
import re
from collections.abc import Callable
from pathlib import Path
from random import Random
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from handrec import games
from handrec.cli import run
from handrec.convert import written
from handrec.dealing import deal_game
from handrec.diff import compare
from handrec.formats import Unwritable, lin
from handrec.formats.lin.writer import joined, write
from handrec.record import Record
from tests.lin_boards import CALLS, EVENING, FIXTURES, HANDS, ROOMS, SHORT, only, read

BROADCAST = Path(__file__).parents[2] / "shared/data/vugraph_30.lin"
FAULTS = (FIXTURES / "faults.lin").read_text("utf-8")

#: Boards with something of everything that LIN has.
ODD = [
    f"pn|Ann,Bo,Cy,Di|md|0{HANDS[1:]}|sv|-|mb|p|mb|1N!|an|strong|an|very|mb|d|nt|a remark|mb|p|mb|p|mb|p|pc|HQ|up|1|pc|HJ|mc|9|",
    f"md|{HANDS}|mb|1S|mb|?|mb|p|pc|??|pc|S?|pc|?A|",
    f"zz||yy|one|md|{HANDS}|xx|two|{CALLS}ww|three|pc|HQ|pc|H5|up|2|vv|four|pc|HQ|nt|{'long ' * 300}|",
    f"md|{HANDS}|rs|4SSx|pc|HQ|mc|14|nt|at the end|",
    f"md|{HANDS}|rs|no result|sv|maybe|{CALLS}mc|0|",
    "mb|1S|mb|p|",
    "md|2,,,|rs|PASS|",
    "md|1SAKQ,,HAK,|ah|Board 12, the last|pc|SA|",
    f"qx|c3|pn|{','.join('abcdefgh')}|md|{HANDS}|{CALLS}",
    f"qx|3|pn|{','.join('abcdefgh')}|md|{HANDS}|{CALLS}pc|HQ|pc|H5|pc|H2|mc|12|pc|HA|",
    f"pn|{'x' * 1500},b,c|md|{HANDS}|ah|9|mb|1N!|an||an|told|nt|first|an|later|mb|p!!|pg||{'nt|a|' * 1100}",
]


def broadcast() -> list[Any]:
    return [pytest.param(BROADCAST.read_text("utf-8"), id="broadcast")] if BROADCAST.exists() else []


def files() -> list[Any]:
    names = {"evening": EVENING, "rooms": ROOMS, "faults": FAULTS, "short": SHORT, "claim": SHORT + "pc|SA|mc|11|"}
    return [*(pytest.param(text, id=name) for name, text in names.items()), *broadcast(), *ODD]


def records_of(text: str) -> list[Record]:
    return [reading.record for reading in read(text) if reading.record]


def plain(record: Record) -> dict[str, Any]:
    """All that a record says, hands sorted, but for its id, which tells its place in the file."""
    data = record.model_dump(mode="json", by_alias=True, exclude_none=True, exclude={"id"})
    for deal in data["deals"]:
        deal["hands"] = {seat: sorted(hand) for seat, hand in deal.get("hands", {}).items()}
    return data


@pytest.mark.some(6)
@pytest.mark.parametrize("text", files())
def test_what_is_written_is_read_again_and_is_then_written_so_again(text: str) -> None:
    """Each board by itself and all in one file: the same facts, and all else too; the second time, the same bytes."""
    records = records_of(text)
    assert records
    texts = [write(record) for record in records]
    for record, one in zip(records, texts, strict=True):
        [again] = records_of(one)
        assert compare([record, again], games.find, facts=True).rows == ()
        assert plain(again) == plain(record)
        assert write(again) == one
        assert written(record, lin.FORMAT, games.find) == (one, ())
    whole = "".join(joined(texts))
    both = records_of(whole)
    assert [*map(plain, both)] == [*map(plain, records)]
    assert "".join(joined(map(write, both))) == whole
    assert whole.count("\nvg|") + whole.startswith("vg|") == len(
        {text.split("\n")[0] for text in texts if text.startswith("vg|")}
    )


def test_a_board_is_a_line_and_a_match_has_its_title_above() -> None:
    lines = "".join(joined(map(write, records_of(EVENING)))).splitlines()
    assert len(lines) == 5
    dealt = "md|2S3479H458QD78C256,SH23TJD234JC349TQ,S28JQH7AD9TKAC8JA,|"
    assert lines[3] == f"pn|Ann,Bo,Cy,Di|st||{dealt}rh||ah|Board 4|sv|b|mb|p|mb|p|mb|p|mb|p|pg||"
    assert "mb|p|mb|1N!|an|15 to 17|mb|p|mb|3N|mb|p|mb|p|mb|p|pg||pc|S4|pc|S8|pc|S2|pc|S9|pg||pc|C2|" in lines[0]
    assert lines[0].endswith("pc|SK|pg||nt|Three no trump, just made. Ann and Cy had five spades.|pg||")
    assert lines[2].endswith("pc|D6|pc|C5|pg||mc|8|pg||")
    assert "pg||pc|SQ|up|1|pc|DQ|pc|D3|pc|D4|pc|D9|pg||" in lines[4]
    match = "".join(joined(map(write, records_of(ROOMS)))).splitlines()
    assert match[0] == "".join(ROOMS.splitlines()[:3])
    assert [line[:5] for line in match if line.startswith("qx")] == ["qx|o7", "qx|c7", "qx|o8", "qx|c8"]
    assert match[2] == "pc|SK|pc|S9|pc|ST|pc|SQ|pg||"


def test_matches_and_boards_in_one_file_keep_their_own_titles() -> None:
    other = ROOMS.replace("Autumn cup", "Winter cup")
    bare = f"md|{HANDS}|{CALLS}"
    records = records_of(EVENING)[:2] + records_of(ROOMS) + records_of(bare) + records_of(other)[:1] + records_of(ROOMS)[1:2]
    text = "".join(joined(map(write, records)))
    assert [*map(plain, records_of(text))] == [*map(plain, records)]
    assert [text.count(cup) for cup in ("Autumn cup", "Winter cup")] == [2, 1]


# --- what LIN cannot hold -------------------------------------------------------------------------------------------


def changed(change: Callable[[dict[str, Any]], Any], text: str = SHORT + "mc|11|") -> Record:
    record = records_of(text)[0]
    data = plain(record) | {"id": record.id}
    change(data)
    return Record.model_validate(data)


def deal(change: Callable[[dict[str, Any]], Any]) -> Callable[[dict[str, Any]], Any]:
    return lambda data: change(data["deals"][0])


def told(text: str, **more: Any) -> Callable[[dict[str, Any]], Any]:
    return deal(lambda deal: deal.update(comments=[{"text": text, **more}]))


def happened(place: int, *events: dict[str, Any]) -> Callable[[dict[str, Any]], Any]:
    return deal(lambda deal: deal["events"].__setitem__(slice(place, place), events))


SOURCE = {"id", "provenance source", "provenance kind"}
#: What a record has, and what is said to be lost of it.
LOST: dict[str, tuple[Callable[[dict[str, Any]], Any], set[str]]] = {
    "id": (lambda data: data.update(id="club-7"), SOURCE),
    "recorder": (lambda data: data["provenance"].update(recorder="Ann"), {*SOURCE, "provenance recorder"}),
    "option": (lambda data: data.update(options={"scoring": "rubber"}), {"option scoring"}),
    "status": (lambda data: data.update(status="complete"), {"status"}),
    "comment of the game": (lambda data: data.update(comments=[{"text": "a"}]), {"comment"}),
    "bar in a name": (lambda data: data["players"][0].update(name="A|B"), {"name"}),
    "comma in a name": (lambda data: data["players"][0].update(name="A,B"), {"name"}),
    "bar": (told("a|b"), {"comment"}),
    "tab": (told("a\tb"), {"comment"}),
    "lines": (told("a\nb", event=3), {"comment"}),
    "author": (told("a", by="Ann", event=13), {"comment"}),
    "alert of a card": (told("a", kind="alert", event=13), {"comment"}),
    "nothing said": (told("", event=13), {"comment"}),
    "unknown card in a hand": (deal(lambda deal: deal["hands"]["N"].__setitem__(-1, "??")), {"hand"}),
    "empty hand": (deal(lambda deal: deal["hands"].update(N=[])), {"hand"}),
    "cards": (deal(lambda deal: deal.update(cards=13)), {"cards"}),
    "leader": (deal(lambda deal: deal.update(leader="W")), {"leader"}),
    "pack": (deal(lambda deal: deal.update(pack=["AS"])), {"pack"}),
    "winners": (deal(lambda deal: deal.update(claimed={"winners": ["S"]})), {"claimed winner"}),
    "tricks without a contract": (
        deal(lambda deal: deal.update(claimed={"sides": {"NS": {"tricks": 9}}})),
        {"claimed NS tricks"},
    ),
    "call out of turn": (deal(lambda deal: deal["events"][1].update(by="N")), {"bid"}),
    "call taken back": (
        happened(1, {"do": "bid", "by": "S", "bid": "1C"}, {"do": "withdraw", "by": "S", "bid": "1C"}),
        {"bid", "withdraw"},
    ),
    "card taken back": (
        happened(11, {"do": "play", "by": "W", "card": "JH"}, {"do": "withdraw", "by": "W", "card": "JH"}),
        {"play", "withdraw"},
    ),
    "accusation": (happened(16, {"do": "accuse", "by": "N", "of": "E"}), {"accuse"}),
    "penalty": (happened(16, {"do": "penalty", "of": "E", "points": 3}), {"penalty"}),
    "hand faced": (happened(11, {"do": "show", "by": "N", "cards": ["TS"]}), {"show"}),
    "defender's claim": (deal(lambda deal: deal["events"][-1].update(by="W")), {"claim"}),
    "doubt": (deal(lambda deal: deal["events"][12].update(questioned=True)), {"play"}),
    "trump alone": (
        deal(lambda deal: deal["events"].__setitem__(slice(0, 11), [{"do": "contract", "by": "S", "bid": "S"}])),
        {"contract", "claim"},
    ),
    "no side": (deal(lambda deal: deal.update(vulnerable="N")), {"vulnerable"}),
    "another extension": (lambda data: data.update(extensions={"mine": 1}), {"extension mine"}),
    "what is no pair": (
        lambda data: data.update(extensions={"lin": [["zz", "a|pc|SA"], ["md", "1SA"], ["pc", "SA", 12], 3]}),
        {"extension lin"},
    ),
}


@pytest.mark.parametrize("name", LOST)
def test_what_lin_cannot_hold_is_named(name: str) -> None:
    change, lost = LOST[name]
    text, rows = written(changed(change), lin.FORMAT, games.find)
    assert {row.what for row in rows} == lost
    assert len(records_of(text)) == 1


def test_what_lin_can_hold_is_not_named() -> None:
    for change in (
        lambda data: None,
        deal(lambda deal: deal["events"].pop() and deal.update(status="stopped")),
        deal(lambda deal: deal.pop("vulnerable")),
        deal(lambda deal: deal["events"].__setitem__(slice(0, 11), [{"do": "contract", "by": "S", "bid": "4Sxx"}])),
        deal(lambda deal: deal["events"].insert(11, {"do": "contract", "by": "S", "bid": "4S"})),
        deal(lambda deal: deal["events"][12].update(by="N")),
        deal(lambda deal: deal["hands"].pop("W") and deal["hands"].pop("N")),
        lambda data: [player.pop("name") for player in data["players"]],
    ):
        assert written(changed(change), lin.FORMAT, games.find)[1] == ()


def test_what_is_no_board_of_bridge_cannot_be_written(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    for change in (
        lambda data: data.update(game="kbabs"),
        lambda data: data["players"][0].update(seat="North"),
        lambda data: data.update(deals=[]),
    ):
        with pytest.raises(Unwritable):
            write(changed(change))
    source = tmp_path / "a.json"
    source.write_text(json.dumps(plain(changed(lambda data: data.update(deals=[])))))
    assert run(["convert", str(source), "--to", "lin"]) == 1
    assert "lin cannot hold" in capsys.readouterr().err


def test_a_record_of_several_deals_is_as_many_boards() -> None:
    record, more = records_of(EVENING)[:2]
    both = record.model_copy(update={"deals": [*record.deals, *more.deals]})
    text, rows = written(both, lin.FORMAT, games.find)
    assert rows == ()
    assert [plain(one)["deals"][0] for one in records_of(text)] == [plain(one)["deals"][0] for one in (record, more)]


def test_a_result_that_was_corrected_is_written_beside_the_list_of_the_match() -> None:
    def correct(data: dict[str, Any]) -> None:
        data["deals"][0]["claimed"]["sides"]["NS"]["tricks"] = 9

    record = changed(correct, ROOMS)
    text, rows = written(record, lin.FORMAT, games.find)
    assert rows == ()
    assert "sv|b|rs|2CS+1|mb|" in text
    assert "rs|2CS=,2CS-1," in text


@settings(max_examples=25, deadline=None, derandomize=True)
@given(st.integers(0, 100_000), st.sampled_from([None, "REV001"]))
def test_any_deal_is_written_and_read_back(seed: int, fault: str | None) -> None:
    game = games.find("bridge")
    assert game
    record = deal_game(game, 4, seed, numbers=[Random(seed).randrange(1, 33)], inject=fault)
    [again] = records_of(write(record))
    rows = compare([record, again], games.find, facts=True).rows
    assert all(row.what.startswith("claimed ") or row.what in ("cards", "status") for row in rows)


# --- a byte changed -------------------------------------------------------------------------------------------------

#: The tags whose values are facts.
FACTS = ("md", "ah", "sv", "rs", "mb", "pc", "mc")
NOTED = "!"


@pytest.mark.some(1)
@pytest.mark.parametrize("many", [50, pytest.param(150, marks=pytest.mark.long)])
@pytest.mark.parametrize("text", [EVENING, ROOMS, SHORT + "mc|11|"], ids=["evening", "rooms", "short"])
def test_a_byte_changed_in_a_written_fact_is_seen(text: str, many: int) -> None:
    """Whatever takes the place of a character: another fact is read, or a finding.

    The comma after North's hand is no fact, nor the letter of a suit of which a hand has none.
    """
    rng = Random(text)
    for record in records_of(text)[:2]:
        whole = write(record)
        before = record.model_copy(update={"extensions": {}})
        board = whole.index("st||")
        spots = [
            spot
            for tag in FACTS
            for start in range(board, len(whole))
            if whole.startswith(f"{tag}|", start) and whole[start - 1] in "|\n"
            for spot in range(start + 3, whole.index("|", start + 3))
            if whole[spot] not in NOTED + "Boardunm " and not re.match("[SHDC][SHDC,|]|,[|]", whole[spot : spot + 2])
        ]
        for spot in rng.sample(spots, min(many, len(spots))):
            instead = rng.choice([each for each in "23456789TJQKASHDCNpdr1,." if each.lower() != whole[spot].lower()])
            readings = read(whole[:spot] + instead + whole[spot + 1 :])
            seen = len(readings) != 1 or readings[0].findings or not readings[0].record
            assert seen or compare([before, readings[0].record], games.find, facts=True).rows, (
                whole[spot - 9 : spot + 9],
                instead,
            )  # type: ignore[list-item]


# --- read by others -------------------------------------------------------------------------------------------------

#: What bridgebots tells of a board: how it is found there and, of our record, what it must be.
FEATURES: dict[str, tuple[Callable[[Any, Any], Any], Callable[[Record], Any]]] = {
    "dealer": (lambda deal, board: deal.dealer.name[0], lambda record: record.deals[0].dealer),
    "vulnerable": (
        lambda deal, board: {(0, 0): "none", (1, 0): "NS", (0, 1): "EW", (1, 1): "all"}[deal.ns_vulnerable, deal.ew_vulnerable],
        lambda record: record.deals[0].vulnerable,
    ),
    "hands": (
        lambda deal, board: {seat.name[0]: sorted(map(_card, cards)) for seat, cards in deal.player_cards.items()},
        lambda record: {seat: sorted(hand) for seat, hand in (record.deals[0].hands or {}).items()},
    ),
    "calls": (
        lambda deal, board: [{"PASS": "pass"}.get(call, call) for call in board.bidding_record],
        lambda record: [event.bid for event in record.deals[0].events if event.do == "bid"],
    ),
    "alerts": (
        lambda deal, board: [(each.bid_index + 1, each.alerted, each.explanation or "") for each in board.bidding_metadata],
        lambda record: [(each.event, each.kind == "alert", each.text) for each in record.deals[0].comments or () if each.kind],
    ),
    "plays": (
        lambda deal, board: [*map(_card, board.play_record)],
        lambda record: [event.card for event in record.deals[0].events if event.do == "play"],
    ),
    "names": (
        lambda deal, board: {seat.name[0]: name for seat, name in board.names.items()},
        lambda record: {player.seat: player.name for player in record.players},
    ),
    "tricks": (lambda deal, board: board.tricks, lambda record: _tricks(record)),
    "comments": (
        lambda deal, board: [each.comment for each in board.commentary or ()],
        lambda record: [each.text for each in record.deals[0].comments or () if not each.kind],
    ),
}


def _card(card: Any) -> str:
    return str(card)[1] + str(card)[0]


def _tricks(record: Record) -> int:
    """Declarer's tricks, as the claim in the text says or the referee counted them."""
    text = write(record)
    if "mc|" in text:
        return int(text.split("mc|")[1].split("|")[0])
    from handrec.referee import check

    tricks = check(record, games.find).deals[0].tricks or {}
    claim = only(text).record
    assert claim
    from handrec.formats.lin.reading import came_to

    contract = came_to([str(event.bid) for event in record.deals[0].events if event.do == "bid"], record.deals[0].dealer)
    assert contract
    side = "NS" if contract.by in ("N", "S") else "EW"
    return sum(many for seat, many in tricks.items() if seat in side) if contract.by else 0


@pytest.mark.parametrize("text", [pytest.param(EVENING, id="evening"), pytest.param(ROOMS, id="rooms"), *broadcast()])
def test_others_read_what_is_written(text: str, tmp_path: Path) -> None:
    logging.getLogger("bridgebots").setLevel(logging.ERROR)
    bridgebots = pytest.importorskip("bridgebots.lin", reason="bridgebots is not installed: pip install 'handrec[test]'")
    records = [record for record in records_of(text) if "up|" not in write(record)]
    path = tmp_path / "a.lin"
    path.write_text("".join(joined(map(write, records))), "utf-8")
    several = text.startswith("vg|")
    found = bridgebots.parse_multi_lin(path) if several else bridgebots.parse_single_lin(path)
    boards = [(each.deal, board) for each in found for board in each.board_records]
    assert len(boards) == len(records)
    name = {board.board_name: (deal, board) for deal, board in boards}
    assert len(name) == len(records)
    for record in records:
        kept = dict(pair[:2] for pair in record.extensions.get("lin", []))
        deal, board = name[kept.get("qx", f"Board {record.deals[0].board}")]
        for feature, (theirs, ours) in FEATURES.items():
            assert theirs(deal, board) == ours(record), (record.id, feature)
