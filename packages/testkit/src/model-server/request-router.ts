import type { IncomingMessage, ServerResponse } from "node:http";
import { answerChat } from "./chat.ts";
import { answerEmbeddings, embeddingForm } from "./embeddings/answer-embeddings.ts";
import { answerRerank, isRerankPath } from "./embeddings/answer-rerank.ts";
import { type Flavour, flavourRows, formatOfPath } from "./flavours/flavour.ts";
import { ServedModels } from "./flavours/served-models.ts";
import { statusError, unknownPath } from "./flavours/vendor-errors.ts";
import { Gate, HttpExchange } from "./http/exchange.ts";
import { RequestJournal, type RequestRecord, redactedHeaders } from "./http/journal.ts";
import { ModelSlots } from "./http/slots.ts";
import { answerLoading } from "./info/lmstudio-load.ts";
import { answerInfo } from "./info/local-info.ts";
import { answerPull } from "./info/ollama-pull.ts";
import { EmbeddingPlayer } from "./story/embedding-player.ts";
import { readScenario } from "./story/scenario.ts";
import { ScenarioPlayer } from "./story/scenario-player.ts";
import type { ServerState } from "./wires/wire.ts";

export interface BackstageOptions {
  scenario: unknown;
  flavour: Flavour;
  variables?: Record<string, string>;
  apiKey?: string;
  forgetful?: boolean;
  log?: (line: string) => void;
}

/** Everything in a model server behind its socket. */
export class RequestRouter {
  readonly journal = new RequestJournal();
  readonly gate = new Gate();
  readonly #options: BackstageOptions;
  readonly #flavour: Flavour;
  #state: ServerState;
  #count = 0;

  constructor(options: BackstageOptions) {
    this.#options = options;
    this.#flavour = options.flavour;
    this.#state = this.#newState(options.scenario);
  }

  play(scenario: unknown): void {
    this.#state = this.#newState(scenario);
  }

  #newState(input: unknown): ServerState {
    const reading = readScenario(input);
    if (!reading.ok) throw new Error(reading.problem);
    const { scenario } = reading;
    return {
      flavour: this.#flavour,
      served: new ServedModels(scenario, this.#flavour),
      player: new ScenarioPlayer(scenario),
      slots: new ModelSlots(),
      embeddings: new EmbeddingPlayer(scenario.embeddings),
      variables: this.#options.variables ?? {},
    };
  }

