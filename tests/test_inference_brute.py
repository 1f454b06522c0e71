"""Public proof against an oracle that tries every deal of the unseen cards (tests/brute.py), in random small deals."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from copy import deepcopy
from dataclasses import replace
from itertools import pairwise
from random import Random
from typing import Any

import pytest

from handrec.inference import STOCK, Dates, DealCase, Observation, Position, accepts, dates, prove, small
from tests import brute
from tests.brute import Act, Deal, Laws
from tests.small_deals import ARTISTS, COURT, SETTINGS, Setting, random_case

AGREED = Laws(("NT",), (COURT,), (ARTISTS,))


# --- the same deal, proved -------------------------------------------------------------------------------------------


def proved(setting: Setting, deal: Deal) -> DealCase:
    """The deal as a case."""
    pack, plays = setting.pack, list[Any]()

    def case() -> DealCase:
        return small(
            plays, seats=list(deal.sizes), hand=deal.sizes, rules=setting.rules, order=setting.order,
            settled=setting.settled, cards=deal.cards,
            hands=deal.hands, free=deal.free, turns=deal.length,
        )  # fmt: skip

    for act in deal.acts:
        if act.do == "promise":
            groups = tuple((pack.mask(group), number) for group, number in act.promised)
            plays.append(Observation("promise", act.seat, groups=groups))
        elif act.do == "open":
            plays.append(Observation("open", act.seat, pack.mask(act.cards)))
        else:
            plays.append((act.seat, act.cards[0]))
        if act.do == "withdrawn":
            plays[-1] = replace(case().events[-1], kind="open")  # with its tiers, as a replayed record has it
    return case()


def differences(setting: Setting, deal: Deal, limit: int) -> Iterator[str]:
    """Where the proofs and the oracle disagree, at every moment and in every view of at most so many completions."""
    case = proved(setting, deal)
    if list(case.views) != deal.views and set(case.views) != set(deal.views):
        yield f"views {case.views} instead of {deal.views}"
    for view in deal.views:
        rows: dict[int, dict[int, str]] = {act: {} for act in deal.judged}
        for moment in range(len(deal.acts) + 1):
            found = Position(case, moment, view)
            total = deal.total(moment, view)
            if found.count(legal=False) != total:
                yield f"{view} {moment}: {found.count(legal=False)} completions instead of {total}"
            if total <= limit:
                due = deal.answer(moment, view)
                for act, told in due.verdicts.items():
                    rows[act][moment] = told
                for what, mine, theirs in compared(case, found, deal, due):
                    if mine != theirs:
                        yield f"{view} {moment}: {what}: proved {theirs!r}, but it is {mine!r}"
        for since in dates(case, view):
            row = rows[since.act]
            if len(row) < len(deal.acts) - since.act:
                continue
            wanted = dated(since.act, row, deal)
            if deal.acts[since.act].do == "promise" or since.verdict == "impossible":
                wanted = replace(wanted, shown=since.shown)  # not defined for promises and contradictions
            if since != wanted:
                yield f"{view}: dates: proved {since}, but it is {wanted}"


def dated(act: int, row: dict[int, str], deal: Deal) -> Dates:
    """The dates of an act by the verdicts on it at every moment since."""
    first = {told: next((moment for moment, one in row.items() if one == told), None) for told in brute.VERDICTS}
    conditional = first["illegal-proved-if-others-legal"]
    ended = [moment for moment, told in row.items() if conditional and moment > conditional and told != row[conditional]]
    return Dates(
        act, act + 1, row[len(deal.acts)], deal.first_shown(act), conditional,  # type: ignore[arg-type]
        ended[0] if ended and row[ended[0]] != "illegal-proved" else None,
        first["illegal-proved"], first["legal-proved"], first["impossible"],
    )  # fmt: skip


def compared(case: DealCase, found: Position, deal: Deal, due: brute.Answer) -> Iterator[tuple[str, Any, Any]]:
    """What the oracle and the proofs say, side by side."""
    for act, told in due.verdicts.items():
        yield f"verdict on {act}", told, found.verdict(act)
        if deal.acts[act].do != "promise":
            yield f"clauses of {act}", due.clauses[act], {rule.code for rule in found.clauses(act)}
            trusted = {rule.code for rule in found.clauses(act, found.others(act))}
            yield f"clauses of {act} if the others were legal", due.clauses_if[act], trusted
    yield "acts", list(due.verdicts), case.acts(found.moment)
    yield "suspects", due.suspects, set(found.suspects())
    yield "number of suspect sets", len(due.suspects), len(found.suspects())
    yield "guilty", due.guilty, set(found.guilty())
    for legal in (True, False):
        yield f"count, legal={legal}", due.counts[legal], found.count(legal)
        yield f"holders, legal={legal}", due.holders[legal], at_places(found.holders(legal))
        yield f"a witness, legal={legal}", due.counts[legal] > 0, found.witness(legal) is not None


def at_places(holders: dict[str, tuple[str, ...]] | None) -> dict[str, set[str]] | None:
    """Holders in the oracle's words."""
    return (
        None
        if holders is None
        else {card: {brute.STOCK if at == STOCK else at for at in places} for card, places in holders.items()}
    )


