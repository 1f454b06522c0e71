"""The house itself: what may import what, what every rule must have, what is loaded when, what lies at the top."""

from __future__ import annotations

import ast
import re
import subprocess
import sys
from collections import Counter
from functools import cache
from pathlib import Path
from random import Random
from types import SimpleNamespace

import numpy
import pytest

from handrec import games, rulebook
from handrec.cards import FRENCH_54
from handrec.findings import LEVELS, Rule
from handrec.game import Game, compose, validate
from handrec.referee import FORM, rules_of

ROOT = Path(__file__).parents[1]
PACKAGE = ROOT / "handrec"

#: Each room with those below it; a room may import from itself and from any room that stands before it.
FLOORS = (
    {"masks", "cards", "collector", "limits"},
    {"findings"},
    {"record", "rulebook"},
    {"sides", "versions"},
    {"game"},
    {"scoring"},
    {"phases"},
    {"games", "referee", "fast", "inference", "formats", "writing", "schema"},
    {"judging", "sieve", "allowance"},
    {"explanations"},
    {"repair", "ruling", "digests"},
    {"diff"},
    {"report", "readings"},
    {"dealing", "view", "matches"},
    {"archive"},
    {"api", "audit", "convert", "migrate", "page"},
    {"live"},
    {"env"},
    {"cli"},
    {"__main__"},
)

#: What stands on one floor keeps apart, but for these: readers name the referee's faults of form, and some
#: formats are of one game.
NEIGHBOURS = {
    ("formats", "referee"),
    ("formats", "fast"),
    ("formats", "games"),
    ("formats", "writing"),
    ("schema", "record"),
}


@cache
def nodes(path: Path) -> tuple[ast.AST, ...]:
    """All parts of a module."""
    return tuple(ast.walk(ast.parse(path.read_text("utf-8"))))


@cache
def rooms_imported(path: Path) -> set[str]:
    """The rooms of the package that a module imports."""
    rooms = set()
    for node in nodes(path):
        names = []
        if isinstance(node, ast.Import):
            names = [alias.name for alias in node.names]
        elif isinstance(node, ast.ImportFrom) and node.module:
            names = [node.module] if node.module != "handrec" else [f"handrec.{alias.name}" for alias in node.names]
        rooms |= {name.split(".")[1] for name in names if name.startswith("handrec.")}
    return rooms


def room_of(path: Path) -> str:
    """The room that a module belongs to."""
    return path.relative_to(PACKAGE).parts[0].removesuffix(".py")


def test_imports_run_one_way() -> None:
    """A module imports only from its own room and from rooms on lower floors."""
    paths = [path for path in PACKAGE.rglob("*.py") if room_of(path) != "__init__"]
    assert paths
    for path in paths:
        room = room_of(path)
        floor = next(height for height, rooms in enumerate(FLOORS) if room in rooms)
        below = set().union(*FLOORS[:floor])
        allowed = below | {room} | {other for this, other in NEIGHBOURS if this == room}
        assert rooms_imported(path) - {"__version__", *allowed} == set(), path


def test_games_do_not_import_each_other() -> None:
    """A game file can be read, and removed, without any other."""
    for path in (PACKAGE / "games").glob("*.py"):
        text = path.read_text("utf-8")
        assert "handrec.games" not in text or path.name == "__init__.py"


#: Rooms that may name a phase by its class: games are made of them, columns and readings at sight are of some of them, and
#: the fast path takes plays as its own phase does; and formats of bridge ask what its calls come to.
NAME_PHASES = {"phases", "games", "sieve", "explanations", "fast", "formats"}


def test_phases_are_asked_and_not_named() -> None:
    """Dealer, referee, formats and reports know a phase by what it says of itself: so they know one from outside, too."""
    naming = {room_of(path) for path in PACKAGE.rglob("*.py") if "phases" in rooms_imported(path)}
    assert naming <= NAME_PHASES


#: Rooms that serve any game.
GENERIC = {
    "game",
    "referee",
    "judging",
    "fast",
    "sieve",
    "archive",
    "dealing",
    "formats",
    "report",
    "view",
    "inference",
    "explanations",
    "repair",
    "ruling",
    "diff",
}

