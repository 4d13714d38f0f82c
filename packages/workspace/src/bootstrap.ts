import { homedir } from "node:os";
import { FileStamps, sweepDrafts } from "@harness/host";
import { type ConfigPaths, closeConfigFolder, configPathsOf, openLogFile } from "@harness/storage";
import { EgressGuard } from "./egress/egress-guard.ts";
import { SettingsStore } from "./settings/settings-store.ts";
import { startMemoryLines } from "./system/memory-lines.ts";
import { nodeClock } from "./system/node-clock.ts";

type Env = Readonly<Record<string, string | undefined>>;

export type BootstrapOptions = {
  /** The folder whose settings and `.env` apply if a request names no folder. */
  cwd: string;
  env: Env;
  /** The hash of that folder's content, which the user trusts while this server runs. */
  trustedHash?: string | undefined;
};

/** The parts that every other part of a server needs, whatever the folder. */
export type Bootstrap = {
  /** The user's home, and the server's folder and environment. */
  machine: { home: string; cwd: string; env: Env };
  configPaths: ConfigPaths;
  /** Stamps of the files of settings, rules and extensions. */
  stamps: FileStamps;
  settings: SettingsStore;
  egress: EgressGuard;
  report(error: unknown, where: string): void;
};

/** Makes the folders of harness private. Reads nothing in the working folder. */
export function bootstrap({ cwd, env }: BootstrapOptions): Bootstrap {
  const home = env.HOME ?? homedir();
  const configPaths = configPathsOf(env, home);
  closeConfigFolder(configPaths);
  sweepDrafts(configPaths.root);
  const logFile = openLogFile(configPaths);
  startMemoryLines(env, logFile);
  const stamps = new FileStamps();
  return {
    machine: { home, cwd, env },
    configPaths,
    stamps,
    settings: new SettingsStore(configPaths, stamps),
    egress: new EgressGuard({ clock: nodeClock, lookup: undefined }),
    report: (error, where) =>
      logFile.write("error", where, error instanceof Error ? (error.stack ?? error.message) : String(error)),
  };
}
