import type { Failure } from "@harness/protocol";
import type { Turn } from "../turn/turn.ts";

/** Failures of a model's server that a different model may not have. */
const ofServer: ReadonlySet<Failure["kind"]> = new Set(["rateLimit", "network"]);

/**
 * Lets the next model of the setting `fallback_models` answer for the rest of the turn, with a notice. Returns false if
 * there is none, or it would not help.
 */
export async function fallBack(failure: Failure, turn: Turn): Promise<boolean> {
  const names = turn.scope.settings.values.fallback_models;
  const { choice: failed } = turn;
  if (!failed || names.length === 0 || !ofServer.has(failure.kind)) return false;
  const { choice, isNew, unusable } = await turn.agent.models.fallBack(failed, names);
  for (const why of unusable) turn.notice("warning", "A model of fallback_models cannot be used.", why);
  if (!choice || turn.signal.aborted) return false;
  const { model, provider } = choice;
  const title = `${failed.model} failed: ${model} (${provider.id}) takes over until your next message.`;
  if (isNew) turn.notice("warning", title, failure.message);
  return true;
}
