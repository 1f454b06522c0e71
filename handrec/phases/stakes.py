"""What a deal of bridge is played for: contract, doubles, vulnerability and honours, as the score needs to know them."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from functools import lru_cache
from typing import Any

from handrec.game.phase import Otherwise, Phase
from handrec.game.table import Table
from handrec.game.value import Perhaps
from handrec.phases.bidding import stated_outcome, written
from handrec.phases.board import Vulnerable, vulnerable_on
from handrec.phases.contracts import Outcome
from handrec.record import Announce, Contract
from handrec.scoring.bridge import STRAINS

#: What cannot be told, nor tried.
UNTOLD = Perhaps(())
EITHER = Perhaps((0, 1))
NOBODY_KNOWS = Vulnerable()


@dataclass(frozen=True)
class Stakes(Phase):
    """What the score of a side hangs on besides its tricks.

    Who is vulnerable the board tells, at `scoring` "duplicate"; else it follows from the deals before. With `others`, of the two
    deals of Chicago in which one side is vulnerable it is not the dealer's. Honours are announced by who held them.
    """

    scoring: str = "duplicate"
    others: bool = False

    anytime = ("announce:honours",)

    @property
    def kinds(self) -> tuple[str, ...]:
        """Honours, where they count."""
        return () if self.scoring == "duplicate" else ("announce:honours",)

    def take(self, table: Table, place: int, event: Announce) -> None:
        """Honours are told when the play is over; what they count is compared with the hand, if it is known."""
        seat, due = table.place_of[event.by], self._due(table, table.place_of[event.by])
        honours = table.kept.setdefault(Honours, Honours())
        honours[seat] = event.count if event.count is not None else due
        if due is None:
            table.doubt("L5", f"deal {table.number}: {event.by}'s honours cannot be counted")
        elif event.count is not None:
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

    def staked(self, table: Table) -> str:
        """The contract, who declares, and whether vulnerable."""
        came: Outcome | None = table.kept.get(Outcome)
        if came is None:
            return ""
        if not came.level:
            return "passed out"
        words = written(came)
        if came.declarer is not None:
            words += f" by {table.seats[came.declarer]}"
            told = self._vulnerable(table).of(came.declarer)
            words += "" if told is None else " vulnerable" if told else " not vulnerable"
        return words

    def _vulnerable(self, table: Table) -> Vulnerable:
        """Who is vulnerable, where the board tells it."""
        told: Vulnerable = table.kept.get(Vulnerable, NOBODY_KNOWS)
        return told if self.scoring == "duplicate" else NOBODY_KNOWS

    def facts(self, table: Table, seat: int) -> dict[str, Any]:
        """The contract as the side of a seat sees it, and what makes it vulnerable; nothing if all passed and yet played."""
        if table.unplayed and table.plays[1]:
            return {"level": UNTOLD}
        return self._facts(table, seat, table.kept.get(Outcome), self._vulnerable(table))

    def said(self, table: Table, seat: int) -> dict[str, int]:
        """The same, and whether all of it is `known`: if not, there are other numbers in its place."""
        facts = self.facts(table, seat)
        if any(isinstance(value, Perhaps) for value in facts.values()):
            facts = self._facts(table, seat, Outcome(0), NOBODY_KNOWS)
            return {**{key: value if isinstance(value, int) else 0 for key, value in facts.items()}, "known": 0}
        return {**facts, "known": 1}

    def _facts(self, table: Table, seat: int, came: Outcome | None, who: Vulnerable) -> dict[str, Any]:
        if came is None or (came.level and came.declarer is None):
            return {"level": UNTOLD}
        declarer = -1 if came.declarer is None else came.declarer
        found = {**_contract(came, declarer % 2 == seat % 2)}
        if self.scoring == "duplicate":
            told = who.of(declarer) if came.level else False
            found["vulnerable"] = EITHER if told is None else int(told)
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
        who, board = self._vulnerable(table), table.deal.board
        for _, event in table.besides:
            if type(event) is Contract and (other := stated_outcome(str(event.bid))) is not None:
                declarer = table.place_of[event.by] if event.by else came.declarer if came is not None else None
                yield Otherwise(self._facts(table, seat, other._replace(declarer=declarer), who))
        if who.sides is None or came is None or came.declarer is None:
            return
        flipped = Vulnerable(frozenset((0, 1)) - who.sides)
        differs = board is not None and vulnerable_on(board, table.seats[: table.count]) != who.sides
        words = "" if differs else f"as if {'not ' if who.of(came.declarer) else ''}vulnerable"
        yield Otherwise(self._facts(table, seat, came, flipped), words)


@lru_cache(1000)
def _contract(came: Outcome, own: bool) -> dict[str, Any]:
    """A contract as the score sees it, of the side's own or of the other's."""
    declares = 0 if not came.level else 1 if own else -1
    return {
        "level": came.level,
        "strain": STRAINS.index(came.strain) if came.level else 0,
        "risk": came.risk,
        "declares": declares,
    }


class Honours(dict[int, "int | None"]):
    """What honours count that were announced, by seat; None if how many cannot be told."""
