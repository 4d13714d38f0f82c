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
import { type ConfigPaths, openPolicies, type PolicyStore, projectOf } from "@harness/storage";
import type { FolderSettings } from "../settings/folder-settings.ts";
import type { FolderTrust } from "../trust/folder-trust.ts";
import { parsePolicyRule } from "./parse-policy-rule.ts";

/** Shared by the rules of all folders. */
export type RulesOptions = {
  configPaths: ConfigPaths;
  clock: Clock;
  stamps: FileStamps;
  /** The tools that rules may name. */
  ruleTools(): RuleTool[];
  /** Called when rules were added or removed. */
  changed(): void;
};

export type NewRule = {
  scope: "user" | "project";
  decision: PolicyRule["decision"];
  /** A rule such as `bash(npm test)`. */
  rule: string;
  why?: string | undefined;
};

/** `invalid`: the text is not a rule; `failed`: the file could not be written. */
export type RuleProblem = { problem: string; kind: "invalid" | "failed" };

/** Rules of a folder that outlive its sessions: listed, added, removed. */
export class FolderRules {
  /** As the sessions of the folder use them. */
  readonly policies: PolicyStore;
  /** The folder that this project's rules are saved for. */
  readonly project: string;
  readonly #options: RulesOptions;
  readonly #settings: Pick<FolderSettings, "gate">;

  constructor(
    folder: string,
    options: RulesOptions,
    { settings, trust }: { settings: Pick<FolderSettings, "gate">; trust: Pick<FolderTrust, "isTrusted"> },
  ) {
    const { configPaths, clock, stamps, changed, ruleTools } = options;
    this.project = projectOf(folder).project;
    this.#options = options;
    this.#settings = settings;
    const policies: PolicyStore = openPolicies({
      configPaths,
      cwd: folder,
      clock,
      stampOf: (path) => stamps.of(path),
      read: (text) => readPolicyFile(text, ruleTools()),
      trusted: () => trust.isTrusted(policies.paths.repository),
    });
    this.policies = withNotice(policies, () => {
      stamps.forgetMoment();
      changed();
    });
  }

  /** The rules of a session; without one, those that a new session of the folder starts with. */
  list(session?: LiveSession): RuleList {
    if (!session) return this.#ofFolder();
    const { rules, problems, everythingAsks } = session.rules();
    return { rules: rules.map(revocable), problems, everythingAsks };
  }

  #ofFolder(): RuleList {
    const lists = [settingRules(this.#settings.gate), policyRules(this.policies.current())];
    return {
      rules: lists.flatMap(({ rules }) => rules.map((rule) => revocable(ruleView(rule)))),
      problems: lists.flatMap(({ problems }) => problems),
      everythingAsks: lists.some(({ everythingAsks }) => everythingAsks),
    };
  }

  add({ scope, decision, rule: text, why }: NewRule): { rule: RuleView } | RuleProblem {
    const rule = parsePolicyRule(text, decision, this.#options.ruleTools());
    if ("problem" in rule) return { ...rule, kind: "invalid" };
    const added = this.policies.add(scope, [{ ...rule, source: "user", ...(why ? { why } : {}) }]);
    if ("problem" in added) return { ...added, kind: "failed" };
    const [view] = policyRules({ rules: added.kept, problems: [], everythingAsks: false, version: "" }).rules;
    return view ? { rule: ruleView(view) } : { problem: `The rule \`${text}\` was not saved.`, kind: "failed" };
  }

  /** Undefined: neither the session nor the user's files have such a rule. */
  revoke(ruleId: string, session?: LiveSession): { rule: RuleView } | { problem: string } | undefined {
    const answer = session?.revoke(ruleId);
    if (answer) return { rule: answer };
    const removed = this.policies.remove(ruleId);
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
