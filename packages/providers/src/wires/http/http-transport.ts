import type { IncomingMessage } from "node:http";
import { type Egress, EgressError } from "@harness/core";
import { AddressRefusedError, type HttpRequest as HostRequest, sendHttp as send } from "@harness/host";

type OutgoingRequest = Pick<HostRequest, "url" | "method" | "headers" | "body" | "signal" | "kept" | "onConnect"> & {
  /** The purpose in one word, for the list of outgoing requests. */
  purpose: string;
  /** Absent: it may go anywhere, and is not listed. */
  egress?: Egress | undefined;
  /** Nearby servers are never behind a proxy. */
  near: boolean;
};

/** Resolves when the headers have arrived. Rejects with Node's error, the signal's reason, or `EgressError`. */
export async function sendRequest({ egress, purpose, near, ...request }: OutgoingRequest): Promise<IncomingMessage> {
  const decision = egress?.leave({ purpose, method: request.method, url: request.url.href }) ?? {};
  if ("refused" in decision) throw new EgressError(decision.refused);
  try {
    return await send({ ...request, connection: near || decision.judge ? "near" : "far", judge: decision.judge });
  } catch (error) {
    throw error instanceof AddressRefusedError ? new EgressError(error.message) : error;
  }
}
