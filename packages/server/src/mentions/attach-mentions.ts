import { createHash } from "node:crypto";
import { stat } from "node:fs/promises";
import { homedir } from "node:os";
import { dirname, resolve } from "node:path";
import { readFileStart, realPathOf } from "@harness/host";
import { type Content, imageTypeOf, type PromptPart, type SeenFile } from "@harness/protocol";
import { folderEntries } from "../workspace/folder-entries.ts";
import { type Mention, type MentionedPath, pathMentions } from "./path-mentions.ts";

const MEBIBYTE = 1024 * 1024;
const MAX_FILE_BYTES = MEBIBYTE;
/** Before it is scaled down. */
const MAX_IMAGE_BYTES = 50 * MEBIBYTE;
const MAX_SCALE_MS = 20_000;
/** The files of a message together, and its own text: facts of the log are held, sent and read again whole. */
const MAX_BYTES = 8 * MEBIBYTE;
const MAX_MENTIONS = 100;
const MAX_NAMES = 200;
const CHARS_PER_TOKEN = 4;

export type MentionPlace = {
  cwd: string;
  /** Why a file may not be read, as the end of a sentence; undefined: it may. */
  refusal(path: string): Promise<string | undefined>;
  /** The context window of the model, where it is known. */
  windowTokens: number | undefined;
  /** Reads what is no file, by the readings of a mention; undefined: it is none of that. */
  other: ((readings: readonly string[]) => Promise<Attached | undefined>) | undefined;
};

/** The message without marks for the server, and what is attached to it; or why it is not taken. */
export type Expanded = { content: Content[]; attached: Content[]; files: SeenFile[] } | { problem: string };

type Found = MentionedPath & { real: string; isFolder: boolean };
type Attached = { content: Content; bytes: number; file?: SeenFile } | { problem: string };

/**
 * Reads the files that a message mentions, and scales its own pictures down. What is no file of the workspace stays plain
 * text, unless it can only be meant as one: that a file is missing, too large or not to be read is for the person to know
 * before the model answers without it.
 */
export async function attachMentions(prompt: readonly PromptPart[], place: MentionPlace): Promise<Expanded> {
  const length = prompt.reduce((sum, part) => sum + (part.type === "text" ? part.text.length : 0), 0);
  if (length > MAX_BYTES)
    return { problem: "The message has more than 8 MB of text. Put it into a file and mention the part that matters." };
  const words = prompt.flatMap((part) => (part.type === "text" && part.quoted !== true ? [part.text] : []));
  const mentions = words.flatMap(pathMentions);
  if (mentions.length > MAX_MENTIONS)
    return { problem: `The message mentions ${mentions.length} paths with @; ${MAX_MENTIONS} are the most.` };
  const attached = new Map<string, Content>();
  const files: SeenFile[] = [];
  let bytes = 0;
  for (const mention of mentions) {
    const other = await place.other?.(mention.ways.map(({ path }) => path));
    const found = other ?? (await findMentioned(mention, place.cwd));
    if (found === undefined) continue;
    const read = "problem" in found || "content" in found ? found : await attach(found, place);
    if ("problem" in read) return read;
    attached.set(JSON.stringify(read.content), read.content);
    if (read.file) files.push(read.file);
    bytes += read.bytes;
    if (bytes > MAX_BYTES) return { problem: "The mentioned files are too large together. Mention fewer." };
  }
  const content = await withFittedPictures(plainContent(prompt));
  return "problem" in content ? content : { content, attached: [...attached.values()], files };
}

async function withFittedPictures(parts: readonly Content[]): Promise<Content[] | { problem: string }> {
  const fitted: Content[] = [];
  let pictures = 0;
  for (const part of parts) {
    if (part.type !== "image") {
      fitted.push(part);
      continue;
    }
    pictures += 1;
    const bytes = Buffer.from(part.data, "base64");
    const made = await fittedPicture(`Image ${pictures} of the message`, bytes, part.mimeType);
    if ("problem" in made) return made;
    fitted.push(made.content);
  }
  return fitted;
}

/** The message without what is said in it to the server. */
export function plainContent(prompt: readonly PromptPart[]): Content[] {
  return prompt.map((part) => (part.type === "text" ? { type: "text", text: part.text } : part));
}

