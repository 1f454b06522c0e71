// handrec page: what is seen of it. handrec itself runs beside it (worker.js). Whatever a record says is put here as text.
"use strict";

const byId = (id) => document.getElementById(id);
const PAGE = JSON.parse(byId("page").textContent);
const FILES = PAGE.files.map((file) => new URL(file, location.href.split(/[?#]/)[0]).href);
const HERE = new URL("./", location.href).href;
const SHOWN = 2 ** 21; // characters; a longer text would make the field slow

let bytes = new Uint8Array(); // the record, as it came or as it was typed
let urls = []; // of what the last result offers

// --- handrec, beside the page ---

let worker, ready, asked, numbers = 0, loaded = 0, last = Promise.resolve();

function ask(message) {
  const id = ++numbers;
  return new Promise((done, failed) => {
    asked.set(id, { done, failed });
    worker.postMessage({ id, ...message });
  });
}

function start() {
  const mine = (asked = new Map());
  loaded = 0;
  free(false);
  byId("stop").hidden = true;
  byId("loading").hidden = false;
  worker = new Worker(FILES.find((file) => file.endsWith("/worker.js")), { type: "module" });
  worker.addEventListener("message", ({ data }) => {
    if (data.loaded) return progress((loaded += data.loaded));
    const { done, failed } = mine.get(data.id);
    mine.delete(data.id);
    return data.done ? done(data.done) : failed(new Error(data.failed));
  });
  worker.addEventListener("error", (event) => mine.forEach(({ failed }) => failed(new Error(event.message || "it could not be loaded"))));
  ready = ask({ files: FILES });
  ready.then(settled, (error) => say(`handrec could not be started: ${error.message}. Load the page again.`));
}

function progress(done) {
  byId("progress").value = Math.min(done / PAGE.size, 1);
  const [now, all] = [done, PAGE.size].map((size) => Math.round(size / 1e6));
  byId("loaded").textContent = now < all - 1 ? `Loading: ${now} of ${all} MB` : "Starting Python …";
}

async function settled() {
  byId("loading").hidden = true;
  free(true);
  say("Ready.");
  const first = new TextEncoder().encode(PAGE.example); // what a verdict needs is loaded while the visitor types
  ask({ command: "check -f text", options: "", name: "example.hrt", bytes: first }).catch(() => {});
  byId("kept").textContent = await keep();
}

// What was loaded is kept, so that the page works without a network; what earlier pages kept here is forgotten.
async function keep() {
  if (!("caches" in window && "serviceWorker" in navigator)) return "It is not kept for use without a network: that needs https.";
  try {
    const kept = await caches.open(`handrec page ${HERE}`);
    for (const file of FILES) if (!(await kept.match(file))) await kept.add(file);
    const page = await fetch("./", { cache: "no-cache" });
    if ((await page.clone().text()).includes(PAGE.files.at(-1))) {
      await kept.put(HERE, page);
      for (const { url } of await kept.keys()) if (![HERE, ...FILES].includes(url)) await kept.delete(url);
    }
    await navigator.serviceWorker.register("sw.js");
    await navigator.serviceWorker.ready;
    return "From now on it works without a network.";
  } catch (error) {
    return `It could not be kept for use without a network: ${error.message}`;
  }
}

function stop() {
  worker.terminate();
  asked.forEach(({ failed }) => failed(new Error("stopped")));
  start();
}

// --- the record ---

function called() {
  return byId("name").value.trim() || "record";
}

function hold(data, name) {
  bytes = data;
  byId("name").value = name;
  let text = null;
  try {
    text = data.length <= SHOWN ? new TextDecoder("utf-8", { fatal: true, ignoreBOM: true }).decode(data) : null;
  } catch {} // no text
  const field = byId("text");
  field.value = text ?? "";
  field.placeholder = text === null ? `${data.length.toLocaleString("en")} bytes, held but not shown: too many, or no text` : "";
}

async function open(file) {
  hold(new Uint8Array(await file.arrayBuffer()), file.name);
  await run("check -f text");
}

// --- a link that holds the record ---

const through = (data, stream) => new Blob([data]).stream().pipeThrough(stream);

async function link() {
  const packed = new Uint8Array(await new Response(through(bytes, new CompressionStream("deflate-raw"))).arrayBuffer());
  const base64 = btoa(Array.from(packed, (byte) => String.fromCharCode(byte)).join(""));
  const record = base64.replaceAll("+", "-").replaceAll("/", "_").replaceAll("=", "");
  history.replaceState(null, "", `#${new URLSearchParams({ name: called(), record })}`);
  const size = `${location.href.length.toLocaleString("en")} characters`;
  try {
    await navigator.clipboard.writeText(location.href);
    say(`The link is copied: ${size}. Whoever has it has the record.`);
  } catch {
    say(`The link is the address of this page now: ${size}. Whoever has it has the record.`);
  }
}

async function follow() {
  const said = new URLSearchParams(location.hash.slice(1));
  if (!said.has("record")) return;
  try {
    const packed = atob(said.get("record").replaceAll("-", "+").replaceAll("_", "/"));
    hold(await unpacked(Uint8Array.from(packed, (char) => char.charCodeAt(0))), said.get("name") ?? "");
  } catch {
    say("The record in this link cannot be read: a part of the link is missing, or it is too large.");
    return;
  }
  await run("check -f text");
}

async function unpacked(packed) {
  const parts = [];
  let size = 0;
  const reader = through(packed, new DecompressionStream("deflate-raw")).getReader();
  for (let part = await reader.read(); !part.done; part = await reader.read()) {
    parts.push(part.value);
    if ((size += part.value.length) > PAGE.most) throw new Error("too large");
  }
  return new Uint8Array(await new Blob(parts).arrayBuffer());
}

// --- commands, and what comes of them ---

// One command after another.
function run(command, suffix = "") {
  last = last.then(() => carryOut(command, suffix));
  return last;
}

async function carryOut(command, suffix) {
  const [name, options] = [called(), byId("options").value.trim()];
  try {
    await ready;
    free(false);
    say("Working …");
    show(await ask({ command, options, name, bytes }), name, [command, options, name].filter(Boolean).join(" "), suffix);
    say("Done.");
    free(true);
  } catch (error) {
    if (error.message === "stopped") return say("Stopped. handrec is started again.");
    say(`handrec broke off: ${error.message.trim().split("\n").at(-1)}. It is started again.`);
    stop();
  }
}

function show({ code, out, err, files }, name, command, suffix) {
  urls.splice(0).forEach(URL.revokeObjectURL);
  const text = (data) => new TextDecoder("utf-8", { ignoreBOM: true }).decode(data);
  const viewed = command.startsWith("view ") && code === 0 && text(out.subarray(0, 15)) === "<!doctype html>";
  byId("result").hidden = false;
  byId("command").textContent = `handrec ${command}`;
  byId("code").textContent = `exit code ${code}`;
  byId("trouble").textContent = text(err);
  byId("out").textContent = viewed ? "" : text(out);
  byId("view").hidden = !viewed;
  byId("view").src = viewed ? url(out, "text/html") : "about:blank";
  const stem = name.replace(/(\.handrec)?\.\w+$/, "");
  const made = viewed ? [[`${stem}.html`, out]] : suffix && out.length ? [[`${stem}${suffix}`, out]] : [];
  byId("downloads").replaceChildren(...[...made, ...files].map(([called, data]) => offer(called, data)));
  byId("result").scrollIntoView({ block: "nearest" });
}

function url(data, type) {
  urls.push(URL.createObjectURL(new Blob([data], { type })));
  return urls.at(-1);
}

function offer(name, data) {
  const anchor = document.createElement("a");
  anchor.href = url(data, "application/octet-stream");
  anchor.download = name;
  anchor.className = "button";
  anchor.textContent = `Download ${name}`;
  return anchor;
}

function say(words) {
  byId("said").textContent = words;
}

// Whether a command can be given.
function free(is) {
  document.querySelectorAll("#commands button").forEach((each) => { each.disabled = !is; });
  byId("stop").hidden = is;
}

// --- the page ---

function listen() {
  byId("unserved").hidden = true;
  byId("text").addEventListener("input", ({ target }) => { bytes = new TextEncoder().encode(target.value); });
  byId("text").addEventListener("keydown", (event) => {
    if (event.key === "Enter" && (event.ctrlKey || event.metaKey) && byId("stop").hidden) run("check -f text");
  });
  byId("file").addEventListener("change", ({ target }) => { if (target.files.length) open(target.files[0]); });
  byId("example").addEventListener("click", () => hold(new TextEncoder().encode(PAGE.example), "example.hrt"));
  byId("link").addEventListener("click", link);
  byId("stop").addEventListener("click", stop);
  byId("convert").addEventListener("click", () => {
    const { value, selectedOptions: [{ dataset }] } = byId("to");
    run(`convert --to ${value}`, dataset.suffix);
  });
  document.querySelectorAll("[data-command]").forEach((each) => each.addEventListener("click", () => run(each.dataset.command)));
  addEventListener("hashchange", follow);
  for (const kind of ["dragenter", "dragover", "dragleave", "drop"]) {
    addEventListener(kind, (event) => {
      if (!event.dataTransfer.types.includes("Files")) return; // text that is dropped goes where it is dropped
      event.preventDefault();
      document.body.classList.toggle("over", kind === "dragenter" || kind === "dragover");
    });
  }
  addEventListener("drop", ({ dataTransfer }) => {
    if (dataTransfer.files.length) open(dataTransfer.files[0]);
  });
}

if (location.protocol.startsWith("http")) {
  listen();
  start();
  follow();
}
