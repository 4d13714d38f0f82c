import type { FactView, RuleView, StoredFact } from "@harness/protocol";
import { parseRule, type Rule, ruleFromText } from "./rule.ts";
import { ruleView } from "./rule-set.ts";
import type { RuleTool } from "./rule-tool.ts";

/** Rules that one of the user's own files, such as that of a slash command, adds to a single turn of an agent. */
export class TurnRules implements FactView {
  readonly #held = new Map<string, readonly Rule[]>();

  /** Texts that are not rules are skipped: the calls they mean are asked about. `where`: the file. */
  allow(
    agentId: string,
    texts: readonly string[],
    { tools, where }: { tools: readonly RuleTool[]; where: string },
  ): void {
    const rules = texts.flatMap((text): Rule[] => {
      const rule = parseRule(text, tools);
      return "problem" in rule ? [] : [ruleFromText(rule, "allow", { scope: "turn", where })];
    });
    if (rules.length > 0) this.#held.set(agentId, [...this.of(agentId), ...rules]);
  }

  of(agentId: string): readonly Rule[] {
    return this.#held.get(agentId) ?? [];
  }

  see({ agentId, update }: StoredFact): void {
    if (update.sessionUpdate === "state_update" && update.state === "idle") this.#held.delete(agentId);
  }

  get views(): RuleView[] {
    return [...this.#held.values()].flat().map(ruleView);
  }
}
