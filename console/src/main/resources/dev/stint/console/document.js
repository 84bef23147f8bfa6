// The document of an object.

import { get } from "./api.js";
import { h, setText, toast } from "./dom.js";
import { seldom } from "./seldom.js";

/**
 * A panel that opens to an object as YAML or JSON.
 *
 * @param path of the document, up to its format
 */
export function documentPanel(path, label) {
  let format = "yaml";
  let revision = null;
  const text = h("pre", {
    class: "document",
    tabindex: "0",
    "aria-label": label,
  });
  const buttons = ["yaml", "json"].map((name) =>
    h(
      "button",
      {
        type: "button",
        "aria-pressed": name === format ? "true" : "false",
        onclick: () => choose(name),
      },
      name.toUpperCase(),
    ),
  );
  const copy = h(
    "button",
    {
      type: "button",
      class: "quiet",
      onclick: async () => {
        try {
          await navigator.clipboard.writeText(text.textContent);
          toast("Copied");
        } catch {
          toast("The browser does not allow copying: select the text and copy it", true);
        }
      },
    },
    "Copy",
  );
  const element = h(
    "details",
    { class: "panel" },
    h("summary", {}, h("h2", {}, "Document")),
    h("div", { class: "groups" }, ...buttons, copy),
    text,
  );

  function choose(name) {
    format = name;
    buttons.forEach((button) =>
      button.setAttribute(
        "aria-pressed",
        button.textContent === name.toUpperCase() ? "true" : "false",
      ),
    );
    load();
  }

  async function load() {
    try {
      setText(text, await (await get(`${path}format=${format}`)).text());
    } catch (refused) {
      setText(text, refused.message);
    }
  }

  const loadSoon = seldom(load, 1000);
  element.addEventListener("toggle", () => element.open && load());
  return {
    element,
    show(now) {
      if (now !== revision && element.open) {
        loadSoon();
      }
      revision = now;
    },
    close: loadSoon.cancel,
  };
}
