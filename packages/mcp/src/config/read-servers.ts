import { isRecord, namedServers, parseJson, readLenientJson } from "@harness/host";
import type { McpOAuthConfig, McpServerConfig } from "./server-config.ts";

/** The servers of one file in its order, and sentences about unusable entries. */
export type ReadServers = { servers: McpServerConfig[]; problems: string[] };

const MAX_SERVERS = 100;
const MAX_NAME = 100;

type Entry = Readonly<Record<string, unknown>>;

/**
 * Parses a file that names MCP servers, in any common form: `mcpServers` of most programs, `servers` of VS Code, with
 * or without comments; in Gemini CLI's form, variables need no braces. Never throws; the rest of the file is ignored.
 */
export function readServers(text: string, from: string, form?: "gemini"): ReadServers {
  const json = readLenientJson(text);
  if (!("value" in json))
    return withProblem(`${from} is not valid JSON (line ${json.line}): its MCP servers are not used.`);
  const { value } = json;
  if (!isRecord(value)) return withProblem(`${from} is not an object: its MCP servers are not used.`);
  const named = form === "gemini" ? withBraces(namedServers(value)) : namedServers(value);
  if (named === undefined) return { servers: [], problems: [] };
  if (!isRecord(named)) return withProblem(`mcpServers in ${from} is not an object: its MCP servers are not used.`);
  return readAll(Object.entries(named), from);
}

/** Turns `$NAME` into `${NAME}` in all texts of a value. */
function withBraces(value: unknown): unknown {
  if (typeof value === "string") return value.replace(/\$([A-Za-z_]\w*)/g, (_, name: string) => `\${${name}}`);
  if (Array.isArray(value)) return value.map(withBraces);
  if (!isRecord(value)) return value;
  return Object.fromEntries(Object.entries(value).map(([key, each]) => [key, withBraces(each)]));
}

