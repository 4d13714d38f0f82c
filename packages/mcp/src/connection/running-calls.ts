import type { McpAnswer, McpAsk, McpQuestion, McpSample, McpSampled, McpSampling } from "../ports/people.ts";

/** A call that a server works on. */
export type RunningCall = {
  readonly tool: string;
  /** Answers the server's questions to the user in the meantime; undefined: the default handler. */
  readonly ask: McpAsk | undefined;
  /** Answers as a model in the meantime; undefined: nobody does. */
  readonly sample: McpSample | undefined;
  /** Stops the call's timeout meanwhile. */
  whileAsking<T>(ask: () => Promise<T>): Promise<T>;
};

/** A question without its call, which the protocol does not name. */
export type UnplacedQuestion =
  | Pick<McpQuestion & { kind: "form" }, "kind" | "message" | "schema">
  | Pick<McpQuestion & { kind: "url" }, "kind" | "message" | "url">;

/** The calls of one connection. A question of the server is attributed to the call that began last. */
export class RunningCalls {
  readonly #server: string;
  readonly #ask: McpAsk;
  readonly #calls = new Set<RunningCall>();
  #waiting: (() => void)[] = [];

  constructor(server: string, ask: McpAsk) {
    this.#server = server;
    this.#ask = ask;
  }

  begin(call: RunningCall): () => void {
    this.#calls.add(call);
    return () => {
      this.#calls.delete(call);
      if (this.#calls.size > 0) return;
      for (const resolve of this.#waiting.splice(0)) resolve();
    };
  }

  /** Resolves when none is running. */
  get idle(): Promise<void> {
    if (this.#calls.size === 0) return Promise.resolve();
    return new Promise((resolve) => this.#waiting.push(resolve));
  }

  ask(question: UnplacedQuestion, signal: AbortSignal): Promise<McpAnswer> {
    if (question.kind === "url" && !isOfWeb(question.url)) return Promise.resolve({ action: "decline" });
    const call = [...this.#calls].at(-1);
    if (!call) return this.#ask({ ...question, server: this.#server }, signal);
    const placed = { ...question, server: this.#server, tool: call.tool };
    return call.whileAsking(() => (call.ask ?? this.#ask)(placed, signal));
  }

  /** Outside a call it is unknown which session, and which model, a server means. */
  async sample(params: McpSampling["params"], signal: AbortSignal): Promise<McpSampled> {
    const call = [...this.#calls].at(-1);
    const { sample } = call ?? {};
    if (!call || !sample) return { refused: "A server is answered only while it works on a call" };
    return call.whileAsking(() => sample({ server: this.#server, params }, signal));
  }
}

/** Other addresses would open files, or programs on this machine. */
function isOfWeb(url: string): boolean {
  return URL.canParse(url) && /^https?:$/.test(new URL(url).protocol);
}
