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


PATH = "PATH is a file, a directory with records, @LIST (a file that names one path a line), or - for standard input."
FILE = "FILE is a file, or - for standard input."

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


def _version(wanted: bool) -> None:
    if wanted:
        import platform

        from handrec import __version__
        from handrec.record import VERSION

        typer.echo(f"handrec {__version__} (schema {VERSION}, python {platform.python_version()})")
        raise typer.Exit


@app.callback(invoke_without_command=True)
def handrec(
    context: typer.Context,
    version: Annotated[
        bool, typer.Option("--version", "-V", callback=_version, is_eager=True, help="Show the version and exit.")
    ] = False,
    no_config: Annotated[bool, typer.Option("--no-config", help="Read no handrec.toml.")] = False,
    show_config: Annotated[
        bool, typer.Option("--show-config", help="Show what handrec.toml and HANDREC_ variables say.")
    ] = False,
) -> None:
    """Replay hand records of trick-taking games, check every play against the rules, recompute every score."""
    from handrec.cli import config

    if show_config:
        typer.echo(config.shown(context, not no_config))
        raise typer.Exit
    if context.invoked_subcommand is None:
        context.fail("Missing command.")
    if not {"-h", "--help"} & {*(context.obj or ())}:  # help is given whatever a file says
        context.default_map = config.defaults(context, not no_config)


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
    diff: Annotated[bool, typer.Option("--diff", help="Show what --fix would change; write nothing.")] = False,
    fix: Annotated[
        bool, typer.Option("--fix", help="Write what follows from cards, bids and plays; the file as it was becomes FILE.orig.")
    ] = False,
    unsafe_fixes: Annotated[
        bool,
        typer.Option(
            "--unsafe-fixes",
            help="Also look for the smallest edits of cards, bids and plays that make a record legal;"
            " --fix writes those that are the only ones.",
        ),
    ] = False,
    baseline: Annotated[str | None, typer.Option(metavar="FILE", help="Leave out the findings that a baseline lists.")] = None,
    write_baseline: Annotated[
        str | None, typer.Option(metavar="FILE", help="Write a baseline: all that is found now; it must not exist.")
    ] = None,
) -> None:
    """Check records: schema, cards, turn order, bids, every play, winners, scores, totals.

    --fix writes claimed winners, trick counts, scores, totals and trump, and the spelling of cards, where they follow from
    the rest of the record; never a card, a hand or a bid, and nothing that a fault in the play leaves open. What stood there
    is listed in the record, under extensions, handrec.fixes. Only JSON and JSON Lines are written.

    \b
    Examples:
      handrec check game.handrec.json
      handrec check records/ --format sarif -o findings.sarif
      handrec deal kbabs --players 5 --seed 7 | handrec check -
      handrec check --fit records/
      handrec check --diff game.handrec.json
      handrec check --fix --unsafe-fixes game.handrec.json
      handrec check old/ --write-baseline known.json
      handrec check old/ --baseline known.json
    """
    from handrec.cli import check
    from handrec.cli.mend import Mending

    mending = Mending(diff, fix, unsafe_fixes) if diff or fix or unsafe_fixes else None
    shown = (format, output, select, ignore, fail_on, verbose, quiet, color)
    options = check.Options(*shown, from_, stdin_filename, allow_empty, not no_progress, fit, mending, baseline, write_baseline)
    raise typer.Exit(check.run(paths, options))


app.command("check", epilog=PATH, short_help="Check records: cards, turns, bids, plays, scores, totals.")(_check)
app.command("verify", epilog=PATH, hidden=True)(_check)


