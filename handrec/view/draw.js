/* Everything that is drawn. Text from records goes through textContent only. */

const SUIT_ORDER = "JSHDC";
const PLACES = [
  [], ["b"], ["b", "t"], ["b", "l", "r"], ["b", "l", "t", "r"], ["b", "l", "tl", "tr", "r"], ["b", "l", "tl", "t", "tr", "r"],
  ["b", "bl", "l", "tl", "tr", "r", "br"], ["b", "bl", "l", "tl", "t", "tr", "r", "br"],
];

function make(tag, attributes, ...children) {
  const element = document.createElement(tag);
  for (const [name, value] of Object.entries(attributes || {})) {
    if (value === null || value === undefined || value === false) continue;
    if (name === "click") element.addEventListener("click", value);
    else if (name === "parts") element.style.setProperty("--parts", value);
    else element.setAttribute(name, value === true ? "" : String(value));
  }
  element.append(...children.flat().filter((child) => child !== null && child !== undefined && child !== ""));
  return element;
}

const plural = (count, noun) => `${count} ${noun}${count === 1 ? "" : "s"}`;
const face = (record, card) => record.cards[card] || ["?", "?", "", "a card that is not known"];
const spoken = (record, card) => face(record, card)[3];
const theCard = (record, card) => (spoken(record, card).startsWith("a card") ? spoken(record, card) : `the ${spoken(record, card)}`);
const suitSign = (suit) => (suit === "J" ? "✦" : DATA.suits[suit] || "?");

function inSigns(record, card) {
  const [rank, suit, pack] = face(record, card);
  return rank + suitSign(suit) + pack;
}

/* A seat by name, with its letter where a name is recorded. */
function seatName(record, seat, short) {
  const { seat: letter, name } = record.seats[seat];
  return !name ? letter : short ? name : `${name} (${letter})`;
}

/* A card: rank and suit; `marks` are classes, `more` is said after its name. */
function drawCard(record, card, marks, more) {
  const [rank, suit, pack] = face(record, card);
  if (suit === "?" || rank === "?") return drawBack(card.replaceAll("?", ""));
  return make("span", { class: `card suit-${suit} ${marks || ""}` },
    make("span", { "aria-hidden": "true", class: rank === "10" ? "rank ten" : "rank" }, rank),
    make("span", { "aria-hidden": "true", class: "suit" }, suitSign(suit)),
    pack ? make("span", { "aria-hidden": "true", class: "pack" }, pack) : null,
    make("span", { class: "vh" }, spoken(record, card) + (more ? `, ${more}` : "")));
}

function drawBack(seen = "") {
  return make("span", { class: "card back" }, make("span", { "aria-hidden": "true" }, seen), make("span", { class: "vh" }, "a card not seen"));
}

/* Cards in a line of text: each in its colour. */
function cardWords(record, cards) {
  return cards.flatMap((card, place) => [place ? " " : "", make("span", { class: `inline suit-${face(record, card)[1]}` },
    make("span", { "aria-hidden": "true" }, inSigns(record, card)), make("span", { class: "vh" }, spoken(record, card)))]);
}

function bySuit(record, cards) {
  const place = (card) => SUIT_ORDER.indexOf(face(record, card)[1]);
  return [...cards].sort((one, other) => place(one) - place(other));
}

/* --- the table --- */

function isOpen(deal, now, seat, view) {
  if (view.hide) return false;
  if (view.as === "all" || view.as === seat) return true;
  return deal.open.includes(seat) && now.trick > 0;
}

