import type { ToolResult } from "../../ports/tool.ts";
import type { AgentQuestion } from "../../tools/question.ts";
import type { Turn } from "../turn/turn.ts";
import { unansweredNote, unansweredText } from "./ask-person.ts";
import { type PageAnswer, QuestionPages, replyOf } from "./question-pages.ts";

const DECIDE = "Decide yourself, and say in your answer which assumption you made.";

/** Asks the user the questions of one call, one after another, and returns all answers as its result. */
export async function putQuestions(
  turn: Turn,
  questions: readonly AgentQuestion[],
  signal: AbortSignal,
): Promise<ToolResult> {
  const asked = await new QuestionPages(turn, questions, signal).answered();
  const shown = asked.map((each) => `${each.question.question}\n→ ${shownAnswer(each, turn)}`).join("\n");
  return { status: "ok", text: resultText(asked, turn), blocks: [{ type: "text", text: shown }] };
}

/** For the model: every question with its answer, if there are several. */
function resultText(asked: readonly PageAnswer[], turn: Turn): string {
  const [first] = asked;
  const unanswered = asked.filter(({ answer }) => "unanswered" in answer);
  if (first && "unanswered" in first.answer && unanswered.length === asked.length) {
    const all = asked.length > 1 ? ` None of the ${asked.length} questions has an answer.` : "";
    return `${unansweredText(first.answer.unanswered, turn)}${all} ${DECIDE}`;
  }
  if (first && asked.length === 1)
    return `The person ${"text" in first.answer ? "answers" : "chose"}: ${replyOf(first)}`;
  const rows = asked.map(
    (each) => `- ${each.question.question}\n  → ${replyOf(each) ?? `no answer: ${missingText(each, turn)}`}`,
  );
  const rest =
    unanswered.length === 0 ? [] : [`Where there is no answer: ${DECIDE.charAt(0).toLowerCase()}${DECIDE.slice(1)}`];
  return ["The person's answers:", ...rows, ...rest].join("\n");
}

function missingText({ answer }: PageAnswer, turn: Turn): string {
  return "unanswered" in answer ? unansweredText(answer.unanswered, turn) : "";
}

function shownAnswer(asked: PageAnswer, turn: Turn): string {
  return replyOf(asked) ?? ("unanswered" in asked.answer ? unansweredNote(asked.answer.unanswered, turn) : "");
}
