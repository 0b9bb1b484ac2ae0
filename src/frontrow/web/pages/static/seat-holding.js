// Sending the form that holds seats, without leaving the page before there is somewhere to go. When somebody was faster,
// the service has the nearest seats held already: they are offered, and can be let go.
//
// The form has its id, so sending it again after a lost answer holds nothing twice.

const TRIES = 3;
const TRY_AGAIN_MS = 900; // and some, so that a crowd does not come back in step

/**
 * @typedef {{address: string, release: string, title?: string, words?: string, seats?: number[]}} Held
 * @typedef {{title: string, words: string}} Refused
 */

export class Holding {
  /**
   * @param {HTMLFormElement} form
   * @param {(held: Held) => void} offered other seats than those asked for
   * @param {(refused: Refused) => void} refused
   */
  constructor(form, offered, refused) {
    this.form = form;
    this.button = /** @type {HTMLButtonElement} */ (form.querySelector("#hold"));
    this.offered = offered;
    this.refused = refused;
    this.isUnderWay = false;
  }

  /** Hold what the form says. `stay`: offer in place, where the fan did not ask to go on. */
  async send(stay = false) {
    if (this.isUnderWay) return;
    this.#begin();
    try {
      const answer = await this.#answer();
      if ("address" in answer && !(answer.title && stay)) {
        location.assign(answer.address);
        return; // the button stays busy until the next page is there
      }
      if ("address" in answer) this.offered(answer);
      else this.refused(answer);
    } catch {
      this.refused({
        title: "We could not reach Frontrow",
        words: "Your connection may be gone for a moment. What you picked is kept. Press the button again: you never get it twice.",
      });
    }
    this.#end();
  }

  /** @returns {Promise<Held | Refused>} */
  async #answer() {
    const body = new URLSearchParams(/** @type {any} */ (new FormData(this.form)));
    for (let tried = 1; ; tried++) {
      try {
        const answer = await fetch(this.form.action, { method: "POST", body, headers: { accept: "application/json" } });
        if (answer.status < 500 || tried === TRIES) {
          const said = await answer.json();
          return said.address ? said : { title: said.title, words: said.words ?? said.detail };
        }
      } catch (error) {
        if (tried === TRIES) throw error;
      }
      await new Promise((resolve) => setTimeout(resolve, TRY_AGAIN_MS * tried * (1 + Math.random())));
    }
  }

  #begin() {
    this.isUnderWay = true;
    this.words = this.button.textContent;
    this.button.textContent = "Holding…";
    this.button.setAttribute("aria-disabled", "true");
  }

  #end() {
    this.isUnderWay = false;
    if (this.button.textContent === "Holding…") this.button.textContent = this.words ?? "";
    this.button.removeAttribute("aria-disabled");
  }
}
