// The grid: a paper sheet entered with keys alone. After each key the server is asked what the row comes to; it reads the
// codes, this file only moves between cells. Enter sends a complete row away (unsent.js) and readies the next. Without
// this file the same form records a row at a time.
const grid = document.getElementById("grid");
const cells = [...grid.querySelectorAll("[data-cell]")];
const seats = [...grid.querySelectorAll("[data-points]")];
const recorded = document.getElementById("grid-recorded");
const waiting = document.getElementById("grid-waiting");
const saidBox = document.getElementById("grid-said");
const statusLine = document.getElementById("grid-status");
const words = Object.fromEntries(
  [...document.getElementById("grid-words").content.querySelectorAll("[data-word]")].map((one) => [one.dataset.word, one.textContent.trim()]),
);
const colon = words.label.split("%(label)s")[1].split("%(text)s")[0]; // with a space before it in French
const whole = (pattern) => new RegExp(`^(?:${pattern})$`);
const typedPattern = new Map(cells.map((cell) => [cell, whole(cell.dataset.typed)]));
const fullPattern = new Map(cells.map((cell) => [cell, cell.dataset.full ? whole(cell.dataset.full) : null]));
const whenPattern = new Map(cells.map((cell) => [cell, cell.dataset.when ? whole(cell.dataset.when) : null]));
const switchCell = cells.find((cell) => cell.dataset.cell === grid.dataset.switch);
const rests = cells.find((cell) => cell.dataset.cell === "rests");
const first = cells.find((cell) => cell !== rests);
const field = (name) => grid.elements[name];
const plain = !field("number").value && !field("deal").value;
const mode = field("deal").value ? `deal ${field("deal").value}` : field("number").value ? `at ${field("number").value}` : "next";
const cleared = `cleared ${mode} `; // begins the names of drafts that Escape put away
const clean = Object.fromEntries(cells.map((cell) => [cell.dataset.cell, cell.value])); // as the page came

let place = Number(grid.dataset.place);
let before = grid.dataset.before.split(",").map(Number);
let totals = [...grid.querySelectorAll("[data-sum]")].map((cell) => Number(cell.querySelector("data")?.value ?? 0));
let answered = ""; // the row that the last answer was about
let answer = null;
let asking = false;
let held = null; // keys that came while Enter waits for the answer
let keyAt = 0;
let unanswered = []; // when the keys were pressed whose effect isn't shown yet
let movedTo = null; // the cell to which the last key moved on by itself: a Tab that follows meant the same

// Which cells the row asks for

const when = (cell) => whenPattern.get(cell)?.test(switchCell?.value ?? "") ?? true;
const demanded = (cell) => Boolean(cell.value || answer?.wrong?.[cell.dataset.cell] || cell === document.activeElement);
const asked = (cell) => when(cell) && (!("onDemand" in cell.dataset) || demanded(cell));
// Whether a cell's text can be one: then nothing is to be said of it before the row can be read.
const plausible = (cell) => !cell.value || (typedPattern.get(cell).test(cell.value) && !(Number(cell.value) > Number(cell.dataset.most)));
const lacking = (cell) => asked(cell) && !cell.value && "needed" in cell.dataset && !cell.closest(".second-line");
const readable = () => !cells.some(lacking);
const isEmpty = () => cells.every((cell) => cell === rests || !cell.value);
const values = () => Object.fromEntries(cells.map((cell) => [cell.dataset.cell, cell.value]));
const written = () => JSON.stringify(values());

function open() {
  for (const cell of cells) cell.toggleAttribute("data-off", !asked(cell));
  document.getElementById("grid-second")?.toggleAttribute("data-open", cells.some((cell) => cell.closest(".second-line") && asked(cell)));
}

function neighbour(cell, step) {
  for (let at = cells.indexOf(cell) + step; at >= 0 && at < cells.length; at += step) {
    if (asked(cells[at])) return cells[at];
  }
  return null;
}

