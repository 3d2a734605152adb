// The live preview of a deal. Every answer is the whole form again, but its inputs are never replaced: the typist is
// always ahead of the answer, and no key may be lost. So [data-part] are only shown or hidden, [data-live] get their new
// text, and marks of errors are set or taken away. Without this file the form's buttons do the same.
const marks = ["aria-invalid", "aria-describedby"];

function follow(now, next) {
  now.hidden = next.hidden;
  now.className = next.className;
  if (next.open) now.open = true;
  if (!("live" in now.dataset) || now.innerHTML === next.innerHTML) return;
  const focused = now.contains(document.activeElement) ? document.activeElement.id : "";
  now.replaceChildren(...next.childNodes);
  if (focused) document.getElementById(focused)?.focus();
}

function mark(control, next) {
  for (const name of marks) {
    if (next.hasAttribute(name)) control.setAttribute(name, next.getAttribute(name));
    else control.removeAttribute(name);
  }
}

function reachable(form, reached) {
  form.querySelector("[data-unreachable]").hidden = reached;
}

document.addEventListener("htmx:afterOnLoad", ({ target, detail }) => {
  if (!target.matches("form[data-deal]") || detail.xhr.status !== 200) return;
  const answer = new DOMParser().parseFromString(detail.xhr.responseText, "text/html");
  for (const now of target.querySelectorAll("[data-part], [data-live]")) {
    const next = answer.getElementById(now.id);
    if (next) follow(now, next);
  }
  for (const control of target.elements) {
    const next = control.id && answer.getElementById(control.id);
    if (next) mark(control, next);
  }
  reachable(target, true);
});

// Who sits out decides whose names stand on the form: that one choice loads the page again, with what was typed.
document.addEventListener("change", ({ target }) => {
  if (target.name !== "rests" || !target.form?.matches("form[data-deal]")) return;
  const preview = Object.assign(document.createElement("input"), { type: "hidden", name: "preview", value: "1" });
  target.form.append(preview);
  target.form.submit();
});

for (const failure of ["htmx:sendError", "htmx:responseError", "htmx:timeout"]) {
  document.addEventListener(failure, ({ target }) => {
    if (target.matches("form[data-deal]")) reachable(target, false);
  });
}
