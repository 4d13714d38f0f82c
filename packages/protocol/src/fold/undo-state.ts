import type { FileChange } from "../vocabulary/files/file-changes.ts";
import { ROOT_AGENT, type SessionUpdate, type UpdateOf } from "../vocabulary/updates.ts";

/** Changes of files by one turn, which may be running. */
export type TurnChanges = {
  turnId: string;
  /** The `seq` of the checkpoint before its first change: messages with a lower `seq` came before the changes. */
  seq: number;
  before: string;
  /** Absent if the turn is running, or was interrupted. */
  after?: string;
  files: FileChange[];
  moreFiles: number;
  added: number;
  removed: number;
  leftOut?: string;
  /** Files that were not saved when the turn changed them first: that is what a revert brings back. */
  unsaved?: UnsavedState[];
  reverted: boolean;
  /** Paths whose changes are still there although the turn was reverted. */
  kept?: string[];
  /** Parts that could not be reverted because files could not be written, newest change first. */
  unwritten?: UnwrittenRevert[];
  /** Only changes after this checkpoint of the turn are reverted. */
  revertedTo?: string;
  /** Its changes up to that checkpoint. */
  left?: ChangeCounts;
};

/** A checkpoint with the text of an editor for these files. */
type UnsavedState = { checkpointId: string; seq: number; paths: string[] };

/** The changes of a turn from one state to another: of these files, or of all but some. */
export type TurnStretch = { before: string; after: string | undefined; paths?: string[]; except?: string[] };

/** A change of some files that is still to be reverted, because the system refused to write them. */
type UnwrittenRevert = { before: string; after: string; paths: string[] };

type ChangeCounts = Pick<TurnChanges, "files" | "moreFiles" | "added" | "removed">;

/** A checkpoint within a turn, before a destructive command. */
type CommandCheckpoint = { checkpointId: string; turnId: string; seq: number; at: string };

/** An undo or a rewind; `redone`: it was reverted by a redo. */
type Rewind = {
  rewindId: string;
  seq: number;
  turnIds: string[];
  before?: string;
  after?: string;
  fromSeq?: number;
  toCheckpoint?: string;
  /** The earlier state of the changed turns, for a redo. */
  earlier: Pick<TurnChanges, "turnId" | "reverted" | "kept" | "unwritten">[];
  redone: boolean;
};

/** `seq`: of its fact, which may repeat an earlier one after a change of files; `since`: of the first one. */
type PromptPosition = { messageId: string; seq: number; since: number };

/** Changes and messages that can be undone, and those that were. */
export type UndoState = {
  /** Oldest first; a turn that has ended without a change is left out. */
  turns: TurnChanges[];
  commands: CommandCheckpoint[];
  rewinds: Rewind[];
  /** The `seq` of the user's last message: an undo before it cannot be redone. */
  promptSeq: number;
  /** The `seq` of the last change of message files: messages that were hidden before cannot be shown again. */
  filesSeq: number;
  /** Messages of the user that are not hidden, oldest first. */
  messages: PromptPosition[];
};

export const emptyUndoState = (): UndoState => ({
  turns: [],
  commands: [],
  rewinds: [],
  promptSeq: 0,
  filesSeq: 0,
  messages: [],
});

/** Applies a fact to the state, in place. */
export function applyToUndo(
  undo: UndoState,
  { agentId, seq = 0, at = "", turnId = "", update }: Omit<SessionUpdate, "sessionId">,
): void {
  if (agentId !== ROOT_AGENT) return;
  switch (update.sessionUpdate) {
    case "user_message":
      if (update.origin === "user") applyPrompt(undo, update, seq);
      break;
    case "checkpoint":
      applyCheckpoint(undo, update, { seq, at, turnId });
      break;
    case "turn_changes":
      applyChanges(undo, update, seq, turnId);
      break;
    case "rewind_update":
      applyRewind(undo, update, seq);
      break;
    default:
      break;
  }
}

function applyPrompt(undo: UndoState, { messageId, fromFile }: UpdateOf<"user_message">, seq: number): void {
  if (fromFile?.of === undefined) undo.promptSeq = seq;
  // Only a message from a file can be there already; looking for each of them would take time that grows with its square.
  const known = fromFile?.of === undefined ? undefined : undo.messages.find((each) => each.messageId === messageId);
  if (known) undo.messages = undo.messages.filter((each) => each !== known);
  undo.messages.push({ messageId, seq, since: known?.since ?? seq });
}

