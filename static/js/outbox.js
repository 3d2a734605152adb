// Shows the entries of this user that are not sent yet, and sends them in their order when the server can be reached.
// Loaded after outbox_store.js by the pages of a desk and by the page to sign out.
const box = document.getElementById("outbox");
const { user } = box.dataset;
const list = box.querySelector("ol");
const signOut = document.querySelector("form[data-sign-out]");
const part = (name) => box.querySelector(`[data-part=${name}]`);
const row = box.querySelector("template").content;
const words = Object.fromEntries([...box.querySelectorAll("[data-word]")].map((word) => [word.dataset.word, word.textContent.trim()]));
const isStoredPage = "stored" in document.documentElement.dataset;
const FIRST_WAIT = 2000; // ms
const MAX_WAIT = 60_000; // ms
const tabs = new BroadcastChannel(`outbox-${user}`); // a tab that has sent entries posts their number
const SENT = "outbox-sent"; // the number of entries that were sent before the page was loaded again
const sentBefore = Number(sessionStorage.getItem(SENT));
let wait = FIRST_WAIT;
let timer = null;

// What an entry says: the labels and values of its form, which is on the page that stored it

const sentFields = (entry) => [...new URLSearchParams(entry.body)].filter(([name]) => name !== "csrfmiddlewaretoken");
const fieldsOf = (form, name) => [...form.elements].filter((field) => field.name === name);

function formOf(entry) {
  return [...document.forms].find((form) => {
    const action = new URL(form.action);
    const fixed = [...form.elements].filter(({ type, name }) => type === "hidden" && ["players", "paid", "leaves"].includes(name));
    const sent = new URLSearchParams(entry.body);
    return action.pathname + action.search === entry.address && fixed.every(({ name, value }) => sent.get(name) === value);
  });
}

function describe(entry) {
  const form = formOf(entry);
  if (!form) return null;
  if (form.dataset.entry) return form.dataset.entry;
  const lines = [document.title.split(" · ").slice(0, -1).join(" · ")];
  for (const [name, value] of sentFields(entry)) {
    const fields = fieldsOf(form, name).filter((field) => field.type !== "hidden" && field.labels?.length);
    const field = fields.find((each) => each.value === value) ?? fields[0];
    if (!field || !value) continue;
    const group = field.closest("fieldset")?.querySelector("legend");
    const label = (group ?? field.labels[0]).textContent.trim().replace(/\s*\*$/, "");
    const isChoice = ["radio", "checkbox"].includes(field.type);
    const chosen = isChoice ? field.labels[0].textContent : [...(field.options ?? [])].find((option) => option.value === value)?.text;
    lines.push(words.field.replace("LABEL", label).replace("VALUE", (chosen ?? value).trim()));
  }
  return lines.join(" · ");
}

// The list

function time(milliseconds) {
  return new Date(milliseconds).toLocaleString(document.documentElement.lang, { weekday: "short", hour: "2-digit", minute: "2-digit" });
}

function shownEntry(entry) {
  const item = row.cloneNode(true);
  const find = (name) => item.querySelector(`[data-part=${name}]`);
  find("text").textContent = entry.text ?? new URL(entry.address, location.origin).pathname;
  find("time").textContent = time(entry.stored);
  find("points").hidden = !/^\/(tables|at)\//.test(entry.address);
  for (const error of entry.errors ?? []) {
    find("errors").append(Object.assign(document.createElement("li"), { textContent: error }));
  }
  find("refused").hidden = !entry.errors;
  find("open").href = `${entry.page}#entry-${entry.id}`;
  find("open").hidden = !entry.errors;
  find("again").hidden = !entry.errors;
  find("again").addEventListener("click", async () => {
    await outbox.change({ ...entry, errors: undefined });
    send();
  });
  find("discard").addEventListener("click", async () => {
    if (!confirm(words.discard)) return;
    await outbox.remove(entry.id);
    await show();
  });
  return item;
}

// The fee of a person whose check-in waits goes with the check-in.
function feeButton(entry, form) {
  const button = part("fee").content.cloneNode(true).querySelector("button");
  const body = new URLSearchParams(entry.body);
  const isPaid = body.get("paid") === "yes";
  button.textContent = words[isPaid ? "paid" : "owed"].replace("AMOUNT", form.dataset.fee);
  button.setAttribute("aria-label", `${button.textContent}, ${form.querySelector("button span").textContent.trim()}`);
  if (!isPaid) button.classList.replace("btn-outline-secondary", "btn-outline-danger");
  button.addEventListener("click", async () => {
    if (isPaid) body.delete("paid");
    else body.set("paid", "yes");
    await outbox.change({ ...entry, body: body.toString(), text: form.dataset[isPaid ? "entry" : "entryPaid"] });
    await show();
    document.querySelector(`#${form.closest(".person").id} button[data-unsent]`)?.focus();
  });
  return button;
}

