// The plan on which seats are picked. This file puts the parts together: the hall, the seats as they are now, the
// picture, the fan's wishes and picks, and what is said of all that. Without it the page holds the best seats and leads
// to the list.

import { Camera } from "./seat-camera.js";
import { Gestures } from "./seat-gestures.js";
import { FREE, Glyphs, HELD, OTHER, TAKEN } from "./seat-glyphs.js";
import { SeatGrid } from "./seat-grid.js";
import { Hall } from "./seat-hall.js";
import { Holding } from "./seat-holding.js";
import { LiveSeats } from "./seat-live.js";
import { Painter } from "./seat-painter.js";
import { Panel, howMuch, part } from "./seat-panel.js";
import { Picks, money } from "./seat-picks.js";
import { Wishes } from "./seat-wishes.js";

const CLOSEST_PIXELS = 64; // from seat to seat
const PICKED_FROM = 10; // pixels from seat to seat at which a mouse picks; farther away, the map comes closer instead
const TOUCHED_FROM = 16; // and a finger
const CLOSE_PIXELS = 26; // how close it then comes
const FINGER_PIXELS = 24;
const MOUSE_PIXELS = 14;
const STEP_SEATS = 6; // how far an arrow key looks for a seat
const ZOOM = 1.7; // of a button
const PIXELS_MAX = 2; // for one of the page; more is more work than it is sharper

/** @typedef {import("./seat-hall.js").Section} Section */
/**
 * @typedef {object} About what the page says of its event
 * @property {string} event
 * @property {"open" | "announced" | "waiting room" | "presale" | "sold out" | "ended" | "cancelled"} door
 * @property {number} most
 * @property {number[]} own seats that the fan holds
 * @property {number[]} hot sections that go first
 * @property {import("./seat-picks.js").Currency} currency
 * @property {import("./seat-hall.js").PriceLevel[]} levels
 */

