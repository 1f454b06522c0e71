"""What several commands ask for: choices, paths, formats."""

from __future__ import annotations

import enum
from typing import Annotated

import typer


class Colour(enum.StrEnum):
    """When to colour text."""

    AUTO = "auto"
    ALWAYS = "always"
    NEVER = "never"


class ReportFormat(enum.StrEnum):
    """How `check` reports."""

    TEXT = "text"
    JSON = "json"
    JSONL = "jsonl"
    SARIF = "sarif"
    GITHUB = "github"
    JUNIT = "junit"
    MARKDOWN = "markdown"


class SheetFormat(enum.StrEnum):
    """How `score` writes."""

    TEXT = "text"
    MARKDOWN = "markdown"
    CSV = "csv"
    TSV = "tsv"
    JSON = "json"


class PlainFormat(enum.StrEnum):
    """Text for people, JSON for programs."""

    TEXT = "text"
    JSON = "json"


class ReplayFormat(enum.StrEnum):
    """Text for people, JSON for programs, a page for the browser."""

    TEXT = "text"
    JSON = "json"
    HTML = "html"


class RulingFormat(enum.StrEnum):
    """Text for people, JSON for programs, Markdown for club pages."""

    TEXT = "text"
    JSON = "json"
    MARKDOWN = "markdown"


class DiffFormat(enum.StrEnum):
    """How `diff` tells how records disagree."""

    TEXT = "text"
    JSON = "json"
    MARKDOWN = "markdown"
    JSON_PATCH = "json-patch"
    MERGE_PATCH = "merge-patch"


class AuditFormat(enum.StrEnum):
    """How `audit` reports."""

    TEXT = "text"
    JSON = "json"
    MARKDOWN = "markdown"
    HTML = "html"


class By(enum.StrEnum):
    """What `audit` sums up by."""

    CODE = "code"
    GAME = "game"
    OPTIONS = "options"
    PLAYER = "player"


class EngineName(enum.StrEnum):
    """What does the work of `audit`."""

    PROCESSES = "processes"
    DASK = "dask"


class FailOn(enum.StrEnum):
    """What makes the exit code 1."""

    ERROR = "error"
    WARNING = "warning"
    NEVER = "never"


# Hidden from the list of arguments, which shows Python types; the epilog says what they are.
Paths = Annotated[list[str], typer.Argument(metavar="PATH", hidden=True)]
OnePath = Annotated[str, typer.Argument(metavar="FILE", hidden=True)]
Output = Annotated[
    str | None,
    typer.Option(
        "--output",
        "-o",
        metavar="FILE",
        callback=lambda name: None if name == "-" else name,
        help="Write to a file; it must not exist. - is standard output.",
    ),
]
ColourOption = Annotated[Colour, typer.Option("--color", help="Colour: on a terminal, always, or never.")]
InputFormat = Annotated[
    str | None,
    typer.Option(
        "--from",
        metavar="FORMAT",
        help="The input's format, if not told by its name: json, jsonl, parquet, hrt, csv, tsv, dds, pbn, lin.",
    ),
]
StdinName = Annotated[str, typer.Option("--stdin-filename", metavar="NAME", help="What to call standard input.")]
