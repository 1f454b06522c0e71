"""Slips of rows: what is told of rows that slid, changed places or got lost, and what is right once they are undone."""

from __future__ import annotations

from typing import Any

import pytest

from handrec import check, games
from handrec.dealing import deal_game
from handrec.explanations import rows
from handrec.explanations.pen import Reach
from handrec.explanations.pen.rows import row_lost, shifted
from handrec.explanations.search import search_in
from handrec.explanations.written import Slip, WrittenDeal
from handrec.findings import Finding
from handrec.judging import Judge
from handrec.record import Play, Record
from tests import planting
from tests.planting import without
from tests.searching import parts_of
from tests.tables import deal, game, plays_of

Data = dict[str, Any]

HANDS = {"0": "9S 8H 4H 9D 2C", "1": "6S 9H KC 9C 8C", "2": "TS 2S 5H TD JC", "3": "AH 6H AC 5C 3C"}
#: Spades are trump; the winners are 0, 2, 1, 2 and 0, and nobody does anything wrong.
TRICKS = (
    "0 9S, 1 6S, 2 2S, 3 AH",
    "0 9D, 1 9H, 2 TD, 3 3C",
    "2 JC, 3 5C, 0 2C, 1 KC",
    "1 8C, 2 TS, 3 AC, 0 4H",
    "2 5H, 3 6H, 0 8H, 1 9C",
)


def hands_of(hands: dict[str, str]) -> str:
    """Hands in one line."""
    return " | ".join(f"{seat}: {cards}" for seat, cards in hands.items())


def played(*tricks: str, hands: dict[str, str] | None = None, **fields: Any) -> Data:
    """Five cards each, played in these rows; a field that is None is not written."""
    stated = {"number": 9, "dealer": "3", "cards": 5, "turn": "KS", "bids": "0 3, 1 3, 2 2, 3 4", **fields}
    stated = {name: value for name, value in stated.items() if value is not None}
    return game("kbabs", 4, deal(plays="; ".join(tricks), hands=None if hands is None else hands_of(hands), **stated))


def typed(data: Data, *numbers: int) -> Data:
    """The record with the numbers of its tricks typed at the heads of its rows."""
    many, plays = len(data["players"]), [event for event in data["deals"][0]["events"] if event["do"] == "play"]
    for event, number in zip(plays[::many], numbers, strict=True):
        event["trick"] = number
    return data


def moved(trick: str, columns: int) -> str:
    """A row with its cards so many columns on."""
    pairs = [pair.split() for pair in trick.split(", ")]
    return ", ".join(f"{(int(seat) + columns) % 4} {card}" for seat, card in pairs)


def found(data: Data) -> tuple[Finding, ...]:
    """What is counted."""
    return check(Record.model_validate(data)).faults


def near(data: Data, code: str, trick: int) -> dict[str, str]:
    """The slips that are told beside what is found in a trick, with their words."""
    (finding,) = [each for each in found(data) if (each.code, each.trick) == (code, trick)]
    return {each.act: each.words for each in finding.near}


def written(data: Data) -> WrittenDeal:
    """The deal of a record as it is written."""
    record, rules = Record.model_validate(data), games.find(data["game"])
    assert rules
    verdict, tables = Judge(games.find).examined(record)
    return search_in(record, rules, 0, verdict, tables).written


def plays(slip: Slip, deal: WrittenDeal) -> list[Data]:
    """The plays once a slip is undone."""
    events = slip.undone(deal.deal).events
    return [{"do": "play", "by": event.by, "card": event.card} for event in events if isinstance(event, Play)]


TRUTH = plays_of("; ".join(TRICKS))


# --- at sight ---------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("trick", "row"), [(1, "0 9S, 2 2S, 1 6S, 3 AH"), (2, "0 9D, 2 TD, 1 9H, 3 3C")], ids=["the first", "the second"]
)
def test_a_row_in_another_order_is_told_if_its_winner_led_the_next(trick: int, row: str) -> None:
    """Who leads the row after that one tells nothing of it."""
    data = played(*TRICKS[: trick - 1], row, *TRICKS[trick:])
    assert near(data, "PLY003", trick)["transposed"] == f"the cards of trick {trick} written in another order"


