"""The page of `handrec page` in a real browser: every fixture, every command, links, hostile text, without a network.

Needs what the viewer's tests need, and a runtime: the folder that `PAGE_RUNTIME` names, or what the commands fetch that
`handrec page` tells. The server stops for good when the page says that it works without a network; all else happens after that.
"""

from __future__ import annotations

import base64
import io
import os
import re
import shutil
import subprocess
import sys
import threading
import zipfile
import zlib
from collections.abc import Callable, Iterator
from functools import partial
from http.server import SimpleHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any
from urllib.parse import urlsplit

import pytest

from handrec import dumps, load, writing
from handrec.cli import run
from handrec.cli.browser import Outcome, carried_out
from handrec.page.runtime import archive as pyodide
from handrec.page.runtime import wheel
from tests.browser.test_view_browser import CHROMIUM, QUIET, axe, faults, record

playwright = pytest.importorskip("playwright.sync_api", reason="playwright is not installed: pip install 'handrec[browser]'")
pytestmark = [
    pytest.mark.browser,
    pytest.mark.skipif(CHROMIUM is None, reason="there is no Chromium on this machine: apt-get install chromium"),
]
__all__ = ["axe"]

ROOT = Path(__file__).parents[2]
FIXTURES = ROOT / "fixtures"
ENDINGS = (".json", ".jsonl", ".jsonl.gz", ".hrt", ".pbn", ".lin")
#: Every fixture that is a record, but for archives, which need a package that is not in the page.
RECORDS = [path for path in sorted(FIXTURES.rglob("*")) if path.name.endswith(ENDINGS)] + [FIXTURES / "bridge/three-deals.txt"]

#: Waits until something was said, from before it is asked for; what was said last is forgotten first.
SAID = """(said) => {
  const place = document.getElementById("said");
  place.textContent = "";
  window.heard = new Promise((done) => new MutationObserver(() => {
    if (!/^(|Ready.|Working …)$/.test(place.textContent)) done(place.textContent);
  }).observe(place, { childList: true }));
}"""

#: What the page's worker makes of a file, as it comes.
BYTES = """async ([name, base64]) => {
  const bytes = Uint8Array.from(atob(base64), (char) => char.charCodeAt(0));
  const { code, out, err } = await ask({ command: "check", options: "-v", name, bytes });
  const packed = (data) => btoa(Array.from(data, (byte) => String.fromCharCode(byte)).join(""));
  return [code, packed(out), packed(err)];
}"""

#: What browsers say of a page that has no network, and what axe-core does in a frame.
KNOWN = ("ERR_INTERNET_DISCONNECTED", "Failed to execute 'postMessage' on 'DOMWindow'")


class Quiet(SimpleHTTPRequestHandler):
    """Hands out files and says nothing of it."""

    def log_message(self, format: str, *args: Any) -> None:
        """Nothing."""


@pytest.fixture(scope="module")
def runtime(request: pytest.FixtureRequest) -> Path:
    """The folder with the runtime, fetched by the commands that are told if nobody names one."""
    if named := os.environ.get("PAGE_RUNTIME"):
        return Path(named)
    folder = Path(request.config.cache.mkdir("page-runtime"))  # type: ignore[union-attr]
    if not all((folder / name).is_file() for name in (pyodide(), wheel())):
        if shutil.which("npm") is None:
            pytest.skip("there is no npm on this machine to fetch Pyodide with; PAGE_RUNTIME=DIR names a folder that has it")
        with TemporaryDirectory(dir=folder) as mine:  # another process may fetch it at the same time
            for command in told(Path(mine))[1:-1]:
                fetched = subprocess.run(command, shell=True, capture_output=True, text=True, check=False)
                if fetched.returncode:
                    why = fetched.stderr.strip()[-200:]
                    pytest.skip(f"the runtime could not be fetched, and no PAGE_RUNTIME=DIR names a folder that has it: {why}")
            for name in (pyodide(), wheel()):
                (Path(mine) / name).replace(folder / name)
    return folder


def told(folder: Path) -> list[str]:
    """The commands that `handrec page` tells when this folder has no runtime."""
    arguments = [sys.executable, "-m", "handrec", "page", "-o", "site", "--runtime", str(folder)]
    said = subprocess.run(arguments, cwd=ROOT, capture_output=True, text=True, check=False)
    assert said.returncode == 2
    return said.stderr.splitlines()[1:]


