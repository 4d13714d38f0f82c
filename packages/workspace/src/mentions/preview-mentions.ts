import { imageTypeOf, type MentionPreview } from "@harness/protocol";
import { MAX_MENTIONS, type MentionOptions } from "./attach-mentions.ts";
import {
  estimateTextTokens,
  type FoundPath,
  findMentioned,
  MAX_IMAGE_BYTES,
  mentionedFolder,
  mentionedPath,
  mentionedText,
  readWhole,
} from "./mentioned-file.ts";
import { type Mention, pathMentions } from "./path-mentions.ts";

/** Roughly what vendors count for the largest picture, and for a pixel. */
const MAX_IMAGE_TOKENS = 1_600;
const PIXELS_PER_TOKEN = 750;
/**
 * A name with an extension is nearly always a file, but `@app.get` may be a line of code, so a missing one refuses
 * nothing.
 */
const FILE_NAME = /^[^/\s]*\.[A-Za-z][A-Za-z0-9]{0,9}$/;

/** `isResource`: whether a reading of a mention names something that an MCP server has, without asking the server. */
export type PreviewMentionOptions = Omit<MentionOptions, "other" | "buffers"> & {
  isResource(readings: readonly string[]): boolean;
};

/**
 * The attachment for each mention of a text, or why the mention would refuse the message. Pictures are not scaled for
 * this.
 */
export async function previewMentions(text: string, options: PreviewMentionOptions): Promise<MentionPreview[]> {
  const previews: MentionPreview[] = [];
  for (const mention of pathMentions(text).slice(0, MAX_MENTIONS)) {
    const preview = await previewOf(mention, options);
    if (preview) previews.push(preview);
  }
  return previews;
}

async function previewOf(mention: Mention, options: PreviewMentionOptions): Promise<MentionPreview | undefined> {
  const readings = mention.ways.map(({ path }) => path);
  if (options.isResource(readings)) return { mention: readings[0] ?? "", kind: "resource" };
  const found = await findMentioned(mention, options.cwd);
  const name = readings.at(-1) ?? "";
  if (!found) return FILE_NAME.test(name) ? { mention: name, warning: goneText(name) } : undefined;
  if ("problem" in found) return { mention: name, problem: found.problem };
  return foundPreview(found, options);
}

function goneText(name: string): string {
  return `There is no ${name} in this folder: the message goes without it.`;
}

async function foundPreview(found: FoundPath, options: PreviewMentionOptions): Promise<MentionPreview> {
  const { path, lines, isFolder } = found;
  const name = lines ? `${path}#${lines.first}${lines.last === lines.first ? "" : `-${lines.last}`}` : path;
  const kind = isFolder ? "folder" : imageTypeOf(path) === undefined ? "file" : "image";
  const refusal = await options.refusal(mentionedPath(path, options.cwd));
  if (refusal !== undefined) return { mention: name, kind, problem: `${path} ${refusal}.` };
  return { mention: name, kind, ...(await sizeOf(found, kind, options)) };
}

async function sizeOf(
  found: FoundPath,
  kind: "file" | "folder" | "image",
  { cwd, windowTokens }: PreviewMentionOptions,
): Promise<Partial<MentionPreview>> {
  if (kind === "image") return pictureSize(found);
  const read = kind === "folder" ? await mentionedFolder(found, cwd) : await mentionedText(found, windowTokens);
  if ("problem" in read) return read;
  return { tokens: read.content.type === "text" ? estimateTextTokens(read.content.text) : 0 };
}

async function pictureSize({ path, real }: FoundPath): Promise<Partial<MentionPreview>> {
  const read = await readWhole(path, real, MAX_IMAGE_BYTES);
  if ("problem" in read) return read;
  const { imageInfo } = await import("@harness/tools");
  const { widthPx, heightPx } = imageInfo(read.bytes) ?? {};
  const sizeBytes = read.bytes.length;
  if (widthPx === undefined || heightPx === undefined) return { sizeBytes };
  return { widthPx, heightPx, sizeBytes, tokens: imageTokens(widthPx, heightPx) };
}

/** The estimated tokens of a picture once it is scaled down. */
function imageTokens(widthPx: number, heightPx: number): number {
  return Math.min(MAX_IMAGE_TOKENS, Math.ceil((widthPx * heightPx) / PIXELS_PER_TOKEN));
}
