// The coverage of kept rules: those that the permission dialog offers, and those written by hand.
import type { Effect } from "@harness/protocol";
import { sample, usualGateSettings } from "@harness/testkit";
import { describe, expect, it } from "vitest";
import { buildsFlags } from "../test/cases/flags/builds-flags.cases.ts";
import { gitFlags } from "../test/cases/flags/git-flags.cases.ts";
import { languagesFlags } from "../test/cases/flags/languages-flags.cases.ts";
import { packagesFlags } from "../test/cases/flags/packages-flags.cases.ts";
import { systemsFlags } from "../test/cases/flags/systems-flags.cases.ts";
import { transfersFlags } from "../test/cases/flags/transfers-flags.cases.ts";
import { handRules } from "../test/cases/hand-rules.cases.ts";
import { keptCases, notOffered } from "../test/cases/kept-rules.cases.ts";
import { otherFolderCases, otherFolderRules } from "../test/cases/other-folder.cases.ts";
import { type Evaluation, evaluateCall } from "./evaluate-call.ts";
import type { PolicyRule } from "./ports/policy.ts";
import { offerFor } from "./requests/permission-request.ts";
import { parseRule, type Rule, type RuleOrigin, ruleFromText } from "./rules/rule.ts";
import { ruleOfPolicy } from "./rules/rule-set.ts";

const kept: RuleOrigin = { scope: "project", where: "policies.json" };
const call = { agentId: "main", toolCallId: "a", title: "a call", foundInText: false, preview: async () => undefined };

function judge(command: string, rules: readonly Rule[]): Evaluation {
  const effects: Effect[] = [{ kind: "run", command, cwd: "/w" }];
  return evaluateCall(
    { ...call, tool: "bash", category: "destructive", effects },
    {
      cwd: "/w",
      paths: { real: (path) => path },
      grammar: undefined,
      sandbox: undefined,
      settings: usualGateSettings(),
      permissionMode: "default",
      notOffered: undefined,
      rules,
      grants: [],
      everythingAsks: undefined,
      hookDenial: undefined,
      sawSecret: false,
      canAsk: true,
    },
  );
}

const offered = (command: string): PolicyRule[] => offerFor("bash", judge(command, []), []).always[0] ?? [];
const rulesFor = (command: string): Rule[] => offered(command).map((rule) => ruleOfPolicy(rule, kept));
const decision = (command: string, rules: readonly Rule[]) => judge(command, rules).verdict.decision;

const seenCases = [...keptCases, ...otherFolderCases];
const covered = seenCases.flatMap(({ seen, covered: lines }) => [seen, ...lines].map((line) => [seen, line] as const));
const asked = seenCases.flatMap(({ seen, asked: lines }) => lines.map((line) => [seen, line] as const));

describe("after “always” on a command", () => {
  it.each(sample(covered, 300))("after %j this runs: %j", (seen, line) => {
    expect(rulesFor(seen)).not.toEqual([]);
    expect(decision(line, rulesFor(seen))).toBe("allow");
  });
  it.each(sample(asked, 200))("after %j this is asked about: %j", (seen, line) => {
    expect(decision(line, rulesFor(seen))).toBe("ask");
  });
  it.each(notOffered)("no rule is offered for %j", (command) => {
    expect(offered(command)).toEqual([]);
  });
});

const byHand = (text: string, origin: RuleOrigin): Rule[] => {
  const rule = parseRule(text);
  if ("problem" in rule) throw new Error(rule.problem);
  return [ruleFromText(rule, "allow", origin)];
};
const flagRules = [gitFlags, packagesFlags, buildsFlags, languagesFlags, transfersFlags, systemsFlags].flat();
const handLines = (key: "covered" | "asked" | "dangerous") =>
  [...handRules, ...otherFolderRules, ...flagRules].flatMap((each) =>
    (each[key] ?? []).map((line) => [each.rule, line] as const),
  );

describe.each<RuleOrigin["scope"]>(["run", "user"])("a rule by hand, of the %s", (scope) => {
  const origin: RuleOrigin = { scope, where: "by hand" };
  it.each(sample(handLines("covered"), 100))("%s covers %j", (rule, line) => {
    expect(decision(line, byHand(rule, origin))).toBe("allow");
  });
  const asks = scope === "run" ? handLines("asked") : [...handLines("asked"), ...handLines("dangerous")];
  it.each(sample(asks, 100))("%s does not cover %j", (rule, line) => {
    expect(decision(line, byHand(rule, origin))).toBe("ask");
  });
});
