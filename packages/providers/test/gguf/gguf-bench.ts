import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { ModelRequest } from "@harness/core";
import { ggufModel } from "../../src/gguf/gguf-model.ts";
import { ggufProvider, unloadAll } from "../../src/gguf/gguf-provider.ts";
import { isInstalled } from "../../src/gguf/runtime/runtime-folder.ts";
import type { WireEvent, WireProvider } from "../../src/wires/wire-api.ts";
import { realClock } from "../clocks.ts";
import { type RandomModel, writeRandomGguf } from "./random-gguf.ts";

/** Filled by a step of `npm test`. */
export const testRuntime = join(import.meta.dirname, "../../../../node_modules/.cache/harness/gguf-runtime");

/** Without it these tests would prove nothing: they fail rather than be skipped. */
export async function demandRuntime(): Promise<void> {
  if (await isInstalled(testRuntime)) return;
  throw new Error(
    "What runs model files is not installed for the tests. `npm test` does it; alone: node packages/providers/gguf-runtime/install-for-tests.mjs",
  );
}

type Start = Partial<RandomModel> & {
  limit?: number;
  slots?: number;
  keepAlive?: string;
  env?: Record<string, string>;
};

export async function gather(events: AsyncIterable<WireEvent>): Promise<WireEvent[]> {
  const all: WireEvent[] = [];
  for await (const event of events) all.push(event);
  return all;
}

/** Model files in a folder of their own, and providers that run them with one thread. */
export class GgufBench {
  readonly root = mkdtempSync(join(tmpdir(), "harness gguf "));
  #count = 0;

  /** Each has a process of its own. */
  async start({ limit, slots = 1, keepAlive, env = {}, ...model }: Start = {}): Promise<RunningModel> {
    this.#count += 1;
    const path = model.path ?? join(this.root, `model ${this.#count}.gguf`);
    if (!model.path) writeRandomGguf({ ...model, path });
    const answer = await ggufModel(path, { cwd: this.root, home: this.root, root: this.root }, limit);
    if (!answer?.ok) throw new Error(answer?.problem ?? "no model file");
    const set = { HARNESS_GGUF_RUNTIME: testRuntime, HARNESS_GGUF_THREADS: "1", HARNESS_GGUF_SLOTS: String(slots) };
    const provider = ggufProvider(answer.model, {
      clock: realClock,
      random: Math.random,
      env: { PATH: process.env.PATH, ...set, ...env },
      root: this.root,
      keepAlive,
    });
    return new RunningModel(provider, answer.model.id, answer.model.window.tokens);
  }

  end(): void {
    unloadAll();
    rmSync(this.root, { recursive: true, force: true });
  }
}

export class RunningModel {
  readonly #provider: WireProvider;
  readonly path: string;
  readonly windowTokens: number;

  constructor(provider: WireProvider, path: string, windowTokens: number) {
    this.#provider = provider;
    this.path = path;
    this.windowTokens = windowTokens;
  }

  stream(
    request: Partial<ModelRequest> = {},
    signal: AbortSignal = new AbortController().signal,
  ): AsyncIterable<WireEvent> {
    const asked: ModelRequest = {
      model: this.path,
      system: "You are a model.",
      messages: [{ role: "user", content: [{ type: "text", text: "Say something." }] }],
      tools: [],
      maxOutputTokens: 12,
      temperature: 0,
      lane: "a",
      priority: "turn",
      ...request,
    };
    return this.#provider.stream(asked, signal);
  }

  async ask(request?: Partial<ModelRequest>): Promise<WireEvent[]> {
    return gather(this.stream(request));
  }
}
