// The items of a Job's indexes.

import { json } from "./api.js";
import { h, setText } from "./dom.js";

/**
 * Reads the item of each index once.
 *
 * @param job the Job's path, such as default/hello
 */
export function itemNames(job) {
  const known = new Map();
  return {
    /** Returns an element that shows the item as soon as it has been read. */
    of(index) {
      const name = known.get(index) ?? h("span", { class: "item" });
      if (!known.has(index)) {
        known.set(index, name);
        json(`jobs/${job}/items?index=${index}`)
          .then((found) => setText(name, found.items[0]?.item ?? ""))
          .catch(() => known.delete(index));
      }
      return name;
    },
  };
}

/**
 * A search of the indexes by what they work on.
 *
 * @param job the Job's path
 * @param choose is told the index that was found and chosen
 */
export function itemSearch(job, choose) {
  let asked = 0;
  let later = 0;
  const results = h("ul", { class: "found-items", hidden: true });
  const note = h("span", { class: "muted num", role: "status" });
  const search = h("input", {
    type: "search",
    class: "find-item",
    placeholder: "Find item…",
    "aria-label": "Find indexes by what they work on",
    oninput: () => {
      clearTimeout(later);
      later = setTimeout(load, 250);
    },
  });

  async function load() {
    const mine = ++asked;
    const text = search.value;
    if (text === "") {
      results.hidden = true;
      setText(note, "");
      return;
    }
    try {
      const found = await json(`jobs/${job}/items?text=${encodeURIComponent(text)}`);
      if (mine === asked) {
        results.hidden = false;
        setText(note, found.items.length === 0 ? "no such item" : "");
        results.replaceChildren(...found.items.map(result));
      }
    } catch (refused) {
      setText(note, refused.message);
    }
  }

  const result = (each) =>
    h(
      "li",
      {},
      h(
        "button",
        { type: "button", class: "quiet", onclick: () => choose(each.index) },
        `Index ${each.index}`,
      ),
      h("span", { class: "item" }, each.item),
    );

  return {
    element: h("div", { class: "item-search", hidden: true }, search, note, results),
    close: () => clearTimeout(later),
  };
}
