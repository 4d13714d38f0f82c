import type { Requester } from "@harness/gate";
import { type Fact, ROOT_AGENT } from "@harness/protocol";
import { shownPath } from "../context/conversation/shown-path.ts";
import type { AnsweredReview } from "../journal/open-work-ledger.ts";
import type { Scope } from "../loop/turn/scope.ts";
import type { PendingEdits } from "../ports/live-session.ts";
import { LogWriteError } from "../ports/session-log.ts";
import { finishedNotices, foreignNotice } from "../review/finished-text.ts";
import type { FinishedReview, ReviewEnd } from "../review/review-queue.ts";
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
   * Restores the files of an earlier life: writes what the user had accepted, then records the changes of its last
   * turn, so that they can be undone. A log is data, so only the session's own texts are written, and only where an
   * agent may write. Never rejects.
   */
  recover(): void {
    const { calls, journal } = this.#scope;
    const answered = journal.open.answeredReview;
    const finish = () => this.#finish(answered).then(() => void calls.checkpoints.closeInterrupted());
    void this.#safely(() => {
      const foreign = calls.review.disown(this.#record);
      if (foreign.length > 0) this.#record({ sessionUpdate: "notice", ...foreignNotice(foreign, this.#cwd) });
    });
    if (calls.review.wasCutOff || answered) this.ready = finish();
    else void calls.checkpoints.closeInterrupted();
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

  /** The user leaves them for later; returns false if they were not being reviewed. */
  cancel(): boolean {
    if (!this.#open || this.#open.signal.aborted) return false;
    this.#open.abort();
    return true;
  }

  async #finish(answered: AnsweredReview | undefined): Promise<void> {
    const { review } = this.#scope.calls;
    await this.#safely(async () => {
      const ends = [await review.finish(this.#record), answered && (await this.#carryOut(answered))];
      for (const end of ends) {
        for (const notice of end ? finishedNotices(end, this.#cwd) : [])
          this.#record({ sessionUpdate: "notice", ...notice });
        if (end?.said !== undefined) this.#tell(end.said);
      }
    });
  }

  /** Within the interrupted turn if that has stored the files before: both are undone together. */
  async #carryOut(answered: AnsweredReview): Promise<FinishedReview> {
    const { calls, ports } = this.#scope;
    const turnId = ports.runtime.ids.next("turn");
    const by = this.#requester(turnId, new AbortController().signal);
    const isPart = calls.checkpoints.isInterrupted;
    return await calls.review.carryOut(answered, by, (write, paths) =>
      isPart ? write() : calls.checkpoints.around(turnId, write, paths),
    );
  }

  /** The model reads it with the next message. */
  #tell(text: string): void {
    const messageId = this.#scope.ports.runtime.ids.next("message");
    const content = [{ type: "text" as const, text }];
    this.#record({ sessionUpdate: "user_message", messageId, content, origin: "harness" });
  }

  async #safely(work: () => void | Promise<void>): Promise<void> {
    try {
      await work();
    } catch (error) {
      if (!(error instanceof LogWriteError)) this.#scope.ports.runtime.report(error, "session.finishEdits");
    }
  }

  readonly #record = (update: Fact): void => void this.#scope.journal.append({ agentId: ROOT_AGENT, update });

  get #cwd(): string {
    return this.#scope.ports.log.header.cwd;
  }

  #requester(turnId: string, signal: AbortSignal): Requester {
    return {
      agentId: ROOT_AGENT,
      turnId,
      signal,
      record: (update) => void this.#scope.journal.append({ agentId: ROOT_AGENT, turnId, update }),
      whileAsking: (ask) => ask(),
    };
  }

  async #ask(): Promise<ReviewEnd> {
    const { ports, calls } = this.#scope;
    const controller = new AbortController();
    this.#open = controller;
    const turnId = ports.runtime.ids.next("turn");
    try {
      return await calls.review.review(this.#requester(turnId, controller.signal), (write, paths) =>
        calls.checkpoints.around(turnId, write, paths),
      );
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