#: Words of games that mean something else in any game.
PLAIN = {
    "hearts": "a suit",
    "longest": "of the greatest length",
    "missed": "not done or not seen",
    "guess": "an edit that nothing proves; a number tried for one that is not known",
    "look": "to look at something",
    "match": "what fits a pattern",
    "stock": "the cards that nobody was dealt",
}

#: Where words of one game belong though the room is of any.
OF_A_GAME = {
    "formats/boards.py": "the boards that formats of bridge hold",
    "formats/dds": "a format of bridge",
    "formats/lin": "a format of bridge",
    "formats/pbn": "a format of bridge",
    "formats/rbn": "a format of bridge",
    "formats/hrt/events.py": "the lines of a notation that is published, the same whatever is played",
}


def words_of_games() -> set[str]:
    """What is announced in a game, what its options and places for cards are called, and the games themselves."""
    words = set()
    for game in games.catalogue():
        words |= {game.key, *game.extras, *(option.key for option in game.options)}
        words |= {kind.removeprefix("announce:") for kind in game.phase_of if kind.startswith("announce:")}
        for option in ({}, *({o.key: choice} for o in game.options for choice in o.values)):
            words |= {*compose(game, option)[0].aside(max(game.players), 1)}
    return words - {*PLAIN}


def words_in(path: Path) -> set[str]:
    """The names and the words of texts in a module, but for its docstrings."""
    words, docstrings = set[str](), set[ast.AST]()
    for node in nodes(path):
        match node:
            case ast.Expr(value=ast.Constant(value=str())):
                docstrings.add(node.value)  # before it is met as a text
            case ast.Constant(value=str(text)) if node not in docstrings:
                words |= {*re.findall(r"\w+", text.lower())}
            case ast.Name(id=name) | ast.Attribute(attr=name) | ast.arg(arg=name):
                words.add(name)
            case ast.FunctionDef(name=name) | ast.keyword(arg=str(name)):
                words.add(name)
    return words


def test_words_of_one_game_stand_in_its_own_rooms() -> None:
    """A generic room that names what only one game has would be wrong of the next; and no exception is kept for nothing."""
    own, told = words_of_games(), set()
    assert own >= {"mechoune", "sips", "dealer_rotation", "d_after_seat", "tie", "widow", "kbabs"}
    for path in sorted(PACKAGE.rglob("*.py")):
        where = path.relative_to(PACKAGE).as_posix()
        if room_of(path) in GENERIC and (found := words_in(path) & own):
            known = [place for place in OF_A_GAME if where.startswith(place)]
            assert known, (where, found)
            told |= {*known}
    assert told == {*OF_A_GAME}


def test_top_level_is_the_agreed_one() -> None:
    """A reader who opens the project sees only what was agreed on."""
    listed = subprocess.run(["git", "ls-files"], cwd=ROOT, capture_output=True, text=True, check=False)
    if listed.returncode:
        pytest.skip("this is not a git checkout, so the files of the project cannot be told from others")
    tops = {line.split("/")[0] for line in listed.stdout.splitlines()}
    shown = {top for top in tops if not top.startswith(".")}
    assert shown <= {"pyproject.toml", "handrec", "schemas", "fixtures", "tests", "README.md", "LICENSE"}


def all_rules() -> list[tuple[str, Rule]]:
    """Every rule of every game, also those that only an option brings in, each once."""
    rules = {}
    for game in games.catalogue():
        for option in ({}, *({o.key: choice} for o in game.options for choice in o.values)):
            for rule in rules_of(compose(game, option)[0]):
                rules.setdefault((game.key, rule.code, rule.id, rule.narrow), (game.key, rule))
    return list(rules.values())


def test_every_rule_has_id_sentence_citation_and_one_test() -> None:
    """A rule says what it means and where it stands, and is decided in exactly one of three ways."""
    for key, rule in all_rules():
        assert rule.id, (key, rule.code)
        assert rule.citation is not None, (key, rule.id)
        assert rule.citation.section, (key, rule.id)
        assert rule.sentence.endswith("."), (key, rule.id)
        assert rule.level in LEVELS, (key, rule.id)
        assert [rule.narrow is not None, rule.check is not None, bool(rule.judged_by)].count(True) == 1, (key, rule.id)


