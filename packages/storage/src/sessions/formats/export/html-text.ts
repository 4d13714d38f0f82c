import { type Block, blocksOf, type ImagePart, type ToolOutcome } from "@harness/protocol";
import { readableText } from "./readable-text.ts";

const ENTITIES: Readonly<Record<string, string>> = {
  "&": "&amp;",
  "<": "&lt;",
  ">": "&gt;",
  '"': "&quot;",
  "'": "&#39;",
};
const PICTURE = /^image\/(?:png|jpeg|gif|webp)$/;

/** A text of a log for a page: it is shown as it is, and is never markup. */
export function escaped(text: string): string {
  return readableText(text).replace(/[&<>"']/g, (found) => ENTITIES[found] ?? "");
}

/** Text of a model: fenced code is set as code, everything else as it was written. */
export function prose(text: string): string {
  const parts: string[] = [];
  let code: string[] | undefined;
  let fence = "";
  let lines: string[] = [];
  const flush = () => {
    const body = lines.join("\n").trim();
    if (body !== "") parts.push(`<p>${inline(body)}</p>`);
    lines = [];
  };
  for (const line of readableText(text).split("\n")) {
    const [, mark = ""] = /^ {0,3}(`{3,}|~{3,})/.exec(line) ?? [];
    if (code === undefined && mark !== "") {
      flush();
      [code, fence] = [[], mark];
    } else if (code !== undefined && mark.startsWith(fence) && line.trim() === mark) {
      parts.push(pre(code.join("\n")));
      code = undefined;
    } else (code ?? lines).push(line);
  }
  flush();
  if (code) parts.push(pre(code.join("\n")));
  return parts.join("\n");
}

/** Code in a line and bold words; the pieces are escaped first, so that no mark reaches into markup. */
function inline(text: string): string {
  return text
    .split(/(`[^`\n]+`)/)
    .map((piece, index) =>
      index % 2 === 1
        ? `<code>${escaped(piece.slice(1, -1))}</code>`
        : escaped(piece).replace(/\*\*([^*\n]+)\*\*/g, "<b>$1</b>"),
    )
    .join("");
}

function pre(text: string): string {
  return `<pre>${escaped(text)}</pre>`;
}

export function picture({ mimeType, data, name }: ImagePart): string {
  const label = escaped(name ?? "image");
  if (!PICTURE.test(mimeType) || !/^[A-Za-z0-9+/=]*$/.test(data)) return `<p class="note">[${label}]</p>`;
  return `<img alt="${label}" src="data:${mimeType};base64,${data}">`;
}

/** The result of a call. */
export function outcomeHtml(outcome: ToolOutcome): string {
  const images = (outcome.images ?? []).filter((part) => part.type === "image").map(picture);
  return [...blocksOf(outcome).map(blockHtml), ...images].join("\n");
}

function blockHtml(block: Block): string {
  switch (block.type) {
    case "text":
      return pre(block.text);
    case "markdown":
      return prose(block.text);
    case "diff":
      return `<p class="path">${escaped(block.path)} <ins>+${Number(block.added)}</ins> <del>−${Number(block.removed)}</del></p>${diffHtml(block.hunks)}`;
    case "terminal": {
      const end = block.exitCode === null ? (block.signal ?? "still running") : `exit code ${block.exitCode}`;
      return `<pre><b>$ ${escaped(block.command)}</b>\n${escaped(block.output)}</pre><p class="note">${escaped(end)}</p>`;
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
      return listHtml(
        block.items.map(({ text, status }) => `${status === "completed" ? "☑" : "☐"} ${text}`),
        undefined,
      );
    case "table":
      return `<table>${rowHtml("th", block.columns)}${block.rows.map((row) => rowHtml("td", row)).join("")}</table>`;
    case "image":
      return `<p class="note">[${escaped(block.description)}]</p>`;
    case "json":
      return pre(JSON.stringify(block.value, null, 2) ?? "");
  }
}

function listHtml(items: readonly string[], more: number | undefined): string {
  const rest = more ? `<li class="note">${Number(more)} more</li>` : "";
  return `<ul>${items.map((item) => `<li>${escaped(item)}</li>`).join("")}${rest}</ul>`;
}

function rowHtml(tag: "th" | "td", cells: readonly string[]): string {
  return `<tr>${cells.map((cell) => `<${tag}>${escaped(cell)}</${tag}>`).join("")}</tr>`;
}

const DIFF_LINES: Readonly<Record<string, string>> = { "+": "ins", "-": "del", "@": "i" };

function diffHtml(hunks: string): string {
  const lines = readableText(hunks)
    .split("\n")
    .map((line) => {
      const tag = DIFF_LINES[line[0] ?? ""] ?? "span";
      return `<${tag}>${escaped(line)}\n</${tag}>`;
    });
  return `<pre class="diff">${lines.join("")}</pre>`;
}
