"""A board written as LIN, as the platforms write it: one a line, or, where a match has a title, below that, a trick a line.

What LIN has no place for is left out, and a character that would end a value becomes another: whoever converts is told, as what
is written is read again and compared.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any

from handrec.cards import FRENCH_52, is_known
from handrec.formats import Unwritable
from handrec.formats.lin.board import NUMBER, SEATS, VULNERABLE, Board, Kept
from handrec.formats.lin.links import link_to
from handrec.formats.lin.pairs import HEADS, Pair, unbroken
from handrec.formats.lin.reading import PASSED, LinContract, came_to, played, side, stated, won_by, written_call
from handrec.limits import MAX_TEXT
from handrec.record import Bid, Claim, Comment, Contract, Deal, Play, Record, Withdraw

ASCENDING = "23456789TJQKA"
SIDES = {side: letter for letter, side in reversed(VULNERABLE.items()) if letter.isalpha()}
BREAK = "pg||"
#: What a value cannot have, or what some readers take for the end of a line.
UNFIT = re.compile("[\x00-\x1f\x7f\x85\u2028\u2029]")


def write(record: Record) -> str:
    """The boards of a record. Raises `Unwritable` if it is none of bridge."""
    seats = [player.seat for player in record.players]
    if record.game != "bridge" or sorted(seats) != sorted(SEATS):
        raise Unwritable("LIN is for boards of bridge, with the seats N, E, S and W")
    if not record.deals:
        raise Unwritable("there is no deal in it")
    return "".join(joined(_WrittenBoard(record, deal).text() for deal in record.deals))


def urls(record: Record) -> list[str]:
    """A link for each board of a record, as `write` has it but for what stands above a match. Raises `Unwritable` likewise."""
    write(record)
    return [link_to(_WrittenBoard(record, deal, alone=True).text()) for deal in record.deals]


def joined(texts: Iterable[str]) -> Iterator[str]:
    """The texts of several boards as one: what stands above several of them stands there once."""
    above = ""
    for text in texts:
        head, _, boards = text.partition("\n")
        head = head if boards else ""
        if not head:
            yield f"vg||{text}" if above else text
        elif head == above:
            yield boards
        else:
            yield f"vg||{text}" if above and not head.startswith("vg|") else text
        above = head


def fit(text: str) -> str:
    """A text as it may stand as a value."""
    return UNFIT.sub(" ", text.replace("|", "/")).strip()


class _WrittenBoard:
    """A deal on its way to LIN."""

    def __init__(self, record: Record, deal: Deal, alone: bool = False) -> None:
        self.record, self.deal = record, deal
        self.kept = [each for each in _kept(record.extensions.get("lin")) if each.after is not None or not alone]
        self.heads = {each.tag: each.value for each in self.kept if each.after is None and each.tag in HEADS}
        self.titled = any(tag != "pn" for tag in self.heads)
        self.number = deal.board or deal.number
        self.events = _standing(deal)
        self.calls = [event for _, event in self.events if type(event) is Bid]
        self.dealer = deal.dealer or (self.calls[0].by if self.calls else None)
        self.said: dict[int, list[Comment]] = {}
        for comment in deal.comments or ():
            self.said.setdefault(min(comment.event or 0, len(deal.events)), []).append(comment)

    def text(self) -> str:
        """The board, with what stands above it on a line of its own if it has a title."""
        own = [each for each in self.kept if each.after is None and each.tag not in HEADS]
        named = [self._named(each) for each in own]
        heads = "".join(_pair(tag, value) for tag, value in self.heads.items() if tag != "pn")
        above = f"{heads}{self._names()}{BREAK}\n" if self.titled else ""
        names = "" if self.titled else self._names()
        return f"{above}{''.join(named)}{names}{self._board(own)}"

    def _names(self) -> str:
        """Who sits where; of all the names of two rooms, if that is what there was, those of this one."""
        names = {player.seat: fit(player.name or "").replace(",", " ").strip() for player in self.record.players}
        listed = self.heads.get("pn", "").split(",")
        room = self._room()
        if len(listed) <= 4 or room:
            first = 4 if room == "c" and len(listed) > 4 else 0
            many = len(listed) if "pn" in self.heads else first + 4
            listed += [""] * (first + 4 - len(listed))
            for place, seat in enumerate(SEATS, first):
                if unbroken(listed[place])[:MAX_TEXT] != names[seat]:
                    listed[place] = names[seat]
            while len(listed) > many and not listed[-1]:
                listed.pop()
        return _pair("pn", ",".join(listed))

    def _room(self) -> str:
        rooms = [NUMBER.fullmatch(each.value) for each in self.kept if each.tag == "qx"]
        return next((match[1].lower() for match in rooms if match and match[1]), "")

    def _named(self, each: Kept) -> str:
        """A pair from before the hands; the number of a board is this board's."""
        match = NUMBER.fullmatch(each.value) if each.tag == "qx" else None
        if match and self.number and int(match[2]) != self.number:
            return _pair("qx", f"{match[1] or ''}{self.number}")
        return _pair(each.tag, each.value)

    def _board(self, own: Sequence[Kept]) -> str:
        told = any(each.tag == "qx" and NUMBER.fullmatch(each.value) for each in own)
        told |= any(each.tag == "ah" and self._is_number(each.value) for each in self.kept)
        parts = [f"st||md|{_dealt(self.dealer, self.deal.hands or {})}|rh||"]
        parts += [_pair("ah", f"Board {self.number}")] if self.number and not told else []
        parts += [_pair("sv", SIDES[self.deal.vulnerable])] if self.deal.vulnerable in SIDES else []
        parts += [self._result(), *self._happened()]
        return f"{''.join(parts).rstrip()}\n"

    def _is_number(self, text: str) -> bool:
        match = NUMBER.fullmatch(text)
        return match is not None and int(match[2]) == self.number

    def _result(self) -> str:
        """The contract, and what came of it, if the match's list of results does not say the same."""
        contract = next((event for event in self.deal.events if type(event) is Contract), None)
        if contract is None or (contract.by is None and contract.bid != "pass"):
            return ""
        sides = (self.deal.claimed.sides if self.deal.claimed else None) or {}
        claimed = sides.get(side(contract.by)) if contract.by else None
        tricks = claimed.tricks if claimed else None
        board = Board(1, {tag: Pair(tag, value, 0, 0) for tag, value in self.heads.items()})
        board.number, board.room = self.number, self._room() or None
        said = stated(board)
        if said and (said.contract, said.tricks) == (LinContract(str(contract.bid), contract.by), tricks):
            return ""
        match = re.fullmatch("([1-7])(NT|[SHDC])(x{0,2})", str(contract.bid))
        if not match:
            return _pair("rs", "PASS") if contract.bid == "pass" else ""
        more = "" if tricks is None else f"{tricks - int(match[1]) - 6:+}".replace("+0", "=")
        return _pair("rs", f"{match[1]}{match[2].removesuffix('T')}{contract.by}{match[3]}{more}")

    def _happened(self) -> list[str]:
        """Calls, cards and claims, with what was said of each; a page ends with the auction, a trick, a claim and a comment."""
        parts, standing, cards, calls = [""], dict(self.events), 0, len(self.calls)
        line = f"{BREAK}\n" if self.titled else BREAK

        def page(over: bool = True) -> None:
            if over and parts[-1] not in ("", line):
                parts.append(line)

        for place in range(len(self.deal.events) + 1):
            event = standing.get(place - 1) if place else None
            if type(event) is Bid:
                alerted, told = self._alerts(place)
                calls -= 1
                parts.append(f"mb|{_call(event)}{'!' if alerted else ''}|{told}")
                page(not calls)
            elif type(event) is Play:
                cards += 1
                parts.append(_card(event.card))
                page(cards % 4 == 0)
            elif type(event) is Claim:
                page()
                parts.append(self._claim(event, cards))
                page()
            for remark in self._remarks(place, type(event) is Bid):
                parts.append(remark)
                page()
            parts += [_again(each) for each in self.kept if each.after == place or _beyond(each, place, self.deal)]
        page()
        return parts

    def _alerts(self, place: int) -> tuple[bool, str]:
        """Whether a call was alerted, and what it was said to mean."""
        told = sorted((each for each in self.said.get(place, ()) if each.kind), key=lambda each: each.kind == "explanation")
        alerted = bool(told) and told[0].kind == "alert"
        empty = alerted and len(told) == 1 and not told[0].text
        return alerted, "" if empty else "".join(_pair("an", fit(each.text)) for each in told)

    def _remarks(self, place: int, called: bool) -> Iterator[str]:
        for each in self.said.get(place, ()):
            if fit(each.text) and not (called and each.kind):
                yield _pair("nt", fit(each.text))

    def _claim(self, claim: Claim, cards: int) -> str:
        """All tricks that declarer's side has then; nothing if they are not certain."""
        contract = came_to([str(call.bid) for call in self.calls], self.dealer)
        event = next((event for event in self.deal.events if type(event) is Contract and event.by), None)
        if contract is None and event is not None:
            contract = LinContract(str(event.bid), event.by)
        if contract is None or contract.by is None or contract == PASSED:
            return ""
        played_cards = [event.card for _, event in self.events if type(event) is Play][:cards]
        won = won_by(played(self.deal.hands or {}, contract, played_cards), contract.by)
        if won is None:
            return ""
        tricks = won + sum(many for seat, many in claim.tricks.items() if side(seat) == side(contract.by))
        return _pair("mc", str(tricks))


