// The projector: one page at a time, turned by itself, by a button or by a key. A round that is new is shown at once.
(() => {
  const SECONDS = 10;
  const screen = document.getElementById("screen");
  const controls = document.getElementById("turning");
  const pause = document.getElementById("pause");
  const number = document.getElementById("page-number");
  let shown = "";
  let timer;

  const pages = () => [...screen.querySelectorAll("[data-page]")];
  const at = () => Math.max(0, pages().findIndex((page) => page.dataset.page === shown));

  const motion = matchMedia("(prefers-reduced-motion: no-preference)");

  function show(index) {
    const all = pages();
    const wanted = (index + all.length) % all.length;
    all.forEach((page, each) => { page.hidden = each !== wanted; });
    if (motion.matches && shown && shown !== all[wanted].dataset.page) {
      all[wanted].animate([{ opacity: 0, transform: "translateX(1em)" }, {}], { duration: 400, easing: "ease-out" });
    }
    shown = all[wanted].dataset.page;
    controls.hidden = all.length < 2;
    number.textContent = number.dataset.words.replace("{number}", wanted + 1).replace("{count}", all.length);
  }

  function run(running) {
    clearInterval(timer);
    pause.setAttribute("aria-pressed", String(!running));
    if (running) timer = setInterval(() => show(at() + 1), SECONDS * 1000);
  }

  const paused = () => pause.getAttribute("aria-pressed") === "true";

  function turn(by) {
    show(at() + by);
    run(!paused()); // a page that was asked for stays its whole time
  }

  // Rows of the shown page move from where their player stood before. Without motion they are in place at once.
  const rowPlaces = () => new Map(
    [...screen.querySelectorAll("[data-page]:not([hidden]) [data-row]")].map((row) => [row, row.getBoundingClientRect()]),
  );
  let before = new Map();

  function moveRows() {
    if (!motion.matches) return;
    for (const [row, { left, top }] of rowPlaces()) {
      const from = before.get(row.dataset.row);
      if (!from || (from.left === left && from.top === top)) continue;
      const start = `translate(${from.left - left}px, ${from.top - top}px)`;
      row.animate([{ transform: start }, { transform: "none" }], { duration: 900, easing: "ease-in-out" });
    }
  }

  document.addEventListener("htmx:beforeSwap", ({ detail }) => {
    if (detail.target !== screen) return;
    before = new Map([...rowPlaces()].map(([row, place]) => [row.dataset.row, place]));
  });

  // A slam is announced once, one after the other. Slams from before the page was opened are no news.
  const slam = document.getElementById("slam");
  const announced = new Set([...screen.querySelectorAll("[data-slam]")].map((each) => each.dataset.slam));
  const waiting = [];

  function announce() {
    slam.textContent = waiting.shift() ?? "";
    if (slam.textContent) setTimeout(announce, SECONDS * 1000);
  }

  function collectSlams() {
    for (const each of screen.querySelectorAll("[data-slam]")) {
      if (announced.has(each.dataset.slam)) continue;
      announced.add(each.dataset.slam);
      waiting.push(each.content.textContent);
    }
    if (!slam.textContent) announce();
  }

  let known = new Set(pages().map((page) => page.dataset.page));
  document.addEventListener("htmx:afterSwap", ({ detail }) => {
    if (detail.target !== screen) return;
    const keys = pages().map((page) => page.dataset.page);
    const fresh = keys.findIndex((key) => key.startsWith("round-") && !known.has(key));
    known = new Set(keys);
    if (fresh >= 0 && !paused()) {
      show(fresh);
      run(true);
    } else show(at());
    moveRows();
    collectSlams();
  });

  pause.addEventListener("click", () => run(paused()));
  for (const button of controls.querySelectorAll("[data-turn]")) {
    button.addEventListener("click", () => turn(Number(button.dataset.turn)));
  }
  document.addEventListener("keydown", (event) => {
    if (event.altKey || event.ctrlKey || event.metaKey) return;
    if (event.key === "ArrowRight" || event.key === "PageDown") turn(1);
    else if (event.key === "ArrowLeft" || event.key === "PageUp") turn(-1);
    else if (event.key === " " && event.target.tagName !== "BUTTON") run(paused());
    else return;
    event.preventDefault();
  });

  show(0);
  run(!matchMedia("(prefers-reduced-motion: reduce)").matches);
})();