@pytest.mark.parametrize("columns", [1, 3])
def test_a_row_that_slid_is_told_without_those_that_did_not(columns: int) -> None:
    """No hand says whose the cards are: the rows before and after it tell who led, else two players led out of turn."""
    (finding,) = found(played(TRICKS[0], moved(TRICKS[1], columns), *TRICKS[2:]))
    assert (finding.code, finding.trick) == ("REC001", 2)


def test_a_row_that_slid_is_told_beside_the_leads_of_one_player() -> None:
    """Where it was one player who led out of turn, twice, it may have been so."""
    data = played(TRICKS[0], moved(TRICKS[1], 2), *TRICKS[2:])
    assert near(data, "PLY004", 2)["rows"] == "the cards of trick 2 written in other columns"


def test_a_row_that_slid_is_seen_by_the_leader_that_is_stated_where_none_follows_from_the_rules() -> None:
    """Without a dealer the rules do not say who leads first."""
    (finding,) = found(played(moved(TRICKS[0], 1), *TRICKS[1:], dealer=None, leader="0"))
    assert (finding.code, finding.trick) == ("REC001", 1)


@pytest.mark.parametrize("revoke", [False, True])
def test_two_rows_in_each_others_place_are_told_as_one_slip(revoke: bool) -> None:
    """Whatever else is found before it; and the first of the two is where it is told."""
    first, second, third = TRICKS[:3]
    if revoke:
        third = third.replace("5C", "3S")
    faults = found(played(first, third, second, number=11, cards=3, bids=None))
    assert [each.code for each in faults] == ["REV001"] * revoke + ["REC002"]
    assert (faults[-1].trick, faults[-1].facts["act"]) == (2, "rows-exchanged")


def test_rows_of_one_leader_and_one_winner_are_told_by_who_then_seems_to_revoke() -> None:
    """Nobody leads out of turn when two such rows change places; the suits that were not followed tell it."""
    hands = "0: AC KC QC AD 2H | 1: 2C 3C 4D 5D 3H | 2: 4C 5C 6D 7D 4H | 3: 6C 7H 8H 9D 5H"
    rows = (
        "0 AC, 1 2C, 2 4C, 3 6C",
        "0 KC, 1 3C, 2 5C, 3 7H",
        "0 QC, 1 4D, 2 6D, 3 8H",
        "0 AD, 1 5D, 2 7D, 3 9D",
        "0 2H, 1 3H, 2 4H, 3 5H",
    )
    stated = {"hands": dict(each.split(": ") for each in hands.split(" | ")), "turn": "AS", "bids": None, "dealer": "3"}
    assert found(played(*rows, **stated)) == ()
    (finding,) = found(played(rows[2], rows[1], rows[0], *rows[3:], **stated))
    assert (finding.code, finding.facts["one"], finding.facts["other"]) == ("REC002", "the cards of trick 1", "those of trick 3")


def test_two_cards_of_a_row_in_each_others_place_are_told_where_no_hand_says_whose_they_are() -> None:
    """The lead is another suit then: two others seem to revoke, and the wrong seat to lead next."""
    data = played(TRICKS[0], "0 9H, 1 9D, 2 TD, 3 3C", *TRICKS[2:])
    data["deals"][0]["claimed"] = {"winners": ["0", "2", "1", "2", "0"]}
    (finding,) = found(data)
    assert (finding.code, finding.message) == ("REC002", "9H (trick 2) and 9D (trick 2) stand in each other's place")


@pytest.mark.parametrize(
    ("row", "words"),
    [
        ("2 9C, 3 6H, 0 8H, 1 5H", "9C and 5H exchanged"),
        ("2 9C, 3 8H, 0 6H, 1 5H", "the cards of trick 5 written in other columns"),
    ],
    ids=["two cards", "in reverse"],
)
def test_a_revoke_that_the_last_row_shows_is_told_with_what_is_wrong_in_that_row(row: str, words: str) -> None:
    """One player seems to have revoked, and another to have won: it may have been so."""
    data = played(*TRICKS[:4], row)
    data["deals"][0]["claimed"] = {"winners": ["0", "2", "1", "2", "0"]}
    assert words in [each.words for finding in found(data) if finding.code == "REV001" for each in finding.near]


