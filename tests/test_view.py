"""The page as a file: what it holds, that it holds nothing else, and that what records say cannot become more than text."""

from __future__ import annotations

import json
import re
from base64 import b64encode
from collections import Counter
from dataclasses import replace
from hashlib import sha256
from html.parser import HTMLParser
from pathlib import Path
from typing import Any

import pytest

from handrec import dumps, load, loads
from handrec.api import check
from handrec.cli import run
from handrec.cli.view import _beside
from handrec.dealing import deal_game
from handrec.explanations.weighed import Weighing
from handrec.game import compose
from handrec.games import find
from handrec.record import Contract, Record
from handrec.view import MARK, ShownRecord, link, page, page_data
from handrec.view.anonymous import anonymous
from tests.tables import deal, game

ROOT = Path(__file__).parents[1]
CLEAN = sorted((ROOT / "fixtures" / "clean").rglob("*.json"))
BROKEN = sorted((ROOT / "fixtures" / "broken").rglob("*.json"))

HANDS = "0: AH 7C 2D | 1: 3H KH 9S | 2: 5H TC BJ"


def revoke(**fields: Any) -> Record:
    """Three players, three tricks: seat 0 revokes in the first trick and shows the ace that it kept in the second."""
    bids, plays = "1 1, 2 0, 0 1", "1 3H, 2 5H, 0 7C; 2 TC, 0 AH, 1 9S; 1 KH, 2 BJ, 0 2D"
    fields = {"number": 16, "dealer": "0", "cards": 3, **fields}
    return loads(json.dumps(game("kbabs", 3, deal(hands=HANDS, turn="6S", bids=bids, plays=plays, **fields))))


def shown(record: Record) -> ShownRecord:
    """A record, refereed and ready to be shown."""
    found = find(record.game)
    assert found is not None
    return ShownRecord(record.id or "record", record, check(record), compose(found, record.options)[0])


def one_deal(record: Record) -> dict[str, Any]:
    """The data of a record's only deal."""
    data: dict[str, Any] = page_data([shown(record)])["records"][0]["deals"][0]
    return data


def test_what_a_player_did_stands_beside_what_would_explain_it() -> None:
    """Where it is searched for: the slips, and where to look; a page made without says what is seen at sight."""
    record = load(ROOT / "fixtures" / "broken" / "spades3" / "SP-12-REV005.handrec.json")
    game_, plain = find("spades3"), shown(record)
    assert game_
    (searched,) = page_data([replace(plain, weighing=Weighing(record, game_))])["records"][0]["deals"][0]["findings"]
    assert searched["if_wrong"][0] == "1. K♠\ufe0e written for K♣\ufe0e (0's card to trick 1): as likely"
    assert searched["look_at"][0].startswith("0's card to trick 1: it says K♠\ufe0e; if it was K♣\ufe0e (1) or ")
    assert "cannot be told" not in searched["message"]
    (at_sight,) = page_data([plain])["records"][0]["deals"][0]["findings"]
    assert at_sight["if_wrong"] == at_sight["look_at"] == []
    text = page([replace(plain, weighing=Weighing(record, game_))])
    assert "If the record is wrong: 1. K♠" in text
    assert "What would tell them apart: 0&#x27;s card to trick 1" in text


class Parsed(HTMLParser):
    """The elements of a page, and the text of its scripts and styles by their order."""

    def __init__(self, text: str) -> None:
        super().__init__()
        self.tags: Counter[str] = Counter()
        self.attributes: list[tuple[str, dict[str, str | None]]] = []
        self.raw: list[tuple[str, str]] = []
        self.inside: str | None = None
        self.feed(text)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.tags[tag] += 1
        self.attributes.append((tag, dict(attrs)))
        self.inside = tag if tag in ("script", "style", "title") else None
        if self.inside:
            self.raw.append((tag, ""))

    def handle_endtag(self, tag: str) -> None:
        self.inside = None

    def handle_data(self, data: str) -> None:
        if self.inside:
            tag, text = self.raw[-1]
            self.raw[-1] = (tag, text + data)


# --- the steps ------------------------------------------------------------------------------------------------------


