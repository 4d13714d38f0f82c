import type { Block, DiffBlock, Effect } from "@harness/protocol";
import { type DiffLine, diffLines, numberColumns } from "../../render/blocks/diff-lines.ts";
import {
  code,
  PLAIN,
  prefixRows,
  type Row,
  row,
  type Span,
  span,
  style,
  visible,
  wrapSpans,
} from "../../text/index.ts";
import type { Role } from "../../theme/theme.ts";

type Style = Span["style"];

const MUTED = style({ fg: "muted" });
const CODE = style({ fg: "code" });
const HUNK = style({ fg: "hunk" });
const signRoles: Record<"+" | "-", Role> = { "+": "added", "-": "removed" };
/** Empty lines in a row that are drawn as such. */
const MAX_EMPTY = 3;
const EMPTY = /^[ \t]*$/;

/**
 * The preview of a permission request. Every character is visible; every line has a number or a
 * sign before it, and further rows of a line a rule, so that content cannot imitate a line or frame of ours.
 */
export function previewRows(blocks: readonly Block[], width: number): Row[] {
  return blocks.flatMap((block) => blockPreview(block, width));
}

function blockPreview(block: Block, width: number): Row[] {
  switch (block.type) {
    case "diff":
      return diffPreview(block, width);
    case "terminal":
      return textPreview(block.command, width, { sign: "$", look: CODE });
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

/** A single line has the sign before it, several have their numbers. */
function textPreview(text: string, width: number, { sign = "│", look = PLAIN } = {}): Row[] {
  const lines = text.replace(/\n$/, "").split("\n");
  if (lines.length === 1) return contentRows(lines[0] ?? "", `${sign} `, look, width);
  const digits = String(lines.length).length;
  return withoutGaps(
    lines,
    (line) => EMPTY.test(line),
    (line, at) => contentRows(line, `${String(at + 1).padStart(digits)} │ `, look, width),
    `${" ".repeat(digits)}   `,
  );
}

function diffPreview({ change, path, added, removed, hunks }: DiffBlock, width: number): Row[] {
  const head = wrapSpans(
    [...visible(`${change} ${path}`, MUTED), span(`  +${added} −${removed}`, MUTED)],
    width,
    "hard",
  );
  const lines = diffLines(hunks.replace(/\n$/, "").split("\n"));
  const digits = numberColumns(lines);
  const body = withoutGaps(
    lines,
    (line) => "text" in line && EMPTY.test(line.text),
    (line) => diffLineRows(line, digits, width),
    `${" ".repeat(digits)}   `,
  );
  return [...head, ...body];
}

function diffLineRows(line: DiffLine, digits: number, width: number): Row[] {
  if ("hunk" in line) return wrapSpans(visible(line.hunk, HUNK), width, "hard");
  const look = line.mark === " " ? PLAIN : style({ fg: signRoles[line.mark] });
  return contentRows(line.text, `${String(line.number).padStart(digits)} ${line.mark} `, look, width);
}

/** A line behind its lead; rows beyond its first are marked. */
function contentRows(line: string, lead: string, look: Style, width: number): Row[] {
  const rows = wrapSpans(visible(line, look), Math.max(1, width - lead.length), "hard");
  const rest = span(`${" ".repeat(lead.length - 2)}┊ `, MUTED);
  return prefixRows(rows, [span(lead, look === PLAIN || look === CODE ? MUTED : look)], [rest]);
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
      // A kind that a newer server knows.
      return { what: "does", which: JSON.stringify(effect) };
  }
}
