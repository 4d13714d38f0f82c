import type { GateSettings } from "@harness/gate";
import { type Settings, stricter } from "@harness/protocol";
import type { LoadedEnv } from "@harness/providers/env";
import { type LoadedSettings, loadSettings, settingsFiles, stateOfFiles, unreadSettings } from "@harness/storage";
import type { FolderTrust } from "../trust/folder-trust.ts";
import type { EnvFiles } from "./env-files.ts";
import type { SettingsStore } from "./settings-store.ts";

export type FolderSettingsOptions = {
  store: Pick<SettingsStore, "configPaths" | "stamps" | "lastGood" | "moment">;
  envFiles: Pick<EnvFiles, "environment" | "with" | "paths">;
  trust: Pick<FolderTrust, "isTrusted">;
};

type CachedSettings = { moment: object; state: string; loaded: LoadedSettings; gate: GateSettings };

/** The settings that apply in a folder, and its environment. Read again whenever the user has edited a file. */
export class FolderSettings {
  readonly #folder: string;
  readonly #options: FolderSettingsOptions;
  #known: CachedSettings | undefined;

  constructor(folder: string, options: FolderSettingsOptions) {
    this.#folder = folder;
    this.#options = options;
  }

  /** The current settings of the files, in a new object. */
  load(): LoadedSettings {
    const { store, trust } = this.#options;
    const { configPaths, lastGood } = store;
    const { env, problems } = this.environment;
    const isTrusted = (file: string) => trust.isTrusted(file);
    const loaded = loadSettings({ configPaths, cwd: this.#folder, env, flags: {}, lastGood, isTrusted });
    return { ...loaded, problems: [...loaded.problems, ...problems, ...unreadSettings(configPaths, env)] };
  }

  /** The same for frequent callers: costs a check per file as long as none has changed. */
  get current(): LoadedSettings {
    return this.#look().loaded;
  }

  get values(): Settings {
    return this.#look().loaded.values;
  }

  /** The current settings of the gate. */
  get gate(): GateSettings {
    return this.#look().gate;
  }

  /** Different text after each change that `current` notices. */
  get stamp(): string {
    return this.#look().state;
  }

  /** The files that the settings may come from, including those of the environment. */
  get files(): readonly string[] {
    const { store, envFiles } = this.#options;
    return [...settingsFiles(this.#folder, store.configPaths.settings), ...envFiles.paths];
  }

  /** The variables of the server and of the `.env` files in effect in the folder. */
  get environment(): LoadedEnv {
    return this.#options.envFiles.environment;
  }

  /** The same with more variables, which take precedence. */
  environmentWith(more: Readonly<Record<string, string | undefined>>): LoadedEnv {
    return this.#options.envFiles.with(more);
  }

  #look(): CachedSettings {
    const { store, trust } = this.#options;
    const { now: moment } = store.moment;
    const before = this.#known;
    if (before?.moment === moment) return before;
    // Callers during the read get the previous settings.
    if (before) before.moment = moment;
    const state = stateOfFiles(this.files, {
      stampOf: (file) => store.stamps.of(file),
      // The user's own file always counts.
      isTrusted: (file) => file === store.configPaths.settings || trust.isTrusted(file),
    });
    if (before?.state === state) return before;
    const loaded = heldBack(this.load(), before?.loaded);
    this.#known = { moment, state, loaded, gate: gateOf(loaded, before?.gate) };
    return this.#known;
  }
}

/** While a file that may restrict cannot be read, the permission mode becomes no looser than before. */
function heldBack(loaded: LoadedSettings, before: LoadedSettings | undefined): LoadedSettings {
  if (!before || loaded.unreadable.length === 0) return loaded;
  const permission_mode = stricter("permission_mode", loaded.values.permission_mode, before.values.permission_mode);
  return { ...loaded, values: { ...loaded.values, permission_mode } };
}

/** While a file that may restrict cannot be read, nothing runs without asking, and denied prefixes stay denied. */
function gateOf({ values, unreadable }: LoadedSettings, before: GateSettings | undefined): GateSettings {
  const isRead = unreadable.length === 0;
  const denied = isRead ? [] : (before?.deniedCommandPrefixes ?? []);
  return {
    strict: values.strict || !isRead,
    autoAcceptSafeCommands: values.auto_accept_safe_commands && isRead,
    safeCommandPrefixes: values.safe_command_prefixes,
    deniedCommandPrefixes: [...new Set([...values.denied_command_prefixes, ...denied])],
    ...(isRead ? {} : { unreadable }),
    additionalDirectories: values.additional_directories,
    checkpoints: values.checkpoints,
  };
}
