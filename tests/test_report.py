"""Reports: what each format says, and that nothing a record holds can break out of it."""

from __future__ import annotations

import contextlib
import html
import io
import json
import subprocess
import sys
import xml.etree.ElementTree as ElementTree
from collections.abc import Iterable
from pathlib import Path
from types import MappingProxyType
from typing import Any

import pytest
from hypothesis import HealthCheck, example, given, settings
from hypothesis import strategies as st

from handrec.cli import run
from handrec.explanations import SLIPS
from handrec.findings import LEVELS, DealResult, Fault, Finding, Level, Location, PlayedTrick, Verdict
from handrec.games import find
from handrec.record import Record
from handrec.referee import FORM, check
from handrec.report import FORMATS, Checked, ReportOptions, summary
from handrec.report.checked import Habits, condensed
from handrec.report.json import plain
from handrec.report.safe import clip, columns, first, github_data, github_property, last, markdown, safe, xml
from handrec.report.text import _window
from handrec.rulebook import FOLLOW_SUIT, TAKEN_BACK
from tests.growth import DIMENSIONS

HANDS = {"0": ["AH", "7C", "2D"], "1": ["LJ", "KH", "9S"], "2": ["BJ", "4H", "QC"], "3": ["3H", "AC", "5D"]}
PASSED = tuple(Level(key, "passed") for key in LEVELS)


def revoke() -> Checked:
    """KB-D8 with a fault: seat 2 throws a club on the trump led, while holding two trumps."""
    bids = [{"do": "bid", "by": seat, "bid": 1} for seat in HANDS]
    pairs = ("0 7C", "1 9S", "2 QC", "3 AC", "3 3H", "0 2D", "1 KH", "2 4H", "1 LJ", "2 BJ", "3 5D", "0 AH")
    plays = [{"do": "play", "by": play[0], "card": play[2:]} for play in pairs]
    deal = {"number": 11, "cards": 3, "dealer": "3", "hands": HANDS, "events": [{"do": "turn", "card": "TH"}, *bids, *plays]}
    data = {"format": "handrec", "version": "1.0", "id": "d8", "game": "kbabs", "status": "excerpt", "deals": [deal]}
    verdict = check(Record.model_validate({**data, "players": [{"seat": seat} for seat in HANDS]}), find)
    placed = tuple(finding._replace(location=Location("a/d8.json", 4, 9)) for finding in verdict.findings)
    return Checked("d8", "a/d8.json", verdict._replace(findings=placed))


def told(format: str, checked: Iterable[Checked], **options: bool) -> str:
    return "".join(FORMATS[format](checked, ReportOptions(**options)))


def many(number: int, finding: Finding) -> list[Checked]:
    return [Checked(f"r{place}", "x.json", Verdict(None, "kbabs", {}, PASSED, (finding,))) for place in range(number)]


REMARK = Finding(TAKEN_BACK, {"seat": "E", "card": "2H", "could": ["3S"]}, "/deals/0/events/3", 1, 1, "E")
WARNING = Finding(FORM["FMT015"])


def test_the_deal_and_the_event_of_a_finding_are_those_of_its_pointer() -> None:
    """Whatever else it leads through numbers to."""
    for pointer, deal, event in (
        ("/deals/2/events/13/card", 2, 13),
        ("/deals/2/hands/3/0", 2, None),
        ("/players/1/name", None, None),
        ("/claimed/totals/1", None, None),
        ("/deals", None, None),
        ("", None, None),
    ):
        finding = WARNING._replace(pointer=pointer)
        assert (finding.deal_index, finding.event_index) == (deal, event)


def test_what_follows_from_another_finding_is_explained() -> None:
    """Nothing else is named that would explain it."""
    follows = WARNING._replace(unexplained=True).following(("REV001", "/deals/0/events/3"))
    assert (follows.because, follows.near, follows.unexplained) == (("REV001", "/deals/0/events/3"), (), False)


# --- each format ----------------------------------------------------------------------------------------------------


