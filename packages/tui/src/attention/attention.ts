import { basename } from "node:path";
import type { InputEvent } from "../input/index.ts";
import type { AppState } from "../state/app-state.ts";
import type { WindowClock } from "../state/clock.ts";
import { subjectOf } from "../state/dialogs.ts";
import { isBusy } from "../state/selectors.ts";
import type { Store } from "../state/store.ts";
import { notificationBytes, type Progress, progress, windowTitle } from "./terminal-signals.ts";

type AttentionDeps = {
  store: Store;
  clock: Pick<WindowClock, "now">;
  env: Readonly<Record<string, string | undefined>>;
  write(data: string): void;
  /** The value of a setting; undefined until the settings are read. */
  setting(key: "notifications" | "notify_after_secs" | "window_title" | "terminal_progress"): unknown;
};

/** For a terminal that does not report focus: typing within this time means that the user is present. */
const PRESENT_MS = 10_000;
const marks: Record<Progress, string> = { none: "", busy: "● ", waiting: "? " };

/**
 * Shows the window's activity outside of the screen: in the terminal's title, its progress, and a notification if
 * nobody is looking.
 */
export class Attention {
  readonly #deps: AttentionDeps;
  readonly #stop: () => void;
  #focused: boolean | undefined;
  #typedAtMs: number;
  #dialogs: ReadonlySet<string> = new Set();
  #busySinceMs: number | undefined;
  #title = "";
  #progress: Progress = "none";
  /** True while another program has the terminal, with its own title. */
  #isPaused = false;

  constructor(deps: AttentionDeps) {
    this.#deps = deps;
    this.#typedAtMs = deps.clock.now();
    this.#stop = deps.store.subscribe(() => this.#react(deps.store.get()));
  }

  /** Input from the terminal shows that the user is there. */
  take(event: InputEvent): void {
    if (event.type === "focus") this.#focused = event.focused;
    else this.#typedAtMs = this.#deps.clock.now();
  }

  /** Another program gets the terminal: only notifications are sent until `again`. */
  pause(): void {
    this.#isPaused = true;
  }

  /** Another program had the terminal: title and progress are sent again. */
  again(): void {
    this.#isPaused = false;
    this.#title = "";
    this.#progress = "none";
    this.#react(this.#deps.store.get());
  }

  /** Resets title and progress. */
  close(): void {
    this.#stop();
    if (this.#title !== "") this.#deps.write(windowTitle(""));
    if (this.#progress !== "none") this.#deps.write(progress("none", this.#deps.env));
  }

  #react(state: AppState): void {
    const busy = isBusy(state);
    const now: Progress = state.dialogs.length > 0 ? "waiting" : busy ? "busy" : "none";
    this.#show(state, now);
    this.#notifyOf(state, busy);
  }

  #notifyOf(state: AppState, busy: boolean): void {
    const dialog = state.dialogs.find(({ id }) => !this.#dialogs.has(id));
    this.#dialogs = new Set(state.dialogs.map(({ id }) => id));
    if (dialog) this.#notify(`Waiting for your answer: ${subjectOf(dialog)}`);
    const { clock, setting } = this.#deps;
    if (busy) {
      this.#busySinceMs ??= clock.now();
      return;
    }
    if (this.#busySinceMs === undefined) return;
    const tookMs = clock.now() - this.#busySinceMs;
    this.#busySinceMs = undefined;
    if (tookMs >= Number(setting("notify_after_secs") ?? Number.POSITIVE_INFINITY) * 1000) this.#notify("Finished.");
  }

  #notify(body: string): void {
    const { clock, env, setting, store, write } = this.#deps;
    const isHere = this.#focused ?? clock.now() - this.#typedAtMs < PRESENT_MS;
    const wanted = setting("notifications");
    if (isHere || wanted === undefined) return;
    const bytes = notificationBytes(wanted, env, { title: `harness ${nameOf(store.get())}`, body });
    if (bytes !== "") write(bytes);
  }

  #show(state: AppState, now: Progress): void {
    if (this.#isPaused) return;
    const { env, setting, write } = this.#deps;
    const hasTitle = setting("window_title") === true;
    const title = hasTitle ? `${marks[now]}${nameOf(state)} · harness` : "";
    if (title !== this.#title) write(windowTitle(title));
    this.#title = title;
    const shown: Progress = setting("terminal_progress") === true ? now : "none";
    if (shown === this.#progress) return;
    this.#progress = shown;
    const bytes = progress(shown, env);
    if (bytes !== "") write(bytes);
  }
}

/** The session's title, or the folder. */
function nameOf({ title, cwd }: AppState): string {
  return title ?? (basename(cwd) || cwd);
}
