import type { RuleView } from "@harness/protocol";
import type { GateSettings } from "../ports/gate-settings.ts";
import type { Policies } from "../ports/policies.ts";
import type { Rule } from "./rule.ts";
import { policyRules, type RuleSet, ruleView, settingRules } from "./rule-set.ts";

/** The rules of a run, together with the current rules of policies and settings. */
export class ActiveRules {
  readonly #run: RuleSet;
  readonly #policies: Policies;
  #kept: { version: string; rules: RuleSet } | undefined;
  #settings: { version: string; rules: RuleSet } | undefined;

  constructor(run: RuleSet, policies: Policies) {
    this.#run = run;
    this.#policies = policies;
  }

  rules(settings: GateSettings): Rule[] {
    return this.#sets(settings).flatMap(({ rules }) => rules);
  }

  /** Why nothing is allowed unasked; undefined: no rule stands in the way. */
  everythingAsks(settings: GateSettings): string | undefined {
    const [run, kept, ofSettings] = this.#sets(settings);
    if (run.everythingAsks) return "a rule that denies cannot be read, so everything is asked";
    if (kept.everythingAsks) return "a file of policies cannot be used, so everything is asked";
    return ofSettings.everythingAsks ? "settings that may deny cannot be read, so everything is asked" : undefined;
  }

  /** Problems of rules, in sentences. */
  problems(settings: GateSettings): string[] {
    return this.#sets(settings).flatMap(({ problems }) => problems);
  }

  views(settings: GateSettings): RuleView[] {
    const { safeCommandPrefixes: safe, autoAcceptSafeCommands } = settings;
    const where = "safe_command_prefixes";
    const accepted = autoAcceptSafeCommands && safe ? safe : [];
    return [
      ...this.rules(settings).map(ruleView),
      ...accepted.map((text): RuleView => ({ decision: "allow", text, scope: "setting", where })),
    ];
  }

  #sets(settings: GateSettings): [run: RuleSet, kept: RuleSet, ofSettings: RuleSet] {
    return [this.#run, this.#keptRules(), this.#settingRules(settings)];
  }

  #keptRules(): RuleSet {
    const current = this.#policies.current();
    if (this.#kept?.version !== current.version) {
      this.#kept = { version: current.version, rules: policyRules(current, this.#policies.base) };
    }
    return this.#kept.rules;
  }

  #settingRules({ deniedCommandPrefixes, unreadable = [] }: GateSettings): RuleSet {
    const version = JSON.stringify([deniedCommandPrefixes, unreadable]);
    if (this.#settings?.version !== version) {
      this.#settings = { version, rules: settingRules({ deniedCommandPrefixes, unreadable }) };
    }
    return this.#settings.rules;
  }
}
