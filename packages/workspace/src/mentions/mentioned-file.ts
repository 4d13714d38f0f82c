import { createHash } from "node:crypto";
import { stat } from "node:fs/promises";
import { homedir } from "node:os";
import { dirname, resolve } from "node:path";
import { readFileStart, realPathOf } from "@harness/host";
import { type Content, quotedAttribute, type SeenFile, shownName, taggedText } from "@harness/protocol";
import type { BufferReader } from "@harness/tools";
import { folderEntries } from "../files/folder-entries.ts";
import type { Mention, MentionedPath } from "./path-mentions.ts";

const MEBIBYTE = 1024 * 1024;
const MAX_FILE_BYTES = MEBIBYTE;
/** The limit before scaling down. */
export const MAX_IMAGE_BYTES = 20 * MEBIBYTE;
const MAX_NAMES = 200;
const CHARS_PER_TOKEN = 4;

/** The target of a mentioned path. */
export type FoundPath = MentionedPath & { real: string; isFolder: boolean };
export type AttachedText = { content: Content; bytes: number; file?: SeenFile };

export function estimateTextTokens(text: string): number {
  return Math.ceil(text.length / CHARS_PER_TOKEN);
}

/** The path that a reading of a mention stands for. */
export function mentionedPath(path: string, cwd: string): string {
  return resolve(cwd, path.replace(/^~(?=\/|$)/, homedir()));
}

/** The first reading of a mention that exists; a problem if one must exist and none does. */
export async function findMentioned(
  { ways, isMeant }: Mention,
  cwd: string,
): Promise<FoundPath | { problem: string } | undefined> {
  for (const way of ways) {
    const path = mentionedPath(way.path, cwd);
    const info = await stat(path).catch(() => undefined);
    if (info?.isFile() && !way.path.endsWith("/")) return { ...way, real: await realPathOf(path), isFolder: false };
    if (info?.isDirectory() && (way.path.endsWith("/") || isMeant) && !way.lines)
      return { ...way, real: await realPathOf(path), isFolder: true };
  }
  const path = ways.at(-1)?.path ?? "";
  // `@types/node` is not a path here; `@src/gone.ts` next to other files in `src` is.
  const isBesideOthers = /[^/]\/[^/]/.test(path) && (await isFolderAt(resolve(cwd, dirname(path))));
  if (!isMeant && !isBesideOthers) return undefined;
  return { problem: `There is no ${path} to send with the message. Correct the path, or put a space after the @.` };
}

async function isFolderAt(path: string): Promise<boolean> {
  return (await stat(path).catch(() => undefined))?.isDirectory() ?? false;
}

export async function mentionedFolder({ path, real }: FoundPath, cwd: string): Promise<AttachedText> {
  const names = await folderEntries(real, cwd);
  const more = names.length > MAX_NAMES ? [`… (${names.length - MAX_NAMES} more)`] : [];
  const shown = [...names.slice(0, MAX_NAMES).map(shownName), ...more].join("\n") || "(empty)";
  return textBlock(taggedText("folder", `path=${quotedAttribute(path)}`, shown));
}

/** The text of a file, or the mentioned lines of it; `buffers`: as the person has it in an editor. */
export async function mentionedText(
  { path, real, lines }: FoundPath,
  windowTokens: number | undefined,
  buffers?: BufferReader,
): Promise<AttachedText | { problem: string }> {
  const read = await readWhole(path, real, MAX_FILE_BYTES);
  if ("problem" in read) return read;
  const bytes = (await buffers?.look(real, read.bytes))?.buffer?.bytes ?? read.bytes;
  if (bytes.includes(0)) return { problem: `${path} is not text.` };
  if (bytes.length > MAX_FILE_BYTES) return tooLarge(path, MAX_FILE_BYTES);
  const whole = bytes
    .toString("utf8")
    .replace(/^\uFEFF/, "")
    .trimEnd();
  const all = lines ? whole.split("\n") : [];
  if (lines && lines.first > all.length)
    return {
      problem: `${path} ends before line ${lines.first}: it has ${all.length} ${all.length === 1 ? "line" : "lines"}.`,
    };
  const body = lines ? all.slice(lines.first - 1, lines.last).join("\n") : whole;
  const tokens = estimateTextTokens(body);
  if (windowTokens !== undefined && tokens > windowTokens / 2)
    return {
      problem: `${path} has about ${tokens} tokens, and the model takes ${windowTokens} at most. Mention some lines, as in @${path}#1-200.`,
    };
  const range = lines ? ` lines="${lines.first}-${Math.min(lines.last, all.length)}"` : "";
  const sha256 = createHash("sha256").update(bytes).digest("hex");
  const file: SeenFile = { path: real, how: "read", sizeBytes: bytes.length, sha256 };
  return { ...textBlock(taggedText("file", `path=${quotedAttribute(path)}${range}`, body)), file };
}

function textBlock(words: string): AttachedText {
  return { content: { type: "text", text: words }, bytes: words.length };
}

/** Reads regular files only: a pipe or a device may never end. */
export async function readWhole(
  path: string,
  real: string,
  maxBytes: number,
): Promise<{ bytes: Buffer } | { problem: string }> {
  const start = await readFileStart(real, maxBytes + 1);
  if (!start) return { problem: `${path} cannot be read.` };
  return start.sizeBytes > maxBytes ? tooLarge(path, maxBytes) : { bytes: start.bytes };
}

function tooLarge(path: string, maxBytes: number): { problem: string } {
  return { problem: `${path} is larger than ${maxBytes / MEBIBYTE} MB: too much for a message.` };
}
