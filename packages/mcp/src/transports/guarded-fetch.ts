import { Readable } from "node:stream";
import { type Egress, EgressError } from "@harness/core";
import { AddressRefusedError, KeptConnections, sendHttp } from "@harness/host";
import type { McpFetch } from "../ports/pool-ports.ts";

/** Requests that go through the egress guard, with their shared connections. */
export type GuardedFetch = { fetch: McpFetch; close(): void };

/** Statuses whose responses have no body (https://fetch.spec.whatwg.org/#null-body-status). */
const WITHOUT_BODY = new Set([101, 103, 204, 205, 304]);

/** Follows no redirects: the SDK does, within an origin, and each passes here again. */
export function guardedFetch(egress: Egress): GuardedFetch {
  const kept = new KeptConnections();
  return { fetch: (url, init = {}) => sendGuarded({ egress, kept }, new URL(url), init), close: () => kept.close() };
}

async function sendGuarded(
  { egress, kept }: { egress: Egress; kept: KeptConnections },
  url: URL,
  init: RequestInit,
): Promise<Response> {
  const method = init.method ?? "GET";
  const decision = egress.leave({ purpose: "mcp", method, url: url.href });
  if ("refused" in decision) throw new EgressError(decision.refused);
  const body = init.body === undefined || init.body === null ? undefined : String(init.body);
  const request = {
    url,
    method,
    headers: Object.fromEntries(new Headers(init.headers)),
    ...(body !== undefined && { body }),
    signal: init.signal ?? new AbortController().signal,
    connection: decision.judge ? ("near" as const) : ("far" as const),
    kept,
    judge: decision.judge,
  };
  const response = await sendHttp(request).catch((error: unknown) => {
    throw error instanceof AddressRefusedError ? new EgressError(error.message) : error;
  });
  const { statusCode: status = 0, statusMessage: statusText = "" } = response;
  const headers = new Headers();
  for (const [name, values] of Object.entries(response.headersDistinct)) {
    for (const value of values ?? []) headers.append(name, value);
  }
  const isEmpty = WITHOUT_BODY.has(status) || method === "HEAD";
  if (isEmpty) response.resume();
  const stream = isEmpty ? null : (Readable.toWeb(response) as unknown as ReadableStream<Uint8Array>);
  return new Response(stream, { status, statusText, headers });
}
