"""Links to a board: read without a network, wherever they stand, and printed."""

from __future__ import annotations

import io
import re
import socket
import sys
from pathlib import Path
from types import SimpleNamespace
from urllib.parse import quote, quote_plus

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from handrec.cli import run
from handrec.formats import format_of
from handrec.formats.lin.writer import urls, write
from tests.lin_boards import EVENING, FIXTURES, ROOMS, SHORT, bids_of, cards_of, deal_of, only, read, rest_of, told
from tests.test_lin_faults import settle
from tests.test_lin_written import plain, records_of

VIEWER = "https://www.bridgebase.com/tools/handviewer.html"
#: A board told in parts, as a viewer takes it: without its hands in order, tens as 10, an alert, an explanation, a comment.
PARTS = (
    "n=s24kh29td2479qjc6&e=s378qjth348qjd3cj&s=s9ah67ad5ac237akq&w=s56h5kd68ktc458910&nn=No_One&sn=Zo%C3%AB&b=1&d=n&v=-"
    "&a=pp2c!(strong%20or%20so)p2dp3cp{h%C3%A9}3nppp&p=sqsas5s2{well+led}dad6d2d3&c=9"
)


@pytest.fixture(autouse=True)
def _no_network(monkeypatch: pytest.MonkeyPatch) -> None:
    """Whoever asks for a connection fails."""

    def refuse(*_: object, **__: object) -> None:
        raise AssertionError("a connection was asked for")

    monkeypatch.setattr(socket, "socket", refuse)
    monkeypatch.setattr(socket, "create_connection", refuse)


def test_a_board_told_in_parts() -> None:
    reading = only(f"{VIEWER}?{PARTS}")
    assert reading.findings == ()
    deal = deal_of(reading)
    assert (deal["board"], deal["dealer"], deal["vulnerable"]) == (1, "N", "none")
    assert " ".join(deal["hands"]["W"]) == "5S 6S 5H KH 6D 8D KD TD 4C 5C 8C 9C TC"
    assert len({card for hand in deal["hands"].values() for card in hand}) == 52
    assert bids_of(reading) == "N: pass pass 2C pass 2D pass 3C pass 3NT pass pass pass"
    assert cards_of(reading) == ["QS", "AS", "5S", "2S", "AD", "6D", "2D", "3D"]
    assert rest_of(reading)[-1] == {"do": "claim", "by": "N", "tricks": {"N": 7, "E": 4}}
    assert deal["comments"] == [
        {"text": "strong or so", "event": 3, "kind": "alert"},
        {"text": "hé", "event": 8},
        {"text": "well led", "event": 16},
    ]
    assert reading.record
    assert {player.seat: player.name for player in reading.record.players} == {"N": "No_One", "E": None, "S": "Zoë", "W": None}


def test_a_question_in_a_link_is_no_call() -> None:
    reading = only(f"{VIEWER}?s=saj874ha986daca53&d=n&a=3cp?")
    assert reading.findings == ()
    assert bids_of(reading) == "N: 3C pass"


@pytest.mark.parametrize("board", range(5))
def test_the_same_board_however_its_link_is_written(board: int) -> None:
    record = records_of(EVENING)[board]
    text = write(record).strip()
    for link in (
        f"{VIEWER}?lin={quote(text, safe='')}",
        f"{VIEWER}?lin={quote_plus(text)}",
        f"{VIEWER}?bbo=y&lin={quote(text)}&v3b=&v3v=web",
        f"http://example.org/movie/page.php?x=1&lin={text}",
        f"HTTPS://EXAMPLE.ORG/?LIN={text.lower().replace('ann,bo,cy,di', 'Ann,Bo,Cy,Di')}"
        if board in (1, 2)
        else f"{VIEWER}?lin={text}",
    ):
        amp = link.replace("&", "&amp;")
        for file in (
            link,
            f"\n  {link}\n",
            f"\ufeff{link}\r\n{link}",
            f"[InternetShortcut]\r\nURL={link}\r\n",
            f'<html><a href="{amp}">board</a> <a href="https://example.org/?x=1">no board</a></html>',
        ):
            assert format_of("<stdin>", file.encode()).key == "lin"
            for reading in read(file):
                assert reading.record
                assert reading.findings == ()
                assert plain(reading.record) == plain(record)