def test_line_has_a_line_for_each_finding_and_the_count() -> None:
    assert told("line", [revoke()]) == (
        "a/d8.json:4:9: REV001 error  deal 11, trick 2, seat 0: 0 played 2D on a lead of 3H while holding AH [KB-5.2]\n"
        "Checked 1 record (1 deal): 0 clean, 1 with findings (1 error).\n"
        "Not checkable in part: L5 in 1 record, L6 in 1 (-v says why).\n"
    )


def test_line_tells_every_level_if_asked_and_only_findings_if_asked() -> None:
    lines = told("line", [revoke()], verbose=True).splitlines()
    assert lines[1] == "a/d8.json: d8: L0 readable: passed"
    assert lines[6] == "a/d8.json: d8: L5 winners, tricks, scores: not checkable: deal 11: no result is recorded to compare with"
    assert told("line", [revoke()], quiet=True).count("\n") == 1


def test_line_colours_code_and_severity_alone() -> None:
    assert "a/d8.json:4:9: \x1b[31mREV001 error\x1b[0m  deal 11, trick 2, seat 0: 0 played" in told(
        "line", [revoke()], colour=True
    )


def test_a_remark_is_a_note_and_leaves_a_record_clean() -> None:
    note, count = told("line", many(1, REMARK)).splitlines()
    assert note.startswith("x.json: REV009 note  deal 1, trick 1, E: E took back 2H")
    assert count == "Checked 1 record (0 deals): 1 clean; 1 note."


def test_facts_of_any_kind_are_plain_in_json() -> None:
    facts = MappingProxyType({"cards": ("AS", "KS"), "odds": [{"E": 1}], "\x1b": None})
    assert plain(facts) == {"cards": ["AS", "KS"], "odds": [{"E": 1}], "\\u{1b}": None}


def test_json_is_one_document_and_jsonl_the_same_records() -> None:
    document = json.loads(told("json", [revoke(), revoke()]))
    assert list(document) == ["records", "summary", "tool", "version"]
    assert document["summary"]["not_checkable"] == {"L5": 2, "L6": 2}
    assert [json.loads(line) for line in told("jsonl", [revoke(), revoke()]).splitlines()] == document["records"]
    record = document["records"][0]
    assert (record["name"], record["path"], record["game"], record["totals"]) == ("d8", "a/d8.json", "kbabs", None)
    assert record["deals"][0]["winners"] == ["3", "1", "2"]
    assert record["findings"] == [
        {
            "code": "REV001", "name": "revoke", "rule": "KB-5.2", "severity": "error", "level": "L4", "deal": 11, "trick": 2,
            "seat": "0", "pointer": "/deals/0/events/10/card", "path": "a/d8.json", "line": 4, "column": 9,
            "message": "0 played 2D on a lead of 3H while holding AH",
            "facts": {"seat": "0", "card": "2D", "could": ["AH"], "led": "3H", "held": ["AH", "2D"]},
            "readings": [],
                    "because": None,
                    "near": [],
                    "unexplained": False,
        }
    ]  # fmt: skip
    assert json.loads(told("json", []))["records"] == []


def test_sarif_names_rule_place_and_fingerprint() -> None:
    (run,) = json.loads(told("sarif", [revoke()]))["runs"]
    (rule,) = run["tool"]["driver"]["rules"]
    (result,) = run["results"]
    assert rule["id"] == result["ruleId"] == "REV001"
    assert rule["fullDescription"]["text"].startswith("KB-5.2: Follow the suit led if you can")
    physical = result["locations"][0]["physicalLocation"]
    assert physical == {"artifactLocation": {"uri": "a/d8.json"}, "region": {"startLine": 4, "startColumn": 9}}
    moved = revoke()._replace(path="b.json")
    again = json.loads(told("sarif", [moved]))["runs"][0]["results"][0]
    assert again["partialFingerprints"] == result["partialFingerprints"]


def test_sarif_keeps_a_sentence_for_every_rule_under_a_code() -> None:
    bridge = Finding(FOLLOW_SUIT.of("BR-44C", FOLLOW_SUIT.citation, "Each player follows suit."))  # type: ignore[arg-type]
    (rule,) = json.loads(told("sarif", [revoke(), *many(2, bridge)]))["runs"][0]["tool"]["driver"]["rules"]
    assert [line.split(":")[0] for line in rule["fullDescription"]["text"].splitlines()] == ["KB-5.2", "BR-44C"]


