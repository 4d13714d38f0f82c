/** A request whose answer has findings, for a server that has no `textDocument/diagnostic`. */
export type FindingsQuestion = { readonly method: string; readonly params: object };

/**
 * How it names versions. `fromChange`: none for the text with which a file was opened, so it is sent the same
 * once more. `never`: what it pushes counts once it has answered another request about that text, and not sooner
 * than `afterMs` after it was given it, because it waits so long before it looks.
 */
export type PushedVersions = { readonly named: "fromChange" } | { readonly named: "never"; readonly afterMs: number };

/** A kind of language server. */
export type ServerRow = {
  readonly name: string;
  /** The language that it has for files, by the ending of their names. */
  readonly languages: Readonly<Record<string, string>>;
  /** Names of files in the folder that it is started for; the nearest one above a file decides. */
  readonly roots: readonly string[];
  /** The program, and its arguments. */
  readonly command: readonly [program: string, ...args: string[]];
  /** How people install it. */
  readonly install: string;
  /** It looks for a certain kind of mistake, beside the server of the language; only below one of its `roots`. */
  readonly isLinter?: true;
  /**
   * Why it is started only in a trusted folder, after "it": such as "runs build scripts". Absent: it only reads, and is
   * started everywhere.
   */
  readonly needsTrust?: string;
  /** A different program may have this name: the output of these arguments tells. */
  readonly proof?: { readonly args: readonly string[]; readonly matches: RegExp };
  /** Its configuration by section, and what it gets when it starts. */
  readonly settings?: Readonly<Record<string, unknown>>;
  readonly initializationOptions?: unknown;
  readonly env?: Readonly<Record<string, string>>;
  /** How it is asked for findings in its own way, and what they are in the protocol's form. */
  readonly asks?: {
    readonly questions: (path: string) => readonly FindingsQuestion[];
    readonly read: (answer: unknown) => readonly unknown[];
  };
  /** Absent: it names the version of each text, and what it pushes without one never counts. */
  readonly versions?: PushedVersions;
  /** Answers to requests that only it makes. */
  readonly answers?: Readonly<Record<string, unknown>>;
};
