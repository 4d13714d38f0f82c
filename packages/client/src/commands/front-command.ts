import type { Front, FrontKind } from "./front.ts";

/** Completes an argument. */
export type Choice = { readonly label: string; readonly detail: string; readonly insert: string };

/** The entry of a command in help: the arguments after its name, and its effect. */
type Words = { readonly hint?: string; readonly words: string };

/** A slash command of a front; its name is its key in the table. */
export type FrontCommand = Words & {
  /** Aliases that it can be typed with. */
  readonly aliases?: readonly string[];
  /** Overrides for plain lines, which do it in a different way. */
  readonly lines?: Partial<Words>;
  /** The only front that has it. In the other its name means a command of the server, if there is one. */
  readonly only?: FrontKind;
  /** True if it works while a turn runs, even in a front that does one thing at a time. */
  readonly whileBusy?: true;
  /** Completions of the argument; the caller filters them. */
  readonly complete?: (front: Front) => Promise<readonly Choice[]>;
  /** `args` is trimmed. A thrown error is shown to the user. */
  readonly run: (front: Front, args: string) => void | Promise<void>;
};

export const named = (names: readonly string[]): Choice[] =>
  names.map((name) => ({ label: name, detail: "", insert: name }));
