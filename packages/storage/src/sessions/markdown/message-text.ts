import { createHash } from "node:crypto";
import type { AgentPart, Content, ImagePart } from "@harness/protocol";
import { type BodyBlock, bodyText } from "./fences.ts";
import { withFrontmatter } from "./frontmatter.ts";
import { pictureName, type SavedMessage } from "./saved-message.ts";

/** Where and when a message is saved; `paths`: of pictures that are not where their names say. */
export type MessageFields = { number: string; at: string; paths?: PicturePaths };
type PicturePaths = ReadonlyMap<ImagePart, string>;

/** The text of a message file. Half of a surrogate pair becomes the character that stands for it in UTF-8. */
export function messageText(message: SavedMessage, { number, at, paths }: MessageFields): string {
  const fields = { role: message.role, seq: number, timestamp: at, ...fieldsOf(message) };
  return withFrontmatter(fields, bodyOf(message, paths));
}

/** The same for all files that mean the same to the model. */
export function meaningOf(message: SavedMessage): string {
  const { tokens_in: _in, tokens_out: _out, ...fields } = fieldsOf(message);
  return createHash("sha256")
    .update(withFrontmatter({ role: message.role, ...fields }, bodyOf(message)))
    .digest("base64");
}

function fieldsOf(message: SavedMessage): Record<string, string | number | undefined> {
  switch (message.role) {
    case "user":
      return message.origin === "user"
        ? { kind: message.kind }
        : { origin: message.origin, from: message.fromAgentId, kind: message.kind };
    case "assistant": {
      const { provider, model, stop, usage } = message;
      return { model, provider, stop, tokens_in: usage?.inputTokens, tokens_out: usage?.outputTokens };
    }
    case "tool_result": {
      const { callId, tool, status } = message;
      const error = status === "ok" ? "false" : "true";
      return { call_id: callId, tool, error, status: status === "ok" || status === "error" ? undefined : status };
    }
  }
}

function bodyOf(message: SavedMessage, paths: PicturePaths = new Map()): string {
  switch (message.role) {
    case "user":
      return bodyText([
        ...message.content.map((part) => contentBlock(part, { isAttached: false, paths })),
        ...message.attached.map((part) => contentBlock(part, { isAttached: true, paths })),
      ]);
    case "assistant":
      return bodyText(message.parts.flatMap(partBlock));
    case "tool_result":
      return bodyText([
        plain(message.text),
        ...message.images.map((image) => pictureBlock(image, { isAttached: false, paths })),
      ]);
  }
}

type PictureFields = { isAttached: boolean; paths: PicturePaths };

function contentBlock(part: Content, { isAttached, paths }: PictureFields): BodyBlock {
  if (part.type === "image") return pictureBlock(part, { isAttached, paths });
  if (isAttached) return { kind: "attached", attributes: {}, text: part.text };
  return part.quoted === true ? { kind: "quoted", attributes: {}, text: part.text } : plain(part.text);
}

function partBlock(part: AgentPart): BodyBlock[] {
  if (part.type === "text") return part.text === "" ? [] : [plain(part.text)];
  const vendor: Record<string, string> =
    part.vendorData === undefined ? {} : { vendor: JSON.stringify(part.vendorData) };
  if (part.type === "thinking") {
    const { signature } = part;
    const attributes = { ...(signature === undefined ? {} : { signature }), ...vendor };
    return [{ kind: "thinking", attributes, text: part.text }];
  }
  const { toolCallId: id, name, input, inputText = "", foundInText } = part;
  const attributes = {
    id,
    name,
    ...(input === undefined ? { raw: "true" } : {}),
    ...(foundInText === undefined ? {} : { found_in_text: String(foundInText) }),
    ...vendor,
  };
  return [{ kind: "tool_call", attributes, text: input === undefined ? inputText : JSON.stringify(input) }];
}

function pictureBlock(image: ImagePart, { isAttached, paths }: PictureFields): BodyBlock {
  const { mimeType, name, widthPx, heightPx } = image;
  const attributes = {
    path: paths.get(image) ?? `images/${pictureName(image)}`,
    type: mimeType,
    ...(name === undefined ? {} : { name }),
    ...(widthPx === undefined ? {} : { width: String(widthPx) }),
    ...(heightPx === undefined ? {} : { height: String(heightPx) }),
    ...(isAttached ? { attached: "true" } : {}),
  };
  return { kind: "picture", attributes, text: "" };
}

const plain = (text: string): BodyBlock => ({ kind: "plain", attributes: {}, text });
