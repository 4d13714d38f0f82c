const ENTITIES: Readonly<Record<string, string>> = {
  amp: "&",
  lt: "<",
  gt: ">",
  quot: '"',
  apos: "'",
  nbsp: " ",
  ndash: "–",
  mdash: "—",
  hellip: "…",
  middot: "·",
  raquo: "»",
  laquo: "«",
};
const MAX_TITLE_CHARS = 200;
const SILENT = /^(script|style|noscript|template|svg|head)\b/i;
const MAX_DEPTH = 1_000;
/** Elements that stay open until they are closed. */
const CONTAINERS =
  /<(\/?)(?:div|span|section|article|main|ul|ol|dl|table|blockquote|font|center|details|figure|fieldset|a|b|i|u|s|em|strong|small|big|tt|code|sub|sup)[\s>]/gi;
const BLOCKS = /^\/?(p|div|br|li|ul|ol|tr|table|h[1-6]|pre|blockquote|section|article|header|footer|main|dd|dt|hr)\b/i;

/** The content of `<title>`, on one line. */
export function titleOfHtml(html: string): string {
  const head = html.slice(0, 200_000);
  const start = head.search(/<title[\s>]/i);
  if (start < 0) return "";
  const open = head.indexOf(">", start);
  const end = head.indexOf("<", open);
  if (open < 0 || end < 0) return "";
  return unescaped(head.slice(open + 1, Math.min(end, open + 2_000)))
    .replace(/\s+/g, " ")
    .trim()
    .slice(0, MAX_TITLE_CHARS);
}

/** The text between the tags, for pages that cannot be parsed. Linear, whatever the page. */
export function textOfHtml(html: string): string {
  const pieces: string[] = [];
  const lower = html.replace(/[A-Z]+/g, (letters) => letters.toLowerCase());
  let at = 0;
  while (at < html.length) {
    const open = html.indexOf("<", at);
    if (open < 0) break;
    pieces.push(unescaped(html.slice(at, open)));
    if (html.startsWith("<!--", open)) {
      at = endAfter(html, "-->", open);
      continue;
    }
    const close = html.indexOf(">", open);
    if (close < 0) break;
    const tag = html.slice(open + 1, Math.min(close, open + 40));
    if (BLOCKS.test(tag)) pieces.push("\n");
    const silent = SILENT.exec(tag)?.[1];
    // An unclosed element extends to the end of the page.
    at = silent === undefined ? close + 1 : endAfter(lower, `</${silent.toLowerCase()}`, close);
  }
  if (at < html.length && html.indexOf("<", at) < 0) pieces.push(unescaped(html.slice(at)));
  return pieces
    .join("")
    .replace(/[ \t]+/g, " ")
    .replace(/ ?\n[\n ]*/g, "\n");
}

/** Deeply nested elements: a library would need endless time for such a page. */
export function isTooNested(html: string): boolean {
  let depth = 0;
  for (const [, slash] of html.matchAll(CONTAINERS)) {
    depth += slash === "/" ? -1 : 1;
    if (depth > MAX_DEPTH) return true;
    if (depth < 0) depth = 0;
  }
  return false;
}

function endAfter(html: string, mark: string, from: number): number {
  const found = html.indexOf(mark, from);
  return found < 0 ? html.length : found + mark.length;
}

function unescaped(text: string): string {
  return text.replace(/&(#\d{1,7}|#x[0-9a-f]{1,6}|[a-z]{2,8});/gi, (whole, name: string) => {
    if (!name.startsWith("#")) return ENTITIES[name.toLowerCase()] ?? whole;
    const code = /^#x/i.test(name) ? Number.parseInt(name.slice(2), 16) : Number(name.slice(1));
    return code > 0 && code <= 0x10ffff ? String.fromCodePoint(code) : whole;
  });
}
