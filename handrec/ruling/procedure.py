"""The procedure of the laws, gone through in their order, for any laws that are data (`handrec.ruling.laws`).

1. Attention is drawn. If the card is not established by then, it is put right (in bridge Law 62A); some are put right even
   later (62C3, 62D). Then nothing is paid.
2. Else it is established, by the first act that did so (63A).
3. It was claimed in time, where a late claim is void.
4. Each exemption is gone through (64B); if one applies, nothing is paid.
5. Else the penalty is paid (64A), and what follows with it.

Each step asks one question of the record, whose function here says what is asked, answers it and gives the reason.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import cached_property

from handrec.ruling import dates
from handrec.ruling.dispute import Dispute
from handrec.ruling.replayed import Offence, ReplayedDeal
from handrec.ruling.value import Step

#: An answer: whether it applies (None: the record does not tell), and why.
StepAnswer = tuple[bool | None, str]


@dataclass(frozen=True)
class Course:
    """How a shown offence goes through the laws."""

    dispute: Dispute

    @cached_property
    def corrections(self) -> tuple[Step, ...]:
        """Whether the card is put right."""
        dispute = self.dispute
        if not dispute.laws.correctable:
            return ()
        words = "noticed before it was established"
        first = Step("unestablished", dispute.laws.at("unestablished"), words, *_unestablished(dispute))
        if _offence(dispute).seen.withdrawn:
            return (first,)
        return (first, *(_step(dispute, topic, CORRECTIONS) for topic in dispute.laws.correct))

    @property
    def corrected(self) -> str:
        """The topic under which it is put right; "" if it stands. Of two, the one that puts right an established card."""
        return next((step.topic for step in reversed(self.corrections) if step.applies), "")

    @cached_property
    def establishment(self) -> tuple[Step, ...]:
        """By what it was established when attention was drawn."""
        dispute = self.dispute
        act, at = dispute.established, dispute.laws.at
        if act is not None:
            return (Step("established", at(act.on, "established"), "established", True, act.words),)
        if _offence(dispute).seen.withdrawn or not dispute.laws.correctable:
            return ()
        places = " ".join(dict.fromkeys(at(on, "established") for on in dispute.laws.establish_on))
        return (Step("established", places, "established", False, "not by then"),)

    @cached_property
    def exemptions(self) -> tuple[Step, ...]:
        """Whether it is forgiven, and where a late claim is void, whether it is late."""
        dispute, laws = self.dispute, self.dispute.laws
        if self.corrected:
            twice = self.corrected == "both_in_trick" and dispute.established is not None and "corrected" in laws.exempt
            return (_step(dispute, "corrected", EXEMPTIONS),) if twice else ()
        void = ["deadline"] if "deadline" not in laws.exempt and laws.claim_deadline != "none" else []
        return tuple(_step(dispute, topic, EXEMPTIONS) for topic in (*void, *laws.exempt))

    @property
    def exempt(self) -> Step | None:
        """The first exemption that applies."""
        return next((step for step in self.exemptions if step.applies), None)

    @property
    def void(self) -> bool:
        """Whether the claim came too late to count, in laws where that is no exemption but the end of it."""
        return bool(self.dispute.late) and "deadline" not in self.dispute.laws.exempt

    @property
    def pays(self) -> bool:
        """Whether a penalty is paid, if the laws have one."""
        return not (self.corrected or self.exempt or self.void or self.dispute.established is None)

    @cached_property
    def penalty(self) -> tuple[Step, ...]:
        """Which penalty it is, and what follows with it."""
        dispute, laws = self.dispute, self.dispute.laws
        if self.corrected or not laws.penalty or dispute.established is None:
            return ()
        assert dispute.replay is not None
        winner = dispute.replay.winner(_offence(dispute).seen.trick)
        own = winner == dispute.offender and any(each.n_if_won is not None for each in laws.penalty)
        topic = "won_by_offender" if own else "penalty"
        exempt = self.exempt
        why = f"by {exempt.at or exempt.what}" if exempt else "" if winner is None else f"{winner} won the trick"
        first = Step(topic, laws.at(topic, "penalty"), "the penalty", self.pays, why)
        return (first, *(_step(dispute, each, BESIDES) for each in laws.besides if self.pays))

    @cached_property
    def steps(self) -> tuple[Step, ...]:
        """All steps in the order of the laws."""
        return (*self.corrections, *self.establishment, *self.penalty[:1], *self.exemptions, *self.penalty[1:])


def _offence(dispute: Dispute) -> Offence:
    assert dispute.offence is not None
    return dispute.offence


def _replay(dispute: Dispute) -> ReplayedDeal:
    assert dispute.replay is not None
    return dispute.replay


def _step(dispute: Dispute, topic: str, table: dict[str, tuple[str, Callable[[Dispute], StepAnswer]]]) -> Step:
    words, answer = table[topic]
    return Step(topic, dispute.laws.at(topic), words, *answer(dispute))


# --- what is put right --------------------------------------------------------------------------------------------------


def _unestablished(dispute: Dispute) -> StepAnswer:
    if _offence(dispute).seen.withdrawn:
        return True, "the card was taken back"
    if dispute.established is not None:
        return False, "established by then"
    return True, "not established by then"


def partners_in_trick(dispute: Dispute) -> list[Offence]:
    """The other side's offences in the same trick that had been made when attention was drawn."""
    replay, trick = _replay(dispute), _offence(dispute).seen.trick
    drawn = dates.drawn(replay, dispute.claim)
    found = [each for each in replay.offences(dispute.laws.duty) if each.seen.trick == trick and not each.seen.withdrawn]
    others = replay.others(dispute.offender)
    return [
        each for each in found if replay.table.seats[each.seen.seat] in others and (replay.index, each.seen.place or 0) < drawn
    ]


