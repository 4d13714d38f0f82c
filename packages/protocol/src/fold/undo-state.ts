import type { FileChange } from "../vocabulary/file-changes.ts";
import { ROOT_AGENT, type SessionUpdate, type UpdateOf } from "../vocabulary/updates.ts";

/** Changes of files by one turn, which may be running. */
export type TurnChanges = {
  turnId: string;
  /** Of the checkpoint before its first change: messages with a lower `seq` came before the changes. */
  seq: number;
  before: string;
  /** Absent: the turn is running, or was interrupted. */
  after?: string;
  files: FileChange[];
  moreFiles: number;
  added: number;
  removed: number;
  leftOut?: string;
  reverted: boolean;
  /** Paths whose changes are still there although the turn was reverted. */
  kept?: string[];
  /** Only changes after this checkpoint of the turn are reverted. */
  revertedTo?: string;
  /** Its changes up to that checkpoint. */
  left?: Counted;
};

type Counted = Pick<TurnChanges, "files" | "moreFiles" | "added" | "removed">;

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
  redone: boolean;
};

/** Changes and messages that can be undone, and those that were. */
export type UndoState = {
  /** Oldest first; a turn that has ended without a change is left out. */
  turns: TurnChanges[];
  commands: CommandCheckpoint[];
  rewinds: Rewind[];
  /** Of the person's last message: an undo before it cannot be redone. */
  promptSeq: number;
  /** Messages of the person that are not hidden, oldest first. */
  messages: { messageId: string; seq: number }[];
};

export const emptyUndoState = (): UndoState => ({ turns: [], commands: [], rewinds: [], promptSeq: 0, messages: [] });

/** Applies a fact to the state, in place. */
export function applyToUndo(undo: UndoState, { agentId, seq = 0, at = "", turnId = "", update }: SessionUpdate): void {
  if (agentId !== ROOT_AGENT) return;
  switch (update.sessionUpdate) {
    case "user_message":
      if (update.origin !== "user") break;
      undo.promptSeq = seq;
      undo.messages.push({ messageId: update.messageId, seq });
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

type FactPosition = { seq: number; at: string; turnId: string };

function applyCheckpoint(
  undo: UndoState,
  { checkpointId, reason, leftOut }: UpdateOf<"checkpoint">,
  { seq, at, turnId }: FactPosition,
): void {
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
  const { rewindId, kind, turnIds, files, before, after, fromSeq, toCheckpoint, left, redoOf } = update;
  const kept = kind === "redo" ? [] : files.flatMap(({ path, outcome }) => (outcome === "kept" ? [path] : []));
  for (const turn of undo.turns) {
    if (turnIds.includes(turn.turnId)) Object.assign(turn, { reverted: kind !== "redo", kept });
  }
  if (kind === "redo") {
    const redone = undo.rewinds.find((each) => each.rewindId === redoOf);
    if (redone) redone.redone = true;
    const whole = redone?.toCheckpoint === undefined ? undefined : turnOf(undo, redone.toCheckpoint);
    delete whole?.revertedTo;
    delete whole?.left;
    return;
  }
  const partly = toCheckpoint === undefined ? undefined : turnOf(undo, toCheckpoint);
  if (partly && toCheckpoint !== undefined) Object.assign(partly, { revertedTo: toCheckpoint, ...(left && { left }) });
  undo.rewinds.push({
    rewindId,
    seq,
    turnIds,
    ...(before === undefined ? {} : { before }),
    ...(after === undefined ? {} : { after }),
    ...(fromSeq === undefined ? {} : { fromSeq }),
    ...(toCheckpoint === undefined ? {} : { toCheckpoint }),
    redone: false,
  });
}

/** The turn that a checkpoint before a command belongs to. */
function turnOf({ turns, commands }: UndoState, checkpointId: string): TurnChanges | undefined {
  const command = commands.find((each) => each.checkpointId === checkpointId);
  return turns.find(({ turnId }) => turnId === command?.turnId);
}

/** Changes by the agent in this session that are not reverted; a file counts once, however often it was changed. */
export function agentChanges({ turns }: UndoState): { added: number; removed: number; changedFiles: number } {
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

/** Changes that are still there of a turn that was reverted. */
function leftOf({ files, kept = [] }: TurnChanges): Counted {
  const paths = new Set(kept);
  const left = files.filter(({ path }) => paths.has(path));
  const sum = (key: "added" | "removed") => left.reduce((total, each) => total + each[key], 0);
  return { files: left, moreFiles: paths.size - left.length, added: sum("added"), removed: sum("removed") };
}
