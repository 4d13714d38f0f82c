import type { ModelRequest } from "@harness/core";
import type { AgentPart, Failure } from "@harness/protocol";
import { type Env, given } from "../wires/endpoint/environment.ts";
import { EndpointQueue } from "../wires/queue/endpoint-queue.ts";
import { type Admission, withQueue } from "../wires/queue/with-queue.ts";
import { idsIn, newId } from "../wires/reply/call-ids.ts";
import type { Ports, WireEvent, WireProvider } from "../wires/wire-api.ts";
import { Engine, type EngineFault, type EngineSettings } from "./engine.ts";
import type { GgufModel } from "./gguf-model.ts";
import { bringsImage, jobOf, RAW_CALL } from "./job-of.ts";
import { keepAliveMs } from "./keep-alive.ts";
import { INSTALL_ADVICE, isInstalled, runtimeFolder, runtimeModule } from "./runtime/runtime-folder.ts";
import type { JobPart, Report } from "./worker-messages.ts";

export const GGUF = "gguf";
/** One for the session and one for a subagent or a title, so that neither forgets what it has read. */
const USUAL_SLOTS = 2;
const MOST_SLOTS = 8;

export type GgufOptions = Ports & {
  env: Env;
  /** The config root of harness. */
  root: string;
  /** How long the model stays in memory after a request, such as `15m`, or `-1`. */
  keepAlive?: string | undefined;
};

type Running = { engine: Engine; admission: Admission };

/** One a file: all sessions of this process share the model that is in memory. */
const running = new Map<string, Running>();

/** Runs a model file in a process of its own, which is started by the first request. */
export function ggufProvider(model: GgufModel, options: GgufOptions): WireProvider {
  const settings = settingsOf(model, options);
  const { admission } = runningOf(model, settings, options);
  return withQueue(
    {
      id: GGUF,
      async *stream(request, signal) {
        const { engine } = runningOf(model, settings, options);
        yield* new GgufReply(model, engine, options, request, signal).events();
      },
    },
    admission,
  );
}

/** The process that runs the file at this time, if there is one. */
export function processOf(path: string): number | undefined {
  return running.get(path)?.engine.pid;
}

/** Gives back the memory of all models, at once. */
export function unloadAll(): void {
  for (const { engine } of running.values()) engine.unload();
  running.clear();
}

function runningOf(model: GgufModel, settings: EngineSettings, { clock }: GgufOptions): Running {
  const before = running.get(model.path);
  if (before) {
    before.engine.configure(settings);
    return before;
  }
  const queue = new EndpointQueue(settings.slots);
  const admission: Admission = { queue, slots: settings.slots, firstSlot: 0, near: true };
  const engine = new Engine(settings, clock, ({ slots }) => {
    admission.slots = slots;
    queue.setSlots(slots);
  });
  const made = { engine, admission };
  running.set(model.path, made);
  return made;
}

function settingsOf({ path, window }: GgufModel, { env, root, keepAlive }: GgufOptions): EngineSettings {
  const threads = countOf(given(env, "HARNESS_GGUF_THREADS"));
  return {
    path,
    runtime: runtimeModule(runtimeFolder(root, env)),
    windowTokens: window.tokens,
    slots: Math.min(countOf(given(env, "HARNESS_GGUF_SLOTS")) ?? USUAL_SLOTS, MOST_SLOTS),
    gpu: gpuOf(given(env, "HARNESS_GGUF_GPU")),
    ...(threads !== undefined && { threads }),
    env,
    keepAliveMs: keepAliveMs(keepAlive),
  };
}

/** Macs with Apple's own chips have no build without. */
function gpuOf(setting = ""): "auto" | false {
  if (process.platform === "darwin" && process.arch === "arm64") return "auto";
  return ["", "0", "off", "false", "no"].includes(setting.toLowerCase()) ? false : "auto";
}

function countOf(text: string | undefined): number | undefined {
  const count = Number(text);
  return Number.isInteger(count) && count > 0 ? count : undefined;
}

class GgufReply {
  readonly #model: GgufModel;
  readonly #engine: Engine;
  readonly #options: GgufOptions;
  readonly #request: ModelRequest;
  readonly #signal: AbortSignal;
  readonly #ids: Set<string>;
  readonly #callIds: string[] = [];
  readonly #said: Extract<AgentPart, { type: "text" | "thinking" }>[] = [];