  async serve(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const receivedAtMs = performance.now();
    const bytes = await readAll(request);
    if (bytes === undefined) return;
    const path = request.url ?? "/";
    if (path.startsWith("/__")) {
      const { status, value } = this.#control(`${request.method} ${path}`, bytes);
      response.writeHead(status, { "content-type": "application/json; charset=utf-8" }).end(JSON.stringify(value));
      return;
    }
    const route = path.split("?", 1)[0] ?? path;
    const format = request.method === "POST" ? formatOfPath(this.#flavour, route) : undefined;
    this.#count += 1;
    const record: RequestRecord = {
      number: this.#count,
      method: request.method ?? "",
      path,
      headers: redactedHeaders(request.headers),
      body: parsed(bytes),
      bodyBytes: bytes.length,
      receivedAtMs,
      chat: format !== undefined,
      sentBytes: 0,
      state: "open",
      aborted: false,
    };
    const exchange = new HttpExchange({ request, response }, record, this.journal, this.gate);
    response.once("close", () => {
      this.#options.log?.(logLine(record));
      if (this.#options.forgetful) record.body = undefined;
    });
    this.journal.add(record);
    if (!this.#admits(request, route)) {
      const dialect = format === "ollama" ? "string" : flavourRows[this.#flavour].errors;
      const { status, body } = statusError(dialect, 401);
      return exchange.answer(status, { "content-type": "application/json" }, body);
    }
    if (format !== undefined) return answerChat(this.#state, format, exchange);
    const embedding = request.method === "POST" ? embeddingForm(this.#state, route) : undefined;
    if (embedding !== undefined) return answerEmbeddings(this.#state, embedding, exchange);
    if (request.method === "POST" && isRerankPath(this.#state, route)) return answerRerank(this.#state, exchange);
    if (this.#flavour === "ollama" && request.method === "POST" && route === "/api/pull")
      return answerPull(this.#state, exchange);
    if (
      this.#flavour === "lmstudio" &&
      request.method === "POST" &&
      (await answerLoading(this.#state, exchange, route))
    )
      return;
    this.#answerInfo(exchange, route);
  }

  #admits(request: IncomingMessage, route: string): boolean {
    const { apiKey } = this.#options;
    const open = route === "/" || route.endsWith("/health");
    if (apiKey === undefined || open) return true;
    const { authorization, "x-api-key": key } = request.headers;
    return authorization === `Bearer ${apiKey}` || (flavourRows[this.#flavour].wire === "anthropic" && key === apiKey);
  }

  #answerInfo(exchange: HttpExchange, path: string): void {
    const { record } = exchange;
    const { served, slots } = this.#state;
    const headers = flavourRows[this.#flavour].headers;
    const found = answerInfo(record.method, { served, slots, flavour: this.#flavour, path, body: record.body });
    const { status, contentType, body } = found ?? unknownPath(this.#flavour, record.method, path);
    exchange.answer(status, { ...headers, "content-type": contentType }, body);
  }

  /** For processes that cannot call `ModelServer`. */
  #control(request: string, bytes: Buffer): { status: number; value: unknown } {
    switch (request) {
      case "GET /__journal":
        return { status: 200, value: { requests: this.journal.records } };
      case "POST /__release":
        this.gate.release();
        return { status: 200, value: {} };
      case "POST /__scenario":
        try {
          this.play(parsed(bytes));
          return { status: 200, value: {} };
        } catch (error) {
          return { status: 400, value: { error: error instanceof Error ? error.message : String(error) } };
        }
      default: {
        const error = `${request}: there are GET /__journal, POST /__release and POST /__scenario.`;
        return { status: 404, value: { error } };
      }
    }
  }

  /** A bug of this server must fail the test that meets it, not the process. */
  broken(error: unknown, response: ServerResponse): void {
    const problem = error instanceof Error ? (error.stack ?? error.message) : String(error);
    const record = this.journal.records.at(-1);
    if (record !== undefined) record.problem = problem;
    if (!response.headersSent) response.writeHead(500);
    response.end(problem);
  }
}

/** Undefined if the client left before its request was complete. */
async function readAll(request: IncomingMessage): Promise<Buffer | undefined> {
  const chunks: Buffer[] = [];
  try {
    for await (const chunk of request) chunks.push(chunk as Buffer);
  } catch {
    return undefined;
  }
  return Buffer.concat(chunks);
}

function parsed(bytes: Buffer): unknown {
  if (bytes.length === 0) return undefined;
  const text = bytes.toString();
  try {
    return JSON.parse(text);
  } catch {
    return text;
  }
}

function logLine(record: RequestRecord): string {
  const turn = record.lane === undefined ? "" : `, ${record.lane} turn ${(record.turnIndex ?? 0) + 1}`;
  const attempt = (record.attempt ?? 1) > 1 ? ` attempt ${record.attempt}` : "";
  const fault = record.fault === undefined ? "" : `, fault ${record.fault}`;
  const aborted = record.aborted ? ", the client left" : "";
  const problem = record.problem === undefined ? "" : `\n   ${record.problem}`;
  const ms = Math.round((record.lastByteAtMs ?? record.receivedAtMs) - record.receivedAtMs);
  const head = `#${record.number} ${record.method} ${record.path} ${record.status ?? "-"}`;
  return `${head}${turn}${attempt}${fault}${aborted}, ${record.sentBytes} bytes in ${ms} ms${problem}`;
}
