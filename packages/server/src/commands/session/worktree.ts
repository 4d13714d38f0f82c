import type { LiveSession } from "@harness/core";
import type { AgentView } from "@harness/protocol";
import { misused, type ServerCommand } from "../server-command.ts";

const actions = ["diff", "apply", "drop"] as const;
type Action = (typeof actions)[number];

/** Lists the changes of subagents in their worktrees, and applies or drops them. */
export const worktreeCommand: ServerCommand = {
  description: "List, show, apply or drop the changes that subagents made in their worktrees.",
  argumentHint: "[diff|apply|drop AGENT]",
  needsSession: true,
  async run({ session, host }, args) {
    const [action = "", agentId = "", ...more] = args.split(/\s+/);
    if (action === "") return worktreeList(session);
    if (!isAction(action) || agentId === "" || more.length > 0)
      throw misused(`Type /worktree, or one of ${actions.map((each) => `/worktree ${each} AGENT`).join(", ")}.`);
    const { text } = await session.worktree(agentId, action);
    return host.sessions.live.need(session.sessionId).hide(text);
  },
};

function isAction(word: string): word is Action {
  return (actions as readonly string[]).includes(word);
}

function worktreeList(session: LiveSession): string {
  const open = session.agents().filter(({ worktree }) => worktree?.state === "open");
  if (open.length === 0) return "No subagent has changes in a worktree.";
  return [...open.map(lineOf), "/worktree diff|apply|drop AGENT"].join("\n");
}

function lineOf({ agentId, state, task = "", worktree }: AgentView): string {
  const { path = "", files = 0, added = 0, removed = 0 } = worktree ?? {};
  const changed = files === 0 ? "not counted yet" : `${files} changed files, +${added} −${removed}`;
  return `${agentId} (${state}): ${changed}, in ${path}\n  ${task.split("\n", 1)[0]}`;
}
