// The sum of the prizes, updated while the list is typed. Without this file it is updated when the list is saved.
const sums = document.querySelector(".prize-sum");
const paid = Number(sums.dataset.paid);
const currency = new Intl.NumberFormat(document.documentElement.lang, {
  style: "currency", currency: sums.dataset.currency,
});

function cents(input) {
  const typed = input.value.replace(/\s/g, "").replace(",", ".");
  return /^\d+(\.\d{1,2})?$/.test(typed) ? Math.round(Number(typed) * 100) : 0;
}

function update() {
  let amount = 0;
  let worth = 0;
  for (const line of document.querySelectorAll(".prize-line")) {
    const field = (name) => line.querySelector(`[name$="-${name}"]`);
    const first = Number(field("first").value) || 1;
    const ranks = Math.max((Number(field("last").value) || first) - first + 1, 1);
    amount += ranks * cents(field("amount"));
    worth += ranks * cents(field("worth"));
  }
  document.getElementById("prize-amount").value = currency.format(amount / 100);
  document.getElementById("prize-left").value = currency.format((paid - amount) / 100).replace("-", "−");
  document.getElementById("prize-worth").value = currency.format(worth / 100);
}

document.querySelector(".prize-lines").addEventListener("input", update);
update();