// People whose check-in waits are marked in their row.
function markPeople(entries) {
  for (const mark of document.querySelectorAll("[data-unsent]")) mark.remove();
  for (const entry of entries) {
    const form = formOf(entry);
    const person = form?.closest(".person");
    if (!person || person.querySelector("[data-unsent]")) continue;
    const mark = Object.assign(document.createElement("small"), { textContent: words.unsent, className: "badge state state-planned" });
    mark.dataset.unsent = "";
    person.append(mark);
    if (form.dataset.fee) person.append(feeButton(entry, form));
  }
}

async function show() {
  const entries = await outbox.list(user);
  for (const entry of entries.filter(({ text, page }) => !text && page === location.href.split("#")[0])) {
    entry.text = describe(entry);
    if (entry.text) await outbox.change(entry);
  }
  list.replaceChildren(...entries.map(shownEntry));
  part("count").textContent = entries.length;
  box.querySelector("h2").hidden = !entries.length;
  if (signOut || entries.some(({ errors }) => errors)) part("waiting").open = true;
  markPeople(entries);
  box.hidden = !entries.length && !sentBefore && part("reload").hidden;
  part("waiting").hidden = !entries.length;
  return entries;
}

function say(state, count = 0) {
  box.querySelector("[role=status]").textContent = words[state].replace("COUNT", count);
}

const isChanged = (field) => {
  if (["hidden", "submit", "button"].includes(field.type)) return false;
  if (["radio", "checkbox"].includes(field.type)) return field.checked !== field.defaultChecked;
  if (!field.options) return field.value !== field.defaultValue;
  return field.selectedIndex !== Math.max(0, [...field.options].findIndex((option) => option.defaultSelected));
};

// Entries were sent, here or in another tab. A stored page shows the server's state again, at once if nothing that was
// typed on it would be lost; any other page has a link.
async function showSent(sent) {
  if (sent) part("reload").hidden = false;
  const left = await show();
  say(left.length ? "refused" : "sent", sent);
  if (!sent || left.length || signOut || !isStoredPage) return;
  if ([...document.querySelectorAll("main :is(input, select, textarea)")].some(isChanged)) return;
  sessionStorage.setItem(SENT, sent);
  location.reload();
}

// Sending

function errorsOn(html) {
  const page = new DOMParser().parseFromString(html, "text/html");
  const summary = page.querySelectorAll(".error-summary li, .alert[role=alert] li, .conflict h2");
  const found = summary.length ? summary : page.querySelectorAll(".invalid-feedback");
  return [...new Set([...found].map((element) => element.textContent.trim()))].filter(Boolean);
}

// Send one entry: {state: "sent"}, {state: "refused", errors}, {state: "lost"} or {state: "out"}.
async function deliver(entry) {
  const token = document.cookie.match(/(?:^|; )csrftoken=([^;]+)/)?.[1] ?? "";
  let answer;
  try {
    answer = await fetch(entry.address, {
      method: "POST",
      body: new URLSearchParams(sentFields(entry)),
      headers: { "X-CSRFToken": token, "Outbox-User": user },
      redirect: "manual",
      signal: AbortSignal.timeout(20_000),
    });
  } catch {
    return { state: "lost" };
  }
  if (answer.type === "opaqueredirect" || answer.status === 401) return { state: "out" };
  if (answer.status === 429 || answer.status >= 500) return { state: "lost" };
  if (answer.headers.get("Content-Type")?.startsWith("application/json")) {
    const { messages } = await answer.json();
    const errors = messages.filter(({ level }) => level === "error").map(({ text }) => text);
    return errors.length ? { state: "refused", errors } : { state: "sent" };
  }
  const errors = errorsOn(await answer.text());
  return { state: "refused", errors: errors.length ? errors : [[403, 404, 410].includes(answer.status) ? words.gone : words.question] };
}

async function deliverAll() {
  const refused = new Set();
  let sent = 0;
  const entries = await outbox.list(user);
  if (!entries.length) {
    await show(); // another tab has sent or discarded them
    return false;
  }
  for (const entry of entries) {
    const queue = outbox.queue(entry.address);
    if (entry.errors) refused.add(queue);
    if (entry.errors || (queue && refused.has(queue))) continue;
    const { state, errors } = await deliver(entry);
    if (state === "lost" || state === "out") {
      if (sent) await show();
      say(state);
      return state === "lost";
    }
    if (state === "sent") {
      sent += 1;
      await outbox.remove(entry.id);
    } else {
      refused.add(queue);
      await outbox.change({ ...entry, errors });
    }
  }
  if (sent) tabs.postMessage(sent);
  await showSent(sent);
  wait = FIRST_WAIT;
  return false;
}

