import type { PermissionMode } from "@harness/protocol";

/** The end of a call: it ran without asking, the user was asked, or it was denied without a question. */
export type Ending = "ran" | "asked" | "denied";

/** A sentence of a page, and calls that show whether it is true. */
export type PageRow = {
  page: string;
  says: string;
  /** The part of it that this row tests. */
  but?: string;
  mode?: PermissionMode;
  /** Rules of the run. */
  allow?: readonly string[];
  deny?: readonly string[];
  /** In the session's folder; a text that begins with `#!` is a program. */
  files?: Readonly<Record<string, string>>;
  /** In the user's home and configuration folder; `others:` before a path: others may write the file. */
  home?: Readonly<Record<string, string>>;
  calls: readonly (readonly [tool: string, args: Record<string, unknown>])[];
  ends: readonly Ending[];
};

export const bash = (command: string) => ["bash", { command }] as const;
export const read = (file_path: string) => ["read", { file_path }] as const;
export const write = (file_path: string) => ["write", { file_path, content: "x" }] as const;
export const policies = (...rules: object[]) => JSON.stringify({ version: 1, rules });
export const settings = (values: object) => JSON.stringify(values);
export const argv = (decision: string, ...words: string[]) => ({ decision, tool: "bash", argv: words });
export const ALL = "allow-all" as const;
