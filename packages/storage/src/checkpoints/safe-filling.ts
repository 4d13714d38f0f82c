import { lstatSync, readdirSync } from "node:fs";
import { basename, join } from "node:path";
import { fillFile, isRecord, parseJson, readRegularFile, removeIfThere, writeDraft } from "@harness/host";

/** Files next to the new content while a file is written in place: the old content, and the file's identity. */
const OLD = "-old";
const OF = "-of";

/** For a file that is written in place. */
const MAX_BYTES = 200_000_000;

type SafeFillOptions = {
  target: string;
  temporary: string;
  bytes: Buffer;
  /** The inode number of the file, and its current content. */
  ino: bigint;
  old: Buffer;
  /** Called when everything is prepared; throw to leave the file as it is. */
  beforeFill(): void;
};

/**
 * Writes into the file itself. Until that is complete, everything needed to finish it is on disk next to it
 * (`finishFilling`). False: the path leads to a different file by now.
 */
export function fillSafely({ target, temporary, bytes, ino, old, beforeFill }: SafeFillOptions): boolean {
  const parts = [temporary, `${temporary}${OLD}`, `${temporary}${OF}`] as const;
  const [source, oldPath, of] = parts;
  try {
    writeDraft(oldPath, old, { durable: "content" });
    writeDraft(source, bytes, { durable: "content" });
    beforeFill();
    writeDraft(of, JSON.stringify({ name: basename(target) }), { durable: "content" });
    return fillFile(target, { before: { ino }, source, old: oldPath });
  } finally {
    for (const path of [...parts].reverse()) removeIfThere(path);
  }
}

/** Finishes the files in this folder that a killed process was writing, under names with this prefix. Never throws. */
export function finishFilling(folder: string, prefix: string): void {
  try {
    for (const name of readdirSync(folder))
      if (name.startsWith(prefix) && name.endsWith(OF)) finish(folder, name.slice(0, -OF.length));
  } catch {
    // The folder no longer exists, or we may no longer read it.
  }
}

function finish(folder: string, draft: string): void {
  const [source = "", old = "", of = ""] = ["", OLD, OF].map((end) => join(folder, `${draft}${end}`));
  try {
    const json = parseJson(bytesOf(of).toString("utf8"));
    const name = "value" in json && isRecord(json.value) ? json.value.name : undefined;
    if (typeof name !== "string" || name !== basename(name) || name === "" || name === "..") return;
    const target = join(folder, name);
    const [now, wanted, before] = [target, source, old].map(bytesOf);
    // Any other content was written by someone since.
    if (now && wanted && before && isBetween(now, wanted, before))
      fillFile(target, { before: lstatSync(target, { bigint: true }), source, old });
  } catch {
    // One of them is missing, so the write had not begun.
  }
}

function bytesOf(path: string): Buffer {
  return readRegularFile(path, { maxBytes: MAX_BYTES, followLinks: false });
}

/** True if it begins like the new content and continues like the old one. */
function isBetween(now: Buffer, wanted: Buffer, before: Buffer): boolean {
  if (now.equals(wanted) || now.equals(before)) return false;
  let at = 0;
  while (at < now.length && at < wanted.length && now[at] === wanted[at]) at += 1;
  return now.subarray(at).equals(before.subarray(at));
}
