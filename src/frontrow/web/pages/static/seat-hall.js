// A hall and its event as the map knows them: where each seat is, what it costs, what should be known of it. What
// becomes of the seats while they sell is in seat-live.js; nothing here draws.

import { places, seatNumber } from "./seat-codec.js";

export const ACCESSIBLE = 1;
export const COMPANION = 2;
export const AISLE = 4;
export const RESTRICTED_VIEW = 8;
export const SET_ASIDE = ACCESSIBLE | COMPANION;

// As seat_words.py says it.
const NOTES = /** @type {const} */ ([
  [ACCESSIBLE, "wheelchair place"],
  [COMPANION, "companion seat"],
  [RESTRICTED_VIEW, "restricted view"],
  [AISLE, "on the aisle"],
]);

/**
 * @typedef {(number | [number, number])[]} Marks indexes of seats in a row, or the first and last of several
 * @typedef {import("./seat-codec.js").RowDocument & {accessible?: Marks, companion?: Marks, aisle?: Marks,
 *   restricted_view?: Marks}} Row
 * @typedef {import("./seat-codec.js").SectionDocument & {aisle_ends?: string}} SectionDocument
 * @typedef {import("./seat-codec.js").SeatMapDocument & {stage: {name: string, outline: number[], focus: number[]}}}
 *   SeatMapDocument
 * @typedef {{name: string, amount: number, price: string}} PriceLevel what a seat costs, in figures and in words
 * @typedef {{left: number, top: number, right: number, bottom: number}} Box in centimetres
 *
 * @typedef {object} Section
 * @property {number} index
 * @property {string} label
 * @property {boolean} standing
 * @property {number} first its first seat
 * @property {number} seats
 * @property {number} firstRow where its rows begin among all of them
 * @property {number} rows how many it has
 * @property {number} level the number of its price level; -1: its rows are of several
 * @property {number} lowest the lowest price in it, in minor units
 * @property {number[]} outline
 * @property {Box} box of its outline and its seats
 * @property {{x: number, y: number}} centre
 * @property {number} room how high letters may be for the label to stay inside; in centimetres, alike in a storey
 * @property {boolean} isTall its label has more room from bottom to top
 * @property {{x: number, y: number}} behind the middle of the side that is away from the stage
 */

export class Hall {
  /**
   * @param {SeatMapDocument} map
   * @param {PriceLevel[]} levels in the order of the seat map's
   */
  constructor(map, levels) {
    const { seats, x, y, sections, rows } = places(map);
    this.seats = seats;
    this.x = x;
    this.y = y;
    this.rows = rows;
    this.levels = levels;
    this.stage = map.stage;
    this.level = new Uint8Array(seats);
    this.flags = new Uint8Array(seats);
    const numberOf = new Map(map.price_levels.map((level, number) => [level, number]));
    /** @param {string} level */
    const level = (level) => numberOf.get(level) ?? 0;
    for (const { section, first, seats } of sections) this.level.fill(level(section.price_level), first, first + seats);
    for (const { row, section, first } of rows) {
      if (row.price_level) this.level.fill(level(row.price_level), first, first + row.seats);
      this.#flag(row, sections[section].section, first);
    }
    let firstRow = 0;
    /** @type {Section[]} */
    this.sections = sections.map((placed, index) => {
      const section = this.#section(placed, index, firstRow);
      firstRow += section.rows;
      return section;
    });
    this.#alike(map.sections);
    this.pitch = this.#pitch();
    this.box = joined([boxOf(map.stage.outline), ...this.sections.map((section) => section.box)]);
  }

  /** @param {number} seat */
  sectionOf(seat) {
    return this.sections[lastFrom(this.sections, seat)];
  }

  /**
   * The row of a seat; undefined in a standing area.
   * @param {number} seat
   */
  rowOf(seat) {
    const row = this.rows[lastFrom(this.rows, seat)];
    return row && seat < row.first + row.row.seats ? row : undefined;
  }

  /** @param {number} seat */
  price(seat) {
    return this.levels[this.level[seat]];
  }

  /** @param {number} seat */
  number(seat) {
    const row = this.rowOf(seat);
    return row ? seatNumber(row.row, seat - row.first) : "";
  }

  /**
   * `Stalls centre, row F, seat 12`; in a standing area its name.
   * @param {number} seat
   */
  words(seat) {
    const section = this.sectionOf(seat).label;
    const row = this.rowOf(seat);
    return row ? `${section}, row ${row.row.label}, seat ${this.number(seat)}` : `${section}, standing`;
  }

