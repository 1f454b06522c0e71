"""`Game`: a game as a value. Options are functions from game to game, applied in the order of the catalogue."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, fields, replace
from functools import cached_property, lru_cache
from itertools import product
from typing import TYPE_CHECKING, Any, NamedTuple

from handrec import rulebook
from handrec.cards import Order, Pack
from handrec.findings import Citation, Finding, Rule, Work
from handrec.game.phase import Phase
from handrec.game.views import TrumpView
from handrec.masks import Mask, Truth, when
from handrec.record import KINDS, Record
from handrec.sides import side_of

if TYPE_CHECKING:
    from handrec.game.table import Table


#: So many bids that break no rule are remembered.
MOST_FAIR = 10_000


class Sight(NamedTuple):
    """What decides suits and ranks in a trick.

    The cards turned so far, the contract, the trick's number, how many cards were not dealt; `done` when everybody has
    played to the trick and it is to be settled who won it; how many play.
    """

    turned: tuple[str, ...]
    contract: str | None
    trick: int
    undealt: int
    done: bool = False
    players: int = 0


@dataclass(frozen=True)
class Statement:
    """A sentence of the rules that defines or permits, and so cannot be broken by itself."""

    id: str
    sentence: str
    citation: Citation


@dataclass(frozen=True)
class Case:
    """The `narrow` of a rule for one case of several: `where` it holds, `what` is left, elsewhere all.

    The rules of a code that leave the same cards, each in its case, stand side by side: so they are asked for once.
    """

    what: Callable[[Any, Mask], Mask]
    where: Callable[[Any], Truth]

    def __call__(self, view: Any, legal: Mask) -> Mask:
        """The cards that are left."""
        return when(self.where(view), self.what(view, legal), legal)


@dataclass(frozen=True)
class Shared(Rule):
    """What several rules of a game demand, each in its case."""

    cases: tuple[Rule, ...] = ()

    def case(self, view: Any) -> Rule:
        """The rule whose case it is."""
        return next(rule for rule in self.cases if isinstance(rule.narrow, Case) and rule.narrow.where(view))


@dataclass(frozen=True)
class Line:
    """One line of a hand's score, with the rule it comes from. With `kind` it concerns only bids of that kind."""

    key: str
    rule: Rule
    points: Callable[[Any], Any]
    kind: str | None = None


@dataclass(frozen=True)
class Carry:
    """A number that goes with a player from deal to deal, such as overtricks so far.

    `step(view)` gives it after a hand, from the same view that the score sees, in which it stands under its key as it
    was before. `values` are all it can be where the deals before are not on record.
    """

    key: str
    step: Callable[[Any], Any]
    values: tuple[int, ...]
    start: int = 0


@dataclass(frozen=True)
class Perhaps:
    """A fact that the record does not tell: all that it can be. A score then is what all of them agree on.

    Without values, there is no score.
    """

    values: tuple[Any, ...]


class Enclosed(NamedTuple):
    """What a record may bring with it besides its deals: whether it is `there`, and what is wrong with it."""

    there: Callable[[Record], bool]
    faults: Callable[[Record], tuple[Finding, ...]]


@dataclass(frozen=True)
class Standings:
    """How a game stands after a deal: the totals of all seats, and what they carry, by seat in order."""

    totals: tuple[int, ...]
    carried: Mapping[str, tuple[int, ...]]
    deals: int


class Notation(NamedTuple):
    """How a game is typed: lines as they may be written, each with what it says, and a small record in which nothing is wrong.

    Where a game gives none, a record is dealt for it.
    """

    lines: tuple[tuple[str, str], ...] = ()
    example: str = ""


#: The notation of a game that says nothing of it.
UNTOLD = Notation()


@dataclass(frozen=True)
class Option:
    """A choice that a table makes before it plays: named values, or any value that `accepts` takes, as `form` says."""

    key: str
    default: Any
    sentence: str
    citation: Citation
    apply: Callable[[Game, Any], Game]
    choices: tuple[Any, ...] = ()
    accepts: Callable[[Any], bool] | None = None
    form: str = ""
    examples: tuple[Any, ...] = ()  # of what `accepts` takes
    excludes: frozenset[str] = frozenset()
    requires: frozenset[str] = frozenset()  # options of which one must be chosen too
    variant: bool = False  # it makes another game of it, and so is no way to read the rules of this one

    def allows(self, value: Any) -> bool:
        """Whether a value of the record is one of this option's."""
        if self.accepts is not None:
            return self.accepts(value)
        return any(type(value) is type(choice) and value == choice for choice in self.choices)

    @property
    def values(self) -> tuple[Any, ...]:
        """The values it may have by name, and examples of the others."""
        return self.choices + self.examples

    @property
    def allowed(self) -> str:
        """The values it may have, in words."""
        return self.form or ", ".join(str(choice).lower() if isinstance(choice, bool) else str(choice) for choice in self.choices)


