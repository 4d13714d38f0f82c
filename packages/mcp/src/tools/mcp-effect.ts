import { createHash } from "node:crypto";
import type { Effect } from "@harness/protocol";
import type { McpServerConfig } from "../config/server-config.ts";

type McpEffect = Extract<Effect, { kind: "mcp" }>;

/** Names of credentials, by whole words: not `KEYBOARD`, `AUTHOR` or `MONKEY_PATCH`. */
const secretName =
  /(?:^|[_-])(?:tokens?|secrets?|pass|pgpass|passwd|passwords?|passphrase|(?:api|access|private)?keys?|pat|auth|authorization|credentials?|cookies?)(?:$|[_-])/i;
/** An address or a path: a location, whatever its name suggests. */
const place = /^(?:[a-z][a-z0-9+.-]*:\/\/|~?\.{0,2}\/)/i;

/** How a server is reached, as a hash: a different command, environment, address or header means a different server. */
export function mcpConfiguration({ command, args = [], env = {}, cwd, url, headers, oauth }: McpServerConfig): string {
  const reached: unknown[] = [command, args, withoutCredentials(env), cwd, url];
  if (headers !== undefined && Object.keys(headers).length > 0) reached.push({ headers: withoutCredentials(headers) });
  // The account's permissions there depend on its scopes.
  if (oauth?.scopes !== undefined) reached.push({ scopes: oauth.scopes.toSorted() });
  return createHash("sha256").update(JSON.stringify(reached)).digest("hex").slice(0, 32);
}

/**
 * Names with their values, in order; for credentials only the names, because a new key does not make a different
 * server.
 */
function withoutCredentials(named: Readonly<Record<string, string>>): [string, string][] {
  return Object.entries(named)
    .map(([name, value]): [string, string] => [name, isCredential(name, value) ? "" : value])
    .sort(([one], [other]) => (one < other ? -1 : 1));
}

function isCredential(name: string, value: string): boolean {
  const words = name.replace(/([a-z0-9])([A-Z])/g, "$1_$2");
  return secretName.test(words) && !place.test(value);
}

/** The effect of a tool call, as far as harness knows. `tool`: the server's name for it. */
export function mcpEffect(config: McpServerConfig, tool: string): McpEffect {
  return {
    kind: "mcp",
    server: config.name,
    tool,
    configuration: mcpConfiguration(config),
    ...(config.project ? { project: true } : {}),
    ...(config.replaces ? { replaces: true } : {}),
  };
}
