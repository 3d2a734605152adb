// Shows the offline page if the server can't be reached. Stored for every user of the browser: this page and its own
// files. Stored for one user and club, in a cache of their own: the last copy of each page of an open evening's desk,
// until the user signs out, another user signs in, or a day has passed. What is sent from such a page while the server
// can't be reached goes to the outbox. Everything else goes to the network as if there were no service worker. See
// docs/decisions/0035-pages-without-a-network.md and 0037-an-outbox-for-the-desk.md. The server serves this file behind
// outbox_store.js.
const STORE = "offline-1";
const PAGE = "/offline";
const DESK = "desk:"; // desk:USER:CLUB
const SINCE = "/offline/since"; // when the server was first missed
const LOGOUT = "/account/logout/";
const MAX_AGE = 24 * 3600 * 1000; // ms of a stored page
const TIMEOUT = 10_000; // ms for an answer, if there is a stored page
const MAX_PAGES = 80; // of a club
const UNAVAILABLE = [502, 503, 504];
const DESK_FORM = /^\/(evenings\/\d+\/(draw|close|open|reopen|cancel|seating|tables\/add)|(rounds|tables|deals|attendances)\/)/;
const NOT_COPIED = ["content-encoding", "content-length", "transfer-encoding", "etag"];
const LINKED = /<(?:link(?: rel="stylesheet")?|script|img)[^>]*? (?:href|src)="(\/(?:static\/|colours\/)[^"]+)"/g;

const linked = (html) => [...new Set([...html.matchAll(LINKED)].map(([, address]) => address))];

// The page in the language of the user, with the styles, scripts and pictures that it names.
async function storePage() {
  const answer = await fetch(PAGE, { cache: "no-cache" });
  if (!answer.ok || answer.redirected) throw new TypeError(`${PAGE}: ${answer.status}`);
  const html = await answer.clone().text();
  const store = await caches.open(STORE);
  await store.addAll(linked(html));
  await store.put(PAGE, answer);
}

addEventListener("install", (event) => {
  skipWaiting();
  event.waitUntil(storePage());
});

addEventListener("activate", (event) => {
  const clear = async () => {
    for (const name of await caches.keys()) if (name !== STORE && !name.startsWith(DESK)) await caches.delete(name);
    await clients.claim();
  };
  event.waitUntil(clear());
});

// Pages of a desk

let signOuts = 0; // a page that was asked for before a sign-out isn't stored after it
let reached = false;

const desks = async () => (await caches.keys()).filter((name) => name.startsWith(DESK));
const isOld = (answer) => !(Date.now() - Number(answer.headers.get("X-Stored")) < MAX_AGE);

async function clearDesks(exceptUser = null) {
  for (const name of await desks()) if (name.split(":")[1] !== exceptUser) await caches.delete(name);
}

// The stored copy of a page, and the name of its cache. Copies that are too old are deleted.
async function copyOf(address) {
  for (const name of await desks()) {
    const desk = await caches.open(name);
    const answer = await desk.match(address);
    if (answer && !isOld(answer)) return { desk, name, answer };
    if (answer) await desk.delete(address);
  }
  return null;
}

// Delete pages that are too old or too many, and caches without a page.
async function deleteOld() {
  for (const name of await desks()) {
    const desk = await caches.open(name);
    const pages = []; // the newest is the last
    for (const request of await desk.keys()) {
      const answer = await desk.match(request);
      if (!answer?.headers.has("X-Stored")) continue; // a file of a page
      if (isOld(answer)) await desk.delete(request);
      else pages.push(request);
    }
    for (const request of pages.slice(0, -MAX_PAGES)) await desk.delete(request);
    if (!pages.length) await caches.delete(name);
  }
}

// Store a page that the server has sent if it is one of an open desk; delete its older copy if it is not.
async function update(address, answer) {
  const before = signOuts;
  if (!reached) for (const name of await desks()) await (await caches.open(name)).delete(SINCE);
  reached = true;
  if (answer.type === "opaqueredirect" || [403, 404, 410].includes(answer.status)) {
    await (await copyOf(address))?.desk.delete(address);
    return;
  }
  if (!answer.ok || !answer.headers.get("Content-Type")?.startsWith("text/html")) return;
  const html = await answer.text();
  const user = html.match(/<header class="site-header" data-user="(\d*)"/)?.[1];
  if (user !== undefined) await clearDesks(user);
  const owner = html.match(/<div id="stored"[^>]* data-owner="(\d+:\d+)"/)?.[1];
  const name = DESK + owner;
  if (!owner || (user !== undefined && user !== owner.split(":")[0])) {
    await (await copyOf(address))?.desk.delete(address);
    return;
  }
  const headers = new Headers(answer.headers);
  for (const header of NOT_COPIED) headers.delete(header);
  headers.set("X-Stored", Date.now());
  const files = await Promise.allSettled(linked(html).map(async (file) => [file, await fetch(file)]));
  if (before !== signOuts) return;
  const desk = await caches.open(name);
  await desk.delete(address); // the newest page is the last
  await desk.put(address, new Response(html, { headers }));
  for (const { value } of files) if (value?.[1].ok) await desk.put(...value);
}

