/** A token that is valid for a request now. */
export type LoginToken = { token: string; account?: string };

/** An existing login. Neither method puts a secret into an error's text. */
export interface LoginSession {
  /** Renewed first if it is about to expire. Rejects with a `LoginError` if the user must log in again. */
  token(): Promise<LoginToken>;
  /**
   * Call if a server refused this token; false: there is no better one. One renewal at a time, across all processes.
   */
  renew(refused: string): Promise<boolean>;
}

/** A sentence for people: what happened, and how to log in again. */
export class LoginError extends Error {}
