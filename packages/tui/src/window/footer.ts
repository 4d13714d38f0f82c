import { ROOT_AGENT } from "@harness/protocol";
import { type ComposerOptions, composerRows } from "../composer/composer-rows.ts";
import { dialogPlaceIn } from "../dialogs/dialog-layout-input.ts";
import { dialogRow, hasAllRows } from "../dialogs/index.ts";
import { findRows } from "../find/find-rows.ts";
import { hints, type KeyLabels } from "../keymap/key-labels.ts";
import type { Cursor } from "../render/frame.ts";
import { screenRow } from "../screens/index.ts";
import { settingsSlice, settingValue } from "../screens/settings/state.ts";
import type { AppState } from "../state/app-state.ts";
import type { ChromeView } from "../state/chrome-view.ts";
import type { Dialog } from "../state/dialogs.ts";
import { frontDialog, isBusy } from "../state/selectors.ts";
import { type Row, row, sanitiseLine, span, style } from "../text/index.ts";
import { chordRows } from "../widgets/chord-rows.ts";
import { hudRow, leaveText } from "../widgets/hud-row.ts";
import { keySheetRows } from "../widgets/key-sheet-rows.ts";
import { maxComposerRows, PLACEHOLDER } from "./first-frame.ts";

/** The last rows of a screen, painted below what Ink lays out: they change with each key and cost no layout. */
export type Footer = {
  readonly input: readonly Row[];
  readonly cursor: Cursor | undefined;
  /** True if the HUD row is shown. */
  readonly hasHud: boolean;
};

function markingText(keys: KeyLabels): string {
  const arrows = ["marking.up", "marking.down", "marking.left", "marking.right"] as const;
  const begin = keys.hint("marking.begin", "marks from here");
  const ends = [keys.hint("marking.copy", "copies"), keys.hint("marking.close", "cancels")];
  const all = hints(keys.hint(arrows, "move"), begin, ...ends);
  return all === "" ? "Marking" : `Marking: ${all}`;
}

const NONE: Footer = { input: [], cursor: undefined, hasHud: false };

export function footerOf(state: AppState): Footer {
  const { composer, dialogs, overlay, screen, size, trust } = state;
  const [dialog] = overlay || screen !== "chat" ? [] : dialogs;
  if (trust || (dialog && hasAllRows(dialog, dialogPlaceIn(state)))) return draftOf(state);
  if (overlay) return NONE;
  if (!screenRow(screen).hasInput) return { ...NONE, hasHud: true };
  const found =
    screen === "chat" && state.find
      ? findRows(state.find, { columns: size.columns, keys: state.keymap.names })
      : undefined;
  const input = found ?? composerRows(composer, composerLook(state));
  return { input: input.rows, cursor: input.cursor, hasHud: true };
}

/** A message typed while there is no room for the input: in the last row, so that nothing is typed unseen. */
function draftOf({ composer, size }: AppState): Footer {
  if (composer.buffer.isEmpty) return NONE;
  const { rows, cursor } = composerRows(composer, {
    columns: size.columns,
    maxRows: 1,
    placeholder: "",
    inactive: false,
  });
  return { input: rows.slice(1, 2), cursor: cursor && { x: cursor.x, y: 0 }, hasHud: false };
}

export function composerLook(state: AppState): ComposerOptions {
  const { size } = state;
  const dialog = frontDialog(state);
  // A dialog needs the rows: one row of input remains.
  const maxRows = dialog ? 1 : maxComposerRows(size);
  return { columns: size.columns, maxRows, placeholder: placeholderOf(state), inactive: dialog?.armed === true };
}

/** The receiver of the input, if that is not the main agent. */
function placeholderOf(state: AppState): string {
  const { session, agentInView, rewindArmed, screen, keymap } = state;
  const { names } = keymap;
  if (rewindArmed) return names.hint("anywhere.escape", "again to rewind");
  const dialog = screen === "chat" ? frontDialog(state) : undefined;
  if (dialog) return answeringOf(dialog);
  if (agentInView === ROOT_AGENT) return screen === "chat" && isBusy(state) ? steeringOf(state) : PLACEHOLDER;
  const name = sanitiseLine(agentInView);
  const back = names.tail("anywhere.escape", "back to the main agent");
  if (session?.running.has(agentInView)) return `Message ${name}${back}`;
  return `${name} has ended and takes no messages${back}`;
}

/** While a dialog is open, Enter answers it. If the dialog has a field, typed text is its answer. */
function answeringOf(dialog: Dialog): string {
  return dialogRow(dialog).hasField(dialog) ? "Answer above" : "Answer above, or type a message";
}

/** When a message typed while the agent works will be sent. */
function steeringOf({ slices, keymap: { names } }: AppState): string {
  const isSwapped = settingValue(settingsSlice.of({ slices }).settings, "enter_while_running") === "queue";
  const [own, other] = isSwapped
    ? ["sends after this turn", "with the next step"]
    : ["sends with the next step", "after this turn"];
  return hints(names.hint("input.submit", own), names.hint("chat.sendOther", other)) || PLACEHOLDER;
}

/** The HUD row or, while a chord is typed, how it can continue; or the sheet of keys. */
export function statusRows(view: ChromeView): Row[] {
  if (view.chord) return chordRows(view.chord, view.size.columns);
  return view.keySheet ? keySheetRows(view) : [hudRowOf(view)];
}

function hudRowOf(view: ChromeView): Row {
  if (view.marking) return row(span(` ${markingText(view.keys)}`, style({ fg: "accent" })));
  const { hud, permissionMode, agentMode: mode, agents, commands, leaveArmed, size, dialogs, screen, keys } = view;
  // In Chat the dialog itself is in view.
  const questions = screen === "chat" ? 0 : dialogs.length;
  const hidden = settingValue(settingsSlice.of(view).settings, "hud_hide");
  const look = {
    agents,
    commands,
    questions,
    leaving: leaveArmed ? leaveText(keys) : undefined,
    hidden: Array.isArray(hidden) ? hidden : [],
  };
  return hudRow(hud && { ...hud, permissionMode, mode }, size.columns, look);
}
