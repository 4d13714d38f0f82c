import type { Requester } from "@harness/gate";
import { type Effect, ROOT_AGENT, type ToolOutcome } from "@harness/protocol";
import { shownPath } from "../../context/conversation/shown-path.ts";
import type { Tool } from "../../ports/tool.ts";
import { changesIn } from "../../review/review-request.ts";
import { effectivePermissionMode } from "../turn/agent-role.ts";
import type { Turn } from "../turn/turn.ts";

type Call = { tool: Tool; title: string; args: unknown };

/** Why a call does not run before a review; or what its result does not show. */
type ReviewHold = { refusal: string } | { note: string };

/** At most this many waiting files are named. */
const MAX_NAMED = 5;

/** The end of a refusal that asks for a call once more. */
const AGAIN = "call it again if it is still right.";

/**
 * True if the changes of this call are kept beside the workspace. As long as any wait there, all are: the agent
 * continues with the files as it has left them.
 */
export function isStaging({ agent, scope, callSteps }: Turn, { tool }: Pick<Call, "tool">): boolean {
  const { review } = scope.calls;
  // A worktree is beside the workspace already; a program that replaces a tool writes as it likes.
  if (!tool.usesStaged || agent.place || callSteps.exec) return false;
  if (!review.isEmpty) return true;
  return effectivePermissionMode(agent.role, scope.settings.permissionMode) === "review" && review.canWait();
}

/**
 * True if nothing that this call writes reaches the workspace before the user has seen it. In a worktree nothing does.
 */
export function isBesideWorkspace(turn: Turn, call: Pick<Call, "tool">): boolean {
  return isStaging(turn, call) || (call.tool.usesStaged === true && turn.agent.place !== undefined);
}

/** Reviews waiting changes before a call that needs the files themselves. */
export async function reviewBefore(
  turn: Turn,
  { tool, args, title }: Call,
  by: Requester,
): Promise<ReviewHold | undefined> {
  const { review: queue } = turn.scope.calls;
  if (queue.isEmpty || turn.agent.place || tool.usesStaged) return undefined;
  const effects = tool.effects(args, turn.cwd).filter(usesFiles);
  if (effects.length === 0) return undefined;
  if (!queue.canReview() && effects.every(({ kind }) => kind === "read")) return { note: unseenNote(turn) };
  const { said, waits, isPutOff } = await review(turn, by);
  if (said === undefined && waits === undefined) return undefined;
  // Without the files the agent would only ask again.
  if (isPutOff) turn.top.controller.abort();
  const what = [said, waits].filter((each) => each !== undefined).join("\n");
  return { refusal: `${what}\nSo \`${title}\` did not run: ${AGAIN}` };
}

/** True if the result says that a review came before the call, so that the gate never heard of it. */
export function isHeldByReview({ status, text }: Pick<ToolOutcome, "status" | "text">): boolean {
  return status === "denied" && text.endsWith(AGAIN);
}

/** Called at the end of a turn of the root agent. Returns what the model has to know. */
export async function reviewAtEnd(turn: Turn): Promise<string | undefined> {
  const { scope, agent, turnId, signal } = turn;
  const { review: queue } = scope.calls;
  if (agent.agentId !== ROOT_AGENT || queue.isEmpty) return undefined;
  const { said, waits } = await review(turn, {
    agentId: agent.agentId,
    turnId,
    signal,
    record: (update) => turn.record(update),
    whileAsking: (ask) => turn.whileAsking(ask),
  });
  if (waits !== undefined && !queue.isEmpty) await noticeWaiting(turn, waits);
  return said;
}

async function noticeWaiting(turn: Turn, waits: string): Promise<void> {
  const { review: queue } = turn.scope.calls;
  if (queue.canReview()) {
    turn.notice("info", waits, "They are kept with the session: /pending opens them.");
    return;
  }
  const { hunks } = await queue.look();
  const { sessionId } = turn.scope.ports.log.header;
  const what = `Nobody is here to review the edits: ${changesIn(hunks.length, queue.paths.length)} wait, and no file was written.`;
  turn.notice("warning", what, `Open them with \`harness -r ${sessionId}\` and /pending.`);
}

function unseenNote({ scope, cwd }: Turn): string {
  const names = scope.calls.review.paths.map((path) => shownPath(path, cwd));
  const more = names.length > MAX_NAMED ? ` and ${names.length - MAX_NAMED} more` : "";
  return `[Your edits wait for the person's review, and this does not see them: ${names.slice(0, MAX_NAMED).join(", ")}${more}. \`read\` does.]`;
}

function review({ scope }: Turn, by: Requester) {
  const { checkpoints, review: queue } = scope.calls;
  return queue.review(by, async (write, paths) => {
    const root = scope.agents.get(ROOT_AGENT)?.turn;
    // An agent in the background may run outside of any turn of the root agent.
    if (!root) return await checkpoints.around(scope.ports.runtime.ids.next("turn"), write, paths);
    await checkpoints.beforeWrite(root, paths);
    return await write();
  });
}

const withoutFiles: ReadonlySet<Effect["kind"]> = new Set(["reach", "spend"]);

function usesFiles({ kind }: Effect): boolean {
  return !withoutFiles.has(kind);
}
