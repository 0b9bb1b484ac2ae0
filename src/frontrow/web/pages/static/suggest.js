// Names while they are typed, for every field that asks for them. Without it the field is one to type into and send.
//
// The field stays the one that has the focus; which of the names is meant, aria-activedescendant says.

const PAUSE_MS = 120; // between two letters of somebody who types; asking for each would be asking in vain
const MEANT_LETTERS_MIN = 2;

/** @typedef {{text: string, kind: "production" | "artist" | "venue" | "city", id: string}} Name */

/** @type {Record<Name["kind"], string>} */
const KINDS = { production: "Event", artist: "Artist", venue: "Venue", city: "City" };

/** @param {Name} name */
function addressOf(name) {
  if (name.kind === "artist") return `/search?${new URLSearchParams({ q: name.text })}`;
  const page = { production: "productions", venue: "venues", city: "cities" }[name.kind];
  return `/${page}/${name.id}`;
}

class Suggesting {
  /** @param {HTMLInputElement} field @param {string} id */
  constructor(field, id) {
    this.field = field;
    this.names = /** @type {Name[]} */ ([]);
    this.meant = -1;
    this.asking = new AbortController();
    this.pause = 0;
    this.list = document.createElement("ul");
    this.list.id = id;
    this.list.className = "suggestions";
    this.list.role = "listbox";
    this.list.ariaLabel = "Names that may be meant";
    this.list.hidden = true;
    field.after(this.list);
    field.role = "combobox";
    field.ariaAutoComplete = "list";
    field.ariaExpanded = "false";
    field.setAttribute("aria-controls", id);
    field.addEventListener("input", () => this.wait());
    field.addEventListener("keydown", (event) => this.key(event));
    field.addEventListener("blur", () => this.close());
    this.list.addEventListener("pointerdown", (event) => event.preventDefault()); // the field keeps the focus
    this.list.addEventListener("click", (event) => {
      const option = event.target instanceof Element && event.target.closest("li");
      if (option) this.go([...this.list.children].indexOf(option));
    });
  }

  wait() {
    clearTimeout(this.pause);
    this.asking.abort();
    const typed = this.field.value.trim();
    if (typed.length < MEANT_LETTERS_MIN) this.close();
    else this.pause = setTimeout(() => this.ask(typed), PAUSE_MS);
  }

  /** @param {string} typed */
  async ask(typed) {
    this.asking = new AbortController();
    try {
      const answer = await fetch(`/api/v1/search/suggest?${new URLSearchParams({ q: typed })}`, { signal: this.asking.signal });
      if (!answer.ok) return;
      const { suggestions } = await answer.json();
      if (document.activeElement === this.field) this.open(suggestions);
    } catch {
      // no network, or another letter: what was typed can be sent all the same
    }
  }

  /** @param {Name[]} names */
  open(names) {
    this.names = names;
    this.list.replaceChildren(...names.map((name, place) => this.option(name, place)));
    this.list.hidden = names.length === 0;
    this.field.ariaExpanded = String(names.length > 0);
    this.mean(-1);
  }

  /** @param {Name} name @param {number} place */
  option(name, place) {
    const option = document.createElement("li");
    const kind = document.createElement("small");
    option.id = `${this.list.id}-${place}`;
    option.role = "option";
    option.ariaSelected = "false";
    kind.textContent = KINDS[name.kind];
    option.append(name.text, " ", kind);
    return option;
  }

  close() {
    clearTimeout(this.pause);
    this.asking.abort();
    this.open([]);
  }

  /** @param {number} place */
  mean(place) {
    this.meant = place;
    for (const [other, option] of [...this.list.children].entries()) option.ariaSelected = String(other === place);
    if (place < 0) this.field.removeAttribute("aria-activedescendant");
    else this.field.setAttribute("aria-activedescendant", `${this.list.id}-${place}`);
  }

  /** @param {KeyboardEvent} event */
  key(event) {
    const many = this.names.length;
    if (many === 0 || event.isComposing) return;
    if (event.key === "ArrowDown") this.mean(this.meant + 1 < many ? this.meant + 1 : -1);
    else if (event.key === "ArrowUp") this.mean(this.meant < 0 ? many - 1 : this.meant - 1);
    else if (event.key === "Escape") this.close();
    else if (event.key === "Enter" && this.meant >= 0) this.go(this.meant);
    else return;
    event.preventDefault();
  }

  /** @param {number} place */
  go(place) {
    const name = this.names[place];
    if (name) location.assign(addressOf(name));
  }
}

for (const [place, field] of [...document.querySelectorAll("[data-suggest]")].entries()) {
  if (field instanceof HTMLInputElement) new Suggesting(field, `suggestions-${place}`);
}
