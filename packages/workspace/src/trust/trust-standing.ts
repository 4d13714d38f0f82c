import type { TrustView } from "@harness/protocol";
import {
  type AlteredReach,
  type TrustChange,
  type TrustContents,
  type TrustEntry,
  type TrustStore,
  trustChanges,
} from "@harness/storage";

/** How the content of a folder stands to what the person decided. */
export type TrustStanding = {
  state: TrustView["state"];
  changes: readonly TrustChange[];
  /** Of a folder that was trusted and has changed since: what is off; the rest is trusted as before. */
  reach?: AlteredReach;
  /** That trust is for this run. */
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
  // Of a folder whose last file is gone, the person is to know.
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

/** Is the folder trusted, or was it, so that what has not changed still is? */
export function isInForce({ state, reach }: TrustStanding): boolean {
  return state === "trusted" || state === "session" || reach !== undefined;
}
