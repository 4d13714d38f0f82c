import { homedir } from "node:os";
import { SourceInventory } from "@harness/extensions";
import { FileStamps, sweepDrafts } from "@harness/host";
import type { LoadedEnv } from "@harness/providers/env";
import { type ConfigPaths, closeConfigFolder, configPathsOf, openLogFile } from "@harness/storage";
import { EgressGuard } from "./egress/egress-guard.ts";
import { FolderEnvironments } from "./settings/folder-environments.ts";
import { SettingsStore } from "./settings/settings-store.ts";
import { startMemoryLines } from "./system/memory-lines.ts";
import { nodeClock } from "./system/node-clock.ts";
import { FolderTrust } from "./trust/folder-trust.ts";
import { ownServerNames } from "./trust/own-server-names.ts";

type Env = Readonly<Record<string, string | undefined>>;

export type BootstrapOptions = {
  /** The folder whose settings and `.env` apply where a request names no folder. */
  cwd: string;
  env: Env;
  /** The hash of that folder's content, which the person trusts while this server runs. */
  trustedHash?: string | undefined;
};

/** The parts that every other part of a server needs. */
export type Bootstrap = {
  /** The person's home, and the folder and the environment of the server. */
  machine: { home: string; cwd: string; env: Env };
  configPaths: ConfigPaths;
  /** Of the files that settings, rules and what people bring along are in. */
  stamps: FileStamps;
  report(error: unknown, where: string): void;
  trust: FolderTrust;
  /** What people bring along for a folder. */
  sources: SourceInventory;
  /** The environment of a folder with its `.env` files; `more` takes precedence. */
  inspect(folder: string, more?: Env): LoadedEnv;
  settings: SettingsStore;
  egress: EgressGuard;
};

/** Makes the folders of harness private. Reads nothing of the working folder, except to compare `trustedHash`. */
export function bootstrap({ cwd, env, trustedHash }: BootstrapOptions): Bootstrap {
  const home = env.HOME ?? homedir();
  const configPaths = configPathsOf(env, home);
  closeConfigFolder(configPaths);
  sweepDrafts(configPaths.root);
  const logFile = openLogFile(configPaths);
  startMemoryLines(env, logFile);
  const stamps = new FileStamps();
  const ownServers = (folder: string) =>
    ownServerNames(sources.at(folder).entries, settings.live(folder).values.mcp_servers);
  const trust = new FolderTrust({ configPaths, home, clock: nodeClock, stamps, ownServers });
  if (trustedHash !== undefined) trust.trustForNow(cwd, trustedHash);
  const isTrusted = (folder: string, file: string) => trust.isTrusted(folder, file);
  const places = { home, configFolder: configPaths.root };
  const environment = new FolderEnvironments({ env, places, trust, stamps });
  const settings = new SettingsStore({ configPaths, cwd, environment, stamps, isTrusted });
  const chosenProvider = (folder: string) => settings.live(folder).values.provider;
  const sources = new SourceInventory({ places, stamps, trust, chosenProvider });
  return {
    machine: { home, cwd, env },
    configPaths,
    stamps,
    report: (error, where) =>
      logFile.write("error", where, error instanceof Error ? (error.stack ?? error.message) : String(error)),
    trust,
    sources,
    inspect: (folder, more) => environment.inspect(folder, more),
    settings,
    egress: new EgressGuard({
      clock: nodeClock,
      localOnly: (folder) => settings.live(folder).values.local_only,
      lookup: undefined,
    }),
  };
}
