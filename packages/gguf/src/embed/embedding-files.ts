import { existsSync } from "node:fs";
import { join } from "node:path";
import type { Environment, LockClock } from "@harness/host";
import { Engine } from "../engine/engine.ts";
import { embeddingSettings } from "../engine/engine-settings.ts";
import { type Folders, findModel } from "../find-model.ts";
import type { ModelStore } from "../model-store.ts";
import { type InstallResult, installRuntime } from "../runtime/install-runtime.ts";
import { INSTALL_ADVICE, llamaModule, llamaRecipe } from "../runtime/llama-recipe.ts";
import { isInstalled, runtimeFolder } from "../runtime/runtime-recipe.ts";
import { BUILTIN_ADVICE, sentenceFiles, sentenceModules, sentenceRecipe } from "../runtime/sentence-recipe.ts";
import { EmbeddingProcess } from "./embedding-process.ts";
import { writeSentenceGguf } from "./sentence-gguf.ts";

/** A chunk of a program is shorter: a larger window would only take memory. */
const MAX_TOKENS = 2_048;
/** Without a context length in the header of a file. */
const USUAL_TOKENS = 512;

/** The built-in embedder: the facts of its model, all-MiniLM-L6-v2. */
const BUILTIN = { model: "all-MiniLM-L6-v2", dimensions: 384, maxTokens: 256 };

export type EmbeddingQuery = {
  env: Environment;
  /** How long the model stays in memory after a request. */
  keepAlive?: string | undefined;
};

/** The embedding models that harness runs itself: model files, and the built-in one. */
export class EmbeddingFiles {
  readonly #root: string;
  readonly #store: ModelStore;
  readonly #engines = new Map<string, Engine>();

  constructor(root: string, store: ModelStore) {
    this.#root = root;
    this.#store = store;
  }

  /** By the path of a `.gguf` file, or the name of one that was added. */
  async file(
    name: string,
    folders: Folders,
    { env, keepAlive }: EmbeddingQuery,
  ): Promise<EmbeddingProcess | { problem: string }> {
    const found = await findModel(name, this.#store, folders);
    if (!found) return { problem: `No model file was added as ${JSON.stringify(name)}: name its path.` };
    if (!found.ok) return found;
    const { id, path, header } = found.model;
    const { dimensions, trainedTokens = USUAL_TOKENS } = header;
    if (dimensions === undefined) {
      const problem = `${id} makes no vectors of whole texts: take an embedding model, such as nomic-embed-text, and not one for chats.`;
      return { problem };
    }
    const folder = runtimeFolder(this.#root, env, llamaRecipe);
    if (!(await isInstalled(folder, llamaRecipe))) return { problem: `${id} cannot be run yet. ${INSTALL_ADVICE}` };
    const maxTokens = Math.min(trainedTokens, MAX_TOKENS);
    const runtime = llamaModule(folder);
    const settings = embeddingSettings({ use: "embedding", path, runtime, contextWindow: maxTokens, env, keepAlive });
    return new EmbeddingProcess({ model: id, path, dimensions, maxTokens, engine: () => this.#engineOf(settings) });
  }

  /** It runs in llama.cpp if that is installed for model files, and otherwise in its own engine. */
  async builtin({ env, keepAlive }: EmbeddingQuery): Promise<EmbeddingProcess | { problem: string }> {
    const folder = runtimeFolder(this.#root, env, sentenceRecipe);
    if (!(await isInstalled(folder, sentenceRecipe))) return { problem: BUILTIN_ADVICE };
    const contextWindow = BUILTIN.maxTokens;
    const order = (await this.#fastOrder(folder, env)) ?? { use: "sentences" as const, ...sentenceModules(folder) };
    const settings = embeddingSettings({ ...order, contextWindow, env, keepAlive });
    return new EmbeddingProcess({ ...BUILTIN, path: folder, engine: () => this.#engineOf(settings) });
  }

  isBuiltinInstalled(env: Environment): Promise<boolean> {
    return isInstalled(runtimeFolder(this.#root, env, sentenceRecipe), sentenceRecipe);
  }

  installBuiltin(env: Environment, clock: LockClock, signal?: AbortSignal): Promise<InstallResult> {
    const folder = runtimeFolder(this.#root, env, sentenceRecipe);
    return installRuntime({ recipe: sentenceRecipe, folder, env, clock, ...(signal && { signal }) });
  }

  /** Ends all processes. */
  close(): void {
    for (const engine of this.#engines.values()) engine.unload();
    this.#engines.clear();
  }

  /** Undefined: llama.cpp is not there, or the model cannot be written for it. */
  async #fastOrder(folder: string, env: Environment) {
    const llamaFolder = runtimeFolder(this.#root, env, llamaRecipe);
    if (!(await isInstalled(llamaFolder, llamaRecipe))) return undefined;
    const path = join(folder, "all-MiniLM-L6-v2.gguf");
    try {
      if (!existsSync(path)) await writeSentenceGguf(sentenceFiles(folder), path);
      return { use: "embedding" as const, runtime: llamaModule(llamaFolder), path };
    } catch {
      return undefined;
    }
  }

  #engineOf(settings: ReturnType<typeof embeddingSettings>): Engine {
    const known = this.#engines.get(settings.path);
    if (known) {
      known.configure(settings);
      return known;
    }
    const engine = new Engine(settings);
    this.#engines.set(settings.path, engine);
    return engine;
  }
}
