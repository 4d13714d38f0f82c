import type { AgentDefinition } from "@harness/protocol";
import { frontmatterText } from "../text/frontmatter.ts";

/** A definition as the text of its file, which `readAgent` reads back. */
export function agentText(definition: AgentDefinition): string {
  const lines = [...frontmatterLines(definition).values()].flat();
  return `---\n${lines.join("\n")}\n---\n\n${definition.prompt.trim()}\n`;
}

/** The lines of each field of the frontmatter; none for an empty field. */
export function frontmatterLines(definition: AgentDefinition): Map<keyof AgentDefinition, string[]> {
  const { name, description, tools, disallowedTools, model, mode, permissionMode, budget = {} } = definition;
  const limits = Object.entries(budget).map(([key, value]) => `  ${key}: ${value}`);
  const lines: Partial<Record<keyof AgentDefinition, string[]>> = {
    name: [`name: ${frontmatterText(name)}`],
    description: [`description: ${frontmatterText(description)}`],
    ...(tools ? { tools: [`tools: ${listText(tools)}`] } : {}),
    ...(disallowedTools?.length ? { disallowedTools: [`disallowedTools: ${listText(disallowedTools)}`] } : {}),
    ...(model ? { model: [`model: ${frontmatterText(model)}`] } : {}),
    ...(mode ? { mode: [`mode: ${mode}`] } : {}),
    ...(permissionMode ? { permissionMode: [`permission_mode: ${permissionMode}`] } : {}),
    ...(limits.length > 0 ? { budget: ["limits:", ...limits] } : {}),
    ...(definition.background ? { background: ["background: true"] } : {}),
    ...(definition.worktree ? { worktree: ["worktree: true"] } : {}),
  };
  return new Map(Object.entries(lines) as [keyof AgentDefinition, string[]][]);
}

/** Names as a list on one line. */
export function listText(names: readonly string[]): string {
  return `[${names.map((name) => (/^[\w.*-]+$/.test(name) ? name : JSON.stringify(name))).join(", ")}]`;
}
