import type { Block } from "@harness/protocol";
import { truncateRow } from "../../text/fit.ts";
import { tableRows } from "../../text/markdown/table-rows.ts";
import { sanitise, sanitiseLine } from "../../text/sanitise.ts";
import { PLAIN, type Row, type Span, style } from "../../text/style.ts";
import { prefixRows, wrapSpans } from "../../text/wrap.ts";
import {
  type BlockContext,
  cutOf,
  type FoldLimits,
  firstLines,
  firstRows,
  missingRow,
  plainSpan,
} from "../block-context.ts";

/** Blocks made of entries (list, tree, todo, table), and two single ones (image, json). */

type Of<K extends Block["type"]> = Extract<Block, { type: K }>;

const LIMITS: FoldLimits = { folded: 8, open: 1000 };
const MUTED = style({ fg: "muted" });

function cutEntries<T>(entries: readonly T[], context: BlockContext, more = 0): { shown: readonly T[]; rest: Row[] } {
  const cut = cutOf(context, LIMITS);
  const shown = entries.slice(0, cut.limit);
  const hidden = entries.length - shown.length + more;
  // Entries the tool left out cannot be opened.
  const open = cut.open || shown.length === entries.length;
  return {
    shown,
    rest: hidden > 0 ? [missingRow(hidden, "entry", { open, width: context.width, keys: context.keys })] : [],
  };
}

export function listRows({ items, more }: Of<"list">, context: BlockContext): Row[] {
  const { shown, rest } = cutEntries(items, context, more);
  const rows = shown.map(({ text, detail }) => {
    const spans: Span[] = [plainSpan(sanitiseLine(text))];
    if (detail) spans.push({ text: `  ${sanitiseLine(detail)}`, style: MUTED });
    return truncateRow({ spans }, context.width);
  });
  return [...rows, ...rest];
}

/** Paths as a tree: a folder that was not listed itself is drawn when its first entry comes. */
export function treeRows({ entries, more }: Of<"tree">, context: BlockContext): Row[] {
  const { shown, rest } = cutEntries(entries, context, more);
  const rows: Row[] = [];
  let open: string[] = [];
  for (const { path, directory } of shown) {
    const parts = sanitiseLine(path).split("/").filter(Boolean);
    let depth = 0;
    while (depth < parts.length - 1 && open[depth] === parts[depth]) depth += 1;
    for (; depth < parts.length; depth++) {
      const isFolder = directory || depth < parts.length - 1;
      const text = `${"  ".repeat(depth)}${parts[depth]}${isFolder ? "/" : ""}`;
      rows.push(truncateRow({ spans: [{ text, style: isFolder ? style({ fg: "accent" }) : PLAIN }] }, context.width));
    }
    open = directory ? parts : parts.slice(0, -1);
  }
  return [...rows, ...rest];
}

export const todoLooks = {
  pending: { mark: "☐ ", look: PLAIN },
  in_progress: { mark: "▶ ", look: style({ fg: "accent", bold: true }) },
  completed: { mark: "☑ ", look: style({ fg: "muted", strike: true }) },
} as const;

export function todoRows({ items }: Of<"todo">, { width }: BlockContext): Row[] {
  return items.flatMap(({ text, status }) => {
    const { mark, look } = todoLooks[status];
    const rows = wrapSpans([{ text: sanitiseLine(text), style: look }], Math.max(1, width - mark.length));
    const lead = { text: mark, style: status === "completed" ? MUTED : look };
    return prefixRows(rows, [lead], [plainSpan("  ")]);
  });
}

export function tableBlockRows({ columns, rows }: Of<"table">, context: BlockContext): Row[] {
  const { shown, rest } = cutEntries(rows, context);
  const header = columns.map((text) => [{ text: sanitiseLine(text), style: style({ bold: true }) }]);
  const body = shown.map((cells) => cells.map((text) => [plainSpan(sanitiseLine(text))]));
  return [...tableRows({ header, rows: body, align: [] }, context.width), ...rest];
}

export function imageRows({ mimeType, path, description }: Of<"image">, { width }: BlockContext): Row[] {
  const what = [description, path, mimeType].filter(Boolean).map((each) => sanitiseLine(each ?? ""));
  return wrapSpans([{ text: `[image] ${what.join(" · ")}`, style: MUTED }], width);
}

export function jsonRows({ value }: Of<"json">, context: BlockContext): Row[] {
  const cut = cutOf(context, LIMITS);
  const { lines, more } = firstLines(sanitise(JSON.stringify(value, null, 2) ?? "null"), cut.limit);
  const rows = lines.flatMap((line) => wrapSpans([plainSpan(line)], context.width, "hard"));
  return firstRows(rows, more, cut);
}
