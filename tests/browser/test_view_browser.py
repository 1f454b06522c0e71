"""The page in a real browser: keys, links, findings, seat views, phones, dark mode, print, hostile text, accessibility.

Needs the extra `browser` and a Chromium on the machine (Debian: `apt-get install chromium`); axe-core comes from the npm
registry while the tests run. Every record here has players with hostile names.
"""

from __future__ import annotations

import json
import shutil
import subprocess
import tarfile
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import pytest

from handrec import dumps, load, loads
from handrec.api import check
from handrec.dealing import deal_game
from handrec.explanations.weighed import Weighing
from handrec.game import Game, compose
from handrec.games import find, names
from handrec.record import Record
from handrec.view import ShownRecord, page

playwright = pytest.importorskip("playwright.sync_api", reason="playwright is not installed: pip install 'handrec[browser]'")
CHROMIUM = next(filter(None, map(shutil.which, ("chromium", "chromium-browser", "google-chrome"))), None)
pytestmark = [
    pytest.mark.browser,
    pytest.mark.skipif(CHROMIUM is None, reason="there is no Chromium on this machine: apt-get install chromium"),
]

ROOT = Path(__file__).parents[2]
QUIET = ["--no-sandbox", "--disable-background-networking", "--disable-component-update", "--disable-sync", "--no-first-run"]

#: Fixtures with a revoke in their first deal; of the other games such a deal is dealt.
FAULTY = {
    "bastard": "BA-8-REV001",
    "batarde": "LB-24-REV001",
    "bridge": "BR-44C-REV001",
    "bugami": "BG-7-REV001",
    "spades3": "SP-13-REV001",
}
GAMES = names()

HOSTILE = [
    "<img src=x onerror=\"document.title='owned'\">",
    "</script><script>document.title='owned'</script>",
    "<!--<script>'\"&amp;&#60;",
    "\u202egnp.exe\x07",
    "$title ${data} \\u003cb\\u003e",
    "__proto__",
    "<style>*{display:none}</style>",
]


def record(key: str) -> Record:
    """The faulty record of a game, its players called by names that would do harm if a page let them."""
    if key in FAULTY:
        data = json.loads((ROOT / "fixtures" / "broken" / key / f"{FAULTY[key]}.handrec.json").read_text("utf-8"))
    else:
        data = json.loads(dumps(deal_game(_game(key), 4, 3, numbers=[1], inject="REV001")))
    data["players"] = [{**player, "name": HOSTILE[place % len(HOSTILE)]} for place, player in enumerate(data["players"])]
    data["deals"][0]["comments"] = [{"text": HOSTILE[1], "by": HOSTILE[0]}]
    return loads(json.dumps(data))


def shown(one: Record) -> ShownRecord:
    """A record, refereed and ready to be shown."""
    return ShownRecord(one.id or "record", one, check(one), compose(_game(one.game), one.options)[0])


def _game(key: str) -> Game:
    game = find(key)
    assert game is not None
    return game


@pytest.fixture(scope="module")
def browser() -> Iterator[Any]:
    """One browser for all tests."""
    with playwright.sync_playwright() as started:
        browser = started.chromium.launch(executable_path=CHROMIUM, args=QUIET)
        yield browser
        browser.close()


@pytest.fixture(scope="module")
def pages(tmp_path_factory: pytest.TempPathFactory) -> dict[str, str]:
    """The addresses of the pages: one of each game, one of two records, and one of a whole game."""
    folder = tmp_path_factory.mktemp("pages")
    texts = {key: page([shown(record(key))]) for key in GAMES}
    whole = load(ROOT / "fixtures" / "clean" / "kbabs-4-players.handrec.json")
    texts["whole"] = page([shown(whole)])
    led = load(ROOT / "fixtures" / "broken" / "spades3" / "SP-12-REV005.handrec.json")
    texts["weighed"] = page([replace(shown(led), weighing=Weighing(led, _game("spades3")))])
    texts["two"] = page([shown(record("bridge")), shown(_otherwise(record("bridge")))])
    texts["apart"] = page([shown(deal_game(_game("bridge"), 4, 1, numbers=some)) for some in ([2, 4], [1, 3, 4, 5])])
    texts["again"] = page([shown(_again())])
    texts["again-two"] = page([shown(record("spades3")), shown(_again())], "#d1-2.t2&as=P2")
    games = ("spades3-whole-game", "batarde-4-players")
    texts["games"] = page([shown(load(ROOT / "fixtures" / "clean" / f"{name}.handrec.json")) for name in games])
    texts["claimed"] = page([shown(_claimed())])
    for name, text in texts.items():
        (folder / f"{name}.html").write_text(text, "utf-8")
    return {name: (folder / f"{name}.html").as_uri() for name in texts}