  /**
   * `Stalls centre, row F, seats 12 and 13; …`
   * @param {Iterable<number>} seats
   */
  wordsOfAll(seats) {
    /** @type {Map<string, number[]>} */
    const rows = new Map();
    for (const seat of [...seats].sort((a, b) => a - b)) {
      const where = `${this.sectionOf(seat).label}${this.rowOf(seat) ? `, row ${this.rowOf(seat)?.row.label}` : ""}`;
      rows.set(where, [...(rows.get(where) ?? []), seat]);
    }
    return [...rows].map(([where, [first, ...others]]) => {
      if (!this.rowOf(first)) return `${where}, ${others.length + 1} standing`;
      const numbers = [first, ...others].map((seat) => this.number(seat));
      const last = numbers.pop();
      return `${where}, ${others.length ? `seats ${numbers.join(", ")} and ${last}` : `seat ${last}`}`;
    }).join("; ");
  }

  /** @param {number} seat */
  notes(seat) {
    return NOTES.filter(([flag]) => this.flags[seat] & flag).map(([, words]) => words);
  }

  /**
   * The seats that are side by side with this one, without a gap: the first, and the one after the last.
   * @param {number} seat
   * @returns {[number, number]}
   */
  neighbours(seat) {
    const row = this.rowOf(seat);
    if (!row) return [seat, seat + 1];
    let [from, until] = [0, row.row.seats];
    for (const [before] of row.row.gaps ?? []) {
      if (before <= seat - row.first) from = before;
      else {
        until = before;
        break;
      }
    }
    return [row.first + from, row.first + until];
  }

  /**
   * Which way a row runs at a seat, in radians, so that whoever sits there has the stage before them.
   * @param {number} seat
   */
  angle(seat) {
    const [from, until] = this.neighbours(seat);
    const [a, b] = [Math.max(from, seat - 1), Math.min(until - 1, seat + 1)];
    const [focusX, focusY] = this.stage.focus;
    const [x, y] = [this.x[seat], this.y[seat]];
    const along = a === b ? Math.atan2(y - focusY, x - focusX) - Math.PI / 2 : Math.atan2(this.y[b] - this.y[a], this.x[b] - this.x[a]);
    const away = Math.cos(along) * (y - focusY) - Math.sin(along) * (x - focusX); // of the side that is down
    return away >= 0 ? along : along + Math.PI;
  }

  /**
   * @param {Row} row
   * @param {SectionDocument} section
   * @param {number} first
   */
  #flag(row, section, first) {
    const ends = section.aisle_ends ?? "none";
    if (ends === "first" || ends === "both") this.flags[first] |= AISLE;
    if (ends === "last" || ends === "both") this.flags[first + row.seats - 1] |= AISLE;
    this.#mark(row.accessible, first, ACCESSIBLE);
    this.#mark(row.companion, first, COMPANION);
    this.#mark(row.aisle, first, AISLE);
    this.#mark(row.restricted_view, first, RESTRICTED_VIEW);
  }

  /**
   * @param {Marks | undefined} marks
   * @param {number} first
   * @param {number} flag
   */
  #mark(marks, first, flag) {
    for (const mark of marks ?? []) {
      const [from, to] = typeof mark === "number" ? [mark, mark] : mark;
      for (let index = from; index <= to; index++) this.flags[first + index] |= flag;
    }
  }

  /**
   * @param {import("./seat-codec.js").PlacedSection} placed
   * @param {number} index
   * @param {number} firstRow
   * @returns {Section}
   */
  #section({ section, first, seats }, index, firstRow) {
    const box = boxOf(section.outline);
    let lowest = Infinity;
    let level = this.level[first];
    for (let seat = first; seat < first + seats; seat++) {
      lowest = Math.min(lowest, this.levels[this.level[seat]].amount);
      if (this.level[seat] !== level) level = -1;
      if (this.x[seat] < box.left) box.left = this.x[seat];
      if (this.x[seat] > box.right) box.right = this.x[seat];
      if (this.y[seat] < box.top) box.top = this.y[seat];
      if (this.y[seat] > box.bottom) box.bottom = this.y[seat];
    }
    const centre = centroid(section.outline);
    const { label, outline } = section;
    const rows = section.rows?.length ?? 0;
    const { room, isTall } = roomFor(label, outline, centre);
    const behind = edgeBehind(outline, centre, this.stage.focus);
    return { index, label, standing: !rows, first, seats, firstRow, rows, level, lowest, outline, box, centre, room, isTall, behind };
  }

  /** The labels of one storey are of one size, that of the narrowest. @param {SectionDocument[]} documents */
  #alike(documents) {
    /** @type {Map<string | undefined, number>} */
    const rooms = new Map();
    this.sections.forEach(({ room, standing }, index) => {
      const { tier } = documents[index];
      if (!standing) rooms.set(tier, Math.min(room, rooms.get(tier) ?? Infinity));
    });
    for (const section of this.sections) section.room = rooms.get(documents[section.index].tier) ?? 0;
  }

  /** How far apart neighbours sit, mostly; in centimetres. */
  #pitch() {
    const apart = this.rows
      .filter(({ row }) => row.seats > 1)
      .map(({ first }) => Math.hypot(this.x[first + 1] - this.x[first], this.y[first + 1] - this.y[first]))
      .sort((a, b) => a - b);
    return apart[apart.length >> 1] ?? 50;
  }
}

