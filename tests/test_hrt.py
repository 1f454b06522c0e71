"""The typed notation: nothing of a record is lost in it, people's own typing is understood, and what is not is told where."""

from __future__ import annotations

import json
import re
from itertools import permutations
from pathlib import Path
from random import Random
from typing import Any

import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st
from pydantic import ValidationError

from handrec import check, dumps, formats, load
from handrec.cli import run
from handrec.convert import written
from handrec.dealing import deal_game
from handrec.formats import hrt
from handrec.formats.hrt.building import CLAIMS, DEAL_WORDS, HEADER, RecordBuilder
from handrec.formats.hrt.events import EVENT_WORDS
from handrec.formats.untold import settled
from handrec.record import Record
from tests.dealing import FAULTS, GAMES, any_options, faulty, some_deals
from tests.test_writing import documents, newer_documents

ROOT = Path(__file__).parents[1]
FIXTURES = sorted(
    path for path in (ROOT / "fixtures").rglob("*") if path.suffix in (".json", ".jsonl") or path.name == "three-deals.txt"
)
TYPED = {path.stem: path for path in sorted((ROOT / "tests/typed").glob("*.hrt"))}
some = settings(deadline=None, derandomize=True, max_examples=20)

HEAD = "%hrt 1\ngame bridge\nseats N E S W\nstatus excerpt\n"


def readings(text: str | bytes) -> list[formats.Reading]:
    return list(hrt.read(text.encode() if isinstance(text, str) else text, "g.hrt"))


def told(text: str | bytes) -> list[str]:
    """What is found in a text, as line:column, code and message."""
    found = [reading.placed(finding) for reading in readings(text) for finding in reading.findings]
    return [f"{str(finding.location)[6:]} {finding.code} {finding.message}" for finding in found]


def typed(text: str) -> dict[str, Any]:
    """The data of the one record in a text, in which nothing is wrong."""
    (reading,) = readings(text)
    assert reading.findings == ()
    assert reading.record is not None
    data: dict[str, Any] = json.loads(dumps(reading.record))
    return data


def events(*lines: str) -> list[dict[str, Any]]:
    """What some lines of a deal say that happened."""
    found: list[dict[str, Any]] = typed(HEAD + "deal\n" + "\n".join(lines))["deals"][0]["events"]
    return found


def assert_kept(record: Record) -> str:
    """The record in the notation, from which the same record is read."""
    text = hrt.write(record)
    (reading,) = readings(text)
    assert {finding.code for finding in reading.findings} <= {"FMT014", "FMT021"}
    assert reading.record is not None
    assert dumps(reading.record) == dumps(record)
    assert reading.record == record
    return text


# --- nothing is lost ----------------------------------------------------------------------------------------------------


@pytest.mark.some(66)
@pytest.mark.parametrize("path", FIXTURES, ids=lambda path: str(path.relative_to(ROOT / "fixtures")))
def test_every_fixture_is_kept(path: Path) -> None:
    """From JSON to the notation and back, every fixture that can be read at all is the same, byte for byte."""
    for reading in formats.read(path.read_bytes(), path.name):
        if reading.record is not None:
            assert_kept(reading.record)


@some
@given(st.sampled_from(GAMES), st.integers(0, 2**32), st.booleans())
def test_dealt_games_are_kept_and_read_like_a_score_sheet(game: Any, seed: int, whole: bool) -> None:
    """Any legal deal is written without JSON, and with one line for each trick that was won."""
    rng = Random(seed)
    options, players = any_options(game, rng), rng.choice([count for count in game.players if count < 7])
    numbers = None if whole and players < 5 else some_deals(game, players, options, rng)
    record = deal_game(game, players, seed, options=options, numbers=numbers)
    text = assert_kept(record)
    tricks = sum(len((deal.claimed and deal.claimed.winners) or ()) for deal in record.deals)
    assert len(re.findall(r"^play ", text, re.MULTILINE)) == tricks
    assert not re.search(r"^\{", text, re.MULTILINE)


@pytest.mark.long
@pytest.mark.parametrize(("game", "code"), FAULTS, ids=lambda item: getattr(item, "key", item))
@settings(some, max_examples=2)
@given(st.integers(0, 2**32))
def test_deals_with_a_fault_are_kept(game: Any, code: str, seed: int) -> None:
    """Whatever goes wrong in a deal is written down and read back as it was."""
    assert_fault_kept(game, code, seed)


@settings(some, max_examples=6)
@given(st.sampled_from(FAULTS), st.integers(0, 2**32))
def test_some_deals_with_a_fault_are_kept(fault: Any, seed: int) -> None:
    """The same for a few faults, beside the fixtures that break each rule."""
    assert_fault_kept(*fault, seed)


