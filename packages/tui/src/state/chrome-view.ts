import type { AppState } from "./app-state.ts";
import { askerText, endingText, modelWarning, rootAgent, runningAgents, secondsLeft } from "./selectors.ts";

/** What Ink draws from, apart from what the presenter paints: nothing here changes with a typed key or a chunk. */
export type ChromeView = Pick<
  AppState,
  | "screen"
  | "size"
  | "cwd"
  | "version"
  | "link"
  | "title"
  | "hud"
  | "providers"
  | "recent"
  | "homeSelected"
  | "reading"
  | "outgoing"
  | "steering"
  | "cards"
  | "history"
  | "settings"
  | "keys"
  | "serverCommands"
  | "overlay"
  | "trust"
  | "notes"
  | "leaveArmed"
> & {
  readonly sessionId: string | undefined;
  readonly queue: readonly {
    readonly promptId: string;
    readonly content: readonly { readonly type: string; readonly text?: string }[];
  }[];
  readonly agents: number;
  /** Which subagent the first card's question comes from, and what it was told to do. */
  readonly asker: string | undefined;
  /** Until the question in view is given up; changes once a second. */
  readonly secondsLeft: number | undefined;
  readonly completion: AppState["composer"]["completion"];
  /** Rows of the composer's hole, rules and all. */
  readonly composerRows: number;
  readonly busy: boolean;
  /** Why the model in use is another one than was asked for; until it is changed. */
  readonly modelWarning: string | undefined;
  /** How the last turn ended, where that is worth saying, and whether it failed. */
  readonly ending: string | undefined;
  readonly failed: boolean;
};

const NO_QUEUE: ChromeView["queue"] = [];

export function chromeView(state: AppState, composerRows: number, wallNowMs: number): ChromeView {
  const { screen, size, cwd, version, link, title, hud, providers, recent, homeSelected, outgoing, cards } = state;
  const { history, settings, keys, serverCommands, overlay, notes, leaveArmed, session, composer, turnSinceMs } = state;
  return {
    screen,
    size,
    cwd,
    version,
    link,
    title,
    reading: state.reading,
    hud,
    providers,
    recent,
    homeSelected,
    outgoing,
    steering: state.steering,
    cards,
    history,
    settings,
    keys,
    serverCommands,
    overlay,
    trust: state.trust,
    notes,
    leaveArmed,
    sessionId: session?.sessionId,
    queue: session?.queue ?? NO_QUEUE,
    agents: runningAgents(session).length,
    asker: askerText(state),
    secondsLeft: secondsLeft(state, wallNowMs),
    completion: composer.completion,
    composerRows,
    busy: turnSinceMs !== undefined,
    modelWarning: modelWarning(state),
    ending: endingText(session),
    failed: rootAgent(session)?.error !== undefined,
  };
}

/** The same values: nothing to lay out anew. */
export function sameView(a: ChromeView, b: ChromeView): boolean {
  return (Object.keys(a) as (keyof ChromeView)[]).every((key) => a[key] === b[key]);
}
