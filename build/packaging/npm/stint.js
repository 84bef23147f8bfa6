#!/usr/bin/env node
// Runs the Stint that the package of this platform holds.
"use strict";

const { spawn } = require("node:child_process");
const fs = require("node:fs");
const os = require("node:os");
const path = require("node:path");

const PACKAGE = `@stint/${process.platform}-${process.arch}`;

function home() {
  try {
    return path.dirname(require.resolve(`${PACKAGE}/package.json`));
  } catch {
    console.error(
      `stint: the package ${PACKAGE} is not installed; install stint without --omit=optional, ` +
        "on Linux with glibc on x64",
    );
    process.exit(2);
  }
}

// npm gives each file the time of its installation. The class archive fits only jars with the time
// of the release; without it, each start takes half a second longer.
function restoreTimes(home) {
  const released = /^date=(.*)$/m.exec(fs.readFileSync(path.join(home, "release"), "utf8"));
  const time = new Date(released[1]);
  const lib = path.join(home, "lib");
  if (fs.statSync(path.join(lib, "stint.jar")).mtimeMs === time.getTime()) {
    return;
  }
  const jars = fs.readdirSync(lib).filter((name) => name.endsWith(".jar") && name !== "stint.jar");
  // The jar that is looked at comes last, so that an interrupted start is repeated.
  const files = [
    ...jars.map((name) => path.join(lib, name)),
    path.join(home, "runtime/lib/modules"),
  ];
  [...files, path.join(lib, "stint.jar")].forEach((file) => fs.utimesSync(file, time, time));
}

const root = home();
try {
  restoreTimes(root);
} catch {
  // Installed by another user: it works as it is.
}
const stint = spawn(path.join(root, "bin/stint"), process.argv.slice(2), { stdio: "inherit" });
stint.on("error", (fault) => {
  console.error(`stint: ${path.join(root, "bin/stint")} cannot be started: ${fault.message}`);
  process.exit(2);
});
stint.on("exit", (code, signal) =>
  process.exit(signal ? 128 + os.constants.signals[signal] : code),
);
// A terminal sends Ctrl-C to both programs; other signals come to this one alone.
process.on("SIGINT", () => process.stdin.isTTY || stint.kill("SIGINT"));
["SIGTERM", "SIGHUP"].forEach((signal) => process.on(signal, () => stint.kill(signal)));