def one_by_one(players: int, cards: int) -> Sequence[int]:
    """Dealing one card at a time: for each card of the pack the seat that gets it, counted from the dealer's left."""
    return [seat for _ in range(cards) for seat in range(players)]


def highest_total(standing: Standings) -> tuple[int, ...]:
    """The places of the highest total; equal totals share."""
    return tuple(place for place, total in enumerate(standing.totals) if total == max(standing.totals))


def lowest_total(standing: Standings) -> tuple[int, ...]:
    """The places of the lowest total; equal totals share."""
    return tuple(place for place, total in enumerate(standing.totals) if total == min(standing.totals))


def reached(points: int) -> Callable[[Standings], bool]:
    """Whether somebody has so many points."""
    return lambda standing: max(standing.totals) >= points


def nobody(standing: Standings) -> tuple[int, ...]:
    """Who wins is not told by one table."""
    return ()


def as_they_stand(standing: Standings) -> tuple[int, ...]:
    """The totals count in the end as they are."""
    return standing.totals


def never(standing: Standings) -> bool:
    """A game that no score ends."""
    return False


@dataclass(frozen=True, repr=False)
class Game:
    """A game, whole: pack, deal, phases, ranks, rules, score, end, options.

    `cards(players)` is the schedule: the cards a hand of each deal of the game in turn, or one number if every deal is
    alike and the game's length is free. `aside(players, cards)` names the cards not dealt and says how many they are.
    `dealing(players, cards)` says to which seat, counted from the dealer's left, each card of the pack goes in turn, -1
    for the table; the rest lies aside, in the order of `aside`. Where that hangs on who deals, `placing(seats, dealer, cards)`
    says it instead, or nothing if it is not known. `order(sight)` gives suits and ranks of a trick, None
    while they cannot be known. `extras` are seats that no player has, such as a hand that is turned up card by card.
    `partners`: those who sit opposite each other play together: they score by what their tricks come to together, each as many
    points, and not by bids of their own. `unfinished` are the totals of a game that is left before its end.
    """

    key: str
    title: str
    summary: str
    source: Work
    players: tuple[int, ...]
    pack: Callable[[int], Pack]
    cards: Callable[[int], tuple[int, ...] | int]
    aside: Callable[[int, int], Mapping[str, int]]
    phases: tuple[Phase, ...]
    order: Callable[[Sight], Order | None]
    rules: tuple[Rule, ...]
    definitions: tuple[Statement, ...] = ()
    score: tuple[Line, ...] = ()
    carries: tuple[Carry, ...] = ()
    over: Callable[[Standings], bool] = never
    winners: Callable[[Standings], tuple[int, ...]] = highest_total
    final: Callable[[Standings], tuple[int, ...]] = as_they_stand
    unfinished: Callable[[Standings], tuple[int, ...]] = as_they_stand
    dealing: Callable[[int, int], Sequence[int]] = one_by_one
    placing: Callable[[Sequence[str], int, int], Sequence[int]] | None = None
    options: tuple[Option, ...] = ()
    extras: tuple[str, ...] = ()
    partners: bool = False
    rotates: bool = True  # the deal passes to the left
    redealt: bool = False  # by whoever dealt, if nobody undertook anything
    tie_break: bool = False  # those who have won together may play off for it
    enclosed: tuple[Enclosed, ...] = ()
    notation: Notation = UNTOLD
    settings: Mapping[str, Any] = field(default_factory=dict)

    def __repr__(self) -> str:
        return f"<Game {self.key}{''.join(f' {name}={value}' for name, value in self.settings.items())}>"

    def dealt(self, seats: Sequence[str], dealer: int, cards: int) -> Sequence[int]:
        """To which seat, counted from the dealer's left, each card of the pack goes; nothing if that is not known."""
        return self.placing(seats, dealer, cards) if self.placing is not None else self.dealing(len(seats), cards)

    def sides(self, seats: Sequence[str]) -> Mapping[str, tuple[int, ...]]:
        """The places of those who play together, by what their side is called (`NS`); none in a game without partners."""
        return _sides(tuple(seats)) if self.partners else {}

    @cached_property
    def play_rules(self) -> tuple[Rule, ...]:
        """What narrows the cards that may be played, in order of precedence; rules for cases of one demand count as one."""
        found: list[Rule] = []
        for rule in self.rules:
            if not isinstance(rule.narrow, Case):
                found += [rule] if rule.narrow is not None else []
            elif found and isinstance(last := found[-1], Shared) and last.narrow is rule.narrow.what:
                found[-1] = replace(last, cases=(*last.cases, rule))
            else:
                same = {each.name: getattr(rule, each.name) for each in fields(Rule)} | {"narrow": rule.narrow.what}
                found.append(Shared(**same, cases=(rule,)))
        return tuple(found)

    @cached_property
    def narrows(self) -> tuple[Callable[[Any, Any], Any], ...]:
        """What the play rules leave of the cards that may be played, each in its turn."""
        return tuple(rule.narrow for rule in self.play_rules if rule.narrow is not None)

    def order_throughout(
        self, turned: tuple[str, ...], contract: str | None, undealt: int, players: int, size: int
    ) -> tuple[Order | None, ...]:
        """The order, by itself, if it is the same in every trick of such a deal, begun or done; else nothing."""
        key = turned, contract, undealt, players, size
        if key not in self._throughout:
            if len(self._throughout) == 10_000:
                self._throughout.clear()
            first, *others = (
                self.order(Sight(turned, contract, trick, undealt, done, players))
                for trick in range(1, size + 1)
                for done in (False, True)
            )
            self._throughout[key] = (first,) if all(other is first for other in others) else ()
        return self._throughout[key]

    @cached_property
    def _throughout(self) -> dict[Any, tuple[Order | None, ...]]:
        return {}

    @cached_property
    def reckoned(self) -> dict[tuple[Any, ...], Any]:
        """What hands score, by all that it hangs on."""
        return {}

    @cached_property
    def pasts(self) -> list[Mapping[str, int]]:
        """All that a seat may carry, if the deals before are not on record."""
        keys = [carry.key for carry in self.carries]
        return [dict(zip(keys, past, strict=True)) for past in product(*(carry.values for carry in self.carries))]

    @cached_property
    def trumps(self) -> dict[tuple[str, int, int, int], bool]:
        """Whether anything makes a trump that is written down, by the cards and players there are."""
        return {}

    @cached_property
    def fair(self) -> set[Any]:
        """Bids that break no rule, by all that it hangs on; none of which the hand must be known."""
        return set()

    def add_fair(self, bid: Any) -> None:
        """Remember a bid that breaks no rule."""
        if len(self.fair) >= MOST_FAIR:
            self.fair.clear()
        self.fair.add(bid)

    @cached_property
    def composed(self) -> dict[str, Game]:
        """This game under options that have been asked for, by how they are written."""
        return {}

    @cached_property
    def others(self) -> dict[int, tuple[Any, ...]]:
        """The other readings of this game, compared with it, by how many play: see `readings`."""
        return {}

    @cached_property
    def _by_code(self) -> dict[str, tuple[Rule, ...]]:
        found: dict[str, tuple[Rule, ...]] = {}
        for rule in self.rules:
            found[rule.code] = (*found.get(rule.code, ()), rule)
        return found

    @cached_property
    def phase_of(self) -> dict[str, Phase]:
        """Which phase takes which kind of event."""
        return {kind: phase for phase in self.phases for kind in phase.kinds}

    def that(self, part: str) -> tuple[Phase, ...]:
        """The phases that play a part (`open`, `close`, `look_back`, `facts`, …), which to the others means nothing."""
        if part not in self._parts:
            self._parts[part] = tuple(phase for phase in self.phases if getattr(type(phase), part) is not getattr(Phase, part))
        return self._parts[part]

    @cached_property
    def _parts(self) -> dict[str, tuple[Phase, ...]]:
        return {}

    def proxy(self, table: Table, /) -> tuple[int, int] | None:
        """A seat and another, whose cards lie open and are played by it; None if there are none."""
        return next((pair for phase in self.phases if (pair := phase.proxy(table)) is not None), None)

    @cached_property
    def bidding(self) -> Phase | None:
        """The phase in which each seat bids what it is scored by; None if there is none."""
        phase = self.phase_of.get("bid")
        return phase if phase is not None and phase.per_seat else None

    @cached_property
    def moving(self) -> frozenset[str]:
        """The kinds of event that it takes in which cards go from hand to hand."""
        return frozenset(kind for kind in self.phase_of if kind in KINDS and KINDS[kind].moves)

    @cached_property
    def takers(self) -> dict[str, Callable[[Table, int, Any], None]]:
        """How each kind of event is taken."""
        return {kind: phase.take for kind, phase in self.phase_of.items()}

    def taking(self, event: Any) -> Phase | None:
        """The phase that takes an event; None if the game has none of its kind."""
        return self.phase_of.get(event.do if event.do != "announce" else f"announce:{event.what}")

    def taker(self, event: Any) -> Callable[[Table, int, Any], None] | None:
        """How an event is taken; None if the game has none of its kind."""
        return self.takers.get(event.do) or (self.takers.get(f"announce:{event.what}") if event.do == "announce" else None)

    def other_values(self, options: Mapping[str, Any], variants: bool = False) -> Iterator[tuple[str, Any]]:
        """Every option with each named value that is not in force; `variants`, which make another game of it, if wanted."""
        for option in self.options:
            now = options.get(option.key, option.default)
            for choice in option.choices if variants or not option.variant else ():
                if type(choice) is not type(now) or choice != now:
                    yield option.key, choice

    def rules_of(self, code: str) -> tuple[Rule, ...]:
        """This game's rules for a code, in their order, or the shared one; KeyError for a code that no rule has."""
        return self._by_code.get(code) or (rulebook.RULES[code],)

    def rule(self, code: str, id: str | None = None) -> Rule:
        """This game's rule for a code, of several the first, or that with an id; KeyError if there is none."""
        for rule in self.rules_of(code):
            if id in (None, rule.id):
                return rule
        raise KeyError(f"{code} {id}")

    def other_trump(self, found: str, due: str) -> bool:
        """Whether a trump that is written down is another than the one by which the deal was played."""
        check = self.rule("DEA009").check
        return found != due if check is None else bool(check(TrumpView(found, due)))

    def checks(self, moment: str) -> tuple[Rule, ...]:
        """The rules to be checked at a moment (`bid`, `bids`)."""
        if moment not in self._moments:
            self._moments[moment] = tuple(rule for rule in self.rules if rule.on == moment and rule.check is not None)
        return self._moments[moment]

    @cached_property
    def _moments(self) -> dict[str, tuple[Rule, ...]]:
        return {}


