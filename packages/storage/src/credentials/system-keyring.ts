/** The system's own place for secrets. Every method rejects with the system's words when it cannot. */
export interface Keyring {
  get(account: string): Promise<string | undefined>;
  set(account: string, secret: string): Promise<void>;
  /** Of nothing: not a failure. */
  delete(account: string): Promise<void>;
}

const SERVICE = "harness";

/**
 * Keychain, Credential Manager or Secret Service. On Linux only the last: what stands in for it there, the keyring of the
 * kernel, forgets everything at the next start. Rejects where the package is not installed for this system.
 */
export async function loadSystemKeyring(): Promise<Keyring> {
  const { AsyncEntry } = await import("@napi-rs/keyring");
  const entry = (account: string) => new AsyncEntry(SERVICE, account, { linux: { store: "secret-service" } });
  return {
    get: async (account) => (await entry(account).getPassword()) ?? undefined,
    set: (account, secret) => entry(account).setPassword(secret),
    delete: async (account) => {
      await entry(account).deletePassword();
    },
  };
}
