import type { ModelRequest, ToolSpec } from "@harness/core";
import type { ToolCallPart } from "@harness/protocol";
import type { WireProvider } from "../wires/wire-api.ts";
import { callText, plainConversation } from "./prompt/plain-conversation.ts";
import { toolLines } from "./prompt/tool-signature.ts";
import { withReadReplies } from "./read-replies.ts";
import { textForm } from "./with-text-calls.ts";

/** The prompt that offers tools to a model without support for them. The same tools give the same text. */
export function promptedTools(tools: readonly ToolSpec[]): string {
  return `# Tools

You have these tools:

${toolLines(tools)}

To use a tool, end your reply with a block of exactly this form, in a fence of its own, and write nothing after it:

\`\`\`json
{"tool": "NAME", "args": {"ARGUMENT": "VALUE"}}
\`\`\`

For several calls write several blocks, one after the other. Their results come in the next message: wait for them and never make one up. A reply without a block is your final answer.`;
}

/** Offers tools to models that have no support for them: described in the system text, called in blocks of the reply. */
export function withPromptedTools(provider: WireProvider): WireProvider {
  const promptedProvider: WireProvider = {
    id: provider.id,
    stream: (request, signal) => provider.stream(promptedRequest(request), signal),
  };
  return withReadReplies(promptedProvider, () => textForm("no_native_tools"));
}

export function promptedRequest(request: ModelRequest): ModelRequest {
  const system = request.tools.length > 0 ? [request.system, promptedTools(request.tools)] : [request.system];
  return {
    ...request,
    system: system.filter((each) => each !== "").join("\n\n"),
    messages: plainConversation(request.messages, replyText),
    tools: [],
  };
}

function replyText(text: string, calls: readonly ToolCallPart[]): string {
  const blocks = calls.map((call) => `\`\`\`json\n${callText(call)}\n\`\`\``);
  return [text.trimEnd(), ...blocks].filter((each) => each !== "").join("\n\n");
}
