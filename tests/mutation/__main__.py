"""The command: `cover`, `run`, `again`, `table`."""

from __future__ import annotations

import json
import os
import subprocess
import sys
import time
from collections import Counter
from itertools import chain
from pathlib import Path
from random import Random
from typing import Annotated, Any

import typer

from tests.mutation.covering import ROOT, Covered
from tests.mutation.mutants import OPERATORS, Mutant, mutants
from tests.mutation.running import load_all_else, outcome

app = typer.Typer(no_args_is_help=True, add_completion=False, pretty_exceptions_enable=False)
Minutes = Annotated[float, typer.Option(help="Begin no other mutant after this.")]
Folder = Annotated[Path, typer.Option(help="Where the lines, the seconds and the results lie.")]
HERE = Path(".mutation")


@app.command()
def cover(
    tests: Annotated[list[Path] | None, typer.Argument(help="All, if none is named.")] = None, folder: Folder = HERE
) -> None:
    """Run the suite, or some of it, and note which test runs which lines, and how long it takes."""
    env = {**os.environ, "HANDREC_COVERED": str(folder.absolute())}
    # A page in a browser has the files as they lie on the disk, and no mutant of them.
    quick = ["-m", "not long and not fuzz and not browser"]
    command = [sys.executable, "-m", "pytest", "-q", *quick, "-p", "tests.mutation.covering", *map(str, tests or [])]
    raise typer.Exit(subprocess.run(command, cwd=ROOT, env=env, check=False).returncode)


@app.command()
def run(
    rooms: list[Path],
    folder: Folder = HERE,
    sample: Annotated[int | None, typer.Option(help="So many mutants of each room, drawn at random.")] = None,
    seed: int = 1,
    since: Annotated[str | None, typer.Option(help="A commit: of lines alone that were written after it.")] = None,
    minutes: Minutes = 60,
    part: Annotated[str, typer.Option(help="`1/2` takes every second mutant, `2/2` the others.")] = "1/1",
) -> None:
    """Run the tests against the mutants of files or folders; those that were run before are not run again."""
    load_all_else()
    covered, until = Covered(folder), time.monotonic() + 60 * minutes
    number, many = map(int, part.split("/"))
    for room in rooms:
        wanted = drawn(room.resolve(), sample, seed, since)[number - 1 :: many]
        known = {(each["file"], each["at"]) for each in results(folder)}
        # What has killed many is asked first: a survivor was then shown to the tests that see most.
        kills = Counter(each.get("by") for each in results(folder) if each["room"] == str(room))
        with (folder / f"results.{number}.jsonl").open("a") as file:
            for spot, (path, at, mutant) in enumerate(wanted):
                name = str(path.relative_to(ROOT))
                if (name, at) in known:
                    continue
                if time.monotonic() > until:
                    print(f"{room}: {len(wanted) - spot} not begun")
                    break
                tests = sorted(covered.tests(path, range(mutant.first, mutant.last + 1)), key=lambda test: -kills[test])
                said, asked, by = outcome(path, ROOT, mutant.source, tests, covered.seconds)
                kills[by] += bool(by)
                line = {"room": str(room), "file": name, "at": at, "line": mutant.first, "operator": mutant.operator}
                file.write(json.dumps({**line, "words": mutant.words, "outcome": said, "tests": asked, "by": by}) + "\n")
                file.flush()


@app.command()
def again(folder: Folder = HERE, minutes: Minutes = 60) -> None:
    """Show what survived the first tests to every test that runs its place, such as have been written since too."""
    load_all_else()
    covered, until = Covered(folder), time.monotonic() + 60 * minutes
    left = [each for each in results(folder) if each["outcome"] in ("survived", "not run") and "again" not in each]
    with (folder / "results.again.jsonl").open("a") as file:
        for spot, each in enumerate(left):
            if time.monotonic() > until:
                print(f"{len(left) - spot} not begun")
                break
            path = ROOT / each["file"]
            mutant = next(mutant for at, mutant in enumerate(mutants(path.read_bytes())) if at == each["at"])
            assert mutant.words == each["words"], f"{each['file']} has changed since"
            tests = covered.tests(path, range(mutant.first, mutant.last + 1))
            said, asked, by = outcome(path, ROOT, mutant.source, tests, covered.seconds, every=True)
            file.write(json.dumps({**each, "outcome": said, "tests": asked, "by": by, "again": True}) + "\n")
            file.flush()


def drawn(room: Path, sample: int | None, seed: int, since: str | None) -> list[tuple[Path, int, Mutant]]:
    """The mutants of a room with their numbers in their files; a sample of them if so many are wanted."""
    paths = sorted(room.rglob("*.py")) if room.is_dir() else [room]
    found = [(path, at, mutant) for path in paths for at, mutant in enumerate(mutants(path.read_bytes()))]
    if since is not None:
        new = {path: written_after(since, path) for path in paths}
        found = [each for each in found if new[each[0]] & {*range(each[2].first, each[2].last + 1)}]
    assert found, f"{room} has no mutants"
    if sample is None or sample >= len(found):
        return found
    return [found[place] for place in sorted(Random(seed).sample(range(len(found)), sample))]


def written_after(commit: str, path: Path) -> set[int]:
    """The lines of a file (from 1) that are not as they were in a commit, there or in another file that was changed with it."""
    command = ["git", "blame", "-s", "-C", f"^{commit}", "--", str(path)]
    said = subprocess.run(command, cwd=ROOT, check=True, capture_output=True, text=True).stdout.splitlines()
    return {at for at, line in enumerate(said, 1) if not line.startswith("^")}


def results(folder: Path) -> list[dict[str, Any]]:
    """What was found so far, of each mutant what was said of it last."""
    lines = chain.from_iterable(path.read_text().splitlines() for path in sorted(folder.glob("results.*.jsonl")))
    found = [json.loads(line) for line in lines]
    return [*{(each["room"], each["file"], each["at"]): each for each in found}.values()]


@app.command()
def table(folder: Folder = HERE, survivors: bool = True) -> None:
    """The score of each room, and each survivor."""
    found = results(folder)
    print("| room | mutants | killed | of them again | timeout | survived | not run | score |\n|---|---|---|---|---|---|---|---|")
    for room in dict.fromkeys(each["room"] for each in found):
        said = Counter(each["outcome"] for each in found if each["room"] == room)
        score = (said["killed"] + said["timeout"]) / said.total()
        since = sum(each["room"] == room and each["outcome"] == "killed" and "again" in each for each in found)
        others = (said[each] for each in ("timeout", "survived", "not run"))
        cells = [said.total(), said["killed"], since, *others, f"{score:.1%}"]
        print(f"| `{room}` | " + " | ".join(map(str, cells)) + " |")
    print("\nOperators: " + "; ".join(f"*{name}*: {(each.__doc__ or '').strip()}" for name, each in OPERATORS.items()))
    for each in found:
        if survivors and each["outcome"] in ("survived", "not run"):
            print(
                f"- {each['file']}:{each['line']} {each['operator']} `{each['words']}` ({each['outcome']}, {each['tests']} tests)"
            )


if __name__ == "__main__":
    app()
