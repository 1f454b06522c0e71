"""La Bâtarde: what its rules of one code say apart, and that together they are one duty."""

from __future__ import annotations

import json
from random import Random

import pytest

from handrec import cli
from handrec.game import Game, Sight, compose
from handrec.game.playing import View, legal_cards, rule_broken
from handrec.games.batarde import GAME, CalledRanks
from handrec.masks import highest

FREE = compose(GAME, {"overruff": "free"})[0]


@pytest.mark.parametrize("game", [GAME, FREE], ids=["default", "free-ruff"])
def test_the_cases_of_a_duty_are_all_of_it(game: Game) -> None:
    """What each rule leaves by itself, one after the other, is what the duties leave at once; the rule broken is one of them."""
    chance, broken = Random(5), set()
    assert isinstance(game.order, CalledRanks)
    for _ in range(3000):
        pack = game.pack(4)
        order = game.order(Sight((), chance.choice(["AT", "S", "H", "NT"]), 1, 0, players=4))
        assert order is not None
        cards = chance.sample(range(36), 8)
        view, hand = View(), sum(1 << card for card in cards[:5])
        view.trumps, view.broken, view.first, view.leading = order.trumps, False, False, False
        view.lead, view.led = 1 << cards[5], order.suit[cards[5]]
        best = cards[5] if order.beats[cards[5]] >> cards[6] & 1 == 0 else cards[6]
        view.rising = order.beats[best]
        alone = hand
        for rule in game.rules:
            if rule.narrow is not None:
                before, alone = alone, rule.narrow(view, alone)
                for card in range(36):
                    if (before & ~alone) >> card & 1:
                        assert rule_broken(game.play_rules, view, hand, card) is rule
                        broken.add(f"{rule.id}-{rule.code}")
        assert alone == legal_cards(game.play_rules, view, hand)
        assert highest(alone) & pack.full
    due = {f"{rule.id}-{rule.code}" for rule in game.rules if rule.narrow is not None}
    assert broken == due


def test_play_is_judged_by_as_many_functions_as_there_are_duties() -> None:
    """To follow, to ruff, to rise: rules that say the same of several cases cost nothing."""
    assert [rule.code for rule in GAME.play_rules] == ["REV001", "REV003", "REV004"]
    assert len(GAME.narrows) == 3


def test_a_rule_is_found_by_its_code_and_its_id() -> None:
    """By the code alone, the first of them."""
    assert [rule.id for rule in GAME.rules_of("REV004")] == ["LB-25b", "LB-26", "LB-27"]
    assert GAME.rule("REV001").id == "LB-24"
    assert GAME.rule("REV001", "LB-27").id == "LB-27"
    assert GAME.rule("PLY001", "C-6d").id == "C-6d"
    for code, other in (("REV001", "LB-25b"), ("REV099", None)):
        with pytest.raises(KeyError):
            GAME.rule(code, other)


def test_each_is_explained_under_its_code_and_under_its_id(capsys: pytest.CaptureFixture[str]) -> None:
    """`handrec explain LB-25b` tells both duties of it, `handrec explain REV004` all rules of the code."""

    def explained(name: str) -> set[tuple[str, str]]:
        assert cli.run(["explain", name, "-f", "json"]) == 0
        return {(each["code"], each["rule"]) for each in json.loads(capsys.readouterr().out) if each.get("game") == "batarde"}

    assert explained("LB-25b") == {("REV003", "LB-25b"), ("REV004", "LB-25b")}
    assert explained("REV004") == {("REV004", "LB-25b"), ("REV004", "LB-26"), ("REV004", "LB-27")}
    assert explained("LB-19") == {("BID009", "LB-19"), ("BID011", "LB-19"), ("BID012", "LB-19")}


@pytest.mark.parametrize("format", ["text", "json", "jsonl", "sarif", "github", "junit", "markdown"])
@pytest.mark.parametrize("name", ["LB-25a-REV001", "LB-25b-REV004", "LB-27-REV004"])
def test_every_format_cites_the_rule_that_was_broken(format: str, name: str, capsys: pytest.CaptureFixture[str]) -> None:
    """And none of the others that share its code."""
    rule, others = name.rsplit("-", 1)[0], {"LB-24", "LB-25a", "LB-25b", "LB-26", "LB-27"} - {name.rsplit("-", 1)[0]}
    assert cli.run(["check", f"fixtures/broken/batarde/{name}.handrec.json", "-f", format]) == 1
    said = capsys.readouterr().out.replace(name, "")
    assert rule in said
    assert not [other for other in others if other in said]


@pytest.mark.parametrize(
    ("identical", "shown"), [("bid", "Hs"), ("marked", "Hm"), ("simple", "Hs"), ("first_played", "H"), ("last_played", "H")]
)
def test_a_trump_is_shown_with_the_pack_that_is_stronger_lb_10(identical: str, shown: str) -> None:
    """With two packs, unless the first or the last of two twins wins; with one there is no other."""
    order = compose(GAME, {"identical_cards": identical})[0].order
    found = [order(Sight((), contract, 1, 0, True, players)) for contract, players in (("Hs", 5), ("H", 4))]
    assert [each and each.name for each in found] == [shown, "H"]
