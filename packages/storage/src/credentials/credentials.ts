import type { ApiKeyCredential, Credential, OAuthCredential } from "./credential.ts";

/** A credential without its secret, for display. */
export type CredentialSummary = {
  provider: string;
  type: Credential["type"];
  in: "keyring" | "file";
  /** The other program's file that contains it. */
  path?: string;
  masked: string;
  /** The host that a key is for; absent: unknown. */
  host?: string;
  account?: string;
  expiresAt?: string;
  savedAt: string;
};

export type NewCredential = Omit<ApiKeyCredential, "savedAt"> | Omit<OAuthCredential, "savedAt">;

/** A failure, as a sentence for people without any secret. */
export type CredentialProblem = { problem: string };

/** `problems`: sentences about problems, even if a credential was found. */
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
 * The keys and logins that harness stores, one per provider. Nothing throws. The keyring is only used to save
 * something, or if a credential stored in it is needed.
 */
export interface Credentials {
  /** Read from the file, without any secret. */
  list(): { credentials: CredentialSummary[]; problems: string[] };
  get(provider: string): Promise<FoundCredential>;
  /** Replaces the previous one. */
  set(provider: string, credential: NewCredential): Promise<SavedCredential | CredentialProblem>;
  remove(provider: string): Promise<RemovedCredential | CredentialProblem>;
  /** Changes if the file contains different keys or logins than before, but not if tokens are renewed. */
  stamp(): string;
  /**
   * Allows one holder per provider across all processes. Errors of `task` are passed on; `set` and `remove` wait until
   * it ends.
   */
  withLock<T>(
    provider: string,
    task: (held: LockedCredential) => Promise<T>,
  ): Promise<{ value: T } | CredentialProblem>;
  /** Identifies this installation to vendors that require it, as `urn:uuid:…`; created on first use. */
  hostId(): Promise<{ hostId: string } | CredentialProblem>;
}
