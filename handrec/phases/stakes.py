"""What a deal of bridge is played for: contract, doubles, vulnerability and honours, as the score needs to know them."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

from handrec.game.table import Table
from handrec.game.value import Otherwise, Perhaps, Phase
from handrec.phases.contracts import Outcome, outcome
from handrec.record import Announce, Contract
from handrec.scoring.bridge import STRAINS

#: Who is vulnerable by board number, as seats counted from North; the numbers from 17 on repeat the first sixteen (Law 2).
NS, EW = (0, 2), (1, 3)
BY_BOARD = ((), NS, EW, NS + EW, NS, EW, NS + EW, (), EW, NS + EW, (), NS, NS + EW, (), NS, EW)

#: What cannot be told, nor tried.
UNTOLD = Perhaps(())
EITHER = Perhaps((0, 1))


def by_board(table: Table, board: int) -> frozenset[int]:
    """The places of those whom a board's number makes vulnerable; the first player sits North, or where North is named."""
    north = table.seats.index("N") if "N" in table.seats else 0
    turns = BY_BOARD[(board - 1) % len(BY_BOARD)]
    return frozenset((north + turn) % table.count for turn in turns)


def stated(table: Table) -> frozenset[int] | None:
    """The places of those whom the record calls vulnerable; None if it does not, or names no side of the table."""
    word = table.deal.vulnerable
    sides = {"none": (), "all": range(table.count), **table.game.sides(table.seats[: table.count])}
    return None if word is None or word not in sides else frozenset(sides[word])


def vulnerable(table: Table) -> frozenset[int] | None:
    """The places of those who are vulnerable in a duplicate board: as stated, or by its number; None if neither is recorded."""
    said, board = stated(table), table.deal.board
    return said if said is not None else None if board is None else by_board(table, board)


@dataclass(frozen=True)
class Stakes(Phase):
    """What the score of a side hangs on besides its tricks.

    Who is vulnerable the board tells, at `scoring` "duplicate"; else it follows from the deals before. With `others`, of the two
    deals of Chicago in which one side is vulnerable it is not the dealer's. Honours are announced by who held them.
    """

    scoring: str = "duplicate"
    others: bool = False

    @property
    def kinds(self) -> tuple[str, ...]:
        """Honours, where they count."""
        return () if self.scoring == "duplicate" else ("announce:honours",)

    def take(self, table: Table, place: int, event: Announce) -> None:
        """Honours are told when the play is over; what they count is compared with the hand, if it is known."""
        seat, due = table.place_of[event.by], self._due(table, table.place_of[event.by])
        honours = table.kept.setdefault(Honours, Honours())
        honours[seat] = event.count if event.count is not None else due
        if due is not None and event.count is not None:
            table.compare("SCO007", event.count, due, place, "/count", seat=event.by)

    @staticmethod
    def _due(table: Table, seat: int) -> int | None:
        """What a hand's honours count: four of the five highest trumps, all five, or at no trump four aces; None if untold."""
        came: Outcome | None = table.kept.get(Outcome)
        if came is None or not table.whole[seat]:
            return None
        suited = came.strain in STRAINS[:4]
        wanted = [rank + came.strain for rank in "AKQJT"] if suited else ["A" + suit for suit in STRAINS[:4]]
        held = sum(table.dealt[seat] >> table.pack.index[card] & 1 for card in wanted)
        return 150 if held == len(wanted) else 100 if suited and held == 4 else 0

    def void(self, table: Table) -> bool:
        """Whether all passed."""
        came: Outcome | None = table.kept.get(Outcome)
        return came is not None and not came.level

    def staked(self, table: Table) -> str:
        """The contract, who declares, and whether vulnerable."""
        came: Outcome | None = table.kept.get(Outcome)
        if came is None:
            return ""
        if not came.level:
            return "passed out"
        words = f"{came.level}{came.strain}{'x' * came.risk}"
        if came.declarer is not None:
            words += f" by {table.seats[came.declarer]}"
            who = vulnerable(table) if self.scoring == "duplicate" else None
            words += "" if who is None else " vulnerable" if came.declarer in who else " not vulnerable"
        return words

    def facts(self, table: Table, seat: int) -> dict[str, Any]:
        """The contract as the side of a seat sees it, and what makes it vulnerable."""
        return self._facts(table, seat, table.kept.get(Outcome), vulnerable(table))

    def said(self, table: Table, seat: int) -> dict[str, int]:
        """Nothing: points of sides are reckoned by the referee."""
        return {}

    def _facts(self, table: Table, seat: int, came: Outcome | None, who: frozenset[int] | None) -> dict[str, Any]:
        if came is None or (came.level and came.declarer is None):
            return {"level": UNTOLD}
        declarer = -1 if came.declarer is None else came.declarer
        declares = 0 if not came.level else 1 if (declarer - seat) % 2 == 0 else -1
        found: dict[str, Any] = {
            "level": came.level,
            "strain": STRAINS.index(came.strain) if came.level else 0,
            "risk": came.risk,
            "declares": declares,
        }
        if self.scoring == "duplicate":
            found["vulnerable"] = 0 if not came.level else EITHER if who is None else int(declarer in who)
            return found
        counted = table.kept.get(Honours, Honours())
        mine = [counted[other] for other in counted if (other - seat) % 2 == 0]
        found["honours"] = Perhaps((0, 100, 150)) if None in mine else sum(points or 0 for points in mine)
        if self.scoring == "chicago":
            found["dealt"] = EITHER if table.dealer is None else int((table.dealer - declarer) % 2 == 0)
            found["others"] = int(self.others)
        return found

    def otherwise(self, table: Table, seat: int) -> Iterator[Otherwise]:
        """By a contract, or a vulnerability, that the record states itself beside another; and at the other vulnerability."""
        came: Outcome | None = table.kept.get(Outcome)
        who, said, board = vulnerable(table), stated(table), table.deal.board
        for _, event in table.besides:
            if type(event) is Contract and (other := outcome(table, event)) not in (None, came):
                yield Otherwise(self._facts(table, seat, other, who))
        if self.scoring != "duplicate":
            return
        if said is not None and board is not None and (due := by_board(table, board)) != said:
            yield Otherwise(self._facts(table, seat, came, due))
        elif who is not None and came is not None and came.declarer is not None:
            flipped = frozenset(range(table.count)) - who
            yield Otherwise(self._facts(table, seat, came, flipped), f"as if {'not ' * (came.declarer in who)}vulnerable")


class Honours(dict[int, "int | None"]):
    """What honours count that were announced, by seat; None if how many cannot be told."""
