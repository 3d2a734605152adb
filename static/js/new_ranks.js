// The arrows of standings move once (new-ranks in boards.css) when the viewer sees them for the first time after an
// update. This browser stores the version that it has shown, one for each season.
(() => {
  const board = document.querySelector("[data-ranks]");
  if (!board) return;
  const [season, version] = board.dataset.ranks.split(":");
  try {
    const shown = localStorage.getItem(`ranks-${season}`);
    if (shown && shown !== version) board.classList.add("new-ranks");
    localStorage.setItem(`ranks-${season}`, version);
  } catch {
    // Without storage nothing moves: it would move at each visit.
  }
})();
