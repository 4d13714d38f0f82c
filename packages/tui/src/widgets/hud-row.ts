import { modeWords } from "@harness/client/actions";
import type { Hud, HudPartName, PrefixReport } from "@harness/protocol";
import { shortCost } from "../figures/short-cost.ts";
import { shortCount } from "../figures/short-count.ts";
import { tokenCount } from "../figures/token-count.ts";
import type { KeyLabels } from "../keymap/key-labels.ts";
import { ansiLines } from "../text/ansi-text.ts";
import {
  PLAIN,
  type Row,
  row,
  type Span,
  sanitiseLine,
  span,
  stringWidth,
  style,
  truncateMiddle,
  truncateRow,
} from "../text/index.ts";
import type { Role } from "../theme/theme.ts";
import { pressureOf, pressures } from "./context-pressure.ts";
import { cutSentence, goalLimits, goalParts, type HudPart, headParts } from "./hud-head.ts";

/**
 * Parts shown together, without a dot between them. `name`: their name in the setting `hud_hide`; parts without one
 * cannot be hidden. `isWork`: work that leaving would interrupt. `isRight`: at the end of the row.
 */
type Group = {
  readonly name?: HudPartName;
  readonly rank: number;
  readonly parts: readonly HudPart[];
  readonly isWork?: boolean;
  readonly isRight?: boolean;
};

const SEPARATOR = " · ";

/** The effect of pressing the interrupt key a second time. */
export function leaveText(keys: KeyLabels): string {
  return keys.say("anywhere.interrupt", (key) => `Press ${key} again to leave.`);
}

/** Below this share of kept prefix the HUD says why the cache broke; from the second on, that only a part is lost. */
const WELL_KEPT = 0.9;
const HALF_KEPT = 0.5;

function lostCache({ kept, of, break: broken }: PrefixReport): string | undefined {
  if (of === 0 || kept / of >= WELL_KEPT) return undefined;
  return `cache ${kept / of >= HALF_KEPT ? "partly lost" : "lost"}${broken ? `: ${broken.cause}` : ""}`;
}

/** Every mode except asking first stands out. */
function modeRole({ permissionMode, mode = "agent" }: Pick<Hud, "permissionMode" | "mode">): Role {
  if (mode !== "agent") return "accent";
  if (permissionMode === "allow-all") return "warning";
  return permissionMode === "default" ? "muted" : "accent";
}

type Counts = { added: number; removed: number; changedFiles: number; uncounted?: number | undefined };

/** Counts of lines, or of files if no line changed, as with empty files; and of files whose lines were not counted. */
function counts({ added, removed, changedFiles, uncounted = 0 }: Counts): HudPart[] {
  const files = (count: number): HudPart => ({ text: `${count} ${count === 1 ? "file" : "files"}`, role: "added" });
  if (added + removed === 0) return [files(changedFiles)];
  const more = uncounted > 0 ? [{ text: " + " }, files(uncounted)] : [];
  return [{ text: `+${added}`, role: "added" }, { text: ` −${removed}`, role: "removed" }, ...more];
}

/**
 * True if git and the agent would show the same text; then one of them is enough, even if one has one more empty file.
 */
function isSame(git: Counts | undefined, agent: Counts): boolean {
  const words = (of: Counts): string =>
    counts(of)
      .map(({ text }) => text)
      .join("");
  return git !== undefined && words(git) === words(agent);
}

/** Uncommitted changes according to git, and the agent's changes in this session. */
function changeGroups({ git, gitProblem, agentChanges }: Hud): Group[] {
  const found: Group[] = [];
  if (gitProblem) found.push({ name: "branch", rank: 3, parts: [{ text: `git: ${gitProblem}`, role: "warning" }] });
  if (git) {
    found.push({ name: "branch", rank: 1, parts: headParts(git) });
    if (git.changedFiles > 0) found.push({ name: "changes", rank: 5, parts: counts(git) });
  }
  // Where git sees no change, what the agent changed is committed, or taken back.
  const isClean = git !== undefined && git.changedFiles === 0;
  if (agentChanges && agentChanges.changedFiles > 0 && !isClean && !isSame(git, agentChanges)) {
    const parts: HudPart[] = [{ text: "by agent ", role: "muted" }, ...counts(agentChanges)];
    found.push({ name: "agent-changes", rank: 5, parts });
  }
  return found;
}

/** Servers that work are not mentioned. */
function mcpPart({ ready, total, failed = 0, starting = 0 }: NonNullable<Hud["mcp"]>): HudPart | undefined {
  if (failed > 0) return { text: `${failed} MCP ${failed === 1 ? "server" : "servers"} failed`, role: "warning" };
  if (starting > 0) return { text: `MCP starting ${ready}/${total}`, role: "muted" };
  return undefined;
}

