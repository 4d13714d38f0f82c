import {
  methods,
  type RequestPermissionRequest,
  type RequestPermissionResponse,
} from "@agentclientprotocol/sdk/unstable";
import type { ClientPeer } from "./client-peer.ts";

const WITHDRAWN: RequestPermissionResponse = { outcome: { outcome: "cancelled" } };

/** Asks the person at the client. */
export class ClientAsker {
  readonly #peer: ClientPeer;

  constructor(peer: ClientPeer) {
    this.#peer = peer;
  }

  /** Undefined if the client failed to ask. `signal` withdraws the question. */
  async choose(params: RequestPermissionRequest, signal: AbortSignal): Promise<RequestPermissionResponse | undefined> {
    try {
      const options = { cancellationSignal: signal, stopWaitingOnCancel: true };
      const answer = await this.#peer.request(methods.client.session.requestPermission, params, options);
      return isAnswer(answer) ? answer : undefined;
    } catch {
      return signal.aborted ? WITHDRAWN : undefined;
    }
  }
}

function isAnswer(answer: unknown): answer is RequestPermissionResponse {
  if (typeof answer !== "object" || answer === null || !("outcome" in answer)) return false;
  const { outcome } = answer;
  if (typeof outcome !== "object" || outcome === null || !("outcome" in outcome)) return false;
  return outcome.outcome === "cancelled" || ("optionId" in outcome && typeof outcome.optionId === "string");
}
