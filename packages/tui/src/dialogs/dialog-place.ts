import type { AppState } from "../state/app-state.ts";
import type { Dialog } from "../state/dialogs.ts";
import { askerText } from "../state/selectors.ts";

/** On a lower screen a dialog says less around its body, and takes the rows of the composer and the numbers. */
const LOW_ROWS = 18;

/** What the first dialog's layout depends on besides the dialog. */
export type DialogPlace = {
  readonly columns: number;
  readonly rows: number;
  /** Who asks, where it is not the agent the person talks to, and from which session. */
  readonly said: readonly string[];
  /** Dialogs behind this one. */
  readonly behind: number;
};

type View = {
  readonly size: { readonly columns: number; readonly rows: number };
  readonly dialogs: readonly Dialog[];
  readonly sessionId: string | undefined;
  /** Which subagent asks; undefined: the agent the person talks to. */
  readonly asker: string | undefined;
};

export function dialogPlace({ size, dialogs, sessionId, asker }: View): DialogPlace {
  const [dialog] = dialogs;
  const isElsewhere = dialog !== undefined && dialog.sessionId !== sessionId;
  const where = isElsewhere ? [`From session ${dialog.sessionId}, which works in the background.`] : [];
  return { ...size, said: asker === undefined ? where : [...where, asker], behind: Math.max(0, dialogs.length - 1) };
}

export function dialogPlaceIn(state: AppState): DialogPlace {
  return dialogPlace({ ...state, sessionId: state.session?.sessionId, asker: askerText(state) });
}

export function isLowScreen({ rows }: Pick<DialogPlace, "rows">): boolean {
  return rows < LOW_ROWS;
}
