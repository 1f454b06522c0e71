"""The replay: a deal as people see it at the table, whole, by tricks, or through the eyes of one seat."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from handrec import dumps, referee
from handrec.cli import run
from handrec.dealing import deal_game
from handrec.game import Game
from handrec.games import find
from handrec.record import Record
from tests.tables import deal, game, plays_of

HANDS = "0: AH 7C 2D | 1: 3H KH 9S | 2: 5H TC BJ"

#: Seat 1 revokes in the first trick; seat 2 takes it.
REVOKE = game(
    "kbabs",
    3,
    deal(
        hands=HANDS, turn="6S", bids="1 1, 2 0, 0 1", plays="1 3H, 2 5H, 0 7C; 2 TC, 0 AH, 1 9S; 1 KH, 2 BJ, 0 2D",
        number=16, dealer="0", cards=3,
    ),
)  # fmt: skip

WHOLE = """\
Deal 16 · kbabs · 3 cards · dealer 0 · trump S · turned 6S
  0  bid 1  AH  2D  7C
  1  bid 1  9S  KH 3H
  2  bid 0  BJ  5H  TC
    1 >1 3H    2 5H*   0 7C
      ✗ REV001 0 played 7C on a lead of 3H while holding AH [KB-5.2]
        could have been played: AH
    2 >2 TC    0 AH    1 9S*
    3 >1 KH    2 BJ*   0 2D
  tricks 0 0 (-1)  1 1 (+11)  2 2 (-4)

"""


def _game(key: str) -> Game:
    game = find(key)
    assert game is not None
    return game


@pytest.fixture
def replay(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> Any:
    """`handrec replay` of a record given as data: exit code and standard output."""

    def call(record: Any, *arguments: str) -> tuple[int, str]:
        path = tmp_path / "r.json"
        path.write_text(record if isinstance(record, str) else json.dumps(record), "utf-8")
        code = run(["replay", str(path), "--color", "never", *arguments])
        return code, capsys.readouterr().out

    return call


def test_a_deal_in_text(replay: Any) -> None:
    """Hands, tricks with leader and winner, the remark under its trick with what could have been played, the result."""
    assert replay(REVOKE) == (0, WHOLE)


def test_a_fault_shown_can_be_the_exit_code(replay: Any) -> None:
    """Only with --exit-code, only if it is shown, and a note is no fault."""
    assert replay(REVOKE, "--exit-code")[0] == 1
    assert replay(REVOKE, "--exit-code", "--trick", "2")[0] == 0
    accused = game(
        "kbabs", 3,
        deal(
            hands=HANDS, turn="6S", bids="1 1, 2 0, 0 1", plays="1 3H, 2 5H, 0 AH", number=16, dealer="0", cards=3,
            status="stopped", then=[{"do": "accuse", "by": "1", "of": "2", "trick": 1}],
        ),
    )  # fmt: skip
    code, out = replay(accused, "--exit-code")
    assert code == 0
    assert "· CLM002 1 accused 2" in out


def test_one_trick(replay: Any) -> None:
    """The hands are those before it, and the remarks its own."""
    assert replay(REVOKE, "--trick", "2")[1].splitlines() == [
        "Deal 16 · kbabs · 3 cards · dealer 0 · trump S · turned 6S",
        "hands before trick 2",
        "  0  bid 1  AH  2D",
        "  1  bid 1  9S  KH",
        "  2  bid 0  BJ  TC",
        "    2 >2 TC    0 AH    1 9S*",
        "  tricks 0 0 (-1)  1 1 (+11)  2 2 (-4)",
        "",
    ]
    assert "REV001" in replay(REVOKE, "--trick", "1")[1]


def test_deals_without_the_trick_are_left_out(replay: Any) -> None:
    """A trick that only some deals of a game have shows those."""
    record = dumps(deal_game(_game("kbabs"), 4, 3))
    assert replay(record, "--trick", "12")[1].count("Deal ") == 4


def test_what_a_seat_saw(replay: Any) -> None:
    """Only its own hand, and no remark that rests on another's."""
    assert replay(REVOKE, "--as", "1")[1] == (
        "Deal 16 · kbabs · 3 cards · dealer 0 · trump S · turned 6S · as 1 saw it\n"
        "  0  bid 1\n"
        "  1  bid 1  9S  KH 3H\n"
        "  2  bid 0\n"
        "      · remarks that rest on other hands are withheld\n"
        "    1 >1 3H    2 5H*   0 7C\n"
        "    2 >2 TC    0 AH    1 9S*\n"
        "    3 >1 KH    2 BJ*   0 2D\n"
        "  tricks 0 0 (-1)  1 1 (+11)  2 2 (-4)\n\n"
    )
    own = replay(REVOKE, "--as", "0")[1]
    assert "REV001 0 played 7C" in own
    assert "could have been played: AH" in own


