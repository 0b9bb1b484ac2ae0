// Ticks the time that held seats are held for, warns before it is over, and shows what has become of them after it. The
// time was told by the server, whose clock decides; without this the page says until when.

import { timeLeft } from "./time-left.js";

const WARNINGS = /** @type {const} */ ([
  // at so many seconds, in these words, and whether they interrupt whoever listens
  [60, "One minute left.", true],
  [120, "Two minutes left.", false],
]);
const LOOK_AGAIN_MS = 3000;

const timer = /** @type {HTMLElement} */ (document.querySelector("[data-left]"));
const warning = /** @type {HTMLElement} */ (document.getElementById("warning"));
const [loaded] = /** @type {PerformanceNavigationTiming[]} */ (performance.getEntriesByType("navigation"));
const ends = performance.timeOrigin + (loaded?.responseStart ?? 0) + Number(timer.dataset.left) * 1000;
const title = document.title;
let warned = Infinity;

/** @param {number} left */
function warn(left) {
  const due = WARNINGS.find(([seconds]) => left <= seconds);
  if (!due || due[0] >= warned || left === 0) return;
  const [seconds, words, isUrgent] = due;
  warned = seconds;
  warning.setAttribute("aria-live", isUrgent ? "assertive" : "polite");
  warning.textContent = `${words} What is not paid for by then goes back on sale.`;
}

/** What has become of them. Where nobody answers, the page stays and says so. */
async function look() {
  try {
    const answer = await fetch(location.href, { cache: "no-store" });
    if (answer.ok) location.reload();
    else throw new Error(String(answer.status));
  } catch {
    warning.textContent = "The time is over, and we cannot reach Frontrow at the moment. Nothing was charged. We try again.";
    setTimeout(look, LOOK_AGAIN_MS);
  }
}

function tick() {
  const left = Math.max(0, Math.floor((ends - Date.now()) / 1000));
  timer.textContent = timeLeft(left);
  document.title = `${timeLeft(left)} · ${title}`;
  warn(left);
  if (left > 0) return;
  clearInterval(ticking);
  setTimeout(look, Math.max(0, ends - Date.now()));
}

const ticking = setInterval(tick, 1000);
tick();
addEventListener("pageshow", ({ persisted }) => persisted && location.reload());