def test_codes_are_unique() -> None:
    """A code means one fault, in the rulebook and among faults of form; a game may have several rules of it, by their ids."""
    assert not set(FORM) & set(rulebook.RULES)
    shared = [rule for rule in vars(rulebook).values() if isinstance(rule, Rule)]
    assert len({rule.code for rule in shared}) == len(shared)
    for game in games.catalogue():
        codes = [(rule.code, rule.id) for rule in game.rules]
        assert len(codes) == len(set(codes)), f"{game.key} has a rule twice"


@pytest.mark.parametrize("game", games.catalogue(), ids=lambda game: game.key)
def test_every_game_has_the_rules_it_needs(game: Game) -> None:
    """With every value of every option."""
    for option in ({}, *({o.key: choice} for o in game.options for choice in o.values)):
        validate(compose(game, option)[0])


def test_what_a_phase_judges_by_is_stated_somewhere() -> None:
    """A code that a phase writes down is one that all games share, or one that the phase says it needs."""
    written: set[str] = set()
    for path in [*(PACKAGE / "game").glob("*.py"), *(PACKAGE / "phases").glob("*.py")]:
        texts = [node.value for node in nodes(path) if isinstance(node, ast.Constant)]
        written |= {text for text in texts if isinstance(text, str) and re.fullmatch(r"[A-Z]{3}\d{3}", text)}
    composed = [
        compose(game, option)[0]
        for game in games.catalogue()
        for option in ({}, *({o.key: choice} for o in game.options for choice in o.values))
    ]
    needed = {code for game in composed for phase in game.phases for code in phase.needs}
    asked_after = {"BID008", "BID009"}  # by the auction, of calls that the game's checks found wrong
    assert written - set(rulebook.RULES) - set(FORM) - asked_after == needed - set(rulebook.RULES)


def test_options_that_touch_the_same_part_are_applied_in_the_order_of_the_catalogue() -> None:
    """Whatever order a caller gives options in, the game is the same."""
    kbabs = games.find("kbabs")
    assert kbabs is not None
    options = {"scoring": "linear", "linear_miss": "square", "ultimate": True, "ladder": "up"}
    one, two = compose(kbabs, options)[0], compose(kbabs, dict(reversed(options.items())))[0]
    assert one == two


def loaded_after(code: str) -> set[str]:
    """The modules that are loaded after running some Python in a fresh interpreter."""
    ran = subprocess.run(
        [sys.executable, "-c", f"{code}\nimport sys; print(*sys.modules)"], capture_output=True, text=True, check=True, cwd=ROOT
    )
    return set(ran.stdout.split())


def test_importing_the_library_loads_nothing_heavy() -> None:
    """`import handrec` costs next to nothing; what is heavy is loaded where it is used."""
    loaded = loaded_after("import handrec")
    assert not loaded & {"typing", "re", "dataclasses", "pydantic", "typer", "rich", "numpy", "pyarrow", "tabulate", "hypothesis"}


def test_help_loads_nothing_heavy() -> None:
    """`handrec --help` needs the command line and nothing behind it."""
    loaded = loaded_by("--help")
    assert not loaded & {"numpy", "pyarrow", "tabulate", "rich", "pydantic"}
    assert rooms_of(loaded) == {"cli"}


#: What stands by for a record that has faults, for other formats, for other things to do: no clean record needs it.
NOT_FOR_CLEAN = {"archive", "audit", "dealing", "diff", "digests", "explanations", "inference", "migrate",
                 "readings", "repair", "ruling", "schema", "sieve", "view"}  # fmt: skip


@pytest.mark.some(2)
@pytest.mark.parametrize(
    ("path", "code", "rooms", "modules"),
    [
        ("clean/kbabs-1-player.handrec.json", 0, set(), {"cli.check", "formats.json", "games.kbabs", "report.line"}),
        ("broken/kbabs/KB-5.2-REV001.handrec.json", 1, {"explanations", "readings"}, {"formats.json", "games.kbabs"}),
        ("../tests/typed/kbabs.hrt", 0, set(), {"formats.hrt", "games.kbabs"}),
        ("bridge/club.pbn", 0, set(), {"formats.pbn", "games.bridge"}),
    ],
)
def test_check_loads_what_the_record_needs(path: str, code: int, rooms: set[str], modules: set[str]) -> None:
    """One format, one game, one report; what explains faults only where there are faults, what mends them not at all."""
    loaded = loaded_by("--no-config", "check", str(ROOT / "fixtures" / path), code=code)
    assert loaded >= {f"handrec.{module}" for module in modules}
    assert rooms_of(loaded) & NOT_FOR_CLEAN == rooms
    assert not loaded & {"tomllib", "html", "lzma", "gzip", "numpy", "pyarrow", "rich", "tabulate"} - {*typer_loads()}
    assert not loaded & {"handrec.cli.mend", "handrec.cli.baseline", "handrec.report.repair"}
    for room, few in (("formats", 2), ("games", 1), ("report", 1)):
        own = {name.split(".")[2] for name in loaded if name.startswith(f"handrec.{room}.")}
        assert len(own - BESIDES) <= few, own