def _otherwise(one: Record) -> Record:
    """The same record with two plays of its second trick written down the other way round."""
    deal = one.deals[0]
    plays = [place for place, event in enumerate(deal.events) if event.do == "play"]
    events = list(deal.events)
    a, b = plays[5], plays[6]
    events[a], events[b] = (
        events[a].model_copy(update={"card": events[b].card}),  # type: ignore[union-attr]
        events[b].model_copy(update={"card": events[a].card}),  # type: ignore[union-attr]
    )
    return one.model_copy(update={"deals": [deal.model_copy(update={"events": events})]})


def _again() -> Record:
    """Three deals, the first and third of number 1, with totals written down and a penalty in the first."""
    data = json.loads(dumps(deal_game(_game("kbabs"), 3, 1, numbers=[1, 2, 3])))
    first, _, third = data["deals"]
    first["events"].append({"do": "penalty", "of": data["players"][0]["seat"], "points": 1000})
    third["number"] = 1
    return loads(json.dumps({**data, "status": "stopped"}))


def _claimed() -> Record:
    """A deal with a wrong winner of its second trick, and a score that is one too high."""
    data = json.loads(dumps(deal_game(_game("kbabs"), 3, 1, numbers=[1])))
    verdict = check(loads(json.dumps(data))).deals[0]
    seats = [player["seat"] for player in data["players"]]
    winners = [trick.winner for trick in verdict.played]
    winners[1] = next(seat for seat in seats if seat != winners[1])
    scores = {seats[0]: sum(verdict.lines[seats[0]].values()) + 1}
    data["deals"][0]["claimed"] = {"winners": winners, "scores": scores}
    return loads(json.dumps(data))


class Opened:
    """A page in the browser, and what it did that it must not do."""

    def __init__(self, browser: Any, address: str, **context: Any) -> None:
        self.context = browser.new_context(reduced_motion="reduce", **context)
        self.page = self.context.new_page()
        self.wrong: list[str] = []
        self.fetched: list[str] = []
        self.page.on("console", lambda said: self.wrong.append(said.text) if said.type in ("error", "warning") else None)
        self.page.on("pageerror", lambda error: self.wrong.append(str(error)))
        self.page.on("dialog", lambda dialog: (self.wrong.append("dialog"), dialog.dismiss()))
        self.page.on("requestfinished", lambda request: self.fetched.append(request.url.split("#")[0]))
        self.page.goto(address)

    def press(self, *keys: str) -> None:
        """Press keys, one after another."""
        for key in keys:
            self.page.keyboard.press(key)

    @property
    def link(self) -> str:
        """The part of the address that says where the reader is."""
        return str(self.page.evaluate("location.hash"))

    @property
    def said(self) -> str:
        """What a screen reader was told last."""
        return str(self.page.locator("#said").text_content())

    def count(self, selector: str) -> int:
        """How many elements there are."""
        return int(self.page.locator(selector).count())


@pytest.fixture
def opened(browser: Any, pages: dict[str, str]) -> Iterator[Any]:
    """Opens pages by name; when the test is over, none may have asked for anything, complained, or run what a name says."""
    ones: list[tuple[str, Opened]] = []

    def open_page(name: str, link: str = "", **context: Any) -> Opened:
        ones.append((name, Opened(browser, pages[name] + link, **context)))
        return ones[-1][1]

    yield open_page
    for name, one in ones:
        assert one.wrong == []
        assert set(one.fetched) <= {pages[name]}
        assert "owned" not in one.page.title()
        assert one.count("img") == 0
        one.context.close()


@pytest.mark.parametrize("scheme", ["light", "dark"])
@pytest.mark.parametrize("width", [360, 1280])
def test_what_would_explain_a_deed_stands_beside_it_where_all_hands_are_seen(opened: Any, width: int, scheme: str) -> None:
    """As written, if the record is wrong, where to look: on a phone nothing is cut off; a seat is told no more than it saw."""
    one = opened("weighed", "#d1.t1.1", viewport={"width": width, "height": 800}, color_scheme=scheme)
    finding = one.page.locator(".finding").first
    assert finding.locator("h4").all_text_contents() == ["As written", "If the record is wrong", "What would tell them apart"]
    assert "it says K♠" in finding.text_content()
    assert one.page.evaluate("document.documentElement.scrollWidth") <= width
    one.page.select_option("#as", "public")
    assert one.count(".finding h4") == 0


