"""Rows that slid into other columns: told with their owners, nobody accused, and a true revoke among them still told."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from itertools import islice
from pathlib import Path
from random import Random

import pytest

from handrec import Record, check, formats, games, referee
from handrec.cli import run
from handrec.dealing import deal_game
from handrec.explanations import rows
from handrec.explanations.written import WrittenDeal
from handrec.game import compose
from handrec.game.table import NO_PAST
from handrec.judging import Judge
from handrec.repair import applied
from handrec.writing import line
from tests import owners
from tests.commands import Handrec
from tests.repairing import repairs

ROOT = Path(__file__).parents[1]
OURS = ROOT / "fixtures/bridge/slid-rows.pbn"
SHARED = ROOT.parent / "shared/data"
BRIDGE = games.find("bridge")
SEATS = "NESW"

#: What accuses a player, if it is counted.
ACCUSING = ("REV", "PLY", "BID")


def whole(path: Path) -> Iterator[Record]:
    """The records of a file, as far as they can be made out."""
    for reading in formats.read(path.read_bytes(), path.name):
        if reading.record is not None:
            yield reading.record


def records(path: Path) -> Iterator[Record]:
    """The same without the calls, which in real archives are often not those of the contract: rows are what this is about."""
    for record in whole(path):
        [deal] = record.deals
        events = [event for event in deal.events if event.do != "bid"]
        yield record.model_copy(update={"deals": [deal.model_copy(update={"events": events, "comments": None})]})


def shared(name: str) -> Path:
    """A real file; the test is skipped where there is none."""
    path = SHARED / name
    if not path.exists():
        pytest.skip(f"no real archive here: {name}")
    return path


def righted(record: Record) -> tuple[Record, dict[int, int]]:
    """The record with its slid rows put right, and by how many columns each trick stood off."""
    assert BRIDGE
    verdict = referee.check(record, games.find)
    if verdict.ok:
        return record, {}
    game, deal = compose(BRIDGE, record.options)[0], record.deals[0]
    carried = referee.carried_into(record, game, 0, verdict)
    written = WrittenDeal(deal, referee.judged(record, game, 0, deal, NO_PAST, carried), list(verdict.findings))
    (slip,) = rows.slid(written)
    columns = {mark.trick: mark.facts["columns"] for mark in slip.marks if mark.trick}
    return record.model_copy(update={"deals": [slip.undone(deal)]}), columns


def test_each_row_that_slid_is_told_with_its_owners() -> None:
    """The rows that were set off in the fixture, and nothing else; what each made wrong follows from it."""
    found = [check(record) for record in records(OURS)]
    told = [[(one.code, one.trick, one.facts["columns"]) for one in verdict.faults] for verdict in found]
    assert told == [
        [("REC001", 3, 1), ("REC001", 4, 1), ("REC001", 9, 2)],
        [],
        [("REC001", 2, 3), ("REC001", 13, 1)],
        [("REC001", 7, 2)],
    ]
    assert all(finding.seat is None for verdict in found for finding in verdict.faults)
    assert sum(len(verdict.findings) for verdict in found) > 20


def test_a_habit_of_a_file_is_told_once(capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> None:
    """After two deals the same slip is counted, and told when the file ends; -v and the formats for machines have each place."""
    monkeypatch.chdir(ROOT)
    path = str(OURS.relative_to(ROOT))
    assert run(["check", path]) == 1
    lines = capsys.readouterr().out.splitlines()
    assert sum(": REC001 error" in line for line in lines) == 5
    assert [line for line in lines if "habit" in line] == [
        f"{path}: REC001 habit  1 more of the same slip of the pen (row-off), in 3 deals of this file in all (-v shows each)"
    ]
    run(["check", "-v", path])
    assert capsys.readouterr().out.count(": REC001 error") == 6
    run(["check", "-f", "json", path])
    assert capsys.readouterr().out.count('"code":"REC001","column"') == 6


@pytest.mark.parametrize(
    ("many", "due"),
    [
        (100, {"REC001": 162, "BID028": 5, "BID033": 49}),
        pytest.param(800, {"REC001": 1418, "BID028": 44, "BID033": 375}, marks=pytest.mark.long),
    ],
)
def test_a_real_archive_accuses_nobody(many: int, due: dict[str, int]) -> None:
    """At 800 tables 1,418 rows stand columns off, and put right there is no revoke.

    At 44 the double of the contract is left out, and at 375 the passes in front.
    """
    counted, rows_off = Counter[str](), 0
    for record in islice(whole(shared("rotated_800.pbn")), many):
        faults = check(record).faults
        counted.update(finding.code for finding in faults)
        rows_off += sum(finding.code == "REC001" for finding in faults)
    assert counted == due
    assert rows_off == due["REC001"]


def test_other_real_files_accuse_nobody() -> None:
    """Two more files, of which one has slid rows."""
    for name in ("shifted_rows.pbn", "vugraph_30.lin"):
        for record in records(shared(name)):
            assert not [finding for finding in check(record).faults if finding.code.startswith(ACCUSING)]


def known(tricks: list[owners.Trick]) -> list[owners.Trick]:
    """The tricks with the cards that are known, as far as there are any."""
    cards = [([(seat, card) for seat, card in plays if card != "??"], winner) for plays, winner in tricks]
    return [(plays, winner) for plays, winner in cards if plays]


def played(record: Record) -> list[owners.Trick]:
    """The tricks of a record's deal as the referee sees them, with the cards of the one that is not over."""
    verdict, tables = Judge(games.find).examined(record)
    over = [([*trick.plays], trick.winner) for trick in verdict.deals[0].played]
    table = tables[0]
    begun = table.state.plays if table.state is not None and not table.state.over else []
    return known([*over, ([(table.seats[seat], token) for seat, token, _ in begun], None)])


