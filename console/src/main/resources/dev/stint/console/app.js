import { json, send } from "./api.js";
import { h, setText, toast } from "./dom.js";
import { jobList } from "./list.js";
import { jobPage } from "./job.js";
import { kindPage, objectPage } from "./kinds.js";

const main = document.getElementById("main");
const link = document.getElementById("link");
const leave = document.getElementById("leave");
let session = null;
let close = () => {};

function show(view, title) {
  close();
  close = view.close ?? (() => {});
  main.replaceChildren(view.element);
  document.title = title;
  window.scrollTo(0, 0);
}

function signedOut(why) {
  session = null;
  leave.hidden = true;
  setText(document.getElementById("about"), "");
  const element = h(
    "section",
    { class: "empty signin" },
    h("h1", {}, "Sign in"),
    h("p", {}, why ?? "This browser is not signed in."),
    h(
      "p",
      {},
      "Open the link that stint printed in its terminal, in the line that starts with “Console:”, or run stint console for a link. Each link works once, for ten minutes.",
    ),
    h(
      "p",
      {},
      "With stint controller in a pod, add #sign-in= and the token of its --console-token-file to this address.",
    ),
  );
  show({ element }, "Sign in · Stint");
}

function route() {
  if (!session) {
    return;
  }
  const [, what, first, second, third] = location.pathname
    .replace(/^\/console/, "")
    .split("/")
    .map(decodeURIComponent);
  if (what === "jobs" && first && second) {
    show(jobPage(first, second, session), `${second} · Stint`);
  } else if (what === "kinds" && first && second) {
    const [namespace, name] = third ? [second, third] : ["", second];
    show(objectPage(first, namespace, name), `${name} · Stint`);
  } else if (what === "kinds" && first) {
    show(kindPage(first), `${first} · Stint`);
  } else {
    show(jobList(), "Jobs · Stint");
  }
}

/** Shows another page without loading a document. */
export function go(path) {
  history.pushState(null, "", path);
  route();
  main.focus({ preventScroll: true });
}

document.addEventListener("go", (event) => go(event.detail));
document.addEventListener("signed-out", (event) => signedOut(event.detail));
document.addEventListener("click", (event) => {
  const anchor = event.target.closest?.("a[data-link]");
  if (anchor && !event.ctrlKey && !event.metaKey && !event.shiftKey && event.button === 0) {
    event.preventDefault();
    go(anchor.getAttribute("href"));
  }
});
document.addEventListener("link", (event) => {
  link.className = `link ${event.detail}`;
  setText(link, event.detail === "live" ? "Live" : event.detail === "away" ? "Connecting…" : "");
});
window.addEventListener("popstate", route);
leave.addEventListener("click", async () => {
  try {
    await send("DELETE", "session");
    signedOut("You have signed out.");
  } catch (refused) {
    toast(refused.message, true);
  }
});

/** Signs in with the ticket in the fragment of the link, which browsers do not send. It works once. */
async function enter() {
  const ticket = /^#sign-in=(.+)$/.exec(location.hash)?.[1];
  if (ticket) {
    history.replaceState(null, "", location.pathname);
    try {
      return await send("POST", "session", { ticket });
    } catch (refused) {
      try {
        return await json("session");
      } catch {
        throw refused;
      }
    }
  }
  return json("session");
}

try {
  session = await enter();
  leave.hidden = false;
  setText(
    document.getElementById("about"),
    session.about + (session.readOnly ? " · read-only" : ""),
  );
  route();
} catch (refused) {
  signedOut(refused.message);
}
