"""Repair: what follows from the rest of a record is restored and nothing else is touched; the smallest edits are found."""

from __future__ import annotations

import json
from collections import Counter
from dataclasses import replace
from random import Random
from types import SimpleNamespace
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from handrec import check, referee, writing
from handrec.dealing import CannotDeal, deal_game, injectable, plantings
from handrec.findings import Finding
from handrec.game import Game, compose
from handrec.judging import Judge
from handrec.record import Record
from handrec.referee.form import FORM
from handrec.repair import (
    ABSENT,
    BUDGET,
    FIXES,
    PROOFS,
    Edit,
    applied,
    derivable,
    derive,
    legal,
    numbers,
    plain,
    respelled,
    spliced,
    trials,
)
from handrec.repair.derive import derived
from handrec.repair.edits import joined, step, steps
from handrec.repair.mend import WHOLE_DEALS, RepairGroup, _with_numbers
from handrec.repair.trials import Trials
from tests import tables
from tests.dealing import FAULTS, GAMES, everything
from tests.repairing import repairs

#: Faults of what is claimed and follows from the rest.
CLAIMS = ("DEA009", "TRK001", "TRK002", "TRK004", "SCO001", "SCO002", "SCO003")
MISREADING = ("DEA001", "PLY001", "PLY002", "PLY005", "PLY006")


def dealt(game: Game, seed: int, code: str = "") -> Record:
    """A clean record of two deals with few players; of a game that has totals, or of all of it, where the fault needs that."""
    players = min(count for count in game.players if count > 2)
    options = everything(game)[0] if code in ("SCO002", "SCO003") else {}
    return deal_game(game, players, seed, options=options, numbers=None if code == "SCO003" else [1, 2])


def broken(game: Game, code: str, seed: int) -> tuple[Any, Record] | None:
    """A clean record as plain data, and the same with one fault; None if the fault has no place in it."""
    clean = plain(dealt(game, seed, code))
    data = json.loads(json.dumps(clean))
    if not plantings(game)[code].apply(data, Random(seed), game) or data == clean:
        return None
    return clean, Record.model_validate(data)


def no_claims(data: Any) -> Any:
    """A record without what --fix may write."""
    kept = {key: value for key, value in data.items() if key not in ("claimed", "extensions")}
    deals = [{**deal, "claimed": {"bids": deal.get("claimed", {}).get("bids")}} for deal in data["deals"]]
    return {**kept, "deals": deals}


def test_many_faulty_deals_share_what_a_search_may_cost(monkeypatch: pytest.MonkeyPatch) -> None:
    """Few have all of it each; a hundred together cost no more."""
    game, budgets = next(game for game in GAMES if game.key == "kbabs"), list[int]()

    def explained(record: Record, game: Game, index: int, verdict: Any, tables: Any, budget: int) -> list[Any]:
        budgets.append(budget)
        return []

    monkeypatch.setattr("handrec.repair.mend.explained", explained)
    deal = {"number": 26, "dealer": "E", "cards": 1, "events": [{"do": "play", "by": "N", "card": "AS"}] * 2}
    players = [{"seat": seat} for seat in "NE"]
    for many in (1, WHOLE_DEALS, 100):
        data = {"format": "handrec", "version": "1.0", "game": "kbabs", "players": players, "status": "excerpt"}
        repairs(Record.model_validate({**data, "deals": [deal] * many}), game)
        assert len(budgets) == many
        assert many > WHOLE_DEALS or {*budgets} == {BUDGET}
        assert many <= WHOLE_DEALS or WHOLE_DEALS * BUDGET - many < sum(budgets) <= WHOLE_DEALS * BUDGET
        assert len({*budgets}) == 1
        budgets.clear()


