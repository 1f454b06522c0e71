"""Settings: options that somebody always wants, from a file or from the environment.

The file is the nearest `handrec.toml`, or `pyproject.toml` with a table `[tool.handrec]`, from the working directory upwards.
A key is the name of an option: at the top for every command that has it, in a table named after a command for that one.
`HANDREC_FAIL_ON=warning` says the same in the environment and weighs more; the command line has the last word. What names
inputs or outputs, writes, connects to something, silences a command, or picks one thing out of one record, cannot be set. What
could hide a finding can, and is told in the report. A file of strangers is not read.
"""

from __future__ import annotations

import os
import re
import sys
from collections.abc import Iterator
from functools import cache
from io import BytesIO
from pathlib import Path
from typing import Any, NamedTuple

import typer

from handrec.cli.errors import CommandError, reason, unknown
from handrec.limits import MAX_KEY_PARTS, MAX_NUMBER, MAX_SETTINGS, mib

FILES = ("handrec.toml", "pyproject.toml")
ENVIRONMENT = "HANDREC_"
#: A key of so many parts, bare or quoted: what reads TOML would take minutes over thousands.
LONG_KEY = re.compile(rf"""(?<![\w-])(?:(?:[\w-]++|"[^"\n]*+"|'[^'\n]*+')[ \t]*+\.[ \t]*+){{{MAX_KEY_PARTS}}}""", re.ASCII)

#: Options that are given anew each time: they name files, write, connect, silence, or concern one record.
NEVER = {
    "baseline",
    "check",
    "db",
    "diff",
    "engine",
    "exit-zero",
    "facts",
    "fix",
    "open",
    "out",
    "output",
    "quiet",
    "report",
    "resume",
    "runtime",
    "scheduler",
    "state",
    "statistics",
    "stdin-filename",
    "unsafe-fixes",
    "write",
    "write-baseline",
}
NEVER |= {"as", "at", "claim", "deal", "inject", "noticed", "number", "reconcile", "record", "seed", "step", "trick"}

#: Options that can be set, and could hide a finding, or that there was nothing to check.
HIDING = ("select", "ignore", "fail-on", "allow-empty")


def safe(text: object) -> str:
    """Text to be shown, safely; imported when there is some."""
    from handrec.report import safe as shown

    return shown.safe(text, shown.PLACE)


class Setting(NamedTuple):
    """The value of an option of a command, and where it comes from."""

    command: str
    option: str
    parameter: str
    value: Any
    source: str

    def __str__(self) -> str:
        """What is set, and where; a file as it is seen from the working directory."""
        where = self.source if self.source.startswith(ENVIRONMENT) else os.path.relpath(self.source)
        return f"{self.option} {safe(self.value)} in {safe(where)}"


def defaults(context: Any, file: bool = True) -> tuple[dict[str, dict[str, Any]], list[Setting]]:
    """The values of options, by command and by parameter, as the command line's parser takes them; and the settings."""
    last = _last(context, file)
    found: dict[str, dict[str, Any]] = {}
    for setting in last:
        found.setdefault(setting.command, {})[setting.parameter] = setting.value
    return found | ({"verify": found["check"]} if "check" in found else {}), last


def in_force(context: Any, command: str) -> tuple[str, ...]:
    """What is set for a command that could hide a finding, in words; not what the command line overrules."""
    asked = [each for each in context.obj if each.command == command and each.option in HIDING]
    usual = {option.name: option.default for option in context.command.params}
    return tuple(
        str(each)
        for each in asked
        if each.value != usual[each.parameter] and context.get_parameter_source(each.parameter).name == "DEFAULT_MAP"
    )


def settings(context: Any, file: bool = True) -> Iterator[Setting]:
    """Every setting, those that weigh more after those that weigh less. Raises `CommandError` for what is none."""
    path, table = _table() if file else (None, {})
    if not table and not any(name.startswith(ENVIRONMENT) for name in os.environ):
        return
    every = _commands()
    commands = [name for name, command in every.items() if not command.hidden]
    known = {name for command in commands for name in options(every[command])}
    for key, value in table.items():
        if isinstance(value, dict):
            if key not in commands:
                raise CommandError(f"{safe(path)}: {unknown('command', key, commands)}")
        elif key not in known:
            raise CommandError(f"{safe(path)}: {unknown('option', key, known, ' that can be set')}")
    for command in commands:
        own = options(every[command])
        for key, value in table.items():
            if key in own and not isinstance(value, dict):  # which is that of a command
                yield _setting(context, command, own[key], key, value, str(path))
        for key, value in table.get(command, {}).items():
            if key not in own:
                raise CommandError(f"{safe(path)}: {unknown(f'option of {command}', key, own, ' that can be set')}")
            yield _setting(context, command, own[key], key, value, str(path))
        for key, option in own.items():
            name = ENVIRONMENT + key.upper().replace("-", "_")
            if os.environ.get(name):
                yield _setting(context, command, option, key, os.environ[name], name)


