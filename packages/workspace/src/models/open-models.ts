import { randomBytes } from "node:crypto";
import { addressVariables, type WaitingServer } from "@harness/protocol";
import { KnownSecrets, openCapabilities, openCredentials } from "@harness/storage";
import type { Bootstrap } from "../bootstrap.ts";
import { type LoginUpdate, PendingLogins } from "../credentials/pending-logins.ts";
import { ProviderCredentials } from "../credentials/provider-credentials.ts";
import { nodeClock } from "../system/node-clock.ts";
import { ModelCatalog, type ResolveModel } from "./model-catalog.ts";
import { LocalModelFiles } from "./model-files.ts";
import { ModelSources } from "./model-sources.ts";
import type { SpendRecorder } from "./spend-recorder.ts";

type ModelOptions = {
  version: string;
  resolveModel: ResolveModel;
  spend: SpendRecorder;
  onLoginEnd(update: LoginUpdate): void;
  onWaiting(servers: WaitingServer[]): void;
};

/** The choice of models, and the keys and logins that it needs. */
export function openModels(base: Bootstrap, { version, resolveModel, spend, onLoginEnd, onWaiting }: ModelOptions) {
  const { machine, configPaths, report, trust, settings, egress, inspect } = base;
  const { home, cwd, env } = machine;
  const clock = nodeClock;
  const capabilities = openCapabilities(configPaths);
  const sources: ModelSources = new ModelSources({
    folders: { root: configPaths.root, home, cwd },
    env: { real: env, of: inspect, addresses: (folder) => addressVariables(settings.live(folder).values) },
    credentials: () => credentials,
    capabilities,
    clock,
    safety: { trust, egress },
    onWaiting,
  });
  const files = new LocalModelFiles({ root: configPaths.root, home });
  const models = new ModelCatalog(
    { settings, sources, files, capabilities, spend, clock, harness: { home, version } },
    resolveModel,
  );
  const secrets = new KnownSecrets();
  const stored = openCredentials(configPaths, {
    clock,
    keyring: () => settings.load().values.keyring,
    onSecrets: (found) => secrets.add(found),
  });
  const withFiles = () => {
    const inspected = inspect(cwd);
    return { env: inspected.env, from: inspected.paths.join(" or ") };
  };
  const credentials = new ProviderCredentials({
    stored: { credentials: stored, secrets },
    env: { real: env, withFiles },
    vendors: () => sources.addressedVendors(),
    clock,
    egress: egress.at(cwd),
    onChange: () => models.forget(),
    report,
  });
  const logins = new PendingLogins({
    credentials,
    stored,
    env: () => inspect(cwd).env,
    clock,
    egress: egress.at(cwd),
    onEnd: onLoginEnd,
    newId: () => randomBytes(8).toString("hex"),
  });
  return { models, credentials, logins };
}
