import type { ModelView, SessionConfig } from "@harness/protocol";
import type { Server } from "../../client/connect-server.ts";
import { errorText } from "../../client/server-errors.ts";
import type { InputEvent, KeyEvent } from "../../input/index.ts";
import { keyTable } from "../../keymap/key-table.ts";
import type { Scope } from "../../keymap/scope.ts";
import type { ModelPicker } from "../../state/overlay.ts";
import type { Store } from "../../state/store.ts";
import { closestNames } from "../../text/closest-names.ts";
import { listMoved } from "../../widgets/list-moves.ts";
import { within } from "../../widgets/list-slice.ts";
import { modelLabel, shownModels } from "./shown-models.ts";

export const modelKeys = keyTable("models", [
  { id: "choose", keys: ["enter"], doc: "Use the marked model, now and for later sessions; typing filters" },
]);

type Chosen = { provider?: string; model: string };

/** A warning about a name that its provider does not list. Not every list is complete, so it is only a warning. */
function nameWarning({ provider, model }: Chosen, models: readonly ModelView[]): string | undefined {
  const known = models.filter((each) => each.provider === provider);
  if (provider === undefined || known.length === 0 || known.some((each) => each.model === model)) return undefined;
  const close = closestNames(
    model,
    known.map((each) => each.model),
  );
  const hint = close.length > 0 ? `Did you mean ${close.join(" or ")}? ` : "";
  return `${provider} lists no model "${model}". ${hint}/model shows what there is; the same command again uses this name all the same.`;
}

export type ModelControllerParts = {
  store: Store;
  server: Server;
  configure(config: SessionConfig): Promise<void>;
  /** Another model was chosen: notes about the last one are out of date. */
  chosen(): void;
};

/** Lists models and changes to one of them. */
export class ModelController implements Scope {
  readonly #parts: ModelControllerParts;
  /** The name that was warned about last: typing it again confirms it. */
  #questioned: string | undefined;

  constructor(parts: ModelControllerParts) {
    this.#parts = parts;
  }

  async names(): Promise<string[]> {
    const { models } = await this.#parts.server.call("models/list", {});
    return models.map(modelLabel);
  }

  async open(): Promise<void> {
    this.#show({ kind: "models", models: undefined, problems: [], filter: "", selected: 0 });
    try {
      const { models, problems } = await this.#parts.server.call("models/list", {});
      this.#change({ models, problems });
    } catch (error) {
      this.#change({ models: [], problems: [errorText(error)] });
    }
  }

  /** `PROVIDER/MODEL` where the first part names a provider that is known here, else a model's id. */
  async use(name: string): Promise<void> {
    const { models } = await this.#parts.server.call("models/list", {}).catch(() => ({ models: [] as ModelView[] }));
    const found =
      models.find((each) => modelLabel(each) === name) ??
      models.find(({ model, aliases }) => model === name || aliases?.includes(name));
    const chosen = found ?? (await this.#resolved(name));
    if ("problem" in chosen) {
      this.#say("error", chosen.problem);
      return;
    }
    const warning = found || this.#questioned === name ? undefined : nameWarning(chosen, models);
    this.#questioned = warning && name;
    if (warning) this.#say("warning", warning);
    else await this.#choose(chosen);
  }

  /** The provider that would answer for a name that no list has. */
  async #resolved(model: string): Promise<Chosen | { problem: string }> {
    const { server, store } = this.#parts;
    const hud = await server.call("hud/get", { cwd: store.get().cwd, config: { model } });
    if (hud.problem !== undefined) return { problem: hud.problem };
    return hud.model && hud.provider ? { provider: hud.provider, model: hud.model } : { model };
  }

  take(event: InputEvent): boolean {
    const { overlay } = this.#parts.store.get();
    if (overlay?.kind !== "models") return false;
    if (event.type === "key") this.#key(event, overlay);
    return true;
  }

  #key(key: KeyEvent, picker: ModelPicker): void {
    const shown = shownModels(picker);
    const isTyped = key.text !== "";
    const moved = isTyped ? undefined : listMoved(key, picker.selected, shown.length);
    if (key.name === "escape") this.#show(undefined);
    else if (moved !== undefined) this.#change({ selected: moved });
    else if (modelKeys.idOf(key) === "choose") this.#use(shown[picker.selected]);
    else if (key.name === "backspace") this.#change({ filter: picker.filter.slice(0, -1), selected: 0 });
    else if (isTyped) this.#change({ filter: picker.filter + key.text, selected: 0 });
  }

  #use(model: ModelView | undefined): void {
    if (!model) return;
    this.#show(undefined);
    this.#choose(model).catch((error: unknown) =>
      this.#say("error", `The model could not be changed: ${errorText(error)}`),
    );
  }

  async #choose({ provider, model }: Chosen): Promise<void> {
    const { server, configure } = this.#parts;
    await configure({ model, ...(provider ? { provider } : {}) });
    this.#say("info", `The model is now ${provider ? `${provider}/` : ""}${model}.`);
    const edits = [{ key: "model", value: model }, ...(provider ? [{ key: "provider", value: provider }] : [])];
    try {
      await server.call("settings/set", { edits });
      this.#parts.chosen();
    } catch (error) {
      this.#say("warning", `It is used here, but could not be kept for later sessions: ${errorText(error)}`);
    }
  }

  #change(changes: Partial<Omit<ModelPicker, "kind">>): void {
    const { overlay } = this.#parts.store.get();
    if (overlay?.kind !== "models") return;
    const next = { ...overlay, ...changes };
    this.#show({ ...next, selected: within(next.selected, shownModels(next).length) });
  }

  #show(overlay: ModelPicker | undefined): void {
    this.#parts.store.dispatch({ type: "overlayShown", overlay });
  }

  #say(severity: "info" | "warning" | "error", text: string): void {
    this.#parts.store.dispatch({ type: "noted", note: { severity, text } });
  }
}
