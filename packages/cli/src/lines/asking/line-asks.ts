import type { Question, QuestionAnswer } from "@harness/client";
import type { Permission, PermissionOutcome } from "@harness/protocol";
import type { Lines } from "../lines.ts";
import { PERMISSION_HINT, permissionAnswer, permissionText, questionAnswer, questionText } from "./questions.ts";
import { ReviewWalk } from "./review-walk.ts";

const ANSWER = "answer> ";
const WITHDRAWN = "This no longer needs an answer.";

/** Asks the user the server's questions: one after another, however many wait. */
export class LineAsks {
  readonly #lines: Lines;
  readonly #cwd: string;
  readonly #stop: () => void;
  #last: Promise<unknown> = Promise.resolve();

  /** `stop` stops the turn. */
  constructor(lines: Lines, cwd: string, stop: () => void) {
    this.#lines = lines;
    this.#cwd = cwd;
    this.#stop = stop;
  }

  permission(permission: Permission, signal: AbortSignal): Promise<PermissionOutcome> {
    return this.#inOrder(async () => {
      if (signal.aborted) return { outcome: "cancelled" };
      const outcome = permission.review
        ? await new ReviewWalk(this.#lines, permission, { signal, cwd: this.#cwd }).outcome()
        : await this.#permission(permission, signal);
      if (outcome === undefined) {
        this.#lines.print(WITHDRAWN);
        return { outcome: "cancelled" };
      }
      if (outcome.stops) this.#stop();
      return outcome.outcome;
    });
  }

  question(question: Question, signal: AbortSignal): Promise<QuestionAnswer> {
    return this.#inOrder(async () => {
      if (signal.aborted) return { action: "cancel" };
      this.#lines.print(questionText(question));
      for (;;) {
        const line = await this.#lines.line(ANSWER, { signal });
        if (signal.aborted) return { action: "cancel" };
        const answer = line === undefined ? { action: "decline" as const } : questionAnswer(question, line);
        if (answer) return answer;
        this.#lines.print("That is not one of the answers. Type skip to give none.");
      }
    });
  }

  async #permission(permission: Permission, signal: AbortSignal) {
    this.#lines.print(permissionText(permission));
    for (;;) {
      const line = await this.#lines.line(ANSWER, { signal });
      if (signal.aborted) return undefined;
      // At the end of the input nobody can allow anything.
      const answer = permissionAnswer(permission, line ?? "n");
      if (answer) return answer;
      this.#lines.print(PERMISSION_HINT);
    }
  }

  #inOrder<T>(ask: () => Promise<T>): Promise<T> {
    const answer = this.#last.then(ask);
    this.#last = answer.catch(() => undefined);
    return answer;
  }
}
