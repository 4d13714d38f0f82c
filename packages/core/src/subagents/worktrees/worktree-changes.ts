import { isProtected } from "@harness/gate";
import { type AgentState, type AgentWorktree, type Block, type RestoredFile, shownName } from "@harness/protocol";
import { cutResult } from "../../context/cut-result.ts";
import type { Scope } from "../../loop/turn/scope.ts";
import type { ChangesRequest, SeenChanges } from "../../tools/agent-changes.ts";
import { diffText } from "../../undo/diff-text.ts";

/** Files of a diff that are shown at once. */
const MAX_SHOWN_FILES = 50;
const MAX_DIFF_CHARS = 20_000;

const NONE_HERE = "There are no worktrees here.";

type ChangesResult = { done: boolean; text: string };
type OpenWorktree = { child: AgentState; worktree: AgentWorktree };

/** The agent with its open worktree, or why it has none. */
export function openWorktree({ journal }: Scope, agentId: string): OpenWorktree | { problem: string } {
  const child = journal.state.agents.get(agentId);
  const { worktree } = child ?? {};
  if (!child || !worktree) return { problem: `There is no agent \`${agentId.slice(0, 50)}\` with a worktree.` };
  if (worktree.state !== "open") return { problem: `The changes of ${agentId} were already ${worktree.state}.` };
  return { child, worktree };
}

/**
 * Reads everything a subagent has changed in its worktree, after ending the processes there. Only these changes can be
 * judged and applied.
 */
export async function lookAtChanges(
  scope: Scope,
  agentId: string,
  by: "agent" | "person",
): Promise<SeenChanges | { problem: string }> {
  const opened = openWorktree(scope, agentId);
  if ("problem" in opened) return opened;
  const { worktrees } = scope.ports.files;
  if (!worktrees) return { problem: NONE_HERE };
  if (opened.child.run === "running") return { problem: stillRunning(agentId) };
  const ended = await endProcesses(scope, agentId, by);
  const changes = await worktrees.changes(opened.worktree);
  return "problem" in changes ? changes : { tree: changes.tree, paths: changes.paths, ended };
}

/** Shows, applies or drops what an agent has changed in its worktree. Throws `LogWriteError`. */
export async function changesAction(scope: Scope, agentId: string, request: ChangesRequest): Promise<ChangesResult> {
  const { worktrees } = scope.ports.files;
  const opened = openWorktree(scope, agentId);
  if ("problem" in opened || !worktrees) return notDone("problem" in opened ? opened.problem : NONE_HERE);
  const { child, worktree } = opened;
  if (request.action === "diff") return await showChanges(scope, opened);
  if (child.run === "running") return notDone(stillRunning(agentId));
  if (request.action !== "apply") {
    const ended = await endProcesses(scope, agentId, "agent");
    return await closeWorktree(scope, opened, "dropped", withLine(`Dropped the changes of ${agentId}.`, ended));
  }
  const applied = await worktrees.apply({ ...worktree, tree: request.seen.tree });
  if ("problem" in applied) return notDone(applied.problem);
  const { isApplied, files } = applied;
  if (!isApplied) return notDone(conflictText(files, worktree));
  const lines = files.map(({ path, outcome }) => `${outcome === "merged" ? "merged" : "applied"} ${shownName(path)}`);
  const text = files.length === 0 ? "The workspace already has all of these changes." : lines.join("\n");
  return await closeWorktree(scope, opened, "applied", withLine(text, request.seen.ended));
}

/**
 * The diffs of what would be applied, for the question about it: protected files first, because only a few are shown.
 */
export async function changedBlocks(scope: Scope, agentId: string, { tree, paths }: SeenChanges): Promise<Block[]> {
  const opened = openWorktree(scope, agentId);
  if ("problem" in opened) return [];
  const { cwd } = scope.ports.log.header;
  const guarded = paths.filter((path) => isProtected(path, cwd));
  const others = paths.filter((path) => !isProtected(path, cwd));
  const blocks: Block[] = [];
  for (const part of [guarded, others]) {
    const page = { offset: 0, limit: MAX_SHOWN_FILES - blocks.length };
    if (part.length === 0 || page.limit === 0) continue;
    const diff = await scope.ports.files.worktrees?.diff({ ...opened.worktree, tree }, page, part);
    if (diff && "files" in diff) blocks.push(...diff.files.map((file): Block => ({ type: "diff", ...file })));
  }
  return blocks;
}

/**
 * Ends the processes that the agent, and others in the same worktree, have left running; returns a sentence about it.
 */
async function endProcesses({ ports, journal }: Scope, agentId: string, by: "agent" | "person"): Promise<string> {
  const ids = new Set([agentId]);
  // The set grows during the iteration: the children of children follow.
  for (const id of ids) {
    for (const child of journal.state.agents.values()) if (child.parentAgentId === id) ids.add(child.agentId);
  }
  const ended = await ports.files.endProcesses([...ids], by);
  return ended.map((command) => `Its process \`${shownName(command)}\` was ended first.`).join("\n");
}

function stillRunning(agentId: string): string {
  return `${agentId} is still running. Wait for it to end, or stop it first.`;
}

async function showChanges({ ports }: Scope, { child, worktree }: OpenWorktree): Promise<ChangesResult> {
  const diff = await ports.files.worktrees?.diff(worktree, { offset: 0, limit: MAX_SHOWN_FILES });
  if (!diff || "problem" in diff) return notDone(diff?.problem ?? "");
  const { files, changedFiles, added, removed } = diff;
  if (changedFiles === 0) return { done: true, text: `${child.agentId} changed no files.` };
  const more = changedFiles > files.length ? [`… and ${changedFiles - files.length} more files`] : [];
  const head = `${changedFiles} changed ${changedFiles === 1 ? "file" : "files"}, +${added} −${removed}`;
  const text = [head, ...files.map(diffText), ...more].join("\n\n");
  return { done: true, text: cutResult(text, MAX_DIFF_CHARS, undefined) };
}

/** Removes the worktree and records the outcome in the log of the agent that started the child. */
async function closeWorktree(
  { ports, journal }: Scope,
  { child, worktree }: OpenWorktree,
  state: "applied" | "dropped",
  text: string,
): Promise<ChangesResult> {
  const { agentId, task = "", run = "completed", name, background, parentAgentId = "" } = child;
  const removed = await ports.files.worktrees?.remove(worktree.worktreeId);
  if (removed && state === "dropped") return notDone(removed.problem);
  const parent = journal.state.agents.get(parentAgentId);
  const item = parent?.items[parent.positions.get(agentId) ?? -1];
  const { output, answerLength } = item?.kind === "subagent" ? item : {};
  journal.append({
    agentId: parentAgentId,
    update: {
      sessionUpdate: "subagent_update",
      childAgentId: agentId,
      task,
      state: run,
      ...(output === undefined ? {} : { output }),
      ...(answerLength === undefined ? {} : { answerLength }),
      ...(name === undefined ? {} : { name }),
      ...(background ? { background } : {}),
      worktree: { ...worktree, state },
    },
  });
  return { done: true, text: withLine(text, removed?.problem ?? "") };
}

function conflictText(files: readonly RestoredFile[], { path }: AgentWorktree): string {
  const lines = files.map((file) => `${shownName(file.path)}: ${file.why ?? "it cannot be written"}`);
  const way = `Resolve the conflicts in the workspace or in the worktree (${path}), then apply again.`;
  return ["Nothing was applied:", ...lines, way].join("\n");
}

function withLine(text: string, more: string): string {
  return more === "" ? text : `${text}\n${more}`;
}

function notDone(text: string): ChangesResult {
  return { done: false, text };
}
