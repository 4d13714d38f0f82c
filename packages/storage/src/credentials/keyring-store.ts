import { randomBytes } from "node:crypto";
import type { Clock } from "@harness/gate";
import { jsonValue } from "@harness/host";
import { masked } from "../secrets/masked.ts";
import { Credential, type KeyringEntry, secretOf } from "./credential.ts";
import { KeyringAccess, reasonOf } from "./keyring-access.ts";
import type { Keyring } from "./system-keyring.ts";

/** The credentials in the system's keyring. The file has a reference to each. */
export class KeyringStore {
  readonly #root: string;
  readonly #access: KeyringAccess;
  /** Credentials read or stored so far, by provider, with their revision. */
  readonly #known = new Map<string, { revision: string; credential: Credential }>();

  constructor(root: string, load: () => Promise<Keyring>, clock: Pick<Clock, "sleep">) {
    this.#root = root;
    this.#access = new KeyringAccess(load, clock);
  }

  /** The entry for the file, or why the keyring does not accept it. */
  async put(provider: string, credential: Credential): Promise<{ entry: KeyringEntry } | { reason: string }> {
    const opened = await this.#access.works();
    if ("reason" in opened) return opened;
    try {
      await this.#access.set(this.#account(provider), JSON.stringify(credential));
    } catch (error) {
      return { reason: reasonOf(error) };
    }
    const { account, expiresAt } = credential.type === "oauth" ? credential : {};
    const host = credential.type === "apiKey" ? credential.host : undefined;
    const entry: KeyringEntry = {
      type: credential.type,
      in: "keyring",
      revision: randomBytes(6).toString("hex"),
      masked: masked(secretOf(credential)),
      ...(host !== undefined && { host }),
      ...(account !== undefined && { account }),
      ...(expiresAt !== undefined && { expiresAt }),
      savedAt: credential.savedAt,
    };
    this.#known.set(provider, { revision: entry.revision, credential });
    return { entry };
  }

  async take(provider: string, { revision }: KeyringEntry): Promise<{ credential: Credential } | { problem: string }> {
    const known = this.#known.get(provider);
    if (known?.revision === revision) return { credential: known.credential };
    const again = `run \`harness auth set ${provider}\`, or log in again.`;
    let text: string | undefined;
    try {
      text = await this.#access.get(this.#account(provider));
    } catch (error) {
      const reason = `which cannot be used now (${reasonOf(error)})`;
      return { problem: `The key of ${provider} is in the system's keyring, ${reason}. Unlock it, or ${again}` };
    }
    if (text === undefined) {
      return { problem: `The key of ${provider} is no longer in the system's keyring: ${again}` };
    }
    const parsed = Credential.safeParse(jsonValue(text));
    if (!parsed.success) {
      return { problem: `The entry for ${provider} in the system's keyring cannot be read: ${again}` };
    }
    this.#known.set(provider, { revision, credential: parsed.data });
    return { credential: parsed.data };
  }

  /** Returns sentences about everything that could not be done. */
  async clear(provider: string): Promise<string[]> {
    this.#known.delete(provider);
    try {
      await this.#access.delete(this.#account(provider));
      return [];
    } catch (error) {
      const left = `The old key of ${provider} could not be removed from the system's keyring`;
      return [`${left} (${reasonOf(error)}). Delete ${JSON.stringify(this.#account(provider))} there.`];
    }
  }

  /** Two configuration folders of one user share the keyring, but must not share keys. */
  #account(provider: string): string {
    return `${provider}@${this.#root}`;
  }
}
