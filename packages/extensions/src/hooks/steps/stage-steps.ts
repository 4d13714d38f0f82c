import { builtInSteps, type StageName, type Step, type Turn } from "@harness/core";
import type { JsonObject } from "../contract/json-answer.ts";
import { replyToJson } from "../contract/reply-json.ts";
import { type AnyState, stateFromJson, stateToJson } from "../contract/stage-json.ts";
import { type HookEntry, replacedName } from "../stage-names.ts";
import type { HookWork } from "./hook-work.ts";

type AnyStep = { stage: StageName; name: string; run(state: AnyState, turn: Turn): AnyState | Promise<AnyState> };

/**
 * Steps whose duties no hook takes over: a replacement decides what is passed on, after they have done the rest.
 * `10-messages` records new messages in the log, keeps the limits and chooses the model; `10-save` records the reply.
 */
const STILL_AT_WORK: ReadonlySet<string> = new Set(["assemble/10-messages", "receive/10-save"]);

/** Cleanup hooks also run after a cancelled turn. */
const AFTER_THE_WORK: ReadonlySet<string> = new Set(["done", "error"]);
/** Their time limit then: an interrupted run ends soon after. */
const AFTER_CANCEL_MS = 5_000;

/** A hook as a step of its stage. It replaces a built-in step of its name. */
export function stageStep(hook: HookEntry, stage: StageName, work: HookWork): Step<Turn> {
  const name = replacedName(stage, hook.name) ?? hook.name;
  const builtIn = builtInSteps.find((each) => each.stage === stage && each.name === name) as AnyStep | undefined;
  const inPlace = builtIn && STILL_AT_WORK.has(`${stage}/${name}`) ? builtIn : undefined;
  const step: AnyStep = {
    stage,
    name,
    run: async (state, turn) => {
      if (turn.signal.aborted && !AFTER_THE_WORK.has(stage)) return await (builtIn?.run(state, turn) ?? state);
      if (!inPlace) return await runHook(hook, state, turn, work);
      // A stage that the hook could not have named is not its concern: a limit, a failure, a reply to request again.
      const done = await inPlace.run(state, turn);
      if (turn.signal.aborted) return done;
      if (done.nextState === undefined || done.nextState === "tool_exec" || done.nextState === "done") {
        return await runHook(hook, state, turn, work, done);
      }
      return done;
    },
  };
  return step as Step<Turn>;
}

/** After `10-save` the provider's response has become calls, or the end: its cost is still available. */
function inputOf({ stage }: HookEntry, state: AnyState, { lastReply }: Turn): JsonObject {
  const input = stateToJson(state);
  if (stage !== "receive" || state.nextState === undefined || !lastReply) return input;
  const { model, provider, usage } = replyToJson(lastReply);
  return { ...input, model, provider, ...(usage !== undefined && { usage }) };
}

/** `base`: the state after the built-in step that the hook replaces; the answer is applied to it. */
async function runHook(
  hook: HookEntry,
  state: AnyState,
  turn: Turn,
  work: HookWork,
  base: AnyState = state,
): Promise<AnyState> {
  const isSend =
    hook.stage === "send" && state.nextState === undefined && replacedName("send", hook.name) !== undefined;
  if (isSend) turn.countRequest();
  const signal = turn.signal.aborted ? AbortSignal.timeout(AFTER_CANCEL_MS) : turn.signal;
  const result = await work.run(hook, inputOf(hook, state, turn), turn, signal);
  if (result.outcome === "cancelled") return base;
  if (result.outcome !== "ok") throw work.failure(hook, result);
  // A provider's response names no stage.
  const answer: JsonObject = isSend ? { next_state: "receive", ...result.answer } : result.answer;
  const { choice, output, runtime } = turn;
  const read = stateFromJson(answer, base, {
    hook: hook.name,
    from: {
      messageId: runtime.ids.next("message"),
      provider: choice?.provider.id ?? hook.name,
      model:
        "model" in state && typeof state.model === "string" && state.model !== "" ? state.model : (choice?.model ?? ""),
    },
    output,
  });
  if ("problem" in read) throw work.failure(hook, { outcome: "failed", words: read.problem, exit: "" });
  return read.state;
}
