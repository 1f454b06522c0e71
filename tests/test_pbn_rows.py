"""The reader of PBN on files as archives have them: rows as they stand, and what is left out, empty, or said twice."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from handrec.formats import format_of
from handrec.games import find
from handrec.record import Record
from handrec.referee import check
from tests.pbn_games import BOARD, CLUB, DEAL, FAULTS, PLAIN, ROWS, calls, dumped, judged, one, plays, read, told

#: The same table, in a file that does not repeat what stands at the table before.
NO_DEAL = '[Declarer "S"]\n[Contract "5HX"]\n[Result "9"]\n[Play "W"]\n' + ROWS


def only(text: str) -> Record:
    [reading] = read(text)
    assert reading.record
    return reading.record


def rows(text: str) -> list[tuple[int | None, bool | None, str]]:
    """The rows of the only game: number, whether it is unordered, and its plays."""
    found: list[tuple[int | None, bool | None, str]] = []
    for event in only(text).deals[0].events:
        if event.do != "play":
            continue
        if event.trick:
            found.append((event.trick, event.unordered, f"{event.by} {event.card}"))
        else:
            number, unordered, said = found.pop()
            found.append((number, unordered, f"{said} {event.by} {event.card}"))
    return found


def said(text: str) -> list[str]:
    """Every finding of the reader, code and message."""
    return [f"{finding.code} {finding.message}" for reading in read(text) for finding in reading.findings]


# --- rows as they stand ---------------------------------------------------------------------------------------------


def test_a_row_is_a_row_of_the_record_with_its_number_and_its_seats() -> None:
    """Each card is by the seat of its column; the order is that of play, the first card has the number of the row."""
    assert rows(PLAIN)[:3] == [
        (1, None, "W KS N 3H E 4S S 3S"),
        (2, None, "N 2C E 6C S KC W 5C"),
        (3, None, "S 7S W 2S N 6H E 5S"),
    ]
    assert only(PLAIN).version == "1.1"
    assert only(DEAL).version == "1.0"


def test_a_row_in_the_wrong_columns_is_read_as_it_stands() -> None:
    """A row written from another column: the cards stay with the seats under which they stand, and nothing is counted."""
    shifted = PLAIN.replace("D2 DA DT D3", "DA DT D3 D2").replace('"9"', '"12"')
    assert rows(shifted)[4][2] == "N TD E 3D S 2D W AD"
    assert rows(shifted)[:4] == rows(PLAIN)[:4]
    assert said(shifted) == []
    assert [event.do for event in only(shifted).deals[0].events].count("claim") == 0


def test_rows_written_from_another_seat_than_the_heading_says_are_read_as_they_stand() -> None:
    """Whether the heading or the deal stands wrong, the reader does not say."""
    turned = PLAIN.replace('[Play "W"]', '[Play "N"]')
    assert [play.split()[1] for play in plays(one(turned)[0])[:4]] == ["3S", "KS", "3H", "4S"]
    assert plays(one(turned)[0])[0] == "W 3S"
    assert said(turned) == []


def test_the_rows_of_a_real_archive_are_all_there() -> None:
    """Every card of every table stands in the record under the seat of its column, and no card is missed or marked."""
    path = Path(__file__).parents[2] / "shared/data/rotated_800.pbn"
    if not path.exists():
        pytest.skip(f"the archive is not at {path}")
    text = path.read_text("latin-1")
    sections = re.findall(r'\[Play "(.)"\]\n([^[]*)', text)
    readings = [reading for reading in read(text) if reading.record]
    assert len(readings) == 800
    tables = [reading.record for reading in readings if reading.record and plays(reading.record.deals[0])]
    assert len(tables) == 792
    written = [(first, words.split()) for first, words in sections if set(words.split()) - {"*", "-"}]
    for record, (first, words) in zip(tables, written, strict=True):
        seats = ["NESW"[("NESW".index(first) + place) % 4] for place in range(4)]
        cards = [card for card in words if card not in "*+"]
        due = {f"{seats[place % 4]} {card[1]}{card[0]}" for place, card in enumerate(cards) if card != "-"}
        there = plays(record.deals[0])
        assert {play for play in there if "?" not in play} == due
        last = max(place for place, card in enumerate(cards) if card != "-") // 4
        numbers = [event.trick for event in record.deals[0].events if event.do == "play" and event.trick]
        assert numbers == [*range(1, last + 2)]
        assert {event.do for event in record.deals[0].events} <= {"bid", "contract", "play", "claim"}
    codes = {finding.code for reading in readings if reading.record for finding in check(reading.record, find).findings}
    assert "PLY005" not in codes
    assert all(reading.record.deals[0].hands for reading in readings if reading.record)


# --- dashes ---------------------------------------------------------------------------------------------------------


def test_a_dash_within_a_row_is_a_card_that_was_not_recorded() -> None:
    """It was played by the seat of its column; nothing rests on it, nobody lacks a card, and the reader claims nothing."""
    for old, new, play in (("S2 H6 S5 S7", "S2 - S5 S7", "N ??"), ("D4 DK H5 H7", "- DK H5 H7", "W ??")):
        text = PLAIN.replace(old, new)
        deal, found = one(text)
        assert found == []
        assert plays(deal).count(play) == 1
        assert [event.do for event in deal.events].count("claim") == 0
        levels = {level.key: level.status for level in check(only(text), find).levels}
        assert levels["L4"] == levels["L5"] == "not checkable"


def test_a_dash_in_the_last_row_is_a_card_only_where_somebody_plays_after_it() -> None:
    for row, due in (
        ("-  -  -  H2", ["S 2H"]),
        ("-  DQ  -  H2", ["S 2H", "W ??", "N QD"]),
        ("-  -  HK  -", ["S ??", "W ??", "N ??", "E KH"]),
        ("HT  -  -  H2", ["S 2H", "W TH"]),
    ):
        deal, found = one(PLAIN.replace("-  -  -  H2", row))
        assert (plays(deal)[24:], found) == (due, [])


def test_dashes_alone_are_no_cards() -> None:
    bare = BOARD + "-  -  -  -\n-  -  -  -\n"
    assert (plays(one(bare)[0]), one(bare)[1]) == ([], [])


def test_a_claim_stands_only_where_the_tricks_before_it_are_certain() -> None:
    claims = [event for event in one(PLAIN)[0].events if event.do == "claim"]
    assert [dumped(claim)["tricks"] for claim in claims] == [{"S": 3, "W": 4}]
    hidden = one(PLAIN.replace("C8 CA CT C4", "C8 CA CT -"))[0]
    assert [event for event in hidden.events if event.do == "claim"] == []
    assert hidden.status == "claimed"


# --- rows whose leader is not known ---------------------------------------------------------------------------------


def test_a_row_whose_leader_is_not_known_stands_by_its_columns() -> None:
    """After a card that was not recorded; where the winner is one whoever led, the rows after it are in order again."""
    text = PLAIN.replace("C8 CA CT C4", "C8 CA CT -").replace("D4 DK H5 H7", "D4 DK D6 D7")
    assert rows(text)[4:] == [
        (5, True, "W 2D N AD E TD S 3D"),
        (6, None, "N KD E 6D S 7D W 4D"),
        (7, None, "N ?? E ?? S 2H"),
    ]


def test_without_a_contract_every_row_is_kept() -> None:
    """No trump, no winner: the first row is in order, the others by columns, and each card is its player's."""
    text = PLAIN.replace('[Contract "5HX"]\n', "")
    found = rows(text)
    assert [(number, unordered) for number, unordered, _ in found] == [(1, None), *((number, True) for number in range(2, 8))]
    assert found[1][2] == "W 5C N 2C E 6C S KC"
    assert said(text) == ["FMT018 the play has no Contract"]


