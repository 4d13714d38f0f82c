import { isDeepStrictEqual } from "node:util";
import type { Block, Content } from "@harness/protocol";
import type { CallToolResult } from "@modelcontextprotocol/client";

/** A server's answer: words and pictures for the model, blocks for people. All of it is untrusted. */
export type McpOutcome = {
  status: "ok" | "error";
  /** Never empty. */
  text: string;
  blocks: Block[];
  images: Content[];
};

const SURE_LENGTH = 8;

type Part = CallToolResult["content"][number];
type ContentReading = { line: string; block?: Block; image?: Content };

export function readOutcome({ content, structuredContent, isError }: CallToolResult): McpOutcome {
  const read = content.map(readPart);
  const lines = read.map(({ line }) => line);
  const isSaid = structuredContent === undefined || content.some((part) => says(part, structuredContent));
  if (!isSaid) lines.push(JSON.stringify(structuredContent));
  const text = lines.filter((line) => line !== "").join("\n");
  const blocks = read.flatMap(({ line, block }): Block[] => [block ?? { type: "text", text: line }]);
  if (structuredContent !== undefined) blocks.push({ type: "json", value: structuredContent });
  return {
    status: isError === true ? "error" : "ok",
    text: text === "" ? "(The tool answered without content.)" : text,
    blocks,
    images: read.flatMap(({ image }) => (image ? [image] : [])),
  };
}

/** An answer that harness gives in place of the server. */
export function failedOutcome(text: string): McpOutcome {
  return { status: "error", text, blocks: [{ type: "text", text }], images: [] };
}

/** One part of a result or of a prompt. */
export function readPart(part: Part): ContentReading {
  if (part.type === "text") return { line: part.text };
  if (part.type === "image") return picture(part.mimeType, part.data);
  if (part.type === "audio") return { line: `[audio, ${part.mimeType}, ${sizeOf(part.data)}: not played]` };
  if (part.type === "resource_link") return { line: linkLine(part) };
  const { resource } = part;
  const mimeType = resource.mimeType ?? "";
  if ("text" in resource) return { line: `[resource ${resource.uri}${mimeType && `, ${mimeType}`}]\n${resource.text}` };
  if (mimeType.startsWith("image/")) return picture(mimeType, resource.blob);
  return { line: `[resource ${resource.uri}, ${mimeType || "binary"}, ${sizeOf(resource.blob)}: not text]` };
}

function picture(mimeType: string, data: string): ContentReading {
  const description = `image, ${mimeType}, ${sizeOf(data)}`;
  return {
    line: `[${description}]`,
    block: { type: "image", mimeType, description },
    image: { type: "image", mimeType, data },
  };
}

function linkLine({ uri, name, title, description, mimeType, size }: Part & { type: "resource_link" }): string {
  const kind = [mimeType, size === undefined ? undefined : `${size} bytes`].filter(Boolean).join(", ");
  const about = description === undefined ? "" : `: ${description}`;
  return `[resource link ${uri}${kind && ` (${kind})`}, ${title ?? name}${about}]`;
}

/** Servers should repeat structured content as text: as JSON, or as texts that contain all of it. */
function says(part: Part, structured: unknown): boolean {
  if (part.type !== "text") return false;
  const { text } = part;
  try {
    if (isDeepStrictEqual(JSON.parse(text), structured)) return true;
  } catch {
    // It is plain words.
  }
  // A number or a short word may occur in any text by chance.
  const values = typeof structured === "object" && structured !== null ? Object.values(structured) : [];
  const areTexts = values.every(
    (value) => typeof value === "string" && value.length >= SURE_LENGTH && text.includes(value),
  );
  return values.length > 0 && areTexts;
}

/** For base64. */
function sizeOf(data: string): string {
  const bytes = Buffer.byteLength(data, "base64");
  return bytes < 1_000 ? `${bytes} bytes` : `${Math.round(bytes / 1_000)} kB`;
}
