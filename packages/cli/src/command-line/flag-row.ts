import type { Subcommand } from "./subcommand-rows.ts";

export type FlagRow = {
  /** The value: none, one or none, one, or one each time the flag is given. */
  takes: "nothing" | "maybe" | "value" | "values";
  short?: string;
  /** The name of the value in help. */
  value?: string;
  choices?: readonly string[];
  /** The default without the flag, if that is not obvious. */
  fallback?: string;
  /** Choices of older versions: accepted, and not shown. */
  older?: readonly string[];
  /** An empty value is allowed. */
  mayBeBlank?: true;
  doc: string;
  /** The subcommands that accept it; `window` is harness without a subcommand. */
  in: readonly Subcommand[];
};
