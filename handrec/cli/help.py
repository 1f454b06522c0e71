"""`handrec help`: a topic of this room's neighbour `help`, a Markdown file each; or a command's own help."""

from __future__ import annotations

import sys
from pathlib import Path

from handrec.cli.errors import unknown

FOLDER = Path(__file__).parents[1] / "help"


def topics() -> list[str]:
    """The names of all topics, sorted."""
    return sorted(path.stem for path in FOLDER.glob("*.md"))


def text(topic: str) -> str:
    """A topic as it stands: Markdown, its title first."""
    return (FOLDER / f"{topic}.md").read_text("utf-8")


def run(topic: str | None) -> int:
    """Print a topic or a command's help; with nothing asked for, the topics."""
    from handrec.cli import run as command
    from handrec.cli.app import COMMANDS

    known, commands = topics(), [declared.__name__.rstrip("_") for declared, *_ in COMMANDS]
    if topic is None:
        for name in known:
            title, _, _ = text(name).partition("\n")
            print(f"{name:<10} {title.removeprefix('# ')}")
        print(
            "\nhandrec help TOPIC tells it; handrec COMMAND --help tells of a command, handrec explain of codes, rules and games."
        )
        return 0
    word = topic.lower().removesuffix(".md")
    if word in known:
        sys.stdout.write(text(word))
        return 0
    if word in commands:
        return command([word, "--help"])
    raise unknown("topic", topic, [*known, *commands], f"; there are {', '.join(known)}")
