import { type CreateElicitationRequest, methods } from "@agentclientprotocol/sdk/unstable";
import type { Question, QuestionAnswer } from "@harness/client";
import type { ClientPeer } from "../peer/client-peer.ts";
import { questionWords } from "./person-questions.ts";

type LinkedQuestion = { question: Question; url: string; sessionId: string; signal: AbortSignal };

/** Questions show no more of an address. */
const MAX_ADDRESS = 2_000;

/**
 * The address of a question that a client may open; undefined if there is none, or it is of no browser, cannot be shown
 * whole, or begins with a name that hides its host, as `https://github.com@example.com` does.
 */
export function webAddress({ url = "" }: Pick<Question, "url">): string | undefined {
  const read = URL.canParse(url) ? new URL(url) : undefined;
  if (!read || (read.protocol !== "https:" && read.protocol !== "http:")) return undefined;
  const isClear = read.username === "" && read.password === "" && read.href.length <= MAX_ADDRESS;
  return isClear ? read.href : undefined;
}

/** Has the client open addresses, such as those of logins, and tells it when the work that needed them is over. */
export class AddressAsker {
  readonly #peer: ClientPeer;
  readonly #opened = new Set<string>();

  constructor(peer: ClientPeer) {
    this.#peer = peer;
  }

  async ask({ question, url, sessionId, signal }: LinkedQuestion): Promise<QuestionAnswer> {
    const { elicitationId, options } = question;
    const message = questionWords(question);
    const params: CreateElicitationRequest = { mode: "url", sessionId, elicitationId, url, message };
    const asked = { cancellationSignal: signal, stopWaitingOnCancel: true };
    const answer = await this.#peer.request(methods.client.elicitation.create, params, asked).catch(() => undefined);
    const action = typeof answer === "object" && answer !== null && "action" in answer ? answer.action : undefined;
    if (signal.aborted || action === "cancel") return { action: "cancel" };
    const [opened] = options;
    if (action !== "accept" || !opened) return { action: "decline" };
    this.#opened.add(elicitationId);
    return { action: "accept", optionId: opened.optionId };
  }

  /** The turn or the command that asked has ended. */
  ended(): void {
    for (const elicitationId of this.#opened)
      this.#peer.notify(methods.client.elicitation.complete, { elicitationId }).catch(() => undefined);
    this.#opened.clear();
  }
}
