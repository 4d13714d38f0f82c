import { existsSync } from "node:fs";
import { dirname, join } from "node:path";
import type { Clock } from "@harness/gate";
import { addressVariables, type WaitingServer } from "@harness/protocol";
import type { ModelResolver, RequestSettings, Sources, Vendor, VendorLocations } from "@harness/providers";
import type { CapabilityStore } from "@harness/storage";
import type { ProviderCredentials } from "../credentials/provider-credentials.ts";
import type { AskedSecrets } from "../trust/secret-decisions.ts";
import type { Workspace } from "../workspace.ts";

type Env = Readonly<Record<string, string | undefined>>;

export type ModelSourcesOptions = {
  /** The configuration folder, and the user's home. */
  folders: { root: string; home: string };
  /** The real environment. */
  env: Env;
  /** The workspace that applies if a request names none. */
  own(): Workspace;
  credentials(): ProviderCredentials;
  capabilities: CapabilityStore;
  clock: Clock;
  /** Called with the local servers that are being waited for. */
  onWaiting(servers: WaitingServer[]): void;
};

/** The sources for the choice of a model, and the problems found in them. */
export type FolderModelSources = Omit<Sources, "memory"> & {
  keyProblems: string[];
  envProblems: string[];
  /** The provider whose address --url gives. */
  urlProvider?: string;
};

/** The sources of vendors, models, keys and capabilities: everything that a choice of a model needs. */
export class ModelSources {
  readonly #options: ModelSourcesOptions;
  #resolver: Promise<ModelResolver> | undefined;
  /** The server at --url. */
  #atUrl: Awaited<ReturnType<ModelResolver["findServer"]>> | undefined;

  constructor(options: ModelSourcesOptions) {
    this.#options = options;
  }