@pytest.mark.some(3)
@pytest.mark.parametrize("key", GAMES)
def test_keys(opened: Any, key: str) -> None:
    """Arrows go by cards and tricks, Home and End to the ends, letters do what the buttons do."""
    one = opened(key)
    assert one.link == "#d1"
    one.press("ArrowRight")
    first = one.link
    one.press("ArrowRight")
    assert one.link not in ("#d1", first)
    one.press("ArrowLeft")
    assert one.link == first
    one.press("End")
    end = one.link
    one.press("ArrowRight", "ArrowDown")
    assert one.link == end
    one.press("Home", "ArrowDown", "ArrowDown")
    after = one.link
    assert after.startswith("#d1.t1.")
    one.press("ArrowRight")
    assert one.link == "#d1.t2.1"
    assert one.said.startswith("Trick 2: ")
    assert one.page.locator("[aria-current=step]").text_content().startswith("2")
    one.press("l")
    assert "Trick 1, the last one" in one.page.locator(".trick-title").text_content()
    one.press("l", "PageUp")
    assert one.link == after
    one.press("h")
    assert one.link == f"{after}&hands=hide"
    assert one.count(".seat .card:not(.back):not(.gone)") == 0
    one.press("h", "f")
    assert one.link == f"{after}&turn=1"
    one.press("?")
    assert one.page.locator("#keys").is_visible()
    one.page.get_by_role("button", name="Close").click()
    one.press("p")
    assert one.page.locator("[data-go=play]").get_attribute("aria-pressed") == "true"
    one.press("p", "Shift+Tab", "Tab", "Tab")
    assert one.page.evaluate("document.activeElement !== document.body")


@pytest.mark.some(3)
@pytest.mark.parametrize("key", GAMES)
def test_a_link_opens_at_its_card(opened: Any, key: str) -> None:
    """What the address says is what is shown; nonsense in it does no harm; going back in history goes back."""
    one = opened(key, "#d1.t1.2")
    assert one.count(".played:not(.empty)") == 2
    assert one.count(".played .latest") == 1
    one.page.evaluate("location.hash = '#d1.t1.1'")
    playwright.expect(one.page.locator(".played:not(.empty)")).to_have_count(1)
    for nonsense in ("#d99.t1.1", "#d1.t99.9", "#d1.t1.1&as=nobody&turn=-7&hands=", "#<script>", "#d1&turn=1e9"):
        one.page.evaluate("(link) => { location.hash = link; dispatchEvent(new HashChangeEvent('hashchange')); }", nonsense)
        assert one.link.startswith("#d1")
        assert one.count(".seat") > 2


@pytest.mark.some(3)
@pytest.mark.parametrize("key", GAMES)
def test_the_next_finding(opened: Any, key: str) -> None:
    """Shift and arrow go to the fault: the rule with its sentence and source, what could have been played, and the dates."""
    one = opened(key)
    one.press("Shift+ArrowRight")
    where = one.link
    here = one.page.locator(".finding.here")
    words = here.text_content()
    assert "REV001" in words
    assert " by " in here.locator("footer").text_content()
    assert "Could have been played" in words
    assert "happened" in words
    assert here.locator("blockquote").text_content()
    assert one.count(".seat .card.could") > 0
    assert one.count(".played .bad") == 1
    assert "violation REV" in one.said
    assert one.count(".tick .mark.happened") == 1
    one.press("Home")
    assert one.page.locator(".tick .mark.happened").text_content() == "✕"
    one.page.locator(".tick:has(.happened)").click()
    assert one.link == where


