"""Games in PBN for tests, and short ways to say what the reader makes of them."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from handrec.findings import Finding
from handrec.formats import Reading, pbn
from handrec.games import find
from handrec.record import Deal
from handrec.referee import check

ROOT = Path(__file__).parents[1]
CLUB = ROOT / "fixtures/bridge/club.pbn"
FAULTS = ROOT / "fixtures/bridge/faults.pbn"

DEAL = '[Deal "N:.63.AKQ987.A9732 A8654.KQ5.T.QJT6 J973.J98742.3.K4 KQT2.AT.J6542.85"]'
BOARD = f'[Board "7"]\n{DEAL}\n[Declarer "S"]\n[Contract "5HX"]\n[Result "9"]\n[Play "W"]\n'
ROWS = "SK H3 S4 S3\nC5 C2 C6 CK\nS2 H6 S5 S7\nC8 CA CT C4\nD2 DA DT D3\nD4 DK H5 H7\n-  -  -  H2\n*\n"

PLAIN = BOARD + ROWS


def read(data: bytes | str) -> list[Reading]:
    return list(pbn.read(data if isinstance(data, bytes) else data.encode(), "lists/club.pbn"))


def judged(data: bytes | str) -> list[list[Finding]]:
    """Everything wrong with each game, what the reader says and what the referee says, with places."""
    found = []
    for reading in read(data):
        findings = [*reading.findings, *(check(reading.record, find).findings if reading.record else ())]
        found.append([reading.placed(finding) for finding in findings])
    return found


def told(findings: list[Finding]) -> list[str]:
    return [f"{f.location.line}:{f.location.column} {f.code}" for f in findings if f.location]


def one(text: str) -> tuple[Deal, list[str]]:
    """The deal of the only game of a text, and what is wrong with it."""
    [reading], [findings] = read(text), judged(text)
    assert reading.record
    return reading.record.deals[0], told(findings)


def plays(deal: Deal) -> list[str]:
    return [f"{event.by} {event.card}" for event in deal.events if event.do == "play"]


def calls(deal: Deal) -> list[str]:
    return [f"{event.by} {event.bid}" for event in deal.events if event.do == "bid"]


def dumped(part: Any) -> Any:
    return part.model_dump(exclude_none=True)
