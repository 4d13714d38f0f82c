// The comment for a review: node comment.mjs REVIEW.json. A model wrote it about a change that a stranger may have written, so
// its words are shown as text: no mention notifies anybody, no link or picture leads elsewhere.
import { readFileSync } from "node:fs";

const MAX_LENGTH = 60_000;

/** One line, with every sign that Markdown or HTML could take for its own escaped. */
function plain(text) {
  const line = String(text)
    .replace(/[\p{C}\s]+/gu, " ")
    .trim();
  const escaped = line.replace(/[\\`*_{}[\]()#+\-!|<>~&$:]/g, (sign) => `&#${sign.charCodeAt(0)};`);
  return escaped.replaceAll("@", "@\u200b").replace(/(https?|www)/gi, "$1\u200b");
}

const { summary, findings } = JSON.parse(readFileSync(process.argv[2] ?? "review.json", "utf8"));
const lines = findings.map(({ file, line, severity, problem, repair }) => {
  const how = repair === undefined ? "" : ` Repair: ${plain(repair)}`;
  return `- **${severity}** ${plain(file)}, line ${Number(line)}: ${plain(problem)}${how}`;
});
const found = lines.length === 0 ? ["No findings."] : lines;
const comment = ["### harness has read this change", "", plain(summary), "", ...found].join("\n");
process.stdout.write(`${comment.length > MAX_LENGTH ? `${comment.slice(0, MAX_LENGTH)}…` : comment}\n`);
