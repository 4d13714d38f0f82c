import { pathToFileURL } from "node:url";
import { addressName, flagForAddress } from "../wires/endpoint/address-name.ts";
import type { Endpoint } from "../wires/endpoint/endpoint.ts";
import { type Env, envValue } from "../wires/endpoint/environment.ts";
import type { LoginSession } from "../wires/endpoint/login-session.ts";
import type { Vendor, WireName } from "../wires/endpoint/vendor.ts";
import { isWithheld } from "./secret-access.ts";

export type EndpointOptions = {
  baseUrl?: string;
  key?: string;
  login?: LoginSession;
  accessEnv?: string;
  headers?: Record<string, string>;
  /** The flag that the address comes from. */
  addressFlag?: string;
};

/**
 * Stored credentials of a vendor. A login reads its secret only at the first request. `problem`: why they cannot be
 * used, as a sentence.
 */
export type StoredAccess = LoginSession | { key: string } | { problem: string };

/**
 * Stored credentials by vendor id. They take precedence over every variable, because the lookup has already considered
 * stronger variables.
 */
export type Logins = (vendorId: string) => StoredAccess | undefined;

/** The problem is a sentence for people. */
export type EndpointResult = { ok: true; endpoint: Endpoint } | { ok: false; problem: string };

export function endpointOf(vendor: Vendor, env: Env, logins?: Logins): EndpointResult {
  const headers: Record<string, string> = {};
  for (const [header, variable] of Object.entries(vendor.headersFromEnv ?? {})) {
    const value = envValue(env, variable);
    if (value !== undefined) headers[header] = value;
  }
  const baseUrl = envValue(env, vendor.baseUrlEnv);
  const access = accessTo(vendor, env, logins?.(vendor.id));
  const addressFlag = flagForAddress(baseUrl, env);
  const at = { ...(baseUrl && { baseUrl }), ...(addressFlag !== undefined && { addressFlag }) };
  const located = locate(vendor, { ...at, ...access, headers });
  if (!located.ok || access.problem === undefined || hasAccess(located.endpoint)) return located;
  return { ok: false, problem: access.problem };
}

type Credentials = Pick<Endpoint, "key" | "login" | "accessEnv"> & { problem?: string };

/** For a vendor with a login, the variable holds a token from a login elsewhere. */
function accessTo(vendor: Vendor, env: Env, kept: StoredAccess | undefined): Credentials {
  if (kept && "token" in kept && vendor.login) return { login: kept };
  if (kept && "key" in kept && !vendor.login) return kept;
  // The derived variable of a row without `auth_env` may belong to a different program.
  const isAnothers = vendor.keyless && vendor.program === undefined;
  const variable = isAnothers ? undefined : keyVariable(vendor, env);
  if (!variable) return kept && "problem" in kept ? kept : {};
  const { name: accessEnv, value } = variable;
  return vendor.login ? { login: fixedLogin(value), accessEnv } : { key: value, accessEnv };
}

/** The receiver of a vendor's requests: a key granted for one receiver goes to no other. */
export function vendorHost({ baseUrl, program }: Vendor): string {
  return program ?? new URL(baseUrl).host;
}

/** The vendor's row with its current address. */
export function addressed(vendor: Vendor, env: Env): Vendor {
  const baseUrl = vendor.program === undefined ? envValue(env, vendor.baseUrlEnv) : undefined;
  const located = baseUrl === undefined ? undefined : locate(vendor, { baseUrl });
  if (!located?.ok) return vendor;
  const { query: _own, ...row } = vendor;
  const { baseUrl: at, query } = located.endpoint;
  return { ...row, baseUrl: at, ...(query !== undefined && { query }) };
}

/** The variable with the vendor's key, and the key; none that is withheld from it. */
export function keyVariable(vendor: Vendor, env: Env): { name: string; value: string } | undefined {
  for (const name of keyVariables(vendor)) {
    const value = isWithheld(vendor, name, env) ? undefined : envValue(env, name);
    if (value !== undefined) return { name, value };
  }
  return undefined;
}

/** The strongest first. */
export function keyVariables(vendor: Vendor): string[] {
  return [vendor.keyEnv, ...(vendor.otherKeyEnvs ?? [])];
}

function fixedLogin(token: string): LoginSession {
  return { token: async () => ({ token }), renew: async () => false };
}

export function locate(vendor: Vendor, options: EndpointOptions): EndpointResult {
  const headers = { ...vendor.headers, ...options.headers };
  const { key, login, accessEnv } = options;
  const access = { ...(key && { key }), ...(login && { login }), ...(accessEnv && { accessEnv }) };
  if (vendor.program !== undefined) {
    const baseUrl = pathToFileURL(vendor.program).href;
    const at = { baseUrl, shown: vendor.program, near: false, usual: true, api: vendor.api };
    return { ok: true, endpoint: { vendor, ...at, ...access, headers } };
  }
  const url = readAddress(options.baseUrl ?? vendor.baseUrl, vendor);
  if (!url) {
    const problem =
      `${addressName(vendor, options.addressFlag)} is not a valid address for ${vendor.name}: ` +
      `${JSON.stringify(options.baseUrl?.replace(/\/\/[^/@]*@/, "//"))}. Example: ${vendor.baseUrl}.`;
    return { ok: false, problem };
  }
  const query = options.baseUrl === undefined ? vendor.query : url.search || undefined;
  url.search = "";
  const baseUrl = url.href.replace(/\/+$/, "");
  const usual = baseUrl === vendor.baseUrl;
  const isThisMachine = isLoopback(url.hostname);
  const endpoint: Endpoint = {
    vendor: isThisMachine && !usual ? onThisMachine(vendor) : vendor,
    api: apiAt(options.baseUrl, usual, vendor),
    baseUrl,
    shown: shownUrl(url),
    ...(query !== undefined && { query }),
    ...(options.addressFlag !== undefined && { addressFlag: options.addressFlag }),
    ...access,
    headers,
    near: isNear(url.hostname),
    ...(isThisMachine && { isThisMachine }),
    usual,
  };
  return { ok: true, endpoint };
}

