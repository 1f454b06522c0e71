"""The writer of PBN: what is written says what the record says, looks as it should, and is the same when written again."""

from __future__ import annotations

import re
from collections.abc import Callable
from functools import cache
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from handrec import games
from handrec.cli import run
from handrec.convert import written
from handrec.dealing import deal_game
from handrec.diff import compare
from handrec.formats import Unwritable, pbn
from handrec.formats import read as read_any
from handrec.record import Deal, Record
from handrec.report.losses import data as losses
from handrec.writing import plain
from tests.pbn_games import CLUB, DEAL, FAULTS, PLAIN, ROOT, calls, dumped, read

SHARED = ROOT.parent / "shared/data"
FILES = [CLUB, FAULTS, ROOT / "fixtures/bridge/slid-rows.pbn"]
OTHERS = [SHARED / name for name in ("correct_10.pbn", "errors_10.pbn", "rotated_800.pbn")]


def records(path: Path) -> list[Record]:
    if not path.exists():
        pytest.skip(f"{path.name} is not at {path.parent}")
    return [reading.record for reading in read(path.read_bytes()) if reading.record]


def again(record: Record, text: str) -> Record:
    """The record that was read from the text that was written of another."""
    [reading] = read(text)
    assert reading.record
    assert not {finding.code for finding in reading.findings} & {"FMT002"}
    assert compare([record, reading.record], games.find, facts=True).rows == ()
    return reading.record


def bridge(deal: dict[str, Any] | None = None, **fields: Any) -> Record:
    """A record of one deal, whose hands are known."""
    players = [{"seat": seat} for seat in "NESW"]
    [known] = [reading.record.deals[0] for reading in read(DEAL) if reading.record]
    data = {"format": "handrec", "version": "1.1", "game": "bridge", "players": players, "status": "excerpt"} | fields
    stated = {"number": 5, "board": 5, "dealer": "N", "hands": known.hands} | (deal or {})
    return Record.model_validate(data | {"deals": [{key: value for key, value in stated.items() if value is not None}]})


def changed(record: Record, deal: dict[str, Any]) -> Record:
    """A record with another deal."""
    return record.model_copy(update={"deals": [Deal.model_validate(deal)]})


def bids(words: str, first: str = "N") -> list[dict[str, Any]]:
    """Calls in turn."""
    start = "NESW".index(first)
    return [{"do": "bid", "by": "NESW"[(start + place) % 4], "bid": bid} for place, bid in enumerate(words.split())]


def told(record: Record) -> list[str]:
    """What is lost, by pointer."""
    return [row["pointer"] for row in losses("x", written(record, pbn.FORMAT, games.find)[1])]


# --- there and back -------------------------------------------------------------------------------------------------


@pytest.mark.some(3)
@pytest.mark.parametrize("step", [20, pytest.param(1, marks=pytest.mark.long)])
@pytest.mark.parametrize("path", [*FILES, *OTHERS], ids=lambda path: path.name)
def test_every_game_comes_back_from_pbn_and_json_and_is_written_the_same_again(path: Path, step: int) -> None:
    """Of a large file every twentieth game, or all."""
    found = records(path)
    for record in found[:: step if len(found) > 100 else 1]:
        text, lost = written(record, pbn.FORMAT, games.find)
        assert lost == (), record.id
        through = Record.model_validate_json(record.model_dump_json(by_alias=True, exclude_unset=True))
        assert pbn.write(through) == text
        back = again(record, text)
        assert pbn.write(back) == text
        one, other = (plain(each)["deals"][0] for each in (record, back))
        for deal in (one, other):
            deal["hands"] = {seat: sorted(cards) for seat, cards in deal.get("hands", {}).items()}
            deal["comments"] = sorted(map(str, deal.get("comments", [])))
        assert one == other


def test_games_that_were_dealt_are_written_and_come_back() -> None:
    game = games.find("bridge")
    assert game
    for seed in range(12):
        record = deal_game(game, 4, seed, numbers=[seed + 1])
        text, lost = written(record, pbn.FORMAT, games.find)
        assert lost == ()
        assert pbn.write(again(record, text)) == text


ALPHABET = "NESWHDCAKQJTX-*+P0123456789"
FACTS = "Board|Dealer|Vulnerable|Deal|Declarer|Contract|Result|Score|Auction|Play"


