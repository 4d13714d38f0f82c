/** The tokens of a login. */
export type Tokens = {
  accessToken: string;
  refreshToken?: string;
  /** ISO; absent: the vendor did not say. */
  expiresAt?: string;
  /** ISO time of issue; absent: unknown. */
  issuedAt?: string;
  account?: string;
  /** The client that they were issued to; only it can renew them. */
  clientId: string;
};

/**
 * Access for the holder of the lock. Both methods reject with an error whose message is for people and contains no
 * secret.
 */
export interface HeldTokens {
  read(): Promise<Tokens | undefined>;
  write(tokens: Tokens): Promise<void>;
}

/** The storage of one vendor's tokens. It rejects as `HeldTokens` does. */
export interface TokenStore {
  read(): Promise<Tokens | undefined>;
  /** One holder at a time, across all processes of this user. */
  locked<T>(task: (held: HeldTokens) => Promise<T>): Promise<T>;
}
