import type { SessionParent, SessionSummary } from "../methods/session.ts";
import type { FolderLocation } from "../vocabulary/facts/folder-location.ts";
import { saidText } from "../vocabulary/message.ts";
import type { FactKind, StoredFact, UpdateOf } from "../vocabulary/updates.ts";
import { ROOT_AGENT } from "../vocabulary/updates.ts";
import type { FactView } from "./fact-view.ts";

type ChangedLines = { added: number; removed: number };
type TurnLines = ChangedLines & { turnId: string; reverted?: boolean };

/**
 * The data that lists show about a session, stored or live, updated with every fact. Derived: it can be rebuilt from
 * the log.
 */
export type SessionDigest = {
  sessionId: string;
  cwd: string;
  createdAt: string;
  updatedAt: string;
  title?: string;
  preview: string;
  /** The message that `preview` is from; a rewind may hide it. Absent if an older version noted it. */
  first?: { seq: number; isHidden?: true };
  turns: number;
  subagents: number;
  model?: string;
  provider?: string;
  /** The client that created it. */
  client?: string;
  /** The session that it was forked from. */
  parent?: SessionParent;
  /** How to find the folder again if it was moved. */
  place?: FolderLocation;
  /** The first line of the last reply. */
  answer?: string;
  /** Lines of files that its turns changed; absent if unknown. */
  changes?: ChangedLines;
  /** It is in the archive; absent: it is not. */
  archived?: true;
  /** The lines of the last turns that changed files: an undo subtracts them, a redo adds them again. */
  lastTurns?: TurnLines[];
};

const PREVIEW_CHARACTERS = 200;
/** An undo of an earlier turn is rare, and a digest is a small file. */
const MAX_TURNS = 50;

/** The facts known when a session begins. */
type DigestStart = Pick<SessionDigest, "sessionId" | "cwd" | "createdAt" | "client" | "place" | "parent">;

export function newSessionDigest(header: DigestStart): SessionDigest {
  const { sessionId, cwd, createdAt, client, place, parent } = header;
  const counts = { turns: 0, subagents: 0, changes: { added: 0, removed: 0 } };
  const begun = { ...(client !== undefined && { client }), ...(place && { place }), ...(parent && { parent }) };
  return { sessionId, cwd, createdAt, updatedAt: createdAt, preview: "", ...counts, ...begun };
}

/** Kinds of facts that a digest uses for more than their date. */
export const notedKinds: ReadonlySet<FactKind> = new Set<FactKind>([
  "user_message",
  "agent_message",
  "state_update",
  "session_info_update",
  "folder_update",
  "archive_update",
  "config_option_update",
  "turn_changes",
  "rewind_update",
]);

/** Keeps the digest up to date, in place. */
export function digestView(digest: SessionDigest): FactView {
  return { see: (fact) => noteFact(digest, fact) };
}

function noteFact(digest: SessionDigest, { seq, at, agentId, turnId = "", update }: StoredFact): void {
  // An archived session keeps its place in lists.
  if (update.sessionUpdate !== "archive_update") noteTime(digest, at);
  if (agentId !== ROOT_AGENT) return;
  if (update.sessionUpdate === "user_message" && update.origin === "user") {
    notePrompt(digest, seq, update);
  } else if (update.sessionUpdate === "session_info_update") digest.title = update.title;
  else if (update.sessionUpdate === "folder_update") noteFolder(digest, update);
  else if (update.sessionUpdate === "archive_update") noteArchive(digest, update);
  else if (update.sessionUpdate === "config_option_update") noteModel(digest, update.config);
  else if (update.sessionUpdate === "agent_message") noteReply(digest, update);
  else if (update.sessionUpdate === "state_update" && update.output !== undefined) noteAnswer(digest, update.output);
  else if (update.sessionUpdate === "turn_changes" && digest.changes)
    noteChanges(digest, digest.changes, turnId, update);
  else if (update.sessionUpdate === "rewind_update") noteRewind(digest, update);
}

function noteArchive(digest: SessionDigest, { archived }: UpdateOf<"archive_update">): void {
  delete digest.archived;
  if (archived) digest.archived = true;
}

function notePrompt(digest: SessionDigest, seq: number, { content, fromFile }: UpdateOf<"user_message">): void {
  const preview = digest.preview === "" || digest.first?.isHidden ? previewOf(content) : "";
  if (preview !== "") {
    digest.preview = preview;
    digest.first = { seq };
  }
  if (fromFile?.of !== undefined) return;
  // It is in use again.
  delete digest.archived;
  digest.turns += 1;
}

