import type { Clock } from "@harness/core";
import { listenForRedirect } from "@harness/host";
import type { AuthProvider } from "@modelcontextprotocol/client";
import type { McpServerConfig } from "../config/server-config.ts";
import type { McpAsk } from "../ports/people.ts";
import type { McpFetch, McpLoginStore } from "../ports/pool-ports.ts";
import type { Sdk } from "../ports/sdk.ts";
import { LoginAttempt, LoginNeededError, McpLoginError } from "./login-attempt.ts";
import { loginFetch } from "./login-fetch.ts";
import { ServerLogin } from "./logins.ts";

/** The time that the user gets in the browser. */
const BROWSER_MS = 10 * 60_000;
/** A token is renewed before it expires, so that no request is refused in transit. */
const EARLY_MS = 30_000;
const REDIRECT_PATH = "/callback";

type ServerAuthDeps = {
  sdk: Sdk;
  /** With its variables expanded. */
  config: McpServerConfig;
  store: McpLoginStore;
  /** Without the server's headers: they are not for its authorization server. */
  fetch: McpFetch;
  clock: Clock;
};

/** The demands of a server that refused a request. */
type Challenge = { scope?: string | undefined; resourceMetadataUrl?: URL | undefined };

/** The login to one server over HTTP: its tokens for each request, their renewal, and the steps with the user. */
export class ServerAuth implements AuthProvider {
  readonly #deps: ServerAuthDeps;
  readonly #login: ServerLogin;
  #challenge: Challenge = {};
  #sent: string | undefined;

  constructor(deps: ServerAuthDeps) {
    this.#deps = deps;
    this.#login = new ServerLogin(deps.store, deps.config.url ?? "");
  }

  async token(): Promise<string | undefined> {
    const { tokens, expiresAt } = this.#login.current;
    const isOver = expiresAt !== undefined && expiresAt - EARLY_MS < this.#deps.clock.now();
    if (tokens?.refresh_token !== undefined && isOver) await this.#renew(tokens.access_token).catch(() => false);
    this.#sent = this.#login.current.tokens?.access_token;
    return this.#sent;
  }

