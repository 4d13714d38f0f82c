import type { Effect } from "@harness/protocol";
import type { ToolCategory } from "../gate-call.ts";
import type { Clock } from "../ports/clock.ts";

/** The description of a call that a hook is given; no rule denies the call. */
export type HookedCall = {
  agentId: string;
  toolCallId: string;
  tool: string;
  category: ToolCategory;
  title: string;
  effects: readonly Effect[];
};

/** Looks at a call before it may run. `deny`: why not, in words. It can only refuse: it allows nothing. */
export type GateHook = (call: HookedCall, signal: AbortSignal) => Promise<{ deny: string } | undefined>;

const MAX_HOOK_MS = 30_000;
const MAX_WORDS = 500;

/**
 * The first refusal, as the end of a sentence about the call; undefined = none. A hook that throws, answers nonsense or
 * takes too long refuses. Never rejects.
 */
export async function hookDenial(
  hooks: readonly GateHook[],
  call: HookedCall,
  signal: AbortSignal,
  clock: Clock,
): Promise<string | undefined> {
  for (const hook of hooks) {
    const denial = await denialOf(hook, call, signal, clock);
    if (denial !== undefined) return denial;
    if (signal.aborted) return undefined;
  }
  return undefined;
}

async function denialOf(
  hook: GateHook,
  call: HookedCall,
  signal: AbortSignal,
  clock: Clock,
): Promise<string | undefined> {
  const over = new AbortController();
  const ended = new AbortController();
  const answer = (async () => hook(call, AbortSignal.any([signal, over.signal])))().then(wordsOfAnswer, () => {
    return "is refused: a hook that checks calls has failed";
  });
  const late = clock.sleep(MAX_HOOK_MS, AbortSignal.any([signal, ended.signal])).then(() => {
    return signal.aborted ? undefined : `is refused: a hook that checks calls took longer than ${MAX_HOOK_MS / 1000} s`;
  });
  const denial = await Promise.race([answer, late]);
  // Reasons of our own: the platform would build an error with a stack for each call.
  over.abort("over");
  ended.abort("ended");
  return denial;
}

function wordsOfAnswer(answer: unknown): string | undefined {
  if (answer === undefined) return undefined;
  const words = typeof answer === "object" && answer !== null && "deny" in answer ? answer.deny : undefined;
  if (typeof words !== "string") return "is refused: a hook that checks calls gave no readable answer";
  return `is refused by a hook: ${words.slice(0, MAX_WORDS)}`;
}
