import type { CallParams, ClientMethods, Result } from "@harness/protocol";

export type Question = CallParams<ClientMethods, "elicitation/create">;
export type QuestionAnswer = Result<ClientMethods, "elicitation/create">;

/** Questions of the agent that are waiting for an answer. */
export class OpenQuestions {
  readonly #open = new Map<string, (answer: QuestionAnswer) => void>();
  #isOver = false;

  /** Waits until the question is answered or withdrawn; `signal` withdraws it. */
  readonly ask = ({ elicitationId }: Question, signal: AbortSignal): Promise<QuestionAnswer> => {
    const withdrawn: QuestionAnswer = { action: "cancel" };
    if (signal.aborted || this.#isOver) return Promise.resolve(withdrawn);
    const { promise, resolve } = Promise.withResolvers<QuestionAnswer>();
    const withdraw = (): void => void this.answer(elicitationId, withdrawn);
    this.#open.set(elicitationId, (answer) => {
      signal.removeEventListener("abort", withdraw);
      resolve(answer);
    });
    signal.addEventListener("abort", withdraw, { once: true });
    return promise;
  };

  /** False: the question is not open, because it was answered or withdrawn. */
  answer(elicitationId: string, answer: QuestionAnswer): boolean {
    const settle = this.#open.get(elicitationId);
    this.#open.delete(elicitationId);
    settle?.(answer);
    return settle !== undefined;
  }

  /** No answer can arrive from now on: withdraws the open questions and all later ones. */
  end(): void {
    this.#isOver = true;
    for (const elicitationId of this.#open.keys()) this.answer(elicitationId, { action: "cancel" });
  }
}
