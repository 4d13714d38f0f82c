import { BlockList, isIP } from "node:net";
import type { Environment } from "../process/child-environment.ts";

/** A proxy as named by an environment variable. */
export type NamedProxy = {
  kind: "http" | "socks";
  url: URL;
  variable: string;
  /** Without user name and password. */
  shown: string;
};

/** `problem`: a sentence about a variable that is not understood. */
export type ProxyChoice = "direct" | NamedProxy | { problem: string };

/** Schemes with their usual ports; the `socks` variants are distinguished by `socks-agent.ts`. */
const PORTS: Readonly<Record<string, number>> = {
  http: 80,
  https: 443,
  socks: 1080,
  socks4: 1080,
  socks4a: 1080,
  socks5: 1080,
  socks5h: 1080,
};

/** `[scheme://][user[:password]@]host[:port][/]`, as curl accepts it. */
const FORM =
  /^(?:(?<scheme>[a-z][a-z0-9+.-]*):\/\/)?(?:(?<user>[^\s/?#]*)@)?(?<host>\[[0-9a-f:.]+\]|[^\s:/?#@[\]\\]+)(?::(?<port>\d{1,5}))?\/?$/i;

/**
 * How to reach an address: `http_proxy` or `https_proxy`, otherwise `all_proxy`, in lower or upper case, except for the
 * hosts of `no_proxy`. Never a proxy for this machine. A variable that is not understood is a problem, never a reason
 * to connect directly.
 */
export function chooseProxy(target: URL, env: Environment): ProxyChoice {
  const scheme = target.protocol.slice(0, -1);
  const set = [`${scheme}_proxy`, "all_proxy"]
    .flatMap((name) => [name, name.toUpperCase()])
    .find((name) => (env[name] ?? "").trim() !== "");
  if (set === undefined || isThisMachine(target.hostname) || isExcepted(target, env)) return "direct";
  return readProxy(set, (env[set] ?? "").trim());
}

function readProxy(variable: string, value: string): NamedProxy | { problem: string } {
  const { scheme = "http", user, host = "", port } = FORM.exec(value)?.groups ?? {};
  const problem = { problem: `${variable} is "${withoutUser(value)}", which names no proxy` };
  const usual = PORTS[scheme.toLowerCase()];
  if (usual === undefined) {
    const known = Object.keys(PORTS).join(", ");
    return { problem: `${problem.problem} of a kind that harness knows: it may begin with ${known}, each with ://.` };
  }
  const number = port === undefined ? usual : Number(port);
  const bare = host.replace(/^\[|\]$/g, "");
  // A plain number, or an invalid address, would be read as some other address.
  const isHost = isIP(bare) !== 0 || (/[a-z]/i.test(bare) && !host.startsWith("[") && !bare.startsWith("."));
  const text = `http://${user === undefined ? "" : `${user}@`}${host}:${number}`;
  if (!isHost || number < 1 || number > 65_535 || !URL.canParse(text)) {
    return { problem: `${problem.problem}. Write it as http://host:port, or take it out of the environment.` };
  }
  const kind = scheme.toLowerCase().startsWith("socks") ? "socks" : "http";
  const { hostname, username, password } = new URL(text);
  const url = new URL(`${scheme.toLowerCase()}://${hostname}:${number}`);
  url.username = username;
  url.password = password;
  return { kind, url, variable, shown: `${scheme.toLowerCase()}://${hostname}:${number}` };
}

const MAX_SHOWN = 80;

/** An unreadable value, for people: without what may be a user name and a password. */
function withoutUser(value: string): string {
  const scheme = /^[a-z][a-z0-9+.-]*:\/\//i.exec(value)?.[0] ?? "";
  const rest = value.slice(scheme.length);
  const shown = rest.includes("@") ? `…@${rest.slice(rest.lastIndexOf("@") + 1)}` : rest;
  const clean = `${scheme}${shown}`.replace(/[\p{C}\p{Z}]/gu, " ");
  return clean.length > MAX_SHOWN ? `${clean.slice(0, MAX_SHOWN)}…` : clean;
}

function isThisMachine(hostname: string): boolean {
  const host = bareHost(hostname);
  if (host === "localhost" || host.endsWith(".localhost")) return true;
  const family = isIP(host);
  if (family === 0) return false;
  const own = new BlockList();
  own.addSubnet("127.0.0.0", 8, "ipv4");
  own.addAddress("0.0.0.0", "ipv4");
  own.addAddress("::1", "ipv6");
  own.addAddress("::", "ipv6");
  return own.check(host, family === 6 ? "ipv6" : "ipv4");
}

/** Hosts with their subdomains, addresses and networks, each with an optional port; `*` is every host. */
function isExcepted(target: URL, env: Environment): boolean {
  const list = [env.no_proxy, env.NO_PROXY].find((value) => (value ?? "").trim() !== "") ?? "";
  const host = bareHost(target.hostname);
  const port = target.port || (target.protocol === "https:" ? "443" : "80");
  return list
    .toLowerCase()
    .split(/[\s,]+/)
    .some((entry) => entry !== "" && covers(entry, host, port));
}

function covers(entry: string, host: string, port: string): boolean {
  if (entry === "*") return true;
  if (entry.includes("/")) return isInNetwork(host, entry);
  const parts = /^(?:\[([^\]]*)\]|([^:]*))(?::(\d+))?$/.exec(entry);
  // An IPv6 address without brackets has colons of its own.
  const [, bracketed, plain, only] = parts ?? [undefined, undefined, entry, undefined];
  if (only !== undefined && only !== port) return false;
  const name = (bracketed ?? plain ?? "").replace(/^\*?\./, "").replace(/\.$/, "");
  if (name === "") return false;
  if (isIP(name) !== 0) return isIP(host) !== 0 && isInNetwork(host, `${name}/${isIP(name) === 6 ? 128 : 32}`);
  return host === name || host.endsWith(`.${name}`);
}

function isInNetwork(host: string, network: string): boolean {
  const [net = "", bits = ""] = network.split("/");
  const families = [isIP(host), isIP(net)];
  if (families.includes(0) || !/^\d{1,3}$/.test(bits) || Number(bits) > (families[1] === 6 ? 128 : 32)) return false;
  const list = new BlockList();
  list.addSubnet(net, Number(bits), families[1] === 6 ? "ipv6" : "ipv4");
  return list.check(host, families[0] === 6 ? "ipv6" : "ipv4");
}

function bareHost(hostname: string): string {
  return hostname
    .replace(/^\[|\]$/g, "")
    .replace(/\.$/, "")
    .toLowerCase();
}
