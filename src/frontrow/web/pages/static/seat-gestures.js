// Fingers, mouse, wheel and keys on the plan, as what they mean: move, come closer, point at a place, take it. Where
// that leads is for seat-map.js to say.

const TAP_PIXELS = 8; // a finger that moves less has not moved
const GLIDE_SECONDS = 0.12; // how far the plan goes on after it was let go of
const WHEEL_STEP = 0.0016; // of a pixel that the wheel turns
const PINCH_STEP = 0.01; // of a pad, which tells smaller figures
const LINE_PIXELS = 16; // where the wheel counts lines
const KEY_ZOOM = 1.6;

/** @typedef {import("./seat-camera.js").Camera} Camera */
/**
 * @typedef {object} Meaning
 * @property {(across: number, down: number, isTouch: boolean) => void} tapped
 * @property {(across: number, down: number) => void} pointed
 * @property {() => void} left
 * @property {(across: number, down: number) => void} stepped by a key: -1, 0 or 1 each way
 * @property {() => void} taken by a key
 * @property {() => boolean} out by a key; whether there was something to leave
 */

export class Gestures {
  /**
   * @param {HTMLElement} plan
   * @param {Camera} camera
   * @param {Meaning} meaning
   */
  constructor(plan, camera, meaning) {
    this.plan = plan;
    this.camera = camera;
    this.meaning = meaning;
    /** @type {Map<number, {x: number, y: number}>} where each finger is */
    this.fingers = new Map();
    this.began = { x: 0, y: 0 };
    this.hasMoved = false;
    /** @type {{x: number, y: number, at: number}[]} the last places of a finger that moves */
    this.trail = [];
    plan.addEventListener("pointerdown", (event) => this.#down(event));
    plan.addEventListener("pointermove", (event) => this.#move(event));
    plan.addEventListener("pointerup", (event) => this.#up(event));
    plan.addEventListener("pointercancel", (event) => this.#gone(event));
    plan.addEventListener("pointerleave", () => meaning.left());
    plan.addEventListener("wheel", (event) => this.#wheel(event), { passive: false });
    plan.addEventListener("keydown", (event) => this.#key(event));
  }

  /** @param {PointerEvent} event */
  #down(event) {
    if (event.button !== 0 || event.target !== this.plan.querySelector("canvas")) return;
    this.plan.setPointerCapture(event.pointerId);
    const at = this.#at(event);
    this.fingers.set(event.pointerId, at);
    if (this.fingers.size === 1) {
      this.began = at;
      this.hasMoved = false;
      this.trail = [{ ...at, at: event.timeStamp }];
    } else {
      this.hasMoved = true; // two fingers never tap
    }
  }

  /** @param {PointerEvent} event */
  #move(event) {
    const at = this.#at(event);
    const before = this.fingers.get(event.pointerId);
    if (!before) {
      if (event.pointerType === "mouse") this.meaning.pointed(at.x, at.y);
      return;
    }
    if (this.fingers.size === 2) {
      this.#pinch(event.pointerId, before, at);
    } else if (this.hasMoved || Math.hypot(at.x - this.began.x, at.y - this.began.y) > TAP_PIXELS) {
      this.hasMoved = true;
      this.camera.pan(at.x - before.x, at.y - before.y);
      this.trail = [...this.trail.slice(-4), { ...at, at: event.timeStamp }];
    } else {
      return; // a finger is never quite still
    }
    this.fingers.set(event.pointerId, at);
  }

  /**
   * The place between two fingers stays between them, and so does the distance.
   * @param {number} finger
   * @param {{x: number, y: number}} before
   * @param {{x: number, y: number}} at
   */
  #pinch(finger, before, at) {
    const [, other] = /** @type {[number, {x: number, y: number}]} */ ([...this.fingers].find(([id]) => id !== finger));
    const apart = Math.hypot(at.x - other.x, at.y - other.y) / (Math.hypot(before.x - other.x, before.y - other.y) || 1);
    this.camera.pan((at.x - before.x) / 2, (at.y - before.y) / 2);
    this.camera.zoomAt(apart, (at.x + other.x) / 2, (at.y + other.y) / 2);
  }

  /** @param {PointerEvent} event */
  #up(event) {
    if (!this.fingers.delete(event.pointerId)) return;
    if (!this.hasMoved) {
      const at = this.#at(event);
      this.meaning.tapped(at.x, at.y, event.pointerType !== "mouse");
    } else if (!this.fingers.size) {
      this.#letGo(event.timeStamp);
    }
  }

  /** @param {PointerEvent} event */
  #gone(event) {
    this.fingers.delete(event.pointerId);
  }

  /** @param {number} now */
  #letGo(now) {
    const [first] = this.trail;
    const last = this.trail[this.trail.length - 1];
    const seconds = (now - first.at) / 1000;
    if (now - last.at > 60 || seconds <= 0) return; // it came to rest before
    const [across, down] = [((last.x - first.x) / seconds) * GLIDE_SECONDS, ((last.y - first.y) / seconds) * GLIDE_SECONDS];
    const { x, y, scale } = this.camera;
    if (Math.hypot(across, down) > TAP_PIXELS) this.camera.glide({ x: x - across / scale, y: y - down / scale, scale });
  }

  /** @param {WheelEvent} event */
  #wheel(event) {
    event.preventDefault();
    const pixels = event.deltaY * (event.deltaMode === WheelEvent.DOM_DELTA_LINE ? LINE_PIXELS : 1);
    const at = this.#at(event);
    this.camera.zoomAt(Math.exp(-pixels * (event.ctrlKey ? PINCH_STEP : WHEEL_STEP)), at.x, at.y);
  }

  /** @param {KeyboardEvent} event */
  #key(event) {
    if (event.target !== this.plan || event.altKey || event.ctrlKey || event.metaKey) return;
    /** @type {Record<string, () => unknown>} */
    const meanings = {
      ArrowLeft: () => this.meaning.stepped(-1, 0),
      ArrowRight: () => this.meaning.stepped(1, 0),
      ArrowUp: () => this.meaning.stepped(0, -1),
      ArrowDown: () => this.meaning.stepped(0, 1),
      Enter: () => this.meaning.taken(),
      " ": () => this.meaning.taken(),
      Escape: () => this.meaning.out(),
      "+": () => this.camera.glideAt(KEY_ZOOM),
      "=": () => this.camera.glideAt(KEY_ZOOM),
      "-": () => this.camera.glideAt(1 / KEY_ZOOM),
      0: () => this.camera.fit(),
    };
    const meant = meanings[event.key];
    if (!meant) return;
    event.preventDefault();
    meant();
  }

  /** @param {MouseEvent} event */
  #at(event) {
    const { left, top } = this.plan.getBoundingClientRect();
    return { x: event.clientX - left, y: event.clientY - top };
  }
}
