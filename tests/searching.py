"""What the search makes of planted slips: whether the truth is among the explanations, how far up, and how sure it is said to be.

A plant that leaves nothing to find is `clean`. One of which the referee sees deeds and nothing else is the same record as that of
a deed (`deed`), and one of which he sees wrong numbers alone, though a card or a call was miswritten, that of a wrong number
(`number`). Of the others the truth is `first` or tied for it, `later`, or `missed`. Beside these: it is said to be the only
explanation (`only`), something that did not happen is, in any part of the deal (`wrong`), the search was cut short (`short`), it
took longer than as many judgings of the deal as it may make (`slow`, on which no two runs agree); and it is `later`, since where
no hand is known what is first is a card that nobody saw and that is one character away, and so likelier than two (`likelier`): of
such nobody could tell the truth.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Iterator
from time import process_time
from typing import Any

from handrec import games, referee
from handrec.explanations.parts import Part, facts
from handrec.explanations.search import BUDGET, explained
from handrec.findings import Finding
from handrec.judging import Judge
from handrec.record import Deal, Play, Record
from tests.planting import Data

#: Acts of the sheet: the truth of a wrong number is what is told.
NUMBERS = ("sheet", "heading")
#: What cannot be told apart from something else as likely, whatever is known: reported, and not counted.
ALIKE = ("contract", "dealer", "call_other", "call_seat", "call_lost")
#: And where no hand is known: which of the cards that nobody saw were in a row that is lost whole, or lay turned.
UNSEEN = ("row_lost", "turn_up")
COLUMNS = ("plants", "clean", "deed", "number", "first", "later", "missed", "likelier", "only", "wrong", "short", "slow")


def parts_of(record: Record) -> list[Part]:
    """What explains the first deal of a record, part by part."""
    verdict, tables = Judge(games.find).examined(record)
    return explained(record, games.find(record.game), 0, verdict, tables)  # type: ignore[arg-type]


def _median(count: int, what: Callable[[], Any]) -> float:
    times = []
    for _ in range(count):
        begun = process_time()
        what()
        times.append(process_time() - begun)
    return sorted(times)[count // 2]


def _deeds(record: Record, findings: Iterable[Finding]) -> bool:
    """Whether findings are as deeds leave them: irregular plays of own cards, one call, a trick given wrongly."""
    findings, deal = [*findings], record.deals[0]
    for finding in findings:
        event = None if finding.event_index is None else deal.events[finding.event_index]
        if finding.code == "PLY003" and isinstance(event, Play) and event.by in (deal.hands or {}):
            if event.card not in (deal.hands or {})[event.by]:
                return False
    leads = {(finding.seat, finding.trick) for finding in findings if finding.code == "PLY004"}
    rest = [
        finding
        for finding in findings
        if not finding.code.startswith(("REV", "PLY003", "PLY004"))
        and not (finding.code == "TRK001" and (finding.facts.get("found"), (finding.trick or 0) + 1) in leads)
    ]
    return (len(rest) < len(findings) and not rest) or (len(findings) == 1 and findings[0].code.startswith("BID"))


def _true(written: Deal, told: Deal, truth: Deal) -> bool:
    """Whether all that an explanation of a part puts otherwise than it is written is as it was: other parts may be open still."""
    if facts(told) == facts(truth):
        return True
    if len({len(deal.events) for deal in (written, told, truth)}) > 1:
        return False
    events = zip(written.events, told.events, truth.events, strict=True)
    fields = [
        [getattr(deal, name) for deal in (written, told, truth)] for name in ("hands", "aside", "dealer", "vulnerable", "board")
    ]
    return all(found in (was, due) for was, found, due in (*events, *fields))


def _one_character_away(written: Deal, told: Deal) -> bool:
    """Whether an explanation says of a deal without hands that one card was written for one that differs in a character."""
    if written.hands or len(written.events) != len(told.events):
        return False
    changed = [(was, now) for was, now in zip(written.events, told.events, strict=True) if was != now]
    cards = [(was.card, now.card) for was, now in changed if type(was) is Play and type(now) is Play]
    return len(cards) == len(changed) == 1 and sum(a != b for a, b in zip(*cards[0], strict=False)) == 1


def _due(record: Record, truth: Data, faults: Iterable[Finding]) -> Deal:
    """What was; but of a seat that the heading has lead, which a finding puts right, what is written."""
    deal, written = Record.model_validate(truth).deals[0], record.deals[0]
    led = next((fault.facts["due"] for fault in faults if fault.code == "TRK003"), None)
    was = deal.leader or next((event.by for event in deal.events if type(event) is Play), None)
    return deal.model_copy(update={"leader": written.leader}) if led is not None and led == was else deal


def outcome(act: str, truth: Data, record: Record) -> Counter[str]:
    """The columns to which a planted slip belongs."""
    faults = referee.check(record, games.find).faults
    line = Counter(plants=1)
    if not faults:
        return line + Counter(clean=1)
    if _deeds(record, faults):
        return line + Counter(deed=1)
    if act not in NUMBERS and all(fault.code.startswith(("SCO", "TRK")) for fault in faults):
        return line + Counter(number=1)
    begun = process_time()
    parts = parts_of(record)
    spent = process_time() - begun
    due = facts(_due(record, truth, faults))
    costs = [(each.cost, part.best[0].cost) for part in parts for each in part.explanations if facts(each.deal) == due]
    place = "first" if any(cost == best for cost, best in costs) else "later" if costs else "missed"
    line[place] += 1
    best = [each.deal for part in parts for each in part.best]
    nearer = act == "card_both" and any(_one_character_away(record.deals[0], deal) for deal in best)
    line["likelier"] += place == "later" and nearer
    said = [part.only.deal for part in parts if part.only and part.only.slips]
    line["only"] += any(facts(each) == due for each in said)
    line["wrong"] += any(not _true(record.deals[0], each, Record.model_validate(truth).deals[0]) for each in said)
    line["short"] += any(part.cut_short for part in parts)
    line["slow"] += spent > BUDGET * _median(5, lambda: referee.check(record, games.find))
    return line


def share(line: Counter[str], of: str = "first") -> float:
    """How many of the plants that can be told (from deeds, numbers, the likelier) have the truth first, or as the only one."""
    counted = line["first"] + line["later"] + line["missed"] - line["likelier"]
    return line[of] / counted if counted else 1.0


def table(title: str, lines: Iterable[tuple[str, Counter[str]]]) -> Iterator[str]:
    """The outcomes as text."""
    yield f"{title:22}" + "".join(f"{column:>9}" for column in COLUMNS)
    for act, line in lines:
        yield f"{act:22}" + "".join(f"{line[column] or '.':>9}" for column in COLUMNS)


def same(one: Deal, other: Deal) -> bool:
    """Whether two deals state the same."""
    return bool(facts(one) == facts(other))
