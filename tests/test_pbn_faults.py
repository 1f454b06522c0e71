"""The reader of PBN: what is wrong with a game is found where it stands, and no more."""

from __future__ import annotations

import re
from functools import cache

import pytest

from handrec.formats import pbn
from tests.pbn_games import DEAL, FAULTS, PLAIN, ROOT, dumped, judged, one, plays, read, told

# --- faulty games ---------------------------------------------------------------------------------------------------

FAULTY = {
    1: ["15:4 REV001"], 2: ["40:7 REV001"], 3: ["69:10 FMT017"], 4: ["95:10 PLY004"], 5: ["124:10 FMT017"],
    6: ["149:4 PLY001"], 7: ["180:10 PLY002"], 8: ["198:10 TRK002"], 9: ["223:10 TRK002"],
    11: ["289:4 FMT001"], 12: ["307:2 FMT001", "307:5 FMT001"], 13: [], 14: ["339:8 FMT018"], 15: [],
}  # fmt: skip
UNORDERED = 10


def test_what_is_wrong_is_found_where_it_stands_and_nothing_else() -> None:
    found = {board: told(findings) for board, findings in enumerate(judged(FAULTS.read_bytes()), 1) if board != UNORDERED}
    assert found == FAULTY
    assert read(FAULTS.read_bytes())[UNORDERED - 1].findings == ()


def test_nobody_is_accused_where_it_is_not_known_who_led() -> None:
    assert told(judged(FAULTS.read_bytes())[UNORDERED - 1]) == []


def test_a_diagram_of_a_few_cards_is_no_deal_with_cards_missing() -> None:
    few = '[Board "1"]\n[Dealer "N"]\n[Vulnerable "None"]\n[Deal "S:... 4... T83... KJ5..."]\n[Contract "3NT"]\n[Declarer "S"]\n'
    deal, wrong = one(few)
    assert wrong == ["4:8 FMT018"]
    assert deal.hands
    assert {seat: [card for card in cards if card != "??"] for seat, cards in deal.hands.items()} == {
        "S": [], "W": ["4S"], "N": ["TS", "8S", "3S"], "E": ["KS", "JS", "5S"],
    }  # fmt: skip
    assert {len(cards) for cards in deal.hands.values()} == {13}
    record = read(few)[0].record
    assert record
    assert '[Deal "N:T83... KJ5... ... 4..."]' in pbn.write(record)


def test_a_marked_revoke_is_a_mark_and_nobody_ruled() -> None:
    record = read(FAULTS.read_bytes())[1].record
    assert record
    [marked] = [event for event in record.deals[0].events if event.do == "play" and event.marked]
    assert dumped(marked) == {"do": "play", "by": "N", "card": "9D", "marked": "revoke"}
    assert {event.do for event in record.deals[0].events} == {"bid", "contract", "play"}


def test_a_mark_of_a_lead_out_of_turn_says_who_led() -> None:
    record = read(FAULTS.read_bytes())[3].record
    assert record
    assert plays(record.deals[0])[4:8] == ["W 2C", "N 7C", "E 9C", "S 6C"]


def test_after_a_trick_whose_winner_is_not_known_the_rows_stand_by_their_columns() -> None:
    unseen, no_card = (read(FAULTS.read_bytes())[board - 1].record for board in (10, 11))
    assert unseen
    assert no_card
    deal = unseen.deals[0]
    assert plays(deal)[12:20] == ["W JC", "N 8C", "E 6C", "S ??", "E JS", "S 9C", "W 3S", "N 4S"]
    assert len(plays(deal)) == 52
    rows = [(play.trick, play.unordered) for play in deal.events if play.do == "play" and play.trick]
    assert rows == [(number, True if number in (5, 6, 7) else None) for number in range(1, 14)]
    assert "Play" not in unseen.extensions["pbn"]
    assert plays(no_card.deals[0])[-4:].count("E ??") == 1
    assert "SK D6" in no_card.extensions["pbn"]["Play"]


# --- one fault at a time --------------------------------------------------------------------------------------------