function go(cell) {
  if (!cell) return;
  if (cell === first || cell === rests) cell.closest(".grid-room").scrollLeft = 0; // a new row begins at its left
  cell.focus();
  cell.select();
}

function moveOn(cell) {
  movedTo = neighbour(cell, 1);
  go(movedTo);
}

// What the server says of the row

function data() {
  const sent = { before: before.join(",") };
  for (const { name, value } of grid.elements) if (name && !name.startsWith("written_")) sent[name] = value;
  return sent;
}

async function ask() {
  if (asking) return;
  asking = true;
  while (answered !== written()) {
    const about = written();
    if (isEmpty() || (!readable() && cells.every(plausible))) {
      show(null, "");
      shown();
      break;
    }
    const got = await unsent.ask(data(), 4000);
    if (!got) {
      show(null, "?");
      break;
    }
    if (about !== written()) continue;
    show(got.said, about);
    shown();
  }
  asking = false;
  if (held) decide();
}

function shown() {
  for (const start of unanswered) performance.measure("grid-answer", { start });
  unanswered = [];
}

function show(said, about) {
  answer = said;
  answered = about;
  open();
  const lost = about === "?";
  for (const [at, one] of seats.entries()) {
    one.innerHTML = said?.shown?.[at] ?? "";
    grid.querySelector(`[data-total="${at}"]`).innerHTML = said?.points?.some((got) => got !== null) ? said.totals[at] : "";
  }
  tell(said, lost);
}

function tell(said, lost) {
  const lines = [];
  for (const cell of cells) {
    const text = said?.wrong?.[cell.dataset.cell];
    const id = `${cell.id}_error`;
    cell.toggleAttribute("aria-invalid", Boolean(text));
    if (text) {
      cell.setAttribute("aria-invalid", "true");
      cell.setAttribute("aria-describedby", id);
      lines.push(line("wrong", text, cell.labels[0].textContent.trim(), id));
    } else {
      cell.removeAttribute("aria-describedby");
    }
  }
  for (const text of said?.refused ?? []) lines.push(line("wrong", text));
  for (const text of said?.doubts ?? []) lines.push(line("doubt", text));
  if (lost && !isEmpty()) lines.push(line("doubt", words.offline));
  saidBox.replaceChildren(...lines);
}

function line(kind, text, label, id) {
  const paragraph = Object.assign(document.createElement("p"), { className: kind });
  if (id) paragraph.id = id;
  if (label) paragraph.append(Object.assign(document.createElement("b"), { textContent: label + colon }));
  paragraph.append(text);
  return paragraph;
}

// What is printed elsewhere on the page is only read out.
function speak(text, printed = false) {
  statusLine.classList.toggle("visually-hidden", printed);
  statusLine.textContent = text;
}

// Typing

// The next cell that a key can begin; only empty cells that may stay so are passed over.
function begins(key, cell) {
  for (let next = neighbour(cell, 1); next; next = neighbour(next, 1)) {
    if (typedPattern.get(next).test(key)) return next;
    if ("needed" in next.dataset || next.value) return null;
  }
  return null;
}

// A key that breaks a cell's pattern goes to the cell that it begins; a full cell needs no key to be left.
function typed(cell) {
  const pattern = typedPattern.get(cell);
  const last = cell.value.slice(-1);
  const rest = cell.value.slice(0, -1);
  const leaves = last && !pattern.test(cell.value) && (rest ? pattern.test(rest) : !("needed" in cell.dataset));
  const next = leaves ? begins(last, cell) : null;
  if (next && (rest || !next.value)) {
    cell.value = rest;
    next.value = last;
    go(next);
    next.setSelectionRange(1, 1);
    typed(next);
    return;
  }
  if (fullPattern.get(cell)?.test(cell.value) && pattern.test(cell.value)) moveOn(cell);
  changed();
}

