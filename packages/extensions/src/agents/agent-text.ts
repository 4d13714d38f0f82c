import type { AgentDefinition } from "@harness/protocol";
import { frontmatterText } from "../text/frontmatter.ts";

/** A definition as the text of its file, which `readAgent` reads back. */
export function agentText(definition: AgentDefinition): string {
  const { name, description, prompt, tools, disallowedTools, model, mode, permissionMode, budget = {} } = definition;
  const limits = Object.entries(budget).map(([key, value]) => `  ${key}: ${value}`);
  const lines = [
    `name: ${frontmatterText(name)}`,
    `description: ${frontmatterText(description)}`,
    ...(tools ? [`tools: ${listText(tools)}`] : []),
    ...(disallowedTools?.length ? [`disallowedTools: ${listText(disallowedTools)}`] : []),
    ...(model ? [`model: ${frontmatterText(model)}`] : []),
    ...(mode ? [`mode: ${mode}`] : []),
    ...(permissionMode ? [`permission_mode: ${permissionMode}`] : []),
    ...(limits.length > 0 ? ["limits:", ...limits] : []),
    ...(definition.background ? ["background: true"] : []),
    ...(definition.worktree ? ["worktree: true"] : []),
  ];
  return `---\n${lines.join("\n")}\n---\n\n${prompt.trim()}\n`;
}

function listText(names: readonly string[]): string {
  return `[${names.map((name) => (/^[\w.*-]+$/.test(name) ? name : JSON.stringify(name))).join(", ")}]`;
}
