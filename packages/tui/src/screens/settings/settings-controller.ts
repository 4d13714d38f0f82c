import { errorText } from "@harness/client";
import type { SettingView } from "@harness/protocol";
import { type InputEvent, TextBuffer } from "../../input/index.ts";
import { sanitiseLine } from "../../text/index.ts";
import type { ScreenHost } from "../screen.ts";
import { type SettingsEntry, shownEntries } from "./entries.ts";
import { editableText, holdsSecret } from "./shown-value.ts";
import { cycled, effectWords, parsedValue, type SettingsState, selectedEntry, settingsSlice } from "./state.ts";

/** Reads and changes settings; the server checks every value. */
export class SettingsController {
  readonly #host: ScreenHost;
  /** Values on their way to the server, the newest of each setting. They are shown at once: the next key starts there. */
  readonly #wanted = new Map<string, { setting: SettingView; value: unknown }>();

  constructor(host: ScreenHost) {
    this.#host = host;
  }

  async load(): Promise<void> {
    const { store, server } = this.#host;
    try {
      const { settings, path, version, problems } = await server.call("settings/get", { cwd: store.get().cwd });
      this.change({ views: settings.map((view) => this.#asWanted(view)), path, version, problems });
    } catch (error) {
      this.change({ problems: [`The settings could not be read: ${errorText(error)}`] });
    }
    store.dispatch({ type: "problemsOfSettings", problems: this.#settings.problems });
  }

  /** Reloads the settings and reports their problems, unless there is no server to ask. */
  async reportProblems(): Promise<void> {
    const { store } = this.#host;
    await this.load();
    if (store.get().link.status === "failed") return;
    for (const text of this.#settings.problems) store.note("warning", text, "settings");
  }

  /** The settings were changed, by this window or otherwise, for example by an edit of the file. */
  async changed(): Promise<void> {
    this.#host.window.changed();
    await this.reportProblems();
  }

  /** Starts editing a value, unless that would show a secret. */
  edit(view: SettingView): void {
    const text = editableText(view);
    const isSecret = holdsSecret(view.own === undefined ? view.value : view.own);
    const where = this.#settings.path || "settings.json";
    const error = isSecret
      ? { key: view.key, text: `It contains a secret, which is not shown. Change it in ${where}.` }
      : undefined;
    const editing = isSecret ? undefined : TextBuffer.of(sanitiseLine(text));
    this.change({ editing, error, saved: undefined });
  }

  /** A key or a paste while a value is typed. */
  take(event: InputEvent, view: SettingView, editing: TextBuffer): void {
    if (this.#host.lines.keepsOpen(editing, event)) return;
    if (event.type === "key" && event.name === "escape") this.change({ editing: undefined, error: undefined });
    else if (event.type === "key" && event.name === "enter") this.#submit(view, editing.text);
    else {
      const next = this.#host.lines.edit(editing, event);
      if (next) this.change({ editing: next, error: undefined });
    }
  }

  /** Shows the rows that contain these words; the marked row stays marked if it is among them. */
  filter(filter: string): void {
    const { store } = this.#host;
    const state = settingsSlice.of(store.get());
    const before = selectedEntry(state);
    const isSame = (entry: SettingsEntry): boolean => before !== undefined && nameOf(entry) === nameOf(before);
    const at = shownEntries({ ...state, settings: { ...state.settings, filter } }).findIndex(isSame);
    const selected = filter === "" ? Math.max(0, at) : 0;
    this.change({ filter, selected, error: undefined, saved: undefined });
  }

  /** Saves the value after (1) or before (-1) this one. Returns false if the setting has no choices. */
  cycle(view: SettingView, by: 1 | -1): boolean {
    const next = cycled(view, by);
    if (next !== undefined) void this.save(view, next);
    return next !== undefined;
  }

  #submit(view: SettingView, text: string): void {
    const parsed = parsedValue(view, text);
    if ("problem" in parsed) this.change({ error: { key: view.key, text: parsed.problem } });
    else void this.save(view, parsed.value);
  }

  /** Saves a value; of values that are chosen while another is saved, the last one. */
  async save(setting: SettingView, value: unknown): Promise<void> {
    this.#wanted.set(setting.key, { setting, value });
    const views = this.#settings.views?.map((view) => this.#asWanted(view));
    this.change({ views, error: undefined, saved: undefined });
    if (this.#settings.saving) return;
    this.change({ saving: true });
    for (let [next] = this.#wanted.values(); next; [next] = this.#wanted.values()) await this.#send(next);
    this.change({ saving: false });
    // The response holds only the user's own values; overrides by a project need a reload.
    await this.load();
  }

  async #send(wanted: { setting: SettingView; value: unknown }): Promise<void> {
    const { server } = this.#host;
    const { setting, value } = wanted;
    const { key } = setting;
    const done = (): void => {
      if (this.#wanted.get(key) === wanted) this.#wanted.delete(key);
    };
    try {
      // `problems` says what happened to a settings file that could not be read.
      const answer: { version: string; problems?: readonly string[] } = await server.call("settings/set", {
        edits: [{ key, value }],
      });
      const saved = [savedText(setting, value), ...(answer.problems ?? [])].join(" ");
      done();
      this.change({ editing: undefined, version: answer.version, saved });
    } catch (error) {
      done();
      this.change({ error: { key, text: errorText(error) } });
    }
  }

  /** A default is known only to the server. */
  #asWanted(view: SettingView): SettingView {
    const { value = null } = this.#wanted.get(view.key) ?? {};
    return value === null ? view : { ...view, value };
  }

  change(changes: Partial<SettingsState>): void {
    settingsSlice.change(this.#host.store, { settings: { ...this.#settings, ...changes } });
  }

  get #settings(): SettingsState {
    return settingsSlice.of(this.#host.store.get()).settings;
  }
}

function nameOf(entry: SettingsEntry): string {
  return entry.kind === "setting" ? entry.view.key : `provider ${entry.provider.id}`;
}

function savedText({ title, takesEffect, overriddenBy }: SettingView, value: unknown): string {
  const saved = value === null ? `${title} is back to its default` : `${title} is saved`;
  if (overriddenBy) return `${saved}, but ${overriddenBy} takes precedence over it.`;
  return `${saved}; it ${effectWords[takesEffect]}.`;
}
