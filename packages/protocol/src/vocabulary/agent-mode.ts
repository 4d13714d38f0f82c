import * as z from "zod";

/**
 * The purpose of an agent, which decides its tools: talk and the web (`casual`), reading and planning, reading and
 * research, or everything. The permission mode is a separate setting: it decides which calls are asked about.
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
