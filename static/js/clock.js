// The countdown of a tournament: minutes and seconds to data-ends, then the words of data-over, on a changed ground.
(() => {
  const digits = (number) => String(number).padStart(2, "0");

  function show(clock) {
    const left = Math.round((Date.parse(clock.dataset.ends) - Date.now()) / 1000);
    clock.textContent = left > 0 ? `${Math.floor(left / 60)}:${digits(left % 60)}` : clock.dataset.over;
    clock.classList.toggle("clock-last", left > 0 && left <= 300);
    clock.classList.toggle("clock-over", left <= 0);
  }

  const showAll = () => document.querySelectorAll("[data-ends]").forEach(show);
  document.addEventListener("htmx:afterSwap", showAll);
  setInterval(showAll, 1000);
  showAll();
})();
