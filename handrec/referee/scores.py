"""L5: winners, tricks and scores of a deal, recomputed and compared with what is claimed.

A claimed number is a fault of its own only if it neither is right nor follows from the other numbers claimed: a score
that was reckoned correctly from a miscounted trick is the miscount's consequence, reported once, at the trick.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from functools import cached_property, lru_cache
from typing import Any, NamedTuple

from handrec.cards import RANKS
from handrec.findings import DealResult, Rule, SideResult
from handrec.game import Game, Table
from handrec.game.table import Made
from handrec.game.value import Perhaps, Sight
from handrec.game.views import HandView
from handrec.record import Bid, DealClaims, Penalty, Play, SideClaims

NOTHING = DealClaims()

#: What is noted of a deal in which nothing can be compared.
NO_RESULT = "no result is recorded to compare with"

#: What is noted of a score that hangs on what is not known.
NOT_RECOMPUTED = "{}'s score cannot be recomputed"

#: As many tricks may have changed hands for a revoke.
MOST_MOVED = 2

#: What stands for a bid in games that have none.
NO_BID = Made("none", "none", 0, -1)


#: Where the tricks are not known, so many ways to score a hand are tried; of a hand with more of them nothing is told.
MOST_TRIED = 1000

#: So many hands that are not alike are remembered.
MOST_ALIKE = 10_000

#: What each seat carries from deal to deal, by key; None for a seat whose past is not on record.
Carried = Mapping[int, Mapping[str, int] | None]


def start(game: Game, seats: int, known: bool) -> Carried:
    """What the seats carry into the first deal on record: nothing yet, or nobody knows."""
    return dict.fromkeys(range(seats), {carry.key: carry.start for carry in game.carries} if known else None)


def judge_deal(table: Table, carried: Carried) -> tuple[DealResult, Carried]:
    """Recompute a deal's result and compare what is claimed; findings go to the table.

    Returns the result and what the seats carry on.
    """
    game, claims, names, sheet = table.game, table.deal.claimed, table.seats, dict[int, Made]()
    claimed = claims or NOTHING
    trump = _trump(table, claimed)
    if claims is not None:
        _winners(table, claimed)
        _trick_counts(table, claimed)
        sheet = _sheet_bids(table, claimed)
    bids = {seat: made for seat, stands in enumerate(table.bids) if (made := stands or sheet.get(seat))}
    tricks = _tricks(table, claimed)
    sides = game.sides(names[: table.count])
    together = {side: _together_won(table, claimed, side, places, tricks) for side, places in sides.items()}
    if not game.score:
        hands = dict[int, _Hand]()
    elif sides:
        hands = _hands_of_sides(table, sides, together, carried)
    else:
        hands = _hands(table, bids, tricks, carried)
    _scores(table, claimed, hands, sheet)
    if claimed.sides:
        _sides(table, claimed.sides, sides, hands, together)
    for phase in game.that("settle"):
        phase.settle(table, bids, tricks)
    if table.counted and not (claimed.winners or claimed.tricks or claimed.scores or claimed.sides):
        table.doubt("L5", f"deal {table.number}: {NO_RESULT}")
    penalties: dict[str, int] = {}
    for _, event in table.besides:
        if type(event) is Penalty:
            penalties[event.of] = penalties.get(event.of, 0) + event.points
    after = carried
    if game.carries:
        # Where the sheet has another bid than was made, nobody can tell which of them is wrong, and so what is carried on.
        sure = {seat for seat in hands if sheet.get(seat) in (None, bids.get(seat))}
        after = {seat: hands[seat].carried if seat in sure else None for seat in carried}
    result = DealResult(
        number=table.number,
        cards=table.size,
        dealer=table.seat(table.dealer),
        order=trump,
        bids={names[seat]: made.token for seat, made in bids.items()},
        tricks={names[seat]: number for seat, number in tricks.items()} if len(tricks) == table.count else None,
        lines={names[seat]: {**hand.lines} for seat, hand in hands.items() if hand.lines is not None},
        penalties=penalties,
        totals=None,
        played=tuple(table.tricks),
        notes=notes(table),
        carried={names[seat]: {**numbers} for seat, numbers in after.items() if numbers},
        sides={
            side: SideResult(together[side], hands[places[0]].points if places[0] in hands else None)
            for side, places in sides.items()
        },
        stakes=_staked(table),
    )
    return result, after


def _hands(table: Table, bids: Mapping[int, Made], tricks: Mapping[int, int], carried: Carried) -> dict[int, _Hand]:
    """The hands that can be scored, by seat."""
    scored = bids if table.game.bidding is not None else dict.fromkeys(range(table.count), NO_BID)
    hands = {
        seat: _Hand(table, seat, scored[seat], tricks[seat], carried[seat])
        for seat in range(table.count)
        if seat in scored and seat in tricks and scored[seat].value is not None
    }
    return {seat: hand for seat, hand in hands.items() if hand.possible}  # else what is known contradicts itself


def _together_won(table: Table, claimed: DealClaims, side: str, places: tuple[int, ...], tricks: Mapping[int, int]) -> int | None:
    """The tricks of a side: as played, or as written down for its seats, for it, or for the others; None if nothing tells."""
    won = [tricks[place] for place in places if place in tricks]
    if len(won) == len(places) and not _lost(table, claimed):
        return sum(won)
    stated = {key: said.tricks for key, said in (claimed.sides or {}).items() if said.tricks is not None}
    if side in stated or not stated:
        return stated.get(side)
    return table.size - sum(stated.values())


def _hands_of_sides(
    table: Table, sides: Mapping[str, tuple[int, ...]], won: Mapping[str, int | None], carried: Carried
) -> dict[int, _Hand]:
    """The hands of sides that can be scored, by seat: partners have one together."""
    hands: dict[int, _Hand] = {}
    passed_out = table.unplayed and not table.plays[1]
    for side, places in sides.items():
        tricks = 0 if passed_out else won[side]
        known = tricks is not None and 0 <= tricks <= table.size
        hand = _Hand(table, places[0], NO_BID, tricks if known else None, carried[places[0]])
        if hand.possible:
            hands |= dict.fromkeys(places, hand)
    return dict(sorted(hands.items()))


def _staked(table: Table) -> str:
    """What the deal is played for, in words."""
    return next((words for phase in table.game.that("staked") if (words := phase.staked(table))), "")


def notes(table: Table) -> dict[str, dict[str, str]]:
    """What a scorecard shows of each seat besides, in words."""
    found: dict[str, dict[str, str]] = {}
    for phase in table.game.that("notes"):
        for seat in range(table.count):
            found.setdefault(table.seats[seat], {}).update(phase.notes(table, seat))
    return {seat: words for seat, words in found.items() if words}


class _Hand:
    """A seat's hand to be scored. Tricks, what it carries, or a fact, not known, is tried as everything that it could be.

    `lines`, `points` and what is `carried` on are None where that matters, `possible` all points that there can be.
    """

    def __init__(self, table: Table, seat: int, made: Made, tricks: int | None, carried: Mapping[str, int] | None) -> None:
        self.game, self.made, self.tricks, self.cards = table.game, made, tricks, table.size
        facts: dict[str, Any] = {}
        for phase in table.game.that("facts"):
            facts.update(phase.facts(table, seat))
        self.facts, self.past = facts, carried
        self.lines, self.points, self.carried, self.possible = reckoned(table.game, made, tricks, table.size, facts, carried)

    @cached_property
    def pasts(self) -> list[Mapping[str, int]]:
        """All that it can have carried, with all that facts can be which are not known."""
        return _pasts(self.game, self.facts, self.past)

    @property
    def counts(self) -> Sequence[int]:
        """The numbers of tricks that it can have."""
        return _counts(self.tricks, self.cards)

    def reckon(self, made: Made, tricks: int, past: Mapping[str, int]) -> int | None:
        """The score for a bid, tricks, and a past."""
        return reckoned(self.game, made, tricks, self.cards, self.facts, past).points

    def makes(self, found: int, counts: Iterable[int], facts: Mapping[str, Any]) -> bool:
        """Whether a score follows from one of these numbers of tricks, and from these facts in place of its own."""
        told = {key: value for key, value in facts.items() if not isinstance(value, Perhaps)}
        if not facts.keys() <= {*told, *self.pasts[0]}:
            return False
        pasts = [{**past, **told} for past in self.pasts]
        return any(reckoned(self.game, self.made, n, self.cards, facts, past).points == found for n in counts for past in pasts)


class Reckoned(NamedTuple):
    """What a hand scores, by one past or any of several: lines, points, and what is carried on, each None where they differ."""

    lines: Mapping[str, int] | None
    points: int | None
    carried: Mapping[str, int] | None
    possible: frozenset[int]


def _together(scored: list[Reckoned]) -> Reckoned:
    if not scored:
        return Reckoned(None, None, None, frozenset())
    lines, points, carried, _ = scored[0]
    if any(each.lines != lines for each in scored):
        lines = points = None
    if any(each.carried != carried for each in scored):
        carried = None
    return Reckoned(lines, points, carried, frozenset().union(*[each.possible for each in scored]))


def _alike(facts: Mapping[str, Any]) -> list[Any]:
    """What is the same of facts that come to the same."""
    return [value if isinstance(value, int) else repr(value) for value in facts.values()]


def reckoned(
    game: Game, made: Made, tricks: int | None, cards: int, facts: Mapping[str, Any], past: Mapping[str, int] | None
) -> Reckoned:
    """What a hand scores and carries on: reckoned once for all hands of a game that are alike.

    Tricks and a past that are not known (None), and facts that may be several things, are tried as everything that they can be.
    """
    known = game.reckoned
    alike: tuple[Any, ...] = made.value, made.kind, made.suit, made.blind, tricks, cards
    if facts or past or past is None:
        alike = *alike, *_alike(facts), *([None] if past is None else _alike(past))
    found: Reckoned | None = known.get(alike)
    if found is None:
        if len(known) >= MOST_ALIKE:
            known.clear()
        counts, pasts = _counts(tricks, cards), _pasts(game, facts, past)
        few = tricks is not None or len(counts) * len(pasts) <= MOST_TRIED
        every = [_reckoned(game, made, n, cards, {**facts, **each}) for n in counts for each in pasts] if few else []
        found = known[alike] = every[0] if len(every) == 1 else _together(every)
    return found


def _counts(tricks: int | None, cards: int) -> Sequence[int]:
    """The numbers of tricks that there can be."""
    return range(cards + 1) if tricks is None else (tricks,)


def _pasts(game: Game, facts: Mapping[str, Any], past: Mapping[str, int] | None) -> list[Mapping[str, int]]:
    """A past, or all that there can be, with all that the facts can be which it does not tell."""
    pasts = [past] if past is not None else game.pasts
    for key, value in facts.items():
        if pasts and key not in pasts[0] and isinstance(value, Perhaps):
            pasts = [{**each, key: guess} for guess in value.values for each in pasts]
    return pasts


def _reckoned(game: Game, made: Made, tricks: int, cards: int, told: Mapping[str, Any]) -> Reckoned:
    view = HandView(tricks, made.value, made.kind, made.suit, made.blind, cards, told)
    lines = {line.key: line.points(view) for line in game.score if line.kind in (None, made.kind)}
    points = sum(lines.values())
    return Reckoned(lines, points, {carry.key: int(carry.step(view)) for carry in game.carries}, _alone(points))


@lru_cache(10_000)
def _alone(points: int) -> frozenset[int]:
    """The set of one number, once for all hands that score it: very many are remembered."""
    return frozenset((points,))


def _trump(table: Table, claimed: DealClaims) -> str | None:
    order = table.order(1, done=True)
    if order is None:
        if claimed.trump is not None:
            table.doubt("L2", f"deal {table.number}: what makes trump is not recorded")
            if not _can_be_trump(table, claimed.trump):
                table.fault("DEA009", field="/claimed/trump", found=claimed.trump, due="no trump of this game")
        return None
    if claimed.trump is not None and table.game.other_trump(claimed.trump, order.name):
        table.fault("DEA009", field="/claimed/trump", found=claimed.trump, due=order.name)
    return order.name


def _can_be_trump(table: Table, trump: str) -> bool:
    """Whether any contract makes this trump, or any card that is turned with others of its suit, or of another."""
    known, asked = table.game.trumps, (trump, table.undealt, table.size, table.count)
    if asked not in known:
        if len(known) >= MOST_ALIKE:
            known.clear()
        known[asked] = _made_trump(table, trump)
    return known[asked]


def _made_trump(table: Table, trump: str) -> bool:
    game = table.game
    phase: Any = game.phase_of.get("contract")
    sights: list[tuple[tuple[str, ...], str | None]]
    if phase is not None:
        sights = [((), contract) for contract in phase.contracts(table, trump)]
    else:
        turns = ((one, *[two] * table.size) for one in table.pack.cards for two in table.pack.cards[:: len(RANKS)])
        sights = [(turned, None) for turned in turns]
    orders = (game.order(Sight(*sight, 1, table.undealt, True, table.count)) for sight in sights)
    return any(order is not None and not game.other_trump(trump, order.name) for order in orders)


def _winners(table: Table, claimed: DealClaims) -> None:
    if claimed.winners is None or not table.tricks or claimed.winners == [trick.winner for trick in table.tricks]:
        return
    if table.counted and not table.claimed_rest:
        if table.compare("TRK004", len(claimed.winners), len(table.tricks), field="/claimed/winners"):
            return  # which of them is of which trick is not known
    doubled = frozenset[str]() if table.counted else table.doubled()
    swapped = _swapped(claimed.winners, [trick.winner for trick in table.tricks])
    apart = len(claimed.winners) != len(table.tricks)  # else those of tricks that are not on record are not written down either
    for spot, trick in enumerate(table.tricks):
        place = trick.number - 1 if apart else spot
        found = claimed.winners[place] if place < len(claimed.winners) else trick.winner
        if trick.winner not in (None, found):
            twice = [card for _, card in trick.plays if card in doubled]
            if twice:  # here another card may have been played, so that nobody is contradicted
                table.doubt(
                    "L5", f"deal {table.number}, trick {trick.number}: who won it hangs on {twice[0]}, which is played twice"
                )
                continue
            card = dict(trick.plays)[trick.winner]
            hint: dict[str, Any] = {"hint": f" (and trick {trick.number + 1} the other way round)"} if place == swapped else {}
            hint |= {"trick": trick.number, "seat": found, "card": card}
            table.compare("TRK001", found, trick.winner, field=f"/claimed/winners/{place}", **hint)
            if place - 1 == swapped:
                first = f"/deals/{table.index}/claimed/winners/{swapped}"
                table.findings[-1] = table.findings[-1].following(("TRK001", first))


def _swapped(found: list[str], due: Sequence[str | None]) -> int | None:
    """Where two winners side by side are written in each other's place, if that is all that is wrong with them."""
    wrong = [place for place, (one, other) in enumerate(zip(found, due, strict=False)) if one != other]
    if len(found) == len(due) and len(wrong) == 2 and wrong[1] == wrong[0] + 1:
        first, second = wrong
        return first if (found[first], found[second]) == (due[second], due[first]) else None
    return None


