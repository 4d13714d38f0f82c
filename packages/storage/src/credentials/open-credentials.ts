import { createHash, randomUUID } from "node:crypto";
import { join } from "node:path";
import type { Clock } from "@harness/gate";
import {
  brokenCopyNotes,
  type Contents,
  diskProblem,
  fileStamp,
  type Lock,
  lockedProblem,
  type PrivateFile,
  waitForLock,
} from "@harness/host";
import type { ConfigPaths } from "../config-paths.ts";
import { masked } from "../secrets/masked.ts";
import type { Secret } from "../secrets/redactor.ts";
import { WithAuthFile } from "./auth-file.ts";
import { type Credential, isSendable, secretOf, secretsOf } from "./credential.ts";
import {
  type CredentialDocument,
  credentialFile,
  type StoredCredential,
  withEntry,
  withHostId,
} from "./credential-file.ts";
import type {
  CredentialProblem,
  CredentialSummary,
  Credentials,
  FoundCredential,
  LockedCredential,
  NewCredential,
  RemovedCredential,
  SavedCredential,
} from "./credentials.ts";
import { KeyringStore } from "./keyring-store.ts";
import { type Keyring, loadSystemKeyring } from "./system-keyring.ts";

export type CredentialsOptions = {
  clock: Clock;
  /** The setting of the same name, read at each save. */
  keyring(): "auto" | "off";
  /** Replaces the system's keyring. */
  loadKeyring?: () => Promise<Keyring>;
  /** Called with each secret that is read or saved, as soon as it is known. */
  onSecrets?(secrets: Secret[]): void;
};

/** Renewing a login takes time on a slow network. */
const PROVIDER_LOCK_MS = 60_000;
const PROVIDER_ID = /^[a-z0-9][\w.:-]{0,99}$/i;

/** True if the name can identify a provider with a stored credential. */
export function isProviderId(name: string): boolean {
  return PROVIDER_ID.test(name);
}

/** Reads and creates nothing yet. */
export function openCredentials(
  { root, programHome }: Pick<ConfigPaths, "root"> & Partial<Pick<ConfigPaths, "programHome">>,
  options: CredentialsOptions,
): Credentials {
  const own = new StoredCredentials(root, options);
  if (programHome === undefined) return own;
  return new WithAuthFile(own, join(programHome, ".auth.json"), (secrets) => options.onSecrets?.(secrets));
}

class StoredCredentials implements Credentials {
  readonly #root: string;
  readonly #file: PrivateFile<CredentialDocument>;
  readonly #clock: Clock;
  readonly #mode: () => "auto" | "off";
  readonly #keyring: KeyringStore;
  readonly #onSecrets: (secrets: Secret[]) => void;
  #stamp: { file: string; keys: string } | undefined;

  constructor(root: string, options: CredentialsOptions) {
    const { clock, keyring, loadKeyring = () => loadSystemKeyring(), onSecrets = () => undefined } = options;
    this.#root = root;
    this.#file = credentialFile(root);
    this.#clock = clock;
    this.#mode = keyring;
    this.#onSecrets = onSecrets;
    this.#keyring = new KeyringStore(root, loadKeyring, clock);
  }

  list() {
    const { value, problems } = this.#read();
    const credentials = [...value.entries].map(([provider, entry]) => summaryOf(provider, entry));
    return { credentials, problems: [...problems] };
  }

  async get(provider: string): Promise<FoundCredential> {
    const contents = this.#read();
    const problems = [...contents.problems];
    const entry = contents.value.entries.get(provider);
    if (entry === undefined) return { problems };
    if (entry.in === undefined) return { credential: entry, problems };
    const found = await this.#keyring.take(provider, entry);
    if ("problem" in found) return { problems: [...problems, found.problem] };
    this.#announce(provider, found.credential);
    return { ...found, problems };
  }

  async set(provider: string, credential: NewCredential) {
    const done = await this.withLock(provider, (held) => held.set(credential));
    return "problem" in done ? done : done.value;
  }

  async remove(provider: string) {
    const done = await this.withLock(provider, (held) => held.remove());
    return "problem" in done ? done : done.value;
  }

