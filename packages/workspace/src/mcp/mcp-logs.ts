import { join } from "node:path";
import { PrivateLog, readRegularFile } from "@harness/host";

const MAX_LOG_BYTES = 1024 * 1024;

/** The files with the stderr and the messages of MCP servers, one per name. */
export class McpLogs {
  readonly #folder: string;

  constructor(folder: string) {
    this.#folder = folder;
  }

  /** The last lines of a server's file. */
  lastLines(server: string, count: number): { path: string; lines: string[] } {
    const { path } = this.#fileOf(server);
    return { path, lines: textOf(path).trimEnd().split("\n").filter(Boolean).slice(-count) };
  }

  of(server: string): { append(line: string): void } {
    const log = this.#fileOf(server);
    return {
      append(line) {
        try {
          log.append(`${new Date().toISOString()} ${line.replaceAll("\n", "\n    ")}`);
        } catch {
          // A log that cannot be written must not be the second failure.
        }
      },
    };
  }

  #fileOf(server: string): PrivateLog {
    const name = server.replace(/[^\w.-]/g, "_").slice(0, 60);
    return new PrivateLog(join(this.#folder, `mcp-${name}.log`), { maxBytes: MAX_LOG_BYTES, kept: 1 });
  }
}

/** Empty if there is no readable file. */
function textOf(path: string): string {
  try {
    return readRegularFile(path, { maxBytes: 2 * MAX_LOG_BYTES, followLinks: true }).toString("utf8");
  } catch {
    return "";
  }
}
