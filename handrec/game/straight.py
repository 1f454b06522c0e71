"""The straight lane: a trick in which nothing strays is taken at one stroke, by the rules that judge every other."""

from __future__ import annotations

from handrec.game.playing import Playing
from handrec.game.table import Table
from handrec.record import Play


def lies_plain(table: Table) -> bool:
    """Whether all hands are known and all cards played, each by a seat that says so and once: no play asks for detective work."""
    exact = not (table.trace is not None or table.free or table.unnamed or table.twice)
    return exact and all(table.whole) and not any(map(table.short, range(table.count)))


def straight(table: Table, play: Playing, place: int) -> bool:
    """Take the trick that begins at an event if its plays follow one another, in turn, held and legal.

    If not, nothing has happened, and False is returned: then whoever looks at every play by itself must find out why.
    """
    turns, order, view, left = play.waiting, play.order, play.view, table.left
    end = place + len(turns)
    events = table.deal.events[place:end]
    if order is None or not (turns and play.clear) or len(events) < len(turns) or play.number > table.size:
        return False
    seats, index, narrows, beats = table.seats, table.pack.index, table.game.narrows, order.beats
    plays, best, rising = [], -1, 0
    for seat, event in zip(turns, events, strict=True):
        if type(event) is not Play or event.by != seats[seat]:
            break
        token = event.card
        card = index.get(token, -1)
        view.hand = legal = left[seat]
        for narrow in narrows:
            legal = narrow(view, legal)
        if card < 0 or not legal >> card & 1:
            break
        plays.append((seat, token, card))
        if best < 0:
            view.lead, view.led, view.leading = 1 << card, order.suit[card], False
            best, view.rising = card, beats[card]
            rising = view.rising
        elif rising >> card & 1:
            best = card
            view.rising = rising = beats[card]
    else:
        for seat, _, card in plays:
            left[seat] ^= 1 << card
            play.seen[card] = (seat, play.number)
        play.plays, play.places, play.waiting, play.best, table.upto = plays, [*range(place, end)], [], best, end
        return True
    play.clear_view()
    return False