  stamp(): string {
    const file = fileStamp(this.#file.path);
    if (this.#stamp?.file !== file) this.#stamp = { file, keys: stampOf(this.#read().value.entries) };
    return this.#stamp.keys;
  }

  async withLock<T>(provider: string, task: (held: LockedCredential) => Promise<T>) {
    if (!isProviderId(provider)) return { problem: `${JSON.stringify(provider)} cannot be the name of a provider.` };
    const path = join(this.#root, `credentials-${provider.replace(/[^\w.-]/g, "_")}.lock`);
    const lock = await this.#take(path, PROVIDER_LOCK_MS);
    if ("problem" in lock) return lock;
    try {
      const value = await task({
        get: () => this.get(provider),
        set: (credential) => this.#save(provider, credential),
        remove: () => this.#forget(provider),
      });
      return { value };
    } finally {
      lock.release();
    }
  }

  async hostId() {
    const known = this.#read().value.hostId;
    if (known !== undefined) return { hostId: known };
    let hostId = `urn:uuid:${randomUUID()}`;
    const written = this.#file.change((before) => {
      if (before.hostId === undefined) return withHostId(before, hostId);
      // Another process was faster.
      hostId = before.hostId;
      return undefined;
    });
    return "problem" in written ? { problem: written.problem } : { hostId };
  }

  async #save(provider: string, newCredential: NewCredential): Promise<SavedCredential | CredentialProblem> {
    const credential: Credential = { ...newCredential, savedAt: new Date(this.#clock.now()).toISOString() };
    this.#announce(provider, credential);
    if (!isSendable(credential)) {
      return { problem: "That is not a key: it is empty, or contains spaces or line breaks. Nothing was saved." };
    }
    const before = this.#read();
    if (before.state === "refused") return { problem: `${before.problems.join(" ")} Nothing was saved.` };
    const { entry, problems } = await this.#place(provider, credential);
    const wasInKeyring = before.value.entries.get(provider)?.in === "keyring";
    const written = this.#file.change((file) => withEntry(file, provider, entry));
    if ("problem" in written) {
      if (entry.in === "keyring" && !wasInKeyring) await this.#keyring.clear(provider);
      return { problem: written.problem };
    }
    // The keyring must not keep the old secret if the file contains the new one.
    if (entry.in === undefined && wasInKeyring) problems.push(...(await this.#keyring.clear(provider)));
    problems.push(...brokenCopyNotes(this.#file.path, written));
    return { saved: summaryOf(provider, entry), problems };
  }

  /** Stores the secret in the keyring if possible; otherwise the entry itself contains it. */
  async #place(provider: string, credential: Credential): Promise<{ entry: StoredCredential; problems: string[] }> {
    if (this.#mode() === "off") return { entry: credential, problems: [] };
    const put = await this.#keyring.put(provider, credential);
    if ("entry" in put) return { entry: put.entry, problems: [] };
    // This is normal on a server; the beginning of the reason is enough for people who look for it.
    const [why = ""] = put.reason.split(/[:.;\n]/);
    const problem = `No system keyring here (${why.trim()}): saved in ${this.#file.path}, which only you can read.`;
    return { entry: credential, problems: [problem] };
  }

  async #forget(provider: string): Promise<RemovedCredential | CredentialProblem> {
    let old: StoredCredential | undefined;
    const written = this.#file.change((before) => {
      old = before.entries.get(provider);
      return old === undefined ? undefined : withEntry(before, provider, undefined);
    });
    if ("problem" in written) return { problem: written.problem };
    const problems = old?.in === "keyring" ? await this.#keyring.clear(provider) : [];
    return { removed: old !== undefined, problems };
  }

  #read(): Contents<CredentialDocument> {
    const contents = this.#file.read();
    for (const [provider, entry] of contents.value.entries) if (entry.in === undefined) this.#announce(provider, entry);
    return contents;
  }

  #announce(provider: string, credential: Credential): void {
    const name = `${credential.type === "apiKey" ? "key" : "login"} of ${provider}`;
    this.#onSecrets(secretsOf(credential).map((value) => ({ name, value })));
  }

  async #take(path: string, limitMs: number): Promise<Lock | CredentialProblem> {
    try {
      const taken = await waitForLock(path, limitMs, this.#clock);
      return "release" in taken ? taken : { problem: lockedProblem("The keys are", path, taken) };
    } catch (error) {
      return { problem: diskProblem(error, "save the keys", this.#file.path) };
    }
  }
}

/** Logins provide their current tokens by themselves. */
function stampOf(entries: CredentialDocument["entries"]): string {
  const keys = [...entries].map(([provider, entry]) => {
    if (entry.type === "oauth") return [provider, "oauth"];
    return [provider, entry.host, entry.in === undefined ? entry.key : entry.revision];
  });
  return createHash("sha256").update(JSON.stringify(keys)).digest("hex");
}

function summaryOf(provider: string, entry: StoredCredential): CredentialSummary {
  const { type, savedAt } = entry;
  const account = "account" in entry ? entry.account : undefined;
  const expiresAt = "expiresAt" in entry ? entry.expiresAt : undefined;
  const host = "host" in entry ? entry.host : undefined;
  return {
    provider,
    type,
    in: entry.in ?? "file",
    masked: entry.in === undefined ? masked(secretOf(entry)) : entry.masked,
    ...(host !== undefined && { host }),
    ...(account !== undefined && { account }),
    ...(expiresAt !== undefined && { expiresAt }),
    savedAt,
  };
}