def test_a_lead_that_is_marked_puts_a_row_in_order() -> None:
    text = PLAIN.replace('[Contract "5HX"]\n', "").replace("C5 C2 C6 CK", "C5 C2 ^L C6 CK")
    assert rows(text)[1] == (2, None, "E 6C S KC W 5C N 2C")
    [marked] = [event for event in only(text).deals[0].events if event.do == "play" and event.marked]
    assert (marked.by, marked.card, marked.marked) == ("E", "6C", "lead")


# --- contract and declarer from the auction -------------------------------------------------------------------------

CALLS = '[Dealer "N"]\n[Auction "N"]\n1C Pass 1H 2S\n3H X AP\n'


@pytest.mark.parametrize(
    ("tags", "stated"),
    [
        ("", None),
        ('[Contract ""][Declarer ""]', None),
        ('[Contract "?"][Declarer "?"]', None),
        ('[Contract "-"]', None),
        ('[Contract "3HX"]', {"bid": "3Hx"}),
        ('[Contract "3HX"][Declarer "S"]', {"bid": "3Hx", "by": "S"}),
        ('[Contract "H"]', {"bid": "H"}),
        ('[Declarer "S"]', None),
        ('[Contract "4S"]', {"bid": "4S"}),
        ('[Contract "Pass"]', {"bid": "pass"}),
    ],
)
def test_contract_and_declarer_are_those_that_are_stated(tags: str, stated: dict[str, str] | None) -> None:
    """What no tag says is no event: it follows from the calls; whether they agree is not the reader's to say."""
    text = f"{DEAL}{tags}\n{CALLS}"
    deal = only(text).deals[0]
    assert calls(deal) == ["N 1C", "E pass", "S 1H", "W 2S", "N 3H", "E X", "S pass", "W pass", "N pass"]
    assert [dumped(event) for event in deal.events[9:]] == ([{"do": "contract", **stated}] if stated else [])
    assert said(text) == []


