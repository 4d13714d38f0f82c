import { join } from "node:path";
import { formatKeyed, type KeyedDocument, type KeyedForm, PrivateFile, parseKeyed } from "@harness/host";
import type { ConfigPaths } from "../config-paths.ts";

/** Knowledge about MCP servers by key, as plain JSON. Nothing throws; a value that cannot be saved is lost. */
export type McpStoreFile = {
  read(key: string): unknown;
  /** Undefined: forgets the value. */
  write(key: string, value: unknown): void;
};

const MAX_BYTES = 8 * 1024 * 1024;
/** The oldest are dropped first. */
const MAX_ENTRIES = 5_000;

/** `mcp/known.json`: the eras of servers, and fingerprints of their tools. Reads and creates nothing yet. */
export function openMcpStore({ root }: Pick<ConfigPaths, "root">): McpStoreFile {
  const path = join(root, "mcp", "known.json");
  const form: KeyedForm = { path, version: 1, field: "known", unused: "Nothing in it is used." };
  const file = new PrivateFile<KeyedDocument>({
    path,
    what: "what is known about MCP servers",
    maxBytes: MAX_BYTES,
    empty: { entries: {}, rest: {} },
    parse: (bytes) => parseKeyed(bytes.toString("utf8"), form),
    format: (document) => formatKeyed(document, form),
  });
  return {
    read(key) {
      const { entries } = file.current().value;
      return Object.hasOwn(entries, key) ? entries[key] : undefined;
    },
    write(key, value) {
      file.change((document) => ({ ...document, entries: withEntry(document.entries, key, value) }));
    },
  };
}

function withEntry(entries: KeyedDocument["entries"], key: string, value: unknown): KeyedDocument["entries"] {
  const others = Object.entries(entries).filter(([each]) => each !== key);
  return Object.fromEntries(value === undefined ? others : [...others.slice(1 - MAX_ENTRIES), [key, value]]);
}