function drawSeat(record, deal, now, seat, view, told) {
  const dealt = now.hands[seat] || [];
  const open = isOpen(deal, now, seat, view);
  const gone = now.gone[seat];
  const last = now.step && now.step.do === "play" && now.step.by === seat ? now.step : null;
  const could = new Set(open && last && last.legal ? last.legal : []);
  const others = new Set(open ? deal.others[seat] : []);
  const cards = (open ? dealt : bySuit(record, gone.keys())).map((card) => {
    const [mark, words] = last && (last.held || last.card) === card ? ["gone now", "played now"] : gone.has(card) ? ["gone", "played"]
      : could.has(card) ? ["could", "could have been played"] : ["", ""];
    return others.has(card) ? drawCard(record, card, `${mark} other`, [words, "not in the other record"].filter(Boolean).join(", ")) : drawCard(record, card, mark, words);
  });
  const backs = Math.max(0, deal.sizes[seat] - (open ? Math.max(dealt.length, gone.size) : gone.size));
  for (let more = 0; more < backs; more++) cards.push(drawBack());
  const { name, seat: letter } = record.seats[seat];
  const call = now.calls.findLast((each) => each.by === seat && each.call !== undefined);
  const notes = [];
  const note = (words, kind, title) => notes.push(make("span", { class: `tag ${kind || ""}`, title }, words));
  if (deal.dealer === seat) note("dealer");
  if (deal.vulnerable.includes(seat)) note("vulnerable");
  if (deal.gathered.includes(seat) && !deal.faced.includes(seat) && open) note("as played", "", "The hand is not recorded: these are the cards played");
  if (call) note(isSecret(deal, call, view.as, now.count) ? "bid not shown yet" : `bid ${call.call}`);
  if (seat in deal.others) note("≠ another hand", "differs");
  const known = told && told.seats.get(seat);
  if (known && !open && seat !== view.as) {
    for (const suit of bySuitOrder(known.lacks)) notes.push(make("span", { class: `tag lacks suit-${suit}` },
      make("span", { "aria-hidden": "true" }, `no ${suitSign(suit)}`), make("span", { class: "vh" }, `proved to have no ${DATA.suit_names[suit] || suit}`)));
    const holds = known.holds.filter((card) => !gone.has(card));
    if (holds.length) notes.push(make("span", { class: "tag" }, "has ", cardWords(record, holds)));
  }
  return make("section", { class: `seat ${now.whole && now.winner === seat ? "won" : ""}`, "aria-label": `${seatName(record, seat)}` },
    make("h3", {}, make("span", { class: "who" }, name || letter), name ? make("span", { class: "letter" }, letter) : null, notes,
      make("span", { class: "taken", title: "tricks taken" }, plural(now.won[seat], "trick"))),
    cards.length ? make("ul", { class: "fan", parts: cards.length }, cards.map((card) => make("li", {}, card))) : make("p", { class: "none" }, "hand not recorded"));
}

const bySuitOrder = (suits) => [...suits].sort((one, other) => SUIT_ORDER.indexOf(one) - SUIT_ORDER.indexOf(other));
const trumpWords = (trump) => (/^(no|all) trump/.test(trump) ? trump[0].toUpperCase() + trump.slice(1) : `Trump: ${trump}`);

/* The findings by the step whose card or call they are marked at. */
function markedAt(deal, now, view) {
  const found = new Map();
  for (const finding of shownFindings(deal, view.as, now.count)) if (finding.severity !== "info" && finding.mark !== null) found.set(finding.mark, finding);
  return found;
}

/* The signs at a step: broken rule, difference, comment; with their words for those who do not see them. */
function signsAt(deal, place, faults) {
  const fault = faults.get(place);
  const signs = [];
  if (fault) signs.push(["✕", "happened", fault.entry ? "recorded as the winner" : "broke a rule"]);
  if (deal.steps[place].differs) signs.push(["≠", "differs", "the records differ"]);
  if (deal.said.has(place)) signs.push(["❝", "said", "a comment"]);
  return signs;
}

const drawSigns = (signs) => signs.map(([sign, kind]) => make("span", { class: `mark ${kind}`, "aria-hidden": "true" }, sign));