/** Mistakes in changed files. */
function diagnosticsPart({ errors, warnings }: NonNullable<Hud["diagnostics"]>): HudPart {
  if (errors > 0) return { text: `${errors} ${errors === 1 ? "error" : "errors"}`, role: "error" };
  return { text: `${warnings} ${warnings === 1 ? "warning" : "warnings"}`, role: "warning" };
}

/** The sandbox, local-only mode, MCP servers, how far indexing is, and mistakes. */
function containGroups({ sandbox, localOnly, mcp, indexing, diagnostics }: Hud): Group[] {
  const found: Group[] = [];
  if (sandbox?.active) found.push({ name: "sandbox", rank: 4, parts: [{ text: "sandbox", role: "success" }] });
  else if (sandbox) found.push({ rank: 2, parts: [{ text: "unsandboxed", role: "warning" }] });
  if (localOnly) found.push({ name: "local-only", rank: 4, parts: [{ text: "local only", role: "info" }] });
  const part = mcp && mcpPart(mcp);
  if (part) found.push({ name: "mcp", rank: 5, parts: [part] });
  if (indexing) {
    const text = indexing.isPaused ? "indexing paused" : `indexing ${indexing.percent}%`;
    found.push({ name: "indexing", rank: 5, parts: [{ text, role: "muted" }] });
  }
  if (diagnostics) found.push({ name: "diagnostics", rank: 3, parts: [diagnosticsPart(diagnostics)] });
  return found;
}

/** The model and how full its context window is, at the end of the row. */
function modelGroups({ model, context }: Hud): Group[] {
  const found: Group[] = [];
  if (model) {
    const text = sanitiseLine(model.slice(model.lastIndexOf("/") + 1));
    found.push({ name: "model", rank: 1, isRight: true, parts: [{ text }] });
  }
  if (context) {
    // Compaction goes by this share.
    const { usedTokens, windowTokens, usableTokens = windowTokens } = context;
    const percent = usableTokens > 0 ? Math.round((100 * usedTokens) / usableTokens) : 0;
    const pressure = pressures[pressureOf(usedTokens, usableTokens)];
    const word = pressure ? `, ${pressure.word}` : "";
    const text = `${shortCount(usedTokens)}/${shortCount(usableTokens)} (${percent}%${word})`;
    const group: Group = { rank: 0, isRight: true, parts: [{ text, role: pressure?.role }] };
    // A context window that fills up is never hidden.
    found.push(pressure ? group : { ...group, name: "context" });
  }
  return found;
}

/** Waiting and running work. */
function workGroups({ pendingEdits, queued, agentsRunning }: Hud, agents: number): Group[] {
  const found: Group[] = [];
  if (pendingEdits) {
    const { changes } = pendingEdits;
    found.push({
      rank: 1,
      parts: [{ text: `${changes} ${changes === 1 ? "edit" : "edits"} pending`, role: "accent" }],
    });
  }
  if (queued > 0)
    found.push({ name: "queue", rank: 4, isWork: true, parts: [{ text: `${queued} queued`, role: "muted" }] });
  const running = Math.max(agents, agentsRunning);
  if (running > 0) {
    const text = `${running} ${running === 1 ? "agent" : "agents"}`;
    found.push({ name: "agents", rank: 4, isWork: true, parts: [{ text, role: "info" }] });
  }
  return found;
}

/** The limits of a goal are left out first. */
function goalGroups(goal: NonNullable<Hud["goal"]>): Group[] {
  return [
    { name: "goal", rank: 1, parts: goalParts(goal) },
    { name: "goal", rank: 6, parts: [{ text: goalLimits(goal), role: "muted" }] },
  ];
}

function endsText(commands: number): string {
  return commands === 1 ? "ends 1 command in the background" : `ends ${commands} commands in the background`;
}

/** Lower ranks survive longer on a narrow screen. */
function groups(hud: Hud | undefined, agents: number): Group[] {
  if (!hud) return [{ rank: 0, parts: [{ text: "starting…", role: "muted" }] }];
  const { permissionMode, mode, cost, prefix, truncated, pinned } = hud;
  const found: Group[] = changeGroups(hud);
  if (truncated) {
    const { sentTokens, readTokens } = truncated;
    const text = `server truncated: sent ≈${tokenCount(sentTokens)}, read ${tokenCount(readTokens)}`;
    found.unshift({ rank: 0, parts: [{ text, role: "error" }] });
  }
  if (hud.goal) found.push(...goalGroups(hud.goal));
  const words = modeWords({ permissionMode, mode }).word;
  found.push({ name: "mode", rank: 2, parts: [{ text: words, role: modeRole(hud) }] });
  found.push(...containGroups(hud));
  if (pinned) found.push({ name: "pinned", rank: 5, parts: [{ text: `${pinned} pinned`, role: "muted" }] });
  // An unknown price is not shown.
  if (cost && cost.usd > 0) found.push({ name: "cost", rank: 3, parts: [{ text: shortCost(cost, "") }] });
  const broken = prefix && lostCache(prefix);
  if (broken) found.push({ name: "cache", rank: 6, parts: [{ text: sanitiseLine(broken), role: "muted" }] });
  return [...found, ...workGroups(hud, agents), ...modelGroups(hud)];
}

