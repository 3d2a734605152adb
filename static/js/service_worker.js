// Shows the offline page if the server can't be reached. Only this page and its own files are stored: both are the same
// for every user. Everything else goes to the network as if there were no service worker.
const STORE = "offline-1";
const PAGE = "/offline";

// The page in the language of the user, with the styles, scripts and pictures that it names.
async function storePage() {
  const answer = await fetch(PAGE, { cache: "no-cache" });
  if (!answer.ok || answer.redirected) throw new TypeError(`${PAGE}: ${answer.status}`);
  const html = await answer.clone().text();
  const files = [...html.matchAll(/<(?:link|script|img)[^>]*? (?:href|src)="(\/static\/[^"]+)"/g)].map(([, address]) => address);
  const store = await caches.open(STORE);
  await store.addAll([...new Set(files)]);
  await store.put(PAGE, answer);
}

addEventListener("install", (event) => {
  skipWaiting();
  event.waitUntil(storePage());
});

addEventListener("activate", (event) => {
  const clear = async () => {
    for (const name of await caches.keys()) if (name !== STORE) await caches.delete(name);
    await clients.claim();
  };
  event.waitUntil(clear());
});

async function open(request) {
  try {
    return await fetch(request);
  } catch {
    return (await caches.match(PAGE)) ?? Response.error();
  }
}

// A file of the offline page. Its name may change with its content, so that the network goes first.
async function file(request) {
  try {
    return await fetch(request);
  } catch {
    return (await caches.match(request)) ?? Response.error();
  }
}

addEventListener("fetch", (event) => {
  const { request } = event;
  if (request.method !== "GET") return;
  if (request.mode === "navigate") event.respondWith(open(request));
  else if (new URL(request.url).pathname.startsWith("/static/")) event.respondWith(file(request));
});

// A page names its language: the stored copy follows it.
async function follow(language) {
  const stored = await caches.match(PAGE);
  if (stored?.headers.get("Content-Language") !== language) await storePage();
}

addEventListener("message", (event) => event.waitUntil(follow(event.data).catch(() => {})));