def _kept(pairs: Any) -> Iterator[Kept]:
    """The pairs that a record keeps for LIN, as far as they are pairs."""
    for pair in pairs if isinstance(pairs, list) else ():
        if isinstance(pair, list) and len(pair) in (2, 3) and all(isinstance(part, str) for part in pair[:2]):
            tag, value, after = pair[0], pair[1], pair[2] if len(pair) == 3 else None
            fits = re.fullmatch("[a-z0-9]{2}", tag) and value == fit(value) and tag not in ("md", "st", "pc", "pg")
            if fits and (after is None or (type(after) is int and after >= 0)):
                yield Kept(tag, value, after)


def _standing(deal: Deal) -> list[tuple[int, Any]]:
    """The calls, cards and claims that were not taken back, each with its place among the events."""
    found: list[tuple[int, Any]] = []
    for place, event in enumerate(deal.events):
        if type(event) in (Bid, Play, Claim):
            found.append((place, event))
        elif type(event) is Withdraw:
            kind = Play if event.bid is None else Bid
            back = next((at for at in reversed(range(len(found))) if type(found[at][1]) is kind), None)
            if back is not None:
                del found[back]
    return found


def _pair(tag: str, value: str) -> str:
    return f"{tag}|{value}|"


def _again(each: Kept) -> str:
    """A pair that was kept; cards taken back are played first."""
    if each.tag != "up":
        return _pair(each.tag, each.value)
    cards = each.value.split()
    return "".join(_card(card) for card in cards if len(card) == 2) + _pair("up", str(len(cards)))


