// Which part of the hall is seen, and how large. Nothing here draws: whoever does is told when something has moved.

const GLIDE_MS = 180; // to show where something went; none for whoever wants less motion
const MARGIN = 0.05; // of the window, around what is fitted into it

/** @typedef {import("./seat-hall.js").Box} Box */
/** @typedef {{x: number, y: number, scale: number}} View the middle of the window, and pixels for a centimetre */

export class Camera {
  /**
   * @param {Box} box the whole hall
   * @param {number} closest the largest scale
   * @param {() => void} moved
   */
  constructor(box, closest, moved) {
    this.box = box;
    this.closest = closest;
    this.moved = moved;
    this.width = 1;
    this.height = 1;
    this.x = (box.left + box.right) / 2;
    this.y = (box.top + box.bottom) / 2;
    this.scale = 1;
    this.isWhole = true;
    this.gliding = 0;
  }

  /** The scale at which the whole hall fits. */
  get whole() {
    return this.#fitting(this.box);
  }

  /** How close it is: 1 shows the whole hall. */
  get zoom() {
    return this.scale / this.whole;
  }

  /**
   * @param {number} width
   * @param {number} height
   */
  resize(width, height) {
    this.width = width;
    this.height = height;
    this.#set(this.isWhole ? this.#viewOf(this.box) : this);
  }

  /** @param {number} x */
  across(x) {
    return (x - this.x) * this.scale + this.width / 2;
  }

  /** @param {number} y */
  down(y) {
    return (y - this.y) * this.scale + this.height / 2;
  }

  /**
   * The place in the hall under a point of the window.
   * @param {number} across
   * @param {number} down
   */
  place(across, down) {
    return { x: this.x + (across - this.width / 2) / this.scale, y: this.y + (down - this.height / 2) / this.scale };
  }

  /** The part of the hall that is seen. */
  seen() {
    const { x: left, y: top } = this.place(0, 0);
    const { x: right, y: bottom } = this.place(this.width, this.height);
    return { left, top, right, bottom };
  }

  /**
   * Move by so many pixels.
   * @param {number} across
   * @param {number} down
   */
  pan(across, down) {
    this.#stop();
    this.#set({ x: this.x - across / this.scale, y: this.y - down / this.scale, scale: this.scale });
  }

  /**
   * Come closer by a factor; what is under the point stays there.
   * @param {number} factor
   * @param {number} across
   * @param {number} down
   */
  zoomAt(factor, across, down) {
    this.#stop();
    this.#set(this.#zoomed(factor, across, down));
  }

  /**
   * The same, in a glide.
   * @param {number} factor
   * @param {number} [across]
   * @param {number} [down]
   */
  glideAt(factor, across = this.width / 2, down = this.height / 2) {
    this.glide(this.#zoomed(factor, across, down));
  }

  /** @param {Box} [box] the whole hall when left out */
  fit(box = this.box) {
    this.glide(this.#viewOf(box));
  }

  /**
   * Bring a place into view, close enough; nothing moves when it is.
   * @param {{x: number, y: number}} place
   * @param {number} scale at least
   */
  reveal(place, scale) {
    const [across, down] = [this.across(place.x), this.down(place.y)];
    const [edgeX, edgeY] = [this.width * 0.15, this.height * 0.15];
    const isSeen = across > edgeX && across < this.width - edgeX && down > edgeY && down < this.height - edgeY;
    if (!isSeen || this.scale < scale) this.glide({ ...place, scale: Math.max(scale, this.scale) });
  }

  /** @param {View} to */
  glide(to) {
    this.#stop();
    const from = { x: this.x, y: this.y, scale: this.scale };
    if (matchMedia("(prefers-reduced-motion: reduce)").matches) {
      this.#set(to);
      return;
    }
    const began = performance.now();
    /** @param {number} now */
    const step = (now) => {
      const done = Math.min(1, Math.max(0, (now - began) / GLIDE_MS));
      const way = 1 - (1 - done) ** 3;
      const scale = from.scale * (to.scale / from.scale) ** way;
      // What is between the two places moves as the scale does, so that nothing swings to the side.
      const share = to.scale === from.scale ? way : (1 / from.scale - 1 / scale) / (1 / from.scale - 1 / to.scale);
      this.#set({ x: from.x + (to.x - from.x) * share, y: from.y + (to.y - from.y) * share, scale });
      this.gliding = done < 1 ? requestAnimationFrame(step) : 0;
    };
    this.gliding = requestAnimationFrame(step);
  }

  /**
   * @param {number} factor
   * @param {number} across
   * @param {number} down
   */
  #zoomed(factor, across, down) {
    const scale = Math.min(this.closest, Math.max(this.whole, this.scale * factor));
    const { x, y } = this.place(across, down);
    return { x: x - (across - this.width / 2) / scale, y: y - (down - this.height / 2) / scale, scale };
  }

  /**
   * @param {Box} box
   * @returns {View}
   */
  #viewOf(box) {
    const scale = Math.min(this.closest, this.#fitting(box));
    return { x: (box.left + box.right) / 2, y: (box.top + box.bottom) / 2, scale };
  }

  /** @param {Box} box */
  #fitting(box) {
    const across = this.width / (box.right - box.left || 1);
    const down = this.height / (box.bottom - box.top || 1);
    return Math.min(across, down) * (1 - 2 * MARGIN);
  }

  /** @param {View} view */
  #set({ x, y, scale }) {
    this.scale = Math.min(this.closest, Math.max(this.whole, scale));
    this.isWhole = this.scale <= this.whole * 1.001;
    const { left, top, right, bottom } = this.box;
    this.x = this.isWhole ? (left + right) / 2 : within(x, left, right, this.width / this.scale);
    this.y = this.isWhole ? (top + bottom) / 2 : within(y, top, bottom, this.height / this.scale);
    this.moved();
  }

  #stop() {
    if (this.gliding) cancelAnimationFrame(this.gliding);
    this.gliding = 0;
  }
}

/**
 * Keep the hall in the window: in the middle where it is smaller, its edge no farther in than the middle otherwise.
 * @param {number} middle
 * @param {number} low
 * @param {number} high
 * @param {number} seen
 */
function within(middle, low, high, seen) {
  const slack = Math.min(seen / 2, (high - low) / 2) * 0.6;
  if (high - low + 2 * slack <= seen) return (low + high) / 2;
  return Math.min(high + slack - seen / 2, Math.max(low - slack + seen / 2, middle));
}
