"""A game on trial: dealt and judged in every way that there is, each fault planted and found, and what fails told.

What fails is a fault of the game's own text: it is told with the rule that it concerns, by its id and sentence, and where an
exception was raised in the game's file, with the line.
"""

from __future__ import annotations

import re
import signal
import sys
import traceback
from collections import Counter
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import fields, replace
from functools import wraps
from importlib.util import find_spec
from itertools import islice
from pathlib import Path
from types import ModuleType
from typing import Any

from handrec import games
from handrec.dealing.dealer import MOST_DEALS, CannotDeal, deal_game, injectable
from handrec.dealing.faults import has_ladder
from handrec.findings import Rule
from handrec.game import Game, Incomplete, Line, compose, validate
from handrec.game.whole import named
from handrec.judging import Judge
from handrec.record import Record
from handrec.referee import check

#: Faults that show only in a whole game; and how often a fault is tried to be planted.
OF_GAMES = {"SCO002", "SCO003", "SCO005", "DEA010"}
TRIES = 2
#: What holds in every game alike, so that a game need not say it in words of its own.
EVERYWHERE = frozenset(
    [
        "CLM001",
        "CLM003",
        "DEA002",
        "DEA003",
        "DEA008",
        "DEA009",
        "DEA010",
        "PLY001",
        "PLY002",
        "PLY005",
        "PLY006",
        "PLY007",
        "PLY008",
        "SCO002",
        "SCO004",
        "TRK002",
        "TRK004",
    ]
)
#: Rules that mean nothing where nothing is scored.
OF_SCORES = {"SCO002", "SCO003"}
#: What a record can name as its game.
_KEY = re.compile("[A-Za-z_][A-Za-z0-9_]{0,63}")
#: In seconds, how long loading the file or dealing a game may take.
LONGEST = 30


class TooLong(BaseException):
    """Something took longer than it may; not to be taken for an ordinary fault on its way."""


class NoNumber(ValueError):
    """A line of the score came to something else than a whole number, said in words."""


class NotAGame(ValueError):
    """A file that holds no game, and why, in words."""


def load(path: Path) -> Game:
    """The `GAME` of a file, which is run; `NotAGame` if it cannot be had."""
    try:
        code = compile(path.read_bytes(), str(path), "exec")
    except (SyntaxError, ValueError) as error:
        line = getattr(error, "lineno", None)
        raise NotAGame(f"{f'line {line}: ' if line else ''}this is no Python: {getattr(error, 'msg', error)}") from None
    module = ModuleType("game_on_trial")
    module.__file__ = str(path)
    sys.modules[module.__name__] = module  # dataclasses look for the module of what they are given
    try:
        with within(LONGEST):
            exec(code, module.__dict__)
    except (Exception, SystemExit, TooLong) as error:
        raise NotAGame(f"{_where(error, path)}running the file failed: {_what(error)}") from None
    finally:
        del sys.modules[module.__name__]
    game = module.__dict__.get("GAME")
    if not isinstance(game, Game):
        raise NotAGame(
            "the file has no GAME (see handrec help game)" if game is None else f"GAME is no Game, but {type(game).__name__}"
        )
    return game


def taken(game: Game, path: Path) -> bool:
    """Whether the key is that of a game which is there already, and is not the one in this file."""
    own = find_spec(f"handrec.games.{game.key}")
    return games.find(game.key) is not None and (own is None or own.origin is None or not path.samefile(own.origin))


@contextmanager
def within(seconds: int) -> Iterator[None]:
    """Break off what takes longer by raising `TooLong`, where the system can tell the time to a program that is busy."""
    if not hasattr(signal, "SIGALRM"):
        yield
        return

    def stop(*_: object) -> None:
        raise TooLong(f"it was not done after {seconds} seconds, and may never be")

    before = signal.signal(signal.SIGALRM, stop)
    signal.alarm(seconds)
    try:
        yield
    finally:
        signal.alarm(0)
        signal.signal(signal.SIGALRM, before)


def _what(error: BaseException) -> str:
    return str(error) if isinstance(error, TooLong | NoNumber) else f"{type(error).__name__}: {error}"


