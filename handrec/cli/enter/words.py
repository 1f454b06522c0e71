"""What is said at the table: whose turn it is, what may come, the trick, what was wrong, the scores; lines of 80 columns."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from handrec import games, referee
from handrec.cli.enter.lines import kinds, next_deal, trick
from handrec.findings import Finding, PlayedTrick
from handrec.live import Legal, LiveTable
from handrec.report.layout import WIDTH, counted, wrapped
from handrec.report.people import People, cure, listed
from handrec.report.safe import MESSAGE, columns, safe
from handrec.report.scorecard import scorecard
from handrec.report.sheet import sheet_text

HELP = """\
What may be typed:
  9C            a card of whoever's turn it is; several in a row: 9C TC KC AC
  3             likewise a bid, in the words of the game; N 3 E 4 with seats
  E 9C          a card of another seat; 3 E 9C with the number of the trick
  turn QD       a card turned up; all else as in a file, such as
                hand N AS KS, claim N  N 3 E 0, accuse N of E trick 2,
                tricks N 4 E 3, scores N 10 E -1, status stopped
  9C!           a doubt about a card; so too ! or ! TEXT after it
  # TEXT        a comment on what happened last
  undo          takes back what was typed last, again and again
  ?             what may come now       table   the trick so far, the bids
  score         the scores              end     the game ends here
  save          writes the file; save NAME writes another, and goes on in it
  quit          leaves; the file stays, and enter goes on with it