def test_sarif_is_cut_with_a_notice() -> None:
    (run,) = json.loads(told("sarif", many(5_001, WARNING)))["runs"]
    assert len(run["results"]) == 5_000
    (notice,) = run["invocations"][0]["toolExecutionNotifications"]
    assert notice["message"]["text"] == "5,001 findings; only the first 5,000 are shown."


def test_github_annotates_ten_of_each_kind() -> None:
    assert told("github", [revoke()]).splitlines()[0] == (
        "::error file=a/d8.json,line=4,col=9,title=REV001 deal 11%2C trick 2%2C seat 0"
        "::0 played 2D on a lead of 3H while holding AH [KB-5.2]"
    )
    lines = told("github", [*many(12, WARNING), *many(3, REMARK)]).splitlines()
    assert [line.split()[0] for line in lines[:13]] == ["::warning"] * 10 + ["::notice"] * 3
    assert lines[13] == "Not annotated: 2 more warnings."


def test_junit_has_a_case_for_each_record() -> None:
    suite = ElementTree.fromstring(told("junit", [revoke(), *many(1, REMARK)]))
    bad, good = suite.findall("testcase")
    assert (suite.get("tests"), suite.get("failures")) == ("2", "1")
    assert [child.tag for child in bad] == ["failure", "system-out"]
    assert bad[0].get("message") == "deal 11, trick 2, seat 0: 0 played 2D on a lead of 3H while holding AH [KB-5.2]"
    assert bad[1].text is not None
    assert bad[1].text.startswith("L5 winners, tricks, scores: not checkable: ")
    assert [child.tag for child in good] == ["system-out"]


def test_markdown_is_a_table() -> None:
    lines = told("markdown", [revoke()]).splitlines()
    assert lines[0] == "Checked 1 record (1 deal): 0 clean, 1 with findings (1 error)."
    assert [cell.strip() for cell in lines[4].split(" | ")] == [
        "| a/d8.json:4:9", "d8", "deal 11, trick 2, seat 0", "REV001", "error",
        r"0 played 2D on a lead of 3H while holding AH \[KB-5.2\] |",
    ]  # fmt: skip
    assert "| d8" in told("markdown", [revoke()], verbose=True).splitlines()[-1]


# --- words they share -----------------------------------------------------------------------------------------------


def test_the_summary_counts() -> None:
    assert summary([]) == "No record was checked."
    assert summary([*many(1_203, REMARK), *many(2, WARNING)]) == (
        "Checked 1,205 records (0 deals): 1,203 clean, 2 with findings (2 warnings); 1,203 notes."
    )


def test_reasons_alike_are_told_by_three_examples() -> None:
    reasons = [f"deal {number}: {seat}'s hand is not known in full" for number in range(1, 7) for seat in "NE"]
    assert condensed([*reasons, "trump is not known"]) == [*reasons[:2], f"{reasons[2]}, and 9 more", "trump is not known"]
    tricks = [f"deal {number}, trick 1: {reason.partition(': ')[2]}" for number, reason in enumerate(reasons)]
    assert condensed([*reasons, *tricks]) == condensed(reasons) + condensed(tricks)  # of another shape, in the same words


def test_no_format_is_loaded_before_it_is_used() -> None:
    code = "import sys, handrec.report; print(*[m for m in sys.modules if m == 'tabulate' or m.startswith('handrec.report.')])"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "handrec.report.safe handrec.report.layout handrec.report.checked"


# --- the border -----------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("text", "shown"),
    [
        ("Ann Żółć 漢字", "Ann Żółć 漢字"),
        ("\x1b[31m", r"\u{1b}[31m"),
        ("a\u202eb\u200bc\u2028d", r"a\u{202e}b\u{200b}c\u{2028}d"),
        ("\ud800\ue000\ufdd0\n", r"\u{d800}\u{e000}\u{fdd0}\u{a}"),
        ("a\u00a0b", "a\u00a0b"),
    ],
)
def test_safe_shows_what_cannot_be_seen(text: str, shown: str) -> None:
    assert safe(text) == shown


