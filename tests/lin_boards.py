"""Boards in LIN for tests, and short ways to say what the reader makes of them."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from handrec import games
from handrec.findings import Verdict
from handrec.formats import Reading, lin
from handrec.referee import check

FIXTURES = Path(__file__).parents[1] / "fixtures/bridge"
EVENING = (FIXTURES / "club-evening.lin").read_text("utf-8")
ROOMS = (FIXTURES / "two-rooms.lin").read_text("utf-8")

#: A board with a short play, to be spoilt: East dealt, South declares, and West leads.
HANDS = "4SAKQJ5432HAKDACA2,S76HQJT9DKQJ9CKQJ,ST98H8765DT87CT98,"
CALLS = "mb|p|mb|2C|mb|p|mb|2D|mb|p|mb|2S|mb|p|mb|4S|mb|p|mb|p|mb|p|"
SHORT = f"pn|Ann,Bo,Cy,Di|st||md|{HANDS}|ah|Board 2|sv|n|\n{CALLS}\npc|HQ|pc|H5|pc|H2|pc|HA|\n"


def read(text: str | bytes) -> list[Reading]:
    return list(lin.read(text.encode() if isinstance(text, str) else text, "boards/x.lin"))


def only(text: str | bytes) -> Reading:
    [reading] = read(text)
    return reading


def told(readings: list[Reading]) -> list[str]:
    """Every finding of the reader: line:column and what it says."""
    found = [finding for reading in readings for finding in reading.findings]
    return [f"{f.location.line}:{f.location.column} {f.facts.get('why', f.message)}" for f in found if f.location]


def bids_of(reading: Reading) -> str:
    """The calls, the first with its seat."""
    bids = [event for event in deal_of(reading)["events"] if event["do"] == "bid"]
    turn = "NESW".index(bids[0]["by"]) if bids else 0
    assert [bid["by"] for bid in bids] == ["NESW"[(turn + place) % 4] for place in range(len(bids))]
    return " ".join([bids[0]["by"] + ":", *(bid["bid"] for bid in bids)]) if bids else ""


def rest_of(reading: Reading) -> list[dict[str, Any]]:
    """The events after the calls."""
    return [event for event in deal_of(reading)["events"] if event["do"] != "bid"]


def deal_of(reading: Reading) -> dict[str, Any]:
    assert reading.record
    return reading.record.deals[0].model_dump(exclude_none=True)


def judged(reading: Reading) -> Verdict:
    assert reading.record
    return check(reading.record, games.find)


def cards_of(reading: Reading) -> list[str]:
    return [event["card"] for event in deal_of(reading)["events"] if event["do"] == "play"]


def place_of(text: str, piece: str) -> str:
    """Line and column of a piece that stands in a text once."""
    before, found, after = text.partition(piece)
    assert found
    assert piece not in after
    return f"{before.count(chr(10)) + 1}:{len(before) - before.rfind(chr(10))}"


def tricks_of(plays: list[str], leader: str, strain: str, hands: dict[str, list[str]]) -> str:
    """Who won each whole trick, counted as at the table."""
    winners = ""
    for first in range(0, len(plays) // 4 * 4, 4):
        trick = plays[first : first + 4]

        def height(card: str, led: str = trick[0][1]) -> int:
            return "23456789TJQKA".index(card[0]) + 100 * (card[1] == strain) + 50 * (card[1] == led)

        best = max(trick, key=height)
        winners += next(seat for seat, hand in hands.items() if best in hand)
        assert trick[0] in hands[winners[-2] if winners[:-1] else leader]
    return winners
