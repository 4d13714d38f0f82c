import * as z from "zod";
import { defineTool, type Tool, type ToolResult } from "../ports/tool.ts";

export const QUESTION = "question";
const MAX_TITLE = 120;

export type QuestionOrder = { question: string; answers: readonly string[] };

/** The tool with which an agent asks the person. It answers when they do. */
export function question(ask: (order: QuestionOrder, signal: AbortSignal) => Promise<ToolResult>): Tool {
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
    offer: "roomy",
    effects: () => [],
    title: ({ question: text }) => `${QUESTION} ${firstLine(text)}`,
    run: ({ question: text, answers = [] }, { signal }) => ask({ question: text, answers }, signal),
  });
}

function firstLine(text: string): string {
  const line = text.split("\n", 1)[0] ?? "";
  return line.length > MAX_TITLE ? `${line.slice(0, MAX_TITLE).toWellFormed()}…` : line;
}
