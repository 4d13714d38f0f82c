import type { Front, FrontKind } from "./front.ts";

/** Completes an argument. */
export type Choice = { readonly label: string; readonly detail: string; readonly insert: string };

/** The entry of a command in help: the arguments after its name, and its effect. */
type Words = { readonly hint?: string; readonly words: string };

/** A slash command of a front; its name is its key in the table. */
export type FrontCommand = Words & {
  /** Other names that it is typed with. */
  readonly aliases?: readonly string[];
  /** Plain lines do it in another way. */
  readonly lines?: Partial<Words>;
  /** The one front that has it. In the other its name means a command of the server, if there is one. */
  readonly only?: FrontKind;
  /** It works while a turn runs, also in a front that does one thing at a time. */
  readonly whileBusy?: true;
  /** Completions of the argument; the caller filters them. */
  readonly complete?: (front: Front) => Promise<readonly Choice[]>;
  /** `args` is trimmed. A thrown error is shown to the person. */
  readonly run: (front: Front, args: string) => void | Promise<void>;
};

export const named = (names: readonly string[]): Choice[] =>
  names.map((name) => ({ label: name, detail: "", insert: name }));
