"""At sight: the slips that can be read off a faulty deal, each tried by the referee, and the findings told anew."""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping, Sequence
from copy import copy
from functools import cached_property
from itertools import chain

from handrec import judging, referee
from handrec.allowance import Allowance
from handrec.explanations.acts import ACTS, SLIPS, STATED, price
from handrec.explanations.costs import (
    FindingKey,
    deed_cost,
    explicable,
    inexplicable,
    irregular,
    key_of,
    own,
    too_tangled,
    trick_given,
)
from handrec.explanations.heading import misheaded
from handrec.explanations.near import MARGIN, near
from handrec.explanations.tried import TRIES, DealJudge, Tried, in_record, slips_of, spot_of
from handrec.explanations.written import Slip, WrittenDeal, all_of
from handrec.findings import Finding, Near, Verdict
from handrec.game import Game, Table, compose
from handrec.game.table import NO_PAST, Past
from handrec.record import Deal, Play, Record

#: So often slips are looked for again in a deal with those undone that were found.
FURTHER = 2

#: What is said where the allowance is spent.
SPENT = " (they are, where fewer such deals are checked at a time)"

#: What is found in a record when its deals are scored anew takes this share of a replay.
SCORED = 0.5


def at_sight(
    record: Record, game: Game, verdict: Verdict, tables: Sequence[Table] = (), allowance: Allowance | None = None
) -> Verdict:
    """The verdict with slips told as slips, what follows from them as their consequence, and deeds with the slips that are near.

    `game` is the record's, without options; `verdict` is the referee's on the record; `tables` are those of its deals as the
    referee left them: deals of which there is none are replayed. What is beyond the `allowance` is not explained.
    """
    allowance = allowance or Allowance()
    refused = allowance.refused
    told = _in_deals(record, game, verdict, tables, allowance)
    told = misheaded(record, game, verdict, told, allowance) or told
    return told if allowance.refused == refused else referee.with_form(told, (unlooked("/deals"),))


def unlooked(pointer: str, deal: int | None = None, what: str = "slips of the pen", spent: bool = True) -> Finding:
    """That something was not looked for, since too much is wrong: in a deal, or in all deals so that the allowance is `spent`."""
    facts = {"what": what} | ({"hint": SPENT} if spent else {})
    return Finding(referee.FORM["FMT022"], facts, pointer, deal)


def _in_deals(record: Record, game: Game, verdict: Verdict, tables: Sequence[Table], allowance: Allowance) -> Verdict:
    """The verdict with slips in the deals told as such."""
    found = {finding.deal_index for finding in verdict.findings if explicable(finding)}
    faulty = sorted(index for index in found if index is not None)
    if not verdict.deals or not (faulty or any(finding.code == "DEA006" for finding in verdict.findings)):
        return verdict
    composed, mine = compose(game, record.options)[0], dict[int, list[Finding]]()
    for finding in verdict.findings:
        mine.setdefault(-1 if (index := finding.deal_index) is None else index, []).append(finding)
    replayed = Replayed(record, composed, {*map(key_of, verdict.findings)}, tables, allowance)
    beyond, retold = inexplicable(record, verdict, tables), dict[int, tuple[list[Finding], list[Slip]]]()
    for index in faulty:
        if index not in beyond and allowance.left > 0:
            retold[index] = _deal(replayed, verdict, index, mine[index])
    kept = [finding for finding in verdict.findings if finding.deal_index not in retold]
    left = [index for index in faulty if index not in retold]
    kept += [unlooked(f"/deals/{index}", mine[index][0].deal, spent=index not in beyond) for index in left]
    slips = [(index, slip) for index, (_, told) in retold.items() for slip in told]
    findings = [*kept, *chain.from_iterable(findings for findings, _ in retold.values())]
    if not too_tangled(tables):
        findings = _of_dealers(replayed, _across(replayed, findings, slips))
    return referee.retold(verdict, _rooted(findings))