def test_the_play_follows_the_contract_of_the_auction() -> None:
    """With the contract heard, the leader, the rows and the result are as with one that is stated."""
    auction = '[Dealer "S"]\n[Auction "S"]\n5H X AP\n'
    bare = PLAIN.replace('[Declarer "S"]\n[Contract "5HX"]\n', auction)
    assert said(bare) == []
    deal, plain = only(bare).deals[0], only(PLAIN).deals[0]
    assert calls(deal) == ["S 5H", "W X", "N pass", "E pass", "S pass"]
    assert deal.events[5:] == plain.events[1:]
    assert (deal.leader, deal.claimed) == (None, plain.claimed)


def test_an_auction_in_which_all_passed_says_so() -> None:
    deal = only(f'{DEAL}[Dealer "N"][Auction "N"]\nAP\n').deals[0]
    assert (calls(deal), deal.status) == (["N pass", "E pass", "S pass", "W pass"], "complete")
    assert one(f'{DEAL}[Dealer "N"][Auction "N"]\nAP\n[Play "W"]\nSK\n')[1] == ["4:1 BID030"]


@pytest.mark.parametrize(
    ("words", "due", "status"),
    [
        ("1C ^I 1C AP", ["N 1C", "E 1C", "S pass", "W pass", "N pass"], "stopped"),
        ("1C Pass", ["N 1C", "E pass"], "stopped"),
        ("1C *", ["N 1C"], "stopped"),
        ("1C +", ["N 1C"], "in_progress"),
        ("1C Q AP", ["N 1C", "E ?", "S pass", "W pass", "N pass"], "stopped"),
        ("1C - 1D +", ["N 1C", "E ?", "S 1D"], "in_progress"),
        ("^S ^S 1C - -", ["S 1C"], "stopped"),
        ("", [], "stopped"),
    ],
)
def test_an_auction_that_is_not_certain_has_its_calls_all_the_same(words: str, due: list[str], status: str) -> None:
    deal = only(f'{DEAL}[Dealer "N"][Auction "N"]\n{words}\n').deals[0]
    assert (calls(deal), deal.status, len(deal.events)) == (due, status, len(due))


def test_cannot_be_read_is_said_only_of_what_was_not_read() -> None:
    """Of a call, a mark or a tag that was read it is said what it contradicts, here or by the referee."""
    for words in ("5H 5C AP", "Pass X AP", "4H X AP"):
        text = f'{DEAL}[Dealer "S"][Declarer "S"][Contract "5HX"]\n[Auction "S"]\n{words}\n'
        assert said(text) == [], words
    for data in (CLUB.read_text("utf-8"), FAULTS.read_text("utf-8"), PLAIN.replace("C5 C2", "C5 ^R C2")):
        for line in said(data):
            assert ("cannot be read" in line) is line.startswith("FMT001"), line
            assert not re.search("FMT001.*(auction|contract is|declarer|dealer|mark)", line), line