def test_every_place_is_in_the_link() -> None:
    link = f"{VIEWER}?{PARTS}"
    reading = only(f"\n{link}")

    def at(pointer: str) -> str:
        spot = reading.locate(pointer)
        assert spot.line == 2
        return link[spot.column - 1 :]

    assert at("/deals/0/hands/N").startswith("24kh29t")
    assert at("/deals/0/hands/W/12").startswith("10&nn")
    assert at("/deals/0/events/2").startswith("2c!(")
    assert at("/deals/0/events/12").startswith("sqsa")
    assert at("/deals/0/comments/0").startswith("strong%20") or at("/deals/0/comments/0").startswith("!(strong")
    encoded = f"{VIEWER}?lin={quote(SHORT, safe='')}"
    reading = only(encoded)
    assert encoded[reading.locate("/deals/0/events/11").column - 1 :].startswith("HQ%7C")


# --- hostile links --------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("query", "place", "why"),
    [
        ("s=sakq&a=1c%zz", "s=", "'%zz' stands for no character"),
        ("lin=md|1SAKQ%", "md|", "'%' stands for no character"),
        ("lin=md%7C1SAKQ,,,%7Cnt%7C%00%1b[2J%7C", "md%7C", "'\\x00' is no character of a text"),
        ("s=sakq&a=1c(a%7Cpc%7CSA%7C)", "s=", "'|' cannot stand in a"),
        ("s=sakq,shjt&a=1c", "s=", "',' cannot stand in s"),
        ("nn=A,B&s=sakq&a=1c", "nn=", "',' cannot stand in nn"),
        ("s=sakq&d=q", "s=", "'q' is no dealer"),
        ("s=sakq&d=s&v=x", "v=", "'x' does not say who is vulnerable"),
        ("s=sakq&d=s&a=1c9p", "9p", "'9' is no call"),
        ("s=sakq&d=s&a=1c(p", "(p", "'(' is no call"),
        ("s=sakq&d=s&a=ppp1cppp&p=sasbsc", "sbsc", "'s' is no card"),
        ("s=sakq&d=s&c=many", "many", "'many' is no number of tricks from 0 to 13"),
        ("s=sakx", "x", "'x' in S's hand is no card"),
        ("myhand=M-1", "", "there is no board in this file"),
        ("lin=", "", "there is no board in this file"),
        ("", "", "there is no board in this file"),
    ],
)
def test_what_cannot_be_read_of_a_link_is_told(query: str, place: str, why: str) -> None:
    link = f"{VIEWER}?{query}"
    found = told(read(link))
    assert [each for each in found if each.endswith(f" {why}")], found
    for each in found:
        assert 1 <= int(each.split()[0].removeprefix("1:")) <= len(link) + 1
    if place and place not in ("s=", "nn=", "md|", "md%7C"):
        assert f"1:{link.index(place, len(VIEWER)) + 1 + (2 if place == 'v=' else 0)} {why}" in found
    settle(link.encode())


def test_long_links_are_read_in_time() -> None:
    for query in (
        "lin=" + "%7C" * 100_000,
        "lin=" + "nt%7Ca%7C" * 20_000,
        "s=" + "sa" * 50_000,
        "a=" + "(x)" * 30_000,
        "p=" + "sa" * 50_000,
        "&" * 100_000 + "lin=md|1SA,,,|",
        "a=" + "{" * 100_000,
        "lin=" + "%" * 50_000,
    ):
        readings = read(f"{VIEWER}?{query}")
        assert sum(len(reading.findings) for reading in readings) <= 1100
    assert told(read("http://?" * 50_000))