function changed() {
  if (field("confirmed").value) speak(""); // what was doubted is typed anew
  field("confirmed").value = "";
  unanswered.push(keyAt);
  if (unsent.held && plain && isEmpty()) return drop();
  open();
  unsent.draft(mode, isEmpty() && plain ? null : { cells: values(), key: field("client_key").value });
  ask();
}

function above(cell) {
  const rows = [...recorded.querySelectorAll("tr"), ...waiting.querySelectorAll("tr")];
  const found = rows.at(-1)?.querySelector(`[data-code="${cell.dataset.cell}"]`);
  if (!found) return;
  cell.value = found.textContent.trim();
  moveOn(cell);
  changed();
}

// Enter

function enter() {
  if (isEmpty()) {
    if (plain) go(paper[0]); // the sheet has no more rows: its totals are next
    return;
  }
  held = [];
  if (answered === written() || !readable() || unsent.state !== "well") decide();
  else ask();
}

function decide() {
  const keys = held;
  held = null;
  const fresh = answered === written() ? answer : null; // away from the server a row goes with what can be seen here
  const wrong = cells.find((cell) => (fresh ? fresh.wrong[cell.dataset.cell] : !plausible(cell)));
  const missing = cells.find((cell) => (fresh ? asked(cell) && fresh.needed.includes(cell.dataset.cell) : lacking(cell)));
  if (wrong) {
    go(wrong);
    return speak(saidBox.textContent.trim(), true);
  }
  if (missing) {
    go(missing);
    return speak(words.needed.replace("%(cell)s", missing.labels[0].textContent.trim()));
  }
  if (fresh?.refused.length) return speak(fresh.refused.join(" "), true);
  if (fresh?.doubts.length && field("confirmed").value !== fresh.fingerprint) {
    field("confirmed").value = fresh.fingerprint;
    saidBox.append(line("doubt", words.again));
    return speak(`${fresh.doubts.join(" ")} ${words.again}`, true);
  }
  if (field("reason").required && !field("reason").value.trim()) return field("reason").focus();
  leave();
  for (const key of keys) {
    if (held) held.push(key); // another Enter among them waits for its own answer
    else press(key);
  }
}

// The row is complete: it goes to those that wait, and the next one is ready.
function leave() {
  const row = { data: data(), place, points: answered === written() ? (answer?.points ?? null) : null, plain };
  const back = unsent.held;
  unsent.draft(mode, null);
  if (!plain) {
    unsent.add(row);
    return;
  }
  const aside = unsent.drafts.aside;
  unsent.draft("aside", null);
  unsent.add(row, back);
  if (back) unsent.release();
  ready(aside);
}

// A row that was refused and then emptied is given up.
function drop() {
  const aside = unsent.drafts.aside;
  unsent.draft("aside", null);
  unsent.draft(mode, null);
  unsent.release();
  ready(aside);
}

// Escape: the row is cleared, or one to revise becomes again what it was. What was typed is kept in this browser, and
// Escape on such a row brings it back, the last one first.
function clear() {
  const key = field("client_key").value;
  unsent.draft(`${cleared}${key}`, { cells: values(), key });
  if (plain && unsent.held) drop();
  else {
    unsent.draft(mode, null);
    if (plain) ready();
    else restart({ cells: clean, key: Unsent.key() });
  }
  speak(words.cleared);
}

function bringBack() {
  const name = Object.keys(unsent.drafts).findLast((each) => each.startsWith(cleared));
  if (!name) return;
  const draft = unsent.drafts[name];
  unsent.draft(name, null);
  unsent.draft(mode, draft);
  restart(draft);
  speak(words.returned);
}

function restart(draft) {
  restore(draft);
  field("confirmed").value = "";
  show(null, "");
  go(first);
  ask();
}

const untouched = () => (plain ? isEmpty() : written() === JSON.stringify(clean));
const onEscape = () => (untouched() ? bringBack() : clear());

