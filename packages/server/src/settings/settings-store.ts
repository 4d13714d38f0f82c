import type { GateSettings } from "@harness/gate";
import { stricter } from "@harness/protocol";
import {
  type ConfigPaths,
  type LoadedSettings,
  loadSettings,
  type Saved,
  type SaveProblem,
  type SettingEdit,
  saveSettings,
  stateOfSources,
} from "@harness/storage";

/** The environment with the variables of `.env` files, and the problems of those files. */
export type InspectedEnv = { env: Record<string, string | undefined>; problems: string[] };

export type SettingsStoreParts = {
  configPaths: ConfigPaths;
  /** The folder that applies where none is named. */
  cwd: string;
  inspectEnv(cwd: string): InspectedEnv;
  /** Is a file that has effect in a folder trusted? */
  isTrusted(cwd: string, file: string): boolean;
};

type Known = { state: string; loaded: LoadedSettings; gate: GateSettings };

/** The settings on disk, read again each time, since a person may edit the file. */
export class SettingsStore {
  readonly #configPaths: ConfigPaths;
  readonly #inspectEnv: (cwd: string) => InspectedEnv;
  readonly #cwd: string;
  readonly #isTrusted: (cwd: string, file: string) => boolean;
  readonly #known = new Map<string, Known>();
  /** Folders whose files were looked at in this turn of the event loop: a call of a tool asks several times in one. */
  readonly #fresh = new Set<string>();

  constructor({ configPaths, cwd, inspectEnv, isTrusted }: SettingsStoreParts) {
    this.#configPaths = configPaths;
    this.#inspectEnv = inspectEnv;
    this.#cwd = cwd;
    this.#isTrusted = isTrusted;
  }

  /** The settings of a folder; without one, of the server's own. */
  load(cwd: string = this.#cwd): LoadedSettings {
    const { env, problems } = this.#inspectEnv(cwd);
    const isTrusted = (file: string) => this.#isTrusted(cwd, file);
    const loaded = loadSettings({ configPaths: this.#configPaths, cwd, env, flags: {}, isTrusted });
    return { ...loaded, problems: [...loaded.problems, ...problems] };
  }

  /**
   * The same for frequent callers: costs a check of each file while none has changed. A changed `.env` alone is not
   * noticed.
   */
  live(cwd: string): LoadedSettings {
    return this.#look(cwd).loaded;
  }

  /** Another text after each change that `live` notices. */
  stamp(cwd: string): string {
    return this.#look(cwd).state;
  }

  /** The current settings of the gate. */
  gate(cwd: string): GateSettings {
    return this.#look(cwd).gate;
  }

  save(edits: SettingEdit[], expectedVersion: string | undefined): Saved | SaveProblem {
    this.#fresh.clear();
    return saveSettings(this.#configPaths, edits, expectedVersion);
  }

  #look(cwd: string): Known {
    const before = this.#known.get(cwd);
    if (before && this.#fresh.has(cwd)) return before;
    if (this.#fresh.size === 0) setImmediate(() => this.#fresh.clear());
    this.#fresh.add(cwd);
    const state = stateOfSources(cwd, this.#configPaths.settings, (file) => this.#isTrusted(cwd, file));
    if (before?.state === state) return before;
    const loaded = heldBack(this.load(cwd), before?.loaded);
    const known = { state, loaded, gate: gateOf(loaded, before?.gate) };
    this.#known.set(cwd, known);
    return known;
  }
}

/** While a file that may restrict cannot be read, the permission mode becomes no looser than it was. */
function heldBack(loaded: LoadedSettings, before: LoadedSettings | undefined): LoadedSettings {
  if (!before || loaded.unreadable.length === 0) return loaded;
  const permission_mode = stricter("permission_mode", loaded.values.permission_mode, before.values.permission_mode);
  return { ...loaded, values: { ...loaded.values, permission_mode } };
}

/**
 * While a file that may restrict cannot be read, nothing runs without asking, and prefixes that were denied stay
 * denied.
 */
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
