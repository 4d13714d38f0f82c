import type { LiveSession } from "@harness/core";
import {
  type Clock,
  type PolicyRule,
  policyRules,
  type RuleList,
  type RuleTool,
  readPolicyFile,
  ruleView,
  settingRules,
} from "@harness/gate";
import type { FileStamps } from "@harness/host";
import type { RuleView } from "@harness/protocol";
import { type ConfigPaths, openPolicies, type PolicyStore } from "@harness/storage";
import type { SettingsStore } from "../settings/settings-store.ts";
import { parsePolicyRule } from "./parse-policy-rule.ts";

type LastingRulesDeps = {
  configPaths: ConfigPaths;
  clock: Clock;
  stamps: FileStamps;
  settings: SettingsStore;
  /** The tools that rules may name. */
  ruleTools(): RuleTool[];
  /** Is a file that has effect in a folder trusted? */
  isTrusted(cwd: string, file: string): boolean;
  /** Called when rules were added or removed. */
  changed(): void;
};

export type NewRule = {
  cwd: string;
  scope: "user" | "project";
  decision: PolicyRule["decision"];
  /** A rule such as `bash(npm test)`. */
  rule: string;
  why?: string | undefined;
};

/** Where rules hold: in a session that is in memory, or in a folder. */
type RuleScope = { session?: LiveSession | undefined; cwd: string };

/** `invalid`: the text is not a rule; `failed`: the file could not be written. */
export type RuleProblem = { problem: string; kind: "invalid" | "failed" };

/** Rules that outlive sessions: listed, added, removed. */
export class LastingRules {
  readonly #deps: LastingRulesDeps;
  readonly #byFolder = new Map<string, PolicyStore>();
  readonly #read = (text: string) => readPolicyFile(text, this.#deps.ruleTools());

  constructor(deps: LastingRulesDeps) {
    this.#deps = deps;
  }

  /** The policies of a folder, as its sessions use them. */
  at(cwd: string): PolicyStore {
    const known = this.#byFolder.get(cwd);
    if (known) return known;
    const { configPaths, clock, stamps, isTrusted, changed } = this.#deps;
    const trusted = (): boolean => isTrusted(cwd, policies.paths.repository);
    const stampOf = (path: string) => stamps.of(path);
    const policies = withNotice(openPolicies({ configPaths, cwd, clock, stampOf, read: this.#read, trusted }), () => {
      stamps.forgetMoment();
      changed();
    });
    this.#byFolder.set(cwd, policies);
    return policies;
  }

  /** The rules of a session, or those that a new session of the folder starts with. */
  list({ session, cwd }: RuleScope): RuleList {
    if (!session) return this.#ofFolder(cwd);
    const { rules, problems, everythingAsks } = session.rules();
    return { rules: rules.map(revocable), problems, everythingAsks };
  }

  #ofFolder(cwd: string): RuleList {
    const books = [settingRules(this.#deps.settings.gate(cwd)), policyRules(this.at(cwd).current())];
    return {
      rules: books.flatMap(({ rules }) => rules.map((rule) => revocable(ruleView(rule)))),
      problems: books.flatMap(({ problems }) => problems),
      everythingAsks: books.some(({ everythingAsks }) => everythingAsks),
    };
  }

  add({ cwd, scope, decision, rule: text, why }: NewRule): { rule: RuleView } | RuleProblem {
    const rule = parsePolicyRule(text, decision, this.#deps.ruleTools());
    if ("problem" in rule) return { ...rule, kind: "invalid" };
    const added = this.at(cwd).add(scope, [{ ...rule, source: "user", ...(why ? { why } : {}) }]);
    if ("problem" in added) return { ...added, kind: "failed" };
    const [view] = policyRules({ rules: added.kept, problems: [], everythingAsks: false, version: "" }).rules;
    return view ? { rule: ruleView(view) } : { problem: `The rule \`${text}\` was not saved.`, kind: "failed" };
  }

  /** Undefined when neither the session nor the user's files have such a rule. */
  revoke(scope: RuleScope, ruleId: string): { rule: RuleView } | { problem: string } | undefined {
    const answer = scope.session?.revoke(ruleId);
    if (answer) return { rule: answer };
    const removed = this.at(scope.cwd).remove(ruleId);
    if (!removed || "problem" in removed) return removed;
    const [view] = policyRules({ rules: [removed.removed], problems: [], everythingAsks: false, version: "" }).rules;
    return view && { rule: ruleView(view) };
  }
}

/** Calls `changed` after each change that was written. */
function withNotice(policies: PolicyStore, changed: () => void): PolicyStore {
  const noticed = <T extends object | undefined>(result: T): T => {
    if (result && !("problem" in result)) changed();
    return result;
  };
  return {
    ...policies,
    add: (scope, rules) => noticed(policies.add(scope, rules)),
    keep: (rules) => noticed(policies.keep(rules)),
    remove: (ruleId) => noticed(policies.remove(ruleId)),
  };
}

/** Rules of the repository or the settings are removed in their files, so they get no id here. */
function revocable(view: RuleView): RuleView {
  if (view.scope !== "repository" && view.scope !== "setting" && view.scope !== "run") return view;
  const { ruleId: _, ...rest } = view;
  return rest;
}