/** Parses the entries of the setting `mcp_servers`: each is JSON with a `name`, or `NAME=COMMAND ARGUMENTS`. */
export function readServerSetting(entries: readonly string[], from: string): ReadServers {
  const problems: string[] = [];
  const named = entries.flatMap((entry): [string, unknown][] => {
    const [, name = "", line = ""] = /^([^\s={}"]+)=(.+)$/s.exec(entry.trim()) ?? [];
    if (name !== "") {
      const [command, ...args] = line.trim().split(/\s+/);
      return [[name, { command, args }]];
    }
    const json = parseJson(entry);
    if ("value" in json && isRecord(json.value) && typeof json.value.name === "string")
      return [[json.value.name, json.value]];
    problems.push(
      `${from} has an entry that is not an MCP server: write {"name": "…", "command": "…", "args": []}, or NAME=COMMAND ARGUMENTS.`,
    );
    return [];
  });
  const read = readAll(named, from);
  return { ...read, problems: [...problems, ...read.problems] };
}

function withProblem(problem: string): ReadServers {
  return { servers: [], problems: [problem] };
}

function readAll(named: readonly [string, unknown][], from: string): ReadServers {
  const read: ReadServers = { servers: [], problems: [] };
  if (named.length > MAX_SERVERS)
    read.problems.push(`${from} names ${named.length} MCP servers: only the first ${MAX_SERVERS} are used.`);
  for (const [name, entry] of named.slice(0, MAX_SERVERS)) {
    const server = readServer(name, entry, from);
    if ("problem" in server) read.problems.push(server.problem);
    else read.servers.push(server);
  }
  return read;
}

function readServer(name: string, entry: unknown, from: string): McpServerConfig | { problem: string } {
  const problem = (words: string) => ({
    problem: `The MCP server ${shownName(name)} in ${from} ${words}. It is not used.`,
  });
  if (name.trim() === "" || name.length > MAX_NAME) return problem(`needs a name of 1 to ${MAX_NAME} characters`);
  if (!isRecord(entry)) return problem("is not an object");
  const wrong = wrongField(entry);
  if (wrong !== undefined) return problem(wrong);
  const command = textOf(entry.command);
  // Gemini uses `httpUrl` for streamable HTTP, and `url` for its predecessor.
  const url = textOf(entry.httpUrl) ?? textOf(entry.serverUrl) ?? textOf(entry.url);
  const type = textOf(entry.type) ?? textOf(entry.transport);
  const transport = transportOf(type);
  if (type !== undefined && transport === undefined)
    return problem(`has the type ${JSON.stringify(type.slice(0, 40))}: write stdio, http or sse`);
  if (command === undefined && url === undefined) return problem("has neither a command nor a url");
  if (command !== undefined && url !== undefined) return problem("has both a command and a url: remove one of them");
  const input = JSON.stringify(entry).match(/\$\{input:[^}]*\}/)?.[0];
  if (input !== undefined)
    return problem(`needs ${input}, which only VS Code asks for: write \${NAME} and set the variable`);
  return withoutGaps<McpServerConfig>({
    name,
    from,
    command,
    args: listOf(entry.args),
    env: textsOf(entry.env),
    cwd: textOf(entry.cwd),
    url,
    headers: textsOf(entry.headers),
    transport,
    era: eraOf(entry.era),
    start: startOf(entry.start),
    enabled: enabledOf(entry),
    startupTimeoutMs: numberOf(entry.startupTimeoutMs),
    callTimeoutMs: numberOf(entry.callTimeoutMs ?? entry.timeout),
    maxCallMs: numberOf(entry.maxCallMs),
    oauth: oauthOf(entry.oauth),
  });
}

const texts = ["command", "url", "httpUrl", "serverUrl", "cwd", "type", "transport", "era", "start"];
const numbers = ["startupTimeoutMs", "callTimeoutMs", "maxCallMs", "timeout"];

/** The first field with a wrong type, as the end of a sentence. */
function wrongField(entry: Entry): string | undefined {
  for (const key of texts)
    if (entry[key] !== undefined && textOf(entry[key]) === undefined) return `has a ${key} that is not a string`;
  for (const key of numbers)
    if (entry[key] !== undefined && numberOf(entry[key]) === undefined)
      return `has a ${key} that is not a number of milliseconds`;
  if (entry.args !== undefined && listOf(entry.args) === undefined) return "has args that are not a list of strings";
  for (const key of ["env", "headers"])
    if (entry[key] !== undefined && textsOf(entry[key]) === undefined)
      return `has ${key} that do not map names to strings`;
  if (textOf(entry.era) !== undefined && eraOf(entry.era) === undefined)
    return "has an era other than auto, legacy and modern";
  if (textOf(entry.start) !== undefined && startOf(entry.start) === undefined)
    return "has a start other than session and first-use";
  return undefined;
}

function transportOf(transport: string | undefined): McpServerConfig["transport"] {
  const plain = transport?.toLowerCase().replace(/[^a-z]/g, "");
  if (plain === "stdio" || plain === "sse") return plain;
  return plain === "http" || plain === "streamablehttp" ? "http" : undefined;
}

function eraOf(value: unknown): McpServerConfig["era"] {
  return value === "auto" || value === "legacy" || value === "modern" ? value : undefined;
}

function startOf(value: unknown): McpServerConfig["start"] {
  return value === "session" || value === "first-use" ? value : undefined;
}

function enabledOf({ enabled, disabled }: Entry): boolean | undefined {
  return enabled === false || disabled === true ? false : undefined;
}

function oauthOf(value: unknown): McpOAuthConfig | undefined {
  if (!isRecord(value)) return undefined;
  const { clientId, clientSecret, clientMetadataUrl, scopes, redirectPort, callbackPort } = value;
  return withoutGaps<McpOAuthConfig>({
    clientId: textOf(clientId),
    clientSecret: textOf(clientSecret),
    clientMetadataUrl: textOf(clientMetadataUrl),
    scopes: listOf(scopes),
    redirectPort: numberOf(redirectPort ?? callbackPort),
  });
}

/** A text with variables in harness's form: VS Code and Cursor write `${env:NAME}`. */
function textOf(value: unknown): string | undefined {
  return typeof value === "string" && value !== "" ? value.replaceAll("${env:", "${") : undefined;
}

function numberOf(value: unknown): number | undefined {
  return typeof value === "number" && Number.isFinite(value) && value > 0 ? value : undefined;
}

function listOf(value: unknown): string[] | undefined {
  return Array.isArray(value) && value.every((each) => typeof each === "string")
    ? value.map((each) => textOf(each) ?? "")
    : undefined;
}

function textsOf(value: unknown): Record<string, string> | undefined {
  if (!isRecord(value)) return undefined;
  const entries = Object.entries(value);
  if (!entries.every(([, each]) => typeof each === "string" || typeof each === "number")) return undefined;
  return Object.fromEntries(entries.map(([name, each]) => [name, textOf(String(each)) ?? ""]));
}

function withoutGaps<T extends object>(value: { [K in keyof T]?: T[K] | undefined }): T {
  return Object.fromEntries(Object.entries(value).filter(([, each]) => each !== undefined)) as T;
}

function shownName(name: string): string {
  return JSON.stringify(name.slice(0, 60)).replace(/^"([\w@. -]+)"$/, "$1");
}