// Only one tab sends at a time.
async function send() {
  clearTimeout(timer);
  const isLost = await navigator.locks.request("outbox", { ifAvailable: true }, (lock) => (lock ? deliverAll() : true));
  if (!isLost || !(await outbox.list(user)).length) return;
  timer = setTimeout(send, wait);
  wait = Math.min(wait * 2, MAX_WAIT);
}

// Forms

// The entry that the page's address names was refused: it is put into its form. A corrected deal keeps its place among
// the entries; the preview has asked what the server asks. Other entries leave the outbox when their form is sent.
async function fill() {
  const id = Number(location.hash.match(/^#entry-(\d+)$/)?.[1]);
  const entry = (await outbox.list(user)).find((each) => each.id === id);
  const form = entry && formOf(entry);
  if (!form) return;
  for (const [name, value] of sentFields(entry)) {
    if (["client_key", "seen_version", "confirmed"].includes(name)) continue;
    for (const field of fieldsOf(form, name)) {
      if (["radio", "checkbox"].includes(field.type)) field.checked = field.value === value;
      else if (field.type !== "submit") field.value = value;
    }
  }
  form.dispatchEvent(new Event("input", { bubbles: true }));
  const correct = async (event) => {
    event.preventDefault();
    form.removeEventListener("submit", correct);
    if ("deal" in form.dataset) {
      const body = new URLSearchParams(new FormData(form)).toString();
      await outbox.change({ ...entry, body, text: undefined, errors: undefined });
      await send();
      location.replace(entry.page);
    } else {
      await outbox.remove(id);
      form.requestSubmit(event.submitter);
    }
  };
  form.addEventListener("submit", correct);
  form.scrollIntoView();
}

// A stored page may be sent several times: each deal gets a key of its own. Who sits out changes with each deal, and the
// names on the form with it, so that such a form needs the network; the grid does not.
function prepareStoredForms() {
  for (const form of document.forms) {
    for (const key of fieldsOf(form, "client_key")) key.value = crypto.randomUUID();
    if (!form.elements.rests) continue;
    for (const button of form.querySelectorAll("button[type=submit]")) button.disabled = true;
    form.prepend(part("rests").content.cloneNode(true));
  }
}

// Files

async function saveFile() {
  const entries = (await outbox.list(user)).map(({ id, ...entry }) => entry);
  const file = new Blob([JSON.stringify({ outbox: 1, user, entries }, null, 1)], { type: "application/json" });
  const link = Object.assign(document.createElement("a"), { href: URL.createObjectURL(file), download: "outbox.json" });
  link.click();
  URL.revokeObjectURL(link.href);
}

const isEntry = ({ address, body, page, stored }) =>
  typeof address === "string" && OUTBOX_ADDRESS.test(address) && typeof body === "string" && body.length < 10_000 &&
  typeof page === "string" && page.startsWith(`${location.origin}/`) && Number.isFinite(stored);

async function loadFile(input) {
  const [file] = input.files;
  input.value = "";
  let data = null;
  try {
    data = file.size < 1_000_000 ? JSON.parse(await file.text()) : null;
  } catch {
    // said below
  }
  const isOwn = data?.outbox === 1 && data.user === user && Array.isArray(data.entries) && data.entries.every(isEntry);
  if (isOwn) for (const { address, body, page, stored, text } of data.entries) await outbox.add({ user, address, body, page, stored, text });
  document.getElementById("outbox-file-state").textContent = isOwn ? "" : words.file;
  await show();
  if (isOwn) send();
}

// Sign out only after the user has decided about unsent entries.
function guardSignOut(form) {
  form.addEventListener("submit", async (event) => {
    if (form.dataset.decided !== undefined) return;
    event.preventDefault();
    const entries = await show();
    form.dataset.decided = "";
    if (!entries.length) form.requestSubmit();
    else {
      delete form.dataset.decided;
      box.scrollIntoView();
      box.querySelector("h2").focus();
    }
  });
  part("discard-all").addEventListener("click", async () => {
    for (const { id } of await outbox.list(user)) await outbox.remove(id);
    form.dataset.decided = "";
    form.requestSubmit();
  });
}

if (isStoredPage) prepareStoredForms();
part("send").addEventListener("click", () => send());
part("save").addEventListener("click", saveFile);
const input = document.getElementById("outbox-file");
input?.addEventListener("change", () => loadFile(input));
if (input) input.closest("[hidden]").hidden = false;
if (signOut) guardSignOut(signOut);
document.addEventListener("outbox", () => show().then(() => say("lost")));
addEventListener("online", () => send());
tabs.addEventListener("message", ({ data: sent }) => showSent(sent));
await show();
if (sentBefore) say("sent", sentBefore);
sessionStorage.removeItem(SENT);
await fill();
addEventListener("hashchange", fill);
if ((await outbox.list(user)).length) send();
