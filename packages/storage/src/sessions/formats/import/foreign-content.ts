import type { Content } from "@harness/protocol";
import type { ImportDraft } from "./import-draft.ts";
import { isRow, type JsonRow, rowOf, stringOf } from "./json-values.ts";

/** Parts that are imported elsewhere. */
const TAKEN_ELSEWHERE =
  /^(?:tool_use|tool_result|tool_call|toolCall|tool|thinking|redacted_thinking|reasoning|functionCall|functionResponse|step-.*|snapshot|patch|agent)$/;

/** The texts and pictures of a message, in the forms that programs use; other parts are counted. */
export function contentOf(value: unknown, talk: ImportDraft): { text: string; images: Content[] } {
  const texts: string[] = [];
  const images: Content[] = [];
  for (const part of Array.isArray(value) ? value : [value]) {
    if (typeof part === "string") texts.push(part);
    else if (isRow(part)) takePart(part, talk, { texts, images });
  }
  return { text: texts.filter((text) => text !== "").join("\n"), images };
}

/** The texts of a result; its pictures are counted. */
export function resultText(value: unknown, talk: ImportDraft): string {
  const { text, images } = contentOf(value, talk);
  talk.leave("picture of a result", images.length);
  return text === "" && images.length > 0 ? "(a picture)" : text;
}

function takePart(part: JsonRow, talk: ImportDraft, { texts, images }: { texts: string[]; images: Content[] }): void {
  const type = stringOf(part.type);
  const picture = pictureOf(part);
  if (part.thought === true) talk.leave("thought");
  else if (typeof part.text === "string" && !TAKEN_ELSEWHERE.test(type)) texts.push(part.text);
  else if (picture) images.push(...talk.image(picture.mimeType, picture.data));
  else if (!TAKEN_ELSEWHERE.test(type) && !isRow(part.functionCall) && !isRow(part.functionResponse))
    talk.leave("attachment");
}

/** The picture in a part; without data if the file does not contain it. */
function pictureOf(part: JsonRow): { mimeType: string; data: string } | undefined {
  const inline = rowOf(part.inlineData);
  if (isRow(part.inlineData)) return pictureWith(inline.mimeType, inline.data);
  const { media_type: mediaType, data } = rowOf(part.source);
  switch (part.type) {
    case "image":
      if (isRow(part.source)) return { mimeType: stringOf(mediaType), data: stringOf(data) };
      return part.image_url === undefined
        ? { mimeType: stringOf(part.mimeType), data: stringOf(part.data) }
        : ofUrl(part.image_url);
    case "input_image":
    case "image_url":
      return ofUrl(isRow(part.image_url) ? part.image_url.url : part.image_url);
    case "local_image":
    case "localImage":
      return { mimeType: "", data: "" };
    case "file":
      return stringOf(part.mime).startsWith("image/") ? ofUrl(part.url) : undefined;
    default:
      return undefined;
  }
}

function pictureWith(mimeType: unknown, data: unknown): { mimeType: string; data: string } | undefined {
  return stringOf(mimeType).startsWith("image/") ? { mimeType: stringOf(mimeType), data: stringOf(data) } : undefined;
}

function ofUrl(url: unknown): { mimeType: string; data: string } {
  const [, mimeType = "", data = ""] = /^data:([^;,]+);base64,(.*)$/s.exec(stringOf(url)) ?? [];
  return { mimeType, data };
}
