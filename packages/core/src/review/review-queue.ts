import type { GuardedWrite, Requester } from "@harness/gate";
import type { HunkAnswer, PermissionOutcome, StagedFile } from "@harness/protocol";
import type { Journal } from "../journal/journal.ts";
import type { AnsweredReview } from "../journal/open-work-ledger.ts";
import type { ReviewDraft } from "../ports/review-files.ts";
import type { SessionPorts } from "../ports/session-ports.ts";
import type { StagedChange, StagedChanges } from "../ports/tool.ts";
import { answersAgain, answersOf, reviewRequest } from "./review-request.ts";
import { outdatedNotice, outdatedText, rejectedNotice, reviewText } from "./review-text.ts";
import { StagingLedger } from "./staging-ledger.ts";

/**
 * `said`: what the model has to know, beyond that everything was accepted. `waits`: why changes still wait, as a
 * sentence; `isPutOff`: because the user has left them for later. `taken`: the reviewed changes that were written.
 */
export type ReviewEnd = {
  said?: string | undefined;
  waits?: string;
  isPutOff?: boolean;
  taken?: { changes: number; of: number };
};

/** Writes accepted changes of these files so that they can be undone. */
export type WriteUndoably = <T>(write: () => Promise<T>, paths: readonly string[]) => Promise<T>;

/**
 * The result of finishing an earlier process's work. `guarded`: files that no agent may write without asking, with the
 * reason; they wait.
 */
export type FinishedReview = {
  written: string[];
  guarded: GuardedWrite[];
  problem?: string;
  said?: string | undefined;
};

/** Files that no permission mode lets an agent write unasked. */
export type GuardedAmong = (paths: readonly string[], signal: AbortSignal) => Promise<GuardedWrite[]>;

type ReviewPorts = Pick<SessionPorts, "files" | "gate" | "log" | "runtime">;
type Record = Requester["record"];

/** Changes that agents have made beside the workspace, and the review that brings them into it. */
export class ReviewQueue {
  readonly #ports: ReviewPorts;
  readonly #journal: Journal;
  readonly #guardedAmong: GuardedAmong;
  readonly #order = new StagingLedger();
  #open: Promise<ReviewEnd> | undefined;

  constructor(ports: ReviewPorts, journal: Journal, guardedAmong: GuardedAmong) {
    this.#ports = ports;
    this.#journal = journal;
    this.#guardedAmong = guardedAmong;
  }

  get isEmpty(): boolean {
    return this.#journal.state.staged.size === 0;
  }

