"""The score of bridge by every way of judging: fast path, referee, and deals in columns say the same; and real contracts."""

from __future__ import annotations

import re
from pathlib import Path
from random import Random
from typing import Any

import pytest

from handrec import formats, referee
from handrec.dealing import deal_game
from handrec.game import Game
from handrec.games import find
from handrec.judging import Judge
from handrec.record import Record
from tests.games.test_bridge_score import reckoned
from tests.sieving import Data, compare, mutated, sift_records

BRIDGE = find("bridge")
assert isinstance(BRIDGE, Game)


@pytest.mark.some(9)
@pytest.mark.parametrize("scoring", ["duplicate", "rubber", "chicago"])
@pytest.mark.parametrize("seed", range(6))
def test_fast_path_and_referee_score_alike(seed: int, scoring: str) -> None:
    assert BRIDGE is not None
    record = deal_game(BRIDGE, 4, seed, options={"scoring": scoring}, numbers=None if scoring == "duplicate" else range(1, 9))
    quick = Judge(find).verdict(record)
    assert quick == Judge(find, quick=False).verdict(record)
    assert quick.findings == ()
    assert all(result.sides["NS"].score is not None for result in quick.deals)
    assert all(result.sides == other.sides for result, other in zip(quick.deals, referee.check(record, find).deals, strict=True))


def _wrong(record: Record, rng: Random) -> Record:
    """A score that is written down is another."""
    data: dict[str, Any] = record.model_dump(exclude_unset=True)
    deal = rng.choice([each for each in data["deals"] if each["claimed"].get("sides")])
    deal["claimed"]["sides"][rng.choice(["NS", "EW"])]["score"] += rng.choice([-50, -10, 10, 50])
    return Record.model_validate(data)


@pytest.mark.parametrize("seed", range(20))
def test_a_wrong_score_is_found_once_by_every_way(seed: int) -> None:
    assert BRIDGE is not None
    record = _wrong(deal_game(BRIDGE, 4, seed), Random(seed))
    for quick in (True, False):
        assert [finding.code for finding in Judge(find, quick=quick).verdict(record).findings] == ["SCO001"]


@pytest.mark.some(4)
@pytest.mark.parametrize("seed", range(10))
def test_the_sieve_scores_boards_and_passes_no_wrong_score(seed: int) -> None:
    """Of deals in columns, those pass that the referee finds nothing in, but for boards that were passed out."""
    assert BRIDGE is not None
    records = [deal_game(BRIDGE, 4, 100 * seed + each, numbers=[1 + each]) for each in range(8)]
    wrong = [_wrong(record, Random(seed)) for record in records]
    for record, passed in zip(records, sift_records(records, find), strict=True):
        assert passed or referee.check(record, find).deals[0].stakes == "passed out"
    assert not any(sift_records(wrong, find))
    assert compare([*records, *wrong])["passed"] > 5


@pytest.mark.some(1)
@pytest.mark.parametrize("scoring", ["chicago", "rubber"])
def test_the_sieve_scores_deals_that_hang_on_those_before(scoring: str) -> None:
    """Whole games pass, and what the referee finds wrong in one does not."""
    games = [deal_game(BRIDGE, 4, seed, options={"scoring": scoring}) for seed in range(2)]
    assert all(sift_records(games, find))
    rng = Random(1)
    wrong = [_wrong(games[0], rng), *filter(None, (mutated(record, rng) for record in games for _ in range(4)))]
    assert not sift_records(wrong[:1], find)[0]
    assert compare([*games, *wrong])["referred"] > 3


def passed_out(seed: int, events: list[Data] | None = None, **changes: Any) -> Record:
    """A board that all four passed, or with other events."""
    board = deal_game(BRIDGE, 4, seed, numbers=[1 + seed]).model_dump(exclude_unset=True)
    deal = board["deals"][0]
    first = "NESW".index(deal["dealer"])
    calls = [{"do": "bid", "by": "NESW"[(first + step) % 4], "bid": "pass"} for step in range(4)]
    deal["events"] = calls if events is None else [*(calls if events[:1] != [{}] else []), *filter(None, events)]
    deal.pop("claimed", None)
    deal.pop("leader", None)
    return Record.model_validate(board | {"deals": [deal | changes]})


