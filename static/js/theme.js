// Light, dark, or as the system has it. Runs before the page is drawn, so that it never flashes.
// Only tells which readers dark.css is for; without scripts the system decides.
(() => {
  const key = "theme";
  const media = { auto: "screen and (prefers-color-scheme: dark)", light: "not all", dark: "screen" };

  function chosen() {
    try {
      return localStorage.getItem(key) in media ? localStorage.getItem(key) : "auto";
    } catch {
      return "auto"; // storage may be forbidden
    }
  }

  function choose(theme) {
    document.getElementById("dark-colours").media = media[theme];
  }

  choose(chosen());

  addEventListener("DOMContentLoaded", () => {
    const picker = document.getElementById("theme");
    if (!picker) return;
    picker.querySelector(`[value=${chosen()}]`).checked = true;
    picker.hidden = false;
    picker.addEventListener("change", (event) => {
      choose(event.target.value);
      try {
        localStorage.setItem(key, event.target.value);
      } catch {
        // then it lasts as long as the page
      }
    });
  });
})();
