"""Records that were once repaired wrongly, or not at all: what is written of each, what is guessed, and what is said."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any, NamedTuple

import pytest

from handrec import games, load
from handrec.dealing import deal_game
from handrec.repair import PROOFS, applied, plain
from tests import planting
from tests.commands import ROOT, Handrec
from tests.repairing import repairs
from tests.test_explanations import short

FOLDER = ROOT / "fixtures/repairs"


class Due(NamedTuple):
    """What explains a record best, as places with what stands there and what should; what is said; how many guesses are told.

    It is proved and leaves nothing wrong.
    """

    edits: dict[str, tuple[str | None, str | None]]
    says: tuple[str, ...] = ()
    guesses: int | None = 0


FAULTS: dict[str, Due] = {
    # the cards of trick 6 stand a seat off; taking out the turned card would leave nothing to be wrong
    "erased-turn": Due(
        {"deal 22, trick 6, E": ("E", "N"), "deal 22, trick 6, S": ("S", "E"), "deal 22, trick 6, W": ("W", "S")}
        | {"deal 22, trick 6, N": ("N", "W")},
        ("the cards of trick 6 written in other columns",),
    ),
    # what looks like a revoke is a card that is played later once more, and whose place is the one card left over
    "revoke-hidden-by-double-play": Due({"deal 1, trick 7, s0": ("AH", "7D")}, ("AH written for 7D",)),
    # a row of three cards turned by one, or two of them exchanged, or the next written before its turn: nobody can tell
    "rotated-row-only": Due({}, ("3H breaks BA-6", "6D and AD exchanged or the cards of trick 1 written in other columns"), 3),
    "unsafe-fixes-lead-out-of-turn": Due({}, ("6D breaks BR-44G", "5C written for 5D", "5C written twice"), 3),
    "books-not-moved-are-counted": Due({}, ("KC breaks SP-13; no slip of the pen was found", "no repair was found for CLM007")),
    "card-turned-early-demon": Due({}, ("no repair was found for DEA011",)),
    "card-twice-changes-bugs": Due({}, ("no repair was found for PLY002, deal 1, trick 4, s0",)),
    # no card that is added makes a hand of five out of one of none, though one of one card would do for a deal of one
    "empty-hands": Due({}, ("no repair was found for DEA003, deal 1, E",)),
    "turned-card-reported-twice": Due({}, ("no repair was found for DEA008",)),
    "widow-of-five-other-guess-card": Due(
        {"deal 2, hand of s2": (None, "5H"), "deal 2, widow": ("5H", None)}, ("5H set aside instead of given to s2",)
    ),
    "wrong-card-turned-twice-reported": Due({"deal 3": ("JC", "2H")}, ("JC turned for 2H",)),
    "auction-first-two-swapped": Due({}, ("B breaks LB-12; one slip (B's 1NT and A's 2NT exchanged)",), 1),
    "auction-wrong-first-caller": Due({}, ("C's 1NT written as B's", "B's 1NT written twice"), 2),
    "auction-wrong-first-caller4": Due({}, ("A's 1NT written as C's", "C's 1NT written twice"), 2),
}


def path_of(name: str) -> Path:
    """Where a record lies; those that break one rule alone are among the broken ones."""
    return next((ROOT / "fixtures").rglob(f"*{name}.handrec.json"))


def test_every_record_here_is_looked_at() -> None:
    assert {path.name.removesuffix(".handrec.json") for path in FOLDER.iterdir()} <= FAULTS.keys()


@pytest.mark.some(1)
@pytest.mark.parametrize("name", FAULTS)
def test_what_is_proved_guessed_and_said(name: str, handrec: Handrec) -> None:
    """In words, as data, and by the library; at most five guesses for what belongs together, and deeds stay."""
    due, path = FAULTS[name], path_of(name)
    code, out, err = handrec("check", "--unsafe-fixes", "--diff", path)
    assert (code, err) == (1, "")
    assert [words for words in due.says if words not in out] == []
    assert due.guesses is None or out.count(": a guess") == due.guesses
    assert (" only: " in out) is bool(due.edits)
    if not (due.edits or due.guesses):
        return
    (told,) = json.loads(handrec("check", "--unsafe-fixes", "--diff", "-f", "json", path)[1])["records"]
    assert {edit["place"]: (edit.get("before"), edit.get("after")) for edit in told["edits"]} == due.edits
    assert bool(told["findings"]) is not bool(told["edits"])  # what is left when what is proved is mended
    for group in told["repairs"]:
        proofs = [PROOFS.index(way[0]["proof"]) for way in group["ways"]]
        assert proofs == sorted(proofs)
        assert len(proofs) <= 5
        assert group["deed"] is None or PROOFS.index("guess") in proofs or not proofs


@pytest.mark.some(1)
@pytest.mark.parametrize("name", ["erased-turn", "revoke-hidden-by-double-play", "unsafe-fixes-lead-out-of-turn"])
def test_only_what_is_proved_is_written(name: str, handrec: Handrec) -> None:
    """By `--fix` alone what follows; with `--unsafe-fixes` what is proved; a second time there is nothing left to write."""
    path = Path("a.json")
    path.write_bytes(before := path_of(name).read_bytes())
    handrec("check", "--fix", path)
    assert cards(path) == cards_of(json.loads(before))
    handrec("check", "--fix", "--unsafe-fixes", path)
    assert (cards(path) == cards_of(json.loads(before))) is not bool(FAULTS[name].edits)
    after = path.read_bytes()
    handrec("check", "--fix", "--unsafe-fixes", path)
    assert path.read_bytes() == after


def cards(path: Path) -> Any:
    """What a record says but for claims and extensions."""
    return cards_of(plain(load(path)))


def cards_of(data: Any) -> Any:
    """The same of plain data."""
    return [{key: value for key, value in deal.items() if key != "claimed"} for deal in data["deals"]]


@pytest.mark.some(1)
@pytest.mark.parametrize("name", ["rotated-row-only", "erased-turn"])
def test_a_row_that_slid_is_mended_in_its_own_trick(name: str) -> None:
    """No card goes into another trick by the likeliest way, and by none does the turned card go."""
    record = load(path_of(name))
    (group,) = repairs(record, games.find(record.game)).groups
    tricks = {edit.place.split(", ")[1] for edit in group.ways[0] if "/events/" in edit.pointer}
    assert len(tricks) == 1
    turned = [event for event in record.deals[0].events if event.do == "turn"]
    for way in group.ways:
        assert [event for event in applied(record, way).deals[0].events if event.do == "turn"] == turned


# --- deeds ----------------------------------------------------------------------------------------------------------


def test_a_deed_and_a_slip_that_tie_cannot_be_told(handrec: Handrec) -> None:
    """5H on clubs and 5C is never seen: nobody is accused, nothing rewritten, and the slip at that card is the first guess."""
    Path("a.json").write_text(json.dumps(short("0 KC, 1 5H, 2 2C, 3 3C; 0 AC, 1 9C, 2 4C, 3 6C")))
    before = Path("a.json").read_bytes()
    code, out, _ = handrec("check", "--fix", "--unsafe-fixes", "a.json")
    assert code == 1
    assert "as written, 5H breaks KB-5.2; one slip (5H written for 5C or " in out
    assert "would explain it: cannot be told" in out
    assert Path("a.json").read_bytes() == before
    (told,) = json.loads(handrec("check", "--unsafe-fixes", "-f", "json", "a.json")[1])["records"]
    (group,) = told["repairs"]
    assert group["deed"] == "as likely"
    assert [(edit["before"], edit["after"]) for edit in group["ways"][0]] == [("5H", "5C")]
    assert {edit["proof"] for way in group["ways"] for edit in way} == {"guess"}


def test_a_revoke_that_no_slip_explains_stays(handrec: Handrec) -> None:
    """With all hands known an exchange of the player's own cards is dearer, and is told beside it."""
    path = ROOT / "fixtures/broken/kbabs/KB-5.2-REV001.handrec.json"
    code, out, _ = handrec("check", "--unsafe-fixes", "--diff", path)
    assert code == 1
    assert "E: as written, 8S breaks KB-5.2; one slip (8S and TC exchanged) would explain it too, but is less likely" in out
    assert "--- " not in out


