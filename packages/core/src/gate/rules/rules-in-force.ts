import type { RuleView } from "@harness/protocol";
import type { GateSettings } from "../../ports/live-session.ts";
import type { Policies } from "../../ports/policies.ts";
import type { Rule } from "./rule.ts";
import { deniedPrefixBook, policyBook, type RuleBook, ruleView } from "./rule-book.ts";

/** The rules of a run with those of policies and settings as they are at the moment. */
export class RulesInForce {
  readonly #run: RuleBook;
  readonly #policies: Policies;
  #kept: { version: string; book: RuleBook } | undefined;
  #settings: { prefixes: string; book: RuleBook } | undefined;

  constructor(run: RuleBook, policies: Policies) {
    this.#run = run;
    this.#policies = policies;
  }

  rules({ deniedCommandPrefixes }: GateSettings): Rule[] {
    return [this.#run, this.#keptBook(), this.#settingsBook(deniedCommandPrefixes)].flatMap(({ rules }) => rules);
  }

  /** Why nothing is allowed unasked; undefined: no rule stands in the way. */
  get everythingAsks(): string | undefined {
    if (this.#run.everythingAsks) return "a rule that denies cannot be read, so everything is asked";
    return this.#keptBook().everythingAsks ? "a file of policies cannot be used, so everything is asked" : undefined;
  }

  /** What is wrong with rules, in sentences. */
  get problems(): string[] {
    return [...this.#run.problems, ...this.#keptBook().problems];
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

  #keptBook(): RuleBook {
    const current = this.#policies.current();
    if (this.#kept?.version !== current.version) {
      this.#kept = { version: current.version, book: policyBook(current, this.#policies.base) };
    }
    return this.#kept.book;
  }

  #settingsBook(prefixes: readonly string[]): RuleBook {
    const key = JSON.stringify(prefixes);
    if (this.#settings?.prefixes !== key) this.#settings = { prefixes: key, book: deniedPrefixBook(prefixes) };
    return this.#settings.book;
  }
}
