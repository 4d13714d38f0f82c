import { KeyringProcess } from "./keyring-process.ts";

/**
 * The system's keyring. Every method rejects with the system's message if it fails. An aborted signal ends the
 * operation and rejects it too.
 */
export interface Keyring {
  get(account: string, signal: AbortSignal): Promise<string | undefined>;
  set(account: string, secret: string, signal: AbortSignal): Promise<void>;
  /** Deleting a missing entry is not a failure. */
  delete(account: string, signal: AbortSignal): Promise<void>;
}

/**
 * Keychain, Credential Manager or Secret Service. On Linux only the last: its fallback, the kernel's keyring, loses
 * everything on restart. Rejects if the package is not installed for this system.
 */
export async function loadSystemKeyring(env: Readonly<NodeJS.ProcessEnv> = process.env): Promise<Keyring> {
  const { createRequire } = await import("node:module");
  const library = createRequire(import.meta.url).resolve("@napi-rs/keyring");
  const asker = new KeyringProcess(library, env);
  return {
    get: async (account, signal) => (await asker.ask({ verb: "get", account }, signal)) ?? undefined,
    set: async (account, secret, signal) => {
      await asker.ask({ verb: "set", account, secret }, signal);
    },
    delete: async (account, signal) => {
      await asker.ask({ verb: "delete", account }, signal);
    },
  };
}
