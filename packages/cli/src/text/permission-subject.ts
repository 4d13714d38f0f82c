import { type Permission, visibleText } from "@harness/protocol";
import { visibleCode } from "./visible-code.ts";

/** Everything about the call, without the answers. */
export function permissionSubject({ tool, title, reason, risk, preview, notes = [] }: Permission): string {
  const name = title.startsWith(tool) ? title : `${tool} ${title}`;
  const facts = notes.map(({ kind, text }) => `  ${kind}: ${visibleText(text)}`);
  return [
    `Permission needed${risk === "high" ? " (high risk)" : ""}: ${visibleText(name)}`,
    `  ${visibleText(reason)}`,
    ...preview.flatMap(previewLines).map((line) => `  | ${visibleCode(line)}`),
    ...facts,
  ].join("\n");
}

const changes = { create: "new file", modify: "changes", delete: "deletes" } as const;

/** The changed lines; a sign stands between hunks in place of their line numbers. */
function hunkLines(hunks: string): string[] {
  return hunks
    .split("\n")
    .map((line) => (/^@@ -\d/.test(line) ? "⋯" : line))
    .filter((line, at) => at > 0 || line !== "⋯");
}

function previewLines(block: Permission["preview"][number]): string[] {
  if (block.type === "terminal") return block.command.split("\n");
  if (block.type === "diff") return [`${changes[block.change]} ${block.path}`, ...hunkLines(block.hunks)];
  return block.type === "text" || block.type === "markdown" ? block.text.split("\n") : [];
}
