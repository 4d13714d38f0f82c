import { type PolicyRule, parseRule, type Tool } from "@harness/core";
import type { Effect } from "@harness/protocol";

/** A rule as people write it, as one that is kept; a sentence where it cannot be. */
export function policyRuleOf(
  text: string,
  decision: PolicyRule["decision"],
  tools: readonly Tool[],
  toolNames: readonly string[],
): PolicyRule | { problem: string } {
  const rule = parseRule(text, toolNames);
  if ("problem" in rule) return rule;
  const { tool, pattern } = rule;
  if (pattern === undefined) return { decision, tool };
  const known = tools.find(({ name }) => name.toLowerCase() === tool);
  const kind = known && kindOfEffect(known);
  if (kind === "run") {
    const argv = pattern.split(/\s+/);
    // A shell would read these words otherwise than they stand there.
    if (argv.some((word) => /["'`\\$;&|<>(){}]/.test(word))) {
      return {
        problem: `The rule \`${text}\` has signs of the shell: keep the plain words that a command begins with.`,
      };
    }
    return { decision, tool, argv };
  }
  if (kind === "reach") return { decision, tool, host: pattern };
  if (kind === "read" || kind === "write") return { decision, tool, path: pattern };
  return {
    problem: `The rule \`${text}\` cannot be kept: a pattern needs a tool that it is about, as in \`bash(npm test)\`.`,
  };
}

/** What a tool does, as it would say of some call. */
function kindOfEffect(tool: Tool): Effect["kind"] | undefined {
  for (const sample of ["sample", "https://sample.example/"]) {
    try {
      // Whatever it asks of its arguments is there.
      const args = new Proxy({}, { get: () => sample });
      const [effect] = tool.effects(args, "/");
      if (effect) return effect.kind;
    } catch {
      // Its arguments are no texts: the next sample, or none.
    }
  }
  return undefined;
}
