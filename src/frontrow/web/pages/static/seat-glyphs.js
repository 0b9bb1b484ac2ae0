// What a single seat looks like, from a dot to a chair with its number. Each look is drawn once for each size and then
// only copied. A price level has its own shape as well as its colour: both come from the legend on the page.

import { ACCESSIBLE, RESTRICTED_VIEW, SET_ASIDE } from "./seat-hall.js";

/** What a seat is to the fan who looks. */
export const FREE = 0;
export const HELD = 1; // by somebody else
export const TAKEN = 2; // sold, or kept back
export const OTHER = 3; // free, but not what this fan is looking for

export const SHAPES_FROM = 5.5; // pixels from seat to seat; below, a seat is a dot
export const CHAIRS_FROM = 15;
export const NUMBERS_FROM = 20;

const TURNS = 64; // a chair is drawn at so many angles
const REACH = 1.3; // of the distance between seats: what a look may take up
const KEPT_MAX = 1_500; // looks; while somebody zooms, new ones come all the time
const BOX = 20; // the side of the box that the shapes of the legend are drawn in

/** @typedef {{ground: string, text: string, quiet: string, taken: string, stage: string, spot: string, accent: string, onAccent: string}} Ink */
/** @typedef {{colour: string, shape: Path2D}} LevelInk */

export class Glyphs {
  /**
   * @param {Ink} ink
   * @param {LevelInk[]} levels
   */
  constructor(ink, levels) {
    this.ink = ink;
    this.levels = levels;
    /** @type {Map<string, HTMLCanvasElement>} */
    this.drawn = new Map();
  }

  /**
   * Draw a seat. `size` is the distance between seats in pixels of the canvas, `ratio` how many of them make one of the
   * page.
   * @param {CanvasRenderingContext2D} on
   * @param {{x: number, y: number, size: number, ratio: number, level: number, look: number, flags: number,
   *   angle: number, number: string}} seat
   */
  seat(on, { x, y, size, ratio, level, look, flags, angle, number }) {
    const seen = size / ratio;
    if (seen < SHAPES_FROM) {
      this.#dot(on, x, y, size, level, look);
      return;
    }
    const turn = seen < CHAIRS_FROM ? 0 : Math.round((angle / (2 * Math.PI)) * TURNS) & (TURNS - 1);
    const mark = look === TAKEN ? 0 : flags & (SET_ASIDE | RESTRICTED_VIEW);
    const glyph = this.#glyph(size, seen, level, look, turn, mark);
    on.drawImage(glyph, Math.round(x - glyph.width / 2), Math.round(y - glyph.height / 2));
    if (seen >= NUMBERS_FROM && look !== TAKEN && !(mark & SET_ASIDE)) this.#number(on, x, y, size, look, number);
  }

  /**
   * Rub out a seat, and nothing of its neighbours.
   * @param {CanvasRenderingContext2D} on
   * @param {number} x
   * @param {number} y
   * @param {number} size
   */
  rub(on, x, y, size) {
    on.globalCompositeOperation = "destination-out";
    on.beginPath();
    on.arc(x, y, size * 0.52 + 1, 0, 7);
    on.fill();
    on.globalCompositeOperation = "source-over";
  }

  /**
   * A seat that is picked or held: its own colour in a bright ring, with a tick.
   * @param {CanvasRenderingContext2D} on
   * @param {number} x
   * @param {number} y
   * @param {number} size in pixels of the canvas
   * @param {number} ratio
   */
  yours(on, x, y, size, ratio) {
    const radius = Math.max(size * 0.46, 5 * ratio);
    on.beginPath();
    on.arc(x, y, radius, 0, 7);
    on.fillStyle = this.ink.accent;
    on.fill();
    on.lineWidth = Math.max(2 * ratio, radius * 0.16);
    on.strokeStyle = this.ink.text;
    on.stroke();
    on.beginPath();
    on.moveTo(x - radius * 0.42, y + radius * 0.04);
    on.lineTo(x - radius * 0.1, y + radius * 0.36);
    on.lineTo(x + radius * 0.46, y - radius * 0.34);
    on.lineWidth = Math.max(1.5 * ratio, radius * 0.2);
    on.lineCap = on.lineJoin = "round";
    on.strokeStyle = this.ink.onAccent;
    on.stroke();
  }

  /**
   * A ring around a seat that would be picked, or that the keyboard is at.
   * @param {CanvasRenderingContext2D} on
   * @param {number} x
   * @param {number} y
   * @param {number} size
   * @param {number} ratio
   */
  ring(on, x, y, size, ratio) {
    on.beginPath();
    on.arc(x, y, Math.max(size * 0.5, 6 * ratio), 0, 7);
    on.lineWidth = 2 * ratio;
    on.strokeStyle = this.ink.text;
    on.stroke();
  }

