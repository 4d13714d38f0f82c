import type { AgentPart, Failure } from "@harness/protocol";
import { withGrace } from "../cancellable.ts";
import type { ModelChoice, ModelRequest } from "../ports/provider.ts";
import { LogWriteError } from "../ports/session-log.ts";
import type { Reply, StageValue } from "../stages/stage.ts";
import { ReplyStream } from "./reply-stream.ts";
import type { Turn } from "./turn.ts";

/** send/10-send: asks the model and streams its reply; what happened is in the reply, also when it failed. */
export async function requestReply(value: StageValue, turn: Turn): Promise<StageValue> {
  const { choice } = turn;
  if (turn.signal.aborted || !choice) return { nextState: "done" };
  turn.requests += 1;
  const request: ModelRequest = {
    model: value.model ?? choice.model,
    system: value.system ?? "",
    messages: value.messages ?? [],
    tools: value.tools ?? [],
    windowTokens: choice.window.tokens,
    priority: turn.agent.depth === 0 ? "turn" : "subagent",
    lane: `${turn.scope.ports.log.header.sessionId}/${turn.agent.agentId}`,
    ...(choice.effort ? { effort: choice.effort } : {}),
    ...(choice.maxOutputTokens === undefined ? {} : { maxOutputTokens: choice.maxOutputTokens }),
  };
  const prefix = turn.agent.ledger.take({ provider: choice.provider.id, ...request });
  const reply = await readReply(turn, choice, request);
  return { reply: prefix ? { ...reply, prefix } : reply, nextState: "receive" };
}

async function readReply(turn: Turn, choice: ModelChoice, request: ModelRequest): Promise<Reply> {
  const messageId = turn.scope.ports.ids.next("message");
  const stream = new ReplyStream(turn, messageId);
  const from = { messageId, provider: choice.provider.id, model: request.model };
  const read = async (): Promise<Reply> => {
    for await (const event of choice.provider.stream(request, turn.signal)) {
      if (stream.isClosed) break;
      if (event.type === "end") {
        const { stop, usage } = event;
        const parts = stop === "cut" && event.parts.length === 0 ? stream.parts() : event.parts;
        const { repairs } = stream;
        return { ...from, parts, stop, ...(usage ? { usage } : {}), ...(repairs.length > 0 ? { repairs } : {}) };
      }
      if (event.type === "failed") {
        return { ...from, parts: event.parts ?? stream.parts(), stop: "cut", failure: event.failure };
      }
      stream.take(event);
    }
    return broken(from, stream.parts(), { kind: "network", message: "The model's answer broke off without an end." });
  };
  try {
    return await withGrace(read(), turn.signal, turn.scope.ports.clock, () => ({
      ...from,
      parts: stream.parts(),
      stop: "cut" as const,
    }));
  } catch (error) {
    if (error instanceof LogWriteError) throw error;
    turn.scope.ports.report(error, "provider.stream");
    const message = "The connection to the model failed inside harness; its log has the details.";
    return broken(from, stream.parts(), { kind: "internal", message });
  } finally {
    stream.close();
  }
}

function broken(from: Pick<Reply, "messageId" | "provider" | "model">, parts: AgentPart[], failure: Failure): Reply {
  return { ...from, parts, stop: "cut", failure };
}
