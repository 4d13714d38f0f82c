import type { Environment, LockClock } from "@harness/host";
import type { ModelView, Price, ProviderView } from "@harness/protocol";
import { EmbeddingFiles } from "./embed/embedding-files.ts";
import { Engine } from "./engine/engine.ts";
import { engineSettings } from "./engine/engine-settings.ts";
import { GGUF, ModelProgram } from "./engine/model-program.ts";
import {
  type ChosenContextWindow,
  contextWindowOf,
  type FindAnswer,
  findModel,
  looksLikeGguf,
  resolveModelPath,
} from "./find-model.ts";
import { readGgufHeader } from "./header/gguf-header.ts";
import { type AddedModel, ModelStore } from "./model-store.ts";
import { type InstallResult, installRuntime } from "./runtime/install-runtime.ts";
import { INSTALL_ADVICE, llamaRecipe } from "./runtime/llama-recipe.ts";
import { isInstalled, runtimeFolder } from "./runtime/runtime-recipe.ts";

const NAME = "Model files";
const FREE: Price = { input: 0, output: 0 };

/** The requested model, and how to run it. */
export type ModelFileQuery = {
  model?: string | undefined;
  provider?: string | undefined;
  cwd: string;
  env: Environment;
  /** The context window that the user set. */
  contextLimit?: number | null | undefined;
  keepAlive?: string | undefined;
};

/** A model file, ready for requests. */
export type FileModel = {
  id: string;
  vendor: { id: string; name: string; local: true; address: string };
  program: ModelProgram;
  contextWindow: ChosenContextWindow;
  /** A sentence: how to get a larger context window. */
  contextWindowAdvice: string;
  price: Price;
  /** A sentence: the context window is not the configured one, or the runtime is missing. */
  warning?: string;
};

/**
 * The model files that harness runs itself, and the processes that run them. One per server; `close` ends the
 * processes.
 */
export class ModelFiles {
  readonly #root: string;
  readonly #home: string;
  readonly #store: ModelStore;
  /** Engines by path: all sessions of this process share the model in memory. */
  readonly #engines = new Map<string, Engine>();
  /** Those that make vectors. */
  readonly embeddings: EmbeddingFiles;

