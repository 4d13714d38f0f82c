import { randomBytes } from "node:crypto";
import { closeSync, fsyncSync, lstatSync, openSync, renameSync, rmSync, writeSync } from "node:fs";
import { basename, dirname, join } from "node:path";
import { factsOf } from "@harness/core";
import { makePrivateFolder, putInPlace, readRegularFile, syncFolder, writeNewFile } from "@harness/host";
import type { StoredFact } from "@harness/protocol";
import type { OwnSessions } from "../own-sessions.ts";
import { type SessionFolder, sessionFolder, sessionIdOf } from "../session-folder.ts";
import type { ForkHeader } from "../session-format.ts";
import { isOwnFile } from "../session-owner.ts";
import { forEachLine } from "./line-reader.ts";
import { decodeLine, encodeLine } from "./log-line.ts";
import { hasSharedCopy, parentFolder, type SavedTextFolder } from "./shared-history.ts";
import { readStoredSession, type StoredSession } from "./stored-session.ts";

const BATCH_BYTES = 256 * 1024;
/** Enough for a saved text, the output of one command. */
const MAX_TEXT_BYTES = 1024 * 1024 * 1024;
const LF = Buffer.from("\n");

/**
 * Writes the facts that a fork shares with its parent into the fork's main log, and copies the saved texts that they
 * name. Throws file system errors; the log is replaced in one step, at the end. Returns the former folders of the
 * texts.
 */
export function makeWhole(folder: SessionFolder, own: OwnSessions): string[] {
  const stored = readStoredSession(folder.dir, { own, checked: false });
  const { header, inheritedBlobs, isBegunHere } = stored;
  const { parent } = header;
  if (!parent || parent.seq === 0) {
    removeSharedCopy(folder);
    return [];
  }
  // The fork keeps its place in the tree of sessions, but shares nothing.
  const start = { ...header, parent: { ...parent, seq: 0 } };
  const by = isBegunHere ? own.sign(header.sessionId) : undefined;
  const texts = new Set<string>();
  const temporary = `${folder.log}.${process.pid}-whole.tmp`;
  const make = () =>
    writeLines(temporary, (write) => {
      write(encodeLine({ type: "header", ...start, ...(by === undefined ? {} : { by }) }));
      const writeMoved = (fact: StoredFact) => {
        const moved = movedPaths(JSON.stringify(fact), inheritedBlobs, folder.blobs);
        for (const path of moved.paths) texts.add(path);
        write(encodeLine(JSON.parse(moved.text) as object));
      };
      // Gaps are found again when the new log is read.
      for (const fact of factsOf(stored, { before: parent.seq + 1 }))
        if (!stored.facts.isGap(fact.seq)) writeMoved(fact);
      // Lines that cannot be read stay as they are.
      forEachLine(folder.log, 0, (bytes) => {
        const line = decodeLine(bytes);
        if (line.kind === "fact") writeMoved(line.fact);
        else if (line.kind !== "header") write(Buffer.concat([bytes, LF]));
      });
    });
  putInPlace({ path: folder.log, temporary, make, beforeRename: () => copyTexts(texts, inheritedBlobs, folder.blobs) });
  syncFolder(folder.dir);
  removeSharedCopy(folder);
  return inheritedBlobs.map(({ named }) => named);
}

/**
 * Copies the facts that a fork shares with its parent, and the saved texts that they name, into a folder inside the
 * fork's, because another process is writing the fork's log. That process continues to read there; the fork is made
 * whole when it is opened again. Throws file system errors.
 */
export function copyShared(folder: SessionFolder, own: OwnSessions): void {
  const stored = readStoredSession(folder.dir, { own, checked: false });
  const { header, inheritedBlobs } = stored;
  const { parent } = header;
  if (!parent || parent.seq === 0 || hasSharedCopy(folder.dir)) return;
  const draft = `${folder.shared}.${process.pid}-${randomBytes(4).toString("hex")}.tmp`;
  const { log, blobs } = sessionFolder(draft);
  const texts = new Set<string>();
  const make = () => {
    makePrivateFolder(draft);
    writeLines(log, (write) => {
      const { cwd, createdAt, version } = header;
      write(encodeLine({ type: "header", sessionId: parent.sessionId, cwd, createdAt, version }));
      for (const fact of factsOf(stored, { before: parent.seq + 1 })) {
        if (stored.facts.isGap(fact.seq)) continue;
        for (const path of movedPaths(JSON.stringify(fact), inheritedBlobs, blobs).paths) texts.add(path);
        write(encodeLine(fact));
      }
    });
    for (const [named, paths] of Map.groupBy(texts, dirname))
      copyTexts(new Set(paths), inheritedBlobs, join(blobs, ownerOf(named)));
    syncFolder(draft);
  };
  try {
    make();
    renameSync(draft, folder.shared);
  } catch (error) {
    rmSync(draft, { recursive: true, force: true });
    throw error;
  }
  syncFolder(folder.dir);
}

