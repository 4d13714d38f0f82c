import type { AgentState, LoadedImage, SessionConfig, TranscriptItem } from "@harness/protocol";
import type { LabelledText, SessionView } from "../actions/session-facts.ts";
import type { Session } from "../session/session.ts";
import type { SessionServer } from "../session/session-server.ts";
import type { FrontWords } from "./other-names.ts";

export type FrontKind = "window" | "lines";

/** A sentence, or a function that words it for this front. */
export type FrontText = string | ((words: FrontWords) => string);

/** The images of the next message. */
export type FrontImages = {
  /** True if a message shows its images; otherwise a list follows each change. */
  readonly areShown: boolean;
  all(): readonly LoadedImage[];
  add(path: string): Promise<void>;
  /** Adds the image in the clipboard; absent: a key does. */
  paste?(): Promise<void>;
  keep(images: readonly LoadedImage[]): void;
};

export type FrontModels = {
  list(): Promise<void>;
  /** Uses a model now and for later sessions. */
  use(name: string): Promise<void>;
  /** Removes the saved choice. */
  reset(): Promise<void>;
  /** Tests what a model can do; without a name, the current one. */
  test(name: string): Promise<void>;
};

/**
 * The interface that the rows of `frontCommands` use; the window and plain lines each implement it. A row that only
 * needs the members before `isBusy` is one file and one line in the table.
 */
export interface Front {
  readonly kind: FrontKind;
  readonly server: SessionServer;
  /** The session that messages go to; it has no id before the first one. */
  readonly session: Session;
  /** A few words for the user. */
  say(text: FrontText, severity?: "info" | "warning" | "error"): void;
  /** A table for the user. */
  show(title: string, facts: readonly LabelledText[]): void;
  /** Names that come close to a mistyped one, best first. */
  closest(typed: string, known: readonly string[]): readonly string[];

  /** True while a turn runs in a front that does one thing at a time. */
  readonly isBusy: boolean;
  readonly images: FrontImages;
  readonly models: FrontModels;
  /** Current state, for `/status`. */
  view(): Promise<SessionView>;
  /** Of the agent in view, or of the main agent. */
  transcript(agent?: "main"): Promise<readonly TranscriptItem[]>;
  /** Running subagents, oldest first. */
  runningAgents(): Promise<readonly AgentState[]>;
  copy(text: string): void;

  help(): void | Promise<void>;
  /** Makes the next message begin a new session; `follows`: the session that it is linked to. */
  begin(follows?: string): void;
  /** Opens a session by id, prefix or title; "" lets the user choose. `config` overrides its configuration. */
  open(wanted: string, config?: SessionConfig): Promise<void>;
  rename(title: string): Promise<void>;
  /** Offers a text as the next message, to be edited first. */
  draft(text: string): void;
  usage(): Promise<void>;
  /** Shows the contents of an agent's context window; only in the window. */
  context?(agent: string): Promise<void>;
  find(words: string): void | Promise<void>;
  /** Shows the conversation as plain text outside of the window; only in the window. */
  bare(): void | Promise<void>;
  /** Lets the user write a message in an editor. */
  edit(text: string): void | Promise<void>;
  agents(): void | Promise<void>;
  /** Stops the turn; only if no key does. */
  stopTurn?(): Promise<void>;
  /** Chooses a message to go back to; only in the window. */
  rewind?(): void;
  processes(args: string): void | Promise<void>;
  trust(): void | Promise<void>;
  chooseTheme(): void;
  keys(): void | Promise<void>;
  settings(args: string): void | Promise<void>;
  home(): void;
  /** `goesOn`: the session goes on without this front. */
  leave(how?: { goesOn: boolean }): void;
  /** Runs a command of the server and shows its answer. */
  runOnServer(name: string, args: string): Promise<void>;
}
