import { canonicalJson, type Reply } from "@harness/core";
import { isRecord } from "@harness/host";
import type { AgentPart, Stop, Usage } from "@harness/protocol";
import type { JsonObject } from "./json-answer.ts";
import { partsFromJson, partsToJson } from "./message-json.ts";

const STOP_REASONS: Readonly<Record<Stop, string>> = {
  end: "end_turn",
  tool_calls: "tool_use",
  length: "max_tokens",
  refusal: "refusal",
  cut: "cut",
};

/** A reply as hooks see it: a provider's response in the format of Anthropic's API. */
export function replyToJson({ messageId, model, provider, parts, stop, usage, failure }: Reply): JsonObject {
  return {
    id: messageId,
    type: "message",
    role: "assistant",
    model,
    provider,
    content: partsToJson(parts),
    stop_reason: STOP_REASONS[stop],
    ...(usage && { usage: usageToJson(usage) }),
    ...(failure && { error: { type: failure.kind, message: failure.message } }),
  };
}

/** Anthropic counts tokens read from a cache or written to one apart from the rest of the input. */
function usageToJson({ inputTokens, outputTokens, cacheReadTokens, cacheWriteTokens }: Usage): JsonObject {
  const fresh = inputTokens === undefined ? undefined : inputTokens - (cacheReadTokens ?? 0) - (cacheWriteTokens ?? 0);
  return {
    ...(fresh !== undefined && { input_tokens: Math.max(0, fresh) }),
    ...(outputTokens !== undefined && { output_tokens: outputTokens }),
    ...(cacheReadTokens !== undefined && { cache_read_input_tokens: cacheReadTokens }),
    ...(cacheWriteTokens !== undefined && { cache_creation_input_tokens: cacheWriteTokens }),
  };
}

type ReplyFrom = Pick<Reply, "messageId" | "provider" | "model">;

/**
 * A reply that a hook has changed or made itself: a response in the format of Anthropic's API or of OpenAI's chat
 * completions.
 */
export function replyFromJson(
  answer: JsonObject,
  before: Reply | undefined,
  from: ReplyFrom,
): { reply: Reply } | { problem: string } {
  if (before && sameJson(answer, replyToJson(before))) return { reply: before };
  const { model } = answer;
  const shared = before ?? { ...from, ...(typeof model === "string" && { model }) };
  const read = Array.isArray(answer.choices) ? readChoice(answer) : readMessage(answer, before);
  if (!read) return { problem: "its answer is not a model's reply: `content` or `choices` is missing or unreadable" };
  return { reply: { ...shared, ...read } };
}

type ReadReply = Pick<Reply, "parts" | "stop" | "usage">;

function readMessage({ content, stop_reason, usage }: JsonObject, before: Reply | undefined): ReadReply | undefined {
  const parts = partsFromJson(content, before?.parts);
  if (!parts) return undefined;
  const counted = usageFrom(usage, {
    input: "input_tokens",
    output: "output_tokens",
    cached: "cache_read_input_tokens",
  });
  const known = Object.entries(STOP_REASONS).find(([, reason]) => reason === stop_reason)?.[0];
  const stop = (known as Stop | undefined) ?? before?.stop ?? stopOf(parts);
  if (before && canonicalJson(usage) === canonicalJson(replyToJson(before).usage)) return { parts, stop };
  return { parts, stop, ...(counted && { usage: counted }) };
}

function readChoice({ choices, usage }: JsonObject): ReadReply | undefined {
  const choice: unknown = Array.isArray(choices) ? choices[0] : undefined;
  const message = isRecord(choice) ? choice.message : undefined;
  if (!isRecord(choice) || !isRecord(message)) return undefined;
  const parts: AgentPart[] = [];
  if (typeof message.content === "string" && message.content !== "")
    parts.push({ type: "text", text: message.content });
  for (const call of Array.isArray(message.tool_calls) ? message.tool_calls : []) {
    const part = callOfChoice(call);
    if (!part) return undefined;
    parts.push(part);
  }
  const counted = usageFrom(usage, { input: "prompt_tokens", output: "completion_tokens", cached: "" });
  const stop = choice.finish_reason === "length" ? "length" : stopOf(parts);
  return { parts, stop, ...(counted && { usage: counted }) };
}

function callOfChoice(call: unknown): AgentPart | undefined {
  const made = isRecord(call) ? call.function : undefined;
  if (!isRecord(call) || !isRecord(made) || typeof call.id !== "string" || typeof made.name !== "string")
    return undefined;
  const named = { type: "tool_call", toolCallId: call.id, name: made.name } as const;
  const inputText = typeof made.arguments === "string" ? made.arguments : JSON.stringify(made.arguments ?? {});
  try {
    const input: unknown = JSON.parse(inputText);
    if (isRecord(input)) return { ...named, input };
  } catch {
    // The model wrote invalid JSON: the loop quotes it.
  }
  return { ...named, inputText };
}

function usageFrom(usage: unknown, names: { input: string; output: string; cached: string }): Usage | undefined {
  if (!isRecord(usage)) return undefined;
  const count = (name: string) => (typeof usage[name] === "number" ? usage[name] : undefined);
  const [fresh, outputTokens, cacheReadTokens] = [count(names.input), count(names.output), count(names.cached)];
  return {
    ...(fresh !== undefined && { inputTokens: fresh + (cacheReadTokens ?? 0) }),
    ...(outputTokens !== undefined && { outputTokens }),
    ...(cacheReadTokens !== undefined && { cacheReadTokens }),
  };
}

function stopOf(parts: readonly AgentPart[]): Stop {
  return parts.some(({ type }) => type === "tool_call") ? "tool_calls" : "end";
}

function sameJson({ next_state: _, ...answer }: JsonObject, input: JsonObject): boolean {
  return canonicalJson(answer) === canonicalJson(input);
}
