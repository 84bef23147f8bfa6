import { execFileSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { sidebar } from "./sidebar.mjs";

const root = join(dirname(fileURLToPath(import.meta.url)), "../../..");
const pages = join(root, "build/site/target/pages");

const version = readFileSync(join(root, "pom.xml"), "utf8").match(
  /<artifactId>stint<\/artifactId>\s*<version>([^<]+)</,
)[1];
const commit = execFileSync("git", ["rev-parse", "--short=12", "HEAD"], {
  cwd: root,
  encoding: "utf8",
}).trim();

/** Makes pictures of Mermaid's blocks. */
function diagrams(markdown) {
  const fence = markdown.renderer.rules.fence;
  markdown.renderer.rules.fence = (tokens, at, ...rest) =>
    tokens[at].info.trim() === "mermaid"
      ? `<Diagram code="${encodeURIComponent(tokens[at].content)}" />\n`
      : fence(tokens, at, ...rest);
}

/** Returns code without colours. */
function plain(code) {
  return `<pre v-pre><code>${code.replace(/&/g, "&amp;").replace(/</g, "&lt;")}</code></pre>`;
}

/** Leaves out the libraries that draw in a browser. */
const withoutLibraries = {
  name: "without-libraries",
  enforce: "pre",
  resolveId: (id) => (/^(mermaid|asciinema-player)(\/.*)?$/.test(id) ? `\0${id}` : undefined),
  load: (id) =>
    /^\0(mermaid|asciinema-player)/.test(id)
      ? "export default {}; export const create = null;"
      : undefined,
};

// A draft is made in half the time, to check its links: without search, minification and coloured code.
const draft = Boolean(process.env.SITE_DRAFT);

export default {
  title: "Stint",
  description: "Kubernetes Jobs anywhere a JVM runs",
  lang: "en",
  base: process.env.SITE_BASE ?? "/",
  srcDir: pages,
  outDir: join(root, draft ? "target/site-draft" : "target/site"),
  cacheDir: join(root, "build/site/target/cache"),
  appearance: true,
  ...(draft && { vite: { build: { minify: false }, plugins: [withoutLibraries] } }),
  markdown: {
    config: diagrams,
    theme: { light: "github-light-high-contrast", dark: "github-dark" },
    ...(draft && { highlight: plain }),
  },
  head: [["meta", { name: "stint-version", content: `${version} (${commit})` }]],
  themeConfig: {
    search: draft ? undefined : { provider: "local" },
    nav: [
      { text: "Guides", link: "/guides/" },
      { text: "Commands", link: "/commands" },
      { text: "Troubleshooting", link: "/troubleshooting" },
      { text: version, link: "/changelog" },
    ],
    sidebar: sidebar(pages),
    outline: [2, 3],
    footer: { message: `Stint ${version}, commit ${commit}. Licence: Apache-2.0.` },
  },
};
