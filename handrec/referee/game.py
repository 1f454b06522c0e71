"""L6: the deals of a record together: numbering, schedule, dealer, totals, end and winner."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import replace
from itertools import product
from typing import Any, TypeVar

from handrec.findings import DealResult, Finding, Rule
from handrec.game import Game, Standings, Table
from handrec.game.value import as_they_stand, never, nobody
from handrec.record import Record

_T = TypeVar("_T")

Doubts = dict[str, list[str]]
GameOutcome = tuple[list[Finding], list[DealResult], Mapping[str, int] | None, tuple[str, ...] | None]


def judge_game(record: Record, game: Game, tables: list[Table], results: list[DealResult], doubts: Doubts) -> GameOutcome:
    """Check the deals together; returns findings, the results with running totals, final totals and winners."""
    findings: list[Finding] = []
    whole = record.status != "excerpt"
    if not whole:
        doubts.setdefault("L6", []).append("an excerpt: schedule, totals, end and winner cannot be checked")
    elif record.status != "complete":
        doubts.setdefault("L6", []).append("the game is not over: end and winner cannot be checked")
    judge_order(record, game, tables, findings)
    if not whole:
        return findings, results, None, None
    results = _running_totals(tables, results, tuple([player.seat for player in record.players]))
    totals = results[-1].totals if results else None
    totals = totals and _final(record, game, totals, _standings(game, results, len(results)))
    _end(record, game, results, findings)
    winners = _winners(record, game, results, findings, doubts)
    return findings, results, totals, winners


def judge_order(record: Record, game: Game, tables: list[Table], findings: list[Finding]) -> None:
    """Whether the deals are those that are due, dealt by whose turn it was."""
    _schedule(record, game, tables, findings)
    _dealers(record, game, tables)


def _compare(
    findings: list[Finding], rule: Rule, found: Any, due: Any, pointer: str, seat: str | None = None, **facts: Any
) -> None:
    if found != due:
        facts = {"found": found, "due": due, "seat": seat, **facts}
        findings.append(Finding(rule.fault, facts, pointer, seat=seat))


def _schedule(record: Record, game: Game, tables: list[Table], findings: list[Finding]) -> None:
    schedule = game.cards(len(record.players))
    whole = record.status != "excerpt"
    due = follows = 1
    odd = _out_of_order([table.deal.number or 0 for table in tables]) if not whole else set()
    for place, table in enumerate(tables):
        stated = table.deal.number
        if place in odd:
            table.compare("DEA010", stated, due, field="/number")
            continue
        if stated is not None and (stated > due if not whole else stated == follows):
            due = stated  # deals may be left out of an excerpt; and a wrong number throws out none after it
        if stated is not None:
            table.compare("DEA010", stated, due, field="/number")
        number = due if whole else table.number
        due, follows = due + 1, (stated or due) + 1
        if isinstance(schedule, int):
            if table.sized and table.compare("DEA003", table.size, schedule, field="", what="each hand"):
                continue
        elif not whole and (stated or 0) > len(schedule) and not table.sized:
            table.compare("DEA010", stated, len(schedule), field="/number")
        elif not table.sized:
            table.doubt("L6", f"deal {table.number}: how many cards were dealt is not recorded")
        elif stated is not None if number > len(schedule) else whole or stated is not None:
            size = schedule[number - 1] if number <= len(schedule) else 0
            field = "" if table.deal.cards is None else "/cards"
            # a game with deals too many is said once, not at each
            if (size or not whole) and table.compare("DEA005", table.size, size, field=field, number=number, of=len(schedule)):
                continue
        if table.undealt < 0:
            table.compare("DEA003", table.size, len(table.pack) // table.count, field="", what="each hand")
    if isinstance(schedule, int) or not whole:
        return
    if len(tables) > len(schedule) or record.status == "complete":
        _compare(findings, game.rule("SCO005"), len(tables), len(schedule), "/deals")


def _out_of_order(numbers: list[int]) -> set[int]:
    """Where one number is too high by itself: the deals before and after it are in order without it."""
    around = zip(range(len(numbers) - 1), [0, *numbers], numbers, numbers[1:], strict=False)
    return {place for place, before, number, after in around if number and before < after <= number}


def _end(record: Record, game: Game, results: list[DealResult], findings: list[Finding]) -> None:
    """A game that its score ends stops there, and not before."""
    if game.over is never:
        return
    ended = next((place for place, result in enumerate(results, 1) if is_over(game, result, place)), None)
    if ended is not None:
        _compare(findings, game.rule("SCO005"), len(results), ended, f"/deals/{ended}")
    elif record.status == "complete":
        standings = _standings(game, results, len(results))
        if standings and not any(map(game.over, standings)):
            _compare(findings, game.rule("SCO005"), len(results), "more", "/deals")


def is_over(game: Game, result: DealResult, deals: int) -> bool:
    """Whether the score ends the game after a deal, by its result with the totals, whatever unknown seats carry."""
    standings = _standings(game, [result], deals)
    return bool(standings) and all(map(game.over, standings))


def _standings(game: Game, results: list[DealResult], deals: int, totals: Mapping[str, int] | None = None) -> list[Standings]:
    """How the game may stand after the last of some deals, with its totals or with others; none if they are not known.

    Several where it is not known what a seat carries: then each may be the least or the most that there can be.
    """
    totals = totals or (results[-1].totals if results else None)
    if not totals:
        return []
    keys, known = [carry.key for carry in game.carries], results[-1].carried if results else {}
    numbers = [[carry.start, *carry.values, 1, *(each[carry.key] for each in known.values())] for carry in game.carries]
    unknown = [dict(zip(keys, map(end, numbers), strict=True)) for end in (min, max)] if keys else [{}]
    ways = product(*([known[seat]] if seat in known else unknown for seat in totals))
    return [Standings(tuple(totals.values()), {key: tuple([each[key] for each in way]) for key in keys}, deals) for way in ways]


def _agreed(found: Iterable[_T]) -> _T | None:
    """What is found every time; None if that differs, or nothing is."""
    all_found = {*found}
    return all_found.pop() if len(all_found) == 1 else None


def _dealers(record: Record, game: Game, tables: list[Table]) -> None:
    """Each deal's dealer sits to the left of the last; one who is out of order throws out no one after."""
    due: int | None = None
    last: Table | None = None
    for table in tables:
        if table.dealer is None and len(tables) > 1 and game.rotates:
            table.doubt("L6", f"deal {table.number}: the dealer is not recorded")
        follows = last is not None and (record.status != "excerpt" or table.deal.number == (last.deal.number or -9) + 1)
        if table.dealer is None or not follows:
            due = _next(game, last, table, due) if follows else table.dealer
        else:
            assert last is not None
            expected = _next(game, last, table, due)
            after_found = _next(game, last, table, last.dealer)
            if game.rotates and expected is not None and table.dealer != after_found:
                against = f"/deals/{last.index}/dealer"
                table.compare(
                    "DEA006",
                    table.seat(table.dealer),
                    table.seat(expected),
                    field="/dealer",
                    seat=table.deal.dealer,
                    against=against,
                )
            due = table.dealer if expected is None or table.dealer == after_found else expected
        last = table