@pytest.mark.some(3)
@pytest.mark.parametrize("key", GAMES)
def test_what_a_seat_could_know(opened: Any, key: str) -> None:
    """Other hands are hidden, the own one is at the bottom; a fault that only the cards show is not told."""
    one = opened(key, "#d1.t1.1")
    data = one.page.evaluate("JSON.parse(document.getElementById('data').textContent)")
    seats, deal = data["records"][0]["seats"], data["records"][0]["deals"][0]
    own = next(place for place in deal["ring"] if place not in deal["faced"] + deal["open"] and deal["hands"][place])
    one.page.locator("#as").select_option(str(own))
    assert one.link == f"#d1.t1.1&as={seats[own]['seat']}"
    hidden = [place for place in deal["ring"] if place not in [own, *deal["open"]]]
    for place in hidden:
        name = seats[place]["seat"]
        hand = one.page.locator(f".seat[aria-label$='({name})'], .seat[aria-label='{name}']")
        played = {step["card"] for step in deal["steps"] if step["at"] == "1.1" and step.get("by") == place}
        assert hand.locator(".card:not(.back)").count() == len(played)
        assert hand.locator(".card.back").count() == deal["sizes"][place] - len(played)
    fault = deal["findings"][0]
    one.press("Home")
    seen = fault["shows"].get(str(own), "never")
    assert one.count(".finding") == (0 if seen == "never" or seen >= 0 else 1)
    one.press("End")
    assert one.count(".finding") == (0 if seen == "never" else 1)


def test_secret_bids(opened: Any) -> None:
    """A bid chosen in secret is told to others when all have chosen, not before; and no card before it is turned."""
    bids = {"P1": "♥", "P2": "♥x2", "P3": "♠x2"}
    deal = record("bugami").deals[0]
    assert {event.by: event.bid for event in deal.events if event.do == "bid"} == {"P1": "H", "P2": "Hx2", "P3": "Sx2"}
    for view in ("public", *bids):
        one = opened("bugami", f"#d1&as={view}")
        for made, words in enumerate([[], ["P1"], ["P1", "P2"], ["P1", "P2", "P3"], ["P1", "P2", "P3"]]):
            known = words if made > 2 else [seat for seat in words if seat == view]
            tags = [tag for tag in one.page.locator(".seat .tag").all_inner_texts() if tag.startswith("bid")]
            assert sorted(tags) == sorted(
                [f"bid {bids[seat]}" for seat in known] + ["bid not shown yet"] * (len(words) - len(known))
            )
            board = one.page.locator("#boards").inner_text()
            box = one.page.locator(".auction td").all_inner_texts()
            assert [seat for seat, bid in zip(bids, [*box, "", "", ""], strict=False) if bid == bids[seat]] == known
            told = board + one.said
            assert made > 2 or all(bids[seat] not in told for seat in ("P2", "P3") if seat not in known)
            assert ("K♣" in board) == (made == 4)
            assert ("Score of the deal" in board) == (made > 2)
            one.press("ArrowRight")
    one = opened("bugami", "#d1")
    assert "Hx2" not in one.page.locator("#boards").inner_text()
    assert "♥x2" in one.page.locator(".auction td").all_inner_texts()  # with all hands open nothing is held back


@pytest.mark.some(3)
@pytest.mark.parametrize("key", GAMES)
def test_a_phone(opened: Any, key: str) -> None:
    """At 360 pixels nothing has to be scrolled sideways, buttons are large enough for a thumb, and a swipe is a key."""
    phone = {"viewport": {"width": 360, "height": 740}, "has_touch": True}
    one = opened(key, "#d1.t1.2", **phone)
    for _ in range(2):
        assert one.page.evaluate("document.documentElement.scrollWidth") <= 360
        assert one.page.evaluate("[...document.querySelectorAll('.table *')].every(e => e.getBoundingClientRect().right <= 361)")
        one.press("End")
    one.page.locator(".menu summary").click()
    assert one.page.evaluate("document.documentElement.scrollWidth") <= 360
    one.page.locator(".menu summary").click()
    sizes = one.page.evaluate(
        "[...document.querySelectorAll('#transport button:not([hidden])')].map(b => b.getBoundingClientRect().height)"
    )
    assert min(sizes) >= 44
    one.press("Home")
    one.page.evaluate(SWIPE, -120)
    assert one.link != "#d1"
    one.page.evaluate(SWIPE, 120)
    assert one.link == "#d1"


