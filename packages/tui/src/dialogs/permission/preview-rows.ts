import type { Block, DiffBlock, Effect } from "@harness/protocol";
import { relativePath } from "../../render/blocks/relative-path.ts";
import { changedWords, type TextRange } from "../../render/diff/changed-words.ts";
import { type DiffLine, diffLines, numberColumns } from "../../render/diff/diff-lines.ts";
import { tintOf } from "../../render/diff/line-spans.ts";
import { padRow } from "../../text/fit.ts";
import { code, prefixRows, type Row, row, type Span, span, style, visible, wrapSpans } from "../../text/index.ts";
import type { Role } from "../../theme/theme.ts";
import { colourShell } from "./shell-spans.ts";

type Style = Span["style"];

const MUTED = style({ fg: "muted" });
const signRoles: Record<"+" | "-", Role> = { "+": "added", "-": "removed" };
const changeWords: Readonly<Record<DiffBlock["change"], string>> = {
  create: "new file ",
  modify: "",
  delete: "deleted ",
};
/** The most consecutive empty lines that are drawn as such. */
const MAX_EMPTY = 3;
const EMPTY = /^[ \t]*$/;

/** The width of a preview, and the folder that paths are shown relative to. */
type PreviewOptions = { readonly width: number; readonly root: string };

/**
 * The preview of a permission request. Every character is visible; every line starts with a number or sign, and
 * continuation rows with a rule, so that content cannot imitate our lines or frames.
 */
export function previewRows(blocks: readonly Block[], options: PreviewOptions): Row[] {
  return blocks.flatMap((block) => blockPreview(block, options));
}

function blockPreview(block: Block, options: PreviewOptions): Row[] {
  const { width } = options;
  switch (block.type) {
    case "diff":
      return diffPreview(block, options);
    case "terminal":
      return textPreview(block.command, width, { sign: "$", isShell: true });
    case "text":
    case "markdown":
      return textPreview(block.text, width);
    case "list":
      return textPreview(
        block.items.map(({ text, detail }) => (detail ? `${text}  ${detail}` : text)).join("\n"),
        width,
      );
    default:
      return textPreview(JSON.stringify(block, undefined, 1), width);
  }
}

/** A single line starts with the sign, several lines with numbers. */
function textPreview(text: string, width: number, { sign = "│", isShell = false } = {}): Row[] {
  const lines = text.replace(/\n$/, "").split("\n");
  const textOf = (line: string) => (isShell ? colourShell(visible(line)) : visible(line));
  if (lines.length === 1) return contentRows(textOf(lines[0] ?? ""), `${sign} `, MUTED, width);
  const digits = String(lines.length).length;
  return withoutGaps(
    lines,
    (line) => EMPTY.test(line),
    (line, at) => contentRows(textOf(line), `${String(at + 1).padStart(digits)} │ `, MUTED, width),
    `${" ".repeat(digits)}   `,
  );
}

function diffPreview({ change, path, added, removed, hunks }: DiffBlock, { width, root }: PreviewOptions): Row[] {
  const what = changeWords[change];
  const head = wrapSpans(
    [...visible(`${what}${relativePath(path, root)}`, MUTED), span(`  +${added} −${removed}`, MUTED)],
    width,
    "hard",
  );
  return [...head, ...unifiedDiffRows(hunks, width)];
}

/** The lines of a unified diff: with numbers, signs, tints and the words that changed. */
export function unifiedDiffRows(hunks: string, width: number): Row[] {
  const lines = diffLines(hunks.replace(/\n$/, "").split("\n")).slice(startsAtTop(hunks) ? 1 : 0);
  const digits = numberColumns(lines);
  const changed = changedWords(lines);
  return withoutGaps(
    lines,
    (line) => "text" in line && EMPTY.test(line.text),
    (line) => diffLineRows(line, { digits, width, changed: changed.get(line) ?? [] }),
    `${" ".repeat(digits)}   `,
  );
}

/** The header of a first hunk adds nothing to the numbers below it. */
function startsAtTop(hunks: string): boolean {
  return hunks.startsWith("@@ -");
}

type LineRowOptions = { digits: number; width: number; changed: readonly TextRange[] };

function diffLineRows(line: DiffLine, { digits, width, changed }: LineRowOptions): Row[] {
  const indent = " ".repeat(digits);
  if ("hunk" in line) return [row(span(`${indent} ⋯`, MUTED))];
  if (!("mark" in line)) return wrapSpans(visible(`${indent} ${line.remark}`, MUTED), width, "hard");
  const { mark, text } = line;
  const lead = `${String(line.number).padStart(digits)} ${mark} `;
  if (mark === " ") return contentRows(visible(text), lead, MUTED, width);
  const tint = tintOf[mark];
  const spans = stretches(text, changed).map(({ part, isChanged }) =>
    visible(part, style({ bg: isChanged ? tint.word : tint.line })),
  );
  const look = style({ fg: signRoles[mark], bg: tint.line });
  return contentRows(spans.flat(), lead, look, width).map((each) => padRow(each, width, style({ bg: tint.line })));
}

/** Splits a text into changed and unchanged pieces. */
function stretches(text: string, changed: readonly TextRange[]): { part: string; isChanged: boolean }[] {
  const parts: { part: string; isChanged: boolean }[] = [];
  let at = 0;
  for (const { from, to } of changed) {
    parts.push({ part: text.slice(at, from), isChanged: false }, { part: text.slice(from, to), isChanged: true });
    at = to;
  }
  return [...parts, { part: text.slice(at), isChanged: false }];
}

/** A line after its lead; continuation rows are marked. */
function contentRows(spans: Span[], lead: string, look: Style, width: number): Row[] {
  const rows = wrapSpans(spans, Math.max(1, width - lead.length), "hard");
  const rest = span(
    `${" ".repeat(lead.length - 2)}┊ `,
    look.bg === undefined ? MUTED : style({ fg: "muted", bg: look.bg }),
  );
  return prefixRows(rows, [span(lead, look)], [rest]);
}

/** Rows of lines; a long run of empty lines becomes a count. */
function withoutGaps<T>(
  lines: readonly T[],
  isEmpty: (line: T) => boolean,
  draw: (line: T, at: number) => Row[],
  lead: string,
): Row[] {
  const rows: Row[] = [];
  for (let at = 0; at < lines.length; ) {
    let end = at;
    while (end < lines.length && isEmpty(lines[end] as T)) end += 1;
    if (end - at > MAX_EMPTY) {
      rows.push(row(span(lead), code(`${end - at} empty lines`)));
      at = end;
      continue;
    }
    for (const last = Math.max(end, at + 1); at < last; at += 1) rows.push(...draw(lines[at] as T, at));
  }
  return rows;
}

/** An effect of a call, in words. */
export function effectText(effect: Effect): { what: string; which: string } {
  switch (effect.kind) {
    case "read":
      return { what: "reads", which: effect.path };
    case "write":
      return { what: "writes", which: effect.path };
    case "run":
      return {
        what: effect.outside ? "runs, outside the sandbox, a command in" : "runs a command in",
        which: effect.cwd,
      };
    case "reach":
      return { what: "reaches", which: effect.url };
    case "spend":
      return { what: "spends", which: effect.what };
    case "mcp":
      return { what: `calls, on the MCP server ${effect.server},`, which: effect.tool };
    default:
      // A kind from a newer server.
      return { what: "does", which: JSON.stringify(effect) };
  }
}
