import type { Egress } from "@harness/core";
import type { Clock } from "@harness/gate";
import { type CredentialView, invalidParam, protocolError, type Result, type ServerMethods } from "@harness/protocol";
import type { Vendor } from "@harness/providers";
import {
  type CredentialSummary,
  type Credentials,
  isProviderId,
  type KnownSecrets,
  masked,
  type NewCredential,
  type Redactor,
  secretsIn,
} from "@harness/storage";
import { CredentialResolver, type ResolvedCredentials } from "./credential-resolver.ts";
import { variableOf } from "./key-variable.ts";

type Env = Readonly<Record<string, string | undefined>>;
type CredentialList = Result<ServerMethods, "auth/list">;

type ProviderCredentialsDeps = {
  /** Stored credentials, and all secrets that were ever read or saved. */
  stored: { credentials: Credentials; secrets: KnownSecrets };
  /**
   * The real environment, which takes precedence over stored keys, and the same with the `.env` files of the server's
   * folder.
   */
  env: { real: Env; withFiles(): { env: Env; from: string } };
  vendors(): Promise<readonly Vendor[]>;
  clock: Clock;
  egress: Egress;
  /** Called after keys or logins have changed. */
  onChange(): void;
  report(error: unknown, where: string): void;
};

/** The user's keys and logins: listed without secrets, and given to the vendors that they belong to. */
export class ProviderCredentials {
  readonly #deps: ProviderCredentialsDeps;
  readonly #resolver: CredentialResolver;
  /** Variables that hold keys, including those for vendors whose file was removed. */
  readonly #keyNames = new Set<string>();

