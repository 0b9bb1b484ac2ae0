// How seats travel, for the browser: snapshots and frames into codes, a seat map into places. Nothing here asks a
// server or draws. The same in Python: core/seat_codec.py and core/seat_maps/places.py; both are held against one list
// of examples (tests/codec).

/** The states of a seat, by their codes. */
export const STATES = Object.freeze(["available", "held", "sold", "blocked"]);

const CODE_BITS = 2; // of a seat in a snapshot, and of its code in a frame
const CODE = 3;
const CODES_PER_BYTE = 4;
const VARINT_BITS = 7;
const VARINT = 127;
const MORE = 128; // another byte of the same number follows

/**
 * @typedef {{label: string, seats: number, curve: number[], gaps?: [number, number][], price_level?: string,
 *   numbering?: {first: number, step: number} | string[]}} RowDocument
 * @typedef {{label: string, price_level: string, outline: number[], tier?: string, rows?: RowDocument[],
 *   capacity?: number}} SectionDocument
 * @typedef {{name: string, price_levels: string[], sections: SectionDocument[]}} SeatMapDocument
 *
 * @typedef {object} PlacedRow
 * @property {RowDocument} row as the document has it
 * @property {number} section which section it is in
 * @property {number} first its first seat
 *
 * @typedef {object} PlacedSection
 * @property {SectionDocument} section as the document has it
 * @property {number} first its first seat
 * @property {number} seats how many; of a standing area, how many people
 *
 * @typedef {object} Places
 * @property {number} seats how many there are
 * @property {Float32Array} x of each seat, in centimetres; NaN in a standing area
 * @property {Float32Array} y the same, downwards
 * @property {PlacedSection[]} sections in the order of their seats
 * @property {PlacedRow[]} rows in the order of their seats
 */

/**
 * The code of each seat in a snapshot.
 * @param {Uint8Array} snapshot 2 bits a seat, lowest bits first
 * @param {number} seats
 * @returns {Uint8Array}
 */
export function unpacked(snapshot, seats) {
  if (snapshot.length !== Math.ceil(seats / CODES_PER_BYTE)) throw new RangeError("a snapshot of another hall");
  const codes = new Uint8Array(seats);
  for (let seat = 0; seat < seats; seat++) {
    codes[seat] = (snapshot[seat >> CODE_BITS] >> ((seat & CODE) * CODE_BITS)) & CODE;
  }
  return codes;
}

/**
 * What a frame changes, in the order of seats. RangeError where it breaks off.
 * @param {string} data of the message: base64
 * @returns {{seats: Uint32Array, codes: Uint8Array}}
 */
export function changes(data) {
  const bytes = atob(data);
  const seats = new Uint32Array(bytes.length); // each takes a byte at least
  const codes = new Uint8Array(bytes.length);
  let count = 0;
  let seat = 0;
  let number = 0;
  let shift = 0;
  for (let place = 0; place < bytes.length; place++) {
    const byte = bytes.charCodeAt(place);
    number |= (byte & VARINT) << shift;
    shift += VARINT_BITS;
    if (byte >= MORE) continue;
    seat += number >>> CODE_BITS;
    seats[count] = seat;
    codes[count] = number & CODE;
    count += 1;
    number = shift = 0;
  }
  if (shift) throw new RangeError("a frame that breaks off");
  return { seats: seats.subarray(0, count), codes: codes.subarray(0, count) };
}

/**
 * Change the codes of all seats as a frame says. RangeError, and nothing is changed, where it does not fit.
 * @param {Uint8Array} all
 * @param {{seats: Uint32Array, codes: Uint8Array}} changed
 */
export function apply(all, changed) {
  const { seats, codes } = changed;
  if (seats.length && seats[seats.length - 1] >= all.length) throw new RangeError("a frame of a larger hall");
  for (let place = 0; place < seats.length; place++) all[seats[place]] = codes[place];
}

/**
 * Where every seat of a map is. 100,000 seats take a few milliseconds.
 * @param {SeatMapDocument} map
 * @returns {Places}
 */
export function places(map) {
  /** @type {PlacedSection[]} */
  const sections = [];
  /** @type {PlacedRow[]} */
  const rows = [];
  let seats = 0;
  for (const section of map.sections) {
    const first = seats;
    for (const row of section.rows ?? []) {
      rows.push({ row, section: sections.length, first: seats });
      seats += row.seats;
    }
    seats += section.rows ? 0 : (section.capacity ?? 0);
    sections.push({ section, first, seats: seats - first });
  }
  const x = new Float32Array(seats).fill(NaN);
  const y = new Float32Array(seats).fill(NaN);
  for (const { row, first } of rows) placeRow(row, first, x, y);
  return { seats, x, y, sections, rows };
}

/**
 * What is written on a seat.
 * @param {RowDocument} row
 * @param {number} index of the seat in its row
 */
export function seatNumber(row, index) {
  const numbering = row.numbering ?? { first: 1, step: 1 };
  return Array.isArray(numbering) ? numbering[index] : String(numbering.first + numbering.step * index);
}

/**
 * Evenly spaced in the parameter of the quadratic through the curve's three points; a gap takes as many steps as it is
 * wide.
 * @param {RowDocument} row
 * @param {number} first
 * @param {Float32Array} x
 * @param {Float32Array} y
 */
function placeRow(row, first, x, y) {
  const [x0, y0, xm, ym, x1, y1] = threePoints(row.curve);
  const gaps = row.gaps ?? [];
  const lastStep = Math.max(1, row.seats - 1 + gaps.reduce((sum, [, width]) => sum + width, 0));
  const ax = 2 * (x0 - 2 * xm + x1);
  const bx = 4 * xm - 3 * x0 - x1;
  const ay = 2 * (y0 - 2 * ym + y1);
  const by = 4 * ym - 3 * y0 - y1;
  let gap = 0;
  let shift = 0;
  for (let index = 0; index < row.seats; index++) {
    for (; gap < gaps.length && gaps[gap][0] === index; gap++) shift += gaps[gap][1];
    const t = (index + shift) / lastStep;
    x[first + index] = x0 + t * (bx + t * ax);
    y[first + index] = y0 + t * (by + t * ay);
  }
}

/**
 * @param {number[]} curve
 * @returns {number[]} of the first seat, the middle of the row, and the last seat
 */
function threePoints(curve) {
  if (curve.length === 6) return curve;
  const [x0, y0, x1 = x0, y1 = y0] = curve;
  return [x0, y0, (x0 + x1) / 2, (y0 + y1) / 2, x1, y1];
}
