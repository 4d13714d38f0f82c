import { hints } from "../../keymap/key-labels.ts";
import { emptyRows } from "../../overlays/models/model-picker-rows.ts";
import { optionRow, sentences } from "../../overlays/models/setup-rows.ts";
import type { ChromeView } from "../../state/chrome-view.ts";
import { isWithoutModel } from "../../state/selectors.ts";
import { EMPTY_ROW, type Row, row, sanitiseLine, span, style, truncateRow } from "../../text/index.ts";
import { inset } from "../../widgets/boxes.ts";
import { factRows } from "./fact-rows.ts";
import { homeHead } from "./home-head.ts";
import { sessionRows, wantedRows } from "./session-rows.ts";
import { starterRows } from "./starters.ts";
import { homeOptions, homeSlice } from "./state.ts";
import { tipsAt } from "./tips.ts";

type View = ChromeView;
type HomeSize = { readonly columns: number; readonly height: number; readonly nowMs: number };

const MUTED = style({ fg: "muted" });
const WARNING = style({ fg: "warning" });
const HEADING = style({ fg: "heading", bold: true });
/** Longer rows are hard to follow with the eye. */
const MAX_COLUMNS = 120;
const MAX_TIPS = 3;
/** With fewer rows, no tips are shown. */
const ROWS_FOR_TIP = 12;
/** With fewer rows, no work is proposed. */
const ROWS_FOR_STARTERS = 14;

/** Home: the state of the folder, the recent sessions, and what to do next; at most `height` rows. */
export function homeRows(view: View, { height, nowMs }: Omit<HomeSize, "columns">): Row[] {
  const { size, version, cwd } = view;
  const columns = Math.min(MAX_COLUMNS, size.columns - 2);
  const head = homeHead({ version, cwd }, size);
  const above = height > 10 ? [...head, EMPTY_ROW] : head;
  const place = { columns, height: height - above.length, nowMs };
  const [slow] = homeSlice.of(view).waiting;
  const body =
    slow && view.hud?.model === undefined
      ? sentences([waitingText(slow)], columns)
      : isWithoutModel(view)
        ? setupRows(view, columns)
        : usedRows(view, place);
  return [...above, ...inset(body, columns + 2)].slice(0, height);
}

function waitingText({ name, address }: { name: string; address: string }): string {
  return `Waiting for ${sanitiseLine(name)} at ${sanitiseLine(address)}: it accepted the connection and has not answered yet…`;
}

/** Why there is no model, and what to do. */
function setupRows(view: View, columns: number): Row[] {
  const { marked = 0 } = homeSlice.of(view);
  const move = view.keys.hint(["home.markUp", "home.markDown"], "move");
  const choose = hints(move, view.keys.hint("home.open", "chooses"));
  const hint = `${choose === "" ? "" : `${choose}. `}What you type now is sent once there is a model.`;
  return [
    ...sentences([view.hud?.problem ?? ""], columns, WARNING),
    EMPTY_ROW,
    ...homeOptions(view).map((option, at) => truncateRow(optionRow(option, { isMarked: at === marked }), columns)),
    EMPTY_ROW,
    ...emptyRows(view, columns),
    EMPTY_ROW,
    row(span(hint, MUTED)),
  ];
}

function usedRows(view: View, { columns, height, nowMs }: HomeSize): Row[] {
  const { recent, marked } = homeSlice.of(view);
  const facts = factRows(view, columns, nowMs);
  const isListed = recent !== undefined && recent.length > 0;
  const starters = height < ROWS_FOR_STARTERS ? [] : startRows(view, isListed);
  const next = [...starters, ...nextRows(view)].map((each) => truncateRow(each, columns));
  // Blank rows around the list, and its heading.
  const others = facts.length + next.length + (isListed ? 3 : 1);
  const hasInstructions = homeSlice.of(view).overview?.instructions.length !== 0;
  const tips = tipsAt(nowMs, view.keys, { hasInstructions, hasSessions: isListed })
    .slice(0, tipsFor(height, height - others - (isListed ? wantedRows(recent) : 0)))
    .map((tip) => truncateRow(row(span(`· ${tip}`, MUTED)), columns));
  const below = [...next, ...tips];
  const room = height - others - tips.length;
  if (!isListed || room < 1) return [...facts, EMPTY_ROW, ...below];
  const list = sessionRows({ recent, marked, openId: view.sessionId }, { columns, height: room, nowMs });
  const does =
    marked === undefined ? view.keys.hint("home.markDown", "marks one") : view.keys.hint("home.open", "opens it");
  return [
    ...facts,
    EMPTY_ROW,
    row(span("Recent sessions", HEADING), span(`  ${does}`, MUTED)),
    ...list,
    EMPTY_ROW,
    ...below,
  ];
}

/** Proposed work: in one row below a list of sessions. */
function startRows(view: View, isShort: boolean): Row[] {
  const starters = starterRows(view, { isShort });
  if (starters.length === 0) return [];
  return isShort ? [...starters, EMPTY_ROW] : [row(span("Start with", HEADING)), ...starters, EMPTY_ROW];
}

/** Tips get the remaining rows; one of them has a row even if the list has to be cut for it. */
function tipsFor(height: number, left: number): number {
  return Math.max(height < ROWS_FOR_TIP ? 0 : 1, Math.min(MAX_TIPS, left));
}

/** The keys to press: how to begin, and how to go back. */
function nextRows({ sessionId, ...view }: View): Row[] {
  const { keys } = view;
  if (homeSlice.of(view).recent?.length === 0) {
    const task = keys.say("input.submit", (key) => `Type a task and press ${key}.`, "Type a task.");
    const begin = `${task} / lists commands, @ adds a file.`;
    return [row(span("No sessions in this folder yet.")), row(span(begin, MUTED)), EMPTY_ROW];
  }
  if (sessionId === undefined) return [];
  return [row(span(keys.hint("home.open", "goes back to the open session."), MUTED)), EMPTY_ROW];
}
