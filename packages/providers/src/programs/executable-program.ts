import type { ModelRequest } from "@harness/core";
import { programEnvironment } from "@harness/host";
import { parseJson } from "../json/lenient-json.ts";
import type { Endpoint } from "../wires/endpoint/endpoint.ts";
import { type Env, given } from "../wires/endpoint/environment.ts";
import { withoutSecrets } from "../wires/failures/error-text.ts";
import { BrokenStream, explain } from "../wires/failures/failure.ts";
import { TimeoutFailure } from "../wires/http/exchange.ts";
import { IdleWatch } from "../wires/http/idle-watch.ts";
import { idsIn, newId } from "../wires/reply/call-ids.ts";
import { ReplyDraft } from "../wires/reply/reply-draft.ts";
import type { StreamEvent } from "../wires/sse/framing.ts";
import type { Ports, WireEvent, WireReader } from "../wires/wire-api.ts";
import { wireOf } from "../wires/wires.ts";
import { describeEnd } from "./ask-program.ts";
import { type ProgramEnd, ProgramProcess } from "./program-process.ts";
import type { ProviderProgram } from "./provider-program.ts";
import { formatOf, ReplyFraming } from "./reply-framing.ts";

/** A program may run a model itself: silence is work, up to here. */
const SILENCE_MS = 600_000;
/** Time to clean up after the reply, and after being asked to end. */
const GRACE_MS = 2_000;
const MAX_REPLY = 256 * 1024 * 1024;
const SHOWN_CHARS = 200;
/** EX_TEMPFAIL of sysexits.h: the program asks to be run again. */
const TRY_AGAIN = 75;

/** A failure that only a program can have. */
class ProgramFailure extends Error {
  readonly retryable: boolean;

  constructor(message: string, retryable = false) {
    super(message);
    this.retryable = retryable;
  }
}

/**
 * A program in place of a server: the request of its protocol as JSON on stdin, the raw answer of an API on stdout, in
 * whichever of the formats we know. One run is one request; the retry around it is the same as for a server.
 */
export function executableProgram(endpoint: Endpoint, env: Env, ports: Ports): ProviderProgram {
  return {
    id: endpoint.vendor.id,
    async *stream(request, signal) {
      yield* new ProgramRun({ endpoint, env, ports, request, signal }).events();
    },
  };
}

type RunParts = { endpoint: Endpoint; env: Env; ports: Ports; request: ModelRequest; signal: AbortSignal };

class ProgramRun {
  readonly #endpoint: Endpoint;
  readonly #env: Env;
  readonly #ports: Ports;
  readonly #request: ModelRequest;
  readonly #signal: AbortSignal;
  readonly #draft: ReplyDraft;
  readonly #framing = new ReplyFraming();
  #reader: WireReader | undefined;
  #program: ProgramProcess | undefined;
  #late: TimeoutFailure | undefined;
  /** The start of its output, shown when it was no reply. */
  #beginning = "";

  constructor({ endpoint, env, ports, request, signal }: RunParts) {
    this.#endpoint = endpoint;
    this.#env = env;
    this.#ports = ports;
    this.#request = request;
    this.#signal = signal;
    this.#draft = new ReplyDraft({ takenIds: () => idsIn(request), newId: () => newId(ports.random) });
  }