/**
 * @param {number[]} outline
 * @returns {Box}
 */
export function boxOf(outline) {
  const box = { left: Infinity, top: Infinity, right: -Infinity, bottom: -Infinity };
  for (let place = 0; place < outline.length; place += 2) {
    box.left = Math.min(box.left, outline[place]);
    box.right = Math.max(box.right, outline[place]);
    box.top = Math.min(box.top, outline[place + 1]);
    box.bottom = Math.max(box.bottom, outline[place + 1]);
  }
  return box;
}

/** @param {Box[]} boxes */
export function joined(boxes) {
  return boxOf(boxes.flatMap((box) => [box.left, box.top, box.right, box.bottom]));
}

/**
 * The place of the last part that begins at or before a seat, by halving.
 * @param {{first: number}[]} parts
 * @param {number} seat
 */
function lastFrom(parts, seat) {
  let low = 0;
  let high = parts.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    if (parts[middle].first <= seat) low = middle + 1;
    else high = middle;
  }
  return low - 1;
}

/**
 * The balance point of a polygon.
 * @param {number[]} outline
 */
function centroid(outline) {
  let [x, y, total] = [0, 0, 0];
  eachSide(outline, (ax, ay, bx, by) => {
    const turn = ax * by - bx * ay;
    x += (ax + bx) * turn;
    y += (ay + by) * turn;
    total += 3 * turn;
  });
  return { x: x / total, y: y / total };
}

/**
 * How high letters may be that run through the middle of a section, from left to right or from bottom to top.
 * @param {string} label
 * @param {number[]} outline
 * @param {{x: number, y: number}} centre
 */
function roomFor(label, outline, centre) {
  let [across, along] = [Infinity, Infinity];
  eachSide(outline, (ax, ay, bx, by) => {
    if (ay > centre.y !== by > centre.y) across = Math.min(across, Math.abs(ax + ((centre.y - ay) / (by - ay)) * (bx - ax) - centre.x));
    if (ax > centre.x !== bx > centre.x) along = Math.min(along, Math.abs(ay + ((centre.x - ax) / (bx - ax)) * (by - ay) - centre.y));
  });
  /** @param {number} length @param {number} height */
  const room = (length, height) => Math.min((2 * length * 0.9) / (0.66 * label.length), 2 * height * 0.7);
  const isTall = room(along, across) > room(across, along) * 1.25;
  return { room: isTall ? room(along, across) : room(across, along), isTall };
}

/**
 * Where a line from the stage through the middle of a section leaves it.
 * @param {number[]} outline
 * @param {{x: number, y: number}} centre
 * @param {number[]} focus
 */
function edgeBehind(outline, { x, y }, [focusX, focusY]) {
  const [dx, dy] = [x - focusX, y - focusY];
  let far = 0;
  eachSide(outline, (ax, ay, bx, by) => {
    const turned = dx * (by - ay) - dy * (bx - ax);
    const along = ((ax - x) * (by - ay) - (ay - y) * (bx - ax)) / turned;
    const share = ((ax - x) * dy - (ay - y) * dx) / turned;
    if (along > far && share >= 0 && share <= 1) far = along;
  });
  return { x: x + dx * far, y: y + dy * far };
}

/**
 * @param {number[]} outline
 * @param {(ax: number, ay: number, bx: number, by: number) => void} each
 */
function eachSide(outline, each) {
  for (let place = 0; place < outline.length; place += 2) {
    const next = (place + 2) % outline.length;
    each(outline[place], outline[place + 1], outline[next], outline[next + 1]);
  }
}