/** The id of the session whose saved texts are in this folder. */
function ownerOf(blobs: string): string {
  return sessionIdOf(dirname(blobs));
}

/** Never throws. */
function removeSharedCopy({ shared }: SessionFolder): void {
  try {
    rmSync(shared, { recursive: true, force: true });
  } catch {
    // The session is complete without it.
  }
}

/**
 * Writes a fork's log with a copy of its parent's facts up to a number, and copies the saved texts that they name. For
 * forks that cannot prove that they were made here: any log could name one of the user's sessions to have it read.
 * Throws file system errors.
 */
export function writeForkLog(folder: SessionFolder, header: ForkHeader, parent: StoredSession): void {
  const texts = new Set<string>();
  const { blobs } = parentFolder(folder.dir, header.parent);
  const from = [{ named: blobs, dir: blobs }, ...parent.inheritedBlobs];
  const temporary = `${folder.log}.${process.pid}-copy.tmp`;
  const make = () =>
    writeLines(temporary, (write) => {
      // The fork only records its parent: it has its own copy of what both share.
      const { sessionId } = header.parent;
      write(encodeLine({ type: "header", ...header, parent: { sessionId, seq: 0 } }));
      for (const fact of factsOf(parent, { before: header.parent.seq + 1 })) {
        if (parent.facts.isGap(fact.seq)) continue;
        const moved = movedPaths(JSON.stringify(fact), from, folder.blobs);
        for (const path of moved.paths) texts.add(path);
        write(encodeLine(JSON.parse(moved.text) as object));
      }
    });
  putInPlace({ path: folder.log, temporary, make, beforeRename: () => copyTexts(texts, from, folder.blobs) });
  syncFolder(folder.dir);
}

/** Writes a new private file line by line, and flushes it. */
function writeLines(path: string, make: (write: (line: Buffer) => void) => void): void {
  const fd = openSync(path, "wx", 0o600);
  let batch: Buffer[] = [];
  let length = 0;
  const flush = () => {
    writeAll(fd, Buffer.concat(batch));
    batch = [];
    length = 0;
  };
  try {
    make((line) => {
      batch.push(line);
      length += line.length;
      if (length >= BATCH_BYTES) flush();
    });
    flush();
    fsyncSync(fd);
  } finally {
    closeSync(fd);
  }
}

function writeAll(fd: number, bytes: Buffer): void {
  for (let done = 0; done < bytes.length; ) done += writeSync(fd, bytes, done);
}

/** The JSON text with the parents' folders replaced by the fork's own, and the paths that were replaced. */
function movedPaths(text: string, from: readonly SavedTextFolder[], to: string): { text: string; paths: string[] } {
  const paths: string[] = [];
  let moved = text;
  for (const { named: folder } of from) {
    const start = JSON.stringify(`${folder}/`).slice(1, -1);
    const parts = moved.split(start);
    for (const part of parts.slice(1)) paths.push(join(folder, /^[\w-]+(?:\.[\w-]+)*/.exec(part)?.[0] ?? ""));
    moved = parts.join(JSON.stringify(`${to}/`).slice(1, -1));
  }
  return { text: moved, paths };
}

/** The paths that are saved texts and still exist. */
function copyTexts(paths: ReadonlySet<string>, from: readonly SavedTextFolder[], to: string): void {
  for (const path of paths) {
    const name = basename(path);
    const folder = from.find(({ named, dir }) => path === join(named, name) && isOwnFile(dir, join(dir, name)));
    if (folder === undefined) continue;
    makePrivateFolder(to);
    const target = join(to, name);
    if (lstatSync(target, { throwIfNoEntry: false })) continue;
    const text = readRegularFile(join(folder.dir, name), { maxBytes: MAX_TEXT_BYTES, followLinks: false });
    writeNewFile(target, text, { durable: "content" });
  }
}
