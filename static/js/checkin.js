// Check-in with one key or one touch. Without this file every button is a form of its own, and Enter finds.
const QUICK = 500; // ms: a second touch of the row that has just been marked is the same finger, not a change of mind
const touched = new Map();

// Enter marks the first who is not there yet; the field is empty and ready for the next name.
document.addEventListener("keydown", (event) => {
  const field = event.target;
  if (event.key !== "Enter" || !field.matches?.("[data-marks-first]") || !field.value.trim()) return;
  event.preventDefault();
  if (field.dataset.found !== field.value) {
    field.dataset.wanted = field.value; // its people are still on their way
    return;
  }
  markFirst(field);
});

function markFirst(field) {
  document.querySelector("#people [aria-pressed=false]")?.click();
  field.select();
}

document.addEventListener("htmx:beforeRequest", (event) => {
  const row = event.target.closest?.(".person");
  if (!row) return;
  if (performance.now() - (touched.get(row.id) ?? -QUICK) < QUICK) event.preventDefault();
});

document.addEventListener("htmx:afterSettle", ({ detail }) => {
  const field = document.querySelector("[data-marks-first]");
  if (detail.target.id === "people" && field) {
    field.dataset.found = new URLSearchParams(detail.pathInfo.finalRequestPath.split("?")[1]).get("q") ?? "";
    if (field.dataset.wanted && field.dataset.wanted === field.dataset.found) markFirst(field);
    delete field.dataset.wanted;
  }
});

// A new search may have replaced the row meanwhile: then the list is asked for once more, to show what was marked.
document.addEventListener("htmx:afterRequest", ({ detail }) => {
  if (detail.elt.closest?.(".person") && !detail.elt.isConnected) htmx.trigger("#finding", "submit");
});

// The row that was touched keeps the focus, and its marks.
document.addEventListener("htmx:beforeSwap", ({ detail }) => {
  const row = detail.target?.closest?.(".person");
  if (!row) return;
  touched.set(row.id, performance.now());
  const focused = row.contains(document.activeElement) ? document.activeElement.id : "";
  if (focused) document.addEventListener("htmx:afterSettle", () => document.getElementById(focused)?.focus(), { once: true });
});

document.addEventListener("click", ({ target }) => {
  const undo = target.closest?.("[data-presses]");
  if (!undo) return;
  touched.clear();
  const mark = document.getElementById(undo.dataset.presses);
  mark?.click();
  mark?.focus();
});
