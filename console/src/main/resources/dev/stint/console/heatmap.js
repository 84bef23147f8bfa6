// The map of a Job's indexes: one cell each, on a canvas; only visible cells are drawn.

import { atNextFrame, h, setText } from "./dom.js";
import { count, number } from "./format.js";

/** The states, by the number that the server uses. */
export const STATES = [
  { name: "Not started", key: "none" },
  { name: "Waiting", key: "waiting" },
  { name: "Running", key: "running" },
  { name: "Succeeded", key: "succeeded" },
  { name: "To be retried", key: "retrying" },
  { name: "Failed", key: "failed" },
  { name: "Stopped", key: "stopped" },
];
const FAILED = 5;
const LEGEND = [3, 2, 1, 4, 5, 6, 0];
const PITCHES = [24, 20, 18, 16, 14, 12, 10, 9, 8, 7, 6, 5, 4, 3, 2];
const DIM = 0.16;

/** The margin for the ring around a cell at the edge. */
const INSET = 3;

/** Calls a function for each interval of a list such as 1,3-5. */
function intervals(text, each) {
  for (const part of text.split(",")) {
    const dash = part.indexOf("-");
    const first = Number(dash < 0 ? part : part.slice(0, dash));
    each(first, dash < 0 ? first : Number(part.slice(dash + 1)));
  }
}

