import type { ToolTable } from "@harness/core";
import { addition } from "./addition.ts";
import { aliases } from "./aliases.ts";
import { createBash } from "./bash.ts";
import { createEdit } from "./edit.ts";
import { FileWriter } from "./files/file-writer.ts";
import { createGlob } from "./glob.ts";
import { createGrep } from "./grep.ts";
import { ls } from "./ls.ts";
import { read } from "./read.ts";
import type { Sandbox } from "./sandbox/sandbox.ts";
import { noWeb } from "./web/no-web.ts";
import type { WebPorts } from "./web/web-ports.ts";
import { createWebFetch } from "./web-fetch.ts";
import { createWebSearch } from "./web-search.ts";
import { createWrite } from "./write.ts";

export type BuiltinToolsOptions = {
  /** Time limit of a command that names none, and of a search. */
  toolTimeoutMs: number;
  /** Additional variables for commands; names that look like secrets are omitted. */
  extraEnv?: Readonly<Record<string, string>>;
  /** Where ripgrep is; absent = looked for in PATH, null = not used. */
  rgPath?: string | null;
  /** Access to the web; without it, its tools answer that there is none. */
  web?: WebPorts;
  /** The session's sandbox, shared with its gate; absent: commands run as they are. */
  sandbox?: Sandbox | undefined;
};

/** Every tool that comes with the program, in the order in which models see them. */
export function builtinTools({
  toolTimeoutMs,
  extraEnv = {},
  rgPath,
  web = noWeb,
  sandbox,
}: BuiltinToolsOptions): ToolTable {
  const timeoutMs = toolTimeoutMs;
  const writer = new FileWriter();
  return {
    tools: [
      createBash({ timeoutMs, extraEnv, sandbox }),
      read,
      createWrite(writer),
      createEdit(writer),
      createGlob({ timeoutMs }),
      createGrep(rgPath === undefined ? { timeoutMs } : { timeoutMs, rgPath }),
      ls,
      createWebFetch(web),
      createWebSearch(web),
      addition,
    ],
    aliases,
  };
}
