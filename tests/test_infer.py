"""`handrec infer`: what the table could know, told in text and JSON; the numbers are counted by hand or by trying every deal."""

from __future__ import annotations

import json
from collections.abc import Iterator
from dataclasses import replace
from itertools import combinations
from math import comb
from pathlib import Path
from typing import Any

import pytest

from handrec import dumps, inference
from handrec.cards import SUITS
from handrec.cli import run
from handrec.dealing import deal_game
from handrec.games.bridge import strain
from handrec.phases.contracts import Contracts
from handrec.record import Record
from handrec.referee import replay
from handrec.report.safe import columns
from tests.commands import ROOT, Handrec
from tests.dealing import GAMES
from tests.tables import Data, cut, deal, drop, game, put

BRIDGE = next(each for each in GAMES if each.key == "bridge")
UNCALLED = replace(BRIDGE, phases=(Contracts("a contract", strain, (*SUITS, "NT")), *BRIDGE.phases[1:]))

#: Three players, three cards each, 6S turned up; of the other 53 cards 44 are in the stock. Seat 0 revokes in trick 1.
REVOKE = game(
    "kbabs",
    3,
    deal(
        turn="6S", plays="1 3H, 2 5H, 0 7C; 2 TC, 0 AH, 1 9S; 1 KH, 2 BJ, 0 2D", number=16, dealer="0", cards=3
    ),
)  # fmt: skip

REVOKE_TEXT = """\
Deal 16 · kbabs · after 2.2 · what all could know
  Plays: 1 proved illegal · 3 proved legal · 1 cannot be told
✗ 1.3 0 7C: proved illegal
    done 1.3 · first shown 2.2 · provable 2.2
    KB-5.2: Follow the suit led if you can, jokers counting as trumps; otherwise
    play any card.
    0 showed AH at 2.2, so it was in its hand at 1.3.
  Somebody did not play legally: 0.
  For certain: 0.
    1 1 3H ✓  2 5H ✓  0 7C ✗2.2
    2 2 TC ✓  0 AH ?
      ✗ proved illegal, ✓ proved legal, ? cannot be told
  Who can hold what (no legal completion; whatever was played):
    each of the 48 unseen cards: 0 1 2 or the stock
  Deals that fit: 0 if every play was legal; 2,334,960 whatever was played.
  One of them (unseen cards; not all legal):
    0: ♣ 2
    1: ♣ 4 3
    2: ♣ 5
    the stock: BJ LJ · ♠ A K Q J T 9 8 7 5 4 3 2 · ♥ K Q J T 9 8 7 6 4 2
        ♦ A K Q J T 9 8 7 6 5 4 3 2 · ♣ A K Q J 9 8 6

"""