/** @param pick is called with an index that the user chooses */
export function heatMap(pick) {
  let size = 0;
  let states = new Uint8Array(0);
  let attempts = new Uint16Array(0);
  const counts = new Array(STATES.length).fill(0);
  let cursor = 0;
  let hover = -1;
  let chosen = -1;
  let only = -1;
  let zoom = 0;
  let pitch = 10;
  let columns = 1;
  let width = 0;
  let colours = null;
  let focused = false;

  const canvas = h("canvas", { "aria-hidden": "true" });
  const spacer = h("div", { class: "spacer" }, canvas);
  const tip = h("div", { class: "tip", hidden: true });
  const view = h(
    "div",
    {
      class: "map",
      id: "map",
      role: "slider",
      tabindex: "0",
      "aria-label":
        "Indexes. Arrow keys move, Enter shows attempts and logs, F goes to the next failed one",
      "aria-orientation": "horizontal",
      "aria-valuemin": "0",
    },
    spacer,
  );
  const status = h("p", { class: "map-status num" });
  const buttons = LEGEND.map((state) => {
    const number = h("span", { class: "num" });
    const button = h(
      "button",
      { type: "button", "aria-pressed": "false", class: "key", onclick: () => filter(state) },
      h("i", { class: `cell ${STATES[state].key}` }),
      `${STATES[state].name} `,
      number,
    );
    return { state, button, number };
  });
  const nextFailed = h(
    "button",
    { type: "button", class: "quiet", onclick: () => seek(1, true) },
    "Next failed",
  );
  const smaller = h(
    "button",
    {
      type: "button",
      class: "quiet square",
      "aria-label": "Smaller cells",
      onclick: () => zoomBy(-1),
    },
    "−",
  );
  const larger = h(
    "button",
    {
      type: "button",
      class: "quiet square",
      "aria-label": "Larger cells",
      onclick: () => zoomBy(1),
    },
    "+",
  );
  const element = h(
    "div",
    { class: "heat" },
    h(
      "div",
      { class: "legend", role: "group", "aria-label": "Filter by state" },
      ...buttons.map((each) => each.button),
    ),
    h("div", { class: "map-frame" }, view, tip),
    h(
      "div",
      { class: "map-foot" },
      status,
      h("span", { class: "tools" }, nextFailed, smaller, larger),
    ),
  );

  /** Describes an index. */
  function words(index) {
    const known = attempts[index];
    return `Index ${number(index)}: ${STATES[states[index]].name.toLowerCase()}${known ? `, ${known === 1 ? "attempt 1" : `attempt ${known}`}` : ""}`;
  }

  function readColours() {
    const probe = h("i", { hidden: true });
    element.append(probe);
    const of = (name) => {
      probe.style.color = `var(${name})`;
      return getComputedStyle(probe).color;
    };
    colours = {
      ink: of("--ink"),
      paper: of("--panel"),
      states: STATES.map((state) => of(`--cell-${state.key}`)),
    };
    probe.remove();
    colours.pixels = colours.states.map((colour, state) => {
      const [red, green, blue] = colour.match(/[\d.]+/g).map(Number);
      const alpha = only < 0 || only === state ? 255 : Math.round(255 * DIM);
      return ((alpha << 24) | (blue << 16) | (green << 8) | red) >>> 0;
    });
  }

  const columnsOf = (p) => Math.max(1, Math.floor((width - 2 * INSET) / p));

  function layout() {
    width = view.clientWidth;
    const most = matchMedia("(max-width: 700px)").matches ? 300 : 380;
    const fit = PITCHES.findIndex((p) => Math.ceil(size / columnsOf(p)) * p <= most);
    const at = (fit < 0 ? PITCHES.length - 1 : fit) - zoom;
    pitch = PITCHES[Math.max(0, Math.min(PITCHES.length - 1, at))];
    columns = columnsOf(pitch);
    view.dataset.columns = columns;
    view.dataset.pitch = pitch;
    const height = Math.ceil(size / columns) * pitch + 2 * INSET;
    const seen = Math.max(pitch, Math.min(height, most + 2 * INSET));
    view.style.height = `${seen}px`;
    spacer.style.height = `${height}px`;
    const ratio = devicePixelRatio || 1;
    canvas.style.width = `${width}px`;
    canvas.style.height = `${seen}px`;
    canvas.width = Math.round(width * ratio);
    canvas.height = Math.round(seen * ratio);
    smaller.disabled = pitch === PITCHES.at(-1);
    larger.disabled = pitch === PITCHES[0];
    paint();
  }

  function paint() {
    if (!colours) {
      readColours();
    }
    const context = canvas.getContext("2d");
    const ratio = devicePixelRatio || 1;
    const top = view.scrollTop;
    context.setTransform(ratio, 0, 0, ratio, 0, 0);
    context.clearRect(0, 0, width, canvas.height / ratio);
    context.translate(INSET, INSET);
    const first = Math.max(0, Math.floor(top / pitch) - 1) * columns;
    const last = Math.min(size, (Math.ceil((top + canvas.height / ratio) / pitch) + 1) * columns);
    const gap = pitch >= 12 ? 2 : pitch >= 4 ? 1 : 0;
    if (pitch < 6) {
      dots(context, first, last, top - INSET, pitch - gap, ratio);
    }
    for (let state = 0; pitch >= 6 && state < STATES.length; state++) {
      if (counts[state] > 0) {
        context.globalAlpha = only < 0 || only === state ? 1 : DIM;
        context.fillStyle = colours.states[state];
        squares(context, state, first, last, top, gap);
        if (pitch >= 10) {
          signs(context, state, first, last, top, pitch - gap);
        }
      }
    }
    context.globalAlpha = 1;
    ring(context, chosen, top, 2, gap);
    ring(context, hover, top, 1, gap);
    if (focused) {
      ring(context, cursor, top, 2, gap);
    }
  }

  const draw = atNextFrame(paint);

  /** Draws small cells pixel by pixel: with 100,000 of them, the time does not depend on the pattern. */
  function dots(context, first, last, top, side, ratio) {
    const { width: wide, height: high } = canvas;
    const image = context.createImageData(wide, high);
    const pixels = new Uint32Array(image.data.buffer);
    for (let row = first / columns; row * columns < last; row++) {
      const y0 = Math.round((row * pitch - top) * ratio);
      const y1 = Math.min(high, y0 + Math.max(1, Math.round(side * ratio)));
      const y = Math.max(0, y0);
      if (y >= y1) {
        continue;
      }
      const end = Math.min(columns, last - row * columns);
      for (let column = 0; column < end; column++) {
        const x0 = Math.round((column * pitch + INSET) * ratio);
        pixels.fill(
          colours.pixels[states[row * columns + column]],
          y * wide + x0,
          y * wide + x0 + Math.max(1, Math.round(side * ratio)),
        );
      }
      for (let copy = y + 1; copy < y1; copy++) {
        pixels.copyWithin(copy * wide, y * wide, (y + 1) * wide);
      }
    }
    context.putImageData(image, 0, 0);
  }

  function squares(context, state, first, last, top, gap) {
    for (let index = first; index < last; index++) {
      if (states[index] === state) {
        context.fillRect(
          (index % columns) * pitch,
          Math.floor(index / columns) * pitch - top,
          pitch - gap,
          pitch - gap,
        );
      }
    }
  }

  /** Draws a mark, so that no state is shown by colour alone. */
  function signs(context, state, first, last, top, side) {
    context.strokeStyle = colours.paper;
    context.fillStyle = colours.paper;
    context.lineWidth = Math.max(1.2, side / 9);
    const low = side * 0.28;
    const high = side - low;
    for (let index = first; index < last; index++) {
      if (states[index] !== state) {
        continue;
      }
      const x = (index % columns) * pitch;
      const y = Math.floor(index / columns) * pitch - top;
      context.beginPath();
      if (state === FAILED) {
        context.moveTo(x + low, y + low);
        context.lineTo(x + high, y + high);
        context.moveTo(x + high, y + low);
        context.lineTo(x + low, y + high);
      } else if (state === 4) {
        context.moveTo(x + low, y + high);
        context.lineTo(x + high, y + low);
      } else if (state === 2) {
        context.arc(x + side / 2, y + side / 2, side / 5.5, 0, 7);
        context.fill();
        continue;
      } else if (state === 1) {
        context.fillRect(x + 1.5, y + 1.5, side - 3, side - 3);
        continue;
      } else if (state === 6) {
        context.moveTo(x + low, y + side / 2);
        context.lineTo(x + high, y + side / 2);
      } else {
        continue;
      }
      context.stroke();
    }
  }

  function ring(context, index, top, thick, gap) {
    if (index >= 0 && index < size) {
      const x = (index % columns) * pitch;
      const y = Math.floor(index / columns) * pitch - top;
      context.lineWidth = thick + 2;
      context.strokeStyle = colours.paper;
      context.strokeRect(x - 1, y - 1, pitch - gap + 2, pitch - gap + 2);
      context.lineWidth = thick;
      context.strokeStyle = colours.ink;
      context.strokeRect(x - 1, y - 1, pitch - gap + 2, pitch - gap + 2);
    }
  }

  function at(event) {
    const box = view.getBoundingClientRect();
    const column = Math.floor((event.clientX - box.left - INSET) / pitch);
    const row = Math.floor((event.clientY - box.top - INSET + view.scrollTop) / pitch);
    const index = row < 0 ? -1 : row * columns + column;
    return column >= 0 && column < columns && index >= 0 && index < size ? index : -1;
  }

  function updateLabel() {
    const index = hover >= 0 ? hover : focused ? cursor : -1;
    setText(
      status,
      index >= 0
        ? words(index)
        : `${count(size, "index", "indexes")}${size > 0 ? `, 0 to ${number(size - 1)}` : ""}`,
    );
    view.setAttribute("aria-valuemax", Math.max(0, size - 1));
    view.setAttribute("aria-valuenow", cursor);
    view.setAttribute("aria-valuetext", size > 0 ? words(cursor) : "no indexes");
  }

  function moveTo(index) {
    cursor = Math.max(0, Math.min(size - 1, index));
    const y = Math.floor(cursor / columns) * pitch;
    if (y < view.scrollTop) {
      view.scrollTop = y;
    } else if (y + pitch + 2 * INSET > view.scrollTop + view.clientHeight) {
      view.scrollTop = y + pitch + 2 * INSET - view.clientHeight;
    }
    updateLabel();
    draw();
  }

  /** Moves to the nearest failed index in a direction, and wraps around. */
  function seek(direction, focus) {
    for (let step = 1; step <= size; step++) {
      const index = (((cursor + direction * step) % size) + size) % size;
      if (states[index] === FAILED) {
        if (focus) {
          view.focus();
        }
        moveTo(index);
        return;
      }
    }
  }

  function filter(state) {
    only = only === state ? -1 : state;
    colours = null;
    buttons.forEach((each) =>
      each.button.setAttribute("aria-pressed", each.state === only ? "true" : "false"),
    );
    draw();
  }

  function zoomBy(step) {
    zoom += step;
    layout();
    moveTo(cursor);
  }

  function choose(index) {
    cursor = index;
    chosen = index;
    updateLabel();
    draw();
    pick(index);
  }

  view.addEventListener("keydown", (event) => {
    const page = Math.max(1, Math.floor(view.clientHeight / pitch)) * columns;
    const moves = {
      ArrowRight: 1,
      ArrowLeft: -1,
      ArrowDown: columns,
      ArrowUp: -columns,
      PageDown: page,
      PageUp: -page,
    };
    if (event.ctrlKey || event.metaKey || event.altKey || size === 0) {
      return;
    }
    if (event.key in moves) {
      moveTo(cursor + moves[event.key]);
    } else if (event.key === "Home") {
      moveTo(0);
    } else if (event.key === "End") {
      moveTo(size - 1);
    } else if (event.key === "f" || event.key === "F") {
      seek(event.shiftKey ? -1 : 1);
    } else if (event.key === "Enter" || event.key === " ") {
      choose(cursor);
    } else {
      return;
    }
    event.preventDefault();
  });
  view.addEventListener(
    "focus",
    () => ((focused = view.matches(":focus-visible")), updateLabel(), draw()),
  );
  view.addEventListener("blur", () => ((focused = false), updateLabel(), draw()));
  view.addEventListener("scroll", draw, { passive: true });
  view.addEventListener("pointermove", (event) => {
    const index = at(event);
    const frame = view.getBoundingClientRect();
    tip.hidden = index < 0 || event.pointerType === "touch";
    if (index >= 0) {
      setText(tip, words(index));
      const x = event.clientX - frame.left;
      tip.style.left = `${Math.min(x + 14, Math.max(0, frame.width - tip.offsetWidth))}px`;
      tip.style.top = `${event.clientY - frame.top + 18}px`;
    }
    if (index !== hover) {
      hover = index;
      updateLabel();
      draw();
    }
  });
  view.addEventListener(
    "pointerleave",
    () => ((hover = -1), (tip.hidden = true), updateLabel(), draw()),
  );
  view.addEventListener("click", (event) => {
    const index = at(event);
    if (index >= 0) {
      choose(index);
    }
  });
  const sized = new ResizeObserver(() => view.clientWidth !== width && layout());
  sized.observe(view);
  const scheme = matchMedia("(prefers-color-scheme: dark)");
  const repaint = () => ((colours = null), draw());
  scheme.addEventListener("change", repaint);

  return {
    element,
    /** Applies changes: {size, all, set: [[state, attempts, "1,3-5"], …]}. Returns true if an index has changed. */
    take(frame) {
      const another = frame.size !== size;
      if (another || frame.all) {
        size = frame.size;
        states = new Uint8Array(size);
        attempts = new Uint16Array(size);
        counts.fill(0);
        counts[0] = size;
        cursor = Math.min(cursor, Math.max(0, size - 1));
      }
      let touched = false;
      for (const [state, tries, list] of frame.set) {
        intervals(list, (first, last) => {
          touched ||= chosen >= first && chosen <= last;
          for (let index = first; index <= last; index++) {
            counts[states[index]]--;
            counts[state]++;
            states[index] = state;
            attempts[index] = tries;
          }
        });
      }
      buttons.forEach((each) => {
        setText(each.number, number(counts[each.state]));
        each.button.hidden = counts[each.state] === 0 && only !== each.state;
      });
      nextFailed.hidden = counts[FAILED] === 0;
      updateLabel();
      if (another) {
        layout();
      } else {
        draw();
      }
      return touched;
    },
    /** Marks an index as chosen without calling pick. */
    mark(index) {
      chosen = index;
      if (index >= 0 && index < size) {
        moveTo(index);
      }
      draw();
    },
    focus: () => view.focus(),
    close() {
      sized.disconnect();
      scheme.removeEventListener("change", repaint);
    },
  };
}
