import * as z from "zod";
import { defineTool, type Tool, type ToolContext, type ToolResult } from "../ports/tool.ts";
import { titleLine } from "./title-line.ts";

export const QUESTION = "question";

/** `several`: more than one of the answers may be chosen. */
export type AgentQuestion = { question: string; answers: readonly string[]; several?: boolean };

const args = z.strictObject({
  question: z.string().trim().min(1),
  answers: z.array(z.string().trim().min(1)).max(20).optional().describe("To choose from, best first."),
  several: z.boolean().optional().describe("More than one may be chosen."),
});

/** The tool with which an agent asks the user and waits for the answer. `C`: the context of core's own tools. */
export function questionTool<C extends ToolContext>(
  ask: (order: AgentQuestion, context: C) => Promise<ToolResult>,
): Tool {
  return defineTool({
    name: QUESTION,
    description:
      "Ask the person, and wait: for decisions that only they can make. They choose one of the answers or write their own.",
    brief: "Ask the person a question, and wait.",
    args,
    category: "signal",
    offer: "ample-room",
    effects: () => [],
    concurrency: () => "beside-its-kind",
    title: ({ question: text }) => `${QUESTION} ${titleLine(text)}`,
    run: ({ question: text, answers = [], several = false }, context: C) =>
      ask({ question: text, answers, ...(several && answers.length > 1 ? { several } : {}) }, context),
  });
}
