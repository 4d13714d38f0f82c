import { collapseLines } from "./frontmatter-values.ts";

/** The first paragraph of text, without headings. */
export function firstParagraph(body: string): string {
  const paragraph = body.split(/\n\s*\n/).find((each) => each.trim() !== "" && !/^\s*(#|```)/.test(each));
  return collapseLines(paragraph ?? "");
}
