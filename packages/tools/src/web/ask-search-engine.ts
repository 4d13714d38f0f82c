import { guardedExchange } from "./guarded-exchange.ts";
import { ACCEPTED_ENCODINGS, readBody } from "./read-body.ts";
import type { Searcher, SearchResult } from "./search-engines.ts";
import { placeOf, readWebAddress } from "./web-address.ts";
import type { WebPorts } from "./web-ports.ts";

type Asked = { query: string; count: number; signal: AbortSignal };

const MAX_ANSWER = 4 * 1024 * 1024;

/** One search. Rejects with Node's errors and the signal's reason. */
export async function askSearcher(
  searcher: Searcher,
  { query, count, signal }: Asked,
  ports: WebPorts,
): Promise<{ results: SearchResult[] } | { problem: string }> {
  const request = await searcher.request(query, count);
  if ("problem" in request) return request;
  // The address is the person's or ours, and the query was looked at.
  const allowedPrivate = searcher.isOwn ? [placeOfUrl(request.url)] : [];
  const address = readWebAddress(searcher.url, { allowedPrivate, isSecret: () => false });
  if ("problem" in address) return { problem: `${searcher.name} cannot be asked. ${address.problem}` };
  const { headers, body } = request;
  const answer = await guardedExchange(
    {
      purpose: "web_search",
      method: searcher.method,
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
  if ("problem" in answer) return { problem: `${searcher.name} cannot be asked. ${answer.problem}` };
  const { response } = answer;
  const status = response.statusCode ?? 0;
  const text = await readBody(response, MAX_ANSWER);
  if ("problem" in text) return { problem: `The answer of ${searcher.name} was not read: ${text.problem}.` };
  if (status < 200 || status > 299) return { problem: `${searcher.name} ${statusWords(status, searcher)}` };
  try {
    return { results: searcher.read(JSON.parse(text.toString("utf8"))) };
  } catch {
    return { problem: `${searcher.name} answered with something that is not JSON.${searcher.isOwn ? ALLOW_JSON : ""}` };
  }
}

const ALLOW_JSON = " Its settings must list `json` among search.formats.";

function statusWords(status: number, { isOwn }: Searcher): string {
  if (isOwn && status === 403) return `refused the search (status 403).${ALLOW_JSON}`;
  if (status === 401 || status === 403)
    return `does not take the key (status ${status}). The person can set another one.`;
  if (status === 429) return "takes no more searches at the moment (status 429). Try again later.";
  return `answered with status ${status}.`;
}

function placeOfUrl(text: string): string {
  const url = new URL(text);
  const host = url.hostname.startsWith("[") ? url.hostname.slice(1, -1) : url.hostname.replace(/\.$/, "");
  return placeOf({ url, host, port: Number(url.port || (url.protocol === "https:" ? 443 : 80)), isPrivateName: false });
}