@pytest.fixture
def infer(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> Any:
    """`handrec infer` of a record given as data: exit code, standard output, standard error."""

    def call(record: Any, *arguments: str) -> tuple[int, str, str]:
        path = tmp_path / "r.json"
        path.write_text(record if isinstance(record, str) else json.dumps(record), "utf-8")
        code = run(["infer", str(path), "--color", "never", *arguments])
        said = capsys.readouterr()
        return code, said.out, said.err

    return call


@pytest.fixture
def told(infer: Any) -> Any:
    """The same as plain data: the one deal of a record."""

    def call(record: Any, *arguments: str) -> dict[str, Any]:
        _, out, _ = infer(record, "-f", "json", *arguments)
        (only,) = json.loads(out)
        return dict(only)

    return call


def whens(what: dict[str, Any], verdict: str) -> list[str]:
    """When each play with a verdict was made."""
    return [act["done"] for act in what["acts"] if act["verdict"] == verdict]


# --- a deal without hands, checked by hand ---------------------------------------------------------------------------


def test_a_revoke_without_any_hand_recorded(infer: Any) -> None:
    """The card shown later proves it; 48 cards lie in 1, 2 and 1 places of hands and 44 of the stock: 48·47·46·45/2 deals."""
    assert 48 * 47 * 46 * 45 // 2 == 2_334_960
    code, out, _ = infer(REVOKE, "--at", "2.2", "--plays")
    assert (code, out) == (1, REVOKE_TEXT)


def test_before_it_is_shown_nothing_can_be_told(told: Any) -> None:
    """After 1.3 seat 0 may be void: each of the 12 hearts that nobody has seen would make its play illegal."""
    what = told(REVOKE, "--at", "1.3")
    assert whens(what, "consistent") == ["1.3"]
    assert what["suspects"] == [[]]
    hearts = 11  # without 3H and 5H
    others = 50 - hearts
    assert int(what["deals"]["any"]) == comb(50, 2) * comb(48, 2) * comb(46, 2)
    assert int(what["deals"]["legal"]) == comb(others, 2) * comb(48, 2) * comb(46, 2)
    assert what["holders"]["legal"]["AH"] == ["1", "2", inference.STOCK]
    assert what["holders"]["legal"]["AC"] == ["0", "1", "2", inference.STOCK]
    assert what["holders"]["any"]["AH"] == ["0", "1", "2", inference.STOCK]
    assert what["voids"] == [{"seat": "0", "suit": "H", "since": "1.3", "by": 3}]


def test_at_the_start_nothing_is_known_but_the_card_turned(told: Any) -> None:
    """53 cards: three for each of three hands, the others in the stock."""
    what = told(REVOKE, "--at", "0")
    assert int(what["deals"]["any"]) == int(what["deals"]["legal"]) == comb(53, 3) * comb(50, 3) * comb(47, 3)
    assert what["acts"] == []
    assert "BJ" in what["holders"]["any"]
    assert "6S" not in what["holders"]["any"]


def test_what_comes_later_is_not_told(told: Any) -> None:
    """Nothing at a moment speaks of a later card, not even the statement."""
    what = told(REVOKE, "--at", "1.3", "--plays")
    assert "AH" not in str(what["acts"][2]["rules"])
    assert len(what["statement"]["events"]) == 4
    assert what["acts"][2]["shown"] is None
    assert (what["at"], what["ended"], told(REVOKE)["ended"]) == ("1.3", False, True)


def test_a_seat_knows_its_own_hand(told: Any) -> None:
    """Seat 0 knows at once that it revoked; the others do not."""
    hands = {"0": ["AH", "7C", "2D"], "1": ["3H", "KH", "9S"], "2": ["5H", "TC", "BJ"]}
    known = put(REVOKE, "/deals/0/hands", hands)
    assert whens(told(known, "--at", "1.3", "--as", "0"), "illegal-proved") == ["1.3"]
    assert told(known, "--at", "1.3", "--as", "0")["held"] == {"0": ["AH", "2D"]}
    assert whens(told(known, "--at", "1.3", "--as", "open"), "illegal-proved") == ["1.3"]
    assert whens(told(known, "--at", "1.3", "--as", "2"), "illegal-proved") == []


# --- contradictions, unread cards, promises ----------------------------------------------------------------------------

CONTRADICTIONS = [
    ("1 3H, 2 5H, 0 7C; 2 TC, 0 3H", "1 showed 3H at 1.1, and 0 showed 3H at 2.2."),
    ("1 3H, 2 5H, 0 7C; 2 TC, 0 7C", "0 showed 7C at 1.3, and again at 2.2."),
    ("1 3H, 2 5H, 0 6S", "6S was turned up, and 0 showed 6S at 1.3."),
]


@pytest.mark.parametrize(("plays", "why"), CONTRADICTIONS)
def test_a_record_that_contradicts_itself(infer: Any, told: Any, plays: str, why: str) -> None:
    """No deal fits, no play is judged, and the two cards are named."""
    record = game("kbabs", 3, deal(turn="6S", plays=plays, number=16, dealer="0", cards=3, status="stopped"))
    code, out, _ = infer(record)
    assert code == 1
    assert why in " ".join(out.split())
    what = told(record)
    assert {act["verdict"] for act in what["acts"]} == {"impossible"}
    assert (what["suspects"], what["holders"], what["witness"]) == (
        [],
        {"legal": None, "any": None},
        {"legal": None, "any": None},
    )
    assert all(inference.accepts(what["statement"], act["certificate"]) for act in what["acts"])


def test_a_card_nobody_read(told: Any, infer: Any) -> None:
    """`??` may be any of 46 cards, `?H` one of 9 hearts; what cannot be judged is said."""
    plays = "1 3H, 2 5H, 0 ??; 2 TC, 0 AH, 1 9S; 1 KH, 2 BJ, 0 ?H"
    what = told(game("kbabs", 3, deal(turn="6S", plays=plays, number=16, dealer="0", cards=3)))
    assert int(what["deals"]["any"]) == 9 * 45
    assert what["holders"]["any"]["AS"] == ["0#3", inference.STOCK]
    assert len(what["doubts"]) == 2
    _, out, _ = infer(game("kbabs", 3, deal(turn="6S", plays=plays, number=16, dealer="0", cards=3)))
    assert "♥ Q J T 9 8 7 6 4 2: 0's ?? at 1.3 or 0's ?? at 3.3 or the stock" in out


def test_a_rainbow_is_a_promise(infer: Any, told: Any) -> None:
    """One card of each suit, jokers counting as trumps: the second spade proves the bid false."""
    plays = "1 3S, 2 5S, 3 7S, 0 AS; 0 AH, 1 9H, 2 4H, 3 2H; 0 AD, 1 5D, 2 7D, 3 9S"
    record = game(
        "kbabs",
        4,
        deal(turn="6S", bids="1 0, 2 0, 3 rainbow, 0 1", plays=plays, number=10, dealer="0", cards=4, status="stopped"),
    )
    before, after = told(record, "--at", "3.3"), told(record, "--at", "3.4")
    assert {"seat": "3", "suit": "S", "since": "1.3", "by": 1} in before["voids"]
    (bid,) = [act for act in after["acts"] if act["kind"] == "promise"]
    assert (bid["verdict"], bid["illegal"], bid["said"], [rule["id"] for rule in bid["rules"]]) == (
        "illegal-proved", "3.4", "rainbow", ["KB-4.3"],
    )  # fmt: skip
    assert inference.accepts(after["statement"], bid["certificate"])
    code, out, _ = infer(record, "--plays")
    assert code == 1
    assert "3 had 9S 7S, but its bid says 1 of them." in out


def test_hand_sizes_and_dummies_that_are_not_recorded_are_doubts(told: Any) -> None:
    """What the answers rest on is said if the record does not tell it."""
    unsized = game("kbabs", 3, deal(turn="6S", plays="1 3H, 2 5H, 0 7C; 2 TC", dealer="0", status="stopped"))
    assert told(unsized)["doubts"] == ["how many cards were dealt to each is not recorded: taken to be 18, the most there can be"]
    assert told(cut(bridge(3, None), 9))["doubts"] == ["dummy's hand, N's, lay open but is not recorded"]


# --- against every deal of the cards that nobody has seen ---------------------------------------------------------------


def bridge(seed: int, inject: str | None = "REV001") -> Data:
    """A deal of bridge, its hands not recorded, nor its calls."""
    record: Data = json.loads(dumps(deal_game(UNCALLED, 4, seed, numbers=[1], inject=inject)))
    return drop(drop(record, "/deals/0/hands"), "/deals/0/claimed")


def spread(cards: frozenset[str], sizes: dict[str, int]) -> Iterator[dict[str, frozenset[str]]]:
    """Every deal of some cards."""
    if not sizes:
        yield {}
        return
    seat, *others = sizes
    for hand in map(frozenset, combinations(sorted(cards), sizes[seat])):
        for rest in spread(cards - hand, {other: sizes[other] for other in others}):
            yield {seat: hand, **rest}


@pytest.mark.some(2)
@pytest.mark.parametrize("seed", [22, 70, 85, 94])
@pytest.mark.parametrize("seen", [44, 45, 47])
def test_every_answer_is_that_of_all_deals(told: Any, infer: Any, seed: int, seen: int) -> None:
    """Verdicts, suspects, guilt, holders and numbers of deals, counted over every deal of the last cards of a bridge deal."""
    record = bridge(seed)
    place = next(spot for spot, event in enumerate(record["deals"][0]["events"]) if event["do"] == "play")
    record = cut(record, place + seen)
    plays = [(event["by"], event["card"]) for event in record["deals"][0]["events"][place:]]
    pack = frozenset(rank + suit for suit in "SHDC" for rank in "AKQJT98765432")
    shown = {seat: [card for by, card in plays if by == seat] for seat in "NESW"}
    unseen = pack - {card for _, card in plays}

    def illegal(held: dict[str, frozenset[str]]) -> frozenset[int]:
        found = set()
        for number, (seat, card) in enumerate(plays):
            led = plays[number - number % 4][1][1]
            hand = held[seat] | {other for by, other in plays[number:] if by == seat}
            if card[1] != led and any(other[1] == led for other in hand):
                found.add(number)
        return frozenset(found)

    deals = [(held, illegal(held)) for held in spread(unseen, {seat: 13 - len(shown[seat]) for seat in "NESW"})]
    clean = [held for held, wrong in deals if not wrong]
    blamed = {frozenset(plays[number][0] for number in wrong) for _, wrong in deals}
    what = told(record)
    assert (int(what["deals"]["any"]), int(what["deals"]["legal"])) == (len(deals), len(clean))
    assert {frozenset(seats) for seats in what["suspects"]} == {one for one in blamed if not any(other < one for other in blamed)}
    assert set(what["guilty"]) == frozenset.intersection(*blamed)
    for number, (seat, _) in enumerate(plays):
        always = all(number in wrong for _, wrong in deals)
        only = [wrong for _, wrong in deals if all(plays[each][0] == seat for each in wrong)]
        if always:
            verdict = "illegal-proved"
        elif only and all(number in wrong for wrong in only):
            verdict = "illegal-proved-if-others-legal"
        else:
            verdict = "consistent" if any(number in wrong for _, wrong in deals) else "legal-proved"
        assert what["acts"][number]["verdict"] == verdict
    for held, key in ((clean, "legal"), ([held for held, _ in deals], "any")):
        able = {card: [seat for seat in "NESW" if any(card in each[seat] for each in held)] for card in unseen} if held else None
        assert what["holders"][key] == able
        witness = what["witness"][key]
        assert witness is None if not held else {seat: frozenset(witness.get(seat, ())) for seat in "NESW"} in held
    assert infer(record)[0] == (0 if clean else 1)


# --- text ----------------------------------------------------------------------------------------------------------------


def test_a_proof_by_counting_in_words(infer: Any) -> None:
    """The crowd, the places left, the conclusion; the conditional verdict never accuses."""
    _, proved, _ = infer(bridge(70), "--at", "13.2")
    assert "Of the 2 unseen diamonds only 1 can lie elsewhere (E 1): N held one of them at 5.4." in " ".join(proved.split())
    assert "done 5.4 · provable 13.2 · provable if others were legal 12.3" in proved
    code, open_, _ = infer(bridge(22), "--at", "7.1")
    words = " ".join(open_.split())
    assert code == 1
    assert "5.3 E 7C: illegal if all others were legal: E alone would explain the record" in words
    assert "If the others were legal, of the 7 unseen hearts only 6 can lie elsewhere (S 6): E held one of them at 5.3." in words
    assert "Somebody did not play legally: E or N. Nobody for certain." in words
    _, later, _ = infer(bridge(22))
    assert "3.3 N 4S: proved legal\n    done 3.3 · proved legal 13.2 · provable if others were legal 7.1 until 9.4" in later
    for text in (proved, open_, later):
        assert "revoked" not in text
        assert "reneged" not in text
        assert "cheat" not in text


@pytest.mark.some(2)
@pytest.mark.parametrize("key", [each.key for each in GAMES])
def test_every_game_in_every_view_fits_the_screen_and_proves_what_it_says(infer: Any, key: str, tmp_path: Path) -> None:
    """80 columns, no control characters; each certificate is accepted with its statement, and with no other verdict."""
    found = next(each for each in GAMES if each.key == key)
    record = json.loads(dumps(deal_game(found, found.players[-1] if key != "kbabs" else 12, 5, numbers=[1])))
    for view in ("public", record["players"][0]["seat"], "open"):
        for at in ("1", "end"):
            code, out, _ = infer(record, "--as", view, "--at", at, "--plays")
            assert code == 0
            assert max(map(columns, out.splitlines())) <= 80
            (what,) = json.loads(infer(record, "--as", view, "--at", at, "-f", "json")[1])
            for act in what["acts"]:
                if act["verdict"] != "consistent":
                    assert inference.accepts(what["statement"], act["certificate"])
                    assert not inference.accepts(what["statement"], {**act["certificate"], "verdict": "impossible"})


def test_colour_only_where_it_is_wanted(infer: Any) -> None:
    """The head is bold and a proved play red, and nothing else changes."""
    plain, coloured = infer(REVOKE)[1], infer(REVOKE, "--color", "always")[1]
    assert "\x1b[31m✗ 1.3 0 7C" in coloured
    assert coloured.replace("\x1b[31m", "").replace("\x1b[1m", "").replace("\x1b[0m", "") == plain


def test_hostile_names_do_no_harm(infer: Any) -> None:
    """Seats may be called as views are, players and the record as they like."""
    record = put(REVOKE, "/id", "<script>\x1b[31m\u202e")
    record = json.loads(json.dumps(record).replace('"1"', '"public"').replace('"2"', '"open"'))
    record["players"][0]["name"] = "\x1b]0;x\x07"
    code, out, _ = infer(record, "--plays")
    assert code == 1
    assert not any(ord(char) < 32 and char != "\n" for char in out)
    (what,) = json.loads(infer(record, "-f", "json")[1])
    assert what["acts"][2]["illegal"] == "2.2"
    assert what["record"] == "<script>\\u{1b}[31m\\u{202e}"
    assert "there is public, 0, open" in infer(record, "--as", "stock")[2]


def test_a_seat_called_as_a_view_is_a_seat_like_any_other() -> None:
    """What can be proved does not depend on what the seats are called."""
    found = Record.model_validate(bridge(22))
    case = inference.observed(replay(found, BRIDGE, trace=True)[0])
    names: dict[str | None, str] = {"N": "public", "E": "open", "S": "S", "W": "W"}
    events = tuple(replace(event, seat=names[event.seat]) for event in case.events)
    renamed = replace(case, sizes={names[seat]: size for seat, size in case.sizes.items()}, events=events, hands={})
    assert inference.dates(renamed) == inference.dates(case)
    proof = inference.prove(renamed, case.acts()[10], case.moment("7.1"))
    assert proof.verdict == "illegal-proved-if-others-legal"
    assert inference.accepts(renamed.statement("public"), proof.certificate)


# --- wrong use -------------------------------------------------------------------------------------------------------------

WRONG = [
    (["--deal", "3"], "there is no deal 3"),
    (["--deal", "3", "-f", "json"], "there is no deal 3"),
    (["--at", "4.1"], "there is no moment 4.1 in deal 16; there is 0, 1.1 to 3.3, or a whole trick"),
    (["--at", "-1"], "there is no moment -1 in deal 16"),
    (["--at", "\x1b[31m"], "there is no moment \\u{1b}[31m in deal 16"),
    (["--as", "E"], "there is no view E of deal 16"),
    (["--as", "Public"], "there is no view Public; did you mean public?"),
    (["--deal", "0"], "greater than or equal to 1"),
    (["-f", "csv"], "csv"),
]


@pytest.mark.parametrize(("arguments", "said"), WRONG)
def test_wrong_use_is_said_clearly(infer: Any, arguments: list[str], said: str) -> None:
    """Exit code 2, one reason, nothing on standard output."""
    code, out, err = infer(REVOKE, *arguments)
    assert (code, out) == (2, "")
    assert said in err
    assert "Traceback" not in err


def test_nothing_is_written_where_there_is_nothing_to_tell(infer: Any, tmp_path: Path) -> None:
    """No empty file is left of a deal that is not there."""
    assert infer(REVOKE, "--deal", "3", "-o", str(tmp_path / "told.txt"))[0] == 2
    assert not (tmp_path / "told.txt").exists()


def test_a_view_needs_a_hand(infer: Any) -> None:
    """What a seat knew cannot be told if its cards are not recorded."""
    early = cut(REVOKE, 4)
    assert infer(early, "--as", "1")[2] == "handrec: what 1 held is not recorded in deal 16; there is public\n"
    assert infer(early, "--as", "open")[2] == "handrec: no hand is recorded in deal 16; there is public\n"


def test_a_moment_belongs_to_one_deal(infer: Any) -> None:
    """Of several deals one must be chosen; without a moment all are told."""
    record = json.loads(dumps(deal_game(BRIDGE, 4, 1, numbers=[1, 2])))
    assert infer(record, "--at", "3.1")[0] == 2
    assert "say which with --deal (1 to 2)" in infer(record, "--at", "3.1")[2]
    assert infer(record, "--at", "3.1", "--deal", "2")[0] == 0
    assert len(json.loads(infer(record, "-f", "json")[1])) == 2


def test_no_file_is_overwritten(infer: Any, tmp_path: Path) -> None:
    """The output must not exist; what is written there has no colour."""
    target = tmp_path / "out.txt"
    assert infer(REVOKE, "-o", str(target), "--color", "always")[0] == 1
    assert target.read_text("utf-8") == infer(REVOKE)[1]
    assert infer(REVOKE, "-o", str(target))[0] == 2


def test_what_is_no_record_is_said(infer: Any) -> None:
    """As everywhere: 2 and the finding."""
    code, out, err = infer("{")
    assert (code, out) == (2, "")
    assert "FMT001" in err
    assert infer(game("kbabs", 3))[0] == 2


def test_a_play_was_legal_where_its_seat_had_no_room_for_what_would_forbid_it(handrec: Handrec) -> None:
    """A card that is not on record leaves N one too many, whatever it was."""
    code, out, _ = handrec("infer", str(ROOT / "fixtures/broken/slips/REC004-play-lost.handrec.json"), "-f", "json")
    assert code == 0
    assert '"Had N held one of the unseen clubs at 4.4, there would be more of its cards than it had."' in out