def test_steps_are_the_events_in_order() -> None:
    """Every call and card of the record, named by trick and card, with trump as soon as it can be known."""
    steps = one_deal(revoke())["steps"]
    assert [step["at"] for step in steps] == [
        "b1",
        "b2",
        "b3",
        "b4",
        *(f"{trick}.{card}" for trick in (1, 2, 3) for card in (1, 2, 3)),
    ]
    assert steps[0] == {
        "at": "b1", "do": "turn", "card": "6S", "say": "turned 6♠\ufe0e", "trump": "♠\ufe0e spades",
        "ranks": [("♠\ufe0e", "B✦ L✧ A K Q J 10 9 8 7 6 5 4 3 2"), ("♥\ufe0e♦\ufe0e♣\ufe0e", "A K Q J 10 9 8 7 6 5 4 3 2")],
    }  # fmt: skip
    assert steps[1] == {"at": "b2", "do": "bid", "by": 1, "say": "bids 1", "call": "1"}
    assert steps[6] == {"at": "1.3", "do": "play", "by": 0, "card": "7C", "trick": 1, "legal": ["AH"]}
    assert "legal" not in steps[4]  # any card could be led
    assert one_deal(revoke())["winners"] == {1: 2, 2: 1, 3: 2}


def test_a_card_that_the_transcriber_marked_says_so() -> None:
    """A mark is no ruling: it stands at the card, and by nobody at the table."""
    data = json.loads(json.dumps(revoke().model_dump(by_alias=True, exclude_unset=True)))
    play = next(event for event in data["deals"][0]["events"] if event.get("card") == "7C")
    play["marked"], data["version"] = "revoke", "1.1"
    steps = one_deal(loads(json.dumps(data)))["steps"]
    assert steps[6]["say"] == "marked as a revoke by the transcriber"
    assert [step.get("say") for step in steps[4:] if step["at"] != "1.3"] == [None] * 8


#: Those of every kind that are quickly shown; the others in the long run.
SOME = {*CLEAN[::3], *BROKEN[::12]}


@pytest.mark.some(12)
@pytest.mark.parametrize(
    "path",
    [pytest.param(path, marks=() if path in SOME else pytest.mark.long) for path in CLEAN + BROKEN],
    ids=[path.stem.split(".")[0] for path in CLEAN + BROKEN],
)
def test_every_card_of_every_fixture_is_a_step(path: Path) -> None:
    """No event of a record is lost, none is shown twice, and every card that is named can be drawn."""
    try:
        record = load(path)
    except ValueError:
        return  # no record: there is nothing to show
    one = find(record.game)
    if one is None or len(check(record).deals) != len(record.deals):
        return
    data = page_data([shown(record)])
    for told, written in zip(data["records"][0]["deals"], record.deals, strict=True):
        names = [step["at"] for step in told["steps"]]
        assert len(names) == len(set(names))
        played = Counter(step["card"] for step in told["steps"] if step["do"] in ("play", "stray") and step.get("say") != MISSING)
        assert played == Counter(event.card for event in written.events if event.do == "play")
        rest = Counter(step["do"] for step in told["steps"] if step["do"] not in ("play", "stray"))
        assert rest == Counter(event.do for event in written.events if event.do != "play")
        cards = {card for hand in told["hands"] for card in hand or ()} | set(played)
        assert cards <= set(data["records"][0]["cards"])


def test_a_card_taken_as_what_lies_there_leaves_the_hand_and_is_shown_as_it_is_written() -> None:
    """Bastard: the row has 2D where JD is written as played."""
    record = load(ROOT / "fixtures/broken/bastard/BA-NUI-3-DEA007.handrec.json")
    (deal,) = page_data([shown(record)])["records"][0]["deals"]
    (step,) = [step for step in deal["steps"] if "held" in step]
    assert (step["card"], step["held"], step["say"]) == ("JD", "2D", "taken as 2D, which lies there")
    assert step["held"] in deal["hands"][step["by"]]
    assert step["card"] not in deal["hands"][step["by"]]


MISSING = "a card that is not recorded"


def test_trump_that_changes_is_told_when_it_changes() -> None:
    """In a Bastard whose card is turned after the trick, trump is open while the trick is played, and known when it is won."""
    record = load(ROOT / "fixtures" / "clean" / "bastard-back-end-ultra-mega-nuisance.handrec.json")
    steps = one_deal(record)["steps"]
    trumps = [(step["at"], step["trump"].split()[-1]) for step in steps if "trump" in step]
    assert trumps[:2] == [("1.1", "played"), ("1.3+1", "hearts")]
    turned = [step["card"] for step in steps if step["do"] == "turn" or step.get("by") == 3]
    settled = [words for at, words in trumps if words != "played"]
    suits = {"S": "spades", "H": "hearts", "D": "diamonds", "C": "clubs"}
    assert set(settled) <= {suits[card[1]] for card in turned}


def test_a_contract_is_shown_as_it_was_stated() -> None:
    """Level and declarer too; nothing where none holds."""
    bridge = find("bridge")
    assert bridge is not None
    record = deal_game(bridge, 4, 1, numbers=[1])
    for bid, due in (("4D", "4♦ by S"), ("3NTx", "3NTx by S"), ("9Q", None)):
        contract = Contract(by="S", bid=bid)
        plays = [event for event in record.deals[0].events if event.do == "play"]
        deal = record.deals[0].model_copy(update={"events": [contract, *plays]})
        assert one_deal(record.model_copy(update={"deals": [deal]}))["contract"] == due


