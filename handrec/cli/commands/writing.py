"""Commands that compare and write: what they are asked for, and their help."""

from __future__ import annotations

from typing import Annotated

import typer

from handrec.cli import completing
from handrec.cli.commands.options import DiffFormat, InputFormat, OnePath, Output, Paths, named


def diff(
    files: Annotated[list[str], typer.Argument(metavar="A B [C...]", hidden=True, callback=named)],
    format: Annotated[DiffFormat, typer.Option("--format", "-f", help="How to tell it.")] = "text",
    facts: Annotated[
        bool, typer.Option("--facts", help="Do not compare names, comments, provenance, extensions and ids.")
    ] = False,
    merged: Annotated[
        bool, typer.Option("--reconcile", help="Write one record out of all to the output, with where each value is from.")
    ] = False,
    output: Output = None,
    from_: InputFormat = None,
) -> None:
    """Compare records of the same deals: by deal, trick and seat, hands as sets, and with the rules' vote.

    \b
    Exit codes: 0 they say the same, 1 they differ, 2 one cannot be read, or it
    cannot be told which seats are the same.
    With three or more, each difference says whether most agree.
    A patch (RFC 6902, RFC 7386) turns the JSON of A, as fmt writes it, into B's.

    \b
    Examples:
      handrec diff north.handrec.json east.handrec.json
      handrec diff a.handrec.json b.handrec.json --format json-patch
      handrec diff a.json b.json c.json --reconcile -o agreed.handrec.json
    """


def convert(
    paths: Paths,
    output: Output = None,
    from_: InputFormat = None,
    to: Annotated[
        str | None,
        typer.Option(
            metavar="FORMAT",
            help="The output's format, if its name does not tell (see below).",
            autocompletion=completing.written,
        ),
    ] = None,
    lossy: Annotated[bool, typer.Option("--allow-lossy", help="Write also what the format does not hold all of.")] = False,
    report: Annotated[
        str | None,
        typer.Option(metavar="FILE", callback=named, help="Write what is lost to a file, as JSON. - is standard output."),
    ] = None,
    game: Annotated[
        str | None,
        typer.Option(metavar="GAME", help="The game, for score sheets that do not say.", autocompletion=completing.games),
    ] = None,
    option: Annotated[
        list[str] | None,
        typer.Option("--option", metavar="NAME=VALUE", help="An option of that game.", autocompletion=completing.options),
    ] = None,
    no_progress: Annotated[bool, typer.Option("--no-progress", help="Do not count records on the terminal.")] = False,
) -> None:
    """Convert records to another format. What that does not hold is found by reading back what was written: it is listed,
    and then nothing is written, exit code 1, unless --allow-lossy is given.

    \b
    Formats: json (.json, one record), jsonl (.jsonl, .jsonl.gz, .jsonl.xz), hrt
    (typed notation), csv and tsv (score sheets: what was written down of bids,
    tricks, points, totals), dds (.txt) and rbn (deals of bridge, and nothing else
    but the cards played, in dds); for reading only: markdown (.md), html.
    Into a folder (named with a slash at its end, or there already) each file goes
    under its own name; several records of one file are numbered where a file
    holds one. Nothing is ever overwritten: all is written, or nothing.

    \b
    Examples:
      handrec convert games/ -o typed/ --to hrt
      handrec convert season.zip -o season.pbn
      handrec convert game.handrec.json -o game.hrt
      handrec convert records/ -o archive.jsonl.gz
      handrec convert game.handrec.json --to csv --allow-lossy
      handrec convert sheet.csv --game kbabs --option ladder=down -o sheet.json
    """


def migrate(
    paths: Paths,
    to: Annotated[str | None, typer.Option(metavar="VERSION", help="The version to bring them to, if not the latest.")] = None,
    diff: Annotated[bool, typer.Option("--diff", help="Change nothing; show what would change, exit code 1 if any.")] = False,
    lossy: Annotated[
        bool, typer.Option("--allow-lossy", help="Going back, leave out what the earlier version does not have.")
    ] = False,
) -> None:
    """Bring records of earlier versions of the format forward, or back; the file as it was becomes FILE.orig.

    Going back, what the earlier version does not have is listed with its place,
    and then the file stays as it is, exit code 1, unless --allow-lossy is given.

    \b
    Examples:
      handrec migrate records/
      handrec migrate --diff game.handrec.json
      handrec migrate --to 1.0 --allow-lossy game.handrec.json
    """


def schema(
    write: Annotated[
        str | None,
        typer.Option(
            metavar="DIR",
            callback=named,
            help="Write the schema into a directory.",
        ),
    ] = None,
    check: Annotated[
        str | None,
        typer.Option(metavar="DIR", callback=named, help="Compare with the copy in a directory; exit code 1 if it differs."),
    ] = None,
    version: Annotated[str | None, typer.Option(metavar="VERSION", help="The version, if not the latest.")] = None,
) -> None:
    """Print the JSON Schema of the record format.

    \b
    Examples:
      handrec schema > record-1.1.schema.json
      handrec schema --version 1.0 --check schemas
    """


