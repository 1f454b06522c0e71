"""Records that were once repaired wrongly, or not at all: what is written of each, what is guessed, and what is said."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any, NamedTuple

import pytest

from handrec import check, games, load
from handrec.repair import PROOFS, applied, plain
from tests.commands import ROOT, Handrec
from tests.repairing import repairs

FOLDER = ROOT / "fixtures/repairs"


class Due(NamedTuple):
    """What is proved of a record, as places with what stands there and what should; what is said; and how sure guesses are."""

    sure: dict[str, tuple[str, str]]
    says: tuple[str, ...] = ()
    guesses: int = 0
    clean: bool = False


FAULTS: dict[str, Due] = {
    # the cards of trick 6 stand a seat off; taking out the turned card would leave nothing to be wrong
    "erased-turn": Due(
        {"deal 22, trick 6, E": ("E", "N"), "deal 22, trick 6, S": ("S", "E"), "deal 22, trick 6, W": ("W", "S")}
        | {"deal 22, trick 6, N": ("N", "W")},
        ("the cards of trick 6 written in other columns",),
        clean=True,
    ),
    # what looks like a revoke is a card that is played later once more, and whose place is the one card left over
    "revoke-hidden-by-double-play": Due({"deal 1, trick 7, s0": ("AH", "7D")}, ("AH written for 7D",), clean=True),
    # a row of three cards turned by one, or two of them exchanged, or the next written before its turn: nobody can tell
    "rotated-row-only": Due({}, ("3H breaks BA-6", "in other columns or 6D and AD exchanged"), 3),
    "unsafe-fixes-lead-out-of-turn": Due({}, ("6D breaks BR-44G", "5C written for 5D", "5C written twice"), 3),
    "books-not-moved-are-counted": Due({}, ("KC breaks SP-13; no slip of the pen was found", "no repair was found for CLM007")),
    "card-turned-early-demon": Due({}, ("no repair was found for DEA011",)),
    "card-twice-changes-bugs": Due({}, ("the search for repairs of PLY002, deal 1, trick 4, s0 was cut short",), 1),
    # no card that is added makes a hand of five out of one of none, though one of one card would do for a deal of one
    "empty-hands": Due({}, ("no repair was found for DEA003, deal 1, E",)),
    "turned-card-reported-twice": Due({}, ("no repair was found for DEA008",)),
    "widow-of-five-other-guess-card": Due({}, ("no repair was found for PLY001",)),
    "wrong-card-turned-twice-reported": Due({"deal 3": ("JC", "2H")}, ("JC turned for 2H",), clean=True),
    "auction-first-two-swapped": Due({}, ("a guess",), 1),
    "auction-wrong-first-caller": Due({}, ("a guess",), 1),
    "auction-wrong-first-caller4": Due({}, ("a guess",), 1),
}


def path_of(name: str) -> Path:
    """Where a record lies; those that break one rule alone are among the broken ones."""
    return next((ROOT / "fixtures").rglob(f"*{name}.handrec.json"))


def test_every_record_here_is_looked_at() -> None:
    assert {path.name.removesuffix(".handrec.json") for path in FOLDER.iterdir()} <= FAULTS.keys()


@pytest.mark.parametrize("name", FAULTS)
def test_what_is_proved_guessed_and_said(name: str, handrec: Handrec) -> None:
    """In words, as data, and by the library; at most five guesses for what belongs together, and deeds stay."""
    due, path = FAULTS[name], path_of(name)
    code, out, err = handrec("check", "--unsafe-fixes", "--diff", path)
    assert (code, err) == (1, "")
    assert [words for words in due.says if words not in out] == []
    assert out.count(": a guess") == due.guesses
    (told,) = json.loads(handrec("check", "--unsafe-fixes", "--diff", "-f", "json", path)[1])["records"]
    record = load(path)
    found = repairs(record, games.find(record.game))
    assert {edit.place: (edit.before, edit.after) for edit in found.sure} == due.sure
    assert [edit["place"] for edit in told["edits"]] == [*due.sure]
    assert all(len(group["ways"]) <= 5 for group in told["repairs"])
    assert check(applied(record, found.sure)).ok is due.clean
    for group in found.groups:
        proofs = [PROOFS.index(way[0].proof) for way in group.ways]
        assert proofs == sorted(proofs)
        assert group.deed is None or group.sure is None


@pytest.mark.parametrize("name", FAULTS)
def test_only_what_is_proved_is_written(name: str, handrec: Handrec) -> None:
    """By `--fix` alone what follows; with `--unsafe-fixes` what is proved; a second time there is nothing left to write."""
    path = Path("a.json")
    path.write_bytes(before := path_of(name).read_bytes())
    handrec("check", "--fix", path)
    assert cards(path) == cards_of(json.loads(before))
    handrec("check", "--fix", "--unsafe-fixes", path)
    assert (cards(path) == cards_of(json.loads(before))) is not bool(FAULTS[name].sure)
    after = path.read_bytes()
    handrec("check", "--fix", "--unsafe-fixes", path)
    assert path.read_bytes() == after


def cards(path: Path) -> Any:
    """What a record says but for claims and extensions."""
    return cards_of(plain(load(path)))


def cards_of(data: Any) -> Any:
    """The same of plain data."""
    return [{key: value for key, value in deal.items() if key != "claimed"} for deal in data["deals"]]


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
