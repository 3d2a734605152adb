// What every page needs. The installed app: registers the service worker, and offers to install where the browser can.
(() => {
  navigator.serviceWorker?.register("/service-worker.js").catch(() => {
    // Some browsers forbid it in private windows; the pages work without it.
  });

  navigator.serviceWorker?.controller?.postMessage(document.documentElement.lang);

  addEventListener("beforeinstallprompt", (event) => {
    const hint = document.getElementById("install");
    if (!hint) return;
    event.preventDefault();
    hint.hidden = false;
    hint.querySelector("button").addEventListener(
      "click",
      () => {
        hint.hidden = true;
        event.prompt();
      },
      { once: true },
    );
  });
})();

// Without a network. A stored page says when it was stored, and what it said of a write then is gone; the offline page
// lists the stored pages of this browser.
(() => {
  const { dataset, lang } = document.documentElement;

  function time(milliseconds) {
    const date = new Date(Number(milliseconds));
    const day = date.toDateString() === new Date().toDateString() ? {} : { weekday: "long" };
    return date.toLocaleString(lang, { ...day, hour: "2-digit", minute: "2-digit" });
  }

  // List the stored pages, the newest first.
  async function listPages(section) {
    const list = document.createElement("ul");
    for (const name of (await caches.keys()).filter((each) => each.startsWith("desk:"))) {
      const desk = await caches.open(name);
      for (const request of await desk.keys()) {
        const answer = await desk.match(request);
        const stored = answer.headers.get("X-Stored");
        if (!stored) continue; // a file of a page
        const { title } = new DOMParser().parseFromString(await answer.text(), "text/html");
        const textContent = title.split(" · ").slice(0, -1).join(" · "); // without the name of the site
        const link = Object.assign(document.createElement("a"), { href: request.url, textContent });
        const row = document.createElement("li");
        row.append(link, ` (${time(stored)})`);
        list.prepend(row);
      }
    }
    section.append(list);
    section.hidden = !list.children.length;
  }

  addEventListener("DOMContentLoaded", () => {
    const box = document.getElementById("stored");
    if (box && dataset.stored) {
      for (const element of box.querySelectorAll("time")) {
        element.textContent = time("since" in element.dataset ? dataset.since : dataset.stored);
      }
      document.getElementById("notices")?.replaceChildren();
      box.hidden = false;
    }
    const note = document.getElementById("outbox-note");
    if (note) note.hidden = location.hash !== "#outbox";
    const section = document.getElementById("stored-pages");
    if (section && "caches" in window) listPages(section);
  });
})();

// An open menu closes with Escape, giving the focus back, and by a click or a step elsewhere.
(() => {
  const opened = () => document.querySelectorAll("details.menu[open]");

  function closeUnlessInside(event) {
    for (const menu of opened()) if (!menu.contains(event.target)) menu.open = false;
  }

  addEventListener("click", closeUnlessInside);
  addEventListener("focusin", closeUnlessInside);
  addEventListener("keydown", (event) => {
    if (event.key !== "Escape") return;
    for (const menu of opened()) {
      menu.open = false;
      menu.querySelector("summary").focus();
    }
  });
})();
