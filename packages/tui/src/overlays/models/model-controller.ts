import type { ModelView, SessionConfig } from "@harness/protocol";
import { wordsOf } from "../../client/harness-client.ts";
import type { ServerLink } from "../../client/server-link.ts";
import type { KeyEvent } from "../../input/index.ts";
import { windowKey } from "../../keymap/window-keys.ts";
import { within } from "../../screens/history/state.ts";
import type { Overlay } from "../../state/app-state.ts";
import type { Store } from "../../state/store.ts";
import { closestNames } from "../../text/closest-names.ts";
import { listMoved } from "../../widgets/list-moves.ts";

type Chosen = { provider?: string; model: string };
type Picker = Extract<Overlay, { kind: "models" }>;

export function modelLabel({ provider, model }: Pick<ModelView, "provider" | "model">): string {
  return `${provider}/${model}`;
}

export function shownModels({ models, filter }: Picker): readonly ModelView[] {
  const words = filter.toLowerCase().split(/\s+/).filter(Boolean);
  return (models ?? []).filter((each) => words.every((word) => modelLabel(each).toLowerCase().includes(word)));
}

/** Why a name may be a slip: its provider lists its models, and this is none of them. Not every list is whole. */
function doubtOf({ provider, model }: Chosen, models: readonly ModelView[]): string | undefined {
  const known = models.filter((each) => each.provider === provider);
  if (provider === undefined || known.length === 0 || known.some((each) => each.model === model)) return undefined;
  const close = closestNames(
    model,
    known.map((each) => each.model),
  );
  const hint = close.length > 0 ? `Did you mean ${close.join(" or ")}? ` : "";
  return `${provider} lists no model "${model}". ${hint}/model shows what there is; the same command again uses this name all the same.`;
}

export type ModelDeskParts = {
  store: Store;
  link: Pick<ServerLink, "call">;
  configure(config: SessionConfig): Promise<void>;
  /** Another model was chosen: what was said about the last one is old. */
  chosen(): void;
};

/** Lists models and changes to one of them. */
export class ModelDesk {
  readonly #parts: ModelDeskParts;
  /** The name that was doubted last: who says it once more means it. */
  #doubted: string | undefined;

  constructor(parts: ModelDeskParts) {
    this.#parts = parts;
  }

  async names(): Promise<string[]> {
    const { models } = await this.#parts.link.call("models/list", {});
    return models.map(modelLabel);
  }

  async open(): Promise<void> {
    this.#show({ kind: "models", models: undefined, problems: [], filter: "", selected: 0 });
    try {
      const { models, problems } = await this.#parts.link.call("models/list", {});
      this.#change({ models, problems });
    } catch (error) {
      this.#change({ models: [], problems: [wordsOf(error)] });
    }
  }

  /** `PROVIDER/MODEL` where the first part names a provider that is known here, else a model's id. */
  async use(name: string): Promise<void> {
    const { models } = await this.#parts.link.call("models/list", {}).catch(() => ({ models: [] as ModelView[] }));
    const found =
      models.find((each) => modelLabel(each) === name) ??
      models.find(({ model, aliases }) => model === name || aliases?.includes(name));
    const chosen = found ?? (await this.#resolved(name));
    if ("problem" in chosen) {
      this.#say("error", chosen.problem);
      return;
    }
    const doubt = found || this.#doubted === name ? undefined : doubtOf(chosen, models);
    this.#doubted = doubt && name;
    if (doubt) this.#say("warning", doubt);
    else await this.#choose(chosen);
  }

  /** Who would answer by a name that no list has. */
  async #resolved(model: string): Promise<Chosen | { problem: string }> {
    const { link, store } = this.#parts;
    const hud = await link.call("hud/get", { cwd: store.get().cwd, config: { model } });
    if (hud.problem !== undefined) return { problem: hud.problem };
    return hud.model && hud.provider ? { provider: hud.provider, model: hud.model } : { model };
  }

  key(key: KeyEvent): void {
    const { overlay } = this.#parts.store.get();
    if (overlay?.kind !== "models") return;
    const shown = shownModels(overlay);
    const isTyped = key.text !== "";
    const moved = isTyped ? undefined : listMoved(key, overlay.selected, shown.length);
    if (key.name === "escape") this.#show(undefined);
    else if (moved !== undefined) this.#change({ selected: moved });
    else if (windowKey(key, "models") === "choose") this.#take(shown[overlay.selected]);
    else if (key.name === "backspace") this.#change({ filter: overlay.filter.slice(0, -1), selected: 0 });
    else if (isTyped) this.#change({ filter: overlay.filter + key.text, selected: 0 });
  }

  #take(model: ModelView | undefined): void {
    if (!model) return;
    this.#show(undefined);
    this.#choose(model).catch((error: unknown) =>
      this.#say("error", `The model could not be changed: ${wordsOf(error)}`),
    );
  }

  async #choose({ provider, model }: Chosen): Promise<void> {
    const { link, configure } = this.#parts;
    await configure({ model, ...(provider ? { provider } : {}) });
    this.#say("info", `The model is now ${provider ? `${provider}/` : ""}${model}.`);
    const edits = [{ key: "model", value: model }, ...(provider ? [{ key: "provider", value: provider }] : [])];
    try {
      await link.call("settings/set", { edits });
      this.#parts.chosen();
    } catch (error) {
      this.#say("warning", `It is used here, but could not be kept for later sessions: ${wordsOf(error)}`);
    }
  }

  #change(changes: Partial<Omit<Picker, "kind">>): void {
    const { overlay } = this.#parts.store.get();
    if (overlay?.kind !== "models") return;
    const next = { ...overlay, ...changes };
    this.#show({ ...next, selected: within(next.selected, shownModels(next).length) });
  }

  #show(overlay: Overlay | undefined): void {
    this.#parts.store.dispatch({ type: "overlayShown", overlay });
  }

  #say(severity: "info" | "warning" | "error", text: string): void {
    this.#parts.store.dispatch({ type: "noted", note: { severity, text } });
  }
}
