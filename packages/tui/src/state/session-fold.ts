import { type Applied, applyUpdate, isFactKind, type SessionState, type SessionUpdate } from "@harness/protocol";

/**
 * Takes an update into the fold. A fact without `seq` could not be stored (the disk is full): it is shown all the same
 * and leaves the count alone, so that the next stored fact still fits.
 */
export function takeUpdate(session: SessionState, update: SessionUpdate): Applied {
  if (update.seq !== undefined || !isFactKind(update.update.sessionUpdate)) return applyUpdate(session, update);
  const { seq } = session;
  const applied = applyUpdate(session, { ...update, seq: seq + 1 });
  session.seq = seq;
  return applied;
}
