import type { StepOf, Turn } from "@harness/core";
import { ROOT_AGENT } from "@harness/protocol";
import type { Inventory } from "../sources/inventory.ts";
import { changesText, unusedHooksText } from "./source-changes.ts";

/**
 * Notifies the user of a session before each request about changes in its sources since the last one. Costs one reading
 * of them, which others need at that moment anyway.
 */
export function sourceFollower(look: () => Inventory): StepOf<"assemble", Turn> {
  let seen = look();
  let isFirst = true;
  return {
    stage: "assemble",
    name: "05-sources",
    run: (state, turn) => {
      if (state.nextState !== undefined || turn.agent.agentId !== ROOT_AGENT) return state;
      const now = look();
      if (now === seen && !isFirst) return state;
      // A guarding hook that does not run matters to everybody, so it is reported even without a change.
      const unused = unusedHooksText(isFirst ? undefined : seen, now);
      if (unused !== undefined) turn.notice("warning", unused);
      isFirst = false;
      const words = changesText(seen, now);
      seen = now;
      if (words !== undefined) turn.notice("info", words);
      return state;
    },
  };
}
