// Does the work of a challenge, in a worker of its own, so that the page stays as quick as it was. What the work is, and
// why, is in docs/guard.md; frontrow/adapters/proofs/solving.py does the same in Python.

const AT_ONCE = 32; // tries under way: enough for every core of a telephone
const TRIES_MAX = 1_000_000; // no challenge of ours takes more than 32,000

/**
 * @typedef {{ nonce: string, salt: string, cost: number, keyLength: number, keyPrefix: string,
 *   data: { wait: number } }} Parameters
 * @typedef {{ parameters: Parameters, signature: string }} Challenge
 * @typedef {{ counter: number, derivedKey: string }} Solution
 */

/**
 * The proof, as `POST …/enter` takes it. A browser that cannot work (no Web Crypto without https) waits instead.
 * @param {Challenge} challenge
 * @returns {Promise<string>}
 */
export async function proofOf(challenge) {
  const solution = await inWorker(challenge.parameters).catch(() => null);
  if (!solution) await new Promise((done) => setTimeout(done, challenge.parameters.data.wait * 1000));
  return btoa(JSON.stringify({ challenge, solution }));
}

/**
 * @param {Parameters} parameters
 * @returns {Promise<Solution>}
 */
export async function solved({ nonce, salt, cost, keyLength, keyPrefix }) {
  const algorithm = { name: "PBKDF2", hash: "SHA-256", salt: bytes(salt), iterations: cost };
  /** @param {number} counter */
  const tried = async (counter) => {
    const password = new Uint8Array([...bytes(nonce), 0, 0, 0, 0]);
    new DataView(password.buffer).setUint32(password.length - 4, counter);
    const key = await crypto.subtle.importKey("raw", password, "PBKDF2", false, ["deriveBits"]);
    return hex(await crypto.subtle.deriveBits(algorithm, key, keyLength * 8));
  };
  for (let first = 0; first < TRIES_MAX; first += AT_ONCE) {
    const keys = await Promise.all(Array.from({ length: AT_ONCE }, (_, place) => tried(first + place)));
    const place = keys.findIndex((key) => key.startsWith(keyPrefix));
    if (place >= 0) return { counter: first + place, derivedKey: keys[place] };
  }
  throw new RangeError("nothing solves this challenge");
}

/**
 * @param {Parameters} parameters
 * @returns {Promise<Solution>}
 */
function inWorker(parameters) {
  return new Promise((done, fail) => {
    const worker = new Worker(import.meta.url, { type: "module" });
    worker.onmessage = ({ data }) => (worker.terminate(), data ? done(data) : fail());
    worker.onerror = () => (worker.terminate(), fail());
    worker.postMessage(parameters);
  });
}

/** @param {string} text */
function bytes(text) {
  return Uint8Array.from(text.match(/../g) ?? [], (two) => parseInt(two, 16));
}

/** @param {ArrayBuffer} buffer */
function hex(buffer) {
  return Array.from(new Uint8Array(buffer), (byte) => byte.toString(16).padStart(2, "0")).join("");
}

if (!("document" in globalThis) && "postMessage" in globalThis) {
  onmessage = ({ data }) => {
    solved(data).then(postMessage, () => postMessage(null));
  };
}
