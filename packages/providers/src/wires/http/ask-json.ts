import type { IncomingMessage } from "node:http";
import type { Clock } from "@harness/core";
import type { Endpoint } from "../endpoint/endpoint.ts";
import { TooLongError } from "../reply/too-long.ts";
import { HttpError, RequestTimeoutError } from "./exchange.ts";
import { sendRequest } from "./http-transport.ts";
import { sentUrl } from "./sent-url.ts";

const MAX_ANSWER = 32 * 1024 * 1024;
const MAX_LINE = 1024 * 1024;

export type JsonQuestion = { url: string; body?: unknown; signal: AbortSignal; onConnect?(): void };

/** Asks a server about itself. Rejects with errors that `explain` understands, or a SyntaxError if it is not JSON. */
export async function askJson(endpoint: Endpoint, question: JsonQuestion): Promise<unknown> {
  const response = await send(endpoint, { purpose: "models", ...question });
  return JSON.parse(await wholeText(response));
}

/** Requests work that a server reports on in lines of JSON, as long as it takes. Rejects as `askJson` does. */
export async function* askLines(endpoint: Endpoint, question: JsonQuestion): AsyncGenerator<unknown> {
  const response = await send(endpoint, { purpose: "pull", ...question });
  const decoder = new TextDecoder();
  let rest = "";
  for await (const piece of response) {
    const lines = `${rest}${decoder.decode(piece, { stream: true })}`.split("\n");
    rest = lines.pop() ?? "";
    if (rest.length > MAX_LINE) throw new TooLongError("a line", MAX_LINE);
    for (const line of lines) if (line.trim() !== "") yield JSON.parse(line);
  }
  if (rest.trim() !== "") yield JSON.parse(rest);
}

async function send(endpoint: Endpoint, question: JsonQuestion & { purpose: string }): Promise<IncomingMessage> {
  const body = question.body === undefined ? undefined : JSON.stringify(question.body);
  const response = await sendRequest({
    purpose: question.purpose,
    egress: endpoint.egress,
    url: sentUrl(question.url, endpoint),
    method: body === undefined ? "GET" : "POST",
    headers: {
      accept: "application/json",
      "user-agent": "harness",
      ...(body !== undefined && { "content-type": "application/json" }),
      ...credentialsOf(endpoint),
      ...endpoint.headers,
    },
    ...(body !== undefined && { body }),
    signal: question.signal,
    near: endpoint.near,
    kept: endpoint.connections,
    ...(question.onConnect && { onConnect: question.onConnect }),
  });
  const status = response.statusCode ?? 0;
  if (status >= 200 && status <= 299) return response;
  const text = await wholeText(response);
  const { location } = response.headers;
  throw new HttpError(status, location === undefined ? {} : { location }, text, body?.length ?? 0);
}

async function wholeText(response: IncomingMessage): Promise<string> {
  const pieces: Buffer[] = [];
  let bytes = 0;
  for await (const piece of response) {
    pieces.push(piece);
    bytes += piece.length;
    if (bytes > MAX_ANSWER) throw new TooLongError("an answer", MAX_ANSWER);
  }
  return Buffer.concat(pieces).toString("utf8");
}

function credentialsOf({ api, key }: Endpoint): Record<string, string> {
  if (api === "anthropic") return { "anthropic-version": "2023-06-01", ...(key !== undefined && { "x-api-key": key }) };
  return key === undefined ? {} : { authorization: `Bearer ${key}` };
}

/**
 * Runs a task with a time limit: at the limit its signal aborts and its awaits reject. `more` is asked once, when time
 * is up, how much longer the task may take.
 */
export async function withTimeout<T>(
  clock: Clock,
  limitMs: number,
  task: (signal: AbortSignal) => Promise<T>,
  more: () => number = () => 0,
): Promise<T> {
  const late = new AbortController();
  const done = new AbortController();
  const watch = async () => {
    await clock.sleep(limitMs, done.signal);
    const moreMs = done.signal.aborted ? 0 : more();
    if (moreMs > 0) await clock.sleep(moreMs, done.signal);
    if (!done.signal.aborted) late.abort(new RequestTimeoutError("answer", limitMs + moreMs));
  };
  const watching = watch();
  try {
    return await task(late.signal);
  } finally {
    // Passes a reason because the platform would otherwise build an error with a stack each time.
    done.abort("done");
    await watching;
  }
}
