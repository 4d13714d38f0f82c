import type { FactView, RuleView, StoredFact } from "@harness/protocol";
import { describeGrants, type Grant } from "./grant.ts";

/** The agent for which an answer was given, and its turn. */
export type GrantOwner = { agentId: string; turnId: string };

type HeldGrant = { view: RuleView & { ruleId: string }; grant: Grant; owner?: GrantOwner };

/** The grants that people gave in this session, valid for a turn or until the session is closed. */
export class SessionGrants implements FactView {
  #held: HeldGrant[] = [];
  #count = 0;

  /** `owner`: limits the grant to the rest of this turn. */
  add(grant: Grant, createdAt: string, owner?: GrantOwner): void {
    this.#count += 1;
    const view: HeldGrant["view"] = {
      ruleId: `answer-${this.#count}`,
      decision: "allow",
      text: describeGrants([grant]),
      scope: owner ? "turn" : "session",
      where: "given in this session",
      createdAt,
    };
    this.#held.push({ view, grant, ...(owner ? { owner } : {}) });
  }

  /** The grants that apply to a call of this turn. */
  for({ agentId, turnId }: GrantOwner): Grant[] {
    return this.#held
      .filter(({ owner }) => !owner || (owner.agentId === agentId && owner.turnId === turnId))
      .map(({ grant }) => grant);
  }

  /** The end of an agent's turn drops the grants that were given for it. */
  see({ agentId, update }: StoredFact): void {
    if (update.sessionUpdate !== "state_update" || update.state !== "idle") return;
    this.#held = this.#held.filter(({ owner }) => owner?.agentId !== agentId);
  }

  get views(): RuleView[] {
    return this.#held.map(({ view }) => view);
  }

  revoke(ruleId: string): RuleView | undefined {
    const found = this.#held.find(({ view }) => view.ruleId === ruleId);
    this.#held = this.#held.filter((each) => each !== found);
    return found?.view;
  }
}
