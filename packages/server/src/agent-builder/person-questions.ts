import { ROOT_AGENT } from "@harness/protocol";
import { randomIds } from "@harness/workspace";
import type { ClientRequests } from "../sessions/client-requests.ts";

/** A question with answers to choose from; free text unless it says otherwise. */
export type BuilderQuestion = { message: string; options?: readonly string[]; freeText?: boolean };

/** Questions of the server itself to the people at a session, outside its turns. */
export class PersonQuestions {
  readonly #requests: ClientRequests;
  readonly #signal: AbortSignal;

  constructor(requests: ClientRequests, signal: AbortSignal) {
    this.#requests = requests;
    this.#signal = signal;
  }

  get canAsk(): boolean {
    return this.#requests.canAskQuestion();
  }

  /** The typed answer, or the text of the chosen option; undefined: there is no answer. */
  async ask({ message, options = [], freeText = true }: BuilderQuestion): Promise<string | undefined> {
    const answer = await this.#requests.askQuestion(
      {
        elicitationId: randomIds.next("question"),
        agentId: ROOT_AGENT,
        message,
        options: options.map((name, at) => ({ optionId: String(at + 1), name })),
        freeText,
      },
      this.#signal,
    );
    if ("unanswered" in answer) return undefined;
    if ("optionId" in answer) return options[Number(answer.optionId) - 1];
    const text = answer.text.trim();
    const chosen = /^\d+$/.test(text) ? options[Number(text) - 1] : undefined;
    return chosen ?? options.find((each) => each.toLowerCase() === text.toLowerCase()) ?? text;
  }
}
