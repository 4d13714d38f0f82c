import type { Oddities } from "./frame.ts";
import type { ScenarioTurn } from "./scenario.ts";

export type ScriptedStop = "stop" | "toolCalls" | "length" | "contentFilter" | "stopSequence" | "pause" | "windowFull";

export interface ReplyCall {
  /** Undefined if the call is sent without an id. */
  id: string | undefined;
  name: string;
  /** As the OpenAI format sends it. */
  argumentsText: string;
  /** The text is only the beginning of what the model would have said. */
  cut: boolean;
}

/** null represents a server that reports null. */
export interface ReplyUsage {
  inputTokens: number | null;
  outputTokens: number | null;
  cachedTokens: number | null;
  cacheWriteTokens: number | null;
  reasoningTokens: number | null;
}

/** A model's reply in one turn, ready for a wire format. */
export interface ScriptedReply {
  /** The number of the request, used for the response id. */
  number: number;
  /** Unique in the server's life and the same in every run: used for the ids of items. */
  key: string;
  model: string;
  thinking: string;
  /** Thoughts that are sent encrypted, if the format supports that. */
  redactedThinking: string | undefined;
  text: string;
  /** The model's refusal, if the format distinguishes it from an answer. */
  refusal: string;
  generate: ScenarioTurn["generate"];
  calls: readonly ReplyCall[];
  stop: ScriptedStop;
  usage: ReplyUsage | undefined;
  /** Characters per event. */
  chunkSize: number;
  chunkDelayMs: number;
  oddities: Oddities;
}

export interface ReplyContext {
  number: number;
  model: string;
  key: string;
  callId(key: string, index: number): string;
  /** Length of the request's body, used to estimate the prompt's tokens. */
  requestBytes: number;
}

/** Every reply carries this time: the same scenario makes the same bytes. */
export const REPLY_TIME = new Date("2026-11-02T09:00:00.000Z");

/** Tokens are estimated at four bytes each, on both sides. */
const BYTES_PER_TOKEN = 4;

export function makeReply(turn: ScenarioTurn, context: ReplyContext): ScriptedReply {
  const calls = (turn.toolCalls ?? []).map((call, index): ReplyCall => {
    const argumentsText = typeof call.arguments === "string" ? call.arguments : JSON.stringify(call.arguments);
    const id = call.id === undefined ? context.callId(context.key, index) : (call.id ?? undefined);
    return { id, name: call.name, argumentsText, cut: false };
  });
  const text = turn.text ?? "";
  const thinking = turn.thinking ?? "";
  return {
    number: context.number,
    key: context.key,
    model: context.model,
    thinking,
    redactedThinking: turn.redactedThinking,
    text,
    refusal: turn.refusal ?? "",
    generate: turn.generate,
    calls,
    stop: turn.stop ?? (calls.length > 0 ? "toolCalls" : "stop"),
    usage: makeUsage(turn, context, calls),
    chunkSize: turn.chunk?.size ?? 16,
    chunkDelayMs: turn.chunk?.delayMs ?? 0,
    oddities: turn.wire ?? {},
  };
}

function makeUsage(turn: ScenarioTurn, context: ReplyContext, calls: readonly ReplyCall[]): ReplyUsage | undefined {
  if (turn.usage === "missing") return undefined;
  const texts = `${turn.text ?? ""}${turn.refusal ?? ""}`;
  const said = calls.reduce((sum, call) => sum + call.name.length + call.argumentsText.length, texts.length);
  const reasoningTokens = tokensIn(turn.thinking?.length ?? 0);
  const outputTokens = tokensIn(said) + reasoningTokens + (turn.generate?.tokens ?? 0);
  const inputTokens = tokensIn(context.requestBytes);
  const estimated = { inputTokens, outputTokens, cachedTokens: 0, cacheWriteTokens: 0, reasoningTokens };
  const given = Object.entries(turn.usage ?? {}).filter(([, count]) => count !== undefined);
  return { ...estimated, ...Object.fromEntries(given) };
}

function tokensIn(bytes: number): number {
  return Math.ceil(bytes / BYTES_PER_TOKEN);
}

/** The complete text of a reply, for responses that are not streamed. */
export function wholeText(reply: ScriptedReply): string {
  if (reply.generate === undefined) return reply.text;
  const words = generatedWords(reply.generate);
  const rounds = Math.ceil(reply.generate.tokens / words.length);
  return (
    reply.text +
    Array.from({ length: rounds }, () => words)
      .flat()
      .slice(0, reply.generate.tokens)
      .join("")
  );
}

export function generatedWords(generate: NonNullable<ScenarioTurn["generate"]>): readonly string[] {
  return typeof generate.text === "string" ? [generate.text] : generate.text;
}