def _trick_counts(table: Table, claimed: DealClaims) -> None:
    won, places = table.won, table.place_of
    if claimed.tricks is None:
        return
    if table.counted and claimed.tricks.items() <= dict(zip(table.seats, won, strict=True)).items():
        return
    by_winners = None
    if claimed.winners is not None and len(claimed.winners) == table.size:
        by_winners = {seat: claimed.winners.count(seat) for seat in table.seats}
    if table.counted:
        for seat, found in claimed.tricks.items():
            place = places[seat]
            due = won[place]
            if found == due:
                continue
            after = {table.moved[place], table.moved[place] + table.strayed[place]}  # tricks taken from others since
            if by_winners is None or found - by_winners[seat] not in after:
                if found == due + table.strayed[place]:
                    continue  # taken without right, which is said where it was done
                table.compare("TRK002", found, due, field=f"/claimed/tricks/{seat}", seat=seat)
    elif _lost(table, claimed):
        table.doubt("L5", f"deal {table.number}: a whole trick is missing, and with it its count")
    elif len(claimed.tricks) >= table.count and table.sized and table.deal.status in ("complete", "claimed"):
        found, stated = sum(claimed.tricks.values()), len(claimed.tricks) == len(table.seats)
        table.compare("TRK004", found, table.size if stated else min(found, table.size), field="/claimed/tricks")


