// Builds elements without markup in strings: texts of Jobs are never interpreted.

const SVG = "http://www.w3.org/2000/svg";

function fill(element, props, children) {
  for (const [name, value] of Object.entries(props ?? {})) {
    if (value === undefined || value === null || value === false) {
      continue;
    }
    if (name.startsWith("on")) {
      element.addEventListener(name.slice(2), value);
    } else if (name === "value" || name === "checked" || name === "disabled" || name === "hidden") {
      element[name] = value;
    } else {
      element.setAttribute(name, value === true ? "" : String(value));
    }
  }
  element.append(
    ...children.flat().filter((child) => child !== null && child !== undefined && child !== false),
  );
  return element;
}

/** Creates an element with attributes, listeners (onclick: …) and children. */
export function h(tag, props, ...children) {
  return fill(document.createElement(tag), props, children);
}

/** Creates an SVG element in the same way. */
export function svg(tag, props, ...children) {
  return fill(document.createElementNS(SVG, tag), props, children);
}

/** Sets a text only if it differs, so that screen readers do not repeat it. */
export function setText(element, text) {
  if (element.textContent !== text) {
    element.textContent = text;
  }
}

/** Returns a function that schedules the task once for the next frame. */
export function atNextFrame(task) {
  let asked = false;
  return () => {
    if (!asked) {
      asked = true;
      requestAnimationFrame(() => {
        asked = false;
        task();
      });
    }
  };
}

/** Shows a short message at the edge of the page. */
export function toast(text, bad = false) {
  const element = h("p", { class: bad ? "toast bad" : "toast" }, text);
  document.getElementById("toasts").append(element);
  setTimeout(() => element.remove(), 6000);
}

const ICONS = {
  Running: ["M8 2.5a5.5 5.5 0 1 1-5.5 5.5"],
  Waiting: ["M8 2.5a5.5 5.5 0 1 1 0 11a5.5 5.5 0 1 1 0-11z", "M8 5v3l2 1.6"],
  Complete: ["M8 2a6 6 0 1 1 0 12a6 6 0 1 1 0-12z", "M5.2 8.2l2 2l3.8-4"],
  Failed: ["M8 2a6 6 0 1 1 0 12a6 6 0 1 1 0-12z", "M5.8 5.8l4.4 4.4M10.2 5.8l-4.4 4.4"],
  Suspended: ["M8 2a6 6 0 1 1 0 12a6 6 0 1 1 0-12z", "M6.4 5.8v4.4M9.6 5.8v4.4"],
  Deleting: ["M8 2a6 6 0 1 1 0 12a6 6 0 1 1 0-12z", "M5.3 8h5.4"],
};
ICONS.Succeeding = ICONS.Complete;
ICONS.Failing = ICONS.Failed;

/** Shows a Job's state by an icon and a word, never by colour alone. */
export function statePill(state) {
  return h(
    "span",
    { class: `pill s-${state.toLowerCase()}` },
    svg(
      "svg",
      { viewBox: "0 0 16 16", width: 14, height: 14, "aria-hidden": "true" },
      ...(ICONS[state] ?? ICONS.Waiting).map((d) => svg("path", { d })),
    ),
    state,
  );
}
