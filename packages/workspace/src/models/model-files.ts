import { existsSync } from "node:fs";
import { join } from "node:path";
import type { ModelFiles as RunningFiles } from "@harness/gguf";
import { invalidParam, protocolError, type Result, type ServerMethods } from "@harness/protocol";
import type { EmbeddingPrograms, ModelQuestion, ProgramModel } from "@harness/providers";
import type { FolderModelSources } from "./model-sources.ts";

type AddParams = { path: string; name?: string | undefined; install: boolean };

/** Models that are files, run by harness itself. Their runtime is loaded on first use. */
export class LocalModelFiles {
  readonly #configPaths: { root: string; home: string };
  #files: Promise<RunningFiles> | undefined;

  constructor(configPaths: { root: string; home: string }) {
    this.#configPaths = configPaths;
  }

  /** The requested model file; undefined: none. Loads nothing if the request cannot mean a file. */
  async find(ask: Omit<ModelQuestion, "memory">, cwd: string): Promise<ProgramModel | { problem: string } | undefined> {
    const { provider, model, env, contextLimit, keepAlive } = ask;
    const isNamed = provider === "gguf" || /^gguf\/|\.gguf$/i.test(model ?? "");
    if (!isNamed && (!model || !this.#hasAny())) return undefined;
    return (await this.#load()).find({ provider, model, cwd, env, contextLimit, keepAlive });
  }

  async list(): Promise<Result<ServerMethods, "models/list">> {
    if (!this.#hasAny()) return { models: [], problems: [] };
    return (await this.#load()).list();
  }

  async health(env: FolderModelSources["env"]): Promise<Result<ServerMethods, "providers/list">["providers"][number]> {
    return (await this.#load()).health(env);
  }

  async add(
    { path, name, install }: AddParams,
    cwd: string,
    { env, clock, egress }: FolderModelSources,
  ): Promise<Result<ServerMethods, "models/add">> {
    const files = await this.#load();
    const added = await files.add(path, name, cwd);
    if (!added.ok) throw invalidParam("path", added.problem);
    const isThere = await files.isInstalled(env);
    if (!isThere && install) {
      if (egress?.localOnly) {
        const message = `${added.model.name} was added, but its runtime is not installed: npm would have to download it, and harness is in local-only mode. Install it once without --local-only.`;
        throw protocolError("storage_failed", message);
      }
      const installed = await files.install(env, clock);
      if (!installed.ok)
        throw protocolError(
          "storage_failed",
          `${added.model.name} was added, but cannot be run yet. ${installed.problem}`,
        );
    }
    const { models } = await this.list();
    const view = models.find(({ model }) => model === added.model.name) ?? {
      provider: "gguf",
      model: added.model.name,
    };
    return { model: view, installed: isThere || install };
  }

  async remove(name: string): Promise<Result<ServerMethods, "models/remove">> {
    const { removed, problem } = await (await this.#load()).remove(name);
    if (problem !== undefined) throw protocolError("storage_failed", problem);
    return { removed };
  }

  /** The embedding models that are files, and the built-in one. */
  embeddings(cwd: string, { env, keepAlive }: Pick<ModelQuestion, "env" | "keepAlive">): EmbeddingPrograms {
    const { home } = this.#configPaths;
    return {
      builtin: async () => (await this.#load()).embeddings.builtin({ env, keepAlive }),
      file: async (name) => (await this.#load()).embeddings.file(name, { cwd, home }, { env, keepAlive }),
    };
  }

  async isEmbedderInstalled({ env }: FolderModelSources): Promise<boolean> {
    return (await this.#load()).embeddings.isBuiltinInstalled(env);
  }

  /** Installs the built-in embedder. The problem is a sentence. */
  async installEmbedder({
    env,
    clock,
    egress,
  }: FolderModelSources): Promise<{ installed: boolean } | { problem: string }> {
    const { embeddings } = await this.#load();
    if (await embeddings.isBuiltinInstalled(env)) return { installed: false };
    if (egress?.localOnly) {
      const why = "npm would have to download it, and harness is in local-only mode";
      return { problem: `The built-in embedder is not installed: ${why}. Install it once without --local-only.` };
    }
    const answer = await embeddings.installBuiltin(env, clock);
    return answer.ok ? { installed: answer.installed } : { problem: answer.problem };
  }

  /** Ends the processes that run models. */
  async close(): Promise<void> {
    (await this.#files)?.close();
  }

  #load(): Promise<RunningFiles> {
    this.#files ??= import("@harness/gguf").then((gguf) => new gguf.ModelFiles(this.#configPaths));
    return this.#files;
  }

  #hasAny(): boolean {
    return existsSync(join(this.#configPaths.root, "models.d"));
  }
}