@cache
def _commands() -> dict[str, Any]:
    """All commands by name, also where one alone is to run: what is set may concern any."""
    from typer.main import get_command

    from handrec.cli.app import app

    return dict(get_command(app).commands)  # type: ignore[attr-defined]


def options(command: Any) -> dict[str, Any]:
    """The options of a command that can be set, by name."""
    named = {option.opts[0].removeprefix("--"): option for option in command.params}
    return {name: option for name, option in named.items() if option.param_type_name == "option" and name not in NEVER}


def shown(context: Any, file: bool = True) -> str:
    """What is set, a line each, and where; of two for the same option the last counts."""
    lines = [f"{each.command} --{each.option} {safe(each.value)}  ({safe(each.source)})" for each in _last(context, file)]
    return "\n".join(lines or [f"Nothing is set: there is no {FILES[0]} here or above, and no HANDREC_ variable."])


def _last(context: Any, file: bool) -> list[Setting]:
    """The settings that count: of two for the same option the last."""
    return [*{(setting.command, setting.option): setting for setting in settings(context, file)}.values()]


def _setting(context: Any, command: str, option: Any, key: str, value: Any, source: str) -> Setting:
    """A setting whose value is one that the option can have."""
    where = f"{safe(source)}: {key}" if source.startswith(ENVIRONMENT) else f"{safe(source)}: {key} of {command}"
    if isinstance(value, list) and not option.multiple:
        value = ",".join(map(str, value))
    if isinstance(value, int) and abs(value) > MAX_NUMBER:
        raise CommandError(f"{where} is a number beyond {MAX_NUMBER:,}")
    if not isinstance(value, str | int | list):
        raise CommandError(f"{where} is neither text nor a whole number")
    if not source.startswith(ENVIRONMENT) and isinstance(value, bool) is not bool(option.is_flag):
        raise CommandError(f"{where} is {'true or false' if option.is_flag else 'neither true nor false'}")
    try:
        option.process_value(context, value)
    except typer.BadParameter as error:
        raise CommandError(f"{where}: {safe(error.message.removeprefix('Value error, '))}") from None
    return Setting(command, key, option.name, value, source)


def _table() -> tuple[Path | None, dict[str, Any]]:
    """The nearest file with settings, and what it says."""
    try:
        here = Path.cwd()
    except OSError:  # it has been removed
        return None, {}
    told = False
    for path in (folder / name for folder in (here, *here.parents) for name in FILES):
        ours = path.name == FILES[0]
        try:
            if not path.is_file():  # a pipe would be waited for
                continue
            trusted = _is_trusted(path)
            with path.open("rb") if trusted or not ours else BytesIO() as file:
                data = file.read(MAX_SETTINGS + 1)
        except OSError as error:
            if ours:
                raise CommandError(f"{safe(path)}: {reason(error)}") from None
            continue
        if not ours and b"handrec" not in data:
            continue
        if trusted:
            table = _read(path, data) if ours else _tool(path, _read(path, data))
            if table is not None:
                return path, table
        elif not told:
            print(f"handrec: {safe(path)} is not read: it is not yours, nor root's, or its directory is not", file=sys.stderr)
            told = True
    return None, {}


def _is_trusted(path: Path) -> bool:
    """Whether a file, and the directory it lies in, belong to the user or to root."""
    if not hasattr(os, "geteuid"):
        return True
    return {path.parent.stat().st_uid, path.lstat().st_uid, path.stat().st_uid} <= {os.geteuid(), 0}


def _tool(path: Path, project: dict[str, Any]) -> dict[str, Any] | None:
    """What a project's own file says of us, None if nothing."""
    tools = project.get("tool")
    own = tools.get("handrec") if isinstance(tools, dict) else None
    if own is not None and not isinstance(own, dict):
        raise CommandError(f"{safe(path)}: tool.handrec is no table")
    return own


def _read(path: Path, data: bytes) -> dict[str, Any]:
    import tomllib

    if len(data) > MAX_SETTINGS:
        raise CommandError(f"{safe(path)}: it is larger than {mib(MAX_SETTINGS)}")
    try:
        text = data.decode()
        if LONG_KEY.search(text):
            raise ValueError(f"a key in it has more than {MAX_KEY_PARTS} parts")
        return tomllib.loads(text)
    except (ValueError, RecursionError) as error:  # also a number of thousands of digits, with advice to who writes programs
        raise CommandError(f"{safe(path)}: it is no TOML: {safe(str(error).partition('; use ')[0])}") from None