export type HudRowOptions = {
  readonly agents?: number;
  /** Background commands that run; leaving ends them. */
  readonly commands?: number;
  readonly questions?: number;
  /** Shown while a second press would exit. */
  readonly leaving?: string | undefined;
  /** Names of the parts to leave out. */
  readonly hidden?: readonly string[];
};

/**
 * The HUD in one row, git at its beginning, the model at its end; parts that do not fit are dropped, least important
 * first.
 */
export function hudRow(
  hud: Hud | undefined,
  columns: number,
  { agents = 0, commands = 0, questions = 0, leaving, hidden = [] }: HudRowOptions = {},
): Row {
  const own = ownLine(hud);
  let shown = groups(hud, agents).filter(({ name }) => name === undefined || (!own && !hidden.includes(name)));
  if (questions > 0) {
    const text = questions === 1 ? "a question waits in Chat" : `${questions} questions wait in Chat`;
    shown.unshift({ rank: 0, parts: [{ text, role: "warning" }] });
  }
  if (leaving) {
    shown = shown.map((group) => (group.isWork ? { ...group, rank: 0 } : group));
    if (commands > 0) shown.unshift({ rank: 0, parts: [{ text: endsText(commands), role: "warning" }] });
    shown.unshift({ rank: 0, parts: [{ text: leaving, role: "warning" }] });
  }
  if (own) {
    const warnings = joinGroups(shown).map(({ text, role }) => span(text, role ? style({ fg: role }) : PLAIN));
    const gap = warnings.length > 0 ? [span(SEPARATOR, style({ fg: "border" }))] : [];
    return truncateRow(row(span(" "), ...warnings, ...gap, ...own), columns);
  }
  shown = fitted(shown, columns);
  const [left, right] = [joinGroups(shown.filter(({ isRight }) => !isRight)), joinGroups(shown.filter(isAtEnd))];
  const gap = Math.max(right.length > 0 && left.length > 0 ? MIN_GAP : 0, columns - widthOf(left) - widthOf(right) - 2);
  const spans = [...left, { text: right.length > 0 ? " ".repeat(gap) : "" }, ...right];
  return row(span(" "), ...spans.map(({ text, role }: HudPart) => span(text, role ? style({ fg: role }) : PLAIN)));
}

/** The widths to which a name is shortened: before parts are left out, and before those after `KEPT_RANK` are. */
const NAME_WIDTHS = [24, 10] as const;
const KEPT_RANK = 2;

/** Shortens names, then leaves out parts, the least important first. */
function fitted(groups: readonly Group[], columns: number): Group[] {
  let shown = shortNames(groups, columns, NAME_WIDTHS[0]);
  while (shown.length > 1 && width(shown) > columns) {
    const worst = Math.max(...shown.map(({ rank }) => rank));
    if (worst <= KEPT_RANK) shown = shortNames(shown, columns, NAME_WIDTHS[1]);
    if (width(shown) <= columns) break;
    shown = shown.filter((group) => group !== shown.findLast(({ rank }) => rank === worst));
  }
  return shown;
}

/** Names cut in their middle by as much as the row is too wide, but not below `least` columns. */
function shortNames(groups: readonly Group[], columns: number, least: number): Group[] {
  const excess = width(groups) - columns;
  if (excess <= 0) return [...groups];
  const short = (part: HudPart): HudPart => {
    if (!part.isName && !part.isSentence) return part;
    const cut = part.isName ? truncateMiddle : cutSentence;
    return { ...part, text: cut(part.text, Math.max(least, stringWidth(part.text) - excess)) };
  };
  return groups.map((group) => ({ ...group, parts: group.parts.map(short) }));
}

/** The output of the user's status line command: only text and its colours are kept. */
function ownLine(hud: Hud | undefined): readonly Span[] | undefined {
  const { statusLine } = hud ?? {};
  return statusLine && "text" in statusLine ? ansiLines(statusLine.text)[0] : undefined;
}

const MIN_GAP = 3;

function isAtEnd({ isRight = false }: Group): boolean {
  return isRight;
}

function joinGroups(groups: readonly Group[]): HudPart[] {
  return groups.flatMap(({ parts }, at) =>
    at === 0 ? parts : [{ text: SEPARATOR, role: "border" as const }, ...parts],
  );
}

function widthOf(parts: readonly HudPart[]): number {
  return parts.reduce((sum, { text }) => sum + stringWidth(text), 0);
}

/** The minimum width of these groups, with a blank at both ends. */
function width(groups: readonly Group[]): number {
  const right = groups.filter(isAtEnd);
  const gap = right.length > 0 && right.length < groups.length ? MIN_GAP : 0;
  return widthOf(joinGroups(groups.filter((group) => !isAtEnd(group)))) + gap + widthOf(joinGroups(right)) + 2;
}
