import type { Failure } from "@harness/protocol";
import type { ModelChoice } from "../ports/provider.ts";
import { fallBack } from "./replies/fall-back.ts";
import type { Turn } from "./turn/turn.ts";

type LoadResult = { choice: ModelChoice } | { failure: Failure } | "stopped";

/**
 * Loads the model of the next request if its server loads models on request: the request is then made for the context
 * window that the model really has. One that cannot be loaded gives way to the next of `fallback_models`.
 */
export async function loadModel(turn: Turn, chosen: ModelChoice): Promise<LoadResult> {
  let choice = chosen;
  // It was checked when the turn began; one that was unloaded meanwhile is loaded by the request.
  while (choice.load && choice !== turn.choice) {
    const loaded = await loadShown(turn, choice);
    if (loaded === "stopped" || "choice" in loaded) return loaded;
    turn.useModel(choice);
    if (!(await fallBack(loaded.failure, turn))) return turn.signal.aborted ? "stopped" : loaded;
    const next = await turn.agent.models.choose({ fresh: false });
    if ("problem" in next) return { failure: { kind: "config", message: next.problem } };
    choice = next;
  }
  return { choice };
}

async function loadShown(turn: Turn, choice: ModelChoice): Promise<LoadResult> {
  const { signal } = turn;
  const messageId = turn.runtime.ids.next("message");
  let isShown = false;
  const onLoading = () => {
    isShown = true;
    turn.delta({ sessionUpdate: "request_status", messageId, phase: "loading" });
  };
  try {
    const loaded = await turn.agent.models.loaded(choice, { signal, onLoading });
    return "failure" in loaded ? loaded : { choice: loaded };
  } catch (error) {
    if (signal.aborted) return "stopped";
    throw error;
  } finally {
    if (isShown) turn.delta({ sessionUpdate: "request_status", messageId, phase: "ended" });
  }
}