  /**
   * @param {CanvasRenderingContext2D} on
   * @param {number} x
   * @param {number} y
   * @param {number} size
   * @param {number} level
   * @param {number} look
   */
  #dot(on, x, y, size, level, look) {
    const side = look === TAKEN ? size * 0.3 : size * 0.68;
    on.globalAlpha = look === OTHER ? 0.2 : look === FREE ? 1 : 0.6;
    on.fillStyle = look === FREE || look === OTHER ? this.levels[level].colour : this.ink.taken;
    on.fillRect(x - side / 2, y - side / 2, side, side);
    on.globalAlpha = 1;
  }

  /**
   * @param {CanvasRenderingContext2D} on
   * @param {number} x
   * @param {number} y
   * @param {number} size
   * @param {number} look
   * @param {string} number
   */
  #number(on, x, y, size, look, number) {
    on.font = `700 ${Math.round(size * (number.length > 2 ? 0.26 : 0.34))}px system-ui, sans-serif`;
    on.textAlign = "center";
    on.textBaseline = "middle";
    on.fillStyle = look === FREE ? this.ink.onAccent : this.ink.quiet;
    on.fillText(number, x, y + size * 0.02);
  }

  /**
   * @param {number} size
   * @param {number} seen
   * @param {number} level
   * @param {number} look
   * @param {number} turn
   * @param {number} mark
   */
  #glyph(size, seen, level, look, turn, mark) {
    const key = `${Math.round(size * 8)} ${level} ${look} ${turn} ${mark}`;
    let glyph = this.drawn.get(key);
    if (!glyph) {
      if (this.drawn.size >= KEPT_MAX) this.drawn.clear();
      glyph = document.createElement("canvas");
      glyph.width = glyph.height = Math.ceil(size * REACH) | 1;
      const on = /** @type {CanvasRenderingContext2D} */ (glyph.getContext("2d"));
      on.translate(glyph.width / 2, glyph.height / 2);
      on.scale(size, size);
      on.save();
      on.rotate((turn / TURNS) * 2 * Math.PI);
      if (seen >= CHAIRS_FROM) this.#back(on, level, look);
      this.#cushion(on, seen, level, look);
      on.restore();
      if (seen >= 9) this.#marks(on, mark, look);
      this.drawn.set(key, glyph);
    }
    return glyph;
  }

  /**
   * The back of a chair, on the side away from the stage.
   * @param {CanvasRenderingContext2D} on
   * @param {number} level
   * @param {number} look
   */
  #back(on, level, look) {
    on.beginPath();
    on.arc(0, 0, 0.46, Math.PI * 0.16, Math.PI * 0.84);
    on.lineWidth = 0.11;
    on.lineCap = "round";
    on.globalAlpha = look === FREE ? 0.75 : 0.4;
    on.strokeStyle = look === FREE || look === OTHER ? this.levels[level].colour : this.ink.taken;
    if (look === OTHER) on.globalAlpha = 0.2;
    on.stroke();
    on.globalAlpha = 1;
  }

  /**
   * @param {CanvasRenderingContext2D} on
   * @param {number} seen
   * @param {number} level
   * @param {number} look
   */
  #cushion(on, seen, level, look) {
    const { colour, shape } = this.levels[level];
    const scale = (look === TAKEN ? 0.56 : 0.84) / BOX;
    on.save();
    on.scale(scale, scale);
    on.lineWidth = BOX / (0.84 * seen); // a pixel
    if (look === FREE || look === OTHER) {
      on.globalAlpha = look === OTHER ? 0.2 : 1;
      on.fillStyle = colour;
      on.fill(shape);
    } else {
      on.strokeStyle = this.ink.taken;
      on.globalAlpha = look === TAKEN ? 0.7 : 1;
      on.stroke(shape);
      if (look === HELD) this.#hatch(on, shape);
    }
    on.restore();
  }

  /**
   * @param {CanvasRenderingContext2D} on
   * @param {Path2D} shape
   */
  #hatch(on, shape) {
    on.clip(shape);
    on.beginPath();
    for (let place = -BOX; place <= BOX; place += BOX / 4) {
      on.moveTo(place - BOX / 2, BOX / 2);
      on.lineTo(place + BOX / 2, -BOX / 2);
    }
    on.lineWidth *= 1.6;
    on.stroke();
  }

  /**
   * A wheelchair; a person beside one; a pillar in the way.
   * @param {CanvasRenderingContext2D} on
   * @param {number} mark
   * @param {number} look
   */
  #marks(on, mark, look) {
    on.strokeStyle = on.fillStyle = look === FREE ? this.ink.onAccent : this.ink.quiet;
    on.globalAlpha = look === OTHER ? 0.5 : 1;
    on.lineWidth = 0.07;
    on.lineCap = on.lineJoin = "round";
    if (mark & SET_ASIDE) {
      on.beginPath();
      on.arc(-0.02, -0.24, 0.06, 0, 7);
      on.fill();
      on.beginPath();
      if (mark & ACCESSIBLE) {
        on.arc(-0.02, 0.1, 0.15, -1.9, 2.2);
        on.moveTo(-0.03, -0.14);
        on.lineTo(-0.02, 0.04);
        on.lineTo(0.12, 0.04);
        on.lineTo(0.2, 0.24);
      } else {
        on.moveTo(-0.02, -0.12);
        on.lineTo(-0.02, 0.08);
        on.moveTo(-0.13, -0.04);
        on.lineTo(0.09, -0.04);
        on.moveTo(-0.12, 0.27);
        on.lineTo(-0.02, 0.08);
        on.lineTo(0.08, 0.27);
      }
      on.stroke();
    }
    if (mark & RESTRICTED_VIEW) {
      on.globalCompositeOperation = "destination-out";
      on.lineWidth = 0.1;
      on.beginPath();
      on.moveTo(0.1, -0.46);
      on.lineTo(0.46, -0.1);
      on.stroke();
      on.globalCompositeOperation = "source-over";
    }
  }
}