@pytest.mark.parametrize(("lost", "numbers"), [(5, []), (2, [1, 3, 4, 5]), (4, [1, 2, 3, 5])])
def test_a_lost_row_is_told_with_its_cards(lost: int, numbers: list[int]) -> None:
    """The last one, or the one whose number is missing among those typed: the hands say what is left."""
    data = played(*TRICKS[: lost - 1], *TRICKS[lost:], hands=HANDS)
    (finding,) = found(typed(data, *numbers) if numbers else data)
    cards = " ".join(pair.split()[1] for pair in TRICKS[lost - 1].split(", "))
    assert (finding.code, finding.trick, finding.facts["card"]) == ("REC004", lost, cards)


def test_of_a_lost_row_that_nobody_knows_who_led_no_cards_are_told() -> None:
    """Where no card is turned nothing is trump, and the winners are not known: that a row is missing is told."""
    assert [each.code for each in found(played(*TRICKS[:4], hands=HANDS, turn=None))] == ["PLY005"]


def test_a_row_of_two_that_lacks_its_lead_is_told_with_the_one_who_led() -> None:
    """The other's card stands under the leader's name."""
    hands = {"0": "9S 8H 4H", "1": "6S 9H KC"}
    rows_of_two = deal(
        hands=hands_of(hands), number=25, cards=3, dealer="1", turn="KS", plays="0 9S, 1 6S; 0 8H, 1 9H; 1 KC, 0 4H"
    )
    data = typed(game("kbabs", 2, rows_of_two), 1, 2, 3)
    events = data["deals"][0]["events"]
    assert [each.code for each in found(data)] == []
    del events[4]
    events[3] |= {"card": "9H"}
    (finding,) = found(data)
    assert (finding.code, finding.facts["owner"], finding.facts["card"]) == ("REC004", "0", "8H")


def test_the_lowest_card_of_the_pack_may_have_changed_places_with_a_revoke() -> None:
    """2C is the first of the pack, and a card as any other."""
    data = played(*TRICKS[:2], "2 JC, 3 5C, 0 4H, 1 KC", "1 8C, 2 TS, 3 AC, 0 2C", TRICKS[4], hands=HANDS)
    assert near(data, "REV001", 3) == {"plays-across": "4H and 2C (trick 4) exchanged"}


# --- in words ---------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("seats", "words"),
    [("2103", "the hands of 0 and 2 exchanged"), ("1230", "the hands of 0 1 2 3 stand under 3 0 1 2")],
)
def test_hands_under_other_seats_are_named_with_those_they_stand_under(seats: str, words: str) -> None:
    """Two are exchanged; of more it is told which stands where."""
    under = {str(place): HANDS[seat] for place, seat in enumerate(seats)}
    (part,) = parts_of(Record.model_validate(played(*TRICKS, hands=under)))
    assert words in [slip.words for each in part.best for slip in each.slips]


@pytest.mark.parametrize(
    ("many", "shown"), [(3, "1, 2, 3"), (4, "1, 2, 3, 4"), (5, "1, 2, 3, 4 and 1 more")], ids=["three", "four", "five"]
)
def test_of_rows_that_slid_four_are_named_and_the_others_counted(many: int, shown: str) -> None:
    """However many there are, it is one slip."""
    tricks = [moved(trick, 1) for trick in TRICKS[:many]]
    (slip,) = rows.slid(written(played(*tricks, *TRICKS[many:], hands=HANDS)))
    assert slip.words == f"the cards of trick {shown} written in other columns"


# --- what is right once it is undone --------------------------------------------------------------------------------------


@pytest.mark.parametrize("columns", [1, 2, 3])
@pytest.mark.parametrize("row", range(5))
def test_a_row_any_number_of_columns_on_is_given_back_to_its_owners(row: int, columns: int) -> None:
    """The hands say whose the cards are, and the rows before who led."""
    tricks = [*TRICKS]
    tricks[row] = moved(tricks[row], columns)
    told = written(played(*tricks, hands=HANDS))
    assert TRUTH in [plays(slip, told) for slip in rows.by_owners(told)]


