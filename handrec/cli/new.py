"""`handrec new`: the form of a game to be typed, with a blank for each thing that a scorekeeper writes down."""

from __future__ import annotations

import re
import textwrap
from collections.abc import Iterator

from handrec.cli.common import emit, game_called, options_of
from handrec.cli.errors import CommandError
from handrec.dealing import seats_for, usual_players
from handrec.formats import hrt
from handrec.game import Game, compose
from handrec.record import FIRST, FORMAT, Player, Record
from handrec.report.safe import safe

#: A longer one is cut off by no format, but no scorecard has room for it.
LONGEST_NAME = 80


def run(game: str, players: str | None, option: list[str] | None, output: str | None) -> int:
    """Write the form for a game, at a table of these players."""
    found = game_called(game)
    options = options_of(found, option or [])
    chosen = compose(found, options)[0]
    seated = players_of(chosen, players)
    if output is not None and not output.lower().endswith(".hrt"):
        raise CommandError(f"{safe(output, 300)}: a typed record is called NAME.hrt")
    record = Record.model_validate(
        {"format": FORMAT, "version": FIRST, "game": found.key, "players": seated, "deals": []}
        | ({"options": options} if options else {})
    )
    emit(form(chosen, record), output)
    return 0


def players_of(game: Game, named: str | None) -> list[Player]:
    """Who plays, clockwise: names with commas between them, or how many."""
    low, high = min(game.players), max(game.players)
    names = [] if named is None else [name.strip() for name in named.split(",")]
    counted = len(names) == 1 and re.fullmatch("[0-9]{1,4}", names[0]) is not None
    number = len(names) if names else usual_players(game)
    number = int(names[0]) if counted else number
    if number not in game.players:
        allowed = f"{low} to {high} players" if low != high else f"{low} player" + "s" * (low > 1)
        hint = " (names stand with commas between them: --players Ann,Bo)" if len(names) == 1 and not counted else ""
        raise CommandError(f"{game.key} is for {allowed}, not {number}{hint}")
    if counted or not names:
        names = [""] * number
    elif not all(names):
        raise CommandError("a player has no name: two commas stand side by side, or one at an end")
    for name in names:
        if len(name) > LONGEST_NAME or not name.isprintable():
            raise CommandError(f"{safe(name)} is no name that fits a scorecard")
    known = zip(seats_for(number), names, strict=True)
    return [Player(seat=seat, name=name) if name else Player(seat=seat) for seat, name in known]


def form(game: Game, record: Record) -> Iterator[str]:
    """The lines of the form: what is known, a first deal with its blanks, and how else the game is typed."""
    yield from (line + "\n" for line in _lines(game, record))


def _lines(game: Game, record: Record) -> Iterator[str]:
    seats = [player.seat for player in record.players]
    first, *head = hrt.write(record).splitlines()
    yield first
    yield f"# {game.title}. Put what happened in the place of each <blank>; take out lines of which nothing was written down."
    yield f"# What stands after # is not read. handrec explain {game.key} says more; handrec check FILE checks what is typed."
    yield from head
    if record.players[0].name is None:
        yield f"# clockwise; with names: seats {' '.join(f'{seat}=NAME' for seat in seats[:2])}, in quotes if of several words"
    yield "# status stopped   (or excerpt, in_progress, complete: without this line it is told by the deals)"
    yield ""
    yield from _deal(game, seats)
    yield "# a further deal begins with a line of its own: deal 2"
    if len(schedule := _schedule(game, seats)) > 1:
        yield f"# cards a hand, deal by deal: {' '.join(map(str, schedule))}"
    ending = [f"side {side} score 0" for side in game.sides(seats)][:1] or [f"totals {'  '.join(f'{seat} 0' for seat in seats)}"]
    yield f"# and at the end of the game: final {ending[0]}"
    if game.notation.lines:
        yield "#"
        yield f"# How {game.title} is typed, by examples:"
        for line, says in game.notation.lines:
            yield f"#   {line}"
            yield from textwrap.wrap(says, 110, initial_indent="#       ", subsequent_indent="#       ")


def _deal(game: Game, seats: list[str]) -> Iterator[str]:
    """The first deal with a blank for each thing that belongs to one, in the order in which its phases take them."""
    size = _schedule(game, seats)[0]
    aside = game.aside(len(seats), size)
    boards = game.partners and "bid" in game.phase_of
    yield "deal 1 " + ("board 1 dealer <dealer> vulnerable <none-all-or-a-side>" if boards else "dealer <dealer>")
    yield from (f"hand {seat} <cards-of-{seat}>" for seat in seats)
    yield from (f"aside {name} <cards-of-the-{name}>" for name, many in aside.items() if many > 1)
    turned = bool(aside) or any(phase.lies_open(1, size, 0) for phase in game.phases)
    told = {
        "exchange": "\n".join(f"exchange {seat} to <seat> <cards-that-{seat}-passed>" for seat in seats),
        "bid": _each("bid", seats, "bid"),
        "contract": "contract <contract> by <declarer>" if game.bidding is None else "",
        "turn": "turn <card-turned>" if turned else "",
        "play": f"1 <leader> <{len(seats)}-cards-in-turn>\n# so for each of the {size} tricks",
    }
    yield from (told[kind] for phase in game.phases for kind in phase.kinds if told.get(kind))
    if game.partners:
        yield from (f"side {side} tricks <tricks-of-{side}> score <score-of-{side}>" for side in game.sides(seats))
    else:
        yield from (_each(word, seats, what) for word, what in (("tricks", "tricks"), ("scores", "score"), ("totals", "total")))


def _schedule(game: Game, seats: list[str]) -> tuple[int, ...]:
    """How many cards a hand has, deal by deal; of one number that holds for all, that alone."""
    schedule = game.cards(len(seats))
    return (schedule,) if isinstance(schedule, int) else schedule


def _each(word: str, seats: list[str], what: str) -> str:
    return f"{word} " + "  ".join(f"{seat} <{what}-of-{seat}>" for seat in seats)