#: Every size of screen, and at each the tables of all numbers of players.
SIZES = [(1280, 720), (1366, 657), (768, 1024), (360, 640), (1920, 1080)]
TABLES = {
    "kbabs": (2, 3, 4, 5, 6, 7),
    "batarde": (3, 4, 5, 6, 7),
    "bridge": (4,),
    "bastard": (3,),
    "bugami": (3,),
    "spades3": (3,),
}
#: What of a table reaches under the buttons below, above the screen, or beyond its sides.
HIDDEN = """() => {
  const bottom = document.querySelector('#transport').getBoundingClientRect().top + 0.5;
  const isHidden = ({ top, bottom: end, left, right }) => top < 0 || end > bottom || left < 0 || right > innerWidth + 0.5;
  return [...document.querySelectorAll('.sentence, .seat, .seat .card, .middle, .middle .card')]
    .filter((each) => isHidden(each.getBoundingClientRect())).map((each) => each.className);
}"""


def hidden(page: Any) -> list[str]:
    """What of the table cannot be seen without scrolling, once a slow machine has had the time to lay the page out."""
    for _ in range(20):
        if not (names := page.evaluate(HIDDEN)):
            break
        page.wait_for_timeout(100)
    return names


@pytest.mark.some(4)
@pytest.mark.parametrize(("key", "count"), [(key, count) for key, counts in TABLES.items() for count in counts])
def test_the_whole_table_is_in_one_screen(browser: Any, tmp_path: Path, key: str, count: int) -> None:
    """All hands, all their cards and the trick, at the start, in the middle and at the end, with nothing scrolled."""
    target = tmp_path / "page.html"
    target.write_text(page([shown(deal_game(_game(key), count, 3, numbers=[1]))]), "utf-8")
    one = Opened(browser, target.as_uri(), viewport={"width": 1280, "height": 720})
    for width, height in SIZES:
        one.page.set_viewport_size({"width": width, "height": height})
        for link in ("#d1", "#d1.t2.2", f"#d1.t2.{count}"):
            one.page.evaluate("(link) => { location.hash = link; dispatchEvent(new HashChangeEvent('hashchange')); }", link)
            assert one.page.locator(".seat").count() >= count
            assert hidden(one.page) == [], (width, height, link)
            assert one.page.evaluate("document.documentElement.scrollWidth") <= width
    assert one.wrong == []
    one.context.close()


SWIPE = """(by) => {
  const table = document.querySelector('.table');
  const at = (x) => [new Touch({ identifier: 1, target: table, clientX: x, clientY: 300 })];
  table.dispatchEvent(new TouchEvent('touchstart', { touches: at(180), changedTouches: at(180), bubbles: true }));
  table.dispatchEvent(new TouchEvent('touchend', { touches: [], changedTouches: at(180 + by), bubbles: true }));
}"""


@pytest.mark.some(3)
@pytest.mark.parametrize("key", GAMES)
def test_light_and_dark(opened: Any, key: str) -> None:
    """The page follows the system, and the button overrules it."""
    one = opened(key, color_scheme="dark")
    shade = "getComputedStyle(document.body).backgroundColor"
    dark = one.page.evaluate(shade)
    one.page.locator(".menu summary").click()
    one.page.locator("#theme").click()
    assert one.page.evaluate(shade) == dark
    one.page.locator("#theme").click()
    light = one.page.evaluate(shade)
    assert light != dark
    assert opened(key, color_scheme="light").page.evaluate(shade) == light


@pytest.mark.some(3)
@pytest.mark.parametrize("key", GAMES)
def test_print(opened: Any, key: str) -> None:
    """On paper stands the transcript: hands, every trick, the finding as a footnote; and no button."""
    one = opened(key)
    assert one.page.pdf().startswith(b"%PDF")
    one.page.emulate_media(media="print")
    assert one.page.locator("#transcript").is_visible()
    assert not one.page.locator("#boards").is_visible()
    assert not one.page.locator("#transport").is_visible()
    words = one.page.locator("#transcript").inner_text()
    assert "Tricks" in words
    assert "REV" in words
    assert one.count("#transcript sup") >= 1


@pytest.mark.some(3)
@pytest.mark.parametrize("key", GAMES)
def test_without_scripts(opened: Any, key: str) -> None:
    """The transcript is the page."""
    one = opened(key, java_script_enabled=False)
    assert one.page.locator("#transcript").is_visible()
    assert not one.page.locator("#transport").is_visible()
    assert "Without scripts" in one.page.locator("noscript").inner_text()


