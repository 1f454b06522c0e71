"""What other programs find in the PBN that is written: the same as we do, in the features that each reads."""

from __future__ import annotations

import logging
import re
from itertools import islice
from pathlib import Path
from typing import Any

import pytest

from handrec.formats import pbn, read
from handrec.formats.pbn.remarks import as_note
from handrec.record import Record
from tests.pbn_games import CLUB, ROOT

SHARED = ROOT.parent / "shared/data"
FILES = [CLUB, ROOT / "fixtures/bridge/club-evening.lin", SHARED / "rotated_800.pbn", SHARED / "vugraph_30.lin"]

#: How many games of each must be read, at least, by endplay and by bridgebots.
LEAST = {"club.pbn": (1, 1), "club-evening.lin": (5, 4), "rotated_800.pbn": (799, 797), "vugraph_30.lin": (30, 30)}
#: Of a file with more games so many are read every time.
FIRST = 60

#: What each program reads, of all that a record may say of a board.
FEATURES = {
    "board": ("endplay",),
    "hands": ("endplay", "bridgebots"),
    "dealer": ("endplay", "bridgebots"),
    "vulnerable": ("endplay", "bridgebots"),
    "calls": ("endplay", "bridgebots"),
    "explanations": ("endplay", "bridgebots"),
    "contract": ("endplay", "bridgebots"),
    "declarer": ("endplay", "bridgebots"),
    "tricks": ("endplay", "bridgebots"),
    "plays": ("endplay", "bridgebots"),
    "claimed": ("endplay",),
    "names": ("bridgebots",),
}

#: With what each stops, or goes wrong, besides comments: what is not known where a board has it, results of both sides, marks
#: and judgements, hands that are not known, and a play that goes on. Our own reader reads these.
STOPS = {
    "endplay": re.compile(r'\[(Board|Dealer|Deal|Vulnerable) ""\]|\[Result "[NE]|\^|^[^\[\n]*[;!?$]|^\+|\+ ', re.M),
    "bridgebots": re.compile(
        r'\[(Board|Dealer|Deal|Vulnerable|Result|Declarer) ""\]|\[Result "[NE]|Deal ".*-|\^|^[^\[\n]*[;!?$+]', re.M
    ),
}  # fmt: skip


def without_comments(record: Record) -> Record:
    """A record of which only alerts and explanations of calls are kept."""
    deal = record.deals[0]
    calls = {number for number, event in enumerate(deal.events, 1) if event.do == "bid"}
    kept = [comment for comment in deal.comments or () if comment.kind and comment.event in calls]
    return record.model_copy(update={"deals": [deal.model_copy(update={"comments": kept or None})]})


def due(record: Record) -> dict[str, Any]:
    """The features of a record."""
    deal = record.deals[0]
    said = {comment.event: (comment.text, comment.kind) for comment in deal.comments or () if comment.kind}
    return {
        "board": deal.number,
        "hands": {seat: frozenset(cards) for seat, cards in (deal.hands or {}).items()},
        "dealer": deal.dealer,
        "vulnerable": deal.vulnerable,
        "calls": [str(event.bid).upper() for event in deal.events if event.do == "bid"],
        "explanations": {number - 1: as_note(*what) for number, what in said.items() if number},
        "plays": [event.card for event in deal.events if event.do == "play" and "?" not in event.card],
        "claimed": deal.status == "claimed",
        "names": {player.seat: player.name for player in record.players},
    }


def stated(text: str) -> dict[str, Any]:
    """The features that the tags state."""
    tags = dict(re.findall(r'^\[(\w+) "(.*)"\]$', text, re.M))
    return {"contract": tags["Contract"].upper(), "declarer": tags["Declarer"], "tricks": int(tags["Result"] or 0)}


