import type { ImagePart } from "@harness/protocol";
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

/** Text typed by a person: code in fences and backquotes is set as code, everything else stays as it is. */
export function typedHtml(text: string): string {
  const parts: string[] = [];
  let code: string[] | undefined;
  let fence = { mark: "", language: "" };
  let lines: string[] = [];
  const flush = () => {
    const body = lines.join("\n").trim();
    if (body !== "") parts.push(`<p class="typed">${inlineCode(body)}</p>`);
    lines = [];
  };
  for (const line of readableText(text).split("\n")) {
    const [, mark = "", language = ""] = /^ {0,3}(`{3,}|~{3,})(.*)/.exec(line) ?? [];
    if (code === undefined && mark !== "") {
      flush();
      code = [];
      fence = { mark, language };
    } else if (code !== undefined && mark.startsWith(fence.mark) && line.trim() === mark) {
      parts.push(codeBlock(code.join("\n"), fence.language));
      code = undefined;
    } else (code ?? lines).push(line);
  }
  flush();
  if (code) parts.push(codeBlock(code.join("\n"), fence.language));
  return parts.join("\n");
}

/** The pieces are escaped one by one, so that no mark reaches into markup. */
function inlineCode(text: string): string {
  return text
    .split(/(`[^`\n]+`)/)
    .map((piece, index) => (index % 2 === 1 ? `<code>${escaped(piece.slice(1, -1))}</code>` : escaped(piece)))
    .join("");
}

/** `language`: as named in the fence. `draw`: turns code in a known language into markup. */
export function codeBlock(
  text: string,
  language = "",
  draw: (text: string, language: string) => string = (code) => escaped(code),
): string {
  const [name] = /^[\w+#.-]{1,20}/.exec(language.trim()) ?? [];
  if (name === undefined) return `<pre><code>${escaped(text)}</code></pre>`;
  const isDiff = name === "diff" || name === "patch";
  return `<pre data-language="${name}"${isDiff ? ' class="diff"' : ""}><code>${draw(text, name)}</code></pre>`;
}

const DIFF_LINES: Readonly<Record<string, string>> = { "+": "ins", "-": "del", "@": "i" };

/** Each line of a diff as an element. */
export function diffMarkup(hunks: string): string {
  return readableText(hunks)
    .replace(/\n$/, "")
    .split("\n")
    .map((line) => {
      const tag = DIFF_LINES[line[0] ?? ""] ?? "span";
      return `<${tag}>${escaped(line)}\n</${tag}>`;
    })
    .join("");
}

export function picture({ mimeType, data, name }: ImagePart): string {
  const label = escaped(name ?? "image");
  if (!PICTURE.test(mimeType) || !/^[A-Za-z0-9+/=]*$/.test(data)) return `<p class="note">[${label}]</p>`;
  return `<img alt="${label}" src="data:${mimeType};base64,${data}">`;
}