def written_facts(text: str) -> list[int]:
    """Where each character of a fact stands: values of tags, and the words of the sections."""
    spots = [place for match in re.finditer(rf'^\[(?:{FACTS}) "(.*)"\]$', text, re.M) for place in range(*match.span(1))]
    for match in re.finditer(r'^\[(?:Auction|Play) "."\]\n((?:[^\[\n].*\n)*)', text, re.M):
        spots += range(*match.span(1))
    return [place for place in spots if not text[place].isspace()]


@cache
def changeable() -> str:
    """A game in which every fact is stated."""
    [record] = [reading.record for reading in read(PLAIN) if reading.record]
    deal = plain(record)["deals"][0]
    deal |= {"dealer": "S", "vulnerable": "EW"}
    deal["events"] = [*bids("5H X pass pass pass", "S"), *deal["events"]]
    deal["claimed"]["sides"]["NS"] |= {"score": -300, "imps": "-2.5", "matchpoints": 12}
    text, lost = written(changed(record, deal), pbn.FORMAT, games.find)
    assert lost == ()
    return text


@pytest.mark.some(1)
@pytest.mark.parametrize("part", range(4))
def test_a_character_that_is_changed_in_a_written_fact_is_seen(part: int) -> None:
    """Every character of every tag of facts and of every word of the sections, for three others."""
    text = changeable()
    [before] = [reading.record for reading in read(text) if reading.record]
    spots = written_facts(text)
    assert len(spots) > 140
    for place in spots[part::4]:
        others = [each for each in ALPHABET if each != text[place]]
        for step in (1, 7, 13):
            other = text[:place] + others[(place * step) % len(others)] + text[place + 1 :]
            after = read(other)[0].record
            assert after
            line = other[other.rfind("\n", 0, place) + 1 : other.find("\n", place)]
            assert compare([before, after], games.find, facts=True, seats=False).rows, line


# --- how it looks ---------------------------------------------------------------------------------------------------


def test_a_game_looks_as_the_standard_has_it() -> None:
    record = bridge(
        {
            "dealer": "S",
            "status": "claimed",
            "vulnerable": "NS",
            "events": [
                *bids("pass pass 1S pass 2H X pass pass pass", "S"),
                {"do": "contract", "by": "E", "bid": "2Hx"},
                *(
                    {"do": "play", "by": by, "card": card}
                    for by, card in zip("SWNES", ("3D", "2D", "AD", "TD", "AH"), strict=True)
                ),
            ],
            "comments": [
                {"text": "A long evening."},
                {"text": "15-17", "event": 3, "kind": "alert"},
                {"text": "to play", "event": 5, "kind": "explanation"},
                {"text": "!?", "event": 5},
                {"text": "after a while", "event": 6},
                {"text": "top of nothing", "event": 11},
            ],
            "claimed": {"sides": {"EW": {"tricks": 8, "score": 470}}},
        },
        players=[{"seat": "N", "name": 'Nora "N."'}, {"seat": "E"}, {"seat": "S"}, {"seat": "W", "name": "W\\ll"}],
        extensions={"pbn": {"Club": "ours", "HomeTeam": "them", "Event": "Cup", "ScoreTable": "Place;Score\n1 60\n2 40"}},
    )
    assert pbn.write(record) == (
        '[Event "Cup"]\n[Site ""]\n[Date ""]\n[Board "5"]\n[West "W\\\\ll"]\n[North "Nora \\"N.\\""]\n[East ""]\n[South ""]\n'
        '[Dealer "S"]\n[Vulnerable "NS"]\n'
        '[Deal "N:.63.AKQ987.A9732 A8654.KQ5.T.QJT6 J973.J98742.3.K4 KQT2.AT.J6542.85"]\n'
        '[Scoring ""]\n[Declarer "E"]\n[Contract "2HX"]\n[Result "8"]\n[Score "EW 470"]\n[HomeTeam "them"]\n[Club "ours"]\n'
        "{A long evening.}\n"
        '[Auction "S"]\nPass  Pass  1S =1= Pass\n2H =2= !? X {after a while} AP\n'
        '[Note "1:Alert: 15-17"]\n[Note "2:to play"]\n'
        '[Play "S"]\nD3 {top of nothing} D2  DA  DT\n-   -   -   ^L HA\n*\n'.replace("-   -   -   ^L HA", "^L HA -   -   -")
        + '[ScoreTable "Place;Score"]\n1 60\n2 40\n\n'
    )


