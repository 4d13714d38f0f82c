import { isIP } from "node:net";
import type { Egress, EgressDecision, EgressRequest } from "@harness/core";
import type { Clock } from "@harness/gate";
import { isOwnNetwork } from "@harness/host";
import type { EgressEntry } from "@harness/protocol";

type EgressGuardDeps = {
  clock: Clock;
  /** Resolves a name to all its addresses; undefined: the system's resolver. */
  lookup: ((host: string) => Promise<string[]>) | undefined;
};

const KEPT = 1000;
const HOW_TO_ALLOW =
  "To allow it, turn `local_only` off (Settings, HARNESS_LOCAL_ONLY), or start harness without --local-only.";

/** Records every request of harness, and blocks those that leave the local network in local-only mode. */
export class EgressGuard {
  readonly #deps: EgressGuardDeps;
  readonly #entries: EgressEntry[] = [];
  #count = 0;

  constructor(deps: EgressGuardDeps) {
    this.#deps = deps;
  }

  /** The guard for the sessions of a folder. `isLocalOnly` is read for each request. */
  guarding(isLocalOnly: () => boolean): Egress {
    return {
      get localOnly() {
        return isLocalOnly();
      },
      leave: (request) => this.#leave(request, isLocalOnly()),
      barrier: (url) => (isLocalOnly() ? this.#barrier(url) : Promise.resolve(undefined)),
    };
  }

  /** The last entries, oldest first. */
  list(last: number): { entries: EgressEntry[]; total: number } {
    return { entries: this.#entries.slice(-last), total: this.#count };
  }

  #leave(request: EgressRequest, isLocalOnly: boolean): EgressDecision {
    const url = URL.canParse(request.url) ? new URL(request.url) : undefined;
    const entry = this.#note(request, url);
    if (!isLocalOnly) return {};
    const refuse = (problem: string) => {
      entry.refused = problem;
      return problem;
    };
    const host = url && hostOf(url);
    if (host === undefined) return { refused: refuse("The address is not valid.") };
    if (isIP(host) !== 0 && !isOwnNetwork(host)) return { refused: refuse(refusal(entry.origin)) };
    const refusalAt = (address: string) => refusal(entry.origin, address === host ? undefined : address);
    return { judge: (address) => (isOwnNetwork(address) ? undefined : refuse(refusalAt(address))) };
  }

  async #barrier(url: string): Promise<string | undefined> {
    if (!URL.canParse(url)) return undefined;
    const parsed = new URL(url);
    const host = hostOf(parsed);
    const foreign = (await this.#addressesOf(host)).find((address) => !isOwnNetwork(address));
    return foreign === undefined ? undefined : refusal(originOf(parsed), foreign === host ? undefined : foreign);
  }

  /** Empty for an unknown name: the request itself reports that. */
  async #addressesOf(host: string): Promise<string[]> {
    if (isIP(host) !== 0) return [host];
    try {
      if (this.#deps.lookup) return await this.#deps.lookup(host);
      const { lookup } = await import("node:dns/promises");
      return (await lookup(host, { all: true })).map(({ address }) => address);
    } catch {
      return [];
    }
  }

  #note({ purpose, method }: EgressRequest, url: URL | undefined): EgressEntry {
    const at = new Date(this.#deps.clock.now()).toISOString();
    const entry: EgressEntry = { at, purpose, method, origin: url ? originOf(url) : "?" };
    this.#count += 1;
    this.#entries.push(entry);
    // In batches: moving a thousand entries for each request would be wasteful.
    if (this.#entries.length >= KEPT + 100) this.#entries.splice(0, this.#entries.length - KEPT);
    return entry;
  }
}

/** Also of addresses that are not of the web, which have no `origin`. */
function originOf({ origin, protocol, host }: URL): string {
  return origin === "null" ? `${protocol}//${host}` : origin;
}

function hostOf({ hostname }: URL): string {
  return hostname.startsWith("[") ? hostname.slice(1, -1) : hostname.replace(/\.$/, "");
}

function refusal(origin: string, address?: string): string {
  const at = address === undefined ? origin : `${origin} (${address})`;
  return `${at} is not on this machine or in a private network, and harness is in local-only mode. ${HOW_TO_ALLOW}`;
}
