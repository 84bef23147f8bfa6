import { follow, get, json } from "./api.js";
import { actions } from "./actions.js";
import { attemptsPanel } from "./attempts.js";
import { throughputChart } from "./chart.js";
import { documentPanel } from "./document.js";
import { h, setText, statePill, toast } from "./dom.js";
import {
  brief,
  clock,
  count,
  duration,
  exitWords,
  going,
  number,
  rate,
  seconds,
  took,
} from "./format.js";
import { heatMap } from "./heatmap.js";
import { itemNames, itemSearch } from "./items.js";
import { progressBar } from "./list.js";
import { lastLogLines } from "./log.js";
import { simulationPanel } from "./simulation.js";

const MOST_DRAWN = 1_000_000;

function panel(title, ...content) {
  return h(
    "section",
    { class: "panel" },
    h("div", { class: "panel-head" }, h("h2", {}, title)),
    ...content,
  );
}

/** A list of numbers with their names. */
function facts() {
  const values = new Map();
  const element = h("dl", { class: "facts" });
  return {
    element,
    set(name, value, tone) {
      let [box, text] = values.get(name) ?? [];
      if (!box) {
        text = h("dd", { class: "num" });
        box = h("div", {}, h("dt", {}, name), text);
        values.set(name, [box, text]);
        element.append(box);
      }
      box.hidden = value === null;
      box.className = tone ?? "";
      if (value !== null) {
        setText(text, value);
      }
    },
  };
}

/** A time line of the creation, the start and the conditions of the Job. */
function timeline() {
  const element = h("ol", { class: "timeline" });
  return {
    element,
    show(job) {
      const begun = seconds(job.createdAt);
      const points = [
        {
          at: job.createdAt,
          name: "Created",
          words: job.from ? `as a rerun of ${job.from.words}` : "",
        },
      ];
      if (job.startedAt) {
        points.push({ at: job.startedAt, name: "Started", words: "" });
      }
      job.conditions.forEach((each) =>
        points.push({
          at: each.at,
          name: each.status === "True" ? each.type : `${each.type} is False`,
          reason: each.reason,
          words: each.message,
          tone: each.status === "True" ? each.type.toLowerCase() : "",
        }),
      );
      points.sort((one, other) => (one.at ?? "").localeCompare(other.at ?? ""));
      element.replaceChildren(
        ...points.map((each) =>
          h(
            "li",
            { class: each.tone ? `t-${each.tone}` : "" },
            h(
              "time",
              { class: "num", datetime: each.at ?? "", title: each.at ?? "" },
              each.at ? `+${going(seconds(each.at) - begun)}` : "",
            ),
            h(
              "div",
              {},
              h("strong", {}, each.name),
              each.reason && each.reason !== each.name
                ? h("span", { class: "reason" }, each.reason)
                : null,
              each.at ? h("span", { class: "muted num" }, clock(each.at)) : null,
              each.words ? h("p", {}, each.words) : null,
            ),
          ),
        ),
      );
    },
  };
}

function eventList() {
  const element = h("div", {}, h("p", { class: "muted" }, "Reading…"));
  return {
    element,
    show(events, refused) {
      if (refused) {
        element.replaceChildren(h("p", { class: "muted" }, refused));
      } else if (events.length) {
        element.replaceChildren(
          h(
            "ul",
            { class: "events" },
            ...events
              .toReversed()
              .map((each) =>
                h(
                  "li",
                  { class: each.type === "Warning" ? "warning" : "" },
                  h(
                    "time",
                    { class: "num muted", datetime: each.at ?? "" },
                    each.at ? clock(each.at) : "",
                  ),
                  h(
                    "div",
                    {},
                    h("strong", {}, each.reason),
                    each.count > 1
                      ? h("span", { class: "muted num" }, `${number(each.count)} times`)
                      : null,
                    h("p", {}, each.message),
                  ),
                ),
              ),
          ),
        );
      } else {
        element.replaceChildren(h("p", { class: "muted" }, "There are no events yet."));
      }
    },
  };
}

/** Describes the progress in quarters, so that screen readers announce it rarely. */
function quarters(job) {
  const quarter =
    job.completions && !job.endedAt ? Math.floor((4 * job.succeeded) / job.completions) : 0;
  return quarter ? `${25 * quarter}% have succeeded` : "";
}

