import type { Clock, Egress } from "@harness/core";
import type { Env } from "../wires/endpoint/environment.ts";
import { LoginError, type LoginSession, type LoginToken } from "../wires/endpoint/login-session.ts";
import { type LoginVendor, tokenUrlOf } from "./login-target.ts";
import { askForTokens } from "./token-endpoint.ts";
import type { HeldTokens, TokenStore, Tokens } from "./token-store.ts";

export type LoginOptions = {
  vendor: LoginVendor;
  env: Env;
  store: TokenStore;
  clock: Clock;
  /** Checks outgoing requests for tokens. */
  egress?: Egress;
  /** Why renewed tokens could not be saved, in a sentence; undefined: everything is saved. */
  onUnsaved?(problem: string | undefined): void;
};

/**
 * Renewed tokens that could not be saved; `instead` is the access token in the store, which the vendor may have
 * revoked.
 */
type UnsavedTokens = { fresh: Tokens; instead: string };

/** Provides the tokens of an existing login. */
export function createLogin(options: LoginOptions): LoginSession {
  return new StoredLogin(options);
}

class StoredLogin implements LoginSession {
  readonly #vendor: LoginVendor;
  readonly #env: Env;
  readonly #store: TokenStore;
  readonly #clock: Clock;
  readonly #egress: Egress | undefined;
  /** The only renewal in this process; the store's lock excludes other processes. */
  #renewing: Promise<Tokens> | undefined;
  /** A refresh token that the vendor has rejected: it is not sent again. */
  #spent: string | undefined;
  #unsaved: UnsavedTokens | undefined;
  #saving: Promise<void> | undefined;
  readonly #onUnsaved: (problem: string | undefined) => void;

  constructor({ vendor, env, store, clock, egress, onUnsaved = () => undefined }: LoginOptions) {
    this.#vendor = vendor;
    this.#env = env;
    this.#store = store;
    this.#clock = clock;
    this.#egress = egress;
    this.#onUnsaved = onUnsaved;
  }

  async token(): Promise<LoginToken> {
    const tokens = await this.#stored();
    const early = this.#earlyMs(tokens);
    if (!this.#endsWithin(tokens, early) || tokens.refreshToken === undefined) {
      if (this.#endsWithin(tokens, 0)) throw new LoginError(this.#logInAgain("has ended"));
      return publicToken(tokens);
    }
    try {
      return publicToken(await this.#renewed(tokens.accessToken));
    } catch (error) {
      // It is still valid for a while: the trouble may have passed by then.
      if (this.#endsWithin(tokens, 0) || tokens.refreshToken === this.#spent) throw error;
      return publicToken(tokens);
    }
  }

  async renew(refused: string): Promise<boolean> {
    const tokens = await this.#stored();
    if (tokens.accessToken !== refused && !this.#endsWithin(tokens, 0)) return true;
    if (tokens.refreshToken === undefined) return false;
    await this.#renewed(tokens.accessToken);
    return true;
  }

  /** Never more than half of their lifetime: a vendor with short-lived tokens is not asked with every request. */
  #earlyMs({ issuedAt, expiresAt }: Tokens): number {
    const wanted = this.#vendor.row.renewEarlySeconds * 1000;
    if (issuedAt === undefined || expiresAt === undefined) return wanted;
    return Math.min(wanted, Math.max(0, Date.parse(expiresAt) - Date.parse(issuedAt)) / 2);
  }

  async #stored(): Promise<Tokens> {
    if (this.#unsaved) await this.#saveAgain();
    const tokens = this.#unsaved?.fresh ?? (await this.#store.read());
    if (tokens) return tokens;
    const { id, name } = this.#vendor;
    throw new LoginError(`You are not logged in to ${name}. Run \`harness auth login ${id}\`.`);
  }

  /** Never rejects. */
  #saveAgain(): Promise<void> {
    const save = async (held: HeldTokens) => {
      const kept = await held.read();
      // A newer login, or a removed one, is not overwritten.
      if (this.#unsaved && kept?.accessToken === this.#unsaved.instead) await held.write(this.#unsaved.fresh);
      this.#unsaved = undefined;
    };
    this.#saving ??= this.#store
      .locked(save)
      .then(
        () => this.#onUnsaved(undefined),
        (error: unknown) => this.#onUnsaved(this.#notSaved(error)),
      )
      .finally(() => {
        this.#saving = undefined;
      });
    return this.#saving;
  }

  #notSaved(error: unknown): string {
    const why = error instanceof Error ? error.message : String(error);
    const { name } = this.#vendor;
    return `The login to ${name} was renewed but could not be saved. It is lost if harness ends before this is fixed. ${why}`;
  }

  #renewed(old: string): Promise<Tokens> {
    this.#renewing ??= this.#store
      .locked((held) => this.#renewHeld(held, old))
      .finally(() => {
        this.#renewing = undefined;
      });
    return this.#renewing;
  }

  /** Requires the lock. Another process may have renewed already. */
  async #renewHeld(held: HeldTokens, old: string): Promise<Tokens> {
    const unsaved = this.#unsaved;
    const tokens = unsaved?.fresh ?? (await held.read());
    if (!tokens) throw new LoginError(this.#logInAgain("was removed"));
    if (tokens.accessToken !== old) return tokens;
    const { refreshToken } = tokens;
    if (refreshToken === undefined || refreshToken === this.#spent) throw new LoginError(this.#logInAgain("has ended"));
    const url = tokenUrlOf(this.#vendor, this.#env);
    if (!url) {
      const { tokenUrlEnv } = this.#vendor.row;
      throw new LoginError(`The login to ${this.#vendor.name} cannot be renewed: ${tokenUrlEnv} is not an address.`);
    }
    const answer = await askForTokens({
      vendor: this.#vendor,
      url,
      clientId: tokens.clientId,
      params: { grant_type: "refresh_token", refresh_token: refreshToken },
      clock: this.#clock,
      egress: this.#egress,
    });
    if ("problem" in answer) {
      if (!answer.refused) throw new LoginError(`The login could not be renewed. ${answer.problem} Try again.`);
      this.#spent = refreshToken;
      throw new LoginError(`${answer.problem} ${this.#logInAgain("is no longer accepted")}`);
    }
    // Fields missing from the answer stay the same (RFC 6749, 6). The old tokens may be void now, so the new ones must
    // not be lost.
    const { account } = tokens;
    const fresh = { refreshToken, ...(account !== undefined && { account }), ...answer.tokens };
    try {
      await held.write(fresh);
      if (unsaved) this.#onUnsaved(undefined);
      this.#unsaved = undefined;
    } catch (error) {
      this.#unsaved = { fresh, instead: unsaved?.instead ?? tokens.accessToken };
      this.#onUnsaved(this.#notSaved(error));
    }
    return fresh;
  }

  #endsWithin({ expiresAt }: Tokens, ms: number): boolean {
    return expiresAt !== undefined && Date.parse(expiresAt) - ms <= this.#clock.now();
  }

  #logInAgain(how: string): string {
    const { id, name } = this.#vendor;
    return `The login to ${name} ${how}. Log in again: \`harness auth login ${id}\`.`;
  }
}

function publicToken({ accessToken, account }: Tokens): LoginToken {
  return { token: accessToken, ...(account !== undefined && { account }) };
}
