import type { RuleView } from "@harness/protocol";
import { PathPattern } from "../places/path-pattern.ts";
import type { GateSettings, SessionRules } from "../ports/gate-settings.ts";
import type { KeptRule, PolicySet } from "../ports/policies.ts";
import { type PolicyRule, policyText } from "../ports/policy.ts";
import { splitWords } from "../shell/command-text.ts";
import { commandIssue, parseRule, type Rule, type RuleOrigin, ruleFromText, withoutStar } from "./rule.ts";
import type { RuleTool } from "./rule-tool.ts";

/** Rules as far as they can be read. */
export type RuleSet = {
  rules: readonly Rule[];
  /** True if a deny rule could not be read: nothing is allowed unasked, so that the denial is not lost silently. */
  everythingAsks: boolean;
  /** Problems of the other rules, in sentences. */
  problems: readonly string[];
};

/** The rules of a run. `tools`: all tools of the session; a rule about an unknown tool protects nothing. */
export function runRules({ allow, deny }: SessionRules, tools: readonly RuleTool[]): RuleSet {
  const problems: string[] = [];
  const origin: RuleOrigin = { scope: "run", where: "given when the session was started" };
  const read = (texts: readonly string[], decision: Rule["decision"]): Rule[] =>
    texts.flatMap((text) => {
      const rule = parseRule(text, tools);
      if (!("problem" in rule)) return [ruleFromText(rule, decision, origin)];
      problems.push(rule.problem);
      return [];
    });
  const allowed = read(allow, "allow");
  const denied = read(deny, "deny");
  return { rules: [...denied, ...allowed], everythingAsks: denied.length < deny.length, problems };
}

/** The rules of policy files; `base`: the folder that their path patterns are relative to. */
export function policyRules({ rules, problems, everythingAsks }: PolicySet, base?: string): RuleSet {
  const all = rules.map(ruleOfKept);
  return { rules: base === undefined ? all : all.map((rule) => ({ ...rule, base })), everythingAsks, problems };
}

function ruleOfKept({ rule, ruleId, scope, path }: KeptRule): Rule {
  const { why, created } = rule;
  const origin = { ruleId, scope, where: path, ...(why ? { why } : {}), ...(created ? { createdAt: created } : {}) };
  return ruleOfPolicy(rule, origin);
}

export function ruleOfPolicy(rule: PolicyRule, origin: RuleOrigin): Rule {
  const { decision, argv, rest = "any", line, path, host, mcp, configuration } = rule;
  const made: Rule = { decision, text: policyText(rule), tool: rule.tool.toLowerCase(), origin };
  if (argv) return { ...made, subject: { command: { argv, rest } } };
  if (line !== undefined) return { ...made, subject: { line } };
  if (path !== undefined) return { ...made, subject: { path: new PathPattern(path) } };
  if (mcp !== undefined) return { ...made, subject: { mcp }, ...(configuration ? { configuration } : {}) };
  return host === undefined ? made : { ...made, subject: { host } };
}

/**
 * The setting `denied_command_prefixes`, for every tool that runs commands, and the restrictions that cannot be read.
 */
export function settingRules({
  deniedCommandPrefixes,
  unreadable = [],
}: Pick<GateSettings, "deniedCommandPrefixes" | "unreadable">): RuleSet {
  const where = "denied_command_prefixes";
  const origin: RuleOrigin = { scope: "setting", where };
  const problems = [...unreadable];
  const rules = deniedCommandPrefixes.flatMap((written): Rule[] => {
    const raw = withoutStar(written);
    const argv = splitWords(raw);
    if (argv.length === 0) return [];
    const issue = commandIssue(raw, "npm run");
    if (issue) problems.push(`\`${raw}\` of ${where} ${issue}. Until it is fixed, harness asks about everything.`);
    return [{ decision: "deny", text: raw, tool: "*", subject: { command: { argv, rest: "any", raw } }, origin }];
  });
  return { rules, everythingAsks: problems.length > 0, problems };
}

export function ruleView({ decision, text, origin }: Rule): RuleView {
  return { decision, text, ...origin };
}
