"""Cards as people write them, packs, and orders: tables of what is meant by what."""

from __future__ import annotations

import pytest

from handrec.cards import Order, Pack, bits, in_words, meant, respell

#: Two packs mixed, with their letters, and a joker.
MIXED = Pack("mixed", ("TSa", "TSb", "JSa", "JSb", "ASa", "ASb", "BJ"))
PLAIN = Pack("plain", ("TS", "JS", "AS", "TH", "JH", "AH"))


@pytest.mark.parametrize(
    ("text", "card"),
    [
        *[("10S", "TS"), ("10s", "TS"), ("ts", "TS"), ("as", "AS"), (" AS ", "AS"), ("tSA", "TSa"), ("10SA", "TSa")],
        *[("♠A", "AS"), ("♠10", "TS"), ("A♠", "AS"), ("♥️A", "AH"), ("♤Aa", "ASa")],
        *[("", None), ("A", None), ("101", None), ("10Sab", None), ("1010a", None), ("A!", None)],
        # Letters that become ASCII only as capitals: no card is written so.
        *[("Aſ", None), ("ſA", None)],
    ],
)
def test_a_card_written_otherwise_has_one_canonical_spelling(text: str, card: str | None) -> None:
    assert respell(text) == card


@pytest.mark.parametrize(
    ("text", "words"),
    [
        *[("big joker", "BJ for the Big Joker"), ("the Big-Joker", "BJ for the Big Joker")],
        *[("little_joker", "LJ for the Little Joker"), ("small joker", "LJ for the Little Joker")],
        *[
            ("joker", "BJ for the Big Joker, LJ for the Little Joker"),
            ("red joker", "BJ for the Big Joker, LJ for the Little Joker"),
        ],
        *[("1H", "AH for an ace, TH for a ten"), ("1 h", "AH for an ace, TH for a ten"), ("1x", ""), ("AH", ""), ("", "")],
        # No more than 40 letters of a text are looked at.
        *[("x" * 35 + "joker", "BJ for the Big Joker, LJ for the Little Joker"), ("x" * 36 + "joker", "")],
    ],
)
def test_what_was_meant_is_told_where_it_can_be(text: str, words: str) -> None:
    assert meant(text) == words


@pytest.mark.parametrize(
    ("text", "card"),
    [
        *[
            ("ace of hearts", "AH"),
            ("Ace Of Hearts", "AH"),
            ("10 hearts", "TH"),
            ("ten-of-heart", "TH"),
            ("knave of clubs", "JC"),
        ],
        *[("king of ♠", "KS"), ("k s", "KS"), ("q diamonds", "QD"), ("🂱", "AH"), ("a of d", "AD")],
        *[("ace", None), ("ace of cups", None), ("eleven of hearts", None), ("x", None), ("", None), ("of hearts", None)],
    ],
)
def test_a_card_in_words_is_understood_or_is_none(text: str, card: str | None) -> None:
    assert in_words(text) == card


@pytest.mark.parametrize(
    ("pack", "token", "card"),
    [
        *[
            (PLAIN, "SA", "AS"),
            (PLAIN, "10S", "TS"),
            (PLAIN, "BS", "JS"),
            (PLAIN, "VH", "JH"),
            (PLAIN, "1S", "TS"),
            (PLAIN, "as", "AS"),
        ],
        *[(MIXED, "SAa", "ASa"), (MIXED, "SAb", "ASb"), (MIXED, "10sb", "TSb"), (MIXED, "BSa", "JSa"), (MIXED, "JB", "BJ")],
        *[(PLAIN, "SX", None), (PLAIN, "KS", None), (MIXED, "AS", None), (PLAIN, "", None), (PLAIN, "??", None)],
    ],
)
def test_the_card_of_a_pack_that_a_foreign_token_was_meant_to_be(pack: Pack, token: str, card: str | None) -> None:
    assert pack.suggest(token) == card


def test_a_pack_is_its_cards_and_their_bits() -> None:
    assert len(PLAIN) == 6
    assert PLAIN.full == 0b111111
    assert PLAIN.mask(["TS", "AH"]) == 0b100001
    assert PLAIN.suit("H") == 0b111000
    assert PLAIN.suit("C") == 0
    assert PLAIN.names(0b100101) == ("AH", "AS", "TS")
    assert [*bits(0b100101)] == [0, 2, 5]
    assert [*bits(0)] == []
    same = Pack("plain", PLAIN.cards)
    assert (same, hash(same)) == (PLAIN, hash(PLAIN))
    assert len({same, PLAIN, MIXED}) == 2


def test_an_order_tells_whose_suit_a_card_is_of_and_what_beats_it() -> None:
    order = Order.of(PLAIN, "spades", [("TS", "JS", "AS"), ("AH", "TH", "JH")], trump=0)
    spades, hearts = 0b000111, 0b111000
    assert order.trumps == spades
    assert order.suits == (spades, hearts)
    assert order.suit == (spades,) * 3 + (hearts,) * 3
    # In hearts the ace is lowest here: the ten beats it, the jack both; any trump beats every heart.
    assert order.beats == (0b000110, 0b000100, 0, spades | 0b010000, spades, spades | 0b011000)
    assert Order.of(PLAIN, "none", [("TS", "JS", "AS"), ("AH", "TH", "JH")]).trumps == 0
    assert [order.suit_name(card) for card in range(6)] == [*"SSSHHH"]


def test_the_winner_is_the_first_card_that_no_later_one_beats() -> None:
    order = Order.of(PLAIN, "spades", [("TS", "JS", "AS"), ("TH", "JH", "AH")], trump=0)
    plain = Order.of(PLAIN, "none", [("TS", "JS", "AS"), ("TH", "JH", "AH")])
    for cards, trumped, led in [
        ("TH AH JH", 1, 1),
        ("AH TS JH", 1, 0),
        ("TH AS JS", 1, 0),
        ("TS AH JS", 2, 2),
        ("JH TS AH", 1, 2),
    ]:
        places = [PLAIN.index[card] for card in cards.split()]
        assert (order.winner(places), plain.winner(places)) == (trumped, led)