def _where(error: BaseException, path: Path) -> str:
    """The last line of a file that an exception came through, in words."""
    lines = [frame.lineno for frame in traceback.extract_tb(error.__traceback__) if frame.filename == str(path)]
    return f"line {lines[-1]}: " if lines and lines[-1] else ""


def _part(game: Game, error: BaseException) -> str:
    """The rule, the line of the score, or the part of the game in whose function an exception was raised."""
    codes = {frame.f_code for frame, _ in traceback.walk_tb(error.__traceback__)}
    for rule in game.rules:
        if codes & {*map(_code, (rule.narrow, rule.check))}:
            return f"{in_words(rule)} "
    for line in game.score:
        if _code(line.points) in codes:
            return f"the line {line.key} of the score, {in_words(line.rule)} "
    return next((f"its {part.name} " for part in fields(game) if _code(getattr(game, part.name)) in codes), "")


def _code(function: Any) -> Any:
    """The code that runs when something is called; None if nothing does."""
    function = getattr(function, "__wrapped__", function)
    return getattr(function, "__code__", None) or getattr(vars(type(function)).get("__call__"), "__code__", None)


def _whole(line: Line) -> Line:
    """A line of the score that raises `NoNumber` where it does not come to a whole number, or to many."""

    @wraps(line.points)
    def points(hand: Any) -> Any:
        found = line.points(hand)
        if not isinstance(found, int) and getattr(getattr(found, "dtype", None), "kind", "") not in ("i", "b"):
            raise NoNumber(f"the line {line.key} of the score, {in_words(line.rule)} gives {found!r}, which is no whole number")
        return found

    return replace(line, points=points)


def in_words(rule: Rule) -> str:
    """A rule in the game's own words."""
    return f'{rule.id} {rule.code} "{rule.sentence}"'


def troubles(game: Game, path: Path, many: int, seed: int = 0) -> Iterator[str]:
    """What fails of a game, in words: nothing of one that is in order. It is dealt `many` times."""
    try:
        validate(game)
    except Incomplete as error:
        yield str(error)
        return
    game = replace(game, score=tuple(map(_whole, game.score)))
    try:
        wrong = [*_stated(game)]
        if not wrong:
            records = [_dealt(game, seed + number) for number in range(many)]
            wrong = [*_clean(game, records)]
            yield from () if wrong else _judged(game, records)
            yield from () if wrong else _planted(game, seed)
        yield from wrong
    except CannotDeal as error:
        yield f"it cannot be dealt: {error}"
    except NoNumber as error:
        yield str(error)
    except (Exception, TooLong) as error:
        yield f"{_where(error, path)}{_part(game, error)}failed: {_what(error)}"


def _stated(game: Game) -> Iterator[str]:
    """What can be seen of the game before a card is dealt."""
    if not game.players:
        yield "it is for no number of players: players is empty"
        return
    if not _KEY.fullmatch(game.key):
        yield f"its key {game.key!r} is no word of letters, digits and _"
        return
    for key, times in Counter(option.key for option in game.options).items():
        if times > 1:
            yield f"the option {key} stands there {times} times"
    again = Counter((rule.code, rule.id) for rule in game.rules)
    for rule in dict.fromkeys((*game.rules, *(line.rule for line in game.score))):
        lacks = [name for name, there in (("an id", rule.id), ("a citation", rule.citation)) if not there]
        if lacks:
            yield f"{in_words(rule)} lacks {' and '.join(lacks)}"
        if again[rule.code, rule.id] > 1:
            yield f"{in_words(rule)} stands there {again[rule.code, rule.id]} times"
        if rule.code.startswith("BID") and "bid" not in game.phase_of:
            yield f"{in_words(rule)} is about bids, but the game has no phase in which anybody bids"
        if rule.code in OF_SCORES and not game.score:
            yield f"{in_words(rule)} is about scores, but no line of the score ever gives a point"
    stated = {rule.code for rule in game.rules} | {line.rule.code for line in game.score} | EVERYWHERE
    for code in injectable(game):
        if code not in stated:
            yield f'it lacks a rule {named(code)}, in its own words: "{game.rule(code).sentence}"'
    for option in game.options:
        if not option.allows(option.default):
            yield f"the option {option.key} has a default that is none of its values: {option.default!r}"
    yield from islice(filter(None, (_pack_is_dealt(game, players) for players in game.players)), 1)