@pytest.mark.some(3)
@pytest.mark.parametrize("key", GAMES)
def test_names_are_shown_and_harmless(opened: Any, key: str) -> None:
    """A name is text: it stands there letter by letter, and what it says is not done."""
    one = opened(key)
    first = one.page.locator(".who").all_inner_texts()
    assert HOSTILE[0] in first
    assert HOSTILE[1] in first
    assert one.page.evaluate("document.querySelectorAll('#boards script, #boards style, #boards img').length") == 0
    one.page.evaluate("document.body.insertAdjacentHTML('beforeend', '<img src=\"data:x\" onerror=\"document.title=1\">')")
    assert one.page.title() != "1"  # the policy stops even markup that got in
    one.page.evaluate("document.body.lastChild.remove()")
    one.wrong.clear()


def test_two_records(opened: Any) -> None:
    """They go together card by card; plays that differ are marked, and jumped to."""
    one = opened("two", "#d1.t2.2", viewport={"width": 1500, "height": 900})
    assert one.count(".board") == 2
    assert one.page.locator(".trick-title").all_inner_texts() == ["Trick 2 of 13"] * 2
    assert one.count(".played .differs") == 2
    one.press("Home", "Shift+ArrowRight")
    assert one.count(".board") == 2
    one.press("Shift+ArrowRight")
    assert one.link == "#d1.t2.2"
    assert "the other record says otherwise" in one.said
    one.press("Home", "d")
    assert one.link == "#d1.t2.2"
    assert one.count(".differences li.here") == 2
    one.press("d", "D")
    assert one.link == "#d1.t2.2"
    one.press("D")
    assert one.said == "There is no other difference."
    for width, height in ((1500, 900), (1280, 720), (1366, 657), (768, 1024)):
        one.page.set_viewport_size({"width": width, "height": height})
        assert hidden(one.page) == []
        assert one.page.evaluate("document.documentElement.scrollWidth") <= width


def test_the_winner_claimed_and_the_scores(opened: Any) -> None:
    """Shift and arrow go to them too; the mark is on the winner who is recorded, and not on whoever won."""
    one = opened("claimed")
    one.press("Shift+ArrowRight")
    assert "recorded otherwise TRK001" in one.said
    assert one.page.locator(".played:has(.bad)").count() == 1
    data = one.page.evaluate("JSON.parse(document.getElementById('data').textContent)")["records"][0]
    deal = data["deals"][0]
    finding = next(each for each in deal["findings"] if each["rule"].startswith("TRK001"))
    claimed = data["seats"][deal["steps"][finding["mark"]]["by"]]["seat"]
    assert claimed in one.page.locator(".played:has(.bad) .by").inner_text()
    assert one.page.locator(".played:has(.bad) .star").count() == 0
    assert one.page.locator(".played:has(.best) .star").count() == 1
    one.press("Shift+ArrowRight")
    assert "SCO001" in one.page.locator(".finding.here").text_content()
    assert one.link.startswith(f"#d1.t{len(deal['winners'])}.")


def test_the_legend_says_what_is_on_the_page(opened: Any) -> None:
    """Of one record no difference; of a record without faults no fault."""
    signs = ".legend .mark"
    assert "≠" in opened("two").page.locator(signs).all_text_contents()
    faulty = opened("kbabs").page.locator(signs).all_text_contents()
    assert "✕" in faulty
    assert "≠" not in faulty
    one = opened("whole")
    assert {"▸", "★"} <= set(one.page.locator(signs).all_text_contents())
    assert one.count(".legend .happened") == 0
    assert one.count("#transport .to-finding:visible") == 0


def test_a_record_that_is_edited(browser: Any, tmp_path: Path) -> None:
    """The page loads itself again and keeps its place; at the end it follows what is written; in the end it stands still."""
    deals = [deal_game(_game("kbabs"), 3, 3, numbers=numbers) for numbers in ([1], [1, 2])]
    target = tmp_path / "page.html"
    target.write_text(page([shown(deals[0])], watched=True), "utf-8")
    one = Opened(browser, f"{target.as_uri()}#d1.t2.1")
    target.write_text(page([shown(deals[1])], watched=True), "utf-8")
    one.page.evaluate("again()")
    playwright.expect(one.page.locator("#deal option")).to_have_count(2)
    assert one.link == "#d1.t2.1"
    one.press("]", "End")
    target.write_text(page([shown(deals[0])], notice=["it ends here"]), "utf-8")
    one.page.evaluate("again()")
    playwright.expect(one.page.locator("#deal option")).to_have_count(1)
    assert "it ends here" in one.page.locator("[role=status]").text_content()
    assert one.wrong == []
    one.context.close()


