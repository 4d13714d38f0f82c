import type { FileStamps } from "@harness/host";
import {
  type ConfigPaths,
  type LastGood,
  type SavedSettings,
  type SaveProblem,
  type SettingEdit,
  saveSettings,
} from "@harness/storage";
import { Moment } from "../system/moment.ts";
import { SettingsWatch } from "./settings-watch.ts";

/** The user's settings files, shared by all folders. */
export class SettingsStore {
  readonly watch = new SettingsWatch();
  /** Ends with each change that this process makes. */
  readonly moment = new Moment();
  /** The values of a file before it became unreadable. */
  readonly lastGood: LastGood = new Map();
  readonly configPaths: ConfigPaths;
  readonly stamps: FileStamps;

  constructor(configPaths: ConfigPaths, stamps: FileStamps) {
    this.configPaths = configPaths;
    this.stamps = stamps;
  }

  save(edits: SettingEdit[], expectedVersion: string | undefined): SavedSettings | SaveProblem {
    this.moment.end();
    this.stamps.forgetMoment();
    const saved = saveSettings(this.configPaths, edits, { expectedVersion, lastGood: this.lastGood });
    // The watch reports changes by others only: the caller announces this one.
    this.watch.seen();
    return saved;
  }
}
