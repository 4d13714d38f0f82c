import type { HookView } from "@harness/protocol";
import { visibleText } from "@harness/protocol";
import { CliError } from "../process/exit-codes.ts";
import { textTable } from "../text/text-table.ts";
import type { SubcommandHandler } from "./run-subcommand.ts";

const HEADER = ["STAGE", "HOOK", "FROM", "FILE", "REMARK"];

/** `harness hooks`: the hooks of a folder by stage, in the order in which they run, with the built-in steps. */
export const hooksSubcommand: SubcommandHandler = async ({ client, line, cwd, say, note }) => {
  const found = await client.call("hooks/list", { cwd });
  if (line.has("json")) {
    say(JSON.stringify(found));
    return "done";
  }
  say(textTable(HEADER, found.hooks.map(row), process.stdout.columns));
  for (const { problem, notes = [] } of found.hooks) {
    for (const each of [problem, ...notes]) if (each !== undefined) note(`harness: ${visibleText(each)}`);
  }
  if (found.hooks.some(({ trusted }) => !trusted)) note("harness: harness trust shows what they would do.");
  return "done";
};

/**
 * `harness hooks why STAGE`: the hooks found for it, its last runs and how they ended, and why something does not run.
 */
export const hooksWhySubcommand: SubcommandHandler = async ({ client, line, cwd, say }) => {
  const [event] = line.positionals;
  if (event === undefined) throw new CliError("usage", "Name a stage or an event: harness hooks why tool_exec.");
  const why = await client.call("hooks/why", { cwd, event });
  if (line.has("json")) say(JSON.stringify(why));
  else for (const each of why.lines) say(visibleText(each));
  return "done";
};

function row({ event, name, owner, path = "", ...hook }: HookView): string[] {
  return [event, name, owner === "person" ? "you" : owner, visibleText(path), remark(hook)];
}

function remark({
  form,
  trusted,
  problem,
  replaces,
  matcher,
}: Pick<HookView, "form" | "trusted" | "problem" | "replaces" | "matcher">): string {
  if (form === "built-in") return "built in";
  if (!trusted) return "not trusted";
  if (problem !== undefined) return "not used";
  if (matcher !== undefined) return `for ${visibleText(matcher)}`;
  return replaces ? "replaces the built-in step" : "";
}
