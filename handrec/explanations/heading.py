"""Slips in the heading of a record: the name of another game, two players in each other's place.

One word there puts all that stands below it in the wrong. So where much does not fit the heading, the record is judged under
each heading that is one slip away; if nearly nothing is wrong under one of them, that slip is told, and nobody is accused.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator
from functools import partial
from itertools import combinations, pairwise
from typing import Any, NamedTuple

from handrec import games, judging, referee
from handrec.allowance import Allowance
from handrec.cards import is_known
from handrec.explanations.acts import ACTS, HEADING, ROW, Act
from handrec.explanations.costs import LIFTED, FindingKey, key_of, takes_back
from handrec.findings import Finding, Verdict
from handrec.formats.untold import settled
from handrec.game import BrokenOff, Game
from handrec.record import Deal, Play, Record

#: What is found where a record is not of the game that it names, and how that is said.
STRANGE = {
    "FMT009": "it has no option {option}",
    "DEA001": "{card} is not in its pack",
    "PLY007": "it has no {what}",
    "BID002": "{bid} is none of its bids",
    "DEA003": "{what} holds {found} cards, not {due}",
    "DEA005": "{found} cards were dealt to each, not {due}",
    "DEA004": "it is not for {found} players",
    "FMT010": "its option {option} cannot be {value}",
    "FMT012": "it has no {found}",
}
#: What is found where players are not in the order in which they sat.
ASTRAY = ("FMT012", "BID001", "BID029", "DEA006", "PLY001", "PLY002", "PLY003", "PLY004", "REV001", "TRK001", "TRK003")
#: What is found where somebody stands among the players who does not play.
IDLE = ("BID006", "DEA001", "DEA003", "DEA004", "DEA005", "PLY003", "PLY005")
#: Of which one is enough to ask whether the game is another.
OF_GAME = ("DEA004", "DEA005", "FMT009", "PLY007")
#: Where fewer errors are told, there is no reason to doubt the heading; of another that was meant only one in so many is left.
MANY, LEFT = 2, 32
#: Under another heading a deal has at most some hundred errors; one with more than so many is no game's, and not judged again.
MOST = 256
#: Where more sit at a table only neighbours are tried in each other's place.
MANY_SEATS = 8
#: A pack is another one if so many of its cards are none of the game's, and they are at least one in so many of all.
FOREIGN, AMONG = 4, 6


class Heading(NamedTuple):
    """A heading that may have been meant: by which slip, where it differs, that in words, and what to write; `of` a record
    gives the record under it."""

    act: Act
    pointer: str
    words: str
    of: Callable[[Record], Record]
    meant: str | None = None


def misheaded(record: Record, game: Game, verdict: Verdict, told: Verdict, allowance: Allowance) -> Verdict | None:
    """The verdict with a slip in the heading, and all that is gone without it as its consequence; None if there is none.

    `told` is the verdict with slips in the deals told as such: where these explain what is wrong, the heading is right.
    Headings beyond the `allowance` are not tried.
    """
    errors, many = _errors(verdict), _things_told(verdict, [finding for finding in _errors(told) if finding.because is None])
    if many < MANY and not any(finding.code in OF_GAME for finding in errors):
        return None
    tried = [(heading, _errors(other)) for heading, other in _judged(record, game, verdict, errors, allowance) if other.deals]
    least = min((len(left) for _, left in tried), default=-1)
    likely = 0 <= least <= _most(verdict, len(errors), len(record.deals))
    if not likely or (verdict.deals and (least + 1) * MANY > many):
        return _of_another_pack(record, game, verdict)
    best = [(heading, left) for heading, left in tried if len(left) == least]
    words = " or ".join(dict.fromkeys(heading.words for heading, _ in best))
    rest = f"only {least} error{'s' * (least > 1)} would be left then" if least else "nothing would be wrong then"
    stay = {(finding.code, finding.pointer, finding.seat) for finding in best[0][1]}
    return _with_heading(verdict, best[0][0]._replace(words=f"{words}: {rest}"), stay)


def _things_told(verdict: Verdict, told: list[Finding]) -> int:
    """How many things are told: some rows of a deal that slid are one habit; nearly all may be of players out of order."""
    rows = Counter(finding.deal_index for finding in told if finding.code == ROW.code)
    habits = (many for place, many in rows.items() if place is not None and 4 * many <= 3 * verdict.deals[place].cards)
    return len(told) - sum(many - 1 for many in habits)


def _most(verdict: Verdict, errors: int, deals: int) -> int:
    """How many errors another heading may leave: few of those that there are, or where nothing was judged one in a deal."""
    return errors // LEFT if verdict.deals else deals


def _errors(verdict: Verdict) -> list[Finding]:
    return [finding for finding in verdict.findings if finding.severity == "error"]


def _with_heading(verdict: Verdict, heading: Heading, stay: set[tuple[str, str, str | None]]) -> Verdict:
    """The verdict with a slip in the heading, from which all follows but what stays without it."""
    act, what = heading.act, heading.words
    facts = {"act": act.key, "cost": act.cost, "or": [], "what": what, "meant": heading.meant, "others": ""}
    slip = Finding(HEADING, facts, heading.pointer)
    cause = slip.code, slip.pointer
    follow = [
        finding if (finding.code, finding.pointer, finding.seat) in stay else finding.following(cause)
        for finding in verdict.findings
    ]
    return referee.retold(verdict, [slip, *follow])


def _judged(
    record: Record, game: Game, verdict: Verdict, errors: list[Finding], allowance: Allowance
) -> Iterator[tuple[Heading, Verdict]]:
    """The verdict under each heading under which a deal that is in the wrong has nearly nothing wrong, alone as it stands."""
    judge = judging.Judge(games.find)
    lookers = ((STRANGE, 4, _of_other_games), (ASTRAY, 8, _of_players_exchanged), (IDLE, 4, _without_idle_player))
    for codes, often, headings in lookers:
        wrong = [finding for finding in errors if finding.code in codes]
        throughout = often
        if codes is STRANGE:
            sure = any(finding.code in OF_GAME for finding in wrong)
            throughout = 1 if sure else min(often, max(MANY, len(record.deals)))
        if len(wrong) < (throughout if verdict.deals else MANY if codes is ASTRAY else 1):
            continue
        index = next((finding.deal_index for finding in wrong if finding.deal_index is not None), 0)
        here = sum(finding.deal_index in (index, None) for finding in errors)
        if here > MOST:
            continue
        part = {"deals": record.deals[index : index + 1], "status": "excerpt", "claimed": None}
        alone = record.model_copy(update=part)
        for heading in headings(record, game, wrong):
            if not allowance.affords(alone.deals):
                return
            if _fits(judge, heading.of(alone), _most(verdict, here, 1)) and allowance.affords(record.deals):
                yield heading, judge.verdict(settled(heading.of(record))[0])


def _fits(judge: judging.Judge, record: Record, most: int) -> bool:
    """Whether no more errors than so many are in a record; once there are, nothing further of it is replayed."""
    found = set[FindingKey]()

    def look(finding: Finding) -> None:
        if finding.severity == "error" and finding.code != LIFTED:
            found.add(key_of(finding))
        if len(found) > most:
            raise BrokenOff

    try:
        return len(_errors(judge.verdict(record, None if takes_back(record.deals) else look))) <= most
    except BrokenOff:
        return False


def _of_other_games(record: Record, game: Game, wrong: list[Finding]) -> Iterator[Heading]:
    """Each other game, and what does not fit the record's own."""
    sign = min(wrong, key=lambda finding: [*STRANGE].index(finding.code))
    facts = {key: _shown(value) for key, value in sign.facts.items()}
    why = STRANGE[sign.code].format_map({"what": "each hand", **facts})
    for other in games.catalogue():
        if other.key != game.key and len(record.players) in other.players:
            words = f"{game.key} stands where {other.key} was played ({why})"
            yield Heading(ACTS["game"], "/game", words, partial(_named, other.key), other.key)


