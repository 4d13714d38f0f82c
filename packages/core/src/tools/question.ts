import * as z from "zod";
import { defineTool, type Tool, type ToolContext, type ToolResult } from "../ports/tool.ts";
import { titleLine } from "./title-line.ts";

export const QUESTION = "question";

/** `header`: its subject in a word or two. `several`: more than one of the answers may be chosen. */
export type AgentQuestion = {
  question: string;
  header?: string | undefined;
  answers: readonly AgentAnswer[];
  several?: true | undefined;
};
type AgentAnswer = { name: string; description?: string | undefined };

const MAX_FURTHER = 9;

const text = z.string().trim().min(1);
const answer = z.union([text, z.strictObject({ name: text, description: z.string().trim().optional() })]);
/** Requests describe an answer as a text, and a further question as an object: their room is for what is usual. */
const writtenAnswer = z.unknown().pipe(answer).meta({ type: "string" });
const fields = {
  question: text,
  answers: z.array(writtenAnswer).max(20).optional().describe("To choose from, best first."),
  several: z.boolean().optional().describe("More than one may be chosen."),
  header: z.string().trim().optional(),
};
const further = z.strictObject(fields);
const args = z.strictObject({
  ...fields,
  more: z
    .array(z.unknown().pipe(further).meta({ type: "object" }))
    .refine((list) => list.length <= MAX_FURTHER, `at most ${MAX_FURTHER} further questions`)
    .optional()
    .describe("Further questions."),
});

/** The tool with which an agent asks the user and waits for the answers. `C`: the context of core's own tools. */
export function questionTool<C extends ToolContext>(
  ask: (questions: readonly AgentQuestion[], context: C) => Promise<ToolResult>,
): Tool {
  return defineTool({
    name: QUESTION,
    description: "Ask the person, and wait: for decisions that only they can make. They choose an answer or write one.",
    brief: "Ask the person a question, and wait.",
    args,
    rareArgs: ["header", "more"],
    category: "signal",
    offer: "ample-room",
    effects: () => [],
    concurrency: () => "beside-its-kind",
    title: ({ question, more = [] }) =>
      `${QUESTION} ${more.length > 0 ? `${more.length + 1} questions` : titleLine(question)}`,
    run: ({ more = [], ...first }, context: C) => ask([first, ...more].map(questionOf), context),
  });
}

function questionOf({ question, header = "", answers = [], several }: z.infer<typeof further>): AgentQuestion {
  return {
    question,
    answers: answers.map((each) => (typeof each === "string" ? { name: each } : each)),
    ...(header === "" ? {} : { header }),
    ...(several && answers.length > 1 ? { several } : {}),
  };
}