def test_all_that_is_wrong_shares_how_often_a_record_is_judged(monkeypatch: pytest.MonkeyPatch) -> None:
    """Where each deal is faulty, with edits to be tried on the whole record, that grows with the deals, and not their square."""
    game, judged = next(game for game in GAMES if game.key == "oh_hell"), Counter[int]()
    many = 0

    def counting(what: Any) -> Any:
        def call(*given: Any, **named: Any) -> Any:
            judged[many] += sum(len(each.deals) for each in given if isinstance(each, Record))
            return what(*given, **named)

        return call

    monkeypatch.setattr(trials, "DEALS", 100)
    monkeypatch.setattr(Judge, "examined", counting(Judge.examined))
    for module in (derive, numbers):
        monkeypatch.setattr(module, "check", counting(referee.check))
    deal = plain(dealt(game, 1))["deals"][0]
    deal["events"][-1]["card"] = deal["events"][-2]["card"]
    data = {**no_claims(plain(dealt(game, 1))), "status": "excerpt"}
    for many in (10, 20):
        found = repairs(Record.model_validate({**data, "deals": [deal] * many}), game, 10)
        assert sum(group.deal is not None for group in found.groups) >= many
        assert any(not group.ways and group.cut_short for group in found.groups)
        assert not any(group.sure and group.cut_short for group in found.groups)
        assert 100 < judged[many] < 200 + 20 * many


@pytest.mark.parametrize("key", ["kbabs", "spades3", "hearts"])
def test_what_was_not_tried_makes_nothing_the_only_one(key: str) -> None:
    """A number that nothing else tells has one edit that mends it: proved if all are tried, a guess if they are not."""
    game, proofs = next(game for game in GAMES if game.key == key), list[set[str]]()
    case = broken(game, "SCO002", 1)
    assert case
    record = case[1]
    verdict = referee.check(record, lambda _: game)
    for left in range(8):
        tries = Trials(1)
        tries.left = left
        found = numbers.numbered(record, game, verdict, verdict.faults, tries)
        proofs.append({edit.proof for _, _, ways in found for way in ways for edit in way})
        assert tries.left or "only" not in proofs[-1]
    assert not proofs[0]
    assert {"guess"} in proofs


@pytest.mark.parametrize("least", [1, 1000])
def test_a_search_is_cut_short_where_trials_end_and_nothing_is_proved(least: int, monkeypatch: pytest.MonkeyPatch) -> None:
    """Of a deal and of the numbers of a sheet; where there are trials to come what is not proved is a guess, and no more."""
    monkeypatch.setattr(trials, "DEALS", 0)
    monkeypatch.setattr(trials, "LEAST", least)
    game = next(game for game in GAMES if game.key == "kbabs")
    cases = [broken(game, "PLY002", seed) for seed in range(3)]
    sheets = Record.model_validate(tables.game("kbabs", 4, tables.sheet("1 1 1 1", "1 0 0 1", number=11, dealer="3", cards=3)))
    groups = [group for record in (*(case[1] for case in cases if case), sheets) for group in repairs(record, game).groups]
    assert [bool(group.sure) for group in groups] == [False, True, False, False]
    assert [group.cut_short for group in groups] == ([True, False, True, True] if least == 1 else [False] * 4)