def _both_in_trick(dispute: Dispute) -> StepAnswer:
    """62C3: both sides revoked in the trick, and only one of them has played to the next."""
    replay, trick = _replay(dispute), _offence(dispute).seen.trick
    if not partners_in_trick(dispute):
        return False, "one side only in that trick"
    drawn = dates.drawn(replay, dispute.claim)
    after = [
        each for each in replay.plays if each.trick > trick and (replay.index, each.place or 0) < drawn and not each.withdrawn
    ]
    sides = {replay.side(replay.table.seats[each.seat]) for each in after}
    return len(sides) == 1, ("nobody has", "only one side has", "both sides have")[min(len(sides), 2)] + " played on"


def _hands_not_back(dispute: Dispute) -> StepAnswer:
    """62D: the last trick but one, established, but the hands are not back."""
    replay, trick = _replay(dispute), _offence(dispute).seen.trick
    if trick != replay.table.size - 1:
        return False, f"trick {trick} of {replay.table.size}"
    if dispute.established is None:
        return False, "not established"
    back = dates.hands_back(replay, dispute.claim)
    return not back, "the hands were back" if back else "the hands were not back"


CORRECTIONS: dict[str, tuple[str, Callable[[Dispute], StepAnswer]]] = {
    "both_in_trick": ("both sides in one trick, one played on", _both_in_trick),
    "hands_not_back": ("trick twelve, hands not back", _hands_not_back),
}

# --- what is forgiven ---------------------------------------------------------------------------------------------------


def _no_trick_won(dispute: Dispute) -> StepAnswer:
    won = _replay(dispute).won(dispute.offender, _offence(dispute).seen.trick)
    return (None, "tricks are not known") if won is None else (won == 0, f"{won} won")


def _repeat(dispute: Dispute) -> StepAnswer:
    """Again by the same player in the same suit, the first having been established."""
    replay = _replay(dispute)
    led = replay.led(_offence(dispute).seen.trick)
    same = [each for each in dispute.before if each.offender == dispute.offender]
    tricks = [each.claim.trick for each in same if each.claim.trick and replay.led(each.claim.trick) == led]
    return bool(tricks), f"also in trick {tricks[0]}" if tricks else "the first that was established"


