import { changedWords } from "../../render/diff/changed-words.ts";
import { diffLines, numberColumns } from "../../render/diff/diff-lines.ts";
import { shownContext } from "../../render/diff/shown-context.ts";
import { unifiedRows } from "../../render/diff/unified-rows.ts";
import { prefixRows, type Row, span, style, textLines, wrapSpans } from "../../text/index.ts";

/** A piece of a text: text between changes, the head of a file, or lines of its diff. */
type Piece =
  | { readonly kind: "text"; readonly line: string }
  | { readonly kind: "file"; readonly what: string; readonly path: string }
  | { readonly kind: "hunks"; readonly lines: string[] };

const HEADING = style({ bold: true });
const MUTED = style({ fg: "muted" });
const HUNK = /^@@ -\d+(?:,(\d+))? \+\d+(?:,(\d+))? @@/;
const LEFT_OUT = /^@@ .* @@$/;

/** The diffs in a text, drawn as in the transcript but unfolded; other lines are left as they are. */
export function diffSheetRows(text: string, width: number): Row[] {
  const pieces = piecesOf(textLines(text));
  return pieces.flatMap((piece, at) => {
    if (piece.kind === "hunks") return hunkRows(piece.lines, width);
    if (piece.kind === "text") return prefixRows(wrapSpans([span(piece.line)], width), [], [span("  ")]);
    const next = pieces[at + 1];
    const counts = next?.kind === "hunks" ? `  ${countsOf(next.lines)}` : "";
    return wrapSpans([span(piece.what, MUTED), span(piece.path, HEADING), span(counts, MUTED)], width, "hard");
  });
}

/** The lines a hunk's header counts belong to the hunk, because a removed line may look like the head of a file. */
function piecesOf(lines: readonly string[]): Piece[] {
  const pieces: Piece[] = [];
  for (let at = 0; at < lines.length; ) {
    const line = lines[at] ?? "";
    const file = fileOf(line, lines[at + 1] ?? "");
    if (file) {
      pieces.push(file);
      at += 2;
      continue;
    }
    const count = hunkLength(lines, at);
    const last = pieces.at(-1);
    if (count === 0) pieces.push({ kind: "text", line });
    else if (last?.kind === "hunks") last.lines.push(...lines.slice(at, at + count));
    else pieces.push({ kind: "hunks", lines: lines.slice(at, at + count) });
    at += Math.max(1, count);
  }
  return pieces;
}

function fileOf(before: string, after: string): Piece | undefined {
  if (!before.startsWith("--- ") || !after.startsWith("+++ ")) return undefined;
  const [old, now] = [before.slice(4), after.slice(4)];
  if (old === "/dev/null") return { kind: "file", what: "new file ", path: now.replace(/^b\//, "") };
  if (now === "/dev/null") return { kind: "file", what: "deleted ", path: old.replace(/^a\//, "") };
  return { kind: "file", what: "", path: now.replace(/^b\//, "") };
}

/**
 * The number of lines from `from` on that are a hunk with its header, or a note on what was left out of one; 0 if there
 * are none.
 */
function hunkLength(lines: readonly string[], from: number): number {
  const header = HUNK.exec(lines[from] ?? "");
  if (!header) return LEFT_OUT.test(lines[from] ?? "") ? 1 : 0;
  let [before, after] = [Number(header[1] ?? 1), Number(header[2] ?? 1)];
  let at = from + 1;
  for (; at < lines.length; at += 1) {
    const mark = lines[at]?.[0];
    if (mark === "\\") continue;
    const isOld = mark === "-" || mark === " ";
    const isNew = mark === "+" || mark === " ";
    if ((!isOld && !isNew) || (isOld && before === 0) || (isNew && after === 0)) break;
    if (isOld) before -= 1;
    if (isNew) after -= 1;
  }
  return at - from;
}

function countsOf(lines: readonly string[]): string {
  const count = (mark: string) => lines.filter((line) => line.startsWith(mark)).length;
  return `+${count("+")} −${count("-")}`;
}

function hunkRows(source: readonly string[], width: number): Row[] {
  const { lines } = shownContext(diffLines(source), { open: true });
  const drawn = lines.flatMap((line) => ("unchanged" in line ? [] : [line]));
  const looks = { digits: numberColumns(drawn), width, opens: "", coloured: new Map(), changed: changedWords(drawn) };
  return unifiedRows(lines, looks);
}
