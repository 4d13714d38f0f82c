import { asObject, type JsonMap } from "../story/conversation.ts";
import type { LibraryModel, Scenario, ScenarioModel } from "../story/scenario.ts";
import { type Flavour, flavourRows } from "./flavour.ts";

export interface ServedModel extends ScenarioModel {
  contextTokens: number;
  /** As the server reports them. */
  slots: number;
  /** Requests beyond this number wait; undefined if none do. */
  queuesAt: number | undefined;
}

/** The models of a server, and which of them are loaded with which window. */
export class ServedModels {
  readonly models: ServedModel[];
  /** The scenario names its models, so a request for any other model is an error. */
  readonly closed: boolean;
  readonly loading: Scenario["loading"];
  readonly #loaded = new Map<string, number>();
  readonly #library: readonly LibraryModel[];
  readonly #served: (model: ScenarioModel) => ServedModel;

  constructor(scenario: Scenario, flavour: Flavour) {
    const row = flavourRows[flavour];
    this.#library = scenario.library;
    this.loading = scenario.loading;
    this.#served = (model) => {
      const queuesAt = model.slots ?? scenario.slots;
      return { ...model, contextTokens: model.contextTokens ?? row.contextTokens, slots: queuesAt ?? 1, queuesAt };
    };
    this.closed = scenario.models !== undefined;
    const listed: readonly ScenarioModel[] = scenario.models ?? [defaultModel(row.modelId)];
    this.models = listed.map(this.#served);
    for (const model of this.models) {
      if (model.loaded ?? row.loadedAtStart) this.#loaded.set(model.id, model.contextTokens);
    }
  }

  /**
   * Gemini lists `models/x` and answers to `x`; Ollama adds `:latest` to a name without a tag. If the scenario names no
   * models, every model is served.
   */
  find(id: string): ServedModel | undefined {
    const found = this.models.find((model) => [id, `${id}:latest`, `models/${id}`].includes(model.id));
    const [first] = this.models;
    if (found !== undefined || this.closed || first === undefined || id === "") return found;
    return { ...first, id };
  }

  /** A model that is installed under exactly this name. */
  listed(id: string): ServedModel | undefined {
    return this.models.find((model) => model.id === id);
  }

  loadWith(id: string, contextTokens: number): void {
    this.#loaded.set(id, contextTokens);
  }

  unload(id: string): void {
    this.#loaded.delete(id);
  }

  /** A model that can be pulled. */
  inLibrary(id: string): LibraryModel | undefined {
    return this.#library.find((model) => [id, `${id}:latest`].includes(model.id));
  }

  /** A pulled model is installed from now on. */
  add({ layers: _, pull: __, ...model }: LibraryModel): void {
    if (!this.models.some(({ id }) => id === model.id)) this.models.push(this.#served(model));
  }

  /** The window that a loaded model runs with. */
  loadedTokens(id: string): number | undefined {
    return this.#loaded.get(this.find(id)?.id ?? id);
  }

  /** Loads a model for a request, with the requested `num_ctx`, and again if that changes. */
  load(id: string, body: unknown): void {
    const model = this.find(id);
    if (model === undefined) return;
    const asked = numberAt(asObject(asObject(body).options), "num_ctx");
    const fromModelfile = /^num_ctx\s+(\d+)/m.exec(model.parameters)?.[1];
    const usual = fromModelfile === undefined ? model.contextTokens : Number(fromModelfile);
    this.#loaded.set(model.id, asked ?? usual);
  }

  get loaded(): readonly { id: string; contextTokens: number }[] {
    return [...this.#loaded].map(([id, contextTokens]) => ({ id, contextTokens }));
  }
}

function defaultModel(id: string): ScenarioModel {
  return { id, trainedTokens: 131_072, capabilities: ["completion", "tools", "thinking"], parameters: "" };
}

function numberAt(object: JsonMap, key: string): number | undefined {
  const value = object[key];
  return typeof value === "number" ? value : undefined;
}
