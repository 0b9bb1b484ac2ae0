// Draws the hall. Far away it is the venue's plan: sections lit by what is left of them. Nearer, every seat.
//
// The seats of a section are drawn once into a picture of their own, for each of a few sizes; moving the map only copies
// pictures. A seat that changes is mended in the picture; a picture of a new size is made when there is time, and until
// then the old one is stretched. So no frame waits for a drawing, and nothing flickers.

import { SHAPES_FROM } from "./seat-glyphs.js";
import { boxOf } from "./seat-hall.js";

const SEATS_FROM = 2.2; // pixels from seat to seat; below, there are sections only
const SIZES_EACH_DOUBLING = 2; // a picture is stretched by at most the square root of two, and always made smaller
const PICTURE_PIXELS_MAX = 3_000_000; // larger than this, the few seats in the window are drawn as they are
const PICTURES_PIXELS_MAX = 16_000_000; // 64 MB; the pictures not seen for longest go first
const DRAWING_MS = 7; // of a frame; the rest waits for the next one
const LABEL_MIN = 7.5; // pixels
const LABEL_MAX = 15;
const NAMED_BEHIND_FROM = 3.5; // pixels from seat to seat; farther away, a section's name stands on its seats
const ROWS_NAMED_FROM = 13; // pixels from seat to seat

/** @typedef {import("./seat-hall.js").Hall} Hall */
/** @typedef {import("./seat-hall.js").Section} Section */
/** @typedef {import("./seat-hall.js").Box} Box */
/** @typedef {import("./seat-camera.js").Camera} Camera */
/** @typedef {import("./seat-glyphs.js").Glyphs} Glyphs */
/**
 * @typedef {object} Picture the seats of one section
 * @property {HTMLCanvasElement} canvas
 * @property {CanvasRenderingContext2D} on
 * @property {number} scale pixels for a centimetre
 * @property {Box} box
 * @property {boolean} isStale drawn before something that changes all of it
 * @property {number} seenAt
 *
 * @typedef {object} Sight what is to be seen beside the hall itself
 * @property {(seat: number) => number} look
 * @property {(section: Section) => {left: number, word: string}} left what is left of a section
 * @property {Set<number>} yours
 * @property {number[]} meant the seats that would be picked
 * @property {Section | undefined} section the one that is pointed at
 * @property {Set<number>} hot sections that go first
 * @property {boolean} hidesSeats of single seats nothing is known
 */

export class Painter {
  /**
   * @param {HTMLCanvasElement} canvas
   * @param {Hall} hall
   * @param {Camera} camera
   * @param {Glyphs} glyphs
   * @param {Sight} sight
   */
  constructor(canvas, hall, camera, glyphs, sight) {
    this.canvas = canvas;
    this.on = /** @type {CanvasRenderingContext2D} */ (canvas.getContext("2d", { alpha: false }));
    this.hall = hall;
    this.camera = camera;
    this.glyphs = glyphs;
    this.sight = sight;
    this.ratio = 1;
    this.outlines = hall.sections.map((section) => path(section.outline));
    this.stage = path(hall.stage.outline);
    /** @type {Map<number, Picture>} */
    this.pictures = new Map();
    /** @type {CanvasGradient | undefined} */
    this.stageLight = undefined;
    this.asked = 0;
    this.frames = 0;
  }

  /**
   * @param {number} width
   * @param {number} height
   * @param {number} ratio
   */
  resize(width, height, ratio) {
    this.ratio = ratio;
    this.canvas.width = Math.round(width * ratio);
    this.canvas.height = Math.round(height * ratio);
    this.glyphs.drawn.clear();
    this.camera.resize(width, height);
    this.paint(performance.now()); // at once: an empty canvas would be seen
  }

  /** Draw at the next chance. */
  ask() {
    if (!this.asked) this.asked = requestAnimationFrame((now) => this.paint(now));
  }

