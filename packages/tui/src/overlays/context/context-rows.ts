import { type ContextReport, type ContextSection, type DroppablePart, ROOT_AGENT } from "@harness/protocol";
import { tokenCount } from "../../figures/token-count.ts";
import { padRow, prefixRows, type Row, row, sanitiseLine, span, style, wrapSpans } from "../../text/index.ts";
import type { Role } from "../../theme/theme.ts";
import { spread } from "../../widgets/boxes.ts";
import { pressures } from "../../widgets/context-pressure.ts";
import type { ContextSheet } from "./state.ts";

const HEADING = style({ bold: true });
const MUTED = style({ fg: "muted" });
const ERROR = style({ fg: "error" });
/** Neighbours in the bar differ. */
const PART_ROLES: readonly Role[] = ["accent", "info", "success", "warning", "added", "removed"];
const EMPTY = row(span(" "));
const NAME_COLUMNS = 24;
const MAX_BAR = 72;
/** The most named parts of a section, or of what could be dropped. */
const MAX_ITEMS = 5;

const names: Record<ContextSection["section"], string> = {
  system: "System text",
  prompt_fragments: "Prompt fragments",
  workspace: "Workspace",
  repository_map: "Repository map",
  instruction_files: "Instruction files",
  pinned_files: "Pinned files",
  skills: "Skills",
  tools: "Tools",
  conversation: "Conversation",
  tool_results: "Tool results",
  volatile: "Working context",
};

const sources: Record<ContextReport["windowSource"], string> = {
  setting: "size set by context_limit",
  server: "size from the server",
  table: "size from the table of known models",
  assumed: "size unknown, assumed; context_limit sets it",
};

/**
 * The contents of the context window: a bar of all of it, its sections, the automatic steps with their sizes, and parts that
 * could be dropped.
 */
export function contextRows({ report, problem }: ContextSheet, columns: number): Row[] {
  const head = [row(span("Context window", HEADING)), EMPTY];
  if (problem !== undefined) return [...head, ...wrapSpans([span(sanitiseLine(problem), ERROR)], columns)];
  if (!report) return [...head, row(span("  Counting…", MUTED))];
  const { sections, droppable, usedTokens, windowTokens, usableTokens } = report;
  const filled = sections.filter(({ tokens }) => tokens > 0);
  const parts: WindowPart[] = [
    ...filled.map(({ section, tokens, items }, at) => ({
      ...{ name: names[section], tokens, items },
      look: { glyph: "█", role: PART_ROLES[at % PART_ROLES.length] ?? "accent" },
    })),
    { name: "Free for requests", tokens: Math.max(0, usableTokens - usedTokens), look: { glyph: "░", role: "muted" } },
    {
      name: "Reserved for reply",
      tokens: Math.max(0, windowTokens - usableTokens),
      isUsable: false,
      look: { glyph: "▒", role: "muted" },
    },
  ];
  return [
    ...summaryRows(report, columns),
    EMPTY,
    stackedBar(parts, windowTokens, columns),
    EMPTY,
    ...parts.flatMap((part) => [partRow(part, usableTokens), ...itemRows(part.items ?? [], columns)]),
    EMPTY,
    row(span("What could be dropped", HEADING)),
    ...(droppable.length === 0 ? [row(span("  Nothing that would make a difference.", MUTED))] : []),
    ...droppable.flatMap((part) => partRows(part, columns)),
  ];
}

