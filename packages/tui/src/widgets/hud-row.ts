import type { Hud, PrefixReport } from "@harness/protocol";
import { PLAIN, type Row, row, sanitiseLine, span, stringWidth, style } from "../text/index.ts";
import type { Role } from "../theme/theme.ts";
import { pressureOf, pressures } from "./context-pressure.ts";
import { shortCost } from "./short-cost.ts";
import { tokenCount } from "./token-count.ts";

type HudPart = { readonly text: string; readonly role?: Role | undefined };
/** Parts shown together, without a dot between them. `isWork`: work that leaving would interrupt. */
type Group = { readonly rank: number; readonly parts: readonly HudPart[]; readonly isWork?: boolean };

const SEPARATOR = " · ";
export const LEAVE_TEXT = "Press Ctrl+C again to leave.";

/** `12.3k`, `128k`, `1.2M`: tokens in short. */
export function shortCount(count: number): string {
  if (count < 1000) return String(count);
  const [value, unit] = count < 999_500 ? [count / 1000, "k"] : [count / 1_000_000, "M"];
  return `${value < 9.95 ? value.toFixed(1).replace(/\.0$/, "") : Math.round(value)}${unit}`;
}

/** Below this share of kept prefix the HUD says why the cache broke. */
const WELL_KEPT = 0.9;

function brokenPrefix({ kept, of, break: broken }: PrefixReport): string | undefined {
  if (of === 0 || kept / of >= WELL_KEPT) return undefined;
  return `prefix ${Math.floor((100 * kept) / of)} %${broken ? ` (${broken.cause})` : ""}`;
}

/** The default agent mode is not shown. */
const USUAL_MODE = "agent";

function counts({ added, removed }: { added: number; removed: number }): HudPart[] {
  return [
    { text: `+${added}`, role: "added" },
    { text: ` −${removed}`, role: "removed" },
  ];
}

/** Uncommitted changes of git, and changes by the agent in this session, committed or not. */
function changeGroups({ git, agentChanges }: Hud): Group[] {
  const found: Group[] = [];
  if (git) {
    found.push({ rank: 3, parts: [{ text: `⎇ ${sanitiseLine(git.branch)}`, role: "accent" }] });
    if (git.added + git.removed > 0) found.push({ rank: 5, parts: counts(git) });
  }
  if (agentChanges && agentChanges.changedFiles > 0) {
    found.push({ rank: 5, parts: [{ text: "agent ", role: "muted" }, ...counts(agentChanges)] });
  }
  return found;
}

/** Whether commands are contained, whether anything may leave the machine, and which MCP servers are there. */
function containGroups({ sandbox, localOnly, mcp }: Hud): Group[] {
  const found: Group[] = [];
  if (sandbox?.active) found.push({ rank: 4, parts: [{ text: "sandbox", role: "success" }] });
  else if (sandbox) found.push({ rank: 2, parts: [{ text: "unsandboxed", role: "warning" }] });
  if (localOnly) found.push({ rank: 4, parts: [{ text: "local only", role: "info" }] });
  if (mcp) {
    const role = mcp.ready < mcp.total ? "warning" : "muted";
    found.push({ rank: 5, parts: [{ text: `mcp ${mcp.ready}/${mcp.total}`, role }] });
  }
  return found;
}

const UNKNOWN_COST = "cost unknown";

/** An unknown price is the first part to be dropped. */
function costGroup(cost: NonNullable<Hud["cost"]>): Group {
  const text = shortCost(cost, UNKNOWN_COST);
  return { rank: text === UNKNOWN_COST ? 6 : 3, parts: [{ text }] };
}

/** Lower ranks survive longer on a narrow screen. */
function groups(hud: Hud | undefined, agents: number): Group[] {
  if (!hud) return [{ rank: 0, parts: [{ text: "starting…", role: "muted" }] }];
  const { context, model, permissionMode, mode, queued, cost, prefix, truncated } = hud;
  const found: Group[] = changeGroups(hud);
  if (context) {
    const { usedTokens, windowTokens } = context;
    const percent = windowTokens > 0 ? Math.round((100 * usedTokens) / windowTokens) : 0;
    const pressure = pressures[pressureOf(usedTokens, windowTokens)];
    const word = pressure ? `, ${pressure.word}` : "";
    const text = `${shortCount(usedTokens)}/${shortCount(windowTokens)} (${percent}%${word})`;
    found.push({ rank: 0, parts: [{ text, role: pressure?.role }] });
  }
  if (hud.pinned) found.push({ rank: 5, parts: [{ text: `${hud.pinned} pinned`, role: "muted" }] });
  if (truncated) {
    const { sentTokens, readTokens } = truncated;
    const text = `server truncated: sent ≈${tokenCount(sentTokens)}, read ${tokenCount(readTokens)}`;
    found.unshift({ rank: 0, parts: [{ text, role: "error" }] });
  }
  if (model) found.push({ rank: 1, parts: [{ text: sanitiseLine(model.slice(model.lastIndexOf("/") + 1)) }] });
  if (mode !== undefined && mode !== USUAL_MODE)
    found.push({ rank: 2, parts: [{ text: sanitiseLine(mode), role: "accent" }] });
  found.push({ rank: 2, parts: [{ text: permissionMode, role: permissionMode === "auto" ? "warning" : "muted" }] });
  found.push(...containGroups(hud));
  if (cost) found.push(costGroup(cost));
  const broken = prefix && brokenPrefix(prefix);
  if (broken) found.push({ rank: 6, parts: [{ text: sanitiseLine(broken), role: "muted" }] });
  if (queued > 0) found.push({ rank: 4, isWork: true, parts: [{ text: `${queued} queued`, role: "muted" }] });
  const running = Math.max(agents, hud.agentsRunning);
  if (running > 0) {
    const text = `${running} ${running === 1 ? "agent" : "agents"}`;
    found.push({ rank: 4, isWork: true, parts: [{ text, role: "info" }] });
  }
  return found;
}

/** The HUD in one row; parts that do not fit are dropped, the least important first. */
export function hudRow(
  hud: Hud | undefined,
  columns: number,
  { agents = 0, questions = 0, leaving = false } = {},
): Row {
  let shown = groups(hud, agents);
  if (questions > 0) {
    const text = questions === 1 ? "a question waits in Chat" : `${questions} questions wait in Chat`;
    shown.unshift({ rank: 0, parts: [{ text, role: "warning" }] });
  }
  if (leaving) {
    shown = shown.map((group) => (group.isWork ? { ...group, rank: 0 } : group));
    shown.unshift({ rank: 0, parts: [{ text: LEAVE_TEXT, role: "warning" }] });
  }
  const joined = (): HudPart[] =>
    shown.flatMap(({ parts }, at) => (at === 0 ? parts : [{ text: SEPARATOR, role: "border" as const }, ...parts]));
  const width = (): number => joined().reduce((sum, { text }) => sum + stringWidth(text), 2);
  while (shown.length > 1 && width() > columns) {
    const worst = Math.max(...shown.map(({ rank }) => rank));
    shown = shown.filter((group) => group !== shown.findLast(({ rank }) => rank === worst));
  }
  return row(span(" "), ...joined().map(({ text, role }) => span(text, role ? style({ fg: role }) : PLAIN)));
}