def test_safe_cuts_but_never_inside_an_escape() -> None:
    assert safe("x" * 80) == "x" * 80
    assert safe("x" * 81) == "x" * 79 + "…"
    assert safe("\x1b" * 20, 13) == r"\u{1b}\u{1b}…"


def test_each_format_has_its_own_escapes() -> None:
    assert markdown("a|b *c* [d](e) <f>\n# `g` \\") == r"a\|b \*c\* \[d\](e) \<f\> \# \`g\` \\"
    assert github_data("50%\r\n::error::") == "50%25%0D%0A::error::"
    assert github_property("a:b,c%") == "a%3Ab%2Cc%25"
    assert xml("<a b='\"&\x00\ufffe\ud800>") == "&lt;a b=&#x27;&quot;&amp;&gt;"


NASTY = st.sampled_from("\x00\x1b\n\r\t\x7f\x85\u2028\u202e\ud800\ufffe|<>&\"'`:,%#[]{}\\")
TEXT = st.text(NASTY | st.characters(codec=None), max_size=30) | st.text(NASTY, min_size=300, max_size=400)
FACTS: st.SearchStrategy[Any] = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | TEXT,
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(TEXT, inner, max_size=3),
    max_leaves=5,
)
FAULTS = st.sampled_from([FOLLOW_SUIT, TAKEN_BACK, WARNING.fault, FORM["FMT007"], FORM["FMT010"]])
PLACES = st.none() | st.builds(Location, TEXT, st.integers(0, 9), st.integers(0, 9))
KEYS = ("seat", "card", "led", "could", "where", "why", "option", "value", "allowed")
FINDINGS = st.builds(
    Finding,
    FAULTS,
    st.fixed_dictionaries({}, optional=dict.fromkeys(KEYS, FACTS)),
    TEXT,
    st.none() | st.integers(1, 9),
    st.none() | st.integers(1, 9),
    st.none() | TEXT,
    PLACES,
    readings=st.just(()),
    because=st.none(),
    near=st.just(()),
    unexplained=st.just(False),
)
RESULTS = st.builds(
    DealResult,
    number=st.integers(1, 9),
    cards=st.integers(0, 54),
    dealer=st.none() | TEXT,
    order=st.none() | TEXT,
    bids=st.dictionaries(TEXT, TEXT, max_size=2),
    tricks=st.none() | st.dictionaries(TEXT, st.integers(), max_size=2),
    lines=st.dictionaries(TEXT, st.dictionaries(TEXT, st.integers(), max_size=2), max_size=2),
    penalties=st.dictionaries(TEXT, st.integers(), max_size=2),
    totals=st.none() | st.dictionaries(TEXT, st.integers(), max_size=2),
    played=st.just((PlayedTrick(1, (), None),)),
)
VERDICTS = st.builds(
    Verdict,
    record=st.none() | TEXT,
    game=st.none() | TEXT,
    options=st.dictionaries(TEXT, FACTS, max_size=2),
    levels=st.tuples(st.builds(Level, st.just("L4"), st.just("not checkable"), st.lists(TEXT, max_size=3).map(tuple))),
    findings=st.lists(FINDINGS, max_size=3).map(tuple),
    deals=st.lists(RESULTS, max_size=1).map(tuple),
    winners=st.none() | st.lists(TEXT, max_size=2).map(tuple),
)


@settings(deadline=None, suppress_health_check=[HealthCheck.too_slow, HealthCheck.data_too_large], max_examples=12)
@given(st.lists(st.builds(Checked, TEXT, TEXT, VERDICTS), max_size=2))
def test_whatever_a_record_holds_every_format_is_clean_and_whole(checked: list[Checked]) -> None:
    for kind in FORMATS:
        text = told(kind, checked, verbose=True)
        text.encode()
        assert not {char for char in text if ord(char) < 32 or ord(char) == 127} - {"\n", "\t"}, kind
        if kind in ("json", "sarif"):
            json.loads(text)
        if kind == "jsonl":
            assert [json.loads(line)["game"] is None for line in text.splitlines()] == [
                one.verdict.game is None for one in checked
            ]
        if kind == "junit":
            assert len(ElementTree.fromstring(text)) == len(checked)
        if kind == "github":
            commands = sum(len(one.verdict.findings) for one in checked)
            assert sum(line.startswith("::") for line in text.split("\n")) == commands
        if kind == "line":
            lines = sum(len(one.verdict.findings) + len(one.verdict.levels) for one in checked)
            assert lines + 1 <= text.count("\n") <= lines + 2