function drawTrick(record, deal, now, view, ring) {
  const looked = view.last && now.before ? now.before : now.trick ? now : null;
  const trick = looked ? looked.trick : 0;
  const places = ring.length < PLACES.length ? PLACES[ring.length] : null;
  const faults = markedAt(deal, now, view);
  const plays = (looked ? looked.plays : []).map((play, number) => {
    const won = looked.winner === play.by;
    const signs = signsAt(deal, play.place, faults);
    const latest = looked === now && play.place === now.count - 1;
    const marks = [latest ? "latest" : "", won ? "best" : "", faults.has(play.place) ? "bad" : ""].join(" ");
    const said = [number ? "" : "led", won ? "won" : "", ...signs.map((sign) => sign[2])].filter(Boolean).join(", ");
    return make("li", { class: `played ${places ? `at-${places[ring.indexOf(play.by)]}` : ""}` },
      drawCard(record, play.card, marks, said),
      make("span", { class: "by" }, number ? "" : make("span", { class: "led", "aria-hidden": "true" }, "▸"),
        record.seats[play.by].seat, won ? make("span", { class: "star", "aria-hidden": "true" }, "★") : "", drawSigns(signs)));
  });
  for (const seat of places ? ring : []) {
    if (looked && looked.plays.some((play) => play.by === seat)) continue;
    plays.push(make("li", { class: `played empty at-${places[ring.indexOf(seat)]}`, "aria-hidden": "true" }, make("span", { class: "card" }), make("span", { class: "by" }, record.seats[seat].seat)));
  }
  const title = !trick ? (now.count ? "Before the play" : "The deal") : `Trick ${trick}` + (looked !== now ? ", the last one" : "");
  return make("section", { class: "middle", "aria-label": "The trick" },
    make("p", { class: "trick-title" }, title, deal.tricks.length && trick ? make("span", { class: "of" }, ` of ${deal.cards}`) : ""),
    make("ol", { class: `trick ${places ? "round" : "row"}` }, plays),
    make("p", { class: "trump" }, now.trump ? trumpWords(now.trump) : "Trump not known yet",
      deal.contract && now.trick ? ` · contract ${deal.contract}` : ""),
    now.turned.length ? make("div", { class: "turned" }, make("span", {}, "Turned"),
      make("ul", {}, now.turned.map((card, place) => make("li", {}, drawCard(record, card, place === now.turned.length - 1 ? "small newest" : "small"))))) : null);
}

function drawTable(record, deal, now, view) {
  const told = view.as === "all" ? null : toldBy(deal, view.as, now.count);
  const ring = deal.ring.map((_, place) => deal.ring[(place + record.home + view.turn) % deal.ring.length]);
  const round = ring.length < PLACES.length;
  const table = make("div", { class: `table ${round ? `round seats-${ring.length}` : "list"}` });
  table.append(make("div", { class: "place-c" }, drawTrick(record, deal, now, view, ring)));
  ring.forEach((seat, place) => table.append(
    make("div", { class: round ? `place-${PLACES[ring.length][place]}` : "place" }, drawSeat(record, deal, now, seat, view, told))));
  if (told && told.broken) table.append(make("p", { class: "remark place-note" },
    "From here on all could tell that somebody did not play as the rules require: who holds what cannot be concluded any more."));
  return table;
}

/* --- beside the table --- */

/* The signs of a trick: faults and when they could be proved, differences, comments. */
function marksOf(deal, now, view) {
  const marks = new Map();
  const put = (place, sign, kind, words) => {
    if (place === null || place === undefined) return;
    const trick = stepKey(deal.steps[place].at)[0];
    const there = marks.get(trick) || [];
    if (!there.some((mark) => mark.kind === kind)) marks.set(trick, [...there, { place, sign, kind, words }]);
  };
  for (const finding of shownFindings(deal, view.as, now.count)) {
    if (finding.severity === "info") continue;
    put(finding.step, "✕", "happened", "a fault");
    put(finding.provable, "◆", "provable", "provable");
    if (finding.provable === null) put(finding.supposed, "◇", "provable", "provable if the others played by the rules");
    put(finding.established, "■", "established", "established");
  }
  deal.steps.forEach((step, place) => { if (step.differs) put(place, "≠", "differs", "the records differ"); });
  for (const place of deal.said.keys()) put(place, "❝", "said", "a comment");
  return marks;
}