@pytest.mark.parametrize(("tries", "proof"), [(1, "guess"), (2, "only")])
def test_of_more_edits_than_are_tried_none_is_the_only_one(tries: int, proof: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """A total that does not follow: it is another, or the score is."""
    monkeypatch.setattr(numbers, "TRIES", tries)
    game = next(game for game in GAMES if game.key == "kbabs")
    case = broken(game, "SCO002", 1)
    assert case
    verdict = referee.check(case[1], lambda _: game)
    [(_, _, ways)] = numbers.numbered(case[1], game, verdict, verdict.faults, Trials(1))
    assert [[edit.proof for edit in way] for way in ways] == [[proof]]


# --- what is derivable ----------------------------------------------------------------------------------------------


@pytest.mark.some(12)
@pytest.mark.parametrize(
    ("game", "code"),
    [(game, code) for game in GAMES for code in CLAIMS if code in plantings(game)],
    ids=lambda item: getattr(item, "key", item),
)
def test_a_claim_written_down_wrongly_is_restored(game: Game, code: str) -> None:
    """For every game and every derivable claim the edits give back exactly the record that was broken, and then nothing."""
    cases = [case for seed in range(1 if code == "SCO003" else 3) if (case := broken(game, code, seed))]
    assert cases
    for clean, record in cases:
        edits = derivable(record, game)
        mended = applied(record, edits)
        assert plain(mended) == clean
        assert {edit.proof for edit in edits} == {"derived"}
        assert derivable(mended, game) == ()


@pytest.mark.parametrize("game", GAMES, ids=lambda game: game.key)
def test_a_clean_record_has_nothing_to_mend(game: Game) -> None:
    """Nothing is derived from, or offered for, a record without findings."""
    record = dealt(game, 5)
    assert derivable(record, game) == ()
    assert legal(record, game) == ((),)


def only_claims_are_edited(game: Game, code: str) -> None:
    """Whatever is wrong with a record, cards, hands, events and bids stay, and a second time there is nothing to do."""
    rng = Random(3)
    able = [options for options in everything(game) if code in injectable(compose(game, options)[0])]
    options, players = rng.choice(able), min(count for count in game.players if count > 2)
    numbers = None if code in ("SCO003", "SCO005") else [1, 2, 3]
    try:
        record = deal_game(game, players, 3, options=options, numbers=numbers, inject=code)
    except CannotDeal:
        return
    edits = derivable(record, game)
    mended = applied(record, edits)
    assert no_claims(plain(mended)) == no_claims(plain(record))
    assert all("/claimed/" in edit.pointer and "/bids/" not in edit.pointer for edit in edits)
    assert derivable(mended, game) == ()


@pytest.mark.parametrize(("game", "code"), FAULTS[::17], ids=lambda item: getattr(item, "key", item))
def test_cards_hands_events_and_bids_are_never_derived(game: Game, code: str) -> None:
    """Some faults of every game."""
    only_claims_are_edited(game, code)


@pytest.mark.long
@pytest.mark.parametrize(("game", "code"), FAULTS, ids=lambda item: getattr(item, "key", item))
def test_cards_hands_events_and_bids_are_never_derived_whatever_is_wrong(game: Game, code: str) -> None:
    """Every fault that can be planted, of every game."""
    only_claims_are_edited(game, code)


def test_wrong_numbers_that_follow_from_each_other_are_all_mended() -> None:
    """A winner written down wrongly and a sheet that was reckoned from it: every number of the sheet follows anew."""
    game = next(game for game in GAMES if game.key == "kbabs")
    clean = plain(deal_game(game, 4, 1, numbers=[1, 2, 3]))
    data = json.loads(json.dumps(clean))
    claimed = data["deals"][0]["claimed"]
    first, second = claimed["winners"][0], next(seat for seat in "NESW" if seat != claimed["winners"][0])
    claimed["winners"][0] = second
    claimed["tricks"] = {seat: claimed["winners"].count(seat) for seat in "NESW"}
    claimed["scores"][first] += 7
    for deal in data["deals"]:
        deal["claimed"]["totals"][first] += 7
    edits = derivable(Record.model_validate(data), game)
    assert applied(data, edits) == clean
    assert len(edits) == 1 + 2 + 1 + 3


@pytest.mark.parametrize(("code", "open_"), [("PLY002", True), ("PLY005", True), ("SCO004", True), ("DEA006", False)])
def test_where_the_play_is_at_fault_nothing_of_the_deal_is_derived(code: str, open_: bool) -> None:
    """A revoke or a missing card may be a slip of the pen: then nobody knows who won what, and the claim stays."""
    game = next(game for game in GAMES if game.key == "kbabs")
    record = deal_game(game, 4, 2, numbers=[1, 2, 3], inject=code)
    data = plain(record)
    index = next(int(f.pointer.split("/")[2]) for f in check(record).findings if f.pointer.startswith("/deals/"))
    seat = next(iter(data["deals"][index]["claimed"]["scores"]))
    data["deals"][index]["claimed"]["scores"][seat] += 1
    found = derived(Record.model_validate(data), game)
    assert bool(found.edits) is not open_
    if open_:
        assert code in {finding.code for finding in found.doubts}


def test_a_sheet_of_numbers_alone_derives_nothing() -> None:
    """A sheet of numbers alone is no proof: neither the total nor the scores it is added from can be trusted more."""
    game = next(game for game in GAMES if game.key == "kbabs")
    data = plain(deal_game(game, 4, 1, numbers=[1, 2]))
    for deal in data["deals"]:
        del deal["events"], deal["hands"]
        deal["claimed"] = {key: deal["claimed"][key] for key in ("bids", "tricks", "scores", "totals")}
    data["deals"][1]["claimed"]["totals"]["N"] += 5
    record = Record.model_validate(data)
    assert "SCO002" in {finding.code for finding in check(record).findings}
    assert derivable(record, game) == ()
    assert {edit.proof for way in legal(record, game) for edit in way} <= {"only", "guess"}


# --- the smallest edits ---------------------------------------------------------------------------------------------


def same(one: Any, other: Any) -> bool:
    """Whether two records are the same; hands are sets."""

    def sets(data: Any) -> Any:
        hands = [{seat: sorted(cards) for seat, cards in deal.get("hands", {}).items()} for deal in data["deals"]]
        return [{**deal, "hands": hand} for deal, hand in zip(data["deals"], hands, strict=True)]

    return bool(sets(one) == sets(other))


def true_record_is_found(game: Game, code: str, seed: int) -> None:
    """One of the repairs of a record with one fault gives back the true record, all are legal, the best proof is first.

    What is proved is the only one. Two slips, as where a hand and a play name the same foreign card, may be more than can be
    searched: what is found then is a guess, even if it is one.
    """
    case = broken(game, code, seed)
    assert case
    clean, record = case
    ways = legal(record, game)
    assert any(same(plain(applied(record, way)), clean) for way in ways)
    assert all(check(applied(record, way)).ok for way in ways)
    proofs = [max(PROOFS.index(edit.proof) for edit in way) for way in ways]
    assert proofs == sorted(proofs)
    assert len(ways) == 1 or ways[0][0].proof == "guess"


@pytest.mark.some(1)
@pytest.mark.parametrize(
    ("game", "code"),
    [
        pytest.param(game, code, marks=[pytest.mark.long] * (game.key == "hearts"), id=f"{game.key}-{code}")
        for game, code in zip(GAMES, MISREADING * 2, strict=False)
    ],
)
def test_the_true_record_is_among_the_smallest_repairs(game: Game, code: str) -> None:
    """A card misread, left out or written twice, one of these for each game."""
    true_record_is_found(game, code, 1)


@pytest.mark.long
@pytest.mark.parametrize("seed", [1, 2])
@pytest.mark.parametrize("code", MISREADING)
@pytest.mark.parametrize("game", GAMES, ids=lambda game: game.key)
def test_the_true_record_is_always_among_the_smallest_repairs(game: Game, code: str, seed: int) -> None:
    """Every such slip in every game."""
    true_record_is_found(game, code, seed)


@pytest.mark.parametrize(("key", "seed"), [("kbabs", 1), ("hearts", 1)])
def test_a_card_of_no_pack_is_the_same_card_in_the_hand_and_in_the_play(key: str, seed: int) -> None:
    """It was written so twice, by one slip; and nobody else has the card that is left."""
    game = next(game for game in GAMES if game.key == key)
    case = broken(game, "DEA001", seed)
    assert case
    clean, record = case
    assert sum(cards.count("ZZ") for cards in record.deals[0].hands.values()) == 1  # type: ignore[union-attr]
    assert "ZZ" in {getattr(event, "card", None) for event in record.deals[0].events}
    (way,) = legal(record, game)
    assert {edit.proof for edit in way} == {"only"}
    assert same(plain(applied(record, way)), clean)
    assert [finding.code for finding in check(record).faults] == ["DEA001"]


def exchanged_plays_are_found(game: Game, seed: int, rng: Random) -> None:
    """The cards of two plays exchanged: the true record is among the repairs, unless nobody can see the exchange."""
    players = min(count for count in game.players if count > 2)
    clean = plain(deal_game(game, players, seed, numbers=[1]))
    data = json.loads(json.dumps(clean))
    one, other = rng.sample([event for event in data["deals"][0]["events"] if event["do"] == "play"], 2)
    one["card"], other["card"] = other["card"], one["card"]
    record = Record.model_validate(data)
    if check(record).ok or derivable(record, game):
        return  # the plays are legal so too, and at most the sheet says otherwise
    (group,) = repairs(record, game).groups
    assert any(plain(applied(record, way)) == clean for way in group.ways)
    assert all(check(applied(record, way)).ok for way in group.ways)


@pytest.mark.some(1)
@pytest.mark.parametrize("game", GAMES[::2], ids=lambda game: game.key)
def test_two_plays_exchanged_are_found(game: Game) -> None:
    """One exchange in every second game."""
    exchanged_plays_are_found(game, 1, Random(1))


def test_totals_that_are_right_once_two_plays_are_exchanged_are_mended_with_them() -> None:
    """Nothing that is written of them alone would mend them: they belong to what is wrong with the plays."""
    game = next(game for game in GAMES if game.key == "whist")
    data = plain(deal_game(game, 4, 233, numbers=[1]))
    one, other = (event for event in data["deals"][0]["events"] if event.get("card") in ("KH", "4C") and event["do"] == "play")
    one["card"], other["card"] = other["card"], one["card"]
    (group,) = repairs(Record.model_validate(data), game, budget=300).groups
    assert [finding.code for finding in group.findings] == ["TRK001", "REV001", "REV001", "PLY004", "SCO002", "SCO002"]
    assert len(group.ways) == 1


@pytest.mark.parametrize("mended", [True, False])
def test_numbers_belong_to_what_mends_them_if_they_have_no_cure_of_their_own(mended: bool) -> None:
    """What the first way of a group leaves is looked at, and nothing of it is joined that is still wrong then."""
    game = next(game for game in GAMES if game.key == "whist")
    record = deal_game(game, 4, 1, numbers=[1])
    card, lone, known = (Finding(FORM["FMT013"], {"found": at}, at) for at in ("/card", "/lone", "/known"))
    ways: tuple[tuple[Edit, ...], ...] = ((), ())
    left = SimpleNamespace(faults=[] if mended else [lone, known])
    tried = list[Any]()
    found = [*_with_numbers(
        record,
        SimpleNamespace(verdict=lambda _: left),  # type: ignore[arg-type]
        [RepairGroup(0, (card,), ways)],
        [RepairGroup(0, (lone,), ()), RepairGroup(0, (known,), ways)],
        SimpleNamespace(of=lambda some: tried.append(some) or some),  # type: ignore[arg-type]
    )]  # fmt: skip
    joined = [("/card", "/lone"), ("/known",)] if mended else [("/card",), ("/lone",), ("/known",)]
    assert sorted(tuple(each.pointer for each in group.findings) for group in found) == sorted(joined)
    assert tried == [ways[:1]]


@pytest.mark.long
@settings(max_examples=60, deadline=None, suppress_health_check=list(HealthCheck))
@given(st.sampled_from(GAMES), st.integers(0, 9999), st.randoms(use_true_random=False))
def test_two_plays_exchanged_are_always_found(game: Game, seed: int, rng: Random) -> None:
    """Many exchanges."""
    exchanged_plays_are_found(game, seed, rng)


@pytest.mark.some(2)
@pytest.mark.parametrize(
    "game", [pytest.param(game, marks=[pytest.mark.long] * (game.key == "hearts"), id=game.key) for game in GAMES]
)
def test_a_last_card_that_is_missing_is_the_only_one(game: Game) -> None:
    """The hand has one card left, and the play one place. But a card that wins a trick earlier costs one wrong winner more."""
    clean = plain(dealt(game, 4))
    data = json.loads(json.dumps(clean))
    events = data["deals"][-1]["events"]
    last = max(place for place, event in enumerate(events) if event["do"] == "play")
    gone = events.pop(last)
    record = Record.model_validate(data)
    (group,) = repairs(record, game).groups
    (edit,) = group.ways[0]
    assert (edit.proof, edit.after, edit.before) == ("guess" if game.key == "spades3" else "only", gone, ABSENT)
    assert plain(applied(record, group.ways[0])) == clean


def test_a_search_that_is_cut_short_says_so_and_is_sure_of_nothing() -> None:
    """With a budget of a few deals nothing is said to be the only repair."""
    game = next(game for game in GAMES if game.key == "kbabs")
    case = broken(game, "PLY006", 1)
    assert case
    (group,) = repairs(case[1], game, budget=3).groups
    assert group.cut_short
    assert group.sure is None


def test_two_searches_find_the_same() -> None:
    """Neither order nor outcome depends on anything but the record."""
    game = next(game for game in GAMES if game.key == "kbabs")
    case = broken(game, "PLY002", 1)
    assert case
    assert repairs(case[1], game) == repairs(case[1], game)


# --- edits in data and in text --------------------------------------------------------------------------------------

TEXTS = [
    '{"format": "handrec", "a": [1, 2, 3], "b": {"x": 1, "y": []}}',
    '{\n  "format": "handrec",\n  "a": [1,\n        2,\n        3 ],\n  "b": {"x": 1,\t"y": [ ]}\n}\n',
    '{"format":"handrec","a":[1,2,3],"b":{"x":1,"y":[]},"extensions":{}}',
    '{"b":{"x" : 1, "y":[]},"a":[1 ,2 ,3],"extensions":{"mine": {"k": null}, "handrec.fixes": []}}',
    '{"b":{"x":1,"y":[]},"a":[1,2,3],"extensions":{"handrec.fixes": "mine"}}',
]
EDITS = [
    ("/a/1", 2, 7),
    ("/a/0", ABSENT, {"do": "play"}),
    ("/a/3", ABSENT, "é\x1b"),
    ("/a/0", 1, ABSENT),
    ("/a/2", 3, ABSENT),
    ("/b/x", 1, {}),
    ("/b/y/0", ABSENT, 5),
    ("/b/z", ABSENT, {"k": [6]}),
    ("/d", ABSENT, 7),
]


@pytest.mark.parametrize("text", TEXTS)
@pytest.mark.parametrize("change", EDITS, ids=lambda change: change[0])
def test_an_edit_in_the_text_is_the_edit_of_the_data(text: str, change: tuple[str, Any, Any]) -> None:
    """The text reads as the edited data, with a list of what was edited; nothing else in it has changed."""
    edit = Edit(*change, "only", "PLY005", "")
    before, after = json.loads(text), json.loads(spliced(text, [edit]))
    known = before.get("extensions", {})
    lists = [value for key, value in after.pop("extensions").items() if key.startswith(FIXES) and value != "mine"]
    assert [note["pointer"] for notes in lists for note in notes] == [edit.pointer]
    due = applied(before, [edit])
    due.pop("extensions", None)
    assert after == due
    kept = json.loads(spliced(text, [edit]))["extensions"]
    assert {key: kept[key] for key in known if key != FIXES or known[key] == "mine"} == {
        key: value for key, value in known.items() if key != FIXES or value == "mine"
    }


def test_an_edit_that_does_not_fit_is_refused() -> None:
    """An edit says what stands there; if something else does, it is not made."""
    for pointer, before, after in [
        ("/a/1", 3, 7),
        ("/a/9/b", 1, 2),
        ("/b/x", ABSENT, 1),
        ("/b/x", 1, ABSENT),
        ("/b/z", 1, 2),
        ("/c", 1, ABSENT),
    ]:
        with pytest.raises(ValueError, match="edit"):
            applied({"a": [1, 2], "b": {"x": 1}}, [Edit(pointer, before, after, "only", "", "")])


@pytest.mark.parametrize("key", ['a"', "a/b", "~", "~1", "c\\"])
def test_a_key_of_any_letters_can_be_pointed_to(key: str) -> None:
    """What a JSON Pointer escapes leads back to the key, in data and in text."""
    edit = Edit(f"/b/{step(key)}/0", 1, ABSENT, "only", "PLY005", "")
    data = {"b": {key: [1, 2]}}
    assert steps(edit.pointer) == ["b", key, "0"]
    assert applied(data, [edit]) == {"b": {key: [2]}}
    assert json.loads(spliced(json.dumps(data), [edit]))["b"] == {key: [2]}


def test_cards_are_spelled_anew_wherever_they_stand() -> None:
    """Every place of a card in another spelling is an edit, also where the finding tells only of the first."""
    game = next(game for game in GAMES if game.key == "kbabs")
    record = deal_game(game, 3, 1, numbers=[1])
    text = writing.dumps(record)
    card = record.deals[0].events[-1].card  # type: ignore[union-attr]
    spelt = text.replace(f'"{card}"', f'" {card.lower()} "')  # type: ignore[union-attr]
    edits = respelled(spelt, record)
    assert len(edits) == text.count(f'"{card}"') == 2
    mended = json.loads(spliced(spelt, edits))
    assert mended.pop("extensions")
    assert mended == json.loads(text)


# --- edits joined -----------------------------------------------------------------------------------------------------

Things = list[dict[str, Any]]


def _edits(things: Things, rng: Random, mark: str, touched: set[str]) -> tuple[Edit, ...]:
    """Some edits one after the other, of things that nobody has `touched`: taken out, put in, and changed."""
    now, made = [dict(each) for each in things], list[Edit]()
    for number in range(rng.randrange(1, 5)):
        place, way = rng.randrange(len(now)), rng.choice(("take", "put", "change", "replace"))
        if way == "put":
            put = {"id": f"{mark}{number}", "card": mark}
            made.append(Edit(f"/things/{place}", ABSENT, put, "guess", "", ""))
            now.insert(place, put)
        elif now[place]["id"] not in touched:
            touched.add(now[place]["id"])
            before, after = now[place], now[place] | {"card": mark}
            if way == "change":
                made.append(Edit(f"/things/{place}/card", before["card"], mark, "guess", "", ""))
                now[place] = after
            elif way == "replace":
                made.append(Edit(f"/things/{place}", before, after, "guess", "", ""))
                now[place] = after
            else:
                made.append(Edit(f"/things/{place}", now.pop(place), ABSENT, "guess", "", ""))
    return tuple(made)


def test_edits_of_different_things_are_joined_to_what_each_of_them_does() -> None:
    """Wherever the ones put in or take out before the others: of the things known to one, all are as one left them, in order."""
    things: Things = [{"id": f"t{number}", "card": "-"} for number in range(6)]
    ids = {each["id"] for each in things}
    for seed in range(2000):
        rng, touched = Random(seed), set[str]()
        ways = [_edits(things, rng, mark, touched) for mark in "ab"]
        both = joined(*ways)
        assert both is not None
        alone: list[Things] = [applied({"things": things}, way)["things"] for way in ways]
        left: Things = applied({"things": things}, both)["things"]
        gone = [ids - {each["id"] for each in some} for some in alone]
        for mine, theirs, other in ((alone[0], gone[1], alone[1]), (alone[1], gone[0], alone[0])):
            changed = {each["id"]: each for each in other if each["id"] in ids and each["card"] != "-"}
            due = [changed.get(each["id"], each) for each in mine if each["id"] not in theirs]
            known = {each["id"] for each in mine}
            assert [each for each in left if each["id"] in known] == due, (seed, ways, both)


def test_a_field_that_is_put_in_has_one_value() -> None:
    """Unlike what is put into a list, where several values find room."""
    one, other = (Edit("/options/trump", ABSENT, trump, "guess", "", "") for trump in "SH")
    assert joined((one,), (one,)) == (one,)
    assert joined((one,), (other,)) is None


@pytest.mark.parametrize("moved", [0, 1, 2])
def test_edits_of_one_thing_are_joined_only_if_they_agree(moved: int) -> None:
    """Also where one of them puts things in before it."""
    before = tuple(Edit("/things/0", ABSENT, {"id": str(number)}, "guess", "", "") for number in range(moved))
    change, other = (Edit("/things/3/card", "-", card, "guess", "", "") for card in ("2S", "3S"))
    gone = Edit("/things/3", {"id": "t3", "card": "-"}, ABSENT, "guess", "", "")
    whole = Edit("/things/3", {"id": "t3", "card": "-"}, {"id": "t3", "card": "2S"}, "guess", "", "")
    assert joined((change, *before), (change,)) == (change, *before)
    # Of a thing that both take out, what stands where it stood is another one for the next edit of either.
    for one, two in (
        (change, other),
        (change, gone),
        (gone, change),
        (whole, change),
        (change, whole),
        (gone, whole),
        (gone, gone),
    ):
        assert joined((one, *before), (two,)) is None
        assert joined((one,), (*before, replace(two, pointer=two.pointer.replace("3", str(3 + moved))))) is None
