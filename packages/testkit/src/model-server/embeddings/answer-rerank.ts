import { flavourRows } from "../flavours/flavour.ts";
import { statusError } from "../flavours/vendor-errors.ts";
import type { HttpExchange } from "../http/exchange.ts";
import { asArray, asObject, textValue } from "../story/conversation.ts";
import type { ServerState } from "../wires/wire.ts";
import { wordVector } from "./word-vector.ts";

const JSON_TYPE = { "content-type": "application/json" };

/** True if a path is the one of Jina's rerank API, which compatible servers have. */
export function isRerankPath({ flavour }: ServerState, route: string): boolean {
  const { wire, basePath } = flavourRows[flavour];
  return wire !== "anthropic" && wire !== "ollama" && route === `${basePath}/rerank`;
}

/** The more words a document has in common with the query, the better; `faults` of embeddings hold here, too. */
export async function answerRerank(state: ServerState, exchange: HttpExchange): Promise<void> {
  const body = asObject(exchange.record.body);
  const query = textValue(body.query);
  const fault = state.embeddings.faultFor([query]);
  if (fault) exchange.record.fault = fault.kind;
  if (fault?.kind === "hang") await exchange.hang();
  if (fault?.kind === "status") {
    const { status, body: text } = statusError(flavourRows[state.flavour].errors, fault.status, fault.message);
    return exchange.answer(status, JSON_TYPE, text);
  }
  const { dimensions } = state.embeddings.settings;
  const asked = wordVector(query, dimensions);
  const results = asArray(body.documents).map((document, index) => {
    const vector = wordVector(textValue(document), dimensions);
    return { index, relevance_score: vector.reduce((sum, value, at) => sum + value * (asked[at] ?? 0), 0) };
  });
  if (fault?.kind === "fewer") results.pop();
  results.sort((a, b) => b.relevance_score - a.relevance_score);
  exchange.answer(200, JSON_TYPE, JSON.stringify({ model: body.model, results, usage: { total_tokens: 8 } }));
}
