import { runConverter } from "../converters/run-converter.ts";
import { isTooNested, textOfHtml, titleOfHtml } from "./html-text.ts";

/** Long enough for any page that people read; a library takes about a second for it. */
const MAX_HTML_CHARS = 1_000_000;
const MAX_MS = 8_000;
const MAX_MEMORY_MB = 512;

export type MarkdownAsk = { html: string; url: string };

/**
 * Converts a page to Markdown. A library parses it in a separate process with limits of time and memory, because pages
 * are untrusted and this program must not block. If that fails, the text without tags is returned. Never rejects.
 */
export async function htmlToMarkdown(
  source: string,
  url: string,
  signal: AbortSignal,
): Promise<{ markdown: string; title: string }> {
  const html = source.slice(0, MAX_HTML_CHARS).toWellFormed();
  const title = titleOfHtml(html);
  const data: MarkdownAsk = { html, url };
  const limits = { maxMs: MAX_MS, maxMemoryMb: MAX_MEMORY_MB, signal };
  const parsed = isTooNested(html)
    ? undefined
    : await runConverter({ folder: import.meta.dirname, name: "markdown-converter", data, ...limits });
  const markdown = typeof parsed === "string" ? parsed : textOfHtml(html);
  const rest = source.length > MAX_HTML_CHARS ? "\n\n[the page goes on; its end was not read]" : "";
  return { markdown: markdown + rest, title };
}
