"""The referee: (game, record) in, verdict out. Pure: no files, no clock, no games of its own.

Each deal is replayed on a table of its own; what the record claims is compared with the recomputation; then the deals
are looked at together. Everything wrong is said once, and the replay goes on as long as it means anything.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import lru_cache
from typing import Any, cast

from handrec.cards import Pack
from handrec.findings import LEVELS, Fault, Finding, Level, Rule, Status, Verdict
from handrec.game import Game, Look, Table, compose
from handrec.game.hands import check_cards, expected_size, take_hands
from handrec.game.table import NO_PAST, Past, Watched
from handrec.limits import MAX_REMEMBERED
from handrec.record import Deal, Play, Record
from handrec.referee.form import FORM, check_seats
from handrec.referee.game import judge_game
from handrec.referee.scores import Carried, judge_deal, start

__all__ = [
    "FORM",
    "after_play",
    "before_play",
    "begun",
    "carried_into",
    "check",
    "examined",
    "judged",
    "laid",
    "levels",
    "replay",
    "replayed",
    "retold",
    "rules_of",
    "take_event",
    "unreadable",
    "verdict",
    "with_form",
]


#: Replays a deal at a new table, or says that it cannot.
Quick = Callable[[Table], bool]

#: Outcomes with so many doubts are remembered.
FEW = 100


def check(record: Record, find: Callable[[str], Game | None], quick: Quick | None = None, look: Look | None = None) -> Verdict:
    """Referee a record; `find` gives the game for its name, or None if there is no such game.

    `quick` is asked first to replay a deal, at a table at which nothing has happened yet: the table is then as the referee would
    leave it, and all seats that the deal names are the table's; or, if it answers False, the table is of no more use. `look` is
    shown each finding of a replay as it is made (some twice), and breaks off by raising a `BrokenOff`.
    """
    return _refereed(record, find, quick, look=look)[0]


def examined(record: Record, find: Callable[[str], Game | None], quick: Quick | None = None) -> tuple[Verdict, list[Table]]:
    """The verdict on a record with the tables of its deals, for those who look further at what is wrong; none if there are none.

    Each table keeps what it saw of the plays from the first revoke on.
    """
    return _refereed(record, find, quick, from_fault=True)


def _refereed(
    record: Record,
    find: Callable[[str], Game | None],
    quick: Quick | None,
    from_fault: bool = False,
    look: Look | None = None,
) -> tuple[Verdict, list[Table]]:
    game = find(record.game)
    if game is None:
        return _unplayable(record, [Finding(FORM["FMT008"], {"game": record.game}, "/game")]), []
    composed, problems = compose(game, record.options)
    findings = [Finding(FORM[code], facts, _option_place(facts)) for code, facts in problems]
    taken = None if quick is None or findings else _taken(record, composed, quick)
    findings += check_seats(record, composed, len(taken or ()))
    if findings:
        return _unplayable(record, findings), []
    tables = replay(record, composed, quick=quick, from_fault=from_fault, taken=taken, look=look)
    return verdict(record, composed, tables), tables


def _taken(record: Record, game: Game, quick: Quick) -> list[Table]:
    """The tables of the deals from the first on that are replayed quickly: all seats that these name are the table's."""
    seats = tuple([player.seat for player in record.players])
    if len(seats) not in game.players or len({*seats}) < len(seats):
        return []  # faults of form, which are told next
    pack, schedule = game.pack(len(seats)), game.cards(len(seats))
    tables: list[Table] = []
    past = Past(tables)
    for index, deal in enumerate(record.deals):
        table = laid(game, pack, seats, index, deal, record, schedule)
        table.past = past.upto(index)
        if not quick(table):
            break
        _kept(tables, table)
    return tables


def _kept(tables: list[Table], table: Table) -> None:
    """Keep a table whose deal is over; it looks back no more, since what holds itself is not freed when it is let go."""
    table.past = NO_PAST
    tables.append(table)


def verdict(record: Record, game: Game, tables: list[Table]) -> Verdict:
    """The verdict on a record whose deals have been replayed, at these tables and under the game's options."""
    doubts: dict[str, list[str]] = {}
    results = []
    carried = start(game, len(record.players), record.status != "excerpt" or not game.carries)
    for table in tables:
        result, carried = judge_deal(table, carried)
        results.append(result)
    findings, results, totals, winners = judge_game(record, game, tables, results, doubts)
    for phase in game.that("look_back"):
        phase.look_back(tables)
    findings += [fault for enclosed in game.enclosed for fault in enclosed.faults(record)]
    for table in tables:
        findings += table.findings
        for level, reasons in table.doubts.items():
            doubts.setdefault(level, []).extend(reasons)
    _sort(findings)
    told = levels(findings, doubts)
    return Verdict(record.id, record.game, dict(game.settings), told, tuple(findings), tuple(results), totals, winners)


