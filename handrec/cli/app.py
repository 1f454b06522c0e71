"""The commands and their options; what they do is in the module of each."""

from __future__ import annotations

import enum
from typing import Annotated

import typer

app = typer.Typer(
    name="handrec",
    help="Replay hand records of trick-taking games, check every play against the rules, recompute every score.",
    epilog="""Main job: handrec check PATH...

    \b
    Exit codes: 0 nothing wrong, 1 findings or differences, 2 usage, unreadable
    input or nothing to do, 3 internal error, 130 interrupted, 141 closed pipe.""",
    no_args_is_help=True,
    rich_markup_mode=None,
    pretty_exceptions_enable=False,
    context_settings={"help_option_names": ["-h", "--help"], "max_content_width": 100},
)


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


class FailOn(enum.StrEnum):
    """What makes the exit code 1."""

    ERROR = "error"
    WARNING = "warning"
    NEVER = "never"


PATH = "PATH is a file, a directory with records, @LIST (a file that names one path a line), or - for standard input."
FILE = "FILE is a file, or - for standard input."

# Hidden from the list of arguments, which shows Python types; the epilog says what they are.
Paths = Annotated[list[str], typer.Argument(metavar="PATH", hidden=True)]
OnePath = Annotated[str, typer.Argument(metavar="FILE", hidden=True)]
Output = Annotated[str | None, typer.Option("--output", "-o", metavar="FILE", help="Write to a file; it must not exist.")]
ColourOption = Annotated[Colour, typer.Option("--color", help="Colour: on a terminal, always, or never.")]
InputFormat = Annotated[
    str | None,
    typer.Option("--from", metavar="FORMAT", help="The input's format, if its name does not tell: json, jsonl, dds."),
]
StdinName = Annotated[str, typer.Option("--stdin-filename", metavar="NAME", help="What to call standard input.")]


def _version(wanted: bool) -> None:
    if wanted:
        import platform

        from handrec import __version__
        from handrec.record import VERSION

        typer.echo(f"handrec {__version__} (schema {VERSION}, python {platform.python_version()})")
        raise typer.Exit


@app.callback()
def handrec(
    version: Annotated[
        bool, typer.Option("--version", "-V", callback=_version, is_eager=True, help="Show the version and exit.")
    ] = False,
) -> None:
    """Replay hand records of trick-taking games, check every play against the rules, recompute every score."""


def _check(
    paths: Paths,
    format: Annotated[ReportFormat, typer.Option("--format", "-f", help="How to report.")] = ReportFormat.TEXT,
    output: Output = None,
    select: Annotated[str, typer.Option(metavar="CODES", help="Only findings whose code begins so: REV,SCO001.")] = "",
    ignore: Annotated[str, typer.Option(metavar="CODES", help="No findings whose code begins so.")] = "",
    fail_on: Annotated[FailOn, typer.Option(help="Exit with 1 from this severity on.")] = FailOn.ERROR,
    verbose: Annotated[bool, typer.Option("--verbose", "-v", help="Show every level of every record.")] = False,
    quiet: Annotated[
        int, typer.Option("--quiet", "-q", count=True, show_default=False, help="Only findings; twice: nothing at all.")
    ] = 0,
    color: ColourOption = Colour.AUTO,
    from_: InputFormat = None,
    stdin_filename: StdinName = "<stdin>",
    allow_empty: Annotated[bool, typer.Option("--allow-empty", help="Finding no record at all is no error.")] = False,
    no_progress: Annotated[bool, typer.Option("--no-progress", help="Do not count records on the terminal.")] = False,
    fit: Annotated[
        bool, typer.Option("--fit", help="For records with findings: the readings of the rules under which they have none.")
    ] = False,
) -> None:
    """Check records: schema, cards, turn order, bids, every play, winners, scores, totals.

    \b
    Examples:
      handrec check game.handrec.json
      handrec check records/ --format sarif -o findings.sarif
      handrec deal kbabs --players 5 --seed 7 | handrec check -
      handrec check --fit records/
    """
    from handrec.cli import check

    options = check.Options(
        format, output, select, ignore, fail_on, verbose, quiet, color, from_, stdin_filename, allow_empty, not no_progress, fit
    )
    raise typer.Exit(check.run(paths, options))


app.command("check", epilog=PATH, short_help="Check records: cards, turns, bids, plays, scores, totals.")(_check)
app.command("verify", epilog=PATH, hidden=True)(_check)


@app.command(epilog=FILE, short_help="Replay deals trick by trick, with the referee's remarks.")
def replay(
    file: OnePath,
    deal: Annotated[int | None, typer.Option(metavar="N", min=1, help="Only the deal of this number.")] = None,
    trick: Annotated[int | None, typer.Option(metavar="N", min=1, help="Only this trick.")] = None,
    as_: Annotated[str | None, typer.Option("--as", metavar="SEAT", help="Show only what this seat could see.")] = None,
    format: Annotated[PlainFormat, typer.Option("--format", "-f", help="How to show it.")] = PlainFormat.TEXT,
    exit_code: Annotated[bool, typer.Option("--exit-code", help="Exit with 1 if a fault is shown.")] = False,
    color: ColourOption = Colour.AUTO,
    from_: InputFormat = None,
) -> None:
    """Replay deals trick by trick, with the referee's remarks.

    \b
    Examples:
      handrec replay game.handrec.json --deal 7
      handrec replay game.handrec.json --deal 7 --trick 5 --as E
    """
    from handrec.cli import replay as command

    raise typer.Exit(command.run(file, deal, trick, as_, format, exit_code, color, from_))


