// A text file is read here and put into the field, to be seen and changed; a workbook is sent, and read there.
for (const part of document.querySelectorAll("[data-file-for]")) {
  const field = document.getElementById(part.dataset.fileFor);
  const input = part.querySelector("input[type=file]");
  input.addEventListener("change", async () => {
    const [file] = input.files;
    if (!file || file.name.toLowerCase().endsWith(".xlsx")) return;
    const bytes = await file.arrayBuffer();
    try {
      field.value = new TextDecoder("utf-8", { fatal: true }).decode(bytes);
    } catch {
      field.value = new TextDecoder("windows-1252").decode(bytes); // as spreadsheets for Windows save CSV
    }
    input.value = "";
    field.focus();
  });
}
