"""`schema`, `fmt`, `deal` and `digest`: commands that write records, or words about them."""

from __future__ import annotations

import sys
from collections.abc import Iterable, Iterator
from pathlib import Path

from handrec import dealing, digests, live, writing
from handrec import schema as schemas
from handrec.cli.common import Inputs, complain, differences, emit, finding_line, game_called, is_another, not_json, options_of
from handrec.cli.errors import CommandError, reason, unknown
from handrec.cli.inputs import Source, sources
from handrec.formats import SUFFIXES, Reading, format_of, read
from handrec.game import Game, compose
from handrec.limits import MAX_DEALS
from handrec.record import LATEST
from handrec.report.safe import safe


def schema(write: str | None, check: str | None, version: str | None) -> int:
    """Print the schema of a version, write it, or compare it; returns 1 if the copy differs."""
    version = version or LATEST
    if version not in schemas.VERSIONS:
        raise unknown("version", version, schemas.VERSIONS, f"; there are {', '.join(schemas.VERSIONS)}")
    text, name = schemas.text(version), f"record-{version}.schema.json"
    if write is not None and check is not None:
        raise CommandError("--write and --check exclude each other")
    folder = check if write is None else write
    if folder is None:
        sys.stdout.write(text)
        return 0
    path = Path(folder) / name
    if write is not None:
        writing.sweep(path.parent.absolute())
    try:
        same = path.read_bytes() == text.encode()
    except FileNotFoundError:
        if check is not None:
            raise CommandError(f"there is no {name} in {safe(check, 300)}") from None
        same = False
    except OSError as error:
        raise CommandError(f"{safe(path, 300)}: {reason(error)}") from None
    if same:
        return 0
    if check is not None:
        print(f"{safe(path, 300)} is not the schema of version {version}")
        return 1
    emit([text], str(path))
    return 0


def fmt(paths: list[str], check: bool, diff: bool) -> int:
    """Lay files out canonically.

    Of a directory those that are no records in JSON are passed over. Returns 1 if one would change (`check`, `diff`) or holds
    what is no record, 2 if none could be read.
    """
    seen = changed = failed = judged = 0
    troubled = False
    for source in sources(paths):
        if is_another(source):
            continue
        seen += 1
        trouble = source.trouble or not_json(source, "laid out")
        if trouble is not None:
            complain(source.name, trouble)
            troubled = True
            continue
        readings = list(read(source.data, source.name))
        judged += any(reading.judged for reading in readings)
        new = _laid_out(readings, source)
        if new is None:
            failed += 1
            continue
        old = source.data.decode("utf-8-sig")
        if source.name == "<stdin>" and not (check or diff):
            sys.stdout.write(new)
        elif new.encode() != source.data:
            changed += 1
            if diff:
                sys.stdout.writelines(differences(source.name, old, new))
            elif check:
                print(f"would lay out {safe(source.name, 300)}")
            elif not _put(source, new):
                changed -= 1
                troubled = True
    if not seen:
        raise CommandError("there was no record to lay out")
    if changed and not diff:
        files = f"{changed} file{'s' if changed > 1 else ''}"
        print(f"{files} would be laid out anew" if check else f"{files} laid out anew", file=sys.stderr)
    if troubled or (failed and not judged):
        return 2
    return int(failed > 0 or (changed > 0 and (check or diff)))


def _laid_out(readings: Iterable[Reading], source: Source) -> str | None:
    kind = format_of(source.name, source.data)
    records = []
    for reading in readings:
        if reading.record is None:
            sys.stdout.writelines(map(finding_line, map(reading.placed, reading.findings)))
            return None
        records.append(reading.record)
    return "".join(map(writing.line, records)) if kind.key == "jsonl" else writing.dumps(records[0])


def _put(source: Source, new: str) -> bool:
    """Write a file anew; whether that went well."""
    path = Path(source.name)
    try:
        why = writing.hindrance(path)
        if why is None:
            writing.write(path, new, was=source.data)
    except OSError as error:
        why = f"{reason(error)}; nothing was written"
    if why is not None:
        complain(source.name, why)
    return why is None


def deal(
    game: str,
    players: int | None,
    seed: int,
    deals: int | None,
    number: int | None,
    count: int,
    option: list[str] | None,
    inject: str | None,
    policy: str | None,
    output: str | None,
) -> int:
    """Deal games; one is laid out for reading, several are a line each."""
    found = game_called(game)
    many = players or dealing.usual_players(found)
    chosen = options_of(found, option or [])
    if deals and number:
        raise CommandError("--deals and --number exclude each other")
    if policy and (inject or number):
        raise CommandError(f"--policy and --{'inject' if inject else 'number'} exclude each other")
    numbers = [number] if number else list(range(1, min(deals, MAX_DEALS + 1) + 1)) if deals else None
    if numbers and many in found.players:
        _in_schedule(compose(found, chosen)[0], many, numbers[-1])
    fault = inject and inject.upper()

    lined = _lined(output, count)

    def texts() -> Iterator[str]:
        for step in range(count):
            if policy is None:
                record = dealing.deal_game(found, many, seed + step, options=chosen, numbers=numbers, inject=fault)
            else:
                record = live.sample(found, seed + step, policy, players=many, options=chosen, deals=deals)
            yield writing.line(record) if lined else writing.dumps(record)

    try:
        emit(texts(), output)
    except (dealing.CannotDeal, live.CannotPlay) as error:
        raise CommandError(safe(str(error), 400)) from None
    return 0


def _lined(output: str | None, count: int) -> bool:
    """Whether records are written a line each: there are several, or the name says so. Refuse names that say something else."""
    name = (output or "").lower()
    said = next((key for key, suffixes in SUFFIXES.items() if key != "dds" and name.endswith(suffixes)), "")
    if said == "json" and count > 1:
        raise CommandError(f"json holds one record, and there are {count}: name a .jsonl file, which holds many")
    if said not in ("", "json", "jsonl") or name.endswith((".gz", ".xz")):
        raise CommandError("games are dealt as .json or .jsonl, unpacked; convert makes other files of these")
    return count > 1 or said == "jsonl"


def _in_schedule(game: Game, players: int, number: int) -> None:
    """Refuse deals that the game does not have."""
    schedule = game.cards(players)
    most = MAX_DEALS if isinstance(schedule, int) else len(schedule)
    if number > most:
        raise CommandError(f"a game of {game.key} with {players} player{'s' if players > 1 else ''} has {most} deals at most")


def digest(paths: list[str], from_: str | None) -> int:
    """Print digest, file, record and deal, a line each."""
    inputs, failed = Inputs(paths, from_), False
    for item in inputs:
        record = item.reading.record
        if record is None:
            failed = True
            sys.stderr.writelines(map(finding_line, map(item.reading.placed, item.reading.findings)))
            continue
        for index, (name, deal) in enumerate(zip(digests.names(record), record.deals, strict=True)):
            print(f"{name}  {safe(item.name)}  deal {deal.number or index + 1}")
    if not inputs.count and not inputs.trouble:
        raise CommandError("there was no record to digest")
    return inputs.code(failed)
