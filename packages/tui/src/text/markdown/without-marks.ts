/** Markdown as one line of plain text: without the syntax of headings, lists, emphasis, code and links. */
export function withoutMarks(text: string): string {
  return text
    .replace(/^[ \t]*(?:```|~~~).*(?:\n|$)/gm, "")
    .replace(/^[ \t]*(?:#{1,6}|[-*+>]) +(?:\[[ xX]\] +)?/gm, "")
    .replace(/\[([^\][\n]*)\]\([^()\s]*\)/g, "$1")
    .replace(/\*\*([^*\n]+)\*\*/g, "$1")
    .replace(/(?<![\w*])\*([^*\s][^*\n]*)\*(?![\w*])/g, "$1")
    .replace(/`([^`\n]+)`/g, "$1");
}
