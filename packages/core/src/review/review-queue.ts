import type { Requester } from "@harness/gate";
import type { HunkAnswer, Permission, PermissionOutcome, StagedFile } from "@harness/protocol";
import type { Journal } from "../journal/journal.ts";
import type { ReviewDraft } from "../ports/review-files.ts";
import type { SessionPorts } from "../ports/session-ports.ts";
import type { StagedChange, StagedChanges } from "../ports/tool.ts";
import { outdatedText, reviewText } from "./review-text.ts";

/** `said`: what the model has to know, beyond that everything was taken. `waits`: why changes still wait, as a sentence. */
export type ReviewEnd = { said?: string | undefined; waits?: string };

type ReviewPorts = Pick<SessionPorts, "files" | "gate" | "log" | "runtime">;

const TAKE = "take";
const REJECT = "reject";

/** Changes that agents have made beside the workspace, and the review that brings them there. */
export class ReviewQueue {
  readonly #ports: ReviewPorts;
  readonly #journal: Journal;
  #open: Promise<ReviewEnd> | undefined;

  constructor(ports: ReviewPorts, journal: Journal) {
    this.#ports = ports;
    this.#journal = journal;
  }

  get isEmpty(): boolean {
    return this.#journal.state.staged.size === 0;
  }

  /** A person could go through what is staged. */
  canReview(): boolean {
    return this.#ports.gate.asker.canAsk();
  }

  changes(record: Requester["record"]): StagedChanges {
    const { staged } = this.#journal.state;
    return {
      find: (path) => staged.get(path),
      stage: async (changes) => {
        // What a person looks at stays as it is until they have answered.
        while (this.#open !== undefined) await this.#open;
        record({ sessionUpdate: "staged_update", files: changes.map((each) => this.#staged(each)) });
      },
    };
  }

  /** One review at a time: who comes meanwhile gets the same answer. Throws `LogWriteError`. */
  review(by: Requester, beforeWrite: () => Promise<void>): Promise<ReviewEnd> {
    this.#open ??= this.#review(by, beforeWrite).finally(() => {
      this.#open = undefined;
    });
    return this.#open;
  }

  #staged({ path, text, base, like }: StagedChange): StagedFile {
    const known = this.#journal.state.staged.get(path);
    const file = { path, base: known ? known.base : base, ...(like === undefined ? {} : { like }) };
    const content = text === undefined ? null : this.#ports.log.saveText(text);
    return { ...file, content, standing: content === null && file.base === null ? "ended" : "waiting" };
  }

  async #review(by: Requester, beforeWrite: () => Promise<void>): Promise<ReviewEnd> {
    await this.#finish(by, beforeWrite);
    const waiting = [...this.#journal.state.staged.values()];
    if (waiting.length === 0) return {};
    const draft = await this.#ports.files.review.draft(waiting);
    const outdated = outdatedText(draft.outdated);
    if (outdated !== undefined) stand(by, draft.outdated, "ended");
    if (draft.hunks.length === 0 && draft.outdated.length === waiting.length) return { said: outdated };
    if (!this.canReview()) return { said: outdated, waits: "Nobody is connected who could review the edits." };
    const outcome = draft.hunks.length > 0 ? await this.#ask(draft, by) : undefined;
    if (outcome?.outcome === "cancelled") return { said: outdated, waits: "The edits still wait for a review." };
    const answers = outcome ? answersOf(draft, outcome) : [];
    const problem = await this.#write(draft, answers, { by, beforeWrite });
    if (problem !== undefined) return { said: outdated, waits: problem };
    const said = [outdated, reviewText(draft.hunks, answers)].filter((each) => each !== undefined);
    return said.length > 0 ? { said: said.join("\n") } : {};
  }

  /** Writes what was taken before a crash; what cannot be written is looked at again. */
  async #finish(by: Requester, beforeWrite: () => Promise<void>): Promise<void> {
    const taken = [...this.#journal.state.staged.values()].filter(({ standing }) => standing === "taken");
    if (taken.length === 0) return;
    await beforeWrite();
    const failed = await this.#ports.files.review.apply(taken);
    stand(by, taken, failed ? "waiting" : "ended");
  }

  async #ask(draft: ReviewDraft, by: Requester): Promise<PermissionOutcome> {
    const permissionId = this.#ports.runtime.ids.next("permission");
    const permission = requestOf(draft, permissionId, by.agentId);
    by.record({ sessionUpdate: "permission_requested", permission });
    return await by.whileAsking(async () => {
      const answer = await this.#ports.gate.asker.askPermission(permission, by.signal);
      const { toolCallId } = permission;
      const reason = by.signal.aborted ? "cancelled" : "answered";
      by.record({ sessionUpdate: "permission_resolved", permissionId, toolCallId, ...answer, reason });
      return answer.outcome;
    });
  }

  /** What is taken is written down before it is written, so that a crash in between loses none of it. */
  async #write(
    draft: ReviewDraft,
    answers: readonly HunkAnswer[],
    { by, beforeWrite }: { by: Requester; beforeWrite: () => Promise<void> },
  ): Promise<string | undefined> {
    const waiting = [...this.#journal.state.staged.values()];
    const decided = draft.decide(answers);
    const taken = decided.map(({ file, text }): StagedFile => {
      const content = text === undefined ? null : this.#ports.log.saveText(text);
      return { ...file, content, standing: "taken" };
    });
    const rest = waiting.filter(({ path }) => !taken.some((each) => each.path === path));
    by.record({
      sessionUpdate: "staged_update",
      files: [...taken, ...rest.map((file) => ({ ...file, standing: "ended" as const }))],
    });
    if (taken.length === 0) return undefined;
    await beforeWrite();
    const failed = await this.#ports.files.review.apply(taken);
    if (!failed) {
      stand(by, taken, "ended");
      return undefined;
    }
    by.record({ sessionUpdate: "staged_update", files: waiting });
    return `Nothing was written: ${failed.problem}`;
  }
}

function stand({ record }: Requester, files: readonly StagedFile[], standing: StagedFile["standing"]): void {
  record({ sessionUpdate: "staged_update", files: files.map((file) => ({ ...file, standing })) });
}

function requestOf({ hunks, preview }: ReviewDraft, permissionId: string, agentId: string): Permission {
  const paths = [...new Set(hunks.map(({ path }) => path))];
  const what = `${hunks.length} ${hunks.length === 1 ? "change" : "changes"}`;
  const where = paths.length === 1 ? "1 file" : `${paths.length} files`;
  return {
    permissionId,
    agentId,
    toolCallId: permissionId,
    tool: "review",
    title: `review ${what} in ${where}`,
    reason: "writes what you take",
    risk: "medium",
    effects: paths.map((path) => ({ kind: "write", path })),
    preview,
    options: [
      { optionId: TAKE, name: "Take all", kind: "allow_once" },
      { optionId: REJECT, name: "Reject all", kind: "reject_once" },
    ],
    review: hunks,
  };
}

/** Each hunk by its own answer, the others by the option. */
function answersOf({ hunks }: ReviewDraft, outcome: Extract<PermissionOutcome, { outcome: "selected" }>): HunkAnswer[] {
  const { optionId, feedback, hunks: own = [] } = outcome;
  const words = feedback === undefined ? {} : { feedback };
  return hunks.map(
    ({ hunkId }) =>
      own.find((each) => each.hunkId === hunkId) ??
      (optionId === TAKE ? { hunkId, take: true } : { hunkId, take: false, ...words }),
  );
}