def assert_fault_kept(game: Any, code: str, seed: int) -> None:
    """A dealt record with one fault planted is kept, if the fault can come about."""
    record = faulty(game, code, seed)
    assume(record is not None)
    assert record is not None
    assert_kept(record)


#: Seats, cards and words that could be taken for something else.
NAMES = (
    *("AS", "5", "-", "n", "N", "of", "by", "bid", "P2", "trick", "none", "deal", "look", "10h", "leader", "from", "_", "E-1"),
    *("NT", "S", "6NT"),
)
CARDS = ("XQ", "P2", "22", "SA", "AS", "??", "?S", "T?", "DHm", "BJ", "OF", "AAa", "TH")
WORDS = ("3", "-3", "3.0", "+3", "true", "N", "AS", "blind", "of", "-", "S")


@st.composite
def hostile(draw: st.DrawFn) -> Record:
    """Any record that the schema allows, with names that are easily misread."""
    data = draw(documents | newer_documents)
    names = dict(zip(("N", "E", "S", "W", "P-3", "bastard"), draw(st.permutations(NAMES)), strict=False))
    text = re.sub(r'"(N|E|S|W|P-3|bastard)"', lambda match: json.dumps(names[match[1]]), json.dumps(data))
    data = json.loads(text)
    data["version"] = draw(
        st.sampled_from(["1.0", "1.0", "1.7", "1.000"] if data["version"] == "1.0" else ["1.1", "1.01", "1.7"])
    )
    for deal in data["deals"]:
        for event in deal.get("events", []):
            if "card" in event and draw(st.booleans()):
                event["card"] = draw(st.sampled_from(CARDS))
            if event["do"] == "play" and draw(st.booleans()):
                event["questioned"] = draw(st.booleans())
            if event["do"] == "bid" and draw(st.booleans()):
                event["bid"] = draw(st.sampled_from(WORDS))
    try:
        return settled(Record.model_validate(data))[0]
    except ValidationError:  # a name that is none of an option, say
        assume(False)
        raise


@settings(some, max_examples=40)
@given(hostile())
def test_any_record_is_kept(record: Record) -> None:
    """Odd orders, missing fields, empty lists, seats called `of`, bids that are words of digits, any text: all are kept."""
    assert_kept(record)


@some
@given(st.lists(st.tuples(st.sampled_from(["N", "E", "S", "W", "bastard", None]), st.sampled_from(CARDS)), max_size=30))
def test_plays_in_any_order_are_kept(plays: list[tuple[str | None, str]]) -> None:
    """Plays out of turn, twice, by nobody named, by seats that are none of the table's: the events are the same."""
    data = typed(HEAD)
    happened = [{"do": "play", "card": card} | ({"by": by} if by else {}) for by, card in plays]
    assert_kept(Record.model_validate({**data, "deals": [{"events": happened}]}))


# --- people's typing ----------------------------------------------------------------------------------------------------

#: The fixture that each typed text tells a deal of, and which deal.
TELLS = {
    "kbabs": ("kbabs-4-players", 11),
    "bastard": ("bastard-nuisance", 0),
    "batarde": ("batarde-4-players", 0),
    "spades3": ("spades3-blind-and-bemo", 1),
    "bugami": ("bugami-one-deal", 0),
    "bridge": ("bridge-4-deals", 0),
    "hearts": ("hearts-whole-game", 0),
    "oh_hell": ("oh_hell-whole-game", 7),
    "whist": ("whist-whole-game", 0),
}


def test_every_game_has_a_typed_example() -> None:
    """There is one for each game, and no other."""
    assert set(TYPED) == set(TELLS) == {game.key for game in GAMES}


@pytest.mark.parametrize("name", TELLS)
def test_a_deal_typed_at_the_table(name: str) -> None:
    """It tells the same events and hands as the fixture does, and has no fault."""
    fixture, index = TELLS[name]
    record, told_of = load(TYPED[name]), load(ROOT / f"fixtures/clean/{fixture}.handrec.json").deals[index]
    assert check(record).findings == ()
    (deal,) = record.deals
    assert [(event.do, event.model_dump(exclude={"by", "questioned", "trick"})) for event in deal.events] == [
        (event.do, event.model_dump(exclude={"by", "questioned", "trick"})) for event in told_of.events
    ]
    if name != "bridge":  # typed without seats
        assert [event.by for event in deal.events] == [event.by for event in told_of.events]
    for seat, hand in (deal.hands or {}).items():
        assert sorted(hand) == sorted((told_of.hands or {})[seat])


