// The seats that a fan has picked, and the bar that says so. They are kept for this tab until they are held, so that
// going back, reloading and losing the connection lose nothing.

import { SET_ASIDE } from "./seat-hall.js";

/** @typedef {import("./seat-hall.js").Hall} Hall */
/** @typedef {{before: string, digits: number}} Currency how amounts are written */

export class Picks {
  /**
   * @param {Hall} hall
   * @param {{event: string, most: number, currency: Currency}} about
   * @param {number} party
   * @param {(seat: number) => boolean} isFree
   * @param {() => void} changed
   */
  constructor(hall, about, party, isFree, changed) {
    this.hall = hall;
    this.about = about;
    this.isFree = isFree;
    this.changed = changed;
    this.party = party;
    /** @type {Set<number>} */
    this.seats = new Set();
    this.list = /** @type {HTMLElement} */ (document.getElementById("picked"));
    this.hint = /** @type {HTMLElement} */ (document.getElementById("hint"));
    this.button = /** @type {HTMLButtonElement} */ (document.getElementById("hold"));
    this.instead = this.button.dataset.instead ?? ""; // of what the fan holds already
    this.kept = `frontrow-picked-${about.event}`;
  }

  /** What was picked before, by the address or in this tab. Those that are gone are left out. */
  restore() {
    const written = [...this.list.querySelectorAll("input")].map((input) => Number(input.value));
    const seats = written.length ? written : this.#remembered();
    for (const seat of seats.slice(0, this.about.most)) if (this.isFree(seat)) this.seats.add(seat);
    const lost = seats.filter((seat) => !this.seats.has(seat));
    this.#say();
    return lost;
  }

  /**
   * The seats that picking this one would add: as many together as are still wanted, this one among them.
   * @param {number} seat
   * @param {(seat: number) => boolean} fits
   */
  together(seat, fits) {
    const wanted = Math.max(1, Math.min(this.party - this.seats.size, this.about.most - this.seats.size));
    if (!this.hall.rowOf(seat)) return this.#standing(seat, wanted);
    const [from, until] = this.hall.neighbours(seat);
    const aside = this.hall.flags[seat] & SET_ASIDE;
    /** @param {number} other */
    const joins = (other) => fits(other) && !(this.hall.flags[other] & SET_ASIDE) === !aside;
    let low = seat;
    let high = seat + 1;
    while (low > from && seat - low < wanted && joins(low - 1)) low -= 1;
    while (high < until && high - seat <= wanted && joins(high)) high += 1;
    if (high - low < wanted) return [seat];
    const first = Math.max(low, Math.min(high - wanted, seat - ((wanted - 1) >> 1)));
    return Array.from({ length: wanted }, (_, place) => first + place);
  }

  /** @param {number[]} seats */
  add(seats) {
    for (const seat of seats) if (this.seats.size < this.about.most) this.seats.add(seat);
    this.#say();
  }

  /** @param {Iterable<number>} seats */
  remove(seats) {
    for (const seat of seats) this.seats.delete(seat);
    this.#say();
  }

  clear() {
    this.remove([...this.seats]);
    sessionStorage.removeItem(this.kept);
  }

  /** @param {number} party */
  setParty(party) {
    this.party = party;
    this.#say();
  }

  get total() {
    let amount = 0;
    for (const seat of this.seats) amount += this.hall.price(seat).amount;
    return money(amount, this.about.currency);
  }

  /**
   * Places to stand: any free ones, not the same as everybody else's, so that few fans want the same.
   * @param {number} seat
   * @param {number} wanted
   */
  #standing(seat, wanted) {
    const { first, seats } = this.hall.sectionOf(seat);
    const begin = Math.floor(Math.random() * seats);
    const found = [];
    for (let step = 0; step < seats && found.length < wanted; step++) {
      const place = first + ((begin + step) % seats);
      if (this.isFree(place) && !this.seats.has(place)) found.push(place);
    }
    return found;
  }

  #remembered() {
    try {
      /** @type {unknown} */
      const kept = JSON.parse(sessionStorage.getItem(this.kept) ?? "[]");
      return Array.isArray(kept) ? kept.filter((seat) => Number.isInteger(seat) && seat >= 0 && seat < this.hall.seats) : [];
    } catch {
      return [];
    }
  }

  #say() {
    const seats = [...this.seats].sort((a, b) => a - b);
    sessionStorage.setItem(this.kept, JSON.stringify(seats));
    this.list.replaceChildren(...seats.map((seat) => this.#pick(seat)));
    if (seats.length) {
      const total = document.createElement("strong");
      total.textContent = this.total;
      const wanted = this.party - seats.length;
      this.hint.replaceChildren(total, wanted > 0 ? ` with all fees · ${wanted} more to pick` : " with all fees");
      this.button.textContent = `Hold ${seats.length === 1 ? "1 seat" : `${seats.length} seats`}${this.instead}`;
    } else {
      this.hint.textContent = "Pick seats on the plan, or take the best there are.";
      this.button.textContent = `Hold the best ${this.party === 1 ? "seat" : `${this.party} together`}${this.instead}`;
    }
    this.changed();
  }

  /** @param {number} seat */
  #pick(seat) {
    const row = this.hall.rowOf(seat);
    const section = this.hall.sectionOf(seat).label;
    const pick = document.createElement("li");
    pick.className = "pick";
    const field = document.createElement("input");
    field.type = "hidden";
    field.name = "seat";
    field.value = String(seat);
    const away = document.createElement("button");
    away.type = "button";
    away.textContent = "×";
    away.setAttribute("aria-label", `Do not take ${this.hall.words(seat)}`);
    away.addEventListener("click", () => {
      this.remove([seat]);
      /** @type {HTMLElement} */ (this.list.querySelector("button") ?? this.button).focus();
    });
    pick.append(field, row ? `${section}, row ${row.row.label}, ${this.hall.number(seat)}` : section, away);
    return pick;
  }
}

/**
 * As words.py writes it: `€48`, `€48.50`.
 * @param {number} amount in minor units
 * @param {Currency} currency
 */
export function money(amount, { before, digits }) {
  if (!amount) return "free";
  const whole = Math.floor(amount / 10 ** digits).toLocaleString("en");
  const minor = amount % 10 ** digits;
  return `${before}${whole}${minor ? `.${String(minor).padStart(digits, "0")}` : ""}`;
}