def test_without_hands_each_row_is_led_by_whoever_won_the_one_before() -> None:
    """Each row slid by its own number of columns; who led first follows from the dealer."""
    told = written(played(*(moved(trick, columns) for trick, columns in zip(TRICKS, (1, 3, 2, 0, 1), strict=True))))
    (slip,) = rows.led(told)
    assert plays(slip, told) == TRUTH


def test_a_row_in_reverse_is_looked_for_where_no_hand_says_so() -> None:
    """Where one is known, it tells whose its cards are."""
    found = dict.fromkeys(("", *"NESW"), 0)
    for _, record in planting.plants("bridge", "row_reversed", 3, True, False):
        (one,) = record.deals
        for seat in found:
            hands = {name: cards for name, cards in (one.hands or {}).items() if name == seat}
            other = record.model_copy(update={"deals": [one.model_copy(update={"hands": hands or None})]})
            verdict, (table,) = Judge(games.find).examined(other)
            found[seat] += len([*rows.reversed_unseen(WrittenDeal(other.deals[0], table, [*verdict.findings]))])
    assert found.pop("") > 0
    assert {*found.values()} == {0}


@pytest.mark.parametrize("row", ["1 9D, 2 9H, 2 TD, 0 3C", "1 9D, 2 9H, 3 TD"], ids=["twice", "too few"])
def test_a_row_that_is_not_of_one_card_a_seat_is_none_that_slid(row: str) -> None:
    """A row of as many different seats as there are was a trick; of another one it is open what went wrong."""
    assert [*rows.led(written(played(TRICKS[0], row, *TRICKS[2:])))] == []


def test_a_row_with_a_card_of_nobody_known_is_none_that_slid() -> None:
    """No dealer, no hand, no name: nobody knows who led, and no seat is made up for the card."""
    data = played(*TRICKS, dealer=None)
    del data["deals"][0]["events"][5]["by"]
    assert [*rows.led(written(data))] == []


def test_a_hand_that_only_the_pack_tells_stands_under_no_seat() -> None:
    """There is no line of it that could have been written under another seat's name."""
    pack = ["9S", "6S", "2S", "AH", "8H", "9H", "TD", "6H"]  # dealt one by one from the dealer's left
    rest = [card for card in games.find("kbabs").pack(4).cards if card not in pack]  # type: ignore[union-attr]
    fields: Data = {"number": 12, "cards": 2, "bids": None, "pack": [*pack, *rest], "turn": rest[0]}
    data = played("0 6S, 1 9S, 2 2S, 3 AH", "1 8H, 2 TD, 3 6H, 0 9H", hands={"1": "6S 9H"}, **fields)
    assert [*rows.turned(written(data))] == []


# --- in every way -----------------------------------------------------------------------------------------------------


ALL_ROWS = Reach(events=frozenset(range(25)), rows=frozenset(range(5)))


@pytest.mark.parametrize(("first", "act"), [(1, "turned"), (2, "rows"), (4, "rows")])
def test_the_whole_play_from_another_seat_is_the_deal_turned(first: int, act: str) -> None:
    """Of all rows from a later one on it is the rows that slid."""
    told = written(played(*TRICKS[: first - 1], *(moved(trick, 1) for trick in TRICKS[first - 1 :])))
    due = f"all rows from trick {first} on written from another seat"
    acts = {slip.act.key for slip in shifted(told, ALL_ROWS) if slip.words == due and plays(slip, told) == TRUTH}
    assert acts == {act}


@pytest.mark.parametrize("names", [("0", "0", "2", "3"), ("0", None, "2", "3")], ids=["twice", "nobody"])
def test_a_row_that_does_not_stand_in_columns_keeps_the_order_of_its_names(names: tuple[str | None, ...]) -> None:
    """Only cards that stand each under a seat of its own tell nothing of the order in which they fell."""
    data = played(*TRICKS)
    for event, name in zip(data["deals"][0]["events"][9:13], names, strict=True):
        event.pop("by") if name is None else event.update(by=name)
    told = written(data)
    slips = [slip for slip in shifted(told, ALL_ROWS) if slip.words == "the cards of trick 2 written in other columns"]
    assert slips
    assert {tuple(play["by"] for play in plays(slip, told)[4:8]) for slip in slips} == {names}