def test_a_whole_record_as_expected() -> None:
    """Every line of a typed record is where it belongs."""
    data = typed(TYPED["kbabs"].read_text("utf-8"))
    assert data == {
        "format": "handrec",
        "version": "1.1",
        "game": "kbabs",
        "players": [{"seat": seat, "name": name} for seat, name in zip("NESW", ("Ann", "Bo", "Cy", "Di"), strict=True)],
        "status": "excerpt",
        "deals": [
            {
                "number": 12,
                "dealer": "W",
                "hands": {"N": ["6H", "JC"], "E": ["JH", "5H"], "S": ["4S", "5C"], "W": ["KD", "6D"]},
                "aside": {"turnup": ["QD"]},
                "events": [
                    {"do": "turn", "card": "QD"},
                    *({"do": "bid", "by": seat, "bid": bid} for seat, bid in zip("NESW", (0, 1, 2, 0), strict=True)),
                    {"do": "play", "by": "N", "card": "JC", "trick": 1},
                    {"do": "play", "by": "E", "card": "5H"},
                    {"do": "play", "by": "S", "card": "5C"},
                    {"do": "play", "by": "W", "card": "KD"},
                    {"do": "play", "by": "W", "card": "6D", "trick": 2},
                    {"do": "play", "by": "N", "card": "6H"},
                    {"do": "play", "by": "E", "card": "JH", "questioned": True},
                    {"do": "play", "by": "S", "card": "4S"},
                ],
                "claimed": {"scores": {"N": 10, "E": -1, "S": -4, "W": -4}},
                "comments": [{"text": "Bo wanted to lead", "event": 13}],
            }
        ],
    }


@pytest.mark.parametrize(
    ("line", "expected"),
    [
        ("bid N 3 E pass", [{"do": "bid", "by": "N", "bid": 3}, {"do": "bid", "by": "E", "bid": "pass"}]),
        ("bid w: 1H 2H", [{"do": "bid", "by": "W", "bid": "1H"}, {"do": "bid", "by": "N", "bid": "2H"}]),
        ('bid N "3"', [{"do": "bid", "by": "N", "bid": "3"}]),
        ("BLIND N=-5", [{"do": "bid", "by": "N", "bid": -5, "blind": True}]),
        ("contract 4H by S", [{"do": "contract", "bid": "4H", "by": "S"}]),
        ("contract 3NTx", [{"do": "contract", "bid": "3NTx"}]),
        ("turn ?h # not seen", [{"do": "turn", "card": "?H"}]),
        ("look N S", [{"do": "announce", "by": seat, "what": "look"} for seat in "NS"]),
        (
            "guess N 7h E",
            [{"do": "announce", "by": "N", "what": "guess", "card": "7H"}, {"do": "announce", "by": "E", "what": "guess"}],
        ),
        ("sips N 2", [{"do": "announce", "by": "N", "what": "sips", "count": 2}]),
        ("announce hop N", [{"do": "announce", "by": "N", "what": "hop"}]),
        ("withdraw E ♥3", [{"do": "withdraw", "by": "E", "card": "3H"}]),
        ("withdraw E bid 1H", [{"do": "withdraw", "by": "E", "bid": "1H"}]),
        ("bid N ? E pass", [{"do": "bid", "by": "N", "bid": "?"}, {"do": "bid", "by": "E", "bid": "pass"}]),
        ("exchange n to e as, 2c", [{"do": "exchange", "by": "N", "to": "E", "cards": ["AS", "2C"]}]),
        ("exchange S into kitty ♣23 2D", [{"do": "exchange", "by": "S", "into": "kitty", "cards": ["2C", "3C", "2D"]}]),
        ("exchange S from kitty count 3", [{"do": "exchange", "by": "S", "of": "kitty", "count": 3}]),
        ("exchange S from kitty seen AH", [{"do": "exchange", "by": "S", "of": "kitty", "seen": True, "cards": ["AH"]}]),
        ("show S for meld KS QS", [{"do": "show", "by": "S", "what": "meld", "cards": ["KS", "QS"]}]),
        ("show S ks", [{"do": "show", "by": "S", "cards": ["KS"]}]),
        (
            "transfer N from E 2 trick 5 deal 3",
            [{"do": "transfer", "by": "N", "of": "E", "tricks": 2, "of_trick": 5, "of_deal": 3}],
        ),
        ("accuse N E", [{"do": "accuse", "by": "N", "of": "E"}]),
        ("accuse N of E deal 2 trick 5", [{"do": "accuse", "by": "N", "of": "E", "trick": 5, "of_deal": 2}]),
        ("transfer N from E 2", [{"do": "transfer", "by": "N", "of": "E", "tricks": 2}]),
        ("penalty E 10 for renege", [{"do": "penalty", "of": "E", "points": 10, "reason": "renege"}]),
        ("ruling E upheld by the table", [{"do": "ruling", "of": "E", "verdict": "upheld", "by": "the table"}]),
        ("claim N N 3 E 0", [{"do": "claim", "by": "N", "tricks": {"N": 3, "E": 0}}]),
        (
            "as KD!, 10c",
            [{"do": "play", "card": card} | more for card, more in (("AS", {}), ("KD", {"questioned": True}), ("TC", {}))],
        ),
        ("1) n as e: ks", [{"do": "play", "by": "N", "card": "AS", "trick": 1}, {"do": "play", "by": "E", "card": "KS"}]),
        (
            "1 W AS S KS !",
            [{"do": "play", "by": "W", "card": "AS", "trick": 1}, {"do": "play", "by": "S", "card": "KS", "questioned": True}],
        ),
        ("trick 1: E KS", [{"do": "play", "by": "E", "card": "KS", "trick": 1}]),
        ("play E KS", [{"do": "play", "by": "E", "card": "KS"}]),
        ("penalty E −5", [{"do": "penalty", "of": "E", "points": -5}]),
        ('{"do": "play", "card": "AS"}', [{"do": "play", "card": "AS"}]),
    ],
)
def test_what_a_line_says(line: str, expected: list[dict[str, Any]]) -> None:
    """Each kind of line, in capitals or not, with marks or without."""
    assert events(line) == expected