  constructor(model: GgufModel, engine: Engine, options: GgufOptions, request: ModelRequest, signal: AbortSignal) {
    this.#model = model;
    this.#engine = engine;
    this.#options = options;
    this.#request = request;
    this.#signal = signal;
    this.#ids = idsIn(request);
  }

  async *events(): AsyncGenerator<WireEvent> {
    if (bringsImage(this.#request)) {
      yield this.#failed("badRequest", `${this.#name} reads text only: it cannot see images.`);
      return;
    }
    const folder = runtimeFolder(this.#options.root, this.#options.env);
    if (!(await isInstalled(folder))) {
      yield this.#failed("config", `${this.#name} cannot be run yet. ${INSTALL_ADVICE}`);
      return;
    }
    const job = jobOf(this.#request, GGUF);
    for await (const report of this.#engine.run(job, this.#request.slot ?? 0, this.#signal)) {
      const event = this.#eventOf(report);
      if (event) yield event;
      if (event?.type === "end" || event?.type === "failed") return;
    }
    yield { type: "end", parts: this.#said, stop: "cut" };
  }

  get #name(): string {
    return this.#model.id;
  }

  #eventOf(report: Extract<Report, { id: number }> | EngineFault): WireEvent | undefined {
    switch (report.type) {
      case "progress":
        // The queue has told that it begins.
        if (this.#said.length > 0 || this.#callIds.length > 0) return undefined;
        return { type: "status", phase: "prefill", doneTokens: report.doneTokens, totalTokens: report.totalTokens };
      case "said":
        return this.#heard(report.as, report.text);
      case "called":
        return { type: "tool_input", toolCallId: this.#callId(report.call), name: report.name, text: report.text };
      case "ended":
        return { type: "end", parts: this.#partsOf(report.parts), stop: report.stop, usage: report.usage };
      case "refused":
        return this.#refused(report);
      case "fault":
        return this.#faulty(report);
    }
  }

  #heard(type: "text" | "thinking", text: string): WireEvent {
    const last = this.#said.at(-1);
    if (last?.type === type) last.text += text;
    else this.#said.push({ type, text });
    return { type, text };
  }

  #callId(call: number): string {
    for (let at = this.#callIds.length; at <= call; at += 1) {
      let id = newId(this.#options.random);
      for (let tries = 1; this.#ids.has(id); tries += 1) id = `${newId(this.#options.random)}_${tries}`;
      this.#ids.add(id);
      this.#callIds.push(id);
    }
    return this.#callIds[call] ?? "";
  }

  #partsOf(parts: readonly JobPart[]): AgentPart[] {
    let call = 0;
    return parts.map((part): AgentPart => {
      if (part.type !== "call") return part;
      const { name, input, raw } = part;
      const toolCallId = this.#callId(call);
      call += 1;
      const whole = { type: "tool_call" as const, toolCallId, name, vendorData: { [RAW_CALL]: raw } };
      return isObject(input) ? { ...whole, input } : { ...whole, inputText: JSON.stringify(input) };
    });
  }

  #refused({ fault, message }: Extract<Report, { type: "refused" }>): WireEvent {
    if (fault === "overflow") return this.#failed("overflow", `${this.#name}: ${message}.`);
    return this.#failed("internal", `${this.#name} could not answer: ${message}.`);
  }

  #faulty({ cause, message, lastWords }: EngineFault): WireEvent {
    const said = lastWords === "" ? "" : ` It said: ${lastWords}`;
    if (cause === "process") {
      const next = "The next request starts it again.";
      return this.#failed("network", `The process that runs ${this.#name} ${message}. ${next}${said}`);
    }
    if (cause === "memory") {
      const advice = "Free some memory, set a smaller context_limit, or take a smaller file of the same model.";
      return this.#failed("config", `${this.#name} does not fit into memory: ${message}. ${advice}`);
    }
    if (cause === "runtime") {
      return this.#failed("config", `node-llama-cpp, which runs model files, does not work here: ${message}.${said}`);
    }
    return this.#failed("config", `${this.#model.path} cannot be loaded: ${message}.${said}`);
  }

  /** Nothing of it passes by itself: a model that was too large for the memory would be so again, five times. */
  #failed(kind: Failure["kind"], message: string): WireEvent {
    const parts = this.#said;
    return { type: "failed", failure: { kind, message }, retryable: false, ...(parts.length > 0 && { parts }) };
  }
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
