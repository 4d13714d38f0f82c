import { type PolicyRule, parseRule, type RuleTool } from "@harness/gate";

/** Turns a rule as people write it into one that can be stored, or returns a sentence about why it cannot. */
export function parsePolicyRule(
  text: string,
  decision: PolicyRule["decision"],
  tools: readonly RuleTool[],
): PolicyRule | { problem: string } {
  const rule = parseRule(text, tools);
  if ("problem" in rule) return rule;
  const { tool, pattern } = rule;
  if (pattern === undefined) return { decision, tool };
  // Tools of MCP servers are identified by their server.
  if (tool === "mcp") return { decision, tool, mcp: pattern };
  switch (tools.find(({ name }) => name.toLowerCase() === tool)?.subject) {
    case "argv": {
      const argv = pattern.split(/\s+/);
      // A shell would interpret these words differently.
      if (argv.some((word) => /["'`\\$;&|<>(){}]/.test(word))) {
        return {
          problem: `The rule \`${text}\` contains shell syntax: use the plain words that a command begins with.`,
        };
      }
      return { decision, tool, argv };
    }
    case "host":
      return { decision, tool, host: pattern };
    case "path":
      return { decision, tool, path: pattern };
    default:
      return {
        problem: `The rule \`${text}\` cannot be saved: a pattern needs a tool, as in \`bash(npm test)\`.`,
      };
  }
}