def test_boards_sides_and_alerts_have_lines_and_make_the_record_1_1() -> None:
    """What only 1.1 has makes the record of that version, whatever its first line says; a file without it stays 1.0."""
    data = typed(
        HEAD
        + """deal 3 board 3 dealer S vulnerable EW
bid S 1NT  W pass
alert @1
alert @1 by "Ann" "15 to 17"
explanation @2 nothing to say # a remark
side NS tricks 7 score -50 imps -2
side EW matchpoints 12.5
side P1+P2
final side NS score -50
"""
    )
    (deal,) = data["deals"]
    assert (data["version"], deal["board"], deal["vulnerable"], deal["dealer"]) == ("1.1", 3, "EW", "S")
    assert deal["claimed"]["sides"] == {
        "NS": {"tricks": 7, "score": -50, "imps": -2}, "EW": {"matchpoints": "12.5"}, "P1+P2": {},
    }  # fmt: skip
    assert data["claimed"] == {"sides": {"NS": {"score": -50}}}
    assert deal["comments"] == [
        {"text": "", "event": 1, "kind": "alert"},
        {"text": "15 to 17", "by": "Ann", "event": 1, "kind": "alert"},
        {"text": "nothing to say", "event": 2, "kind": "explanation"},
    ]
    assert typed(HEAD + "deal\nbid S 1NT")["version"] == "1.0"


#: Lines of tricks, and the numbers that stand on their plays (0 none).
ROWS = {
    "each number on the first card of its line": (["1 N AS KS QS JS", "2 N AH KH QH JH"], [1, 0, 0, 0, 2, 0, 0, 0]),
    "a short line is one of its own": (["1 N AS KS QS", "2 N AH KH QH JH"], [1, 0, 0, 2, 0, 0, 0]),
    "numbers that jump are what was typed": (["3 N AS KS QS JS", "7 N AH"], [3, 0, 0, 0, 7]),
    "a number typed for two tricks": (["1 N AS KS QS JS", "1 N AH KH"], [1, 0, 0, 0, 1, 0]),
    "a trick goes on in a line of its number": (["1 N AS 3S", "withdraw E 3S", "1 E KS QS JS"], [1, 0, 0, 0, 0]),
    "or in one without": (["1 N AS", "E: KS QS JS", "2 N AH"], [1, 0, 0, 0, 2]),
    "without seats, after as many cards as there are seats": (["1 AS KS", "1 QS JS", "1 AH KH"], [1, 0, 0, 0, 1, 0]),
    "lines without numbers have none": (["N AS KS QS JS", "N AH KH QH JH"], [0] * 8),
    "after one without a number, a number begins a row": (["N AS KS QS", "1 W AH"], [0, 0, 0, 1]),
}


@pytest.mark.parametrize(("lines", "numbers"), ROWS.values(), ids=ROWS)
def test_a_typed_number_stands_on_the_first_card_of_its_line(lines: list[str], numbers: list[int]) -> None:
    """Numbers and where lines begin are facts; they are written again as they were typed."""
    text = HEAD + "deal\n" + "\n".join(lines)
    (reading,) = readings(text)
    assert reading.record is not None
    plays = [event for event in reading.record.deals[0].events if event.do == "play"]
    assert [play.trick or 0 for play in plays] == numbers
    assert reading.record.version == ("1.1" if any(numbers) else "1.0")
    written = hrt.write(reading.record)
    (again,) = readings(written)
    assert again.record == reading.record
    assert [int(line.split()[0]) for line in written.splitlines() if line[:1].isdigit()] == [each for each in numbers if each]