# --- what a further table leaves out --------------------------------------------------------------------------------


def test_a_deal_left_out_at_a_further_table_is_the_boards() -> None:
    """Nothing is repeated there but who declared what; or the board's number is, however it is written."""
    for again in ("", '[Board "7"]\n', '[Board "007"]\n', '[Event ""]\n[Board "7"]\n'):
        first, second = read(f"{PLAIN}\n{again}{NO_DEAL}")
        assert first.record
        assert second.record
        assert second.record.deals == first.record.deals
        assert told(list(second.findings)) == [f"{len(PLAIN.splitlines()) + 2}:1 FMT018"]
        assert second.locate("/deals/0/hands/N/0").line == 2
        assert plays(second.record.deals[0]) == plays(first.record.deals[0])
    three = read(f"{PLAIN}\n{NO_DEAL}\n{NO_DEAL}")
    assert [len(reading.findings) for reading in three] == [0, 1, 0]  # told once of a file
    assert [len(reading.record.deals[0].hands or {}) for reading in three if reading.record] == [4, 4, 4]


@pytest.mark.parametrize("head", ['[Board "8"]', '[Deal ""]', '[Deal "?"]', '[Event "another"]'])
def test_a_deal_that_is_not_known_is_nobody_elses(head: str) -> None:
    _, second = read(f"{PLAIN}\n{head}\n{NO_DEAL}")
    assert second.record
    assert second.record.deals[0].hands is None
    assert [line[:6] for line in (f"{f.code}" for f in second.findings)] == ["FMT018"]
    assert second.findings[0].message == "the play has no Deal"


# --- tags -----------------------------------------------------------------------------------------------------------


def test_of_a_tag_that_stands_twice_the_one_that_says_something_counts() -> None:
    """An empty one is passed over, of two that say something the first counts; that is told once of a file."""
    for first, second in (("", "Nora"), ("Nora", ""), ("?", "Nora"), ("Nora", "Nick")):
        data = "\n".join(f'[North "{first}"][North "{second}"]\n{PLAIN.replace("7", number, 1)}' for number in "789")
        readings = read(data)
        assert [reading.record.players[0].name for reading in readings if reading.record] == ["Nora"] * 3
        assert [[finding.code for finding in reading.findings] for reading in readings] == [["FMT018"], [], []]
    [reading] = read(f'[Board "7"][Deal ""]\n{DEAL}\n[Declarer "S"]')
    assert reading.record
    assert len(reading.record.deals[0].hands or {}) == 4
    assert [finding.code for finding in reading.findings] == ["FMT018"]


def test_a_section_that_stands_twice_counts_where_it_has_words() -> None:
    deal = one(PLAIN.replace('[Play "W"]', '[Play ""]\n[Play "W"]'))[0]
    assert plays(deal) == plays(one(PLAIN)[0])


def test_a_backslash_in_a_value_is_kept() -> None:
    record = only('[Event "C:\\Results\\new"][North "a \\"b\\" \\\\c"]')
    assert record.extensions["pbn"]["Event"] == "C:\\Results\\new"
    assert record.players[0].name == 'a "b" \\c'


def test_a_table_that_is_that_of_the_game_before() -> None:
    table = '[ScoreTable "Place\\\\2R;Score"]\n 1 60\n 2 40\n'
    first, second, third = read(f'[Event "x"]\n{table}\n[Event "x"][ScoreTable "#"]\n\n[Event "x"][ScoreTable "#"]\n 1 55\n')
    assert [reading.findings for reading in (first, second, third)] == [(), (), ()]
    kept = [reading.record.extensions["pbn"]["ScoreTable"] for reading in (first, second, third) if reading.record]
    assert kept == ["Place\\2R;Score\n1 60\n2 40", "Place\\2R;Score\n1 60\n2 40", "Place\\2R;Score\n1 55"]


