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
  const cards = (open ? dealt : bySuit(record, gone.keys())).map((card) => {
    if (last && last.card === card) return drawCard(record, card, "gone now", "played now");
    if (gone.has(card)) return drawCard(record, card, "gone", "played");
    return could.has(card) ? drawCard(record, card, "could", "could have been played") : drawCard(record, card);
  });
  const backs = Math.max(0, deal.sizes[seat] - (open ? Math.max(dealt.length, gone.size) : gone.size));
  for (let more = 0; more < backs; more++) cards.push(drawBack());
  const turn = now.whole ? now.winner === seat : false;
  const { name, seat: letter } = record.seats[seat];
  const call = now.calls.findLast((each) => each.by === seat && each.call !== undefined);
  const notes = [];
  if (deal.dealer === seat) notes.push(make("span", { class: "tag" }, "dealer"));
  if (deal.vulnerable.includes(seat)) notes.push(make("span", { class: "tag" }, "vulnerable"));
  if (deal.gathered.includes(seat) && !deal.faced.includes(seat) && open) notes.push(make("span", { class: "tag", title: "The hand is not recorded: these are the cards played" }, "as played"));
  if (call) notes.push(make("span", { class: "tag" }, isSecret(deal, call, view.as, now.count) ? "bid not shown yet" : `bid ${call.call}`));
  const known = told && told.seats.get(seat);
  const facts = [];
  if (known && !open && seat !== view.as) {
    const lacks = [...known.lacks].sort((one, other) => SUIT_ORDER.indexOf(one) - SUIT_ORDER.indexOf(other));
    for (const suit of lacks) facts.push(make("span", { class: `tag lacks suit-${suit}` },
      make("span", { "aria-hidden": "true" }, `no ${suitSign(suit)}`), make("span", { class: "vh" }, `proved to have no ${DATA.suit_names[suit] || suit}`)));
    const holds = known.holds.filter((card) => !gone.has(card));
    if (holds.length) facts.push(make("span", { class: "tag" }, "has ", cardWords(record, holds)));
  }
  if ((deal.other_hands || []).includes(seat)) notes.push(make("span", { class: "tag differs" }, "≠ another hand"));
  return make("section", { class: `seat ${turn ? "won" : ""}`, "aria-label": `${seatName(record, seat)}` },
    make("h3", {}, make("span", { class: "who" }, name || letter), name ? make("span", { class: "letter" }, letter) : null, notes,
      make("span", { class: "taken", title: "tricks taken" }, plural(now.won[seat], "trick"))),
    facts.length ? make("p", { class: "tags" }, facts) : null,
    cards.length ? make("ul", { class: `fan ${cards.length > 14 ? "many" : ""}` }, cards.map((card) => make("li", { class: card.classList.contains("back") ? "slim" : null }, card))) : make("p", { class: "none" }, "hand not recorded"));
}

const trumpWords = (trump) => (/^(no|all) trump/.test(trump) ? trump[0].toUpperCase() + trump.slice(1) : `Trump: ${trump}`);

