import { asArray, asObject, asText, readConversation } from "./conversation.ts";
import { deliver } from "./delivery.ts";
import type { Exchange } from "./exchange.ts";
import { deliversAll, type Fault, faultedBody, faultedReply, faultedSteps, hangsBeforeHeaders } from "./faults.ts";
import { type Flavour, flavourRows } from "./flavour.ts";
import { documentEncoder, type Frame, ndjsonEncoder, sseEncoder } from "./frame.ts";
import type { ModelShelf } from "./model-shelf.ts";
import { ollamaChatBody, ollamaChatFrames, ollamaLoadBody } from "./ollama-wire.ts";
import { openAiChatBody, openAiChatFrames } from "./openai-chat-wire.ts";
import { makeReply, type Reply } from "./reply.ts";
import { checkOllamaRequest, checkOpenAiRequest, type Refusal } from "./request-check.ts";
import type { PickedTurn, ScenarioPlayer } from "./scenario-player.ts";
import { fillTemplate } from "./template.ts";
import { errorJson, overflowError, statusError, streamErrorJson } from "./vendor-errors.ts";

/** What a chat endpoint works with; a new scenario is a new stage. */
export interface Stage {
  flavour: Flavour;
  shelf: ModelShelf;
  player: ScenarioPlayer;
  variables: Readonly<Record<string, string>>;
}

export type ChatFormat = "openai" | "ollama";

/** One wire format, bound to a request. */
interface Wire {
  native: boolean;
  streams: boolean;
  streamType: string;
  frames(reply: Reply): Iterable<Frame>;
  body(reply: Reply): string;
  refuse(): Refusal | undefined;
  /** The answer to a request that asks for no turn. */
  withoutTurn(): string | undefined;
}

const jsonType = { "content-type": "application/json; charset=utf-8" };

/** Answers one chat request as the scenario says. */
export async function answerChat(stage: Stage, format: ChatFormat, exchange: Exchange): Promise<void> {
  const { body } = exchange.record;
  const wire = format === "openai" ? openAiWire(stage, body) : ollamaWire(stage, body);
  const refusal = wire.refuse();
  if (refusal !== undefined) {
    exchange.record.problem = refusal.message;
    const { status } = refusal;
    return answerJson(stage, exchange, status, errorJson(stage.flavour, status, refusal, wire.native));
  }
  const conversation = readConversation(body);
  // The window of Ollama's own API comes with the request; its /v1 has no way to ask for one.
  stage.shelf.load(conversation.model, wire.native ? body : undefined);
  const withoutTurn = wire.withoutTurn();
  if (withoutTurn !== undefined) return answerJson(stage, exchange, 200, withoutTurn);
  const picking = stage.player.next(conversation);
  if (!picking.ok) return fail(stage, wire, exchange, picking.problem);
  const { pick } = picking;
  Object.assign(exchange.record, { lane: pick.lane, turnIndex: pick.turnIndex, attempt: pick.attempt });
  if (pick.fault !== undefined) exchange.record.fault = pick.fault.kind;
  const filling = fillTemplate(pick.turn, stage.variables, conversation);
  if (!filling.ok) return fail(stage, wire, exchange, filling.problem);

  if (pick.turn.delayMs !== undefined) await exchange.sleep(pick.turn.delayMs);
  if (await answerInstead(stage, wire, exchange, pick.fault)) return;
  const reply = makeReply(filling.value, {
    number: exchange.record.number,
    model: conversation.model,
    key: pick.key,
    requestBytes: exchange.record.bodyBytes,
  });
  await answerReply(stage, wire, exchange, pick, faultedReply(reply, pick.fault));
}

/** The faults that leave nothing of the turn. Returns true when the request has been dealt with. */
async function answerInstead(stage: Stage, wire: Wire, exchange: Exchange, fault: Fault | undefined): Promise<boolean> {
  if (hangsBeforeHeaders(fault)) await exchange.hang();
  if (fault?.kind === "reset") await exchange.cut("reset");
  if (fault?.kind === "overflow") {
    const { status, body } = overflowError(stage.flavour, fault.words, wire.native);
    answerJson(stage, exchange, status, body);
  }
  if (fault?.kind === "status") answerStatus(stage, wire, exchange, fault);
  return fault?.kind === "reset" || fault?.kind === "overflow" || fault?.kind === "status";
}

