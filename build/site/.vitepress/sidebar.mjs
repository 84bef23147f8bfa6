// The entries of the sidebar. A page that is not listed is a fault, so that every one can be found.
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";

const groups = {
  "": ["index.md"],
  Guides: ["guides/index.md"],
  Use: ["concepts.md", "commands.md", "configuration.md", "runner.md", "pod-life.md", "console.md"],
  Operate: [
    "operations.md",
    "upgrading.md",
    "controller.md",
    "mirror.md",
    "security.md",
    "threat-model.md",
    "troubleshooting.md",
    "reporting.md",
  ],
  "Program against it": [
    "testing.md",
    "api.md",
    "examples/operator-test.md",
    "examples/josdk-operator-test.md",
    "examples/java17-operator-test.md",
  ],
  "What it costs": [
    "performance.md",
    "performance-api.md",
    "performance-http.md",
    "performance-history.md",
  ],
  Inside: [
    "architecture.md",
    "glossary.md",
    "evidence.md",
    "simulation.md",
    "decisions/index.md",
    "contributing.md",
    "releasing.md",
    "changelog.md",
  ],
};

/** Directories whose pages follow the page that introduces them. */
const below = { "guides/index.md": "guides", "decisions/index.md": "decisions" };

function title(pages, page) {
  const heading = readFileSync(join(pages, page), "utf8").match(/^# (.*)$/m);
  return heading ? heading[1].replaceAll("`", "") : page;
}

function item(pages, page) {
  const listed = {
    text: title(pages, page),
    link: "/" + page.replace(/(^|\/)index\.md$|\.md$/, "$1"),
  };
  if (!below[page]) return listed;
  const items = readdirSync(join(pages, below[page]))
    .filter((name) => name.endsWith(".md") && name !== "index.md")
    .sort()
    .map((name) => item(pages, `${below[page]}/${name}`));
  return { ...listed, items, collapsed: true };
}

/** Returns the groups of the sidebar. */
export function sidebar(pages) {
  const listed = new Set(Object.values(groups).flat());
  const lost = readdirSync(pages).filter((name) => name.endsWith(".md") && !listed.has(name));
  if (lost.length > 0) throw new Error(`sidebar.mjs: list ${lost.join(", ")}, so that it is found`);
  const examples = readdirSync(join(pages, "examples"))
    .filter((name) => !name.endsWith("operator-test.md"))
    .map((name) => item(pages, `examples/${name}`));
  const guides = item(pages, "guides/index.md");
  const made = Object.entries(groups).map(([text, all]) => ({
    text: text || undefined,
    items: all.map((page) => item(pages, page)),
  }));
  made[1] = {
    text: "Guides",
    items: [{ ...guides, text: "All guides", items: undefined }, ...guides.items],
  };
  made.splice(2, 0, { text: "Examples", items: examples, collapsed: true });
  return made;
}
