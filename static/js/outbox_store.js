// The outbox: entries of the desk that could not be sent, stored in this browser for one user each. The service worker
// adds them; outbox.js shows and sends them. See docs/decisions/0037-an-outbox-for-the-desk.md.
const OUTBOX_ADDRESS =
  /^\/(tables\/\d+\/(deals\/record|totals|paper)|evenings\/\d+\/players\/add|attendances\/\d+\/(remove|paid|leaving)|at\/[\w:.-]+)(\?|$)/;
const OUTBOX_DAYS = 7;

const outbox = (() => {
  const result = (request) =>
    new Promise((resolve, reject) => {
      request.onsuccess = () => resolve(request.result);
      request.onerror = () => reject(request.error);
    });

  async function open() {
    const request = indexedDB.open("outbox", 1);
    request.onupgradeneeded = () => request.result.createObjectStore("entries", { keyPath: "id", autoIncrement: true });
    return result(request);
  }

  // Call `use` with the stored entries in one transaction; its promise is fulfilled when they are on the disk.
  async function transaction(mode, use) {
    const database = await open();
    try {
      const transaction = database.transaction("entries", mode, { durability: "strict" });
      const done = new Promise((resolve, reject) => {
        transaction.oncomplete = resolve;
        transaction.onabort = () => reject(transaction.error);
      });
      const value = await use(transaction.objectStore("entries"));
      await done;
      return value;
    } finally {
      database.close();
    }
  }

  const content = ({ user, address, body }) => {
    const fields = new URLSearchParams(body);
    fields.delete("csrfmiddlewaretoken");
    return JSON.stringify([user, address, fields.toString()]);
  };

  return {
    // The table whose entries keep their order; null for check-ins and fees, which do not depend on each other.
    queue: (address) => address.match(/^\/(tables\/\d+|at\/[^/?]+)/)?.[0] ?? null,
    // Add an entry {user, address, body, page, stored}. The same entry, sent twice by hand, is stored once.
    add: (entry) =>
      transaction("readwrite", async (entries) => {
        const others = await result(entries.getAll());
        if (!others.some((other) => content(other) === content(entry))) await result(entries.add(entry));
      }),
    // The entries of a user, the oldest first. Entries of any user that are too old are deleted.
    list: (user) =>
      transaction("readwrite", async (entries) => {
        const all = await result(entries.getAll());
        const isOld = ({ stored }) => !(Date.now() - stored < OUTBOX_DAYS * 24 * 3600 * 1000);
        for (const entry of all.filter(isOld)) await result(entries.delete(entry.id));
        return all.filter((entry) => entry.user === user && !isOld(entry));
      }),
    // Replace an entry unless it was deleted meanwhile.
    change: (entry) =>
      transaction("readwrite", async (entries) => {
        if (await result(entries.get(entry.id))) await result(entries.put(entry));
      }),
    remove: (id) => transaction("readwrite", (entries) => result(entries.delete(id))),
  };
})();