function drawTrick(record, deal, now, view, ring) {
  const looked = view.last && now.before ? now.before : now.trick ? now : null;
  const trick = looked ? looked.trick : 0;
  const places = ring.length < PLACES.length ? PLACES[ring.length] : null;
  const faults = new Set(shownFindings(deal, view.as, now.count).filter((one) => one.severity !== "info").map((one) => one.step));
  const plays = (looked ? looked.plays : []).map((play, number) => {
    const won = looked.winner === play.by;
    const bad = faults.has(play.place);
    const differs = deal.steps[play.place].differs;
    const latest = looked === now && play.place === now.count - 1;
    const marks = [latest ? "latest" : "", won ? "best" : "", bad ? "bad" : ""].join(" ");
    const area = places ? `at-${places[ring.indexOf(play.by)]}` : "";
    const said = [number ? "" : "led", won ? "won" : "", bad ? "broke a rule" : ""].filter(Boolean).join(", ");
    return make("li", { class: `played ${area}` },
      drawCard(record, play.card, marks, said),
      make("span", { class: "by" }, number ? "" : make("span", { class: "led", "aria-hidden": "true" }, "▸"),
        record.seats[play.by].seat, won ? make("span", { class: "star", "aria-hidden": "true" }, " ★") : "",
        bad ? make("span", { class: "mark happened", "aria-hidden": "true" }, " ✕") : "",
        differs ? make("span", { class: "mark differs" }, " ≠") : ""));
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
      make("ul", {}, now.turned.map((card, place) => make("li", {}, drawCard(record, card, place === now.turned.length - 1 ? "small newest" : "small"))))) : null,
    now.ranks ? make("details", { class: "ranks" }, make("summary", {}, "Ranks"), make("dl", {},
      now.ranks.flatMap(([suits, ranks]) => [make("dt", {}, suits), make("dd", {}, ranks)]))) : null);
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

function drawTimeline(record, deal, now, view, go) {
  const findings = shownFindings(deal, view.as, now.count);
  const marksOf = new Map();
  const put = (place, sign, kind, words) => {
    if (place === null || place === undefined) return;
    const trick = stepKey(deal.steps[place].at)[0];
    marksOf.set(trick, [...(marksOf.get(trick) || []), { place, sign, kind, words }]);
  };
  for (const finding of findings) {
    if (finding.severity === "info") continue;
    put(finding.step, "✕", "happened", "a fault");
    put(finding.provable, "◆", "provable", "provable");
    if (finding.provable === null) put(finding.supposed, "◇", "provable", "provable if the others played by the rules");
    put(finding.established, "■", "established", "established");
  }
  deal.steps.forEach((step, place) => { if (step.differs) put(place, "≠", "differs", "the records differ"); });
  const ticks = deal.opening ? [[0, "Calls", deal.opening]] : [];
  for (const trick of deal.tricks) ticks.push([trick, String(trick), deal.lastOf.get(trick) + 1]);
  return make("ol", { class: `timeline ${ticks.length > 20 ? "long" : ""}`, "aria-label": "Timeline" }, ticks.map(([trick, label, end]) => {
    const marks = (marksOf.get(trick) || []).filter((mark, place, all) => all.findIndex((each) => each.kind === mark.kind) === place);
    const words = [trick ? `Trick ${trick}` : "Calls, before the play", ...marks.map((mark) => mark.words)].join(", ");
    const done = trick ? deal.firstOf.get(trick) < now.count : now.count > 0;
    const first = marks.length ? marks[0].place + 1 : end;
    return make("li", {}, make("button", {
      type: "button", class: `tick ${done ? "done" : ""}`, "aria-current": now.trick === trick && now.count ? "step" : null,
      "aria-label": words, title: words, click: () => go(first),
    }, make("span", {}, label), make("span", { class: "marks" }, marks.map((mark) => make("span", { class: `mark ${mark.kind}` }, mark.sign)))));
  }));
}

function jumpTo(deal, place, go, words) {
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
  const here = finding.step !== null && finding.step === now.count - 1;
  const sign = { error: "✕", warning: "!", info: "·" }[finding.severity];
  const dates = [];
  const add = (kind, mark, words, place) => {
    if (place !== null && place !== undefined) dates.push(make("li", {}, make("span", { class: `mark ${kind}`, "aria-hidden": "true" }, mark), ` ${words} `, jumpTo(deal, place, go, dated(deal, place))));
  };
  add("happened", sign, "happened", finding.step);
  if ("established" in finding) {
    add("provable", "◆", "provable to all", finding.provable);
    if (finding.provable === null) add("provable", "◇", "provable, if the others played by the rules", finding.supposed);
    const earlier = finding.to.filter(([seat, place]) => seat !== finding.seat && (finding.provable === null || place < finding.provable));
    for (const [seat, place] of view.as === "all" ? earlier : earlier.filter(([seat]) => seat === view.as)) add("provable", "◆", `provable to ${seatName(record, seat, true)}`, place);
    add("established", "■", "established", finding.established);
  }
  return make("li", { class: `finding ${finding.severity} ${here ? "here" : ""}` },
    make("p", { class: "headline" }, make("span", { class: "mark happened", "aria-hidden": "true" }, `${sign} `), make("strong", {}, finding.rule),
      finding.where ? ` ${finding.where}` : ""),
    finding.if_wrong.length && view.as === "all" ? make("h4", {}, "As written") : null,
    make("p", {}, finding.message),
    finding.could.length ? make("p", {}, "Could have been played: ", cardWords(record, finding.could)) : null,
    finding.readings ? make("p", { class: "quiet" }, finding.readings) : null,
    make("blockquote", {}, rule.sentence, rule.source ? make("footer", {}, rule.source) : null),
    ...(view.as === "all" ? drawWeighed(finding) : []),
    dates.length ? make("ul", { class: "dates" }, dates) : null);
}

function drawFindings(record, deal, now, view, go) {
  const findings = shownFindings(deal, view.as, now.count);
  const held = deal.findings.length - findings.length;
  return make("section", { class: "panel" }, make("h3", {}, `Findings (${findings.length})`),
    findings.length ? make("ol", { class: "findings" }, findings.map((finding) => drawFinding(record, deal, finding, now, view, go)))
      : make("p", { class: "quiet" }, held ? "Nothing that this view could tell by now." : "Nothing wrong was found in this deal."),
    deal.stopped ? make("p", { class: "remark" }, deal.stopped) : null);
}

function drawCalls(record, deal, now, view, go) {
  const said = view.as === "all" ? deal.opening : Math.min(deal.opening, now.count);
  if (!said) return null;
  const here = (place) => (place === now.count - 1 ? "here" : "");
  const rows = deal.steps.slice(0, said).map((step, place) => make("li", { class: `${here(place)} ${place < now.count ? "" : "ahead"}` },
    make("button", { type: "button", class: "link", click: () => go(place + 1) },
      step.by === undefined ? "" : make("b", {}, `${record.seats[step.by].seat} `), saying(deal, step, now, view), step.differs ? " ≠" : "")));
  return make("section", { class: "panel" }, make("h3", {}, "Before the play"), make("ol", { class: "calls" }, rows));
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
  if (!rows.some((row) => ["bid", "tricks", "points", "total"].some((part) => row[part].some((value) => value !== null)))) return null;
  const parts = ["bid", "tricks", "points", "total"].filter((part) => rows.some((row) => row[part].some((value) => value !== null)));
  const differs = (pair) => pair[1] !== null && String(pair[0]) !== String(pair[1]);
  return make("section", { class: "panel" }, make("h3", {}, "Score of the deal"),
    make("div", { class: "scroll", tabindex: "0", role: "region", "aria-label": "Score of the deal" }, make("table", {},
      make("thead", {}, make("tr", {}, make("td", {}), parts.map((part) => make("th", { scope: "col" }, part)))),
      make("tbody", {}, rows.map((row) => make("tr", {}, make("th", { scope: "row" }, seatName(record, row.seat, true)),
        parts.map((part) => make("td", { class: differs(row[part]) ? "off" : "" }, shownNumber(row[part], part === "points")))))))),
    scoreNotes(record, rows),
    make("p", { class: "quiet" }, "✓ recorded so · ", make("del", {}, "12"), " → 11: recorded as 12, recomputed as 11"));
}

function scoreNotes(record, rows) {
  const lines = rows.map((row) => {
    const parts = Object.entries(row.lines).filter(([, points]) => points).map(([name, points]) => `${name} ${points > 0 ? "+" : ""}${points}`);
    if (row.fine) parts.push(`penalty −${row.fine}`);
    return [...parts, ...row.notes].length ? `${seatName(record, row.seat, true)}: ${[...parts, ...row.notes].join(", ")}` : "";
  }).filter(Boolean);
  return lines.length ? make("details", {}, make("summary", {}, "How it was made up"), make("ul", { class: "plain" }, lines.map((line) => make("li", {}, line)))) : null;
}

function drawSheet(record, place, goDeal) {
  if (record.deals.length < 2 || !record.deals.some((deal) => deal.scores.length)) return null;
  const seats = record.deals[0].scores.filter((row) => row.seat !== null).map((row) => row.seat);
  return make("details", { class: "panel" }, make("summary", {}, "Whole scorecard"),
    make("div", { class: "scroll", tabindex: "0", role: "region", "aria-label": "Whole scorecard" }, make("table", {},
      make("thead", {}, make("tr", {}, make("th", { scope: "col" }, "deal"), seats.map((seat) => make("th", { scope: "col" }, seatName(record, seat, true))))),
      make("tbody", {}, record.deals.map((deal, number) => make("tr", { class: number === place ? "here" : "" },
        make("th", { scope: "row" }, make("button", { type: "button", class: "link", click: () => goDeal(number) }, deal.title)),
        deal.scores.filter((row) => row.seat !== null).map((row) => make("td", {}, shownNumber(row.points, true), make("span", { class: "quiet" }, " ("), shownNumber(row.total), make("span", { class: "quiet" }, ")")))))))),
    make("p", { class: "quiet" }, "Points of the deal (running total). ", record.ending.join(". ")));
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

function drawComments(deal, now) {
  const said = deal.comments.filter((comment) => comment.step === null || comment.step < now.count);
  return said.length ? make("section", { class: "panel" }, make("h3", {}, "Comments"),
    said.map((comment) => make("p", { class: `comment ${comment.step === now.count - 1 ? "here" : ""}` }, `“${comment.text}”`, comment.by ? ` ${comment.by}` : ""))) : null;
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
  const findings = shownFindings(deal, view.as, now.count).filter((finding) => finding.step === now.count - 1);
  for (const finding of findings) parts.push(`${finding.severity === "info" ? "note" : "violation"} ${finding.rule}`);
  if (step.differs) parts.push("the other record says otherwise");
  const text = parts.join("; ");
  return `${text.charAt(0).toUpperCase()}${text.slice(1)}.`;
}
