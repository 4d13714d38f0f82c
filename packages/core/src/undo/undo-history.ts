import {
  type Fact,
  type RestoredFile,
  type RewindTarget,
  ROOT_AGENT,
  type StoredFact,
  type TurnChanges,
  type TurnStretch,
  turnEnd,
  turnStretches,
  type UpdateOf,
} from "@harness/protocol";
import type { Journal } from "../journal/journal.ts";
import type { Checkpoints } from "../ports/checkpoints.ts";
import type { RewindResult } from "../ports/live-session.ts";
import type { SessionPorts } from "../ports/session-ports.ts";
import { beganAt } from "./began-at.ts";
import type { CheckpointHistory } from "./checkpoint-history.ts";
import { rewindText } from "./rewind-text.ts";
import { settleBuffers } from "./settled-files.ts";

type UndoHistoryDeps = {
  ports: Pick<SessionPorts, "files" | "gate" | "log" | "runtime">;
  journal: Journal;
  checkpoints: CheckpointHistory;
  /** Called when the messages of the root agent have changed. */
  onConversationRewound(): void;
};
type RewindUpdate = UpdateOf<"rewind_update">;
/** A change of files to revert: a whole turn, a part of one, or an undo. */
type Span = TurnStretch & { turn?: TurnChanges; isRedo?: boolean };
type RevertResult = Pick<RewindUpdate, "before" | "after" | "files"> & { spans: number; problem?: string };

const unchanged = (text: string): RewindResult => ({ files: [], text });
const redoHint = "/redo reverts this until you send a new message.";
const retryHint = (kind: RewindUpdate["kind"]) =>
  kind === "redo"
    ? "Some files could not be written and still have to be redone: fix the cause, then type /redo again."
    : "Some files could not be written and still have to be undone: fix the cause, then type /undo again. /rewind goes further back without them.";
const endUnknown =
  "The files could not be stored when that turn ended: your own changes since then were reverted with it.";

type RewindFields = Omit<RewindUpdate, "sessionUpdate" | "rewindId" | "title" | "description">;

/** Undo, redo and rewind for the user: changes of files, and messages. Methods throw `LogWriteError`. */
export class UndoHistory {
  readonly #ports: UndoHistoryDeps["ports"];
  readonly #journal: Journal;
  readonly #checkpoints: CheckpointHistory;
  readonly #onConversationRewound: () => void;

  constructor({ ports, journal, checkpoints, onConversationRewound }: UndoHistoryDeps) {
    this.#ports = ports;
    this.#journal = journal;
    this.#checkpoints = checkpoints;
    this.#onConversationRewound = onConversationRewound;
  }