def _named(key: str, record: Record) -> Record:
    return record.model_copy(update={"game": key})


def _shown(value: Any) -> Any:
    return " ".join(map(str, value)) if isinstance(value, list | tuple) else value


def _of_players_exchanged(record: Record, game: Game, wrong: list[Finding]) -> Iterator[Heading]:
    """Two players in each other's place: each event is of the seat that it names, or of the one whose turn it then is."""
    seats = [player.seat for player in record.players]
    tried = {tuple(seats)}
    pairs = combinations(range(len(seats)), 2) if len(seats) <= MANY_SEATS else pairwise(range(len(seats)))
    for one, other in pairs:
        order = [*seats]
        order[one], order[other] = order[other], order[one]
        around = _circle(order, seats[0])
        if around in tried:  # they sit in the same order as in a heading that was tried
            continue
        tried.add(around)
        words = f"{seats[one]} and {seats[other]} stand in each other's place among the players, who sat as {' '.join(around)}"
        for in_turn in (False, True):
            yield Heading(ACTS["players"], "/players", words, partial(_seated, order, in_turn))


def _without_idle_player(record: Record, game: Game, wrong: list[Finding]) -> Iterator[Heading]:
    """The one player is left out who has no hand, and neither deals nor bids: plays in turn may be said to be that player's."""
    busy = {getattr(event, "by", None) for deal in record.deals for event in deal.events if type(event) is not Play}
    busy |= {seat for deal in record.deals for seat in (deal.dealer, deal.leader, *(deal.hands or ()))}
    idle = [player.seat for player in record.players if player.seat not in busy]
    if len(idle) == 1:
        order = [player.seat for player in record.players if player.seat not in idle]
        words = f"{idle[0]} stands among the players, and has no part in any deal"
        for in_turn in (False, True):
            yield Heading(ACTS["players"], "/players", words, partial(_seated, order, in_turn))


