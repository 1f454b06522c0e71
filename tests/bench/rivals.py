"""Who races whom. A rival that is not installed is a note; one that is must first come to what the referee comes to."""

from __future__ import annotations

import io
import json
import re
import shutil
import subprocess
from collections.abc import Callable, Sequence
from functools import partial
from pathlib import Path
from random import Random

from handrec import check, dumps, fast, inference, loads
from handrec.dealing import deal_game
from handrec.formats import read
from handrec.formats.jsonl import follow
from handrec.formats.pbn import FORMAT as PBN
from handrec.game import Game, compose
from handrec.games import find
from handrec.judging import Judge
from handrec.record import Record
from handrec.referee import check as referee
from handrec.referee import replay
from handrec.writing import line
from tests.bench import inputs
from tests.bench.race import ROOT, Runner, each, python, timed
from tests.bench.spiel import Played, likenesses, played

Field = tuple[list[Runner], list[str]]  # who races, and notes on who does not

#: Where Debian has the checker of chess games, if it is not on the path.
PGN_EXTRACT = shutil.which("pgn-extract") or shutil.which("pgn-extract", path="/usr/games")


# --- OpenSpiel ------------------------------------------------------------------------------------------------------


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


def same_deals(name: str, many: int) -> tuple[Field, list[Record]]:
    """OpenSpiel and handrec on the same deals of a game that both know, and the records of these."""
    like = likenesses()[name]
    try:
        deals = [played(like, seed) for seed in range(many)]
    except ImportError:
        return ([], ["OpenSpiel is not installed: pip install 'handrec[bench]'"]), []
    records = [loads(line(deal.record())) for deal in deals]  # as files have them
    theirs = [[seat for seat, _ in deal.plays[4::4]] for deal in deals]
    verdicts = [referee(record, lambda key: like.game) for record in records]
    assert all(verdict.ok for verdict in verdicts)
    judge = Judge(lambda key: like.game)
    assert [*judge.verdicts(records)] == verdicts
    assert [[trick.winner for trick in verdict.deals[0].played][:-1] for verdict in verdicts] == theirs
    plays, acts = sum(len(deal.actions) for deal in deals), sum(len(deal.history) for deal in deals)
    runners = [
        Runner("OpenSpiel, the play, checked in C++", each(spiel, deals), many, "deals", plays),
        Runner("OpenSpiel, the whole game", each(spiel_whole, deals), many, "deals", acts),
        Runner("handrec, whole verdict", each(judge.verdict, records), many, "deals", plays),
        Runner("handrec's referee alone", each(partial(referee, find=lambda key: like.game), records), many, "deals", plays),
    ]
    return (runners, []), records


# --- chess ----------------------------------------------------------------------------------------------------------


def chess_games(many: int) -> tuple[list[str], int]:
    """Random games of chess as PGN, and how many plies they have in all. ImportError without python-chess."""
    import chess
    import chess.pgn

    texts, plies = [], 0
    for seed in range(many):
        rng, board = Random(seed), chess.Board()
        while len(board.move_stack) < 80 and not board.is_game_over():
            board.push(rng.choice(list(board.legal_moves)))
        plies += len(board.move_stack)
        texts.append(f"{chess.pgn.Game.from_board(board)}\n\n")
    return texts, plies


def pgn_extract(path: Path) -> str:
    """What pgn-extract finds wrong with a file of games: every move is checked, and no game is written."""
    assert PGN_EXTRACT is not None
    return subprocess.run([PGN_EXTRACT, "-s", "-r", path], capture_output=True, text=True, check=True, cwd=path.parent).stderr


