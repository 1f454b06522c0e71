"""How quick handrec is, as ratios measured in one run: `python tests/bench/bench.py`; README.md here says what each table means.

With `--other FOLDER`, an older checkout is measured beside this one, with the same interpreter and extras. Contestants run in
turn, round after round; times are seconds of the processor. Who judges is timed only after it has come to the right verdicts.
Nothing is asserted about speed. Machines differ: compare ratios within a table, and no figures across tables.
"""

from __future__ import annotations

import argparse
import json
import re
import sys
import tempfile
from argparse import Namespace
from collections.abc import Callable, Iterable, Iterator
from contextlib import ExitStack
from importlib.util import find_spec
from pathlib import Path

ROOT = Path(__file__).parents[2]
sys.path.insert(0, str(ROOT))

import handrec  # noqa: E402
from handrec import report  # noqa: E402
from handrec.formats.jsonl import follow  # noqa: E402
from handrec.record import Record  # noqa: E402
from tests import growth  # noqa: E402
from tests.bench import inputs, rivals  # noqa: E402
from tests.bench import live as steps  # noqa: E402
from tests.bench.race import Result, Run, Runner, kernel, numbers, python, race, shown, table, timed  # noqa: E402

#: How many of a hundred records have a fault.
SHARES = (0, 5, 100)

#: What is typed, before the name of a file of that kind.
COMMANDS = (("check", "jsonl"), ("audit", "jsonl"), ("check", "parquet"), ("audit", "parquet"))

#: What is said where there can be no archives.
MISSING = (
    []
    if find_spec("pyarrow") and find_spec("numpy")
    else ["no archives: pyarrow is not installed: pip install 'handrec[archive]'"]
)


def able(commands: Iterable[tuple[str, str]]) -> list[tuple[str, str]]:
    """Those commands that can be run with what is installed."""
    return [(word, suffix) for word, suffix in commands if suffix != "parquet" or not MISSING]


def checkouts(asked: Namespace, path: Path | None = None) -> dict[str, Path]:
    """This checkout, and the older one if there is one, and it judges the records of a file as this one does."""
    now = {"now": ROOT}
    return now | {"before": asked.other} if asked.other and (path is None or same(asked, path)) else now


#: How many of the first records of a file a checkout finds clean; nothing if it cannot read them.
CLEAN = "import sys, handrec; print(sum(handrec.check(handrec.loads(line)).ok for line in [*open(sys.argv[1], 'rb')][:20]))"


def same(asked: Namespace, path: Path) -> bool:
    """Whether the older checkout finds as many records clean as this one: games have been added since, and scores."""
    here, there = (python(checkout, asked.folder, "-c", CLEAN, str(path))() for checkout in (ROOT, asked.other))
    return here == there


def kinds(asked: Namespace) -> Iterator[tuple[str, str]]:
    """Each game asked for, in single deals and in complete games."""
    return ((key, kind) for key in asked.games for kind in inputs.KINDS)


def known(path: Path) -> list[Record]:
    """The records of a file."""
    with path.open("rb") as lines:
        return [reading.record for reading in follow(lines, path.name) if reading.record is not None]


def beside(now: Result, before: Result | None) -> str:
    """How many times as quick as before, if that is known."""
    return f"{now.beside(before):.3g}" if before else "–"


# --- what a command reaches -----------------------------------------------------------------------------------------


def archive(checkout: Path, path: Path, folder: Path, name: str) -> Path:
    """An archive of a file's records, written by a checkout: layouts differ."""
    made = path.with_suffix(f".{name}.parquet")
    made.unlink(missing_ok=True)
    python(checkout, folder, "-m", "handrec", "convert", str(path), "-o", str(made))()
    return made


def command(checkout: Path, folder: Path, word: str, path: Path, clean: int) -> Run:
    """A whole process of handrec on a file, which must find so many records clean."""
    run = python(checkout, folder, "-m", "handrec", word, "--no-progress", str(path))

    def work() -> None:
        told = re.search(r"([\d,]+) clean", run())
        assert told is not None, (word, path)
        assert int(told[1].replace(",", "")) == clean, (word, path)

    return timed(work)


