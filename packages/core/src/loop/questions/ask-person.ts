import { cancellable } from "@harness/gate";
import type { PersonAnswer, PersonQuestion } from "../../ports/tool.ts";
import type { Turn } from "../turn/turn.ts";

type UnansweredReason = Extract<PersonAnswer, { unanswered: string }>["unanswered"];

/**
 * Asks the user and shows the agent as waiting, as long as the session lets a question wait. A text that equals the
 * number, id or name of an option, in any case, chooses it.
 */
export async function askPerson(
  turn: Turn,
  personQuestion: PersonQuestion,
  signal: AbortSignal,
): Promise<PersonAnswer> {
  const { clock, ids } = turn.runtime;
  const { asker } = turn.scope.ports.gate;
  const { questionTimeoutMs } = turn.scope.settings.values.limits;
  if (!asker.canAskQuestion()) return { unanswered: "no_client" };
  const expiresAt =
    questionTimeoutMs === undefined ? {} : { expiresAt: new Date(clock.now() + questionTimeoutMs).toISOString() };
  const question = {
    elicitationId: ids.next("question"),
    agentId: turn.agent.agentId,
    ...personQuestion,
    ...expiresAt,
  };
  return turn.whileAsking(async () => {
    const over = new AbortController();
    const withdrawn = AbortSignal.any([signal, over.signal]);
    const gone = (): PersonAnswer => ({ unanswered: "withdrawn" });
    const answer: Promise<PersonAnswer> = cancellable<PersonAnswer>(
      asker.askQuestion(question, withdrawn),
      signal,
      gone,
    );
    try {
      if (questionTimeoutMs === undefined) return chosenAnswer(personQuestion, await answer);
      const late = clock.sleep(questionTimeoutMs, over.signal).then((): PersonAnswer => ({ unanswered: "expired" }));
      return chosenAnswer(personQuestion, await Promise.race([answer, late]));
    } finally {
      over.abort("ended");
    }
  });
}

function chosenAnswer({ options, multiple }: PersonQuestion, answer: PersonAnswer): PersonAnswer {
  if (!("text" in answer)) return answer;
  const text = answer.text.trim();
  const option = optionNamed(options, text);
  if (option) return { optionId: option.optionId };
  const several = multiple ? text.split(/[,;]/).map((part) => optionNamed(options, part.trim())) : [];
  // Numbers are replaced by the names, which the model knows.
  if (several.length > 0 && several.every((each) => each !== undefined))
    return { text: several.map(({ name }) => name).join("; ") };
  return { text: text === "" ? "(nothing)" : text };
}

function optionNamed(options: PersonQuestion["options"], text: string): PersonQuestion["options"][number] | undefined {
  const lower = text.toLowerCase();
  const byNumber = /^\d+$/.test(lower) ? options[Number(lower) - 1] : undefined;
  return byNumber ?? options.find((each) => [each.name, each.optionId].some((one) => one.toLowerCase() === lower));
}

/** Explains a missing answer to the model. */
export function unansweredText(unanswered: UnansweredReason, turn: Turn): string {
  switch (unanswered) {
    case "no_client":
      return "Nobody can be asked here.";
    case "expired":
      return `Nobody answered within ${seconds(turn.scope.settings.values.limits.questionTimeoutMs ?? 0)} s.`;
    case "silent":
    case "back":
      return "Nobody answered.";
    case "declined":
      return "The person declined to answer.";
    case "withdrawn":
      return "The question was withdrawn before it was answered.";
  }
}

/** The same for people, below the question. */
export function unansweredNote(unanswered: UnansweredReason, turn: Turn): string {
  switch (unanswered) {
    case "declined":
      return "You skipped this question.";
    case "silent":
      return "No answer was given.";
    default:
      return unansweredText(unanswered, turn);
  }
}

function seconds(ms: number): number {
  return Math.round(ms / 100) / 10;
}