# --- the line of the file ---


@settings(max_examples=300)
@example("a\u0301" + "a" * 19 + "b", 21, 20)  # a mark whose letter is cut off stood for ever in the way of the rest
@given(st.text('ab",: \u00e9\u0301\u6f22', max_size=120), st.integers(0, 120), st.integers(20, 80))
def test_what_is_shown_of_a_line_fits_and_has_the_place_in_it(text: str, at: int, most: int) -> None:
    """Whatever letters it has: marks take no column, some letters two; a caret points to what stands at the place."""
    at = min(at, len(text))
    before, shown, width = _window(text, at, most)
    assert columns(shown) <= most
    assert before + width <= max(most, before + 1)
    plain = first(shown, before)
    assert columns(plain) == before
    rest = shown[len(plain) :].removesuffix("…")
    assert at == len(text) or rest == "" or text[at:].lstrip("\u0301").startswith(rest[:1])


PLAY = '{"do": "play", "by": "N", "card": "TS"}'


@pytest.mark.parametrize(
    ("text", "at", "most", "shown", "caret"),
    [
        (PLAY, 7, 39, PLAY, "       ^^^^^^"),  # it just fits
        (PLAY, 7, 38, '{"do": "play", "by": "N", "card": "TS…', "       ^^^^^^"),
        (PLAY, 33, 39, PLAY, " " * 33 + "^"),
        (PLAY, 33, 20, '…N", "card": "TS"}', "            ^"),
        (f"{PLAY}, {PLAY}, {PLAY}", 0, 40, f"{PLAY}…", "^"),
        (f"{PLAY}, {PLAY}, {PLAY}", 34, 40, '…"by": "N", "card": "TS"}, {"do": "play…', " " * 20 + "^^^^"),
        (f"{PLAY}, {PLAY}, {PLAY}", 40, 40, '…"N", "card": "TS"}, {"do": "play", "by…', " " * 20 + "^"),
        (f"{PLAY}, {PLAY}, {PLAY}", 41, 40, '…N", "card": "TS"}, {"do": "play", "by"…', " " * 20 + "^"),
        (f"{PLAY}, {PLAY}, {PLAY}", 116, 40, '…do": "play", "by": "N", "card": "TS"}', " " * 33 + "^^^^"),
        (f"{PLAY}, {PLAY}, {PLAY}", 121, 40, f"…{PLAY}", " " * 40 + "^"),  # behind the end
        ("x" * 100, 0, 20, "x" * 19 + "…", "^" * 19),
        ("x" * 100, 50, 20, "…" + "x" * 18 + "…", " " * 10 + "^" * 9),
        ("[" + "7" * 100, 1, 20, "[" + "7" * 18 + "…", " " + "^" * 18),
        ("日本" * 20 + ' "KS"', 41, 20, '…日本日本日本 "KS"', " " * 14 + "^^^^"),  # two columns each
    ],
)
def test_around_a_place_so_much_of_its_line_is_shown(text: str, at: int, most: int, shown: str, caret: str) -> None:
    """All of it, if it fits; else what is before and behind the place, more before it, and dots where it is cut."""
    before, found, width = _window(text, at, most)
    assert (found, " " * before + "^" * width) == (shown, caret)


@given(st.text("ab\u00e9\u0301\u6f22", max_size=60), st.integers(1, 40))
def test_a_text_is_cut_to_columns(text: str, width: int) -> None:
    """As much of its beginning, or of its end, as fits; and no more can be taken of it."""
    some, end = first(text, width), last(text, width)
    assert text.startswith(some)
    assert text.endswith(end)
    assert columns(some) <= width >= columns(end)
    assert some == text or columns(text[: len(some) + 1]) > width
    assert end == text or columns(text[len(text) - len(end) - 1 :]) > width
    assert columns(clip(text, width)) <= width


