import { setImmediate } from "node:timers/promises";
import type { SessionHit, StoredFact } from "@harness/protocol";
import type { StoredDigest } from "../stored-digest.ts";
import { type ReadSession, unreadableText } from "./index-loader.ts";
import type { SearchTerm } from "./search-words.ts";
import { textsOf } from "./session-texts.ts";
import type { IndexHit } from "./text-index.ts";
import { excerptAt, textMatch } from "./text-match.ts";

type Context = {
  hide(text: string): string;
  terms: readonly SearchTerm[];
  digests: ReadonlyMap<string, StoredDigest>;
  read: ReadSession;
};

/** `outdated`: sessions whose logs lack some of the hits; `dropped`: the number of these hits. */
type HitTexts = { hits: SessionHit[]; outdated: string[]; dropped: number; unreadable: Map<string, string> };

/** Reads excerpts for hits from the logs, each log once. Hits that the log lacks are dropped. */
export async function readHits(hits: readonly IndexHit[], context: Context): Promise<HitTexts> {
  const unique = [...new Map(hits.map((hit) => [keyOf(hit), hit])).values()];
  const found = new Map<string, SessionHit>();
  const unreadable = new Map<string, string>();
  const outdated: string[] = [];
  for (const [sessionId, ofSession] of Map.groupBy(unique, (hit) => hit.sessionId)) {
    const digest = context.digests.get(sessionId);
    const reading = context.read(sessionId);
    if ("problem" in reading) {
      // A session deleted in the meantime is not missing.
      if (reading.kind !== "not_found") unreadable.set(sessionId, reading.problem);
      continue;
    }
    try {
      for (const hit of ofSession) {
        const [fact] = reading.read({ after: hit.seq - 1, before: hit.seq + 1, limit: 1 }).facts;
        const passage = digest && fact && hitOf(hit, fact, { ...context, digest });
        if (passage) found.set(keyOf(hit), passage);
        else outdated.push(sessionId);
      }
    } catch (error) {
      unreadable.set(sessionId, unreadableText(sessionId, error));
    }
    await setImmediate();
  }
  const kept = unique.flatMap((hit) => found.get(keyOf(hit)) ?? []);
  return { hits: kept, outdated: [...new Set(outdated)], dropped: unique.length - kept.length, unreadable };
}

function hitOf(
  { sessionId, kind, seq }: IndexHit,
  fact: StoredFact,
  { digest, terms, hide }: Pick<Context, "terms" | "hide"> & { digest: StoredDigest },
): SessionHit | undefined {
  const matches = textsOf(fact).flatMap(({ kind: of, text }) => {
    const match = of === kind ? textMatch(text, terms) : undefined;
    return match ? [{ ...match, text }] : [];
  });
  const best = matches.sort((a, b) => b.terms - a.terms || b.score - a.score)[0];
  if (!best) return undefined;
  const { title, preview, cwd } = digest;
  // Redaction would not recognise half a secret.
  const shown = hide(best.text);
  const excerpt = excerptAt(shown, textMatch(shown, terms)?.at ?? 0);
  return {
    sessionId,
    title: hide(title ?? preview),
    folder: cwd,
    seq,
    agentId: fact.agentId,
    kind,
    at: fact.at,
    excerpt,
  };
}

function keyOf({ sessionId, seq, kind }: IndexHit): string {
  return `${sessionId} ${seq} ${kind}`;
}
