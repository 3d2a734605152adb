// A part of a page that follows an evening (data-live, polled by htmx). The same answer again changes nothing, a link
// keeps the focus over a change, and a lost connection is said.
(() => {
  const lost = (yes) => {
    const words = document.getElementById("lost");
    if (words) words.hidden = !yes;
  };
  const isLive = (element) => element?.matches?.("[data-live]");

  document.addEventListener("htmx:beforeSwap", ({ detail }) => {
    const part = detail.target;
    if (!isLive(part) || detail.xhr.status >= 400) return;
    const tag = detail.xhr.getResponseHeader("ETag");
    if (tag && tag === part.dataset.etag) detail.shouldSwap = false;
    part.dataset.etag = tag ?? "";
    const focused = part.contains(document.activeElement) ? document.activeElement.getAttribute("href") : null;
    if (!focused || !detail.shouldSwap) return;
    const refocus = () => [...part.querySelectorAll("a")].find((link) => link.getAttribute("href") === focused)?.focus();
    document.addEventListener("htmx:afterSwap", refocus, { once: true });
  });

  document.addEventListener("htmx:afterRequest", ({ detail }) => {
    if (isLive(detail.elt)) lost(!detail.successful);
  });
})();