def commands(asked: Namespace) -> Iterator[str]:
    """Records a second of whole processes: each command on the same records, by game, kind, and share of faulty records."""
    for key, kind in kinds(asked):
        cells: dict[tuple[str, str], list[str]] = {each: [] for each in able(COMMANDS)}
        heads = []
        for share in asked.shares:
            path = inputs.file(asked.folder, key, kind, asked.deals, share)
            records = known(path)
            many, clean = len(records), len(records) - inputs.wrong(len(records), share)
            heads = heads or [f"{key}: {many:,} records, {sum(len(record.deals) for record in records):,} deals"]
            heads += [f"{share} % faulty: a second", "× before", "× JSONL before"]
            where = checkouts(asked, path)
            runners = [
                Runner(name, command(checkout, asked.folder, word, found, clean), many, "records")
                for word, suffix in cells
                for name, checkout in where.items()
                for found in [path if suffix == "jsonl" else archive(checkout, path, asked.folder, name)]
            ]
            results, width = race(runners, asked.rounds), len(where)
            for place, each in enumerate(cells):
                now, *before = results[place * width : (place + 1) * width]
                same, first = (before[0], results[1]) if before else (None, None)
                cells[each] += [*numbers(now.rate), beside(now, same), beside(now, first)]
        yield table(heads, [[f"{word} .{suffix}", *told] for (word, suffix), told in cells.items()], asked.style, MISSING)


def starts(asked: Namespace) -> Iterator[str]:
    """Starting up, beside importing what it is built on."""
    one = inputs.written(asked.folder / "one.json", inputs.dealt("kbabs", "deals", 1))
    bare = "import typer, pydantic; pydantic.BaseModel"
    runners = [Runner("import typer, pydantic", timed(python(ROOT, asked.folder, "-c", bare)), 1, "starts")]
    for name, checkout in checkouts(asked).items():
        for words in (["check", str(one)], ["--help"]):
            run = timed(python(checkout, asked.folder, "-m", "handrec", *words))
            runners.append(Runner(f"handrec {words[0]}, {name}", run, 1, "starts"))
    rows = [
        [result.runner.name, f"{1000 / result.rate:,.0f} ms", f"{1 / result.beside(results[0]):.3g}"]
        for results in [race(runners, asked.rounds)]
        for result in results
    ]
    yield table(["starting up", "median", "times as long"], rows, asked.style)


#: A deal in which nothing happens and something is wrong twice, and how many of them are in a record, of which there are so many
#: in a file: in each of two, so that what is spent before the first file ends is not counted.
JUNK, JUNK_DEALS, JUNK_RECORDS = '{"hands":{"SEAT":["AS","AS"]}}', 1000, (4, 12)

#: How what is found can be told: in each format, and for people with all there is to tell.
REPORTS = [*((form,) for form in report.FORMATS), *((form, "-v") for form in ("text", "line", "markdown"))]


def reports(asked: Namespace) -> Iterator[str]:
    """What a whole process takes for each further deal that has nothing but faults, in budgets of `tests/growth.py`."""
    clean, events = growth.clean_game()
    referee = Runner("referee", timed(lambda: growth.only_referee(handrec.loads(clean))), events, "events")
    rows = []
    for key in asked.games:
        seats = next(inputs.dealt(key, "deals", 1)).players
        deal = JUNK.replace("SEAT", seats[0].seat)
        head = {"format": "handrec", "version": "1.0", "game": key, "status": "excerpt"}
        head |= {"players": [{"seat": player.seat} for player in seats], "deals": [json.loads(deal)] * JUNK_DEALS}
        line, runners = json.dumps(head, separators=(",", ":")) + "\n", [referee]
        for times in JUNK_RECORDS:
            path = asked.folder / f"reports-{key}-{times}.jsonl"
            path.write_text(line * times, "utf-8")
            words = ("-m", "handrec", "--no-config", "check", "--no-progress", "--format")
            runners += [Runner(" ".join(how), timed(python(ROOT, asked.folder, *words, *how, str(path))), 1) for how in REPORTS]
        event, *least = [min(result.seconds) / result.runner.many for result in race(runners, asked.rounds)]
        deals = (JUNK_RECORDS[1] - JUNK_RECORDS[0]) * JUNK_DEALS
        may = (growth.EVENT + growth.BYTE * len(deal + ",")) / growth.CLEAN * event * deals
        few, many = least[: len(REPORTS)], least[len(REPORTS) :]
        rows.append([key, *(f"{(more - less) / may:.2f}" for less, more in zip(few, many, strict=True))])
    yield table(["budgets a deal", *(" ".join(how) for how in REPORTS)], rows, asked.style)


# --- parts of the work ----------------------------------------------------------------------------------------------


def check(asked: Namespace) -> Iterator[str]:
    """`handrec.check`, one record at a time: microseconds a deal with tricks in C and in Python, and times as quick as before."""
    for share in asked.shares:
        rows = []
        for key, kind in kinds(asked):
            path = inputs.file(asked.folder, key, kind, asked.deals, share)
            deals = sum(len(record.deals) for record in known(path))
            ways = [(ROOT, "check", str(path)), (ROOT, "check", str(path), "python")]
            older = [(where, "check", str(path)) for name, where in checkouts(asked, path).items() if name == "before"]
            now, pure, *before = raced(asked, [*ways, *older])
            cost = [each.runner.many / each.rate / deals * 1e6 for each in (now, pure, *before)]
            told = [*numbers(*cost[:2]), *(numbers(cost[2]) if before else ["–"])]
            first = before[0] if before else None
            rows.append([f"{key}, {kind}", *told, beside(now, first), beside(pure, first)])
        heads = [f"check, {share} % faulty", "µs a deal", "without C", "before", "× before", "× without C"]
        yield table(heads, rows, asked.style)