/** The first reading of a mention that is there; a problem where it must be one and is not. */
async function findMentioned(
  { ways, isMeant }: Mention,
  cwd: string,
): Promise<Found | { problem: string } | undefined> {
  for (const way of ways) {
    const path = resolve(cwd, way.path.replace(/^~(?=\/|$)/, homedir()));
    const info = await stat(path).catch(() => undefined);
    if (info?.isFile() && !way.path.endsWith("/")) return { ...way, real: await realPathOf(path), isFolder: false };
    if (info?.isDirectory() && (way.path.endsWith("/") || isMeant) && !way.lines)
      return { ...way, real: await realPathOf(path), isFolder: true };
  }
  const path = ways.at(-1)?.path ?? "";
  // `@types/node` is no path here; `@src/gone.ts` beside other files of `src` is.
  const isBesideOthers = /[^/]\/[^/]/.test(path) && (await isFolderAt(resolve(cwd, dirname(path))));
  if (!isMeant && !isBesideOthers) return undefined;
  return { problem: `There is no ${path} to send with the message. Correct the path, or put a space after the @.` };
}

async function isFolderAt(path: string): Promise<boolean> {
  return (await stat(path).catch(() => undefined))?.isDirectory() ?? false;
}

async function attach(found: Found, place: MentionPlace): Promise<Attached> {
  const { path, real, isFolder } = found;
  const refusal = await place.refusal(resolve(place.cwd, path.replace(/^~(?=\/|$)/, homedir())));
  if (refusal !== undefined) return { problem: `${path} ${refusal}.` };
  if (isFolder) return listing(path, real);
  const mimeType = imageTypeOf(path);
  if (mimeType !== undefined) return image(path, real, mimeType);
  return text(found, place.windowTokens);
}

async function listing(path: string, real: string): Promise<Attached> {
  const names = await folderEntries(real);
  const more = names.length > MAX_NAMES ? [`… (${names.length - MAX_NAMES} more)`] : [];
  const shown = [...names.slice(0, MAX_NAMES), ...more].join("\n") || "(empty)";
  return textBlock(`<folder path="${path}">\n${shown}\n</folder>`);
}

async function image(path: string, real: string, mimeType: string): Promise<Attached> {
  const read = await readWhole(path, real, MAX_IMAGE_BYTES);
  return "problem" in read ? read : fittedPicture(path, read.bytes, mimeType);
}

async function fittedPicture(name: string, bytes: Buffer, mimeType: string): Promise<Attached> {
  const { imageForModel } = await import("@harness/tools");
  const fitted = await imageForModel(bytes, mimeType, AbortSignal.timeout(MAX_SCALE_MS));
  if ("problem" in fitted) return { problem: `${name} cannot be sent: ${fitted.problem}.` };
  const data = Buffer.from(fitted.bytes).toString("base64");
  return { content: { type: "image", mimeType: fitted.mimeType, data }, bytes: data.length };
}

async function text({ path, real, lines }: Found, windowTokens: number | undefined): Promise<Attached> {
  const read = await readWhole(path, real, MAX_FILE_BYTES);
  if ("problem" in read) return read;
  if (read.bytes.includes(0)) return { problem: `${path} is not text.` };
  const whole = read.bytes
    .toString("utf8")
    .replace(/^\uFEFF/, "")
    .trimEnd();
  const all = lines ? whole.split("\n") : [];
  if (lines && lines.first > all.length)
    return {
      problem: `${path} ends before line ${lines.first}: it has ${all.length} ${all.length === 1 ? "line" : "lines"}.`,
    };
  const body = lines ? all.slice(lines.first - 1, lines.last).join("\n") : whole;
  const tokens = Math.ceil(body.length / CHARS_PER_TOKEN);
  if (windowTokens !== undefined && tokens > windowTokens / 2)
    return {
      problem: `${path} has about ${tokens} tokens, and the model takes ${windowTokens} in all. Name lines, as in @${path}#1-200.`,
    };
  const range = lines ? ` lines="${lines.first}-${Math.min(lines.last, all.length)}"` : "";
  const sha256 = createHash("sha256").update(read.bytes).digest("hex");
  const file: SeenFile = { path: real, how: "read", sizeBytes: read.bytes.length, sha256 };
  return { ...textBlock(`<file path="${path}"${range}>\n${body}\n</file>`), file };
}

function textBlock(words: string): { content: Content; bytes: number } {
  return { content: { type: "text", text: words }, bytes: words.length };
}

/** Reads regular files only: a pipe or a device may never end. */
async function readWhole(
  path: string,
  real: string,
  maxBytes: number,
): Promise<{ bytes: Buffer } | { problem: string }> {
  const start = await readFileStart(real, maxBytes + 1);
  if (!start) return { problem: `${path} cannot be read.` };
  if (start.sizeBytes > maxBytes)
    return { problem: `${path} has more than ${maxBytes / MEBIBYTE} MB: too much for a message.` };
  return { bytes: start.bytes };
}
