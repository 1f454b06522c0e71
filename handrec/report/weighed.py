"""A finding weighed, in words: as it is written, what happened if the record is wrong, and what would tell these apart."""

from __future__ import annotations

from collections.abc import Iterator

from handrec.explanations.weighed import Look, OtherAccount, Weighed

#: How likely another account is, by what it costs more than what is written.
LIKELY = {0: "as likely", 1: "less likely"}
#: So many places of an account are named.
PLACES = 2
#: So many findings that an account leaves are named.
STILL = 2


def if_wrong(weighed: Weighed) -> list[str]:
    """What happened if the record is wrong, best first, and whether all was tried."""
    told = [f"{number}. {_account(each)}" for number, each in enumerate(weighed.slips, 1)]
    return told + ([] if told and weighed.likelier != "not known" else [f"{weighed.words}"])


def _account(each: OtherAccount) -> str:
    likely = "likelier" if each.cost is None or each.cost < 0 else LIKELY.get(each.cost, "much less likely")
    where = ", ".join(each.places[:PLACES]) + (", …" if len(each.places) > PLACES else "")
    still = f"; then: {'; '.join(each.still[:STILL])}" + (", …" if len(each.still) > STILL else "") if each.still else ""
    return f"{each.words} ({where}{still}): {likely}" if where or still else f"{each.words}: {likely}"


def look_at(weighed: Weighed) -> Iterator[str]:
    """The places that tell what is written and the other accounts apart."""
    several = len(weighed.slips) > 1
    return (_place(look, several) for look in weighed.look)


def _place(look: Look, several: bool) -> str:
    instead = " or ".join(what + (f" ({', '.join(map(str, numbers))})" if several else "") for what, numbers in look.instead)
    if not look.on_paper:
        return f"{look.at}: {look.says} if this happened, else {instead}"
    return f"{look.at}: it says {look.says}; if it was {instead}, this did not happen"
