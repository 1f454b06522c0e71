"""A claim, and everything there is to settle it by: was it shown, when was it established, was it claimed in time."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property

from handrec.explanations.weighed import Weighed, Weighing
from handrec.game import Game
from handrec.record import Record
from handrec.ruling import dates
from handrec.ruling.claims import accusations
from handrec.ruling.dates import EstablishingAct
from handrec.ruling.knowledge import Knowledge, PlayKnowledge
from handrec.ruling.laws import Laws
from handrec.ruling.replayed import Offence, ReplayedDeal, Time
from handrec.ruling.value import RevokeClaim


@dataclass(frozen=True)
class Dispute:
    """A claim, and everything there is to settle it by."""

    record: Record
    game: Game
    laws: Laws
    replays: Sequence[ReplayedDeal]
    knowledge: Sequence[Knowledge]
    claim: RevokeClaim
    claims: int = 1  # how many are ruled on together
    shared: dict[int, list[Dispute]] = field(default_factory=dict, compare=False)  # the offences of each deal
    weighing: Weighing | None = field(default=None, compare=False)

    @cached_property
    def replay(self) -> ReplayedDeal | None:
        """The deal that the claim is about; None if it is not in the record, or if the record leaves open which one it is."""
        return None if self.claim.index is None else self.replays[self.claim.index]

    @property
    def missing(self) -> str:
        """Why there is no deal that the claim is about."""
        many = sum(replay.number == self.claim.deal for replay in self.replays)
        return f"{many} deals are numbered {self.claim.deal}" if many else f"deal {self.claim.deal} is not in this record"

    @cached_property
    def known(self) -> PlayKnowledge | None:
        """What the cards tell of the play in question."""
        replay, claim = self.replay, self.claim
        seen = replay.play(claim.of, claim.trick) if replay and claim.trick else None
        return self.knowledge[replay.index].of(seen) if replay and seen and not seen.withdrawn else None

    @cached_property
    def offence(self) -> Offence | None:
        """What was not played as it had to be, if the record shows that."""
        replay, claim = self.replay, self.claim
        if replay is None or claim.trick is None:
            return None
        made = [each for each in replay.offences(self.laws.duty, claim.of) if each.seen.trick == claim.trick]
        before = [each for each in made if claim.when is None or (replay.index, each.seen.place or 0) < claim.when]
        if before:
            return before[-1]
        seen = replay.play(claim.of, claim.trick)
        if seen is not None and not made and self.known is not None and self.known.verdict == "illegal-proved":
            lead = replay.lead(claim.trick)
            return Offence(seen) if self.laws.duty == "any" or (lead is not None and lead is not seen) else None
        return None

    @cached_property
    def shown(self) -> bool | None:
        """Whether the record shows the offence; None if it leaves it open."""
        if self.offence is not None:
            return True
        if self.replay is None:
            return None
        proved_legal = self.known is not None and self.known.verdict == "legal-proved"
        return None if self.replay.unjudged(self.claim.of, self.claim.trick) and not proved_legal else False

    @property
    def harmless(self) -> str:
        """Why nothing is wrong with what was played."""
        claim, replay = self.claim, self.replay
        other = replay.offences("any", claim.of) if replay is not None else []
        if any(each.seen.trick == claim.trick for each in other):
            return f"no {self.laws.revoke} by these laws"
        return "the play was legal" if claim.trick else "every play was legal"

    @cached_property
    def late(self) -> bool | None:
        """Whether the claim came too late; None if it is not known when it was made."""
        return dates.late(self.claim, self.laws, self.deadline[0])

    @cached_property
    def deadline(self) -> tuple[Time | None, str]:
        """Until when it could be claimed."""
        if self.replay is None or self.offence is None:
            return None, ""
        return dates.deadline(self.replays, self.replay, self.laws, self.offence.seen)

    @cached_property
    def acts(self) -> list[EstablishingAct]:
        """All by which the card came to stand, whether attention had been drawn by then or not."""
        if self.replay is None or self.offence is None or self.offence.seen.withdrawn:
            return []
        return dates.acts(self.replays, self.replay, self.laws, self.offence.seen, self.claim)

    @cached_property
    def established(self) -> EstablishingAct | None:
        """What had established it when attention was drawn."""
        assert self.replay is not None or not self.acts
        drawn = dates.drawn(self.replay, self.claim) if self.replay else (0, 0)
        return next((act for act in self.acts if act.time < drawn), None)

    @cached_property
    def weighed(self) -> Weighed | None:
        """The offence beside the slips of the pen that would explain it; None if there is none that the referee finds."""
        finding = self.offence.finding if self.offence is not None else None
        if finding is None or self.weighing is None:
            return None
        return self.weighing.of(finding)

    @property
    def told_before(self) -> bool:
        """Whether the slip of the pen that is likelier was told of another offence."""
        finding = self.offence.finding if self.offence is not None else None
        if finding is None or self.weighing is None or self.weighed is None:
            return False
        return not self.weighing.is_first(finding, self.weighed)

    @property
    def explained(self) -> str:
        """Why nobody is found at fault though the record shows it, in words; "" if somebody is."""
        return "" if self.weighed is None or self.weighed.likelier == "deed" else self.weighed.words

    @property
    def offender(self) -> str:
        """Who did not play as the rules demand."""
        return self.claim.of

    @cached_property
    def beside(self) -> list[Dispute]:
        """Every offence of the deal but those taken back, each as a dispute of its own, in time order; this one among them."""
        replay, offence = self.replay, self.offence
        assert replay is not None
        if replay.index not in self.shared:
            said = {
                (each.index, each.of, each.trick): each for each in reversed(accusations(self.record, self.replays, self.laws))
            }
            for each in replay.offences(self.laws.duty):
                if not each.seen.withdrawn:
                    play = (replay.index, replay.table.seats[each.seen.seat], each.seen.trick)
                    found = RevokeClaim(play[1], play[2], replay.number, source="found", index=replay.index)
                    self.shared.setdefault(replay.index, []).append(replace(self, claim=said.get(play, found)))
        found_ = self.shared.setdefault(replay.index, [])
        here = None if offence is None else offence.seen.place
        found_ = [self if each.offence is not None and each.offence.seen.place == here else each for each in found_]
        return [each for each in found_ if each is self or not each.explained]

    def standing(self, seats: Sequence[str]) -> list[Dispute]:
        """The established offences of some seats in this deal, in time order."""
        return [each for each in self.beside if each.offender in seats and each.established is not None]

    @property
    def before(self) -> list[Dispute]:
        """The established offences of the offender's side in this deal that came before this one."""
        assert self.replay is not None
        assert self.offence is not None
        place = self.offence.seen.place or 0
        ours = self.standing(self.replay.side(self.offender))
        return [each for each in ours if each.offence is not None and (each.offence.seen.place or 0) < place]