#: Modules beside those of the formats, and of the reports.
BESIDES = {"quick", "strict", "untold", "boards", "checked", "layout", "safe"}


def test_a_command_that_runs_is_built_alone() -> None:
    """To build every command takes as long as to judge a record; yet help lists all, and so does the guess at a typing error."""
    from handrec.cli.app import app, with_command

    assert [command.name for command in with_command("check").registered_commands] == ["check"]
    assert with_command("chekc").registered_commands == with_command(None).registered_commands == app.registered_commands


def loaded_by(*arguments: str, code: int = 0) -> set[str]:
    """The modules that are loaded after running a command, which must end with this exit code."""
    quiet = "with contextlib.redirect_stdout(io.StringIO())"
    return loaded_after(
        f"import io, contextlib\nfrom handrec.cli import run\n{quiet}: code = run({[*arguments]})\nassert code == {code}"
    )


def typer_loads() -> set[str]:
    """What stands to be loaded whatever we do."""
    return loaded_after("import typer, pydantic\npydantic.TypeAdapter(int)")


def rooms_of(modules: set[str]) -> set[str]:
    """The rooms of the package to which these modules belong."""
    return {name.split(".")[1] for name in modules if name.startswith("handrec.")}


def test_every_narrow_gives_the_same_on_ints_and_arrays() -> None:
    """One rule text serves both carriers: a hand at a time, or many at once."""
    rng = Random(7)
    cards = list(range(len(FRENCH_54)))
    some = [sum(1 << card for card in rng.sample(cards, rng.randrange(1, 14))) for _ in range(200)]
    names = ("hand", "lead", "led", "trumps", "rising")
    columns = {name: [rng.choice(some) for _ in range(200)] for name in names}
    columns["leading"] = [rng.random() < 0.3 for _ in range(200)]
    columns["broken"] = [rng.random() < 0.5 for _ in range(200)]
    columns["first"] = [rng.random() < 0.2 for _ in range(200)]
    rules = {rule.narrow for _, rule in all_rules() if rule.narrow} | {rulebook.TRUMPS_BROKEN.narrow}
    for narrow in rules:
        arrays = SimpleNamespace(**{name: numpy.array(column) for name, column in columns.items()})
        together = narrow(arrays, arrays.hand)
        for place in range(200):
            one = SimpleNamespace(**{name: column[place] for name, column in columns.items()})
            assert int(together[place]) == narrow(one, one.hand)


def test_a_class_name_means_one_thing() -> None:
    """No name of a class is defined twice in the package."""
    defined = Counter(node.name for path in PACKAGE.rglob("*.py") for node in nodes(path) if isinstance(node, ast.ClassDef))
    assert not [name for name, times in defined.items() if times > 1]


def test_every_row_of_a_table_has_the_cells_of_its_head() -> None:
    """In all that is written for readers: a row of too few cells or too many would be shown without a word."""
    rooms = ("handrec", "tests", "fixtures", "schemas")
    tables = 0
    for page in (ROOT / "README.md", *(page for room in rooms for page in ROOT.glob(f"{room}/**/*.md"))):
        head = 0  # cells of the head of this table; 0: outside of one
        for number, line in enumerate(page.read_text(encoding="utf-8").splitlines(), 1):
            cells = len(re.findall(r"(?<!\\)\|", line)) if line.startswith("|") else 0
            tables += 1 if cells and not head else 0
            head = cells and (head or cells)
            assert cells == head, f"{page.relative_to(ROOT)}:{number}"
    assert tables