@settings(max_examples=80, deadline=None)
@given(
    st.sampled_from([f"{VIEWER}?{PARTS}", f"{VIEWER}?lin={quote(SHORT)}", f"{VIEWER}?lin={SHORT.replace(chr(10), '')}"]),
    st.lists(
        st.tuples(
            st.integers(0, 900),
            st.integers(0, 9),
            st.binary(max_size=3)
            | st.sampled_from([b"%", b"%7C", b"%00", b"&", b"lin=", b"{", b"(", b"!", b"&amp;", b"#", b'"']),
        ),
        max_size=4,
    ),
)
@example(f"{VIEWER}?{PARTS.partition('&c=')[0]}&c", [])  # a field that lacks its sign ends where the link does
def test_any_link_ends_in_records_or_findings(link: str, edits: list[tuple[int, int, bytes]]) -> None:
    data = link.encode()
    for place, length, put in edits:
        place = len(VIEWER) + 1 + place % (len(data) - len(VIEWER))
        data = data[:place] + put + data[place + length :]
    settle(data)


# --- as a user ------------------------------------------------------------------------------------------------------


def test_a_link_is_an_argument_a_file_or_standard_input(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    link = f"{VIEWER}?{PARTS}"
    assert run(["convert", link, "--to", "lin"]) == 0
    line = capsys.readouterr().out
    assert line.startswith("pn|Zoë,,No_One,|st||md|3")
    file = tmp_path / "saved.url"
    file.write_text(f"[InternetShortcut]\nURL={link}\n", "utf-8")
    assert run(["convert", str(file), "--to", "lin"]) == 0
    assert capsys.readouterr().out == line
    monkeypatch.setattr(sys, "stdin", SimpleNamespace(buffer=io.BytesIO(link.encode())))
    assert run(["convert", "-", "--to", "lin"]) == 0
    assert capsys.readouterr().out == line
    assert run(["check", "https://example.org/club.lin"]) == 2
    assert "only handrec audit opens URLs" in capsys.readouterr().err
    assert run(["convert", f"{VIEWER}?lin=nothing", "--to", "lin"]) != 0
    assert "FMT001" in capsys.readouterr().err


def test_links_are_printed(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    evening, rooms = str(FIXTURES / "club-evening.lin"), str(FIXTURES / "two-rooms.lin")
    assert run(["view", "--lin-url", evening, rooms]) == 0
    links = capsys.readouterr().out.splitlines()
    assert len(links) == 9
    records = [*records_of(EVENING), *records_of(ROOMS)]
    for record, link in zip(records, links, strict=True):
        assert link.startswith(f"{VIEWER}?lin=pn%7C")
        assert re.fullmatch(r"[\w:/.?=%~-]+", link)
        [again] = records_of(link)
        known = plain(record) | {"extensions": {}}
        assert plain(again) | {"extensions": {}} == known
    assert run(["view", "--lin-url", "--record", "2", evening]) == 0
    assert capsys.readouterr().out.splitlines() == [links[1]]
    assert run(["view", "--lin-url", "--anonymise", "--record", "2", evening]) == 0
    assert "lin=pn%7C%2C%2C%2C%7Cst" in capsys.readouterr().out
    assert run(["view", "--lin-url", "--record", "9", evening]) == 2
    other = next((FIXTURES.parent / "clean").rglob("*.handrec.json"))
    assert run(["view", "--lin-url", str(other)]) == 1
    assert "LIN is for boards of bridge" in capsys.readouterr().err
    output = tmp_path / "links.txt"
    assert run(["view", "--lin-url", evening, "-o", str(output)]) == 0
    assert output.read_text("utf-8").splitlines() == links[:5]
    assert [plain(one) for one in records_of(output.read_text("utf-8"))] == [
        plain(one) for one in records_of("\n".join(links[:5]))
    ]
    assert urls(records[0]) == [links[0]]
