import type { MarkedToken, Token } from "marked";
import { dropHidden } from "../hidden-characters.ts";
import { joinIntoLine } from "../join-lines.ts";
import { overlay, PLAIN, type Span, type Style, style } from "../style.ts";
import { noteMark, type OwnToken } from "./extensions.ts";
import { linkTarget } from "./link-target.ts";

const BOLD_TEXT = style({ bold: true });
const ITALIC_TEXT = style({ italic: true });
const STRUCK_TEXT = style({ strike: true });
const CODE = style({ fg: "code" });
const LINK = style({ fg: "link", underline: true });
const NOTE_SIGN = style({ fg: "link" });
const ADDRESS = style({ fg: "muted" });

const entities: Readonly<Record<string, string>> = {
  amp: "&",
  lt: "<",
  gt: ">",
  quot: '"',
  apos: "'",
  nbsp: " ",
  "#39": "'",
};

function decode(text: string): string {
  return text.replace(/&(amp|lt|gt|quot|apos|nbsp|#39);/g, (_, name: string) => entities[name] ?? "");
}

/** The text of one paragraph as lines: a hard break begins a new one, a soft one becomes a blank. */
export function inlineLines(tokens: readonly Token[], base: Style = PLAIN): Span[][] {
  const lines: Span[][] = [[]];
  const add = (text: string, look: Style): void => {
    if (text !== "") lines[lines.length - 1]?.push({ text, style: look });
  };
  for (const token of tokens) inline(token as MarkedToken | OwnToken, base, add, () => lines.push([]));
  return lines;
}

type Add = (text: string, look: Style) => void;

function inline(token: MarkedToken | OwnToken, base: Style, add: Add, newLine: () => void): void {
  const inside = (tokens: readonly Token[], look: Style): void => {
    for (const each of tokens) inline(each as MarkedToken | OwnToken, look, add, newLine);
  };
  switch (token.type) {
    case "strong":
      inside(token.tokens, overlay(base, BOLD_TEXT));
      break;
    case "em":
      inside(token.tokens, overlay(base, ITALIC_TEXT));
      break;
    case "del":
      inside(token.tokens, overlay(base, STRUCK_TEXT));
      break;
    case "codespan":
      add(flat(token.text), overlay(base, CODE));
      break;
    case "br":
      newLine();
      break;
    case "link":
      link(token.href, token.text, linked(base, token.href), add, (look) => inside(token.tokens, overlay(look, LINK)));
      break;
    case "image": {
      const look = linked(base, token.href);
      add(`[image${token.text === "" ? "" : `: ${flat(token.text)}`}]`, overlay(look, LINK));
      add(` (${flat(token.href)})`, overlay(look, ADDRESS));
      break;
    }
    case "noteSign":
      add(flat(noteMark(token.label)), overlay(base, NOTE_SIGN));
      break;
    case "checkbox":
      break;
    case "text":
      if (token.tokens) inside(token.tokens, base);
      else add(decode(flat(token.text)), base);
      break;
    case "escape":
      add(token.text, base);
      break;
    default:
      add(flat(token.raw), base);
  }
}

/** The address is shown unless the text contains it: the text of a link may lie about where it leads. */
function link(href: string, text: string, look: Style, add: Add, drawText: (look: Style) => void): void {
  drawText(look);
  const address = flat(href);
  if (address !== text && address !== `mailto:${text}`) add(` (${address})`, overlay(look, ADDRESS));
}

/** The style with a link to this address, if the terminal may open it. */
function linked(base: Style, href: string): Style {
  const target = linkTarget(href);
  return target === undefined ? base : overlay(base, style({ link: target }));
}

function flat(text: string): string {
  return dropHidden(joinIntoLine(text).replaceAll("\t", " "));
}
