import type { DiffBlock } from "@harness/protocol";
import { relativePath } from "../../render/blocks/relative-path.ts";
import { changedWords, type TextRange } from "../../render/diff/changed-words.ts";
import { type DiffLine, diffLines, numberColumns } from "../../render/diff/diff-lines.ts";
import { colouredLines, tintedSpans, tintOf } from "../../render/diff/line-spans.ts";
import { padRow } from "../../text/fit.ts";
import { type Row, row, type Span, span, style, visible, wrapSpans } from "../../text/index.ts";
import type { DrawingCode } from "../../text/markdown/drawing-code.ts";
import type { Role } from "../../theme/theme.ts";
import { contentRows, withoutGaps } from "./content-rows.ts";

const MUTED = style({ fg: "muted" });
const EMPTY = /^[ \t]*$/;
const signRoles: Record<"+" | "-", Role> = { "+": "added", "-": "removed" };
const changeWords: Readonly<Record<DiffBlock["change"], string>> = {
  create: "new file ",
  modify: "",
  delete: "deleted ",
};

/** `context`: the most unchanged lines around a change; absent: all that there are. */
export type DiffLook = { readonly width: number; readonly code: DrawingCode; readonly context?: number | undefined };

/** `+3 −1`, and whether the file is new. */
export function changeText({ change, added, removed }: DiffBlock): string {
  return change === "create" ? `${changeWords.create}+${added}` : `+${added} −${removed}`;
}

/** A change of a file, with its name. */
export function diffPreview(
  { change, path, added, removed, hunks }: DiffBlock,
  { root, ...look }: DiffLook & { readonly root: string },
): Row[] {
  const what = changeWords[change];
  const head = wrapSpans(
    [...visible(`${what}${relativePath(path, root)}`, MUTED), span(`  +${added} −${removed}`, MUTED)],
    look.width,
    "hard",
  );
  return [...head, ...unifiedDiffRows({ hunks, path }, look)];
}

/**
 * The lines of a unified diff: with numbers, signs, tints, the colours of the language, and the words that changed. No
 * character is hidden.
 */
export function unifiedDiffRows({ hunks, path }: { hunks: string; path: string }, look: DiffLook): Row[] {
  const { width, code, context } = look;
  const all = diffLines(hunks.replace(/\n$/, "").split("\n")).slice(startsAtTop(hunks) ? 1 : 0);
  const coloured = colouredLines(all, path, { code });
  const lines = context === undefined ? all : withContext(all, context);
  const digits = numberColumns(all);
  const changed = changedWords(all);
  return withoutGaps(
    lines,
    (line) => "text" in line && EMPTY.test(line.text),
    (line) => diffLineRows(line, { digits, width, coloured: coloured.get(line), changed: changed.get(line) ?? [] }),
    `${" ".repeat(digits)}   `,
  );
}

/** The header of a first hunk adds nothing to the numbers below it. */
function startsAtTop(hunks: string): boolean {
  return hunks.startsWith("@@ -");
}

/** Without the unchanged lines that are further than this from a change. */
function withContext(lines: readonly DiffLine[], context: number): DiffLine[] {
  const isChange = (line: DiffLine | undefined): boolean => line !== undefined && "mark" in line && line.mark !== " ";
  const isNear = (at: number): boolean => {
    for (let by = -context; by <= context; by += 1) if (isChange(lines[at + by])) return true;
    return false;
  };
  const kept = lines.map((line, at) => !("mark" in line) || isNear(at));
  const shown: DiffLine[] = [];
  for (const [at, line] of lines.entries()) {
    if (kept[at]) shown.push(line);
    // Lines left out between two changes are marked as the lines between two hunks are.
    else if (kept[at - 1] && "mark" in (lines[at - 1] ?? {}) && kept.indexOf(true, at) >= 0)
      shown.push({ between: kept.indexOf(true, at) - at, hunk: "" });
  }
  return shown.filter((line, at) => !("hunk" in line && "hunk" in (shown[at + 1] ?? {})));
}

type LineRowOptions = {
  digits: number;
  width: number;
  coloured: readonly Span[] | undefined;
  changed: readonly TextRange[];
};

function diffLineRows(line: DiffLine, { digits, width, coloured, changed }: LineRowOptions): Row[] {
  const indent = " ".repeat(digits);
  if ("hunk" in line) return [row(span(`${indent} ⋯`, MUTED))];
  if (!("mark" in line)) return wrapSpans(visible(`${indent} ${line.remark}`, MUTED), width, "hard");
  const { mark } = line;
  const lead = `${String(line.number).padStart(digits)} ${mark} `;
  const spans = tintedSpans(line, coloured, changed).flatMap(({ text, style: look }) => visible(text, look));
  if (mark === " ") return contentRows(spans, { lead, look: MUTED, width });
  const tint = style({ bg: tintOf[mark].line });
  const look = style({ fg: signRoles[mark], bg: tintOf[mark].line });
  return contentRows(spans, { lead, look, width }).map((each) => padRow(each, width, tint));
}
