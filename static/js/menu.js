// An open menu closes with Escape, giving the focus back, and by a click or a step elsewhere.
(() => {
  const opened = () => document.querySelectorAll("details.menu[open]");

  function closeUnlessInside(event) {
    for (const menu of opened()) if (!menu.contains(event.target)) menu.open = false;
  }

  addEventListener("click", closeUnlessInside);
  addEventListener("focusin", closeUnlessInside);
  addEventListener("keydown", (event) => {
    if (event.key !== "Escape") return;
    for (const menu of opened()) {
      menu.open = false;
      menu.querySelector("summary").focus();
    }
  });
})();
