/* The page at work: where the reader is, keys, buttons, links. */

const view = { deal: 0, step: 0, as: "all", hide: false, turn: 0, last: false };
const byId = (id) => document.getElementById(id);
const clamp = (value, low, high) => Math.min(high, Math.max(low, value));
let playing = null;

DATA.records.forEach((record) => record.deals.forEach(prepare));

/* The record whose deal is stepped through, the other following it: the first one that has this deal. */
const leads = (pair) => (pair[0] === null ? 1 : 0);
const dealOf = (pair) => DATA.records[leads(pair)].deals[pair[leads(pair)]];

/* The deals to go through, as their places in each record: those of the first, and where their numbers fall those only in the second. */
const PAIRS = (([one, other]) => {
  const pairs = one.deals.map((each, place) => [place, each.mate ?? null]);
  const paired = new Set(pairs.map((pair) => pair[1]));
  (other ? other.deals : []).forEach((each, place) => {
    const after = pairs.findIndex((pair) => dealOf(pair).number > each.number);
    if (!paired.has(place)) pairs.splice(after < 0 ? pairs.length : after, 0, [null, place]);
  });
  return pairs;
})(DATA.records);

const deal = () => dealOf(PAIRS[view.deal]);
const main = () => DATA.records[leads(PAIRS[view.deal])];
const numbered = (number, nth = 1) => PAIRS.findIndex((pair) => dealOf(pair).number === number && dealOf(pair).nth === nth);

function goStep(step) {
  view.step = clamp(step, 0, deal().steps.length);
  view.last = false;
  render(true);
}

/* How far the table is turned so that a view's own seat is at the bottom. */
function turnFor(as) {
  const seats = deal().ring.length;
  return typeof as === "number" ? (deal().ring.indexOf(as) - main().home + seats) % seats : 0;
}

function goDeal(place, step = 0) {
  if (!PAIRS[place]) return;
  view.deal = place;
  goStep(step);
}

function goTrick(by) {
  const ends = [0, ...(deal().opening ? [deal().opening] : []), ...deal().tricks.map((trick) => deal().lastOf.get(trick) + 1), deal().steps.length];
  const next = by > 0 ? ends.find((end) => end > view.step) : ends.findLast((end) => end < view.step);
  if (next !== undefined) goStep(next);
}

/* The next place of interest, through all deals: of findings and differences, those of no deal included, or of differences alone. */
function goNext(by, of, what) {
  const places = PAIRS.flatMap((pair, number) => of(dealOf(pair), view.as).map((step) => [number, step]));
  if (of === jumps) for (const { at_end: atEnd } of main().findings) places.push(atEnd ? [PAIRS.length - 1, dealOf(PAIRS.at(-1)).steps.length] : [0, 0]);
  const isNext = ([number, step]) => (number - view.deal || step - view.step) * by > 0;
  const nearest = places.filter(isNext).sort((one, other) => (one[0] - other[0] || one[1] - other[1]) * by)[0];
  if (nearest) goDeal(...nearest);
  else tell(`There is no other ${what}.`);
}

function autoplay() {
  playing = playing ? clearInterval(playing) : setInterval(() => (view.step < deal().steps.length ? goStep(view.step + 1) : autoplay()), 1200);
  const button = document.querySelector('[data-go="play"]');
  button.setAttribute("aria-pressed", String(Boolean(playing)));
  button.textContent = playing ? "⏸\ufe0e" : "▶\ufe0e";
}

const GO = {
  start: () => goStep(0), end: () => goStep(deal().steps.length), before: () => goStep(view.step - 1), after: () => goStep(view.step + 1),
  "trick-before": () => goTrick(-1), "trick-after": () => goTrick(1), 
  "finding-before": () => goNext(-1, jumps, "finding"), "finding-after": () => goNext(1, jumps, "finding"),
  "difference-before": () => goNext(-1, differences, "difference"), "difference-after": () => goNext(1, differences, "difference"),
  play: autoplay,
  hide: () => { view.hide = !view.hide; render(); }, last: () => { view.last = !view.last; render(); },
  rotate: () => { view.turn = (view.turn + 1) % deal().ring.length; render(); },
  "deal-before": () => goDeal(view.deal - 1), "deal-after": () => goDeal(view.deal + 1), help: () => byId("keys").showModal(),
};

