import type { ModelView } from "@harness/protocol";
import { errorText } from "../../client/server-errors.ts";
import type { WindowHost } from "../../client/window-host.ts";
import type { KeyEvent } from "../../input/index.ts";
import { keyTable } from "../../keymap/key-table.ts";
import type { Scope } from "../../keymap/scope.ts";
import { loadProviders } from "../../session/server-catalog.ts";
import type { SessionController } from "../../session/session-controller.ts";
import type { ModelPicker } from "../../state/overlay.ts";
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

/** Lists models and changes to one of them. */
export class ModelController {
  readonly #host: WindowHost;
  readonly #session: SessionController;
  /** The name that was warned about last: typing it again confirms it. */
  #questioned: string | undefined;

  constructor(host: WindowHost, session: SessionController) {
    this.#host = host;
    this.#session = session;
  }

  async names(): Promise<string[]> {
    const { models } = await this.#host.server.call("models/list", {});
    return models.map(modelLabel);
  }

  async open(): Promise<void> {
    this.#show({ kind: "models", models: undefined, problems: [], filter: "", selected: 0 });
    try {
      const { models, problems } = await this.#host.server.call("models/list", {});
      this.#change({ models, problems });
    } catch (error) {
      this.#change({ models: [], problems: [errorText(error)] });
    }
  }

  /** `PROVIDER/MODEL` where the first part names a provider that is known here, else a model's id. */
  async use(name: string): Promise<void> {
    const { models } = await this.#host.server.call("models/list", {}).catch(() => ({ models: [] as ModelView[] }));
    const found =
      models.find((each) => modelLabel(each) === name) ??
      models.find(({ model, aliases }) => model === name || aliases?.includes(name));
    const chosen = found ?? (await this.#resolved(name));
    if ("problem" in chosen) {
      this.#host.store.note("error", chosen.problem);
      return;
    }
    const warning = found || this.#questioned === name ? undefined : nameWarning(chosen, models);
    this.#questioned = warning && name;
    if (warning) this.#host.store.note("warning", warning);
    else await this.#choose(chosen);
  }

  /** The provider that would answer for a name that no list has. */
  async #resolved(model: string): Promise<Chosen | { problem: string }> {
    const { server, store } = this.#host;
    const hud = await server.call("hud/get", { cwd: store.get().cwd, config: { model } });
    if (hud.problem !== undefined) return { problem: hud.problem };
    return hud.model && hud.provider ? { provider: hud.provider, model: hud.model } : { model };
  }

  readonly take: Scope = (event) => {
    const { overlay } = this.#host.store.get();
    if (overlay?.kind !== "models") return false;
    if (event.type === "key") this.#key(event, overlay);
    return true;
  };

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
      this.#host.store.note("error", `The model could not be changed: ${errorText(error)}`),
    );
  }

  async #choose({ provider, model }: Chosen): Promise<void> {
    const { server } = this.#host;
    await this.#session.configure({ model, ...(provider ? { provider } : {}) });
    this.#host.store.note("info", `The model is now ${provider ? `${provider}/` : ""}${model}.`);
    const edits = [{ key: "model", value: model }, ...(provider ? [{ key: "provider", value: provider }] : [])];
    try {
      await server.call("settings/set", { edits });
      // Notes about the last one are out of date.
      void loadProviders(this.#host);
    } catch (error) {
      this.#host.store.note(
        "warning",
        `It is used here, but could not be kept for later sessions: ${errorText(error)}`,
      );
    }
  }

  #change(changes: Partial<Omit<ModelPicker, "kind">>): void {
    const { overlay } = this.#host.store.get();
    if (overlay?.kind !== "models") return;
    const next = { ...overlay, ...changes };
    this.#show({ ...next, selected: within(next.selected, shownModels(next).length) });
  }

  #show(overlay: ModelPicker | undefined): void {
    this.#host.store.set({ overlay });
  }
}
