import type { SettingView } from "@harness/protocol";
import { wordsOf } from "../../client/harness-client.ts";
import type { ServerLink } from "../../client/server-link.ts";
import type { InputEvent, KeyEvent } from "../../input/index.ts";
import { windowKey } from "../../keymap/window-keys.ts";
import type { Store } from "../../state/store.ts";
import { joinLines } from "../../text/index.ts";
import { listMoved } from "../../widgets/list-moves.ts";
import type { KeyDesk } from "./credential-controller.ts";
import { cycled, editableText, parsedValue, type SettingsState, selectedProvider, settingsCount } from "./state.ts";

export type SettingsDeskParts = {
  store: Store;
  link: Pick<ServerLink, "call">;
  /** A key for the text field, which reads keys by itself. */
  typeInto(key: KeyEvent): void;
  keys: KeyDesk;
  close(): void;
  /** Settings were changed: what shows them is old. */
  saved(): void;
};

const PLAIN_KEY: KeyEvent = { type: "key", name: "", text: "", ctrl: false, alt: false, shift: false, meta: false };

/** Reads and changes settings; the server checks every value. */
export class SettingsDesk {
  readonly #parts: SettingsDeskParts;

  constructor(parts: SettingsDeskParts) {
    this.#parts = parts;
  }

  async load(): Promise<void> {
    const { store, link } = this.#parts;
    try {
      const { settings, path, version, problems } = await link.call("settings/get", { cwd: store.get().cwd });
      this.#change({ views: settings, path, version, problems });
    } catch (error) {
      this.#change({ problems: [`The settings could not be read: ${wordsOf(error)}`] });
    }
  }

  /** Reads them anew and says what is wrong with them; without a server nothing is known of them. */
  async tellProblems(): Promise<void> {
    const { store } = this.#parts;
    await this.load();
    const { link, settings } = store.get();
    if (link.status === "failed") return;
    for (const text of settings.problems)
      store.dispatch({ type: "noted", note: { severity: "warning", text, of: "settings" } });
  }

  key(event: InputEvent): void {
    if (event.type !== "key" && event.type !== "paste") return;
    const { store, keys } = this.#parts;
    if (keys.key(event)) return;
    const { settings } = store.get();
    const view = settings.views?.[settings.selected];
    if (settings.editing !== undefined && view) {
      this.#typed(event, view);
      return;
    }
    if (event.type !== "key") return;
    const moved = listMoved(event, settings.selected, settingsCount(store.get()));
    if (moved !== undefined) {
      this.#change({ selected: moved, error: undefined, saved: undefined });
      return;
    }
    if (windowKey(event, "lists") === "close") {
      this.#parts.close();
      return;
    }
    const provider = selectedProvider(store.get());
    if (view) this.#act(event, view);
    else if (provider) keys.act(event, provider);
  }

  /** The field's text; ink-text-input reports it. */
  edit(text: string): void {
    if (this.#parts.store.get().settings.editing !== undefined) this.#change({ editing: text, error: undefined });
  }

  #act(key: KeyEvent, view: SettingView): void {
    const action = windowKey(key, "settings");
    const next = action === "previous" ? cycled(view, -1) : action ? cycled(view, 1) : undefined;
    if (action === "reset") return void this.#save(view, null);
    if (action && next !== undefined) return void this.#save(view, next);
    if (action === "edit") this.#change({ editing: editableText(view), error: undefined, saved: undefined });
  }

  #typed(event: InputEvent, view: SettingView): void {
    const { typeInto } = this.#parts;
    if (event.type === "paste") typeInto({ ...PLAIN_KEY, text: joinLines(event.text) });
    if (event.type !== "key") return;
    if (event.name === "escape") this.#change({ editing: undefined, error: undefined });
    else if (event.name === "enter") this.#submit(view);
    else typeInto(event);
  }

  #submit(view: SettingView): void {
    const parsed = parsedValue(view, this.#parts.store.get().settings.editing ?? "");
    if ("problem" in parsed) this.#change({ error: { key: view.key, text: parsed.problem } });
    else void this.#save(view, parsed.value);
  }

  async #save({ key, overriddenBy }: SettingView, value: unknown): Promise<void> {
    const { link, store } = this.#parts;
    if (store.get().settings.saving) return;
    this.#change({ saving: true, error: undefined, saved: undefined });
    try {
      // What became of a file that could not be read, where the server says so.
      const answer: { version: string; problems?: readonly string[] } = await link.call("settings/set", {
        edits: [{ key, value }],
      });
      const saved = [savedText(key, value, overriddenBy), ...(answer.problems ?? [])].join(" ");
      this.#change({ saving: false, editing: undefined, version: answer.version, saved });
      // The answer holds the user's values; what a project says about them only a new read tells.
      this.#parts.saved();
      await this.load();
    } catch (error) {
      this.#change({ saving: false, error: { key, text: wordsOf(error) } });
    }
  }

  #change(settings: Partial<SettingsState>): void {
    this.#parts.store.dispatch({ type: "settingsChanged", settings });
  }
}

function savedText(key: string, value: unknown, overriddenBy: string | undefined): string {
  const what = value === null ? `${key} is back to its default.` : `${key} is saved.`;
  return overriddenBy ? `${what} ${overriddenBy} is stronger: it takes effect without that.` : what;
}
