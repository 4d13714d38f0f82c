import { once } from "node:events";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { Provider } from "oidc-provider";
import type { LoginTarget } from "../src/login/login-target.ts";
import { locateLogin } from "../src/login/login-target.ts";
import type { LoginRow } from "../src/wires/endpoint/login-row.ts";

const CLIENT = "test-native-client";
const PATH = "/auth/callback";

/** A real OpenID provider on this machine, with one public native client, PKCE and refresh tokens that rotate. */
export async function startIdentityProvider() {
  const asked: string[] = [];
  let handle: ReturnType<Provider["callback"]> | undefined;
  const server = createServer((request, response) => {
    asked.push(`${request.method} ${request.url?.split("?")[0]}`);
    void handle?.(request, response);
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  const issuer = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const provider = new Provider(issuer, {
    clients: [
      {
        client_id: CLIENT,
        application_type: "native",
        token_endpoint_auth_method: "none",
        redirect_uris: [`http://127.0.0.1${PATH}`],
        grant_types: ["authorization_code", "refresh_token"],
        response_types: ["code"],
      },
    ],
    cookies: { keys: ["a key of the test"] },
    scopes: ["openid", "offline_access"],
    features: { devInteractions: { enabled: true } },
    pkce: { required: () => true },
    issueRefreshToken: async () => true,
    rotateRefreshToken: true,
    ttl: {
      AccessToken: 3600,
      AuthorizationCode: 60,
      IdToken: 3600,
      RefreshToken: 86_400,
      Session: 600,
      Grant: 86_400,
      Interaction: 600,
    },
  });
  handle = provider.callback();
  return {
    provider,
    issuer,
    /** How often tokens were requested. */
    tokenRequests: () => asked.filter((line) => line === "POST /token").length,
    close: async () => {
      server.close();
      server.closeAllConnections();
      await once(server, "close");
    },
  };
}

export type IdentityProvider = Awaited<ReturnType<typeof startIdentityProvider>>;

/** A row for that provider; port 0 means any free one. */
export function rowFor({ issuer }: Pick<IdentityProvider, "issuer">, changes: Partial<LoginRow> = {}): LoginRow {
  return {
    authorizeUrl: `${issuer}/auth`,
    tokenUrl: `${issuer}/token`,
    authorizeUrlEnv: "TEST_AUTHORIZE_URL",
    tokenUrlEnv: "TEST_TOKEN_URL",
    clientIdEnv: "TEST_CLIENT_ID",
    redirect: { port: 0, path: PATH },
    scopes: ["openid", "offline_access"],
    extraAuthorizeParams: { prompt: "consent" },
    pasteStyle: "url",
    tokenStyle: "form",
    renewEarlySeconds: 300,
    accountClaim: ["sub"],
    ...changes,
  };
}

export function placeFor(provider: Pick<IdentityProvider, "issuer">, changes: Partial<LoginRow> = {}): LoginTarget {
  const vendor = { id: "acme", name: "Acme", row: rowFor(provider, changes) };
  const located = locateLogin(vendor, { TEST_CLIENT_ID: changes.issuedClient?.entry ?? CLIENT });
  if (!located.ok) throw new Error(located.problem);
  return located.target;
}

type Person = { as?: string; denies?: boolean };

/** A user at a browser: logs in and agrees, or does not. Returns the address that the browser is sent to at the end. */
export async function browse(start: string, { as = "anna", denies = false }: Person = {}): Promise<string> {
  const cookies = new Map<string, string>();
  const origin = new URL(start).origin;
  let next = start;
  let form: URLSearchParams | undefined;
  for (let step = 0; step < 20; step += 1) {
    const response = await fetch(next, {
      redirect: "manual",
      method: form ? "POST" : "GET",
      headers: { cookie: [...cookies].map(([name, value]) => `${name}=${value}`).join("; ") },
      ...(form && { body: form }),
    });
    for (const cookie of response.headers.getSetCookie()) {
      const [name = "", value = ""] = (cookie.split(";")[0] ?? "").split(/=(.*)/s);
      cookies.set(name, value);
    }
    const location = response.headers.get("location");
    form = undefined;
    if (location !== null) {
      next = new URL(location, next).href;
      await response.body?.cancel();
      if (!next.startsWith(origin)) return next;
      continue;
    }
    const page = await response.text();
    const prompt = /name="prompt" value="(\w+)"/.exec(page)?.[1];
    if (prompt === undefined) throw new Error(`${response.status} ${next}\n${page.slice(0, 2_000)}`);
    if (denies) next = `${next}/abort`;
    else form = new URLSearchParams({ prompt, ...(prompt === "login" && { login: as, password: "any" }) });
  }
  throw new Error("The login goes round in circles.");
}
