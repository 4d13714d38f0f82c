import { errorText, type SetupOption } from "@harness/client";
import type { PullUpdate } from "@harness/client/actions";
import type { FoundServer, ProviderView } from "@harness/protocol";
import type { WindowHost } from "../../client/window-host.ts";
import { type InputEvent, TextBuffer } from "../../input/index.ts";
import { setupKeys } from "../../keymap/overlay-keys.ts";
import { dots } from "../../widgets/line-input.ts";
import { listMoved } from "../../widgets/list-moves.ts";
import { LoadFlow } from "./load-flow.ts";
import { type LoginEnd, LoginFlow } from "./login-flow.ts";
import { PullFlow } from "./pull-flow.ts";
import type { SetupPage } from "./setup-page.ts";

/** Lets the pages read and change the list they belong to. */
export type SetupList = {
  page(): SetupPage | undefined;
  show(page: SetupPage | undefined): void;
  /** Uses a model of the provider: the given one, the provider's default, or the one the user picks from several. */
  use(provider: string, model?: string): Promise<void>;
  choose(provider: string): Promise<void>;
};

type TypedPage = Exclude<SetupPage, { kind: "vendors" }>;

/** Long, without spaces, and with digits: nobody pastes a model name like that as a filter. */
const KEY = /^(?=.*\d)[\w.-]{24,}$/;
const EMPTY = { field: TextBuffer.empty, busy: false } as const;
/** The longest key the server accepts. */
const MAX_KEY = 16_384;

/** The pages that lead to a model: key, login, address, file. A key being typed exists only here. */
export class SetupController {
  readonly #host: Pick<WindowHost, "server" | "store" | "clock" | "lines">;
  readonly #list: SetupList;
  readonly #logins: LoginFlow;
  readonly #pulls: PullFlow;
  readonly #loads: LoadFlow;
  #secret = TextBuffer.empty;

  constructor(host: Pick<WindowHost, "server" | "store" | "clock" | "lines">, list: SetupList) {
    this.#host = host;
    this.#list = list;
    this.#logins = new LoginFlow(host.server, list);
    this.#pulls = new PullFlow(host, list);
    this.#loads = new LoadFlow(host, list);
  }

  /** `wanted`: a model name the user has already typed. */
  begin(option: SetupOption, wanted = ""): void {
    this.#secret = TextBuffer.empty;
    if (option.kind === "pull") this.offerPull(option.provider, wanted);
    else if (option.kind === "server") void this.#list.choose(option.provider.id);
    else if (option.kind === "key") this.#list.show({ kind: "vendors", vendors: option.vendors, selected: 0 });
    else if (option.kind === "login") void this.#logins.begin(option.provider);
    else if (option.kind === "file") this.#list.show({ kind: "file", uninstalled: false, ...EMPTY });
    else this.#list.show({ kind: "address", ...EMPTY });
  }

  /**
   * A key pasted into the list is not shown there; the next page asks which vendor it belongs to. False if the text is
   * not a key.
   */
  pasted(text: string, options: readonly SetupOption[]): boolean {
    const option = options.find(({ kind }) => kind === "key");
    if (!option || !KEY.test(text.trim())) return false;
    this.begin(option);
    this.#secret = TextBuffer.of(text.trim());
    return true;
  }

  take(event: InputEvent, page: SetupPage): void {
    const action = event.type === "key" ? setupKeys.idOf(event) : undefined;
    if (page.kind !== "vendors" && this.#host.lines.keepsOpen(this.#lineOf(page), event)) return;
    if (action === "back") this.#back(page);
    else if (page.kind === "vendors") this.#ofVendors(event, page);
    else if (!page.busy && action === "accept") void this.#accept(page);
    else if (!page.busy) this.#typed(event, page);
  }

  offerPull({ id: provider, name }: Pick<ProviderView, "id" | "name">, model: string, problem?: string): void {
    const typed = model.startsWith(`${provider}/`) ? model.slice(provider.length + 1) : model;
    this.#list.show({ kind: "pull", provider, name, ...EMPTY, field: TextBuffer.of(typed), problem });
  }

  /** Lets a server load a model that it has, then uses it. */
  load({ id: provider, name }: Pick<ProviderView, "id" | "name">, model: string): void {
    void this.#accept({ kind: "load", provider, name, model, ...EMPTY, field: TextBuffer.of(model) });
  }

  pulling(update: PullUpdate): void {
    this.#pulls.update(update);
  }

  loginEnded(end: LoginEnd): void {
    this.#logins.ended(end);
  }

  #back(page: SetupPage): void {
    this.#secret = TextBuffer.empty;
    if (page.kind === "login") this.#logins.cancel(page);
    this.#list.show(undefined);
  }

