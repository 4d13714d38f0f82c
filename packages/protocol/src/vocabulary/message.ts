import * as z from "zod";

/** Input to the model from the user, a tool or another agent. `data` is base64. */
export const TextPart = z.object({ type: z.literal("text"), text: z.string() });
export type TextPart = z.infer<typeof TextPart>;
export const ImagePart = z.object({
  type: z.literal("image"),
  mimeType: z.string(),
  data: z.string(),
  /** Its name for people: its file, or its origin. */
  name: z.string().max(4_096).optional(),
  /** The size as sent; absent if unknown. */
  widthPx: z.number().optional(),
  heightPx: z.number().optional(),
});
export type ImagePart = z.infer<typeof ImagePart>;
/**
 * A piece of a message. Files that the text of a prompt mentions (`@src/a.ts`, `@src/`, `@src/a.ts#10-40`,
 * `@picture.png`) are sent with it, unless it is `quoted`: text from elsewhere, such as a file or standard input,
 * cannot request files.
 */
export const Content = z.discriminatedUnion("type", [TextPart.extend({ quoted: z.boolean().optional() }), ImagePart]);
export type Content = z.infer<typeof Content>;

/**
 * The model's own thoughts. `signature` and `vendorData` are returned to the vendor unchanged with the next request
 * (Anthropic signatures, OpenRouter `reasoning_details`).
 */
export const ThinkingPart = z.object({
  type: z.literal("thinking"),
  text: z.string(),
  signature: z.string().optional(),
  vendorData: z.unknown().optional(),
});
export type ThinkingPart = z.infer<typeof ThinkingPart>;

/**
 * A call the model asked for. `input` is the parsed arguments object; if the arguments were not a JSON object, `input`
 * is absent and `inputText` holds the model's text, so that an error can quote it.
 */
export const ToolCallPart = z.object({
  type: z.literal("tool_call"),
  toolCallId: z.string(),
  name: z.string(),
  input: z.record(z.string(), z.unknown()).optional(),
  inputText: z.string().optional(),
  vendorData: z.unknown().optional(),
  /**
   * Found in the model's text, not a native call: unless it only reads, the user is asked about it, whatever the rules
   * say.
   */
  foundInText: z.boolean().optional(),
});
export type ToolCallPart = z.infer<typeof ToolCallPart>;

export const AgentPart = z.discriminatedUnion("type", [TextPart, ThinkingPart, ToolCallPart]);
export type AgentPart = z.infer<typeof AgentPart>;

/** Token counts as the provider reported them; a field it did not report is absent, never 0. */
export const Usage = z.object({
  /** All of the prompt, including tokens read from a cache or written to one. */
  inputTokens: z.number().optional(),
  outputTokens: z.number().optional(),
  cacheReadTokens: z.number().optional(),
  cacheWriteTokens: z.number().optional(),
  reasoningTokens: z.number().optional(),
});
export type Usage = z.infer<typeof Usage>;

/**
 * The cost of one or more requests in US dollars. `unpricedRequests` counts those whose price is unknown: with any of
 * them `usd` is only the known part. A model on the user's own machine costs 0.
 */
export const Cost = z.object({ usd: z.number(), unpricedRequests: z.number() });
export type Cost = z.infer<typeof Cost>;

/** Where a request differs from the agent's last one, whose beginning servers' caches reuse. */
export const PrefixBreak = z.object({
  section: z.enum(["system", "tools", "messages"]),
  /** Within the section, UTF-16 units from its start. */
  offset: z.number(),
  /** For people, such as "the list of tools changed". */
  cause: z.string(),
});
export type PrefixBreak = z.infer<typeof PrefixBreak>;

/** How much of the previous request of the same agent this one begins with; lengths in UTF-16 units. */
export const PrefixReport = z.object({
  kept: z.number(),
  /** The length of the previous request. */
  of: z.number(),
  break: PrefixBreak.optional(),
});
export type PrefixReport = z.infer<typeof PrefixReport>;

/** A repair of a reply, or a substitute for something that the model cannot do. */
export const RepairKind = z.enum([
  "text_call",
  "leaked_thinking",
  "tool_name",
  "arguments",
  "call_id",
  "no_native_tools",
  "no_images",
  "history",
  "constrained",
]);
export type RepairKind = z.infer<typeof RepairKind>;

/** Why one reply of the model ended. `cut`: our side stopped it (cancel, broken stream), and the text is partial. */
export const Stop = z.enum(["end", "tool_calls", "length", "refusal", "cut"]);
export type Stop = z.infer<typeof Stop>;

/** Why a whole turn ended. */
export const StopReason = z.enum([
  "end_turn",
  "max_tokens",
  "max_turn_requests",
  "budget",
  "refusal",
  "cancelled",
  "error",
  "interrupted",
  "loop",
]);
export type StopReason = z.infer<typeof StopReason>;

/** The text of the content, without images. */
export function textOf(content: readonly (Content | AgentPart)[]): string {
  let text = "";
  for (const part of content) if (part.type === "text") text += part.text;
  return text;
}

/** Quoted text between tags that name its source. */
const TAGGED = /^<(\w+)[^\n]*>\n([\s\S]*)\n<\/\1>$/;

/** The user's own words; if there are none, the text they quoted, without its tags. */
export function saidText(content: readonly Content[]): string {
  const texts = content.filter((part) => part.type === "text");
  const ownText = textOf(texts.filter(({ quoted }) => quoted !== true));
  return ownText.trim() === "" ? texts.map(({ text }) => text.replace(TAGGED, "$2")).join("\n") : ownText;
}