def test_lines_are_not_too_long_and_long_comments_come_back() -> None:
    words = " ".join(f"word{number}" for number in range(120))[:900].strip()
    events = [*bids("1C pass 1D pass"), {"do": "contract", "by": "S", "bid": "1D"}]
    at = [{"text": words, **({"event": place} if place else {})} for place in range(6)]
    record = bridge({"events": events, "comments": [*at, {"text": f"two\n   lines {words}"}], "status": "stopped"})
    text, lost = written(record, pbn.FORMAT, games.find)
    assert lost == ()
    assert max(map(len, text.split("\n"))) <= 255


@pytest.mark.parametrize(
    ("events", "status", "sections"),
    [
        (bids("pass pass pass pass"), "complete", 'Auction "N"]\nPass  Pass  Pass  Pass\n'),
        (bids("1C pass pass pass"), "stopped", 'Auction "N"]\n1C    AP\n'),
        (bids("1C X"), "stopped", 'Auction "N"]\n1C    X     *\n'),
        (bids("1C ? XX"), "in_progress", 'Auction "N"]\n1C    -     XX    +\n'),
        ([*bids("1C"), *bids("1D", "S")], "stopped", 'Auction "N"]\n1C    ^S    1D    *\n'),
        (bids("1NT pass pass pass", "W"), "stopped", 'Auction "N"]\n^S    ^S    ^S    1NT\nAP\n'),
        ([{"do": "contract", "by": "S", "bid": "4S"}], "in_progress", 'Play "W"]\n+   -   -   -\n'),
        ([{"do": "contract", "by": "S", "bid": "4S"}], "claimed", 'Play "W"]\n*\n'),
    ],
)
def test_partial_records(events: list[dict[str, Any]], status: str, sections: str) -> None:
    record = bridge({"events": events, "status": status})
    text, lost = written(record, pbn.FORMAT, games.find)
    assert (lost, text.partition("\n[")[2].endswith(f"[{sections}\n")) == ((), True), text
    assert pbn.write(again(record, text)) == text


def test_a_deal_alone_is_written() -> None:
    record = bridge({"events": [], "status": "stopped", "hands": {"S": ["AS", "KS"] * 6 + ["2C"], "W": ["??"] * 13}})
    text, lost = written(record, pbn.FORMAT, games.find)
    assert '[Deal "N:- - AKAKAKAKAKAK...2 -"]' in text or "AAAAAAKKKKKK" in text
    assert [row.path[2:] for row in lost] == [("hands", "W")]


def test_what_follows_from_the_rest_is_written_and_is_nobodys_statement() -> None:
    """Other programs look for contract, declarer and result; a result that was changed by hand is somebody's."""
    [record] = [reading.record for reading in read(PLAIN) if reading.record]
    deal = plain(record)["deals"][0]
    deal["events"] = [*bids("5H X pass pass pass", "S"), *deal["events"][1:]]
    del deal["claimed"]
    record = changed(record, deal | {"dealer": "S"})
    text, lost = written(record, pbn.FORMAT, games.find)
    assert lost == ()
    for line in ('[Declarer "S"]', '[Contract "5HX"]', '[Result "9"]', '[RecordDerived "Contract Declarer Result"]'):
        assert f"\n{line}\n" in text
    back = again(record, text)
    assert (back.deals[0].claimed, [event.do for event in back.deals[0].events if event.do == "contract"]) == (None, [])
    [other] = [each.record for each in read(text.replace('[Contract "5HX"]', '[Contract "6HX"]')) if each.record]
    assert [dumped(event) for event in other.deals[0].events if event.do == "contract"] == [{"do": "contract", "bid": "6Hx"}]


# --- remarks --------------------------------------------------------------------------------------------------------

ALERTS = [
    ("", "alert"), ("15-17", "alert"), ("Alert", "alert"), ("Alert: x", "alert"), ("alerted, weak", "alert"), ("Alert:", "alert"),
    ("strong", "explanation"), ("alertness", "explanation"), ("alert of course", "explanation"), ("a: b", "explanation"),
]  # fmt: skip


