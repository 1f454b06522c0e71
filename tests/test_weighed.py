"""Rulings beside the pen: what is written, what happened if the record is wrong, and where to look to tell these apart."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import combinations
from typing import Any

import pytest

from handrec import check, games
from handrec.explanations.weighed import Weighed, Weighing, differences
from handrec.explanations.written import WrittenDeal
from handrec.record import Record
from handrec.report.ruling import text
from handrec.report.weighed import if_wrong, look_at
from handrec.ruling import RevokeRuling, asked, rule
from tests.planting import ACTS, dealt, deeds, plants
from tests.test_explanations import REVOKE, short, slid, two_tricks, with_cards

Data = dict[str, Any]

#: 5H on clubs, and 5C never seen.
NOT_SEEN = "0 KC, 1 5H, 2 2C, 3 3C; 0 AC, 1 9C, 2 4C, 3 6C"


def ruled(data: Data, *claims: str) -> tuple[RevokeRuling, ...]:
    """The rulings on a record, or on claims."""
    record = Record.model_validate(data)
    game = games.find(record.game)
    assert game
    return rule(record, game, [asked(record, claim) for claim in claims] or None)


def only(rulings: tuple[RevokeRuling, ...]) -> tuple[RevokeRuling, Weighed]:
    """The one ruling, and what is weighed in it."""
    (ruling,) = rulings
    assert ruling.weighed
    return ruling, ruling.weighed


# --- worked cases -----------------------------------------------------------------------------------------------------


def test_a_revoke_with_the_hands_known_is_upheld_beside_the_dearer_slip() -> None:
    """A deed costs 2, an exchange of the player's own cards across rows 3."""
    ruling, weighed = only(ruled(with_cards(REVOKE)))
    assert (ruling.verdict, weighed.likelier) == ("upheld", "deed")
    assert weighed.written == "W played 6H on a lead of JC while holding AC 5C (KB-5.2)"
    assert [(slip.words, slip.cost) for slip in weighed.slips] == [("3C and 6H exchanged", 1), ("6H and 5C exchanged", 1)]
    assert weighed.slips[1].places == ("W's card to trick 3", "W's card to trick 5")
    assert [*look_at(weighed)] == ["W's card to trick 3: it says 6H; if it was 3C (1) or 5C (2), this did not happen"]


def test_a_revoke_without_hands_cannot_be_told_from_a_card_miswritten() -> None:
    """Nobody is accused; the card itself and the cards that were left would tell."""
    ruling, weighed = only(ruled(short(NOT_SEEN)))
    assert (ruling.verdict, weighed.likelier) == ("cannot be decided", "neither")
    assert ruling.reason.endswith(": cannot be told")
    assert ("5H written for 5C", 0) in [(slip.words, slip.cost) for slip in weighed.slips]
    assert ruling.outcomes == ()
    card = next(look for look in weighed.look if look.at == "1's card to trick 1")
    left = next(look for look in weighed.look if not look.on_paper)
    assert card.says == "5H"
    assert "5C" in [what for what, _ in card.instead]
    assert "5H" in [what for what, _ in left.instead]


def test_whoever_claims_it_says_that_it_is_as_written() -> None:
    """What nobody can tell apart is upheld where somebody objects, and the slip stands beside it."""
    ruling, weighed = only(ruled(short(NOT_SEEN), "1@1"))
    assert (ruling.verdict, weighed.likelier) == ("upheld", "deed")
    assert weighed.slips


def test_a_slip_that_is_cheaper_is_told_once_and_nobody_is_accused() -> None:
    """Three do not follow a heart led, and one of them leads next: clubs were led."""
    ruling, weighed = only(ruled(short("0 5H, 1 6C, 2 7C, 3 8C; 3 AH, 0 9H, 1 2H, 2 3H; 3 9D, 0 2D, 1 3D, 2 4D")))
    assert (ruling.verdict, weighed.likelier) == ("cannot be decided", "slip")
    assert weighed.slips[0].words == "5H written for 5C"
    assert ruling.reason == "a slip of the pen is likelier: 5H written for 5C"


def test_a_rotated_row_accuses_nobody() -> None:
    """What its cards look like is nobody's deed."""
    for trick in range(1, 6):
        assert all(each.verdict == "cannot be decided" for each in ruled(slid(trick)))


def test_a_lead_of_whom_the_table_gave_the_trick_is_not_ruled_on() -> None:
    """Nobody led out of turn."""
    assert ruled(two_tricks("2 AH, 3 2H, 0 3H, 1 4H", ["2", "2"])) == ()


def test_a_revoke_in_the_log_of_a_server_is_upheld() -> None:
    """A machine does not misread cards: the exchange is dearer still."""
    ruling, weighed = only(ruled({**with_cards(REVOKE), "provenance": {"kind": "server", "tool": "a server"}}))
    assert ruling.verdict == "upheld"
    assert all(slip.cost and slip.cost > 1 for slip in weighed.slips)


def test_a_revoke_beside_a_card_miswritten_elsewhere_is_upheld() -> None:
    """Two things went wrong, and each is explained by itself."""
    ruling, _ = only(ruled(with_cards({**REVOKE, (2, "E"): "KH"})))
    assert (ruling.verdict, ruling.claim.of, ruling.claim.trick) == ("upheld", "W", 3)


