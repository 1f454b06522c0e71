"""An auction of bridge judged anew from the whole list of its calls, as somebody would with the Laws beside them.

Nothing is kept but the list of calls that stand. Whose turn it is, which bid is the last, whether it is doubled, who declares and
whether the auction is over is read off that list each time; calls nobody knows are taken for a pass and for none.
"""

from __future__ import annotations

from collections.abc import Iterator
from itertools import product

ORDER = [f"{level}{strain}" for level in range(1, 8) for strain in ("C", "D", "H", "S", "NT")]
Stood = list[
    tuple[int, str, bool]
]  # seat, call, and whether it was out of turn, or too low; "!" is a double as if it had not been made


def last_bid(stood: Stood) -> int | None:
    return max((place for place, (_, call, _) in enumerate(stood) if call in ORDER), default=None)


def known(stood: Stood) -> bool:
    """Whether no call since the last bid is hidden."""
    return all(call != "?" for _, call, _ in stood[last_bid(stood) or 0 :])


def doubles(stood: Stood) -> list[int]:
    """The seats that have doubled or redoubled the last bid."""
    bid = last_bid(stood)
    return [] if bid is None else [seat for seat, call, _ in stood[bid:] if call in ("X", "XX")]


def passes(stood: Stood, hidden: tuple[bool, ...]) -> tuple[int, bool]:
    """Passes at the end, and whether anybody bid, if those hidden are passes or not."""
    passing, many, bid = iter(hidden), 0, False
    for _, call, _ in stood:
        passed = next(passing) if call in ("?", "!") else call == "pass"
        many = many + 1 if passed else 0
        bid |= not passed and call != "!"
    return many, bid


def over(stood: Stood) -> Iterator[bool]:
    """Whether three have passed over a bid, or all four, whatever the hidden calls were; those passed over made none."""
    stood = [each for each in stood if each[1] != "~"]
    hidden = sum(call in ("?", "!") for _, call, _ in stood)
    for each in product((True, False), repeat=hidden):
        many, bid = passes(stood, each)
        yield many >= (3 if bid else 4)


def admissible(stood: Stood, seat: int, call: str) -> bool:
    """Whether a double or a redouble can be made."""
    bid = last_bid(stood)
    if bid is None:
        return False
    if call == "X":
        return (stood[bid][0] - seat) % 2 == 1 and not doubles(stood)
    return (stood[bid][0] - seat) % 2 == 0 and [(seat + 1) % 2] == [by % 2 for by in doubles(stood)]


def wrong(stood: Stood, barred: set[int], seat: int, call: str) -> str | None:
    bid = last_bid(stood)
    if call in ("pass", "?"):
        return None
    if call not in (*ORDER, "X", "XX"):
        return "BID026" if call[:1] in ("8", "9") else "BID002"
    if seat in barred:
        return "BID027"
    if call in ORDER:
        return "BID023" if bid is not None and ORDER.index(call) <= ORDER.index(stood[bid][1]) else None
    if not known(stood):
        return None
    if admissible(stood, seat, call):
        return None
    if call == "X":
        return "BID024"
    idle = [other for other, made, _ in stood[bid or 0 :] if made == "!"]
    return None if idle and (idle[-1] - seat) % 2 == 1 else "BID025"


