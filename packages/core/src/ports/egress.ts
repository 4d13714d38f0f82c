/** A request of harness itself. `purpose`: what it is for, in a word, for the list that people see: `model`, `login` … */
export type EgressRequest = { purpose: string; method: string; url: string };

/**
 * May a request be sent? `refused` is a sentence for people: what, why, how to allow it. Where `judge` is there, whoever
 * connects asks it about every address that the name stands for, connects to one of these and to nothing else (no
 * proxy), and not at all when it answers with a sentence.
 */
export type EgressDecision = { refused: string } | { judge?(address: string): string | undefined };

/** The one door out: everything of harness that sends something over the network asks here first, for each redirect too. */
export interface Egress {
  /** Nothing may leave for where others listen: only this machine and private networks are reached. */
  readonly localOnly: boolean;
  /** Notes the request. Never throws. */
  leave(request: EgressRequest): EgressDecision;
  /** Why an address cannot be reached, as a sentence; looks its name up where that decides. Never rejects. */
  barrier(url: string): Promise<string | undefined>;
}

/** What a transport throws for a request that may not leave. */
export class EgressRefused extends Error {
  readonly code = "EGRESS_REFUSED";
}