/* A line for each trick, a column for each seat; what was said in between stands below. */
function drawTricks(record, deal, now, view, go) {
  if (!deal.tricks.length) return null;
  const columns = deal.ring.length < PLACES.length ? deal.ring : null;
  const marks = marksOf(deal, now, view);
  const faults = markedAt(deal, now, view);
  const isTold = (place) => view.as === "all" || place < now.count;
  const cell = (place, first) => {
    const { by, card, trick } = deal.steps[place];
    const won = deal.winners[trick] === by && isTold(deal.lastOf.get(trick));
    const signs = signsAt(deal, place, faults);
    return make("td", { class: `${place === now.count - 1 ? "now" : ""} ${place < now.count ? "" : "ahead"} ${faults.has(place) ? "off" : ""}`, click: () => go(place + 1) },
      columns ? "" : `${record.seats[by].seat} `, first ? make("span", { class: "led", "aria-hidden": "true" }, "▸") : "", cardWords(record, [card]),
      won ? make("span", { class: "star", "aria-hidden": "true" }, "★") : "", drawSigns(signs),
      make("span", { class: "vh" }, [first ? "led" : "", won ? "won" : "", ...signs.map((sign) => sign[2])].filter(Boolean).map((word) => `, ${word}`).join("")));
  };
  const rows = deal.tricks.flatMap((trick) => {
    const [first, end] = [deal.firstOf.get(trick), deal.lastOf.get(trick)];
    const plays = [];
    const between = [];
    deal.steps.forEach((step, place) => {
      if (step.key[0] !== trick || !isTold(place)) return;
      if (step.do === "play") plays.push(place);
      else between.push(place);
    });
    const signs = marks.get(trick) || [];
    const words = [`Trick ${trick}`, ...signs.map((mark) => mark.words)].join(", ");
    const cells = columns ? columns.map((seat) => {
      const own = plays.filter((place) => deal.steps[place].by === seat);
      return own.length ? cell(own[0], own[0] === first) : make("td");
    }) : [make("td", { class: "plays" }, plays.map((place) => make("span", {}, [...cell(place, place === first).childNodes], " ")))];
    return [
      make("tr", { class: now.trick === trick && now.count ? "here" : "" }, make("th", { scope: "row" }, make("button", {
        type: "button", class: "link tick", "aria-current": now.trick === trick && now.count ? "step" : null, "aria-label": words, title: words,
        click: () => go((signs.length ? signs[0].place : end) + 1),
      }, String(trick), make("span", { class: "marks" }, signs.map((mark) => make("span", { class: `mark ${mark.kind}` }, mark.sign))))), cells),
      ...between.map((place) => make("tr", { class: `said ${place === now.count - 1 ? "here" : ""}` }, make("td"), make("td", { colspan: cells.length },
        jumpTo(place, go, `${actor(record, deal.steps[place])}${saying(deal, deal.steps[place], now, view)}`)))),
    ];
  });
  return make("section", { class: "panel" }, make("h3", {}, "Tricks"), make("div", { class: "scroll", tabindex: "0", role: "region", "aria-label": "Tricks" },
    make("table", { class: "tricks" },
      columns ? make("thead", {}, make("tr", {}, make("td"), columns.map((seat) => make("th", { scope: "col" }, record.seats[seat].seat)))) : null,
      make("tbody", {}, rows))));
}

const actor = (record, step) => (step.by === undefined ? "" : `${record.seats[step.by].seat} `);

function jumpTo(place, go, words) {
  return make("button", { type: "button", class: "link", click: () => go(place + 1) }, words);
}

const dated = (deal, place) => {
  const [trick, card, more] = deal.steps[place].key;
  return trick ? `${trick}.${card}${more ? " +" : ""}` : "before the play";
};

/* What happened if the record is wrong, and where to look to tell; it is of all hands. */
function drawWeighed(finding) {
  const lists = [["If the record is wrong", finding.if_wrong], ["What would tell them apart", finding.look_at]];
  return lists.filter(([, lines]) => lines.length).flatMap(([title, lines]) => [
    make("h4", {}, title), make("ul", { class: "plain" }, lines.map((line) => make("li", {}, line)))]);
}

