import type { StepOf, Turn } from "@harness/core";
import { ROOT_AGENT } from "@harness/protocol";
import type { Inventory } from "../sources/inventory.ts";
import { changesText, unusedHooksText } from "./source-changes.ts";

/**
 * Tells the person of a session before each request what has changed in its sources since the last one. Costs a look at
 * them, which everybody else who needs it has at that moment, too.
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
      // A hook that guards something and does not run matters to everybody, so it is reported unasked.
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
