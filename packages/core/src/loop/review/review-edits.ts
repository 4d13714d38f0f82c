import type { Requester } from "@harness/gate";
import { type Effect, ROOT_AGENT } from "@harness/protocol";
import type { Tool } from "../../ports/tool.ts";
import { permissionModeOf } from "../turn/agent-role.ts";
import type { Turn } from "../turn/turn.ts";

type Call = { tool: Tool; title: string; args: unknown };

/**
 * Are the changes of this call kept beside the workspace? As long as any wait there, all are: the agent goes on with the files
 * as it has left them.
 */
export function isStaging({ agent, scope, callSteps }: Turn, { tool }: Pick<Call, "tool">): boolean {
  const { review } = scope.calls;
  // A worktree is beside the workspace already; what runs in place of a tool writes as it likes.
  if (!tool.usesStaged || agent.place || callSteps.exec) return false;
  if (!review.isEmpty) return true;
  return permissionModeOf(agent.role, scope.settings.permissionMode) === "review" && review.canReview();
}

/** Before a call that needs the files themselves, what waits is reviewed. Returns why it does not run then. */
export async function reviewBefore(
  turn: Turn,
  { tool, args, title }: Call,
  by: Requester,
): Promise<string | undefined> {
  if (turn.scope.calls.review.isEmpty || turn.agent.place || tool.usesStaged) return undefined;
  if (!tool.effects(args, turn.cwd).some(usesFiles)) return undefined;
  const { said, waits } = await review(turn, by);
  if (said === undefined && waits === undefined) return undefined;
  const what = [said, waits].filter((each) => each !== undefined).join("\n");
  return `${what}\nSo \`${title}\` did not run: call it again if it is still right.`;
}

/** At the end of a turn of the root agent. Returns what the model has to know. */
export async function reviewAtEnd(turn: Turn): Promise<string | undefined> {
  const { scope, agent, turnId, signal } = turn;
  if (agent.agentId !== ROOT_AGENT || scope.calls.review.isEmpty) return undefined;
  const { said, waits } = await review(turn, {
    agentId: agent.agentId,
    turnId,
    signal,
    record: (update) => turn.record(update),
    whileAsking: (ask) => turn.whileAsking(ask),
  });
  if (waits !== undefined && !scope.calls.review.isEmpty)
    turn.notice("info", waits, "They are kept, and shown again at the end of the next turn.");
  return said;
}

function review(turn: Turn, by: Requester) {
  const { checkpoints, review: queue } = turn.scope.calls;
  return queue.review(by, () => checkpoints.beforeWrite(turn.scope.agents.get(ROOT_AGENT)?.turn));
}

const withoutFiles: ReadonlySet<Effect["kind"]> = new Set(["reach", "spend"]);

function usesFiles({ kind }: Effect): boolean {
  return !withoutFiles.has(kind);
}