def faulty(asked: Namespace) -> Iterator[str]:
    """What a faulty record costs, in replays of its clean original by the referee."""
    rows = []
    for key, kind in kinds(asked):
        right, wrong = (str(inputs.file(asked.folder, key, kind, asked.deals, share)) for share in (0, 100))
        ways = [(ROOT, "referee", right), (ROOT, "referee", wrong), (ROOT, "check_all", wrong), (ROOT, "check", wrong)]
        replay, *others = raced(asked, ways)
        rows.append([f"{key}, {kind}", *numbers(1e6 / replay.rate), *(f"{1 / each.beside(replay):.3g}" for each in others)])
    heads = [
        "a faulty record",
        "replay of the clean one, µs",
        "× replayed",
        "× slips told (check -q)",
        "× other readings too (check)",
    ]
    yield table(heads, rows, asked.style)


def worst(asked: Namespace) -> Iterator[str]:
    """The worst inputs that are known: milliseconds an event, or a kilobyte of text that is no record."""
    made: list[tuple[str, str, Path, float]] = []
    for key in asked.games:
        for place, name in enumerate(inputs.WORST):
            if records := inputs.worst(key, name):
                path = inputs.written(asked.folder / f"worst-{key}-{place}.jsonl", records)
                made.append((f"{key}: {name}", "check", path, sum(len(record.deals[0].events) for record in records)))
    for place, (name, text) in enumerate(inputs.texts().items()):
        path = asked.folder / f"worst-{place}.json"
        path.write_bytes(text)
        made.append((f"{name}, a kB", "reading", path, len(text) / 1000))
    rows = []
    for name, work, path, many in made:
        where = checkouts(asked, path if work == "check" else None)
        now, *before = raced(asked, [(checkout, work, str(path)) for checkout in where.values()])
        cost = [f"{each.runner.many / each.rate * 1000 / many:.3g}" for each in (now, *before)]
        rows.append([name, cost[0], cost[1] if before else "–", beside(now, before[0] if before else None)])
    yield table(["worst inputs", "ms an event", "before", "× before"], rows, asked.style)


def raced(asked: Namespace, kernels: Iterable[tuple[Path | str, ...]], others: Iterable[Runner] = ()) -> list[Result]:
    """A race of kernels, each in a process of its own, after others."""
    with ExitStack() as stack:
        runners = [*others]
        for checkout, name, *words in kernels:
            run, many = stack.enter_context(kernel(Path(checkout), asked.folder, str(name), *map(str, words)))
            runners.append(Runner(str(name), run, many))
        return race(runners, asked.rounds)


#: What is done with columns, by the names of the kernels.
SIEVES = {
    "sift": "the sieve, all deals at once",
    "sift_batches": "the sieve, an archive's batches",
    "verdicts": "verdicts on these batches",
}


def sieve(asked: Namespace) -> Iterator[str]:
    """The sieve on columns, and an archive's verdicts, beside OpenSpiel's play phase on the same deals, and as it was before."""
    (field, notes), records = rivals.same_deals("bridge", asked.deals)
    if not field:
        dealt = inputs.dealt("bridge", "deals", asked.deals)
        records = [record for record in dealt if any(event.do == "play" for event in record.deals[0].events)]
    path = inputs.written(asked.folder / "sieve.jsonl", records)
    ways = [(name, where, each) for each in SIEVES for name, where in checkouts(asked).items() if not MISSING]
    results = raced(asked, [(where, each, str(path)) for _, where, each in ways], field[:1])
    names = [runner.name for runner in field[:1]] + [f"{SIEVES[each]}, {name}" for name, _, each in ways]
    told = [result._replace(runner=result.runner._replace(name=name)) for result, name in zip(results, names, strict=True)]
    yield shown("bridge, from columns", told, asked.style, notes + MISSING)


def shares(asked: Namespace) -> Iterator[str]:
    """The share of clean records that the fast path keeps, and the sieve of archives: usual rules, and options at random."""
    rows, notes = [], list[str]()
    for key, kind in kinds(asked):
        usual = known(inputs.file(asked.folder, key, kind, asked.deals))
        cells = []
        for records in (usual, [*inputs.dealt(key, kind, asked.deals, usual=False)]):
            cells.append(f"{rivals.kept(records):.1%}")
            try:
                cells.append(f"{rivals.sifted(records):.1%}")
            except ImportError as error:
                cells.append("–")
                notes = [f"no sieve: {error}"]
        rows.append([f"{key}, {kind}", *cells])
    heads = ["clean records kept by", "the fast path", "the sieve", "options at random: the fast path", "the sieve"]
    yield table(heads, rows, asked.style, notes)


