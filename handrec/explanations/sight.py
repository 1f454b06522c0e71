"""At sight: the slips that can be read off a faulty deal, each tried by the referee, and the findings told anew."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Iterator, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property
from itertools import chain

from handrec import judging, referee
from handrec.explanations import auctions, calls, cards, hands, rows
from handrec.explanations.acts import ACTS, NUMBERS, SLIPS, STATED, price
from handrec.explanations.heading import misheaded
from handrec.explanations.near import MARGIN, near
from handrec.explanations.written import Slip, WrittenDeal, all_of
from handrec.findings import Finding, Near, Verdict
from handrec.game import Game, Table, compose
from handrec.game.table import NO_PAST, Past
from handrec.record import Deal, Play, Record

#: So many slips of a deal are tried by another replay of it.
TRIES = 3

#: So many times as many findings go away as come to light, where these are of another slip.
MUCH = 4

#: So often slips are looked for again in a deal with those undone that were found.
FURTHER = 2

#: What most slips cost.
CHEAP = 2

#: What cannot have happened: only a slip explains it.
IMPOSSIBLE = ("DEA001", "DEA002", "DEA003", "DEA007", "PLY001", "PLY002", "PLY005", "PLY006", "BID030")
#: What a deed explains as it stands.
IRREGULAR = ("REV", "PLY003", "PLY004")
#: What another slip may bring to light: deeds in rows and hands that could not be judged as they are written.
WHOLE = ("rows", "turned", "hands", "suit", "suits", "hand", "call")

#: What tells findings of a deal apart: code, pointer, seat.
FindingKey = tuple[str, str, str | None]

#: Judges a deal, with a trace of its plays if wanted.
DealJudge = Callable[..., Table]

#: Who looks for slips in a deal, in the order in which equal costs are tried.
LOOKERS: tuple[Callable[[WrittenDeal], Iterator[Slip]], ...] = (
    calls.miswritten,
    auctions.single,
    auctions.misnumbered,
    hands.turned_for_the_sheet,
    rows.exchanged,
    rows.lost_row,
    rows.turned,
    auctions.misdealt,
    hands.turned_up,
    rows.slid,
    rows.short,
    hands.misplaced,
    hands.traded,
    hands.aside_too,
    hands.turned_otherwise,
    hands.passed_by_another,
    hands.single,
    hands.passed_on,
    rows.misnamed,
    cards.doubled,
    cards.lost,
    cards.exchanged,
    cards.own_exchanged,
    cards.miswritten,
    rows.led_by_another,
    cards.exchanged_unseen,
    rows.reversed_unseen,
    rows.out_of_order,
)

#: Who of them finds what explains all that is wrong in many rows, however dear it is.
AT_ONCE = (hands.turned_for_the_sheet, rows.exchanged)


def at_sight(record: Record, game: Game, verdict: Verdict, tables: Sequence[Table] = ()) -> Verdict:
    """The verdict with slips told as slips, what follows from them as their consequence, and deeds with the slips that are near.

    `game` is the record's, without options; `verdict` is the referee's on the record; `tables` are those of its deals as the
    referee left them: deals of which there is none are replayed.
    """
    told = _in_deals(record, game, verdict, tables)
    return misheaded(record, game, verdict, told) or told


def _in_deals(record: Record, game: Game, verdict: Verdict, tables: Sequence[Table]) -> Verdict:
    """The verdict with slips in the deals told as such."""
    found = {finding.deal_index for finding in verdict.findings if explicable(finding)}
    faulty = sorted(index for index in found if index is not None)
    if not verdict.deals or not (faulty or any(finding.code == "DEA006" for finding in verdict.findings)):
        return verdict
    composed, mine = compose(game, record.options)[0], dict[int, list[Finding]]()
    for finding in verdict.findings:
        mine.setdefault(-1 if (index := finding.deal_index) is None else index, []).append(finding)
    before = _Before(record, composed, tables)
    retold = {index: _deal(record, composed, verdict, index, mine[index], before) for index in faulty}
    kept = [finding for finding in verdict.findings if finding.deal_index not in retold]
    slips = [(index, slip) for index, (_, told) in retold.items() for slip in told]
    findings = [*kept, *chain.from_iterable(findings for findings, _ in retold.values())]
    findings = _of_dealers(record, composed, _across(record, composed, findings, slips))
    return referee.retold(verdict, _rooted(findings))


def _rooted(findings: list[Finding]) -> list[Finding]:
    """The findings, of which what follows from a consequence follows from what that follows from."""
    causes = {(finding.code, finding.pointer): finding.because for finding in findings if finding.because is not None}

    def root(finding: Finding) -> Finding:
        cause, met = finding.because, set[tuple[str, str]]()
        while cause in causes and cause not in met:
            met.add(cause)
            cause = causes[cause]
        return finding if cause == finding.because else replace(finding, because=cause)

    return [finding if finding.because is None else root(finding) for finding in findings]


def check(record: Record, judge: judging.Judge) -> Verdict:
    """The verdict on a record, slips told as slips."""
    (verdict, tables), game = judge.examined(record), judge.find(record.game)
    return verdict if game is None or verdict.ok else at_sight(record, game, verdict, tables)


def found(record: Record | None, form: tuple[Finding, ...], judge: judging.Judge) -> tuple[Finding, ...]:
    """What is wrong with a record, slips told as slips, or with the form of what is none; or that we failed over it."""
    if record is None:
        return form
    try:
        return (*form, *check(record, judge).findings)
    except Exception as error:  # one record must not end the judging of all others
        return (*form, Finding(referee.FORM["INT001"], {"why": f"{type(error).__name__} in the record"}))


@dataclass
class _Tried:
    """A slip that was tried: the findings that go away with it, and those that come to light.

    It is told `late`, if nothing else explains as much, where what comes to light seems to be another slip. `instead` are the
    findings that there are if, of two places that contradict each other, the slip is in the other.
    """

    slip: Slip
    gone: dict[FindingKey, Finding]
    come: list[Finding]
    instead: list[Finding] = field(default_factory=list)
    late: bool = False

    def worth(self, written: WrittenDeal) -> int:
        """What the findings that go away cost as they stand."""
        return sum(costs(written, [*self.gone.values(), *self.instead]))


class _Before:
    """The tables of the deals before one, replayed once where a deal hangs on them and there are none."""

    def __init__(self, record: Record, game: Game, known: Sequence[Table]) -> None:
        self.record, self.game, self.known = record, game, known

    @cached_property
    def past(self) -> Past:
        """The tables of all deals."""
        return Past(self.known or referee.replay(self.record, self.game))

    def of(self, index: int) -> Past:
        """Those before a deal, if tricks change hands in it, which may be for something earlier."""
        moved = any(event.do == "transfer" for event in self.record.deals[index].events)
        return self.past.upto(index) if moved else NO_PAST


def _of_dealers(record: Record, game: Game, findings: list[Finding]) -> list[Finding]:
    """The findings of a record: turns that are wrong in a deal follow from its dealer, if they are right with the due one.

    The deal before may have the wrong dealer as well: then it is the one of the deal after that is right, and it is told there;
    where nothing else tells which of the two it is, both are told. A slip follows from a dealer if all does that it explains.
    """
    seats = [player.seat for player in record.players]
    written = {key_of(finding) for finding in findings if finding.code not in SLIPS}  # as the referee finds it
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
            if dealer is None or place < 0 or any(besides):
                continue
            left = _left_with(record, game, place, dealer)
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
            told = replace(told, near=(*told.near, Near("dealer", 0, words)))
        gone = {*map(key_of, besides[spot])} - left
        slips = [each for each in besides[spot] if each.code in SLIPS]
        gone -= {key_of(each) for each in slips if explained.get((each.code, each.pointer), left) & left}
        cause = told.code, told.pointer
        findings = [told if each is dealt else _following(each, cause) if key_of(each) in gone else each for each in findings]
    return findings


def _following(finding: Finding, cause: tuple[str, str]) -> Finding:
    """A finding that follows from another, if it does not from one already."""
    return replace(finding, because=cause) if finding.because is None else finding


def _left_with(record: Record, game: Game, place: int, dealer: str) -> set[FindingKey]:
    """What the referee finds if another dealt one of the deals."""
    deals = [*record.deals]
    deals[place] = deals[place].model_copy(update={"dealer": dealer})
    other = record.model_copy(update={"deals": deals})
    tables = referee.replay(other, game, quick=judging.Judge(lambda key: game).replayed)
    return {key_of(finding) for finding in referee.verdict(other, game, tables).findings}


def _other_dealer(record: Record, dealt: Finding, place: int, due: str) -> Finding:
    """A dealer out of turn, told of the deal before: the one who is due there."""
    facts = {"found": record.deals[place].dealer, "due": due}
    return replace(
        dealt, facts=facts, pointer=f"/deals/{place}/dealer", deal=record.deals[place].number or place + 1, seat=facts["found"]
    )


def _across(record: Record, game: Game, findings: list[Finding], slips: list[tuple[int, Slip]]) -> list[Finding]:
    """The findings of a record: what is found across its deals follows from a slip in one of them, if it is gone with that."""
    for index, slip in slips[:TRIES]:
        if all(own(finding) or finding.because is not None for finding in findings):
            break
        deals = [deal if place != index else slip.undone(deal) for place, deal in enumerate(record.deals)]
        other = record.model_copy(update={"deals": deals})
        tables = referee.replay(other, game, quick=judging.Judge(lambda key: game).replayed)
        left = {key_of(finding) for finding in referee.verdict(other, game, tables).findings}
        for place, finding in enumerate(findings):
            if not own(finding) and finding.because is None and key_of(finding) not in left:
                findings[place] = replace(finding, because=_told_as(slip, index))
    return findings


def _told_as(slip: Slip, index: int) -> tuple[str, str]:
    """The code of a slip in a deal, and where it is told first."""
    assert slip.act.fault is not None
    return slip.act.fault.code, f"/deals/{index}{slip.marks[0].pointer}"


def _deal(
    record: Record, game: Game, verdict: Verdict, index: int, mine: list[Finding], before: _Before
) -> tuple[list[Finding], list[Slip]]:
    """The findings of a deal, told anew, and the slips that are told."""
    deal, carried = record.deals[index], referee.carried_into(record, game, index, verdict)

    past = before.of(index)

    def judge(other: Deal, trace: bool = False) -> Table:
        quick = None if trace else judging.Judge(lambda key: game).replayed
        return referee.judged(record, game, index, other, past, carried, trace, quick)

    unnamed = any(type(event) is Play and event.by is None for event in deal.events)
    kind = record.provenance.kind if record.provenance else None
    table = before.known[index] if before.known and not unnamed else judge(deal, unnamed)

    def barred(slip: Slip) -> bool:
        return slip.act is ACTS["dealer"] and _dealt_in_turn(record, game, index, slip)

    written = WrittenDeal(deal, table, mine, kind)
    accepted, beside = _slips(written, judge, barred)
    findings, slips = _with_slips(written, mine, accepted, beside, judge), [one.slip for one in accepted]
    done = all_of(slips, deal) if slips else None
    for _ in range(FURTHER):
        if done is None or not any(explicable(each) for each in findings if each.because is None and each.code not in SLIPS):
            break
        inner = done.undone(deal)
        table = judge(inner, unnamed)
        left = WrittenDeal(inner, table, [*table.findings], kind)
        further, _ = _slips(left, judge, barred)
        if not further:
            break
        for one in further:
            slip = one.slip.after(done, deal)
            findings = _told_besides(written, findings, one, slip, done)
            slips.append(slip)
        both = all_of([one.slip for one in further], inner)
        done = both and both.after(done, deal)
    return findings, slips


def _slips(written: WrittenDeal, judge: DealJudge, barred: Callable[[Slip], bool]) -> tuple[list[_Tried], list[_Tried]]:
    """The slips that are told of a deal, and those that explain no more than what they cost."""
    mine = written.findings
    accepted, beside, late = list[_Tried](), list[_Tried](), list[_Tried]()
    left, tries, explained = {key_of(finding): finding for finding in mine}, TRIES, set[str]()

    def accept(result: _Tried) -> None:
        nonlocal left
        accepted.append(result)
        explained.update(_spot(mark.pointer) for mark in result.slip.marks)
        explained.update(_spot("/" + finding.pointer.split("/", 3)[-1]) for finding in result.gone.values())
        left = {key: finding for key, finding in left.items() if key not in result.gone}
        written.findings = list(left.values())

    def elsewhere(slip: Slip) -> bool:
        """Whether no other slip explains what is where this one would be."""
        return not any(_spot(mark.pointer) in explained for mark in slip.marks)

    for slip in _candidates(written):
        if not elsewhere(slip):
            continue
        if not tries:
            break
        result, tries = _try(written, mine, slip, judge), tries - 1
        if result is None or not result.gone.keys() <= left.keys() or barred(slip):
            continue
        if not _likelier(result, written):
            beside.append(result)
            continue
        if result.late:
            late.append(result)
            continue
        if slip.twin and (twin := _try(written, mine, slip.twin, judge)) and twin.gone.keys() >= result.gone.keys():
            result.slip = slip.told_with([*slip.others, (slip.twin.act, slip.twin.words)])
        accept(result)
        if not any(map(explicable, left.values())):
            break
    for result in sorted(late, key=lambda each: _least(written, each.come) - _least(written, each.gone.values())):
        if elsewhere(result.slip) and result.gone.keys() <= left.keys():
            accept(result)
    return accepted, beside


def _told_besides(written: WrittenDeal, findings: list[Finding], one: _Tried, slip: Slip, done: Slip) -> list[Finding]:
    """The findings with a slip that shows when others are undone: `one` as it was tried then, `slip` as one of the record."""
    marks = _findings(slip, written)
    gone = {key_of(replace(finding, pointer=_was(done, finding.pointer))) for finding in one.gone.values()}
    cause = marks[0].code, marks[0].pointer
    come = [replace(finding, pointer=_was(done, finding.pointer)) for finding in one.come]
    told = [
        replace(each, because=cause, near=(), unexplained=False) if each.because is None and key_of(each) in gone else each
        for each in findings
    ]
    return [*marks, *come, *told]


def _dealt_in_turn(record: Record, game: Game, index: int, slip: Slip) -> bool:
    """Whether the deals before and after one tell that it had the dealer who is written down."""
    first = max(0, index - 1)
    deals = [deal if place != index else slip.undone(deal) for place, deal in enumerate(record.deals[first : index + 2], first)]
    if len(deals) == 1:
        return False
    other = record.model_copy(update={"deals": deals, "claimed": None})
    tables = referee.replay(other, game, quick=judging.Judge(lambda key: game).replayed)
    wrong = {finding.deal_index for finding in referee.verdict(other, game, tables).findings if finding.code == "DEA006"}
    return not wrong.isdisjoint((index - first, index - first + 1))


def _spot(pointer: str) -> str:
    """The play or the hand that a pointer within a deal leads to."""
    return "/".join(pointer.split("/")[:3])


def own(finding: Finding) -> bool:
    """Whether a finding is of its deal alone."""
    return finding.level != "L6" and not finding.code.startswith("CLM00")


def _candidates(written: WrittenDeal) -> Iterator[Slip]:
    """The slips to be tried, the cheapest first; the dear ones are put off, so that nobody looks further than needed.

    What explains all leads at once is none of them: what is cheaper explains some.
    """
    dear: list[Slip] = []
    for look in LOOKERS:
        for slip in look(written):
            if look not in AT_ONCE and price(slip.act.key, written.kind) > CHEAP:
                dear.append(slip)
            else:
                yield slip
    yield from sorted(dear, key=lambda slip: price(slip.act.key, written.kind))


def explicable(finding: Finding) -> bool:
    """Whether acts are looked for that explain a finding: it is no wrong number."""
    stated = finding.code in STATED and finding.level != "L6"
    return stated or finding.code.startswith((*IMPOSSIBLE, *IRREGULAR, "BID"))


def key_of(finding: Finding) -> FindingKey:
    """What tells a finding apart from others."""
    return finding.code, finding.pointer, finding.seat


def _try(written: WrittenDeal, mine: list[Finding], slip: Slip, judge: DealJudge) -> _Tried | None:
    """What becomes of the findings of a deal if a slip is undone; None if that explains nothing, or makes things worse."""
    table = judge(slip.undone(written.deal))
    before, known = {key_of(finding): finding for finding in mine if own(finding)}, {*map(key_of, mine)}
    after: dict[FindingKey, Finding] = {}
    for finding in table.findings:
        was = replace(finding, pointer=_was(slip, finding.pointer))
        after[key_of(was)] = was
    come = [finding for key, finding in after.items() if key not in known]
    gone = {key: finding for key, finding in before.items() if key not in after}
    further = written.table.stopped and not table.stopped  # then more is looked at of which something cannot be judged
    weaker = (table.stopped and not written.table.stopped) or (len(table.unjudged) > len(written.table.unjudged) and not further)
    if weaker or not any(map(explicable, gone.values())):
        return None
    light = slip.act.key in WHOLE and len(come) < len(gone) and _comes_to_light(come, gone.values())
    counted = table.counted and not written.table.counted and all(each.code.startswith(NUMBERS) for each in come)
    dear = _least(written, gone.values()) < price(slip.act.key, written.kind) + _least(written, come)
    if come and dear and not (light or counted):
        return None
    return _Tried(slip, gone, come, _instead(written, gone, known, judge), late=bool(come) and not light)


def _least(written: WrittenDeal, findings: Collection[Finding]) -> int:
    """The least that findings cost as they stand, or by slips that are not known."""
    impossible = [each for each in findings if each.code.startswith(IMPOSSIBLE)]
    return CHEAP * len(impossible) + sum(costs(written, findings))


def _instead(written: WrittenDeal, gone: dict[FindingKey, Finding], known: set[FindingKey], judge: DealJudge) -> list[Finding]:
    """What is found besides if a line that contradicts the rest is wrong: with what is due there."""
    lines = [finding for finding in gone.values() if finding.code in STATED and "due" in finding.facts]
    deal = written.deal
    for finding in lines:
        *_, field = finding.pointer.split("/")
        if finding.event_index is None:
            deal = deal.model_copy(update={field: finding.facts["due"]})
        elif field in ("by", "bid"):
            events = [*deal.events]
            events[finding.event_index] = events[finding.event_index].model_copy(update={field: finding.facts["due"]})
            deal = deal.model_copy(update={"events": events})
    return [finding for finding in judge(deal).findings if key_of(finding) not in known] if lines else []


def _comes_to_light(come: Sequence[Finding], gone: Collection[Finding]) -> bool:
    """Whether what is found anew could not be judged before: deeds, and a wrong winner of a row that nobody can have played.

    Or little of anything, where very much goes away: then it is another slip.
    """
    if len(gone) > MUCH * len(come):
        return True
    numbers = sum(finding.code == "TRK001" for finding in come)
    if not all(_deed(finding) or finding.code == "TRK001" for finding in come) or numbers > 1:
        return False
    return not numbers or sum(finding.code in IMPOSSIBLE for finding in gone) > 2 * len(come)


def _deed(finding: Finding) -> bool:
    return finding.code.startswith(IRREGULAR)


def _was(slip: Slip, pointer: str) -> str:
    """A pointer into the undone deal as one into the record."""
    root, deals, index, *rest = pointer.split("/", 3)
    return "/".join([root, deals, index, *rest[:0]]) + slip.pointer_was("/" + rest[0] if rest else "")


def _with_slips(
    written: WrittenDeal, mine: list[Finding], slips: list[_Tried], beside: list[_Tried], judge: DealJudge
) -> list[Finding]:
    """The findings of a deal with the slips among them, and with the deeds those that would explain them as well."""
    retold: list[Finding] = []
    because: dict[FindingKey, tuple[str, str]] = {}
    for one in slips:
        marks = _findings(one.slip, written)
        retold += [*marks, *one.come]
        for key, finding in one.gone.items():
            before = [mark for mark in marks if (mark.trick or 0) <= (finding.trick or 0)] or marks[:1]
            because[key] = (before[-1].code, before[-1].pointer)
    open_ = [finding for finding in mine if finding.code.startswith("REV") and key_of(finding) not in because]
    if open_ and written.table.trace is None:  # what the rules saw is asked for only here
        written.table = judge(written.deal, True)
    for finding in mine:
        if key_of(finding) in because:
            retold.append(replace(finding, because=because[key_of(finding)]))
        elif _deed(finding) or finding.code.startswith("BID") or finding.code in STATED:
            retold.append(_beside(written, finding, mine, beside))
        else:
            retold.append(replace(finding, unexplained=True) if finding.code in ("PLY001", "PLY002") else finding)
    return retold


def _likelier(one: _Tried, written: WrittenDeal) -> bool:
    """Whether a slip is told for what it explains: nothing else does, or several players at fault, or calls."""
    if any(finding.code.startswith(IMPOSSIBLE) or not_held(written, finding) for finding in one.gone.values()):
        return True
    several = len({finding.seat for finding in one.gone.values() if _deed(finding)}) > 1
    worth, cost = one.worth(written), price(one.slip.act.key, written.kind)
    if any(finding.code in STATED for finding in one.gone.values()):  # a slip in any case, and nobody is accused
        return worth > cost
    return worth >= cost + 2 and (several or one.slip.act is ACTS["call"])


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


def _beside(written: WrittenDeal, finding: Finding, mine: list[Finding], slips: list[_Tried]) -> Finding:
    """A deed, with the slips that would explain it for about as little."""
    given = trick_given(finding, mine)
    if given is not None:
        return replace(finding, because=(given.code, given.pointer))
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
    return replace(finding, near=tuple(sorted(found, key=lambda each: each.cost)))


def trick_given(finding: Finding, mine: list[Finding]) -> Finding | None:
    """The trick that the table gave to the seat that then led: its lead was in turn, as the table saw it."""
    if finding.code != "PLY004" or finding.trick is None:
        return None
    wrong = [other for other in mine if other.code == "TRK001" and other.trick == finding.trick - 1]
    return next((other for other in wrong if other.facts.get("found") == finding.seat), None)


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
