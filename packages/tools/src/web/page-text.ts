import { plainText } from "../text/plain-text.ts";
import { decodedText } from "./decoded-text.ts";
import type { WebPage } from "./fetch-page.ts";
import { htmlToMarkdown } from "./html-to-markdown.ts";
import { withoutHidden } from "./without-hidden.ts";

export type PageText = { text: string; title?: string; form: "markdown" | "json" | "text" };

/** JSON that is larger, or would grow more, is left unchanged. */
const MAX_PRETTY = 2_000_000;
const MAX_BLANKS = 4_000_000;
const INDENT = 2;
/** The content of a page in a form that suits a model. */
export async function pageText(page: WebPage, signal: AbortSignal): Promise<PageText> {
  const type = page.contentType.split(";")[0]?.trim().toLowerCase() ?? "";
  const isHtml =
    /html/.test(type) || (type === "" && /^\s*<(!doctype|html|head|body)/i.test(page.body.toString("latin1", 0, 512)));
  const source = decodedText(page.body, { contentType: page.contentType, isHtml });
  if (isHtml) {
    const { markdown, title } = await htmlToMarkdown(source, page.url, signal);
    return { text: cleaned(markdown), ...(title !== "" && { title: cleaned(title) }), form: "markdown" };
  }
  if (/json$/.test(type) || type === "") {
    const pretty = prettyJson(source);
    if (pretty !== undefined) return { text: cleaned(pretty), form: "json" };
  }
  return { text: cleaned(source), form: "text" };
}

function prettyJson(source: string): string | undefined {
  if (source.length > MAX_PRETTY || !/^\s*[{[]/.test(source) || blanksOf(source) > MAX_BLANKS) return undefined;
  try {
    return JSON.stringify(JSON.parse(source), undefined, INDENT);
  } catch {
    return undefined;
  }
}

/** The most blanks to indent with: deeply nested lists would be mostly blanks. */
function blanksOf(json: string): number {
  let depth = 0;
  let blanks = 0;
  for (const [sign] of json.matchAll(/[[\]{},]/g)) {
    if (sign === "[" || sign === "{") depth += 1;
    else if (sign !== ",") depth -= 1;
    blanks += INDENT * Math.max(0, depth);
  }
  return blanks;
}

function cleaned(text: string): string {
  return withoutHidden(plainText(text)).toWellFormed().trim();
}
