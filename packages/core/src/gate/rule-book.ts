import type { SessionRules } from "../ports/live-session.ts";
import { parseRule, type Rule } from "./rule.ts";

/** The rules of a session as far as they can be read. */
export type RuleBook = {
  allow: readonly Rule[];
  deny: readonly Rule[];
  /** A deny rule could not be read: nothing is allowed unasked, so that it is not dropped in silence. */
  denyUnreadable: boolean;
  /** What is wrong with the others, in sentences. */
  problems: readonly string[];
};

/** `toolNames`: all tools of the session; a rule about any other one protects from nothing. */
export function ruleBook({ allow, deny }: SessionRules, toolNames: readonly string[]): RuleBook {
  const problems: string[] = [];
  const parse = (texts: readonly string[]): Rule[] =>
    texts.flatMap((text) => {
      const rule = parseRule(text, toolNames);
      if (!("problem" in rule)) return [rule];
      problems.push(rule.problem);
      return [];
    });
  const allowed = parse(allow);
  const denied = parse(deny);
  return { allow: allowed, deny: denied, denyUnreadable: denied.length < deny.length, problems };
}
