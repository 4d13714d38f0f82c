import { errorJson } from "./flavours/error-dialect.ts";
import { flavourRows } from "./flavours/flavour.ts";
import { overflowError } from "./flavours/overflow-error.ts";
import { statusError } from "./flavours/vendor-errors.ts";
import type { WireFormat } from "./flavours/wire-format.ts";
import { deliver } from "./http/delivery.ts";
import type { HttpExchange } from "./http/exchange.ts";
import { deliversAll, faultedBody, faultedReply, faultedSteps, hangsBeforeHeaders } from "./http/faulted-steps.ts";
import { slotWish } from "./slot-wish.ts";
import type { Fault } from "./story/fault-schema.ts";
import { documentEncoder } from "./story/frame.ts";
import { makeReply, type ScriptedReply } from "./story/reply.ts";
import type { PickedTurn } from "./story/scenario-player.ts";
import { fillVariables } from "./story/template.ts";
import type { ServerState, Wire } from "./wires/wire.ts";
import { wireBinders } from "./wires/wires.ts";

const jsonType = { "content-type": "application/json; charset=utf-8" };

/** Answers one chat request according to the scenario. */
export async function answerChat(state: ServerState, format: WireFormat, exchange: HttpExchange): Promise<void> {
  const { record } = exchange;
  const wire = wireBinders[format](state, record);
  const refusal = wire.refuse();
  if (refusal !== undefined) {
    record.problem = refusal.message;
    return answerJson(state, exchange, refusal.status, errorJson(wire.errors, refusal.status, refusal));
  }
  const { conversation } = wire;
  // The window of Ollama's own API comes with the request; its /v1 cannot ask for one.
  const keeps = state.flavour === "lmstudio" && state.served.loadedTokens(conversation.model) !== undefined;
  if (!keeps) state.served.load(conversation.model, format === "ollama" ? record.body : undefined);
  const withoutTurn = wire.withoutTurn();
  if (withoutTurn !== undefined) return answerJson(state, exchange, 200, withoutTurn);
  await state.slots.enter(slotWish(state.served, conversation.model, record.body), exchange);
  if (exchange.gone) return;
  const picking = state.player.next(conversation);
  if (!picking.ok) return fail(wire, exchange, picking.problem);
  const { pick } = picking;
  Object.assign(record, { lane: pick.lane, turnIndex: pick.turnIndex, attempt: pick.attempt });
  if (pick.fault !== undefined) record.fault = pick.fault.kind;
  const filling = fillVariables(pick.turn, state.variables, conversation);
  if (!filling.ok) return fail(wire, exchange, filling.problem);

  if (pick.turn.delayMs !== undefined) await exchange.sleep(pick.turn.delayMs);
  if (await answerInstead(state, wire, exchange, pick.fault)) return;
  const reply = makeReply(filling.value, {
    number: record.number,
    model: conversation.model,
    key: pick.key,
    callId: wire.callId,
    requestBytes: record.bodyBytes,
  });
  await answerReply(state, wire, exchange, pick, faultedReply(reply, pick.fault));
}

/** The faults that replace the whole turn. Returns true if the request has been dealt with. */
async function answerInstead(
  state: ServerState,
  wire: Wire,
  exchange: HttpExchange,
  fault: Fault | undefined,
): Promise<boolean> {
  if (hangsBeforeHeaders(fault)) await exchange.hang();
  if (fault?.kind === "reset") await exchange.cut("reset");
  if (fault?.kind === "overflow") {
    const usual = wire.format === "openai-responses" ? "responses" : flavourRows[state.flavour].overflow;
    const { status, body } = overflowError(fault.words ?? usual, wire.errors);
    answerJson(state, exchange, status, body);
  }
  if (fault?.kind === "status") answerStatus(state, wire, exchange, fault);
  return fault?.kind === "reset" || fault?.kind === "overflow" || fault?.kind === "status";
}

function answerStatus(state: ServerState, wire: Wire, exchange: HttpExchange, fault: Fault & { kind: "status" }): void {
  const own = statusError(wire.errors, fault.status, fault.message).body;
  const given = typeof fault.body === "object" ? JSON.stringify(fault.body) : fault.body;
  const body = given ?? own;
  const retry: Record<string, string> =
    fault.retryAfter === undefined ? {} : { "retry-after": String(fault.retryAfter) };
  const headers = { ...flavourRows[state.flavour].headers, ...contentTypeOf(body), ...retry, ...fault.headers };
  exchange.answer(fault.status, headers, body);
}

function contentTypeOf(body: string): Record<string, string> {
  if (body.startsWith("{") || body.startsWith("[")) return jsonType;
  if (body.startsWith("<")) return { "content-type": "text/html" };
  return body === "" ? {} : { "content-type": "text/plain; charset=utf-8" };
}

async function answerReply(
  state: ServerState,
  wire: Wire,
  exchange: HttpExchange,
  pick: PickedTurn,
  reply: ScriptedReply,
): Promise<void> {
  const { fault } = pick;
  const { oddities } = reply;
  const { headers } = flavourRows[state.flavour];
  const errorFrame = (message: string, code: string | number) => wire.errorFrame(message, code, oddities);
  const limit =
    fault?.kind === "disconnect" && fault.afterBytes !== undefined
      ? { bytes: fault.afterBytes, how: fault.how }
      : undefined;
  const common = { bom: oddities.bom === true, splitBytes: oddities.splitBytes, limit };
  let whole: boolean;
  if (wire.streams) {
    const ping = wire.ping === undefined ? undefined : Buffer.from(wire.ping);
    exchange.start(200, { ...headers, "content-type": wire.streamType, "cache-control": "no-cache" });
    const steps = faultedSteps(wire.frames(reply), fault, errorFrame);
    whole = await deliver(steps, { ...common, encode: wire.encoder(oddities), ping }, exchange);
  } else {
    exchange.start(200, { ...headers, ...jsonType });
    const steps = faultedBody(wire.body(reply), fault, errorFrame);
    whole = await deliver(steps, { ...common, encode: documentEncoder(), ping: undefined }, exchange);
  }
  if (whole && fault !== undefined && deliversAll(fault)) pick.delivered();
}

function answerJson(state: ServerState, exchange: HttpExchange, status: number, body: string): void {
  exchange.answer(status, { ...flavourRows[state.flavour].headers, ...jsonType }, body);
}

/** The scenario is at fault, not the client: no retry can help, and the header says so to the client. */
function fail(wire: Wire, exchange: HttpExchange, problem: string): void {
  exchange.record.problem = problem;
  const { body } = statusError(wire.errors, 500, problem);
  exchange.answer(500, { ...jsonType, "x-should-retry": "false" }, body);
}
