"""Three-player Spades reckoned a second time, plainly and from the rules alone: plays, bids, books and scores."""

from __future__ import annotations

from typing import Any

Data = dict[str, Any]
SEATS = ["P1", "P2", "P3"]
SPADES = ["3S", "4S", "5S", "6S", "7S", "8S", "9S", "TS", "JS", "QS", "KS", "AS", "2S", "LJ", "BJ"]
PACK = SPADES + [rank + suit for suit in "CHD" for rank in "23456789TJQKA" if rank + suit not in ("2H", "2D")]
OPEN = [200, 150, 100, 30, 40, 50, 60, 100, 150, 200, 225, 250, 275, 0]
BLIND = [500, 300, 200, 70, 80, 90, 100, 200, 250, 300, 0, 0, 0, 0]
FAILED = [120, 110, 100, 30, 40, 50, 60, 70, 80, 90, 100, 110, 120, 130]
BEMOS = {"bemo": (4, 100, -50), "big_bemo": (6, 200, -100)}


# --- play -------------------------------------------------------------------------------------------------------------


def suit(card: str) -> str:
    return "S" if card in SPADES else card[1]


def height(card: str, chosen: Data) -> int:
    if card == "2C" and chosen.get("two_of_clubs") == "high":
        return 99
    return 100 + SPADES.index(card) if card in SPADES else "23456789TJQKA".index(card[0])


def may_play(held: list[str], trick: list[str], earlier: list[str], chosen: Data) -> list[str]:
    if trick:
        return [card for card in held if suit(card) == suit(trick[0])] or held
    unbroken = chosen.get("spades_broken") and not any(suit(card) == "S" for card in earlier)
    return [card for card in held if suit(card) != "S"] or held if unbroken else held


def wins(trick: list[Data], chosen: Data) -> str:
    lead = suit(trick[0]["card"])
    able = [play for play in trick if suit(play["card"]) in ("S", lead)]
    return str(max(able, key=lambda play: height(play["card"], chosen))["by"])


def turns_kept(deal: Data, chosen: Data) -> int:
    """The first event that was played out of turn; from there on nobody can say which cards make up a trick."""
    turn, trick = SEATS.index(deal["dealer"]) + 1, []
    for place, event in enumerate(deal["events"]):
        if event["do"] == "play":
            if event["by"] != SEATS[turn % 3]:
                return place
            trick.append(event)
            turn += 1
            if len(trick) == 3:
                turn, trick = SEATS.index(wins(trick, chosen)), []
    return len(deal["events"])


def judged_play(deal: Data, chosen: Data) -> tuple[dict[int, list[str]], list[str], set[int]]:
    """The cards that could be played at each play, the winners of the tricks, and the plays that were not allowed."""
    held = {seat: list(cards) for seat, cards in deal["hands"].items()}
    could, winners, wrong = {}, [], set()
    played: list[Data] = []
    for place, event in enumerate(deal["events"]):
        if event["do"] == "play":
            start = len(played) // 3 * 3
            cards = [play["card"] for play in played]
            could[place] = may_play(held[event["by"]], cards[start:], cards[:start], chosen)
            if event["card"] not in could[place]:
                wrong.add(place)
            held[event["by"]] = [card for card in held[event["by"]] if card != event["card"]]
            played.append(event)
            if len(played) % 3 == 0:
                winners.append(wins(played[start:], chosen))
    return could, winners, wrong


# --- bids -------------------------------------------------------------------------------------------------------------


def judged_bids(deal: Data, chosen: Data) -> tuple[dict[str, Data], set[int]]:
    """What each seat has bid in the end (number, blind, bemos), and the events of the bidding that were not allowed."""
    first = SEATS.index(deal["dealer"]) + 1
    order = [SEATS[(first + step) % 3] for step in range(3)]
    stand: dict[str, Data] = {seat: {"bid": None, "blind": False, "bemos": set(), "saw": False} for seat in SEATS}
    alone, free, both = chosen.get("bemo_mode") == "standalone", chosen.get("bid_order") == "free", chosen.get("bemo_both")
    wrong, any_open, started = set(), False, False
    firsts: Data = {}
    lead = next((place for place, event in enumerate(deal["events"]) if event["do"] == "play"), None)
    for event in deal["events"][:lead]:
        if event["do"] == "bid" or event.get("what") in BEMOS:
            firsts.setdefault(event["by"], event) if event["do"] == "bid" or alone else None
    no_turn = [seat for seat in SEATS if firsts.get(seat, {}).get("blind") or (lead is not None and seat not in firsts)]
    for place, event in enumerate(deal["events"]):
        mine, what = stand.get(event.get("by", ""), {}), event.get("what", event["do"])
        started = started or what == "play"
        if what == "look":
            mine["saw"] = True
        if what not in ("bid", "bemo", "big_bemo"):
            continue
        if started:
            wrong.add(place)
            continue
        unseen = not mine["saw"] and any(e.get("what") == "look" and e["by"] == event["by"] for e in deal["events"][place:])
        waiting = [seat for seat in order if stand[seat]["bid"] is None and not (alone and stand[seat]["bemos"])]
        new = event["by"] in waiting
        waiting = [seat for seat in waiting if seat not in no_turn]
        in_turn = free or not new or event["by"] == (waiting or [event["by"]])[0]
        if what != "bid":
            ok = not unseen and what not in mine["bemos"] and (both or what == "big_bemo" or not mine["bemos"])
            ok = ok and not (alone and mine["bid"] is not None) and (in_turn or not alone)
            mine["bemos"] = mine["bemos"] | {what} if both else {max(what, *mine["bemos"])} if mine["bemos"] else {what}
            mine["saw"] = mine["saw"] or not unseen
            any_open = any_open or alone
        else:
            marked, number = event.get("blind", False), event["bid"]
            stays = mine["blind"] and (chosen.get("blind_raise") == "stays_blind" or unseen)
            blind = marked or stays
            higher = 0 <= number <= 13 and mine["bid"] is not None and number > mine["bid"]
            ok = higher or (new and 0 <= number <= 13)
            if mine["bid"] == -1:  # its first bid was none that the game knows
                ok = higher
            elif marked:
                ok = ok and (stays or ((new or mine["blind"]) and not mine["saw"])) and not (new and any_open and not free)
            elif not blind:
                ok = ok and in_turn and not (new and unseen) and not (mine["blind"] and chosen.get("blind_raise") == "forbidden")
            if ok or new or (higher and marked):  # a bid wrongly called blind is a bid all the same
                mine["bid"], mine["blind"] = (number, blind) if 0 <= number <= 13 else (-1, False)
            any_open = any_open or not blind
            mine["saw"] = mine["saw"] or not blind
        if not ok:
            wrong.add(place)
    return stand, wrong