function ready(draft) {
  place = Number(recorded.dataset.count ?? grid.dataset.place - 1) + unsent.rows.filter((row) => row.plain).length + 1;
  before = unsent.rows.reduce((sums, row) => sums.map((sum, at) => sum + (row.points?.[at] ?? 0)), totals);
  document.getElementById("grid-number").textContent = place;
  for (const cell of cells) cell.value = draft?.cells[cell.dataset.cell] ?? "";
  if (rests && !draft) rests.value = ((place - 1) % Number(grid.dataset.size)) + 1;
  field("client_key").value = draft?.key ?? Unsent.key();
  field("confirmed").value = "";
  listWaiting();
  open();
  show(null, "");
  go(first);
  if (draft) ask();
}

// Rows that wait, and what became of them

const waits = () => (unsent.rows.length === 1 ? words.one : words.many.replace("%(count)s", unsent.rows.length));

function listWaiting() {
  const shown = unsent.held ? unsent.rows : unsent.rows.filter((row) => row.plain);
  waiting.replaceChildren(...shown.map(waitingRow));
}

function waitingRow(row) {
  const line = Object.assign(document.createElement("tr"), { className: "waiting" });
  const number = Object.assign(document.createElement("th"), { scope: "row", textContent: row.place });
  line.append(number);
  for (const cell of cells.filter((each) => !each.closest(".second-line"))) {
    const code = Object.assign(document.createElement("td"), { className: "code", textContent: row.data[cell.name] });
    code.dataset.code = cell.dataset.cell;
    line.append(code);
  }
  for (const at of seats.keys()) {
    const got = Object.assign(document.createElement("td"), { className: "num" });
    got.append(...signed(row.points?.[at]));
    line.append(got);
  }
  line.append(Object.assign(document.createElement("td"), { className: "row-actions", textContent: words.waiting }));
  return line;
}

// A number of points as the rows above have it; nothing where it isn't known.
function signed(points) {
  if (points === null || points === undefined) return [];
  const side = points < 0 ? " points-minus" : points > 0 ? " points-plus" : "";
  const text = `${points < 0 ? "−" : points > 0 ? "+" : ""}${Math.abs(points).toLocaleString(document.documentElement.lang)}`;
  return [Object.assign(document.createElement("data"), { className: `points${side}`, value: points, textContent: text })];
}

const handlers = {
  recorded(row, said) {
    if (!plain && !unsent.rows.length) {
      location.assign(grid.getAttribute("action"));
      return;
    }
    if (!plain) return;
    recorded.innerHTML = said.rows;
    recorded.dataset.count = recorded.querySelectorAll("tr").length;
    totals = said.totals;
    for (const [at, cell] of [...grid.querySelectorAll("[data-sum]")].entries()) {
      cell.replaceChildren(...[recorded.querySelectorAll("tr:last-child .so-far .points")[at]?.cloneNode(true)].filter(Boolean));
    }
    listWaiting();
    document.getElementById("grid-done").innerHTML = said.done;
    speak(said.said);
    this.changed("well");
    compare();
  },
  refused(row, { status, said }) {
    if (!isEmpty() && plain) unsent.draft("aside", { cells: values(), key: field("client_key").value });
    const kept = { cells: {}, key: said.key ?? row.data.client_key }; // another key if it means another write now
    for (const cell of cells) kept.cells[cell.dataset.cell] = row.data[cell.name] ?? "";
    unsent.draft(mode, kept);
    restore(kept, row.place);
    if (plain) before = totals;
    if (said.version) field("seen_version").value = said.version;
    show(said, status === 409 ? "" : written());
    if (status === 409) answered = "stale";
    if (said.doubts?.length) field("confirmed").value = said.fingerprint;
    listWaiting();
    const wrong = cells.find((cell) => said.wrong?.[cell.dataset.cell]);
    go(wrong ?? first);
    saidBox.append(line("doubt", words.back));
    speak([words.back, ...(said.refused ?? []), ...(said.doubts ?? [])].join(" "), true);
  },
  changed(state) {
    const box = document.getElementById("grid-unsent");
    const count = unsent.rows.length;
    box.hidden = state === "well" || (!count && state !== "out");
    const text = state === "out" ? words.out : waits();
    box.querySelector("[data-says]").textContent = text;
    box.querySelector("[data-login]").hidden = state !== "out";
    box.querySelector("[data-retry]").hidden = state === "out";
    if (!box.hidden) speak(text, true);
  },
};