/* --- drawing --- */

function render(moved) {
  const boards = byId("boards");
  if (typeof view.as === "number" && !main().seats[view.as]) [view.as, view.turn] = ["all", 0]; // a smaller table in the other record
  const focused = document.activeElement && boards.contains(document.activeElement) ? whereIs(document.activeElement) : null;
  const opened = openDetails();
  const scrolled = scrollers().map((each) => [each.scrollLeft, each.scrollTop]);
  boards.replaceChildren(...DATA.notice.map((words) => make("p", { class: "remark", role: "status" }, words)), ...DATA.records.map(drawBoard));
  openAgain(opened);
  scrollers().forEach((each, number) => { [each.scrollLeft, each.scrollTop] = scrolled[number] || [0, 0]; });
  if (focused) refocus(focused);
  byId("deal").value = String(view.deal);
  byId("as").value = String(view.as);
  byId("hide").setAttribute("aria-pressed", String(view.hide));
  byId("last").setAttribute("aria-pressed", String(view.last));
  const now = stand(deal(), view.step);
  if (moved) tell(sentence(main(), deal(), now, view));
  const link = writeLink();
  if (link !== location.hash) history.replaceState(history.state, "", link);
  fit();
  if (moved) boards.querySelectorAll(".side").forEach(reveal);
}

const scrollers = () => [...byId("boards").querySelectorAll(".side, .scroll")];
const nameOf = (details) => `${[...document.querySelectorAll(".board")].indexOf(details.closest(".board"))} ${details.dataset.name || details.querySelector("summary").textContent}`;
const openDetails = () => [...byId("boards").querySelectorAll("details[open]")].map(nameOf);
const openAgain = (names) => byId("boards").querySelectorAll("details").forEach((details) => { details.open = details.open || names.includes(nameOf(details)); });

/* Show in what scrolls by itself beside the table what belongs to this step. */
function reveal(side) {
  const here = side.querySelector(".finding.here, .auction .here, .calls .here") || side.querySelector("tr.here");
  if (!here || side.scrollHeight <= side.clientHeight) return;
  const [inner, outer] = [here.getBoundingClientRect(), side.getBoundingClientRect()];
  if (inner.top < outer.top) side.scrollTop -= outer.top - inner.top + 8;
  else if (inner.bottom > outer.bottom) side.scrollTop += Math.min(inner.bottom - outer.bottom, inner.top - outer.top) + 8;
}

/* --- the whole table in one screen --- */

const [LARGEST, SMALLEST] = [22, 9];
let fitted = { key: "", size: LARGEST };

/* Draw cards as large as leaves the table on the screen between the bars; while a deal is looked at they only grow smaller. */
function fit() {
  const boards = byId("boards");
  const room = innerHeight - document.querySelector(".top").offsetHeight - byId("transport").offsetHeight - 16;
  const key = [innerWidth, innerHeight, view.deal, view.as, view.hide, view.turn].join();
  if (fitted.key !== key) fitted = { key, size: LARGEST };
  boards.style.setProperty("--room", `${room}px`);
  for (; ; fitted.size -= 1) {
    boards.style.setProperty("--size", `${fitted.size}px`);
    const isLarge = [...boards.querySelectorAll(".stage")].some((stage) => stage.offsetHeight > room || stage.scrollWidth > stage.clientWidth);
    if (!isLarge || fitted.size === SMALLEST) return;
  }
}

const whereIs = (element) => ({ kind: element.className.split(" ")[0], text: element.textContent });

