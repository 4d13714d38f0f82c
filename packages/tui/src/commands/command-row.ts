import type { ScreenId } from "../screens/screen-rows.ts";
import type { AppState, Note } from "../state/app-state.ts";
import type { CompletionItem } from "../state/composer.ts";

/** What a slash command may do. */
export type CommandContext = {
  readonly state: () => AppState;
  readonly say: (severity: Note["severity"], text: string) => void;
  readonly show: (screen: ScreenId) => void;
  readonly showHelp: () => void;
  /** An empty screen; the session is made with its first message. */
  readonly begin: () => void;
  readonly rename: (title: string) => Promise<void>;
  /** Opens the list of models. */
  readonly chooseModel: () => Promise<void>;
  /** `PROVIDER/MODEL` or a model's id; kept for later sessions too. */
  readonly setModel: (name: string) => Promise<void>;
  /** Opens the sheet of tokens and money. */
  readonly showUsage: () => Promise<void>;
  /** Tries out a model, the one in use when the name is "". */
  readonly examine: (model: string) => Promise<void>;
  readonly modelNames: () => Promise<readonly string[]>;
  /** False: it does not work any more. */
  readonly stopAgent: (agentId: string) => Promise<boolean>;
  /** Lists the messages that one can go back to. */
  readonly chooseRewind: () => void;
  /** Shows what the folder would run, and whether it may. */
  readonly showTrust: () => Promise<void>;
  /** A command of the server; its answer is shown. */
  readonly runOnServer: (name: string, args: string) => Promise<void>;
  readonly leave: (code: number) => void;
};

/** A slash command; its name is its key in the table. */
export type CommandRow = {
  /** Other names that it is typed with. */
  readonly aliases?: readonly string[];
  readonly description: string;
  readonly argumentHint?: string;
  /** What may follow the name; filtered by the caller. */
  readonly complete?: (context: CommandContext) => Promise<readonly CompletionItem[]>;
  /** What it throws is shown as a sentence. */
  readonly run: (context: CommandContext, args: string) => void | Promise<void>;
};
