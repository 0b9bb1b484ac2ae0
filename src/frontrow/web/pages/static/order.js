// Asks how a payment stands, and shows the page anew when that is decided. Without this the page reloads itself.

const ASK_AGAIN_MS = 1500;
const standing = /** @type {HTMLElement} */ (document.querySelector("[data-order]"));
const warning = /** @type {HTMLElement} */ (document.getElementById("warning"));

async function ask() {
  try {
    const answer = await fetch(`${location.pathname}/standing${location.search}`, { cache: "no-store" });
    if (!answer.ok) throw new Error(String(answer.status));
    const { phase } = /** @type {{ phase: string }} */ (await answer.json());
    if (phase !== standing.dataset.phase) {
      location.replace(location.pathname);
      return;
    }
    warning.textContent = "";
  } catch {
    warning.textContent = "We cannot reach Frontrow at the moment. Your payment goes on without this page. We try again.";
  }
  setTimeout(ask, ASK_AGAIN_MS);
}

setTimeout(ask, ASK_AGAIN_MS);
addEventListener("pageshow", ({ persisted }) => persisted && location.reload());
