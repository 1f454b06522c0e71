"""Who races whom. A rival that is not installed is a note; one that is must first come to what the referee comes to."""

from __future__ import annotations

import io
import json
from collections.abc import Callable, Iterable, Iterator, Sequence
from functools import partial
from itertools import cycle, islice
from pathlib import Path
from random import Random
from typing import Any

from handrec import check, dumps, explanations, fast, inference, loads
from handrec.cards import RANKS
from handrec.dealing import deal_game
from handrec.formats import read
from handrec.formats.jsonl import follow
from handrec.game import Game, compose
from handrec.games import find
from handrec.judging import Judge
from handrec.record import Record
from handrec.referee import check as referee
from handrec.referee import replay
from handrec.writing import line
from tests.bench.race import Runner
from tests.bench.spiel import SEATS, Played, likenesses, played
from tests.dealing import any_options
from tests.planting import deeds, plants

Field = tuple[list[Runner], list[str]]  # who races, and notes on who does not


def each(function: Callable[[Any], object], things: Sequence[Any]) -> Callable[[], None]:
    """Call a function for each thing, and keep nothing."""

    def run() -> None:
        for thing in things:
            function(thing)

    return run


def bridge(seed: int) -> Record:
    """A deal of bridge."""
    game = find("bridge")
    assert game is not None
    return deal_game(game, 4, seed, numbers=[1])


# --- card play ------------------------------------------------------------------------------------------------------


def spiel(deal: Played) -> None:
    """OpenSpiel's checked replay of the play, a call a card."""
    state = deal.before.clone()
    for action in deal.actions:
        state.apply_action_with_legality_check(action)


def spiel_whole(deal: Played) -> None:
    """The same of the whole game: cards dealt, bids, play."""
    state = deal.before.get_game().new_initial_state()
    for action in deal.history:
        state.apply_action_with_legality_check(action)


def same_deals(name: str, many: int) -> Field:
    """OpenSpiel and handrec on the same deals of a game that both know; for bridge also the sieve."""
    like = likenesses()[name]
    try:
        deals = [played(like, seed) for seed in range(many)]
    except ImportError:
        return [], ["OpenSpiel is not installed: pip install 'handrec[bench]'"]
    records = [loads(line(deal.record())) for deal in deals]  # as files have them
    theirs = [[seat for seat, _ in deal.plays[4::4]] for deal in deals]
    verdicts = [referee(record, lambda key: like.game) for record in records]
    assert all(verdict.ok for verdict in verdicts)
    judge = Judge(lambda key: like.game)
    assert [*judge.verdicts(records)] == verdicts
    assert [[trick.winner for trick in verdict.deals[0].played][:-1] for verdict in verdicts] == theirs
    runners = [
        Runner("OpenSpiel, checked in C++", each(spiel, deals), many),
        Runner("OpenSpiel, the whole game", each(spiel_whole, deals), many),
        Runner("handrec's referee, whole verdict", each(partial(referee, find=lambda key: like.game), records), many),
        Runner("handrec's judge, whole verdict", each(judge.verdict, records), many),
    ]
    if name != "bridge":
        return runners, []
    more, notes = in_bulk(records, theirs)
    return [*runners, Runner("sets of cards, follow suit, no checks else", each(plain_replay, records), many), *more], notes


def in_bulk(records: list[Record], theirs: list[list[str]], copies: int = 25) -> Field:
    """The sieve on the columns of the same deals, so many times over."""
    try:
        from handrec.sieve import sift
    except ImportError as error:
        return [], [f"no sieve: {error}"]
    columns = bridge_columns(records, copies)
    first = slice(0, len(records))
    assert not sift(columns).fault.any()
    assert [[SEATS[seat] for seat in row[:-1]] for row in sift(columns).winners[first]] == theirs
    return [Runner("handrec's sieve, from columns", lambda: sift(columns), len(columns))], []


def bridge_columns(records: Iterable[Record], copies: int) -> Any:
    """Bridge deals as columns, so many times over."""
    from handrec.sieve import Plain, Shape

    game = find("bridge")
    assert game is not None
    shape = Plain(Shape(compose(game, {})[0], 4, 13), SEATS)
    rows = [shape.row(record.deals[0], place, True, True) for place, record in enumerate(records)]
    return shape.columns(rows * copies)


