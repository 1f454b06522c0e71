"""What several commands ask for: choices, paths, formats."""

from __future__ import annotations

from typing import Annotated, Literal, TypeVar

import typer

from handrec.cli import completing

#: When to colour text.
Colour = Literal["auto", "always", "never"]
#: How `check` reports, `score` writes, `replay` shows, `ruling` and `diff` and `audit` tell; others have text and JSON.
ReportFormat = Literal["text", "line", "json", "jsonl", "sarif", "github", "junit", "markdown"]
SheetFormat = Literal["text", "markdown", "csv", "tsv", "json"]
ReplayFormat = Literal["text", "json", "html"]
RulingFormat = Literal["text", "json", "markdown"]
DiffFormat = Literal["text", "json", "markdown", "json-patch", "merge-patch"]
AuditFormat = Literal["text", "json", "markdown", "html"]
PlainFormat = Literal["text", "json"]
#: What `audit` sums up by, and what does its work.
By = Literal["code", "game", "options", "player"]
EngineName = Literal["processes", "dask"]
#: What makes the exit code 1.
FailOn = Literal["error", "warning", "never"]

Name = TypeVar("Name", str, list[str], str | None)


def named(name: Name) -> Name:
    """A path, or some, as given; an empty one would be the working directory, and nobody means that."""
    if "" in (name if isinstance(name, list) else [name]):
        raise typer.BadParameter("an empty path names nothing")
    return name


# Hidden from the list of arguments, which shows Python types; the epilog says what they are.
Paths = Annotated[list[str], typer.Argument(metavar="PATH", hidden=True, callback=named)]
OnePath = Annotated[str, typer.Argument(metavar="FILE", hidden=True, callback=named)]
Output = Annotated[
    str | None,
    typer.Option(
        "--output",
        "-o",
        metavar="FILE",
        callback=lambda name: None if name == "-" else named(name),
        help="Write to a file; it must not exist. - is standard output.",
    ),
]
ColourOption = Annotated[Colour, typer.Option("--color", help="Colour: on a terminal, always, or never.")]
FailOnOption = Annotated[FailOn, typer.Option("--fail-on", help="Exit with 1 from this severity on.")]
ExitZero = Annotated[
    bool, typer.Option("--exit-zero", help="Exit with 0 whatever is found, as --fail-on never; with 2 or 3 where it must.")
]
InputFormat = Annotated[
    str | None,
    typer.Option(
        "--from",
        metavar="FORMAT",
        help="The input's format, if not told by its name: json, jsonl, parquet, hrt, csv, tsv, dds, pbn, lin, rbn.",
        autocompletion=completing.read,
    ),
]
StdinName = Annotated[str, typer.Option("--stdin-filename", metavar="NAME", help="What to call standard input.")]
