// Does the work that a page was asked for, and sends the form of that page with the proof.

import { proofOf } from "./proof.js";

for (const form of /** @type {NodeListOf<HTMLFormElement>} */ (document.querySelectorAll("form[data-challenge]"))) {
  const [said, button, proof] = ["[role=status]", "button", "[name=proof]"].map((what) => form.querySelector(what));
  if (said && button instanceof HTMLButtonElement && proof instanceof HTMLInputElement) {
    said.textContent = form.dataset.working ?? "";
    button.hidden = true;
    proofOf(JSON.parse(form.dataset.challenge ?? "")).then((made) => {
      proof.value = made;
      form.requestSubmit();
    });
  }
}
