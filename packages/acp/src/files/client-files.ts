import { methods, RequestError } from "@agentclientprotocol/sdk/unstable";
import { type CallParams, type ClientMethods, MAX_BUFFER_CHARS, type Result } from "@harness/protocol";
import type { ClientPeer } from "../peer/client-peer.ts";
import type { ClientFolders } from "./client-folders.ts";

type ReadParams = CallParams<ClientMethods, "buffer/read">;
type WriteParams = CallParams<ClientMethods, "buffer/write">;
type WriteAnswer = Result<ClientMethods, "buffer/write">;
type ReadAnswer = Result<ClientMethods, "buffer/read">;

const MAX_REASON_CHARS = 300;

/** `resourceNotFound` and `methodNotFound`: the client has no such file open, or none at all. */
const NONE = new Set([-32002, -32601]);

/** The files that a client has open, for one session. */
export class ClientFiles {
  readonly #host: { peer(): ClientPeer };
  readonly #names: ClientFolders;

  constructor(host: { peer(): ClientPeer }, names: ClientFolders) {
    this.#host = host;
    this.#names = names;
  }

  async read({ sessionId, path }: ReadParams, signal: AbortSignal): Promise<ReadAnswer> {
    try {
      const answer = await this.#ask(
        methods.client.fs.readTextFile,
        { sessionId, path: this.#names.nameOf(path) },
        signal,
      );
      const text = contentOf(answer);
      if (text === undefined) return { missing: "failed" };
      return text.length > MAX_BUFFER_CHARS ? { missing: "too_large" } : { text };
    } catch (error) {
      const isNone = error instanceof RequestError && NONE.has(error.code);
      return { missing: isNone || signal.aborted ? "unknown" : "failed" };
    }
  }

  async write({ sessionId, path, text }: WriteParams, signal: AbortSignal): Promise<WriteAnswer> {
    const params = { sessionId, path: this.#names.nameOf(path), content: text };
    try {
      await this.#ask(methods.client.fs.writeTextFile, params, signal);
      return {};
    } catch (error) {
      return { problem: reasonOf(error).slice(0, MAX_REASON_CHARS) };
    }
  }

  #ask(method: string, params: object, signal: AbortSignal): Promise<unknown> {
    return this.#host.peer().request(method, params, { cancellationSignal: signal, stopWaitingOnCancel: true });
  }
}

/** Some clients put the reason into the details of an error. */
function reasonOf(error: unknown): string {
  if (!(error instanceof Error)) return "it gave no reason";
  const data = error instanceof RequestError ? error.data : undefined;
  const isDetailed = typeof data === "object" && data !== null && "details" in data && typeof data.details === "string";
  return isDetailed ? `${error.message}: ${data.details}` : error.message;
}

function contentOf(answer: unknown): string | undefined {
  if (typeof answer !== "object" || answer === null || !("content" in answer)) return undefined;
  return typeof answer.content === "string" ? answer.content : undefined;
}
