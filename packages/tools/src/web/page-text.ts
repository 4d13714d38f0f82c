import { plainText } from "../text/plain-text.ts";
import { decodedText } from "./decoded-text.ts";
import type { Page } from "./fetch-page.ts";
import { htmlToMarkdown } from "./html-to-markdown.ts";

export type PageText = { text: string; title?: string; form: "markdown" | "json" | "text" };

/** JSON beyond this is left as it came. */
const LARGEST_PRETTY = 2_000_000;
/** Tag characters, directions and joiners that people do not see and models read. */
const HIDDEN = /[\u{e0000}-\u{e007f}\u200b\u2060-\u2064\u202a-\u202e\u2066-\u206f\ufeff]/gu;

/** What a page says, as a model reads it best. */
export async function pageText(page: Page, signal: AbortSignal): Promise<PageText> {
  const type = page.contentType.split(";")[0]?.trim().toLowerCase() ?? "";
  const isHtml =
    /html/.test(type) || (type === "" && /^\s*<(!doctype|html|head|body)/i.test(page.body.toString("latin1", 0, 512)));
  const source = decodedText(page.body, page.contentType, isHtml);
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
  if (source.length > LARGEST_PRETTY || !/^\s*[{[]/.test(source)) return undefined;
  try {
    return JSON.stringify(JSON.parse(source), undefined, 2);
  } catch {
    return undefined;
  }
}

function cleaned(text: string): string {
  return plainText(text).replace(HIDDEN, "").toWellFormed().trim();
}