@pytest.mark.parametrize(("text", "kind"), ALERTS)
def test_alerts_and_explanations_come_back(text: str, kind: str) -> None:
    comments = [{"text": text, "kind": kind, "event": 1}]
    record = bridge({"events": bids("1C pass pass pass"), "comments": comments, "status": "stopped"})
    out, lost = written(record, pbn.FORMAT, games.find)
    assert lost == ()
    assert [dumped(comment) for comment in again(record, out).deals[0].comments or ()] == comments


def test_an_alert_and_its_explanation_both_come_back() -> None:
    """A call refers to one note; what else is said of it comes back all the same, and is written the same again."""
    said = [("", "alert"), ("weak", "explanation"), ("  or {strong}", None), ("weak", "explanation")]
    comments = [{"text": text, "event": 1} | ({"kind": kind} if kind else {}) for text, kind in said]
    record = bridge({"events": bids("1C pass pass pass"), "comments": comments, "status": "stopped"})
    out, lost = written(record, pbn.FORMAT, games.find)
    assert lost == ()
    back = again(record, out)
    assert [dumped(comment) for comment in back.deals[0].comments or ()] == comments
    assert written(back, pbn.FORMAT, games.find)[0] == out


def test_more_notes_than_there_are_numbers_come_back_all_the_same() -> None:
    events = bids(
        " ".join(f"{level}{strain}" for level in range(1, 8) for strain in ("C", "D", "H", "S", "NT")) + " pass pass pass"
    )
    comments = [{"text": f"meaning {place}", "kind": "explanation", "event": place} for place in range(1, 36)]
    record = bridge({"events": events, "comments": comments, "status": "stopped"})
    text, lost = written(record, pbn.FORMAT, games.find)
    assert "=32=" in text
    assert "=33=" not in text
    assert lost == ()
    [back] = [reading.record for reading in read(text) if reading.record]
    assert [comment.text for comment in back.deals[0].comments or ()] == [f"meaning {place}" for place in range(1, 36)]


PARTS = [*'ab !?$1{};%[]"\\\n#^I=-*+', "\u2660", "\xe9", '[Event "x"]', "\n\n", "Alert: "]
TEXTS = st.lists(st.sampled_from(PARTS), max_size=12).map("".join)
COMMENT = st.fixed_dictionaries(
    {"text": TEXTS}, optional={"event": st.integers(1, 7), "kind": st.sampled_from(["alert", "explanation"]), "by": TEXTS}
)


@settings(deadline=None, max_examples=25, derandomize=True)
@given(st.lists(COMMENT, max_size=5), st.dictionaries(st.sampled_from(["Event", "Own", "Mode", "OwnTable"]), TEXTS, max_size=3))
def test_whatever_is_said_it_comes_back_or_is_named_and_no_fact_is_touched(
    said: list[dict[str, Any]], tags: dict[str, str]
) -> None:
    events = [*bids("1C X pass pass pass"), {"do": "contract", "by": "N", "bid": "1Cx"}, {"do": "play", "by": "E", "card": "AS"}]
    record = bridge({"events": events, "comments": said, "status": "stopped"}, extensions={"pbn": tags})
    text, lost = written(record, pbn.FORMAT, games.find)
    back = again(record, text)
    kept = [dumped(comment) for comment in back.deals[0].comments or ()]
    missing = [comment for comment in said if comment not in kept]
    assert len(missing) == 0 or any(row.what == "comment" for row in lost)
    other = {name for name, value in tags.items() if back.extensions.get("pbn", {}).get(name, "") != value}
    assert not other or any(row.what == "extension pbn" for row in lost)
    assert compare([back, again(back, pbn.write(back))], games.find, facts=True).rows == ()


def twice(record: Record) -> tuple[str, str]:
    """A record written, and written again after it was read."""
    first = pbn.write(record)
    [reading] = read(first)
    assert reading.record
    return first, pbn.write(reading.record)


@pytest.mark.parametrize(
    "text",
    [
        # a result of nobody knows whom, until the calls are written without what is none
        PLAIN.replace('[Declarer "S"]\n', '[Auction "S"]\n5H X Pass Pass Pass zz\n').partition("[Play")[0],
        # a comment closed by a line that cannot stand in a section
        PLAIN.partition("[Play")[0] + '[Auction "S"]\n5H Pa {said\n% so}\n',
    ],
)
def test_odd_games_are_the_same_bytes_when_they_are_written_again(text: str) -> None:
    """What was kept as it stood is kept the next time too."""
    [reading] = read(text)
    assert reading.record
    first, second = twice(reading.record)
    assert second == first
    assert '[Result "9"]' in second