def test_hands_that_are_not_recorded() -> None:
    """They are shown as far as they follow from the cards played, and said to be so."""
    told = one_deal(load(ROOT / "fixtures" / "clean" / "partial" / "one-hand-known.handrec.json"))
    assert [seat for seat, hand in enumerate(told["hands"]) if hand] == [0, 1, 2, 3]
    assert len(told["gathered"]) == 3
    assert one_deal(revoke())["gathered"] == []


def test_the_bastard_sits_to_the_dealers_left() -> None:
    """A seat that no player has is one of the ring, where it sits."""
    told = one_deal(load(ROOT / "fixtures" / "clean" / "bastard-back-end-ultra-mega-nuisance.handrec.json"))
    assert told["faced"] == [3]
    assert told["ring"] == [0, 3, 1, 2]
    assert told["dealer"] == 0


# --- findings and what could be known -------------------------------------------------------------------------------


def test_a_finding_with_its_three_dates() -> None:
    """Happened at 1.3; provable to all when the ace falls, at 2.2, which is also when its player plays to a later trick."""
    told = one_deal(revoke())
    (finding,) = told["findings"]
    at = {name: told["steps"][finding[name]]["at"] for name in ("step", "provable", "established")}
    assert at == {"step": "1.3", "provable": "2.2", "established": "2.2"}
    assert finding["could"] == ["AH"]
    assert finding["message"] == "0 played 7♣\ufe0e on a lead of 3♥\ufe0e while holding A♥\ufe0e"
    assert finding["rule"] == "REV001 KB-5.2"
    assert finding["supposed"] is None


def test_who_is_shown_a_finding_and_from_when() -> None:
    """The player from the play on; the others when it is proved to them."""
    told = one_deal(revoke())
    (finding,) = told["findings"]
    happened, proved = finding["step"], finding["provable"]
    assert finding["shows"] == {0: happened, 1: proved, 2: proved, "public": proved}


def test_a_void_is_told_when_it_shows() -> None:
    """Who does not follow has none of the suit; with a joker trumps are another suit than hearts."""
    told = one_deal(revoke())["told"]["public"]
    first = next(entry for entry in told if entry[1] == 0)
    assert one_deal(revoke())["steps"][first[0]]["at"] == "1.3"
    assert first[2] == "H"
    proved = next(place for place, step in enumerate(one_deal(revoke())["steps"]) if step["at"] == "2.2")
    assert told[-1] == [proved]  # then not all can have played by the rules


BIDS = ("P1 H", "P2 Hx2", "P3 turnip")


def bugami(*said: str) -> Record:
    """A deal of Bugami: `P1 H` is a bid, `turn` and a card its turning, `KD` a card led."""
    words = [each.split() for each in said]
    events = [
        {"do": "play", "card": each[0]} if len(each) == 1
        else {"do": "turn", "card": each[1]} if each[0] == "turn"
        else {"do": "bid", "by": each[0], "bid": each[1]}
        for each in words
    ]  # fmt: skip
    return loads(json.dumps(game("bugami", "P1 P2 P3", {"number": 1, "dealer": "P3", "status": "in_progress", "events": events})))


@pytest.mark.parametrize(
    ("said", "spot"),
    [
        ((*BIDS, "turn KC", "KD"), 2),
        (("P1 H", "P1 S", *BIDS[1:], "KD"), 3),  # who bids twice is waited for no longer
        ((*BIDS[:2], "turn KC", "KD"), 3),  # one never bid: all bids are on the table when a card is led
        ((*BIDS[:2], "turn KC", "KD", "P3 S"), 3),
        (BIDS[:2], 2),  # the record does not come so far
        ((), None),
    ],
)
def test_secret_bids_are_shown_when_all_have_bid(said: tuple[str, ...], spot: int | None) -> None:
    """With the last player's bid, or with the first card."""
    assert one_deal(bugami(*said))["disclosed"] == spot


def test_open_bids_are_no_secret() -> None:
    """Where players bid in turn, each bid is known as it is made."""
    assert one_deal(revoke())["disclosed"] is None


@pytest.mark.parametrize(("name", "own"), [("BG-5-BID002", 0), ("BG-5-BID022", 0), ("C-6g-SCO004", None)])
def test_a_finding_on_a_secret_bid_shows_no_earlier_than_the_bid(name: str, own: int | None) -> None:
    """A bid that is no bid, one that cannot be, one that the sheet has otherwise: only its player knows at once."""
    told = one_deal(load(ROOT / "fixtures" / "broken" / "bugami" / f"{name}.handrec.json"))
    (finding,) = told["findings"]
    assert [step["do"] for step in told["steps"][:3]] == ["bid"] * 3
    assert finding["shows"] == {"public": 2, **{seat: own if seat == finding["seat"] else 2 for seat in range(3)}}


