import { type Fact, ROOT_AGENT, type StoredFact, type UpdateOf } from "../vocabulary/updates.ts";

type Rewind = { seq: number; update: UpdateOf<"rewind_update"> };

/** Tells which facts of a session are rewound, and not brought back, from all of its rewinds in their order. */
export function rewoundFacts(
  rewinds: Iterable<Rewind>,
): (fact: Pick<StoredFact, "agentId" | "seq"> & { update?: Fact }) => boolean {
  const ranges = new Map<string, { from: number; to: number; fromFiles: boolean }>();
  for (const { seq, update } of rewinds) {
    const { rewindId, redoOf, fromSeq, fromFiles = false } = update;
    if (redoOf !== undefined) ranges.delete(redoOf);
    else if (fromSeq !== undefined) ranges.set(rewindId, { from: fromSeq, to: seq, fromFiles });
  }
  const rewound = [...ranges.values()];
  return ({ agentId, seq, update }) =>
    agentId === ROOT_AGENT &&
    rewound.some(
      ({ from, to, fromFiles }) =>
        seq >= from && seq < to && (!fromFiles || (update !== undefined && isMessage(update))),
    );
}

/** A change of message files hides nothing else: the messages follow again. */
function isMessage(update: Fact): boolean {
  if (update.sessionUpdate === "tool_call_update") return !update.byPerson;
  return update.sessionUpdate === "user_message" || update.sessionUpdate === "agent_message";
}
