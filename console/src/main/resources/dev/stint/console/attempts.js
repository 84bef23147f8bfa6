// The attempts of an index, or of a Job without indexes, and the log of one of them.

import { json } from "./api.js";
import { h, setText } from "./dom.js";
import { brief, bytes, clock, count, exitWords, going, now, seconds } from "./format.js";
import { logView } from "./log.js";
import { seldom } from "./seldom.js";

const WORDS = {
  waiting: "Waiting",
  running: "Running",
  succeeded: "Succeeded",
  failed: "Failed",
  stopped: "Stopped",
  unknown: "Unknown",
};

/** @param job the Job's path, such as default/hello */
export function attemptsPanel(job, onclose) {
  let index = null;
  let rows = [];
  let chosen = null;
  let asked = 0;
  let followEnd = null;

  const log = logView();
  const title = h("h2", { tabindex: "-1" });
  const note = h("p", { class: "muted" });
  const body = h("tbody");
  const table = h(
    "table",
    { class: "attempts" },
    h(
      "thead",
      {},
      h(
        "tr",
        {},
        ...["Attempt", "Result", "Exit", "Started", "Took", "Log", "Pod"].map((name, i) =>
          h("th", { scope: "col", class: i === 0 || (i > 1 && i < 6) ? "num" : "" }, name),
        ),
      ),
    ),
    body,
  );
  const close = h(
    "button",
    { type: "button", class: "quiet", onclick: () => onclose?.() },
    "Close",
  );
  const element = h(
    "section",
    { class: "panel attempts-panel", hidden: true, "aria-live": "off" },
    h("div", { class: "panel-head" }, title, onclose ? close : null),
    note,
    h("div", { class: "split" }, table, log.element),
  );

  const key = (each) => `${each.pod}/${each.container}/${each.run}`;

  function latest(each) {
    return !rows.some(
      (other) =>
        other.pod === each.pod && other.container === each.container && other.run > each.run,
    );
  }

  function choose(each) {
    chosen = key(each);
    [...body.children].forEach((row) =>
      row.setAttribute("aria-current", row.dataset.key === chosen ? "true" : "false"),
    );
    const live = each.state === "running" || each.state === "waiting";
    followEnd = live ? chosen : null;
    const several = new Set(rows.map((row) => row.container)).size > 1;
    log.show({
      job,
      pod: each.pod,
      container: each.container,
      run: each.run,
      latest: latest(each),
      live,
      title: `${index === null ? each.pod : `Attempt ${each.attempt}`}${several ? `, ${each.container}` : ""}`,
    });
  }

  function row(each) {
    const took =
      each.seconds === undefined
        ? "–"
        : each.state === "running"
          ? going(now() - seconds(each.startedAt))
          : brief(each.seconds);
    const several = new Set(rows.map((other) => other.container)).size > 1;
    return h(
      "tr",
      { "data-key": key(each), onclick: () => choose(each), "aria-current": "false" },
      h(
        "th",
        { scope: "row", class: "num" },
        h(
          "button",
          { type: "button", class: "row-pick", "aria-label": `Log of attempt ${each.attempt}` },
          String(each.attempt),
        ),
      ),
      h(
        "td",
        {},
        h("span", { class: `result r-${each.state}` }, WORDS[each.state] ?? each.state),
        each.why ? h("small", {}, each.why) : null,
        several ? h("small", {}, `container ${each.container}`) : null,
      ),
      h(
        "td",
        { class: "num" },
        each.exitCode === undefined
          ? each.signal === undefined
            ? "–"
            : `signal ${each.signal}`
          : String(each.exitCode),
        exitWords(each.exitCode) ? h("small", {}, exitWords(each.exitCode)) : null,
      ),
      h("td", { class: "num" }, each.startedAt ? clock(each.startedAt) : "–"),
      h("td", { class: "num" }, took),
      h("td", { class: "num" }, each.logBytes === undefined ? "–" : bytes(each.logBytes)),
      h(
        "td",
        { class: "pod" },
        each.pod,
        index === null && each.item !== undefined ? h("small", {}, each.item) : null,
        each.devices === undefined ? null : h("small", {}, each.devices),
      ),
    );
  }

  /** Reads the attempts (again), and shows the log of the last one if none is chosen. */
  async function load() {
    const mine = ++asked;
    try {
      const found = await json(`jobs/${job}/attempts${index === null ? "" : `?index=${index}`}`);
      if (mine !== asked) {
        return;
      }
      rows = found.attempts;
      const item = index === null ? undefined : rows.find((each) => each.item !== undefined)?.item;
      if (index !== null) {
        setText(title, item === undefined ? `Index ${index}` : `Index ${index}: ${item}`);
      }
      const words = index === null ? count(found.total, "attempt", "attempts") : "";
      setText(
        note,
        rows.length === 0
          ? "There are no attempts yet, or their records have been deleted."
          : found.total > rows.length
            ? `${words}, the last ${rows.length} of them`
            : words,
      );
      const held = document.activeElement?.closest?.("tr")?.dataset.key;
      body.replaceChildren(...rows.map(row));
      table.hidden = log.element.hidden = rows.length === 0;
      if (held) {
        [...body.children]
          .find((each) => each.dataset.key === held)
          ?.querySelector("button")
          ?.focus();
      }
      const same = rows.find((each) => key(each) === chosen);
      if (!same && rows.length) {
        choose(rows.at(-1));
      } else if (
        same &&
        followEnd === null &&
        rows.at(-1) !== same &&
        rows.at(-1).state === "running" &&
        key(rows.at(-2) ?? same) === chosen
      ) {
        choose(rows.at(-1));
      } else if (same) {
        [...body.children].forEach((each) =>
          each.setAttribute("aria-current", each.dataset.key === chosen ? "true" : "false"),
        );
        if (followEnd === chosen && same.state !== "running" && same.state !== "waiting") {
          followEnd = null;
        }
      }
    } catch (refused) {
      setText(note, refused.message);
    }
  }

  const loadSoon = seldom(load, 250);
  return {
    element,
    /** Shows the attempts of an index; null for the whole Job. */
    show(of, focus) {
      index = of;
      chosen = null;
      log.clear();
      body.replaceChildren();
      element.hidden = false;
      setText(title, of === null ? "Attempts" : `Index ${of}`);
      setText(note, "Reading…");
      table.hidden = log.element.hidden = true;
      if (focus) {
        title.focus({ preventScroll: true });
        element.scrollIntoView({
          block: "nearest",
          behavior: matchMedia("(prefers-reduced-motion: reduce)").matches ? "auto" : "smooth",
        });
      }
      return load();
    },
    /** Reads the attempts again, soon. */
    reload() {
      if (!element.hidden) {
        loadSoon();
      }
    },
    hide() {
      element.hidden = true;
      loadSoon.cancel();
      index = null;
      log.clear();
    },
    close() {
      loadSoon.cancel();
      log.stop();
    },
  };
}
