"""What players did against a rule, planted in games dealt, played out and summed up by the rules from there: never rewritten.

Each is ruled UPHELD, unless a slip of the pen makes the same record: then nobody is accused. Whether one does is read off the
table of acts by `tests.undone`, and not by the search.
"""

from __future__ import annotations

from collections import Counter

import pytest

from handrec import check, games
from handrec.dealing import injectable
from handrec.explanations.acts import STATED
from handrec.explanations.costs import IMPOSSIBLE
from handrec.game import Game
from handrec.record import Record
from handrec.repair import applied, repairs
from handrec.ruling import RevokeRuling, rule
from tests.planting import TABLES, dealt, without
from tests.undone import is_a_slip_too

#: What a deed costs, by the family of its code.
COST = {"REV": 2, "PLY": 3, "BID": 3}
#: What a player can do; that a contract is stated which was not called is nobody's deed.
KINDS = [
    (key, code)
    for key in sorted(TABLES)
    for code in injectable(games.find(key))  # type: ignore[arg-type]
    if code.startswith(("REV", "PLY003", "PLY004", "BID")) and code not in (*STATED, *IMPOSSIBLE)
]
THIN = [(key, code) for key, code in KINDS if code in ("REV001", "PLY003") or (key, code) == ("kbabs", "BID001")]


def ruled(record: Record, game: Game, code: str) -> RevokeRuling | None:
    """The ruling on the planted deed."""
    planted = {finding.message for finding in check(record).findings if finding.code == code}
    rulings = [each for each in rule(record, game) if each.weighed is not None]
    return next((each for each in rulings if any(map(each.weighed.written.startswith, planted))), None)  # type: ignore[union-attr]


def figures(key: str, code: str, many: int) -> Counter[str]:
    """So many deeds of a kind: what is ruled, whether a slip makes the same record, and how many are rewritten."""
    game = games.find(key)
    assert game
    counted: Counter[str] = Counter()
    for seed in range(many * 20):
        if counted["deeds"] == many:
            break
        data = dealt(key, seed, inject=code)
        if data is None:
            continue
        data = without(data, hands=True, claims=True)
        record = Record.model_validate(data)
        mended = applied(record, repairs(record, game).sure)
        ruling = ruled(record, game, code)
        upheld = ruling is not None and ruling.verdict == "upheld"
        same = is_a_slip_too(data, code, COST[code[:3]])
        counted["deeds"] += 1
        counted["rewritten"] += [(deal.events, deal.hands) for deal in mended.deals] != [
            (deal.events, deal.hands) for deal in record.deals
        ]
        counted["slips too"] += same
        counted["upheld"] += upheld and not same
        counted["accused though a slip makes the same"] += upheld and same
        counted["a dearer slip beside it"] += upheld and bool(ruling and ruling.weighed and ruling.weighed.slips)
        if not upheld:
            counted[ruling.weighed.likelier if ruling and ruling.weighed else "no ruling"] += 1
    return counted


@pytest.mark.some(1)
@pytest.mark.parametrize(("key", "code"), THIN)
def test_a_deed_is_upheld_unless_a_slip_makes_the_same_record(key: str, code: str) -> None:
    """One of each kind and game."""
    found = figures(key, code, 1)
    assert found["deeds"] == 1
    assert found["rewritten"] == 0
    assert found["upheld"] == found["deeds"] - found["slips too"]
    assert found["accused though a slip makes the same"] == 0


@pytest.mark.some(1)
@pytest.mark.parametrize("seed", [0, 2])
def test_nobody_is_accused_where_two_calls_exchanged_are_the_same_record(seed: int) -> None:
    """La Bâtarde, of three and of five: a call out of turn costs more than two calls that were written in the wrong order."""
    data = without(dealt("batarde", seed, inject="BID001"), hands=True, claims=True)  # type: ignore[arg-type]
    game = games.find("batarde")
    assert game
    assert is_a_slip_too(data, "BID001", COST["BID"])
    ruling = ruled(Record.model_validate(data), game, "BID001")
    assert ruling
    assert ruling.weighed
    assert ruling.weighed.likelier == "slip"
    assert ruling.weighed.slips[0].words.endswith("exchanged")


def test_nobody_is_accused_where_a_call_was_lost_before_a_word() -> None:
    """La Bâtarde: who says méchoune speaks after a call (LB-19); where none stands before it, one is not on record."""
    data = without(dealt("batarde", 88, inject="BID006"), hands=True, claims=True)  # type: ignore[arg-type]
    assert data["deals"][0]["events"][0] == {"do": "announce", "by": "N", "what": "mechoune"}
    game = games.find("batarde")
    assert game
    ruling = ruled(Record.model_validate(data), game, "BID006")
    assert ruling
    assert ruling.verdict == "cannot be decided"
    assert ruling.weighed
    assert ruling.weighed.slips[0].words == "E's 7AT left out"


@pytest.mark.long
def test_a_call_that_was_wrong_and_taken_back_does_not_explain_a_call_taken_back_late() -> None:
    """To leave out a call that nobody should have made is a slip, but the call would be one more deed."""
    found = figures("bridge", "BID032", 1)
    assert found["slips too"] == 0
    assert found["upheld"] == 1


@pytest.mark.long
@pytest.mark.parametrize(("key", "code"), KINDS)
def test_100_deeds_of_each_kind_and_game(key: str, code: str) -> None:
    """None is rewritten or upheld if a slip makes it as cheaply, and of the others at least 95 in 100 are upheld."""
    found = figures(key, code, 100)
    print(key, code, dict(found))
    assert found["deeds"] == 100
    assert found["rewritten"] == 0
    assert found["accused though a slip makes the same"] == 0
    assert found["upheld"] >= 0.95 * (found["deeds"] - found["slips too"])
