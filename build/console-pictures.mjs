// Takes the console's pictures by Chromium: node --experimental-websocket build/console-pictures.mjs LINK JOB INDEX IMAGES
// build/pictures calls it, with a link of stint console that signs in.
import { spawn } from "node:child_process";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

const [link, job, index, images] = process.argv.slice(2);
const profile = mkdtempSync(join(tmpdir(), "stint-chromium-"));
const flags = ["--headless=new", "--no-sandbox", "--disable-gpu", "--ignore-certificate-errors"];
const chromium = spawn("chromium", [
  ...flags,
  "--remote-debugging-port=0",
  `--user-data-dir=${profile}`,
]);

/** Returns the address that Chromium prints. */
const address = await new Promise((resolve, reject) => {
  let said = "";
  chromium.on("exit", () => reject(new Error(`chromium does not start: ${said}`)));
  chromium.stderr.on("data", (text) => {
    said += text;
    const found = said.match(/DevTools listening on (ws:\S+)/);
    if (found) resolve(found[1]);
  });
});

const socket = new WebSocket(address);
await new Promise((resolve) => (socket.onopen = resolve));
const waiting = new Map();
socket.onmessage = ({ data }) => {
  const answer = JSON.parse(data);
  waiting.get(answer.id)?.(answer);
};
let last = 0;
let sessionId;

async function ask(method, params = {}) {
  const id = ++last;
  socket.send(JSON.stringify({ id, method, params, sessionId }));
  const answer = await new Promise((resolve) => waiting.set(id, resolve));
  if (answer.error) throw new Error(`${method}: ${answer.error.message}`);
  return answer.result;
}

async function shows(expression) {
  for (let tries = 0; tries < 300; tries++) {
    const { result } = await ask("Runtime.evaluate", { expression });
    if (result.value) return;
    await new Promise((resolve) => setTimeout(resolve, 100));
  }
  throw new Error(`the page never shows ${expression}`);
}

async function picture(name, width, height, scheme) {
  const features = [{ name: "prefers-color-scheme", value: scheme }];
  await ask("Emulation.setEmulatedMedia", { features });
  await ask("Emulation.setDeviceMetricsOverride", {
    width,
    height,
    deviceScaleFactor: 1,
    mobile: false,
  });
  await new Promise((resolve) => setTimeout(resolve, 700));
  const { data } = await ask("Page.captureScreenshot", { format: "png" });
  writeFileSync(join(images, name), Buffer.from(data, "base64"));
}

try {
  const { targetId } = await ask("Target.createTarget", { url: "about:blank" });
  ({ sessionId } = await ask("Target.attachToTarget", { targetId, flatten: true }));
  await ask("Emulation.setScrollbarsHidden", { hidden: true });
  await ask("Page.navigate", { url: link });
  await shows(`document.body?.innerText.includes(${JSON.stringify(job)})`);
  await picture("console-list-dark.png", 1280, 440, "dark");
  const page = new URL(`/console/jobs/default/${job}?index=${index}`, link);
  await ask("Page.navigate", { url: page.href });
  await shows(`document.body?.innerText.includes("missing")`);
  await picture("console-job.png", 1280, 1142, "light");
} finally {
  chromium.removeAllListeners("exit");
  const ended = new Promise((resolve) => chromium.on("exit", resolve));
  sessionId = undefined; // The browser, not the page.
  socket.send(JSON.stringify({ id: ++last, method: "Browser.close" }));
  await ended;
  rmSync(profile, { recursive: true, force: true, maxRetries: 5 });
}
process.exit(0);
