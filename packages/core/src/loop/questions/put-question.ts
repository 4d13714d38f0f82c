import type { ToolResult } from "../../ports/tool.ts";
import type { AgentQuestion } from "../../tools/question.ts";
import type { Turn } from "../turn/turn.ts";
import { askPerson, unansweredNote, unansweredText } from "./ask-person.ts";

/** Asks the user a question of the agent and returns the answer as the result of the call. */
export async function putQuestion(
  turn: Turn,
  { question, answers, several }: AgentQuestion,
  signal: AbortSignal,
): Promise<ToolResult> {
  const options = answers.map((name, index) => ({ optionId: String(index + 1), name }));
  const answer = await askPerson(
    turn,
    { message: question, options, freeText: true, ...(several ? { multiple: true } : {}) },
    signal,
  );
  if ("unanswered" in answer) {
    const why = unansweredText(answer.unanswered, turn);
    const text = `${why} Decide yourself, and say in your answer which assumption you made.`;
    const shown = `${question}\n→ ${unansweredNote(answer.unanswered, turn)}`;
    return { status: "ok", text, blocks: [{ type: "text", text: shown }] };
  }
  const reply = "text" in answer ? answer.text : (answers[Number(answer.optionId) - 1] ?? answer.optionId);
  const text = "text" in answer ? `The person answers: ${reply}` : `The person chose: ${reply}`;
  return { status: "ok", text, blocks: [{ type: "text", text: `${question}\n→ ${reply}` }] };
}