# --- proofs ---------------------------------------------------------------------------------------------------------


def proofs(seed: int, limit: int) -> Iterator[tuple[Deal, DealCase, dict[str, Any], str]]:
    """The certificates of a random case, one of each moment and view, and what the oracle says of the act."""
    rng = Random(-seed - 1)
    setting, deal = random_case(seed)
    case = proved(setting, deal)
    for view in deal.views:
        for moment in range(1, len(deal.acts) + 1):
            acts = [act for act in deal.judged if act < moment]
            if acts and deal.total(moment, view) <= limit:
                act = rng.choice(acts)
                yield deal, case, prove(case, act, moment, view).certificate, deal.answer(moment, view).verdicts[act]


def tampered(rng: Random, certificate: dict[str, Any], events: int) -> dict[str, Any]:
    """A certificate changed in one place."""
    changed = deepcopy(certificate)
    steps, how = changed["because"], rng.randrange(9)
    named = [step["none"] for step in steps if "none" in step and step["none"]["cards"]]
    deals = [step["deal"] for step in steps if "deal" in step]
    dealt = [(deal, place) for deal in deals for place in deal if deal[place]]
    if how == 0 and named:
        cards = rng.choice(named)["cards"]
        cards.pop(rng.randrange(len(cards)))
    elif how == 1 and any(step["places"] for step in named):
        places = rng.choice([step["places"] for step in named if step["places"]])
        places.pop(rng.randrange(len(places)))
    elif how == 2 and dealt:
        deal, place = rng.choice(dealt)
        deal[place].pop()
    elif how == 3 and dealt:
        deal, place = rng.choice(dealt)
        del deal[place]
    elif how == 4 and len(dealt) > 1:
        (one, here), (other, there) = rng.sample(dealt, 2)
        one[here][0], other[there][0] = other[there][0], one[here][0]
    elif how == 5 and steps:
        steps.pop(rng.randrange(len(steps)))
    elif how == 6:
        changed["act"] = rng.choice([act for act in range(-1, events) if act != changed["act"]])
    elif how == 7:
        changed["moment"] = rng.choice([moment for moment in range(-1, events + 3) if moment != changed["moment"]])
    else:
        changed["verdict"] = rng.choice([verdict for verdict in brute.VERDICTS if verdict != changed["verdict"]])
    return changed


def true(deal: Deal, view: str, certificate: dict[str, Any]) -> bool:
    """Whether a certificate claims what is so; the oracle tells, whatever the steps."""
    moment, act = certificate["moment"], certificate["act"]
    if not (0 < moment <= len(deal.acts) and act in deal.judged and act < moment):
        return False
    return bool(deal.answer(moment, view).verdicts[act] == certificate["verdict"])


