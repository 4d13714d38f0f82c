import type { FileChange } from "../vocabulary/file-changes.ts";
import { ROOT_AGENT, type SessionUpdate, type UpdateOf } from "../vocabulary/updates.ts";

/** What one turn has changed, or is changing, in the files. */
export type TurnChanges = {
  turnId: string;
  /** Of the checkpoint before its first change: what was said before this `seq` came before the changes. */
  seq: number;
  before: string;
  /** Absent: the turn is at work, or was broken off. */
  after?: string;
  files: FileChange[];
  moreFiles: number;
  added: number;
  removed: number;
  leftOut?: string;
  takenBack: boolean;
  /** It was taken back, but these files were left as they are: what it changed in them is still there. */
  stays?: string[];
  /** What came after this checkpoint of it is taken back, and the rest is not. */
  takenBackTo?: string;
  /** What it had changed up to there. */
  left?: Counted;
};

type Counted = Pick<TurnChanges, "files" | "moreFiles" | "added" | "removed">;

/** A checkpoint within a turn, before a command that throws work away. */
type CommandCheckpoint = { checkpointId: string; turnId: string; seq: number; at: string };

/** An undo or a rewind; `redone` = it was taken back itself. */
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

/** What can be taken back, and what was. */
export type UndoState = {
  /** Oldest first; a turn that changed nothing is not among them once it is over. */
  turns: TurnChanges[];
  commands: CommandCheckpoint[];
  rewinds: Rewind[];
  /** Of the person's last message: what was taken back before it stays so. */
  promptSeq: number;
  /** The person's messages that count, oldest first. */
  messages: { messageId: string; seq: number }[];
};

export const NOTHING_TO_UNDO = (): UndoState => ({ turns: [], commands: [], rewinds: [], promptSeq: 0, messages: [] });

/** Takes a fact in, in place. */
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

type Where = { seq: number; at: string; turnId: string };

function applyCheckpoint(
  undo: UndoState,
  { checkpointId, reason, leftOut }: UpdateOf<"checkpoint">,
  { seq, at, turnId }: Where,
): void {
  if (reason === "command") undo.commands.push({ checkpointId, turnId, seq, at });
  if (reason !== "turn") return;
  const turn = undo.turns.findLast((each) => each.turnId === turnId);
  if (turn) {
    turn.after = checkpointId;
    if (turn.before === checkpointId) dropTurn(undo, turnId);
    return;
  }
  const none = { files: [], moreFiles: 0, added: 0, removed: 0, takenBack: false };
  undo.turns.push({ turnId, seq, before: checkpointId, ...none, ...(leftOut === undefined ? {} : { leftOut }) });
}

function applyChanges(undo: UndoState, update: UpdateOf<"turn_changes">, seq: number, turnId: string): void {
  const { before, after, files, moreFiles, added, removed } = update;
  let turn = undo.turns.findLast((each) => each.turnId === turnId);
  if (!turn) {
    turn = { turnId, seq, before, files, moreFiles, added, removed, takenBack: false };
    undo.turns.push(turn);
  }
  Object.assign(turn, { before, after, files, moreFiles, added, removed });
}

/** It has changed nothing. */
function dropTurn(undo: UndoState, turnId: string): void {
  undo.turns = undo.turns.filter((each) => each.turnId !== turnId);
  undo.commands = undo.commands.filter((each) => each.turnId !== turnId);
}

function applyRewind(undo: UndoState, update: UpdateOf<"rewind_update">, seq: number): void {
  const { rewindId, kind, turnIds, files, before, after, fromSeq, toCheckpoint, left, redoOf } = update;
  const stays = kind === "redo" ? [] : files.flatMap(({ path, outcome }) => (outcome === "kept" ? [path] : []));
  for (const turn of undo.turns) {
    if (turnIds.includes(turn.turnId)) Object.assign(turn, { takenBack: kind !== "redo", stays });
  }
  if (kind === "redo") {
    const redone = undo.rewinds.find((each) => each.rewindId === redoOf);
    if (redone) redone.redone = true;
    const whole = redone?.toCheckpoint === undefined ? undefined : turnOf(undo, redone.toCheckpoint);
    delete whole?.takenBackTo;
    delete whole?.left;
    return;
  }
  const partly = toCheckpoint === undefined ? undefined : turnOf(undo, toCheckpoint);
  if (partly && toCheckpoint !== undefined) Object.assign(partly, { takenBackTo: toCheckpoint, ...(left && { left }) });
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

/** Changed by the agent in this session and not taken back; a file counts once, however often it was changed. */
export function agentChanges({ turns }: UndoState): { added: number; removed: number; changedFiles: number } {
  const paths = new Set<string>();
  const sum = { added: 0, removed: 0, changedFiles: 0 };
  for (const turn of turns) {
    const { files, moreFiles, added, removed } = turn.takenBack ? leftOf(turn) : (turn.left ?? turn);
    for (const { path } of files) paths.add(path);
    sum.added += added;
    sum.removed += removed;
    sum.changedFiles += moreFiles;
  }
  sum.changedFiles += paths.size;
  return sum;
}

/** What is still there of a turn that was taken back. */
function leftOf({ files, stays = [] }: TurnChanges): Counted {
  const kept = new Set(stays);
  const left = files.filter(({ path }) => kept.has(path));
  const sum = (key: "added" | "removed") => left.reduce((total, each) => total + each[key], 0);
  return { files: left, moreFiles: kept.size - left.length, added: sum("added"), removed: sum("removed") };
}
