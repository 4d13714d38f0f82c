import { grantCovers } from "./answers/grant.ts";
import type { GateQuery } from "./gate-query.ts";
import type { Need } from "./need.ts";
import type { ResolvedEffect } from "./resolved-effect.ts";
import { reachesFurther } from "./rules/reaching-flags.ts";
import { namesFile, type Rule, ruleAllows, ruleAllowsCommand, ruleNames } from "./rules/rule.ts";
import type { CheckedCommand } from "./shell/checked-line.ts";

/** The rule or grant that covers every effect that needs one; undefined: some effects are not covered. */
export function coverFor(
  query: GateQuery,
  needs: readonly Need[],
): { by: "rule"; rule: Rule } | { by: "grant" } | undefined {
  const { tool, effects, grants } = query;
  const allow = query.rules.filter(({ decision }) => decision === "allow");
  const rule = allow.find((each) => isNamed(each, query));
  const isGranted = effects.some((each, at) =>
    grants.some((grant) => grantCovers(grant, tool, each, needs[at]?.plain)),
  );
  if (!rule && !isGranted) return undefined;
  const isCovered = effects.every((each, at) => {
    const need = needs[at];
    if (!need?.ask || rulesCover(query, allow, each, need)) return true;
    return !need.secret && grants.some((grant) => grantCovers(grant, tool, each, need.plain));
  });
  if (!isCovered) return undefined;
  return rule ? { by: "rule", rule } : { by: "grant" };
}

/** Is the rule about something in the call? */
function isNamed(rule: Rule, { tool, effects, roots }: GateQuery): boolean {
  if (effects.length === 0) return !rule.subject && ruleNames(rule, tool);
  return effects.some((each) => {
    const line = each.command?.line;
    return line
      ? line.commands.some((command) => ruleAllowsCommand(rule, tool, command))
      : ruleAllows(rule, tool, each, roots[0] ?? "/");
  });
}

function rulesCover(query: GateQuery, allow: readonly Rule[], resolved: ResolvedEffect, need: Need): boolean {
  const { tool, roots } = query;
  const [root = "/"] = roots;
  const { command } = resolved;
  if (!command) {
    return allow.some((rule) => {
      // A tool alone says nothing about places that a person did not think of.
      if (need.outside && !rule.subject) return false;
      return ruleAllows(rule, tool, resolved, root) && (!need.secret || namesFile(rule, resolved, root));
    });
  }
  if (command.problem !== undefined || (need.secret && need.safeCommand)) return false;
  const usable = allow.filter(({ origin, subject }) => {
    // Only rules given for this run allow dangerous commands; kept rules do not.
    if (command.findings.danger && origin.scope !== "run") return false;
    return command.secrets.every((word) => subject?.command?.argv.includes(word));
  });
  const { line } = command;
  if (!line) return usable.some((rule) => ruleAllows(rule, tool, resolved, root));
  const isRuled = line.commands.map((each) =>
    usable.some((rule) => ruleAllowsCommand(rule, tool, each) && !isBeyond(rule, each)),
  );
  const mayPassOn = query.acceptsReaders && !query.strict && !command.findings.danger;
  return (
    isRuled.includes(true) &&
    isRuled.every((ruled, at) => ruled || command.stays[at] || (mayPassOn && command.passesOn[at]))
  );
}

/**
 * Rules from files do not cover flags that make a command do more than its beginning says, unless they name the flag.
 */
function isBeyond({ origin, subject }: Rule, command: CheckedCommand): boolean {
  return origin.scope !== "run" && subject?.command !== undefined && reachesFurther(command, subject.command.argv);
}
