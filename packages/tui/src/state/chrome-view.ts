import type { Hud } from "@harness/protocol";
import type { AppState } from "./app-state.ts";
import {
  askerText,
  endingText,
  modelWarning,
  modesInForce,
  rootAgent,
  runningAgents,
  secondsLeft,
} from "./selectors.ts";

/** Parts of the state that change with each typed key or chunk; rows painted directly show them. */
type Painted = "composer" | "session" | "changes" | "request" | "turnSinceMs";

/** The state that is laid out: nothing here changes with a typed key or a chunk. */
export type ChromeView = Omit<AppState, Painted> & {
  readonly sessionId: string | undefined;
  readonly queue: readonly {
    readonly promptId: string;
    readonly content: readonly { readonly type: string; readonly text?: string }[];
  }[];
  readonly permissionMode: Hud["permissionMode"];
  readonly agentMode: Hud["mode"];
  readonly agents: number;
  /** Which subagent the first dialog comes from, and its task. */
  readonly asker: string | undefined;
  /** Until the question in view expires; changes once a second. */
  readonly secondsLeft: number | undefined;
  readonly completion: AppState["composer"]["completion"];
  readonly busy: boolean;
  /** Why the model in use is not the one that was asked for. */
  readonly modelWarning: string | undefined;
  /** How the last turn ended, where that is worth saying, and whether it failed. */
  readonly ending: string | undefined;
  readonly failed: boolean;
};

const NO_QUEUE: ChromeView["queue"] = [];

export function chromeView(state: AppState, wallNowMs: number): ChromeView {
  const { composer, session, changes: _changes, request: _request, turnSinceMs, ...shown } = state;
  const { permissionMode, mode: agentMode } = modesInForce(state);
  return {
    ...shown,
    permissionMode,
    agentMode,
    sessionId: session?.sessionId,
    queue: session?.queue ?? NO_QUEUE,
    agents: runningAgents(session).length,
    asker: askerText(state),
    secondsLeft: secondsLeft(state, wallNowMs),
    completion: composer.completion,
    busy: turnSinceMs !== undefined,
    modelWarning: modelWarning(state),
    ending: endingText(session),
    failed: rootAgent(session)?.error !== undefined,
  };
}

/** The same values: nothing has to be laid out again. */
export function sameView(a: ChromeView, b: ChromeView): boolean {
  return (Object.keys(a) as (keyof ChromeView)[]).every((key) => a[key] === b[key]);
}
