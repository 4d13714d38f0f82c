import { readdirSync } from "node:fs";
import { join } from "node:path";
import { setImmediate } from "node:timers/promises";
import { diskProblem, errorCode, readRegularFile, replaceOwnFile, sweepDrafts } from "@harness/host";
import { asDatedDigest, type DatedDigest, readMeta } from "../meta-file.ts";
import { sessionFolder } from "../session-folder.ts";
import type { SessionFormat } from "../session-format.ts";
import { isSessionId } from "../session-id.ts";
import type { StoredDigest } from "../stored-digest.ts";

const INDEX_VERSION = 3;
/** Enough for a hundred thousand sessions. */
const MAX_BYTES = 64 * 1024 * 1024;
/** The index is written after this many changes: reading a few sessions again is just as fast. */
const WORTH_WRITING = 32;
/** Other work of the process gets a turn after this long. */
const SLICE_MS = 8;

/** A session whose log cannot be read; `digest` is from `meta.json`. */
type UnreadableSession = { sessionId: string; digest?: StoredDigest; problem: string };
/**
 * `problem`: why the sessions' folder cannot be read. `stamps`: change with the main logs of readable sessions.
 * `places`: the folders of sessions outside the store's own. `lookedInto`: all folders that may have sessions.
 */
export type IndexedSessions = {
  places?: ReadonlyMap<string, string>;
  lookedInto?: readonly string[];
  readable: StoredDigest[];
  stamps: ReadonlyMap<string, string>;
  unreadable: UnreadableSession[];
  problem?: string;
};

/**
 * The digests of all sessions. Each is checked against the size and time of its log; only what has changed is read
 * again: from `meta.json` if that is up to date, else from the log. `.index.json` keeps them over restarts; it may be
 * deleted at any time.
 */
export class SessionIndex {
  readonly #root: string;
  readonly #path: string;
  readonly #format: Pick<SessionFormat, "digest">;
  #known: Map<string, DatedDigest> | undefined;
  #changed = 0;

  constructor(root: string, format: Pick<SessionFormat, "digest">) {
    this.#root = root;
    this.#format = format;
    this.#path = join(root, ".index.json");
  }

  /** In no particular order. */
  async all(): Promise<IndexedSessions> {
    const before = this.#known ?? (await readIndex(this.#path));
    const now = new Map<string, DatedDigest>();
    const unreadable: UnreadableSession[] = [];
    let sliceEnd = performance.now() + SLICE_MS;
    const ids = sessionIds(this.#root);
    for (const sessionId of ids.found) {
      const dated = this.#fresh(sessionId, before.get(sessionId));
      if (dated && "problem" in dated) unreadable.push(dated);
      else if (dated) now.set(sessionId, dated);
      if (performance.now() < sliceEnd) continue;
      await setImmediate();
      sliceEnd = performance.now() + SLICE_MS;
    }
    this.#known = now;
    if (this.#changed >= WORTH_WRITING) await this.#write(now);
    const readable = Array.from(now.values(), ({ digest }) => digest);
    const stamps = new Map(Array.from(now, ([id, dated]) => [id, stampOf(dated)]));
    return { readable, stamps, unreadable, ...(ids.problem === undefined ? {} : { problem: ids.problem }) };
  }

  /** Undefined if the folder has no session. */
  #fresh(sessionId: string, known: DatedDigest | undefined): DatedDigest | UnreadableSession | undefined {
    const folder = sessionFolder(join(this.#root, sessionId));
    try {
      const dated = this.#format.digest(sessionId, folder, known);
      if (dated === known) return dated;
      this.#changed += 1;
      if (!dated) return undefined;
      const ofLog = dated.ofLog && named(sessionId, dated.ofLog);
      return { ...dated, digest: named(sessionId, dated.digest), ...(ofLog && { ofLog }) };
    } catch (error) {
      const digest = readMeta(folder.meta)?.digest ?? known?.digest;
      const problem = diskProblem(error, `read session ${sessionId}`, folder.log);
      return { sessionId, ...(digest && { digest: named(sessionId, digest) }), problem };
    }
  }

  /** Written line by line, because all sessions at once would take long. */
  async #write(known: ReadonlyMap<string, DatedDigest>): Promise<void> {
    this.#changed = 0;
    const lines = [JSON.stringify({ version: INDEX_VERSION })];
    const pause = slices();
    for (const dated of known.values()) {
      lines.push(JSON.stringify(dated));
      await pause();
    }
    try {
      sweepDrafts(this.#root);
      replaceOwnFile(this.#path, lines.join("\n"));
    } catch {
      // Without the file, the next process reads the sessions one by one.
    }
  }
}

function stampOf({ sizeBytes, modifiedMs, files }: DatedDigest): string {
  return [sizeBytes, modifiedMs, ...(files === undefined ? [] : [files])].join(" ");
}

/** The digest of a copied session still has the id of the original. */
function named(sessionId: string, digest: StoredDigest): StoredDigest {
  return digest.sessionId === sessionId ? digest : { ...digest, sessionId };
}

/** The names of all possible session folders; `problem`: why they cannot be listed. */
export function sessionIds(root: string): { found: string[]; problem?: string } {
  try {
    return { found: readdirSync(root).filter(isSessionId) };
  } catch (error) {
    if (errorCode(error) === "ENOENT") return { found: [] };
    return { found: [], problem: diskProblem(error, "list the stored sessions", root) };
  }
}

async function readIndex(path: string): Promise<Map<string, DatedDigest>> {
  const known = new Map<string, DatedDigest>();
  const [first = "", ...lines] = linesOf(path);
  if (Object(parsed(first)).version !== INDEX_VERSION) return known;
  const pause = slices();
  for (const line of lines) {
    const dated = asDatedDigest(Object(parsed(line)));
    if (dated) known.set(dated.digest.sessionId, dated);
    await pause();
  }
  return known;
}

/** Empty if the file is missing. */
function linesOf(path: string): string[] {
  try {
    return readRegularFile(path, { maxBytes: MAX_BYTES, followLinks: false }).toString("utf8").split("\n");
  } catch {
    return [];
  }
}

/** Undefined for a damaged line; its session is then read again. */
function parsed(line: string): unknown {
  try {
    return JSON.parse(line);
  } catch {
    return undefined;
  }
}

/** Returns a function to await regularly: from time to time it lets other work run. */
function slices(): () => Promise<void> | undefined {
  let sliceEnd = performance.now() + SLICE_MS;
  return () => {
    if (performance.now() < sliceEnd) return undefined;
    return setImmediate().then(() => {
      sliceEnd = performance.now() + SLICE_MS;
    });
  };
}
