// A form whose work takes long says so as soon as it is sent, and isn't sent twice.
for (const form of document.querySelectorAll("form[data-at-work]")) {
  const status = document.getElementById(form.dataset.atWork);
  const show = (busy) => {
    status.textContent = busy ? status.dataset.words : "";
    for (const button of form.querySelectorAll("button[type=submit]")) button.disabled = busy;
  };
  form.addEventListener("submit", () => show(true));
  window.addEventListener("pageshow", () => show(false)); // back from the page that followed
}