function drawFinding(record, deal, finding, now, view, go) {
  const rule = record.rules[finding.rule];
  const here = finding.after === now.count;
  const sign = { error: "✕", warning: "!", info: "·" }[finding.severity];
  const dates = [];
  const add = (kind, mark, words, place) => {
    if (place !== null && place !== undefined) dates.push(make("li", {}, make("span", { class: `mark ${kind}`, "aria-hidden": "true" }, mark), ` ${words} `, jumpTo(place, go, dated(deal, place))));
  };
  add("happened", sign, finding.entry ? "the trick was won" : "happened", finding.step);
  if ("established" in finding) {
    add("provable", "◆", "provable to all", finding.provable);
    if (finding.provable === null) add("provable", "◇", "provable, if the others played by the rules", finding.supposed);
    const earlier = finding.to.filter(([seat, place]) => seat !== finding.seat && (finding.provable === null || place < finding.provable));
    for (const [seat, place] of view.as === "all" ? earlier : earlier.filter(([seat]) => seat === view.as)) add("provable", "◆", `provable to ${seatName(record, seat, true)}`, place);
    add("established", "■", "established", finding.established);
  }
  if (!dates.length) dates.push(make("li", {}, jumpTo(finding.after - 1, go, finding.after ? (finding.after < deal.steps.length ? "at the first lead" : "after the play") : "before the play")));
  return make("li", { class: `finding ${finding.severity} ${here ? "here" : ""}` },
    make("p", { class: "headline" }, make("span", { class: "mark happened", "aria-hidden": "true" }, `${sign} `), make("strong", {}, finding.rule),
      finding.where ? ` ${finding.where}` : ""),
    finding.if_wrong.length && view.as === "all" ? make("h4", {}, "As written") : null,
    make("p", {}, finding.message),
    make("details", { class: "why", open: here, "data-name": `finding ${deal.findings.indexOf(finding)}` }, make("summary", {}, "Rule and dates"),
      finding.could.length ? make("p", {}, "Could have been played: ", cardWords(record, finding.could)) : null,
      finding.readings ? make("p", { class: "quiet" }, finding.readings) : null,
      make("blockquote", {}, rule.sentence, rule.source ? make("footer", {}, rule.source) : null),
      ...(view.as === "all" ? drawWeighed(finding) : []),
      make("ul", { class: "dates" }, dates)));
}

function drawFindings(record, deal, now, view, go) {
  const findings = shownFindings(deal, view.as, now.count);
  const held = deal.findings.length - findings.length;
  return make("section", { class: "panel" }, make("h3", {}, `Findings (${findings.length})`),
    findings.length ? make("ol", { class: "findings" }, findings.map((finding) => drawFinding(record, deal, finding, now, view, go)))
      : make("p", { class: "quiet" }, held ? "Nothing that this view could tell by now." : "Nothing wrong was found in this deal."),
    deal.stopped ? make("p", { class: "remark" }, deal.stopped) : null);
}

/* What two records say otherwise of the deal, and of the game as a whole. */
function drawDifferences(record, deal, now, go) {
  if (DATA.records.length < 2) return null;
  const [own, other] = record === DATA.records[0] ? ["A", "B"] : ["B", "A"];
  const line = (each) => [`${each.what}: `, make("b", {}, `${own} `), each.here, make("b", {}, ` ${other} `), each.other];
  const rows = [
    ...deal.differences.map((each) => make("li", { class: each.after === now.count ? "here" : "" }, make("button", { type: "button", class: "link", click: () => go(each.after) }, line(each)))),
    ...record.differences.map((each) => make("li", {}, line(each))),
  ];
  return make("section", { class: "panel differences" }, make("h3", {}, DATA.apart ? "Differences" : `Differences (${rows.length})`),
    DATA.apart ? make("p", { class: "remark" }, `What differs cannot be told: ${DATA.apart}.`) : rows.length ? make("ul", { class: "plain" }, rows) : make("p", { class: "quiet" }, "Both records say the same of this deal."));
}

