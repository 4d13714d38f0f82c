import { type Hud, ROOT_AGENT, type Todo } from "@harness/protocol";
import type { KeyLabels } from "../keymap/key-labels.ts";
import { askerText, shownAgent } from "./agents.ts";
import type { AppState } from "./app-state.ts";
import { modelWarning, modesInForce, runningCommands, secondsLeft } from "./selectors.ts";

/** Parts of the state that change with each typed key or chunk; the rows that show them are painted directly. */
type PaintedField = "composer" | "find" | "session" | "changes" | "request" | "turnSinceMs";

/** The state that goes through layout: nothing here changes with a typed key or a chunk. */
export type ChromeView = Omit<AppState, PaintedField> & {
  readonly sessionId: string | undefined;
  readonly queue: readonly {
    readonly promptId: string;
    readonly content: readonly { readonly type: string; readonly text?: string }[];
  }[];
  readonly permissionMode: Hud["permissionMode"];
  readonly agentMode: Hud["mode"];
  readonly agents: number;
  /** Background commands that run. */
  readonly commands: number;
  /** The names of the keys, for sentences. */
  readonly keys: KeyLabels;
  /** Tasks of the agent in view. */
  readonly todos: readonly Todo[];
  /** The subagent that the first dialog comes from, and its task. */
  readonly asker: string | undefined;
  /** Seconds until the question in view expires; changes once a second. */
  readonly secondsLeft: number | undefined;
  /** The input is not empty. */
  readonly hasDraft: boolean;
  readonly completion: AppState["composer"]["completion"];
  readonly search: AppState["composer"]["search"];
  readonly stashed: AppState["composer"]["stashed"];
  readonly busy: boolean;
  /** Why the model in use is not the requested one. */
  readonly modelWarning: string | undefined;
};

const NO_QUEUE: ChromeView["queue"] = [];
const NO_TODOS: ChromeView["todos"] = [];

export function chromeView(state: AppState, wallNowMs: number): ChromeView {
  const { composer, find: _find, session, changes: _changes, request: _request, turnSinceMs, ...shown } = state;
  const { permissionMode, mode: agentMode } = modesInForce(state);
  const isMain = state.agentInView === ROOT_AGENT;
  const agent = shownAgent(state);
  return {
    ...shown,
    permissionMode,
    agentMode,
    sessionId: session?.sessionId,
    queue: isMain ? (session?.queue ?? NO_QUEUE) : NO_QUEUE,
    agents: session?.running.size ?? 0,
    commands: runningCommands(state).length,
    keys: state.keymap.names,
    todos: agent?.todos ?? NO_TODOS,
    asker: askerText(state),
    secondsLeft: secondsLeft(state, wallNowMs),
    hasDraft: !composer.buffer.isEmpty,
    completion: composer.completion,
    search: composer.search,
    stashed: composer.stashed,
    busy: isMain ? turnSinceMs !== undefined : agent?.run === "running",
    modelWarning: modelWarning(state),
  };
}

/** True if the values are equal and nothing needs a new layout. */
export function sameView(a: ChromeView, b: ChromeView): boolean {
  return (Object.keys(a) as (keyof ChromeView)[]).every((key) => a[key] === b[key]);
}
