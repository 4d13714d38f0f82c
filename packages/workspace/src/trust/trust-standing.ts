import type { TrustView } from "@harness/protocol";
import {
  type AlteredReach,
  type TrustChange,
  type TrustContents,
  type TrustEntry,
  type TrustStore,
  trustChanges,
} from "@harness/storage";

/** How the content of a folder relates to the user's decision. */
export type TrustStanding = {
  state: TrustView["state"];
  changes: readonly TrustChange[];
  /** For a folder that has changed since it was trusted: the parts that are off; the rest is trusted as before. */
  reach?: AlteredReach;
  /** True if that trust is limited to this run. */
  isForNow?: boolean;
};

type TrustDecision = { entry: TrustEntry | undefined; now: TrustContents["files"] | undefined };

/** `now`: content that is trusted while this server runs. */
export function standingOf(
  look: TrustContents,
  { entry, now }: TrustDecision,
  store: Pick<TrustStore, "reach">,
): TrustStanding {
  const kept = entry?.decision === "trust" && look.refusal === undefined ? entry.files : undefined;
  const before = now ?? kept;
  const changes = before ? trustChanges(look, before) : [];
  // The user should know if the last file of a folder was removed.
  if (look.files.length === 0 && look.tooMuch === undefined && changes.length === 0)
    return { state: "nothing", changes: [] };
  if (look.tooMuch === undefined) {
    if (kept && trustChanges(look, kept).length === 0) return { state: "trusted", changes: [] };
    if (now && changes.length === 0) return { state: "session", changes: [] };
  }
  if (entry?.decision === "refuse" && entry.hash === look.hash) return { state: "refused", changes: [] };
  if (!before) return { state: "untrusted", changes: [] };
  if (look.tooMuch !== undefined) return { state: "changed", changes };
  return { state: "changed", changes, reach: store.reach(look, { before, changes }), isForNow: now !== undefined };
}

/** True if the folder is trusted, or was, so that its unchanged files still are. */
export function isInForce({ state, reach }: TrustStanding): boolean {
  return state === "trusted" || state === "session" || reach !== undefined;
}
