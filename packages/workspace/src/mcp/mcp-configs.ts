import type { SourceEntry } from "@harness/extensions";
import { errorCode, readRegularFile } from "@harness/host";
import type { McpServerConfig } from "@harness/mcp";

/** Readers for files of MCP servers: `@harness/mcp` is only loaded if there are any. */
export type ConfigReaders = Pick<
  typeof import("@harness/mcp"),
  "readServers" | "readServerSetting" | "mergeServers" | "mcpConfiguration"
>;

/** A client's choice: absolute paths of additional files, and servers by name; `strict`: only those. */
export type McpAsked = {
  files: readonly string[];
  servers?: Readonly<Record<string, Readonly<Record<string, unknown>>>> | undefined;
  strict: boolean;
};

/** The places that name servers, from the most general to the most local. */
export type ConfigLocations = {
  /** Entries of the setting `mcp_servers`. */
  setting: readonly string[];
  /** Files of the sources, including those that still need trust. */
  entries: readonly SourceEntry[];
  request: McpAsked;
  /** True if servers may ask the model for answers. */
  sampling: boolean;
};

export type ConfiguredServer = { config: McpServerConfig; shadows: readonly string[] };
export type FoundServers = { servers: readonly ConfiguredServer[]; problems: readonly string[] };

const MAX_BYTES = 1024 * 1024;

/** True if any place names a server. Reads nothing. */
export function namesServers({ setting, entries, request }: ConfigLocations): boolean {
  if (Object.keys(request.servers ?? {}).length > 0) return true;
  return request.files.length > 0 || (!request.strict && (setting.length > 0 || entries.length > 0));
}

/**
 * The servers of a folder, each name once. A server of an untrusted project is listed, never started, and replaces no
 * other.
 */
export function findServers(
  { setting, entries, request, sampling }: ConfigLocations,
  { readServers, readServerSetting, mergeServers, mcpConfiguration }: ConfigReaders,
): FoundServers {
  const problems: string[] = [];
  const servers: McpServerConfig[] = [];
  const waiting: McpServerConfig[] = [];
  if (!request.strict) {
    const ofSetting = readServerSetting(setting, "the setting mcp_servers");
    servers.push(...ofSetting.servers);
    problems.push(...ofSetting.problems);
    for (const { path, source, problem, needsTrust } of entries) {
      if (problem !== undefined && !needsTrust) {
        problems.push(problem);
        continue;
      }
      const read = readFile(
        path,
        (text) => readServers(text, path, source.layout === "gemini" ? source.layout : undefined),
        { followLinks: !needsTrust },
      );
      const found =
        source.owner === "project" ? read.servers.map((each) => ({ ...each, project: true })) : read.servers;
      if (needsTrust) waiting.push(...found.map((config) => ({ ...config, trusted: false })));
      else servers.push(...found);
      problems.push(...read.problems);
    }
  }
  for (const path of request.files) {
    const read = readFile(path, (text) => readServers(text, path), { followLinks: true });
    servers.push(...read.servers);
    problems.push(...read.problems);
  }
  if (request.servers) {
    const given = readServers(JSON.stringify({ mcpServers: request.servers }), "the client's request");
    servers.push(...given.servers);
    problems.push(...given.problems);
  }
  const names = new Set(servers.map(({ name }) => name));
  const own = servers.filter(({ project }) => !project);
  const merged = mergeServers([...waiting.filter(({ name }) => !names.has(name)), ...servers]).map((each) =>
    replacesOne(each.config, own, mcpConfiguration) ? { ...each, config: { ...each.config, replaces: true } } : each,
  );
  if (!sampling) return { servers: merged, problems };
  return { servers: merged.map((each) => ({ ...each, config: { ...each.config, sampling } })), problems };
}

/** True for a project's server that overrides the user's server of the same name. */
function replacesOne(
  config: McpServerConfig,
  own: readonly McpServerConfig[],
  configurationOf: ConfigReaders["mcpConfiguration"],
): boolean {
  const same = own.filter(({ name }) => name === config.name);
  return config.project === true && same.some((each) => configurationOf(each) !== configurationOf(config));
}

type ServersReading = ReturnType<ConfigReaders["readServers"]>;

/** Never blocks: a clone may have a pipe or a device in the file's place. */
function readFile(
  path: string,
  read: (text: string) => ServersReading,
  { followLinks }: { followLinks: boolean },
): ServersReading {
  try {
    return read(readRegularFile(path, { maxBytes: MAX_BYTES, followLinks }).toString("utf8"));
  } catch (error) {
    const why = error instanceof Error && !errorCode(error) ? error.message : "it cannot be read";
    return { servers: [], problems: [`The MCP servers of ${path} are not used: ${why}.`] };
  }
}
