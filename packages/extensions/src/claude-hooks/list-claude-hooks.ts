import type { HookView } from "@harness/protocol";
import { runView } from "../hooks/list-hooks.ts";
import type { HookRuns } from "../hooks/runs/hook-runs.ts";
import type { Inventory } from "../sources/inventory.ts";
import type { ClaudeHookSet } from "./claude-hooks.ts";
import { hookEvents } from "./hook-event.ts";

/** A file that cannot be read has no event. */
const UNREAD = { event: "hook-file", form: "claude" } as const;

/** The hooks in Claude's format by event; at the end the unused hook files, and parts of files without effect. */
export function listClaudeHooks(inventory: Inventory, set: ClaudeHookSet, runs: HookRuns): HookView[] {
  const hooks = hookEvents.flatMap((event) =>
    set.of(event).map(({ command, matcher, path, source, timeoutMs, passEnv }): HookView => {
      const last = runs.last(event, command);
      return {
        ...{ event, name: command, path, form: "claude", owner: source.owner, source: source.folder, trusted: true },
        timeoutMs,
        ...(matcher !== "" && { matcher }),
        ...(passEnv.length > 0 && { passEnv: [...passEnv] }),
        ...(last && { last: runView(last) }),
      };
    }),
  );
  const unused = inventory.entries.flatMap(({ kind, path, source, needsTrust, problem }): HookView[] => {
    if (kind !== "hook-file" || problem === undefined) return [];
    const { owner, folder } = source;
    return [{ ...UNREAD, name: path, path, owner, source: folder, trusted: needsTrust !== true, problem }];
  });
  const wrong = set.files.flatMap(({ path, source, problems }) =>
    problems.map((problem): HookView => {
      return { ...UNREAD, name: path, path, owner: source.owner, source: source.folder, trusted: true, problem };
    }),
  );
  return [...hooks, ...unused, ...wrong];
}
