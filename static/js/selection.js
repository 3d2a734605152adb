// The button of a form names how many boxes of the list are ticked; without one it can't be pressed.
(() => {
  for (const form of document.querySelectorAll("form[data-words]")) {
    const button = form.querySelector("button");
    const words = button.textContent;
    const boxes = [...form.elements].filter((element) => element.type === "checkbox");

    function count() {
      const number = boxes.filter((box) => box.checked).length;
      button.disabled = !number;
      button.textContent = number ? form.dataset.words.replace("{number}", number) : words;
    }

    for (const box of boxes) box.addEventListener("change", count);
    addEventListener("pageshow", count); // a page that comes back keeps its ticks
    count();
  }
})();
