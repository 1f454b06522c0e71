"""Two records beside each other: which deals belong together, and where they say different things."""

from __future__ import annotations

from typing import Any


def compare(one: dict[str, Any], other: dict[str, Any]) -> None:
    """Note in the data of two records what differs: `mate` of each deal, `differs` of its steps and hands.

    Deals belong together by their number, the second of a number to the second; a play is the other's if it is the same
    seat's to the same trick, a call if it is the same seat's in its turn.
    """
    for here, there in ((one, other), (other, one)):
        mates = {(deal["number"], deal["nth"]): place for place, deal in enumerate(there["deals"])}
        for deal in here["deals"]:
            deal["mate"] = mates.get((deal["number"], deal["nth"]))
    for deal in one["deals"]:
        if deal["mate"] is not None:
            _deals(deal, other["deals"][deal["mate"]])


def _deals(one: dict[str, Any], other: dict[str, Any]) -> None:
    mine, theirs = _said(one["steps"]), _said(other["steps"])
    for key in mine.keys() | theirs.keys():
        if _what(mine.get(key)) != _what(theirs.get(key)):
            for step in (mine.get(key), theirs.get(key)):
                if step is not None:
                    step["differs"] = True
    different = [place for place, (a, b) in enumerate(zip(one["hands"], other["hands"], strict=False)) if a != b]
    one["other_hands"] = other["other_hands"] = different


def _said(steps: list[dict[str, Any]]) -> dict[tuple[Any, ...], dict[str, Any]]:
    """The steps by what makes them the same in two records."""
    found: dict[tuple[Any, ...], dict[str, Any]] = {}
    count: dict[tuple[Any, ...], int] = {}
    for step in steps:
        key: tuple[Any, ...] = (step["do"], step.get("by"), step.get("trick"))
        count[key] = count.get(key, 0) + 1
        found[(*key, count[key])] = step
    return found


def _what(step: dict[str, Any] | None) -> tuple[Any, ...] | None:
    return None if step is None else (step.get("card"), step.get("say"))