function restore(draft, at) {
  for (const cell of cells) cell.value = draft.cells[cell.dataset.cell] ?? "";
  field("client_key").value = draft.key;
  if (at) {
    place = at;
    document.getElementById("grid-number").textContent = place;
  }
  open();
}

// Keys

// Whether a Tab or a space has nothing left to do, the cell before having been left by itself; asked once after each key.
function movedAlready(key, cell) {
  const moved = movedTo === cell;
  movedTo = null;
  return moved && (key === "Tab" || key === " ");
}

function press(key) {
  const cell = document.activeElement;
  if (!cells.includes(cell)) return;
  if (movedAlready(key, cell)) return;
  if (key === "Enter") enter();
  else if (key === "Escape") onEscape();
  else if (key === "Tab" || key === " ") go(neighbour(cell, 1));
  else if (key === "\"") above(cell);
  else if (key === "ArrowRight") go(neighbour(cell, 1));
  else if (key === "ArrowLeft") go(neighbour(cell, -1));
  else if (key === "Backspace") {
    if (cell.value) cell.value = "";
    changed();
  } else if (key.length === 1) {
    cell.setRangeText(key, cell.selectionStart, cell.selectionEnd, "end");
    typed(cell);
  }
}

const atEnd = (cell) => cell.selectionEnd === cell.value.length;
const atStart = (cell) => cell.selectionStart === 0;

grid.addEventListener("keydown", (event) => {
  const { key, target } = event;
  keyAt = event.timeStamp;
  if (event.ctrlKey || event.metaKey || event.altKey || event.isComposing) return;
  const rowLink = target.closest?.("[data-row-link]");
  if (rowLink) return onRecorded(event, rowLink.closest("tr"));
  if (!cells.includes(target)) return;
  if (held) {
    held.push(key);
    return event.preventDefault();
  }
  if (key === "Shift") return;
  if (movedAlready(event.shiftKey ? "" : key, target)) return event.preventDefault();
  const next = neighbour(target, 1);
  const previous = neighbour(target, -1);
  const does =
    (key === "Enter" && enter) ||
    (key === "Escape" && onEscape) ||
    (key === " " && (() => go(next))) ||
    (key === "Tab" && !event.shiftKey && next && (() => go(next))) ||
    (key === "Tab" && event.shiftKey && previous && (() => go(previous))) ||
    (key === "\"" && (() => above(target))) ||
    (key === "ArrowRight" && atEnd(target) && (() => go(next))) ||
    (key === "ArrowLeft" && atStart(target) && (() => go(previous))) ||
    (key === "Backspace" && !target.value && (() => go(previous))) ||
    (key === "ArrowUp" && (() => step(target.closest("tr"), -1))) ||
    (key === "ArrowDown" && (() => step(target.closest("tr"), 1)));
  if (!does) return;
  event.preventDefault();
  does();
});

function step(row, by) {
  const rows = [...grid.querySelectorAll("tr[data-codes], #grid-row > tr:first-child")];
  const next = rows[rows.indexOf(row) + by];
  if (next?.closest("#grid-row")) go(first);
  else next?.querySelector("[data-row-link]").focus();
}

function onRecorded(event, row) {
  if (event.key === "ArrowUp") step(row, -1);
  else if (event.key === "ArrowDown") step(row, 1);
  else if (event.key === "Insert") row.querySelector("[data-insert]").click();
  else return;
  event.preventDefault();
}