def test_deals_of_one_record_alone(opened: Any) -> None:
    """Of two records every deal can be reached, by number; the one that does not have it says so."""
    one = opened("apart", viewport={"width": 1500, "height": 900})
    numbers = one.page.locator("#deal option").all_inner_texts()
    assert numbers == ["Deal 1 (B)", "Deal 2 (A)", "Deal 3 (B)", "Deal 4 ≠", "Deal 5 (B)"]
    boards = one.page.locator(".board")
    for number, has in zip("12345", ((False, True), (True, False), (False, True), (True, True), (False, True)), strict=True):
        assert one.link == f"#d{number}"
        assert tuple(boards.nth(place).locator(".table").count() == 1 for place in (0, 1)) == has
        assert one.count(".remark") == 2 - sum(has)
        one.press("End")
        end = one.link
        assert end.startswith(f"#d{number}.t13.4")
        for place in (0, 1):
            assert boards.nth(place).locator(".trick-title").all_inner_texts() == ["Trick 13 of 13"] * has[place]
        one.press("Home", "]")
    one.page.evaluate("location.hash = '#d3.t2.1&as=E'")
    playwright.expect(one.page.locator(".trick-title").first).to_have_text("Trick 2 of 13")
    assert one.link == "#d3.t2.1&as=E"
    one.press("1")
    assert one.link == "#d1&as=E"
    one.page.locator("#as").select_option("all")
    boards.nth(1).get_by_role("button", name="5", exact=True).click()
    assert one.link == "#d5"


def test_deals_of_one_number(opened: Any) -> None:
    """Each can be chosen, linked to and come back to; the first has the link it always had; penalties stay with their deal."""
    one = opened("again")
    assert one.page.locator("#deal option").all_inner_texts() == ["Deal 1 (1 of 2) ✕", "Deal 2", "Deal 1 (2 of 2) ✕"]
    assert one.link == "#d1"
    fined = one.page.get_by_text("penalty −1000")
    assert fined.count() == 1
    one.press("]", "]")
    assert one.link == "#d1-2"
    assert fined.count() == 0
    one.press("ArrowDown", "ArrowDown")
    there = one.link
    assert there.startswith("#d1-2.t1.")
    card = one.page.locator(".sentence").text_content()
    one.press("1")
    assert one.link == "#d1"
    again = opened("again", there)
    assert again.link == there
    assert again.page.locator("#deal").input_value() == "2"
    assert again.page.locator(".sentence").text_content() == card
    again.page.evaluate("location.hash = '#d1-3.t1.1'")
    assert again.page.locator("#deal").input_value() == "2"
    again.page.get_by_role("button", name="1 (1 of 2)").click()
    assert again.link == "#d1"


def test_a_page_opens_where_it_was_made_to(opened: Any) -> None:
    """If its address names no card; what the address names comes first, and what only one record has is reached too."""
    one = opened("again-two")
    assert one.link == "#d1-2.t2.3&as=P2"
    assert one.page.locator("#deal option").all_inner_texts()[1] == "Deal 1 (2 of 2) (B) ✕"
    boards = one.page.locator(".board")
    assert "This record has no deal 1 (2 of 2)." in boards.nth(0).inner_text()
    assert boards.nth(1).locator(".trick-title").inner_text().startswith("Trick 2")
    assert opened("again-two", "#d1.t1.1").link == "#d1.t1.1"


def test_cards_of_two_games(opened: Any) -> None:
    """One name is another card in another game: each board draws and speaks its own."""
    one = opened("games", viewport={"width": 1500, "height": 900})
    boards = one.page.locator(".board")
    assert boards.nth(0).get_by_text("ten of spades", exact=True).count() >= 1
    assert boards.nth(0).get_by_text("cat of spades").count() == 0
    assert boards.nth(1).get_by_text("ten of spades").count() == 0
    assert boards.nth(1).get_by_text("cat of spades").count() >= 1


def test_a_whole_game(opened: Any, pages: dict[str, str]) -> None:
    """26 deals of four players: less than 400 kB, opened in less than a second, any deal by its number."""
    size = Path(pages["whole"].removeprefix("file://")).stat().st_size
    assert size < 400_000
    one = opened("whole")
    took = []
    for _ in range(3):
        one.page.reload()
        took.append(one.page.evaluate("performance.getEntriesByType('navigation')[0].loadEventEnd"))
    assert min(took) < 1000  # whatever else the machine has to do
    one.press("7")
    assert one.link == "#d7"
    one.press("]")
    assert one.link == "#d8"
    one.page.locator("#deal").select_option(label="Deal 26")
    assert one.link == "#d26"


