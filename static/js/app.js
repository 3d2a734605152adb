// The installed app: registers the service worker, and offers to install where the browser can.
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
