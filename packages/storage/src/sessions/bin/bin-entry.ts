import { randomBytes } from "node:crypto";
import { existsSync, readdirSync, renameSync } from "node:fs";
import { join } from "node:path";
import { diskProblem, errorCode, makePrivateFolder, readRegularFile, syncFolder, writeNewFile } from "@harness/host";
import { isSessionId } from "../session-id.ts";

/** A deleted session: a folder with `entry.json` and the session's own folder. */
export type BinEntry = {
  sessionId: string;
  path: string;
  /** The session's folder inside the entry. */
  dir: string;
  /** The folder that the session was in before. */
  from: string;
  /** By the computer's clock. */
  deletedAt: string;
  /** By the bin's own clock. */
  deletedMs: number;
};

/** `problems`: sentences about entries that cannot be used. */
export type BinEntries = { entries: BinEntry[]; problems: string[] };

const NAME = /^(.+)~[0-9a-f]{8}$/;
const MAX_BYTES = 10_000;

/** Most recently deleted first. */
export function binEntries(bin: string): BinEntries {
  const problems: string[] = [];
  const entries: BinEntry[] = [];
  for (const name of namesIn(bin, problems)) {
    const sessionId = NAME.exec(name)?.[1] ?? "";
    const path = join(bin, name);
    const dir = join(path, sessionId);
    if (!isSessionId(sessionId) || !existsSync(dir)) continue;
    const noted = readNote(path);
    if (noted) entries.push({ sessionId, path, dir, ...noted });
    else
      problems.push(
        `${join(path, "entry.json")} cannot be read, so harness does not know where ${dir} was. Move it yourself.`,
      );
  }
  return {
    entries: entries.sort((a, b) => b.deletedMs - a.deletedMs || (a.deletedAt < b.deletedAt ? 1 : -1)),
    problems,
  };
}

/** Creates an entry without a session. Throws file system errors. */
export function newEntry(bin: string, { sessionId, ...noted }: Omit<BinEntry, "path" | "dir">): BinEntry {
  const name = `${sessionId}~${randomBytes(4).toString("hex")}`;
  const draft = join(bin, `.${name}`);
  makePrivateFolder(draft);
  writeNewFile(join(draft, "entry.json"), JSON.stringify({ version: 1, ...noted }), { durable: "content" });
  const path = join(bin, name);
  renameSync(draft, path);
  syncFolder(bin);
  return { sessionId, path, dir: join(path, sessionId), ...noted };
}

function namesIn(bin: string, problems: string[]): string[] {
  try {
    return readdirSync(bin);
  } catch (error) {
    if (errorCode(error) !== "ENOENT") problems.push(diskProblem(error, "look into the bin", bin));
    return [];
  }
}

function readNote(path: string): Pick<BinEntry, "from" | "deletedAt" | "deletedMs"> | undefined {
  try {
    const text = readRegularFile(join(path, "entry.json"), { maxBytes: MAX_BYTES, followLinks: false }).toString(
      "utf8",
    );
    const { from, deletedAt, deletedMs } = JSON.parse(text) as Partial<BinEntry>;
    const isWhole = typeof from === "string" && typeof deletedAt === "string" && typeof deletedMs === "number";
    return isWhole ? { from, deletedAt, deletedMs } : undefined;
  } catch {
    return undefined;
  }
}