  /** Rejects with `LoginNeededError` if only the user can help. */
  async onUnauthorized({ response }: { response: Response }): Promise<void> {
    const { scope, resourceMetadataUrl } = this.#deps.sdk.extractWWWAuthenticateParams(response);
    this.#challenge = { scope, resourceMetadataUrl };
    if (!(await this.#renew(this.#sent))) throw new LoginNeededError(this.#name);
  }

  /**
   * Performs the login with the user, who gets an address to open. Rejects with `McpLoginError`, or with an error about
   * what the servers did wrong.
   */
  async login(ask: McpAsk, signal: AbortSignal): Promise<void> {
    const { sdk, config } = this.#deps;
    const { redirectPort: known } = this.#login.current;
    const fixed = config.oauth?.redirectPort;
    const wanted = {
      port: fixed ?? known ?? 0,
      path: REDIRECT_PATH,
      ...(fixed === undefined && { anyPort: true as const }),
    };
    const redirects = Promise.withResolvers<URLSearchParams>();
    const listener = await listenForRedirect(wanted, (params) => {
      if (!attempt.isAnswer(params)) return "stray";
      redirects.resolve(params);
      return params.has("code") ? "code" : "refusal";
    });
    if (!listener) throw new McpLoginError(`The login to ${this.#name} needs the port ${fixed}, which is taken.`);
    const attempt = this.#attempt(listener.redirectUri);
    // A client that was registered with a different port may not return to this one.
    if (known !== undefined && !listener.redirectUri.includes(`:${known}/`)) attempt.invalidateCredentials("client");
    try {
      const found = await sdk.auth(attempt, { ...this.#options(), forceReauthorization: true });
      if (found === "AUTHORIZED" || !attempt.url) return;
      await this.#askFor(attempt.url, ask, signal);
      const params = await this.#untilRedirect(redirects.promise, signal);
      this.#refuseErrors(params, attempt);
      const iss = params.get("iss") ?? undefined;
      const authorizationCode = params.get("code") ?? "";
      await sdk.auth(attempt, { ...this.#options(), authorizationCode, ...(iss !== undefined && { iss }) });
    } finally {
      listener.close();
    }
  }

  /** The server wants more than the login covers: the next one asks for every scope wanted so far. */
  widen(wanted: Challenge): void {
    const { sdk } = this.#deps;
    const scope = sdk.computeScopeUnion(this.#challenge.scope, this.#login.current.tokens?.scope, wanted.scope);
    this.#challenge = { scope, resourceMetadataUrl: wanted.resourceMetadataUrl ?? this.#challenge.resourceMetadataUrl };
  }

  logOut(): void {
    this.#login.remove();
  }

  get #name(): string {
    return this.#deps.config.name;
  }

  #attempt(redirectUri: string | undefined): LoginAttempt {
    const { config, clock } = this.#deps;
    const { name: server, oauth = {} } = config;
    return new LoginAttempt({ server, login: this.#login, oauth, redirectUri, now: () => clock.now() });
  }

  #options() {
    const { config, fetch } = this.#deps;
    const { scope, resourceMetadataUrl } = this.#challenge;
    return {
      serverUrl: config.url ?? "",
      fetchFn: loginFetch(config.url ?? "", fetch),
      ...(scope !== undefined && { scope }),
      ...(resourceMetadataUrl && { resourceMetadataUrl }),
    };
  }

  /** Renews the tokens; false: only the user can help. `used`: the token that was refused. */
  #renew(used: string | undefined): Promise<boolean> {
    return this.#login.locked(async () => {
      const { tokens } = this.#login.current;
      // Another request or process has renewed it meanwhile.
      if (tokens && tokens.access_token !== used) return true;
      if (tokens?.refresh_token === undefined) return false;
      const attempt = this.#attempt(undefined);
      return (await this.#deps.sdk.auth(attempt, this.#options())) === "AUTHORIZED";
    });
  }

  async #askFor(url: URL, ask: McpAsk, signal: AbortSignal): Promise<void> {
    const message = `The MCP server ${this.#name} needs a login. Open this address in a browser:`;
    const { action } = await ask({ kind: "url", server: this.#name, message, url: url.href }, signal);
    if (action === "accept") return;
    throw new McpLoginError(
      `The MCP server ${this.#name} needs a login, and nobody opened its address. Run \`harness mcp login ${this.#name}\`, or open ${url.href} while harness waits for it.`,
    );
  }

  async #untilRedirect(redirect: Promise<URLSearchParams>, signal: AbortSignal): Promise<URLSearchParams> {
    const over = new AbortController();
    const stop = AbortSignal.any([signal, over.signal]);
    const late = this.#deps.clock.sleep(BROWSER_MS, stop).then(() => undefined);
    const params = await Promise.race([redirect, late]);
    over.abort();
    if (params) return params;
    const why = signal.aborted ? "was cancelled" : `was not completed within ${BROWSER_MS / 60_000} minutes`;
    throw new McpLoginError(`The login to ${this.#name} ${why}.`);
  }

  /** The sender of an error is only certain once its issuer is. Its description is not repeated. */
  #refuseErrors(params: URLSearchParams, attempt: LoginAttempt): void {
    const error = params.get("error");
    if (error === null) return;
    const metadata = attempt.discoveryState()?.authorizationServerMetadata;
    this.#deps.sdk.validateAuthorizationResponseIssuer({
      iss: params.get("iss") ?? undefined,
      expectedIssuer: metadata?.issuer,
      issParameterSupported: metadata?.authorization_response_iss_parameter_supported === true,
    });
    const name = /^[a-z_]{3,40}$/.test(error) ? error : "an error without a name";
    throw new McpLoginError(
      name === "access_denied"
        ? `Access to ${this.#name} was denied in the browser.`
        : `The login to ${this.#name} was refused (${name}).`,
    );
  }
}