/** A server on this machine is not the vendor whose API it speaks. Rows of the person's own keep their names. */
function onThisMachine(vendor: Vendor): Vendor {
  return vendor.local || vendor.file !== undefined ? vendor : { ...vendor, name: "Local server" };
}

/** The address of a request shows which of the vendor's APIs it belongs to. */
function apiAt(apiName: string | undefined, usual: boolean, { api, apiElsewhere }: Vendor): WireName {
  const isOfResponses = api === "openai-responses" && /\/responses\/*([?#]|$)/.test(apiName?.trim() ?? "");
  return usual || isOfResponses ? api : (apiElsewhere ?? api);
}

/**
 * True if it is usable as it is: a private server, or a vendor that has a key, or an address and needs no key. If the
 * user's row names a key variable, the key is required wherever the server is.
 */
export function hasAccess(endpoint: Endpoint): boolean {
  const { vendor, near, key, login } = endpoint;
  const isOpen = vendor.keyless === true || (vendor.file === undefined && (vendor.local || near));
  return isOpen || key !== undefined || login !== undefined;
}

/**
 * Parses addresses as the servers' own tools do (envconfig/config.go of Ollama): scheme and port may be missing, and
 * 0.0.0.0, which a server listens on, means this machine. A missing path becomes the API's usual one, and a request's
 * full path, as shown in documentation, is cut to the API's base.
 */
function readAddress(text: string, vendor: Vendor): URL | undefined {
  const usual = new URL(vendor.baseUrl);
  const trimmed = text.trim();
  const hasScheme = /^[a-z][a-z0-9+.-]*:\/\//i.test(trimmed);
  const host = trimmed.startsWith(":") ? `127.0.0.1${trimmed}` : trimmed;
  const whole = hasScheme ? trimmed : `${vendor.local ? "http" : "https"}://${host}`;
  if (!URL.canParse(whole)) return undefined;
  const url = new URL(whole);
  if (url.protocol !== "http:" && url.protocol !== "https:") return undefined;
  if (!hasScheme && url.port === "" && vendor.local) url.port = usual.port;
  if (url.hostname === "0.0.0.0") url.hostname = "127.0.0.1";
  if (url.hostname === "[::]") url.hostname = "[::1]";
  if (url.pathname === "/") url.pathname = usual.pathname;
  url.pathname = url.pathname.replace(REQUEST_PATH, "");
  // Its own API is next to the one that it shares with others.
  if (vendor.api === "ollama") url.pathname = url.pathname.replace(/\/(v1|api)\/*$/, "");
  // Anthropic's own clients expect the address without the version, and add it.
  if (vendor.api === "anthropic" && !/\/v\d+\/*$/.test(url.pathname)) {
    url.pathname = `${url.pathname.replace(/\/+$/, "")}/v1`;
  }
  url.hash = "";
  return url;
}

/** The part after the base URL in the address of a request, with any slashes that people leave. */
const REQUEST_PATH =
  /\/+(chat\/completions|completions?|responses|messages|models|embeddings|api\/(chat|generate|tags|show|version))\/*$/;

function shownUrl(url: URL): string {
  const path = url.pathname.replace(/\/+$/, "");
  return `${url.protocol}//${url.host}${path}`;
}

const NEAR_NAMES = [
  /^localhost$/,
  /\.(localhost|local|lan|internal|home\.arpa)$/,
  /^\[(::1|f[cd][0-9a-f]{2}:.*|fe80:.*)\]$/,
];

const NEAR_NUMBERS = [
  /^127\./,
  /^10\./,
  /^192\.168\./,
  /^172\.(1[6-9]|2\d|3[01])\./,
  /^169\.254\./,
  // Tailscale and other carrier-grade networks, RFC 6598.
  /^100\.(6[4-9]|[7-9]\d|1[01]\d|12[0-7])\./,
];

function isLoopback(hostname: string): boolean {
  return /^127(\.\d+){3}$|^localhost$|\.localhost$|^\[::1\]$/.test(hostname);
}

function isNear(hostname: string): boolean {
  const fits = (pattern: RegExp) => pattern.test(hostname);
  if (/^\d+\.\d+\.\d+\.\d+$/.test(hostname)) return NEAR_NUMBERS.some(fits);
  // A name without a dot belongs to the local network, or to a neighbouring container.
  return (!hostname.includes(".") && !hostname.startsWith("[")) || NEAR_NAMES.some(fits);
}