class SeatMap {
  /**
   * @param {HTMLElement} plan
   * @param {Hall} hall
   * @param {About} about
   */
  constructor(plan, hall, about) {
    this.plan = plan;
    this.hall = hall;
    this.about = about;
    this.own = new Set(about.own);
    this.hidesSeats = false;
    /** @type {number | undefined} where the keyboard is */
    this.seat = undefined;
    /** @type {Section | undefined} the same, farther away; or what a mouse points at */
    this.section = undefined;
    /** @type {number[]} */
    this.meant = [];
    this.left = new Uint32Array(hall.sections.length);
    this.grid = new SeatGrid(hall.x, hall.y, hall.box, hall.pitch);
    this.form = /** @type {HTMLFormElement} */ (part(document, "#wishes"));
    this.wishes = new Wishes(this.form, hall);
    this.panel = new Panel(plan, /** @type {any} */ (part(plan, "#overview")));
    this.canvas = document.createElement("canvas");
    this.camera = new Camera(hall.box, CLOSEST_PIXELS / hall.pitch, () => this.#moved());
    this.painter = new Painter(this.canvas, hall, this.camera, glyphs(plan), this.#sight(about.hot));
    this.picks = about.door === "open" ? new Picks(hall, about, this.wishes.party, (seat) => this.isFree(seat), () => this.#picked()) : undefined;
    this.holding = this.picks && new Holding(this.form, (held) => this.#offered(held), (refused) => this.#refused(refused));
    const addresses = { snapshot: `/api/v1/events/${about.event}/seats.bin`, updates: `/api/v1/events/${about.event}/updates`, availability: `/api/v1/events/${about.event}/availability` };
    this.live = new LiveSeats(addresses, hall.seats, {
      changed: (seats) => this.#changed(seats),
      renewed: () => this.#renewed(),
      counted: (left) => this.#counted(left),
      told: (how, seconds) => this.panel.tell(how, seconds),
    });
  }

  /** Begin. The server's picture stays until it is known what is left: nobody is to see a hall where all is gone. */
  async begin() {
    await this.live.begin();
    this.plan.dataset.ready = "yes";
    const lost = this.picks?.restore() ?? [];
    if (lost.length) this.panel.say(`${this.hall.wordsOfAll(lost)} went to somebody else meanwhile, and is not picked any more.`);
  }

  /** @param {number} seat */
  isFree(seat) {
    return this.live.codes[seat] === FREE || this.own.has(seat);
  }

  /**
   * Where a seat is in the window, in pixels of the page: for tests, and for whoever wants to know.
   * @param {number} seat
   */
  where(seat) {
    const { left, top } = this.plan.getBoundingClientRect();
    return { x: left + this.camera.across(this.hall.x[seat]), y: top + this.camera.down(this.hall.y[seat]) };
  }

  /**
   * Pick a seat, and those beside it that are wanted with it; or give it up.
   * @param {number} seat
   */
  take(seat) {
    const words = this.hall.words(seat);
    if (!this.picks) {
      this.panel.say(this.#about(seat).join(", "));
    } else if (this.picks.seats.has(seat)) {
      this.picks.remove([seat]);
      this.panel.say(`${words} is not picked any more.`);
    } else if (!this.isFree(seat)) {
      this.panel.say(`${words} is ${this.live.codes[seat] === HELD ? "held by somebody at the moment" : "taken"}.`);
    } else if (this.wishes.objection(seat)) {
      this.panel.say(`${words} ${this.wishes.objection(seat)}.`);
    } else {
      if (this.picks.seats.size >= this.wishes.party) this.picks.clear();
      const seats = this.picks.together(seat, (other) => this.#canPick(other));
      this.picks.add(seats);
      this.panel.say(`Picked: ${this.hall.wordsOfAll(seats)}. ${count(this.picks.seats.size)}, ${this.picks.total} with all fees.`);
    }
    this.painter.ask();
  }

  /** Put the picture in the place of the server's, the first time. */
  #draw() {
    if (this.canvas.isConnected) return;
    this.plan.prepend(this.canvas);
    this.plan.classList.add("drawn");
    this.panel.keepInSmall();
    this.#resize();
    if (this.wishes.section) this.camera.fit(this.wishes.section.box);
    this.#listen();
  }

  #resize() {
    this.painter.resize(this.plan.clientWidth, this.plan.clientHeight, Math.min(PIXELS_MAX, devicePixelRatio));
  }

  #listen() {
    new ResizeObserver(() => this.#resize()).observe(this.plan);
    new Gestures(this.plan, this.camera, {
      tapped: (across, down, isTouch) => this.#tapped(across, down, isTouch),
      pointed: (across, down) => this.#pointed(across, down),
      left: () => this.#pointedNowhere(),
      stepped: (across, down) => this.#stepped(across, down),
      taken: () => this.#taken(),
      out: () => this.#out(),
    });
    for (const button of this.plan.querySelectorAll("[data-zoom]")) {
      const by = /** @type {HTMLElement} */ (button).dataset.zoom;
      button.addEventListener("click", () => (by === "whole" ? this.camera.fit() : this.camera.glideAt(by === "in" ? ZOOM : 1 / ZOOM)));
    }
    this.panel.overview.addEventListener("click", (event) => this.#jump(event));
    document.addEventListener("change", (event) => {
      if (/** @type {HTMLInputElement} */ (event.target).form === this.form) this.#wished();
    });
    this.form.addEventListener("submit", (event) => {
      event.preventDefault();
      if (event.submitter?.id === "hold") void this.holding?.send();
    });
    addEventListener("pageshow", ({ persisted }) => persisted && location.reload()); // what it knew of holds is old
  }

  /**
   * @param {number[]} hot
   * @returns {import("./seat-painter.js").Sight}
   */
  #sight(hot) {
    const map = this;
    return {
      look: (seat) => this.#look(seat),
      left: (section) => ({ left: this.left[section.index], word: this.#word(section) }),
      hot: new Set(hot),
      get yours() {
        return map.picks?.seats.size ? map.picks.seats : map.own;
      },
      get meant() {
        return map.seat === undefined ? map.meant : [...map.meant, map.seat];
      },
      get section() {
        return map.section;
      },
      get hidesSeats() {
        return map.hidesSeats;
      },
    };
  }

  /** @param {number} seat */
  #canPick(seat) {
    return this.isFree(seat) && !this.picks?.seats.has(seat) && !this.wishes.objection(seat);
  }

  /** @param {number} seat */
  #look(seat) {
    const code = this.live.codes[seat];
    if (code === 0) return this.wishes.fit(seat) ? FREE : OTHER;
    return code === 1 ? HELD : TAKEN;
  }

  /** @param {Section} section */
  #word(section) {
    const word = howMuch(this.left[section.index], section.seats);
    return word === "gone" ? word : `${word}, from ${money(section.lowest, this.about.currency)}`;
  }

  #moved() {
    this.panel.frameAt(this.camera.seen(), this.camera.zoom > 1.3);
    this.painter.ask();
  }

  #renewed() {
    this.#draw();
    this.hidesSeats = false;
    for (const section of this.hall.sections) this.#count(section);
    this.painter.allChanged();
    this.#lose([...(this.picks?.seats ?? [])].filter((seat) => !this.isFree(seat)));
  }

  /** @param {Uint32Array} seats */
  #changed(seats) {
    const sections = new Set();
    for (const seat of seats) sections.add(this.hall.sectionOf(seat));
    for (const section of sections) this.#count(section);
    this.painter.changed(seats);
    this.#lose([...seats].filter((seat) => this.picks?.seats.has(seat) && !this.isFree(seat)));
  }

