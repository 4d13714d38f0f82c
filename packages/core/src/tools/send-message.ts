import * as z from "zod";
import { defineTool, type Tool, type ToolContext, type ToolResult } from "../ports/tool.ts";
import { titleLine } from "./title-line.ts";

export const SEND_MESSAGE = "send_message";

export type AgentMessage = { to: string; text: string; wait: boolean };

const args = z.strictObject({
  to: z.string().trim().min(1),
  text: z.string().trim().min(1),
  wait: z.boolean().optional().describe("Wait for an answer."),
});

/** A tool: sends a message to another running agent. */
export function sendMessageTool<C extends ToolContext>(
  send: (order: AgentMessage, context: C) => Promise<ToolResult>,
): Tool {
  return defineTool({
    name: SEND_MESSAGE,
    description: "Message a running agent by id or name; `parent` is the one that started you.",
    args,
    category: "signal",
    offer: "ample-room",
    effects: () => [],
    title: ({ to, text }) => `${SEND_MESSAGE} ${titleLine(`${to}: ${text}`)}`,
    run: ({ to, text, wait = false }, context: C) => send({ to, text, wait }, context),
  });
}