// A stored page names the time of its copy, and since when the server is missed: app.js shows both.
async function withTimes({ desk, answer }) {
  reached = false;
  const known = await desk.match(SINCE);
  const since = known ? await known.text() : String(Date.now());
  if (!known) await desk.put(SINCE, new Response(since));
  const html = await answer.text();
  const times = `data-stored="${answer.headers.get("X-Stored")}" data-since="${since}"`;
  return new Response(html.replace("<html ", `<html ${times} `), { headers: answer.headers });
}

const within = (answer, timeout) =>
  Promise.race([answer, new Promise((_, reject) => setTimeout(() => reject(new Error("too late")), timeout))]);

async function open(event) {
  const { request } = event;
  const address = request.url.split("#")[0];
  const copy = await copyOf(address);
  try {
    const answer = await (copy ? within(fetch(request), TIMEOUT) : fetch(request));
    if (!copy || !UNAVAILABLE.includes(answer.status)) {
      event.waitUntil(update(address, answer.clone()).then(deleteOld));
      return answer;
    }
  } catch {
    // the copy or the offline page follows
  }
  if (copy && (await caches.has(copy.name))) return withTimes(copy);
  return (await caches.match(PAGE)) ?? Response.error();
}

// Nothing stays readable, even if the request to sign out fails.
async function signOut(request) {
  signOuts += 1;
  await clearDesks();
  try {
    return await fetch(request);
  } catch {
    return (await caches.match(PAGE)) ?? Response.error();
  } finally {
    signOuts += 1;
    await clearDesks();
  }
}

// The outbox

// The user whose pages are stored, or "0" for a phone at a table; undefined if no page is stored.
async function userOf(path) {
  const users = (await desks()).map((name) => name.split(":")[1]);
  return users.find((user) => (user === "0") === path.startsWith("/at/"));
}

// A preview of a form is never stored: it records nothing.
const isPreview = (request, path, body) =>
  new URLSearchParams(body).has("preview") || (request.headers.has("HX-Request") && /^\/(tables|at)\//.test(path));

// Send what a page of the desk records. If the server can't be reached, or if earlier entries of the same table wait,
// store it in the outbox and show the page again.
async function record(request, address) {
  const body = await request.clone().text();
  const isTemporary = isPreview(request, address, body);
  const user = isTemporary ? undefined : await userOf(address);
  const queue = outbox.queue(address);
  const waits = user && queue && (await outbox.list(user)).some((entry) => outbox.queue(entry.address) === queue);
  try {
    const answer = waits ? null : await (user ? within(fetch(request), TIMEOUT) : fetch(request));
    if (answer && !(user && UNAVAILABLE.includes(answer.status))) return answer;
  } catch (error) {
    if (!user && request.mode !== "navigate") throw error;
    if (!user) return (await caches.match(PAGE)) ?? Response.error();
  }
  const page = request.referrer.split("#")[0];
  await outbox.add({ user, address, body, page, stored: Date.now() });
  if (request.mode === "navigate") return Response.redirect((await copyOf(page)) ? page : `${page}#outbox`, 303);
  return new Response(null, { status: 204, headers: { "HX-Trigger": "outbox" } });
}

// The draw, closing and the like need the network. Without it, the offline page says so instead of the browser's own.
async function sendForm(request) {
  try {
    return await fetch(request);
  } catch (error) {
    const page = await caches.match(PAGE);
    if (!page) throw error;
    return page;
  }
}

// A file of a stored page. Its name may change with its content, so that the network goes first.
async function file(request) {
  try {
    return await fetch(request);
  } catch {
    return (await caches.match(request)) ?? Response.error();
  }
}

addEventListener("fetch", (event) => {
  const { request } = event;
  const { pathname: path, search, origin } = new URL(request.url);
  if (request.method === "POST" && origin === location.origin) {
    if (path === LOGOUT) event.respondWith(signOut(request));
    else if (OUTBOX_ADDRESS.test(path + search)) {
      if (!request.headers.has("Outbox-User")) event.respondWith(record(request, path + search));
    } else if (DESK_FORM.test(path) && request.mode === "navigate") event.respondWith(sendForm(request));
  }
  if (request.method !== "GET") return;
  if (request.mode === "navigate") event.respondWith(open(event));
  else if (path.startsWith("/static/") || path.startsWith("/colours/")) event.respondWith(file(request));
});

// A page names its language: the stored copy follows it.
async function follow(language) {
  const stored = await caches.match(PAGE);
  if (stored?.headers.get("Content-Language") !== language) await storePage();
}

addEventListener("message", (event) => event.waitUntil(follow(event.data).catch(() => {})));
