"""An event of any kind, in any game, of which something is a bell: no output rings it."""

from __future__ import annotations

import json
from collections.abc import Iterator
from contextlib import suppress
from functools import cache
from pathlib import Path
from typing import Any, get_args

import pytest
from pydantic import ValidationError

from handrec import games
from handrec.record import Event, Record
from tests.commands import ROOT, Handrec
from tests.fuzzing import invisible

CALLS = (
    *("check A", "check A -v -f markdown", "replay A", "ruling A", "ruling A -f markdown", "score A", "score A --sheet"),
    *("score A --sheet -f markdown", "convert A --to markdown", "diff A B", "diff A B -f markdown", "audit A -f markdown"),
)
BELL = "\x07"


@cache
def events() -> dict[str, dict[str, Any]]:
    """An event of each kind that stands in fixtures."""
    found: dict[str, dict[str, Any]] = {}
    for path in sorted((ROOT / "fixtures").rglob("*.handrec.json")):
        for deal in json.loads(path.read_text()).get("deals", ()):
            found |= {event["do"]: event for event in deal.get("events", ()) if event["do"] not in found}
    return found


def rung(key: str) -> Iterator[tuple[dict[str, Any], dict[str, Any]]]:
    """Records of a game with an event more, of which something is a bell, and without it: all that the reader lets pass."""
    clean = min((ROOT / "fixtures/clean").glob(f"{key}*.handrec.json"), key=lambda path: path.stat().st_size)
    data = json.loads(clean.read_text())
    first, *rest = data["deals"]
    for kind in get_args(get_args(Event)[0]):
        event = events().get(kind.model_fields["do"].default, {"do": kind.model_fields["do"].default})
        for name in sorted(kind.model_fields.keys() - {"do"}):
            spoilt = {**data, "deals": [{**first, "events": [{**event, name: BELL}, *first["events"]]}, *rest]}
            with suppress(ValidationError):
                Record.model_validate(spoilt)
                yield spoilt, data


@pytest.mark.some(2)
@pytest.mark.parametrize("key", [game.key for game in games.catalogue()])
def test_nothing_invisible_is_shown_of_an_event(key: str, handrec: Handrec) -> None:
    """In words and in Markdown."""
    many = 0
    for spoilt, clean in rung(key):
        for name, data in (("A", spoilt), ("B", clean)):
            Path(f"{name}.handrec.json").write_text(json.dumps(data))
        for call in CALLS:
            code, out, err = handrec(*[f"{word}.handrec.json" if word in ("A", "B") else word for word in call.split()])
            assert code in (0, 1, 2)
            assert not invisible(out), (call, spoilt["deals"][0]["events"][0])
            assert not invisible(err), (call, spoilt["deals"][0]["events"][0])
            many += "\\u{7}" in out
    assert many