def fmt(
    paths: Paths,
    check: Annotated[bool, typer.Option("--check", help="Change nothing; exit code 1 if a file would change.")] = False,
    diff: Annotated[bool, typer.Option("--diff", help="Change nothing; show what would change.")] = False,
) -> None:
    """Lay records out in the one canonical way, a trick's plays beneath each other; nothing is lost.

    A file is written whole or not at all, and only if it still is what was read.

    \b
    Examples:
      handrec fmt records/
      handrec fmt --diff game.handrec.json
    """


def deal(
    game: Annotated[str, typer.Argument(metavar="GAME", hidden=True, autocompletion=completing.games)],
    players: Annotated[
        int | None, typer.Option("--players", "-p", metavar="N", min=1, help="How many play; 4 if the game allows it.")
    ] = None,
    seed: Annotated[int, typer.Option(metavar="N", help="The same seed gives the same game.")] = 0,
    deals: Annotated[int | None, typer.Option(metavar="N", min=1, help="Only the first deals of the game.")] = None,
    number: Annotated[int | None, typer.Option(metavar="N", min=1, help="Only the deal of this number.")] = None,
    count: Annotated[
        int, typer.Option("--count", "-n", metavar="N", min=1, help="How many games, one a line, with seeds from SEED on.")
    ] = 1,
    option: Annotated[
        list[str] | None,
        typer.Option("--option", metavar="NAME=VALUE", help="An option of the game.", autocompletion=completing.options),
    ] = None,
    inject: Annotated[
        str | None,
        typer.Option(
            metavar="CODE",
            help="Plant exactly one fault, such as REV001 or, of rules that share a code, LB-27-REV001.",
            autocompletion=completing.injected,
        ),
    ] = None,
    policy: Annotated[
        str | None,
        typer.Option(metavar="NAME", help="Who plays, each card on its turn: players at `random`, or `careful` ones."),
    ] = None,
    output: Output = None,
) -> None:
    """Deal legal games for tests and teaching, or games with exactly one fault.

    \b
    Examples:
      handrec deal kbabs --players 5 --seed 7
      handrec deal kbabs --option ladder=down --deals 3
      handrec deal bridge --inject REV001 -o revoke.handrec.json
      handrec deal bugami --policy careful --count 100
    """


def new(
    game: Annotated[str, typer.Argument(metavar="GAME", hidden=True, autocompletion=completing.games)],
    players: Annotated[
        str | None,
        typer.Option("--players", "-p", metavar="Ann,Bo,...", help="Who plays, clockwise; or how many. 4 if the game allows it."),
    ] = None,
    option: Annotated[
        list[str] | None,
        typer.Option("--option", metavar="NAME=VALUE", help="An option of the game.", autocompletion=completing.options),
    ] = None,
    output: Output = None,
) -> None:
    """Begin a record: a form in typed notation, with a <blank> for each thing to write down and how the game is typed.

    check names the blanks that are left, and checks the rest when there are none.

    \b
    Examples:
      handrec new kbabs --players Ann,Bo,Cy,Di -o friday.hrt
      handrec new bastard --option nuisance=true
    """


def enter(
    file: OnePath,
    game: Annotated[
        str | None,
        typer.Option("--game", "-g", metavar="GAME", help="The game; asked if it is not given.", autocompletion=completing.games),
    ] = None,
    players: Annotated[
        str | None, typer.Option("--players", "-p", metavar="Ann,Bo,...", help="Who plays, clockwise; or how many.")
    ] = None,
    option: Annotated[
        list[str] | None,
        typer.Option("--option", metavar="NAME=VALUE", help="An option of the game.", autocompletion=completing.options),
    ] = None,
) -> None:
    """Take a game down at the keyboard: it says whose turn it is, and judges each line as it is typed.

    FILE (NAME.hrt) is written after each line. One that is there must hold a
    game, and is gone on with. Cards are typed alone (9c), bids too (3); undo
    takes back, ? says what may come, help tells the rest.

    \b
    Examples:
      handrec enter friday.hrt
      handrec enter friday.hrt --game kbabs --players Ann,Bo,Cy,Di
    """


def game(
    file: Annotated[str, typer.Argument(metavar="FILE.py", hidden=True, callback=named)],
    games: Annotated[int, typer.Option("--games", metavar="N", min=1, help="How many games to deal.")] = 100,
    seed: Annotated[int, typer.Option(metavar="N", help="The same seed deals the same games.")] = 0,
) -> None:
    """Try a game that you have written: every needed rule is there, games dealt are judged alike in every way, every
    fault planted is found.

    To load the file is to run it: try only what you would run yourself.

    \b
    Exit codes: 0 the game is in order, 1 something fails, 2 it holds no game.

    \b
    Example:
      handrec game my_game.py
    """


def digest(paths: Paths, from_: InputFormat = None) -> None:
    """Print the digest of each deal's facts: the same for the same deal, however it is written down.

    \b
    Example:
      handrec digest game.handrec.json
    """
