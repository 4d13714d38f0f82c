import type { EmbedderResult } from "@harness/core";
import type { Workspace } from "../workspace.ts";
import type { LocalModelFiles } from "./model-files.ts";
import type { ModelSources } from "./model-sources.ts";
import { requestLimits } from "./request-limits.ts";

/** `leavesTo`: the address that the texts of files are sent to. `installs`: what has to be downloaded first. */
export type EmbedderDescription = { name: string; leavesTo?: string; installs?: { megabytes: number } };

type EmbedderCatalogDeps = { sources: ModelSources; files: LocalModelFiles };

const BUILTIN = "builtin";
const BUILTIN_MEGABYTES = 45;
/** Opening one again is quick; keys change with each setting. */
const MAX_OPEN = 50;

/** The models that make vectors for searches, and the one that the settings choose. */
export class EmbedderCatalog {
  readonly #deps: EmbedderCatalogDeps;
  /** Those that were opened, until a key, a login, a setting or the trusted content changes. */
  readonly #open = new Map<string, EmbedderResult>();

  constructor(deps: EmbedderCatalogDeps) {
    this.#deps = deps;
  }

  /** The name in the settings; undefined: none. */
  wanted({ settings }: Workspace): string | undefined {
    const { embedder } = settings.values;
    return embedder === "none" ? undefined : embedder;
  }

  /** No server is asked if the model is known, or was opened before. */
  async open(name: string, workspace: Workspace, signal: AbortSignal): Promise<EmbedderResult> {
    const { sources, files } = this.#deps;
    const { settings, folder } = workspace;
    const key = JSON.stringify([name, folder, settings.stamp, sources.stamp(), sources.trustStamp(workspace)]);
    const known = this.#open.get(key);
    if (known) return known;
    const { keep_alive: keepAlive } = settings.current.values;
    const from = await sources.of(workspace, { keepAlive, limits: (id) => requestLimits(settings.values, id) });
    const programs = files.embeddings(folder, { env: from.env, keepAlive });
    const result = await (await sources.resolver()).resolveEmbedder({ ...from, name, programs, signal });
    if (!result.ok) return result;
    if (this.#open.size >= MAX_OPEN) this.#open.clear();
    this.#open.set(key, result);
    return result;
  }

  /** Finds out where texts would go, and whether it is installed. `problem`: a sentence, if it cannot be used. */
  async describe(
    name: string,
    workspace: Workspace,
    signal: AbortSignal,
  ): Promise<EmbedderDescription | { problem: string }> {
    if (name === BUILTIN && !(await this.#deps.files.isEmbedderInstalled(await this.#deps.sources.of(workspace))))
      return { name, installs: { megabytes: BUILTIN_MEGABYTES } };
    const found = await this.open(name, workspace, signal);
    if (!found.ok) return found;
    const { name: shown, leavesTo } = found.embedder;
    return { name: shown, ...(leavesTo !== undefined && { leavesTo }) };
  }

  /** Downloads what an embedder needs. The problem is a sentence. */
  async install(name: string, workspace: Workspace): Promise<{ installed: boolean } | { problem: string }> {
    if (name !== BUILTIN) return { installed: false };
    return this.#deps.files.installEmbedder(await this.#deps.sources.of(workspace));
  }
}