type FactPosition = { seq: number; at: string; turnId: string };

function applyCheckpoint(
  undo: UndoState,
  { checkpointId, reason, leftOut, paths = [] }: UpdateOf<"checkpoint">,
  { seq, at, turnId }: FactPosition,
): void {
  if (reason === "unsaved") {
    const changing = undo.turns.findLast((each) => each.turnId === turnId);
    if (changing) changing.unsaved = [...(changing.unsaved ?? []), { checkpointId, seq, paths }];
  }
  if (reason === "command") undo.commands.push({ checkpointId, turnId, seq, at });
  if (reason !== "turn") return;
  const turn = undo.turns.findLast((each) => each.turnId === turnId);
  if (turn) {
    turn.after = checkpointId;
    if (turn.before === checkpointId) dropTurn(undo, turnId);
    return;
  }
  const none = { files: [], moreFiles: 0, added: 0, removed: 0, reverted: false };
  undo.turns.push({ turnId, seq, before: checkpointId, ...none, ...(leftOut === undefined ? {} : { leftOut }) });
}

function applyChanges(undo: UndoState, update: UpdateOf<"turn_changes">, seq: number, turnId: string): void {
  const { before, after, files, moreFiles, added, removed } = update;
  let turn = undo.turns.findLast((each) => each.turnId === turnId);
  if (!turn) {
    turn = { turnId, seq, before, files, moreFiles, added, removed, reverted: false };
    undo.turns.push(turn);
  }
  Object.assign(turn, { before, after, files, moreFiles, added, removed });
}

/** Removes a turn that has changed nothing. */
function dropTurn(undo: UndoState, turnId: string): void {
  undo.turns = undo.turns.filter((each) => each.turnId !== turnId);
  undo.commands = undo.commands.filter((each) => each.turnId !== turnId);
}

function applyRewind(undo: UndoState, update: UpdateOf<"rewind_update">, seq: number): void {
  if (update.kind === "redo") {
    applyRedo(undo, update);
    return;
  }
  const { rewindId, turnIds, files, before, after, fromSeq, toCheckpoint, fromFiles, gone = [] } = update;
  if (fromFiles) {
    undo.filesSeq = seq;
    undo.messages = undo.messages.filter(({ messageId }) => !gone.includes(messageId));
    return;
  }
  // Nothing was reverted: all of it is still to be done.
  const isFailed = files.length > 0 && files.every(({ outcome }) => outcome === "failed");
  if (isFailed && fromSeq === undefined) return;
  const partly = toCheckpoint === undefined ? undefined : turnOf(undo, toCheckpoint);
  const turns = undo.turns.filter((turn) => turn === partly || turnIds.includes(turn.turnId));
  const earlier = turns.map(({ turnId, reverted, kept, unwritten }) => ({
    turnId,
    reverted,
    ...(kept && { kept }),
    ...(unwritten && { unwritten }),
  }));
  for (const turn of turns) revertTurn(undo, turn, update);
  undo.rewinds.push({
    rewindId,
    seq,
    turnIds,
    ...(before === undefined ? {} : { before }),
    ...(after === undefined ? {} : { after }),
    ...(fromSeq === undefined ? {} : { fromSeq }),
    ...(toCheckpoint === undefined ? {} : { toCheckpoint }),
    earlier,
    redone: false,
  });
}