/** The page of one Job. */
export function jobPage(namespace, name, session) {
  const path = `${encodeURIComponent(namespace)}/${encodeURIComponent(name)}`;
  let job = null;
  let shownIndex = false;

  const state = h("span", { role: "status" });
  const milestone = h("p", { class: "unseen", role: "status" });
  const buttons = actions(path);
  buttons.hide(session.readOnly);
  const numbers = facts();
  const bar = progressBar({ succeeded: 0, failed: 0, active: 0, failedIndexes: 0 });
  const why = h("div", { class: "why", hidden: true, role: "status" });
  const from = h("p", { class: "muted from", hidden: true });
  const map = heatMap((index) => choose(index, true));
  const mapNote = h("p", { class: "muted", hidden: true });
  const finder = itemSearch(path, (index) => choose(index, true));
  const failedList = h("p", { class: "failed-list num", hidden: true });
  const mapPanel = h(
    "section",
    { class: "panel", hidden: true },
    h("div", { class: "panel-head" }, h("h2", {}, "Indexes")),
    finder.element,
    map.element,
    mapNote,
    failedList,
  );
  const attempts = attemptsPanel(path, () => choose(-1));
  const chart = throughputChart();
  const line = timeline();
  const events = eventList();
  const failures = h("ul", { class: "failures" });
  const failuresPanel = panel("Last failures", failures);
  failuresPanel.hidden = true;
  const lastLines = lastLogLines(path);
  const names = itemNames(path);
  const policies = h("p", { class: "policies" });
  const again = session.simulates ? simulationPanel(path) : null;
  const doc = documentPanel(`jobs/${path}/document?`, "The Job as a document");
  const element = h(
    "article",
    { class: "job loading" },
    h(
      "nav",
      { class: "crumbs", "aria-label": "Location" },
      h("a", { href: "/console/", "data-link": true }, "Jobs"),
      " / ",
      namespace,
    ),
    h("div", { class: "head" }, h("h1", {}, name), state, buttons.element),
    h("p", { class: "muted reading" }, "Reading…"),
    from,
    why,
    h(
      "section",
      { class: "panel summary", "aria-label": "Summary" },
      numbers.element,
      bar,
      milestone,
    ),
    mapPanel,
    attempts.element,
    h(
      "div",
      { class: "columns" },
      panel("Throughput", chart.element),
      panel("Time line", line.element),
    ),
    h("div", { class: "columns" }, failuresPanel, panel("Events", events.element)),
    again?.element ?? "",
    panel("Policies", policies),
    doc.element,
  );

  function choose(index, focus) {
    map.mark(index);
    const url = new URL(location.href);
    if (index >= 0) {
      url.searchParams.set("index", index);
      attempts.show(index, focus);
    } else {
      url.searchParams.delete("index");
      attempts.hide();
      map.focus();
    }
    history.replaceState(null, "", url);
  }

  function tick() {
    if (job) {
      const span = took(job);
      numbers.set(
        job.endedAt ? "Took" : "Elapsed",
        span === null ? "–" : job.endedAt ? duration(Math.round(span)) : going(span),
      );
      numbers.set(job.endedAt ? "Elapsed" : "Took", null);
      chart.tick();
    }
  }

  function show(current) {
    const first = !job;
    job = current;
    element.classList.remove("loading");
    if (state.dataset.state !== job.state + (job.reason ?? "")) {
      state.dataset.state = job.state + (job.reason ?? "");
      state.replaceChildren(
        statePill(job.state),
        job.reason ? h("span", { class: "muted" }, ` ${job.reason}`) : "",
      );
    }
    document.title = `${job.completions ? `${Math.floor((100 * job.succeeded) / job.completions)}% ` : ""}${job.name} · Stint`;
    buttons.show(job);
    numbers.set(
      "Succeeded",
      job.completions === undefined
        ? number(job.succeeded)
        : `${number(job.succeeded)} / ${number(job.completions)}`,
    );
    numbers.set(
      "Indexes failed",
      job.indexed && (job.failedIndexes || job.failedIndexList) ? number(job.failedIndexes) : null,
      job.failedIndexes ? "bad" : "",
    );
    numbers.set("Pods failed", number(job.failed), job.failed ? "warn" : "");
    numbers.set(
      "Running",
      job.endedAt
        ? null
        : `${number(job.ready)}${job.active > job.ready ? ` + ${number(job.active - job.ready)} not ready` : ""}`,
    );
    numbers.set("Stopping", job.terminating ? number(job.terminating) : null);
    numbers.set(
      "Parallelism",
      job.endedAt || job.parallelism === undefined ? null : number(job.parallelism),
    );
    numbers.set("Rate", job.ratePerSecond === undefined ? "–" : rate(job.ratePerSecond));
    numbers.set(
      "Time left",
      job.endedAt ? null : job.secondsLeft === undefined ? "–" : going(job.secondsLeft),
    );
    bar.show(job);
    setText(milestone, quarters(job));
    tick();
    const sentences = job.why.filter(Boolean);
    why.hidden = sentences.length === 0;
    why.className = `why s-${job.state.toLowerCase()}`;
    const words = sentences.join("\n");
    if (why.dataset.words !== words) {
      why.dataset.words = words;
      why.replaceChildren(
        ...sentences.map((each) => h("p", {}, each.charAt(0).toUpperCase() + each.slice(1) + ".")),
      );
    }
    from.hidden = !job.from;
    if (job.from && !from.firstChild) {
      from.append(
        "A rerun of ",
        h(
          "a",
          {
            href: `/console/jobs/${encodeURIComponent(namespace)}/${encodeURIComponent(job.from.name)}`,
            "data-link": true,
          },
          job.from.name,
        ),
        job.from.words.slice(job.from.name.length),
      );
    }
    setText(policies, job.policies.join(" · "));
    failedList.hidden = !job.failedIndexList;
    setText(failedList, job.failedIndexList ? `Failed for good: ${job.failedIndexList}` : "");
    mapPanel.hidden = !job.indexed;
    finder.element.hidden = !job.hasItems;
    mapNote.hidden = !(job.completions > MOST_DRAWN);
    setText(mapNote, "A map is not drawn for more than a million indexes.");
    map.element.hidden = job.completions > MOST_DRAWN;
    if (first && !job.indexed) {
      attempts.show(null);
    } else if (!job.indexed) {
      attempts.reload();
    }
    chart.show(job);
    line.show(job);
    doc.show(job.revision);
    failuresPanel.hidden = job.failures.length === 0;
    failures.replaceChildren(
      ...job.failures.map((each) =>
        h(
          "li",
          {},
          each.index === undefined
            ? h("span", {}, each.pod)
            : h(
                "button",
                { type: "button", class: "quiet", onclick: () => choose(each.index, true) },
                `Index ${each.index}`,
              ),
          job.hasItems && each.index !== undefined ? names.of(each.index) : null,
          h(
            "span",
            { class: "result r-failed" },
            each.exitCode === undefined ? "failed" : `exit ${each.exitCode}`,
          ),
          exitWords(each.exitCode) ? h("span", { class: "muted" }, exitWords(each.exitCode)) : null,
          each.seconds === undefined
            ? null
            : h("span", { class: "muted num" }, `after ${brief(each.seconds)}`),
          each.why ? h("span", { class: "muted" }, each.why) : lastLines.of(each),
        ),
      ),
    );
  }

  function missing(text) {
    element.replaceChildren(
      h(
        "section",
        { class: "empty" },
        h("h1", {}, name),
        h("p", {}, text),
        h("p", {}, h("a", { href: "/console/", "data-link": true }, "All Jobs")),
      ),
    );
  }

  const close = follow(`live/jobs/${path}`, {
    job: show,
    cells: (frame) => {
      if (map.take(frame)) {
        attempts.reload();
      }
      const wanted = new URLSearchParams(location.search).get("index");
      if (!shownIndex && wanted !== null && Number(wanted) < frame.size) {
        choose(Number(wanted), false);
      }
      shownIndex = true;
    },
    spans: (frame) => chart.take(frame),
    events: (frame) => events.show(frame.events, frame.refused),
    deleted: (frame) => {
      element.classList.toggle("deleted", frame.deleted);
      buttons.hide(session.readOnly || frame.deleted);
      if (frame.deleted) {
        toast(`${name} was deleted`, true);
        state.dataset.state = "";
        state.replaceChildren(
          statePill("Deleting"),
          h("span", { class: "muted" }, " was deleted; this was its last state"),
        );
      }
    },
    refused: async () => {
      try {
        await json(`jobs/${path}/document?format=json`);
        return false;
      } catch (refused) {
        if (refused.code === 404 && !job) {
          missing(`There is no Job ${name} in namespace ${namespace}.`);
        }
        return refused.code === 404;
      }
    },
  });
  const ticking = setInterval(tick, 1000);
  return {
    element,
    close: () => {
      clearInterval(ticking);
      map.close();
      chart.close();
      attempts.close();
      finder.close();
      again?.close();
      doc.close();
      close();
    },
  };
}
