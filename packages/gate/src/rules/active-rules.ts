import type { RuleView } from "@harness/protocol";
import type { GateSettings } from "../ports/gate-settings.ts";
import type { Policies } from "../ports/policies.ts";
import type { Rule } from "./rule.ts";
import { policyRules, type RuleSet, ruleView, settingRules } from "./rule-set.ts";

/** `everythingAsks`: why nothing is allowed unasked; undefined: calls may be. `problems`: in sentences. */
type RulesInForce = { rules: readonly Rule[]; everythingAsks: string | undefined; problems: readonly string[] };

/** The rules of a run, together with the current rules of policies and settings. */
export class ActiveRules {
  readonly #run: RuleSet;
  readonly #policies: Policies;
  #kept: { version: string; rules: RuleSet } | undefined;
  #settings: { version: string; rules: RuleSet } | undefined;
  #inForce: { kept: RuleSet; ofSettings: RuleSet; all: RulesInForce } | undefined;

  constructor(run: RuleSet, policies: Policies) {
    this.#run = run;
    this.#policies = policies;
  }

  /** The same object as long as no rule changes. */
  inForce(settings: GateSettings): RulesInForce {
    const [kept, ofSettings] = [this.#keptRules(), this.#settingRules(settings)];
    if (this.#inForce?.kept !== kept || this.#inForce.ofSettings !== ofSettings) {
      const sets = [this.#run, kept, ofSettings];
      const [rules, problems] = [sets.flatMap((each) => each.rules), sets.flatMap((each) => each.problems)];
      const all = { rules, problems, everythingAsks: reasonToAsk(this.#run, kept, ofSettings) };
      this.#inForce = { kept, ofSettings, all };
    }
    return this.#inForce.all;
  }

  views(settings: GateSettings): RuleView[] {
    const { safeCommandPrefixes: safe, autoAcceptSafeCommands } = settings;
    const where = "safe_command_prefixes";
    const accepted = autoAcceptSafeCommands && safe ? safe : [];
    return [
      ...this.inForce(settings).rules.map(ruleView),
      ...accepted.map((text): RuleView => {
        const isTakenOff = text.startsWith("!");
        return {
          decision: isTakenOff ? "ask" : "allow",
          text: isTakenOff ? text.slice(1) : text,
          scope: "setting",
          where,
        };
      }),
    ];
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

function reasonToAsk(run: RuleSet, kept: RuleSet, ofSettings: RuleSet): string | undefined {
  if (run.everythingAsks) return "a rule that denies cannot be read, so harness asks about everything";
  if (kept.everythingAsks) return "a file of policies cannot be used, so harness asks about everything";
  return ofSettings.everythingAsks
    ? "settings that may deny cannot be read, so harness asks about everything"
    : undefined;
}