def chess(many: int, folder: Path) -> Field:
    """pgn-extract as a process, and python-chess, on the same random games."""
    if PGN_EXTRACT is None:
        return [], ["pgn-extract is not installed: apt-get install pgn-extract"]
    try:
        texts, plies = chess_games(many)
    except ImportError:
        return [], ["python-chess is not installed, and deals no games to pgn-extract: pip install 'handrec[bench]'"]
    import chess.pgn

    path, wrong = folder / "games.pgn", folder / "wrong.pgn"
    path.write_text("".join(texts), "utf-8")
    wrong.write_text(texts[0].replace("\n1. ", "\n1. e5 a6 2. ", 1), "utf-8")
    assert pgn_extract(path) == ""
    assert "Failed to make move" in pgn_extract(wrong)
    few = texts[: max(1, many // 20)]
    some = plies * len(few) // many
    return [
        Runner("pgn-extract -r, the process", timed(lambda: pgn_extract(path)), many, "games", plies),
        Runner(
            "python-chess reads and checks", each(lambda one: chess.pgn.read_game(io.StringIO(one)), few), len(few), "games", some
        ),
    ], []


# --- readers --------------------------------------------------------------------------------------------------------


def pbn(record: Record) -> str:
    """A record of bridge as PBN, with its calls."""
    text: str = PBN.write(record)  # type: ignore[misc]  # a format that is written
    return text


def boards(records: Sequence[Record]) -> list[str]:
    """Records of bridge as clubs write them, without our own tags; but those that were passed out, at which bridgebots stops."""
    return [OWN.sub("", text) for text in map(pbn, records) if '[Declarer ""]' not in text]


def judge_lines(data: bytes) -> None:
    """The verdicts on records of a line each, all of them faultless."""
    found = [reading.record for reading in follow(io.BytesIO(data), "bench.jsonl")]
    assert all(check(record).ok for record in found if record is not None)


def judge_pbn(text: str) -> bool:
    """Whether a PBN text holds nothing but faultless deals, read and refereed."""
    return all(reading.record and not reading.findings and check(reading.record).ok for reading in read(text.encode(), "a.pbn"))


def endplay_reads(texts: Sequence[str], records: Sequence[Record]) -> Callable[[], float]:
    """endplay's PBN; the cards it reads are the deal's."""
    from endplay.parsers import pbn as parser

    board = parser.loads(texts[0])[0]
    cards = [str(card).translate(str.maketrans("♣♦♥♠", "CDHS")) for card in board.play]
    assert [card[1] + card[0] for card in cards] == [event.card for event in records[0].deals[0].events if event.do == "play"]
    return each(parser.loads, texts)


def bridgebots_reads(texts: Sequence[str], folder: Path) -> Callable[[], float]:
    """bridgebots' PBN, which it takes from files; all deals stand in one."""
    from bridgebots.pbn import parse_pbn

    path = folder / "deals.pbn"
    path.write_text("".join(texts), "utf-8")
    assert len(parse_pbn(path)) == len(texts)
    return timed(lambda: parse_pbn(path))


HAND = """variant = "NT"
antes = [500, 500, 500]
blinds_or_straddles = [1000, 2000, 0]
min_bet = 2000
starting_stacks = [1125600, 2000000, 553500]
actions = ["d dh p1 Ac2d", "d dh p2 5h7h", "d dh p3 7s6h", "p3 cbr 7000", "p1 cbr 23000", "p2 f", "p3 cc", "d db Jc3d5c",
  "p1 cbr 35000", "p3 cc", "d db 4h", "p1 cbr 90000", "p3 cbr 232600", "p1 cbr 1067100", "p3 cc", "d db Jh"]
"""


def evening(many: int, folder: Path) -> Field:
    """A file of PBN with so many boards: checked by the command, and merely read by bridgebots in a process of its own."""
    texts, path = boards([*inputs.dealt("bridge", "deals", many)]), folder / "boards.pbn"
    path.write_text("".join(texts), "utf-8")
    reads = f"from pathlib import Path; from bridgebots.pbn import parse_pbn; print(len(parse_pbn(Path({path.name!r}))))"
    checks = python(ROOT, folder, "-m", "handrec", "check", "-q", "--no-progress", path.name)
    runners = [Runner("handrec check, the process", timed(checks), len(texts))]
    assert not checks(), "what is checked is without a fault"
    theirs = python(ROOT, folder, "-c", reads)
    try:
        found = theirs()
    except ChildProcessError as error:
        return runners, [f"bridgebots does not read it: {str(error).splitlines()[-1][:80]}"]
    assert int(found) == len(texts)
    return [*runners, Runner("bridgebots reads, the process", timed(theirs), len(texts))], []


def poker_replays(many: int) -> Callable[[], float]:
    """PokerKit reading a hand history and replaying it, every action checked."""
    from pokerkit import HandHistory

    return each(lambda text: [None for _ in HandHistory.loads(text)], [HAND] * many)


#: Tags of our own, which no other program writes.
OWN = re.compile(r"^\[Record.*\n", re.MULTILINE)


def reading(many: int, folder: Path) -> Field:
    """Strict reading, beside a parser that takes anything, other readers of bridge, and a neighbour's mark."""
    records = [*inputs.dealt("bridge", "deals", many)]
    pretty, lines, others = [*map(dumps, records)], [*map(line, records)], boards(records)
    assert all(map(judge_pbn, others))
    runners = [
        Runner("handrec reads JSON, strictly", each(loads, pretty), many, "records"),
        Runner("handrec reads a line, strictly", each(loads, lines), many, "records"),
        Runner("json.loads of the same line", each(json.loads, lines), many, "records"),
        Runner("handrec reads lines and judges", timed(partial(judge_lines, "".join(lines * 10).encode())), 10 * many, "records"),
        Runner("handrec reads PBN and judges", timed(partial(judge_pbn, "".join(others))), len(others)),
    ]
    rivals: dict[str, tuple[Callable[[], Callable[[], float]], int, str]] = {
        "endplay reads PBN, judges nothing": (lambda: endplay_reads(others, records), len(others), "deals"),
        "bridgebots reads PBN, judges nothing": (lambda: bridgebots_reads(others, folder), len(others), "deals"),
        "PokerKit reads and replays a hand": (lambda: poker_replays(20), 20, "hands"),
    }
    notes = []
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
    """All dates of all proofs of deals without hands, as an onlooker saw them, beside the referee on the same deals."""
    records = []
    for seed in range(many):
        record = deal_game(inputs.game(key), 4, seed, numbers=[1])
        deals = [deal.model_copy(update={"hands": None, "aside": None}) for deal in record.deals]
        records.append(record.model_copy(update={"deals": deals}))
    return [
        Runner(f"the referee, {key} without hands", each(partial(referee, find=find), records), many),
        Runner("every proof dated", each(partial(dated, inputs.game(key)), records), many),
    ], []


def dated(game: Game, record: Record) -> None:
    """All dates of a deal."""
    for table in replay(record, compose(game, record.options)[0], trace=True):
        inference.dates(inference.observed(table))


def kept(records: Sequence[Record]) -> float:
    """The share of some clean records that the fast path keeps, every deal of them."""
    whole = 0
    for record in records:
        taken: list[bool] = []
        referee(record, find, lambda table, taken=taken: taken.append(fast.replayed(table)) or taken[-1])
        whole += len(taken) == len(record.deals) and all(taken)
    return whole / len(records)


def sifted(records: Sequence[Record]) -> float:
    """The share of some records, written as an archive, that the sieve passes. ImportError without numpy and pyarrow."""
    from handrec import archive

    data = io.BytesIO(b"".join(archive.write(records)))
    clean = [archive.clean(archive.Cut(batch, archive.Heads(find))) for batch in archive.batches(data)]
    return float(sum(each.sum() for each in clean)) / len(records)