@app.command(epilog=FILE, short_help="Replay deals trick by trick, with the referee's remarks.")
def replay(
    file: OnePath,
    deal: Annotated[int | None, typer.Option(metavar="N", min=1, help="Only the deal of this number.")] = None,
    trick: Annotated[int | None, typer.Option(metavar="N", min=1, help="Only this trick.")] = None,
    as_: Annotated[str | None, typer.Option("--as", metavar="SEAT", help="Show only what this seat could see.")] = None,
    format: Annotated[
        ReplayFormat,
        typer.Option("--format", "-f", help="How to show it; html is the page of view, opened at --deal and --trick."),
    ] = ReplayFormat.TEXT,
    output: Output = None,
    step: Annotated[bool, typer.Option("--step", help="Card by card, by keys; ? shows them.")] = False,
    exit_code: Annotated[bool, typer.Option("--exit-code", help="Exit with 1 if a fault is shown.")] = False,
    color: ColourOption = Colour.AUTO,
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
    from handrec.cli import replay as command

    raise typer.Exit(command.run(file, deal, trick, as_, format, output, exit_code, color, from_, step))


@app.command(
    epilog=f"{FILE} A second one is shown beside the first.", short_help="Make a page to look at: hands, cards, tricks, findings."
)
def view(
    files: Annotated[list[str], typer.Argument(metavar="FILE", hidden=True)],
    output: Output = None,
    record: Annotated[
        int | None, typer.Option(metavar="N", min=1, help="The record of this number, where a file holds several.")
    ] = None,
    open_: Annotated[bool, typer.Option("--open", help="Open the page in the browser.")] = False,
    anonymise: Annotated[
        bool,
        typer.Option(
            "--anonymise",
            help="Seats for names, P1, P2... for seats that may be names; no comments, reasons, provenance, extensions."
            " The words of calls, announcements and cards set aside stay.",
        ),
    ] = False,
    from_: InputFormat = None,
) -> None:
    """Make one HTML page of a record, or of two beside each other: the table card by card, what broke a rule, and which.

    The page asks for nothing from anywhere: it can be mailed, and opened without a network.

    \b
    Examples:
      handrec view game.handrec.json -o game.html --open
      handrec view mine.handrec.json theirs.handrec.json -o both.html
    """
    from handrec.cli import view as command

    raise typer.Exit(command.run(files, output, record, open_, anonymise, from_))


@app.command(epilog=FILE, short_help="Rule on reneges: facts, dates, law, what follows.")
def ruling(
    file: OnePath,
    claim: Annotated[
        list[str] | None, typer.Option("--claim", metavar="SEAT@TRICK", help="Only this claim: E@5. All, if none is given.")
    ] = None,
    deal: Annotated[int | None, typer.Option(metavar="N", min=1, help="The deal of this number.")] = None,
    noticed: Annotated[
        str | None, typer.Option(metavar="TRICK.CARD", help="When it was claimed: 8.1 is after the first card of trick 8.")
    ] = None,
    laws: Annotated[
        str | None, typer.Option(metavar="PROFILE", help="The laws to rule by, instead of the record's or the game's own.")
    ] = None,
    format: Annotated[RulingFormat, typer.Option("--format", "-f", help="How to write it.")] = RulingFormat.TEXT,
    output: Output = None,
    exit_code: Annotated[
        bool, typer.Option("--exit-code", help="Exit with 1 if a claim is upheld, else 4 if one cannot be decided.")
    ] = False,
    color: ColourOption = Colour.AUTO,
    from_: InputFormat = None,
) -> None:
    """Rule on reneges: the facts found, when each could be known, the law, what follows and how the score stands then.

    \b
    Laws: kbabs, spades3, bridge-2017 (each game's own), whist-classic,
    skat-isko, spades-3books, spades-set, hearts-all, euchre-2, none; a record
    may name them, or state its own, in its extensions as handrec.laws.

    \b
    Examples:
      handrec ruling game.handrec.json
      handrec ruling game.handrec.json --claim E@5 --deal 7 --noticed 8.1
      handrec ruling game.handrec.json --laws spades-3books -f markdown
    """
    from handrec.cli import ruling as command

    raise typer.Exit(command.run(file, claim or [], deal, noticed, laws, format, output, exit_code, color, from_))


@app.command(epilog=FILE, short_help="Tell what the table could know: proofs, who can hold what.")
def infer(
    file: OnePath,
    deal: Annotated[int | None, typer.Option(metavar="N", min=1, help="Only the deal of this number.")] = None,
    at: Annotated[
        str | None,
        typer.Option(metavar="TRICK.CARD", help="After this card; 6 is after trick 6, 0 before the first card. Else at the end."),
    ] = None,
    as_: Annotated[
        str, typer.Option("--as", metavar="SEAT", help="What this seat could know; public: everybody; open: all hands are known.")
    ] = "public",
    plays: Annotated[
        bool, typer.Option("--plays", help="List every play with its verdict, and since when it is proved.")
    ] = False,
    format: Annotated[PlainFormat, typer.Option("--format", "-f", help="How to show it.")] = PlainFormat.TEXT,
    output: Output = None,
    color: ColourOption = Colour.AUTO,
    from_: InputFormat = None,
) -> None:
    """Tell what the table could know from the cards shown: which plays are proved legal or illegal and since when, who may
    be at fault, who can hold each unseen card, how many deals fit. No hand need be recorded. Exit code 1 if no legal deal fits.

    \b
    Examples:
      handrec infer game.handrec.json
      handrec infer game.handrec.json --deal 7 --at 6.1 --as E
      handrec infer game.handrec.json --deal 7 --plays

    \b
    -f json has a statement of each deal and a certificate of each proof; to check
    one, in Python: handrec.inference.accepts(statement, certificate)
    """
    from handrec.cli import infer as command

    raise typer.Exit(command.run(file, deal, at, as_, plays, format, output, color, from_))


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


@app.command(
    epilog="FILE is a file, or - for one that comes on standard input. Files are called A, B, C in their order.",
    short_help="Compare records of the same deals; say which one the rules are for.",
)
def diff(
    files: Annotated[list[str], typer.Argument(metavar="A B [C...]", hidden=True)],
    format: Annotated[DiffFormat, typer.Option("--format", "-f", help="How to tell it.")] = DiffFormat.TEXT,
    facts: Annotated[
        bool, typer.Option("--facts", help="Do not compare names, comments, provenance, extensions and ids.")
    ] = False,
    reconcile: Annotated[
        bool, typer.Option("--reconcile", help="Write one record out of all to the output, with where each value is from.")
    ] = False,
    output: Output = None,
    from_: InputFormat = None,
) -> None:
    """Compare records of the same deals: by deal, trick and seat, hands as sets, and with the rules' vote.

    \b
    Exit codes: 0 they say the same, 1 they differ, 2 one cannot be read.
    With three or more, each difference says whether most agree.
    A patch (RFC 6902, RFC 7386) turns the JSON of A, as fmt writes it, into B's.

    \b
    Examples:
      handrec diff north.handrec.json east.handrec.json
      handrec diff a.handrec.json b.handrec.json --format json-patch
      handrec diff a.json b.json c.json --reconcile -o agreed.handrec.json
    """
    from handrec.cli import diff as command

    raise typer.Exit(command.run(files, format, facts, reconcile, output, from_))


@app.command(epilog=PATH, short_help="Convert records to another format; refuse what would be lost.")
def convert(
    paths: Paths,
    output: Output = None,
    from_: InputFormat = None,
    to: Annotated[
        str | None, typer.Option(metavar="FORMAT", help="The output's format, if its name does not tell (see below).")
    ] = None,
    allow_lossy: Annotated[bool, typer.Option("--allow-lossy", help="Write also what the format does not hold all of.")] = False,
    report: Annotated[
        str | None, typer.Option(metavar="FILE", help="Write what is lost to a file, as JSON. - is standard output.")
    ] = None,
    game: Annotated[str | None, typer.Option(metavar="GAME", help="The game, for score sheets that do not say.")] = None,
    option: Annotated[list[str] | None, typer.Option("--option", metavar="NAME=VALUE", help="An option of that game.")] = None,
    no_progress: Annotated[bool, typer.Option("--no-progress", help="Do not count records on the terminal.")] = False,
) -> None:
    """Convert records to another format. What that does not hold is found by reading back what was written: it is listed,
    and then nothing is written, exit code 1, unless --allow-lossy is given.

    \b
    Formats: json (.json, one record), jsonl (.jsonl, .jsonl.gz, .jsonl.xz), hrt
    (typed notation), csv and tsv (score sheets: what was written down of bids,
    tricks, points, totals); for reading only: markdown (.md), html.

    \b
    Examples:
      handrec convert game.handrec.json -o game.hrt
      handrec convert records/ -o archive.jsonl.gz
      handrec convert game.handrec.json --to csv --allow-lossy
      handrec convert sheet.csv --game kbabs --option ladder=down -o sheet.json
    """
    from handrec.cli import convert as command

    chosen = command.Options(output, from_, to, allow_lossy, report, game, option or [], not no_progress)
    raise typer.Exit(command.run(paths, chosen))


@app.command(epilog=PATH, short_help="Audit archives: very many records, summed up.")
def audit(
    paths: Paths,
    format: Annotated[AuditFormat, typer.Option("--format", "-f", help="How to report.")] = AuditFormat.TEXT,
    out: Annotated[
        str | None,
        typer.Option(
            "--out",
            "-o",
            metavar="FILE",
            help="Also write a new file: every finding as .jsonl or .parquet, or the report as .html, .md, .json or .txt.",
        ),
    ] = None,
    db: Annotated[str | None, typer.Option("--db", metavar="FILE", help="Also write all of it as a new SQLite database.")] = None,
    by: Annotated[By | None, typer.Option("--by", help="Sum up only by this, and show every row.")] = None,
    top: Annotated[int, typer.Option("--top", metavar="N", min=1, help="Show so many rows of each table.")] = 10,
    jobs: Annotated[
        int | None, typer.Option("--jobs", "-j", metavar="N", min=1, help="Workers; one for each core if not given.")
    ] = None,
    engine: Annotated[
        EngineName, typer.Option("--engine", help="Processes of this machine, or a Dask cluster.")
    ] = EngineName.PROCESSES,
    scheduler: Annotated[
        str | None,
        typer.Option("--scheduler", metavar="ADDRESS", help="The Dask scheduler; without it, a cluster of this machine."),
    ] = None,
    resume: Annotated[
        str | None, typer.Option("--resume", metavar="STATE", help="Keep what is finished in this file, and go on from it.")
    ] = None,
    no_sieve: Annotated[
        bool,
        typer.Option(
            "--no-sieve",
            help="Have the referee judge every record: slower, the same.",
        ),
    ] = False,
    fail_on: Annotated[FailOn, typer.Option(help="Exit with 1 from this severity on.")] = FailOn.ERROR,
    from_: InputFormat = None,
    allow_empty: Annotated[bool, typer.Option("--allow-empty", help="Finding no record at all is no error.")] = False,
    no_progress: Annotated[bool, typer.Option("--no-progress", help="Do not count records on the terminal.")] = False,
    quiet: Annotated[bool, typer.Option("--quiet", "-q", help="Do not print the report.")] = False,
) -> None:
    """Audit archives: judge very many records and sum up by code, game, options and player; find deals recorded twice.

    The report is the same whatever does the work. A record over which a worker fails is the finding INT001 (exit code 3 at
    the end) and stops nothing. A PATH can be a URL that fsspec opens (extra "dask"); one that ends in a slash is a directory.

    \b
    Examples:
      handrec audit archive/
      handrec audit 2025.jsonl.gz --by player --db findings.sqlite
      handrec audit archive/ --jobs 8 --resume audit.state -o findings.jsonl
      handrec audit archive/ --engine dask --scheduler tcp://10.0.0.1:8786
      handrec audit s3://bucket/archive/ --engine dask
    """
    from handrec.cli import audit as command

    chosen = command.Options(
        format,
        out,
        db,
        by,
        top,
        jobs,
        engine,
        scheduler,
        resume,
        not no_sieve,
        fail_on,
        from_,
        allow_empty,
        not no_progress,
        quiet,
    )
    raise typer.Exit(command.run(paths, chosen))


@app.command(epilog=PATH, short_help="Bring records of earlier versions of the format forward.")
def migrate(
    paths: Paths,
    to: Annotated[str | None, typer.Option(metavar="VERSION", help="The version to bring them to, if not the latest.")] = None,
    diff: Annotated[bool, typer.Option("--diff", help="Change nothing; show what would change, exit code 1 if any.")] = False,
) -> None:
    """Bring records of earlier versions of the format forward; the file as it was becomes FILE.orig.

    Version 1.0 is the first: so far there is nothing to bring forward.

    \b
    Examples:
      handrec migrate records/
      handrec migrate --diff game.handrec.json
    """
    from handrec.cli import migrate as command

    raise typer.Exit(command.run(paths, to, diff))


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