def _rooted(findings: list[Finding]) -> list[Finding]:
    """The findings, of which what follows from a consequence follows from what that follows from."""
    causes = {(finding.code, finding.pointer): finding.because for finding in findings if finding.because is not None}

    def root(finding: Finding) -> Finding:
        cause, met = finding.because, set[tuple[str, str]]()
        while cause in causes and cause not in met:
            met.add(cause)
            cause = causes[cause]
        return finding if cause is None or cause == finding.because else finding.following(cause)

    return [finding if finding.because is None else root(finding) for finding in findings]


def check(record: Record, judge: judging.Judge, allowance: Allowance | None = None) -> Verdict:
    """The verdict on a record, slips told as slips, as far as the `allowance` goes, which the record adds to."""
    (verdict, tables), game = judge.examined(record), judge.find(record.game)
    allowance = allowance or Allowance()
    allowance.earn(record, tables, verdict.findings)
    return verdict if game is None or verdict.ok else at_sight(record, game, verdict, tables, allowance)


def found(record: Record | None, form: tuple[Finding, ...], judge: judging.Judge) -> tuple[Finding, ...]:
    """What is wrong with a record, slips told as slips, or with the form of what is none; or that we failed over it."""
    if record is None:
        return form
    try:
        return (*form, *check(record, judge).findings)
    except Exception as error:  # one record must not end the judging of all others
        return (*form, Finding(referee.FORM["INT001"], {"why": f"{type(error).__name__} in the record"}))


class Replayed:
    """A record with the tables of its deals, which are replayed once where there are none."""

    def __init__(
        self, record: Record, game: Game, written: set[FindingKey], known: Sequence[Table], allowance: Allowance
    ) -> None:
        self.record, self.game, self.written, self.known, self.allowance = record, game, written, known, allowance

    @cached_property
    def past(self) -> Past:
        """The tables of all deals."""
        return Past(self.known or referee.replay(self.record, self.game))

    def before(self, index: int) -> Past:
        """Those before a deal, if tricks change hands in it, which may be for something earlier."""
        return self.past.upto(index) if self._looks_back(index) else NO_PAST

    def _looks_back(self, index: int) -> bool:
        return any(event.do == "transfer" for event in self.record.deals[index].events)

    def found_with(self, index: int, deal: Deal) -> set[FindingKey]:
        """What the referee finds in the record if one of its deals was another.

        Those that hang on none before them are not replayed, but scored anew.
        """
        deals = [deal if place == index else each for place, each in enumerate(self.record.deals)]
        other, tables, past = self.record.model_copy(update={"deals": deals}), self._unscored(), [*self.past]
        anew = {index, *(place for place in range(index + 1, len(deals)) if self._looks_back(place))}
        for place in sorted(anew):
            quick = judging.Judge(lambda key: self.game).replayed
            past[place] = tables[place] = referee.replayed(other, self.game, place, deals[place], Past(past, place), quick=quick)
        elsewhere = {key for key in self._of_replays if _deal_of(key) not in anew}
        return elsewhere | self._scored(other, tables)

    @cached_property
    def _of_replays(self) -> set[FindingKey]:
        """What the referee found while the deals were replayed, and not when they were scored."""
        return self.written - self._scored(self.record, self._unscored())

    def _unscored(self) -> list[Table]:
        """The tables as they were replayed, with nothing found at them."""
        tables = [copy(table) for table in self.past]
        for table in tables:
            table.findings, table.doubts = [], {}
        return tables

    def _scored(self, record: Record, tables: list[Table]) -> set[FindingKey]:
        """What is found in a record when its deals are scored."""
        return {key_of(finding) for finding in referee.verdict(record, self.game, tables).findings}


def _deal_of(key: FindingKey) -> int | None:
    """The deal that a finding is of."""
    _, _, *rest = key[1].split("/")
    return int(rest[0]) if rest and rest[0].isdigit() else None