@lru_cache
def _sides(seats: tuple[str, ...]) -> Mapping[str, tuple[int, ...]]:
    half = len(seats) // 2
    return {side_of(seats[place::half], seats): tuple(range(place, len(seats), half)) for place in range(half)}


def with_rule(game: Game, *rules: Rule) -> Game:
    """The game with these rules, each in the place of the one of its code, or after the others."""
    new = {rule.code: rule for rule in rules}
    kept = [new.pop(rule.code, rule) for rule in game.rules]
    return replace(game, rules=(*kept, *new.values()))


def without_rule(game: Game, code: str) -> Game:
    """The game without its rules of a code."""
    return replace(game, rules=tuple(rule for rule in game.rules if rule.code != code))


def with_phase(game: Game, kind: type[Phase], **changes: Any) -> Game:
    """The game with its phases of a kind changed; one that has none as it is."""
    phases = tuple(replace(phase, **changes) if isinstance(phase, kind) else phase for phase in game.phases)  # type: ignore[type-var]
    return replace(game, phases=phases)


def compose(game: Game, options: Mapping[str, Any]) -> tuple[Game, list[tuple[str, dict[str, Any]]]]:
    """The game under these options, and what is wrong with them as (code of the fault, facts).

    An unknown option or value leaves the default in force and is reported; it is never passed over.
    """
    written = repr(options)
    if written in game.composed:
        return game.composed[written], []
    composed, faults = _compose(game, options)
    if not faults and len(game.composed) < 1000:
        game.composed[written] = composed
    return composed, faults


