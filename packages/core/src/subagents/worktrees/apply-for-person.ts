import type { GuardedWrite } from "@harness/gate";
import { type Permission, ROOT_AGENT } from "@harness/protocol";
import { shownPath } from "../../context/conversation/shown-path.ts";
import type { Scope } from "../../loop/turn/scope.ts";
import type { SeenChanges } from "../../tools/agent-changes.ts";
import { changedBlocks, changesAction, lookAtChanges } from "./worktree-changes.ts";

type ChangesResult = { done: boolean; text: string };

const APPLY = "allow_once";
const LEAVE = "reject_once";

/**
 * Applies a worktree for the user, who needs no permission for their own files. But an agent has made the changes:
 * files among them that no permission mode would let it write are named, each of them, and confirmed first.
 */
export async function applyForPerson(scope: Scope, agentId: string, signal: AbortSignal): Promise<ChangesResult> {
  const seen = await lookAtChanges(scope, agentId, "person");
  if ("problem" in seen) return { done: false, text: seen.problem };
  const { gate, checkpoints } = scope.calls;
  const guarded = await gate.guardedWrites(seen.paths, signal);
  const refusal = guarded.length > 0 ? await confirm(scope, agentId, { seen, guarded, signal }) : undefined;
  if (refusal !== undefined) return { done: false, text: refusal };
  const turnId = scope.ports.runtime.ids.next("turn");
  return await checkpoints.around(turnId, () => changesAction(scope, agentId, { action: "apply", seen }));
}

/** Why nothing is applied; undefined if the user has confirmed it. Throws `LogWriteError`. */
async function confirm(
  scope: Scope,
  agentId: string,
  { seen, guarded, signal }: { seen: SeenChanges; guarded: readonly GuardedWrite[]; signal: AbortSignal },
): Promise<string | undefined> {
  const { ports, journal } = scope;
  const { cwd } = ports.log.header;
  const names = guarded.map(({ path, reason, by }) => {
    const shown = shownPath(path, cwd);
    return by === "rule" ? `${shown} (${reason})` : shown;
  });
  const list = names.join(", ");
  const { asker } = ports.gate;
  if (!asker.canAsk()) {
    return `Nothing was applied: ${agentId} has changed files that need your confirmation, and nobody is connected who could give it: ${list}.`;
  }
  const permission = await confirmation(scope, agentId, seen, { guarded, list });
  const { permissionId, toolCallId } = permission;
  journal.append({ agentId: ROOT_AGENT, update: { sessionUpdate: "permission_requested", permission } });
  const answer = await asker.askPermission(permission, signal);
  const resolved = { sessionUpdate: "permission_resolved", permissionId, toolCallId, ...answer } as const;
  journal.append({ agentId: ROOT_AGENT, update: { ...resolved, reason: signal.aborted ? "cancelled" : "answered" } });
  const { outcome } = answer;
  return outcome.outcome === "selected" && outcome.optionId === APPLY
    ? undefined
    : `Nothing was applied: you kept ${list} as it is.`;
}

async function confirmation(
  scope: Scope,
  agentId: string,
  seen: SeenChanges,
  { guarded, list }: { guarded: readonly GuardedWrite[]; list: string },
): Promise<Permission> {
  const permissionId = scope.ports.runtime.ids.next("permission");
  const first = new Set(guarded.map(({ path }) => path));
  const paths = [...first, ...seen.paths.filter((path) => !first.has(path))];
  const count = paths.length === 1 ? "1 file" : `${paths.length} files`;
  return {
    permissionId,
    agentId: ROOT_AGENT,
    toolCallId: permissionId,
    tool: "worktree",
    title: `apply the changes of ${agentId} in ${count}`,
    reason: `writes files that are asked about in every mode: ${list}`,
    risk: "high",
    effects: paths.map((path) => ({ kind: "write", path })),
    preview: await changedBlocks(scope, agentId, seen),
    options: [
      { optionId: APPLY, name: "Apply all of it", kind: APPLY },
      { optionId: LEAVE, name: "Apply nothing", kind: LEAVE },
    ],
  };
}
