import * as z from "zod";
import { defineTool, type Tool, type ToolContext, type ToolResult } from "../ports/tool.ts";
import { titleLine } from "./title-line.ts";

export const QUESTION = "question";

export type AgentQuestion = { question: string; answers: readonly string[] };

/** The tool with which an agent asks the person and waits for the answer. `C`: the context of core's own tools. */
export function question<C extends ToolContext>(ask: (order: AgentQuestion, context: C) => Promise<ToolResult>): Tool {
  return defineTool({
    name: QUESTION,
    description:
      "Ask the person, and wait: for decisions that only they can make. They choose one of the answers or write their own.",
    brief: "Ask the person a question, and wait.",
    args: z.strictObject({
      question: z.string().trim().min(1),
      answers: z.array(z.string().trim().min(1)).max(20).optional().describe("To choose from, best first."),
    }),
    category: "signal",
    offer: "if-room",
    effects: () => [],
    concurrency: () => "beside-its-kind",
    title: ({ question: text }) => `${QUESTION} ${titleLine(text)}`,
    run: ({ question: text, answers = [] }, context: C) => ask({ question: text, answers }, context),
  });
}
