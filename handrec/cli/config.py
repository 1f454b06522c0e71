"""Settings: options that somebody always wants, from a file or from the environment.

The file is the nearest `handrec.toml`, or `pyproject.toml` with a table `[tool.handrec]`, from the working directory upwards.
A key is the name of an option: at the top for every command that has it, in a table named after a command for that one.
`HANDREC_FAIL_ON=warning` says the same in the environment and weighs more; the command line has the last word. What writes
files, or picks one thing out of one record, cannot be set.
"""

from __future__ import annotations

import os
from collections.abc import Iterator
from functools import cache
from pathlib import Path
from typing import Any, NamedTuple

import typer

from handrec.cli.errors import CommandError, reason, unknown

FILES = ("handrec.toml", "pyproject.toml")
ENVIRONMENT = "HANDREC_"
MOST_BYTES = 1 << 20

#: Options that are given anew each time: they write, or concern one record.
NEVER = {
    "baseline",
    "check",
    "db",
    "diff",
    "fix",
    "open",
    "out",
    "output",
    "report",
    "resume",
    "unsafe-fixes",
    "write",
    "write-baseline",
}
NEVER |= {"as", "at", "claim", "deal", "inject", "noticed", "number", "reconcile", "record", "seed", "step", "trick"}


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


def defaults(context: Any, file: bool = True) -> dict[str, dict[str, Any]]:
    """The values of options, by command and by parameter, as the command line's parser takes them."""
    found: dict[str, dict[str, Any]] = {}
    for setting in settings(context, file):
        found.setdefault(setting.command, {})[setting.parameter] = setting.value
    return found | {"verify": found["check"]} if "check" in found else found


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
            if key in own:
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
    last = {(setting.command, setting.option): setting for setting in settings(context, file)}
    lines = [f"{each.command} --{each.option} {safe(each.value)}  ({safe(each.source)})" for each in last.values()]
    return "\n".join(lines or [f"Nothing is set: there is no {FILES[0]} here or above, and no HANDREC_ variable."])


def _setting(context: Any, command: str, option: Any, key: str, value: Any, source: str) -> Setting:
    """A setting whose value is one that the option can have."""
    where = f"{safe(source)}: {key}" if source.startswith(ENVIRONMENT) else f"{safe(source)}: {key} of {command}"
    if isinstance(value, list) and not option.multiple:
        value = ",".join(map(str, value))
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
    for path in (folder / name for folder in (here, *here.parents) for name in FILES):
        try:
            if not path.is_file():  # a pipe would be waited for
                continue
            with path.open("rb") as file:
                data = file.read(MOST_BYTES + 1)
        except OSError as error:
            if path.name == FILES[0]:
                raise CommandError(f"{safe(path)}: {reason(error)}") from None
            continue
        if path.name == FILES[0]:
            return path, _read(path, data)
        if b"handrec" in data:
            tools = _read(path, data).get("tool")
            own = tools.get("handrec") if isinstance(tools, dict) else None
            if isinstance(own, dict):
                return path, own
            if own is not None:
                raise CommandError(f"{safe(path)}: tool.handrec is no table")
    return None, {}


def _read(path: Path, data: bytes) -> dict[str, Any]:
    import tomllib

    if len(data) > MOST_BYTES:
        raise CommandError(f"{safe(path)}: it is larger than 1 MiB")
    try:
        return tomllib.loads(data.decode())
    except (ValueError, RecursionError) as error:  # no TOML, no UTF-8, a number of thousands of digits
        raise CommandError(f"{safe(path)}: it is no TOML: {safe(error)}") from None
