import type {
  AgentCapabilities,
  AuthMethod,
  ClientCapabilities,
  InitializeRequest,
  InitializeResponse,
} from "@agentclientprotocol/sdk/unstable";

/** The version of the protocol that is spoken, whatever the client asked for: it closes if it cannot. */
const ACP_VERSION = 1;

/** Methods of the server's own protocol are called with this before their names. */
export const OWN_METHODS = "_harness/";

/** The method that `authenticate` takes. */
export const READY_MODEL = "ready-model";

const agentCapabilities: AgentCapabilities = {
  loadSession: true,
  promptCapabilities: { image: true, embeddedContext: true },
  auth: { status: {} },
  _meta: { harness: { methods: OWN_METHODS, steering: true, systemPrompt: true } },
  mcpCapabilities: { http: true, sse: true },
  sessionCapabilities: {
    list: {},
    delete: {},
    resume: {},
    close: {},
    fork: {},
    archive: {},
    status: {},
    title: {},
    systemPrompt: {},
    additionalDirectories: {},
  },
};

/** The answer to `initialize`. Nothing of the server is needed for it, so that a client does not wait. */
export function describeAgent({ clientCapabilities }: InitializeRequest, version: string): InitializeResponse {
  return {
    protocolVersion: ACP_VERSION,
    agentInfo: { name: "harness", title: "harness", version },
    agentCapabilities,
    authMethods: authMethods(clientCapabilities),
  };
}

/** The registry of agents wants at least one method without a terminal. */
function authMethods(client: ClientCapabilities | undefined): AuthMethod[] {
  const ready: AuthMethod = {
    id: READY_MODEL,
    name: "Use the model that is set up",
    description: "A local server that runs, a key, or a login. Set one up with: harness setup",
  };
  const setup: AuthMethod = {
    type: "terminal",
    id: "setup",
    name: "Set up a model",
    description: "Choose a local server, an API key, a login, an address or a file.",
    args: ["setup"],
  };
  return client?.auth?.terminal === true ? [ready, setup] : [ready];
}
