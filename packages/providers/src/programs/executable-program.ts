import { homedir } from "node:os";
import type { ModelRequest } from "@harness/core";
import { isSecretVariable, type ProgramEnd, ProgramProcess } from "@harness/host";
import type { Endpoint } from "../wires/endpoint/endpoint.ts";
import { type Env, envValue } from "../wires/endpoint/environment.ts";
import type { WireName } from "../wires/endpoint/vendor.ts";
import { withoutSecrets } from "../wires/failures/error-text.ts";
import { BrokenStreamError, explain } from "../wires/failures/failure.ts";
import { RequestTimeoutError } from "../wires/http/exchange.ts";
import { IdleWatch } from "../wires/http/idle-watch.ts";
import { MAX_REPLY_BYTES, TooLongError } from "../wires/reply/too-long.ts";
import { ReplyReading } from "../wires/reply-reading.ts";
import { LearnedRefusals } from "../wires/request/learned-refusals.ts";
import { DocumentFraming } from "../wires/sse/framing.ts";
import type { Ports, WireApi, WireEvent } from "../wires/wire-api.ts";
import { everyWire, wireNames } from "../wires/wires.ts";
import { describeEnd, environmentOf, withMissing } from "./ask-program.ts";
import { assembledPayload } from "./assembled-payload.ts";
import { formatOf } from "./format-of.ts";
import type { ProviderProgram } from "./provider-program.ts";

/** A program may run a model itself, so silence up to this long counts as work. */
const SILENCE_MS = 600_000;
/** Time to clean up after the reply, and after being asked to end. */
const GRACE_MS = 2_000;
const SHOWN_CHARS = 200;
/** EX_TEMPFAIL of sysexits.h: the program asks to be run again. */
const TRY_AGAIN = 75;

/** A failure that only a program can have. */
class ProgramError extends Error {
  readonly retryable: boolean;

  constructor(message: string, retryable = false) {
    super(message);
    this.retryable = retryable;
  }
}

/**
 * A program that replaces a server: the assembled payload or the request of its protocol as JSON on stdin, an API's raw
 * answer on stdout, in any format we know. One run is one request; the retry around it is the same as for a server.
 */
export function executableProgram(
  endpoint: Endpoint,
  env: Env,
  ports: Ports,
  learned = new LearnedRefusals(),
): ProviderProgram {
  return {
    id: endpoint.vendor.id,
    async *stream(request, signal) {
      const wires = await everyWire();
      const learnt = learned.of(endpoint, request.model);
      yield* new ProgramRun({ endpoint, env, ports, wires, learnt, request, signal }).events();
    },
  };
}

type RunOptions = {
  endpoint: Endpoint;
  env: Env;
  ports: Ports;
  wires: Awaited<ReturnType<typeof everyWire>>;
  /** Contains the API that its last reply was written in. */
  learnt: Set<string>;
  request: ModelRequest;
  signal: AbortSignal;
};

class ProgramRun {
  readonly #endpoint: Endpoint;
  readonly #env: Env;
  readonly #ports: Ports;
  readonly #request: ModelRequest;
  readonly #signal: AbortSignal;
  readonly #api: WireApi;
  readonly #learnt: Set<string>;
  readonly #reading: ReplyReading;
  #program: ProgramProcess | undefined;
  #late: RequestTimeoutError | undefined;
  /** The start of its output, shown if the output is not a reply. */
  #beginning = "";

