// Waits in line: ticks the countdown, asks whether it is the fan's turn as often as the server says, and says so when it
// is, with the title and a sound too. Without it the page comes back by itself and says the same.

import { timeLeft } from "./time-left.js";

const SECTIONS_MS = 15_000;
const RETRY_MS = 5_000;
const GO_MS = 1_500; // to read that it is one's turn
const TONES = [523, 659, 784];

const line = /** @type {HTMLElement} */ (document.getElementById("line"));
const big = /** @type {HTMLElement} */ (document.getElementById("big"));
const said = /** @type {HTMLElement} */ (document.getElementById("said"));
const trouble = /** @type {HTMLElement} */ (document.getElementById("trouble"));
const sound = /** @type {HTMLInputElement | null} */ (document.getElementById("sound"));
const event = line.dataset.event;
const isWaiting = line.dataset.standing === "waiting";
const title = document.title.split(" · ").slice(-2).join(" · ");
const phases = { gathering: "gathering", paused: "paused" };

/** @type {AudioContext | null} */
let audio = null;

/** @param {number} count */
const minutes = (count) => (count === 1 ? "a minute" : count < 120 ? `${count} minutes` : `${Math.round(count / 60)} hours`);

/** The words of words.py (wait). @param {{likely_minutes: number, at_most_minutes: number} | null} eta */
function wait(eta) {
  if (!eta) return "a while";
  const { likely_minutes: from, at_most_minutes: to } = eta;
  return from === to ? `about ${minutes(to)}` : to < 120 ? `${from} to ${to} minutes` : `${minutes(from)} to ${minutes(to)}`;
}

/** Change words only where they are others: whoever listens is not told the same again. @param {HTMLElement} place @param {string} words */
function tell(place, words) {
  if (place.textContent !== words) place.textContent = words;
}

/** @param {{phase: string, message: string | null, eta: any}} waiting */
function show(waiting) {
  if (waiting.phase === phases.gathering) return;
  clearInterval(ticking);
  const label = /** @type {HTMLElement | null} */ (line.querySelector(".label"));
  const isPaused = waiting.message !== null;
  if (label) tell(label, isPaused ? "The line stands still" : "You come in, most likely, in");
  tell(big, isPaused ? "Paused" : wait(waiting.eta));
  document.title = `${isPaused ? "Paused" : wait(waiting.eta)} · ${title}`;
  tell(said, waiting.message ?? (waiting.eta
    ? `Nine of ten fans where you are come in within ${minutes(waiting.eta.at_most_minutes)}. This page lets you in by itself.`
    : "Nobody knows yet how fast it goes. This page says so as soon as it does, and lets you in by itself."));
}

function ring() {
  if (!audio) return;
  TONES.forEach((tone, number) => {
    const at = /** @type {AudioContext} */ (audio).currentTime + number * 0.25;
    const oscillator = /** @type {AudioContext} */ (audio).createOscillator();
    const gain = /** @type {AudioContext} */ (audio).createGain();
    oscillator.frequency.value = tone;
    gain.gain.setValueAtTime(0.2, at);
    gain.gain.exponentialRampToValueAtTime(0.001, at + 0.5);
    oscillator.connect(gain).connect(/** @type {AudioContext} */ (audio).destination);
    oscillator.start(at);
    oscillator.stop(at + 0.5);
  });
}

/** @param {{ends_at: string}} admitted */
function comeIn(admitted) {
  clearInterval(ticking);
  const seats = `/events/${event}/seats`;
  const until = new Date(admitted.ends_at).toLocaleTimeString([], { hour: "2-digit", minute: "2-digit" });
  line.querySelector(".label")?.remove();
  big.textContent = "It is your turn";
  said.textContent = `Choose your seats: you have until ${until} by your clock.`;
  const button = Object.assign(document.createElement("a"), { className: "button", href: seats, textContent: "Choose your seats" });
  said.after(button);
  document.title = `It is your turn · ${title}`;
  ring();
  const go = () => document.visibilityState === "visible" && setTimeout(() => location.assign(seats), GO_MS);
  document.addEventListener("visibilitychange", go);
  go();
}

async function ask() {
  try {
    const answer = await fetch(`/api/v1/events/${event}/enter`, { method: "POST", body: "{}", cache: "no-store" });
    if (answer.status >= 500 || answer.status === 429) {
      throw Object.assign(new Error(String(answer.status)), { after: Number(answer.headers.get("retry-after")) * 1000 });
    }
    const told = await answer.json();
    tell(trouble, "");
    if (answer.status === 200) comeIn(told);
    else if (answer.status === 202) {
      show(told);
      setTimeout(ask, told.poll_seconds * 1000);
    } else location.reload();
  } catch (error) {
    tell(trouble, "We cannot reach the waiting room at the moment. Your place stays yours; we try again.");
    setTimeout(ask, Math.max(/** @type {any} */ (error).after || 0, RETRY_MS) * (1 + Math.random()));
  }
}

/** What is left of each section, in the words of what_is_left.py. @param {number} left @param {number} seats */
function howMuch(left, seats) {
  if (left === 0) return "gone";
  if (left <= Math.min(20, seats * 0.1)) return "last few";
  return left >= 10 && left >= seats * 0.4 ? "plenty" : "some";
}

async function count() {
  const answer = await fetch(`/api/v1/events/${event}/availability`).catch(() => null);
  if (!answer?.ok) return;
  const { sections } = await answer.json();
  const places = new Map([...document.querySelectorAll("[data-section]")].map((place) => [/** @type {HTMLElement} */ (place).dataset.section, place]));
  for (const { section, available } of sections) {
    const place = /** @type {HTMLElement | undefined} */ (places.get(section));
    const word = place?.querySelector("strong");
    if (!place || !word) continue;
    const much = howMuch(available, Number(place.dataset.seats));
    tell(word, much);
    word.className = much.replace(" ", "-");
  }
}

const ends = Date.now() + Number(line.dataset.left) * 1000;
const ticking = setInterval(() => {
  if (!line.dataset.left) return clearInterval(ticking);
  const left = Math.max(0, Math.round((ends - Date.now()) / 1000));
  big.textContent = left ? timeLeft(left) : "Now";
  if (left === 0) {
    clearInterval(ticking);
    if (!isWaiting) setTimeout(() => location.reload(), 1000 + Math.random() * 4000);
  }
}, 1000);

if (isWaiting) setTimeout(ask, Number(line.dataset.poll) * 1000);
else if (!line.dataset.left && line.dataset.standing === "sold out") setTimeout(() => location.reload(), Number(line.dataset.poll) * 1000);
setInterval(count, SECTIONS_MS);
sound?.closest("p")?.removeAttribute("hidden");
sound?.addEventListener("change", () => {
  audio = sound.checked ? new AudioContext() : null;
  ring();
});