  /** These seats look different now. @param {Iterable<number>} seats */
  changed(seats) {
    for (const seat of seats) {
      const picture = this.pictures.get(this.hall.sectionOf(seat).index);
      if (picture && !picture.isStale && !Number.isNaN(this.hall.x[seat])) this.#mend(picture, seat);
    }
    this.ask();
  }

  /** All seats may look different now. */
  allChanged() {
    for (const picture of this.pictures.values()) picture.isStale = true;
    this.ask();
  }

  /** Whether seats can be told apart. */
  get showsSeats() {
    return !this.sight.hidesSeats && this.camera.scale * this.hall.pitch >= SEATS_FROM;
  }

  /** @param {number} now */
  paint(now) {
    if (this.asked) cancelAnimationFrame(this.asked);
    this.asked = 0;
    this.frames += 1;
    const seen = this.camera.seen();
    const sections = this.hall.sections.filter((section) => meet(section.box, seen));
    this.#ground(sections);
    if (this.showsSeats) this.#seats(sections, seen, now);
    this.#names(sections);
    this.#yours(seen);
  }

  /** @param {Section[]} sections */
  #ground(sections) {
    const { on, camera, ratio, glyphs } = this;
    on.setTransform(1, 0, 0, 1, 0, 0);
    on.fillStyle = glyphs.ink.ground;
    on.fillRect(0, 0, this.canvas.width, this.canvas.height);
    const scale = camera.scale * ratio;
    on.setTransform(scale, 0, 0, scale, camera.across(0) * ratio, camera.down(0) * ratio);
    on.fillStyle = this.#light();
    on.fill(this.stage);
    on.lineWidth = 1.25 / camera.scale;
    const near = Math.min(1, Math.max(0, (camera.scale * this.hall.pitch - SEATS_FROM) / 3)); // seats take over
    for (const section of sections) {
      const { left } = this.sight.left(section);
      const colour = !left ? glyphs.ink.taken : section.level < 0 ? glyphs.ink.quiet : glyphs.levels[section.level].colour;
      if (left) {
        const light = lit(left / section.seats);
        on.globalAlpha = section.standing ? light : light * (1 - near) + 0.07 * near;
        on.fillStyle = colour;
        on.fill(this.outlines[section.index]);
      }
      on.globalAlpha = section.standing ? 1 : 1 - 0.65 * near;
      on.strokeStyle = this.sight.section === section ? glyphs.ink.text : colour;
      on.stroke(this.outlines[section.index]);
    }
    on.globalAlpha = 1;
  }

  /** The stage is the brightest thing in the house. */
  #light() {
    if (!this.stageLight) {
      const [x, y] = this.hall.stage.focus;
      const box = boxOf(this.hall.stage.outline);
      this.stageLight = this.on.createRadialGradient(x, y, 0, x, y, Math.hypot(box.right - box.left, box.bottom - box.top) * 0.6);
      this.stageLight.addColorStop(0, this.glyphs.ink.spot);
      this.stageLight.addColorStop(1, this.glyphs.ink.stage);
    }
    return this.stageLight;
  }

  /**
   * @param {Section[]} sections
   * @param {Box} seen
   * @param {number} now
   */
  #seats(sections, seen, now) {
    const { on, camera, ratio } = this;
    const size = 2 ** (Math.ceil(Math.log2(camera.scale * ratio) * SIZES_EACH_DOUBLING) / SIZES_EACH_DOUBLING);
    /** @type {Section[]} */
    const wanting = [];
    on.setTransform(1, 0, 0, 1, 0, 0);
    for (const section of sections) {
      if (section.standing) continue;
      const picture = this.pictures.get(section.index);
      if (picturePixels(section, size, this.hall.pitch) > PICTURE_PIXELS_MAX) {
        this.#drawSeats(on, section, { scale: camera.scale * ratio, left: seen.left, top: seen.top }, seen);
        continue;
      }
      if (!picture || picture.isStale || picture.scale !== size) wanting.push(section);
      if (picture) this.#copy(picture, now);
    }
    const until = now + DRAWING_MS;
    for (const section of wanting) {
      if (performance.now() > until) {
        this.ask();
        break;
      }
      const isNew = !this.pictures.has(section.index);
      const picture = this.#draw(section, size, now);
      if (isNew) this.#copy(picture, now);
      else this.ask(); // the old one is on the canvas already
    }
    this.#forget(now);
  }

  /**
   * @param {Picture} picture
   * @param {number} now
   */
  #copy(picture, now) {
    const { on, camera, ratio } = this;
    const stretch = (camera.scale * ratio) / picture.scale;
    picture.seenAt = now;
    on.drawImage(
      picture.canvas,
      camera.across(picture.box.left) * ratio,
      camera.down(picture.box.top) * ratio,
      picture.canvas.width * stretch,
      picture.canvas.height * stretch,
    );
  }

  /**
   * @param {Section} section
   * @param {number} scale
   * @param {number} now
   * @returns {Picture}
   */
  #draw(section, scale, now) {
    const old = this.pictures.get(section.index);
    const canvas = old && old.scale === scale ? old.canvas : document.createElement("canvas");
    const box = withMargin(section.box, this.hall.pitch);
    canvas.width = Math.ceil((box.right - box.left) * scale); // which also clears it
    canvas.height = Math.ceil((box.bottom - box.top) * scale);
    const on = /** @type {CanvasRenderingContext2D} */ (canvas.getContext("2d"));
    this.#drawSeats(on, section, { scale, left: box.left, top: box.top }, box);
    const picture = { canvas, on, scale, box, isStale: false, seenAt: now };
    this.pictures.set(section.index, picture);
    return picture;
  }

  /**
   * Draw the seats of a section that lie in a box. `to` says where they go: pixels for a centimetre, and the corner.
   * @param {CanvasRenderingContext2D} on
   * @param {Section} section
   * @param {{scale: number, left: number, top: number}} to
   * @param {Box} within
   */
  #drawSeats(on, section, to, within) {
    const { hall } = this;
    const slack = hall.pitch;
    for (let seat = section.first; seat < section.first + section.seats; seat++) {
      const [x, y] = [hall.x[seat], hall.y[seat]];
      if (x < within.left - slack || x > within.right + slack || y < within.top - slack || y > within.bottom + slack) continue;
      this.#seat(on, seat, to);
    }
    if (to.scale * hall.pitch >= ROWS_NAMED_FROM * this.ratio) this.#rowNames(on, section, to);
  }

  /**
   * @param {CanvasRenderingContext2D} on
   * @param {number} seat
   * @param {{scale: number, left: number, top: number}} to
   */
  #seat(on, seat, { scale, left, top }) {
    const { hall, ratio } = this;
    const size = scale * hall.pitch;
    const isNear = size >= SHAPES_FROM * ratio;
    this.glyphs.seat(on, {
      x: (hall.x[seat] - left) * scale,
      y: (hall.y[seat] - top) * scale,
      size,
      ratio,
      level: hall.level[seat],
      look: this.sight.look(seat),
      flags: hall.flags[seat],
      angle: isNear ? hall.angle(seat) : 0,
      number: isNear ? hall.number(seat) : "",
    });
  }

  /**
   * @param {Picture} picture
   * @param {number} seat
   */
  #mend(picture, seat) {
    const { hall, glyphs } = this;
    const { on, scale, box } = picture;
    glyphs.rub(on, (hall.x[seat] - box.left) * scale, (hall.y[seat] - box.top) * scale, scale * hall.pitch);
    this.#seat(on, seat, { scale, left: box.left, top: box.top });
  }

  /**
   * The name of each row at both of its ends.
   * @param {CanvasRenderingContext2D} on
   * @param {Section} section
   * @param {{scale: number, left: number, top: number}} to
   */
  #rowNames(on, section, { scale, left, top }) {
    const { hall } = this;
    on.font = `600 ${Math.round(Math.min(scale * hall.pitch * 0.42, 14 * this.ratio))}px system-ui, sans-serif`;
    on.textAlign = "center";
    on.textBaseline = "middle";
    on.fillStyle = this.glyphs.ink.quiet;
    for (const { row, first } of hall.rows.slice(section.firstRow, section.firstRow + section.rows)) {
      const last = first + row.seats - 1;
      for (const [seat, way] of [[first, -1], [last, 1]]) {
        const along = hall.angle(seat);
        const outward = way * Math.sign(Math.cos(along) * (hall.x[last] - hall.x[first]) + Math.sin(along) * (hall.y[last] - hall.y[first]) || 1);
        const x = hall.x[seat] + outward * Math.cos(along) * hall.pitch * 0.95;
        const y = hall.y[seat] + outward * Math.sin(along) * hall.pitch * 0.95;
        on.fillText(row.label, (x - left) * scale, (y - top) * scale);
      }
    }
  }

  /** @param {Section[]} sections */
  #names(sections) {
    const { on, camera, ratio, glyphs, hall } = this;
    on.setTransform(ratio, 0, 0, ratio, 0, 0);
    on.textAlign = "center";
    on.textBaseline = "middle";
    on.lineJoin = "round";
    on.strokeStyle = glyphs.ink.ground;
    const stage = middle(hall.stage.outline);
    on.letterSpacing = "0.1em";
    this.#name(hall.stage.name, stage, Math.min(18, Math.max(10, camera.scale * 220)), { colour: glyphs.ink.text, isBare: true });
    on.letterSpacing = "0px";
    const apart = camera.scale * hall.pitch;
    const areApart = this.showsSeats && apart >= NAMED_BEHIND_FROM;
    for (const section of sections) {
      if (section.standing) this.#nameArea(section);
      else if (!areApart) this.#nameIn(section);
      else if (hall.sections.length > 1) this.#nameBehind(section, apart < SHAPES_FROM * 1.5 ? 10 : 12);
    }
  }

  /** Where people stand there is nothing else to see. @param {Section} section */
  #nameArea(section) {
    const { camera, glyphs, sight } = this;
    const room = ((section.box.right - section.box.left) * camera.scale * 0.9) / (0.6 * section.label.length);
    const { left, word } = sight.left(section);
    const colour = left ? glyphs.ink.text : glyphs.ink.taken;
    const height = Math.min(16, room);
    const hasRoom = room * section.label.length > 11 * word.length && (section.box.bottom - section.box.top) * camera.scale > 60;
    if (height >= LABEL_MIN) this.#name(section.label, section.centre, height, { colour, below: hasRoom ? -10 : 0 });
    if (hasRoom) this.#name(word, section.centre, 12, { colour, below: 10 });
  }

  /** In the middle of a section, with what is left where there is room. @param {Section} section */
  #nameIn(section) {
    const { camera, glyphs, sight } = this;
    const room = section.room * camera.scale;
    const height = Math.min(LABEL_MAX, room);
    if (height < LABEL_MIN) return;
    const { left, word } = sight.left(section);
    const colour = left ? glyphs.ink.text : glyphs.ink.taken;
    const label = sight.hot.has(section.index) ? `★ ${section.label}` : section.label;
    const size = Math.min(section.box.right - section.box.left, section.box.bottom - section.box.top) * camera.scale;
    const hasRoom = !this.showsSeats && !section.isTall && size > 48 && (section.box.right - section.box.left) * camera.scale > 120;
    this.#name(label, section.centre, height, { colour, below: hasRoom ? -10 : 0, isTall: section.isTall });
    if (hasRoom) this.#name(word, section.centre, 12, { colour, below: 10 });
  }

  /**
   * Behind the last row, where it hides no seat.
   * @param {Section} section
   * @param {number} height
   */
  #nameBehind(section, height) {
    const { camera, hall, glyphs, sight } = this;
    const [focusX, focusY] = hall.stage.focus;
    const apart = Math.hypot(section.behind.x - focusX, section.behind.y - focusY) || 1;
    const away = 11 / camera.scale / apart;
    const at = { x: section.behind.x + (section.behind.x - focusX) * away, y: section.behind.y + (section.behind.y - focusY) * away };
    const label = sight.hot.has(section.index) ? `★ ${section.label}` : section.label;
    this.#name(label, at, height, { colour: sight.left(section).left ? glyphs.ink.text : glyphs.ink.taken });
  }

  /**
   * @param {string} words
   * @param {{x: number, y: number}} at
   * @param {number} height
   * @param {{colour: string, below?: number, isTall?: boolean, isBare?: boolean}} how
   */
  #name(words, at, height, { colour, below = 0, isTall = false, isBare = false }) {
    const { on, camera } = this;
    const [across, down] = [camera.across(at.x), camera.down(at.y) + below];
    on.font = `700 ${height}px system-ui, sans-serif`;
    on.fillStyle = colour;
    on.lineWidth = height * 0.28;
    on.save();
    on.translate(across, down);
    if (isTall) on.rotate(-Math.PI / 2);
    if (!isBare) on.strokeText(words, 0, 0);
    on.fillText(words, 0, 0);
    on.restore();
  }

  /** @param {Box} seen */
  #yours(seen) {
    const { on, camera, ratio, hall, glyphs } = this;
    on.setTransform(1, 0, 0, 1, 0, 0);
    const size = camera.scale * ratio * hall.pitch;
    /** @param {number} seat @param {(on: CanvasRenderingContext2D, x: number, y: number, size: number, ratio: number) => void} draw */
    const at = (seat, draw) => {
      const isThere = hall.x[seat] >= seen.left && hall.x[seat] <= seen.right && hall.y[seat] >= seen.top && hall.y[seat] <= seen.bottom;
      if (isThere) draw.call(glyphs, on, camera.across(hall.x[seat]) * ratio, camera.down(hall.y[seat]) * ratio, size, ratio);
    };
    for (const seat of this.sight.yours) at(seat, glyphs.yours);
    if (this.showsSeats) for (const seat of this.sight.meant) at(seat, glyphs.ring);
  }

  /** Let pictures go that nobody has seen for longest. @param {number} now */
  #forget(now) {
    let pixels = 0;
    for (const { canvas } of this.pictures.values()) pixels += canvas.width * canvas.height;
    if (pixels <= PICTURES_PIXELS_MAX) return;
    const bySight = [...this.pictures].sort(([, a], [, b]) => a.seenAt - b.seenAt);
    for (const [index, { canvas, seenAt }] of bySight) {
      if (pixels <= PICTURES_PIXELS_MAX || seenAt === now) return;
      pixels -= canvas.width * canvas.height;
      this.pictures.delete(index);
    }
  }
}

