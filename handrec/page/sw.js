// generator: handrec-page
// What the page has kept is answered from there; the page itself is asked for first, so that a new one is seen.
"use strict";

const KEPT = `handrec page ${registration.scope}`;

addEventListener("install", () => skipWaiting());
addEventListener("activate", (event) => event.waitUntil(clients.claim()));
addEventListener("fetch", (event) => event.respondWith(answer(event.request)));

async function answer(request) {
  if (new URL(request.url).origin !== location.origin) return Response.error();
  const kept = await caches.open(KEPT);
  if (request.mode !== "navigate" && request.url !== registration.scope) return (await kept.match(request)) ?? fetch(request);
  try {
    return await fetch(request);
  } catch {
    return (await kept.match("./")) ?? Response.error();
  }
}