def _of_dealers(replayed: Replayed, findings: list[Finding]) -> list[Finding]:
    """The findings of a record: turns that are wrong in a deal follow from its dealer, if they are right with the due one.

    The deal before may have the wrong dealer as well: then it is the one of the deal after that is right, and it is told there;
    where nothing else tells which of the two it is, both are told.
    """
    record, written = replayed.record, replayed.written
    seats = [player.seat for player in record.players]
    explained = dict[tuple[str, str] | None, set[FindingKey]]()
    for finding in findings:
        explained.setdefault(finding.because, set()).add(key_of(finding))
    for dealt in [finding for finding in findings if finding.code == "DEA006" and finding.because is None][:TRIES]:
        index = dealt.deal_index
        assert index is not None  # it is told where the dealer stands
        found, due = record.deals[index].dealer, str(dealt.facts["due"])
        before = seats[seats.index(found) - 1] if found in seats else None
        right = list[tuple[int, str, set[FindingKey]]]()
        besides = list[list[Finding]]()
        for place, dealer in ((index, due), (index - 1, before)):
            if dealer is None or place < 0 or any(besides) or not replayed.allowance.affords(record.deals, SCORED):
                continue
            left = replayed.found_with(place, record.deals[place].model_copy(update={"dealer": dealer}))
            if key_of(dealt) not in left and len(left) < len(written):
                right.append((place, dealer, left))
                mine = [each for each in findings if each.deal_index == place and each.because is None]
                besides.append([each for each in mine if each is not dealt])
        if not right:
            continue
        spot = next((spot for spot, others in enumerate(besides) if others), 0)
        place, dealer, left = right[spot]
        told = dealt if place == index else _other_dealer(record, dealt, place, dealer)
        if len(right) > 1 and not any(besides):
            other = _other_dealer(record, dealt, *right[1][:2])
            words = f"{other.facts['due']} for {other.facts['found']} as dealer of deal {other.deal}"
            told = told._replace(near=(*told.near, Near("dealer", 0, words)))
        gone = _gone_with(besides[spot], explained, left, written)
        cause = told.code, told.pointer
        findings = [told if each is dealt else _following(each, cause) if key_of(each) in gone else each for each in findings]
    return findings


def _gone_with(
    mine: list[Finding],
    explained: Mapping[tuple[str, str] | None, set[FindingKey]],
    left: set[FindingKey],
    written: set[FindingKey],
) -> set[FindingKey]:
    """What of a deal goes away with another dealer, who leaves what is `left`; `written` is what there is with this one.

    A slip goes if all does that it explains. What comes to light only when a slip is undone is not what the referee finds in
    either: it stays while any slip does, and with it a slip that explains nothing else.
    """
    slips = {key_of(each): explained.get((each.code, each.pointer), left) for each in mine if each.code in SLIPS}
    stay = {key for key, follows in slips.items() if follows & left}
    gone = {*map(key_of, mine)} - left - stay
    if stay:
        gone &= written | {key for key, follows in slips.items() if follows & written}
    return gone


def _following(finding: Finding, cause: tuple[str, str]) -> Finding:
    """A finding that follows from another, if it does not from one already."""
    return finding.following(cause) if finding.because is None else finding


def _other_dealer(record: Record, dealt: Finding, place: int, due: str) -> Finding:
    """A dealer out of turn, told of the deal before: the one who is due there."""
    facts = {"found": record.deals[place].dealer, "due": due}
    return dealt._replace(
        facts=facts, pointer=f"/deals/{place}/dealer", deal=record.deals[place].number or place + 1, seat=facts["found"]
    )


def _across(replayed: Replayed, findings: list[Finding], slips: list[tuple[int, Slip]]) -> list[Finding]:
    """The findings of a record: what is found across its deals follows from a slip in one of them, if it is gone with that."""
    for index, slip in slips[:TRIES]:
        if all(own(finding) or finding.because is not None for finding in findings):
            break
        if not replayed.allowance.affords(replayed.record.deals, SCORED):
            break
        gone = replayed.written - replayed.found_with(index, slip.undone(replayed.record.deals[index]))
        for place, finding in enumerate(findings):
            if not own(finding) and finding.because is None and key_of(finding) in gone:
                findings[place] = finding.following(_told_as(slip, index))
    return findings