def test_what_a_seat_saw_at_a_trick(replay: Any) -> None:
    """Nothing that comes later: neither the result nor a card that is played after it."""
    out = replay(REVOKE, "--as", "2", "--trick", "1")[1]
    assert "tricks" not in out
    view = json.loads(replay(REVOKE, "--as", "2", "--trick", "1", "-f", "json")[1])[0]
    assert (view["won"], view["scores"], view["findings"]) == (None, None, [])
    assert not {"AH", "2D", "KH", "9S"} & set(out.split())


@pytest.mark.parametrize("inject", ["REV001", "REV002", "PLY001", "DEA002", "DEA003", "CLM003"])
def test_no_view_of_a_seat_names_a_card_it_could_not_know(replay: Any, inject: str) -> None:
    """Whatever went wrong: at every trick, a seat's view holds its own cards, those turned and those played, and no others."""
    record = json.loads(dumps(deal_game(_game("kbabs"), 3, 5, numbers=[14], inject=inject)))
    [dealt] = record["deals"]
    for seat in ("P1", "P2", "P3"):
        for number in range(1, dealt["cards"] + 1):
            code, out = replay(record, "--as", seat, "--trick", str(number), "-f", "json")
            if code == 2:
                continue  # the play broke off before this trick
            [view] = json.loads(out)
            shown = {play["card"] for trick in view["tricks"] for play in trick["plays"]}
            known = shown | set(view["hands"][seat] or ()) | set(view["turned"])
            others = {card for other, hand in dealt["hands"].items() if other != seat for card in hand} - known
            assert not {card for card in others if f'"{card}"' in out or f" {card} " in out}
            assert [hand for other, hand in view["hands"].items() if other != seat] == [None, None]


def test_faults_at_the_open_table_are_seen_by_all(replay: Any) -> None:
    """Who played out of turn is no secret."""
    record = json.loads(dumps(deal_game(_game("kbabs"), 3, 1, numbers=[16], inject="PLY003")))
    assert all("PLY003" in replay(record, "--as", seat)[1] for seat in ("P1", "P2", "P3"))


def test_dummy_lies_open(replay: Any) -> None:
    """In bridge everybody sees dummy's hand too, and a revoke of dummy's."""
    record = json.loads(dumps(deal_game(_game("bridge"), 4, 1, numbers=[1])))
    declarer = next(event["by"] for event in record["deals"][0]["events"] if event["do"] == "contract")
    seats = "NESW"
    dummy = seats[(seats.index(declarer) + 2) % 4]
    for seat in seats:
        [view] = json.loads(replay(record, "--as", seat, "-f", "json")[1])
        assert {other for other, hand in view["hands"].items() if hand} == {seat, dummy}


def test_json(replay: Any) -> None:
    """A list of deals with what each seat held and could play."""
    [view] = json.loads(replay(REVOKE, "-f", "json")[1])
    assert view["deal"] == 16
    assert view["hands"] == {"0": ["AH", "2D", "7C"], "1": ["9S", "KH", "3H"], "2": ["BJ", "5H", "TC"]}
    assert view["tricks"][0]["plays"][2] == {"seat": "0", "card": "7C", "legal": ["AH"], "held": view["hands"]["0"]}
    assert [trick["winner"] for trick in view["tricks"]] == ["2", "1", "2"]
    [remark] = view["findings"]
    assert (remark["code"], remark["trick"], remark["seat"], remark["could"]) == ("REV001", 1, "0", ["AH"])
    assert (view["won"], view["scores"]) == ({"0": 0, "1": 1, "2": 2}, {"0": -1, "1": 11, "2": -4})


