import { lstatSync, readdirSync } from "node:fs";
import { basename, join } from "node:path";
import { fillFile, isRecord, parseJson, readRegularFile, removeIfThere, writeDraft } from "@harness/host";

/** Beside the new content while a file is written in place: the old one, and which file it is. */
const OLD = "-old";
const OF = "-of";

/** Of a file that is written in place. */
const MAX_BYTES = 200_000_000;

type SafeFillOptions = {
  target: string;
  temporary: string;
  bytes: Buffer;
  /** The number of the file, and what is in it. */
  ino: bigint;
  old: Buffer;
  /** Called when all is ready; throws to leave everything as it is. */
  beforeFill(): void;
};

/**
 * Writes into the file itself. Until it is whole, all that finishes it is on the disk beside it (`finishFilling`). False: it is
 * another file by now.
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

/** Finishes what a killed process was writing in this folder, under names that begin so. Never throws. */
export function finishFilling(folder: string, prefix: string): void {
  try {
    for (const name of readdirSync(folder))
      if (name.startsWith(prefix) && name.endsWith(OF)) finish(folder, name.slice(0, -OF.length));
  } catch {
    // The folder is gone, or no longer readable for us.
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
    // One of them is missing: it had not begun.
  }
}

function bytesOf(path: string): Buffer {
  return readRegularFile(path, { maxBytes: MAX_BYTES, followLinks: false });
}

/** Does it begin as the new content, and go on as the old one? */
function isBetween(now: Buffer, wanted: Buffer, before: Buffer): boolean {
  if (now.equals(wanted) || now.equals(before)) return false;
  let at = 0;
  while (at < now.length && at < wanted.length && now[at] === wanted[at]) at += 1;
  return now.subarray(at).equals(before.subarray(at));
}