def _next(game: Game, last: Table | None, table: Table, dealer: int | None) -> int | None:
    """Who deals after a dealer: the left, or the same again where nobody undertook anything and that is how it is played."""
    return dealer if game.redealt and last is not None and last.unplayed else _left(table, dealer)


def _left(table: Table, seat: int | None) -> int | None:
    return None if seat is None else (seat + 1) % table.count


def _running_totals(tables: list[Table], results: list[DealResult], seats: tuple[str, ...]) -> list[DealResult]:
    """Totals after each deal; claimed ones are compared with the sum that the sheet itself leads to, or the true one."""
    totals: dict[str, int] | None = dict.fromkeys(seats, 0)
    written: Mapping[str, int] = dict.fromkeys(seats, 0)
    running = []
    for table, result in zip(tables, results, strict=True):
        scores, claims = result.scores, table.deal.claimed
        before = totals
        if totals is not None and len(scores) == len(seats):
            totals = {seat: totals[seat] + scores[seat] - result.penalties.get(seat, 0) for seat in seats}
        else:
            totals = None
        claimed = (claims.totals if claims else None) or {}
        for seat, found in () if totals is not None and claimed.items() <= totals.items() else claimed.items():
            fine = result.penalties.get(seat, 0)
            points = {claims.scores[seat]} if claims and claims.scores and seat in claims.scores else set()
            if seat not in scores and any(f.code == "SCO001" and f.seat == seat for f in table.findings):
                points = set()  # the score written down is wrong, and the right one not known
            points |= {scores[seat]} if seat in scores else set()
            bases = ({written[seat]} if seat in written else set()) | ({before[seat]} if before is not None else set())
            sums = {(base, point): base + point - fine for base in bases for point in points}
            if not sums:
                table.doubt("L6", f"deal {table.number}: {seat}'s total cannot be recomputed")
            elif found not in sums.values():
                base, point = (written.get(seat, next(iter(bases))), scores.get(seat, next(iter(points))))
                arithmetic = f"{base} {point:+d}" + (f" - {fine}" if fine else "")
                due = base + point - fine
                table.compare("SCO002", found, due, field=f"/claimed/totals/{seat}", seat=seat, sum=arithmetic)
        written = claimed
        running.append(result._replace(totals=totals))
    return running