function refocus({ kind, text }) {
  const same = [...byId("boards").querySelectorAll("button, summary, [tabindex]")].find((each) => each.className.split(" ")[0] === kind && each.textContent === text);
  (same || byId("boards")).focus({ preventScroll: true });
}

function drawBoard(record, number) {
  const pair = PAIRS[view.deal];
  const place = pair ? pair[number] : null;
  const here = record.deals[place ?? -1];
  const many = DATA.records.length > 1;
  const title = make("h2", { class: "name" }, many ? `${"AB"[number]}: ${record.name}` : record.name);
  if (!here) return make("article", { class: "board" }, title, make("p", { class: "remark" }, pair ? `This record has no deal ${deal().title}.` : "No deal is recorded."), drawOthers(record), drawRecord(record));
  const follows = number !== leads(pair);
  const count = !follows ? view.step : view.step === deal().steps.length ? here.steps.length : view.step ? upTo(here, deal().steps[view.step - 1].key) : 0;
  const now = stand(here, count);
  const go = follows ? (step) => goStep(step === here.steps.length ? deal().steps.length : step ? upTo(deal(), here.steps[step - 1].key) : 0) : goStep;
  const own = { ...view, turn: view.turn % here.ring.length };
  return make("article", { class: "board", "aria-label": record.name },
    make("div", { class: "inner" },
      make("div", { class: "stage" }, many ? title : null,
        make("p", { class: "sentence" }, sentence(record, here, now, own)), drawRemark(here, now),
        drawTable(record, here, now, own)),
      make("div", { class: "side", tabindex: "0", role: "region", "aria-label": "Beside the table" },
        drawDifferences(record, here, now, go), drawFindings(record, here, now, own, go), drawOthers(record), drawCalls(record, here, now, own, go),
        drawTricks(record, here, now, own, go), drawComments(here, now, go), drawScores(record, here, now, own),
        drawSheet(record, place, own, (wanted) => goDeal(PAIRS.findIndex((each) => each[number] === wanted))), drawRanks(now), drawAside(record, here, own), drawRecord(record))));
}

/* Findings that belong to no deal. */
function drawOthers(record) {
  if (!record.findings.length) return null;
  return make("section", { class: "panel" }, make("h3", {}, "Findings of the whole record"),
    make("ol", { class: "findings" }, record.findings.map((finding) => make("li", { class: `finding ${finding.severity}` },
      make("p", { class: "headline" }, make("strong", {}, finding.rule)), make("p", {}, finding.message),
      make("blockquote", {}, record.rules[finding.rule].sentence)))));
}

function tell(words) {
  byId("said").textContent = words;
}

/* --- links: #d7.t5.2&as=E&hands=hide; #d7-2 is the second deal of that number --- */

function writeLink() {
  const at = view.step ? deal().steps[view.step - 1].at : "";
  const { number, nth } = deal();
  const parts = [`d${number}${nth > 1 ? `-${nth}` : ""}${at ? `.${at.startsWith("b") ? at : `t${at}`}` : ""}`];
  if (view.as !== "all") parts.push(`as=${view.as === "public" ? "public" : main().seats[view.as].seat}`);
  if (view.hide) parts.push("hands=hide");
  if (view.turn !== turnFor(view.as)) parts.push(`turn=${view.turn}`);
  return `#${parts.join("&")}`;
}