def test_a_numbered_line_is_written_again_as_it_was() -> None:
    """Line for line, whole tricks and short ones, of any number."""
    lines = ["1 N AS KS QS JS", "2 N AH KH QH", "3 W 2C 3C S: 4C", "5 S 2D"]
    (reading,) = readings(HEAD + "deal 1\n" + "\n".join(lines))
    assert reading.record is not None
    assert hrt.write(reading.record).splitlines()[-4:] == lines
    assert hrt.write(reading.record).startswith("%hrt 1.1\n")


@pytest.mark.parametrize(
    ("lines", "said"),
    [
        (["1 N AS KS QS JS", "2 N AH KH", "3 S 2C"], []),
        (["3 N AS"], ["6:3 PLY005 tricks 1 to 2 are missing, or the number of this row is 1 and not 3"]),
        (["14 N AS"], ["6:1 FMT019 the number 1 is due before this row, not 14"]),
        (["1 N AS KS QS JS", "4 N AH", "5 N AC"], ["7:3 PLY005 tricks 2 to 3 are missing"]),
        (["1 N AS KS QS JS", "4 N AH", "3 N AC"], ["7:1 FMT019 the number 2 is due before this row, not 4"]),
        (["1 N AS KS QS JS", "1 N AH"], ["7:1 FMT019 the number 2 is due before this row, not 1"]),
        (["1 N AS KS QS", "1 N AH"], ["7:1 FMT019 the number 2 is due before this row, not 1"]),
        (["1 N AS", "1 E KS", "withdraw E KS", "1 E QS", "2 E 2D"], []),
        (["N AS KS QS JS", "7 N AH", "3 N AC"], ["7:1 FMT019 the number 2 is due before this row, not 7"]),
        (["1 N AS KS QS JS", "N AH KH QH JH", "3 N AC", "4 N 2C"], []),
        (["1 N AS KS QS JS", "N AH KH QH JH", "2 N AC", "3 N 2C"], ["8:1 FMT019 the number 3 is due before this row, not 2"]),
        (
            ["1 N AS", "deal 2", "1 N AS", "deal 3", "2 N AS", "2 N AC"],
            ["10:1 FMT019 the number 1 is due before this row, not 2"],
        ),
    ],
)
def test_numbers_that_are_not_in_order_are_told_and_kept(lines: list[str], said: list[str]) -> None:
    """Each once, where it stands: the number is wrong, or rows are not on record. The record is what was typed."""
    text = HEAD + re.sub(r"(deal \d)", r"\1 status stopped", "\n".join(["deal 1", *lines]))
    (reading,) = readings(text)
    assert reading.findings == ()
    assert reading.record is not None
    found = [reading.placed(finding) for finding in check(reading.record).findings]
    rows = [finding for finding in found if finding.code == "FMT019" or finding.message.startswith("tricks")]
    assert [f"{str(finding.location)[6:]} {finding.code} {finding.message}" for finding in rows] == said
    assert {finding.severity for finding in rows if finding.code == "FMT019"} <= {"warning"}


def test_a_number_is_pointed_at_where_it_stands() -> None:
    (reading,) = readings(HEAD + "deal 1\n1 N AS KS QS JS\n  trick 7: N AH")
    place = reading.locate("/deals/0/events/4/trick")
    assert (place.line, place.column) == (7, 9)


@pytest.mark.parametrize("number", ["0", "1000000", "999999", "0007", "1.5", "٣"])
def test_any_number_before_a_trick_ends_in_a_record_or_a_finding(number: str) -> None:
    (reading,) = readings(f"{HEAD}deal 1\n{number} N AS KS\n{number} W AH\n")
    assert (reading.record is None) is any(finding.severity == "error" for finding in reading.findings)
    assert all(finding.code in ("FMT001", "FMT007") for finding in reading.findings)


@pytest.mark.parametrize("hand", ["AS KS TS 2D ?D", "as, ks 10s\t2d ?D", "♠AK10 ♦2?", "AK10..2x.-", '"AS" K♠ ♠T ♦2 ?d'])
def test_a_hand_in_any_spelling(hand: str) -> None:
    """Cards one by one or suit by suit are the same hand."""
    deal = typed(f"{HEAD}deal 1\nhand N: {hand}")["deals"][0]
    assert deal["hands"] == {"N": ["AS", "KS", "TS", "2D", "?D"]}


