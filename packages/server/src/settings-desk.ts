import {
  type LoadedSettings,
  loadSettings,
  type Places,
  type Saved,
  type SaveProblem,
  type SettingEdit,
  saveSettings,
} from "@harness/storage";

/** The environment with what a `.env` file adds, and what was wrong with that file. */
export type InspectedEnv = { env: Record<string, string | undefined>; problems: string[] };

/** Settings as they stand on disk; read again each time, since a person may edit the file. */
export class SettingsDesk {
  private readonly places: Places;
  private readonly inspectEnv: (cwd: string) => InspectedEnv;
  private readonly cwd: string;

  constructor(places: Places, inspectEnv: (cwd: string) => InspectedEnv, cwd: string) {
    this.places = places;
    this.inspectEnv = inspectEnv;
    this.cwd = cwd;
  }

  /** Those that hold in a folder; without one, in the server's own. */
  load(cwd: string = this.cwd): LoadedSettings {
    const { env, problems } = this.inspectEnv(cwd);
    const loaded = loadSettings({ places: this.places, cwd, env, flags: {} });
    return { ...loaded, problems: [...loaded.problems, ...problems] };
  }

  save(edits: SettingEdit[], expectedVersion: string | undefined): Saved | SaveProblem {
    return saveSettings(this.places, edits, expectedVersion);
  }
}
