"""Commands that judge: what they are asked for, and their help."""

from __future__ import annotations

from typing import Annotated

import typer

from handrec.cli import completing
from handrec.cli.commands.options import (
    AuditFormat,
    By,
    ColourOption,
    EngineName,
    ExitZero,
    FailOnOption,
    InputFormat,
    OnePath,
    Output,
    Paths,
    PlainFormat,
    ReportFormat,
    RulingFormat,
    SheetFormat,
    StdinName,
    named,
)


def check(
    context: typer.Context,
    paths: Paths,
    format: Annotated[
        ReportFormat | None,
        typer.Option("--format", "-f", show_default="text on a terminal, else line", help="How to report: text is for people."),
    ] = None,
    output: Output = None,
    select: Annotated[
        str,
        typer.Option(metavar="CODES", help="Only findings whose code begins so: REV,SCO001.", autocompletion=completing.codes),
    ] = "",
    ignore: Annotated[
        str, typer.Option(metavar="CODES", help="No findings whose code begins so.", autocompletion=completing.codes)
    ] = "",
    require: Annotated[
        str, typer.Option(metavar="LEVELS", help="Fail where these could not be checked throughout: L4,L5 are plays and scores.")
    ] = "",
    fail_on: FailOnOption = "error",
    exit_zero: ExitZero = False,
    verbose: Annotated[bool, typer.Option("--verbose", "-v", help="Show every level of every record.")] = False,
    quiet: Annotated[
        int,
        typer.Option(
            "--quiet", "-q", count=True, show_default=False, help="Only findings, without other readings; twice: nothing at all."
        ),
    ] = 0,
    statistics: Annotated[
        bool, typer.Option("--statistics", help="Count the findings by code instead of telling each (text).")
    ] = False,
    color: ColourOption = "auto",
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
            help="Also look for the slips of the pen that explain what is found; --fix writes those that are proved.",
        ),
    ] = False,
    baseline: Annotated[
        str | None, typer.Option(metavar="FILE", callback=named, help="Leave out the findings that a baseline lists.")
    ] = None,
    write_baseline: Annotated[
        str | None,
        typer.Option(metavar="FILE", callback=named, help="Write a baseline: all that is found now; it must not exist."),
    ] = None,
) -> None:
    """Check records: schema, cards, turn order, bids, every play, winners, scores, totals.

    Records of one board of bridge that are read together are compared: IMPs and matchpoints written down in one are found
    wrong at the end, when all tables are known; -v says which could not be compared.

    --fix writes claimed winners, trick counts, scores, totals and trump, and the spelling of cards, where they follow from
    the rest of the record; never a card, a hand or a bid, and nothing that a fault in the play leaves open. What stood there
    is listed in the record, under extensions, handrec.fixes. Only JSON and JSON Lines are written. The file as it was stays as
    FILE.orig, and when it is mended again as FILE.orig.2 and so on; a FILE.orig that is not ours is left alone, and then
    nothing is written.

    --unsafe-fixes looks for slips of the pen that explain what is found. --fix writes those that are proved: nothing else can
    have stood there, or nothing else explains it as simply. Others are shown as guesses, five at most, the likeliest first. What
    a player did against a rule is told as it is written and never changed.

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


def ruling(
    file: OnePath,
    claim: Annotated[
        list[str] | None, typer.Option("--claim", metavar="SEAT@TRICK", help="Only this claim: E@5. All, if none is given.")
    ] = None,
    deal: Annotated[int | None, typer.Option(metavar="N", min=1, help="The deal of this number.")] = None,
    noticed: Annotated[
        str | None,
        typer.Option(
            metavar="MOMENT",
            help="When it was noticed: 8.1 is after the first card of trick 8; or over (the deal is), next (both sides have "
            "called on the next deal), round (the round is over).",
        ),
    ] = None,
    laws: Annotated[
        str | None,
        typer.Option(
            metavar="PROFILE",
            help="The laws to rule by, instead of the record's or the game's own.",
            autocompletion=completing.laws,
        ),
    ] = None,
    format: Annotated[RulingFormat, typer.Option("--format", "-f", help="How to write it.")] = "text",
    output: Output = None,
    exit_code: Annotated[
        bool, typer.Option("--exit-code", help="Exit with 1 if a claim is upheld, else 4 if one cannot be decided.")
    ] = False,
    color: ColourOption = "auto",
    from_: InputFormat = None,
) -> None:
    """Rule on reneges: the facts found, when each could be known, the law, what follows and how the score stands then.

    The laws are gone through in their order: noticed in time to be put right, or established; exempt, or paid for.

    \b
    Laws: kbabs, spades3, bridge-2017 (each game's own), bridge-2007,
    whist-classic, skat-isko, spades-3books, spades-set, hearts-all, euchre-2,
    none; a record may name them, or state its own, in its extensions as
    handrec.laws.

    \b
    Examples:
      handrec ruling game.handrec.json
      handrec ruling game.handrec.json --claim E@5 --deal 7 --noticed 8.1
      handrec ruling board.pbn --claim E@12 --noticed over --laws bridge-2007
      handrec ruling game.handrec.json --laws spades-3books -f markdown
    """


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
    format: Annotated[PlainFormat, typer.Option("--format", "-f", help="How to show it.")] = "text",
    output: Output = None,
    color: ColourOption = "auto",
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


def score(
    paths: Paths,
    sheet: Annotated[bool, typer.Option("--sheet", help="The whole scorecard: bids, tricks, points, running totals.")] = False,
    format: Annotated[SheetFormat, typer.Option("--format", "-f", help="How to write it.")] = "text",
    output: Output = None,
    from_: InputFormat = None,
) -> None:
    """Recompute scores and compare them with those recorded; exit code 1 if one differs.

    Tables that played the same board of bridge are compared, too: by IMPs, matchpoints or points, with the ranking.

    \b
    Examples:
      handrec score game.handrec.json
      handrec score evening/
      handrec score game.handrec.json --sheet
      handrec score game.handrec.json --sheet --format csv -o sheet.csv
    """


def audit(
    context: typer.Context,
    paths: Paths,
    format: Annotated[AuditFormat, typer.Option("--format", "-f", help="How to report.")] = "text",
    out: Annotated[
        str | None,
        typer.Option(
            "--output",
            "--out",
            "-o",
            metavar="FILE",
            callback=named,
            help="Also write a new file: every finding as .jsonl or .parquet, or the report as .html, .md, .json or .txt.",
        ),
    ] = None,
    db: Annotated[
        str | None,
        typer.Option(
            "--db",
            metavar="FILE",
            callback=named,
            help="Also write all of it as a new SQLite database.",
        ),
    ] = None,
    by: Annotated[By | None, typer.Option("--by", help="Sum up only by this, and show every row.")] = None,
    top: Annotated[int, typer.Option("--top", metavar="N", min=1, help="Show so many rows of each table.")] = 10,
    jobs: Annotated[
        int | None, typer.Option("--jobs", "-j", metavar="N", min=1, help="Workers; one for each core if not given.")
    ] = None,
    engine: Annotated[EngineName, typer.Option("--engine", help="Processes of this machine, or a Dask cluster.")] = "processes",
    scheduler: Annotated[
        str | None,
        typer.Option("--scheduler", metavar="ADDRESS", help="The Dask scheduler; without it, a cluster of this machine."),
    ] = None,
    resume: Annotated[
        str | None,
        typer.Option(
            "--resume",
            metavar="STATE",
            callback=named,
            help="Keep what is finished in this file, and go on from it.",
        ),
    ] = None,
    no_sieve: Annotated[
        bool,
        typer.Option(
            "--no-sieve",
            help="Have the referee judge every record: slower, the same.",
        ),
    ] = False,
    fail_on: FailOnOption = "error",
    exit_zero: ExitZero = False,
    from_: InputFormat = None,
    allow_empty: Annotated[bool, typer.Option("--allow-empty", help="Finding no record at all is no error.")] = False,
    no_progress: Annotated[bool, typer.Option("--no-progress", help="Do not count records on the terminal.")] = False,
    quiet: Annotated[bool, typer.Option("--quiet", "-q", help="Do not print the report.")] = False,
) -> None:
    """Audit archives: judge very many records and sum up by code, game, options and player; find deals recorded twice.

    The report is the same whatever does the work. A record over which a worker fails is the finding INT001 (exit code 3 at
    the end) and stops nothing. A PATH can be a URL that fsspec opens (extra "dask"); one that ends in a slash is a directory.
    IMPs and matchpoints that records state are compared with the other tables of their board, as check does.

    \b
    Examples:
      handrec audit archive/
      handrec audit 2025.jsonl.gz --by player --db findings.sqlite
      handrec audit archive/ --jobs 8 --resume audit.state -o findings.jsonl
      handrec audit archive/ --engine dask --scheduler tcp://10.0.0.1:8786
      handrec audit s3://bucket/archive/ --engine dask
    """


def follow(
    note: Annotated[
        bool, typer.Option("--note/--refuse", help="Take what is illegal as well, and tell it; or refuse it.")
    ] = False,
    state: Annotated[
        str | None,
        typer.Option(metavar="PATH", callback=named, help="Keep each line here, and go on from it: an SQLite file, or a folder."),
    ] = None,
    output: Annotated[
        str | None,
        typer.Option("--output", "-o", metavar="FOLDER", callback=named, help="Write the records here; none is overwritten."),
    ] = None,
) -> None:
    """Follow games while they are played: a line of JSON is what happens at a table, or a question; each gets an answer
    before the next is read.

    \b
    Examples:
      handrec follow --state tables.sqlite < lines.jsonl
      handrec follow --note -o records/
    """
