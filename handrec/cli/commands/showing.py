"""Commands that show: what they are asked for, and their help."""

from __future__ import annotations

from typing import Annotated

import typer

from handrec.cli import completing
from handrec.cli.commands.options import ColourOption, InputFormat, OnePath, Output, PlainFormat, ReplayFormat, named


def replay(
    file: OnePath,
    deal: Annotated[int | None, typer.Option(metavar="N", min=1, help="Only the deal of this number.")] = None,
    trick: Annotated[int | None, typer.Option(metavar="N", min=1, help="Only this trick.")] = None,
    as_: Annotated[str | None, typer.Option("--as", metavar="SEAT", help="Show only what this seat could see.")] = None,
    format: Annotated[
        ReplayFormat,
        typer.Option("--format", "-f", help="How to show it; html is the page of view, opened at --deal and --trick."),
    ] = "text",
    output: Output = None,
    step: Annotated[bool, typer.Option("--step", help="Card by card, by keys; ? shows them.")] = False,
    exit_code: Annotated[bool, typer.Option("--exit-code", help="Exit with 1 if a fault is shown.")] = False,
    color: ColourOption = "auto",
    from_: InputFormat = None,
) -> None:
    """Replay deals trick by trick, with the referee's remarks.

    \b
    Examples:
      handrec replay game.handrec.json --deal 7
      handrec replay game.handrec.json --deal 7 --trick 5 --as E
      handrec replay game.handrec.json --step
      handrec replay game.handrec.json --deal 7 -f html -o game.html
    """


def view(
    files: Annotated[list[str], typer.Argument(metavar="FILE", callback=named, hidden=True)],
    output: Annotated[
        str | None,
        typer.Option(
            "--output",
            "-o",
            metavar="FILE",
            callback=named,
            help="Write to this file, not beside the record; - is standard output.",
        ),
    ] = None,
    record: Annotated[
        int | None, typer.Option(metavar="N", min=1, help="The record of this number, where a file holds several.")
    ] = None,
    open_: Annotated[bool, typer.Option("--open", help="Open the page in the browser.")] = False,
    watch: Annotated[bool, typer.Option("--watch", help="Write the page anew as the record is edited, until Ctrl-C.")] = False,
    anonymise: Annotated[
        bool,
        typer.Option(
            "--anonymise",
            help="Seats for names, P1, P2... for seats that may be names; no comments, reasons, provenance, extensions."
            " The words of calls, announcements and cards set aside stay.",
        ),
    ] = False,
    lin_url: Annotated[
        bool, typer.Option("--lin-url", help="Instead of a page, print a link for each board of bridge: BBO's viewer shows it.")
    ] = False,
    from_: InputFormat = None,
) -> None:
    """Make one HTML page of a record, or of two beside each other: the table card by card, what broke a rule, and which.

    The page asks for nothing from anywhere: it can be mailed, and opened without a network. It stands beside the record
    (game.html beside game.handrec.json), and takes the place of an earlier page, but of no other file.

    \b
    Examples:
      handrec view game.handrec.json --open
      handrec view game.hrt --watch
      handrec view mine.handrec.json theirs.handrec.json -o both.html
      handrec view evening.lin --lin-url
    """


def page(
    output: Annotated[
        str,
        typer.Option("--output", "-o", metavar="FOLDER", callback=named, help="A new or empty folder, or such a page."),
    ],
    runtime: Annotated[
        str | None,
        typer.Option(metavar="DIR", callback=named, help="The folder with Pyodide and pydantic-core; left out: how to get them."),
    ] = None,
) -> None:
    """Make a folder for a web server: a page that runs handrec in the browser of whoever opens it.

    Nothing has to be installed there, and nothing is sent: records stay in the browser. handrec help browser tells more.

    \b
    Examples:
      handrec page -o site --runtime runtime
    """


def explain(
    what: Annotated[
        list[str] | None, typer.Argument(metavar="CODE|RULE|GAME|OPTION", hidden=True, autocompletion=completing.explained)
    ] = None,
    list_: Annotated[bool, typer.Option("--list", help="Everything that can be explained, a line each.")] = False,
    format: Annotated[PlainFormat, typer.Option("--format", "-f", help="How to show it.")] = "text",
) -> None:
    """Explain a finding's code, a rule, a game or an option: the sentence, its source, and how sure it is.

    \b
    Examples:
      handrec explain REV002
      handrec explain KB-4.4 kbabs.scoring
      handrec explain kbabs
    """


def help_(
    topic: Annotated[str | None, typer.Argument(metavar="TOPIC", hidden=True, autocompletion=completing.topics)] = None,
) -> None:
    """Tell of a topic, or of a command; without one, list the topics.

    \b
    Examples:
      handrec help notation
      handrec help check
    """