def test_a_rule_is_cited_with_sentence_and_source() -> None:
    """The sentence is that of the rule, the source names work, author, place and standing."""
    rules = page_data([shown(revoke())])["records"][0]["rules"]
    kbabs = find("kbabs")
    assert kbabs is not None
    rule = next(rule for rule in kbabs.rules if rule.code == "REV001")
    assert rule.citation is not None
    assert rules["REV001 KB-5.2"]["sentence"] == rule.sentence
    for part in (rule.citation.work.title, rule.citation.work.author, rule.citation.section, rule.citation.standing):
        assert part in rules["REV001 KB-5.2"]["source"]


def test_recorded_beside_recomputed_scores() -> None:
    """A number that is recorded otherwise stands beside the one that is due; one that is not recorded is None."""
    rows = one_deal(revoke(claimed={"scores": {"0": 12, "1": 11}}))["scores"]
    assert [row["points"] for row in rows] == [[-1, 12], [11, 11], [-4, None]]
    assert [row["tricks"][0] for row in rows] == [0, 1, 2]


# --- what is called the same -------------------------------------------------------------------------------------------


def twice(*more: dict[str, Any]) -> Record:
    """Two deals of one number: in the first, a penalty of 10 for seat 0; each with a total written down for it."""
    plays = "1 3H, 2 5H, 0 7C; 2 TC, 0 AH, 1 9S; 1 KH, 2 BJ, 0 2D"
    once = {"hands": HANDS, "turn": "6S", "bids": "1 1, 2 0, 0 1", "plays": plays, "number": 16, "dealer": "0", "cards": 3}
    penalty = [{"do": "penalty", "of": "0", "points": 10}]
    first = deal(**once, then=penalty, claimed={"totals": {"0": -11}})
    second = deal(**once, claimed={"totals": {"0": -12}})
    return loads(json.dumps(game("kbabs", 3, first, second, *more, status="stopped")))


def test_penalties_are_those_of_the_deal() -> None:
    """Also where another deal has its number: -1 and a penalty of 10, then -1 more, is -12, and not the first deal's total."""
    first, second = page_data([shown(twice())])["records"][0]["deals"]
    assert [row["total"] for row in first["scores"]] == [[-11, -11], [11, None], [-4, None]]
    assert [row["total"] for row in second["scores"]] == [[-12, -12], [22, None], [-8, None]]
    assert [row["fine"] for row in first["scores"] + second["scores"]] == [10, 0, 0, 0, 0, 0]


def test_deals_of_one_number_are_told_apart() -> None:
    """Each says which one of its number it is; in two records the second goes with the second."""
    one, other = page_data([shown(twice()), shown(twice({**deal(), "number": 17}))])["records"]
    assert [each["title"] for each in other["deals"]] == ["16 (1 of 2)", "16 (2 of 2)", "17"]
    assert [each["mate"] for each in one["deals"]] == [0, 1]
    assert [each["mate"] for each in other["deals"]] == [0, 1, None]
    assert not any(step.get("differs") for each in one["deals"] for step in each["steps"])
    assert [link(each["number"], each["nth"]) for each in other["deals"]] == ["#d16", "#d16-2", "#d17"]


def test_a_card_is_that_of_its_own_game() -> None:
    """TS is the ten of spades in Spades, and the cat of spades in Bâtarde, whatever else is on the page."""
    names = ("spades3-whole-game", "batarde-4-players")
    records = [shown(load(ROOT / "fixtures" / "clean" / f"{name}.handrec.json")) for name in names]
    for pair in (records, records[::-1]):
        cards = {data["game"]: data["cards"]["TS"] for data in page_data(pair)["records"]}
        assert cards[records[0].game.title] == ("10", "S", "", "ten of spades")
        assert cards[records[1].game.title] == ("T", "S", "", "cat of spades")


# --- where a finding is seen ----------------------------------------------------------------------------------------


def test_where_findings_are_seen_and_marked() -> None:
    """A wrong winner when the trick is played, at the card of who is recorded; a score after the play, at no card."""
    found = one_deal(revoke(claimed={"winners": ["1", "1", "2"], "scores": {"0": 12}}))
    steps = [step["at"] for step in found["steps"]]
    seen = {
        each["rule"].split()[0]: (steps[each["after"] - 1], each["mark"] and steps[each["mark"]]) for each in found["findings"]
    }
    assert seen == {"REV001": ("1.3", "1.3"), "TRK001": ("1.3", "1.1"), "SCO001": ("3.3", None)}


