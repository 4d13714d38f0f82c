import { randomBytes } from "node:crypto";
import type { LoadedEnv } from "@harness/providers/env";
import { type CapabilityCards, KnownSecrets, openCards, openCredentials, type Places } from "@harness/storage";
import { LoginDesk, type LoginUpdate } from "../credentials/pending-logins.ts";
import { CredentialDesk } from "../credentials/provider-credentials.ts";
import type { EgressDesk } from "../egress/egress-guard.ts";
import type { SettingsDesk } from "../settings/settings-store.ts";
import { nodeClock } from "../system/node-clock.ts";
import type { TrustDesk } from "../trust/folder-trust.ts";
import { ModelDesk } from "./model-desk.ts";
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
  settings: SettingsDesk;
  /** The environment of a folder with its files; `more` stands before it. */
  inspect(folder: string, more?: Env): LoadedEnv;
  trust: TrustDesk;
  spend: SpendDesk;
  egress: EgressDesk;
  onLoginEnd(update: LoginUpdate): void;
  report(error: unknown, where: string): void;
};

export type ModelRoom = {
  models: ModelDesk;
  credentials: CredentialDesk;
  logins: LoginDesk;
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
  const cards = openCards(places, { clock });
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
  const models = new ModelDesk({ settings, sources, files, cards, spend, home, version, clock });
  const secrets = new KnownSecrets();
  const kept = openCredentials(places, {
    clock,
    keyring: () => settings.load().values.keyring,
    onSecrets: (found) => secrets.add(found),
  });
  const credentials = new CredentialDesk({
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
  const logins = new LoginDesk({
    desk: credentials,
    credentials: kept,
    env: () => inspect(cwd).env,
    clock,
    egress: egress.at(cwd),
    onEnd: onLoginEnd,
    newId: () => randomBytes(8).toString("hex"),
  });
  return { models, credentials, logins, cards };
}
