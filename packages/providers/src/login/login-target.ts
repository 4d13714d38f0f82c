import { wordList } from "@harness/protocol";
import { type Env, envValue } from "../wires/endpoint/environment.ts";
import type { LoginRow } from "../wires/endpoint/login-row.ts";

/** The vendor of a login. */
export type LoginVendor = { id: string; name: string; row: LoginRow };

/** A login with everything that a row leaves to the environment. */
export type LoginTarget = {
  vendor: LoginVendor;
  authorizeUrl: URL;
  tokenUrl: URL;
  clientId: string;
  scopes: readonly string[];
  pasteRedirect?: string;
};

/** The problem is a sentence for people. */
export type LocatedLogin = { ok: true; target: LoginTarget } | { ok: false; problem: string };

const ON_THIS_MACHINE = new Set(["127.0.0.1", "localhost", "[::1]"]);

/** Collects everything that a login needs, or names the missing variables. */
export function locateLogin(vendor: LoginVendor, env: Env): LocatedLogin {
  const { row, name } = vendor;
  const wanted = {
    [row.clientIdEnv]: envValue(env, row.clientIdEnv),
    [row.authorizeUrlEnv]: envValue(env, row.authorizeUrlEnv) ?? row.authorizeUrl,
    [row.tokenUrlEnv]: envValue(env, row.tokenUrlEnv) ?? row.tokenUrl,
  };
  const missing = Object.entries(wanted).flatMap(([variable, value]) => (value ? [] : [variable]));
  if (missing.length > 0) {
    const problem = `Logging in to ${name} needs ${wordList(missing)}, as issued by its vendor for a program of yours. An API key needs no login.`;
    return { ok: false, problem };
  }
  const authorizeUrl = safeUrl(wanted[row.authorizeUrlEnv]);
  const tokenUrl = safeUrl(wanted[row.tokenUrlEnv]);
  if (!authorizeUrl) return unsafeAddress(row.authorizeUrlEnv);
  if (!tokenUrl) return unsafeAddress(row.tokenUrlEnv);
  const pasteRedirect = (row.pasteRedirectEnv && envValue(env, row.pasteRedirectEnv)) ?? row.pasteRedirect;
  const scopes = (row.scopesEnv && envValue(env, row.scopesEnv))?.split(/[\s,]+/) ?? row.scopes;
  const target: LoginTarget = {
    vendor,
    authorizeUrl,
    tokenUrl,
    clientId: wanted[row.clientIdEnv] ?? "",
    scopes,
    ...(pasteRedirect && { pasteRedirect }),
  };
  return { ok: true, target };
}

/** The endpoint that renews tokens; the tokens themselves name their client. */
export function tokenUrlOf({ row }: LoginVendor, env: Env): URL | undefined {
  return safeUrl(envValue(env, row.tokenUrlEnv) ?? row.tokenUrl);
}

/** Codes and tokens travel over TLS, or stay on this machine (RFC 6749, 3.1 and 3.2). */
function safeUrl(text: string | undefined): URL | undefined {
  if (text === undefined || !URL.canParse(text)) return undefined;
  const url = new URL(text);
  if (url.username !== "" || url.password !== "" || url.hash !== "") return undefined;
  if (url.protocol === "https:") return url;
  return url.protocol === "http:" && ON_THIS_MACHINE.has(url.hostname) ? url : undefined;
}

export function isOnThisMachine(url: URL): boolean {
  return ON_THIS_MACHINE.has(url.hostname);
}

function unsafeAddress(variable: string): LocatedLogin {
  return {
    ok: false,
    problem: `${variable} is not a valid login address. Example: https://vendor.example/path.`,
  };
}
