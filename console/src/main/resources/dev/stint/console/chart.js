// A chart of finished pods over time, with the Job's conditions as marks.

import { atNextFrame, h, svg } from "./dom.js";
import { clock, count, duration, now, number, seconds } from "./format.js";

const HEIGHT = 132;
const PLOT = 104;
const WIDTHS = [
  1, 2, 5, 10, 15, 30, 60, 120, 300, 600, 900, 1800, 3600, 7200, 21600, 43200, 86400, 604800,
];

export function throughputChart() {
  const spans = new Map();
  let width = 1;
  let job = null;
  let loaded = false;
  const plot = svg("svg", { class: "plot", role: "img" });
  const summary = h("p", { class: "muted num" });
  const element = h("div", { class: "chart" }, plot, summary);

  function bars(from, until, step) {
    const all = Array.from({ length: Math.max(1, Math.ceil((until - from) / step)) }, () => [0, 0]);
    for (const [at, [good, bad]] of spans) {
      const i = Math.min(all.length - 1, Math.max(0, Math.floor((at - from) / step)));
      all[i][0] += good;
      all[i][1] += bad;
    }
    return all;
  }

  const draw = atNextFrame(() => {
    const room = plot.clientWidth;
    if (!job || room === 0) {
      return;
    }
    const times = [...spans.keys()];
    const begun = job.startedAt ?? job.createdAt;
    const from = Math.min(seconds(begun), ...(times.length ? [times[0]] : []));
    const end = job.endedAt ? seconds(job.endedAt) : now();
    const until = Math.max(from + 1, end, ...(times.length ? [times.at(-1) + width] : []));
    const most = Math.max(12, Math.floor(room / 7));
    const step =
      WIDTHS.find((each) => each >= width && (until - from) / each <= most) ?? WIDTHS.at(-1);
    const all = bars(from, until, step);
    const top = Math.max(1, ...all.map(([good, bad]) => good + bad));
    const x = room / all.length;
    const scale = (PLOT - 14) / top;
    const parts = [
      svg("line", { class: "grid", x1: 0, x2: room, y1: 14, y2: 14 }),
      svg("line", { class: "grid", x1: 0, x2: room, y1: PLOT, y2: PLOT }),
      svg("text", { x: 0, y: 10 }, `${number(top)} in ${duration(step)}`),
      svg("text", { x: 0, y: HEIGHT - 8 }, clock(new Date(from * 1000).toISOString())),
      svg(
        "text",
        { x: room, y: HEIGHT - 8, "text-anchor": "end" },
        job.endedAt ? clock(job.endedAt) : "now",
      ),
    ];
    all.forEach(([good, bad], i) => {
      if (good + bad > 0) {
        const wide = Math.max(1, Math.min(x - 1, 26));
        const title = svg(
          "title",
          {},
          `${clock(new Date((from + i * step) * 1000).toISOString())}: ${good} succeeded, ${bad} failed`,
        );
        parts.push(
          svg(
            "g",
            {},
            title,
            svg("rect", {
              class: "good",
              x: i * x,
              width: wide,
              y: PLOT - good * scale,
              height: good * scale,
            }),
            svg("rect", {
              class: "bad",
              x: i * x,
              width: wide,
              y: PLOT - (good + bad) * scale,
              height: bad * scale,
            }),
          ),
        );
      }
    });
    for (const condition of job.conditions) {
      if (condition.at && condition.status === "True") {
        const at = Math.min(
          room - 1,
          Math.max(1, ((seconds(condition.at) - from) / (until - from)) * room),
        );
        parts.push(
          svg(
            "g",
            { class: `mark m-${condition.type.toLowerCase()}` },
            svg("title", {}, `${condition.type}, ${clock(condition.at)}`),
            svg("line", { x1: at, x2: at, y1: 14, y2: PLOT + 6 }),
            svg("circle", { cx: at, cy: PLOT + 6, r: 3 }),
          ),
        );
      }
    }
    plot.setAttribute("viewBox", `0 0 ${room} ${HEIGHT}`);
    plot.setAttribute("height", HEIGHT);
    plot.replaceChildren(...parts);
    const [good, bad] = all.reduce(([g, b], [good, bad]) => [g + good, b + bad], [0, 0]);
    const words =
      good + bad === 0
        ? loaded
          ? "No pod has finished yet."
          : "Reading…"
        : `${count(good, "pod", "pods")} succeeded and ${number(bad)} failed in ${duration(Math.round(until - from))}; ${number(top)} in the best ${duration(step)}.`;
    plot.setAttribute("aria-label", `Finished pods over time. ${words}`);
    summary.textContent = words;
  });

  const sized = new ResizeObserver(draw);
  sized.observe(element);
  return {
    element,
    take(frame) {
      loaded = true;
      if (frame.all) {
        spans.clear();
      }
      width = frame.width;
      let unordered = false;
      const newest = [...spans.keys()].at(-1) ?? 0;
      for (const [at, good, bad] of frame.spans) {
        unordered ||= !spans.has(at) && at < newest;
        spans.set(at, [good, bad]);
      }
      if (unordered) {
        const sorted = [...spans].sort(([one], [other]) => one - other);
        spans.clear();
        sorted.forEach(([at, span]) => spans.set(at, span));
      }
      draw();
    },
    show(current) {
      job = current;
      draw();
    },
    tick: () => job && !job.endedAt && draw(),
    close: () => sized.disconnect(),
  };
}
