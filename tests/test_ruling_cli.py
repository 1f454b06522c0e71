"""The command `ruling`: what it prints in each format, its exit codes, wrong input, hostile records."""

from __future__ import annotations

import io
import json
import re
import sys
from collections.abc import Callable
from itertools import cycle
from pathlib import Path
from typing import Any

import pytest

from handrec import api
from handrec.cli import run
from handrec.record import Record
from handrec.report.safe import columns
from handrec.ruling import LAWS
from tests.tables import Data, cut, drop, insert
from tests.test_ruling import BROKEN, accuse, killer, spades, take

RevokeRuling = Callable[..., tuple[int, str, str]]


@pytest.fixture
def ruling(capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> RevokeRuling:
    """Run `handrec ruling` on a record or a path; returns exit code, standard output and standard error."""

    def call(what: Data | str, *arguments: str) -> tuple[int, str, str]:
        path = what
        if not isinstance(what, str):
            path = str(tmp_path / "record.handrec.json")
            Path(path).write_text(json.dumps(what))
        code = run(["ruling", str(path), *map(str, arguments)])
        said = capsys.readouterr()
        assert "Traceback" not in said.err
        return code, said.out, said.err

    return call


def fixture(name: str) -> str:
    """The path of a broken fixture."""
    return str(BROKEN / f"{name}.handrec.json")


def test_the_text_of_a_ruling(ruling: RevokeRuling) -> None:
    """Every part under its heading, in 80 columns."""
    code, out, err = ruling(spades(accuse("0", "2"), take("0", "2", 2)))
    assert (code, err) == (0, "")
    assert out == (
        "RULING  deal 1 (hr1:ad9e…)  laws spades3             UPHELD – up to 3 books to 0\n"
        " Claim   0 accuses 2 of a renege in trick 4, after 4.3\n"
        " Facts   1. trick 4: 1 led 7H; 2 played LJ and won [the play, 4.2]\n"
        "         2. 2 did not follow suit while holding AH 3H [recorded hand, 4.2]\n"
        "         3. 2 played AH to trick 6 [later play, 6.2]\n"
        "         4. 0 accused 2 after 4.3 [the record, 4.3]\n"
        "         5. 0 took 2 books of 2 [the record, 4.3]\n"
        " Written as written, 2 played LJ on a lead of 7H while holding AH 3H (SP-13)\n"
        " Slips   no slip of the pen is nearly as likely\n"
        " Dates   happened 4.2 · provable to all 6.2 · established 4.2 (a card played\n"
        "           stands) · claimable until trick 4 is turned (at the latest 5.1) ·\n"
        "           claimed after 4.3\n"
        " Rule    SP-13: Follow the suit led if you can, jokers counting as spades;\n"
        "           otherwise play any card. [Spades – Three Players, Play (stated)]\n"
        "         SP-22: An opponent who notices a renege may claim it before the trick\n"
        "           is turned over. [Spades – Three Players, Scoring (stated)]\n"
        "         SP-23: The first claimant takes up to three books the offender has, now\n"
        "           or later.\n"
        " Without tricks 0: 4, 1: 4, 2: 5 · points 0: -60, 1: 40, 2: 50 · totals 0: -60,\n"
        "           1: 40, 2: 50\n"
        " Choices 0 takes none: as without\n"
        "         0 takes 1 in deal 1: tricks 0: 4→5, 2: 5→4 · points 2: 50→-50 · totals\n"
        "           2: 50→-50\n"
        "         0 takes 2 in deal 1 [so in the record]: tricks 0: 4→6, 2: 5→3 · points\n"
        "           0: -60→60, 2: 50→-50 · totals 0: -60→60, 2: 50→-50\n"
        "         0 takes 3 in deal 1: tricks 0: 4→7, 2: 5→2 · points 0: -60→61,\n"
        "           2: 50→-50 · totals 0: -60→61, 2: 50→-50\n"
        " Assumed When a trick was turned is not in the record: at the latest when the\n"
        "           next one was led.\n"
        "         What was said at the table is not in the record.\n"
        " Limits  This is an aid to whoever has to rule, not a decision.\n"
        "\n"
    )


def test_every_format_shows_the_record_as_written_the_slips_and_where_to_look(ruling: RevokeRuling) -> None:
    """The same three things as text, as Markdown and as data."""
    path = fixture("spades3/SP-12-REV005")
    words = re.sub(r"\n +", " ", ruling(path)[1])
    page = ruling(path, "-f", "markdown")[1]
    (told,) = json.loads(ruling(path, "-f", "json")[1])
    for said in (words, page):
        assert "as written, 0 led KS before trumps were broken" in said
        assert "1. KS written for KC (0's card to trick 1): as likely" in said
        assert "0's card to trick 1: it says KS; if it was KC (1) or " in said
        assert "what was left in 0's hand when the play ended: KC if this happened, else KS (" in said
    weighed = told["weighed"]
    assert weighed["likelier"] == "neither"
    assert weighed["slips"][0] == {"words": "KS written for KC", "places": ["0's card to trick 1"], "cost": 0, "still": []}
    assert (weighed["look"][0]["says"], weighed["look"][0]["instead"][0]) == ("KS", ["KC", [1]])


@pytest.mark.some(3)
@pytest.mark.parametrize(("name", "laws"), [*zip(cycle(["spades3/SP-13-REV001", "bridge/BR-44C-REV001"]), LAWS, strict=False)])
def test_every_format_under_every_profile(ruling: RevokeRuling, name: str, laws: str) -> None:
    """Text fits 80 columns, JSON is one document that says the same, Markdown has a heading; nobody is called names."""
    code, text, err = ruling(fixture(name), "--laws", laws)
    assert (code, err) == (0, "")
    assert max(map(columns, text.splitlines())) <= 80
    _, data, _ = ruling(fixture(name), "--laws", laws, "-f", "json")
    told = json.loads(data)
    _, markdown, _ = ruling(fixture(name), "--laws", laws, "-f", "markdown")
    assert len(told) == text.count("RULING") == markdown.count("## RULING")
    for each in told:
        assert each["laws"]["name"] == laws
        assert each["verdict"].upper() in text
        assert all(fact["words"].split(";")[0] in re.sub(r"\n +", " ", text) for fact in each["facts"])
    assert "cheat" not in (text + data + markdown).lower()


def test_exit_codes(ruling: RevokeRuling) -> None:
    """With --exit-code: 1 upheld, 4 cannot be decided, 0 rejected; without it, 0."""
    upheld, early = spades(accuse("0", "2")), drop(cut(spades(accuse("0", "2"), extensions={}), 20), "/deals/0/hands")
    legal = insert(cut(spades(), 15), "/deals/0/events/9", accuse("0", "1", trick=2))
    assert ruling(upheld, "--exit-code")[0] == 1
    assert ruling(early, "--exit-code")[0] == 4
    assert ruling(legal, "--claim", "1@2", "--exit-code")[0] == 0
    assert [ruling(each)[0] for each in (upheld, early, legal)] == [0, 0, 0]
    assert ruling(fixture("spades3/SP-12-REV005"), "--exit-code")[0] == 4  # KS led may be KC miswritten
    code, out, err = ruling(str(BROKEN.parent / "clean" / "one-deal.handrec.json"))
    assert (code, out) == (0, "")
    assert err.startswith("nothing to rule on")


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (["--claim", "9@4"], "there is no seat 9 in this record (seats: 0, 1, 2)"),
        (["--claim", "2@44"], "there is no trick 44 in deal 1 (tricks: 1 to 13)"),
        (["--claim", "2@4", "--deal", "5"], "there is no deal 5 in this record"),
        (["--deal", "5"], "there is no deal 5 in this record"),
        (["--claim", "two"], "a claim is written SEAT@TRICK, such as 0@5, not two"),
        (["--claim", "\x1b[2J@4"], "a claim is written SEAT@TRICK, such as 0@5, not \\u{1b}[2J@4"),
        (["--claim", "2@4", "--noticed", "x"], "a moment is written TRICK.CARD, such as 8.1, not x"),
        (["--claim", "2@4", "--noticed", "13.4"], "there is no card 13.4 in deal 1"),
        (["--noticed", "4.3"], "--noticed says when a --claim was made; which one?"),
        (["--laws", "spades"], "no laws are called spades"),
        (["--laws", "\x1b[31m"], "no laws are called \\u{1b}[31m"),
    ],
)
def test_wrong_input_is_said_in_one_line(ruling: RevokeRuling, arguments: list[str], said: str) -> None:
    """Exit code 2, one line, and nothing on standard output."""
    for shape in ("text", "json", "markdown"):
        code, out, err = ruling(spades(accuse("0", "2")), *arguments, "-f", shape)
        assert (code, out) == (2, "")
        assert err.startswith(f"handrec: {said}")
        assert err.count("\n") == 1