def unclaimed(deal: dict[str, Any]) -> dict[str, Any]:
    """The deal with nothing written down of what came of it."""
    del deal["claimed"]
    return deal


def oddly(deal: dict[str, Any]) -> None:
    """A claim of a trick where none is left."""
    deal["events"].append({"do": "claim", "by": "N", "tricks": {"N": 1}})


ODDITIES: dict[str, Callable[[dict[str, Any]], None]] = {
    "numbers that JSON cannot be relied on to hold": lambda data: data.update(
        extensions={"large": 10**60, "small": 1}, options={"boards": 1e300}
    ),
    "hands without cards": lambda data: unclaimed(data["deals"][0])["hands"].update(N=[], E=[], W=[]),
    "a claim where no trick is left": lambda data: oddly(data["deals"][0]),
}


@pytest.mark.parametrize("odd", ODDITIES)
def test_odd_records_are_the_same_bytes_when_they_are_written_again(odd: str) -> None:
    """Also where something is left out, which is told as lost."""
    game = games.find("bridge")
    assert game
    data = plain(deal_game(game, 4, 1, numbers=[5]))
    ODDITIES[odd](data)
    record = Record.model_validate(data)
    first, second = twice(record)
    assert second == first
    assert written(record, pbn.FORMAT, games.find)[1] != ()


# --- what PBN has no tag for ----------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("deal", "fields"),
    [
        ({"board": None}, {"version": "1.0"}),
        ({"number": 3}, {}),
        ({"leader": "E", "cards": 13}, {}),
        ({"claimed": {"tricks": {"N": 3}, "sides": {"NS": {"tricks": 9}}}}, {}),
        ({}, {"id": "mine", "options": {"scoring": "rubber"}, "comments": [{"text": "all", "by": "Ann"}]}),
        ({}, {"provenance": {"recorder": "Ann", "date": "2024-05"}, "extensions": {"lin": {"vg": ["a", "b"]}}}),
        ({}, {"status": "complete", "claimed": {"sides": {"EW": {"imps": "1.5"}}}}),
    ],
)
def test_what_pbn_has_no_tag_for_stands_in_one_of_our_own(deal: dict[str, Any], fields: dict[str, Any]) -> None:
    record = bridge({"events": [], "status": "stopped"} | deal, **fields)
    text, lost = written(record, pbn.FORMAT, games.find)
    assert (lost, text.count("[Record ")) == ((), 1)
    back = again(record, text)
    assert pbn.write(back) == text
    one, other = (plain(each) for each in (record, back))
    for field in ("options", "status", "claimed", "comments", *(["id"] if "id" in one else []), "extensions"):
        assert one.get(field, {}) == other.get(field, {})


@pytest.mark.parametrize(
    "value", ["", "x", "[]", "{", '{"deal": 1}', '{"options": 3}', '{"deal": {"leader": 7}}', "{" * 50, '{"id": 1e9}']
)
def test_a_tag_of_our_own_that_is_broken_is_told_and_hides_nothing(value: str) -> None:
    quoted = value.replace('"', '\\"')
    [reading] = read(f'{PLAIN.rstrip()}\n[Record "{quoted}"]\n')
    assert reading.record
    assert reading.record.deals[0].events == next(iter(read(PLAIN))).record.deals[0].events  # type: ignore[union-attr]
    assert [finding.code for finding in reading.findings] == ["FMT001"]