def test_none_and_not_recorded() -> None:
    """`[]` is none at all; what is not written is not there."""
    assert typed(HEAD)["deals"] == []
    deal = typed(HEAD + "hand N []\naside stock []\nevents []\nclaimed []\nwinners []\nnote []")["deals"][0]
    assert deal == {"hands": {"N": []}, "aside": {"stock": []}, "events": [], "claimed": {"winners": []}, "comments": []}
    assert typed(HEAD + "deal\nhand []\nclaimed []")["deals"] == [{"hands": {}, "claimed": {}}]


def test_notes_and_names_are_free_texts() -> None:
    """A note runs to the end of its line, with all that stands in it but a comment; a name of several words is quoted."""
    data = typed(
        HEAD + 'note No#1: "no" [sic], by half\ndeal\nN AS\nnote @ by "the [table]" so: it = was\nid a "b" c\nsource "x # y"'
    )
    assert data["comments"] == [{"text": 'No#1: "no" [sic], by half'}]
    assert data["deals"][0]["comments"] == [{"text": "so: it = was", "by": "the [table]", "event": 1}]
    assert (data["id"], data["provenance"]) == ('a "b" c', {"source": "x # y"})


@pytest.mark.parametrize("free", ["", " # the table's", "\t#", '  # "quoted" # twice'])
def test_behind_a_comment_sign_any_line_is_free(free: str) -> None:
    """Every line of a record says the same with a comment behind it, texts without quotes too."""
    header = ["id club 7", "recorder Zoe", "date 2026-01-02", "about so, it was", "note []", "extension x {}"]
    lines = ["note late again", "deal 1", "hand N AS", "1 N AS", "ruling E upheld by the table", "note @ x#1", "scores N 3"]
    data = typed(HEAD + "".join(f"{line}{free}\n" for line in header + lines))
    assert data["id"] == "club 7"
    assert data["provenance"] == {"recorder": "Zoe", "date": "2026-01-02", "note": "so, it was"}
    assert data["comments"] == [{"text": "late again"}]
    assert data["deals"][0]["events"][1] == {"do": "ruling", "of": "E", "verdict": "upheld", "by": "the table"}
    assert data["deals"][0]["comments"] == [{"text": "x#1", "event": 2}]


def test_several_games_in_a_file() -> None:
    """Each `%hrt` begins another; windows' line ends, comments before, and a byte order mark do no harm."""
    text = "# two\r\n" + HEAD.replace("\n", "\r\n") + HEAD.replace("bridge", "kbabs")
    assert [reading.record and reading.record.game for reading in readings(text)] == ["bridge", "kbabs"]
    (reading,) = readings(b"\xef\xbb\xbf" + HEAD.encode())
    assert reading.record is not None
    assert [finding.code for finding in reading.findings] == ["FMT015"]


