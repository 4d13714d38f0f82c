import type { Agent } from "node:http";

/** Connections that stay open between requests. They do not keep the process alive. */
export class KeptConnections {
  readonly #agents = new Map<string, Agent>();
  #isClosed = false;

  /** The agent for requests of one kind; undefined once closed: a late request gets its own connection. */
  agentFor(kind: string, create: () => Agent): Agent | undefined {
    if (this.#isClosed) return undefined;
    const agent = this.#agents.get(kind) ?? create();
    this.#agents.set(kind, agent);
    return agent;
  }

  /** Ends all of them, even if a request is still running. */
  close(): void {
    this.#isClosed = true;
    for (const agent of this.#agents.values()) agent.destroy();
    this.#agents.clear();
  }
}