@app.command(epilog=PATH, short_help="Recompute scores and compare them with those recorded.")
def score(
    paths: Paths,
    sheet: Annotated[bool, typer.Option("--sheet", help="The whole scorecard: bids, tricks, points, running totals.")] = False,
    format: Annotated[SheetFormat, typer.Option("--format", "-f", help="How to write it.")] = SheetFormat.TEXT,
    output: Output = None,
    from_: InputFormat = None,
) -> None:
    """Recompute scores and compare them with those recorded; exit code 1 if one differs.

    \b
    Examples:
      handrec score game.handrec.json
      handrec score game.handrec.json --sheet
      handrec score game.handrec.json --sheet --format csv -o sheet.csv
    """
    from handrec.cli import score as command

    raise typer.Exit(command.run(paths, sheet, format, output, from_))


@app.command(short_help="Explain a code, a rule, a game or an option.")
def explain(
    what: Annotated[list[str] | None, typer.Argument(metavar="CODE|RULE|GAME|OPTION", hidden=True)] = None,
    list_: Annotated[bool, typer.Option("--list", help="Everything that can be explained, a line each.")] = False,
    format: Annotated[PlainFormat, typer.Option("--format", "-f", help="How to show it.")] = PlainFormat.TEXT,
) -> None:
    """Explain a finding's code, a rule, a game or an option: the sentence, its source, and how sure it is.

    \b
    Examples:
      handrec explain REV002
      handrec explain KB-4.4 kbabs.scoring
      handrec explain kbabs
    """
    from handrec.cli import explain as command

    raise typer.Exit(command.run(what or [], list_, format))


@app.command()
def schema(
    write: Annotated[str | None, typer.Option(metavar="DIR", help="Write the schema into a directory.")] = None,
    check: Annotated[
        str | None, typer.Option(metavar="DIR", help="Compare with the copy in a directory; exit code 1 if it differs.")
    ] = None,
) -> None:
    """Print the JSON Schema of the record format.

    \b
    Examples:
      handrec schema > record-1.0.schema.json
      handrec schema --check schemas
    """
    from handrec.cli import files

    raise typer.Exit(files.schema(write, check))


@app.command(epilog=PATH, short_help="Lay records out in the one canonical way.")
def fmt(
    paths: Paths,
    check: Annotated[bool, typer.Option("--check", help="Change nothing; exit code 1 if a file would change.")] = False,
    diff: Annotated[bool, typer.Option("--diff", help="Change nothing; show what would change.")] = False,
) -> None:
    """Lay records out in the one canonical way, a trick's plays beneath each other; nothing is lost.

    \b
    Examples:
      handrec fmt records/
      handrec fmt --diff game.handrec.json
    """
    from handrec.cli import files

    raise typer.Exit(files.fmt(paths, check, diff))


@app.command(short_help="Deal legal games, or games with exactly one fault.")
def deal(
    game: Annotated[str, typer.Argument(metavar="GAME", hidden=True)],
    players: Annotated[
        int | None, typer.Option("--players", "-p", metavar="N", min=1, help="How many play; 4 if the game allows it.")
    ] = None,
    seed: Annotated[int, typer.Option(metavar="N", help="The same seed gives the same game.")] = 0,
    deals: Annotated[int | None, typer.Option(metavar="N", min=1, help="Only the first deals of the game.")] = None,
    number: Annotated[int | None, typer.Option(metavar="N", min=1, help="Only the deal of this number.")] = None,
    count: Annotated[
        int, typer.Option("--count", "-n", metavar="N", min=1, help="How many games, one a line, with seeds from SEED on.")
    ] = 1,
    option: Annotated[list[str] | None, typer.Option("--option", metavar="NAME=VALUE", help="An option of the game.")] = None,
    inject: Annotated[str | None, typer.Option(metavar="CODE", help="Plant exactly one fault, such as REV001.")] = None,
    output: Output = None,
) -> None:
    """Deal legal games for tests and teaching, or games with exactly one fault.

    \b
    Examples:
      handrec deal kbabs --players 5 --seed 7
      handrec deal kbabs --option ladder=down --deals 3
      handrec deal bridge --inject REV001 -o revoke.handrec.json
    """
    from handrec.cli import files

    raise typer.Exit(files.deal(game, players, seed, deals, number, count, option or [], inject, output))


@app.command(epilog=PATH, short_help="Print the digest of each deal's facts.")
def digest(paths: Paths, from_: InputFormat = None) -> None:
    """Print the digest of each deal's facts: the same for the same deal, however it is written down.

    \b
    Example:
      handrec digest game.handrec.json
    """
    from handrec.cli import files

    raise typer.Exit(files.digest(paths, from_))