  /** `root` is the config root of harness. */
  constructor({ root, home }: { root: string; home: string }) {
    this.#root = root;
    this.#home = home;
    this.#store = new ModelStore(root);
    this.embeddings = new EmbeddingFiles(root, this.#store);
  }

  /**
   * The requested model file: with the provider `gguf`, as `gguf/NAME`, by a name that was added, or by a path, which
   * wins over a provider of the settings. Undefined if no model file is meant. Never throws.
   */
  async find(question: ModelFileQuery): Promise<FileModel | { problem: string } | undefined> {
    const { model = "", provider } = question;
    const isPath = looksLikeGguf(model) && /[/\\~]/.test(model);
    const isOurs = provider === GGUF || model.startsWith(`${GGUF}/`);
    if (!isOurs && provider && !isPath) return undefined;
    const text = model.startsWith(`${GGUF}/`) ? model.slice(GGUF.length + 1) : model;
    if (text === "") return isOurs ? this.#first(question) : undefined;
    const answer = await this.#find(text, question);
    if (answer) return this.#ready(answer, question);
    if (!isOurs) return undefined;
    return { problem: `No model file was added as ${JSON.stringify(text)}. ${await this.#names()}` };
  }

  /** The models that were added and whose files exist. Loads none of them, and needs no runtime. */
  async list(limit?: number | null): Promise<{ models: ModelView[]; problems: string[] }> {
    const { models, problem } = await this.#store.list();
    const problems = problem === undefined ? [] : [problem];
    const views = await Promise.all(
      models.map(async ({ name, path }): Promise<ModelView[]> => {
        const answer = await readGgufHeader(path);
        if (!answer.ok) {
          problems.push(`${name}: ${answer.problem}`);
          return [];
        }
        const { tokens } = contextWindowOf(answer.header, limit ?? undefined).contextWindow;
        const abilities = { tools: true, images: false };
        const loaded = this.processOf(path) !== undefined;
        return [{ provider: GGUF, model: name, windowTokens: tokens, price: FREE, abilities, loaded }];
      }),
    );
    return { models: views.flat(), problems };
  }

  /** The view for `providers/list`: whether model files can be run, and what is missing. */
  async health(env: Environment): Promise<ProviderView> {
    const { models } = await this.#store.list();
    const count = models.length === 1 ? "1 model was added" : `${models.length} models were added`;
    const view = { id: GGUF, name: NAME, local: true };
    if (!(await this.isInstalled(env))) return { ...view, ready: false, detail: INSTALL_ADVICE };
    const more = "Any other file: --model ./file.gguf.";
    return { ...view, ready: models.length > 0, detail: `${count}. ${more}` };
  }

  /** Registers a file under a name; `path` may begin with `~/` or be relative to `cwd`. */
  add(path: string, name: string | undefined, cwd: string): Promise<AddedModel> {
    return this.#store.add(resolveModelPath(path, { cwd, home: this.#home }), name);
  }

  /** The file itself stays. */
  remove(name: string): Promise<{ removed: boolean; problem?: string }> {
    return this.#store.remove(name);
  }

  isInstalled(env: Environment): Promise<boolean> {
    return isInstalled(runtimeFolder(this.#root, env, llamaRecipe), llamaRecipe);
  }

  install(env: Environment, clock: LockClock): Promise<InstallResult> {
    return installRuntime({ recipe: llamaRecipe, folder: runtimeFolder(this.#root, env, llamaRecipe), env, clock });
  }

  /** The process that currently runs the file, if there is one. */
  processOf(path: string): number | undefined {
    return this.#engines.get(path)?.pid;
  }

  /** Ends all processes, which frees the memory of their models. */
  close(): void {
    for (const engine of this.#engines.values()) engine.unload();
    this.#engines.clear();
    this.embeddings.close();
  }

  #find(text: string, { cwd, contextLimit }: ModelFileQuery): Promise<FindAnswer | undefined> {
    return findModel(text, this.#store, { cwd, home: this.#home }, contextLimit);
  }

  async #first(question: ModelFileQuery): Promise<FileModel | { problem: string }> {
    const { models } = await this.#store.list();
    const [first] = models;
    const answer = first && (await this.#find(first.name, question));
    return answer ? this.#ready(answer, question) : { problem: await this.#names() };
  }

  /**
   * A model is found even without the runtime: the first request reports that again, and by then it may be installed.
   */
  async #ready(answer: FindAnswer, { env, keepAlive }: ModelFileQuery): Promise<FileModel | { problem: string }> {
    if (!answer.ok) return answer;
    const { id, path, warning } = answer.model;
    const contextWindow = this.#steady(path, answer.model.contextWindow);
    const folder = runtimeFolder(this.#root, env, llamaRecipe);
    const settings = engineSettings({
      path,
      contextWindow: contextWindow.tokens,
      runtimeFolder: folder,
      env,
      keepAlive,
    });
    const engine = () => this.#engineOf(path, settings);
    const warnings = [warning, (await isInstalled(folder, llamaRecipe)) ? undefined : INSTALL_ADVICE]
      .filter(Boolean)
      .join(" ");
    return {
      id,
      vendor: { id: GGUF, name: NAME, local: true, address: path },
      program: new ModelProgram({ model: id, path, runtimeFolder: folder, engine }),
      contextWindow,
      contextWindowAdvice: "Set context_limit to a larger window, as far as the memory goes.",
      price: FREE,
      ...(warnings !== "" && { warning: warnings }),
    };
  }

  /** A loaded model keeps its context window: with a larger one it would be loaded again, and lose what it has read. */
  #steady(path: string, contextWindow: ChosenContextWindow): ChosenContextWindow {
    const loaded = this.#engines.get(path)?.contextWindow;
    if (loaded === undefined || contextWindow.source === "setting" || contextWindow.tokens <= loaded)
      return contextWindow;
    return { tokens: loaded, source: "server" };
  }

  #engineOf(path: string, settings: ReturnType<typeof engineSettings>): Engine {
    const known = this.#engines.get(path);
    if (known) {
      known.configure(settings);
      return known;
    }
    const engine = new Engine(settings);
    this.#engines.set(path, engine);
    return engine;
  }

  async #names(): Promise<string> {
    const { models, problem } = await this.#store.list();
    if (problem !== undefined) return problem;
    if (models.length === 0) return "None was added yet: harness model add <file.gguf>, or --model ./file.gguf.";
    return `There are: ${models.map(({ name }) => name).join(", ")}.`;
  }
}