def test_html_is_the_page_of_view(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """Opened at the deal and trick asked for; to a new file, or to standard output."""
    path = tmp_path / "r.json"
    path.write_text(json.dumps(REVOKE), "utf-8")
    target = tmp_path / "r.html"
    assert run(["replay", str(path), "-f", "html", "-o", str(target)]) == 0
    assert run(["view", str(path), "-o", "-"]) == 0
    out, err = capsys.readouterr()
    assert err == f"wrote {target}\n"
    whole = target.read_text("utf-8")
    for asked, start in (((), "#d16"), (("--deal", "16"), "#d16"), (("--trick", "3"), "#d16.t3")):
        assert run(["replay", str(path), "-f", "html", *asked]) == 0
        page = capsys.readouterr().out
        assert page == out.replace('"start":""', f'"start":"{start}"')
        assert page == whole or asked == ("--trick", "3")


def test_html_is_not_written_for_what_a_page_would_pass_over(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """Said in one line, as is a deal or trick that there is not; of several records, which one is not asked here."""
    path, target = tmp_path / "r.json", tmp_path / "r.html"
    path.write_text(json.dumps(REVOKE), "utf-8")
    for arguments, words in (
        (["--as", "1"], "-f html does not go with --as"),
        (["--step", "--exit-code"], "-f html does not go with --step, --exit-code"),
        (["--color", "never"], "-f html does not go with --color"),
        (["--deal", "1"], "there is no deal 1 to replay"),
        (["--trick", "4"], "there is no trick 4 to replay"),
    ):
        assert run(["replay", str(path), "-f", "html", "-o", str(target), *arguments]) == 2
        out, err = capsys.readouterr()
        assert (out, err.count("\n"), words in err) == ("", 1, True)
        assert not target.exists()
    path.write_text(f"{json.dumps(REVOKE)}\n" * 2, "utf-8")
    assert run(["replay", str(path), "-f", "html", "--from", "jsonl"]) == 2
    assert "choose one with handrec view --record N" in capsys.readouterr().err


def test_replay_to_a_file(tmp_path: Path, replay: Any, capsys: pytest.CaptureFixture[str]) -> None:
    """The same text, without colour unless it goes to the terminal; no file where there is nothing to show."""
    target = tmp_path / "r.txt"
    assert replay(REVOKE, "-o", str(target), "--color", "always") == (0, "")
    assert target.read_text("utf-8") == WHOLE
    data = tmp_path / "r.out"
    assert replay(REVOKE, "-o", str(data), "-f", "json")[0] == 0
    assert json.loads(data.read_text("utf-8"))[0]["deal"] == 16
    nothing = tmp_path / "none.txt"
    assert replay(REVOKE, "-o", str(nothing), "--deal", "3") == (2, "")
    assert replay({**REVOKE, "game": "nonsuch"}, "-o", str(nothing)) == (1, "")
    assert not nothing.exists()
    assert replay(REVOKE, "-o", str(target))[0] == 2
    assert replay(REVOKE, "-o", str(nothing), "--step") == (2, "")
    assert not nothing.exists()


def test_held_cards_are_those_of_the_play(replay: Any) -> None:
    """Also where a card is taken back and played later."""
    taken_back = [{"do": "withdraw", "by": "0", "card": "7C"}, *plays_of("0 AH; 0 7C, 1 9S, 2 TC; 1 KH, 2 BJ, 0 2D")]
    record = game(
        "kbabs", 3,
        deal(hands=HANDS, turn="6S", bids="1 1, 2 0, 0 1", plays="1 3H, 2 5H, 0 7C", then=taken_back, number=16, cards=3),
    )  # fmt: skip
    [view] = json.loads(replay(record, "-f", "json")[1])
    held = {(play["seat"], play["card"]): play["held"] for trick in view["tricks"] for play in trick["plays"]}
    assert sorted(held["0", "AH"]) == ["2D", "7C", "AH"]
    assert sorted(held["0", "7C"]) == ["2D", "7C"]
    assert [remark["code"] for remark in view["findings"]] == ["REV009"]


def test_where_the_replay_had_to_stop(replay: Any) -> None:
    """It says how far it got."""
    record = json.loads(json.dumps(REVOKE))
    events = record["deals"][0]["events"]
    again = events.pop(next(place for place, event in enumerate(events) if event.get("card") == "KH"))
    events.insert(next(place for place, event in enumerate(events) if event["do"] == "play") + 1, again)
    assert "can be verified" in replay(record)[1]


def test_the_cards_of_a_trick_that_was_not_finished_are_shown(replay: Any) -> None:
    """In text, in JSON, alone, and to a seat that was there; a card taken back is not among them, one played after it is."""
    record = json.loads(json.dumps(REVOKE))
    played = record["deals"][0]
    played["status"] = "stopped"
    played["events"] = [event for event in played["events"] if event.get("card") not in ("9S", "KH", "BJ", "2D")]
    code, out = replay(record)
    assert code == 0
    assert "    2 >2 TC    0 AH" in out.splitlines()
    [view] = json.loads(replay(record, "-f", "json")[1])
    assert [(trick["number"], len(trick["plays"]), trick["winner"]) for trick in view["tricks"]] == [(1, 3, "2"), (2, 2, None)]
    assert "    2 >2 TC    0 AH" in replay(record, "--trick", "2")[1].splitlines()
    seen = replay(record, "--trick", "2", "--as", "1")[1]
    assert "    2 >2 TC    0 AH" in seen.splitlines()
    assert "2D" not in seen
    played["events"] += [{"do": "withdraw", "by": "0", "card": "AH"}, {"do": "play", "by": "0", "card": "2D"}]
    assert "    2 >2 TC    0 2D" in replay(record)[1].splitlines()


def test_a_deal_that_stopped_in_its_first_trick_shows_it_and_dummy(replay: Any) -> None:
    """Dummy lies open once the first card is led, finished or not."""
    record = json.loads(dumps(deal_game(_game("bridge"), 4, 3, numbers=[1])))
    [first] = record["deals"]
    lead = next(place for place, event in enumerate(first["events"]) if event["do"] == "play")
    first["events"], first["status"] = first["events"][: lead + 1], "stopped"
    first.pop("claimed", None)
    by, card, declarer = first["events"][-1]["by"], first["events"][-1]["card"], first["events"][lead - 1]["by"]
    assert f"    1 >{by} {card}" in replay(record, "--as", by)[1].splitlines()
    [view] = json.loads(replay(record, "--as", by, "-f", "json")[1])
    seats = [player["seat"] for player in record["players"]]
    dummy = seats[(seats.index(declarer) + 2) % 4]
    assert {seat for seat, hand in view["hands"].items() if hand} == {by, dummy}


@pytest.mark.some(2)
@pytest.mark.parametrize("players", [1, 3, 4, 6, 13, 27])
def test_any_number_of_seats_fits_eighty_columns(replay: Any, players: int) -> None:
    """With long names too, also of wide letters."""
    record = json.loads(dumps(deal_game(_game("kbabs"), players, 2)))
    for place, player in enumerate(record["players"]):
        player["name"] = ["Wolfgang Amadeus von Habsburg-Lothringen", "山田太郎" * 6, "e\u0301" * 40][place % 3]
    out = replay(record)[1]
    width = max(sum(2 if char in "山田太郎" else char != "\u0301" for char in line) for line in out.splitlines())
    assert width <= 80
    assert out.count("Deal ") == len(record["deals"])


def test_what_cannot_be_replayed(replay: Any) -> None:
    """What is no record of a known game is said so, with exit code 1; the output stays JSON."""
    record = {**REVOKE, "game": "nonsuch"}
    assert replay(record)[0] == 1
    code, out = replay(record, "-f", "json")
    assert (code, json.loads(out)) == (1, [])


def test_no_deals_need_no_pack() -> None:
    """More players than there is a pack for are told by the referee; where there is nothing to replay, that is no matter."""
    seats = [{"seat": f"P{place}"} for place in range(8)]
    data = {"format": "handrec", "version": "1.0", "game": "batarde", "players": seats, "deals": []}
    assert referee.replay(Record.model_validate(data), _game("batarde")) == []


def test_a_record_without_deals(replay: Any) -> None:
    """There is nothing to show: trouble."""
    assert replay({**REVOKE, "deals": []}) == (2, "")