function readLink() {
  const [where, ...rest] = (location.hash || DATA.start).slice(1).split("&");
  const found = /^d(\d+)(?:-(\d+))?(?:\.(?:t(\d+)(\.\d+(?:\+\d+)?)?|(b\d+)))?$/.exec(where);
  if (!found) return;
  const [number, nth, trick, card, before] = found.slice(1);
  const place = numbered(Number(number), Number(nth || 1));
  if (place < 0) return;
  view.deal = place;
  const at = before || (trick && card ? trick + card : null);
  view.step = at ? upTo(deal(), stepKey(at)) : trick ? (deal().lastOf.get(Number(trick)) ?? -1) + 1 : 0;
  const said = new Map(rest.map((part) => part.split("=", 2)));
  const seat = main().seats.findIndex((each) => each.seat === said.get("as"));
  view.as = seat >= 0 ? seat : said.get("as") === "public" ? "public" : "all";
  view.hide = said.get("hands") === "hide";
  view.turn = said.has("turn") ? clamp(Number.parseInt(said.get("turn"), 10) || 0, 0, deal().ring.length - 1) : turnFor(view.as);
}

/* --- sharing --- */

async function copy(text, button) {
  try {
    await navigator.clipboard.writeText(text);
  } catch {
    const area = make("textarea", { class: "vh", "aria-hidden": "true" });
    area.value = text;
    button.after(area);
    area.select();
    document.execCommand("copy");
    area.remove();
  }
  tell("Copied.");
  const label = button.dataset.label || (button.dataset.label = button.textContent);
  button.textContent = `${label} ✓`;
  setTimeout(() => { button.textContent = label; }, 1500);
}

function positionText() {
  const now = stand(deal(), view.step);
  const lines = [`${main().game}, deal ${deal().title}` + (now.step ? `, after ${now.step.at}` : ""), sentence(main(), deal(), now, view)];
  if (now.trump) lines.push(trumpWords(now.trump));
  for (const seat of deal().ring) {
    const left = (now.hands[seat] || []).filter((card) => !now.gone[seat].has(card));
    const cards = isOpen(deal(), now, seat, view) ? left.map((card) => inSigns(main(), card)).join(" ") : "not shown";
    lines.push(`${seatName(main(), seat)}: ${cards || "–"} (${plural(now.won[seat], "trick")})`);
  }
  return lines.join("\n").replaceAll("\ufe0e", "");
}

function download(number) {
  const link = make("a", { href: URL.createObjectURL(new Blob([byId(`record-${number}`).textContent], { type: "application/json" })), download: `record-${number + 1}.handrec.json` });
  link.click();
  URL.revokeObjectURL(link.href);
}

/* --- a record that is edited --- */

/* The page is written anew as its record is edited: load it again, every other second, while nobody is at work in it. */
function watch() {
  const { follows, opened, theme, top } = history.state || {};
  if (follows) [view.deal, view.step] = [PAIRS.length - 1, dealOf(PAIRS.at(-1)).steps.length];
  if (theme) document.documentElement.dataset.theme = theme;
  render();
  openAgain(opened || []);
  scrollTo(0, top || 0);
  setInterval(() => { if (!document.hasFocus() && !document.hidden) again(); }, 2000);
  document.addEventListener("visibilitychange", () => { if (!document.hidden) again(); });
}

/* Load the page again, at the same place: who is at the end stays at the end, whatever has been written since. */
function again() {
  const follows = view.deal === PAIRS.length - 1 && view.step === deal().steps.length;
  history.replaceState({ follows, opened: openDetails(), theme: document.documentElement.dataset.theme, top: scrollY }, "");
  location.reload();
}

/* --- at the start --- */

function listenToKeys() {
  const named = {
    ArrowLeft: "before", ArrowRight: "after", ArrowUp: "trick-before", ArrowDown: "trick-after", PageUp: "trick-before", PageDown: "trick-after", Home: "start", End: "end",
  };
  const letters = { f: "rotate", h: "hide", l: "last", p: "play", "?": "help", "[": "deal-before", "]": "deal-after", d: "difference-after", D: "difference-before" };
  document.addEventListener("keydown", (event) => {
    if (event.ctrlKey || event.altKey || event.metaKey || byId("keys").open || event.target.closest("select, input, textarea")) return;
    const finding = event.shiftKey && { ArrowLeft: "finding-before", ArrowRight: "finding-after" }[event.key];
    const isLetter = byId("letters").checked;
    const action = finding || named[event.key] || (isLetter && letters[event.key]);
    if (action) GO[action]();
    else if (isLetter && /^[1-9]$/.test(event.key)) goDeal(numbered(Number(event.key)));
    else return;
    event.preventDefault();
  });
}