def _told_as(slip: Slip, index: int) -> tuple[str, str]:
    """The code of a slip in a deal, and where it is told first."""
    assert slip.act.fault is not None
    return slip.act.fault.code, f"/deals/{index}{slip.marks[0].pointer}"


def _deal(replayed: Replayed, verdict: Verdict, index: int, mine: list[Finding]) -> tuple[list[Finding], list[Slip]]:
    """The findings of a deal, told anew, and the slips that are told."""
    record, game, past, allowance = replayed.record, replayed.game, replayed.before(index), replayed.allowance
    deal, carried = record.deals[index], referee.carried_into(record, game, index, verdict)

    def judge(other: Deal, trace: bool = False) -> Table:
        allowance.charge(other)
        quick = None if trace else judging.Judge(lambda key: game).replayed
        return referee.judged(record, game, index, other, past, carried, trace, quick)

    def looked(written: WrittenDeal, told: Collection[str] = ()) -> tuple[list[Tried], list[Tried]]:
        found = slips_of(written, judge, barred, told)
        allowance.charge(written.deal, written.heard)
        return found

    kind = record.provenance.kind if record.provenance else None
    table = replayed.known[index] if replayed.known and not _unnamed(deal) else judge(deal, _unnamed(deal))

    def barred(slip: Slip) -> bool:
        return slip.act is ACTS["dealer"] and _dealt_in_turn(record, game, index, slip, allowance)

    written = WrittenDeal(deal, table, mine, kind)
    accepted, beside = looked(written)
    findings, slips = _with_slips(written, mine, accepted, beside, judge), [one.slip for one in accepted]
    return (findings, slips) if not slips else _further(written, findings, slips, judge, looked)


def _further(
    written: WrittenDeal,
    findings: list[Finding],
    slips: list[Slip],
    judge: DealJudge,
    looked: Callable[[WrittenDeal, Collection[str]], tuple[list[Tried], list[Tried]]],
) -> tuple[list[Finding], list[Slip]]:
    """The same, with slips that show only in the deal with those undone that are told already."""
    deal, done = written.deal, all_of(slips, written.deal)
    for _ in range(FURTHER):
        if done is None or not any(explicable(each) for each in findings if each.because is None and each.code not in SLIPS):
            break
        inner = done.undone(deal)
        table = judge(inner, _unnamed(inner))
        told = done.now({spot_of(mark.pointer) for slip in slips for mark in slip.marks})
        further, _ = looked(WrittenDeal(inner, table, [*table.findings], written.kind), told)
        for one in further:
            slip = one.slip.after(done, deal)
            findings, slips = _told_besides(written, findings, one, slip, done), [*slips, slip]
        both = all_of([one.slip for one in further], inner) if further else None
        done = both and both.after(done, deal)
    return findings, slips


def _unnamed(deal: Deal) -> bool:
    """Whether some plays do not say whose they are: then what the table saw of each must be kept."""
    return any(type(event) is Play and event.by is None for event in deal.events)


def _told_besides(written: WrittenDeal, findings: list[Finding], one: Tried, slip: Slip, done: Slip) -> list[Finding]:
    """The findings with a slip that shows when others are undone: `one` as it was tried then, `slip` as one of the record."""
    marks = _findings(slip, written)
    come, gone = (
        [finding._replace(pointer=in_record(done, finding.pointer)) for finding in found]
        for found in (one.come, one.gone.values())
    )
    because = {key_of(finding): _cause(marks, finding) for finding in gone}
    told = [
        each.following(because[key_of(each)]) if each.because is None and key_of(each) in because else each for each in findings
    ]
    return [*marks, *map(_open, come), *told]