@pytest.mark.some(1)
@pytest.mark.parametrize("key", planting.TABLES)
def test_deeds_are_never_rewritten(key: str) -> None:
    """Whatever somebody did in the games that are dealt, with hands and without: no play of theirs is proved to be another."""
    game = games.find(key)
    for hands in (True, False):
        for _, record in planting.deeds(key, 2, hands, claims=hands):
            found = repairs(record, game, budget=300)
            assert not [edit for edit in found.sure if "/claimed/" not in edit.pointer]


def test_what_follows_from_two_repairs_is_written_with_them(handrec: Handrec) -> None:
    """Totals go on from deal to deal: a wrong one is known when the deals before it are mended, and one run is enough."""
    record = deal_game(games.find("kbabs"), 3, 1, numbers=[1, 2, 3])
    clean = plain(record)
    data = json.loads(json.dumps(clean))
    for deal in data["deals"][:2]:
        del deal["events"][max(place for place, event in enumerate(deal["events"]) if event["do"] == "play")]
    for deal in data["deals"][1:]:
        deal["claimed"]["totals"]["P1"] += 5
    Path("a.json").write_text(json.dumps(data))
    assert handrec("check", "--fix", "--unsafe-fixes", "a.json")[0] == 0
    mended = json.loads(Path("a.json").read_text())
    assert mended.pop("extensions")
    assert mended == clean
