import type { Clock, RerankAnswer, Reranker } from "@harness/core";
import { answerText } from "../embed/answer-text.ts";
import { tryParseJson } from "../json/lenient-json.ts";
import type { Endpoint } from "../wires/endpoint/endpoint.ts";
import { explain, WrongApiError } from "../wires/failures/failure.ts";
import { Exchange, HttpError } from "../wires/http/exchange.ts";
import { RequestAccess } from "../wires/http/request-access.ts";
import { openAiClient } from "../wires/openai/openai-client.ts";
import { type RerankForm, rerankForms, scoresIn } from "./rerank-forms.ts";

type EndpointRerankerOptions = { endpoint: Endpoint; model: string; clock: Clock };

/** A form that the server does not have, or that lacks what it wants. */
const REFUSALS = [400, 404, 405, 422];

/** The reranking of a server. */
export class EndpointReranker implements Reranker {
  readonly name: string;
  readonly leavesTo?: string;
  readonly #options: EndpointRerankerOptions;
  /** The form that the server has taken. */
  #form: RerankForm | undefined;

  constructor(options: EndpointRerankerOptions) {
    const { endpoint, model } = options;
    this.#options = options;
    this.name = `${endpoint.vendor.id}/${model}`;
    if (!endpoint.near) this.leavesTo = endpoint.shown;
  }

  async score(question: string, texts: readonly string[], signal: AbortSignal): Promise<RerankAnswer> {
    const { endpoint, model, clock } = this.#options;
    const access = new RequestAccess(endpoint, signal);
    let first: unknown;
    for (const form of this.#form ? [this.#form] : rerankForms) {
      try {
        const answer = await this.#ask(form, { question, texts }, { access, signal });
        const scores = scoresIn(answer, texts.length);
        if (!scores) throw new WrongApiError("JSON without a score for each text");
        this.#form = form;
        return { scores };
      } catch (error) {
        // The second form is a guess: what the server says to the first one is what the person must know.
        first ??= error;
        if (!(error instanceof HttpError && REFUSALS.includes(error.status))) break;
      }
    }
    if (signal.aborted) return { problem: "The request was stopped." };
    return { problem: problemOf(first, { endpoint, model, now: clock.now(), secret: access.secret }) };
  }

  async #ask(
    form: RerankForm,
    request: { question: string; texts: readonly string[] },
    { access, signal }: { access: RequestAccess; signal: AbortSignal },
  ): Promise<unknown> {
    const { endpoint, model, clock } = this.#options;
    const body = form.body({ model, ...request });
    for (;;) {
      const exchange = new Exchange(endpoint, clock, { signal });
      let allRead = false;
      try {
        const text = await answerText(exchange, access, async (send) => {
          const client = await openAiClient(endpoint, send);
          return client.post(form.url(endpoint.baseUrl), { body }).asResponse();
        });
        allRead = true;
        const parsed = tryParseJson(text);
        if (!parsed.ok) throw new WrongApiError("incomplete JSON");
        return parsed.value;
      } catch (error) {
        const cause = exchange.problem ?? error;
        if (!(await access.isRenewedAfter(cause))) throw cause;
      } finally {
        await exchange.close({ allRead });
      }
    }
  }
}

type FailedRerank = { endpoint: Endpoint; model: string; now: number; secret: string | undefined };

function problemOf(cause: unknown, { endpoint, model, now, secret }: FailedRerank): string {
  if (cause instanceof HttpError && (cause.status === 404 || cause.status === 405)) {
    return `${endpoint.vendor.name} at ${endpoint.shown} does not rerank with ${model} (${cause.status}). Start its server for reranking (llama.cpp: --reranking), or name another model in \`reranker\`.`;
  }
  return explain(cause, { endpoint, model, now }, secret).failure.message;
}
