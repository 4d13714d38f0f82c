import { punycodeHost } from "./punycode.ts";

type Authority = { host: string; port: string };

const usualPorts: Readonly<Record<string, string>> = { http: "80", https: "443" };

/** The host that a URL really leads to: user info is skipped, and a backslash ends the authority, as in browsers. */
function authorityOf(url: string): Authority | undefined {
  const [, scheme = "", authority = ""] = /^([a-z][a-z0-9+.-]*):\/\/([^/?#\\]*)/i.exec(url.trim()) ?? [];
  const place = authority.slice(authority.lastIndexOf("@") + 1).toLowerCase();
  const [, host = "", port = ""] = /^(.*?)(?::(\d*))?$/.exec(place) ?? [];
  const name = plainName(host);
  return name === "" ? undefined : { host: name, port: port || (usualPorts[scheme.toLowerCase()] ?? "") };
}

/** The host that a URL leads to, in lower case; undefined: none. */
export function hostOfUrl(url: string): string | undefined {
  return authorityOf(url)?.host;
}

/**
 * The host as saved in a grant: with its port unless it is the web's default. This machine and private networks always
 * keep the port, because only a rule with a port reaches them.
 */
export function placeOfUrl(url: string): string | undefined {
  const place = authorityOf(url);
  if (!place) return undefined;
  const isUsual = Object.values(usualPorts).includes(place.port) || place.port === "";
  return isUsual && !isLocalName(place.host) ? place.host : `${place.host}:${place.port}`;
}

/** A number, a name without a dot, or one with a local ending is never a host of the web. */
function isLocalName(host: string): boolean {
  return /^\[|^[\d.]+$|^[^.]+$|\.(localhost|local|internal|lan|home)$/.test(host);
}

/** The normalized spelling of a name: lower case, no trailing dot, other scripts in ASCII. */
function plainName(name: string): string {
  const plain = name.toLowerCase().replace(/\.$/, "");
  return punycodeHost(plain) ?? plain;
}

const hostName = /^(?:[a-z0-9_](?:[a-z0-9_.-]*[a-z0-9_])?|\[[0-9a-f:.]+\])$/;

/** Why a host pattern would never match, as the end of a sentence; undefined: it can. */
export function hostIssue(pattern: string): string | undefined {
  if (hostName.test(plainName(partsOf(pattern).name))) return undefined;
  return "names no host: write `example.com`, `*.example.com` or `localhost:3000`";
}

type HostPattern = { below: boolean; name: string; port?: string };

function partsOf(pattern: string): HostPattern {
  const [, star, name = "", port] = /^(\*\.)?(.*?)(?::(\d+))?$/.exec(pattern) ?? [];
  return { below: star !== undefined, name, ...(port === undefined ? {} : { port }) };
}

/** `example.com`, `*.example.com` for its subdomains, or either with a port: `localhost:3000`. */
export function matchesHost(pattern: string, url: string): boolean {
  const place = authorityOf(url);
  if (!place) return false;
  const { below, name, port } = partsOf(pattern);
  if (port !== undefined && port !== place.port) return false;
  const wanted = plainName(name);
  return below ? place.host.endsWith(`.${wanted}`) : place.host === wanted;
}
