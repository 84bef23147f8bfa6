import { follow } from "./api.js";
import { cronJobs } from "./cronjobs.js";
import { devices } from "./devices.js";
import { atNextFrame, h, setText, statePill } from "./dom.js";
import {
  age,
  count,
  duration,
  going,
  now,
  number,
  progressWords,
  rate,
  seconds,
  took,
} from "./format.js";
import { customKinds } from "./kinds.js";

const SHOWN = 300;
const SECONDS_BETWEEN_WORDS = 4;

const GROUPS = [
  ["All", () => true],
  [
    "Active",
    (job) => ["Running", "Waiting", "Succeeding", "Failing", "Deleting"].includes(job.state),
  ],
  ["Suspended", (job) => job.state === "Suspended"],
  ["Failed", (job) => job.state === "Failed"],
  ["Complete", (job) => job.state === "Complete"],
];

/** A bar of succeeded, failed and running work, with a description for screen readers. */
export function progressBar(job) {
  const bar = h("div", { class: "bar", role: "img" });
  const parts = ["done", "bad", "busy"].map((name) => h("i", { class: name }));
  bar.append(...parts);
  bar.show = (current) => {
    const whole =
      current.completions ?? Math.max(1, current.succeeded + current.failed + current.active);
    const shares =
      current.state === "Complete"
        ? [whole, 0, 0]
        : [
            current.succeeded,
            current.failedIndexes || (current.completions === undefined ? current.failed : 0),
            current.active,
          ];
    shares.forEach((share, i) => {
      parts[i].style.width = `${whole ? Math.min(100, (100 * share) / whole) : 0}%`;
    });
    bar.setAttribute("aria-label", progressWords(current));
  };
  bar.show(job);
  return bar;
}

function row(job, several) {
  const href = `/console/jobs/${encodeURIComponent(job.namespace)}/${encodeURIComponent(job.name)}`;
  const cells = {
    state: h("td", { class: "c-state" }),
    done: h("span", { class: "num" }),
    failed: h("td", { class: "num c-failed", "data-label": "failed" }),
    rate: h("td", { class: "num c-rate", "data-label": "rate" }),
    left: h("td", { class: "num c-left", "data-label": "left" }),
    took: h("td", { class: "num c-took", "data-label": "took" }),
    age: h("td", { class: "num c-age", "data-label": "age" }),
  };
  const bar = progressBar(job);
  const element = h(
    "tr",
    {},
    h(
      "th",
      { scope: "row", class: "c-name" },
      h("a", { href, "data-link": true }, job.name),
      several ? h("small", {}, job.namespace) : null,
    ),
    cells.state,
    h("td", { class: "c-progress" }, bar, cells.done),
    cells.failed,
    cells.rate,
    cells.left,
    cells.took,
    cells.age,
  );
  const view = { element, job: null };
  view.tick = () => {
    const span = took(view.job);
    setText(
      cells.took,
      span === null ? "–" : view.job.endedAt ? duration(Math.round(span)) : going(span),
    );
    setText(cells.age, age(now() - seconds(view.job.createdAt)));
  };
  view.show = (current) => {
    if (view.job?.state !== current.state) {
      cells.state.replaceChildren(statePill(current.state));
    }
    view.job = current;
    bar.show(current);
    setText(
      cells.done,
      current.completions === undefined
        ? number(current.succeeded)
        : `${number(current.succeeded)} / ${number(current.completions)}`,
    );
    setText(cells.failed, current.failed ? number(current.failed) : "–");
    setText(cells.rate, current.ratePerSecond === undefined ? "–" : rate(current.ratePerSecond));
    setText(cells.left, current.secondsLeft === undefined ? "–" : going(current.secondsLeft));
    view.tick();
  };
  view.show(job);
  return view;
}

