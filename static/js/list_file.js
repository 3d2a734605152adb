// A list out of a file is read here and put into the field: no file is sent anywhere.
for (const part of document.querySelectorAll("[data-file-for]")) {
  const field = document.getElementById(part.dataset.fileFor);
  const input = part.querySelector("input[type=file]");
  part.hidden = false;
  input.addEventListener("change", async () => {
    const [file] = input.files;
    if (!file) return;
    const bytes = await file.arrayBuffer();
    try {
      field.value = new TextDecoder("utf-8", { fatal: true }).decode(bytes);
    } catch {
      field.value = new TextDecoder("windows-1252").decode(bytes); // as spreadsheets for Windows save CSV
    }
    field.focus();
  });
}
