import { markedText } from "@harness/protocol";

/** The outcome of a check. `why`: the evidence, or what is missing. */
export type GoalVerdict = { met: boolean; why: string };

const MAX_WHY = 1_000;

/** Goes to the model with the message that sets a goal. */
export const GOAL_NOTE =
  "[A note from harness: this message is a goal. Whenever you end your turn, harness checks whether the goal is met, by the results in this conversation, and otherwise has you go on. Verify your work with tools before you end. If the goal cannot be met, say why.]";

/** The last message of a check; the conversation before it is the one that the model has in view anyway. */
export function checkText(goal: string): string {
  return `[A check by harness. Do not go on with the work, and call no tools: only judge it.]

The goal is:
<goal>
${goal}
</goal>

Is it met now? Go by evidence in this conversation alone: results of tools and commands, and not what was said or intended. What was not verified after the last change of files is not met. Answer with one JSON object of this form, and nothing else:
{"met": false, "why": "one sentence: the results that prove it, or what is missing"}`;
}

/** Goes to the model after a check that has not found the goal met. */
export function goOnText(goal: string, why: string): string {
  return `[A note from harness, not from the person: the goal is not met yet.]
${markedText("what a check has found", why)}

The goal is:
<goal>
${goal}
</goal>
Go on until it is met, and verify that with tools before you end.`;
}

/** The verdict in an answer that is nothing but it, or a code block with it; undefined for any other. */
export function readVerdict(answer: string): GoalVerdict | undefined {
  const [, fenced] = /^```(?:json)?\s*\n([\s\S]*?)\n```$/.exec(answer.trim()) ?? [];
  let value: unknown;
  try {
    value = JSON.parse(fenced ?? answer);
  } catch {
    return undefined;
  }
  if (typeof value !== "object" || value === null || Array.isArray(value)) return undefined;
  const { met, why, ...rest } = value as Record<string, unknown>;
  if (typeof met !== "boolean" || typeof why !== "string" || Object.keys(rest).length > 0) return undefined;
  const said = why.trim();
  if (said === "") return undefined;
  return { met, why: said.length > MAX_WHY ? `${said.slice(0, MAX_WHY).toWellFormed()}…` : said };
}
