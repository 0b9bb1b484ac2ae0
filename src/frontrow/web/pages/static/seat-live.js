// The seats of an event as they are now: a snapshot first, then every change as it is pushed. When pushing is full or
// fails, the snapshot is asked for now and then; when even that is too much for the service, what is left of each
// section. Each step is said to whoever looks, and left again by itself.

import { apply, changes, unpacked } from "./seat-codec.js";

const POLL_SECONDS = 2; // unless the service says otherwise
const PUSH_AGAIN_SECONDS = 20; // then pushing is tried again
const JITTER = 0.5; // of every wait, so that a crowd does not come back in step
const BEHIND_SECONDS = 3; // what is older is said

/**
 * @typedef {"live" | "polling" | "counts" | "behind" | "away"} How
 *
 * @typedef {object} Listener
 * @property {(seats: Uint32Array) => void} changed these seats are otherwise
 * @property {() => void} renewed any seat may be
 * @property {(left: Map<string, number>) => void} counted of single seats nothing is known; this is left of each section
 * @property {(how: How, seconds: number) => void} told how new all of it is
 */

export class LiveSeats {
  /**
   * @param {{snapshot: string, updates: string, availability: string}} addresses
   * @param {number} seats
   * @param {Listener} listener
   */
  constructor(addresses, seats, listener) {
    this.addresses = addresses;
    this.listener = listener;
    this.codes = new Uint8Array(seats).fill(3); // nothing is free before it is known to be
    this.updateNo = 0;
    /** @type {EventSource | undefined} */
    this.stream = undefined;
    this.timer = 0;
    this.pushAgainAt = 0;
    document.addEventListener("visibilitychange", () => (document.hidden ? this.pause() : this.begin()));
  }

  /** Fetch what is, then follow what comes. */
  async begin() {
    clearTimeout(this.timer);
    const seconds = await this.fetch();
    if (document.hidden) return;
    if (seconds) this.#wait(seconds);
    else this.#follow();
  }

  /** A page that nobody sees keeps no connection: a browser has few of them for one host. */
  pause() {
    clearTimeout(this.timer);
    this.stream?.close();
    this.stream = undefined;
  }

  /**
   * Ask for the snapshot. What it answers: how many seconds to wait before asking again, 0 when changes may be followed.
   * @returns {Promise<number>}
   */
  async fetch() {
    try {
      const answer = await fetch(this.addresses.snapshot, { cache: "no-cache" });
      if (answer.ok) {
        const updateNo = Number(answer.headers.get("frontrow-update-no"));
        const codes = unpacked(new Uint8Array(await answer.arrayBuffer()), this.codes.length);
        if (updateNo >= this.updateNo) this.#renew(codes, updateNo);
        return 0;
      }
      return await this.#count(Number((await answer.json()).poll_seconds) || POLL_SECONDS);
    } catch {
      this.listener.told("away", 0);
      return POLL_SECONDS;
    }
  }

  /**
   * @param {Uint8Array} codes
   * @param {number} updateNo
   */
  #renew(codes, updateNo) {
    this.codes.set(codes);
    this.updateNo = updateNo;
    this.listener.renewed();
  }

  /** @param {number} seconds */
  async #count(seconds) {
    const answer = await fetch(this.addresses.availability);
    if (!answer.ok) throw new Error(`availability: ${answer.status}`);
    /** @type {{sections: {section: string, available: number}[], poll_seconds?: number}} */
    const { sections, poll_seconds = seconds } = await answer.json();
    this.listener.counted(new Map(sections.map(({ section, available }) => [section, available])));
    this.listener.told("counts", 0);
    return poll_seconds;
  }

  #follow() {
    this.stream?.close();
    if (Date.now() < this.pushAgainAt) {
      this.listener.told("polling", 0);
      this.#wait(POLL_SECONDS);
      return;
    }
    const stream = new EventSource(`${this.addresses.updates}?after=${this.updateNo}`);
    this.stream = stream;
    stream.onopen = () => this.listener.told("live", 0);
    stream.onmessage = ({ data, lastEventId }) => this.#take(data, Number(lastEventId));
    stream.addEventListener("resync", () => void this.fetch());
    stream.addEventListener("age", ({ data }) => {
      const { seconds } = JSON.parse(data);
      this.listener.told(seconds > BEHIND_SECONDS ? "behind" : "live", seconds);
    });
    stream.onerror = () => {
      if (stream.readyState !== EventSource.CLOSED) {
        this.listener.told("away", 0); // the browser comes back by itself, and says how far it had got
      } else if (this.stream === stream) {
        this.pushAgainAt = Date.now() + PUSH_AGAIN_SECONDS * 1000 * jittered();
        this.#wait(POLL_SECONDS);
      }
    };
  }

  /**
   * @param {string} data
   * @param {number} updateNo
   */
  #take(data, updateNo) {
    if (updateNo <= this.updateNo) return;
    try {
      const changed = changes(data);
      apply(this.codes, changed);
      this.updateNo = updateNo;
      this.listener.told("live", 0);
      this.listener.changed(changed.seats);
    } catch {
      void this.fetch(); // garbled, or of another hall: what is there now is right
    }
  }

  /** @param {number} seconds */
  #wait(seconds) {
    clearTimeout(this.timer);
    this.timer = setTimeout(() => void this.begin(), seconds * 1000 * jittered());
  }
}

function jittered() {
  return 1 + JITTER * Math.random();
}