# --- what cannot be read ------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("line", "said"),
    [
        ("1 N AS XQ", "7:8 FMT001 cannot be read: a card such as AS is expected, found XQ"),
        ("1 N AS SK", "7:8 FMT001 cannot be read: a card such as AS is expected, found SK (did you mean KS?)"),
        ("1 N AS KS QS JS TS", "7:17 FMT001 cannot be read: N has played in this line already; a line is one trick at most"),
        ("1 N AS E:", "7:10 FMT001 cannot be read: a card such as AS is expected, but the line ends here"),
        ("1 bastard: AS KS", "7:15 FMT001 cannot be read: the seat that comes after bastard, with a colon is expected, found KS"),
        ("hand N AS 1S", "7:11 FMT001 cannot be read: a card such as AS is expected, found 1S"),
        ("hand N ♥RSs", "7:11 FMT001 cannot be read: a rank in capitals is expected, found s"),
        ("hand N AK.Q1.3.4", "7:12 FMT001 cannot be read: a rank is expected, found 1"),
        ("hand AS KS", "7:6 FMT001 cannot be read: a seat (N E S W) is expected, found AS"),
        ("hand N", "7:7 FMT001 cannot be read: a card such as AS (or [] for none) is expected, but the line ends here"),
        ("bid N", "7:6 FMT001 cannot be read: a bid such as 3 or 4H is expected, but the line ends here"),
        ("bid N: 3 E 4", "7:10 FMT001 cannot be read: a value, or a seat with a colon such as E: is expected, found E"),
        ("bid 3 4 2 5", "7:5 FMT001 cannot be read: a seat (N E S W) is expected, found 3"),
        (
            "bdi N 3",
            "7:1 FMT001 cannot be read: a trick, or a word that a line begins with, is expected, found bdi (did you mean bid?)",
        ),
        ("scores N 3.5", "7:10 FMT001 cannot be read: a whole number is expected, found 3.5"),
        ("scores N 99999999999999999999", "7:10 FMT004 99999999999999999999 is not a whole number of moderate size"),
        ("scores N 9999999999", "7:10 FMT007 /deals/0/claimed/scores/N: should be at most 1000000000, not 9999999999"),
        ("scores N 1 N 2", "7:12 FMT001 cannot be read: N stands here for the second time"),
        ("dealer E dealer W", "7:10 FMT001 cannot be read: dealer stands here for the second time"),
        ("accuse N of E trick five", "7:21 FMT001 cannot be read: a whole number is expected, found five"),
        ("accuse N of E in 5", "7:15 FMT001 cannot be read: trick, deal, or the end of the line is expected, found in"),
        ("ruling E maybe", "7:10 FMT007 /deals/0/events/0/verdict: should be 'upheld', 'rejected' or 'undecided', not \"maybe\""),
        ("note # so", "7:10 FMT001 cannot be read: a text (in quotes if it has # in it) is expected, but the line ends here"),
        ('note "so', "7:6 FMT001 cannot be read: the text that begins here has no closing quote"),
        ("seats N E", "7:1 FMT001 cannot be read: the line seats is expected before the first deal"),
        ('options a={"b": 1, "b": 2}', "7:20 FMT003 the key b stands twice in one object"),
        ("options a=1.5", "7:11 FMT004 1.5 is not a whole number of moderate size"),
        ("extension x " + "[" * 31 + "]" * 31, "7:13 FMT002 the depth of nesting is over the limit of 30"),
        (
            '{"do": "play", "card": "as"',
            "7:28 FMT001 cannot be read: a comma or a closing bracket is expected, but the text ends here",
        ),
        ('{"do": "hop"}', "7:1 FMT007 /deals/0/events/0: "),
        ("date yesterday", "7:6 FMT007 /provenance/date: "),
    ],
)
def test_a_fault_is_told_where_it_stands(line: str, said: str) -> None:
    """One fault gives one finding, at its line and column, with what was expected; the lines after it are read."""
    found = told(f"{HEAD}\ndeal\n{line}\nbid N oops oops")
    assert found[0].startswith(said)
    assert found[1:] == ["8:16 FMT001 cannot be read: a bid such as 3 or 4H is expected, but the line ends here"]


@pytest.mark.parametrize(
    ("data", "said"),
    [
        (b"", "1:1 FMT001 cannot be read: %hrt 1 is expected, but there is nothing here"),
        (b"# x\n\n", "2:1 FMT001 cannot be read: %hrt 1 is expected, but there is nothing here"),
        (b'\n{"format": "handrec"}\n', "2:1 FMT001 cannot be read: %hrt 1 is expected, found"),
        (b"%hrt\ngame x\nseats N\n", "1:5 FMT001 cannot be read: the version, 1, is expected, but the line ends here"),
        (b"%hrt 2\ngame x\nwhat is this\n", "1:6 FMT006 version 2.0 is not known here, only 1.x"),
        (b"%hrt 1\nseats N\n", "1:1 FMT007 /game: is missing"),
        (b"%hrt 1\ngame x\nseats N=Ann Lee\n", "3:13 FMT001 cannot be read: SEAT=NAME is expected, found Lee"),
        (b"%hrt 1\ngame x\nseats N\nnote caf\xe9\n", "4:9 FMT005 text is not valid Unicode: byte 0xE9 is not UTF-8 here"),
        (b"\xff\xfe%\x00h\x00\n\x00", "1:1 FMT005 text is not valid Unicode: byte 0xFF is not UTF-8 here"),
        (b'%hrt 1\ngame x\nseats N="\\ud800"\n', "3:9 FMT005 text is not valid Unicode"),
        (b"%hrt 1\n" + b"x" * (16 * 2**20), "1:1 FMT002 the size of a record is over the limit of 16 MiB"),
    ],
)
def test_a_text_that_is_no_record(data: bytes, said: str) -> None:
    """A file that is something else, or is broken as a whole, has one finding."""
    (found,) = told(data)
    assert found.startswith(said)


def test_many_faults_are_told_up_to_a_limit() -> None:
    """Beyond a thousand faults in one record, only their number is told."""
    assert len(told(HEAD + "foo\n" * 900)) == 900
    found = told(HEAD + "foo\n" * 5000)
    assert len(found) == 1001
    assert "FMT002" in found[-1]