def test_a_claim_on_record_is_that_claim(ruling: RevokeRuling) -> None:
    """Asked about what somebody accused, the ruling is on the accusation, unless told when it was noticed."""
    data = spades(accuse("0", "2"))
    assert " Claim   0 accuses 2 of a renege in trick 4, after 4.3\n" in ruling(data, "--claim", "2@4")[1]
    assert " Claim   asked: a renege by 2 in trick 4, after 5.1\n" in ruling(data, "--claim", "2@4", "--noticed", "5.1")[1]


def test_what_is_no_record_or_no_game(ruling: RevokeRuling, tmp_path: Path) -> None:
    """A missing file is trouble; a record that cannot be read or played is told by its findings."""
    assert ruling(str(tmp_path / "none.json"))[0] == 2
    code, out, err = ruling({**spades(), "game": "snap"})
    assert (code, out) == (1, "")
    assert "FMT008" in err
    code, out, err = ruling({**spades(), "options": {"no": 1}})
    assert (code, out) == (1, "")
    assert "FMT009" in err
    code, out, err = ruling({"format": "handrec"})
    assert (code, out) == (2, "")
    code, out, err = ruling({**spades(), "deals": [], "players": [{"seat": "0"}]})
    assert (code, out) == (1, "")
    assert "DEA004" in err
    code, out, err = ruling({**spades(), "deals": []})
    assert (code, out) == (0, "")
    assert err.startswith("nothing to rule on")


