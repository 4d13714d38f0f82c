import type { PromptCommand, ToolCallPart } from "@harness/protocol";
import { cutMiddle } from "../../context/cut-result.ts";
import type { Turn } from "../turn/turn.ts";
import { pendingCall, prepareCall } from "./prepare-call.ts";
import { runCall } from "./run-call.ts";

/** For the result of one call inside a slash command's text. */
const MAX_RESULT_CHARS = 10_000;

type CommandCall = Exclude<PromptCommand["pieces"][number], { text: string }>;

/**
 * Makes the calls of slash commands, each through the gate, and sends the agent the commands' text with the results
 * filled in. For a denied call the text contains the denial. Throws `LogWriteError`.
 */
export async function writeCommands(turn: Turn): Promise<void> {
  for (const { pieces } of turn.unwritten.splice(0)) {
    const texts: string[] = [];
    for (const piece of pieces) texts.push("text" in piece ? piece.text : await resultOf(turn, piece));
    if (turn.signal.aborted) return;
    turn.record({
      sessionUpdate: "user_message",
      messageId: turn.runtime.ids.next("message"),
      content: [{ type: "text", text: texts.join("") }],
      kind: "command",
      origin: "harness",
    });
  }
}

async function resultOf(turn: Turn, { tool, input }: CommandCall): Promise<string> {
  if (turn.signal.aborted) return "";
  const toolCallId = turn.runtime.ids.next("call");
  const part: ToolCallPart = { type: "tool_call", toolCallId, name: tool, input };
  const call = prepareCall(turn, part, { isCut: false, isTooMany: false, isTooDeep: false });
  turn.record(pendingCall(call, turn.cwd));
  const controller = new AbortController();
  const { controllers } = turn.scope.calls;
  controllers.set(toolCallId, controller);
  try {
    const { text } = await runCall(turn, call, AbortSignal.any([turn.signal, controller.signal]));
    return cutMiddle(text.trim(), MAX_RESULT_CHARS, (left) => `[… ${left} characters left out]`);
  } finally {
    controllers.delete(toolCallId);
  }
}
