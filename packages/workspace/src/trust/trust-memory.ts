import type { Clock } from "@harness/gate";
import type { FileStamps } from "@harness/host";
import { projectVariables } from "@harness/providers/env";
import { type ConfigPaths, type SecretGrant, type TrustContents, TrustStore } from "@harness/storage";
import { Moment } from "../system/moment.ts";
import { standingOf, type TrustStanding } from "./trust-standing.ts";

export type TrustMemoryOptions = {
  configPaths: ConfigPaths;
  home: string;
  clock: Pick<Clock, "now">;
  stamps: FileStamps;
  /** The names of the user's MCP servers. */
  ownServers?(folder: string): ReadonlySet<string>;
};

/** The user's decisions about folders: on disk, and for the lifetime of this server. */
export class TrustMemory {
  readonly store: TrustStore;
  /** Ends with each decision. */
  readonly moment = new Moment();
  /** Content that is trusted while this server runs, by root. */
  readonly forNow: Map<string, TrustContents["files"]> = new Map();
  /** Secrets granted to providers while this server runs, by root. Overrides saved decisions. */
  readonly grantsForNow = new Map<string, readonly SecretGrant[]>();
  readonly #known = new WeakMap<TrustContents, { entry: unknown; now: unknown; standing: TrustStanding }>();

  constructor(options: TrustMemoryOptions) {
    this.store = new TrustStore({ ...options, envUsed: (text) => projectVariables(text) });
  }

  /** How the content of a folder relates to the decisions about its root. */
  standing(look: TrustContents): TrustStanding {
    const entry = this.store.decisionOn(look.root);
    const now = this.forNow.get(look.root);
    const known = this.#known.get(look);
    if (known && known.entry === entry && known.now === now) return known.standing;
    const standing = standingOf(look, { entry, now }, this.store);
    this.#known.set(look, { entry, now, standing });
    return standing;
  }

  grants(root: string): readonly SecretGrant[] {
    return [...(this.grantsForNow.get(root) ?? []), ...(this.store.decisionOn(root)?.grants ?? [])];
  }

  /** Call after a decision, or after this process wrote a file: everything is checked again. */
  forgetMoment(): void {
    this.moment.end();
    this.store.forgetMoment();
  }
}