@pytest.mark.parametrize(
    ("fault", "habit"),
    [(SLIPS["REC001"], True), (FORM["FMT015"], True), (FORM["FMT022"], True), (FOLLOW_SUIT.fault, False), (TAKEN_BACK, False)],
)
def test_a_habit_is_told_of_two_deals_and_then_counted(fault: Fault, habit: bool) -> None:
    """Slips of the pen, warnings, and what was not looked for; an error and a note each by itself."""
    habits, findings = Habits(), (Finding(fault, {}, "/deals/0", 1),) * 2
    files = [one._replace(verdict=one.verdict._replace(findings=findings)) for one in many(4, findings[0])]
    assert [len([*habits.first(one)]) for one in files] == [2, 2, *([0, 0] if habit else [2, 2])]
    assert [words.partition(" more")[0] for _, words in habits.ended(None)] == ["4"] * habit
    assert [len([*habits.first(one)]) for one in files[:3]] == [2, 2, 0 if habit else 2]


def test_what_comes_again_and_again_in_a_deal_is_counted_in_the_text(tmp_path: Path) -> None:
    """Ten times each is told, then how often it came; all with -v, and in lines for other programs."""
    (tmp_path / "one.json").write_bytes(DIMENSIONS["plays whist alone"].make(8))
    path, said = str(tmp_path / "one.json"), {}
    for arguments in (("text",), ("text", "-v"), ("line",)):
        with contextlib.redirect_stdout(io.StringIO()) as out:
            run(["check", "--format", *arguments, path])
        said[arguments] = out.getvalue()
    assert [text.count("(PLY005)") for text in said.values()] == [10, 23, 0]
    assert said["line",].count(": PLY005 error ") == 23
    assert "13 more of the same error (card-missing), in 1 deal of this file in all" in " ".join(said["text",].split())


def test_what_comes_again_and_again_in_a_file_is_counted_in_the_text(tmp_path: Path) -> None:
    """A hundred times each is told, then in how many deals it came; all with -v, and in lines for other programs."""
    data = json.loads(DIMENSIONS["plays whist alone"].make(0))
    data["deals"] = [{"pack": ["TS"]}] * 130
    for name in ("one.json", "two.json"):
        (tmp_path / name).write_text(json.dumps(data), "utf-8")
    said = {}
    for arguments in (("text",), ("text", "-v"), ("line",), ("markdown",), ("markdown", "-v")):
        with contextlib.redirect_stdout(io.StringIO()) as out:
            run(["check", "--format", *arguments, *(str(tmp_path / name) for name in ("one.json", "two.json"))])
        said[arguments] = out.getvalue()
    assert [said["text", *more].count("(DEA003)") for more in ((), ("-v",))] == [200, 260]
    assert [said["markdown", *more].count("| DEA003 | error") for more in ((), ("-v",))] == [200, 260]
    assert said["markdown",].count("| DEA003 | habit") == 2
    assert said["line",].count(": DEA003 error ") == 260
    assert " ".join(said["text",].split()).count("30 more of the same error (hand-size), in 130 deals of this file in all") == 2


def test_what_comes_again_and_again_outside_of_deals_is_counted_by_records(tmp_path: Path) -> None:
    """Lines that are no records, and fields that nobody knows."""
    data = json.loads(DIMENSIONS["plays whist alone"].make(0))
    unknown = data | {f"x{number}": 1 for number in range(30)} | {"deals": []}
    (tmp_path / "many.jsonl").write_text("x\n" * 130 + f"{json.dumps(unknown)}\n" * 2, "utf-8")
    with contextlib.redirect_stdout(io.StringIO()) as out:
        run(["check", "--format", "text", str(tmp_path / "many.jsonl")])
    said = " ".join(out.getvalue().split())
    assert "30 more of the same error (unreadable), in 130 records of this file in all" in said
    assert "40 more of the same error (schema), in 2 records of this file in all" in said


def test_no_character_that_xml_forbids_is_written() -> None:
    """Of all that there are, and no other is lost."""
    allowed = (0x9, 0xA, 0xD, *range(0x20, 0xD800), *range(0xE000, 0xFFFE), *range(0x10000, 0x110000))
    assert html.unescape(xml("".join(map(chr, range(0x110000))))) == "".join(map(chr, allowed))
