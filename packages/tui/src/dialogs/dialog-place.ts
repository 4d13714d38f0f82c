import { askerText } from "../state/agents.ts";
import type { AppState } from "../state/app-state.ts";
import type { Dialog } from "../state/dialogs.ts";

/** On a lower screen a dialog shows less around its body, and takes the rows of composer and HUD. */
const LOW_ROWS = 18;

/** Everything the layout of the first dialog depends on besides the dialog itself. */
export type DialogPlace = {
  readonly columns: number;
  readonly rows: number;
  /** Which agent asks and from which session, where these are not the ones in view. */
  readonly origin: readonly string[];
  /** Dialogs behind this one. */
  readonly behind: readonly Dialog[];
  /** The session in view. */
  readonly sessionId: string | undefined;
};

type View = Pick<AppState, "size" | "dialogs"> & {
  readonly sessionId: string | undefined;
  /** Which subagent asks; undefined for the root agent. */
  readonly asker: string | undefined;
};

export function dialogPlace({ size, dialogs, sessionId, asker }: View): DialogPlace {
  const [dialog, ...behind] = dialogs;
  const isElsewhere = dialog !== undefined && dialog.sessionId !== sessionId;
  const where = isElsewhere ? [`From session ${dialog.sessionId}, which works in the background.`] : [];
  return { ...size, origin: asker === undefined ? where : [...where, asker], behind, sessionId };
}

export function dialogPlaceIn(state: AppState): DialogPlace {
  return dialogPlace({ ...state, sessionId: state.session?.sessionId, asker: askerText(state) });
}

export function isLowScreen({ rows }: Pick<DialogPlace, "rows">): boolean {
  return rows < LOW_ROWS;
}
