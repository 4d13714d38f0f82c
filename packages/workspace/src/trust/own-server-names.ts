import type { SourceEntry } from "@harness/extensions";
import { isRecord, namedServers, readLenientJson, readRegularFile } from "@harness/host";

const MAX_BYTES = 1024 * 1024;

/**
 * The names of the user's MCP servers, from their files and the setting, without loading the code that runs servers.
 */
export function ownServerNames(entries: readonly SourceEntry[], setting: readonly string[]): ReadonlySet<string> {
  const files = entries.filter(({ kind, source }) => kind === "mcp" && source.owner === "person");
  return new Set([...files.flatMap(({ path }) => namesIn(path)), ...setting.flatMap(nameOf)]);
}

function namesIn(path: string): string[] {
  try {
    const json = readLenientJson(readRegularFile(path, { maxBytes: MAX_BYTES, followLinks: true }).toString("utf8"));
    const servers = "value" in json ? namedServers(json.value) : undefined;
    return isRecord(servers) ? Object.keys(servers) : [];
  } catch {
    // An unreadable file names no servers; its problem is reported in the list of servers.
    return [];
  }
}

/** `NAME=COMMAND`, or an object with a name. */
function nameOf(entry: string): string[] {
  const [, plain] = /^([^\s={}"]+)=./.exec(entry.trim()) ?? [];
  if (plain !== undefined) return [plain];
  const json = readLenientJson(entry);
  return "value" in json && isRecord(json.value) && typeof json.value.name === "string" ? [json.value.name] : [];
}