@pytest.mark.parametrize("lost", [1, 3, 5])
def test_a_lost_row_stands_between_two_others_whoever_led_it(lost: int) -> None:
    """Its cards are those that are left, one of each seat, all four together."""
    told = written(played(*TRICKS[: lost - 1], *TRICKS[lost:], hands=HANDS))
    undone = [plays(slip, told) for slip in row_lost(told, Reach(rows=frozenset(range(4)))) if slip.words.endswith("left out")]
    assert TRUTH in undone
    left = {pair.split()[1] for pair in TRICKS[lost - 1].split(", ")}
    for each in undone:
        places = [place for place, play in enumerate(each) if play["card"] in left]
        assert places == [*range(places[0], places[0] + 4)]
        assert places[0] % 4 == 0


@pytest.mark.parametrize("unknown", [False, True])
def test_hands_that_changed_places_are_told_though_a_card_of_another_is_not_known(unknown: bool) -> None:
    """Which seats play each other's cards does not hang on it."""
    third = HANDS["3"].replace("3C", "??") if unknown else HANDS["3"]
    (finding,) = found(played(*TRICKS, hands={"0": HANDS["2"], "1": HANDS["1"], "2": HANDS["0"], "3": third}))
    assert (finding.code, finding.facts["owners"], finding.facts["found"]) == ("REC008", ["0", "2"], ["2", "0"])


def test_two_hands_of_two_players_may_be_all_rows_written_from_the_other_seat() -> None:
    """Where all hands stand one seat on, so may all that is played."""
    rules = games.find("kbabs")
    assert rules
    data = deal_game(rules, 2, 0, numbers=[8]).model_dump(mode="json", exclude_unset=True, by_alias=True)
    dealt = without(data, hands=True, claims=False)["deals"][0]
    one, other = dealt["hands"]
    dealt["hands"][one], dealt["hands"][other] = dealt["hands"][other], dealt["hands"][one]
    (finding,) = found({**data, "deals": [dealt]})
    assert (finding.code, finding.facts["or"]) == ("REC008", ["turned"])


def test_a_row_that_slid_is_told_beside_a_play_out_of_turn_too() -> None:
    """Without hands a first row in turn from another seat than the leader may be told as a play out of turn."""
    plays = "2 5D, 3 9C, 0 6C, 1 8D; 3 TD, 0 2H, 1 3H, 2 4H"
    data = game("kbabs", 4, deal(number=12, dealer="3", cards=2, turn="KS", plays=plays))
    assert {"rows", "transposed"} <= near(data, "PLY003", 1).keys()


@pytest.mark.parametrize("lost", range(2, 6))
def test_a_row_that_is_lost_amid_the_others_is_told_with_its_cards_where_hands_are_known(lost: int) -> None:
    """And nothing else is wrong then."""
    (finding,) = found(played(*TRICKS[: lost - 1], *TRICKS[lost:], hands=HANDS))
    assert (finding.code, finding.trick, finding.facts["owner"]) == ("REC004", lost, "everybody")
    assert sorted(finding.facts["card"].split()) == sorted(pair.split()[1] for pair in TRICKS[lost - 1].split(", "))


def test_a_card_under_a_wrong_name_is_that_of_the_seat_whose_turn_it_was() -> None:
    """Of two cards of one seat in a row: only the one in the place of the seat that has none."""
    data = played(*TRICKS[:2], "2 JC, 0 5C, 0 2C, 1 KC", *TRICKS[3:])
    (slip,) = rows.misnamed(written(data))
    assert (slip.words, slip.changed) == (
        "0 for 3 at 5C",
        {data["deals"][0]["events"].index({"do": "play", "by": "0", "card": "5C"}): {"by": "3"}},
    )


def test_a_row_that_is_lost_is_looked_for_first_where_the_winners_on_the_sheet_go_wrong() -> None:
    """They are those of the tricks before it, and from there on those of the trick before."""
    data = played(*TRICKS[1:], hands=HANDS)
    data["deals"][0]["claimed"] = {"winners": ["0", "2", "1", "2", "0"]}
    assert [slip.words for slip in rows.lost_row(written(data))] == [f"trick {number} left out" for number in (1, 2, 5)]
