"""`schema`, `fmt`, `deal` and `digest`: commands that write records, or words about them."""

from __future__ import annotations

import difflib
import json
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from handrec import dealer, games, writing
from handrec import schema as schemas
from handrec.cli.common import Inputs, Trouble, emit
from handrec.formats import format_of, read
from handrec.report.safe import safe

SCHEMA_FILE = "record-1.0.schema.json"


def schema(write: str | None, check: str | None) -> int:
    """Print the schema, write it, or compare it; returns 1 if the copy differs."""
    text = schemas.text()
    if write is not None:
        path = Path(write) / SCHEMA_FILE
        if path.exists() and path.read_text("utf-8") == text:
            return 0
        emit([text], str(path))
        return 0
    if check is not None:
        path = Path(check) / SCHEMA_FILE
        if not path.exists():
            raise Trouble(f"there is no {SCHEMA_FILE} in {safe(check, 300)}")
        if path.read_text("utf-8") == text:
            return 0
        print(f"{safe(str(path), 300)} is not the schema of this version")
        return 1
    sys.stdout.write(text)
    return 0


def fmt(paths: list[str], check: bool, diff: bool) -> int:
    """Lay files out canonically; returns 1 if one would change (`check`, `diff`) or cannot be read."""
    from handrec.cli.inputs import sources

    changed = troubled = failed = 0
    for source in sources(paths):
        if source.trouble is not None:
            print(f"handrec: {safe(source.name, 300)}: {source.trouble}", file=sys.stderr)
            troubled += 1
            continue
        new = _laid_out(source.data, source.name)
        if new is None:
            failed += 1
            continue
        old = source.data.decode("utf-8-sig")
        if source.name == "<stdin>" and not (check or diff):
            sys.stdout.write(new)
        elif new.encode() != source.data:
            changed += 1
            _put(source.name, old, new, check, diff)
    if changed and not diff:
        print(
            f"{changed} file{'s' if changed > 1 else ''} {'would be' if check else ''} laid out anew".replace("  ", " "),
            file=sys.stderr,
        )
    if troubled:
        return 2
    return int(failed > 0 or (changed > 0 and (check or diff)))


def _laid_out(data: bytes, name: str) -> str | None:
    kind = format_of(name, data)
    if kind.key not in ("json", "jsonl") or name.lower().endswith((".gz", ".xz")):
        print(f"{safe(name, 300)}: only JSON and JSON Lines are laid out")
        return None
    records = []
    for reading in read(data, name):
        if reading.record is None:
            for finding in map(reading.placed, reading.findings):
                print(f"{finding.location}: {finding.code} {safe(finding.message, 300)}")
            return None
        records.append(reading.record)
    return "".join(map(writing.line, records)) if kind.key == "jsonl" else writing.dumps(records[0])


def _put(name: str, old: str, new: str, check: bool, diff: bool) -> None:
    if diff:
        lines = difflib.unified_diff(old.splitlines(), new.splitlines(), name, name, lineterm="")
        sys.stdout.writelines(safe(line, 400) + "\n" for line in lines)
    elif check:
        print(f"would lay out {safe(name, 300)}")
    else:
        try:
            writing.write(Path(name), new)
        except OSError as error:
            raise Trouble(f"{safe(name, 300)}: {(error.strerror or str(error)).lower()}") from None


def deal(
    key: str,
    players: int | None,
    seed: int,
    deals: int | None,
    number: int | None,
    count: int,
    options: list[str],
    inject: str | None,
    output: str | None,
) -> int:
    """Deal games; one is laid out for reading, several are a line each."""
    game = games.find(key)
    if game is None:
        raise Trouble(f"no game {safe(key)} is known; there are {', '.join(games.names())}")
    many = players or (4 if 4 in game.players else min(game.players))
    if deals and number:
        raise Trouble("--deals and --number exclude each other")
    numbers = [number] if number else list(range(1, deals + 1)) if deals else None

    def texts() -> Iterator[str]:
        for step in range(count):
            record = dealer.deal_game(game, many, seed + step, options=_options(options), numbers=numbers, inject=inject)
            yield writing.line(record) if count > 1 else writing.dumps(record)

    try:
        emit(texts(), output)
    except dealer.CannotDeal as error:
        raise Trouble(safe(str(error), 400)) from None
    return 0


def _options(texts: list[str]) -> dict[str, Any]:
    """NAME=VALUE, the value as JSON where it is JSON, else as a word."""
    options: dict[str, Any] = {}
    for text in texts:
        name, equals, value = text.partition("=")
        if not equals:
            raise Trouble(f"an option is given as NAME=VALUE, not {safe(text)}")
        try:
            options[name] = json.loads(value)
        except ValueError:
            options[name] = value
    return options


def digest(paths: list[str], from_: str | None) -> int:
    """Print digest, file, record and deal, a line each."""
    inputs, failed = Inputs(paths, from_), False
    for item in inputs:
        record = item.reading.record
        if record is None:
            failed = True
            for finding in map(item.reading.placed, item.reading.findings):
                print(f"{finding.location}: {finding.code} {safe(finding.message, 300)}", file=sys.stderr)
            continue
        for index, deal in enumerate(record.deals):
            print(f"{writing.digest(record, index)}  {safe(item.name)}  deal {deal.number or index + 1}")
    if not inputs.count and not inputs.trouble:
        raise Trouble("there was no record to digest")
    return 2 if inputs.trouble else int(failed)
