import { dropHidden } from "../text/hidden-characters.ts";
import { applySgr } from "../text/sgr.ts";
import { EMPTY_ROW, PLAIN, type Row, type Span, type Style } from "../text/style.ts";

const SEQUENCE = new RegExp(`${"\u001b"}\\[([0-9;:]*)m|\\p{Cc}`, "gu");

type Line = { row: Row; style: Style };

/** Parses one line of Ink's output, which contains no sequences but colours. `style` continues from the line before. */
function parseLine(line: string, style: Style): Line {
  const spans: Span[] = [];
  let current = style;
  let at = 0;
  const add = (text: string): void => {
    const clean = dropHidden(text);
    if (clean !== "") spans.push({ text: clean, style: current });
  };
  for (const match of line.matchAll(SEQUENCE)) {
    add(line.slice(at, match.index));
    at = match.index + match[0].length;
    if (match[1] !== undefined) current = applySgr(current, match[1]);
  }
  add(line.slice(at));
  return { row: spans.length === 0 ? EMPTY_ROW : { spans }, style: current };
}

/** Parses frames of one Ink instance; an unchanged line keeps its Row object. */
export class FrameParser {
  #before = new Map<string, Line>();

  parse(output: string): Row[] {
    const lines = new Map<string, Line>();
    const rows: Row[] = [];
    let style: Style = PLAIN;
    // An empty tree has no rows rather than one blank row.
    const texts = output === "" ? [] : output.replace(/\n$/, "").split("\n");
    for (const text of texts) {
      const key = `${style.id}:${text}`;
      const line = this.#before.get(key) ?? lines.get(key) ?? parseLine(text, style);
      lines.set(key, line);
      rows.push(line.row);
      style = line.style;
    }
    this.#before = lines;
    return rows;
  }
}
