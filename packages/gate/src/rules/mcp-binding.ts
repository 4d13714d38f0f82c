import type { Effect, RuleView } from "@harness/protocol";
import { MCP } from "./mcp-pattern.ts";

type McpEffect = Extract<Effect, { kind: "mcp" }>;
/** The parts of a rule that say which servers it is about. */
type RuleBinding = {
  configuration?: string;
  origin: Pick<RuleView, "scope">;
  tool: string;
  subject?: { mcp?: string };
};

/**
 * True if the server is the one that an allow rule means. An answer is for the configuration that the user saw. A
 * hand-written rule for a named server is for the user's own: a rule for all projects (`user`) never applies to a
 * server that a project names, and a rule for this run or project not to one that replaces the user's. A rule of the
 * repository, and one that names no server, applies to any.
 */
export function isForConfiguration({ configuration, origin, tool, subject }: RuleBinding, effect: McpEffect): boolean {
  if (configuration !== undefined) return effect.configuration === configuration;
  if (!effect.project || origin.scope === "repository" || !namesServer(tool, subject?.mcp)) return true;
  return origin.scope !== "user" && effect.replaces !== true;
}

function namesServer(tool: string, pattern: string | undefined): boolean {
  if (tool === MCP) return pattern !== undefined && !/^\*+(?:\/|$)/.test(pattern);
  return tool !== "*";
}