  /** @param {Map<string, number>} left */
  #counted(left) {
    this.#draw();
    this.hidesSeats = true;
    for (const section of this.hall.sections) {
      this.left[section.index] = left.get(section.label) ?? 0;
      this.panel.light(section, this.left[section.index]);
    }
    this.painter.allChanged();
  }

  /** @param {Section} section */
  #count(section) {
    const { codes } = this.live;
    let left = 0;
    for (let seat = section.first; seat < section.first + section.seats; seat++) {
      if (codes[seat] === 0 && (!this.wishes.areNarrow || this.wishes.fit(seat))) left += 1;
    }
    this.left[section.index] = left;
    this.panel.light(section, left);
  }

  /** Somebody was faster than a fan who was still looking. @param {number[]} seats */
  #lose(seats) {
    if (!seats.length || !this.holding || this.holding.isUnderWay) return;
    this.panel.say(`${this.hall.wordsOfAll(seats)} has just gone to another fan. We are getting you the nearest there are.`, true);
    if (document.hidden) this.#giveUp();
    else void this.holding.send(true).then(() => this.#giveUp());
  }

  /** What is gone is not picked any more. */
  #giveUp() {
    this.picks?.remove([...this.picks.seats].filter((seat) => !this.isFree(seat)));
  }

  /** @param {import("./seat-holding.js").Held} held */
  #offered(held) {
    this.own = new Set(held.seats);
    this.panel.show(held, async () => {
      const options = { method: "POST", headers: { "content-type": "application/x-www-form-urlencoded" } };
      await fetch(held.release, { ...options, redirect: "manual" }).catch(() => undefined);
      this.own.clear();
      this.panel.say("Given back. Choose others.");
      await this.live.fetch();
    });
  }

  /** @param {import("./seat-holding.js").Refused} refused */
  #refused({ title, words }) {
    this.panel.say(`${title}. ${words}`, true);
    void this.live.fetch();
  }

  #wished() {
    const before = this.wishes.section;
    this.wishes.read();
    this.picks?.setParty(this.wishes.party);
    for (const section of this.hall.sections) this.#count(section);
    this.painter.allChanged();
    if (this.wishes.section && this.wishes.section !== before) this.camera.fit(this.wishes.section.box);
    this.#picked();
  }

  #picked() {
    const list = /** @type {HTMLAnchorElement} */ (part(document, "#to-list"));
    list.href = list.pathname + this.wishes.query(this.picks?.seats ?? []);
    this.painter.ask();
  }

  /**
   * @param {number} across
   * @param {number} down
   * @param {boolean} isTouch
   */
  #tapped(across, down, isTouch) {
    const place = this.camera.place(across, down);
    const apart = this.camera.scale * this.hall.pitch;
    this.seat = undefined;
    if (this.painter.showsSeats && apart >= (isTouch ? TOUCHED_FROM : PICKED_FROM)) {
      const seat = this.#seatAt(place, isTouch ? FINGER_PIXELS : MOUSE_PIXELS);
      if (seat >= 0) {
        this.take(seat);
        return;
      }
    }
    const section = this.#sectionAt(place);
    if (section?.standing) this.take(section.first + firstIndex(section, (seat) => this.isFree(seat)));
    else if (section) this.#approach(section, place, isTouch ? TOUCHED_FROM : PICKED_FROM);
  }

  /**
   * So close to a section that its seats can be picked.
   * @param {Section} section
   * @param {{x: number, y: number}} place
   * @param {number} apart
   */
  #approach(section, place, apart) {
    const { box } = section;
    const whole = Math.min(this.camera.width / (box.right - box.left), this.camera.height / (box.bottom - box.top)) * 0.9;
    if (whole * this.hall.pitch >= apart) this.camera.fit(box);
    else this.camera.glide({ ...place, scale: CLOSE_PIXELS / this.hall.pitch });
  }

  /**
   * @param {number} across
   * @param {number} down
   */
  #pointed(across, down) {
    const place = this.camera.place(across, down);
    const seat = this.painter.showsSeats && this.camera.scale * this.hall.pitch >= PICKED_FROM * 0.6 ? this.#seatAt(place, MOUSE_PIXELS) : -1;
    this.section = seat < 0 ? this.#sectionAt(place) : undefined;
    this.meant = [];
    if (seat >= 0) {
      if (this.picks && this.#canPick(seat)) this.meant = this.picks.together(seat, (other) => this.#canPick(other));
      this.panel.point(this.#about(seat), across, down);
    } else if (this.section) {
      this.panel.point([this.section.label, this.#word(this.section)], across, down);
    } else {
      this.panel.pointNowhere();
    }
    this.plan.classList.toggle("picks", this.meant.length > 0 || this.section !== undefined);
    this.painter.ask();
  }

  #pointedNowhere() {
    this.section = undefined;
    this.meant = [];
    this.panel.pointNowhere();
    this.painter.ask();
  }

  /**
   * An arrow key: from seat to seat, or from section to section while the hall is seen as a whole.
   * @param {number} across
   * @param {number} down
   */
  #stepped(across, down) {
    const { sections } = this.hall;
    if (this.seat !== undefined) {
      this.#goTo(this.#seatBeside(this.seat, across, down) ?? this.seat);
    } else if (sections.length === 1 && !sections[0].standing) {
      this.#enter(sections[0]);
    } else {
      const from = this.section;
      const section = from ? (sectionBeside(sections, from, across, down) ?? from) : nearest(sections, this.camera);
      this.section = section;
      this.camera.reveal(section.centre, this.camera.scale);
      this.panel.say(`${section.label}: ${this.#word(section)}. Enter looks at its seats.`);
      this.painter.ask();
    }
  }

  #taken() {
    if (this.seat !== undefined) this.take(this.seat);
    else if (this.section?.standing) this.take(this.section.first + firstIndex(this.section, (seat) => this.isFree(seat)));
    else if (this.section) this.#enter(this.section);
    else this.#stepped(0, 0);
  }

  #out() {
    if (this.seat === undefined) return false;
    this.section = this.hall.sectionOf(this.seat);
    this.seat = undefined;
    this.camera.fit();
    this.panel.say(`${this.section.label}: ${this.#word(this.section)}.`);
    return true;
  }

  /** @param {Section} section */
  #enter(section) {
    const { x, y } = section.centre;
    const size = Math.max(section.box.right - section.box.left, section.box.bottom - section.box.top);
    /** @param {number} seat */
    const isIn = (seat) => seat >= section.first && seat < section.first + section.seats;
    const free = this.grid.nearest(x, y, size, (seat) => isIn(seat) && this.#canPick(seat));
    this.section = undefined;
    this.#goTo(free >= 0 ? free : section.first);
  }

  /** @param {number} seat */
  #goTo(seat) {
    this.seat = seat;
    this.camera.reveal({ x: this.hall.x[seat], y: this.hall.y[seat] }, CLOSE_PIXELS / this.hall.pitch);
    this.panel.say(this.#about(seat).join(", "));
    this.painter.ask();
  }

  /**
   * @param {number} seat
   * @param {number} across
   * @param {number} down
   */
  #seatBeside(seat, across, down) {
    const { x, y, pitch } = this.hall;
    const reach = pitch * STEP_SEATS;
    let [found, best] = [-1, Infinity];
    this.grid.each(x[seat] - reach, y[seat] - reach, x[seat] + reach, y[seat] + reach, (other) => {
      const [dx, dy] = [x[other] - x[seat], y[other] - y[seat]];
      const along = dx * across + dy * down;
      const beside = Math.abs(dx * down - dy * across);
      const cost = along + 2 * beside;
      if (along > pitch * 0.3 && beside <= along && cost < best) [found, best] = [other, cost];
    });
    return found < 0 ? undefined : found;
  }

  /**
   * The free seat nearest to a place; where there is none, any.
   * @param {{x: number, y: number}} place
   * @param {number} pixels
   */
  #seatAt({ x, y }, pixels) {
    const reach = Math.max(pixels / this.camera.scale, this.hall.pitch * 0.5);
    const exact = this.grid.nearest(x, y, this.hall.pitch * 0.5, () => true);
    if (exact >= 0) return exact;
    const free = this.grid.nearest(x, y, reach, (seat) => this.#canPick(seat));
    return free >= 0 ? free : this.grid.nearest(x, y, reach, () => true);
  }

  /** @param {{x: number, y: number}} place */
  #sectionAt({ x, y }) {
    return this.hall.sections.find(({ outline, box }) => x >= box.left && x <= box.right && y >= box.top && y <= box.bottom && contains(outline, x, y));
  }

  /** In the hall in small, to where one points. @param {MouseEvent} event */
  #jump(event) {
    event.preventDefault();
    const there = this.panel.overview.getScreenCTM();
    if (!there) return;
    const { x, y } = new DOMPoint(event.clientX, event.clientY).matrixTransform(there.inverse());
    this.camera.glide({ x, y, scale: this.camera.scale });
  }

  /** @param {number} seat */
  #about(seat) {
    const { name, price } = this.hall.price(seat);
    const code = this.live.codes[seat];
    const state = this.picks?.seats.has(seat) ? "picked" : this.own.has(seat) ? "held by you" : ["", "held by somebody", "taken", "taken"][code];
    return [this.hall.words(seat), `${price}, ${name}`, ...this.hall.notes(seat), ...(state ? [state] : [])];
  }

}