/**
 * How strongly a section is lit, by the share that is left.
 * @param {number} share
 */
function lit(share) {
  return 0.14 + 0.5 * Math.min(1, share * 1.6);
}

/** @param {number[]} outline */
function path(outline) {
  const drawn = new Path2D();
  drawn.moveTo(outline[0], outline[1]);
  for (let place = 2; place < outline.length; place += 2) drawn.lineTo(outline[place], outline[place + 1]);
  drawn.closePath();
  return drawn;
}

/** @param {number[]} outline */
function middle(outline) {
  const corners = outline.length / 2;
  let [x, y] = [0, 0];
  for (let place = 0; place < outline.length; place += 2) {
    x += outline[place] / corners;
    y += outline[place + 1] / corners;
  }
  return { x, y };
}

/**
 * @param {Section} section
 * @param {number} scale
 * @param {number} pitch
 */
function picturePixels(section, scale, pitch) {
  const box = withMargin(section.box, pitch);
  return (box.right - box.left) * (box.bottom - box.top) * scale * scale;
}

/**
 * Room for the names of rows.
 * @param {Box} box
 * @param {number} pitch
 */
function withMargin({ left, top, right, bottom }, pitch) {
  return { left: left - pitch * 1.5, top: top - pitch * 1.5, right: right + pitch * 1.5, bottom: bottom + pitch * 1.5 };
}

/**
 * @param {Box} one
 * @param {Box} other
 */
function meet(one, other) {
  return one.left <= other.right && one.right >= other.left && one.top <= other.bottom && one.bottom >= other.top;
}