def test_several_records_and_standard_input(ruling: RevokeRuling, monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    """An archive is ruled on record by record."""
    lines = [json.dumps(each) for each in (spades(accuse("0", "2")), killer(accuse("0", "3", trick=1)))]
    (tmp_path / "two.jsonl").write_text("\n".join(lines) + "\n")
    _, out, _ = ruling(str(tmp_path / "two.jsonl"))
    assert re.findall(r"^RULING .* laws (\S+)", out, re.MULTILINE) == ["spades3", "kbabs"]
    monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(lines[0].encode())))
    assert ruling("-")[1].startswith("RULING  deal 1")


def test_laws_in_the_record_and_on_the_command_line(ruling: RevokeRuling) -> None:
    """What the record names holds, unless the command line names others; bad ones end in one line."""
    data = spades(accuse("0", "2"), extensions={"handrec.laws": "spades-set"})
    assert "laws spades-set" in ruling(data)[1]
    assert "laws euchre-2" in ruling(data, "--laws", "euchre-2")[1]
    code, out, err = ruling(spades(extensions={"handrec.laws": {"name": "\x1b[2J"}}))
    assert (code, out, err.count("\n")) == (2, "", 1)
    assert "\x1b" not in err


HOSTILE = "\x1b[2J<script>alert(1)</script>|`*_ \u202e\n## heading"


def hostile() -> Data:
    """Names, ids and laws that would like to be obeyed."""
    laws: dict[str, Any] = {
        "name": "ours",
        "title": HOSTILE,
        "source": HOSTILE,
        "note": HOSTILE,
        "penalty": [{"kind": "points_off", "n": 5}],
        "paragraphs": {"penalty": {"at": HOSTILE[:30], "says": HOSTILE}, "equity": {"at": HOSTILE[:30]}},
        "equity": "director",
    }
    data = spades(accuse("0", "2"), id=HOSTILE, extensions={"handrec.laws": laws})
    data["players"] = [{"seat": str(seat), "name": HOSTILE} for seat in range(3)]
    return data


@pytest.mark.parametrize("format", ["text", "json", "markdown"])
def test_hostile_records_are_harmless(ruling: RevokeRuling, format: str) -> None:
    """Nothing that moves a cursor, turns the direction of writing, or is markup."""
    code, out, err = ruling(hostile(), "-f", format)
    assert (code, err) == (0, "")
    assert not set(out) & {"\x1b", "\u202e", "\r", "\x07"}
    assert "\\u{1b}" in (
        json.loads(out)[0]["players"]["0"] if format == "json" else out.replace("\\\\", "\\").replace("\\{", "{")
    )
    if format == "markdown":
        assert not re.search(r"(?<!\\)<script", out)
        assert len(re.findall(r"^## ", out, re.MULTILINE)) == 1
    if format == "text":
        assert max(map(columns, out.splitlines())) <= 80


def test_an_output_file_is_written_once(ruling: RevokeRuling, tmp_path: Path) -> None:
    """The same text, into a file that must not exist."""
    shown = ruling(fixture("kbabs/KB-5.2-REV001"))[1]
    target = tmp_path / "ruling.txt"
    assert ruling(fixture("kbabs/KB-5.2-REV001"), "-o", str(target))[0] == 0
    assert target.read_text("utf-8") == shown
    assert ruling(fixture("kbabs/KB-5.2-REV001"), "-o", str(target))[0] == 2


def test_many_choices_are_counted_and_all_in_the_json(ruling: RevokeRuling) -> None:
    """Text shows the best for the taker; every choice is in the JSON."""
    data = spades()
    data["deals"] += [{**data["deals"][0], "number": number} for number in range(2, 6)]
    _, out, _ = ruling(data, "--claim", "2@4", "--deal", "1")
    told = json.loads(ruling(data, "--claim", "2@4", "--deal", "1", "-f", "json")[1])[0]["outcomes"]
    assert len(told) == 2 * 56  # three books over five deals, for each of two who may have claimed
    assert f"and {len(told) - 20} more" in out
    best = max(each["after"]["totals"][move["by"]] for each in told for move in each["moves"])
    first_shown = re.sub(r"\n +", " ", out).split("Choices ")[1].split(" 0 takes ")[0]
    assert str(best) in first_shown


def test_the_records_of_the_tests_are_records() -> None:
    """What is written here by hand is what the format allows."""
    for data in (spades(), killer(), hostile()):
        assert api.loads(json.dumps(data)) == Record.model_validate(data)
