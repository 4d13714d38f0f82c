import type { Requester } from "../gate-call.ts";
import type { Clock } from "../ports/clock.ts";
import type { Policies } from "../ports/policies.ts";
import type { PolicyRule } from "../ports/policy.ts";
import { denyingRules } from "./lasting-rule.ts";
import type { Offer, PermissionAnswer } from "./permission-answer.ts";
import type { SessionGrants } from "./session-grants.ts";

type Keepers = { grants: SessionGrants; policies: Policies; clock: Clock };

/** Keeps what an answer says beyond the one call, as far as it was offered. */
export function keepAnswer(
  answer: PermissionAnswer,
  offer: Offer,
  requester: Requester,
  { grants, policies, clock }: Keepers,
): void {
  const createdAt = new Date(clock.now()).toISOString();
  const keep = (rules: readonly PolicyRule[], once: string) => {
    const kept = policies.keep(rules.map((rule) => ({ ...rule, source: "answer", created: createdAt })));
    if (!("problem" in kept)) return;
    const title = "The rule was not saved.";
    requester.record({ sessionUpdate: "notice", severity: "warning", title, description: `${kept.problem} ${once}` });
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