def replay(
    record: Record,
    game: Game,
    trace: bool = False,
    quick: Quick | None = None,
    from_fault: bool = False,
    taken: Sequence[Table] | None = None,
    look: Look | None = None,
) -> list[Table]:
    """Replay every deal of a record; with `trace`, keep what the table saw of every play, with `from_fault` from a revoke on.

    `quick` and `look` as in `check`; `taken` are the tables of the first deals, where they have been replayed quickly as far as
    they can be.
    """
    tables = [*(taken or ())]
    if len(tables) == len(record.deals):  # where there are none, there may be more players than there is a pack for
        return tables
    seats = tuple([player.seat for player in record.players])
    pack, schedule, past = game.pack(len(seats)), game.cards(len(seats)), Past(tables)
    for index in range(len(tables), len(record.deals)):
        table = laid(game, pack, seats, index, record.deals[index], record, schedule)
        table.past = past.upto(index)
        tried = taken is not None and index == len(taken)
        _replay(table, None if tried else quick, trace, from_fault, look)
        _kept(tables, table)
    return tables


def _replay(table: Table, quick: Quick | None, trace: bool = False, from_fault: bool = False, look: Look | None = None) -> None:
    """Replay a deal at a new table, quickly if that can be."""
    if look is not None:
        table.findings = Watched(look)
    if quick is not None:
        if quick(table):
            return
        table.clear()
    table.trace, table.from_fault = [] if trace else None, from_fault
    _deal_out(table)
    if table.deal.status == "in_progress":  # what happened last shows by nothing that something before it was left out
        table.open_from = len(table.deal.events) - 1
    _take(table, len(table.deal.events))
    _close(table)


def replayed(
    record: Record,
    game: Game,
    index: int,
    deal: Deal,
    past: Past,
    trace: bool = False,
    quick: Quick | None = None,
    look: Look | None = None,
) -> Table:
    """One deal of a record, or another in its place, replayed at a table of its own.

    `past` are the tables of the deals before it, as far as they matter; `quick` and `look` as in `check`.
    """
    table = _set(record, game, index, deal)
    table.past = past
    _replay(table, quick, trace, look=look)
    return table


def judged(
    record: Record,
    game: Game,
    index: int,
    deal: Deal,
    past: Past,
    carried: Carried,
    trace: bool = False,
    quick: Quick | None = None,
    look: Look | None = None,
) -> Table:
    """The same, scored too: what is wrong with it is written down at its table; `carried` is what the seats bring."""
    table = replayed(record, game, index, deal, past, trace, quick, look)
    judge_deal(table, carried)
    return table


def before_play(record: Record, game: Game, index: int) -> Table:
    """The table of a deal as if it had ended when the first card was led; the hands are not looked at."""
    table = _set(record, game, index, record.deals[index])
    table.left = [0] * len(table.seats)
    events = table.deal.events
    _take(table, next((place for place, event in enumerate(events) if type(event) is Play), len(events)))
    _close(table)
    return table


def after_play(record: Record, game: Game, index: int, place: int) -> Table:
    """The table of a deal after one of its events, while more is to come."""
    table = _set(record, game, index, record.deals[index])
    _deal_out(table)
    _take(table, place + 1)
    return table


def _set(record: Record, game: Game, index: int, deal: Deal) -> Table:
    seats = tuple([player.seat for player in record.players])
    return laid(game, game.pack(len(seats)), seats, index, deal, record, game.cards(len(seats)))


def carried_into(record: Record, game: Game, index: int, verdict: Verdict) -> Carried:
    """What the seats bring into a deal from those before it, by the verdict on the record."""
    begun = start(game, len(record.players), record.status != "excerpt" or not game.carries)
    if not index or not game.carries:
        return begun
    before = verdict.deals[index - 1].carried
    return {seat: before.get(record.players[seat].seat) for seat in begun}


def laid(game: Game, pack: Pack, seats: tuple[str, ...], index: int, deal: Deal, record: Record, schedule: Any) -> Table:
    """A table for a deal, at which nothing has happened yet."""
    number = deal.number or index + 1
    place = number if deal.number is not None or record.status != "excerpt" else None
    return Table(game, pack, seats, index, deal, number, *expected_size(deal, len(seats), schedule, place, pack, game.aside))


