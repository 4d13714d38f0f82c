import { statSync } from "node:fs";
import { digestView, isFactKind, notedKinds, noteTime, type SessionDigest, type StoredFact } from "@harness/protocol";
import { type DatedDigest, readMeta } from "../meta-file.ts";
import { agentFolders, type SessionFolder } from "../session-folder.ts";
import { dateOfId } from "../session-id.ts";
import { newStoredDigest, type StoredDigest } from "../stored-digest.ts";
import { forEachLine } from "./line-reader.ts";
import { decodeLine, factHead, isTornWrite, splitDamaged } from "./log-line.ts";
import { readHeader } from "./log-reader.ts";
import { sharedFacts } from "./shared-facts.ts";

/**
 * Updates a digest from the main log, from where `known` ended or from the start. Memory is bounded by the longest
 * line. Throws file system errors.
 */
export function scanLog(sessionId: string, folder: SessionFolder, known: DatedDigest | undefined): DatedDigest {
  const { size, mtimeMs } = statSync(folder.log);
  const base = known && known.readBytes <= size && known.sizeBytes < size ? known : undefined;
  const digest: StoredDigest = base
    ? { ...base.digest, damage: { ...base.digest.damage } }
    : begunDigest(sessionId, folder);
  const scan = { digest, damage: { ...digest.damage }, lastReply: undefined as Buffer | undefined };
  let readBytes = base?.readBytes ?? 0;
  forEachLine(folder.log, readBytes, (bytes, offset, ended) => {
    if (takeLine(scan, bytes) || takeDamaged(scan, bytes, ended)) readBytes = offset + bytes.length + (ended ? 1 : 0);
  });
  noteLastReply(scan);
  return { sizeBytes: size, modifiedMs: mtimeMs, readBytes, digest: finish(scan, sessionId, folder) };
}

/** The digest before the first line of the log: empty, or made of the facts that a fork shares with its parent. */
function begunDigest(sessionId: string, folder: SessionFolder): StoredDigest {
  const header = readHeader(folder.log);
  const nothing = newStoredDigest({ sessionId, cwd: "", createdAt: "" });
  if (!header?.parent || header.parent.seq === 0) return nothing;
  const { digest } = sharedFacts(folder.dir, header.parent, { checked: false });
  // The other fields are in its own first line.
  return { ...digest, sessionId, cwd: "", createdAt: "", parent: header.parent };
}

/** Inside a string the quotes would be escaped. */
const FROM_FILE = ',"fromFile":{';

type Scan = { digest: StoredDigest; damage: StoredDigest["damage"]; lastReply: Buffer | undefined };

function finish({ digest, damage }: Scan, sessionId: string, folder: SessionFolder): StoredDigest {
  const headerLost = digest.createdAt === "" && (digest.updatedAt !== "" || damage.pieces > 0);
  // Derived from the log while its first line could still be read.
  const meta = headerLost || damage.headerLost ? readMeta(folder.meta)?.digest : undefined;
  const createdAt = digest.createdAt || meta?.createdAt || digest.updatedAt || dateOfId(sessionId);
  return {
    ...digest,
    cwd: digest.cwd || (meta?.cwd ?? ""),
    createdAt,
    updatedAt: digest.updatedAt || createdAt,
    subagents: agentFolders(folder.dir).length - 1,
    damage: { ...damage, headerLost: damage.headerLost || headerLost },
  };
}

/** False if the line is unreadable. */
function takeLine(scan: Scan, bytes: Buffer): boolean {
  const head = factHead(bytes);
  if (!head) return noteLine(scan.digest, bytes);
  const { at, kind } = head;
  // Only the model of the last reply is needed, so the other replies are not parsed. Replies from files are old.
  if (kind === "agent_message" && bytes.includes(FROM_FILE)) {
    noteLastReply(scan);
    return noteLine(scan.digest, bytes);
  }
  if (kind === "agent_message") scan.lastReply = Buffer.from(bytes);
  // The agent it names decides whether it counts.
  else if (kind === "subagent_update") return noteLine(scan.digest, bytes);
  else if (isFactKind(kind) && notedKinds.has(kind)) {
    if (kind === "config_option_update") noteLastReply(scan);
    return noteLine(scan.digest, bytes);
  }
  noteTime(scan.digest, at);
  return true;
}

function noteLastReply(scan: Scan): void {
  if (scan.lastReply) noteLine(scan.digest, scan.lastReply);
  scan.lastReply = undefined;
}

function noteLine(digest: SessionDigest, bytes: Buffer): boolean {
  const line = decodeLine(bytes);
  if (line.kind === "fact") return isNoted(digest, line.fact);
  else if (line.kind === "header" && digest.createdAt === "") {
    const { createdAt, cwd, client, place, parent } = line.header;
    digest.createdAt = createdAt;
    digest.cwd = cwd ?? "";
    if (client !== undefined) digest.client = client;
    if (place) digest.place = place;
    if (parent) digest.parent = parent;
    noteTime(digest, createdAt);
  }
  return line.kind !== "bad";
}

/** False for a fact that fits no schema, although it is sealed. */
function isNoted(digest: SessionDigest, fact: StoredFact): boolean {
  try {
    digestView(digest).see(fact);
    return true;
  } catch {
    return false;
  }
}

/** False for a line that is being written, or whose writer died. */
function takeDamaged(scan: Scan, bytes: Buffer, ended: boolean): boolean {
  const { whole, lost } = splitDamaged(bytes);
  if (!ended && whole.length === 0 && isTornWrite(bytes)) return false;
  const bad = whole.filter((piece) => !takeLine(scan, piece)).length;
  scan.damage.pieces += lost.length + bad;
  return true;
}
