import type { Egress } from "@harness/core";
import type { Clock } from "@harness/gate";
import type { Logins, StoredAccess, Vendor } from "@harness/providers";
import type { LoginSession } from "@harness/providers/login";
import type { CredentialSummary, Credentials } from "@harness/storage";
import { variableOf } from "./key-variable.ts";

type Env = Readonly<Record<string, string | undefined>>;

type CredentialResolverDeps = {
  credentials: Credentials;
  /** The real environment, which takes precedence over stored keys. */
  env: Env;
  /** The environment with the `.env` files of the server's folder. */
  fileEnv(): { env: Env };
  vendors(): Promise<readonly Vendor[]>;
  clock: Clock;
  egress: Egress;
  report(error: unknown, where: string): void;
};

/** Stored keys and logins, by the vendor that may use them. */
export type ResolvedCredentials = {
  logins: Logins;
  /** Keys as variables, the only form that provider programs understand. */
  programKeys: Readonly<Record<string, string>>;
  /** Why stored credentials cannot be used, in sentences. */
  problems: string[];
};

/** Gives each stored key only to the vendor and the host that it was saved for. */
export class CredentialResolver {
  readonly #deps: CredentialResolverDeps;
  readonly #sessions = new Map<string, LoginSession>();
  readonly #unsaved = new Map<string, string>();
  readonly #reported = new Set<string>();

  constructor(deps: CredentialResolverDeps) {
    this.#deps = deps;
  }

  /** Why renewed logins could not be saved, in sentences. */
  get unsavedLogins(): string[] {
    return [...this.#unsaved.values()];
  }

  /** Reads the keyring only if a key in it is needed, and reads no secret of a login. */
  async resolve(): Promise<ResolvedCredentials> {
    const { credentials, problems } = this.#deps.credentials.list();
    const vendors = credentials.length === 0 ? [] : await this.#deps.vendors();
    const accesses = new Map<string, StoredAccess>();
    await Promise.all(
      credentials.map(async (kept) => {
        const vendor = vendors.find(({ id }) => id === kept.provider);
        if (!vendor || variableOf(vendor, this.#deps.env)) return;
        const access = await this.#accessTo(vendor, kept);
        if (access) accesses.set(vendor.id, access);
      }),
    );
    for (const access of accesses.values()) if ("problem" in access) problems.push(access.problem);
    for (const problem of problems) this.#reportOnce(problem);
    return { logins: (vendorId) => accesses.get(vendorId), programKeys: programKeys(vendors, accesses), problems };
  }

  /** Why the key must not be sent to this vendor's host; undefined: it may. */
  async misfit(vendor: Vendor, { provider, type, host }: CredentialSummary): Promise<string | undefined> {
    if (type === "oauth") return undefined;
    const { vendorHost, vendors: builtIn } = await import("@harness/providers");
    const now = vendorHost(vendor);
    const own = builtIn.find(({ id }) => id === provider);
    // Hand-written credential files name no host: such a key belongs to the built-in vendor, if there is one.
    const meant = host ?? (own ? vendorHost(own) : now);
    if (meant === now) return undefined;
    return (
      `The saved key for ${provider} belongs to ${meant} and is not sent to ${now}, the address of ${provider} ` +
      `now. To save one for it: harness auth set ${provider}.`
    );
  }

  /** Drops the cached login of a provider whose credentials have changed. */
  forget(provider: string): void {
    this.#sessions.delete(provider);
    this.#unsaved.delete(provider);
  }

  async #accessTo(vendor: Vendor, kept: CredentialSummary): Promise<StoredAccess | undefined> {
    if (kept.type === "oauth") return vendor.login && this.#session(vendor, vendor.login);
    if (vendor.login) return undefined;
    // A key that names no host is for the user's own providers: a project's could be anywhere.
    if (kept.path !== undefined && vendor.secrets) return undefined;
    const misfit = await this.misfit(vendor, kept);
    if (misfit !== undefined) return { problem: misfit };
    const { credential, problems } = await this.#deps.credentials.get(vendor.id);
    if (credential?.type === "apiKey") return { key: credential.key };
    return problems.length > 0 ? { problem: problems.join(" ") } : undefined;
  }

  async #session({ id, name }: Vendor, row: NonNullable<Vendor["login"]>): Promise<LoginSession> {
    const [{ createLogin }, { loginTokenStore }] = await Promise.all([
      import("@harness/providers/login"),
      import("./login-token-store.ts"),
    ]);
    const { credentials, clock, egress } = this.#deps;
    const known = this.#sessions.get(id);
    if (known) return known;
    const session: LoginSession = createLogin({
      vendor: { id, name, row },
      env: this.#deps.fileEnv().env,
      store: loginTokenStore(credentials, id),
      clock,
      egress,
      onUnsaved: (problem) => {
        if (this.#sessions.get(id) !== session) return;
        if (problem === undefined) this.#unsaved.delete(id);
        else this.#unsaved.set(id, problem);
        if (problem !== undefined) this.#reportOnce(problem);
      },
    });
    this.#sessions.set(id, session);
    return session;
  }

  #reportOnce(problem: string): void {
    if (this.#reported.has(problem)) return;
    this.#reported.add(problem);
    this.#deps.report(new Error(problem), "credentials");
  }
}

/** A variable shared by two vendors is omitted: it would give the key of one to the other. */
function programKeys(vendors: readonly Vendor[], accesses: ReadonlyMap<string, StoredAccess>): Record<string, string> {
  const keys: Record<string, string> = {};
  for (const { id, program, keyEnv } of vendors) {
    const access = accesses.get(id);
    const sharing = vendors.filter((each) => [each.keyEnv, ...(each.otherKeyEnvs ?? [])].includes(keyEnv));
    if (program !== undefined && access && "key" in access && sharing.length === 1) keys[keyEnv] = access.key;
  }
  return keys;
}