function answerStatus(stage: Stage, wire: Wire, exchange: Exchange, fault: Fault & { kind: "status" }): void {
  const own = statusError(stage.flavour, fault.status, fault.message, wire.native).body;
  const given = typeof fault.body === "object" ? JSON.stringify(fault.body) : fault.body;
  const body = given ?? own;
  const retry: Record<string, string> =
    fault.retryAfter === undefined ? {} : { "retry-after": String(fault.retryAfter) };
  const headers = { ...flavourRows[stage.flavour].headers, ...contentTypeOf(body), ...retry, ...fault.headers };
  exchange.answer(fault.status, headers, body);
}

function contentTypeOf(body: string): Record<string, string> {
  if (body.startsWith("{")) return jsonType;
  if (body.startsWith("<")) return { "content-type": "text/html" };
  return body === "" ? {} : { "content-type": "text/plain; charset=utf-8" };
}

async function answerReply(
  stage: Stage,
  wire: Wire,
  exchange: Exchange,
  pick: PickedTurn,
  reply: Reply,
): Promise<void> {
  const { fault } = pick;
  const { oddities } = reply;
  const { headers } = flavourRows[stage.flavour];
  const errorData = (message: string, code: string | number) =>
    streamErrorJson(stage.flavour, wire.native, message, code);
  const limit =
    fault?.kind === "disconnect" && fault.afterBytes !== undefined
      ? { bytes: fault.afterBytes, how: fault.how }
      : undefined;
  const common = { bom: oddities.bom === true, splitBytes: oddities.splitBytes, limit };
  let whole: boolean;
  if (wire.streams) {
    const encode = wire.native ? ndjsonEncoder(oddities) : sseEncoder(oddities);
    const ping = wire.native ? undefined : Buffer.from(": ping\n\n");
    exchange.start(200, { ...headers, "content-type": wire.streamType, "cache-control": "no-cache" });
    const steps = faultedSteps(wire.frames(reply), fault, errorData);
    whole = await deliver(steps, { ...common, encode, ping }, exchange);
  } else {
    exchange.start(200, { ...headers, ...jsonType });
    const steps = faultedBody(wire.body(reply), fault, errorData);
    whole = await deliver(steps, { ...common, encode: documentEncoder(), ping: undefined }, exchange);
  }
  if (whole && fault !== undefined && deliversAll(fault)) pick.delivered();
}

function answerJson(stage: Stage, exchange: Exchange, status: number, body: string): void {
  exchange.answer(status, { ...flavourRows[stage.flavour].headers, ...jsonType }, body);
}

/** The scenario is at fault, not the client: no retry can help, and the header tells the client so. */
function fail(stage: Stage, wire: Wire, exchange: Exchange, problem: string): void {
  exchange.record.problem = problem;
  const { body } = statusError(stage.flavour, 500, problem, wire.native);
  exchange.answer(500, { ...jsonType, "x-should-retry": "false" }, body);
}

function openAiWire(stage: Stage, body: unknown): Wire {
  const request = asObject(body);
  const row = flavourRows[stage.flavour];
  const streams = request.stream === true;
  // OpenRouter counts in every stream; the others when they are asked to.
  const includeUsage = stage.flavour === "openrouter" || asObject(request.stream_options).include_usage === true;
  const optionsFor = (reply: Reply) => ({
    thinkingField: reply.oddities.thinkingField ?? row.thinkingField,
    includeUsage,
    usageNull: stage.flavour === "openai",
  });
  return {
    native: false,
    streams,
    streamType: "text/event-stream; charset=utf-8",
    frames: (reply) => openAiChatFrames(reply, optionsFor(reply)),
    body: (reply) => openAiChatBody(reply, optionsFor(reply)),
    refuse: () => checkOpenAiRequest(body, stage.flavour, stage.shelf),
    withoutTurn: () => undefined,
  };
}

function ollamaWire(stage: Stage, body: unknown): Wire {
  const request = asObject(body);
  const optionsFor = (reply: Reply) => ({
    hideThinking: request.think === false,
    contextTokens: stage.shelf.loadedTokens(reply.model) ?? Number.POSITIVE_INFINITY,
  });
  return {
    native: true,
    // Ollama streams unless it is told not to.
    streams: request.stream !== false,
    streamType: "application/x-ndjson",
    frames: (reply) => ollamaChatFrames(reply, optionsFor(reply)),
    body: (reply) => ollamaChatBody(reply, optionsFor(reply)),
    refuse: () => checkOllamaRequest(body, stage.shelf),
    withoutTurn: () => (asArray(request.messages).length > 0 ? undefined : ollamaLoadBody(asText(request.model))),
  };
}