def spoilt(deal: Deal, view: str, certificate: dict[str, Any]) -> bool:
    """Whether a deal that is shown in it is none: other cards than the unseen, or not as many as a place has room for."""
    found = deal.places(certificate["moment"], view)
    if found is None:
        return False
    unseen, _, room = found
    for step in certificate["because"]:
        if "deal" in step:
            lying = dict.fromkeys(room, 0)
            for place, cards in step["deal"].items():
                lying[brute.STOCK if place.startswith(STOCK) else place[0]] += len(cards)
            if lying != room or sorted(card for cards in step["deal"].values() for card in cards) != sorted(unseen):
                return True
    return False


# --- the tests ------------------------------------------------------------------------------------------------------


def disagreements(seeds: Iterable[int], limit: int) -> Iterator[str]:
    """The random cases in which anything differs, in full."""
    for seed in seeds:
        setting, deal = random_case(seed)
        found = list(differences(setting, deal, limit))
        if found:
            yield f"case {seed}\n{deal.told()}\n" + "\n".join(found[:10])


NAMES = [setting.__name__ for setting in SETTINGS]


@pytest.mark.some(3)
@pytest.mark.parametrize("many", [6, pytest.param(10, marks=pytest.mark.long)])
@pytest.mark.parametrize("number", range(len(SETTINGS)), ids=NAMES)
def test_proofs_agree_with_every_deal_tried(number: int, many: int) -> None:
    assert "\n\n".join(disagreements(range(number, many * len(SETTINGS), len(SETTINGS)), 150)) == ""


@pytest.mark.long
@pytest.mark.parametrize("number", range(len(SETTINGS)), ids=NAMES)
def test_proofs_agree_in_20000_cases(number: int) -> None:
    assert "\n\n".join(disagreements(range(number, 20_000, len(SETTINGS)), 200)) == ""


def check_proofs(seeds: Iterable[int], limit: int) -> int:
    """Every proof says what is so and is accepted; changed, it is refused unless what it claims and shows is still so."""
    refused = 0
    for seed in seeds:
        rng = Random(seed)
        for deal, case, certificate, told in proofs(seed, limit):
            view, statement = certificate["view"], case.statement(certificate["view"])
            assert certificate["verdict"] == told, (seed, certificate)
            assert accepts(statement, certificate) == (told != "consistent"), (seed, certificate)
            for _ in range(3):
                changed = tampered(rng, certificate, len(deal.acts))
                if not accepts(statement, changed):
                    refused += 1
                elif changed != certificate:
                    assert true(deal, view, changed), (seed, certificate, changed)
                    assert not spoilt(deal, view, changed), (seed, certificate, changed)
    return refused


def test_a_checker_accepts_every_proof_and_no_false_one() -> None:
    assert check_proofs(range(20), 60) > 300


@pytest.mark.long
def test_a_checker_accepts_every_proof_and_no_false_one_in_2000_cases() -> None:
    assert check_proofs(range(2000), 200) > 20_000


# --- the oracle itself ----------------------------------------------------------------------------------------------


FINAL = ("illegal-proved", "legal-proved")


def test_the_oracle_keeps_what_is_final() -> None:
    """Final verdicts stay, and public ones hold in every view; of the conditional ones some come true, some do not."""
    ended = set[str]()
    for seed in range(120):
        _, deal = random_case(seed)
        rows: dict[tuple[str, int], list[str]] = {}
        for moment in range(len(deal.acts) + 1):
            if deal.total(moment, brute.PUBLIC) > 60:
                continue
            said = {view: deal.answer(moment, view).verdicts for view in deal.views}
            for view, verdicts in said.items():
                for act, told in verdicts.items():
                    rows.setdefault((view, act), []).append(told)
                    public = said[brute.PUBLIC][act]
                    assert public not in FINAL or told in (public, "impossible"), (seed, view, moment, act)
        for row in rows.values():
            for before, after in pairwise(row):
                assert before not in FINAL or after in (before, "impossible"), (seed, row)
                if before == "illegal-proved-if-others-legal" != after:
                    ended.add(after)
    assert "illegal-proved" in ended
    assert len(ended) > 1