function listenToSwipes() {
  let from = null;
  byId("boards").addEventListener("touchstart", (event) => {
    from = event.target.closest(".table") && event.touches.length === 1 ? [event.touches[0].clientX, event.touches[0].clientY] : null;
  }, { passive: true });
  byId("boards").addEventListener("touchend", (event) => {
    if (!from) return;
    const [across, down] = [event.changedTouches[0].clientX - from[0], event.changedTouches[0].clientY - from[1]];
    if (Math.abs(across) > 40 && Math.abs(across) > 2 * Math.abs(down)) GO[across < 0 ? "after" : "before"]();
  });
}

function start() {
  document.documentElement.classList.add("scripted");
  for (const id of ["bar", "boards"]) byId(id).hidden = false;
  if (!PAIRS.length) { byId("boards").replaceChildren(...DATA.records.map(drawBoard)); return; }
  byId("transport").hidden = false;
  const has = (of) => PAIRS.some((pair) => of(dealOf(pair), "all").length);
  document.querySelectorAll(".to-finding").forEach((each) => { each.hidden = !has(jumps) && !DATA.records.some((record) => record.findings.length); });
  document.querySelectorAll(".to-difference").forEach((each) => { each.hidden = !has(differences); });
  byId("deals").hidden = PAIRS.length < 2;
  byId("legend").append(...drawLegend());
  byId("deal").append(...PAIRS.map((pair, number) => {
    const { title, findings } = dealOf(pair);
    const alone = DATA.records.length > 1 && pair.includes(null) ? ` (${"AB"[leads(pair)]})` : "";
    const marks = [findings.some((finding) => finding.severity !== "info") ? " ✕" : "", dealOf(pair).differences.length ? " ≠" : ""].join("");
    return make("option", { value: number }, `Deal ${title}${alone}${marks}`);
  }));
  byId("as").append(make("option", { value: "all" }, "all hands"), make("option", { value: "public" }, "what all could see"),
    ...main().seats.map((_, seat) => seat).filter((seat) => !deal().faced.includes(seat)).map((seat) => make("option", { value: seat }, `what ${seatName(main(), seat)} could know`)));
  byId("deal").addEventListener("change", (event) => goDeal(Number(event.target.value)));
  byId("as").addEventListener("change", (event) => {
    view.as = /^\d+$/.test(event.target.value) ? Number(event.target.value) : event.target.value;
    view.turn = turnFor(view.as);
    render(true);
  });
  for (const id of ["hide", "last", "rotate", "deal-before", "deal-after", "help"]) byId(id).addEventListener("click", GO[id]);
  document.querySelectorAll("[data-go]").forEach((button) => button.addEventListener("click", () => GO[button.dataset.go]()));
  byId("theme").addEventListener("click", () => {
    const themes = ["auto", "dark", "light"];
    const next = themes[(themes.indexOf(document.documentElement.dataset.theme || "auto") + 1) % 3];
    document.documentElement.dataset.theme = next;
    byId("theme").textContent = `Theme: ${next}`;
  });
  byId("copy-link").addEventListener("click", (event) => copy(location.href, event.currentTarget));
  byId("copy-position").addEventListener("click", (event) => copy(positionText(), event.currentTarget));
  byId("downloads").append(...DATA.records.map((_, number) => make("button", { type: "button", click: () => download(number) }, DATA.records.length > 1 ? `Download record ${"AB"[number]}` : "Download the record")));
  window.addEventListener("hashchange", () => { readLink(); render(); });
  window.addEventListener("resize", fit);
  listenToKeys();
  listenToSwipes();
  readLink();
  if (DATA.watched) watch();
  render();
}

start();
