"""Cases: from a deal that was replayed, and from any small pack."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from typing import TypedDict

from handrec.cards import UNKNOWN, Order, Pack, fits, is_known
from handrec.findings import Rule
from handrec.game import Game, Sight, Table
from handrec.game.playing import Playing, Seen
from handrec.inference.case import DealCase, Observation, Tiers, tiers


def observed(table: Table) -> DealCase:
    """The case of a deal that was replayed with its trace: what its table saw, card by card.

    Hands that neither are recorded nor follow from the cards played are no part of it. `doubts` say what cannot be judged.
    """
    assert table.trace is not None, "the deal was replayed without its trace"
    sizes = {seat: table.quota[place] for place, seat in enumerate(table.seats)}
    whole = {seat: table.hands[place] for place, seat in enumerate(table.seats[: table.count]) if table.whole[place]}
    hands = {seat: hand for seat, hand in whole.items() if hand.bit_count() == sizes[seat]}
    events = tuple(_events(table, hands))
    open_ = [event for event in events if event.kind == "play" and not event.judged]
    doubts = [f"whether {event.seat}'s card to trick {event.trick} was legal cannot be judged" for event in open_]
    doubts = [*_missing(table, hands), *doubts, *filter(None, [table.stopped])]
    return DealCase(table.pack, table.pack.full, sizes, events, hands, tuple(doubts))


def _missing(table: Table, hands: Mapping[str, int]) -> Iterator[str]:
    """What the table knew and the record does not tell, or not for certain."""
    if not table.sized and table.deal.number is None and not isinstance(table.game.cards(table.count), int):
        most = ", the most there can be" if table.unsized else ""
        yield f"how many cards were dealt to each is not recorded: taken to be {table.size}{most}"
    proxy = table.game.proxy(table) if table.trace else None
    if proxy is not None and table.seats[proxy[1]] not in hands:
        yield f"dummy's hand, {table.seats[proxy[1]]}'s, lay open but is not recorded"


def _events(table: Table, hands: Mapping[str, int]) -> Iterator[Observation]:
    """What shows cards in a deal, in the order in which it happened."""
    trace, played = table.trace or [], 0
    stock = sum(table.quota) < len(table.pack)
    unread = {seen.seat for seen in trace if seen.card < 0}
    others = [(place, event) for place, event in enumerate(table.deal.events) if event.do in ("turn", "bid")]
    unrecorded = [] if any(event.do == "turn" for _, event in others) or not stock else list(table.turned)
    bidding, turning = table.game.phase_of.get("bid"), table.game.phase_of.get("turn")
    proxy = table.game.proxy(table) if trace else None
    for number, seen in enumerate([*trace, None]):
        before = len(table.deal.events) if seen is None else seen.place
        while others and before is not None and others[0][0] < before:
            place, event = others.pop(0)
            if event.do == "turn":
                yield from [_turned(table.pack, event.card, place)] * stock
            elif bidding is not None and (groups := bidding.promised(table, event)):
                if table.place_of[event.by] not in unread:
                    yield Observation("promise", event.by, groups=groups, place=place)
        due = 1 if turning is None else turning.lying_open(table, seen.trick if seen else table.size + 1)
        while unrecorded and due > len(table.turned) - len(unrecorded):
            yield _turned(table.pack, unrecorded.pop(0))
        if seen is not None:
            yield _played(table, seen, played)
            played |= 1 << seen.card if seen.card >= 0 and not seen.withdrawn else 0
        if number == 0 and proxy is not None and table.seats[proxy[1]] in hands:
            yield Observation("open", table.seats[proxy[1]], hands[table.seats[proxy[1]]])


def _turned(pack: Pack, token: str, place: int | None = None) -> Observation:
    """A card of the stock that is faced."""
    return Observation("turn", None, _meant(pack, token), unseen=not is_known(token), place=place)


def _meant(pack: Pack, token: str) -> int:
    """The cards that a token can stand for; all of them, if it is foreign to the pack."""
    return sum(1 << bit for bit, card in enumerate(pack.cards) if fits(card, token)) or pack.full


def _played(table: Table, seen: Seen, played: int) -> Observation:
    """A play, with the cards that would have made it illegal."""
    seat, unread = table.seats[seen.seat], seen.card < 0
    cards = _meant(table.pack, seen.token) if unread else 1 << seen.card
    barred: Tiers | None = None
    if seen.seat in table.free:
        barred = ()
    elif seen.view is not None and not unread:
        barred = tiers(table.game.play_rules, seen.view, seen.card, table.pack.full & ~played)
    kind = "open" if seen.withdrawn else "play"
    return Observation(kind, seat, cards, barred, unseen=unread, place=seen.place, trick=seen.trick)  # type: ignore[arg-type]


def small(
    plays: Iterable[tuple[str | None, str] | Observation],
    *,
    seats: Sequence[str],
    hand: int | Mapping[str, int],
    rules: Sequence[Rule],
    order: Order | Callable[[int], Order],
    settled: Callable[[int], Order] | None = None,
    cards: Iterable[str] | None = None,
    hands: Mapping[str, Iterable[str]] | None = None,
    free: Iterable[str] = (),
    turns: Callable[[int], int] | None = None,
) -> DealCase:
    """A case of any pack, however small: `cards` (all of the order's pack if not given), `hand` of them dealt to each seat.

    `plays` are (seat, card) in time order; (None, card) is a card of the stock that is faced; an `Observation` stands for itself.
    `rules` narrow what may be played, in order of precedence, as a game's `play_rules` do; `order` gives suits and ranks of
    each trick, `settled` those that hold when it is over, if they differ. `hands` as dealt are for the views that know them.
    No rule binds the seats in `free`. `turns(trick)` is how many cards a trick has, one of each seat if not given. KeyError
    for a card that is not in the order's pack.

    >>> from handrec.games.bridge import GAME as bridge
    >>> sight = Sight((), "S", 1, 0)
    >>> case = small([("N", "AH"), ("E", "2C")], seats="NE", hand=2, rules=bridge.play_rules, order=bridge.order(sight),
    ...              cards="AH KH 2C 3C".split())
    >>> from handrec.inference.position import Position
    >>> Position(case, 2).verdict(1)
    'consistent'
    """
    every = order if callable(order) else lambda trick: order
    pack, sizes = every(1).pack, dict(hand) if isinstance(hand, Mapping) else dict.fromkeys(seats, hand)
    whole = pack.full if cards is None else pack.mask(cards)
    play, events, played = Playing(None), list[Observation](), 0
    play.open([])
    for each in plays:
        if isinstance(each, Observation):
            events.append(each)
            continue
        seat, token = each
        if seat is None:
            events.append(_turned(pack, token))
            continue
        if len(play.plays) == (turns(play.number) if turns else len(seats)):
            trumps = (settled or every)(play.number).trumps
            play.broken = play.broken or any(trumps >> card & 1 for _, _, card in play.plays)
            play.number += 1
            play.open([])
        play.order = every(play.number)
        play.view.trumps = play.order.trumps
        card = pack.mask([token]).bit_length() - 1
        barred = () if seat in free else tiers(tuple(rules), play.view, card, whole & ~played)
        events.append(Observation("play", seat, 1 << card, barred, trick=play.number))
        play.plays.append((seats.index(seat), token, card))
        play.put(card)
        played |= 1 << card
    known = {seat: pack.mask(dealt) for seat, dealt in (hands or {}).items()}
    return DealCase(pack, whole, sizes, tuple(events), known)


class Terms(TypedDict):
    """What `small` has to know of a game."""

    rules: tuple[Rule, ...]
    order: Callable[[int], Order]
    settled: Callable[[int], Order]


def by_game(
    game: Game, *, contract: str | None = None, turned: Sequence[str] = (), undealt: int = 1, players: int | None = None
) -> Terms:
    """The `rules`, `order` and `settled` of a game under its options: `small(plays, ..., **by_game(game, contract="H"))`.

    `contract` and `turned` decide trumps and ranks as they do in the game's records: the cards turned, in their order, and what
    was called, with or without its number. ValueError for a trick of which they do not tell.
    """
    many, called = game.players[0] if players is None else players, contract and contract.lstrip("0123456789")

    def known(trick: int, done: bool) -> Order:
        found = game.order(Sight(tuple(turned), called, trick, undealt, done, many))
        if found is None and done:
            return known(trick, False)  # what only the end of the trick would tell
        if found is None:
            raise ValueError(f"suits and ranks of trick {trick} are not known from {contract} and {' '.join(turned) or UNKNOWN}")
        return found

    return {
        "rules": game.play_rules,
        "order": lambda trick: known(trick, False),
        "settled": lambda trick: known(trick, True),
    }
