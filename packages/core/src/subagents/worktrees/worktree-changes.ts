import type { AgentState, AgentWorktree, Block, RestoredFile } from "@harness/protocol";
import { cutResult } from "../../context/cut-result.ts";
import type { Scope } from "../../loop/turn/scope.ts";
import type { ChangesAction } from "../../tools/agent-changes.ts";
import { diffText } from "../../undo/diff-text.ts";

/** Files of a diff that are shown at once. */
const MAX_SHOWN_FILES = 50;
const MAX_DIFF_CHARS = 20_000;

type Done = { done: boolean; text: string };
type OpenWorktree = { child: AgentState; worktree: AgentWorktree };

/** The agent with its open worktree, or why it has none. */
export function openWorktree({ journal }: Scope, agentId: string): OpenWorktree | { problem: string } {
  const child = journal.state.agents.get(agentId);
  const { worktree } = child ?? {};
  if (!child || !worktree) return { problem: `There is no agent \`${agentId.slice(0, 50)}\` with a worktree.` };
  if (worktree.state !== "open") return { problem: `The changes of ${agentId} were already ${worktree.state}.` };
  return { child, worktree };
}

/** Shows, applies or drops what an agent has changed in its worktree. Throws `LogWriteError`. */
export async function changesAction(scope: Scope, agentId: string, action: ChangesAction): Promise<Done> {
  const { worktrees } = scope.ports.files;
  const opened = openWorktree(scope, agentId);
  if ("problem" in opened || !worktrees)
    return notDone("problem" in opened ? opened.problem : "There are no worktrees here.");
  const { child, worktree } = opened;
  if (action === "diff") return await shown(scope, opened);
  if (child.run === "running") return notDone(`${agentId} is still running. Wait for it to end, or stop it first.`);
  if (action === "drop") return await closed(scope, opened, "dropped", `Dropped the changes of ${agentId}.`);
  const applied = await worktrees.apply(worktree);
  if ("problem" in applied) return notDone(applied.problem);
  const { isApplied, files } = applied;
  if (!isApplied) return notDone(conflictText(files, worktree));
  const lines = files.map(({ path, outcome }) => `${outcome === "merged" ? "merged" : "applied"} ${path}`);
  const text = files.length === 0 ? "The workspace already has all of these changes." : lines.join("\n");
  return await closed(scope, opened, "applied", text);
}

/** The diffs of what would be applied, for the question about it. */
export async function changedBlocks(scope: Scope, agentId: string): Promise<Block[]> {
  const opened = openWorktree(scope, agentId);
  if ("problem" in opened) return [];
  const diff = await scope.ports.files.worktrees?.diff(opened.worktree, { offset: 0, limit: MAX_SHOWN_FILES });
  return diff && "files" in diff ? diff.files.map((file) => ({ type: "diff", ...file })) : [];
}

async function shown({ ports }: Scope, { child, worktree }: OpenWorktree): Promise<Done> {
  const diff = await ports.files.worktrees?.diff(worktree, { offset: 0, limit: MAX_SHOWN_FILES });
  if (!diff || "problem" in diff) return notDone(diff?.problem ?? "");
  const { files, changedFiles, added, removed } = diff;
  if (changedFiles === 0) return { done: true, text: `${child.agentId} changed no files.` };
  const more = changedFiles > files.length ? [`… and ${changedFiles - files.length} more files`] : [];
  const head = `${changedFiles} changed ${changedFiles === 1 ? "file" : "files"}, +${added} −${removed}`;
  const text = [head, ...files.map(diffText), ...more].join("\n\n");
  return { done: true, text: cutResult(text, MAX_DIFF_CHARS, undefined) };
}

/** Removes the worktree and records what became of it, in the log of the agent that started the child. */
async function closed(
  { ports, journal }: Scope,
  { child, worktree }: OpenWorktree,
  state: "applied" | "dropped",
  text: string,
): Promise<Done> {
  const { agentId, task = "", run = "completed", name, background, parentAgentId = "" } = child;
  const removed = await ports.files.worktrees?.remove(worktree.worktreeId);
  if (removed && state === "dropped") return notDone(removed.problem);
  const parent = journal.state.agents.get(parentAgentId);
  const item = parent?.items[parent.positions.get(agentId) ?? -1];
  const output = item?.kind === "subagent" ? item.output : undefined;
  journal.append({
    agentId: parentAgentId,
    update: {
      sessionUpdate: "subagent_update",
      childAgentId: agentId,
      task,
      state: run,
      ...(output === undefined ? {} : { output }),
      ...(name === undefined ? {} : { name }),
      ...(background ? { background } : {}),
      worktree: { ...worktree, state },
    },
  });
  return { done: true, text: removed ? `${text}\n${removed.problem}` : text };
}

function conflictText(files: readonly RestoredFile[], { path }: AgentWorktree): string {
  const lines = files.map((file) => `${file.path}: ${file.why ?? "it cannot be written"}`);
  const way = `Resolve the conflicts in the workspace or in the worktree (${path}), then apply again.`;
  return ["Nothing was applied:", ...lines, way].join("\n");
}

function notDone(text: string): Done {
  return { done: false, text };
}
