import type { ListedTool } from "@harness/protocol";
import { textTable } from "../../text/text-table.ts";
import { visibleText } from "../../text/visible-text.ts";
import type { SubcommandHandler } from "../run-subcommand.ts";

const HEADER = ["TOOL", "FROM", "DOES", "DESCRIPTION"];

/** `harness tools`: the tools that sessions of a folder have. */
export const tools: SubcommandHandler = async ({ client, line, cwd, say, note }) => {
  const found = await client.call("tools/list", { cwd });
  if (line.has("json")) say(JSON.stringify(found));
  else say(textTable(HEADER, found.tools.map(row), process.stdout.columns));
  if (!line.has("json")) for (const { problem } of found.unused) note(`harness: ${visibleText(problem)}`);
  return "done";
};

function row({ name, origin, category, description, shadows = [] }: ListedTool): string[] {
  const from = origin === undefined ? "built in" : `${origin.owner === "person" ? "you" : "project"}: ${origin.path}`;
  const instead = shadows.length > 0 ? ` (in place of ${shadows.join(", ")})` : "";
  return [name, from + instead, category === "readOnly" ? "looks" : "changes", description.split("\n", 1)[0] ?? ""];
}