More: handrec help enter, handrec help notation, handrec explain """


def lines(text: str, start: str = "", indent: int | None = None) -> Iterator[str]:
    """A text in lines of at most 80 columns; a word that is longer is cut."""
    for line in wrapped(start, [text], "", indent, breaks=True):
        while columns(line) > WIDTH:
            head = line[:WIDTH]
            while columns(head) > WIDTH:
                head = head[:-1]
            yield head
            line = line[len(head) :]
        yield line


def people_at(table: LiveTable) -> People:
    """Who sits where; cards are said as they are typed."""
    return People(table.stated, signs=False)


def due(table: LiveTable, legal: Legal) -> str:
    """Whose turn it is, and what is expected."""
    people = people_at(table)
    if legal.over:
        return "The game is over."
    if legal.deal:
        return _to_deal(table, people)
    who = listed([people.first[seat] if seat in people.first else safe(seat) for seat in legal.turn])
    offered = kinds(legal)
    if "play" in offered:
        return f"{'A card is to be turned up, or ' * ('turn' in offered)}{who} {_to_play(table)}"
    if "bid" in offered:
        several = f", in any order; a bid alone is {people.first[legal.turn[0]]}'s" if len(legal.turn) > 1 else ""
        return f"{who} to bid{several}"
    if "turn" in offered:
        return "A card is to be turned up"
    if offered:
        return f"{who}: {' or '.join(_word(what) for what in offered)}"
    turned = "a card is turned up, or " if "turn" in table.game.phase_of else ""
    return f"Whose turn it is cannot be told: {turned}name the seat, as in {table.seats[0]} 9C"


def _to_deal(table: LiveTable, people: People) -> str:
    """Who deals next, and what is to be typed then."""
    deal, schedule = next_deal(table), table.game.cards(len(table.seats))
    number, dealer = deal.get("number"), deal.get("dealer")
    cards = schedule[number - 1] if isinstance(schedule, tuple) and number and number <= len(schedule) else None
    what = f"Deal {number}" if number else "A deal"
    what += f", {counted(cards, 'card')} each" if cards else ""
    if dealer is None:
        return f"{what}: who deals? A seat ({' '.join(table.seats[:12])}) or a name; Enter if nobody knows"
    return f"{what}, dealt by {people.first[dealer]}: Enter, or the seat that deals"


def _to_play(table: LiveTable) -> str:
    number, plays = trick(table)
    return f"to play to trick {number}, led: {safe(plays[0][1])}" if plays else f"to lead to trick {number}"


def _word(what: str) -> str:
    return safe(what).replace("_", " ")


def may_come(table: LiveTable) -> Iterator[str]:
    """What may come next, in lines."""
    people, legal = people_at(table), table.legal()
    if legal.deal:
        yield "The next deal may begin."
    groups: dict[tuple[str, str], list[str]] = {}
    for event in legal.events:
        what = _word(event.what) if event.do == "announce" else event.do
        what = "blind" if what == "bid" and event.blind else what  # as it is typed
        named = [getattr(event, field, None) for field in ("card", "bid")]
        groups.setdefault((event.by or "", what), []).extend(str(value) for value in named if value is not None)
    for (seat, what), values in groups.items():
        who = f"{people.first.get(seat, safe(seat))}: " if seat else ""
        yield from lines(f"{who}{what} {' '.join(values)}".rstrip(), indent=4)
    for what, why in (("play", "the hand is not recorded"), ("turn", "which lies there is not known")):
        cards = [event.card for event in legal.untold if event.do == what]
        who = f"{people.first.get(legal.turn[0], '')}: " if what == "play" and legal.turn else ""
        if cards:
            yield from lines(f"{who}{what} perhaps one of these, {why}: {' '.join(cards)}", indent=4)
    if legal.besides:
        yield from lines(f"At any time: {', '.join(kind.removeprefix('announce:') for kind in legal.besides)}", indent=4)


def on_table(table: LiveTable) -> Iterator[str]:
    """The bids, what lies turned up, the tricks won, and the trick so far."""
    people, playing, deal = people_at(table), table.playing, table.deal
    if playing is None or deal is None:
        yield "No deal has begun."
        return
    dealer = f", dealt by {people.first[deal.dealer]}" if deal.dealer in people.first else ""
    yield from lines(f"Deal {playing.number}, {playing.size} cards each{dealer}")
    bids = [
        f"{people.first[event.by]} {safe(event.bid)}" for event in deal.events if event.do == "bid" and event.by in people.first
    ]
    if bids:
        yield from lines(", ".join(bids), "Bids: ", 4)
    if playing.turned:
        yield from lines(" ".join(map(safe, playing.turned)), "Turned up: ", 4)
    won = {seat: many for seat, many in zip(table.seats, playing.won, strict=False) if many}
    if won:
        yield from lines(", ".join(f"{people.first[seat]} {many}" for seat, many in won.items()), "Tricks won: ", 4)
    number, plays = trick(table)
    told = ", ".join(f"{people.first.get(seat, safe(seat))} {safe(card)}" for seat, card in plays) or "nothing yet"
    yield from lines(told, f"Trick {number}: ", 4)


def wrong(table: LiveTable, findings: Iterable[Finding]) -> Iterator[str]:
    """What is wrong, in the words in which a record is checked: the sentence, the rule, the cure."""
    people = people_at(table)
    for finding in findings:
        kind = "" if finding.severity == "error" else "Note: "
        yield from lines(kind + people.sentence(finding))
        if finding.rule:
            yield from lines(f'"{safe(finding.fault.sentence, MESSAGE)}" ({safe(finding.rule)})', "  Rule: ", 4)
        if better := cure(finding, people.record):
            yield from lines(better, "  Cure: ", 4)


def taken(table: LiveTable, played: PlayedTrick) -> Iterator[str]:
    """Who took a trick, if that is known."""
    if played.winner is not None:
        people = people_at(table)
        yield from lines(f"Trick {played.number} goes to {people.first.get(played.winner, safe(played.winner))}.")


def standing(table: LiveTable) -> Iterator[str]:
    """The scores of the deal that is over, and the totals as they stand, a line for each."""
    card = scorecard(table.record, referee.check(table.record, games.find))
    last = [line for line in card.lines if line.kind != "total"]
    number = last[-1].deal if last else None
    ended = [line for line in last if line.deal == number]
    people = people_at(table)
    yield f"Deal {number} is over."
    for seat, name in card.players.items():
        bid, tricks, points, total = ended[0].shares[seat]
        if len(ended) > 1:
            total = ended[-1].shares[seat][3]
        parts = [f"bid {bid.show()}"] if bid.due is not None and bid.due != "" else []
        parts += [f"tricks {tricks.show()}", f"points {points.show('+')}", f"total {total.show()}"]
        yield from lines(f"{people.first.get(seat, name)}: {', '.join(parts)}", "  ", 4)
    yield from (line for ending in card.ending for line in lines(ending))


def scores(table: LiveTable) -> Iterator[str]:
    """The scorecard so far."""
    if not table.stated.deals:
        yield "No deal has begun."
        return
    record = table.record
    yield from sheet_text(record, referee.check(record, games.find)).rstrip("\n").split("\n")