# --- two records ----------------------------------------------------------------------------------------------------


def test_where_two_records_differ() -> None:
    """Only the plays that differ are marked, in both; deals go together by number."""
    other = revoke()
    events = list(other.deals[0].events)
    events[11] = events[11].model_copy(update={"card": "2D"})
    events[12] = events[12].model_copy(update={"card": "BJ"})
    changed = other.model_copy(update={"deals": [other.deals[0].model_copy(update={"events": events})]})
    one, two = page_data([shown(revoke()), shown(changed)])["records"]
    for data in (one, two):
        steps = data["deals"][0]["steps"]
        assert [step["at"] for step in steps if step.get("differs")] == ["3.2", "3.3"]
        assert data["deals"][0]["mate"] == 0
    same = page_data([shown(revoke()), shown(revoke())])["records"]
    assert not any(step.get("differs") for data in same for step in data["deals"][0]["steps"])
    assert page_data([shown(revoke()), shown(revoke(number=17))])["records"][0]["deals"][0]["mate"] is None


def test_what_two_records_say_otherwise() -> None:
    """Hands: the cards that only one of them has there; a claim: after the play; each with what stands here and there."""
    swapped = json.loads(dumps(revoke(claimed={"scores": {"0": -1}})))
    hands = swapped["deals"][0]["hands"]
    hands["0"], hands["1"] = ["AH", "7C", "9S"], ["3H", "KH", "2D"]
    one, two = page_data([shown(revoke()), shown(loads(json.dumps(swapped)))])["records"]
    assert (one["deals"][0]["others"], two["deals"][0]["others"]) == ({0: ["2D"], 1: ["9S"]}, {0: ["9S"], 1: ["2D"]})
    for data, there in ((one, ("–", "-1")), (two, ("-1", "–"))):
        steps, differences = data["deals"][0]["steps"], data["deals"][0]["differences"]
        assert [each["after"] for each in differences if "hand" in each["what"]] == [0, 0]
        assert [(each["after"], each["here"], each["other"]) for each in differences if "score" in each["what"]] == [
            (len(steps), *there)
        ]


def test_records_of_other_players_are_not_compared() -> None:
    """Why is said, and nothing is marked."""
    other = load(ROOT / "fixtures" / "clean" / "kbabs-4-players.handrec.json")
    data = page_data([shown(revoke()), shown(other)])
    assert data["apart"]
    assert not any(record["differences"] or deal["differences"] for record in data["records"] for deal in record["deals"])


# --- the file -------------------------------------------------------------------------------------------------------

HOSTILE = "</script><script>alert(1)</script><img src=x onerror=alert(1)>&amp;\u202e$title"


def hostile() -> Record:
    """A record that says harmful things wherever it may say anything."""
    plain = json.loads(dumps(revoke(comments=[{"text": HOSTILE, "by": HOSTILE, "event": 3}])))
    plain |= {"id": HOSTILE, "comments": [{"text": HOSTILE}], "provenance": {"source": HOSTILE}, "extensions": {HOSTILE: HOSTILE}}
    plain["players"] = [{**player, "name": HOSTILE} for player in plain["players"]]
    return loads(json.dumps(plain))


def test_the_policy_allows_exactly_the_pages_own_style_and_script() -> None:
    """The policy is the first meta, its hashes are those of what stands there, and nothing else may run or load."""
    parsed = Parsed(page([shown(revoke())]))
    first = next(attributes for tag, attributes in parsed.attributes if tag == "meta")
    assert first["http-equiv"] == "Content-Security-Policy"
    policy = dict(part.split(" ", 1) for part in (first["content"] or "").split("; "))
    assert policy.keys() == {"default-src", "script-src", "style-src", "img-src", "base-uri", "form-action"}
    assert policy["default-src"] == policy["base-uri"] == policy["form-action"] == "'none'"
    style = next(text for tag, text in parsed.raw if tag == "style")
    script = [text for tag, text in parsed.raw if tag == "script"][-1]
    for name, text in (("style-src", style), ("script-src", script)):
        assert policy[name] == f"'sha256-{b64encode(sha256(text.encode()).digest()).decode()}'"
    assert parsed.tags["style"] == 1
    assert not any(
        "style" in attributes or any(key.startswith("on") for key in attributes) for _, attributes in parsed.attributes
    )