function summaryRows(report: ContextReport, columns: number): Row[] {
  const { agentId, model, usedTokens, usableTokens, windowTokens, isCounted, windowSource, truncated } = report;
  const pressure = pressures[report.pressure];
  const whose = agentId === ROOT_AGENT ? "" : `  ${sanitiseLine(agentId)}`;
  const look = pressure ? style({ fg: pressure.role }) : HEADING;
  const percent = `${share(usedTokens, usableTokens)}${pressure ? `: ${pressure.word}` : ""}`;
  const lines = [
    [
      span(`${tokenCount(usedTokens)} of ${tokenCount(usableTokens)} usable tokens, ${percent}`, look),
      span(` · ${sanitiseLine(model)} has ${tokenCount(windowTokens)}, ${sources[windowSource]}`, MUTED),
    ],
    [
      span(
        isCounted
          ? "Counted by the provider, plus an estimate of what came since."
          : "Estimated: no request has been counted yet.",
        MUTED,
      ),
    ],
    ...(stepsText(report) === "" ? [] : [[span(stepsText(report), MUTED)]]),
    ...(truncated
      ? [
          [
            span(
              `The server read ${tokenCount(truncated.readTokens)} of about ${tokenCount(truncated.sentTokens)} tokens of the last prompt: its context window is smaller.`,
              ERROR,
            ),
          ],
        ]
      : []),
  ];
  return [
    row(span("Context window", HEADING), span(whose, MUTED)),
    EMPTY,
    ...lines.flatMap((each) => wrapSpans(each, columns)),
  ];
}

/** harness's automatic steps, and when they happen. */
function stepsText({ shrinkTokens, compactTokens }: ContextReport): string {
  const steps = [
    ...(shrinkTokens === undefined ? [] : [`shortens old results from ${tokenCount(shrinkTokens)} on`]),
    ...(compactTokens === undefined ? [] : [`compacts at ${tokenCount(compactTokens)}`]),
  ];
  return steps.length === 0 ? "Compacts only when asked: /compact." : `harness ${steps.join(" and ")}.`;
}

type WindowPart = {
  readonly name: string;
  readonly tokens: number;
  readonly items?: ContextSection["items"];
  /** Its share is of the usable part. */
  readonly isUsable?: boolean;
  readonly look: { readonly glyph: string; readonly role: Role };
};

/** The whole context window: each part as wide as its share, but one cell at least. */
function stackedBar(parts: readonly WindowPart[], windowTokens: number, columns: number): Row {
  const room = Math.max(parts.length, Math.min(MAX_BAR, columns - 4));
  const shown = parts.filter(({ tokens }) => tokens > 0);
  const cells = shown.map(({ tokens }) => Math.max(1, Math.floor((tokens / Math.max(1, windowTokens)) * room)));
  const widest = cells.indexOf(Math.max(...cells));
  const rest = room - cells.reduce((sum, each) => sum + each, 0);
  const bars = shown.map(({ look }, at) => {
    const length = (cells[at] ?? 0) + (at === widest ? rest : 0);
    return span(look.glyph.repeat(Math.max(1, length)), style({ fg: look.role }));
  });
  return row(span("  "), ...bars);
}

function partRow({ name, tokens, isUsable = true, look }: WindowPart, usableTokens: number): Row {
  const left = padRow(row(span("  "), span(look.glyph, style({ fg: look.role })), span(` ${name}`)), NAME_COLUMNS);
  return row(
    ...left.spans,
    span(`${tokenCount(tokens).padStart(8)} ${isUsable ? share(tokens, usableTokens).padStart(6) : ""}`),
  );
}

function itemRows(items: readonly { readonly name: string; readonly tokens: number }[], columns: number): Row[] {
  const shown = items.slice(0, MAX_ITEMS).map(({ name, tokens }) => `${sanitiseLine(name)} ${tokenCount(tokens)}`);
  const more = items.length > MAX_ITEMS ? [`${items.length - MAX_ITEMS} more`] : [];
  if (shown.length === 0) return [];
  const indent = span("      ");
  return prefixRows(wrapSpans([span([...shown, ...more].join(" · "), MUTED)], columns - 6), [indent], [indent]);
}

function partRows({ title, tokens, advice, items }: DroppablePart, columns: number): Row[] {
  const indent = span("      ");
  return [
    spread(
      [span(`  ${sanitiseLine(title)}`)],
      [span(`  ${tokenCount(tokens)} tokens`)],
      Math.min(columns, NAME_COLUMNS + MAX_BAR + 15),
    ),
    ...itemRows(items, columns),
    ...prefixRows(wrapSpans([span(sanitiseLine(advice), MUTED)], columns - 6), [indent], [indent]),
  ];
}

function share(tokens: number, of: number): string {
  if (of <= 0) return "";
  const percent = (100 * tokens) / of;
  return percent > 0 && percent < 1 ? "<1 %" : `${Math.round(percent)} %`;
}