OUT = {"do": "contract", "bid": "pass"}


@pytest.mark.parametrize(
    ("record", "quick"),
    [
        (passed_out(0), True),
        (passed_out(1, [OUT]), True),
        (passed_out(2, [{}, OUT]), True),  # without the calls
        (passed_out(3, claimed={"sides": {"NS": {"score": 0}}}), True),
        (passed_out(4, claimed={"sides": {"NS": {"score": 50}}}), True),
        (passed_out(5, [OUT | {"by": "N"}]), False),
        (passed_out(6, [OUT | {"bid": "1NT"}]), False),
        (passed_out(7, [{"do": "play", "by": "N", "card": "AS"}]), False),
        (passed_out(8, [{"do": "claim", "by": "N", "tricks": {"N": 13}}]), False),
        (passed_out(9, leader="N"), False),
        (passed_out(10, status="claimed"), False),
        (passed_out(11, claimed={"tricks": {"N": 1}}), True),
    ],
)
def test_a_board_that_is_passed_out_is_judged_by_the_fast_path(
    record: Record, quick: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Nobody plays: the verdict is the referee's, and so it is where anything odd goes the referee's way."""
    went: list[bool] = []
    judge = Judge(find)
    replayed = judge.replayed
    object.__setattr__(judge, "replayed", lambda table: went.append(replayed(table)) or went[-1])
    assert judge.verdict(record) == Judge(find, quick=False).verdict(record)
    assert went == [quick]


def test_now_and_then_a_board_is_dealt_that_all_pass() -> None:
    boards = [deal_game(BRIDGE, 4, seed, numbers=[seed % 16 + 1]) for seed in range(40, 60)]
    verdicts = [Judge(find).verdict(record) for record in boards]
    assert all(verdict.findings == () for verdict in verdicts)
    assert sum(verdict.deals[0].stakes == "passed out" for verdict in verdicts) == 1
    chicago = deal_game(BRIDGE, 4, 11, options={"scoring": "chicago"})
    verdict = Judge(find).verdict(chicago)
    assert verdict.findings == ()
    passed = [place for place, result in enumerate(verdict.deals) if result.stakes == "passed out"]
    assert len(chicago.deals) - len(passed) == 4
    assert passed
    assert all(chicago.deals[place].dealer == chicago.deals[place + 1].dealer for place in passed)


# --- real records -----------------------------------------------------------------------------------------------------


def real(name: str) -> list[Record]:
    """The records of a file that lies beside the project."""
    path = Path(__file__).parents[2] / "shared/data" / name
    if not path.is_file():
        pytest.skip("the file is not here")
    return [each.record for each in formats.read(path.read_bytes(), name) if each.record is not None]


@pytest.mark.some(1)
@pytest.mark.parametrize(("name", "least"), [("vugraph_30.lin", 15), ("rotated_800.pbn", 400)])
def test_scores_of_real_boards(name: str, least: int) -> None:
    """A board whose contract and tricks are known is scored as the tables of Law 77 have it, vulnerable by its number."""
    many = 0
    for record in real(name):
        deal = record.deals[0]
        board = deal.board or deal.number
        assert board is not None
        told = record.model_copy(
            update={"version": "1.1", "deals": [deal.model_copy(update={"board": board, "vulnerable": None})]}
        )
        result = referee.check(told, find).deals[0]
        match = re.match(r"([1-7])(NT|[CDHS])(x*) by ([NESW])", result.stakes)
        side = match and ("NS" if match[4] in "NS" else "EW")
        if match is None or side is None or (tricks := result.sides[side].tricks) is None:
            continue
        vulnerable = side in {"O": "", "N": "NS", "E": "EW", "B": "NSEW"}["ONEBNEBOEBONBONE"[(board - 1) % 16]]
        due = reckoned(int(match[1]), match[2], len(match[3]), tricks, vulnerable)
        assert result.sides[side].score == due, (record.id, result.stakes)
        assert sum(each.score or 0 for each in result.sides.values()) == 0
        many += 1
    assert many >= least