PLAY_FAULTS = [
    ("^R twice", "C5 C2", "C5 ^R ^R C2", ["8:7 FMT001", "8:10 FMT017"]),
    ("^R and ^L", "C5 C2", "C5 ^L ^R C2", ["8:7 FMT001", "8:10 FMT017"]),
    ("unknown mark", "C5", "^S C5", ["8:1 FMT001"]),
    ("mark of nothing", "*\n", "^L *\n", ["14:4 FMT001"]),
    ("mark of a dash", "-  -", "^R -  -", ["13:4 FMT001"]),
    ("two leads", "C5 C2 C6", "^L C5 C2 ^L C6", ["8:13 FMT017", "8:4 PLY004"]),
    ("no suit", "C5", "X5", ["8:1 FMT001"]),
    ("two dashes", "-  -", "-- -", ["13:1 FMT001"]),
    ("after the end", "*\n", "* C3 C4\n", ["14:3 FMT001"]),
    ("ended twice", "*\n", "* *\n", ["14:3 FMT001"]),
    ("goes on elsewhere", "-  -  -  H2\n*", "-  + -  H2", ["13:4 FMT017"]),
    ("glyph of calls", "C5", "C5 $1", ["8:4 FMT001"]),
    ("two glyphs", "C5", "C5!$9", ["8:4 FMT001"]),
    ("suffix too long", "C5", "C5!!!", ["8:3 FMT001"]),
    ("no such note", "C5", "C5=1=", ["8:3 FMT001"]),
    ("no number of a note", "C5", "C5 =33=", ["8:4 FMT001"]),
    ("note on nothing", "SK", "=1= SK", ["7:1 FMT001"]),
    ("note twice", "*\n", '*\n[Note "1:a"][Note "1:b"]\n', ["15:20 FMT001"]),
    ("no note", "*\n", '*\n[Note "a"]\n', ["15:8 FMT001"]),
    ("no seat", '[Play "W"]', '[Play "X"]', ["6:8 FMT001"]),
    ("no first column", '[Play "W"]', '[Play ""]', ["6:8 FMT001"]),
    ("no declarer", '[Declarer "S"]\n', "", ["5:8 FMT018"]),
    ("passed out", "5HX", "Pass", ["5:10 FMT017", "7:1 BID030"]),
    ("^R on a card that follows", "C5 C2", "C5 ^R C2", ["8:7 FMT017"]),
    ("^R where there was none of the suit", "S2 H6", "S2 ^R H6", ["9:7 FMT017"]),
]


@pytest.mark.parametrize(("old", "new", "found"), [row[1:] for row in PLAY_FAULTS], ids=[row[0] for row in PLAY_FAULTS])
def test_faults_of_the_play_section(old: str, new: str, found: list[str]) -> None:
    assert PLAIN.count(old) == 1
    said = one(PLAIN.replace(old, new))[1]
    assert said == found


@pytest.mark.parametrize(("piece", "turned"), [("5c", "C5"), ("10S", ""), ("X5", ""), ("5", "")])
def test_where_the_suit_stands_last_it_is_said_what_to_write(piece: str, turned: str) -> None:
    """Elsewhere a card is written 5C; PBN writes C5."""
    said = [finding.message for finding in judged(PLAIN.replace("C5 C2", f"{piece} C2"))[0] if finding.code == "FMT001"]
    assert said == [f"cannot be read: '{piece}' is no card" + f" (the suit stands first: {turned})" * bool(turned)]


AUCTIONS = [
    ("as stated", "N", "N", "Pass Pass 5H X AP", []),
    ("dashes before the dealer", "E", "N", "- - - Pass Pass 5H! X $4 AP *", []),
    ("one call after another", "N", "N", "P P 5H X P P P", []),
    ("N for NT", "S", "S", "1N AP", ["1:116 BID028"]),
    ("another contract", "S", "S", "4H X AP", ["1:116 BID028"]),
    ("not doubled", "S", "S", "5H AP", ["1:116 BID028"]),
    ("another declarer", "N", "N", "4H Pass 5H X AP", ["1:102 BID029"]),
    ("all passed", "N", "N", "AP", ["1:116 BID028"]),
    ("another dealer", "S", "N", "5H X AP", ["3:1 BID033"]),
    ("too low", "S", "S", "5H 5C AP", ["3:4 BID023"]),
    ("no double", "S", "S", "Pass X AP", ["3:6 BID024"]),
    ("no call", "S", "S", "5H Y AP", ["3:4 FMT001"]),
    ("irregular", "S", "S", "5H ^I 5C AP", ["3:7 BID023"]),
    ("not to its end", "S", "S", "1C +", []),
    ("skipped", "S", "S", "1C ^S 1D AP", ["3:7 BID001"]),
    ("nothing", "S", "S", "", []),
    ("nobody's", "", "S", "1C AP", []),
]


