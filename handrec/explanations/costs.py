"""What is found in a deal, and what it costs as it stands: as deeds of players, and as numbers written wrong."""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Iterable, Iterator
from itertools import chain

from handrec.explanations.acts import ACTS, NUMBERS, STATED
from handrec.explanations.written import WrittenDeal
from handrec.findings import Finding, Verdict
from handrec.game import Table
from handrec.record import Deal, Record, Withdraw

#: What most slips cost.
CHEAP = 2

#: One slip makes as many findings as cards are played (70 in La Bâtarde, where all rows are turned). More than so many no slip
#: and no other reading explains: what is found in such a deal is told as it is.
MOST = 128
#: Nor where more than three things are wrong in two events, but for so few: then nothing tells what happened.
FEW = 8
#: So many deals with tangled calls a record may have that is replayed again as a whole, which takes long.
TANGLES = 3

#: What cannot have happened: only a slip explains it.
IMPOSSIBLE = ("DEA001", "DEA002", "DEA003", "DEA007", "PLY001", "PLY002", "PLY005", "PLY006", "BID030")

#: What a deed explains as it stands.
IRREGULAR = ("REV", "PLY003", "PLY004")

#: What may be found in a deal, and is not when all deals are looked at: cards passed the wrong way, by a wrong number.
LIFTED = "PLY009"

#: What tells findings of a deal apart: code, pointer, seat.
FindingKey = tuple[str, str, str | None]


def key_of(finding: Finding) -> FindingKey:
    """What tells a finding apart from others."""
    return finding.code, finding.pointer, finding.seat


def takes_back(deals: Iterable[Deal]) -> bool:
    """Whether a card or a call is taken back in one of these deals: what was found wrong with it is lifted then."""
    return any(type(event) is Withdraw for deal in deals for event in deal.events)


def inexplicable(record: Record, verdict: Verdict, tables: Iterable[Table]) -> set[int]:
    """The deals for which nothing else is tried: so much is wrong with them, or was tried for their calls already."""
    many = Counter(finding.deal_index for finding in verdict.findings)
    return {table.index for table in tables if table.tangled} | {
        index
        for index, found in many.items()
        if index is not None and found > min(MOST, max(FEW, 3 * len(record.deals[index].events) // 2))
    }


def too_tangled(tables: Iterable[Table]) -> bool:
    """Whether nothing is tried on the record as a whole: the calls of too many deals are tangled."""
    return sum(table.tangled for table in tables) > TANGLES


def own(finding: Finding) -> bool:
    """Whether a finding is of its deal alone."""
    return finding.level != "L6" and not finding.code.startswith("CLM00")


def explicable(finding: Finding) -> bool:
    """Whether acts are looked for that explain a finding: it is no wrong number."""
    stated = finding.code in STATED and finding.level != "L6"
    return stated or finding.code.startswith((*IMPOSSIBLE, *IRREGULAR, "BID"))


def irregular(finding: Finding) -> bool:
    """Whether a deed of a player at cards explains a finding as it stands."""
    return finding.code.startswith(IRREGULAR)


def not_held(written: WrittenDeal, finding: Finding) -> bool:
    """Whether a play out of turn is of a card that its seat did not hold, or of one that is played twice: nobody did that."""
    place = finding.event_index
    if finding.code != "PLY003" or place is None:
        return False
    return any(each.place == place for each in chain(written.foreign, *written.times.values()))


def costs(written: WrittenDeal, findings: Iterable[Finding]) -> Iterator[int]:
    """What findings cost as they stand: as deeds, as numbers written wrong."""
    seen, findings = set[tuple[str | None, int]](), [*findings]
    given = {id(wrong) for finding in findings if (wrong := trick_given(finding, findings)) is not None}
    for finding in findings:
        if id(finding) in given:
            continue
        if trick_given(finding, findings) is not None:
            yield ACTS["trick-given"].cost
        elif finding.code.startswith("REV"):
            mistake = finding.seat, _suit_led(written, finding)
            yield deed_cost(written, finding) - (mistake in seen)
            seen.add(mistake)
        elif finding.code in STATED:
            yield ACTS["double" if _double_left_out(finding) else STATED[finding.code]].cost
        elif finding.code.startswith((*IRREGULAR, "BID", "DEA008", "DEA011")):
            yield deed_cost(written, finding)
        elif finding.code.startswith(NUMBERS):
            yield ACTS["sheet"].cost


def least(written: WrittenDeal, findings: Collection[Finding]) -> int:
    """The least that findings cost as they stand, or by slips that are not known."""
    impossible = [each for each in findings if each.code.startswith(IMPOSSIBLE)]
    return CHEAP * len(impossible) + sum(costs(written, findings))


def _suit_led(written: WrittenDeal, finding: Finding) -> int:
    """The cards of the suit to which a play was no answer, a joker's suit being what it plays as; 0 if it was a lead."""
    card = written.table.pack.index.get(str(finding.facts.get("led")))
    order = written.table.order(finding.trick or 1, done=True)
    return 0 if card is None or order is None else order.suit[card]


def _double_left_out(finding: Finding) -> bool:
    """Whether a contract is stated as the calls came to it, but for its double or redouble."""
    found, due = finding.facts.get("found"), str(finding.facts.get("due"))
    return finding.code == "BID028" and found != due and found == due.rstrip("x")


def deed_cost(written: WrittenDeal, finding: Finding) -> int:
    """What a deed costs: less where the record itself marks it."""
    event = None if finding.event_index is None else written.deal.events[finding.event_index]
    marked = getattr(event, "marked", None)
    if marked or not written.charges.isdisjoint(((finding.seat, None), (finding.seat, finding.trick))):
        return ACTS["marked"].cost
    return ACTS["revoke" if finding.code.startswith("REV") else "out-of-turn"].cost


def trick_given(finding: Finding, mine: list[Finding]) -> Finding | None:
    """The trick that the table gave to the seat that then led: its lead was in turn, as the table saw it."""
    if finding.code != "PLY004" or finding.trick is None:
        return None
    wrong = [other for other in mine if other.code == "TRK001" and other.trick == finding.trick - 1]
    return next((other for other in wrong if other.facts.get("found") == finding.seat), None)
