import type { Effect } from "@harness/protocol";
import type { ToolCategory } from "../gate-call.ts";
import type { Clock } from "../ports/clock.ts";

/** The description of a call that hooks get. No rule denies the call. */
export type HookedCall = {
  agentId: string;
  toolCallId: string;
  tool: string;
  category: ToolCategory;
  title: string;
  effects: readonly Effect[];
};

/**
 * Examines a call before it may run. `deny`: the reason to refuse it; `ask`: why the user must be asked. A hook can
 * only object, never allow.
 */
export type GateHook = (
  call: HookedCall,
  signal: AbortSignal,
) => Promise<{ deny: string } | { ask: string } | undefined>;

/** A hook's objection to a call: the first refusal, as the end of a sentence about it, or a demand to ask. */
export type HookObjection = { deny: string } | { ask: string };

const MAX_HOOK_MS = 30_000;
const MAX_WORDS = 500;

/**
 * Undefined: no hook objects. A hook that throws, answers nonsense or takes too long counts as a refusal. Never
 * rejects.
 */
export async function hookObjection(
  hooks: readonly GateHook[],
  call: HookedCall,
  signal: AbortSignal,
  clock: Clock,
): Promise<HookObjection | undefined> {
  let asks: HookObjection | undefined;
  for (const hook of hooks) {
    const objection = await objectionOf(hook, call, signal, clock);
    if (objection && "deny" in objection) return objection;
    asks ??= objection;
    if (signal.aborted) return undefined;
  }
  return asks;
}

async function objectionOf(
  hook: GateHook,
  call: HookedCall,
  signal: AbortSignal,
  clock: Clock,
): Promise<HookObjection | undefined> {
  const over = new AbortController();
  const ended = new AbortController();
  const answer = (async () => hook(call, AbortSignal.any([signal, over.signal])))().then(readAnswer, () => {
    return { deny: "is refused: a hook that checks calls has failed" };
  });
  const late = clock.sleep(MAX_HOOK_MS, AbortSignal.any([signal, ended.signal])).then(() => {
    const deny = `is refused: a hook that checks calls took longer than ${MAX_HOOK_MS / 1000} s`;
    return signal.aborted ? undefined : { deny };
  });
  const objection = await Promise.race([answer, late]);
  // Passes reasons because the platform would otherwise build an error with a stack for each call.
  over.abort("over");
  ended.abort("ended");
  return objection;
}

function readAnswer(answer: unknown): HookObjection | undefined {
  if (answer === undefined) return undefined;
  const fields = typeof answer === "object" && answer !== null ? answer : {};
  if ("deny" in fields && typeof fields.deny === "string")
    return { deny: `is refused by a hook: ${fields.deny.slice(0, MAX_WORDS)}` };
  if ("ask" in fields && !("deny" in fields) && typeof fields.ask === "string")
    return { ask: `a hook asks for your approval: ${fields.ask.slice(0, MAX_WORDS)}` };
  return { deny: "is refused: a hook that checks calls gave no readable answer" };
}
