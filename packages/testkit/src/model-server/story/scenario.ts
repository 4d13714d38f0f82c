import * as z from "zod";
import { bulkWords } from "./bulk-words.ts";
import { embeddingSchema } from "./embedding-player.ts";
import { faultSchema } from "./fault-schema.ts";
import { odditiesSchema } from "./frame.ts";

/**
 * The conditions for playing a turn, or for taking a lane. All given fields must hold; texts are substrings.
 */
const whenSchema = z.strictObject({
  /** In the first user message. */
  firstUser: z.string().optional(),
  /** In the last user message. */
  lastUser: z.string().optional(),
  /** In the last message, whatever its role. */
  lastMessage: z.string().optional(),
  /** In any message that is not the system text. */
  anyMessage: z.string().optional(),
  /** In the system text. */
  system: z.string().optional(),
  /** The requested model, exactly. */
  model: z.string().optional(),
  /** The results at the end of the conversation include one of this tool. */
  toolResultFor: z.string().optional(),
  /** A tool of this name is offered. */
  hasTool: z.string().optional(),
});

const toolCallSchema = z.strictObject({
  name: z.string(),
  /** An object is sent as JSON; a string is sent unchanged (for broken or doubly encoded arguments). */
  arguments: z.union([z.record(z.string(), z.unknown()), z.string()]).default({}),
  /** Default: an id derived from lane and turn. null: none is sent. */
  id: z.string().nullable().optional(),
});

const count = z.number().nullable().optional();

/**
 * Counts may be negative or null, as some servers report them. Omitted ones are estimated at four bytes per token.
 * `inputTokens` is the whole prompt, including tokens read from a cache and written to one; `outputTokens` includes
 * thinking. A wire format that counts differently gets its own numbers.
 */
const usageSchema = z.strictObject({
  inputTokens: count,
  outputTokens: count,
  cachedTokens: count,
  cacheWriteTokens: count,
  reasoningTokens: count,
});

const turnFields = z.strictObject({
  note: z.string().optional(),
  when: whenSchema.optional(),
  thinking: z.string().optional(),
  /** Thoughts that the vendor shows only encrypted (Anthropic's `redacted_thinking`); other formats leave them out. */
  redactedThinking: z.string().optional(),
  text: z.string().optional(),
  /** The model's refusal to answer. Anthropic has no field for it: it is text, with the stop reason `refusal`. */
  refusal: z.string().optional(),
  /**
   * Bulk text after `text`: this many tokens, at `rate` tokens a second (0: at once); words are cycled. Default:
   * `bulkWords`.
   */
  generate: z
    .strictObject({
      tokens: z.int().min(1),
      rate: z.number().min(0).default(0),
      text: z.union([z.string(), z.array(z.string()).min(1)]).default([...bulkWords]),
    })
    .optional(),
  toolCalls: z.array(toolCallSchema).optional(),
  /** Default: `toolCalls` if there are any, otherwise `stop`. */
  stop: z.enum(["stop", "toolCalls", "length", "contentFilter", "stopSequence", "pause", "windowFull"]).optional(),
  usage: z.union([z.literal("missing"), usageSchema]).optional(),
  /** How text, thinking and arguments are cut into events. */
  chunk: z.strictObject({ size: z.int().min(1).default(16), delayMs: z.number().min(0).default(0) }).optional(),
  /** Silence before the headers, as while a prompt is evaluated. */
  delayMs: z.number().min(0).optional(),
  /** How often the turn may be played. */
  repeat: z.union([z.int().min(1), z.literal("always")]).default(1),
  fault: faultSchema.optional(),
  wire: odditiesSchema.optional(),
});

const turnSchema = turnFields.refine((turn) => turn.fault?.kind !== "cutArguments" || turn.toolCalls !== undefined, {
  path: ["fault"],
  error: "cutArguments needs toolCalls to cut",
});

const laneSchema = z.strictObject({
  name: z.string().optional(),
  /** A string means `{firstUser: …}`. */
  match: z.union([z.string(), whenSchema]),
  /** Each conversation (distinguished by its first user message) plays the turns from the start. */
  perConversation: z.boolean().default(false),
  turns: z.array(turnSchema),
});

const modelSchema = z.strictObject({
  id: z.string(),
  /** The window the server runs the model with. Default: the flavour's. */
  contextTokens: z.int().min(1).optional(),
  /** The window the model was trained for. */
  trainedTokens: z.int().min(1).default(131_072),
  capabilities: z.array(z.string()).default(["completion", "tools", "thinking"]),
  /** How many requests it answers concurrently; more wait for their turn. Default: the scenario's. */
  slots: z.int().min(1).optional(),
  /** The `parameters` text of Ollama's /api/show, such as `num_ctx 8192`. */
  parameters: z.string().default(""),
  loaded: z.boolean().optional(),
  /**
   * LM Studio's behaviour when asked to load it: silence until `release()`, a wait, an error (above this many tokens).
   */
  load: z
    .strictObject({
      hangs: z.boolean().optional(),
      delayMs: z.number().min(0).optional(),
      error: z.string().optional(),
      errorAbove: z.int().min(0).optional(),
    })
    .optional(),
  /** Where Ollama really runs a cloud model. */
  remoteHost: z.string().optional(),
});

/** A model that is not installed, but can be pulled by Ollama. */
const librarySchema = modelSchema.extend({
  /** The bytes of its layers. */
  layers: z.array(z.int().min(0)).min(1).default([4_700_000_000, 1_500]),
  /**
   * An event in the middle of the first layer: silence until `release()`, a broken connection, an error as the last
   * line.
   */
  pull: z
    .strictObject({ hangs: z.boolean().optional(), cut: z.boolean().optional(), error: z.string().optional() })
    .optional(),
});

const scenarioSchema = z.strictObject({
  name: z.string().default("unnamed"),
  note: z.string().optional(),
  /** The listed models. If given, a request for any other model is refused as the vendor refuses it. */
  models: z.array(modelSchema).optional(),
  library: z.array(librarySchema).default([]),
  /** LM Studio: `onRequest: false` loads no model for a request that wants it; `api: false` is a version before 0.4, without `/api/v1`. */
  loading: z.strictObject({ onRequest: z.boolean().optional(), api: z.boolean().optional() }).default({}),
  /** The vectors of `/api/embed` and `/v1/embeddings`, which each model of the server makes. */
  embeddings: embeddingSchema.prefault({}),
  /** How many chat requests are answered concurrently for one model. Default: all of them. */
  slots: z.int().min(1).optional(),
  /** The first lane whose `match` holds plays; without one, `turns` do. */
  lanes: z.array(laneSchema).default([]),
  turns: z.array(turnSchema).default([]),
});

export type When = z.infer<typeof whenSchema>;
export type ScenarioTurn = z.infer<typeof turnSchema>;
export type TurnInput = z.input<typeof turnSchema>;
export type Scenario = z.infer<typeof scenarioSchema>;
export type ScenarioInput = z.input<typeof scenarioSchema>;
export type ScenarioModel = z.infer<typeof modelSchema>;
export type LibraryModel = z.infer<typeof librarySchema>;

export type ScenarioReading = { ok: true; scenario: Scenario } | { ok: false; problem: string };

/** Validates a scenario from a file, from code or from the wire; the problem says where and what. */
export function readScenario(value: unknown): ScenarioReading {
  const parsed = scenarioSchema.safeParse(value);
  if (parsed.success) return { ok: true, scenario: parsed.data };
  return { ok: false, problem: `This is not a valid scenario:\n${z.prettifyError(parsed.error)}` };
}
