"""A status that is not stated: told by the deals, said as a remark, the same in every format; and never written."""

from __future__ import annotations

import json
from io import BytesIO
from typing import Any

import pytest

from handrec import check, check_all, dumps, formats, games, loads
from handrec.cli.common import Read, judged
from handrec.dealing import deal_game
from handrec.formats import Reading, hrt
from handrec.record import Record
from tests.commands import Handrec, written


def untold(record: Record, first: int = 0, last: int | None = None, **changes: Any) -> dict[str, Any]:
    """Some deals of a record, which does not state its status, nor how the game ended."""
    data: dict[str, Any] = json.loads(dumps(record))
    for part in ("status", "claimed"):
        data.pop(part, None)
    return data | {"deals": data["deals"][first:last]} | changes


def read(data: dict[str, Any]) -> Reading:
    (reading,) = formats.read(json.dumps(data).encode(), "g.json")
    return reading


def remarks(reading: Reading) -> list[str]:
    return [finding.message for finding in reading.findings]


LADDER = deal_game(games.find("kbabs"), 9, 1)  # type: ignore[arg-type]  # 12 deals, from 6 cards down and up
SPADES = deal_game(games.find("spades3"), 3, 3)  # type: ignore[arg-type]  # to 500 points


def unnumbered(data: dict[str, Any]) -> dict[str, Any]:
    return data | {"deals": [{name: part for name, part in deal.items() if name != "number"} for deal in data["deals"]]}


WON = {"claimed": json.loads(dumps(SPADES))["claimed"]}
CASES = [
    ("all deals of a ladder", untold(LADDER), "complete", ""),
    ("three from the middle", untold(LADDER, 4, 7), "excerpt", "an excerpt: 3 of 12 deals"),
    ("the first three", untold(LADDER, 0, 3), "in_progress", "a game in progress: the first 3 of 12 deals"),
    ("the first, by totals", unnumbered(untold(LADDER, 0, 3)), "in_progress", "a game in progress: the first 3 of 12 deals"),
    ("three, no number", unnumbered(untold(LADDER, 4, 7)), "excerpt", "an excerpt: 3 of 12 deals"),
    ("a game to 500", untold(SPADES), "complete", ""),
    ("its first two deals", untold(SPADES, 0, 2), "in_progress", "a game in progress: 2 deals"),
    ("a later deal", untold(SPADES, 3, 4), "excerpt", "an excerpt: 1 deal"),
    ("a winner named", untold(SPADES, 0, 2, **WON), "complete", ""),
    ("nothing yet", untold(LADDER, 0, 0), "in_progress", "a game in progress: 0 of 12 deals"),
]


@pytest.mark.parametrize(("data", "status", "said"), [case[1:] for case in CASES], ids=[case[0] for case in CASES])
def test_a_status_is_told_by_the_deals(data: dict[str, Any], status: str, said: str) -> None:
    """What it is taken for is a remark; nothing is an error; and what is written has no status still."""
    reading = read(data)
    assert reading.record is not None
    assert reading.record.status == status
    assert remarks(reading) == ([f"taken for {said} (no status is stated)"] if said else [])
    assert {finding.severity for finding in reading.findings} <= {"info"}
    verdict = judged(Read("g.json", 1, reading))
    assert verdict.ok == ("winners" not in data.get("claimed", ()))
    assert json.loads(dumps(reading.record)) == data


def test_one_that_is_stated_stands() -> None:
    """Though the deals tell another: then it is what the referee finds."""
    reading = read(untold(LADDER, 4, 7, status="complete"))
    assert remarks(reading) == []
    assert {finding.code for finding in judged(Read("g.json", 1, reading)).faults} >= {"SCO005"}


@pytest.mark.parametrize("kind", ["json", "jsonl", "hrt", "parquet", "csv"])
def test_it_is_told_alike_in_every_format(kind: str) -> None:
    """Whether it is read strictly or quickly, from text or from columns."""
    form = formats.by_key(kind)
    record = read(untold(LADDER, 0, 3)).record
    assert record is not None
    if form.pack is not None:
        data = b"".join(form.pack([record]))
    elif kind == "csv":
        data = b"handrec,kbabs\ndeal,N bid,N tricks,N points,N total\n3,1,1,11,11\n"
    else:
        assert form.write is not None
        data = form.write(record).encode()
    for follow in (lambda: form.read(data, "g"), lambda: form.sift(BytesIO(data), "g", print) if form.sift else ()):
        for reading in follow():
            assert reading.record is not None
            assert reading.record.status == ("excerpt" if kind == "csv" else "in_progress")
            assert "status" not in reading.record.model_fields_set
            assert [finding.code for finding in reading.findings] == ["FMT021"]


def test_people_and_programs_are_told(handrec: Handrec) -> None:
    """In each format of the report; the exit code is 0."""
    text = hrt.write(read(untold(LADDER, 4, 7)).record)  # type: ignore[arg-type]
    path = written("game.hrt", text)
    said = "taken for an excerpt: 3 of 12 deals (no status is stated)"
    for form in ("text", "json", "jsonl", "sarif", "github", "junit", "markdown"):
        code, out, _ = handrec("check", path, "-f", form)
        assert code == 0
        assert said in out.replace("\\", "").replace("Taken", "taken")


@pytest.mark.parametrize(("data", "status", "said"), [case[1:] for case in CASES], ids=[case[0] for case in CASES])
def test_a_record_that_a_program_made_is_told_by_its_deals_too(data: dict[str, Any], status: str, said: str) -> None:
    """The library finds what the command finds, whether the record was read or made."""
    command = judged(Read("g.json", 1, read(data)))
    for record in (Record.model_validate(data), loads(json.dumps(data))):
        for verdict in (check(record), *check_all([record])):
            told = [(finding.code, finding.pointer, finding.message) for finding in verdict.findings]
            assert told == [(finding.code, finding.pointer, finding.message) for finding in command.findings]
            assert ("FMT021" in [finding.code for finding in verdict.findings]) == bool(said)
