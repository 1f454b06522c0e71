"""The exemptions of the laws, gone through one by one."""

from __future__ import annotations

from handrec.ruling import dates
from handrec.ruling.dispute import Dispute
from handrec.ruling.laws import Exemption
from handrec.ruling.value import Check

#: What each exemption asks, in words.
ASKS: dict[Exemption, str] = {
    "no_trick_won": "no trick won from then on",
    "repeat_same_suit": "again in the same suit",
    "open_card": "a card of dummy's",
    "deadline": "noticed too late",
    "round_over": "noticed after the round",
    "last_but_one": "in the last trick but one",
    "both_sides": "both sides did",
    "corrected": "corrected",
}


def gone_through(dispute: Dispute) -> tuple[Check, ...]:
    """Every exemption of the laws, gone through."""
    found = []
    for topic in dispute.laws.checks():
        applies, why = _applies(dispute, topic)
        paragraph = dispute.laws.paragraphs.get(topic)
        found.append(Check(paragraph.at if paragraph else "", ASKS[topic], applies, why))
    return tuple(found)


def _applies(dispute: Dispute, topic: Exemption) -> tuple[bool | None, str]:
    """Whether an exemption applies, and why; None if the record does not tell."""
    scene, offence, claim = dispute.scene, dispute.offence, dispute.claim
    assert scene is not None
    assert offence is not None
    trick = offence.seen.trick
    if topic == "no_trick_won":
        won = scene.won(claim.of, trick)
        return None if won is None else won == 0, "tricks are not known" if won is None else f"{won} won"
    if topic == "repeat_same_suit":
        same = [each.seen.trick for each in dispute.settled() if scene.led(each.seen.trick) == scene.led(trick)]
        return bool(same), f"also in trick {same[0]}" if same else "the first"
    if topic == "open_card":
        none = "dummy is not known" if dispute.game.partners else "there is no dummy"
        return claim.of == scene.dummy, f"dummy is {scene.dummy}" if scene.dummy else none
    if topic == "deadline":
        return bool(dispute.late), "not known when: taken as in time" if dispute.late is None else dates.in_words(
            dispute.scenes, claim
        )
    if topic == "round_over":
        here = claim.when is None or claim.when[0] == scene.index
        return (False, "in the same deal") if here else (None, "rounds are not in the record")
    if topic == "last_but_one":
        return trick == scene.table.size - 1, f"trick {trick} of {scene.table.size}"
    if topic == "both_sides":
        theirs = dispute.settled(scene.others(claim.of))
        ours = dispute.settled(scene.side(claim.of))
        applies = bool(theirs) and (dispute.laws.both_sides == "equity" or len(theirs) >= len(ours))
        return applies, f"trick {theirs[0].seen.trick} too" if theirs else "only one side"
    return offence.seen.withdrawn, "taken back" if offence.seen.withdrawn else "it stood"
