// How long a Job would take if it ran again.

import { get } from "./api.js";
import { h, setText } from "./dom.js";
import { duration } from "./format.js";

const ROOT = "/console/api/";

function figure(name, value) {
  return h("div", {}, h("dt", {}, name), h("dd", { class: "num" }, value));
}

function result(found) {
  const took = found.seconds;
  const complete = `${Math.round(1000 * found.complete) / 10}%`;
  const spans = [took.p50, took.p90, took.p99].map(duration);
  return [
    h(
      "dl",
      { class: "facts" },
      figure("Chance to complete", complete),
      figure("Median", spans[0]),
      figure("p90", spans[1]),
      figure("p99", spans[2]),
    ),
    h("img", {
      class: "distribution",
      src: ROOT + found.picture,
      alt: `Distribution of the wall times of ${found.runs} simulated runs: median ${spans[0]}, p90 ${spans[1]}, p99 ${spans[2]}; ${complete} are Complete.`,
    }),
    h("p", { class: "muted num" }, found.like),
    found.warning ? h("p", { class: "muted" }, found.warning) : null,
  ];
}

function command(found) {
  return found.command
    ? [
        h("p", { class: "muted" }, "The same at a shell, with the Job's file:"),
        h("pre", { class: "command", tabindex: "0", "aria-label": "The command" }, found.command),
      ]
    : [];
}

function sentence(text) {
  return `${text.charAt(0).toUpperCase()}${text.slice(1)}.`;
}

/**
 * A panel that simulates the Job when it is opened, and stops when it is closed.
 *
 * @param path of the Job
 */
export function simulationPanel(path) {
  let asked = null;
  const state = h("p", { class: "muted", role: "status" });
  const content = h("div", {});
  const element = h(
    "details",
    { class: "panel simulation" },
    h("summary", {}, h("h2", {}, "If it ran again")),
    state,
    content,
  );

  function stop() {
    asked?.abort();
    asked = null;
  }

  async function simulate() {
    stop();
    const mine = new AbortController();
    asked = mine;
    content.replaceChildren();
    setText(state, "Simulating…");
    try {
      const found = await (await get(`jobs/${path}/simulation`, { signal: mine.signal })).json();
      if (asked === mine) {
        setText(
          state,
          found.why
            ? sentence(found.why)
            : `${found.runs} simulated runs, with attempts drawn from those of this Job.`,
        );
        content.append(...[...(found.why ? [] : result(found)), ...command(found)].filter(Boolean));
      }
    } catch (refused) {
      if (asked === mine) {
        setText(state, refused.message);
      }
    }
  }

  element.addEventListener("toggle", () => (element.open ? simulate() : stop()));
  return { element, close: stop };
}
