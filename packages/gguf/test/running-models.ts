import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { GenerateEvent, GenerateRequest } from "../src/engine/generate.ts";
import { type FileModel, ModelFiles } from "../src/model-files.ts";
import { llamaRecipe } from "../src/runtime/llama-recipe.ts";
import { isInstalled } from "../src/runtime/runtime-recipe.ts";
import { sentenceRecipe } from "../src/runtime/sentence-recipe.ts";
import { type RandomModel, writeRandomGguf } from "./random-gguf.ts";

/** Filled by a step of `npm test`. */
export const testRuntime = join(import.meta.dirname, "../../../node_modules/.cache/harness/gguf-runtime");

export const testEmbedder = join(import.meta.dirname, "../../../node_modules/.cache/harness/embedder-runtime");

/** Without it these tests would prove nothing: they fail rather than be skipped. */
export async function demandRuntime(): Promise<void> {
  const [runs, embeds] = [isInstalled(testRuntime, llamaRecipe), isInstalled(testEmbedder, sentenceRecipe)];
  if ((await runs) && (await embeds)) return;
  throw new Error(
    "What runs model files is not installed for the tests. `npm test` does it; alone: node packages/gguf/runtime/install-for-tests.mjs",
  );
}

type Start = Partial<RandomModel> & {
  limit?: number;
  slots?: number;
  keepAlive?: string;
  env?: Record<string, string>;
};

export async function gather(events: AsyncIterable<GenerateEvent>): Promise<GenerateEvent[]> {
  const all: GenerateEvent[] = [];
  for await (const event of events) all.push(event);
  return all;
}

/** Model files in their own folder, each run in its own process with one thread. */
export class RunningModels {
  readonly root = mkdtempSync(join(tmpdir(), "harness gguf "));
  readonly #files = new ModelFiles({ root: this.root, home: this.root });
  #count = 0;

  async start({ limit, slots = 1, keepAlive, env = {}, ...model }: Start = {}): Promise<RunningModel> {
    this.#count += 1;
    const path = model.path ?? join(this.root, `model ${this.#count}.gguf`);
    if (!model.path) writeRandomGguf({ ...model, path });
    const set = { HARNESS_GGUF_RUNTIME: testRuntime, HARNESS_GGUF_THREADS: "1", HARNESS_GGUF_SLOTS: String(slots) };
    const found = await this.#files.find({
      model: path,
      cwd: this.root,
      contextLimit: limit,
      keepAlive,
      env: { PATH: process.env.PATH, ...set, ...env },
    });
    if (!found || "problem" in found) throw new Error(found?.problem ?? "no model file");
    return new RunningModel(found, () => this.#files.processOf(path));
  }

  end(): void {
    this.#files.close();
    rmSync(this.root, { recursive: true, force: true });
  }
}

export class RunningModel {
  readonly #model: FileModel;
  readonly #pid: () => number | undefined;

  constructor(model: FileModel, pid: () => number | undefined) {
    this.#model = model;
    this.#pid = pid;
  }

  get path(): string {
    return this.#model.vendor.address;
  }

  get contextWindow(): number {
    return this.#model.contextWindow.tokens;
  }

  get slots(): number {
    return this.#model.program.slots;
  }

  /** The id of the process that currently runs it. */
  get pid(): number | undefined {
    return this.#pid();
  }

  stream(
    request: Partial<GenerateRequest> = {},
    signal: AbortSignal = new AbortController().signal,
  ): AsyncGenerator<GenerateEvent> {
    const asked: GenerateRequest = {
      model: this.path,
      system: "You are a model.",
      messages: [{ role: "user", content: [{ type: "text", text: "Say something." }] }],
      tools: [],
      maxOutputTokens: 12,
      temperature: 0,
      ...request,
    };
    return this.#model.program.stream(asked, signal);
  }

  async ask(request?: Partial<GenerateRequest>): Promise<GenerateEvent[]> {
    return gather(this.stream(request));
  }
}
