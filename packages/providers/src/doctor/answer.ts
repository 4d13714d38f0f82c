import type { Clock, ModelRequest } from "@harness/core";
import { type AgentPart, type Failure, type Stop, type ToolCallPart, textOf, type Usage } from "@harness/protocol";
import { leakedThinking } from "../text-calls/thinking/leaked-thinking.ts";
import type { Refusal } from "../wires/failures/explained.ts";
import type { WireProvider } from "../wires/wire-api.ts";

/** A reply to a probe, prepared for the doctor. */
export type Answer = {
  /** The original parts, to continue the conversation. */
  parts: AgentPart[];
  /** Without thoughts that leaked into it. */
  text: string;
  /** Where thinking appeared; absent: nowhere. `hidden`: it was only counted. */
  thinking?: "separate" | "leaks" | "hidden";
  calls: ToolCallPart[];
  /** The number of pieces in which the arguments arrived. */
  argumentPieces: number;
  stop: Stop;
  usage?: Usage;
  /** Time until the reply began; absent after a retry. */
  firstMs?: number;
  /** True if it far exceeded its limit and we cut it off. */
  wasCutOff: boolean;
};

export type ProbeReply =
  | { answer: Answer; failure?: undefined; refusal?: undefined }
  | { failure: Failure; refusal?: Refusal | undefined; answer?: undefined };

/** No token has more characters, so a longer reply ignores its limit. */
const MAX_CHARS_PER_TOKEN = 16;
const SPARE_CHARS = 2_000;

/** Asks once. An endless reply is cut off, so that it does not block the doctor. */
export async function askProbe(
  provider: WireProvider,
  request: ModelRequest & { maxOutputTokens: number },
  { clock, signal }: { clock: Clock; signal: AbortSignal },
): Promise<ProbeReply> {
  const enough = new AbortController();
  const maxChars = request.maxOutputTokens * MAX_CHARS_PER_TOKEN + SPARE_CHARS;
  const startedMs = clock.monotonicMs();
  const seen = { chars: 0, pieces: 0, leaks: false, isRetried: false };
  let firstMs: number | undefined;
  for await (const event of provider.stream(request, AbortSignal.any([signal, enough.signal]))) {
    switch (event.type) {
      case "text":
      case "thinking":
      case "tool_input":
        firstMs ??= clock.monotonicMs() - startedMs;
        seen.chars += event.text.length;
        if (event.type === "tool_input" && event.text !== "") seen.pieces += 1;
        if (seen.chars > maxChars) enough.abort();
        break;
      case "repair":
        if (event.what === "leaked_thinking") seen.leaks = true;
        break;
      case "retry":
        Object.assign(seen, { chars: 0, pieces: 0, isRetried: true });
        break;
      case "failed":
        return { failure: event.failure, refusal: event.refusal };
      case "end": {
        const { parts, stop, usage } = event;
        firstMs ??= clock.monotonicMs() - startedMs;
        const raw = textOf(parts);
        const goesOn = stop !== "end" || parts.some(({ type }) => type === "tool_call");
        const leaked = leakedThinking(raw, { goesOn });
        const thinking = thinkingIn(parts, seen.leaks || leaked !== undefined, usage);
        const answer: Answer = {
          parts,
          text: (leaked?.text ?? raw).trim(),
          ...(thinking && { thinking }),
          calls: parts.filter((part) => part.type === "tool_call"),
          argumentPieces: seen.pieces,
          stop,
          ...(usage && { usage }),
          ...(!seen.isRetried && { firstMs }),
          wasCutOff: enough.signal.aborted,
        };
        return { answer };
      }
    }
  }
  return { failure: { kind: "network", message: "The reply ended early." } };
}

function thinkingIn(parts: readonly AgentPart[], leaks: boolean, usage: Usage | undefined): Answer["thinking"] {
  if (leaks) return "leaks";
  if (parts.some((part) => part.type === "thinking" && part.text.trim() !== "")) return "separate";
  return (usage?.reasoningTokens ?? 0) > 0 ? "hidden" : undefined;
}
