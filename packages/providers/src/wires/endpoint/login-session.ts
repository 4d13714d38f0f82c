/** A token that is good for a request now. */
export type LoginToken = { token: string; account?: string };

/** A login that has been done. Neither method puts a secret into an error's text. */
export interface LoginSession {
  /** Renewed first when it is about to end. Rejects with a `LoginError` when the person must log in again. */
  token(): Promise<LoginToken>;
  /** A server refused this token: false when there is no better one. One renewal at a time, over all processes. */
  renew(refused: string): Promise<boolean>;
}

/** A sentence for people: what happened, and how to log in again. */
export class LoginError extends Error {}