def _open_card(dispute: Dispute) -> StepAnswer:
    """A card of dummy's; or what it should have been was a penalty card, taken back by a defender who had revoked."""
    replay, offence = _replay(dispute), _offence(dispute)
    if replay.dummy is None:
        return False, "dummy is not known" if dispute.game.partners else "there is no dummy"
    if dispute.offender == replay.dummy:
        return True, f"dummy is {replay.dummy}"
    faced = set(replay.faced(dispute.offender, offence.seen.place or 0)) & set(offence.could)
    return bool(faced), f"{' '.join(sorted(faced))} lay face up" if faced else f"dummy is {replay.dummy}"


def _deadline(dispute: Dispute) -> StepAnswer:
    if dispute.late is None:
        return False, "not known when: taken as in time"
    return dispute.late, dates.in_words(dispute.replays, dispute.claim)


def _round_over(dispute: Dispute) -> StepAnswer:
    claim = dispute.claim
    if claim.noticed in dates.MOMENTS:
        return claim.noticed == "round", dates.MOMENTS[claim.noticed]
    here = claim.when is None or claim.when[0] == _replay(dispute).index
    return (False, "in the same deal") if here else (None, "rounds are not in the record")


def _last_but_one(dispute: Dispute) -> StepAnswer:
    trick, size = _offence(dispute).seen.trick, _replay(dispute).table.size
    return trick == size - 1, f"trick {trick} of {size}"


def _theirs(dispute: Dispute) -> list[Dispute]:
    return dispute.standing(_replay(dispute).others(dispute.offender))


def _both_sides(dispute: Dispute) -> StepAnswer:
    theirs = _theirs(dispute)
    return bool(theirs), f"trick {theirs[0].claim.trick} too" if theirs else "one side only"


def _both_sides_reneged(dispute: Dispute) -> StepAnswer:
    replay = _replay(dispute)
    others = replay.others(dispute.offender)
    theirs = [each for each in replay.offences(dispute.laws.duty) if replay.table.seats[each.seen.seat] in others]
    return bool(theirs), f"trick {theirs[0].seen.trick} too" if theirs else "one side only"


def _cancelled(dispute: Dispute) -> StepAnswer:
    """As many on each side cancel: the first of ours against the first of theirs."""
    ours, theirs = len(dispute.before), len(_theirs(dispute))
    return ours < theirs, f"{theirs} of the other side, {ours} of this side before"


def _once(dispute: Dispute) -> StepAnswer:
    same = [each for each in dispute.before if each.offender == dispute.offender]
    return bool(same), f"paid for in trick {same[0].claim.trick}" if same else "the first"


EXEMPTIONS: dict[str, tuple[str, Callable[[Dispute], StepAnswer]]] = {
    "no_trick_won": ("no trick won from then on", _no_trick_won),
    "repeat_same_suit": ("again in the same suit", _repeat),
    "open_card": ("a card that lay face up", _open_card),
    "deadline": ("noticed too late", _deadline),
    "round_over": ("noticed after the round", _round_over),
    "last_but_one": ("in the last trick but one", _last_but_one),
    "both_sides": ("both sides did", _both_sides),
    "both_sides_reneged": ("both sides did", _both_sides_reneged),
    "corrected": ("corrected with the other side's", _both_in_trick),
    "cancelled": ("one of each side cancel each other", _cancelled),
    "once": ("paid for already: one penalty a hand", _once),
}

# --- what follows with a penalty ----------------------------------------------------------------------------------------

BESIDES: dict[str, tuple[str, Callable[[Dispute], StepAnswer]]] = {
    "neither_can_win": ("neither side can win", _both_sides),
    "cannot_win": ("the offending side cannot win", lambda dispute: (True, "by that hand")),
}