def plain_replay(record: Record) -> int:
    """The revokes of a record of bridge by the simplest referee there is: sets of cards, highest trump or card led wins."""
    revokes = 0
    for deal in record.deals:
        hands = {seat: set(cards) for seat, cards in (deal.hands or {}).items()}
        trump = next(str(event.bid) for event in deal.events if event.do == "contract").strip("1234567xX")
        plays = [event for event in deal.events if event.do == "play"]
        for first in range(0, len(plays), 4):
            best, led, height = "", plays[first].card[1], -1
            for play in plays[first : first + 4]:
                card, hand = play.card, hands[play.by or ""]
                revokes += card[1] != led and any(other[1] == led for other in hand)
                hand.discard(card)
                mine = RANKS.index(card[0]) + 100 * (card[1] == trump) if card[1] in (led, trump) else -1
                if mine > height:
                    best, height = play.by or "", mine
            assert best
    return revokes


# --- reading --------------------------------------------------------------------------------------------------------


def pbn(record: Record) -> str:
    """A record of bridge as PBN, as far as other programs need it."""
    deal, table = record.deals[0], referee(record, find).deals[0]
    contract = next(event for event in deal.events if event.do == "contract")
    declarer = contract.by or "N"
    suits = [".".join("".join(r for r in reversed(RANKS) if r + s in (deal.hands or {})[seat]) for s in "SHDC") for seat in SEATS]
    lead = SEATS[(SEATS.index(declarer) + 1) % 4]
    turns = [SEATS[(SEATS.index(lead) + step) % 4] for step in range(4)]
    tricks = [dict(trick.plays) for trick in table.played]
    rows = [" ".join(trick[seat][1] + trick[seat][0] for seat in turns) for trick in tricks]
    won = sum(trick.winner in (declarer, SEATS[(SEATS.index(declarer) + 2) % 4]) for trick in table.played)
    bid = f"4{contract.bid}" if len(str(contract.bid)) < 3 else str(contract.bid)
    tags = {
        "Event": "bench",
        "Site": "",
        "Date": "2026.01.01",
        "Board": "1",
        "West": "w",
        "North": "n",
        "East": "e",
        "South": "s",
    }
    tags |= {"Dealer": declarer, "Vulnerable": "None", "Deal": "N:" + " ".join(suits), "Scoring": "IMP", "Declarer": declarer}
    tags |= {"Contract": bid, "Result": str(won), "Auction": declarer}
    lines = [f'[{key} "{value}"]' for key, value in tags.items()]
    return "\n".join([*lines, f"{bid} Pass Pass Pass", f'[Play "{lead}"]', *rows, "*", ""])


def judge_lines(data: bytes) -> None:
    """The verdicts on records of a line each, all of them faultless."""
    read = [reading.record for reading in follow(io.BytesIO(data), "bench.jsonl")]
    assert all(check(record).ok for record in read if record is not None)


def judge_pbn(text: str) -> bool:
    """Whether a PBN text holds nothing but faultless deals, read and refereed."""
    return all(reading.record and not reading.findings and check(reading.record).ok for reading in read(text.encode(), "a.pbn"))


def endplay_reads(texts: list[str], records: list[Record]) -> Callable[[], None]:
    """endplay's PBN; the cards it reads are the deal's."""
    from endplay.parsers import pbn as parser

    board = parser.loads(texts[0])[0]
    cards = [str(card).translate(str.maketrans("♣♦♥♠", "CDHS")) for card in board.play]
    assert [card[1] + card[0] for card in cards] == [event.card for event in records[0].deals[0].events if event.do == "play"]
    return each(parser.loads, texts)


def bridgebots_reads(texts: list[str], records: list[Record], folder: Path) -> Callable[[], None]:
    """bridgebots' PBN, which it takes from files; all deals stand in one."""
    from bridgebots.pbn import parse_pbn

    path = folder / "deals.pbn"
    path.write_text("\n".join([*texts, ""]), "utf-8")  # it overlooks a last board that no empty line follows
    found = parse_pbn(path)
    assert len(found) == len(texts)
    return lambda: parse_pbn(path)


