type Authority = { host: string; port: string };

const usualPorts: Readonly<Record<string, string>> = { http: "80", https: "443" };

/** Where a URL really leads: user info is skipped, a backslash ends the authority as browsers read it. */
function authorityOf(url: string): Authority | undefined {
  const [, scheme = "", authority = ""] = /^([a-z][a-z0-9+.-]*):\/\/([^/?#\\]*)/i.exec(url.trim()) ?? [];
  const place = authority.slice(authority.lastIndexOf("@") + 1).toLowerCase();
  const [, host = "", port = ""] = /^(.*?)(?::(\d*))?$/.exec(place) ?? [];
  const name = host.replace(/\.$/, "");
  return name === "" ? undefined : { host: name, port: port || (usualPorts[scheme.toLowerCase()] ?? "") };
}

/** The host a URL leads to, in lower case; undefined where there is none. */
export function hostOf(url: string): string | undefined {
  return authorityOf(url)?.host;
}

/** `example.com`, `*.example.com` for what is below it, or either with a port: `localhost:3000`. */
export function matchesHost(pattern: string, url: string): boolean {
  const place = authorityOf(url);
  if (!place) return false;
  const [, wanted = "", port] = /^(.*?)(?::(\d+))?$/.exec(pattern.toLowerCase()) ?? [];
  if (port !== undefined && port !== place.port) return false;
  return wanted.startsWith("*.") ? place.host.endsWith(wanted.slice(1)) : place.host === wanted;
}
