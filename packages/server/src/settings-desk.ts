import {
  type LoadedSettings,
  loadSettings,
  type Places,
  type SaveProblem,
  type SettingEdit,
  saveSettings,
} from "@harness/storage";

/** Settings as they stand on disk; read again each time, since a person may edit the file. */
export class SettingsDesk {
  private readonly places: Places;
  private readonly envFor: (cwd: string) => Readonly<Record<string, string | undefined>>;
  private readonly cwd: string;

  constructor(places: Places, envFor: SettingsDesk["envFor"], cwd: string) {
    this.places = places;
    this.envFor = envFor;
    this.cwd = cwd;
  }

  /** Those that hold in a folder; without one, in the server's own. */
  load(cwd: string = this.cwd): LoadedSettings {
    return loadSettings({ places: this.places, cwd, env: this.envFor(cwd), flags: {} });
  }

  save(edits: SettingEdit[], expectedVersion: string | undefined): { version: string } | SaveProblem {
    return saveSettings(this.places, edits, expectedVersion);
  }
}
