import { pathToFileURL } from "node:url";
import { checkableSchema } from "@harness/core";
import { isRecord } from "@harness/host";
import type { Client, ClientCapabilities, ClientOptions, jsonSchemaValidator } from "@modelcontextprotocol/client";
import type { McpPeople } from "../ports/people.ts";
import type { Sdk } from "../ports/sdk.ts";
import type { RunningCalls } from "./running-calls.ts";
import type { ServerLog } from "./server-log.ts";

export type McpClientDeps = {
  sdk: Sdk;
  identity: { name: string; version: string };
  people: McpPeople;
  /** True if it may ask for answers of the user's model. */
  maySample: boolean;
  calls: RunningCalls;
  log: ServerLog;
  onListChanged(): void;
};

/** Several lists change together, and some servers report each tool separately. */
const DEBOUNCE_MS = 300;

/** The SDK's client, with handlers for everything that servers may ask of harness. */
export function createClient(deps: McpClientDeps, versions: ClientOptions["versionNegotiation"]): Client {
  const { sdk, identity, maySample, log, onListChanged } = deps;
  const capabilities: ClientCapabilities = {
    elicitation: { form: { applyDefaults: true }, url: {} },
    roots: {},
    ...(maySample && { sampling: {} }),
  };
  const changed = { autoRefresh: false, debounceMs: DEBOUNCE_MS, onChanged: onListChanged };
  const client = new sdk.Client(identity, {
    capabilities,
    jsonSchemaValidator: outputCheck(sdk),
    ...(versions && { versionNegotiation: versions }),
    listChanged: { tools: changed, prompts: changed, resources: changed },
  });
  client.onerror = (error) => log.line(`(harness) ${error.message}`);
  client.setNotificationHandler("notifications/message", ({ params }) => {
    const text = typeof params.data === "string" ? params.data : JSON.stringify(params.data);
    log.line(`(${params.level}) ${params.logger === undefined ? "" : `${params.logger}: `}${text}`);
  });
  answerRequests(client, deps);
  return client;
}

/**
 * Validates structured content against the part of a schema that takes no time to check; both come from the same
 * server.
 */
function outputCheck({ CfWorkerJsonSchemaValidator }: Sdk): jsonSchemaValidator {
  const validator = new CfWorkerJsonSchemaValidator();
  return { getValidator: (schema) => validator.getValidator(isRecord(schema) ? (checkableSchema(schema) ?? {}) : {}) };
}

/** The protocol's code for a refusal by the user. */
const REFUSED = -1;

function answerRequests(client: Client, { sdk, maySample, people, calls }: McpClientDeps): void {
  client.setRequestHandler("elicitation/create", async ({ params }, { mcpReq }) => {
    const { message } = params;
    if (params.mode === "url") return calls.ask({ kind: "url", message, url: params.url }, mcpReq.signal);
    return calls.ask({ kind: "form", message, schema: params.requestedSchema }, mcpReq.signal);
  });
  client.setRequestHandler("roots/list", () => ({
    roots: people.roots().map((path) => ({ uri: pathToFileURL(path).href, name: path.split("/").at(-1) || path })),
  }));
  if (!maySample) return;
  client.setRequestHandler("sampling/createMessage", async ({ params }, { mcpReq }) => {
    const answer = await calls.sample(params, mcpReq.signal);
    if ("refused" in answer) throw new sdk.ProtocolError(REFUSED, `${answer.refused}.`);
    const { text, model, stopReason } = answer;
    return { role: "assistant", content: { type: "text", text }, model, stopReason };
  });
}
