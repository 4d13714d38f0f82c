import type { SessionConfig } from "@harness/protocol";
import type { ModelChoice } from "../ports/provider.ts";

type ChooseModel = (config: SessionConfig) => Promise<ModelChoice | { problem: string }>;

/** The model that requests go to: chosen anew at the start of a turn and when the configuration has changed. */
export class ModelSelector {
  readonly #choose: ChooseModel;
  readonly #config: () => SessionConfig;
  #key = "";
  #choice: ModelChoice | undefined;
  /** The warning that people were last told of, so that they are told once. */
  announced: string | undefined;

  constructor(choose: ChooseModel, config: () => SessionConfig) {
    this.#choose = choose;
    this.#config = config;
  }

  /** The last choice; undefined before the first request. */
  get current(): ModelChoice | undefined {
    return this.#choice;
  }

  async choose({ fresh }: { fresh: boolean }): Promise<ModelChoice | { problem: string }> {
    const { provider, model, effort } = this.#config();
    const key = JSON.stringify([provider, model, effort]);
    if (!fresh && this.#choice && key === this.#key) return this.#choice;
    const choice = await this.#choose(this.#config());
    if ("problem" in choice) return choice;
    this.#key = key;
    this.#choice = choice;
    return choice;
  }
}
