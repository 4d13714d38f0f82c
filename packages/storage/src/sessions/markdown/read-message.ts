import { isRecord } from "@harness/host";
import { type AgentPart, type Content, type ImagePart, type ToolCallPart, ToolOutcome } from "@harness/protocol";
import { type BodyBlock, blocksIn, type FencedKind } from "./fences.ts";
import { splitFrontmatter } from "./frontmatter.ts";
import type { SavedMessage, SavedRole, SavedStop } from "./saved-message.ts";

/** Reads a picture by its path in the session's folder, as base64; undefined: there is no such file of the session's own. */
export type ReadPicture = (path: string) => string | undefined;

/** A message with its time; empty where the file does not tell. */
export type ReadMessage = { message: SavedMessage; at: string };

type Fields = ReadonlyMap<string, string>;

const roles: readonly SavedRole[] = ["user", "assistant", "tool_result"];
const stops: readonly SavedStop[] = ["end", "tool_calls", "length", "error"];
const origins = ["user", "subagent", "agent", "harness"] as const;
const kinds = ["working_context", "command", "file_texts"] as const;

/** The blocks other than text in the files of each role. */
const fences: Record<SavedRole, readonly FencedKind[]> = {
  user: ["attached", "quoted", "picture", "message_text"],
  assistant: ["thinking", "tool_call", "message_text"],
  tool_result: ["picture"],
};

/**
 * A message file. Its role is that of the frontmatter, or else of its name: a file without frontmatter is all body. Returns
 * the end of a sentence about a file that is not a message.
 */
export function messageIn(text: string, named: SavedRole, picture: ReadPicture): ReadMessage | { problem: string } {
  const { fields = new Map<string, string>(), body } = splitFrontmatter(text);
  const role = roles.find((each) => each === fields.get("role")) ?? named;
  const blocks = blocksIn(body, fences[role]);
  const message = readers[role](fields, blocks, picture);
  if ("problem" in message) return message;
  const at = Date.parse(fields.get("timestamp") ?? "");
  return { message, at: Number.isNaN(at) ? "" : new Date(at).toISOString() };
}

type Reader = (
  fields: Fields,
  blocks: readonly BodyBlock[],
  picture: ReadPicture,
) => SavedMessage | { problem: string };

const readers: Record<SavedRole, Reader> = {
  user: (fields, blocks, picture) => {
    const content: Content[] = [];
    const attached: Content[] = [];
    for (const block of blocks) {
      const part = contentOf(block, picture);
      const isAttached =
        block.kind === "attached" || (block.kind === "picture" && block.attributes.attached === "true");
      (isAttached ? attached : content).push(part);
    }
    const from = fields.get("from");
    const kind = kinds.find((each) => each === fields.get("kind"));
    return {
      role: "user",
      content: content.length > 0 ? content : [{ type: "text", text: "" }],
      attached,
      origin: origins.find((each) => each === fields.get("origin")) ?? "user",
      ...(from === undefined ? {} : { fromAgentId: from }),
      ...(kind === undefined ? {} : { kind }),
    };
  },
  assistant: (fields, blocks) => {
    const parts = blocks.flatMap(partOf);
    const hasCalls = parts.some(({ type }) => type === "tool_call");
    const said = stops.find((each) => each === fields.get("stop")) ?? "end";
    const [inputTokens, outputTokens] = [numberIn(fields, "tokens_in"), numberIn(fields, "tokens_out")];
    const usage = {
      ...(inputTokens === undefined ? {} : { inputTokens }),
      ...(outputTokens === undefined ? {} : { outputTokens }),
    };
    return {
      role: "assistant",
      parts,
      // The files together count: without its calls, a reply did not end for them.
      stop: hasCalls ? "tool_calls" : said === "tool_calls" ? "end" : said,
      provider: fields.get("provider") ?? "",
      model: fields.get("model") ?? "",
      ...(Object.keys(usage).length > 0 ? { usage } : {}),
    };
  },
  tool_result: (fields, blocks, picture) => {
    const callId = fields.get("call_id");
    if (callId === undefined || callId === "") return { problem: "its frontmatter has no call_id" };
    const content = blocks.map((block) => contentOf(block, picture));
    const status = ToolOutcome.shape.status.safeParse(fields.get("status"));
    return {
      role: "tool_result",
      callId,
      tool: fields.get("tool") ?? "",
      status: status.success ? status.data : fields.get("error") === "true" ? "error" : "ok",
      text: content.flatMap((part) => (part.type === "text" ? [part.text] : [])).join("\n\n"),
      images: content.filter((part) => part.type === "image"),
    };
  },
};

function contentOf(block: BodyBlock, picture: ReadPicture): Content {
  if (block.kind === "quoted") return { type: "text", text: block.text, quoted: true };
  if (block.kind !== "picture") return { type: "text", text: block.text };
  const { path = "", type = "", name, width, height } = block.attributes;
  const data = picture(path);
  if (data === undefined) return { type: "text", text: `[The picture ${path} is missing.]` };
  const image: ImagePart = { type: "image", mimeType: type, data };
  const [widthPx, heightPx] = [Number(width), Number(height)];
  return {
    ...image,
    ...(name === undefined ? {} : { name }),
    ...(Number.isFinite(widthPx) ? { widthPx } : {}),
    ...(Number.isFinite(heightPx) ? { heightPx } : {}),
  };
}

function partOf({ kind, attributes, text }: BodyBlock): AgentPart[] {
  const vendorData = parsed(attributes.vendor);
  const vendor = vendorData === undefined ? {} : { vendorData };
  if (kind === "thinking") {
    const { signature } = attributes;
    return [{ type: "thinking", text, ...(signature === undefined ? {} : { signature }), ...vendor }];
  }
  if (kind !== "tool_call") return text === "" ? [] : [{ type: "text", text }];
  const { id = "", name = "", raw, found_in_text: found } = attributes;
  const input = raw === "true" ? undefined : parsed(text);
  const call: ToolCallPart = { type: "tool_call", toolCallId: id, name };
  return [
    {
      ...call,
      ...(isRecord(input) ? { input } : { inputText: text }),
      ...(found === undefined ? {} : { foundInText: found === "true" }),
      ...vendor,
    },
  ];
}

function parsed(text: string | undefined): unknown {
  try {
    return text === undefined ? undefined : JSON.parse(text);
  } catch {
    return undefined;
  }
}

function numberIn(fields: Fields, key: string): number | undefined {
  const value = fields.get(key);
  return value !== undefined && /^\d{1,15}$/.test(value) ? Number(value) : undefined;
}
