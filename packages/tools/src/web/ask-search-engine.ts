import { guardedExchange } from "./guarded-exchange.ts";
import { ACCEPTED_ENCODINGS, readBody } from "./read-body.ts";
import type { SearchEngine, SearchResult } from "./search-engines.ts";
import { formatHostPort, hostAndPort, readWebAddress } from "./web-address.ts";
import type { WebPorts } from "./web-ports.ts";

type SearchQuery = { query: string; count: number; signal: AbortSignal };

const MAX_ANSWER = 4 * 1024 * 1024;

/** One search. Rejects with Node's errors and the signal's reason. */
export async function askSearchEngine(
  engine: SearchEngine,
  { query, count, signal }: SearchQuery,
  ports: WebPorts,
): Promise<{ results: SearchResult[] } | { problem: string }> {
  const request = await engine.request(query, count);
  if ("problem" in request) return request;
  // The address comes from the user or from us, and the query was checked.
  const allowedPrivate = engine.isOwn ? [formatHostPort(hostAndPort(new URL(request.url)))] : [];
  const address = readWebAddress(engine.url, { allowedPrivate, isSecret: () => false });
  if ("problem" in address) return { problem: `${engine.name} cannot be asked. ${address.problem}` };
  const { headers, body } = request;
  const answer = await guardedExchange(
    {
      purpose: "web_search",
      method: engine.method,
      address: { ...address, url: new URL(request.url) },
      headers: {
        accept: "application/json",
        "accept-encoding": ACCEPTED_ENCODINGS,
        "user-agent": "harness",
        ...headers,
      },
      ...(body !== undefined && { body }),
      signal,
    },
    { ...ports, allowedPrivate },
  );
  if ("problem" in answer) return { problem: `${engine.name} cannot be asked. ${answer.problem}` };
  const { response } = answer;
  const status = response.statusCode ?? 0;
  const text = await readBody(response, MAX_ANSWER);
  if ("problem" in text) return { problem: `The answer of ${engine.name} was not read: ${text.problem}.` };
  if (status < 200 || status > 299) return { problem: `${engine.name} ${statusMessage(status, engine)}` };
  try {
    return { results: engine.read(JSON.parse(text.toString("utf8"))) };
  } catch {
    return { problem: `${engine.name} answered with something that is not JSON.${engine.isOwn ? ALLOW_JSON : ""}` };
  }
}

const ALLOW_JSON = " Its settings must list `json` among search.formats.";

function statusMessage(status: number, { isOwn }: SearchEngine): string {
  if (isOwn && status === 403) return `refused the search (status 403).${ALLOW_JSON}`;
  if (status === 401 || status === 403)
    return `does not accept the key (status ${status}). The person can set another.`;
  if (status === 429) return "accepts no more searches at the moment (status 429). Try again later.";
  return `answered with status ${status}.`;
}
