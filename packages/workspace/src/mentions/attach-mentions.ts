import { type Content, imageTypeOf, type SeenFile } from "@harness/protocol";
import type { BufferReader } from "@harness/tools";
import {
  type AttachedText,
  type FoundPath,
  findMentioned,
  MAX_IMAGE_BYTES,
  mentionedFolder,
  mentionedPath,
  mentionedText,
  readWhole,
} from "./mentioned-file.ts";
import { pathMentions } from "./path-mentions.ts";
import { MAX_PICTURES, pictureRoom, sentPicture, withSentPictures } from "./sent-pictures.ts";

/** The limit for a message's files and its own text: facts of the log are held, sent and reread as a whole. */
const MAX_BYTES = 8 * 1024 * 1024;
export const MAX_MENTIONS = 100;

export type MentionOptions = {
  cwd: string;
  /** Why a file may not be read, as the end of a sentence; undefined: it may. */
  refusal(path: string): Promise<string | undefined>;
  /** The context window of the model, if known. */
  windowTokens: number | undefined;
  /** Files that the person has open in an editor; undefined: files are only on disk. */
  buffers: BufferReader | undefined;
  /** Reads a mention that is not a file, by its readings; undefined: it is unknown here too. */
  other: ((readings: readonly string[]) => Promise<AttachmentResult | undefined>) | undefined;
};

/** The message with its attachments, or why it is not accepted. */
type ExpandedMessage = { content: Content[]; attached: Content[]; files: SeenFile[] } | { problem: string };

type AttachmentResult = AttachedText | { problem: string };

/**
 * Reads the files that a message mentions, and scales its own pictures down. A word that names no file of the workspace
 * stays plain text, unless it can only mean a file: the user should learn that a file is missing, too large or
 * unreadable before the model answers without it.
 */
export async function attachMentions(prompt: readonly Content[], options: MentionOptions): Promise<ExpandedMessage> {
  const length = prompt.reduce((sum, part) => sum + (part.type === "text" ? part.text.length : 0), 0);
  if (length > MAX_BYTES)
    return { problem: "The message has more than 8 MB of text. Put it into a file and mention the part that matters." };
  const found = await findAll(prompt, options);
  if ("problem" in found) return found;
  const own = prompt.filter(({ type }) => type === "image").length;
  const pictures = own + found.filter((each) => "real" in each && isPicture(each)).length;
  if (pictures > MAX_PICTURES)
    return {
      problem: `The message has ${pictures} images, and the limit is ${MAX_PICTURES}. Send the others in another message.`,
    };
  const room = pictureRoom(pictures);
  const attached = new Map<string, Content>();
  const files: SeenFile[] = [];
  let bytes = 0;
  for (const each of found) {
    const read = "content" in each ? each : await attach(each, options, room);
    if ("problem" in read) return read;
    attached.set(JSON.stringify(read.content), read.content);
    if (read.file) files.push(read.file);
    bytes += read.bytes;
    if (bytes > MAX_BYTES) return { problem: "The mentioned files are too large together. Mention fewer." };
  }
  const content = await withSentPictures(prompt, room);
  return "problem" in content ? content : { content, attached: [...attached.values()], files };
}

/** The targets of a message's mentions, in order, except mentions without a target. */
async function findAll(
  prompt: readonly Content[],
  { cwd, other }: MentionOptions,
): Promise<(FoundPath | AttachedText)[] | { problem: string }> {
  const words = prompt.flatMap((part) => (part.type === "text" && part.quoted !== true ? [part.text] : []));
  const mentions = words.flatMap(pathMentions);
  if (mentions.length > MAX_MENTIONS)
    return { problem: `The message mentions ${mentions.length} paths with @, and the limit is ${MAX_MENTIONS}.` };
  const all: (FoundPath | AttachedText)[] = [];
  for (const mention of mentions) {
    const found = (await other?.(mention.ways.map(({ path }) => path))) ?? (await findMentioned(mention, cwd));
    if (found && "problem" in found) return found;
    if (found) all.push(found);
  }
  return all;
}

function isPicture({ path, isFolder }: FoundPath): boolean {
  return !isFolder && imageTypeOf(path) !== undefined;
}

async function attach(found: FoundPath, options: MentionOptions, room: number): Promise<AttachmentResult> {
  const { path, real, isFolder } = found;
  const refusal = await options.refusal(mentionedPath(path, options.cwd));
  if (refusal !== undefined) return { problem: `${path} ${refusal}.` };
  if (isFolder) return mentionedFolder(found, options.cwd);
  const mimeType = imageTypeOf(path);
  if (mimeType === undefined) return mentionedText(found, options.windowTokens, options.buffers);
  const read = await readWhole(path, real, MAX_IMAGE_BYTES);
  const content = "problem" in read ? read : await sentPicture({ name: path, bytes: read.bytes }, room);
  // Pictures have separate limits.
  return "problem" in content ? content : { content, bytes: 0 };
}
