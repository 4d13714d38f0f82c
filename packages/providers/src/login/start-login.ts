import type { Clock, Egress } from "@harness/core";
import { type LoopbackListener, listenForRedirect } from "@harness/host";
import type { LoginTarget } from "./login-target.ts";
import { type Attempt, newAttempt } from "./pkce.ts";
import { pasteInstruction, type RedirectAnswer, readPasted, readRedirect } from "./redirect-answer.ts";
import { askForTokens } from "./token-endpoint.ts";
import type { Tokens } from "./token-store.ts";

/** The problem is a sentence for people. */
export type LoginOutcome = { tokens: Tokens } | { problem: string };

/** A login that waits for its user. */
export type StartedLogin = {
  /** The address to open in a browser. */
  url: string;
  /** The address that the browser returns to; absent: no listener, and the answer must be pasted. */
  redirect?: string;
  /** Completes "To end the login, …". */
  paste: string;
  /** ISO time at which it expires. */
  expiresAt: string;
  /** Resolves once, however it ends; never rejects. */
  end: Promise<LoginOutcome>;
  /** Completes the login with pasted text. Text that does not answer it is reported, and the login continues. */
  complete(pasted: string): Promise<LoginOutcome>;
  /** Gives up and closes the listener. */
  cancel(): void;
};

export type LoginPorts = {
  clock: Clock;
  /** Checks outgoing requests for tokens. */
  egress?: Egress;
  /** False if no browser can reach this machine, as over ssh. */
  listen?: boolean;
  /** Identifies this installation to vendors that register a client during the login: `urn:uuid:…`. */
  hostId?: string;
  /** The client that such a vendor issued at an earlier login, so that no other is registered. */
  issuedClientId?: string;
};

const MAX_LOGIN_MS = 10 * 60_000;
/** Our name, for vendors that ask for one. */
const OUR_NAME = "harness";

/** Starts an authorization code login with PKCE (RFC 7636) and listens for its end. */
export async function startLogin(target: LoginTarget, ports: LoginPorts): Promise<StartedLogin> {
  const login = new WaitingLogin(target, ports);
  await login.listen(ports.listen ?? true);
  return login;
}

class WaitingLogin implements StartedLogin {
  readonly expiresAt: string;
  readonly paste: string;
  readonly end: Promise<LoginOutcome>;
  readonly #target: LoginTarget;
  readonly #ports: LoginPorts;
  readonly #attempt: Attempt = newAttempt();
  readonly #over = new AbortController();
  #finish: (end: LoginOutcome) => void = () => undefined;
  #listener: LoopbackListener | undefined;
  #isTaken = false;

  constructor(target: LoginTarget, ports: LoginPorts) {
    const isFirst = ports.issuedClientId === undefined || target.clientId !== target.vendor.row.issuedClient?.entry;
    this.#target = isFirst ? target : { ...target, clientId: ports.issuedClientId ?? target.clientId };
    this.#ports = ports;
    this.paste = pasteInstruction(target.vendor);
    this.expiresAt = new Date(ports.clock.now() + MAX_LOGIN_MS).toISOString();
    this.end = new Promise((resolve) => {
      this.#finish = resolve;
    });
    void ports.clock.sleep(MAX_LOGIN_MS, this.#over.signal).then(() => {
      const minutes = MAX_LOGIN_MS / 60_000;
      this.#close({
        problem: `The login to ${target.vendor.name} was not completed within ${minutes} minutes. ${this.#again}`,
      });
    });
  }

  get redirect(): string | undefined {
    return this.#listener?.redirectUri;
  }

  get url(): string {
    const { authorizeUrl, clientId, scopes, vendor } = this.#target;
    const { issuedClient, extraAuthorizeParams } = vendor.row;
    const url = new URL(authorizeUrl);
    const params: Record<string, string> = {
      response_type: "code",
      client_id: clientId,
      redirect_uri: this.#redirectUri,
      ...(scopes.length > 0 && { scope: scopes.join(" ") }),
      state: this.#attempt.state,
      code_challenge: this.#attempt.challenge,
      code_challenge_method: "S256",
      ...(scopes.includes("openid") && { nonce: this.#attempt.nonce }),
      ...extraAuthorizeParams,
    };
    if (issuedClient && this.#ports.hostId !== undefined) params[issuedClient.hostParam] = this.#ports.hostId;
    if (issuedClient && this.#isRegistering) params[issuedClient.nameParam] = OUR_NAME;
    for (const [name, value] of Object.entries(params)) url.searchParams.set(name, value);
    return url.href;
  }

  async listen(isWanted: boolean): Promise<void> {
    if (!isWanted) return;
    this.#listener = await listenForRedirect(this.#target.vendor.row.redirect, (params) => {
      const answer = readRedirect(params, this.#attempt, this.#target.vendor);
      void this.#take(answer);
      return answer.is;
    });
  }

  complete(pasted: string): Promise<LoginOutcome> {
    return this.#take(readRedirect(readPasted(pasted), this.#attempt, this.#target.vendor));
  }

  cancel(): void {
    this.#close({ problem: `The login to ${this.#target.vendor.name} was cancelled.` });
  }

  get #again(): string {
    return `Start again with \`harness auth login ${this.#target.vendor.id}\`.`;
  }

  get #isRegistering(): boolean {
    return this.#target.clientId === this.#target.vendor.row.issuedClient?.entry;
  }

  /** The same in the first request and in the exchange (RFC 6749, 4.1.3). */
  get #redirectUri(): string {
    const { port, path } = this.#target.vendor.row.redirect;
    return this.#listener?.redirectUri ?? this.#target.pasteRedirect ?? `http://127.0.0.1:${port}${path}`;
  }

  async #take(answer: RedirectAnswer): Promise<LoginOutcome> {
    if (this.#over.signal.aborted) return this.end;
    if (answer.is === "stray") return { problem: answer.problem };
    // A code can only be exchanged once: a second request with it waits for the same result.
    if (!this.#isTaken) {
      this.#isTaken = true;
      this.#close(answer.is === "code" ? await this.#exchangeCode(answer) : { problem: answer.problem });
    }
    return this.end;
  }

  async #exchangeCode({ code, clientId: issued }: RedirectAnswer & { is: "code" }): Promise<LoginOutcome> {
    const { vendor, tokenUrl, scopes } = this.#target;
    if (this.#isRegistering && (issued === undefined || issued === this.#target.clientId)) {
      return { problem: `${vendor.name} registered no client. ${this.#again}` };
    }
    const answer = await askForTokens({
      vendor,
      url: tokenUrl,
      clientId: this.#isRegistering && issued !== undefined ? issued : this.#target.clientId,
      params: {
        grant_type: "authorization_code",
        code,
        redirect_uri: this.#redirectUri,
        code_verifier: this.#attempt.verifier,
        // Vendors with their own request format want it repeated.
        ...(vendor.row.tokenStyle === "json" && { state: this.#attempt.state }),
      },
      ...(scopes.includes("openid") && { nonce: this.#attempt.nonce }),
      clock: this.#ports.clock,
      egress: this.#ports.egress,
    });
    return "tokens" in answer ? answer : { problem: `${answer.problem} ${this.#again}` };
  }

  #close(end: LoginOutcome): void {
    this.#finish(end);
    this.#over.abort();
    this.#listener?.close();
  }
}
