import * as z from "zod";

/**
 * What an agent is there for, and so which tools it has: talk and the web (`casual`), looking and planning, looking and
 * researching, or everything. Another thing than the permission mode, which says who decides.
 */
export const AgentMode = z.enum(["casual", "planning", "research", "agent"]);
export type AgentMode = z.infer<typeof AgentMode>;

const aliases: Readonly<Record<string, AgentMode>> = { plan: "planning", dev: "agent", researching: "research" };

/** A mode by its name or an alias (`plan`, `dev`, `researching`), in any case of letters. */
export function agentModeOf(text: string): AgentMode | undefined {
  const name = text.trim().toLowerCase();
  const known = AgentMode.options.find((each) => each === name);
  return known ?? (Object.hasOwn(aliases, name) ? aliases[name] : undefined);
}
