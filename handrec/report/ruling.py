"""Rulings told to people, as text of 80 columns or Markdown, and to programs as plain data."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import asdict
from typing import Any

from handrec.record import BIG
from handrec.report.json import plain
from handrec.report.layout import BOLD, WIDTH, painted, wrapped
from handrec.report.safe import NAME, clip, columns, markdown, safe
from handrec.report.weighed import if_wrong, look_at
from handrec.ruling import GameStanding, RevokeRuling, RulingOutcome, Step

#: The columns of a heading.
LABEL = 9
#: How many choices text shows; all of them are in the JSON.
SHOWN = 20
#: A space at which no line is broken.
TIE = "\u00a0"
LIMITS = "This is an aid to whoever has to rule, not a decision."


def view(ruling: RevokeRuling) -> dict[str, Any]:
    """A ruling as plain data, its texts made safe."""
    data = asdict(ruling)
    data["laws"] = ruling.laws.model_dump(mode="json", exclude_none=True)
    for place in ("when", "index"):
        data["claim"].pop(place)
    data["claim"]["made"] = ruling.dates.claimed or None
    data["outcomes"] = [{**each, "after": each["after"] and _standing(each["after"])} for each in data["outcomes"]]
    data["before"] = _standing(data["before"])
    data["limits"] = LIMITS
    shown: dict[str, Any] = plain(data)
    return shown


def _standing(data: dict[str, Any]) -> dict[str, Any]:
    return {key: value for key, value in data.items() if value is not None}


def text(ruling: RevokeRuling, colour: bool = False) -> str:
    """A ruling in lines of at most 80 columns, a heading for each part, and an empty line after it."""
    first, *rest = _title(ruling)
    lines = [painted(first, BOLD, colour), *rest]
    for label, paragraphs in _parts(ruling):
        for place, paragraph in enumerate(paragraphs):
            lines += _folded(label if place == 0 else "", safe(paragraph, 2000))
    return "\n".join(lines) + "\n\n"


def markdown_text(ruling: RevokeRuling) -> str:
    """A ruling in Markdown: a heading, and a list for each part."""
    lines = [f"## {markdown(_subject(ruling))}", "", f"**{markdown(_outcome(ruling))}**", ""]
    for label, paragraphs in _parts(ruling):
        said = [markdown(safe(paragraph, 2000).replace(TIE, " ")) for paragraph in paragraphs]
        lines += [f"**{label}**", "", *(f"- {paragraph}" for paragraph in said), ""]
    return "\n".join(lines) + "\n"


def _subject(ruling: RevokeRuling) -> str:
    digest = f" ({ruling.digest[:8]}…)" if ruling.digest else ""
    return f"RULING  deal {ruling.claim.deal}{digest}  laws {ruling.laws.name}"


def _outcome(ruling: RevokeRuling) -> str:
    return f"{ruling.verdict.upper()} – {safe(ruling.reason, 200)}"


def _title(ruling: RevokeRuling) -> list[str]:
    subject, outcome = _subject(ruling), _outcome(ruling)
    if columns(subject) + 3 + columns(outcome) <= WIDTH:
        return [subject + " " * (WIDTH - columns(subject) - columns(outcome)) + outcome]
    return [subject, *_folded("", outcome)]


def _parts(ruling: RevokeRuling) -> Iterator[tuple[str, list[str]]]:
    """The parts of a ruling with their headings, those that have something to say."""
    parts = {
        "Claim": [_claim(ruling)],
        "Facts": [_fact(number, fact.words, fact.source, fact.place) for number, fact in enumerate(ruling.facts, 1)],
        "Written": [f"as written, {ruling.weighed.written}"] if ruling.weighed else [],
        "Slips": if_wrong(ruling.weighed) if ruling.weighed else [],
        "Look at": [*look_at(ruling.weighed)] if ruling.weighed else [],
        "Dates": [_dates(ruling)],
        "Rule": list(_rules(ruling)),
        "Steps": [" · ".join(map(_step, ruling.steps))] if ruling.laws.correctable or ruling.laws.exempt else [],
        "Without": [_stands(ruling.before)] if ruling.before.tricks or ruling.before.totals else [],
        ("Choices" if len(ruling.outcomes) > 1 else "With"): list(_choices(ruling)),
        "Laws": [f"{name}: {words}" for name, words in ruling.profiles.items()],
        "Equity": [ruling.equity] if ruling.equity else [],
        "Also": list(ruling.aside),
        "Assumed": list(ruling.assumed),
        "Limits": [LIMITS],
    }
    yield from ((label, paragraphs) for label, paragraphs in parts.items() if paragraphs and any(paragraphs))


def _claim(ruling: RevokeRuling) -> str:
    claim, made = ruling.claim, ruling.dates.claimed
    trick = f"trick {claim.trick}" if claim.trick else f"deal {claim.deal}" if claim.what else "any trick"
    what = claim.what or f"a {ruling.laws.revoke}"
    if claim.source == "accusation":
        words = f"{_player(ruling, claim.by)} accuses {_player(ruling, claim.of)} of a {ruling.laws.revoke} in {trick}"
    else:
        found = {"found": "found by the replay", "mark": "marked by the transcriber"}.get(claim.source, "asked")
        words = f"{found}: {what} by {_player(ruling, claim.of)} in {trick}"
    return f"{words}, {made}" if made else words


def _player(ruling: RevokeRuling, seat: str | None) -> str:
    name = ruling.players.get(seat or "")
    return f"{seat} ({clip(safe(name, NAME), 30)})" if name else f"{seat}"


def _fact(number: int, words: str, source: str, place: str) -> str:
    where = f", {place}" if place else ""
    return f"{number}. {words} [{source}{where}]"


def _dates(ruling: RevokeRuling) -> str:
    dates = ruling.dates
    if not dates.happened:
        return ""
    parts = [f"happened {dates.happened}"]
    if ruling.claim.what:
        return parts[0]
    if ruling.shown:
        parts += _provable(ruling)
        parts += [f"established {dates.established}" if dates.established else "not established"]
        parts += [f"claimable until {dates.claimable}" if dates.claimable not in ("", "any time") else "claimable at any time"]
    parts += [f"claimed {dates.claimed}" if dates.claimed else "when claimed: not in the record"]
    return " · ".join(parts)


def _provable(ruling: RevokeRuling) -> Iterator[str]:
    """When it could be proved to all, and to each of the others who could prove it sooner."""
    since = ruling.dates.provable
    if not since:
        return
    everybody = since.get("all")
    yield f"provable to all {everybody or 'never'}"
    for seat, when in since.items():
        if seat not in ("all", ruling.claim.of) and when is not None and when != everybody:
            yield f"to {seat} {when}"


def _rules(ruling: RevokeRuling) -> Iterator[str]:
    """Each rule with where it stands, which is said once if it is the same for several."""
    said = ""
    for each in ruling.rules:
        yield f"{each.at}: {each.sentence}" + (f" [{each.citation}]" if each.citation not in ("", said) else "")
        said = each.citation


def _step(step: Step) -> str:
    answer = "not known" if step.applies is None else "yes" if step.applies else "no"
    return f"{step.at} {step.what}: {answer}".strip() + (f", {step.why}" if step.why else "")


def _choices(ruling: RevokeRuling) -> Iterator[str]:
    outcomes, rest = list(ruling.outcomes), len(ruling.outcomes) - SHOWN
    if rest > 0:
        outcomes.sort(key=_gain, reverse=True)
    for outcome in outcomes[:SHOWN]:
        yield _choice(outcome, ruling.before)
    if rest > 0:
        yield f"and {rest} more that give whoever takes them no more: -f json has all"


def _gain(outcome: RulingOutcome) -> int:
    """The total of whoever gains tricks, or less than any if it is not known; more than any for what is not reckoned."""
    if outcome.after is None and not outcome.moves:
        return BIG
    totals = (outcome.after.totals if outcome.after else None) or {}
    return max((totals.get(move.by, -BIG) for move in outcome.moves), default=-BIG)


def _choice(outcome: RulingOutcome, before: GameStanding) -> str:
    words = outcome.words + (" [so in the record]" if outcome.taken else "")
    if outcome.points and before.totals is None:
        off = ", ".join(f"{seat}:{TIE}{-points:+d}" for seat, points in outcome.points.items())
        return f"{words}: totals {off}, which before are not in this record"
    if outcome.after is None:
        return words if outcome.moves or outcome.put_right else f"{words} (the score of that is not reckoned)"
    return f"{words}: {_changes(before, outcome.after)}"


def _stands(standing: GameStanding) -> str:
    """How it stands, all of it."""
    parts = [f"tricks {_numbers(standing.tricks)}", f"points {_numbers(standing.scores)}", f"totals {_numbers(standing.totals)}"]
    shown = [part for part, value in zip(parts, (standing.tricks, standing.scores, standing.totals), strict=True) if value]
    return " · ".join([*shown, *_ends(standing)])


def _numbers(numbers: Mapping[str, int] | None) -> str:
    return ", ".join(f"{seat}:{TIE}{number}" for seat, number in (numbers or {}).items())


def _changes(before: GameStanding, after: GameStanding) -> str:
    """What is different from before: `tricks E: 4→6`."""
    parts = []
    for name, old, new in (
        ("tricks", before.tricks, after.tricks),
        ("points", before.scores, after.scores),
        ("totals", before.totals, after.totals),
    ):
        differ = (
            [f"{seat}:{TIE}{old[seat]}→{new[seat]}" for seat in new if seat in old and old[seat] != new[seat]]
            if old and new
            else []
        )
        parts += [f"{name} {', '.join(differ)}"] if differ else []
    if before.scores and not after.scores:
        parts.append("the score does not follow from tricks alone")
    if _ends(after) != _ends(before):
        parts += _ends(after)
    return " · ".join(parts) or "as without"


def _ends(standing: GameStanding) -> list[str]:
    ends = [f"won by {' and '.join(standing.winners)}"] if standing.winners else []
    return ends + ([f"the game ends with deal {standing.ended}"] if standing.ended else [])


def _folded(label: str, words: str) -> Iterator[str]:
    """A paragraph beside its heading, in lines of at most 80 columns."""
    if label or words:
        lines = wrapped(f" {label}".ljust(LABEL), words.split(" "), " ", LABEL + 2)
        yield from (line.replace(TIE, " ") for line in lines)