def test_the_page_asks_for_nothing() -> None:
    """No element of the page, and nothing in its style or script, names another place."""
    text = page([shown(load(ROOT / "fixtures" / "clean" / "kbabs-4-players.handrec.json"))])
    parsed = Parsed(text)
    assert not parsed.tags.keys() & {"link", "img", "iframe", "object", "embed", "base", "form" if "action=" in text else ""}
    assert not any(attributes.get("src") for _, attributes in parsed.attributes)
    assert {attributes["href"] for tag, attributes in parsed.attributes if tag == "a"} == {"#boards"}
    code = "".join(text for tag, text in parsed.raw if tag in ("style", "script") and not text.startswith("{"))
    assert not re.search(r"https?://|url\(|@import|fetch\(|XMLHttp|WebSocket|innerHTML|document\.write|eval\(", code)


def test_what_a_record_says_stays_text() -> None:
    """Whatever stands in a record, the page has the same elements as without it, and data that reads back the same."""
    harmless, harmful = Parsed(page([shown(revoke())])), Parsed(page([shown(hostile())]))
    added = harmful.tags - harmless.tags
    assert added.keys() <= {"p", "li"}
    assert not harmless.tags - harmful.tags
    islands = [text for tag, text in harmful.raw if tag == "script"][:-1]
    assert not any(sign in text for text in islands for sign in "<>&")
    assert loads(islands[1]) == hostile()
    data = json.loads(islands[0])
    assert data["records"][0]["seats"][0]["name"].startswith("</script><script>")
    assert "\u202e" not in json.dumps(data, ensure_ascii=False)
    assert "$style" not in (title := next(text for tag, text in harmful.raw if tag == "title"))
    assert title.startswith("</script><script>alert(1)")


def test_the_page_is_always_the_same() -> None:
    """The same record gives the same bytes."""
    assert page([shown(revoke())]) == page([shown(revoke())])


@pytest.mark.some(1)
@pytest.mark.parametrize("name", ["kbabs-4-players", "kbabs-6-players", "batarde-4-players", "spades3-whole-game"])
def test_a_whole_game_is_a_small_file(name: str) -> None:
    """Less than 400 kB, the record itself included."""
    record = load(ROOT / "fixtures" / "clean" / f"{name}.handrec.json")
    assert len(page([shown(record)]).encode()) < 400_000


def test_the_transcript_tells_every_trick() -> None:
    """Without scripts stands there: each trick with leader and winner, the finding as a footnote, the score."""
    text = page([shown(revoke(claimed={"scores": {"0": 12}}))])
    transcript = re.sub(r"<[^>]+>", "", text[text.index('<section id="transcript"') : text.index("</main>")]).replace(
        "\ufe0e", ""
    )
    assert "▸3♥" in transcript
    assert "5♥★" in transcript
    assert "7♣2" in transcript  # the card with the number of its footnote
    assert "REV001 KB-5.2 deal 16, trick 1, seat 0: 0 played 7♣" in transcript
    assert "12 → -1" in transcript


def test_the_files_of_the_page_are_in_the_wheel(tmp_path: Path) -> None:
    """The build takes whole packages, files that are no Python included."""
    import tomllib

    built = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))["tool"]["hatch"]["build"]["targets"]["wheel"]
    assert built["packages"] == ["handrec"]
    present = {path.name for path in (ROOT / "handrec" / "view").iterdir()}
    assert {"page.html", "view.css", "stand.js", "draw.js", "view.js"} <= present


# --- the command ----------------------------------------------------------------------------------------------------


@pytest.fixture
def path(tmp_path: Path) -> Path:
    """A file with the record of a revoke."""
    (tmp_path / "r.json").write_text(dumps(revoke()), "utf-8")
    return tmp_path / "r.json"


