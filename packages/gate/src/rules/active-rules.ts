import type { RuleView } from "@harness/protocol";
import type { GateSettings } from "../ports/gate-settings.ts";
import type { Policies } from "../ports/policies.ts";
import type { Rule } from "./rule.ts";
import { policyRules, type RuleSet, ruleView, settingRules } from "./rule-set.ts";

/** The rules of a run, together with the current rules of policies and settings. */
export class ActiveRules {
  readonly #run: RuleSet;
  readonly #policies: Policies;
  #kept: { version: string; book: RuleSet } | undefined;
  #settings: { version: string; book: RuleSet } | undefined;

  constructor(run: RuleSet, policies: Policies) {
    this.#run = run;
    this.#policies = policies;
  }

  rules(settings: GateSettings): Rule[] {
    return this.#books(settings).flatMap(({ rules }) => rules);
  }

  /** Why nothing is allowed unasked; undefined: no rule stands in the way. */
  everythingAsks(settings: GateSettings): string | undefined {
    const [run, kept, ofSettings] = this.#books(settings);
    if (run.everythingAsks) return "a rule that denies cannot be read, so everything is asked";
    if (kept.everythingAsks) return "a file of policies cannot be used, so everything is asked";
    return ofSettings.everythingAsks ? "settings that may deny cannot be read, so everything is asked" : undefined;
  }

  /** Problems of rules, in sentences. */
  problems(settings: GateSettings): string[] {
    return this.#books(settings).flatMap(({ problems }) => problems);
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

  #books(settings: GateSettings): [run: RuleSet, kept: RuleSet, ofSettings: RuleSet] {
    return [this.#run, this.#keptBook(), this.#settingRules(settings)];
  }

  #keptBook(): RuleSet {
    const current = this.#policies.current();
    if (this.#kept?.version !== current.version) {
      this.#kept = { version: current.version, book: policyRules(current, this.#policies.base) };
    }
    return this.#kept.book;
  }

  #settingRules({ deniedCommandPrefixes, unreadable = [] }: GateSettings): RuleSet {
    const version = JSON.stringify([deniedCommandPrefixes, unreadable]);
    if (this.#settings?.version !== version) {
      this.#settings = { version, book: settingRules({ deniedCommandPrefixes, unreadable }) };
    }
    return this.#settings.book;
  }
}