  /** The resolver of this server, loaded on first use. */
  resolver(): Promise<ModelResolver> {
    const { folders, clock, onWaiting } = this.#options;
    this.#resolver ??= import("@harness/providers").then(
      ({ ModelResolver }) => new ModelResolver({ clock, tablePath: join(folders.root, "models.json"), onWaiting }),
    );
    return this.#resolver;
  }

  /** Ends the connections to model servers. */
  async close(): Promise<void> {
    (await this.#resolver)?.close();
  }

  /**
   * Read each time: unchanged files cost only a check. `atUrl`: the provider of the server at --url; without one that
   * server is asked.
   */
  async of(workspace: Workspace, requests: RequestSettings = {}, atUrl?: string): Promise<FolderModelSources> {
    const resolver = await this.resolver();
    const { clock, capabilities } = this.#options;
    const credentials = this.#options.credentials();
    const { logins, programKeys, problems } = await credentials.resolve();
    const { env: found, problems: envProblems, untrusted } = workspace.settings.environmentWith(programKeys);
    const { env, registry, urlProvider } = await this.#placed(workspace, found, atUrl);
    const known = await this.vendors();
    return {
      env,
      clock,
      egress: workspace.safety.egress,
      registry,
      table: resolver.table(),
      // A credential for a vendor in the server's folder is not given to another vendor with the same name.
      logins: (vendorId) => (isSameRow(registry.of(vendorId), known) ? logins(vendorId) : undefined),
      keyProblems: problems,
      envProblems: untrusted === undefined ? envProblems : [...envProblems, untrustedText(untrusted)],
      capabilities: (provider, model, address) => capabilities.read(provider, model, address),
      ...requests,
      ...(urlProvider !== undefined && { urlProvider }),
    };
  }

  /** The environment with the addresses that the user has set, and the additions of --url (HARNESS_URL). */
  async #placed(workspace: Workspace, found: Env, atUrl?: string) {
    const resolver = await this.resolver();
    const { clock, env: real } = this.#options;
    const env = withAddresses(found, addressVariables(workspace.settings.values));
    const registry = await resolver.vendors({ ...this.#places(workspace), env });
    const { HARNESS_URL: url, HARNESS_PROVIDER: provider = atUrl } = real;
    if (!url?.trim()) return { env, registry };
    const sources = { env, clock, registry, egress: workspace.safety.egress };
    // The address belongs to the provider named with it, or else to the server that answers there.
    const named = provider ? registry.of(provider) : await this.#vendorAt(url, sources);
    if (!named) return { env, registry };
    return { env: { ...env, [named.baseUrlEnv]: url, HARNESS_URL: url }, registry, urlProvider: named.id };
  }

  /** Remembered once known; a server that does not answer yet may be any. */
  async #vendorAt(url: string, sources: Omit<Sources, "memory">): Promise<Vendor | undefined> {
    const resolver = await this.resolver();
    const answer = this.#atUrl ?? (await resolver.findServer(url, sources));
    if (!answer.ok) return sources.registry?.of("openai");
    this.#atUrl = answer;
    return answer.vendor;
  }

  /** Changes with keys and logins, even if another harness changes them; costs a check of one file. */
  stamp(): string {
    return this.#options.credentials().stamp();
  }

  /** Changes if the trust in a folder's projects changes, or the grants of their providers. */
  trustStamp({ folder: cwd, safety: { trust } }: Workspace): string {
    const folders = [cwd, ...this.#projectFolders(cwd).filter((folder) => existsSync(folder))];
    return folders.map((folder) => trust.providerStanding(folder)).join("\n");
  }

  /** The secrets that trusted project providers ask for in a folder. Runs provider programs to find out. */
  async secretAccess(workspace: Workspace): Promise<AskedSecrets[]> {
    if (!this.#projectFolders(workspace.folder).some((folder) => existsSync(folder))) return [];
    const { env, registry } = await this.of(workspace);
    const { secretsAsked } = await import("@harness/providers");
    return (registry?.all ?? []).flatMap((vendor) => {
      const { id, file, secrets } = vendor;
      const names = secretsAsked(vendor, env);
      if (!secrets || file === undefined || names.length === 0) return [];
      return [{ provider: id, file, variables: names.map((name) => ({ name, isSet: !!env[name]?.trim() })) }];
    });
  }

  /** The secrets withheld from a project's provider during a test in a folder, with these grants. */
  async withheldFrom(workspace: Workspace, granted: readonly string[]): Promise<(name: string) => boolean> {
    const { env, registry } = await this.of(workspace);
    const { keyNames, needsGrant } = await import("@harness/providers");
    const grounds = { env, keys: keyNames(registry?.all ?? []) };
    return (name) => !granted.includes(name) && needsGrant(name, grounds);
  }

  /** All vendors, including the user's own. */
  async vendors(): Promise<readonly Vendor[]> {
    const { env, own } = this.#options;
    const resolver = await this.resolver();
    return (await resolver.vendors({ ...this.#places(own()), env })).all;
  }

  /** The same with the addresses at which they are reached, because stored keys are tied to these. */
  async addressedVendors(): Promise<readonly Vendor[]> {
    const own = this.#options.own();
    const [all, { env: placed }, { addressed }] = await Promise.all([
      this.vendors(),
      this.#placed(own, own.settings.environment.env),
      import("@harness/providers"),
    ]);
    return all.map((vendor) => addressed(vendor, placed));
  }

  /** The user's own folders, and the project's, whose files have no effect before the project is trusted. */
  #places({ folder, safety: { trust } }: Workspace): Pick<VendorLocations, "folders" | "projects"> {
    return {
      folders: this.#ownFolders(),
      projects: {
        folders: this.#projectFolders(folder),
        isTrusted: (path) => trust.isTrusted(path),
        granted: (path) => trust.grantedTo(path),
      },
    };
  }

  #ownFolders(): string[] {
    const { root, home } = this.#options.folders;
    return [join(home, ".harness", "providers"), join(root, "providers")];
  }

  #projectFolders(cwd: string): string[] {
    const own = this.#ownFolders();
    const all = foldersDownTo(cwd).map((folder) => join(folder, ".harness", "providers"));
    return all.filter((folder) => !own.includes(folder));
  }
}

/** A variable takes precedence over the setting of the same address. */
function withAddresses(env: Env, addresses: Readonly<Record<string, string>>): Record<string, string | undefined> {
  const set = Object.entries(addresses).filter(([name]) => !env[name]?.trim());
  return { ...env, ...Object.fromEntries(set) };
}

/** From the outermost folder to the folder itself: the nearest comes last and wins. */
function foldersDownTo(cwd: string): string[] {
  const folders = [cwd];
  for (let folder = cwd; dirname(folder) !== folder; ) {
    folder = dirname(folder);
    folders.unshift(folder);
  }
  return folders;
}

function isSameRow(row: Vendor | undefined, known: readonly Vendor[]): boolean {
  const other = known.find(({ id }) => id === row?.id);
  return other?.file === row?.file && other?.baseUrl === row?.baseUrl;
}

function untrustedText(path: string): string {
  return `${path} was not read: the folder is not trusted. See what it brings: harness trust`;
}
