import { join } from "node:path";
import { isTooDeep, textOfHtml, titleOfHtml } from "./html-text.ts";

/** Long enough for any page that a person reads; a library takes about a second for it. */
const MAX_HTML_CHARS = 1_000_000;
const MAX_MS = 8_000;
const MAX_MEMORY_MB = 512;

export type MarkdownAsk = { html: string; url: string };

/**
 * Converts a page to Markdown. A library parses it in a separate thread, with limits of time and memory: pages are
 * untrusted, and this program goes on meanwhile. If that fails, the text without tags is returned. Never rejects.
 */
export async function htmlToMarkdown(
  source: string,
  url: string,
  signal: AbortSignal,
): Promise<{ markdown: string; title: string }> {
  const html = source.slice(0, MAX_HTML_CHARS).toWellFormed();
  const title = titleOfHtml(html);
  const markdown = (isTooDeep(html) ? undefined : await inThread({ html, url }, signal)) ?? textOfHtml(html);
  const rest = source.length > MAX_HTML_CHARS ? "\n\n[the page goes on; its end was not read]" : "";
  return { markdown: markdown + rest, title };
}

async function inThread(ask: MarkdownAsk, signal: AbortSignal): Promise<string | undefined> {
  const { Worker } = await import("node:worker_threads");
  return new Promise((resolve) => {
    const thread = new Worker(entry(), {
      workerData: ask,
      env: {},
      execArgv: [],
      stdout: true,
      stderr: true,
      resourceLimits: { maxOldGenerationSizeMb: MAX_MEMORY_MB, stackSizeMb: 16 },
    });
    const end = (markdown?: string) => {
      clearTimeout(timer);
      signal.removeEventListener("abort", stop);
      void thread.terminate();
      resolve(markdown);
    };
    const stop = () => end();
    const timer = setTimeout(stop, MAX_MS);
    signal.addEventListener("abort", stop, { once: true });
    thread.once("message", (markdown: unknown) => end(typeof markdown === "string" ? markdown : undefined));
    thread.once("error", stop);
    thread.once("exit", stop);
    if (signal.aborted) stop();
  });
}

/** The bundle's own entry beside this code, or its source when run from source. */
function entry(): string {
  const here = import.meta.dirname;
  return import.meta.filename.endsWith(".ts") ? join(here, "markdown-thread.ts") : join(here, "markdown-thread.mjs");
}
