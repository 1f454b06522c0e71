"""JUnit XML: a test case for each record."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from handrec.findings import Finding
from handrec.report.checked import PLAIN, WORDS, Checked, ReportOptions, Tally, is_partial, location, name, outcome, sentence
from handrec.report.layout import counted
from handrec.report.safe import PLACE, safe, xml


def report(checked: Iterable[Checked], options: ReportOptions = PLAIN) -> Iterator[str]:
    """One test suite; a record fails by its errors and warnings, and is skipped if all were left out.

    Notes and levels not checkable are its output.
    """
    cases, failures, tally = [], 0, Tally(options.settings)
    for one in tally.follow(checked):
        failures += not one.verdict.ok
        cases.append(_case(one))
    yield '<?xml version="1.0" encoding="UTF-8"?>\n'
    yield f'<testsuite name="handrec" tests="{len(cases)}" failures="{failures}" errors="0" skipped="{tally.silenced}">\n'
    if hidden := tally.hidden():
        yield f'  <properties>\n    <property name="left-out" value="{xml(hidden)}"/>\n  </properties>\n'
    yield from cases
    yield "</testsuite>\n"


def _case(checked: Checked) -> str:
    faults = checked.verdict.faults
    output = [_line(checked, finding) for finding in checked.verdict.primary if finding.severity == "info"]
    output += [f"{level.key} {level.name}: {outcome(level)}" for level in checked.verdict.levels if is_partial(level)]
    case = f'  <testcase classname="{xml(safe(checked.path, PLACE))}" name="{xml(name(checked))}">\n'
    if faults:
        first, more = faults[0], f" (and {len(faults) - 1} more)" if len(faults) > 1 else ""
        lines = xml("\n".join(_line(checked, finding) for finding in faults))
        case += f'    <failure type="{xml(first.code)}" message="{xml(sentence(first) + more)}">{lines}</failure>\n'
    if checked.silenced:
        case += f'    <skipped message="{counted(len(checked.left_out), "finding")} left out"/>\n'
    if output:
        lines = xml("\n".join(output))
        case += f"    <system-out>{lines}</system-out>\n"
    return case + "  </testcase>\n"


def _line(checked: Checked, finding: Finding) -> str:
    return f"{location(checked, finding)}: {finding.code} {WORDS[finding.severity]}  {sentence(finding)}"
