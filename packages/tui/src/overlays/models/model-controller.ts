import { errorText, type SetupOption, setupOptions } from "@harness/client";
import type { ModelView } from "@harness/protocol";
import type { WindowHost } from "../../client/window-host.ts";
import { type InputEvent, type KeyEvent, TextBuffer } from "../../input/index.ts";
import { modelKeys, setupKeys } from "../../keymap/overlay-keys.ts";
import type { KeyScope } from "../../keymap/scope.ts";
import { loadProviders } from "../../session/server-catalog.ts";
import type { SessionController } from "../../session/session-controller.ts";
import { closestNames } from "../../text/closest-names.ts";
import { listMoved } from "../../widgets/list-moves.ts";
import { clampSelection } from "../../widgets/list-slice.ts";
import { SetupController } from "./setup-controller.ts";
import { modelLabel, type PickerEntry, pickerEntries, wantedName } from "./shown-models.ts";
import { type ModelPicker, modelPicker } from "./state.ts";

type ChosenModel = { provider?: string; model: string };
/** A model of a provider that is not downloaded yet. */
type MissingModel = { provider: string; model: string };

/** A warning about a name that its provider does not list. Not every list is complete, so it is only a warning. */
function nameWarning({ provider, model }: ChosenModel, models: readonly ModelView[]): string | undefined {
  const known = models.filter((each) => each.provider === provider);
  if (provider === undefined || known.length === 0 || known.some((each) => each.model === model)) return undefined;
  const close = closestNames(
    model,
    known.map((each) => each.model),
  );
  const hint = close.length > 0 ? `Did you mean ${close.join(" or ")}? ` : "";
  const server = known[0]?.place === undefined ? provider : `The server ${known[0].place}`;
  return `${server} lists no model "${model}". ${hint}/model lists the models; repeat the command to use this name anyway.`;
}

/** Lists models and the ways to get one, and switches to one of them. */
export class ModelController {
  readonly #host: WindowHost;
  readonly #session: SessionController;
  readonly #setup: SetupController;
  /** The last name that caused a warning: typing it again confirms it. */
  #questioned: string | undefined;

