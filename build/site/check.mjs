// Fails on a link between pages of target/site, or to a part of one, that leads nowhere. The generator itself checks
// pages, but no parts of them.
import { existsSync, readdirSync, readFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";

const site = join(
  dirname(fileURLToPath(import.meta.url)),
  process.env.SITE_DRAFT ? "../../target/site-draft" : "../../target/site",
);
const base = process.env.SITE_BASE ?? "/";

function pages(dir) {
  return readdirSync(join(site, dir), { withFileTypes: true }).flatMap((each) =>
    each.isDirectory()
      ? pages(join(dir, each.name))
      : each.name.endsWith(".html")
        ? [join(dir, each.name)]
        : [],
  );
}

const text = new Map(pages("").map((page) => [page, readFileSync(join(site, page), "utf8")]));
const ids = new Map(
  [...text].map(([page, html]) => [
    page,
    new Set([...html.matchAll(/ id="([^"]+)"/g)].map((id) => id[1])),
  ]),
);

/** Returns the file that a server answers with. */
function file(page, path) {
  if (path === "") return page;
  const full = path.startsWith("/") ? path.slice(base.length) : join(dirname(page), path);
  return full === "" || full.endsWith("/") ? join(full, "index.html") : full;
}

const dead = [];
let checked = 0;
for (const [page, html] of text) {
  for (const [, href] of html.matchAll(/<a [^>]*href="([^"]+)"/g)) {
    if (/^[a-z]+:/.test(href) || page === "404.html") continue;
    checked++;
    const [path, anchor] = href.split("#");
    const target = file(page, path.replace(/\?.*/, ""));
    const isThere = text.has(target) || existsSync(join(site, target));
    const hasPart = !anchor || !text.has(target) || ids.get(target).has(decodeURIComponent(anchor));
    if (!isThere || !hasPart) dead.push(`${page}: ${href}`);
  }
}
if (checked < 1000) throw new Error(`only ${checked} links were found; is target/site whole?`);
if (dead.length > 0) {
  console.error(`${dead.length} dead links:\n${[...new Set(dead)].join("\n")}`);
  process.exit(1);
}
console.log(`${text.size} pages, ${checked} links, none is dead`);
