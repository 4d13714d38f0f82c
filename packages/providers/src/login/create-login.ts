import type { Clock } from "@harness/core";
import type { Env } from "../endpoint.ts";
import { type LoginVendor, tokenUrlOf } from "./login-place.ts";
import { LoginProblem, type LoginSession, type LoginToken } from "./login-session.ts";
import { askForTokens } from "./token-endpoint.ts";
import type { HeldTokens, TokenStore, Tokens } from "./token-store.ts";

export type LoginOptions = { vendor: LoginVendor; env: Env; store: TokenStore; clock: Clock };

/** Hands out the tokens of a login that was done before. */
export function createLogin(options: LoginOptions): LoginSession {
  return new StoredLogin(options);
}

class StoredLogin implements LoginSession {
  readonly #vendor: LoginVendor;
  readonly #env: Env;
  readonly #store: TokenStore;
  readonly #clock: Clock;
  /** One renewal at a time in this process; the store's lock sees to the others. */
  #renewing: Promise<Tokens> | undefined;
  /** The vendor does not take this refresh token any more: it is not sent again. */
  #spent: string | undefined;

  constructor({ vendor, env, store, clock }: LoginOptions) {
    this.#vendor = vendor;
    this.#env = env;
    this.#store = store;
    this.#clock = clock;
  }

  async token(): Promise<LoginToken> {
    const tokens = await this.#stored();
    const early = this.#vendor.row.renewEarlySeconds * 1000;
    if (!this.#endsWithin(tokens, early) || tokens.refreshToken === undefined) {
      if (this.#endsWithin(tokens, 0)) throw new LoginProblem(this.#logInAgain("has ended"));
      return shown(tokens);
    }
    try {
      return shown(await this.#renewed(tokens.accessToken));
    } catch (error) {
      // It is good for a while yet: the trouble may have passed by then.
      if (this.#endsWithin(tokens, 0) || tokens.refreshToken === this.#spent) throw error;
      return shown(tokens);
    }
  }

  async renew(refused: string): Promise<boolean> {
    const tokens = await this.#stored();
    if (tokens.accessToken !== refused && !this.#endsWithin(tokens, 0)) return true;
    if (tokens.refreshToken === undefined) return false;
    await this.#renewed(tokens.accessToken);
    return true;
  }

  async #stored(): Promise<Tokens> {
    const tokens = await this.#store.read();
    if (tokens) return tokens;
    const { id, name } = this.#vendor;
    throw new LoginProblem(`You are not logged in to ${name}. Run \`harness auth login ${id}\`.`);
  }

  #renewed(old: string): Promise<Tokens> {
    this.#renewing ??= this.#store
      .locked((held) => this.#renewHeld(held, old))
      .finally(() => {
        this.#renewing = undefined;
      });
    return this.#renewing;
  }

  /** With the lock held. Another process may have been here before. */
  async #renewHeld(held: HeldTokens, old: string): Promise<Tokens> {
    const tokens = await held.read();
    if (!tokens) throw new LoginProblem(this.#logInAgain("is gone"));
    if (tokens.accessToken !== old) return tokens;
    const { refreshToken } = tokens;
    if (refreshToken === undefined || refreshToken === this.#spent)
      throw new LoginProblem(this.#logInAgain("has ended"));
    const url = tokenUrlOf(this.#vendor, this.#env);
    if (!url) {
      const { tokenUrlEnv } = this.#vendor.row;
      throw new LoginProblem(`The login to ${this.#vendor.name} cannot be renewed: ${tokenUrlEnv} names no address.`);
    }
    const answer = await askForTokens({
      vendor: this.#vendor,
      url,
      clientId: tokens.clientId,
      params: { grant_type: "refresh_token", refresh_token: refreshToken },
      clock: this.#clock,
    });
    if ("problem" in answer) {
      if (!answer.refused) throw new LoginProblem(`The login could not be renewed. ${answer.problem} Try again.`);
      this.#spent = refreshToken;
      throw new LoginProblem(`${answer.problem} ${this.#logInAgain("is not accepted any more")}`);
    }
    // What the answer leaves out stays as it was (RFC 6749, 6). Saved before it is used: the old ones may be void now.
    const { account } = tokens;
    const fresh = { refreshToken, ...(account !== undefined && { account }), ...answer.tokens };
    await held.write(fresh);
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

function shown({ accessToken, account }: Tokens): LoginToken {
  return { token: accessToken, ...(account !== undefined && { account }) };
}
