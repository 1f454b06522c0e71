"use strict";
/* How a deal stands after so many steps. Nothing here knows a rule: the referee has said who won what. */

const DATA = JSON.parse(document.getElementById("data").textContent);

/* The steps of a deal, looked at once: which is the last card of each trick, and where the steps of interest are. */
function prepare(deal) {
  deal.lastOf = new Map();
  deal.firstOf = new Map();
  deal.steps.forEach((step, place) => {
    step.key = stepKey(step.at);
    if (step.do !== "play") return;
    deal.lastOf.set(step.trick, place);
    if (!deal.firstOf.has(step.trick)) deal.firstOf.set(step.trick, place);
  });
  deal.tricks = [...deal.lastOf.keys()];
  deal.said = new Map();
  for (const comment of deal.comments) if (comment.step !== null) deal.said.set(comment.step, comment);
  deal.opening = deal.steps.findIndex((step) => step.do === "play");
  if (deal.opening < 0) deal.opening = deal.steps.length;
}

/* A step's name as numbers that sort: trick, card, and what came after the card. */
function stepKey(at) {
  const found = /^(\d+)\.(\d+)(?:\+(\d+))?$/.exec(at);
  return found ? [+found[1], +found[2], +(found[3] || 0)] : [0, 0, +at.slice(1)];
}

function isAfter(one, other) {
  for (let place = 0; place < 3; place++) if (one[place] !== other[place]) return one[place] > other[place];
  return false;
}

/* How many steps of a deal are done when another record has come to `key`. */
function upTo(deal, key) {
  return deal.steps.filter((step) => !isAfter(step.key, key)).length;
}

/* The deal after `count` steps: cards gone, the trick on the table and the one before, tricks won, cards turned, calls, hands by then. */
function stand(deal, count) {
  const now = {
    count, step: deal.steps[count - 1] || null, gone: deal.hands.map(() => new Map()), trick: 0, plays: [], before: null,
    hands: [...deal.hands], won: deal.hands.map(() => 0), turned: [], trump: deal.trump, ranks: deal.ranks, calls: [], whole: false, winner: null,
  };
  for (let place = 0; place < count; place++) {
    const step = deal.steps[place];
    for (const seat in step.hands) now.hands[seat] = step.hands[seat];
    if (step.trump) [now.trump, now.ranks] = [step.trump, step.ranks];
    if (step.do === "play") {
      if (step.trick !== now.trick) {
        if (now.trick) now.before = { trick: now.trick, plays: now.plays, winner: now.winner };
        [now.trick, now.plays, now.winner] = [step.trick, [], null];
      }
      now.plays.push({ by: step.by, card: step.card, place });
      now.gone[step.by].set(step.held || step.card, place);
      now.whole = deal.lastOf.get(step.trick) === place;
      const winner = deal.winners[step.trick];
      if (now.whole && winner !== undefined) {
        now.won[winner] += 1;
        now.winner = winner;
      }
    } else if (step.do === "withdraw") {
      const taken = now.plays.findLastIndex((play) => play.by === step.by && play.card === step.card);
      if (taken >= 0) now.plays.splice(taken, 1);
      now.gone[step.by].delete(step.card);
    } else if (step.do === "turn") {
      now.turned.push(step.card);
    } else if (!now.trick) {
      now.calls.push({ ...step, place });
    }
  }
  return now;
}

/* Whether a view does not know a bid by then: bids made in secret are shown when all have been made. */
function isSecret(deal, step, as, count) {
  return deal.disclosed !== null && count <= deal.disclosed && as !== "all" && step.do === "bid" && step.by !== as;
}

/* What a view was told by then: for each seat the suits it lacks and the cards it holds; `broken` if not all can be legal. */
function toldBy(deal, as, count) {
  const entries = deal.told[as] || deal.told.public || [];
  const found = { seats: new Map(), broken: false };
  for (const [place, seat, lacks, holds] of entries) {
    if (place !== null && place >= count) break;
    if (seat === undefined) found.broken = true;
    else found.seats.set(seat, { lacks, holds });
  }
  return found;
}

/* The findings that a view shows by then; with all hands open, all of them from the start. */
function shownFindings(deal, as, count) {
  if (as === "all") return deal.findings;
  return deal.findings.filter((finding) => {
    const from = finding.shows[as];
    return from !== undefined && (from === null || from < count);
  });
}

/* Where two records differ: after how many steps of a deal. */
const differences = (deal) => deal.differences.map((each) => each.after);

/* After how many steps of a deal there is something to look at: findings, and where two records differ. */
function jumps(deal, as) {
  return [...shownFindings(deal, as, Infinity).map((finding) => finding.after), ...differences(deal)];
}
