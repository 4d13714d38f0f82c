import type { Asker, ElicitationRequest, QuestionEnd } from "@harness/gate";
import type { Permission, PermissionOutcome } from "@harness/protocol";

type PermissionAnswer = { outcome: PermissionOutcome; by: string };
/** A question that the user sees. */
type OpenPermission = { permission: Permission; settle(answer: PermissionAnswer): void };

/**
 * Answers of a user who handles one permission request after another, each after the effects of the previous answer. A
 * request that they leave undefined stays open until it is withdrawn, or answered by `answer`.
 */
export class ScriptedAsker implements Asker {
  isThere = true;
  /** The requests that this user has seen. */
  readonly permissions: Permission[] = [];
  readonly questions: ElicitationRequest[] = [];
  onPermission: (permission: Permission) => PermissionOutcome | Promise<PermissionOutcome> | undefined = () =>
    undefined;
  onQuestion: (question: ElicitationRequest) => string | undefined | Promise<string | undefined> = () => undefined;
  /** By the id of their call. */
  readonly #open = new Map<string, OpenPermission>();
  #unseen: OpenPermission[] = [];
  #isLooking = false;

  /** The calls that currently wait for an answer, in order. */
  get waiting(): string[] {
    return [...this.#open.keys()];
  }

  canAsk(): boolean {
    return this.isThere;
  }

  askPermission(permission: Permission, signal: AbortSignal): Promise<PermissionAnswer> {
    const { toolCallId } = permission;
    return new Promise((resolve) => {
      const open: OpenPermission = {
        permission,
        settle: (answer) => {
          if (this.#open.get(toolCallId) === open) this.#open.delete(toolCallId);
          this.#unseen = this.#unseen.filter((each) => each !== open);
          resolve(answer);
        },
      };
      const withdraw = () => open.settle({ outcome: { outcome: "cancelled" }, by: "harness" });
      if (signal.aborted) return withdraw();
      signal.addEventListener("abort", withdraw, { once: true });
      this.#open.set(toolCallId, open);
      this.#unseen.push(open);
      if (!this.#isLooking) void this.#lookAtAll();
    });
  }

  /** Answers a waiting one, in any order. */
  answer(toolCallId: string, outcome: PermissionOutcome, by = "tester"): void {
    this.#open.get(toolCallId)?.settle({ outcome, by });
  }

  async #lookAtAll(): Promise<void> {
    this.#isLooking = true;
    for (let next = this.#unseen.shift(); next; next = this.#unseen.shift()) {
      this.permissions.push(next.permission);
      const outcome = this.onPermission(next.permission);
      if (outcome === undefined) continue;
      next.settle({ outcome: await outcome, by: "tester" });
      await new Promise<void>((resolve) => setImmediate(resolve));
    }
    this.#isLooking = false;
  }

  canAskQuestion(): boolean {
    return this.isThere;
  }

  /**
   * The id of an option chooses it, other text is the user's own; nothing = they decline; `<` = they go back, and leave
   * the text after it as a draft.
   */
  async askQuestion(question: ElicitationRequest): Promise<QuestionEnd> {
    this.questions.push(question);
    const answer = await this.onQuestion(question);
    if (answer === undefined) return { unanswered: "declined" };
    if (answer === "<") return { unanswered: "back" };
    if (answer.startsWith("<")) return { unanswered: "back", draft: answer.slice(1) };
    const isOption = question.options.some(({ optionId }) => optionId === answer);
    return isOption ? { optionId: answer } : { text: answer };
  }
}