  /** Reverts the changes of the last turn that changed files. */
  async undo(): Promise<RewindResult> {
    const { turns } = this.#journal.state.undo;
    const last = nextToUndo(turns);
    const [turn] = last;
    if (!turn) return unchanged(this.#nothingToUndo());
    const isEndUnknown = !turn.reverted && turn.after === undefined;
    const spans = last.flatMap((each) => spansOf(each, turns));
    const done = await this.#revertSpans(spans);
    if (done.spans === 0) return unchanged(done.problem ?? "");
    const turnIds = wholeTurns(spans, done.spans);
    const undone = this.#record({ kind: "undo", turnIds, ...updateOf(done) }, { leftOut: turn.leftOut });
    return isEndUnknown ? { ...undone, text: `${undone.text}\n${endUnknown}` } : undone;
  }

  /** Reverts the last undo or rewind. */
  async redo(): Promise<RewindResult> {
    const { rewinds, promptSeq, filesSeq } = this.#journal.state.undo;
    const last = rewinds.findLast(({ redone }) => !redone);
    if (!last) return unchanged("There is nothing to redo: nothing was undone.");
    if (last.seq < promptSeq) {
      return unchanged("There is nothing to redo: you have sent a message since the last undo, and it stays undone.");
    }
    const { rewindId: redoOf, turnIds, before, after, fromSeq } = last;
    if (fromSeq !== undefined && last.seq < filesSeq)
      return unchanged("This rewind cannot be redone: messages were changed in their files since, and would be lost.");
    const base = { kind: "redo", turnIds, redoOf } as const;
    if (before === undefined) return this.#record({ ...base, files: [] }, { isConversation: true });
    if (after === undefined) {
      return unchanged(
        "This undo cannot be redone: the files could not be stored after it. Restore them from your own copy.",
      );
    }
    const done = await this.#revertSpans([{ before, after, isRedo: true }]);
    if (done.spans === 0) return unchanged(done.problem ?? "");
    return this.#record({ ...base, ...updateOf(done) }, { isConversation: fromSeq !== undefined });
  }

  /** Rewinds to before a message of the user, or only the files to before a command that destroyed work. */
  async rewind(id: string, what: RewindTarget): Promise<RewindResult> {
    const { messages, turns, commands } = this.#journal.state.undo;
    const message = messages.find(({ messageId }) => messageId === id);
    const command = commands.find(({ checkpointId }) => checkpointId === id);
    if (!message && !command) return unchanged(`There is no message ${id} to rewind to. /rewind lists the messages.`);
    if (!message && what !== "files") {
      return unchanged("Within a turn only files can be rewound, not the conversation: choose the files only.");
    }
    const fromSeq = message && what !== "files" ? { fromSeq: message.seq } : {};
    const later = turns.filter((turn) => turn.seq > (message ? beganAt(message, messages) : (command?.seq ?? 0)));
    const partly = command && turns.find(({ turnId, reverted }) => turnId === command.turnId && !reverted);
    const spans = later.reverse().flatMap((turn) => spansOf(turn, turns));
    if (command && partly) spans.push(...ownSpans(partly, turns, command));
    if (what === "conversation" || spans.length === 0) {
      if (what === "files") return unchanged("No file has been changed since then.");
      return this.#record({ kind: "rewind", turnIds: [], files: [], ...fromSeq }, { isConversation: true });
    }
    const done = await this.#revertSpans(spans);
    if (done.spans === 0) return unchanged(done.problem ?? "");
    const whole = wholeTurns(spans, done.spans).filter((turnId) => turnId !== partly?.turnId);
    const to = command && partly && done.spans === spans.length ? await this.#upTo(partly, command.checkpointId) : {};
    const update = { kind: "rewind", turnIds: whole, ...updateOf(done), ...fromSeq, ...to } as const;
    const rewound = this.#record(update, { isConversation: message !== undefined });
    return done.problem === undefined ? rewound : { ...rewound, text: `${rewound.text}\n${done.problem}` };
  }

  /** Describes a turn that is reverted to one of its own checkpoints, and the changes that remain. */
  async #upTo({ before }: TurnChanges, toCheckpoint: string) {
    const left = await this.#ports.files.checkpoints?.compare(before, toCheckpoint);
    return { toCheckpoint, ...(left && !("problem" in left) ? { left } : {}) };
  }

  #nothingToUndo(): string {
    if (this.#journal.state.undo.turns.length > 0)
      return "There is nothing more to undo: the changes of all turns are undone.";
    if (!this.#ports.files.checkpoints || !this.#ports.gate.gateSettings().checkpoints) {
      return "There is nothing to undo: checkpoints are off. Set `checkpoints` to true, and later turns can be undone.";
    }
    return "There is nothing to undo: this session has not changed any file.";
  }

  /**
   * Reverts the spans one after another, newest first, between two checkpoints, so that the revert can itself be
   * reverted.
   */
  async #revertSpans(spans: readonly Span[]): Promise<RevertResult> {
    const { checkpoints } = this.#ports.files;
    const settled = checkpoints && (await this.#settle(checkpoints, spans));
    const now = await this.#checkpoints.takeNow();
    if ("problem" in now || !checkpoints || !settled) {
      const problem = "problem" in now ? now.problem : "";
      return {
        files: [],
        spans: 0,
        problem: `Nothing was reverted, because that could not be undone. ${problem}`,
      };
    }
    this.#journal.append({ agentId: ROOT_AGENT, update: { sessionUpdate: "checkpoint", ...now, reason: "undo" } });
    const files = new Map(settled.left.map((file) => [file.path, file]));
    let done = 0;
    let problem: string | undefined;
    for (const { before, after = now.checkpointId, paths, except = [], isRedo = false } of spans) {
      const only = paths && new Set(paths);
      // A file that was left alone stays so: its older changes lie beneath the one that could not be reverted.
      const isLeft = (path: string) => ["kept", "failed"].includes(files.get(path)?.outcome ?? "");
      const includes = (path: string) => only?.has(path) !== false && !except.includes(path) && !isLeft(path);
      const answer = await checkpoints.revert(before, after, { includes, isRedo });
      if ("problem" in answer) {
        problem = answer.problem;
        break;
      }
      for (const file of answer.files) files.set(file.path, worse(files.get(file.path), file));
      done += 1;
    }
    await settled.show();
    const then = done === 0 ? undefined : await this.#checkpoints.takeNow();
    const after = then && !("problem" in then) ? { after: then.checkpointId } : {};
    return {
      before: now.checkpointId,
      ...after,
      files: [...files.values()].sort((a, b) => (a.path < b.path ? -1 : 1)),
      spans: done,
      ...(problem === undefined ? {} : { problem }),
    };
  }

