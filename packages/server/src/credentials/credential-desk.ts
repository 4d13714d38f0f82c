import type { Clock } from "@harness/core";
import { type CredentialView, protocolError, type Result, type ServerMethods } from "@harness/protocol";
import type { Vendor } from "@harness/providers";
import type { LoginSession } from "@harness/providers/login";
import { type CredentialSummary, type Credentials, masked, type NewCredential } from "@harness/storage";

type Env = Readonly<Record<string, string | undefined>>;
type Listed = Result<ServerMethods, "auth/list">;

export type CredentialDeskParts = {
  credentials: Credentials;
  /** The real environment, which stands before what is kept. */
  env: Env;
  /** That with the `.env` files of the server's folder. */
  fileEnv(): { env: Env; from: string };
  vendors(): Promise<readonly Vendor[]>;
  clock: Clock;
  /** Runs as soon as keys or logins are others than before. */
  onChange(): void;
};

/** The keys and logins of this person: shown without their secrets, and handed to whom they are meant for. */
export class CredentialDesk {
  private readonly parts: CredentialDeskParts;
  private readonly sessions = new Map<string, LoginSession>();
  /** What requests were given, by variable; also for hiding it wherever it might turn up. */
  private known: Readonly<Record<string, string>> = {};

  constructor(parts: CredentialDeskParts) {
    this.parts = parts;
  }

  /** The keys that are kept, as the variables they stand for. Asks the keyring where one of them lies there. */
  async keys(): Promise<Readonly<Record<string, string>>> {
    const kept = this.parts.credentials.list().credentials.filter(({ type }) => type === "apiKey");
    if (kept.length === 0) return {};
    const vendors = await this.parts.vendors();
    const found = await Promise.all(
      kept.map(async ({ provider }) => {
        const vendor = vendors.find(({ id }) => id === provider);
        if (!vendor || this.variableOf(vendor, this.parts.env)) return [];
        const { credential } = await this.parts.credentials.get(provider);
        return credential?.type === "apiKey" ? [[vendor.keyEnv, credential.key] as const] : [];
      }),
    );
    this.known = Object.fromEntries(found.flat());
    return this.known;
  }

  /** What `keys` gave last. */
  get knownKeys(): Readonly<Record<string, string>> {
    return this.known;
  }

  /** The login at a vendor, if the person has one. Reads no secret. */
  async logins(): Promise<(vendorId: string) => LoginSession | undefined> {
    const vendors = await this.parts.vendors();
    const [{ createLogin }, { tokenShelf }] = await Promise.all([
      import("@harness/providers/login"),
      import("./token-shelf.ts"),
    ]);
    const kept = new Set(
      this.parts.credentials.list().credentials.flatMap(({ type, provider }) => (type === "oauth" ? [provider] : [])),
    );
    return (vendorId) => {
      const vendor = vendors.find(({ id }) => id === vendorId);
      if (!vendor?.login || !kept.has(vendorId)) return undefined;
      const { id, name, login: row } = vendor;
      const store = tokenShelf(this.parts.credentials, id);
      const login =
        this.sessions.get(id) ??
        createLogin({ vendor: { id, name, row }, env: this.parts.fileEnv().env, store, clock: this.parts.clock });
      this.sessions.set(id, login);
      return login;
    };
  }

  async list(provider: string | undefined): Promise<Listed> {
    const vendors = await this.parts.vendors();
    const { credentials, problems } = this.parts.credentials.list();
    const wanted = provider === undefined ? undefined : (await this.vendor(provider)).id;
    const views = vendors.flatMap((vendor) => {
      const kept = credentials.find((each) => each.provider === vendor.id);
      const given = this.givenOf(vendor);
      const isFromFile = given?.source === "dotenv";
      return [
        ...(kept ? [{ ...viewOf(vendor, kept), ...(given && !isFromFile && { unused: true }) }] : []),
        ...(given ? [{ ...given, ...(kept && isFromFile && { unused: true }) }] : []),
      ];
    });
    return {
      credentials: wanted === undefined ? views : views.filter((view) => view.provider === wanted),
      problems,
    };
  }

  async setKey(provider: string, key: string): Promise<Result<ServerMethods, "auth/set">> {
    const vendor = await this.vendor(provider);
    if (vendor.login) {
      throw invalid("provider", `${vendor.name} has no key: log in with \`harness auth login ${vendor.id}\`.`);
    }
    return this.save(vendor, { type: "apiKey", key: key.trim() });
  }

  async remove(provider: string): Promise<Result<ServerMethods, "auth/remove">> {
    // Also of a provider whose file is gone.
    const vendor = await this.find(provider);
    const answer = await this.parts.credentials.remove(vendor?.id ?? provider);
    if ("problem" in answer) throw protocolError("storage_failed", answer.problem);
    this.changed(vendor?.id ?? provider);
    return { removed: answer.removed };
  }

  /** In place of the credential there was. */
  async save(vendor: Vendor, credential: NewCredential): Promise<Result<ServerMethods, "auth/set">> {
    const answer = await this.parts.credentials.set(vendor.id, credential);
    if ("problem" in answer) throw protocolError("storage_failed", answer.problem);
    this.changed(vendor.id);
    return { credential: this.shown(vendor, answer.saved), problems: answer.problems };
  }

  private changed(provider: string): void {
    this.sessions.delete(provider);
    this.known = {};
    this.parts.onChange();
  }

  private shown(vendor: Vendor, saved: CredentialSummary): CredentialView {
    const given = this.givenOf(vendor);
    return { ...viewOf(vendor, saved), ...(given && given.source === "env" && { unused: true }) };
  }

  /** A key that comes from outside. */
  private givenOf(vendor: Vendor): CredentialView | undefined {
    const real = this.variableOf(vendor, this.parts.env);
    const { env, from } = this.parts.fileEnv();
    const found = real ?? this.variableOf(vendor, env);
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

  private variableOf({ keyEnv, otherKeyEnvs = [] }: Vendor, env: Env): { name: string; value: string } | undefined {
    for (const name of [keyEnv, ...otherKeyEnvs]) {
      const value = env[name]?.trim();
      if (value) return { name, value };
    }
    return undefined;
  }

  private async find(provider: string): Promise<Vendor | undefined> {
    const vendors = await this.parts.vendors();
    return vendors.find(({ id, aliases = [] }) => id === provider || aliases.includes(provider));
  }

  /** By id or alias. */
  async vendor(provider: string): Promise<Vendor> {
    const vendor = await this.find(provider);
    if (vendor) return vendor;
    const known = (await this.parts.vendors()).map(({ id }) => id).join(", ");
    throw invalid("provider", `There is no provider ${JSON.stringify(provider)}. There are: ${known}.`);
  }
}

function viewOf({ id, name }: Vendor, kept: CredentialSummary): CredentialView {
  const { type, masked, savedAt, account, expiresAt } = kept;
  return {
    provider: id,
    name,
    kind: type === "oauth" ? "login" : "apiKey",
    masked,
    source: kept.in,
    from: kept.in === "keyring" ? "the system's keyring" : "credentials.json",
    savedAt,
    ...(account !== undefined && { account }),
    ...(expiresAt !== undefined && { expiresAt }),
  };
}

function invalid(path: string, message: string): Error {
  return protocolError("invalid_params", message, { issues: [{ path, message }] });
}