@pytest.mark.parametrize(("seat", "dealer", "words", "found"), [row[1:] for row in AUCTIONS], ids=[row[0] for row in AUCTIONS])
def test_an_auction_comes_to_the_contract(seat: str, dealer: str, words: str, found: list[str]) -> None:
    text = f'{DEAL}[Dealer "{dealer}"][Declarer "S"][Contract "5HX"]\n[Auction "{seat}"]\n{words}\n'
    assert one(text)[1] == found


def test_an_irregular_declarer_is_not_that_of_the_auction() -> None:
    assert one(f'{DEAL}[Dealer "N"][Declarer "^S"][Contract "5H"][Auction "N"] 4H Pass 5H AP')[1] == []
    assert one(f'{DEAL}[Dealer "N"][Contract "Pass"][Auction "N"] 4H AP'.replace("\n", ""))[1] == [f"1:{len(DEAL) + 24} BID028"]


CALL_FAULTS = [
    ("after the end", "1C AP 1D", ["1:52 FMT001"]), ("no mark", "^R 1C AP", ["1:46 FMT001"]),
    ("glyph of cards", "1C $7 AP", ["1:49 FMT001"]), ("two judgements", "1C ! $3 AP", ["1:51 FMT001"]),
    ("too long", "1C!!! AP", ["1:48 FMT001"]), ("no note", "1C =1= AP", ["1:49 FMT001"]),
    ("on nothing", "! 1C AP", ["1:46 FMT001"]), ("insufficient though higher", "1C ^I 1D AP", ["1:52 FMT017"]),
    ("insufficient though first", "^I 1C AP", ["1:49 FMT017"]), ("a pass as insufficient", "1C ^I Pass AP", ["1:52 FMT017"]),
    ("insufficient, as far as is known", "1C - ^I 1D AP", []),
]  # fmt: skip


@pytest.mark.parametrize(("words", "found"), [row[1:] for row in CALL_FAULTS], ids=[row[0] for row in CALL_FAULTS])
def test_faults_of_the_auction_section(words: str, found: list[str]) -> None:
    """Each is told once, and what cannot be read is kept as it stood."""
    text = f'[Dealer "N"][Declarer ""][Auction "N"]{" " * 7}{words}'
    assert one(text)[1] == found


TAG_FAULTS = [
    ("no value", "[Event]", ["1:1"]), ("no quotes", "[Event x]", ["1:1"]), ("no end", '[Event "x]', ["1:1"]),
    ("words", "hello\nworld", ["1:1"]), ("words after a tag", '[Event "x"]\nhello', ["2:1"]),
    ("note", '[Note "1:x"]', ["1:8"]), ("brace", '{x\n\n[Event "x"]', ["1:1"]),
    ("nothing before", '[Event "#"]', ["1:9"]), ("dealer", '[Dealer "Q"]', ["1:10"]), ("hands", '[Deal "N:x - -"]', ["1:8"]),
    ("suits", '[Deal "N:AK.Q - - -"]', ["1:10"]), ("rank", '[Deal "N:A.1.. - - -"]', ["1:12"]),
    ("seat", '[Deal "- - -"]', ["1:8"]),
    ("contract", '[Contract "8H"]', ["1:12"]), ("declarer", '[Declarer "NS"]', ["1:12"]), ("empty", "", ["1:1"]),
]  # fmt: skip


@pytest.mark.parametrize(("text", "found"), [row[1:] for row in TAG_FAULTS], ids=[row[0] for row in TAG_FAULTS])
def test_faults_of_tags(text: str, found: list[str]) -> None:
    findings = [finding for reading in read(text) for finding in reading.findings]
    assert told(findings) == [f"{place} FMT001" for place in found]


