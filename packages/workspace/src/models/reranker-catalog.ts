import type { RerankerResult } from "@harness/core";
import type { Workspace } from "../workspace.ts";
import type { ModelSources } from "./model-sources.ts";
import { requestLimits } from "./request-limits.ts";

/** `leavesTo`: the address that questions and results are sent to. */
type RerankerDescription = { name: string; leavesTo?: string };

/** The models that reorder results of searches, and the one that the settings choose. */
export class RerankerCatalog {
  readonly #sources: ModelSources;

  constructor(sources: ModelSources) {
    this.#sources = sources;
  }

  /** The name in the settings; undefined: none. */
  wanted({ settings }: Workspace): string | undefined {
    const { reranker } = settings.values;
    return reranker === "none" ? undefined : reranker;
  }

  /** No server is asked. */
  async open(name: string, workspace: Workspace): Promise<RerankerResult> {
    const { settings } = workspace;
    const from = await this.#sources.of(workspace, { limits: (id) => requestLimits(settings.values, id) });
    return (await this.#sources.resolver()).resolveReranker({ ...from, name });
  }

  /** Finds out where questions and results would go. `problem`: a sentence, if it cannot be used. */
  async describe(name: string, workspace: Workspace): Promise<RerankerDescription | { problem: string }> {
    const found = await this.open(name, workspace);
    if (!found.ok) return found;
    const { name: shown, leavesTo } = found.reranker;
    return { name: shown, ...(leavesTo !== undefined && { leavesTo }) };
  }
}
