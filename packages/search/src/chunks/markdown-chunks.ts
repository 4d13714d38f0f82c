import type { Chunk } from "./chunk.ts";
import { rangeChunks } from "./line-chunks.ts";

/** A section of at most this many characters is one chunk. */
const SECTION_CHARACTERS = 2_000;

type Heading = { level: number; title: string; row: number };

/** Markdown by headings (CommonMark: ATX and setext), each with the titles above it. */
export function markdownChunks(lines: readonly string[]): Chunk[] {
  const headings = headingsOf(lines);
  const titles: Heading[] = [];
  const starts = [{ level: 0, title: "", row: 0 }, ...headings];
  return starts.flatMap((heading, index) => {
    while ((titles.at(-1)?.level ?? 0) >= heading.level && titles.length > 0) titles.pop();
    if (heading.title !== "") titles.push(heading);
    const endRow = (starts[index + 1]?.row ?? lines.length) - 1;
    return sectionChunks(
      lines,
      { startRow: heading.row, endRow },
      titles.map(({ title }) => title),
    );
  });
}

function sectionChunks(
  lines: readonly string[],
  range: { startRow: number; endRow: number },
  signatures: string[],
): Chunk[] {
  const head = { kind: "section" as const, names: signatures.slice(-1), signatures, comment: "" };
  return rangeChunks(lines, range, head, SECTION_CHARACTERS);
}

function headingsOf(lines: readonly string[]): Heading[] {
  const headings: Heading[] = [];
  let fence = "";
  const first = frontMatterEnd(lines);
  for (let row = first; row < lines.length; row += 1) {
    const line = lines[row] ?? "";
    const [, ticks] = /^ {0,3}(`{3,}|~{3,})/.exec(line) ?? [];
    if (fence !== "") {
      if (ticks?.startsWith(fence)) fence = "";
      continue;
    }
    if (ticks !== undefined) {
      fence = ticks;
      continue;
    }
    const [, marks = "", title = ""] = /^ {0,3}(#{1,6})(?:[ \t]+(.*))?$/.exec(line.trimEnd()) ?? [];
    if (marks !== "") headings.push({ level: marks.length, title: title.replace(/[ \t]+#+$/, "").trim(), row });
    else if (row > first && /^ {0,3}(?:=+|-{2,})[ \t]*$/.test(line) && isParagraph(lines[row - 1]))
      headings.push({ level: line.includes("=") ? 1 : 2, title: (lines[row - 1] ?? "").trim(), row: row - 1 });
  }
  return headings.filter(({ title }) => title !== "");
}

/** The row after the front matter. */
function frontMatterEnd(lines: readonly string[]): number {
  if (lines[0]?.trimEnd() !== "---") return 0;
  const end = lines.findIndex((line, row) => row > 0 && /^(?:---|\.\.\.)\s*$/.test(line));
  return end < 0 ? 0 : end + 1;
}

/** A line of text that an underline makes a heading. */
function isParagraph(line = ""): boolean {
  return line.trim() !== "" && !/^ {0,3}(?:[#>|]|[-*+][ \t]|\d+[.)][ \t]|={2,}|-{2,})/.test(line);
}
