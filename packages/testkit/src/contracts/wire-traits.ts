import { type Flavour, flavourRows } from "../model-server/flavours/flavour.ts";
import type { WireFormat } from "../model-server/flavours/wire-format.ts";
import type { Oddities } from "../model-server/story/frame.ts";
import { sealed, sealText } from "../model-server/story/seal.ts";

/** The traits of one wire format, so that the contract can be the same for all. */
export interface WireTraits {
  /** Events or lines before the first one with text. */
  eventsBeforeText: number;
  /** Legal peculiarities of a stream with text. */
  oddities: readonly [string, Oddities][];
  /** Legal peculiarities of a stream with calls. */
  callOddities: readonly [string, Oddities][];
  /** The format has a stop reason for a model that refuses to answer. */
  refuses: boolean;
  /** The counts it reports besides prompt and reply. */
  counts: readonly ("cacheReadTokens" | "cacheWriteTokens" | "reasoningTokens")[];
}

const sse: WireTraits["oddities"] = [
  ["line ends of Windows", { crlf: true }],
  ["no space after the field", { noSpace: true }],
  ["pings", { pings: true }],
  ["a byte order mark", { bom: true }],
  ["data over several lines", { multiLine: true }],
  ["unknown events", { unknownEvents: true }],
];

const traits: Record<WireFormat, WireTraits> = {
  "openai-chat": {
    eventsBeforeText: 1,
    oddities: [
      ...sse,
      ["empty choices", { emptyChoices: true }],
      ["null for content", { nullContent: true }],
      ["no closing mark after the finish reason", { noDone: true }],
      ["thinking in the other field", { thinkingField: "reasoning" }],
    ],
    callOddities: [
      ["index 0 for every call", { callIndex: "zero" }],
      ["no index for any call", { callIndex: "none" }],
    ],
    refuses: true,
    counts: ["cacheReadTokens", "reasoningTokens"],
  },
  "openai-responses": {
    eventsBeforeText: 4,
    oddities: [...sse, ["reasoning in the open", { reasoningText: true }]],
    callOddities: [],
    refuses: true,
    counts: ["cacheReadTokens", "cacheWriteTokens", "reasoningTokens"],
  },
  anthropic: {
    eventsBeforeText: 3,
    oddities: sse,
    callOddities: [["no input for a call without arguments", { emptyInput: true }]],
    refuses: true,
    counts: ["cacheReadTokens", "cacheWriteTokens"],
  },
  ollama: {
    eventsBeforeText: 0,
    oddities: [
      ["line ends of Windows", { crlf: true }],
      ["a byte order mark", { bom: true }],
      ["unknown lines", { unknownEvents: true }],
      ["null for content", { nullContent: true }],
    ],
    callOddities: [],
    refuses: false,
    counts: [],
  },
};

export function wireTraits(wire: WireFormat, flavour: Flavour): WireTraits {
  const known = traits[wire];
  if (wire !== "openai-chat") return known;
  const { usageDetails, llamaTimings } = flavourRows[flavour].chat;
  return {
    ...known,
    // On request, llama.cpp reports that it begins to read a short prompt and that it has read it.
    eventsBeforeText: known.eventsBeforeText + (llamaTimings ? 2 : 0),
    counts: usageDetails === "none" ? [] : known.counts,
  };
}

/**
 * The parts that must be returned unchanged with the next request to the same model, as they appear in its body: for
 * the scenario's first turn, which thinks `thought` and calls `name`. Undefined if this server signs nothing.
 */
export function signatureOf(wire: WireFormat, flavour: Flavour, thought: string, name: string): string | undefined {
  if (wire === "anthropic") return sealText("anthropic", thought);
  if (wire === "openai-responses") return sealed("openai", `rs_0_0_0\n${thought}`);
  if (wire !== "openai-chat") return undefined;
  const { signedCalls, signedThinking } = flavourRows[flavour].chat;
  if (signedCalls) return sealText("google", name);
  return signedThinking !== undefined ? sealText("openrouter", thought) : undefined;
}
