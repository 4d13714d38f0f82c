import type { AgentMode, PermissionMode } from "@harness/protocol";
import type { KeyLabels } from "../keymap/key-labels.ts";
import { askerText } from "../state/agents.ts";
import type { AppState } from "../state/app-state.ts";
import type { Dialog } from "../state/dialogs.ts";
import { isBusy, modesInForce } from "../state/selectors.ts";
import { sanitiseLine } from "../text/index.ts";

/** On a lower screen a dialog shows less around its body, and takes the rows of composer and HUD. */
const LOW_ROWS = 18;

/** Everything the layout of the first dialog depends on besides the dialog itself. */
export type DialogLayoutInput = {
  readonly columns: number;
  readonly rows: number;
  /** The asking agent and its session, unless they are the ones in view. */
  readonly origin: readonly string[];
  /** Dialogs waiting after this one. */
  readonly behind: readonly Dialog[];
  readonly leftTitles: AppState["leftTitles"];
  /** The folder that paths are shown relative to. */
  readonly root: string;
  /** The session in view. */
  readonly sessionId: string | undefined;
  /** True if the next permission mode would allow edits from now on. */
  readonly offersEdits: boolean;
  /** The names of the keys. */
  readonly keys: KeyLabels;
  /** Colours code. */
  readonly drawing: AppState["drawing"];
  /** True if the input holds a draft: on a low screen it gets a row below the dialog. */
  readonly hasDraft: boolean;
  /** True if the draft has the keys. */
  readonly isWriting: boolean;
  /** A turn runs in the session in view. */
  readonly isBusy: boolean;
};

type View = Pick<AppState, "size" | "dialogs" | "leftTitles" | "cwd" | "drawing"> & {
  readonly busy: boolean;
  readonly permissionMode: PermissionMode;
  readonly agentMode: AgentMode | undefined;
  readonly hasDraft: boolean;
  readonly sessionId: string | undefined;
  readonly keys: KeyLabels;
  /** The asking subagent; undefined for the root agent. */
  readonly asker: string | undefined;
};

export function dialogPlace(view: View): DialogLayoutInput {
  const {
    size,
    dialogs,
    leftTitles,
    cwd,
    drawing,
    sessionId,
    asker,
    permissionMode,
    agentMode = "agent",
    hasDraft,
    busy,
    keys,
  } = view;
  const [dialog, ...behind] = dialogs;
  const isElsewhere = dialog !== undefined && dialog.sessionId !== sessionId;
  const where = isElsewhere ? [`From ${sessionName(dialog, leftTitles)}, which runs in the background.`] : [];
  return {
    ...size,
    origin: asker === undefined ? where : [...where, asker],
    behind,
    leftTitles,
    root: cwd,
    sessionId,
    keys,
    drawing,
    offersEdits: !isElsewhere && agentMode === "agent" && permissionMode === "default",
    hasDraft,
    isWriting: dialog !== undefined && isWriting(dialog, { hasDraft }),
    isBusy: busy,
  };
}

/** The session that a dialog comes from, by its title if the window has had it in view. */
export function sessionName({ sessionId }: Dialog, titles: AppState["leftTitles"]): string {
  const title = titles.get(sessionId);
  return title === undefined ? `session ${sessionId}` : `the session “${sanitiseLine(title)}”`;
}

/** Someone who is writing a message continues it: that is not an answer. Escape leads to the dialog. */
export function isWriting({ isEntered = false }: Dialog, { hasDraft }: { hasDraft: boolean }): boolean {
  return hasDraft && !isEntered;
}

export function dialogPlaceIn(state: AppState): DialogLayoutInput {
  const { permissionMode, mode: agentMode } = modesInForce(state);
  const asks = { sessionId: state.session?.sessionId, asker: askerText(state), keys: state.keymap.names };
  const hasDraft = !state.composer.buffer.isEmpty;
  return dialogPlace({ ...state, ...asks, permissionMode, agentMode, hasDraft, busy: isBusy(state) });
}

/** How to get to the dialog while a draft has the keys. */
export function writingText({ keys }: Pick<DialogLayoutInput, "keys">, what: string): string {
  const how = keys.say("permission.stop", (key) => `${key}: ${what}`, `Send or clear it to ${what}.`);
  return `Your keys go to the message below. ${how}`;
}

export function isLowScreen({ rows }: Pick<DialogLayoutInput, "rows">): boolean {
  return rows < LOW_ROWS;
}