@pytest.mark.parametrize(
    ("laws", "table", "hand", "legal"),
    [
        (Laws(("H",)), "AS", "2S KS BJ", "2S KS"),
        (Laws(("S",)), "2S", "LJ KH", "LJ"),
        (Laws(("S",), big_joker=True), "BJ", "LJ KS KH", "LJ"),
        (Laws(("S",), big_joker=True), "BJ", "KS AS KH", "AS"),
        (Laws(("NT",), big_joker=True), "BJ", "KS AS KH", "KS AS KH"),
        (Laws(("NT",), big_joker=True), "LJ", "BJ AS KH", "BJ"),
        (Laws(("S",), unbroken=1), "", "LJ KS KH", "KH"),
        (Laws(("S",), unbroken=1), "", "LJ KS", "LJ KS"),
        (replace(AGREED, trump=("S",), must_trump=True, rise="always"), "RH TS", "RS FS DD", "RS FS"),
        (replace(AGREED, trump=("S",), must_trump=True, rise="always"), "RH RS", "DS FS DD", "FS"),
        (replace(AGREED, trump=("S",), must_trump=True, rise="always"), "RH FS", "DS VS DD", "DS VS"),
        (replace(AGREED, trump=("S",), must_trump=True, rise="always"), "RH FS", "TH DH MS", "TH DH"),
        (replace(AGREED, trump=("S",), must_trump=True, rise="trumps"), "RH RS", "DS FS DD", "DS FS"),
        (replace(AGREED, trump=("S",), must_trump=True, rise="trumps"), "RS MS", "DS FS DD", "FS"),
        (replace(AGREED, trump=("AT",), must_trump=True, rise="always"), "RH FS", "JH DH FD", "JH"),
        (replace(AGREED, trump=("AT",), must_trump=True, rise="always"), "FH RS", "JH DH FD", "JH DH"),
        (replace(AGREED, trump=("AT",), must_trump=True, rise="always"), "FH", "RS FD", "RS FD"),
        (replace(AGREED, trump=("AT",), twins="m", rise="always"), "RHs", "RHm DHm", "RHm"),
        (replace(AGREED, trump=("AT",), twins="s", rise="always"), "RHs", "RHm DHm", "RHm DHm"),
        (replace(AGREED, trump=("AT",), twins="first", rise="always"), "RHs", "RHm DHm", "RHm DHm"),
        (replace(AGREED, trump=("AT",), twins="last", rise="always"), "RHs", "RHm DHm", "RHm"),
        (replace(AGREED, rise=""), "RH", "DH FH RS", "DH FH"),
    ],
)
def test_the_oracle_knows_the_rules(laws: Laws, table: str, hand: str, legal: str) -> None:
    assert brute.narrowed(laws, 1, table.split(), False, frozenset(hand.split()))[-1][1] == set(legal.split())


def test_the_oracle_tries_every_deal() -> None:
    """North leads a spade, East and West discard: the other two spades lie with them, both or one of them, or out of play."""
    acts = [Act("play", seat, (card,)) for seat, card in (("N", "AS"), ("E", "2H"), ("W", "3H"))]
    told = Deal(Laws(), ("AS", "KS", "QS", "2H", "3H", "4H"), {"N": 1, "E": 2, "W": 2}, acts).answer(3, brute.PUBLIC)
    assert told.counts == {True: 0, False: 6}
    assert told.suspects == {frozenset("E"), frozenset("W")}
    assert told.guilty == set()
    assert told.verdicts == {0: "legal-proved", 1: "illegal-proved-if-others-legal", 2: "illegal-proved-if-others-legal"}
