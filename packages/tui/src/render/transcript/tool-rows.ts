import type { Block, ToolItem } from "@harness/protocol";
import { AnsiText } from "../../text/ansi-text.ts";
import { truncateRow } from "../../text/fit.ts";
import { sanitiseLine } from "../../text/sanitise.ts";
import { PLAIN, type Row, type Span, style } from "../../text/style.ts";
import { prefixRows } from "../../text/wrap.ts";
import type { Role } from "../../theme/theme.ts";
import type { BlockContext } from "../blocks/block-context.ts";
import { blockRows } from "../blocks/index.ts";
import { outputTail } from "../blocks/terminal-rows.ts";
import { spinnerGlyph } from "./spinner.ts";

const INDENT: Span = { text: "  ", style: PLAIN };
const BOLD = style({ bold: true });
const MUTED = style({ fg: "muted" });
const ADDED = style({ fg: "added" });
const REMOVED = style({ fg: "removed" });

type Outcome = NonNullable<ToolItem["outcome"]>;
/** `label`: why it did not run; its time is left out then. */
type Look = { glyph: string; role: Role; label?: string };

const outcomes: Record<Outcome["status"], Look> = {
  ok: { glyph: "●", role: "success" },
  error: { glyph: "✗", role: "error" },
  invalid: { glyph: "✗", role: "error", label: "invalid arguments" },
  unknown_tool: { glyph: "✗", role: "error", label: "no such tool" },
  denied: { glyph: "⊘", role: "warning", label: "denied" },
  cancelled: { glyph: "⊘", role: "muted", label: "cancelled" },
  interrupted: { glyph: "⊘", role: "warning", label: "interrupted: it may have taken effect or not" },
};

function lookOf({ status, outcome }: ToolItem, tick: number): Look {
  if (outcome) return outcomes[outcome.status];
  if (status === "in_progress") return { glyph: spinnerGlyph(tick), role: "accent" };
  if (status === "pending") return { glyph: "○", role: "muted" };
  return status === "failed" ? outcomes.error : outcomes.ok;
}

function duration(ms: number): string {
  if (ms < 1000) return `${Math.round(ms)} ms`;
  if (ms < 60_000) return `${(ms / 1000).toFixed(1)} s`;
  return `${Math.floor(ms / 60_000)} min ${Math.round((ms % 60_000) / 1000)} s`;
}

/** `● edit src/a.ts  +3 −1  120 ms` */
export function toolHead(item: ToolItem, width: number, tick: number): Row {
  const { glyph, role, label } = lookOf(item, tick);
  const look = style({ fg: role });
  const spans: Span[] = [
    { text: `${glyph} `, style: look },
    { text: sanitiseLine(item.title || item.name), style: BOLD },
  ];
  let added = 0;
  let removed = 0;
  for (const block of item.outcome?.blocks ?? []) {
    if (block.type !== "diff") continue;
    added += block.added;
    removed += block.removed;
  }
  if (added > 0) spans.push({ text: `  +${added}`, style: ADDED });
  if (removed > 0) spans.push({ text: `${added > 0 ? " " : "  "}−${removed}`, style: REMOVED });
  if (label) spans.push({ text: `  ${label}`, style: look });
  else if (item.outcome) spans.push({ text: `  ${duration(item.outcome.durationMs)}`, style: MUTED });
  return truncateRow({ spans }, width);
}

/** The rows below the head of a call that has ended. */
export function toolBody(outcome: Outcome, context: BlockContext): Row[] {
  const inner = { ...context, width: Math.max(1, context.width - INDENT.text.length) };
  // As `blocksOf` of the protocol, whose package would bring its schemas into the first frame.
  const blocks: Block[] = outcome.blocks.length > 0 ? outcome.blocks : [{ type: "text", text: outcome.text }];
  const files = blocks.filter(({ type }) => type === "diff").length;
  const rows = blocks.flatMap((block) => {
    const own = blockRows(block, inner, outcome.text);
    // With one file the title names it.
    if (block.type !== "diff" || files < 2) return own;
    return [truncateRow({ spans: [{ text: sanitiseLine(block.path), style: BOLD }] }, inner.width), ...own];
  });
  return prefixRows(rows, [INDENT], [INDENT]);
}

/** Output of a running call while it grows: what was read is not read again. */
export class RunningOutput {
  #text = "";
  #lines = new AnsiText();

  update(text: string): void {
    if (!text.startsWith(this.#text)) {
      this.#lines = new AnsiText();
      this.#text = "";
    }
    this.#lines.push(text.slice(this.#text.length));
    this.#text = text;
  }

  rows(context: BlockContext): Row[] {
    const inner = { ...context, width: Math.max(1, context.width - INDENT.text.length) };
    const total = this.#lines.lineCount;
    const shown = this.#lines.lines(context.open ? 200 : 8);
    return prefixRows(outputTail(shown, total, inner), [INDENT], [INDENT]);
  }
}