@pytest.mark.parametrize("many", [3, pytest.param(800, marks=pytest.mark.long)])
def test_tables_whose_rows_slid_are_mended_as_their_owners_played(many: int) -> None:
    """Card by card what an independent reading by owners has. What is not sure is a row broken off, of which one card could be
    misread or two be exchanged instead; and then the likeliest guess is what the owners played."""
    assert BRIDGE
    path = shared("rotated_800.pbn")
    tables = zip(records(path), owners.games(path.read_text("latin-1")), strict=True)
    off = [*islice(((record, game) for record, game in tables if not check(record).ok), many)]
    clean = 0
    for record, game in off:
        due = owners.read(game)
        assert due
        found = repairs(record, BRIDGE)
        sure = bool(found.sure)
        mended = applied(record, found.sure if sure else found.groups[0].ways[0])
        assert check(mended).ok
        assert played(mended) == known(due)
        assert sure or "-" in game["rows"].splitlines()[-1]
        clean += sure
    assert clean >= 0.95 * len(off)


def test_a_file_of_slid_rows_is_mended_from_end_to_end(handrec: Handrec) -> None:
    """Converted, shown, written, and clean: each card then is its owner's."""
    assert handrec("convert", OURS, "-o", "a.jsonl", "--allow-lossy")[0] == 0
    code, out, _ = handrec("check", "--unsafe-fixes", "--diff", "a.jsonl")
    assert code == 1
    assert out.count("only: the cards of trick") == 3  # a reason for each board of which rows slid
    assert handrec("check", "--unsafe-fixes", "--fix", "a.jsonl")[0] == 0
    assert handrec("check", "a.jsonl")[0] == 0
    mended = [*map(Record.model_validate_json, Path("a.jsonl").read_text("utf-8").splitlines())]
    read = [owners.read(game) for game in owners.games(OURS.read_text("latin-1"))]
    assert [played(record) for record in mended] == [known(tricks or []) for tricks in read]


@pytest.mark.some(1)
@pytest.mark.parametrize("many", [8, pytest.param(200, marks=pytest.mark.long)])
@pytest.mark.parametrize("slide", [False, True], ids=["righted", "slid"])
def test_true_revokes_among_slid_rows_are_told(slide: bool, many: int) -> None:
    """Revokes planted in the righted tables, and then the rows set off again: each told as a deed, none as a slip alone."""
    rng, told = Random(200), Counter[str]()
    played_with = (record for record in records(shared("rotated_800.pbn")) if record.deals[0].hands)
    tables = [righted(record) for record in islice(played_with, 4 * many)]
    rng.shuffle(tables)
    for record, columns in tables:
        planted = revoked(record, rng)
        if planted is None:
            continue
        if slide:
            planted = slid(planted, columns)
        faults = check(planted).faults
        told["deed" if any(finding.code == "REV001" for finding in faults) else "slip"] += 1
        if told.total() == many:
            break
    assert told == {"deed": many}


def revoked(record: Record, rng: Random) -> Record | None:
    """The record with one revoke in it and nothing else; None if no card of it will do."""
    assert BRIDGE
    game, deal = compose(BRIDGE, record.options)[0], record.deals[0]
    verdict = referee.check(record, games.find)
    table = referee.judged(record, game, 0, deal, NO_PAST, referee.carried_into(record, game, 0, verdict), trace=True)
    able = [each for each in table.trace or () if each.view and not each.view.leading and each.hand & each.view.led]
    for seen in rng.sample(able, min(6, len(able))):
        assert seen.view
        others = [card for card in range(52) if (seen.hand & ~seen.view.led) >> card & 1]
        if not others or seen.place is None:
            continue
        card, names, events = rng.choice(others), table.pack.cards, list(deal.events)
        events[seen.place] = events[seen.place].model_copy(update={"card": names[card]})
        for later in table.trace or ():
            if later.card == card and later.seat == seen.seat and later.place is not None:
                events[later.place] = events[later.place].model_copy(update={"card": names[seen.card]})
        planted = record.model_copy(update={"deals": [deal.model_copy(update={"events": events})]})
        faults = referee.check(planted, games.find).faults
        if [(finding.code, finding.trick) for finding in faults] == [("REV001", seen.trick)]:
            return planted
    return None


def slid(record: Record, columns: dict[int, int]) -> Record:
    """The record with rows set off by so many columns."""
    deal, events, trick = record.deals[0], [], 0
    for event in record.deals[0].events:
        if event.do == "play" and event.by:
            trick = event.trick or trick
            event = event.model_copy(update={"by": SEATS[(SEATS.index(event.by) - columns.get(trick, 0)) % 4]})
        events.append(event)
    return record.model_copy(update={"deals": [deal.model_copy(update={"events": events})]})


def test_a_warning_that_comes_again_is_counted(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    """Passes in front that a whole file leaves out are told at two deals, and then as a number."""
    game = games.find("bridge")
    assert game
    path = tmp_path / "evening.jsonl"
    path.write_text("".join(line(deal_game(game, 4, seed, numbers=[1], inject="BID033")) for seed in range(5)), "utf-8")
    run(["check", str(path)])
    told = [each for each in capsys.readouterr().out.splitlines() if "BID033" in each]
    assert [each.count("BID033 warning") for each in told] == [1, 1, 0]
    assert "3 more of the same warning (passes-left-out), in 5 deals" in told[2]
    run(["check", "-v", str(path)])
    assert capsys.readouterr().out.count("BID033 warning") == 5