def _seated(order: list[str], in_turn: bool, record: Record) -> Record:
    """The record with its players in another order; with `in_turn`, who plays in turn by the old one does so by the new one."""
    place = {player.seat: player for player in record.players}
    changes: dict[str, Any] = {"players": [place[seat] for seat in order]}
    if in_turn:
        changes["deals"] = [deal.model_copy(update={"events": _in_order(deal, [*place], order)}) for deal in record.deals]
    return record.model_copy(update=changes)


def _circle(seats: list[str], start: str) -> tuple[str, ...]:
    """An order of seats around a table, from one seat on."""
    first = seats.index(start)
    return (*seats[first:], *seats[:first])


def _in_order(deal: Deal, seats: list[str], order: list[str]) -> list[Any]:
    """The events of a deal, of which those in turn by one order of the seats are in turn by another, from the same seat on."""
    left = {seat: seats[(place + 1) % len(seats)] for place, seat in enumerate(seats)}
    left_then = {seat: order[(place + 1) % len(order)] for place, seat in enumerate(order)}
    events, row = list[Any](), list[str]()
    for event, before in zip(deal.events, (None, *deal.events), strict=False):
        if type(event) is not Play or event.by not in left:
            events.append(event)
            row = []
            continue
        goes_on = bool(row) and row[-1] in left_then and len(row) < len(order)  # nobody follows one who is not in the order
        in_turn = type(before) is Play and goes_on and event.by == left[str(before.by)]
        row = [*row, left_then[row[-1]]] if in_turn else [event.by]
        events.append(event.model_copy(update={"by": row[-1]}))
    return events


def _of_another_pack(record: Record, game: Game, verdict: Verdict) -> Verdict | None:
    """The verdict with the pack told as another than the game's; None if its cards are the game's, but for a few."""
    wrong = [finding for finding in verdict.findings if finding.code == "DEA001"]
    foreign = sorted({str(finding.facts["card"]) for finding in wrong})
    if len(foreign) < FOREIGN:
        return None
    cards = {card for deal in record.deals for card in _cards(deal)}
    if len(foreign) * AMONG < len(cards):
        return None
    many = f"{len(foreign)} of its {len(cards)} cards are not in the pack of {game.key}"
    words = f"{many} ({' '.join(foreign[:FOREIGN])} …): the game is another, or its cards are written otherwise"
    return _with_heading(verdict, Heading(ACTS["game"], "/game", words, partial(_named, game.key)), set())


def _cards(deal: Deal) -> Iterator[str]:
    """The known cards of a deal, wherever they stand."""
    for group in (*(deal.hands or {}).values(), *(deal.aside or {}).values(), deal.pack or ()):
        yield from filter(is_known, group)
    yield from (event.card for event in deal.events if type(event) is Play and is_known(event.card))