/* The calls in a box, a column for each seat; what else came before the play stands below. */
function drawCalls(record, deal, now, view, go) {
  const said = view.as === "all" ? deal.opening : Math.min(deal.opening, now.count);
  if (!said) return null;
  const faults = markedAt(deal, now, view);
  const button = (place, words) => make("button", { type: "button", class: `link ${place === now.count - 1 ? "here" : ""} ${place < now.count ? "" : "ahead"}`, click: () => go(place + 1) },
    words, drawSigns(signsAt(deal, place, faults)), make("span", { class: "vh" }, signsAt(deal, place, faults).map((sign) => `, ${sign[2]}`).join("")));
  const call = (place) => button(place, isSecret(deal, deal.steps[place], view.as, now.count) ? "chosen" : deal.steps[place].call);
  const { seats, rows } = deal.auction || { seats: [], rows: [] };
  const boxed = rows.filter((row) => row.some((place) => place !== null && place < said));
  const rest = deal.steps.slice(0, said).map((_, place) => place).filter((place) => !rows.some((row) => row.includes(place)));
  return make("section", { class: "panel" }, make("h3", {}, "Before the play"),
    boxed.length ? make("div", { class: "scroll", tabindex: "0", role: "region", "aria-label": "Calls" }, make("table", { class: "auction" },
      make("thead", {}, make("tr", {}, seats.map((seat) => make("th", { scope: "col" }, record.seats[seat].seat, deal.dealer === seat ? make("span", { class: "quiet" }, " dealer") : "")))),
      make("tbody", {}, boxed.map((row) => make("tr", {}, row.map((place) => make("td", {}, place !== null && place < said ? call(place) : ""))))))) : null,
    rest.length ? make("ul", { class: "calls" }, rest.map((place) => make("li", {}, button(place, `${actor(record, deal.steps[place])}${saying(deal, deal.steps[place], now, view)}`)))) : null);
}

/* The ranks of the suits as they are by now. */
function drawRanks(now) {
  return now.ranks ? make("details", { class: "panel ranks" }, make("summary", {}, "Ranks"), make("dl", {},
    now.ranks.flatMap(([suits, ranks]) => [make("dt", {}, suits), make("dd", {}, ranks)]))) : null;
}

function shownNumber([due, written], signed) {
  const words = (value) => (value === null || value === undefined ? "–" : typeof value === "number" && signed && value > 0 ? `+${value}` : String(value));
  if (written === null) return [words(due)];
  if (String(written) === String(due)) return [words(due), make("span", { class: "agrees", title: "recorded so" }, " ✓"), make("span", { class: "vh" }, " recorded so")];
  if (due === null) return [make("span", { title: "recorded; it cannot be recomputed" }, `(${words(written)})`), make("span", { class: "vh" }, " recorded, cannot be recomputed")];
  return [make("del", { title: "recorded" }, words(written)), make("span", { class: "vh" }, " recorded,"), " → ", make("strong", {}, words(due))];
}

function drawScores(record, deal, now, view) {
  if (view.as !== "all" && deal.disclosed !== null && now.count <= deal.disclosed) return null;
  const rows = deal.scores.filter((row) => row.seat !== null);
  if (!rows.some((row) => PARTS.some((part) => row[part].some((value) => value !== null)))) return null;
  const parts = PARTS.filter((part) => rows.some((row) => row[part].some((value) => value !== null)));
  const differs = (pair) => pair[1] !== null && String(pair[0]) !== String(pair[1]);
  return make("section", { class: "panel" }, make("h3", {}, "Score of the deal"),
    make("div", { class: "scroll", tabindex: "0", role: "region", "aria-label": "Score of the deal" }, make("table", {},
      make("thead", {}, make("tr", {}, make("td", {}), parts.map((part) => make("th", { scope: "col" }, part)))),
      make("tbody", {}, rows.map((row) => make("tr", {}, make("th", { scope: "row" }, seatName(record, row.seat, true)),
        parts.map((part) => make("td", { class: differs(row[part]) ? "off" : "" }, shownNumber(row[part], part === "points")))))))),
    scoreNotes(record, rows));
}

