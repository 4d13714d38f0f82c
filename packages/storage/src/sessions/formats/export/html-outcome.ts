import { type Block, blocksOf, type ToolOutcome } from "@harness/protocol";
import type { ExportSource } from "./export-source.ts";
import { codeBlock, diffMarkup, escaped, picture } from "./html-text.ts";

export type MarkdownHtml = NonNullable<ExportSource["markdown"]>;

/** The result of a call. */
export function outcomeHtml(outcome: ToolOutcome, markdown: MarkdownHtml): string {
  const images = (outcome.images ?? []).filter((part) => part.type === "image").map(picture);
  return [...blocksOf(outcome).map((block) => blockHtml(block, markdown)), ...images].join("\n");
}

function blockHtml(block: Block, markdown: MarkdownHtml): string {
  switch (block.type) {
    case "text":
      return `<pre class="said">${escaped(block.text)}</pre>`;
    case "markdown":
      return markdown(block.text);
    case "diff":
      return `<p class="path">${escaped(block.path)} <ins>+${Number(block.added)}</ins> <del>−${Number(block.removed)}</del></p>${diffHtml(block.hunks)}`;
    case "terminal": {
      const end = block.exitCode === null ? (block.signal ?? "still running") : `exit code ${block.exitCode}`;
      const isOk = block.exitCode === 0 || block.exitCode === null;
      return `<pre class="said"><code><b>$ ${escaped(block.command)}</b>\n${escaped(block.output)}</code></pre><p class="note${isOk ? "" : " less"}">${escaped(end)}</p>`;
    }
    case "list":
      return listHtml(
        block.items.map(({ text, detail }) => `${text}${detail === undefined ? "" : ` — ${detail}`}`),
        block.more,
      );
    case "tree":
      return listHtml(
        block.entries.map(({ path, directory }) => (directory ? `${path}/` : path)),
        block.more,
      );
    case "todo":
      return `<ul>${block.items.map(({ text, status }) => `<li class="task">${status === "completed" ? "☑" : "☐"} ${escaped(text)}</li>`).join("")}</ul>`;
    case "table":
      return `<div class="wide"><table>${rowHtml("th", block.columns)}${block.rows.map((row) => rowHtml("td", row)).join("")}</table></div>`;
    case "image":
      return `<p class="note">[${escaped(block.description)}]</p>`;
    case "json":
      return codeBlock(JSON.stringify(block.value, null, 2) ?? "");
  }
}

function listHtml(items: readonly string[], more: number | undefined): string {
  const rest = more ? `<li class="note">${Number(more)} more</li>` : "";
  return `<ul>${items.map((item) => `<li>${escaped(item)}</li>`).join("")}${rest}</ul>`;
}

function rowHtml(tag: "th" | "td", cells: readonly string[]): string {
  return `<tr>${cells.map((cell) => `<${tag}>${escaped(cell)}</${tag}>`).join("")}</tr>`;
}

function diffHtml(hunks: string): string {
  return `<pre class="diff"><code>${diffMarkup(hunks)}</code></pre>`;
}
