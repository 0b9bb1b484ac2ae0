// Ticks the countdown that the server wrote. Without it the page says the same, only standing still.

import { timeLeft } from "./time-left.js";

const RELOAD_SPREAD_MS = 4000; // fans who wait together do not come back in the same instant

for (const timer of /** @type {NodeListOf<HTMLElement>} */ (document.querySelectorAll("[data-seconds]"))) {
  const ends = Date.now() + Number(timer.dataset.seconds) * 1000;
  const ticking = setInterval(() => {
    const left = Math.max(0, Math.round((ends - Date.now()) / 1000));
    timer.textContent = timeLeft(left);
    if (left === 0) {
      clearInterval(ticking);
      timer.textContent = "Now";
      setTimeout(() => location.reload(), 1000 + Math.random() * RELOAD_SPREAD_MS);
    }
  }, 1000);
}
