// Copies the repository's documents to target/pages, as the generator wants them: one tree, in which README.md is
// the first page and each example is a page too. Relative links between documents keep their meaning.
import { cpSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { dirname, join, normalize, relative } from "node:path";
import { fileURLToPath } from "node:url";

const root = join(dirname(fileURLToPath(import.meta.url)), "../..");
const out = join(root, "build/site/target/pages");

/** The pages that documents outside of docs/ become. */
const moved = {
  "README.md": "index.md",
  "CONTRIBUTING.md": "contributing.md",
  "CHANGELOG.md": "changelog.md",
  "SECURITY.md": "reporting.md",
};

/** Returns the page of a file of the repository; undefined if it has none. */
function page(file) {
  if (moved[file]) return moved[file];
  if (/^examples\/[^/]+\.yaml$/.test(file)) return file.replace(/yaml$/, "md");
  if (/^examples\/[a-z0-9-]*operator-test$/.test(file)) return `${file}.md`;
  const inDocs = file.match(/^docs\/(.*)$/);
  return inDocs ? inDocs[1].replace(/(^|\/)README\.md$/, "$1index.md") : undefined;
}

/** Returns a document with links to pages instead of files of the repository. */
function rewritten(text, file) {
  return text.replace(/(\]\()([^)#:\s]+)(#[^)\s]*)?(\))/g, (whole, open, target, anchor, close) => {
    const meant = normalize(join(dirname(file), target)).replace(/\/$/, "");
    const found = page(meant);
    if (!found) throw new Error(`${file}: ${target} has no page on the site; add it to pages.mjs`);
    const from = dirname(page(file));
    const link = relative(from, found);
    return `${open}${link.startsWith(".") ? link : "./" + link}${anchor ?? ""}${close}`;
  });
}

/** Returns prose in which links are rewritten, and fenced blocks as they are. */
function outsideOfBlocks(text, file) {
  return text
    .split(/^(```[\s\S]*?^```$)/m)
    .map((part) => (part.startsWith("```") ? part : rewritten(part, file)))
    .join("");
}

/** The picture of the recorded session is the recording itself on the site. */
function played(text) {
  return text.replace(/^!\[[^\]]*\]\([^)]*session\.svg\)$/m, '<Recording file="/session.cast" />');
}

function write(name, text) {
  const to = join(out, name);
  mkdirSync(dirname(to), { recursive: true });
  writeFileSync(to, text);
}

/** Returns the files below a directory, with paths relative to the repository. */
function files(dir) {
  return readdirSync(join(root, dir), { withFileTypes: true })
    .flatMap((each) => (each.isDirectory() ? files(join(dir, each.name)) : [join(dir, each.name)]))
    .sort();
}

function example(file) {
  const name = file.split("/").at(-1);
  return `# ${name}\n\n\`\`\`yaml\n${readFileSync(join(root, file), "utf8")}\`\`\`\n`;
}

function operator(dir, title) {
  const sources = files(dir).filter((file) => !file.includes("/target/"));
  const blocks = sources.map((file) => {
    const language = file.split(".").at(-1);
    return `## ${file.split("/").at(-1)}\n\n\`\`\`${language}\n${readFileSync(join(root, file), "utf8")}\`\`\`\n`;
  });
  return `# ${title}\n\n${blocks.join("\n")}`;
}

rmSync(out, { recursive: true, force: true });
const documents = [...Object.keys(moved), ...files("docs").filter((file) => file.endsWith(".md"))];
for (const file of documents) {
  write(page(file), outsideOfBlocks(played(readFileSync(join(root, file), "utf8")), file));
}
for (const file of readdirSync(join(root, "examples")).filter((name) => name.endsWith(".yaml"))) {
  write(`examples/${file.replace(/yaml$/, "md")}`, example(`examples/${file}`));
}
write("examples/operator-test.md", operator("examples/operator-test", "An operator with its test"));
write(
  "examples/josdk-operator-test.md",
  operator("examples/josdk-operator-test", "An operator of Java Operator SDK with its test"),
);
write(
  "examples/java17-operator-test.md",
  operator("examples/java17-operator-test", "The test of an operator on Java 17"),
);
cpSync(join(root, "docs/images"), join(out, "images"), { recursive: true });
// The generator serves what lies in public/ as it is.
cpSync(join(root, "docs/images/session.cast"), join(out, "public/session.cast"));
