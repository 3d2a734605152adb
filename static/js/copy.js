// A button that copies the field beside it, and says so. Without scripts the field is marked and copied by hand.
for (const button of document.querySelectorAll(".copied button")) {
  const field = button.parentElement.querySelector("input, textarea");
  const status = button.nextElementSibling;
  button.setAttribute("aria-label", `${button.textContent.trim()}, ${field.labels[0].textContent}`);
  button.hidden = false;
  button.addEventListener("click", async () => {
    status.textContent = "";
    field.select();
    try {
      await navigator.clipboard.writeText(field.value);
    } catch {
      if (!document.execCommand("copy")) return; // the field stays selected
    }
    status.textContent = status.dataset.said;
  });
}