def endplay(text: str, path: Path) -> dict[str, Any]:
    """The features as endplay finds them."""
    from endplay.parsers import pbn as parser
    from endplay.types import ContractBid

    with path.open(encoding="utf-8") as file:
        [board] = parser.load(file)

    def strain(denom: Any) -> str:
        return "NT" if denom.name == "nt" else str(denom.name)[0].upper()

    def card_of(card: Any) -> str:
        return str(card.rank.abbr) + strain(card.suit)

    contract = board.contract
    passed = contract.is_passout()
    hands = dict(zip("NESW", (board.deal.north, board.deal.east, board.deal.south, board.deal.west), strict=True))
    return {
        "board": board.board_num,
        "hands": {seat: frozenset(map(card_of, hand)) for seat, hand in hands.items() if len(hand)},
        "dealer": board.dealer.abbr,
        "vulnerable": {"none": "none", "both": "all", "ns": "NS", "ew": "EW"}[board.vul.name],
        "calls": [
            f"{bid.level}{strain(bid.denom)}" if isinstance(bid, ContractBid) else bid.penalty.abbr.upper() or "PASS"
            for bid in board.auction
        ],
        "explanations": {place: bid.announcement for place, bid in enumerate(board.auction) if bid.announcement},
        "contract": "PASS" if passed else f"{contract.level}{strain(contract.denom)}{contract.penalty.abbr.upper()}",
        "declarer": "" if passed else contract.declarer.abbr,
        "tricks": 0 if passed else contract.level + 6 + contract.result,
        "plays": [card_of(card) for card in board.play if strain(card.suit) != "NT"],  # which stands for no card
        "claimed": board.claimed,
    }


def bridgebots(text: str, path: Path) -> dict[str, Any]:
    """The features as bridgebots finds them."""
    from bridgebots import parse_pbn

    [found] = parse_pbn(path)
    [board] = found.board_records
    deal = found.deal
    both = (deal.ns_vulnerable, deal.ew_vulnerable)
    return {
        "hands": {
            str(seat.name)[0]: frozenset(card.rank.abbreviation() + card.suit.abbreviation() for card in hand.cards)
            for seat, hand in deal.hands.items()
        },
        "dealer": deal.dealer.name[0],
        "vulnerable": {(False, False): "none", (True, True): "all", (True, False): "NS", (False, True): "EW"}[both],
        "calls": list(board.bidding_record),
        "explanations": {said.bid_index: said.explanation for said in board.bidding_metadata},
        "contract": str(board.contract),
        "declarer": board.declarer.name[0],
        "tricks": board.tricks,
        "plays": [card.rank.abbreviation() + card.suit.abbreviation() for card in board.play_record],
        "names": {seat.name[0]: name or None for seat, name in board.names.items()},
    }


@pytest.mark.some(3)
@pytest.mark.parametrize("program", [endplay, bridgebots], ids=lambda program: program.__name__)
@pytest.mark.parametrize("path", FILES, ids=lambda path: path.name)
@pytest.mark.parametrize("many", [FIRST, pytest.param(1000, marks=pytest.mark.long)])
def test_other_programs_find_the_same(
    program: Any, path: Path, many: int, tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    pytest.importorskip(program.__name__)
    caplog.set_level(logging.CRITICAL)
    if not path.exists():
        pytest.skip(f"{path.name} is not at {path.parent}")
    features = [feature for feature, programs in FEATURES.items() if program.__name__ in programs]
    told = count = 0
    for reading in islice(read(path.read_bytes(), path.name), many):
        assert reading.record
        record, count = without_comments(reading.record), count + 1
        text = pbn.write(record)
        if STOPS[program.__name__].search(text):
            continue
        file = tmp_path / "one.pbn"
        file.write_text("".join(pbn.FORMAT.join([text])), "utf-8")
        expected, found = due(record) | stated(text), program(text, file)
        assert {feature: found[feature] for feature in features} == {feature: expected[feature] for feature in features}, text
        told += 1
    print(f"{program.__name__} read {told} of {count} games of {path.name}")
    assert told >= min(LEAST[path.name][program is bridgebots], many - 3)