/** @param {number} seats */
function count(seats) {
  return seats === 1 ? "1 seat" : `${seats} seats`;
}

/**
 * @param {Section} section
 * @param {(seat: number) => boolean} isFree
 */
function firstIndex(section, isFree) {
  for (let index = 0; index < section.seats; index++) if (isFree(section.first + index)) return index;
  return 0;
}

/**
 * @param {Section[]} sections
 * @param {Section} from
 * @param {number} across
 * @param {number} down
 */
function sectionBeside(sections, from, across, down) {
  /** @type {Section | undefined} */
  let found;
  let best = Infinity;
  for (const section of sections) {
    const [dx, dy] = [section.centre.x - from.centre.x, section.centre.y - from.centre.y];
    const along = dx * across + dy * down;
    const beside = Math.abs(dx * down - dy * across);
    if (along > 0 && beside <= along * 1.5 && along + 2 * beside < best) [found, best] = [section, along + 2 * beside];
  }
  return found;
}

/**
 * @param {Section[]} sections
 * @param {{x: number, y: number}} place
 */
function nearest(sections, { x, y }) {
  /** @param {Section} section */
  const apart = ({ centre }) => Math.hypot(centre.x - x, centre.y - y);
  return sections.reduce((best, section) => (apart(section) < apart(best) ? section : best));
}

