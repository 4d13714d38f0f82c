import type { ToolCallPart } from "@harness/protocol";
import { answerCalls } from "../calls/answer-calls.ts";
import { CallStream } from "../calls/call-stream.ts";
import type { Reply } from "../stages/stage-value.ts";
import type { ReplyCalls } from "../turn/reply-calls.ts";
import type { Turn } from "../turn/turn.ts";
import { nameCalls } from "./call-names.ts";
import { sanitizeParts } from "./sanitize-parts.ts";

/** Undefined if an extension sees the reply before its calls run, and may change or refuse them. */
export function newCalls(turn: Turn, from: Pick<Reply, "messageId" | "provider" | "model">): ReplyCalls | undefined {
  const receiving = turn.stages.get("receive") ?? [];
  const [running, ...others] = turn.stages.get("tool_exec") ?? [];
  const isOurs = receiving.length === 1 && running?.run === answerCalls && others.length === 0;
  return isOurs ? new CallStream(turn, from) : undefined;
}

/** Passes on a complete call while its reply still streams, in the form that the log takes. */
export function offerCall({ calls, scope, runtime }: Turn, sent: ToolCallPart): void {
  const sound = sanitizeParts([sent]);
  if (!calls || calls.isFull || sound.tooDeep.size > 0) return;
  const { parts } = nameCalls(sound.parts, scope.journal.callIds, () => runtime.ids.next("call"));
  for (const part of parts) if (part.type === "tool_call") calls.offer(sent.toolCallId, part);
}
