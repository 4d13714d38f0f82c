import type { SettingView } from "@harness/protocol";
import { errorText } from "../../client/server-errors.ts";
import type { InputEvent, KeyEvent } from "../../input/index.ts";
import { joinLines } from "../../text/index.ts";
import type { ScreenHost } from "../screen.ts";
import { cycled, parsedValue, type SettingsState, settingsSlice } from "./state.ts";

const PLAIN_KEY: KeyEvent = { type: "key", name: "", text: "", ctrl: false, alt: false, shift: false, meta: false };

/** Reads and changes settings; the server checks every value. */
export class SettingsController {
  readonly #host: ScreenHost;

  constructor(host: ScreenHost) {
    this.#host = host;
  }

  async load(): Promise<void> {
    const { store, server } = this.#host;
    try {
      const { settings, path, version, problems } = await server.call("settings/get", { cwd: store.get().cwd });
      this.change({ views: settings, path, version, problems });
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

  /** A key or a paste while a value is typed. */
  take(event: InputEvent, view: SettingView): void {
    const { typeInto } = this.#host.window;
    if (event.type === "paste") typeInto({ ...PLAIN_KEY, text: joinLines(event.text) });
    if (event.type !== "key") return;
    if (event.name === "escape") this.change({ editing: undefined, error: undefined });
    else if (event.name === "enter") this.#submit(view);
    else typeInto(event);
  }

  /** Saves the value after (1) or before (-1) this one. False where there are no choices. */
  cycle(view: SettingView, by: 1 | -1): boolean {
    const next = cycled(view, by);
    if (next !== undefined) void this.save(view, next);
    return next !== undefined;
  }

  #submit(view: SettingView): void {
    const parsed = parsedValue(view, this.#settings.editing ?? "");
    if ("problem" in parsed) this.change({ error: { key: view.key, text: parsed.problem } });
    else void this.save(view, parsed.value);
  }

  async save(setting: SettingView, value: unknown): Promise<void> {
    const { server } = this.#host;
    const { key } = setting;
    if (this.#settings.saving) return;
    this.change({ saving: true, error: undefined, saved: undefined });
    try {
      // `problems` says what happened to a settings file that could not be read.
      const answer: { version: string; problems?: readonly string[] } = await server.call("settings/set", {
        edits: [{ key, value }],
      });
      const saved = [savedText(setting, value), ...(answer.problems ?? [])].join(" ");
      this.change({ saving: false, editing: undefined, version: answer.version, saved });
      // The answer holds only the user's own values; overrides by a project need a reload.
      this.#host.window.changed();
      await this.load();
    } catch (error) {
      this.change({ saving: false, error: { key, text: errorText(error) } });
    }
  }

  change(changes: Partial<SettingsState>): void {
    settingsSlice.change(this.#host.store, { settings: { ...this.#settings, ...changes } });
  }

  get #settings(): SettingsState {
    return settingsSlice.of(this.#host.store.get()).settings;
  }
}

function savedText({ key, takesEffect, overriddenBy }: SettingView, value: unknown): string {
  const saved = value === null ? `${key} is back to its default` : `${key} is saved`;
  const what = `${saved}${takesEffect === "new sessions" ? "; it counts for new sessions" : ""}.`;
  return overriddenBy ? `${what} ${overriddenBy} takes precedence; without it the value takes effect.` : what;
}
