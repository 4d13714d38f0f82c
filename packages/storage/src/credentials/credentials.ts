import type { ApiKeyCredential, Credential, OAuthCredential } from "./credential.ts";

/** A credential without its secret, for people. */
export type CredentialSummary = {
  provider: string;
  type: Credential["type"];
  in: "keyring" | "file";
  /** The file of another program that has it. */
  path?: string;
  masked: string;
  /** The host that a key was given for; absent where that is not known. */
  host?: string;
  account?: string;
  expiresAt?: string;
  savedAt: string;
};

export type NewCredential = Omit<ApiKeyCredential, "savedAt"> | Omit<OAuthCredential, "savedAt">;

/** A failure, as a sentence for people without any secret. */
export type CredentialProblem = { problem: string };

/** `problems`: sentences about what is wrong, although there may be a credential. */
export type FoundCredential = { credential?: Credential; problems: string[] };
export type SavedCredential = { saved: CredentialSummary; problems: string[] };
export type RemovedCredential = { removed: boolean; problems: string[] };

/** The operations available to the holder of a provider's lock. */
export interface LockedCredential {
  get(): Promise<FoundCredential>;
  set(credential: NewCredential): Promise<SavedCredential | CredentialProblem>;
  remove(): Promise<RemovedCredential | CredentialProblem>;
}

/**
 * The keys and logins that harness stores, one per provider. Nothing throws. The keyring is used only when something is
 * saved, or when a credential stored in it is needed.
 */
export interface Credentials {
  /** Read from the file, without any secret. */
  list(): { credentials: CredentialSummary[]; problems: string[] };
  get(provider: string): Promise<FoundCredential>;
  /** Replaces the previous one. */
  set(provider: string, credential: NewCredential): Promise<SavedCredential | CredentialProblem>;
  remove(provider: string): Promise<RemovedCredential | CredentialProblem>;
  /** Changes when the keys in the file are others than before, or others have logged in; not when tokens are renewed. */
  stamp(): string;
  /**
   * Allows one holder per provider across all processes. Errors of `task` are passed on; `set` and `remove` wait for
   * its end.
   */
  withLock<T>(
    provider: string,
    task: (held: LockedCredential) => Promise<T>,
  ): Promise<{ value: T } | CredentialProblem>;
  /** Identifies this installation to vendors that require it, as `urn:uuid:…`; created on first use. */
  hostId(): Promise<{ hostId: string } | CredentialProblem>;
}