/** The list of all Jobs. */
export function jobList() {
  const jobs = new Map();
  const rows = new Map();
  let group = 0;
  let loaded = false;
  let shown = SHOWN;
  let found = 0;
  let words = 0;

  const search = h("input", {
    type: "search",
    placeholder: "Find a Job…",
    "aria-label": "Find a Job by its name or namespace",
    oninput: () => draw(),
  });
  const groups = GROUPS.map(([name], i) =>
    h(
      "button",
      { type: "button", "aria-pressed": i === 0 ? "true" : "false", onclick: () => choose(i) },
      `${name} `,
      h("span", { class: "num" }),
    ),
  );
  const body = h("tbody");
  const table = h(
    "table",
    { class: "jobs" },
    h("caption", { class: "unseen" }, "Jobs, newest first"),
    h(
      "thead",
      {},
      h(
        "tr",
        {},
        ...["Name", "State", "Progress", "Failed pods", "Rate", "Time left", "Took", "Age"].map(
          (title, i) => h("th", { scope: "col", class: i > 2 ? "num" : "" }, title),
        ),
      ),
    ),
    body,
  );
  const note = h("p", { class: "empty" }, "Reading…");
  const crons = cronJobs();
  const machine = devices();
  const announcement = h("p", { class: "unseen", role: "status" });
  const more = h("button", {
    type: "button",
    class: "quiet",
    hidden: true,
    onclick: () => ((shown *= 4), draw()),
  });
  const element = h(
    "section",
    { class: "list" },
    h("div", { class: "head" }, h("h1", {}, "Jobs"), search),
    h("div", { class: "groups", role: "group", "aria-label": "Filter by state" }, ...groups),
    announcement,
    table,
    note,
    more,
    crons.element,
    machine.element,
    customKinds().element,
  );

  function choose(i) {
    group = i;
    groups.forEach((button, at) =>
      button.setAttribute("aria-pressed", at === i ? "true" : "false"),
    );
    draw();
  }

  function draw() {
    const all = [...jobs.values()];
    GROUPS.forEach(([, is], i) => setText(groups[i].lastChild, number(all.filter(is).length)));
    const wording = search.value.trim().toLowerCase();
    const matching = all
      .filter(GROUPS[group][1])
      .filter((job) => `${job.namespace}/${job.name}`.toLowerCase().includes(wording))
      .sort(
        (a, b) =>
          (b.createdAt ?? "").localeCompare(a.createdAt ?? "") || a.name.localeCompare(b.name),
      );
    const several = new Set(all.map((job) => job.namespace)).size > 1;
    found = matching.length;
    const visible = matching.slice(0, shown);
    const wanted = visible.map((job) => {
      const key = job.uid + several;
      let view = rows.get(key);
      if (!view) {
        view = row(job, several);
        rows.set(key, view);
      } else if (view.job !== job) {
        view.show(job);
      }
      return view.element;
    });
    if (
      wanted.length !== body.children.length ||
      wanted.some((each, i) => body.children[i] !== each)
    ) {
      body.replaceChildren(...wanted);
    }
    table.hidden = wanted.length === 0;
    more.hidden = found <= shown;
    setText(more, `Show more of ${number(found)}`);
    note.hidden = wanted.length > 0;
    if (!note.hidden && loaded) {
      empty(all.length);
    }
    words ||= setTimeout(announce, SECONDS_BETWEEN_WORDS * 1000);
  }

  /** Announces the list to screen readers, now and then, if it has changed. */
  function announce() {
    words = 0;
    setText(
      announcement,
      loaded
        ? `${count(found, "Job", "Jobs")} listed; of all, ${GROUPS.slice(1)
            .map(
              ([name, is]) =>
                `${number([...jobs.values()].filter(is).length)} ${name.toLowerCase()}`,
            )
            .join(", ")}`
        : "",
    );
  }

  function empty(others) {
    note.replaceChildren(
      ...(others
        ? [
            "No Job matches. ",
            h(
              "button",
              { type: "button", class: "quiet", onclick: () => ((search.value = ""), choose(0)) },
              `Show all ${count(others, "Job", "Jobs")}`,
            ),
          ]
        : [
            h("strong", {}, "No Jobs yet."),
            h("br"),
            "Create one with ",
            h("code", {}, "kubectl apply -f job.yaml"),
            ", and it appears here at once.",
          ]),
    );
  }

  const drawSoon = atNextFrame(draw);
  const close = follow("live/jobs", {
    cronjobs: crons.take,
    devices: machine.take,
    jobs: (frame) => {
      loaded = true;
      if (frame.all) {
        jobs.clear();
      }
      frame.jobs.forEach((job) => jobs.set(job.uid, job));
      frame.gone.forEach((uid) => {
        jobs.delete(uid);
        rows.delete(uid + true);
        rows.delete(uid + false);
      });
      drawSoon();
    },
  });
  const ticking = setInterval(() => {
    rows.forEach((view) => view.element.isConnected && view.tick());
    crons.tick();
  }, 1000);
  const keys = (event) => {
    if (event.key === "/" && !/INPUT|TEXTAREA/.test(event.target.tagName)) {
      event.preventDefault();
      search.focus();
    }
  };
  document.addEventListener("keydown", keys);
  return {
    element,
    close: () => {
      clearInterval(ticking);
      clearTimeout(words);
      document.removeEventListener("keydown", keys);
      close();
    },
  };
}