def chess_reads(many: int) -> Callable[[], None]:
    """python-chess reading random games of 80 moves, each of which it checks."""
    import chess
    import chess.pgn

    texts = []
    for seed in range(many):
        rng, board = Random(seed), chess.Board()
        while len(board.move_stack) < 80 and not board.is_game_over():
            board.push(rng.choice(list(board.legal_moves)))
        texts.append(str(chess.pgn.Game.from_board(board)))
    return each(lambda text: chess.pgn.read_game(io.StringIO(text)), texts)


HAND = """variant = "NT"
antes = [500, 500, 500]
blinds_or_straddles = [1000, 2000, 0]
min_bet = 2000
starting_stacks = [1125600, 2000000, 553500]
actions = ["d dh p1 Ac2d", "d dh p2 5h7h", "d dh p3 7s6h", "p3 cbr 7000", "p1 cbr 23000", "p2 f", "p3 cc", "d db Jc3d5c",
  "p1 cbr 35000", "p3 cc", "d db 4h", "p1 cbr 90000", "p3 cbr 232600", "p1 cbr 1067100", "p3 cc", "d db Jh"]
"""


def poker_replays(many: int) -> Callable[[], None]:
    """PokerKit reading a hand history and replaying it, every action checked."""
    from pokerkit import HandHistory

    return each(lambda text: [None for _ in HandHistory.loads(text)], [HAND] * many)