def _compose(game: Game, options: Mapping[str, Any]) -> tuple[Game, list[tuple[str, dict[str, Any]]]]:
    faults: list[tuple[str, dict[str, Any]]] = []
    known = {option.key: option for option in game.options}
    for key in options:
        if key not in known:
            faults.append(("FMT009", {"option": key, "known": sorted(known)}))
    settings: dict[str, Any] = {}
    composed = game
    for option in game.options:
        value = options.get(option.key, option.default)
        if option.key in options and not option.allows(value):
            faults.append(("FMT010", {"option": option.key, "value": _short(value), "allowed": option.allowed}))
            value = option.default
        settings[option.key] = value
        if value != option.default:
            chosen = {key for key, value in settings.items() if value != known[key].default}
            for other in sorted(option.excludes & chosen):
                why = f"options {option.key} and {other} exclude each other"
                faults.append(("FMT011", {"option": option.key, "other": other, "why": why}))
            if option.requires and not option.requires & chosen:
                why = f"option {option.key} needs one of {', '.join(sorted(option.requires))}"
                faults.append(("FMT011", {"option": option.key, "other": sorted(option.requires), "why": why}))
            composed = option.apply(composed, value)
    return replace(composed, settings=settings), faults


def _short(value: Any) -> str:
    text = str(value).lower() if isinstance(value, bool) else str(value)
    return text if len(text) <= 60 else text[:57] + "..."