def test_findings_of_the_referee_have_their_places(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """`handrec check` tells the line and column of a card in the typed file, also when a directory is named."""
    path = tmp_path / "game.hrt"
    path.write_text(TYPED["kbabs"].read_text("utf-8").replace("scores", "score").replace("score N 10", "score N 12"), "utf-8")
    assert run(["check", str(tmp_path)]) == 1
    line = next(number for number, text in enumerate(path.read_text("utf-8").splitlines(), 1) if text.startswith("score"))
    assert f"game.hrt:{line}:9: SCO001 error" in capsys.readouterr().out


def assert_ends_well(data: bytes) -> None:
    """Bytes end in records, or in findings that stand somewhere in the file."""
    many = (data.count(b"\n") or data.count(b"\r")) + 1
    for reading in readings(data):
        places = [reading.placed(finding).location for finding in reading.findings]
        assert reading.record is not None or places
        assert all(place is not None and 1 <= place.line <= many and place.column >= 1 for place in places)
        if reading.record is not None:
            assert_kept(reading.record)


PIECES = [
    b" ",
    b"\n",
    b"[]",
    b'"',
    b"{",
    b":",
    b"=",
    b"!",
    b"@",
    b"#",
    b"\xff",
    b"99999999999999999999",
    b"N",
    b"AS",
    b"\\",
    b"%hrt 1\n",
    b"by ",
    b"\0",
]


def test_random_bytes_end_in_a_record_or_a_finding() -> None:
    """1,000 strings of bytes, half of them after a good beginning."""
    rng = Random(1)
    for number in range(300):
        data = rng.randbytes(rng.randrange(200)) if number % 4 else b" ".join(rng.choices(PIECES, k=rng.randrange(60)))
        assert_ends_well(HEAD.encode() * (number % 2) + data)


@pytest.mark.parametrize("many", [120, pytest.param(300, marks=pytest.mark.long)])
def test_mutated_texts_end_in_a_record_or_a_finding(many: int) -> None:
    """Typed texts with a few bytes, words or lines put in, taken out or exchanged."""
    rng = Random(2)
    texts = [path.read_bytes() for path in TYPED.values()]
    for _ in range(many):
        data = rng.choice(texts)
        for _ in range(rng.randrange(1, 6)):
            begin = rng.randrange(len(data) + 1)
            other = rng.choice(texts)
            place = rng.randrange(len(other))
            piece = rng.choice([b"", rng.choice(PIECES), rng.randbytes(2), other[place : place + rng.randrange(30)]])
            data = data[:begin] + piece + data[begin + rng.randrange(12) :]
        assert_ends_well(data)


def test_the_page_of_grammar_names_every_first_word() -> None:
    """Whatever a line can begin with stands in the module's own words."""
    page = set(re.findall(r"[%a-z_]+", hrt.__doc__ or ""))
    assert {*HEADER, *CLAIMS, *RecordBuilder().lines, *EVENT_WORDS, "%hrt", "status", *DEAL_WORDS} - page == set()


@pytest.mark.parametrize("seat", ["12", "123456", "1000000", "1234567", "12345678"])
def test_a_seat_called_like_the_number_of_a_trick_is_no_number(seat: str) -> None:
    """Nor is the number of a trick, however high, a seat."""
    plays = [{"do": "play", "by": seat, "card": "AS"}, {"do": "play", "by": "N", "card": "2S"}]
    plays.append({"do": "play", "by": seat, "card": "3S", "trick": 1_000_000})
    players = [{"seat": seat}, {"seat": "N"}]
    record = Record.model_validate(
        {"format": "handrec", "version": "1.1", "game": "kbabs", "players": players, "deals": [{"number": 1, "events": plays}]}
    )
    assert written(record, hrt.FORMAT)[1] == ()


@pytest.mark.some(3)
@pytest.mark.parametrize("bid", [6, 0, "S", "6NT", "pass"])
@pytest.mark.parametrize("seats", [("3",), ("P1", "P2"), ("N", "E", "S", "W")])
def test_strangers_of_any_name_stand_beside_any_bid(seats: tuple[str, ...], bid: Any) -> None:
    """In a sheet as at the table: whatever a seat is called that is none of the table's, no bid before it takes it in."""
    players = [{"seat": seat} for seat in seats]
    for one, other in permutations(NAMES, 2):
        bids = {one: bid, other: bid}
        happened = [{"do": "bid", "by": by, "bid": bid} for by in bids]
        deals = [{"events": happened, "claimed": {"bids": bids}}]
        record = Record.model_validate(
            {"format": "handrec", "version": "1.1", "game": "kbabs", "players": players, "deals": deals}
        )
        assert written(record, hrt.FORMAT)[1] == (), (one, other)
