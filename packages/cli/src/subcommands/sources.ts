import type { ExtensionEntry } from "@harness/protocol";
import { visibleText } from "@harness/protocol";
import { textTable } from "../text/text-table.ts";
import type { SubcommandHandler } from "./run-subcommand.ts";

const HEADER = ["KIND", "NAME", "FROM", "FILE", "REMARK"];

/** `harness sources`: the user's extensions for a folder, and which of them are unused. */
export const sourcesSubcommand: SubcommandHandler = async ({ client, line, cwd, say, note }) => {
  const found = await client.call("extensions/list", { cwd });
  if (line.has("json")) {
    say(JSON.stringify(found));
    return "done";
  }
  if (found.entries.length === 0) say(nothingText(found.sources.map(({ folder }) => folder)));
  else say(textTable(HEADER, found.entries.map(row), process.stdout.columns));
  for (const { problem } of found.entries) if (problem !== undefined) note(`harness: ${visibleText(problem)}`);
  if (found.entries.some(({ trusted }) => !trusted)) note("harness: harness trust shows what they would do.");
  return "done";
};

function nothingText(folders: readonly string[]): string {
  if (folders.length === 0)
    return "There are no extensions: no .harness folder was found here, above, or in your home.";
  return `No extensions were found. Looked in: ${folders.map(visibleText).join(", ")}`;
}

function row({ kind, name, stage, owner, path, ...entry }: ExtensionEntry): string[] {
  return [
    kind,
    stage === undefined ? name : `${stage}/${name}`,
    owner === "person" ? "you" : "project",
    path,
    remark(entry),
  ];
}

function remark({
  trusted,
  problem,
  shadowedBy,
  shadows,
}: Pick<ExtensionEntry, "trusted" | "problem" | "shadowedBy" | "shadows">): string {
  if (!trusted) return "not trusted";
  if (problem !== undefined) return "not used";
  if (shadowedBy !== undefined) return `replaced by ${shadowedBy}`;
  return shadows.length === 0 ? "" : `replaces ${shadows.join(", ")}`;
}