@pytest.fixture(scope="module")
def folder(runtime: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The page, in a folder of a folder."""
    around = tmp_path_factory.mktemp("served")
    assert run(["page", "-o", str(around / "sub"), "--runtime", str(runtime)]) == 0
    return around


@pytest.fixture(scope="module")
def browser() -> Iterator[Any]:
    """One browser for all tests; frames that are closed off are drawn where the rest is, or pictures lack them."""
    with playwright.sync_playwright() as started:
        browser = started.chromium.launch(executable_path=CHROMIUM, args=[*QUIET, "--disable-features=IsolateSandboxedIframes"])
        yield browser
        browser.close()


def served(folder: Path) -> tuple[Callable[[], None], str]:
    """The address of the page in a folder, from now on, and what ends that."""
    server = ThreadingHTTPServer(("127.0.0.1", 0), partial(Quiet, directory=str(folder)))
    threading.Thread(target=server.serve_forever, daemon=True).start()

    def stop() -> None:
        server.shutdown()
        server.server_close()

    return stop, f"http://127.0.0.1:{server.server_port}/sub/"


class Site:
    """The page in a browser that has no network any more, and what it asked for and complained of."""

    def __init__(self, browser: Any, folder: Path) -> None:
        stop, self.home = served(folder)
        self.wrong: list[str] = []
        self.asked: list[str] = []
        allowed = ["clipboard-read", "clipboard-write"]
        self.context = browser.new_context(viewport={"width": 1366, "height": 657}, permissions=allowed)
        self.context.set_default_timeout(120_000)
        self.context.on("request", lambda request: self.asked.append(request.url))
        self.context.on("console", lambda said: self.wrong.append(said.text) if said.type in ("error", "warning") else None)
        self.page = self.opened()
        playwright.expect(self.page.locator("#kept")).to_have_text("From now on it works without a network.", timeout=180_000)
        stop()
        self.context.set_offline(True)
        self.before = len(self.asked)
        self.page.reload()
        self.free()

    def opened(self, fragment: str = "") -> Any:
        """A new page, and what goes wrong on it noted."""
        page = self.context.new_page()
        page.on("pageerror", lambda error: self.wrong.append(str(error)))
        page.on("dialog", lambda dialog: (self.wrong.append("dialog"), dialog.dismiss()))
        page.goto(self.home + fragment)
        return page

    def free(self, page: Any = None) -> None:
        """Wait until a command can be given."""
        playwright.expect((page or self.page).get_by_role("button", name="Verdict")).to_be_enabled(timeout=120_000)

    def hear(self, act: Any, page: Any = None) -> str:
        """Do something, and wait for what is said then."""
        page = page or self.page
        page.evaluate(SAID)
        act()
        return str(page.evaluate("heard"))

    def give(self, name: str, data: bytes) -> str:
        """Choose a file; what is said when it has been judged."""
        return self.hear(lambda: self.page.set_input_files("#file", {"name": name, "mimeType": "text/plain", "buffer": data}))

    def press(self, button: str) -> str:
        """Press a button; what is said then."""
        return self.hear(self.page.get_by_role("button", name=button, exact=True).click)

    def shown(self, page: Any = None) -> tuple[int, str, str]:
        """The exit code, the text and the complaints that are shown."""
        code, *texts = (str((page or self.page).locator(each).text_content()) for each in ("#code", "#out", "#trouble"))
        return int(code.removeprefix("exit code ")), *texts  # type: ignore[return-value]

    def downloaded(self, name: str) -> bytes:
        """What a link downloads."""
        with self.page.expect_download() as caught:
            self.page.get_by_role("link", name=f"Download {name}", exact=True).click()
        return Path(caught.value.path()).read_bytes()


@pytest.fixture(scope="module")
def site(browser: Any, folder: Path) -> Iterator[Site]:
    """The page; when all is done, it has asked nobody but its own server, and has complained of nothing."""
    one = Site(browser, folder)
    yield one
    assert [url for url in one.asked if not url.startswith((one.home, f"blob:{one.home.removesuffix('/sub/')}", "data:"))] == []
    assert [said for said in one.wrong if not any(known in said for known in KNOWN)] == []
    one.context.close()


@pytest.fixture(autouse=True)
def fresh(request: pytest.FixtureRequest) -> None:
    """No options are left over from another test."""
    if "site" in request.fixturenames:
        request.getfixturevalue("site").page.fill("#options", "")


def told_as(outcome: Outcome) -> tuple[int, str, str]:
    """What a command here comes to, as the page shows it."""
    code, out, err, _ = outcome
    return code, out.decode(), err.decode()


@pytest.mark.long
def test_every_fixture_is_told_as_here(site: Site) -> None:
    """For people, all levels: the text that is seen is the command's own, byte for byte, without a network."""
    assert len(RECORDS) > 400
    site.page.fill("#options", "-v")
    different = []
    for path in RECORDS:
        data = path.read_bytes()
        assert site.give(path.name, data) == "Done."
        if site.shown() != told_as(carried_out("check -f text", "-v", path.name, data)):
            different.append(path.name)
    assert different == []


@pytest.mark.long
def test_every_fixture_comes_to_the_same_bytes(site: Site) -> None:
    """A line each, all levels, as `check -v` writes to no terminal: exit code and bytes, before they are shown."""
    for path in RECORDS:
        data = path.read_bytes()
        given = [path.name, base64.b64encode(data).decode()]
        code, out, err = site.page.evaluate(BYTES, given)
        assert (code, *map(base64.b64decode, (out, err))) == carried_out("check", "-v", path.name, data)[:3], path.name


@pytest.mark.parametrize("name", ["broken/kbabs/KB-5.2-REV001.handrec.json", "bridge/club.pbn", "bridge/three-deals.txt"])
@pytest.mark.parametrize(("button", "command"), [("Ruling", "ruling"), ("Infer", "infer")])
def test_what_other_commands_tell(site: Site, name: str, button: str, command: str) -> None:
    """Rulings and proofs are those of the command, complaints and exit code too."""
    data = (FIXTURES / name).read_bytes()
    site.give(Path(name).name, data)
    assert site.press(button) == "Done."
    assert site.shown() == told_as(carried_out(command, "", Path(name).name, data))


def test_converting(site: Site) -> None:
    """Every format that is offered is written as here, or refused as here; what is written can be downloaded."""
    data = (FIXTURES / "clean/bridge-4-deals.handrec.json").read_bytes()
    site.give("bridge-4-deals.handrec.json", data)
    choices = site.page.locator("#to option").all_text_contents()
    assert {"json", "jsonl", "hrt", "pbn", "lin"} <= {*choices}
    for key in choices:
        site.page.select_option("#to", label=key)
        assert site.press("Convert") == "Done."
        outcome = carried_out(f"convert --to {key}", "", "bridge-4-deals.handrec.json", data)
        assert site.shown() == told_as(outcome)
        if outcome[1]:
            suffix = site.page.locator(f"#to option:text-is('{key}')").get_attribute("data-suffix")
            assert site.downloaded(f"bridge-4-deals{suffix}") == outcome[1]
    site.page.select_option("#to", label="hrt")
    site.page.fill("#options", "-o other.hrt")
    assert site.press("Convert") == "Done."
    assert site.downloaded("other.hrt") == carried_out("convert --to hrt", "", "bridge-4-deals.handrec.json", data)[1]


def test_the_view(site: Site) -> None:
    """The page of the record is the command's own, works in its frame, and has no way out of it."""
    data = (FIXTURES / "broken/kbabs/KB-5.2-REV001.handrec.json").read_bytes()
    site.give("a.handrec.json", data)
    assert site.press("View") == "Done."
    assert site.downloaded("a.html") == carried_out("view -o -", "", "a.handrec.json", data)[1]
    frame = site.page.frame_locator("#view")
    frame.locator("[data-go=finding-after]").click()
    assert "REV001" in frame.locator(".finding.here").text_content()
    inside = site.page.frames[-1]
    assert inside.evaluate("origin") == "null"
    reached = inside.evaluate("() => { try { return parent.document.title; } catch (error) { return error.name; } }")
    assert reached == "SecurityError"
    site.page.fill("#options", "--record 9")
    site.press("View")
    assert site.page.locator("#view").is_hidden()
    assert site.shown() == told_as(carried_out("view -o -", "--record 9", "a.handrec.json", data))


@pytest.mark.parametrize(
    ("name", "data"),
    [
        ("Züge & <b>.hrt", "%hrt 1\r\ngame kbabs\r\nseats N=Ann, E=Bo, S=Cy, W=Ω\r\n".encode()),
        ("a.jsonl.gz", (FIXTURES / "hostile/packed.jsonl.gz").read_bytes()),
        ("club.pbn", (FIXTURES / "bridge/club.pbn").read_bytes()),
        ("", b""),
    ],
    ids=["text", "packed", "pbn", "nothing"],
)
def test_a_link_holds_the_record(site: Site, name: str, data: bytes) -> None:
    """What is copied opens the same bytes under the same name, judged alike, on a page of its own; nothing of it is asked for."""
    site.give(name or "record", data)
    assert site.press("Copy a link to this record").startswith("The link is copied: ")
    link = str(site.page.evaluate("navigator.clipboard.readText()"))
    assert link == site.page.url
    address, _, fragment = link.partition("#")
    assert address == site.home
    assert re.fullmatch(r"[\w.*%+=&-]*", fragment)
    seen = len(site.asked)
    other = site.opened(f"#{fragment}")
    playwright.expect(other.locator("#said")).to_have_text("Done.", timeout=120_000)
    assert other.locator("#name").input_value() == (name or "record")
    assert site.shown(other) == told_as(carried_out("check -f text", "", name, data))
    assert other.evaluate("Array.from(bytes)") == [*data]
    assert not [url for url in site.asked[seen:] if urlsplit(url).fragment or "record" in urlsplit(url).query]
    other.close()


@pytest.mark.parametrize("record", ["", "!", "AAAA", "bomb"])
def test_a_link_that_is_not_whole_or_too_large_is_refused(site: Site, record: str) -> None:
    """It is said, and what was there stays."""
    if record == "bomb":
        packer = zlib.compressobj(9, zlib.DEFLATED, -15)
        packed = packer.compress(b" " * (64 << 20)) + packer.flush()
        record = base64.urlsafe_b64encode(packed).decode().rstrip("=")
    site.give("mine.hrt", b"%hrt 1\n")
    said = site.hear(lambda: site.page.evaluate("(link) => { location.hash = link; }", f"#name=theirs&record={record}"))
    assert said.startswith("The record in this link cannot be read")
    assert site.page.locator("#name").input_value() == "mine.hrt"
    assert site.page.input_value("#text") == "%hrt 1\n"


@pytest.mark.parametrize("button", ["Verdict", "Ruling", "Infer", "View", "Convert"])
def test_hostile_text_stays_text(site: Site, button: str) -> None:
    """Names, comments and the name of the file that would be markup are shown as they stand, and nothing of them runs."""
    data = dumps(record("kbabs")).encode()
    site.give("<img src=x onerror=alert(1)>.json", data)
    assert site.press(button) == "Done."
    for frame in site.page.frames:
        assert "owned" not in frame.title()
        assert frame.locator("img, body style").count() == 0
    assert site.page.locator("body script").count() == 1
    assert "<img src=x onerror=alert(1)>.json" in site.page.locator("#command").text_content()
    assert site.page.input_value("#text").encode() == data


def test_typing_and_keys(site: Site) -> None:
    """What is typed is judged by Ctrl Enter; what is no text is held and not shown; buttons are reached by Tab."""
    site.give("packed.jsonl.gz", (FIXTURES / "hostile/packed.jsonl.gz").read_bytes())
    assert site.page.input_value("#text") == ""
    assert "bytes, held but not shown" in site.page.locator("#text").get_attribute("placeholder")
    site.page.fill("#name", "")
    site.page.fill("#text", (ROOT / "handrec/page/example.hrt").read_text("utf-8"))
    site.page.focus("#text")
    assert site.hear(lambda: site.page.keyboard.press("Control+Enter")) == "Done."
    data = (ROOT / "handrec/page/example.hrt").read_bytes()
    assert site.shown() == told_as(carried_out("check -f text", "", "record", data))
    site.page.get_by_role("button", name="Example").click()
    assert site.page.input_value("#text").encode() == data
    site.page.focus("#text")
    reached = []
    for _ in range(7):
        site.page.keyboard.press("Tab")
        reached.append(site.page.evaluate("document.activeElement.textContent.trim() || document.activeElement.id"))
    assert reached[:5] == ["Verdict", "Ruling", "Infer", "View", "Convert"]
    assert reached[6] == "options"
    site.page.get_by_role("button", name="Infer").focus()
    assert site.hear(lambda: site.page.keyboard.press("Enter")) == "Done."
    assert site.shown() == told_as(carried_out("infer", "", "example.hrt", data))


def test_dropping(site: Site) -> None:
    """A file that is dropped anywhere on the page is judged."""
    data = (FIXTURES / "bridge/faults.lin").read_bytes()
    drop = """(bytes) => {
      const dataTransfer = new DataTransfer();
      dataTransfer.items.add(new File([new Uint8Array(bytes)], "faults.lin"));
      document.body.dispatchEvent(new DragEvent("drop", { dataTransfer, bubbles: true, cancelable: true }));
    }"""
    assert site.hear(lambda: site.page.evaluate(drop, [*data])) == "Done."
    assert site.shown() == told_as(carried_out("check -f text", "", "faults.lin", data))


def test_stopping(site: Site) -> None:
    """What takes long is ended by a button; the page stays alive meanwhile, and works again after it."""
    many = b"".join(writing.line(load(path)).encode() for path in (FIXTURES / "clean").glob("*.json")) * 20
    site.page.evaluate(SAID)
    site.page.set_input_files("#file", {"name": "many.jsonl", "mimeType": "text/plain", "buffer": many})
    stop = site.page.get_by_role("button", name="Stop")
    playwright.expect(stop).to_be_visible()
    assert site.page.get_by_role("button", name="Verdict").is_disabled()
    stop.click()
    assert site.page.evaluate("heard") == "Stopped. handrec is started again."
    site.free()
    assert site.give("a.lin", (FIXTURES / "bridge/faults.lin").read_bytes()) == "Done."


@pytest.mark.parametrize("scheme", ["light", "dark"])
@pytest.mark.parametrize(("width", "height"), [(360, 740), (1366, 657)])
def test_sizes_and_accessibility(site: Site, axe: str, width: int, height: int, scheme: str) -> None:
    """Nothing goes beyond the width, and axe-core finds no serious fault, with a verdict and with a view, light and dark."""
    site.page.set_viewport_size({"width": width, "height": height})
    site.page.emulate_media(color_scheme=scheme)
    site.give("KB-5.2-REV001.handrec.json", (FIXTURES / "broken/kbabs/KB-5.2-REV001.handrec.json").read_bytes())
    site.page.evaluate(axe)
    for button in ("Verdict", "View"):
        site.press(button)
        assert site.page.evaluate("document.documentElement.scrollWidth") <= width
        assert faults(site) == set()
        if pictures := os.environ.get("PAGE_PICTURES"):
            site.page.wait_for_timeout(1000)
            site.page.screenshot(path=f"{pictures}/{button}-{width}-{scheme}.png", full_page=True)
    site.page.set_viewport_size({"width": 1366, "height": 657})


def test_from_a_file_it_says_what_it_needs(browser: Any, folder: Path) -> None:
    """Opened as a file, the page says that it needs a server, and does nothing else."""
    page = browser.new_page()
    page.goto((folder / "sub" / "index.html").as_uri())
    assert page.locator("#unserved").is_visible()
    assert "python -m http.server" in page.locator("#unserved").inner_text()
    page.close()


def test_without_what_is_loaded_it_says_so(browser: Any, folder: Path, tmp_path: Path) -> None:
    """A server that lacks a file: the page says that handrec could not be started."""
    shutil.copytree(folder / "sub", tmp_path / "sub")
    next(tmp_path.glob("sub/handrec-*/handrec.zip")).unlink()
    stop, home = served(tmp_path)
    page = browser.new_page()
    page.goto(home)
    why = re.compile(r"could not be started: .*handrec\.zip: 404")
    playwright.expect(page.locator("#said")).to_have_text(why, timeout=120_000)
    page.close()
    stop()


def test_a_page_that_is_written_anew_is_seen_and_kept(
    browser: Any, folder: Path, runtime: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Who comes back has the new one, of which only what changed is loaded; the earlier is forgotten, and the new one kept."""
    shutil.copytree(folder / "sub", tmp_path / "sub")
    stop, home = served(tmp_path)
    context = browser.new_context()
    page = context.new_page()
    page.goto(home)
    kept = page.locator("#kept")
    playwright.expect(kept).to_have_text("From now on it works without a network.", timeout=180_000)
    (earlier,) = (tmp_path / "sub").glob("handrec-*")
    packed = zipfile.ZipFile(earlier / "handrec.zip").read("handrec/__init__.py")
    changed = io.BytesIO((earlier / "handrec.zip").read_bytes())
    with zipfile.ZipFile(changed, "a") as archive:
        archive.writestr("handrec/more.py", packed)
    monkeypatch.setattr("handrec.page.packages.packed", changed.getvalue)
    monkeypatch.setattr("handrec.page.__version__", "9.9")
    assert run(["page", "-o", str(tmp_path / "sub"), "--runtime", str(runtime)]) == 0
    assert not earlier.exists()
    asked: list[str] = []
    context.on("response", lambda answer: asked.append(answer.url) if not answer.from_service_worker else None)
    page.reload()
    playwright.expect(page.locator("footer")).to_contain_text("handrec 9.9")
    playwright.expect(kept).to_have_text("From now on it works without a network.", timeout=180_000)
    assert not [url for url in asked if "/pyodide-" in url]
    urls = page.evaluate(
        "caches.open(`handrec page ${HERE}`).then((kept) => kept.keys()).then((all) => all.map((one) => one.url))"
    )
    assert {*urls} == {home, *page.evaluate("FILES")}
    stop()
    page.reload()
    playwright.expect(page.locator("footer")).to_contain_text("handrec 9.9")
    playwright.expect(page.get_by_role("button", name="Verdict")).to_be_enabled(timeout=120_000)
    context.close()
