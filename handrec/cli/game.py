"""`handrec game`: try a game that somebody has written."""

from __future__ import annotations

from pathlib import Path

from handrec.cli import trial
from handrec.cli.errors import CommandError, naming_file
from handrec.report.safe import safe


def run(file: str, games: int, seed: int) -> int:
    """Load a game and try it; what fails is told, a line each."""
    path = Path(file)
    with naming_file(file):
        path.read_bytes()
    try:
        game = trial.load(path)
    except trial.NotAGame as error:
        raise CommandError(f"{safe(file, 300)}: {safe(str(error), 400)}") from None
    many = 0
    for trouble in trial.troubles(game, path, games, seed):
        many += 1
        print(f"{safe(file, 300)}: {safe(trouble, 600)}")
    if not many:
        print(f"{game.title}: {games} games dealt, judged in every way alike, every fault planted was found.")
        if trial.taken(game, path):
            print(f"There is a game {game.key} already: to stand beside it, this one needs a key of its own.")
    return 1 if many else 0