/** Reverts a turn, or part of it: everything except files that could not be written. */
function revertTurn(undo: UndoState, turn: TurnChanges, update: UpdateOf<"rewind_update">): void {
  const { files, turnIds, toCheckpoint, left } = update;
  const isWhole = turnIds.includes(turn.turnId);
  const of = (wanted: string) => files.flatMap(({ path, outcome }) => (outcome === wanted ? [path] : []));
  const failed = new Set(of("failed"));
  const next = undo.turns[undo.turns.indexOf(turn) + 1];
  const after = turnEnd(turn, next) ?? update.before ?? turn.before;
  const since = isWhole ? undefined : undo.commands.find(({ checkpointId }) => checkpointId === toCheckpoint);
  const main = turnStretches(turn, after, since).map(({ before, paths = [...failed], except = [] }) => ({
    before,
    after,
    paths: paths.filter((path) => !except.includes(path)),
  }));
  // A retry has no change of its own.
  const all = [...(turn.unwritten ?? []), ...(turn.reverted ? [] : main)];
  const unwritten = all
    .map((each) => ({ ...each, paths: each.paths.filter((path) => failed.has(path)) }))
    .filter(({ paths }) => paths.length > 0);
  if (unwritten.length > 0) turn.unwritten = unwritten;
  else delete turn.unwritten;
  if (isWhole) Object.assign(turn, { reverted: true, kept: turn.reverted ? turn.kept : of("kept") });
  else Object.assign(turn, { revertedTo: toCheckpoint, ...(left && { left }) });
}

function applyRedo(undo: UndoState, { turnIds, redoOf, files }: UpdateOf<"rewind_update">): void {
  const redone = undo.rewinds.find((each) => each.rewindId === redoOf);
  // If a file could not be written, it is still to be redone.
  if (redone) redone.redone = files.every(({ outcome }) => outcome !== "failed");
  for (const turn of undo.turns) {
    const was = redone?.earlier.find(({ turnId }) => turnId === turn.turnId);
    if (!was && !turnIds.includes(turn.turnId)) continue;
    delete turn.unwritten;
    delete turn.kept;
    Object.assign(turn, was ?? { reverted: false });
  }
  const partly = redone?.toCheckpoint === undefined ? undefined : turnOf(undo, redone.toCheckpoint);
  delete partly?.revertedTo;
  delete partly?.left;
}

/** The checkpoint at which the changes of a turn end; if it was not stored, the start of the `next` turn is closest. */
export function turnEnd({ revertedTo, after }: TurnChanges, next: TurnChanges | undefined): string | undefined {
  return revertedTo ?? after ?? next?.before;
}

/** The parts of a turn to revert; it ends at `after`. `since`: only changes after this checkpoint of it. */
export function turnStretches(
  { before, unsaved = [] }: Pick<TurnChanges, "before" | "unsaved">,
  after: string | undefined,
  since?: { checkpointId: string; seq: number },
): TurnStretch[] {
  const known = new Set<string>();
  const stretches: TurnStretch[] = [];
  for (const { checkpointId, seq, paths } of unsaved) {
    const first = paths.filter((path) => !known.has(path) && seq > (since?.seq ?? 0));
    if (first.length > 0) stretches.push({ before: checkpointId, after, paths: first });
    for (const path of first) known.add(path);
  }
  const except = known.size > 0 ? { except: [...known] } : {};
  return [...stretches, { before: since?.checkpointId ?? before, after, ...except }];
}

/** The turn that a checkpoint before a command belongs to. */
function turnOf({ turns, commands }: UndoState, checkpointId: string): TurnChanges | undefined {
  const command = commands.find((each) => each.checkpointId === checkpointId);
  return turns.find(({ turnId }) => turnId === command?.turnId);
}

/** Changes by the agent in this session that are not reverted; a file counts once, however often it was changed. */
export function sumAgentChanges({ turns }: UndoState): { added: number; removed: number; changedFiles: number } {
  const paths = new Set<string>();
  const sum = { added: 0, removed: 0, changedFiles: 0 };
  for (const turn of turns) {
    const { files, moreFiles, added, removed } = turn.reverted ? leftOf(turn) : (turn.left ?? turn);
    for (const { path } of files) paths.add(path);
    sum.added += added;
    sum.removed += removed;
    sum.changedFiles += moreFiles;
  }
  sum.changedFiles += paths.size;
  return sum;
}

/** The remaining changes of a turn that was reverted. */
function leftOf({ files, kept = [], unwritten = [] }: TurnChanges): ChangeCounts {
  const paths = new Set([...kept, ...unwritten.flatMap((each) => each.paths)]);
  const left = files.filter(({ path }) => paths.has(path));
  const sum = (key: "added" | "removed") => left.reduce((total, each) => total + each[key], 0);
  return { files: left, moreFiles: paths.size - left.length, added: sum("added"), removed: sum("removed") };
}