function scoreNotes(record, rows) {
  const lines = rows.map((row) => {
    const parts = Object.entries(row.lines).filter(([, points]) => points).map(([name, points]) => `${name} ${points > 0 ? "+" : ""}${points}`);
    if (row.fine) parts.push(`penalty −${row.fine}`);
    return [...parts, ...row.notes].length ? `${seatName(record, row.seat, true)}: ${[...parts, ...row.notes].join(", ")}` : "";
  }).filter(Boolean);
  return lines.length ? make("details", {}, make("summary", {}, "How it was made up"), make("ul", { class: "plain" }, lines.map((line) => make("li", {}, line)))) : null;
}

/* The running score, a line for each deal; a seat knows those that are over. */
function drawSheet(record, place, view, goDeal) {
  const seats = record.deals[0].scores.filter((row) => row.seat !== null).map((row) => row.seat);
  const deals = record.deals.map((deal, number) => [deal, number]).filter(([, number]) => view.as === "all" || number < place);
  if (record.deals.length < 2 || !seats.length || !deals.length) return null;
  return make("section", { class: "panel" }, make("h3", {}, "Running score"),
    make("div", { class: "scroll", tabindex: "0", role: "region", "aria-label": "Running score" }, make("table", {},
      make("thead", {}, make("tr", {}, make("th", { scope: "col" }, "deal"), seats.map((seat) => make("th", { scope: "col" }, seatName(record, seat, true))))),
      make("tbody", {}, deals.map(([deal, number]) => make("tr", { class: number === place ? "here" : "" },
        make("th", { scope: "row" }, make("button", { type: "button", class: "link", click: () => goDeal(number) }, deal.title)),
        deal.scores.filter((row) => row.seat !== null).map((row) => make("td", {}, make("b", {}, shownNumber(row.total)), make("span", { class: "quiet" }, " ("), shownNumber(row.points, true), make("span", { class: "quiet" }, ")")))))))),
    make("p", { class: "quiet" }, "Total after the deal (points of the deal).", view.as === "all" && record.ending.length ? ` ${record.ending.join(". ")}.` : ""));
}

function drawAside(record, deal, view) {
  const places = Object.entries(deal.aside);
  if (!places.length || view.as !== "all") return null;
  return make("details", { class: "panel" }, make("summary", {}, "Cards set aside"),
    places.map(([name, cards]) => make("p", {}, `${name}: `, cards.length ? cardWords(record, cards) : "none")));
}

function drawRecord(record) {
  const told = [...record.provenance, ...record.options];
  return make("details", { class: "panel" }, make("summary", {}, "About this record"),
    make("p", {}, record.source), told.length ? make("ul", { class: "plain" }, told.map((line) => make("li", {}, line))) : null,
    make("h4", {}, "What was checked"),
    make("ul", { class: "plain" }, record.levels.map(([key, name, status, words]) => make("li", {}, make("b", {}, `${key} ${name}: `), words || status))),
    record.comments.map((comment) => make("p", { class: "comment" }, `“${comment.text}”`, comment.by ? ` ${comment.by}` : "")));
}

const commentWords = (comment) => [`“${comment.text}”`, comment.by ? ` ${comment.by}` : ""];

/* What was noted at the card or call that is looked at. */
function drawRemark(deal, now) {
  const here = deal.comments.filter((comment) => comment.step !== null && comment.step === now.count - 1);
  return here.map((comment) => make("p", { class: "comment here" }, commentWords(comment)));
}

function drawComments(deal, now, go) {
  const said = deal.comments.filter((comment) => comment.step === null || comment.step < now.count);
  return said.length ? make("section", { class: "panel" }, make("h3", {}, "Comments"), said.map((comment) => make("p", { class: "comment" },
    comment.step === null ? "" : [jumpTo(comment.step, go, dated(deal, comment.step)), " "], commentWords(comment)))) : null;
}

