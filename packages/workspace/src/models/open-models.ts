import { randomBytes } from "node:crypto";
import type { WaitingServer } from "@harness/protocol";
import { KnownSecrets, openCapabilities, openCredentials } from "@harness/storage";
import type { Bootstrap } from "../bootstrap.ts";
import { type LoginUpdate, PendingLogins } from "../credentials/pending-logins.ts";
import { ProviderCredentials } from "../credentials/provider-credentials.ts";
import { nodeClock } from "../system/node-clock.ts";
import type { Workspace } from "../workspace.ts";
import { EmbedderCatalog } from "./embedder-catalog.ts";
import { ModelCatalog } from "./model-catalog.ts";
import { LocalModelFiles } from "./model-files.ts";
import { ModelSources } from "./model-sources.ts";
import { RerankerCatalog } from "./reranker-catalog.ts";
import type { SpendRecorder } from "./spend-recorder.ts";

type ModelOptions = {
  version: string;
  /** The workspace of the server's own folder. */
  own(): Workspace;
  spend: SpendRecorder;
  onLoginEnd(update: LoginUpdate): void;
  onWaiting(servers: WaitingServer[]): void;
};

/** The choice of models, and the keys and logins that it needs: one per process, not per folder. */
export function openModels(base: Bootstrap, { version, own, spend, onLoginEnd, onWaiting }: ModelOptions) {
  const { machine, configPaths, report, egress } = base;
  const { home, env } = machine;
  const clock = nodeClock;
  const capabilities = openCapabilities(configPaths);
  const sources: ModelSources = new ModelSources({
    folders: { root: configPaths.root, home },
    env,
    own,
    credentials: () => credentials,
    capabilities,
    clock,
    onWaiting,
  });
  const files = new LocalModelFiles({ root: configPaths.root, home });
  const models = new ModelCatalog({ sources, files, capabilities, spend, clock, harness: { home, version } });
  const embedders = new EmbedderCatalog({ sources, files });
  const rerankers = new RerankerCatalog(sources);
  const secrets = new KnownSecrets();
  const stored = openCredentials(configPaths, {
    clock,
    keyring: () => own().settings.load().values.keyring,
    onSecrets: (found) => secrets.add(found),
  });
  const ownEgress = egress.guarding(() => own().settings.values.local_only);
  const credentials = new ProviderCredentials({
    stored: { credentials: stored, secrets },
    env: {
      real: env,
      withFiles() {
        const { env: variables, paths } = own().settings.environment;
        return { env: variables, from: paths.join(" or ") };
      },
    },
    vendors: () => sources.addressedVendors(),
    clock,
    egress: ownEgress,
    onChange: () => models.forget(),
    report,
  });
  const logins = new PendingLogins({
    credentials,
    stored,
    env: () => own().settings.environment.env,
    clock,
    egress: ownEgress,
    onEnd: onLoginEnd,
    newId: () => randomBytes(8).toString("hex"),
  });
  return { models, embedders, rerankers, credentials, logins };
}
