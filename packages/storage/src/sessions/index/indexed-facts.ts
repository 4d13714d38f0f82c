import { createHash } from "node:crypto";
import { type FactPages, factsOf } from "@harness/core";
import type { StoredFact } from "@harness/protocol";
import { piecesOf, searchedKinds, textsOf } from "./session-texts.ts";
import type { IndexedSession, IndexedText } from "./text-index.ts";

/** The addition of one fact to the index. */
type IndexPart = { texts: IndexedText[]; seq: number; check: string };

/** True if the session can be read on from where it was indexed: its log was not replaced, cut or edited meanwhile. */
export function goesOn(pages: FactPages, known: IndexedSession | undefined): known is IndexedSession {
  if (known === undefined || known.seq === 0) return false;
  const [fact] = pages.read({ after: known.seq - 1, before: known.seq + 1, limit: 1 }).facts;
  return fact !== undefined && checkOf(fact) === known.check;
}

/** The texts of the facts after a number. */
export function* partsAfter(pages: FactPages, after: number): Generator<IndexPart, void> {
  for (const fact of factsOf(pages, { after, kinds: searchedKinds })) {
    const { seq, at } = fact;
    const texts = textsOf(fact).flatMap(piecesOf);
    yield { texts: texts.map((each) => ({ ...each, seq, at })), seq, check: checkOf(fact) };
  }
}

function checkOf({ at, agentId, update }: StoredFact): string {
  return createHash("sha1")
    .update(JSON.stringify([at, agentId, update]))
    .digest("base64url")
    .slice(0, 8);
}
