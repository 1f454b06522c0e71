"""What tests of the command line have in common: its commands, some records, and files."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

from handrec.cli.app import app

ROOT = Path(__file__).parents[1]
CLEAN = "clean/kbabs-1-player.handrec.json"
REVOKE = "broken/kbabs/KB-5.2-REV001.handrec.json"
NOTE = "broken/kbabs/KB-5.9-CLM005.handrec.json"
WARNING = "broken/form/FMT015-byte-order-mark.json"
TRUNCATED = "broken/form/FMT001-truncated.json"
HOSTILE = "broken/form/PLY007-hostile-names.json"

COMMANDS = tuple(command.name or command.callback.__name__ for command in app.registered_commands if command.callback)
READERS = ("check", "replay", "ruling", "infer", "score", "fmt", "digest")

Handrec = Callable[..., tuple[int, str, str]]


def fixture(name: str) -> str:
    """The path of a fixture."""
    return str(ROOT / "fixtures" / name)


def written(name: str, content: str | bytes = "") -> str:
    """A file in the current directory."""
    Path(name).write_bytes(content if isinstance(content, bytes) else content.encode())
    return name
