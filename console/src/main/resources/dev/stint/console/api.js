// What is asked of the server. Nothing is asked for again and again: what changes is told.

const ROOT = "/console/api/";
const SECONDS_HIDDEN = 30;

export class Refused extends Error {
  constructor(code, message) {
    super(message);
    this.code = code;
  }
}

async function answer(response) {
  if (response.ok) {
    return response;
  }
  let message = `${response.status} ${response.statusText}`;
  try {
    message = (await response.json()).error ?? message;
  } catch {
    // It says no more than its code.
  }
  if (response.status === 401) {
    document.dispatchEvent(new CustomEvent("signed-out", { detail: message }));
  }
  throw new Refused(response.status, message);
}

/** Reads something; a refusal is thrown with its reason in words. */
export async function get(path, options) {
  return answer(await fetch(ROOT + path, { cache: "no-store", ...options }));
}

export async function json(path) {
  return (await get(path)).json();
}

/** Changes something. The header tells the server that no other page makes us ask. */
export async function send(method, path, body) {
  const response = await fetch(ROOT + path, {
    method,
    headers: { "Content-Type": "application/json", "X-Stint-Console": "1" },
    body: JSON.stringify(body ?? {}),
  });
  return (await answer(response)).json();
}

function told(state) {
  document.dispatchEvent(new CustomEvent("link", { detail: state }));
}

/**
 * Follows what is told under a path. A page that nobody sees for a while lets go, and begins anew
 * when it is seen again; so does one whose server was away.
 *
 * @param handlers by the names of events; refused is called where there is nothing (any more)
 */
export function follow(path, handlers) {
  let source = null;
  let again = 0;
  let hidden = 0;
  let failures = 0;
  let closed = false;

  function open() {
    clearTimeout(again);
    if (source || closed) {
      return;
    }
    source = new EventSource(ROOT + path);
    source.onopen = () => {
      failures = 0;
      told("live");
    };
    source.onerror = () => {
      told("away");
      if (source.readyState === EventSource.CLOSED) {
        source = null;
        ask();
      }
    };
    for (const [name, handler] of Object.entries(handlers)) {
      if (name !== "refused") {
        source.addEventListener(name, (event) => handler(JSON.parse(event.data)));
      }
    }
  }

  /** Why it was refused: only a plain answer tells. */
  async function ask() {
    try {
      await json("session");
      if (handlers.refused && (await handlers.refused())) {
        close();
        return;
      }
    } catch (refused) {
      if (refused.code === 401) {
        close();
        return;
      }
    }
    failures++;
    again = setTimeout(open, Math.min(15000, 500 * 2 ** failures));
  }

  function shut() {
    source?.close();
    source = null;
  }

  function seen() {
    clearTimeout(hidden);
    if (document.hidden) {
      hidden = setTimeout(shut, SECONDS_HIDDEN * 1000);
    } else {
      open();
    }
  }

  function close() {
    closed = true;
    clearTimeout(again);
    clearTimeout(hidden);
    document.removeEventListener("visibilitychange", seen);
    shut();
    told("");
  }

  document.addEventListener("visibilitychange", seen);
  open();
  return close;
}
