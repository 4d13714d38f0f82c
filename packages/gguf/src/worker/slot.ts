import { chatHistory } from "./chat-history.ts";
import { grammarSchema, withoutNullFillers } from "./grammar-schema.ts";
import type { ChatCall, ChatResult, ChatWrapper, Functions, LlamaChat, LlamaSequence, Token } from "./llama-module.ts";
import type { Job, JobPart, Report } from "./messages.ts";
import type { OpenModel } from "./open-model.ts";
import { plainResults } from "./plain-results.ts";

/** With less room for a reply the conversation counts as too long. */
const MIN_REPLY = 16;
/** A grammar, and the parts of a call besides its arguments, may exceed the limit a little. */
const SPARE_TOKENS = 8;
/** More calls than this in one reply are a loop. */
const MAX_CALLS = 16;
/** Defaults of sampling, with enough variety to avoid loops. */
const SAMPLING = { temperature: 0.7, topP: 0.95, topK: 40, minP: 0.05 };

type EndReport = Extract<Report, { type: "ended" | "refused" }>;
type Progress = Extract<Report, { type: "progress" | "said" | "called" }>;

/** One conversation at a time; what the model has read of the last one stays, and the next one begins there. */
export class Slot {
  readonly #opened: OpenModel;
  readonly #sequence: LlamaSequence;
  readonly #chat: LlamaChat;
  #last: Promise<unknown> = Promise.resolve();

