import { isRecord, parseJson } from "@harness/host";

type EditedConfig = { text: string } | { problem: string };
type Entry = Readonly<Record<string, unknown>>;

/** The text of a file with a server added, or replaced if the name exists. Everything else in it stays. */
export function withServer(text: string | undefined, name: string, entry: Entry): EditedConfig {
  return editConfig(text, (servers) => ({ ...servers, [name]: entry }));
}

/** The text without a server; a problem if the file has none of this name. */
export function withoutServer(text: string | undefined, name: string): EditedConfig {
  const missing = { problem: "has no MCP server of this name" };
  if (text === undefined) return missing;
  let hadIt = false;
  const result = editConfig(text, (servers) => {
    hadIt = Object.hasOwn(servers, name);
    return Object.fromEntries(Object.entries(servers).filter(([each]) => each !== name));
  });
  return hadIt || "problem" in result ? result : missing;
}

function editConfig(text: string | undefined, edit: (servers: Entry) => Entry): EditedConfig {
  const json = text === undefined || text.trim() === "" ? { value: {} } : parseJson(text);
  if (!("value" in json)) return { problem: `is not valid JSON (line ${json.line}): correct it first` };
  const { value } = json;
  if (!isRecord(value)) return { problem: "is not an object: correct it first" };
  const servers = value.mcpServers ?? {};
  if (!isRecord(servers)) return { problem: "has mcpServers that are not an object: correct it first" };
  return { text: `${JSON.stringify({ ...value, mcpServers: edit(servers) }, undefined, 2)}\n` };
}