  constructor({ endpoint, env, ports, wires, learnt, request, signal }: RunOptions) {
    this.#endpoint = endpoint;
    this.#env = env;
    this.#ports = ports;
    this.#request = request;
    this.#signal = signal;
    this.#api = wires[endpoint.vendor.api];
    this.#learnt = learnt;
    this.#reading = new ReplyReading(request, ports.random, (draft, first) => {
      const format = formatOf(first);
      if (format !== undefined) this.#learn(format);
      return wires[format ?? endpoint.vendor.api].reader(draft, endpoint);
    });
  }

  #learn(format: WireName): void {
    this.#learnt.clear();
    this.#learnt.add(format);
  }

  async *events(): AsyncGenerator<WireEvent> {
    const onIdle = (_phase: string, limitMs: number) => {
      this.#late = new RequestTimeoutError("answer", limitMs);
      this.#program?.abandon("SIGKILL");
    };
    const watch = new IdleWatch(this.#ports.clock, { onIdle });
    const onAbort = () => this.#program?.abandon("SIGTERM");
    this.#signal.addEventListener("abort", onAbort, { once: true });
    try {
      if (!this.#signal.aborted) yield* this.#receive(watch);
      yield await this.#last(undefined);
    } catch (error) {
      yield await this.#last(error);
    } finally {
      watch.stop();
      this.#signal.removeEventListener("abort", onAbort);
      this.#end();
    }
  }

  async *#receive(watch: IdleWatch): AsyncGenerator<WireEvent> {
    const program = this.#start();
    watch.phase("answer", this.#endpoint.limits?.().timeoutMs ?? SILENCE_MS);
    const framing = new DocumentFraming();
    let bytes = 0;
    for await (const piece of program.output()) {
      watch.touch();
      bytes += piece.length;
      if (bytes > MAX_REPLY_BYTES) throw new TooLongError("a reply", MAX_REPLY_BYTES);
      if (this.#beginning.length < SHOWN_CHARS) this.#beginning += Buffer.from(piece).toString("utf8", 0, SHOWN_CHARS);
      yield* this.#reading.take(framing.push(piece));
      if (this.#reading.draft.isClosed) return;
    }
    yield* this.#reading.take(framing.end());
  }

  #start(): ProgramProcess {
    const { vendor } = this.#endpoint;
    const { model, effort, maxOutputTokens = vendor.maxOutputTokens } = this.#request;
    const env = environmentOf(vendor, this.#env, {
      HARNESS_PROVIDER: vendor.id,
      HARNESS_MODEL: model,
      ...(vendor.streams !== false && { HARNESS_STREAM: "1" }),
      ...(effort && { HARNESS_THINKING: effort === "none" ? "off" : effort }),
      ...(maxOutputTokens && { HARNESS_MAX_TOKENS: String(maxOutputTokens) }),
    });
    const args = vendor.streams === false ? [] : ["--stream"];
    const input = JSON.stringify(this.#input());
    this.#request.onSent?.({ address: this.#endpoint.shown, body: input });
    this.#program = new ProgramProcess({ path: vendor.program ?? "", args, cwd: homedir(), env, input });
    if (this.#signal.aborted) this.#program.abandon("SIGTERM");
    return this.#program;
  }

  #input(): object {
    const { vendor } = this.#endpoint;
    if (vendor.messagesFor === undefined) return this.#api.body(this.#request, this.#endpoint);
    const learnt = wireNames.find((name) => this.#learnt.has(name));
    return assembledPayload(this.#request, vendor, learnt ?? vendor.messagesFor);
  }

  async #last(error: unknown): Promise<WireEvent> {
    const { draft } = this.#reading;
    if (this.#signal.aborted) return this.#reading.cut();
    if (error === undefined && draft.isComplete) return this.#reading.whole();
    const parts = draft.visibleParts();
    const visibleParts = parts.length > 0 ? { parts } : {};
    const cause = this.#late ?? error ?? (await this.#whatWasMissing());
    if (!(cause instanceof ProgramError)) {
      const failedRequest = { endpoint: this.#endpoint, model: this.#request.model, now: this.#ports.clock.now() };
      const { failure, ...rest } = explain(cause, failedRequest);
      return {
        type: "failed",
        failure: { ...failure, message: this.#said(failure.message) },
        ...rest,
        ...visibleParts,
      };
    }
    const complaint = this.#program?.complaint ?? "";
    const message = `${this.#endpoint.vendor.name}: ${this.#endpoint.shown} ${cause.message}.${complaint && ` It says: ${complaint}`}`;
    const kind = cause.retryable ? "network" : "badRequest";
    return {
      type: "failed",
      failure: { kind, message: this.#said(message) },
      retryable: cause.retryable,
      ...visibleParts,
    };
  }

  /** Explains output that ended without a reply, or with only part of one. */
  async #whatWasMissing(): Promise<unknown> {
    const end = await this.#program?.ended;
    if (end && !isFine(end)) return new ProgramError(describeEnd(end), end.code === TRY_AGAIN);
    if (this.#reading.hasBegun) return new BrokenStreamError("the reply ended early");
    const shown = this.#beginning.trim().slice(0, SHOWN_CHARS).toWellFormed();
    return new ProgramError(
      shown === "" ? "wrote no reply" : `wrote something other than a reply: ${JSON.stringify(shown)}`,
    );
  }

  /** Mentions what it lacks: a project's program may have failed for want of a secret. */
  #said(message: string): string {
    return withMissing(this.#clean(message), this.#endpoint.vendor, this.#env);
  }

  /** Keys that it was given do not appear in output. */
  #clean(text: string): string {
    let clean = text;
    for (const name of this.#endpoint.vendor.programEnv ?? []) {
      const value = envValue(this.#env, name);
      if (isSecretVariable(name, value)) clean = withoutSecrets(clean, value);
    }
    return withoutSecrets(clean, undefined);
  }

  /** Runs in the background: a program that is still running is asked to end, and then killed. */
  #end(): void {
    const program = this.#program;
    if (!program) return;
    const over = new AbortController();
    void program.ended.then(() => over.abort());
    void (async () => {
      if (!this.#signal.aborted && this.#reading.draft.isComplete) await this.#ports.clock.sleep(GRACE_MS, over.signal);
      if (over.signal.aborted) return;
      program.kill("SIGTERM");
      await this.#ports.clock.sleep(GRACE_MS, over.signal);
      if (!over.signal.aborted) program.kill("SIGKILL");
    })();
  }
}

function isFine({ code, problem }: ProgramEnd): boolean {
  return code === 0 && problem === undefined;
}
