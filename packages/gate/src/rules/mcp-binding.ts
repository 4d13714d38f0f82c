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
 * Is the server the one that an allow rule means? An answer is for the configuration that the person saw. A rule by hand for a
 * named server is for the person's own: of all projects (`user`) never for one that a project names, of this run or project not
 * for one that takes the place of the person's. A rule of the repository, and one that names no server, is for any.
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