  async *events(): AsyncGenerator<WireEvent> {
    const onIdle = (_phase: string, limitMs: number) => {
      this.#late = new TimeoutFailure("answer", limitMs);
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
    const program = await this.#start();
    watch.phase("answer", SILENCE_MS);
    let bytes = 0;
    for await (const piece of program.output()) {
      watch.touch();
      bytes += piece.length;
      if (bytes > MAX_REPLY) throw new ProgramFailure("wrote more than 256 MB");
      if (this.#beginning.length < SHOWN_CHARS) this.#beginning += Buffer.from(piece).toString("utf8", 0, SHOWN_CHARS);
      for (const event of this.#framing.push(piece)) await this.#read(event);
      yield* this.#draft.takeDeltas();
      if (this.#draft.isClosed) return;
    }
    for (const event of this.#framing.end()) await this.#read(event);
    yield* this.#draft.takeDeltas();
  }

  async #start(): Promise<ProgramProcess> {
    const { vendor } = this.#endpoint;
    const { model, effort, maxOutputTokens = vendor.maxOutputTokens } = this.#request;
    const api = await wireOf(vendor.api);
    const env = programEnvironment(this.#env, vendor.programEnv ?? [], {
      HARNESS_PROVIDER: vendor.id,
      HARNESS_MODEL: model,
      ...(vendor.streams !== false && { HARNESS_STREAM: "1" }),
      ...(effort && { HARNESS_THINKING: effort }),
      ...(maxOutputTokens && { HARNESS_MAX_TOKENS: String(maxOutputTokens) }),
    });
    const args = vendor.streams === false ? [] : ["--stream"];
    const input = JSON.stringify(api.body(this.#request, this.#endpoint));
    this.#program = new ProgramProcess({ path: vendor.program ?? "", args, env, input });
    if (this.#signal.aborted) this.#program.abandon("SIGTERM");
    return this.#program;
  }

  async #read({ lines, name }: StreamEvent): Promise<void> {
    const text = lines.join("\n");
    if (this.#draft.isClosed || text.trim() === "") return;
    if (this.#reader?.isEnd(text)) {
      this.#draft.isClosed = true;
      return;
    }
    const parsed = parseJson(text);
    // One damaged event need not cost the reply.
    if (!parsed.ok) return;
    this.#reader ??= (await wireOf(formatOf(parsed.value) ?? this.#endpoint.vendor.api)).reader(
      this.#draft,
      this.#endpoint,
    );
    this.#reader.read(parsed.value, name);
  }

  async #last(error: unknown): Promise<WireEvent> {
    const draft = this.#draft;
    if (this.#signal.aborted) {
      return { type: "end", parts: draft.visibleParts(), stop: "cut", ...(draft.usage && { usage: draft.usage }) };
    }
    if (error === undefined && draft.isComplete) {
      this.#reader?.finish();
      return draft.end();
    }
    const parts = draft.visibleParts();
    const visibleParts = parts.length > 0 ? { parts } : {};
    const cause = this.#late ?? error ?? (await this.#whatWasMissing());
    if (!(cause instanceof ProgramFailure)) {
      const asked = { endpoint: this.#endpoint, model: this.#request.model, now: this.#ports.clock.now() };
      const { failure, ...rest } = explain(cause, asked);
      return {
        type: "failed",
        failure: { ...failure, message: this.#clean(failure.message) },
        ...rest,
        ...visibleParts,
      };
    }
    const complaint = this.#program?.complaint ?? "";
    const message = `${this.#endpoint.vendor.name}: ${this.#endpoint.shown} ${cause.message}.${complaint && ` It says: ${complaint}`}`;
    const kind = cause.retryable ? "network" : "badRequest";
    return {
      type: "failed",
      failure: { kind, message: this.#clean(message) },
      retryable: cause.retryable,
      ...visibleParts,
    };
  }

  /** The output is over and was no reply, or not all of one. */
  async #whatWasMissing(): Promise<unknown> {
    const end = await this.#program?.ended;
    if (end && !isFine(end)) return new ProgramFailure(describeEnd(end), end.code === TRY_AGAIN);
    if (this.#reader) return new BrokenStream("the reply ended early");
    const shown = this.#beginning.trim().slice(0, SHOWN_CHARS).toWellFormed();
    return new ProgramFailure(shown === "" ? "wrote no reply" : `wrote no reply, but ${JSON.stringify(shown)}`);
  }

  /** Keys that it was given do not come back. */
  #clean(text: string): string {
    let clean = text;
    for (const name of this.#endpoint.vendor.programEnv ?? []) {
      if (/KEY|TOKEN|SECRET|PASS/i.test(name)) clean = withoutSecrets(clean, given(this.#env, name));
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
      if (!this.#signal.aborted && this.#draft.isComplete) await this.#ports.clock.sleep(GRACE_MS, over.signal);
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
