import { createHash } from "node:crypto";
import { type FactPages, factsOf } from "@harness/core";
import type { StoredFact } from "@harness/protocol";
import { piecesOf, searchedKinds, textsOf } from "./session-texts.ts";
import type { IndexedSession, IndexedText } from "./text-index.ts";

/** The addition of one fact to the index. */
type IndexPart = { texts: IndexedText[]; seq: number; check: string };

/** True if indexing can continue where it stopped: the log was not replaced, cut or edited in the meantime. */
export function goesOn(pages: FactPages, known: IndexedSession | undefined): known is IndexedSession {
  if (known === undefined || known.seq === 0) return false;
  const [fact] = pages.read({ after: known.seq - 1, before: known.seq + 1, limit: 1 }).facts;
  return fact !== undefined && checkOf(fact) === known.check;
}

/** The texts of the facts after a number, without those that the user has edited out. */
export function* partsAfter(pages: FactPages, after: number): Generator<IndexPart, void> {
  const replaced = replacedFacts(pages, after);
  for (const fact of factsOf(pages, { after, kinds: searchedKinds })) {
    const { seq, at } = fact;
    const texts = replaced.has(seq) ? [] : textsOf(fact).flatMap(piecesOf);
    yield { texts: texts.map((each) => ({ ...each, seq, at })), seq, check: checkOf(fact) };
  }
}

/** The messages after a number whose files were edited or removed later. */
function replacedFacts(pages: FactPages, after: number): ReadonlySet<number> {
  const replaced = new Set<number>();
  if (!hasFileEdits(pages, after)) return replaced;
  /** For a message that was read from its file again, unchanged: the fact with its texts. */
  const firsts = new Map<number, number>();
  const byId = new Map<string, number>();
  for (const { seq, update } of factsOf(pages, { after, kinds: ["user_message", "agent_message", "rewind_update"] })) {
    if (update.sessionUpdate === "rewind_update") {
      for (const id of update.gone ?? []) replaced.add(byId.get(id) ?? 0);
    } else if (update.sessionUpdate === "user_message" || update.sessionUpdate === "agent_message") {
      const { of, changed = false } = update.fromFile ?? {};
      const first = of === undefined ? seq : (firsts.get(of) ?? of);
      if (changed) replaced.add(first);
      firsts.set(seq, changed ? seq : first);
      byId.set(update.messageId, changed ? seq : first);
    }
  }
  return replaced;
}

function hasFileEdits(pages: FactPages, after: number): boolean {
  for (const { update } of factsOf(pages, { after, kinds: ["rewind_update"] }))
    if (update.sessionUpdate === "rewind_update" && update.fromFiles) return true;
  return false;
}

function checkOf({ at, agentId, update }: StoredFact): string {
  return createHash("sha1")
    .update(JSON.stringify([at, agentId, update]))
    .digest("base64url")
    .slice(0, 8);
}
