import type { CodeSearch, FileFinder, ToolTable } from "@harness/core";
import { addition } from "./addition.ts";
import { aliases } from "./aliases.ts";
import type { BackgroundProcesses } from "./background/background-processes.ts";
import { createBash } from "./bash.ts";
import type { FileBuffers } from "./buffers/file-buffers.ts";
import { createSemanticSearch } from "./code/semantic-search.ts";
import { createSymbols } from "./code/symbols.ts";
import { createEdit } from "./edit.ts";
import type { FolderEnvironment } from "./environment/folder-environment.ts";
import { createGlob } from "./glob.ts";
import { createGrep } from "./grep.ts";
import { createLs } from "./ls.ts";
import { createPersonShell } from "./person-shell.ts";
import { createProcess } from "./process.ts";
import { createRead } from "./read.ts";
import type { Sandbox } from "./sandbox/sandbox.ts";
import { createScreenshot } from "./screenshot.ts";
import { noWeb } from "./web/no-web.ts";
import type { WebPorts } from "./web/web-ports.ts";
import { createWebFetch } from "./web-fetch.ts";
import { createWebSearch } from "./web-search.ts";
import { createWrite } from "./write.ts";
import { FileWriter } from "./writing/file-writer.ts";

export type BuiltinToolsOptions = {
  /** Time limit of a command without one, and of a search; read for each call. */
  readonly toolTimeoutMs: number;
  /** Additional variables for commands, read for each; names that look like secrets are omitted. */
  readonly extraEnv?: Readonly<Record<string, string>>;
  /** The folder's additions to their environment. */
  readonly folderEnv?: FolderEnvironment | undefined;
  /** The encoding label for files that are not UTF-8; empty: unknown. Read for each call. */
  readonly fileEncoding?: string;
  /** The path of ripgrep; absent: searched for in PATH; null: not used. */
  rgPath?: string | null;
  /** Lists the files; absent: files are found by a walk. */
  files?: FileFinder;
  /** The index of the folder; without it, no tool searches one. */
  code?: CodeSearch | undefined;
  /** Access to the web; without it, its tools answer that there is none. */
  web?: WebPorts;
  /** The session's sandbox, shared with its gate; absent: commands run without one. */
  sandbox?: Sandbox | undefined;
  /** The session's background processes; absent: there may be none. */
  processes?: BackgroundProcesses | undefined;
  /** Files that the session's clients have open; absent: files are only on disk. */
  buffers?: FileBuffers | undefined;
};

/** All built-in tools, in the order in which models see them. */
export function builtinTools(options: BuiltinToolsOptions): ToolTable {
  const { rgPath, files, code, web = noWeb, sandbox, processes, folderEnv, buffers } = options;
  const writer = new FileWriter(buffers);
  // Settings, which may change between two calls.
  const current = {
    rgPath,
    files,
    sandbox,
    processes,
    folderEnv,
    get timeoutMs() {
      return options.toolTimeoutMs;
    },
    get fileEncoding() {
      return options.fileEncoding;
    },
    get extraEnv() {
      return options.extraEnv ?? {};
    },
  };
  return {
    tools: [
      createBash(current),
      createRead(current, buffers),
      createWrite(writer, current, buffers),
      createEdit(writer, current, buffers),
      createGlob(current),
      createGrep(current),
      createLs(current),
      ...(code ? [createSemanticSearch(code), createSymbols(code)] : []),
      createProcess(current),
      createWebFetch(web),
      createWebSearch(web),
      addition,
      createScreenshot({ sandbox }),
    ],
    aliases,
    shell: createPersonShell(current),
  };
}
