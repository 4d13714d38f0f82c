import type { Failure, SessionConfig } from "@harness/protocol";
import { modelKey } from "../context/model-key.ts";
import type { ContextWindow, LoadedModel, LoadingWatch, ModelChoice } from "../ports/provider.ts";

type NoModel = { problem: string; ofNamedProvider?: true };
type ChooseModel = (config: SessionConfig) => Promise<ModelChoice | NoModel>;

/** A model in place of the requested one, and how many of the named ones were tried. */
type Fallback = { insteadOf?: string; tried: number; name?: string; choice?: ModelChoice };
type Fallen = { choice?: ModelChoice; isNew: boolean; unusable: string[] };

const NO_FALLBACK: Fallback = { tried: 0 };

/** Selects the model for requests, again at the start of each turn and after a change of the configuration. */
export class ModelSelector {
  readonly #choose: ChooseModel;
  readonly #config: () => SessionConfig;
  /** The model for the running turn, named as in a setting. */
  readonly #ofTurn: () => string | undefined;
  #fallback = NO_FALLBACK;
  /** Agents that share this model may fail at the same time: they take turns looking for a replacement. */
  #falling: Promise<unknown> = Promise.resolve();
  #key = "";
  #choice: ModelChoice | undefined;
  #lastWarning: string | undefined;
  /** Models, by `modelKey`, whose servers are known to report only uncached prompt tokens. */
  readonly #partialCounters = new Set<string>();
  #hasWarnedOfPartialCounts = false;
  /**
   * Tools that requests leave out, by `modelKey`, and models that get tools as text: the user was notified about both.
   */
  readonly #leftOut = new Map<string, Set<string>>();
  readonly #withPromptedTools = new Set<string>();
  readonly #contextWindows = new Map<string, ContextWindow>();

  constructor(choose: ChooseModel, config: () => SessionConfig, ofTurn: () => string | undefined = () => undefined) {
    this.#choose = choose;
    this.#config = config;
    this.#ofTurn = ofTurn;
  }

  /** The last choice; undefined before the first request. */
  get current(): ModelChoice | undefined {
    return this.#choice;
  }

  async choose({ fresh }: { fresh: boolean }): Promise<ModelChoice | NoModel> {
    const { provider, model, effort } = this.#config();
    // If the user has chosen a different model meanwhile, that counts at once.
    if (fresh || this.#fallback.insteadOf !== this.#asked) this.#fallback = NO_FALLBACK;
    const ofTurn = this.#fallback.name ?? this.#ofTurn();
    const key = JSON.stringify([provider, model, effort, ofTurn]);
    if (!fresh && this.#choice && key === this.#key) return this.#choice;
    const choice = ofTurn === undefined ? await this.#choose(this.#config()) : await this.named(ofTurn);
    if ("problem" in choice) return choice;
    this.#key = key;
    this.#choice = this.#steady(choice);
    return this.#choice;
  }

  /**
   * The model that a setting names: an id at the session's provider, or `VENDOR/ID`. A model whose server is not
   * running cannot be used.
   */
  async named(model: string): Promise<ModelChoice | NoModel> {
    const { effort: _, ...config } = this.#config();
    const ofSession = { ...config, model };
    // With an empty provider the name decides the vendor.
    const byName = { ...config, provider: "", model };
    const [first, second] = model.includes("/") ? [byName, ofSession] : [ofSession, byName];
    const choice = await this.#choose(first);
    if (!("problem" in choice)) return choice.away === undefined ? this.#steady(choice) : { problem: choice.away };
    if (choice.ofNamedProvider) return choice;
    const other = await this.#choose(second);
    return "problem" in other || other.away !== undefined ? choice : this.#steady(other);
  }

  /**
   * After this model has failed: the next of those named takes over, until a fresh choice. `unusable`: why those before
   * it cannot answer. `isNew`: no other agent had switched to it already. Without `choice` there is none left.
   */
  fallBack(failed: ModelChoice, names: readonly string[]): Promise<Fallen> {
    const fallen = this.#falling.then(() => this.#nextAfter(failed, names));
    this.#falling = fallen.catch(() => undefined);
    return fallen;
  }

  async #nextAfter(failed: ModelChoice, names: readonly string[]): Promise<Fallen> {
    const insteadOf = this.#asked;
    const { choice: now, tried } = this.#fallback.insteadOf === insteadOf ? this.#fallback : NO_FALLBACK;
    if (now && !isSameModel(now, failed)) return { choice: now, isNew: false, unusable: [] };
    const unusable: string[] = [];
    for (const [at, name] of names.entries()) {
      if (at < tried) continue;
      const choice = await this.named(name);
      if ("problem" in choice) unusable.push(`${name}: ${choice.problem}`);
      else if (!isSameModel(choice, failed)) {
        this.#fallback = { insteadOf, tried: at + 1, name, choice };
        return { choice, isNew: true, unusable };
      }
    }
    this.#fallback = { ...this.#fallback, insteadOf, tried: names.length };
    return { isNew: false, unusable };
  }

  /** The model that the session asks for. */
  get #asked(): string {
    const { provider, model } = this.#config();
    return JSON.stringify([provider, model]);
  }

