// The CronJobs below the list of Jobs.

import { h, setText } from "./dom.js";
import { age, now, seconds } from "./format.js";

const path = (namespace, job) =>
  `/console/jobs/${encodeURIComponent(namespace)}/${encodeURIComponent(job)}`;

function row(cronJob) {
  const last = h("td", { class: "num", "data-label": "last start" });
  const success = h("td", { class: "num", "data-label": "last success" });
  const ago = (at) => (at ? `${age(now() - seconds(at))} ago` : "never");
  const element = h(
    "tr",
    {},
    h("th", { scope: "row", class: "c-name" }, cronJob.name, h("small", {}, cronJob.namespace)),
    h("td", { "data-label": "schedule" }, h("code", {}, cronJob.schedule), timeZone(cronJob)),
    h("td", { "data-label": "state" }, cronJob.suspend ? "Suspended" : "Scheduled"),
    h(
      "td",
      { class: "c-active", "data-label": "active" },
      cronJob.active.length
        ? cronJob.active.map((job) =>
            h("a", { href: path(cronJob.namespace, job), "data-link": true }, job),
          )
        : "–",
    ),
    last,
    success,
  );
  const tick = () => {
    setText(last, ago(cronJob.lastScheduleTime));
    setText(success, ago(cronJob.lastSuccessfulTime));
  };
  tick();
  return { element, tick };
}

const timeZone = (cronJob) => (cronJob.timeZone ? h("small", {}, cronJob.timeZone) : null);

/** The table of CronJobs; hidden while there are none. */
export function cronJobs() {
  let rows = [];
  const body = h("tbody");
  const refusal = h("p", { class: "muted", hidden: true });
  const table = h(
    "table",
    { class: "jobs crons" },
    h("caption", { class: "unseen" }, "CronJobs, by name"),
    h(
      "thead",
      {},
      h(
        "tr",
        {},
        ...["Name", "Schedule", "State", "Active Jobs", "Last start", "Last success"].map(
          (title, i) => h("th", { scope: "col", class: i > 3 ? "num" : "" }, title),
        ),
      ),
    ),
    body,
  );
  const element = h(
    "section",
    { class: "cron-jobs", hidden: true },
    h("h2", {}, "CronJobs"),
    table,
    refusal,
  );
  return {
    element,
    take(frame) {
      rows = frame.cronJobs.map(row);
      body.replaceChildren(...rows.map((each) => each.element));
      table.hidden = rows.length === 0;
      refusal.hidden = !frame.refused;
      setText(refusal, frame.refused ?? "");
      element.hidden = table.hidden && refusal.hidden;
    },
    tick: () => rows.forEach((each) => each.tick()),
  };
}
