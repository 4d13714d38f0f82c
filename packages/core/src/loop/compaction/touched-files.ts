import type { SessionState } from "@harness/protocol";
import type { ModelMessage } from "../../ports/provider.ts";
import { callArguments } from "../calls/call-arguments.ts";
import type { Toolbox } from "../toolbox/toolbox.ts";

/** The newest count; a longer list would be no help. */
const MAX_FILES = 40;

/** The calls to look at, and what is known of files besides. */
type Traces = {
  messages: readonly ModelMessage[];
  toolbox: Toolbox;
  cwd: string;
  /** Of the compaction before. */
  known: readonly string[];
};

/**
 * The files that these calls read or changed, by what they say of themselves before they run, after those that are known;
 * the last one that was touched comes last. Those in the folder of the session are named from there.
 */
export function touchedFiles({ messages, toolbox, cwd, known }: Traces): string[] {
  const files = new Set(known);
  for (const message of messages) {
    if (message.role !== "assistant") continue;
    for (const part of message.parts) {
      if (part.type !== "tool_call") continue;
      for (const path of pathsOf(part, toolbox, cwd)) {
        const shown = path.startsWith(`${cwd}/`) ? path.slice(cwd.length + 1) : path;
        files.delete(shown);
        files.add(shown);
      }
    }
  }
  return [...files].slice(-MAX_FILES);
}

/** Files that turns changed by whatever means, commands too. */
export function changedFiles({ agents }: SessionState, agentId: string): string[] {
  const items = agents.get(agentId)?.items ?? [];
  const paths = items.flatMap((item) => (item.kind === "changes" ? item.files.map(({ path }) => path) : []));
  return [...new Set(paths)].slice(-MAX_FILES);
}

function pathsOf(
  part: Parameters<typeof callArguments>[0] & { name: string },
  toolbox: Toolbox,
  cwd: string,
): string[] {
  const found = toolbox.find(part.name);
  if (!found) return [];
  try {
    const read = callArguments(part, found.tool, found.alias);
    if ("problem" in read) return [];
    const effects = found.tool.effects(read.args, cwd);
    return effects.flatMap((effect) =>
      (effect.kind === "write" || effect.kind === "read") && effect.path !== cwd ? [effect.path] : [],
    );
  } catch {
    // A tool that cannot name its effects has touched nothing that is known.
    return [];
  }
}