def test_proved_voids(opened: Any) -> None:
    """In a seat's view stands beside each hidden hand which suits it is proved to lack, once it is proved."""
    one = opened("whole", "#d1&as=S")
    assert one.count(".tag.lacks") == 0
    one.page.evaluate("location.hash = '#d1.t5.4&as=S'")
    one.page.wait_for_selector(".tag.lacks")
    assert "proved to have no hearts" in one.page.locator(".seat[aria-label='Di (W)']").text_content()
    assert one.page.locator(".seat[aria-label='Cy (S)'] .tag.lacks").count() == 0


def test_sharing(opened: Any) -> None:
    """The record comes out of the page as it went in; the link and the position can be copied."""
    one = opened("kbabs", "#d1.t1.2", permissions=["clipboard-read", "clipboard-write"])
    one.page.locator(".menu summary").click()
    with one.page.expect_download() as started:
        one.page.get_by_role("button", name="Download the record").click()
    assert started.value.suggested_filename == "record-1.handrec.json"
    assert load(started.value.path()) == record("kbabs")
    one.page.locator("#copy-link").click()
    assert one.page.evaluate("navigator.clipboard.readText()") == one.page.url
    one.page.locator("#copy-position").click()
    assert "Trick 1: " in one.page.evaluate("navigator.clipboard.readText()")


# --- accessibility --------------------------------------------------------------------------------------------------


@pytest.fixture(scope="module")
def axe(request: pytest.FixtureRequest) -> str:
    """The source of axe-core, from the npm registry."""
    npm = shutil.which("npm")
    if npm is None:
        pytest.skip("there is no npm on this machine to fetch axe-core with")
    folder = Path(request.config.cache.mkdir("axe"))  # type: ignore[union-attr]
    source = folder / "axe.min.js"
    if source.exists():
        return source.read_text("utf-8")
    with TemporaryDirectory(dir=folder) as mine:  # another process may fetch it at the same time
        fetched = subprocess.run([npm, "pack", "axe-core@4"], cwd=mine, capture_output=True, text=True, check=False)
        if fetched.returncode:
            pytest.skip(f"axe-core could not be fetched: {fetched.stderr.strip().splitlines()[-1:]}")
        with tarfile.open(next(Path(mine).glob("axe-core-*.tgz"))) as packed:
            inside = packed.extractfile("package/axe.min.js")
            assert inside is not None
            made = Path(mine) / "axe.min.js"
            made.write_bytes(inside.read())
        return made.replace(source).read_text("utf-8")


@pytest.mark.some(4)
@pytest.mark.parametrize("key", [*GAMES, "two"])
def test_accessibility(opened: Any, axe: str, key: str) -> None:
    """axe-core finds no serious fault: at a finding, with everything opened, light; on a phone, in a seat view, dark."""
    one = opened(key)
    one.press("Shift+ArrowRight", "ArrowRight")
    one.page.evaluate("document.querySelectorAll('details').forEach((each) => { each.open = true; })")
    one.page.evaluate(axe)
    serious = faults(one)
    one.page.evaluate("document.querySelector('.menu').open = false")
    one.page.locator("#as").select_option("public")
    one.press("End")
    one.page.emulate_media(color_scheme="dark")
    one.page.set_viewport_size({"width": 360, "height": 3000})  # so high that the bar at the bottom hides nothing
    assert serious | faults(one, "color-contrast", "scrollable-region-focusable", "target-size") == set()


def test_the_transcript_is_accessible(opened: Any, axe: str) -> None:
    """axe-core finds no serious fault in what is printed."""
    one = opened("batarde")
    one.page.emulate_media(media="print")
    one.page.evaluate(axe)
    assert faults(one) == set()


def faults(one: Opened, *rules: str) -> set[str]:
    """The serious faults of the page as it is, by all rules or some, with the element of each."""
    only = {"runOnly": list(rules)} if rules else {}
    found = one.page.evaluate("(only) => axe.run(document, { resultTypes: ['violations'], ...only })", only)["violations"]
    return {f"{each['id']}: {each['nodes'][0]['html'][:200]}" for each in found if each["impact"] in ("serious", "critical")}