LOST = [
    ("withdrawn call", [*bids("1C"), {"do": "withdraw", "by": "N", "bid": "1C"}, *bids("1D pass pass pass")], {0, 1}),
    ("accusation", [*bids("1C pass pass pass"), {"do": "accuse", "by": "N", "of": "E"}], {4}),
    ("penalty", [{"do": "penalty", "of": "E", "points": 50}], {0}),
    ("ruling", [{"do": "ruling", "of": "E", "verdict": "upheld"}], {0}),
    ("cards shown", [{"do": "show", "by": "S", "cards": ["JS"]}], {0}),
    ("a second contract", [{"do": "contract", "by": "S", "bid": bid} for bid in ("1C", "2C")], {1}),
    ("no contract", [{"do": "contract", "by": "S", "bid": "none"}], {0}),
    ("half a card", [{"do": "contract", "by": "S", "bid": "1C"}, {"do": "play", "by": "W", "card": "?S"},
                     {"do": "play", "by": "N", "card": "2C"}], {1}),
    ("a card at the end", [{"do": "contract", "by": "S", "bid": "1C"}, {"do": "play", "by": "W", "card": "??"}], {1}),
    ("a card out of turn", [{"do": "contract", "by": "S", "bid": "1C"}, {"do": "play", "by": "W", "card": "KS"},
                            {"do": "play", "by": "E", "card": "4S"}, {"do": "play", "by": "N", "card": "3H"}], {2}),
    ("a call nobody knows at the end", bids("1C ?"), {1}),
]  # fmt: skip


@pytest.mark.parametrize(("events", "lost"), [row[1:] for row in LOST], ids=[row[0] for row in LOST])
def test_what_is_lost_is_named(events: list[dict[str, Any]], lost: set[int]) -> None:
    found = told(bridge({"events": events, "status": "stopped"}))
    assert {*found} == {f"/deals/0/events/{place}" for place in lost}


def test_a_lead_out_of_turn_stays_where_it_was() -> None:
    """Its row is marked, so that the order of play is read as it was."""
    [record] = [reading.record for reading in read(PLAIN.replace("C5 C2 C6 CK", "C5 C2 ^L C6 CK")) if reading.record]
    deal = plain(record)["deals"][0]
    for event in deal["events"]:
        event.pop("marked", None)
        event.pop("trick", None)
    bare = changed(record, deal)
    text, lost = written(bare, pbn.FORMAT, games.find)
    assert (lost, "C5  C2  ^L C6 CK" in text) == ((), True)
    assert [event for event in again(bare, text).deals[0].events if event.do == "play"][4].card == "6C"


def test_no_game_of_bridge_at_this_table_is_not_written() -> None:
    spades = read_any((ROOT / "fixtures/clean/bridge-4-deals.handrec.json").read_bytes(), "x.json")
    [record] = [reading.record for reading in spades if reading.record]
    with pytest.raises(Unwritable, match="kbabs"):
        written(record.model_copy(update={"game": "kbabs"}), pbn.FORMAT)
    with pytest.raises(Unwritable, match="N, E, S, W"):
        written(record.model_copy(update={"players": record.players[:3]}), pbn.FORMAT)
    with pytest.raises(Unwritable, match="no deals"):
        written(record.model_copy(update={"deals": []}), pbn.FORMAT)
    text, lost = written(record, pbn.FORMAT, games.find)
    assert (lost, text.count("[Deal ")) == ((), len(record.deals))


def test_tags_of_a_game_of_another_kind_come_back() -> None:
    text = '[GameCode "Spades"]\n[Deal "S:.Q975.AJ8732.5.HL A.2.3.4 K.3.4.5"]\n[Play "S"]\nJH JL Q9\n\n'
    [record] = [reading.record for reading in read(text) if reading.record]
    assert pbn.write(record) == text


def test_calls_are_written_as_they_are_read() -> None:
    [record] = [reading.record for reading in read('[Dealer "N"][Auction "E"]\n- - - p p 1n X 2C ap *') if reading.record]
    assert calls(record.deals[0])[2] == "S 1NT"
    assert "\nPass  Pass  1NT   X\n2C    AP\n" in pbn.write(record)


# --- the command ----------------------------------------------------------------------------------------------------


def test_files_of_many_games(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    monkeypatch.chdir(tmp_path)
    assert run(["convert", str(CLUB), "-o", "club.jsonl"]) == 0
    assert run(["convert", "club.jsonl", "-o", "out.pbn"]) == 0
    assert run(["convert", "out.pbn", "--to", "pbn"]) == 0
    text = Path("out.pbn").read_text("utf-8")
    assert capsys.readouterr().out == text
    assert text.startswith('% PBN 2.1\n% EXPORT\n[Event "Club evening"]\n')
    assert (text.count("%"), text.count("\n\n"), text.endswith("\n\n")) == (2, 6, True)
    assert run(["diff", str(CLUB), "out.pbn", "--facts"]) == 0