function noteFolder(digest: SessionDigest, { cwd, place }: UpdateOf<"folder_update">): void {
  digest.cwd = cwd;
  delete digest.place;
  if (place) digest.place = place;
}

function noteChanges(digest: SessionDigest, sum: ChangedLines, turnId: string, { added, removed }: ChangedLines): void {
  const others = digest.lastTurns?.filter((each) => each.turnId !== turnId) ?? [];
  const before = digest.lastTurns?.find((each) => each.turnId === turnId && !each.reverted);
  digest.changes = {
    added: sum.added + added - (before?.added ?? 0),
    removed: sum.removed + removed - (before?.removed ?? 0),
  };
  digest.lastTurns = [...others, { turnId, added, removed }].slice(-MAX_TURNS);
}

function noteRewind(digest: SessionDigest, rewind: UpdateOf<"rewind_update">): void {
  const { fromSeq = Number.POSITIVE_INFINITY, redoOf, goneTurns = 0 } = rewind;
  const { first } = digest;
  if (first && redoOf !== undefined) digest.first = { seq: first.seq };
  else if (first && fromSeq <= first.seq) digest.first = { ...first, isHidden: true };
  // Lists leave out sessions without turns, and what was said is still in the log.
  if (goneTurns > 0) digest.turns = Math.max(1, digest.turns - goneTurns);
  if (digest.changes) noteChangesBack(digest, digest.changes, rewind);
}

/** Subtracts the lines of turns, or adds them again. A partial revert is known only to the whole session. */
function noteChangesBack(digest: SessionDigest, sum: ChangedLines, rewind: UpdateOf<"rewind_update">): void {
  const { kind, turnIds, files, toCheckpoint } = rewind;
  const isPart = toCheckpoint !== undefined || files.some(({ outcome }) => outcome === "kept" || outcome === "failed");
  const turns = turnIds.map((turnId) => digest.lastTurns?.find((each) => each.turnId === turnId));
  if (isPart || turns.some((turn) => turn === undefined)) {
    delete digest.changes;
    delete digest.lastTurns;
    return;
  }
  const reverted = kind !== "redo";
  const sign = reverted ? -1 : 1;
  const moved = (digest.lastTurns ?? []).filter(
    (each) => turns.includes(each) && (each.reverted ?? false) !== reverted,
  );
  digest.changes = {
    added: moved.reduce((total, { added }) => total + sign * added, sum.added),
    removed: moved.reduce((total, { removed }) => total + sign * removed, sum.removed),
  };
  digest.lastTurns = (digest.lastTurns ?? []).map((each) => (moved.includes(each) ? { ...each, reverted } : each));
}

/** The latest time wins, not the last: the clock may have been set back meanwhile. */
export function noteTime(digest: SessionDigest, at: string): void {
  if (at > digest.updatedAt) digest.updatedAt = at;
}

type Reply = Extract<StoredFact["update"], { sessionUpdate: "agent_message" }>;

function noteReply(digest: SessionDigest, reply: Reply): void {
  if (!reply.fromFile) noteModel(digest, reply);
  noteAnswer(digest, reply.parts.flatMap((part) => (part.type === "text" ? [part.text] : [])).join("\n"));
}

function noteAnswer(digest: SessionDigest, text: string): void {
  const line = /\S[^\n]*/.exec(text.slice(0, PREVIEW_CHARACTERS * 4))?.[0];
  if (line === undefined) delete digest.answer;
  else digest.answer = line.slice(0, PREVIEW_CHARACTERS).trim().toWellFormed();
}

function noteModel(digest: SessionDigest, { model, provider }: { model?: string; provider?: string }): void {
  if (model) digest.model = model;
  if (provider) digest.provider = provider;
}

function previewOf(content: Parameters<typeof saidText>[0]): string {
  const text = saidText(content)
    .slice(0, PREVIEW_CHARACTERS * 4)
    .replace(/\s+/g, " ")
    .trim();
  if (text === "") return content.length > 0 ? "(image)" : "";
  return text.slice(0, PREVIEW_CHARACTERS).toWellFormed();
}

export function summaryOf(digest: SessionDigest, state: SessionSummary["state"], damage?: string): SessionSummary {
  const { lastTurns: _lastTurns, first: _first, ...rest } = digest;
  return { ...rest, state, ...(damage === undefined ? {} : { damage }) };
}
