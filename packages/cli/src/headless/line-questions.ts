import type { CallParams, ClientMethods, Result } from "@harness/protocol";

type Question = CallParams<ClientMethods, "elicitation/create">;
type Answer = Result<ClientMethods, "elicitation/create">;

/** Questions of the agent, each printed as a line of stdout and answered by a line of stdin. */
export class LineQuestions {
  readonly #tell: (question: Question) => void;
  readonly #inputEnd: Promise<void>;
  readonly #open = new Map<string, (answer: Answer) => void>();

  /** `inputEnd` resolves once no more answers can come. */
  constructor(tell: (question: Question) => void, inputEnd: Promise<void>) {
    this.#tell = tell;
    this.#inputEnd = inputEnd;
  }

  ask(question: Question, signal: AbortSignal): Promise<Answer> {
    const { elicitationId } = question;
    return new Promise((resolve) => {
      const settle = (answer: Answer): void => {
        this.#open.delete(elicitationId);
        signal.removeEventListener("abort", withdraw);
        resolve(answer);
      };
      const withdraw = (): void => settle({ action: "cancel" });
      if (signal.aborted) return withdraw();
      signal.addEventListener("abort", withdraw, { once: true });
      this.#open.set(elicitationId, settle);
      this.#tell(question);
      void this.#inputEnd.then(withdraw);
    });
  }

  /** Returns false when the question is not open. No answer means that the person declines. */
  reply(elicitationId: string, answer: string | undefined): boolean {
    const settle = this.#open.get(elicitationId);
    settle?.(answer === undefined ? { action: "decline" } : { action: "accept", text: answer });
    return settle !== undefined;
  }
}
