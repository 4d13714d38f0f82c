import { Lexer, type MarkedToken, type Token } from "marked";
import { codeHtml } from "./code-html.ts";
import { codeBlock, escaped } from "./html-text.ts";

/** Longer texts are shown as written; no message of a model is this long. */
const MAX_CHARS = 200_000;
/** Quotes and lists nested deeper than anybody writes them. */
const DEEP = /^ {0,3}(?:(?:[>*+-]|\d{1,9}[.)]) {0,4}){40}/m;
const MAX_PARAGRAPH = 20_000;
const MAX_MARKS = 500;
/** Longer addresses are shown as text. */
const MAX_ADDRESS = 2_000;

/** Markdown written by a model, as HTML. Every text in it is escaped, including markup: no text becomes markup. */
export function markdownHtml(text: string): string {
  if (text.trim() === "") return "";
  if (text.length > MAX_CHARS || DEEP.test(text)) return asWritten(text);
  try {
    return blocks(tokensOf(text));
  } catch {
    // Hostile nesting exhausts the lexer.
    return asWritten(text);
  }
}

/** For each mark of emphasis, the lexer looks through the rest of the paragraph: one that is full of them stays as it is. */
function tokensOf(text: string): Token[] {
  const lexer = new Lexer();
  lexer.blockTokens(text.replace(/\r\n?/g, "\n"), lexer.tokens);
  for (const { src, tokens } of lexer.inlineQueue) {
    if (src.length > MAX_PARAGRAPH || src.split(/[*_~]/, MAX_MARKS + 1).length > MAX_MARKS)
      tokens.push({ type: "text", raw: src, text: src, escaped: false });
    else lexer.inlineTokens(src, tokens);
  }
  return lexer.tokens;
}

function asWritten(text: string): string {
  return `<p class="typed">${escaped(text)}</p>`;
}

function blocks(tokens: readonly Token[], { isTight = false } = {}): string {
  return tokens.map((token) => block(token as MarkedToken, isTight)).join("");
}

function block(token: MarkedToken, isTight: boolean): string {
  switch (token.type) {
    case "space":
    case "def":
    case "checkbox":
      return "";
    case "heading": {
      const level = Math.min(token.depth + 1, 6);
      return `<h${level}>${inline(token.tokens)}</h${level}>`;
    }
    case "paragraph":
      return `<p>${inline(token.tokens)}</p>`;
    case "text": {
      const said = token.tokens ? inline(token.tokens) : escaped(decoded(token.text));
      return isTight ? said : `<p>${said}</p>`;
    }
    case "code":
      return codeBlock(token.text, token.lang, codeHtml);
    case "blockquote":
      return `<blockquote>${blocks(token.tokens)}</blockquote>`;
    case "hr":
      return "<hr>";
    case "list": {
      const start = token.ordered && Number(token.start) !== 1 ? ` start="${Number(token.start)}"` : "";
      const tag = token.ordered ? "ol" : "ul";
      return `<${tag}${start}>${token.items.map(listItem).join("")}</${tag}>`;
    }
    case "table": {
      const cells = (tag: string, row: typeof token.header): string =>
        `<tr>${row.map((cell) => `<${tag}${alignment(cell.align)}>${inline(cell.tokens)}</${tag}>`).join("")}</tr>`;
      const rows = token.rows.map((row) => cells("td", row)).join("");
      return `<div class="wide"><table>${cells("th", token.header)}${rows}</table></div>`;
    }
    default:
      return asWritten(token.raw.trim());
  }
}

type ListItem = Extract<MarkedToken, { type: "list" }>["items"][number];

function listItem({ task, checked, loose, tokens }: ListItem): string {
  const body = blocks(tokens, { isTight: !loose });
  return task ? `<li class="task">${checked === true ? "☑" : "☐"} ${body}</li>` : `<li>${body}</li>`;
}

function alignment(align: "center" | "left" | "right" | null): string {
  return align === "center" || align === "right" ? ` class="${align}"` : "";
}

function inline(tokens: readonly Token[]): string {
  return tokens.map((token) => inlinePiece(token as MarkedToken)).join("");
}

function inlinePiece(token: MarkedToken): string {
  switch (token.type) {
    case "strong":
      return `<b>${inline(token.tokens)}</b>`;
    case "em":
      return `<em>${inline(token.tokens)}</em>`;
    case "del":
      return `<s>${inline(token.tokens)}</s>`;
    case "codespan":
      return `<code>${escaped(token.text)}</code>`;
    case "br":
      return "<br>";
    case "checkbox":
      return "";
    case "link":
      return link(token.href, inline(token.tokens));
    case "image":
      // The page needs no network, so it has no remote pictures.
      return link(token.href, `[${escaped(token.text === "" ? "image" : token.text)}]`);
    case "text":
      return token.tokens ? inline(token.tokens) : escaped(decoded(token.text));
    case "escape":
      return escaped(token.text);
    default:
      return escaped(token.raw);
  }
}

/** `label` is markup. If the address is not that of a web page or of mail, only the label is shown. */
function link(href: string, label: string): string {
  const isKnown = /^(?:https?:\/\/|mailto:)/i.test(href) && href.length <= MAX_ADDRESS && URL.canParse(href);
  return isKnown ? `<a href="${escaped(new URL(href).href)}" rel="noreferrer">${label}</a>` : label;
}

const ENTITIES: Readonly<Record<string, string>> = { amp: "&", lt: "<", gt: ">", quot: '"', apos: "'", nbsp: "\u00a0" };

function decoded(text: string): string {
  return text.replace(/&(amp|lt|gt|quot|apos|nbsp);/g, (_, name: string) => ENTITIES[name] ?? "");
}
