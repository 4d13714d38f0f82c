import type { DiffBlock } from "@harness/protocol";
import { truncateRow } from "../../text/fit.ts";
import { sanitise } from "../../text/sanitise.ts";
import type { Row } from "../../text/style.ts";
import {
  type BlockContext,
  cutOf,
  type FoldLimits,
  firstLines,
  LEAST_FOLDED,
  missingRow,
  mutedRow,
  opensText,
} from "../block-context.ts";
import { changedWords } from "./changed-words.ts";
import { type DiffLine, diffLines, numberColumns } from "./diff-lines.ts";
import { colouredLines } from "./line-spans.ts";
import { shownContext } from "./shown-context.ts";
import { splitRows } from "./split-rows.ts";
import { type DiffLineOptions, unifiedRows } from "./unified-rows.ts";

const LIMITS: FoldLimits = { folded: 40, open: 5000 };
/** A new file was just read in its permission dialog, or can be opened. */
const NEW_FILE: FoldLimits = { folded: 10, open: 5000 };
/** From this width on, old and new text are shown side by side. */
const WIDE = 120;

/**
 * A change to a file: tinted lines with syntax highlighting, a stronger tint on the words that changed, line numbers in
 * front. While it is folded only the lines close to a change are shown.
 */
export function diffRows(block: DiffBlock, context: BlockContext): Row[] {
  const { open, width } = context;
  const { lines: source, more } = firstLines(sanitise(block.hunks).replace(/\n$/, ""), LIMITS.open);
  const all = diffLines(source);
  const { lines, hidden } = shownContext(all, context);
  const cut = cutOf(context, block.change === "create" ? NEW_FILE : LIMITS);
  const isWhole = more === 0 && lines.length - cut.limit < LEAST_FOLDED;
  const shown = isWhole ? lines : lines.slice(0, cut.limit);
  const missing = lines.slice(shown.length).filter((line) => "mark" in line).length + more;
  const drawn = shown.filter((line): line is DiffLine => !("unchanged" in line));
  const looks: DiffLineOptions = {
    digits: numberColumns(drawn),
    width,
    opens: opensText(context),
    coloured: colouredLines(drawn, block.path, context),
    changed: changedWords(drawn),
  };
  const isSplit = width >= WIDE && block.change === "modify";
  const rows = isSplit ? splitRows(shown, looks) : unifiedRows(shown, looks);
  if (missing > 0) return [...rows, missingRow(missing, "line", cut)];
  // Without a key that opens it, it is not worth a row.
  const isNamed =
    open || hidden === 0 || looks.opens === "" || shown.some((line) => "unchanged" in line && line.canOpen);
  return isNamed ? rows : [...rows, truncateRow(mutedRow(`… more context${looks.opens}`), width)];
}
