import type { PartialSettings } from "@harness/protocol";
import { expect } from "vitest";
import type { Seen } from "./changing-server.ts";

// The parts of a turn that a test looks at.

export const body = (key: string) => (observed: Seen) => observed.bodies[0]?.[key];
export const system = ({ bodies }: Seen) => JSON.stringify(bodies[0]?.messages);
export const offered = ({ bodies }: Seen) => JSON.stringify(bodies[0]?.tools);
export const text = ({ outcomes }: Seen) => outcomes[0]?.text;
export const has = (words: string) => expect.stringContaining(words);
export const hasNot = (words: string) => expect.not.stringContaining(words);
/** A setting that makes the model see a tool. */
export function offers(words: string, change: PartialSettings) {
  return { change, shows: offered, before: hasNot(words), after: has(words) };
}
export const compactions = (updates: Seen["updates"]) =>
  updates.flatMap(({ update }) => (update.sessionUpdate === "compaction_update" ? [update] : []));
export const failure = ({ updates }: Seen) =>
  updates.flatMap(({ update }) => (update.sessionUpdate === "state_update" ? [update.error?.message] : [])).at(-1);
export const last = ({ outcomes }: Seen) => outcomes.at(-1)?.text;
