import type { ServedModels } from "../flavours/served-models.ts";
import type { HttpExchange } from "../http/exchange.ts";
import { asObject, textValue } from "../story/conversation.ts";
import type { ServerState } from "../wires/wire.ts";

type Answer = { status: number; value: unknown };

/**
 * lmstudio.ai/docs/developer/rest/load and …/unload; returns false for any other path. Versions before 0.4 have
 * neither.
 */
export async function answerLoading(state: ServerState, exchange: HttpExchange, route: string): Promise<boolean> {
  const { served } = state;
  const { body } = exchange.record;
  if (served.loading.api === false) return false;
  if (route === "/api/v1/models/unload") reply(exchange, unload(served, body));
  else if (route === "/api/v1/models/load") await load(served, exchange);
  else return false;
  return true;
}

async function load(served: ServedModels, exchange: HttpExchange): Promise<void> {
  const asked = asObject(exchange.record.body);
  const id = textValue(asked.model);
  if (id === "") return reply(exchange, refused(400, "invalid_request", '"model" is required'));
  const model = served.listed(id);
  if (!model) return reply(exchange, refused(404, "model_not_found", `Model "${id}" not found`));
  const { hangs, delayMs, error, errorAbove } = model.load ?? {};
  if (hangs) await exchange.hang();
  if (delayMs !== undefined) await exchange.sleep(delayMs);
  if (exchange.gone) return exchange.end();
  const tokens = typeof asked.context_length === "number" ? asked.context_length : model.contextTokens;
  if (error !== undefined && tokens > (errorAbove ?? 0)) return reply(exchange, refused(500, "internal_error", error));
  served.loadWith(id, tokens);
  const config = asked.echo_load_config === true && { load_config: { context_length: tokens, flash_attention: true } };
  const loaded = { type: "llm", instance_id: id, load_time_seconds: 9.099, status: "loaded" };
  reply(exchange, { status: 200, value: { ...loaded, ...config } });
}

function unload(served: ServedModels, body: unknown): Answer {
  const id = textValue(asObject(body).instance_id);
  if (served.listed(id) === undefined || served.loadedTokens(id) === undefined)
    return refused(404, "model_not_found", `No instance "${id}" is loaded`);
  served.unload(id);
  return { status: 200, value: { instance_id: id } };
}

function refused(status: number, type: string, message: string): Answer {
  return { status, value: { error: { type, message } } };
}

function reply(exchange: HttpExchange, { status, value }: Answer): void {
  exchange.answer(status, { "content-type": "application/json; charset=utf-8" }, JSON.stringify(value));
}
