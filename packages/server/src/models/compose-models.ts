import { randomBytes } from "node:crypto";
import type { LoadedEnv } from "@harness/providers/env";
import { type CapabilityCards, KnownSecrets, openCards, openCredentials, type Places } from "@harness/storage";
import { type LoginUpdate, PendingLogins } from "../credentials/pending-logins.ts";
import { ProviderCredentials } from "../credentials/provider-credentials.ts";
import type { EgressGuard } from "../egress/egress-guard.ts";
import type { SettingsStore } from "../settings/settings-store.ts";
import { nodeClock } from "../system/node-clock.ts";
import type { FolderTrust } from "../trust/folder-trust.ts";
import { ModelCatalog } from "./model-catalog.ts";
import { ModelFiles } from "./model-files.ts";
import { ModelSources } from "./model-sources.ts";
import type { SpendDesk } from "./spend-desk.ts";

type Env = Readonly<Record<string, string | undefined>>;

export type ModelRoomParts = {
  version: string;
  cwd: string;
  env: Env;
  home: string;
  places: Places;
  settings: SettingsStore;
  /** The environment of a folder with its files; `more` stands before it. */
  inspect(folder: string, more?: Env): LoadedEnv;
  trust: FolderTrust;
  spend: SpendDesk;
  egress: EgressGuard;
  onLoginEnd(update: LoginUpdate): void;
  report(error: unknown, where: string): void;
};

export type ModelRoom = {
  models: ModelCatalog;
  credentials: ProviderCredentials;
  logins: PendingLogins;
  cards: CapabilityCards;
};

/** All that chooses models, and lets requests in. */
export function composeModels({
  cwd,
  env,
  home,
  places,
  settings,
  inspect,
  trust,
  spend,
  egress,
  onLoginEnd,
  report,
  version,
}: ModelRoomParts): ModelRoom {
  const clock = nodeClock;
  const cards = openCards(places);
  const sources: ModelSources = new ModelSources({
    root: places.root,
    home,
    env,
    cwd,
    envFor: inspect,
    trust,
    credentials: () => credentials,
    cards,
    clock,
    egress,
  });
  const files = new ModelFiles({ root: places.root, home });
  const models = new ModelCatalog({ settings, sources, files, cards, spend, home, version, clock });
  const secrets = new KnownSecrets();
  const kept = openCredentials(places, {
    clock,
    keyring: () => settings.load().values.keyring,
    onSecrets: (found) => secrets.add(found),
  });
  const credentials = new ProviderCredentials({
    credentials: kept,
    env,
    fileEnv: () => {
      const inspected = inspect(cwd);
      return { env: inspected.env, from: inspected.paths.join(" or ") };
    },
    vendors: () => sources.vendors(),
    secrets,
    clock,
    egress: egress.at(cwd),
    onChange: () => models.forget(),
    report,
  });
  const logins = new PendingLogins({
    credentials,
    stored: kept,
    env: () => inspect(cwd).env,
    clock,
    egress: egress.at(cwd),
    onEnd: onLoginEnd,
    newId: () => randomBytes(8).toString("hex"),
  });
  return { models, credentials, logins, cards };
}
