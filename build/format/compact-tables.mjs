// Prints Markdown tables without padding: a cell that changes changes one line only, and a long cell
// makes no other line long. The rest of Markdown is printed by Prettier itself.

import { doc } from "prettier";
import * as markdown from "prettier/plugins/markdown";

const { hardline, join } = doc.builders;
const { mdast } = markdown.printers;

const MARKS = { left: ":--", center: ":-:", right: "--:" };

function table(path, print) {
  const cell = ({ node }) => (node.children.length === 0 ? " |" : [" ", print(), " |"]);
  const [head, ...body] = path.map((row) => ["|", row.map(cell, "children")], "children");
  const marks = path.node.align.map((align) => ` ${MARKS[align] ?? "---"} |`);
  return join(hardline, [head, ["|", marks], ...body]);
}

export const { languages, parsers } = markdown;

export const printers = {
  mdast: {
    ...mdast,
    print: (path, options, print) =>
      path.node.type === "table" ? table(path, print) : mdast.print(path, options, print),
  },
};
