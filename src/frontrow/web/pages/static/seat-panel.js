// What stands around the plan: the card of what one points at, what has just happened, how new all of it is, the hall in
// small, and the offer of other seats.

const SAID_MS = 6000; // long enough to read twice

// As what_is_left.py says it.
const LAST_FEW_SHARE = 0.1;
const LAST_FEW_MAX = 20;
const PLENTY_SHARE = 0.4;
const PLENTY_MIN = 10;

const HOW = Object.freeze({
  live: "Live",
  polling: "Updated every few seconds",
  counts: "Very many fans are looking: we show what is left of each section",
  behind: "A little behind",
  away: "Reconnecting…",
});

/** @typedef {import("./seat-hall.js").Section} Section */
/** @typedef {import("./seat-hall.js").Box} Box */

export class Panel {
  /**
   * @param {HTMLElement} plan
   * @param {SVGSVGElement} overview as the server drew it
   */
  constructor(plan, overview) {
    this.plan = plan;
    this.overview = overview;
    this.card = part(plan, ".card-of-seat");
    this.said = part(document, "#said");
    this.how = part(plan, ".how-new");
    this.small = part(plan, ".in-small");
    this.offer = /** @type {HTMLDialogElement} */ (part(document, "#offer"));
    this.timer = 0;
    this.frame = document.createElementNS("http://www.w3.org/2000/svg", "rect");
    this.frame.setAttribute("class", "frame");
    overview.append(this.frame);
    this.parts = [...overview.querySelectorAll(".part")];
  }

  /** The server's picture is the hall in small from now on. */
  keepInSmall() {
    this.small.append(this.overview);
  }

  /**
   * Say what has happened, to eyes and to ears.
   * @param {string} words
   * @param {boolean} [isUrgent] it interrupts
   */
  say(words, isUrgent = false) {
    clearTimeout(this.timer);
    this.said.setAttribute("aria-live", isUrgent ? "assertive" : "polite");
    this.said.textContent = words;
    if (!isUrgent) this.timer = setTimeout(() => (this.said.textContent = ""), SAID_MS);
  }

  /**
   * @param {keyof typeof HOW} how
   * @param {number} seconds
   */
  tell(how, seconds) {
    this.how.textContent = how === "behind" ? `${Math.round(seconds)} seconds behind` : HOW[how];
    this.how.dataset.how = how;
  }

  /**
   * What one points at, beside the pointer.
   * @param {string[]} lines
   * @param {number} across
   * @param {number} down
   */
  point(lines, across, down) {
    const [first, ...others] = lines;
    const name = document.createElement("strong");
    name.textContent = first;
    this.card.replaceChildren(name, ...others.flatMap((line) => [document.createElement("br"), line]));
    this.card.hidden = false;
    const { width, height } = this.card.getBoundingClientRect();
    const left = Math.min(across + 16, this.plan.clientWidth - width - 8);
    const top = down + 20 + height > this.plan.clientHeight ? down - height - 12 : down + 20;
    this.card.style.transform = `translate(${Math.max(8, left)}px, ${Math.max(8, top)}px)`;
  }

  pointNowhere() {
    this.card.hidden = true;
  }

  /**
   * Which part of the hall the window shows.
   * @param {Box} seen
   * @param {boolean} isPart
   */
  frameAt(seen, isPart) {
    this.small.classList.toggle("shown", isPart);
    this.plan.classList.toggle("near", isPart);
    if (!isPart) return;
    this.frame.setAttribute("x", String(seen.left));
    this.frame.setAttribute("y", String(seen.top));
    this.frame.setAttribute("width", String(seen.right - seen.left));
    this.frame.setAttribute("height", String(seen.bottom - seen.top));
  }

  /**
   * @param {Section} section
   * @param {number} left
   */
  light(section, left) {
    const word = howMuch(left, section.seats).replace(" ", "-");
    const shape = this.parts[section.index];
    if (shape.classList.contains(word)) return;
    shape.classList.remove("plenty", "some", "last-few", "gone");
    shape.classList.add(word);
  }

  /**
   * Offer seats that are held already.
   * @param {{address: string, title?: string, words?: string}} held
   * @param {() => void} refused
   */
  show(held, refused) {
    part(this.offer, "h2").textContent = held.title ?? "";
    part(this.offer, "p").textContent = held.words ?? "";
    /** @type {HTMLAnchorElement} */ (part(this.offer, "a")).href = held.address;
    this.offer.onclose = refused; // by the button, or with Escape
    this.offer.showModal();
  }
}

/**
 * @param {number} left
 * @param {number} seats
 */
export function howMuch(left, seats) {
  if (!left) return "gone";
  if (left <= Math.min(LAST_FEW_MAX, seats * LAST_FEW_SHARE)) return "last few";
  return left >= PLENTY_MIN && left >= seats * PLENTY_SHARE ? "plenty" : "some";
}

/**
 * @param {ParentNode} within
 * @param {string} selector
 */
export function part(within, selector) {
  const found = within.querySelector(selector);
  if (!found) throw new Error(`no ${selector} on this page`);
  return /** @type {HTMLElement} */ (found);
}
