import { createHash, randomBytes, timingSafeEqual } from "node:crypto";
import type {
  OAuthClientInformationContext,
  OAuthClientMetadata,
  OAuthClientProvider,
  OAuthDiscoveryState,
  StoredOAuthClientInformation,
  StoredOAuthTokens,
} from "@modelcontextprotocol/client";
import type { McpOAuthConfig } from "../config/server-config.ts";
import type { ServerLogin } from "./logins.ts";

/** A login that cannot continue; the message is a sentence. */
export class McpLoginError extends Error {}

/** Only the user can help, through `ServerAuth.login`. */
export class LoginNeededError extends Error {
  constructor(server: string) {
    super(`The MCP server ${server} needs a login: run \`harness mcp login ${server}\`.`);
  }
}

type LoginAttemptOptions = {
  server: string;
  login: ServerLogin;
  oauth: McpOAuthConfig;
  /** Where the browser returns to; without it nobody can be asked, and tokens can only be renewed. */
  redirectUri: string | undefined;
  now(): number;
};

/**
 * One run through the steps of OAuth, in the form that the SDK requires. Data of this run is held here, lasting data in
 * the login. Findings about the servers are never kept longer, because they may move.
 */
export class LoginAttempt implements OAuthClientProvider {
  readonly #options: LoginAttemptOptions;
  readonly #state = randomBytes(32).toString("base64url");
  #verifier = "";
  #discovery: OAuthDiscoveryState | undefined;
  /** The address to open in a browser, once the SDK has created it. */
  url: URL | undefined;

  constructor(options: LoginAttemptOptions) {
    this.#options = options;
  }

  get clientMetadataUrl(): string | undefined {
    return this.#options.oauth.clientMetadataUrl;
  }

  /** Without one, the SDK assumes a client that needs no user. */
  get redirectUrl(): string {
    return this.#options.redirectUri ?? "http://127.0.0.1/callback";
  }

  get clientMetadata(): OAuthClientMetadata {
    const { scopes } = this.#options.oauth;
    return {
      client_name: "harness",
      redirect_uris: [this.redirectUrl],
      grant_types: ["authorization_code", "refresh_token"],
      response_types: ["code"],
      token_endpoint_auth_method: "none",
      ...(scopes && scopes.length > 0 && { scope: scopes.join(" ") }),
    };
  }

  state(): string {
    return this.#state;
  }

  isAnswer(params: URLSearchParams): boolean {
    const digest = (text: string) => createHash("sha256").update(text).digest();
    return timingSafeEqual(digest(params.get("state") ?? ""), digest(this.#state));
  }

  clientInformation(context?: OAuthClientInformationContext): StoredOAuthClientInformation | undefined {
    const { oauth, login, server } = this.#options;
    const { clients } = login.current;
    const issuer = context?.issuer ?? "";
    if (oauth.clientId === undefined) {
      const known = clients[issuer];
      // Nothing is registered behind the user's back.
      if (!known && this.#options.redirectUri === undefined) throw new LoginNeededError(server);
      return known;
    }
    const [bound] = Object.entries(clients).find(([, { client_id }]) => client_id === oauth.clientId) ?? [];
    if (bound !== undefined && bound !== issuer) {
      throw new McpLoginError(
        `The MCP server ${server} sends its logins to ${issuer} now, but the client ${oauth.clientId} was used with ${bound}. If that is right, log out of the server and in again.`,
      );
    }
    const secret = oauth.clientSecret !== undefined && { client_secret: oauth.clientSecret };
    return { client_id: oauth.clientId, ...secret, issuer };
  }

  saveClientInformation(client: StoredOAuthClientInformation, context?: OAuthClientInformationContext): void {
    const issuer = context?.issuer ?? client.issuer ?? "";
    this.#options.login.change((login) => ({ ...login, clients: { ...login.clients, [issuer]: client } }));
  }

  tokens(context?: OAuthClientInformationContext): StoredOAuthTokens | undefined {
    const { tokens } = this.#options.login.current;
    return context && tokens?.issuer !== context.issuer ? undefined : tokens;
  }

  saveTokens(tokens: StoredOAuthTokens, context?: OAuthClientInformationContext): void {
    const { login, oauth, now, redirectUri } = this.#options;
    const issuer = context?.issuer ?? tokens.issuer ?? "";
    const port = redirectUri === undefined ? undefined : Number(new URL(redirectUri).port);
    login.change((before) => {
      const { expiresAt: _, ...rest } = before;
      // A manually registered client is bound to the first server that accepts it; its secret stays where it was.
      const bound = oauth.clientId !== undefined && { [issuer]: { client_id: oauth.clientId, issuer } };
      const scope = tokens.scope ?? before.tokens?.scope;
      return {
        ...rest,
        clients: { ...before.clients, ...bound },
        tokens: {
          // If a server sends no new refresh token, the old one stays valid.
          ...(before.tokens?.issuer === issuer && { refresh_token: before.tokens.refresh_token }),
          ...tokens,
          issuer,
          ...(scope !== undefined && { scope }),
        },
        ...(tokens.expires_in !== undefined && { expiresAt: now() + tokens.expires_in * 1_000 }),
        ...(port !== undefined && { redirectPort: port }),
      };
    });
  }

  redirectToAuthorization(url: URL): void {
    this.url = url;
  }

  saveCodeVerifier(verifier: string): void {
    this.#verifier = verifier;
  }

  codeVerifier(): string {
    return this.#verifier;
  }

  saveDiscoveryState(state: OAuthDiscoveryState): void {
    this.#discovery = state;
  }

  discoveryState(): OAuthDiscoveryState | undefined {
    return this.#discovery;
  }

  invalidateCredentials(what: "all" | "client" | "tokens" | "verifier" | "discovery"): void {
    if (what === "discovery") this.#discovery = undefined;
    if (what === "verifier") this.#verifier = "";
    if (what === "all") this.#options.login.remove();
    if (what === "client") this.#options.login.change((login) => ({ ...login, clients: {} }));
    if (what === "tokens") this.#options.login.change(({ tokens: _, expiresAt: __, ...login }) => login);
  }
}
