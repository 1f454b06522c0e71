"""The straight lane: tricks in which nothing strays are taken at one stroke, by the rules that judge every other play."""

from __future__ import annotations

from collections.abc import Callable

from handrec.game.playing import Playing
from handrec.game.table import Table, Vouched
from handrec.record import Play


def lies_plain(table: Table) -> bool:
    """Whether all hands are known and all cards played, each once and by a seat that is named: it is plain whose each is."""
    exact = not (table.trace is not None or table.free or table.unnamed)
    return exact and all(table.whole) and not any(map(table.short, range(table.count)))


def straight(table: Table, play: Playing, place: int, follows: Callable[[Table, Playing], bool]) -> bool:
    """Take the tricks that begin at an event as long as their plays follow one another, in turn, held and legal.

    `follows` turns from a trick that is over to the next, if nothing need come between. If not even one trick could be taken,
    nothing has happened, and False is returned: then whoever looks at every play by itself must find out why.
    """
    events, left, seats, index, narrows = table.deal.events, table.left, table.seats, table.pack.index, table.game.narrows
    view, begun = play.view, place
    while True:
        order, turns = play.order, play.waiting
        trick = events[place : place + len(turns)]
        if order is None or not (turns and play.clear) or play.number > table.size or len(trick) < len(turns):
            break
        plays: list[tuple[int, str, int]] = []
        suit, beats, best, rising = order.suit, order.beats, -1, 0
        for seat, event in zip(turns, trick, strict=True):
            if type(event) is not Play or event.by != seats[seat] or event.unordered:
                break
            if event.trick is not None and (plays or event.trick != play.number):
                break
            card = index.get(event.card, -1)
            view.hand = legal = left[seat]
            for narrow in narrows:
                legal = narrow(view, legal)
            if card < 0 or not legal >> card & 1:
                break
            plays.append((seat, event.card, card))
            if best < 0:
                best, view.rising = card, (rising := beats[card])
                view.lead, view.led, view.leading = 1 << card, suit[card], False
            elif rising >> card & 1:
                best, view.rising = card, (rising := beats[card])
        else:
            for seat, _, card in plays:
                left[seat] ^= 1 << card
                play.seen[card] = (seat, play.number)
            if trick[0].trick is not None:  # type: ignore[union-attr]  # they are all plays
                play.row = play.row_due = play.number
            places = [*range(place, place + len(turns))]
            play.plays, play.places, play.waiting, play.best = plays, places, [], best
            table.upto = place = place + len(turns)
            if place < len(events) and type(events[place]) is Play and follows(table, play):
                continue
            return True
        play.clear_view()
        break
    return place > begun


def lay(table: Table, vouched: Vouched, place: int) -> None:
    """Lay down all tricks of a deal whose plays are vouched for; they begin at an event, and follow one another."""
    table.tricks, table.won, table.counted = list(vouched.tricks), list(vouched.won), True
    events, table.upto = table.deal.events, place + len(vouched.tricks) * table.count
    table.besides = [*enumerate(events[:place]), *enumerate(events[table.upto :], table.upto)]
    table.state = Playing(None)
    table.state.number = len(vouched.tricks) + 1
