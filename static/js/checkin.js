// Check-in with one key or one touch. Without this file every button is a form of its own, and Enter finds.
const QUICK = 500; // ms: a second touch of the row that has just been marked is the same finger, not a change of mind
const touched = new Map();
let marked = ""; // the row that a key marked last, until another name is typed
let waiting = null; // what a key asked for of a name whose people aren't shown yet, and the keys after it
let adding = false; // a guest is on the way: a second Enter is the same guest
let owing = ""; // the row whose fee is taken as soon as its mark is there

const search = document.getElementById("q");
search.dataset.found = search.defaultValue; // those on the page
const guest = document.querySelector("#new-guest ~ form [name=name]");

// What a key does with those whom the name finds; the search stays ready for the next name.
const does = {
  mark() {
    const mark = document.querySelector("#people [aria-pressed=false]");
    if (!mark && !document.querySelector("#people .person")) return; // nobody: the page says so, and the cursor stays
    if (mark) {
      marked = mark.closest(".person").id;
      press(mark);
    }
    search.select();
  },
  pay() {
    const row = marked ? document.getElementById(marked) : document.getElementById("people");
    if (marked && row?.querySelector(".htmx-request")) owing = marked; // its mark is on its way
    else press(row?.querySelector("[data-owes]"));
    search.select();
  },
  guest() {
    if (!guest || adding) return;
    adding = true;
    guest.value = search.value.trim();
    guest.form.requestSubmit();
  },
};

function press(button) {
  if (!button) return;
  touched.delete(button.closest(".person").id);
  button.click();
}

const meant = ({ key, shiftKey }) => (key === "Enter" ? (shiftKey ? "guest" : search.dataset.enter) : key === "+" ? "pay" : "");

// Whether the key was one of ours.
function act(keys) {
  const wanted = meant(keys);
  if (!wanted || !search.value.trim()) return false;
  if (wanted === "guest" || search.dataset.found === search.value) does[wanted]();
  else waiting = [wanted]; // its people are still on their way
  return true;
}

// What is typed while people are on their way comes after them: the next name doesn't run into this one.
search.addEventListener("keydown", (event) => {
  if (event.ctrlKey || event.metaKey || event.altKey || event.isComposing) return;
  const { key, shiftKey } = event;
  const holds = waiting && (key.length === 1 || meant(event));
  if (holds) waiting.push({ key, shiftKey });
  if (holds || act(event)) event.preventDefault();
});

// The people of the name are there, or can't be had.
function goOn(found) {
  const [wanted, ...keys] = waiting;
  waiting = null;
  if (found) does[wanted]();
  for (const each of keys) {
    if (waiting) waiting.push(each);
    else if (!act(each) && each.key.length === 1) {
      search.setRangeText(each.key, search.selectionStart, search.selectionEnd, "end");
      search.dispatchEvent(new Event("input", { bubbles: true }));
    }
  }
}

search.addEventListener("input", () => {
  marked = "";
  if (waiting) goOn(false); // another name is meant
});

window.addEventListener("pageshow", () => (adding = false)); // back from the page that followed

document.addEventListener("htmx:beforeRequest", (event) => {
  const row = event.target.closest?.(".person");
  if (!row) return;
  if (performance.now() - (touched.get(row.id) ?? -QUICK) < QUICK) event.preventDefault();
});

document.addEventListener("htmx:afterSettle", ({ detail }) => {
  if (detail.target.id === "people") {
    search.dataset.found = new URLSearchParams(detail.pathInfo.finalRequestPath.split("?")[1]).get("q") ?? "";
    if (waiting && search.dataset.found === search.value) goOn(true);
  }
  const owes = owing && document.querySelector(`#${owing} [data-owes]`);
  if (!owes) return;
  owing = "";
  press(owes);
});

// Refused: the page as it is now says why, and what to do.
document.addEventListener("htmx:responseError", ({ detail }) => {
  if (detail.xhr.status === 403) location.reload();
});

for (const failure of ["htmx:sendError", "htmx:responseError", "htmx:timeout"]) {
  document.addEventListener(failure, () => waiting && goOn(false));
}

// A new search may have replaced the row meanwhile: then the list is asked for once more, to show what was marked.
document.addEventListener("htmx:afterRequest", ({ detail }) => {
  if (detail.elt.closest?.(".person") && !detail.elt.isConnected) htmx.trigger("#finding", "submit");
  // A guest's row is gone with the button that was pressed: the focus goes to what takes it back.
  const row = detail.requestConfig.elt.closest(".person");
  const lost = row && !document.getElementById(row.id) && document.activeElement === document.body;
  if (lost) document.querySelector("#said button")?.focus();
});

// The row that was touched keeps its marks.
document.addEventListener("htmx:beforeSwap", ({ detail }) => {
  const row = detail.target?.closest?.(".person");
  if (row) touched.set(row.id, performance.now());
});

document.addEventListener("click", ({ target }) => {
  const undo = target.closest?.("[data-presses]");
  if (!undo) return;
  touched.clear();
  const button = document.getElementById(undo.dataset.presses);
  button?.click();
  button?.focus();
});
