"""Rulings and the pen: nobody is found at fault for what a slip explains, nor, unasked, for what one explains as well."""

from __future__ import annotations

from handrec import check, games
from handrec.ruling import asked, rule
from tests.planting import deeds, plants


def test_what_a_slip_explains_is_no_offence() -> None:
    """Cards misread, planted one at a time: where what they look like is a revoke, nothing is ruled on unasked."""
    seen = 0
    for key in ("bridge", "kbabs", "bugami"):
        game = games.find(key)
        assert game
        for _, record in plants(key, "card", 25, hands=False, claims=True):
            follows = [each for each in check(record).findings if each.because and each.code.startswith("REV")]
            for finding in follows:
                seen += 1
                assert not any(each.verdict == "upheld" for each in rule(record, game))
                (ruling,) = rule(record, game, [asked(record, f"{finding.seat}@{finding.trick}", finding.deal)])
                assert ruling.verdict == "cannot be decided"
                assert ruling.reason.startswith("a slip of the pen explains it: ")
    assert seen >= 3


def test_what_nobody_objected_to_and_a_slip_explains_as_well_cannot_be_decided() -> None:
    """In a deal not played out a revoke and the led suit's unplayed card cannot be told apart, unless somebody objects."""
    seen, game = 0, games.find("bridge")
    assert game
    for code, record in deeds("bridge", 60, hands=True, claims=True, whole=False):
        faults = [each for each in check(record).faults if each.code == code == "REV001"]
        if not faults or not faults[0].near or faults[0].near[0].cost > 0:
            continue
        seen += 1
        unasked = rule(record, game)
        assert [each.verdict for each in unasked] == ["cannot be decided"]
        assert "one slip would explain it as well" in unasked[0].reason
        (claimed,) = rule(record, game, [asked(record, f"{faults[0].seat}@{faults[0].trick}")])
        assert claimed.verdict == "upheld"
    assert seen >= 3
