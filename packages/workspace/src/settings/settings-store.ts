import type { GateSettings } from "@harness/gate";
import type { FileStamps } from "@harness/host";
import { stricter } from "@harness/protocol";
import {
  type ConfigPaths,
  type LastGood,
  type LoadedSettings,
  loadSettings,
  type SavedSettings,
  type SaveProblem,
  type SettingEdit,
  saveSettings,
  settingsFiles,
  stateOfFiles,
  unreadSettings,
} from "@harness/storage";
import { SettingsWatch } from "./settings-watch.ts";

/** The environment with the variables of `.env` files, and the problems of those files. */
type InspectedEnv = { env: Record<string, string | undefined>; problems: string[] };

type SettingsStoreDeps = {
  configPaths: ConfigPaths;
  /** The folder that applies where none is named. */
  cwd: string;
  environment: {
    inspect(cwd: string): InspectedEnv;
    /** The files that it looks at, whether they exist or not. */
    files(cwd: string): readonly string[];
  };
  stamps: FileStamps;
  /** Is a file that has effect in a folder trusted? */
  isTrusted(cwd: string, file: string): boolean;
};

type CachedSettings = { state: string; loaded: LoadedSettings; gate: GateSettings };

/** The settings on disk, read again each time, since a person may edit the file. */
export class SettingsStore {
  readonly watch = new SettingsWatch(this);
  readonly #configPaths: ConfigPaths;
  readonly #environment: SettingsStoreDeps["environment"];
  readonly #stamps: FileStamps;
  readonly #cwd: string;
  readonly #isTrusted: (cwd: string, file: string) => boolean;
  readonly #known = new Map<string, CachedSettings>();
  readonly #lastGood: LastGood = new Map();
  /** Folders whose files were looked at in this turn of the event loop: a call of a tool asks several times in one. */
  readonly #fresh = new Set<string>();

  constructor({ configPaths, cwd, environment, stamps, isTrusted }: SettingsStoreDeps) {
    this.#configPaths = configPaths;
    this.#environment = environment;
    this.#stamps = stamps;
    this.#cwd = cwd;
    this.#isTrusted = isTrusted;
  }

  /** The settings of a folder; without one, of the server's own. */
  load(cwd: string = this.#cwd): LoadedSettings {
    const { env, problems } = this.#environment.inspect(cwd);
    const isTrusted = (file: string) => this.#isTrusted(cwd, file);
    const [configPaths, lastGood] = [this.#configPaths, this.#lastGood];
    const loaded = loadSettings({ configPaths, cwd, env, flags: {}, lastGood, isTrusted });
    return { ...loaded, problems: [...loaded.problems, ...problems, ...unreadSettings(configPaths, env)] };
  }

  /** The same for frequent callers: costs a check of each file while none has changed. */
  live(cwd: string): LoadedSettings {
    return this.#look(cwd).loaded;
  }

  /** Another text after each change that `live` notices. */
  stamp(cwd: string): string {
    return this.#look(cwd).state;
  }

  /** The files that the settings of a folder may come from, with those of its environment. */
  files(cwd: string): string[] {
    return [...settingsFiles(cwd, this.#configPaths.settings), ...this.#environment.files(cwd)];
  }

  /** The current settings of the gate. */
  gate(cwd: string): GateSettings {
    return this.#look(cwd).gate;
  }

  save(edits: SettingEdit[], expectedVersion: string | undefined): SavedSettings | SaveProblem {
    this.#fresh.clear();
    this.#stamps.forgetMoment();
    const saved = saveSettings(this.#configPaths, edits, { expectedVersion, lastGood: this.#lastGood });
    // Who saves says so.
    this.watch.seen();
    return saved;
  }

  #look(cwd: string): CachedSettings {
    const before = this.#known.get(cwd);
    if (before && this.#fresh.has(cwd)) return before;
    if (this.#fresh.size === 0) setImmediate(() => this.#fresh.clear());
    this.#fresh.add(cwd);
    const state = stateOfFiles(this.files(cwd), {
      stampOf: (file) => this.#stamps.of(file),
      // The person's own file counts in any case.
      isTrusted: (file) => file === this.#configPaths.settings || this.#isTrusted(cwd, file),
    });
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
