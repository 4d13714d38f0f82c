import type { IncomingMessage } from "node:http";
import { guardedExchange } from "./guarded-exchange.ts";
import { ACCEPTED_ENCODINGS, readBody } from "./read-body.ts";
import { formatHostPort, readWebAddress, type WebAddress } from "./web-address.ts";
import type { WebPorts } from "./web-ports.ts";

export type WebPage = { url: string; status: number; contentType: string; body: Buffer };
/** `moved`: the page is now at another host, which is not allowed yet. The problem completes "Cannot fetch …: ". */
export type FetchedPage = { page: WebPage } | { moved: string } | { problem: string };

const MAX_HOPS = 5;
const HEADERS = {
  accept:
    "text/markdown, text/html;q=0.9, application/xhtml+xml;q=0.9, text/plain;q=0.8, application/json;q=0.8, */*;q=0.1",
  "accept-encoding": ACCEPTED_ENCODINGS,
  "user-agent": "harness",
};
const REDIRECTS: ReadonlySet<number> = new Set([301, 302, 303, 307, 308]);

/** Fetches a page of text, following redirects on the same host. Rejects with Node's errors and the signal's reason. */
export async function fetchPage(url: string, ports: WebPorts, signal: AbortSignal): Promise<FetchedPage> {
  const rules = { allowedPrivate: ports.allowedPrivate(), isSecret: ports.isSecret };
  const first = readWebAddress(url, rules);
  if ("problem" in first) return first;
  let address: WebAddress = first;
  for (let hop = 0; ; hop += 1) {
    const request = { purpose: "web_fetch", method: "GET", address, headers: HEADERS, signal } as const;
    const answer = await guardedExchange(request, { ...ports, ...rules });
    if ("problem" in answer) return answer;
    const { response } = answer;
    const { location } = response.headers;
    const status = response.statusCode ?? 0;
    if (!REDIRECTS.has(status) || location === undefined) return readPage(response, address.url.href, status);
    response.destroy();
    if (hop === MAX_HOPS) return { problem: `It redirects more than ${MAX_HOPS} times.` };
    const next = redirectTarget(location, address, rules);
    if ("problem" in next || "moved" in next) return next;
    address = next;
  }
}

type Rules = Parameters<typeof readWebAddress>[1];

/** Resolves a redirect if it may be followed: only within the same host and port, or from http to https there. */
export function redirectTarget(
  location: string,
  from: WebAddress,
  rules: Rules,
): WebAddress | { moved: string } | { problem: string } {
  if (!URL.canParse(location, from.url.href)) return { problem: "It redirects to something that is not an address." };
  const target = new URL(location, from.url.href);
  const next = readWebAddress(target.href, rules);
  if ("problem" in next) return { problem: `It redirects to another address. ${next.problem}` };
  if (from.url.protocol === "https:" && next.url.protocol !== "https:") {
    return {
      problem: `It redirects from https to http (${next.url.origin}), where others can read along. That was not followed.`,
    };
  }
  const isUpgrade = from.host === next.host && from.port === 80 && next.port === 443;
  return isUpgrade || formatHostPort(from) === formatHostPort(next) ? next : { moved: next.url.href };
}

async function readPage(response: IncomingMessage, url: string, status: number): Promise<FetchedPage> {
  const contentType = (response.headers["content-type"] ?? "").trim();
  if (!isText(contentType)) {
    response.destroy();
    const name = contentType.split(";")[0]?.slice(0, 60);
    return { problem: `It is not text (${name}), so it was not read. Download it with a command if you need it.` };
  }
  const body = await readBody(response);
  if ("problem" in body) return { problem: `It was not read: ${body.problem}.` };
  if (body.subarray(0, 1024).includes(0) && !/charset=utf-?16/i.test(contentType) && !hasWideMark(body)) {
    return { problem: "It is not text, although its server says so. Download it with a command if you need it." };
  }
  return { page: { url, status, contentType, body } };
}

/** Without a content type, the content decides. */
function isText(contentType: string): boolean {
  const type = contentType.split(";")[0]?.trim().toLowerCase() ?? "";
  return (
    type === "" ||
    type.startsWith("text/") ||
    /^application\/([\w.-]+\+)?(json|xml|yaml|x-yaml|toml|javascript|ecmascript|x-javascript|x-sh|x-ndjson|jsonlines|sql|graphql|typescript|rtf|x-httpd-php|x-python|xhtml)$/.test(
      type,
    ) ||
    /^(application\/(xhtml|rss|atom)\+xml|image\/svg\+xml|message\/rfc822)$/.test(type)
  );
}

function hasWideMark(body: Buffer): boolean {
  return (body[0] === 0xff && body[1] === 0xfe) || (body[0] === 0xfe && body[1] === 0xff);
}