grid.addEventListener("input", ({ target }) => {
  if (cells.includes(target)) typed(target);
});
grid.addEventListener("pointerdown", () => {
  movedTo = null;
});
grid.addEventListener("submit", (event) => {
  event.preventDefault();
  enter();
});

// The totals on the paper

const paper = [...document.querySelectorAll("[name^=written_]")];
const paperForm = document.getElementById("grid-paper");
const paperSays = document.getElementById("grid-paper-says");
const paperStore = `${grid.dataset.store}:paper`;

let comparing = null; // whether the server got the totals, once it is known
let changedSince = false;
let leftSo = ""; // totals that disagree, and were asked about

// One request at a time: two could arrive in the other order, and the older totals would stay.
function compare() {
  const kept = Object.fromEntries(paper.map(({ name, value }) => [name, value.trim()]));
  if (paper.some(({ value, defaultValue }) => value.trim() !== defaultValue)) {
    localStorage.setItem(paperStore, JSON.stringify(kept)); // until the server has it
  }
  changedSince = true;
  comparing ??= keepNewest();
  return comparing;
}

async function keepNewest() {
  let kept = false;
  while (changedSince) {
    changedSince = false;
    kept = await keepPaper();
  }
  comparing = null;
  return kept;
}

async function keepPaper() {
  try {
    const got = await fetch(paperForm.action, { method: "POST", body: new URLSearchParams(new FormData(paperForm)) });
    const page = new DOMParser().parseFromString(await got.text(), "text/html");
    const says = page.getElementById("grid-paper-says");
    if (!got.ok || !says) return false;
    if (!changedSince) localStorage.removeItem(paperStore);
    says.prepend(...page.querySelectorAll(".notices"));
    paperSays.replaceChildren(...says.childNodes);
    return true;
  } catch {
    // Sent again when it is changed next, or with the page; the row's own message says that the server is away.
    return false;
  }
}

const paperTotals = () => paper.map(({ value }) => value.trim());

// After the totals comes the next sheet. Where they disagree with the rows that is asked about, as a doubt is.
async function finish() {
  const totals = paperTotals();
  const compared = compare();
  const next = document.querySelector("#grid-done a");
  if (!next) return go(first);
  if (!(await compared)) return speak(words.offline);
  if (unsent.rows.length) return speak(waits());
  const agrees = paperSays.querySelector(".agrees") && !paperSays.querySelector(".notices");
  if (totals.some(Boolean) && !agrees && leftSo !== totals.join()) {
    leftSo = totals.join();
    return speak(words.leave);
  }
  for (const name of Object.keys(unsent.drafts)) if (name.startsWith(cleared)) unsent.draft(name, null);
  location.assign(next.href);
}

for (const one of paper) {
  one.addEventListener("change", compare);
  one.addEventListener("keydown", (event) => {
    if (event.key === "Escape") return go(first);
    if (event.key !== "Enter") return;
    event.preventDefault();
    const next = paper[paper.indexOf(one) + 1];
    if (!next || !paperTotals().some(Boolean)) return finish();
    compare();
    go(next);
  });
}

// The button shows what the comparison says. To load the page again would lead to the row, on a phone out of sight of it.
paperForm.addEventListener("submit", async (event) => {
  event.preventDefault();
  if (!(await compare())) return paperForm.submit();
  paperSays.scrollIntoView({ block: "nearest" });
});

// Start

const unsent = new Unsent(grid.dataset.store, grid.dataset.check, handlers);
recorded.dataset.count = recorded.querySelectorAll("tr").length;
document.querySelector("#grid-unsent [data-retry]").addEventListener("click", () => unsent.send());
addEventListener("pagehide", () => unsent.keep());
const unkept = JSON.parse(localStorage.getItem(paperStore) ?? "null");
for (const one of unkept ? paper : []) one.value = unkept[one.name] ?? one.value;
const draft = unsent.drafts[mode];
if (plain) ready(draft);
else {
  if (draft) restore(draft);
  open();
  go(first);
  ask();
}
if (unkept) compare();
unsent.send();