def _deal_out(table: Table) -> None:
    """The cards: whether they add up, and who holds which."""
    game, deal, size = table.game, table.deal, table.size
    if deal.cards is not None:
        table.compare("DEA003", deal.cards, size, field="/cards", what="each hand")
    check_cards(table, game.aside(table.count, min(size, len(table.pack) // table.count)))
    take_hands(table)


def _take(table: Table, end: int) -> None:
    """What happens before the event of this number."""
    for phase in table.game.that("open"):
        phase.open(table)
    for place, event in enumerate(table.deal.events[:end]):
        take_event(table, place, event)


def take_event(table: Table, place: int, event: Any) -> None:
    """Event number `place` of the deal is taken by the phase whose it is."""
    take = table.game.taker(event)
    if take is None:
        what = f"announcement {event.what!r}" if event.do == "announce" else f"event {event.do!r}"
        table.fault("PLY007", place, seat=getattr(event, "by", None), what=what)
    else:
        take(table, place, event)


def begun(record: Record, game: Game, index: int, deal: Deal, past: Past) -> Table:
    """The table of a deal that is being played, after the events it has: what is not on record is still to come."""
    table = _set(record, game, index, deal)
    table.past = past
    _deal_out(table)
    table.play_on()
    _take(table, len(deal.events))
    return table


def _close(table: Table) -> None:
    """The deal is over: each phase says what is missing."""
    for phase in table.game.that("close"):
        phase.close(table)


def _option_place(facts: dict[str, Any]) -> str:
    return f"/options/{facts['option']}"


@lru_cache(MAX_REMEMBERED)
def _numbers(pointer: str) -> tuple[tuple[int, int | str], ...]:
    """A pointer's parts for sorting: numbers by value, before words."""
    return tuple((0, int(part)) if part.isdigit() else (1, part) for part in pointer.split("/")[1:])


def unreadable(findings: tuple[Finding, ...]) -> Verdict:
    """The verdict on something that could not be made out as a record."""
    doubts = {level: ["there is no record to check"] for level in list(LEVELS)[1:]}
    return Verdict(None, None, {}, levels(list(findings), doubts), findings)


def with_form(verdict: Verdict, findings: tuple[Finding, ...]) -> Verdict:
    """The verdict together with what was found wrong in the form of the record."""
    together = (*findings, *verdict.findings)
    doubts = {level.key: list(level.reasons) for level in verdict.levels}
    return verdict._replace(findings=together, levels=levels(list(together), doubts))


def retold(verdict: Verdict, findings: list[Finding]) -> Verdict:
    """The verdict with other findings; a level that only slips made look failed could not be checked there."""
    _sort(findings)
    doubts = {level.key: list(level.reasons) for level in verdict.levels}
    for finding in findings:
        if finding.because is not None and finding.severity == "error" and finding.level != "L2":
            doubts.setdefault(finding.level, []).append(f"deal {finding.deal}: {finding.because[0]} is to be put right first")
    return verdict._replace(findings=tuple(findings), levels=levels([f for f in findings if f.because is None], doubts))


def _sort(findings: list[Finding]) -> None:
    findings.sort(key=lambda finding: (_place(finding), _numbers(finding.pointer), finding.code))


def _place(finding: Finding) -> int:
    """The place of its deal in the record, whatever number it states; what is of no deal comes first."""
    return -1 if finding.deal_index is None else finding.deal_index


def _unplayable(record: Record, findings: list[Finding]) -> Verdict:
    """The verdict on a record whose deals cannot be replayed at all."""
    reason = "the game cannot be replayed as it is described"
    doubts = {level: [reason] for level in list(LEVELS)[2:]}
    return Verdict(record.id, record.game, record.options, levels(findings, doubts), tuple(findings))


def levels(findings: list[Finding], doubts: dict[str, list[str]]) -> tuple[Level, ...]:
    """The outcome of every level, by what was found and what could not be checked."""
    failed = frozenset([finding.level for finding in findings if finding.severity == "error"])
    outcome = _outcome if sum(map(len, doubts.values())) <= FEW else _outcome.__wrapped__
    return outcome(failed, tuple([(key, *reasons) for key, reasons in doubts.items()]))


@lru_cache
def _outcome(failed: frozenset[str], doubts: tuple[tuple[str, ...], ...]) -> tuple[Level, ...]:
    """All levels; `doubts` are their keys, each followed by its reasons."""
    reasons = {key: tuple(dict.fromkeys(why)) for key, *why in doubts}
    stands = {key: "failed" if key in failed else "not checkable" if reasons.get(key) else "passed" for key in LEVELS}
    return tuple(Level(key, cast(Status, status), reasons.get(key, ())) for key, status in stands.items())


def rules_of(game: Game) -> tuple[Fault | Rule, ...]:
    """Every rule of a game, its score lines' included, in rulebook order."""
    return tuple(sorted((*game.rules, *(line.rule for line in game.score)), key=lambda rule: rule.id))
