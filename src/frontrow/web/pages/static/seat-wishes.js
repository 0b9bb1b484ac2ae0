// What the fan is looking for, as the fields above the plan say it, and which seats meet it.

import { ACCESSIBLE, SET_ASIDE } from "./seat-hall.js";

/** @typedef {import("./seat-hall.js").Hall} Hall */
/** @typedef {import("./seat-hall.js").Section} Section */

export class Wishes {
  /**
   * @param {HTMLFormElement} form
   * @param {Hall} hall
   */
  constructor(form, hall) {
    this.form = form;
    this.hall = hall;
    this.party = 1;
    this.priceMax = Infinity;
    this.isAccessible = false;
    /** @type {Section | undefined} */
    this.section = undefined;
    this.read();
  }

  /** Whether some free seats are not what the fan is looking for. */
  get areNarrow() {
    return this.priceMax < Infinity || this.isAccessible || this.section !== undefined;
  }

  read() {
    const said = new FormData(this.form);
    const label = said.get("section");
    this.party = Number(said.get("party")) || 1;
    this.priceMax = Number(said.get("price_max")) || Infinity;
    this.isAccessible = said.get("accessible") === "1";
    this.section = this.hall.sections.find((section) => section.label === label);
  }

  /**
   * Whether a seat is one that the fan is looking for.
   * @param {number} seat
   */
  fit(seat) {
    if (this.hall.price(seat).amount > this.priceMax) return false;
    if (this.isAccessible && !(this.hall.flags[seat] & SET_ASIDE)) return false;
    return !this.section || (seat >= this.section.first && seat < this.section.first + this.section.seats);
  }

  /**
   * Why a free seat is not for this fan, in words; undefined when it is.
   * @param {number} seat
   */
  objection(seat) {
    const flags = this.hall.flags[seat] & SET_ASIDE;
    if (flags && !this.isAccessible) {
      const what = flags & ACCESSIBLE ? "a wheelchair place" : "for somebody with a wheelchair user";
      return `is ${what}. Tick “Wheelchair places” above to choose it`;
    }
    if (this.fit(seat)) return undefined;
    return this.hall.price(seat).amount > this.priceMax ? "costs more than you are looking for" : "is not what you are looking for";
  }

  /**
   * As an address carries them.
   * @param {Iterable<number>} seats that are picked
   */
  query(seats) {
    const query = new URLSearchParams();
    if (this.party !== 2) query.set("party", String(this.party));
    if (this.priceMax < Infinity) query.set("price_max", String(this.priceMax));
    if (this.isAccessible) query.set("accessible", "1");
    for (const seat of seats) query.append("seat", String(seat));
    return query.size ? `?${query}` : "";
  }
}
