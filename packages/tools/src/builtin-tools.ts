import type { ToolTable } from "@harness/core";
import { addition } from "./addition.ts";
import { aliases } from "./aliases.ts";
import { createBash } from "./bash.ts";
import { edit } from "./edit.ts";
import { createGlob } from "./glob.ts";
import { createGrep } from "./grep.ts";
import { ls } from "./ls.ts";
import { read } from "./read.ts";
import { write } from "./write.ts";

export type BuiltinToolsOptions = {
  /** Time limit of a command that names none, and of a search. */
  toolTimeoutMs: number;
  /** Variables for commands besides the usual few; names that look like secrets are left out. */
  extraEnv?: Readonly<Record<string, string>>;
  /** Where ripgrep is; absent = looked for in PATH, null = not used. */
  rgPath?: string | null;
};

/** Every tool that comes with the program, in the order in which models see them. */
export function builtinTools({ toolTimeoutMs, extraEnv = {}, rgPath }: BuiltinToolsOptions): ToolTable {
  const timeoutMs = toolTimeoutMs;
  return {
    tools: [
      createBash({ timeoutMs, extraEnv }),
      read,
      write,
      edit,
      createGlob({ timeoutMs }),
      createGrep(rgPath === undefined ? { timeoutMs } : { timeoutMs, rgPath }),
      ls,
      addition,
    ],
    aliases,
  };
}
