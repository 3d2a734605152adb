// What is typed and not recorded yet, kept in this browser by table and user: the unfinished row (`draft`), and the
// complete rows that wait for the server (`rows`), sent one after the other in their order. The server knows each row by
// its key, so that a row sent twice is recorded once. Knows no cells and no page; grid.js tells it what to do with answers.
class Unsent {
  constructor(store, address, handlers) {
    this.store = store;
    this.address = address;
    this.handlers = handlers; // recorded(row, answer), refused(row, answer), changed(state)
    const { rows, drafts } = this.kept();
    this.rows = rows;
    this.drafts = drafts;
    this.known = new Set([...rows.map((row) => row.data.client_key), ...Object.values(drafts).map((draft) => draft.key)]);
    this.state = "well"; // "lost": no connection; "out": signed out
    this.sending = false;
    this.wait = 1000;
    addEventListener("online", () => this.send());
  }

  // A new row's key. Pages that aren't served safely have no randomUUID.
  static key() {
    const bytes = crypto.getRandomValues(new Uint8Array(16));
    const hex = [...bytes].map((byte) => byte.toString(16).padStart(2, "0")).join("");
    return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-4${hex.slice(13, 16)}-a${hex.slice(17, 20)}-${hex.slice(20)}`;
  }

  kept() {
    return JSON.parse(localStorage.getItem(this.store)) ?? { rows: [], drafts: {} };
  }

  // The same table may be open in another tab: what that one has kept, and this one never knew, stays.
  keep() {
    const kept = this.kept();
    const others = Object.entries(kept.drafts).filter(([, draft]) => !this.known.has(draft.key));
    const drafts = { ...Object.fromEntries(others), ...this.drafts };
    const rows = [...kept.rows.filter((row) => !this.known.has(row.data.client_key)), ...this.rows];
    if (rows.length || Object.keys(drafts).length) {
      localStorage.setItem(this.store, JSON.stringify({ rows, drafts }));
    } else {
      localStorage.removeItem(this.store);
    }
  }

  draft(name, draft) {
    if (draft) {
      this.drafts[name] = draft;
      this.known.add(draft.key);
    } else delete this.drafts[name];
    this.keep();
  }

  add(row, first) {
    this.known.add(row.data.client_key);
    if (first) this.rows.unshift(row);
    else this.rows.push(row);
    this.keep();
    this.send();
  }

  // A request that says whether the server was reached: null when not, and the state says why.
  async ask(data, patience) {
    // A row may have waited through a new sign-in: the cookie has the token that is good now.
    const { csrfmiddlewaretoken, ...rest } = data;
    const token = document.cookie.match(/(?:^|; )csrftoken=([^;]+)/)?.[1] ?? csrfmiddlewaretoken;
    let answer;
    try {
      answer = await fetch(this.address, {
        method: "POST",
        body: new URLSearchParams(rest),
        headers: { "X-CSRFToken": token },
        redirect: "manual",
        signal: AbortSignal.timeout(patience),
      });
    } catch {
      return this.become("lost");
    }
    if (answer.type === "opaqueredirect" || answer.status === 403) return this.become("out");
    // Whatever else than the grid's own answers came, such as a proxy's page, the row is still to be sent.
    if (![200, 404, 409, 422].includes(answer.status)) return this.become("lost");
    this.become("well");
    this.wait = 1000;
    return { status: answer.status, said: answer.status === 404 ? { wrong: {}, needed: [], doubts: [], refused: [] } : await answer.json() };
  }

  become(state) {
    if (state !== this.state) {
      this.state = state;
      this.handlers.changed(state);
    }
    return null;
  }

  async send() {
    if (this.sending || this.held) return;
    this.sending = true;
    try {
      while (this.rows.length) {
        const row = this.rows[0];
        const answer = await this.ask({ ...row.data, record: "1" }, 15000);
        if (!answer) {
          this.later();
          return;
        }
        this.rows.shift();
        if (answer.status === 200) {
          this.keep();
          this.handlers.recorded(row, answer.said);
        } else {
          this.held = true; // the rows behind it wait until it is put right
          this.handlers.refused(row, answer);
          return;
        }
      }
    } finally {
      this.sending = false;
    }
  }

  later() {
    this.handlers.changed(this.state);
    clearTimeout(this.timer);
    if (this.state === "out") return;
    this.timer = setTimeout(() => this.send(), this.wait);
    this.wait = Math.min(this.wait * 2, 15000);
  }

  // The row that was refused is put right, or dropped: the others go on.
  release() {
    this.held = false;
    this.send();
  }
}
