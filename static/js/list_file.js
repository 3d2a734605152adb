// A text file is read here and put into the field, to be seen and changed; a workbook is sent, and read there. So is a
// long text: a field of ten thousand lines takes a browser minutes.
const LONG = 30_000; // bytes
for (const part of document.querySelectorAll("[data-file-for]")) {
  const field = document.getElementById(part.dataset.fileFor);
  const input = part.querySelector("input[type=file]");
  input.addEventListener("change", async () => {
    const [file] = input.files;
    if (!file || file.name.toLowerCase().endsWith(".xlsx") || file.size > LONG || field.hidden) return;
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
