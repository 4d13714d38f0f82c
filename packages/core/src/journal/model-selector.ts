import type { SessionConfig } from "@harness/protocol";
import { modelKey } from "../context/model-key.ts";
import type { ContextWindow, ModelChoice } from "../ports/provider.ts";

type ChooseModel = (config: SessionConfig) => Promise<ModelChoice | { problem: string }>;

/** The model that requests go to: chosen anew at the start of a turn and when the configuration has changed. */
export class ModelSelector {
  readonly #choose: ChooseModel;
  readonly #config: () => SessionConfig;
  #key = "";
  #choice: ModelChoice | undefined;
  /** The warning that people were last told of, so that they are told once. */
  announced: string | undefined;
  /** Those of whose servers it is known that they count only what they had not kept of a prompt, by `modelKey`. */
  readonly partCounters = new Set<string>();
  /** Those of which people were told that tools are offered in words, by `modelKey`. */
  readonly toldOfWords = new Set<string>();
  /** People were told that a server counts only a part. */
  toldOfParts = false;
  readonly #windows = new Map<string, ContextWindow>();

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
    this.#choice = this.#steady(choice);
    return this.#choice;
  }

  /**
   * The choice with the window that the session has used so far: a local server loads a model anew for each other one,
   * and forgets what it has read. A smaller one must be heeded; a larger one is, where the person set it, or where the one
   * so far was only assumed.
   */
  #steady(choice: ModelChoice): ModelChoice {
    const key = modelKey(choice.provider.id, choice.model);
    const held = this.#windows.get(key);
    const { window } = choice;
    const isHeld = held && held.source !== "assumed" && window.source !== "setting" && window.tokens > held.tokens;
    if (!isHeld) {
      this.#windows.set(key, window);
      return choice;
    }
    // On top of the choice, not a copy: its provider may learn a price later.
    return Object.create(choice, { window: { value: held, enumerable: true } }) as ModelChoice;
  }
}
