"""The rows of PBN read by owners, in plain data: each card was played by who holds it in the deal line.

Nothing of handrec is used, so that what it makes of rows that slid can be compared with it.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

SEATS = "NESW"
RANKS = "23456789TJQKA"
CARD = re.compile(r"[SHDC][2-9TJQKA]")

#: The plays of a trick in their order, each seat and card (rank first), and who won it; None if a card of it is not there.
Trick = tuple[list[tuple[str, str]], str | None]


def games(text: str) -> Iterator[dict[str, str]]:
    """The tags of each table with its rows under `rows`; a table without a board of its own has that of the one before."""
    board: dict[str, str] = {}
    tags: dict[str, str] = {}
    for block in re.split(r"\n\s*\n", text):
        lines = [line for line in block.splitlines() if line.strip() and not line.startswith("%")]
        if not lines:
            continue
        tags = dict(match.groups() for line in lines if (match := re.match(r'\[(\w+) "(.*)"\]', line)))
        if "Board" in tags:
            board = {key: tags[key] for key in ("Deal", "Dealer") if key in tags}
        after = [line for line in lines if line.startswith("[")]
        rows: list[str] = []
        if after and after[-1].startswith("[Play"):
            start = lines.index(after[-1]) + 1
            rows = [line for line in lines[start:] if line.strip() != "*"]
        yield {**board, **tags, "rows": "\n".join(rows)}


def hands(deal: str) -> dict[str, str]:
    """Who holds each card (rank first), by a deal line such as `W:J84.AK42.A5.KJ84 A32...`."""
    first, _, cards = deal.partition(":")
    owner = {}
    for by, hand in enumerate(cards.split()):
        seat = SEATS[(SEATS.index(first) + by) % 4]
        owner |= {rank + suit: seat for suit, ranks in zip("SHDC", hand.split("."), strict=True) for rank in ranks}
    return owner


def read(game: dict[str, str]) -> list[Trick] | None:
    """The tricks of a table by owners; None if two cards of a row have one owner, or there is nothing to go by."""
    if not game["rows"] or not game.get("Deal"):
        return None
    owner, trump = hands(game["Deal"]), game["Contract"][1]
    leader, tricks = SEATS[(SEATS.index(game["Declarer"]) + 1) % 4], list[Trick]()
    for row in game["rows"].splitlines():
        cards = [token[1] + token[0] for token in CARD.findall(row)]
        held = {owner.get(card, "?"): card for card in cards}
        if len(held) < len(cards) or "?" in held:
            return None
        order = [SEATS[(SEATS.index(leader) + by) % 4] for by in range(4)]
        plays = [(seat, held[seat]) for seat in order if seat in held]
        winner = won(plays, trump) if len(plays) == 4 else None
        tricks.append((plays, winner))
        leader = winner or leader
    return tricks


def won(plays: list[tuple[str, str]], trump: str) -> str:
    """Who wins a trick: the highest trump, else the highest card of the suit led."""
    led = plays[0][1][1]

    def strength(play: tuple[str, str]) -> tuple[int, int]:
        rank, suit = play[1]
        return (2 if suit == trump else 1 if suit == led else 0), RANKS.index(rank)

    return max(plays, key=strength)[0]
