import type { AgentWorktree } from "@harness/protocol";
import { cutResult } from "../../context/cut-result.ts";
import { resultLimitChars } from "../../context/tokens/usable-tokens.ts";
import type { Scope } from "../../loop/turn/scope.ts";
import type { Turn } from "../../loop/turn/turn.ts";
import { LogWriteError } from "../../ports/session-log.ts";
import type { WorktreeChanges } from "../../ports/worktrees.ts";
import { AGENT_CHANGES } from "../../tools/agent-changes.ts";
import { diffText } from "../../undo/diff-text.ts";

/** The size of the diff that goes to the parent with the result. */
const MAX_DIFF_CHARS = 6_000;
const MAX_DIFF_FILES = 20;
const MAX_LISTED = 30;

const NOT_HERE = "A subagent cannot have its own worktree here: start it without `worktree`.";

/** `note`: explains the worktree to the agent. */
export type MadeWorktree = { worktree: AgentWorktree; note: string };

/** Makes a worktree for a subagent that is about to start, or returns why there is none, for the model. */
export async function makeWorktree(
  { ports: { files, runtime } }: Scope,
  signal: AbortSignal,
): Promise<MadeWorktree | { rejected: string }> {
  if (!files.worktrees) return { rejected: `This session keeps nothing on disk. ${NOT_HERE}` };
  const worktreeId = runtime.ids.next("worktree");
  const made = await files.worktrees.make(worktreeId, signal);
  if ("problem" in made) return { rejected: `${made.problem} ${NOT_HERE}` };
  const { path, branch, base, leftOut } = made;
  const without = leftOut === undefined ? "" : ` Left out: ${leftOut}.`;
  return {
    worktree: { worktreeId, path, branch, base, files: 0, added: 0, removed: 0, state: "open" },
    note: `You work in your own git worktree, ${path}: change files only there. Ignored files, such as installed packages, are not in it.${without}`,
  };
}

/** The state of the worktree when its agent ends, and the report to the parent. Throws nothing. */
export async function endWorktree(
  childTurn: Turn,
  worktree: AgentWorktree,
): Promise<{ worktree: AgentWorktree; text: string }> {
  const { worktrees } = childTurn.scope.ports.files;
  const changes = await worktrees?.changes(worktree);
  if (!worktrees || !changes) return { worktree, text: "" };
  if ("problem" in changes) return { worktree, text: changes.problem };
  const { files, moreFiles, added, removed } = changes;
  const count = files.length + moreFiles;
  if (count === 0) {
    await worktrees.remove(worktree.worktreeId);
    return {
      worktree: { ...worktree, state: "dropped" },
      text: "It changed no files; its worktree was removed.",
    };
  }
  const counted = { ...worktree, files: count, added, removed, changes: files };
  return { worktree: counted, text: await changesText(childTurn, counted, changes) };
}

async function changesText(childTurn: Turn, worktree: AgentWorktree, changes: WorktreeChanges): Promise<string> {
  const { scope, agent, choice } = childTurn;
  const { files, moreFiles, added, removed, leftOut } = changes;
  const diff = await scope.ports.files.worktrees?.diff(worktree, { offset: 0, limit: MAX_DIFF_FILES });
  const whole = diff && "files" in diff ? diff.files.map(diffText).join("\n") : "";
  const saved = await savedDiff(scope, worktree);
  const limit = Math.min(MAX_DIFF_CHARS, resultLimitChars(choice?.contextWindow.tokens ?? 8_192) / 4);
  const more = files.length + moreFiles - MAX_LISTED;
  return [
    `It changed ${worktree.files === 1 ? "1 file" : `${worktree.files} files`} in its worktree, +${added} −${removed}; not applied to the workspace yet:`,
    ...files.slice(0, MAX_LISTED).map((file) => `${file.change} ${file.path} +${file.added} −${file.removed}`),
    ...(more > 0 ? [`… and ${more} more`] : []),
    ...(leftOut === undefined ? [] : [`Left out: ${leftOut}.`]),
    cutResult(whole, Math.floor(limit), saved),
    `${AGENT_CHANGES} with {"agent":"${agent.agentId}","action":"apply"} applies them to the workspace, "drop" discards them.`,
  ].join("\n");
}

/** The file with the whole diff; undefined if it could not be written. */
async function savedDiff({ ports }: Scope, worktree: AgentWorktree): Promise<string | undefined> {
  try {
    const path = ports.log.newBlob(".diff");
    return (await ports.files.worktrees?.saveDiff(worktree, path)) === undefined ? path : undefined;
  } catch (error) {
    if (!(error instanceof LogWriteError)) ports.runtime.report(error, "worktree.saveDiff");
    return undefined;
  }
}
