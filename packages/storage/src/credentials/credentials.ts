import type { ApiKeyCredential, Credential, OAuthCredential } from "./credential.ts";

/** A credential without its secret, for people. */
export type CredentialSummary = {
  provider: string;
  type: Credential["type"];
  in: "keyring" | "file";
  masked: string;
  /** Whom a key was given for, as the host of an address; absent where that is not known. */
  host?: string;
  account?: string;
  expiresAt?: string;
  savedAt: string;
};

export type NewCredential = Omit<ApiKeyCredential, "savedAt"> | Omit<OAuthCredential, "savedAt">;

/** It did not work: a sentence for people, without any secret. */
export type CredentialProblem = { problem: string };

/** `problems`: sentences on what is not as it should be, although there may be a credential. */
export type FoundCredential = { credential?: Credential; problems: string[] };
export type SavedCredential = { saved: CredentialSummary; problems: string[] };
export type RemovedCredential = { removed: boolean; problems: string[] };

/** What the holder of a provider's lock may do. */
export interface LockedCredential {
  get(): Promise<FoundCredential>;
  set(credential: NewCredential): Promise<SavedCredential | CredentialProblem>;
  remove(): Promise<RemovedCredential | CredentialProblem>;
}

/**
 * The keys and logins that harness keeps, one a provider. Nothing throws. The keyring is asked only when something is
 * saved, or when a credential that lies there is needed.
 */
export interface Credentials {
  /** Of the file, so without any secret. */
  list(): { credentials: CredentialSummary[]; problems: string[] };
  get(provider: string): Promise<FoundCredential>;
  /** In place of the one there was. */
  set(provider: string, credential: NewCredential): Promise<SavedCredential | CredentialProblem>;
  remove(provider: string): Promise<RemovedCredential | CredentialProblem>;
  /** Changes when the keys in the file are others than before, or others have logged in; not when tokens are renewed. */
  stamp(): string;
  /** One holder a provider, over all processes. What `task` throws comes out; `set` and `remove` wait for its end. */
  withLock<T>(
    provider: string,
    task: (held: LockedCredential) => Promise<T>,
  ): Promise<{ value: T } | CredentialProblem>;
  /** Names this installation to vendors that ask for it, as `urn:uuid:…`; made when first asked for. */
  hostId(): Promise<{ hostId: string } | CredentialProblem>;
}
