import type { PersonAnswer, PersonQuestion } from "../../ports/tool.ts";
import type { AgentQuestion } from "../../tools/question.ts";
import type { Turn } from "../turn/turn.ts";
import { askPerson } from "./ask-person.ts";

export type PageAnswer = { question: AgentQuestion; answer: PersonAnswer };

const SEND = "send";
const DECLINED: PersonAnswer = { unanswered: "declined" };

/**
 * Questions of one call, asked one after another. If there are several, the person can go back, finds their earlier
 * answers there, and sees all of them before any is sent.
 */
export class QuestionPages {
  readonly #turn: Turn;
  readonly #questions: readonly AgentQuestion[];
  readonly #signal: AbortSignal;
  readonly #answers = new Map<AgentQuestion, PersonAnswer>();
  /** Answers as the person left them when they went back. */
  readonly #drafts = new Map<AgentQuestion, string>();

  constructor(turn: Turn, questions: readonly AgentQuestion[], signal: AbortSignal) {
    this.#turn = turn;
    this.#questions = questions;
    this.#signal = signal;
  }

  async answered(): Promise<PageAnswer[]> {
    const of = this.#questions.length;
    for (let at = 0; at < of; ) {
      const question = this.#questions[at];
      if (!question) break;
      const answer = await this.#ask(question, at);
      if (isBack(answer)) {
        if (answer.draft !== undefined) this.#drafts.set(question, answer.draft);
        at -= 1;
      } else {
        // Only a person skips one of several: where nobody answers, the rest has no answer either.
        if ("unanswered" in answer && answer.unanswered !== "declined") return this.#all(answer);
        this.#answers.set(question, answer);
        this.#drafts.delete(question);
        at += 1;
      }
      if (at < of || of === 1) continue;
      const sent = await this.#confirm();
      if (sent === "back") at = of - 1;
      else if (sent === "declined") return this.#questions.map((each) => ({ question: each, answer: DECLINED }));
    }
    return this.#all(DECLINED);
  }

  #all(missing: PersonAnswer): PageAnswer[] {
    return this.#questions.map((question) => ({ question, answer: this.#answers.get(question) ?? missing }));
  }

  #ask(question: AgentQuestion, at: number): Promise<PersonAnswer> {
    const { header, answers, several } = question;
    const of = this.#questions.length;
    const given = this.#given(question);
    return askPerson(
      this.#turn,
      {
        message: question.question,
        ...(header === undefined ? {} : { header }),
        options: answers.map((each, index) => ({ optionId: String(index + 1), ...each })),
        freeText: true,
        ...(several ? { multiple: several } : {}),
        ...(of > 1 ? { part: { at: at + 1, of } } : {}),
        ...(at > 0 ? { back: true as const } : {}),
        ...(given ? { given } : {}),
      },
      this.#signal,
    );
  }

  #given(question: AgentQuestion): PersonQuestion["given"] {
    const draft = this.#drafts.get(question);
    if (draft !== undefined) return draft === "" ? undefined : { text: draft };
    const answer = this.#answers.get(question);
    return answer && !("unanswered" in answer) ? answer : undefined;
  }

  /** The last page. If nobody can see it any more, the answers count as sent. */
  async #confirm(): Promise<"send" | "back" | "declined"> {
    const asked = this.#all(DECLINED);
    if (asked.every(({ answer }) => "unanswered" in answer)) return "send";
    const answer = await askPerson(
      this.#turn,
      {
        header: "Your answers",
        message: "Send these answers?",
        about: asked.map((each) => `- ${each.question.question}\n  **${replyOf(each) ?? "(skipped)"}**`).join("\n"),
        options: [
          { optionId: SEND, name: "Send them" },
          { optionId: "change", name: "Go back" },
        ],
        freeText: false,
        back: true,
      },
      this.#signal,
    );
    if (isBack(answer) || ("optionId" in answer && answer.optionId !== SEND)) return "back";
    return "unanswered" in answer && answer.unanswered === "declined" ? "declined" : "send";
  }
}

function isBack(answer: PersonAnswer): answer is Extract<PersonAnswer, { unanswered: "back" }> {
  return "unanswered" in answer && answer.unanswered === "back";
}

/** The answer in words; undefined: there is none. */
export function replyOf({ question, answer }: PageAnswer): string | undefined {
  if ("unanswered" in answer) return undefined;
  if ("text" in answer) return answer.text;
  return question.answers[Number(answer.optionId) - 1]?.name ?? answer.optionId;
}
