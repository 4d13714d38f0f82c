import { ROOT_AGENT } from "@harness/protocol";
import { type ComposerLook, composerRows } from "../composer/composer-rows.ts";
import { isLowScreen } from "../dialogs/dialog-place.ts";
import { findRows } from "../find/find-rows.ts";
import type { Cursor } from "../render/frame.ts";
import { screenRow } from "../screens/index.ts";
import { settingsSlice, settingValue } from "../screens/settings/state.ts";
import type { AppState } from "../state/app-state.ts";
import type { ChromeView } from "../state/chrome-view.ts";
import { frontDialog, isBusy } from "../state/selectors.ts";
import { type Row, row, sanitiseLine, span, style } from "../text/index.ts";
import { chordRow } from "../widgets/chord-row.ts";
import { hudRow } from "../widgets/hud-row.ts";
import { maxComposerRows, PLACEHOLDER } from "./first-frame.ts";

/** The last rows of a screen, painted below what Ink lays out: they change with each key and cost no layout. */
export type Footer = {
  readonly input: readonly Row[];
  readonly cursor: Cursor | undefined;
  /** Whether the HUD row is there. */
  readonly hasHud: boolean;
};

const MARKING = "Marking: arrows move · Space marks from here · Enter copies · Esc cancels";
const NONE: Footer = { input: [], cursor: undefined, hasHud: false };

export function footerOf(state: AppState): Footer {
  const { composer, dialogs, overlay, screen, size, trust } = state;
  // Overlays need all rows, and so does a dialog on a low screen.
  if (overlay || trust || (screen === "chat" && dialogs.length > 0 && isLowScreen(size))) return NONE;
  if (!screenRow(screen).aboveInput) return { ...NONE, hasHud: true };
  const found = screen === "chat" && state.find ? findRows(state.find, state.size.columns) : undefined;
  const input = found ?? composerRows(composer, composerLook(state));
  return { input: input.rows, cursor: input.cursor, hasHud: true };
}

export function composerLook(state: AppState): ComposerLook {
  const { size } = state;
  const dialog = frontDialog(state);
  // A dialog needs the rows: one row of input remains.
  const maxRows = dialog ? 1 : maxComposerRows(size);
  return { columns: size.columns, maxRows, placeholder: placeholderOf(state), inactive: dialog?.armed === true };
}

/** Whom the input is for, where that is not the main agent. */
function placeholderOf(state: AppState): string {
  const { session, agentInView, rewindArmed, screen } = state;
  if (rewindArmed) return "Esc again to rewind";
  if (agentInView === ROOT_AGENT) return screen === "chat" && isBusy(state) ? steeringOf(state) : PLACEHOLDER;
  const name = sanitiseLine(agentInView);
  if (session?.running.has(agentInView)) return `Message ${name} · Esc back to the main agent`;
  return `${name} has ended and takes no messages · Esc back to the main agent`;
}

/** When a message is sent that is typed while the agent works. */
function steeringOf({ slices }: AppState): string {
  const isSwapped = settingValue(settingsSlice.of({ slices }).settings, "enter_while_running") === "queue";
  return isSwapped
    ? "Enter sends after this turn · Tab with the next step"
    : "Enter sends with the next step · Tab after this turn";
}

/** The HUD row; while a chord is typed, how it can go on. */
export function hudRowOf(view: ChromeView): Row {
  if (view.chord) return chordRow(view.chord, view.size.columns);
  if (view.marking) return row(span(` ${MARKING}`, style({ fg: "accent" })));
  const { hud, permissionMode, agentMode: mode, agents, leaveArmed: leaving, size, dialogs, screen } = view;
  // In Chat the dialog itself is in view.
  const questions = screen === "chat" ? 0 : dialogs.length;
  const hidden = settingValue(settingsSlice.of(view).settings, "hud_hide");
  const look = { agents, questions, leaving, hidden: Array.isArray(hidden) ? hidden : [] };
  return hudRow(hud && { ...hud, permissionMode, mode }, size.columns, look);
}
