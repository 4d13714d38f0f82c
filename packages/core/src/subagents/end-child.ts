import type { Fact, UpdateOf } from "@harness/protocol";
import { subagentText, unreadNotices } from "../context/conversation/inbox-text.ts";
import type { TurnEnd } from "../loop/stages/stage-value.ts";
import { wakeAgents } from "../loop/turn/scope.ts";
import type { Turn } from "../loop/turn/turn.ts";
import { LogWriteError } from "../ports/session-log.ts";
import { AGENT_CHANGES } from "../tools/agent-changes.ts";
import type { SubagentEnd } from "../tools/subagent-order.ts";
import { resultOf } from "./child-result.ts";
import { endWorktree } from "./worktrees/child-worktree.ts";

const ENDED = "it had already ended.";

/** How the child was started: the fact of its start, and the turn that it was started in. */
type ChildStart = { update: UpdateOf<"subagent_update">; parentTurn: Turn };

/**
 * Records the end of a child in its parent's log, which puts its result into the parent's inbox. Messages that the
 * child has not read are dropped before, so that their senders are notified.
 */
export async function endChild(
  childTurn: Turn,
  { update, parentTurn }: ChildStart,
  end: TurnEnd,
): Promise<SubagentEnd> {
  const { scope, agent: parent } = parentTurn;
  const apart = update.worktree && (await endWorktree(childTurn, update.worktree));
  const { agent: child, usage, cost } = childTurn;
  const { ids, report } = scope.ports.runtime;
  scope.agents.delete(child.agentId);
  parent.children.delete(child.agentId);
  // A background agent may outlive the turn that started it.
  if (parent.turn === parentTurn) parentTurn.addSpent(usage, cost);
  const record = (fact: Fact) => {
    const turnId = parent.turn?.turnId;
    scope.journal.append({ agentId: parent.agentId, ...(turnId === undefined ? {} : { turnId }), update: fact });
  };
  const own = resultOf(childTurn, end);
  const result = apart ? { ...own, output: `${own.output}\n\n${apart.text}`, answerLength: own.output.length } : own;
  try {
    dropUnread(childTurn);
    const spent = { ...(Object.keys(usage).length > 0 ? { usage } : {}), ...(cost ? { cost } : {}) };
    record({
      ...update,
      ...result,
      resultId: ids.next("message"),
      ...spent,
      ...(apart ? { worktree: apart.worktree } : {}),
    });
    if (apart?.worktree.state === "open") parent.toolbox.offer([AGENT_CHANGES]);
    if (update.background && parent.turn === undefined) record(endNotice(childTurn, end));
  } catch (error) {
    if (!(error instanceof LogWriteError)) report(error, "subagent");
  }
  wakeAgents(scope);
  return { run: result.state, text: subagentText(child.agentId, result, scope.journal.state.processes) };
}

/** Reports the child's unread messages to their senders: to other agents by their inbox, to people by a notice. */
function dropUnread({ agent: { agentId, inbox }, scope }: Turn): void {
  for (const message of inbox.unread) {
    const { messageId, origin } = message;
    if (origin !== "agent" && origin !== "user") continue;
    const sender = origin === "agent" ? { fromAgentId: message.fromAgentId } : {};
    const update = { sessionUpdate: "inbox_update", messageId, state: "dropped", ...sender, reason: ENDED } as const;
    scope.journal.append({ agentId, update });
    if (origin !== "user") continue;
    for (const notice of unreadNotices(agentId, message.prompt, ENDED)) scope.journal.append(notice);
  }
}

/** No turn waits for the end of a background agent that ends between two turns. */
function endNotice({ agent }: Turn, { stopReason }: TurnEnd): Fact {
  const word = stopReason === "end_turn" ? "is done" : "has ended";
  const description = "Its result goes to the main agent with your next message.";
  return { sessionUpdate: "notice", severity: "info", title: `${agent.agentId} ${word}.`, description };
}