  /**
   * The choice after its server has loaded it, with the context window that it really has, whatever was known before.
   */
  async loaded(choice: ModelChoice, watch: LoadingWatch): Promise<ModelChoice | { failure: Failure }> {
    const loaded = await choice.load?.(watch);
    if (!loaded || "failure" in loaded) return loaded ?? choice;
    const { contextWindow, warning = choice.warning } = loaded;
    this.#contextWindows.set(modelKey(choice.provider.id, choice.model), contextWindow);
    const now = onTopOf(choice, { contextWindow, ...(warning !== undefined && { warning }) });
    if (this.#choice === choice) this.#choice = now;
    return now;
  }

  /** The settings have changed: the next request chooses again. */
  forget(): void {
    this.#key = "";
  }

  /** True unless the previous choice had the same warning. */
  isNewWarning(warning: string | undefined): boolean {
    const isNew = this.#lastWarning !== warning;
    this.#lastWarning = warning;
    return isNew;
  }

  countsPartially(key: string): boolean {
    return this.#partialCounters.has(key);
  }

  /**
   * Remembers a server that seems to report only uncached tokens, permanently if that is certain. Returns true if the
   * user was not notified yet.
   */
  notePartialCount(key: string, { isCertain }: { isCertain: boolean }): boolean {
    if (isCertain) this.#partialCounters.add(key);
    const isFirst = !this.#hasWarnedOfPartialCounts;
    this.#hasWarnedOfPartialCounts = true;
    return isFirst;
  }

  /** True once for each model that is offered its tools as text. */
  isFirstPromptedTools(key: string): boolean {
    if (this.#withPromptedTools.has(key)) return false;
    this.#withPromptedTools.add(key);
    return true;
  }

  /** The tools among these that requests leave out and that were not announced yet. */
  newlyLeftOut(key: string, tools: readonly string[]): string[] {
    const reported = this.#leftOut.get(key) ?? new Set();
    this.#leftOut.set(key, reported);
    const fresh = tools.filter((name) => !reported.has(name));
    for (const name of fresh) reported.add(name);
    return fresh;
  }

  /**
   * Keeps the context window that the session has used so far: for a new one a local server would reload the model and
   * drop its cache. A smaller one is adopted unless it is only assumed because the server did not answer; a larger one
   * only if the user set it, or if the previous one was assumed or set by the user.
   */
  #steady(choice: ModelChoice): ModelChoice {
    const key = modelKey(choice.provider.id, choice.model);
    const held = this.#contextWindows.get(key);
    const { contextWindow } = choice;
    const isUnwanted = contextWindow.source === "assumed" || contextWindow.tokens > (held?.tokens ?? 0);
    // A window set by the user holds only as long as the setting does.
    const isFound = held !== undefined && held.source !== "assumed" && held.source !== "setting";
    if (!isFound || contextWindow.source === "setting" || !isUnwanted) {
      this.#contextWindows.set(key, contextWindow);
      return choice;
    }
    return onTopOf(choice, { contextWindow: held });
  }
}

/** An object on top of the choice instead of a copy, because the provider may learn a price later. */
function onTopOf(choice: ModelChoice, fields: LoadedModel): ModelChoice {
  return Object.assign(Object.create(choice) as ModelChoice, fields);
}

function isSameModel(one: ModelChoice, other: ModelChoice): boolean {
  return modelKey(one.provider.id, one.model) === modelKey(other.provider.id, other.model);
}
