"""SARIF 2.1.0, for code scanning."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from hashlib import sha256
from typing import Any
from urllib.parse import quote

from handrec import __version__
from handrec.findings import Fault, Finding, Location
from handrec.report.checked import PLAIN, WORDS, Checked, ReportOptions, Tally, name, place, sentence
from handrec.report.json import compact, plain
from handrec.report.safe import markdown

MOST = 5_000  # GitHub shows no more results of a run, and refuses a file that has many more


def report(checked: Iterable[Checked], options: ReportOptions = PLAIN) -> Iterator[str]:
    """One SARIF document; results beyond the most that are shown are counted in a notification."""
    results: list[dict[str, Any]] = []
    faults: dict[str, list[Fault]] = {}
    number = 0
    tally = Tally(options.settings)
    for one in tally.follow(checked):
        for finding in one.verdict.primary:
            number += 1
            if number <= MOST:
                results.append(_result(one, finding))
                alike = faults.setdefault(finding.code, [])
                if finding.fault not in alike:
                    alike.append(finding.fault)
    driver = {
        "name": "handrec",
        "semanticVersion": __version__,
        "rules": [_rule(code, alike) for code, alike in sorted(faults.items())],
    }
    invocation: dict[str, Any] = {"executionSuccessful": True}
    cut = f"{number:,} findings; only the first {MOST:,} are shown." if number > MOST else ""
    if told := [{"level": "warning", "message": {"text": text}} for text in (cut, tally.hidden()) if text]:
        invocation["toolExecutionNotifications"] = told
    run = {"tool": {"driver": driver}, "columnKind": "unicodeCodePoints", "invocations": [invocation], "results": results}
    document = {"$schema": "https://json.schemastore.org/sarif-2.1.0.json", "version": "2.1.0", "runs": [run]}
    yield compact(document) + "\n"


def _result(checked: Checked, finding: Finding) -> dict[str, Any]:
    where = finding.location or Location(checked.path)
    physical: dict[str, Any] = {"artifactLocation": {"uri": quote(where.path, errors="surrogatepass")}}
    if where.line:
        physical["region"] = {"startLine": where.line} | ({"startColumn": where.column} if where.column else {})
    logical = {"name": place(finding) or name(checked), "fullyQualifiedName": name(checked) + plain(finding.pointer)}
    return {
        "ruleId": finding.code,
        "level": WORDS[finding.severity],
        "message": {"text": sentence(finding)},
        "locations": [{"physicalLocation": physical, "logicalLocations": [logical]}],
        "partialFingerprints": {"primaryLocationLineHash": _fingerprint(checked, finding)},
        "properties": {"record": name(checked), "facts": plain(finding.facts)},
    }


def _fingerprint(checked: Checked, finding: Finding) -> str:
    """What stays the same when the record moves in its file; trick and seat tell apart findings about a whole deal."""
    facts = (checked.name, finding.pointer, finding.code, finding.trick, finding.seat)
    return sha256("\0".join(map(str, facts)).encode(errors="surrogatepass")).hexdigest()[:32]


def _rule(code: str, faults: list[Fault]) -> dict[str, Any]:
    """A code with the sentence and citation of every rule that reports under it."""
    first = faults[0]
    return {
        "id": code,
        "name": first.name,
        "shortDescription": {"text": first.sentence},
        "fullDescription": {"text": "\n".join(_sentence(fault) for fault in faults)},
        "help": _help(code, faults),
        "defaultConfiguration": {"level": WORDS[first.severity]},
    } | ({"helpUri": links[0]} if (links := _links(faults)) else {})


def _help(code: str, faults: list[Fault]) -> dict[str, str]:
    """What each rule says, where it stands, with a link to its source if that has an address, and how to read more."""
    more = [f"handrec explain {name}" for name in dict.fromkeys([code, *(fault.id for fault in faults if fault.id)])]
    text = [*map(_sentence, faults), *_links(faults), f"More: {'; '.join(more)}"]
    rows = [f"- {markdown(_sentence(fault))}" + "".join(f" [source]({link})" for link in _links([fault])) for fault in faults]
    return {"text": "\n".join(text), "markdown": "\n".join([*rows, "", f"More: {', '.join(f'`{each}`' for each in more)}"])}


def _links(faults: list[Fault]) -> list[str]:
    """The addresses of the works in which the rules stand, each once."""
    return [*dict.fromkeys(fault.citation.work.url for fault in faults if fault.citation and fault.citation.work.url)]


def _sentence(fault: Fault) -> str:
    if fault.citation:
        return f"{fault.id}: {fault.sentence} ({fault.citation})"
    return fault.sentence
