// Shows a log while it is being read.

import { get } from "./api.js";
import { atNextFrame, h, setText } from "./dom.js";
import { bytes, count } from "./format.js";

const MOST_CHARACTERS = 2_000_000;
const FIRST_LINES = 2000;
const MOST_MATCHES = 5000;
const ESCAPES = /\u001b\[[0-9;?]*[A-Za-z]|\u001b\][^\u0007]*\u0007|\r(?!\n)/g;

const query = (log, more) =>
  new URLSearchParams({ pod: log.pod, container: log.container, run: log.run, ...more });

/**
 * Reads the last line of each failed attempt's log once: it usually says why.
 *
 * @param job the Job's path, such as default/hello
 */
export function lastLogLines(job) {
  const known = new Map();
  return {
    /** Returns an element that shows the line as soon as it has been read. */
    of(attempt) {
      const key = `${attempt.pod}/${attempt.container}/${attempt.run}`;
      const line = known.get(key) ?? h("span", { class: "muted last-line" });
      if (!known.has(key)) {
        known.set(key, line);
        get(`jobs/${job}/log?${query(attempt, { tail: 1, latest: true })}`)
          .then((response) => response.text())
          .then((text) => setText(line, text.replace(ESCAPES, "").trim()))
          .catch(() => known.delete(key));
      }
      return line;
    },
  };
}

/** Returns a matching line with its matches marked. */
function marked(line, needle) {
  const parts = [];
  const low = line.toLowerCase();
  let from = 0;
  for (let at = low.indexOf(needle); at >= 0; at = low.indexOf(needle, from)) {
    parts.push(line.slice(from, at), h("mark", {}, line.slice(at, at + needle.length)));
    from = at + needle.length;
  }
  return h("span", {}, ...parts, line.slice(from), "\n");
}

/** Shows one log at a time. */
export function logView() {
  let reading = null;
  let current = null;
  let kept = 0;
  let read = 0;
  let pinned = true;
  let pieces = [];

  const text = h("div", {
    class: "log",
    role: "log",
    tabindex: "0",
    "aria-live": "off",
    "aria-label": "Log",
  });
  const title = h("h3", {});
  const status = h("span", { class: "muted num" });
  const wrap = h("input", {
    type: "checkbox",
    checked: true,
    onchange: () => text.classList.toggle("wrapped", wrap.checked),
  });
  const times = h("input", { type: "checkbox", onchange: () => current && show(current) });
  const all = h(
    "button",
    {
      type: "button",
      class: "quiet",
      hidden: true,
      onclick: () => show({ ...current, whole: true }),
    },
    "Show from the beginning",
  );
  const bottom = h(
    "button",
    { type: "button", class: "quiet", hidden: true, onclick: () => toEnd() },
    "Go to the end",
  );
  const found = h("span", { class: "muted num", role: "status" });
  const search = h("input", {
    type: "search",
    class: "find",
    placeholder: "Find in log…",
    "aria-label": "Show only lines of the log with this text",
    oninput: () => draw(),
  });
  const download = h("a", { class: "download", download: true, href: "#" }, "Download");
  text.classList.add("wrapped");
  const element = h(
    "div",
    { class: "log-view" },
    h(
      "div",
      { class: "log-head" },
      title,
      status,
      h(
        "span",
        { class: "tools" },
        search,
        found,
        all,
        bottom,
        download,
        h("label", {}, times, "Times"),
        h("label", {}, wrap, "Wrap"),
      ),
    ),
    text,
  );

  function toEnd() {
    pinned = true;
    text.scrollTop = text.scrollHeight;
    bottom.hidden = true;
  }

  text.addEventListener("scroll", () => {
    pinned = text.scrollTop + text.clientHeight >= text.scrollHeight - 24;
    bottom.hidden = pinned;
  });

  const needle = () => search.value.toLowerCase();

  function append(piece) {
    const plain = piece.replace(ESCAPES, "");
    kept += plain.length;
    pieces.push(plain);
    const whole = needle() === "";
    if (whole) {
      text.append(h("span", {}, plain));
    }
    while (kept > MOST_CHARACTERS && pieces.length > 1) {
      kept -= pieces.shift().length;
      if (whole) {
        text.firstChild.remove();
      }
    }
    if (!whole) {
      drawSoon();
    } else if (pinned) {
      text.scrollTop = text.scrollHeight;
    }
  }

  /** Shows all lines, or those that contain the text of the search. */
  function draw() {
    const wanted = needle();
    if (wanted === "") {
      text.replaceChildren(...pieces.map((piece) => h("span", {}, piece)));
      setText(found, "");
    } else {
      const lines = pieces
        .join("")
        .split("\n")
        .filter((line) => line.toLowerCase().includes(wanted));
      text.replaceChildren(...lines.slice(-MOST_MATCHES).map((line) => marked(line, wanted)));
      setText(found, count(lines.length, "line", "lines"));
    }
    toEnd();
  }

  const drawSoon = atNextFrame(draw);

  function stop() {
    reading?.abort();
    reading = null;
  }

  /**
   * Shows a log.
   *
   * @param log {job: path of the Job, pod, container, run, latest, live, title, whole}
   */
  async function show(log) {
    stop();
    current = log;
    kept = 0;
    read = 0;
    pinned = true;
    pieces = [];
    text.replaceChildren();
    setText(found, "");
    bottom.hidden = true;
    download.href = `/console/api/jobs/${log.job}/log?${query(log, { latest: Boolean(log.latest), download: true })}`;
    setText(title, log.title);
    setText(status, log.live ? "Live" : "");
    const mine = new AbortController();
    reading = mine;
    const asked = query(log, { tail: log.whole ? 100000 : FIRST_LINES });
    for (const [name, is] of [
      ["latest", log.latest],
      ["follow", log.live],
      ["timestamps", times.checked],
    ]) {
      if (is) {
        asked.set(name, "true");
      }
    }
    try {
      const response = await get(`jobs/${log.job}/log?${asked}`, { signal: mine.signal });
      const reader = response.body.pipeThrough(new TextDecoderStream()).getReader();
      for (let piece = await reader.read(); !piece.done; piece = await reader.read()) {
        read += piece.value.length;
        append(piece.value);
        setText(status, `${log.live ? "Live, " : ""}${bytes(read)}`);
      }
      setText(status, read ? bytes(read) : "");
      all.hidden = log.whole || pieces.join("").split("\n").length < FIRST_LINES;
      if (read === 0) {
        text.append(h("span", { class: "muted" }, "The log is empty."));
      }
    } catch (fault) {
      if (fault.name !== "AbortError") {
        text.append(h("span", { class: "muted" }, `(${fault.message})`));
      }
    }
  }

  return {
    element,
    show,
    stop,
    clear: () => (
      stop(),
      (current = null),
      (pieces = []),
      text.replaceChildren(),
      setText(title, ""),
      setText(status, "")
    ),
  };
}