def faulty(key: str, many: int) -> Field:
    """The verdict on faulty records of a game without other readings, and with them, beside the referee's replay of clean ones.

    The clean ones are what the faulty ones were made of, where a slip was planted; deeds have none, and are as long.
    """
    acts = ("card", "rows", "plays_across", "play_doubled", "hand_card", "transposed")
    planted = [pair for act in acts for pair in plants(key, act, max(1, many // 50), hands=True, claims=True)]
    originals = [Record.model_validate(truth) for truth, _ in planted]
    records = [record for _, record in planted]
    records += [record for _, record in deeds(key, max(1, many // 25), hands=True, claims=True)]
    assert all(referee(record, find).ok for record in originals)
    runners = [
        Runner(
            "the referee's replay of clean originals", each(partial(referee, find=find), originals), len(originals), "records"
        ),
        Runner("the referee's replay of faulty ones", each(partial(referee, find=find), records), len(records), "records"),
        Runner(
            "check -q: slips read at sight",
            each(partial(explanations.check, judge=Judge(find)), records),
            len(records),
            "records",
        ),
        Runner("check: with other readings too", each(check, records), len(records), "records"),
    ]
    return runners, []


def kept(key: str, many: int, agreed: bool) -> tuple[int, int]:
    """Of so many clean complete records of a game how many the fast path takes, every deal; by the usual rules or as `agreed`."""
    game, clean, whole = find(key), 0, 0
    assert game is not None
    for seed in range(many):
        rng = Random(seed)
        players = rng.choice([players for players in game.players if players < 8])
        options = any_options(game, rng) if agreed else {}
        record, taken = deal_game(game, players, seed, options=options), list[bool]()
        verdict = referee(record, find, lambda table, taken=taken: taken.append(fast.replayed(table)) or taken[-1])
        clean += verdict.ok
        whole += verdict.ok and len(taken) == len(record.deals) and all(taken)
    return whole, clean


def reading(many: int, folder: Path) -> Field:
    """Strict reading, beside a parser that takes anything, other readers of bridge, and the neighbours' marks."""
    records = [bridge(seed) for seed in range(many)]
    texts, lines = [dumps(record) for record in records], [line(record) for record in records]
    file = "".join(lines * 10).encode()
    others, notes = [pbn(record) for record in records], []
    runners = [
        Runner("handrec reads JSON, strictly", each(loads, texts), many, "records"),
        Runner("json.loads of the same texts", each(json.loads, texts), many, "records"),
        Runner("handrec reads JSON and judges", each(lambda text: check(loads(text)), texts), many, "records"),
        Runner("handrec reads a line and judges", each(lambda text: check(loads(text)), lines), many, "records"),
        Runner(
            "handrec reads lines and judges",
            partial(judge_lines, file),
            10 * many,
            "records",
        ),
        Runner("json.loads of the same lines", each(json.loads, lines), many, "records"),
        Runner("handrec reads PBN and judges", each(judge_pbn, others), many, "deals"),
    ]
    assert all(map(judge_pbn, others))
    rivals: dict[str, tuple[Callable[[], Callable[[], None]], int, str]] = {
        "endplay reads PBN, judges nothing": (lambda: endplay_reads(others, records), many, "deals"),
        "bridgebots reads PBN, judges nothing": (lambda: bridgebots_reads(others, records, folder), many, "deals"),
        "python-chess reads PGN, checks moves": (lambda: chess_reads(20), 20, "games"),
        "PokerKit reads and replays a hand": (lambda: poker_replays(20), 20, "hands"),
    }
    for name, (rival, number, unit) in rivals.items():
        try:
            runners.append(Runner(name, rival(), number, unit))
        except ImportError as error:
            notes.append(f"{name.split()[0]} is not installed ({error}): pip install 'handrec[bench]'")
        except Exception as error:  # a rival may fail in any way, which is worth a line and no more
            notes.append(f"{name.split()[0]} fails on what the others read: {type(error).__name__} {str(error)[:60]}")
    return runners, notes


# --- handrec alone --------------------------------------------------------------------------------------------------


def proofs(key: str, many: int) -> Field:
    """All dates of all proofs of deals without hands, as an onlooker saw them, against the referee on the same deals."""
    game = find(key)
    assert game is not None
    records = []
    for seed in range(many):
        record = deal_game(game, 4, seed, numbers=[1])
        deals = [deal.model_copy(update={"hands": None, "aside": None}) for deal in record.deals]
        records.append(record.model_copy(update={"deals": deals}))
    return [
        Runner(f"the referee, {key} without hands", each(partial(referee, find=find), records), many),
        Runner("every proof dated", each(partial(dated, game), records), many),
    ], []


def dated(game: Game, record: Record) -> None:
    """All dates of a deal."""
    for table in replay(record, compose(game, record.options)[0], trace=True):
        inference.dates(inference.observed(table))


def lines_of(many: int) -> Iterator[bytes]:
    """A file of so many records of bridge, a line each; after some they repeat."""
    return islice(cycle([line(bridge(seed)).strip().encode() + b"\n" for seed in range(min(many, 1000))]), many)


def archive_of(many: int) -> Iterator[bytes]:
    """An archive of so many records of bridge."""
    from handrec.archive import write

    return write(islice(cycle([bridge(seed) for seed in range(min(many, 1000))]), many))


def through_referee(path: Path) -> int:
    """A file of lines, record by record: how many are not clean."""
    with path.open("rb") as file:
        return sum(reading.record is None or not referee(reading.record, find).ok for reading in follow(file, "bench.jsonl"))


def through_judge(path: Path) -> int:
    """The same, deals in order by the fast path."""
    judge = Judge(find)
    with path.open("rb") as file:
        return sum(reading.record is None or not judge.verdict(reading.record).ok for reading in follow(file, "bench.jsonl"))


def through_archive(path: Path) -> int:
    """The verdicts on an archive: how many records are not clean."""
    from handrec.archive import batches, verdicts

    return sum(any(row) for batch in batches(str(path)) for row in zip(verdicts(batch)["codes"].to_pylist(), strict=True))


def end_to_end(many: int, folder: Path) -> Field:
    """From the bytes of a file to the verdict on every record."""
    lines, path = list(lines_of(many)), folder / "deals.jsonl"
    path.write_bytes(b"".join(lines))
    runners = [
        Runner("json.loads a line, and nothing else", each(json.loads, lines), many, "records"),
        Runner("JSONL through the referee", lambda: through_referee(path), many, "records"),
        Runner("JSONL through the judge", lambda: through_judge(path), many, "records"),
    ]
    assert through_referee(path) == through_judge(path) == 0
    try:
        archive = folder / "deals.parquet"
        archive.write_bytes(b"".join(archive_of(many)))
        assert through_archive(archive) == 0
        runners.append(Runner("Parquet through the sieve", lambda: through_archive(archive), many, "records"))
    except ImportError as error:
        return runners, [f"not everything is installed: {error}"]
    return runners, []
