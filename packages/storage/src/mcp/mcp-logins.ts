import { createHash } from "node:crypto";
import { join } from "node:path";
import type { Clock } from "@harness/gate";
import {
  closedToOthers,
  formatKeyed,
  type KeyedDocument,
  type KeyedForm,
  lockedProblem,
  PrivateFile,
  parseKeyed,
  waitForLock,
} from "@harness/host";
import type { ConfigPaths } from "../config-paths.ts";

/** The logins to MCP servers by server address: plain JSON with secrets, readable only for this user. */
export type McpLoginFile = {
  /** Costs one stat as long as the file has not changed. */
  read(server: string): unknown;
  /** Undefined: forgets the login. On disk on return; throws an error whose message is a sentence. */
  write(server: string, login: unknown): void;
  /** Allows one holder per server across all processes. Rejects with a sentence if the lock is unavailable. */
  locked<T>(server: string, task: () => Promise<T>): Promise<T>;
};

const MAX_BYTES = 4 * 1024 * 1024;
/** Tokens may be renewed over a slow network. */
const LOCK_MS = 60_000;

/** `mcp/logins.json`. Reads and creates nothing yet. */
export function openMcpLogins({ root }: Pick<ConfigPaths, "root">, clock: Clock): McpLoginFile {
  const folder = join(root, "mcp");
  const path = join(folder, "logins.json");
  const form: KeyedForm = { path, version: 1, field: "logins", unused: "No login in it is used." };
  const file = new PrivateFile<KeyedDocument>({
    path,
    what: "the logins to MCP servers",
    maxBytes: MAX_BYTES,
    access: closedToOthers,
    empty: { entries: {}, rest: {} },
    parse: (bytes) => parseKeyed(bytes.toString("utf8"), form),
    format: (document) => formatKeyed(document, form),
  });
  return {
    read: (server) => file.current().value.entries[server],
    write(server, login) {
      const saved = file.change((document) => {
        const { [server]: _, ...others } = document.entries;
        return { ...document, entries: login === undefined ? others : { ...others, [server]: login } };
      });
      if ("problem" in saved) throw new Error(saved.problem);
    },
    async locked(server, task) {
      const lockPath = join(folder, `login-${createHash("sha256").update(server).digest("hex").slice(0, 16)}.lock`);
      const lock = await waitForLock(lockPath, LOCK_MS, clock);
      if (!("release" in lock)) throw new Error(lockedProblem(`The login to ${server} is`, lockPath, lock));
      try {
        return await task();
      } finally {
        lock.release();
      }
    },
  };
}