def test_a_search_that_is_cut_short_upholds_nothing() -> None:
    """It says so."""
    record = Record.model_validate(with_cards(REVOKE))
    game = games.find(record.game)
    assert game
    (ruling,) = rule(record, game, weighing=Weighing(record, game, budget=1))
    assert ruling.weighed
    assert ruling.weighed.likelier == "not known"
    assert ruling.verdict == "cannot be decided"
    assert "cut short: not every slip of the pen was tried" in if_wrong(ruling.weighed)
    assert "UPHELD" not in text(ruling)


@pytest.mark.some(1)
@pytest.mark.parametrize(
    ("seed", "law", "verdict"), [(1, "BR-41", "cannot be decided"), (4, "BR-44G", "upheld"), (6, "BR-44G", "upheld")]
)
def test_a_lead_out_of_turn_is_ruled_on_and_what_follows_is_left_open(seed: int, law: str, verdict: str) -> None:
    """The laws of reneges say nothing of it: whether it happened is said, and no more."""
    (lead,) = ruled(dealt("bridge", seed, inject="PLY004") or {})
    assert (lead.claim.what, lead.verdict, lead.outcomes) == (f"{law} broken", verdict, ())
    assert lead.weighed
    assert (verdict == "upheld") is (lead.weighed.likelier == "deed")
    assert verdict != "upheld" or lead.reason == "these laws say nothing of what follows"


# --- planted slips ----------------------------------------------------------------------------------------------------


def test_what_a_slip_explains_is_no_offence() -> None:
    """Cards misread, planted one at a time: where what they look like is a revoke, nobody is found at fault for it."""
    seen = 0
    for key in ("bridge", "kbabs", "bugami"):
        game = games.find(key)
        assert game
        for _, record in plants(key, "card", 15, hands=False, claims=True):
            follows = [each for each in check(record).findings if each.because and each.code.startswith("REV")]
            for finding in follows:
                seen += 1
                assert not any(each.verdict == "upheld" for each in rule(record, game))
                (ruling,) = rule(record, game, [asked(record, f"{finding.seat}@{finding.trick}", finding.deal)])
                assert ruling.verdict == "cannot be decided"
                assert ruling.reason.startswith("a slip of the pen is likelier: ")
    assert seen >= 3


def test_what_nobody_objected_to_and_a_slip_explains_as_well_cannot_be_decided() -> None:
    """In a deal not played out a revoke and the led suit's unplayed card cannot be told apart, unless somebody objects."""
    seen, game = 0, games.find("bridge")
    assert game
    for planted, record in deeds("bridge", 60, hands=True, claims=True, whole=False):
        faults = [each for each in check(record).faults if each.code == planted.code == "REV001"]
        if not faults or not faults[0].near or faults[0].near[0].cost > 0:
            continue
        seen += 1
        unasked = rule(record, game)
        assert [each.verdict for each in unasked] == ["cannot be decided"]
        assert "one slip would explain it as well" in unasked[0].reason
        (claimed,) = rule(record, game, [asked(record, f"{faults[0].seat}@{faults[0].trick}")])
        assert claimed.verdict == "upheld"
        if seen == 3:
            break
    assert seen == 3


def weighings(every: int) -> Iterator[tuple[str, Weighing, Any]]:
    """A plant of `every` so many acts, and each of its findings that the search explains."""
    for act in [*ACTS][::every]:
        for _, record in plants("kbabs", act, 1, hands=True, claims=False):
            game = games.find("kbabs")
            assert game
            weighing = Weighing(record, game)
            for finding in weighing.examined[0].faults:
                if weighing.part(finding) is not None:
                    yield act, weighing, finding


@pytest.mark.parametrize("every", [3, pytest.param(1, marks=pytest.mark.long)])
def test_where_to_look_tells_all_accounts_apart(every: int) -> None:
    """Whatever was done: every account differs from what is written, and those that differ do so in a place that is named."""
    seen = set()
    for act, weighing, finding in weighings(every):
        part, weighed = weighing.part(finding), weighing.of(finding)
        assert part
        assert weighed
        written = WrittenDeal(weighing.record.deals[0], weighing.examined[1][0], [])
        for each in part.explanations:
            if each.slips:
                assert [*differences(written, each.deal, each.origin)], (act, each.slips)
                seen.add(act)
        named = [(0, *(number for _, numbers in look.instead for number in numbers)) for look in weighed.look]
        groups = [{0: "", **{n: what for what, numbers in look.instead for n in numbers}} for look in weighed.look]
        assert named or not weighed.slips
        for one, other in combinations(range(len(weighed.slips) + 1), 2):
            assert any(group.get(one, "") != group.get(other, "") for group in groups), (act, one, other)
    assert len(seen) > 15 // every


@pytest.mark.some(3)
@pytest.mark.parametrize("act", ["play_lost", "play_doubled", "call", "hand_card", "dealer", "transposed", "name"])
def test_a_place_is_said_in_words(act: str) -> None:
    """Whatever may be wrong is a place to look at, with what it says."""
    for key in ("batarde", "kbabs"):
        for _, record in plants(key, act, 1, hands=True, claims=True):
            game = games.find(key)
            assert game
            weighing = Weighing(record, game)
            for finding in weighing.examined[0].faults:
                weighed = weighing.of(finding)
                for line in look_at(weighed) if weighed else ():
                    assert ": " in line
                    assert "None" not in line
                    assert "  " not in line
