import type { Environment } from "@harness/host";
import type { McpOAuthConfig, McpServerConfig } from "./server-config.ts";

/** `${NAME}` or `${NAME:-default}`, with the default for a NAME that is not set or empty. */
const VARIABLE = /\$\{([A-Za-z_][A-Za-z0-9_]*)(?::-([^}]*))?\}/g;

type ExpandedConfig = { config: McpServerConfig } | { problem: string };

/**
 * Expands environment variables in command, arguments, folder, variables, address, headers and client. A variable that
 * is not set and has no default is a problem: a command with a gap in it would do something else.
 */
export function expandConfig(config: McpServerConfig, env: Environment): ExpandedConfig {
  const missing = new Set<string>();
  const expand = (text: string): string =>
    text.replace(VARIABLE, (_, name: string, otherwise: string | undefined) => {
      const value = env[name] || otherwise;
      if (value === undefined) missing.add(name);
      return value ?? "";
    });
  const { command, args, env: variables, cwd, url, headers, oauth } = config;
  const expanded: McpServerConfig = {
    ...config,
    ...(command !== undefined && { command: expand(command) }),
    ...(args && { args: args.map(expand) }),
    ...(variables && { env: expandValues(variables, expand) }),
    ...(cwd !== undefined && { cwd: expand(cwd) }),
    ...(url !== undefined && { url: expand(url) }),
    ...(headers && { headers: expandValues(headers, expand) }),
    ...(oauth && { oauth: expandClient(oauth, expand) }),
  };
  if (missing.size === 0) return { config: expanded };
  const names = [...missing].sort().join(", ");
  const isOne = missing.size === 1;
  const problem = `${names} ${isOne ? "is" : "are"} not set, but ${config.from} needs ${isOne ? "it" : "them"} for the MCP server ${config.name}. Set ${isOne ? "it" : "them"} in the environment, or give a value in the file with \${NAME:-value}.`;
  return { problem };
}

function expandClient(oauth: McpOAuthConfig, expand: (text: string) => string): McpOAuthConfig {
  const { clientId, clientSecret } = oauth;
  return {
    ...oauth,
    ...(clientId !== undefined && { clientId: expand(clientId) }),
    ...(clientSecret !== undefined && { clientSecret: expand(clientSecret) }),
  };
}

function expandValues(values: Readonly<Record<string, string>>, expand: (text: string) => string) {
  return Object.fromEntries(Object.entries(values).map(([name, value]) => [name, expand(value)]));
}
