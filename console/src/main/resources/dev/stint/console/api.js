// Requests to the server. Nothing is polled: the server sends changes.

const ROOT = "/console/api/";
const SECONDS_HIDDEN = 30;

export class RequestError extends Error {
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
    // The body is not JSON; the code has to do.
  }
  if (response.status === 401) {
    document.dispatchEvent(new CustomEvent("signed-out", { detail: message }));
  }
  throw new RequestError(response.status, message);
}

/** Reads something; throws RequestError with the reason. */
export async function get(path, options) {
  return answer(await fetch(ROOT + path, { cache: "no-store", ...options }));
}

export async function json(path) {
  return (await get(path)).json();
}

/** Changes something. The header proves that the request comes from our own page. */
export async function send(method, path, body) {
  const response = await fetch(ROOT + path, {
    method,
    headers: { "Content-Type": "application/json", "X-Stint-Console": "1" },
    body: JSON.stringify(body ?? {}),
  });
  return (await answer(response)).json();
}

function reportLink(state) {
  document.dispatchEvent(new CustomEvent("link", { detail: state }));
}

/**
 * Follows the events of a path. Disconnects while the page is hidden for long, and reconnects when
 * it is shown again or the server is back.
 *
 * @param handlers by names of events; refused is called if the path does not exist (any more)
 */
export function follow(path, handlers) {
  let source = null;
  let retryTimer = 0;
  let hiddenTimer = 0;
  let failures = 0;
  let closed = false;

  function open() {
    clearTimeout(retryTimer);
    if (source || closed) {
      return;
    }
    source = new EventSource(ROOT + path);
    source.onopen = () => {
      failures = 0;
      reportLink("live");
    };
    source.onerror = () => {
      reportLink("away");
      if (source.readyState === EventSource.CLOSED) {
        source = null;
        findReason();
      }
    };
    for (const [name, handler] of Object.entries(handlers)) {
      if (name !== "refused") {
        source.addEventListener(name, (event) => handler(JSON.parse(event.data)));
      }
    }
  }

  /** Finds out why the stream was refused: only a plain request returns the reason. */
  async function findReason() {
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
    retryTimer = setTimeout(open, Math.min(15000, 500 * 2 ** failures));
  }

  function disconnect() {
    source?.close();
    source = null;
  }

  function onVisibilityChange() {
    clearTimeout(hiddenTimer);
    if (document.hidden) {
      hiddenTimer = setTimeout(disconnect, SECONDS_HIDDEN * 1000);
    } else {
      open();
    }
  }

  function close() {
    closed = true;
    clearTimeout(retryTimer);
    clearTimeout(hiddenTimer);
    document.removeEventListener("visibilitychange", onVisibilityChange);
    disconnect();
    reportLink("");
  }

  document.addEventListener("visibilitychange", onVisibilityChange);
  open();
  return close;
}
