import type {
  AuthenticateRequest,
  AuthenticateResponse,
  AuthStatusResponse,
  ClientCapabilities,
  InitializeRequest,
  InitializeResponse,
} from "@agentclientprotocol/sdk/unstable";
import type { AcpDeps } from "../acp-deps.ts";
import type { ClientPeer } from "../peer/client-peer.ts";
import { authRequired, invalidParams } from "../peer/request-failure.ts";
import type { AgentServer } from "../sessions/agent-server.ts";
import { describeAgent, READY_MODEL } from "./agent-description.ts";

type AgentDeps = Pick<AcpDeps, "version" | "openServer" | "log">;

/** A client that only asks what there is has left by then: loading the server would keep the process for its time. */
const LOAD_AFTER_MS = 20;

/** The agent at this end of a connection. It answers `initialize` at once; the server behind it is loaded meanwhile. */
export class AcpAgent {
  readonly #deps: AgentDeps;
  #peer: ClientPeer | undefined;
  #capabilities: ClientCapabilities = {};
  #loading: NodeJS.Timeout | undefined;
  #opening: Promise<AgentServer> | undefined;
  /** Undefined until it is loaded: there are no sessions before. */
  #server: AgentServer | undefined;

  constructor(deps: AgentDeps) {
    this.#deps = deps;
  }

  connected(peer: ClientPeer): void {
    this.#peer = peer;
  }

  initialize(params: InitializeRequest): InitializeResponse {
    this.#capabilities = params.clientCapabilities ?? {};
    // A failure is the answer to the first request that needs the server.
    this.#loading = setTimeout(() => void this.server().catch(() => undefined), LOAD_AFTER_MS);
    return describeAgent(params, this.#deps.version);
  }

  async authenticate({ methodId }: AuthenticateRequest): Promise<AuthenticateResponse> {
    if (methodId !== READY_MODEL) throw invalidParams(`There is no such way to log in: ${methodId}.`);
    const { client } = await this.server();
    const { selected, advice = [] } = await client.call("providers/list", {});
    if (!selected) throw authRequired(["No model is ready.", ...advice].join(" "));
    return {};
  }

  /** Keys and logins belong to harness, which may have several: whether a model is ready is what a client can act on. */
  async authStatus(): Promise<AuthStatusResponse> {
    const { client } = await this.server();
    const { selected } = await client.call("providers/list", {});
    return { state: selected ? "authenticated" : "unauthenticated" };
  }

  server(): Promise<AgentServer> {
    this.#opening ??= this.#open();
    return this.#opening;
  }

  /** Stops all work and stores it. Never rejects. */
  async shutdown(): Promise<void> {
    clearTimeout(this.#loading);
    // Before it is there, nothing has begun.
    await this.#server?.shutdown().catch((error: unknown) => this.#deps.log(`harness acp: ${String(error)}\n`));
  }

  async #open(): Promise<AgentServer> {
    const { openAgentServer } = await import("../sessions/agent-server.ts");
    this.#server = await openAgentServer({
      ...this.#deps,
      peer: () => this.#need(),
      capabilities: () => this.#capabilities,
    });
    return this.#server;
  }

  #need(): ClientPeer {
    if (!this.#peer) throw new Error("The connection is not open.");
    return this.#peer;
  }
}
