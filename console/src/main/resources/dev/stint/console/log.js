// Shows a log while it is being read.

import { get } from "./api.js";
import { h, setText } from "./dom.js";
import { bytes } from "./format.js";

const MOST_CHARACTERS = 2_000_000;
const FIRST_LINES = 2000;
const ESCAPES = /\u001b\[[0-9;?]*[A-Za-z]|\u001b\][^\u0007]*\u0007|\r(?!\n)/g;

/** Shows one log at a time. */
export function logView() {
  let reading = null;
  let current = null;
  let kept = 0;
  let read = 0;
  let pinned = true;

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
        all,
        bottom,
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

  function append(piece) {
    kept += piece.length;
    text.append(h("span", {}, piece.replace(ESCAPES, "")));
    while (kept > MOST_CHARACTERS && text.children.length > 1) {
      kept -= text.firstChild.textContent.length;
      text.firstChild.remove();
    }
    if (pinned) {
      text.scrollTop = text.scrollHeight;
    }
  }

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
    text.replaceChildren();
    bottom.hidden = true;
    setText(title, log.title);
    setText(status, log.live ? "Live" : "");
    const mine = new AbortController();
    reading = mine;
    const query = new URLSearchParams({
      pod: log.pod,
      container: log.container,
      run: log.run,
      tail: log.whole ? 100000 : FIRST_LINES,
    });
    for (const [name, is] of [
      ["latest", log.latest],
      ["follow", log.live],
      ["timestamps", times.checked],
    ]) {
      if (is) {
        query.set(name, "true");
      }
    }
    try {
      const response = await get(`jobs/${log.job}/log?${query}`, { signal: mine.signal });
      const reader = response.body.pipeThrough(new TextDecoderStream()).getReader();
      for (let piece = await reader.read(); !piece.done; piece = await reader.read()) {
        read += piece.value.length;
        append(piece.value);
        setText(status, `${log.live ? "Live, " : ""}${bytes(read)}`);
      }
      setText(status, read ? bytes(read) : "");
      all.hidden = log.whole || text.textContent.split("\n").length < FIRST_LINES;
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
      text.replaceChildren(),
      setText(title, ""),
      setText(status, "")
    ),
  };
}