  /** A second slot reuses what the first found out about the model's template, which may take a second. */
  constructor(opened: OpenModel, other?: Slot) {
    this.#opened = opened;
    this.#sequence = opened.context.getSequence();
    const chatWrapper = other?.chatWrapper ?? "auto";
    this.#chat = new opened.module.LlamaChat({ contextSequence: this.#sequence, chatWrapper });
    if (!other) plainResults(this.#chat.chatWrapper, opened.module);
  }

  get chatWrapper(): ChatWrapper {
    return this.#chat.chatWrapper;
  }

  /** Runs after the previous job, which may take a moment to notice its cancellation. Never throws. */
  run(id: number, job: Job, signal: AbortSignal, report: (progress: Progress) => void): Promise<EndReport> {
    const ended = this.#last.then(() =>
      new SlotJob({ opened: this.#opened, sequence: this.#sequence, chat: this.#chat, id, job, report }).run(signal),
    );
    this.#last = ended;
    return ended;
  }
}

type SlotJobDeps = {
  opened: OpenModel;
  sequence: LlamaSequence;
  chat: LlamaChat;
  id: number;
  job: Job;
  report: (progress: Progress) => void;
};

class SlotJob {
  readonly #opened: OpenModel;
  readonly #sequence: LlamaSequence;
  readonly #chat: LlamaChat;
  readonly #id: number;
  readonly #job: Job;
  readonly #report: (progress: Progress) => void;
  readonly #parts: { type: "text" | "thinking"; text: string }[] = [];
  /** A grammar ends arguments with space: it waits for what follows. */
  readonly #space = new Map<number, string>();
  #thoughtTokens = 0;
  #isFull = false;

  constructor({ opened, sequence, chat, id, job, report }: SlotJobDeps) {
    this.#opened = opened;
    this.#sequence = sequence;
    this.#chat = chat;
    this.#id = id;
    this.#job = job;
    this.#report = report;
  }

  async run(signal: AbortSignal): Promise<EndReport> {
    try {
      return await this.#generate(signal);
    } catch (error) {
      if (signal.aborted) return this.#ended("cut", 0, 0, 0);
      const message = error instanceof Error ? error.message : String(error);
      return { type: "refused", id: this.#id, fault: "broken", message };
    }
  }

  async #generate(signal: AbortSignal): Promise<EndReport> {
    const history = chatHistory(this.#job.history);
    const functions = this.#functions();
    const tokens = this.#chat.chatWrapper
      .generateContextState({ chatHistory: history, availableFunctions: functions, documentFunctionParams: true })
      .contextText.tokenize(this.#opened.model.tokenizer);
    const { contextSize } = this.#opened.context;
    const room = contextSize - tokens.length - SPARE_TOKENS;
    if (room < MIN_REPLY) {
      const message = `the conversation has ${tokens.length} tokens, and the window ${contextSize}`;
      return { type: "refused", id: this.#id, fault: "overflow", message };
    }
    const cached = await this.#read(tokens, signal);
    const { usedOutputTokens } = this.#sequence.tokenMeter;
    const written = () => this.#sequence.tokenMeter.usedOutputTokens - usedOutputTokens;
    if (signal.aborted) return this.#ended("cut", tokens.length, cached, 0);
    const full = new AbortController();
    const maxTokens = Math.min(this.#job.maxOutputTokens ?? room, room);
    const options = await this.#options({ maxTokens, functions, full, signal });
    let result: ChatResult;
    try {
      result = await this.#chat.generateResponse(history, options);
    } catch (error) {
      if (signal.aborted) return this.#ended("cut", tokens.length, cached, written());
      if (this.#isFull) return this.#ended("length", tokens.length, cached, written());
      throw error;
    }
    if (signal.aborted) return this.#ended("cut", tokens.length, cached, written());
    return this.#ended(this.#stopOf(result), tokens.length, cached, written(), result.functionCalls);
  }

  /**
   * Evaluates all of the prompt except its last token, in batches, so that progress can be reported and a request
   * cancelled.
   */
  async #read(tokens: Token[], signal: AbortSignal): Promise<number> {
    await this.#sequence.adaptStateToTokens(tokens, false);
    const cached = Math.min(this.#sequence.nextTokenIndex, tokens.length);
    const { batchSize } = this.#opened.context;
    const totalTokens = tokens.length;
    for (let at = cached; at < totalTokens - 1 && !signal.aborted; at = this.#sequence.nextTokenIndex) {
      this.#report({ type: "progress", id: this.#id, doneTokens: at, totalTokens });
      await this.#sequence.evaluateWithoutGeneratingNewTokens(
        tokens.slice(at, Math.min(at + batchSize, totalTokens - 1)),
      );
    }
    return cached;
  }

  async #options(the: {
    maxTokens: number;
    functions: Functions | undefined;
    full: AbortController;
    signal: AbortSignal;
  }): Promise<ChatCall> {
    const { schema, thinks, temperature } = this.#job;
    const grammar = schema && (await this.#opened.llama.createGrammarForJsonSchema(grammarSchema(schema)));
    return {
      ...SAMPLING,
      ...(temperature !== undefined && { temperature }),
      signal: AbortSignal.any([the.signal, the.full.signal]),
      stopOnAbortSignal: true,
      maxTokens: the.maxTokens,
      repeatPenalty: false,
      ...(grammar !== undefined && { grammar }),
      ...(the.functions && {
        functions: the.functions,
        documentFunctionParams: true,
        maxParallelFunctionCalls: MAX_CALLS,
        onFunctionCallParamsChunk: ({ callIndex, functionName, paramsChunk }) =>
          this.#addCall(callIndex, functionName, paramsChunk),
      }),
      ...(!thinks && { budgets: { thoughtTokens: 0 } }),
      // Nothing is ever silently dropped from a conversation: a full window ends the reply.
      contextShift: {
        size: 1,
        strategy: (asked) => {
          this.#isFull = true;
          the.full.abort(new Error("the window is full"));
          return { chatHistory: asked.chatHistory, metadata: null };
        },
      },
      onResponseChunk: ({ segmentType, text, tokens }) => {
        const as = segmentType === "thought" ? "thinking" : "text";
        if (as === "thinking") this.#thoughtTokens += tokens.length;
        this.#addText(as, text);
      },
    };
  }

  #functions(): Functions | undefined {
    const { tools, schema } = this.#job;
    if (tools.length === 0 || schema) return undefined;
    return Object.fromEntries(
      tools.map(({ name, description, schema }) => [name, { description, params: grammarSchema(schema) }]),
    );
  }

  #addText(as: "text" | "thinking", text: string): void {
    if (text === "") return;
    const last = this.#parts.at(-1);
    if (last?.type === as) last.text += text;
    else this.#parts.push({ type: as, text });
    this.#report({ type: "said", id: this.#id, as, text });
  }

  #addCall(call: number, name: string, chunk: string): void {
    const whole = (this.#space.get(call) ?? "") + chunk;
    const text = whole.trimEnd();
    this.#space.set(call, whole.slice(text.length));
    if (text !== "") this.#report({ type: "called", id: this.#id, call, name, text });
  }

  #stopOf({ metadata, functionCalls }: ChatResult): "end" | "tool_calls" | "length" {
    if (this.#isFull || metadata.stopReason === "maxTokens") return "length";
    return functionCalls && functionCalls.length > 0 ? "tool_calls" : "end";
  }

  #ended(
    stop: Extract<EndReport, { type: "ended" }>["stop"],
    inputTokens: number,
    cacheReadTokens: number,
    outputTokens: number,
    calls: ChatResult["functionCalls"] = [],
  ): EndReport {
    const schemas = new Map(this.#job.tools.map(({ name, schema }) => [name, schema]));
    const parts: JobPart[] = [
      ...this.#parts,
      ...calls.map(({ functionName, params, raw }) => {
        const input = withoutNullFillers(params ?? {}, schemas.get(functionName));
        return { type: "call" as const, name: functionName, input, raw };
      }),
    ];
    const reasoningTokens = this.#thoughtTokens;
    const usage = { inputTokens, outputTokens, cacheReadTokens, ...(reasoningTokens > 0 && { reasoningTokens }) };
    return { type: "ended", id: this.#id, parts, stop, usage };
  }
}