def _winners(
    record: Record, game: Game, results: list[DealResult], findings: list[Finding], doubts: Doubts
) -> tuple[str, ...] | None:
    """Final totals and winners; a winner who follows from the totals written down is not reported again."""
    seats = tuple(player.seat for player in record.players)
    standings = _standings(game, results, len(results))
    totals = dict(zip(seats, standings[0].totals, strict=True)) if standings else None
    last = record.deals[-1].claimed if record.deals else None
    written = (last.totals if last else None) or {}
    sheet = {seat: written[seat] for seat in seats if seat in written}  # in the order of the seats, whatever theirs is
    stated = (record.claimed.totals if record.claimed else None) or {}
    for seat, found in stated.items():
        ends = [_final(record, game, value, standings) for value in (totals, sheet) if value]
        due = [value[seat] for value in ends if value and seat in value]
        if not due:
            doubts.setdefault("L6", []).append("the totals as they count in the end cannot be recomputed")
        if due and found not in due:
            _compare(findings, game.rule("SCO002"), found, due[0], f"/claimed/totals/{seat}", seat, sum="the sum of the deals")
    by_side = (record.claimed.sides if record.claimed else None) or {}
    for side, places in game.sides(seats).items():
        said = by_side[side].score if side in by_side else None
        ended = said is not None and totals and _final(record, game, totals, standings)
        if said is not None and not ended:
            doubts.setdefault("L6", []).append("the totals as they count in the end cannot be recomputed")
        elif ended and said != ended[seats[places[0]]]:
            _compare(
                findings,
                game.rule("SCO002"),
                said,
                ended[seats[places[0]]],
                f"/claimed/sides/{side}/score",
                side,
                sum="the sum of the deals",
            )
    if record.status != "complete":
        return None
    if game.winners is nobody:
        doubts.setdefault("L6", []).append("who wins is told by other tables, and not by one alone")
        return None
    winners = _agreed(_names(seats, game.winners(each)) for each in standings)
    if winners is None:
        what = "what a seat carries is not known" if standings else "the totals cannot be recomputed"
        doubts.setdefault("L6", []).append(f"{what}, so the winner cannot be checked")
    if record.claimed is not None and record.claimed.winners is not None:
        sheets = [{seat: value[seat] for seat in seats} for value in (stated, sheet) if value.keys() == {*seats}]
        named, sums = sorted(record.claimed.winners), totals or stated or sheet
        ways = [_standings(game, results, len(results), value) for value in ([totals] if totals else []) + sheets]
        candidates = [_names(seats, game.winners(each)) for way in ways for each in way]
        won = _agreed(_names(seats, game.winners(each)) for each in ways[0]) if ways else None
        if won and not any(named == sorted(found) or _played_off(game, named, found) for found in candidates):
            shown = ", ".join(f"{seat} {points}" for seat, points in sums.items())
            _compare(findings, game.rule("SCO003"), named, sorted(won), "/claimed/winners", totals=shown)
    return winners


def _final(record: Record, game: Game, totals: Mapping[str, int], standings: list[Standings]) -> Mapping[str, int] | None:
    """The totals as they count in the end, or where the game was left, by what the seats carry; None if that is not known."""
    final = {"complete": game.final, "stopped": game.unfinished}.get(record.status, as_they_stand)
    if final is as_they_stand:
        return totals
    if not standings or len(totals) != len(standings[0].totals):
        return None
    found = _agreed(final(replace(standing, totals=tuple(totals.values()))) for standing in standings)
    return None if found is None else dict(zip(totals, found, strict=True))


def _played_off(game: Game, found: list[str], winners: tuple[str, ...]) -> bool:
    """Whether a tie was settled by a play-off, whose winner the record names."""
    return game.tie_break and len(found) == 1 and found[0] in winners


def _names(seats: tuple[str, ...], places: tuple[int, ...]) -> tuple[str, ...]:
    return tuple(seats[place] for place in places)