def live(asked: Namespace) -> Iterator[str]:
    """Event by event, beside the referee's replay of the same deals; and late events beside early ones."""
    rows = []
    for key in asked.games:
        records = known(inputs.file(asked.folder, key, "deals", asked.deals))
        runners = [Runner("replay", steps.replayed(records), len(records)), Runner("live", steps.stepped(records), len(records))]
        whole, stepped = race(runners, asked.rounds)
        late = steps.late_beside_early(steps.whole_games(key, max(1, asked.deals // 20)))
        kind = max(late, key=lambda kind: late[kind])
        cost = f"{1 / stepped.beside(whole):.3g}"
        rows.append([key, f"{1e6 / whole.rate:,.0f}", f"{1e6 / stepped.rate:,.0f}", cost, f"{late[kind]:.3g}", kind])
    heads = ["event by event", "the replay, µs a deal", "the table, µs a deal", "× the replay", "late × early, at most", "of"]
    yield table(heads, rows, asked.style)


# --- rivals ---------------------------------------------------------------------------------------------------------


def spiel(asked: Namespace) -> Iterator[str]:
    """OpenSpiel, the same deals."""
    for name in rivals.likenesses():
        (field, notes), _ = rivals.same_deals(name, asked.deals)
        yield shown(f"{name}, the same deals", race(field, asked.rounds), asked.style, notes)


def chess(asked: Namespace) -> Iterator[str]:
    """A checker of chess games, and handrec's commands on as many deals of each game."""
    field, notes = rivals.chess(asked.deals, asked.folder)
    for key in asked.games:
        path = inputs.file(asked.folder, key, "deals", asked.deals)
        records = known(path)
        cards = sum(event.do == "play" for record in records for event in record.deals[0].events)
        for word, suffix in able([("check", "jsonl"), ("audit", "parquet")]):
            found = path if suffix == "jsonl" else archive(ROOT, path, asked.folder, "now")
            run = command(ROOT, asked.folder, word, found, len(records))
            field.append(Runner(f"handrec {word} {key}.{suffix}, the process", run, len(records), "deals", cards))
    yield shown("a file checked", race(field, asked.rounds), asked.style, notes + MISSING)


def reading(asked: Namespace) -> Iterator[str]:
    """Readers."""
    field, notes = rivals.reading(asked.deals, asked.folder)
    yield shown("reading a record of one deal", race(field, asked.rounds), asked.style, notes)
    field, notes = rivals.evening(20 * asked.deals, asked.folder)
    yield shown("a file of PBN", race(field, asked.rounds), asked.style, notes)


def proofs(asked: Namespace) -> Iterator[str]:
    """Inference."""
    field, notes = rivals.proofs("kbabs", max(1, asked.deals // 100))
    yield shown("what the table could know", race(field, asked.rounds), asked.style, notes)


TABLES: dict[str, Callable[[Namespace], Iterator[str]]] = {
    made.__name__: made
    for made in (check, commands, reports, faulty, worst, live, sieve, shares, starts, spiel, chess, reading, proofs)
}


def parsed(words: list[str] | None = None) -> Namespace:
    """What is asked for."""
    parser = argparse.ArgumentParser(description="handrec beside its rivals and beside what it was, in one run.")
    parser.add_argument("--other", type=Path, help="a folder with an older checkout, to be measured beside this one")
    parser.add_argument("--only", choices=TABLES, action="append", help="this table (and those of further such options)")
    parser.add_argument("--games", type=lambda text: text.split(","), default=[*inputs.PLAYERS], help="keys, with commas (all)")
    parser.add_argument(
        "--shares", type=lambda text: [*map(int, text.split(","))], default=SHARES, help="faulty, in %% (0,5,100)"
    )
    parser.add_argument("--deals", type=int, default=300, help="deals of each race (300)")
    parser.add_argument("--rounds", type=int, default=3, help="rounds of each race (3)")
    parser.add_argument("--folder", type=Path, help="where files are made, kept, and used again (a temporary folder)")
    parser.add_argument("--style", choices=["simple", "github"], default="simple", help="tables as text or as Markdown")
    asked = parser.parse_args(words)
    asked.other = asked.other and asked.other.resolve()
    return asked


def main(words: list[str] | None = None) -> None:
    """Print one table after the other."""
    asked = parsed(words)
    with tempfile.TemporaryDirectory() as folder:
        asked.folder = (asked.folder or Path(folder)).resolve()
        asked.folder.mkdir(parents=True, exist_ok=True)
        for name in asked.only or TABLES:
            for made in TABLES[name](asked):
                print(made, flush=True)


if __name__ == "__main__":
    main()