# --- books taken ------------------------------------------------------------------------------------------------------


def judged_books(deals: list[Data], chosen: Data) -> tuple[list[dict[str, int]], set[tuple[int, int]]]:
    """How many tricks each seat has in each deal, and the transfers (deal, event) that nobody had a right to."""
    rights: dict[tuple[int, str, str], int] = {}
    tricks, wrong = [], set()
    for here, deal in enumerate(deals):
        winners, reneges = judged_play(deal, chosen)[1:]
        have = {seat: winners.count(seat) for seat in SEATS}
        plays, open_claims = 0, {}
        for place, event in enumerate(deal["events"]):
            if event["do"] == "play":
                plays += 1
                if plays % 3 == 1:
                    open_claims = {}
                elif place in reneges:
                    open_claims[event["by"]] = True
            elif event["do"] == "accuse" and event["trick"] == (plays + 2) // 3 and open_claims.pop(event["of"], False):
                key = (here, event["by"], event["of"])
                rights[key] = rights.get(key, 0) + 3
            elif event["do"] == "transfer":
                deal_of = event.get("of_deal", here + 1) - 1
                key, many = (deal_of, event["by"], event["of"]), event["tricks"]
                late = deal_of != here and chosen.get("renege_books_later_hand") is False
                if late or many > rights.get(key, 0) or many > have[event["of"]]:
                    wrong.add((here, place))
                    continue
                rights[key] -= many
                have[event["of"]] -= many
                have[event["by"]] += many
        tricks.append(have)
    return tricks, wrong


# --- scores -----------------------------------------------------------------------------------------------------------


def reckoned(deals: list[Data], chosen: Data) -> tuple[list[Data], int | None, list[str]]:
    """The scores and totals of each deal, the number of the deal that ends the game, and who wins it."""
    totals, over, run, paid = (dict.fromkeys(SEATS, 0) for _ in range(4))
    rows: list[Data] = []
    for number, (deal, have) in enumerate(zip(deals, judged_books(deals, chosen)[0], strict=True), 1):
        winners, bids = judged_play(deal, chosen)[1], judged_bids(deal, chosen)[0]
        scores, champion = {}, []
        for seat, bid in bids.items():
            got, points, extra = have[seat], 0, 0
            for bemo in bid["bemos"]:
                many, made, lost = BEMOS[bemo]
                points += made if set(winners[:many]) == {seat} else lost
            perfect = False
            if not (bid["bemos"] and chosen.get("bemo_mode") == "standalone"):
                want, exact = bid["bid"], bid["blind"] or bid["bid"] <= 2
                perfect = got == want
                if perfect or (got > want and not exact):
                    points += (BLIND if bid["blind"] else OPEN)[want]
                    champion += [seat] if want == 13 or (bid["blind"] and want >= 10) else []
                    extra = got - want
                else:
                    points -= FAILED[want]
                    extra = max(0, got - want) if chosen.get("failed_exact_overtricks") else 0
            run[seat] = run[seat] + 1 if perfect else 0
            if run[seat] >= 3:
                big = run[seat] == 3 and not (paid[seat] and chosen.get("perfect_restart") is False)
                points, paid[seat] = points + (100 if big else 50), 1
            before, over[seat] = over[seat], over[seat] + extra
            for step in range(10, over[seat] + 1, 10):
                if step > before and (step <= 20 or chosen.get("overtrick_beyond_20") == "per_ten"):
                    points -= 200 if step == 20 and chosen.get("overtrick_penalty") == "separate" else 100
            scores[seat] = points + extra
            totals[seat] += scores[seat]
        rows.append({"tricks": have, "scores": scores, "totals": dict(totals), "winners": winners})
        if champion:
            return rows, number, champion
        if max(totals.values()) >= 500:
            best = max((totals[seat], -over[seat]) for seat in SEATS)
            first = [seat for seat in SEATS if (totals[seat], -over[seat]) == best]
            if len(first) == 1 or chosen.get("tie") != "play_on":
                return rows, number, first
    return rows, None, []