def test_view_writes_a_page(path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """Beside the record, or where it is told to; and says where."""
    target = path.with_suffix(".html")
    assert run(["view", str(path)]) == 0
    assert capsys.readouterr() == ("", f"wrote {target}\n")
    assert target.read_text("utf-8").startswith("<!doctype html>")
    assert run(["view", str(path), "-o", "-"]) == 0
    assert capsys.readouterr().out == target.read_text("utf-8")
    elsewhere = path.with_name("elsewhere.html")
    assert run(["view", str(path), "-o", str(elsewhere)]) == 0
    assert elsewhere.read_text("utf-8") == target.read_text("utf-8")
    assert run(["view", str(path), str(path)]) == 0
    assert path.with_name("r-and-r.html").exists()


NAMES = {
    "a.b.handrec.json": "a.b.html",
    "A.HRT": "A.html",
    "evening.jsonl.gz": "evening.html",
    ".json": ".json.html",
    "a": "a.html",
}


@pytest.mark.parametrize(("name", "page_name"), NAMES.items())
def test_where_a_page_stands(name: str, page_name: str, tmp_path: Path) -> None:
    """It is called as the record, without what says that this is one; what is no file has nothing beside it."""
    (tmp_path / name).touch()
    assert _beside([str(tmp_path / name)], None) == tmp_path / page_name
    assert _beside(["<stdin>"], None) is None


def test_a_page_takes_the_place_of_a_page_and_of_nothing_else(path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """An earlier page is written anew; whatever else is there stays as it is, and the record most of all."""
    target = path.with_suffix(".html")
    assert run(["view", str(path), "--anonymise"]) == 0
    before = target.read_bytes()
    assert run(["view", str(path)]) == 0
    assert target.read_bytes() != before
    earlier = target.read_bytes()
    others = [
        b"",
        b"mine",
        b"<!doctype html>\n<title>mine</title>",
        b" " + earlier,
        b"<!doctype html>" + b" " * 1024 + MARK.encode(),
    ]
    for other in others:
        target.write_bytes(other)
        for output in ((), ("-o", str(target))):
            assert run(["view", str(path), *output]) == 2
            assert "exists already" in capsys.readouterr().err
            assert target.read_bytes() == other
    kept = path.with_name("kept")
    target.unlink()
    kept.write_bytes(earlier)
    target.symlink_to(kept)
    assert run(["view", str(path), "--anonymise"]) == 2
    assert kept.read_bytes() == earlier
    record = path.read_bytes()
    assert run(["view", str(path), "-o", str(path)]) == 2
    assert path.read_bytes() == record


def test_view_opens_the_browser(path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """With --open, at the page that was just written."""
    asked: list[str] = []
    monkeypatch.setattr("webbrowser.open", asked.append)
    target = path.with_suffix(".html")
    assert run(["view", str(path), "-o", str(target), "--open"]) == 0
    assert run(["view", str(path), "--open"]) == 0
    assert asked == [target.as_uri()] * 2


def test_view_watches_a_record(path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    """The page is written anew when the record has changed, says so while that cannot be shown, and in the end stands still."""
    target = path.with_suffix(".html")
    good, edits, seen = path.read_text("utf-8"), iter(["", good_with("Zoe"), "{", None]), []

    def shown_now() -> dict[str, Any]:
        islands = [text for tag, text in Parsed(target.read_text("utf-8")).raw if tag == "script"]
        found: dict[str, Any] = json.loads(islands[0])
        return found

    def edited(seconds: float) -> None:
        """What the author of the record does while the command sleeps."""
        data = shown_now()
        seen.append((data["watched"], data["records"][0]["seats"][0]["name"], bool(data["notice"])))
        if (text := next(edits)) is None:
            raise KeyboardInterrupt
        path.write_text(text or good, "utf-8")

    monkeypatch.setattr("time.sleep", edited)
    assert run(["view", str(path), "--watch"]) == 0
    assert seen == [(True, "", False), (True, "", False), (True, "Zoe", False), (True, "Zoe", True)]
    data = shown_now()
    assert (data["watched"], data["records"][0]["seats"][0]["name"]) == (False, "Zoe")
    assert any("FMT001" in line for line in data["notice"])
    assert "watching" in capsys.readouterr().err
    path.write_text(good, "utf-8")
    for wrong in (
        ["-", "--watch"],
        [str(path), "-o", "-", "--watch"],
        [str(path), "--lin-url", "--watch"],
        [str(path.parent), "--watch"],
    ):
        assert run(["view", *wrong]) == 2
        assert "--watch" in capsys.readouterr().err


def good_with(name: str) -> str:
    """The record of a revoke, with another name for its first player."""
    data = json.loads(dumps(revoke()))
    data["players"][0]["name"] = name
    return json.dumps(data)


def test_view_without_names(path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """With --anonymise no text that may name somebody is left, in no part of the page."""
    written = json.loads(dumps(hostile()).replace("alert", "Mallory"))
    written["deals"][0]["events"].append({"do": "ruling", "by": "Mallory", "of": "0", "trick": 1, "verdict": "upheld"})
    path.write_text(json.dumps(written), "utf-8")
    assert run(["view", str(path), "-o", "-"]) == 0
    assert "Mallory" in capsys.readouterr().out
    assert run(["view", str(path), "--anonymise", "-o", "-"]) == 0
    out = capsys.readouterr().out
    assert "Mallory" not in out
    assert "ruling on 0, trick 1: upheld" in out


def seated(*seats: str) -> str:
    """A deal in which these three seats are named wherever a record can name one, as JSON."""
    a, b, c = seats
    said = [
        {"do": "accuse", "by": b, "of": a, "trick": 1},
        {"do": "ruling", "by": "Mallory", "of": a, "trick": 1, "verdict": "upheld"},
        {"do": "transfer", "by": c, "of": b, "tricks": 1},
        {"do": "penalty", "by": b, "of": a, "points": 10, "reason": "for_Mallory"},
        {"do": "claim", "by": a, "tricks": {a: 0, b: 1, c: 2}},
    ]
    numbers = {a: 1, b: 2, c: 3}
    claimed = {"bids": numbers, "winners": [c, b, c], "tricks": numbers, "scores": numbers, "totals": numbers}
    hands = f"{a}: AH 7C 2D | {b}: 3H KH 9S | {c}: 5H TC BJ"
    plays = f"{b} 3H, {c} 5H, {a} 7C; {c} TC, {a} AH, {b} 9S; {b} KH, {c} BJ, {a} 2D"
    one = deal(
        hands=hands, turn="6S", bids=f"{b} 1, {c} 0, {a} 1", plays=plays, then=said,
        dealer=a, leader=b, number=16, cards=3, claimed=claimed,
    )  # fmt: skip
    totals = {"totals": {a: 3, b: 4, c: 5}, "winners": [a]}
    return json.dumps({**game("kbabs", " ".join(seats), one, claimed=totals), "$schema": "file:///home/Mallory/s.json"})


def test_a_seat_in_an_option_may_be_a_name_too() -> None:
    """It is called anew with the others."""
    data = game("spades3", "Mallory Trudy Peggy", options={"d_after_seat": "Trudy", "two_of_clubs": "high"})
    assert anonymous(Record.model_validate(data)).options == {"d_after_seat": "P2", "two_of_clubs": "high"}


@pytest.mark.parametrize("seats", [("Mallory", "Trudy", "Peggy"), ("P3", "P1", "Mallory"), ("North", "East", "d_Artagnan")])
def test_view_without_seats_that_are_names(path: Path, capsys: pytest.CaptureFixture[str], seats: tuple[str, ...]) -> None:
    """Where a seat may be somebody's name, the page is that of the same deal with seats P1, P2, P3."""
    path.write_text(seated(*seats), "utf-8")
    assert run(["view", str(path), "--anonymise", "-o", "-"]) == 0
    out = capsys.readouterr().out
    path.write_text(seated("P1", "P2", "P3"), "utf-8")
    assert run(["view", str(path), "--anonymise", "-o", "-"]) == 0
    assert out == capsys.readouterr().out
    assert not re.search("Mallory|Trudy|Peggy|Artagnan|file:", out)
    assert "penalty of 10 for P1" in out


@pytest.mark.parametrize("seats", [("N", "E", "S"), ("north", "East", "SOUTH"), ("0", "1", "2"), ("player-1", "seat2", "X12")])
def test_view_keeps_seats_that_are_no_names(path: Path, capsys: pytest.CaptureFixture[str], seats: tuple[str, ...]) -> None:
    """Letters, numbers and points of the compass."""
    path.write_text(seated(*seats), "utf-8")
    assert run(["view", str(path), "--anonymise", "-o", "-"]) == 0
    out = capsys.readouterr().out
    islands = [text for tag, text in Parsed(out).raw if tag == "script"]
    assert [player.seat for player in loads(islands[1]).players] == list(seats)
    assert "Mallory" not in out


def test_view_of_what_cannot_be_shown(path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """A broken file, no file, too many files, and --open without a file to open: said in a line, and nothing written."""
    target = path.with_suffix(".html")
    broken = path.with_name("broken.json")
    broken.write_text('{"format": "handrec"', "utf-8")
    asked = {
        (str(broken),): (2, "FMT001"),
        (str(path.with_name("none.json")),): (2, "no such file"),
        (str(path), str(path), str(path)): (2, "not 3"),
        (str(path), "--record", "2"): (2, "there is no record 2"),
    }
    for arguments, (code, words) in asked.items():
        assert run(["view", *arguments, "-o", str(target)]) == code
        captured = capsys.readouterr()
        assert words in captured.err
        assert captured.out == ""
        assert not target.exists()
    assert run(["view", str(path), "-o", "-", "--open"]) == 2
    assert "-o" in capsys.readouterr().err


def test_view_of_one_record_of_many(path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """Where a file holds several records, one is chosen."""
    kbabs = find("kbabs")
    assert kbabs is not None
    lines = [json.dumps(json.loads(dumps(deal_game(kbabs, 3, seed, numbers=[1])))) for seed in (1, 2)]
    many = path.with_name("many.jsonl")
    many.write_text("\n".join(lines) + "\n", "utf-8")
    assert run(["view", str(many)]) == 2
    assert "holds 2 records" in capsys.readouterr().err
    assert run(["view", str(many), "--record", "2", "-o", "-"]) == 0
    islands = [text for tag, text in Parsed(capsys.readouterr().out).raw if tag == "script"]
    assert loads(islands[1]) == loads(lines[1])
