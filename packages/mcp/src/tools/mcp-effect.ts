import { createHash } from "node:crypto";
import type { Effect } from "@harness/protocol";
import type { McpServerConfig } from "../config/server-config.ts";

type McpEffect = Extract<Effect, { kind: "mcp" }>;

const secretName = /token|secret|passw|key|auth|credential|cookie/i;

/** How a server is reached, as a hash: with another command, environment or address it is another server. */
export function mcpConfiguration({ command, args = [], env = {}, cwd, url }: McpServerConfig): string {
  // A new key makes no other server of it.
  const variables = Object.entries(env)
    .map(([name, value]) => [name, secretName.test(name) ? "" : value])
    .sort(([one = ""], [other = ""]) => (one < other ? -1 : 1));
  return createHash("sha256")
    .update(JSON.stringify([command, args, variables, cwd, url]))
    .digest("hex")
    .slice(0, 32);
}

/** What a call of a tool does, as far as harness knows. `tool`: as the server calls it. */
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
