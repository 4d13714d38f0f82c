import { opaquePart } from "./opaque-part.ts";

/** An address, parsed once and judged by its text; the addresses that it resolves to are judged when connecting. */
export type WebAddress = {
  url: URL;
  /** Lower case, without a trailing dot; an IPv6 address without brackets. */
  host: string;
  port: number;
};

export type WebAddressRules = {
  /** `host:port` of private addresses that may be reached, IPv6 in brackets. */
  allowedPrivate: readonly string[];
  /** True if the text contains a known key. */
  isSecret(text: string): boolean;
};

const MAX_CHARS = 4_000;
/** Names that public name servers do not, or should not, know. */
const PRIVATE_ENDS =
  /(^|\.)(localhost|local|localdomain|internal|intranet|private|corp|home|lan|svc|cluster|consul|home\.arpa|test|invalid|onion)$/;
const METADATA_NAMES =
  /^(metadata|metadata\.google\.internal|metadata\.goog|instance-data|instance-data\.ec2\.internal|metadata\.azure\.com|metadata\.azure\.internal|metadata\.tencentyun\.com|metadata\.packet\.net)$/;
const CONTROLS =
  /[\0-\x20\x7f-\x9f\u00a0\u00ad\u1680\u180e\u2000-\u200f\u2028-\u202f\u205f-\u206f\u3000\ufeff\ufff9-\uffff]/u;

/** Parses a web address. The problem is a sentence; `needs` is the rule that would allow it. */
export function readWebAddress(text: string, rules: WebAddressRules): WebAddress | { problem: string; needs?: string } {
  const trimmed = text.trim();
  const refused = (why: string) => ({ problem: `This address cannot be fetched: ${why}.` });
  if (trimmed.length > MAX_CHARS) return refused(`it is longer than ${MAX_CHARS.toLocaleString("en")} characters`);
  if (CONTROLS.test(trimmed)) return refused("it contains blanks or invisible characters");
  if (trimmed.includes("\\")) return refused("it contains a backslash, which programs read in different ways");
  if (!/^https?:\/\/[^/]/i.test(trimmed)) return refused("write it in full, beginning with https:// or http://");
  if (!URL.canParse(trimmed)) return refused("it is not a valid address");
  const url = new URL(trimmed);
  if (/^https?:\/\/[^/?#]*@/i.test(trimmed)) return refused("it contains a name or a password before an @");
  // The fragment is not sent, but would be stored and shown.
  url.hash = "";
  const { host, port } = hostAndPort(url);
  if (host === "" || host.includes("..") || host.endsWith(".")) return refused("it names no host");
  if (port < 1024 && port !== 80 && port !== 443) return refused(`port ${port} is not a port of the web`);
  if (METADATA_NAMES.test(host)) return refused("this is a metadata service, which harness never contacts");
  const leak = leakIn(url, rules);
  if (leak !== undefined) return refused(leak);
  const isPrivateName = !isNumber(host) && (!host.includes(".") || PRIVATE_ENDS.test(host));
  const address = { url, host, port };
  return isPrivateName && !isAllowed(address, rules) ? privateProblem(address) : address;
}

/** Why something private was refused, and the rule that would allow it. */
export function privateProblem(address: WebAddress): { problem: string; needs: string } {
  const needs = `web_fetch(${formatHostPort(address)})`;
  return {
    problem:
      `${formatHostPort(address)} is this machine or in a private network, which is reached only where a rule names it: ` +
      `the person can allow it with \`/permissions allow ${needs}\` (or in policies.json, or with --allow).`,
    needs,
  };
}

export function isAllowed(address: WebAddress, { allowedPrivate }: Pick<WebAddressRules, "allowedPrivate">): boolean {
  const place = formatHostPort(address);
  return allowedPrivate.some((each) => each.toLowerCase() === place);
}

/** `host:port`, as rules name it. */
export function formatHostPort({ host, port }: Pick<WebAddress, "host" | "port">): string {
  return `${host.includes(":") ? `[${host}]` : host}:${port}`;
}

/** The host and port that an address leads to. */
export function hostAndPort({ hostname, port, protocol }: URL): Pick<WebAddress, "host" | "port"> {
  const host = hostname.startsWith("[") ? hostname.slice(1, -1) : hostname.replace(/\.$/, "");
  return { host, port: Number(port || (protocol === "https:" ? 443 : 80)) };
}

/** The WHATWG parser has already normalized all numeric forms to dotted decimals or brackets. */
function isNumber(host: string): boolean {
  return host.includes(":") || /^\d+\.\d+\.\d+\.\d+$/.test(host);
}

/** The host sees the whole address: a page must not be able to make us send it keys. */
function leakIn(url: URL, { isSecret }: WebAddressRules): string | undefined {
  const text = url.href;
  if (isSecret(text) || isSecret(decoded(text))) return "it contains a key or a password that harness knows";
  const opaque = opaquePart(url);
  if (opaque === undefined) return undefined;
  return `\`${opaque.slice(0, 12)}…\` in it is a long unreadable string, which could leak a secret`;
}

function decoded(text: string): string {
  try {
    return decodeURIComponent(text.replaceAll("+", " "));
  } catch {
    return text;
  }
}