  #settle(checkpoints: Checkpoints, spans: readonly Span[]) {
    const { files, log } = this.#ports;
    return settleBuffers({ buffers: files.buffers, checkpoints, cwd: log.header.cwd }, spans, async () => {
      const now = await this.#checkpoints.takeNow();
      return "problem" in now ? undefined : now.checkpointId;
    });
  }

  /** Records the outcome, and describes it. `isConversation`: the messages of the root agent changed. */
  #record(
    done: RewindFields,
    { leftOut, isConversation = false }: { leftOut?: string | undefined; isConversation?: boolean } = {},
  ): RewindResult {
    const text = rewindText(done);
    const rewindId = this.#ports.runtime.ids.next("rewind");
    const update = { sessionUpdate: "rewind_update", rewindId, ...done, ...text } satisfies Fact;
    this.#journal.append({ agentId: ROOT_AGENT, update });
    if (isConversation) this.#onConversationRewound();
    const lines = [text.title, text.description ?? ""];
    if (leftOut !== undefined) lines.push(`Left alone, because the checkpoint does not contain them: ${leftOut}.`);
    if (update.kind === "undo" && update.files.length === 0) lines.push("The files are already as they were before.");
    const failed = update.files.filter(({ outcome }) => outcome === "failed");
    if (failed.length > 0) lines.push(retryHint(update.kind));
    if (update.kind !== "redo" && (failed.length === 0 || failed.length < update.files.length)) lines.push(redoHint);
    return { files: update.files, text: lines.filter((line) => line !== "").join("\n") };
  }
}

/** The last turn to undo; if files of the newest ones could not be written, these turns, newest first. */
function nextToUndo(turns: readonly TurnChanges[]): TurnChanges[] {
  const open = turns.findLastIndex(({ reverted }) => !reverted);
  const again = turns.slice(open + 1).filter(({ unwritten }) => unwritten);
  return again.length > 0 ? again.reverse() : turns.slice(open, open + 1);
}

/** The changes of a turn that are still to be reverted, newest first. */
function spansOf(turn: TurnChanges, turns: readonly TurnChanges[]): Span[] {
  const unwritten = (turn.unwritten ?? []).map((each) => ({ ...each, turn }));
  return turn.reverted ? unwritten : [...unwritten, ...ownSpans(turn, turns)];
}

/** `since`: only what came after this checkpoint of the turn. */
function ownSpans(
  turn: TurnChanges,
  turns: readonly TurnChanges[],
  since?: { checkpointId: string; seq: number },
): Span[] {
  const after = turnEnd(turn, turns[turns.indexOf(turn) + 1]);
  return turnStretches(turn, after, since).map((stretch) => ({ ...stretch, turn }));
}

/** The turns whose spans are all among the first `done`. */
function wholeTurns(spans: readonly Span[], done: number): string[] {
  const open = new Set(spans.slice(done).map(({ turn }) => turn));
  return [...new Set(spans.flatMap(({ turn }) => (turn && !open.has(turn) ? [turn.turnId] : [])))];
}

/** A fact about the outcome follows the checkpoint of an undo; if it is missing, harness was stopped in between. */
export function unendedUndo(last: StoredFact | undefined): UpdateOf<"notice"> | undefined {
  if (last?.update.sessionUpdate !== "checkpoint" || last.update.reason !== "undo") return undefined;
  return {
    sessionUpdate: "notice",
    severity: "warning",
    title: "An undo was interrupted.",
    description: "Some files may have been reverted and others not. Type the same /undo, /redo or /rewind again.",
  };
}

/** The later of two outcomes for one file counts, but a file that was merged stays merged. */
function worse(earlier: RestoredFile | undefined, later: RestoredFile): RestoredFile {
  return earlier?.outcome === "merged" && later.outcome === "restored" ? earlier : later;
}

function updateOf({ before, after, files }: RevertResult): Pick<RewindUpdate, "before" | "after" | "files"> {
  return { ...(before === undefined ? {} : { before }), ...(after === undefined ? {} : { after }), files };
}