  constructor(host: WindowHost, session: SessionController) {
    this.#host = host;
    this.#session = session;
    this.#setup = new SetupController(host, {
      page: () => this.#picker?.page,
      show: (page) => this.#change({ page }),
      use: (provider, model) => this.#useOf(provider, model),
      choose: (provider) => this.#listOf(provider),
    });
  }

  /** Shows the list; with `option`, as if the user had chosen it there. */
  async open(option?: SetupOption): Promise<void> {
    const empty = { models: undefined, options: [], page: undefined, problems: [], filter: "", selected: 0 };
    this.#show({ kind: "models", ...empty });
    this.#readOptions();
    if (option) this.#setup.begin(option);
    await this.refresh();
  }

  /** Reloads the models while the list is open. */
  async refresh(): Promise<void> {
    if (!this.#picker) return;
    await loadProviders(this.#host);
    this.#readOptions();
    try {
      const { models, problems } = await this.#host.server.call("models/list", {});
      this.#change({ models, problems });
    } catch (error) {
      this.#change({ models: [], problems: [errorText(error)] });
    }
  }

  /** Reloads the models if the list is in view rather than one of its pages. */
  async refreshList(): Promise<void> {
    if (!this.#picker?.page) await this.refresh();
  }

  /** `PROVIDER/MODEL` if the first part names a known provider, otherwise a model's id. */
  async use(name: string): Promise<void> {
    const { models } = await this.#host.server.call("models/list", {}).catch(() => ({ models: [] as ModelView[] }));
    const found =
      models.find((each) => modelLabel(each) === name) ??
      models.find(({ model, aliases }) => model === name || aliases?.includes(name));
    const chosen = found ?? (await this.#resolved({ model: name }));
    if ("problem" in chosen) {
      if (chosen.missing) await this.#offerPull(chosen.missing, chosen.problem);
      else this.#host.store.note("error", chosen.problem);
      return;
    }
    const warning = found || this.#questioned === name ? undefined : nameWarning(chosen, models);
    this.#questioned = warning && name;
    if (warning) this.#host.store.note("warning", warning);
    else if (found?.loads) await this.#load(found);
    else await this.#choose(chosen);
  }

  /** Removes the saved choice and switches to the model that is used without it, in this window too. */
  async reset(): Promise<void> {
    const { server, store } = this.#host;
    await server.call("settings/set", {
      edits: [
        { key: "provider", value: null },
        { key: "model", value: null },
      ],
    });
    void loadProviders(this.#host);
    const chosen = await this.#resolved({});
    if ("problem" in chosen) return store.note("warning", `No model is chosen now. ${chosen.problem}`);
    await this.#session.configure(chosen);
    store.note(
      "info",
      `No model is chosen now; ${chosen.provider ? `${chosen.provider}/` : ""}${chosen.model} answers.`,
    );
  }

  /** A login has ended, in the browser or elsewhere. */
  loginEnded: SetupController["loginEnded"] = (end) => this.#setup.loginEnded(end);

  /** For a named model that is missing on a server that can download models. */
  async #offerPull({ provider, model }: MissingModel, problem: string): Promise<void> {
    const opened = this.open();
    this.#setup.offerPull({ id: provider, name: this.#nameOf(provider) }, model, problem);
    await opened;
  }

  /** For a model that its server has, but has not loaded into memory. */
  async #load({ provider, model }: MissingModel): Promise<void> {
    const opened = this.#picker ? undefined : this.open();
    this.#setup.load({ id: provider, name: this.#nameOf(provider) }, model);
    await opened;
  }

  #nameOf(provider: string): string {
    const { providers } = this.#host.store.get();
    return providers?.views.find(({ id }) => id === provider)?.name ?? provider;
  }

  /** Progress of a download. */
  pulling: SetupController["pulling"] = (update) => this.#setup.pulling(update);

  /** The model for a name that is in no list, or for a provider alone. */
  async #resolved(choice: {
    model?: string;
    provider?: string;
  }): Promise<ChosenModel | { problem: string; missing?: MissingModel }> {
    const { server, store } = this.#host;
    const hud = await server.call("hud/get", { cwd: store.get().cwd, config: choice });
    if (hud.problem !== undefined) return { problem: hud.problem, ...(hud.missing && { missing: hud.missing }) };
    if (hud.model && hud.provider) return { provider: hud.provider, model: hud.model };
    const { model } = choice;
    return model === undefined ? { problem: `${choice.provider} has no model.` } : { model };
  }

  readonly take: KeyScope = (event) => {
    const picker = this.#picker;
    if (!picker) return false;
    if (picker.page) this.#setup.take(event, picker.page);
    else if (event.type === "paste") {
      if (!this.#setup.pasted(event.text, picker.options)) this.#filter(picker, event);
    } else if (event.type === "key") this.#key(event, picker);
    return true;
  };

  #key(key: KeyEvent, picker: ModelPicker): void {
    const entries = pickerEntries(picker);
    const isTyped = key.text !== "";
    const moved = isTyped ? undefined : listMoved(key, picker.selected, entries.length);
    if (this.#host.lines.keepsOpen(TextBuffer.of(picker.filter), key)) return;
    if (setupKeys.idOf(key) === "back") this.#close();
    else if (moved !== undefined) this.#change({ selected: moved });
    else if (modelKeys.idOf(key) === "choose") this.#take(entries[picker.selected]);
    else this.#filter(picker, key);
  }

  #close(): void {
    const { store } = this.#host;
    this.#show(undefined);
    if (store.get().held !== undefined)
      store.note("info", "Your message stays in the input and is sent once there is a model. /model sets one up.");
  }

  #filter({ filter }: ModelPicker, event: InputEvent): void {
    const next = this.#host.lines.edit(TextBuffer.of(filter), event)?.text.trimStart();
    if (next !== undefined && next !== filter) this.#change({ filter: next, selected: 0 });
  }

  #take(entry: PickerEntry | undefined): void {
    if (!entry) return;
    const picker = this.#picker;
    if ("option" in entry) this.#setup.begin(entry.option, picker && wantedName(picker, entry.option));
    else if (entry.model.loads) void this.#load(entry.model);
    else void this.#taken(entry.model);
  }

  async #taken(model: ChosenModel): Promise<void> {
    this.#show(undefined);
    await this.#choose(model).catch((error: unknown) =>
      this.#host.store.note("error", `The model could not be changed: ${errorText(error)}`),
    );
  }

  /** Rejects with the reason if the provider's default model is not known. */
  async #useOf(provider: string, model: string | undefined): Promise<void> {
    const chosen = model === undefined ? await this.#resolved({ provider }) : { provider, model };
    if ("problem" in chosen) throw new Error(chosen.problem);
    await this.#taken(chosen);
  }

  async #listOf(provider: string): Promise<void> {
    this.#change({ page: undefined, filter: `${provider}/`, selected: 0, models: undefined });
    await this.refresh();
  }

  async #choose({ provider, model }: ChosenModel): Promise<void> {
    const { server } = this.#host;
    await this.#session.configure({ model, ...(provider ? { provider } : {}) });
    this.#host.store.note("info", `The model is now ${provider ? `${provider}/` : ""}${model}.`);
    const edits = [{ key: "model", value: model }, ...(provider ? [{ key: "provider", value: provider }] : [])];
    try {
      await server.call("settings/set", { edits });
      // Notes about the previous provider are out of date.
      void loadProviders(this.#host);
    } catch (error) {
      this.#host.store.note(
        "warning",
        `It is used here, but could not be saved for later sessions: ${errorText(error)}`,
      );
    }
  }

  #readOptions(): void {
    const { providers, hud } = this.#host.store.get();
    this.#change({ options: setupOptions(providers?.views ?? [], { localOnly: hud?.localOnly === true }) });
  }

  get #picker(): ModelPicker | undefined {
    return modelPicker.of(this.#host.store.get());
  }

  #change(changes: Partial<Omit<ModelPicker, "kind">>): void {
    const picker = this.#picker;
    if (!picker) return;
    const next = { ...picker, ...changes };
    this.#show({ ...next, selected: clampSelection(next.selected, pickerEntries(next).length) });
  }

  #show(overlay: ModelPicker | undefined): void {
    this.#host.store.set({ overlay });
  }
}
