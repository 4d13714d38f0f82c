import { type ProtocolError, protocolError } from "@harness/protocol";
import type { SavedSettings, SaveProblem, SettingEdit } from "@harness/storage";
import type { HandlerHost } from "./handler-host.ts";

/** After a change of settings or trust: models are chosen again, and open permission requests are reevaluated. */
export function followChange({ models, sessions }: HandlerHost): void {
  models.choice.forget();
  sessions.live.reevaluate();
}

/** Saves the user's settings and updates everything that is open. The caller announces `settings/changed`. */
export function applySettings(
  host: HandlerHost,
  edits: SettingEdit[],
  expectedVersion?: string,
): SavedSettings | SaveProblem {
  const saved = host.person.settings.save(edits, expectedVersion);
  if (!("problem" in saved)) followChange(host);
  return saved;
}

/** The error of a method that did not save. */
export function notSaved({ kind, problem }: SaveProblem): ProtocolError {
  if (kind === "failed") return protocolError("storage_failed", problem);
  if (kind === "conflict") return protocolError("conflict", problem, {});
  // The lock is temporary.
  if (kind === "held") return protocolError("conflict", problem, { retryable: true });
  return protocolError("invalid_params", problem, { issues: [{ path: "edits", message: problem }] });
}
