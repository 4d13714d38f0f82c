/** A request of harness itself. `purpose` is a word for the list that the user sees: `model`, `login` … */
export type EgressRequest = { purpose: string; method: string; url: string };

/**
 * The decision about a request. `refused` is a sentence for people: what, why, and how to allow it. With `judge`, the
 * connection may go only to an address for which `judge` returns nothing, and through no proxy.
 */
export type EgressDecision = { refused: string } | { judge?(address: string): string | undefined };

/** The only way out: every network request of harness is checked here first, and each redirect again. */
export interface Egress {
  /** Only this machine and private networks may be reached. */
  readonly localOnly: boolean;
  /** Records the request and decides about it. Never throws. */
  leave(request: EgressRequest): EgressDecision;
  /** Why an address cannot be reached, as a sentence; resolves its name if that decides. Never rejects. */
  barrier(url: string): Promise<string | undefined>;
}

/** Thrown by a transport for a request that is refused. */
export class EgressError extends Error {
  readonly code = "EGRESS_REFUSED";
}
