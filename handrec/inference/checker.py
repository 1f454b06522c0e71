"""Checks a proof against the plain statement of its case. It knows nothing of how proofs are found: both are plain data."""

from typing import Any


def accepts(case: dict[str, Any], proof: dict[str, Any]) -> bool:
    """Whether the steps of a proof show its verdict on an act at a moment of a case; what is no proof shows nothing."""
    try:
        events, act, steps = [case["events"][n] for n in range(proof["moment"])], proof["act"], proof["because"]
        acts = {n: event["by"] for n, event in enumerate(events) if event.keys() & {"barred", "promises"}}
        others = [n for n, by in acts.items() if by not in (acts[act], case["viewer"])]
        due: dict[str, list[Any]] = {
            "impossible": [("none", [])],
            "illegal-proved": [("deal", []), ("none", [act])],
            "illegal-proved-if-others-legal": [("deal", [act]), ("deal", others), ("none", [*others, act])],
            "legal-proved": [("deal", []), *(("none", [], way) for way in denials(case, events, act))],
        }
        return all(shows(case, events, step[ask[0]], *ask) for step, ask in zip(steps, due[proof["verdict"]], strict=True))
    except (KeyError, IndexError, TypeError, ValueError, AttributeError):
        return False


def look(case: dict[str, Any], events: list[Any]) -> tuple[dict[str, set[str]], set[str], list[Any]]:
    """The cards that each place was dealt for certain, those unseen, and where they lie: (name, number, which, until when)."""
    size, known, may = case["sizes"], case["known"], {who: set(cards) for who, cards in case["may"].items()}
    dealt = {who: set(known.get(who, ())).union(*(e.get("shows", ()) for e in events if e["by"] == who)) for who in size}
    places = [(f"{e['by']}#{n}", 1, may[e["by"]] & set(e["hides"]), n) for n, e in enumerate(events) if "hides" in e]
    unread = [name.split("#")[0] for name, _, _, _ in places]
    places += [(who, size[who] - len(dealt[who]) - unread.count(who), may[who], len(events)) for who in size]
    return dealt, set(case["cards"]).difference(*dealt.values()), places


def denials(case: dict[str, Any], events: list[Any], act: int) -> list[Any]:
    """Every way in which an act was illegal: (place, how many at least, of which cards); place "" if cards shown make it so."""
    (dealt, unseen, places), by, barred = look(case, events), events[act]["by"], set(events[act].get("barred", ()))
    gone = {card for e in events[:act] if (e["do"], e["by"]) == ("play", by) for card in e.get("shows", ())}
    over = [(by, n + 1 - len(dealt[by] & set(cards)), set(cards)) for cards, n in events[act].get("promises", ())]
    if barred & dealt[by] - gone or any(many <= 0 for _, many, _ in over):
        return [("", 0, unseen)]
    return over + [(n, 1, barred) for n, _, _, until in places if n.split("#")[0] == by and until >= act and barred & unseen]


def shows(case: Any, events: list[Any], step: Any, kind: str, legal: list[int], way: Any = ("", 0, ())) -> bool:
    """Whether a step is a `deal` in which these acts are legal, and one denied in this way; or says why there is `none`."""
    (dealt, unseen, hidden), places = look(case, events), list[Any]()
    for name, size, takes, until in hidden:
        barred = [set(events[act].get("barred", ())) for act in legal if events[act]["by"] == name.split("#")[0] and act <= until]
        asked = [each for act in legal if events[act]["by"] == name for each in events[act].get("promises", ())]
        parts = [(f"{name}/{n}", many - len(dealt[name] & set(cards)), set(cards)) for n, (cards, many) in enumerate(asked)]
        parts += [(f"{name}!", *way[1:])] * (way[0] == name)
        parts += [(name, size - sum(many for _, many, _ in parts), takes)]
        places += [(part, many, (takes & cards).difference(*barred)) for part, many, cards in parts]
    short = min(many for _, many, _ in places) < 0 or sum(many for _, many, _ in places) != len(unseen)
    amiss = short or any(place == "" for act in legal for place, _, _ in denials(case, events, act))
    if kind == "deal":
        amiss = amiss or set().union(*step.values()) != unseen
        return not amiss and all(len(set(step[n])) == many and cards.issuperset(step[n]) for n, many, cards in places if many)
    room = {name: many for name, many, cards in places if many and cards & set(step["cards"])}
    tight = sum(room.values()) < len(set(step["cards"]) & unseen) == len(step["cards"])
    return amiss or (tight and sorted(room) == sorted(step["places"]))
