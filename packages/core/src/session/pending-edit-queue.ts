import { type Fact, ROOT_AGENT } from "@harness/protocol";
import { shownPath } from "../context/conversation/shown-path.ts";
import type { Scope } from "../loop/turn/scope.ts";
import type { PendingEdits } from "../ports/live-session.ts";
import { LogWriteError } from "../ports/session-log.ts";
import type { ReviewEnd } from "../review/review-queue.ts";
import { changesIn } from "../review/review-request.ts";
import type { TurnQueue } from "./turn-queue.ts";

const NONE = "No edits wait for your review.";
const KEPT = "They are kept with the session: /pending opens them.";

/** The edits of a session that wait for a review while no turn runs. */
export class PendingEditQueue implements PendingEdits {
  ready: Promise<void> = Promise.resolve();
  readonly #scope: Scope;
  readonly #queue: TurnQueue;
  #open: AbortController | undefined;

  constructor(scope: Scope, queue: TurnQueue) {
    this.#scope = scope;
    this.#queue = queue;
  }

  /**
   * Puts the files of an earlier life in order: what a person had taken is written, then the changes of its last turn are
   * recorded, so that they can be undone. Never rejects.
   */
  recover(): void {
    const { review, checkpoints } = this.#scope.calls;
    if (!review.wasCutOff) void checkpoints.closeInterrupted();
    else this.ready = this.#finish().then(() => void checkpoints.closeInterrupted());
  }

  async count(): Promise<{ changes: number; files: number }> {
    const { review } = this.#scope.calls;
    if (review.isEmpty) return { changes: 0, files: 0 };
    const { hunks, outdated } = await review.look();
    return { changes: hunks.length + outdated.length, files: review.paths.length };
  }

  async review(): Promise<{ text: string; said?: string }> {
    const { review } = this.#scope.calls;
    if (!this.#queue.isAtWork && !review.isEmpty && !review.canReview()) return { text: await this.#list() };
    return await this.#queue.betweenTurns<{ text: string; said?: string }>(
      (text) => ({ text }),
      async () => {
        if (review.isEmpty) return { text: NONE };
        const { said, ...end } = await this.#ask();
        return { text: endText(end), ...(said === undefined ? {} : { said }) };
      },
    );
  }

  /** The person leaves them for later; false: they were not being asked. */
  cancel(): boolean {
    if (!this.#open || this.#open.signal.aborted) return false;
    this.#open.abort();
    return true;
  }

  async #finish(): Promise<void> {
    const { ports, journal, calls } = this.#scope;
    const record = (update: Fact) => void journal.append({ agentId: ROOT_AGENT, update });
    try {
      const end = await calls.review.finish(record);
      if (end) record({ sessionUpdate: "notice", ...recoveredNotice(end) });
    } catch (error) {
      if (!(error instanceof LogWriteError)) ports.runtime.report(error, "session.finishEdits");
    }
  }

  async #ask(): Promise<ReviewEnd> {
    const { ports, journal, calls } = this.#scope;
    const controller = new AbortController();
    this.#open = controller;
    const turnId = ports.runtime.ids.next("turn");
    const by = {
      agentId: ROOT_AGENT,
      turnId,
      signal: controller.signal,
      record: (update: Fact) => void journal.append({ agentId: ROOT_AGENT, turnId, update }),
      whileAsking: <T>(ask: () => Promise<T>) => ask(),
    };
    try {
      return await calls.review.review(by, (write) => calls.checkpoints.around(turnId, write));
    } finally {
      this.#open = undefined;
    }
  }

  /** For a client that takes no questions. */
  async #list(): Promise<string> {
    const { ports, calls } = this.#scope;
    const { sessionId, cwd } = ports.log.header;
    const { hunks } = await calls.review.look();
    const lines = hunks.map(({ path, line, change }) => {
      const name = shownPath(path, cwd);
      return change === "modify" ? `${name}:${line}` : `${name}  ${change === "create" ? "new file" : "deleted"}`;
    });
    const head = `${changesIn(hunks.length, calls.review.paths.length)} wait for your review.`;
    return [head, ...lines, `Review them in the window: \`harness -r ${sessionId}\` and /pending.`].join("\n");
  }
}

function endText({ waits, taken }: Omit<ReviewEnd, "said">): string {
  if (waits !== undefined) return `${waits} ${KEPT}`;
  if (!taken) return NONE;
  if (taken.changes === 0) return "No change was taken; no file was written.";
  const what = taken.changes === taken.of ? `all ${taken.of}` : `${taken.changes} of ${taken.of}`;
  return `Wrote ${taken.of === 1 ? "the change" : `${what} changes`}. /undo reverts ${taken.changes === 1 ? "it" : "them"}.`;
}

function recoveredNotice({ files, problem }: { files: number; problem?: string }) {
  if (problem !== undefined) {
    const title = `Not everything that you had taken was written: ${problem}`;
    return { severity: "warning" as const, title, description: "/pending opens what still waits." };
  }
  const where = files === 1 ? "1 file" : `${files} files`;
  return { severity: "info" as const, title: `Wrote what you had taken when harness was cut off, in ${where}.` };
}