/* The signs there are, what they mean, and whether a deal has any. */
const SIGNS = [
  ["▸", "led", "led to the trick", (deal) => deal.tricks.length],
  ["★", "star", "won the trick", (deal) => Object.keys(deal.winners).length],
  ["✕", "happened", "it happened: a play or call that breaks a rule, or an entry that is wrong", (deal) => deal.findings.some((each) => each.severity === "error")],
  ["!", "happened", "a warning", (deal) => deal.findings.some((each) => each.severity === "warning")],
  ["◆", "provable", "provable: from this card on everybody at the table could be sure of it", (deal) => deal.findings.some((each) => typeof each.provable === "number")],
  ["◇", "provable", "provable, if everybody takes for granted that the others played by the rules", (deal) => deal.findings.some((each) => each.provable === null && typeof each.supposed === "number")],
  ["■", "established", "established: the offender’s side has played to a later trick. What a table’s own rules say of it is for a ruling", (deal) => deal.findings.some((each) => typeof each.established === "number")],
  ["≠", "differs", "two records say different things", (deal) => deal.differences.length],
  ["❝", "said", "a comment stands at this card or call", (deal) => deal.said.size],
  ["✓", "agrees", "the number is recorded as it was recomputed", (deal) => allNumbers(deal).some((pair) => pair[1] !== null && String(pair[1]) === String(pair[0]))],
  ["12 → 11", "", "recorded as 12, recomputed as 11", (deal) => allNumbers(deal).some((pair) => pair[0] !== null && pair[1] !== null && String(pair[1]) !== String(pair[0]))],
  ["(12)", "", "recorded as 12; it cannot be recomputed", (deal) => allNumbers(deal).some((pair) => pair[0] === null && pair[1] !== null)],
  ["▁", "provable", "a card with a bar below could have been played instead of the last one", (deal) => deal.steps.some((step) => step.legal)],
  ["┄", "differs", "a card with a dashed edge is in this hand by one record alone", (deal) => Object.keys(deal.others).length],
];
const PARTS = ["bid", "tricks", "points", "total"];
const allNumbers = (deal) => deal.scores.filter((row) => row.seat !== null).flatMap((row) => PARTS.map((part) => row[part]));

/* What the signs mean that are on the page. */
function drawLegend() {
  const deals = DATA.records.flatMap((record) => record.deals);
  return SIGNS.filter(([, , , there]) => deals.some(there)).map(([sign, kind, words]) => make("li", {}, make("span", { class: `mark ${kind}` }, sign), ` ${words}`));
}

/* --- the sentence of a step --- */

/* What somebody did, as far as a view knows it by now. */
function saying(deal, step, now, view) {
  if (isSecret(deal, step, view.as, now.count)) return "has chosen a bid, not shown yet";
  return step.unseen === undefined || view.as === "all" || step.seen_by.includes(view.as) ? step.say : step.unseen;
}

function sentence(record, deal, now, view) {
  const step = now.step;
  if (!step) return `Deal ${deal.title}, ${plural(deal.cards, "card")} each` + (deal.dealer === null ? "" : `; ${seatName(record, deal.dealer, true)} dealt`) + ".";
  const who = step.by === undefined ? "" : `${seatName(record, step.by, true)} `;
  const parts = [];
  if (step.do === "play") {
    parts.push(`Trick ${step.trick}: ${who}${now.plays.length === 1 ? "leads" : "plays"} ${theCard(record, step.card)}`);
    if (step.say) parts.push(step.say);
    if (now.plays.length > 1) parts.push(`${theCard(record, now.plays[0].card)} led`);
    if (now.winner !== null && now.whole) parts.push(`${seatName(record, now.winner, true)} wins the trick`);
  } else {
    const cards = step.cards || (step.card ? [step.card] : []);
    parts.push(who + cards.reduce((said, card) => said.replace(inSigns(record, card), spoken(record, card)), saying(deal, step, now, view)));
  }
  const findings = shownFindings(deal, view.as, now.count).filter((finding) => finding.step !== null && finding.after === now.count);
  for (const finding of findings) parts.push(`${finding.severity === "info" ? "note" : finding.entry ? "recorded otherwise" : "violation"} ${finding.rule}`);
  if (step.differs) parts.push("the other record says otherwise");
  const text = parts.join("; ");
  return `${text.charAt(0).toUpperCase()}${text.slice(1)}.`;
}
