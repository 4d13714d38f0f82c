import { withGrace } from "@harness/gate";
import type { AgentPart, Failure } from "@harness/protocol";
import { costOf } from "../../context/tokens/cost-of.ts";
import type { ModelChoice, ModelEvent, ModelRequest } from "../../ports/provider.ts";
import { LogWriteError } from "../../ports/session-log.ts";
import type { Reply, StageState } from "../stages/stage-value.ts";
import type { Turn } from "../turn/turn.ts";
import { newCalls, offerCall } from "./offer-call.ts";
import { withoutRefusedPictures } from "./refused-pictures.ts";
import { ReplyStream, type StreamedEvent } from "./reply-stream.ts";

type ReplyFrom = Pick<Reply, "messageId" | "provider" | "model">;

/** send/10-send: asks the model and streams its reply; the reply also says how a request failed. */
export async function requestReply(state: StageState<"send">, turn: Turn): Promise<StageState<"send">> {
  if (state.nextState) return state;
  const { choice } = turn;
  if (turn.signal.aborted || !choice) return turn.done({ stopReason: "end_turn" });
  turn.countRequest();
  const { model, system, messages, tools } = state;
  const request: ModelRequest = {
    model: model || choice.model,
    system,
    messages,
    tools,
    toolAliases: turn.agent.toolbox.aliases,
    foreignTools: turn.agent.toolbox.foreign,
    contextWindow: choice.contextWindow.tokens,
    priority: turn.agent.depth === 0 ? "turn" : "subagent",
    lane: `${turn.scope.ports.log.header.sessionId}/${turn.agent.agentId}`,
    ...(choice.effort ? { effort: choice.effort } : {}),
    ...(choice.maxOutputTokens === undefined ? {} : { maxOutputTokens: choice.maxOutputTokens }),
  };
  request.onSent = turn.scope.ports.requests.watchSent(turn.madeRequest(request, choice));
  turn.sends(request);
  const { agent } = turn;
  const contextWindow = choice.contextWindow.tokens;
  const { prefix, weight } = agent.ledger.take({ ...request, provider: choice.provider.id, contextWindow });
  agent.audit.begin(weight, { toolsAsText: choice.toolMode !== undefined && choice.toolMode !== "native" });
  const sent = { weight, chars: agent.requestChars };
  const first = await readReply(turn, choice, request);
  const reply = await withoutRefusedPictures(turn, first, request, (shorter) => {
    turn.countRequest();
    return readReply(turn, choice, shorter);
  });
  // Token counts of a retried request do not apply to this one.
  if (reply !== first) return { reply, nextState: "receive" };
  return { reply: { ...reply, sent, ...(prefix ? { prefix } : {}) }, nextState: "receive" };
}

async function readReply(turn: Turn, choice: ModelChoice, request: ModelRequest): Promise<Reply> {
  const messageId = turn.runtime.ids.next("message");
  const { model } = request;
  const provider = choice.provider.id;
  // A step may have asked a different model, whose price is unknown here.
  const cost = costOf(undefined, model === choice.model ? choice.price : undefined);
  const stream = new ReplyStream(turn, messageId, { cost, provider, model });
  const from = { messageId, provider, model };
  turn.calls = newCalls(turn, from);
  const reply = await readStream(turn, () => choice.provider.stream(request, turn.signal), stream, from);
  if (reply.stop === "cut") turn.calls?.close();
  const { thoughtMs } = stream;
  const timed = thoughtMs === undefined ? reply : { ...reply, thoughtMs };
  return reply.stop === "cut" && stream.hasBegun() ? { ...timed, hasBegun: true } : timed;
}

async function readStream(
  turn: Turn,
  open: () => AsyncIterable<ModelEvent>,
  stream: ReplyStream,
  from: ReplyFrom,
): Promise<Reply> {
  const read = async (): Promise<Reply> => {
    for await (const event of open()) {
      if (stream.isClosed) break;
      if (event.type === "end") {
        const { stop, usage, oddEnd } = event;
        const parts = stop === "cut" && event.parts.length === 0 ? stream.parts() : event.parts;
        const { repairs } = stream;
        const details = { ...(usage ? { usage } : {}), ...(oddEnd === undefined ? {} : { oddEnd }) };
        return { ...from, parts, stop, ...details, ...(repairs.length > 0 ? { repairs } : {}) };
      }
      if (event.type === "failed") {
        const { failure, parts = stream.parts(), refusedFor } = event;
        return { ...from, parts, stop: "cut", failure, ...(refusedFor ? { refusedFor } : {}) };
      }
      if (event.type === "call") {
        offerCall(turn, event.part);
        continue;
      }
      const brokenOff = event.type === "retry" ? await beforeRetry(turn, event, stream, from) : undefined;
      if (brokenOff) return brokenOff;
      stream.take(event);
      if (stream.isRepeating) return { ...from, parts: stream.parts(), stop: "cut", repeats: true };
    }
    return broken(from, stream.parts(), { kind: "network", message: "The model's reply broke off." });
  };
  try {
    return await withGrace(read(), turn.signal, turn.runtime.clock, () => ({
      ...from,
      parts: stream.parts(),
      stop: "cut" as const,
    }));
  } catch (error) {
    if (error instanceof LogWriteError) throw error;
    turn.runtime.report(error, "provider.stream");
    const message = "The connection to the model failed because of an error in harness; its log has the details.";
    return broken(from, stream.parts(), { kind: "internal", message });
  } finally {
    stream.close();
  }
}

/**
 * Returns the reply if it ends here: the effects of its calls cannot be undone, so the model must continue from there.
 */
async function beforeRetry(
  turn: Turn,
  { delayMs, failure }: Extract<StreamedEvent, { type: "retry" }>,
  stream: ReplyStream,
  from: ReplyFrom,
): Promise<Reply | undefined> {
  const { calls } = turn;
  calls?.close();
  if (calls && calls.started.length > 0) {
    await turn.runtime.clock.sleep(delayMs, turn.signal);
    return { ...broken(from, stream.parts(), failure), mayGoOn: true };
  }
  turn.calls = newCalls(turn, from);
  return undefined;
}

function broken(from: ReplyFrom, parts: AgentPart[], failure: Failure): Reply {
  return { ...from, parts, stop: "cut", failure };
}
