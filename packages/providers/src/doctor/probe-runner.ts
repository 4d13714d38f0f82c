import type { Clock, ModelMessage, ModelRequest, ToolSpec } from "@harness/core";
import type { CapabilityRecord, ModelAbilities, ToolMode, Usage } from "@harness/protocol";
import type { ResolvedModel } from "../choice/model-question.ts";
import { withConstrainedCalls } from "../text-calls/with-constrained-calls.ts";
import { withPromptedTools } from "../text-calls/with-prompted-tools.ts";
import { withTextCalls } from "../text-calls/with-text-calls.ts";
import type { WireProvider } from "../wires/wire-api.ts";
import { type Answer, askProbe, type ProbeReply } from "./answer.ts";
import { type Findings, failedProbe, type ProbeVerdict, skippedProbe } from "./verdict.ts";

/** The model under examination. */
export type ProbedModel = Pick<
  ResolvedModel,
  "plain" | "model" | "contextWindow" | "vendor" | "effort" | "contextWindowAdvice"
>;

export type ProbeRunnerDeps = {
  choice: ProbedModel;
  /** The abilities that its server reports. */
  abilities: ModelAbilities | undefined;
  clock: Clock;
  signal: AbortSignal;
};

/** One request. */
type ProbeQuestion = {
  /** The user's message, or the whole conversation. */
  ask: string | ModelMessage[];
  system?: string;
  tools?: ToolSpec[];
  /** Uses the loop's code for that mode; absent: the model as it is. */
  as?: ToolMode;
  schema?: Record<string, unknown>;
  /** The maximum length of the answer. */
  tokens: number;
  /** Thoughts count against `tokens`: nothing is added for them. */
  isStrict?: boolean;
};

/** Thinking before a short answer usually fits into this many tokens. */
const ROOM_TO_THINK = 1_024;

/** Asks the model for probes, and keeps their findings. */
export class ProbeRunner {
  readonly choice: ProbedModel;
  readonly abilities: ModelAbilities;
  readonly findings: Partial<Findings> = {};
  /** Usage of each reply so far; undefined: the server counts nothing. */
  readonly used: (Usage | undefined)[] = [];
  readonly #clock: Clock;
  readonly #signal: AbortSignal;
  readonly #seen = new Set<NonNullable<Answer["thinking"]>>();

  constructor({ choice, abilities, clock, signal }: ProbeRunnerDeps) {
    this.choice = choice;
    this.abilities = abilities ?? {};
    this.#clock = clock;
    this.#signal = signal;
  }

  /** Summary over all replies so far. */
  get thinking(): CapabilityRecord["thinking"] {
    if (this.#seen.has("leaks")) return "leaks";
    return this.#seen.has("separate") ? "separate" : "none";
  }

  /** True if thinking is counted but not shown. */
  get hidesThinking(): boolean {
    return this.thinking === "none" && this.#seen.has("hidden");
  }

  async ask(question: ProbeQuestion): Promise<ProbeReply> {
    const { choice } = this;
    const { ask, tools = [], system = "", schema, tokens, isStrict } = question;
    const effort = isStrict && choice.effort ? "none" : choice.effort;
    const request: ModelRequest & { maxOutputTokens: number } = {
      model: choice.model,
      system,
      messages: typeof ask === "string" ? [{ role: "user", content: [{ type: "text", text: ask }] }] : ask,
      tools,
      maxOutputTokens: tokens + (this.#seen.size > 0 && !isStrict ? ROOM_TO_THINK : 0),
      // The same as in the loop, because Ollama reloads a model for a different context window.
      contextWindow: choice.contextWindow.tokens,
      lane: "doctor",
      priority: "turn",
      ...(effort && { effort }),
      ...(schema && { responseSchema: schema }),
    };
    const reply = await askProbe(providerFor(choice.plain, question.as), request, {
      clock: this.#clock,
      signal: this.#signal,
    });
    // A reply that was stopped before it began has no known usage and cost nothing.
    const { usage, parts = [] } = reply.answer ?? {};
    if (usage || parts.length > 0) this.used.push(usage);
    if (reply.answer?.thinking) this.#seen.add(reply.answer.thinking);
    return reply;
  }

  /**
   * Asks and judges the answer. Failures, replies without an end, and replies that consist only of thoughts cannot be
   * judged.
   */
  async judge(question: ProbeQuestion, verdictOf: (answer: Answer) => ProbeVerdict): Promise<ProbeVerdict> {
    const { answer, failure } = await this.ask(question);
    if (failure) return failedProbe(failure.message);
    if (answer.wasCutOff) return failedProbe("The reply went far beyond its length limit and was cut off.");
    const isSilent = answer.text === "" && answer.calls.length === 0;
    if (answer.stop === "length" && isSilent) {
      return skippedProbe("It used up its tokens for this question while thinking.");
    }
    return verdictOf(answer);
  }
}

function providerFor(plain: WireProvider, mode: ToolMode | undefined): WireProvider {
  switch (mode) {
    case "native":
      return withTextCalls(plain);
    case "constrained":
      return withConstrainedCalls(plain);
    case "prompted":
      return withPromptedTools(plain);
    default:
      return plain;
  }
}
