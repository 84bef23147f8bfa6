// The kinds that CustomResourceDefinitions define, their objects, and each object as a document.

import { json } from "./api.js";
import { documentPanel } from "./document.js";
import { h, setText } from "./dom.js";
import { age, count, now, number, seconds } from "./format.js";

const encoded = (...parts) => parts.map(encodeURIComponent).join("/");
const pageOf = (...parts) => `/console/kinds/${encoded(...parts)}`;

function table(caption, titles, rows) {
  return h(
    "table",
    { class: "jobs crons" },
    h("caption", { class: "unseen" }, caption),
    h("thead", {}, h("tr", {}, ...titles.map((title) => h("th", { scope: "col" }, title)))),
    h("tbody", {}, ...rows),
  );
}

const link = (href, text) => h("a", { href, "data-link": true }, text);

function kindRow(kind) {
  return h(
    "tr",
    {},
    h("th", { scope: "row", class: "c-name" }, link(pageOf(kind.name), kind.kind)),
    h("td", { "data-label": "api version" }, h("code", {}, kind.apiVersion)),
    h("td", { "data-label": "scope" }, kind.namespaced ? "Namespaces" : "Cluster"),
  );
}

/** The table of custom kinds below the list of Jobs; hidden while there are none. */
export function customKinds() {
  const element = h("section", { class: "cron-jobs kinds", hidden: true });
  json("kinds").then(
    ({ kinds }) => {
      element.hidden = kinds.length === 0;
      element.replaceChildren(
        h("h2", {}, "Custom resources"),
        table("Custom kinds, by name", ["Kind", "API version", "Scope"], kinds.map(kindRow)),
      );
    },
    () => {}, // Whoever may not read definitions misses nothing else of this page.
  );
  return { element };
}

const back = (href, text) => h("p", {}, link(href, text));

function page(title, ...above) {
  const note = h("p", { class: "muted" }, "Loading…");
  const element = h("section", {}, ...above, h("h1", {}, title), note);
  return { element, note };
}

function objectRow(kind, object) {
  const path = kind.namespaced
    ? pageOf(kind.name, object.namespace, object.name)
    : pageOf(kind.name, object.name);
  return h(
    "tr",
    {},
    h(
      "th",
      { scope: "row", class: "c-name" },
      link(path, object.name),
      h("small", {}, object.namespace),
    ),
    h(
      "td",
      { class: "num", "data-label": "created" },
      `${age(now() - seconds(object.createdAt))} ago`,
    ),
  );
}

/** The page of one kind: its objects. */
export function kindPage(name) {
  const { element, note } = page(name, back("/console/", "Jobs"));
  json(`kinds/${encoded(name)}`).then(
    (kind) => {
      setText(element.querySelector("h1"), kind.kind);
      const shown = kind.objects.length;
      setText(
        note,
        shown < kind.total
          ? `${number(shown)} of ${number(kind.total)} objects; kubectl get ${name} lists all`
          : count(kind.total, "object", "objects"),
      );
      element.append(
        table(
          `Objects of ${kind.kind}, by name`,
          ["Name", "Created"],
          kind.objects.map((object) => objectRow(kind, object)),
        ),
      );
    },
    (refused) => setText(note, refused.message),
  );
  return { element };
}

/** The page of one object: its document. */
export function objectPage(kind, namespace, name) {
  const { element, note } = page(name, back(pageOf(kind), kind));
  setText(note, namespace ? `in the namespace ${namespace}` : "in no namespace");
  const query = new URLSearchParams({ namespace, name });
  const doc = documentPanel(
    `kinds/${encoded(kind)}/document?${query}&`,
    "The object as a document",
  );
  element.append(doc.element);
  doc.element.open = true;
  return { element, close: doc.close };
}