def _lost(table: Table, claimed: DealClaims) -> int:
    """How many tricks are missing with all their cards and their count: then the count follows from the cards."""
    if table.counted or table.claimed_rest or table.deal.status != "complete":
        return 0
    played = sum(type(event) is Play for event in table.deal.events)
    lacking = sum(table.quota) - played
    if not played or lacking < table.count:
        return 0
    tricks = -(-lacking // len(table.seats))
    return tricks if sum((claimed.tricks or {}).values()) == table.size - tricks else 0


def _sheet_bids(table: Table, claimed: DealClaims) -> dict[int, Made]:
    """The bids on the score sheet, compared with those made where both are recorded."""
    phase: Any = table.game.bidding
    sheet: dict[int, Made] = {}
    if claimed.bids and phase is None:
        table.doubt("L5", f"deal {table.number}: bids on the sheet cannot be compared with a contract")
    if claimed.bids is None or phase is None:
        return sheet
    for seat, token in claimed.bids.items():
        place = table.place_of[seat]
        made = table.bids[place]
        if made is not None and made.kind != "unknown" and str(token) == made.token:
            continue
        written = phase.made(table, Bid(by=seat, bid=token), -1)
        if made is not None:
            if written != made:  # a phase may take a sheet's shorter word for the bid that stands
                against = f"/deals/{table.index}/events/{made.place}"
                table.compare("SCO004", str(token), made.token, field=f"/claimed/bids/{seat}", seat=seat, against=against)
        elif written is None:
            table.fault("BID002", field=f"/claimed/bids/{seat}", seat=seat, bid=token, allowed=phase.allowed(table))
        if written is not None:
            sheet[place] = written
    if not any(table.bids):
        phase.take_sheet(table, sheet)
    return sheet


def _tricks(table: Table, claimed: DealClaims) -> dict[int, int]:
    """The tricks of each seat: as played, or as written down where the play does not tell."""
    if table.counted:
        return dict(enumerate(table.won[: table.count]))
    tricks = {table.place_of[seat]: number for seat, number in (claimed.tricks or {}).items()}
    return {seat: number for seat, number in tricks.items() if seat < table.count}


def _scores(table: Table, claimed: DealClaims, hands: Mapping[int, _Hand], sheet: Mapping[int, Made]) -> None:
    places = table.place_of
    wrong = [
        (seat, found)
        for seat, found in (claimed.scores or {}).items()
        if (hand := hands.get(places[seat])) is None or hand.points != found
    ]
    wrong.sort(key=lambda each: places[each[0]])  # in whatever order they are written down
    lost = _lost(table, claimed) if wrong else 0
    for seat, found in wrong:
        place = places[seat]
        hand = hands.get(place)
        if hand is None or lost or (hand.lines is None and found in hand.possible):
            table.doubt("L5", f"deal {table.number}: {NOT_RECOMPUTED.format(seat)}")
            continue
        made, number = sheet.get(place, hand.made), (claimed.tricks or {}).get(seat, hand.tricks)
        if number is not None and made.value is not None and any(hand.reckon(made, number, past) == found for past in hand.pasts):
            if found not in hand.possible:
                continue  # it follows from another number of the sheet, which is where the fault is
        lines = hand.lines or {}
        table.compare(
            _score_rule(table, hand.made, lines, found),
            found,
            sorted(hand.possible) if hand.lines is None else sum(lines.values()),
            field=f"/claimed/scores/{seat}",
            seat=seat,
            bid=_staked(table) or hand.made.token,
            tricks=hand.tricks,
            as_if="",
            lines=" ".join(f"{key} {points:+d}" for key, points in lines.items() if points)
            or ("0" if hand.lines is not None else "one of these"),
        )


def _sides(
    table: Table,
    claims: Mapping[str, SideClaims],
    sides: Mapping[str, tuple[int, ...]],
    hands: Mapping[int, _Hand],
    won: Mapping[str, int | None],
) -> None:
    """Compare what is claimed for sides: of what both are said to have, the second is not told where it mirrors the first."""
    claims = {side: claims[side] for side in sides if side in claims}
    stated = {side: said.tricks for side, said in claims.items() if said.tricks is not None}
    off = {side: found - due for side, found in stated.items() if (due := won[side]) is not None and found != due}
    if len(stated) == len(sides) and not off:
        table.compare("TRK004", sum(stated.values()), table.size, field="/claimed/sides")
    if off and max(map(abs, off.values())) <= MOST_MOVED and any(each.code.startswith("REV") for each in table.findings):
        table.doubt("L5", f"deal {table.number}: whether tricks were moved for a revoke is not recorded")
        off = {}
    for side, more in off.items():
        if -more not in off.values() or side == next(iter(off)):
            table.fault("TRK002", field=f"/claimed/sides/{side}/tricks", seat=side, found=stated[side], due=won[side])
    told = set[int]()
    for side, said in claims.items():
        hand, found = hands.get(sides[side][0]), said.score
        if found is None or (hand is not None and hand.points == found):
            continue
        if hand is None or (hand.lines is None and found in hand.possible):
            table.doubt("L5", f"deal {table.number}: {NOT_RECOMPUTED.format(side)}")
        elif -found not in told and _side_score(table, side, sides[side][0], found, hand, stated):
            told.add(found)


def _side_score(table: Table, side: str, place: int, found: int, hand: _Hand, stated: Mapping[str, int]) -> bool:
    """Write down that a side's score is wrong, unless it follows from what the record has otherwise; and whether it was."""
    others = [other for phase in table.game.that("otherwise") for other in phase.otherwise(table, place)]
    written = {stated[side]} if side in stated else {table.size - tricks for tricks in stated.values()}
    counts = [tricks for tricks in {*hand.counts, *written} if 0 <= tricks <= table.size]
    silent = [hand.facts, *(other.facts for other in others if not other.words)]
    if any(hand.makes(found, counts, facts) for facts in silent):
        return False
    lines, due = hand.lines or {}, sorted(hand.possible) if hand.lines is None else hand.points
    only = [line.rule for line in table.game.score if lines.get(line.key)]
    as_if = next((other.words for other in others if other.words and hand.makes(found, hand.counts, other.facts)), "")
    table.compare(
        only[0] if len(only) == 1 else _score_rule(table, hand.made, lines, found),
        found,
        due,
        field=f"/claimed/sides/{side}/score",
        seat=side,
        bid=_staked(table),
        tricks="an unknown number of" if hand.tricks is None else hand.tricks,
        lines=" ".join(f"{key} {points:+d}" for key, points in lines.items() if points) or ("0" if lines else "one of these"),
        as_if=f"; {as_if} it is right" if as_if else "",
    )
    return True


def _score_rule(table: Table, made: Made, lines: Mapping[str, int], found: int) -> Rule:
    """The rule of the one extra line that was left out, or of the line that sets this kind of bid apart."""
    lacking = {key for key, points in lines.items() if points and sum(lines.values()) - points == found}
    usual = table.game.score[0].rule.id
    left_out = {line.rule.id: line.rule for line in table.game.score if line.key in lacking and line.rule.id != usual}
    if len(left_out) == 1:
        return next(iter(left_out.values()))
    own = [line.rule for line in table.game.score if line.kind == made.kind]
    return own[0] if own else table.game.score[0].rule