def _beyond(each: Kept, place: int, deal: Deal) -> bool:
    """Whether a pair stands after an event that there is not, and this is the last."""
    return each.after is not None and each.after > place == len(deal.events)


def _card(card: str) -> str:
    return _pair("pc", card[1] + card[0])


def _call(call: Bid) -> str:
    return fit(written_call(str(call.bid)))


def _dealt(dealer: str | None, hands: Mapping[str, Sequence[str]]) -> str:
    """Dealer and hands; East's is left out where it is what the others leave."""
    known = {seat: [card for card in hands.get(seat, ()) if is_known(card)] for seat in SEATS}
    others = [card for seat in SEATS[:3] for card in known[seat]]
    whole = all(len(known[seat]) == 13 for seat in SEATS) and len({*others}) == 39
    rest = FRENCH_52.names(FRENCH_52.full & ~FRENCH_52.mask(others)) if whole else []
    last = "" if whole and sorted(rest) == sorted(known["E"]) else _hand(known["E"])
    digit = SEATS.index(dealer) + 1 if dealer in SEATS else 0
    return f"{digit}{','.join([*(_hand(known[seat]) for seat in SEATS[:3]), last])}"


def _hand(cards: Sequence[str]) -> str:
    suits = {suit: sorted((card[0] for card in cards if card[1:] == suit), key=ASCENDING.find) for suit in "SHDC"}
    return "".join(suit + "".join(ranks) for suit, ranks in suits.items()) if cards else ""