def test_one_bad_game_hides_no_other() -> None:
    for bad in (
        '{\n[Event "x"]\n\n',
        "[Event\n\n",
        "SK ^R {x\n\n",
        '[Deal "N:\n\n',
        "[Play \n\n",
        "\x00\xff\n\n",
        f"{PLAIN}[Event\n\n",
    ):
        assert read(bad + PLAIN)[-1].findings == ()
        assert [len(plays(r.record.deals[0])) for r in read(bad + PLAIN)[-1:] if r.record] == [25], bad


def test_games_without_an_empty_line_between() -> None:
    readings = read(PLAIN + PLAIN.replace('"7"', '"8"'))
    assert [reading.record.deals[0].number for reading in readings if reading.record] == [7, 8]
    assert [[finding.message for finding in reading.findings] for reading in readings] == [
        [], ["an empty line should stand before this game"],
    ]  # fmt: skip


# --- the verifier's files, which are not part of the project --------------------------------------------------------

VERIFIER = ROOT.parent / "shared/data"

verifier = pytest.mark.skipif(not VERIFIER.exists(), reason=f"the files of the PBN verifier are not at {VERIFIER}")


@cache
def verified(name: str) -> dict[int, tuple[tuple[str, int, str], ...]]:
    """What is found in each game of a file, by the verifier's number: code, line, message."""
    data = (VERIFIER / name).read_bytes()
    starts = {
        int(match[1]): data[: match.start()].count(b"\n") + 1
        for match in re.finditer(rb"^% =+ game (\d+) =+", data, re.MULTILINE)
    }
    found: dict[int, list[tuple[str, int, str]]] = {number: [] for number in starts}
    for findings in judged(data):
        for finding in findings:
            assert finding.location
            number = max(number for number, line in starts.items() if line < finding.location.line)
            found[number].append((finding.code, finding.location.line - starts[number], finding.message))
    return {number: tuple(findings) for number, findings in found.items()}


@verifier
def test_the_verifiers_correct_games() -> None:
    """All are read without an error. In game 3 the players did what its marks say, which is what the referee finds; game 4 is
    board 13 with nobody vulnerable, which is nothing to tell at Chicago, where no board says who is."""
    found = verified("correct_10.pbn")
    assert len(found) == 31
    assert {number: sorted(code for code, _, _ in findings) for number, findings in found.items() if findings} == {
        3: ["BID001", "BID001", "BID023", "BID023", "PLY004", "REV001", "REV001"]
    }


#: By game: the lines of it, counted from its heading, in which something is to be found, as the comments there say.
VERDICTS = {
    28: {37}, 29: {7}, 30: {7}, 32: {7}, 33: {7}, 34: {8}, 36: {3}, 37: {3}, 39: {4}, 40: {3}, 41: {4}, 42: {4}, 43: {4},
    25: {4}, 26: {4}, 27: {4}, 44: {10}, 45: {10, 13, 16, 19}, 46: {10, 12, 15, 17}, 47: {11, 14, 17, 20}, 48: {10, 13, 16},
    49: {10, 13, 16, 19, 22, 25}, 50: {10}, 51: {10}, 52: {10}, 53: {10}, 60: {15}, 71: {28}, 72: {6, 8, 10, 12, 14},
    73: {27, 29, 31}, 74: {36, 38},
}  # fmt: skip


@verifier
@pytest.mark.parametrize("game", VERDICTS)
def test_the_verifiers_errors_of_auction_and_play(game: int) -> None:
    lines = {line for _, line, _ in verified("errors_10.pbn")[game]}
    assert VERDICTS[game] <= lines
    beyond = {
        28: {5},
        71: {9},
        73: {29},
        74: {15, 24, 27},
    }  # a tag that stands twice; a board another seat deals; what follows from a bad card or note; a Result that is really wrong
    assert lines - VERDICTS[game] <= beyond.get(game, set())


@verifier
def test_a_claim_is_not_judged_by_the_cards_left() -> None:
    """Game 61 claims all the tricks against an ace of trumps: the verifier says nothing of it, and nor do we."""
    assert verified("errors_10.pbn")[61] == ()
