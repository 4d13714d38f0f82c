import { homedir } from "node:os";
import { inspectEnv, type LoadedEnv } from "@harness/providers/env";
import { closePlaces, openLogFile, type Places, placesOf } from "@harness/storage";
import { EgressDesk } from "./egress/egress-guard.ts";
import { SettingsDesk } from "./settings/settings-store.ts";
import { nodeClock } from "./system/node-clock.ts";
import { TrustDesk } from "./trust/folder-trust.ts";

type Env = Readonly<Record<string, string | undefined>>;

export type GroundOptions = {
  /** The folder whose settings and `.env` hold where a request names none. */
  cwd: string;
  env: Env;
  /** The content of that folder that a person trusts while this server runs. */
  trustedHash?: string | undefined;
};

/** What all rooms of a server stand on. */
export type Ground = {
  home: string;
  places: Places;
  report(error: unknown, where: string): void;
  trust: TrustDesk;
  /** The environment of a folder with its files; `more` stands before it. */
  inspect(folder: string, more?: Env): LoadedEnv;
  settings: SettingsDesk;
  egress: EgressDesk;
};

/** Closes the places to others; reads nothing of the folder yet, but what `trustedHash` is about. */
export function layGround({ cwd, env, trustedHash }: GroundOptions): Ground {
  const home = env.HOME ?? homedir();
  const places = placesOf(env, home);
  closePlaces(places);
  const logFile = openLogFile(places);
  const trust = new TrustDesk({ places, home, clock: nodeClock });
  if (trustedHash !== undefined) trust.trustForNow(cwd, trustedHash);
  const vouches = (folder: string, file: string) => trust.vouches(folder, file);
  const inspect = (folder: string, more: Env = {}): LoadedEnv => {
    const vouched = (file: string) => vouches(folder, file);
    const { untrusted, ...loaded } = inspectEnv(
      folder,
      { ...env, ...more },
      { home, configFolder: places.root, vouched },
    );
    return untrusted !== undefined && trust.matters(folder, untrusted) ? { ...loaded, untrusted } : loaded;
  };
  const settings = new SettingsDesk(places, inspect, cwd, vouches);
  return {
    home,
    places,
    report: (error, where) =>
      logFile.write("error", where, error instanceof Error ? (error.stack ?? error.message) : String(error)),
    trust,
    inspect,
    settings,
    egress: new EgressDesk({
      clock: nodeClock,
      localOnly: (folder) => settings.live(folder).values.local_only,
    }),
  };
}
