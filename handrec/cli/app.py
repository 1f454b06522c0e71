"""The command line as a whole: its options, and a table of its commands."""

from __future__ import annotations

from collections.abc import Callable
from copy import copy
from functools import wraps
from importlib import import_module
from typing import Annotated, Any, get_type_hints

import typer

from handrec.cli.commands import judging, showing, writing

app = typer.Typer(
    name="handrec",
    help="Replay hand records of trick-taking games, check every play against the rules, recompute every score.",
    epilog="""Main job: handrec check PATH...    More to read: handrec help

    \b
    Exit codes: 0 nothing wrong, 1 findings or differences, 2 usage, unreadable
    input or nothing to do, 3 internal error, 130 interrupted, 141 closed pipe,
    143 terminated.""",
    no_args_is_help=True,
    rich_markup_mode=None,
    pretty_exceptions_enable=False,
    context_settings={"help_option_names": ["-h", "--help"], "max_content_width": 100},
)


def _version(wanted: bool) -> None:
    if wanted:
        import platform

        from handrec import __version__
        from handrec.record import LATEST

        typer.echo(f"handrec {__version__} (schema {LATEST}, python {platform.python_version()})")
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
        context.default_map, context.obj = config.defaults(context, not no_config)


PATH = "PATH is a file, a directory with records, @LIST (a file that names one path a line), or - for standard input."
FILE = "FILE is a file, or - for standard input."
BESIDE = f"{FILE} A second one is shown beside the first."
LIVE = "Lines come on standard input, answers go to standard output. The words: handrec help live"
SEVERAL = "FILE is a file, or - for one that comes on standard input. Files are called A, B, C in their order."

#: Every command, in the order in which help lists them: where it is carried out (a module of this room, and the function
#: there that takes what was asked for), what comes last in its own help, and what it does in short.
COMMANDS: tuple[tuple[Callable[..., None], str, str | None, str | None], ...] = (
    (judging.check, "check:run", PATH, "Check records: cards, turns, bids, plays, scores, totals."),
    (showing.replay, "replay:run", FILE, "Replay deals trick by trick, with the referee's remarks."),
    (showing.view, "view:run", BESIDE, "Make a page to look at: hands, cards, tricks, findings."),
    (judging.ruling, "ruling:run", FILE, "Rule on reneges: facts, dates, law, what follows."),
    (judging.infer, "infer:run", FILE, "Tell what the table could know: proofs, who can hold what."),
    (judging.score, "score:run", PATH, "Recompute scores and compare them with those recorded."),
    (judging.follow, "follow:run", LIVE, "Referee games while they are played: lines in, answers out."),
    (writing.diff, "diff:run", SEVERAL, "Compare records of the same deals; say which one the rules are for."),
    (writing.convert, "convert:run", PATH, "Convert records to another format; refuse what would be lost."),
    (judging.audit, "audit:run", PATH, "Audit archives: very many records, summed up."),
    (writing.migrate, "migrate:run", PATH, "Bring records of earlier versions of the format forward."),
    (showing.page, "page:run", None, "Make a page that runs handrec in a browser, nothing installed."),
    (showing.explain, "explain:run", None, "Explain a code, a rule, a game or an option."),
    (writing.schema, "files:schema", None, None),
    (writing.fmt, "files:fmt", PATH, "Lay records out in the one canonical way."),
    (writing.new, "new:run", None, "Begin a record: a form to fill in, for a game and its players."),
    (writing.enter, "enter:run", None, "Take a game down at the keyboard, each line judged as it is typed."),
    (writing.deal, "files:deal", None, "Deal legal games, or games with exactly one fault."),
    (writing.game, "game:run", None, "Try a game that you have written."),
    (writing.digest, "files:digest", PATH, "Print the digest of each deal's facts."),
    (showing.help_, "help:run", None, "Tell more of a topic: notation, levels, rulings, and others."),
)


def _carried_out(declared: Callable[..., None], place: str) -> Callable[..., None]:
    """A command as it is declared, carried out at a place, which is loaded only then; what comes back is the exit code.

    One that asks for its context is told which settings of those that could hide something are in force.
    """

    @wraps(declared)
    def command(**given: Any) -> None:
        if context := given.pop("context", None):
            from handrec.cli import config

            given["settings"] = config.in_force(context, declared.__name__)
        if given.pop("exit_zero", False):
            given["fail_on"] = "never"
        module, _, function = place.partition(":")
        raise typer.Exit(getattr(import_module(f"handrec.cli.{module}"), function)(**given))

    return command


for declared, place, epilog, short in COMMANDS:
    app.command(declared.__name__.rstrip("_"), epilog=epilog, short_help=short)(_carried_out(declared, place))
app.command("verify", epilog=PATH, hidden=True)(_carried_out(judging.check, "check:run"))


def with_command(name: str | None) -> typer.Typer:
    """The command line with this command alone, or with all if there is none of this name."""
    own = [command for command in app.registered_commands if command.name == name]
    one = copy(app)
    one.registered_commands = own or app.registered_commands
    for command in one.registered_commands:
        assert command.callback is not None  # typer would work out each hint that is text four times
        command.callback.__annotations__ = get_type_hints(command.callback, include_extras=True)
    return one
