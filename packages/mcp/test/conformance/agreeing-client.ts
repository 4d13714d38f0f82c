import { isRecord } from "@harness/host";
import type { McpAnswer, McpQuestion, McpServerConfig, McpTool } from "../../src/index.ts";
import { browse } from "../auth/browse.ts";
import { testPool } from "../pool.ts";

type Json = Record<string, unknown>;

/** A scenario's input for its client. */
export type Trial = {
  url: string;
  context: { client_id?: string; client_secret?: string; toolCalls?: { name: string; arguments: Json }[] };
};

const NAME = "conformance";

/**
 * Our pool and our logins against the server of a scenario, with a user who agrees to everything: lists what the server
 * has, logs in where it must, and calls every tool. Resolves with what went wrong.
 */
export async function tryServer({ url, context }: Trial): Promise<string[]> {
  const { client_id: clientId, client_secret: clientSecret } = context;
  const clientMetadataUrl = "https://conformance-test.local/client-metadata.json";
  const oauth = { clientMetadataUrl, ...(clientId && { clientId }), ...(clientSecret && { clientSecret }) };
  const config: McpServerConfig = { name: NAME, from: "conformance", url, transport: "http", oauth };
  const { signal } = new AbortController();
  const { pool, logs } = testPool({ people: { ask: agree, roots: () => [process.cwd()] } });
  pool.configure([config]);
  try {
    let server = await pool.start(NAME);
    if (server?.state === "needs-login") server = await pool.login(NAME, agree, signal);
    if (server?.state !== "ready") return [server?.problem ?? "no server", ...(logs.get(NAME) ?? [])];
    const problems: string[] = [];
    for (const call of context.toolCalls ?? callsOf(server.tools)) {
      const { status, text } = await pool.callTool(NAME, call.name, call.arguments, { signal });
      if (status === "error") problems.push(text);
    }
    return problems;
  } finally {
    await pool.close();
  }
}

/** Opens addresses as a browser does, and leaves forms to their defaults. */
async function agree(question: McpQuestion): Promise<McpAnswer> {
  if (question.kind === "form") return { action: "accept", content: valuesFor(question.schema, "required") };
  await browse(question.url);
  return { action: "accept" };
}

function callsOf(tools: readonly McpTool[]): { name: string; arguments: Json }[] {
  return tools.map(({ name, inputSchema }) => {
    // One scenario wants to see what is left of a schema once a client has read it.
    const focal = tools.find((tool) => tool.name === "json_schema_2020_12_tool")?.inputSchema;
    const isEcho = name === "json_schema_echo" && focal !== undefined;
    return { name, arguments: isEcho ? { schema: focal } : valuesFor(inputSchema, "all") };
  });
}

/** Something for each property, or for each that must be there. */
function valuesFor(schema: Readonly<Json>, which: "required" | "all"): Record<string, never> {
  const required = Array.isArray(schema.required) ? schema.required : [];
  const properties = isRecord(schema.properties) ? schema.properties : {};
  const values = Object.entries(properties)
    .filter(([name]) => which === "all" || required.includes(name))
    .map(([name, property]) => [name, valueFor(isRecord(property) ? property : {})]);
  return Object.fromEntries(values) as Record<string, never>;
}

function valueFor({ type, enum: choices, default: usual }: Json): unknown {
  if (usual !== undefined) return usual;
  if (Array.isArray(choices)) return choices[0];
  const values: Json = { number: 5, integer: 3, boolean: true, array: [], object: {} };
  return values[String(type)] ?? "test";
}