def _cause(marks: Sequence[Finding], finding: Finding) -> tuple[str, str]:
    """Of the places where a slip is told, the last before a finding that follows from it, or else the first."""
    before = [mark for mark in marks if (mark.trick or 0) <= (finding.trick or 0)] or marks[:1]
    return before[-1].code, before[-1].pointer


def _open(finding: Finding) -> Finding:
    """A finding that no slip explains: of a card that its seat did not hold that is said."""
    return finding._replace(unexplained=True) if finding.code in ("PLY001", "PLY002") else finding


def _dealt_in_turn(record: Record, game: Game, index: int, slip: Slip, allowance: Allowance) -> bool:
    """Whether the deals before and after one tell that it had the dealer who is written down."""
    first = max(0, index - 1)
    deals = [deal if place != index else slip.undone(deal) for place, deal in enumerate(record.deals[first : index + 2], first)]
    if len(deals) == 1:
        return False
    for deal in deals:
        allowance.charge(deal)
    other = record.model_copy(update={"deals": deals, "claimed": None})
    tables = referee.replay(other, game, quick=judging.Judge(lambda key: game).replayed)
    wrong = {finding.deal_index for finding in referee.verdict(other, game, tables).findings if finding.code == "DEA006"}
    return not wrong.isdisjoint((index - first, index - first + 1))


def _with_slips(
    written: WrittenDeal, mine: list[Finding], slips: list[Tried], beside: list[Tried], judge: DealJudge
) -> list[Finding]:
    """The findings of a deal with the slips among them, and with the deeds those that would explain them as well."""
    retold: list[Finding] = []
    because: dict[FindingKey, tuple[str, str]] = {}
    for one in slips:
        marks = _findings(one.slip, written)
        retold += [*marks, *map(_open, one.come)]
        because |= {key: _cause(marks, finding) for key, finding in one.gone.items()}
    open_ = [finding for finding in mine if finding.code.startswith("REV") and key_of(finding) not in because]
    if open_ and written.table.trace is None:  # what the rules saw is asked for only here
        written.table = judge(written.deal, True)
    for finding in mine:
        if key_of(finding) in because:
            retold.append(finding.following(because[key_of(finding)]))
        elif irregular(finding) or finding.code.startswith("BID") or finding.code in STATED:
            retold.append(_beside(written, finding, mine, beside))
        else:
            retold.append(_open(finding))
    return retold


def _beside(written: WrittenDeal, finding: Finding, mine: list[Finding], slips: list[Tried]) -> Finding:
    """A deed, with the slips that would explain it for about as little."""
    given = trick_given(finding, mine)
    if given is not None:
        return finding.following((given.code, given.pointer))
    if finding.code == "BID002" and "hint" in finding.facts:  # what was meant is told with it
        return finding
    cost = deed_cost(written, finding)
    others = [
        Near(act.key, price(act.key, written.kind) - one.worth(written), words)
        for one in slips
        if key_of(finding) in one.gone
        for act, words in ((one.slip.act, one.slip.words), *one.slip.others)
    ]
    more = near(written, finding, cost) if finding.code.startswith("REV") and finding.severity == "error" else ()
    margin = 0 if finding.code in STATED else MARGIN  # it is told as a slip itself
    found = [each for each in dict.fromkeys([*others, *more]) if each.cost <= margin]
    return finding._replace(near=tuple(sorted(found, key=lambda each: each.cost)))


def _findings(slip: Slip, written: WrittenDeal) -> list[Finding]:
    """A slip as findings: one for each place where it stands."""
    fault = slip.act.fault
    assert fault is not None
    others = f" (or: {'; '.join(words for _, words in slip.others)})" if slip.others else ""
    table = written.table
    return [
        Finding(
            fault,
            {
                "act": slip.act.key,
                "cost": slip.act.cost,
                "or": [act.key for act, _ in slip.others],
                **mark.facts,
                "others": others,
            },
            f"/deals/{table.index}{mark.pointer}",
            table.number,
            mark.trick,
        )
        for mark in slip.marks
    ]