# --- the end, and ends of deals -------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("row", "found"),
    [
        ("+", []), ("SK H3 S4 S3\n+", []), ("SK H3 S4 S3\n- + - -", []), ("SK + - -", []), ("SK H3 S4 S3\n- C2 + -", []),
        ("SK H3 S4 S3\n+ - - -", ["8:1 FMT017"]), ("SK H3 S4 S3\nC5 C2 + CK", ["8:9 PLY005"]),
    ],
)  # fmt: skip
def test_a_lone_plus_says_that_the_play_goes_on(row: str, found: list[str]) -> None:
    """In the column of whoever is to play, or alone in a row."""
    deal, there = one(BOARD + row + "\n")
    assert (deal.status, there) == ("in_progress", found)


def test_thirteen_rows_of_dashes_and_one_more() -> None:
    deal, found = one(BOARD + "- - - -\n" * 13 + "SK - - -\n")
    assert (plays(deal)[:2], plays(deal)[48:], found) == (["W ??", "N ??"], [], ["20:1 FMT001"])


def test_a_plus_is_no_card() -> None:
    assert said(f'{DEAL}[Contract "Pass"]\n[Play ""]\n+\n') == []


ENDING = '[Deal "N:A.2.3. 4.A.4. K.3.A. Q.4.2."]\n'


def test_an_end_position_is_led_from_the_first_column() -> None:
    """Whoever declares, and whatever was played before."""
    text = f'{ENDING}[Declarer "S"]\n[Contract "H"]\n[Play "N"]\nSA S4 SK SQ\nH2 HA H3 H4\n'
    deal, found = one(text)
    assert found == []
    assert deal.leader == "N"
    assert dumped(deal.events[0]) == {"do": "contract", "bid": "H"}
    assert only(text).extensions["pbn"]["Declarer"] == "S"
    assert [row for _, _, row in rows(text)] == ["N AS E 4S S KS W QS", "N 2H E AH S 3H W 4H"]
    left = ENDING + '[Declarer "S"]\n[Contract "H"]\n[Play "W"]\nSQ SA S4 SK\n'
    assert dumped(one(left)[0].events[0]) == {"do": "contract", "by": "S", "bid": "H"}


def test_one_hand_of_few_cards_is_that_of_an_end_position() -> None:
    deal, found = one('[Deal "N:AK.2.. - - -"]')
    assert (found, (deal.hands or {})["N"]) == ([], ["AS", "KS", "2H", *["??"] * 10])


# --- games of another kind ------------------------------------------------------------------------------------------

PTN = (
    '% PTN\n[GameCode "Spades"]\n[GameOptionsJson "{\\"jokers\\": 2}"]\n[GameScores "S:162 527"]\n[Dealer "NW"]\n'
    '[Deal "S:.Q975.AJ8732.5.HL A.2.3.4 K.3.4.5"]\n[Undealt "JH"]\n[Contract "x"]\n[Play "S"]\nJH JL Q9\n'
)


def test_a_game_that_no_installed_game_answers_to_is_not_refereed_here_and_nothing_else() -> None:
    [reading], [findings] = read(PTN), judged(PTN)
    assert reading.findings == ()
    assert [f"{finding.code} {finding.message}" for finding in findings] == ["FMT008 not refereed here: no game spades is known"]
    assert told(findings) == ["2:12 FMT008"]
    assert reading.record
    assert [player.seat for player in reading.record.players] == ["S", "W", "E"]
    assert reading.record.extensions["pbn"]["GameOptionsJson"] == '{"jokers": 2}'
    assert reading.record.extensions["pbn"]["Play"] == "S\nJH JL Q9"
    assert read(PLAIN.replace("[Board", '[GameCode "Bridge"][Board'))[0].findings == ()
    assert format_of("x.ptn", b"").key == "pbn"


@pytest.mark.parametrize("code", ["500", "Pinochle", "é", "\\\\", "x" * 200, "#", "?"])
def test_any_game_code_ends_in_a_record(code: str) -> None:
    [reading], [findings] = read(f'[GameCode "{code}"][Deal "N:a"]'), judged(f'[GameCode "{code}"][Deal "N:a"]')
    assert reading.record
    assert findings