  #ofVendors(event: InputEvent, page: Extract<SetupPage, { kind: "vendors" }>): void {
    if (event.type !== "key") return;
    const vendor = page.vendors[page.selected];
    const moved = listMoved(event, page.selected, page.vendors.length);
    if (moved !== undefined) this.#list.show({ ...page, selected: moved });
    else if (setupKeys.idOf(event) === "accept" && vendor) this.#askForKey(vendor.id, vendor.name);
  }

  /** The text pasted before is the key. */
  #askForKey(provider: string, name: string): void {
    this.#list.show({ kind: "key", provider, name, ...EMPTY, field: TextBuffer.of(dots(this.#secret.text.length)) });
  }

  #lineOf(page: TypedPage): TextBuffer {
    return page.kind === "key" ? this.#secret : page.field;
  }

  #typed(event: InputEvent, page: TypedPage): void {
    if (page.kind === "load") return;
    const edited = this.#host.lines.edit(this.#lineOf(page), event);
    if (!edited) return;
    if (page.kind !== "key") {
      this.#list.show({
        ...page,
        field: edited,
        problem: undefined,
        ...(page.kind === "file" && { uninstalled: false }),
      });
      return;
    }
    this.#secret = edited.text.length > MAX_KEY ? TextBuffer.of(edited.text.slice(0, MAX_KEY)) : edited;
    this.#list.show({ ...page, field: TextBuffer.of(dots(this.#secret.text.length)), problem: undefined });
  }

  /** Sends the input to the server; the page stays open if that fails. */
  async #accept(page: TypedPage): Promise<void> {
    const text = this.#lineOf(page).text.trim();
    if (text === "") return;
    this.#list.show({ ...page, busy: true, problem: undefined });
    try {
      const problem = await this.#carryOut(page, text);
      if (problem !== undefined) this.#stay(page, problem);
    } catch (error) {
      this.#stay(page, errorText(error));
    }
  }

  #carryOut(page: TypedPage, text: string): Promise<string | undefined> {
    if (page.kind === "key") return this.#keep(page, text);
    if (page.kind === "address") return this.#find(text);
    if (page.kind === "file") return this.#addFile(page, text);
    if (page.kind === "pull") return this.#pulls.pull(page, text);
    if (page.kind === "load") return this.#loads.load(page);
    return this.#logins.paste(page, text);
  }

  #stay(page: TypedPage, problem: string): void {
    const now = this.#list.page();
    // The user may have gone back meanwhile.
    if (now?.kind === page.kind) this.#list.show({ ...now, busy: false, progress: undefined, problem } as SetupPage);
  }

  async #keep({ provider }: Extract<SetupPage, { kind: "key" }>, key: string): Promise<string | undefined> {
    if (/\s/.test(key)) return "A key has no spaces.";
    const { server, store } = this.#host;
    const { credential, problems: notes = [] } = await server.call("auth/set", { provider, key });
    const { models, problems } = await server.call("models/list", { provider });
    if (models.length === 0 && problems.length > 0) return problems.join(" ");
    this.#secret = TextBuffer.empty;
    for (const note of notes) store.note("warning", note);
    if (credential.unused)
      store.note("warning", "The key is saved, but an environment variable takes precedence over it.");
    await this.#list.use(provider);
    return undefined;
  }

  async #find(address: string): Promise<string | undefined> {
    const answer = await this.#host.server.call("providers/find", { address });
    if ("problem" in answer) return answer.problem;
    return this.#takeServer(answer.server);
  }

  async #takeServer({ provider, name, address, setting, models, wantsKey }: FoundServer): Promise<string | undefined> {
    if (setting !== undefined) {
      const { settings } = await this.#host.server.call("settings/set", { edits: [{ key: setting, value: address }] });
      const stronger = settings.find(({ key }) => key === setting)?.overriddenBy;
      if (stronger !== undefined) return `The address is saved, but ${stronger} takes precedence. Remove that.`;
    }
    if (wantsKey) this.#askForKey(provider, `${name} at ${address}`);
    else if (models.length === 0)
      return this.#withoutModel(provider, `${name} answers at ${address}, but has no model yet.`);
    else if (models.length === 1) await this.#list.use(provider, models[0]);
    else await this.#list.choose(provider);
    return undefined;
  }

  /** If the server can download models, offers to download one. */
  async #withoutModel(provider: string, problem: string): Promise<string | undefined> {
    const { providers } = await this.#host.server.call("providers/list", {});
    const pulling = providers.find(({ id, pulls }) => id === provider && pulls);
    if (!pulling) return problem;
    this.offerPull(pulling, "", problem);
    return undefined;
  }

  async #addFile({ uninstalled }: Extract<SetupPage, { kind: "file" }>, path: string): Promise<string | undefined> {
    const { model, installed } = await this.#host.server.call("models/add", { path, install: uninstalled });
    if (installed) await this.#list.use(model.provider, model.model);
    else this.#list.show({ kind: "file", field: TextBuffer.of(path), busy: false, uninstalled: true });
    return undefined;
  }
}