def judged(calls: list[tuple[int, str]], dealer: int, led: bool) -> tuple[list[tuple[int, str]], str | None]:
    """What is wrong, by the places of calls, and the contract with its declarer, such as `4Sx 2`; None if that is not known."""
    if calls and calls[0][0] != dealer:  # the passes in front are left out, if nothing else is wrong then
        whole = [*(((dealer + step) % 4, "pass") for step in range((calls[0][0] - dealer) % 4)), *calls]
        found, came = judged(whole, dealer, False)
        if not found and came is not None and ended(whole, dealer):
            return [(0, "BID033")], came
    stood: Stood = []
    barred: set[int] = set()
    found: list[tuple[int, str]] = []
    ends = None  # how the list ended: over, or cancelled
    waiting: tuple[int, str] | None = None
    mended: tuple[int, str] | None = None
    short = True
    reverts: tuple[int, Stood, set[int]] | None = None  # who doubled wrongly, and what stood then
    goes_on = dealer  # whose turn it is in calls that are cancelled

    def turn() -> int:
        return (stood[-1][0] + 1) % 4 if stood else dealer

    def stand(seat: int, call: str, out: bool = False) -> None:
        nonlocal ends, goes_on
        fault = wrong(stood, barred, seat, call)
        if fault == "BID026" or (fault in ("BID024", "BID025") and not led):
            ends, goes_on = "cancelled", (seat + 1) % 4
        elif fault == "BID024":
            stood.append((seat, "!", out))
        elif fault == "BID025":
            stood.append((seat, "!!", out))
        elif fault == "BID002":
            stood.append((seat, "?", out))
        else:
            void = call in ("X", "XX") and known(stood) and not admissible(stood, seat, call)
            stood.append((seat, "XX!" if void else call, out or fault == "BID023"))

    for place, (seat, call) in enumerate(calls):
        after = [other for other, _ in calls[place + 1 : place + 3]]
        if reverts is not None and seat == reverts[0] and waiting is None:
            if seat != (goes_on if ends == "cancelled" else turn()):
                stood[:], barred, ends = reverts[1], reverts[2], None
            reverts = None
        if ends == "cancelled":
            goes_on = (seat + 1) % 4
            continue
        if ends is not None:
            if ends == "over":
                found.append((place, "BID016"))
            break
        before, waiting = waiting, None
        after = [before[0], *after] if before else after
        following, due = after[0] if after else None, turn()
        again, mended = mended, None
        short = True
        if seat != due:
            found.append((place, "BID001"))
            short = False
            would = [*stood, (due, call, False)]
            last = call == "pass" and is_over(would) and not any(out for _, _, out in tail(stood))
            if following == (due + 1) % 4 or (following is None and last):
                stand(due, call)
            elif seat == (due + 1) % 4 and after in ([due], [due, (due + 2) % 4]):
                waiting = seat, call
            elif following == (seat + 1) % 4 and following != due:
                skipped = [((due + step) % 4, "~", True) for step in range((seat - due) % 4) if call == "pass"]
                stood.extend(skipped)
                stand(seat, call, call == "pass")
        else:
            if again is not None and again[0] == seat:
                corrected = again[1]
                if corrected in ("BID024", "BID025") or (call == "pass" and corrected in ("BID023", "BID026")):
                    barred.add((seat + 2) % 4)
                if call == "pass" and corrected == "BID026":
                    barred.add(seat)
            fault = wrong(stood, barred, seat, call)
            if fault is None:
                stand(seat, call)
            else:
                found.append((place, fault))
                short = False
                if following in (None, seat):
                    mended = seat, fault
                elif following == (seat + 1) % 4 or fault not in ("BID023", "BID027"):
                    if fault in ("BID024", "BID025"):
                        reverts = seat, [*stood], {*barred}
                    stand(seat, call)
                elif fault == "BID027":
                    stand(seat, "pass")
        if before and ends is None:
            short = revert(stood) and short
            if not is_over(stood):
                stand(*before)
        if ends is None:
            short = revert(stood) and short
            if is_over(stood):
                ends = "over"
    hidden = any(call == "?" for _, call, _ in stood)
    perhaps = [(seat, "pass" if call == "~" or (out and call in ORDER) else call, out) for seat, call, out in as_hidden(stood)]
    if ends is None and short and led and not hidden and not any(over(perhaps)):
        found.append((-1, "BID006"))
    return found, None if ends == "cancelled" else contract(stood, ends == "over")


def ended(calls: list[tuple[int, str]], dealer: int) -> bool:
    """Whether calls in turn come to an end."""
    return is_over([(seat, call, False) for seat, call in calls])


def as_hidden(stood: Stood) -> Stood:
    return [(seat, "!" if call in ("!!", "XX!") else call, out) for seat, call, out in stood]


def tail(stood: Stood) -> Stood:
    """The passes at the end, with calls that may have been passes."""
    start = len(stood)
    while start and stood[start - 1][1] in ("pass", "?", "!", "!!", "XX!", "~"):
        start -= 1
    return stood[start:]


def is_over(stood: Stood) -> bool:
    return all(over(as_hidden(stood)))


def revert(stood: Stood) -> bool:
    """Law 17D3: if one of the passes that would end it was out of turn, all from that on are undone; False if so."""
    if not is_over(stood):
        return True
    late = next((place for place, (_, _, out) in enumerate(stood) if out and place >= len(stood) - len(tail(stood))), None)
    if late is None:
        return True
    del stood[late:]
    return False


def contract(stood: Stood, ended: bool) -> str | None:
    bid = last_bid(stood)
    if not known(stood) or (bid is None and any(call == "?" for _, call, _ in stood)):
        return None
    if bid is None:
        return "pass" if ended else None
    seat, call, _ = stood[bid]
    for place, (other, named, _) in enumerate(stood):
        if named in ORDER and named[1:] == call[1:] and (other - seat) % 2 == 0:
            partner = any(by == (other + 2) % 4 and what == "?" for by, what, _ in stood[:place])
            return f"{call}{'x' * len(doubles(stood))} {'?' if partner else other}"
    raise AssertionError("somebody named it")
