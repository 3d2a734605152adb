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
