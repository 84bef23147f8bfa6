// The devices of the nodes below the list of Jobs.

import { h } from "./dom.js";

const path = (holder) =>
  `/console/jobs/${encodeURIComponent(holder.namespace)}/${encodeURIComponent(holder.job)}`;

function row(device) {
  return h(
    "tr",
    {},
    h("th", { scope: "row", class: "c-name" }, device.resource),
    h(
      "td",
      { class: "num", "data-label": "in use" },
      `${device.holders.length} of ${device.count}`,
    ),
    h(
      "td",
      { class: "c-active", "data-label": "pods" },
      device.holders.length
        ? device.holders.map((holder) =>
            h(
              "div",
              {},
              h("code", {}, holder.id),
              " ",
              holder.job
                ? h("a", { href: path(holder), "data-link": true }, holder.pod)
                : holder.pod,
              h("small", {}, ` ${holder.namespace}`),
            ),
          )
        : "–",
    ),
  );
}

/** The table of devices; hidden while there are none. */
export function devices() {
  const body = h("tbody");
  const element = h(
    "section",
    { class: "cron-jobs devices", hidden: true },
    h("h2", {}, "Devices"),
    h(
      "table",
      { class: "jobs crons" },
      h("caption", { class: "unseen" }, "Devices, and the pods that have them"),
      h(
        "thead",
        {},
        h(
          "tr",
          {},
          h("th", { scope: "col" }, "Device"),
          h("th", { scope: "col", class: "num" }, "In use"),
          h("th", { scope: "col" }, "Pods"),
        ),
      ),
      body,
    ),
  );
  return {
    element,
    take(frame) {
      body.replaceChildren(...frame.devices.map(row));
      element.hidden = frame.devices.length === 0;
    },
  };
}
