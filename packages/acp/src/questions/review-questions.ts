import type { ToolCallContent } from "@agentclientprotocol/sdk/unstable";
import type { HunkAnswer, Permission, PermissionOutcome, ReviewHunk } from "@harness/protocol";
import type { ClientAsker } from "../peer/client-asker.ts";
import type { UpdateWriter } from "../peer/update-writer.ts";

const options = [
  { optionId: "take", name: "Take the changes of this file", kind: "allow_once" as const },
  { optionId: "take_rest", name: "Take this and all other files", kind: "allow_always" as const },
  { optionId: "reject", name: "Reject the changes of this file", kind: "reject_once" as const },
  { optionId: "reject_rest", name: "Reject this and all other files", kind: "reject_always" as const },
];

type ReviewDeps = { asker: ClientAsker; writer: UpdateWriter; signal: AbortSignal };

/** Asks about collected edits, one file at a time. An unanswered review stays for later. */
export async function askReview(permission: Permission, deps: ReviewDeps): Promise<PermissionOutcome> {
  const byPath = Map.groupBy(permission.review ?? [], ({ path }) => path);
  const hunks: HunkAnswer[] = [];
  let rest: boolean | undefined;
  for (const [path, changes] of byPath) {
    const answer = rest === undefined ? await askFile(permission, path, changes, deps) : undefined;
    if (rest === undefined && answer === undefined) return { outcome: "cancelled" };
    const take = rest ?? answer?.startsWith("take") === true;
    if (answer?.endsWith("_rest")) rest = take;
    hunks.push(...changes.map(({ hunkId }) => ({ hunkId, take })));
  }
  const reject = permission.options.find(({ kind }) => kind === "reject_once");
  return reject ? { outcome: "selected", optionId: reject.optionId, hunks } : { outcome: "cancelled" };
}

/** The option that was chosen; undefined: none. */
async function askFile(
  { permissionId }: Permission,
  path: string,
  changes: readonly ReviewHunk[],
  { asker, writer, signal }: ReviewDeps,
): Promise<string | undefined> {
  const toolCallId = `${permissionId} ${path}`;
  const toolCall = {
    toolCallId,
    title: `Review ${path}`,
    kind: "edit" as const,
    status: "pending" as const,
    content: changes.map(hunkContent),
    locations: changes.map(({ line }) => ({ path, line })),
  };
  writer.send({ sessionUpdate: "tool_call", ...toolCall });
  const answer = await asker.choose({ sessionId: writer.sessionId, toolCall, options }, signal);
  const chosen = answer?.outcome.outcome === "selected" ? answer.outcome.optionId : undefined;
  const known = options.find(({ optionId }) => optionId === chosen)?.optionId;
  const status = known?.startsWith("take") ? "completed" : "failed";
  writer.send({ sessionUpdate: "tool_call_update", toolCallId, status });
  return known;
}

function hunkContent({ path, change, before, after, above = "", below = "" }: ReviewHunk): ToolCallContent {
  const oldText = change === "create" ? null : above + before + below;
  return { type: "diff", path, oldText, newText: above + after + below };
}
