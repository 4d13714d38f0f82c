import { padRow } from "../../text/fit.ts";
import { type CopiedSide, EMPTY_ROW, type Row, type Span, style } from "../../text/style.ts";
import type { DiffLine, DiffSide } from "./diff-lines.ts";
import type { Gap } from "./shown-context.ts";
import { type DiffLineOptions, remarkRow, sideRows } from "./unified-rows.ts";

type Pair =
  | { readonly before?: DiffSide; readonly after?: DiffSide }
  | { readonly other: Exclude<DiffLine, DiffSide> | Gap };

const RULE: Span = { text: " │ ", style: style({ fg: "border" }) };

/** Old lines on the left and new lines on the right, each next to its replacement. */
export function splitRows(lines: readonly (DiffLine | Gap)[], options: DiffLineOptions): Row[] {
  const width = Math.floor((options.width - RULE.text.length) / 2);
  const half = { ...options, width };
  return pairs(lines).flatMap((pair) => {
    if ("other" in pair) return [remarkRow(pair.other, options)];
    const { before, after } = pair;
    const left = before ? sideRows(before, before.mark === " " ? before.before : before.number, half) : [];
    const right = after ? sideRows(after, after.number, half) : [];
    const second = width + RULE.text.length;
    return Array.from({ length: Math.max(left.length, right.length) }, (_, y) => ({
      spans: [...padRow(left[y] ?? EMPTY_ROW, width).spans, RULE, ...(right[y] ?? EMPTY_ROW).spans],
      copy: { margin: 0, sides: [sideAt(left[y], 0, width), sideAt(right[y], second, options.width)] },
    }));
  });
}

function sideAt(row: Row | undefined, from: number, to: number): CopiedSide {
  const { margin = 0, joined } = row?.copy ?? {};
  return { from, to, margin, ...(joined !== undefined && { joined }), isAbsent: row === undefined };
}

/** An unchanged line is on both sides. */
function pairs(lines: readonly (DiffLine | Gap)[]): Pair[] {
  const found: Pair[] = [];
  for (let at = 0; at < lines.length; ) {
    const line = lines[at] as DiffLine | Gap;
    if (!("mark" in line)) {
      found.push({ other: line });
      at += 1;
    } else if (line.mark === " ") {
      found.push({ before: line, after: line });
      at += 1;
    } else {
      const removed = run(lines, at, "-");
      const added = run(lines, at + removed.length, "+");
      for (let index = 0; index < Math.max(removed.length, added.length); index++) {
        found.push({
          ...(removed[index] && { before: removed[index] }),
          ...(added[index] && { after: added[index] }),
        });
      }
      at += removed.length + added.length;
    }
  }
  return found;
}

function run(lines: readonly (DiffLine | Gap)[], from: number, mark: "+" | "-"): DiffSide[] {
  const sides: DiffSide[] = [];
  for (let at = from; at < lines.length; at++) {
    const line = lines[at];
    if (!line || !("mark" in line) || line.mark !== mark) break;
    sides.push(line);
  }
  return sides;
}
