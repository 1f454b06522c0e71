"""The reader of PBN: what it makes of sound games, however they are written."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from handrec.cli import run
from handrec.dealing import deal_game
from handrec.formats import format_of, pbn
from handrec.formats import read as read_any
from handrec.games import find
from handrec.referee import check
from handrec.writing import event_facts
from tests.pbn_games import BOARD, CLUB, DEAL, FAULTS, PLAIN, ROWS, calls, dumped, judged, one, plays, read, told

# --- sound games ----------------------------------------------------------------------------------------------------


def test_nothing_is_wrong_with_the_club_evening() -> None:
    assert judged(CLUB.read_bytes()) == [[]] * 6


def test_what_the_club_evening_says() -> None:
    records = [reading.record for reading in read(CLUB.read_bytes()) if reading.record]
    assert [record.id for record in records] == [f"club.pbn#{place}" for place in range(1, 7)]
    assert [record.deals[0].number for record in records] == [1, 2, 3, 4, 5, None]
    assert [record.deals[0].status for record in records] == [
        "complete", "claimed", "in_progress", "complete", "stopped", "stopped",
    ]  # fmt: skip
    first, second, third, fourth, fifth, last = (record.deals[0] for record in records)
    assert {player.seat: player.name for player in records[0].players} == {"N": "Nora", "E": "Emil", "S": "Sofia", "W": "Willem"}
    assert [player.name for player in records[1].players] == [None] * 4
    assert records[0].provenance
    assert records[0].provenance.source == "club.pbn"
    assert (first.dealer, first.leader) == ("N", None)
    assert (first.board, first.vulnerable, last.board, fourth.vulnerable) == (1, "none", None, None)
    assert calls(first) == ["N pass", "E 1D", "S pass", "W 4C", "N pass", "E pass", "S pass"]
    assert dumped(first.events[7]) == {"do": "contract", "by": "W", "bid": "4C"}
    assert first.claimed
    assert dumped(first.claimed) == {"sides": {"EW": {"tricks": 2}}}
    assert plays(first)[:9] == ["N 8H", "E JH", "S KH", "W 7H", "S AC", "W 3C", "N 6C", "E 9C", "S 8S"]
    assert [dumped(comment) for comment in first.comments or []] == [
        {"text": "to play", "kind": "explanation", "event": 4}, {"text": "nobody knew why", "event": 4},
        {"text": "fourth best?", "event": 9}, {"text": "!", "event": 11}, {"text": "the lead", "event": 12},
        {"text": "drawing trumps", "kind": "explanation", "event": 13}, {"text": "$14", "event": 15},
    ]  # fmt: skip
    assert records[0].extensions["pbn"] == {"Event": "Club evening", "Site": "Clubhouse", "Scoring": "MP"}
    assert [record.extensions["pbn"].get("Event") for record in records] == ["Club evening"] * 5 + ["Lesson"]
    assert {record.extensions["pbn"]["Site"] for record in records} == {"Clubhouse"}
    assert dumped(second.events[-1]) == {"do": "claim", "by": "E", "tricks": {"E": 4, "S": 2}}
    assert plays(third)[-1] == "W JH"
    assert calls(fourth) == ["W pass", "N pass", "E pass", "S pass"]
    assert [dumped(event) for event in fourth.events[4:]] == [{"do": "contract", "bid": "pass"}]
    assert fourth.hands
    assert len(fourth.hands) == 4
    assert fifth.hands
    assert set(fifth.hands) == {"S", "W"}
    assert fifth.hands["S"] == ["KS", "JS", "8S", "AH", "KH", "TH", "TD", "AC", "KC", "QC", "TC", "7C", "4C"]
    assert records[4].extensions["pbn"]["OptimumResultTable"].endswith("\nN NT 7\nN S 8")
    assert last.hands
    assert last.hands["W"] == ["AS", "KH", "2H", *["??"] * 10]
    assert [comment.text for comment in last.comments or []] == ["An end position: three cards each."]


def test_a_revoke_in_an_end_position_is_found() -> None:
    text = CLUB.read_text("utf-8").replace("SA SK SQ SJ", "SA SK SQ HJ").replace("H2 H3 HQ HJ", "H2 H3 HQ SJ")
    assert [finding.code for finding in judged(text)[5]] == ["REV001"]


def test_places_of_hands_events_and_tags() -> None:
    lines = CLUB.read_text("utf-8").splitlines()
    for place, reading in enumerate(read(CLUB.read_bytes())[:3]):
        assert reading.record
        deal = reading.record.deals[0]
        for seat, hand in (deal.hands or {}).items():
            for number, card in enumerate(hand):
                spot = reading.locate(f"/deals/0/hands/{seat}/{number}")
                assert lines[spot.line - 1][spot.column - 1] == card[0]
        for number, event in enumerate(deal.events):
            spot = reading.locate(f"/deals/0/events/{number}/card")
            line = lines[spot.line - 1][spot.column - 1 :]
            if event.do == "play":
                assert line.startswith(event.card[::-1])
            elif event.do == "bid":
                assert line.lower().startswith(str(event.bid).lower()) or (event.bid == "pass" and line.startswith("AP"))
            elif event.do == "contract":
                assert line.startswith(str(event.bid))
                assert lines[reading.locate(f"/deals/0/events/{number}/by").line - 1].startswith("[Declarer")
            else:
                assert (event.do, line) == ("claim", "*")
        assert lines[reading.locate("/deals/0/dealer").line - 1].startswith("[Dealer")
        assert lines[reading.locate("/deals/0/status").line - 1].startswith("[Event"), place


# --- ways to write --------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "data",
    [
        PLAIN.replace("\n", "\r\n"),
        "\ufeff" + PLAIN,
        PLAIN.replace("]\n", "] "),
        BOARD.replace(' "', '\n"').replace('"]', '"\n]') + re.sub(" +", "\n", ROWS),
        PLAIN.replace("[", "{a};b [Deal\n[").replace("]", " ]{c\n\n}"),
        "% PBN 2.1\n% EXPORT\n\n\n" + PLAIN.replace("]\n", "]\n%not read [Deal\n"),
        PLAIN.replace("SK", "sk").replace("CT", "c10").replace("T", "10").replace("AKQ987", "akq987"),
        PLAIN.replace("[Deal ", "[deal").replace("[Play ", "[PLAY"),
        PLAIN.replace('"5HX"', '" 5 hx "').replace('"S"', '"s"').replace('"W"', '"w"'),
        PLAIN.replace("\nC5", " C5").replace("\nS2", " S2"),
        PLAIN.rstrip(),
    ],
    ids=["CRLF", "BOM", "tags in a line", "a word a line", "comments", "escapes", "case and 10", "case of tags", "spaces",
         "rows in a line", "no end of line"],
)  # fmt: skip
def test_the_same_game_written_otherwise(data: str) -> None:
    [plain], [other] = read(PLAIN), read(data)
    assert plain.record
    assert other.record
    assert plain.findings == ()
    assert [finding.message for finding in other.findings] == []
    assert other.record.deals[0].model_copy(update={"comments": None}) == plain.record.deals[0]


def test_letters_in_latin_1_and_utf_8_even_in_one_file() -> None:
    data = b'[West "Li\xe8ge"]\n[East "Li\xc3\xa8ge"]\n'
    assert [player.name for reading in read(data) if reading.record for player in reading.record.players] == [
        None, "Liège", None, "Liège",
    ]  # fmt: skip


def test_escapes_in_a_value() -> None:
    [reading] = read(r'[East "\\\"x\a"]')
    assert reading.record
    assert reading.record.players[1].name == r"\"x\a"


@pytest.mark.parametrize(
    ("contract", "bid"),
    [("1C", "1C"), ("7NTXX", "7NTxx"), ("3NX", "3NTx"), ("H", "H"), ("4s", "4S"), ("Pass", "pass"), ("", None), ("?", None)],
)
def test_contracts(contract: str, bid: str | None) -> None:
    deal, found = one(f'{DEAL}[Declarer "S"][Contract "{contract}"]')
    assert ([event.bid for event in deal.events if event.do == "contract"], found) == ([bid] if bid else [], [])


@pytest.mark.parametrize(
    ("result", "found"),
    [
        ("9", []), ("NS 9 EW 4", []), ("EW 4 NS 9", []), ("EW 4", []), ("ns 9", []), ("^5", []), ("", []), ("?", []),
        ("6", []), ("5", ["5:10 TRK002"]), ("EW 8", ["5:10 TRK002"]), ("NS 9 EW 5", ["5:10 TRK004"]), ("14", ["5:10 TRK002"]),
        ("NS 9 NS 9", ["5:10 FMT001"]), ("nine", ["5:10 FMT001"]),
    ],
)  # fmt: skip
def test_results_of_a_claim(result: str, found: list[str]) -> None:
    deal, told = one(PLAIN.replace('Result "9"', f'Result "{result}"'))
    assert told == found
    claims = [event.tricks for event in deal.events if event.do == "claim"]
    tricks = {"9": 9, "NS 9 EW 4": 9, "EW 4 NS 9": 9, "EW 4": 9, "ns 9": 9, "6": 6}.get(result)
    assert claims == ([] if tricks is None else [{"S": tricks - 6, "W": 13 - tricks}])


@pytest.mark.parametrize(("result", "found"), [("0", []), ("", []), ("1", ["1:100 FMT017"]), ("NS 9 EW 4", ["1:100 FMT017"])])
def test_results_of_a_deal_passed_out(result: str, found: list[str]) -> None:
    assert one(f'{DEAL}[Contract "Pass"][Result "{result}"]'.replace("\n", ""))[1] == [
        f"1:{len(DEAL) + 27} FMT017" for _ in found
    ]


def test_tags_of_the_game_before() -> None:
    text = f'[Event "##E"][Site "##S"][Date "D"]{DEAL}[Dealer "N"]\n\n[Date "#"][Deal "#"][Site "T"]\n\n[Dealer "#"]\n'
    readings = read(text)
    assert [reading.record.extensions.get("pbn") for reading in readings if reading.record] == [
        {"Event": "E", "Site": "S", "Date": "D"}, {"Event": "E", "Site": "T", "Date": "D"},
        {"Event": "E", "Site": "S"},
    ]  # fmt: skip
    assert [len(reading.record.deals[0].hands or {}) for reading in readings if reading.record] == [4, 4, 0]
    assert [told(list(reading.findings)) for reading in readings] == [[], [], ["5:10 FMT001"]]


def test_who_leads_if_the_contract_does_not_say() -> None:
    """The first column does where no declarer is stated; where one is, the leader follows from that."""
    for gone, column, leader in (('[Declarer "S"]', "W", "W"), ('[Contract "5HX"]', "W", None), ('[Declarer "S"]', "N", "N")):
        deal, found = one(PLAIN.replace(f"{gone}\n", "").replace('[Play "W"]', f'[Play "{column}"]'))
        turned = ["N KS", "E 3H", "S 4S", "W 3S"] if column == "N" else ["W KS", "N 3H", "E 4S", "S 3S"]
        assert (deal.leader, plays(deal)[:4]) == (leader, turned)
        assert found[0] == "5:8 FMT018"
        assert all(code.endswith("PLY001") for code in found[1:]) if column == "N" else len(found) == 1


@pytest.mark.parametrize(
    ("board", "number"), [("1", 1), ("01", 1), ("0007", 7), ("1000000", 1000000), ("1000001", None), ("0", None), ("2b", None)]
)
def test_board_numbers(board: str, number: int | None) -> None:
    [reading] = read(f'[Board "{board}"]')
    assert reading.record
    assert (reading.record.deals[0].number, reading.record.deals[0].board) == (number, number)
    assert reading.record.extensions == ({} if number else {"pbn": {"Board": board}})


# --- games that were dealt ------------------------------------------------------------------------------------------


def test_games_that_were_dealt_come_back_as_they_were() -> None:
    bridge = find("bridge")
    assert bridge
    records = [deal_game(bridge, 4, seed, numbers=[seed + 1]) for seed in range(20)]
    text = "".join(map(pbn.write, records))
    for record, reading in zip(records, read(text), strict=True):
        deal = record.deals[0]
        assert reading.record
        assert reading.findings == ()
        back = reading.record.deals[0]
        assert (back.number, back.status) == (deal.number, "complete")
        assert [event_facts(dumped(event)) for event in back.events] == [dumped(event) for event in deal.events]
        assert [event.trick for event in back.events if event.do == "play" and event.trick] == [*range(1, 14)]
        assert {seat: set(hand) for seat, hand in (back.hands or {}).items()} == {
            seat: set(hand) for seat, hand in (deal.hands or {}).items()
        }
        assert check(reading.record, find).findings == ()


@pytest.mark.some(2)
@pytest.mark.parametrize("code", ["REV001", "PLY001", "PLY002"])
def test_a_fault_that_was_dealt_is_found(code: str) -> None:
    """Where the card written cannot have been the one played, PBN leaves open who led next: more may seem wrong then."""
    bridge = find("bridge")
    assert bridge
    alone = 0
    for seed in range(30):
        record = deal_game(bridge, 4, seed, numbers=[1], inject=code)
        [due] = check(record, find).findings
        [reading] = read(pbn.write(record))
        assert reading.record
        assert reading.findings == ()
        first, *more = check(reading.record, find).findings
        facts = (first.code, first.trick, first.seat, first.facts["card"])
        assert facts == (code, due.trick, due.seat, due.facts["card"])
        alone += not more
    assert alone == 30 if code == "REV001" else alone > 20


# --- habits of programs ---------------------------------------------------------------------------------------------

AUCTION = '[Auction "S"]\n1H =1= 1S 4H =2= 4S\n5H X Pass Pass\nPass\n'
NOTED = '[Note "1:five cards"]\n[Note "2: a raise"]\n'


def test_notes_of_the_auction_may_stand_after_the_play() -> None:
    """Where nothing in the play refers to them; read so, the game is the one with the notes in their place."""
    deal, faults = one(BOARD.replace("[Play", f"{AUCTION}[Play") + ROWS + NOTED)
    due, same = one(BOARD.replace("[Play", f"{AUCTION}{NOTED}[Play") + ROWS)
    assert faults == same == []
    assert dumped(deal) == dumped(due)
    assert [comment.text for comment in deal.comments or ()] == ["five cards", "a raise"]
    referring = BOARD.replace("[Play", f"{AUCTION}[Play") + ROWS.replace("SK", "SK =1=", 1) + NOTED
    assert one(referring)[1] == ["7:4 FMT001", "7:14 FMT001"]


@pytest.mark.parametrize(
    ("found", "written", "due"),
    [
        ("N:.63", "N:-.63", ["2:10 FMT018"]),
        ('[Declarer "S"]', '[Vulnerable "N-S"]\n[Declarer "S"]', ["3:14 DEA012"]),
        ("*\n", "- - - -\n- - - -\n*\n", []),
        ("*\n", '*\n[DealId "3.lin"]\n[DoubleDummyTricks "77667775576677566775"]\n', []),
        ("*\n", '*\n[OptimumResultTable "Declarer;Denomination\\2R;Result\\2R"]\nN NT  7\nN  S  7\n', []),
        ("*\n", '*\n%%!R 79B523327A7AB523327A\n[Event ""]\n', []),
        ("SK H3 S4 S3\n", "SK\tH3\tS4\tS3\t\n", []),
        ('[Board "7"]', '[Date "14:12"]\n[Board "07"]', []),
    ],
)
def test_a_habit_is_no_fault_of_the_game(found: str, written: str, due: list[str]) -> None:
    """What programs write besides, or in another way, changes nothing of the cards."""
    deal, faults = one(PLAIN.replace(found, written))
    assert faults == due
    assert (deal.hands, plays(deal)) == (one(PLAIN)[0].hands, plays(one(PLAIN)[0]))


# --- the command and the formats ------------------------------------------------------------------------------------


def test_a_file_is_known_by_its_name_or_its_beginning() -> None:
    for head in (b"% PBN 2.1\n", b'[Event "x"]', b'\xef\xbb\xbf% x\n; y\n{ z }\n [ Event"x"]', CLUB.read_bytes()):
        assert format_of("-", head).key == "pbn"
    for head in (b'["a"]', b'[{"do": 1}]', b"[1, 2]", b'{"a": ["b"]}', b"% PBNX", b"%hrt 1\n", b"[Event]", b"", b'[null, "x"]'):
        assert not pbn.FORMAT.sniff(head)
    assert format_of("a/Club.PBN", b"").key == "pbn"
    assert format_of("club.txt", CLUB.read_bytes()).key == "pbn"
    assert format_of("list.txt", b"nothing that is known").key == "dds"
    assert format_of("a.json", b'[Event "x"]').key == "json"


def test_the_command_line(capsys: pytest.CaptureFixture[str], tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    Path("club.pbn").write_bytes(CLUB.read_bytes())
    Path("faults.pbn").write_bytes(FAULTS.read_bytes())
    assert run(["check", "club.pbn"]) == 0
    assert run(["check", "."]) == 1
    assert "faults.pbn:15:4: REV001 error  deal 1, trick 1, N: N played 9D on a lead of 5C" in capsys.readouterr().out
    assert run(["convert", "club.pbn", "-o", "club.jsonl"]) == 0
    assert run(["check", "club.jsonl"]) == 0
    [*there], [*back] = (read_any(Path(name).read_bytes(), name) for name in ("club.pbn", "club.jsonl"))
    assert [reading.record for reading in back] == [reading.record for reading in there]
    assert run(["convert", "club.jsonl", "-o", "again.pbn"]) == 0
    assert run(["convert", "again.pbn", "-o", "third.pbn"]) == 0
    assert Path("again.pbn").read_bytes() == Path("third.pbn").read_bytes()
    assert Path("again.pbn").read_text("utf-8").count("% PBN 2.1\n% EXPORT\n") == 1
    assert "Traceback" not in capsys.readouterr().err