  constructor(deps: ProviderCredentialsDeps) {
    this.#deps = { ...deps, vendors: () => this.#vendors(deps) };
    const { stored, env, vendors, clock, egress, report } = this.#deps;
    this.#resolver = new CredentialResolver({
      credentials: stored.credentials,
      env: env.real,
      fileEnv: env.withFiles,
      vendors,
      clock,
      egress,
      report,
    });
  }

  /** Stored keys and logins, by the vendor that may use them. */
  resolve(): Promise<ResolvedCredentials> {
    return this.#resolver.resolve();
  }

  /** True if this vendor has a key, stored or in a variable. Does not read the keyring. */
  has(vendorId: string, variables: readonly string[]): boolean {
    const { env } = this.#deps.env.withFiles();
    if (variables.some((name) => env[name]?.trim())) return true;
    return this.#deps.stored.credentials
      .list()
      .credentials.some((kept) => kept.provider === vendorId && kept.type === "apiKey");
  }

  /** A vendor's key for its default address: from a variable, otherwise the stored one. */
  async keyOf(vendorId: string, variables: readonly string[]): Promise<string | undefined> {
    const { env } = this.#deps.env.withFiles();
    const key = variables.map((name) => env[name]?.trim()).find(Boolean);
    if (key) return key;
    const { logins } = await this.resolve();
    const way = logins(vendorId);
    return way && "key" in way ? way.key : undefined;
  }

  /** Changes with keys and logins, even if another harness changes them. */
  stamp(): string {
    return this.#deps.stored.credentials.stamp();
  }

  /** Hides all secrets known so far, including this environment's. */
  redactor(env: Env): Redactor {
    const { secrets } = this.#deps.stored;
    // Reads credentials that another harness may have renewed meanwhile.
    this.stamp();
    secrets.add(secretsIn(env, this.#keyNames));
    return secrets.redactor;
  }

  async list(provider: string | undefined): Promise<CredentialList> {
    const vendors = await this.#deps.vendors();
    const { credentials, problems } = this.#deps.stored.credentials.list();
    const keptBy = (id: string) => credentials.find((each) => each.provider === id);
    const isGone = ({ provider: id }: CredentialSummary) => !vendors.some((vendor) => vendor.id === id);
    const gone = credentials.filter(isGone).map((kept) => {
      const { provider: id } = kept;
      return { ...viewOf({ id, name: id }, kept), unused: true };
    });
    const known = await Promise.all(vendors.map((vendor) => this.#viewsOf(vendor, keptBy(vendor.id), problems)));
    const views = [...known.flat(), ...gone];
    // If the vendor's file was removed, a stored credential is listed by its id.
    const isOfNobody = provider !== undefined && gone.some((view) => view.provider === provider);
    const wanted = provider === undefined || isOfNobody ? provider : (await this.vendor(provider)).id;
    return {
      credentials: wanted === undefined ? views : views.filter((view) => view.provider === wanted),
      problems: [...problems, ...this.#resolver.unsavedLogins],
    };
  }

  /** A vendor's stored credential and its external one. The reason why one is not used is added to the problems. */
  async #viewsOf(vendor: Vendor, kept: CredentialSummary | undefined, problems: string[]) {
    const view = this.#givenOf(vendor);
    const misfit = kept && (await this.#resolver.misfit(vendor, kept));
    if (misfit !== undefined) problems.push(misfit);
    const isKeptUsed = kept !== undefined && misfit === undefined && view?.source !== "env";
    const views: CredentialView[] = [];
    if (kept) views.push({ ...viewOf(vendor, kept), ...(!isKeptUsed && { unused: true }) });
    if (view) views.push({ ...view, ...(isKeptUsed && { unused: true }) });
    // The credential in use comes first.
    return views.sort((a, b) => Number(a.unused ?? false) - Number(b.unused ?? false));
  }

  async setKey(provider: string, key: string): Promise<Result<ServerMethods, "auth/set">> {
    const vendor = await this.vendor(provider);
    if (vendor.login) {
      throw invalidParam("provider", `${vendor.name} has no key: log in with \`harness auth login ${vendor.id}\`.`);
    }
    const { vendorHost } = await import("@harness/providers");
    return this.save(vendor, { type: "apiKey", key: key.trim(), host: vendorHost(vendor) });
  }

  async remove(provider: string): Promise<Result<ServerMethods, "auth/remove">> {
    // Also works for a provider whose file was removed.
    const vendor = await this.#find(provider);
    if (!vendor && !isProviderId(provider))
      throw invalidParam("provider", `There is no provider ${JSON.stringify(provider)}.`);
    const answer = await this.#deps.stored.credentials.remove(vendor?.id ?? provider);
    if ("problem" in answer) throw protocolError("storage_failed", answer.problem);
    this.#changed(vendor?.id ?? provider);
    const { removed, problems } = answer;
    return { removed, ...(problems.length > 0 && { problems }) };
  }

  /** Replaces the stored credential of the vendor. */
  async save(vendor: Vendor, credential: NewCredential): Promise<Result<ServerMethods, "auth/set">> {
    const answer = await this.#deps.stored.credentials.set(vendor.id, credential);
    if ("problem" in answer) throw protocolError("storage_failed", answer.problem);
    this.#changed(vendor.id);
    return { credential: this.#shown(vendor, answer.saved), problems: answer.problems };
  }

  #changed(provider: string): void {
    this.#resolver.forget(provider);
    this.#deps.onChange();
  }

  #shown(vendor: Vendor, saved: CredentialSummary): CredentialView {
    const view = this.#givenOf(vendor);
    return { ...viewOf(vendor, saved), ...(view && view.source === "env" && { unused: true }) };
  }

  /** A key from the environment or a `.env` file. */
  #givenOf(vendor: Vendor): CredentialView | undefined {
    const real = variableOf(vendor, this.#deps.env.real);
    const { env, from } = this.#deps.env.withFiles();
    const found = real ?? variableOf(vendor, env);
    if (!found) return undefined;
    return {
      provider: vendor.id,
      name: vendor.name,
      kind: vendor.login ? "login" : "apiKey",
      masked: masked(found.value),
      source: real ? "env" : "dotenv",
      from: real ? found.name : `${found.name} in ${from}`,
    };
  }

  async #vendors(deps: ProviderCredentialsDeps): Promise<readonly Vendor[]> {
    const all = await deps.vendors();
    for (const { keyEnv, otherKeyEnvs = [] } of all)
      for (const name of [keyEnv, ...otherKeyEnvs]) this.#keyNames.add(name);
    return all;
  }

  async #find(provider: string): Promise<Vendor | undefined> {
    const vendors = await this.#deps.vendors();
    return vendors.find(({ id, aliases = [] }) => id === provider || aliases.includes(provider));
  }

  /** Finds a vendor by id or alias. */
  async vendor(provider: string): Promise<Vendor> {
    const vendor = await this.#find(provider);
    if (vendor) return vendor;
    const known = (await this.#deps.vendors()).map(({ id }) => id).join(", ");
    throw invalidParam("provider", `There is no provider ${JSON.stringify(provider)}. There are: ${known}.`);
  }
}

function viewOf({ id, name }: Pick<Vendor, "id" | "name">, kept: CredentialSummary): CredentialView {
  const { type, masked, savedAt, account, expiresAt, path = "credentials.json" } = kept;
  return {
    provider: id,
    name,
    kind: type === "oauth" ? "login" : "apiKey",
    masked,
    source: kept.in,
    from: kept.in === "keyring" ? "the system's keyring" : path,
    savedAt,
    ...(account !== undefined && { account }),
    ...(expiresAt !== undefined && { expiresAt }),
  };
}