  /** The staged files, by their real paths. */
  get paths(): string[] {
    return [...this.#journal.state.staged.keys()];
  }

  /** The files with the staged texts, by the real paths of the staged files; null: it is to be removed. */
  get contents(): ReadonlyMap<string, string | null> {
    return new Map([...this.#journal.state.staged.values()].map(({ path, content }) => [path, content]));
  }

  /** True if accepted edits may not be written yet, or only in part. */
  get wasCutOff(): boolean {
    return [...this.#journal.state.staged.values()].some(({ standing }) => standing === "taken");
  }

  /** True if the user could review the staged changes now. */
  canReview(): boolean {
    return this.#ports.gate.asker.canAsk();
  }

  /** True if the user could review them now, or when the session is opened again. */
  canWait(): boolean {
    return this.canReview() || this.#ports.files.review.outlasts;
  }

  /** The changes that a call stages. */
  changes(call: { agentId: string; toolCallId: string }, record: Record): StagedChanges {
    const { staged } = this.#journal.state;
    return {
      find: (path) => staged.get(path),
      stage: async (changes) => {
        // A review that the user is looking at stays as it is until they have answered.
        while (this.#open !== undefined) await this.#open;
        for (const { path } of changes) if (!staged.has(path)) this.#order.begin(path, call);
        record({ sessionUpdate: "staged_update", files: changes.map((each) => this.#staged(each, call.agentId)) });
      },
    };
  }

  /** The review as it would be shown now. */
  look(): Promise<ReviewDraft> {
    return this.#ports.files.review.draft(this.#order.sorted(this.#journal.state));
  }

  /** One review at a time: concurrent callers get the same result. Throws `LogWriteError`. */
  review(by: Requester, undoably: WriteUndoably): Promise<ReviewEnd> {
    this.#open ??= this.#review(by, undoably).finally(() => {
      this.#open = undefined;
      if (this.isEmpty) this.#ports.files.editChecks?.reviewed();
    });
    return this.#open;
  }

  /**
   * Drops changes whose text this session has not saved itself: a log is data, and could name any file of this machine.
   * Returns their paths. Throws `LogWriteError`.
   */
  disown(record: Record): string[] {
    const foreign = [...this.#journal.state.staged.values()].filter(
      ({ content }) => content !== null && !this.#ports.log.isOwnText(content),
    );
    if (foreign.length > 0) stand(record, foreign, "ended");
    return foreign.map(({ path }) => path);
  }

  /**
   * After an interruption, writes what was accepted, as far as an agent may write there; the rest is reviewed again.
   * Undefined if there was nothing. Throws `LogWriteError`.
   */
  async finish(record: Record): Promise<FinishedReview | undefined> {
    const all = [...this.#journal.state.staged.values()].filter(({ standing }) => standing === "taken");
    if (all.length === 0) return undefined;
    const { guarded, open: taken } = await this.#apart(all);
    const failed = taken.length === 0 ? undefined : await this.#ports.files.review.apply(taken);
    const written = failed?.written ?? taken;
    const standing = (file: StagedFile) => (written.includes(file) ? "ended" : "waiting");
    record({ sessionUpdate: "staged_update", files: all.map((file) => ({ ...file, standing: standing(file) })) });
    return { written: written.map(({ path }) => path), guarded, ...(failed ? { problem: failed.problem } : {}) };
  }

  /**
   * Carries out a review that was answered just before an interruption, with nothing else recorded: for the changes
   * that are still as shown, as far as an agent may write there. The others are reviewed again. Throws `LogWriteError`.
   */
  async carryOut(review: AnsweredReview, by: Requester, undoably: WriteUndoably): Promise<FinishedReview> {
    const { cwd } = this.#ports.log.header;
    const { guarded, open } = await this.#apart([...this.#journal.state.staged.values()]);
    const draft = await this.#ports.files.review.draft(open);
    const { answers, hunks } = answersAgain(draft, review);
    const paths = new Set(hunks.map(({ path }) => path));
    const decided = open.filter(({ path }) => paths.has(path));
    if (decided.length === 0) return { written: [], guarded };
    const written = draft.decide(answers).map(({ file }) => file.path);
    const problem = await this.#write(draft, answers, { by, undoably, of: decided });
    if (problem !== undefined) return { written: [], guarded, problem };
    const rejected = rejectedNotice(hunks, answers, cwd);
    if (rejected) by.record(rejected);
    return { written: written.filter((path) => paths.has(path)), guarded, said: reviewText(hunks, answers, cwd) };
  }

  /**
   * Changes of an earlier life are held to what an agent may do now, whatever the log says about the user's answers. If
   * the session was not begun here, nothing proves that a user answered, or works in its folder.
   */
  async #apart(files: readonly StagedFile[]): Promise<{ guarded: GuardedWrite[]; open: StagedFile[] }> {
    if (!this.#ports.log.isBegunHere) {
      const reason = "the session was not started here";
      return { guarded: files.map(({ path }) => ({ path, reason, by: "place" })), open: [] };
    }
    const guarded = await this.#guardedAmong(
      files.map(({ path }) => path),
      new AbortController().signal,
    );
    const paths = new Set(guarded.map(({ path }) => path));
    return { guarded, open: files.filter(({ path }) => !paths.has(path)) };
  }

  #staged({ path, text, base, like }: StagedChange, agentId: string): StagedFile {
    const known = this.#journal.state.staged.get(path);
    const agents = [...new Set([...(known?.agents ?? []), agentId])];
    const file = { path, base: known ? known.base : base, agents, ...(like === undefined ? {} : { like }) };
    const content = text === undefined ? null : this.#saved(text);
    return { ...file, content, standing: content === null && file.base === null ? "ended" : "waiting" };
  }

  /** A file gets this text later, perhaps after a crash. */
  #saved(text: string): string {
    return this.#ports.log.saveText(text, { durable: true });
  }

  async #review(by: Requester, undoably: WriteUndoably): Promise<ReviewEnd> {
    await this.finish(by.record);
    const waiting = [...this.#journal.state.staged.values()];
    if (waiting.length === 0) return {};
    const { cwd } = this.#ports.log.header;
    const draft = await this.look();
    const outdated = outdatedText(draft.outdated, cwd);
    const notice = outdatedNotice(draft.outdated, cwd);
    if (notice) {
      by.record(notice);
      stand(by.record, draft.outdated, "ended");
    }
    const of = draft.hunks.length;
    if (of === 0 && draft.outdated.length === waiting.length) return { said: outdated };
    if (!this.canReview()) return { said: outdated, waits: "Nobody is connected who could review the edits." };
    const outcome = of > 0 ? await this.#ask(draft, by) : undefined;
    if (outcome?.outcome === "cancelled")
      return { said: outdated, waits: "The edits still wait for review.", isPutOff: true };
    const answers = outcome ? answersOf(draft, outcome) : [];
    const left = [...this.#journal.state.staged.values()];
    const problem = await this.#write(draft, answers, { by, undoably, of: left });
    if (problem !== undefined) return { said: outdated, waits: problem };
    const rejected = rejectedNotice(draft.hunks, answers, cwd);
    if (rejected) by.record(rejected);
    const texts = [outdated, reviewText(draft.hunks, answers, cwd)].filter((each) => each !== undefined);
    const taken = { changes: answers.filter(({ take }) => take).length, of };
    return { taken, ...(texts.length > 0 ? { said: texts.join("\n") } : {}) };
  }

  async #ask(draft: ReviewDraft, by: Requester): Promise<PermissionOutcome> {
    const permissionId = this.#ports.runtime.ids.next("permission");
    const permission = reviewRequest(draft, permissionId, by.agentId);
    by.record({ sessionUpdate: "permission_requested", permission });
    return await by.whileAsking(async () => {
      const answer = await this.#ports.gate.asker.askPermission(permission, by.signal);
      const { toolCallId } = permission;
      const reason = by.signal.aborted ? "cancelled" : "answered";
      by.record({ sessionUpdate: "permission_resolved", permissionId, toolCallId, ...answer, reason });
      return answer.outcome;
    });
  }

  /**
   * Accepted hunks are recorded before they are written, so that a crash in between loses none of them. The files are
   * checkpointed first, so that all of it can be undone.
   */
  async #write(
    draft: ReviewDraft,
    answers: readonly HunkAnswer[],
    { by, undoably, of: waiting }: { by: Requester; undoably: WriteUndoably; of: readonly StagedFile[] },
  ): Promise<string | undefined> {
    const taken = draft.decide(answers).map(({ file, text }): StagedFile => {
      const content = text === undefined ? null : this.#saved(text);
      return { ...file, content, standing: "taken" };
    });
    const rest = waiting.filter(({ path }) => !taken.some((each) => each.path === path));
    const ended = rest.map((file) => ({ ...file, standing: "ended" as const }));
    if (taken.length === 0) {
      by.record({ sessionUpdate: "staged_update", files: ended });
      return undefined;
    }
    const write = async () => {
      by.record({ sessionUpdate: "staged_update", files: [...taken, ...ended] });
      const failed = await this.#ports.files.review.apply(taken);
      if (failed) by.record({ sessionUpdate: "staged_update", files: [...waiting] });
      else stand(by.record, taken, "ended");
      return failed && `Nothing was written: ${failed.problem}`;
    };
    return await undoably(
      write,
      taken.map(({ path }) => path),
    );
  }
}

function stand(record: Record, files: readonly StagedFile[], standing: StagedFile["standing"]): void {
  record({ sessionUpdate: "staged_update", files: files.map((file) => ({ ...file, standing })) });
}
