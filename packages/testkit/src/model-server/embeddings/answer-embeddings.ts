import { errorJson } from "../flavours/error-dialect.ts";
import { flavourRows } from "../flavours/flavour.ts";
import { statusError } from "../flavours/vendor-errors.ts";
import type { HttpExchange } from "../http/exchange.ts";
import { asArray, asObject, textValue } from "../story/conversation.ts";
import { concerns, type EmbeddingFault } from "../story/embedding-player.ts";
import type { ServerState } from "../wires/wire.ts";
import { wordVector } from "./word-vector.ts";

type EmbeddingForm = "ollama" | "openai";

const JSON_TYPE = { "content-type": "application/json" };

/** The form of a path for embeddings; undefined: it is none of this server's. */
export function embeddingForm({ flavour }: ServerState, route: string): EmbeddingForm | undefined {
  if (flavour === "ollama" && route === "/api/embed") return "ollama";
  const { wire, basePath } = flavourRows[flavour];
  const hasThem = flavour === "ollama" || (wire !== "anthropic" && wire !== "ollama");
  return hasThem && (route === `${basePath}/embeddings` || route === "/v1/embeddings") ? "openai" : undefined;
}

/** Ollama's docs/api.md, "Generate Embeddings", and OpenAI's API reference, "Create embeddings". */
export async function answerEmbeddings(state: ServerState, form: EmbeddingForm, exchange: HttpExchange): Promise<void> {
  const body = asObject(exchange.record.body);
  const texts = typeof body.input === "string" ? [body.input] : asArray(body.input).map(textValue);
  const refusal = refusalOf(state, form, { body, texts });
  if (refusal)
    return exchange.answer(refusal.status, JSON_TYPE, errorJson(dialectOf(state, form), refusal.status, refusal));
  const fault = state.embeddings.faultFor(texts);
  if (fault) exchange.record.fault = fault.kind;
  if (fault?.kind === "hang") await exchange.hang();
  if (fault?.kind === "status" || fault?.kind === "nan") return answerStatus(state, form, exchange, fault);
  const { dimensions } = state.embeddings.settings;
  const vectors = texts.map((text) => faultyVector(text, dimensions, fault));
  if (fault?.kind === "fewer") vectors.pop();
  const answer = form === "ollama" ? ollamaAnswer(body, vectors) : openAiAnswer(body, vectors);
  await deliver(exchange, JSON.stringify(answer), fault);
}

function refusalOf(
  { served, embeddings: { settings } }: ServerState,
  form: EmbeddingForm,
  { body, texts }: { body: Record<string, unknown>; texts: string[] },
): { status: number; message: string } | undefined {
  const model = textValue(body.model);
  if (!served.find(model)) {
    const message =
      form === "ollama" ? `model "${model}" not found, try pulling it first` : `The model \`${model}\` does not exist.`;
    return { status: 404, message };
  }
  if (form === "openai" && (texts.length === 0 || texts.includes(""))) {
    return {
      status: 400,
      message: "'$.input' is invalid. Please check the API reference: https://platform.openai.com/docs/api-reference.",
    };
  }
  if (settings.plain && body.encoding_format !== undefined) {
    return { status: 400, message: "Unsupported parameter: encoding_format" };
  }
  if (settings.maxTexts !== undefined && texts.length > settings.maxTexts) {
    return { status: 422, message: `batch size ${texts.length} > maximum allowed batch size ${settings.maxTexts}` };
  }
  const longest = Math.max(0, ...texts.map((text) => text.length));
  if (settings.maxChars === undefined || longest <= settings.maxChars) return undefined;
  const isOllama = form === "ollama";
  return isOllama
    ? { status: 400, message: "the input length exceeds the context length" }
    : { status: 500, message: `input (${longest} tokens) is too large to process. increase the physical batch size` };
}

function answerStatus(
  state: ServerState,
  form: EmbeddingForm,
  exchange: HttpExchange,
  fault: Extract<EmbeddingFault, { kind: "status" | "nan" }>,
): void {
  const isNan = fault.kind === "nan";
  const message = isNan ? "failed to encode response: json: unsupported value: NaN" : fault.message;
  const { status, body } = statusError(dialectOf(state, form), isNan ? 500 : fault.status, message);
  const headers: Record<string, string> = { ...JSON_TYPE };
  if (!isNan && fault.retryAfter !== undefined) headers["retry-after"] = String(fault.retryAfter);
  exchange.answer(status, headers, body);
}

function dialectOf({ flavour }: ServerState, form: EmbeddingForm) {
  return form === "ollama" ? "string" : flavourRows[flavour].errors;
}

function faultyVector(text: string, dimensions: number, fault: EmbeddingFault | undefined): (number | null)[] {
  if (!fault || !concerns(fault, text)) return wordVector(text, dimensions);
  if (fault.kind === "dimensions") return wordVector(text, fault.dimensions);
  const vector = wordVector(text, dimensions);
  if (fault.kind === "zeros") return vector.map(() => 0);
  return fault.kind === "null" ? [null, ...vector.slice(1)] : vector;
}

function ollamaAnswer(body: Record<string, unknown>, embeddings: (number | null)[][]) {
  return { model: body.model, embeddings, total_duration: 14_143_917, load_duration: 1_019_500, prompt_eval_count: 8 };
}

function openAiAnswer(body: Record<string, unknown>, vectors: (number | null)[][]) {
  const isBase64 = body.encoding_format === "base64" && vectors.every((vector) => !vector.includes(null));
  const data = vectors.map((vector, index) => ({
    object: "embedding",
    index,
    embedding: isBase64 ? Buffer.from(Float32Array.from(vector, Number).buffer).toString("base64") : vector,
  }));
  return { object: "list", data, model: body.model, usage: { prompt_tokens: 8, total_tokens: 8 } };
}

async function deliver(exchange: HttpExchange, text: string, fault: EmbeddingFault | undefined): Promise<void> {
  const half = text.slice(0, Math.floor(text.length / 2));
  if (fault?.kind === "cut") return exchange.answer(200, JSON_TYPE, half);
  if (fault?.kind !== "disconnect") return exchange.answer(200, JSON_TYPE, text);
  exchange.start(200, { ...JSON_TYPE, "content-length": String(Buffer.byteLength(text)) });
  await exchange.write(Buffer.from(half));
  await exchange.cut("reset");
}
