import { elapsed } from "../../figures/elapsed.ts";
import { roughTime } from "../../figures/rough-time.ts";
import { shortCost } from "../../figures/short-cost.ts";
import { tokenCount } from "../../figures/token-count.ts";
import { hints, type KeyLabels } from "../../keymap/key-labels.ts";
import { worktreeText } from "../../render/transcript/index.ts";
import {
  EMPTY_ROW,
  padRow,
  type Row,
  row,
  sanitiseLine,
  span,
  stringWidth,
  style,
  truncateRow,
} from "../../text/index.ts";
import type { Role } from "../../theme/theme.ts";
import { inset, listMarker, spread } from "../../widgets/boxes.ts";
import { formatCount, listWindow } from "../../widgets/list-slice.ts";
import { type OverlayView, overlayFrame } from "../../widgets/overlay-frame.ts";
import type { AgentLine, AgentTree, AskedOfAgent } from "./state.ts";

const BOLD = style({ bold: true });
const MUTED = style({ fg: "muted" });
const WARNING = style({ fg: "warning" });
/** A narrower screen has no columns of tokens and cost. */
const ROOMY_COLUMNS = 72;
/** On a wider screen the figures stay near their agent. */
const MAX_COLUMNS = 140;

/** Each state has its own sign and word: colours only repeat them. */
const states: Record<AgentLine["state"], { readonly mark: string; readonly role: Role; readonly word: string }> = {
  running: { mark: "◇", role: "accent", word: "running" },
  waiting: { mark: "◇", role: "accent", word: "waiting" },
  requires_action: { mark: "?", role: "warning", word: "asks you" },
  idle: { mark: "·", role: "muted", word: "idle" },
  completed: { mark: "◆", role: "success", word: "done" },
  failed: { mark: "✗", role: "error", word: "failed" },
  cancelled: { mark: "⊘", role: "muted", word: "stopped" },
  interrupted: { mark: "⊘", role: "warning", word: "interrupted" },
};

/** The session's agents as a tree, two rows each: the agent, and its activity or result. */
export function agentTreeRows(tree: AgentTree, view: OverlayView): Row[] {
  const { columns, rows: height } = view.size;
  const { lines, marked: id, question, message, nowMs } = tree;
  const at = Math.max(
    0,
    lines.findIndex(({ agentId }) => agentId === id),
  );
  const { from, to } = listWindow(at, lines.length, Math.floor((height - 4) / 2));
  const width = Math.min(columns - 2, MAX_COLUMNS);
  const shown = lines.slice(from, to);
  const body = shown.flatMap((line) => rowsOf(line, line.agentId === id, { nowMs, width }));
  const above = from > 0 ? `↑ ${from} more  ` : "";
  const below = to < lines.length ? `↓ ${lines.length - to} more` : "";
  const rows = [
    spread([span("Agents", BOLD), span(`  ${summary(lines)}`, MUTED)], [span(`${above}${below}`, MUTED)], width),
    EMPTY_ROW,
    ...body,
  ];
  const last = question ? questionOf(question, view.keys) : message;
  if (last !== undefined) {
    const above = overlayFrame(inset(rows, columns), "", view).slice(0, -1);
    return [...above, truncateRow(row(span(` ${sanitiseLine(last)}`, WARNING)), columns)];
  }
  const line = lines[at];
  return overlayFrame(inset(rows, columns), keysText(line, view.keys), view);
}

function keysText(line: AgentLine | undefined, keys: KeyLabels): string {
  const changes = [
    keys.hint("agents.diff", "diff"),
    keys.hint("agents.apply", "apply"),
    keys.hint("agents.drop", "drop"),
  ];
  return hints(
    keys.hint(["lists.up", "lists.down"], "move"),
    keys.hint("agents.open", "open"),
    line?.canStop ? keys.hint("agents.stop", "stop") : "",
    ...(line?.worktree?.state === "open" ? changes : []),
    keys.hint("lists.close", "close"),
  );
}

function questionOf({ agentId, what }: AskedOfAgent, keys: KeyLabels): string {
  const does = {
    stop: `stop ${agentId} and the agents below it.`,
    apply: `apply the changes of ${agentId} to the workspace; /undo can revert them.`,
    drop: `drop the changes of ${agentId}.`,
  };
  return keys.say(`agents.${what}`, (key) => `Press ${key} again to ${does[what]}`);
}

function summary(lines: readonly AgentLine[]): string {
  const below = lines.filter(({ branch }) => branch !== "");
  if (below.length === 0) return "only the main agent so far";
  const counts = Object.entries(states).map(([state, { word }]) => {
    const count = below.filter((each) => each.state === state).length;
    return count > 0 ? [`${count} ${word}`] : [];
  });
  return counts.flat().join(", ");
}

type TreeRowOptions = { readonly nowMs: number; readonly width: number };

function rowsOf(line: AgentLine, isMarked: boolean, { nowMs, width }: TreeRowOptions): Row[] {
  const { mark, role, word } = states[line.state];
  const look = style({ fg: role });
  const { agentId, name, task, branch, stem, background, unread, worktree } = line;
  const called = name === undefined ? agentId : `${agentId} (${sanitiseLine(name)})`;
  const head = [
    listMarker(branch, { isMarked, look: MUTED }),
    span(`${mark} `, look),
    span(`${sanitiseLine(called)}  `, isMarked ? style({ fg: "accent", bold: true }) : BOLD),
    span(sanitiseLine(task)),
  ];
  const signs = [
    ...(unread > 0 ? [span(`${formatCount(unread, "message")} unread · `, WARNING)] : []),
    ...(background ? [span("background · ", MUTED)] : []),
    ...(worktree && worktree.files > 0
      ? [span(`${worktreeText(worktree)} · `, worktree.state === "open" ? WARNING : MUTED)]
      : []),
  ];
  const state = padRow(row(span(`  ${word}`, look)), 12).spans;
  const isRoomy = width >= ROOMY_COLUMNS;
  const figures = isRoomy ? [span(columnsOf(line), MUTED)] : [];
  const ms = ageOf(line, nowMs);
  const age = isRoomy
    ? padded(ms === undefined ? "" : elapsed(ms), 13)
    : padded(ms === undefined ? "" : roughTime(ms), 8);
  const right = [...state, ...figures, span(age, MUTED)];
  const indent = `  ${stem}  `;
  return [
    spread(head, right, width),
    truncateRow(row(span(indent, MUTED), ...signs, span(sanitiseLine(line.doing), MUTED)), width),
  ];
}

function columnsOf({ tokens, cost }: AgentLine): string {
  const money = cost.usd === 0 && cost.unpricedRequests === 0 ? "" : shortCost(cost, "");
  return `${padded(tokens === 0 ? "" : tokenCount(tokens), 7)}${padded(money, 9)}`;
}

function padded(text: string, width: number): string {
  return " ".repeat(Math.max(1, width - stringWidth(text))) + text;
}

function ageOf({ startedAt, endedAt }: AgentLine, nowMs: number): number | undefined {
  if (startedAt === undefined) return undefined;
  const until = endedAt === undefined ? nowMs : Date.parse(endedAt);
  const ms = until - Date.parse(startedAt);
  return Number.isNaN(ms) ? undefined : ms;
}
