// Searching around where the fan is, for browsers that know. Where that is goes into the address, to a kilometre or so.

const DIGITS = 2; // of a degree: about a kilometre. Nobody needs to know the house
const WAIT_MS = 10_000;

const button = document.getElementById("near-me");
const said = document.getElementById("near-said");

if (button instanceof HTMLButtonElement && said && "geolocation" in navigator && isSecureContext) {
  button.hidden = false;
  button.addEventListener("click", () => {
    said.textContent = "Asking your browser where you are…";
    navigator.geolocation.getCurrentPosition(
      ({ coords }) => {
        const asked = new URLSearchParams(location.search);
        for (const name of ["postal_code", "country", "city", "cursor"]) asked.delete(name);
        asked.set("near", `${coords.latitude.toFixed(DIGITS)},${coords.longitude.toFixed(DIGITS)}`);
        asked.set("sort", "distance");
        location.assign(`/search?${asked}`);
      },
      () => {
        said.textContent = "Your browser does not say where you are. Type a postal code or choose a city instead.";
      },
      { timeout: WAIT_MS },
    );
  });
}