/**
 * By the parity of the sides that a ray crosses.
 * @param {number[]} outline
 * @param {number} x
 * @param {number} y
 */
function contains(outline, x, y) {
  let isInside = false;
  for (let place = 0, before = outline.length - 2; place < outline.length; before = place, place += 2) {
    const [ax, ay, bx, by] = [outline[before], outline[before + 1], outline[place], outline[place + 1]];
    if (ay > y !== by > y && x < ax + ((y - ay) / (by - ay)) * (bx - ax)) isInside = !isInside;
  }
  return isInside;
}

/** The colours of the stylesheet and the shapes of the legend. @param {HTMLElement} plan */
function glyphs(plan) {
  const probe = plan.appendChild(document.createElement("i"));
  /** @param {string} name */
  const colour = (name) => {
    probe.style.color = `var(--${name})`;
    return getComputedStyle(probe).color;
  };
  const ink = {
    ground: colour("ground"),
    text: colour("text"),
    quiet: colour("quiet"),
    taken: colour("taken"),
    stage: colour("stage-edge"),
    spot: colour("stage-spot"),
    accent: colour("button"),
    onAccent: colour("on-button"),
  };
  const levels = [...document.querySelectorAll(".legend .shape")].map((shape) => ({
    number: Number(/** @type {SVGElement} */ (shape).dataset.level),
    colour: getComputedStyle(shape).fill,
    shape: new Path2D(part(shape, "path").getAttribute("d") ?? ""),
  }));
  probe.remove();
  return new Glyphs(ink, levels.sort((a, b) => a.number - b.number));
}

const plan = part(document, "#map");
const { event = "", door, most, own, hot, currency, levels, seatMap = "" } = plan.dataset;
const answer = await fetch(seatMap);
if (!answer.ok) throw new Error(`${seatMap}: ${answer.status}`); // the server's plan stays, and the list
const hall = new Hall(await answer.json(), JSON.parse(levels ?? "[]"));
const about = { event, door: /** @type {About["door"]} */ (door), most: Number(most), own: JSON.parse(own ?? "[]"), hot: JSON.parse(hot ?? "[]"), currency: JSON.parse(currency ?? "{}"), levels: hall.levels };
const map = new SeatMap(plan, hall, about);
/** @type {any} */ (plan).seatMap = map;
await map.begin();
