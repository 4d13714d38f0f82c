import type { Requester } from "../gate-call.ts";
import type { Clock } from "../ports/clock.ts";
import type { KeptRule, Policies } from "../ports/policies.ts";
import { type PolicyRule, policyMeaning, policyText } from "../ports/policy.ts";
import { denyingRules } from "./lasting-rule.ts";
import type { Offer, PermissionAnswer } from "./permission-answer.ts";
import type { SessionGrants } from "./session-grants.ts";

type Keepers = { grants: SessionGrants; policies: Policies; clock: Clock };

/** Saves what an answer says beyond the one call, as far as that was offered. */
export function keepAnswer(
  answer: PermissionAnswer,
  offer: Offer,
  requester: Requester,
  { grants, policies, clock }: Keepers,
): void {
  const createdAt = new Date(clock.now()).toISOString();
  const keep = (rules: readonly PolicyRule[], once: string) => {
    const kept = policies.keep(rules.map((rule) => ({ ...rule, source: "answer", created: createdAt })));
    const problem = "problem" in kept ? kept.problem : missingRulesProblem(rules, kept.kept);
    if (problem === undefined) return;
    const title = "The rule was not saved.";
    requester.record({ sessionUpdate: "notice", severity: "warning", title, description: `${problem} ${once}` });
  };
  if (!answer.allowed) {
    if (answer.always) keep(denyingRules(offer.always), "The call was denied this time.");
    return;
  }
  switch (answer.lasts) {
    case "once":
      return;
    case "turn":
      if (offer.turn) grants.add({ tool: "*", kind: "plain" }, createdAt, requester);
      return;
    case "session":
      for (const grant of offer.session) grants.add(grant, createdAt);
      return;
    case "always":
      keep(offer.always, "The call is allowed this time.");
  }
}

/** Names the rules that could not be saved, in a sentence; undefined: all were. */
function missingRulesProblem(rules: readonly PolicyRule[], kept: readonly KeptRule[]): string | undefined {
  const saved = new Set(kept.map(({ rule }) => policyMeaning(rule)));
  const lost = rules.filter((rule) => !saved.has(policyMeaning(rule)));
  if (lost.length === 0) return undefined;
  const texts = lost.map((rule) => `\`${rule.decision} ${policyText(rule)}\``).join(", ");
  return `The file of this project does not have ${texts} after saving.`;
}
