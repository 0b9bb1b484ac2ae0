// Which seat is near a point: all seats sorted into the squares of a grid, so that only a few are looked at.

const SQUARE = 4; // seats side by side; a finger covers two squares at most

export class SeatGrid {
  /**
   * @param {Float32Array} x of each seat; one that is NaN is nowhere
   * @param {Float32Array} y
   * @param {{left: number, top: number, right: number, bottom: number}} box that holds all of them
   * @param {number} pitch how far apart neighbours are
   */
  constructor(x, y, box, pitch) {
    this.x = x;
    this.y = y;
    this.box = box;
    this.side = pitch * SQUARE;
    this.across = Math.floor((box.right - box.left) / this.side) + 1;
    this.down = Math.floor((box.bottom - box.top) / this.side) + 1;
    const { starts, order } = this.#sorted();
    this.starts = starts; // of each square, its place in the order
    this.order = order; // seats, square after square
  }

  /**
   * The nearest seat within a distance that is accepted, or -1.
   * @param {number} x
   * @param {number} y
   * @param {number} distance
   * @param {(seat: number) => boolean} accepted
   */
  nearest(x, y, distance, accepted) {
    let found = -1;
    let closest = distance * distance;
    this.each(x - distance, y - distance, x + distance, y + distance, (seat) => {
      const apart = (this.x[seat] - x) ** 2 + (this.y[seat] - y) ** 2;
      if (apart <= closest && accepted(seat)) {
        closest = apart;
        found = seat;
      }
    });
    return found;
  }

  /**
   * Every seat in the squares that a box touches.
   * @param {number} left
   * @param {number} top
   * @param {number} right
   * @param {number} bottom
   * @param {(seat: number) => void} each
   */
  each(left, top, right, bottom, each) {
    const firstColumn = Math.max(0, this.#column(left));
    const lastColumn = Math.min(this.across - 1, this.#column(right));
    const lastRow = Math.min(this.down - 1, this.#row(bottom));
    for (let row = Math.max(0, this.#row(top)); row <= lastRow; row++) {
      const from = this.starts[row * this.across + firstColumn];
      const until = this.starts[row * this.across + lastColumn + 1];
      if (lastColumn >= firstColumn) for (let place = from; place < until; place++) each(this.order[place]);
    }
  }

  /** By counting: how many are in each square, where each square begins, then each seat into its own. */
  #sorted() {
    const { x, y } = this;
    const squares = new Uint32Array(x.length);
    const starts = new Uint32Array(this.across * this.down + 1);
    let placed = 0;
    for (let seat = 0; seat < x.length; seat++) {
      if (Number.isNaN(x[seat])) continue;
      const square = this.#row(y[seat]) * this.across + this.#column(x[seat]);
      squares[seat] = square;
      starts[square + 1] += 1;
      placed += 1;
    }
    for (let square = 1; square < starts.length; square++) starts[square] += starts[square - 1];
    const order = new Uint32Array(placed);
    const next = starts.slice();
    for (let seat = 0; seat < x.length; seat++) {
      if (!Number.isNaN(x[seat])) order[next[squares[seat]]++] = seat;
    }
    return { starts, order };
  }

  /** @param {number} x */
  #column(x) {
    return Math.floor((x - this.box.left) / this.side);
  }

  /** @param {number} y */
  #row(y) {
    return Math.floor((y - this.box.top) / this.side);
  }
}