def _pack_is_dealt(game: Game, players: int) -> str:
    """Whether hands and what is set aside come to the whole pack, in each deal; nothing, or what is wrong."""
    cards = game.cards(players)
    sizes = [cards] if isinstance(cards, int) else [*cards]
    pack = len(game.pack(players))
    for size in sizes:
        due = players * size + sum(game.aside(players, size).values())
        if due != pack:
            return f"{players} hands of {size} cards and what is set aside come to {due} cards, but the pack has {pack}"
    return "" if sizes else f"its cards for {players} players are no deal at all"


def _dealt(game: Game, seed: int, inject: str | None = None) -> Record:
    """A game or a part of one: all numbers of players, and now and then an option."""
    players = game.players[seed % len(game.players)]
    options: dict[str, Any] = {}
    free = [option for option in game.options if option.values]
    if seed % 3 == 2 and free:
        option = free[seed // 3 % len(free)]
        options = {option.key: option.values[seed // 3 % len(option.values)]}
        options = {} if compose(game, options)[1] else options
    whole = seed % 10 == 0 if inject is None else inject in OF_GAMES
    size = compose(game, options)[0].cards(players)
    numbers = None if whole else [1] if not isinstance(size, int) and len(size) < 2 else [1, 2]
    with within(LONGEST):
        return deal_game(game, players, seed, options=options, numbers=numbers, inject=inject)


def _clean(game: Game, records: list[Record]) -> Iterator[str]:
    """Nothing is wrong with what was played by the rules, all of it can be checked, and whole games end; or what is not so."""
    told_of = set[str]()
    for record in records:
        verdict = check(record, lambda key: game)
        wrong = {level.key: f"{level.key} cannot be checked: {level.reasons[0]}" for level in verdict.levels[:6] if level.reasons}
        for finding in verdict.findings:
            wrong.setdefault(
                finding.code, f"{finding.rule} {finding.code}: played by the rules, and found wrong: {finding.message}"
            )
        if len(record.deals) == MOST_DEALS and record.status != "complete":
            wrong["over"] = f"after {MOST_DEALS} deals it was not over, and `over` may never say that it is"
        yield from (said for what, said in wrong.items() if what not in told_of)
        told_of |= wrong.keys()


def _judged(game: Game, records: list[Record]) -> Iterator[str]:
    """The fast path and the sieve say what the referee says."""
    failed = dict[str, Exception]()
    judge = Judge(lambda key: game, failed=failed.__setitem__)
    for record in records:
        if judge.verdict(record) != check(record, lambda key: game):
            yield f"the fast path and the referee differ on {record.id}: a rule or a score is not the same each time"
            return
    if find_spec("numpy") and find_spec("pyarrow"):
        yield from _sifted(game, records, failed)
    for way, error in failed.items():
        yield f"the {way} failed on {_part(game, error) or 'the game '}({_what(error)}); use & | ~ and the words of masks only"


def _sifted(game: Game, records: list[Record], failed: dict[str, Exception]) -> Iterator[str]:
    from handrec.archive import Cut, Heads, sifted
    from handrec.archive.rows import encode_rows

    heads = Heads(lambda key: game)
    rows = sifted(Cut(encode_rows(enumerate(records), heads), heads), failed.__setitem__)
    for record, levels in zip(records, rows.levels, strict=True):
        if levels is not None and levels != check(record, lambda key: game).levels:
            yield f"the sieve and the referee differ on {record.id}"
            return


def _planted(game: Game, seed: int) -> Iterator[str]:
    """Each fault that can be planted is found, alone."""
    for code in injectable(game):
        for number in range(seed, seed + TRIES):
            try:
                record = _dealt(game, 3 * number, code) if code != "DEA005" or has_ladder(game) else None
            except CannotDeal:
                continue
            found = [each.code for each in check(record, lambda key: game).findings if each.severity != "info"] if record else []
            if (found and found != [code]) or (not found and not code.startswith("CLM")):
                yield f"{in_words(game.rule(code))}: broken once, and found {' '.join(found) or 'nothing'}"
            break
        else:
            yield f"{in_words(game.rule(code))}: nobody could break it, so it decides nothing"
