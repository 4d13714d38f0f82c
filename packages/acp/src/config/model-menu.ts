import type { HarnessClient } from "@harness/client";
import type { ModelView } from "@harness/protocol";

/** The models that can be chosen. Servers may be slow to list theirs, so that nothing waits for it. */
export class ModelMenu {
  readonly #client: Pick<HarnessClient, "call">;
  #models: readonly ModelView[] = [];
  #loading: Promise<void> | undefined;

  constructor(client: Pick<HarnessClient, "call">) {
    this.#client = client;
  }

  /** Those known by now. */
  get models(): readonly ModelView[] {
    return this.#models;
  }

  /** Reads the list again; resolves to true if it has changed. Never rejects. */
  async refresh(): Promise<boolean> {
    const before = this.#models;
    this.#loading ??= this.#load().finally(() => {
      this.#loading = undefined;
    });
    await this.#loading;
    return JSON.stringify(before) !== JSON.stringify(this.#models);
  }

  async #load(): Promise<void> {
    const list = await this.#client.call("models/list", {}).catch(() => undefined);
    if (list) this.#models = list.models;
  }
}
