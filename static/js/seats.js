// A name that is dragged onto another name of the same round opens the page that shows what the swap changes.
(() => {
  for (const plan of document.querySelectorAll("[data-swap]")) {
    let dragged = "";
    for (const seat of plan.querySelectorAll("[data-player]")) {
      seat.draggable = true;
      for (const link of seat.querySelectorAll("a")) link.draggable = false;
      seat.addEventListener("dragstart", () => { dragged = seat.dataset.player; });
      seat.addEventListener("dragend", () => { dragged = ""; });
      seat.addEventListener("dragover", (event) => {
        if (!dragged || dragged === seat.dataset.player) return;
        event.preventDefault();
        seat.classList.add("drop");
      });
      seat.addEventListener("dragleave", () => seat.classList.remove("drop"));
      seat.addEventListener("drop", (event) => {
        event.preventDefault();
        location.assign(`${plan.dataset.swap}?first=${dragged}&second=${seat.dataset.player}`);
      });
    }
  }
})();
